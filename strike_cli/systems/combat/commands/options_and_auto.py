"""The options of the creature whose turn it is, with odds; and a bot that plays them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import Refused, pluralize
from strike_cli.terminal.argument_completions import choice_metavar
from strike_cli.terminal.command_output import (
    Block,
    NumberHeading,
    Result,
    Span,
    Table,
    fact_and_reason_lines,
    print_result,
    question_lines,
)
from strike_cli.terminal.commands_and_options import Options, command
from strike_cli.terminal.move_commands import apply_trial_in_memory, play_move
from strike_cli.terminal.odds_view import estimate_as_json
from strike_cli.terminal.scene_ending_hint import ending_line

from ..board.move import MoveAction
from . import app, argument_completions
from .argument_parsers import find_combatant, must_find_fight

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.procedure import Choose, World
    from strike_cli.play.command_execution import PerformedCommand
    from strike_cli.play.legal_options import Option
    from strike_cli.sim.bot_players import Player

    from ..bots.outcome_forecast import ExpectedOutcome
    from ..data import PlayedMove

MaybeWho = Annotated[
    str,
    typer.Argument(
        metavar=argument_completions.COMBATANT.with_text("[WHO]"),
        help="The actor. Default: the current or next turn's.",
    ),
]


COMMANDS_OF_IDLE_TURN = 2
"""How many commands a turn without any action has: its beginning and its end."""
IDLE_ROUNDS = 3
"""After how many rounds without any action the bot stops. They don't prove a stalemate."""
ATTACKS = ("combat attack", "combat charge")


@command(app, "options", kind="reads")
def options_(
    options: Options,
    who: MaybeWho = "",
    moves: Annotated[bool, typer.Option("--moves", help="List every square in reach, too.")] = False,
) -> Result:
    """List the legal actions: the command, its chance to hit, its average damage, the enemies it provokes.

    The odds are exact unless "about" marks an estimate. They assume that glancing hits deal damage, and that
    Miss Tokens are spent to turn a miss into a hit. If a power can be aimed in very many ways, only the
    likeliest are listed. Between turns, the list without WHO is for the next creature in turn order.

    Example: `strike combat options`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.play.legal_options import ending_option_if_decided
    from strike_cli.registry import load_known_system

    from ..bots.legal_options import count_unlisted_aims, legal_actions_worth_listing
    from ..bots.outcome_forecast import with_turn_begun

    with options.open_campaign() as campaign:
        chosen = find_combatant(campaign, who) if who else current_or_next_combatant(campaign)
        world = with_turn_begun(World(campaign.book, campaign.state), chosen)
        found = legal_actions_worth_listing(world, chosen)
        asked = [one for one in found if moves or one.command != "combat move"]
        shown, unweighed = _forecast_legal_within_budget(world, asked)
        more = Counter(count_unlisted_aims(world, chosen)) + Counter(
            _power_or_command_of(one) for one in unweighed
        )
        names = {key: item["name"] for key, item in must_find_fight(campaign)["combatants"].items()}
        ways = [one.given(MoveAction) for one in found if one.command == "combat move"]
        ending = ending_option_if_decided(load_known_system("combat"), World(campaign.book, campaign.state))
        ends = [{"typed": str(ending), "command": ending.command, "args": {}}] if ending else []
        data = {
            "who": chosen,
            "options": [*ends, *(_option_data(one, what) for one, what in shown)],
            "moves": [way.to for way in ways],
            **({"moves_trade": True} if any(way.trade for way in ways) else {}),
            **({"left_out": dict(more)} if more else {}),
        }
        blocks: list[Block] = [ending_line(ending.command)] if ending else []
        blocks += _option_blocks(names, chosen, found, shown, moves) + _unlisted_lines(more)
        return Result("combat options", data, blocks, notices=campaign.notices)


def current_or_next_combatant(campaign: Campaign) -> str:
    """Return the id of the creature whose turn it is or, between turns, of the next creature in turn order.

    Raises Refused if initiative hasn't been rolled, or if nobody is left.
    """
    from strike_cli.kernel.procedure import World

    from ..fight_state import Fight

    fight = Fight(World(campaign.book, campaign.state))
    fight.must_have_initiative()
    return str(fight.data.get("active") or fight.next_combatant())


def _forecast_legal_within_budget(
    world: World, candidates: Iterable[Option]
) -> tuple[list[tuple[Option, ExpectedOutcome]], list[Option]]:
    """Return the legal options with their expected outcomes, and the options too costly to compute.

    The computation has a limited budget. Options with few attack rolls are computed first. If an option turns
    out illegal, it is left out. Options for which the budget isn't enough are returned unchecked.
    """
    from ..bots.outcome_forecast import (
        MOST_WORK,
        WorkBudget,
        expected_outcome_within_effort,
        targets_rolled_against,
    )

    options = list(candidates)
    rolls = [len(targets_rolled_against(world, option)) for option in options]
    effort = WorkBudget(world, MOST_WORK // 2)
    expected: dict[int, ExpectedOutcome] = {}
    unweighed = []
    # Options with many rolls come last, since there may be no effort left for them.
    for number in sorted(range(len(options)), key=rolls.__getitem__):
        with suppress(Refused):
            what = expected_outcome_within_effort(world, options[number], effort=effort)
            if what is None:
                unweighed.append(options[number])
            else:
                expected[number] = what
    return [(options[number], expected[number]) for number in sorted(expected)], unweighed


def _power_or_command_of(option: Option) -> str:
    """Return the name of the power that an option uses, as typed, or else the option's command word."""
    typed = option.typed
    if "--power" in typed:
        return typed[typed.index("--power") + 1]
    return typed[2] if typed[0] == "use" else typed[0]


def _unlisted_lines(counts_by_name: Mapping[str, int]) -> list[Block]:
    told = ", ".join(f"{name} {count}" for name, count in counts_by_name.items())
    if not told:
        return []
    return [
        [(f"Also possible: {told}. ", "dim"), ("strike odds attack", "command"), (" gives the odds.", "dim")]
    ]


def _option_data(option: Option, prospect: ExpectedOutcome) -> dict[str, object]:
    args = option.args.in_full()
    found: dict[str, object] = {"typed": str(option), "command": option.command, "args": args}
    if option.command in ATTACKS:
        found |= {
            "hit": str(prospect.hit),
            "p_hit": round(float(prospect.hit), 4),
            "expected_damage": str(prospect.damage),
            "taken_out": str(prospect.taken_out),
        }
    found |= estimate_as_json(prospect.plays)
    found |= {"provokes": list(prospect.provokes), "expected_harm": str(prospect.own_damage)}
    return found | (
        {"bears": [list(item) for item in prospect.side_with_modifiers]} if option.command in ATTACKS else {}
    )


def _option_blocks(
    names: Mapping[str, str],
    combatant: str,
    options: Iterable[Option],
    shown: Iterable[tuple[Option, ExpectedOutcome]],
    lists_moves: bool,
) -> list[Block]:
    attacks = [(one, what) for one, what in shown if one.command in ATTACKS]
    others = [(one, what) for one, what in shown if one.command not in ATTACKS]
    blocks: list[Block] = [[(f"Options of {names[combatant]}", "title")]]
    if attacks:
        attacks.sort(key=lambda item: (-item[1].damage, item[1].own_damage, item[0].typed))
        rows: list[list[Span]] = [
            [
                (str(one), "command"),
                f"{_about_word_if_estimate(what)}{float(what.hit) * 100:.0f}%",
                f"{_about_word_if_estimate(what)}{float(what.damage):.1f}",
                f"{_about_word_if_estimate(what)}{float(what.taken_out) * 100:.0f}%"
                if what.taken_out
                else "",
                _expected_own_damage_words(what),
                _provoked_names(names, what),
                _attack_roll_reason_words(what),
            ]
            for one, what in attacks
        ]
        headings = [
            "combat ...",
            NumberHeading("Hit"),
            NumberHeading("Damage"),
            NumberHeading("Takes Out"),
            NumberHeading("Costs"),
            "Provokes",
            "Because",
        ]
        blocks.append(_table_without_empty_columns(headings, rows, columns_always_kept=4))
    if others:
        rows = [
            [(str(one), "command"), _expected_own_damage_words(what), _provoked_names(names, what)]
            for one, what in others
        ]
        blocks.append(
            _table_without_empty_columns(
                ["combat ...", NumberHeading("Costs"), "Provokes"], rows, columns_always_kept=1
            )
        )
    reach = {one.given(MoveAction).to for one in options if one.command == "combat move"}
    if reach and not lists_moves:
        how_many = f"{pluralize(len(reach), 'square')} to move to: "
        blocks.append([(how_many, "dim"), (f"strike combat map --reach {combatant}", "command")])
    return blocks


def _table_without_empty_columns(
    headings: list[str], rows: list[list[Span]], columns_always_kept: int
) -> Table:
    """Return a table without its empty columns, except the first `columns_always_kept` ones."""
    full = [n for n in range(len(headings)) if n < columns_always_kept or any(row[n] for row in rows)]
    return Table([headings[n] for n in full], [[row[n] for n in full] for row in rows])


def _about_word_if_estimate(prospect: ExpectedOutcome) -> str:
    return "about " if prospect.plays else ""


def _expected_own_damage_words(prospect: ExpectedOutcome) -> str:
    return (
        f"{_about_word_if_estimate(prospect)}{float(prospect.own_damage):.1f}" if prospect.own_damage else ""
    )


def _attack_roll_reason_words(prospect: ExpectedOutcome) -> str:
    """Return the reasons and modifiers of an expected attack roll in words, such as `+1: REASON`."""
    effects = (kind if isinstance(kind, str) else f"{kind:+d}" for kind, _ in prospect.side_with_modifiers)
    return "; ".join(
        f"{kind}: {reason}" for kind, (_, reason) in zip(effects, prospect.side_with_modifiers, strict=True)
    )


def _provoked_names(names: Mapping[str, str], prospect: ExpectedOutcome) -> str:
    return ", ".join(names[taker] for taker in prospect.provokes)


@command(app, "auto", kind="writes")
def auto(
    options: Options,
    who: MaybeWho = "",
    until_player: Annotated[
        bool, typer.Option("--until-player", help="Go on until it is a player's turn.")
    ] = False,
    whole: Annotated[
        bool, typer.Option("--fight", help="Play the whole fight, including the players' characters.")
    ] = False,
    bot: Annotated[
        str,
        typer.Option("--bot", metavar=choice_metavar("quick", "good", "full"), help="The bot, as in `sim`."),
    ] = "full",
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="The seed of its dice.")] = None,
) -> Result:
    """Let a bot play a turn: its side's best actions and moves, then the end of the turn.

    Each action is recorded as if you had typed it; `strike undo N` takes back the last N. If a player must
    decide, the bot waits; repeat the command to go on. With physical dice, play the lines of `combat options`
    instead. The bot plays a player character's turn only if you name the character, or with --fight.

    Example: `strike combat auto goblin-1`
    """
    from strike_cli.registry import load_known_system
    from strike_cli.sim.bot_players import find_player

    with options.open_campaign(writing=True) as campaign:
        player = find_player(bot, load_known_system("combat"))
        playing = _BotRun(options, campaign, whole, player, seed)
        if whole:
            playing.play_turns_while(lambda up: True)
        elif until_player:
            playing.play_turns_while(lambda up: not playing.has_player_as_decider(up))
        else:
            playing.play_turn_or_its_rest(
                find_combatant(campaign, who) if who else _require_game_masters_creature(campaign, playing)
            )
        return playing.result()


def _require_game_masters_creature(campaign: Campaign, playing: _BotRun) -> str:
    """Return the creature whose turn it is, provided that the game master plays it.

    Raises Refused if a player plays it: a bot plays a player's creature only if it is named.
    """
    combatant = current_or_next_combatant(campaign)
    if playing.has_player_as_decider(combatant):
        name = must_find_fight(campaign)["combatants"][combatant]["name"]
        raise Refused(
            f"It is {name}'s turn, which is a player's.",
            f"`strike combat auto {combatant}` plays it anyway; `--until-player` stops before it.",
        )
    return combatant


class _BotRun:
    """A run of `combat auto`: the commands that a bot plays, and the blocks that show them."""

    def __init__(
        self, options: Options, campaign: Campaign, everybody: bool, player: Player, seed: int | None
    ) -> None:
        self.options = options
        options.skips_confirmation = True
        self.options.seed = seed  # together with a command's number it gives new dice
        self.player = player
        self.campaign = campaign
        self.everybody = everybody
        self.blocks: list[Block] = []
        self.facts: list[Mapping[str, object]] = []
        self.played: list[PlayedMove] = []
        self.pending: Choose | None = None
        self.option: Option | None = None
        """The option that is being played."""

    @property
    def world(self) -> World:
        from strike_cli.kernel.procedure import World

        return World(self.campaign.book, self.campaign.state)

    def has_player_as_decider(self, combatant: str) -> bool:
        """Return whether a player decides for a combatant in its turn."""
        from ..fight_state import GAME_MASTER, Fight

        fight = Fight(self.world)
        decider = fight.decider(combatant)
        return decider != GAME_MASTER and fight.is_player(decider)

    def play_turns_while(self, wanted: Callable[[str], bool]) -> None:
        """Play turn after turn as long as `wanted` is true for the combatant whose turn is next.

        A player's decision or the end of the fight also stops it. So does a series of rounds in which nobody
        acts, since walls may keep the sides apart.
        """
        idle = 0
        while not self._is_stopped_by_decision_or_end() and wanted(current_or_next_combatant(self.campaign)):
            before = len(self.played)
            self.play_turn_or_its_rest(current_or_next_combatant(self.campaign))
            idle = idle + 1 if len(self.played) - before <= COMMANDS_OF_IDLE_TURN else 0
            if idle > IDLE_ROUNDS * len(must_find_fight(self.campaign)["combatants"]):
                text = f"The bot found nothing to do for anybody in {IDLE_ROUNDS} rounds: over to you."
                self.blocks.append((text, "warn"))
                return

    def play_turn_or_its_rest(self, combatant: str) -> None:
        """Play a combatant's turn, or the rest of it. Raises Refused if it is another's turn."""
        from ..bots.legal_options import TURN
        from ..fight_state import Fight

        fight = Fight(self.world)
        if fight.data["round"] and not fight.data.get("active") and fight.next_combatant() == combatant:
            self._play_and_show_option(TURN)
        elif fight.data.get("active") != combatant:
            fight.must_be_active(combatant)
        while (
            not self._is_stopped_by_decision_or_end()
            and must_find_fight(self.campaign).get("active") == combatant
        ):
            option = self.player.choose_command(self.world, combatant)
            assert option is not None
            self._play_and_show_option(option)

    def _is_stopped_by_decision_or_end(self) -> bool:
        from ..fight_state import Fight

        return bool(self.pending) or Fight(self.world).fight_outcome() is not None

    def _play_and_show_option(self, option: Option) -> None:
        self.option = option
        performed = play_move(
            self.options, self.campaign, option.command, option.args, decide=self._decide_or_leave_to_player
        )
        if self.options.dry_run and not performed.pending:
            apply_trial_in_memory(self.campaign, performed)
        args = option.args.in_full()
        self.played.append(
            {"command": option.command, "args": args, "seq": performed.seq, "data": performed.data}
        )
        self.facts += performed.facts
        self.pending = performed.pending
        facts = performed.facts[performed.shown :]
        self.blocks += fact_and_reason_lines(fact for fact in facts if fact["kind"] != "turn-ended")
        if not self.options.json and not self.options.invocation.has_result_handler:
            # Shown at once, so that a person who is asked for dice next knows their purpose.
            with suppress(OSError):  # the final report says what was recorded
                at_once = Result("combat auto", None, self.blocks)
                print_result(
                    at_once, plain=self.options.plain, command_form=self.options.invocation.command_form
                )
                self.blocks.clear()

    def _decide_or_leave_to_player(self, performed: PerformedCommand) -> str | None:
        from strike_cli.play.decision_weighing import CommandUnderway

        from ..fight_state import Fight

        fight, question = Fight(self.world), performed.asked
        assert question
        assert self.option
        theirs = question.who in fight.data["combatants"] and fight.is_player(question.who)
        if theirs and not self.everybody:
            return None
        answers = [answer for _, answer in performed.answers]
        return self.player.decide(self.world, question, CommandUnderway(self.world, self.option, answers))

    def result(self) -> Result:
        """Return one result for all commands that were played, with the open question or what comes next."""
        blocks = list(self.blocks)
        decided = None
        if self.pending:
            blocks += question_lines(self.pending)
        else:
            from ..fight_state import Fight

            fight = Fight(self.world)
            decided = fight.fight_outcome()
            active = fight.data.get("active")
            told = (
                f"It is {fight.name(active)}'s turn: "
                if active
                else f"Next: {fight.name(current_or_next_combatant(self.campaign))}  "
            )
            then = "combat finish" if decided else "combat options" if active else "next"
            blocks.append([("Next: " if decided else told, "dim"), (f"strike {then}", "command")])
        return Result(
            "combat auto",
            {"played": self.played, "decided": decided},
            blocks,
            facts=self.facts,
            seq=self.played[-1]["seq"] if self.played else None,
            pending=self.pending,
            notices=self.campaign.notices,
        )
