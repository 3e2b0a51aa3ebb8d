"""The forms of reports: on the terminal, as data, as Markdown, as files."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

import strike_look
from strike_cli import __version__
from strike_cli.pages import html
from strike_cli.pages.html import MADE, make_card
from strike_cli.problems import Usage
from strike_cli.tabletop import pictures
from strike_cli.terminal.html_and_markdown import as_markdown, escape_inline, row
from strike_cli.terminal.output_files import write_made
from strike_cli.terminal.result import Block, Line, Numbers, Result, Section, Span, Table

from .campaign import CampaignReport
from .evening import EveningReport, Open, ReportLine, SceneSummary
from .story import Chapter, Paragraph, RoundHeading, Story, Throw
from .tables import Counts, Plot, plot_cards, plots_of, plots_svg

MADE_BY = f"<!-- {MADE} session report -->"


def report_markdown(evening: EveningReport, picture: str = "") -> str:
    """Return the report as a Markdown page.

    `picture` is the file of its plots, as the page is to name it.
    """
    lines = [MADE_BY, f"# {as_markdown(evening.heading())}", "", f"*{as_markdown(evening.when())}*"]
    if evening.scenes:
        lines += ["", "## Scenes", ""]
        for scene in evening.scenes:
            secret = " *(secret)*" if scene.secret else ""
            lines.append(f"- **{as_markdown(scene.name)}**{escape_inline(scene.came_to())}{secret}")
            lines += [f"  - {as_markdown(text)}" for text in scene.told]
    for heading, told_lines in evening.sections.items():
        if told_lines:
            lines += ["", f"## {heading}", ""]
            lines += [
                f"- {as_markdown(told.text)}{' *(secret)*' if told.secret else ''}" for told in told_lines
            ]
    for table in evening.tables():
        lines += ["", *counts_table(table)]
    if picture:
        lines += ["", f"![Everybody's deeds]({picture})"]
    lines += ["", "## Unresolved", ""]
    lines += [
        f"- **{as_markdown(evening.name(person))}**, still {as_markdown(what)}"
        for person, what in evening.afflicted()
    ]
    for one in evening.unresolved():
        secret = " *(secret)*" if one.secret else ""
        lines.append(
            f"- **{as_markdown(evening.name(one.who))}**, {as_markdown(one.what)} "
            f"({as_markdown(one.which)}){secret}"
        )
    if lines[-1] == "":
        lines.append("Nothing.")
    return "\n".join(lines) + "\n"


def counts_table(table: Counts) -> list[str]:
    """Return the lines of a table with a heading above it."""
    lines = [f"## {table.title}", "", row(["", *table.headings]), row(["-", *["-:"] * len(table.headings)])]
    return lines + [row([as_markdown(name), *numbers]) for name, *numbers in table.rows]


def campaign_markdown(report: CampaignReport, picture: str = "") -> str:
    """Return the report of all evenings as a Markdown page."""
    lines = [MADE_BY, f"# {as_markdown(report.heading())}", "", f"*{as_markdown(report.when())}*"]
    if picture:
        lines += ["", f"![Everybody's deeds]({picture})"]
    for table in report.tables():
        lines += ["", *counts_table(table)]
    lines += ["", "## Evenings", ""]
    for name, day, commands, scenes in report.rows():
        told = f": {as_markdown(scenes)}" if scenes else ""
        lines.append(f"- **{as_markdown(name)}**, {day}, {commands} commands{told}")
    return "\n".join(lines) + "\n"


def story_markdown(story: Story) -> str:
    """Return an evening turn by turn as a Markdown page."""
    lines = [MADE_BY, f"# {as_markdown(story.heading())}", "", f"*{as_markdown(story.campaign)}*"]
    for number, chapter in enumerate(story.chapters):
        if chapter.title:
            lines += ["", f"## {as_markdown(chapter.title)}"]
        elif number:
            lines += ["", "* * *"]
        for part in chapter.parts:
            if isinstance(part, RoundHeading):
                lines += ["", f"### Round {part.number}"]
                continue
            bold, rest = part.lead()
            words = f"**{as_markdown(bold)}**{escape_inline(rest)}" if bold else as_markdown(rest)
            lead = f"*{as_markdown(' · '.join(part.headlines))}* " if part.headlines else ""
            lines += ["", lead + words + (" *(secret)*" if part.secret else "")]
            if part.note:
                lines += ["", f"> {as_markdown(part.note)}"]
    return "\n".join(lines) + "\n"


def evening_page(evening: EveningReport) -> str:
    """Return the report of an evening as a page."""
    return html.make_page(evening.heading(), _evening(evening))


def campaign_page(report: CampaignReport) -> str:
    """Return the report of all evenings as a page."""
    return html.make_page(report.heading(), _campaign(report))


def story_page(story: Story, folder: Path) -> str:
    """Return an evening turn by turn as a page.

    Its pictures, out of a campaign's folder, are in the page itself.
    """
    shown = _Pictures(folder)
    body = list(_story(story, shown))
    return html.make_page(
        story.heading(),
        body,
        styles=("story.css",),
        more_style=strike_look.component_css("dice") + shown.style(),
    )


class _Pictures:
    """The pictures of a page, each embedded once however often it is shown."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._classes: dict[str, str] = {}
        self._rules: list[str] = []

    def of(self, file: str) -> str:
        """Return the class of an element that shows a picture; "" where there is none."""
        if file and file not in self._classes:
            self._classes[file] = self._add_picture(file)
        return self._classes.get(file, "")

    def style(self) -> str:
        return "".join(self._rules)

    def _add_picture(self, file: str) -> str:
        try:
            content, media_type = pictures.read_bytes(self._folder, file, pictures.LARGEST)
            width, height = pictures.size_of(content)
        except ValueError:
            return ""
        name = f"p{len(self._rules)}"
        data = b64encode(content).decode("ascii")
        size = f"--ratio:{width}/{max(1, height)};"
        self._rules.append(f".{name}{{{size}background-image:url(data:{media_type};base64,{data})}}")
        return name


def _heading_html(title: str, about: str) -> str:
    return f'<h1>{escape(title)}</h1><p class="sub">{escape(about)}</p>'


def _footer_html(for_players: bool) -> str:
    whom = "for the players" if for_players else "for the game master, with secrets"
    return f"<footer>strike {__version__}, {whom}</footer>"


def _count_cards(tables: Iterable[Counts]) -> Iterator[str]:
    for table in tables:
        yield make_card(table.title, html.make_table(["", *table.headings], table.rows))


def _items(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"


def _secret_mark(secret: bool) -> str:
    return ' <i class="secret">secret</i>' if secret else ""


def _evening(evening: EveningReport) -> Iterator[str]:
    yield _heading_html(evening.heading(), evening.when())
    if evening.scenes:
        yield make_card(
            "Scenes",
            _items(
                f"<b>{escape(scene.name)}</b>{escape(scene.came_to())}{_secret_mark(scene.secret)}"
                + f'<br><span class="dim">{escape(" ".join(scene.told))}</span>'
                for scene in evening.scenes
            ),
        )
    yield plot_cards(plots_of(evening.ledger, evening.names()))
    yield from _count_cards(evening.tables())
    for heading, told in evening.sections.items():
        if told:
            yield make_card(heading, _items(_line(one) + _secret_mark(one.secret) for one in told))
    left = [
        f"<b>{escape(evening.name(person))}</b>, still {escape(what)}" for person, what in evening.afflicted()
    ]
    left += [
        f"<b>{escape(evening.name(one.who))}</b>, {escape(one.what)} "
        f'<span class="dim">{escape(one.which)}</span>{_secret_mark(one.secret)}'
        for one in evening.unresolved()
    ]
    yield make_card("Unresolved", _items(left) if left else "<p>Nothing.</p>")
    yield _footer_html(evening.for_players)


def _line(line: ReportLine) -> str:
    text = escape(line.text)
    return f'<span class="{line.tone}">{text}</span>' if line.tone else text


def _campaign(report: CampaignReport) -> Iterator[str]:
    yield _heading_html(report.heading(), report.when())
    by_evening = report.by_evening(report.last.names())
    yield from (make_card(plot.title, plot.svg) for plot in by_evening)
    yield plot_cards(report.plots()[len(by_evening) :])
    yield from _count_cards(report.tables())
    rows = [[name, day, scenes, commands] for name, day, commands, scenes in report.rows()]
    table = html.make_table(["Evening", "Day", "Scenes", "Commands"], rows, words=3)
    yield make_card("Evenings", table)
    yield _footer_html(report.for_players)


def _story(story: Story, shown: _Pictures) -> Iterator[str]:
    yield _heading_html(story.heading(), story.campaign)
    for chapter in story.chapters:
        title = f"<h2>{escape(chapter.title)}</h2>" if chapter.title else ""
        banner = shown.of(chapter.image)
        map_ = f'<div class="map {banner}" role="img" aria-label="The map"></div>' if banner else ""
        yield f"<section>{title}{map_}{''.join(_parts(chapter, shown))}</section>"
    yield _footer_html(story.for_players)


def _parts(chapter: Chapter, shown: _Pictures) -> Iterator[str]:
    for part in chapter.parts:
        if isinstance(part, RoundHeading):
            yield f"<h3>Round {part.number}</h3>"
        else:
            yield _paragraph(part, shown)


def _paragraph(part: Paragraph, shown: _Pictures) -> str:
    """Return a paragraph with the dice beside it.

    A turn has the face of its person; a handout is below the text.
    """
    picture = shown.of(part.image)
    face = f'<span class="face {picture}"></span>' if picture and part.who else ""
    handout = f'<div class="handout {picture}"></div>' if picture and not part.who else ""
    lead = f'<b class="stands-out">{escape(" · ".join(part.headlines))}</b> ' if part.headlines else ""
    note = f"<blockquote>{escape(part.note)}</blockquote>" if part.note else ""
    lines = [
        _throw_lines(person, what, list(those))
        for (person, what), those in groupby(part.dice, lambda throw: throw[:2])
    ]
    dice = f"<aside>{''.join(lines)}</aside>" if lines else ""
    bold, rest = part.lead()
    first = f"<b>{escape(bold)}</b>" if bold else ""
    words = f"{face}{lead}{first}{escape(rest)}{_secret_mark(part.secret)}"
    return f"<article>{dice}<p>{words}</p>{handout}{note}</article>"


def _throw_lines(person: str, what: str, throws: Iterable[Throw]) -> str:
    """Return a line of the margin: the person, the purpose, and the dice as they fell."""
    about = " · ".join(filter(None, (person, what)))
    return f'<div class="throw"><span>{escape(about)}</span>{"".join(map(_throw, throws))}</div>'


def _throw(throw: Throw) -> str:
    kept = throw.faces.index(throw.kept) if throw.kept in throw.faces else None
    dice = "".join(
        strike_look.die_svg(throw.sides, face, kept is None or len(throw.faces) == 1 or at == kept)
        for at, face in enumerate(throw.faces)
    )
    of_dice = throw.total is not None and throw.total != (throw.kept or sum(throw.faces))
    total = f"<b>{throw.total}</b>" if of_dice else ""
    return dice + total


def report_blocks(evening: EveningReport) -> list[Block]:
    """Return the report for a terminal, or as plain text."""
    blocks: list[Block] = [(evening.heading(), "title"), (evening.when(), "dim")]
    if evening.scenes:
        blocks += ["", Section("Scenes", [("", _scene_line(scene)) for scene in evening.scenes])]
    for heading, lines in evening.sections.items():
        if lines:
            blocks += ["", Section(heading, [("", _report_line(told)) for told in lines])]
    for table in evening.tables():
        blocks += ["", table.block()]
    blocks += ["", *_open_blocks(evening)]
    return blocks


def _report_line(report_line: ReportLine) -> Line:
    line: Span = (report_line.text, report_line.tone) if report_line.tone else report_line.text
    return [line, ("  (secret)", "warn")] if report_line.secret else line


def _scene_line(scene: SceneSummary) -> Line:
    parts: list[Span] = [(scene.name, "name"), scene.came_to()]
    parts += [(f" {text}", "dim") for text in scene.told]
    return [*parts, ("  (secret)", "warn")] if scene.secret else parts


def _open_blocks(evening: EveningReport) -> Iterator[Block]:
    held, found = evening.afflicted(), evening.unresolved()
    if held:
        yield Section(
            "Still held", [("", [(evening.name(person), "name"), f"  {what}"]) for person, what in held]
        )
        yield ""
    if found:
        yield Section("Unresolved", [("", _open_line(evening, one)) for one in found])
    else:
        yield ("Nothing is left unresolved.", "good")


def _open_line(evening: EveningReport, item: Open) -> Line:
    parts: list[Span] = [(evening.name(item.who), "name"), f"  {item.what}", (f"  {item.which}", "dim")]
    return [*parts, ("  (secret)", "warn")] if item.secret else parts


def campaign_blocks(report: CampaignReport) -> list[Block]:
    """Return all evenings for a terminal: a line each, and what everybody did in all of them."""
    blocks: list[Block] = [(report.heading(), "title"), (report.when(), "dim"), ""]
    rows: list[list[Span]] = [[*row[:2], (row[2], "dim"), *row[3:]] for row in report.rows()]
    blocks.append(Table(["Evening", "Day", Numbers("Commands"), "Scenes"], rows))
    for table in report.tables():
        blocks += ["", table.block()]
    return blocks


def story_blocks(story: Story) -> list[Block]:
    """Return an evening turn by turn, for a terminal."""
    blocks: list[Block] = [(story.heading(), "title"), (story.campaign, "dim")]
    for number, chapter in enumerate(story.chapters):
        if chapter.title:
            blocks += ["", (chapter.title, "name")]
        elif number:
            blocks += ["", ("* * *", "dim")]
        for part in chapter.parts:
            if isinstance(part, RoundHeading):
                blocks += ["", (f"Round {part.number}", "dim")]
                continue
            line: list[Span] = [(f"{' · '.join(part.headlines)}  ", "strong")] if part.headlines else []
            bold, rest = part.lead()
            line += [(bold, "strong"), rest] if bold else [rest]
            line += [("  (secret)", "warn")] if part.secret else []
            line += [(f"  [{part.note}]", "dim")] if part.note else []
            blocks += ["", line]
    return blocks


PAGES, PICTURES = (".html", ".htm"), (".svg",)


def evening_report(evening: EveningReport, out: str, as_markdown: bool) -> Result:
    """Return the report of an evening, or write it into the file `out`."""
    data = evening.as_json()
    found = plots_of(evening.ledger, evening.names())
    if not out:
        blocks = report_blocks(evening)
        return _result("session report", data, blocks, report_markdown(evening), as_markdown)
    files = _Files(Path(out), evening.heading(), found)
    files.write(lambda: evening_page(evening), lambda name: report_markdown(evening, name))
    if files.text:
        data["markdown"] = files.text
    counts = [f"{len(lines)} under {heading}" for heading, lines in evening.sections.items() if lines]
    return files.result("session report", data, f"{', '.join(counts) or 'no events'}.")


def campaign_report(report: CampaignReport, out: str, as_markdown: bool) -> Result:
    """Return the report of all evenings, or write it into the file `out`."""
    data = report.as_json()
    if not out:
        blocks = campaign_blocks(report)
        return _result("session report", data, blocks, campaign_markdown(report), as_markdown)
    files = _Files(Path(out), report.heading(), report.plots())
    files.write(lambda: campaign_page(report), lambda name: campaign_markdown(report, name))
    return files.result("session report", data, report.when())


def story_told(story: Story, folder: Path, out: str, as_markdown: bool, *, as_page: bool = False) -> Result:
    """Return an evening turn by turn, or write it into the file `out`.

    Its pictures lie below `folder`. `as_page`: write a page, whatever the file is called.
    """
    data = story.as_json()
    if not out:
        blocks = story_blocks(story)
        return _result("session story", data, blocks, story_markdown(story), as_markdown)
    files = _Files(Path(out), story.heading(), ())
    files.write(lambda: story_page(story, folder), lambda _: story_markdown(story), as_page)
    return files.result("session story", data, "")


def _result(
    command: str, data: dict[str, object], blocks: list[Block], text: str, as_markdown: bool
) -> Result:
    if as_markdown:
        data["markdown"] = text
        blocks = [text.rstrip("\n")]
    return Result(command, data, blocks)


class _Files:
    """The output file that the user named, and the picture beside it that a Markdown page shows."""

    def __init__(self, path: Path, title: str, plots: Sequence[Plot]) -> None:
        self.path = path
        self.title = title
        self.plots = plots
        self.picture: Path | None = None
        self.text = ""
        """The text of the Markdown page, if one was written."""

    def write(self, page: Callable[[], str], markdown: Callable[[str], str], as_page: bool = False) -> None:
        """Write the report, as a page or in the form that the file's name asks for. Raises Usage."""
        ending = self.path.suffix.lower()
        if as_page or ending in PAGES:
            write_made(self.path, page())
        elif ending in PICTURES:
            if not self.plots:
                raise Usage("There are no numbers for a picture.", "A page (.html) has the rest.")
            write_made(self.path, plots_svg(self.title, self.plots))
        else:
            if self.plots:
                self.picture = self.path.with_suffix(".svg")
                write_made(self.picture, plots_svg(self.title, self.plots))
            self.text = markdown(self.picture.name if self.picture else "")
            write_made(self.path, self.text)

    def result(self, command: str, data: dict[str, object], more: str) -> Result:
        """Return the result that says where the files are."""
        data["file"] = str(self.path)
        blocks: list[Block] = [(f"{self.title} is in {self.path}", "good")]
        if self.picture:
            data["picture"] = str(self.picture)
            blocks.append(f"Its plots are in {self.picture}.")
        return Result(command, data, [*blocks, more] if more else blocks)
