"""What tests of several kinds of target do: deliver with little patience, link tokens."""

from __future__ import annotations

import json
import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.evening import Evening
from support.hasty_servers import end_at_once

from strike_bridge.delivery_record import Cursor, load_or_make_cursor
from strike_bridge.http_conversation import Wire
from strike_bridge.journal_reader import JournalReader
from strike_bridge.push_follow_and_sync import deliver_until_stopped, push
from strike_bridge.settings import Settings
from strike_bridge.state_projection import ShownTable, project_state
from strike_bridge.target_differences import diff_target
from strike_bridge.targets import make_target_checking_consent
from strike_bridge.targets.base import Target
from strike_bridge.worker import DeliveryReport, Patience
from strike_cli.campaign.journal import START
from strike_cli.cli.app import run_command_line_or_complete
from strike_table.serve import serve

from .servers.base import Fault, Handler, answers, applies_and, cut_short, drops, html
from .servers.table import KEY

HASTY = Patience(5.0, 0.05, at_once=True)


def told(evening: Path | Evening, settings: Settings) -> DeliveryReport:
    """A push that must go through."""
    report = push(folder_of(evening), settings, HASTY)
    assert not report.error, report.error
    assert report.lag == 0
    return report


def told_whole(evening: Evening, settings: Settings, patience: Patience = HASTY) -> DeliveryReport:
    """A push that must go through, with nothing left for people to judge."""
    report = push(evening.folder, settings, patience)
    assert (report.error, report.lag, report.review) == ("", 0, 0), cursor_of(evening, settings).review
    return report


class Told(Evening):
    """An evening, and whom it is told to: a server, and the settings of its target."""

    server: Any
    settings: Settings

    def tell(self, server: Any, settings: Settings) -> Told:
        self.server, self.settings = server, settings
        return self

    def told(self, **changed: Any) -> DeliveryReport:
        """A push that must go through, by settings of which some are changed."""
        return told(self, self.settings._replace(**changed))

    def push(self, patience: Patience = HASTY, **how: Any) -> DeliveryReport:
        return push(self.folder, self.settings, patience, **how)

    @property
    def cursor(self) -> Cursor:
        return cursor_of(self, self.settings)

    @property
    def drift(self) -> list[dict[str, Any]]:
        """How its tokens there differ."""
        return diff_target(self.folder, self.settings)


class ToldWhole(Told):
    """The same, where nothing is left for people to judge."""

    def told(self, **changed: Any) -> DeliveryReport:
        return told_whole(self, self.settings._replace(**changed))

    @property
    def world(self) -> Any:
        """What there is in its one Foundry."""
        return self.server.world


def point_at(evening: Evening, url: str) -> None:
    """Let the evening's target, the table, be at this address."""
    evening.edit("http://127.0.0.1:4747", url)


def folder_of(evening: Path | Evening) -> Path:
    return evening if isinstance(evening, Path) else evening.folder


def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait for something that is to happen in another thread or process."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.005)


class Hurried(threading.Event):
    """Whoever waits for this looks again soon."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(0.01 if timeout is None else min(timeout, 0.01))


class Followed:
    """A campaign that is followed in a thread, and what was said of it."""

    def __init__(self, evening: Evening, settings: Settings) -> None:
        self.said: list[str] = []
        self.stop = Hurried()
        self.thread = threading.Thread(
            target=lambda: deliver_until_stopped(
                evening.folder, settings, self.stop, lambda report: self.said.append(report.error)
            )
        )

    def __enter__(self) -> Followed:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join(60)
        assert not self.thread.is_alive()


class Typed:
    """Types `strike bridge ...` in an evening's folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def __call__(self, line: str, code: int | None = 0) -> str:
        return self.strike(f"bridge {line}", code)

    def strike(self, line: str, code: int | None = 0) -> str:
        """Type any other command; what it says."""
        ended = run_command_line_or_complete(["-C", str(self.folder), *line.split()])
        said = "".join(self.capsys.readouterr())
        assert code is None or ended == code, f"`{line}` ended with {ended}:\n{said}"
        assert KEY not in said
        return said

    def set_targets(self, text: str) -> None:
        """Give the campaign these targets."""
        file = self.folder / "campaign.toml"
        file.write_text(file.read_text("utf-8").partition("[bridge.targets.")[0] + text, "utf-8")

    def json(self, line: str, code: int = 0) -> Any:
        return json.loads(self(f"{line} --json", code))


@contextmanager
def served(data: Path) -> Iterator[str]:
    """The table that comes with strike, on a free port: its address."""
    stop, addresses = threading.Event(), queue.Queue[str]()
    thread = threading.Thread(target=lambda: serve(data, KEY, port=0, on_ready=addresses.put, stop=stop))
    with pytest.MonkeyPatch.context() as patch:
        end_at_once(patch)
        thread.start()
        try:
            yield addresses.get(timeout=60)
        finally:
            stop.set()
            thread.join(60)


@contextmanager
def wired(target: Target) -> Iterator[Wire]:
    """What a target's own questions go through."""
    with closing(Wire(target.address, target.prepare)) as wire:
        yield wire


def without_key(evening: Path | Evening, settings: Settings) -> Target:
    """A target as it is made to look at it: what it is made of was checked."""
    return make_target_checking_consent(folder_of(evening), settings, with_key=False)


def state_of(evening: Path | Evening) -> dict[str, Any]:
    """What the journal has come to."""
    return JournalReader(folder_of(evening)).read_backlog(START, 0).now


def shown_of(evening: Path | Evening, **audience: Any) -> ShownTable:
    """What of it is for tabletops."""
    return project_state(state_of(evening), **audience)


FAULTS: list[Fault] = [
    answers(500), answers(408), answers(429), drops, html(502), applies_and(drops),
    applies_and(answers(408)), applies_and(html(500)), applies_and(cut_short),
]  # fmt: skip


def storm(rng: random.Random) -> Fault:
    """Three in ten requests fail, each time in another way."""
    return lambda handler: (rng.choice(FAULTS) if rng.random() < 0.3 else Handler.apply)(handler)


class Killed(BaseException):
    """The end of a process: nobody catches it."""


def mortal(
    events: int, end: type[BaseException] = Killed
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Wraps functions of a process that ends at its n-th event: each call has one before and one after."""
    left = [events]

    def event() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise end

    def wrap(does: Callable[..., Any]) -> Callable[..., Any]:
        def do(*args: Any, **named: Any) -> Any:
            event()
            came = does(*args, **named)
            event()
            return came

        return do

    return wrap


def killed_once_answered(evening: Path | Evening, settings: Settings) -> None:
    """A push that is killed when its first request has been answered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Wire, "send", mortal(2)(Wire.send))
        with pytest.raises(Killed):
            push(folder_of(evening), settings, HASTY)


def link(evening: Path | Evening, settings: Settings, **links: str) -> None:
    """Our ids to theirs, as `strike bridge link` has them."""
    cursor = load_or_make_cursor(folder_of(evening), settings.name)
    cursor.links.update({ours.replace("_", "-"): theirs for ours, theirs in links.items()})
    cursor.save(folder_of(evening))


def cursor_of(evening: Path | Evening, target: Settings | str) -> Cursor:
    """How far a target has been told."""
    cursor = Cursor.load(folder_of(evening), target if isinstance(target, str) else target.name)
    assert cursor is not None
    return cursor


def everything_kept(evening: Path | Evening) -> str:
    """All that stands in the campaign's files."""
    files = [path for path in folder_of(evening).rglob("*") if path.is_file()]
    return "".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


SECRET_PICK = "reckless-effort"


def council(pick: str = SECRET_PICK) -> dict[str, Any]:
    """A Team Conflict's table in the state, with what the opposition picked in secret."""
    ours = {"name": "The team", "intent": "Relight the road", "team": ["vex", "odo"], "strikes": 1}
    ours |= {"traits": ["Friends"], "actions": {"vex": {"action": "progress"}}}
    theirs = {"name": "The Company", "intent": "Buy the road", "team": [], "strikes": 0, "advance": 3}
    theirs |= {"defense": 3, "traits": [], "opposition": {"action": pick}}
    return {"id": "council", "name": "Before the Council", "round": 2, "ours": ours, "theirs": theirs}


def asked(**changes: Any) -> dict[str, Any]:
    """A pending decision of the state, which names somebody hidden."""
    return {
        "command": "roll skill",
        "who": "vex",
        "what": "cost",
        "options": ["flaw", "favor", "lurker"],
        "labels": ["a Flaw makes trouble", "somebody is owed", "the Reed Lurker comes"],
        "said": ["Vex rolls Climbing: 3.", "The Reed Lurker hears it."],
        **changes,
    }
