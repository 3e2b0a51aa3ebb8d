"""The schema of a table, made from the type with which code reads the table.

Required keys must exist, unknown ones may not, and each value must have its type, or fit the Kind that its
annotation names. Begin with `form_of`.
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

from .faults import Fault, Faults, Place
from .problems import PluginProblem
from .untrusted_data_reader import line_of_keys
from .validation import (
    Also,
    Anything,
    Field,
    Flag,
    Kind,
    ListOf,
    Number,
    OneOf,
    Record,
    TableOf,
    Text,
    Unchecked,
)

T = TypeVar("T")


class Keys(NamedTuple):
    """The keys that a table must have; no others are allowed."""

    keys: tuple[str, ...]


class Default(NamedTuple):
    """The value of a key that was left out."""

    value: object


def form(
    *also: Also, of: type[Record] = Record, keys: Mapping[str, object] = MappingProxyType({})
) -> Callable[[type[T]], type[T]]:
    """Return a decorator that adds to the schema of a TypedDict.

    `also` are checks of the whole table. `of` is the class of the schema, if that resolves names in its own
    way. `keys` replaces the schema of inherited keys by another Kind or type, or by a Kind and a default;
    None removes a key.
    """

    def attach_form(kind: type[T]) -> type[T]:
        kind.__form__ = of, also, keys  # type: ignore[attr-defined]  # read by `form_of` alone
        return kind

    return attach_form


Faces = Annotated[dict[str, T], Keys(("1", "2", "3", "4", "5", "6"))]
"""A value for each face of a d6."""


def check_typed_table(table: object, kind: type, file: str, text: str) -> None:
    """Raise PluginProblem, with each fault and its line, if the table in a file doesn't fit its TypedDict.

    `text` is the text of the file.
    """
    faults: Faults = []
    form_of(kind).check(table, Place(), faults)
    if faults:
        found = (
            Fault(each.place, each.what, line_of_keys(text, each.place.names())) for each in faults[:_MOST]
        )
        told = "\n".join(map(str, found))
        hint = "It comes with what is installed: fix that line, or install it again."
        raise PluginProblem(f"{file}: {told}", hint)


_MOST = 5
"""The most faults that are reported at once: more of them follow from these."""


def form_of(hint: object, book: object = None) -> Kind:
    """Return the Kind for an annotation.

    The annotation may be a TypedDict, a list, a table by names, text, a number, a flag, or a word out of a
    closed set. If the annotation is or contains a Kind, this Kind is returned, fitted to the `book`. A Kind
    may name items of the book.
    """
    if isinstance(hint, Kind):
        return hint.of_book(book)
    read = read_annotation(hint)
    for each in read.said:
        if isinstance(each, Kind):
            return each.of_book(book)
        if isinstance(each, Keys):
            return Record(**dict.fromkeys(each.keys, (form_of(read.parts[1], book), ...)))
    if isinstance(read.kind, type) and is_typeddict(read.kind):
        return _record_of(read.kind) if book is None else _record_of.__wrapped__(read.kind, book)
    return _compound_form(read, book) if read.parts else _PLAIN[read.kind]()


def _compound_form(read: Annotation, book: object) -> Kind:
    """Return the Kind for a type with parameters: a union, a list, a literal or a mapping."""
    if read.kind is Union:
        (inner,) = (part for part in read.parts if part is not NoneType)  # TOML has no null
        return form_of(inner, book)
    if read.kind is Sequence:
        return ListOf(form_of(read.parts[0], book))
    if read.kind is Literal:
        return OneOf(*read.parts)
    key, item = read.parts
    if item is object:
        return Anything()
    return TableOf(form_of(item, book), None if key is str else form_of(key, book))


class Annotation(NamedTuple):
    """A parsed annotation.

    `kind` is a plain type, or one of four types with `parts`. The parts of a Literal are its values. Those of
    a Union are its alternative types. Those of a Mapping are the types of a key and of an item, and the part
    of a Sequence is the type of an item. `said` has the other arguments of Annotated. `needed` is True for
    Required, False for NotRequired, None for neither.
    """

    kind: object
    parts: tuple[object, ...]
    said: tuple[object, ...]
    needed: bool | None


def read_annotation(hint: object) -> Annotation:
    """Return an annotation, parsed."""
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


_PLAIN: Mapping[object, type[Kind]] = {str: Text, int: Number, bool: Flag, object: Unchecked}


def declared_form(found: object, book: object = None) -> Kind:
    """Return the Kind for a schema that a system declares.

    `found` is a Kind, a TypedDict, a generic type such as `Mapping[str, int]`, or a function from the `book`
    to a Kind.
    """
    if isinstance(found, Kind) or is_typeddict(found) or get_origin(found):
        return form_of(found, book)
    make: Callable[[object], Kind] = found  # type: ignore[assignment]  # by `System.state`
    return make(book)


def declared_fields(found: object, book: object = None) -> Mapping[str, Field]:
    """Return the fields that a system declares: `found` is a mapping, a TypedDict, or a function.

    The function is called with the `book`.
    """
    if isinstance(found, type):
        return fields_of_typed_dict(found, book)
    return found(book) if callable(found) else found  # type: ignore[return-value]  # by `Content.fields`


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
    """Return the keys of a TypedDict, each with its annotation, Kind or field, and its default."""
    keys: list[tuple[str, object, object]] = []
    *_, instead = vars(kind).get("__form__", _USUAL)
    needed: frozenset[str] = kind.__required_keys__  # type: ignore[attr-defined]  # a TypedDict has it
    for name, hint in get_type_hints(kind, include_extras=True).items():
        _, _, said, needs = read_annotation(hint)
        # Of annotations that are text only the hints say whether a key may be left out.
        usual = ... if needs or (needs is None and name in needed) else None
        default = next((each.value for each in said if isinstance(each, Default)), usual)
        own = instead.get(name, hint)
        if own is not None:
            keys.append((name, own, default))
    return keys
