"""What axe finds on every page that people look at, by day and by night: nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.agreed import agree_to

from strike_bridge.deliver import push
from strike_bridge.settings import Settings
from strike_cli.campaign import Campaign
from strike_cli.cli.app import run
from strike_cli.phones.links import links_of
from strike_cli.phones.players_api import PhoneDoor
from strike_cli.serve.gm_console import Desk
from strike_table.guard import watch_token
from strike_table.views import LinkAudience

from .browsing import expect
from .conftest import KEY
from .take_pictures import SCENES, evening_told, played
from .test_table_player_page import Evening

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

SCHEMES = ("light", "dark")
WIDE, PHONE, TELEVISION = (1366, 768), (390, 844), (1920, 1080)
PHONES = ("between", "fight", "asked", "conflict")
SECRETS = ["combat hide goblin-1 --now", "handout show warrant"]
OPTIONS = {"resultTypes": ["violations"], "rules": {"region": {"enabled": True}}}


@pytest.fixture(scope="module")
def one_view(browser: Browser) -> Iterator[Page]:
    """A page that lets axe try styles on it; ours forbids them."""
    view = browser.new_page(bypass_csp=True)
    yield view
    view.close()


@pytest.fixture
def looked_at(one_view: Page) -> Iterator[Any]:
    """Looks at what is on the page, and notes what axe finds."""
    from axe_playwright_python.sync_playwright import Axe

    axe, found = Axe(), list[str]()

    def look(what: str) -> None:
        came = axe.run(one_view, options=OPTIONS).response["violations"]
        for one in came:
            places = "; ".join(f"{node['target'][0]}: {node['failureSummary']}" for node in one["nodes"][:3])
            found.append(f"{what}: {one['id']} ({len(one['nodes'])}) {places}")

    yield look
    assert found == [], "\n".join(found)


def in_both(page: Page) -> Iterator[str]:
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        yield scheme


def open_(page: Page, url: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(url)
    expect(page.locator("body")).to_have_attribute("data-connection", "live")


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_on_every_screen(
    name: str, one_view: Page, start: Any, tmp_path: Path, looked_at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRIKE_TABLE_KEY", KEY)
    page = one_view
    system, lines = SCENES[name]
    folder = tmp_path / "road"
    played(folder, system, [*lines, *(SECRETS if name == "fight" else [])])
    desk, door = Desk(folder), PhoneDoor(folder, KEY)
    table = start(title="The Lantern Road", acts=desk, players=door)
    try:
        evening_told(folder, table)
        there = Settings("table", "table", url=table.url, audience="gm")
        agree_to(folder, there)
        assert not push(folder, there).error
        gm = f"{table.url}/?watch={watch_token(KEY, LinkAudience.GM)}"
        with Campaign(folder) as campaign:
            whose, secret = next(iter(links_of(folder, campaign.book.characters).items()))
        for scheme in in_both(page):
            open_(page, table.url, WIDE)
            looked_at(f"{name}, {scheme}, players")
            if scheme == "dark" or name == "fight":
                open_(page, f"{table.url}/?screen=1", TELEVISION)
                looked_at(f"{name}, {scheme}, television")
            if scheme == "light" or name == "fight":
                open_(page, gm, PHONE)
                expect(page.locator("#acts")).to_be_visible()
                page.keyboard.press("?")
                looked_at(f"{name}, {scheme}, game master, narrow")
            if name in PHONES:
                page.goto("about:blank")
                open_(page, f"{table.url}/play#{secret}", PHONE)
                looked_at(f"{name}, {scheme}, phone of {whose}")
            if name == "fight":
                look_closer(page, table.url, gm, scheme, looked_at)
    finally:
        table.stop()
        desk.close()


def look_closer(page: Page, url: str, gm: str, scheme: str, looked_at: Any) -> None:
    """Overlays; and what opens above a page."""
    for overlay in ("order", "result", "map"):
        open_(page, f"{url}/?overlay={overlay}", WIDE)
        looked_at(f"{scheme}, overlay {overlay}")
    open_(page, gm, WIDE)
    page.get_by_role("button", name="Handouts").click()
    page.locator("[data-token]").first.click()
    looked_at(f"{scheme}, a card and a menu open")
    page.locator("button.exhibit").click()
    looked_at(f"{scheme}, a handout held up")


def test_reports_stories_and_cards(one_view: Page, tmp_path: Path, looked_at: Any) -> None:
    page, folder = one_view, tmp_path / "road"
    played(folder, "", [*SCENES["fight"][1], "session end"])
    made = {
        "report": "session report --out {}",
        "report-all": "session report --all --out {}",
        "story": "session story --out {}",
        "card": "card vex goblin --out {}",
        "a6": "card vex goblin --paper a6 --out {}",
    }
    for name, line in made.items():
        file = tmp_path / f"{name}.html"
        assert run(["-C", str(folder), *line.format(file).split()]) == 0
        for scheme in in_both(page):
            page.goto(file.as_uri())
            looked_at(f"{name}, {scheme}")


@pytest.mark.slow
def test_every_part_of_a_phone(one_view: Page, tmp_path: Path, looked_at: Any) -> None:
    evening = Evening(tmp_path / "road", 'own_turn = "play"\n')
    for scheme in in_both(one_view):
        one_view.set_viewport_size({"width": 390, "height": 844})
        evening.open(one_view)
        for part in ("Sheet", "Roll", "Log", "Act"):
            one_view.get_by_role("button", name=part, exact=True).click()
            looked_at(f"{scheme} {part}")
        one_view.get_by_label("Signs").click()
        one_view.locator("#bar .end").click()  # asks once more
        looked_at(f"{scheme} asks")
    evening.stop.set()
