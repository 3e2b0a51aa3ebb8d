"""Players that need nobody: nothing they choose is refused, and each plays every system."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from plugins.grit import test_contract as grit
from plugins.karma import test_contract as karma
from plugins.momentum import test_contract as momentum
from support.cli import Strike
from support.game import Game, book_with, with_house
from support.thorough import THOROUGH, some_of
from systems import test_contract_chase as chase
from systems import test_contract_conflict as conflict

from strike_cli.content.merged_content import Book
from strike_cli.file_faults import Place
from strike_cli.kernel.driver import play_until_open_decision
from strike_cli.kernel.procedure import Roll, World
from strike_cli.play import forecast
from strike_cli.play.decision_weighing import CommandUnderway
from strike_cli.play.legal_options import Option
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.plugin.testing import world_of
from strike_cli.problems import Usage
from strike_cli.registry import load_known_system
from strike_cli.sim.bot_players import PLAYER_NAMES, Player, find_player
from strike_cli.sim.simulated_fight import KeyedDice
from strike_cli.systems.combat.validation import fight_rule_faults_of_content_item
from strike_cli.systems.conflict.bots_and_simulation import PolicyBot
from strike_cli.systems.conflict.conflict_odds import ActionJudge
from strike_cli.systems.conflict.moves_before_dice import DeclareAction

MOST = 400
ENCOUNTERS = ("last-lamp", "ford", "gallery")


class Table:
    """A world that a player plays in, with dice of a seed."""

    def __init__(self, world: World, player: Player, seed: int = 1) -> None:
        self.world = World(world.book, world.state)
        self.player = player
        self.random = Random(seed)
        self.played: list[str] = []

    def play(self, name: str, args: Any) -> None:
        self.played.append(name)

        def decide(question: Any) -> str:
            return self.player.decide(self.world, question)

        play_until_open_decision(find_move(name).start(self.world, args), self.world, self.dice, decide)

    def dice(self, roll: Roll) -> list[int]:
        return [self.random.randint(1, roll.sides) for _ in range(roll.n)]

    def go_on(self, until: Callable[[World], bool], most: int = MOST) -> Table:
        while not until(self.world) and len(self.played) < most:
            option = self.player.choose_command(self.world)
            if option is None:
                break
            self.play(option.command, option.args)
        return self


def in_combat(name: str) -> Player:
    return find_player(name, load_known_system("combat"))


SCENES = {
    "conflict": (conflict.CAMPAIGN, [("conflict start", conflict.START)]),
    "chase": (chase.CAMPAIGN, [("chase start", chase.START)]),
    "grit": (grit.CAMPAIGN, grit.BEGINS[0]),
    "karma": (karma.CAMPAIGN, karma.BEGIN),
    "momentum": (momentum.CAMPAIGN, momentum.BEGINS[0]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYER_NAMES)
@pytest.mark.parametrize("kind", SCENES)
def test_every_system_is_played(kind: str, name: str) -> None:
    """Nothing chosen is refused, and something is done."""
    if kind == "conflict" and name != "quick" and not THOROUGH:
        pytest.skip("what it judges takes seconds: below it does once")
    campaign, begin = SCENES[kind]
    player = find_player(name, load_known_system(kind))
    table = Table(world_of(campaign), player)
    for move, args in begin:
        table.play(move, args)
    table.go_on(
        lambda world: not world.state.get(load_known_system(kind).scene.key), most=8 if name == "full" else 25
    )
    assert len(table.played) > len(begin) + 2


@pytest.mark.slow
def test_a_chase_is_played_by_lot(example: Book) -> None:
    """STR-CH-02, 03: the same chase is picked otherwise by other lots, and the same by the same."""

    def first_picks(seed: int) -> list[str]:
        dice = KeyedDice(seed, "")
        player = find_player("quick", load_known_system("chase"), dice)
        table = Table(World(example, {}), player)
        table.play("chase start", chase.START)
        table.go_on(lambda world: False, most=3)
        return [str(table.world.get(f"chase.{pick}")) for pick in ("runners_action", "prediction")]

    picks = [first_picks(seed) for seed in range(20)]
    assert picks == [first_picks(seed) for seed in range(20)]
    assert len({pick for pick, _ in picks}) > 1 and len({guess for _, guess in picks}) > 1


@pytest.mark.slow
def test_a_team_that_judges_does_better_than_by_habit(monkeypatch: pytest.MonkeyPatch) -> None:
    """STR-TC-05: it takes what brings its side most in the round, of what it may do."""
    table = Table(world_of(conflict.CAMPAIGN), find_player("quick", load_known_system("conflict")))
    table.play("conflict start", conflict.START | {"team": ["vex"]})
    habit = Option("conflict act", DeclareAction(who="vex", action="block"), ())
    other = Option("conflict act", DeclareAction(who="vex", action="win-at-all-costs", skill="Climbing"), ())
    monkeypatch.setattr(PolicyBot, "choose_command", lambda self, world, who="": habit)
    monkeypatch.setattr(
        "strike_cli.systems.conflict.bots_and_simulation.commands_that_may_be_legal",
        lambda world: [habit, other],
    )
    judge = ActionJudge(table.world)
    assert judge.value_after_round_with_action("ours", other.args) > judge.value_after_round_with_action(
        "ours", habit.args
    )
    assert find_player("good", load_known_system("conflict")).choose_command(table.world) == other


def test_a_side_acts_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a side acts as one, not all that each of it may do is weighed before the first does anything:
    of thirty that would take seconds."""
    world = world_of(grit.CAMPAIGN)
    table = Table(world, find_player("full", load_known_system("grit")))
    for move, args in grit.BEGINS[0]:
        table.play(move, {**args, "surprise": False})
    weighed: list[str] = []
    real = forecast.replay_and_continue_command

    def noted(underway: CommandUnderway, *rest: Any) -> Any:
        weighed.append(str(getattr(underway.option.args, "who", "")))
        return real(underway, *rest)

    monkeypatch.setattr(forecast, "replay_and_continue_command", noted)
    chosen = table.player.choose_command(table.world)
    assert weighed and set(weighed) == {chosen.args.who}


@pytest.mark.slow
@pytest.mark.parametrize(("encounter", "name"), some_of(product(ENCOUNTERS, PLAYER_NAMES), every=4))
def test_a_fight_comes_to_its_end(example: Book, encounter: str, name: str) -> None:
    """A side wins; no option is refused, a charge that ends where its target is out of sight included."""
    table = Table(World(example, {}), in_combat(name), seed=3)
    table.play("combat start", {"encounter": encounter, "party": list(example.characters)})
    table.go_on(lambda world: not world.state.get("fight"))
    assert table.played[-1] == "combat finish"


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYER_NAMES)
def test_the_same_is_chosen_whatever_was_asked_before(example: Book, name: str) -> None:
    """What a player remembers changes nothing: another with nothing in mind, on an equal state that shares
    no part, chooses the same."""
    table = Table(World(example, {}), in_combat(name))
    table.play("combat start", {"encounter": "ford", "party": ["vex", "odo", "sela"]})
    while len(table.played) < 40 and table.world.state.get("fight"):
        option = table.player.choose_command(table.world)
        afresh = in_combat(name).choose_command(World(example, deepcopy(table.world.state)))
        assert option == afresh
        table.play(option.command, option.args)


def test_an_unknown_player_is_no_player() -> None:
    with pytest.raises(Usage, match="no player 'god'"):
        find_player("god", load_known_system("combat"))


# Fights


@pytest.mark.parametrize("name", PLAYER_NAMES)
def test_a_door_in_the_way_is_opened(game: Game, name: str) -> None:
    game.draw("V+.g", "####").begin("vex")
    option = in_combat(name).choose_command(game.world)
    assert str(option) == "door open B1"
    game.play(option.command, **option.args.as_json())
    after = in_combat(name).choose_command(game.world)
    assert after.command != "combat end-turn"


def test_a_door_in_a_wall_is_opened(game: Game) -> None:
    """It is gone up to, and then opened."""
    game.draw("V..g")
    game.set("fight.map.doors", [{"at": [[2, 0], [2, 1]], "open": False}])
    game.begin("vex")
    table = Table(game.world, in_combat("quick"))
    table.go_on(lambda world: "combat door" in table.played, most=6)
    assert table.played == ["combat move", "combat door"]


def test_who_shoots_goes_a_step_back_first(game: Game) -> None:
    """STR-TAC-08: shooting beside an enemy gives it an Opportunity."""
    sheet = {**game.book.characters["vex"], "powers": [], "melee": {"damage": 1}, "ranged": {"damage": 4}}
    game.book = with_house(game.book)
    game.book.characters = {**game.book.characters, "vex": sheet}
    game.draw("....", ".Vg.", "....").begin("vex")
    option = in_combat("quick").choose_command(game.world)
    assert option.command == "combat move"
    assert option.args.shift


@pytest.mark.parametrize("name", PLAYER_NAMES)
def test_nobody_stays_where_it_burns(game: Game, name: str) -> None:
    """STR-TAC-21."""
    game.draw("..g", "V..", "...").begin("vex")
    game.put("goblin", hidden=True)
    game.play("combat zone add", called="Fire", squares=["A2"], damage=3)
    option = in_combat(name).choose_command(game.world)
    assert option.command == "combat move"


def test_habits_are_followed_in_their_order() -> None:
    """`tactics` of a sheet: the first that finds something to do, at whom it says, when it says."""
    habits = '["charge at weakest when unhurt", "attack at weakest"]'
    game = Game(book_with(f'[creatures.thug]\nname = "Thug"\ntactics = {habits}\n'))
    game.book.creatures["goblin"] = {**game.book.creatures["goblin"], **game.book.creatures["thug"]}
    game.draw("V....g", "......", "....O.").begin("goblin")
    game.put("vex", hp=2)
    assert str(in_combat("quick").choose_command(game.world)) == "charge goblin vex"
    game.put("goblin", hp=1)
    chosen = in_combat("quick").choose_command(game.world)
    assert chosen.command == "combat attack"
    assert chosen.args.targets == ("vex",)


def test_which_habits_there_are() -> None:
    """A word of theirs, or a power of their own by its id or the end of it; of the words for whom and when
    those that there are."""
    sheet = {"powers": ["core:trip", "plain-cut"], "tactics": [
        "trip", "core:trip at weakest", "plain-cut when bloodied", "attack at furthest when first-round",
        "shove", "attack at random", "charge when tired", " when bloodied",
    ]}  # fmt: skip
    found = fight_rule_faults_of_content_item("creatures", "thug", {"creatures": {"thug": sheet}})
    assert [fault.place for fault in found] == [Place("tactics", number) for number in range(5, 9)]
    assert all(word in fault.what for word, fault in zip(("shove", "random", "tired"), found, strict=False))
    assert fight_rule_faults_of_content_item("characters", "vex", {"characters": {"vex": sheet}}) == found


def test_a_habit_that_means_nothing_is_a_fault(in_campaign: Strike, folder: Path) -> None:
    """With the nearest word that does."""
    file = folder / "campaign.toml"
    text = file.read_text(encoding="utf-8").replace(
        "[characters.vex]", '[characters.vex]\ntactics = ["chrge"]'
    )
    file.write_text(text, encoding="utf-8")
    said = in_campaign("doctor", code=None)
    assert "tactics[1]" in said.out + said.err
    assert "charge" in said.out + said.err


def test_a_players_turn_is_played_where_it_is_named(in_campaign: Strike) -> None:
    """`combat auto` alone is for creatures."""
    in_campaign("combat start yard --party vex")
    in_campaign("combat initiative --dice 6,1,1")
    refused = in_campaign("combat auto", 1)
    assert "a player's" in refused.err
    assert in_campaign.json("combat auto vex --bot quick")["data"]["played"]


@pytest.mark.slow
def test_a_bots_dice_have_a_seed_where_one_is_said(in_campaign: Strike) -> None:
    """The same seed rolls the same, whatever the campaign's is; others roll otherwise."""
    in_campaign("combat start yard --party vex")
    in_campaign("combat initiative --dice 6,1,1")

    def faces(seed: int) -> list[list[int]]:
        facts = in_campaign.json(f"combat auto --fight --bot quick --seed {seed} --dry-run")["facts"]
        return [fact["roll"]["faces"] for fact in facts if "roll" in fact]

    assert faces(7) == faces(7)
    assert len({str(faces(seed)) for seed in (7, 8, 9)}) == 3
