"""Every rule of grit, karma and momentum has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("folder", "rules", "count"), [("grit", "GRT", 12), ("karma", "CIN", 11), ("momentum", "WSH", 20)]
)
def test_every_rule_has_a_test_of_its_own(folder: str, rules: str, count: int) -> None:
    """Named in a test's docstring, alone or in a row (`WSH-07, 12`); `WSH-01 to 20` names none of them."""
    named: set[int] = set()
    for file in (HERE / folder).glob("test_*.py"):
        for words in re.findall(rf"{rules}-(\d\d(?:, \d\d)*)(?! to)", file.read_text(encoding="utf-8")):
            named.update(map(int, words.split(", ")))
    assert [number for number in range(1, count + 1) if number not in named] == []
