"""A small schema language for files that people write.

A Kind checks a value, and returns it with defaults filled in. Faults are collected, not raised: all of them
are reported at once, with file and key. After all files are checked, `resolve` replaces names of other items
by full ids.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import date, time
from typing import ClassVar, Never, Protocol

from .deprecated_api_names import OldName
from .file_faults import Fault, Faults, Place
from .problems import cut_long_lines, did_you_mean, listed

CheckedTable = dict[str, object]
"""A table that somebody wrote, while it is checked: defaults are filled in, and a check may complete it."""
TableCheck = Callable[[Never, Place, Faults], None]
"""A check of a whole table besides the form of each key: a function that appends to the faults. Its argument
is the TypedDict that its record checks.
"""


class Names(Protocol):
    """The items that a name can mean, by kind of content and full id."""

    def has(self, kind: str, id: str) -> bool:
        """Return whether an item with this full id exists."""

    def full_id(self, kind: str, name: str, where: Place) -> str:
        """Return the full id that a name means.

        For an unknown or ambiguous name, add a fault and return the name unchanged.
        """

    def id_if_known(self, kind: str, name: str) -> str:
        """Return the full id that a name means; "" if the name means no item, or several.

        No fault is added.
        """

    def resolved_item(self, kind: str, id: str) -> Mapping[str, object]:
        """Return an item of a kind of content, in which full ids have replaced names.

        This kind of content must have been resolved before.
        """

    def add_fault(self, fault: Fault) -> None:
        """Add a fault to the faults found so far."""


class Kind:
    """The schema of a value: it checks the value and fills in defaults."""

    may_contain_names: ClassVar[bool] = False
    """Whether a value may contain names of other things, which `resolve` looks up."""

    def __init_subclass__(cls) -> None:
        cls.may_contain_names = cls.resolve is not Kind.resolve

    def check(self, value: object, where: Place, faults: Faults) -> object:
        """Return the value with defaults filled in, and add its faults to `faults`.

        `where` is the value's place, which the faults name.
        """
        raise NotImplementedError

    def resolve(self, value: object, where: Place, names: Names) -> object:
        """Return a checked value in which full ids replace names."""
        return value

    def fitted_to_book(self, book: object) -> Kind:
        """Return this schema, fitted to a campaign's book.

        A schema that doesn't depend on the book's content is unchanged.
        """
        return self

    def example_toml(self, instead: object = None) -> str:
        """Return an example of a valid value, as TOML, to propose in place of an invalid one.

        `instead` is the invalid value. For a table or a list, its valid parts are kept in the example.
        """
        return '"..."'

    names_things = OldName("may_contain_names")
    of_book = OldName("fitted_to_book")
    written = OldName("example_toml")


LONGEST_TEXT = 100_000
LONGEST_NAME = 200
LONGEST_ID = 100
"""The most characters of an id. Files are named by ids, and systems limit a file's name to 255 bytes."""


class Text(Kind):
    """A text of at most `most` characters that passes `test`.

    `wants` describes, for messages, a text that passes.
    """

    def __init__(
        self, test: Callable[[str], bool] | None = None, wants: str = "", most: int = LONGEST_TEXT
    ) -> None:
        self.test = test
        self.wants = wants
        self.most = most

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not isinstance(value, str):
            faults.append(_wrong_value_fault(self, "text in quotes", value, where))
        elif len(value) > self.most:
            faults.append(Fault(where, f"has {len(value)} characters, and may have {self.most} at most"))
        elif self.test and not self.test(value):
            faults.append(Fault(where, f"{value!r} is not {self.wants}"))
        return value


_ID_FORM = re.compile(r"[^\W_][\w:-]*")


def can_be_id(text: str) -> bool:
    """Return whether a text can be an id.

    An id has letters, digits, - and _; a namespace with a colon may come first.
    """
    return len(text) <= LONGEST_ID and _ID_FORM.fullmatch(text) is not None


_AN_ID = f"an id: letters, digits, - and _ only, {LONGEST_ID} at most"
ID = Text(can_be_id, _AN_ID)
NAME = Text(lambda text: bool(text.strip()) and "\n" not in text, "a name on one line", LONGEST_NAME)
"""A name, which is also shown as a reason."""


class Reference(Text):
    """The Kind of a value that names an item of content, such as a power.

    `kind` is the kind of content. The name may be the item's id, the last part of the id, or the display
    name.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(can_be_id, _AN_ID)
        self.kind = kind

    def resolve(self, value: object, where: Place, names: Names) -> object:
        return names.full_id(self.kind, str(value), where)


class KnownItemId(Kind):
    """The schema of a value that must be the full id of an existing item.

    `kind` is the item's kind of content, and `table` has all items of this kind. `fitted_to_book` returns the
    same schema with the items of a book.
    """

    def __init__(self, kind: str, table: Mapping[str, object] | None = None) -> None:
        self.kind = kind
        self.table = table or {}

    def fitted_to_book(self, book: object) -> KnownItemId:
        return KnownItemId(self.kind, getattr(book, self.kind, self.table))

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not isinstance(value, str) or value not in self.table:
            faults.append(
                Fault(
                    where, f"{value!r} is not one of the {self.kind}.{did_you_mean(str(value), self.table)}"
                )
            )
        return value


class AnyValue(Kind):
    """Any value at all."""

    def check(self, value: object, where: Place, faults: Faults) -> object:
        return value


class Number(Kind):
    """A whole number between `low` and `high`."""

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        self.low = low
        self.high = high

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not isinstance(value, int) or isinstance(value, bool):
            faults.append(_wrong_value_fault(self, "a whole number", value, where))
        elif (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            low, high = self.low, self.high
            one = f"{high} or less" if low is None else f"{low} or more"
            bounds = one if None in (low, high) else f"from {low} to {high}"
            faults.append(Fault(where, f"{value} should be {bounds}"))
        return value

    def example_toml(self, instead: object = None) -> str:
        return str(max(self.low if self.low is not None else 1, 1))


class RealNumber(Kind):
    """A number from `low` to `high` that needn't be whole, such as a length in squares."""

    def __init__(self, low: float, high: float) -> None:
        self.low = low
        self.high = high

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not isinstance(value, int | float) or isinstance(value, bool):
            faults.append(_wrong_value_fault(self, "a number", value, where))
        elif not self.low <= value <= self.high:
            faults.append(Fault(where, f"{value} should be from {self.low:g} to {self.high:g}"))
        return value

    def example_toml(self, instead: object = None) -> str:
        return f"{max(self.low, 1.0):g}"


class Flag(Kind):
    """A value that is true or false."""

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not isinstance(value, bool):
            faults.append(_wrong_value_fault(self, "true or false", value, where))
        return value

    def example_toml(self, instead: object = None) -> str:
        return "true"


class OneOf(Kind):
    """One of a fixed set of values."""

    def __init__(self, *values: object) -> None:
        self.values = values

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not any(value == known and type(value) is type(known) for known in self.values):
            words = [known for known in self.values if isinstance(known, str)]
            hint = did_you_mean(value, words) if isinstance(value, str) else ""
            allowed = listed([repr(v) if isinstance(v, str) else _value_words(v) for v in self.values], 40)
            faults.append(Fault(where, f"{_value_words(value)} is not one of {allowed}.{hint}"))
        return value

    def example_toml(self, instead: object = None) -> str:
        first = self.values[0] if self.values else ""
        return f'"{first}"' if isinstance(first, str) else _value_words(first)


class VocabularyWord(OneOf):
    """A word of a vocabulary: one of the `known` words, or a plugin's word by its full id."""

    def __init__(self, vocabulary: str, known: Iterable[str]) -> None:
        super().__init__(*known)
        self.vocabulary = vocabulary

    def fitted_to_book(self, book: object) -> OneOf:
        brought = getattr(book, self.vocabulary, None)
        return self if brought is None else OneOf(*self.values, *brought)

    def check(self, value: object, where: Place, faults: Faults) -> object:
        of_plugin = isinstance(value, str) and ":" in value
        return value if of_plugin else super().check(value, where, faults)

    def resolve(self, value: object, where: Place, names: Names) -> object:
        word = str(value)
        return names.full_id(self.vocabulary, word, where) if ":" in word else word


class Either(Kind):
    """A value of one of two kinds, such as `"Sneaking"` or `{ name = ... }`.

    Values of the type `type_` are checked by `first`, and all others by `second`.
    """

    def __init__(self, type_: type, first: Kind, second: Kind) -> None:
        self.type = type_
        self.first = first
        self.second = second

    def check(self, value: object, where: Place, faults: Faults) -> object:
        before = len(faults)
        checked = self._kind_for(value).check(value, where, faults)
        if (
            len(faults) == before
            or self.type is list
            or isinstance(value, self.type)
            or where.file == _TRIAL_PLACE.file
        ):
            return checked
        if faults[before].place == where and (kept := _short_toml_of_possible_reading(self.first, value)):
            faults[before:] = [
                Fault(where, f"can't be {_value_words(value)}{_write_example_ending(where, kept)}")
            ]
        return checked

    def resolve(self, value: object, where: Place, names: Names) -> object:
        return self._kind_for(value).resolve(value, where, names)

    def _kind_for(self, value: object) -> Kind:
        return self.first if isinstance(value, self.type) else self.second

    def example_toml(self, instead: object = None) -> str:
        return (self.second if self.type is bool else self.first).example_toml(instead)


class UncheckedTable(Kind):
    """A table that other code checks."""

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not isinstance(value, Mapping):
            faults.append(_wrong_value_fault(self, "a table", value, where))
            return {}
        return value

    def example_toml(self, instead: object = None) -> str:
        return "{ ... }"


class ListOf(Kind):
    """A list of items of one kind, with at least `least` and at most `most` items."""

    def __init__(self, item: Kind, least: int = 0, most: int | None = None) -> None:
        self.item = item
        self.least = least
        self.most = most

    def check(self, value: object, where: Place, faults: Faults) -> object:
        if not isinstance(value, list):
            faults.append(_wrong_value_fault(self, "a list in [ ]", value, where))
            return []
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            more = " or more" if self.most is None else f" to {self.most}" if self.most > self.least else ""
            wanted = f"{self.least}{more}"
            faults.append(Fault(where, f"has {len(value)} items, and should have {wanted}"))
        return [self.item.check(item, where / (n + 1), faults) for n, item in enumerate(value)]

    def resolve(self, value: object, where: Place, names: Names) -> object:
        if not self.item.may_contain_names:
            return value
        items: list[object] = value  # type: ignore[assignment]  # as `check` left it
        return [self.item.resolve(item, where / (n + 1), names) for n, item in enumerate(items)]

    def example_toml(self, instead: object = None) -> str:
        return f"[{propose_toml_value(self.item, instead)}]"


class TableOf(Kind):
    """A table with keys that people choose, and with values of one kind.

    `key` checks the keys.
    """

    def __init__(self, item: Kind, key: Kind | None = None) -> None:
        self.item = item
        self.key = key

    def check(self, value: object, where: Place, faults: Faults) -> CheckedTable:
        if not isinstance(value, Mapping):
            faults.append(_wrong_value_fault(self, "a table", value, where))
            return {}
        for key in value:
            if self.key:
                self.key.check(key, where / key, faults)
        return {key: self.item.check(item, where / key, faults) for key, item in value.items()}

    def resolve(self, value: object, where: Place, names: Names) -> object:
        if not self.item.may_contain_names:
            return value
        items: CheckedTable = value  # type: ignore[assignment]  # as `check` left it
        return {key: self.item.resolve(item, where / key, names) for key, item in items.items()}

    def example_toml(self, instead: object = None) -> str:
        return f"{{ name = {propose_toml_value(self.item, instead)} }}"


Field = Kind | tuple[Kind, object]
"""The form at a key of a table: a kind, or a kind and a default, where ... makes the key required."""
Fields = dict[str, Field]
"""The keys of a table, each with its form."""


class Record(Kind):
    """A table with known keys, and for each key the kind of value it has.

    A field is a kind, or a pair of a kind and a default. With the default `...`, the key is required. With
    any other default, a missing key gets that value. With None, or without a default, a missing key stays
    missing. `also` has checks of the whole table. They run only if no fault was found in the table before.
    """

    def __init__(self, *also: TableCheck, **fields: Field) -> None:
        self.also = also
        self.fields: dict[str, tuple[Kind, object]] = {
            name.rstrip("_"): field if isinstance(field, tuple) else (field, None)
            for name, field in fields.items()
        }

    def with_fields(self, fields: Mapping[str, Field]) -> Record:
        """Return a copy of this record with the fields added."""
        whole = copy(self)
        whole.fields = {**self.fields, **Record(**fields).fields}
        return whole

    def check(self, value: object, where: Place, faults: Faults) -> CheckedTable:
        if not isinstance(value, Mapping):
            faults.append(_wrong_value_fault(self, "a table", value, where))
            return {}
        before = len(faults)
        for key in value:
            if key not in self.fields:
                kinds = {name: kind for name, (kind, _) in self.fields.items()}
                faults.append(
                    Fault(where / key, f"there is no such key.{unknown_key_advice(key, kinds, value[key])}")
                )
        checked: CheckedTable = {}
        for name, (kind, default) in self.fields.items():
            if name in value:
                checked[name] = kind.check(value[name], where / name, faults)
            elif default is ...:
                faults.append(Fault(where / name, "missing"))
            elif default is not None:
                checked[name] = list(default) if isinstance(default, list) else default
        if len(faults) == before:
            for also in self.also:
                also(checked, where, faults)  # type: ignore[arg-type]  # sound by now, so what it takes
        return checked

    def example_toml(self, instead: object = None) -> str:
        fields = self.fields.items()
        needed = [name for name, (_, default) in fields if default is ...]
        usual = [name for name, (_, default) in fields if default is not None]
        names = needed[:3] or usual[:1] or list(self.fields)[:1]
        kept = {
            name: text
            for name in names
            if (text := _short_toml_of_possible_reading(self.fields[name][0], instead))
        }
        first = next(iter(kept), "")
        parts = (
            f"{name} = {kept[name] if name == first else _example_value(*self.fields[name])}"
            for name in names
        )
        return f"{{ {', '.join(parts)} }}" if names else "{ }"

    def resolve(self, value: object, where: Place, names: Names) -> Mapping[str, object]:
        fields = self.fields
        table: CheckedTable = value  # type: ignore[assignment]  # as `check` left it
        return {
            name: fields[name][0].resolve(item, where / name, names)
            if name in fields and fields[name][0].may_contain_names
            else item
            for name, item in table.items()
        }

    extended = OldName("with_fields")


class ItemsOrNames(Either):
    """The schema of items that are written in a table, or named in a list.

    In a list, each entry is the name of an item in the book. In a table, a value is either an item or such a
    name.

    `resolve` makes a table of items from either form. It replaces a name by a copy of the book's item, with
    only the keys of the schema `thing`. So the book's items of this kind must be resolved first.
    """

    def __init__(self, kind: str, thing: Record) -> None:
        name = Reference(kind)
        super().__init__(list, ListOf(name), TableOf(Either(str, name, thing)))
        self.kind = kind
        self.thing = thing

    def resolve(self, value: object, where: Place, names: Names) -> object:
        if isinstance(value, list):
            items = ((str(n), where / n, item) for n, item in enumerate(value, 1))
        else:
            table: CheckedTable = value  # type: ignore[assignment]  # as `check` left it
            items = ((key, where / key, item) for key, item in table.items())
        found: CheckedTable = {}
        for key, at, item in items:
            if not isinstance(item, str):
                found[key] = self.thing.resolve(item, at, names)
                continue
            id = names.full_id(self.kind, item, at)
            key = id.rpartition(":")[2] if isinstance(value, list) else key
            if key in found:
                names.add_fault(Fault(at, f"{key} is there twice"))
            elif names.has(self.kind, id):  # otherwise `full_id` has added a fault
                whole = names.resolved_item(self.kind, id)
                found[key] = {each: whole[each] for each in self.thing.fields if each in whole}
        return found


def list_of_words(*names: str) -> ListOf:
    """Return the kind for a list of words, each of which is one of `names`."""
    return ListOf(OneOf(*names))


KEYS_OF_OTHER_GAMES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("health", "hitpoints", "hit_points", "max_hp", "maxhp", "life"), ("hp", "vitality")),
    **dict.fromkeys(("attack", "attacks", "damage", "weapon", "weapons"), ("melee", "ranged")),
    **dict.fromkeys(("abilities", "spells", "actions", "maneuvers"), ("powers", "abilities")),
    **dict.fromkeys(("minion", "boss", "level", "rank", "cr", "type"), ("tier",)),
    **dict.fromkeys(("movement", "move", "walk"), ("speed",)),
    **dict.fromkeys(("inventory", "items", "equipment", "gear"), ("tools",)),
    **dict.fromkeys(("feats", "talents", "features"), ("tricks", "traits")),
    **dict.fromkeys(("description", "desc", "notes", "bio"), ("summary", "text")),
    **dict.fromkeys(("title",), ("name",)),
    **dict.fromkeys(("enemies", "monsters", "foes", "npcs", "opponents"), ("creatures",)),
    **dict.fromkeys(("players", "pcs", "heroes"), ("characters", "party")),
    **dict.fromkeys(("fights", "battles", "combats"), ("encounters",)),
}
"""Other games' and programs' names for a key, with its name here."""


def unknown_key_advice(key: str, known: Mapping[str, Kind | None], value: object = None) -> str:
    """Return advice on an unknown key in a sheet or file, as the end of a message.

    Other games and programs use other keys than ours (KEYS_OF_OTHER_GAMES). If `key` is one of these, the
    advice shows our key in its place, with the typed `value`. Otherwise the advice names the known keys that
    are most like it.
    """
    from difflib import get_close_matches

    called = [name for name in KEYS_OF_OTHER_GAMES.get(key.lower().replace("-", "_"), ()) if name in known]
    if called:
        kinds = ((name, known[name]) for name in called)
        ways = [
            f"{name} = {propose_toml_value(kind, value)}" if kind else f"[{name}]" for name, kind in kinds
        ]
        return f" Here it is {' or '.join(ways)}."
    hint = did_you_mean(key, known)
    near = get_close_matches(key[:100].lower(), known, 3, 0.0)
    others = [name for name in near if repr(name) not in hint]
    return f"{hint} {'Others near' if hint else 'Nearest'}: {listed(others)}." if others else hint


def _example_value(kind: Kind, default: object) -> str:
    """Return an example of a value in TOML.

    It is the default if that is a number or a text, otherwise a value of the kind.
    """
    if isinstance(default, bool) or not isinstance(default, int | str) or default == "":
        return kind.example_toml()
    return str(default) if isinstance(default, int) else f'"{default}"'


def _write_example_ending(where: Place, value: str) -> str:
    """Return an example of a value at a place, as the end of a message: `. Write melee = { damage = 2 }`."""
    key = where.keys[-1] if where.keys else 0
    return f". Write {value}" if isinstance(key, int) else f". Write {key} = {value}"


def _wrong_value_fault(form: Kind, wanted: str, value: object, where: Place) -> Fault:
    what = f"should be {wanted}, not {_value_words(value)}"
    if where.file == _TRIAL_PLACE.file:
        return Fault(where, what)
    return Fault(where, f"{what}{_write_example_ending(where, propose_toml_value(form, value))}")


def propose_toml_value(kind: Kind, value: object) -> str:
    """Return a valid value in TOML to propose in place of `value`.

    The proposed value keeps as much of `value` as is valid.
    """
    return _short_toml_of_possible_reading(kind, value) or kind.example_toml(value)


def _short_toml_of_possible_reading(kind: Kind, value: object) -> str:
    """Return a value as TOML that is valid for `kind`; "" if that isn't possible.

    If the value itself isn't valid, other readings of it are tried: the text "5" may be read as a number. The
    result is also "" if the TOML would be longer than _LONGEST_PROPOSED characters.
    """
    for meant in _possible_readings(value) if value is not None else ():
        faults: Faults = []
        kind.check(meant, _TRIAL_PLACE, faults)
        if not faults and len(text := _toml_value(meant)) <= _LONGEST_PROPOSED:
            return text
    return ""


_LONGEST_PROPOSED = 100
_TRIAL_PLACE = Place(file="\0")
"""The place of values that are only tried: a fault there proposes nothing."""


def _possible_readings(value: object) -> list[object]:
    """Return the ways to read a value, the likeliest first.

    They are the value itself, then a number, true or false, a text, and a list.
    """
    if isinstance(value, list):
        texts = [item for item in value if isinstance(item, str)]
        return [
            value,
            *(value if len(value) == 1 else [", ".join(texts)] if len(texts) == len(value) else ()),
        ]
    found = [value]
    if isinstance(value, str):
        word = value.strip().lower()
        if re.fullmatch(r"[+-]?[0-9]{1,18}(\.[0-9]+)?", word):
            found += [int(float(word))] if float(word).is_integer() else [float(word)]
        if word in _FLAGS:
            found.append(_FLAGS[word])
        parts: list[object] = [part.strip() for part in value.split(",") if part.strip()]
        return [*found, *([parts] if len(parts) > 1 else ()), *([one] for one in found)]
    if isinstance(value, float) and value.is_integer():
        found.append(int(value))
    if value in (0, 1) and not isinstance(value, bool):
        found.append(bool(value))
    if not isinstance(value, Mapping):
        found.append(_value_words(value))
    return [*found, *([one] for one in found)]


_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else _toml_value(key)


def _toml_value(value: object) -> str:
    """Return a value on one line of TOML."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, Mapping):
        pairs = (f"{_toml_key(key)} = {_toml_value(item)}" for key, item in value.items())
        return f"{{ {', '.join(pairs)} }}"
    return _value_words(value)


def _value_words(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, date | time):
        return value.isoformat().replace("+00:00", "Z")
    return (
        "a list"
        if isinstance(value, Sequence) and not isinstance(value, str)
        else cut_long_lines(repr(value))
    )
