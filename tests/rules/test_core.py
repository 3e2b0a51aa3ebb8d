"""What other files leave of STR-CORE: exceptions, Twists, Costs, Skills, Fun once, Linked Rolls, tools."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.game import Game
from support.party import do, with_party

from strike_cli.content.merged_content import Book, open_book
from strike_cli.kernel.procedure import World
from strike_cli.problems import ContentProblem, Refused
from strike_cli.systems.core.commands.phone_sheet import own_sheet
from strike_cli.systems.core.skill_roll import possible_cost_kinds_likeliest_first
from strike_cli.systems.core.skills_tricks_and_complications import (
    present_complications_of,
    present_tricks_of,
)
from strike_cli.tabletop.characters_and_names import TooFewPoints

Made = Callable[[str], Path]


def labels(book: Book, *tags: str, linked: bool = False) -> list[str]:
    """What a Cost may be, the likeliest first."""
    return list(possible_cost_kinds_likeliest_first(World(book), frozenset(tags), linked))


def roll(game: Game, *dice: int, **args: Any) -> dict[str, Any]:
    return game.play("roll skill", dice=dice, **args)


@pytest.fixture
def written(tmp_path: Path) -> Made:
    """Writes a campaign of one character with more of its own; its folder."""

    def write(more: str) -> Path:
        folder = tmp_path / "own"
        folder.mkdir()
        frame = (
            'schema = 1\nname = "Own"\n[characters.vex]\nname = "Vex"\nskills = ["Climbing", "Haggling"]\n'
        )
        (folder / "campaign.toml").write_text(frame + more, encoding="utf-8")
        return folder

    return write


# --- specific beats general


def test_a_campaigns_own_condition_replaces_the_cores(written: Made) -> None:
    """STR-CORE-01: an exception that says so wins over what the core says of the same Condition."""
    own = """
[conditions."core:winded"]
name = "Winded"
override = true
severity = "minor"
summary = "In these mountains the air is thin."
sources = [{ on = "task", gives = -1 }]
"""
    game = Game(open_book(written(own)))
    game.play("condition add", who="vex", condition="core:winded")
    data = roll(game, 5, skill="Haggling")
    assert data["roll"]["modifiers"] == [{"value": -1, "reason": "Winded"}]
    assert data["roll"]["sources"] == []
    assert data["total"] == 4


def test_an_exception_must_say_that_it_is_one(written: Made) -> None:
    """STR-CORE-01: the same without saying so is a mistake, and named as one."""
    own = '[conditions."core:winded"]\nname = "Winded"\nseverity = "minor"\nsummary = ""\n'
    with pytest.raises(ContentProblem, match="comes from strike-cli"):
        open_book(written(own))


def test_the_sheet_beats_the_guess(written: Made) -> None:
    """STR-CORE-01: what a Skill is about is guessed from its name, unless the sheet says it."""
    own = '[characters.vex.tags]\nHaggling = ["physical"]\nClimbing = []\n'
    game = Game(open_book(written(own)))
    game.play("condition add", who="vex", condition="core:winded")
    assert roll(game, 5, 4, skill="Haggling")["roll"]["mode"] == "disadvantage"
    assert roll(game, 5, skill="Climbing")["roll"]["mode"] == "plain"


def test_the_table_beats_what_counts_by_itself(game: Game) -> None:
    """STR-CORE-01, 04: a Condition that does not fit the situation is left out by name."""
    game.play("condition add", who="vex", condition="core:winded")
    assert roll(game, 5, 4)["roll"]["mode"] == "disadvantage"
    assert roll(game, 5, ignore=["winded"])["roll"]["mode"] == "plain"


@pytest.mark.parametrize(("rule", "left"), [("", 3), ("[house]\nap_carry_over = 5\n", 5)])
def test_the_house_beats_the_book(written: Made, rule: str, left: int) -> None:
    """STR-CORE-01, 21: a house rule is an exception of the table's own."""
    game = Game(open_book(written(rule)))
    do(game, "session start")
    do(game, "ap give", who="vex", n=8)
    do(game, "session end")
    assert game.get("characters.vex.ap") == left


# --- Twists


@pytest.mark.parametrize(
    ("die", "skilled", "text"),
    [
        (2, True, "Vex rolls Climbing (Skilled): 2. Twist."),
        (1, True, "Vex rolls Climbing (Skilled): 1. Twist with a Cost."),
        (3, False, "Vex rolls Climbing (Unskilled): 3. Twist."),
    ],
)
def test_a_twist_is_the_game_masters_to_tell(game: Game, die: int, skilled: bool, text: str) -> None:
    """STR-CORE-08: the roll says that there is one; what happens, and the intent, are not decided by it."""
    data = roll(game, die, skilled=skilled, costs=["waive"] if die == 1 else [])
    assert data["outcome"] == "twist"
    assert not data["bonus"]
    assert game.texts()[0] == text
    assert set(game.get("characters.vex")) <= {"last_roll", "skill_uses"}


# --- Costs


@pytest.mark.parametrize(
    ("tags", "first"),
    [
        (("persuading",), "favor"),
        (("making",), "flaw"),
        ((), "angry"),
        (("physical",), "winded"),
        (("social", "persuading"), "favor"),
    ],
)
def test_the_default_cost_is_by_the_task(book: Book, tags: tuple[str, ...], first: str) -> None:
    """STR-CORE-09: persuading a Favor, getting or making a Flaw, otherwise a Condition."""
    kinds = labels(book, *tags)
    assert kinds[0] == first
    assert {"flaw", "favor", "winded", "injured", "waive"} <= set(kinds)
    assert "later" not in kinds
    assert not {"short", "broke"} & set(kinds)


@pytest.mark.parametrize(
    ("skill", "first"),
    [("Haggling", "favor"), ("Cooking", "flaw"), ("Climbing", "winded"), ("Doing", "angry")],
)
def test_the_default_cost_is_guessed_from_the_skill(game: Game, skill: str, first: str) -> None:
    """STR-CORE-09: which is the first to choose from; the game master takes any."""
    question = game.asked("roll skill", skill=skill, dice=[3])
    assert (question.what, question.options[0]) == ("cost", first)


@pytest.mark.parametrize(
    ("cost", "path", "value"),
    [
        ("winded", "conditions", ["core:winded"]),
        ("injured", "conditions", ["core:injured"]),
        ("flaw:the rope", "flaws", [{"id": "f1", "on": "the rope", "text": "from Climbing"}]),
        ("favor:the ferrymen", "favors", [{"id": "v1", "to": "the ferrymen", "text": "for Climbing"}]),
        ("waive", "conditions", None),
    ],
)
def test_a_cost_decided_beforehand(game: Game, cost: str, path: str, value: Any) -> None:
    """STR-CORE-09: one of three kinds, named with what it is about."""
    roll(game, 3, costs=[cost])
    assert game.get(f"characters.vex.{path}") == value


def test_what_is_no_cost_is_refused(game: Game) -> None:
    """STR-CORE-09, 19: a Cost moves to a later roll only where there is one."""
    with pytest.raises(Refused, match="not a Cost here"):
        roll(game, 3, costs=["later"])
    assert game.state == {}


# --- Skills


def test_skills_are_free_text(game: Game) -> None:
    """STR-CORE-14: any words are a Skill; what is not on the sheet is Unskilled, and may be learned."""
    skill = "Talking to geese, and the like"
    learned = game.play("roll skill", skill=skill, skilled=False, dice=[6], choose=["learn"])
    assert learned["taken"] == "learn"
    assert game.get("characters.vex.skills_learned") == [skill]


def test_connections_are_rolled_like_skills(strike: Strike, written: Made, monkeypatch: Any) -> None:
    """STR-CORE-14: Skilled with those on the sheet, Unskilled with others, which may be learned too."""
    folder = written("")
    text = (folder / "campaign.toml").read_text(encoding="utf-8")
    (folder / "campaign.toml").write_text(text + 'connections = ["Fences"]\n', encoding="utf-8")
    monkeypatch.chdir(folder)
    assert strike.json("roll skill vex fences --dice 2")["data"]["skilled"] is True
    assert strike.json("roll skill vex Poachers --unskilled --dice 2")["data"]["skilled"] is False
    strike("skill learn vex fences", 1)
    strike("roll skill vex Poachers --unskilled --dice 6 --choose learn")
    assert strike.json("roll skill vex Poachers --dice 2")["data"]["skilled"] is True


def test_a_skill_that_one_has_is_not_learned_again(game: Game) -> None:
    """STR-CORE-06: rolled Unskilled for once, it offers the Bonus alone."""
    data = roll(game, 6, skill="Climbing", skilled=False)
    assert (data["can_learn"], data["bonus"]) == (False, True)
    assert game.get("characters.vex.skills_learned") is None


def test_the_more_general_side_learns_the_specific_skill(in_campaign: Strike) -> None:
    """STR-CORE-16, 18: it counts as Unskilled, so it has Disadvantage and may learn what the other did."""
    line = "roll opposed vex Sneaking --against odo 'Sneaking in kitchens' --theirs skilled --specific theirs"
    data = in_campaign.json(f"{line} --dice 6,5,1 --choose learn")["data"]
    assert (data["ours"]["mode"], data["can_learn"]["ours"]) == ("disadvantage", True)
    shown = in_campaign.json("character show vex")
    assert "Sneaking in kitchens" in str(shown["data"])


# --- Fun once


@pytest.mark.parametrize("other", [{"intent": "listen"}, {"task": "the wall"}, {"changed": "it rains"}])
def test_another_roll_for_something_else(game: Game, other: dict[str, Any]) -> None:
    """STR-CORE-15: another intent or task, or a situation that changed dramatically."""
    args = {"task": "the gate", "intent": "get in"}
    roll(game, 2, **args)
    roll(game, 4, **{**args, **other})
    with pytest.raises(Refused):
        roll(game, 4, **{**args, **other, "changed": ""})


@pytest.mark.parametrize(("die", "grants"), [(6, "advantage"), (1, None)])
def test_whoever_is_in_no_file_prepares_too(game: Game, die: int, grants: str | None) -> None:
    """STR-CORE-19: a success grants Advantage on the later roll; a roll for nothing grants nothing."""
    rolled: dict[str, Any] = {"who": "the thief", "skill": "Climbing", "skilled": True, "known": False}
    rolled["dice"] = [die]
    assert game.play("roll linked", linked="the gate", **rolled)["grants"] == grants
    assert "grants" not in game.play("roll skill", **rolled)


def test_fun_once_is_the_party_s(game: Game) -> None:
    """STR-CORE-15: the same task with the same intent is rolled for once, pass or fail, case aside, whoever
    of them rolls; somebody who is none of them is for themselves."""
    roll(game, 2, task="the gate", intent="get in")
    for who in ("vex", "brann"):
        with pytest.raises(Refused, match="Vex"):
            roll(game, 6, who=who, task="The Gate", intent="Get In")
    opposed = {"who": "odo", "skill": "Cooking", "skilled": True, "known": True, "adv": [], "dis": []}
    them = {**opposed, "who": "", "known": False}
    with pytest.raises(Refused, match="Vex"):
        game.play("roll opposed", who="odo", ours=opposed, theirs=them, task="The gate", intent="get in")
    game.play("roll skill", who="the thief", known=False, dice=[6], task="the gate", intent="get in")
    with pytest.raises(Refused, match="The gate|the gate"):
        game.play("roll skill", who="the thief", known=False, dice=[6], task="the gate", intent="get in")


@pytest.mark.parametrize(
    "line",
    [
        "roll skill brann Hauling",
        "roll linked brann Hauling --for Climbing",
        "roll group one Hauling brann odo",
        "roll opposed brann Hauling",
        "conflict act brann --secondary advance --skill Hauling",
        "wealth buy brann 1",
    ],
)
def test_fun_once_on_every_kind_of_roll(in_campaign: Strike, line: str) -> None:
    """STR-CORE-15: whatever kind of Skill Roll names the intent."""
    in_campaign("conflict start Race --intent first --against them --their-intent first")
    in_campaign("roll skill vex Climbing --task 'the gate' --intent 'get in' --dice 5")
    error = in_campaign.json(f"{line} --task 'the gate' --intent 'get in'", 1)["error"]
    assert error["message"] == "Vex has rolled for that already: the gate to get in."
    in_campaign(f"{line} --task 'the gate' --intent 'get out'", None)
    assert in_campaign("log --json").out.count("get out") > 0 or in_campaign.json("status")["data"]["pending"]


# --- Linked Rolls


@pytest.mark.parametrize(
    ("die", "cost", "grants", "mode"),
    [
        (5, "", "advantage", "advantage"),
        (3, "winded", "advantage", "advantage"),
        (3, "later", "both", "plain"),
        (2, "", None, "plain"),
        (1, "later", "disadvantage", "disadvantage"),
        (1, "waive", None, "plain"),
    ],
)
def test_a_linked_roll(game: Game, die: int, cost: str, grants: str | None, mode: str) -> None:
    """STR-CORE-19: a Success gives Advantage on the later roll, a Cost may become Disadvantage on it; both
    cancel; then they are used up. Somebody else's roll may be the later one."""
    cooking = {"who": "odo", "skill": "Cooking", "linked": "Sneaking", "linked_for": "vex"}
    sure = {"skilled": True, "known": True, "costs": [cost] if cost else []}
    data = game.play("roll linked", **cooking, **sure, dice=[die])
    assert data["grants"] == grants
    assert roll(game, 5, who="vex", skill="Climbing")["roll"]["mode"] == "plain"
    later = roll(game, *([5] if mode == "plain" else [5, 5]), skill="Sneaking")
    assert later["roll"]["mode"] == mode
    assert len(later["roll"]["sources"]) == {"both": 2, None: 0}.get(grants, 1)
    assert game.get("characters.vex.banked") is None
    assert roll(game, 5, skill="Sneaking")["roll"]["mode"] == "plain"


# --- Action Points, Tricks, Complications


def test_another_skill_helps_for_a_point(game: Game) -> None:
    """STR-CORE-22: Advantage for an Action Point and another Skill of one's own, before the dice."""
    with pytest.raises(Refused, match="Hauling"):
        roll(game, 5, 5, also="Hauling")
    data = roll(game, 2, 5, also="Sneaking")
    assert data["roll"]["sources"] == [{"kind": "advantage", "reason": "Sneaking helps (1 AP)"}]
    assert game.get("characters.vex.ap") == 0
    with pytest.raises(TooFewPoints):
        roll(game, 5, 5, also="Sneaking")


def test_what_a_character_starts_with(book: Book) -> None:
    """STR-CORE-23, 24: two Tricks and two Complications, as the sheet has them, and a Trick may name its
    Skill."""
    world = World(with_party(book))
    assert [(one.name, one.skill) for one in present_tricks_of(world, "vex")] == [
        ("Up the wall", "Climbing"),
        ("A lock is only a question", ""),
    ]
    assert [one.name for one in present_complications_of(world, "vex")] == ["Owes the ferryman", "Wanted"]


# --- items and tools


def test_no_tools_no_attempt(in_campaign: Strike) -> None:
    """STR-CORE-25: what needs tools can't be attempted without; nothing is rolled."""
    error = in_campaign.json("roll skill vex Climbing --no-tools --dice 5", 1)["error"]
    assert "STR-CORE-25" in error["message"]
    assert "--makeshift" in error["hint"]
    in_campaign("roll linked vex Climbing --for Sneaking --no-tools --dice 5", 1)
    assert not Path("state.toml").exists()


def test_makeshift_tools(in_campaign: Strike) -> None:
    """STR-CORE-25: Disadvantage, which a reason for Advantage cancels."""
    data = in_campaign.json("roll skill vex Climbing --makeshift --dice 5,4")["data"]
    assert data["roll"]["sources"] == [{"kind": "disadvantage", "reason": "makeshift tools"}]
    data = in_campaign.json("roll skill vex Climbing --makeshift --adv rope --dice 5")["data"]
    assert data["roll"]["mode"] == "plain"


@pytest.mark.parametrize(
    ("using", "mode"), [("rope", "disadvantage"), ("Rope", "disadvantage"), ("", "plain")]
)
def test_an_item_with_a_flaw(game: Game, using: str, mode: str) -> None:
    """STR-CORE-10, 25: an item is permission; only its Flaws weigh on the roll."""
    game.play("flaw add", who="vex", on="rope", text="frayed")
    dice = [5] if mode == "plain" else [5, 5]
    assert roll(game, *dice, using=using)["roll"]["mode"] == mode


# --- the players' view of themselves


def test_what_a_player_has_can_be_used(game: Game) -> None:
    """A Condition, a Skill, a Trick: nothing of it is used up, as a power may be."""
    game.play("condition add", who="vex", condition="core:winded")
    parts = {part.title: part.items for part in own_sheet(game.world, "vex").parts}
    assert {"Conditions", "Skills"} <= parts.keys()
    assert not any(one.used for items in parts.values() for one in items)


def test_a_player_sees_which_skills_are_in_doubt_and_by_what(game: Game) -> None:
    """STR-CORE-13: beside the Condition that brings the doubts, and no other, summary or none."""
    plain = {"name": "Haunted", "severity": "minor", "summary": ""}
    game.book = copy(game.book)
    game.book.conditions = {**game.book.conditions, "haunted": plain}
    for condition, about in (("haunted", []), ("core:lost-confidence", ["Climbing", "Riding"])):
        game.play("condition add", who="vex", condition=condition, about=about)
    parts = {part.title: part.items for part in own_sheet(game.world, "vex").parts}
    assert [(one.name, one.note) for one in parts["Conditions"]] == [
        ("Haunted", ""),
        ("Lost Confidence", "Affects Climbing, Riding"),
    ]
