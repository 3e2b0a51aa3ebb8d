"""The powers that come with strike: each is loaded by an include and played once."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from support.game import Game

from strike_cli.content.book import SAMPLES, Book, open_book
from strike_cli.play.commands import command
from strike_cli.play.drive import drive
from strike_cli.play.exhaustive import first_option
from strike_cli.problems import ContentProblem
from strike_cli.rules.combat.fight import Fight
from strike_cli.rules.combat.powers import fit_for, power_of
from strike_cli.rules.procedure import Roll

ARCHETYPES = tomllib.loads((SAMPLES / "archetypes.toml").read_text())["powers"]
HERO = """
include = ["strike:archetypes.toml"]

[characters.vex]
name = "Vex"
ap = 3
powers = [{powers}]

[characters.brann]
name = "Brann"
powers = ["quick-cut"]

[creatures.post]
name = "Training Post"
hp = 99
"""


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, _environment: None) -> Book:
    folder = tmp_path_factory.mktemp("samples")
    powers = ", ".join(f'"{power}"' for power in ARCHETYPES)
    (folder / "campaign.toml").write_text("schema = 1\n" + HERO.replace("{powers}", powers))
    return open_book(folder)


def test_they_are_six_archetypes_and_four_roles() -> None:
    """STR-TAC-12: at-will and encounter powers for each, class and role."""
    kinds: dict[str, set[str]] = {}
    for power in ARCHETYPES.values():
        kinds.setdefault(power["keywords"][0], set()).add(power.get("kind", "class"))
    assert list(map(sorted, kinds.values())).count(["class"]) == 6
    assert list(map(sorted, kinds.values())).count(["role"]) == 4


@pytest.mark.parametrize("die", [1, 5, 6])
@pytest.mark.parametrize("power", ARCHETYPES)
def test_each_can_be_played(samples: Book, power: str, die: int) -> None:
    """STR-TAC-12: on a miss, a hit and a critical hit; the first of every choice."""
    game = Game(samples)
    game.draw("......", ".B....", "..Vp..", "......").begin("vex")
    game.put("brann", hp=3, used=["disarming-turn"]).afflict("brann", "slowed", ends="save")
    world = game.world
    there = {
        "enemies": ["post"],
        "others": ["post"],
        "allies": ["brann"],
        "self": [],
        "any": [],
        "friends": [],
    }
    chosen = power_of(Fight(world), "vex", power)
    targets = there.get(fit_for(chosen), []) if chosen["action"] != "free" or "range" in chosen else []
    args = {"who": "vex", "power": power, "targets": targets, "at": "D3" if power == "smoke-veil" else ""}

    def dice(roll: Roll) -> list[int]:
        return [die] * roll.n

    played = drive(command("combat use").procedure()(world, args), world, dice, first_option)
    assert played.pending is None
    assert len([fact for fact in played.facts if fact.changes]) >= (1 if die > 1 else 0)
    assert [fact.text for fact in played.facts if fact.text]


def test_what_does_not_come_with_strike_is_named(campaign: Callable[[str], Path]) -> None:
    """The nearest is suggested."""
    with pytest.raises(ContentProblem, match="archetypes"):
        open_book(campaign('include = ["strike:archetype.toml"]\n'))


def test_one_of_them_may_be_replaced(campaign: Callable[[str], Path]) -> None:
    """As anything that is included: with override, and not without it."""
    mine = 'include = ["strike:archetypes.toml"]\n[powers.riposte]\nname = "Mine"\nreach = 1\ndamage = 9\n'
    with pytest.raises(ContentProblem, match="comes from strike:archetypes.toml already"):
        open_book(campaign(mine))
    assert open_book(campaign(mine + "override = true\n")).powers["riposte"]["damage"] == 9
