"""`strike find`: a search through the campaign's content and through its journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from strike_cli.terminal.command_output import Block, Result, Section
from strike_cli.terminal.commands_and_options import Options, command, new_app

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign


app = new_app("""Search the campaign.

    Example: `strike find ferryman`
    """)


@command(app, "find", kind="reads")
def find(
    options: Options,
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="Words, in this order.")],
    most: Annotated[int, typer.Option("--most", metavar="N", help="Entries of the log.", min=1)] = 20,
) -> Result:
    """Find words in your preparations and in the log, with the newest log entries first.

    Upper and lower case are the same. Notes are in the log.

    Example: `strike find ferryman`
    """
    from strike_cli.problems import Usage

    wanted = " ".join(" ".join(text).split())
    if not wanted:
        raise Usage("No words to look for.", "Give a word, like `strike find ferryman`.")
    with options.open_campaign() as campaign:
        prepared = search_own_content(campaign, wanted)
        recorded = search_journal(campaign, wanted, most)
        blocks: list[Block] = []
        if prepared:
            blocks += [
                Section("Prepared", [((f"{one.where}  ", "dim"), [(f"{one.name}  ", "name"), one.text])
                                     for one in prepared])
            ]  # fmt: skip
        if recorded:
            blocks += [""] if blocks else []
            blocks += [
                Section("Played", [((f"#{one.seq:<4} ", "dim"), [(f"{one.command}  ", "command"), one.text])
                                   for one in recorded])
            ]  # fmt: skip
        if len(recorded) == most:
            blocks.append((f"The newest {most}; --most N shows more.", "dim"))
        return Result(
            "find",
            {"text": wanted, "prepared": [one._asdict() for one in prepared],
             "played": [one._asdict() for one in recorded]},
            blocks or [(f"Nothing contains {wanted!r}.", "dim")],
            notices=campaign.notices,
        )  # fmt: skip


EXCERPT_MARGIN = 60
"""Characters shown on each side of a match in a long text."""


class BookMatch(NamedTuple):
    """An item of the book that matches a search: its kind, id, name and file, and an excerpt."""

    kind: str
    id: str
    name: str
    where: str
    text: str


class JournalMatch(NamedTuple):
    """An entry of the journal that has the text searched for, with an excerpt."""

    seq: int
    at: str
    session: int
    command: str
    text: str


def search_own_content(campaign: Campaign, wanted: str) -> list[BookMatch]:
    """Return the items of the campaign's own content that contain a text; case doesn't matter.

    The content of plugins and the content that comes with strike aren't searched.
    """
    low, found = wanted.lower(), []
    for place, where in campaign.book.where.items():
        kind, _, id = place.partition(".")
        if "." not in where and ":" in id:
            continue  # a plugin's or the core's
        item = campaign.book.table(kind).get(id)
        if item is None:
            continue
        texts = [*_nested_texts(item), *(_lines_of_scene_file(campaign, where) if kind == "scenes" else ())]
        text = next((text for text in texts if low in text.lower()), None)
        if text is not None or low in id.lower():
            found.append(BookMatch(kind, id, str(item.get("name", id)), where, excerpt(text or "", low)))
    return found


def _lines_of_scene_file(campaign: Campaign, file: str) -> Iterator[str]:
    """Yield the lines of a scene's file; none if it can't be read."""
    from strike_cli.included_and_stray_files import read_authored_file

    try:
        yield from read_authored_file(campaign.folder / file).decode("utf-8-sig").splitlines()
    except (OSError, ValueError):
        return


def _nested_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _nested_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _nested_texts(inner)


def search_journal(campaign: Campaign, wanted: str, most: int) -> list[JournalMatch]:
    """Return the newest entries of the journal, at most `most`, whose facts or note contain a text.

    Case doesn't matter.
    """
    low, found = wanted.lower(), []
    for entry in campaign.journal.entries_that_may_report_text(low):
        if entry["seq"] > campaign.head.seq:
            continue
        told = [str(entry.get("note", "")), *(str(fact["text"]) for fact in entry["facts"])]
        text = next((text for text in told if low in text.lower()), None)
        if text is not None:
            found.append(
                JournalMatch(
                    entry["seq"], str(entry["at"]), entry["session"], entry["command"], excerpt(text, low)
                )
            )
            if len(found) == most:
                break
    return found


def excerpt(text: str, wanted_lower: str) -> str:
    """Return the part of a text around the first match, on one line.

    `wanted_lower` is the text to find, in lower case. If the text doesn't contain it, return the beginning of
    the text. An ellipsis stands for each part that was cut off.
    """
    line = " ".join(text.split())
    at = max(0, line.lower().find(wanted_lower))
    start, end = max(0, at - EXCERPT_MARGIN), at + len(wanted_lower) + EXCERPT_MARGIN
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
