"""The bridge's operations for the command line: `push`, `follow`, `sync`, and settling a review."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from strike_cli.campaign.change_stamp import stamp_of_file
from strike_cli.campaign.file_access import make_marker_file
from strike_cli.problems import BridgeProblem, Problem, Usage, listed
from strike_cli.refusals import AnotherWorker, Unwritable

from .consent import OwnTable
from .credential_store import keys_file
from .delivery_record import Cursor, UnreadableCursor, open_cursor
from .drift import store_lasting_differences
from .journal_reader import JournalReader
from .journal_results import TOGETHER, Post
from .request_outcome import OutcomeKind
from .settings import ASIDE, CAMPAIGN_FILE, FRESHLY, Settings, bridge_file, read_targets
from .target_outages import note_outage
from .targets import make_target, target_class
from .worker import AUTO, FOLLOW, PUSH, Patience, Report, Worker
from .worker_lock import hold_lock, is_lock_held

AGAIN = 1.0
"""Seconds from a local error to the next try."""
SETTLES = 1.0
"""Seconds for which a target may be missing in campaign.toml before it counts as removed: many editors empty
a file before they write it."""
PATIENCE = 5.0
"""Seconds to wait until another worker releases a target's lock."""


def push(
    folder: Path,
    settings: Settings,
    patience: Patience = PUSH,
    wait_for_other: float = 3.0,
    *,
    turn_on: bool = False,
    go_on: int = 0,
    let_go: Callable[[], bool] = lambda: False,
) -> Report:
    """Deliver everything that is queued to one target. Errors are in the report; nothing is raised.

    If another worker is running, watch for up to `wait_for_other` seconds whether that worker succeeds. With
    `turn_on`, deliver even to a target that was switched off. `go_on` is used if it is unknown which results
    were sent: sending continues with the result of this number, or with the next result that is played if
    `go_on` is -1. The delivery ends early once `let_go` returns True.
    """
    report = Report(settings.name)
    try:
        target = make_target(folder, settings)
        if turn_on:
            _switch_on(folder, settings.name)
        if go_on:
            worker = Worker(folder, target)
            with hold_target_lock(folder, settings.name):
                worker.load_cursor().go_on = go_on
                worker.cursor.save(folder)
        report = Worker(folder, target, patience, let_go=let_go).deliver_queue()
        if report.busy:
            _watch_other_worker(folder, report, wait_for_other)
    except Problem as problem:
        report.error, report.hint = problem.message, problem.hint
        _store_error(folder, settings.name, problem.message)
    except OSError as error:
        report.error = str(error)
    return report


def push_unattended(folder: Path, settings: Settings) -> Report:
    """Deliver everything to one target from a background worker, with more patience than `push`.

    When somebody changes the settings or the keys, the delivery starts again with them at once.
    """
    watch = _SettingsWatch(folder, settings)
    while True:
        report = push(folder, watch.settings, AUTO, wait_for_other=0, let_go=watch.has_changed)
        if not watch.has_changed() or not watch.reread_settings():
            return report


def push_all(chosen: Sequence[Settings], deliver: Callable[[Settings], Report]) -> list[Report]:
    """Deliver to several targets at once, so that a slow one doesn't delay the others; return all reports."""
    if len(chosen) == 1:
        return [deliver(chosen[0])]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(chosen)) as pool:
        return list(pool.map(deliver, chosen))


def follow(
    folder: Path,
    settings: Settings,
    stop: threading.Event,
    on_change: Callable[[Report], None] = lambda report: None,
    own: OwnTable | None = None,
) -> Report:
    """Deliver to one target until `stop` is set. Call it in a thread of its own.

    `on_change` is called when delivery fails and when delivery works again. `own` is the table that this
    process itself serves. After an error that people must fix, delivery waits for new settings, new keys or a
    successful push. A passing error is reported once, and delivery is tried again. The function returns early
    only for a target that is no longer in campaign.toml.
    """
    watch, teller = _SettingsWatch(folder, settings), _ErrorReporter(on_change)
    last = Report(settings.name)
    while not stop.is_set():
        came = _follow_until_end(folder, watch, stop, teller, own)
        if came.failed or came.report.hint:
            teller.report_if_new(came.report)
        if not _wait_until_ready(folder, watch, stop, came):
            gone = Report(settings.name, error="it is no longer in campaign.toml")
            teller.report_if_new(gone)
            return gone
        last = came.report
    return last


class _ErrorReporter:
    """Calls `tell` with reports, and remembers the error reported last."""

    def __init__(self, tell: Callable[[Report], None]) -> None:
        self._tell = tell
        self.said = ""

    def __call__(self, report: Report) -> None:
        self.said = report.error
        self._tell(report)

    def report_if_new(self, report: Report) -> None:
        """Report an error, unless the last report had the same one."""
        if report.error != self.said:
            self(report)


class _FollowOutcome(NamedTuple):
    """How one worker of `follow` ended.

    `given_up`: the target needs somebody's attention. `failed`: an error on this side, which may pass by
    itself.
    """

    report: Report
    given_up: bool = False
    failed: bool = False


def _follow_until_end(
    folder: Path, watch: _SettingsWatch, stop: threading.Event, teller: _ErrorReporter, own: OwnTable | None
) -> _FollowOutcome:
    """Run one worker that follows the game, and return how it ended.

    Nothing is raised: an exception becomes an error in the report.
    """
    name = watch.settings.name
    aside = bridge_file(folder, name, ASIDE)

    def should_let_go() -> bool:
        return os.path.exists(aside) or watch.has_changed()

    try:
        target = make_target(folder, watch.settings, own=own)
        worker = Worker(
            folder, target, FOLLOW, stop=stop, let_go=should_let_go, on_change=teller, failing=teller.said
        )
        report = worker.follow()
        return _FollowOutcome(report, worker.given_up)
    except Problem as problem:
        report = Report(name, error=problem.message, hint=problem.hint)
    except OSError as error:
        report = Report(name, error=str(error))
    except Exception as error:  # a bug here or in a plugin must not end the bridge silently
        report = Report(name, error=f"the bridge failed ({type(error).__name__}, {_source_location(error)})")
    if report.error != teller.said:
        _store_error(folder, name, report.error)
    return _FollowOutcome(report, failed=True)


def _source_location(error: Exception) -> str:
    """Return the file name and line where an exception was raised.

    The exception's text isn't shown, as it may contain a key.
    """
    import traceback

    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno}"


_UNREADABLE = (Problem, OSError, ValueError, RecursionError)


class _SettingsWatch:
    """A target's settings, which are read again when campaign.toml or the file of keys changes."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self._files = [os.path.join(folder, CAMPAIGN_FILE), str(keys_file(folder))]
        self._stamp = self._read_stamps()
        self._written: Settings | None = None
        self._elsewhere: bool | None = None
        """Whether the worker that follows uses another address than campaign.toml; None before that was
        looked at."""
        with contextlib.suppress(*_UNREADABLE):
            self._note_written(self._read_settings())

    def has_changed(self) -> bool:
        return self._read_stamps() != self._stamp

    def reread_settings(self) -> bool:
        """Read the settings again and adopt them. Return False if the target was removed.

        If they can't be read, for example while somebody writes them, the present settings stay.
        """
        self._stamp = self._read_stamps()
        try:
            written = self._read_settings()
        except _UNREADABLE:
            return True  # half written: another change follows
        gone = written is None and self._written is not None
        if gone:
            time.sleep(SETTLES)
            if self.has_changed():
                return self.reread_settings()
        before = self._written
        self._note_written(written)
        if written is not None and written != before:
            self.settings = written._replace(url=self.settings.url) if self._elsewhere else written
        return not gone

    def _note_written(self, written: Settings | None) -> None:
        self._written = written
        if self._elsewhere is None and written is not None:
            self._elsewhere = written.url != self.settings.url

    def _read_settings(self) -> Settings | None:
        return read_targets(self.folder).get(self.settings.name)

    def _read_stamps(self) -> object:
        return [stamp_of_file(file) for file in self._files]


def _wait_until_ready(
    folder: Path, watch: _SettingsWatch, stop: threading.Event, outcome: _FollowOutcome
) -> bool:
    """Wait until the next worker should start, or `stop` is set; return False for a removed target.

    How long to wait depends on `outcome`, which says how the last worker ended.
    """
    name = watch.settings.name
    aside = bridge_file(folder, name, ASIDE)
    again = time.monotonic() + (AGAIN if outcome.failed else 0)
    while not stop.is_set():
        if watch.has_changed():
            return watch.reread_settings()
        if os.path.exists(aside):
            # Remove an old marker: its asker had the lock long ago, or died
            with contextlib.suppress(OSError):
                if time.time() - aside.stat().st_mtime > 10:
                    aside.unlink(missing_ok=True)
        elif time.monotonic() >= again and not (outcome.given_up and _needs_attention(folder, name)):
            return True
        stop.wait(0.1)
    return True


def _needs_attention(folder: Path, name: str) -> bool:
    """Return whether a target still needs somebody's attention.

    That is so if its cursor has an error or is switched off, or if there is no cursor. It is False for a
    cursor that can't be read, which the worker will report.
    """
    try:
        cursor = Cursor.load(folder, name)
    except Problem:
        return False  # the worker will report it
    return cursor is None or bool(cursor.last_error or cursor.off)


def sync(folder: Path, settings: Settings, *, fresh: bool = False) -> Report:
    """Send a target the whole scene, tokens and order, whatever it acknowledged before.

    If a worker is already running, that worker sends them. `fresh` says that the target has lost its tokens;
    then they are created anew. Raises Unwritable if the marker file that asks for the sync can't be written.
    """
    marker = bridge_file(folder, settings.name, ".sync")
    try:
        if fresh:
            make_marker_file(bridge_file(folder, settings.name, FRESHLY))
        make_marker_file(marker)
    except OSError as error:
        raise Unwritable(marker, error.strerror, "Check its permissions.") from None
    report = push(folder, settings)
    if not (report.error or report.busy or report.lag):
        with contextlib.suppress(Problem):  # differences that can't be read now are read after the next sync
            if target_class(settings).supports.read_back:
                with hold_target_lock(folder, settings.name):
                    store_lasting_differences(folder, settings)
    return report


def resend_item(folder: Path, settings: Settings, id: str) -> None:
    """Send an item of the review again: a result at once, anything else with the next push.

    Raises Usage for an unknown item, and BridgeProblem if the target doesn't accept the result.
    """
    worker = Worker(folder, make_target(folder, settings))
    with hold_target_lock(folder, settings.name):
        cursor = worker.load_cursor()
        item = next((item for item in cursor.review if item["id"] == id), None)
        if item is None:
            known = [item["id"] for item in cursor.review]
            raise Usage(f"There is no {id!r} to review.", _list_known(known))
        if "result" in item:
            outcome = worker.post_once(Post(id, item["result"], event=item.get("event", "")))
            if outcome.kind is not OutcomeKind.APPLIED:
                why = worker.target.redact(outcome.why)
                raise BridgeProblem(f"{settings.name} did not accept {id}: {why}.", "It stays up for review.")
        cursor.refused.pop(id, None)
        cursor.forget_review_item(id)
        cursor.save(folder)


def drop_item(folder: Path, settings: Settings, id: str) -> None:
    """Drop an item of the review, or a result that is still queued.

    Raises Usage for an unknown id, and BridgeProblem while another worker keeps the target's lock.
    """
    plan = Worker(folder, make_target(folder, settings, with_key=False)).planned_steps()
    waiting = [part for step in plan if step.post for part in step.id.split(TOGETHER)]
    with hold_target_lock(folder, settings.name):
        cursor = open_cursor(folder, settings.name)
        known = [item["id"] for item in cursor.review]
        if id in known:
            cursor.forget_review_item(id)
        elif set(id.split(TOGETHER)) <= set(waiting):
            cursor.skip += id.split(TOGETHER)
        else:
            raise Usage(f"There is no {id!r} to drop.", _list_known([*known, *waiting]))
        cursor.save(folder)


def _list_known(ids: Sequence[str]) -> str:
    return f"Known: {listed(ids)}." if ids else "Nothing is up for review."


def is_running(folder: Path, name: str) -> bool:
    """Return whether a worker is delivering to the target now."""
    return is_lock_held(bridge_file(folder, name, ".lock"))


@contextlib.contextmanager
def hold_target_lock(folder: Path, name: str) -> Iterator[None]:
    """Hold a target's lock during the block.

    A worker that follows the game releases the lock for the caller. Raises BridgeProblem, before the block,
    if another worker keeps the lock.
    """
    aside = bridge_file(folder, name, ASIDE)
    make_marker_file(aside)
    try:
        with hold_lock(bridge_file(folder, name, ".lock"), wait=PATIENCE) as had:
            if not had:
                raise AnotherWorker(name)
            yield
    finally:
        aside.unlink(missing_ok=True)


def _switch_on(folder: Path, name: str) -> None:
    try:
        cursor = Cursor.load(folder, name)
    except UnreadableCursor:
        return  # the worker replaces the file
    if cursor is not None and cursor.off:
        with hold_target_lock(folder, name):
            cursor = open_cursor(folder, name)
            cursor.off = ""
            cursor.save(folder)


def _watch_other_worker(folder: Path, report: Report, seconds: float) -> None:
    """Watch another worker, which has the lock, for up to `seconds`, and put its progress into `report`."""
    journal, deadline = JournalReader(folder), time.monotonic() + seconds
    while True:
        cursor = open_cursor(folder, report.target)
        report.lag = journal.count_after(cursor.acknowledged)
        report.error, report.next_attempt = cursor.last_error, cursor.next_attempt
        report.busy = bool(report.lag) or bridge_file(folder, report.target, ".sync").exists()
        if not report.busy or cursor.last_error or time.monotonic() > deadline:
            return
        time.sleep(0.05)


def _store_error(folder: Path, name: str, why: str) -> None:
    """Store an error where `status` finds it, since a background worker can't report it to anybody."""
    try:
        with hold_lock(bridge_file(folder, name, ".lock")) as had:
            if had:
                cursor = open_cursor(folder, name)
                cursor.last_error = why
                cursor.save(folder)
                note_outage(folder, name, why)
    except Exception:  # the cursor's own file may be the fault; the report has the error in any case
        return
