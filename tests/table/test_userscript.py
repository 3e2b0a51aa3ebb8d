"""The userscript of docs/serve.md in a real browser, on an empty page at its tabletop's address."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from table.browsing import expect

SITE = "https://www.dndbeyond.com"
DOCUMENT = Path(__file__).parents[2] / "docs" / "serve.md"


@pytest.mark.slow
def test_it_writes_whose_turn_it_is_into_a_page_of_another_site(
    browser: Any, start: Callable[..., Any], scene: dict[str, Any], a_token: Callable[..., dict[str, Any]]
) -> None:
    table = start(origins=[SITE])
    script = re.search(r"```js\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert script is not None
    table.tell("PUT", "scene", scene)
    for id in ("vex", "goblin"):
        table.tell("PUT", f"tokens/{id}", a_token(id=id, name=id.title()))
    put_order(table, "vex")
    context = browser.new_context()
    context.grant_permissions(["local-network-access"], origin=SITE)  # what Chromium asks a person for
    page = context.new_page()
    try:
        page.route(
            f"{SITE}/**", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html")
        )
        page.goto(f"{SITE}/games/1")
        page.evaluate(script[1].replace("http://127.0.0.1:4747", table.url))
        expect(page.locator("body > div")).to_have_text("Vex")
        put_order(table, "goblin")
        expect(page.locator("body > div")).to_have_text("Goblin")
    finally:
        context.close()


def put_order(table: Any, active: str) -> None:
    entries = [{"id": "vex", "initiative": 6}, {"id": "goblin", "initiative": 3}]
    table.tell("PUT", "order", {"round": 1, "active": active, "entries": entries})
