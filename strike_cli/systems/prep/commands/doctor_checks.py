"""The checks of prepared content for `strike doctor`, which finds faults before a command would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from strike_cli.content.system_checks import CheckResult, Checks, Tables
from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.problems import Problem

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book

    from ..calendar import CalendarWritten
    from .scene_gaps import GapSearch


def check_prepared_content(book: Book, folder: Path) -> Iterator[CheckResult]:
    """Check all encounters and other prepared items, scenes and handouts, and yield the results.

    A faulty item has a result of its own. If a kind has no faults, one result gives the number of its items.
    """
    from .handout import known_handouts, read_handout_content
    from .scene_gaps import GapSearch, kinds_that_can_begin

    looking = GapSearch(book, folder)
    for kind in kinds_that_can_begin(book):
        yield from _check_prepared_kind(looking, kind)
    yield from _check_scenes(GapSearch(book, folder, fights=False))
    known, wrong = known_handouts(book, folder), False
    for id in known:
        try:
            read_handout_content(book, folder, id)
        except Problem as problem:
            wrong = True
            yield CheckResult(False, f"handout {id}: {problem.message}", "Fix the file, or remove it.")
    if known and not wrong:
        yield CheckResult(True, f"handouts: {len(known)} can be shown")


def _check_prepared_kind(gap_search: GapSearch, kind: str) -> Iterator[CheckResult]:
    """Check the prepared items of a kind, such as encounters.

    If an item can't begin with the whole party, but can with a part of it, this is a warning and not a fault.
    """
    of_kind, wrong = gap_search.book.table(kind), False
    for id, item in of_kind.items():
        fewer = gap_search.fewest_absent_to_begin(kind, id)
        if fewer:
            there = len(gap_search.book.characters) - fewer
            what = f"{kind}.{id}: {item['name']} can begin with at most {there} of the party"
            why = next(
                (f"With all of them {fault}" for fault, _ in gap_search.reason_not_to_begin(kind, id)), ""
            )
            yield CheckResult(True, what, why, warning=True)
        look = gap_search.item_faults if fewer is None else gap_search.picture_faults
        for what, remedy in look(kind, id):
            wrong = True
            yield CheckResult(False, what, remedy)
    if of_kind and not wrong:
        tried = (
            "can begin"
            if gap_search.system_that_simulates(kind)
            else "read but not started: no game here plays them"
        )
        yield CheckResult(True, f"{kind}: {len(of_kind)} {tried}")


def _check_scenes(gap_search: GapSearch) -> Iterator[CheckResult]:
    from .scene import scene_text_in

    scenes, wrong = gap_search.book.table("scenes"), False
    for id in scenes:
        try:
            text = scene_text_in(gap_search.book, gap_search.folder, id)
        except Problem as problem:
            wrong = True
            yield CheckResult(False, problem.message, problem.hint)
            continue
        for one in gap_search.gaps_in_scene(id, text):
            wrong = True
            yield CheckResult(False, f"{one.where}: {one.what}", one.remedy)
    if scenes and not wrong:
        yield CheckResult(True, f"scenes: {len(scenes)}, nothing missing")


class PrepChecks(Checks):
    """Checks of random tables, deadlines, scenes and handouts."""

    def content_faults(self, kind: str, id: str, tables: Tables) -> Iterable[Fault]:
        """Return the faults of a random table or of a deadline.

        It is a fault if a random table leads back to itself, or if the calendar doesn't have a deadline's
        day.
        """
        if kind == "deadlines":
            written = tables["calendar"].get("calendar")
            deadline = cast("Mapping[str, str]", tables["deadlines"][id])
            return _deadline_day_faults(deadline["on"], cast("CalendarWritten | None", written))
        from .. import random_tables

        return random_tables.endless_drawing_faults(kind, id, tables)

    def campaign_results(self, book: Book, folder: Path) -> Iterable[CheckResult]:
        """Check scenes, handouts, and whether everything that is prepared can begin."""
        return check_prepared_content(book, folder)


def _deadline_day_faults(on: str, written: CalendarWritten | None) -> Faults:
    if written is None:
        return [Fault(Place("on"), "the campaign has no calendar; write one: [calendar]")]
    from ..calendar import Calendar

    calendar = Calendar(written)
    try:
        calendar.read_day(on, calendar.first_day)
    except ValueError as error:
        return [Fault(Place("on"), str(error))]
    return []
