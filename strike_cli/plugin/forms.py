"""Forms of sheets, content and tables of state.

A form checks a value, and says what is wrong with it.
"""

from ..faults import Fault, Faults, Place
from ..tabletop.scene_schema import scene_form
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
    "Anything",
    "CheckedTable",
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
    "scene_form",
]
