"""Campaigns to be killed, starved, edited and played in these tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from campaign.evening import contents, make
from support.cli import Once


class Said(NamedTuple):
    """What a command ended with and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found

    @property
    def error(self) -> dict[str, str]:
        """Message and hint of a refusal in JSON."""
        found: dict[str, str] = self.json["error"]
        return found


Strike = Callable[..., Said]


def refused(
    strike: Strike, folder: Path, words: str, *named: str, code: int = 3, hint: str = ""
) -> dict[str, str]:
    """The error of a command that is refused with a remedy: its message names this, its hint that. It leaves
    all files as they were."""
    before = contents(folder)
    said = strike(f"{words} --json", folder)
    assert said.code == code, said
    assert "Traceback" not in said.err
    assert [word for word in named if word not in said.error["message"]] == [], said.error
    assert said.error["hint"] and hint in said.error["hint"], said.error
    assert contents(folder) == before
    return said.error


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What is derived from campaigns goes to a folder of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("STRIKE_CAMPAIGN", raising=False)
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign that nobody has played yet."""
    return make(tmp_path / "causeway")


@pytest.fixture
def strike(folder: Path, capsys: pytest.CaptureFixture[str]) -> Strike:
    """Runs a command, in this process, on the campaign or on another one."""
    from strike_cli.cli.app import run_command_line_or_complete

    def play(words: str | list[str], at: Path | None = None) -> Said:
        capsys.readouterr()
        code = run_command_line_or_complete(
            [*(words.split() if isinstance(words, str) else words), "-C", str(at or folder)]
        )
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return play


@pytest.fixture
def played(folder: Path, strike: Strike, once: Once) -> Path:
    """The campaign in a session, with a fight and a decision that waits."""
    lines = ("session start", "combat start ford", "roll skill vex Hauling --dice 6")
    once("a decision at the ford", folder, lambda: [strike(words) for words in lines])
    return folder
