"""The condition of a combatant: Grit, Armor, the dice of attributes, and the resulting state.

During a fight, these numbers are in the scene's table. Between fights, a number is stored only if it differs
from the character's sheet. The rules are GRT-01 and 08.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Sets, World, display_name
from strike_cli.plugin.tactics import sheet_with

from .dice import ATTRIBUTES, BURDENED, TRACK, sides_of

if TYPE_CHECKING:
    from .data import GritPerson, GritScene, GritSheet, Unsettled

Numbers = Mapping[str, object]
KEPT = ("grit", *ATTRIBUTES, "aided", "out")
"""The keys of what is stored for a character between fights, if it differs from the sheet."""
FALLEN = {"str": "incapacitated", "dex": "paralysed", "wil": "catatonic"}
"""The state of a combatant whose attribute is at zero, the gravest first (GRT-08)."""
UP = "up"


def people_in_fight(world: World) -> Mapping[str, GritPerson]:
    """Return everybody in the current fight, by id; empty without a fight."""
    scene = cast("GritScene | None", world.state.get("grit"))
    return scene["people"] if scene else {}


def states_of_attributes_at_zero(numbers: Numbers) -> list[str]:
    """Return the states that a combatant has because of attributes at zero, the gravest first.

    For somebody who got first aid, `incapacitated` isn't among them.
    """
    return [
        word
        for attribute, word in FALLEN.items()
        if numbers[attribute] == 0 and not (attribute == "str" and numbers.get("aided"))
    ]


def state_of(numbers: Numbers) -> str:
    """Return a combatant's state in a word.

    For somebody who is out of the fight, it says how, such as `dead` or `fled`. Otherwise it is the gravest
    state due to an attribute at zero, or `up` if there is none.
    """
    if out := numbers.get("out"):
        return str(out)
    return (
        UP
        if numbers["str"] and numbers["dex"] and numbers["wil"]
        else next(iter(states_of_attributes_at_zero(numbers)), UP)
    )


def full_strength_numbers(sheet: GritSheet) -> dict[str, int]:
    """Return the numbers of an unhurt combatant, from the `grit` table of their sheet.

    If the sheet has no number for Grit, it is 1, plus 1 for each step by which DEX and WIL are above a d4
    (GRT-01). A burdened combatant has no Grit (GRT-12).
    """
    dice = {"str": sides_of(sheet["str"]), "dex": sides_of(sheet["dex"]), "wil": sides_of(sheet["wil"])}
    steps = sum(TRACK.index(dice[attribute]) - 1 for attribute in ("dex", "wil"))
    grit = 0 if sheet["bulky"] > BURDENED else sheet.get("grit", 1 + steps)
    return {"grit": grit, **dice, "armor": sheet["armor"]}


def sheet_of(world: World, combatant: str) -> GritSheet:
    """Return the `grit` table of a character's or creature's sheet. Raises Refused if it has none."""
    ref = world.get(f"grit.people.{combatant}.ref", combatant)
    found: GritSheet = sheet_with(world, ref, "grit", "Grit", 'str = "d8", dex = "d6", wil = "d6"')["grit"]
    return found


def makes_morale_saves(world: World, combatant: str) -> bool:
    """Return whether a combatant makes Morale Saves (GRT-11).

    It is True for all creatures. Of the characters, it is True only for hirelings.
    """
    ref = world.get(f"grit.people.{combatant}.ref", combatant)
    return ref not in world.book.characters or bool(sheet_of(world, combatant)["hireling"])


class GritVitals:
    """A combatant's current numbers, to read and to change.

    `path` is where the state stores them. It is "" for a target that is given by numbers alone, and for a
    creature outside a fight: changes to such a target aren't stored.
    """

    def __init__(
        self, who: str, name: str, numbers: Numbers, path: str = "", full: Mapping[str, int] | None = None
    ) -> None:
        self.who = who
        self.name = name
        self.numbers = dict(numbers)
        self.path = path
        self._full = full
        """The numbers by the sheet, which need not be stored; None for a combatant in a fight."""

    @classmethod
    def of_person(cls, world: World, combatant: str) -> GritVitals:
        """Return the numbers of a combatant in the fight, of a party member, or of a creature by its sheet.

        Raises Refused if the sheet has no Grit.
        """
        here = people_in_fight(world).get(combatant)
        if here is not None:
            return cls(combatant, here["name"], here, f"grit.people.{combatant}")
        full = full_strength_numbers(sheet_of(world, combatant))
        own: Numbers = world.get(f"characters.{combatant}.grit", {})
        path = f"characters.{combatant}.grit" if combatant in world.book.characters else ""
        return cls(combatant, display_name(world, combatant), {**full, **own}, path, full)

    def __getitem__(self, key: str) -> int:
        return self.numbers[key]  # type: ignore[return-value]  # what is asked for so

    def maximum(self, key: str) -> int:
        """Return a number's value at full strength. `key` names the number."""
        return self._full[key] if self._full else self[f"max_{key}"]

    @property
    def unsettled_damage(self) -> Mapping[str, Unsettled]:
        """The Direct Damage that waits for `grit settle`, by attribute."""
        found: Mapping[str, Unsettled] = self.numbers.get("unsettled", {})  # type: ignore[assignment]  # so kept
        return found

    def change_and_return_sets(self, **new_numbers: object) -> Sets:
        """Change the combatant's numbers in this object, and return the same changes for the state.

        `values` has the new numbers by name. If the combatant's numbers aren't stored in the state, return
        {}. Outside a fight, a number that equals the full value on the sheet is removed from the state.
        """
        self.numbers.update(new_numbers)
        if not self.path:
            return {}
        return {
            f"{self.path}.{key}": None if self._full and value == self._full.get(key, False) else value
            for key, value in new_numbers.items()
        }

    @property
    def state(self) -> str:
        """The combatant's state in a word, as `state_of` returns it."""
        return state_of(self.numbers)

    @property
    def is_up(self) -> bool:
        """Whether the combatant is up, and so can act."""
        return self.state == UP
