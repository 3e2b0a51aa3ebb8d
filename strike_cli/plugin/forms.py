"""Schemas of sheets, content and tables of the state.

A schema checks a value, and says what is wrong with it.
"""

from ..deprecated_api_names import make_module_getattr_for_old_names
from ..file_faults import Fault, Faults, Place
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
from ..validation_schemas_from_types import Default, form, form_of

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
__getattr__ = make_module_getattr_for_old_names(__name__, _NEW_NAMES)
