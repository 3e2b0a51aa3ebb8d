"""The worker, which brings one target up to date, strictly one request at a time."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import random
import threading
import time
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from strike_cli.campaign.change_stamp import poll_interval
from strike_cli.kernel.state_changes import State, block_cache
from strike_cli.problems import Problem
from strike_cli.refusals import Unwritable

from .authenticated_wire import SessionWire
from .delivery_record import (
    Cursor,
    UnreadableCursor,
    load_or_make_cursor,
    note_first_delivery,
    replace_broken_cursor,
    require_same_journal,
)
from .journal_reader import Backlog, JournalReader
from .journal_results import Post
from .reconciliation_plan import DeliveryStep, Reconciler
from .request_outcome import LONGEST_WHILE_UNREACHABLE, Outcome, OutcomeKind, retry_delay
from .settings import FRESHLY, RELEASE_LOCK, target_file_path
from .state_projection import project_state
from .step_delivery import Delivery
from .target_outages import note_outage, note_recovery
from .targets.base import Target
from .wait_reasons_report import note_wait
from .worker_lock import try_to_hold_lock

FRESH = 0.03
"""Seconds between readings of the campaign during a delivery, so that tokens don't wait for old results."""


AGAIN = 0.5
"""Seconds before a campaign that could not be read is tried again."""


class Patience(NamedTuple):
    """The limits of a worker's waiting for a target, in seconds.

    `total` limits the wait in all, and `unreachable` the wait for a target that can't be reached.
    """

    total: float
    unreachable: float
    at_once: bool = False
    """Whether to try at once, whatever time an earlier worker set for the next attempt."""
    gathers: bool = False
    """Whether results may wait a while for the next one, where the target gathers them."""


PUSH = Patience(60.0, 1.0, at_once=True)
"""The patience of a command that somebody watches, who may start the table and try again."""
AUTO = Patience(60.0, 60.0, gathers=True)
"""The patience of a background worker, which nobody waits for."""
FOLLOW = Patience(math.inf, math.inf, gathers=True)


@dataclasses.dataclass
class DeliveryReport:
    """The result of a worker's delivery.

    `lag` is the number of journal entries that the target hasn't acknowledged. `next_attempt` is a unix time.
    `busy` says that another worker was running, so this one did nothing. `off` says that the target wants no
    more requests. `empty` says that the target has lost everything; then nothing is sent until somebody runs
    `strike bridge sync NAME --fresh`. `review` is the number of items that somebody must review.
    """

    target: str
    sent: int = 0
    tokens: int = 0
    results: int = 0
    lag: int = 0
    error: str = ""
    hint: str = ""
    next_attempt: float | None = None
    busy: bool = False
    off: bool = False
    empty: bool = False
    review: int = 0


class Worker:
    """A worker that delivers the campaign's changes to one target.

    Use each worker only once, from one thread. The worker ends between two requests once `stop` is set, or
    once `let_go` says that another process wants the target's lock.
    """

    def __init__(
        self,
        folder: Path,
        target: Target,
        patience: Patience = PUSH,
        *,
        stop: threading.Event | None = None,
        rng: random.Random | None = None,
        let_go: Callable[[], bool] = lambda: False,
        on_change: Callable[[DeliveryReport], None] = lambda report: None,
        failing: str = "",
        wire: SessionWire | None = None,
    ) -> None:
        """Make a worker that sends to a target.

        `failing` is the error that was last reported. If there is one, the worker also reports when the error
        has passed. `wire` is the connection to use. By default the worker makes its own connection.
        """
        self.failing = failing
        self.folder = folder
        self.target = target
        self.patience = patience
        self.stop = stop or threading.Event()
        self.rng = rng or random.Random()
        self.let_go = let_go
        self.on_change = on_change
        self.report = DeliveryReport(target.name)
        self.journal = JournalReader(folder)
        self.wire = wire or SessionWire(folder, target)
        self._set_up_delivery(Cursor(target.name))
        self._waited = 0.0
        self.given_up = False
        self._delivered_stamp: object = None
        self._news = 0.0
        self._saved: tuple[object, ...] = ()

    # From outside

    def deliver_queue(self) -> DeliveryReport:
        """Deliver everything that is queued, then return the report.

        If another worker is already at work for the target, nothing is delivered, and the report is `busy`.
        """
        try:
            while True:
                with try_to_hold_lock(self._bridge_file(".lock")) as had:
                    if not had:
                        self.report.busy = not self._delivered_stamp
                        return self.report
                    self.adopt_stored_or_new_cursor()
                    done = self._deliver_until_caught_up()
                    while done and self._reconciler.held_until is not None:
                        self._wait_to_combine_held_results()
                        done = self._deliver_until_caught_up()
                    self._save_idle_cursor_and_fill_report()
                # A command that was just played saw the lock held, and so started no worker.
                if not done or self._campaign_stamp() == self._delivered_stamp:
                    return self.report
        finally:
            self.wire.close()

    def deliver_until_stopped(self) -> DeliveryReport:
        """Deliver new entries until the worker is stopped, or the target needs somebody's attention.

        The worker is stopped by setting `stop`, or when `let_go` returns True. If the target needs attention,
        `given_up` is True.
        """
        try:
            while not self._should_end():
                with try_to_hold_lock(self._bridge_file(".lock")) as had:
                    if had:
                        self.adopt_stored_or_new_cursor()
                        self._deliver_until_end()
                        self._save_idle_cursor_and_fill_report()
                        return self.report
                self.stop.wait(0.2)  # a command's own worker soon ends
            return self.report
        finally:
            self.wire.close()

    def planned_steps(self) -> Iterator[DeliveryStep]:
        """Yield the steps that would be taken if all went well. Nothing is sent or written."""
        self._set_up_delivery(load_or_make_cursor(self.folder, self.target.name))
        if self._bridge_file(".sync").exists():
            self._mark_for_resync()
        for step in self._reconciler.state_then_post_steps(self._read_backlog_and_move_cursor()):
            yield step
            step.settle()

    def post_result_even_if_sent(self, post: Post) -> Outcome:
        """Post a result, even if it was sent before.

        The caller holds the target's lock and has loaded the cursor.
        """
        try:
            return self._delivery.send_step(self._reconciler.step_to_post(post))
        finally:
            self.wire.close()

    # Around a delivery

    def adopt_stored_or_new_cursor(self) -> Cursor:
        """Load the target's cursor, adopt the current settings, and return the cursor.

        The worker uses this cursor from now on. The caller must hold the target's lock.

        If the stored cursor can't be read, a new one replaces it. If the last worker died at work, everything
        that it may have been sending is in doubt.
        """
        try:
            cursor = load_or_make_cursor(self.folder, self.target.name)
        except UnreadableCursor:
            cursor = replace_broken_cursor(self.folder, self.target.name)
        cursor.apply_settings_change(self.target.settings)
        cursor.doubt_everything_after_crash()
        self._set_up_delivery(cursor)
        return cursor

    def _should_end(self) -> bool:
        return self.stop.is_set() or self.let_go()

    def _set_up_delivery(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self._reconciler = Reconciler(self.target, cursor, self.journal)
        self._reconciler.may_hold_results = self.patience.gathers and self.target.combine_seconds > 0
        self._delivery = Delivery(self.target, cursor, self.wire, self._save)
        cursor.share_with(self.target)

    def _save_idle_cursor_and_fill_report(self) -> None:
        cursor = self.cursor
        if cursor.recent and not cursor.noted:
            with contextlib.suppress(OSError):  # without the note a lost file would look like a new target's
                note_first_delivery(self.folder, self.target.name)
                cursor.noted = True
        cursor.at_work = False
        self._save(whole=True)
        self.report.lag = self.journal.count_entries_after(cursor.acknowledged)
        self.report.error, self.report.next_attempt = cursor.last_error, cursor.next_attempt
        self.report.off, self.report.review = bool(cursor.off), len(cursor.review)

    def _bridge_file(self, suffix: str) -> Path:
        return target_file_path(self.folder, self.target.name, suffix)

    def _save(self, whole: bool = False, sync: bool = False) -> None:
        try:
            self.cursor.save(self.folder, whole=whole, sync=sync)
        except OSError as error:
            raise Unwritable(
                self._bridge_file(".json"), error.strerror, "Check the disk and its permissions."
            ) from None
        self._saved = self._fields_changeable_without_steps()

    def _fields_changeable_without_steps(self) -> tuple[object, ...]:
        """Return some fields of the cursor: those that can change even if nothing is sent to the target.

        The cursor must be saved if one of these fields differs from its value at the last saving.
        """
        cursor = self.cursor
        return cursor.acknowledged, cursor.posted, tuple(cursor.unlinked), cursor.at_work

    def _campaign_stamp(self) -> object:
        return self.journal.stamp(), os.path.exists(self._sync_marker_path)

    @cached_property
    def _sync_marker_path(self) -> str:
        """The path of the marker file, which another process creates to ask for a sync."""
        return os.fspath(self._bridge_file(".sync"))

    def _wait_to_combine_held_results(self) -> None:
        """Wait while results are held back, so that they can be sent together with later results.

        The wait ends when the results have been held long enough, or when the campaign changes. It also ends
        when another process wants the lock; results are then no longer held back.
        """
        held, aside = self._reconciler.held_until or 0.0, self._bridge_file(RELEASE_LOCK)
        while held > time.time() and self._campaign_stamp() == self._delivered_stamp:
            if aside.exists():
                self._reconciler.may_hold_results = False
                return
            if not self._sleep_unless_ending(min(0.1, held - time.time())):
                return

    def _sleep_unless_ending(self, seconds: float) -> bool:
        """Wait for some seconds, and return True.

        If the worker should end, stop waiting and return False.
        """
        ends = time.monotonic() + seconds
        while not self._should_end():
            left = ends - time.monotonic()
            if left <= 0:
                return True
            self.stop.wait(min(left, 0.1))
        return False

    def _deliver_until_end(self) -> None:
        while not self._should_end():
            self._news = time.monotonic()
            try:
                if not self._deliver_until_caught_up() and self.given_up:
                    return
                while (
                    not self._should_end()
                    and self._campaign_stamp() == self._delivered_stamp
                    and not self._has_due_resends_or_results()
                ):
                    # Keep the target's connection, where it has one that it would lose
                    if (
                        self.target.keep_alive_after
                        and time.monotonic() - self.wire.last_sent > self.target.keep_alive_after
                    ):
                        self.wire.last_sent = time.monotonic()
                        self._delivery.send_extra_requests(self.target.keep_alive)
                    self.stop.wait(poll_interval(self._news))
            except (Problem, OSError) as error:
                # Somebody may be editing state.toml by hand at this moment, or no file more may be opened.
                self._record_error_and_report_if_new(str(error))
                self._sleep_unless_ending(AGAIN)

    def _has_due_resends_or_results(self) -> bool:
        held = self._reconciler.held_until
        return bool(self.cursor.due_resends(time.time())) or (held is not None and held <= time.time())

    def _deliver_until_caught_up(self) -> bool:
        """Deliver until nothing is left to deliver, and return whether that succeeded.

        It returns False if the worker should end, if the next attempt is too far off, or if somebody must act
        first.
        """
        if not self._wait_for_next_attempt():
            return False
        while not self._should_end():
            stamp = self._campaign_stamp()
            outcome = self._deliver_once_resyncing_if_asked(stamp)
            if self._should_end():
                return False
            if outcome is None:
                if self._campaign_stamp() == stamp:
                    self._delivered_stamp = stamp
                    self._report_recovery_and_save()
                    return True
            elif not self._record_failure_and_wait(outcome):
                return False
        return False

    def _wait_for_next_attempt(self) -> bool:
        """Wait until the next attempt is due, and return whether it may begin.

        Return False if the target is switched off, if the attempt is due too late to wait for, or if the
        worker should end. If somebody started the delivery by hand, the attempt begins at once, unless the
        target itself asked for a pause.
        """
        cursor = self.cursor
        if cursor.off:
            self.given_up = True
            return False
        if self.patience.at_once and not cursor.asked_to_wait:
            cursor.attempts = 0  # somebody who pushes by hand expects success
            return True
        if cursor.next_attempt is None:
            return True
        delay = cursor.next_attempt - time.time()
        if delay <= 0:
            return True
        if delay > self.patience.total:
            return False
        self._waited += delay
        with note_wait(self.target.name, f"it asked for a pause; the next attempt is in {delay:.0f} s"):
            return self._sleep_unless_ending(delay)

    def _record_failure_and_wait(self, outcome: Outcome) -> bool:
        """Record a failure, and wait for the next attempt; return whether to make that attempt now.

        It returns False if the next attempt is too far off, if somebody must act first, or if the worker
        should end.
        """
        cursor = self.cursor
        cursor.attempts += 1
        cursor.doubtful = cursor.doubtful or outcome.kind is OutcomeKind.UNKNOWN or outcome.page
        if outcome.all:
            cursor.next_attempt, cursor.asked_to_wait, self.given_up = None, False, True
            cursor.off = self.target.settings.digest() if outcome.off else ""
            self.report.hint, self.report.empty = self.target.remedy(outcome), outcome.empty
            self._record_error_and_report_if_new(outcome.why)
            return False
        longest = LONGEST_WHILE_UNREACHABLE if outcome.unreachable else None
        delay = max(retry_delay(cursor.attempts, self.rng, longest), outcome.retry_after or 0.0)
        cursor.next_attempt = time.time() + delay
        cursor.asked_to_wait = bool(outcome.retry_after)
        self._record_error_and_report_if_new(outcome.why)
        budget = self.patience.unreachable if outcome.unreachable else self.patience.total
        self._waited += self.wire.last_duration + delay
        if self._waited > budget:
            return False
        with note_wait(self.target.name, f"{outcome.why}; the next attempt is in {delay:.0f} s"):
            return self._sleep_unless_ending(delay)

    def _record_error_and_report_if_new(self, why: str) -> None:
        changed = self.cursor.last_error != why
        self.cursor.last_error = why
        note_outage(self.folder, self.target.name, why)
        self._save()
        if changed:
            self._report_change()

    def _report_recovery_and_save(self) -> None:
        if self.cursor.last_error or self.failing:
            self.cursor.last_error = self.failing = self.report.hint = ""
            note_recovery(self.folder, self.target.name)
            self._report_change()
            self._save()
        if self._saved != self._fields_changeable_without_steps():
            self._save()

    def _report_change(self) -> None:
        self.report.error, self.report.next_attempt = self.cursor.last_error, self.cursor.next_attempt
        self.on_change(self.report)

    # Delivering

    def _read_backlog_and_move_cursor(self) -> Backlog:
        cursor = self.cursor
        require_same_journal(cursor, self.journal)
        backlog = self.journal.read_backlog(cursor.position, cursor.acknowledged)
        if backlog.acknowledged != cursor.acknowledged:
            cursor.forget_result_numbers_after(backlog.acknowledged)
            cursor.posted, cursor.under_way = 0, []
        cursor.position, cursor.acknowledged = backlog.position, backlog.acknowledged
        cursor.line = self.journal.hash_of_line_ending_at(cursor.position) if cursor.acknowledged else ""
        return backlog

    @block_cache()
    def _deliver_once_resyncing_if_asked(self, stamp: object) -> Outcome | None:
        """Bring the target up to date once.

        If somebody has asked for a sync, everything is sent again.

        The delivery can stop early for two reasons: the worker should end, or the campaign has changed since
        `stamp`. The second reason stops the delivery only after a result.

        Returns:
            The outcome that stopped the delivery. None if everything was delivered, or if the delivery
            stopped early.
        """
        looked = time.monotonic()
        if self._bridge_file(".sync").exists():
            self._mark_for_resync()
            self.cursor.fresh = self.cursor.fresh or self._bridge_file(FRESHLY).exists()
            self._save()
            for suffix in (FRESHLY, ".sync"):
                self._bridge_file(suffix).unlink(missing_ok=True)
        backlog = self._read_backlog_and_move_cursor()
        stopped = self._clear_up_doubts_before_sending(backlog)
        if stopped is not None:
            return self._redact(stopped)
        if backlog.entries:
            self.journal.fsync_journal_from(backlog.position)
        for step in self._reconciler.state_then_post_steps(backlog):
            sent = self._delivery.sent
            stopped = self._delivery.deliver(step)
            if stopped is not None:
                return self._redact(stopped)
            if self._delivery.sent > sent:
                self._count_step_unless_put_up_for_review(
                    step
                )  # a kind that can't show it was not sent anything
            if time.monotonic() - looked < FRESH:
                continue
            looked = time.monotonic()
            # Not before all tokens are told and one result more: who is slow must get on while others play.
            if self._should_end() or (step.post and self._campaign_stamp() != stamp):
                return None
        return None

    def _clear_up_doubts_before_sending(self, backlog: Backlog) -> Outcome | None:
        """Clear up what isn't certain about the target, before anything is sent.

        If an earlier request had an unknown outcome, a test shows whether the target answers. If everything
        is to be sent again, the target's tokens that carry strike's ids are linked. Tokens whose creation is
        in doubt are looked up.

        Returns None if sending can begin. Otherwise returns the outcome because of which the worker has to
        wait.
        """
        stopped = self._delivery.probe_if_in_doubt()
        if stopped is None and self.cursor.resync:
            stopped = self._delivery.link_recognized_tokens(self._people_hidden_from_target(backlog.now))
        return stopped or self._delivery.settle_doubtful_creations()

    def _people_hidden_from_target(self, state: State) -> Collection[str]:
        """Return the ids of people that the target must not know.

        There are none for a target whose audience is the game master.
        """
        if self.target.for_gm:
            return ()
        return project_state(state, gm=True).tokens.keys() - project_state(state).tokens.keys()

    def _mark_for_resync(self) -> None:
        """Record that it is unknown what the target shows, so that everything is sent again.

        It is also forgotten what the target has refused, so that this is tried again, too.
        """
        self.cursor.resync, self.cursor.line = True, ""
        self.cursor.refused.clear()

    def _redact(self, outcome: Outcome) -> Outcome:
        return outcome._replace(why=self.target.redact(outcome.why))

    def _count_step_unless_put_up_for_review(self, step: DeliveryStep) -> None:
        if not any(item["id"] == step.id for item in self.cursor.review):
            self.report.sent += 1
            self.report.results += len(step.post.result.get("parts", [step])) if step.post else 0
            self.report.tokens += step.id.startswith(("token:", "remove:"))
