"""Every screen with every kind of scene: it lies as on the picture that is kept of it, by blocks of light and
dark, not by pixels, and axe finds nothing on it, by day and by night.

`python -m table.take_pictures` takes the pictures anew, where a change is meant.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_cli.campaign import Campaign
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.phones.links import get_or_make_link_secrets
from strike_cli.phones.players_api import PlayersAccess
from strike_cli.serve.gm_console_and_pictures import GameMasterConsole
from strike_table.access_control import watch_token
from strike_table.audience_views import LinkAudience

from .browsing import expect
from .conftest import KEY
from .take_pictures import KEPT, SCENES, SIZES, TAKEN, picture, played, shown
from .test_table_player_page import Evening

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

WIDE, PHONE = (1366, 768), (390, 844)
SECRETS = ["combat hide goblin-1 --now", "handout show warrant"]
OPTIONS = {"resultTypes": ["violations"], "rules": {"region": {"enabled": True}}}
BY_NIGHT = {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""Nothing but colours is another then."""
ACROSS = 24
"""Blocks that a picture is wide."""
APART = 40
"""Of 255, by which a block may be lighter or darker."""
MOST = 0.06
"""Of the blocks may be farther apart: words, dice and the clock are others."""


@pytest.fixture(scope="module")
def one_view(browser: Browser) -> Iterator[Page]:
    """A page that lets axe try styles on it; ours forbids them."""
    view = browser.new_page(bypass_csp=True, reduced_motion="reduce")
    yield view
    view.close()


@pytest.fixture
def looked_at(one_view: Page) -> Iterator[Any]:
    """Looks at what is on the page by day and by night, and notes what axe finds."""
    from axe_playwright_python.base import AXE_SCRIPT

    found = list[str]()

    def look(what: str) -> None:
        if not one_view.evaluate("'axe' in window"):
            one_view.evaluate(AXE_SCRIPT)
        violations = []
        for scheme, options in (("light", OPTIONS), ("dark", BY_NIGHT)):
            one_view.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            violations += one_view.evaluate("(options) => axe.run(document, options)", options)["violations"]
        one_view.emulate_media(color_scheme="light")
        for one in violations:
            places = "; ".join(f"{node['target'][0]}: {node['failureSummary']}" for node in one["nodes"][:3])
            found.append(f"{what}: {one['id']} ({len(one['nodes'])}) {places}")

    one_view.emulate_media(color_scheme="light")
    yield look
    assert found == [], "\n".join(found)


def open_(page: Page, url: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("about:blank")
    page.goto(url)
    expect(page.locator("body")).to_have_attribute("data-connection", "live")


def blocks(taken: bytes) -> list[int]:
    """How light each block of a picture is."""
    from PIL import Image

    image = Image.open(io.BytesIO(taken)).convert("L")
    return [
        *image.resize((ACROSS, round(ACROSS * image.height / image.width)), Image.Resampling.BOX).tobytes()
    ]


def differing(one: bytes, other: bytes) -> float:
    """The part of the blocks that are far apart."""
    pairs = [*zip(blocks(one), blocks(other), strict=True)]
    return sum(abs(left - right) > APART for left, right in pairs) / len(pairs)


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_on_every_screen(
    name: str, one_view: Page, tmp_path: Path, looked_at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRIKE_TABLE_KEY", KEY)
    page, folder = one_view, tmp_path / name
    table = shown(
        name, tmp_path, gm_commands=GameMasterConsole, players=lambda folder: PlayersAccess(folder, KEY)
    )
    gm = f"{table.url}/?watch={watch_token(KEY, LinkAudience.GM)}"
    apart = {}
    for query in ("?screen=1", ""):
        open_(page, f"{table.url}/{query}", WIDE)
        for size in (size for size in TAKEN[name] if SIZES[size] == query):
            apart[size] = differing(picture(page, size), (KEPT / f"{name}-{size}.webp").read_bytes())
        page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
        looked_at(f"{name}, players{query}")
    assert max(apart.values()) <= MOST, apart
    if name == "fight":
        for line in SECRETS:
            run_command_line_or_complete(["-C", str(folder), *line.split()])
        push(folder, Settings("table", "table", url=table.url, audience="gm"))
    open_(page, gm, PHONE)
    expect(page.locator("#acts")).to_be_visible()
    page.keyboard.press("?")
    looked_at(f"{name}, game master, narrow")
    with Campaign(folder) as campaign:
        whose, secret = next(iter(get_or_make_link_secrets(folder, campaign.book.characters).items()))
    open_(page, f"{table.url}/play#{secret}", PHONE)
    looked_at(f"{name}, phone of {whose}")
    if name == "fight":
        look_closer(page, table.url, gm, looked_at)
    table.end()


def test_a_picture_of_another_scene_is_found_out() -> None:
    taken = {f"{name}-{size}.webp" for name, sizes in TAKEN.items() for size in sizes}
    assert taken == {kept.name for kept in KEPT.iterdir()}
    kept = [
        (KEPT / f"{name}-1366x768.webp").read_bytes() for name in ("fight", "conflict", "chase", "between")
    ]
    assert all(differing(one, other) > MOST for one in kept for other in kept if one is not other)


def look_closer(page: Page, url: str, gm: str, looked_at: Any) -> None:
    """Overlays; and what opens above a page."""
    for overlay in ("order", "result", "map"):
        open_(page, f"{url}/?overlay={overlay}", WIDE)
        looked_at(f"overlay {overlay}")
    open_(page, gm, WIDE)
    page.get_by_role("button", name="Handouts").click()
    page.locator("[data-token]").first.click()
    looked_at("a card and a menu open")
    page.locator("button.exhibit").click()
    looked_at("a handout held up")


def test_reports_stories_and_cards(one_view: Page, tmp_path: Path, looked_at: Any) -> None:
    folder = tmp_path / "road"
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
        assert run_command_line_or_complete(["-C", str(folder), *line.format(file).split()]) == 0
        one_view.goto(file.as_uri())
        looked_at(name)


def test_every_part_of_a_phone(one_view: Page, tmp_path: Path, looked_at: Any) -> None:
    evening = Evening(tmp_path / "road", 'own_turn = "play"\n')
    one_view.set_viewport_size({"width": 390, "height": 844})
    evening.open(one_view)
    for part in ("Sheet", "Roll", "Log", "Act"):
        one_view.get_by_role("button", name=part, exact=True).click()
        looked_at(part)
    one_view.get_by_label("Signs").click()
    one_view.locator("#bar .end").click()  # asks once more
    looked_at("asks")
    evening.stop.set()
