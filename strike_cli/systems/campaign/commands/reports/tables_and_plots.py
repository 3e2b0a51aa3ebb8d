"""The tables and plots of a report's counts, in a form for screens, Markdown and HTML alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from strike_cli.pages import plots
from strike_cli.pages.html import make_card
from strike_cli.terminal.command_output import Block, NumberHeading, Span, Table

from .character_counts import DICE_HEADINGS, CharacterCounts


class CountTable(NamedTuple):
    """A table of numbers with a row for each character.

    Each row begins with the character's name.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]

    def block(self) -> Block:
        """Return the counts as a table for a terminal."""
        rows: list[list[Span]] = [[(name, "name"), *numbers] for name, *numbers in self.rows]
        return Table(["", *(NumberHeading(heading) for heading in self.headings)], rows)


class Plot(NamedTuple):
    """A titled picture of numbers, as SVG."""

    title: str
    svg: str


NumbersAtEnd = Callable[[str], Mapping[str, int]]
"""The numbers on a person's sheet at the end."""


def tables_of_counts(
    ledger: CharacterCounts, names: Mapping[str, str], numbers_at_end: NumbersAtEnd
) -> list[CountTable]:
    """Return two tables of what each character did. A table with nothing to show is left out.

    The first table has rolls, points gained and lost, and the character's numbers at the end of the report.
    The function `numbers_at_end` returns these numbers. The second table has deeds in scenes, and dice.
    """
    found = []
    rolled = [person for person in names if person in ledger.points]
    if rolled:
        now = [f"{tally.title} now" for tally in ledger.sheet_tallies.values()]
        rows = [
            [
                names[person],
                *map(_count_or_dash, ledger.points[person].values()),
                *map(str, numbers_at_end(person).values()),
            ]
            for person in rolled
        ]
        found.append(CountTable("In numbers", [*ledger.point_headings().values(), *now], rows))
    done = [person for person in names if person in ledger.deeds]
    headings = {
        key: title
        for key, title in ledger.deed_headings().items()
        if any(ledger.deeds[person][key] for person in done)
    }
    if headings.keys() - DICE_HEADINGS.keys() or (headings and rolled):
        rows = [
            [names[person], *(_count_or_dash(ledger.deeds[person][key]) for key in headings)]
            for person in done
        ]
        found.append(CountTable("Deeds and dice", list(headings.values()), rows))
    return found


def _count_or_dash(count: int) -> str:
    return str(count) if count else "-"


def deeds_as_json(ledger: CharacterCounts) -> dict[str, dict[str, int]]:
    """Return the deeds of each character as plain dicts, for --json."""
    return {person: dict(deeds) for person, deeds in ledger.deeds.items()}


PLOTTED_DEEDS = ("dealt", "taken", "felled", "healed")
"""Deeds that are plotted wherever anybody has done them."""


FEWEST_DICE = 12
"""The fewest dice of a kind whose faces are plotted."""


def plots_of_deeds_and_dice_faces(ledger: CharacterCounts, names: Mapping[str, str]) -> list[Plot]:
    """Return plots of the characters' deeds, and a plot of the faces that their dice showed.

    The plot of faces is for one kind of die: the kind that the whole party rolled most. It is left out if the
    party rolled fewer than FEWEST_DICE of these dice.
    """
    titles = ledger.deed_headings()
    found = []
    for key in PLOTTED_DEEDS:
        rows = [(name, ledger.deeds[person][key]) for person, name in names.items() if person in ledger.deeds]
        if any(value for _, value in rows):
            found.append(Plot(titles[key], plots.draw_bars_of_people(rows)))
    by_sides: dict[int, Counter[int]] = {}
    for of_sides in ledger.faces.values():
        for sides, faces in of_sides.items():
            by_sides.setdefault(sides, Counter()).update(faces)
    most = max(by_sides, key=lambda sides: (by_sides[sides].total(), sides), default=0)
    if most and by_sides[most].total() >= FEWEST_DICE:
        every = {face: by_sides[most][face] for face in range(1, most + 1)}
        title = f"Faces of the party's d{most}: {by_sides[most].total()} dice"
        found.append(Plot(title, plots.draw_histogram(every, lambda _: "blue")))
    return found


def plot_cards(plots: Sequence[Plot]) -> str:
    """Return the plots side by side, as HTML; "" without any."""
    return (
        f'<div class="two">{"".join(make_card(plot.title, plot.svg) for plot in plots)}</div>'
        if plots
        else ""
    )


def plots_svg(title: str, drawn: Sequence[Plot]) -> str:
    """Return one SVG with a title, and below it the plots, one under the other."""
    parts, y = [f'<text x="24" y="34" class="head">{plots.escape_text(title)}</text>'], 52
    for plot in drawn:
        wide, high = plots.size_of_svg(plot.svg)
        scale = min(1.0, 592 / wide)
        parts.append(f'<text x="24" y="{y + 14}" class="name">{plots.escape_text(plot.title)}</text>')
        parts.append(
            f'<g transform="translate(24 {y + 24}) scale({scale:.3f})">{plots.inner_svg(plot.svg)}</g>'
        )
        y += round(high * scale) + 44
    return plots.make_standalone_svg(640, y, "".join(parts))
