"""Turns reports into texts for the terminal, data, Markdown and HTML pages, and writes their files."""

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
from strike_cli.tabletop import campaign_pictures
from strike_cli.terminal.command_output import Block, Line, NumberHeading, Result, Section, Span, Table
from strike_cli.terminal.html_and_markdown import escape_markdown, markdown_line, markdown_row
from strike_cli.terminal.marked_output_files import write_already_marked_file

from .campaign import CampaignReport
from .evening import EveningReport, ReportLine, SceneSummary, UnresolvedItem
from .story import Chapter, Paragraph, RoundHeading, ShownRoll, Story
from .tables_and_plots import CountTable, Plot, plot_cards, plots_of_deeds_and_dice_faces, plots_svg

MADE_BY = f"<!-- {MADE} session report -->"


def evening_markdown(evening: EveningReport, picture: str = "") -> str:
    """Return the report of a session as Markdown. `picture` is the file name of its plots; "" for none."""
    lines = [MADE_BY, f"# {markdown_line(evening.heading())}", "", f"*{markdown_line(evening.subtitle())}*"]
    if evening.scenes:
        lines += ["", "## Scenes", ""]
        for scene in evening.scenes:
            secret = " *(secret)*" if scene.secret else ""
            outcome = escape_markdown(scene.outcome_and_length_words())
            lines.append(f"- **{markdown_line(scene.name)}**{outcome}{secret}")
            lines += [f"  - {markdown_line(text)}" for text in scene.told]
    for heading, told_lines in evening.sections.items():
        if told_lines:
            lines += ["", f"## {heading}", ""]
            lines += [
                f"- {markdown_line(told.text)}{' *(secret)*' if told.secret else ''}" for told in told_lines
            ]
    for table in evening.count_tables():
        lines += ["", *counts_markdown(table)]
    if picture:
        lines += ["", f"![Everybody's deeds]({picture})"]
    lines += ["", "## Unresolved", ""]
    lines += [
        f"- **{markdown_line(evening.display_name(person))}**, still {markdown_line(what)}"
        for person, what in evening.character_ids_and_ailments()
    ]
    for one in evening.unresolved():
        secret = " *(secret)*" if one.secret else ""
        lines.append(
            f"- **{markdown_line(evening.display_name(one.who))}**, {markdown_line(one.what)} "
            f"({markdown_line(one.which)}){secret}"
        )
    if lines[-1] == "":
        lines.append("Nothing.")
    return "\n".join(lines) + "\n"


def counts_markdown(table: CountTable) -> list[str]:
    """Return a table of counts, with its heading, as lines of Markdown."""
    lines = [
        f"## {table.title}",
        "",
        markdown_row(["", *table.headings]),
        markdown_row(["-", *["-:"] * len(table.headings)]),
    ]
    return lines + [markdown_row([markdown_line(name), *numbers]) for name, *numbers in table.rows]


def campaign_markdown(report: CampaignReport, picture: str = "") -> str:
    """Return the report of all sessions as Markdown. `picture` is the file name of its plots; "" for none."""
    lines = [MADE_BY, f"# {markdown_line(report.heading())}", "", f"*{markdown_line(report.subtitle())}*"]
    if picture:
        lines += ["", f"![Everybody's deeds]({picture})"]
    for table in report.count_tables():
        lines += ["", *counts_markdown(table)]
    lines += ["", "## Evenings", ""]
    for name, day, commands, scenes in report.session_rows():
        told = f": {markdown_line(scenes)}" if scenes else ""
        lines.append(f"- **{markdown_line(name)}**, {day}, {commands} commands{told}")
    return "\n".join(lines) + "\n"


def story_markdown(story: Story) -> str:
    """Return the story of a session, turn by turn, as Markdown."""
    lines = [MADE_BY, f"# {markdown_line(story.heading())}", "", f"*{markdown_line(story.campaign)}*"]
    for number, chapter in enumerate(story.chapters):
        if chapter.title:
            lines += ["", f"## {markdown_line(chapter.title)}"]
        elif number:
            lines += ["", "* * *"]
        for part in chapter.parts:
            if isinstance(part, RoundHeading):
                lines += ["", f"### Round {part.number}"]
                continue
            bold, rest = part.split_bold_name_and_rest()
            words = f"**{markdown_line(bold)}**{escape_markdown(rest)}" if bold else markdown_line(rest)
            lead = f"*{markdown_line(' · '.join(part.headlines))}* " if part.headlines else ""
            lines += ["", lead + words + (" *(secret)*" if part.secret else "")]
            if part.note:
                lines += ["", f"> {markdown_line(part.note)}"]
    return "\n".join(lines) + "\n"


def evening_page(evening: EveningReport) -> str:
    """Return the report of a session as an HTML page."""
    return html.make_page(evening.heading(), _evening_html(evening))


def campaign_page(report: CampaignReport) -> str:
    """Return the report of all sessions as an HTML page."""
    return html.make_page(report.heading(), _campaign_html(report))


def story_page(story: Story, folder: Path) -> str:
    """Return the story of a session, turn by turn, as an HTML page with its pictures embedded.

    `folder` is the campaign's, where the pictures are.
    """
    shown = _EmbeddedPictures(folder)
    body = list(_story_html(story, shown))
    return html.make_page(
        story.heading(),
        body,
        styles=("story.css",),
        more_style=strike_look.component_css("dice") + shown.css_rules(),
    )


class _EmbeddedPictures:
    """The pictures embedded in a page, each only once, as CSS classes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._classes: dict[str, str] = {}
        self._rules: list[str] = []

    def embed_and_get_css_class(self, file: str) -> str:
        """Return the CSS class that shows a picture; "" if the file is "" or can't be read."""
        if file and file not in self._classes:
            self._classes[file] = self._add_picture(file)
        return self._classes.get(file, "")

    def css_rules(self) -> str:
        return "".join(self._rules)

    def _add_picture(self, file: str) -> str:
        try:
            content, media_type = campaign_pictures.read_campaign_picture(
                self._folder, file, campaign_pictures.LARGEST
            )
            width, height = campaign_pictures.picture_size(content)
        except ValueError:
            return ""
        name = f"p{len(self._rules)}"
        data = b64encode(content).decode("ascii")
        size = f"--ratio:{width}/{max(1, height)};"
        self._rules.append(f".{name}{{{size}background-image:url(data:{media_type};base64,{data})}}")
        return name


def _evening_html(evening: EveningReport) -> Iterator[str]:
    yield _heading_html(evening.heading(), evening.subtitle())
    if evening.scenes:
        yield make_card(
            "Scenes",
            _list_html(
                f"<b>{escape(scene.name)}</b>{escape(scene.outcome_and_length_words())}{_secret_mark(scene.secret)}"
                + f'<br><span class="dim">{escape(" ".join(scene.told))}</span>'
                for scene in evening.scenes
            ),
        )
    yield plot_cards(plots_of_deeds_and_dice_faces(evening.ledger, evening.character_names()))
    yield from _cards_of_count_tables_html(evening.count_tables())
    for heading, told in evening.sections.items():
        if told:
            yield make_card(
                heading,
                _list_html(_report_line_without_mark_html(one) + _secret_mark(one.secret) for one in told),
            )
    left = [
        f"<b>{escape(evening.display_name(person))}</b>, still {escape(what)}"
        for person, what in evening.character_ids_and_ailments()
    ]
    left += [
        f"<b>{escape(evening.display_name(one.who))}</b>, {escape(one.what)} "
        f'<span class="dim">{escape(one.which)}</span>{_secret_mark(one.secret)}'
        for one in evening.unresolved()
    ]
    yield make_card("Unresolved", _list_html(left) if left else "<p>Nothing.</p>")
    yield _footer_html(evening.for_players)


def _secret_mark(secret: bool) -> str:
    return ' <i class="secret">secret</i>' if secret else ""


def _list_html(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"


def _cards_of_count_tables_html(tables: Iterable[CountTable]) -> Iterator[str]:
    for table in tables:
        yield make_card(table.title, html.make_table(["", *table.headings], table.rows))


def _footer_html(for_players: bool) -> str:
    whom = "for the players" if for_players else "for the game master, with secrets"
    return f"<footer>strike {__version__}, {whom}</footer>"


def _heading_html(title: str, about: str) -> str:
    return f'<h1>{escape(title)}</h1><p class="sub">{escape(about)}</p>'


def _report_line_without_mark_html(line: ReportLine) -> str:
    text = escape(line.text)
    return f'<span class="{line.tone}">{text}</span>' if line.tone else text


def _campaign_html(report: CampaignReport) -> Iterator[str]:
    yield _heading_html(report.heading(), report.subtitle())
    by_evening = report.plots_by_evening(report.last.character_names())
    yield from (make_card(plot.title, plot.svg) for plot in by_evening)
    yield plot_cards(report.plots_by_evening_and_in_total()[len(by_evening) :])
    yield from _cards_of_count_tables_html(report.count_tables())
    rows = [[name, day, scenes, commands] for name, day, commands, scenes in report.session_rows()]
    table = html.make_table(["Evening", "Day", "Scenes", "Commands"], rows, text_columns=3)
    yield make_card("Evenings", table)
    yield _footer_html(report.for_players)


def _story_html(story: Story, shown: _EmbeddedPictures) -> Iterator[str]:
    yield _heading_html(story.heading(), story.campaign)
    for chapter in story.chapters:
        title = f"<h2>{escape(chapter.title)}</h2>" if chapter.title else ""
        banner = shown.embed_and_get_css_class(chapter.last_map_picture)
        map_ = f'<div class="map {banner}" role="img" aria-label="The map"></div>' if banner else ""
        yield f"<section>{title}{map_}{''.join(_chapter_parts_html(chapter, shown))}</section>"
    yield _footer_html(story.for_players)


def _chapter_parts_html(chapter: Chapter, shown: _EmbeddedPictures) -> Iterator[str]:
    for part in chapter.parts:
        if isinstance(part, RoundHeading):
            yield f"<h3>Round {part.number}</h3>"
        else:
            yield _paragraph_html(part, shown)


def _paragraph_html(part: Paragraph, shown: _EmbeddedPictures) -> str:
    """Return a paragraph as HTML, with its dice beside it.

    A paragraph about somebody's turn begins with that person's portrait. In any other paragraph, the picture
    of a handout follows the text.
    """
    picture = shown.embed_and_get_css_class(part.image)
    face = f'<span class="face {picture}"></span>' if picture and part.who else ""
    handout = f'<div class="handout {picture}"></div>' if picture and not part.who else ""
    lead = f'<b class="stands-out">{escape(" · ".join(part.headlines))}</b> ' if part.headlines else ""
    note = f"<blockquote>{escape(part.note)}</blockquote>" if part.note else ""
    lines = [
        _rolls_in_margin_html(person, what, list(those))
        for (person, what), those in groupby(part.dice, lambda throw: throw[:2])
    ]
    dice = f"<aside>{''.join(lines)}</aside>" if lines else ""
    bold, rest = part.split_bold_name_and_rest()
    first = f"<b>{escape(bold)}</b>" if bold else ""
    words = f"{face}{lead}{first}{escape(rest)}{_secret_mark(part.secret)}"
    return f"<article>{dice}<p>{words}</p>{handout}{note}</article>"


def _rolls_in_margin_html(person: str, purpose: str, rolls: Iterable[ShownRoll]) -> str:
    about = " · ".join(filter(None, (person, purpose)))
    return f'<div class="throw"><span>{escape(about)}</span>{"".join(map(_roll_html, rolls))}</div>'


def _roll_html(roll: ShownRoll) -> str:
    kept = roll.faces.index(roll.kept) if roll.kept in roll.faces else None
    dice = "".join(
        strike_look.die_svg(roll.sides, face, kept is None or len(roll.faces) == 1 or at == kept)
        for at, face in enumerate(roll.faces)
    )
    of_dice = roll.total is not None and roll.total != (roll.kept or sum(roll.faces))
    total = f"<b>{roll.total}</b>" if of_dice else ""
    return dice + total


def evening_blocks(evening: EveningReport) -> list[Block]:
    """Return the report of a session for a terminal."""
    blocks: list[Block] = [(evening.heading(), "title"), (evening.subtitle(), "dim")]
    if evening.scenes:
        blocks += ["", Section("Scenes", [("", _scene_line(scene)) for scene in evening.scenes])]
    for heading, lines in evening.sections.items():
        if lines:
            blocks += ["", Section(heading, [("", _report_line(told)) for told in lines])]
    for table in evening.count_tables():
        blocks += ["", table.block()]
    blocks += ["", *_held_and_unresolved_blocks(evening)]
    return blocks


def _report_line(report_line: ReportLine) -> Line:
    line: Span = (report_line.text, report_line.tone) if report_line.tone else report_line.text
    return [line, ("  (secret)", "warn")] if report_line.secret else line


def _scene_line(scene: SceneSummary) -> Line:
    parts: list[Span] = [(scene.name, "name"), scene.outcome_and_length_words()]
    parts += [(f" {text}", "dim") for text in scene.told]
    return [*parts, ("  (secret)", "warn")] if scene.secret else parts


def _held_and_unresolved_blocks(evening: EveningReport) -> Iterator[Block]:
    held, found = evening.character_ids_and_ailments(), evening.unresolved()
    if held:
        yield Section(
            "Still held",
            [("", [(evening.display_name(person), "name"), f"  {what}"]) for person, what in held],
        )
        yield ""
    if found:
        yield Section("Unresolved", [("", _unresolved_line(evening, one)) for one in found])
    else:
        yield (f"Nothing {'else ' * bool(held)}is left unresolved.", "good")


def _unresolved_line(evening: EveningReport, item: UnresolvedItem) -> Line:
    parts: list[Span] = [
        (evening.display_name(item.who), "name"),
        f"  {item.what}",
        (f"  {item.which}", "dim"),
    ]
    return [*parts, ("  (secret)", "warn")] if item.secret else parts


def campaign_blocks(report: CampaignReport) -> list[Block]:
    """Return the report of all sessions for a terminal.

    It has a row for each session, and the tables of counts.
    """
    blocks: list[Block] = [(report.heading(), "title"), (report.subtitle(), "dim"), ""]
    rows: list[list[Span]] = [[*row[:2], (row[2], "dim"), *row[3:]] for row in report.session_rows()]
    blocks.append(Table(["Evening", "Day", NumberHeading("Commands"), "Scenes"], rows))
    for table in report.count_tables():
        blocks += ["", table.block()]
    return blocks


def story_blocks(story: Story) -> list[Block]:
    """Return the story of a session, turn by turn, for a terminal."""
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
            bold, rest = part.split_bold_name_and_rest()
            line += [(bold, "strong"), rest] if bold else [rest]
            line += [("  (secret)", "warn")] if part.secret else []
            line += [(f"  [{part.note}]", "dim")] if part.note else []
            blocks += ["", line]
    return blocks


PAGE_ENDINGS, PICTURE_ENDINGS = (".html", ".htm"), (".svg",)


def show_or_write_evening(evening: EveningReport, out: str, as_markdown: bool) -> Result:
    """Return the result with the report of a session.

    If `out` names a file, the report is written to it, and the result names the file.
    """
    data = evening.as_json()
    found = plots_of_deeds_and_dice_faces(evening.ledger, evening.character_names())
    if not out:
        blocks = evening_blocks(evening)
        return _text_result("session report", data, blocks, evening_markdown(evening), as_markdown)
    files = _ReportFiles(Path(out), evening.heading(), found)
    files.write(lambda: evening_page(evening), lambda name: evening_markdown(evening, name))
    if files.text:
        data["markdown"] = files.text
    counts = [f"{len(lines)} under {heading}" for heading, lines in evening.sections.items() if lines]
    return files.result("session report", data, f"{', '.join(counts) or 'no events'}.")


def show_or_write_campaign(report: CampaignReport, out: str, as_markdown: bool) -> Result:
    """Return the result with the report of all sessions.

    If `out` names a file, the report is written to it, and the result names the file.
    """
    data = report.as_json()
    if not out:
        blocks = campaign_blocks(report)
        return _text_result("session report", data, blocks, campaign_markdown(report), as_markdown)
    files = _ReportFiles(Path(out), report.heading(), report.plots_by_evening_and_in_total())
    files.write(lambda: campaign_page(report), lambda name: campaign_markdown(report, name))
    return files.result("session report", data, report.subtitle())


def show_or_write_story(
    story: Story, folder: Path, out: str, as_markdown: bool, *, as_page: bool = False
) -> Result:
    """Show the story of a session, or write it to a file, and return the result of the command.

    If `out` names a file, the story is written to it, and the result names the file. The ending of the file's
    name decides the form of the file. With `as_page` the form is always an HTML page. Without `out`, the
    result has the story itself. The pictures of the story are in the campaign's `folder`.
    """
    data = story.as_json()
    if not out:
        blocks = story_blocks(story)
        return _text_result("session story", data, blocks, story_markdown(story), as_markdown)
    files = _ReportFiles(Path(out), story.heading(), ())
    files.write(lambda: story_page(story, folder), lambda _: story_markdown(story), as_page)
    return files.result("session story", data, "")


def _text_result(
    command: str, data: dict[str, object], blocks: list[Block], text: str, as_markdown: bool
) -> Result:
    if as_markdown:
        data["markdown"] = text
        blocks = [text.rstrip("\n")]
    return Result(command, data, blocks)


class _ReportFiles:
    """The files to which a report is written.

    They are the file that the user named and, if this file is Markdown, a picture of the report's plots.
    """

    def __init__(self, path: Path, title: str, plots: Sequence[Plot]) -> None:
        self.path = path
        self.title = title
        self.plots = plots
        self.picture: Path | None = None
        self.text = ""
        """The text of the Markdown page, if one was written."""

    def write(self, page: Callable[[], str], markdown: Callable[[str], str], as_page: bool = False) -> None:
        """Write the report to its file: as a page, as a picture or as Markdown.

        The ending of the file's name decides. With any other ending, the report is Markdown, and its plots go
        into a picture beside it. If `as_page` is true, the report is always a page. Raises Usage for a
        picture if there are no plots.
        """
        ending = self.path.suffix.lower()
        if as_page or ending in PAGE_ENDINGS:
            write_already_marked_file(self.path, page())
        elif ending in PICTURE_ENDINGS:
            if not self.plots:
                raise Usage("There are no numbers for a picture.", "A page (.html) has the rest.")
            write_already_marked_file(self.path, plots_svg(self.title, self.plots))
        else:
            if self.plots:
                self.picture = self.path.with_suffix(".svg")
                write_already_marked_file(self.picture, plots_svg(self.title, self.plots))
            self.text = markdown(self.picture.name if self.picture else "")
            write_already_marked_file(self.path, self.text)

    def result(self, command: str, data: dict[str, object], summary: str) -> Result:
        """Return the result that names the written files."""
        data["file"] = str(self.path)
        blocks: list[Block] = [(f"{self.title} is in {self.path}", "good")]
        if self.picture:
            data["picture"] = str(self.picture)
            blocks.append(f"Its plots are in {self.picture}.")
        return Result(command, data, [*blocks, summary] if summary else blocks)
