"""Notes, and finding things again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike

from strike_cli.campaign.journal import Journal


def test_a_note_stands_in_the_log_and_is_found(in_campaign: Strike) -> None:
    in_campaign('note "The Ferryman lied" --about vex --about bra')
    in_campaign('note "The ferryman is a spy" --secret')
    told = in_campaign("log --player").out
    assert "Vex and Brann: The Ferryman lied" in told
    assert "spy" not in told
    found = in_campaign.json("find FERRYMAN")["data"]["played"]
    assert [one["text"] for one in found] == ["The ferryman is a spy", "Vex and Brann: The Ferryman lied"]
    assert "Nothing contains 'nowhere'." in in_campaign("find nowhere").out
    in_campaign('note " "', 2)
    in_campaign('find " "', 2)


def test_what_is_prepared_is_found_with_its_file(in_campaign: Strike) -> None:
    """In a text or in an id; not what comes with strike, and no key of a file."""
    found = in_campaign.json("find mill")["data"]["prepared"]
    assert found
    assert {one["where"] for one in found} == {"campaign.toml"}
    assert all("mill" in (one["id"] + one["name"] + one["text"]).lower() for one in found)
    assert in_campaign.json("find schema")["data"] == {"text": "schema", "prepared": [], "played": []}


def test_a_scene_is_found_by_its_text(folder: Path, in_campaign: Strike) -> None:
    (folder / "scenes").mkdir()
    (folder / "scenes" / "ford.md").write_text("# The Ford\n\nA warden with her *ladder*.\n")
    [one] = in_campaign.json("find ladder")["data"]["prepared"]
    assert one == {
        "kind": "scenes", "id": "ford", "name": "The Ford", "where": "scenes/ford.md",
        "text": "A warden with her *ladder*.",
    }  # fmt: skip


def test_only_the_newest_are_shown_and_keys_of_the_journal_are_no_text(in_campaign: Strike) -> None:
    for number in range(5):
        in_campaign(f'note "Bell {number}"')
    assert [one["text"] for one in in_campaign.json("find bell --most 2")["data"]["played"]] == [
        "Bell 4",
        "Bell 3",
    ]
    assert in_campaign.json("find changes")["data"]["played"] == []


def test_lines_that_have_a_text_are_found_across_blocks_and_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the length of lines, newest first, each once."""
    folder = tmp_path / "journal"
    folder.mkdir()
    texts = [
        "x" * 30, "Bell and bell", 'é Bell "quoted"', "", "Überfahrt", "bell" * 40, "На МОСТУ",
        '"facts": none',
    ]  # fmt: skip
    for name, some in (("0001.jsonl", texts[:3]), ("0002.jsonl", texts[3:])):
        lines = [json.dumps(_entry(texts.index(text) + 1, text), ensure_ascii=False) + "\n" for text in some]
        (folder / name).write_text("".join(lines), encoding="utf-8")

    def found(text: str) -> list[int]:
        return [entry["seq"] for entry in Journal(tmp_path).entries_that_may_report_text(text)]

    for size in (7, 64, 300, 2**20):
        monkeypatch.setattr("strike_cli.campaign.journal._SEARCH_BLOCK_BYTES", size)
        with case(size):
            assert (found("bell"), found('bell "quoted')) == ([6, 3, 2], [3])
            assert (found("überfahrt"), found("é"), found("мост")) == ([5], [3], [7])
            assert 8 in found("facts")
    assert (found("facts"), found("changes")) == ([8], [])


def _entry(seq: int, text: str) -> dict[str, object]:
    fact = {"kind": "note-taken", "who": "", "text": text, "changes": []}
    return {
        "seq": seq, "at": "2026-01-31T20:15:00Z", "session": 1, "n": seq, "command": "note", "args": {},
        "answers": [], "facts": [fact],
    }  # fmt: skip
