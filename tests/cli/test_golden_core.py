"""The golden examples of the core game, typed as at the table with physical dice (rules.md, section D)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike

CAMPAIGN = """
schema = 1
name = "The Weir"
seed = 3

[characters.vex]
name = "Vex"
player = "Ana"
skills = ["Climbing", "Sneaking"]
complications = ["Owes the ferryman"]
ap = 0
wealth = 2

[characters.brann]
name = "Brann"
player = "Jonas"
skills = ["Climbing", "Hauling"]
ap = 5

[characters.odo]
name = "Odo"
player = "Mila"
skills = ["Climbing", "Haggling"]
fallback = "a kind word"
ap = 2
cash = [1, 1, 1]

[characters.sela]
name = "Sela"
skills = ["Listening"]
"""


@pytest.fixture
def weir(strike: Strike, tmp_path: Path) -> Strike:
    """The command line in the folder of that campaign."""
    (tmp_path / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    return strike


def came_to(data: Any) -> tuple[str, bool, int]:
    return data["outcome"], data["bonus"], data["costs"]


def points(strike: Strike) -> dict[str, int]:
    return {one["who"]: one["ap"] for one in strike.json("ap show")["data"]["characters"]}


def conditions(who: str) -> list[str]:
    state = tomllib.loads(Path("state.toml").read_text(encoding="utf-8"))
    found = state.get("characters", {}).get(who, {}).get("conditions", [])
    return [key.removeprefix("core:") for key in found]


# --- Skill Rolls


@pytest.mark.parametrize(
    ("skill", "die", "comes_to"),
    [
        ("Climbing", 3, ("success", False, 1)),
        ("Cooking --unskilled", 3, ("twist", False, 0)),
        ("Cooking --unskilled", 4, ("success", False, 1)),
    ],
)
def test_golden_1(weir: Strike, skill: str, die: int, comes_to: tuple[str, bool, int]) -> None:
    """STR-CORE-03: Skilled 3 is a Success with a Cost, Unskilled 3 a Twist, Unskilled 4 a Success with a
    Cost, which is asked for unless it was told beforehand."""
    line = f"roll skill vex {skill} --dice {die}"
    if comes_to[2]:
        envelope = weir.json(line, 6)
        assert (came_to(envelope["data"]), envelope["pending"]["what"]) == (comes_to, "cost")
        assert came_to(weir.json("choose waive")["data"]) == comes_to
        line += " --cost waive"
    assert came_to(weir.json(line)["data"]) == comes_to


def test_golden_2(weir: Strike) -> None:
    """STR-CORE-04: five reasons for Advantage and one for Disadvantage are one die."""
    many = " ".join(f"--adv reason{number}" for number in range(5))
    data = weir.json(f"roll skill vex Climbing {many} --dis rain --dice 5")["data"]
    assert (data["roll"]["mode"], data["roll"]["faces"], len(data["roll"]["sources"])) == ("plain", [5], 6)
    weir(f"roll skill vex Climbing {many} --dis rain --dice 5,5", 2)


def test_golden_3_without_learning(weir: Strike) -> None:
    """STR-CORE-06: Unskilled with Advantage, 6 and 4: a Success with a Bonus, and nothing to learn."""
    data = weir.json("roll skill vex Cooking --unskilled --adv book --dice 6,4")["data"]
    assert (came_to(data), data["can_learn"]) == (("success", True, 0), False)


@pytest.mark.parametrize(("taken", "bonus"), [("bonus", True), ("learn", False)])
def test_golden_3_with_learning(weir: Strike, taken: str, bonus: bool) -> None:
    """STR-CORE-06: 6 and 5: the Bonus or the Skill, which is on the sheet from then on."""
    envelope = weir.json("roll skill vex Cooking --unskilled --adv book --dice 6,5", 6)
    assert envelope["pending"]["options"] == ["learn", "bonus"]
    assert weir.json(f"choose {taken}")["data"]["bonus"] is bonus
    said = " --unskilled" if bonus else ""
    assert weir.json(f"roll skill vex Cooking{said} --dice 5")["data"]["skilled"] is not bonus


@pytest.mark.parametrize("helps", ["5,3", "3,5"])
def test_golden_5(weir: Strike, helps: str) -> None:
    """STR-CORE-20: 2 with helpers' 5 and 3: 3 beats 2, 5 beats 3, so it comes to 4, in whatever order."""
    line = f"roll skill vex Climbing --help-from brann --help-from odo --dice 2 --help-dice {helps}"
    data = weir.json(line)["data"]
    assert (data["total"], [one["added"] for one in data["helpers"]]) == (4, [1, 1])
    assert came_to(data) == ("success", False, 0)


def test_golden_7(weir: Strike) -> None:
    """STR-CORE-20, 09: a Skilled 2 helped to 3 is no Twist but a Success with a Cost, and each helper has
    one too."""
    line = "roll skill vex Climbing --help-from brann --help-from odo --dice 2,3,2"
    envelope = weir.json(line, 6)
    assert envelope["pending"]["who"] == "vex"
    data = weir.json("choose winded angry favor")["data"]
    assert (data["total"], came_to(data)) == (3, ("success", False, 1))
    assert [conditions(who) for who in ("vex", "brann", "odo")] == [["winded"], ["angry"], []]
    assert "Favor" in weir("character show odo").out
    weir("replay --verify")


def test_golden_8(weir: Strike) -> None:
    """STR-CORE-05, 12: a 6 with one Major Condition is a 5: a Success and no Bonus; a 1 with two is no less
    than 1: a Twist with a Cost."""
    weir("condition add vex injured")
    data = weir.json("roll skill vex Climbing --dice 6")["data"]
    assert (data["total"], came_to(data)) == (5, ("success", False, 0))
    weir("condition add vex sick")
    data = weir.json("roll skill vex Climbing --dice 1 --cost waive")["data"]
    assert (data["total"], came_to(data)) == (-1, ("twist", False, 1))
    assert [item["reason"] for item in data["roll"]["modifiers"]] == ["Injured", "Sick"]


# --- Opposed Rolls

AGAINST = "roll opposed vex Sneaking --against sela Listening"


def test_golden_9_complete(weir: Strike) -> None:
    """STR-CORE-16: 6 against 3 wins by three, and so completely."""
    data = weir.json(f"{AGAINST} --dice 6,3")["data"]
    assert (data["winner"], data["margin"], data["complete"]) == ("ours", 3, True)
    assert data["loser_options"] == []


def test_golden_9_close(weir: Strike) -> None:
    """STR-CORE-16: 5 against 3 wins, and the loser picks what spoils it."""
    envelope = weir.json(f"{AGAINST} --dice 5,3", 6)
    assert (envelope["pending"]["who"], envelope["data"]["complete"]) == ("sela", False)
    assert envelope["pending"]["options"] == ["insecure", "costly", "cheap", "extra"]
    assert weir.json("choose extra")["data"]["loser_chose"] == "extra"


def test_golden_9_tie(weir: Strike) -> None:
    """STR-CORE-17: at 4 against 4 a Complication of ours makes them win, and is worth an Action Point."""
    assert weir.json(f"{AGAINST} --dice 4,4", 6)["data"]["winner"] is None
    weir("choose complication-1 insecure")
    assert points(weir)["vex"] == 1
    weir("undo 2")
    data = weir.json(f"{AGAINST} --dice 4,4 --choose complication-1,insecure")["data"]
    assert (data["winner"], data["tie_broken_by"], data["complication"]) == (
        "theirs",
        "ours",
        "Owes the ferryman",
    )
    assert points(weir)["vex"] == 1


def test_golden_9_tie_that_stands(weir: Strike) -> None:
    """STR-CORE-17: left alone, neither gets what they wanted."""
    data = weir.json(f"{AGAINST} --dice 4,4 --choose stand")["data"]
    assert (data["winner"], data["loser_options"], points(weir)["vex"]) == (None, [], 0)


# --- what rolls prepare, and Conditions


def test_golden_11(weir: Strike) -> None:
    """STR-CORE-19: a linked 3 gives Advantage for the Success; the Cost is turned into Disadvantage; so the
    later roll is plain, and uses both up."""
    data = weir.json("roll linked odo Haggling --for Sneaking --for-who vex --dice 3", 6)["data"]
    assert came_to(data) == ("success", False, 1)
    assert weir.json("choose later")["data"]["grants"] == "both"
    later = weir.json("roll skill vex Sneaking --dice 5")["data"]["roll"]
    assert later["mode"] == "plain"
    assert [source["kind"] for source in later["sources"]] == ["advantage", "disadvantage"]
    assert weir.json("roll skill vex Sneaking --dice 5")["data"]["roll"]["sources"] == []


def test_golden_12(weir: Strike) -> None:
    """STR-CORE-12: the third Winded becomes Exhausted, and the Winded are gone."""
    for _ in range(2):
        weir("condition add vex winded")
    assert conditions("vex") == ["winded", "winded"]
    data = weir.json("condition add vex winded")["data"]
    assert (data["condition"], data["escalated"]) == ("core:exhausted", True)
    assert conditions("vex") == ["exhausted"]
    assert weir.json("roll skill vex Haggling --dice 5,5")["data"]["roll"]["mode"] == "disadvantage"


# --- Wealth


def test_golden_13_same_level(weir: Strike) -> None:
    """STR-CORE-27: Wealth 2, price 2, a 4: a Success with a Cost, of any kind that the buyer is asked for."""
    envelope = weir.json("wealth buy vex 2 --for 'the cart' --dice 4", 6)
    assert envelope["pending"]["options"] == ["flaw", "short", "favor", "other"]
    data = weir.json("choose short")["data"]
    assert (came_to(data), data["got"]) == (("success", False, 1), True)
    assert conditions("vex") == ["short"]


@pytest.mark.parametrize("second", ["short", "favor"])
def test_golden_13_cheap(weir: Strike, second: str) -> None:
    """STR-CORE-27: price 1, a 1: a Success with two Costs, a Flaw and one of the other two."""
    envelope = weir.json("wealth buy vex 1 --for 'a suit' --dice 1", 6)
    assert envelope["pending"]["options"] == ["short", "favor", "other"]
    data = weir.json(f"choose {second}")["data"]
    assert (came_to(data), data["flaws"]) == (("success", False, 2), 1)
    assert [one["kind"] for one in data["paid"]] == ["flaw", second]


@pytest.mark.parametrize(
    ("taken", "got", "held"), [("go-without", False, []), ("break-the-bank", True, ["broke"])]
)
def test_golden_13_expensive(weir: Strike, taken: str, got: bool, held: list[str]) -> None:
    """STR-CORE-27: price 3, a 3: a Twist; go without, or break the bank."""
    envelope = weir.json("wealth buy vex 3 --for 'the house' --dice 3", 6)
    assert envelope["pending"]["what"] == "break the bank"
    data = weir.json(f"choose {taken}")["data"]
    assert (data["outcome"], data["got"], conditions("vex")) == ("twist", got, held)


def test_golden_13_out_of_reach(weir: Strike) -> None:
    """STR-CORE-27: price 4: no roll, with dice or without, and nothing has happened."""
    assert weir.json("roll wealth --wealth 2 --price 4")["data"]["roll"] is None
    before = weir("log --json").out
    weir("wealth buy vex 4 --for 'the tower'", 1)
    weir("wealth buy vex 4 --for 'the tower' --dice 6", 1)
    assert weir("log --json").out == before


def test_golden_15(weir: Strike) -> None:
    """STR-CORE-28: three people of Wealth 1 and two parcels roll as 2."""
    line = "wealth pool brann odo sela --parcels 1,1 --price 2 --for 'the mill' --dice 5"
    data = weir.json(line)["data"]
    assert (data["wealth"], data["column"], came_to(data)) == (2, "same", ("success", False, 0))
    assert weir.json("wealth show odo")["data"]["cash"] == [1]


def test_golden_15_illegal(weir: Strike) -> None:
    """STR-CORE-28: two people and three parcels are refused, and the parcels are still there."""
    error = weir.json("wealth pool brann odo --parcels 1,1,1 --price 2 --dice 5", 1)["error"]
    assert "At most 2" in error["message"]
    assert weir.json("wealth show odo")["data"]["cash"] == [1, 1, 1]


# --- once a session


def test_golden_16(weir: Strike) -> None:
    """STR-CORE-31: the Fallback makes a 1 a Success with a Cost; a second use in the session is refused."""
    weir("session start")
    data = weir.json("roll skill odo Haggling --dice 1 --choose use,angry")["data"]
    assert (came_to(data), data["fallback"]) == (("success", False, 1), "a kind word")
    assert conditions("odo") == ["angry"]
    data = weir.json("roll skill odo Climbing --dice 2")["data"]  # nothing is offered any more
    assert data["outcome"] == "twist"
    assert "already" in weir("fallback odo", 1).err
    weir("session end")
    weir("session start")
    envelope = weir.json("roll skill odo Climbing --dice 2", 6)
    assert envelope["pending"]["options"] == ["keep", "use"]
    assert came_to(weir.json("choose use")["data"]) == ("success", False, 0)


def test_golden_17(weir: Strike) -> None:
    """STR-CORE-21: 0 at a session's start becomes 1, 2 stays 2; 5 at its end becomes 3."""
    assert weir.json("session start")["data"]["action_points_given"] == ["vex"]
    assert points(weir) == {"vex": 1, "brann": 5, "odo": 2, "sela": 1}
    assert weir.json("session end")["data"]["clipped"] == {"brann": 2}
    assert points(weir) == {"vex": 1, "brann": 3, "odo": 2, "sela": 1}
    weir("session start")
    assert points(weir) == {"vex": 1, "brann": 3, "odo": 2, "sela": 1}
    weir("undo 3")
    assert points(weir) == {"vex": 0, "brann": 5, "odo": 2, "sela": 1}
    weir("replay --verify")
