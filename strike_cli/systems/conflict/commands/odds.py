"""`strike odds conflict`: the odds of a round, or of a whole conflict that is played by policies.

The round is the one under way, after everybody has chosen, or a round that only the typed numbers describe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.kernel.procedure import World
from strike_cli.problems import Refused, Usage
from strike_cli.refusals import NoConflict, OddsWithoutSubject
from strike_cli.terminal.command_output import Result
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.name_lookup import find_id_by_name
from strike_cli.terminal.odds_view import Row
from strike_cli.terminal.odds_view import chances_result_and_chart_file as odds_result
from strike_cli.terminal.roll_and_chart_options import Svg

from ..conflict_under_way import require_conflict
from . import argument_parsers
from .argument_parsers import (
    Weigh,
    find_prepared_conflict_id,
    parse_advance_and_defense,
    parse_rolls_of_conditions_and_flaws,
    prepared_or_typed_start_args,
)

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.absorbing_chain import EndChances
    from strike_cli.play.forecast import Outcomes

    from ..conflict_odds import ConflictEnd
    from ..data import RoundOddsKey

app = new_app()

OUTCOMES = ("win", "push", "draw", "double-tie", "lose")
_RESULT_WORDS = {"win": "We win", "lose": "We lose", "double-tie": "Double Tie"}
Policy = Annotated[
    str,
    typer.Option(
        metavar=argument_parsers.POLICY,
        help="Our policy for the whole conflict: balanced, aggressive, defensive, careful, watchful.",
    ),
]


@app.callback()
def _conflict_odds_group_callback() -> None:
    """Show the odds of a Team Conflict."""


Prepared = Annotated[
    str,
    typer.Argument(
        metavar=argument_parsers.CONFLICT.with_text("[NAME]"),
        help="With --policy: a prepared conflict, in place of the one under way.",
    ),
]


@command(app, "conflict", kind="reads")
def odds_conflict(
    options: Options,
    name: Prepared = "",
    ours: Annotated[str, typer.Option(metavar="A/D", help="A single round: our Advance and Defense.")] = "",
    theirs: Annotated[
        str, typer.Option(metavar="A/D", help="A single round: their Advance and Defense.")
    ] = "",
    policy: Policy = "",
    their_policy: Annotated[
        str, typer.Option(metavar=argument_parsers.POLICY, help="Their policy. Default: ours.")
    ] = "",
    avert: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=20, help="With --policy: the number of our losses to avert."),
    ] = 0,
    weigh: Weigh = None,
    gm: Annotated[bool, typer.Option("--gm", help="The round under way, with secret choices.")] = False,
    svg: Svg = None,
) -> Result:
    """Show the exact chances of one round, or of the whole conflict.

    --ours and --theirs: one round with these numbers; this works without a campaign, too.

    --gm: the round under way, once everybody has chosen.

    --policy: the whole conflict, from this round to its end. Each side plays by its policy; nobody prepares,
    concedes or withdraws. With --avert N our side averts its first N losses, for an Action Point each. If no
    exact solution was found, `gap` is the undecided share.

    Example: `strike odds conflict lamp-council --policy balanced --their-policy aggressive`
    """
    if policy:
        by = {"ours": policy, "theirs": their_policy or policy}
        return _whole_conflict_odds_result(options, name, by, avert, weigh, svg)
    if avert or their_policy:
        raise Usage("--avert and --their-policy are for the whole conflict.", "Give our policy: --policy.")
    from strike_cli.play.forecast import outcomes_of_move

    if gm:
        with options.open_campaign() as campaign:
            world = World(campaign.book, campaign.state)
            found = outcomes_of_move(
                world, "conflict roll", {"weigh": parse_rolls_of_conditions_and_flaws(weigh or ())}
            )
            return _round_odds_result(
                {"conflict": require_conflict(world, may_have_ended=True)["name"]}, found, svg
            )
    if not ours or not theirs:
        raise OddsWithoutSubject(
            "`--ours A/D --theirs A/D`: a single round; `--gm`: this round; `--policy`: the whole conflict."
        )
    args = {
        "ours": parse_advance_and_defense(ours, "--ours"),
        "theirs": parse_advance_and_defense(theirs, "--theirs"),
    }
    with options.open_campaign_if_any() or nullcontext() as campaign:
        world = World(campaign.book, campaign.state) if campaign else World(None)
        return _round_odds_result(args, outcomes_of_move(world, "conflict round", args), svg)


# --- a round


def _round_odds_result(args: Mapping[str, object], outcomes: Outcomes, svg: str | None) -> Result:
    found = cast("Sequence[tuple[RoundOddsKey, Fraction]]", outcomes)
    rows: list[Row] = [
        ({**key, "hits": list(key["hits"])}, _round_outcome_words(key["outcome"], key["hits"]), chance)
        for key, chance in sorted(found, key=_round_odds_sort_key)
    ]
    return odds_result("odds conflict", args, rows, svg, outcomes.plays)


def _round_odds_sort_key(row: tuple[RoundOddsKey, Fraction]) -> tuple[int, bool, tuple[str, ...]]:
    key, _ = row
    return OUTCOMES.index(key["outcome"]), "ours" in key["hits"], key["hits"]


def _round_outcome_words(outcome: str, hits: tuple[str, ...]) -> str:
    person = {"ours": "us", "theirs": "them"}
    parts = [
        f"{'a Hit' if count == 1 else f'{count} Hits'} on {person[side]}"
        for side, count in Counter(hits).items()
    ]
    return ", ".join([outcome.capitalize().replace("-", " "), *([" and ".join(parts)] if parts else [])])


# --- the whole conflict


def _whole_conflict_odds_result(
    options: Options,
    name: str,
    typed: Mapping[str, str],
    averts: int,
    weigh: list[str] | None,
    svg: str | None,
) -> Result:
    from ..conflict_odds import (
        count_losses_our_points_can_avert,
        odds_by_policies_from_round_start,
        policies_by_name,
    )

    known = {name: name for name in policies_by_name()}
    by = {side: find_id_by_name(word, known, "policy", "") for side, word in typed.items()}
    with options.open_campaign() as campaign:
        world = World(campaign.book, campaign.state)
        if name:
            _replace_with_prepared_conflict(campaign, world, name)
        if not world.get("conflict"):
            raise NoConflict("Name a prepared one: `strike odds conflict NAME --policy balanced`.")
        if world.get("conflict.ended"):
            raise Refused("It is over.", "`strike conflict end` brings the aftermath.")
        if averts > (most := count_losses_our_points_can_avert(world)):
            raise Refused(f"The team has the Action Points to avert {most}.", f"--avert {most} at most.")
        found = odds_by_policies_from_round_start(
            world, **by, weigh=parse_rolls_of_conditions_and_flaws(weigh or ())["default"], averts=averts
        )
        shown = {"conflict": world.get("conflict.name"), **by, "averts": averts}
        shown["played_by"] = [policies_by_name()[by[side]] for side in by]
        return _end_chances_result(shown, found, svg)


def _replace_with_prepared_conflict(campaign: Campaign, world: World, name: str) -> None:
    """Start a prepared conflict in `world`. It replaces a conflict that is already there.

    Raises Usage if no conflict with this name is prepared.
    """
    from strike_cli.kernel.driver import play_until_open_decision
    from strike_cli.kernel.exact_odds import first_option
    from strike_cli.play.playable_moves_and_time_limit import find_move

    if not find_prepared_conflict_id(campaign.book, name):
        raise Usage(
            f"No conflict {name!r} is prepared.", "`[conflicts]` in campaign.toml lists the prepared ones."
        )
    args = prepared_or_typed_start_args(campaign.book, name, {})
    world.state = {what: item for what, item in world.state.items() if what != "conflict"}
    play_until_open_decision(
        find_move("conflict start").start(world, args), world, lambda roll: [1] * roll.n, first_option
    )


def _end_chances_result(
    about: Mapping[str, object], chances: EndChances[ConflictEnd], svg: str | None
) -> Result:
    rows = [
        (
            end._asdict() | {"outcome": end.result, "concessions": list(end.concessions)},
            _end_and_aftermath_words(end),
            chance,
        )
        for end, chance in sorted(
            chances.chances.items(), key=lambda item: _end_and_aftermath_sort_key(item[0])
        )
    ]
    if chances.gap:
        rows.append(({"outcome": "undecided"}, "Undecided", chances.gap))
    result = odds_result("odds conflict", about, rows, svg)
    total = {
        key: sum((chance for end, chance in chances.chances.items() if end.result == key), Fraction())
        for key in _RESULT_WORDS
    }
    gap = float(chances.gap)
    result.data |= {"win": float(total["win"]), "gap": gap, "rounds": float(chances.rounds)}
    result.data["states"] = chances.states
    words = ", ".join(f"{text.lower()} {float(total[key]) * 100:.1f}%" for key, text in _RESULT_WORDS.items())
    result.blocks.append(
        f"Us {about['ours']}, them {about['theirs']}: {words};"
        f" {float(chances.rounds):.1f} rounds more on average."
    )
    result.blocks.append(("Concessions owed; Conditions taken, per member.", "dim"))
    exact = "Exact." if not gap else f"Each is a lower bound: {gap * 100:.3f}% was not followed to its end."
    averts = about["averts"]
    first = "our first loss is" if averts == 1 else f"our first {averts} losses are"
    averted = f"{first[0].upper()}{first[1:]} averted. Nobody" if averts else "Nobody averts,"
    result.blocks.append((f"{exact} {averted} concedes, withdraws or prepares.", "dim"))
    return result


_SEVERITIES = ("", "minor", "major")


def _end_and_aftermath_sort_key(end: ConflictEnd) -> tuple[int, ...]:
    owed = [_SEVERITIES.index(one) for one in end.concessions]
    taken = [_SEVERITIES.index(one) for one in (end.ours, end.theirs)]
    return OUTCOMES.index(end.result), end.close, sum(owed), *taken


def _end_and_aftermath_words(end: ConflictEnd) -> str:
    """Return one possible end of a conflict in words, such as `We win, owe Major, take Minor`.

    In this example, our side owes a Major Concession, and each of us takes a Minor Condition.
    """
    parts = [_RESULT_WORDS[end.result]]
    parts += ["losers choose"] if end.close else []
    parts += [f"owe {' + '.join(one.capitalize() for one in end.concessions)}"] if end.concessions else []
    parts += [f"take {end.ours.capitalize()}"] if end.ours else []
    parts += [f"they take {end.theirs.capitalize()}"] if end.theirs else []
    return ", ".join(parts)
