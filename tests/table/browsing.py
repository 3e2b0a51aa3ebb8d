"""Looking at the table's page in a real browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from strike_table.serve import Audience, watch_link

expect.set_options(timeout=4000)


def watch(page: Page, table: Any, audience: Audience = Audience.PLAYERS) -> None:
    page.goto(watch_link(table.url, "the-key-of-this-table", audience))
    expect(page.locator("body")).to_have_attribute("data-connection", "live")


def marker(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-token="{token_id}"]')


def row(page: Page, token_id: str) -> Locator:
    return page.locator(f'[data-row="{token_id}"]')
