"""What the command line asks of the bridge: deliver once, follow, send all again, settle what is in doubt."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from strike_cli.problems import BridgeProblem, CampaignProblem, Problem, Usage, listed

from .cursor import open_cursor
from .lock import held, is_held
from .outcome import Kind
from .record import Record
from .results import Post
from .settings import Settings, bridge_file
from .targets import make_target
from .worker import FOLLOW, PUSH, Patience, Report, Worker


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


def resend(folder: Path, settings: Settings, id: str) -> None:
    """Send once more what is up for review, whatever became of it before. Raises Usage or BridgeProblem."""
    worker = Worker(folder, make_target(folder, settings))
    with _alone(folder, settings.name):
        cursor = worker.open()
        item = next((item for item in cursor.review if item["id"] == id), None)
        if item is None:
            known = [item["id"] for item in cursor.review]
            raise Usage(f"There is no {id!r} to review.", f"Known: {listed(known)}.")
        if "result" in item:
            outcome = worker.post_once(Post(id, item["result"]))
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
