"""`strike conflict` and `odds conflict` as they are typed; the golden examples of Team Conflict."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.edits import append_to

START = "conflict start Council --intent 'a road' --against 'The Company' --their-intent 'a toll'"
PLAN = (
    "conflict act vex progress",
    "conflict act brann block",
    "conflict act odo calculated-risk --skill Cooking",
    "conflict act vesna observe --skill Riding",
)


def begin(strike: Strike, more: str = "--advance 3 --defense 3") -> None:
    strike(f"{START} {more}")


# --- golden examples


def test_golden_18(in_campaign: Strike) -> None:
    """STR-TC-02, STR-TC-05: a Draw; Calculated Risk costs us a Hit, and we may scout."""
    begin(in_campaign)
    for line in ("conflict oppose total-defense", *PLAN):
        in_campaign(line)
    data = in_campaign.json("conflict roll --dice 4,2,3,5")["data"]
    totals = [data[side][which] for side in ("ours", "theirs") for which in ("advance", "defense")]
    assert totals == [10, 5, 5, 11]
    assert data["comparison"] == {"ours": "lose", "theirs": "tie"}
    assert (data["outcome"], data["hits"], data["strikes"]) == ("draw", ["ours"], {"ours": 1, "theirs": 0})
    assert (data["scouts"], data["ended"], data["aftermath"]) == ({"ours": 1, "theirs": 0}, False, None)
    assert data["ours"]["advance_roll"]["faces"] == [4]
    in_campaign("conflict scout --dice 6")
    in_campaign("conflict scout", 1)
    in_campaign("replay --verify")
    in_campaign("doctor")


def test_golden_22(strike: Strike) -> None:
    """STR-TC-05: a Win, of a bare round and without a campaign."""
    data = strike.json("conflict round --ours 6/3 --theirs 2/6 --dice 5,3,2,3")["data"]
    assert data["comparison"] == {"ours": "win", "theirs": "lose"}
    assert (data["outcome"], data["ended"], data["aftermath"]) == ("win", True, None)


def test_golden_26(in_campaign: Strike) -> None:
    """STR-TC-11: conceding."""
    begin(in_campaign)
    in_campaign("override conflict.ours.strikes 4 --why 'a test'")
    data = in_campaign.json("conflict concede --complication 'vex:Owes the ferryman'")["data"]
    assert data["strikes"]["ours"] == 2
    assert set(data["aftermath"]["conditions"].values()) == {"minor"}
    assert in_campaign.json("ap show")["data"] is not None
    words = "--condition vex:angry --condition brann:angry --condition odo:winded --condition vesna:winded"
    in_campaign(f"conflict end {words}")
    party = in_campaign.json("status")["data"]["party"]
    assert [(one["ap"], one["conditions"]) for one in party] == [
        (2, ["Angry"]),
        (0, ["Angry"]),
        (2, ["Winded"]),
        (5, ["Winded"]),
    ]


# --- the rest of the contract


def test_a_prepared_conflict(in_campaign: Strike, folder: Path) -> None:
    """STR-TC-01: campaign.toml has the defaults, the command line wins."""
    council = '[conflicts.council]\nname = "Lamp Council"\nintent = "a"\nagainst = "b"\ntheir_intent = "c"\n'
    council += 'advance = 2\ndefense = 4\ntraits = ["Old money", "Fated"]\n'
    append_to(folder / "campaign.toml", council)
    data = in_campaign.json("conflict start lamp --defense 5 --team vex brann")["data"]
    assert (data["name"], data["id"], data["ours"]["team"]) == ("Lamp Council", "council", ["vex", "brann"])
    theirs = data["theirs"]
    assert (theirs["advance"], theirs["defense"], theirs["traits"]) == (2, 5, ["Old money", "Fated"])
    in_campaign("conflict act odo progress", 1)
    in_campaign("undo")
    assert "--intent" in in_campaign("conflict start dance", 2).err


def test_the_secret_is_kept(in_campaign: Strike) -> None:
    """STR-TC-03: until the dice fall."""
    begin(in_campaign)
    in_campaign("conflict oppose total-defense")
    assert "Total Defense" not in in_campaign("conflict show").out
    assert in_campaign.json("conflict show")["data"]["opposition"] is True
    assert "Total Defense" in in_campaign("conflict show --gm").out
    entry = in_campaign.json("log")["data"]["entries"][-1]
    assert entry["secret"]
    for line in PLAN:
        in_campaign(line)
    assert "Total Defense" in in_campaign("conflict roll --dice 4,2,3,5").out


def test_every_step_is_taken_back(in_campaign: Strike, folder: Path) -> None:
    """STR-TC-01: undo leaves what was; on the way it is shown what may come next, and what for."""
    lines = [
        f"{START} --trait 'Old money'", "conflict prep vex scout --dice 4", "conflict scout --dice 3",
        "conflict oppose recover", *PLAN, "conflict roll --dice 6,2,6", "conflict hit theirs old",
        "conflict withdraw odo", "conflict concede", "conflict end",
    ]  # fmt: skip

    def state() -> Any:
        path = folder / "state.toml"
        kept = tomllib.loads(path.read_text()) if path.exists() else {}
        return kept.get("conflict"), kept.get("characters")

    states, shown = [], ""
    for line in lines:
        states.append(state())
        shown += in_campaign("conflict show", None).out
        in_campaign(line)
    for purpose in ("before the first round", "in secret", "before they act", "brings the aftermath"):
        assert purpose in shown
    for before in reversed(states[1:]):
        in_campaign("undo")
        assert state() == before
    in_campaign("replay --verify")


def test_odds(strike: Strike, tmp_path: Path) -> None:
    """STR-TC-05: exact, and summing to one."""
    data = strike.json(f"odds conflict --ours 6/3 --theirs 2/6 --svg {tmp_path / 'odds.svg'}")["data"]
    assert sum(Fraction(row["probability"]) for row in data["outcomes"]) == 1
    assert data["outcomes"][0] == {"outcome": "win", "hits": [], "probability": "35/144", "p": 0.2431}
    assert "conflict" in strike("odds --help").out


def test_wrong_input_changes_nothing(in_campaign: Strike) -> None:
    """STR-TC-01: refused or mistyped, with nothing recorded."""
    for line, code in (
        ("conflict show", 1), ("conflict roll", 1), ("conflict end", 1), ("conflict oppose progress", 1),
        ("conflict act nobody progress", 2), ("conflict act vex progress", 1), ("conflict scout sideways", 2),
        ("conflict roll --weigh sideways", 2), ("conflict concede --complication vex", 2),
        ("conflict end --condition vex", 2), ("conflict hit nobody strike", 2),
        (f"{START} --team vex vex", 2), (f"{START} --trait Fated --trait fated", 2),
        ("conflict round --ours 6 --theirs 2/6", 2), ("conflict round --ours 6/3 --theirs 2/x", 2),
        ("conflict round --ours 6/3 --theirs 2/6 --dice 1", 2), ("conflict", 2),
    ):  # fmt: skip
        with case(line):
            in_campaign(line, code)
            assert not Path("state.toml").exists()


def test_what_may_be_typed_next_can_be_typed(in_campaign: Strike) -> None:
    """STR-TC-06: the screen's suggestion for a Hit, in a shell, whatever a trait is called."""
    begin(in_campaign, '--trait "The miller\'s vote"')
    in_campaign("conflict prep vex seize --dice 6")
    (step,) = in_campaign.json("conflict show")["data"]["next"]
    assert step == "strike conflict hit theirs strike|the-miller-s-vote"
    data = in_campaign.json("conflict hit theirs the-miller-s-vote")["data"]
    assert data["lost_traits"] == ["The miller's vote"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "--ours 6/3 --theirs 2/6", "--ours -1/0 --theirs 0/-3", "--gm", "--policy balanced",
        "--policy aggressive --their-policy defensive --avert 1",
    ],
)  # fmt: skip
def test_odds_sum_to_one(in_campaign: Strike, line: str) -> None:
    """STR-TC-05: whatever is asked, with what is undecided said as such."""
    in_campaign(f"{START} --team vex --trait 'Old money' --our-trait Attrition")
    in_campaign("ap give vex 1")
    for one in ("oppose targeted-effort", "act vex progress"):
        in_campaign(f"conflict {one}")
    rows = in_campaign.json(f"odds conflict {line}")["data"]["outcomes"]
    assert sum(Fraction(row["probability"]) for row in rows) == 1
    assert all(0 < Fraction(row["probability"]) <= 1 for row in rows)
