"""Types declared with `strike_cli.record` are named tuples as `typing` makes them."""

from __future__ import annotations

import copy
import json
import pickle
import typing
from typing import Any

import pytest

from strike_cli import record


class Ours(record.NamedTuple):
    """A place."""

    name: str
    hp: int = 3
    tags: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} ({self.hp})"

    @property
    def is_up(self) -> bool:
        return self.hp > 0


class Theirs(typing.NamedTuple):
    """A place."""

    name: str
    hp: int = 3
    tags: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} ({self.hp})"

    @property
    def is_up(self) -> bool:
        return self.hp > 0


class OursOfNothing(record.NamedTuple):
    pass


class One(record.NamedTuple):
    only: int


MADE: list[typing.Callable[[Any], Any]] = [
    lambda kind: kind("vex"),
    lambda kind: kind("vex", 4, ("a",)),
    lambda kind: kind(name="vex", tags=("b",)),
    lambda kind: kind(*("vex", 0))._replace(hp=9),
    lambda kind: kind._make(["vex", 1, ()]),
]
ASKED: list[typing.Callable[[Any], Any]] = [
    tuple,
    str,
    hash,
    lambda one: one.is_up,
    lambda one: one._asdict(),
    lambda one: (one._fields, one._field_defaults, one.__match_args__, one.__doc__),
    lambda one: repr(one).partition("(")[2],
    lambda one: (one[0], one.hp, one[1:], len(one), one == tuple(one), one < (*one, "more")),
    json.dumps,
    lambda one: typing.get_type_hints(type(one)),
    lambda one: copy.copy(one) == copy.deepcopy(one) == one,
]


@pytest.mark.parametrize("make", MADE)
@pytest.mark.parametrize("ask", ASKED)
def test_a_value_answers_as_one_of_typing(make: Any, ask: Any) -> None:
    assert ask(make(Ours)) == ask(make(Theirs))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda kind: kind(),
        lambda kind: kind("a", 1, (), 4),
        lambda kind: kind("a", name="b"),
        lambda kind: kind("a", nothing=1),
        lambda kind: kind("a")._replace(nothing=1),
        lambda kind: kind._make(["a"]),
        lambda kind: setattr(kind("a"), "hp", 4),
        lambda kind: setattr(kind("a"), "other", 4),
    ],
)
def test_what_typing_refuses_is_refused_with_the_same_words(wrong: Any) -> None:
    said = []
    for kind in (Ours, Theirs):
        with pytest.raises((TypeError, ValueError, AttributeError)) as caught:
            wrong(kind)
        said.append((caught.type, str(caught.value).replace("Theirs", "Ours")))
    assert said[0] == said[1]


def test_it_is_a_tuple_of_its_own_kind() -> None:
    one = Ours("vex")
    assert isinstance(one, tuple) and type(one) is Ours
    assert type(one._replace(hp=1)) is Ours
    assert pickle.loads(pickle.dumps(one)) == one and type(pickle.loads(pickle.dumps(one))) is Ours
    assert (OursOfNothing(), One(3), One(only=3)) == ((), (3,), (3,))
    match one:
        case Ours(name, 3):
            assert name == "vex"
        case _:
            pytest.fail("it doesn't match by place")


def test_a_field_without_a_default_can_not_follow_one_with_a_default() -> None:
    with pytest.raises(TypeError):
        type(record.NamedTuple)(
            "Wrong", (record.NamedTuple,), {"__annotations__": {"a": int, "b": int}, "a": 1}
        )
