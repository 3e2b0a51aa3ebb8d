"""One law: each option is a command whose line is accepted as it is printed, and means the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.evenings import GAMES, GameEvening, campaign_for
from support.thorough import THOROUGH

from strike_cli import Campaign, Problem
from strike_cli.session.command import Command

COMMANDS = 150 if THOROUGH else 6
CHECKED = 200 if THOROUGH else 4
"""Options of a position that are tried."""
SEEDS = range(84 if THOROUGH else 1)


def positions(campaign: Campaign, source: random.Random) -> Iterator[list[Command]]:
    """Random commands, each of those that may be played, and random answers; yields the options before
    each."""
    for _ in range(COMMANDS):
        if waiting := campaign.pending:
            key, decision = next(iter(waiting.items()))
            campaign.play("choose", "--for", key, source.choice(decision.options))
            continue
        options = campaign.options()
        if not options:
            return
        yield options
        verbs = sorted({command.words[1] for command in options})
        verb = source.choice(verbs)
        chosen = source.choice([command for command in options if command.words[1] == verb])
        campaign.play(list(chosen.words))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("evening", GAMES, ids=lambda evening: evening.name)
def test_options_are_accepted_as_they_are_printed(evening: GameEvening, seed: int, tmp_path: Path) -> None:
    source = random.Random(f"{evening.name} {seed}")
    campaign = campaign_for(evening, seed, tmp_path / "campaign")
    faults: Counter[str] = Counter()
    with campaign:
        for line in evening.begin:
            campaign.play(line)
        for options in positions(campaign, source):
            for command in source.sample(options, min(CHECKED, len(options))):
                try:
                    read = campaign.parse(str(command))
                    if read != command:
                        faults[f"{command}\n   is read as {read.args!r}\n   and means {command.args!r}"] += 1
                    campaign.foresee(command)
                    campaign.play(str(command), dry_run=True)
                except Problem as problem:
                    faults[f"{command}: {problem.message} {problem.hint}"] += 1
    assert not faults, "\n".join(faults)
