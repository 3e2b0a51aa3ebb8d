"""The worker: brings one target up to what the campaign says, strictly one request at a time.

Scene, tokens and turn order are reconciled: what the target acknowledged last is compared with the state now,
and only differences are sent, so that catching up costs no more than the last of many changes, and undo needs
no care. Results are the journal: each is posted once and in order.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from strike_cli.problems import BridgeProblem, CampaignProblem, Problem, Usage, listed

from .cursor import Cursor
from .lock import held, is_held
from .outcome import APPLIED, LONGEST_BACKOFF, LONGEST_WHILE_UNREACHABLE, Kind, Outcome, backoff
from .project import Payload, project
from .record import Record, Snapshot, with_facts
from .results import Post, posts_of
from .settings import Settings, bridge_file
from .targets import find_kind
from .targets.base import HIDDEN_KEY, Target
from .wire import Request, Wire

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


class Step(NamedTuple):
    """One thing to bring about. `settle` notes that it is so."""

    id: str
    requests: list[Request]
    settle: Callable[[], None]
    digest: str = ""
    post: Post | None = None

    def words(self) -> str:
        """What is sent, for people."""
        return "; ".join(request.words() for request in self.requests)


def make_target(folder: Path, settings: Settings, *, with_key: bool = True) -> Target:
    """The target of these settings. Raises Problem for a kind, an address or a key that is no good."""
    from .secrets import read_key

    kind = find_kind(settings.kind)
    needs_key = with_key and kind.key_variable
    return kind(settings, read_key(folder, settings.name, kind.key_variable) if needs_key else "")


def open_cursor(folder: Path, name: str) -> Cursor:
    """How far a target has been told. One that was never told anything begins with the state as it is, and
    with the results of the evening under way: what was played before is of no use to who watches now."""
    cursor = Cursor.load(folder, name)
    if cursor is None:
        position, seq = Record(folder).evening()
        cursor = Cursor(name, acknowledged=seq, position=position, begin=seq)
    return cursor


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
        self.cursor = Cursor(target.name)
        self._wire: Wire | None = None
        self._waited = 0.0
        self._given_up = False
        self._told: tuple[Any, ...] = ()
        self._unsaved = False

    # From outside

    def drain(self) -> Report:
        """Deliver all that there is, once."""
        try:
            while True:
                with held(self._file(".lock")) as had:
                    if not had:
                        self.report.busy = not self._told
                        return self.report
                    self._open()
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
                        self._open()
                        self._follow()
                        self._close()
                        return self.report
                self.stop.wait(0.2)  # a worker that a command left behind is nearly through
            return self.report
        finally:
            self._hang_up()

    def plan(self) -> list[Step]:
        """What would be sent, if all went well. Sends and writes nothing."""
        self.cursor = open_cursor(self.folder, self.target.name)
        if self._file(".sync").exists():
            self._forget()
        steps = []
        for step in self._steps(self._snapshot()):
            steps.append(step)
            step.settle()
        return steps

    # Around a delivery

    def _open(self) -> None:
        self.cursor = open_cursor(self.folder, self.target.name)

    def _close(self) -> None:
        if self._unsaved:
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
        self._unsaved = False

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
            self._unsaved = True
            self._tell()
        if self._unsaved:
            self._save()

    def _tell(self) -> None:
        self.report.error, self.report.next_attempt = self.cursor.last_error, self.cursor.next_attempt
        self.on_change(self.report)

    # Delivering

    def _snapshot(self) -> Snapshot:
        cursor = self.cursor
        snapshot = self.record.read(cursor.position, cursor.acknowledged)
        if snapshot.acknowledged != cursor.acknowledged:
            cursor.posted, cursor.in_flight, self._unsaved = 0, "", True
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
        for step in self._steps(self._snapshot()):
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

    def _steps(self, snapshot: Snapshot) -> Iterator[Step]:
        """What is to be done, one by one; each must be settled before the next is asked for."""
        yield from self._reconcile(snapshot)
        cursor, state = self.cursor, snapshot.before
        supports = self.target.supports
        for entry, end in snapshot.lines:
            posts = posts_of(entry, state, self.record.at, cursor.begin) if supports.chat else []
            for post in posts[cursor.posted :]:
                if (post.mark and not supports.marks) or post.id in cursor.skip:
                    self._settle_post(post)
                else:
                    requests = self.target.send_result(post)
                    yield Step(post.id, requests, partial(self._settle_post, post), post=post)
            state = with_facts(state, entry["facts"])
            cursor.acknowledged, cursor.position, cursor.posted = entry["seq"], end, 0
            self._unsaved = True

    def _settle_post(self, post: Post) -> None:
        self.cursor.posted += 1
        self.cursor.in_flight = ""
        if post.id in self.cursor.skip:
            self.cursor.skip.remove(post.id)

    def _reconcile(self, snapshot: Snapshot) -> Iterator[Step]:
        """Scene, tokens and order: only what differs from what the target acknowledged."""
        cursor, target = self.cursor, self.target
        shown = project(snapshot.now, with_hidden=target.supports.hidden)
        other = cursor.scene is not None and (shown.scene is None or shown.scene["id"] != cursor.scene["id"])
        leftover = shown.scene is None and bool(cursor.tokens or cursor.order)
        if cursor.resync or other or leftover:
            yield Step("clear", target.clear_scene(), self._cleared)
        for id in [id for id in cursor.tokens if id not in shown.tokens]:
            yield Step(f"remove:{id}", target.remove_token(id), partial(self._removed, id))
        if shown.scene is not None and shown.scene != cursor.scene:
            yield from self._unless_refused("scene", target.put_scene(shown.scene), "scene", shown.scene)
        for id, token in shown.tokens.items():
            before = cursor.tokens.get(id)
            if token != before:
                yield from self._unless_refused(
                    f"token:{id}", target.put_token(token, before), "token", token
                )
        if shown.order is not None and shown.order != cursor.order:
            yield from self._unless_refused("order", target.put_order(shown.order), "order", shown.order)

    def _unless_refused(
        self, id: str, requests: list[Request], kind: str, payload: Payload
    ) -> Iterator[Step]:
        digest = f"{crc32(json.dumps(payload, sort_keys=True).encode()):08x}"
        if self.cursor.refused.get(id) != digest:
            yield Step(id, requests, partial(self._settle_part, id, kind, payload), digest)

    def _settle_part(self, id: str, kind: str, payload: Payload) -> None:
        if kind == "token":
            self.cursor.tokens[payload["id"]] = payload
        else:
            setattr(self.cursor, kind, payload)
        if self.cursor.refused.pop(id, None) is not None:
            self.cursor.forget_review(id)

    def _cleared(self) -> None:
        cursor = self.cursor
        cursor.resync, cursor.scene, cursor.order, cursor.tokens = False, None, None, {}
        cursor.links.clear()

    def _removed(self, id: str) -> None:
        self.cursor.tokens.pop(id, None)
        self.cursor.links.pop(id, None)

    # One step

    def _deliver(self, step: Step) -> Outcome | None:
        """Bring one thing about. None once it is settled, else the outcome to wait on."""
        if step.post is not None:
            if self.cursor.in_flight == step.id:
                known = self._whether_it_arrived(step.post)
                if isinstance(known, Outcome):
                    return known
                if known:
                    self._settled(step)
                    return None
            elif not self.target.supports.idempotent or self.target.supports.read_back:
                # Written down first, so that whoever comes after a crash knows that it may have arrived.
                self.cursor.in_flight = step.id
                self._save()
        outcome = self._send(step.requests)
        if outcome.kind is Kind.APPLIED:
            self._settled(step)
            return None
        if outcome.kind is Kind.REJECTED and not outcome.all:
            self._rejected(step, outcome)
            return None
        if outcome.kind is not Kind.UNKNOWN:
            self.cursor.in_flight = ""
        return outcome

    def _send(self, requests: list[Request]) -> Outcome:
        """Send requests in order, up to the first that isn't applied."""
        for request in requests:
            answer = self.wire.send(request)
            outcome = (
                answer if isinstance(answer, Outcome) else self.target.outcome(request, answer, time.time())
            )
            if outcome.kind is not Kind.APPLIED:
                return outcome
            if not isinstance(answer, Outcome):
                self.target.took(request, answer, self.cursor.links)
        return APPLIED

    @property
    def wire(self) -> Wire:
        """The connection, made when it is first needed."""
        if self._wire is None:
            self._wire = Wire(self.target.address, self.target.headers(self.target.key))
        return self._wire

    def _whether_it_arrived(self, post: Post) -> bool | Outcome:
        """Of a post that was on its way when last heard of. One that nobody can tell of is left to people,
        rather than said twice."""
        supports = self.target.supports
        why = "it may have arrived or not, and can't be asked for"
        if supports.read_back:
            found = self.target.has_result(self.wire, post)
            if not isinstance(found, Outcome) or found.kind is not Kind.REJECTED or found.all:
                return found
            why = f"it may have arrived or not: {found.why}"
        if supports.idempotent:
            return False
        self._review(post.id, "a result", why, post)
        return True

    def _settled(self, step: Step) -> None:
        step.settle()
        cursor, report = self.cursor, self.report
        cursor.attempts, cursor.next_attempt, cursor.asked_to_wait = 0, None, False
        report.sent += 1
        report.results += step.post is not None
        report.tokens += step.id.startswith(("token:", "remove:"))
        self._save()

    def _rejected(self, step: Step, outcome: Outcome) -> None:
        """The target doesn't take it and never will: put it up for review and go on with the rest."""
        self._review(step.id, step.words(), self.target.redacted(outcome.why), step.post)
        if step.digest:
            self.cursor.refused[step.id] = step.digest
        else:
            step.settle()
        self._save()

    def _review(self, id: str, summary: str, why: str, post: Post | None) -> None:
        self.cursor.note(id, summary, why, seq=self.cursor.acknowledged, result=post.result if post else None)


# What the command line asks for


def push(folder: Path, settings: Settings, patience: Patience = PUSH, wait_for_other: float = 3.0) -> Report:
    """Deliver all that there is to one target. What goes wrong is in the report; nothing is raised.

    Where another worker is at it, see for `wait_for_other` seconds whether that one gets through.
    """
    report = Report(settings.name)
    try:
        report = Worker(folder, make_target(folder, settings), patience).drain()
        if report.busy:
            _watch(folder, report, wait_for_other)
    except Problem as problem:
        report.error, report.hint = problem.message, problem.hint
        _remember(folder, settings.name, problem.message)
    except OSError as error:
        report.error = str(error)
    return report


def follow(
    folder: Path,
    settings: Settings,
    stop: threading.Event,
    on_change: Callable[[Report], None] = lambda report: None,
) -> Report:
    """Deliver to one target until `stop` is set, from a thread of its own. `on_change` is told when it fails
    and when it is well again. Returns early, with an error, where somebody must mend something."""
    report = Report(settings.name)
    try:
        return Worker(folder, make_target(folder, settings), FOLLOW, stop=stop, on_change=on_change).follow()
    except Problem as problem:
        report.error, report.hint = problem.message, problem.hint
    except OSError as error:
        report.error = str(error)
    return report


def sync(folder: Path, settings: Settings) -> Report:
    """Forget what the target acknowledged of scene, tokens and order, and send all of it. A worker that is
    already at it does so in our place."""
    marker = bridge_file(folder, settings.name, ".sync")
    try:
        marker.parent.mkdir(exist_ok=True)
        marker.touch()
    except OSError as error:
        raise CampaignProblem(
            f"{marker} can't be written: {error.strerror}.", "Check its permissions."
        ) from None
    return push(folder, settings)


def dry_run(folder: Path, settings: Settings) -> list[dict[str, Any]]:
    """The requests that `push` would make if all went well, without keys. Raises Problem."""
    target = make_target(folder, settings, with_key=False)
    shown = []
    for step in Worker(folder, target).plan():
        for request in step.requests:
            headers = target.headers(HIDDEN_KEY)
            if request.key:
                headers["idempotency-key"] = request.key
            shown.append(
                {
                    "method": request.method,
                    "url": target.address + request.path,
                    "headers": headers,
                    "body": request.body,
                }
            )
    return shown


def diff(folder: Path, settings: Settings) -> list[dict[str, Any]]:
    """Where the target's tokens differ from the state: {id, field, ours, theirs}. Changes nothing.

    Raises BridgeProblem where it can't be asked.
    """
    theirs = read_back(folder, settings)
    cursor = open_cursor(folder, settings.name)
    now = Record(folder).read(cursor.position, cursor.acknowledged).now
    ours = project(now, with_hidden=make_target(folder, settings).supports.hidden).tokens
    drift = []
    for id in [*ours, *(id for id in theirs if id not in ours)]:
        if id not in ours or id not in theirs:
            drift.append({"id": id, "field": "", "ours": ours.get(id), "theirs": theirs.get(id)})
            continue
        for field, value in ours[id].items():
            if theirs[id].get(field) != value:
                drift.append({"id": id, "field": field, "ours": value, "theirs": theirs[id].get(field)})
    return drift


def read_back(folder: Path, settings: Settings) -> dict[str, Payload]:
    """The tokens as the target has them, by our ids. Raises BridgeProblem where it can't be asked."""
    target = make_target(folder, settings)
    if not target.supports.read_back:
        raise BridgeProblem(
            f"{settings.name} can't be asked what it shows.", "`strike bridge sync` sends it all."
        )
    with contextlib.closing(Wire(target.address, target.headers(target.key))) as wire:
        theirs = target.read_tokens(wire)
    if isinstance(theirs, Outcome):
        raise BridgeProblem(f"{settings.name}: {target.redacted(theirs.why)}.", "Is it running?")
    return theirs


def resend(folder: Path, settings: Settings, id: str) -> None:
    """Send once more what is up for review, whatever became of it before. Raises Usage or BridgeProblem."""
    worker = Worker(folder, make_target(folder, settings))
    with _alone(folder, settings.name):
        cursor = worker.cursor = open_cursor(folder, settings.name)
        item = next((item for item in cursor.review if item["id"] == id), None)
        if item is None:
            raise Usage(
                f"There is no {id!r} to review.", f"Known: {listed(item['id'] for item in cursor.review)}."
            )
        if "result" in item:
            post = Post(id, item["result"])
            try:
                outcome = worker._send(worker.target.send_result(post))
            finally:
                worker._hang_up()
            if outcome.kind is not Kind.APPLIED:
                why = worker.target.redacted(outcome.why)
                raise BridgeProblem(f"{settings.name} did not take {id}: {why}.", "It stays up for review.")
        cursor.refused.pop(id, None)
        cursor.forget_review(id)
        cursor.save(folder)


def drop(folder: Path, settings: Settings, id: str) -> None:
    """Give up what is up for review, or a result that is still waiting. Raises Usage or BridgeProblem."""
    waiting = [
        step.id for step in Worker(folder, make_target(folder, settings, with_key=False)).plan() if step.post
    ]
    with _alone(folder, settings.name):
        cursor = open_cursor(folder, settings.name)
        known = [item["id"] for item in cursor.review]
        if id in known:
            cursor.forget_review(id)
        elif id in waiting:
            cursor.skip.append(id)
        else:
            raise Usage(f"There is no {id!r} to drop.", f"Known: {listed([*known, *waiting])}.")
        cursor.save(folder)


def is_running(folder: Path, name: str) -> bool:
    """Whether a worker is at it now."""
    return is_held(bridge_file(folder, name, ".lock"))


@contextlib.contextmanager
def _alone(folder: Path, name: str) -> Iterator[None]:
    """Hold a target's lock for the block. Raises BridgeProblem where a worker has it."""
    with held(bridge_file(folder, name, ".lock"), wait=2.0) as had:
        if not had:
            raise BridgeProblem(
                f"Another worker is delivering to {name}.", "End it (`strike bridge run`), then try again."
            )
        yield


def _watch(folder: Path, report: Report, seconds: float) -> None:
    """Another worker has the lock: see how it fares."""
    record, deadline = Record(folder), time.monotonic() + seconds
    while True:
        cursor = open_cursor(folder, report.target)
        report.lag = record.count_after(cursor.position, cursor.acknowledged)
        report.error, report.next_attempt = cursor.last_error, cursor.next_attempt
        waiting = bridge_file(folder, report.target, ".sync").exists()
        if (report.lag == 0 and not waiting) or cursor.last_error or time.monotonic() > deadline:
            return
        time.sleep(0.05)


def _remember(folder: Path, name: str, why: str) -> None:
    """Leave an error where `status` finds it: a worker that a command left behind has nobody to tell."""
    try:
        with held(bridge_file(folder, name, ".lock")) as had:
            if had:
                cursor = open_cursor(folder, name)
                cursor.last_error = why
                cursor.save(folder)
    except (Problem, OSError):
        return
