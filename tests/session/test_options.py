"""One law: each option is a command whose line is accepted as it is printed, and means the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from support.thorough import THOROUGH

from strike_cli import Campaign, Problem
from strike_cli.session.command import Command

COMMANDS = 150 if THOROUGH else 12
CHECKED = 200 if THOROUGH else 6
"""Options of a position that are tried."""


class Evening(NamedTuple):
    """What begins random evenings of a scene: the game of the example, and lines."""

    name: str
    system: str
    begin: tuple[str, ...]


EVENINGS = (
    Evening("combat", "", ("combat start ford", "combat initiative")),
    Evening("combat-gallery", "", ("combat start gallery", "combat initiative")),
    Evening("combat-kiln", "", ("combat start old-kiln", "combat initiative")),
    Evening("combat-lamp", "", ("combat start last-lamp", "combat initiative")),
    Evening("combat-odd-names", "", ("combat start odd --party options --party vex", "combat initiative")),
    Evening("conflict-odd-names", "", ("conflict start odd --intent win --against next --their-intent win",)),
    Evening("chase-odd-names", "", ("chase start next --runners options --chasers next",)),
    Evening("conflict", "", ("conflict start road --intent win --against them --their-intent win",)),
    Evening("chase", "", ("chase start road --runners vex odo --chasers brann",)),
    Evening("grit", "grit", ("grit start bridge",)),
    Evening("grit-hall", "grit", ("grit start last-hall",)),
    Evening("karma", "karma", ("karma start sluice --first ana",)),
    Evening("karma-basin", "karma", ("karma start basin --first ana",)),
    Evening("momentum", "momentum", ("momentum start dome", "momentum initiative")),
    Evening("momentum-gate", "momentum", ("momentum start gate", "momentum initiative")),
)
ODD_NAMES = """
[characters.options]
name = "The Door"
skills = ["Attack", "Look Out"]
hp = 10
speed = 6
melee = { damage = 2 }
powers = ["attack", "the-door"]

[powers.attack]
name = "Attack"
range = 5
damage = 2

[powers.the-door]
name = "Next"
burst = 1
damage = 1

[creatures.next]
name = "Attack"
hp = 4
melee = { damage = 1 }

[creatures.g3]
name = "Vex"
hp = 4
melee = { damage = 1 }
ranged = { damage = 1, range = 5 }

[encounters.odd]
name = "next"
map = '''
P.......n
......n..
P.....g..
'''
place = { P = "party", n = "next", g = "g3" }
"""
"""People, powers and an encounter called by other words."""
SEEDS = range(84 if THOROUGH else 1)


def campaign_for(evening: Evening, seed: int, folder: Path) -> Campaign:
    """The example campaign of an evening."""
    campaign = Campaign.new(folder, system=evening.system, seed=seed)
    if "odd" in evening.name:
        with (folder / "campaign.toml").open("a", encoding="utf-8") as file:
            file.write(ODD_NAMES)
    return campaign


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
@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening.name)
def test_options_are_accepted_as_they_are_printed(evening: Evening, seed: int, tmp_path: Path) -> None:
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
                    campaign.play(str(command), dry_run=True)
                except Problem as problem:
                    faults[f"{command}: {problem.message} {problem.hint}"] += 1
    assert not faults, "\n".join(faults)
