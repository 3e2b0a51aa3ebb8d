"""The bridge's operations for the command line: push, follow, sync, and settling a review."""

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
from strike_cli.refusals import TargetBusy, Unwritable

from .consent import OwnTable
from .credential_store import keys_file
from .delivery_record import Cursor, UnreadableCursor, load_or_make_cursor
from .journal_reader import JournalReader
from .journal_results import ID_SEPARATOR, Post
from .request_outcome import OutcomeKind
from .settings import (
    CAMPAIGN_FILE,
    FRESHLY,
    RELEASE_LOCK,
    Settings,
    read_targets,
    settings_files,
    target_file_path,
)
from .target_differences import store_differences_left_after_sync
from .target_outages import note_outage
from .targets import make_target_checking_consent, target_class
from .worker import AUTO, FOLLOW, PUSH, DeliveryReport, Patience, Worker
from .worker_lock import is_lock_held, try_to_hold_lock

RETRY_SECONDS = 1.0
"""Seconds from a local error to the next try."""
SETTLE_SECONDS = 1.0
"""Seconds for which a target may be missing in campaign.toml before it counts as removed: many editors empty
a file before they write it."""
LOCK_WAIT_SECONDS = 5.0
"""Seconds to wait until another worker releases a target's lock."""


def push(
    folder: Path,
    settings: Settings,
    patience: Patience = PUSH,
    wait_for_other: float = 3.0,
    *,
    turn_on: bool = False,
    continue_from: int = 0,
    should_stop: Callable[[], bool] = lambda: False,
) -> DeliveryReport:
    """Deliver everything that is queued to one target. Problems are in the report, and aren't raised.

    Args:
        folder: The campaign's folder.
        settings: The target's settings.
        patience: The timeouts and retries.
        wait_for_other: The seconds to watch another worker's progress, if one is running.
        turn_on: Whether to deliver to a target that was switched off.
        continue_from: The answer to the question which results the target has, if this is unknown. It is the
            number of the result to continue with; the results before it count as sent. -1: all results that
            the target may have got count as sent. 0: there is no answer.
        should_stop: A function that ends the delivery early once it returns True.

    Returns:
        The report.
    """
    report = DeliveryReport(settings.name)
    try:
        target = make_target_checking_consent(folder, settings)
        if turn_on:
            _clear_off_in_cursor(folder, settings.name)
        if continue_from:
            worker = Worker(folder, target)
            with take_over_target_lock(folder, settings.name):
                worker.adopt_stored_or_new_cursor().go_on = continue_from
                worker.cursor.save(folder)
        report = Worker(folder, target, patience, let_go=should_stop).deliver_queue()
        if report.busy:
            _watch_other_worker(folder, report, wait_for_other)
    except Problem as problem:
        report.error, report.hint = problem.message, problem.hint
        _store_error(folder, settings.name, problem.message)
    except OSError as error:
        report.error = str(error)
    return report


def push_unattended(folder: Path, settings: Settings) -> DeliveryReport:
    """Deliver everything to one target from a background worker.

    The worker waits longer for an unreachable target than `strike bridge push` does. If somebody changes the
    settings or the keys during the delivery, the delivery starts again at once with the new ones.
    """
    watch = _SettingsWatch(folder, settings)
    while True:
        report = push(folder, watch.settings, AUTO, wait_for_other=0, should_stop=watch.have_files_changed)
        if not watch.have_files_changed() or not watch.reread_unless_target_removed():
            return report


def deliver_in_parallel(
    targets: Sequence[Settings], deliver: Callable[[Settings], DeliveryReport]
) -> list[DeliveryReport]:
    """Deliver to several targets at once, so that a slow one doesn't delay the others; return all reports."""
    if len(targets) == 1:
        return [deliver(targets[0])]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(targets)) as pool:
        return list(pool.map(deliver, targets))


def deliver_until_stopped(
    folder: Path,
    settings: Settings,
    stop: threading.Event,
    on_change: Callable[[DeliveryReport], None] = lambda report: None,
    own_table: OwnTable | None = None,
) -> DeliveryReport:
    """Deliver to one target until `stop` is set. Call it in a thread of its own.

    A passing error is reported once, and delivery is tried again. After an error that people must fix,
    delivery waits for new settings, new keys or a successful push. The function returns early only if the
    target is removed from campaign.toml.

    Args:
        folder: The campaign's folder.
        settings: The target's settings.
        stop: Ends the delivery.
        on_change: Called when delivery fails, and when it works again.
        own_table: The table that this process itself serves.

    Returns:
        The report of the last worker. If the target was removed, a report that says so.
    """
    watch, teller = _SettingsWatch(folder, settings), _ErrorReporter(on_change)
    last = DeliveryReport(settings.name)
    while not stop.is_set():
        came = _run_follow_worker(folder, watch, stop, teller, own_table)
        if came.failed or came.report.hint:
            teller.report_if_error_changed(came.report)
        if not _wait_for_worker_unless_removed(folder, watch, stop, came):
            gone = DeliveryReport(settings.name, error="it is no longer in campaign.toml")
            teller.report_if_error_changed(gone)
            return gone
        last = came.report
    return last


class _ErrorReporter:
    """A function that passes reports to `tell`, and remembers the error in the last report."""

    def __init__(self, tell: Callable[[DeliveryReport], None]) -> None:
        self._tell = tell
        self.last_error = ""

    def __call__(self, report: DeliveryReport) -> None:
        self.last_error = report.error
        self._tell(report)

    def report_if_error_changed(self, report: DeliveryReport) -> None:
        """Report an error, unless the last report had the same one."""
        if report.error != self.last_error:
            self(report)


class _FollowOutcome(NamedTuple):
    """The end of one worker that follows the game: its report, and the reason why it ended.

    `given_up` is true if the target needs somebody's attention. `failed` is true after an error on this
    machine, which may pass by itself.
    """

    report: DeliveryReport
    given_up: bool = False
    failed: bool = False


def _run_follow_worker(
    folder: Path,
    watch: _SettingsWatch,
    stop: threading.Event,
    reporter: _ErrorReporter,
    own_table: OwnTable | None,
) -> _FollowOutcome:
    """Run one worker that follows the game, and return how it ended.

    Nothing is raised: an exception becomes an error in the report.
    """
    name = watch.settings.name
    aside = target_file_path(folder, name, RELEASE_LOCK)

    def is_lock_wanted_or_settings_new() -> bool:
        return os.path.exists(aside) or watch.have_files_changed()

    try:
        target = make_target_checking_consent(folder, watch.settings, own_table=own_table)
        worker = Worker(
            folder,
            target,
            FOLLOW,
            stop=stop,
            let_go=is_lock_wanted_or_settings_new,
            on_change=reporter,
            failing=reporter.last_error,
        )
        report = worker.deliver_until_stopped()
        return _FollowOutcome(report, worker.given_up)
    except Problem as problem:
        report = DeliveryReport(name, error=problem.message, hint=problem.hint)
    except OSError as error:
        report = DeliveryReport(name, error=str(error))
    except Exception as error:  # a bug here or in a plugin must not end the bridge silently
        report = DeliveryReport(
            name, error=f"the bridge failed ({type(error).__name__}, {_source_location(error)})"
        )
    if report.error != reporter.last_error:
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
    """A target's settings, which are read again when a file with them changes.

    The files are campaign.toml, those that it includes, and the file of keys.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self._files = [folder / CAMPAIGN_FILE, keys_file(folder)]
        self._note_files_and_stamps()
        self._written: Settings | None = None
        self._elsewhere: bool | None = None
        """Whether the worker that follows uses another address than campaign.toml; None before that was
        looked at."""
        with contextlib.suppress(*_UNREADABLE):
            self._note_written_and_if_elsewhere(self._read_settings())

    def have_files_changed(self) -> bool:
        return self._read_stamps() != self._stamp

    def reread_unless_target_removed(self) -> bool:
        """Read the settings again and adopt them. Return False if the target was removed.

        If they can't be read, for example while somebody writes them, the present settings stay.
        """
        self._note_files_and_stamps()
        try:
            written = self._read_settings()
        except _UNREADABLE:
            return True  # half written: another change follows
        gone = written is None and self._written is not None
        if gone:
            time.sleep(SETTLE_SECONDS)
            if self.have_files_changed():
                return self.reread_unless_target_removed()
        before = self._written
        self._note_written_and_if_elsewhere(written)
        if written is not None and written != before:
            self.settings = written._replace(url=self.settings.url) if self._elsewhere else written
        return not gone

    def _note_written_and_if_elsewhere(self, written: Settings | None) -> None:
        self._written = written
        if self._elsewhere is None and written is not None:
            self._elsewhere = written.url != self.settings.url

    def _read_settings(self) -> Settings | None:
        return read_targets(self.folder).get(self.settings.name)

    def _note_files_and_stamps(self) -> None:
        with contextlib.suppress(*_UNREADABLE):
            self._files = [*settings_files(self.folder), keys_file(self.folder)]
        self._stamp = self._read_stamps()

    def _read_stamps(self) -> object:
        return [stamp_of_file(file) for file in self._files]


def _wait_for_worker_unless_removed(
    folder: Path, watch: _SettingsWatch, stop: threading.Event, outcome: _FollowOutcome
) -> bool:
    """Wait until the next worker should start; return False if its target was removed, else True.

    The wait also ends when `stop` is set. `outcome` says how the last worker ended. The length of the wait
    depends on it.
    """
    name = watch.settings.name
    aside = target_file_path(folder, name, RELEASE_LOCK)
    again = time.monotonic() + (RETRY_SECONDS if outcome.failed else 0)
    while not stop.is_set():
        if watch.have_files_changed():
            return watch.reread_unless_target_removed()
        if os.path.exists(aside):
            # Remove an old marker: its asker had the lock long ago, or died
            with contextlib.suppress(OSError):
                if time.time() - aside.stat().st_mtime > 10:
                    aside.unlink(missing_ok=True)
        elif time.monotonic() >= again and not (outcome.given_up and _is_failing_off_or_new(folder, name)):
            return True
        stop.wait(0.1)
    return True


def _is_failing_off_or_new(folder: Path, name: str) -> bool:
    """Return whether somebody has to look after a target.

    This is so if the target's last delivery failed, if the target is switched off, or if it has no cursor. If
    its cursor can't be read, return False, because the worker reports that.
    """
    try:
        cursor = Cursor.load(folder, name)
    except Problem:
        return False  # the worker will report it
    return cursor is None or bool(cursor.last_error or cursor.off)


def resend_whole_state(folder: Path, settings: Settings, *, recreate_tokens: bool = False) -> DeliveryReport:
    """Send a target the whole scene, the tokens and the turn order, even what it already has.

    If a worker is already running for the target, that worker sends them. Use `recreate_tokens` if the target
    has lost its tokens, so that they are created again.

    Raises:
        Unwritable: The marker file that asks for the sync can't be written.
    """
    marker = target_file_path(folder, settings.name, ".sync")
    try:
        if recreate_tokens:
            make_marker_file(target_file_path(folder, settings.name, FRESHLY))
        make_marker_file(marker)
    except OSError as error:
        raise Unwritable(marker, error.strerror, "Check its permissions.") from None
    report = push(folder, settings)
    if not (report.error or report.busy or report.lag):
        with contextlib.suppress(Problem):  # differences that can't be read now are read after the next sync
            if target_class(settings).supports.read_back:
                with take_over_target_lock(folder, settings.name):
                    store_differences_left_after_sync(folder, settings)
    return report


def resend_result_or_requeue_item(folder: Path, settings: Settings, id: str) -> None:
    """Send an item of the review again.

    If the item is a result, it is sent at once. Any other item is sent with the next push. Raises Usage for
    an unknown item, and BridgeProblem if the target doesn't accept the result.
    """
    worker = Worker(folder, make_target_checking_consent(folder, settings))
    with take_over_target_lock(folder, settings.name):
        cursor = worker.adopt_stored_or_new_cursor()
        item = next((item for item in cursor.review if item["id"] == id), None)
        if item is None:
            known = [item["id"] for item in cursor.review]
            raise Usage(f"There is no {id!r} to review.", _known_ids_hint(known))
        if "result" in item:
            outcome = worker.post_result_even_if_sent(Post(id, item["result"], event=item.get("event", "")))
            if outcome.kind is not OutcomeKind.APPLIED:
                why = worker.target.redact(outcome.why)
                raise BridgeProblem(f"{settings.name} did not accept {id}: {why}.", "It stays up for review.")
        cursor.refused.pop(id, None)
        cursor.forget_review_item(id)
        cursor.save(folder)


def drop_item_or_queued_result(folder: Path, settings: Settings, id: str) -> None:
    """Drop an item of the review, or a result that is still queued.

    Raises Usage for an unknown id, and BridgeProblem while another worker keeps the target's lock.
    """
    plan = Worker(folder, make_target_checking_consent(folder, settings, with_key=False)).planned_steps()
    waiting = [part for step in plan if step.post for part in step.id.split(ID_SEPARATOR)]
    with take_over_target_lock(folder, settings.name):
        cursor = load_or_make_cursor(folder, settings.name)
        known = [item["id"] for item in cursor.review]
        if id in known:
            cursor.forget_review_item(id)
        elif set(id.split(ID_SEPARATOR)) <= set(waiting):
            cursor.skip += id.split(ID_SEPARATOR)
        else:
            raise Usage(f"There is no {id!r} to drop.", _known_ids_hint([*known, *waiting]))
        cursor.save(folder)


def _known_ids_hint(ids: Sequence[str]) -> str:
    return f"Known: {listed(ids)}." if ids else "Nothing is up for review."


def is_delivering(folder: Path, name: str) -> bool:
    """Return whether a worker is delivering to the target now."""
    return is_lock_held(target_file_path(folder, name, ".lock"))


@contextlib.contextmanager
def take_over_target_lock(folder: Path, name: str) -> Iterator[None]:
    """Hold a target's lock during the block.

    If a worker that follows the game holds the lock, it is asked to release it. If the lock isn't released in
    time, raise BridgeProblem, and don't run the block.
    """
    aside = target_file_path(folder, name, RELEASE_LOCK)
    make_marker_file(aside)
    try:
        with try_to_hold_lock(target_file_path(folder, name, ".lock"), wait=LOCK_WAIT_SECONDS) as had:
            if not had:
                raise TargetBusy(name)
            yield
    finally:
        aside.unlink(missing_ok=True)


def _clear_off_in_cursor(folder: Path, name: str) -> None:
    try:
        cursor = Cursor.load(folder, name)
    except UnreadableCursor:
        return  # the worker replaces the file
    if cursor is not None and cursor.off:
        with take_over_target_lock(folder, name):
            cursor = load_or_make_cursor(folder, name)
            cursor.off = ""
            cursor.save(folder)


def _watch_other_worker(folder: Path, report: DeliveryReport, seconds: float) -> None:
    """Watch another worker, which has the lock, for up to `seconds`, and put its progress into `report`."""
    journal, deadline = JournalReader(folder), time.monotonic() + seconds
    while True:
        cursor = load_or_make_cursor(folder, report.target)
        report.lag = journal.count_entries_after(cursor.acknowledged)
        report.error, report.next_attempt = cursor.last_error, cursor.next_attempt
        report.busy = bool(report.lag) or target_file_path(folder, report.target, ".sync").exists()
        if not report.busy or cursor.last_error or time.monotonic() > deadline:
            return
        time.sleep(0.05)


def _store_error(folder: Path, name: str, why: str) -> None:
    """Store an error where `status` finds it, since a background worker can't report it to anybody."""
    try:
        with try_to_hold_lock(target_file_path(folder, name, ".lock")) as had:
            if had:
                cursor = load_or_make_cursor(folder, name)
                cursor.last_error = why
                cursor.save(folder)
                note_outage(folder, name, why)
    except Exception:  # the cursor's own file may be the fault; the report has the error in any case
        return
