"""Schemas of tables, made from the types with which code reads the tables.

A schema checks that required keys exist, that no key is unknown, and that each value has its type or fits the
`Kind` (a schema) in its annotation. Begin with `form_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Annotated,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from .file_faults import Fault, Faults, Place
from .problems import PluginProblem
from .untrusted_input import line_of_deepest_key_found
from .validation import (
    AnyValue,
    Field,
    Flag,
    Kind,
    ListOf,
    Number,
    OneOf,
    Record,
    TableCheck,
    TableOf,
    Text,
    UncheckedTable,
)

T = TypeVar("T")


class RequiredKeys(NamedTuple):
    """The keys that a table must have; no others are allowed."""

    keys: tuple[str, ...]


class Default(NamedTuple):
    """The value of a key that was left out."""

    value: object


def form(
    *also: TableCheck, of: type[Record] = Record, keys: Mapping[str, object] = MappingProxyType({})
) -> Callable[[type[T]], type[T]]:
    """Return a decorator that adds rules to the schema of a TypedDict.

    Args:
        *also: Checks of the whole table.
        of: The class of the schema.
        keys: New schemas for inherited keys. Each is a Kind, a type, or a Kind with a default. None removes
            the key.

    Returns:
        The decorator.
    """

    def attach_form(kind: type[T]) -> type[T]:
        kind.__form__ = of, also, keys  # type: ignore[attr-defined]  # read by `form_of` alone
        return kind

    return attach_form


PerFace = Annotated[dict[str, T], RequiredKeys(("1", "2", "3", "4", "5", "6"))]
"""A value for each face of a d6."""


def check_typed_table(table: object, kind: type, file: str, text: str) -> None:
    """Raise PluginProblem if the table in a file doesn't fit its TypedDict.

    The message has up to five faults, each with its line. `text` is the text of the file.
    """
    faults: Faults = []
    form_of(kind).check(table, Place(), faults)
    if faults:
        found = (
            Fault(each.place, each.what, line_of_deepest_key_found(text, each.place.names()))
            for each in faults[:_MOST_FAULTS]
        )
        told = "\n".join(map(str, found))
        hint = "It comes with what is installed: fix that line, or install it again."
        raise PluginProblem(f"{file}: {told}", hint)


_MOST_FAULTS = 5
"""The most faults that are reported at once: more of them follow from these."""


def form_of(hint: object, book: object = None) -> Kind:
    """Return the Kind (a schema) for a type annotation.

    The annotation may be a TypedDict, a list such as `list[str]`, a mapping such as `dict[str, int]`, text, a
    number, a flag, or a Literal. If the annotation is a Kind, or an `Annotated` with a Kind, that Kind is
    returned.

    `book` is the content of a campaign. If a Kind depends on content, such as the ids of powers, it takes
    that content from `book`.
    """
    if isinstance(hint, Kind):
        return hint.fitted_to_book(book)
    read = parse_annotation(hint)
    for each in read.said:
        if isinstance(each, Kind):
            return each.fitted_to_book(book)
        if isinstance(each, RequiredKeys):
            return Record(**dict.fromkeys(each.keys, (form_of(read.parts[1], book), ...)))
    if isinstance(read.kind, type) and is_typeddict(read.kind):
        return _record_of(read.kind) if book is None else _record_of.__wrapped__(read.kind, book)
    return _compound_form(read, book) if read.parts else _PLAIN[read.kind]()


def _compound_form(annotation: Annotation, book: object) -> Kind:
    """Return the Kind for a type with parameters: a union, a list, a literal or a mapping."""
    if annotation.kind is Union:
        (inner,) = (part for part in annotation.parts if part is not NoneType)  # TOML has no null
        return form_of(inner, book)
    if annotation.kind is Sequence:
        return ListOf(form_of(annotation.parts[0], book))
    if annotation.kind is Literal:
        return OneOf(*annotation.parts)
    key, item = annotation.parts
    if item is object:
        return UncheckedTable()
    return TableOf(form_of(item, book), None if key is str else form_of(key, book))


class Annotation(NamedTuple):
    """A type annotation, taken apart.

    `kind` is a plain type, or Literal, Union, Mapping or Sequence. For these four, `parts` has what is in the
    brackets:

    - Literal: its values.
    - Union: its alternative types.
    - Mapping: the type of a key, and the type of an item.
    - Sequence: the type of an item.

    If the annotation was `Annotated[TYPE, ...]`, `said` has everything after TYPE. `needed` is True for
    Required, False for NotRequired, and None if neither was written.
    """

    kind: object
    parts: tuple[object, ...]
    said: tuple[object, ...]
    needed: bool | None


def parse_annotation(hint: object) -> Annotation:
    """Return the parts of an annotation."""
    said: tuple[object, ...] = ()
    needed = None
    while (origin := get_origin(hint)) in (Annotated, Required, NotRequired):
        needed = needed if origin is Annotated else origin is Required
        hint, *beside = get_args(hint)
        said += tuple(beside)
    kind = origin or hint
    if origin is UnionType:
        kind = Union
    elif isinstance(origin, type):
        kind = next((each for each in (Mapping, Sequence) if issubclass(origin, each)), origin)
    return Annotation(kind, get_args(hint), said, needed)


_PLAIN: Mapping[object, type[Kind]] = {str: Text, int: Number, bool: Flag, object: AnyValue}


def declared_form(declared: object, book: object = None) -> Kind:
    """Return the Kind for a schema that a system declares.

    `declared` is a Kind, a TypedDict, a generic type such as `Mapping[str, int]`, or a function from the
    `book` to a Kind.
    """
    if isinstance(declared, Kind) or is_typeddict(declared) or get_origin(declared):
        return form_of(declared, book)
    make: Callable[[object], Kind] = declared  # type: ignore[assignment]  # by `System.state`
    return make(book)


def declared_fields(declared: object, book: object = None) -> Mapping[str, Field]:
    """Return the fields that a system declares, by their names: each has its Kind and its default.

    `declared` is a TypedDict, a mapping of such fields, or a function that returns this mapping for a `book`.
    The book is the content of a campaign.
    """
    if isinstance(declared, type):
        return fields_of_typed_dict(declared, book)
    return declared(book) if callable(declared) else declared  # type: ignore[return-value]  # by `Content.fields`


@cache
def _record_of(kind: type, book: object = None) -> Record:
    of, also, _ = vars(kind).get("__form__", _USUAL)
    whole: Record = of(*also, **fields_of_typed_dict(kind, book))
    return whole


_USUAL = Record, (), MappingProxyType[str, object]({})


def fields_of_typed_dict(kind: type, book: object = None) -> dict[str, Field]:
    """Return the keys of a TypedDict, each with its Kind and its default."""
    return {
        name: own if isinstance(own, tuple) else (form_of(own, book), default)
        for name, own, default in _annotated_keys(kind)
    }


@cache
def _annotated_keys(kind: type) -> list[tuple[str, object, object]]:
    """Return the keys of a TypedDict: for each key its name, its type and its default.

    The type is the key's annotation, unless the decorator `form` gives a new type for an inherited key. An
    inherited key that `form` removes is left out. The default is `...` if the key is required, and None if
    the key is optional without a default.
    """
    keys: list[tuple[str, object, object]] = []
    *_, instead = vars(kind).get("__form__", _USUAL)
    needed: frozenset[str] = kind.__required_keys__  # type: ignore[attr-defined]  # a TypedDict has it
    for name, hint in get_type_hints(kind, include_extras=True).items():
        _, _, said, needs = parse_annotation(hint)
        # Of annotations that are text only the hints say whether a key may be left out.
        usual = ... if needs or (needs is None and name in needed) else None
        default = next((each.value for each in said if isinstance(each, Default)), usual)
        own = instead.get(name, hint)
        if own is not None:
            keys.append((name, own, default))
    return keys
