"""A target's file over a power cut: what was not synced is gone, or stands there empty; nothing is told twice
that must not be, nothing is left there that should not be, and who can be asked is."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from campaign.powercut import Cut, Tape, lay_out
from support.evening import Evening
from support.thorough import few_of

from strike_bridge import credential_store, http_conversation
from strike_bridge.address import Origin
from strike_bridge.delivery_record import LOST_RECORD_ITEM, Cursor, load_or_make_cursor
from strike_bridge.dry_run import dry_run
from strike_bridge.push_follow_and_sync import drop_item_or_queued_result, push
from strike_bridge.settings import Settings, target_file_path
from strike_cli.campaign import Campaign
from strike_cli.campaign import campaign as campaign_module
from strike_cli.play.command_execution import PlaySettings, perform_command
from strike_cli.problems import Problem
from strike_table import schemas
from strike_table.table_store import TableStore

from .helpers import HASTY, cursor_of, mortal, told
from .servers.base import running
from .servers.inn import Inn
from .servers.table import BadTable
from .test_faulty_servers import expected_posts, expected_tokens, play_on, posted, settings_of, shown

STRIDE = 1 if os.environ.get("STRIKE_THOROUGH") else 9
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


def come_back(tape: Tape, which: int) -> None:
    """The folder as a power cut leaves it: with nothing that was not synced, or with some of it by chance."""
    *_, (_, disk) = tape.cuts()
    fates = list(disk.fates(random.Random(which), 3))
    _, fate = fates[which % len(fates)]
    again = tape.folder.with_name("again")
    lay_out(disk.left(fate), again, tape.folder)
    shutil.rmtree(tape.folder)
    again.rename(tape.folder)


def cut_after(events: int, evening: Evening, settings: Settings) -> bool:
    """Push, with the power cut at the n-th moment before or after a request; whether it came to that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_conversation.Wire, "send", mortal(events, Cut)(http_conversation.Wire.send))
        tape = Tape(evening.folder)
        try:
            with tape:
                push(evening.folder, settings, HASTY)
        except Cut:
            come_back(tape, events)
            return True
    return False


linux = pytest.mark.skipif(sys.platform == "win32", reason="looks at files by their number")


@linux
@pytest.mark.parametrize("kind", few_of([BadTable, Inn], 2))
def test_the_power_may_be_cut_anywhere(fight: Evening, kind: type[Any]) -> None:
    """Who can be asked, or knows what comes twice, has everything once."""
    play_on(fight, random.Random(5), 8)
    with running(kind()) as calm:
        expected = expected_posts(fight, calm)
    for events in itertools.count(1, STRIDE):
        shutil.rmtree(fight.folder / "bridge", ignore_errors=True)
        with running(kind()) as server:
            server.idempotent = True  # the real table knows a result by its id
            settings = settings_of(server)
            cut = cut_after(events, fight, settings)
            assert not push(fight.folder, settings, HASTY).error
            assert posted(server) == expected
            assert shown(server) == expected_tokens(fight)
        if not cut:
            break
    assert events > 5


@linux
def test_who_can_not_be_asked_is_told_at_most_once_over_a_power_cut(fight: Evening) -> None:
    play_on(fight, random.Random(5), 8)
    with running(Inn()) as calm:
        expected = expected_posts(fight, calm)
    for events in itertools.count(1, STRIDE):
        for folder in (fight.folder / "bridge", fight.folder.parent / "state"):
            shutil.rmtree(folder, ignore_errors=True)
        with running(Inn()) as inn:
            settings = settings_of(inn, "deaf-inn")
            cut = cut_after(events, fight, settings)
            assert not push(fight.folder, settings, HASTY).error
            review = {item["id"] for item in cursor_of(fight, settings).review}
            found = posted(inn)
            assert len(set(found)) == len(found)
            assert set(expected) - set(found) <= review
            names = [token["name"] for token in inn.tokens.values()]
            assert len(set(names)) == len(names), "nor is a token made twice"
        if not cut:
            break


@linux
def test_what_was_told_before_a_power_cut_and_undone_after_it_is_taken_back(
    fight: Evening, server: Any
) -> None:
    settings = settings_of(server)
    told(fight, settings)
    for events in itertools.count(1):
        fight.move("vex", f"{'CDEFGH'[events % 6]}3")
        cut = cut_after(events, fight, settings)
        fight.undo()
        told(fight, settings)
        assert shown(server) == expected_tokens(fight)
        if not cut:
            break
    assert events > 2


@pytest.mark.slow
@pytest.mark.parametrize("what", GARBAGE)
def test_a_file_that_says_nothing_is_kept_aside_and_the_target_is_asked(
    fight: Evening, server: Any, what: str
) -> None:
    for face in (1, 2, 3):
        fight.roll(face)
    settings = settings_of(server)
    told(fight, settings)
    fight.roll(4)
    file = target_file_path(fight.folder, "here", ".json")
    file.write_bytes(GARBAGE[what])
    file.with_suffix(".lines").write_bytes(b"\0\n")
    with pytest.raises(Problem, match=r"here\.json") as untold:
        load_or_make_cursor(fight.folder, "here")
    assert "bridge push here" in untold.value.hint
    told(fight, settings)
    assert posted(server) == expected_posts(fight, server), "each once, in their order"
    assert shown(server) == expected_tokens(fight)
    (aside,) = (path for path in file.parent.glob("here.json.unreadable-*") if path.suffix != ".lines")
    assert aside.read_bytes() == GARBAGE[what]
    (note,) = cursor_of(fight, settings).review
    assert note["id"] == LOST_RECORD_ITEM and aside.name in note["why"]
    drop_item_or_queued_result(fight.folder, settings, LOST_RECORD_ITEM)
    fight.roll(5)
    assert told(fight, settings).results == 1
    assert cursor_of(fight, settings).review == []


def test_where_it_can_not_be_asked_what_it_was_told_people_say_where_to_go_on(fight: Evening) -> None:
    with running(Inn()) as inn:
        settings = settings_of(inn, "deaf-inn")
        told(fight, settings)
        target_file_path(fight.folder, "here", ".json").write_bytes(b"")
        before = posted(inn)
        fight.roll(4)
        assert "--from" in push(fight.folder, settings, HASTY).hint
        assert posted(inn) == before
        assert not push(fight.folder, settings, HASTY, continue_from=-1).error
        assert posted(inn) == before
        fight.roll(5)
        told(fight, settings)
        assert posted(inn) == [*before, "4"], "what is new is told"


@linux
def test_what_would_be_told_is_read_and_nothing_else(fight: Evening, settings: Settings) -> None:
    """A dry run syncs nothing: it may be of a campaign that nobody may write to."""
    with Tape(fight.folder) as tape:
        assert dry_run(fight.folder, settings)
    assert tape.events == []


@linux
def test_what_a_script_has_played_is_told_only_once_it_lasts(
    evening: Evening, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bridge that follows tells lines of a script that are not synced yet. The power is cut; another thing
    is played in their place, and told under the same numbers: it must not be taken for what was told."""
    monkeypatch.setattr(campaign_module, "MAX_UNSYNCED_SECONDS", 3600.0)
    evening.start()
    settings = settings_of(server)
    told(evening, settings)
    tape = Tape(evening.folder)
    campaign = Campaign(evening.folder, writing=True)
    with tape, contextlib.suppress(Cut), campaign, campaign.keep_open():
        for face in (1, 2, 3):
            perform_command(
                campaign, "roll die", {"n": 1, "sides": 6, "who": "vex"}, PlaySettings(dice=[face])
            )
        told(evening, settings)
        monkeypatch.setattr(campaign, "_sync_after_script", lambda: None)
        raise Cut
    come_back(tape, 0)
    evening.roll(6)
    told(evening, settings)
    assert posted(server) == expected_posts(evening, server)
    with running(type(server)()) as calm:
        told_calmly = settings_of(calm)
        shutil.rmtree(evening.folder / "bridge")
        told(evening, told_calmly)
        assert summaries(server) == summaries(calm)


INN = Origin("https", "inn.example", 443)


@linux
def test_a_key_that_was_kept_is_there_after_a_power_cut(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With those that were kept before it, at every moment."""
    monkeypatch.setattr(credential_store, "_keyring_module", lambda: None)
    monkeypatch.delenv(credential_store.TABLE_KEY, raising=False)
    folder, kept, again = evening.folder, tmp_path / "kept" / "strike", tmp_path / "again" / "strike"
    monkeypatch.setenv("XDG_STATE_HOME", str(kept.parent))
    credential_store.store_key(folder, "here", "first-key", INN)
    with Tape(kept) as tape:
        credential_store.store_key(folder, "there", "second-key", INN)
        tape.mark("kept")
    chance = random.Random(7)
    monkeypatch.setenv("XDG_STATE_HOME", str(again.parent))
    again.parent.mkdir()
    for events, disk in tape.cuts():
        for _, fate in disk.fates(chance, 4):
            lay_out(disk.left(fate), again, kept)
            assert credential_store.read_and_bind_key(folder, "here", INN) == "first-key"
            if tape.marks(events):
                assert credential_store.read_and_bind_key(folder, "there", INN) == "second-key"


@linux
def test_what_the_table_has_acknowledged_is_there_after_a_power_cut(tmp_path: Path) -> None:
    """Every request that writes, on a disk that keeps only what was synced."""
    place = tmp_path / "campaign"
    place.mkdir()
    with Tape(place) as tape:
        table = TableStore(place / "bridge" / "table")
        for number in range(4):
            table.put_order(schemas.read_order({"round": number + 1, "entries": []}))
            tape.mark(number + 1)
        picture = bytes.fromhex("89504e470d0a1a0a")
        table.put_image(sha256(picture).hexdigest(), "image/png", picture)
        tape.mark("picture")
    chance = random.Random(3)
    for events, disk in tape.cuts():
        for _, fate in disk.fates(chance, 4):
            lay_out(disk.left(fate), tmp_path / "again", place)
            told = [mark for mark in tape.marks(events) if isinstance(mark, int)]
            kept = tmp_path / "again" / "bridge" / "table"
            order = TableStore(kept).everything.order
            assert (order["round"] if order else 0) >= max(told, default=0)
            if "picture" in tape.marks(events):
                assert (kept / "images" / sha256(picture).hexdigest()).read_bytes() == picture


def summaries(server: Any) -> list[str]:
    """What stands in each result, in their order."""
    lines = server.results if isinstance(server, BadTable) else server.chat
    return [str(line.get("summary", line)) for line in lines]


def test_a_cursor_of_a_newer_strike_is_left_alone(fight: Evening, settings: Settings) -> None:
    told(fight, settings)
    file = target_file_path(fight.folder, "table", ".json")
    newer = file.read_text("utf-8").replace('"schema":1', '"schema":99')
    file.write_text(newer, "utf-8")
    assert "newer strike" in push(fight.folder, settings).error
    assert file.read_text("utf-8") == newer
    assert Cursor.load(fight.folder, "nobody") is None
