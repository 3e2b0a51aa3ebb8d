"""`strike ap`, `trick`, `complication`, `advance` and their like as typed (STR-CORE-21 to 24, 31 to 33)."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Once, Strike
from support.party import PARTY
from support.thorough import few_of

MADE_READY = [
    "condition add vex angry",
    "override characters.vex.ap 3 --why test",
    "override characters.vex.skill_uses.climbing 6 --why test",
    "override characters.vex.complication_uses 10 --why test",
]
"""What brings about what some commands need."""


@pytest.fixture
def party(strike: Strike, tmp_path: Path) -> Strike:
    """The command line in the folder of a campaign with that party."""
    (tmp_path / "campaign.toml").write_text(PARTY, encoding="utf-8")
    return strike


def state() -> dict[str, Any]:
    """state.toml but for the tool's own bookkeeping."""
    file = Path("state.toml")
    found = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    found.pop("strike", None)
    return found


# --- what each says


def test_ap(party: Strike) -> None:
    """STR-CORE-21, 22: show, give, spend."""
    data = party.json("ap show")["data"]
    assert {one["who"]: one["ap"] for one in data["characters"]} == {
        "vex": 1, "rat": 0, "brann": 0, "odo": 2, "vesna": 5,
    }  # fmt: skip
    assert all(one["name"] in party("ap show").out for one in data["characters"])
    assert party.json('ap give br 2 --why "a good plan"')["data"] == {"who": "brann", "before": 0, "ap": 2}
    assert party.json("ap spend Brann")["data"]["ap"] == 1
    shown = party.json("ap show brann")["data"]["characters"]
    assert shown == [
        {
            "who": "brann", "name": "Brann", "player": "Jonas", "ap": 1,
            "awesome_point": True, "fallback": "", "fallback_ready": False,
        }
    ]  # fmt: skip
    refused = party.json("ap spend brann 2", code=1)
    assert refused["error"]["message"] == "Brann has 1 Action Point and not 2 to spend on this."
    assert "complication use brann" in refused["error"]["hint"]


def test_awesome(party: Strike) -> None:
    """STR-CORE-21: once a player and session, also after its end, and shown by `ap show`."""
    party("session start")
    assert party.json('awesome vex brann --why "held on"')["data"]["ap"] == 2
    party("awesome rat odo --why again", code=1)
    shown = {one["who"]: one["awesome_point"] for one in party.json("ap show")["data"]["characters"]}
    assert shown == {"vex": False, "rat": False, "brann": True, "odo": True, "vesna": True}
    party("session end")
    party("awesome brann vex --why late")
    party("awesome brann odo --why later", code=1)
    party("session start")
    party("awesome brann vex --why new")


def test_trick(party: Strike) -> None:
    """STR-CORE-12, 22, 23: used for an Action Point; not while in doubt of its Skill."""
    envelope = party.json('trick use vex "up the"')
    assert envelope["data"]["bonus"]
    assert [fact["kind"] for fact in envelope["facts"]] == ["ap-spent", "trick-used"]
    party("trick use vex up", code=1)
    party('condition add vex "lost confidence" --about Climbing')
    tricks = party.json("trick list vex")["data"]["tricks"]
    assert [(one["name"], one["uses"], one["blocked"]) for one in tricks] == [
        ("Up the wall", 1, "Lost Confidence about Climbing"),
        ("A lock is only a question", 0, ""),
    ]


def test_complication(party: Strike) -> None:
    """STR-CORE-24, 32: in one of four ways; a Cost will do; the tenth earns another."""
    party("condition add vex angry")
    for how, name in (("tie", "owes"), ("twist", "wanted"), ("trouble", "angry"), ("concede", "owes")):
        assert party.json(f"complication use vex {name} --how {how}")["data"]["how"] == how
    assert party.json("ap show vex")["data"]["characters"][0]["ap"] == 5
    shown = [party("complication use vex owes --how trouble").out for _ in range(6)]
    assert ["strike advance complication vex NAME" in out for out in shown] == [False] * 5 + [True]
    listed = party.json("complication list vex")["data"]
    assert (listed["uses"], listed["of"], listed["earned"]) == (0, 10, 1)
    assert [one["kind"] for one in listed["complications"]] == ["complication", "complication", "condition"]


def test_six_uses_of_a_skill_bring_a_trick(party: Strike) -> None:
    """STR-CORE-32: rolls count by themselves."""
    for _ in range(6):
        party('advance trick vex "Up the drain" --skill Climbing', code=1)
        party("roll skill vex climbing --dice 5")
    assert party.json("advance show vex")["data"]["skills"][0] == {"name": "Climbing", "uses": 6, "of": 6}
    shown = " ".join(party("advance show vex").out.split())
    assert "Climbing 6 of 6 brings a Trick" in shown and "Complications all together 0 of" in shown
    party('advance trick vex "Up the drain" --skill climbing')
    shown = party.json("advance show vex")["data"]
    assert shown["skills"][0]["uses"] == 0
    assert [one["name"] for one in shown["tricks"]][-1] == "Up the drain"


def test_house_numbers(party: Strike) -> None:
    """Section E: `ap_carry_over`, `skill_uses_for_trick`, `trick_uses`, `complication_uses`."""
    house = "\n[house]\nap_carry_over = 4\nskill_uses_for_trick = 1\ntrick_uses = 1\ncomplication_uses = 2\n"
    Path("campaign.toml").write_text(PARTY + house, encoding="utf-8")
    party("session start")
    party("complication use vex owes --how trouble")
    party("complication use vex owes --how trouble")
    party("advance complication vex Famous")
    party("roll skill vex Climbing --dice 5")
    party('advance trick vex "Up the drain" --skill Climbing')
    assert [party.json("trick use vex up-the-wall")["data"]["uses"] for _ in range(2)] == [1, 1]
    assert party.json("session end")["data"]["clipped"] == {"vesna": 1}


# --- every command that plays


PLAYS = [
    "ap give vex",
    "ap give vex 3 --why 'a plan'",
    "ap spend vex",
    "awesome vex brann --why 'held on'",
    "trick use vex up",
    "complication use vex owes --how tie",
    "complication use vex angry --how trouble",
    "fallback odo --text 'a story'",
    "advance level-up vex --fallback planning",
    "advance level-up odo --trick 'Hot soup' --skill cooking",
    "advance level-up odo --complication Famous --consent",
    "advance trick vex 'Up the drain' --skill Climbing",
    "advance complication vex Famous",
    "advance complication vex Famous --consent",
    "advance swap-trick vex up Over --consent",
    "advance swap-trick vex up Softly --skill sneaking --consent",
    "advance swap-complication vex wanted Pardoned",
    "advance replace vex wanted Pardoned",
    "advance replace vex up Over",
    "session start",
]


@pytest.fixture
def ready(party: Strike, tmp_path: Path, once: Once) -> Strike:
    """The party with what each command needs: an old Twist of Odo's, full counters, a Condition."""
    lines = [*MADE_READY, "roll skill odo Cooking --dice 2 --choose keep"]
    once("the party made ready", tmp_path, lambda: [party(line) for line in lines])
    return party


@pytest.mark.parametrize("line", few_of(PLAYS))
def test_undo_is_exact(ready: Strike, line: str) -> None:
    """design.md: undo after do is identity; redo brings back what was; --dry-run writes nothing."""
    before = state()
    ready(f"{line} --dry-run")
    assert state() == before
    envelope = ready.json(line)
    assert envelope["ok"]
    assert envelope["command"] in line
    assert all(fact["text"] for fact in envelope["facts"])
    after = state()
    assert after != before
    ready("undo")
    assert state() == before
    ready("redo")
    assert state() == after


def test_an_evening_of_them_plays_again(ready: Strike) -> None:
    """design.md: replayed, every command comes to the same; nothing is wrong with what is left behind."""
    for line in PLAYS:
        ready(line, code=None)
    ready("replay --verify")
    ready("doctor")


def test_wrong_input_is_refused_and_writes_nothing(ready: Strike) -> None:
    """cli.md: 1 where the rules refuse, 2 for what was typed wrong; a refused command changes nothing."""
    for line, code, says in (
        ("ap give nobody", 2, "no character 'nobody'"),
        ("ap give goblin", 2, "no character 'goblin'"),
        ("ap give v", 2, "is ambiguous"),
        ("ap give vex 0", 2, "from 1 to 99"),
        ("ap give vex some", 2, "some"),
        ("ap spend vex 99", 1, "3 Action Points and not 99"),
        ("awesome vex", 2, "TO"),
        ("awesome vex brann", 2, "--why"),
        ("awesome vex brann --why ''", 2, "awesome"),
        ("awesome vex rat --why x", 1, "for another player"),
        ("trick use vex", 2, "TRICK"),
        ("trick use vex 'Holds it'", 1, "no Trick"),
        ("trick use brann holds", 2, "is ambiguous"),
        ("complication use vex owes", 2, "--how"),
        ("complication use vex owes --how trubble", 2, "Did you mean 'trouble'?"),
        ("complication use vex owed --how tie", 1, "no Complication"),
        ("fallback vex", 1, "first level-up"),
        ("fallback vesna", 1, "Vesna"),
        ("advance level-up vex", 1, "--fallback"),
        ("advance level-up odo", 1, "one of two"),
        ("advance level-up odo --fallback more", 1, "already"),
        ("advance level-up odo --complication Famous", 1, "--consent"),
        ("advance trick vex 'Up the drain'", 2, "--skill"),
        ("advance trick vex 'Up the drain' --skill Sneaking", 1, "0 of 6"),
        ("advance trick vex 'Up the drain' --skill Climbin", 1, "Did you mean 'Climbing'?"),
        ("advance complication brann Famous", 1, "0 of 10"),
        ("advance swap-trick vex up Over", 1, "everybody's consent"),
        ("advance swap-complication vex up Over", 1, "no Complication"),
        ("advance replace vex nothing Over", 1, "no Trick or Complication"),
        ("advance show nobody", 2, "no character"),
    ):
        with case(line, code, says):
            journal = sorted((file.name, file.read_bytes()) for file in Path("journal").iterdir())
            ran = ready(line, code)
            assert says in ran.err.replace("\n", " ")
            assert not ran.out
            error = ready.json(line, code)["error"]
            assert error["code"] == {1: "refused", 2: "usage"}[code]
            assert error["hint"] or code == 2
            assert sorted((file.name, file.read_bytes()) for file in Path("journal").iterdir()) == journal


# --- help

HELPS = [
    *["ap", "ap show", "ap give", "ap spend", "awesome", "fallback"],
    *["trick", "trick use", "trick list", "complication", "complication use", "complication list"],
    *["advance", "advance show", "advance level-up", "advance trick", "advance complication"],
    *["advance swap-trick", "advance swap-complication", "advance replace"],
]


@pytest.mark.slow
@pytest.mark.parametrize("name", HELPS)
def test_every_help_has_an_example_that_works(strike: Strike, name: str) -> None:
    """cli.md: one worked example each; typed into a new campaign it does what it says."""
    shown = " ".join(re.sub(r"[│╭╮╰╯─]", " ", strike(f"{name} --help").out).split())
    found = re.search(r"Example: `?strike (.+?)`?(?: Arguments| Options| Commands| Everywhere|$)", shown)
    assert found, shown
    example = found.group(1).rstrip("` ")
    assert example.startswith(name)
    strike("new try")
    if name == "fallback":
        strike("-C try advance level-up vex --fallback ropes")
        strike("-C try roll skill vex Climbing --dice 2 --choose keep")
    elif name == "advance trick":
        strike("-C try override characters.vex.skill_uses.climbing 6 --why test")
    strike(shlex.join(["-C", "try", *shlex.split(example)]))


def test_the_root_help_lists_them(strike: Strike) -> None:
    """cli.md: each is found from `strike --help`, which names `strike help all`."""
    assert "help all" in strike("--help").out
    shown = strike("help all").out.split()
    for name in ("ap", "awesome", "trick", "complication", "fallback", "advance"):
        assert name in shown


def test_a_character_goes_by_the_players_name(party: Strike) -> None:
    """Characters before players; a player of two characters names neither."""
    assert party.json("ap give jonas")["facts"][0]["who"] == "brann"
    party("ap give ana", 2)
