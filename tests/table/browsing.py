"""Looking at the table's page in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strike_table.serve import LinkAudience, watch_link

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def expect(what: Any) -> Any:
    """Playwright's. It is imported once there is a browser: that takes a while."""
    from playwright import sync_api

    # Milliseconds, on a busy machine too: whoever finds what they wait for waits no longer than before.
    sync_api.expect.set_options(timeout=15_000)
    return sync_api.expect(what)


PLACES = (
    "[...document.querySelectorAll('#map, [data-token]')].map((one) => one.getBoundingClientRect().toJSON())"
)


def watch(page: Page, table: Any, audience: LinkAudience = LinkAudience.PLAYERS) -> None:
    """Look at a table, as it is now. A page that is there already isn't loaded anew."""
    link, body = watch_link(table.url, "the-key-of-this-table", audience), page.locator("body")
    if page.url != link or body.get_attribute("data-connection") != "live":
        page.goto(link)
    expect(body).to_have_attribute("data-connection", "live")
    expect(body).to_have_attribute("data-seen", str(table.store.snapshot(audience)["version"]))
    _rests(page)


def _rests(page: Page) -> None:
    """Wait until the map lies still, two seconds at most: fonts and its size come after its first drawing."""
    before = None
    for _ in range(40):
        now = page.evaluate(PLACES)
        if now == before:
            return
        before = now
        page.wait_for_timeout(50)


def marker(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-token="{token_id}"]')


def row(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-row="{token_id}"]')
