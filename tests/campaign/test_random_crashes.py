"""Random evenings that are merged by a real git, killed and starved of their disk: nothing is lost, nothing
hangs, and every refusal is a sentence. A few of each everyday; `make soak` (`trust`) plays as many as there
is time for."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from campaign.befall import Befall, die, fail
from campaign.conftest import Strike
from campaign.evening import copied, entries, faults_found, fold, torn
from campaign.test_diverged_copies import commit_all, git, needs_git
from support.soak import SEED, chances
from support.thorough import THOROUGH

from strike_cli.campaign import Campaign

PARTS = 4 if THOROUGH else 1
"""Tests of each kind, for as many processes."""
CODES = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def _rounds(kind: str, part: int, everyday: int, thorough: int) -> Iterator[Random]:
    """A chance for each round."""
    numbers = range(thorough // PARTS if THOROUGH else everyday)
    for _, chance in chances(kind, (f"{kind} {SEED}.{part}.{number}" for number in numbers)):
        yield chance


def _any_command(chance: Random) -> str:
    who = chance.choice(["vex", "brann"])
    return chance.choice(
        [
            *("session start", "session end", "combat start ford", "combat abandon", "combat initiative"),
            *("combat turn", "combat end", "undo", "undo 2", "redo", "roll die 3d6", "choose 1"),
            f"roll skill {who} Climbing",
            f"roll skill {who} Hauling --dice 6",
            f"roll skill {who} Hauling --note $ay{chance.randrange(99)}",
            f"condition add {who} {chance.choice(['winded', 'angry', 'injured'])} --why luck",
            f"override characters.{who}.ap {chance.randrange(4)} --why luck",
            f"combat damage {who} {chance.randrange(1, 3)}",
            f"note night{chance.randrange(99)}",
        ]
    )


def _play(strike: Strike, folder: Path, chance: Random, most: int) -> None:
    for _ in range(chance.randrange(1, most)):
        said = strike(_any_command(chance), folder)
        assert said.code in range(7), said
        assert "Traceback" not in said.err


@pytest.mark.slow
@needs_git
@pytest.mark.parametrize("part", range(PARTS))
def test_two_branches_of_random_evenings_are_merged(
    part: int, folder: Path, strike: Strike, tmp_path: Path
) -> None:
    for chance in _rounds("merges", part, 2, 200):
        mine, theirs = tmp_path / "mine", tmp_path / "theirs"
        for place in (mine, theirs):
            shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, mine)
        (mine / ".gitignore").write_text("state.toml\n.lock\n")
        (mine / ".gitattributes").write_text("journal/*.jsonl -text\n")
        _play(strike, mine, chance, 8)
        git(mine, "init", "-q", "-b", "main")
        commit_all(mine)
        git(tmp_path, "clone", "-q", str(mine), str(theirs))
        for place in (mine, theirs):
            _play(strike, place, chance, 10)
            commit_all(place)
        had = [line for place in (mine, theirs) for line in _lines(place)]
        ours = {file.name: file.read_bytes() for file in (mine / "journal").glob("????.jsonl")}
        git(mine, "pull", "-q", "--no-rebase", str(theirs), "main", ok=False)
        _goes_on(strike, mine, ours, had, chance)


def _lines(folder: Path) -> list[bytes]:
    return [
        line for file in sorted((folder / "journal").glob("*")) for line in file.read_bytes().splitlines()
    ]


def _goes_on(strike: Strike, folder: Path, ours: dict[str, bytes], had: list[bytes], chance: Random) -> None:
    """What a merge has left is mended, nothing of it is lost, and the other branch's commands can be
    played."""
    if chance.random() < 0.3:
        (folder / "state.toml").unlink(missing_ok=True)
    said = strike("roll die --json", folder)
    assert said.code in (0, 1, 3), said
    if said.code == 0:
        had.append((folder / "journal" / max(ours, default="0001.jsonl")).read_bytes().splitlines()[-1])
    mended = strike("doctor --mend", folder)
    assert mended.code == 0, mended
    assert set(had) <= set(_lines(folder))
    assert faults_found(folder) == []
    with Campaign(folder) as campaign:
        assert fold(entries(folder)) == campaign.state
    for script in sorted((folder / "journal").glob("branch-*.strike")):
        played = strike(["batch", str(script), "--keep-going"], folder)
        assert played.code in range(7), played
        assert "Traceback" not in played.err
    assert strike("roll die", folder).code in (0, 1)
    assert faults_found(folder) == []
    again = strike("doctor --mend", folder)
    assert again.code == 0, again


COMMANDS: list[str] = ["doctor --mend", "session list", "doctor --upgrade"]


@pytest.mark.parametrize("part", range(PARTS))
def test_a_command_is_killed_anywhere(part: int, folder: Path, strike: Strike, tmp_path: Path) -> None:
    for chance in _rounds("kills", part, 6, 2000):
        place = _some_evening(strike, folder, tmp_path, chance)
        words = chance.choice([*COMMANDS, *(_any_command(chance) for _ in range(6))])
        lines = _lines(place)
        child = os.fork()
        if child == 0:
            with Befall(place, chance.randrange(1, 14), die, half=chance.random() < 0.3):
                strike(words, place)
            os._exit(0)
        os.waitpid(child, 0)
        _is_whole(strike, place, lines, words)


@pytest.mark.parametrize("part", range(PARTS))
def test_a_call_to_the_system_fails_anywhere(part: int, folder: Path, strike: Strike, tmp_path: Path) -> None:
    for chance in _rounds("errors", part, 6, 2000):
        place = _some_evening(strike, folder, tmp_path, chance)
        words = chance.choice([*COMMANDS, *(_any_command(chance) for _ in range(6))])
        lines, code = _lines(place), chance.choice(CODES)
        with Befall(place, chance.randrange(1, 14), fail(code), half=chance.random() < 0.3):
            said = strike(words, place)
        assert said.code in range(7), (words, said)
        assert "Traceback" not in said.err
        _is_whole(strike, place, lines, words)


def _some_evening(strike: Strike, folder: Path, tmp_path: Path, chance: Random) -> Path:
    """An evening, on which nothing, a torn line or the other half of a shared folder has come."""
    place, other = tmp_path / "place", tmp_path / "other"
    for old in (place, other):
        shutil.rmtree(old, ignore_errors=True)
    copied(folder, place)
    _play(strike, place, chance, 6)
    journal = place / "journal" / "0001.jsonl"
    if journal.exists() and chance.random() < 0.3:
        copied(place, other)
        _play(strike, place, chance, 4)
        _play(strike, other, chance, 4)
        shutil.copy2(other / "journal" / "0001.jsonl", journal.with_name("0001 (conflicted copy).jsonl"))
    elif journal.exists() and chance.random() < 0.3:
        with open(journal, "ab") as file:
            file.write(b'{"after":"')
    return place


def _is_whole(strike: Strike, place: Path, lines: list[bytes], words: str) -> None:
    """Nothing that was recorded is gone, and play goes on."""
    left = {*_lines(place), *torn(place)}
    assert {line for line in lines if line.endswith(b"}")} <= left, words
    mended = strike("doctor --mend", place)
    assert mended.code == 0 or "a command that was cut off" in mended.out, (words, mended)
    assert {line for line in lines if line.endswith(b"}")} <= {*_lines(place)}, words
    said = strike("roll die", place)
    assert said.code in (0, 1), (words, said)
    numbers = [json.loads(line)["seq"] for file in sorted((place / "journal").glob("????.jsonl"))
               for line in file.read_bytes().splitlines() if line.endswith(b"}")]  # fmt: skip
    assert numbers == list(range(1, len(numbers) + 1)), words
