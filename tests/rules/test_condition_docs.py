"""Every example of docs/conditions.md loads, and its Conditions are gained and tended in play."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from support.cases import case
from support.game import Game, book_with

from strike_cli.campaign.state_checks import state_faults
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.exact_odds import first_option
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.systems.core.conditions import TIMES, recovery_words
from strike_cli.tabletop.active_effects import effects_on
from strike_cli.tabletop.rules_vocabulary import NEEDS

PAGE = (Path(__file__).parents[2] / "docs" / "conditions.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: re.findall(r"\[\w+\.([\w-]+)\]", text)[0])
def test_an_example_is_played(text: str) -> None:
    """Of a character, a creature and a side; every recovery is tried with every die."""
    book = book_with(text)
    for condition in tomllib.loads(text).get("conditions", {}):
        for who in ("vex", "goblin", "party"):
            for die in range(1, 7):
                tend(Game(book), who, condition, die)


def tend(game: Game, who: str, condition: str, die: int) -> None:
    definition = game.book.conditions[condition]
    assert recovery_words(definition)
    game.play("condition add", who=who, condition=condition)
    if who == "vex":
        assert condition in {held.id for held in effects_on(game.world, who)}
    args = {"who": who, "condition": condition, "doctor": True, "rest": "year"}
    args["met"] = definition.get("recovery", {}).get("own", [])
    for _ in range(3):
        world = game.world
        with suppress(Refused):  # it is gone by now, or the game master says when it ends
            play_until_open_decision(
                find_move("recover").start(world, args), world, lambda roll: [die] * roll.n, first_option
            )
            game.state = world.state
    assert state_faults(game.state, game.book) == []


def test_the_page_has_every_word() -> None:
    for word in (*NEEDS, *TIMES, "own", "times", "roll", "worsens", "escalates", "like"):
        with case(word):
            assert f'"{word}"' in PAGE or f"`{word}" in PAGE
