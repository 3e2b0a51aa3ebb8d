"""Several commands at once on one campaign: none lost, none mixed up, readers never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaign.conftest import Strike, refused
from campaign.evening import contents, entries, faults_found, fold, torn, written_state
from support.thorough import THOROUGH

from strike_cli.campaign import Campaign, file_access
from strike_cli.problems import CampaignProblem

HERE = Path(__file__).parent
EACH = 200 if THOROUGH else 60
"""Commands of each of two processes."""


def _started(*words: str) -> subprocess.Popen[str]:
    env = os.environ | {"PYTHONPATH": str(HERE.parent)}
    return subprocess.Popen(
        [sys.executable, *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_two_processes_with_many_commands_each_lose_none(folder: Path) -> None:
    script = str(HERE / "commits.py")
    running = [_started(script, str(folder), who, str(EACH)) for who in ("ana", "jonas")]
    for process in running:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    found = entries(folder)
    assert [entry["seq"] for entry in found] == list(range(1, 2 * EACH + 1))
    assert {entry["n"] for entry in found} == {0}, "none has asked for dice"
    by_whom = [entry["args"]["why"] for entry in found]
    for who in ("ana", "jonas"):
        assert [why for why in by_whom if why.startswith(who)] == [f"{who} {n}" for n in range(1, EACH + 1)]
    assert written_state(folder) == fold(found) == {"characters": {"vex": {"ap": 2 * EACH}}}
    assert not torn(folder)
    assert faults_found(folder) == []


@pytest.mark.slow
def test_real_commands_at_once_lose_none(folder: Path) -> None:
    words = ["-m", "strike_cli", "-C", str(folder), "roll", "die", "2d6", "--json"]
    running = [_started(*words) for _ in range(4)]
    for process in running:
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    assert [entry["seq"] for entry in entries(folder)] == list(range(1, 5))
    assert faults_found(folder) == []


@pytest.fixture
def held(folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch) -> Iterator[Campaign]:
    """A campaign that has been played, and that another command is writing to for a long time."""
    for words in ("session start", "combat start ford", "roll skill vex Hauling --dice 6"):
        assert strike(words).code in (0, 6)
    monkeypatch.setattr(file_access, "LOCK_WAIT", 0.05)
    with Campaign(folder, writing=True) as campaign:
        yield campaign


def test_a_second_writer_waits_then_says_so_and_changes_nothing(
    held: Campaign, folder: Path, strike: Strike
) -> None:
    for words in ("roll die", "undo", "redo", "choose learn", "override session.title x --why y"):
        error = refused(strike, folder, words, "Another strike command", str(folder), hint="try again")
        assert "Nothing was changed" in error["hint"]


def test_a_writer_goes_on_as_soon_as_the_other_is_done(
    held: Campaign, folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_access, "LOCK_WAIT", 10.0)
    threading.Timer(0.05, held.close).start()
    assert strike("roll die").code == 0


def test_readers_are_never_blocked(held: Campaign, folder: Path, strike: Strike) -> None:
    before = contents(folder)
    for words in ("status", "log", "doctor", "combat map", "replay --verify", "roll die --dry-run"):
        assert strike(words).code == 0, words
    assert contents(folder) == before


def test_a_refused_command_lets_go_of_the_lock(folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(file_access, "LOCK_WAIT", 0.05)
    for words in ("undo", "session end", "combat finish", "roll die --dice 7", "override fight.x 1 --why y"):
        assert strike(words).code in (1, 2, 3)
    assert strike("roll die").code == 0
    (folder / "state.toml").write_text("this is [no TOML")
    assert strike("roll die").code == 3
    (folder / "state.toml").unlink()
    assert strike("roll die").code == 0


@pytest.mark.parametrize("first", ["roll die", "session start"])
def test_a_writer_that_no_lock_held_back_costs_nobody_a_line(
    first: str, folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a network drive that doesn't lock: who comes second is refused, and may try again."""
    from strike_cli.play.command_execution import PlaySettings, perform_command

    for words in ("session start", "session end"):
        strike(words)
    monkeypatch.setattr(file_access.Lock, "acquire", lambda lock: None)
    with Campaign(folder, writing=True) as late:
        assert strike(first).code == 0
        before = contents(folder)
        for _ in range(2):
            with pytest.raises(CampaignProblem, match="another program is writing"):
                perform_command(late, "roll die", {"n": 1, "sides": 6, "who": ""}, PlaySettings())
        assert contents(folder) == before
        late.reopen()
        assert perform_command(late, "roll die", {"n": 1, "sides": 6, "who": ""}, PlaySettings()).seq == 4
    assert faults_found(folder) == []


def test_the_doctor_is_not_confused_by_what_is_played_meanwhile(
    folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state is read first, the journal after it; a command between them is no difference."""
    strike("session start")
    fold_ = Campaign._replay_journal

    def late(campaign: Campaign, **until: int) -> object:
        monkeypatch.setattr(Campaign, "_replay_journal", fold_)
        assert strike("session end").code == 0
        return fold_(campaign, **until)

    monkeypatch.setattr(Campaign, "_replay_journal", late)
    assert faults_found(folder) == []
    assert len(entries(folder)) == 2


@pytest.mark.slow
def test_a_reader_sees_whole_commands_while_another_process_writes(folder: Path) -> None:
    process = _started(str(HERE / "commits.py"), str(folder), "ana", "30")
    seen = 0
    try:
        while process.poll() is None:
            with Campaign(folder) as campaign:
                assert campaign.head.seq >= seen
                seen = campaign.head.seq
                assert campaign.state.get("characters", {}).get("vex", {}).get("ap", 0) == seen
                assert len(campaign.notices) <= 1, campaign.notices
    finally:
        process.wait(timeout=60)
    assert process.returncode == 0
    assert len(entries(folder)) == 30
