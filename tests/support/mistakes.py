"""Mistakes in what campaigns bring, and what is told of each."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from strike_cli.problems import ContentProblem

from .game import book_with


def numbered(text: str, number: int) -> str:
    """A text of campaign.toml with `x-3`, say, for `x`, as which its tables are called."""
    return re.sub(r"^\[(\w+)\.x\b", rf"[\1.x-{number}", text, flags=re.MULTILINE)


def told_of_each(texts: Sequence[str]) -> list[str]:
    """The only fault of each of some texts, which call what they are about `x`. All are read as one campaign,
    and again without those of which a fault was told: it may have kept others back."""
    told = [""] * len(texts)
    while left := [number for number, fault in enumerate(told) if not fault]:
        with pytest.raises(ContentProblem) as problem:
            book_with("\n".join(numbered(texts[number], number) for number in left))
        for fault in problem.value.faults:
            (number,) = re.findall(r"\.x-(\d+)", fault)
            assert not told[int(number)], f"{told[int(number)]}; {fault}"
            told[int(number)] = fault
    return told
