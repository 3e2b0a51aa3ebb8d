"""Forms of what is written: sheets, content, tables of state. A form checks a value, and says what is wrong
with it."""

from ..tabletop.scene_schema import scene_form
from ..validation import (
    Anything,
    CheckedTable,
    Either,
    Faults,
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
    "Record",
    "Reference",
    "TableOf",
    "Text",
    "scene_form",
]
