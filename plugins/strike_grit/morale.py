"""Morale Saves: when they become due, and what a failure does (GRT-11).

An event that calls for a Morale Save is recorded when it happens. The house rule `grit.morale` decides when
the Save is made: before the next side's turn ("queued") or at once ("immediate"). If several events call for
a combatant's Save, the combatant makes one Save for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Choose, Procedure, Refused, World
from strike_cli.plugin.facts import Clause, Said

from .dice import NO_REASONS, DieReasons, die_name
from .facts import (
    COMPANION,
    CRITICAL,
    DEAD,
    FLEES,
    GONE,
    OCCASIONS,
    SURRENDERS,
    GameMasterAsks,
    GritBroke,
    GritDaunted,
    GritMorale,
    MoraleFails,
    MoraleReasons,
    Occasion,
)
from .fight_state import GritFight
from .saving_throw import make_save, roller_of_save
from .vitals import FALLEN, UP, GritVitals, makes_morale_saves, people_in_fight, state_of

if TYPE_CHECKING:
    from .data import GritMoraleCounts, GritMoraleData, MoraleDue, MoraleFaced

STAYS = "stays"


class Morale(Args):
    """The arguments of `grit morale`.

    `because` is the occasion in words, if the game master calls for the Save.
    """

    who: str
    because: str = ""
    enhanced: Sequence[str] = ()
    impaired: Sequence[str] = ()


def due_morale_occasions(fight: GritFight) -> dict[str, list[str]]:
    """Return the occasions of the Morale Saves that are due, by combatant.

    Combatants who are down or gone are left out: they make none.
    """
    return {
        combatant: list(fight.people[combatant]["due"])
        for combatant in fight.combatants_up()
        if fight.people[combatant].get("due")
    }


def due_saves_as_data_by_combatant(fight: GritFight) -> list[MoraleDue]:
    """Return the Morale Saves that are due, as the results of moves list them."""
    return [
        {"who": combatant, "why": " and ".join(OCCASIONS[each] for each in occasions)}
        for combatant, occasions in due_morale_occasions(fight).items()
    ]


def record_morale_after_harm(
    world: World, target: GritVitals, steps: int, state_before: str
) -> Procedure[None]:
    """Record the Morale Saves that become due because `target` was harmed.

    After Critical Damage (`steps` above 0), one is due for the target. If the target was incapacitated or
    died, one is due for each of its companions. `state_before` is the target's state before the harm.
    """
    people = people_in_fight(world)
    if target.who not in people:
        return
    if steps:
        yield from _record_save_if_newly_due(world, target.who, CRITICAL)
    if target.state != state_before and target.state in (DEAD, FALLEN["str"]):
        side = people[target.who]["side"]
        for combatant, one in people.items():
            if combatant != target.who and one["side"] == side:
                yield from _record_save_if_newly_due(world, combatant, COMPANION)


def _record_save_if_newly_due(world: World, combatant: str, occasion: str) -> Procedure[None]:
    one = GritFight(world).people[combatant]
    known = [*one.get("due", ()), *one.get("faced", ())]
    if occasion in known or state_of(one) != UP or not makes_morale_saves(world, combatant):
        return
    sets = {f"grit.people.{combatant}.due": [*one.get("due", ()), occasion]}
    yield world.tell(GritDaunted(combatant, occasion), sets)


def make_morale_saves_if_immediate(world: World) -> Procedure[list[MoraleDue]]:
    """Return the Morale Saves that are due. If the house rule `grit.morale` is "immediate", make them first.

    For a Save that was made, the list also has its die, its roll and its outcome.
    """
    fight = GritFight(world)
    waiting = due_saves_as_data_by_combatant(fight)
    if world.book.house["grit.morale"] == "immediate":
        for one in waiting:
            faced = yield from play_morale_save(world, one["who"])
            one["die"], one["roll"], one["success"] = faced["die"], faced["roll"], faced["success"]
            one["why"], one["does"] = faced["why"], faced.get("does", STAYS)
    return waiting


def play_morale(world: World, args: Morale) -> Procedure[GritMoraleData]:
    """Play `grit morale`: a Save that is due, or one that the game master calls for.

    Raises Refused for a player's character, and for somebody who isn't up.
    """
    standing = GritVitals.of_person(world, args.who)
    if not makes_morale_saves(world, args.who):
        raise Refused(
            f"{standing.name} is a player's character, and players decide for themselves.",
            "Hirelings have `hireling = true` on their sheet.",
        )
    if not standing.is_up:
        raise Refused(f"{standing.name} is {standing.state}.", "`strike grit show` shows everybody standing.")
    faced = yield from play_morale_save(
        world, args.who, DieReasons(args.enhanced, args.impaired), args.because
    )
    return {"who": args.who, **faced}


def odds_key(data: GritMoraleData) -> GritMoraleCounts:
    """Return the values by which `strike odds grit morale` tells results apart."""
    return {"success": data["success"]}


def play_morale_save(
    world: World, combatant: str, reasons: DieReasons = NO_REASONS, because: str = ""
) -> Procedure[MoraleFaced]:
    """Play a Morale Save, which is a Save with WIL.

    If the Save fails, the game master chooses whether the combatant flees or surrenders.

    Args:
        world: The world.
        combatant: The combatant who makes the Save.
        reasons: The reasons that enhance or impair the roll.
        because: What calls for the Save, in words. If it is "", the events recorded in the fight for this
            combatant call for it. If there are none, the game master does.
    """
    here = people_in_fight(world).get(combatant)
    occasions = list(here.get("due", ())) if here else []
    why: list[Clause] = [Occasion(each) for each in occasions]
    if because or not occasions:
        why = [Said(because)] if because else [GameMasterAsks()]
    mine = roller_of_save(world, combatant, "wil")
    saved = yield from make_save(world, mine._replace(what="Morale"), None, reasons)
    if here and occasions:
        faced = [*here.get("faced", ()), *occasions]
        sets = {f"grit.people.{combatant}.due": None, f"grit.people.{combatant}.faced": faced}
        yield world.tell(GritMorale(combatant), sets)
    told: MoraleFaced = {
        "die": die_name(mine.sides),
        "roll": saved.roll.as_json() if saved.roll else None,
        "success": saved.success,
        "why": MoraleReasons(why),
    }
    if saved.success:
        told["does"] = STAYS
        return told
    does: str = yield Choose(
        "the game master",
        f"what {combatant} does",
        (FLEES, SURRENDERS),
        data=told,
        about=MoraleFails(combatant),
        formerly=f"what {mine.name} does",
    )
    gone = {f"grit.people.{combatant}.out": GONE[does]} if here else {}
    yield world.tell(GritBroke(combatant, does, why), gone)
    return {**told, "does": does}
