"""The report of an evening."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike

EVENING = [
    'session start --title "The yard"',
    "roll skill vex Climbing --dice 5",
    'roll skill vex Sneaking --dice 2 --note "she *hated* it"',
    "condition add vex winded --why climb",
    "condition add odo winded",
    "recover odo winded --rest minutes",
    "flaw add vex rope --text frayed",
    "flaw use vex f1",
    'favor add odo "The <Guild>"',
    "bonus bank brann Hauling",
    "condition add vesna angry --secret",
    "favor add vesna Smugglers --secret",
    "skill learn odo Swimming",
    "undo",
    "override characters.brann.ap 3 --why gift",
]


@pytest.fixture
def evening(in_campaign: Strike) -> Strike:
    for line in EVENING:
        in_campaign(line)
    return in_campaign


def texts(data: dict[str, Any], heading: str) -> list[str]:
    return [told["text"] for told in data["sections"].get(heading, [])]


def test_sections(evening: Strike) -> None:
    data = evening.json("session report")["data"]
    assert (data["session"], data["title"]) == (1, "The yard")
    assert texts(data, "Rolls") == [
        "Vex rolls Climbing (Skilled): 5. Success.",
        "Vex rolls Sneaking (Skilled): 2. Twist. [she *hated* it]",
    ]
    assert texts(data, "Conditions") == [
        "Vex is Winded (climb).",
        "Odo is Winded.",
        "Odo is Winded no longer (ten minutes and a drink).",
        "Vesna is Angry.",
    ]
    assert len(texts(data, "Flaws and Favors")) == 4
    assert texts(data, "Bonuses") == ["Brann has Advantage on a later roll: Hauling."]
    assert "Also" not in data["sections"]
    assert data["conditions_held"] == {"vex": "Winded", "vesna": "Angry"}


def test_counts(evening: Strike) -> None:
    """STR-CORE-21: Action Points in and out, whatever moved them; Brann's first came with the session."""
    counts = evening.json("session report")["data"]["counts"]
    assert counts["vex"] == {
        "rolls": 2, "successes": 1, "twists": 1, "costs": 0, "in": 1, "out": 0, "ap": 2,
    }  # fmt: skip
    assert (counts["brann"]["in"], counts["brann"]["ap"]) == (3, 3)
    assert "odo" not in counts


def test_what_is_unresolved(evening: Strike) -> None:
    """STR-CORE-10, 11: open Flaws and Favors, bonuses kept, decisions that wait."""
    evening("roll skill vex Climbing --dice 4,3", code=6)
    found = evening.json("session report")["data"]["unresolved"]
    assert [(one["who"], one["which"], one["secret"]) for one in found] == [
        ("vex", "f1", False),
        ("brann", "b1", False),
        ("odo", "v1", False),
        ("vesna", "v1", True),
        ("vex", "roll vex", False),
    ]
    assert found[0]["what"] == "Flaw on rope: frayed"
    assert found[-1]["what"].startswith("must choose cost: ")


def test_undone_is_left_out_and_redone_is_not(evening: Strike) -> None:
    assert "Swimming" not in evening("session report").out
    evening("undo")
    evening("redo")
    assert "gift" in evening("session report").out
    evening("undo 2")
    out = evening("session report").out
    assert "gift" not in out
    assert "Smugglers" not in out
    assert "Angry" in out


def test_secrets_are_marked(evening: Strike) -> None:
    out = evening("session report").out
    assert "Vesna is Angry.  (secret)" in out
    assert "Favor owed to Smugglers  v1  (secret)" in out


@pytest.mark.parametrize("form", ["", "--markdown", "--json"])
def test_players_hear_no_secrets(evening: Strike, form: str) -> None:
    out = evening(f"session report --player {form}").out
    for secret in ("Angry", "Smugglers", "gift", "hated"):
        assert secret not in out
    assert "Vex is Winded (climb)." in out


def test_players_hear_of_nobody_hidden(in_campaign: Strike) -> None:
    in_campaign("session start")
    in_campaign("combat start sluice --party vex --party brann")
    in_campaign("combat initiative --dice 6,5,4,3,2,1,1")
    in_campaign("combat damage lurker 4")
    assert "Lurker" in in_campaign("session report").out
    assert "Lurker" not in in_campaign("session report --player").out
    # They are told of the initiative, without the Lurker's, and not of the damage.
    assert in_campaign.json("session report")["data"]["commands"] == 4
    assert in_campaign.json("session report --player")["data"]["commands"] == 3


def test_a_fight(in_campaign: Strike) -> None:
    """STR-TAC-18: a fight in a line, its length and outcome, who was taken out; its Conditions as others."""
    in_campaign("session start")
    in_campaign("combat start yard --party vex --party brann")
    in_campaign("combat initiative --dice 6,5,1,1")
    in_campaign("combat turn")
    in_campaign("override fight.combatants.vex.strikes 5 --why test")
    assert "The Mill Yard is still under way. (1 round, 1 turn)" in in_campaign("session report").out
    for goblin in ("goblin-1", "goblin-2"):
        in_campaign(f"combat damage {goblin} 4")
    in_campaign("combat finish")
    data = in_campaign.json("session report")["data"]
    (scene,) = data["scenes"]
    assert (scene["rounds"], scene["turns"]) == (1, 1)
    assert scene["outcome"].startswith("The Mill Yard is won.")
    assert len(scene["told"]) == 2
    assert texts(data, "Conditions") == ["Vex is Injured (5 Strikes)."]
    assert set(data["sections"]) == {"Conditions", "By hand", "Action Points"}


def test_a_fight_of_two_evenings(in_campaign: Strike) -> None:
    in_campaign("session start")
    in_campaign("combat start yard --party vex --party brann")
    in_campaign("session end")
    in_campaign("session start")
    in_campaign("combat abandon")
    assert in_campaign.json("session report 1")["data"]["scenes"][0]["outcome"] == ""
    (scene,) = in_campaign.json("session report")["data"]["scenes"]
    assert (scene["name"], scene["outcome"]) == ("The Mill Yard", "The Mill Yard is abandoned.")


def test_an_earlier_evening_is_as_it_ended(evening: Strike) -> None:
    evening("session end")
    evening("session start")
    evening("flaw mend vex f1")
    first = evening.json("session report 1")["data"]
    assert first["unresolved"][0]["which"] == "f1"
    second = evening.json("session report 2")["data"]
    assert "Rolls" not in second["sections"]
    assert [one["who"] for one in second["unresolved"]] == ["brann", "odo", "vesna"]


def test_nothing_unresolved(in_campaign: Strike) -> None:
    in_campaign("session start")
    assert "Nothing is left unresolved." in in_campaign("session report").out
    assert in_campaign("session report --markdown").out.endswith("## Unresolved\n\nNothing.\n")


def test_markdown(evening: Strike) -> None:
    page = evening("session report --markdown").out
    assert page.splitlines()[1] == "# Session 1: The yard"
    assert r"- Odo owes The \<Guild\> a Favor (v1)." in page
    assert r"\[she \*hated\* it\]" in page
    assert "| Vex | 2 | 1 | 1 | - | 1 | - | 2 |" in page
    assert "- Vesna is Angry. *(secret)*" in page


def test_out_writes_a_page(evening: Strike, folder: Path) -> None:
    page = folder / "one.md"
    evening(f"session report --out {page}")
    first = page.read_text(encoding="utf-8")
    assert first == evening.json("session report --markdown")["data"]["markdown"]
    evening(f"session report --player --out {page}")
    assert page.read_text(encoding="utf-8") != first


def test_out_spares_other_files(evening: Strike, folder: Path) -> None:
    before = (folder / "campaign.toml").read_bytes()
    assert "no report made it" in evening("session report --out campaign.toml", code=2).err
    assert (folder / "campaign.toml").read_bytes() == before
    assert "can't be written" in evening("session report --out nowhere/one.md", code=2).err


@pytest.mark.parametrize("line", ["session report", "session report 3"])
def test_no_such_session(in_campaign: Strike, line: str) -> None:
    assert "no session" in in_campaign(line, code=1).err.lower()


def test_before_the_first_session(in_campaign: Strike) -> None:
    in_campaign("roll skill vex Climbing --dice 5")
    assert in_campaign("session report").out.startswith("Before the first session\n")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["chase start Roofs --runners vex --chasers goblin", "chase end"], "- **Roofs** is called off."),
        (["chase start Roofs --runners vex --chasers goblin"], "- **Roofs** is still under way."),
        (["combat start yard --party vex", "combat abandon"], "- **The Mill Yard** is abandoned."),
    ],
)
def test_an_outcome_begins_with_its_scene(in_campaign: Strike, lines: list[str], told: str) -> None:
    """A scene is named once, whether its outcome says its name or not."""
    in_campaign("session start")
    for line in lines:
        in_campaign(line)
    assert told in in_campaign("session report --markdown").out.splitlines()


def test_an_outcome_that_names_no_scene(in_campaign: Strike) -> None:
    in_campaign("session start")
    in_campaign("conflict start Council --intent 'a road' --against 'The Company' --their-intent 'a toll'")
    in_campaign("conflict concede")
    assert "- **Council**: The team concedes Council; " in in_campaign("session report --markdown").out
    in_campaign("conflict end --abandon")
    assert "- **Council** is dropped as it stands." in in_campaign("session report --markdown").out
