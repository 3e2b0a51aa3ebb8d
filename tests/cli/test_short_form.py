"""Lines of the journal leave out what goes without saying, and nothing is lost by it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cli import Strike
from support.journals import entries_of

from strike_cli.campaign.journal import Journal, encode
from strike_cli.campaign.short_form import WHOLE, shortened

ROLL = {
    "purpose": "attack", "who": "vex", "sides": 6, "faces": [2, 5], "mode": "advantage", "kept": 5,
    "modifiers": [{"value": 1, "reason": "high ground"}], "total": 6,
    "sources": [{"kind": "advantage", "reason": "a rope"}],
}  # fmt: skip
PLAIN = ROLL | {"faces": [4], "mode": "plain", "kept": 4, "modifiers": [], "total": 4, "sources": []}


def rolls() -> st.SearchStrategy[dict[str, Any]]:
    """Rolls, and what is like one but for a key or a value."""
    values = st.none() | st.integers(-3, 12) | st.sampled_from(["vex", "plain", "", "disadvantage"])
    odd = st.dictionaries(st.sampled_from(sorted(ROLL)), values | st.lists(st.integers(1, 6)), max_size=2)
    without = st.sets(st.sampled_from([*sorted(ROLL), "no key"]), max_size=1)
    return st.builds(
        lambda roll, more, less: {key: value for key, value in {**roll, **more}.items() if key not in less},
        *(st.sampled_from([ROLL, PLAIN]), odd, without),
    )


def facts() -> st.SearchStrategy[dict[str, Any]]:
    words = st.sampled_from(["", "vex", "It rains."])
    more = st.fixed_dictionaries(
        {}, optional={"roll": rolls(), "note": words, "rolls": st.lists(rolls(), max_size=2), "by": words}
    )
    changes = st.lists(
        st.tuples(st.sampled_from(["day", "pendulum", "pending", "pending.fight"]), st.none(), words).map(
            list
        )
    )
    head = st.fixed_dictionaries({"kind": st.just("rolled"), "who": words, "text": words})
    return st.builds(lambda head, more, changes: {**head, **more, "changes": changes}, head, more, changes)


def entry_of(facts: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "after": "", "seq": 1, "at": "2026-11-22T20:00:00Z", "session": 1, "n": 0, "command": "roll",
        "args": {"who": "vex", "dc": None}, "answers": [["attack", [4]]], "facts": facts, "names": {}, **more,
    }  # fmt: skip


def written_and_read(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry as its line has it, read again by the one that reads all lines, its form unchecked."""
    from strike_cli.campaign.short_form import lengthen

    line = encode(shortened(entry, lambda scene, item: None))
    found: dict[str, Any] = json.loads(line)
    lengthen(found)
    return {"names": {}, **found}


@pytest.mark.slow
@given(st.lists(facts(), max_size=3))
def test_what_is_written_is_read(told: list[dict[str, Any]]) -> None:
    """Be it a roll, or something of a plugin's that only looks like one."""
    entry = entry_of(told)
    assert written_and_read(entry) == entry


def test_a_plain_roll_is_a_purpose_and_its_faces() -> None:
    entry = entry_of([{"kind": "rolled", "who": "vex", "text": "", "roll": PLAIN, "changes": []}])
    short = shortened(entry, lambda scene, item: None)
    assert short["facts"] == [{"kind": "rolled", "who": "vex", "roll": {"purpose": "attack", "faces": [4]}}]
    odd = entry_of([{"kind": "x", "who": "", "text": "", "roll": {"faces": [4]}, "changes": []}])
    assert shortened(odd, lambda scene, item: None)[WHOLE]


ASKS = ("roll skill vex riding --dice 6", "roll die d6 --dice 2", "choose learn")


@pytest.fixture
def decided(in_campaign: Strike, folder: Path) -> Path:
    """Where a decision waited, with something else played meanwhile."""
    for line in ASKS:
        in_campaign(line, None)
    return folder


def test_a_decision_stands_once_in_the_journal(decided: Path, in_campaign: Strike) -> None:
    """Where it is over, the line has the place of the one that asked it; whoever reads it has all of it."""
    raw = (decided / "journal" / "0001.jsonl").read_bytes().splitlines(keepends=True)
    assert json.loads(raw[2])["facts"][0]["changes"][0][1] == {"roll vex": ["0001.jsonl", 0]}
    asked, _, ended = entries_of(decided)
    assert ended["facts"][0]["changes"][0][1] == asked["facts"][0]["changes"][0][2]
    assert asked["facts"][0]["changes"][0][2]["roll vex"]["args"]["skill"] == "Riding"
    shown = in_campaign.json("log --last 1")["data"]["entries"][0]["facts"][0]["changes"]
    assert shown == ended["facts"][0]["changes"]
    kept = (decided / "state.toml").read_bytes()
    in_campaign("undo")
    state = tomllib.loads((decided / "state.toml").read_text("utf-8"))
    assert state["pending"]["roll vex"]["what"] == "learn"
    in_campaign("redo")
    assert (decided / "state.toml").read_bytes().partition(b"[strike]")[0] == kept.partition(b"[strike]")[0]
    assert in_campaign.json("replay --verify")["data"]["differences"] == []


def test_a_decision_that_is_not_where_a_line_says_is_not_undone(decided: Path, in_campaign: Strike) -> None:
    """It is read all the same; undo would put nothing in its place."""
    file = decided / "journal" / "0001.jsonl"
    entry = Journal(decided).at(("0001.jsonl", len(b"".join(file.read_bytes().splitlines(True)[:2]))))
    assert entry["seq"] == 3
    file.write_bytes(file.read_bytes().replace(b'["0001.jsonl",0]', b'["0001.jsonl",7]'))
    (decided / "state.toml").unlink()
    in_campaign("log")
    assert "is not asked where it says" in in_campaign("undo", code=3).err
