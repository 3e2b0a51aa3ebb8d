"""Exact odds on a screen, in JSON and as a picture, whatever they are of."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

import typer

from ..kernel.estimate import within
from .declare import Call, Declared, Typed, arguments, opened
from .options import Command, Options
from .result import Bars, Block, Result
from .shared_options import Svg

_SVG = inspect.Parameter("svg", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Svg)


def asks_odds(
    app: typer.Typer,
    name: str,
    about: Declared,
    *,
    without: Collection[str] = (),
    more: Sequence[inspect.Parameter] = (),
) -> Callable[[Callable[[Call, Typed, str | None], Result]], Callable[..., Result]]:
    """Make a function the command that tells the odds of a declared command.

    It has that one's signature, but for the words that change no odds, and `more`, which `call.typed` has
    besides, and --svg. The function is called with the call, the arguments that the command would play, and
    the file for the chart.
    """

    def decorate(function: Callable[[Call, Typed, str | None], Result]) -> Callable[..., Result]:
        def run(options: Options, svg: str | None = None, **typed: Any) -> Result:
            with opened(options, about.move, writing=False) as call:
                own = {each.name: typed.pop(each.name) for each in more}
                args = arguments(call, about, typed)
                call.typed.update(own)
                return function(call, args, svg)

        def parameters() -> list[inspect.Parameter]:
            return [*(each for each in about.parameters if each.name not in without), *more, _SVG]

        run.__doc__ = function.__doc__
        run.__name__ = function.__name__
        app.command(name)(Command(run, parameters, "reads"))
        return function

    return decorate


def exact(chance: Fraction) -> dict[str, Any]:
    """A chance as `--json` shows it."""
    return {"probability": str(chance), "p": round(float(chance), 4)}


def percent(chance: Fraction) -> str:
    """A chance as people read it."""
    return f"{float(chance) * 100:.1f}%"


def _short(chance: Fraction) -> str:
    """A fraction that people can read; of others the percentage says enough."""
    return shown if len(shown := str(chance)) <= READABLE else ""


READABLE = 15


def in_short(outcomes: Sequence[tuple[Mapping[str, Any], Fraction]]) -> dict[str, Fraction]:
    """Odds as a number for each thing that counts: the chance of what is so or not, the average of what is a
    number. An outcome that lacks it counts as nothing."""
    found: dict[str, Fraction] = {}
    for outcome, chance in outcomes:
        for key, value in outcome.items():
            if isinstance(value, int):
                found[key] = found.get(key, Fraction(0)) + chance * value
    return found


def short_words(outcomes: Sequence[tuple[Mapping[str, Any], Fraction]]) -> str:
    """The same as people read it: `hits 45.0%, damage 3.1`."""
    flags = {key for outcome, _ in outcomes for key, value in outcome.items() if isinstance(value, bool)}
    return ", ".join(
        f"{key} {percent(value) if key in flags else f'{float(value):.1f}'}"
        for key, value in in_short(outcomes).items()
    )


def about(plays: int) -> dict[str, Any]:
    """What `--json` says of chances that are an estimate from so many plays, and nothing of exact ones: of no
    chance is it further off than `within`, nineteen times in twenty."""
    return {"estimate": True, "plays": plays, "within": round(within(plays), 4)} if plays else {}


def chances(
    name: str,
    args: Mapping[str, Any],
    rows: list[tuple[dict[str, Any], str, Fraction]],
    svg: str | None,
    plays: int = 0,
) -> Result:
    """Odds as a screen and as data: rows of what comes of it, as data and in words, with its chance; an
    estimate from so many `plays`, or exact."""
    longest = max(chance for _, _, chance in rows)
    bars = [
        (words, float(chance / longest), f"{percent(chance):>6}  {_short(chance)}")
        for _, words, chance in rows
    ]
    blocks: list[Block] = [Bars(bars)]
    if plays:
        off = f"{within(plays) * 100:.0f}"
        text = f"About: an estimate from {plays} plays. 19 times in 20 a chance is within {off} of each 100."
        blocks.append((text, "dim"))
    if svg:
        _write(svg, lambda: chart_svg([(words, chance) for _, words, chance in rows]))
        blocks.append(f"The chart is in {svg}.")
    outcomes = [{**key, **exact(chance)} for key, _, chance in rows]
    return Result(name, {"outcomes": outcomes, "of": dict(args), **about(plays)}, blocks)


def _write(path: str, draw: Callable[[], str]) -> None:
    from pathlib import Path

    from ..campaign.files import unwritable, write_out

    try:
        write_out(Path(path), draw().encode("utf-8"))
    except OSError as error:
        raise unwritable(Path(path), error) from None


def chart_svg(rows: list[tuple[str, Fraction]]) -> str:
    """A bar chart as an SVG picture: a label, a bar and a percentage for each row."""
    from html import escape

    longest = max(chance for _, chance in rows)
    height = 28 * len(rows) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="14">',
        f'<rect width="640" height="{height}" fill="#fff"/>',
    ]
    for number, (words, chance) in enumerate(rows):
        y = 12 + 28 * number
        width = float(chance / longest) * 320
        parts.append(f'<text x="212" y="{y + 15}" text-anchor="end" fill="#333">{escape(words)}</text>')
        parts.append(f'<rect x="220" y="{y}" width="{width:.1f}" height="20" rx="3" fill="#3b7ea1"/>')
        parts.append(
            f'<text x="{228 + width:.1f}" y="{y + 15}" fill="#333">{percent(chance)} ({chance})</text>'
        )
    return "\n".join([*parts, "</svg>", ""])
