"""The campaign in CozyVTT that a target uses: map, turn order, and the pages' connection."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast
from urllib.parse import quote

from .answers_and_pixel_grid import tables_in
from .base import Asking, Outcome, OutcomeKind, Request, Target
from .socket_io import MOMENT, Event, EventsTest, SocketIO

STATE, REQUEST = "initiative.state", "initiative.request_state"
EventToSend = list[object]


class TrackerRow(NamedTuple):
    """A row of the initiative tracker: a creature's token, and the values that the tracker copies from it."""

    token: str
    name: str
    hp: Mapping[str, object] | None
    initiative: int | None


class Tracker:
    """A copy of the initiative tracker's state, for finding the events that lead to a wanted state.

    `events_to_send` has the events to send. Each of them is also applied to this copy, as the server will do.
    The events that `events_for_people_unapplied` returns are not.
    """

    def __init__(self, state: Mapping[str, object]) -> None:
        rows = state.get("combatants")
        self.rows = {
            str(row.get("tokenId")): row for row in rows or () if isinstance(row, Mapping)
        } if isinstance(rows, list) else {}  # fmt: skip
        self.order = list(self.rows)
        self.begun = bool(state.get("active"))
        self.round = int(cast("int", state.get("round") or 0))
        self.current = cast("str | None", state.get("currentTokenId"))
        self.events_to_send: list[EventToSend] = []

    def events_for_people_unapplied(
        self, rows: Sequence[TrackerRow], map_id: str, round: int
    ) -> list[EventToSend]:
        """Return the events that make the tracker list exactly the people in `rows`, on the map `map_id`.

        The tracker copies name, HP and initiative only when a person is added. So a person whose row has
        changed is removed and added again. The tracker can't go back to an earlier round. So if it is in a
        later round than `round`, it is ended and filled anew.
        """
        wanted = {row.token: row for row in rows}
        if self.begun and self.round > round:
            return [["initiative.end"], *(_event_adding_token(id, map_id) for id in wanted)]
        stale = [id for id, row in self.rows.items() if id not in wanted or not _matches_row(wanted[id], row)]
        new = [id for id in wanted if id not in self.rows or id in stale]
        gone: list[EventToSend] = [["initiative.remove", {"tokenId": id}] for id in stale]
        return [*gone, *(_event_adding_token(id, map_id) for id in new)]

    def events_for_turn(
        self, wanted_order: Sequence[str], active: str | None, round: int
    ) -> list[EventToSend]:
        """Return the events that put the rows in the wanted order, and set the round and the turn.

        The turn is given to `active`. If `active` is None or has no row, the round and the turn stay as they
        are.
        """
        wanted_order = [id for id in wanted_order if id in self.rows]
        if active in wanted_order:
            self._give_turn(str(active), wanted_order, round)
        self._reorder(wanted_order)
        return self.events_to_send

    def _give_turn(self, active: str, wanted_order: list[str], round: int) -> None:
        if not self.begun:
            self._reorder([active, *(id for id in wanted_order if id != active)])
            self.begun, self.round, self.current = True, 1, self.order[0]
            self.events_to_send.append(["initiative.start"])
        while self.round < round:  # the acting creature is moved to the end, and the round is over
            others = [id for id in self.order if id not in (active, self.current)]
            last = [id for id in self.order if id == self.current]
            self._reorder([*([] if active in last else [active]), *others, *last])
            self._advance_turn()
        if self.current != active:
            if self._next_token_this_round() != active:
                rest = [id for id in self.order if id not in (active, self.current)]
                self._reorder([*(id for id in self.order if id == self.current), active, *rest])
            self._advance_turn()

    def _next_token_this_round(self) -> str | None:
        """Return the token whose turn is next in this round; None at the round's end."""
        at = self.order.index(self.current) + 1 if self.current in self.order else 0
        return self.order[at] if at < len(self.order) else None

    def _reorder(self, wanted_order: Sequence[str]) -> None:
        if self.order != list(wanted_order):
            self.order = list(wanted_order)
            self.events_to_send.append(["initiative.reorder", {"orderedTokenIds": self.order}])

    def _advance_turn(self) -> None:
        following = self._next_token_this_round()
        if following is None:
            self.round += 1
        self.current = following or self.order[0]
        self.events_to_send.append(["initiative.next"])


def _event_adding_token(id: str, map: str) -> EventToSend:
    return ["initiative.add", {"tokenId": id, "mapId": map}]


def _matches_row(wanted: TrackerRow, row: Mapping[str, object]) -> bool:
    shown = (row.get("name"), row.get("hp"), row.get("initiative"))
    return shown == (wanted.name, wanted.hp, wanted.initiative)


API = "/api/campaigns"
ERROR = "error"
METADATA_KEY = "strike"


class CozyCampaign:
    """The campaign and the map in CozyVTT that the target uses.

    It also has a live connection (Socket.IO), as CozyVTT's own pages have.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self.id = self.map = self.map_name = self.map_shown = ""
        self._looked = -math.inf
        """When it was last asked for its campaigns, by the monotonic clock."""
        self._state: tuple[float, Mapping[str, object]] = (-math.inf, {})
        """The tracker's last reported state, and when it was reported."""
        self.socket = SocketIO(
            target,
            "/socket.io/",
            knock=self.find_map_or_refuse,
            greet=self._enter_room,
            nudge=[REQUEST],
            nudged=STATE,
            welcome="connected",
        )

    def path_of_map_in_use(self) -> Asking[str]:
        """Return the path of the map that the settings name, or otherwise of the map that players see.

        It is "" if the map is unknown.
        """
        if not self.map:
            yield from self._find_campaign_and_map()
        return self.path_of_map(self.map)

    def _find_campaign_and_map(self) -> Asking[None]:
        """Ask CozyVTT for the campaign and for the map that players see, and store their ids.

        If the map to use isn't known yet, find it, too. If the last answer is only moments old and the map is
        known, ask nothing.
        """
        if self.map and time.monotonic() - self._looked < MOMENT:
            return
        named = self.target.option("campaign", str)
        answer = yield Request("GET", API)
        self._looked = time.monotonic()
        if answer.planned:
            self.id, self.map = named or "<campaign>", self.target.option("map", str) or "<map>"
        led = [each for each in tables_in(answer.value("campaigns")) if each.get("userRole") == "DM"]
        fitting = [each for each in led if named in ("", each.get("id"), each.get("name"))]
        if len(fitting) == 1:
            self.id = str(fitting[0]["id"])
            self.map_shown = str(fitting[0].get("currentMapId") or "")
            self.map = self.map or (yield from self._choose_map(self.map_shown))

    def path_of_map(self, map_id: str) -> str:
        """Return the path of a map, by its id; "" without an id."""
        return f"{API}/{quote(self.id, safe='<>')}/maps/{quote(map_id, safe='<>')}" if map_id else ""

    def _choose_map(self, shown_map_id: str) -> Asking[str]:
        if shown_map_id and not self.target.option("map", str):
            return shown_map_id
        answer = yield Request("GET", f"{API}/{quote(self.id)}/maps")
        maps = tables_in(answer.value("maps"))
        named = self.target.option("map", str)
        fitting = [each for each in maps if named in ("", each.get("id"), each.get("name"))]
        return str(fitting[0]["id"]) if len(fitting) == 1 else ""

    def unknown_campaign_or_map_outcome(self) -> Outcome:
        """Return the outcome for settings that don't say which campaign or map to use."""
        if not self.id:
            where, what = self.target.settings.where("options.campaign"), "campaign that you lead"
        else:
            where, what = self.target.settings.where("options.map"), "map"
        return Outcome(OutcomeKind.REJECTED, f"name the {what}: {where}", all=True)

    def read_map_tokens(self) -> Asking[list[Mapping[str, object]] | Outcome]:
        """Ask for the map's tokens, and return them; or an outcome if the map is unknown."""
        place = yield from self.path_of_map_in_use()
        if not place:
            return self.unknown_campaign_or_map_outcome()
        answer = yield Request("GET", place)
        self.map_name = str(answer.value("map", "name", default=""))
        return tables_in(answer.value("map", "tokens"))

    # Its pages' own connection

    def find_map_or_refuse(self) -> Asking[Outcome | None]:
        """Find the campaign and its map at the target. This needs a valid login.

        Returns None if the map is found, and else an outcome that says what is missing.
        """
        yield from self._find_campaign_and_map()
        return None if self.map else self.unknown_campaign_or_map_outcome()

    def _enter_room(self) -> Asking[Outcome | None]:
        """Enter the campaign's room over Socket.IO. Return None, or the outcome if that fails."""
        joins = [["authenticate", {"campaignId": self.id}]]
        told = yield from self.socket.send_without_connecting(joins, event_or_refusal_test("authenticated"))
        return told if isinstance(told, Outcome) else refusal_outcome(told)

    def send_tracker_events(self, events: Sequence[EventToSend]) -> Asking[Mapping[str, object] | Outcome]:
        """Send events to the initiative tracker, and return the tracker's state after them.

        The server answers each event with the tracker's state or with a refusal. If it has refused all
        events, return the outcome of a refusal. If the events can't be sent, return the outcome of that
        failure.
        """
        self._state = (-math.inf, {})  # if the answer is lost, the state is unknown
        told = yield from self.socket.send_and_read(
            events, lambda told: sum(event.name in (STATE, ERROR) for event in told) >= len(events)
        )
        if isinstance(told, Outcome):
            return told
        states = [event.data for event in told if event.name == STATE and isinstance(event.data, Mapping)]
        if not states:
            return refusal_outcome(told) or {}
        self._state = (time.monotonic(), states[-1])
        return states[-1]

    def tracker_state(self) -> Asking[Mapping[str, object] | Outcome]:
        """Return the tracker's state; the tracker is asked only if no recent state is known."""
        at, state = self._state
        if time.monotonic() - at < MOMENT:
            return state
        told = yield from self.socket.connect_and_get_recent_nudge_answer()
        if isinstance(told, Mapping):
            self._state = (time.monotonic(), told)
        if isinstance(told, Outcome | Mapping):
            return told
        return (yield from self.send_tracker_events([[REQUEST]]))


_NO_TOKEN = "Token not found"
_WAIT = re.compile(r"wait (\d+)s")
_RIGHTS = re.compile(r"Only the DM|not a member|Not authenticated|not found", re.IGNORECASE)


def event_or_refusal_test(
    *names: str, or_arrived: Callable[[Event], bool] = lambda event: False
) -> EventsTest:
    """Return a function that takes events, and returns whether one of them is a refusal or is awaited.

    An event is awaited if `names` has its name, or if `or_arrived` returns True for it.
    """
    return lambda told: any(event.name in (*names, ERROR) or or_arrived(event) for event in told)


def refusal_outcome(events: Sequence[Event]) -> Outcome | None:
    """Return the outcome of the first refusal among the events; None if there is none."""
    said = next((str(event.value("message", default="")) for event in events if event.name == ERROR), None)
    if said is None:
        return None
    wait = _WAIT.search(said)
    if wait:
        return Outcome(OutcomeKind.NOT_SENT, f"it wants fewer requests ({said})", float(wait[1]))
    if said.startswith("Failed"):
        return Outcome(OutcomeKind.UNKNOWN, f"it failed ({said})")
    if said == _NO_TOKEN:
        return token_gone_outcome(said)
    return Outcome(OutcomeKind.REJECTED, f"it refused ({said})", all=bool(_RIGHTS.match(said)))


def token_gone_outcome(message: str) -> Outcome:
    """Return the outcome of a request about a token that no longer exists.

    `message` is the server's error message.
    """
    why = f"it no longer has such a token ({message}): link it again"
    return Outcome(OutcomeKind.REJECTED, why, status=404, gone=True)


def strike_data_on_token(token: object) -> Mapping[str, object]:
    """Return the data that strike stored on a token: our id, and whether the bridge created it.

    It is empty if strike stored none.
    """
    kept = token.get("metadata") if isinstance(token, Mapping) else None
    flag = kept.get(METADATA_KEY) if isinstance(kept, Mapping) else None
    return flag if isinstance(flag, Mapping) else {}


def our_id(token: Mapping[str, object]) -> str:
    """Return our id that a token carries; "" if it carries none."""
    return str(strike_data_on_token(token).get("id", ""))
