"""Any scene on the page, in a real browser: meters, turns, a track, sides, decisions, whoever plays them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.agreed import agree_to
from support.cli import Strike
from support.plugins import install_toy, play_with

from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_cli.campaign import Campaign
from strike_cli.registry import installed_plugins
from strike_cli.systems.campaign.commands.intermission_sender import intermission_of
from strike_table.serve import LinkAudience

from .browsing import becomes, expect, marker, row, stop_clock, watch

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

GRIT = {"id": "grit", "name": "Grit", "value": 3, "max": 4}
ARMOUR = {"id": "armour", "name": "Armour", "value": 2, "max": None}
STRIKES = {"id": "strikes", "name": "Strikes", "one": "Strike", "value": 0, "max": None}
OVER_THE_ROOFS = {
    "id": "roofs",
    "name": "Over the roofs",
    "rows": [],
    "round": 2,
    "track": {"name": "Range", "steps": ["caught", "close", "far", "escaped"], "at": "far"},
    "sides": [
        {"id": "runners", "name": "Runners", "team": ["vex"], "numbers": {"Danger": 3},
         "traits": ["Nimble"], "lost_traits": ["Unseen"],
         "cards": [{"who": "vex", "what": "double-back", "hidden": True}]},
        {"id": "chasers", "name": "The watch", "intent": "Catch them", "team": ["bran"],
         "cards": [{"who": "", "what": "cut-off"}]},
    ],
}  # fmt: skip


def person(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-person="{token_id}"]')


def turns(page: Page) -> Locator:
    return page.locator("#turns .turn")


# Meters


def test_every_meter_is_shown_the_first_as_a_bar(page, staged):
    staged.token(hp=None, meters=[GRIT, ARMOUR, STRIKES])
    watch(page, staged)
    expect(row(page, "vex").locator(".hp-number")).to_have_text("3/4")
    expect(row(page, "vex").locator(".unit")).to_have_text("Grit")
    expect(row(page, "vex").locator(".pill")).to_have_text("2 Armour")
    expect(marker(page, "vex").locator(".hp")).to_have_attribute("data-health", "good")
    expect(marker(page, "vex")).to_have_attribute("aria-label", "Vex, 3 of 4 Grit, 2 Armour, at C3")

    staged.token(hp=None, meters=[GRIT | {"value": 1}, STRIKES | {"value": 1}])
    expect(row(page, "vex").locator(".pill")).to_have_text("1 Strike")
    expect(marker(page, "vex").locator(".hp")).to_have_attribute("data-health", "dire")
    marker(page, "vex").click()
    expect(page.locator("#creature .meter")).to_have_text(["Grit1/4", "1 Strike"])
    expect(page.get_by_text("HP", exact=True).filter(visible=True)).to_have_count(0)


def test_a_meter_is_told_as_far_as_one_may_know(page, table, scene):
    told = [
        {**GRIT, "value": 3, "max": 4, "shown": "bar", "gm": {"value": 29, "max": 40}},
        {**ARMOUR, "value": None, "shown": "wounds", "wounds": "hurt", "gm": {"value": 5, "max": 9}},
        {**STRIKES, "value": None, "shown": "none", "gm": {"value": 2, "max": None}},
    ]
    table.tell("PUT", "scene", scene)
    table.token(hp=None, meters=told)
    watch(page, table)
    label = "Vex, about 75% of Grit, Armour hurt, at C3"
    expect(marker(page, "vex")).to_have_attribute("aria-label", label)
    expect(row(page, "vex").locator(".hp-number")).to_have_text("")
    watch(page, table, LinkAudience.GM)
    label = "Vex, 29 of 40 Grit, Armour 5/9, 2 Strikes, at C3"
    expect(marker(page, "vex")).to_have_attribute("aria-label", label)


# Turns


def test_in_a_pool_those_who_may_act_stand_first(page, staged):
    for name in ("vex", "bran", "rats", "captain"):
        staged.token(name, initiative=None)
    states = {"vex": "acted", "captain": "delayed", "rats": "waiting", "bran": "acting"}
    entries: list[dict[str, Any]] = [{"id": name, "state": state} for name, state in states.items()]
    entries[2]["count"] = 4
    watch(page, staged)
    staged.tell("PUT", "order", {"kind": "pool", "round": 1, "active": "bran", "entries": entries})
    expect(page.get_by_role("heading", name="Ready to act")).to_be_visible()
    expect(page.locator("#turns .name")).to_have_text(["Bran", "Rats", "Captain", "Vex"])
    expect(row(page, "rats").locator(".count")).to_have_text("×4")
    expect(row(page, "captain").locator(".pill")).to_have_text("Delayed")
    expect(row(page, "vex")).to_have_attribute("data-turn", "acted")
    expect(row(page, "vex")).to_have_attribute("aria-description", "7 of 10 HP, at C3, has acted")
    expect(page.locator("#turns .initiative").first).to_be_hidden()

    entries[0]["state"], entries[3]["state"] = "waiting", "held"
    staged.tell("PUT", "order", {"kind": "pool", "round": 2, "active": None, "entries": entries})
    expect(page.locator("#turns .name")).to_have_text(["Vex", "Rats", "Captain", "Bran"])
    expect(row(page, "bran").locator(".pill")).to_have_text("Held")
    expect(page.locator("[aria-current]")).to_have_count(0)


def test_somebody_with_two_turns_stands_there_twice_and_acts_once(page, staged):
    for name in ("vex", "ogre"):
        staged.token(name)
    entries = [
        {"id": "ogre", "initiative": 6, "state": "acted"},
        {"id": "vex", "initiative": 4, "state": "acted"},
        {"id": "ogre", "initiative": 2, "state": "acting"},
    ]
    watch(page, staged)
    staged.tell("PUT", "order", {"round": 1, "active": "ogre", "next": ["vex"], "entries": entries})
    expect(page.locator("#turns .name")).to_have_text(["Ogre", "Vex", "Ogre"])
    expect(page.locator("#turns .initiative")).to_have_text(["6", "4", "2"])
    expect(turns(page).nth(2)).to_have_attribute("aria-current", "true")
    expect(page.locator("#turns [aria-current]")).to_have_count(1)
    expect(page.get_by_text("Round 1 · Ogre’s turn", exact=True)).to_be_visible()
    expect(page.locator("#next")).to_have_text("then Vex")


def test_sides_act_by_turns(page, staged):
    for name, side in (("vex", "party"), ("crab", "sea"), ("eel", "sea")):
        staged.token(name, side=side)
    entries = [{"id": "sea", "state": "acting"}, {"id": "party", "state": "waiting"}]
    watch(page, staged)
    staged.tell("PUT", "order", {"kind": "sides", "round": 3, "active": "sea", "entries": entries})
    expect(page.locator("#turns > li")).to_have_text(
        ["Sea", "4CrCrab7/10HP", "4EeEel7/10HP", "Party", "4VeVex7/10HP"]
    )
    expect(page.locator(".side-turn.active")).to_have_text("Sea")
    expect(page.get_by_text("Round 3 · Sea’s turn")).to_be_visible()


def test_of_sides_each_member_shows_whether_they_have_acted(page, staged):
    dice = [{"id": "str", "name": "STR", "sign": "d", "value": value, "max": 8} for value in (8, 6, 0)]
    for name, side, die in zip(("vex", "odo", "crab"), ("party", "party", "enemies"), dice, strict=True):
        staged.token(name, side=side, meters=[die])
    entries = [{"id": "party"}, {"id": "enemies", "state": "acting"}, {"id": "vex", "state": "acted"}]
    watch(page, staged)
    staged.tell("PUT", "order", {"kind": "sides", "round": 1, "active": "enemies", "entries": entries})
    expect(page.locator("#turns > li")).to_have_text(
        ["Party", "4OdOdod6/d8STR", "4VeVexd8STR", "Enemies", "4CrCrab0/d8STR"]
    )
    expect(page.locator('.turn[data-turn="acted"]')).to_have_count(1)
    expect(page.get_by_text("Round 1 · Enemies’ turn")).to_be_visible()


# Scenes without a map


def test_a_chase_shows_its_track_and_its_sides(page, table):
    table.tell("PUT", "scene", OVER_THE_ROOFS)
    for name, side in (("vex", "runners"), ("bran", "chasers")):
        table.token(name, side=side, position=None, hp=None)
    watch(page, table, LinkAudience.GM)
    expect(page.locator("#map, #turns-panel, #calm, #tools").filter(visible=True)).to_have_count(0)
    expect(page.get_by_text("Round 2", exact=True)).to_be_visible()
    expect(page.locator(".step-name")).to_have_text(["Caught", "Close", "Far", "Escaped"])
    expect(page.locator('[aria-current="step"] .step-name')).to_have_text("Far")
    runners, watchmen = page.locator('[data-side="runners"]'), page.locator('[data-side="chasers"]')
    expect(runners.locator(".numbers")).to_have_text("3Danger")
    expect(runners.locator(".traits .pill")).to_have_text(["Nimble", "Unseen"])
    expect(runners.locator("s")).to_have_text("Unseen")
    expect(runners.locator(".pick.hidden-pick")).to_have_text("Double back")
    expect(watchmen).to_contain_text("Catch them")
    expect(watchmen.locator(".pick")).to_have_text("Cut off")
    colours = [side.evaluate("one => getComputedStyle(one).borderTopColor") for side in (runners, watchmen)]
    assert colours[0] != colours[1]

    watch(page, table)
    expect(page.get_by_label("Picked, face down")).to_have_count(1)
    assert "ouble" not in page.content()
    moved = OVER_THE_ROOFS | {
        "track": {"name": "Range", "steps": ["close", "far"], "at": "close"},
        "over": True,
    }
    table.tell("PUT", "scene", moved)
    expect(page.locator('[aria-current="step"] .step-name')).to_have_text("Close")
    expect(page.get_by_text("Over", exact=True)).to_be_visible()


def test_a_track_may_stand_above_a_map(page, table, scene):
    table.tell("PUT", "scene", scene | {"track": OVER_THE_ROOFS["track"]})
    table.token()
    watch(page, table)
    expect(page.locator('[aria-current="step"] .step-name')).to_have_text("Far")
    expect(marker(page, "vex").locator(".disc")).to_be_in_viewport()
    expect(person(page, "vex")).to_have_count(0)


def test_scenes_beside_can_be_looked_at(page, staged, a_token):
    staged.token()
    watch(page, staged)
    expect(page.locator("#scenes")).to_be_hidden()
    aside = {
        "scene": OVER_THE_ROOFS,
        "tokens": [a_token("bran", side="chasers", position=None)],
        "order": None,
    }
    staged.tell("PUT", "beside", {"scenes": [aside]})
    page.get_by_role("button", name="Over the roofs").click()
    expect(page.get_by_role("heading", name="Over the roofs")).to_be_visible()
    expect(person(page, "bran").locator(".meter")).to_have_text("HP7/10")
    expect(page.locator("#map")).to_be_hidden()
    staged.token(statuses=["Prone"])
    expect(page.get_by_role("heading", name="Over the roofs")).to_be_visible()
    staged.tell("PUT", "beside", {"scenes": []})
    expect(page.locator("#map")).to_be_visible()
    expect(page.locator("#scenes")).to_be_hidden()


def test_what_is_asked_is_shown_until_it_is_answered(page, table, a_result):
    for_gm = {"options": [{"name": "flaw"}, {"name": "lurker"}], "said": ["A 3.", "The Lurker hears."]}
    asked = {"id": "a", "who": "vex", "name": "Vex", "what": "cost", "said": ["A 3."],
             "options": [{"name": "flaw", "label": "a Flaw makes trouble"}], "gm": for_gm}  # fmt: skip
    hidden = {"id": "b", "name": "Lurker", "what": "ambush", "options": [{"name": "now"}], "hidden": True}
    watch(page, table)
    table.tell("PUT", "asked", {"asked": [asked, hidden]})
    expect(page.locator(".asked")).to_have_count(1)
    expect(page.locator(".asked")).to_contain_text("Vex")
    expect(page.locator(".asked-options .option")).to_have_text("A Flaw makes trouble")
    assert "urker" not in page.content()
    watch(page, table, LinkAudience.GM)
    expect(page.locator(".asked")).to_have_count(2)
    expect(page.locator('[data-asked="a"] .asked-options .option')).to_have_text(["Flaw", "Lurker"])
    expect(page.locator('[data-asked="b"]')).to_contain_text("Only you")
    rolls = a_result(1)["dice"]
    for many, shown in ((2, 2), (7, 0)):  # those of everybody would hide the answers
        table.tell("PUT", "asked", {"asked": [asked | {"gm": for_gm | {"dice": rolls * many}}]})
        expect(page.locator(".asked .roll")).to_have_count(shown * len(rolls))
    table.tell("PUT", "asked", {"asked": []})
    expect(page.locator("#asked-panel")).to_be_hidden()


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (820, 1180)])
def test_all_of_it_fits_a_small_screen(page, table, size):
    long = "An intent that goes on and on and on, unbrokenlikethisoneinthemiddle" * 2
    sides = [side | {"intent": long, "traits": [long] * 3} for side in OVER_THE_ROOFS["sides"]]
    table.tell("PUT", "scene", OVER_THE_ROOFS | {"sides": sides})
    for at in range(6):
        table.token(f"t{at}", name=long[:60], side=long[:30], position=None)
    table.tell("PUT", "order", {"kind": "sides", "round": 1, "entries": [{"id": long[:30]}]})
    options = [{"name": f"o{at}", "label": long} for at in range(9)]
    table.tell("PUT", "asked", {"asked": [{"id": "a", "name": "Vex", "what": long, "options": options}]})
    page.set_viewport_size({"width": size[0], "height": size[1]})
    watch(page, table)
    expect(page.locator('[aria-current="step"]')).to_be_in_viewport()
    expect(page.locator("#feed-heading")).to_be_in_viewport()
    becomes(lambda: page.evaluate("document.documentElement.scrollWidth"), lambda width: width <= size[0])


# As they are played


@pytest.fixture
def played(
    in_campaign: Strike, folder: Path, table: Any, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., None]:
    """Types commands in the small campaign, and tells the table."""
    monkeypatch.setenv("STRIKE_TABLE_KEY", "the-key-of-this-table")

    def play(*lines: str, code: int = 0) -> None:
        for line in lines:
            in_campaign(line, code if line == lines[-1] else 0)
        there = Settings("table", "table", url=table.url, audience="gm")
        agree_to(folder, there)
        report = push(folder, there)
        assert (report.error, report.review) == ("", 0)

    return play


@pytest.fixture
def toy(tmp_path: Path, folder: Path) -> Iterator[None]:
    """The toy system, installed."""
    with pytest.MonkeyPatch.context() as patch:
        install_toy(tmp_path / "site", patch)
        play_with(folder, "toy")
        yield
    installed_plugins.drop_plugin_index()


def test_a_system_of_a_plugin_is_on_the_page(page, table, toy, played):
    watch(page, table)
    played("toy start vex brann", "toy toss vex --dice 1 --choose heads", "toy toss .", code=6)
    expect(page.get_by_role("heading", name="The toss")).to_be_visible()
    expect(page.get_by_text("Round 1 · Brann’s turn", exact=True)).to_be_visible()
    expect(page.locator("#next")).to_have_text("then Vex")
    expect(person(page, "vex").locator(".meter")).to_have_text("Coins3/4")
    expect(person(page, "brann").locator(".meter")).to_have_text("Coins1/4")
    expect(person(page, "brann")).to_have_attribute("aria-current", "true")
    expect(page.locator(".asked-options .option")).to_have_text(["Heads", "Tails"])
    played("choose heads")
    expect(page.locator("#asked-panel")).to_be_hidden()
    played("undo")
    expect(page.locator("#asked-panel")).to_be_visible()
    expect(person(page, "brann").locator(".meter")).to_have_text("Coins1/4")


def test_a_team_conflict_is_on_the_page_face_down_until_the_dice_fall(page, browser, table, played):
    watch(page, table)
    played(
        'conflict start Council --team vex brann --intent "A road" --against "The Company" '
        '--their-intent "A toll" --advance 3 --defense 3',
        "conflict oppose total-defense",
        "conflict act vex progress",
    )
    ours, theirs = page.locator('[data-side="ours"]'), page.locator('[data-side="theirs"]')
    expect(ours).to_contain_text("A road")
    expect(theirs.locator("h2")).to_have_text("The Company")
    expect(theirs.locator(".numbers")).to_contain_text("3Advance")
    expect(person(page, "vex").locator(".pick")).to_have_text("Progress")
    expect(theirs.get_by_label("Picked, face down")).to_be_visible()
    assert "otal defense" not in page.content()
    watch(page, table, LinkAudience.GM)
    expect(theirs.locator(".pick.hidden-pick")).to_have_text("Total defense")


def test_a_round_of_a_conflict_is_seen_before_its_sides_and_who_is_ahead(timed, table, played):
    page = timed
    watch(page, table)
    stop_clock(page)
    played(
        'conflict start Council --team vex brann --our-trait Lamplight --against "The Company" '
        '--intent "A road" --their-intent "A toll" --advance 3 --defense 3',
        "conflict oppose total-defense", "conflict act vex progress", "conflict act brann progress",
    )  # fmt: skip
    ours, verdict = page.locator('[data-side="ours"]'), page.locator(".verdict")
    expect(verdict).to_have_text("Even")
    played("conflict roll --dice 4,3,6,1")
    expect(ours.locator(".throw strong")).to_have_text(["8", "3"])
    expect(page.locator('[data-side="theirs"] .throw .thrown').first).to_have_attribute("data-face", "6")
    expect(page.locator("#tray")).to_be_hidden()
    expect(verdict.locator(".banner.bad")).to_have_text(["The team takes a Hit", "A Strike on The Company"])
    played("conflict hit ours lamplight")
    expect(ours.locator(".pill.lost.changed")).to_have_text("Lamplight")
    page.clock.run_for(8000)
    expect(page.locator(".throw")).to_have_count(0)
    expect(verdict).to_have_text("Even")
    played("undo")
    page.clock.run_for(8000)
    expect(verdict).to_have_text("The team: ahead by 1")


def test_a_chase_is_on_the_page_as_it_is_run(timed, table, played):
    page = timed
    watch(page, table)
    stop_clock(page)
    played(
        'chase start "Over the roofs" --runners vex odo --chasers "the watch" --range close', "chase run flee"
    )
    expect(page.locator('[aria-current="step"] .step-name')).to_have_text("Close")
    expect(page.locator('[data-side="runners"]').get_by_label("Picked, face down")).to_be_visible()
    played("chase predict hide", "chase roll --dice 6,2,1")
    expect(page.locator('[aria-current="step"] .step-name')).to_have_text("Medium")
    expect(page.locator(".pick.turned")).to_have_text(["Flee", "Hide"])  # both at once, for a while
    expect(page.locator(".verdict")).to_contain_text("The Runners win")
    played("undo")
    expect(page.locator('[aria-current="step"] .step-name')).to_have_text("Close")


# Between scenes


def test_between_scenes_stand_the_party_and_what_the_last_one_cost(page, table, scene, a_result):
    party = [
        {
            "id": "vex",
            "name": "Vex Marlowe",
            "conditions": ["Winded"],
            "numbers": [{"name": "AP", "value": 2}],
        },
        {"id": "odo", "name": "Odo Finch"},
    ]
    table.tell("PUT", "evening", {"number": 3, "title": "Dusk at the ford", "open": True, "party": party})
    watch(page, table)
    expect(page.get_by_text("Session 3 · Dusk at the ford")).to_be_visible()
    expect(page.locator('[data-member="vex"] .pill')).to_have_text(["2 AP", "Winded"])
    expect(page.locator(".members .name")).to_have_text(["Vex Marlowe", "Odo Finch"])
    lines = [{"text": "The Ford is won. A Minor Concession."}, {"text": "Vex Marlowe is Winded."}]
    ended = a_result(1, title="The Ford is won.", dice=[], play={"lines": lines, "outcome": True})
    table.tell("PUT", "scene", scene)
    expect(page.locator("#between")).to_be_hidden()
    table.tell("POST", "results", ended)
    table.tell("DELETE", "scene")
    expect(page.locator(".cost-first")).to_have_text("The Ford is won. A Minor Concession.")
    expect(page.locator(".cost li")).to_have_text(["Vex Marlowe is Winded."])
    table.tell("POST", "results", ended | {"undone": True})
    expect(page.locator(".cost")).to_have_count(0)


def test_the_party_is_told_as_its_sheets_are(in_campaign: Strike, folder: Path):
    in_campaign("session start --title Dusk")
    in_campaign("condition add vex winded")
    with Campaign(folder) as campaign:
        evening, pictures = intermission_of(campaign)
    assert (evening["number"], evening["title"], evening["open"], pictures) == (1, "Dusk", True, {})
    vex = next(one for one in evening["party"] if one["id"] == "vex")
    assert vex["conditions"] == ["Winded"]
    assert [one["name"] for one in vex["numbers"]] == ["AP"]


def test_whoever_runs_stands_on_the_track_and_whoever_is_after_them_where_it_begins(page, table):
    table.tell("PUT", "scene", OVER_THE_ROOFS)
    for name, side in (("vex", "runners"), ("bran", "chasers")):
        table.token(name, side=side, position=None)
    watch(page, table)
    steps = page.locator(".step")
    expect(steps.nth(2).locator(".pieces")).to_have_text("Ve")
    expect(steps.nth(0).locator(".pieces")).to_have_text("Br")


def test_what_is_asked_has_the_dice_that_led_to_it(page, table):
    dice = [{"who": "Vex", "purpose": "skill: Climbing", "sides": 6, "faces": [3]}]
    options = [{"name": "flaw", "label": "a Flaw"}, {"name": "none"}]
    table.tell(
        "PUT",
        "asked",
        {"asked": [{"id": "a", "name": "Vex", "what": "cost", "options": options, "dice": dice}]},
    )
    watch(page, table)
    expect(page.locator(".asked .die")).to_have_attribute("data-face", "3")
    expect(page.locator(".asked .roll-for")).to_have_text("Vex · skill: Climbing")
    expect(page.locator(".option")).to_have_text(["A Flaw", "None"])


def test_before_there_is_an_order_the_list_says_who_is_here(page, staged):
    staged.token()
    watch(page, staged)
    expect(page.get_by_role("heading", name="In the scene")).to_be_visible()
    staged.tell("PUT", "order", {"round": 1, "active": "vex", "entries": [{"id": "vex"}]})
    expect(page.get_by_role("heading", name="Turn order")).to_be_visible()
