"""Messages to CozyVTT's open pages: chat, the initiative tracker, walking tokens.

Other changes are announced, too, since a page shows them only after it has loaded the map again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from ..journal_results import Post
from ..result_markup import PLAIN, with_number_and_dice
from ..server_clock import earliest_result_time, time_of
from .base import Asking, Conversation, Outcome, Request
from .cozyvtt_campaign import API, CozyCampaign, Tracker, TrackerRow, any_of, find_refusal
from .readers import tables_in
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
    """The part of the target that HTTP can't do, by the pages' own connection."""

    def __init__(self, campaign: CozyCampaign) -> None:
        self._campaign = campaign
        self._target = campaign.target
        self._kept = _NEVER
        """The map's tokens, and when they were read, by the monotonic clock."""

    @property
    def _is_live(self) -> bool:
        return self._target.option("live", bool)

    def only_moved(self, token: ShownToken, before: ShownToken | None) -> bool:
        """Return whether only a token's place has changed, and players see the token.

        Then pages let it walk there.
        """
        if before is None or not self._is_live or self._target.is_out_of_sight(token):
            return False
        return token["position"] != before["position"] and {**before, "position": token["position"]} == token

    def move(self, id: str, to: SquarePayload) -> Conversation:
        """Let a creature's token walk to a square."""
        map, _, theirs = self._target.links[id].rpartition("/")
        moved = {"tokenId": theirs, "mapId": map, "x": to["x"], "y": to["y"]}

        def arrived(event: Event) -> bool:
            return event.name == "token.moved" and all(event.value(key) == moved[key] for key in moved)

        told = yield from self._campaign.socket.ask([["token.move.end", moved]], any_of(arrived=arrived))
        if isinstance(told, Outcome) or any(arrived(event) for event in told):
            return told if isinstance(told, Outcome) else None
        return find_refusal(told)

    def put_order(self, order: ShownOrder) -> Conversation:
        """Show in the tracker the creatures that players see, in our order.

        Where nobody's turn is known, the turn stays as it is.
        """
        if not self._is_live or order["kind"] != "list":
            return None  # turns in any order are told by conditions
        tokens = yield from self._tokens_now()
        if isinstance(tokens, Outcome):
            return tokens
        theirs = {
            entry["id"]: self._target.links.get(entry["id"], "").rpartition("/")[2]
            for entry in order["entries"]
        }
        rows = _rows(tokens, [theirs[entry["id"]] for entry in order["entries"] if not entry.get("hidden")])
        self._target.memory[LINE] = "1"
        return (
            yield from self._arrange(rows, theirs.get(order["active"] or ""), max(1, order["round"] or 1))
        )

    def _arrange(self, rows: Sequence[TrackerRow], active: str | None, round: int) -> Conversation:
        state = yield from self._campaign.standing()
        if not isinstance(state, Outcome):
            people = Tracker(state).people(rows, self._campaign.map, round)
            state = (yield from self._campaign.say(people)) if people else state
        if not isinstance(state, Outcome):
            turn = Tracker(state).turn([row.token for row in rows], active, round)
            state = (yield from self._campaign.say(turn)) if turn else state
        return state if isinstance(state, Outcome) else None

    def send_result(self, post: Post) -> Conversation:
        """Post a result in the chat. Everybody reads it, so secret results are left out."""
        if post.result["secret"] or not self._is_live:
            return None
        line = line_of(post)

        def is_it(event: Event) -> bool:
            return event.name == "chat.message" and event.value("content") == line

        says = [["chat.message", {"content": line, "type": "DM"}]]
        told = yield from self._campaign.socket.ask(says, any_of(arrived=is_it), absolute=False)
        if isinstance(told, Outcome):
            return told
        arrived = next((event for event in told if is_it(event)), None)
        if arrived is None:
            return find_refusal(told)
        self._target.memory[SAID] = str(arrived.value("id", default=""))
        return None

    def was_said(self, post: Post) -> Asking[bool | Outcome]:
        """Look up whether the chat has a result's line, among the lines since our last one."""
        stopped = yield from self._campaign.knock()
        if stopped is not None:
            return stopped
        line = line_of(post)
        for page in range(_PAGES):
            path = f"{API}/{quote(self._campaign.id)}/messages?limit=100&offset={100 * page}"
            answer = yield Request("GET", path)
            found, oldest = (
                tables_in(answer.value("messages")),
                earliest_result_time(post.result["at"], answer.headers),
            )
            for message in found:
                if message.get("id") == self._target.memory.get(SAID, ""):
                    return False
                if message.get("content") == line and time_of(message.get("createdAt")) >= oldest:
                    return True
            if len(found) < 100:
                break
        return False

    def _tokens_now(self) -> Asking[list[Mapping[str, object]] | Outcome]:
        """Read the tokens of the map.

        A recent reading is used again, unless something was sent for them since.
        """
        at, tokens = self._kept
        if time.monotonic() - at < MOMENT:
            return tokens
        found = yield from self._campaign.tokens()
        if not isinstance(found, Outcome):
            self._kept = (time.monotonic(), found)
        return found

    def fall_behind(self) -> None:
        """Note that open pages are now out of date."""
        self._kept = _NEVER
        if self._is_live:
            self._target.memory[BEHIND] = "1"

    @property
    def is_behind(self) -> bool:
        """Whether tokens were sent that open pages don't show yet."""
        return BEHIND in self._target.memory

    def catch_up(self) -> Conversation:
        """Make open pages load the map once more, if it is the one that they show.

        The tracker is brought up to date too.
        """
        stopped = yield from self._campaign.knock()
        if stopped is not None:
            return stopped
        if LINE in self._target.memory:
            standing = yield from self._campaign.standing()
            if isinstance(standing, Outcome):
                return standing
        if self._campaign.map == self._campaign.map_shown:
            shows = [["map.change", {"mapId": self._campaign.map}]]
            told = yield from self._campaign.socket.ask(shows, any_of("map.changed"))
            if isinstance(told, Outcome):
                return told
        if LINE in self._target.memory:
            stopped = yield from self._refresh_tracker()
            if stopped is not None:
                return stopped
        self._target.memory.pop(BEHIND, None)
        return None

    def _refresh_tracker(self) -> Conversation:
        tokens, state = (yield from self._tokens_now()), (yield from self._campaign.standing())
        if isinstance(tokens, Outcome) or isinstance(state, Outcome):
            return tokens if isinstance(tokens, Outcome) else state if isinstance(state, Outcome) else None
        tracker = Tracker(state)
        rows = _rows(tokens, tracker.line)
        if tracker.people(rows, self._campaign.map, tracker.round):
            return (yield from self._arrange(rows, tracker.current, tracker.round))
        return None


def line_of(post: Post) -> str:
    """Return a result as a chat line, with its number, by which it is found again."""
    return with_number_and_dice(post.result, PLAIN, LONGEST)


def _rows(tokens: Sequence[Mapping[str, object]], ids: Sequence[str]) -> list[TrackerRow]:
    """Return the rows of the tokens that players see, in this order."""
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
