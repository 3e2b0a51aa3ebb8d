"""A target's file over a power cut: what was not synced is gone, or stands there empty; nothing is told twice
that must not be, nothing is left there that should not be, and who can be asked is."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.evening import Evening

from strike_bridge import targets, wire
from strike_bridge.cursor import LOST, Cursor, open_cursor
from strike_bridge.deliver import drop, push
from strike_bridge.settings import Settings, bridge_file
from strike_cli.problems import Problem

from .helpers import HASTY, cursor_of, told
from .servers.base import running
from .servers.inn import PASSWORD, Inn, InnTarget
from .servers.table import BadTable
from .test_storm import expected_posts, expected_tokens, play_on, posted, settings_of, shown

STRIDE = 1 if os.environ.get("STRIKE_THOROUGH") else 5
GARBAGE = {
    "empty": b"",
    "zeros": bytes(4000),
    "half": b'{"schema":1,"target":"he',
    "a list": b"[]",
    "no text": b"\xff\xfe\x00",
    "of nobody": b'{"schema":1}',
    "of another kind": b'{"schema":1,"target":"here","acknowledged":"two"}',
    "without a place": b'{"schema":1,"target":"here","position":[]}',
    "far too deep": b"[" * 100_000,
}


@pytest.fixture(autouse=True)
def _inns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRIKE_INN_PASSWORD", PASSWORD)
    for kind in ("InnTarget", "DeafInnTarget"):
        monkeypatch.setitem(targets.KINDS, kind, f"{InnTarget.__module__}:{kind}")


@pytest.fixture(params=["table", "inn"])
def server(request: pytest.FixtureRequest) -> Iterator[Any]:
    with running(BadTable() if request.param == "table" else Inn()) as up:
        yield up


class Cut(BaseException):
    """The power is cut: nobody catches it."""


class Disk:
    """What of a folder's files would be there after a power cut. The worst is taken: a file that was renamed
    without having been synced is empty, and nothing that was taken away is gone."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.lasting = {path: path.read_bytes() for path in folder.glob("*") if path.is_file()}
        fsync, replace = os.fsync, os.replace

        def synced(file: int) -> None:
            fsync(file)
            path = Path(os.readlink(f"/proc/self/fd/{file}"))
            if path.is_file():
                self.lasting[path] = path.read_bytes()

        def replaced(source: Any, target: Any) -> None:
            replace(source, target)
            self.lasting[Path(target)] = self.lasting.pop(Path(source), b"")

        patch.setattr(os, "fsync", synced)
        patch.setattr(os, "replace", replaced)

    def cut(self) -> None:
        """Come back with what lasts. Who created a file and never synced it finds it empty."""
        for path in list(self.folder.glob("*")):
            if path.suffix in (".json", ".lines"):
                path.write_bytes(self.lasting.get(path, b""))
        for path, content in self.lasting.items():
            if path.suffix == ".lines":
                path.write_bytes(content)


def cut_after(events: int, evening: Evening, settings: Settings) -> bool:
    """Push, with the power cut at the n-th moment before or after a request; whether it came to that."""
    left = [events]

    def event() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Cut

    send = wire.Wire.send

    def sent(*args: Any) -> Any:
        event()
        answer = send(*args)
        event()
        return answer

    (evening.folder / "bridge").mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        disk = Disk(evening.folder / "bridge", patch)
        patch.setattr(wire.Wire, "send", sent)
        try:
            push(evening.folder, settings, HASTY)
        except Cut:
            disk.cut()
            return True
    return False


linux = pytest.mark.skipif(sys.platform != "linux", reason="needs the names of open files")


@linux
@pytest.mark.parametrize("kind", [BadTable, Inn])
def test_the_power_may_be_cut_anywhere(evening: Evening, kind: type[Any]) -> None:
    """Who can be asked, or knows what comes twice, has everything once."""
    evening.start()
    play_on(evening, random.Random(5), 8)
    with running(kind()) as calm:
        expected = expected_posts(evening, calm)
    for events in itertools.count(1, STRIDE):
        shutil.rmtree(evening.folder / "bridge", ignore_errors=True)
        with running(kind()) as server:
            server.idempotent = True  # the real table knows a result by its id
            settings = settings_of(server)
            cut = cut_after(events, evening, settings)
            assert not push(evening.folder, settings, HASTY).error
            assert posted(server) == expected
            assert shown(server) == expected_tokens(evening)
        if not cut:
            break
    assert events > 5


@linux
def test_who_can_not_be_asked_is_told_at_most_once_over_a_power_cut(evening: Evening) -> None:
    evening.start()
    play_on(evening, random.Random(5), 8)
    with running(Inn()) as calm:
        expected = expected_posts(evening, calm)
    for events in itertools.count(1, STRIDE):
        shutil.rmtree(evening.folder / "bridge", ignore_errors=True)
        with running(Inn()) as inn:
            settings = settings_of(inn, "DeafInnTarget")
            cut = cut_after(events, evening, settings)
            assert not push(evening.folder, settings, HASTY).error
            review = {item["id"] for item in cursor_of(evening.folder, settings).review}
            found = posted(inn)
            assert len(set(found)) == len(found)
            assert set(expected) - set(found) <= review
            names = [token["name"] for token in inn.tokens.values()]
            assert len(set(names)) == len(names), "nor is a token made twice"
        if not cut:
            break


@linux
def test_what_was_told_before_a_power_cut_and_undone_after_it_is_taken_back(
    evening: Evening, server: Any
) -> None:
    evening.start()
    settings = settings_of(server)
    told(evening.folder, settings)
    for events in itertools.count(1):
        evening.move("vex", f"{'CDEFGH'[events % 6]}3")
        cut = cut_after(events, evening, settings)
        evening.undo()
        told(evening.folder, settings)
        assert shown(server) == expected_tokens(evening)
        if not cut:
            break
    assert events > 2


@pytest.mark.parametrize("what", GARBAGE)
def test_a_file_that_says_nothing_is_kept_aside_and_the_target_is_asked(
    evening: Evening, server: Any, what: str
) -> None:
    evening.start()
    for face in (1, 2, 3):
        evening.roll(face)
    settings = settings_of(server)
    told(evening.folder, settings)
    evening.roll(4)
    file = bridge_file(evening.folder, "here", ".json")
    file.write_bytes(GARBAGE[what])
    file.with_suffix(".lines").write_bytes(b"\0\n")
    with pytest.raises(Problem, match=r"here\.json can't be understood") as untold:
        open_cursor(evening.folder, "here")
    assert "bridge push here" in untold.value.hint
    told(evening.folder, settings)
    assert posted(server) == expected_posts(evening, server), "each once, in their order"
    assert shown(server) == expected_tokens(evening)
    (aside,) = (path for path in file.parent.glob("here.json.unreadable-*") if path.suffix != ".lines")
    assert aside.read_bytes() == GARBAGE[what]
    (note,) = cursor_of(evening.folder, settings).review
    assert note["id"] == LOST and aside.name in note["why"]
    drop(evening.folder, settings, LOST)
    evening.roll(5)
    assert told(evening.folder, settings).results == 1
    assert cursor_of(evening.folder, settings).review == []


def test_where_it_can_not_be_asked_what_it_may_have_been_told_is_reviewed(evening: Evening) -> None:
    evening.start()
    with running(Inn()) as inn:
        settings = settings_of(inn, "DeafInnTarget")
        told(evening.folder, settings)
        bridge_file(evening.folder, "here", ".json").write_bytes(b"")
        before = posted(inn)
        evening.roll(4)
        told(evening.folder, settings)
        assert posted(inn) == before
        review = {item["id"] for item in cursor_of(evening.folder, settings).review}
        assert {*before, "3"} <= review
        evening.roll(5)
        told(evening.folder, settings)
        assert posted(inn) == [*before, "4"], "what is new is told"


def test_a_cursor_of_a_newer_strike_is_left_alone(evening: Evening, settings: Settings) -> None:
    evening.start()
    told(evening.folder, settings)
    file = bridge_file(evening.folder, "table", ".json")
    newer = file.read_text("utf-8").replace('"schema":1', '"schema":99')
    file.write_text(newer, "utf-8")
    assert "newer strike" in push(evening.folder, settings).error
    assert file.read_text("utf-8") == newer
    assert Cursor.load(evening.folder, "nobody") is None
