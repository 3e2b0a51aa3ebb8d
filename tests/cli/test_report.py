"""The report of an evening."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Once, Strike
from support.game import book_with

from strike_cli.campaign.create import create_campaign_folder
from strike_cli.systems.campaign.commands.reports.character_counts import CharacterCounts
from strike_cli.systems.campaign.commands.reports.story import Paragraph
from strike_cli.systems.campaign.commands.reports.tables_and_plots import (
    FEWEST_DICE,
    plots_of_deeds_and_dice_faces,
)

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
def evening(in_campaign: Strike, folder: Path, once: Once) -> Strike:
    once("the evening to report", folder, lambda: [in_campaign(line) for line in EVENING])
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
    assert found[-1]["what"].endswith("?"), "the whole question"


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
    in_campaign("condition add vex winded")
    said = in_campaign("session report").out
    assert "Still held" in said and "Nothing else is left unresolved." in said
    in_campaign("undo")
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
    assert "strike didn't make it" in evening("session report --out campaign.toml", code=2).err
    assert (folder / "campaign.toml").read_bytes() == before
    assert "nowhere/one.md" in evening("session report --out nowhere/one.md", code=2).err


def test_no_such_session(in_campaign: Strike) -> None:
    for line in ("session report", "session report 3"):
        assert "no session" in in_campaign(line, code=1).err.lower()


def test_before_the_first_session(in_campaign: Strike) -> None:
    in_campaign("roll skill vex Climbing --dice 5")
    assert in_campaign("session report").out.startswith("Before the first session\n")


def test_an_outcome_begins_with_its_scene(in_campaign: Strike) -> None:
    """A scene is named once, whether its outcome says its name or not."""
    in_campaign("session start")
    for line, told in (
        ("chase start Roofs --runners vex --chasers goblin", "- **Roofs** is still under way."),
        ("chase end", "- **Roofs** is called off."),
        ("combat start yard --party vex", "- **The Mill Yard** is still under way."),
        ("combat abandon", "- **The Mill Yard** is abandoned."),
    ):
        in_campaign(line)
        assert told in [
            each.partition(" (")[0] for each in in_campaign("session report --markdown").out.splitlines()
        ]


def test_an_outcome_that_names_no_scene(in_campaign: Strike) -> None:
    in_campaign("session start")
    in_campaign("conflict start Council --intent 'a road' --against 'The Company' --their-intent 'a toll'")
    in_campaign("conflict concede")
    assert "- **Council**: The team concedes Council; " in in_campaign("session report --markdown").out
    in_campaign("conflict end --abandon")
    assert "- **Council** is called off." in in_campaign("session report --markdown").out


# Everybody's deeds

FIGHT = (
    "session start --title Goblins",
    "combat start yard --party vex --party brann",
    "combat initiative --dice 6,5,1,1",
    "combat place goblin-1 D2",
    "combat place goblin-2 D4",
    "combat turn",
    "combat attack vex goblin-1 --dice 6",
    "combat end-turn",
    "combat turn",
    "combat attack brann goblin-2 --dice 1",
    "combat end-turn",
    "combat turn",
)


@pytest.fixture
def fight(in_campaign: Strike, folder: Path, once: Once) -> Strike:
    once("the fight to report", folder, lambda: [in_campaign(line) for line in FIGHT])
    return in_campaign


def test_deeds(fight: Strike) -> None:
    """STR-TAC-08, 10: from the facts of attacks, damage and tokens; a one is a natural one."""
    deeds = fight.json("session report")["data"]["deeds"]
    assert deeds["vex"] == {"dealt": 4, "felled": 1, "attacks": 1, "crits": 1, "dice": 2}
    assert deeds["brann"] == {"attacks": 1, "misses": 1, "tokens": 1, "strikes": 1, "dice": 2, "ones": 1}
    out = fight("session report").out
    assert "Damage  Felled  Attacks  Critical hits  Misses  Miss Tokens  Strikes  Dice  Ones" in out


def test_a_hand_deals_no_damage(fight: Strike) -> None:
    fight("combat hp vex -5")
    deeds = fight.json("session report")["data"]["deeds"]
    assert (deeds["vex"]["taken"], deeds["vex"]["dealt"]) == (5, 4)


def test_what_was_undone_was_not_done(fight: Strike) -> None:
    fight("undo 6")
    assert fight.json("session report")["data"]["deeds"] == {"vex": {"dice": 1}, "brann": {"dice": 1}}


def test_players_are_told_of_no_secret_deed(fight: Strike) -> None:
    fight("combat hp vex -5 --secret")
    assert "taken" in fight.json("session report")["data"]["deeds"]["vex"]
    assert "taken" not in fight.json("session report --player")["data"]["deeds"]["vex"]


def test_the_whole_campaign(fight: Strike) -> None:
    """Everybody's deeds in all evenings is what they did in each."""
    for line in ("combat abandon", "session end", *FIGHT):
        fight(line)
    data = fight.json("session report --all")["data"]
    assert [one["session"] for one in data["sessions"]] == [1, 2]
    assert data["sessions"][0]["scenes"][0]["outcome"] == "The Mill Yard is abandoned."
    one = fight.json("session report 1")["data"]
    assert data["sessions"][0]["deeds"] == one["deeds"]
    assert data["deeds"]["vex"] == {key: 2 * count for key, count in one["deeds"]["vex"].items()}
    assert data["counts"]["brann"]["in"] == data["sessions"][0]["counts"]["brann"]["in"] > 0
    said = fight("session report --all").out
    assert "Session 2: Goblins" in said
    assert re.search(r"2 evenings, (\d{4}-\d\d-\d\d) to \d{4}-\d\d-\d\d$", said, re.MULTILINE)


def test_a_scene_keeps_its_name_in_the_report_of_all_evenings(in_campaign: Strike) -> None:
    in_campaign("session start")
    in_campaign("chase start 'None but the Canoness' --runners vex --chasers goblin --range close")
    in_campaign("chase end")
    assert "None but the Canoness" in in_campaign("session report --all").out
    in_campaign("session end")
    in_campaign("session start")
    assert "none" not in in_campaign("session report --all").out.replace("Canoness", "")


def test_evening_by_evening_in_pictures(fight: Strike, folder: Path) -> None:
    for line in ("combat abandon", "session end", *FIGHT):
        fight(line)
    fight(f"session report --all --out {folder / 'all.svg'}")
    picture = (folder / "all.svg").read_text(encoding="utf-8")
    for title in ("Damage by evening", "Felled by evening", "AP in by evening"):
        assert title in picture


def test_the_die_that_the_whole_party_rolled_most_is_plotted() -> None:
    """Not the one that a single character did; and none of which they rolled too few."""
    ledger = CharacterCounts(book_with(""))
    for person in ("ana", "bo", "cy"):
        ledger.faces[person] = {6: Counter({1: 2, 5: 3})}
    ledger.faces["ana"][20] = Counter({17: FEWEST_DICE})
    (plot,) = plots_of_deeds_and_dice_faces(ledger, {})
    assert plot.title == "Faces of the party's d6: 15 dice"
    ledger.faces = {"ana": {6: Counter({3: FEWEST_DICE - 1}), 8: Counter({3: 2})}}
    assert not plots_of_deeds_and_dice_faces(ledger, {})


def test_pages_and_pictures(fight: Strike, folder: Path) -> None:
    """One page with everything in it: nothing is fetched; a Markdown page has its plots beside it."""
    page, text, plots = folder / "one.html", folder / "two.md", folder / "two.svg"
    for which in ("", "--all"):
        fight(f"session report {which} --out {page}")
        html = page.read_text(encoding="utf-8")
        assert "Critical hits" in html and "<svg" in html
        assert "http" not in html.replace("http-equiv", "") and "<script" not in html
        fight(f"session report {which} --out {text}")
        assert "(two.svg)" in text.read_text(encoding="utf-8")
        assert plots.read_text(encoding="utf-8").startswith("<svg")
    plots.write_text("a drawing of mine", encoding="utf-8")
    fight(f"session report --out {text}", code=2)
    assert plots.read_text(encoding="utf-8") == "a drawing of mine"


def test_names_are_no_markup(fight: Strike, folder: Path) -> None:
    fight('note "<script>alert(1)</script> & *stars*"')
    fight(f"session report --out {folder / 'one.html'}")
    assert "&lt;script&gt;alert(1)" in (folder / "one.html").read_text(encoding="utf-8")
    fight(f"session story --out {folder / 'two.html'}")
    assert "&lt;script&gt;alert(1)" in (folder / "two.html").read_text(encoding="utf-8")
    assert r"\<script\>" in fight("session story --markdown").out


def test_a_story_is_a_page_without_naming_the_session(fight: Strike, folder: Path) -> None:
    fight(f"story --html {folder / 'friday'}")
    assert (folder / "friday").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert fight("story").out == fight("session story").out
    assert "--html" in fight(f"story --html {folder / 'x'} --out {folder / 'y.md'}", code=2).err
    assert not (folder / "x").exists()


# The evening as a story


def test_a_story_is_told_by_turns(fight: Strike) -> None:
    first, fought = fight.json("session story")["data"]["chapters"]
    assert (first["title"], fought["title"]) == ("", "The Mill Yard")
    rounds = [part["round"] for part in fought["parts"] if "round" in part]
    turns = {part["who"]: part["text"] for part in fought["parts"] if part.get("who")}
    assert rounds == [1]
    assert turns["Vex"].startswith("Vex attacks Goblin 1") and turns["Vex"].endswith("Goblin 1 is Taken Out.")
    assert "turn ends" not in turns["Vex"]
    assert " HP" not in turns["Vex"], "a story counts nobody's HP"


@pytest.mark.parametrize(
    ("who", "told", "lead"),
    [
        ("Ann", "Ann moves.", ("Ann", " moves.")),
        ("Ann", "Ann's turn ends.", ("Ann", "'s turn ends.")),
        ("Ann", "Anna moves.", ("Ann:", " Anna moves.")),
        ("", "It rains.", ("", "It rains.")),
    ],
)
def test_a_name_in_bold_is_the_whole_name(who: str, told: str, lead: tuple[str, str]) -> None:
    part = Paragraph(who)
    part.sentences.append(told)
    assert part.split_bold_name_and_rest() == lead


def test_what_a_fact_is_to_a_screen_is_in_the_report(in_campaign: Strike) -> None:
    in_campaign("condition add vex winded")
    sections = in_campaign.json("session report")["data"]["sections"]
    shown = {one["kind"]: one for lines in sections.values() for one in lines}
    assert shown["condition-gained"]["headline"] == "Vex is Winded"
    assert (shown["condition-gained"]["event"], shown["condition-gained"]["tone"]) == ("status", "bad")


def test_players_are_told_no_secrets(evening: Strike) -> None:
    told = evening("session story").out
    assert "Vesna is Angry.  (secret)" in told and "she *hated* it" in told
    for told_as, form in product(("report", "story"), ("", "--markdown", "--json")):
        told = evening(f"session {told_as} --player {form}").out
        with case(told_as, form):
            assert "Vex is Winded (climb)." in told
            assert [
                word for word in ("Angry", "Smugglers", "gift", "hated", "Swimming") if word in told
            ] == []


@pytest.mark.parametrize("audience", ["", " --player"])
def test_two_chases_of_an_evening_are_two(in_campaign: Strike, audience: str) -> None:
    """The second begins where the first lies, which is over: neither is taken for the other."""
    in_campaign("session start")
    for dice, action in (("1,6,6", "flee"), ("", "")):
        in_campaign("chase start --runners vex --chasers goblin --range close")
        if action:
            in_campaign("chase run flee")
            in_campaign("chase predict flee")
            in_campaign(f"chase roll --dice {dice}")
            assert in_campaign.json("session end")["data"]["scenes"] == [], "it is over"
            in_campaign("undo")
    in_campaign("chase end")
    scenes = in_campaign.json(f"session report{audience}")["data"]["scenes"]
    assert [scene["outcome"] for scene in scenes] == [
        "The chase is over. The Runners are caught.",
        "The chase is called off.",
    ]


def test_a_story_as_a_page_has_its_dice_and_its_pictures(tmp_path: Path, strike: Strike) -> None:
    """In the one file, each picture once; players get no picture of a map with fog on it."""
    folder = create_campaign_folder(tmp_path / "road", seed=7)
    file = tmp_path / "story.html"

    def page(more: str = "") -> str:
        strike(f"-C {folder} session story {more} --out {file}")
        return file.read_text("utf-8")

    for line in (
        "session start",
        "combat start ford",
        "combat fog on",
        "combat initiative",
        "combat auto --bot quick",
    ):
        strike(f"-C {folder} {line}", None)
    strike(f"-C {folder} roll skill vex Sneaking --adv rope --dice 2,6")
    told = page()
    assert told.count("data:image/webp") == 2, "the map, and a face"
    assert '<div class="map ' in told and '<span class="face ' in told
    assert "<title>2</title>" in told and 'class="die dropped"' in told
    assert "http" not in told.replace("http-equiv", "")
    assert '<div class="map ' not in page("--player")
    throws = [
        throw
        for chapter in strike.json(f"-C {folder} session story")["data"]["chapters"]
        for part in chapter["parts"]
        for throw in part.get("dice", [])
    ]
    assert throws[-1] == {
        "who": "Vex Marlowe",
        "purpose": "Sneaking",
        "sides": 6,
        "faces": [2, 6],
        "kept": 6,
        "total": 6,
    }
