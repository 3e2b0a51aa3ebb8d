"""`strike chase` and `odds chase` as they are typed; what stays secret."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from support.cli import Strike
from support.edits import append_to

ROUND_KEYS = (
    "runners_action", "prediction", "runners", "chasers", "winner", "range_before", "range_after", "danger",
    "crashed", "runners_advantage_next", "ended",
)  # fmt: skip


def test_a_round_bare_and_in_a_campaign(in_campaign: Strike) -> None:
    """STR-CH-03 to 05."""
    bare = in_campaign.json("chase round --action double-back --predict risk --range close --dice 3,4")
    assert bare["seq"] is None
    in_campaign("chase start Roofs --runners vex odo --chasers goblin 'the watch' --range close")
    in_campaign("chase run double-back")
    in_campaign("chase predict risk")
    for data in (bare["data"], in_campaign.json("chase roll --dice 3,4")["data"]):
        assert set(ROUND_KEYS) <= set(data)
        assert (data["winner"], data["range_after"], data["ended"]) == ("chasers", "caught", "caught")
    error = in_campaign.json("chase round --action hide --predict hide --range close", 1)["error"]
    assert error["code"] == "refused"
    assert "Hide at Close" in error["message"]


def test_a_risk_waits_for_the_chasers(in_campaign: Strike) -> None:
    """STR-CH-05: nothing else happens to the chase meanwhile."""
    in_campaign("chase start --runners vex --chasers goblin")
    in_campaign("chase run risk")
    in_campaign("chase predict flee")
    pending = in_campaign.json("chase roll --dice 5", 6)
    assert (pending["pending"]["what"], pending["data"]["runners"]["total"]) == ("follow", 5)
    assert "decision is open" in in_campaign("chase predict flee", 1).err
    assert "A decision for Goblin" in in_campaign("chase show").out
    assert in_campaign.json("choose follow --dice 5")["data"]["tie"]
    in_campaign("replay --verify")


def test_what_was_picked_stays_secret_until_the_roll(in_campaign: Strike, folder: Path) -> None:
    """STR-CH-02: on the terminal, in the log's mark, in `show`, to undo."""
    in_campaign("chase start --runners vex --chasers goblin")
    assert "hide" not in in_campaign("chase run hide").out.lower()
    entry = in_campaign.json("log")["data"]["entries"][-1]
    assert (entry["command"], entry["secret"]) == ("chase run", True)
    assert "hide" not in in_campaign("log").out.lower()
    shown = in_campaign.json("chase show")["data"]["chase"]
    assert "runners_action" not in shown
    assert shown["runners_picked"] is True
    assert "picked, in secret" in in_campaign("chase show").out
    assert in_campaign.json("chase show --gm")["data"]["chase"]["runners_action"] == "hide"
    assert "hide" not in in_campaign("undo").out.lower()
    in_campaign("redo")
    in_campaign("chase predict risk")
    assert "The Runners Hide" in in_campaign("chase roll --dice 6,2").out
    assert "hidden" in in_campaign("chase show").out


def test_players_are_not_told_before_the_roll(in_campaign: Strike) -> None:
    """STR-CH-02: the report for players, by the measure of their screens."""
    in_campaign("session start")
    in_campaign("chase start Roofs --runners vex --chasers goblin")
    in_campaign("chase predict set-up --secret")
    assert "prediction" not in in_campaign.json("chase show")["data"]["chase"]
    in_campaign("chase run hide")
    told = in_campaign("session report --player").out.lower()
    assert "roofs" in told
    assert "hide" not in told
    assert "set up" not in told
    in_campaign("chase roll --dice 6,2")
    assert "hidden" in in_campaign("session report --player").out.lower()


def test_a_prepared_chase(in_campaign: Strike, folder: Path) -> None:
    """STR-CH-01: from campaign.toml, with what is typed before it."""
    mill = '[chases.mill]\nname = "Round the Mill"\nrunners = ["vex", "odo"]\nchasers = ["goblin"]\n'
    append_to(folder / "campaign.toml", f'{mill}range = "far"\ndanger = 1\n')
    data = in_campaign.json("chase start mill --danger 2 --chasers ogre,goblin")["data"]
    assert {who: one["name"] for who, one in data.pop("people").items()} == {
        "vex": "Vex", "odo": "Odo", "ogre": "Ogre", "goblin": "Goblin",
    }  # fmt: skip
    assert data == {
        "id": "mill", "name": "Round the Mill", "runners": ["vex", "odo"], "chasers": ["ogre", "goblin"],
        "range": "far", "danger": 2, "round": 0,
    }  # fmt: skip
    in_campaign("chase end")
    assert in_campaign.json("chase start 'round the' ")["data"]["danger"] == 1


def test_mistakes_in_typing(in_campaign: Strike) -> None:
    for line in (
        "chase start",
        "chase start nowhere",
        "chase start --runners vex",
        "chase start --runners vex --chasers vex",
        "chase start --runners vex --chasers goblin --range wide",
        "chase round --action hop --predict flee",
        "chase danger sideways",
    ):
        assert in_campaign.json(line, 2)["error"]["code"] == "usage"


def test_names_one_by_one_or_together(in_campaign: Strike) -> None:
    """STR-CH-01: --runners takes every word up to the next option, commas, or itself again."""
    for typed in (
        "--runners vex odo brann",
        "--runners vex,odo --runners brann",
        "--runners=vex --runners odo brann",
    ):
        data = in_campaign.json(f"chase start {typed} --chasers goblin --range close")["data"]
        assert (data["runners"], data["chasers"]) == (["vex", "odo", "brann"], ["goblin"])
        in_campaign("chase end")


def test_shooting_and_danger(in_campaign: Strike) -> None:
    """STR-CH-06, STR-CH-07."""
    in_campaign("chase start --runners vex odo --chasers goblin brann")
    in_campaign("chase run flee")
    in_campaign("chase predict risk")
    in_campaign("chase shoot odo --at chasers")
    assert "Odo shoots" in in_campaign("chase show").out
    in_campaign("chase roll --dice 4,4,6", 6)
    data = in_campaign.json("choose brann")["data"]
    assert (data["shots"][0]["taken_out"], data["winner"]) == ("brann", "runners")
    assert "Brann (out)" in in_campaign("chase show").out
    assert "Injured" in in_campaign("character show brann").out
    assert in_campaign.json("chase danger up")["data"]["danger"] == 1
    in_campaign("undo 2")
    assert "Injured" not in in_campaign("character show brann").out
    in_campaign("replay --verify")


def test_odds(strike: Strike, tmp_path: Path) -> None:
    """STR-CH-05: exact, for one bare round."""
    line = "odds chase --action risk --predict flee --range medium"
    follow, up = (strike.json(line + more)["data"]["outcomes"] for more in ("", " --give-up"))
    assert {
        "winner": "chasers",
        "range_after": "medium",
        "ended": "crash",
        "probability": "1/2",
        "p": 0.5,
    } in up
    assert {item["ended"]: item["probability"] for item in up}["escaped"] == "1/2"
    assert {item["ended"]: item["probability"] for item in follow if item["ended"]}["escaped"] == "1/4"
    strike(f"{line} --svg {tmp_path / 'odds.svg'}")
    assert (tmp_path / "odds.svg").read_text().startswith("<svg")
    strike("odds chase --action hide --predict flee --range close", 1)


def test_odds_of_a_round_sum_to_one(strike: Strike) -> None:
    """STR-CH-03 to 06: at every range where it is possible, safe and dangerous, followed or given up."""
    for action in ("flee", "hide", "double-back", "set-up", "risk"):
        for range_, more in (("close", "--danger 2"), ("medium", "--runners-adv"), ("far", "--give-up")):
            line = f"odds chase --action {action} --predict set-up --range {range_} {more}"
            impossible = (action, range_) in (("hide", "close"), ("double-back", "far"))
            ran = strike(f"{line} --json", 1 if impossible else 0)
            if not impossible:
                assert sum(Fraction(row["probability"]) for row in ran.json["data"]["outcomes"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("more", ["--danger 2", "--danger 1 --danger-stays", "--runners-adv"])
def test_odds_of_the_whole_sum_to_one(strike: Strike, more: str) -> None:
    """STR-CH-05, 06: to within what is left of a chase that goes on and on."""
    rows = strike.json(f"odds chase --whole --range medium {more}")["data"]["outcomes"]
    assert sum(row["p"] for row in rows) == pytest.approx(1, abs=1e-9)


def test_a_hide_as_it_is_typed(in_campaign: Strike) -> None:
    """STR-CH-05: Skills of the drivers as on their sheets, or as said; odds and the whole chase know them."""
    in_campaign("chase start Roofs --runners vex odo --chasers goblin 'the watch'")
    in_campaign("chase run hide")
    in_campaign("chase predict risk")
    line = "chase roll --skill-runners sneak --skill-chasers Watching:unskilled"
    data = in_campaign.json(f"{line} --dice 6,2,3")["data"]
    assert (data["runners"]["mode"], data["chasers"]["mode"], data["complete"]) == (
        "plain", "disadvantage", True,
    )  # fmt: skip
    in_campaign("undo")
    data = in_campaign.json(
        "chase roll --help-runners odo --help-chasers 'Old Tom:unskilled' --dice 6,1,2,4,1"
    )
    assert [one["name"] for one in data["data"]["helpers"]] == ["odo", "Old Tom"]
    in_campaign("undo")
    in_campaign("chase roll --help-runners odo --help-runners odo", 2)
    in_campaign("chase roll --skill-runners Juggling:badly", 2)
    line = "chase roll --skill-runners Juggling:unskilled --dice 6,4,3"
    data = in_campaign.json(line, 6)["data"]
    assert data["runners"]["mode"] == "disadvantage"
    out = in_campaign("choose insecure").out
    assert "chooses" in out
    in_campaign("replay --verify")
    remembered = [{"skill": "Juggling", "who": "vex"}]
    assert tomllib.loads(Path("state.toml").read_text("utf-8"))["unlisted_skills"] == remembered

    def hidden(more: str) -> float:
        rows = in_campaign.json(f"odds chase --action hide --predict risk --range far {more}")["data"][
            "outcomes"
        ]
        return sum(row["p"] for row in rows if row["ended"].startswith("hidden"))

    assert hidden("--runners unskilled") < hidden("") < hidden("--chasers unskilled")
    assert hidden("--runners unskilled --chasers unskilled") == hidden("")
    in_campaign("odds chase --action hide --predict risk --runners badly", 2)
    data = in_campaign.json("chase round --action hide --predict risk --chasers unskilled --dice 5,6,4")[
        "data"
    ]
    assert (data["loser_options"], data["chasers"]["kept"]) == (["insecure", "costly", "cheap", "extra"], 4)
