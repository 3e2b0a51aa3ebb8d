"""Every kind of fact stands as a word where it is told, and is declared by its system (systems.md: facts are
typed).

Read from the source: a kind that is put together, or looked up, can be found by nobody who looks for it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

import strike_cli
from strike_cli.kernel.statements import EVENTS, Fact, Statement
from strike_cli.kernel.templates import compile_template
from strike_cli.registry import systems
from strike_cli.terminal.result import STYLES

HERE = Path(strike_cli.__file__).parent
CORE = "core"
"""What Strike!'s own systems stand on: they may tell its kinds, too."""

NOT_YET: dict[str, set[str]] = {}
"""Modules whose kinds are not all words yet, with those that are told nowhere else."""


TELLS = re.compile(r"\b(happen|Fact|kind)\b")
"""What stands in every source that tells a fact, in one way or another."""


class Told(NamedTuple):
    """A place where a fact is told: the module, the line, and its kind; None where it is no word."""

    module: str
    line: int
    kind: str | None

    def owner(self) -> str:
        """The system whose module it is; empty for the frame and the tabletop, which are everybody's."""
        parts = self.module.split("/")
        return parts[1] if parts[0] == "systems" else ""


def words_of(node: ast.expr) -> Iterator[str | None]:
    """The words that an expression may be, where it is a word, or one word or another."""
    if isinstance(node, ast.IfExp):
        yield from words_of(node.body)
        yield from words_of(node.orelse)
    else:
        yield node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def kind_told(node: ast.AST) -> ast.expr | None:
    """The kind of the fact that is told here: by `world.happen(...)`, as a `Fact(...)`, or as the journal has
    them."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("happen", "Fact"):
            named = [word.value for word in node.keywords if word.arg == "kind"]
            return [*node.args, *named][0]
    if isinstance(node, ast.Dict):
        table = {key.value: value for key, value in zip(node.keys, node.values, strict=True)
                 if isinstance(key, ast.Constant)}  # fmt: skip
        if {"kind", "text", "changes"} <= table.keys():
            return table["kind"]
    return None


def takes_kind(node: ast.expr) -> bool:
    """Whether that is the kind of another fact."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value == "kind"
    )


def told_in(source: str, module: str) -> Iterator[Told]:
    """Every fact that a module tells. Whatever is a `happen` of its own hands on what it is called with, and
    whoever takes the kind of another fact hands on that."""
    if not TELLS.search(source):
        return
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef) and node.name in ("happen", "as_json"):
            continue
        kind = kind_told(node)
        if kind is not None and not takes_kind(kind):
            yield from (Told(module, kind.lineno, word) for word in words_of(kind))
        waiting += ast.iter_child_nodes(node)


def modules() -> Iterator[tuple[Path, str]]:
    """Every module with its name: strike's, and those of the plugins that come with it, as their systems'."""
    for file in sorted(HERE.rglob("*.py")):
        yield file, file.relative_to(HERE).as_posix()
    for place in sorted(HERE.parent.glob("plugins/strike_*")):
        for file in sorted(place.rglob("*.py")):
            name = file.relative_to(place).as_posix()
            yield file, f"systems/{place.name.removeprefix('strike_')}/{name}"


@cache
def all_told() -> list[Told]:
    """Every fact that is told anywhere."""
    return [told for file, name in modules() for told in told_in(file.read_text(encoding="utf-8"), name)]


DECLARED = {kind: system.name for system in systems() for kind in system.facts}
CLASSES = {
    cls: system.name
    for system in systems()
    for module in system.fact_modules
    for cls in vars(import_module(system.absolute(module))).values()
    if isinstance(cls, type) and issubclass(cls, Statement) and cls.__module__ == system.absolute(module)
    if not cls.__name__.startswith("_")
}
"""Every class of what a system tells or asks, and whose it is."""
DECLARED |= {cls.kind: name for cls, name in CLASSES.items() if issubclass(cls, Fact) and not cls.variant}


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("world.happen('rolled', who, text)", ["rolled"]),
        ("self.fight.world.happen('a' if won else 'b', '', '')", ["a", "b"]),
        ("world.happen(f'trick-{how}', who, text)", [None]),
        ("world.happen(kind=KINDS[which], who='', text='')", [None]),
        ("Happen(Fact('rolled', who, text, (), {}))", ["rolled"]),
        ("fact = {'kind': kind, 'who': '', 'text': '', 'changes': []}", [None]),
        ("seen = {'kind': fact['kind'], 'who': '', 'text': '', 'changes': []}", []),
        ("class W(World):\n    def happen(self, kind): return super().happen(kind)", []),
    ],
)
def test_what_it_reads(source: str, kinds: list[str | None]) -> None:
    assert [told.kind for told in told_in(source, "module.py")] == kinds


@pytest.mark.slow
def test_every_kind_is_a_word_where_it_is_told() -> None:
    found = [f"{told.module}:{told.line}" for told in all_told() if told.kind is None]
    assert [place for place in found if place.partition(":")[0] not in NOT_YET] == []


def test_every_kind_told_is_declared_by_its_system() -> None:
    """What the frame and the tabletop tell is declared by some system; what a system tells, by itself or by
    the core that it stands on."""
    anybody = set(DECLARED.values())
    assert [
        told
        for told in all_told()
        if told.kind
        and DECLARED.get(told.kind, "nobody") not in ({told.owner(), CORE} if told.owner() else anybody)
    ] == []


def test_every_declared_kind_is_told() -> None:
    later = {kind for kinds in NOT_YET.values() for kind in kinds}
    declared = {kind for system in systems() for kind in system.facts}
    assert declared - {told.kind for told in all_told()} - later == set()


def test_no_kind_is_declared_twice() -> None:
    classes = {cls.kind for cls in CLASSES if issubclass(cls, Fact) and not cls.variant}
    assert len(DECLARED) == sum(len(system.facts) for system in systems()) + len(classes)


@pytest.mark.parametrize("module", NOT_YET)
def test_what_is_not_yet_so(module: str) -> None:
    """A module that has got there goes off the list."""
    assert any(told.module == module and told.kind is None for told in all_told())
    assert NOT_YET[module].isdisjoint(told.kind for told in all_told())


def test_what_an_outcome_begins_with() -> None:
    """Only an outcome says that it names its scene: a report then leaves the name out."""
    facts = [fact for system in systems() for fact in system.facts.values()]
    assert all(fact.closes_scene for fact in facts if fact.names_scene)


# What has a class


def test_no_two_classes_have_one_key() -> None:
    """A journal finds the class of what it keeps by its key, whichever system declares it."""
    seen: dict[str, set[type[Statement]]] = {}
    for cls in CLASSES:
        seen.setdefault(cls.key, set()).add(cls)
    assert {key: classes for key, classes in seen.items() if len(classes) > 1} == {}


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.kind)
def test_a_class_says_what_it_has(cls: type[Statement]) -> None:
    """Each field has a sort, each slot of a template is a field or derived from some, each event is known."""
    assert cls.slots() is not None
    templates = [*dict(cls.tellings()).values(), *getattr(cls, "options", {}).values()]
    for template in templates:
        compile_template(template, cls.slots())
    assert set(cls.unseen) <= set(cls.sorts())
    if issubclass(cls, Fact):
        assert cls.event in ("", *EVENTS)
        assert cls.tone in ("", "good", "bad")
        assert cls.style in ("", *STYLES)


@pytest.mark.slow
def test_every_class_is_told_somewhere() -> None:
    """In some module besides the one that declares it, by itself or by its variants."""
    sources = [(name, file.read_text(encoding="utf-8")) for file, name in modules()]
    everywhere = "\n".join(text for _, text in sources)
    unused = [cls.__name__ for cls in CLASSES if len(re.findall(rf"\b{cls.__name__}\b", everywhere)) < 2]
    assert unused == []
