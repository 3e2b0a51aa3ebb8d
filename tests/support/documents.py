"""What pages of documentation promise: their examples are played, and come out as they are written."""

from __future__ import annotations

import builtins
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from support.cli import Strike

ROOT = Path(__file__).parents[2]
DOCUMENTS = tuple(
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "reference" not in page.parts  # made from the program
)
UNPLAYED = re.compile(r"<!-- not played: (.+) -->")
"""Stands above a block that no test can play, and says why."""
BEFORE = re.compile(r"<!-- played before: (.+) -->")
"""Stands above a block that shows the middle of an evening: a command that led to it."""
CONSOLE, PROMPT = ("", "console"), "strike"
"""Languages of blocks: what is typed in the system's shell, and in strike's own."""


class Example(NamedTuple):
    """Something to type, in a block of a document. `said` is what the document shows of what comes, none
    where it shows nothing; `unplayed` is why it can't be played."""

    line: int
    typed: str
    said: tuple[str, ...] = ()
    at_prompt: bool = False
    unplayed: str = ""

    @property
    def is_strikes(self) -> bool:
        """Whether it is for strike, or leads there; what else one types is no business of these tests."""
        return self.at_prompt or bool(re.match(r"strike |echo |cd \S+$", self.typed))


def examples_in(text: str) -> Iterator[Example]:
    """The examples of a page, in order."""
    language: str | None = None
    above, typed, said = "", Example(0, ""), list[str]()
    for number, line in enumerate([*text.splitlines(), "```"], 1):
        if typed.typed and (line.startswith(("```", "$ ")) or language != "console"):
            yield typed._replace(said=tuple(said))
            typed, said = Example(0, ""), []
        if line.startswith("```"):
            if language is None:
                language = line.removeprefix("```").strip()
                yield from (Example(number, before, ("...",)) for before in BEFORE.findall(above))
                unplayed = ", ".join(UNPLAYED.findall(above))
            else:
                language, above = None, ""
        elif language is None:
            above = above + line + "\n" if line.startswith("<!--") else above if not line else ""
        elif language == "console" and not line.startswith("$ "):
            said.append(line)
        elif language in (*CONSOLE, PROMPT) and line.strip():
            typed = Example(number, line.removeprefix("$ "), (), language == PROMPT, unplayed)


def plays_of(text: str) -> Iterator[Example]:
    """The examples of a page that are for strike, and can be played."""
    return (each for each in examples_in(text) if each.is_strikes and not each.unplayed)


def is_as_shown(shown: Sequence[str], said: str) -> bool:
    """Whether a command said what a page shows, where that shows anything; `...` in it leaves something out.
    An object of JSON may be broken into lines, and blank lines are no matter."""
    wanted, came = _lines(shown), _lines(said.splitlines())
    if not wanted:
        return True
    if wanted.startswith("{"):
        wanted, came = " ".join(wanted.split()), " ".join(came.split())
    parts = re.split(r"\s*\.\.\.\s*", wanted)
    return re.fullmatch(".*".join(map(re.escape, parts)), came, re.DOTALL) is not None


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(line.rstrip() for line in lines if line.strip())


class Reader:
    """Somebody who types the examples of a page as they stand, in a fresh campaign."""

    def __init__(self, strike: Strike, patch: pytest.MonkeyPatch) -> None:
        self._strike = strike
        self._patch = patch

    def type(self, example: Example) -> str | None:
        """Type an example. Returns what is wrong with what came of it; None where it came as shown."""
        if example.typed.startswith("cd "):
            os.chdir(example.typed.split()[1])
            return None
        code, said = (
            self._at_the_prompt(example.typed)
            if example.at_prompt
            else self._in_bash(example.typed)
            if re.search(r" [|>] ", example.typed)
            else self._here(example.typed)
        )
        if not is_as_shown(example.said, said):
            return f"says something else:\n{said}"
        # What a page shows to be refused may be.
        if code not in (0, 6) and not "".join(example.said).strip(" ."):
            return f"ends with {code}:\n{said}"
        return None

    def _here(self, line: str) -> tuple[int, str]:
        ran = self._strike(shlex.join(shlex.split(line, comments=True)[1:]), None)
        return ran.code, ran.out + ran.err

    def _at_the_prompt(self, line: str) -> tuple[int, str]:
        """In strike's own shell: it goes on whatever is refused, and complains."""
        lines = [line]

        def read(prompt: str = "") -> str:
            if not lines:
                raise EOFError
            return lines.pop()

        with self._patch.context() as patch:
            patch.setattr(builtins, "input", read)
            ran = self._strike("shell", None)
        return 1 if ran.err else ran.code, ran.out + ran.err

    def _in_bash(self, line: str) -> tuple[int, str]:
        strike = f'strike() {{ "{sys.executable}" -m strike_cli "$@"; }}\n'
        ran = subprocess.run(["bash", "-c", strike + line], capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout + ran.stderr


class SystemPage:
    """The page and the example of a game system that is shipped: `SystemPage("grit")`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.path = ROOT / "docs" / f"{name}.md"
        self.text = (ROOT / "docs" / f"{name}-reference.md").read_text(encoding="utf-8")
        self.example = ROOT / "plugins" / f"strike_{name}" / "example"
        self.campaign = (self.example / "campaign.toml").read_text(encoding="utf-8")

    def check_commands(self, strike: Strike) -> None:
        """The reference has every command of the group."""
        commands = re.findall(r"^│ ([a-z][a-z-]*) ", strike(f"{self.name} --help").out, re.MULTILINE)
        assert len(commands) > 10
        assert [command for command in commands if f"`{self.name} {command}" not in self.text] == []

    def check_demo(self, strike: Strike, ends: str) -> None:
        """`strike demo --system NAME`: every command of its evening is played, to the words that it `ends`
        with."""
        lines = (self.example / "evening.strike").read_text(encoding="utf-8").splitlines()
        count = len([line for line in lines if line and not line.startswith("#")])
        demo = strike.json(f"demo --system {self.name} --no-table --keep evening")["data"]
        assert demo["commands"] == count
        assert ends in strike("-C evening log --last 1").out
        assert all(finding["ok"] for finding in strike.json("-C evening doctor")["data"]["findings"])
