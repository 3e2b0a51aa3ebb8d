"""Journal entries as lines of text for people."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ..campaign.journal_entry_format import first_seeded_roll_number
from ..campaign.redacted_journal import newest_redacted_entries
from ..registry.remote_permissions import ASSISTANT
from ..visibility.audiences import GM, Audience
from ..visibility.redaction import Banner, redact_each_fact_of_entry
from ..visibility.secret_picks import entry_numbers_left_undone
from .command_output import Line, fact_and_reason_lines, styled_spans
from .local_time import local_time_of_day

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.journal_types import JournalEntry, RedactedEntry


def newest_entry_lines(
    campaign: Campaign, count: int, audience: Audience = GM, *, counting_hidden: bool = False
) -> list[list[Line]]:
    """Return the lines of the `count` newest entries as an audience may see them, oldest first.

    With `counting_hidden`, entries that are hidden from the audience count, too.
    """
    entries = entry_lines_with_number_or_zero(campaign, count, audience, counting_hidden=counting_hidden)
    return [lines for _, lines in entries]


def entry_lines_with_number_or_zero(
    campaign: Campaign, count: int, audience: Audience = GM, *, counting_hidden: bool = False
) -> list[tuple[int, list[Line]]]:
    """Return the `count` newest entries, oldest first, each as its number and its lines.

    The lines are those that the audience may see. Players don't learn the numbers of entries: each number is
    0 for them. `counting_hidden` is as for `newest_entry_lines`.
    """
    audience = audience._replace(language=campaign.book.locale())
    newest = campaign.journal.newest_entries(count) if count > 0 else []
    undone = entry_numbers_left_undone(newest)
    told: list[tuple[int, JournalEntry | RedactedEntry]] = [(entry["seq"], entry) for entry in newest]
    if not audience.gm and count > 0:
        within = (lambda _: newest) if counting_hidden else None
        told = [(0, entry) for entry in newest_redacted_entries(campaign, count, audience, within)]
    return [
        (
            number,
            entry_text_or_command_lines(
                entry,
                undone=is_undone_by_number_or_own_mark(entry, undone),
                headlines=_highlights_line(entry, audience),
            ),
        )
        for number, entry in told
    ]


def _highlights_line(entry: JournalEntry | RedactedEntry, audience: Audience) -> Line:
    """Return the highlights of an entry in a few words: a critical hit, a fall, a save, a Cost."""
    if "seq" in entry:
        banners = [told.banner for told in redact_each_fact_of_entry(entry, {}, audience)]
    else:
        banners = [Banner(**fact["banner"]) if "banner" in fact else None for fact in entry["facts"]]
    found = dict.fromkeys(one._replace(power="") for one in banners if one is not None and one.is_important)
    return [
        (("; " if n else "") + one.text, TONE_STYLES.get(one.tone, "strong")) for n, one in enumerate(found)
    ]


TONE_STYLES = {"good": "good", "bad": "bad"}
"""The styles of headlines that are good or bad for their person."""


def is_undone_by_number_or_own_mark(entry: JournalEntry | RedactedEntry, undone: Collection[int]) -> bool:
    """Return whether an entry is undone.

    An entry with a number is undone if the number is in `undone`. An entry for players, which has no number,
    has a mark of its own.
    """
    return entry["seq"] in undone if "seq" in entry else entry.get("undone", False)


_INDENT = " " * 6
"""The indent of an entry's texts."""


def entry_text_or_command_lines(
    entry: JournalEntry | RedactedEntry, *, undone: bool = False, headlines: Line = ""
) -> list[Line]:
    """Return the lines in which a journal entry is shown.

    The first line has the entry's number, the local time and a text. If `headlines` is given, it is this
    text. Without `headlines`, it is the entry's first text or, if the entry has no texts, its command. The
    entry's other texts follow, one a line, and then its note. For players, an entry has neither number nor
    note.
    """
    told = fact_and_reason_lines(entry["facts"])
    first: Line = headlines or (told.pop(0) if told else [(entry["command"], "command")])
    number = f"#{entry['seq']} " if "seq" in entry else ""
    marks = [*_remarks_on_entry(entry)] if "seq" in entry else []
    if undone:
        marks.append(
            "undone, dice seen"
            if "seq" in entry and first_seeded_roll_number(entry) is not None
            else "undone"
        )
    mark = f"({', '.join(marks)}) " if marks else ""
    lines: list[Line] = [
        [
            (f"{number}{local_time_of_day(str(entry['at']))} {mark}", "dim"),
            *_with_further_lines_indented(first),
        ]
    ]
    for line in told:
        lines.append([_INDENT, *_with_further_lines_indented(line)])
    if "seq" in entry and entry.get("note"):
        lines.append([_INDENT, ("Note: ", "dim"), *_with_further_lines_indented(str(entry["note"]))])
    return lines


def _remarks_on_entry(entry: JournalEntry) -> Iterator[str]:
    """Yield remarks on how a command was played, such as "secret" or "seed 7"."""
    if entry.get("secret"):
        yield "secret"
    if entry.get("reroll"):
        yield "dice rolled again"
    if "seeded" in entry:
        yield f"seed {entry['seeded']}"
    if entry.get("seen"):
        yield f"dice seen before in #{entry['seen']}"
    if entry.get("player"):
        yield f"by {entry['player']}'s player"
    if entry.get("by") == ASSISTANT:
        yield "by an assistant"


def _with_further_lines_indented(line: Line) -> Iterator[tuple[str, str]]:
    for text, style in styled_spans(line):
        yield text.replace("\n", f"\n{_INDENT}"), style
