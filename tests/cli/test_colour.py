"""What is written in colour without Rich looks as Rich would have it look."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from support.cases import case
from support.cli import Strike

from strike_cli.campaign import Campaign
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.terminal import coloured_output, command_output
from strike_cli.terminal.battlemap.colours import GROUNDS, INKS, rich_style
from strike_cli.terminal.command_output import STYLES, Block, Line, NumberHeading, Table, styled_spans
from strike_cli.terminal.scene_view import map_picture

SYSTEMS = {256: "256color", 2**24: "truecolor"}
Cell = tuple[str, tuple[str, ...]]


def _seen(written: str) -> list[list[Cell]]:
    """Letters with the codes that are in force, line by line, without blanks at their ends."""
    lines: list[list[Cell]] = [[]]
    codes: tuple[str, ...] = ()
    for sequence, letter in re.findall(r"\x1b\[([0-9;]*)m|(.|\n)", written):
        if letter == "\n":
            lines.append([])
        elif letter:
            painted = tuple(each for each in codes if each.startswith(("4", "7"))) if letter == " " else codes
            lines[-1].append((letter, painted))
        else:
            codes = (
                () if sequence == "0" else tuple(re.findall(r"[34]8;(?:5;\d+|2;\d+;\d+;\d+)|\d+", sequence))
            )
    for line in lines:
        while line and line[-1] == (" ", ()):
            line.pop()
    return lines


def _by_rich(block: Block, width: int, hues: int) -> str:
    out = io.StringIO()
    Style._add.cache_clear()
    Style.parse.cache_clear()  # a style keeps the codes of the terminal that it was written to first
    kind = {256: "256", 2**24: "truecolor", 0: "standard"}[hues]
    console = Console(file=out, force_terminal=True, width=width, color_system=kind, no_color=False)  # type: ignore[arg-type]
    console.print(command_output.rich_block(block, width), highlight=False)
    return out.getvalue()


def _by_strike(block: Block, width: int, hues: int) -> str | None:
    screen = coloured_output.OutputTerminal()
    screen.width, screen.colour_count = width, hues
    return screen._text_without_rich_if_possible(block)


letters = some.text(some.sampled_from("abc XYZ 0:,.-[]é“”…−→│█"), max_size=12)
styled = some.tuples(letters, some.sampled_from(sorted(STYLES)))
lines: some.SearchStrategy[Line] = letters | styled | some.lists(letters | styled, max_size=5)


@given(lines)
def test_a_line_looks_as_rich_has_it(line: Line) -> None:
    drawn = _by_strike(line, 100, 256)
    assert drawn is not None
    assert _seen(drawn) == _seen(_by_rich(line, 100, 256))


@pytest.mark.slow
@settings(max_examples=40)
@given(
    some.integers(1, 4).flatmap(
        lambda n: some.tuples(
            some.lists(
                some.sampled_from(["Who", NumberHeading("HP"), "What it is", NumberHeading("n")]),
                min_size=n,
                max_size=n,
            ),
            some.lists(some.lists(letters.filter(str.strip) | styled, min_size=n, max_size=n), max_size=4),
        )
    )
)
def test_a_table_looks_as_rich_has_it(told: tuple[list[str], list[list[str | tuple[str, str]]]]) -> None:
    table = Table(*told)
    drawn = _by_strike(table, 100, 256)
    if drawn is None:
        assert any(text.endswith(" ") for row in table.rows for cell in row for text, _ in styled_spans(cell))
        return
    assert _seen(drawn) == _seen(_by_rich(table, 100, 256))


@pytest.mark.parametrize("hues", [0, 256, 2**24])
@pytest.mark.parametrize("width", [60, 80, 100, 150])
def test_a_map_looks_as_rich_has_it(folder: Path, in_campaign: Strike, hues: int, width: int) -> None:
    for words in (
        "combat start ring --party vex --party brann",
        "combat initiative --dice 6,1,3,2",
        "combat status add vex dazed",
    ):
        in_campaign(words)
    with Campaign(folder) as campaign:
        (scene,) = scenes_of(campaign.state)
    picture = map_picture(scene, reach=[(1, 1), (2, 1)])
    drawn = _by_strike(picture, width, hues)
    assert (drawn is None) == (hues == 0)
    if drawn is not None:
        assert _seen(drawn) == _seen(_by_rich(picture, width, hues))


@pytest.mark.parametrize("hues", [256, 2**24])
def test_every_colour_is_that_of_rich(hues: int) -> None:
    for style in [*INKS, *(f"floor/{ground}" for ground in GROUNDS), "cursor/path/floor"]:
        written = command_output.Picture(
            str,
            lambda _, style=style: _text(rich_style(style)),
            lambda _, style=style: [[("x", rich_style(style))]],
        )
        assert _seen(_by_strike(written, 80, hues) or "") == _seen(_by_rich(written, 80, hues)), style


def _text(style: str) -> object:
    from rich.text import Text

    return Text("x", style)


@pytest.mark.slow
def test_letters_that_count_as_one_column_take_one() -> None:
    for number in range(0x110000):
        if coloured_output.has_surely_single_column_letters(chr(number)):
            assert cell_len(chr(number)) == 1, hex(number)


def test_what_has_to_be_measured_is_left_to_rich() -> None:
    for line in ("x" * 81, "a word " * 20, "日本", "two\nlines", "e\u0301"):
        with case(line):
            assert _by_strike(line, 80, 256) is None


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Rich knows its consoles")
def test_a_roll_is_told_to_a_terminal_without_rich(strike: Strike) -> None:
    program = (
        "import sys, strike_cli.terminal.command_output as result; result.coloured = lambda: True\n"
        "from strike_cli.cli.app import run_command_line_or_complete\n"
        "run_command_line_or_complete(['roll', 'skill', '--skilled', '--seed', '1'])\n"
        "print('rich' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "\x1b[" in ended.stdout or ended.stdout
    assert ended.stdout.endswith("False\n")


def test_what_is_read_from_the_top_is_paged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it has more lines than the terminal, and somebody types at it."""
    seen = tmp_path / "paged"
    monkeypatch.setenv("PAGER", f"tee {seen}")
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("COLUMNS", "80")
    lines: list[Block] = [f"line {number}" for number in range(12)]
    assert not coloured_output.OutputTerminal().show_in_pager_if_too_long(lines)  # a script reads all of it
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    assert not coloured_output.OutputTerminal().show_in_pager_if_too_long(lines[:9])
    assert coloured_output.OutputTerminal().show_in_pager_if_too_long(lines)
    assert seen.read_text().splitlines() == lines


def test_columns_hold_in_a_pipe(in_campaign: Strike, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    told = in_campaign("rule STR-TAC-15").out.splitlines()
    assert 40 < max(map(len, told)) <= 50


@given(some.lists(some.tuples(some.text("ab c", max_size=30), some.sampled_from(["", "dim"])), max_size=5))
def test_a_long_line_of_a_list_is_set_in(line: list[tuple[str, str]]) -> None:
    """Nothing but blanks between words is changed, and no style."""
    text = "".join(part for part, _ in line)
    broken = styled_spans(coloured_output.break_line_with_hanging_indent(line, 20))
    told = "".join(part for part, _ in broken)
    assert told.split() == text.split()
    assert [style for part, style in broken if part and style] == [
        style for part, style in line if part and style
    ]
    first, *others = told.split("\n")
    assert all(each.startswith(" " * coloured_output.HANGING_INDENT) for each in others)
    if all(len(word) < 20 - coloured_output.HANGING_INDENT for word in text.split()):
        assert all(len(each.rstrip()) <= 20 for each in [first, *others] if each.strip())
