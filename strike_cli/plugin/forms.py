"""Schemas of sheets, content and tables of the state.

A schema checks a value, and says what is wrong with it.
"""

from ..faults import Fault, Faults, Place
from ..old_names import old_names_of
from ..schemas_from_types import Default, form, form_of
from ..tabletop.data import COMBATANT, scene_schema
from ..validation import (
    CheckedTable,
    Either,
    Fields,
    Flag,
    ItemsOrNames,
    Kind,
    KnownItemId,
    ListOf,
    Names,
    Number,
    OneOf,
    Record,
    Reference,
    TableOf,
    Text,
    UncheckedTable,
)

__all__ = [
    "COMBATANT",
    "CheckedTable",
    "Default",
    "Either",
    "Fault",
    "Faults",
    "Fields",
    "Flag",
    "ItemsOrNames",
    "Kind",
    "KnownItemId",
    "ListOf",
    "Names",
    "Number",
    "OneOf",
    "Place",
    "Record",
    "Reference",
    "TableOf",
    "Text",
    "UncheckedTable",
    "form",
    "form_of",
    "scene_schema",
]

_NEW_NAMES = {
    "Anything": "UncheckedTable",
    "FromBook": "ItemsOrNames",
    "Known": "KnownItemId",
    "scene_form": "scene_schema",
}
"""The new names of exported objects, by their old names, which go on for a version."""
__getattr__ = old_names_of(__name__, _NEW_NAMES)
