"""Conditions read back in plain words (`strike content explain`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from strike_cli.registry.installed import brought_word
from strike_cli.tabletop.explained import Reader, Told

if TYPE_CHECKING:
    from strike_cli.content.book import Book


def condition(book: Book, table: Mapping[str, Any]) -> list[Told]:
    """A Condition: what it does to rolls, how it ends, what becomes of several."""
    does = list(Reader(book, brought_word).contributions(table))
    lines = does or [Told("Does", "nothing by itself: a word for the table")]
    if "recovery" in table:
        recovery = table["recovery"]
        needs, text = ", ".join(recovery["needs"]), recovery["text"].rstrip(".")
        lines.append(Told("Ends", f"{text} (needs: {needs})" if text != needs else f"with {needs}"))
    else:
        lines.append(Told("Ends", "when the game master says so"))
    if "escalates" in table:
        to = book.table("conditions")[table["escalates"]["to"]]["name"]
        lines.append(Told("Grows", f"{table['escalates']['at']} of it become {to}"))
    if table["doubts"]:
        lines.append(Told("Touches", "Skills that are named when it is gained"))
    stacks = table.get("stacks", table["severity"] != "minor")
    counts = "each instance counts" if stacks else "it counts once"
    lines.append(Told("Kind", f"{table['severity']}; {counts}"))
    if table["tags"]:
        lines.append(Told("Tags", ", ".join(table["tags"])))
    return lines
