"""Reports as HTML pages that open anywhere, and print."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path

import strike_look
from strike_cli import __version__
from strike_cli.pages import html
from strike_cli.pages.html import card
from strike_cli.tabletop import pictures

from .campaign import CampaignReport
from .evening import EveningReport, ReportLine
from .story import Chapter, Paragraph, RoundHeading, Story, Throw
from .tables import Counts, plot_cards, plots_of


def evening_page(evening: EveningReport) -> str:
    """Return the report of an evening as a page."""
    return html.page(evening.heading(), _evening(evening))


def campaign_page(report: CampaignReport) -> str:
    """Return the report of all evenings as a page."""
    return html.page(report.heading(), _campaign(report))


def story_page(story: Story, folder: Path) -> str:
    """Return an evening turn by turn as a page.

    Its pictures, out of a campaign's folder, are in the page itself.
    """
    shown = _Pictures(folder)
    body = list(_story(story, shown))
    return html.page(
        story.heading(), body, styles=("story.css",), more_style=strike_look.component("dice") + shown.style()
    )


class _Pictures:
    """Pictures of a page, each in it once however often it is shown."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._classes: dict[str, str] = {}
        self._rules: list[str] = []

    def of(self, file: str) -> str:
        """Return the class of an element that shows a picture; "" where there is none."""
        if file and file not in self._classes:
            self._classes[file] = self._added(file)
        return self._classes.get(file, "")

    def style(self) -> str:
        return "".join(self._rules)

    def _added(self, file: str) -> str:
        try:
            content, media_type = pictures.read(self._folder, file, pictures.LARGEST)
            width, height = pictures.size_of(content)
        except ValueError:
            return ""
        name = f"p{len(self._rules)}"
        data = b64encode(content).decode("ascii")
        size = f"--ratio:{width}/{max(1, height)};"
        self._rules.append(f".{name}{{{size}background-image:url(data:{media_type};base64,{data})}}")
        return name


def _top(title: str, about: str) -> str:
    return f'<h1>{escape(title)}</h1><p class="sub">{escape(about)}</p>'


def _foot(for_players: bool) -> str:
    whom = "for the players" if for_players else "for the game master: it has what is secret"
    return f"<footer>strike {__version__}, {whom}</footer>"


def _counts(tables: Iterable[Counts]) -> Iterator[str]:
    for table in tables:
        yield card(table.title, html.table(["", *table.headings], table.rows))


def _items(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"


def _secret(secret: bool) -> str:
    return ' <i class="secret">secret</i>' if secret else ""


def _evening(evening: EveningReport) -> Iterator[str]:
    yield _top(evening.heading(), evening.when())
    if evening.scenes:
        yield card(
            "Scenes",
            _items(
                f"<b>{escape(scene.name)}</b>{escape(scene.came_to())}{_secret(scene.secret)}"
                + f'<br><span class="dim">{escape(" ".join(scene.told))}</span>'
                for scene in evening.scenes
            ),
        )
    yield plot_cards(plots_of(evening.ledger, evening.names()))
    yield from _counts(evening.tables())
    for heading, told in evening.sections.items():
        if told:
            yield card(heading, _items(_line(one) + _secret(one.secret) for one in told))
    left = [f"<b>{escape(evening.name(who))}</b>, still {escape(what)}" for who, what in evening.afflicted()]
    left += [
        f"<b>{escape(evening.name(one.who))}</b>, {escape(one.what)} "
        f'<span class="dim">{escape(one.which)}</span>{_secret(one.secret)}'
        for one in evening.unresolved()
    ]
    yield card("Unresolved", _items(left) if left else "<p>Nothing.</p>")
    yield _foot(evening.for_players)


def _line(line: ReportLine) -> str:
    text = escape(line.text)
    return f'<span class="{line.tone}">{text}</span>' if line.tone else text


def _campaign(report: CampaignReport) -> Iterator[str]:
    yield _top(report.heading(), report.when())
    by_evening = report.by_evening(report.last.names())
    yield from (card(plot.title, plot.svg) for plot in by_evening)
    yield plot_cards(report.plots()[len(by_evening) :])
    yield from _counts(report.tables())
    rows = [[name, day, scenes, commands] for name, day, commands, scenes in report.rows()]
    table = html.table(["Evening", "Day", "Scenes", "Commands"], rows, words=3)
    yield card("Evenings", table)
    yield _foot(report.for_players)


def _story(story: Story, shown: _Pictures) -> Iterator[str]:
    yield _top(story.heading(), story.campaign)
    for chapter in story.chapters:
        title = f"<h2>{escape(chapter.title)}</h2>" if chapter.title else ""
        banner = shown.of(chapter.image)
        map_ = f'<div class="map {banner}" role="img" aria-label="The map"></div>' if banner else ""
        yield f"<section>{title}{map_}{''.join(_parts(chapter, shown))}</section>"
    yield _foot(story.for_players)


def _parts(chapter: Chapter, shown: _Pictures) -> Iterator[str]:
    for part in chapter.parts:
        if isinstance(part, RoundHeading):
            yield f"<h3>Round {part.number}</h3>"
        else:
            yield _paragraph(part, shown)


def _paragraph(part: Paragraph, shown: _Pictures) -> str:
    """Return a paragraph with the dice beside it.

    A turn has the face of the person whose turn it is, a handout is below.
    """
    picture = shown.of(part.image)
    face = f'<span class="face {picture}"></span>' if picture and part.who else ""
    handout = f'<div class="handout {picture}"></div>' if picture and not part.who else ""
    lead = f'<b class="stands-out">{escape(" · ".join(part.headlines))}</b> ' if part.headlines else ""
    note = f"<blockquote>{escape(part.note)}</blockquote>" if part.note else ""
    lines = [
        _throws(who, what, list(those)) for (who, what), those in groupby(part.dice, lambda throw: throw[:2])
    ]
    dice = f"<aside>{''.join(lines)}</aside>" if lines else ""
    return f"<article>{dice}<p>{face}{lead}{_told(part)}{_secret(part.secret)}</p>{handout}{note}</article>"


def _throws(who: str, what: str, throws: Iterable[Throw]) -> str:
    """Return a line of the margin: the person, the purpose, and the dice as they fell."""
    about = " · ".join(filter(None, (who, what)))
    return f'<div class="throw"><span>{escape(about)}</span>{"".join(map(_throw, throws))}</div>'


def _throw(throw: Throw) -> str:
    kept = throw.faces.index(throw.kept) if throw.kept in throw.faces else None
    dice = "".join(
        strike_look.die(throw.sides, face, kept is None or len(throw.faces) == 1 or at == kept)
        for at, face in enumerate(throw.faces)
    )
    of_dice = throw.total is not None and throw.total != (throw.kept or sum(throw.faces))
    total = f"<b>{throw.total}</b>" if of_dice else ""
    return dice + total


def _told(part: Paragraph) -> str:
    bold, rest = part.lead()
    return f"<b>{escape(bold)}</b>{escape(rest)}" if bold else escape(rest)
