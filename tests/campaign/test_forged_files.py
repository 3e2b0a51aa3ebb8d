"""Forged files of those that strike keeps and reads back: proposals, the bridge's bookkeeping, what waits. An
answer to each, no traceback, no hang. A hundred everyday, thousands with STRIKE_THOROUGH=1."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest
from campaign.in_time import in_time
from support import mutate
from support.cases import case
from support.cli import Strike, run_in
from support.evening import Evening
from support.soak import SEED, chances
from support.thorough import THOROUGH, few_of

from strike_bridge.delivery_record import load_or_make_cursor
from strike_cli.campaign import Campaign, session_index
from strike_cli.campaign.journal import line_hash
from strike_cli.phones import proposals
from strike_cli.stored_data_check import fits_form

FILES = {
    "bridge/proposals.json": ["proposals", "accept", "decline 1", "status"],
    "bridge/table.waits": ["status", "bridge status"],
    "bridge/table.json": [
        "bridge status", "bridge review", "bridge link", "bridge doctor", "bridge push --dry-run",
        "bridge drop table 3",
    ],
    "journal/index.json": ["session list", "log --session 1 --last 3", "log --session 1"],
    "bridge/table.lines": ["bridge status", "bridge review", "bridge push --dry-run"],
}  # fmt: skip


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in whose folder lies one of each."""
    evening = Evening(tmp_path_factory.mktemp("kept") / "ferry")
    evening.start()
    folder = evening.folder
    proposals.add_or_replace_proposal(folder, "vex", ["combat", "move", "vex", "C2"], "Vex moves")
    ended = proposals.add_or_replace_proposal(folder, "brann", ["roll", "d6"], "Brann rolls", [3])
    proposals.end_proposal(folder, ended, "declined", "not now")
    proposals.add_or_replace_proposal(folder, "brann", ["roll", "d6"], "again")
    cursor = load_or_make_cursor(folder, "table")
    cursor.links, cursor.made, cursor.unlinked = {"vex": "t1"}, ["vex"], ["brann"]
    cursor.add_or_replace_review_item("3", "A roll", "refused", seq=3, result={"id": "3", "text": "A roll"})
    cursor.next_attempt, cursor.last_error = 1e9, "it answered 503"
    token: dict[str, Any] = {"position": {"x": 1, "y": 2}, "meters": [], "hp": None}
    cursor.tokens, cursor.scene = {"vex": token}, {"id": "ford"}
    cursor.save(folder)
    cursor.acknowledged, cursor.again = 1, {"token:vex": 1.0}
    cursor.asked_at, cursor.runs, cursor.stays = {"token:vex": 1.0}, {"1": 1}, {"vex hp": "3"}
    cursor.save(folder)
    with pytest.MonkeyPatch.context() as patch, Campaign(folder) as campaign:
        patch.setattr(session_index, "UNINDEXED_ENTRIES", 0)
        session_index.read_sessions_and_update_index(campaign.journal)
    (folder / "bridge" / "table.waits").write_text(json.dumps({"vex": "Vex from C3 to D5"}), "utf-8")
    return folder


def forged(name: str, data: bytes, chance: Random) -> bytes:
    """The file with something wrong in it."""
    if chance.random() < 0.25:
        return mutate.raw(data, chance)
    if name.endswith(".lines"):
        return mutate.journal(data, chance)
    if name.endswith("index.json"):  # by somebody who knows how its end is reckoned
        text = json.dumps(mutate.tree(json.loads(data.splitlines()[0]), chance)).encode("utf-8", "replace")
        return text + b"\n" + line_hash(text).encode()
    return json.dumps(mutate.tree(json.loads(data), chance)).encode("utf-8", "replace")


def test_a_place_that_no_journal_has_is_told(kept: Path, tmp_path: Path) -> None:
    """Found by `make soak`, seed 29: a file's name that is none was a traceback in `push --dry-run`."""
    folder = tmp_path / "ferry"
    shutil.copytree(kept, folder)
    path = folder / "bridge" / "table.json"
    whole = json.loads(path.read_text("utf-8").splitlines()[0])
    for place in ("[]", "0001.jsonl.0", None, -1):
        path.write_text(json.dumps({**whole, "position": [place, 0]}), "utf-8")
        with in_time():
            code, said = run_in(folder, "bridge push --dry-run")
        assert code == 3 and "is not a position in the journal" in said


@pytest.mark.parametrize("name", few_of(FILES, 5))
def test_any_kept_file_gets_an_answer(name: str, kept: Path, tmp_path: Path) -> None:
    numbers = range(1500 if THOROUGH else 25)
    for what, chance in chances("forged", (f"{name} {SEED}.{number}" for number in numbers)):
        folder = tmp_path / "ferry"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(kept, folder)
        (folder / name).write_bytes(forged(name, (kept / name).read_bytes(), chance))
        for words in FILES[name]:
            with in_time():
                code, said = run_in(folder, words)
            assert code in range(7), (what, words, said)
            assert code == 0 or said.strip(), (what, words)


def test_what_does_not_fit() -> None:
    for value in (
        {"id": True, "words": ["a"]}, {"id": 2**63, "words": []}, {"id": 1}, {"id": 1, "words": "a"},
        {"id": 1, "words": [1]}, [], None, {"id": 1, "words": [], "at": float("inf")},
        {"id": 1, "words": ["half a letter: \ud800"]},
    ):  # fmt: skip
        with case(value):
            form = {"id": int, "words": [str], "at?": (float, None)}
            assert not fits_form(value, form)
            assert fits_form({"id": 1, "words": ["a"], "at": None, "more": 1}, form)
    assert fits_form({"Zoë": 1}, {str: int}) and not fits_form({"\udc9b": 1}, {str: int})


# Imports


def _map(**more: Any) -> str:
    size = {"map_size": {"x": 20, "y": 20}, "pixels_per_grid": 70}
    return json.dumps({"format": 0.3, "resolution": size, **more})


WALL = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
DOOR = {"bounds": WALL, "closed": True}


def test_a_map_has_a_size_and_a_time(folder: Path, in_campaign: Strike) -> None:
    for text, why in (
        (_map(line_of_sight=[WALL * 30_000]), "points of walls"),
        (_map(line_of_sight=[WALL] * 15_000, portals=[DOOR] * 1900), "walls by doors"),
        (_map(portals=[DOOR] * 3000), "doors"),
        (_map()[:-1] + ', "x": ' + "[" * 100_000, "too deeply nested"),
    ):
        (folder / "a.dd2vtt").write_text(text, "utf-8")
        with case(why), in_time():
            assert why in in_campaign(f"map import {folder}/a.dd2vtt --name a").err


def test_a_file_to_import_is_a_plain_one_of_some_megabytes(folder: Path, in_campaign: Strike) -> None:
    with open(folder / "a.dd2vtt", "wb") as file:
        file.truncate(65 * 1024 * 1024)
    assert "larger than 64 MiB" in in_campaign(f"map import {folder}/a.dd2vtt --name a").err
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "b.dd2vtt")
        with in_time():
            assert "not a plain file" in in_campaign(f"map import {folder}/b.dd2vtt --name b").err
