"""The players' own page in a real browser: a link is scanned, a decision tapped, a move proposed."""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from strike_bridge.secrets import ensure_key
from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create
from strike_cli.cli.app import run
from strike_cli.phones.door import PhoneDoor
from strike_cli.phones.links import links_of, withdraw
from strike_table.serve import serve

from .browsing import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

ORDER = "combat initiative --dice 6,5,4,3,2,2,2,2,2,1"
SIZES = ((320, 568), (390, 844), (820, 1180))


class Evening:
    """A fight whose table is served, with the game master at a terminal."""

    def __init__(self, folder: Path) -> None:
        self.folder = create(folder, name="The Lantern Road", seed=7)
        with (self.folder / "campaign.toml").open("a", encoding="utf-8") as file:
            file.write('\n[table]\nanswers = "on"\n')
        for line in ("combat start ford", ORDER, "combat turn", "combat place vex G5"):
            self.type(line)
        key = ensure_key(self.folder, "table")
        with Campaign(self.folder) as campaign:
            self.links = links_of(self.folder, campaign.book.characters)
        self.stop, ready = threading.Event(), queue.Queue[str]()
        door = PhoneDoor(self.folder, key)

        def rings(watchers: Any) -> None:
            door.on_change = watchers.ring

        served = {"port": 0, "on_ready": ready.put, "stop": self.stop, "players": door, "on_watchers": rings}
        self.threads = [
            threading.Thread(target=serve, args=[self.folder / "bridge" / "table", key], kwargs=served),
            threading.Thread(target=door.follow, args=[self.stop]),
        ]
        for thread in self.threads:
            thread.start()
        self.url = ready.get(timeout=10)

    def type(self, line: str) -> None:
        """What the game master types."""
        assert run(["-C", str(self.folder), *line.split()]) in (0, 6)

    def open(self, page: Page, who: str = "vex") -> None:
        """Scan a player's link."""
        page.goto("about:blank")
        page.goto(f"{self.url}/play#{self.links[who]}")
        expect(page.locator("body")).to_have_attribute("data-connection", "live")

    def last(self) -> dict[str, Any]:
        with Campaign(self.folder) as campaign:
            return dict(campaign.journal.newest(1)[0])


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    made = Evening(tmp_path_factory.mktemp("player") / "road")
    yield made
    made.stop.set()
    for thread in made.threads:
        thread.join(10)


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
    expect(page.locator("#wish")).to_contain_text("accepted")
    expect(page.locator(".decision h2")).to_contain_text(
        "giving an Opportunity to Goblin 3 (1 damage). Go on?"
    )
    page.reload()  # the tab still knows whose it is
    page.get_by_role("button", name="Stay").click()
    expect(page.locator(".decision")).to_have_count(0)
    assert evening.last()["player"] == "vex"
    evening.type("undo")
    expect(page.locator(".decision")).to_have_count(1)
    evening.type("choose stay")
    expect(page.locator(".decision")).to_have_count(0)

    page.locator('.reach[data-key="F4"]').click()
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
    expect(page.locator("#wish .die")).to_have_text("5")
    assert evening.last()["facts"][0]["roll"]["faces"] == [5]


def test_ones_own_piece_shows_how_far_one_gets(evening: Evening, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    evening.open(page, "odo")
    own = page.get_by_role("button", name="how far you get")
    expect(page.locator(".may-go")).to_have_count(0)
    own.click()
    expect(page.locator(".may-go").first).to_be_attached()
    expect(page.locator(".may-hit")).to_have_attribute("d", re.compile("^M.+"))
    own.press("Enter")
    expect(page.locator(".may-go")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES, ids=[f"{width}" for width, _ in SIZES])
def test_it_fits_a_hand(evening: Evening, page: Page, size: tuple[int, int]) -> None:
    """From 320 px nothing is cut off at the side, and what is tapped is large enough for a thumb."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    evening.open(page)
    expect(offer(page, "Knife in the Dark", "Goblin 3")).to_be_visible()
    for name in ("Act", "Sheet", "Roll", "Log"):
        if width < 700:
            page.get_by_role("button", name=name, exact=True).click()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    # All at once: what was there a moment ago may have been drawn anew since.
    heights = (
        "() => [...document.querySelectorAll('button')].map((each) => each.getBoundingClientRect().height)"
    )
    assert all(height >= 44 for height in page.evaluate(heights) if height)


def test_who_is_named_like_a_script_is_shown_as_text(evening: Evening, page: Page) -> None:
    evening.type("""override fight.combatants.goblin-3.name "<img/src=x/onerror=alert(1)>" --why test""")
    evening.open(page)
    expect(page.locator("#offers")).to_contain_text("<img/src=x/onerror=alert(1)>")
    evening.type("undo")


def test_a_withdrawn_link_says_so_on_a_page_that_is_open(evening: Evening, page: Page) -> None:
    evening.open(page, "sela")
    withdraw(evening.folder, "sela")
    expect(page.locator("#trouble")).to_contain_text("leads nowhere any more")
    expect(page.locator("body")).to_have_attribute("data-connection", "withdrawn")
