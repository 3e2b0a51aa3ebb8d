"""What is refused in several places is a class with its fields and one template (problems.Stated)."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import strike_cli
from strike_cli import refusals
from strike_cli.problems import Problem, TemplateRefusal

HERE = Path(strike_cli.__file__).parent
ROOTS = [[HERE, HERE.parent / "bridge"], *([folder] for folder in HERE.parent.glob("plugins/strike_*"))]
"""What comes from one place: a plugin repeats nothing of its own, and may say what another says."""
KINDS = re.compile("Refused|Usage|Problem|Fault")
FEW = 3
"""Words that a text has besides its fields: of fewer nobody can say that it is the same refusal."""


def shape(text: ast.expr) -> str | None:
    """A text with its fields left out."""
    match text:
        case ast.Constant(value=str(words)):
            return words
        case ast.JoinedStr(values=parts):
            return "".join(shape(part) or "{}" for part in parts)
    return None


def refused(roots: list[Path]) -> Iterator[tuple[str, str]]:
    """The shape of what is refused, and where."""
    for root in roots:
        for file in root.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Name):
                    words = shape(node.args[0]) if KINDS.search(node.func.id) else None
                    if words and len(re.findall(r"[A-Za-z']+", words.replace("{}", " "))) >= FEW:
                        yield words, f"{file.relative_to(HERE.parent)}:{node.lineno}"


@pytest.mark.slow  # it reads every file
def test_no_refusal_stands_in_two_places() -> None:
    for roots in ROOTS:
        places = defaultdict(list)
        for words, place in refused(roots):
            places[words].append(place)
        assert {words: where for words, where in places.items() if len(where) > 1} == {}


def test_a_stated_refusal_is_a_problem_that_keeps_its_fields() -> None:
    error = refusals.NewerSchema("state.toml", 3, 2)
    assert (error.path, error.schema, error.ours) == ("state.toml", 3, 2)
    assert error.message == "state.toml: schema = 3 is newer than this strike understands (2)."
    assert "Upgrade strike" in error.hint


def test_each_template_says_each_field() -> None:
    for cls in vars(refusals).values():
        if isinstance(cls, type) and issubclass(cls, TemplateRefusal) and cls is not TemplateRefusal:
            assert issubclass(cls, Problem)
            assert set(re.findall(r"{(\w+)}", cls.says)) == set(cls.__annotations__) - {"hint"}
