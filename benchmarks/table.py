"""The table's page in a real browser: how soon a command is seen on it, and how smoothly a large map moves.

Needs chromium. The clocks are one: the browser runs on this machine.
"""

from __future__ import annotations

import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from benchmarks.campaigns import in_a_fight
from benchmarks.measure import size
from strike_bridge.cursor import open_cursor
from strike_bridge.secrets import ensure_key
from strike_cli.campaign.campaign import Campaign
from strike_cli.play.execute import How, perform
from strike_cli.systems.campaign.commands.table import OWN, TARGET, following, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

COMMANDS = size(100, 3)
BACKLOG = size(10_000, 20)
"""Results of an old campaign that are being delivered meanwhile."""
ENTRIES = size(300, 10)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update"

# Notes when the HP of a token is another, once the browser is to draw it.
WATCH = """
window.seen = [];
let last = document.querySelector('[data-token="odo"]').dataset.hp;
new MutationObserver((changes) => {
  for (const { target } of changes) {
    const hp = target.dataset.hp;
    if (hp === last) continue;  // drawn again, as when something else of the token is another
    last = hp;
    requestAnimationFrame(() => window.seen.push([hp, performance.timeOrigin + performance.now()]));
  }
}).observe(document.querySelector('[data-token="odo"]'), { attributeFilter: ["data-hp"] });
"""

FRAMES = size(300, 5)
SLOW = 33.0
"""Milliseconds that a frame of a dragged map may take."""

# All that an empty page has to be dragged: a bare square as large as what is seen of the map.
EMPTY = """
<svg id="map" style="position: fixed; inset: 0; width: 100%; height: 100%">
  <rect width="1000" height="700"/>
</svg>
"""
MOVE = """
document.getElementById("map").addEventListener("pointermove", ({ clientX, clientY }) => {
  document.querySelector("rect").style.transform = `translate(${clientX - 600}px, ${clientY - 400}px)`;
});
"""

# Drags the map to and fro for so many frames, and tells how long each took, in milliseconds.
DRAG = """
(frames) => new Promise((done) => {
  const map = document.getElementById("map");
  const { left, top, width, height } = map.getBoundingClientRect();
  const point = (kind, at) => map.dispatchEvent(new PointerEvent(kind, {
    pointerId: 1, isPrimary: true, button: 0, bubbles: true,
    clientX: left + width / 2 + 250 * Math.sin(at / 9), clientY: top + height / 2 + 150 * Math.cos(at / 7),
  }));
  map.setPointerCapture = () => {};
  const times = [];
  let last = null;
  point("pointerdown", 0);
  const step = (now) => {
    if (last !== null) times.push(now - last);
    last = now;
    point("pointermove", times.length);
    if (times.length < frames) requestAnimationFrame(step);
    else { point("pointerup", 0); done(times); }
  };
  requestAnimationFrame(step);
})
"""


def _beside_a_backlog(program: str, scratch: Path) -> None:
    folder = in_a_fight(scratch / "old", BACKLOG)
    with (
        serving(folder, "Old", port=0) as running,
        following(folder, running, OWN),
        _page(program, running.url) as page,
    ):
        found = _delays(folder, page, size(30, 3))
        told = open_cursor(folder, TARGET).acknowledged
        _report(f"the same in an old campaign, {told} of {BACKLOG} results told", found, "150 at the 95th")


def main() -> None:
    """Print milliseconds from a command's end to the page, and of a frame while a large map is dragged."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print("  no chromium found")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = in_a_fight(Path(scratch) / "campaign", ENTRIES)
        with serving(folder, "Benchmark", port=0) as running:
            with following(folder, running, OWN) as bridge:
                bridge.settle(30)
                with _page(program, running.url) as page:
                    _report(
                        "from a command's end to the page, in ms", _delays(folder, page), "150 at the 95th"
                    )
            with _page(program, running.url) as page:
                _large_map(running.url, ensure_key(folder, TARGET))
                page.wait_for_function("document.querySelectorAll('.token').length === 40")
                _report_dragging(page)
        _beside_a_backlog(program, Path(scratch))


@contextmanager
def _page(program: str, url: str) -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=QUIET.split())
        # The page forbids scripts made of text, as what it is asked from here is.
        page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
        page.goto(url)
        page.wait_for_selector('[data-token="odo"]')
        yield page
        browser.close()


def _delays(folder: Path, page: Page, commands: int = COMMANDS) -> list[float]:
    page.evaluate(WATCH)
    pauses = random.Random(7)
    ended: list[float] = []
    for number in range(commands):
        with Campaign(folder, writing=True) as campaign:
            command = "combat heal" if number % 2 else "combat damage"
            perform(campaign, command, {"who": "odo", "amount": 1, "why": ""}, How())
        ended.append(time.time() * 1000)
        page.wait_for_function("(n) => window.seen.length >= n", arg=number + 1, timeout=30_000)
        time.sleep(pauses.uniform(0, 0.1))  # not in step with anything that looks now and then
    return [at - end for (_, at), end in zip(page.evaluate("window.seen"), ended, strict=True)]


class Dragged(NamedTuple):
    """The cost of dragging something about.

    It has the milliseconds of each frame, and those of the processor for one, by all of the browser's
    processes.
    """

    frames: list[float]
    work: float

    @property
    def slow(self) -> int:
        """Frames that took too long."""
        return sum(frame > SLOW for frame in self.frames)


def _report_dragging(page: Page) -> None:
    """Report on dragging a large map, beside dragging a square on an empty page in the same browser."""
    map_of_forty = _dragged(page)
    assert page.context.browser is not None
    bare = page.context.browser.new_page(viewport=page.viewport_size)
    bare.set_content(EMPTY)
    bare.evaluate(MOVE)
    empty = _dragged(bare)
    _report("a frame of a dragged map, 60x60 with 40 tokens, in ms", map_of_forty.frames, "")
    _report("a frame of a square dragged on an empty page", empty.frames, "")
    print(f"  {f'frames over {SLOW:g} ms, of {FRAMES}':<58} {map_of_forty.slow:6}  (empty page {empty.slow})")
    ratio, each = map_of_forty.work / empty.work, f"({map_of_forty.work:.1f} ms, {empty.work:.1f} ms)"
    print(f"  {'processor for a frame, over that of the empty page':<58} {ratio:6.2f}  {each}")


def _dragged(page: Page) -> Dragged:
    page.evaluate(DRAG, 20)  # what is drawn for the first time only
    before = _processor(page)
    frames = page.evaluate(DRAG, FRAMES)
    return Dragged(frames, (_processor(page) - before) / FRAMES * 1000)


def _processor(page: Page) -> float:
    """Seconds of the processor that the browser's processes have had."""
    assert page.context.browser is not None
    session = page.context.browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(sum(process["cpuTime"] for process in processes))


def _large_map(url: str, key: str) -> None:
    chance = random.Random(7)
    with httpx.Client(base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {key}"}) as client:

        def put(path: str, body: dict[str, Any]) -> None:
            client.put(path, json=body).raise_for_status()

        client.delete("scene").raise_for_status()
        rows = ["".join(chance.choices(".~#", (8, 1, 1), k=60)) for _ in range(60)]
        put("scene", {"id": "large", "name": "A large map", "rows": rows})
        for number in range(40):
            position = {"x": chance.randrange(60), "y": chance.randrange(60)}
            token = {"name": f"Rat {number}", "side": "enemies", "position": position}
            put(
                f"tokens/rat-{number}",
                {**token, "hp": {"value": 3, "max": 4}, "statuses": ["Prone", "Dazed"]},
            )


def _report(what: str, ratios: list[float], limit: str) -> None:
    cut = statistics.quantiles(ratios, n=20)
    middle, most = statistics.median(ratios), max(ratios)
    print(f"  {what:<58} {middle:6.1f}  (95th {cut[-1]:.1f}, most {most:.1f})  {limit}")
