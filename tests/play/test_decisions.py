"""What is asked in the middle of a command is weighed as commands are, by every player, whatever the order of
the answers; what isn't weighed is said."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest
from support.cases import case
from support.cli import Strike
from support.game import Game, book_with
from support.plugins import install

from strike_cli.content.merged_content import book_of_core_and_plugins
from strike_cli.play.decision_weighing import CommandUnderway, best_answer
from strike_cli.play.legal_options import Option
from strike_cli.registry import installed_plugins, load_known_system
from strike_cli.sim.bot_players import PLAYER_NAMES, find_player
from strike_cli.sim.chunk_worker import versions_and_source_digests
from strike_cli.sim.simulated_fight import FrozenCampaign, play_day_until_not_won
from strike_cli.sim.simulation_hooks import Lineup
from strike_cli.systems.combat.powers.power_use import UsePower

DATA = Path(__file__).parent.parent / "data" / "charm"


@pytest.fixture
def charm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A game that turns on one decision, installed."""
    site = tmp_path / "site"
    install("strike-charm", "1.0", "charm = charm:plugin", site)
    for place in (DATA, site):
        monkeypatch.syspath_prepend(str(place))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    installed_plugins.drop_plugin_index()
    versions_and_source_digests.cache_clear()
    import charm as module

    yield module
    sys.modules.pop("charm")
    installed_plugins.drop_plugin_index()
    versions_and_source_digests.cache_clear()


@pytest.fixture
def rock(charm: ModuleType) -> FrozenCampaign:
    return FrozenCampaign.freeze(book_of_core_and_plugins(["charm"]), {}, "charm", ["rock"], Lineup())


def test_every_player_resists(
    charm: ModuleType, rock: FrozenCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever word comes first. Taken as it comes, the sailor would yield and lose every time."""
    for player, order in product(PLAYER_NAMES, (["resist", "yield"], ["yield", "resist"])):
        monkeypatch.setattr(charm, "ORDER", order)
        days = [play_day_until_not_won(rock, 1, number, player).fights[0] for number in range(6)]
        with case(player, order):
            assert all(day.outcome == "won" for day in days)
            assert not any(day.unweighed for day in days)


def test_what_nobody_can_weigh_is_counted(
    charm: ModuleType, rock: FrozenCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody decides of whom nobody knows the side: the first answer is taken, and that is said."""
    monkeypatch.setattr(charm, "ASKS", "the sea")
    monkeypatch.setattr(charm, "ORDER", ["yield", "resist"])
    fight = play_day_until_not_won(rock, 1, 0, "full").fights[0]
    assert fight.outcome == "lost" and fight.unweighed == {"resist": 2}


@pytest.mark.slow
def test_sim_says_what_was_not_weighed(
    charm: ModuleType, strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charm, "ASKS", "the sea")
    folder = tmp_path / "rock"
    folder.mkdir()
    (folder / "campaign.toml").write_text(
        'schema = 1\nname = "Sea"\nsystems = ["charm"]\n[encounters.rock]\nname = "Rock"\nmap = "."\n'
    )
    line = f"-C {folder} sim rock --system charm --fights 2 --workers 1"
    data = strike.json(line)["data"]
    count = data["unweighed"]["resist"]
    assert count > 2
    rates = f"-C {folder} encounter rate rock --system charm --fights 2 --workers 1"
    for each in (line, rates):
        assert f"{count} decisions were not weighed: resist." in strike(each).out


# Of fights

EITHER = """
[powers.either]
name = "Either"
reach = 1
damage = 1
effect = [{ do = "choose", options = [
  { name = "soothe", steps = [{ do = "heal", amount = 2 }] },
  { name = "burn", steps = [{ do = "damage", amount = 4 }] },
] }]
"""


def test_an_effect_is_chosen_by_what_it_brings() -> None:
    """STR-TAC-12: of two things that an effect may be, not the one that is written first."""
    for name in ("good", "full"):
        with case(name):
            game = Game(book_with(EITHER, "vex")).draw("Vp").begin("vex")
            option = Option("combat attack", UsePower(who="vex", targets=["post"], power="either"), ())
            question = game.asked("combat attack", who="vex", targets=["post"], power="either", dice=[5])
            assert question.options[0] == "soothe"
            underway = CommandUnderway(game.world, option, [[5]])
            assert best_answer(load_known_system("combat"), underway, question) == "burn"
            assert (
                find_player(name, load_known_system("combat")).decide(game.world, question, underway)
                == "burn"
            )


def test_quick_goes_by_habit_and_counts_the_rest() -> None:
    game = Game(book_with(EITHER, "vex")).draw("Vp").begin("vex")
    question = game.asked("combat attack", who="vex", targets=["post"], power="either", dice=[5])
    player = find_player("quick", load_known_system("combat"))
    assert player.decide(game.world, question) == "soothe"
    assert sum(player.unweighed.values()) == 1
    glancing = game.asked("combat attack", who="vex", targets=["post"], power="trip", dice=[3])
    assert player.decide(game.world, glancing) == "damage"
    assert sum(player.unweighed.values()) == 1, "what there is a plan for is no such decision"
