"""`strike content try`: a power on dummies, by the procedures of play, with exact odds."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.data_keys import check_keys
from support.game import book_with
from support.thorough import some_of
from support.told import text_of

from strike_cli.content.compiler import SAMPLES
from strike_cli.content.merged_content import Book, open_book
from strike_cli.kernel.driver import EnteredDice
from strike_cli.kernel.procedure import World
from strike_cli.systems.combat.commands.power_descriptions import power_details_in_one_line
from strike_cli.systems.combat.powers.power_trial import (
    OutcomeSummary,
    TrialPlan,
    play_trial_seeking_reaction,
    prepare_trial,
    trial_odds_merged_to_few_rows,
)

PAGE = (Path(__file__).parents[2] / "docs" / "power-reference.md").read_text(encoding="utf-8")
EXAMPLES = "\n".join(re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
SAMPLE_POWERS = list(tomllib.loads((SAMPLES / "archetypes.toml").read_text(encoding="utf-8"))["powers"])
DOCUMENTED = list(tomllib.loads(EXAMPLES)["powers"])
ESTIMATED = {"hail"}
"""Of which the dice fall in too many ways to count."""


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, _environment: None) -> Book:
    folder = tmp_path_factory.mktemp("samples")
    (folder / "campaign.toml").write_text('schema = 1\ninclude = ["strike:archetypes.toml"]\n')
    return open_book(folder)


def tried_out(book: Book, power: str) -> None:
    trial = prepare_trial(book, power)
    tried = play_trial_seeking_reaction(trial, None, TrialPlan(), None)
    texts = [text_of(fact, World(book)) for fact in tried.played.facts]
    assert tried.played.pending is None
    assert any(book.powers[power]["name"] in text for text in texts), texts
    ways = trial_odds_merged_to_few_rows(trial)
    assert sum(ways.values()) == Fraction(1)
    assert (ways.plays > 0) == (power in ESTIMATED)


@pytest.mark.slow
@pytest.mark.parametrize("power", some_of(SAMPLE_POWERS, 1, every=6))
def test_every_power_that_comes_with_strike(samples: Book, power: str) -> None:
    """STR-TAC-12: each does something on the dummies, and its odds are whole."""
    tried_out(samples, power)


@pytest.mark.slow
@pytest.mark.parametrize("power", some_of(DOCUMENTED, 2))
def test_every_power_of_the_page(power: str) -> None:
    """Answers too, each set off by somebody."""
    book = book_with(EXAMPLES)
    assert power_details_in_one_line(book, book.powers[power])
    tried_out(book, power)


def test_what_happened_is_what_play_says(in_campaign: Strike) -> None:
    """STR-TAC-09: a 5 is a solid hit with its Effect."""
    data = in_campaign.json("content try shove --dice 5")["data"]
    check_keys("content try", data)
    assert data["used"] == {"command": "combat attack", "who": "tester", "targets": ["dummy-1"]}
    assert data["happened"][1].endswith("takes 1 damage from Shove: 20 to 19 HP.")
    dummy = next(one for one in data["after"] if one["who"] == "dummy-1")
    assert (dummy["hp"], dummy["at"]) == (19, "G5")
    assert data["seed"] is None


def test_dice_in_hand_are_the_dice(samples: Book) -> None:
    """STR-TAC-09: those that are said, and else those of a seed."""
    trial = prepare_trial(book_with(""), "shove")
    for face, result in enumerate(("miss", "miss", "glancing", "solid", "solid", "critical"), 1):
        tried = play_trial_seeking_reaction(trial, EnteredDice([face]), TrialPlan(), None)
        assert (tried.played.data["attacks"][0]["result"], tried.seed) == (result, None)
    assert play_trial_seeking_reaction(trial, None, TrialPlan(), None).seed == 1


@pytest.mark.parametrize("bloodied", [False, True])
def test_what_counts_of_each_way(bloodied: bool) -> None:
    """HP that foes and the user's side lose; what it regains; who is out, what came over whom, who came."""
    text = """
[powers]
song = { name = "Song", action = "role", who = "self", effect = [
  { do = "heal", to = "self", amount = 3 },
  { do = "damage", to = "ally", within = 9, amount = 2 },
  { do = "damage", to = "enemies", within = 9, amount = 1 },
  { do = "apply", to = "enemies", within = 9, status = "weakened", duration = "save" },
  { do = "apply", to = "self", status = "guarded", duration = "turn-end" },
  { do = "summon", to = "self", creature = "goblin", amount = 2, near = 2, turns = "none" }] }
"""
    (way,) = trial_odds_merged_to_few_rows(prepare_trial(book_with(text), "song", bloodied))
    statuses = [("Guarded", "the user's own side", 1), ("Weakened", "foes", 3)]
    statuses += [("Bloodied", "foes", 3), ("Bloodied", "the user's own side", 1)] if bloodied else []
    assert way == OutcomeSummary((), 3, 2, 3 if bloodied else 0, 0, tuple(sorted(statuses)), 2)


def test_who_falls_counts() -> None:
    """How many are out, and whose HP that took."""
    text = """
[powers]
doom = { name = "Doom", action = "role", who = "self", effect = [
  { do = "damage", to = "enemies", within = 9, amount = 20 },
  { do = "damage", to = "ally", within = 9, amount = 15 }] }
"""
    (way,) = trial_odds_merged_to_few_rows(prepare_trial(book_with(text), "doom"))
    assert (way.damage, way.lost, way.out) == (60, 15, 4)


ALLY, FRIEND = 'befalls = "ally"', 'befalls = "foe"\nby = "friend"'


@pytest.mark.slow
def test_whatever_is_answered_is_set_off() -> None:
    """STR-TAC-12: by whom the power says, in a situation that is told."""
    for on, whose, situation in (
        ("declared", "", "Dummy 1 triggers it."),
        ("rolled", ALLY, "Dummy 1 triggers it."),
        ("struck", FRIEND, "Tester triggers it."),
        ("harmed", 'plan = "bloodied"', "Dummy 1 triggers it. Tester has 3 HP left."),
        ("falls", ALLY, "Dummy 1 triggers it. Helper has 1 HP left."),
        ("displaced", "", "Dummy 1 triggers it."),
        ("displaced", FRIEND, "Tester triggers it."),
        ("moves", "", "Dummy 1 triggers it."),
        ("moves", 'by = "ally"', "Helper triggers it."),
        ("uses", "", "Dummy 1 triggers it."),
        ("uses", 'by = "ally"', "Helper triggers it."),
        ("missed", 'by = "foe"', "Dummy 1 triggers it."),
        ("hit", FRIEND, "Tester triggers it."),
    ):
        with case(on, whose, situation):
            text = f'''
[powers.ward]
name = "Ward"
action = "interrupt"
on = "{on}"
near = 9
{whose}
effect = [{{ do = "note", text = "It wards.", to = "self" }}]
'''
            trial = prepare_trial(book_with(text), "ward")
            assert " ".join(trial.situation) == situation
            tried = play_trial_seeking_reaction(trial, None, TrialPlan(), None)
            assert [fact.who for fact in tried.played.facts if "It wards." in text_of(fact)] == ["tester"]
            if on in ("declared", "moves", "uses"):  # comes with any dice
                assert tried.seed == 1


def test_its_odds_are_those_of_the_attack_table(in_campaign: Strike) -> None:
    """STR-TAC-09: a sixth each face, exact."""
    found = in_campaign.json("content try shove")["data"]["odds"]
    chances = {tuple(way["results"]): way["probability"] for way in found}
    assert chances == {("critical",): "1/6", ("solid",): "1/3", ("glancing",): "1/6", ("miss",): "1/3"}


@pytest.mark.slow
def test_the_same_seed_falls_the_same_way(in_campaign: Strike) -> None:
    once, again, other = (
        in_campaign.json(f"content try blast --seed {seed}")["data"]["happened"] for seed in (3, 3, 4)
    )
    assert once == again != other


def test_nothing_is_kept(in_campaign: Strike) -> None:
    before = sorted(Path.cwd().rglob("*"))
    in_campaign("content try shove")
    assert sorted(Path.cwd().rglob("*")) == before
    assert in_campaign.json("status")["data"].get("fight") is None


def test_a_fight_under_way_is_left_alone(in_campaign: Strike) -> None:
    in_campaign("combat start ring --party vex")
    before = Path("state.toml").read_bytes()
    in_campaign("content try shove")
    assert Path("state.toml").read_bytes() == before


def test_what_is_refused(in_campaign: Strike) -> None:
    for line, said in (
        ("shov", "Did you mean 'shove'"),
        ("shove --dice 9", "9 is not a face"),
        ("shove --dice 5,5", "You gave 2 dice"),
        ("shove --dice x", "is not a face"),
    ):
        with case(line):
            assert said in in_campaign(f"content try {line}", code=2).err


def test_without_a_campaign_the_core_s_are_there(strike: Strike) -> None:
    assert "Rally" in strike("content try rally").out


def test_bloodied_from_the_start(in_campaign: Strike) -> None:
    data = in_campaign.json("content try shove --bloodied --dice 1")["data"]
    assert {one["hp"] for one in data["after"] if one["who"].startswith("dummy")} == {10}
    assert data["situation"]
