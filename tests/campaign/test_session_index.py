"""The index beside the journal: what is said of sessions is what the journal says, whatever lies in its
place."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from campaign.evening import make
from campaign.test_opening import counting
from support.cli import Strike
from support.edits import append_to
from support.thorough import few_of

from strike_cli.campaign import session_snapshot
from strike_cli.campaign.journal import line_hash
from strike_cli.campaign.journal_entry_format import encode_entry
from strike_cli.campaign.session_index import UNINDEXED_ENTRIES
from strike_cli.campaign.state_file import StateHead, render_state
from strike_cli.systems.campaign.commands.reports import entries_known_to_audience

EACH, SESSIONS = 150, 4


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four sessions, made without playing them."""
    folder = make(tmp_path_factory.mktemp("years"))
    head, table = StateHead(11), None
    (folder / "journal").mkdir()
    for session in range(1, SESSIONS + 1):
        lines, offset, name = [], 0, f"{session:04d}.jsonl"
        for number in range(EACH):
            fact: dict[str, Any] = {"kind": "note", "who": "", "text": f"Number {number}.", "changes": []}
            command, args = "note", {"text": "x" * 200}
            if number == 0:
                new = {"number": session, "open": True, "started": "", "title": ""}
                fact |= {"kind": "session-started", "changes": [["session", table, new]]}
                command, args, table = "session start", {"title": f"Evening {session}"}, new
            entry = {
                "after": head.after,
                "seq": head.seq + 1,
                "at": f"2026-01-3{session % 2}T20:15:00Z",
                "session": session,
                "n": head.seq,
                "command": command,
                "args": args,
                "answers": [],
                "facts": [fact],
            }
            line = encode_entry(entry)
            head.include_entry(entry, (name, offset), (name, offset + len(line)), line_hash(line))
            offset += len(line)
            lines.append(line)
        (folder / "journal" / name).write_bytes(b"".join(lines))
    (folder / "state.toml").write_bytes(render_state(head, {"session": table}))
    return folder


@pytest.fixture
def folder(years: Path, tmp_path: Path) -> Path:
    return shutil.copytree(years, tmp_path / "years")


def _listed(strike: Strike, folder: Path) -> list[tuple[int, str, int]]:
    told = strike("session list --json", folder).json["data"]["sessions"]
    return [(each["session"], each["title"], each["entries"]) for each in told]


RIGHT = [(number, f"Evening {number}", EACH) for number in range(1, SESSIONS + 1)]


def test_sessions_are_read_once(folder: Path, strike: Strike) -> None:
    assert _listed(strike, folder) == RIGHT
    with counting(folder) as counts:
        assert _listed(strike, folder) == RIGHT
    assert counts["bytes"] <= (4 + 2 * SESSIONS) * 4096
    with counting(folder) as counts:
        said = strike("log --session 2 --last 2 --json", folder)
    assert [entry["seq"] for entry in said.json["data"]["entries"]] == [2 * EACH - 1, 2 * EACH]
    assert counts["bytes"] <= 3 * 65536
    whole = strike("log --session 2 --json", folder).json["data"]["entries"]
    assert [entry["seq"] for entry in whole] == list(range(EACH + 1, 2 * EACH + 1))


def test_what_came_since_is_told(folder: Path, strike: Strike) -> None:
    assert _listed(strike, folder) == RIGHT
    assert strike("note later", folder).code == 0
    assert strike("session end", folder).code == 0
    assert strike("session start --title Fifth", folder).code == 0
    assert _listed(strike, folder) == [*RIGHT[:-1], (4, "Evening 4", EACH + 2), (5, "Fifth", 1)]
    assert strike("undo", folder).code == 0
    said = strike("log --session 4 --last 1 --json", folder).json["data"]["entries"]
    assert said[-1]["command"] == "undo"


FORGED = {
    "nothing": b"",
    "no JSON": b"{]\nx",
    "another form": b"[]\n" + line_hash(b"[]").encode(),
    "a list of nothing": b'{"schema":1}\n' + line_hash(b'{"schema":1}').encode(),
}


CHANGED: dict[str, tuple[list[Any], Any]] = {
    "another journal's": (["after"], line_hash(b"another")),
    "longer": (["end", 1], 10**7),
    "outside": (["end", 0], "../../etc/passwd"),
    "text": (["sessions", 0, 1], {"deep": [1]}),
    "deep": (["sessions"], [[[[[]]]]]),
    "title": (["sessions", 1, 1], "Not so"),
    "count": (["sessions", 1, 2], 3),
    "far": (["sessions", 1, 6, 1], 10**7),
}
"""By somebody who knows how its end is reckoned: where, and what is put there."""


@pytest.mark.parametrize("how", few_of([*FORGED, "a number", *CHANGED]))
def test_an_index_that_is_forged_or_stale_is_made_anew(how: str, folder: Path, strike: Strike) -> None:
    assert _listed(strike, folder) == RIGHT
    path = folder / "journal" / "index.json"
    right = path.read_bytes()
    if how == "a number":
        forged = right.replace(f'",{EACH},"'.encode(), b'",999,"', 1)
    elif how in FORGED:
        forged = FORGED[how]
    else:
        (*way, last), value = CHANGED[how]
        place = table = json.loads(right.splitlines()[0])
        for key in way:
            place = place[key]
        place[last] = value
        text = json.dumps(table).encode()
        forged = text + b"\n" + line_hash(text).encode()
    assert forged != right
    path.write_bytes(forged)
    assert _listed(strike, folder) == RIGHT
    assert path.read_bytes() == right


def test_an_index_in_a_place_that_leads_elsewhere_is_left_alone(
    folder: Path, strike: Strike, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (folder / "journal" / "index.json").symlink_to(outside)
    assert _listed(strike, folder) == RIGHT
    assert outside.read_text() == "mine"


def test_a_short_journal_has_no_index(tmp_path: Path, strike: Strike) -> None:
    folder = make(tmp_path / "short")
    strike("session start", folder)
    assert strike("session list", folder).code == 0
    assert UNINDEXED_ENTRIES > 1
    assert not (folder / "journal" / "index.json").exists()


def test_how_far_a_target_is_told_is_known_without_reading_the_journal(folder: Path, strike: Strike) -> None:
    page = '\n[bridge.targets.page]\nkind = "table"\nurl = "http://127.0.0.1:1"\n'
    append_to(folder / "campaign.toml", page)
    with counting(folder) as counts:
        [told] = strike("bridge status --json", folder).json["data"]["targets"]
    assert told["acknowledged"] + told["lag"] == EACH * SESSIONS
    assert counts["bytes"] <= 2 * 65536 + 4 * 4096


# How it stood when a session began


LINES = (
    "session start --title One", "combat start ford",
    "combat initiative --dice 6,5,4,3",
    "override characters.vex.hp 4 --why x", "condition add brann angry --secret", "note first",
    "session end", "session start --title Two", "condition add vex angry", "combat end", "note second",
    "undo",
    "session end", "session start --title Three", "condition remove brann angry", "undo", "note third",
)  # fmt: skip
TOLD = ("log --session {} --player", "session report {}", "session report {} --player", "session story {}")


@pytest.mark.slow
@pytest.mark.parametrize("across", few_of([False, True], 2), ids=["", "undone across sessions"])
def test_a_session_is_told_by_its_own_entries(
    across: bool, tmp_path: Path, strike: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As from the first entry on, be it for the first time or from what was kept then."""
    folder = make(tmp_path)
    for line in (*LINES, *(["undo 4", "note fourth"] if across else [])):
        strike(line, folder)
    monkeypatch.setattr(session_snapshot, "MIN_ENTRIES_TO_STORE", 0)
    lines = [line.format(number) for number in (1, 2, 3) for line in TOLD]

    def told() -> list[str]:
        return [strike(f"{line} --json", folder).out for line in lines]

    with monkeypatch.context() as whole:
        whole.setattr(session_snapshot, "is_self_contained", lambda known, session: False)
        whole.setattr(entries_known_to_audience, "is_self_contained", lambda known, session: False)
        from_the_first = told()
    assert not [*folder.glob("journal/before-*")]
    assert "Angry" in from_the_first[1]
    assert told() == from_the_first
    kept = sorted(path.name for path in folder.glob("journal/before-*"))
    assert kept == ([] if across else ["before-2.json", "before-3.json"])
    assert told() == from_the_first
    for path in folder.glob("journal/before-*"):
        text = path.read_bytes().rpartition(b"\n")[0].replace(b'"vex"', b'"wax"')
        for forged in (b"{", text + b"\n" + line_hash(text).encode()):
            path.write_bytes(forged)
            assert strike("session report 2 --player --json", folder).code == 0
