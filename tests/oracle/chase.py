"""A round of a chase, as the rules put it. Nothing here knows the program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from .core import NOTHING, Person, Rolled, Side, Task, Weight, break_tie, conditions_weigh, roll
from .dice import Decisions, Dice

# STR-CH-01
TRACK = ["caught", "close", "medium", "far", "escaped"]
# STR-CH-02
ACTIONS = ("flee", "hide", "double-back", "set-up", "risk")
# STR-CH-03: what the Chasers have, by what the Runners did and what was predicted.
PREDICTED = {
    "flee": {"flee": "advantage", "hide": "disadvantage", "double-back": "disadvantage"},
    "hide": {"flee": "disadvantage", "hide": "advantage"},
    "double-back": {"flee": "disadvantage", "double-back": "advantage"},
    "set-up": {"set-up": "advantage", "risk": "disadvantage"},
    "risk": {"set-up": "disadvantage", "risk": "advantage"},
}
RIDING = Task("", frozenset({"physical"}))


def possible(action: str, where: str) -> bool:
    """STR-CH-02: Hide not at Close, Double Back not at Far."""
    return not ((action == "hide" and where == "close") or (action == "double-back" and where == "far"))


@dataclass
class Shooter:
    """STR-CH-07: somebody who shoots, and maybe drives at the same time."""

    who: Person
    drives: bool = False


@dataclass
class Round:
    """A chase before a roll. Who drives is given as a person; `several`: how many are on each side."""

    action: str
    predicted: str
    where: str
    danger: int = 0
    runners_advantage: bool = False
    runner: Person = field(default_factory=lambda: Person("the runner"))
    chaser: Person = field(default_factory=lambda: Person("the chaser"))
    runners_more: Weight = NOTHING
    chasers_more: Weight = NOTHING
    runners_shoot: list[Shooter] = field(default_factory=list)
    chasers_shoot: list[Shooter] = field(default_factory=list)
    several: tuple[int, int] = (1, 1)
    players: tuple[bool, bool] = (False, False)  # whether a player drives the Runners, the Chasers
    hiding: tuple[Task, Task] | None = None  # in a Hide, where Skills are named

    def task(self, side: int) -> Task:
        """What the drivers' rolls are about: the Skills of a Hide, or riding."""
        return RIDING if self.hiding is None else self.hiding[side]


class Shot(NamedTuple):
    """A shooter's roll and what it did."""

    name: str
    rolled: Rolled
    slows: bool
    hits: bool


class ChaseOutcome(NamedTuple):
    """What a round came to. The winner is None on a tie; `gave_up` is None where nobody was asked."""

    runners: Rolled
    chasers: Rolled | None
    totals: tuple[int, int | None]
    shots: list[Shot]
    crashed: tuple[str, ...]
    winner: str | None
    where: str
    advantage_next: bool
    ended: str | None
    gave_up: bool | None
    close_loser: str | None  # who chooses an option of STR-CORE-16, in a Hide
    broken_by: int | None  # who broke a tie there
    out: tuple[int, int]  # how many of either side a 6 took out


def runners_roll(position: Round, dice: Dice) -> Rolled:
    """STR-CH-04, 05, 07: the Runners' die. In a Hide at Far the Range Modifier is theirs."""
    shooting = any(one.drives for one in position.runners_shoot)
    weight = conditions_weigh(position.runner, position.task(0)).plus(position.runners_more)
    weight = weight.plus(Weight(int(position.runners_advantage), int(shooting) + unskilled(position, 0), 0))
    return roll(dice, weight)


def chasers_roll(position: Round, dice: Dice) -> Rolled:
    """STR-CH-03, 04, 07: the Chasers' die, with what their prediction gives."""
    gives = PREDICTED[position.action].get(position.predicted)
    shooting = any(one.drives for one in position.chasers_shoot)
    weight = conditions_weigh(position.chaser, position.task(1)).plus(position.chasers_more)
    against = int(gives == "disadvantage") + int(shooting) + unskilled(position, 1)
    return roll(dice, weight.plus(Weight(int(gives == "advantage"), against, 0)))


def unskilled(position: Round, side: int) -> int:
    """STR-CH-05, STR-CORE-16: where a Hide names Skills, Disadvantage for the only side that is Unskilled."""
    if position.hiding is None:
        return 0
    drivers = (position.runner, position.chaser)
    have = [task.skill in who.skills for task, who in zip(position.hiding, drivers, strict=True)]
    return int(not have[side] and have[1 - side])


def range_modifiers(action: str, where: str) -> tuple[int, int]:
    """STR-CH-04, 05: the Chasers' -1 at Close, +1 at Far; in a Hide the Runners' +1 at Far instead."""
    if action == "hide":
        return (1 if where == "far" else 0), 0
    return 0, {"close": -1, "medium": 0, "far": 1}[where]


def shots_of(shooters: list[Shooter], opposing_total: int, dice: Dice) -> list[Shot]:
    """STR-CH-07: each shooter's die, held against the opposing driver's total; a 6 takes somebody out."""
    shots = []
    for one in shooters:
        weight = conditions_weigh(one.who, RIDING).plus(Weight(0, int(one.drives), 0))
        rolled = roll(dice, weight)
        shots.append(Shot(one.who.name, rolled, rolled.total > opposing_total, rolled.total >= 6))
    return shots


def step(where: str, steps: int) -> str:
    """STR-CH-01: so many steps along the track, which ends at caught and escaped."""
    return TRACK[max(0, min(4, TRACK.index(where) + steps))]


def play_round(position: Round, dice: Dice, decide: Decisions) -> ChaseOutcome:
    """STR-CH-03 to 07: the whole round."""
    assert possible(position.action, position.where)
    runners = runners_roll(position, dice)
    if position.action == "risk":
        if runners.total <= 3:
            return over(position, runners, None, "crash", crashed=("runners",), winner="chasers")
        if decide.take("risk", ["follow", "give-up"]) == "give-up":
            return moved(position, runners, None, step(position.where, 2), "runners", gave_up=True)
    chasers = chasers_roll(position, dice)
    modifiers = range_modifiers(position.action, position.where)
    totals = (runners.total + modifiers[0], chasers.total + modifiers[1])
    by_runners = shots_of(position.runners_shoot, totals[1], dice)
    by_chasers = shots_of(position.chasers_shoot, totals[0], dice)
    # STR-CH-07: at most once for each side, whatever the number of shooters.
    slowed = (-int(any(shot.slows for shot in by_chasers)), -int(any(shot.slows for shot in by_runners)))
    runners = runners._replace(total=runners.total + slowed[0])
    chasers = chasers._replace(total=chasers.total + slowed[1])
    done = compare(
        position, runners, chasers, (runners.total + modifiers[0], chasers.total + modifiers[1]), decide
    )
    return take_out(position, done._replace(shots=[*by_runners, *by_chasers]), by_runners, by_chasers)


def compare(
    position: Round, runners: Rolled, chasers: Rolled, totals: tuple[int, int], decide: Decisions
) -> ChaseOutcome:
    """STR-CH-05, 06: crashes first (the Range Modifier is left out of them), then who won."""
    crashed = tuple(
        side
        for side, rolled in (("runners", runners), ("chasers", chasers))
        if rolled.total <= position.danger
    )
    gave_up = False if position.action == "risk" else None
    if crashed:
        winner = None if len(crashed) == 2 else "chasers" if crashed == ("runners",) else "runners"
        end = "escaped" if winner == "runners" else "crash"
        done = over(position, runners, chasers, end, crashed=crashed, winner=winner)
    elif position.action == "risk" and chasers.total <= 3:
        # STR-CH-05: who follows a Risk and has 3 or less has lost, whatever the Danger Level.
        done = over(position, runners, chasers, "escaped", winner="runners")
    else:
        done = by_action(position, runners, chasers, totals, decide)
    return done._replace(totals=totals, gave_up=gave_up)


def by_action(
    position: Round, runners: Rolled, chasers: Rolled, totals: tuple[int, int], decide: Decisions
) -> ChaseOutcome:
    """STR-CH-05: what each action brings, by who won."""
    winner = None if totals[0] == totals[1] else "runners" if totals[0] > totals[1] else "chasers"
    here = position.where
    if position.action == "hide":
        return hide(position, runners, chasers, totals, winner, decide)
    if position.action == "double-back":
        at_a_tie = "caught" if here == "close" else here
        to = {"runners": "far", "chasers": step(here, -1), None: at_a_tie}[winner]
        # At Close a tie loses the chase: then the Chasers have won.
        return moved(
            position, runners, chasers, to, "chasers" if winner is None and to == "caught" else winner
        )
    if position.action == "set-up":
        to = step(here, -1) if winner == "chasers" else here
        return moved(position, runners, chasers, to, winner, advantage=winner is not None)
    to = {"runners": step(here, 1), "chasers": step(here, -1), None: here}[winner]
    return moved(position, runners, chasers, to, winner)


def hide(
    position: Round,
    runners: Rolled,
    chasers: Rolled,
    totals: tuple[int, int],
    winner: str | None,
    decide: Decisions,
) -> ChaseOutcome:
    """STR-CH-05, STR-CORE-16, 17: an Opposed Roll ends the chase; who loses by 1 or 2 has an option.

    A tie broken against oneself is such a loss; else the Runners are hidden and pinned down.
    """
    breaker = None
    if winner is None:
        sides = Side(position.runner, RIDING, True), Side(position.chaser, RIDING, True)
        breaker = break_tie(sides, decide, position.players)
        winner = {None: None, 0: "chasers", 1: "runners"}[breaker]
    end = {"runners": "hidden", "chasers": "caught", None: "pinned"}[winner]
    loser = {"runners": "chasers", "chasers": "runners", None: None}[winner]
    close = loser if breaker is not None or 1 <= abs(totals[0] - totals[1]) <= 2 else None
    return over(position, runners, chasers, end, winner=winner)._replace(close_loser=close, broken_by=breaker)


def moved(
    position: Round, runners: Rolled, chasers: Rolled | None, to: str, winner: str | None,
    advantage: bool = False, gave_up: bool | None = None,
) -> ChaseOutcome:  # fmt: skip
    """STR-CH-01: the range is another now; off the track the chase is over."""
    ended = to if to in ("caught", "escaped") else None
    return ChaseOutcome(
        runners, chasers, (runners.total, None), [], (), winner, to, advantage and ended is None, ended,
        gave_up, None, None, (0, 0),
    )  # fmt: skip


def over(
    position: Round, runners: Rolled, chasers: Rolled | None, end: str,
    crashed: tuple[str, ...] = (), winner: str | None = None,
) -> ChaseOutcome:  # fmt: skip
    """The chase is over: how, and who won."""
    where = {"caught": "caught", "escaped": "escaped"}.get(end, position.where)
    return ChaseOutcome(
        runners, chasers, (runners.total, None), [], crashed, winner, where, False, end, None, None, None,
        (0, 0),
    )  # fmt: skip


def take_out(
    position: Round, done: ChaseOutcome, by_runners: list[Shot], by_chasers: list[Shot]
) -> ChaseOutcome:
    """STR-CH-07: a 6 takes one opponent out, as long as there are any."""
    runners = min(position.several[0], sum(shot.hits for shot in by_chasers))
    chasers = min(position.several[1], sum(shot.hits for shot in by_runners))
    return done._replace(out=(runners, chasers))
