"""Every rule that is built has a test that names it. built.toml beside this file lists the rules."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cases import case

HERE = Path(__file__).parent
BUILT = [rule for rules in tomllib.loads((HERE / "built.toml").read_text()).values() for rule in rules]

# `STR-TAC-02`, and what follows it in lists like `STR-TAC-02, 03, 09` and ranges like `STR-TAC-02 to 04`.
MENTION = re.compile(r"([A-Z]{3}-[A-Z]+-|[A-Z]{3}-)(\d\d)((?:, \d\d)*)(?: to (\d\d))?")


def named_in(text: str) -> Iterator[str]:
    """The ids that a text names, lists and ranges written out."""
    for prefix, first, more, last in MENTION.findall(text):
        numbers = [int(first), *map(int, re.findall(r"\d\d", more))]
        if last:
            numbers += range(numbers[-1] + 1, int(last) + 1)
        yield from (f"{prefix}{number:02d}" for number in numbers)


def naming() -> dict[str, list[str]]:
    """For each id: the tests whose docstrings name it."""
    found: dict[str, list[str]] = {}
    for path in sorted(HERE.parent.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if MENTION.search(text) else ():
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for rule in named_in(ast.get_docstring(node) or ""):
                    found.setdefault(rule, []).append(f"{path.name}::{node.name}")
    return found


@pytest.mark.slow
def test_every_built_rule_has_a_test() -> None:
    named = naming()
    assert [rule for rule in BUILT if rule not in named] == []


def test_each_is_listed_once() -> None:
    assert sorted(BUILT) == sorted(set(BUILT))


def test_how_ids_are_read() -> None:
    for text, ids in (
        ("STR-TAC-09", ["STR-TAC-09"]),
        ("STR-CORE-02, 03, 16: so", ["STR-CORE-02", "STR-CORE-03", "STR-CORE-16"]),
        ("STR-CORE-16 to 18", ["STR-CORE-16", "STR-CORE-17", "STR-CORE-18"]),
        ("STR-TAC-01, STR-CORE-05.", ["STR-TAC-01", "STR-CORE-05"]),
        ("GRT-02 and nothing else", ["GRT-02"]),
        ("golden example 12", []),
    ):
        with case(text, ids):
            assert list(named_in(text)) == ids
