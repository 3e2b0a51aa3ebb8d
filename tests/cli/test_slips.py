"""An evening typed with the slips that people make (tests/data/slips.txt): none is answered by a parser's
words, a traceback, a guess that was played, or a hint that fails when typed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from support.cli import Strike
from support.edits import replace_in
from support.hints import LinesToType, examples_in, read_wrong, typed_wrong

from strike_cli.campaign.create import create_campaign_folder
from strike_cli.cli.shell import NOT_HERE
from strike_cli.problems import Usage
from strike_cli.session.typed_line import command_words_of_line
from strike_cli.terminal.invocation import AT_TERMINAL

pytestmark = pytest.mark.slow

EVENING = Path(__file__).parents[1] / "data" / "slips.txt"
PARSERS_WORDS = re.compile(
    r"Traceback|Usage: |^Error:|No such (option|command)|Missing (argument|option|parameter)"
    r"|unexpected extra argument|is not a valid|does not take a value|requires an argument|Invalid value"
    r"|Try '",
    re.MULTILINE,
)
PLAYED, PENDING = 0, 6


class Slip(NamedTuple):
    """A line typed wrong, how it ends, what is said then: one of several words."""

    typed: str
    code: int
    said: tuple[str, ...]


def evening() -> Iterator[Slip | str]:
    """The lines in order; one that is played right is its text alone."""
    for line in EVENING.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            yield line[2:]
        elif line and not line.startswith("#"):
            typed, _, right = line.rpartition("-> ")
            code, _, words = right.partition(" ")
            yield Slip(typed.strip(), int(code), tuple(word.strip() for word in words.split(" | ")))


class Table:
    """A campaign at whose prompt lines are typed."""

    def __init__(self, folder: Path, strike: Strike, lines: LinesToType) -> None:
        self.folder, self.strike, self.lines = folder, strike, lines
        self.tried: set[str] = set()

    def lines_to_type(self, examples: Collection[str] = ()) -> list[str]:
        """The commands that were printed to be typed for what was typed last, less `examples`."""
        return [line for line in self.lines.taken() if line not in examples]

    def type(self, line: str) -> tuple[int, str, str]:
        """What comes of a line: the exit code, what was told, what was complained of."""
        try:
            words = command_words_of_line(self.folder, line, NOT_HERE)
        except Usage as problem:
            return problem.exit_code, "", self.lines.here.adapt_prose(f"{problem.message} {problem.hint}")
        ran = self.strike.words(["-C", str(self.folder), *words])
        return ran.code, ran.out, ran.err

    def state(self) -> dict[str, bytes]:
        """Everything that is recorded."""
        files = [self.folder / "state.toml", *sorted(self.folder.glob("journal/*"))]
        return {file.name: file.read_bytes() for file in files if file.is_file()}


def wrong_with(table: Table, slip: Slip) -> Iterator[str]:
    """What is not as it should be once a slip was typed, then what was said."""
    before = table.state()
    code, out, err = table.type(slip.typed)
    told = out + err
    if code != slip.code:
        yield f"ends with {code}, not {slip.code}"
    if not any(word.casefold() in told.casefold() for word in slip.said):
        yield f"does not say {' or '.join(slip.said)}"
    if found := PARSERS_WORDS.search(told):
        yield f"says {found[0]!r}"
    if code not in (PLAYED, PENDING):
        if table.state() != before:
            yield "changed something"
        examples = examples_in(err)
        for example in examples:
            if why := read_wrong(table.folder, example):
                yield f"has the example `{example}`, which {why}"
        for line in table.lines_to_type(examples):
            if why := typed_wrong(table.strike.words, table.folder, line):
                yield f"hints at `{line}`, which {why}"
    elif table.state() != before:
        table.type("undo")
    yield f"({told.strip()})"


def wrong_after(table: Table, line: str) -> Iterator[str]:
    """What is not as it should be where a line was typed right, among it what it says to type next."""
    code, _, err = table.type(line)
    if code not in (PLAYED, PENDING):
        yield f"= {line}\n    {err}"
    for next_ in table.lines_to_type():
        if next_ not in table.tried and (why := typed_wrong(table.strike.words, table.folder, next_)):
            yield f"= {line}\n    says to type `{next_}`, which {why}"
        table.tried.add(next_)
        table.lines.taken()


def test_an_evening_of_slips(strike: Strike, tmp_path: Path) -> None:
    """Every line that is printed to be typed meanwhile is typed, those of what is refused each time."""
    folder = tmp_path / "road"
    sheet = create_campaign_folder(folder, seed=3) / "campaign.toml"
    named, all_games = 'plugins = ["elements"]', 'plugins = ["elements", "grit", "karma", "momentum"]'
    replace_in(sheet, named, all_games)
    lines = LinesToType()
    strike.invocation = AT_TERMINAL._replace(command_form=lines.here)
    table = Table(folder, strike, lines)
    wrong: list[str] = []
    for line in evening():
        lines.taken()
        if isinstance(line, str):
            wrong += wrong_after(table, line)
            continue
        found = list(wrong_with(table, line))
        if len(found) > 1:
            wrong.append("\n    ".join([line.typed, *found]))
    assert not wrong, f"{len(wrong)} slips:\n" + "\n".join(wrong)
