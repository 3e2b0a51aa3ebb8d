"""What systems tell are values of declared classes, and each class is sound (systems.md: facts are typed)."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from support.cases import case

import strike_cli
from strike_cli.kernel.statements import EVENTS, Fact, Statement
from strike_cli.kernel.templates import compile_template
from strike_cli.registry import systems
from strike_cli.terminal.result import STYLES

HERE = Path(strike_cli.__file__).parent


def modules() -> Iterator[Path]:
    """Every module of strike's, and of the plugins that come with it."""
    yield from HERE.rglob("*.py")
    yield from HERE.parent.glob("plugins/strike_*/**/*.py")


CLASSES = [
    cls
    for system in systems()
    for module in system.fact_modules
    for cls in vars(import_module(system.absolute(module))).values()
    if isinstance(cls, type) and issubclass(cls, Statement) and cls.__module__ == system.absolute(module)
    if not cls.__name__.startswith("_")
]
"""Every class of what a system tells or asks."""


def test_no_rule_tells_a_plain_sentence() -> None:
    """Plain ones are for handlers of plugins that bring no system."""
    telling = [file for file in modules() if "world.happen(" in file.read_text("utf-8")]
    assert telling == []


def test_no_two_classes_have_one_key() -> None:
    """A journal finds the class of what it keeps by its key, whichever system declares it."""
    seen: dict[str, set[type[Statement]]] = {}
    for cls in CLASSES:
        seen.setdefault(cls.key, set()).add(cls)
    assert {key: classes for key, classes in seen.items() if len(classes) > 1} == {}


def test_a_system_names_every_module_of_its_facts() -> None:
    """What is told of by a module that nobody names is found by no journal."""
    files = [file for file in modules() if "facts" in (file.stem, file.parent.name)]
    declaring = [
        file
        for file in files
        if re.search(r"^class \w+\(.*(Fact|Clause|Decision)", file.read_text(), re.MULTILINE)
    ]
    named = {sys.modules[cls.__module__].__file__ for cls in CLASSES}
    assert [file for file in declaring if str(file) not in named] == []


def test_a_class_says_what_it_has() -> None:
    """Each field has a sort, each slot of a template is a field or derived from some, each event is known."""
    for cls in CLASSES:
        with case(cls):
            assert cls.slots() is not None
            templates = [*dict(cls.tellings()).values(), *getattr(cls, "options", {}).values()]
            for template in templates:
                compile_template(template, cls.slots())
            assert set(cls.unseen) <= set(cls.sorts())
            if issubclass(cls, Fact):
                assert cls.event in ("", *EVENTS)
                assert cls.tone in ("", "good", "bad")
                assert cls.style in ("", *STYLES)
                assert cls.closes_scene or not cls.names_scene, (
                    "a report leaves the name out where a scene ends"
                )


@pytest.mark.slow
def test_every_class_is_told_somewhere() -> None:
    """By itself or by its variants: its name stands elsewhere than where it is declared."""
    words = Counter(word for file in modules() for word in re.findall(r"\w+", file.read_text("utf-8")))
    assert [cls.__name__ for cls in CLASSES if words[cls.__name__] < 2] == []
