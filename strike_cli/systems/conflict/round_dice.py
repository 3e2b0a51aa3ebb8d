"""The dice of a round and their result, for any two sides (STR-TC-04, 05, 08)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.procedure import Args, Procedure, Roll, World
from strike_cli.tabletop.characters_and_names import slug
from strike_cli.tabletop.dice import Modifier, Rolled, Source, mode_of, roll_die

from .facts import ConflictRolled, ConflictRound, OwnNumber
from .rule_numbers import ROLLS, SIDES, numbers

if TYPE_CHECKING:
    from .data import ConflictBareRoundData, ContestData, ContestRow, ContestSide, DoubleTieData, RoundOddsKey

PUSH_OR_DRAW = "push-or-draw"
_SINGLE_TIE_RESULTS = {"tie-is-success": "win", "tie-is-failure": "lose"}


class RoundSide(NamedTuple):
    """What affects a side's two rolls in a round. Each mapping has the rolls as its keys.

    `modifiers` has the modifiers of a roll, and `reasons` the reasons for Disadvantage on it. `scouted` has
    the die if the other side has scouted it.
    """

    name: str
    modifiers: Mapping[str, Sequence[Modifier]]
    reasons: Mapping[str, Sequence[Source]]
    scouted: Mapping[str, int]


Rolls = dict[str, dict[str, Rolled]]


class BareModifiers(NamedTuple):
    """The modifiers of a side's two rolls in a round outside any conflict."""

    advance: int
    defense: int


class BareConflictRound(Args):
    """The arguments of `conflict round`: the modifiers of each side's rolls."""

    ours: BareModifiers
    theirs: BareModifiers
    RETIRED = ("who",)


class Verdict(NamedTuple):
    """The outcome of a round and its margins, without the dice that led to them.

    All consequences of the round follow from this.
    """

    outcome: str
    counts_as: Mapping[str, str]
    margins: Mapping[str, int]
    """The margin of each side: that of its Advance if it pushes, else that of its Defense."""

    @property
    def sides_taking_hit(self) -> tuple[str, ...]:
        """The sides that take a Hit by the outcome (STR-TC-05)."""
        row = _outcome_rule_for_comparisons(self.counts_as)
        return tuple(row["hits"])

    @property
    def conflict_loser(self) -> str:
        """The side that loses the conflict by this result, "" for none."""
        return {"lose": "ours", "win": "theirs"}.get(self.outcome, "")

    def pushes(self, side: str) -> bool:
        """Return whether a side makes the Push.

        It does if the outcome is a Push and the side's own Advance won.
        """
        return self.outcome == "push" and self.counts_as[side] == "win"

    def is_draw_or_own_push(self, side: str, when: str) -> bool:
        """Return whether the round is what `when` says: a Draw ("draw"), or a Push by `side` ("push")."""
        return self.pushes(side) if when == "push" else self.outcome == when


class Contest(NamedTuple):
    """The dice of a round, and their result.

    `comparison` says for each side whether its Advance wins, loses or ties, by the totals alone. `counts_as`
    says the same after traits and house rules have changed it.
    """

    rolls: Rolls
    comparison: dict[str, str]
    counts_as: dict[str, str]
    outcome: str
    hits: tuple[str, ...]

    def verdict(self) -> Verdict:
        """Return the round's verdict: the outcome and the margins, without the dice."""
        margins: dict[str, int] = {}
        verdict = Verdict(self.outcome, self.counts_as, margins)
        for side, other in (SIDES, SIDES[::-1]):
            own, against = ROLLS if verdict.pushes(side) else ROLLS[::-1]
            margins[side] = self.rolls[side][own].total - self.rolls[other][against].total
        return verdict

    def as_data(self) -> ContestData:
        """Return the part of a command's data that describes the round."""
        return {
            "ours": _side_dice_data(self.rolls["ours"]),
            "theirs": _side_dice_data(self.rolls["theirs"]),
            "comparison": self.comparison,
            "counts_as": self.counts_as,
            "outcome": self.outcome,
            "hits": list(self.hits),
        }


def _side_dice_data(rolls: Mapping[str, Rolled]) -> ContestSide:
    advance, defense = (rolls[which] for which in ROLLS)
    return {
        "advance": advance.total,
        "advance_bonus": advance.total - advance.kept,
        "advance_roll": advance.as_json(),
        "defense": defense.total,
        "defense_bonus": defense.total - defense.kept,
        "defense_roll": defense.as_json(),
    }


def roll_or_use_scouted_dice_of_sides(sides: Mapping[str, RoundSide]) -> Procedure[Rolls]:
    """Roll both sides' Advance and Defense, with modifiers; a scouted die is not rolled again."""
    found: Rolls = {}
    for key in SIDES:
        side = sides[key]
        found[key] = {}
        for which in ROLLS:
            reasons, modifiers = side.reasons.get(which, ()), side.modifiers.get(which, ())
            if which in side.scouted:
                faces = [side.scouted[which]]
                roll = Rolled(side.name, which, faces, mode_of(()), (), modifiers)
            else:
                roll = yield from roll_die(side.name, which, reasons, modifiers)
            found[key][which] = roll
    return found


def compare_rolls(rolls: Rolls, single_tie: str = PUSH_OR_DRAW, tie_winners: Collection[str] = ()) -> Contest:
    """Compare each side's Advance with the other side's Defense, and return the result (STR-TC-04, 05).

    These rules are tried in order:

    1. If exactly one side has a total of 0 or less, this side loses both comparisons.
    2. If exactly one side is in `tie_winners`, this side wins ties.
    3. If exactly one comparison is a tie, the house rule `single_tie` says what the tie counts as.
    """
    ours, theirs = rolls["ours"], rolls["theirs"]
    comparison = {
        "ours": _compare_sums(ours["advance"].total, theirs["defense"].total),
        "theirs": _compare_sums(theirs["advance"].total, ours["defense"].total),
    }
    down = [side for side in SIDES if min(rolls[side][which].total for which in ROLLS) <= 0]
    counts_as = dict(comparison)
    if len(down) == 1:
        counts_as = comparison = {side: "lose" if side in down else "win" for side in SIDES}
    elif len(tie_winners) == 1:
        counts_as = {
            side: ("win" if side in tie_winners else "lose") if it == "tie" else it
            for side, it in comparison.items()
        }
    elif list(comparison.values()).count("tie") == 1:
        counts_as = {
            side: _SINGLE_TIE_RESULTS.get(single_tie, it) if it == "tie" else it
            for side, it in comparison.items()
        }
    row = _outcome_rule_for_comparisons(counts_as)
    return Contest(rolls, comparison, counts_as, row["outcome"], tuple(row["hits"]))


def _compare_sums(advance: int, defense: int) -> str:
    return "win" if advance > defense else "lose" if advance < defense else "tie"


def roll_double_tie_event(death: bool, swapped: Mapping[str, str] | None = None) -> Procedure[DoubleTieData]:
    """Roll a die for the event that a double tie causes, and return the roll with the event (STR-TC-08).

    If `death` is False, another event replaces the deadly one. `swapped` has events that the game master has
    put in place of the usual ones, by the face of the die.
    """
    table = cast("Mapping[str, str]", numbers()["double_tie"])
    faces = yield Roll(1, 6, "double tie", "")
    (face,) = map(str, faces)
    event = (swapped or {}).get(face) or str(table[face])
    if event == table["deadly"] and not death:
        event = str(table["swaps"][0])
    roll = Rolled("", "double tie", faces)
    return {"roll": roll.as_json(), "event": event, "swaps": list(table["swaps"])}


def house_rule_lets_double_tie_kill(world: World, announced: bool) -> bool:
    """Return whether a double tie may kill somebody, by the house rule `conflict_death` (STR-TC-08)."""
    house = "never" if world.book is None else world.book.house["conflict_death"]
    return bool(house == "possible" or (house == "announced" and announced))


def single_tie_rule(world: World) -> str:
    """Return the value of the house rule `conflict_single_tie` (STR-TC-05); PUSH_OR_DRAW without a book."""
    return PUSH_OR_DRAW if world.book is None else str(world.book.house["conflict_single_tie"])


def play_bare_round(world: World, args: BareConflictRound) -> Procedure[ConflictBareRoundData]:
    """Play `conflict round`: roll one round from typed numbers.

    The state doesn't change. No conflict has to be under way.
    """
    sides = {
        "ours": _side_from_numbers("ours", args.ours),
        "theirs": _side_from_numbers("theirs", args.theirs),
    }
    contest = compare_rolls((yield from roll_or_use_scouted_dice_of_sides(sides)), single_tie_rule(world))
    tied = None
    if contest.outcome == "double-tie":
        tied = yield from roll_double_tie_event(house_rule_lets_double_tie_kill(world, False))
    yield from report_round(world, contest, tied, bare=True)
    return {
        **contest.as_data(),
        "double_tie": tied,
        "strikes": {side: contest.hits.count(side) for side in SIDES},
        "ended": contest.outcome in ("win", "lose", "double-tie"),
        "aftermath": None,
    }


def _side_from_numbers(name: str, values: BareModifiers) -> RoundSide:
    given = ((which, value) for which, value in values._asdict().items() if value)
    return RoundSide(name, {which: [Modifier(value, OwnNumber(which))] for which, value in given}, {}, {})


def odds_key(data: ContestData) -> RoundOddsKey:
    """Return the values by which `strike odds` tells the results of a round apart.

    These are the outcome, and the sides that take Hits.
    """
    return {"outcome": data["outcome"], "hits": tuple(data["hits"])}


def report_round(
    world: World,
    contest: Contest,
    double_tie: Mapping[str, object] | None,
    loss_saving_trait: str = "",
    *,
    bare: bool = False,
) -> Procedure[None]:
    """Report each side's dice, then the outcome.

    `double_tie` is the data of a double tie's event, None if there is no double tie. `loss_saving_trait` is
    the trait that saves the losers from losing the conflict, "" if there is none. In a `bare` round, outside
    any conflict, the sides have no names.
    """
    for side in SIDES:
        rolls = contest.rolls[side]
        yield world.tell(ConflictRolled(side, rolls["advance"], rolls["defense"], side, bare))
    loser = contest.verdict().conflict_loser
    fact = ConflictRound(
        contest.outcome,
        contest.comparison,
        contest.hits,
        loss_saving_trait,
        loser,
        {"ours": "theirs", "theirs": "ours"}.get(loser, ""),
        slug(double_tie["event"]) if double_tie else "",
        bare,
    )
    yield world.tell(fact)


def _outcome_rule_for_comparisons(counts_as: Mapping[str, str]) -> ContestRow:
    table = cast("Mapping[str, Mapping[str, ContestRow]]", numbers()["outcome"])
    return table[counts_as["ours"]][counts_as["theirs"]]
