"""`next` in every game, conflict and chase: it plays what comes next, or says what is missing first."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from support.evenings import GAMES, GameEvening, campaign_for
from support.thorough import THOROUGH, few_of

from strike_cli import Campaign, Refused

MOST = 400 if THOROUGH else 20
SEEDS = range(84 if THOROUGH else 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("evening", few_of(GAMES[::2]), ids=lambda evening: evening.name)
def test_next_leads_through_a_scene(evening: GameEvening, seed: int, tmp_path: Path) -> None:
    """What comes next is what is parsed and played; where something is missing the refusal changes nothing
    and names a way, any legal option goes on; in the end no scene is left."""
    source = random.Random(f"{evening.name} {seed}")
    campaign = campaign_for(evening, seed, tmp_path / "campaign")
    between = campaign.play("next").data["next"]
    assert between and all(isinstance(step, str) for step in between)
    with campaign:
        campaign.play(evening.begin[0])
        for _ in range(MOST):
            if waiting := campaign.pending:
                key, decision = next(iter(waiting.items()))
                assert campaign.next() is None
                shown = campaign.play("next").pending
                assert shown is not None
                assert shown.options == decision.options
                campaign.play("choose", "--for", key, source.choice(decision.options))
                continue
            coming, before = campaign.next(), campaign.state
            if coming is None:
                break
            assert campaign.parse(str(coming)) == coming
            missing = _refused(campaign) if source.random() < 0.5 else "`"
            assert campaign.state == before or not missing
            assert not missing or "`" in missing
            if missing and (options := [each for each in campaign.options() if each.words[1] != "end"]):
                campaign.play(list(source.choice(options).words))
    over = not campaign.next() and not campaign.pending
    assert not over or "Next:" in campaign.play("next").text
    assert not over or not campaign.play("status").data["scenes"]


def _refused(campaign: Campaign) -> str:
    """What `next` says is missing; empty where it was played."""
    try:
        played = campaign.play("next")
    except Refused as refusal:
        return refusal.hint
    assert played.seq is not None
    return ""
