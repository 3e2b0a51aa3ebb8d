"""Draws plots as SVG: how often each value occurred, and how much of something each person has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape

from strike_look import LIGHT, PAPER, SERIES

from .html import MADE

MOST_BARS = 48
"""The most bars of a histogram, or columns of a chart; more values are grouped."""
WIDEST = 56.0
"""The greatest width of a bar."""
STYLE = (
    "text{{fill:{soft};font:12px system-ui,sans-serif}}.head{{fill:{ink};font-size:18px;font-weight:600}}"
    ".huge{{fill:{ink};font-size:34px;font-weight:650}}.name{{fill:{ink}}}.won{{fill:{good}}}"
    ".lost{{fill:{dire}}}.drawn{{fill:{low}}}.blue{{fill:{party}}}.axis{{stroke:{line}}}"
).format_map(LIGHT)
"""The style of a picture outside a page."""


def short_percentage(share: float) -> str:
    """Return a share from 0 to 1 as `71%`, with one decimal below 1% and above 99%."""
    points = share * 100
    if 0 < points < 1 or 99 < points < 100:
        return f"{points:.1f}%"
    return f"{points:.0f}%"


def make_standalone_svg(width: int, height: int, inner: str) -> str:
    """Return an SVG for a file of its own, with style and a white ground, around the content `inner`."""
    size = f'width="{width}" height="{height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size}><!-- {MADE} -->'
        f'<style>{STYLE}</style><rect {size} fill="{PAPER["page"]}"/>{inner}</svg>\n'
    )


def escape_text(text: str) -> str:
    """Return a text escaped for use in an SVG."""
    return escape(text)


def size_of_svg(svg: str) -> tuple[int, int]:
    """Return the width and height of an SVG, as its viewBox says."""
    found = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert found
    return int(found[1]), int(found[2])


def inner_svg(svg: str) -> str:
    """Return the content of an SVG without its outer tag, for use in another one."""
    return svg[svg.index(">") + 1 : svg.rindex("</svg>")]


def draw_histogram(
    counts: Mapping[int, int], css_class_of_value: Callable[[int], str], width: int = 480, height: int = 170
) -> str:
    """Return a histogram of how often each value occurred, as SVG. Many values are grouped.

    `css_class_of_value` returns the CSS class for a value.
    """
    low, high = min(counts), max(counts)
    step = max(1, -(-(high - low + 1) // MOST_BARS))
    lots = {at: sum(counts.get(at + k, 0) for k in range(step)) for at in range(low, high + 1, step)}
    total, most = sum(lots.values()), max(lots.values())
    each = min(WIDEST, (width - 20) / len(lots))
    left = (width - each * len(lots)) / 2
    bars = []
    every = max(1, -(-len(lots) // 10))
    for number, (at, count) in enumerate(lots.items()):
        tall = (height - 44) * count / most
        x = left + each * number
        name = f"{at} to {at + step - 1}" if step > 1 else f"{at}"
        bars.append(
            f'<rect x="{x + each * 0.08:.1f}" y="{height - 24 - tall:.1f}" width="{each * 0.84:.1f}" '
            f'height="{tall:.1f}" rx="2" class="{css_class_of_value(at)}">'
            f"<title>{name}: {short_percentage(count / total)}</title></rect>"
        )
        if number % every == 0:
            shown = str(at).replace("-", "\N{MINUS SIGN}")
            bars.append(f'<text x="{x + each / 2:.1f}" y="{height - 7}" text-anchor="middle">{shown}</text>')
    top = (
        f'<text x="{width - 10}" y="14" text-anchor="end">most often: {short_percentage(most / total)}</text>'
    )
    axis = f'<line x1="10" x2="{width - 10}" y1="{height - 23.5}" y2="{height - 23.5}" class="axis"/>'
    return f'<svg viewBox="0 0 {width} {height}">{axis}{"".join(bars)}{top}</svg>'


def draw_html_bar(share: float, css_class: str) -> str:
    """Return a share from 0 to 1 as a bar for a line of HTML; `css_class` is its CSS class."""
    wide = 100 * min(1.0, max(0.0, share))
    return f'<span class="bar"><i class="{css_class}" style="width:{wide:.1f}%"></i></span>'


# Of people

_ROW = 26


def colour_of_position(number: int) -> str:
    """Return the colour of the person at a position in the list, counted from 0."""
    return SERIES[number % len(SERIES)]


def draw_bars_of_people(rows: Sequence[tuple[str, int]], width: int = 480) -> str:
    """Return a plot, as SVG, of how much of something each person has: a bar and a number for each."""
    most = max((value for _, value in rows), default=0) or 1
    left = 130
    parts = []
    for number, (name, value) in enumerate(rows):
        y = number * _ROW
        wide = max(1.0, (width - left - 50) * value / most)
        words = f'<text x="{left - 8}" y="{y + 17}" text-anchor="end" class="name">'
        parts.append(
            f"{words}{escape(_shorten_name(name, 18))}</text>"
            f'<rect x="{left}" y="{y + 5}" width="{wide:.1f}" height="16" rx="3" '
            f'style="fill:{colour_of_position(number)}"/>'
            f'<text x="{left + wide + 7:.1f}" y="{y + 17}">{value}</text>'
        )
    return f'<svg viewBox="0 0 {width} {_ROW * len(rows) + 2}">{"".join(parts)}</svg>'


def draw_stacked_columns(
    columns: Sequence[tuple[str, Sequence[int]]], names: Sequence[str], width: int = 980, height: int = 230
) -> str:
    """Return a plot of stacked columns as SVG.

    Each column has a label, and one number for each of `names`. For example, each evening has a column with
    the deeds of each person. If there are many columns, they are grouped and show averages.
    """
    step = max(1, -(-len(columns) // MOST_BARS))
    lots = []
    for at in range(0, len(columns), step):
        lot = columns[at : at + step]
        first, last = lot[0][0], lot[-1][0]
        means = [sum(values) / len(lot) for values in zip(*(values for _, values in lot), strict=True)]
        lots.append((first if first == last else f"{first}-{last}", means))
    top, foot = 12 + 18 * -(-len(names) // _IN_A_ROW), 24
    most = max((sum(values) for _, values in lots), default=0) or 1
    each = min(WIDEST, (width - 60) / max(1, len(lots)))
    parts = [
        f'<line x1="40" x2="{width - 10}" y1="{height - foot}" y2="{height - foot}" class="axis"/>'
        f'<text x="34" y="{top + 6}" text-anchor="end">{most:.0f}</text>'
        f'<text x="34" y="{height - foot}" text-anchor="end">0</text>'
    ]
    every = max(1, -(-len(lots) // 16))
    for column, (label, values) in enumerate(lots):
        x, y = 44 + each * column, float(height - foot)
        for number, value in enumerate(values):
            high = (height - top - foot) * value / most
            y -= high
            title = escape(f"{names[number]}, {label}: {value:.0f}")
            parts.append(
                f'<rect x="{x + each * 0.1:.1f}" y="{y:.1f}" width="{each * 0.8:.1f}" height="{high:.1f}" '
                f'style="fill:{colour_of_position(number)}"><title>{title}</title></rect>'
            )
        if column % every == 0:
            words = f'<text x="{x + each / 2:.1f}" y="{height - 7}" text-anchor="middle">'
            parts.append(f"{words}{escape(label)}</text>")
    return f'<svg viewBox="0 0 {width} {height}">{"".join(parts)}{_legend(names, width)}</svg>'


_IN_A_ROW = 5


def _legend(names: Sequence[str], width: int) -> str:
    parts = []
    for number, name in enumerate(names):
        x, y = 44 + number % _IN_A_ROW * (width - 60) / _IN_A_ROW, 12 + 18 * (number // _IN_A_ROW)
        colour = colour_of_position(number)
        box = f'<rect x="{x:.0f}" y="{y - 9}" width="10" height="10" rx="2" style="fill:{colour}"/>'
        parts.append(f'{box}<text x="{x + 16:.0f}" y="{y}">{escape(_shorten_name(name, 24))}</text>')
    return "".join(parts)


def _shorten_name(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}\N{HORIZONTAL ELLIPSIS}"
