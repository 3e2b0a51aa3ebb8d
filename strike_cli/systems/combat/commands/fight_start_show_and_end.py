"""The commands of a fight from its setup to its end, and the commands that show a fight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.kernel.state_changes import pending_decisions_in, require_scene_table
from strike_cli.problems import Usage
from strike_cli.tabletop.turn_order import DELAYED, INITIATIVE
from strike_cli.terminal.argument_completions import OPTION
from strike_cli.terminal.battlemap.labels_and_marks import (
    all_ids_by_turn_order_down_last,
    is_hidden_by_fog_and_not_party,
    map_labels,
)
from strike_cli.terminal.command_output import Block, Line, NumberHeading, Result, Table, open_decision_lines
from strike_cli.terminal.commands_and_options import Options, command
from strike_cli.terminal.move_commands import Call, WordParser, answer_open_decision, plays
from strike_cli.terminal.name_lookup import (
    CHARACTER,
    Encounter,
    creature_counts,
    must_find_named_or_all_characters,
)
from strike_cli.terminal.scene_ending_hint import ending_lines_if_decided

from . import app, argument_completions
from .argument_parsers import choice_parser, must_find_fight
from .remaining_actions_and_map import (
    MapPreview,
    fight_as_scene_with_fog,
    fight_map_picture,
    remaining_action_and_all_power_lines,
)

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.procedure import World
    from strike_cli.kernel.statements import Language
    from strike_cli.play.command_execution import PerformedCommand
    from strike_cli.tabletop.scene import Scene
    from strike_cli.terminal.command_output import Span

    from ..data import FightState, StartData


def _map_budget_and_next_step_blocks(
    campaign: Campaign | None, performed: PerformedCommand
) -> Iterator[Block]:
    """Yield the map of a new fight, a warning if the fight exceeds its budget, and the next command.

    A dry run shows the map, too.
    """
    from strike_cli.kernel.state_changes import apply_fact

    if campaign is None or performed.data is None:
        return
    state = campaign.state
    for fact in performed.facts if performed.seq is None else ():
        state = apply_fact(state, fact)
    yield fight_map_picture(require_scene_table(state, "fight"))
    budget = cast("StartData", performed.data).get("budget")
    if budget and budget["exceeded"]:
        how = budget["difficulty"]
        drawn = f"The creatures placed on the map are worth {budget['drawn']:g} standard creatures"
        most = f"{how} allows {budget['holds']:g}"
        yield (f"{drawn}, and {most}. Each creature given by count comes once.", "warn")
    if performed.seq:
        yield [("Next: ", "dim"), ("strike next", "command")]


@plays(app, "start", "combat start", show=_map_budget_and_next_step_blocks)
def start(
    call: Call,
    encounter: Encounter,
    goal: Annotated[str, typer.Option("--goal", help="The players' goal, beyond winning.")] = "",
    party: Annotated[
        list[str] | None,
        typer.Option(
            "--party", metavar=argument_completions.COMBATANT, help="The party. Default: everybody."
        ),
        CHARACTER.for_list(),
    ] = None,
    creatures: Annotated[
        list[str] | None,
        typer.Option("--with", metavar=argument_completions.CREATURES, help="More creatures, like goblin:4."),
        WordParser(creature_counts),
    ] = None,
    difficulty: Annotated[
        str,
        typer.Option(
            "--difficulty",
            metavar=argument_completions.DIFFICULTY,
            help="easy, normal, hard or deadly: scale the creatures by count to it.",
        ),
        choice_parser(argument_completions.difficulty_words, "--difficulty", "difficulty"),
    ] = "",
) -> dict[str, object]:
    """Begin a fight on the encounter's map, with everybody at full HP.

    Creatures that are given by number, in the encounter or by --with, start on the enemy squares of the map
    or next to them.

    Example: `strike combat start ford --goal "Get the ferry across" --with goblin:4 --difficulty hard`
    """
    return {"party": must_find_named_or_all_characters(call.required_campaign, party or ())}


@plays(
    app,
    "initiative",
    "combat initiative",
    dice="a d6 for each of the party in order, then one for each other creature",
)
def initiative() -> None:
    """Roll initiative for everybody. High totals go first.

    On a tie, enemies go before the party, and tied players choose their order. The game master breaks ties
    among creatures: at a terminal you are asked, in a script the listed order holds.

    Example: `strike combat initiative --dice 4,6,2,5,3,3,3,1,2,1`
    """


@command(app, "show", kind="reads")
def show(options: Options) -> Result:
    """Show the fight: round, turn order, HP, statuses, Strikes, Miss Tokens, remaining actions.

    Example: `strike combat show`
    """
    with options.open_campaign() as campaign:
        fight = must_find_fight(campaign)
        lines: list[Block] = [(fight["name"], "title")]
        if fight.get("goal"):
            lines.append([("Goal: ", "dim"), fight["goal"]])
        lines.append(_round_and_turn_line(fight))
        lines.append(_combatants_table(campaign, fight))
        lines += _delayed_prepared_and_due_lines(fight)
        lines += _zone_lines(fight, campaign.book.locale())
        active = fight.get("active")
        if active:
            lines += remaining_action_and_all_power_lines(campaign, active)
        lines += ending_lines_if_decided(campaign, "combat")
        for item in pending_decisions_in(campaign.state).values():
            lines += open_decision_lines(item, campaign.book.locale())
        return Result("combat show", {"fight": fight}, lines, notices=campaign.notices)


def _zone_lines(fight: FightState, language: Language) -> list[Line]:
    from strike_cli.tabletop.squares_and_lines import summarize_squares
    from strike_cli.tabletop.zones import zone_effects_in_words

    lines: list[Line] = []
    for zone in fight.get("zones", {}).values():
        does = ", ".join(what for what in zone_effects_in_words(zone) if what != zone["name"].lower())
        where = summarize_squares(zone["squares"], language)
        words = f"{zone['name']}{f' ({does})' if does else ''} on {where}"
        lines.append(
            [("Zone: ", "dim"), words, (" hidden from players" if zone.get("secret") else "", "dim")]
        )
    return lines


def _round_and_turn_line(fight: FightState) -> Line:
    if not fight["round"]:
        return [("Initiative has not been rolled: ", "dim"), ("strike next", "command")]
    active = fight.get("active")
    if active:
        return [f"Round {fight['round']}, ", (fight["combatants"][active]["name"], "name"), "'s turn."]
    return [f"Round {fight['round']}. ", ("strike next", "command"), " begins the next turn."]


def _delayed_prepared_and_due_lines(fight: FightState) -> list[Line]:
    """Return lines about delayed turns, prepared actions, and damage that waits for a final action."""
    lines: list[Line] = []
    for combatant, item in fight["combatants"].items():
        if DELAYED in item:
            lines.append(
                [(item["name"], "name"), " has delayed.  ", (f"strike combat resume {combatant}", "command")]
            )
        if "prepared" in item:
            waits = f" will {item['prepared']['then']} when {item['prepared']['trigger']}.  "
            lines.append([(item["name"], "name"), waits, (f"strike combat trigger {combatant}", "command")])
    if due := fight.get("due"):
        name = fight["combatants"][due["who"]]["name"]
        lines.append([(f"{name} has one final action before {due['amount']} damage ({due['why']}).", "warn")])
    return lines


OUT_OF_FIGHT_WORDS = {"taken-out": "Taken Out", "left": "left"}
"""The words for combatants that are out of the fight."""


def _combatants_table(campaign: Campaign, fight: FightState) -> Table:
    from strike_cli.kernel.procedure import World

    world = World(campaign.book, campaign.state)
    scene = fight_as_scene_with_fog(fight)
    shorts = map_labels(scene)
    rows: list[list[Span]] = []
    for combatant in all_ids_by_turn_order_down_last(scene):
        item = fight["combatants"][combatant]
        out = item.get("out")
        rows.append(
            [
                ("▸ " if combatant == fight.get("active") else "  ") + shorts.get(combatant, ""),
                (combatant, "dim") if out else (combatant, "name" if item["side"] == "party" else "warn"),
                str(item.get(INITIATIVE, "-")),
                item.get("at", "-"),
                f"{item['hp']}/{item['max_hp']}",
                OUT_OF_FIGHT_WORDS[out]
                if out
                else ", ".join(_status_and_fog_words(world, scene, combatant)) or "-",
                str(item.get("strikes", 0) or "-"),
                str(item.get("miss_tokens", 0) or "-"),
            ]
        )
    return Table(
        [
            "",
            "Who",
            NumberHeading("Init"),
            "At",
            NumberHeading("HP"),
            "Statuses",
            NumberHeading("Strikes"),
            NumberHeading("Tokens"),
        ],
        rows,
    )


def _status_and_fog_words(world: World, scene: Scene, combatant: str) -> list[str]:
    """Return a combatant's statuses in words, with "not seen yet" if it is in fog."""
    from ..health_and_statuses import statuses_and_conditions_in_words

    return [
        *statuses_and_conditions_in_words(world, combatant),
        *(["not seen yet"] if is_hidden_by_fog_and_not_party(scene.people[combatant]) else []),
    ]


@command(app, "map", kind="reads")
def map_(
    options: Options,
    reach: Annotated[
        str,
        typer.Option(
            "--reach",
            metavar=argument_completions.COMBATANT,
            help="Show the squares that their Move Action can reach.",
        ),
    ] = "",
    path: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--path",
            metavar=argument_completions.COMBATANT_AND_SQUARE,
            help="Show the path there, and the Opportunities it provokes.",
        ),
    ] = None,
) -> Result:
    """Show the map, with everybody on it and the turn order beside it.

    --reach and --path look ahead: they move nobody. WHO may be `.` for the current turn.

    Example: `strike combat map --path vex F4`
    """
    with options.open_campaign() as campaign:
        fight = must_find_fight(campaign)
        ahead = MapPreview(campaign, reach, path) if reach or path else None
        data = {
            **(ahead.data if ahead else {}),
            "rows": fight["map"]["rows"],
            "tokens": {combatant: c["at"] for combatant, c in fight["combatants"].items() if "at" in c},
            "labels": map_labels(fight_as_scene_with_fog(fight)),
        }
        blocks: list[Block] = [fight_map_picture(fight, ahead)]
        blocks += ahead.lines if ahead else []
        return Result("combat map", data, blocks, notices=campaign.notices)


@command(app, "choose")
def choose(
    options: Options,
    answers: Annotated[list[str], typer.Argument(metavar=OPTION.with_text("OPTION..."), help="The answer.")],
) -> Result:
    """Answer the fight's open decision.

    Example: `strike combat choose damage`
    """
    return answer_open_decision(options, answers, "fight")


@plays(app, "finish", "combat finish")
def finish(
    won: Annotated[bool, typer.Option("--won", help="The players won, with enemies still standing.")] = False,
    lost: Annotated[bool, typer.Option("--lost", help="The players lost.")] = False,
) -> dict[str, object]:
    """End the fight. Strikes lead to Conditions and to the team's Concession (STR-TAC-18, 19).

    Example: `strike combat finish`
    """
    if won and lost:
        raise Usage("Choose --won or --lost, not both.")
    return {"result": "won" if won else "lost" if lost else None}


@plays(app, "abandon", "combat abandon")
def abandon() -> None:
    """End the fight with no winner and no aftermath.

    Example: `strike combat abandon`
    """
