"""Looking at the table's page in a real browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from strike_table.serve import LinkAudience, watch_link

expect.set_options(timeout=15_000)
"""Milliseconds, on a busy machine too: whoever finds what they wait for waits no longer than before."""


def watch(page: Page, table: Any, audience: LinkAudience = LinkAudience.PLAYERS) -> None:
    """Look at a table, as it is now. A page that is there already isn't loaded anew."""
    link, body = watch_link(table.url, "the-key-of-this-table", audience), page.locator("body")
    if page.url != link or body.get_attribute("data-connection") != "live":
        page.goto(link)
    expect(body).to_have_attribute("data-connection", "live")
    expect(body).to_have_attribute("data-seen", str(table.store.snapshot(audience)["version"]))


def marker(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-token="{token_id}"]')


def row(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-row="{token_id}"]')
