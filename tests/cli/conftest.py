"""A fight that several files begin in, and lines typed at a shell."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path

import pytest
from support.cli import Once, Strike

from strike_cli.terminal.commands_and_options import Options

Typed = Callable[..., list[str]]
"""The fixtures `typed`, `at_terminal` and `at_shell`: takes the lines that somebody will type, or exceptions
for keys that they press; returns the prompts, which come later."""

STARTED = ("combat start ring --party vex --party brann", "combat initiative --dice 6,1,3,2", "combat turn")


@pytest.fixture
def between(in_campaign: Strike, folder: Path, once: Once) -> Strike:
    """The command line in the small campaign: Vex between two goblins, her turn."""
    once("vex between two goblins", folder, lambda: [in_campaign(line) for line in STARTED])
    return in_campaign


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Lines for whatever reads one."""

    def prepare(*lines: str | BaseException) -> list[str]:
        waiting, prompts = list(lines), list[str]()

        def read(prompt: str = "") -> str:
            prompts.append(prompt)
            line = waiting.pop(0) if waiting else EOFError()
            if isinstance(line, BaseException):
                raise line
            return line

        monkeypatch.setattr(builtins, "input", read)
        return prompts

    return prepare


@pytest.fixture
def at_terminal(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Lines for the commands from now on, which ask for what was not said."""

    def prepare(*lines: str | BaseException) -> list[str]:
        monkeypatch.setattr(Options, "interactive", property(lambda self: not self.json))
        return typed(*lines)

    return prepare


@pytest.fixture
def at_shell(typed: Typed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Typed:
    """Lines for a shell."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("STRIKE_CAMPAIGN", "")
    return typed
