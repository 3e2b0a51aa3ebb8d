"""Moves that only record what the people at the table have decided (CIN-01, 09).

They are about Instant Karma, places, counters, Health Checks and who leaves. The rules leave these decisions
to the people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from strike_cli.plugin import Args, Procedure, Refused, Sets, World, listed
from strike_cli.plugin.board import format_square

from .facts import KarmaCountedOn, KarmaCounterSet, KarmaEnded, KarmaHealthDue, KarmaLeft, KarmaPlaced
from .fight_state import OPEN, PASSING, KarmaFight, turns_per_round

if TYPE_CHECKING:
    from .data import (
        KarmaCheckData,
        KarmaCounterData,
        KarmaEndData,
        KarmaOutData,
        KarmaPlaceData,
        KarmaSpentData,
    )

SETS_NO_INITIATIVE_HOLDER = {"karma.active": None, "karma.stage": PASSING}
"""The changes after the holder of the initiative has left: the game master will pass it."""


class Spend(Args):
    """The arguments of `karma karma`: who spends or gains Instant Karma, how much (`n`), and why."""

    who: str
    verb: Literal["spend", "gain"]
    n: int
    why: str = ""


class Check(Args):
    """The arguments of `karma check`: who has to make a Health Check at the end of the round, and why."""

    who: str
    why: str


class PlacePerson(Args):
    """The arguments of `karma place`: a combatant, and a square of the map or a place in words."""

    who: str
    at: str


class Counter(Args):
    """The arguments of `karma counter`: the counter's name and its number; 0 removes the counter."""

    name: str
    n: int


TAKEN_OUT = "taken out"


class Out(Args):
    """The arguments of `karma out`: who leaves the fight, and how.

    For a group, one member leaves.
    """

    who: str
    how: str = TAKEN_OUT


class EndKarmaFight(Args):
    """The arguments of `karma end`: the outcome in words, if any."""

    outcome: str = ""


def play_karma(world: World, args: Spend) -> Procedure[KarmaSpentData]:
    """Play `karma karma`: record that Instant Karma is spent or gained.

    What it buys is decided by the people at the table. Raises Refused for somebody without Instant Karma, and
    for spending more than they have.
    """
    fight = KarmaFight(world)
    one = fight.require_present(args.who)
    if "karma" not in one:
        raise Refused(
            f"{fight.name_and_verb(args.who, 'has')} no Instant Karma.",
            "A sheet's luck die gives some as a scene begins.",
        )
    had = int(one["karma"])
    if args.n < 1 or (args.verb == "spend" and args.n > had):
        raise Refused(
            f"{one['name']} can't {args.verb} {args.n} Instant Karma.", f"{had} are left; give 1 or more."
        )
    left = had - args.n if args.verb == "spend" else had + args.n
    counted = KarmaCountedOn(args.who, args.verb, args.n, left, args.why)
    yield world.tell(counted, fight.sets(args.who, karma=left))
    return {"who": args.who, "before": had, "after": left, "why": args.why}


def play_check(world: World, args: Check) -> Procedure[KarmaCheckData]:
    """Play `karma check`: note a Health Check, to be made at the end of the round."""
    fight = KarmaFight(world)
    one = fight.require_present(args.who)
    if not args.why.strip():
        raise Refused(
            "The cause of the Health Check is missing.",
            f'Give it: `strike karma check {args.who} "shot in the arm"`.',
        )
    due = [*one.get("health_due", ()), args.why.strip()]
    told = KarmaHealthDue(args.who, args.why.strip(), fight.is_group(args.who))
    yield world.tell(told, fight.sets(args.who, health_due=due))
    return {"who": args.who, "health_due": due}


def play_place(world: World, args: PlacePerson) -> Procedure[KarmaPlaceData]:
    """Play `karma place`: put a combatant on a square, or at a place in words.

    Raises Refused if they are there already, and for a square off the map.
    """
    fight = KarmaFight(world)
    one, at = fight.require_present(args.who), args.at.strip()
    if "map" in fight.data:
        at = format_square(fight.square_on_map(at))
    if not at or at == one.get("at"):
        raise Refused(f"{fight.name_and_verb(args.who, 'is')} there.", "Name another place.")
    where = {"square": at} if "map" in fight.data else {"place": at}
    placed = KarmaPlaced(args.who, group=fight.is_group(args.who), **where)
    yield world.tell(placed, fight.sets(args.who, at=at))
    return {"who": args.who, "from": one.get("at"), "to": at}


def play_counter(world: World, args: Counter) -> Procedure[KarmaCounterData]:
    """Play `karma counter`: set one of the scene's counters, or remove it with 0.

    Raises Refused if the counter has that number already, or if the number is below 0.
    """
    fight = KarmaFight(world)
    name, counters = args.name.strip(), fight.data.get("counters", {})
    if not name or args.n < 0 or args.n == counters.get(name, 0):
        raise Refused(f"{name or 'A counter'} can't be set to {args.n}.", f"There is: {listed(counters)}.")
    left = {**counters, name: args.n}
    left = {key: n for key, n in left.items() if n}
    yield world.tell(KarmaCounterSet(name, args.n), {"karma.counters": left or None})
    return {"name": name, "before": counters.get(name, 0), "after": args.n}


def play_out(world: World, args: Out) -> Procedure[KarmaOutData]:
    """Play `karma out`: a combatant leaves the fight.

    A group loses only one member, if possible one who has not acted. If the holder of the initiative leaves,
    the game master decides who gets the initiative.
    """
    fight = KarmaFight(world)
    one, how = fight.require_present(args.who), args.how.strip() or TAKEN_OUT
    left = int(one.get("count", 1)) - 1
    if left:
        sets = fight.sets(args.who, count=left)
        turns, taken = turns_per_round({**fight.people[args.who], "count": left}), fight.turns_taken(args.who)
        if taken > turns:
            sets |= fight.sets(args.who, taken=turns)
        if (
            args.who == fight.initiative_holder
            and fight.stage == OPEN
            and turns <= taken + fight.has_carried_over_delayed_action(args.who)
        ):
            sets |= SETS_NO_INITIATIVE_HOLDER
    else:
        sets = fight.sets(args.who, out=how) | sets_after_leaving(fight, args.who)
    gone = KarmaLeft(args.who, "" if how == TAKEN_OUT else how, left)
    yield world.tell(gone, {**sets, **fight.sets_holds_cleared()})
    return {"who": args.who, "how": how, "left": left}


def sets_after_leaving(fight: KarmaFight, combatant: str) -> Sets:
    """Return the changes to make when a combatant leaves.

    They remove the combatant's uncompleted actions, due Health Checks and initiative.
    """
    sets = fight.sets(combatant, delayed_action=None, conditional_action=None, health_due=None, held=None)
    sets |= SETS_NO_INITIATIVE_HOLDER if combatant == fight.initiative_holder else {}
    sets |= {"karma.starter": None} if combatant == fight.data.get("starter") else {}
    return sets


def play_end(world: World, args: EndKarmaFight) -> Procedure[KarmaEndData]:
    """Play `karma end`: the fight is over, and Instant Karma is lost."""
    fight = KarmaFight(world)
    left = {
        side: [
            combatant for combatant in fight.combatants_there() if fight.people[combatant].get("side") == side
        ]
        for side in dict.fromkeys(one.get("side", "") for one in fight.people.values())
    }
    rounds = fight.round
    said = args.outcome.strip()
    outcome = said or f"after round {rounds}"
    yield world.tell(KarmaEnded(fight.data["name"], rounds, said), {"karma": None})
    return {"outcome": outcome, "rounds": rounds, "there": left}
