"""Mutated campaigns, states, journals and command lines: an answer to each, no traceback, no hang.

`doctor` works on all of them. Two hundred everyday, ten thousands with STRIKE_THOROUGH=1.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomli_w
from campaign.evening import LONG_AGO, TEXT, contents, make
from campaign.in_time import in_time
from support import mutate
from support.cli import run_in
from support.soak import SEED, chances
from support.thorough import THOROUGH, few_of

from strike_cli.campaign import state_file as state_file
from strike_cli.campaign.state_file import render_state

PARTS = 4
"""Tests that share the work of each kind, so that they may run beside each other."""
CAMPAIGNS = 20_000 if THOROUGH else 24
STATES = 10_000 if THOROUGH else 24
JOURNALS = 10_000 if THOROUGH else 24
LINES = 50_000 if THOROUGH else 120
LOOKS = 6 if THOROUGH else 2
"""Commands that look at each, drawn by chance."""
MOST = 400_000
"""Characters that a command may say."""

LOOKING = [
    "status",
    "log",
    "combat show",
    "combat map",
    "character list",
    "session report",
    "undo",
    "combat turn",
    "roll skill vex Climbing",
    "combat attack . goblin --dry-run",
    "doctor",
    "doctor --mend",
]
PLAYED = [
    "session start --title One",
    "roll skill vex Hauling --dice 6 --choose learn",
    "condition add vex winded --why rain",
    "combat start ford",
    "combat initiative --dice 6,5,4,3",
    "combat turn",
    "combat status add vex dazed",
    "combat status add goblin ongoing --value 2",
    "combat zone add Fire B2:C3 --damage 1 --obscured",
    "undo",
    "redo",
    "combat hide vex --now",
    "roll skill brann Rowing --unskilled --dice 6",
]
LINES_TO_SPOIL = [
    *PLAYED,
    *LOOKING,
    "combat move . C3",
    "combat attack . goblin --with flare",
    "combat end-turn",
    "combat damage ox 2",
    "combat options",
    "combat finish --won",
    "choose learn",
    "roll opposed vex Climbing --against brann Hauling",
    "roll die 2d6",
    "odds skill vex Climbing --adv rope",
    "override characters.vex.ap 3 --why x",
    "bonus bank brann Climbing --why plans",
    "session end",
    "session list",
    "content list",
    "character show vex",
    "replay --verify",
    "map show ford",
    "ap add vex 1",
    "conflict start --help",
    "plugin list",
    "bridge status",
]


def _check(folder: Path, commands: Sequence[str], what: object) -> None:
    for words in commands:
        try:
            with in_time():
                code, said = run_in(folder, words)
        except BaseException as error:
            error.add_note(f"`{words}` of {what} in {_kept(folder)}")
            raise
        assert code in range(7), (words, what, said)
        assert code == 0 or said.strip(), (words, what)
        assert len(said) < MOST, (words, what)
        if code == 3:
            known = (folder.name, ".toml", "journal", "findings", "doctor")
            assert any(word in said for word in known), (words, what, said)


def _kept(folder: Path) -> Path:
    """Where what broke something is to be looked at afterwards."""
    kept = folder.with_name(f"{folder.name}-broke")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(folder, kept)
    return kept


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in the middle of a fight, with a decision open."""
    folder = make(tmp_path_factory.mktemp("played") / "causeway")
    for words in PLAYED:
        code, said = run_in(folder, words)
        assert code in (0, 6), (words, said)
    return folder


def _chances(kind: str, part: int, count: int) -> Iterator[tuple[str, Random]]:
    return chances(kind, (f"{kind} {SEED}.{number}" for number in range(part, count, PARTS)))


def _restored(folder: Path, place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    return Path(shutil.copytree(folder, place))


@pytest.mark.slow
@pytest.mark.parametrize("part", few_of(range(PARTS), 4))
def test_any_campaign_gets_an_answer(part: int, tmp_path: Path) -> None:
    whole = tomllib.loads(TEXT)
    for what, chance in _chances("campaign", part, CAMPAIGNS):
        folder = tmp_path / "causeway"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if chance.random() < 0.25:
            data = mutate.raw(TEXT.encode(), chance)
        else:
            data = _toml(mutate.tree(whole, chance))
        (folder / "campaign.toml").write_bytes(data)
        os.utime(folder / "campaign.toml", (LONG_AGO + chance.random(),) * 2)
        before = contents(folder)
        _check(folder, ["status"], what)
        assert contents(folder) == before, what
        fight = ("combat start ford", "combat initiative", "combat turn")
        _check(folder, [*fight, *chance.sample(LOOKING, LOOKS // 2), "doctor"], what)


def _toml(data: dict[str, Any]) -> bytes:
    """TOML, which has no nothing."""
    try:
        return tomli_w.dumps(_without_nothing(data)).encode("utf-8", "surrogatepass")
    except (RecursionError, TypeError, ValueError):
        return b"x = " + b"[" * 4000


def _without_nothing(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _without_nothing(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nothing(item) for item in value if item is not None]
    return value


@pytest.mark.slow
@pytest.mark.parametrize("part", few_of(range(PARTS), 4))
def test_any_state_gets_an_answer(part: int, played: Path, tmp_path: Path) -> None:
    found = state_file.read_state_file(played)
    text = (played / "state.toml").read_bytes()
    for what, chance in _chances("state", part, STATES):
        folder = _restored(played, tmp_path / "causeway")
        way = chance.random()
        if way < 0.2:
            data = mutate.raw(text, chance)
        elif way < 0.4:
            data = _toml(mutate.tree(tomllib.loads(text.decode()), chance))
        else:  # as a stranger writes it, who knows how it is checked
            data = _sealed(_without_nothing(mutate.tree(found.state, chance)), found.head)
        (folder / "state.toml").write_bytes(data)
        before = contents(folder)
        _check(folder, ["status"], what)
        assert contents(folder) == before, what
        _check(folder, [*chance.sample(LOOKING, LOOKS), "doctor", "doctor --mend"], what)


def _sealed(state: dict[str, Any], head: state_file.StateHead) -> bytes:
    try:
        return render_state(head, state)
    except (RecursionError, TypeError, ValueError):
        return b"x = " + b"[" * 4000


@pytest.mark.slow
@pytest.mark.parametrize("part", few_of(range(PARTS), 4))
def test_any_journal_gets_an_answer(part: int, played: Path, tmp_path: Path) -> None:
    for what, chance in _chances("journal", part, JOURNALS):
        folder = _restored(played, tmp_path / "causeway")
        file = chance.choice(sorted((folder / "journal").glob("*.jsonl")))
        file.write_bytes(mutate.journal(file.read_bytes(), chance))
        if chance.random() < 0.6:
            (folder / "state.toml").unlink()
        _check(folder, ["status", *chance.sample(LOOKING, LOOKS), "doctor", "doctor --mend", "log"], what)


@pytest.mark.slow
@pytest.mark.parametrize("part", few_of(range(PARTS), 4))
def test_any_command_line_gets_an_answer(
    part: int, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _restored(played, tmp_path / "causeway")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    for number, (what, chance) in enumerate(_chances("line", part, LINES)):
        words = mutate.line(chance.choice(LINES_TO_SPOIL).split(), chance)
        if {"table", "demo", "watch", "run", "shell"} & set(words):
            continue  # which go on until they are told to stop
        try:
            with in_time():
                code, said = run_in(folder, words)
        except BaseException as error:
            error.add_note(f"{words!r}, {what}")
            raise
        assert code in range(7), (words, said)
        assert code == 0 or said.strip(), words
        assert len(said) < MOST, words
        if code == 0 and number % 20 == 0:
            folder = _restored(played, folder)
    for path in (folder / "journal").glob("*.jsonl"):
        for entry in path.read_bytes().splitlines():
            json.loads(entry)
