"""A disk that is full, read-only or broken: one clear error with a remedy, and byte for byte no change."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaign.befall import Befall, fail
from campaign.conftest import Said, Strike, refused
from campaign.evening import (
    contents,
    copied,
    edit_state,
    entries,
    faults_found,
    fold,
    make,
    move_by_hand,
    tear,
    torn,
    written_state,
)
from support.thorough import THOROUGH, some_numbers, some_of

HERE = Path(__file__).parent
REMEDIES = {
    errno.ENOSPC: "Free some space",
    errno.EROFS: "read-only",
    errno.EACCES: "permissions",
    errno.EIO: "Check the disk",
}


def _nothing(folder: Path) -> None:
    pass


COMMANDS = {
    "command": (_nothing, "combat damage vex 1"),
    "undo": (_nothing, "undo 2"),
    "choose": (_nothing, "choose learn"),
    "hand edit": (move_by_hand, "roll die"),
    "torn line": (tear, "roll die"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "code"),
    [
        *[("command", code) for code in REMEDIES],
        *[(case, errno.ENOSPC) for case in COMMANDS if case != "command"],
    ],
    ids=lambda value: errno.errorcode.get(value, value),
)
def test_a_write_that_fails_is_told_and_changes_nothing(
    case: str, code: int, played: Path, strike: Strike, tmp_path: Path
) -> None:
    prepare, words = COMMANDS[case]
    prepare(played)
    _fails_everywhere(strike, played, words, code, tmp_path)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO], ids=errno.errorcode.get)
@pytest.mark.parametrize("words", ["roll die", "session start"])
def test_a_first_write_that_fails_leaves_no_trace(
    words: str, code: int, folder: Path, strike: Strike, tmp_path: Path
) -> None:
    _fails_everywhere(strike, folder, words, code, tmp_path)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES], ids=errno.errorcode.get)
def test_a_new_session_that_can_not_be_written_leaves_no_file(
    code: int, folder: Path, strike: Strike, tmp_path: Path
) -> None:
    for words in ("session start", "session end"):
        strike(words)
    _fails_everywhere(strike, folder, "session start", code, tmp_path)


def _fails_everywhere(strike: Strike, folder: Path, words: str, code: int, tmp_path: Path) -> None:
    before, had, failed = contents(folder), entries(folder), 0
    for half in (False, True):
        for number in some_numbers(len(words) + code):
            copy = tmp_path / "copy"
            copied(folder, copy)
            with Befall(copy, number, fail(code), half=half) as befall:
                said = strike(words + " --json", copy)
            if not befall.struck:
                assert said.code in (0, 6)
                shutil.rmtree(copy)
                break
            at = f"{befall.struck}{' (half)' if half else ''}"
            failed += 1
            if said.code == 3:
                _must_be_clear(said, copy, code, at)
                if _commands(copy)[len(had) :] == ["hand edit"]:
                    pass  # the edit was recorded by then, the command after it was not
                elif left := torn(folder):
                    # What an earlier crash left may have been moved by then; what counts is the same.
                    assert entries(copy) == had, at
                    aside = [file.read_bytes() for file in (copy / "journal").glob("*.torn-*")]
                    assert torn(copy) + aside == left, at
                else:
                    assert contents(copy) == before, at
            elif "campaign-" in at:  # what is kept for a replay stops no command
                assert said.code in (0, 6), (at, said)
            else:
                # Only state.toml could not be put in place: it is recorded, and said to be.
                assert said.code in (0, 6), (at, said)
                assert "replace" in at, (at, said)
                assert "Recorded, but state.toml could not be replaced" in said.err, at
                assert not (copy / ".state.toml.new").exists()
            assert not torn(copy) or torn(folder)
            assert strike("roll die --json", copy).code == 0, at
            assert written_state(copy) == fold(entries(copy)), at
            assert faults_found(copy) == [], at
            shutil.rmtree(copy)
    assert failed > (6 if THOROUGH else 1)


def _commands(folder: Path) -> list[str]:
    return [entry["command"] for entry in entries(folder)]


def _must_be_clear(said: Said, folder: Path, code: int, at: str) -> None:
    """The error names the file that it is about, with the system's reason and a remedy."""
    error = said.error
    named = at.removesuffix(" (half)").partition(" ")[2]
    assert str(folder) in error["message"], at
    assert os.strerror(code) in error["message"], at
    assert os.path.basename(named) in error["message"] or named in (".", "journal"), (at, error)
    assert REMEDIES[code] in error["hint"], (at, error)
    assert "Nothing was changed" in error["hint"], (at, error)
    assert "Traceback" not in said.err


@pytest.mark.slow
def test_a_script_on_a_disk_that_fills_up_keeps_what_it_answered(
    played: Path, strike: Strike, tmp_path: Path
):
    script = tmp_path / "prep.strike"
    script.write_text("roll die\ncombat damage vex 1\nundo\n")
    strike("choose bonus")
    had = len(entries(played))
    for number in some_numbers():
        copy = tmp_path / "copy"
        copied(played, copy)
        with Befall(copy, number, fail(errno.ENOSPC)) as befall:
            said = strike(f"batch {script} --json", copy)
        found = entries(copy)
        answered = [json.loads(line) for line in said.out.splitlines()]
        assert len(found) == had + sum(answer["ok"] for answer in answered if "seq" in answer), befall.struck
        assert not torn(copy)
        if befall.struck and said.code:
            assert said.code == 3
        assert "Traceback" not in said.err
        assert strike("roll die", copy).code == 0
        assert faults_found(copy) == []
        shutil.rmtree(copy)
        if not befall.struck:
            assert said.code == 0
            break


def test_what_can_not_be_cut_off_again_is_not_called_unchanged(
    played: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that breaks for good in the middle of a write: nobody can say whether it counts."""
    had = len(entries(played))

    def broken(*arguments: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(os, "ftruncate", broken)
        begun = (played / "journal" / "0001.jsonl").stat()
        patch.setattr(os, "fsync", lambda file: broken() if os.path.samestat(os.fstat(file), begun) else None)
        said = strike("roll die --json")
    assert said.code == 3
    assert "Nothing was changed" not in said.error["hint"]
    assert "strike log" in said.error["hint"]
    assert strike("roll die").code == 0
    assert len(entries(played)) == had + 2
    assert faults_found(played) == []


# Real full disks


def _on_a_small_disk(program: str, size: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of this folder where /mnt is a disk of its own, which ends with it."""
    script = f"mount -t tmpfs -o size={size} none /mnt && exec {sys.executable} -c '{program}'"
    env = os.environ | {"PYTHONPATH": str(HERE.parent)}
    unshare = shutil.which("unshare")
    if not unshare:
        pytest.skip("needs unshare")
    words = [unshare, "--map-root-user", "--mount", "sh", "-c", script]
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60)
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip(f"can't mount a disk here: {done.stderr.strip()}")
    return done


FILL = """
import os, sys
from pathlib import Path
from campaign.evening import contents, copied, entries, fold, make, torn, written_state
from strike_cli.cli.app import run_command_line_or_complete
folder = make(Path("/mnt/causeway"))
codes, before = [], None
for number in range(400):
    before = contents(folder)
    codes.append(run_command_line_or_complete(["roll", "die", "9d6", "-C", str(folder)]))
    if codes[-1]:
        break
    if number == 5:
        left = os.statvfs("/mnt")
        (Path("/mnt") / "ballast").write_bytes(b"x" * (left.f_bavail * left.f_bsize - 8192))
assert codes[-1] == 3 and codes[-2] == 0 and len(codes) > 3, codes
assert contents(folder) == before
assert not torn(folder) and len(entries(folder)) == len(codes) - 1
assert written_state(folder) == fold(entries(folder))
assert run_command_line_or_complete(["status", "-C", str(folder)]) == 0
(Path("/mnt") / "ballast").unlink()
assert run_command_line_or_complete(["roll", "die", "-C", str(folder)]) == 0
assert len(entries(folder)) == len(codes)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="mounts a disk")
def test_a_disk_that_is_really_full_changes_nothing() -> None:
    done = _on_a_small_disk(FILL.replace("'", '"'), "256k")
    assert done.returncode == 0, done.stderr
    assert "No space left on device" in done.stderr
    assert "Free some space on that disk" in done.stderr


LIMITED = """
import resource, sys
from pathlib import Path
from campaign.evening import contents, copied, entries, torn
from strike_cli.cli.app import run_command_line_or_complete
folder = Path(sys.argv[1])
words = ["roll", "die", "90d6", "-C", sys.argv[1]]
assert run_command_line_or_complete(words) == 0
before = contents(folder)
size = (folder / "journal" / "0001.jsonl").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, resource.RLIM_INFINITY))
assert run_command_line_or_complete(words) == 3
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert contents(folder) == before
assert run_command_line_or_complete(words) == 0 and len(entries(folder)) == 2
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs the system's limit on a file's size")
def test_a_write_that_is_really_cut_short_changes_nothing(folder: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(HERE.parent)}
    words = [sys.executable, "-c", LIMITED, str(folder)]
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "0001.jsonl can't be written: File too large." in done.stderr


# Files that nobody may touch


UNPRIVILEGED = """
import os, sys
from pathlib import Path
from campaign.evening import contents, copied, make
from strike_cli.cli.app import run_command_line_or_complete
base = Path(sys.argv[1])
locked, other = base / "locked", make(base / "other")
for folder in (locked, other):
    for words in sys.argv[2:4]:
        # Modules are loaded as root.
        assert run_command_line_or_complete([*words.split(), "-C", str(folder)]) in (0, 3, 6)
before = contents(locked)
for path, mode in zip(sys.argv[4::2], sys.argv[5::2]):
    os.chmod(locked / path, int(mode, 8))
if os.getuid() == 0:
    for path in [base, *base.rglob("*")]:
        os.chown(path, 65534, 65534)  # whoever plays is whose campaign it is
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
code = run_command_line_or_complete([*sys.argv[3].split(), "--json", "-C", str(locked)])
sys.exit(code)
"""


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that every user can reach, and its cache."""
    with tempfile.TemporaryDirectory(prefix="strike-") as place:
        os.chmod(place, 0o755)
        yield Path(place)
        for path in [Path(place), *Path(place).rglob("*")]:
            path.chmod(0o755)


def _as_nobody(place: Path, words: str, *modes: str) -> tuple[subprocess.CompletedProcess[str], bool]:
    """What a command says where these paths have these modes, and whether it left everything as it was."""
    folder = make(place / "locked")
    first = "roll skill vex Climbing"
    env = os.environ | {"PYTHONPATH": str(HERE.parent), "XDG_CACHE_HOME": str(place / "cache")}
    env["XDG_DATA_HOME"] = str(place / "data")
    script = [sys.executable, "-c", UNPRIVILEGED, str(place), first, words, *modes]
    done = subprocess.run(script, env=env, capture_output=True, text=True, timeout=60)
    for path, mode in zip(modes[::2], ["755"] * len(modes), strict=False):
        (folder / path).chmod(int(mode, 8))
    return done, [entry["command"] for entry in entries(folder)] == ["roll skill", "roll die"]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
@pytest.mark.parametrize(
    ("modes", "named"),
    some_of(
        [
            pytest.param((".", "555", ".lock", "444"), ".lock", id="read-only folder"),
            pytest.param((".", "555", ".lock", "666"), ".state.toml.new", id="only the lock writable"),
            pytest.param(
                ("journal", "555", "journal/0001.jsonl", "444", ".", "777", ".lock", "666"),
                "0001.jsonl",
                id="read-only journal",
            ),
            pytest.param(("state.toml", "000", ".", "777", ".lock", "666"), "state.toml", id="state.toml"),
            pytest.param(("journal", "000", ".", "777", ".lock", "666"), "journal", id="journal"),
            pytest.param(("campaign.toml", "000"), "campaign.toml", id="campaign.toml"),
        ],
        every=2,
    ),
)
def test_what_nobody_may_touch_is_named(modes: tuple[str, ...], named: str, open_place: Path) -> None:
    done, same = _as_nobody(open_place, "roll die", *modes)
    assert done.returncode == 3, done.stderr
    error = json.loads(done.stdout.splitlines()[-1])["error"]
    assert named in error["message"]
    assert "Permission denied" in error["message"]
    assert "permissions" in error["hint"]
    assert same


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
def test_packs_that_nobody_may_read_stop_nothing_and_are_told(open_place: Path) -> None:
    packs = open_place / "data" / "strike" / "packs"
    packs.mkdir(parents=True)
    os.chmod(packs, 0o000)
    done, _ = _as_nobody(open_place, "plugin list")
    assert done.returncode == 0
    assert str(packs) in done.stdout
    assert "Permission denied" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
def test_a_read_only_campaign_can_be_looked_at(open_place: Path) -> None:
    done, _ = _as_nobody(open_place, "status", ".", "555", "journal", "555", ".lock", "444")
    assert done.returncode == 0, done.stderr


# Something else in the place of a file


LOOKING = ("roll die", "status", "undo", "log", "replay --verify")


def test_a_folder_in_the_place_of_the_state_is_named(played: Path, strike: Strike) -> None:
    (played / "state.toml").unlink()
    (played / "state.toml").mkdir()
    for words in LOOKING:
        refused(strike, played, words, "state.toml", hint="move it away")


def test_a_file_in_the_place_of_the_journal_is_named(played: Path, strike: Strike) -> None:
    shutil.rmtree(played / "journal")
    (played / "journal").write_text("not a folder")
    for words in LOOKING:
        refused(strike, played, words, "journal")


def test_a_file_in_the_place_of_the_journal_of_a_new_campaign_is_named(folder: Path, strike: Strike) -> None:
    (folder / "journal").write_text("not a folder")
    refused(strike, folder, "roll die", "journal", hint="move it away")


def test_a_missing_journal_is_told_and_nothing_is_made_up(played: Path, strike: Strike) -> None:
    """Even where the state was edited, too."""
    shutil.rmtree(played / "journal")
    for words in ("roll die", "status", "undo"):
        error = refused(strike, played, words, "journal/0001.jsonl", hint="from a copy")
        assert "move state.toml away" in error["hint"]
    edit_state(played, "open = true", "open = false")
    refused(strike, played, "roll die", "shorter than state.toml remembers")


# A campaign that is being made


@pytest.mark.slow
def test_a_campaign_that_can_not_be_made_leaves_nothing(strike: Strike, tmp_path: Path) -> None:
    from strike_cli.cli.app import run_command_line_or_complete

    place = tmp_path / "new"
    for half in (False, True):
        for number in some_numbers(half):
            with Befall(place, number, fail(errno.ENOSPC), half=half) as befall:
                code = run_command_line_or_complete(["new", str(place)])
            if not befall.struck:
                assert code == 0
                shutil.rmtree(place)
                break
            assert code == 3, befall.struck
            assert not place.exists(), befall.struck
