"""The pack of content that comes with strike: twelve archetypes, six roles, creatures, traits, hazards. Each
thing loads, is explained, is offered, and is played by the bot in a fight."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from copy import copy
from typing import Any

import pytest
from support.cli import Strike
from support.thorough import THOROUGH, some_of
from support.told import text_of

from strike_cli.content.compiler import SAMPLES
from strike_cli.content.merged_content import Book, open_book
from strike_cli.content.schemas import schemas_of_working_systems
from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.driver import SeededDice, play_until_open_decision
from strike_cli.kernel.procedure import World
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.systems.combat.bots import position_value
from strike_cli.systems.combat.bots.full_bot import FullBot
from strike_cli.systems.combat.bots.legal_options import legal_actions_worth_listing
from strike_cli.systems.combat.bots.outcome_forecast import ChoicePolicy
from strike_cli.systems.combat.commands import content_explain
from strike_cli.systems.combat.encounter.fight_setup import StartFight
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.powers.power_trial import TESTER, TrialPlan, prepare_trial
from strike_cli.systems.combat.powers.power_trial import (
    play_trial_seeking_reaction as play_trial_seeking_reaction,
)
from strike_cli.systems.combat.validation import fight_state_faults


def written(file: str) -> Any:
    return tomllib.loads((SAMPLES / file).read_text(encoding="utf-8"))


PACK = {file: written(file) for file in ("archetypes.toml", "bestiary.toml", "hazards.toml")}
POWERS: dict[str, Any] = PACK["archetypes.toml"]["powers"]
CREATURES: dict[str, Any] = PACK["bestiary.toml"]["creatures"]
TRAITS: dict[str, Any] = PACK["bestiary.toml"]["creature_traits"]
HAZARDS: dict[str, Any] = PACK["hazards.toml"]["hazards"]
ALL = 'schema = 1\ninclude = ["strike:*.toml"]\n'


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory, _environment: None) -> Book:
    folder = tmp_path_factory.mktemp("pack")
    (folder / "campaign.toml").write_text(ALL)
    return open_book(folder)


def chosen_from(kind: str) -> dict[str, list[int]]:
    """The levels of the powers of each archetype (`class`) or role."""
    found: dict[str, list[int]] = {}
    for power in POWERS.values():
        if power.get("kind", "class") == kind:
            found.setdefault(power["keywords"][0], []).append(power["level"])
    return found


def test_twelve_archetypes_and_six_roles_at_every_level() -> None:
    """STR-TAC-12: two powers to begin with and one of each level; of a role one of each."""
    archetypes, roles = chosen_from("class"), chosen_from("role")
    assert (len(archetypes), len(roles)) == (12, 6)
    assert all(sorted(levels) == [1, 1, *range(2, 11)] for levels in archetypes.values())
    assert all(sorted(levels) == list(range(1, 11)) for levels in roles.values())


def test_sixty_creatures_of_every_tier_with_tactics() -> None:
    """STR-TAC-27"""
    tiers = Counter(creature["tier"] for creature in CREATURES.values())
    assert len(CREATURES) == 60
    assert tiers.keys() == {"stooge", "goon", "standard", "elite", "champion"}
    assert min(tiers.values()) >= 6
    assert all(creature["notes"] and creature["summary"] for creature in CREATURES.values())


def test_forty_traits_that_creatures_have(pack: Book) -> None:
    """Each acts, and is somebody's."""
    assert len(TRAITS) == 40
    had = {trait["name"] for id in CREATURES for trait in pack.creatures[id]["traits"]}
    assert had == {trait["name"] for trait in TRAITS.values()}


def test_no_two_have_one_name() -> None:
    for kind in ("powers", "creatures", "statuses", "creature_traits", "hazards"):
        names = Counter(item["name"] for data in PACK.values() for item in data.get(kind, {}).values())
        assert [name for name, count in names.items() if count > 1] == []


def test_every_power_of_a_creature_is_used() -> None:
    used = {power for creature in CREATURES.values() for power in creature.get("powers", ())}
    assert used == set(PACK["bestiary.toml"]["powers"])


@pytest.mark.parametrize("kind", ["powers", "creatures", "statuses", "creature_traits", "hazards"])
def test_each_is_explained(pack: Book, kind: str) -> None:
    read = {
        "powers": content_explain.explain_power,
        "creatures": content_explain.explain_creature,
        "statuses": content_explain.explain_status,
        "creature_traits": content_explain.explain_creature_trait,
        "hazards": content_explain.explain_hazard,
    }[kind]
    for data in PACK.values():
        for id in data.get(kind, {}):
            lines = read(pack, pack.table(kind)[id])
            said = " ".join(line.text for line in lines)
            assert said
            assert "None" not in said
            assert kind != "creature_traits" or "nothing by itself" not in said


def test_doctor_finds_nothing(strike: Strike, tmp_path: Any) -> None:
    (tmp_path / "campaign.toml").write_text(ALL)
    strike("doctor")
    assert len(strike.json("content list hazards")["data"]["hazards"]) == 20
    found = strike.json("content list powers --keyword duelist --level 3")["data"]["powers"]
    assert {power["level"] for power in found.values()} == {1, 2, 3}


# What somebody of a level may do


def of_level(power: Mapping[str, Any]) -> list[str]:
    """All powers of the same archetype or role up to a power's level."""
    return [
        id
        for id, other in POWERS.items()
        if other["keywords"][:1] == power["keywords"][:1] and other["level"] <= power["level"]
    ]


ON_ONES_TURN = [id for id, power in POWERS.items() if "on" not in power and "trigger" not in power]


@pytest.mark.slow
@pytest.mark.parametrize("power", some_of(ON_ONES_TURN, every=6))
def test_it_is_offered_at_its_level(pack: Book, power: str) -> None:
    """Among all that one of its archetype may have by then; the bot tells what it is worth."""
    trial = prepare_trial(pack, power)
    sheet = trial.world.book.characters[TESTER]
    trial.world.book.characters[TESTER] = {**sheet, "powers": of_level(POWERS[power])}
    offered = {
        getattr(option.args, "power", "")
        for option in legal_actions_worth_listing(trial.world, TESTER, ["power"])
    }
    assert power in offered
    assert (
        position_value.expected_gain_to_side_acted_for(trial.world, TESTER, trial.option)
        > position_value.ILLEGAL_GAIN
    )


@pytest.mark.parametrize("power", some_of([id for id, power in POWERS.items() if "on" in power], 1))
def test_an_answer_comes(pack: Book, power: str) -> None:
    """STR-TAC-12: asked at its moment, and given."""
    trial = prepare_trial(pack, power)
    tried = play_trial_seeking_reaction(trial, None, TrialPlan(), None)
    assert any(POWERS[power]["name"] in text_of(fact) for fact in tried.played.facts)


# By the bot, in fights


class Brawl:
    """A fight that the bot plays on both sides, of somebody with these powers and a friend."""

    ROWS = ("............", ".A.......xx.", ".....~~..xx.", ".B..........", "............")

    def __init__(self, book: Book, powers: list[str], foe: str, **more: Any) -> None:
        self.book = copy(book)
        faults: Faults = []
        forms = schemas_of_working_systems().campaign
        fighter = {"name": "Ada", "ap": 2, "powers": powers, "hp": 12}
        self.book.characters = {
            id: forms["characters"].check({**fighter, "name": id}, Place(), faults) for id in ("ada", "bo")
        }
        rows, place = [row.replace("xx", "..") for row in self.ROWS], {"A": "ada", "B": "bo", "x": foe}
        rows[1] = ".A.......x.."
        encounter = {"name": "E", "map": "\n".join(rows), "place": place} | more
        form = forms["encounters"]
        self.book.encounters = {
            "e": form.resolve(
                form.check({**encounter, "side": {"A": "party", "B": "party"}}, Place(), faults),
                Place(),
                _Names(self.book),
            )
        }
        assert faults == []
        self.world, self.played, self.number = World(self.book, {}), set[tuple[str, str]](), 0
        self.play("combat start", StartFight(encounter="e", party=["ada", "bo"]))
        self.play("combat initiative", {})

    def play(self, command: str, args: Any) -> None:
        self.number += 1
        dice = SeededDice("pack", self.number)
        played = play_until_open_decision(
            find_move(command).start(self.world, args), self.world, dice, ChoicePolicy()
        )
        assert played.pending is None
        assert fight_state_faults(self.world.state) == []

    def rounds(self, count: int) -> Brawl:
        """So many rounds, or until it is decided."""
        while not Fight(self.world).fight_outcome() and self.world.get("fight.round") <= count:
            who = self.world.get("fight.active")
            if not who:
                self.play("combat turn", {})
                continue
            option = FullBot().choose_command(self.world, who)
            self.played.add((who, getattr(option.args, "power", option.command)))
            self.play(option.command, option.args)
        return self


class _Names:
    """Names of a book that is whole."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def has(self, kind: str, id: str) -> bool:
        return id in self.book.table(kind)

    def full_id(self, kind: str, name: str, where: Place) -> str:
        return self.book.find(kind, name)

    def id_if_known(self, kind: str, name: str) -> str:
        return ""

    def resolved_item(self, kind: str, id: str) -> Any:
        return self.book.table(kind)[id]

    def add_fault(self, fault: Fault) -> None:
        raise AssertionError(fault)


def a_few(whole: Any, most: int) -> list[Any]:
    """All of it where there is time, else so many, spread over the whole."""
    whole = list(whole)
    return whole if THOROUGH else whole[:: -(-len(whole) // most)]


@pytest.mark.slow
@pytest.mark.parametrize("power", a_few(ON_ONES_TURN, 8))
def test_the_bot_plays_it(pack: Book, power: str) -> None:
    """STR-TAC-12: somebody who has this power does something with their turn wherever it wins HP or a status;
    what wins neither, or costs Action Points, is no choice of the bot's, and is played all the same."""
    trial = prepare_trial(pack, power)
    worth = position_value.expected_gain_to_side_acted_for(trial.world, TESTER, trial.option)
    world, chosen = World(trial.world.book, trial.world.state), ""
    for number in range(4):
        option = FullBot().choose_command(world, TESTER)
        chosen = getattr(option.args, "power", "")
        if chosen or option.command == "combat end-turn":
            break
        play_until_open_decision(
            find_move(option.command).start(world, option.args),
            world,
            SeededDice("m", number),
            ChoicePolicy(),
        )
    assert chosen or worth <= position_value.WORTH_IT
    world = World(trial.world.book, trial.world.state)
    play_until_open_decision(
        find_move(trial.option.command).start(world, trial.option.args),
        world,
        SeededDice("x", 1),
        ChoicePolicy(),
    )
    assert fight_state_faults(world.state) == []
    Brawl(pack, [power], "toll-bandit").rounds(2)


@pytest.mark.slow
@pytest.mark.parametrize("creature", a_few(CREATURES, 4))
def test_a_creature_fights(pack: Book, creature: str) -> None:
    """STR-TAC-27: the bot has it act, and its powers and traits leave the state sound."""
    brawl = Brawl(pack, ["quick-cut", "pick-off"], creature).rounds(4)
    assert any(who.startswith(creature.split("-")[0]) or creature in who for who, _ in brawl.played)


@pytest.mark.slow
@pytest.mark.parametrize("hazard", a_few(HAZARDS, 7))
def test_a_hazard_lies_on_the_map(pack: Book, hazard: str) -> None:
    """STR-TAC-21, 22: by name, with all that it does; who stands in it has its status."""
    zones = [{"hazard": hazard, "squares": ["A1:L5"]}]
    brawl = Brawl(pack, ["quick-cut"], "toll-bandit", zones=zones)
    (zone,) = brawl.world.get("fight.zones").values()
    written = HAZARDS[hazard]
    assert zone["name"] == written["name"]
    assert zone.get("status", "") == written.get("status", "")
    assert zone.get("damage", 0) == written.get("damage", 0)
    brawl.rounds(2)


def test_a_sign_of_the_map_may_be_a_hazard(pack: Book) -> None:
    """Terrain by name, as a table of its own would say it."""
    faults: Faults = []
    form = schemas_of_working_systems().campaign["encounters"]
    table = {"name": "E", "map": "cc..", "terrain": {"c": "hot-coals"}}
    checked = form.check(table, Place(), faults)
    found = form.resolve(checked, Place(), _Names(pack))
    assert faults == []
    assert found["terrain"]["c"]["damage"] == HAZARDS["hot-coals"]["damage"]


def test_a_zone_as_a_hazard_in_the_middle_of_a_fight(strike: Strike, tmp_path: Any) -> None:
    """STR-TAC-21: its damage, its difficulty and its status, by another name."""
    text = (
        ALL
        + """
[characters]
ada = { name = "Ada" }

[encounters]
e = { name = "E", map = "P....e", place = { P = "party", e = "toll-bandit" } }
"""
    )
    (tmp_path / "campaign.toml").write_text(text)
    strike("combat start e")
    zone = strike.json('combat zone add "The ford" B1:C1 --as "deep mud"')["data"]
    assert (zone["name"], zone["difficult"], zone["status"]) == ("The ford", True, "bogged")
    strike('combat zone add X A1 --as "dry mud"', code=2)


def test_a_creature_has_a_trait_by_naming_it(strike: Strike, tmp_path: Any) -> None:
    """A trait that the book doesn't have is a label for the table."""
    crab = '[creatures.crab]\nname = "Crab"\ntraits = ["thick-hide", "Venom", "Smells of mud"]\n'
    (tmp_path / "campaign.toml").write_text(ALL + crab)
    lines = strike.json("content explain crab")["data"][0]["lines"]
    assert {"about": "Trait", "text": "Smells of mud"} in lines
    assert [line["about"] for line in lines if line["about"] in ("Thick Hide", "Venom")] == [
        "Thick Hide",
        "Venom",
    ]
