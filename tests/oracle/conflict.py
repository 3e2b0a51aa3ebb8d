"""A round of a Team Conflict, as the rules put it. Nothing here knows the program.

`Side`s carry what lasts from round to round. `play_round` changes them and says what came of the round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from .core import MAJOR, MINOR, Person, Rolled, Weight, roll
from .dice import Decisions, Dice


class Action(NamedTuple):
    """STR-TC-02: what an action adds, and whether anybody may take it without a Skill."""

    advance: int = 0
    defense: int = 0
    basic: bool = False


# STR-TC-02 and, for Obscure, 03
ACTIONS = {
    "progress": Action(2, 0, basic=True),
    "reckless-effort": Action(3, 0, basic=True),
    "block": Action(0, 2, basic=True),
    "take-one-for-the-team": Action(0, 3, basic=True),
    "all-out-effort": Action(3, -1),
    "calculated-risk": Action(3, 0),
    "win-at-all-costs": Action(4, 0),
    "targeted-effort": Action(2, 0),
    "total-defense": Action(-1, 3),
    "prepare": Action(-1, 2),
    "observe": Action(1, 1),
    "obscure": Action(1, 1),
    "recover": Action(0, 1),
    "pass": Action(basic=True),
}
# STR-TC-08
DOUBLE_TIE = {
    6: "Love",
    5: "Astounding Discovery",
    4: "Third Power Enters/Is Born",
    3: "Natural Disaster",
    2: "Horrifying Act of Evil",
    1: "Death",
}

# STR-TC-16: traits that are a number, on (Advance, Defense), from the start or more at each round's end.
STEADY = {"Aggressive": (1, 0), "Defensive": (0, 1)}
GROWING = {"Increasing Power": (1, 0), "Increasing Defense": (0, 1)}


@dataclass
class Chosen:
    """What somebody does this round. `recover` and `next_roll` are for Recover and Obscure."""

    who: str
    action: str
    recover: str = "strike"
    next_roll: str = "advance"
    secondary: str = ""  # STR-TC-13: the roll that has +1 all the same


@dataclass
class Side:
    """One side: its numbers, Strikes, traits, and what it carries into the next round."""

    name: str
    members: list[Person] = field(default_factory=list)  # none for an opposition
    advance: int = 0
    defense: int = 0
    traits: list[str] = field(default_factory=list)  # the active ones
    lost: list[str] = field(default_factory=list)
    strikes: int = 0
    irremovable: int = 0
    fortified: int = 0  # Hits ignored so far
    carried: dict[str, int] = field(default_factory=lambda: {"advance": 0, "defense": 0})
    grown: dict[str, int] = field(default_factory=lambda: {"advance": 0, "defense": 0})
    may_scout: int = 0
    scouted: dict[str, int] = field(default_factory=dict)  # own dice that the enemy has seen already
    sacrificed: set[str] = field(default_factory=set)  # who took one for the team

    def has(self, trait: str) -> bool:
        return trait in self.traits

    def removable(self, enemy: Side) -> bool:
        """STR-TC-02, 16: whether there is a Strike that can be removed."""
        return self.strikes > self.irremovable and not enemy.has("Final")


class Told(NamedTuple):
    """What a round came to. Success, tie or failure of each side's Advance as it counted."""

    bonuses: tuple[tuple[int, int], tuple[int, int]]
    rolled: tuple[tuple[Rolled, Rolled], tuple[Rolled, Rolled]]
    totals: tuple[tuple[int, int], tuple[int, int]]
    comparison: tuple[str, str]
    counted: tuple[str, str]
    outcome: str
    hits: list[str]
    event: str
    ended: bool
    aftermath: Aftermath | None


class Aftermath(NamedTuple):
    """STR-TC-09: how severe a Condition each side takes, Concessions owed, whether there is an option."""

    conditions: dict[str, str]
    concessions: list[str]
    personal: set[str]
    options: bool


def legal(chosen: list[Chosen], side: Side, enemy: Side) -> bool:
    """STR-TC-02, 03: what may be chosen together."""
    actions = [one.action for one in chosen if not one.secondary]
    crowded = any(actions.count(one) > 2 for one in actions if not ACTIONS[one].basic)
    again = any(one.action == "take-one-for-the-team" and one.who in side.sacrificed for one in chosen)
    if not side.members:
        [action] = actions
        # STR-TC-03: the opposition's Win At All Costs needs a Strike to take.
        no_strike = action == "win-at-all-costs" and not enemy.removable(side)
        return not no_strike and action not in ("observe", "take-one-for-the-team", "pass")
    return not crowded and not again


def bonus(side: Side, chosen: list[Chosen], versatile: str) -> tuple[int, int]:
    """STR-TC-02, 03, 13, 16: what a side adds to its dice."""
    advance, defense = side.advance, side.defense
    for one in chosen:
        if one.secondary:
            advance, defense = advance + (one.secondary == "advance"), defense + (one.secondary == "defense")
        else:
            advance, defense = advance + ACTIONS[one.action].advance, defense + ACTIONS[one.action].defense
    for trait in side.traits:
        more = STEADY.get(trait, (0, 0))
        advance, defense = advance + more[0], defense + more[1]
    if side.has("Versatility"):
        advance, defense = advance + (versatile == "advance"), defense + (versatile == "defense")
    return (
        advance + side.carried["advance"] + side.grown["advance"],
        defense + side.carried["defense"] + side.grown["defense"],
    )


def burden(side: Side, which: str, weigh: Callable[[str, str], str]) -> Weight:
    """STR-TC-15: a Minor Condition is Disadvantage, each Major -1, on the roll that the game master picks."""
    minors = majors = 0
    for person in side.members:
        for condition in person.conditions:
            if weigh(person.name, condition) != which:
                continue
            majors += condition in MAJOR
            minors += condition in MINOR
    return Weight(0, minors, -majors)


def roll_side(
    side: Side, numbers: tuple[int, int], dice: Dice, weigh: Callable[[str, str], str]
) -> tuple[Rolled, Rolled]:
    """STR-TC-04 (2, 3), 07: Advance, then Defense; a die that was scouted has fallen already."""
    made = []
    for which, number in zip(("advance", "defense"), numbers, strict=True):
        weight = burden(side, which, weigh).plus(Weight(0, 0, number))
        if which in side.scouted:
            face = side.scouted[which]
            made.append(Rolled((face,), "plain", face, face + weight.modifier))
        else:
            made.append(roll(dice, weight))
    side.scouted = {}
    return made[0], made[1]


def comparison(advance: int, defense: int) -> str:
    """STR-TC-04 (5)."""
    return "tie" if advance == defense else "win" if advance > defense else "lose"


def compare(totals: tuple[tuple[int, int], tuple[int, int]]) -> tuple[str, str]:
    """STR-TC-04 (4, 5): a side with 0 or less has lost without a comparison, unless both have."""
    at_nothing = [min(pair) <= 0 for pair in totals]
    if at_nothing[0] != at_nothing[1]:
        return ("lose", "win") if at_nothing[0] else ("win", "lose")
    return comparison(totals[0][0], totals[1][1]), comparison(totals[1][0], totals[0][1])


def counted(sides: tuple[Side, Side], compared: tuple[str, str], single_tie: str) -> tuple[str, str]:
    """How the comparisons count. STR-TC-16, Fated: ties go its way; on both sides they cancel.

    Then the house rule on a single tie (section E).
    """
    fated = [side.has("Fated") for side in sides]
    if fated[0] == fated[1]:
        if compared.count("tie") == 1 and single_tie != "push-or-draw":
            instead = {"tie-is-success": "win", "tie-is-failure": "lose"}[single_tie]
            return tuple(instead if one == "tie" else one for one in compared)  # type: ignore[return-value]
        return compared
    kind = {"tie": "win"} if fated[0] else {"tie": "lose"}
    unkind = {"tie": "lose"} if fated[0] else {"tie": "win"}
    return kind.get(compared[0], compared[0]), unkind.get(compared[1], compared[1])


def outcome_of(compared: tuple[str, str]) -> str:
    """STR-TC-05: seen from the first side."""
    if compared == ("win", "lose"):
        return "win"
    if compared == ("lose", "win"):
        return "lose"
    if compared == ("tie", "tie"):
        return "double-tie"
    return "push" if "win" in compared else "draw"


def play_round(
    sides: tuple[Side, Side],
    chosen: tuple[list[Chosen], list[Chosen]],
    dice: Dice,
    decide: Decisions,
    weigh: Callable[[str, str], str] = lambda who, condition: "advance",
    single_tie: str = "push-or-draw",
) -> Told:
    """STR-TC-04 to 09, 15, 16, in the order of STR-TC-07: rolls, comparison, outcome, action effects."""
    ours, theirs = sides
    versatile = [
        decide.take(f"versatile {side.name}", ["advance", "defense"]) if side.has("Versatility") else ""
        for side in (theirs, ours)
    ][::-1]
    bonuses = (bonus(ours, chosen[0], versatile[0]), bonus(theirs, chosen[1], versatile[1]))
    rolled = (roll_side(ours, bonuses[0], dice, weigh), roll_side(theirs, bonuses[1], dice, weigh))
    totals = [[one.total for one in pair] for pair in rolled]
    for place, side in ((1, theirs), (0, ours)):
        if side.has("Superior Versatility"):
            which = decide.take(f"versatile {side.name}", ["advance", "defense"])
            totals[place][which == "defense"] += 1
    settled = ((totals[0][0], totals[0][1]), (totals[1][0], totals[1][1]))
    compared = compare(settled)
    counts = counted(sides, compared, single_tie)
    outcome = outcome_of(counts)
    for side in sides:
        side.carried = {"advance": 0, "defense": 0}
    invulnerable = [
        side.has("Invulnerability") and outcome == loses
        for side, loses in zip(sides, ("lose", "win"), strict=True)
    ]
    hits = hits_of(sides, counts, outcome, invulnerable)
    carry_on_traits(sides, counts, outcome, settled)
    ended = outcome in ("win", "lose", "double-tie") and not any(invulnerable)
    event = what_ends_it(dice.one()) if outcome == "double-tie" else ""
    win_costs(sides, outcome, ended)
    for side, enemy in hits:
        take_hit(side, enemy, decide)
    riders = rider_hits(sides, chosen, outcome)
    for side, enemy in riders:
        take_hit(side, enemy, decide)
    action_effects(sides, chosen)
    recovery(sides, outcome)
    end_of_round(sides, chosen)
    taken = [side.name for side, _ in (*hits, *riders)]
    after = aftermath(sides, outcome) if ended else None
    return Told(bonuses, rolled, settled, compared, counts, outcome, taken, event, ended, after)


def what_ends_it(face: int) -> str:
    """STR-TC-08, where Death is never at stake: a Foolish Mistake in its place."""
    return "Foolish Mistake" if face == 1 else DOUBLE_TIE[face]


def both(sides: tuple[Side, Side]) -> Iterator[tuple[int, Side, Side]]:
    """Each side with its place and its enemy."""
    yield 0, sides[0], sides[1]
    yield 1, sides[1], sides[0]


def hits_of(
    sides: tuple[Side, Side], counts: tuple[str, str], outcome: str, invulnerable: list[bool]
) -> list[tuple[Side, Side]]:
    """STR-TC-05, 16: (who is hit, by whom) by the outcome: Pushes, and traits that add Hits to outcomes."""
    hits = []
    for place, side, enemy in both(sides):
        pushed = outcome == "push" and counts[1 - place] == "win"
        hits += [(side, enemy)] * (pushed + (pushed and enemy.has("Dangerous")))
        hits += [(side, enemy)] * (outcome == "draw" and enemy.has("Attrition"))
        hits += [(side, enemy)] * invulnerable[place]
    return hits


def rider_hits(
    sides: tuple[Side, Side], chosen: tuple[list[Chosen], list[Chosen]], outcome: str
) -> list[tuple[Side, Side]]:
    """STR-TC-02, 07: Hits that actions bring, each rider for itself."""
    hits = []
    for place, side, enemy in both(sides):
        mine = [one.action for one in chosen[place] if not one.secondary]
        others = [one.action for one in chosen[1 - place] if not one.secondary]
        count = mine.count("reckless-effort")
        if outcome == "draw":
            count += mine.count("calculated-risk") + others.count("targeted-effort")
        hits += [(side, enemy)] * count
    return hits


def take_hit(side: Side, enemy: Side, decide: Decisions) -> None:
    """STR-TC-06, 16: the opponents choose: a Strike, or a trait for the rest of the conflict."""
    if side.has("Fortified") and side.fortified == 0:
        side.fortified = 1
        return
    options = ["strike", *side.traits]
    options += ["ablate"] * enemy.has("Ablating")
    drainable = enemy.removable(side) or bool(enemy.lost)
    options += ["drain"] * (enemy.has("Draining") and drainable)
    what = decide.take(f"hit {side.name}", options) if len(options) > 1 else "strike"
    if what == "strike":
        side.strikes += 1
    elif what == "ablate":
        side.carried["defense"] -= 2
    elif what == "drain":
        bring_back(enemy, side)
    else:
        side.traits.remove(what)
        side.lost.append(what)
    if enemy.has("Superior Draining"):
        bring_back(enemy, side)


def bring_back(side: Side, enemy: Side) -> None:
    """STR-TC-16: a Strike less where there is one, else the trait lost first."""
    if side.removable(enemy):
        side.strikes -= 1
    elif side.lost:
        side.traits.append(side.lost.pop(0))


def carry_on_traits(
    sides: tuple[Side, Side], counts: tuple[str, str], outcome: str,
    totals: tuple[tuple[int, int], tuple[int, int]],
) -> None:  # fmt: skip
    """STR-TC-16: Crafty on a Draw, Penetrating on one's own Push take Defense, Superior by the margin."""
    for place, side, enemy in both(sides):
        if outcome == "draw":
            enemy.carried["defense"] -= 2 * side.has("Crafty")
            margin = totals[place][1] - totals[1 - place][0]
            enemy.carried["defense"] -= margin * side.has("Superior Crafty")
        elif outcome == "push" and counts[place] == "win":
            enemy.carried["defense"] -= 2 * side.has("Penetrating")
            margin = totals[place][0] - totals[1 - place][1]
            enemy.carried["defense"] -= margin * side.has("Superior Penetrating")


def win_costs(sides: tuple[Side, Side], outcome: str, ended: bool) -> None:
    """STR-TC-16, Costly: its opponents take a Strike when they win."""
    if ended and outcome in ("win", "lose"):
        winner, loser = sides if outcome == "win" else sides[::-1]
        winner.strikes += loser.has("Costly")


def action_effects(sides: tuple[Side, Side], chosen: tuple[list[Chosen], list[Chosen]]) -> None:
    """STR-TC-02, 03, 07: what actions do when all Hits have been taken."""
    for place, side, enemy in both(sides):
        for one in chosen[place]:
            if one.secondary:
                continue
            if one.action == "win-at-all-costs" and side.members:
                side.strikes += 1
                side.irremovable += 1
            elif one.action == "win-at-all-costs" and enemy.removable(side):
                enemy.strikes -= 1
            elif one.action == "take-one-for-the-team":
                side.sacrificed.add(one.who)
    for place, side, enemy in both(sides):
        for one in chosen[place]:
            if one.action == "recover" and not one.secondary:
                recover(side, enemy, one.recover)


def recover(side: Side, enemy: Side, what: str) -> None:
    """STR-TC-02: one own Strike less, or a trait regained."""
    if what == "strike" and side.removable(enemy):
        side.strikes -= 1
    elif what in side.lost:
        side.lost.remove(what)
        side.traits.append(what)


def recovery(sides: tuple[Side, Side], outcome: str) -> None:
    """STR-TC-16, Recovery: on a Draw a Strike less, or a trait again."""
    for _, side, enemy in both(sides):
        if outcome == "draw" and side.has("Recovery"):
            bring_back(side, enemy)


def end_of_round(sides: tuple[Side, Side], chosen: tuple[list[Chosen], list[Chosen]]) -> None:
    """STR-TC-02, 03, 16: Prepare, Observe and Obscure for the next round; what grows, grows."""
    for place, side, _ in both(sides):
        mine = [one for one in chosen[place] if not one.secondary]
        others = [one for one in chosen[1 - place] if not one.secondary]
        side.carried["advance"] += sum(one.action == "prepare" for one in mine)
        watched = sum(one.action == "observe" for one in others)
        for one in mine:
            if one.action == "obscure" and watched:
                side.carried["advance"] += one.next_roll == "advance" or watched >= 2
                side.carried["defense"] += one.next_roll == "defense" or watched >= 2
        hidden = any(one.action == "obscure" for one in others)
        side.may_scout = 0 if hidden else min(2, sum(one.action == "observe" for one in mine))
        for trait in side.traits:
            more = GROWING.get(trait, (0, 0))
            side.grown["advance"] += more[0]
            side.grown["defense"] += more[1]


def condition_for(strikes: int) -> str:
    """STR-TC-09."""
    return "none" if strikes <= 1 else "minor" if strikes <= 3 else "major"


def concessions_for(strikes: int) -> list[str]:
    """STR-TC-09."""
    if strikes == 0:
        return []
    if strikes <= 2:
        return ["minor"]
    return ["major"] if strikes <= 4 else ["major", "minor"]


def aftermath(sides: tuple[Side, Side], outcome: str) -> Aftermath:
    """STR-TC-08, 09, 16 (Consequential): Conditions and Concessions by Strikes."""
    ours, theirs = sides
    conditions = {side.name: condition_for(side.strikes) for side in sides if side.members}
    owed: list[str] = []
    personal: set[str] = set()
    options = False
    if outcome == "win" and not theirs.members:
        owed = concessions_for(ours.strikes) + ["minor"] * theirs.has("Consequential")
        personal = set(ours.sacrificed)
    elif outcome == "lose" and not theirs.members:
        options = theirs.strikes > 0
    elif outcome in ("win", "lose"):
        # The list of options is instead of Concessions, so Consequential adds none.
        winner = ours if outcome == "win" else theirs
        options = winner.strikes > 0
        personal = set(winner.sacrificed)
    return Aftermath(conditions, owed, personal, options)


class Conceded(NamedTuple):
    """STR-TC-11: how a Concession leaves the side that concedes, and whose Complication explains it."""

    strikes: int
    condition: str
    earns: str


def concede(side: Side, explained_by: list[str]) -> Conceded:
    """STR-TC-11: two Strikes less; one Complication explains it, for an Action Point of its player."""
    strikes = max(0, side.strikes - 2)
    return Conceded(strikes, condition_for(strikes), explained_by[0] if explained_by else "")
