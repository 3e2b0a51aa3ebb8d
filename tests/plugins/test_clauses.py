"""The table of clauses: every clause of the three seeds is played by a test, or is the game master's."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TABLE = tomllib.loads((HERE.parent / "data" / "clauses.toml").read_text(encoding="utf-8"))
GAMES = {"001": ("grit", "GRT"), "002": ("karma", "CIN"), "003": ("momentum", "WSH")}


@cache
def cases_of(file: str) -> dict[str, str]:
    """The tests of a file below tests/plugins, each with all that stands in it."""
    text = (HERE / file).read_text(encoding="utf-8")
    lines = text.splitlines()
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("seed", GAMES)
def test_each_clause_is_played_or_judged(seed: str) -> None:
    """One of the two, by a test of its own game that there is; none stands twice."""
    game, prefix = GAMES[seed]
    wrong = []
    for clause in TABLE[seed]:
        file, _, name = clause.get("test", "").partition("::")
        there = bool(file) and file.startswith(f"{game}/") and name in cases_of(file)
        if there == ("judged" in clause) or not clause["rule"].startswith(f"{prefix}-"):
            wrong.append(clause)
    assert wrong == []
    said = [clause["says"] for clause in TABLE[seed]]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("seed", GAMES)
def test_every_rule_has_its_clauses(seed: str) -> None:
    """Each rule by number that the game's plugin has, and none that it has not."""
    game, prefix = GAMES[seed]
    rules = (HERE.parents[1] / "plugins" / f"strike_{game}" / "rules.md").read_text(encoding="utf-8")
    known = set(re.findall(rf"^## ({prefix}-\d+)", rules, re.MULTILINE))
    said = {clause["rule"] for clause in TABLE[seed]}
    assert said <= known
    assert known - said <= OURS


OURS = {"GRT-01"}
"""Rules that the seeds presuppose, and other published references say."""
