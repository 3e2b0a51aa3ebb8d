"""Ctrl-C at every point where a command touches the disk: it is recorded whole or not at all, and what is
said about it is true."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaign.befall import Befall, interrupt
from campaign.conftest import Said, Strike
from campaign.evening import (
    contents,
    copied,
    edit_state,
    entries,
    faults_found,
    fold,
    timeless,
    torn,
    written_state,
)
from support.thorough import EVERY, some_numbers

from strike_cli.campaign import Campaign, file_access


def _interrupted(
    strike: Strike, folder: Path, words: str, tmp_path: Path, every: int = EVERY
) -> Iterator[tuple[str, Path, Said]]:
    """The command on a copy for some points, with Ctrl-C there: the point, the copy, and what was said."""
    for number in some_numbers(len(words), every):
        copy = tmp_path / "copy"
        copied(folder, copy)
        with Befall(copy, number, interrupt) as befall:
            said = strike(words, copy)
        if not befall.struck:
            assert number > 4
            return
        yield befall.struck, copy, said
        shutil.rmtree(copy)


COMMANDS = {
    "command": "combat damage vex 1",
    "undo": "undo 2",
    "choose": "choose learn",
    "pending": "roll skill brann Climbing --dice 6",
}


@pytest.mark.parametrize("case", COMMANDS)
def test_a_command_is_recorded_whole_or_not_at_all(
    case: str, played: Path, strike: Strike, tmp_path: Path
) -> None:
    _check_every_point(strike, played, COMMANDS[case], tmp_path)


@pytest.mark.parametrize("words", ["roll die", "session start"])
def test_a_first_command_is_recorded_whole_or_not_at_all(
    words: str, folder: Path, strike: Strike, tmp_path: Path
) -> None:
    _check_every_point(strike, folder, words, tmp_path)


@pytest.mark.slow
def test_a_hand_edit_is_recorded_whole_or_not_at_all(played: Path, strike: Strike, tmp_path: Path) -> None:
    edit_state(played, 'name = "The Ford"', 'name = "The Shallows"')
    had = len(entries(played))
    seen = set()
    for at, copy, _ in _interrupted(strike, played, "roll die", tmp_path, every=1):
        seen.add(len(entries(copy)) - had)
        with Campaign(copy) as campaign:
            assert campaign.state["fight"]["name"] == "The Shallows", at
        assert not torn(copy)
        assert strike("roll die", copy).code == 0
        assert faults_found(copy) == []
    assert seen == {0, 1, 2}


def _check_every_point(strike: Strike, folder: Path, words: str, tmp_path: Path) -> None:
    whole = shutil.copytree(folder, tmp_path / "whole")
    assert strike(words, whole).code in (0, 6)
    had, could, before = entries(folder), entries(whole), contents(folder)
    for at, copy, said in _interrupted(strike, folder, words, tmp_path):
        found = entries(copy)
        assert timeless(found) in (timeless(had), timeless(could)), at
        assert not torn(copy), at
        if len(found) == len(had):
            assert said.code == 130, at
            assert contents(copy) == before, at
        else:
            assert written_state(copy) == fold(found), at
        assert strike("roll die", copy).code == 0, at
        assert faults_found(copy) == [], at


@pytest.mark.parametrize("words", ["roll die", "combat damage vex 1", "undo"])
def test_what_is_said_after_it_is_true(words: str, played: Path, strike: Strike, tmp_path: Path) -> None:
    strike("choose bonus")
    had = len(entries(played))
    for at, copy, said in _interrupted(strike, played, words, tmp_path):
        recorded = len(entries(copy)) > had
        assert said.code in ((0, 130) if recorded else (130,)), at
        assert not (recorded and "nothing was changed" in said.err.lower()), at


def test_a_script_stops_and_keeps_what_it_answered(played: Path, strike: Strike, tmp_path: Path) -> None:
    strike("choose bonus")
    script = tmp_path / "prep.strike"
    script.write_text("roll die\n" * 4)
    had = len(entries(played))
    for at, copy, said in _interrupted(strike, played, f"batch {script} --json", tmp_path):
        answered = said.out.count('"ok": true')
        assert answered <= len(entries(copy)) - had <= answered + 1, at
        assert not torn(copy), at
        assert said.code == 130, at
        assert strike("roll die", copy).code == 0
        assert faults_found(copy) == []


def test_a_file_that_was_broken_off_is_closed_and_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else Windows would let nobody replace it for as long as a shell goes on."""
    closed: list[int] = []
    close = os.close
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: signal.raise_signal(signal.SIGINT))
        patch.setattr(os, "close", lambda file: (closed.append(file), close(file)))
        with pytest.raises(KeyboardInterrupt):
            file_access.write_new_synced_file(tmp_path / "state", b"half")
    assert len(closed) == 1
    assert not (tmp_path / "state").exists()


def test_waiting_for_the_lock_can_be_broken_off(
    played: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(played)
    with Campaign(played, writing=True), monkeypatch.context() as patch:
        patch.setattr(file_access.time, "sleep", lambda seconds: signal.raise_signal(signal.SIGINT))
        said = strike("roll die")
    assert said.code == 130
    assert contents(played) == before
    assert strike("choose bonus").code == 0
