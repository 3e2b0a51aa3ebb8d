"""Identities of results come from the campaign: the same whatever is lost and whichever copy tells."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.evening import Evening

from strike_bridge.push_follow_and_sync import resend_result_or_requeue_item
from strike_bridge.settings import Settings
from strike_cli.campaign.journal import Journal, hash_identifying_entry, key_for_hashing_entry_ids
from strike_cli.cli.app import run_command_line_or_complete

from .helpers import Told, told
from .servers.base import answers, running
from .servers.encounterplus import EncounterPlus
from .servers.table import BadTable
from .servers.webhook import Receiver


@pytest.fixture
def logged(fight: Told, receiver: Receiver) -> Told:
    """A fight that a webhook logs."""
    return fight.tell(receiver, Settings("log", "webhook", receiver.url))


def ids(receiver: Receiver) -> list[str]:
    return [call.headers["webhook-id"] for call in receiver.calls if b"strike.result" in call.raw]


def test_a_result_has_one_identity_whatever_is_lost(logged: Told, receiver: Receiver, tmp_path: Path) -> None:
    for face in (1, 2):
        logged.roll(face)
    logged.told()
    first = ids(receiver)
    assert len({*first}) == len(first) == 4
    copy = Path(shutil.copytree(logged.folder, tmp_path / "copy", ignore=shutil.ignore_patterns("bridge")))
    receiver.calls.clear()
    told(copy, logged.settings)
    assert ids(receiver) == first, "on a second machine"
    (logged.folder / "bridge" / "log.json").write_text("{")
    receiver.calls.clear()
    assert not logged.push(turn_on=True).error, "named, too"
    assert ids(receiver) == first, "without its cursor"


@pytest.mark.parametrize("kind", ["table", "encounterplus"])
def test_another_campaigns_lines_of_the_same_numbers_are_no_answer(
    kind: str, evening: Evening, tmp_path: Path, bad_table: BadTable
) -> None:
    """Where a target's file is lost it is asked what it was told: a line of that number may be another's."""
    other = Evening(tmp_path / "other")
    with running(EncounterPlus()) as app:
        there = Settings("there", kind, bad_table.url if kind == "table" else app.url)
        lines = bad_table.results if kind == "table" else app.messages
        for each, face in ((evening, 2), (other, 5)):
            each.start()
            each.roll(face)
            lines.clear()
            told(each.folder, there)
        for _ in range(2):
            (evening.folder / "bridge" / "there.json").unlink()
            told(evening, there)
            for face in (2, 5):
                rolled = [line for line in lines if f"6: {face}." in json.dumps(line)]
                assert len(rolled) == 1, lines


def test_a_resend_has_the_identity_of_the_first_try(logged: Told, receiver: Receiver) -> None:
    logged.told()
    logged.roll(3)
    receiver.calls.clear()
    receiver.faults = [answers(422)]
    logged.told()
    (item,) = logged.cursor.review
    resend_result_or_requeue_item(logged.folder, logged.settings, item["id"])
    assert len(ids(receiver)) == 2
    assert len({*ids(receiver)}) == 1


def test_nobody_guesses_an_entry_by_its_identity(logged: Told, receiver: Receiver) -> None:
    logged.told()
    journal = Journal(logged.folder)
    entries = list(journal.newest_entries(9))
    assert len(key_for_hashing_entry_ids(journal)) == 16
    said = json.dumps(ids(receiver))
    assert not any(
        hash_identifying_entry(entry) in said or f"msg_{entry['seq']}_" in said for entry in entries
    )
    assert sum("identity" in entry for entry in entries) == 1


def test_a_script_of_another_branch_keeps_identities(fight: Evening) -> None:
    fight.roll(3)
    (entry,) = Journal(fight.folder).newest_entries(1)
    again = {"command": "roll die", "args": {"n": 1, "sides": 6, "who": "vex"}, "dice": [3]}
    again["was"] = hash_identifying_entry(entry)
    assert run_command_line_or_complete(["-C", str(fight.folder), "again", json.dumps(again)]) == 0
    (played,) = Journal(fight.folder).newest_entries(1)
    assert played["seq"] != entry["seq"]
    assert hash_identifying_entry(played) == hash_identifying_entry(entry)
