"""Whole conflicts and chases as they are typed: every command opens the campaign anew; all of it is taken
back step by step and put back again; nobody is told a secret too soon, on a screen or over the bridge."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.thorough import THOROUGH

from strike_bridge.journal_reader import undo_facts_in_shown_tables
from strike_bridge.journal_results import posts_of_entry
from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import START
from strike_cli.session.tab_completion import find_completions

CONFLICT = (
    "conflict start Council --intent 'a road' --against 'The Company' --their-intent 'a toll' --advance 3 "
    "--defense 3 --trait 'Old money' --our-trait Versatility",
    "conflict prep vex scout --dice 4", "conflict scout --dice 3",
    "conflict oppose total-defense",
    "conflict act vex progress", "conflict act brann block",
    "conflict act odo calculated-risk --skill Cooking",
    "conflict act vesna --secondary advance --skill Riding --dice 3", "choose winded",
    "conflict roll", "choose advance --dice 4,6,2,5", "conflict hit ours versatility",
    "conflict oppose recover", "conflict act vex targeted-effort --skill Climbing",
    "conflict act brann progress", "conflict act odo pass", "conflict act vesna observe --skill Riding",
    "conflict roll --dice 5,6,1,1,5", "conflict hit theirs old-money", "conflict withdraw odo",
    "conflict scout --dice 1", "conflict oppose progress",
    "conflict act vex progress", "conflict act brann pass", "conflict act vesna pass",
    "conflict roll --dice 1,2,3 --weigh none", "conflict avert vex", "conflict concede", "conflict end",
)  # fmt: skip
BOTH = (
    "conflict start Regatta --intent 'the cup' --their-intent 'the same' --against 'The other boat' "
    "--team vex brann --their-team odo --their-team vesna",
    "conflict prep odo seize --dice 6",
    "conflict act vex observe --skill Climbing", "conflict act odo obscure --skill Cooking --next defense",
    "conflict act brann calculated-risk --skill Hauling",
    "conflict act vesna --secondary defense --skill Cooking --dice 3",
    "conflict roll --dice 1,6,1,6",
    "conflict act vex targeted-effort --skill Climbing", "conflict act brann pass",
    "conflict act odo win-at-all-costs --skill Cooking", "conflict act vesna pass",
    "conflict roll --dice 1,1,6,6", "conflict avert vex", "conflict concede --theirs", "conflict end",
    "choose cheap winded angry",
)  # fmt: skip
CHASE = (
    "chase start Roofs --runners vex odo --chasers goblin brann --danger 1",
    "chase predict hide --secret", "chase run flee", "chase shoot odo --at chasers",
    "chase roll --dice 5,4,3,6", "choose brann", "chase danger down",
    "chase run set-up", "chase predict set-up", "chase roll --dice 4,2,5",
    "chase run risk", "chase predict flee", "chase roll --dice 5,3", "choose follow --dice 4",
    "chase run flee", "chase predict hide", "chase shoot goblin --at runners --driving",
    "chase roll --dice 4,5,4,3,2",
    "chase run hide", "chase predict risk", "chase roll --dice 3,3", "choose complication-1", "choose cheap",
    "chase end",
)  # fmt: skip
FIGHT = (
    "combat start yard --party vex --party odo --party brann", "combat initiative --seed 3",
    "combat status add vex weakened", "combat status add vex slowed", "combat status remove vex weakened",
    "combat zone add Fog C3", "combat zone remove fog", "combat auto --fight",
)  # fmt: skip
EVENINGS = {"conflict": CONFLICT, "both sides": BOTH, "chase": CHASE}


def state_of(folder: Path) -> str:
    """state.toml as it is written, but for the tool's own bookkeeping at its end."""
    path = folder / "state.toml"
    text = path.read_text().partition("\n# The tool's own bookkeeping")[0] if path.exists() else "\n\n"
    return text.partition("\n\n")[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", EVENINGS)
def test_there_and_back(in_campaign: Strike, folder: Path, name: str) -> None:
    """STR-TC-01 to 16, STR-CH-01 to 07: a restart between any two commands; undo and redo at every step, also
    over a reveal and an open decision; the record plays again."""
    states = []
    for line in EVENINGS[name]:
        states.append(state_of(folder))
        came = in_campaign(line, None)
        assert came.code in (0, 6), (line, came)
    states.append(state_of(folder))
    for before in reversed(states[:-1]):
        in_campaign("undo")
        assert state_of(folder) == before
    for after in states[1:]:
        in_campaign("redo")
        assert state_of(folder) == after
    assert not {"conflict", "chase", "fight", "pending"} & tomllib.loads(states[-1]).keys()
    in_campaign("replay --verify")
    in_campaign("doctor")


@pytest.mark.slow
def test_a_fight_there_and_back(in_campaign: Strike, folder: Path) -> None:
    """Everything of a fight comes back byte for byte: what a status that ended stood before, and all else."""
    for line in FIGHT:
        assert in_campaign(line, None).code in (0, 6), line
    states = [state_of(folder)]
    while in_campaign("undo", None).code == 0:
        states.append(state_of(folder))
    assert len(states) > 15
    for after in reversed(states[:-1]):
        in_campaign("redo")
        assert state_of(folder) == after
    in_campaign("replay --verify")


SECRETS = {
    "conflict": ("conflict oppose",),
    "both sides": ("conflict act",),
    "chase": ("chase run", "chase predict hide --secret"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EVENINGS)
def test_what_players_are_told(in_campaign: Strike, folder: Path, name: str) -> None:
    """STR-TC-03, STR-CH-02: no post of the bridge, screen or log has a secret pick before the roll; after it
    the post of the roll tells. Taking it back, and doing it again, tells no more."""
    scene = "chase" if name == "chase" else "conflict"
    hidden: list[str] = []
    told = 0

    def screens() -> str:
        ways = ("", " --json") if THOROUGH else (" --json",)
        lines = [f"{which}{how}" for which in (f"{scene} show", "log", "status") for how in ways]
        return "".join(in_campaign(line).out for line in lines)

    in_campaign(EVENINGS[name][0])
    for line in EVENINGS[name][1:]:
        secret = line.startswith(SECRETS[name])
        before = screens() if secret else ""
        in_campaign(line, None)
        entry, posts = newest(folder)
        if secret:
            hidden.append(line.split()[3 if name == "both sides" else 2])
            assert (entry["secret"], posts) == (True, [])
            # Everyday one pick of each evening is taken back and done again.
            for again in ("", "undo", "redo") if THOROUGH or len(hidden) == 1 else ("",):
                if again:
                    in_campaign(again)
                    assert newest(folder)[1] == []
                now = screens()
                assert [word for word in hidden if f'"{word}"' in now and f'"{word}"' not in before] == []
        elif hidden and entry["command"] == f"{scene} roll" and not entry.get("pending"):
            assert posts
            told += 1
            hidden.clear()
    assert told >= 2


def newest(folder: Path) -> tuple[dict[str, Any], list[Any]]:
    """The last entry of the journal, and what the bridge posts for it."""
    with Campaign(folder) as campaign:
        entries = [(entry, at) for entry, at, _ in campaign.journal.entries_since(START)]
        entry = entries[-1][0]
        before = undo_facts_in_shown_tables(campaign.state, entry["facts"])
        posts = posts_of_entry(entry, before, lambda at: campaign.journal.entry_at(at))
    return json.loads(json.dumps(entry)), posts


def test_tab(in_campaign: Strike) -> None:
    """STR-TC-02, STR-CH-02: Tab knows actions, traits, preparations, policies, conflicts and chases."""

    def offered(line: str, begun: str) -> Sequence[str]:
        return find_completions(line.split(), begun).words

    assert offered("conflict oppose", "tot") == ["total-defense"]
    assert offered("conflict prep vex", "sc") == ["scout"]
    assert "superior-crafty" in offered("conflict start --trait", "sup")
    assert offered("odds conflict --policy", "agg") == ["aggressive"]
    assert offered("chase predict", "d") == ["double-back"]
    in_campaign("chase start --runners vex --chasers goblin")
    assert offered("chase shoot", "g") == ["goblin"]
    in_campaign("conflict start Duel --intent a --against b --their-intent c --trait 'Old money'")
    assert offered("conflict hit ours", "o") == ["old-money"]
    assert offered("conflict start", "") == offered("chase start", "") == []
