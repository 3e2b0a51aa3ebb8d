"""What other systems do otherwise, as far as it can be had here: no Unicode, capitals that don't count, line
ends of two characters, names that are devices, locks of another kind, files that can't be replaced while they
are read.
"""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
import types
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from campaign.conftest import Strike, refused
from campaign.evening import TEXT, entries, faults_found, fold, make, written_state
from support.cases import case
from support.own_terminal import run_at_terminal

from strike_bridge.settings import target_file_path
from strike_cli import command_line_splitting as typed_words
from strike_cli.campaign import Campaign, file_access
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.terminal.battlemap.board import EDGES, JOINTS
from strike_cli.terminal.local_time import time_zone_name
from strike_cli.terminal.stream_encoding import (
    decode_input_as_utf8_if_possible,
    decode_typed,
    replace_unencodable,
)

NAMED = TEXT.replace('"Vex Marlowe"', '"Zoë “灯” Łuk"').replace('"The Causeway"', '"Die Straße – Übung"')
LOOKING = [
    "status", "log", "character list", "character show vex", "combat show", "combat map", "combat options",
    "session report", "session list", "doctor", "odds skill vex Climbing", "content list", "map show ford",
    "replay --verify", "plugin list", "bridge status", "--help", "combat --help", "roll skill --help",
]  # fmt: skip
PLAYED = [
    "session start --title Übung",
    "roll skill vex Klettern --note Zoë",
    "combat start ford",
    "combat initiative --dice 6,5,4,3",
    "combat turn",
    "roll skill Zoë Climbing --dry-run",
]


# No Unicode


@pytest.fixture
def monkeypatch(tmp_path: Path) -> Iterator[pytest.MonkeyPatch]:
    """What the system lacks is back before the folder goes, for which Python needs it."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def _in_ascii(folder: Path, words: str, typed: bytes = b"") -> tuple[int, bytes, bytes]:
    env = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    env.pop("PYTHONIOENCODING", None)
    script = [sys.executable, "-m", "strike_cli", *words.split(), "-C", str(folder)]
    done = subprocess.run(script, env=env, input=typed, capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


MANY = """
import json, os, sys
from strike_cli.cli.app import main
for words in json.loads(sys.argv[1]):
    try:
        main([*map(os.fsdecode, map(str.encode, words.split())), "-C", sys.argv[2]])
    except SystemExit as end:
        sys.stdout.write(f"\\n{words!a} ended with {end.code}\\n")
        assert end.code in range(7)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="has no such locale")
def test_no_command_fails_over_a_letter_that_can_not_be_shown(tmp_path: Path) -> None:
    folder = make(tmp_path / "causeway", NAMED)
    commands = [*PLAYED, *LOOKING, "character show Zoë", "roll skill Zoë Rowing", "nonsense-Zoë"]
    script = [sys.executable, "-c", MANY, json.dumps(commands), str(folder)]
    env = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = subprocess.run(script, env=env, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    said = done.stdout.decode("ascii")
    assert done.stderr.isascii()
    assert said.count(" ended with ") == len(commands)
    assert entries(folder)[0]["args"]["title"] == "Übung", "it is recorded as it was typed"
    assert "Die Strasse - Ubung" in said
    assert 'Zoe "' in said


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="has no such locale")
def test_json_is_whole_where_stdout_speaks_no_unicode(tmp_path: Path) -> None:
    folder = make(tmp_path / "causeway", NAMED)
    said = json.loads(_in_ascii(folder, "status --json")[1].decode("ascii"))
    assert said["data"]["name"] == "Die Straße – Übung"
    code, out, _ = _in_ascii(folder, "batch - --json", "roll die --note Zoë\nlog --json\n".encode())
    assert code == 0
    assert [json.loads(line)["ok"] for line in out.decode("ascii").splitlines()] == [True, True]
    assert entries(folder)[0]["note"] == "Zoë"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="has no such locale")
@pytest.mark.parametrize("words", ["new {}/Zoë", "odds skill vex Climbing --svg Zoë.svg"])
def test_a_file_s_name_that_the_system_has_no_letters_for_is_told(words: str, folder: Path) -> None:
    code, _, err = _in_ascii(folder, words.format(folder.parent))
    assert code in (2, 3)
    assert b"Traceback" not in err


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="has no such terminals")
@pytest.mark.parametrize("words", ["combat map", "odds skill vex Climbing"])
def test_a_terminal_in_colour_that_speaks_no_unicode_is_told(
    words: str, tmp_path: Path, strike: Strike
) -> None:
    folder = make(tmp_path / "causeway", NAMED)
    assert strike("combat start ford", folder).code == 0
    env = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", "TERM": "xterm"}
    env.pop("NO_COLOR", None)
    code, said = run_at_terminal(folder, *words.split(), env=env)
    assert code == 0, said
    assert "Traceback" not in said
    assert said.isascii()


def test_letters_are_shown_as_near_as_they_can_be() -> None:
    assert replace_unencodable("Zoë – “Łuk” ▶ 灯", "ascii") == 'Zoe - "Luk" > \\u706f'
    assert replace_unencodable("Zoë Łuk", "latin-1") == "Zoë Luk"
    assert decode_typed("Zoë") == "Zoë"
    assert decode_typed(os.fsdecode("Zoë".encode())) == "Zoë"
    assert decode_typed("\udcff") == "\udcff", "what is no UTF-8 stays, and is refused where it would be kept"


def test_what_a_map_is_drawn_with_stays_one_for_one() -> None:
    """`LC_ALL=C`, and code pages of Windows' consoles and pipes."""
    signs = "█▒░━·◦◎▸✗→←↓↑↘↖↗↙─│┌┐└┘—✶≈▩◌◫" + JOINTS + "".join(a + b for a, b, _ in EDGES.values())
    for encoding in ("ascii", "cp437", "cp850", "cp1252"):
        with case(encoding):
            for sign in signs:
                assert len(replace_unencodable(sign, encoding)) == 1, sign


def test_what_comes_by_a_pipe_is_read_as_it_was_written() -> None:
    """Either by a program that writes UTF-8, or by one that writes what Windows' pipes are said to hold."""
    for encoding in ("utf-8", "cp1252"):
        with case(encoding):
            pipe = io.TextIOWrapper(
                io.BytesIO("roll die --note Zoë\r\n# “Übung”\r\n".encode(encoding)), "cp1252"
            )
            decode_input_as_utf8_if_possible(pipe)
            assert pipe.read().splitlines() == ["roll die --note Zoë", "# “Übung”"]


@pytest.mark.slow
@pytest.mark.parametrize("words", ["roll die", "log --json"])
def test_a_reader_that_went_away_is_no_failure(words: str, folder: Path) -> None:
    """As behind `| head -1`; Windows has another error for that."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    script = [sys.executable, "-m", "strike_cli", *words.split(), "-C", str(folder)]
    with subprocess.Popen(script, **pipes) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
    assert len(entries(folder)) == words.startswith("roll")


# Lines, and the words in them


def test_a_backslash_in_a_script_parts_folders_on_windows(
    strike: Strike, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typed_words, "WINDOWS", True)
    script = tmp_path / "prep.strike"
    script.write_text('roll die --note C:\\maps\\ford\\ # theirs\nroll die --note "D:\\my maps\\"\n')
    assert strike(["batch", str(script)]).code == 0
    assert [entry["note"] for entry in entries(folder)] == ["C:\\maps\\ford\\", "D:\\my maps\\"]


def test_a_backslash_elsewhere_takes_the_meaning_from_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_words, "WINDOWS", False)
    assert (
        typed_words.split_words_keeping_apostrophes(r"roll die --note the\ ford\'s # theirs", comments=True)[
            -1
        ]
        == "the ford's"
    )
    with pytest.raises(ValueError):
        typed_words.split_words_keeping_apostrophes('roll die --note "the ford')


def test_a_folder_is_shown_as_it_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    for windows, text, typed in (
        (False, "/home/zoe/evening", "/home/zoe/evening"),
        (False, "/home/zoe/my evening", "'/home/zoe/my evening'"),
        (True, r"C:\evening", r"C:\evening"),
        (True, r"C:\my evening", r'"C:\my evening"'),
    ):
        with case(windows, text):
            monkeypatch.setattr(typed_words, "WINDOWS", windows)
            assert typed_words.quote_word_if_needed(text) == typed
            assert typed_words.split_words_keeping_apostrophes(typed) == [text]


def test_a_zone_that_has_a_sentence_for_a_name_is_told_by_its_hours() -> None:
    winter = timezone(timedelta(hours=1), "W. Europe Standard Time")
    assert time_zone_name(datetime(2026, 1, 31, tzinfo=winter)) == "UTC+01:00"
    assert time_zone_name(datetime(2026, 1, 31, tzinfo=timezone(timedelta(hours=1), "CET"))) == "CET"


# Line ends, and the mark that some editors put first


def _with_line_ends(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def test_files_with_line_ends_of_two_characters_are_the_same(
    strike: Strike, tmp_path: Path, folder: Path
) -> None:
    text = TEXT.replace("seed = 11", 'seed = 11\ninclude = ["characters/*.toml"]')
    sheet = '[characters.sela]\nname = "Sela"\n'
    pack = '[statuses.singed]\nname = "Singed"\nsources = [{ on = "attack", gives = "disadvantage" }]\n'
    script = "# by hand\n\nroll die 2d6\nroll skill vex Climbing --dice 4\nstatus --json\n"
    said = []
    for name, ends in (("plain", bytes), ("other", _with_line_ends)):
        at = make(tmp_path / name, text)
        for file, content in (
            ("campaign.toml", text), ("characters/sela.toml", sheet), ("packs/frost.toml", pack),
            ("prep.strike", script),
        ):  # fmt: skip
            (at / file).parent.mkdir(exist_ok=True)
            (at / file).write_bytes(ends(content.encode()))
        for words in (
            f"batch {at / 'prep.strike'}", "status", "content list", "map show ford", "doctor",
            "character add odo --name Odo", f"content check {at / 'packs' / 'frost.toml'}",
        ):  # fmt: skip
            came = strike(words, at)
            assert came.code == 0, (words, came)
            said.append((name, came.out.replace(str(at), "").replace(json.dumps(str(at))[1:-1], "")))
    half = len(said) // 2
    assert [out for _, out in said[:half]] == [out for _, out in said[half:]]


def test_a_journal_whose_line_ends_were_changed_is_read_or_told(folder: Path, strike: Strike) -> None:
    """As version control does that was not told to leave them: `strike new` tells it."""
    for words in ("roll die", "override characters.vex.ap 2 --why x", "session start"):
        assert strike(words).code == 0
    had = entries(folder)
    for file in [folder / "state.toml", *(folder / "journal").glob("*.jsonl")]:
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    for words in ("status", "log", "session report 1"):
        assert strike(words).code == 0, words
    assert strike("roll die").code == 0
    assert entries(folder)[: len(had)] == had
    assert written_state(folder) == fold(entries(folder))
    said = strike("undo 4 --json")
    assert said.code in (0, 3)
    assert "Traceback" not in said.err
    assert faults_found(folder) == []


def test_a_new_campaign_tells_version_control_to_leave_line_ends(tmp_path: Path, strike: Strike) -> None:
    assert run_command_line_or_complete(["new", str(tmp_path / "mine"), "--empty"]) == 0
    assert "journal/*.jsonl -text" in (tmp_path / "mine" / ".gitattributes").read_text()


# Names


def test_capitals_don_t_make_two_of_one(strike: Strike, tmp_path: Path) -> None:
    """A folder in which capitals don't count has one file under both names; a link is as near as it gets."""
    text = TEXT.replace("seed = 11", 'include = ["people/Sam.toml", "people/sam.toml", "CAMPAIGN.toml"]')
    folder = make(tmp_path / "causeway", text)
    (folder / "people").mkdir()
    (folder / "people" / "sam.toml").write_text('[characters.sam]\nname = "Sam"\n')
    for name, other in (("people/Sam.toml", "people/sam.toml"), ("CAMPAIGN.toml", "campaign.toml")):
        if not (folder / name).exists():
            os.link(folder / other, folder / name)
    said = strike("status --json", folder)
    assert said.code == 0, said
    assert [one["id"] for one in said.json["data"]["party"]].count("sam") == 1


def test_no_two_ids_differ_by_capitals_in_what_is_added(folder: Path, strike: Strike) -> None:
    for id in ("Vex", "VEX"):
        refused(strike, folder, f"character add {id} --name Vex", "already", code=1)


def test_two_targets_that_differ_by_capitals_are_refused(strike: Strike, tmp_path: Path) -> None:
    target = '\n[bridge.targets.{}]\nkind = "table"\nurl = "http://127.0.0.1:4747"\n'
    folder = make(tmp_path / "causeway", TEXT + target.format("Table") + target.format("table"))
    refused(strike, folder, "status", "differs in capitals alone")


DEVICES = ["con", "nul", "aux", "com1", "LPT9", "prn"]


@pytest.mark.parametrize("name", DEVICES)
def test_no_file_is_called_as_a_device_of_windows(name: str, folder: Path, strike: Strike) -> None:
    said = strike(f"character add {name} --name Somebody --json")
    assert said.code == 0
    assert Path(said.json["data"]["file"]).name == f"character-{name}.toml"
    text = (folder / "campaign.toml").read_text(encoding="utf-8")
    (folder / "campaign.toml").write_text('include = ["characters/*.toml"]\n' + text, encoding="utf-8")
    (folder / "content" / f"character-{name}.toml").unlink()
    said = strike(f"character add {name} --name Somebody --json")
    assert Path(said.json["data"]["file"]).name == f"{name}_.toml"
    assert target_file_path(folder, name, ".json").stem.lower() != name.lower()
    assert target_file_path(folder, "here", ".json").name == "here.json"


def test_any_target_s_name_is_a_file_s_name_everywhere(folder: Path) -> None:
    for name in ("a:b", "a*b", 'a"b', "a/b", "a\\b", "a|b", "dot.", "dots...", "end "):
        with case(name):
            file = target_file_path(folder, name, ".json")
            assert file.parent == folder / "bridge"
            assert not set(file.name) & set('<>:"/\\|?*')
            assert not file.name.endswith((" ", "."))


# Windows: what it has not, and what it does otherwise


class Windows:
    """Its locks, and files that can't be replaced while somebody has them open; no folder can be opened."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.locked: dict[tuple[int, int], int] = {}
        self.read: dict[str, int] = {}
        self.opened = os.open
        self.replaced = os.replace
        patch.setattr(file_access, "WINDOWS", True)
        patch.setitem(sys.modules, "fcntl", None)
        module = types.ModuleType("msvcrt")
        module.locking, module.LK_NBLCK, module.LK_UNLCK = self.locking, 2, 0  # type: ignore[attr-defined]
        patch.setitem(sys.modules, "msvcrt", module)
        for name in ("fork", "getuid", "getgid", "fchmod", "O_NOFOLLOW", "O_NONBLOCK"):
            patch.delattr(os, name, raising=False)
        patch.setattr(os, "open", self.open)
        patch.setattr(os, "replace", self.replace)

    def locking(self, file: int, mode: int, count: int) -> None:
        status = os.fstat(file)
        key = (status.st_dev, status.st_ino)
        if mode == self.LK_UNLCK:
            if self.locked.get(key) != file:
                raise OSError(errno.EACCES, "not yours")
            del self.locked[key]
        elif key in self.locked:
            raise OSError(errno.EACCES, "locked")
        else:
            self.locked[key] = file

    def open(self, path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return self.opened(path, flags, *rest, **more)

    def replace(self, source: Any, target: Any) -> None:
        name = os.path.basename(target)
        if self.read.get(name, 0) > 0:
            self.read[name] -= 1
            raise PermissionError(errno.EACCES, "Permission denied", str(target))
        self.replaced(source, target)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Windows:
    return Windows(monkeypatch)


def test_an_evening_is_played_with_what_windows_has(windows: Windows, folder: Path, strike: Strike) -> None:
    windows.read["state.toml"] = 5
    for words in ("session start", "combat start ford", "combat initiative --dice 6,5,4,3", "undo", "redo",
                  "session end", "session start", "doctor"):  # fmt: skip
        said = strike(words)
        assert said.code == 0, (words, said)
        assert not said.err, words
    assert windows.read["state.toml"] == 0
    assert not windows.locked, "every lock was let go of"
    assert written_state(folder) == fold(entries(folder))


def test_a_file_that_somebody_reads_all_the_time_is_caught_up_with(
    windows: Windows, folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_access, "REPLACE_WAIT", 0.02)
    strike("roll die")
    windows.read["state.toml"] = 10**6
    said = strike("roll die")
    assert said.code == 0
    assert "could not be replaced" in said.err
    windows.read.clear()
    assert strike("roll die").code == 0
    assert len(entries(folder)) == 3
    assert faults_found(folder) == []


def test_one_writes_at_a_time_by_its_locks(
    windows: Windows, folder: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_access, "LOCK_WAIT", 0.05)
    with Campaign(folder, writing=True):
        assert refused(strike, folder, "roll die")["code"] == "campaign"
    assert strike("roll die").code == 0


def test_a_folder_that_leads_elsewhere_as_windows_has_it_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "journal").mkdir()
    real = os.lstat

    def lstat(path: Any, *rest: Any) -> Any:
        status = real(path, *rest)
        if os.path.basename(path) != "journal":
            return status
        return types.SimpleNamespace(st_mode=status.st_mode, st_reparse_tag=0xA0000003, st_nlink=1)

    monkeypatch.setattr(os, "lstat", lstat)
    with pytest.raises(OSError, match="link"):
        file_access.folder_exists_refusing_links(folder / "journal")


WITHOUT = """
import asyncio, importlib.abc, os, signal, subprocess, sys
# These look for themselves.
import httpcore, mcp.server, rich.console, segno, starlette.applications, typer, uvicorn
HIDDEN = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "readline", "curses", "syslog"}
class Hide(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hide())
import types
locks = types.ModuleType("msvcrt")
locks.LK_NBLCK, locks.LK_UNLCK = 2, 0
locks.locking = lambda file, mode, count: None
for name in HIDDEN:
    sys.modules.pop(name, None)
for name in ("fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "fchmod", "chown", "getpgid",
             "setsid", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGPIPE", "SIGCHLD", "SIGWINCH", "alarm",
             "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)
import strike_cli.campaign.file_access as files
files.WINDOWS = True
import pkgutil, importlib
import strike_bridge, strike_cli, strike_table
for package in (strike_cli, strike_bridge, strike_table):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        # The screen is Textual's, which has a driver of its own for Windows.
        if not found.name.endswith(("__main__", ".screen.app")):
            importlib.import_module(found.name)
sys.modules["msvcrt"] = locks
from strike_cli.cli.app import run_command_line_or_complete
for words in ("status", "session start", "roll skill vex Climbing", "combat start ford", "combat map", "undo",
              "doctor", "session report"):
    code = run_command_line_or_complete([*words.split(), "-C", sys.argv[1]])
    assert code in (0, 6), (words, code)
assert not HIDDEN & set(sys.modules), HIDDEN & set(sys.modules)
"""


@pytest.mark.slow
def test_all_of_it_is_imported_and_played_without_what_windows_lacks(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(folder)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(entries(folder)) == 4


def test_ctrl_c_while_a_command_is_recorded_is_heard_after_it(folder: Path) -> None:
    """Without `os.kill`, which ends a process on Windows whatever it is given."""
    done = []

    def record() -> None:
        with file_access.delay_interrupts():
            signal.raise_signal(signal.SIGINT)
            done.append(True)

    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(os, "kill")
        with pytest.raises(KeyboardInterrupt):
            record()
    assert done
