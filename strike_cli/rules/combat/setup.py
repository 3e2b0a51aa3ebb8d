"""Beginning a fight and rolling for initiative (STR-TAC-01, 02)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...problems import Refused
from ..contributions import reasons_for
from ..dice import roll_die
from ..grid import Square, footprint, format_square, parse_square
from ..numbers import numbers
from ..procedure import Choose, Procedure, World
from .fight import Fight, grid_of, path_of
from .terrain import Layout, read_layout


def play_start(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat start`: everybody at full HP where the encounter's map has them (STR-TAC-15).

    Args: encounter, goal, party (character ids, in the order of the map's party squares).
    """
    if world.state.get("fight"):
        name = world.get("fight.name")
        raise Refused(
            f"{name} is still going on.", "`strike combat finish` or `strike combat abandon` ends it."
        )
    encounter = world.book.encounters[args["encounter"]]
    layout = read_layout(encounter)
    combatants: dict[str, Any] = {}
    loose = [who for who in args["party"] if who not in layout.place.values()]
    for who, square in zip(loose, _party_squares(layout, len(loose)), strict=True):
        combatants[who] = _combatant(world, who, who, "party", square, world.book.characters[who]["name"])
    for sign, ref in layout.place.items():
        if ref != "party":
            _place(world, combatants, encounter, sign, ref, layout.squares.get(sign, []), args["party"])
    fight = {
        "id": args["encounter"],
        "name": encounter["name"],
        "goal": args["goal"] or encounter["goal"],
        "round": 0,
        "map": layout.board,
        "combatants": combatants,
    }
    if layout.zones:
        fight["zones"] = layout.zones
    _check_room(fight)
    goal = f" The goal: {fight['goal']}." if fight["goal"] else ""
    text = f"{encounter['name']} begins.{goal}"
    yield world.happen("fight-started", "", text, {"fight": fight}, encounter=args["encounter"])
    return {
        "encounter": args["encounter"],
        "name": fight["name"],
        "goal": fight["goal"],
        "combatants": combatants,
    }


def _check_room(fight: Mapping[str, Any]) -> None:
    """Raises Refused where somebody's squares are blocked, or somebody else's."""
    grid = grid_of(fight["map"])
    taken: dict[Square, str] = {}
    for one in fight["combatants"].values():
        square, size, name = parse_square(one["at"]), one["size"], one["name"]
        needs = f"{name} at {one['at']} needs {f'{size} x {size} squares' if size > 1 else 'a free square'}"
        mend = "Move it on the encounter's map: a sign stands for the top left square."
        if not grid.fits(square, size):
            raise Refused(f"{needs}, and a wall or the edge is in the way.", mend)
        for part in footprint(square, size):
            if part in taken:
                raise Refused(f"{needs}, and {taken[part]} is there.", mend)
            taken[part] = name


def _party_squares(layout: Layout, count: int) -> list[Square]:
    squares = [
        square
        for sign, ref in layout.place.items()
        if ref == "party"
        for square in layout.squares.get(sign, [])
    ]
    if len(squares) < count:
        raise Refused(
            f"The map has {len(squares)} party squares for {count} characters.",
            "Add party squares to the encounter's map, or name fewer with --party.",
        )
    return squares[:count]


def _place(
    world: World,
    combatants: dict[str, Any],
    encounter: Mapping[str, Any],
    sign: str,
    ref: str,
    squares: Sequence[tuple[int, int]],
    party: Sequence[str],
) -> None:
    """One combatant for each square that bears the sign, numbered where there are several."""
    side = encounter["side"].get(sign, "enemies")
    if ref in world.book.characters:
        side = encounter["side"].get(sign, "party")
        for square in squares[:1] if side != "party" or ref in party else []:
            combatants[ref] = _combatant(world, ref, ref, side, square, world.book.characters[ref]["name"])
        return
    short = ref.rpartition(":")[2]
    before = sum(1 for combatant in combatants.values() if combatant["ref"] == ref)
    several = before + len(squares) > 1 or short in combatants
    number = before
    for square in squares:
        number += 1
        while f"{short}-{number}" in combatants:  # of another plugin's creature of that name
            number += 1
        name = world.book.creatures[ref]["name"]
        key, shown = (f"{short}-{number}", f"{name} {number}") if several else (short, name)
        combatants[key] = _combatant(world, key, ref, side, square, shown)
        if world.book.creatures[ref]["hidden"]:
            combatants[key]["hidden"] = True


def _combatant(
    world: World, who: str, ref: str, side: str, square: tuple[int, int], name: str
) -> dict[str, Any]:
    sheet = world.book.characters.get(ref) or world.book.creatures[ref]
    hp = sheet.get("hp", numbers("combat")["defaults"]["hp"])
    return {
        "name": name,
        "ref": ref,
        "side": side,
        "at": format_square(square),
        "size": sheet.get("size", 1),
        "hp": hp,
        "max_hp": hp,
    }


def play_initiative(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
    """`combat initiative`: a die each, high first, enemies before players, tied players choose."""
    fight = Fight(world)
    if fight.data["round"]:
        raise Refused("Initiative has been rolled.", "`strike combat show` has the order.")
    rolls = []
    sets: dict[str, Any] = {"fight.round": 1}
    totals: dict[str, int] = {}
    for who in fight.in_the_fight():
        reasons, modifiers = reasons_for(world, who, "initiative")
        rolled = yield from roll_die(who, "initiative", reasons, modifiers)
        rolls.append(rolled.as_json())
        totals[who] = rolled.total
        sets[path_of(who, "initiative")] = rolled.total
    order = yield from _order(world, totals)
    sets["fight.order"] = order
    text = "Initiative: " + ", ".join(f"{fight.name(who)} {totals[who]}" for who in order) + "."
    yield world.happen("initiative-rolled", "", text, sets, rolls=rolls)
    return {"order": order, "rolls": rolls}


def _order(world: World, totals: Mapping[str, int]) -> Procedure[list[str]]:
    fight = Fight(world)
    order: list[str] = []
    for total in sorted(set(totals.values()), reverse=True):
        tied = [who for who in totals if totals[who] == total]
        order += [who for who in tied if not fight.is_player(who)]
        players = [who for who in tied if fight.is_player(who)]
        while len(players) > 1:
            labels = tuple(f"{fight.name(who)} first" for who in players)
            first = yield Choose("the party", f"initiative tie on {total}", tuple(players), labels)
            players.remove(first)
            order.append(first)
        order += players
    return order
