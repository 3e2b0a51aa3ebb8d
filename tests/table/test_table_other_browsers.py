"""The page in Firefox and in WebKit. `make browsers` runs it: starting them is too dear for every day."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from strike_table.serve import watch_link

from .other_browsers import Browser, firefox, webkit

pytestmark = pytest.mark.skipif(
    os.environ.get("STRIKE_OTHER_BROWSERS") != "1", reason="make browsers runs it"
)

TOKEN = '[data-token="vex"]'
LIVE = "document.body.dataset.connection === 'live'"


@pytest.fixture(scope="module", params=[firefox, webkit], ids=["firefox", "webkit"])
def window(request: pytest.FixtureRequest) -> Iterator[Browser]:
    with request.param() as browser:
        yield browser


@pytest.fixture
def seen(window: Browser, table: Any, scene: dict[str, Any]) -> Browser:
    """A fight that is on the table, and looked at."""
    table.tell("PUT", "scene", scene)
    table.token(statuses=["Prone"])
    table.token("goblin", side="enemies", position={"x": 5, "y": 3})
    order = {"round": 1, "active": "vex", "next": ["goblin"], "entries": [{"id": "vex"}, {"id": "goblin"}]}
    table.tell("PUT", "order", order)
    window.open(watch_link(table.url, "the-key-of-this-table"))
    window.wait(LIVE)
    window.wait(f"document.querySelector('{TOKEN}')")
    return window


@pytest.mark.parametrize("size", [(1366, 768), (500, 844)])
def test_all_of_a_fight_is_there_and_fits(seen: Browser, size: tuple[int, int]) -> None:
    seen.resize(*size)
    seen.wait("document.documentElement.scrollWidth <= innerWidth")
    for part in (TOKEN, '[data-row="goblin"]', "#now", "#next", "#feed-heading"):
        box = seen.run(f"return document.querySelector('{part}').getBoundingClientRect().toJSON()")
        assert box["width"] > 0
        assert 0 <= box["left"] < size[0]
        assert 0 <= box["top"] < size[1]
    assert seen.run("return document.querySelector('#next').textContent") == "then Goblin"


def test_letters_stand_in_the_middle_of_their_marker(seen: Browser) -> None:
    middles = seen.run(
        """return [".short", ".disc"].map((part) => {
          const shown = document.querySelector(`[data-token="goblin"] ${part}`);
          const { top, height } = shown.getBoundingClientRect();
          return [top + height / 2, height];
        })"""
    )
    (words, _), (disc, height) = middles
    assert abs(words - disc) < height * 0.09


def test_what_happens_arrives_and_is_seen(seen: Browser, table: Any) -> None:
    table.token(position={"x": 5, "y": 1})
    seen.wait(f"document.querySelector('{TOKEN}').dataset.x === '5'")
    effects = [{"kind": "hurt", "id": "goblin", "amount": 3}]
    table.result(1, play={"effects": effects, "lines": [{"text": "A hit."}]})
    seen.wait("document.querySelector('.effect-words')?.textContent === '−3'")
    seen.wait("document.querySelectorAll('#tray .thrown').length === 2")
    seen.wait("document.querySelector('[data-result]').textContent.includes('A hit.')")
    table.tell("DELETE", "scene")
    seen.wait("!document.querySelector('#calm').hidden")
