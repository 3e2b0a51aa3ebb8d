"""A combatant's condition: Grit, Armor, a die for each attribute, and its states (GRT-01, 08).

In a fight it is in the scene's table; between fights a character's differences from the sheet are stored.
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
"""The numbers of a character that are stored between fights, where they differ from the sheet."""
FALLEN = {"str": "incapacitated", "dex": "paralysed", "wil": "catatonic"}
"""The state that an attribute at zero causes (GRT-08), the gravest first."""
UP = "up"


def people_in(world: World) -> Mapping[str, GritPerson]:
    """Return everybody in the fight under way, by id; nobody where there is none."""
    scene = cast("GritScene | None", world.state.get("grit"))
    return scene["people"] if scene else {}


def fallen(numbers: Numbers) -> list[str]:
    """Return the states of a combatant by attributes at zero. First aid ends `incapacitated`."""
    return [
        word
        for attribute, word in FALLEN.items()
        if numbers[attribute] == 0 and not (attribute == "str" and numbers.get("aided"))
    ]


def state_of(numbers: Numbers) -> str:
    """Return `up`, `incapacitated`, `paralysed`, `catatonic` or `dead`; or `fled` or `surrendered`."""
    if out := numbers.get("out"):
        return str(out)
    return UP if numbers["str"] and numbers["dex"] and numbers["wil"] else next(iter(fallen(numbers)), UP)


def full_strength(sheet: GritSheet) -> dict[str, int]:
    """Return the numbers of an unhurt combatant by the `grit` table of a sheet.

    Grit is 1, plus one for each step of DEX and WIL above a d4, unless it is written (GRT-01); a burdened
    combatant has none (GRT-12).
    """
    dice = {"str": sides_of(sheet["str"]), "dex": sides_of(sheet["dex"]), "wil": sides_of(sheet["wil"])}
    steps = sum(TRACK.index(dice[attribute]) - 1 for attribute in ("dex", "wil"))
    grit = 0 if sheet["bulky"] > BURDENED else sheet.get("grit", 1 + steps)
    return {"grit": grit, **dice, "armor": sheet["armor"]}


def sheet_of(world: World, combatant: str) -> GritSheet:
    """Return the `grit` table of a character's or a creature's sheet. Raises Refused where there is none."""
    ref = world.get(f"grit.people.{combatant}.ref", combatant)
    found: GritSheet = sheet_with(world, ref, "grit", "Grit", 'str = "d8", dex = "d6", wil = "d6"')["grit"]
    return found


def is_npc(world: World, combatant: str) -> bool:
    """Return whether a combatant makes Morale Saves (GRT-11).

    Hirelings do, and everybody else but player characters.
    """
    ref = world.get(f"grit.people.{combatant}.ref", combatant)
    return ref not in world.book.characters or bool(sheet_of(world, combatant)["hireling"])


class GritStanding:
    """A combatant's current numbers, and the changes made to them.

    It also works for a combatant who was only typed (`path` is empty), and for creatures in no fight.
    """

    def __init__(
        self, who: str, name: str, numbers: Numbers, path: str = "", full: Mapping[str, int] | None = None
    ) -> None:
        self.who = who
        self.name = name
        self.numbers = dict(numbers)
        self.path = path
        self._full = full
        """The numbers that need not be stored, since the sheet has them."""

    @classmethod
    def of(cls, world: World, combatant: str) -> GritStanding:
        """Return the standing of a combatant, a party member, or a creature by its sheet. Raises Refused."""
        here = people_in(world).get(combatant)
        if here is not None:
            return cls(combatant, here["name"], here, f"grit.people.{combatant}")
        full = full_strength(sheet_of(world, combatant))
        own: Numbers = world.get(f"characters.{combatant}.grit", {})
        path = f"characters.{combatant}.grit" if combatant in world.book.characters else ""
        return cls(combatant, display_name(world, combatant), {**full, **own}, path, full)

    def __getitem__(self, key: str) -> int:
        return self.numbers[key]  # type: ignore[return-value]  # what is asked for so

    def most(self, key: str) -> int:
        """Return a number at full strength."""
        return self._full[key] if self._full else self[f"max_{key}"]

    @property
    def unsettled(self) -> Mapping[str, Unsettled]:
        """The Direct Damage that waits to be settled, by its attribute."""
        found: Mapping[str, Unsettled] = self.numbers.get("unsettled", {})  # type: ignore[assignment]  # so kept
        return found

    def change(self, **values: object) -> Sets:
        """Change numbers; return the changes for a fact."""
        self.numbers.update(values)
        if not self.path:
            return {}
        return {
            f"{self.path}.{key}": None if self._full and value == self._full.get(key, False) else value
            for key, value in values.items()
        }

    @property
    def state(self) -> str:
        """The state of the person, as `state_of` names it."""
        return state_of(self.numbers)

    @property
    def is_up(self) -> bool:
        """Whether the person can act."""
        return self.state == UP
