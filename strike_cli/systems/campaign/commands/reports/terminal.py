"""Reports on a terminal, and as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from strike_cli.terminal.result import Block, Line, Numbers, Section, Span, Table

from .campaign import CampaignReport
from .evening import EveningReport, Open, ReportLine, SceneSummary
from .story import RoundHeading, Story


def report_blocks(evening: EveningReport) -> list[Block]:
    """Return the report for a terminal, or as plain text."""
    blocks: list[Block] = [(evening.heading(), "title"), (evening.when(), "dim")]
    for section in _sections(evening):
        blocks += ["", section]
    for table in evening.tables():
        blocks += ["", table.block()]
    blocks += ["", *_open_blocks(evening)]
    return blocks


def _sections(evening: EveningReport) -> Iterator[Block]:
    if evening.scenes:
        yield Section("Scenes", [("", _scene_line(scene)) for scene in evening.scenes])
    for heading, lines in evening.sections.items():
        if lines:
            yield Section(heading, [("", _told_line(told)) for told in lines])


def _told_line(report_line: ReportLine) -> Line:
    line: Span = (report_line.text, report_line.tone) if report_line.tone else report_line.text
    return [line, ("  (secret)", "warn")] if report_line.secret else line


def _scene_line(scene: SceneSummary) -> Line:
    parts: list[Span] = [(scene.name, "name"), scene.came_to()]
    parts += [(f" {text}", "dim") for text in scene.told]
    return [*parts, ("  (secret)", "warn")] if scene.secret else parts


def _open_blocks(evening: EveningReport) -> Iterator[Block]:
    held, found = evening.afflicted(), evening.unresolved()
    if held:
        yield Section("Still held", [("", [(evening.name(who), "name"), f"  {what}"]) for who, what in held])
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
