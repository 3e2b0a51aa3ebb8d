"""Reports as Markdown."""

from __future__ import annotations

from strike_cli.pages.html import MADE
from strike_cli.terminal.markdown_blocks import as_markdown, inside, row

from .campaign import CampaignReport
from .evening import EveningReport
from .story import RoundHeading, Story
from .tables import Counts

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
            lines.append(f"- **{as_markdown(scene.name)}**{inside(scene.came_to())}{secret}")
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
        lines += ["", f"![What everybody did]({picture})"]
    lines += ["", "## Unresolved", ""]
    lines += [
        f"- **{as_markdown(evening.name(who))}**, still {as_markdown(what)}"
        for who, what in evening.afflicted()
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
        lines += ["", f"![What everybody did]({picture})"]
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
            words = f"**{as_markdown(bold)}**{inside(rest)}" if bold else as_markdown(rest)
            lead = f"*{as_markdown(' · '.join(part.headlines))}* " if part.headlines else ""
            lines += ["", lead + words + (" *(secret)*" if part.secret else "")]
            if part.note:
                lines += ["", f"> {as_markdown(part.note)}"]
    return "\n".join(lines) + "\n"
