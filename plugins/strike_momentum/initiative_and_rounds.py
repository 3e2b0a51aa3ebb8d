"""Initiative, rounds and unions (WSH-02, 03, 05)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Args, Choose, Procedure, Refused, Sets, World
from strike_cli.plugin.board import INITIATIVE, has_acted

from .facts import InitiativeOf, MomentumReckoned, MomentumRoundBegan, MomentumUnited, WhoGoesFirst
from .fight_state import Battle
from .rule_constants import INITIATIVE_SKILLS, REACTION_POINTS
from .sheet_and_formulas import initiative, union_initiative
from .statuses import effects_total

if TYPE_CHECKING:
    from .data import MomentumFighter, MomentumInitiativeData, MomentumUnionData


class RollInitiative(Args):
    """The arguments of `momentum initiative`. In a fight it takes none.

    Without a fight, `instinct` is a Stat, and `skills` are the levels of five Skills. An Initiative is
    calculated from them.
    """

    instinct: int | None = None
    skills: Sequence[int] = ()


class Union(Args):
    """The arguments of `momentum union`: the members of the union, or their Initiatives.

    `who` has the ids of the members. To calculate the Initiative of a union without a fight, `who` has the
    members' Initiatives instead.
    """

    who: Sequence[str]

    def people(self) -> Sequence[str]:
        return self.who


def play_initiative(world: World, args: RollInitiative) -> Procedure[MomentumInitiativeData]:
    """Play `momentum initiative`: begin the first round, in the order of Initiative.

    If several combatants have the same Initiative, the game master decides who goes first. If `instinct` is
    given, no round begins: the Initiative for this value is calculated and reported.

    Raises Refused if the first round has begun already.
    """
    if args.instinct is not None:
        if len(args.skills) not in (0, len(INITIATIVE_SKILLS)):
            raise Refused(
                f"It needs five Skills, not {len(args.skills)}.", f"In order: {', '.join(INITIATIVE_SKILLS)}."
            )
        return (yield from _report_calculated_initiative(world, initiative(args.instinct, args.skills)))
    battle = Battle(world)
    if battle.round:
        raise Refused("The first round has begun.", "`strike momentum show` shows the order.")
    now = {combatant: calculate_own_initiative(battle, combatant) for combatant in battle.people}
    order = yield from _sort_and_settle_ties(
        battle,
        [combatant for combatant in battle.data["order"] if "out" not in battle.people[combatant]],
        now,
    )
    yield from _begin_round_ending_unions(world, 1, order, now)
    return {"order": order, "initiative": {combatant: now[combatant] for combatant in order}}


def _report_calculated_initiative(world: World, initiative_value: int) -> Procedure[MomentumInitiativeData]:
    yield world.tell(MomentumReckoned(initiative_value))
    return {"initiative": initiative_value}


def calculate_own_initiative(battle: Battle, combatant: str) -> int:
    """Return a combatant's Initiative, including Status Effects (WSH-03)."""
    return battle.sheet(combatant).initiative + effects_total(battle, combatant, "initiative")


def _sort_and_settle_ties(
    battle: Battle, combatants: Sequence[str], initiatives: Mapping[str, int]
) -> Procedure[list[str]]:
    """Sort combatants by the Initiatives in `initiatives`, highest first.

    The game master decides who goes first among equals (WSH-03). If all equals are creatures of the same
    kind, this decision has a default, and is asked only at a terminal.
    """
    order: list[str] = []
    for value in sorted({initiatives[one] for one in combatants}, reverse=True):
        tied = [one for one in combatants if initiatives[one] == value]
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


def sort_by_initiative(people: Mapping[str, MomentumFighter], order: Iterable[str]) -> list[str]:
    """Return the ids in `order` sorted by Initiative, highest first; equals keep their order.

    Somebody without an Initiative, who has just joined, counts as 0.
    """
    values = {combatant: one.get("initiative", 0) for combatant, one in people.items()}
    return sorted(order, key=lambda combatant: -values.get(combatant, 0))


def _begin_round_ending_unions(
    world: World, number: int, order: Sequence[str], initiatives: Mapping[str, int]
) -> Procedure[None]:
    """Begin round `number` with the combatants in this `order` (WSH-02, 05).

    Everybody gets new RP, unless an effect takes them away. All unions end. `initiatives` has the Initiative
    of each combatant.
    """
    battle = Battle(world)
    sets: Sets = {"momentum.round": number, "momentum.order": list(order)}
    for combatant in order:
        rp = 0 if effects_total(battle, combatant, "rp") <= -REACTION_POINTS else REACTION_POINTS
        sets |= battle.sets(combatant, rp=rp, reacted=0, union="", initiative=initiatives[combatant])
    yield world.tell(
        MomentumRoundBegan(number, [InitiativeOf(combatant, initiatives[combatant]) for combatant in order]),
        sets,
    )


def begin_next_round_if_due(world: World) -> Procedure[None]:
    """Begin the next round, if nobody has a turn left in this one.

    The combatants act in the order of their Initiatives. If the Initiatives of several combatants are equal,
    and were equal in the last round, these combatants keep their order. If they have only now become equal,
    the game master decides (WSH-03).
    """
    battle = Battle(world)
    there = [combatant for combatant in battle.data["order"] if "out" not in battle.people[combatant]]
    if any(not has_acted(battle.people[combatant], battle.round) for combatant in there):
        return
    now = {combatant: calculate_own_initiative(battle, combatant) for combatant in there}
    # In a union Initiative was an average, so its members were equal to nobody.
    was = {
        combatant: battle.people[combatant].get(INITIATIVE)
        for combatant in there
        if not battle.people[combatant].get("union")
    }
    order: list[str] = []
    for value in sorted(set(now.values()), reverse=True):
        tied = [combatant for combatant in there if now[combatant] == value]
        if len(tied) > 1 and len({was.get(combatant) for combatant in tied}) > 1:
            tied = yield from _sort_and_settle_ties(battle, tied, now)
        order += tied
    yield from _begin_round_ending_unions(world, battle.round + 1, order, now)


def play_union(world: World, args: Union) -> Procedure[MomentumUnionData]:
    """Play `momentum union`: several combatants act as one in this round (WSH-05).

    If `args.who` has Initiatives instead of combatants, the union's Initiative is reported, and nothing else
    happens.

    Raises Refused for fewer than two members, if no round is under way, or if a turn of this round has begun.
    Also raises Refused for a member who isn't an ally of the first member, has acted, or is in a union.
    """
    if len(args.who) < 2 or (len(set(args.who)) < len(args.who) and not _are_numbers(args.who)):
        raise Refused("A union needs two or more.", "Name all its members.")
    if _are_numbers(args.who):
        reckoned = yield from _report_calculated_initiative(world, union_initiative(map(int, args.who)))
        return cast("MomentumUnionData", reckoned)
    battle = Battle(world)
    begun = any(battle.people[combatant].get("begun") == battle.round for combatant in battle.people)
    if not battle.round or begun:
        raise Refused("A union is formed at the start of a round.", "Form it before the first turn.")
    for combatant in args.who:
        _require_able_to_join_union(battle, combatant, args.who[0])
    found = union_initiative(battle.people[combatant][INITIATIVE] for combatant in args.who)
    sets: Sets = {}
    for combatant in args.who:
        sets |= battle.sets(combatant, union=args.who[0], initiative=found)
    # As one, the union stands behind those of the same Initiative.
    others = [combatant for combatant in battle.data["order"] if combatant not in args.who]
    place = sum(battle.people[combatant].get("initiative", 0) >= found for combatant in others)
    sets["momentum.order"] = [*others[:place], *args.who, *others[place:]]
    yield world.tell(MomentumUnited(args.who[0], args.who[1:], battle.round, found), sets)
    return {"initiative": found, "union": list(args.who)}


def union_hint(world: World) -> str:
    """Return a line that explains how to form a union now; "" if nobody can form one (WSH-05)."""
    if not world.get("momentum"):
        return ""
    battle = Battle(world)
    sides: dict[str, list[str]] = {}
    for combatant in battle.data["order"]:
        one = battle.people[combatant]
        if one.get("begun") == battle.round:
            return ""
        if battle.is_up(combatant) and not has_acted(one, battle.round):
            sides.setdefault(battle.side(combatant), []).append(combatant)
    able = next((combatant for combatant in sides.values() if len(combatant) > 1), None)
    if not able:
        return ""
    pair = " ".join(able[:2])
    return (
        f"Round {battle.round}. A union can be formed now: `strike momentum union {pair}`. "
        "`strike momentum next` begins the first turn."
    )


def _are_numbers(words: Iterable[str]) -> bool:
    return all(word.isascii() and word.isdigit() for word in words)


def _require_able_to_join_union(battle: Battle, combatant: str, leader: str) -> None:
    one = battle.require_present(combatant)
    if one.get("object") or battle.side(combatant) != battle.side(leader):
        raise Refused(f"{one['name']} is not an ally of {battle.name(leader)}.", "Only allies form a union.")
    if one.get("union"):
        raise Refused(f"{one['name']} is in a union already.", "`strike undo` undoes that.")
    if has_acted(one, battle.round):
        raise Refused(f"{one['name']} has no turn in this round.", "Surprised creatures can't join a union.")
