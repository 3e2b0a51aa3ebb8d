"""A random walk: evenings of all games against ten APIs that lose answers, hide behind proxies and forget.
Workers die, and a copy of the campaign tells the same. In the end each shows what strike says.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from pathlib import Path

import pytest
from support.evening import Evening
from support.evenings import GAMES, GameEvening, campaign_for
from support.thorough import few_of

from strike_bridge.push_follow_and_sync import push, resend_whole_state
from strike_bridge.settings import Settings
from strike_cli import Problem

from .helpers import HASTY, Killed, cursor_of, told
from .rest_helpers import hall, settings_for
from .servers.base import Fault, answers, applies_and, cut_short, drops, html, running
from .servers.rest_apis import APIS, Api
from .servers.webhook import SECRET, Receiver
from .test_drift import PAGE
from .test_faulty_servers import dying_after
from .test_faulty_targets import is_within, one_thing, results
from .test_rest_ten_apis import as_it_should

PLAYED: list[GameEvening | None] = [*GAMES, None]
"""None: facts that no rule has made, of a fight."""
SEEDS = range(int(os.environ.get("WALKS", len(PLAYED))) if os.environ.get("STRIKE_THOROUGH") else 1)
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


class Facts:
    """Things that happen by no rule."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.folder, self.rng, self.evening = folder, rng, Evening(folder)
        self.evening.start()

    def one_thing(self) -> None:
        one_thing(self.evening, self.rng)


class Played:
    """A game, played at random: options, answers, undo and redo, dice in secret."""

    def __init__(self, folder: Path, rng: random.Random, game: GameEvening) -> None:
        self.folder, self.rng, self.game = folder, rng, game
        self.campaign = campaign_for(game, rng.randrange(1000), folder)
        for line in ("session start", *game.begin):
            self.campaign.play(line)

    def one_thing(self) -> None:
        chance, campaign = self.rng.random(), self.campaign
        with contextlib.suppress(Problem):
            if chance < 0.2:
                campaign.play(self.rng.choice(["undo", "undo 2", "redo"]))
            elif chance < 0.3:
                campaign.play("roll 1d6", secret=self.rng.random() < 0.5)
            elif (waiting := campaign.pending) and chance < 0.9:
                key, decision = self.rng.choice(list(waiting.items()))
                campaign.play("choose", "--for", key, self.rng.choice(decision.options))
            elif options := campaign.options():
                verb = self.rng.choice(sorted({command.words[1] for command in options}))
                chosen = [command for command in options if command.words[1] == verb]
                campaign.play(list(self.rng.choice(chosen).words))
            elif not campaign.scenes:
                campaign.play(self.rng.choice([self.game.begin[0], "roll 1d6"]))
            else:
                campaign.play("next")


class Walk:
    """One evening at one API."""

    def __init__(self, evening: Facts | Played, server: Api, settings: Settings, rng: random.Random) -> None:
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
            self.evening.one_thing()

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
        resend_whole_state(self.evening.folder, self.settings, recreate_tokens=True)

    def clone(self) -> None:
        """A copy, with what was noted of the target or without, tells what is new, too."""
        if self.name not in (*LOOKS_UP, *KEEPS_KEYS):
            return
        copy = self.evening.folder.with_name("copy")
        shutil.rmtree(copy, ignore_errors=True)
        without = shutil.ignore_patterns("bridge") if self.rng.random() < 0.5 else None
        shutil.copytree(self.evening.folder, copy, ignore=without)
        self.push(copy)

    def step(self) -> None:
        self.play()
        self.rng.choice(
            [self.faults, self.faults, self.proxy, self.restart, self.restart_empty, self.clone, lambda: None]
        )()
        self.push()


@pytest.mark.parametrize("seed", few_of(SEEDS, 1))
@pytest.mark.parametrize("api", few_of(APIS, 10), ids=lambda api: api.__name__)
@pytest.mark.slow
def test_a_walk_ends_as_strike_says(
    api: type[Api], seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, folder = random.Random(f"{seed} {api.__name__}"), tmp_path / "evening"
    game = PLAYED[(seed + 2 * APIS.index(api)) % len(PLAYED)]
    evening = Played(folder, rng, game) if game else Facts(folder, rng)
    with hall(api, monkeypatch) as server:
        settings = settings_for(folder, server)
        told(folder, settings)
        walk = Walk(evening, server, settings, rng)
        for _ in range(8):
            walk.step()
        server.faults = []
        push(folder, settings, HASTY)
        assert not resend_whole_state(folder, settings, recreate_tokens=True).error
        as_it_should(server, folder, settings)
        review = [item["id"] for item in cursor_of(folder, settings).review]
        assert len(review) == len({*review}), "each once"
        assert {id for id in review if ":" in id} == set()
        monkeypatch.setenv("STRIKE_WEBHOOK_SECRET", SECRET)
        with running(Receiver()) as oracle:
            expected = [result["id"] for result in results(folder, oracle)]
        found = server.lines()
        assert is_within(found, expected), "in order, and none twice"
        missing = set(expected) - set(found)
        assert missing <= {*review}
        if walk.name in KEEPS_KEYS:
            assert not missing
