"""First aid, rest, and death within the hour (GRT-08, 12).

The source leaves open how STR is restored. Here a rest restores as many steps of it as the house rule
`grit.rest_steps` says, and `grit mend` can restore it at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Args, Procedure, Refused, Sets, World, listed
from strike_cli.plugin.encounters import characters_with_game_table
from strike_cli.plugin.refusals import SceneStillUnderWay

from .dice import ATTRIBUTES, die_name, step_up
from .facts import CLOSE, GritAided, GritHourPassed, GritRested, HourWithoutHelp, Regained
from .fight_state import GritFight
from .gm_moves import set_numbers_clearing_aid
from .harm import record_death
from .movement_and_distances import must_reach_and_see
from .vitals import FALLEN, GritVitals, states_of_attributes_at_zero

if TYPE_CHECKING:
    from .data import GritAidData, GritHourData, GritRestData, RestedTold


class Aid(Args):
    """The arguments of `grit aid`: the helper `who`, and the `target` of the first aid."""

    who: str
    target: str

    def people(self) -> list[str]:
        return [self.who, self.target]


class GritRest(Args):
    """The arguments of `grit rest`: the people `resting`, and the `deprived` among them.

    If `resting` is empty, everybody rests.

    The deprived regain nothing.
    """

    resting: Sequence[str] = ()
    deprived: Sequence[str] = ()

    def people(self) -> Sequence[str]:
        return self.resting


class Hour(Args):
    """The arguments of `grit hour`, which takes none."""


def play_aid(world: World, args: Aid) -> Procedure[GritAidData]:
    """Play `grit aid`: an incapacitated ally gets up; their STR stays at zero.

    Raises Refused if the target isn't an incapacitated ally. Also raises Refused if the helper is down, isn't
    adjacent to the target or may not act.
    """
    target, helper = GritVitals.of_person(world, args.target), GritVitals.of_person(world, args.who)
    if (
        args.who == args.target
        or FALLEN["str"] not in states_of_attributes_at_zero(target.numbers)
        or "out" in target.numbers
    ):
        raise Refused(
            f"{target.name} can't get first aid: it is only for the incapacitated.",
            "`strike help grit mend` is the game master's ruling.",
        )
    sets: Sets = {}
    if world.get("grit"):
        fight = GritFight(world)
        one, other = fight.must_be_free_to_act(args.who), fight.require_present(args.target)
        if one["side"] != other["side"]:
            raise Refused(f"{target.name} is not an ally of {helper.name}.", "An ally gives first aid.")
        must_reach_and_see(fight, args.who, args.target, CLOSE)
        sets = fight.changes_marking_acted(args.who)
    elif not (helper.is_up and target.path):
        raise Refused(f"{helper.name} is {helper.state}.", "Only a standing ally gives first aid.")
    yield world.tell(GritAided(args.who, args.target), {**sets, **target.change_and_return_sets(aided=True)})
    return {"who": args.who, "target": args.target, "state": target.state}


def play_rest(world: World, args: GritRest) -> Procedure[GritRestData]:
    """Play `grit rest`: those who rest regain all Grit, and some steps of each attribute.

    The house rule `grit.rest_steps` says how many steps. The deprived regain nothing. Raises Refused during a
    fight. Also raises Refused if somebody is incapacitated, who would die during the rest.
    """
    resting = [
        GritVitals.of_person(world, combatant)
        for combatant in _filter_living_party_between_fights(world, args.resting)
    ]
    dying = [one.who for one in resting if FALLEN["str"] in states_of_attributes_at_zero(one.numbers)]
    if dying:
        raise Refused(
            f"{listed(dying)} is incapacitated, and would die without help.",
            f"`strike grit aid WHO {dying[0]}` first, or `strike grit hour`.",
        )
    steps = world.book.house["grit.rest_steps"]
    rested: list[RestedTold] = []
    for one in resting:
        back = {} if one.who in args.deprived else _numbers_changed_by_rest(one, steps)
        regained = [Regained(key, value) for key, value in back.items()]
        yield world.tell(GritRested(one.who, regained), set_numbers_clearing_aid(one, **back))
        dice = {attribute: die_name(one[attribute]) for attribute in ATTRIBUTES}
        rested.append(cast("RestedTold", {"who": one.who, "grit": one["grit"], **dice, "state": one.state}))
    return {"rested": rested, "deprived": list(args.deprived)}


def _numbers_changed_by_rest(vitals: GritVitals, steps: int) -> dict[str, int]:
    """Return the numbers that a rest changes, each with its new value.

    Each attribute rises by up to `steps` steps, but not above its maximum. Grit returns to its maximum, which
    is 0 for a burdened character.
    """
    after = {"grit": vitals.maximum("grit")}
    after |= {each: step_up(vitals[each], vitals.maximum(each), steps) for each in ATTRIBUTES}
    return {key: value for key, value in after.items() if value != vitals[key]}


def play_hour(world: World, args: Hour) -> Procedure[GritHourData]:
    """Play `grit hour`: incapacitated characters who got no first aid die. Raises Refused during a fight."""
    dead = []
    yield world.tell(GritHourPassed())
    for combatant in _filter_living_party_between_fights(world, ()):
        one = GritVitals.of_person(world, combatant)
        if FALLEN["str"] in states_of_attributes_at_zero(one.numbers):
            dead.append(combatant)
            yield from record_death(world, one, HourWithoutHelp())
    return {"dead": dead}


def _filter_living_party_between_fights(world: World, names: Sequence[str]) -> list[str]:
    """Return the living party members with a Grit sheet: those in `names`, or all if it is empty.

    Raises Refused during a fight, for a name without a Grit sheet, and if nobody is alive.
    """
    if world.get("grit"):
        raise SceneStillUnderWay(world.get("grit.name", ""), "`strike grit end` ends it.")
    party = characters_with_game_table(world, "grit")
    if unknown := [combatant for combatant in names if combatant not in party]:
        raise Refused(f"{listed(unknown)} has no Grit on a sheet.", f"There is {listed(party)}.")
    found = [combatant for combatant in names or party if not world.get(f"characters.{combatant}.grit.out")]
    if not found:
        raise Refused("Nobody is there.", "`strike grit show` or `strike status` shows the living.")
    return found
