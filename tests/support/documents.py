"""What pages of documentation promise: their evenings are played, and come out as they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from support.cli import Ran, Strike

ROOT = Path(__file__).parents[2]


def commands_in(text: str) -> Iterator[str]:
    """The commands of a page's blocks, in order, as one types them."""
    within, language = False, ""
    for line in text.splitlines():
        if line.startswith("```"):
            within, language = not within, line.removeprefix("```").strip()
        elif within and language in ("", "console"):
            typed = line.removeprefix("$ ")
            if typed.startswith("strike "):
                yield typed


class SystemPage:
    """The page and the example of a game system that is shipped: `SystemPage("grit")`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.path = ROOT / "docs" / f"{name}.md"
        self.text = self.path.read_text(encoding="utf-8")
        self.example = ROOT / "plugins" / f"strike_{name}" / "example"
        self.campaign = (self.example / "campaign.toml").read_text(encoding="utf-8")

    def played(self) -> Iterator[tuple[str, list[str]]]:
        """The commands of the page's evening, in order, each with what it is said to say."""
        for block in re.findall(r"^```console\n(.*?)^```", self.text, re.DOTALL | re.MULTILINE):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, *said = part.splitlines()
                yield command.removeprefix("strike "), said

    def check_evening(self, strike: Strike, lines: Callable[[Ran], Sequence[str]]) -> None:
        """Every command says what the page has; `...` in it leaves lines out."""
        for command, said in self.played():
            out = list(lines(strike(command, None)))
            if "..." in said:
                at = said.index("...")
                assert out[:at] == said[:at], command
                out, said = out[len(out) - len(said[at + 1 :]) :], said[at + 1 :]
            assert out == said, command
        assert strike.json("replay --verify")["data"]["differences"] == []

    def check_commands(self, strike: Strike) -> None:
        """The page has every command of the group."""
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
