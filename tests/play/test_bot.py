"""Fights between bots: they end, no option is refused, and every fact can be taken back."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.cli import Strike
from support.game import Game
from support.thorough import THOROUGH
from support.told import as_json

from strike_cli.campaign.state_checks import state_faults
from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.procedure import Roll, World
from strike_cli.kernel.state_changes import State, apply_changes, changes_that_undo
from strike_cli.play.legal_options import Option
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.systems.combat.bots import position_value
from strike_cli.systems.combat.bots.full_bot import FullBot
from strike_cli.systems.combat.bots.legal_options import legal_actions_worth_listing
from strike_cli.systems.combat.bots.outcome_forecast import USUAL_POLICY
from strike_cli.systems.combat.bots.position_value import expected_gain_to_side_acted_for, fight_value_to_side
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.powers.power_use import UsePower

FIGHTS = 1000 if THOROUGH else 2
MOST_COMMANDS = 1500


class Match:
    """A fight of bots from a seed: each command's facts are checked and kept."""

    def __init__(self, book: Book, encounter: str, seed: int) -> None:
        self.random = Random(seed)
        self.world = World(book, {})
        self.past: list[tuple[State, list[dict[str, Any]]]] = []
        party = self.random.sample(list(book.characters), self.random.randint(2, len(book.characters)))
        self.play("combat start", encounter=encounter, goal="", party=party)
        self.play("combat initiative")

    def play(self, name: str, **args: Any) -> None:
        before = self.world.state
        came = play_until_open_decision(
            find_move(name).start(self.world, args), self.world, self.dice, USUAL_POLICY
        )
        self.past.append((before, [as_json(fact) for fact in came.facts]))

    def dice(self, roll: Roll) -> list[int]:
        return [self.random.randint(1, roll.sides) for _ in range(roll.n)]

    def fight_on(self, wild: float = 0.0, most: int = MOST_COMMANDS) -> str | None:
        """To the end; `wild` is how often any legal option is taken in place of the best."""
        while not Fight(self.world).fight_outcome() and len(self.past) < most:
            who = Fight(self.world).data.get("active")
            if who is None:
                self.play("combat turn")
                continue
            if self.random.random() < wild:
                option = self.random.choice(legal_actions_worth_listing(self.world, who))
            else:
                option = FullBot().choose_command(self.world, who)
            self.play(option.command, **option.args.as_json())
        return Fight(self.world).fight_outcome()

    def take_back(self) -> None:
        """Every command, last first; each leaves what was before it."""
        state = self.world.state
        for before, facts in reversed(self.past):
            state = apply_changes(state, changes_that_undo(facts))
            assert state == before


ENCOUNTERS = ("ford", "gallery", "last-lamp")
MATCHES = [*((ENCOUNTERS[seed % 3], seed) for seed in range(FIGHTS)), ("last-lamp", 6)]
"""Everyday one of them: they think for long."""


@pytest.mark.slow
@pytest.mark.parametrize(("encounter", "seed"), MATCHES if THOROUGH else MATCHES[1:2])
def test_a_fight_between_bots_ends(example: Book, encounter: str, seed: int) -> None:
    """Nothing they choose is refused, a side wins, and all of it can be taken back."""
    match = Match(example, encounter, seed)
    assert match.fight_on() in ("won", "lost")
    match.take_back()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, FIGHTS))
def test_whatever_is_done_can_be_taken_back(example: Book, seed: int) -> None:
    """A fight of any legal options: none is refused, the state stays sound, and undo brings back every HP and
    every duration."""
    match = Match(example, "ford", seed)
    match.fight_on(wild=0.7, most=MOST_COMMANDS if THOROUGH else 25)
    assert state_faults(deepcopy(dict(match.world.state)), example, {}) == []
    match.take_back()


def test_what_turns_out_to_be_no_option_is_passed_over(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is refused in the middle is none; the others are weighed all the same."""
    game.draw("Vg.", "...").begin("vex")
    real = position_value.outcome_chances_of_option

    def foreseen(world: World, option: Option, *more: Any) -> Any:
        if getattr(option.args, "power", "") == "last-word":
            raise Refused("Not there.")
        return real(world, option, *more)

    monkeypatch.setattr(position_value, "outcome_chances_of_option", foreseen)
    option = FullBot().choose_command(game.world, "vex")
    assert option.command == "combat attack"
    assert option.args.power != "last-word"


def test_who_is_stunned_does_nothing(game: Game) -> None:
    """STR-TAC-25."""
    game.draw("Vg.", "...").begin("vex").afflict("vex", "stunned")
    assert {option.command for option in legal_actions_worth_listing(game.world, "vex")} <= {
        "combat end-turn",
        "combat use",
    }
    assert FullBot().choose_command(game.world, "vex").command == "combat end-turn"


def test_it_takes_the_blow_that_ends_the_fight(game: Game) -> None:
    game.draw("gV.", "..g").begin("vex").put("goblin-2", hp=1)
    option = FullBot().choose_command(game.world, "vex")
    assert option.command == "combat attack"
    assert "goblin-2" in option.args.targets


def test_it_walks_up_to_who_is_out_of_reach(game: Game) -> None:
    """Up to two moves, the Attack Action traded for the second (STR-TAC-04)."""
    game.draw("V" + "." * 25 + "g").begin("vex")
    for square in ("G1", "M1"):
        option = FullBot().choose_command(game.world, "vex")
        assert option.command == "combat move"
        game.play(option.command, **option.args.as_json())
        assert game.of("vex", "at") == square
    assert FullBot().choose_command(game.world, "vex").command == "combat end-turn"


def test_it_goes_round_a_wall(game: Game) -> None:
    """As the way goes, not as the crow flies."""
    game.draw("V#g..", ".#...", ".#...", ".....").begin("vex").afflict("vex", "slowed")
    assert FullBot().choose_command(game.world, "vex").args.to == "A3"


def test_it_comes_as_near_as_it_can_where_no_way_is_wide_enough(game: Game) -> None:
    """An ogre of 2 x 2 squares doesn't fit through a gate."""
    far = "." * 9
    rows = [f"{gate}{far}" for gate in ("x....#", ".....#", "......", ".....#")]
    game.draw(*rows, f".....#{far}V").begin("ogre")
    assert FullBot().choose_command(game.world, "ogre").args.to in ("D1", "D2", "D3", "D4")


def test_it_stands_rather_not_in_a_zone_that_hurts(game: Game) -> None:
    """It leaves one where nothing else is to be done, and goes round one where that is no further."""
    game.draw("V.#g", "..#.").begin("vex")
    game.set("fight.zones", {"oil": {"name": "Oil", "squares": ["A1"], "ends": "encounter", "damage": 2}})
    assert FullBot().choose_command(game.world, "vex").args.to in ("A2", "B1", "B2")


def test_gain_is_in_hp(game: Game) -> None:
    """A sure 2 HP is worth 2; the standing of the sides is each other's less."""
    game.draw("Vg.").begin("vex")
    state = game.state
    assert fight_value_to_side(game.book, state, "party") == -fight_value_to_side(game.book, state, "enemies")
    basic = UsePower(who="vex", targets=["goblin"], power="core:melee-basic")
    plain = Option("combat attack", basic, ())
    # Damage 3 against 4 HP: half the faces 3, a 6 Takes Out (4 HP and the standing), misses nothing;
    # at 1 HP it is Bloodied, which nobody counts.
    assert expected_gain_to_side_acted_for(game.world, "vex", plain) == pytest.approx(
        (3 * 3 + 4 + 4) / 6, abs=1.01
    )


# By command


def fight(strike: Strike) -> None:
    strike("combat start ring --party vex --party odo")
    strike("combat initiative --dice 2,1,6,6")


def test_auto_plays_a_turn_as_if_typed(in_campaign: Strike) -> None:
    fight(in_campaign)
    data = in_campaign.json("combat auto goblin-1")["data"]
    commands = [entry["command"] for entry in in_campaign.json("log")["data"]["entries"][2:]]
    assert commands == [played["command"] for played in data["played"]]
    assert commands[0] == "combat turn"
    assert commands[-1] == "combat end-turn"


def test_auto_stops_at_a_players_turn(in_campaign: Strike) -> None:
    fight(in_campaign)
    in_campaign("combat auto --until-player", code=None)
    state = in_campaign.json("combat show")["data"]["fight"]
    assert {who for who, one in state["combatants"].items() if one.get("acted") == 1} == {
        "goblin-1",
        "goblin-2",
    }


def test_auto_plays_a_whole_fight(in_campaign: Strike) -> None:
    fight(in_campaign)
    data = in_campaign.json("combat auto --fight")["data"]
    assert data["decided"] in ("won", "lost")
    in_campaign("combat finish")
    in_campaign("replay --verify")


def test_auto_is_refused_out_of_turn(in_campaign: Strike) -> None:
    fight(in_campaign)
    assert "goblin" in in_campaign("combat auto vex", 1).err.lower()


def test_options_by_command(in_campaign: Strike) -> None:
    fight(in_campaign)
    said = in_campaign("combat options vex").out
    assert "attack vex goblin-1 --power" in said
    data = in_campaign.json("combat options vex --moves")["data"]
    assert all({"typed", "command", "args", "provokes"} <= option.keys() for option in data["options"])
    assert data["moves"]


def test_bots_that_can_not_get_at_each_other_give_up(in_campaign: Strike, folder: Path) -> None:
    text = (folder / "campaign.toml").read_text(encoding="utf-8")
    apart = text.replace('map = """\ngPg.\n...P\n"""', 'map = """\nPP#gg\n"""')
    assert apart != text
    (folder / "campaign.toml").write_text(apart, encoding="utf-8")
    fight(in_campaign)
    said = in_campaign("combat auto --fight").out
    assert "The bot found nothing to do for anybody in 3 rounds: over to you." in said
    assert "Nobody can" not in said, "idle rounds are no proof"
