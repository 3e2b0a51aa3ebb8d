"""The page on every screen, with the longest names: how much of it is map, whether anything lies on it,
and how large what is read from the sofa is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from .browsing import becomes, expect, watch

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

SIZES = [
    (320, 640), (360, 800), (390, 844), (700, 1000), (740, 1180), (834, 1112), (844, 390),
    (1024, 768), (1366, 768), (1920, 1080), (3840, 2160),
]  # fmt: skip
NAME = "Aurelianus Montgomery-Featherstonehaugh the Elder of Wavebre"
MEASURED = """() => {
  const box = (id) => document.getElementById(id).getBoundingClientRect();
  const [map, tools, place] = [box("map"), box("tools"), box("place")];
  const apart = tools.left >= map.right || tools.top >= map.bottom || tools.bottom <= map.top;
  return {
    share: (map.width * map.height) / (innerWidth * innerHeight), apart, place: place.width,
    wide: document.documentElement.scrollWidth, high: document.documentElement.scrollHeight,
  };
}"""
SMALLEST = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = [];
  while (walker.nextNode()) {
    const { parentElement: one, textContent: words } = walker.currentNode;
    if (!words.trim() || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (one.closest("#map, noscript, title")) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (size < 24) small.push([words.trim(), size]);
  }
  return small;
}"""


@pytest.fixture
def crowd(table: Any, scene: dict[str, Any], a_token: Any) -> Any:
    """A map of 24 by 16 squares, 30 combatants, names of 60 letters, 8 results."""
    rows = ["#" * 24, *["#" + "." * 22 + "#"] * 14, "#" * 24]
    table.tell("PUT", "scene", scene | {"name": NAME, "goal": NAME * 2, "rows": rows, "doors": []})
    names = [f"t{at}" for at in range(30)]
    for at, one in enumerate(names):
        side = "party" if at < 4 else "enemies"
        place = {"x": 1 + at * 3 % 21, "y": 1 + at * 5 % 14}
        statuses = ["Bloodied", "Slowed"] if at % 4 == 0 else []
        told = a_token(one, name=f"{NAME[:57]} {at}", side=side, position=place, statuses=statuses)
        table.tell("PUT", f"tokens/{one}", told)
    entries = [
        {"id": one, "initiative": 30 - at, "state": "acted" if at < 3 else "waiting"}
        for at, one in enumerate(names)
    ]
    order = {"round": 3, "active": "t3", "entries": entries, "next": ["t4", "t5"]}
    table.tell("PUT", "order", order)
    for seq in range(1, 9):
        table.result(seq, title=f"{NAME} attacks", text="Hit for 4 damage. " * 3)
    return table


def test_no_name_pushes_the_map_away_and_nothing_lies_on_it(page: Page, crowd: Any) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        watch(page, crowd)
        whole = {"apart": True, "wide": width, "high": height}
        becomes(
            lambda: page.evaluate(MEASURED),
            lambda seen: seen["share"] >= 0.40 and seen["place"] >= 120 and seen | whole == seen,  # noqa: B023
        )
        expect(page.locator("#map .token.active")).to_be_in_viewport()
        expect(page.locator("#turns .active")).to_be_in_viewport()
        expect(page.locator("#feed .card-title").first).to_be_in_viewport()


def test_a_television_shows_who_acts_the_next_five_and_all_of_the_newest_result(
    page: Page, crowd: Any
) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    watch(page, crowd)
    page.goto(f"{page.url}&screen=1")
    expect(page.locator("#turns .active")).to_be_visible()
    shown = page.locator("#turns li:visible [data-row]")
    next_five = [f"t{at}" for at in range(3, 9)]
    becomes(lambda: shown.evaluate_all("rows => rows.map((row) => row.dataset.row)"), next_five)

    def room() -> tuple[float, float]:
        """What is left beside and below the fifth to come."""
        panel, last = page.locator("#turns-panel").bounding_box(), shown.last.bounding_box()
        below = panel["y"] + panel["height"] - last["y"] - last["height"]
        return panel["x"] + panel["width"] - last["x"], below

    becomes(room, lambda left: left[0] > 0 and left[1] >= -1)
    expect(page.locator("#turns-more")).to_have_text("24 more")
    becomes(lambda: page.evaluate(SMALLEST), [])
    for seq, text in [(9, "Hit for 4 damage."), (10, "It goes on and on. " * 60)]:
        crowd.result(seq, title=f"{NAME} attacks", text=text)
        newest = page.locator(f'[data-result="{seq}"]')
        expect(newest).to_be_visible()

        def below() -> float:
            card, feed = newest.bounding_box(), page.locator(".feed").bounding_box()  # noqa: B023
            return feed["y"] + feed["height"] - card["y"] - card["height"]

        becomes(below, lambda left: left >= -1)


LOADED = """() => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""
EARLY = """
window.early = null;
const look = () => {
  if (!document.querySelector("[data-token]")) return requestAnimationFrame(look);
  early = performance.getEntriesByType("resource").map(({ name }) => name);
};
look();
"""
"""Notes what was asked for when the first token was drawn."""


@pytest.mark.parametrize("path", ["/", "/play"])
def test_the_first_load_is_small(page: Page, crowd: Any, path: str) -> None:
    """Under 70 KB without the campaign's art; fonts, at most 85 KB more, come after the map; few requests."""
    assert page.context.browser is not None
    view = page.context.browser.new_page(bypass_csp=True)  # nothing is at hand from before
    try:
        view.add_init_script(EARLY)
        view.goto(f"{crowd.url}{path}", wait_until="load")
        view.wait_for_selector("html[data-typefaces]")
        view.wait_for_function("document.fonts.status === 'loaded'")
        loaded, early = view.evaluate(LOADED), view.evaluate("early")
    finally:
        view.close()
    fonts = sum(size for name, size in loaded if name.endswith(".woff2"))
    rest = sum(size for _, size in loaded) - fonts
    assert 20_000 < fonts <= 85_000
    assert path == "/play" or not [name for name in early if not re.search(r"\.(js|css)$|/state", name)]
    assert len(loaded) <= 12, loaded
    assert 20_000 < rest < 70_000, sorted(loaded, key=lambda each: -each[1])


def test_a_television_shows_all_of_a_chase(page: Page, table: Any) -> None:
    """Nobody scrolls there: four run from four, and each has a card or a place for one."""
    sides = [(name, [f"{name}-{at}" for at in range(4)]) for name in ("runners", "chasers")]
    cards = [{"who": "runners-0", "what": "double-back", "hidden": True}]
    told = [
        {
            "id": name,
            "name": name,
            "team": team,
            "numbers": {"Danger Level": 1},
            "cards": cards if team[0] in cards[0]["who"] else [],
        }
        for name, team in sides
    ]
    track = {"name": "Range", "steps": ["caught", "close", "medium", "far", "escaped"], "at": "medium"}
    for name, team in sides:
        for one in team:
            table.token(one, side=name, position=None, hp=None)
    table.tell("PUT", "scene", {"id": "roofs", "name": "Roofs", "rows": [], "track": track, "sides": told})
    for width, height in ((1920, 1080), (3840, 2160), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        watch(page, table)
        page.goto(f"{page.url}&screen=1")
        expect(page.locator(".person")).to_have_count(8)
        for one in page.locator(".person, .side, .pick").all():
            expect(one).to_be_in_viewport(ratio=0.99)
