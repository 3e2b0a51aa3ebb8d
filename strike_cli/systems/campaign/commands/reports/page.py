"""Reports as HTML pages that open anywhere, and print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from strike_cli import __version__
from strike_cli.pages import html
from strike_cli.pages.html import card

from .campaign import CampaignReport
from .evening import EveningReport, ReportLine
from .story import Chapter, Paragraph, RoundHeading, Story
from .tables import Counts, plot_cards, plots_of


def evening_page(evening: EveningReport) -> str:
    """The report of an evening."""
    return html.page(evening.heading(), _evening(evening))


def campaign_page(report: CampaignReport) -> str:
    """The report of all of them."""
    return html.page(report.heading(), _campaign(report))


def story_page(story: Story) -> str:
    """An evening turn by turn."""
    return html.page(story.heading(), _story(story))


def _top(title: str, about: str) -> str:
    return f'<h1>{escape(title)}</h1><p class="sub">{escape(about)}</p>'


def _foot(for_players: bool) -> str:
    whom = "for the players" if for_players else "for the game master: it has what is secret"
    return f"<footer>strike {__version__}, {whom}</footer>"


def _counts(tables: Iterable[Counts]) -> Iterator[str]:
    for table in tables:
        headings = ["", *(f">{heading}" for heading in table.headings)]
        yield card(table.title, html.table(headings, table.rows))


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


def _line(told: ReportLine) -> str:
    text = escape(told.text)
    return f'<span class="{told.tone}">{text}</span>' if told.tone else text


def _campaign(report: CampaignReport) -> Iterator[str]:
    yield _top(report.heading(), report.when())
    by_evening = report.by_evening(report.last.names())
    yield from (card(plot.title, plot.svg) for plot in by_evening)
    yield plot_cards(report.plots()[len(by_evening) :])
    yield from _counts(report.tables())
    rows = [[name, day, scenes, commands] for name, day, commands, scenes in report.rows()]
    table = html.table(["Evening", "Day", "Scenes", ">Commands"], rows)
    yield card("Evenings", table)
    yield _foot(report.for_players)


def _story(story: Story) -> Iterator[str]:
    yield _top(story.heading(), story.campaign)
    for chapter in story.chapters:
        title = f"<h2>{escape(chapter.title)}</h2>" if chapter.title else ""
        yield f'<section class="card story">{title}{"".join(_parts(chapter))}</section>'
    yield _foot(story.for_players)


def _parts(chapter: Chapter) -> Iterator[str]:
    for part in chapter.parts:
        if isinstance(part, RoundHeading):
            yield f"<h3>Round {part.number}</h3>"
        else:
            lead = (
                f'<b class="stands-out">{escape(" · ".join(part.headlines))}</b> ' if part.headlines else ""
            )
            yield f"<p>{lead}{_told(part)}{_secret(part.secret)}</p>"
            if part.note:
                yield f"<blockquote>{escape(part.note)}</blockquote>"


def _told(part: Paragraph) -> str:
    text = part.text()
    if part.who and text.startswith(part.who):
        return f"<b>{escape(part.who)}</b>{escape(text.removeprefix(part.who))}"
    return f"<b>{escape(part.who)}:</b> {escape(text)}" if part.who else escape(text)
