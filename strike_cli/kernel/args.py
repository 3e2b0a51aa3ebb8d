"""What a move is played with: typed, with defaults, written to the journal and read from it by one piece of
code.

A move's arguments are a subclass of `Args` with annotated fields. Nobody writes out what they don't mean: a
field that has its default is neither kept nor journaled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import (
    Any,
    ClassVar,
    Literal,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from ..problems import CampaignProblem

Plain = dict[str, Any]
"""Arguments as the journal has them: text, numbers, flags, lists and tables."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Args:
    """Fields with annotations; those without a default must be given. A name that Python keeps for itself has
    an underscore behind it (`for_`), which the journal doesn't have.

    Raises TypeError for a field that there is not, and where one is missing: a mistake in a program. (A
    dataclass would do, but costs ten times as much to make, at every start.)
    """

    FIELDS: ClassVar[tuple[str, ...]] = ()
    REQUIRED: ClassVar[tuple[str, ...]] = ()
    RETIRED: ClassVar[tuple[str, ...]] = ()
    """Keys of older journals that mean nothing any more."""

    def __init_subclass__(cls) -> None:
        own = [name for name in cls.__annotations__ if not name.isupper()]
        inherited = [name for base in cls.__bases__ for name in getattr(base, "FIELDS", ())]
        cls.FIELDS = tuple(dict.fromkeys((*inherited, *own)))
        cls.REQUIRED = tuple(name for name in cls.FIELDS if not hasattr(cls, name))

    def __init__(self, **given: Any) -> None:
        unknown = [name for name in given if name not in self.FIELDS]
        missing = [name for name in self.REQUIRED if name not in given]
        if unknown or missing:
            wrong = f"has no {', '.join(unknown)}" if unknown else f"needs {', '.join(missing)}"
            raise TypeError(f"{type(self).__name__} {wrong}")
        vars(self).update(given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is never changed: `but` makes another")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Args) and type(self) is type(other) and self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash(repr(self.as_json()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"

    def but(self, **changes: Any) -> Self:
        """The same with some fields otherwise."""
        return type(self)(**{**vars(self), **changes})

    def people(self) -> Iterable[str]:
        """Whose sheets a move with these arguments is about."""
        who = getattr(self, "who", "")
        return [who] if who else []

    def rests_on(self) -> Iterable[str]:
        """What else of the state such a move rests on, in the words of its system (`System.touches`)."""
        return ()

    # The journal

    def as_json(self) -> Plain:
        """The plain form, without what is as it would be anyway."""
        return {
            name.rstrip("_"): said
            for name in self.FIELDS
            if (value := getattr(self, name)) is not None
            and value is not (usual := getattr(type(self), name, ...))
            and (said := plain(value)) != plain(usual)
        }

    def in_full(self) -> Plain:
        """The plain form of every field that has a value, for people and programs that look at it."""
        return {
            name.rstrip("_"): plain(value)
            for name in self.FIELDS
            if (value := getattr(self, name)) is not None
        }

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> Self:
        """Arguments from their plain form. Raises CampaignProblem for what they can't be."""
        kinds = cls._kinds()
        given = {}
        for key, value in raw.items():
            name = key if key in kinds else f"{key}_"
            if name in kinds:
                if value is not None:
                    given[name] = _read(kinds[name], value, f"{cls.__name__}.{key}")
            elif key not in cls.RETIRED:
                raise _unreadable(f"{key!r} is nothing that {cls.__name__} knows")
        if missing := [name for name in cls.REQUIRED if name not in given]:
            raise _unreadable(f"{cls.__name__} lacks {', '.join(missing)}")
        return cls(**given)

    @classmethod
    def _kinds(cls) -> dict[str, Any]:
        """The type of each field; looked up when arguments are read, and remembered."""
        hints = _hints_of(cls)
        return {name: hints[name] for name in cls.FIELDS}


class OfOne(Args):
    """Somebody, and nothing else."""

    who: str


_hints: dict[Any, dict[str, Any]] = {}


def _hints_of(kind: Any) -> dict[str, Any]:
    """The types of fields, looked up once."""
    if kind not in _hints:
        _hints[kind] = get_type_hints(kind)
    return _hints[kind]


def plain(value: Any) -> Any:
    """A value of arguments as the journal has it."""
    if isinstance(value, str | int | None):
        return value
    if isinstance(value, Args):
        return value.as_json()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        items = [plain(item) for item in value]
        for default in reversed(list(getattr(value, "_field_defaults", {}).values())):
            if items[-1] != default:
                break
            items.pop()
        return items
    return value


def _read(kind: Any, value: Any, where: str) -> Any:
    """A value of this kind from its plain form."""
    origin = get_origin(kind)
    if kind is Any:
        return value
    if origin is Literal:
        if value not in get_args(kind):
            raise _unreadable(f"{where} can't be {value!r}")
        return value
    if origin in (Union, UnionType):
        inner = [one for one in get_args(kind) if one is not type(None)]
        return _first_that_fits(inner, value, where)
    if origin is not None and issubclass(origin, Mapping):
        _must_be(value, Mapping, where)
        return {key: _read(get_args(kind)[1], item, f"{where}.{key}") for key, item in value.items()}
    if origin is not None and issubclass(origin, Sequence):
        _must_be(value, list | tuple, where)
        (inner_kind, *_) = get_args(kind)
        return [_read(inner_kind, item, f"{where}[{n + 1}]") for n, item in enumerate(value)]
    if isinstance(kind, type) and issubclass(kind, Args):
        _must_be(value, Mapping, where)
        return kind.read(value)
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        _must_be(value, list | tuple, where)
        return _read_tuple(kind, value, where)
    if isinstance(value, bool) and kind is not bool:
        raise _unreadable(f"{where} can't be {value!r}")
    _must_be(value, kind, where)
    return value


def _read_tuple(kind: Any, value: Sequence[Any], where: str) -> Any:
    """A named tuple from a list; of its last fields those with defaults may be left out."""
    kinds = _hints_of(kind)
    if not len(kinds) - len(kind._field_defaults) <= len(value) <= len(kinds):
        raise _unreadable(f"{where} can't be {value!r}")
    return kind(*(_read(each, item, where) for each, item in zip(kinds.values(), value, strict=False)))


def _first_that_fits(kinds: Sequence[Any], value: Any, where: str) -> Any:
    for kind in kinds[:-1]:
        try:
            return _read(kind, value, where)
        except CampaignProblem:
            continue
    return _read(kinds[-1], value, where)


def _must_be(value: Any, kind: Any, where: str) -> None:
    if not isinstance(value, kind):
        raise _unreadable(f"{where} can't be {value!r}")


def _unreadable(what: str) -> CampaignProblem:
    return CampaignProblem(
        f"The arguments of a command can't be read: {what}.",
        "A newer strike recorded it, or somebody changed the file; `strike doctor` checks the campaign.",
    )
