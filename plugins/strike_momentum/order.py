"""Initiative, rounds and unions: who goes when (WSH-02, 03, 05)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Args, Choose, Procedure, Refused, Sets, World
from strike_cli.plugin.board import INITIATIVE, has_acted

from .battle import Battle
from .facts import InitiativeOf, MomentumReckoned, MomentumRoundBegan, MomentumUnited, WhoGoesFirst
from .numbers import INITIATIVE_SKILLS, REACTION_POINTS
from .sheets import initiative, union_initiative
from .statuses import total

if TYPE_CHECKING:
    from .data import MomentumFighter, MomentumInitiativeData, MomentumUnionData


class RollInitiative(Args):
    """Nothing, in a fight; bare, a Stat and the levels of its five Skills."""

    instinct: int | None = None
    skills: Sequence[int] = ()


class Union(Args):
    """Who acts as one in this round; bare, their Initiatives."""

    who: Sequence[str]

    def people(self) -> Sequence[str]:
        return self.who


def play_initiative(world: World, args: RollInitiative) -> Procedure[MomentumInitiativeData]:
    """`momentum initiative`: the first round. The game master says who of equals goes first."""
    if args.instinct is not None:
        if len(args.skills) not in (0, len(INITIATIVE_SKILLS)):
            raise Refused(
                f"It needs five Skills, not {len(args.skills)}.", f"In order: {', '.join(INITIATIVE_SKILLS)}."
            )
        return (yield from _reckoned(world, initiative(args.instinct, args.skills)))
    battle = Battle(world)
    if battle.round:
        raise Refused("The first round has begun.", "`strike momentum show` shows the order.")
    now = {who: initiative_of(battle, who) for who in battle.people}
    order = yield from _settle_ties(
        battle, [who for who in battle.data["order"] if "out" not in battle.people[who]], now
    )
    yield from _begin_round(world, 1, order, now)
    return {"order": order, "initiative": {who: now[who] for who in order}}


def _reckoned(world: World, number: int) -> Procedure[MomentumInitiativeData]:
    yield world.tell(MomentumReckoned(number))
    return {"initiative": number}


def initiative_of(battle: Battle, who: str) -> int:
    """Return somebody's Initiative as it is now (WSH-03)."""
    return battle.sheet(who).initiative + total(battle, who, "initiative")


def _settle_ties(battle: Battle, who: Sequence[str], now: Mapping[str, int]) -> Procedure[list[str]]:
    """Order by Initiative, high first; the game master names the first of equals (WSH-03).

    They are only asked at a terminal where all are alike.
    """
    order: list[str] = []
    for value in sorted({now[one] for one in who}, reverse=True):
        tied = [one for one in who if now[one] == value]
        while len(tied) > 1:
            alike = len({battle.people[one]["ref"] for one in tied}) == 1
            what = f"who of Initiative {value} goes first"
            first = yield Choose(
                "the game master",
                what,
                tuple(tied),
                default=tied[0] if alike else None,
                about=WhoGoesFirst(value),
            )
            tied.remove(first)
            order.append(first)
        order += tied
    return order


def in_order(people: Mapping[str, MomentumFighter], order: Iterable[str]) -> list[str]:
    """Sort high first; equals stay as they were. A reinforcement has no Initiative yet."""
    values = {who: one.get("initiative", 0) for who, one in people.items()}
    return sorted(order, key=lambda who: -values.get(who, 0))


def _begin_round(world: World, number: int, order: Sequence[str], now: Mapping[str, int]) -> Procedure[None]:
    """Everybody has their RP and nobody is in a union any more (WSH-02, 05)."""
    battle = Battle(world)
    sets: Sets = {"momentum.round": number, "momentum.order": list(order)}
    for who in order:
        rp = 0 if total(battle, who, "rp") <= -REACTION_POINTS else REACTION_POINTS
        sets |= battle.sets(who, rp=rp, reacted=0, union="", initiative=now[who])
    yield world.tell(MomentumRoundBegan(number, [InitiativeOf(who, now[who]) for who in order]), sets)


def next_round(world: World) -> Procedure[None]:
    """Begin the next round once everybody has had their turn, by Initiative as it is by now.

    Equals stay as they were; the game master says who goes first of those who have become equal (WSH-03).
    """
    battle = Battle(world)
    there = [who for who in battle.data["order"] if "out" not in battle.people[who]]
    if any(not has_acted(battle.people[who], battle.round) for who in there):
        return
    now = {who: initiative_of(battle, who) for who in there}
    # A union has the average of several for its round: who is in one was equal to nobody by themselves.
    was = {who: battle.people[who].get(INITIATIVE) for who in there if not battle.people[who].get("union")}
    order: list[str] = []
    for value in sorted(set(now.values()), reverse=True):
        tied = [who for who in there if now[who] == value]
        if len(tied) > 1 and len({was.get(who) for who in tied}) > 1:
            tied = yield from _settle_ties(battle, tied, now)
        order += tied
    yield from _begin_round(world, battle.round + 1, order, now)


def play_union(world: World, args: Union) -> Procedure[MomentumUnionData]:
    """`momentum union`: at the start of a round, for that round (WSH-05)."""
    if len(args.who) < 2 or (len(set(args.who)) < len(args.who) and not _are_numbers(args.who)):
        raise Refused("A union needs two or more.", "Name all its members.")
    if _are_numbers(args.who):
        reckoned = yield from _reckoned(world, union_initiative(map(int, args.who)))
        return cast("MomentumUnionData", reckoned)
    battle = Battle(world)
    begun = any(battle.people[who].get("begun") == battle.round for who in battle.people)
    if not battle.round or begun:
        raise Refused("A union is formed at the start of a round.", "Form it before the first turn.")
    for who in args.who:
        _must_be_free(battle, who, args.who[0])
    found = union_initiative(battle.people[who][INITIATIVE] for who in args.who)
    sets: Sets = {}
    for who in args.who:
        sets |= battle.sets(who, union=args.who[0], initiative=found)
    sets["momentum.order"] = _joined(battle, args.who, found)
    yield world.tell(MomentumUnited(args.who[0], args.who[1:], battle.round, found), sets)
    return {"initiative": found, "union": list(args.who)}


def may_unite(world: World) -> str:
    """At the start of a round, where two of a side may form a union: what to type (WSH-05)."""
    if not world.get("momentum"):
        return ""
    battle = Battle(world)
    sides: dict[str, list[str]] = {}
    for who in battle.data["order"]:
        one = battle.people[who]
        if one.get("begun") == battle.round:
            return ""
        if battle.is_up(who) and not has_acted(one, battle.round):
            sides.setdefault(battle.side(who), []).append(who)
    able = next((who for who in sides.values() if len(who) > 1), None)
    if not able:
        return ""
    pair = " ".join(able[:2])
    return (
        f"Round {battle.round}. A union can be formed now: `strike momentum union {pair}`. "
        "`strike momentum next` begins the first turn."
    )


def _are_numbers(words: Iterable[str]) -> bool:
    return all(word.isascii() and word.isdigit() for word in words)


def _must_be_free(battle: Battle, who: str, leader: str) -> None:
    one = battle.present(who)
    if one.get("object") or battle.side(who) != battle.side(leader):
        raise Refused(f"{one['name']} is not an ally of {battle.name(leader)}.", "Only allies form a union.")
    if one.get("union"):
        raise Refused(f"{one['name']} is in a union already.", "`strike undo` undoes that.")
    if has_acted(one, battle.round):
        raise Refused(f"{one['name']} has no turn in this round.", "Surprised creatures can't join a union.")


def _joined(battle: Battle, members: Sequence[str], value: int) -> list[str]:
    """Return the order with a union in it as one, behind those of the same Initiative."""
    others = [who for who in battle.data["order"] if who not in members]
    place = sum(battle.people[who].get("initiative", 0) >= value for who in others)
    return [*others[:place], *members, *others[place:]]
