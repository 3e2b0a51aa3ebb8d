"""Every example of docs/power-reference.md and docs/powers.md loads, has words, and is played in a fight
whose journal would replay."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with
from support.thorough import THOROUGH

from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.procedure import Choose, Roll
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.systems.combat.bots.legal_options import legal_actions_worth_listing
from strike_cli.systems.combat.bots.position_value import expected_gain_to_side_acted_for
from strike_cli.systems.combat.commands.power_descriptions import power_details_in_one_line
from strike_cli.systems.combat.steps import AMOUNTS, PARTS, REACTION_EVENTS, TURNS, WAYS_OF_ZONES, WHOM
from strike_cli.systems.combat.steps.step import STEPS
from strike_cli.systems.combat.validation import fight_state_faults
from strike_cli.tabletop.rules_vocabulary import NUMBERS, OF_ZONES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "power-reference.md").read_text(encoding="utf-8")
TEACHING = (DOCS / "powers.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", PAGE + TEACHING, re.DOTALL | re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: re.findall(r"\[\w+\.([\w-]+)\]", text)[0])
def test_an_example_is_played(text: str) -> None:
    """All who have it use it whenever they may, with dice and choices of a few seeds; the bot weighs it."""
    book = book_with(text, "vex", "brann", "goblin")
    own = set(tomllib.loads(text).get("powers", {}))
    for key in own:
        assert "None" not in power_details_in_one_line(book, book.powers[key])
    used: set[str] = set()
    answers = {key for key in own if "on" in book.powers[key]}
    for seed in range(4):
        used |= play_all(Game(book), own, Random(seed))
        if used >= own - answers and not THOROUGH:  # everyday as many as it takes
            break
    assert used >= own - answers


def play_all(game: Game, own: set[str], chance: Random) -> set[str]:
    game.draw(".......", ".VBg...", ".g.p...", ".......").begin("vex")
    for who in ("vex", "brann"):
        game.put(who, hp=5)
    used = set[str]()
    for _ in range(8):
        who = game.get("fight.active")
        if who is None:  # who fell as the turn began
            break
        mine = [
            option
            for option in legal_actions_worth_listing(game.world, who, ["power"])
            if option.args.power in own
        ]  # type: ignore[attr-defined]
        if mine:
            option = chance.choice(mine)
            expected_gain_to_side_acted_for(game.world, who, option)
            world = game.world
            procedure = find_move(option.command).start(world, option.args.as_json())
            dice, choices = seeded(chance)
            assert play_until_open_decision(procedure, world, dice, choices).pending is None
            game.state = world.state
            used.add(option.args.power)  # type: ignore[attr-defined]
        assert fight_state_faults(game.state) == []
        if {one["side"] for one in game.get("fight.combatants").values() if "out" not in one} != {
            "party",
            "enemies",
        }:
            break
        for name in ("combat end-turn", "combat turn"):
            world = game.world
            play_until_open_decision(find_move(name).start(world, {}), world, *seeded(chance))
            game.state = world.state
    return used


def seeded(chance: Random):  # type: ignore[no-untyped-def]
    def dice(roll: Roll) -> list[int]:
        return [chance.randint(1, roll.sides) for _ in range(roll.n)]

    def choices(question: Choose) -> str:
        return chance.choice(question.options)

    return dice, choices


def tables(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from tables(one)


USED = [table for text in EXAMPLES for table in tables(tomllib.loads(text))]
PLUGINS = ("handler",)
"""What needs code, and has its example where plugins have theirs."""


def test_every_word_has_an_example_that_is_played() -> None:
    for key, words in (
        ("do", STEPS.keys() - set(PLUGINS)),
        ("of", {*AMOUNTS, *NUMBERS}),
        ("on", {*REACTION_EVENTS, *OF_ZONES}),
        ("once", {"turn", "round", "scene"}),
        ("to", WHOM.keys() - {"target"}),
        ("turns", {*TURNS} - {"own"}),
    ):
        with case(key, words):
            assert words - {str(table.get(key)) for table in USED} == set()


def test_every_part_and_cost_has_an_example() -> None:
    written = {key for table in USED for key in table}
    assert {*PARTS, "bonus", "uses", "recharge", "charges", "hp", "auras", "blocks", "cover"} <= written


def test_the_page_says_every_word() -> None:
    for word in (*sorted(STEPS.keys() - set(PLUGINS)), *AMOUNTS, *REACTION_EVENTS, *WAYS_OF_ZONES):
        with case(word):
            assert f'"{word}"' in PAGE or f"`{word}" in PAGE
