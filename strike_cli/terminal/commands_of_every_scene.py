"""Commands that every system with scenes gets, such as `show`, `next`, `options` and `auto`.

The odds of the system's moves are among these commands. If a system declares a command of the same name, the
system's own command is used. Begin with `app_with_missing_scene_commands`, which also adds the game master's
override commands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ..immutable_records import Value
from ..kernel.procedure import World
from ..kernel.state_changes import apply_changes, pending_decisions_in, scene_table
from ..problems import Refused
from ..registry.system_declaration import System
from .argument_completions import IN_SCENE
from .command_output import (
    Block,
    Result,
    Span,
    Table,
    fact_and_reason_lines,
    leftover_lines_unless_put_aside,
    new_fact_and_reason_lines,
    open_decision_lines,
    question_lines,
    unlabelled_question_of_decision,
)
from .commands_and_options import Command, Options, add_command, command, new_app
from .move_commands import (
    DeclaredCommand,
    MoveCommand,
    apply_trial_in_memory,
    commands_declared_in,
    open_campaign_for_move,
    play_move,
)
from .name_lookup import find_id_by_name
from .roll_and_chart_options import Joint, Svg
from .scene_ending_hint import ending_lines_if_decided

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..campaign import Campaign
    from ..content.merged_content import Book
    from ..kernel.journal_types import WaitingDecision
    from ..kernel.procedure import Choose, Sets
    from ..kernel.state_changes import Change
    from ..play.command_execution import PerformedCommand
    from ..play.forecast import Outcomes
    from ..play.legal_options import Option
    from ..sim.bot_players import Player
    from ..tabletop.scene import Scene
    from .sheet_and_party_views import SheetView

MOST_MOVES_OF_AUTO = 50
"""The most moves that `auto` plays in one turn, in case a system's turn never ends."""


def app_with_missing_scene_commands(
    app: typer.Typer, system: System, declared_elsewhere: Collection[str] = (), typed_name: str | None = None
) -> typer.Typer:
    """Return a copy of a system's app, with the scene commands that the system doesn't declare itself.

    Args:
        app: The app of the system.
        system: The system.
        declared_elsewhere: Names of commands that other modules of the system declare.
        typed_name: The command in the typed line. If it is an override command of the game master, the other
            override commands aren't added, to save time.
    """
    registered = {item.name for item in app.registered_commands}
    whole = copy(app)
    whole.registered_commands = list(app.registered_commands)
    adding = {"show": _add_show}
    if system.scene.next_turn:
        adding["next"] = _add_next
    if system.bot:
        adding |= {"options": _add_options, "auto": _add_auto}
    for name, add in adding.items():
        if name not in registered:
            add(whole, system)
    if system.scene.people and typed_name not in adding:
        from ..registry.gm_override_hooks import FIRST_WORDS
        from .gm_override_commands import add_override_commands

        whole.registered_groups = list(app.registered_groups)
        others = registered | {item.name for item in app.registered_groups} | set(declared_elsewhere)
        add_override_commands(
            whole, system, [typed_name] if typed_name in FIRST_WORDS else FIRST_WORDS, others
        )
    return whole


def must_find_scene_under_way(campaign: Campaign, system: System) -> Scene:
    """Return the scene of a system that is under way.

    Raises Refused if there is none, and Usage if the campaign doesn't play the system.
    """
    from ..registry import must_be_able_to_play_system
    from ..registry.scenes_and_decisions_in_state import (
        nothing_under_way_refusal,
        scene_or_bare_scene_from_table,
    )

    table = scene_table(campaign.state, system.scene.key)
    if table is None:
        must_be_able_to_play_system(system.name, campaign.book.plugins)
        raise nothing_under_way_refusal(system, campaign.state)
    return scene_or_bare_scene_from_table(system, table, pending_decisions_in(campaign.state))


def _add_show(app: typer.Typer, system: System) -> None:
    @command(app, "show", kind="reads")
    def show(options: Options) -> Result:
        from ..play.legal_options import legal_options_listed_by_bot
        from .scene_view import map_or_other_scene_blocks

        with options.open_campaign() as campaign:
            scene = must_find_scene_under_way(campaign, system)
            also = system_parts_of_scene(system, campaign)
            blocks = [*map_or_other_scene_blocks(scene), *also.blocks]
            waiting = pending_decisions_in(campaign.state).get(system.scene.key)
            if waiting:
                blocks += open_decision_lines(waiting, campaign.book.locale())
            steps = [
                str(each)
                for each in legal_options_listed_by_bot(system, World(campaign.book, campaign.state))
            ]
            if steps and not waiting:
                blocks.append([("Next: ", "dim"), (f"strike {system.name} {steps[0]}", "command")])
            data = {**scene._asdict(), "next": [f"{system.name} {step}" for step in steps], **also.data}
            return Result(f"{system.name} show", _as_plain_data(data), blocks, notices=campaign.notices)

    _set_help_of_newest_command(app, f"Show the scene.\n\nExample: `strike {system.name} show`")


def system_parts_of_scene(system: System, campaign: Campaign) -> SheetView:
    """Return the parts of a scene that only the scene's system can show.

    The result is empty if the scene has no such parts.
    """
    from .sheet_and_party_views import SheetView
    from .system_views import views_of

    return views_of(system).scene(World(campaign.book, campaign.state)) or SheetView()


def _as_plain_data(value: object) -> object:
    """Return a value as plain dicts and lists, ready for JSON."""
    if hasattr(value, "_asdict"):
        return _as_plain_data(value._asdict())
    if isinstance(value, Value):
        return {key: _as_plain_data(getattr(value, key)) for key in value.FIELDS}
    if isinstance(value, dict):
        return {key: _as_plain_data(item) for key, item in value.items()}
    if isinstance(value, frozenset):  # squares that the party has seen
        from ..tabletop.squares_and_lines import format_square

        return [format_square(square) for square in sorted(value)]
    return [_as_plain_data(item) for item in value] if isinstance(value, list | tuple) else value


def _set_help_of_newest_command(app: typer.Typer, text: str) -> None:
    """Set the help of the command that was last added to the app."""
    callback = app.registered_commands[-1].callback
    assert callback is not None
    callback.__doc__ = text


def _add_next(app: typer.Typer, system: System) -> None:
    @command(app, "next")
    def next_(options: Options) -> Result:
        with options.open_campaign(writing=True) as campaign:
            return play_next_turn_or_step(options, campaign, system)

    turns = len(system.scene.next_turn) > 1
    says = (
        "End the current turn, with all effects that end with it, and begin the next."
        if turns
        else "Play the next step: the round, once it is complete."
    )
    more = (
        "Before the first turn it rolls initiative. It plays the end of one turn and the beginning of the "
        "next, as two commands; one undo takes back both. A decision stops it, and `next` again goes on. "
        "Dice are for both, in the order asked. "
    )
    _set_help_of_newest_command(
        app,
        f"{says}\n\n{more if turns else ''}It also ends a decided scene. It shows an open decision "
        f"first.\n\nExample: `strike {system.name} next`",
    )


def play_next_turn_or_step(options: Options, campaign: Campaign, system: System) -> Result:
    """Play `next`: end the present turn and begin the next one, or play the single next step.

    Each move is recorded as a command of its own. If a decision is open, nothing is played, and the result is
    that decision. If the system has advice for the pause between two turns, the result shows the advice, and
    the next turn doesn't begin yet.

    Raises Refused if the first move is refused.
    """
    from ..play.legal_options import moves_played_by_next

    name, scene = f"{system.name} next", must_find_scene_under_way(campaign, system)
    if waiting := pending_decisions_in(campaign.state).get(system.scene.key):
        return open_decision_result(name, campaign, waiting)
    moves = moves_played_by_next(system, World(campaign.book, campaign.state), scene)
    begins = system.scene.next_turn[-1]
    blocks: list[Block] = []
    facts: list[Mapping[str, object]] = []
    performed = None
    for move, args in moves:
        if move == begins and len(moves) > 1 and (said := _hint_before_turn(system, campaign)):
            blocks.append((said, "command"))
            break
        options.is_followed = len(moves) > 1
        try:
            with campaign.mark_entries({"act": "next"} if performed and performed.seq else {}):
                performed = play_move(options, campaign, move, args)
        except Refused as refusal:
            if performed is None:
                raise
            blocks.append((f"{refusal.message} {refusal.hint}".strip(), "warn"))
            break  # the turn has ended, and is reported; no other can begin
        facts += performed.facts
        blocks += new_fact_and_reason_lines(performed, options.explain)
        if performed.pending:
            break
        options.keep_unused_for_next(performed)
        if options.dry_run:
            apply_trial_in_memory(campaign, performed)
        if len(moves) == 1 or move == begins:
            blocks += _blocks_of_move_command(move, campaign, performed)
    assert performed is not None
    blocks += leftover_lines_unless_put_aside(performed)
    if not performed.pending:
        blocks += ending_lines_if_decided(campaign, system.name)
    return Result(
        name, performed.data, blocks, facts=facts, seq=performed.seq,
        pending=performed.pending, notices=campaign.notices,
    )  # fmt: skip


def open_decision_result(command: str, campaign: Campaign, waiting: WaitingDecision) -> Result:
    """Return an open decision as the result of a command that must wait for it."""
    secret = waiting.get("secret")
    blocks: list[Block] = (
        [("A secret decision is open.", "dim")]
        if secret
        else [*open_decision_lines(waiting, campaign.book.locale())]
    )
    question = unlabelled_question_of_decision(waiting).but(labels=tuple(waiting.get("labels", ())))
    return Result(command, None, blocks, pending=question, notices=campaign.notices)


def _hint_before_turn(system: System, campaign: Campaign) -> str:
    """Return a system's advice to be shown before the next turn begins; usually ""."""
    if not system.scene.pauses:
        return ""
    from ..registry.installed_plugins import import_object

    world = World(campaign.book, campaign.state)
    said: str = import_object(system.absolute(system.scene.pauses))(world)
    return said


def _blocks_of_move_command(move: str, campaign: Campaign, performed: PerformedCommand) -> Iterable[Block]:
    """Return the blocks that a move's own command shows below the move's facts."""
    from ..registry import command_apps_by_group
    from ..registry.installed_plugins import import_object

    group, _, name = move.partition(" ")
    declared = commands_declared_in(
        import_object(command_apps_by_group()[group].get(name) or command_apps_by_group()[group][""])
    ).get(name)
    return declared.show(campaign, performed) if declared and declared.show else ()


def _add_options(app: typer.Typer, system: System) -> None:
    @command(app, "options", kind="reads")
    def options_(options: Options, who: _OPTIONS_OF = "", odds: _WITH_ODDS = False) -> Result:
        from ..play.forecast import Outcomes, name_of_average
        from ..play.legal_options import legal_options_listed_by_bot
        from .odds_view import chances_and_averages, estimate_as_json, odds_in_short

        with options.open_campaign() as campaign:
            people = must_find_scene_under_way(campaign, system).people
            waiting = pending_decisions_in(campaign.state).get(system.scene.key)
            found = (
                [] if waiting else legal_options_listed_by_bot(system, World(campaign.book, campaign.state))
            )
            if who:
                one = find_id_by_name(who, {id: each.name for id, each in people.items()}, "person", "")
                found = [each for each in found if getattr(each.args, "who", "") == one]
            world = World(campaign.book, campaign.state)
            chances = _outcomes_of_options(system, world, found) if odds else [Outcomes() for _ in found]
            rows: list[list[Span]] = [[(f"strike {system.name} {each}", "command")] for each in found]
            told: list[dict[str, object]] = [
                {"typed": str(each), "command": each.command, "answers": each.answers} for each in found
            ]
            for row, item, ways in zip(rows, told, chances, strict=True):
                if odds:
                    row.append(odds_in_short(ways, ways.plays, partial(name_of_average, system)))
                    item["odds"] = {key: str(value) for key, value in chances_and_averages(ways).items()}
                    item |= estimate_as_json(ways.plays)
            data = {"options": told}
            blocks: list[Block] = [("No option is left now.", "dim")]
            if rows:
                blocks = [Table(["Options", *(["Chances and averages"] if odds else [])], rows)]
            elif waiting:
                blocks = open_decision_result("", campaign, waiting).blocks
            return Result(f"{system.name} options", data, blocks, notices=campaign.notices)

    _set_help_of_newest_command(
        app,
        "List all options now, as you would type them; with a name, only theirs.\n\n"
        "--odds adds averages, if every choice takes its first option. They are exact, or say "
        '"about" when there are too many outcomes.\n\n'
        f"Example: `strike {system.name} options`",
    )


def _add_auto(app: typer.Typer, system: System) -> None:
    @command(app, "auto", kind="writes")
    def auto(options: Options) -> Result:
        from ..sim.bot_players import find_player

        player, options.skips_confirmation = find_player("full", system), True
        with options.open_campaign(writing=True) as campaign:
            scene = must_find_scene_under_way(campaign, system)
            active = scene.order.active if scene.order else None
            side = scene.people[active].side if active and active in scene.people else active or ""
            whose = "" if scene.order else _must_find_side_of_game_master(scene, campaign.book)
            blocks: list[Block] = []
            facts: list[Mapping[str, object]] = []
            performed = None

            for _ in range(MOST_MOVES_OF_AUTO):
                option = player.choose_command(World(campaign.book, campaign.state), whose or side)
                if option is None:
                    break
                by_bot = partial(_answer_of_bot, campaign, scene, active or "", player, option)
                performed = play_move(options, campaign, option.command, option.args, decide=by_bot)
                facts += performed.facts
                blocks += fact_and_reason_lines(performed.facts)
                if options.dry_run and not performed.pending:
                    apply_trial_in_memory(campaign, performed)
                now = scene_table(campaign.state, system.scene.key) or {}
                if performed.pending or now.get("active") != active:
                    break
            if performed is None:
                raise Refused("No option is left now.", f"`strike {system.name} show` shows the scene.")
            if performed.pending:
                blocks += question_lines(performed.pending)
            data = {"who": active, "seq": performed.seq}
            return Result(
                f"{system.name} auto", data, blocks, facts=facts, seq=performed.seq,
                pending=performed.pending, notices=campaign.notices,
            )  # fmt: skip

    _set_help_of_newest_command(
        app,
        "Let a bot play the current turn: the best actions for its side, on average over the dice. "
        "Without turns, it plays the remaining actions of the game master's side.\n\n"
        "Each is a command of its own, which undo takes back. "
        "If a player must decide, it waits.\n\n"
        f"Example: `strike {system.name} auto`",
    )


def _answer_of_bot(
    campaign: Campaign, scene: Scene, active: str, player: Player, option: Option, performed: PerformedCommand
) -> str | None:
    """Return the bot's answer to a decision; None if another player has to make it."""
    from ..play.decision_weighing import CommandUnderway

    question, world = performed.asked, World(campaign.book, campaign.state)
    assert question
    now = scene.people.get(question.who)
    if question.who != active and (now.ref if now else question.who) in campaign.book.characters:
        return None
    underway = CommandUnderway(world, option, [answer for _, answer in performed.answers])
    return player.decide(world, question, underway)


def _must_find_side_of_game_master(scene: Scene, book: Book) -> str:
    """Return the id of the side that the game master plays: the first one without a character.

    Raises Refused if every side has a character.
    """
    side = next((side.id for side in scene.sides if book.characters.keys().isdisjoint(side.team)), "")
    if not side:
        raise Refused("Everybody here has a player.", f"`strike {scene.system} options` lists their options.")
    return side


_OPTIONS_OF = Annotated[
    str, typer.Argument(metavar=IN_SCENE.with_text("[WHO]"), help="Somebody in the scene; else everybody.")
]


_WITH_ODDS = Annotated[bool, typer.Option("--odds", help="With averages.")]


def _outcomes_of_options(system: System, world: World, options: Sequence[Option]) -> list[Outcomes]:
    """Return, for each option, its outcomes with their chances; empty for a move without odds."""
    from ..play.forecast import Outcomes, count_people_at_least_one, outcomes_of_move, plays_per_option

    each = plays_per_option(len(options), count_people_at_least_one(world, system))
    return [
        outcomes_of_move(world, one.command, one.args, max_ways=each, plays=each)
        if system.moves[one.command].odds
        else Outcomes()
        for one in options
    ]


# Odds of declared moves


def make_odds_app(system: System, group: typer.Typer) -> typer.Typer:
    """Return a Typer app with a command for the odds of each move that declares its outcomes.

    Each command takes the same words as the command that plays the move.
    """
    about = system.title or system.name
    app = new_app(f"Exact odds of {about}.\n\nExample: `strike odds {system.name} --help`", name=system.name)
    for name, each in commands_declared_in(group).items():
        if system.moves[each.move].odds:
            _add_odds_command(app, system, name, each)
    return app


def _add_odds_command(app: typer.Typer, system: System, name: str, declared: DeclaredCommand) -> None:
    import inspect

    def show_odds(
        options: Options, svg: str | None = None, choose: str = "", joint: bool = False, **typed: object
    ) -> Result:
        from ..play.forecast import outcomes_of_move
        from .odds_view import odds_result_and_chart_file, parse_odds_arguments

        with open_campaign_for_move(options, declared.move, writing=False) as call:
            args = parse_odds_arguments(call, declared, typed)
            campaign = call.campaign
            world = World(campaign.book, campaign.state) if campaign else World(None)
            words = [word.strip() for word in choose.split(",") if word.strip()]
            now = partial(
                outcomes_of_move,
                name=declared.move,
                args=args,
                policy=partial(_first_option_among_wanted_or_first, words),
            )
            try:
                found = now(world)
            except Refused:
                if (theirs := _world_at_turn_of_actor(system, world, args)) is None:
                    raise
                found = now(theirs)
        return odds_result_and_chart_file(f"odds {system.name} {name}", args, found, svg, found.plays, joint)

    more = [
        inspect.Parameter("svg", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Svg),
        inspect.Parameter("choose", inspect.Parameter.KEYWORD_ONLY, default="", annotation=_CHOOSE),
        inspect.Parameter("joint", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Joint),
    ]
    import re

    _, example, command = (declared.function.__doc__ or "").partition("Example: ")
    examples = (example + re.sub(r" --dice [\d,]+", "", command.strip())).replace(
        f"`strike {system.name} ", f"`strike odds {system.name} "
    )
    told = "The chance of each outcome: exact, or an estimate (it says so) when there are too many."
    show_odds.__doc__ = f"{told}\n\n{examples}"
    add_command(
        app, name, Command(show_odds, lambda: [*declared.parameters, *more], "reads"), cls=MoveCommand
    )


def _world_at_turn_of_actor(system: System, world: World, args: Mapping[str, object]) -> World | None:
    """Return the world as it would be if the actor's turn had just begun.

    The system's function `in_turn` says what would change. Return None if the system has no such function, if
    there is no actor or scene, or if nothing would change.
    """
    if not (system.scene.in_turn and args.get("who") and scene_table(world.state, system.scene.key)):
        return None
    from ..registry.installed_plugins import import_object

    make: Callable[[World, str], Sets] = import_object(system.absolute(system.scene.in_turn))
    changes: list[Change] = [(path, None, value) for path, value in make(world, str(args["who"])).items()]
    return World(world.book, apply_changes(world.state, changes)) if changes else None


_CHOOSE = Annotated[
    str,
    typer.Option(
        "--choose", metavar="A,B", help="Answers to choices on the way. Default: the first option of each."
    ),
]


def _first_option_among_wanted_or_first(wanted: Sequence[str], question: Choose) -> str:
    return next((option for option in question.options if option in wanted), question.options[0])
