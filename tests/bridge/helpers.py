"""What tests of several kinds of target do: deliver with little patience, link tokens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.evening import Evening

from strike_bridge.delivery_cursor import Cursor, load_or_make_cursor
from strike_bridge.delivery_operations import push
from strike_bridge.http_conversation import Wire
from strike_bridge.settings import Settings
from strike_bridge.worker import DeliveryReport, Patience

HASTY = Patience(5.0, 0.05, at_once=True)


def told(evening: Path | Evening, settings: Settings) -> DeliveryReport:
    """A push that must go through."""
    report = push(evening if isinstance(evening, Path) else evening.folder, settings, HASTY)
    assert not report.error, report.error
    assert report.lag == 0
    return report


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


def killed_once_answered(folder: Path, settings: Settings) -> None:
    """A push that is killed when its first request has been answered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Wire, "send", mortal(2)(Wire.send))
        with pytest.raises(Killed):
            push(folder, settings, HASTY)


def link(folder: Path, settings: Settings, **links: str) -> None:
    """Our ids to theirs, as `strike bridge link` has them."""
    cursor = load_or_make_cursor(folder, settings.name)
    cursor.links.update({ours.replace("_", "-"): theirs for ours, theirs in links.items()})
    cursor.save(folder)


def cursor_of(folder: Path, settings: Settings) -> Cursor:
    """How far a target has been told."""
    cursor = Cursor.load(folder, settings.name)
    assert cursor is not None
    return cursor


def everything_kept(folder: Path) -> str:
    """All that stands in the campaign's files."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return "".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


SECRET_PICK = "reckless-effort"


def council(pick: str = SECRET_PICK) -> dict[str, Any]:
    """A Team Conflict's table in the state, with what the opposition picked in secret."""
    return {
        "id": "council",
        "name": "Before the Council",
        "round": 2,
        "ours": {
            "name": "The team",
            "intent": "Relight the road",
            "team": ["vex", "odo"],
            "strikes": 1,
            "traits": ["Friends"],
            "actions": {"vex": {"action": "progress"}},
        },
        "theirs": {
            "name": "The Company",
            "intent": "Buy the road",
            "team": [],
            "advance": 3,
            "defense": 3,
            "strikes": 0,
            "traits": [],
            "opposition": {"action": pick},
        },
    }


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
