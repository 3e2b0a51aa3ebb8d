"""What is read of a campaign: the same whether it is read anew or from where it was read last."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from support.evening import Evening

from strike_bridge.journal_reader import JournalReader
from strike_cli.campaign.journal import START

from .test_faulty_servers import play_on


@pytest.mark.parametrize("seed", range(4))
def test_reading_on_is_as_good_as_reading_anew(evening: Evening, seed: int) -> None:
    chance = random.Random(seed)
    evening.start()
    journal, position, acknowledged = JournalReader(evening.folder), START, 0
    for _ in range(8):
        play_on(evening, chance, chance.randint(0, 3))
        found = journal.read_backlog(position, acknowledged)
        assert found == JournalReader(evening.folder).read_backlog(position, acknowledged)
        if found.entries:
            entry, position, _ = found.entries[chance.randrange(len(found.entries))]
            acknowledged = entry["seq"]


def test_a_journal_that_was_put_back_is_read_anew(fight: Evening, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(fight.folder, tmp_path / "copy"))
    fight.roll(1)
    fight.roll(2)
    journal = JournalReader(fight.folder)
    assert len(journal.read_backlog(START, 0).entries) == 4
    shutil.rmtree(fight.folder)
    shutil.copytree(copy, fight.folder)
    fight.roll(5)
    fight.roll(6)
    found = journal.read_backlog(START, 0)
    assert [line.entry["facts"][0]["text"][-2:] for line in found.entries[2:]] == ["5.", "6."]
    assert found == JournalReader(fight.folder).read_backlog(START, 0)
