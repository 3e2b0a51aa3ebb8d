"""Statements of any class, with random fields of the right types."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from random import Random
from types import NoneType, UnionType
from typing import Annotated, Any, ForwardRef, Union, get_args, get_origin

from strike_cli.kernel.statements import BeforeAfter, Clause, Decision, Said, Statement
from strike_cli.registry import load_usable_systems
from strike_cli.tabletop.dice import Handful, Modifier, Rolled, Source

WORDS = ("vex", "goblin-2", "C7", "core:dazed", "the rope, 'frayed'", "", "Zoë \N{EM DASH} 龍")


def statement_classes() -> list[type[Statement]]:
    """Every class of what a system tells or asks."""
    return [
        cls
        for system in load_usable_systems()
        for module in system.fact_modules
        for cls in vars(import_module(system.absolute(module))).values()
        if isinstance(cls, type) and issubclass(cls, Statement) and cls.__module__ == system.absolute(module)
        if not cls.__name__.startswith("_")
    ]


class RandomStatements:
    """Makes statements of the classes that it knows, with the same faces for the same seed."""

    def __init__(self, classes: Sequence[type[Statement]], seed: int) -> None:
        self.classes = [cls for cls in classes if not cls.has_variants]
        self.random = Random(seed)

    def of(self, cls: type[Statement], depth: int = 0) -> Statement:
        """A statement of a class; a field with a default has that half of the time."""
        given = {}
        for base in reversed(cls.__mro__):
            space = vars(sys.modules[base.__module__])
            for name in base.__annotations__ if base is not object else ():
                if name not in cls.field_types() or (
                    name in cls.declaration().defaults and self.random.random() < 0.5
                ):
                    continue
                said = base.__annotations__[name]
                given[name] = self.value(eval(said, space) if isinstance(said, str) else said, depth)
        return cls(**given)

    def value(self, kind: Any, depth: int) -> Any:
        """A value of a type, as annotations have it."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.value(inner[0], depth)
        if origin in (Union, UnionType):
            return self.value(self.random.choice(inner), depth)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {self.random.choice(WORDS[:4]): self.value(inner[1], depth) for _ in range(2)}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return [self.value(inner[0], depth) for _ in range(self.random.randrange(3))]
        if isinstance(kind, ForwardRef):  # that of `Reason`
            return self.random.choice([self.random.choice(WORDS), self.clause(Clause, depth)])
        if kind in (NoneType, None):
            return None
        if issubclass(kind, Clause | Decision):
            return self.clause(kind, depth)
        if kind is BeforeAfter:
            return BeforeAfter(self.random.randrange(30), self.random.randrange(-4, 30))
        if issubclass(kind, Rolled):
            return self.roll(depth)
        plain: dict[type, Any] = {
            bool: self.random.random() < 0.5,
            int: self.random.randrange(-3, 40),
            str: self.random.choice(WORDS),
        }
        return plain[kind]

    def clause(self, kind: type[Statement], depth: int) -> Statement:
        """A statement of a class, or of one that is made of it."""
        known = [cls for cls in self.classes if issubclass(cls, kind)]
        return self.of(self.random.choice(known), depth + 1) if known and depth < 2 else Said("why")

    def roll(self, depth: int) -> Rolled:
        """A roll with reasons."""
        faces = [self.random.randrange(1, 7) for _ in range(self.random.randrange(1, 3))]
        reason = self.random.choice(["a rope", self.clause(Clause, depth)])
        if self.random.random() < 0.2:
            return Handful("vex", "damage", faces, sum(faces), 6, [Modifier(1, reason)])
        return Rolled(
            "vex", "skill: Climbing", faces, self.random.choice(["plain", "advantage", "disadvantage"]),
            [Source("advantage", reason)], [Modifier(2, reason)],
        )  # fmt: skip
