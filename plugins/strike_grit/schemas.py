"""The forms: what sheets say of Grit, the fight under way, what is kept of a character (GRT-01)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.plugin import Checks
from strike_cli.plugin.board import LEFT
from strike_cli.plugin.forms import (
    Either,
    Fault,
    Fields,
    Flag,
    FromBook,
    Kind,
    ListOf,
    Names,
    Number,
    OneOf,
    Place,
    Record,
    Reference,
    TableOf,
    Text,
    scene_form,
)

from .dice import ATTRIBUTES, DICE, TRACK
from .fight import ENEMIES, PARTY
from .morale import GONE, OCCASIONS
from .reach import CLOSE, RANGES
from .vitals import DEAD

if TYPE_CHECKING:
    from .data import GritArmor, GritScene, GritWorn

DIE = OneOf(*DICE)
ATTRIBUTE = OneOf(*ATTRIBUTES)
WEAPON = Record(
    dice=(ListOf(DIE, 1), ...),
    range=(OneOf(*RANGES), CLOSE),
    attribute=(ATTRIBUTE, "str"),  # that its Direct Damage goes against
    blast=(Either(bool, Flag(), Number(1, 20)), False),  # it hits all in an area: so many squares around
    critical=(Text(), ""),  # what its Critical Damage does besides
    bulky=(Number(0, 9), 0),  # bulky items that it counts as
)
_IN_BOOK: Fields = {"name": (Text(), ...), "summary": (Text(), ""), "override": (Flag(), False)}
WEAPON_IN_BOOK = WEAPON.extended(_IN_BOOK)
"""`[grit_weapons.ID]`: a weapon that sheets have by naming it."""
ARMOR_IN_BOOK = Record(**_IN_BOOK, armor=(Number(0, 12), ...), bulky=(Number(0, 9), 0))
"""`[grit_armors.ID]`: what is worn or carried against damage."""


class _SheetOfGrit(Record):
    """A sheet. Armor by name is the sum of what is worn, and what is bulky counts by itself."""

    def resolve(self, value: object, where: Place, names: Names) -> Mapping[str, object]:
        found: GritWorn = super().resolve(value, where, names)  # type: ignore[assignment]  # of this form
        armor, bulky = found["armor"], found["bulky"]
        if isinstance(armor, list):
            known = [id for id in armor if names.has("grit_armors", id)]
            pieces: list[GritArmor] = [names.thing("grit_armors", id) for id in known]  # type: ignore[misc]  # of this form
            armor = sum(piece["armor"] for piece in pieces)
            bulky += sum(piece["bulky"] for piece in pieces)
        bulky += sum(weapon["bulky"] for weapon in found["weapons"].values())
        return {**found, "armor": armor, "bulky": bulky}


SHEET: Fields = {
    "grit": _SheetOfGrit(
        str=(DIE, ...),
        dex=(DIE, ...),
        wil=(DIE, ...),
        grit=Number(0, 99),  # else 1, and 1 for each step of DEX and WIL
        armor=(Either(list, ListOf(Reference("grit_armors")), Number(0, 12)), 0),
        bulky=(Number(0, 99), 0),  # bulky items; with more than two there is no Grit
        hireling=(Flag(), False),  # a character who makes Morale Saves
        weapons=(FromBook("grit_weapons", WEAPON), {}),
    )
}
"""What it adds to the sheets of characters and creatures."""

_SIDES = OneOf(*TRACK)
_NUMBERS: dict[str, Kind] = {"grit": Number(0), **dict.fromkeys(ATTRIBUTES, _SIDES), "aided": Flag()}
_MOST: Fields = {f"max_{key}": (_NUMBERS[key], ...) for key in ("grit", *ATTRIBUTES)}
_HELD = Record(direct=(Number(1), ...), effect=Text(), enhanced=ListOf(Text()), impaired=ListOf(Text()))
STATE = scene_form(
    {
        **{key: (kind, ...) if key != "aided" else kind for key, kind in _NUMBERS.items()},
        **_MOST,
        "armor": (Number(0), ...),
        "wields": Text(),  # the weapon that they attacked with last
        "moved": Record(round=(Number(1), ...), squares=(Number(0), ...), diagonals=Number(0)),
        "surprised": Flag(),  # does nothing in the first round
        "due": ListOf(OneOf(*OCCASIONS)),
        "faced": ListOf(OneOf(*OCCASIONS)),
        "unsettled": TableOf(_HELD, ATTRIBUTE),
    }
)
"""`[grit]` of state.toml."""


def character_state(book: object) -> dict[str, Record]:
    """`[characters.ID.grit]` of state.toml: what isn't as the sheet says."""
    return {"grit": Record(**_NUMBERS, out=OneOf(DEAD))}


def state_faults(state: Mapping[str, object]) -> Iterator[Fault]:
    """Yield the faults of a fight beyond its form."""
    fight = cast("GritScene", state["grit"])
    if fight.get("active") not in (PARTY, ENEMIES):
        yield Fault(Place("grit", "active"), f"should be {PARTY} or {ENEMIES}")
    if fight.get("turns") != "sides" or not fight.get("round"):
        yield Fault(Place("grit"), "turns should be sides, and round 1 or more")
    for who, one in fight["people"].items():
        place = Place("grit", "people", who)
        if one.get("out") not in (None, DEAD, LEFT, *GONE.values()):
            yield Fault(place / "out", f"should be {DEAD}, {LEFT}, {' or '.join(GONE.values())}")
        if one.get("side") not in (PARTY, ENEMIES) or "ref" not in one:
            yield Fault(place, f"needs a ref, and {PARTY} or {ENEMIES} as its side")


class GritChecks(Checks):
    """Faults that no form finds."""

    def state(self, state: Mapping[str, object]) -> Iterable[Fault]:
        return state_faults(state)
