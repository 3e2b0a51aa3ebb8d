"""The powers that come with strike, each played once; and handlers."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from copy import copy
from itertools import product
from pathlib import Path

import pytest
from support.game import Game, book_with
from support.thorough import some_of
from support.told import text_of

from strike_cli.content.compiler import SAMPLES, Compiler
from strike_cli.content.merged_content import Book, open_book
from strike_cli.kernel.procedure import Roll
from strike_cli.problems import ContentProblem, PluginProblem
from strike_cli.systems.combat.powers.power_trial import TrialPlan, play_trial_seeking_reaction, prepare_trial
from strike_cli.untrusted_input import parse_toml

ARCHETYPES = tomllib.loads((SAMPLES / "archetypes.toml").read_text())["powers"]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, _environment: None) -> Book:
    folder = tmp_path_factory.mktemp("samples")
    (folder / "campaign.toml").write_text('schema = 1\ninclude = ["strike:archetypes.toml"]\n')
    return open_book(folder)


def test_what_comes_with_strike_is_read_as_toml_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another campaign has the same of it, from what was kept; its own file is read anew."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    raw: list[bytes] = []

    def read(text: bytes) -> dict[str, object]:
        raw.append(text)
        return parse_toml(text)

    monkeypatch.setattr("strike_cli.content.compiler.parse_toml", read)
    made, campaign = [], 'schema = 1\nname = "X"\ninclude = ["strike:archetypes.toml"]\n'
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "campaign.toml").write_text(campaign)
        made.append(Compiler(folder).compile())
    assert made[0] == made[1]
    assert raw.count((SAMPLES / "archetypes.toml").read_bytes()) == 1
    assert raw.count((folder / "campaign.toml").read_bytes()) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("power", "die"), some_of(product(ARCHETYPES, [1, 5, 6]), every=12))
def test_each_can_be_played(samples: Book, power: str, die: int) -> None:
    """STR-TAC-12: on a miss, a hit and a critical hit; the first of every choice."""

    def dice(roll: Roll) -> list[int]:
        return [die] * roll.n

    played = play_trial_seeking_reaction(prepare_trial(samples, power), dice, TrialPlan(), None).played
    assert played.pending is None
    assert len([fact for fact in played.facts if fact.changes]) >= (1 if die > 1 else 0)
    assert [text_of(fact) for fact in played.facts if text_of(fact)]


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


# --- handlers


MENTIONED = '[powers.x]\nname = "X"\neffect = [{ do = "handler", handler = "elements:leap" }]\n'
"""Brings the plugin in that is meant."""


def test_a_plugins_handler_is_played() -> None:
    """STR-TAC-12: the fire leaps to the one who stands too close; the same steps as any power's."""
    book = book_with(MENTIONED)
    game = Game(book).draw("V...pg").begin("vex")
    game.book.characters = {"vex": {**book.characters["vex"], "powers": ["elements:leaping-flame"]}}
    data = game.attack("vex", "post", power="elements:leaping-flame", dice=[5])
    assert data["statuses_added"] == ["elements:burning", "elements:burning"]
    assert game.statuses("post") == game.statuses("goblin") == ["elements:burning"]


def test_a_handler_that_nobody_brings(campaign: Callable[[str], Path]) -> None:
    """The nearest is suggested, before anything is played."""
    power = (
        'plugins = ["elements"]\n[powers.x]\nname = "X"\neffect = [{ do = "handler", handler = "leep" }]\n'
    )
    with pytest.raises(ContentProblem, match=r"no handler 'leep'.*leap"):
        open_book(campaign(power))


def test_a_handler_that_can_not_be_loaded() -> None:
    """It is named, and the rest goes on."""
    book = book_with(MENTIONED)
    game = Game(copy(book)).draw("V...pg").begin("vex")
    game.book.characters = {"vex": {**book.characters["vex"], "powers": ["elements:leaping-flame"]}}
    game.book.handlers = {"elements:leap": {"calls": "strike_elements.nowhere:leap"}}
    before = game.state
    with pytest.raises(PluginProblem, match="elements:leap"):
        game.attack("vex", "post", power="elements:leaping-flame", dice=[5])
    assert game.state == before
