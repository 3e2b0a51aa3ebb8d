"""One law: each option is a command whose line is accepted as it is printed, and means the same; typed as
people speak, with names of several words and the actor left out, it means the same or is asked about."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.evenings import GAMES, GameEvening, campaign_for
from support.thorough import THOROUGH, few_of

from strike_cli import Campaign, Problem
from strike_cli.refusals import AmbiguousWord
from strike_cli.session.command_dispatch import Command
from strike_cli.terminal.move_commands import TwoReadings
from strike_cli.terminal.name_lookup import find_id_if_any

COMMANDS = 25 if THOROUGH else 6
CHECKED = 4
"""Options of a position that are tried whole; thoroughly, each that an evening hasn't had yet is read."""
MOSTLY = 3
"""Lines as people speak that are read for each that is asked about."""
SEEDS = range(500 if THOROUGH else 1)
"""Of each evening of `GAMES`: thoroughly, each game has 1,000 or more."""


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


def as_spoken(campaign: Campaign, command: Command, source: random.Random) -> tuple[str, bool]:
    """The line of an option with people by their names instead of their ids, without quotes, and whether the
    acting person is left out of it; that and the option before a power are so at random."""
    scene = next((each for each in campaign.scenes if each.system == command.words[0]), None)
    people = {who: one.name for who, one in scene.people.items()} if scene else {}
    people |= {who: str(sheet["name"]) for who, sheet in campaign.book.characters.items()}
    group, verb, *words = command.words
    left_out = scene and scene.order and words[:1] == [scene.order.active] and source.random() < 0.5
    words = words[1:] if left_out else words
    if "--power" in words and source.random() < 0.5:
        words.remove("--power")
    for place, word in enumerate(words):
        if word in people and find_id_if_any(people[word], people) == word:
            words[place] = people[word].lower()
    return " ".join([group, verb, *words]), bool(left_out)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("evening", few_of(GAMES), ids=lambda evening: evening.name)
def test_options_are_accepted_as_they_are_printed(evening: GameEvening, seed: int, tmp_path: Path) -> None:
    source = random.Random(f"{evening.name} {seed}")
    campaign = campaign_for(evening, seed, tmp_path / "campaign")
    faults: Counter[str] = Counter()
    spoken: Counter[str] = Counter()
    with campaign:
        for line in evening.begin:
            campaign.play(line)
        had: set[Command] = set()
        for options in positions(campaign, source):
            for command in [each for each in options if each not in had] if THOROUGH else ():
                had.add(command)
                if (read := campaign.parse(str(command))) != command:
                    faults[f"{command}\n   is read as {read.args!r}\n   and means {command.args!r}"] += 1
            for command in source.sample(options, min(CHECKED, len(options))):
                try:
                    read = campaign.parse(str(command))
                    if read != command:
                        faults[f"{command}\n   is read as {read.args!r}\n   and means {command.args!r}"] += 1
                    campaign.foresee(command)
                    campaign.play(str(command), dry_run=True)
                except Problem as problem:
                    faults[f"{command}: {problem.message} {problem.hint}"] += 1
                line, left_out = as_spoken(campaign, command, source)
                try:
                    other = campaign.parse(line)
                    if (other.move, other.args) != (command.move, command.args):
                        faults[f"{line}\n   means {other.args!r}\n   not {command.args!r}"] += 1
                    spoken["read"] += 1
                except (TwoReadings, AmbiguousWord):
                    spoken["asked"] += 1
                except Problem as problem:
                    if not left_out:  # some take nobody's place: who reacts is named
                        faults[f"{line} ({command}): {problem.message} {problem.hint}"] += 1
    assert spoken["read"] > spoken["asked"] * MOSTLY, spoken
    assert not faults, "\n".join(faults)
