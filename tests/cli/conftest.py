"""A fight that several files begin in, and lines typed at a shell."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from support.cli import Once, Strike

AtShell = Callable[[Path, Sequence[str]], list[str]]
"""The fixture of this name."""

STARTED = ("combat start ring --party vex --party brann", "combat initiative --dice 6,1,3,2", "combat turn")


@pytest.fixture
def between(in_campaign: Strike, folder: Path, once: Once) -> Strike:
    """The command line in the small campaign: Vex between two goblins, her turn."""
    once("vex between two goblins", folder, lambda: [in_campaign(line) for line in STARTED])
    return in_campaign


@pytest.fixture
def at_shell(monkeypatch: pytest.MonkeyPatch) -> AtShell:
    """Makes the next shell in a folder read these lines; returns its prompts, which come later."""

    def wait(folder: Path, lines: Sequence[str]) -> list[str]:
        waiting, prompts = list(lines), list[str]()

        def read(prompt: str = "") -> str:
            prompts.append(prompt)
            if not waiting:
                raise EOFError
            return waiting.pop(0)

        monkeypatch.setattr(builtins, "input", read)
        monkeypatch.setenv("XDG_STATE_HOME", str(folder.parent / "state"))
        monkeypatch.setenv("STRIKE_CAMPAIGN", "")
        return prompts

    return wait
