"""The clauses of the five seeds: each is played by a command or a test, or is the game master's to judge."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
from support.cli import Strike
from support.thorough import few_of

from strike_cli.campaign.create import create_campaign_folder
from strike_cli.registry import load_usable_systems
from strike_cli.registry.numbered_rules import RuleClause, all_rules, clauses_of, rules_of

TESTS = Path(__file__).parents[1]
CLAUSES = [clause for system in load_usable_systems() if system.rules for clause in clauses_of(system)]
SEEDS = ("000", "001", "002", "003", "004")
COUNTED = 355
"""Clauses of all five, as they were counted."""
OURS = {
    "GRT-01", "STR-CORE-05", "STR-TAC-11", "STR-TAC-27", "STR-TC-12a", "STR-TC-14", "STR-TC-15", "STR-TC-16",
}  # fmt: skip
"""Rules that the seeds presuppose or name without a word, and other published references say."""


@cache
def text_of(file: str) -> str:
    return (TESTS / file).read_text(encoding="utf-8")


def test_each_clause_is_played_or_judged() -> None:
    """By one of the three ways, and by a test that there is; none stands twice, none is of a rule unknown."""
    known, wrong = all_rules(), []
    for clause in CLAUSES:
        file, _, name = clause.test.partition("::")
        ways = [bool(clause.command), bool(clause.test), bool(clause.judged)]
        there = not clause.test or f"def {name}(" in text_of(file)
        if ways.count(True) != 1 or not there or clause.rule not in known or clause.seed not in SEEDS:
            wrong.append(clause)
    assert wrong == []
    said = [(clause.seed, clause.says) for clause in CLAUSES]
    assert len(said) == len(set(said)) and len(said) >= COUNTED


def test_every_rule_has_its_clauses() -> None:
    games = {"core", "wealth", "conflict", "chase", "combat", "grit", "karma", "momentum"}
    bare = {
        rule.id
        for system in load_usable_systems()
        if system.name in games
        for rule in rules_of(system)
        if not rule.clauses
    }
    assert bare == OURS


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return create_campaign_folder(tmp_path_factory.mktemp("clauses") / "campaign", seed=5)


PLAYED = [(clause,) for clause in CLAUSES if clause.command]


@pytest.mark.parametrize("clause", few_of(PLAYED, every=8))
def test_what_a_clause_plays(strike: Strike, example: Path, tmp_path: Path, clause: RuleClause) -> None:
    folder = shutil.copytree(example, tmp_path / "campaign")
    for line in clause.after:
        assert strike(f"{line} -C {folder}", None).code in (0, 6), line
    ran = strike(f"{clause.command} -C {folder}", None)
    assert clause.gives in " ".join(f"{ran.out}{ran.err}".split()), clause.says


def test_a_rule_shows_its_clauses(strike: Strike) -> None:
    out = strike("rule STR-TAC-09").out
    assert "strike combat ladder --damage 3 --die 6  critical, 6 damage" in out
    assert "The game master's part: You describe it" in out
    [rule] = strike.json("rule STR-TAC-09")["data"]["rules"]
    assert {"seed": "000", "rule": "STR-TAC-09"}.items() <= rule["clauses"][0].items()
