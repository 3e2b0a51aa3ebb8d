"""A campaign's folder that comes from a stranger: nothing outside of it is written, made, emptied or read."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from campaign.conftest import Strike, refused
from campaign.evening import TEXT, contents, edit_state, entries, make
from support.cases import case
from support.cli import run_in
from support.journals import entries_of
from support.thorough import THOROUGH

from strike_bridge.credential_store import ensure_table_key
from strike_bridge.delivery_record import load_or_make_cursor
from strike_bridge.push_follow_and_sync import drop_item_or_queued_result
from strike_bridge.settings import read_targets
from strike_cli.problems import Problem
from strike_cli.registry import installed_plugins
from strike_cli.systems.campaign.commands.table import running_table

WITH_LINKS = pytest.mark.skipif(os.name == "nt", reason="makes links, or pipes")
WITH_RIGHTS = pytest.mark.skipif(os.name == "nt", reason="rights are those of the folder")

TARGET = '\n[bridge.targets.away]\nkind = "table"\nurl = "http://127.0.0.1:9"\n'
MAP = {
    "format": 0.3,
    "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 4, "y": 3}, "pixels_per_grid": 20},
    "line_of_sight": [],
    "portals": [],
}
WORDS = [
    "session start",
    "roll skill vex Climbing --dice 6 --choose learn",
    "condition add vex winded --why rain",
    "combat start ford",
    "combat initiative --dice 6,5,4,3",
    "undo",
    "redo",
    "session end",
    "session start",
    "roll die",
    "session report 1 --out report.md",
    "odds skill vex Climbing --svg odds.svg",
    "map import house.dd2vtt --force",
    "map export ford.uvtt ford",
    "character add sela --name Sela",
    "batch prep.strike",
    "bridge push",
    "bridge sync away",
    "doctor --mend",
]


def _campaign(place: Path) -> Path:
    folder = make(place / "causeway", TEXT + TARGET)
    (folder / "house.dd2vtt").write_text(json.dumps(MAP))
    (folder / "prep.strike").write_text("roll die\nroll die\n")
    return folder


def _cut_off(folder: Path) -> None:
    """As by a power cut: a torn line, and a hole behind what state.toml is true for."""
    for file in sorted((folder / "journal").glob("*.jsonl"))[-1:]:
        if file.is_file() and file.resolve() == file.absolute() and file.stat().st_nlink == 1:
            file.write_bytes(file.read_bytes() + b"nothing of the kind\n")


def _play(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that writes, whatever comes of it."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("STRIKE_TABLE_KEY", "x" * 20)
    for words in WORDS:
        if words.startswith("doctor"):
            _cut_off(folder)
        code, said = run_in(folder, words)
        assert code in range(7), (words, said)
    monkeypatch.delenv("STRIKE_TABLE_KEY")
    _keep_a_key(folder)
    _switch_off(folder)


def _switch_off(folder: Path) -> None:
    """As where a target wants to be told nothing more, and somebody settles by hand what is left."""
    with contextlib.suppress(Problem, OSError):
        cursor = load_or_make_cursor(folder, "away")
        for off in ("0123abcd", ""):
            cursor.off = off
            cursor.save(folder)
    with contextlib.suppress(Problem, OSError):
        drop_item_or_queued_result(folder, read_targets(folder)["away"], "nothing")


def _keep_a_key(folder: Path) -> None:
    with contextlib.suppress(Problem, OSError):
        ensure_table_key(folder, "away")


class Written:
    """What is opened for writing, made or cut, by the system's own audit. Whoever audits does so until the
    process ends."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: Any) -> None:
        if not args or not isinstance(args[0], str | bytes | os.PathLike):
            return
        writes = event in ("os.mkdir", "os.truncate") or (
            event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        )
        if writes:
            self.paths.add(os.path.abspath(os.fsdecode(args[0])))
        if event == "os.rename":
            self.paths.add(os.path.abspath(os.fsdecode(args[1])))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Every file and folder of a campaign that is opened for writing, by its path below the campaign's."""
    folder, told = _campaign(tmp_path_factory.mktemp("walk")), tmp_path_factory.mktemp("told") / "paths"
    child = os.fork()
    if child == 0:
        try:
            heard = Written()
            with pytest.MonkeyPatch.context() as patch:
                _play(folder, patch)
            told.write_text("\n".join(heard.paths))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    homes = [os.environ[f"XDG_{name}_HOME"] for name in ("CACHE", "STATE", "DATA")]
    known = (*homes, os.devnull, str(told))
    ours = [path for path in told.read_text().splitlines() if not path.startswith(known)]
    assert all(path.startswith(str(folder) + os.sep) for path in ours), ours
    return sorted(os.path.relpath(path, folder) for path in ours)


@WITH_LINKS
def test_all_that_strike_writes_is_known(written: list[str]) -> None:
    """The walk below means something: these are among what it tries."""
    for name in (".lock", ".state.toml.new", "journal", "journal/0001.jsonl", "journal/0002.jsonl", "bridge",
                 "report.md", "odds.svg", "ford.uvtt", "encounters", "content/character-sela.toml",
                 "journal/0002.branch-1", "state.toml", "bridge/away.lock",
                 "bridge/away.json", "bridge/away.lines", "bridge/.away.json.new", "bridge/away.sync",
                 "bridge/away.aside", "bridge/away.off", "bridge/.away.off.new"):  # fmt: skip
        assert name in written


Plant = Callable[[Path, Path], None]


def _to_a_file(at: Path, outside: Path) -> None:
    at.symlink_to(outside / "diary.txt")


def _relative(at: Path, outside: Path) -> None:
    at.symlink_to(os.path.relpath(outside / "diary.txt", at.parent))


def _to_nowhere(at: Path, outside: Path) -> None:
    at.symlink_to(outside / "autostart.txt")


def _to_a_folder(at: Path, outside: Path) -> None:
    at.symlink_to(outside / "photos", target_is_directory=True)


def _hard(at: Path, outside: Path) -> None:
    os.link(outside / "diary.txt", at)


def _pipe(at: Path, outside: Path) -> None:
    os.mkfifo(at)


def _home(place: Path) -> Path:
    """A folder with things of somebody's own, which strike would write over if it could."""
    (place / "home" / "photos").mkdir(parents=True)
    (place / "home" / "diary.txt").write_text("<!-- made by strike session report -->\nDear diary\n")
    (place / "home" / "photos" / "0001.jsonl").write_text("{}\n")
    return place / "home"


PLANTS = [_to_a_file, _hard]
if THOROUGH:
    PLANTS += [_relative, _to_nowhere, _to_a_folder, _pipe]


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__.strip("_"))
def test_nothing_outside_is_touched_whatever_is_a_link(
    plant: Plant, written: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is made anew stops nothing where a link is in its place, so that these are tried together.
    anew = [name for name in written if name.endswith(".new")]
    others = [[name] for name in written if name not in anew]
    # Everyday every other name is one kind of link or the other.
    others = others if THOROUGH else others[PLANTS.index(plant) :: 2 * len(PLANTS)]
    for number, names in enumerate([anew, *others]):
        place = tmp_path / str(number)
        outside = _home(place)
        modes = {path: path.stat().st_mode for path in outside.rglob("*")}
        before = contents(outside)
        folder = _campaign(place)
        for name in names:
            at = folder / name
            at.parent.mkdir(parents=True, exist_ok=True)
            plant(at, outside)
        _play(folder, monkeypatch)
        assert contents(outside) == before, names
        assert {path: path.stat().st_mode for path in outside.rglob("*")} == modes, names
        monkeypatch.chdir(tmp_path)
        shutil.rmtree(place)


def _linked_folder(at: Path, outside: Path) -> None:
    at.mkdir()
    (at / "0123.new").symlink_to(outside / "diary.txt")


TABLE_S = ["table", "table/table.json", "table/table.tmp", "table/defects.log", "table/defects.log.1",
           "table/images", "table/images/0123.new", "table/images/0123"]  # fmt: skip


@WITH_LINKS
def test_the_table_is_not_served_where_a_link_is_in_the_place_of_a_file_of_its_own(tmp_path: Path) -> None:
    """All that it writes lies below the folder that is looked through first, whatever it is called."""
    outside = _home(tmp_path)
    before = contents(outside)
    plants = (_to_a_file, _relative, _to_nowhere, _to_a_folder, _hard, _pipe, _linked_folder)
    for name, plant in product(TABLE_S, plants):
        with case(name, plant.__name__):
            folder = make(tmp_path / "causeway")
            at = folder / "bridge" / name
            at.parent.mkdir(parents=True)
            plant(at, outside)
            with pytest.raises(Problem) as problem, running_table(folder, "", port=0):
                pass
            assert str(folder / "bridge") in problem.value.message
            assert contents(outside) == before
            shutil.rmtree(folder)


@WITH_LINKS
def test_a_link_in_the_place_of_what_strike_keeps_is_named(
    folder: Path, strike: Strike, tmp_path: Path
) -> None:
    strike("roll die")
    away = tmp_path / "away"
    for name in (".lock", "journal", "journal/0001.jsonl", "state.toml"):
        shutil.move(folder / name, away)
        (folder / name).symlink_to(away)
        refused(strike, folder, "undo", name, "link", hint="itself there")
        assert strike("doctor").code in (0, 3)
        (folder / name).unlink()
        shutil.move(away, folder / name)


def test_a_scratch_file_that_a_killed_command_left_is_made_anew(folder: Path, strike: Strike) -> None:
    (folder / ".state.toml.new").write_text("half of i")
    assert strike("roll die").code == 0
    assert not (folder / ".state.toml.new").exists()


# Positions in the journal


POSITIONS = [
    '["../../evil.jsonl", 0]',
    '["/tmp/evil.jsonl", 0]',
    r'["..\\\\evil.jsonl", 0]',
    '["C:evil.jsonl", 0]',
    '["0001.jsonl/../../evil.jsonl", 0]',
    '["0001.jsonl\\u0000", 0]',
    '["", 0]',
    '["٠٠٠١.jsonl", 0]',
    '["0001.jsonl", -1]',
    '["0001.jsonl", 1.5]',
    '["0001.jsonl", true]',
    '["0001.jsonl"]',
    '"0001.jsonl"',
    "[1, 0]",
]


def test_positions_match_a_file_s_name_exactly(folder: Path, strike: Strike, tmp_path: Path) -> None:
    strike("roll die")
    text = (folder / "state.toml").read_text()
    for key, position in product(("end", "last"), POSITIONS):
        with case(key, position):
            start = text.index(f"\n{key} = [") + 1
            end = text.index("]\n", start) + 1
            spoilt = f"{text[:start]}{key} = {position}{text[end:]}"
            (folder / "state.toml").write_text(spoilt, encoding="utf-8")
            for words in ("undo", "status"):
                refused(strike, folder, words, "state.toml: [strike]", hint="rebuilds it")
    assert strike("doctor").code == 3
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


@pytest.mark.parametrize("where", ["prev", "head"])
def test_positions_in_the_journal_are_looked_at_too(where: str, folder: Path, strike: Strike) -> None:
    for words in ("roll die", "roll die", "undo"):
        strike(words)
    file = folder / "journal" / "0001.jsonl"
    lines = entries_of(folder)
    if where == "prev":
        lines[1]["prev"] = ["../../../etc/passwd", 0]
    else:
        lines[2]["head"]["last"] = ["../../../etc/passwd", 0]
    for line in lines:
        del line["after"]  # as of a version that linked none
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "state.toml").unlink()
    refused(strike, folder, "undo", "bookkeeping")


def test_files_beside_the_journal_s_own_are_none_of_it(folder: Path, strike: Strike) -> None:
    strike("roll die")
    for name in ("notes.jsonl", "00001.jsonl", "0002.jsonl.bak", "٠٠٠٢.jsonl"):
        (folder / "journal" / name).write_text("my own\n")
    assert strike("roll die").code == 0
    assert strike("log").code == 0
    assert len(entries_of(folder)) == 2


# What a campaign includes


def test_a_file_without_links_outside_is_not_included(strike: Strike, tmp_path: Path) -> None:
    """Nor by the ways that Windows has: a backslash, a drive's current folder, another machine."""
    (tmp_path / "people.toml").write_text('[characters.sela]\nname = "Sela"\n')
    for number, pattern in enumerate(
        (r"..\\people.toml", "C:people.toml", r"\\\\there\\x\\people.toml", "/people.toml")
    ):
        text = TEXT.replace("seed = 11", f'include = ["{pattern}"]')
        assert strike("status", make(tmp_path / str(number), text)).code == 3, pattern


INCLUDES = ["../people.toml", "../*.toml", "sub/../../people.toml", "link.toml", "l*.toml",
            "away/people.toml", "away/*.toml", "**/../../people.toml"]  # fmt: skip


@WITH_LINKS
def test_what_leads_out_of_the_folder_is_not_included(strike: Strike, tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "people.toml").write_text('[characters.sela]\nname = "Sela"\n')
    (folder / "link.toml").symlink_to("../people.toml")
    (folder / "away").symlink_to("..")
    for pattern in INCLUDES:
        with case(pattern):
            make(folder, TEXT.replace("seed = 11", f'include = ["{pattern}"]'))
            named = f"include: {pattern!r} is outside the campaign's folder"
            refused(strike, folder, "status", named, "files of its own folder alone")
    assert strike("doctor", folder).code == 3


@WITH_LINKS
def test_links_within_the_folder_are_followed(strike: Strike, tmp_path: Path) -> None:
    folder = make(tmp_path / "mine", TEXT.replace("seed = 11", 'include = ["now/*.toml"]'))
    (folder / "season-2").mkdir()
    (folder / "season-2" / "people.toml").write_text('[characters.sela]\nname = "Sela"\n')
    (folder / "now").symlink_to("season-2")
    said = strike("status --json", folder)
    assert said.code == 0
    assert "sela" in [one["id"] for one in said.json["data"]["party"]]


@WITH_LINKS
def test_a_campaign_file_that_is_a_link_out_of_the_folder_is_refused(strike: Strike, tmp_path: Path) -> None:
    other = make(tmp_path / "other")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "campaign.toml").symlink_to(other / "campaign.toml")
    refused(strike, tmp_path / "theirs", "status", "is a link out of the campaign's folder")


@WITH_LINKS
def test_a_pack_that_is_a_link_out_of_the_folder_is_switched_off(folder: Path, strike: Strike) -> None:
    (folder.parent / "frost.toml").write_text("")
    (folder / "packs").mkdir()
    (folder / "packs" / "frost.toml").symlink_to(folder.parent / "frost.toml")
    said = strike("status --json")
    assert said.code == 0
    assert "it is a link out of the campaign's folder" in said.json["data"]["troubles"][0]


@WITH_LINKS
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(strike: Strike, tmp_path: Path) -> None:
    folder = make(tmp_path / "theirs", TEXT.replace("seed = 11", 'include = ["people.toml"]'))
    os.mkfifo(folder / "people.toml")
    said = strike("status --json", folder)
    assert said.code == 0
    assert "not a plain file" in said.err


# Who may read what is kept


@WITH_RIGHTS
def test_what_strike_keeps_is_its_owner_s_alone(folder: Path, strike: Strike) -> None:
    os.umask(0o022)
    strike("session start")
    strike("roll die")
    kept = [folder / name for name in (".lock", "state.toml", "journal/0001.jsonl", "journal/0002.jsonl")]
    for path in (path for path in kept if path.exists()):
        assert path.stat().st_mode & 0o777 == 0o600, path
    assert (folder / "journal").stat().st_mode & 0o777 == 0o700


@WITH_RIGHTS
def test_what_others_could_read_is_closed_when_it_is_next_written(folder: Path, strike: Strike) -> None:
    strike("roll die")
    kept = [folder / name for name in (".lock", "state.toml", "journal/0001.jsonl")]
    for path in kept:
        path.chmod(0o644)
    strike("roll die")
    assert [path.stat().st_mode & 0o777 for path in kept] == [0o600] * 3


def _caches() -> list[Path]:
    return [path for path in (Path(os.environ["XDG_CACHE_HOME"]) / "strike").iterdir() if path.is_file()]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for caches in which there is nothing yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    installed_plugins.drop_plugin_index()
    yield tmp_path / "cache" / "strike"
    installed_plugins.drop_plugin_index()


@WITH_RIGHTS
def test_the_cache_is_its_owner_s_alone(strike: Strike, own_cache: Path) -> None:
    strike("status")
    found = _caches()
    assert found
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in found)
    assert own_cache.stat().st_mode & 0o777 == 0o700


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda raw: raw[: len(raw) // 2],
    "a letter": lambda raw: raw.replace(b"Vex Marlowe", b"Vex Marlowf"),
    "of an earlier form": lambda raw: raw.partition(b"\n")[2],
    "nothing": lambda raw: b"",
    "no text": lambda raw: bytes(range(256)),
    "deep": lambda raw: b"0\n" + b"[" * 100_000,
}


@pytest.mark.usefixtures("own_cache")
def test_a_cache_that_is_spoilt_is_made_anew(strike: Strike) -> None:
    told = strike("status").out
    for what, spoilt in SPOILT.items():
        with case(what):
            for path in _caches():
                path.write_bytes(spoilt(path.read_bytes()))
            installed_plugins.drop_plugin_index()
            assert strike("status").out == told


@WITH_RIGHTS
@pytest.mark.parametrize("how", ["others may write", "somebody else's", "a link"])
def test_a_cache_of_somebody_else_s_is_not_believed(
    how: str, strike: Strike, own_cache: Path, tmp_path: Path
) -> None:
    if how == "somebody else's" and os.getuid():
        pytest.skip("only root gives files away")
    strike("status")
    for path in _caches():
        if path.name.startswith("book"):
            text = path.read_bytes().partition(b"\n")[2].replace(b"Vex Marlowe", b"Vex the Evil")
            path.write_bytes(b"%08x\n" % crc32(text) + text)
            assert "Vex the Evil" in strike("status").out  # it is read: whoever may write it, may do so
            if how == "others may write":
                path.chmod(0o666)
            elif how == "somebody else's":
                os.chown(path, 65534, 65534)
            else:
                shutil.move(path, tmp_path / "elsewhere")
                path.symlink_to(tmp_path / "elsewhere")
    assert "Vex Marlowe" in strike("status").out


def test_the_state_is_still_taken_in_by_hand(folder: Path, strike: Strike) -> None:
    """None of it is in the way of an edit."""
    strike("override characters.vex.ap 2 --why x")
    edit_state(folder, "ap = 2", "ap = 3")
    assert strike("roll die").code == 0
    assert entries(folder)[-2]["command"] == "hand edit"
