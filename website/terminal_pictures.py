"""Records a terminal, and draws its screens as SVG pictures, still or animated.

The pictures contain no font file and no address. A browser uses its own monospaced font, and each run of
letters has a given width.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from rich.ansi import AnsiDecoder
from rich.cells import cell_len
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme

from strike_look import DARK

ACROSS, DOWN, SIZE, EDGE = 8.4, 18.0, 14, 14
"""The width and height of a cell, the font size, and the margin, in pixels."""
_INKS = (
    "line down up gold zone-water fourth zone-other1 ink",
    "soft hp-dire hp-good hp-low zone-water zone-other2 zone-other1 on-token",
)
"""The eight colours of a terminal and their bright ones, by their names in the look's night theme."""
_RGB: dict[str, tuple[int, int, int]] = {
    name: Color.parse(value).get_truecolor() for name, value in DARK.items() if len(value) == 7
}
NORMAL, BRIGHT = ([_RGB[name] for name in names.split()] for names in _INKS)
INK, PAPER = _RGB["ink"], _RGB["page"]
THEME = TerminalTheme(PAPER, INK, NORMAL, BRIGHT)
COLOURS = re.compile(r"\x1b\[[\d;:]*m")
STILL_SECONDS = 0.35
"""Seconds for which a screen has to stay unchanged before it counts."""


class Terminal:
    """A bash in tmux with a fixed number of columns and rows. Programs really run in it."""

    def __init__(self, columns: int, rows: int, folder: Path, bin: Path, home: Path) -> None:
        self.name = f"strike-pictures-{os.getpid()}"
        self._socket = str(home / "tmux")
        # `env -i`: nothing of this machine's user gets into the pictures.
        env = {
            "HOME": str(home),
            "PATH": f"{bin}:/usr/bin:/bin",
            "TERM": "tmux-256color",
            "COLORTERM": "truecolor",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "PS1": "\\[\\e[1;32m\\]$\\[\\e[0m\\] ",
        }
        size = ["-x", str(columns), "-y", str(rows)]
        clean = ["env", "-i", *(f"{key}={value}" for key, value in env.items())]
        where = ["-s", self.name, "-c", str(folder)]
        bash = [*clean, "bash", "--norc", "--noprofile"]
        self._run_tmux("-f", "/dev/null", "new-session", "-d", *where, *size, *bash)
        self._run_tmux("set-option", "-g", "status", "off")
        self.wait_for_screen()

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names."""
        self._run_tmux("send-keys", "-t", self.name, *keys)

    def type(self, text: str) -> None:
        """Type a text letter by letter. No word in it is taken for the name of a key."""
        self._run_tmux("send-keys", "-l", "-t", self.name, "--", text)

    def wait_for_screen(self, wanted: str = "", seconds: float = 20.0) -> str:
        """Wait until the screen shows `wanted` and is still, and return it with its colour codes.

        The screen is still if it hasn't changed for STILL_SECONDS. Raises TimeoutError after `seconds`.
        """
        end, last, since = time.monotonic() + seconds, "", time.monotonic()
        while time.monotonic() < end:
            now = self._run_tmux("capture-pane", "-e", "-p", "-t", self.name)
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > STILL_SECONDS and wanted in COLOURS.sub("", now):
                return now
            time.sleep(0.05)
        raise TimeoutError(f"The screen never showed {wanted!r}:\n{last}")

    def wait_for_prompt(self, seconds: float = 60.0) -> str:
        """Wait until a prompt stands alone in the last line, and return the screen.

        Raises TimeoutError after `seconds`: the command is still running.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            now = self.wait_for_screen()
            if COLOURS.sub("", now).rstrip().endswith("\n$"):
                return now
        raise TimeoutError(f"The command never ended:\n{now}")

    def close(self) -> None:
        """End the terminal and what runs in it."""
        self._run_tmux("kill-server")

    def _run_tmux(self, *words: str) -> str:
        ran = subprocess.run(["tmux", "-S", self._socket, *words], capture_output=True, text=True, check=True)
        return ran.stdout


class Shot(NamedTuple):
    """A captured screen, and the seconds for which it is shown."""

    screen: str
    seconds: float = 1.0


def still_svg(screen: str, title: str) -> str:
    """Return a screen as SVG."""
    return animated_svg([Shot(screen)], title)


def animated_svg(shots: Sequence[Shot], title: str) -> str:
    """Return screens one after the other, in a loop, as an SVG.

    A row that stays the same from one screen to the next is drawn once.
    """
    screens = [list(runs_by_row(shot.screen)) for shot in shots]
    rows = max(map(len, screens))
    columns = max((run.at + run.width for screen in screens for row in screen for run in row), default=1)
    ends = [sum(shot.seconds for shot in shots[: number + 1]) for number in range(len(shots))]
    styles: dict[str, str] = {}
    spans: dict[tuple[int, int], str] = {}
    drawn: list[str] = []
    for row in range(rows):
        begin = 0
        for number in range(1, len(screens) + 1):
            here = _row_or_empty(screens[begin], row)
            if number < len(screens) and _row_or_empty(screens[number], row) == here:
                continue
            svg = "".join(_run_svg(run, row, styles) for run in here)
            if svg and (begin, number) != (0, len(screens)):
                name = spans.setdefault((begin, number), f"s{len(spans)}")
                svg = f'<g class="s {name}">{svg}</g>'
            drawn.append(svg)
            begin = number
    width, height = columns * ACROSS + 2 * EDGE, rows * DOWN + 2 * EDGE
    css = [
        f"text{{font:{SIZE}px 'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace;"
        f"fill:{_hex_colour(INK)};white-space:pre}}",
        *(f".{name}{{{rule}}}" for rule, name in styles.items()),
        *_animation_css(spans, ends),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'role="img" aria-label="{escape(title)}"><title>{escape(title)}</title><style>{"".join(css)}</style>'
        f'<rect width="100%" height="100%" rx="8" fill="{_hex_colour(PAPER)}"/>'
        + "\n".join(filter(None, drawn))
        + "</svg>\n"
    )


def _animation_css(spans: dict[tuple[int, int], str], ends: Sequence[float]) -> Iterator[str]:
    if not spans:
        return
    whole = ends[-1]
    yield f".s{{visibility:hidden;animation:{whole:g}s step-end infinite}}"
    for (begin, end), name in spans.items():
        on, off = (100 * ends[begin - 1] / whole if begin else 0), 100 * ends[end - 1] / whole
        last = "" if end == len(ends) else f"{off:.4g}%{{visibility:hidden}}"
        first = "0%{visibility:hidden}" if begin else ""
        steps = f"{first}{on:.4g}%{{visibility:visible}}{last}"
        yield f".{name}{{animation-name:{name}}}@keyframes {name}{{{steps}}}"
    # Readers who want no movement see the last screen.
    final = ",".join(f".{name}" for (_, end), name in spans.items() if end == len(ends))
    yield f"@media(prefers-reduced-motion:reduce){{.s{{animation:none}}{final}{{visibility:visible}}}}"


class StyledRun(NamedTuple):
    """Letters of one style, and their first column."""

    at: int
    width: int
    text: str
    style: Style


def runs_by_row(screen: str) -> Iterator[list[StyledRun]]:
    """Yield the rows of a captured screen, without blank ones at its end."""
    decoder, console = AnsiDecoder(), Console(color_system="truecolor", width=500)
    rows = []
    for line in screen.rstrip("\n").split("\n"):
        column, row = 0, list[StyledRun]()
        for piece in decoder.decode_line(line).render(console):
            text = piece.text.rstrip("\n")
            width, style = cell_len(text), piece.style or Style.null()
            if text.strip() or _has_ground(style):
                row.append(StyledRun(column, width, text, style))
            column += width
        rows.append(row)
    while rows and not rows[-1]:
        rows.pop()
    yield from rows


def _has_ground(style: Style) -> bool:
    return bool(style.bgcolor and not style.bgcolor.is_default) or bool(style.reverse)


def _row_or_empty(screen: Sequence[list[StyledRun]], row_number: int) -> list[StyledRun]:
    return screen[row_number] if row_number < len(screen) else []


def _run_svg(run: StyledRun, row: int, styles: dict[str, str]) -> str:
    ink, ground = _rgb_of_colour(run.style.color, INK), _rgb_of_colour(run.style.bgcolor, PAPER)
    if run.style.reverse:
        ink, ground = ground, ink
    if run.style.dim:
        ink = tuple((a * 6 + b * 4) // 10 for a, b in zip(ink, ground, strict=True))
    left, top = EDGE + run.at * ACROSS, EDGE + row * DOWN
    svg = ""
    if ground != PAPER:
        svg = (
            f'<rect x="{left:g}" y="{top:g}" width="{run.width * ACROSS:.5g}" height="{DOWN:g}" '
            f'fill="{_hex_colour(ground)}"/>'
        )
    if not run.text.strip():
        return svg
    rule = f"fill:{_hex_colour(ink)}" if ink != INK else ""
    rule += ";font-weight:bold" if run.style.bold else ""
    rule += ";text-decoration:underline" if run.style.underline else ""
    named = f' class="{styles.setdefault(rule.strip(";"), f"c{len(styles)}")}"' if rule else ""
    # Blanks at the ends need no letters; where a run is long, its width keeps it in step with its neighbours.
    text = run.text.rstrip()
    blank = len(text) - len(text.lstrip())
    left, text = left + blank * ACROSS, text.lstrip()
    return svg + (
        f'<text x="{left:.5g}" y="{top + DOWN * 0.75:g}" textLength="{cell_len(text) * ACROSS:.5g}"'
        f"{named}>{escape(text, quote=False)}</text>"
    )


def _rgb_of_colour(colour: Color | None, default: tuple[int, ...]) -> tuple[int, ...]:
    return default if colour is None or colour.is_default else tuple(colour.get_truecolor(THEME))


def _hex_colour(colour: tuple[int, ...]) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
