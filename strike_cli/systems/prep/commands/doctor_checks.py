"""The checks of prepared content for `strike doctor`, which finds faults before a command would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from strike_cli.content.system_check_hooks import Checks, LookedAt, Tables
from strike_cli.faults import Fault, Faults, Place
from strike_cli.problems import Problem

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book

    from ..calendar import CalendarWritten
    from .scene_gaps import GapSearch


def check_prepared(book: Book, folder: Path) -> Iterator[LookedAt]:
    """Check all prepared items, scenes and handouts, and yield the faults.

    If a kind of thing has no faults, the number of things of this kind is yielded instead.
    """
    from .handout import known_handouts, read_handout
    from .scene_gaps import GapSearch, kinds_to_begin

    looking = GapSearch(book, folder)
    for kind in kinds_to_begin(book):
        yield from _check_prepared_kind(looking, kind)
    yield from _check_scenes(GapSearch(book, folder, fights=False))
    known, wrong = known_handouts(book, folder), False
    for id in known:
        try:
            read_handout(book, folder, id)
        except Problem as problem:
            wrong = True
            yield LookedAt(False, f"handout {id}: {problem.message}", "Fix the file, or remove it.")
    if known and not wrong:
        yield LookedAt(True, f"handouts: {len(known)} can be shown")


def _check_prepared_kind(looking: GapSearch, kind: str) -> Iterator[LookedAt]:
    """Check all prepared items of a kind, such as encounters.

    If an item can't begin with the whole party, but can with a part of it, this is a warning and not a fault.
    """
    of_kind, wrong = looking.book.table(kind), False
    for id, item in of_kind.items():
        fewer = looking.fewest_absent(kind, id)
        if fewer:
            there = len(looking.book.characters) - fewer
            what = f"{kind}.{id}: {item['name']} can begin with at most {there} of the party"
            why = next(
                (f"With all of them {fault}" for fault, _ in looking.reasons_not_to_begin(kind, id)), ""
            )
            yield LookedAt(True, what, why, warning=True)
        look = looking.faults_of if fewer is None else looking.picture_faults
        for what, remedy in look(kind, id):
            wrong = True
            yield LookedAt(False, what, remedy)
    if of_kind and not wrong:
        tried = (
            "can begin"
            if looking.system_that_simulates(kind)
            else "read but not started: no game here plays them"
        )
        yield LookedAt(True, f"{kind}: {len(of_kind)} {tried}")


def _check_scenes(looking: GapSearch) -> Iterator[LookedAt]:
    from .scene import scene_text_in

    scenes, wrong = looking.book.table("scenes"), False
    for id in scenes:
        try:
            text = scene_text_in(looking.book, looking.folder, id)
        except Problem as problem:
            wrong = True
            yield LookedAt(False, problem.message, problem.hint)
            continue
        for one in looking.gaps_in_scene(id, text):
            wrong = True
            yield LookedAt(False, f"{one.where}: {one.what}", one.remedy)
    if scenes and not wrong:
        yield LookedAt(True, f"scenes: {len(scenes)}, nothing missing")


class PrepChecks(Checks):
    """Checks of random tables, deadlines, scenes and handouts."""

    def content(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """Return the faults of a random table or of a deadline.

        A random table has a fault if it leads back to itself. A deadline has one if the calendar doesn't have
        its day.
        """
        if kind == "deadlines":
            written = tables["calendar"].get("calendar")
            deadline = cast("Mapping[str, str]", tables["deadlines"][id])
            return _deadline_day_faults(deadline["on"], cast("CalendarWritten | None", written))
        from .. import random_tables

        return random_tables.table_circle_faults(kind, id, tables)

    def campaign(self, book: Book, folder: Path) -> Iterable[LookedAt]:
        """Check scenes, handouts, and whether everything that is prepared can begin."""
        return check_prepared(book, folder)


def _deadline_day_faults(on: str, written: CalendarWritten | None) -> Faults:
    if written is None:
        return [Fault(Place("on"), "the campaign has no calendar; write one: [calendar]")]
    from ..calendar import Calendar

    calendar = Calendar(written)
    try:
        calendar.read_day(on, calendar.today)
    except ValueError as error:
        return [Fault(Place("on"), str(error))]
    return []
