"""The players' own page in a real browser: a link is scanned, a decision tapped, a move proposed."""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.edits import append_to

from strike_bridge.credential_store import ensure_table_key
from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.phones.links import current_code, get_or_make_link_secrets, withdraw_link
from strike_cli.phones.players_api import PlayersAccess
from strike_table.access_control import watch_token
from strike_table.serve import LinkAudience, serve

from .browsing import becomes, expect, rests

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ORDER = "combat initiative --dice 6,5,4,3,2,2,2,2,2,1"
SIZES = ((320, 568), (390, 844), (820, 1180))


class Evening:
    """A fight whose table is served, with the game master at a terminal."""

    def __init__(self, folder: Path, own_turn: str = "") -> None:
        self.folder = create_campaign_folder(folder, name="The Lantern Road", seed=7)
        append_to(self.folder / "campaign.toml", f'\n[table]\nanswers = "on"\n{own_turn}')
        for line in ("combat start ford", ORDER, "combat turn", "combat place vex G5"):
            self.type(line)
        key = ensure_table_key(self.folder, "table")
        with Campaign(self.folder) as campaign:
            self.links = get_or_make_link_secrets(self.folder, campaign.book.characters)
        self.stop, ready = threading.Event(), queue.Queue[str]()
        door = PlayersAccess(self.folder, key)

        def rings(watchers: Any) -> None:
            door.on_change = watchers.wake_streams

        served = {"port": 0, "on_ready": ready.put, "stop": self.stop, "players": door, "on_watchers": rings}
        self.threads = [
            threading.Thread(target=serve, args=[self.folder / "bridge" / "table", key], kwargs=served),
            threading.Thread(target=door.watch_and_end_outdated_proposals, args=[self.stop]),
        ]
        for thread in self.threads:
            thread.start()
        self.url = ready.get(timeout=60)

    def type(self, line: str) -> None:
        """What the game master types."""
        assert run_command_line_or_complete(["-C", str(self.folder), *line.split()]) in (0, 6)

    def open(self, page: Page, who: str = "vex") -> None:
        """Scan a player's link."""
        page.goto("about:blank")
        page.goto(f"{self.url}/play#{self.links[who]}")
        expect(page.locator("body")).to_have_attribute("data-connection", "live")

    def end(self) -> None:
        self.stop.set()
        for thread in self.threads:
            thread.join(10)

    def last(self) -> dict[str, Any]:
        with Campaign(self.folder) as campaign:
            return dict(campaign.journal.newest_entries(1)[0])


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    made = Evening(tmp_path_factory.mktemp("player") / "road")
    yield made
    made.end()


GROUND_DRAWN = """
window.groundDrawn = 0;
new MutationObserver((changes) => {
  const drawn = ({ target, addedNodes }) => target.matches?.(".terrain") && addedNodes.length;
  window.groundDrawn += changes.filter(drawn).length;
}).observe(document, { subtree: true, childList: true });
"""
PLACE = """([x, y]) => {
  const world = document.querySelector("#ground .world");
  const at = new DOMPoint(x + 0.5, y + 0.5).matrixTransform(world.getScreenCTM());
  return [at.x, at.y];
}"""


def place(page: Page, square: str) -> tuple[float, float]:
    """Where on the screen a square like C7 is, once the map has come to rest."""
    at = [ord(square[0]) - ord("A"), int(square[1:]) - 1]
    page.locator("#ground .frame").evaluate("(frame) => frame.scrollIntoView({ block: 'center' })")
    rests(page)
    x, y = page.evaluate(PLACE, at)
    return x, y


def tap(page: Page, square: str) -> None:
    page.mouse.click(*place(page, square))


def offer(page: Page, what: str, whom: str) -> Any:
    group = page.locator(".group").filter(has=page.get_by_role("heading", name=what, exact=True))
    return group.get_by_role("button", name=whom)


@pytest.mark.slow
def test_a_decision_is_tapped_and_a_move_proposed(evening: Evening, page: Page) -> None:
    """What the game master sees of it is in the journal, and what they do about it on the phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    evening.open(page)
    assert evening.links["vex"] not in page.url and page.url.endswith("/play")
    expect(page.locator("#turn")).to_have_text("Your turn · round 1")
    shot = offer(page, "Lantern Flare", "Goblin 1")
    expect(shot).to_contain_text("67% hit")
    expect(shot).to_contain_text("gives an Opportunity to Goblin 3")
    shot.click()
    expect(page.locator("#wish")).to_contain_text("waits for your game master")

    evening.type("accept")
    expect(page.locator(".decision h2")).to_contain_text(
        "giving an Opportunity to Goblin 3 (1 damage). Go on?"
    )
    expect(page.locator("#wish")).to_be_hidden()  # what it comes to is open
    page.reload()  # the tab still knows whose it is
    page.get_by_role("button", name="Do something else").click()
    expect(page.locator(".option.sure")).to_contain_text("Tap again")
    page.get_by_role("button", name="Do something else").click()
    expect(page.locator(".decision")).to_have_count(0)
    assert evening.last()["player"] == "vex"
    evening.type("undo")
    expect(page.locator(".decision")).to_have_count(1)
    evening.type("choose stay")
    expect(page.locator(".decision")).to_have_count(0)

    expect(page.locator(".may-go")).to_have_attribute("d", re.compile("^M.+"))
    tap(page, "F4")
    page.get_by_role("button", name="Move to F4").click()
    expect(page.locator("#wish")).to_contain_text("Move: F4")
    evening.type("decline --why wet")
    expect(page.locator("#wish")).to_contain_text("declined: wet")
    page.get_by_role("button", name="OK").click()
    expect(page.locator("#wish")).to_be_hidden()


def test_their_own_dice_go_with_a_roll_and_land(evening: Evening, page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    evening.open(page, "odo")
    page.get_by_role("button", name="Roll", exact=True).click()
    page.locator("#rolls summary", has_text="Cooking").click()
    page.locator("details[open]").get_by_role("button", name="5", exact=True).click()
    expect(page.locator("#wish")).to_contain_text("Cooking")
    evening.type("accept")
    expect(page.locator("#wish .own-tray .thrown")).to_have_attribute("data-face", "5")
    assert evening.last()["facts"][0]["roll"]["faces"] == [5]


def test_ones_own_token_shows_how_far_one_gets(evening: Evening, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    evening.open(page, "odo")
    expect(page.locator('[data-token="odo"]')).to_be_visible()
    expect(page.locator(".may-hit-edge")).to_have_attribute("d", "")
    tap(page, "C8")
    expect(page.locator(".may-go")).to_have_attribute("d", re.compile("^M.+"))
    expect(page.locator(".may-hit-edge")).to_have_attribute("d", re.compile("^M.+"))
    tap(page, "C8")
    expect(page.locator(".may-go")).to_have_attribute("d", "")


def test_it_fits_a_hand(evening: Evening, page: Page) -> None:
    """From 320 px nothing is cut off at the side, and what is tapped is large enough for a thumb; with
    letters twice as large, too. On its side a phone shows all of the map."""
    evening.open(page)
    expect(offer(page, "Knife in the Dark", "Goblin 3")).to_be_visible()
    browser = page.context.new_cdp_session(page)
    for width, height, letters in [*((*size, 16) for size in SIZES), (360, 640, 32), (844, 390, 16)]:
        page.set_viewport_size({"width": width, "height": height})
        browser.send("Page.setFontSizes", {"fontSizes": {"standard": letters, "fixed": letters}})
        stays = page.evaluate("getComputedStyle(document.querySelector('header')).position")
        assert stays == ("sticky" if height / letters > 30 else "static"), "there is room for all else"
        if height < 500:
            page.reload()
            rests(page)
            map_, world = (
                page.locator(each).bounding_box() for each in ("#ground .map", "#ground .world .terrain")
            )
            assert world["width"] < map_["width"] and world["height"] < map_["height"]
        for name in ("Act", "Sheet", "Roll", "Log"):
            if width < 700:
                page.get_by_role("button", name=name, exact=True).click()
            becomes(lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)
        # All at once: what was there a moment ago may have been drawn anew since.
        heights = (
            "() => [...document.querySelectorAll('button')].map((one) => one.getBoundingClientRect().height)"
        )
        becomes(lambda: page.evaluate(heights), lambda seen: all(one >= 44 for one in seen if one))  # noqa: B023


def test_who_is_named_like_a_script_is_shown_as_text(evening: Evening, page: Page) -> None:
    evening.type("""override fight.combatants.goblin-3.name "<img/src=x/onerror=alert(1)>" --why test""")
    evening.open(page)
    expect(page.locator("#offers")).to_contain_text("<img/src=x/onerror=alert(1)>")
    evening.type("undo")


def test_a_turn_begins_and_ends_under_the_thumb_and_handouts_open(evening: Evening, page: Page) -> None:
    evening.open(page)
    expect(page).to_have_title("● Your turn · Vex Marlowe")
    expect(page.locator("#face")).to_be_visible()
    evening.type("handout show warrant")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#exhibits")).to_contain_text("Warrant")
    page.locator("#bar").get_by_role("button", name="End turn").click()
    expect(page.locator("#wish")).to_contain_text("End turn")
    evening.type("combat end-turn")
    evening.type("combat turn")
    expect(page.locator("#bar")).to_be_hidden()
    side = page.locator('[data-token="brann"] .disc').evaluate("(disc) => getComputedStyle(disc).fill")
    assert side == "rgb(34, 112, 122)", "the party's colour"


def test_a_hand_is_raised_on_every_screen_and_lowered(evening: Evening, page: Page, browser: Browser) -> None:
    screen = browser.new_page()
    key = ensure_table_key(evening.folder, "table")
    screen.goto(f"{evening.url}/?watch={watch_token(key, LinkAudience.PLAYERS)}&screen=1")
    expect(screen.locator("body")).to_have_attribute("data-connection", "live")
    evening.open(page)
    for shown in ("Vex Marlowe: Raised hand", None, "Vex Marlowe: Laughing"):
        page.get_by_label("Signs").click()
        page.get_by_role("button", name=shown.partition(": ")[2] if shown else "Raised hand").click()
        signs = screen.locator(".shown-sign")
        expect(signs).to_have_count(1 if shown else 0)
        if shown:
            expect(signs).to_have_text(shown)
    screen.close()


def test_a_link_that_never_led_anywhere_is_not_called_withdrawn(evening: Evening, page: Page) -> None:
    page.goto(f"{evening.url}/play#{'x' * 43}")
    expect(page.locator("#sign")).to_have_text("Wrong link")
    expect(page.locator("#code")).to_be_visible()
    expect(page.locator(".side:visible, nav:visible")).to_have_count(0)


def test_a_withdrawn_link_says_so_on_a_page_that_is_open(evening: Evening, page: Page) -> None:
    evening.open(page, "sela")
    run_command_line_or_complete(
        ["-C", str(evening.folder), "handout", "show", "warrant"]
    )  # or it lies there from another test
    page.locator("[data-exhibit=warrant]").evaluate("(one) => one.click()")
    withdraw_link(evening.folder, "sela")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#trouble")).to_contain_text("no longer works")
    expect(page.locator("body")).to_have_attribute("data-connection", "withdrawn")


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """An evening at which players play their own turns; Vex's dice are on the table."""
    made = Evening(
        tmp_path_factory.mktemp("hands") / "road",
        'own_turn = "play"\n\n[dice]\nplayers = { Ana = "physical" }\n',
    )
    made.type("combat place vex F4")
    yield made
    made.end()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A phone that is touched."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    wrong: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert wrong == []


@pytest.mark.slow
def test_a_whole_turn_takes_six_taps_and_its_results_are_told_there(hands: Evening, phone: Page) -> None:
    """An attack with one's own die, a move, the end, by two taps each: each counts at once and is told."""
    hands.open(phone)
    expect(phone.locator("#face")).to_be_visible()
    wish = phone.locator("#wish")
    offer(phone, "Lantern Flare", "Goblin 1").tap()
    wish.get_by_role("button", name="5", exact=True).tap()
    expect(wish).to_contain_text("done")
    expect(wish.locator(".own-tray .thrown")).to_have_attribute("data-face", "5")
    expect(wish).to_contain_text("Goblin 1 takes 2 damage")
    phone.touchscreen.tap(*place(phone, "E3"))
    expect(phone.locator("#ground .way")).to_have_attribute("d", "M5.5 3.5L4.5 2.5")
    phone.get_by_role("button", name="Move to E3").tap()
    expect(wish).to_contain_text("Vex Marlowe moves from F4 to E3")
    phone.get_by_role("button", name="End turn").tap()
    wish.get_by_role("button", name="Do it").tap()  # nobody takes that back by themselves
    expect(phone.locator("#turn")).not_to_contain_text("Your turn")
    with Campaign(hands.folder) as campaign:
        newest = campaign.journal.newest_entries(3)
    assert [(each["command"], each["player"]) for each in newest] == [
        ("combat attack", "vex"), ("combat move", "vex"), ("combat end-turn", "vex")
    ]  # fmt: skip
    wish.get_by_role("button", name="Ask to undo").tap()
    expect(wish).to_contain_text("waits for your game master")
    hands.type("accept")
    expect(phone.locator("#turn")).to_contain_text("Your turn")
    hands.type("undo 2")


@pytest.mark.slow
def test_ones_own_token_is_dragged_along_its_way_or_moved_by_keys(hands: Evening, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    hands.open(page)
    expect(page.locator(".may-go")).to_have_attribute("d", re.compile("^M.+"))
    start, over, end = (place(page, square) for square in ("F4", "E3", "D4"))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*over, steps=4)
    way = page.locator("#ground .way")
    expect(way).to_have_attribute("d", "M5.5 3.5L4.5 2.5")
    hands.type("combat status add goblin-3 prone")  # the map is drawn anew under the hand
    expect(page.locator('[data-token="goblin-3"] .badge-sign')).to_have_count(1)
    expect(way).to_have_attribute("d", "M5.5 3.5L4.5 2.5")
    hands.type("undo")
    expect(page.locator('[data-token="goblin-3"] .badge-sign')).to_have_count(0)
    page.mouse.move(*end, steps=4)
    expect(way).to_have_attribute("d", re.compile("^M5.5 3.5.*L3.5 3.5$"))  # let go where it is drawn
    page.mouse.up()
    expect(page.locator('[data-token="vex"]')).to_have_attribute("data-x", "3")
    becomes(lambda: hands.last()["command"], "combat move")
    hands.type("undo")
    expect(page.locator('[data-token="vex"]')).to_have_attribute("data-x", "5")

    expect(page.locator(".may-go")).to_have_attribute("d", re.compile("^M.+"))  # it is found out anew
    expect(page.locator("#ground .frame [tabindex]")).to_have_count(1)
    cursor = page.locator(".cursor")
    cursor.focus()
    expect(cursor).to_have_attribute("aria-label", re.compile("^F4. Vex Marlowe, 10 of 10 HP.*acting now"))
    for key in ("ArrowUp", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    expect(cursor).to_be_focused()
    expect(cursor).to_have_attribute("aria-label", "D3. Move here, 2 squares away")
    page.keyboard.press("Enter")
    expect(cursor).to_have_attribute("aria-label", "D3. Enter once more: Move here, 2 squares away")
    page.keyboard.press("Enter")
    expect(page.locator('[data-token="vex"]')).to_have_attribute("data-x", "3")
    hands.type("undo")


@pytest.mark.slow
def test_the_map_of_a_phone_is_the_tables_and_is_pinched(hands: Evening, phone: Page) -> None:
    """Labels, rings, portraits, statuses and coordinates; fingers and buttons bring it nearer. Its ground is
    drawn at first and once its own picture is there, however many portraits come besides."""
    phone.add_init_script(GROUND_DRAWN)
    hands.type("combat status add goblin-3 prone")
    hands.open(phone)
    goblin, vex = phone.locator('[data-token="goblin-3"]'), phone.locator('[data-token="vex"]')
    expect(goblin.locator(".short")).to_have_text("G3")
    expect(goblin.locator(".badge-sign")).to_have_count(1)
    expect(vex.locator("image.loaded")).to_have_attribute("href", re.compile("^data:image/"))
    expect(vex.locator(".hp")).to_have_attribute("data-health", "good")
    expect(phone.locator(".label").first).to_be_visible()
    expect(phone.locator("[data-token] image:not([href])")).to_have_count(0)
    assert phone.evaluate("window.groundDrawn") <= 2
    tap(phone, "G6")
    expect(phone.locator(".about")).to_contain_text("Goblin 3 4 of 4 HP, Prone, at G6")
    expect(phone.locator(".ways .target").first).to_be_visible()

    def square() -> float:
        """How wide a square is."""
        return place(phone, "G4")[0] - place(phone, "F4")[0]

    first = square()
    phone.get_by_role("button", name="Nearer").tap()
    nearer = becomes(square, lambda width: width > 1.3 * first)
    y = place(phone, "F4")[1]
    touch = phone.context.new_cdp_session(phone)
    for kind, apart in (("touchStart", 60), ("touchMove", 40), ("touchMove", 20), ("touchEnd", 0)):
        points = [] if kind == "touchEnd" else [{"x": 195 - apart, "y": y}, {"x": 195 + apart, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    becomes(square, lambda width: width < 0.6 * nearer)
    hands.type("undo")


def test_a_phone_without_a_link_says_so_and_takes_a_code(hands: Evening, phone: Page) -> None:
    """Who types the table's address from elsewhere gets there; six letters, and it is theirs."""
    phone.context.set_extra_http_headers({"Via": "1.1 a-proxy"})
    phone.goto(hands.url)
    phone.wait_for_url(f"{hands.url}/play")
    expect(phone.get_by_role("heading", name="This phone needs your link")).to_be_visible()
    expect(phone.locator("#sign")).to_have_text("No link")
    expect(phone.get_by_role("button", name="Act", exact=True)).to_be_hidden()
    phone.get_by_label("Letters").fill("nobody")
    phone.get_by_role("button", name="Go").tap()
    expect(phone.get_by_role("alert").filter(has_text="wrong or too old")).to_be_visible()
    phone.get_by_label("Letters").fill(current_code(hands.links["odo"]).lower())
    phone.get_by_role("button", name="Go").tap()
    expect(phone.locator("h1")).to_have_text("Odo Finch")
    assert hands.links["odo"] not in phone.url


def test_live_is_said_only_while_something_is_heard(hands: Evening, phone: Page) -> None:
    """A line over which nothing comes is not live, whatever the browser thinks of it."""
    phone.clock.install()
    hands.open(phone)
    expect(phone.locator("#sign")).to_have_text("Live")
    said: str | None = "Live"
    for _ in range(20):  # something may be heard just then
        phone.clock.fast_forward(15_000)
        said = phone.locator("#sign").text_content()
        if said != "Live":
            break
    assert re.match(r"Not live since \d", said or "")
    hands.type("note a word")
    hands.type("undo")
    expect(phone.locator("#sign")).to_have_text("Live")
