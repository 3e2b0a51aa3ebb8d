"""Messages to CozyVTT's open pages: chat, the initiative tracker, and tokens that walk.

A page shows any other change only after it has loaded the map again, so the page is told to load it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from ..journal_results import Post
from ..result_markup import PLAIN, text_with_number_and_dice
from ..server_clock import earliest_server_time_of_result, parse_time_or_year_2000
from .answers_and_pixel_grid import tables_in
from .base import Asking, Conversation, Outcome, Request
from .cozyvtt_campaign import API, CozyCampaign, Tracker, TrackerRow, event_or_refusal_test, refusal_outcome
from .socket_io import MOMENT, Event

if TYPE_CHECKING:
    from strike_table.schemas import SquarePayload

    from ..payloads import ShownOrder, ShownToken


BEHIND, LINE, SAID = "behind", "tracker", "said"
"""Keys of the target's memory: that open pages are out of date, that the tracker is ours, and the last order
shown."""
LONGEST = 2000
"""The maximum number of characters in a chat line."""
_PAGES = 5
"""The maximum number of pages of the chat that are searched for a line."""


_NEVER: tuple[float, list[Mapping[str, object]]] = (-math.inf, [])


class CozyPages:
    """The part of the CozyVTT target that uses the connection of CozyVTT's own pages.

    It does what the HTTP interface doesn't offer, such as letting a token walk.
    """

    def __init__(self, campaign: CozyCampaign) -> None:
        self._campaign = campaign
        self._target = campaign.target
        self._kept = _NEVER
        """The map's tokens, and when they were read, by the monotonic clock."""

    def can_be_shown_walking(self, token: ShownToken, before: ShownToken | None) -> bool:
        """Return whether a token can be shown walking on open pages.

        It can if only its position has changed since `before`, and if players see the token. The result is
        False for a new token (`before` is None), and if the target's option `live` is off.
        """
        if before is None or not self._is_option_live_on or self._target.is_out_of_sight(token):
            return False
        return token["position"] != before["position"] and {**before, "position": token["position"]} == token

    @property
    def _is_option_live_on(self) -> bool:
        return self._target.option("live", bool)

    def walk_token(self, id: str, to: SquarePayload) -> Conversation:
        """Let a creature's token walk to a square on open pages."""
        map, _, theirs = self._target.links[id].rpartition("/")
        moved = {"tokenId": theirs, "mapId": map, "x": to["x"], "y": to["y"]}

        def arrived(event: Event) -> bool:
            return event.name == "token.moved" and all(event.value(key) == moved[key] for key in moved)

        told = yield from self._campaign.socket.send_and_read(
            [["token.move.end", moved]], event_or_refusal_test(or_arrived=arrived)
        )
        if isinstance(told, Outcome) or any(arrived(event) for event in told):
            return told if isinstance(told, Outcome) else None
        return refusal_outcome(told)

    def put_order(self, order: ShownOrder) -> Conversation:
        """Fill the target's tracker with the creatures that players see, in the order of our turns.

        If it is nobody's turn, the tracker's round and turn stay as they are. Nothing is shown if the option
        `live` is off, or if turns have no fixed order in this game.
        """
        if not self._is_option_live_on or order["kind"] != "list":
            return None  # turns in any order are told by conditions
        tokens = yield from self._map_tokens_read_just_now()
        if isinstance(tokens, Outcome):
            return tokens
        theirs = {
            entry["id"]: self._target.links.get(entry["id"], "").rpartition("/")[2]
            for entry in order["entries"]
        }
        rows = _visible_rows(
            tokens, [theirs[entry["id"]] for entry in order["entries"] if not entry.get("hidden")]
        )
        self._target.memory[LINE] = "1"
        return (
            yield from self._update_tracker(
                rows, theirs.get(order["active"] or ""), max(1, order["round"] or 1)
            )
        )

    def _update_tracker(self, rows: Sequence[TrackerRow], active: str | None, round: int) -> Conversation:
        state = yield from self._campaign.tracker_state()
        if not isinstance(state, Outcome):
            people = Tracker(state).events_for_people_unapplied(rows, self._campaign.map, round)
            state = (yield from self._campaign.send_tracker_events(people)) if people else state
        if not isinstance(state, Outcome):
            turn = Tracker(state).events_for_turn([row.token for row in rows], active, round)
            state = (yield from self._campaign.send_tracker_events(turn)) if turn else state
        return state if isinstance(state, Outcome) else None

    def send_public_result(self, post: Post) -> Conversation:
        """Post a result in the chat, if the option `live` is on.

        Everybody reads the chat, so a secret result isn't posted.
        """
        if post.result["secret"] or not self._is_option_live_on:
            return None
        line = chat_line(post)

        def is_our_line(event: Event) -> bool:
            return event.name == "chat.message" and event.value("content") == line

        says = [["chat.message", {"content": line, "type": "DM"}]]
        told = yield from self._campaign.socket.send_and_read(
            says, event_or_refusal_test(or_arrived=is_our_line), absolute=False
        )
        if isinstance(told, Outcome):
            return told
        arrived = next((event for event in told if is_our_line(event)), None)
        if arrived is None:
            return refusal_outcome(told)
        self._target.memory[SAID] = str(arrived.value("id", default=""))
        return None

    def recent_chat_has_result(self, post: Post) -> Asking[bool | Outcome]:
        """Ask the server whether the newest chat lines include the line of a result.

        The chat is read backwards, at most `_PAGES` pages of it. Reading stops at the last line that the
        bridge has recorded as its own.
        """
        stopped = yield from self._campaign.find_map_or_refuse()
        if stopped is not None:
            return stopped
        line = chat_line(post)
        for page in range(_PAGES):
            path = f"{API}/{quote(self._campaign.id)}/messages?limit=100&offset={100 * page}"
            answer = yield Request("GET", path)
            found, oldest = (
                tables_in(answer.value("messages")),
                earliest_server_time_of_result(post.result["at"], answer.headers),
            )
            for message in found:
                if message.get("id") == self._target.memory.get(SAID, ""):
                    return False
                if (
                    message.get("content") == line
                    and parse_time_or_year_2000(message.get("createdAt")) >= oldest
                ):
                    return True
            if len(found) < 100:
                break
        return False

    def _map_tokens_read_just_now(self) -> Asking[list[Mapping[str, object]] | Outcome]:
        """Return the map's tokens, at most a moment old.

        If they were read less than MOMENT ago, they are returned from memory. Otherwise the server is asked
        for them. The server is also asked if a token was changed since.
        """
        at, tokens = self._kept
        if time.monotonic() - at < MOMENT:
            return tokens
        found = yield from self._campaign.read_map_tokens()
        if not isinstance(found, Outcome):
            self._kept = (time.monotonic(), found)
        return found

    def mark_pages_outdated(self) -> None:
        """Note that a token was changed, so that open pages are out of date."""
        self._kept = _NEVER
        if self._is_option_live_on:
            self._target.memory[BEHIND] = "1"

    @property
    def open_pages_are_outdated(self) -> bool:
        """Whether open pages don't show some changed tokens yet."""
        return BEHIND in self._target.memory

    def update_pages_and_tracker(self) -> Conversation:
        """Make open pages that show the map load it again, and update the tracker."""
        stopped = yield from self._campaign.find_map_or_refuse()
        if stopped is not None:
            return stopped
        if LINE in self._target.memory:
            standing = yield from self._campaign.tracker_state()
            if isinstance(standing, Outcome):
                return standing
        if self._campaign.map == self._campaign.map_shown:
            shows = [["map.change", {"mapId": self._campaign.map}]]
            told = yield from self._campaign.socket.send_and_read(shows, event_or_refusal_test("map.changed"))
            if isinstance(told, Outcome):
                return told
        if LINE in self._target.memory:
            stopped = yield from self._update_tracker_if_outdated()
            if stopped is not None:
                return stopped
        self._target.memory.pop(BEHIND, None)
        return None

    def _update_tracker_if_outdated(self) -> Conversation:
        tokens, state = (
            (yield from self._map_tokens_read_just_now()),
            (yield from self._campaign.tracker_state()),
        )
        if isinstance(tokens, Outcome) or isinstance(state, Outcome):
            return tokens if isinstance(tokens, Outcome) else state if isinstance(state, Outcome) else None
        tracker = Tracker(state)
        rows = _visible_rows(tokens, tracker.order)
        if tracker.events_for_people_unapplied(rows, self._campaign.map, tracker.round):
            return (yield from self._update_tracker(rows, tracker.current, tracker.round))
        return None


def chat_line(post: Post) -> str:
    """Return a result as a line for the chat.

    The line begins with the result's number, so that the bridge can find the line again later.
    """
    return text_with_number_and_dice(post.result, PLAIN, LONGEST)


def _visible_rows(tokens: Sequence[Mapping[str, object]], ids: Sequence[str]) -> list[TrackerRow]:
    """Return tracker rows for the tokens in `ids` that players see, in the order of `ids`."""
    seen = {str(token.get("id")): token for token in tokens if token.get("visible", True)}
    return [
        TrackerRow(
            id,
            str(seen[id].get("name", "")),
            cast("Mapping[str, object] | None", seen[id].get("hp")),
            cast("int | None", seen[id].get("initiative")),
        )
        for id in dict.fromkeys(ids)
        if id in seen
    ]
