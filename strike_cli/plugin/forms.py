"""Schemas of sheets, content and tables of the state.

A schema checks a value, and says what is wrong with it.
"""

from ..faults import Fault, Faults, Place
from ..schemas_from_types import Default, form, form_of
from ..tabletop.data import COMBATANT, scene_form
from ..validation import (
    Anything,
    CheckedTable,
    Either,
    Fields,
    Flag,
    FromBook,
    Kind,
    Known,
    ListOf,
    Names,
    Number,
    OneOf,
    Record,
    Reference,
    TableOf,
    Text,
)

__all__ = [
    "COMBATANT",
    "Anything",
    "CheckedTable",
    "Default",
    "Either",
    "Fault",
    "Faults",
    "Fields",
    "Flag",
    "FromBook",
    "Kind",
    "Known",
    "ListOf",
    "Names",
    "Number",
    "OneOf",
    "Place",
    "Record",
    "Reference",
    "TableOf",
    "Text",
    "form",
    "form_of",
    "scene_form",
]
