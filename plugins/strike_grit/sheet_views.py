"""A character's Grit on the sheet and on a player's phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.plugin import World
from strike_cli.plugin.views import Holding, Line, OwnSheet, SheetPart, SheetView, Span, Table, Views

from .attack import Weapon, weapons_and_bare_hands
from .dice import ATTRIBUTES, die_name
from .vitals import UP, GritVitals, sheet_of

if TYPE_CHECKING:
    from .data import GritWeapon


class GritViews(Views):
    """A character's Grit, as the sheet and the player's phone show it."""

    def sheet(self, world: World, person: str) -> SheetView:
        """Return Grit, Armor, dice and weapons; nothing if the character's sheet has no Grit."""
        if "grit" not in world.book.characters.get(person, {}):
            return SheetView()
        one = GritVitals.of_person(world, person)
        dice = {each: die_name(one[each]) for each in ATTRIBUTES}
        parts = [f"{one['grit']}/{one.maximum('grit')} Grit", f"Armor {one['armor']}"]
        for each, die in dice.items():
            most = die_name(one.maximum(each))
            parts.append(f"{each.upper()} {die}" + (f" of {most}" if die != most else ""))
        line: Line = [("By Grit  ", "strong"), " · ".join(parts)]
        if one.state != UP:
            line = [*line, f" · {one.state}"]
        rows: list[list[Span]] = [
            [
                (f"  {name}", "name"),
                " ".join(map(die_name, weapon.dice)),
                weapon.range,
                ", ".join([weapon.attribute.upper(), *_blast_words(weapon)]),
                weapon.critical or "-",
            ]
            for name, weapon in weapons_and_bare_hands(world, person).items()
        ]
        now = {"grit": one["grit"], "max_grit": one.maximum("grit"), **dice, "state": one.state}
        data = {"grit": {**sheet_of(world, person), **now}}
        table = Table(["  Weapon", "Dice", "Range", "Against", "Critical Damage"], rows)
        return SheetView(
            data=data, column=("Grit", f"{one['grit']}/{one.maximum('grit')}"), blocks=[line, table]
        )

    def own_sheet(self, world: World, person: str) -> OwnSheet:
        """Return a character as its player sees it: Armor and weapons.

        Outside fights, Grit and dice are included too.
        """
        if "grit" not in world.book.characters.get(person, {}):
            return OwnSheet()
        one = GritVitals.of_person(world, person)
        numbers = [("Armor", str(one["armor"]))]
        if person not in world.get("grit.people", {}):
            dice = [(each.upper(), die_name(one[each])) for each in ATTRIBUTES]
            numbers = [("Grit", f"{one['grit']}/{one.maximum('grit')}"), *dice, *numbers]
        weapons = [
            Holding(name, _weapon_words(weapon))
            for name, weapon in weapons_and_bare_hands(world, person).items()
        ]
        return OwnSheet(numbers, parts=[SheetPart("Weapons", weapons)])


def _blast_words(weapon: Weapon) -> list[str]:
    """Return the word "blast" in a list, with the radius if the weapon has one.

    The list is empty for a weapon without a blast.
    """
    return [f"blast {weapon.blast_radius}" if weapon.blast_radius else "blast"] if weapon.blast else []


def weapon_in_words(_book: object, weapon: GritWeapon) -> str:
    """Return a weapon of the book in words, with its dice, range, attribute and Critical Damage."""
    return _weapon_words(Weapon.from_table("", weapon))


def _weapon_words(weapon: Weapon) -> str:
    """Return a weapon in words, such as `d6, near, against WIL, blast. Critical Damage: it lets go.`."""
    words = [" ".join(map(die_name, weapon.dice)), weapon.range, f"against {weapon.attribute.upper()}"]
    told = ", ".join([*words, *_blast_words(weapon)])
    return f"{told}. Critical Damage: {weapon.critical}" if weapon.critical else told
