"""What happens is seen: on the map, in the log by turns, as dice, on any screen. In a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from strike_cli.tabletop.distance_units import Measure
from strike_cli.tabletop.grid import distance_between_spaces

from .browsing import becomes, expect, marker, stop_clock, watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIX = {"who": "Vex", "purpose": "attack", "sides": 6, "faces": [5, 2], "kept": 5, "mode": "advantage"}


def play(**changes: Any) -> dict[str, Any]:
    turn = {"scene": "ambush", "round": 1, "who": "vex", "name": "Vex", "side": "party"}
    return {"turn": turn, "lines": [], "effects": []} | changes


def line(text: str, style: str = "") -> dict[str, str]:
    return {"text": text, "style": style}


@pytest.fixture
def ford(table: Any, scene: dict[str, Any]) -> Any:
    """A fight of two that is on the table."""
    table.tell("PUT", "scene", scene)
    table.token(position={"x": 1, "y": 1})
    table.token("goblin", side="enemies", position={"x": 4, "y": 3})
    return table


# The log


def test_results_of_a_turn_stand_together_under_a_heading_of_facts(page, ford, a_result):
    watch(page, ford)
    begins = play(lines=[line("Vex's turn.", "title")])
    begins["turn"] = {**begins["turn"], "begins": True}
    ford.result(1, title="Vex's turn.", dice=[], play=begins)
    head = {
        "id": "vex", "name": "Vex", "side": "party", "what": "attack", "came": "miss",
        "at": [{"id": "goblin", "name": "Goblin", "side": "enemies"}],
    }  # fmt: skip
    said = [line("Words of any language."), line("Vex takes a Strike.", "warn")]
    ford.result(2, title="Words", play=play(head=head, lines=said))
    other = play(turn={"scene": "ambush", "round": 1, "who": "goblin", "name": "Goblin", "side": "enemies"})
    ford.result(3, play=other | {"lines": [line("Goblin hides.", "dim")]})
    groups = page.locator(".turn-group")
    expect(groups.locator(".turn-name")).to_have_text(["GoblinRound 1", "VexRound 1"])
    expect(groups.nth(1).locator(".headline")).to_have_text("Vex▸GoblinMiss")
    expect(groups.nth(1).locator(".line")).to_have_text([line["text"] for line in said])
    expect(groups.nth(1).locator(".line.warn")).to_have_count(1)
    expect(page.locator('[data-result="1"].only-begins')).to_have_count(1)
    colours = page.locator(".headline .named-one").evaluate_all("all => all.map(one => one.className)")
    assert colours == ["named-one party", "named-one enemies"]

    undone = a_result(2, title="Words", play=play(head=head, lines=said), undone=True)
    ford.tell("POST", "results", undone)
    expect(page.locator('[data-result="2"]')).to_contain_text("Undone")
    ford.result(4, play=play(lines=[line("Undone: Words", "dim")]), dice=[])
    expect(page.locator('[data-result="4"].faint')).to_have_text("Undone: Words8:15 PM")


def test_what_happened_is_told_once(page, ford):
    watch(page, ford)
    shown = [page.locator(f'[data-result="{number}"]') for number in (1, 2, 3)]
    prone = line("Vex is Prone (save ends).") | {"event": "status", "tone": "bad", "headline": "Vex is Prone"}
    falls = line("Goblin falls.") | {"event": "falls", "tone": "good", "headline": "Goblin falls"}
    ford.result(1, dice=[], play=play(lines=[prone, falls]))
    expect(shown[0].locator(".card-title .banner.bad")).to_have_text("Vex is Prone (save ends).")
    expect(shown[0].locator(".line.banner.good .full")).to_be_visible()
    expect(shown[0].locator(".line.banner.good .brief")).to_be_hidden()  # it is what a television shows

    head = {"id": "vex", "name": "Vex", "side": "party", "what": "attack", "came": "hit"}
    head |= {"power": "Flare", "at": [{"id": "goblin", "name": "Goblin", "side": "enemies"}]}
    deed = line("Vex attacks Goblin with Flare: 5, a hit.") | {"deed": True}
    ford.result(2, play=play(head=head, lines=[deed, falls]))
    expect(shown[1].locator(".headline")).to_have_text("VexFlare▸GoblinHit")
    expect(shown[1].locator(".line")).to_have_count(1)
    expect(shown[1].locator(".roll-for")).to_have_count(0)
    long = line("The council: " + "they meet. " * 9) | {"event": "scene", "headline": "The council"}
    ford.result(3, dice=[], play=play(lines=[long]))
    expect(shown[2].locator(".card-title")).to_have_text("The council")
    expect(shown[2].locator(".line")).to_have_text(("they meet. " * 9).strip())

    misses = line("Vex acts: 1 of 2. Miss.") | {"event": "roll", "tone": "bad", "headline": "Miss"}
    ford.result(4, play=play(head=head | {"came": "miss"}, lines=[misses]))
    expect(page.locator('[data-result="4"] .full')).to_be_visible()
    expect(page.locator('[data-result="4"] .brief')).to_have_text("")  # the head says it from afar, too


def test_whoever_reads_back_keeps_their_place_and_is_told_what_came(page, ford):
    watch(page, ford)
    for number in range(1, 25):
        ford.result(number)
    log, newer = page.locator("#feed"), page.locator("#newer")
    expect(page.locator('[data-result="24"]')).to_be_visible()
    log.evaluate("one => (one.scrollTop = 700)")
    seen = page.locator('[data-result="15"]')
    before = seen.bounding_box()
    ford.result(25)
    expect(newer).to_have_text("1 new")
    becomes(seen.bounding_box, pytest.approx(before, abs=1))
    newer.click()
    expect(page.locator('[data-result="25"]')).to_be_in_viewport()
    expect(newer).to_be_hidden()


# The map


def test_blows_and_falls_are_seen_where_they_happen_and_pass(timed, ford):
    page = timed
    watch(page, ford)
    effects = [
        {"kind": "hit", "id": "goblin", "by": "vex"},
        {"kind": "hurt", "id": "goblin", "amount": 4},
        {"kind": "down", "id": "goblin"},
        {"kind": "out", "id": "goblin"},
        {"kind": "status", "id": "vex", "words": "<b>Marked</b>"},
        {"kind": "of another table", "id": "vex"},
        {"kind": "hurt", "id": "nobody", "amount": 1},
    ]
    expect(marker(page, "goblin")).to_be_visible()
    stop_clock(page)
    ford.token("goblin", side="enemies", position={"x": 4, "y": 3}, state="out")
    ford.result(1, play=play(effects=effects))
    expect(page.locator(".effect-words")).to_have_text(["−4", "Out", "<b>Marked</b>"])
    expect(page.locator(".effect.hit .effect-ring")).to_have_attribute("r", "0.52")
    page.clock.run_for(5000)
    expect(page.locator(".effect")).to_have_count(0)
    page.clock.resume()
    page.reload()
    expect(page.locator('[data-result="1"]')).to_be_visible()
    expect(page.locator(".effect, .thrown")).to_have_count(0), "what was is not played again"


def test_somebody_goes_along_their_way(page, ford):
    page.emulate_media(reduced_motion="no-preference")
    watch(page, ford)
    marker(page, "vex").evaluate(
        """one => {
          window.walked = new Promise((found) => {
            const look = () => {
              const walk = one.getAnimations().find((each) => !(each instanceof CSSTransition));
              if (walk) found(walk.effect.getKeyframes().map(({ transform }) => transform));
              else requestAnimationFrame(look);
            };
            look();
          });
        }"""
    )
    way = [{"x": x, "y": y} for x, y in ((1, 1), (2, 1), (3, 2), (4, 2))]
    ford.token(position=way[-1])
    ford.result(1, play=play(effects=[{"kind": "moved", "id": "vex", "path": way}]))
    page.wait_for_function("walked.then(() => true)")
    assert page.evaluate("walked") == [f"translate({at['x']}px, {at['y']}px)" for at in way]


def stopped(page, table, motion="no-preference"):
    """A page that watches a table, with its clock stopped."""
    page.emulate_media(reduced_motion=motion)
    watch(page, table)
    stop_clock(page)
    return page


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_dice_land_with_the_faces_that_were_rolled(timed, ford, motion):
    page = stopped(timed, ford, motion)
    mixed = {"who": "Cy", "purpose": "action", "sides": 8, "each": [6, 8], "faces": [3, 7]}
    ford.result(1, dice=[SIX, mixed])
    thrown = page.locator("#tray .thrown")
    expect(thrown).to_have_count(4)
    assert thrown.evaluate_all("all => all.map(one => one.dataset.face)") == ["5", "2", "3", "7"]
    if motion == "reduce":
        assert thrown.first.evaluate("one => one.getAnimations({ subtree: true }).length") == 0
    else:
        thrown.evaluate_all(
            "all => all.forEach(one => one.getAnimations({ subtree: true }).forEach(each => each.finish()))"
        )
    # The side of each cube that is turned to whoever looks; a flat die has but one.
    seen = thrown.evaluate_all(
        """all => all.map((one) => {
          const turned = (each) => new DOMMatrix(getComputedStyle(each).transform);
          const cube = one.querySelector(".cube");
          const faces = (side) => turned(cube).multiply(turned(side)).m33 > 0.99;
          const side = cube ? [...cube.children].filter(faces) : [one];
          return side.map((each) => each.querySelector(".die").dataset.face).join();
        })"""
    )
    assert seen == ["5", "2", "3", "7"]
    expect(thrown.nth(1)).to_have_class("thrown dropped")


LARGE = {"id": "marsh", "name": "The marsh", "rows": ["." * 60] * 60}


def test_a_large_map_rests_on_somebody_and_is_followed_again_by_itself(browser: Browser, table):
    page = browser.new_page(viewport={"width": 1000, "height": 700}, reduced_motion="reduce")
    page.clock.install()
    table.tell("PUT", "scene", LARGE)
    for name, x in (("vex", 3), ("bran", 55)):
        table.token(name, position={"x": x, "y": x})
    watch(page, table)
    disc = {name: marker(page, name).locator(".disc") for name in ("vex", "bran")}
    entries = [{"id": "vex"}, {"id": "bran"}]
    table.tell("PUT", "order", {"round": 1, "active": "bran", "entries": entries})
    expect(disc["bran"]).to_be_in_viewport()
    table.tell("PUT", "order", {"round": 1, "active": None, "entries": entries})
    expect(page.locator("#turns [aria-current]")).to_have_count(0)
    expect(disc["bran"]).to_be_in_viewport()

    button = page.locator("#follow")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.locator("#map").focus()
    for _ in range(9):
        page.keyboard.press("ArrowUp")
    expect(disc["bran"]).not_to_be_in_viewport()
    expect(page.get_by_role("button", name="Follow again now")).to_be_visible()
    page.clock.run_for(21_000)
    expect(disc["bran"]).to_be_in_viewport()
    expect(button).to_have_attribute("aria-pressed", "true")

    button.click()  # and stays where it is put, once it is switched off
    table.tell("PUT", "order", {"round": 2, "active": "vex", "entries": entries})
    expect(page.get_by_text("Round 2 · Vex’s turn")).to_be_visible()
    page.clock.run_for(21_000)
    expect(disc["vex"]).not_to_be_in_viewport()
    button.click()
    expect(disc["vex"]).to_be_in_viewport()

    # A line that nothing comes over is found dead, though the browser believes in it.
    with page.expect_request("**/events?*after=*"):
        page.clock.run_for(28_000)
    expect(page.locator("body")).to_have_attribute("data-connection", "live")
    page.close()


def test_a_place_that_is_held_is_pointed_at_for_everybody(page, ford):
    watch(page, ford)
    there = marker(page, "goblin").locator(".disc").bounding_box()
    page.mouse.move(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2)
    with page.expect_response("**/api/v1/ping*") as answer:
        page.mouse.down()
        expect(page.locator(".ping")).to_have_attribute("transform", "translate(4.5 3.5)")
        page.mouse.up()
    assert answer.value.status == 204
    page.keyboard.press("Escape")


def measured_from_vex_to_goblin(page):
    marker(page, "vex").click()
    page.get_by_role("button", name="Measure").click()
    there = marker(page, "goblin").locator(".disc").bounding_box()
    page.mouse.click(there["x"] + 5, there["y"] + there["height"] / 2)


FEET = {"one": "foot", "many": "feet", "side": 5, "diagonals": "1-2-1"}
COUNTED = """async () => {
  const { apart, distance } = await import("/static/ruler.js");
  const found = [];
  for (const size of [1, 2]) for (let x = 0; x < 8; x++) for (let y = 0; y < 8; y++)
    for (const way of ["1-1-1", "1-2-1"]) found.push(apart({ x: 3, y: 2, size }, { x, y }, way));
  return [found, [1, 3].map((far) => distance(far, { one: "m", many: "m", side: 1.5 }))];
}"""


def test_the_ruler_measures_as_the_rules_do(page, ford):
    """The page has a copy of what rules measure by: it is the same for every square around, both ways."""
    watch(page, ford)
    expected = [
        distance_between_spaces((3, 2), size, (x, y), 1, alternate)
        for size in (1, 2) for x in range(8) for y in range(8) for alternate in (False, True)
    ]  # fmt: skip
    metres = Measure("m", "m", 1.5)
    assert page.evaluate(COUNTED) == [expected, [metres.words(1), metres.words(3)]]


def test_the_ruler_has_the_words_of_the_game(page, ford, scene):
    """Three squares along and two down, of five feet each, where every second diagonal is two."""
    ford.tell("PUT", "scene", scene | {"measure": FEET})
    watch(page, ford)
    measured_from_vex_to_goblin(page)
    expect(page.locator("#measured")).to_have_text("20 feet")
    expect(page.locator(".ruler-words")).to_have_text("20")


def test_the_ruler_counts_squares_from_whoever_is_picked(page, ford):
    watch(page, ford)
    measured_from_vex_to_goblin(page)
    expect(page.locator("#measured")).to_have_text("3 squares")
    page.get_by_role("button", name="Measure").click()
    expect(page.locator("#measured")).to_be_hidden()


def test_sides_differ_in_shape_and_how_somebody_is_there_is_seen(page, ford):
    statuses = ["Prone", "Flying", "Burning 2", "Odd thing"]
    ford.token(statuses=statuses, position={"x": 1, "y": 1})
    watch(page, ford)
    shapes = [marker(page, name).locator(".disc").get_attribute("d") for name in ("vex", "goblin")]
    assert shapes[0] != shapes[1]
    expect(marker(page, "vex")).to_have_class("token party up prone flying")
    expect(marker(page, "vex").locator(".badge-sign")).to_have_count(2)
    expect(page.locator('[data-row="vex"] .sign-of')).to_have_count(3)


# Screens


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_television_is_read_from_across_the_room(page, ford):
    page.set_viewport_size({"width": 3840, "height": 2160})
    watch(page, ford)
    page.goto(f"{page.url}&screen=1")
    expect(marker(page, "vex")).to_be_visible()
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    becomes(lambda: page.evaluate(size), lambda pixels: pixels >= 40)
    becomes(marker(page, "vex").locator(".disc").bounding_box, lambda box: box["width"] > 200)
    page.set_viewport_size({"width": 1280, "height": 720})
    becomes(lambda: fits(page), True)


@pytest.mark.parametrize("size", [(320, 568), (342, 192)])
def test_a_small_phone_and_a_page_zoomed_to_four_times_have_all_of_it(page, ford, size):
    options = [{"name": "flaw", "label": "a Flaw makes trouble for a long while"}, {"name": "none"}]
    asked = {"id": "a", "name": "Vex", "what": "cost", "options": options, "dice": [SIX]}
    ford.tell("PUT", "asked", {"asked": [asked]})
    ford.result(1)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    watch(page, ford)
    becomes(lambda: fits(page), True)
    for part in (
        ".option >> nth=1",
        ".asked .die >> nth=0",
        "#map",
        '[data-row="goblin"]',
        '[data-result="1"]',
    ):
        page.locator(part).scroll_into_view_if_needed()
        expect(page.locator(part)).to_be_in_viewport()


def test_light_and_dark_are_chosen_and_kept(page, ford):
    watch(page, ford)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Colours").click()
    page.get_by_role("button", name="Colours: Light").click()
    becomes(lambda: page.evaluate(ground), lambda seen: seen != light)
    page.reload()
    becomes(lambda: page.evaluate(ground), lambda seen: seen != light)
    page.get_by_role("button", name="Colours: Dark").click()
    becomes(lambda: page.evaluate(ground), light)


@pytest.mark.slow
def test_what_a_roll_came_to_waits_until_the_die_lies(timed, ford):
    """In this order: dice, then words, HP and falls. Where less motion is asked for, all of it at once."""
    page = stopped(timed, ford)
    ford.token("goblin", side="enemies", hp={"value": 1, "max": 4})
    ford.result(9, dice=[SIX])
    expect(page.locator("#tray .thrown")).to_have_count(2)
    page.clock.run_for(790)
    expect(page.locator('[data-result="9"]')).to_have_count(0)
    expect(marker(page, "goblin")).to_have_attribute("data-hp", "7")
    page.clock.run_for(2000)
    expect(page.locator('[data-result="9"]')).to_be_visible()
    expect(marker(page, "goblin")).to_have_attribute("data-hp", "1")
    page.emulate_media(reduced_motion="reduce")
    ford.token("goblin", side="enemies", hp={"value": 0, "max": 4})
    ford.result(10, dice=[SIX])
    expect(page.locator('[data-result="10"]')).to_be_visible()


def test_where_more_is_rolled_than_can_be_watched_nothing_waits(timed, ford):
    """As where a bridge tells of an old campaign: HP of now aren't seen minutes later."""
    page = stopped(timed, ford)
    for number in range(1, 5):
        ford.result(number, dice=[SIX])
    expect(page.locator('[data-result="4"]')).to_be_visible()
    ford.token("goblin", side="enemies", hp={"value": 1, "max": 4})

    def after_a_moment() -> str | None:
        page.clock.run_for(1)
        return marker(page, "goblin").get_attribute("data-hp")

    becomes(after_a_moment, "1")  # within the 300 looks of its patience: dice lie after 790 ms


@pytest.mark.slow
def test_an_overlay_shows_one_thing_on_nothing(page, ford):
    ford.result(1)
    ford.result(2)
    shown = {"order": "#turns", "result": '[data-result="2"]', "map": "#map"}
    for overlay, part in shown.items():
        watch(page, ford)
        page.goto(f"{page.url}&overlay={overlay}")
        expect(page.locator(part)).to_be_visible()
        for other in {*shown.values(), '[data-result="1"]'} - {part}:
            expect(page.locator(other)).to_be_hidden()
        expect(page.locator(".bar")).to_have_css("clip-path", "inset(50%)")  # for those who hear it alone
        expect(page.locator("body")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
