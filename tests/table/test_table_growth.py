"""A page that is open for evenings on end is no larger after them: it is sent a hundred thousand updates.

Only with `STRIKE_THOROUGH=1`: 100,000 of them, or as many as SOAK_MINUTES, by default ten, are enough for.
"""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from support.soak import SEED
from support.thorough import THOROUGH

from strike_table import schemas
from strike_table.serve import LinkAudience
from strike_table.table_store import TableStore

from .browsing import watch

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

SECONDS = 60 * float(os.environ.get("SOAK_MINUTES", 10))
MOST = 100_000
AT_A_TIME = 200
"""Updates between two looks at whether the page has them: no more than a table keeps for who is behind."""
FILLED = 2_000
"""Updates until the page has all that it keeps of what happened, 500 results."""
PASSED = 4_000
"""Milliseconds after which dice and blows have passed."""
CREATURES = 8

ROOM = (1_000_000, 300, 30)
"""What a size may differ by besides a tenth: how many lie about at a moment is chance."""
STATUSES = ("Prone", "Dazed", "Burning 2", "Flying", "Odd thing")


class Size(NamedTuple):
    """What a page takes once its garbage is collected: bytes, nodes, listeners."""

    heap: int
    nodes: int
    listeners: int


def _size(session: CDPSession) -> Size:
    for _ in range(2):  # what the first makes free may hold more
        session.send("HeapProfiler.collectGarbage")
    told = {each["name"]: int(each["value"]) for each in session.send("Performance.getMetrics")["metrics"]}
    return Size(told["JSHeapUsedSize"], told["Nodes"], told["JSEventListeners"])


class Evening:
    """An evening that never ends: creatures that move, are hurt, come and go; turns; rolls; the map anew. It
    goes by the store itself, to be quick."""

    def __init__(self, store: TableStore, scene: dict[str, Any], a_token: Any, a_result: Any) -> None:
        self.store, self.sent = store, 0
        self._scene, self._token, self._result = scene, a_token, a_result
        self._rng = random.Random(SEED)

    def update(self) -> None:
        self.sent += 1
        deeds = (self._creature, self._roll, self._turn, self._leaving, self._map)
        self._rng.choices(deeds, (50, 35, 9, 5, 1))[0](f"rat-{self._rng.randrange(CREATURES)}")

    def _creature(self, who: str) -> None:
        place = {"x": self._rng.randrange(1, 7), "y": self._rng.randrange(1, 4)}
        hp, statuses = {"value": self._rng.randrange(11), "max": 10}, self._rng.sample(STATUSES, 2)
        body = self._token(who, position=place, hp=hp, statuses=statuses)
        self.store.put_token(schemas.read_token(body, who))

    def _roll(self, who: str) -> None:
        scene, turn = self._scene["id"], self.sent // 20
        began = {"scene": scene, "round": turn // CREATURES, "who": who, "name": who, "side": "party"}
        effects = [{"kind": "hurt", "id": who, "amount": 2, "words": "", "path": []}]
        play = {"turn": began, "lines": [{"text": f"{who} is hurt", "style": ""}], "effects": effects}
        self.store.add_or_replace_result(schemas.read_result(self._result(self.sent, play=play)))

    def _turn(self, who: str) -> None:
        body = {"round": self.sent // 100 + 1, "active": who, "entries": [{"id": who, "initiative": 1}]}
        self.store.put_order(schemas.read_order(body))

    def _leaving(self, who: str) -> None:
        self.store.remove_token(who)

    def _map(self, who: str) -> None:
        self.store.put_scene_and_delete_old_images(
            schemas.read_scene(self._scene | {"goal": f"Hold it from {who}, {self.sent}"})
        )


@pytest.mark.skipif(not THOROUGH, reason="takes minutes: `make soak`")
def test_a_page_does_not_grow_with_updates(
    page: Page,
    table: Any,
    scene: dict[str, Any],
    a_token: Any,
    a_result: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it takes after the first few thousand, when it has all that it keeps, it takes after all."""
    ends = time.monotonic() + SECONDS
    # Without the disk, of which the page knows nothing.
    monkeypatch.setattr("strike_table.table_store._save_contents", lambda path, contents: None)
    table.tell("PUT", "scene", scene)
    watch(page, table)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    evening = Evening(table.store, scene, a_token, a_result)

    def play_until(count: int) -> Size:
        """Go on until so many are sent, or the time is over."""
        while evening.sent < count and time.monotonic() < ends:
            for _ in range(AT_A_TIME):
                evening.update()
            version = str(evening.store.snapshot(LinkAudience.PLAYERS)["version"])
            seen = "(version) => document.body.dataset.seen === version"
            page.wait_for_function(seen, arg=version, timeout=30_000)
        page.wait_for_timeout(PASSED)
        return _size(session)

    start = play_until(FILLED)
    end = play_until(MOST)
    session.detach()
    print(f"\n  {evening.sent:,} updates, {evening.sent - FILLED:,} of them between:")
    for what, before, after in zip(Size._fields, start, end, strict=True):
        print(f"  {what:<10} {before:>12,} {after:>12,}")
    assert evening.sent > FILLED, "no time to see whether it grows"
    for what, before, after, room in zip(Size._fields, start, end, ROOM, strict=True):
        assert after <= before * 1.1 + room, f"{what} have grown from {before:,} to {after:,}"
