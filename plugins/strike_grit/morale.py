"""Morale Saves: when they are due, and what they do (GRT-11).

Each occasion is recorded when it happens. By the house rule `grit.morale`, Saves are made once the foes have
acted ("queued") or at once ("immediate"). Several occasions that come together are one Save.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strike_cli.plugin import Args, Choose, Procedure, Refused, World
from strike_cli.plugin.facts import Clause, Said

from .dice import PLAINLY, DieReasons, die_name
from .facts import (
    COMPANION,
    CRITICAL,
    DEAD,
    OCCASIONS,
    GameMasterAsks,
    GritBroke,
    GritDaunted,
    GritMorale,
    MoraleFails,
    MoraleReasons,
    Occasion,
)
from .fight import GritFight
from .save import make_save, save_roller
from .vitals import FALLEN, UP, GritStanding, is_npc, people_in, state_of

if TYPE_CHECKING:
    from .data import GritMoraleCounts, GritMoraleData, MoraleDue, MoraleFaced

STAYS, FLEES, SURRENDERS = "stays", "flees", "surrenders"
GONE = {FLEES: "fled", SURRENDERS: "surrendered"}


class Morale(Args):
    """The arguments of `grit morale`.

    `because` is the occasion in words, if the game master calls for the Save.
    """

    who: str
    because: str = ""
    enhanced: Sequence[str] = ()
    impaired: Sequence[str] = ()


def due_morale_saves(fight: GritFight) -> dict[str, list[str]]:
    """Return the combatants for whom a Morale Save is due, with the occasions; the fallen make none."""
    return {
        combatant: list(fight.people[combatant]["due"])
        for combatant in fight.up()
        if fight.people[combatant].get("due")
    }


def due_saves_as_clauses(fight: GritFight) -> list[MoraleDue]:
    """Return the Morale Saves that are due, as results list them."""
    return [
        {"who": combatant, "why": " and ".join(OCCASIONS[each] for each in occasions)}
        for combatant, occasions in due_morale_saves(fight).items()
    ]


def note_harm(world: World, target: GritStanding, steps: int, before: str) -> Procedure[None]:
    """Record the Morale Saves that become due because somebody was harmed.

    After Critical Damage (`steps` above 0) it is one of their own. If they fell or died, it is one for each
    of their companions. `before` is the state they were in until then.
    """
    people = people_in(world)
    if target.who not in people:
        return
    if steps:
        yield from _record_daunted(world, target.who, CRITICAL)
    if target.state != before and target.state in (DEAD, FALLEN["str"]):
        side = people[target.who]["side"]
        for combatant, one in people.items():
            if combatant != target.who and one["side"] == side:
                yield from _record_daunted(world, combatant, COMPANION)


def _record_daunted(world: World, combatant: str, occasion: str) -> Procedure[None]:
    one = GritFight(world).people[combatant]
    known = [*one.get("due", ()), *one.get("faced", ())]
    if occasion in known or state_of(one) != UP or not is_npc(world, combatant):
        return
    sets = {f"grit.people.{combatant}.due": [*one.get("due", ()), occasion]}
    yield world.tell(GritDaunted(combatant, occasion), sets)


def face_at_once(world: World) -> Procedure[list[MoraleDue]]:
    """Return the Morale Saves that are due. If a house rule wants it so, they are made first."""
    fight = GritFight(world)
    waiting = due_saves_as_clauses(fight)
    if world.book.house["grit.morale"] == "immediate":
        for one in waiting:
            faced = yield from roll_morale_save(world, one["who"])
            one["die"], one["roll"], one["success"] = faced["die"], faced["roll"], faced["success"]
            one["why"], one["does"] = faced["why"], faced.get("does", STAYS)
    return waiting


def play_morale(world: World, args: Morale) -> Procedure[GritMoraleData]:
    """Play `grit morale`: a Save that is due, or one for which the game master calls.

    Raises Refused for a player's character, and for somebody who isn't up.
    """
    standing = GritStanding.of(world, args.who)
    if not is_npc(world, args.who):
        raise Refused(
            f"{standing.name} is a player's character, and players decide for themselves.",
            "Hirelings have `hireling = true` on their sheet.",
        )
    if not standing.is_up:
        raise Refused(f"{standing.name} is {standing.state}.", "`strike grit show` shows everybody standing.")
    faced = yield from roll_morale_save(
        world, args.who, DieReasons(args.enhanced, args.impaired), args.because
    )
    return {"who": args.who, **faced}


def odds_key(data: GritMoraleData) -> GritMoraleCounts:
    """Return the values that `strike odds grit morale` counts."""
    return {"success": data["success"]}


def roll_morale_save(
    world: World, combatant: str, reasons: DieReasons = PLAINLY, because: str = ""
) -> Procedure[MoraleFaced]:
    """Play a Morale Save with WIL. If it fails, the game master chooses flight or surrender."""
    here = people_in(world).get(combatant)
    occasions = list(here.get("due", ())) if here else []
    why: list[Clause] = [Occasion(each) for each in occasions]
    if because or not occasions:
        why = [Said(because)] if because else [GameMasterAsks()]
    mine = save_roller(world, combatant, "wil")
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
