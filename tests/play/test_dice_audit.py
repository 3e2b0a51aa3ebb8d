"""Dice that can't be fished for: what was seen, undone, typed or rolled anew is marked; `dice audit` shows
that the rest is the seed's, in order."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike

from strike_cli.campaign.journal import line_hash
from strike_cli.campaign.journal_entry_format import encode_entry


def rolls(strike: Strike, code: int = 0) -> dict[int, dict[str, Any]]:
    """What the audit says, by the number of the entry."""
    return {roll["seq"]: roll for roll in strike.json("dice audit", code)["data"]["rolls"]}


def test_where_dice_come_from(in_campaign: Strike) -> None:
    played = (
        ("roll die 2d6", "of the seed"),
        ("roll die 2d6 --dice 5,2", "typed by hand"),
        ("roll die 2d6 --reroll", "rolled anew"),
        ("roll die 2d6 --seed 9", "of a seed of their own"),
        ("note hm", None),
    )
    for words, _ in played:
        in_campaign(words)
    found = rolls(in_campaign)
    for seq, (words, source) in enumerate(played, 1):
        with case(words):
            assert found.get(seq, {}).get("source") == source
    assert "(seed 9)" in in_campaign("log").out


def test_what_was_seen_and_undone_is_marked(in_campaign: Strike) -> None:
    """In the log, in the game master's report, and by the audit. Dice typed by hand show no others."""
    in_campaign("session start")
    fell = in_campaign.json("roll die 3d6")["data"]["rolls"][0]["faces"]
    in_campaign("undo")
    in_campaign("roll die 3d6 --dice 1,1,1")
    in_campaign("undo")
    in_campaign("note who knows")
    in_campaign("roll die d6")
    log = in_campaign("log").out
    assert "(undone, dice seen) 3d6" in log and "(undone) 3d6: 1, 1, 1" in log
    assert "(dice seen before in #2)" in log
    assert "[dice seen before in #2]" in in_campaign("session report").out
    assert "seen before" not in in_campaign("session report --player").out + in_campaign("log --player").out
    found = rolls(in_campaign)
    assert found[7]["faces"][0] == [fell[0]]
    assert [(roll["undone"], roll["seen"]) for roll in found.values()] == [(True, 0), (True, 0), (False, 2)]
    in_campaign("roll die")
    assert "seen" not in in_campaign("log --last 1").out, "nobody has seen that one"


def test_an_answer_taken_back_has_shown_the_dice_behind_it(in_campaign: Strike) -> None:
    in_campaign("roll skill vex Climbing --dice 3", 6)
    in_campaign("choose winded")
    in_campaign("undo")
    in_campaign("choose angry")
    assert all(roll["source"] == "typed by hand" and not roll["seen"] for roll in rolls(in_campaign).values())


@pytest.mark.parametrize("seed", range(3))
def test_any_evening_is_sound_and_marks_what_was_seen(in_campaign: Strike, seed: int) -> None:
    """The entries marked are those whose dice an undone one had: found again here from the numbers alone."""
    random = Random(seed)
    for _ in range(25):
        words = random.choice(
            ("roll die 2d6", "roll die d20", "roll die --dice 3", "note hm", "undo", "redo")
        )
        in_campaign(words, None)
    found = rolls(in_campaign)
    assert {roll["source"] for roll in found.values()} <= {"of the seed", "typed by hand"}
    shown: dict[int, int] = {}
    by_seq: dict[int, dict[str, Any]] = {}
    for entry in in_campaign.json("log --last 100")["data"]["entries"]:
        by_seq[entry["seq"]] = entry
        for fact in entry["facts"] if "head" in entry else ():
            of = [by_seq[seq] for seq in fact["of"] if found.get(seq, {}).get("source") == "of the seed"]
            for one in of:
                if fact["kind"] == "undone":
                    shown[one["n"]] = one["seq"]
                else:
                    shown.pop(one["n"])
        if found.get(entry["seq"], {}).get("source") == "of the seed":
            assert found[entry["seq"]]["seen"] == shown.pop(entry["n"], 0)


def test_changed_dice_are_found(in_campaign: Strike, folder: Path) -> None:
    """Other faces, another number, another salt: each by an entry that is linked as it should be."""
    for words in ("note hm", "roll die 2d6", "roll die 2d6", "roll die 2d6 --reroll"):
        in_campaign(words)
    [file] = (folder / "journal").glob("0*.jsonl")
    entries = [json.loads(line) for line in file.read_bytes().splitlines()]
    forged = {
        "changed: not of the seed": (2, {"answers": [[entries[2]["answers"][0][0], [6, 6]]]}),
        "out of order": (2, {"n": 7}),
        "out of order ": (3, {"reroll": 1}),
    }
    for source, (at, change) in forged.items():
        with case(source):
            after = ""
            lines = []
            for number, entry in enumerate(entries):
                lines.append(encode_entry({**entry, **(change if number == at else {}), "after": after}))
                after = line_hash(lines[-1])
            file.write_bytes(b"".join(lines))
            (folder / "state.toml").unlink(missing_ok=True)
            assert rolls(in_campaign, 3)[at + 1]["source"] == source.strip()
