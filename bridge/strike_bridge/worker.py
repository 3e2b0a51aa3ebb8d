"""The worker: brings one target up to what the campaign says, strictly one request at a time."""

from __future__ import annotations

import dataclasses
import math
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from strike_cli.problems import CampaignProblem, Problem

from .cursor import Cursor, open_cursor
from .lock import held
from .outcome import LONGEST_BACKOFF, LONGEST_WHILE_UNREACHABLE, Kind, Outcome, backoff
from .record import Record, Snapshot
from .results import Post
from .settings import bridge_file
from .steps import ANY, Step, Steps
from .targets.base import Target
from .wire import Answer, Request, Wire, converse

POLL = 0.03
"""Seconds between looks at the journal while following it."""
FRESH = 0.5
"""Seconds after which a long delivery looks at the state again, so that tokens don't wait for old results."""


class Patience(NamedTuple):
    """How many seconds a worker spends waiting for a target: in all, and for one that nobody answers for."""

    total: float
    unreachable: float
    at_once: bool = False
    """Whether to try at once, whatever time for the next attempt an earlier worker chose."""


PUSH = Patience(60.0, 1.0, at_once=True)
"""Somebody is watching, and may start the table and try again."""
AUTO = Patience(60.0, 60.0)
"""Nobody is waiting."""
FOLLOW = Patience(math.inf, math.inf)


@dataclasses.dataclass
class Report:
    """What came of a worker's efforts. `lag` counts journal entries not acknowledged; `next_attempt` is unix
    time; `busy` says that another worker was at it, so that this one did nothing."""

    target: str
    sent: int = 0
    tokens: int = 0
    results: int = 0
    lag: int = 0
    error: str = ""
    hint: str = ""
    next_attempt: float | None = None
    busy: bool = False
    review: int = 0


class Worker:
    """Delivers to one target. Use once, from one thread; `stop` ends it between two requests."""

    def __init__(
        self,
        folder: Path,
        target: Target,
        patience: Patience = PUSH,
        *,
        stop: threading.Event | None = None,
        rng: random.Random | None = None,
        on_change: Callable[[Report], None] = lambda report: None,
    ) -> None:
        self.folder = folder
        self.target = target
        self.patience = patience
        self.stop = stop or threading.Event()
        self.rng = rng or random.Random()
        self.on_change = on_change
        self.report = Report(target.name)
        self.record = Record(folder)
        self._take(Cursor(target.name))
        self._wire: Wire | None = None
        self._waited = 0.0
        self._given_up = False
        self._told: tuple[Any, ...] = ()
        self._saved: tuple[Any, ...] = ()

    # From outside

    def drain(self) -> Report:
        """Deliver all that there is, once."""
        try:
            while True:
                with held(self._file(".lock")) as had:
                    if not had:
                        self.report.busy = not self._told
                        return self.report
                    self.open()
                    done = self._until_done()
                    self._close()
                # A command that was played just now saw the lock held and left no worker of its own.
                if not done or self._stamp() == self._told:
                    return self.report
        finally:
            self._hang_up()

    def follow(self) -> Report:
        """Deliver what comes, until `stop` is set or the target needs somebody's attention."""
        try:
            while not self.stop.is_set() and not self._given_up:
                with held(self._file(".lock")) as had:
                    if had:
                        self.open()
                        self._follow()
                        self._close()
                        return self.report
                self.stop.wait(0.2)  # a worker that a command left behind is nearly through
            return self.report
        finally:
            self._hang_up()

    def plan(self) -> Iterator[Step]:
        """What would be done, if all went well. Sends and writes nothing."""
        self._take(open_cursor(self.folder, self.target.name))
        if self._file(".sync").exists():
            self._forget()
        for step in self._steps.of(self._snapshot()):
            yield step
            step.settle()

    def post_once(self, post: Post) -> Outcome:
        """Post one result, with the lock held and the cursor open, whatever became of it before."""
        try:
            return self._converse(self._steps.posting(post))
        finally:
            self._hang_up()

    # Around a delivery

    def open(self) -> Cursor:
        """Take up where the last worker left off. Only with the lock held."""
        self._take(open_cursor(self.folder, self.target.name))
        return self.cursor

    def _take(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self._steps = Steps(self.target, cursor, self.record)
        self.target.links, self.target.made = cursor.links, cursor.made
        self.target.memory = cursor.memory

    def _close(self) -> None:
        if self._saved != self._mark():
            self._save()
        cursor = self.cursor
        self.report.lag = self.record.count_after(cursor.position, cursor.acknowledged)
        self.report.error, self.report.next_attempt = cursor.last_error, cursor.next_attempt
        self.report.review = len(cursor.review)

    def _hang_up(self) -> None:
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def _file(self, suffix: str) -> Path:
        return bridge_file(self.folder, self.target.name, suffix)

    def _save(self) -> None:
        try:
            self.cursor.save(self.folder)
        except OSError as error:
            raise CampaignProblem(
                f"{self._file('.json')} can't be written: {error.strerror}.",
                "Check the disk and its permissions.",
            ) from None
        self._saved = self._mark()

    def _mark(self) -> tuple[Any, ...]:
        """What moves without a step."""
        return self.cursor.acknowledged, self.cursor.posted, tuple(self.cursor.unlinked)

    def _stamp(self) -> tuple[Any, ...]:
        return (*self.record.stamp(), self._file(".sync").exists())

    def _follow(self) -> None:
        while not self.stop.is_set():
            try:
                if not self._until_done() and self._given_up:
                    return
            except (Problem, OSError) as error:
                # Somebody may be editing state.toml by hand at this moment.
                self._told = self._stamp()
                self._fail(str(error))
            while not self.stop.is_set() and self._stamp() == self._told:
                self.stop.wait(POLL)

    def _until_done(self) -> bool:
        """Pass after pass until nothing is left. False where the target was given up, for now or for good."""
        if not self._may_begin():
            return False
        while not self.stop.is_set():
            stamp = self._stamp()
            outcome = self._pass(stamp)
            if self.stop.is_set():
                return False
            if outcome is None:
                if self._stamp() == stamp:
                    self._told = stamp
                    self._recovered()
                    return True
            elif not self._wait(outcome):
                return False
        return False

    def _may_begin(self) -> bool:
        """Whether now is the time, waiting for it where it is near."""
        cursor = self.cursor
        if cursor.next_attempt is None or (self.patience.at_once and not cursor.asked_to_wait):
            return True
        delay = cursor.next_attempt - time.time()
        if delay <= 0:
            return True
        if delay > self.patience.total:
            return False
        self._waited += delay
        return not self.stop.wait(delay)

    def _wait(self, outcome: Outcome) -> bool:
        """After a failure: note it, and wait for the next attempt. False where that is too long."""
        cursor = self.cursor
        cursor.attempts += 1
        if outcome.all:
            cursor.next_attempt, cursor.asked_to_wait, self._given_up = None, False, True
            self._fail(outcome.why)
            return False
        longest = LONGEST_WHILE_UNREACHABLE if outcome.unreachable else LONGEST_BACKOFF
        delay = max(backoff(cursor.attempts, self.rng, longest), outcome.retry_after or 0.0)
        cursor.next_attempt = time.time() + delay
        cursor.asked_to_wait = bool(outcome.retry_after)
        self._fail(outcome.why)
        budget = self.patience.unreachable if outcome.unreachable else self.patience.total
        if self._waited + delay > budget:
            return False
        self._waited += delay
        return not self.stop.wait(delay)

    def _fail(self, why: str) -> None:
        changed = self.cursor.last_error != why
        self.cursor.last_error = why
        self._save()
        if changed:
            self._tell()

    def _recovered(self) -> None:
        if self.cursor.last_error:
            self.cursor.last_error = ""
            self._tell()
            self._save()
        if self._saved != self._mark():
            self._save()

    def _tell(self) -> None:
        self.report.error, self.report.next_attempt = self.cursor.last_error, self.cursor.next_attempt
        self.on_change(self.report)

    # Delivering

    def _snapshot(self) -> Snapshot:
        cursor = self.cursor
        snapshot = self.record.read(cursor.position, cursor.acknowledged)
        if snapshot.acknowledged != cursor.acknowledged:
            cursor.posted, cursor.in_flight = 0, ""
        cursor.position, cursor.acknowledged = snapshot.position, snapshot.acknowledged
        return snapshot

    def _pass(self, stamp: tuple[Any, ...]) -> Outcome | None:
        """Bring the target up to what the campaign says now. None, or the outcome that stopped it.

        A long pass ends early where the campaign is no longer as it was at `stamp`.
        """
        started = time.monotonic()
        if self._file(".sync").exists():
            self._forget()
            self._save()
            self._file(".sync").unlink(missing_ok=True)
        stopped = self._settle_creations()
        if stopped is not None:
            return stopped._replace(why=self.target.redacted(stopped.why))
        for step in self._steps.of(self._snapshot()):
            outcome = self._deliver(step)
            if outcome is not None:
                return outcome._replace(why=self.target.redacted(outcome.why))
            if self.stop.is_set() or (time.monotonic() - started > FRESH and self._stamp() != stamp):
                return None
        return None

    def _forget(self) -> None:
        """Know nothing any more of what the target shows."""
        self.cursor.resync = True
        self.cursor.refused.clear()

    # One step

    def _deliver(self, step: Step) -> Outcome | None:
        """Bring one thing about. None once it is settled, else the outcome to wait on."""
        if self.cursor.in_flight == step.id:
            known = self._whether_it_arrived(step)
            if isinstance(known, Outcome):
                return known
            if known:
                return None
        elif step.post is not None and not self._may_repeat_results():
            self._in_flight(step.id)
        outcome = self._converse(step)
        if outcome.kind is Kind.APPLIED:
            self._settled(step)
            return None
        if outcome.kind is Kind.REJECTED and not outcome.all:
            self._put_aside(step, outcome.why)
            return None
        if outcome.kind is not Kind.UNKNOWN:
            self.cursor.in_flight = ""
        return outcome

    def _may_repeat_results(self) -> bool:
        supports = self.target.supports
        return supports.idempotent and not supports.read_results

    def _in_flight(self, id: str) -> None:
        """Written down first, so that whoever comes after a crash knows that it may have arrived."""
        self.cursor.in_flight = id
        self._save()

    def _converse(self, step: Step) -> Outcome:
        """Send what a step wants sent, up to the first request that isn't applied."""
        try:
            return converse(step.requests(), partial(self._send, step))
        except (Problem, OSError):
            raise
        except Exception as error:  # a plugin may fail in any way, and its queue goes on
            return Outcome(
                Kind.REJECTED, f"{self.target.settings.kind} failed ({type(error).__name__}: {error})"
            )

    def _send(self, step: Step, request: Request) -> Answer | Outcome:
        """One request: the answer where the step may go on, else what stops it."""
        cursor = self.cursor
        if request.creates:
            cursor.creating.append(request.creates)
            self._save()
        elif not request.absolute and step.post is None:
            self._in_flight(step.id)
        answer, outcome = self._attempt(request)
        if request.creates and outcome.kind is not Kind.UNKNOWN:
            cursor.creating.remove(request.creates)
        if outcome.kind is Kind.APPLIED:
            assert isinstance(answer, Answer)
            if request.creates:
                self._link_made(request.creates, self.target.token_id(request, answer))
            return answer
        judged = request.may_fail and outcome.kind is Kind.REJECTED and not outcome.all
        return answer if judged and isinstance(answer, Answer) else outcome

    def _attempt(self, request: Request) -> tuple[Answer | Outcome, Outcome]:
        """Send a request, by a session where the target wants one, which is asked for anew once."""
        target, fresh = self.target, False
        while True:
            if target.has_session and not target.session:
                outcome = converse(target.begin(), self._send_plainly)
                if outcome.kind is not Kind.APPLIED:
                    return outcome, outcome
                self._keep_session()
                fresh = True
            answer, outcome = self._answer(request)
            if not (target.has_session and outcome.status == 401) or fresh:
                return answer, outcome
            target.session = ""

    def _send_plainly(self, request: Request) -> Answer | Outcome:
        answer, outcome = self._answer(request)
        return answer if outcome.kind is Kind.APPLIED else outcome

    def _answer(self, request: Request) -> tuple[Answer | Outcome, Outcome]:
        answer = self.wire.send(request)
        if isinstance(answer, Outcome):
            return answer, answer
        return answer, self.target.outcome(request, answer, time.time())

    def _keep_session(self) -> None:
        from .secrets import keep_session

        keep_session(self.folder, self.target.name, self.target.session)

    @property
    def wire(self) -> Wire:
        """The connection, made when it is first needed."""
        if self._wire is None:
            self._wire = Wire(self.target.address, self.target.prepare)
        return self._wire

    def _link_made(self, id: str, theirs: str) -> None:
        if theirs:
            self.cursor.links[id] = theirs
            if id not in self.cursor.made:
                self.cursor.made.append(id)
        self._save()

    def _settle_creations(self) -> Outcome | None:
        """Of tokens whose creation may have arrived or not, find out; or the outcome to wait on."""
        cursor = self.cursor
        if not cursor.creating:
            return None
        found = self.target.find_tokens(self.wire) if self.target.supports.find else []
        if isinstance(found, Outcome):
            return found
        for id in list(cursor.creating):
            theirs = next((token.id for token in found if token.ours == id), "")
            if theirs:
                self._link_made(id, theirs)
            elif not self.target.supports.find:
                why = "it may have been created or not, and can't be asked for"
                cursor.note(f"token:{id}", id, why, seq=cursor.acknowledged)
                cursor.refused[f"token:{id}"] = ANY
            cursor.creating.remove(id)
        self._save()
        return None

    def _whether_it_arrived(self, step: Step) -> bool | Outcome:
        """Of what was on its way when last heard of; settled where it did. What nobody can tell of is left
        to people, rather than done twice."""
        supports, post = self.target.supports, step.post
        why = "it may have arrived or not, and can't be asked for"
        if post is not None and supports.read_results:
            found = self.target.has_result(self.wire, post)
            if found is True:
                self._settled(step)
            if not isinstance(found, Outcome) or found.kind is not Kind.REJECTED or found.all:
                return found
            why = f"it may have arrived or not: {found.why}"
        if post is not None and supports.idempotent:
            return False
        self._put_aside(step, why)
        return True

    def _settled(self, step: Step) -> None:
        step.settle()
        cursor, report = self.cursor, self.report
        cursor.attempts, cursor.next_attempt, cursor.asked_to_wait = 0, None, False
        report.sent += 1
        report.results += step.post is not None
        report.tokens += step.id.startswith(("token:", "remove:"))
        self._save()

    def _put_aside(self, step: Step, why: str) -> None:
        """Leave a step to people: it is on the review, and not tried again until it is another."""
        result = step.post.result if step.post else None
        why = self.target.redacted(why)
        self.cursor.note(step.id, step.summary, why, seq=self.cursor.acknowledged, result=result)
        self.cursor.in_flight = ""
        if step.digest:
            self.cursor.refused[step.id] = step.digest
        else:
            step.settle()
        self._save()
