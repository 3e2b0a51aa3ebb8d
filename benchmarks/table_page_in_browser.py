"""Measure the table's page in a real browser.

It measures delays, how smoothly a large map moves, and how soon a slow phone shows the first token. Needs
chromium. The browser runs on this machine, so browser and server have the same clock.
"""

from __future__ import annotations

import functools
import json
import random
import shutil
import statistics
import tempfile
import threading
import time
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx

from benchmarks.paired_timing import usual_or_trial_amount
from benchmarks.sample_campaigns import make_campaign_in_fight
from strike_bridge.credential_store import ensure_table_key
from strike_bridge.delivery_record import load_or_make_cursor
from strike_cli.campaign.campaign import Campaign
from strike_cli.phones.links import get_or_make_link_secrets
from strike_cli.play.command_execution import PlaySettings, perform_command
from strike_cli.systems.campaign.commands.table import (
    DEFAULT_TABLE_TARGET,
    TARGET,
    running_bridge,
    running_table,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

COMMANDS = usual_or_trial_amount(100, 3)
BACKLOG = usual_or_trial_amount(10_000, 20)
"""The results of an old campaign that are delivered meanwhile."""
ENTRIES = usual_or_trial_amount(300, 10)
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

FRAMES = usual_or_trial_amount(300, 5)
DRAGGED_FRAME_LIMIT = 33.0
"""The most milliseconds for a frame of a dragged map."""

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


MOVING = 30
"""The tokens that all move at once, once a second."""
SECONDS = usual_or_trial_amount(10, 1)
MOVING_FRAME_LIMIT = 50.0
"""The most milliseconds for 95 of 100 frames with moving tokens, on a processor a fourth as fast."""
WATCH_FRAMES = """
(seconds) => new Promise((done) => {
  const times = [];
  let last = performance.now();
  const ends = last + seconds * 1000;
  const step = (now) => {
    times.push(now - last);
    last = now;
    if (now < ends) requestAnimationFrame(step);
    else done(times.slice(1));
  };
  requestAnimationFrame(step);
})
"""

LOADS = usual_or_trial_amount(5, 1)
SLOW_LINE = {"offline": False, "latency": 300, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
"""The slow line: milliseconds of delay, and bytes a second (1.6 Mbit/s)."""
FIRST_TOKEN = """
const look = () => {
  if (!document.querySelector("[data-token]")) requestAnimationFrame(look);
  else requestAnimationFrame(() => console.debug(`first token ${performance.now()}`));
};
look();
"""


def main() -> None:
    """Print how fast the table's page shows commands, drags a large map and loads.

    The numbers are milliseconds. Nothing is measured without a chromium.
    """
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print("  no chromium found")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = make_campaign_in_fight(Path(scratch) / "campaign", ENTRIES)
        with running_table(folder, "Benchmark", port=0) as running:
            with running_bridge(folder, running, DEFAULT_TABLE_TARGET) as bridge:
                bridge.wait_until_delivered(30)
                with _open_page(program, running.url) as page:
                    _print_times(
                        "from a command's end to the page, in ms",
                        _page_delays(folder, page),
                        "150 at the 95th",
                    )
            with _open_page(program, running.url) as page:
                _put_large_map(running.url, ensure_table_key(folder, TARGET))
                page.wait_for_function("document.querySelectorAll('.token').length === 40")
                _report_dragging(page)
                _report_moving(page, running.url, ensure_table_key(folder, TARGET))
        _report_delays_with_backlog(program, Path(scratch))
        _report_first_tokens(program, make_campaign_in_fight(Path(scratch) / "slow", ENTRIES))


def _report_delays_with_backlog(program: str, scratch: Path) -> None:
    folder = make_campaign_in_fight(scratch / "old", BACKLOG)
    with (
        running_table(folder, "Old", port=0) as running,
        running_bridge(folder, running, DEFAULT_TABLE_TARGET),
        _open_page(program, running.url) as page,
    ):
        found = _page_delays(folder, page, usual_or_trial_amount(30, 3))
        told = load_or_make_cursor(folder, TARGET).acknowledged
        _print_times(
            f"the same in an old campaign, {told} of {BACKLOG} results told", found, "150 at the 95th"
        )


@contextmanager
def _open_page(program: str, url: str) -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=QUIET.split())
        # The page forbids scripts made of text, as what it is asked from here is.
        page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
        page.goto(url)
        page.wait_for_selector('[data-token="odo"]')
        yield page
        browser.close()


def _page_delays(folder: Path, page: Page, commands: int = COMMANDS) -> list[float]:
    page.evaluate(WATCH)
    pauses = random.Random(7)
    ended: list[float] = []
    for number in range(commands):
        with Campaign(folder, writing=True) as campaign:
            command = "combat heal" if number % 2 else "combat damage"
            perform_command(campaign, command, {"who": "odo", "amount": 1, "why": ""}, PlaySettings())
        ended.append(time.time() * 1000)
        page.wait_for_function("(n) => window.seen.length >= n", arg=number + 1, timeout=30_000)
        time.sleep(pauses.uniform(0, 0.1))  # not in step with anything that looks now and then
    return [at - end for (_, at), end in zip(page.evaluate("window.seen"), ended, strict=True)]


class DragCost(NamedTuple):
    """The cost of dragging a map or a square.

    `frame_times` has the milliseconds of each frame. `work` is the processor milliseconds for a frame, in all
    of the browser's processes.
    """

    frame_times: list[float]
    work: float

    @property
    def slow_frames(self) -> int:
        """The number of frames that took longer than DRAGGED_FRAME_LIMIT."""
        return sum(frame > DRAGGED_FRAME_LIMIT for frame in self.frame_times)


def _report_dragging(page: Page) -> None:
    """Report the cost of dragging a large map, and of dragging a square on an empty page."""
    map_of_forty = _drag_map(page)
    assert page.context.browser is not None
    bare = page.context.browser.new_page(viewport=page.viewport_size)
    bare.set_content(EMPTY)
    bare.evaluate(MOVE)
    empty = _drag_map(bare)
    _print_times("a frame of a dragged map, 60x60 with 40 tokens, in ms", map_of_forty.frame_times, "")
    _print_times("a frame of a square dragged on an empty page", empty.frame_times, "")
    print(
        f"  {f'frames over {DRAGGED_FRAME_LIMIT:g} ms, of {FRAMES}':<58} {map_of_forty.slow_frames:6}"
        f"  (empty page {empty.slow_frames})"
    )
    ratio, each = map_of_forty.work / empty.work, f"({map_of_forty.work:.1f} ms, {empty.work:.1f} ms)"
    print(f"  {'processor for a frame, over that of the empty page':<58} {ratio:6.2f}  {each}")


def _drag_map(page: Page) -> DragCost:
    page.evaluate(DRAG, 20)  # what is drawn for the first time only
    before = _processor_seconds(page)
    frames = page.evaluate(DRAG, FRAMES)
    return DragCost(frames, (_processor_seconds(page) - before) / FRAMES * 1000)


def _processor_seconds(page: Page) -> float:
    """Return the processor seconds that the browser's processes have used."""
    assert page.context.browser is not None
    session = page.context.browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(sum(process["cpuTime"] for process in processes))


def _report_moving(page: Page, url: str, key: str) -> None:
    """Report how long frames take while many tokens move, and how much processor time they cost.

    The frame times are measured with the processor slowed to a fourth. The processor time is measured at full
    speed.
    """
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    frames = _frames_while_moving(page, url, key)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(
        page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"]
    )
    _frames_while_moving(page, url, key)
    work = _work_for_frames(json.loads(browser.stop_tracing())["traceEvents"])
    _print_times(f"a frame while {MOVING} tokens move, a fourth as fast, in ms", frames, "")
    _print_times("processor for one at full speed, in ms", work, f"{MOVING_FRAME_LIMIT / 4:g} at the 95th")
    for words, found, most in (
        ("those", frames, MOVING_FRAME_LIMIT),
        ("the work", work, MOVING_FRAME_LIMIT / 4),
    ):
        share = sum(one < most for one in found) / len(found) * 100
        over = "" if share >= 95 else ": OVER"
        print(f"  {f'% of {words} under {most:g} ms':<58} {share:6.1f}  at least 95{over}")


def _frames_while_moving(page: Page, url: str, key: str) -> list[float]:
    mover = threading.Thread(target=_move_tokens, args=[url, key])
    mover.start()
    frames: list[float] = page.evaluate(WATCH_FRAMES, SECONDS)
    mover.join()
    return frames


def _work_for_frames(events: Sequence[dict[str, Any]]) -> list[float]:  # Any: as the browser traces it
    """Return how many milliseconds of processor time the page used between consecutive frames.

    The processor time of other programs isn't counted.
    """
    ticks = [each for each in events if each["name"] == "FireAnimationFrame"]
    began = sorted(each["ts"] for each in ticks)
    work = [0.0] * (len(began) + 1)
    for each in events:
        if each["name"] == "RunTask" and each["tid"] == ticks[0]["tid"] and each["pid"] == ticks[0]["pid"]:
            work[bisect(began, each["ts"] + each.get("dur", 0))] += each.get("tdur", 0) / 1000
    return work[1:-1]


def _move_tokens(url: str, key: str) -> None:
    chance = random.Random(9)
    with httpx.Client(base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {key}"}) as client:
        for _ in range(SECONDS):
            ends = time.monotonic() + 1
            for number in range(MOVING):
                position = {"x": chance.randrange(60), "y": chance.randrange(60)}
                token = {"name": f"Rat {number}", "side": "enemies", "position": position}
                client.put(f"tokens/rat-{number}", json=token).raise_for_status()
            time.sleep(max(0.0, ends - time.monotonic()))


def _report_first_tokens(program: str, folder: Path) -> None:
    """Report how soon the table's page and a phone show a token, on a slow line and a slow processor."""
    with Campaign(folder) as campaign:
        secret = next(iter(get_or_make_link_secrets(folder, campaign.book.characters).values()))
    with (
        running_table(folder, "Slow", port=0, phones=True) as running,
        running_bridge(folder, running, DEFAULT_TABLE_TARGET) as bridge,
        _open_page(program, running.url) as page,
    ):
        bridge.wait_until_delivered(30)
        assert page.context.browser is not None
        for what, address, limit in (("table", "/", 2200), ("phone", f"/play#{secret}", 1800)):
            loads = [
                _first_token_times(page.context.browser, f"{running.url}{address}") for _ in range(LOADS)
            ]
            for words, found, most in zip(
                ("", ", again"), zip(*loads, strict=True), (limit, 1100), strict=True
            ):
                middle = statistics.median(found)
                over = "" if middle <= most else ": OVER"
                line = f"first token, {what}, slow phone and line{words}, in ms"
                print(f"  {line:<58} {middle:6.0f}  (most {max(found):.0f})  {most} at most{over}")


def _first_token_times(browser: Browser, url: str) -> list[float]:
    """Return the milliseconds until a page shows a token: on its first load, and on a reload."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, bypass_csp=True)
    view = context.new_page()
    view.add_init_script(FIRST_TOKEN)
    session = context.new_cdp_session(view)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_LINE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    found: list[float] = []
    for load in (functools.partial(view.goto, url), view.reload):
        # It says so by itself: what asks for it is 330 KB of script, which the slow processor reads first.
        with view.expect_console_message(lambda said: "first token" in said.text, timeout=60_000) as seen:
            load(wait_until="commit")
        found.append(float(seen.value.text.split()[-1]))
        view.wait_for_timeout(3000)  # a page that rests, with all its typefaces and portraits, is loaded anew
    context.close()
    return found


def _put_large_map(url: str, key: str) -> None:
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


def _print_times(label: str, times: list[float], limit: str) -> None:
    cut = statistics.quantiles(times, n=20)
    middle, most = statistics.median(times), max(times)
    print(f"  {label:<58} {middle:6.1f}  (95th {cut[-1]:.1f}, most {most:.1f})  {limit}")
