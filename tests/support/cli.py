"""The command line, run in this process."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.command_line_splitting import WINDOWS, split_words_keeping_apostrophes
from strike_cli.terminal.invocation import AT_TERMINAL

Once = Callable[[str, Path, Callable[[], object]], None]
"""The fixture of this name: what it is called, the folder in which it is played, what plays it."""


class Ran(NamedTuple):
    """What a command ended with and said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on stdout."""
        return json.loads(self.out)


class Strike:
    """Types commands, as in bash: `strike("roll skill vex --dice 5")`. Checks the exit code, 0 unless told
    otherwise."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.invocation = AT_TERMINAL

    def __call__(self, line: str, code: int | None = 0) -> Ran:
        ran = self.words(split_words_keeping_apostrophes(line) if WINDOWS else shlex.split(line))
        assert code is None or ran.code == code, f"`{line}` ended with {ran.code}:\n{ran.out}{ran.err}"
        return ran

    def words(self, words: list[str]) -> Ran:
        """What comes of a command as it stands in words."""
        self._capsys.readouterr()
        ended = run_command_line_or_complete(words, self.invocation)
        return Ran(ended, *self._capsys.readouterr())

    def json(self, line: str, code: int = 0) -> Any:
        """The envelope that a command prints with --json."""
        return self(f"{line} --json", code).json


def run_in(folder: Path, words: str | Sequence[str]) -> tuple[int, str]:
    """What a command in a folder ends with and says, where no test is by to capture it."""
    out, split = io.StringIO(), words.split() if isinstance(words, str) else words
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = run_command_line_or_complete([*split, "-C", str(folder)])
    return code, out.getvalue()
