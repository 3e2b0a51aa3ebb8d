"""Ranges for the table's page: a token's reach, and the squares of a fogged map in the party's sight.

They are computed on request. The bridge knows facts but no rules, so the table's server asks this process.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from strike_cli.campaign import Campaign
from strike_cli.campaign.change_stamp import journal_and_state_stamp
from strike_cli.content.merged_content import Book
from strike_cli.kernel.procedure import World
from strike_cli.problems import Problem
from strike_cli.registry import systems_by_scene_key
from strike_cli.tabletop.grid import Square
from strike_cli.terminal.system_views import views_of
from strike_cli.visibility.audience_view import AudienceView, make_audience_view
from strike_cli.visibility.audiences import GM, PLAYERS, may_know_move_and_attack_ranges

Payload = dict[str, object]
UNKNOWN: list[Payload] = []
"""The entry for squares in sight that nobody has asked for yet."""
MOST = 200
"""The most answers stored until the campaign changes."""


class RangeFinder:
    """A cache of the squares that people in a campaign can reach, attack or see.

    The squares are computed when they are asked for. When the campaign changes, the cache is emptied.
    """

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
        """Return the squares to which a combatant may move, and the squares that it may attack.

        They are for the game master's page if `gm` is true, otherwise for the players'. Returns None if there
        is nothing to show, if that audience may not know the squares, or if the campaign can't be read.
        """
        with self._lock:
            try:
                self._read_if_changed()
            except Problem:  # somebody may be in the middle of an edit
                return None
            key = character, gm
            if key not in self._found:
                if len(self._found) >= MOST:
                    self._found.clear()
                self._found[key] = self._find_ranges(character, self._views[gm])
            return self._found[key]

    def squares_in_party_sight(self) -> list[Payload] | None:
        """Return the squares that the party sees now, on the newest map with fog.

        Squares that the fog still covers are left out. Returns None if no map has fog, or if the squares
        can't be computed.
        """
        with self._lock:
            try:
                self._read_if_changed()
            except Problem:
                return None
            if self._sight is UNKNOWN:
                self._sight = self._find_squares_in_sight_if_fogged()
            return self._sight

    def _find_squares_in_sight_if_fogged(self) -> list[Payload] | None:
        view = self._views[True]
        for scene in reversed(view.scenes):
            if scene.board and scene.board.seen is not None:
                try:
                    squares = views_of(systems_by_scene_key()[scene.key]).in_sight(
                        self._world_known_to_audience(view)
                    )
                except Exception:  # a system that fails must not stop the page
                    return None
                return _squares_as_json(sorted(scene.board.seen.intersection(squares)))
        return None

    def _read_if_changed(self) -> None:
        now = journal_and_state_stamp(self._folder)
        if self._book is None or now != self._seen:
            with Campaign(self._folder) as campaign:
                self._book = campaign.book
                self._views = {each.gm: make_audience_view(campaign.state, each) for each in (GM, PLAYERS)}
            self._seen = now
            self._found.clear()
            self._sight = UNKNOWN

    def _find_ranges(self, character: str, view: AudienceView) -> Payload | None:
        for scene in reversed(view.scenes):
            one = scene.people.get(character)
            if one is None or not scene.board or not may_know_move_and_attack_ranges(one, view.audience):
                continue
            try:
                found = views_of(systems_by_scene_key()[scene.key]).ranges(
                    self._world_known_to_audience(view), character
                )
            except Exception:  # a system that fails over what players know must not stop the page
                return None
            return (
                {"moves": _squares_as_json(found.moves), "attacks": _squares_as_json(found.attacks)}
                if found
                else None
            )
        return None

    def _world_known_to_audience(self, view: AudienceView) -> World:
        assert self._book is not None
        return World(self._book, view.known_state)


def _squares_as_json(squares: Sequence[Square]) -> list[Payload]:
    return [{"x": x, "y": y} for x, y in squares]
