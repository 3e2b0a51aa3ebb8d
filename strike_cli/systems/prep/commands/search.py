"""Searching a campaign: things of the book, and the journal from its end.

The journal is looked through as bytes, and only what may have the words is read as an entry: a campaign of
many years is as quick to search as to open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

AROUND = 60
"""Characters to each side of the words that are shown of a long text."""


class BookMatch(NamedTuple):
    """Something of the book: its kind, id and name, the file it stands in, and the text with the words."""

    kind: str
    id: str
    name: str
    where: str
    text: str


class JournalMatch(NamedTuple):
    """An entry of the journal, and the text with the words."""

    seq: int
    at: str
    session: int
    command: str
    text: str


def prepared_with(campaign: Campaign, wanted: str) -> list[BookMatch]:
    """Return the campaign's own content with these words in it, case aside."""
    low, found = wanted.lower(), []
    for place, where in campaign.book.where.items():
        kind, _, id = place.partition(".")
        if "." not in where and ":" in id:
            continue  # a plugin's or the core's
        item = campaign.book.table(kind).get(id)
        if item is None:
            continue
        texts = [*_texts(item), *(_written_in(campaign, where) if kind == "scenes" else ())]
        text = next((text for text in texts if low in text.lower()), None)
        if text is not None or low in id.lower():
            found.append(BookMatch(kind, id, str(item.get("name", id)), where, excerpt(text or "", low)))
    return found


def _written_in(campaign: Campaign, file: str) -> Iterator[str]:
    """Yield the lines of a scene's file, as far as it can be read."""
    from strike_cli.includes import read_text_file

    try:
        yield from read_text_file(campaign.folder / file).decode("utf-8-sig").splitlines()
    except (OSError, ValueError):
        return


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def recorded_with(campaign: Campaign, wanted: str, most: int) -> list[JournalMatch]:
    """Return the newest entries with these words in their facts or their note; no more than `most`."""
    low, found = wanted.lower(), []
    for entry in campaign.journal.with_text(low):
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


def excerpt(text: str, low: str) -> str:
    """Return a text on one line, cut to the surroundings of the words."""
    line = " ".join(text.split())
    at = max(0, line.lower().find(low))
    start, end = max(0, at - AROUND), at + len(low) + AROUND
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
