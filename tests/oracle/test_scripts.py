"""The script that a failing position prints does, typed, what was done in memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from . import program as p
from .test_positions import POSITIONS
from .trial import try_position

EACH = 30 if os.environ.get("STRIKE_THOROUGH") else 2


@pytest.mark.slow
@pytest.mark.parametrize("name", list(POSITIONS))
def test_the_script_does_the_same(name: str, tmp_path: Path) -> None:
    """Each line of it prints what the step in memory came to."""
    book, compared = p.the_book(), 0
    for number in range(1000):
        trial = try_position(POSITIONS[name][0], name, number, book)
        if trial.wrong or trial.table.house or len(trial.data) < len(trial.table.steps):
            continue  # Under known differences, and where something was refused, there is nothing to compare.
        printed = p.typed_in(tmp_path / str(number), [step.line for step in trial.table.steps])
        for step, data, line in zip(trial.table.steps, trial.data, printed, strict=True):
            if step.command != "override":
                assert line["data"] == trial.table.in_words(data), f"{step.line}\n\n{trial.table.script()}"
        compared += 1
        if compared == EACH:
            return
    raise AssertionError(f"too few {name} to compare")
