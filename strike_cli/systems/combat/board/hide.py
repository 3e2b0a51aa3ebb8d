"""Hiding in a fight (STR-TAC-23): what it takes, and what ends it.

Rulings: hiding begins on one's own turn, out of every enemy's sight, with a free square beside one's own that
is out of sight, too. A full round later, at the start of the next turn, one is Hidden, unless an enemy has
seen one meanwhile. The Hidden stay so in cover or concealment from every enemy. Whom the game master put into
the fight hidden is not looked for: attacking, or the game master's word, reveals it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import Square, footprint, format_square
from strike_cli.tabletop.hand_facts import Hidden, Revealed

from ..facts.sight import ActionOver, Bumped, Exposed, Hiding, Spotted
from ..fight import Actor, Fight, path_of
from .areas import with_at
from .sight import CLEAR, in_cover, is_hidden_from, known_squares, view

if TYPE_CHECKING:
    from ..data import HideData, PersonData


class Hide(Actor):
    """`now`: the game master says that it has worked."""

    now: bool = False


def play_hide(world: World, args: Hide) -> Procedure[HideData]:
    """`combat hide`."""
    fight = Fight(world)
    who, name = args.who, fight.name(args.who)
    if fight.combatant(who).get("hidden"):
        raise Refused(f"{name} is Hidden already.")
    if args.now:
        sets = {path_of(who, "hidden"): True, path_of(who, "hiding"): fight.data["round"]}
        yield world.tell(Hidden(who), sets)
        return {"who": who, "hidden": True}
    fight.must_be_active(who)
    seer = _seer(fight, who)
    if seer:
        raise Refused(
            f"{fight.name(seer)} sees {name}.",
            "Hiding takes a full round out of every enemy's sight; --now says that it has worked.",
        )
    if not _has_room(fight, who):
        raise Refused(
            f"{name} has no room to move unseen: an enemy sees every free square beside.",
            "--now says that it has worked all the same.",
        )
    yield world.tell(Hiding(who), {path_of(who, "hiding"): fight.data["round"]})
    return {"who": who, "hidden": False}


def play_reveal(world: World, args: Actor) -> Procedure[PersonData]:
    """`combat reveal`: the game master says that somebody is Hidden no longer."""
    fight, who = Fight(world), args.who
    if not fight.combatant(who).get("hidden") and "hiding" not in fight.combatant(who):
        raise Refused(f"{fight.name(who)} is not Hidden.")
    yield from give_away(world, who)
    return {"who": who}


def give_away(world: World, who: str) -> Procedure[None]:
    """Somebody has done what reveals them; whoever neither hides nor is Hidden stays as they are."""
    fight = Fight(world)
    combatant = fight.combatant(who)
    if combatant.get("hidden") or "hiding" in combatant:
        sets = {path_of(who, "hidden"): None, path_of(who, "hiding"): None}
        yield world.tell(Revealed(who, hiding=not combatant.get("hidden")), sets)


def bumped_into(fight: Fight, who: str, mover: str, square: Square) -> str | None:
    """Somebody Hidden from `who` whom the mover would come to stand on, on a square (the top left one of
    theirs)."""
    taken = fight.occupied(skip=mover)
    others = (taken.get(part) for part in footprint(square, fight.size(mover)))
    return next((one for one in others if one and is_hidden_from(fight, one, who)), None)


def bump(world: World, mover: str, found: str, square: Square) -> Procedure[None]:
    """Somebody who would come to stand on a square comes upon one who is Hidden: that is told of no more than
    that there is one, and then of who is Hidden no longer (STR-TAC-23)."""
    fight = Fight(world)
    theirs = fight.squares_of(found)
    where = next((part for part in footprint(square, fight.size(mover)) if part in theirs), square)
    yield world.tell(Bumped(mover, format_square(where)))
    yield from give_away(world, found)


def look_around(world: World) -> Procedure[None]:
    """Whoever hides and is seen, or is Hidden and stands in the open, is so no longer: after every step. Who
    is acting stays Hidden until the action is over (STR-TAC-23)."""
    fight = Fight(world)
    acting = (fight.data.get("active"), fight.data.get("interrupt"))
    for who in list(fight.in_the_fight()):
        combatant = fight.combatant(who)
        if "hiding" not in combatant or "at" not in combatant:
            continue
        seer = _finder(fight, who) if combatant.get("hidden") else _seer(fight, who)
        if seer and combatant.get("hidden") and who in acting:
            exposed = world.get("fight.turn.exposed", [])
            if not any(who == other for other, _ in map(_pair, exposed)):
                yield world.tell(Exposed(who), {"fight.turn.exposed": [*exposed, f"{who}>{seer}"]})
        elif seer:
            yield from _spotted(world, who, seer)


def end_of_action(world: World) -> Procedure[None]:
    """Whoever came into the open by what they did is Hidden no longer now that it is done (STR-TAC-23)."""
    exposed = world.get("fight.turn.exposed")
    if not exposed:
        return
    yield world.tell(ActionOver(), {"fight.turn.exposed": None})
    for who, seer in map(_pair, exposed):
        if Fight(world).combatant(who).get("hidden"):
            yield from _spotted(world, who, seer)


def _pair(exposed: str) -> tuple[str, str]:
    who, _, seer = exposed.partition(">")
    return who, seer


def _spotted(world: World, who: str, seer: str) -> Procedure[None]:
    yield world.tell(Spotted(who, seer))
    yield from give_away(world, who)


def vanish(world: World, who: str) -> Procedure[None]:
    """At the start of a turn: who has been out of sight for a full round is Hidden."""
    fight = Fight(world)
    combatant = fight.combatant(who)
    since = combatant.get("hiding")
    if since is not None and not combatant.get("hidden") and since < fight.data["round"]:
        yield world.tell(Hidden(who), {path_of(who, "hidden"): True})


def _seer(fight: Fight, who: str) -> str | None:
    """An enemy whose eyes reach somebody."""
    seeing = (foe for foe in fight.foes_on_map(who) if not view(fight, foe, who, hidden=False).unseen)
    return next(seeing, None)


def _finder(fight: Fight, who: str) -> str | None:
    """An enemy before whom somebody has neither cover nor concealment."""
    for foe in fight.foes_on_map(who):
        in_the_open = view(fight, foe, who, hidden=False).how == CLEAR
        if in_the_open and not in_cover(fight, foe, who, melee=False):
            return foe
    return None


def _has_room(fight: Fight, who: str) -> bool:
    """Whether a free square beside somebody is out of every enemy's sight, too."""
    taken, size = known_squares(fight, who), fight.size(who)
    return any(
        not any(part in taken for part in footprint(square, size))
        and _seer(with_at(fight, who, square), who) is None
        for square in fight.grid.neighbours(fight.at(who), size)
    )
