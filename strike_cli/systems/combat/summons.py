"""Summons: creatures that a power brings into the fight, how long they stay, and when they act."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.tabletop.grid import Square, footprint, format_square, gap

from .auras import begin_auras
from .creatures import combatant, name_them
from .facts.fights import Left
from .facts.initiative import InitiativeRolled
from .facts.powers import Noted
from .facts.summons import NoRoomFor, SummonAt, Summoned, SummonLasts
from .fight import Fight, path_of
from .powers import Deed, signed
from .reinforcements import go, take_places
from .setup import roll_initiative
from .steps import Step

MOST_SUMMONED = 6
"""Those of one maker who are there at one time."""
MOST_PLACES = 40


def do_summon(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """So many of a creature come, near the one whom the step is for, on the side of who uses the power."""
    for _ in range(step.get("amount", 1)):
        fight = Fight(world)
        if len(summoned_by(fight, deed.who)) >= MOST_SUMMONED or not fight.is_on_map(one):
            break
        if not (yield from _come(world, deed, step, one)):
            break


def summoned_by(fight: Fight, maker: str) -> list[str]:
    """Those whom somebody has summoned, and who are still there."""
    return [
        who for who in fight.in_the_fight() if fight.combatant(who).get("summoned", {}).get("by") == maker
    ]


def _come(world: World, deed: Deed, step: Step, one: str) -> Procedure[bool]:
    fight, ref = Fight(world), step["creature"]
    sheet = world.book.creatures[ref]
    size = sheet.get("size", 1)
    places = {format_square(square): square for square in _places(fight, one, size, step.get("near", 1))}
    name = str(sheet["name"])
    if not places:
        yield signed(deed, one, world.tell(Noted(one, NoRoomFor(name, deed.who))))
        return False
    where = next(iter(places))
    if len(places) > 1:
        where = yield Choose(
            deed.who,
            f"{ref} comes to",
            tuple(places),
            about=SummonAt(deed.who, ref),
            formerly=f"{name} comes to",
        )
    fog = "seen" in fight.data
    ((key, called),) = name_them(world, ref, 1, fight.data["combatants"], uncounted=fog)
    lasts: dict[str, Any] = {"by": deed.who, "ends": step.get("duration", "encounter")}
    lasts |= {name: True for name in ("stays",) if step.get(name)}
    if lasts["ends"] == "turn-end" and fight.data.get("active") == deed.who:
        lasts["later"] = True
    new = {**combatant(world, ref, fight.side(deed.who), places[where], called), "summoned": lasts}
    for key_of in ("hidden", *(["turns"] if step.get("turns", "own") != "own" else [])):
        new.pop(key_of, None)
    yield world.tell(Summoned(key, deed.who, where), {f"fight.combatants.{key}": new})
    yield from begin_auras(world, key)
    yield from _take_turns(world, key, deed.who, step.get("turns", "own"))
    return True


def _places(fight: Fight, one: str, size: int, near: int) -> Iterator[Square]:
    """Free squares so near to somebody, those nearest to their enemies first."""
    taken, at, own = fight.occupied(), fight.at(one), fight.size(one)
    to_foes = fight.measure_to_foes(one)
    x, y = at
    found = [
        (right, down)
        for down in range(max(0, y - near - size + 1), y + own + near)
        for right in range(max(0, x - near - size + 1), x + own + near)
        if fight.grid.fits((right, down), size)
        and taken.keys().isdisjoint(footprint((right, down), size))
        and 1 <= gap(at, own, (right, down), size) <= near
        and fight.grid.line_of_sight(at, (right, down), own, size)
    ]

    def worth(square: Square) -> tuple[int, int, int]:
        return to_foes(square, size), square[1], square[0]

    yield from sorted(found, key=worth)[:MOST_PLACES]


def _take_turns(world: World, who: str, maker: str, turns: str) -> Procedure[None]:
    """Places in the order: by a die of their own, right after their maker's, or none."""
    fight = Fight(world)
    if turns == "none" or not fight.data["round"]:
        return
    if turns == "own":
        for rolled in (yield from roll_initiative(fight, who)):
            yield from take_places(world, [who], rolled.total)
        return
    order = list(fight.data["order"])
    place = order.index(maker) + 1 if maker in order else len(order)
    order[place:place] = [who]
    sets: dict[str, Any] = {"fight.order": order}
    if maker in fight.data["order"] and fight.data.get("active") != maker and fight.turns_taken(maker):
        sets |= fight.count_turn(who)
    yield world.tell(InitiativeRolled(who), sets)


# Going


def do_dismiss(world: World, deed: Deed, step: Step, one: str) -> Procedure[None]:
    """Somebody who was summoned goes."""
    if "summoned" in Fight(world).combatant(one):
        yield from dismiss(world, one)


def dismiss(world: World, who: str) -> Procedure[None]:
    """Somebody who was summoned is gone."""
    if not Fight(world).is_out(who):
        yield from go(world, who, Left(who, gone=True))


def end_turn_of(world: World, moment: str, of: str) -> Procedure[None]:
    """Summons that last until this moment (`turn-start`, `turn-end`) of their maker's turn go."""
    for who, one in list(Fight(world).data["combatants"].items()):
        lasts = one.get("summoned")
        if lasts and lasts["by"] == of and lasts["ends"] == moment and not Fight(world).is_out(who):
            if lasts.get("later"):
                yield world.tell(SummonLasts(who), {path_of(who, "summoned.later"): None})
            else:
                yield from dismiss(world, who)


def follow_their_maker(world: World, gone: str) -> Procedure[None]:
    """Summons of somebody who is out of the fight go, but those that stay."""
    for who in summoned_by(Fight(world), gone):
        if not Fight(world).combatant(who)["summoned"].get("stays"):
            yield from dismiss(world, who)
