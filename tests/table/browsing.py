"""Looking at the table's page in a real browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from strike_table.access_control import watch_token
from strike_table.serve import LinkAudience, watch_link

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Seen = TypeVar("Seen")
PATIENCE = 15.0
"""Seconds, on a busy machine too: who finds what they wait for waits no longer than before."""


def expect(what: Any) -> Any:
    """Playwright's. It is imported once there is a browser: that takes a while."""
    from playwright import sync_api

    sync_api.expect.set_options(timeout=PATIENCE * 1000)
    return sync_api.expect(what)


def becomes(look: Callable[[], Seen], wanted: Callable[[Seen], object] | object) -> Seen:
    """Look again and again until it is so, as `expect` does, at what Playwright has no words for: a place, a
    size, the journal. `wanted` is what it comes to, or says whether that is it. Returns what was seen."""
    ends = time.monotonic() + PATIENCE
    while True:
        seen = look()
        if wanted(seen) if callable(wanted) else seen == wanted:
            return seen
        assert time.monotonic() < ends, f"it stays {seen!r}"
        time.sleep(0.05)


PLACES = """async () => {
  await document.fonts.ready;
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  const drawn = [...document.querySelectorAll("#map, #ground, [data-token]")];
  return drawn.map((one) => one.getBoundingClientRect().toJSON());
}"""
"""Where everything stands, two drawings later."""


def watch(page: Page, table: Any, audience: LinkAudience = LinkAudience.PLAYERS) -> None:
    """Look at a table, as it is now. A page that is there already isn't loaded anew."""
    link, body = watch_link(table.url, "the-key-of-this-table", audience), page.locator("body")
    if page.url != link or body.get_attribute("data-connection") != "live":
        page.goto(link)
    expect(body).to_have_attribute("data-connection", "live")
    expect(body).to_have_attribute("data-seen", str(table.store.snapshot(audience)["version"]))
    rests(page)


def open_as_gm(page: Page, url: str) -> None:
    """Open a table by the game master's link."""
    page.goto(f"{url}/?watch={watch_token('the-key-of-this-table', LinkAudience.GM)}")


def rests(page: Page) -> None:
    """Wait until the map lies still: fonts and its size come after its first drawing."""
    seen = [page.evaluate(PLACES)]
    becomes(lambda: page.evaluate(PLACES), lambda now: now == seen.pop() or seen.append(now))


def stop_clock(page: Page) -> None:
    """From now on what a page does after a while waits for `page.clock.run_for`. Its clock has to be
    installed before it is looked at."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 5)


def marker(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-token="{token_id}"]')


def row(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-row="{token_id}"]')
