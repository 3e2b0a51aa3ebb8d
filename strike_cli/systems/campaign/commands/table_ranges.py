"""Ranges for the table's page: a token's reach on the map, and the fogged squares in the party's sight.

Computed on request. The bridge knows facts and no rules, so it asks the process that serves the table.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from strike_cli.campaign import Campaign
from strike_cli.campaign.change_stamp import campaign_stamp
from strike_cli.content.book import Book
from strike_cli.kernel.procedure import World
from strike_cli.problems import Problem
from strike_cli.registry import scene_systems
from strike_cli.tabletop.grid import Square
from strike_cli.terminal.views import views_of
from strike_cli.visibility.audience import GM, PLAYERS, may_know_ranges
from strike_cli.visibility.audience_view import AudienceView, view_for

Payload = dict[str, object]
UNKNOWN: list[Payload] = []
"""The entry for squares in sight that nobody has asked for yet."""
MOST = 200
"""The most answers stored until the campaign changes."""


class RangeFinder:
    """Cached answers for one campaign, which is read again when it has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._seen: object = None
        self._book: Book | None = None
        self._views: dict[bool, AudienceView] = {}
        """The views of the campaign: the game master's, and the players'."""
        self._found: dict[tuple[str, bool], Payload | None] = {}
        self._sight: list[Payload] | None = UNKNOWN

    def __call__(self, character: str, *, gm: bool) -> Payload | None:
        """Return the squares that somebody may go to and attack.

        None means that there is nothing to show, or that the audience may not know.
        """
        with self._lock:
            try:
                self._read()
            except Problem:  # somebody may be in the middle of an edit
                return None
            key = character, gm
            if key not in self._found:
                if len(self._found) >= MOST:
                    self._found.clear()
                self._found[key] = self._find(character, self._views[gm])
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
        view = self._views[True]
        for scene in reversed(view.scenes):
            if scene.board and scene.board.seen is not None:
                try:
                    squares = views_of(scene_systems()[scene.key]).in_sight(self._world(view))
                except Exception:  # a system that fails must not stop the page
                    return None
                return _places(sorted(scene.board.seen.intersection(squares)))
        return None

    def _read(self) -> None:
        now = campaign_stamp(self._folder)
        if self._book is None or now != self._seen:
            with Campaign(self._folder) as campaign:
                self._book = campaign.book
                self._views = {each.gm: view_for(campaign.state, each) for each in (GM, PLAYERS)}
            self._seen = now
            self._found.clear()
            self._sight = UNKNOWN

    def _find(self, character: str, view: AudienceView) -> Payload | None:
        for scene in reversed(view.scenes):
            one = scene.people.get(character)
            if one is None or not scene.board or not may_know_ranges(one, view.audience):
                continue
            try:
                found = views_of(scene_systems()[scene.key]).ranges(self._world(view), character)
            except Exception:  # a system that fails over what players know must not stop the page
                return None
            return {"moves": _places(found.moves), "attacks": _places(found.attacks)} if found else None
        return None

    def _world(self, view: AudienceView) -> World:
        assert self._book is not None
        return World(self._book, view.state)


def _places(squares: Sequence[Square]) -> list[Payload]:
    return [{"x": x, "y": y} for x, y in squares]
