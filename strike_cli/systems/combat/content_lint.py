"""Content without effect, for `strike doctor`: unused statuses and powers, moments that can't come.

Maps with short rows, too. A whole book is searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from strike_cli.content.checks import Idle
from strike_cli.faults import Place
from strike_cli.problems import counted, listed
from strike_cli.tabletop.vocabularies import OF_ZONES

from .board.terrain import rows_of

if TYPE_CHECKING:
    from strike_cli.content.book import Book


def content_notes(book: Book) -> Iterator[Idle]:
    """Yield what is written in the book and has no effect, each with its place and what is true of it.

    Each says whether it can never have an effect: what the game master may still bring about by hand is no
    mistake.
    """
    given, of_zones, had = _used(book)
    for key, status in book.statuses.items():
        for number, reaction in enumerate(status["reactions"], 1):
            if reaction["on"] in OF_ZONES and key not in of_zones:
                where = Place("statuses", key, "reactions", number, "on")
                yield Idle(where, f"{reaction['on']} comes to those in a zone, and no zone gives {key}", True)
        if key not in given and key not in of_zones:
            yield Idle(
                Place("statuses", key),
                "nothing gives it; `strike combat status add WHO STATUS` does, by hand",
            )
    for key in book.powers:
        if key not in had:
            yield Idle(
                Place("powers", key), "nobody has it: put it among the powers of a character or creature"
            )
    yield from _short_rows(book)


def _used(book: Book) -> tuple[set[str], set[str], set[str]]:
    """Return the statuses that something gives, those that zones give, and the powers that somebody has."""
    given, of_zones, had = set[str](), set[str](), set[str]()
    for kind in ("powers", "statuses", "conditions", "creatures", "characters"):
        for item in _tables([*book.table(kind).values()]):
            _take_note(item, given, of_zones)
            if item.get("do") == "attack" and "power" in item:
                had.add(str(item["power"]))
    for sheet in (*book.characters.values(), *book.creatures.values()):
        had.update(sheet.get("powers", ()))
    return given, of_zones, had


def _short_rows(book: Book) -> Iterator[Idle]:
    """Yield maps whose rows end where others go on, except those that have blanks.

    Those are no rectangle on purpose.
    """
    for key, encounter in book.encounters.items():
        rows = rows_of(encounter)
        wide = max(map(len, rows), default=0)
        short = [f"{number}" for number, row in enumerate(rows, 1) if len(row) < wide]
        if short and " " not in "".join(rows):
            most = counted(wide, "square")
            what = f"nobody can stand beyond the end of row {listed(short)}: others have {most}"
            yield Idle(Place("encounters", key, "map"), what)


def _tables(value: object) -> Iterator[Mapping[str, object]]:
    """Yield every table in a thing, itself too, however deep."""
    if isinstance(value, Mapping):
        yield value
        value = [*value.values()]
    for one in value if isinstance(value, list) else ():
        yield from _tables(one)


def _take_note(item: Mapping[str, object], given: set[str], of_zones: set[str]) -> None:
    """Note the statuses that a table gives: by a step, an aura, an implied status or at the start."""
    for key in ("implies", "statuses"):
        names = item.get(key)
        given.update(map(str, names) if isinstance(names, list) else ())
    if "status" not in item or "of" in item:  # an amount names one that it measures
        return
    if item.get("do") == "zone" or ("do" not in item and "spread" in item):
        of_zones.add(str(item["status"]))
    elif item.get("do") not in ("end", "save", "lower"):
        given.add(str(item["status"]))
