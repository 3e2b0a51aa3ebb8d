"""A backup is the whole campaign but for its keys, and comes back byte by byte; a kill leaves the old one."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from campaign.conftest import Strike
from campaign.powercut import Cut, Tape
from support.edits import append_to

from strike_cli.campaign import backup, file_access
from strike_cli.problems import Problem

KEPT = {"notes/Act 1: the mill.md": b"\xff\x00", ".gitignore": b"x\n", "journal/0001.jsonl.torn-1": b"{"}
LEFT = {
    "secrets.toml": b'key = "K3Y"', "bridge/agreed.json": b"K3Y", ".lock": b"", ".git/config": b"K3Y",
    "notes/plan.md~": b"", "before-1.0.tar.gz": b"",
}  # fmt: skip
LINKS = ("loop/", "more/")


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    moments: Iterator[int] = iter(range(10**9, 2 * 10**9))
    real = backup.time.gmtime
    monkeypatch.setattr(backup.time, "gmtime", lambda at=None: real(next(moments) if at is None else at))


def _write(folder: Path, found: dict[str, bytes]) -> None:
    for name, content in found.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


def _read(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture
def played(folder: Path, strike: Strike) -> Path:
    """A campaign with an entry in its journal, and all that a folder may have."""
    assert strike("roll die").code == 0
    _write(folder, KEPT | LEFT)
    return folder


def test_a_round_trip_equals_but_for_keys_and_litter(played: Path, strike: Strike, tmp_path: Path) -> None:
    if os.name != "nt":
        (played / "key.toml").symlink_to("secrets.toml")
        (played / "more").symlink_to("notes")
        (played / "loop").symlink_to(".")
        (played / "out.md").symlink_to(tmp_path / "diary.md")
        (tmp_path / "diary.md").write_text("K3Y")
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    assert strike(["backup", str(first), "--json"]).json["data"]["entries"] == 1
    assert strike(["backup", str(second)]).code == 0
    assert first.read_bytes() == second.read_bytes()
    assert not any(b"K3Y" in ZipFile(first).read(name) for name in ZipFile(first).namelist())
    again = tmp_path / "deep" / "again"
    assert strike(["restore", str(first), str(again)]).code == 0
    found = _read(again)
    assert KEPT.items() <= found.items() and not LEFT.keys() & found.keys() and "out.md" not in found
    assert os.name == "nt" or found["more/Act 1: the mill.md"] == b"\xff\x00"
    there = {name: content for name, content in _read(played).items() if not name.startswith(LINKS)}
    own = {name: content for name, content in found.items() if not name.startswith(LINKS)}
    assert own.items() <= there.items()
    assert there.keys() - own.keys() == LEFT.keys() | ({"key.toml", "out.md"} if os.name != "nt" else set())
    assert strike("undo", again).code == 0


def test_backups_of_one_second_are_numbered(
    played: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    then = "2026-03-04T050607Z"
    monkeypatch.setattr(backup.time, "strftime", lambda *_: then)
    for _ in range(10):
        assert strike("backup").code == 0
    names = [path.name for path in backup.list_backups(played)]
    assert names[:10] == [*(f"{then}-{number}.zip" for number in range(10, 1, -1)), f"{then}.zip"]


def test_nothing_that_is_there_is_written_over(played: Path, strike: Strike, tmp_path: Path) -> None:
    made, other = tmp_path / "made.zip", tmp_path / "other.zip"
    other.write_bytes(b"a thesis")
    assert strike(["backup", str(other)]).code == 1 and other.read_bytes() == b"a thesis"
    assert strike(["backup", str(played / "in.zip")]).code == 2
    assert strike(["backup", str(made)]).code == 0
    before = _read(played)
    refused = strike(["restore", str(made), str(played)])
    assert refused.code == 1 and f"restore {made} {played}-2" in refused.err
    assert _read(played) == before
    with contextlib.chdir(played):  # from within the campaign it goes beside it
        assert strike(["restore", str(made)]).code == 1
    assert _read(played) == before
    made.write_bytes(made.read_bytes().replace(b"PK\x01\x02", b"PK\x01\x03", 1))
    assert strike(["restore", str(made), str(tmp_path / "no")]).code == 3
    for name in ("mill/../../out.md", "mill/secrets.toml", "mill"):
        with ZipFile(other, "w") as archive:
            archive.comment = b"strike backup 1"
            archive.writestr(name, "K3Y")
        assert strike(["restore", str(other), str(tmp_path / "no")]).code == 3
    assert not (tmp_path / "no").exists() and not (tmp_path / "out.md").exists()


@pytest.mark.parametrize("keep", [2, 0])
def test_an_evening_leaves_the_newest_of_its_backups(keep: int, played: Path, strike: Strike) -> None:
    append_to(played / "campaign.toml", f"\n[backup]\nkeep = {keep}\n")
    made: list[Path] = []
    for _ in range(3):
        strike("session start")
        strike("session end --dry-run")
        assert strike("session end").code == 0
        made += [path for path in backup.list_backups(played) if path not in made]
    assert backup.list_backups(played) == made[::-1][:keep]
    said = "the newest backup is" if keep else "no backup on this computer"
    assert said in strike("doctor").out
    assert all(str(path) in strike("restore").out for path in made[::-1][:keep])
    if keep:  # what damage has reached replaces nothing that is whole
        strike("session start")
        journal = played / "journal" / "0001.jsonl"
        journal.write_bytes(b"?" + journal.read_bytes()[1:])
        assert "damaged journal" in "".join(strike("session end")[1:])
        assert len(backup.list_backups(played)) == 3


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_an_evening_ends_without_a_backup(
    number: int, played: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*words: object) -> bytes:
        raise OSError(number, os.strerror(number))

    strike("session start")
    monkeypatch.setattr(backup, "_copy_and_digest", fail)
    ended = strike("session end")
    assert ended.code == 0 and os.strerror(number) in ended.out + ended.err
    assert not backup.list_backups(played) and not list((played.parent / "data").rglob(".*.new"))
    assert "session is under way" not in strike("session start").err


@pytest.mark.skipif(os.name == "nt", reason="looks at files by their number")
def test_a_kill_leaves_the_old_one_or_the_new(played: Path, tmp_path: Path) -> None:
    place = tmp_path / "usb"
    place.mkdir()
    made = Path(backup.back_up(played, place / "mill.zip").file)
    old = made.read_bytes()
    (played / "new.md").write_text("new")
    stop = 0
    while True:
        stop += 1
        try:
            with Tape(place, stop_at=stop):
                backup.back_up(played, made, locked=True)
            break
        except Cut:
            assert made.read_bytes() == old or "causeway/new.md" in ZipFile(made).namelist()
    assert stop > 3 and made.read_bytes() != old


def test_what_fails_halfway_leaves_no_folder(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Path(backup.back_up(played, tmp_path / "made.zip").file)
    place = tmp_path / "again"
    monkeypatch.setattr(
        file_access,
        "sync_folder",
        lambda folder: file_access.folder_exists_refusing_links(folder / "journal" / "0001.jsonl"),
    )
    with pytest.raises(Problem):
        backup.restore_backup(made, place)
    assert not [each for each in tmp_path.iterdir() if "again" in each.name]


def test_what_a_killed_restore_left_is_gone_with_the_next(played: Path, tmp_path: Path) -> None:
    made = Path(backup.back_up(played, tmp_path / "made.zip").file)
    (tmp_path / ".again.restoring").mkdir()
    _write(tmp_path / ".again.restoring", {"journal/0001.jsonl": b"half", "old.md": b"old"})
    backup.restore_backup(made, tmp_path / "again")
    found = _read(tmp_path / "again")
    assert "old.md" not in found and found["journal/0001.jsonl"] != b"half"
    assert not (tmp_path / ".again.restoring").exists()
