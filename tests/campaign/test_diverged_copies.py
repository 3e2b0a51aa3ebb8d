"""Two copies of one campaign come together: by a real git, and by programs that share files. One branch is
kept, the other becomes a script, and nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from campaign.evening import entries, faults_found, written_state
from support.cases import case
from support.cli import Once, Strike
from support.thorough import few_of

DATA = Path(__file__).parent.parent / "data"
ONE, TWO = "one", "two"
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
pytestmark = needs_git


@pytest.fixture
def home(tmp_path: Path, strike: Strike, once: Once) -> Path:
    """A campaign with two commands, in git, as `strike new` makes it."""
    folder = tmp_path / ONE

    def play() -> None:
        assert strike(f"new {folder} --seed 7").code == 0
        assert strike("session start", folder).code == 0
        assert strike("roll skill vex Climbing --dice 5", folder).code == 0
        git(folder, "init", "-q", "-b", "main")
        commit_all(folder)

    once("a campaign in git", folder, play)
    return folder


def git(folder: Path, *words: str, ok: bool = True) -> str:
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    env |= {
        f"GIT_{who}_{what}": "ana@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    ran = subprocess.run(["git", *words], cwd=folder, env=env, capture_output=True, text=True)
    assert ran.returncode == 0 or not ok, ran.stderr
    return ran.stdout


def commit_all(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "an evening")


def _clone(home: Path) -> Path:
    other = home.parent / TWO
    git(home.parent, "clone", "-q", str(home), str(other))
    return other


def _scripts(folder: Path) -> list[Path]:
    return sorted((folder / "journal").glob("branch-*.strike"))


@pytest.mark.slow
def test_state_is_not_in_git_and_a_clone_goes_on(home: Path, strike: Strike) -> None:
    assert "state.toml" not in git(home, "ls-files")
    other = _clone(home)
    said = strike("roll skill brann Hauling --dice 4", other)
    assert said.code == 0
    assert "state.toml" in said.err
    assert len(entries(other)) == 3


@pytest.mark.parametrize("words", few_of(["roll die", "undo", "status", "log", "bridge status"], 5))
@pytest.mark.slow
def test_another_branch_of_the_same_length_is_not_taken_for_ones_own(
    words: str, home: Path, strike: Strike
) -> None:
    other = _clone(home)
    strike("roll skill sela Climbing --dice 3", home)
    strike("roll skill vexx Climbing --dice 3", other)
    strike("roll skill odo Climbing --dice 3 --note abcdef", other)
    journal = home / "journal" / "0001.jsonl"
    theirs = (other / "journal" / "0001.jsonl").read_bytes()
    shutil.copy2(other / "journal" / "0001.jsonl", journal)
    state = (home / "state.toml").read_text()
    (home / "state.toml").write_text(state)
    said = strike(f"{words} --json", home)
    assert said.code == 3, said
    assert "state.toml" in said.error["message"]
    assert journal.read_bytes() == theirs
    mended = strike("doctor --mend", home)
    assert mended.code == 0, mended
    assert strike("roll die", home).code == 0
    assert faults_found(home) == []


@pytest.mark.slow
def test_git_merges_two_evenings(home: Path, strike: Strike) -> None:
    other = _clone(home)
    assert strike("roll skill sela Climbing --dice 3 --note $ave", home).code == 0
    assert strike("condition add vex winded --why stairs", home).code == 0
    assert strike("roll skill odo Climbing --dice 6", other).code == 6  # learn it, or the Bonus?
    assert strike("choose bonus", other).code == 0
    assert strike("condition add brann angry --why wind", other).code == 0
    assert strike("condition add brann winded --why hail", other).code == 0
    assert strike("undo", other).code == 0
    assert strike("override characters.odo.ap 3 --why present", other).code == 0
    for folder in (home, other):
        commit_all(folder)
    before = (home / "journal" / "0001.jsonl").read_bytes()
    git(home, "pull", "-q", "--no-rebase", str(other), "main", ok=False)
    assert b"<<<<<<<" in (home / "journal" / "0001.jsonl").read_bytes()
    told = strike("doctor", home)
    assert told.code == 3
    assert "both sides of a conflict that git could not merge" in told.out
    said = strike("roll die --json", home)
    assert said.code == 3
    assert "doctor --mend" in said.error["hint"]

    mended = strike("doctor --mend", home)
    assert mended.code == 0, mended
    assert (home / "journal" / "0001.jsonl").read_bytes() == before
    [script] = _scripts(home)
    assert f"strike batch {script}" in mended.out
    played = strike(f"batch {script}", home)
    assert played.code == 0, played
    state = written_state(home)["characters"]
    assert state["odo"]["ap"] == 3
    assert state["brann"]["conditions"] == ["core:angry"]
    assert state["vex"]["conditions"] == ["core:winded"]
    assert [entry["answers"][0][1] for entry in entries(home) if entry["command"] == "roll skill"] == [
        [5],
        [3],
        [6],
    ]
    assert faults_found(home) == []
    assert strike("replay --verify", home).code == 0


def test_git_merges_a_new_session_beside_an_old_one(home: Path, strike: Strike) -> None:
    """Two files, no conflict that git would see."""
    other = _clone(home)
    strike("session end", home)
    strike("session start", home)
    strike("condition add vex winded --why stairs", other)
    for folder in (home, other):
        commit_all(folder)
    git(other, "pull", "-q", "--no-rebase", str(home), "main", ok=False)
    mended = strike("doctor --mend", other)
    assert mended.code == 0, mended
    assert len(_scripts(other)) == 1
    assert faults_found(other) == []


COPIES = [
    "0001 (Ana's conflicted copy 2026-11-22).jsonl",
    "0001.sync-conflict-20261122-201500-ABCDEFG.jsonl",
    "0001-LAPTOP.jsonl",
    "0001 (1).jsonl",
]


@pytest.mark.parametrize("name", few_of(COPIES, 4))
def test_a_conflict_copy_becomes_a_script(name: str, home: Path, strike: Strike) -> None:
    other = _clone(home)
    strike("roll skill sela Climbing --dice 3", home)
    strike("condition add brann angry --why wind", other)
    shutil.copy2(other / "journal" / "0001.jsonl", home / "journal" / name)
    shutil.copy2(other / "state.toml", home / "state (Ana's conflicted copy 2026-11-22).toml")
    shutil.copy2(other / "campaign.toml", home / "campaign.sync-conflict-20261122-201500-ABCDEFG.toml")
    told = strike("doctor", home)
    assert told.code == 3
    for copy in (f"journal/{name}", "state (Ana", "campaign.sync-conflict"):
        assert copy in told.out
    assert strike("status", home).code == 0
    assert strike("doctor --mend", home).code == 3  # campaign.toml's copy is for people to look at
    assert not (home / "journal" / name).exists()
    [script] = _scripts(home)
    assert strike(f"batch {script}", home).code == 0
    assert written_state(home)["characters"]["brann"]["conditions"] == ["core:angry"]
    (home / "campaign.sync-conflict-20261122-201500-ABCDEFG.toml").unlink()
    assert strike("doctor", home).code == 0


@pytest.mark.slow
def test_a_byte_changed_by_hand_is_noticed_and_taken_in(home: Path, strike: Strike) -> None:
    for _ in range(3):
        strike("condition add vex winded --why stairs", home)
    strike("undo", home)
    path = home / "journal" / "0001.jsonl"
    whole = path.read_bytes()
    edited = whole.replace(b'"why":"stairs"', b'"why":"ladder"', 1)
    assert edited != whole
    path.write_bytes(edited)
    assert "doesn't follow the entry before it" in strike("doctor", home).out
    assert strike("log --session 1", home).code == 3
    mended = strike("doctor --mend", home)
    assert mended.code == 0, mended
    assert "was edited by hand" in mended.out
    assert edited in [file.read_bytes() for file in (home / "journal").glob("0001.branch-*")]
    assert strike("redo", home).code == 0
    assert strike("undo 3", home).code == 0
    assert faults_found(home) == []


def test_what_does_not_fit_what_follows_is_put_right(home: Path, strike: Strike) -> None:
    for _ in range(2):
        strike("condition add vex winded --why stairs", home)
    path = home / "journal" / "0001.jsonl"
    path.write_bytes(path.read_bytes().replace(b'["core:winded"]', b'["core:angryy"]', 1))
    assert "was edited by hand" in strike("doctor --mend", home).out
    assert [entry["seq"] for entry in entries(home)] == [1, 2, 3, 4]
    assert strike("undo 2", home).code == 0
    assert strike("redo 2", home).code == 0
    assert json.loads(strike("replay --verify --json", home).out)["data"]["differences"] == []


def test_a_state_in_conflict_is_rebuilt(home: Path, strike: Strike) -> None:
    state = (home / "state.toml").read_text()
    (home / "state.toml").write_text(f"<<<<<<< HEAD\n{state}=======\n{state}>>>>>>> main\n")
    said = strike("roll die", home)
    assert said.code == 0
    assert "both sides of a merge conflict" in said.err
    assert strike("doctor", home).code == 0


@pytest.mark.parametrize("version", ["0.1", "0.2"])
def test_a_journal_without_hashes_plays_on_linked(version: str, tmp_path: Path, strike: Strike) -> None:
    folder = shutil.copytree(DATA / "played" / version, tmp_path / "old")
    assert "after" not in entries(folder)[-1]
    assert strike("note later", folder).code == 0
    assert strike("note again", folder).code == 0
    assert len(entries(folder)[-1]["after"]) == len(entries(folder)[-2]["after"]) == 22
    last = max((folder / "journal").glob("????.jsonl"))
    raw = last.read_bytes()
    last.write_bytes(raw.replace(b"later", b"LATER"))
    assert strike("doctor", folder).code == 3


def test_a_command_of_a_script_in_a_wrong_form_is_refused(home: Path, strike: Strike) -> None:
    for text in ("", "{", "[]", '{"command": 1, "args": {}}', '{"command": "roll die"}',
                                  '{"command": "roll die", "args": {}, "dice": ["x"]}',
                                  '{"command": "roll die", "args": {"sides": "x"}}',
                                  '{"command": "nothing", "args": {}}',
    ):  # fmt: skip
        with case(text):
            before = len(entries(home))
            said = strike(json.dumps(["again", text]), home)
            assert said.code in (1, 2, 3)
            assert len(entries(home)) == before


@pytest.mark.slow
def test_the_upgrade_takes_state_out_of_git_by_a_line_to_type(home: Path, strike: Strike) -> None:
    ignored = home / ".gitignore"
    ignored.write_text(ignored.read_text().replace("\nstate.toml\n", "\n", 1))
    said = strike("doctor --upgrade", home)
    assert f"git -C {home} rm --cached state.toml" in said.out
    assert "state.toml" in ignored.read_text().splitlines()
    assert strike("doctor --upgrade", home).out.count("rm --cached") == 0
