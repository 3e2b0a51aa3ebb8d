"""Where the campaign keeps creatures' HP to itself, nothing that is sent tells them, in words or dice."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from support.evening import CAMPAIGN, Evening

from strike_bridge.journal_reader import JournalReader, apply_facts_to_shown_tables
from strike_bridge.journal_results import posts_of_entry
from strike_bridge.settings import Settings
from strike_cli.campaign.journal import START
from strike_cli.problems import Refused
from strike_cli.visibility.audiences import Audience

from .helpers import Told
from .servers.table import BadTable

SEEDS = range(60 if os.environ.get("STRIKE_THOROUGH") else 2)
CREATURES = ("goblin-1", "goblin-2", "lurker", "ogre")


@pytest.fixture
def evening(evening: Told, bad_table: BadTable, settings: Settings) -> Told:
    return evening.tell(bad_table, settings)


def campaign_with(more: int) -> str:
    """Creatures with so much more HP or boxes that nothing which may be seen of them depends on it."""
    text = CAMPAIGN.replace("hp = 4\n", f"hp = {300 + more}\nmelee = {{ damage = 1 }}\n")
    text = text.replace("hp = 6\n", f"hp = {310 + more}\n")
    ogre = f'[creatures.ogre]\nname = "Ogre"\ntier = "champion"\nhp = {350 + more}\n[encounters.ford]\n'
    text = text.replace("[encounters.ford]\n", ogre).replace("........\n", "......O.\n")
    return text.replace('L = "lurker" }', 'L = "lurker", O = "ogre" }')


def play_on(evening: Evening, chance: random.Random, count: int) -> None:
    """Blows, wounds and cures, as a fight has them."""
    evening.start()
    evening.play("combat initiative", [4, 3, 2, 1, 5, 6, 6])
    for _ in range(count):
        who = chance.choice(CREATURES)
        what = chance.randrange(5)
        try:
            if what == 0:
                evening.play("combat heal", who=who, amount=chance.randint(1, 8), why="")
            elif what == 1:
                evening.undo()
            elif what == 2:
                evening.happen(("hid", who, f"{who} is seen.", {f"fight.combatants.{who}.hidden": None}))
            else:
                evening.play("combat damage", who=who, amount=chance.randint(1, 8), why="a branch")
        except Refused:
            continue


def results(evening: Evening, hp: str, gm: bool) -> list[dict[str, Any]]:
    """What is sent of the journal, without the times of day."""
    journal, found = JournalReader(evening.folder), []
    backlog = journal.read_backlog(START, 0)
    state = backlog.before
    for entry, *_ in backlog.entries:
        posts = posts_of_entry(entry, state, journal.entry_beginning_at, gm=gm, players=Audience(meters=hp))
        found += [{**post.result, "at": None} for post in posts if not post.result["secret"]]
        state = apply_facts_to_shown_tables(state, entry["facts"])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gm", [False, True])
def test_results_are_the_same_whatever_the_hp(tmp_path: Path, seed: int, gm: bool) -> None:
    """Of two fights that differ in creatures' HP alone, players hear the same: so nothing tells them."""
    evenings = []
    for more in (0, 77):
        evening = Evening(tmp_path / f"ferry-{more}")
        (evening.folder / "campaign.toml").write_text(campaign_with(more), encoding="utf-8")
        play_on(evening, random.Random(seed), 12)
        evenings.append(evening)
    for hp in ("bar", "wounds", "none"):
        one, other = (results(evening, hp, gm) for evening in evenings)
        assert one == other
        assert any("damage from a branch." in result["text"] for result in one)
    exact = [results(evening, "exact", gm) for evening in evenings]
    assert exact[0] != exact[1], "here they are told, so the evenings do differ"


@pytest.mark.parametrize("hp", ["bar", "wounds", "none"])
def test_no_request_has_a_creatures_hp(evening: Told, hp: str) -> None:
    (evening.folder / "campaign.toml").write_text(campaign_with(0), encoding="utf-8")
    evening.start()
    evening.told(hp=hp)
    for who in ("goblin-1", "ogre"):
        evening.play("combat damage", who=who, amount=3, why="a branch")
        evening.play("combat heal", who=who, amount=2, why="a herb")
        evening.told(hp=hp)
    evening.play("combat damage", who="vex", amount=3, why="a branch")
    evening.undo()
    evening.told(hp=hp)
    sent = json.dumps(evening.server.seen)
    assert not re.search(r"\b(300|297|299|350|347|349|310)\b", sent)
    assert "Goblin 1 takes 3 damage from a branch." in sent
    assert "Goblin 1 regains HP from a herb." in sent
    assert "Vex takes 3 damage from a branch: 10 to 7 HP." in sent, "the party's are told"


def test_words_that_the_rules_have_none_for_are_withheld(fight: Evening) -> None:
    """A plugin's fact that changes HP and does not say how to tell of it without."""
    fight.happen(("drained", "goblin-1", "Down to 1 HP!", {"fight.combatants.goblin-1.hp": 1}))
    fight.happen(("drained", "vex", "Vex is down to 1 HP!", {"fight.combatants.vex.hp": 1}))
    texts = [result["text"] for result in results(fight, "none", gm=False)]
    assert "Down to 1 HP!" not in texts
    assert "Vex is down to 1 HP!" in texts
