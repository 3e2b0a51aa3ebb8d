"""The game master plays on their own page alone: it offers what the rules allow, and each press is a line."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.agreed import agree_to
from support.edits import replace_in

import strike_cli
from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.serve.gm_console_and_pictures import GameMasterConsole

from .browsing import becomes, expect, open_as_gm, rests
from .conftest import KEY

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCENES = {
    "combat start ford": "",
    "conflict start lamp-council": "",
    "chase start causeway": "",
    "grit start gallery": "grit",
    "karma start wreck": "karma",
    "momentum start gate": "momentum",
}

VEX_FIRST = ("combat initiative --dice 6,5,4,3,2,1,1,1,1,1", "choose as-listed", "combat turn")


class Pushing(GameMasterConsole):
    """A desk whose table is told of what it plays, as the bridge of `strike table` does."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder)
        self._there = Settings("table", "table", url=url, audience="gm")
        agree_to(folder, self._there)
        self.lines: list[str] = []
        self.taken: list[bool] = []
        self._one_by_one = threading.Lock()

    def play(self, line: str) -> dict[str, object]:
        with self._one_by_one:
            came = super().play(line)
            self.taken.append(bool(came["ok"]))
            self.lines.append(line)
            report = push(self._folder, self._there)
        assert not report.error, report.error
        return came


def go_on(desk: GameMasterConsole) -> None:
    """Answer what is open, play the first that is offered, or what comes next."""
    with Campaign(desk._folder) as campaign:
        open_ = next(iter(campaign.state.get("pending", {}).values()), None)
    scenes: Any = desk.scenes_under_way_and_prepared()["scenes"]
    lines = (
        [f"choose {open_['options'][0]}"]
        if open_
        else [each["line"] for scene in scenes for each in scene["offers"]]
    )
    desk.play(next(iter(lines), "next"))


@pytest.mark.slow
@pytest.mark.parametrize("begins", SCENES)
def test_everything_that_is_offered_is_played(desk: Any, begins: str) -> None:
    """At several moments of a scene of each game no line that the page offers is refused."""
    game = desk(SCENES[begins])
    assert begins in [each["line"] for each in game.scenes_under_way_and_prepared()["prepared"]]
    assert game.play(begins)["ok"]
    offered: list[str] = []
    for _ in range(6):
        for scene in game.scenes_under_way_and_prepared()["scenes"]:
            whom = [each["whom"].split(", ") for each in scene["offers"]]
            assert all(len(set(names)) == len(names) for names in whom), "nobody is named twice"
            few = scene["offers"][:: max(1, len(scene["offers"]) // 5)]
            for line in [each["line"] for each in few]:
                came = game.play(line)
                assert came["ok"], (line, came)
                assert game.play("undo")["ok"]
                offered.append(line)
        go_on(game)
    assert len(offered) > 10


def test_a_way_is_told_with_what_it_gives_and_why_there_is_none(desk: Any) -> None:
    game = desk()
    assert "\n" not in str(game.play("combat start ford")["text"]), "the page has the map"
    assert str(game.play(VEX_FIRST[0])["text"]).endswith("Who acts first?")
    game.play(VEX_FIRST[1])
    scene = game.scenes_under_way_and_prepared()["scenes"][0]
    assert scene["offers"] == [], "what comes next has its own button"
    assert game.moves_to_square("vex", "C3")["reason"]
    game.play("combat turn")
    there, shift = game.moves_to_square("vex", "C3")["offers"]
    assert shift["line"].endswith("--shift")
    assert (there["line"], there["way"], there["far"]) == ("combat move vex C3", ["B3", "C3"], "1 square")
    assert game.moves_to_square("vex", "A1") == {"offers": [], "reason": "Nobody can stand on A1."}
    assert "turn" in game.moves_to_square("goblin-1", "C3")["reason"]
    assert game.moves_to_square("nobody", "C3") == {"offers": [], "reason": ""}
    with pytest.raises(ValueError):
        game.moves_to_square("vex", "nowhere")
    game.play("combat move vex F6")
    (away,) = game.moves_to_square("vex", "E4")["offers"]
    assert (away["gives"], away["line"]) == (
        "gives an Opportunity to Goblin 3",
        "combat move vex E4 --trade --yes",
    )
    assert "E4" in str(game.play(away["line"])["text"]), "nobody is asked about what the offer said"


@pytest.mark.slow
def test_an_area_is_told_before_it_is_chosen(desk: Any) -> None:
    """A burst covers the squares around who makes it, an attack with one target none."""
    game = desk()
    game.play("combat start last-lamp")
    game.play("combat initiative")
    areas: dict[str, Any] = {}
    for _ in range(12):
        game.play("combat turn")
        for each in game.scenes_under_way_and_prepared()["scenes"][0]["offers"]:
            if not each["square"]:
                areas[each["line"]] = game.forecast_offered_line(each["line"])["area"]
        game.play("combat end-turn")
        go_on(game)
    bursts = [area for line, area in areas.items() if "snuff" in line or "cold-breath" in line]
    assert bursts and all(len(area) > 3 for area in bursts)
    assert not any(area for line, area in areas.items() if "ranged-basic" in line)


EVENINGS = {
    "": {
        "conflict start lamp-council": "conflict concede",
        "chase start causeway": "chase end",
        "combat start ford": "combat finish --lost",
    },
    "grit": {"grit start gallery": "grit end"},
    "karma": {"karma start wreck": "karma end"},
    "momentum": {"momentum start gate": "momentum end"},
}
"""What is prepared for an evening of each game, by the line of its card, and what ends it."""
PRESSES = 16
"""Of a scene, before it is ended."""
PRESS = """() => {
  if (document.querySelector("#hand .target[aria-busy]")) return false; // it is being played
  const step = window.presses = (window.presses ?? 0) + 1;
  const answer = document.querySelector("#asked .option.act");
  if (!answer && document.querySelector(".prepared")?.offsetParent) return null;
  if (answer) return answer.click(), true;
  if (step % 4 === 3) return document.querySelector("#acts .act").click(), true;
  const folds = document.querySelectorAll("#hand:not([hidden]) .fold");
  folds[step % folds.length]?.click();
  const all = [...document.querySelectorAll("#hand:not([hidden]) .target")];
  const targets = all.filter((one) => !/concede|withdraw|^end$|stop/i.test(one.textContent));
  const pressed = targets[(step * 5) % targets.length];
  (pressed ?? document.querySelector(".turn.active"))?.click();
  return Boolean(pressed);
}"""
"""Answer, press an option of one after the other, or what comes next; where no option is seen, pick who
acts. Nobody gives up. Null between scenes."""

NEXT = """() => {
  if (document.querySelector("#acts [aria-busy]")) return false;
  if (document.querySelector(".prepared")?.offsetParent) return null;
  (document.querySelector("#asked .option.act") ?? document.querySelector("#acts .act")).click();
  return true;
}"""
"""Answer, or press what comes next."""


@pytest.mark.slow
@pytest.mark.parametrize("system", EVENINGS)
def test_an_evening_is_played_by_the_page_alone(
    page: Page, start_table: Any, tmp_path: Path, system: str
) -> None:
    """It begins, scenes are begun by their cards, options pressed, decisions answered, a clock and a handout
    shown, scenes and the evening ended: the journal is that of the lines typed."""
    folder = create_campaign_folder(tmp_path / "road", seed=7, system=system)
    game = start_table(folder)
    open_as_gm(page, game.url)

    def comes(press: Callable[[], object]) -> None:
        told = len(game.lines)
        becomes(lambda: press() is None or len(game.lines) > told, True)

    def types(line: str) -> None:
        box = page.get_by_role("textbox", name="Command")
        box.fill(line)
        box.press("Enter")
        becomes(lambda: game.lines[-1:], [line])

    types("session start --title Dusk")
    for begins, ends in EVENINGS[system].items():
        page.locator(f'.prepared button[title="{begins}"]').click()
        expect(page.locator("#place:not(:empty), #asked li").first).to_be_attached()
        for _ in range(PRESSES):
            comes(lambda: page.evaluate(PRESS))
        if not page.locator(".prepared").is_visible():
            for _ in range(30):  # not every moment of a scene is one to end it
                types(ends)
                if game.taken[-1] or page.evaluate(PRESS) is None:
                    break
                comes(lambda: page.evaluate(PRESS))
            for _ in range(9):
                comes(lambda: page.evaluate(NEXT))
            assert page.locator(".prepared").is_visible(), game.lines[-9:]
    types("session end")
    typed = GameMasterConsole(create_campaign_folder(tmp_path / "typed", seed=7, system=system))
    for line in game.lines:
        typed.play(line)
    typed.close()
    assert played(tmp_path / "typed") == played(folder)
    assert [entry for entry, _ in played(folder)][:: len(played(folder)) - 1] == [
        "session start",
        "session end",
    ]
    assert len(played(folder)) >= 10 * len(EVENINGS[system])


def played(folder: Path) -> list[tuple[str, str]]:
    """All commands with their facts, but for the clock: a session has the time of its start and its end."""
    clock = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
    entries = strike_cli.Campaign(folder).entries()
    return [(entry["command"], clock.sub("", repr(entry["facts"]))) for entry in entries]


@pytest.fixture
def start_table(start: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Starts a table on which a campaign is played by its page."""
    monkeypatch.setenv("STRIKE_TABLE_KEY", KEY)
    opened: list[Pushing] = []

    def begin(folder: Path) -> Pushing:
        late = Late()
        table = start(gm_commands=late)
        late.desk = Pushing(folder, table.url)
        late.desk.table, late.desk.url = table, table.url  # type: ignore[attr-defined]
        opened.append(late.desk)
        return late.desk

    yield begin
    for each in opened:
        each.close()


@pytest.fixture
def begun(start_table: Any, tmp_path: Path) -> Callable[..., Any]:
    """Starts such a table in a scene of the example campaign; what is played from then on is counted."""

    def begin(*lines: str) -> Pushing:
        game: Pushing = start_table(create_campaign_folder(tmp_path / "road", seed=7))
        for line in lines:
            assert game.play(line)["ok"], line
        game.lines.clear()
        return game

    return begin


class Late:
    """A desk that is there once its table is."""

    desk: Pushing

    def __getattr__(self, name: str) -> Any:
        return getattr(self.desk, name)


@pytest.mark.slow
def test_tokens_are_dragged_harmed_and_doors_opened(page: Page, begun: Any) -> None:
    game = begun("combat start gallery", *VEX_FIRST)
    open_as_gm(page, game.url)
    square = page.locator('[data-token="vex"] .disc').bounding_box
    expect(page.locator("body")).to_have_attribute("data-acts", "gallery")
    rests(page)
    box = square()
    one = box["width"] / 0.96
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] + one / 2, at[1], steps=3)
    page.mouse.move(at[0] + one, at[1], steps=3)
    page.mouse.up()
    becomes(lambda: game.lines, ["combat move vex C2"])
    page.locator('[data-row="toll-guard-1"]').click()
    page.locator('#hand [data-key="hp -1"]').click()
    page.get_by_role("button", name="Hide", exact=True).click()
    becomes(lambda: game.lines[1:], ["combat set toll-guard-1 hp -1", "combat hide toll-guard-1 --now"])
    page.keyboard.press("Escape")
    expect(page.locator("#hand")).to_be_hidden()
    rests(page)
    door = page.locator(".door.closed").first.bounding_box()
    page.mouse.click(door["x"] + door["width"] / 2, door["y"] + door["height"] / 2)
    page.get_by_role("button", name="Open the door").click()
    becomes(lambda: game.lines[3:], lambda lines: lines and lines[0].startswith("combat door open "))
    page.locator("#brush").click()
    rests(page)
    box = square()
    page.mouse.move(box["x"] + one / 2, box["y"] + one / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + one * 1.5, box["y"] + one / 2, steps=2)
    page.mouse.up()
    page.get_by_role("button", name="Cover with fog").click()
    becomes(lambda: game.lines[4:], ["combat fog cover C2:D2"])


@pytest.mark.slow
def test_a_finger_drags_a_token_on_a_tablet(browser: Browser, begun: Any) -> None:
    game = begun("combat start ford", *VEX_FIRST)
    tablet = browser.new_context(viewport={"width": 820, "height": 1180}, has_touch=True, is_mobile=True)
    page = tablet.new_page()
    open_as_gm(page, game.url)
    expect(page.locator("body")).to_have_attribute("data-acts", "ford")
    rests(page)
    box = page.locator('[data-token="vex"] .disc').bounding_box()
    at, square = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2], box["width"] / 0.96
    finger = tablet.new_cdp_session(page)
    for kind, right in (
        ("touchStart", 0),
        *(("touchMove", part / 4) for part in range(1, 5)),
        ("touchEnd", None),
    ):
        points = [] if right is None else [{"x": at[0] + right * square, "y": at[1]}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    becomes(lambda: game.lines, ["combat move vex C3"])
    tablet.close()


@pytest.mark.slow
def test_a_map_is_played_by_keys_alone(page: Page, begun: Any) -> None:
    game = begun("combat start ford", *VEX_FIRST)
    open_as_gm(page, game.url)
    cursor = page.locator(".cursor")
    cursor.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "Enter"):
        page.locator(".cursor").press(key)
    expect(page.locator("#hand h2").first).to_have_text("Vex Marlowe")
    page.keyboard.press("[")
    becomes(lambda: game.lines, ["combat set vex hp -1"])
    page.locator(".cursor").focus()
    for key in ("ArrowRight", "Enter"):
        page.locator(".cursor").press(key)
    page.get_by_role("button", name="Move to C3").press("Enter")
    becomes(lambda: game.lines[1:], ["combat move vex C3"])
    page.locator(".cursor").focus()
    for key in (*["ArrowRight"] * 11, "Enter"):
        page.locator(".cursor").press(key)
    expect(page.locator("#hand .target")).to_have_count(0)
    page.get_by_label("Reason, kept in the log").fill("a rope")
    page.keyboard.press("Enter")
    becomes(lambda: game.lines[2:], ['combat place vex N3 --note "a rope"'])
    expect(page.locator('[data-token="vex"]')).to_have_attribute("data-x", "13")


@pytest.mark.slow
def test_scenes_and_clocks_are_in_menus(page: Page, begun: Any) -> None:
    game = begun("session start")
    open_as_gm(page, game.url)
    for menu, item in [
        ("Clocks", "Advance The road goes dark (1 of 6)"),
        ("Scene", "Begin The Ford at Dusk"),
        ("Scene", "Fog on"),
        ("Scene", "Park the scene"),
        ("Scene", "Return to The Ford at Dusk"),
        ("Scene", "End the scene"),
    ]:
        told, wanted = len(game.lines), page.get_by_role("button", name=item)

        def opened(menu: str = menu) -> bool:
            page.keyboard.press("Escape")
            page.get_by_role("button", name=menu, exact=True).click()
            return bool(wanted.count())  # noqa: B023

        becomes(opened, True)
        wanted.click()
        becomes(lambda: len(game.lines), lambda now: now > told)  # noqa: B023
    begun = ["clock tick dark", "combat start ford", "combat fog on"]
    assert game.lines == [*begun, "combat park", "combat return ford", "combat abandon"]


@pytest.mark.slow
def test_a_picture_is_moved_under_its_squares_by_keys_and_buttons(
    page: Page, start_table: Any, tmp_path: Path
) -> None:
    """What is tried is shown with walls and lights, comes to a line that could have been typed, and lies so
    for all."""
    folder = create_campaign_folder(tmp_path / "road", seed=7)
    ford = 'image = "maps/ford.webp"\n'
    lit = f"{ford}lights = [{{ at = [3.5, 2], range = 4 }}, {{ at = [12, 9], range = 2.5 }}]\n"
    replace_in(folder / "campaign.toml", ford, lit)
    game = start_table(folder)
    game.play("combat start ford")
    open_as_gm(page, game.url)
    picture, board = page.locator("#map image.picture"), page.locator("#map")
    before: Any = picture.evaluate("(one) => ({...one.getBBox().toJSON?.(), x: one.getBBox().x})")

    board.focus()
    reach = page.locator("#map .light-reach")
    expect(reach).to_have_count(2)
    tool = page.get_by_role("button", name="Walls on the picture")
    for shown, press in ((True, lambda: page.keyboard.press("w")), (False, tool.click)):
        press()
        expect(tool).to_have_attribute("aria-pressed", str(shown).lower())
        (expect(board).to_have_class if shown else expect(board).not_to_have_class)(re.compile("with-walls"))
        expect(reach.first).to_be_visible(visible=shown)
    assert reach.evaluate_all(
        "all => all.map(one => [one.cx, one.cy, one.r].map(each => each.baseVal.value))"
    ) == [[3.5, 2, 4], [12, 9, 2.5]]
    expect(page.get_by_role("textbox", name="Command")).to_have_value("")

    def begin() -> bool:
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Scene", exact=True).click()
        return bool(page.get_by_role("button", name="Fit the picture").count())

    becomes(begin, True)
    page.get_by_role("button", name="Fit the picture").click()
    expect(board).to_have_class(re.compile("with-walls"))
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowLeft", "+"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Right").click()
    line = "map shift ford 0.29 -0.1 --scale 1.01"
    expect(page.locator("#hand code")).to_have_text(line)
    expect(picture).to_have_attribute("transform", "translate(0.29 -0.1) scale(1.01)")
    page.keyboard.press("Escape")
    expect(picture).not_to_have_attribute("transform", re.compile("."))
    assert game.lines == ["combat start ford"]
    becomes(begin, True)
    page.get_by_role("button", name="Fit the picture").click()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Keep it").click()
    becomes(lambda: game.lines[1:], ["map shift ford 0.1 0"])
    expect(board).not_to_have_class(re.compile("with-walls"))
    moved = "(one) => one.getBBox().x"
    becomes(lambda: round(picture.evaluate(moved) - before["x"], 2), 0.1)
    assert "offset = [-6.4, 0]" in (folder / "campaign.toml").read_text("utf-8")
    game.play("undo")
    becomes(lambda: round(picture.evaluate(moved) - before["x"], 2), 0)
