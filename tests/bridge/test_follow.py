"""Following a campaign outlives whatever can't be read at a moment: it says so, tries again, and says when it
is well. Where it ends, so does the command, with a message."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from support.evening import Evening
from support.thorough import few_of, some_of

from strike_bridge import journal_reader, push_follow_and_sync, worker
from strike_bridge.delivery_record import Cursor
from strike_bridge.journal_reader import JournalReader
from strike_bridge.settings import Settings, read_targets
from strike_cli.problems import CampaignProblem

from .helpers import Followed, point_at, until
from .servers.table import BadTable

TROUBLE: dict[str, Exception] = {
    "too many files": OSError(errno.EMFILE, os.strerror(errno.EMFILE)),
    "a bad disk": OSError(errno.EIO, os.strerror(errno.EIO)),
    "a campaign": CampaignProblem("state.toml can't be read.", "`strike doctor` checks it."),
    "a mistake of ours": KeyError("nobody"),
}
PLACES: dict[str, tuple[Any, str]] = {
    "looking": (JournalReader, "stamp"),
    "reading": (JournalReader, "read_backlog"),
    "the state": (journal_reader, "read_state"),
    "the cursor": (Cursor, "save"),
    "the lock": (worker, "try_to_hold_lock"),
    "the settings": (push_follow_and_sync, "make_target_checking_consent"),
}


EVERYWHERE = [(place, trouble) for at, place in enumerate(PLACES) for trouble in some_of(TROUBLE, first=at)]
"""Everyday each place has one trouble or two, and each trouble its places."""


@pytest.mark.parametrize(("place", "trouble"), few_of(EVERYWHERE, 5))
def test_it_outlives_an_unreadable_moment(
    fight: Evening, bad_table: BadTable, settings: Settings, monkeypatch: pytest.MonkeyPatch,
    place: str, trouble: str,
) -> None:  # fmt: skip
    """Wherever it strikes, and whatever it is."""
    owner, name = PLACES[place]
    whole = getattr(owner, name)
    wrong = threading.Event()

    def struck(*args: Any, **named: Any) -> Any:
        if wrong.is_set():
            raise TROUBLE[trouble]
        return whole(*args, **named)

    monkeypatch.setattr(owner, name, struck)
    with Followed(fight, settings) as followed:
        until(lambda: len(bad_table.results) == 2)
        wrong.set()
        if place in ("the settings", "the lock"):  # which are looked at anew only when they were edited
            os.utime(fight.folder / "campaign.toml", ns=(1, 1))
        else:
            fight.roll(4)
        until(lambda: followed.said)
        time.sleep(0.15)
        assert len(followed.said) == 1, "it is said once"
        assert followed.said[0]
        if trouble == "a mistake of ours":
            assert re.fullmatch(r"the bridge failed \(KeyError, \w+\.py:\d+\)", followed.said[0])
        wrong.clear()
        until(lambda: followed.said[-1] == "")
        fight.roll(5)
        until(lambda: bad_table.texts()[-1].endswith("5."))
        assert len(followed.said) == 2


def test_it_begins_in_an_unreadable_moment(
    fight: Evening, bad_table: BadTable, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = fight.folder / "campaign.toml"
    text = file.read_text("utf-8")
    file.write_text("half [", "utf-8")
    with Followed(fight, settings):
        until(lambda: len(bad_table.results) == 2)
        file.write_text(text, "utf-8")
        fight.roll(4)
        until(lambda: len(bad_table.results) == 3)


def test_an_address_of_its_own_is_kept_when_the_campaign_is_edited(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    """`strike table --port 8000` goes on to that one."""
    written = read_targets(fight.folder)["table"]
    assert written.url != bad_table.url
    with Followed(fight, written._replace(url=bad_table.url)) as followed:
        until(lambda: len(bad_table.results) == 2)
        fight.edit('kind = "table"\n', 'kind = "table"\nhp = "bar"\n')
        until(lambda: bad_table.tokens["goblin-1"]["hp_shown"] == "bar")
        assert followed.said == []


def test_an_edit_of_an_included_file_counts(fight: Evening, bad_table: BadTable, settings: Settings) -> None:
    file, included = fight.folder / "campaign.toml", fight.folder / "targets.toml"
    head, mark, rest = file.read_text("utf-8").partition("[bridge.targets.table]")
    included.write_text(mark + rest, "utf-8")
    file.write_text(f'include = ["targets.toml"]\n{head}', "utf-8")
    with Followed(fight, settings):
        until(lambda: len(bad_table.results) == 2)
        text = included.read_text("utf-8").replace('kind = "table"\n', 'kind = "table"\nhp = "bar"\n')
        included.write_text(text, "utf-8")
        until(lambda: bad_table.tokens["goblin-1"]["hp_shown"] == "bar")


def begun(evening: Evening, *command: str) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    words = [sys.executable, "-m", "strike_cli", "-C", str(evening.folder), *command]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize("command", [["table", "--port", "0"], ["bridge", "run"]])
def test_where_it_ends_the_command_ends_with_a_message(
    evening: Evening, bad_table: BadTable, command: list[str]
) -> None:
    point_at(evening, bad_table.url)
    process = begun(evening, *command)
    try:
        assert process.stdout is not None
        assert process.stdout.readline()
        evening.roll(4)
        until(lambda: (evening.folder / "bridge" / "table.json").exists())
        evening.set_targets("")
        said, complaint = process.communicate(timeout=60)
    finally:
        process.send_signal(signal.SIGKILL)
    assert process.returncode == 5
    assert "it is no longer in campaign.toml" in complaint
    assert "Traceback" not in said + complaint


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_the_table_says_what_is_wrong_with_the_campaign_and_when_it_is_well(fight: Evening) -> None:
    """On the terminal of `strike table`, where nothing was said before."""
    process = begun(fight, "table", "--port", "0")
    said: list[str] = []
    assert process.stdout is not None
    lines = process.stdout
    reading = threading.Thread(target=lambda: said.extend(lines))
    try:
        reading.start()
        until(lambda: said)
        until(lambda: (fight.folder / "bridge" / "table.json").exists())
        state = fight.folder / "state.toml"
        whole = state.read_text("utf-8")
        state.write_text("half [", "utf-8")
        until(lambda: any("state.toml" in line for line in said))
        state.write_text(whole, "utf-8")
        until(lambda: any("it answers again" in line for line in said))
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(60)
        reading.join(60)
        assert process.stderr is not None
        complaint = process.stderr.read()
        process.stdout.close()
        process.stderr.close()
    assert (code, complaint) == (0, "")


def test_a_folder_is_told_by_its_path(tmp_path: Path) -> None:
    """A campaign that is gone altogether is an unreadable moment too."""
    evening = Evening(tmp_path / "gone")
    evening.start()
    settings = Settings("table", "table", "http://127.0.0.1:9")
    with Followed(evening, settings) as followed:
        until(lambda: followed.said)
        evening.folder.rename(tmp_path / "elsewhere")
        time.sleep(0.15)
        assert followed.thread.is_alive()
