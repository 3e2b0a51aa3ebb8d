"""A random walk: evenings against ten unlike APIs that lose answers, hide behind proxies, restart and forget,
while workers die and a copy of the campaign tells the same. Afterwards each API shows what strike says.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from pathlib import Path

import pytest
from support.evening import Evening
from support.thorough import few_of

from strike_bridge.deliver import push, sync
from strike_bridge.settings import Settings

from .helpers import HASTY, cursor_of, told
from .rest_helpers import hall, settings_for
from .servers.base import Fault, answers, applies_and, cut_short, drops, html, running
from .servers.rest_apis import APIS, Api
from .servers.webhook import SECRET, Receiver
from .test_rest_ten_apis import as_it_should
from .test_storm import Killed, dying_after
from .test_targets_in_storms import is_within, one_thing, results
from .test_what_is_really_there import PAGE

SEEDS = range(int(os.environ.get("WALKS", 25)) if os.environ.get("STRIKE_THOROUGH") else 1)
AWAY: list[Fault] = [answers(502, body=PAGE), answers(503), answers(504), drops, answers(403)]
"""What a proxy says whose server is away, whatever is asked."""
FAULTS: list[Fault] = [
    drops, applies_and(drops), applies_and(cut_short), answers(500), answers(503), applies_and(answers(504)),
    applies_and(html(502)), answers(429), answers(503, {"Retry-After": "0.001"}),
]  # fmt: skip
LOGIN = answers(200, body=PAGE)
"""Nobody tells a login page from an answer that isn't read: Forms has answer = "none"."""
LOOKS_UP = ("Pixels", "JsonRpc")
KEEPS_KEYS = ("Whole", "OAuth")
"""Of these a line arrives once, however many tell it."""


class Walk:
    """One evening at one API."""

    def __init__(self, evening: Evening, server: Api, settings: Settings, rng: random.Random) -> None:
        self.evening, self.server, self.settings, self.rng = evening, server, settings, rng
        self.name = type(server).__name__
        self.pages = [] if self.name == "Forms" else [LOGIN]

    def push(self, folder: Path | None = None) -> None:
        """A worker that may die."""
        with pytest.MonkeyPatch.context() as patch:
            if self.rng.random() < 0.5:
                dying_after(self.rng.randint(1, 25), patch)
            with contextlib.suppress(Killed):
                push(folder or self.evening.folder, self.settings, HASTY._replace(total=0.1))

    def play(self) -> None:
        for _ in range(self.rng.randint(1, 4)):
            one_thing(self.evening, self.rng)

    def faults(self) -> None:
        self.server.faults = self.rng.sample(FAULTS + self.pages, self.rng.randint(0, 4))

    def proxy(self) -> None:
        self.server.always = self.server.gets = self.rng.choice(AWAY + self.pages)
        self.push()
        self.server.always = self.server.gets = None

    def restart(self) -> None:
        """Without loss: what is under way is lost, and nothing else."""
        self.server.faults = [drops]

    def restart_empty(self) -> None:
        """Tokens are gone, ids begin anew; lines stay."""
        self.server.things.clear()
        self.server.count = 0
        if self.name == "Whole":
            self.server.scene["tokens"] = []  # type: ignore[attr-defined]
        self.push()
        sync(self.evening.folder, self.settings, fresh=True)

    def clone(self) -> None:
        """A copy tells what is new, too."""
        if self.name not in (*LOOKS_UP, *KEEPS_KEYS):
            return
        copy = self.evening.folder.with_name("copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.evening.folder, copy)
        self.push(copy)

    def step(self) -> None:
        self.play()
        self.rng.choice(
            [self.faults, self.faults, self.proxy, self.restart, self.restart_empty, self.clone, lambda: None]
        )()
        self.push()


@pytest.mark.parametrize("seed", few_of(SEEDS, 1))
@pytest.mark.parametrize("api", few_of(APIS, 10), ids=lambda api: api.__name__)
def test_a_walk_ends_as_strike_says(
    api: type[Api], seed: int, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(f"{seed} {api.__name__}")
    evening.start()
    with hall(api, monkeypatch) as server:
        settings = settings_for(evening.folder, server)
        told(evening.folder, settings)
        walk = Walk(evening, server, settings, rng)
        for _ in range(8):
            walk.step()
        server.faults = []
        push(evening.folder, settings, HASTY)
        assert not sync(evening.folder, settings, fresh=True).error
        as_it_should(server, evening, settings)
        review = [item["id"] for item in cursor_of(evening.folder, settings).review]
        assert len(review) == len({*review}), "each once"
        assert {id for id in review if ":" in id} == set()
        monkeypatch.setenv("STRIKE_WEBHOOK_SECRET", SECRET)
        with running(Receiver()) as oracle:
            expected = [result["id"] for result in results(evening, oracle)]
        found = server.lines()
        assert is_within(found, expected), "in order, and none twice"
        missing = set(expected) - set(found)
        assert missing <= {*review}
        if walk.name in KEEPS_KEYS:
            assert not missing
