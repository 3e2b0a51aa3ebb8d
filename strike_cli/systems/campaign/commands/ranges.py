"""Ranges for the table's page: a token's reach on the map, and the fogged squares in the party's sight.

Computed on request. The bridge knows facts and no rules, so it asks the process that serves the table.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from strike_cli.campaign import Campaign
from strike_cli.campaign.stamp import stamp
from strike_cli.kernel.procedure import World
from strike_cli.problems import Problem
from strike_cli.registry import scene_systems
from strike_cli.registry.scenes import scenes_of
from strike_cli.tabletop.grid import Square
from strike_cli.tabletop.scene import Scene
from strike_cli.terminal.views import views_of
from strike_cli.visibility.audience import GM, PLAYERS, Audience, may_know_ranges
from strike_cli.visibility.known_state import known_state
from strike_cli.visibility.scenes import scene_for

Payload = dict[str, object]
UNKNOWN: list[Payload] = []
"""What stands for a sight that nobody has asked for yet."""
MOST = 200
"""Answers that are kept until the campaign is another."""


class RangeFinder:
    """Answers for one campaign, which it reads again when it has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._seen: object = None
        self._world: World | None = None
        self._found: dict[tuple[str, bool], Payload | None] = {}
        self._sight: list[Payload] | None = UNKNOWN

    def __call__(self, who: str, *, gm: bool) -> Payload | None:
        """Return the squares that somebody may go to and attack.

        None means that there is nothing to show, or that the audience may not know.
        """
        with self._lock:
            try:
                self._read()
            except Problem:  # somebody may be in the middle of an edit
                return None
            key = who, gm
            if key not in self._found:
                if len(self._found) >= MOST:
                    self._found.clear()
                self._found[key] = self._find(who, GM if gm else PLAYERS)
            return self._found[key]

    def in_sight(self) -> list[Payload] | None:
        """Return the squares of the newest map with fog that the party sees now.

        None means that there is no such map, or that it can't be found out.
        """
        with self._lock:
            try:
                self._read()
            except Problem:
                return None
            if self._sight is UNKNOWN:
                self._sight = self._find_sight()
            return self._sight

    def _find_sight(self) -> list[Payload] | None:
        assert self._world is not None
        for scene in reversed(scenes_of(self._world.state)):
            if scene.board and scene.board.seen is not None:
                try:
                    squares = views_of(scene_systems()[scene.key]).in_sight(self._world)
                except Exception:  # a system that fails must not stop the page
                    return None
                return _places(sorted(scene.board.seen.intersection(squares)))
        return None

    def _read(self) -> None:
        now = stamp(self._folder)
        if self._world is None or now != self._seen:
            with Campaign(self._folder) as campaign:
                self._world = World(campaign.book, campaign.state)
            self._seen = now
            self._found.clear()
            self._sight = UNKNOWN

    def _find(self, who: str, audience: Audience) -> Payload | None:
        assert self._world is not None
        for scene in reversed(scenes_of(self._world.state)):
            seen = scene_for(scene, audience)
            if who in seen.people and seen.board and may_know_ranges(seen.people[who], audience):
                return self._of(scene, who, audience)
        return None

    def _of(self, scene: Scene, who: str, audience: Audience) -> Payload | None:
        assert self._world is not None
        system = scene_systems()[scene.key]
        world = self._world
        if not audience.gm:
            world = World(world.book, known_state(world.state))
        try:
            found = views_of(system).ranges(world, who)
        except Exception:  # a system that fails over what players know must not stop the page
            return None
        if found is None:
            return None
        return {"moves": _places(found.moves), "attacks": _places(found.attacks)}


def _places(squares: Sequence[Square]) -> list[Payload]:
    return [{"x": x, "y": y} for x, y in squares]
