"""Karma from the command line: what is typed, what is shown, what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Once, Strike
from support.thorough import some_of


@pytest.fixture
def yard(karma: Strike, tmp_path: Path, once: Once) -> Strike:
    """Round 1 with Ana, Bo and Cy against Viper and three Thugs, Ana first."""
    once("karma in the yard", tmp_path, lambda: karma("karma start yard --first ana --dice 5,4,9"))
    return karma


def test_show_is_two_rows_of_cards(yard: Strike) -> None:
    """CIN-10: face down and face up, the holder marked, what is delayed with its segment."""
    yard('karma delay ana --segments 3 --what "a spell of fire"')
    yard("karma pass thugs")
    yard("karma act thugs --no-roll")
    yard("karma pass bo")
    yard("karma hold bo --pass viper")
    out = yard("karma show").out
    assert "Face down: [Bo, held] [Cy] ▸[Viper] [Thugs x2]\nFace up: [Ana, delayed]\n" in out
    assert "Delayed: a spell of fire, segment 4" in out
    segment = "Segment 3. Viper has the initiative, and may pass it to: Bo, Cy, Thugs."
    assert f"{segment} Holding, to: Bo, Cy." in out
    assert "Known: The gate is barred." in out
    assert "Counters: Fire 2" in out


def test_a_beginning_that_waits_is_one_scene_in_the_report(karma: Strike) -> None:
    karma("session start")
    karma("karma start yard --dice 5,4,9", 6)
    karma("choose ana")
    (scene,) = karma.json("session report")["data"]["scenes"]
    assert (scene["turns"], scene["rounds"]) == (1, 1)


def test_show_for_programs(yard: Strike) -> None:
    """The keys of the contract."""
    yard('karma when ana --if "he moves" --what "shoots"')
    yard("karma pass bo")
    yard('karma delay bo --open --what "an aimed shot" --choose none')
    yard("karma pass thugs")
    yard("karma act thugs --no-roll --choose none")
    data = yard.json("karma show")["data"]
    assert {key: data[key] for key in ("round", "segment", "holder", "held", "due", "starter_next")} == {
        "round": 1,
        "segment": 3,
        "holder": "thugs",
        "held": [],
        "due": [],
        "starter_next": None,
    }
    assert data["may_receive"] == ["cy", "viper", "thugs"]
    assert data["acted"] == ["ana", "bo"]
    assert data["delayed"] == [{"who": "bo", "what": "an aimed shot", "due": None}]
    assert data["conditional"] == [{"who": "ana", "if": "he moves", "what": "shoots"}]
    assert data["pools"] == {"ana": 3, "bo": 2, "cy": 1, "viper": 4, "thugs": 2}
    assert data["karma"] == {"ana": 5, "bo": 4, "cy": 9}
    assert data["groups"] == {"thugs": {"left": 2, "acted": 1}}
    assert data["order"]["kind"] == "pool"


def test_react_for_programs(yard: Strike) -> None:
    """CIN-07: the keys of the contract."""
    data = yard.json('karma react ana --to "a chair" --for trope --dice 5,1,1,2')["data"]
    assert data.items() >= {
        "who": "ana", "dice": 4, "pool_before": 3, "pool_after": 2, "mode": "pool", "failed": False
    }.items()  # fmt: skip
    assert data["roll"]["faces"] == [5, 1, 1, 2]


def test_a_condition_is_asked_for_and_answered(yard: Strike) -> None:
    """CIN-06: the decision is open, and nothing else goes on meanwhile; undo takes it all back."""
    yard('karma when ana --if "he moves" --what "shoots" --no-roll')
    yard("karma pass viper")
    asked = yard.json('karma act viper --what "runs" --no-roll', 6)["pending"]
    assert (asked["who"], asked["options"]) == ("the game master", ["none", "ana"])
    assert "Ana: shoots." in yard("choose ana").out
    yard("undo")
    assert yard.json("karma show")["data"]["conditional"] == [
        {"who": "ana", "if": "he moves", "what": "shoots"}
    ]


def test_what_is_refused_changes_nothing(yard: Strike) -> None:
    before = Path("state.toml").read_bytes()
    for line, code, says in (
        ("karma pass bo", 1, "Ana has"),
        ("karma act bo", 1, "Ana has the initiative"),
        ("karma hold ana --pass bo", 1, "Bo is an ally"),
        ("karma act nobody", 2, "There is no person 'nobody'"),
        ("karma act ana --against d7", 1, "no dice 'd7'"),
        ("karma act ana --for luck", 1, "'luck'"),
        ("karma act ana --target 1", 2, "a whole number from 2 to 20"),
        ("karma delay ana --what x", 1, "--segments"),
        ("karma karma ana spend many", 2, "'many' is not a number"),
        ("karma karma ana lend 1", 2, "lend"),
        ("karma act ana --dice 5,6", 2, "3d6 for Ana"),
        ("karma act ana --dice 5,6,7", 2, "7"),
        ("karma start yard", 1, "`strike karma end` ends it."),
    ):
        with case(line):
            assert says in yard(line, code).err
            assert Path("state.toml").read_bytes() == before


def test_what_made_a_roll(yard: Strike) -> None:
    out = yard("karma act ana --for trope --against 2d6 --explain --dice 5,6,1,2,3,6").out
    assert "  action: d6 + d6 + d6 + d8 plain, faces 5, 6, 1, 2" in out
    assert "  against action: d6 + d6 plain, faces 3, 6" in out


def test_who_is_hidden_is_told_to_nobody(karma: Strike) -> None:
    karma("karma start crypt --first ghost --dice 5,4,9")
    assert "Ghost" in karma("karma show").out
    assert "Ghost" not in karma("log --player").out


def test_a_map_where_there_is_one(karma: Strike) -> None:
    """CIN-01: with the cards below it."""
    karma("karma start crypt --first ana --dice 5,4,9")
    out = karma("karma show").out
    assert "Face down: ▸[Ana] [Bo] [Cy] [Viper] [Ghost]" in out
    karma("karma place ana c2")
    assert "Z99 is not on the map" in karma("karma place ana z99", 1).err
    assert karma.json("karma show")["data"]["people"]["ana"]["at"] == "C2"


def test_hand_edits_and_doctor(yard: Strike) -> None:
    yard('override karma.people.ana.pool 1 --why "she was hit before"')
    assert yard.json("karma show")["data"]["pools"]["ana"] == 1
    file = Path("campaign.toml")
    file.write_text('systems = ["karma"]\n' + file.read_text("utf-8"), "utf-8")
    assert yard("doctor").code == 0
    yard('override karma.people.ana.pool many --why "x"', 3)


def test_the_scene_is_told_everywhere(yard: Strike) -> None:
    """By the common form alone: status, the report."""
    assert "The Yard: round 1, Ana's turn" in yard("status").out
    yard("karma act ana --dice 5,6,1")
    yard('karma end --outcome "the gate is shut"')
    assert "the gate is shut" in yard("session report").out


def test_sheets(karma: Strike) -> None:
    out = karma("character show ana").out
    assert "By Karma  Hero Dice 3d6 · Luck d8 · Trope Gunslinger d8 · Trademark Never misses d6" in out
    assert "By Karma" not in karma("character show dee").out


def test_words_by_their_beginnings(yard: Strike) -> None:
    """`.` has the initiative; Tropes go by what they are called."""
    yard("karma act . --for guns --dice 5,6,1,2")
    yard("karma pass vip")
    assert yard.json("karma show")["data"]["holder"] == "viper"


@pytest.mark.slow
def test_a_bot_plays(yard: Strike) -> None:
    """It acts with all its dice, passes on, and ends a round."""
    facts = yard.json("karma auto")["facts"]
    assert [fact["kind"] for fact in facts] == ["karma-acted", "karma-passed"]
    assert facts[0]["roll"]["dice"] == [6, 6, 6, 8, 6]
    for _ in range(12):
        yard("karma auto")
    assert yard.json("karma show")["data"]["round"] > 1
    assert yard("replay --verify").code == 0


def test_options_are_typed_as_they_stand(yard: Strike) -> None:
    listed = yard.json("karma options")["data"]["options"]
    typed = [one["typed"] for one in listed if not one["answers"]]
    assert typed == [
        "act ana --for trope --for trademark", "act ana --for trope", "act ana --for trademark", "act ana",
        "hold ana --pass viper", "hold ana --pass thugs",
    ]  # fmt: skip
    yard(f"karma {typed[-1]}")


def test_what_takes_effect_is_the_only_thing_to_do(yard: Strike) -> None:
    yard('karma delay ana --segments 1 --what "a spell of fire"')
    yard("karma pass bo")
    options = yard.json("karma options")["data"]["options"]
    (only,) = (one for one in options if not one["answers"])
    assert only["typed"] == "complete ana"
    assert "First: Ana, a spell of fire takes effect." in yard("karma show").out


def test_the_end_of_a_round_by_the_command_line(yard: Strike) -> None:
    """CIN-09: uncompleted actions are decisions that wait."""
    yard('karma delay ana --open --what "an aimed shot"')
    for who in ("bo", "cy", "viper", "thugs", "thugs", "thugs"):
        yard(f"karma pass {who}")
        yard(f"karma act {who} --no-roll")
    yard("karma pass cy")
    assert "The round is over; Cy begins the next." in yard("karma show").out
    asked = yard.json("karma round", 6)["pending"]
    assert (asked["who"], asked["options"]) == ("ana", ["complete", "continue", "abandon"])
    yard("choose complete --dice 5,5,5")
    assert yard.json("karma show")["data"]["holder"] == "cy"


@pytest.mark.slow
def test_help_has_an_example_for_every_command(karma: Strike) -> None:
    commands = re.findall(r"^│ ([a-z][a-z-]*) ", karma("karma --help").out, re.MULTILINE)
    assert {"start", "act", "karma", "show", "options", "auto"} <= set(commands)
    for command in some_of(sorted({*commands} - {"karma"})):
        assert f"strike karma {command}" in karma(f"karma {command} --help").out


def test_a_round_in_few_keys(yard: Strike) -> None:
    """CIN-02: who has the initiative need not be named, and `p` passes it on; to whom is theirs to
    say, so it isn't what comes next."""
    assert yard.json("a --no-roll")["data"]["who"] == "ana"
    assert yard.json("p bo")["command"] == "karma pass"
    assert yard.json("hold --pass viper --dry-run")["data"]["who"] == "bo"
    assert yard.json('delay --open --what "an aimed shot" --dry-run')["data"]["who"] == "bo"
    assert "initiative" in yard("next", 1).err
