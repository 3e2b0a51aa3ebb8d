"""The checks by `strike doctor` of all that is prepared: faults that other commands would report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from strike_cli.content.system_checks import Checks, LookedAt, Tables
from strike_cli.faults import Fault, Faults, Place
from strike_cli.problems import Problem

if TYPE_CHECKING:
    from strike_cli.content.book import Book

    from ..calendar import CalendarWritten
    from .missing import Looking


def campaign_checks(book: Book, folder: Path) -> Iterator[LookedAt]:
    """Check everything that can begin, scenes and handouts; yield the faults, or the number of good ones."""
    from .handout import known_handouts, read_handout
    from .missing import Looking, kinds_to_begin

    looking = Looking(book, folder)
    for kind in kinds_to_begin(book):
        yield from _check_kind(looking, kind)
    yield from _scenes(Looking(book, folder, fights=False))
    known, wrong = known_handouts(book, folder), False
    for id in known:
        try:
            read_handout(book, folder, id)
        except Problem as problem:
            wrong = True
            yield LookedAt(False, f"handout {id}: {problem.message}", "Fix the file, or remove it.")
    if known and not wrong:
        yield LookedAt(True, f"handouts: {len(known)} can be shown")


def _check_kind(looking: Looking, kind: str) -> Iterator[LookedAt]:
    """Check all prepared things of a kind.

    A thing for fewer people than the whole party is no mistake, but is reported.
    """
    of_kind, wrong = looking.book.table(kind), False
    for id, item in of_kind.items():
        fewer = looking.fewest_missing(kind, id)
        if fewer:
            there = len(looking.book.characters) - fewer
            what = f"{kind}.{id}: {item['name']} can begin with at most {there} of the party"
            why = next((f"With all of them {fault}" for fault, _ in looking.can_not_begin(kind, id)), "")
            yield LookedAt(True, what, why, warning=True)
        look = looking.wrong_with if fewer is None else looking.pictures_of
        for what, remedy in look(kind, id):
            wrong = True
            yield LookedAt(False, what, remedy)
    if of_kind and not wrong:
        tried = "can begin" if looking.player_of(kind) else "read but not started: no game here plays them"
        yield LookedAt(True, f"{kind}: {len(of_kind)} {tried}")


def _scenes(looking: Looking) -> Iterator[LookedAt]:
    from .scene import text_in

    scenes, wrong = looking.book.table("scenes"), False
    for id in scenes:
        try:
            text = text_in(looking.book, looking.folder, id)
        except Problem as problem:
            wrong = True
            yield LookedAt(False, problem.message, problem.hint)
            continue
        for one in looking.through(id, text):
            wrong = True
            yield LookedAt(False, f"{one.where}: {one.what}", one.remedy)
    if scenes and not wrong:
        yield LookedAt(True, f"scenes: {len(scenes)}, nothing missing")


class PrepChecks(Checks):
    """Checks of random tables, deadlines, scenes and handouts."""

    def content(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """Return the faults of tables that lead to each other in a circle, and of deadlines on no day."""
        if kind == "deadlines":
            written = tables["calendar"].get("calendar")
            deadline = cast("Mapping[str, str]", tables["deadlines"][id])
            return _no_such_day(deadline["on"], cast("CalendarWritten | None", written))
        from .. import random_tables

        return random_tables.check(kind, id, tables)

    def campaign(self, book: Book, folder: Path) -> Iterable[LookedAt]:
        """Check everything that can begin, scenes and handouts."""
        return campaign_checks(book, folder)


def _no_such_day(on: str, written: CalendarWritten | None) -> Faults:
    if written is None:
        return [Fault(Place("on"), "the campaign has no calendar; write one: [calendar]")]
    from ..calendar import Calendar

    calendar = Calendar(written)
    try:
        calendar.number_of(on, calendar.today)
    except ValueError as error:
        return [Fault(Place("on"), str(error))]
    return []
