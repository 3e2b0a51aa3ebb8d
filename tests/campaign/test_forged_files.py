"""Forged files of those that strike keeps and reads back: proposals, the bridge's bookkeeping, what waits. An
answer to each, no traceback, no hang. A hundred everyday, thousands with STRIKE_THOROUGH=1."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from campaign.in_time import in_time
from support import mutate
from support.cases import case
from support.cli import Strike
from support.evening import Evening
from support.thorough import few_of

from strike_bridge.delivery_cursor import load_or_make_cursor
from strike_cli.campaign import Campaign, session_index
from strike_cli.campaign.journal import line_hash
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.phones import proposals
from strike_cli.stored_data_check import fits_form

THOROUGH = bool(os.environ.get("STRIKE_THOROUGH"))
SEED = int(os.environ.get("SOAK_SEED", 1))
SECONDS = float(os.environ.get("SOAK_SECONDS", "inf"))
FIGURES = os.environ.get("SOAK_FIGURES")
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


def forged(name: str, data: bytes, chance: random.Random) -> bytes:
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
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), in_time():
            code = run_command_line_or_complete(["-C", str(folder), "bridge", "push", "--dry-run"])
        assert code == 3 and "is not a position in the journal" in out.getvalue()


@pytest.mark.parametrize("name", few_of(FILES, 5))
def test_any_kept_file_gets_an_answer(name: str, kept: Path, tmp_path: Path) -> None:
    deadline, tried = time.monotonic() + SECONDS, 0
    for number in range(1500 if THOROUGH else 25):
        if time.monotonic() > deadline:
            break
        tried += 1
        chance = random.Random(f"{name} {SEED}.{number}")
        folder = tmp_path / "ferry"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(kept, folder)
        (folder / name).write_bytes(forged(name, (kept / name).read_bytes(), chance))
        for words in FILES[name]:
            out = io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), in_time():
                code = run_command_line_or_complete(["-C", str(folder), *words.split()])
            assert code in range(7), (name, number, words, out.getvalue())
            assert code == 0 or out.getvalue().strip(), (name, number, words)
    if FIGURES:
        with open(FIGURES, "a", encoding="utf-8") as file:
            file.write(f"forged {tried}\n")


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


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (_map(line_of_sight=[WALL * 30_000]), "points of walls"),
        (_map(line_of_sight=[WALL] * 15_000, portals=[DOOR] * 1900), "walls by doors"),
        (_map(portals=[DOOR] * 3000), "doors"),
        (_map()[:-1] + ', "x": ' + "[" * 100_000, "too deeply nested"),
    ],
    ids=["points", "doors by walls", "doors", "deep"],
)
def test_a_map_has_a_size_and_a_time(folder: Path, in_campaign: Strike, text: str, why: str) -> None:
    (folder / "a.dd2vtt").write_text(text, "utf-8")
    with in_time():
        assert why in in_campaign(f"map import {folder}/a.dd2vtt --name a").err


def test_a_file_to_import_is_a_plain_one_of_some_megabytes(folder: Path, in_campaign: Strike) -> None:
    with open(folder / "a.dd2vtt", "wb") as file:
        file.truncate(65 * 1024 * 1024)
    assert "larger than 64 MiB" in in_campaign(f"map import {folder}/a.dd2vtt --name a").err
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "b.dd2vtt")
        with in_time():
            assert "not a plain file" in in_campaign(f"map import {folder}/b.dd2vtt --name b").err
