"""Reports as commands give them: on the terminal, as data, as Markdown, as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from strike_cli.problems import Usage
from strike_cli.terminal.output_files import write_made
from strike_cli.terminal.result import Block, Result

from . import markdown, page, terminal
from .campaign import CampaignReport
from .evening import EveningReport
from .story import Story
from .tables import Plot, as_picture, plots_of

PAGES, PICTURES = (".html", ".htm"), (".svg",)


def evening_report(evening: EveningReport, out: str, as_markdown: bool) -> Result:
    """Return the report of an evening, or write it into the file `out`."""
    data = evening.as_json()
    found = plots_of(evening.ledger, evening.names())
    if not out:
        blocks = terminal.report_blocks(evening)
        return _result("session report", data, blocks, markdown.report_markdown(evening), as_markdown)
    files = _Files(Path(out), evening.heading(), found)
    files.write(lambda: page.evening_page(evening), lambda name: markdown.report_markdown(evening, name))
    if files.text:
        data["markdown"] = files.text
    counts = [f"{len(lines)} under {heading}" for heading, lines in evening.sections.items() if lines]
    return files.result("session report", data, f"{', '.join(counts) or 'nothing told'}.")


def campaign_report(report: CampaignReport, out: str, as_markdown: bool) -> Result:
    """Return the report of all evenings, or write it into the file `out`."""
    data = report.as_json()
    if not out:
        blocks = terminal.campaign_blocks(report)
        return _result("session report", data, blocks, markdown.campaign_markdown(report), as_markdown)
    files = _Files(Path(out), report.heading(), report.plots())
    files.write(lambda: page.campaign_page(report), lambda name: markdown.campaign_markdown(report, name))
    return files.result("session report", data, report.when())


def story_told(story: Story, folder: Path, out: str, as_markdown: bool, *, as_page: bool = False) -> Result:
    """Return an evening turn by turn, or write it into the file `out`.

    Its pictures lie below `folder`. `as_page`: write a page, whatever the file is called.
    """
    data = story.as_json()
    if not out:
        blocks = terminal.story_blocks(story)
        return _result("session story", data, blocks, markdown.story_markdown(story), as_markdown)
    files = _Files(Path(out), story.heading(), ())
    files.write(lambda: page.story_page(story, folder), lambda _: markdown.story_markdown(story), as_page)
    return files.result("session story", data, "")


def _result(
    command: str, data: dict[str, object], blocks: list[Block], text: str, as_markdown: bool
) -> Result:
    if as_markdown:
        data["markdown"] = text
        blocks = [text.rstrip("\n")]
    return Result(command, data, blocks)


class _Files:
    """The file that somebody named, and the picture beside it that a Markdown page shows."""

    def __init__(self, path: Path, title: str, plots: Sequence[Plot]) -> None:
        self.path = path
        self.title = title
        self.plots = plots
        self.picture: Path | None = None
        self.text = ""
        """The Markdown page, where that is what was written."""

    def write(self, page: Callable[[], str], markdown: Callable[[str], str], as_page: bool = False) -> None:
        """Write it, as a page or in the form that its name asks for. Raises Usage."""
        ending = self.path.suffix.lower()
        if as_page or ending in PAGES:
            write_made(self.path, page())
        elif ending in PICTURES:
            if not self.plots:
                raise Usage("Nothing was counted that a picture could show.", "A page has the rest: .html.")
            write_made(self.path, as_picture(self.title, self.plots))
        else:
            if self.plots:
                self.picture = self.path.with_suffix(".svg")
                write_made(self.picture, as_picture(self.title, self.plots))
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
