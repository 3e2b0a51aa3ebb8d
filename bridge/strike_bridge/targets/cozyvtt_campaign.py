"""A campaign in CozyVTT: the choice of its map, its turn order, and the connection that its pages use."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast
from urllib.parse import quote

from .base import Asking, Outcome, OutcomeKind, Request, Target
from .readers import tables_in
from .socket_io import MOMENT, Enough, Event, SocketIO

STATE, REQUEST = "initiative.state", "initiative.request_state"
Said = list[object]


class TrackerRow(NamedTuple):
    """A row of the tracker: a creature's token, and the values that the tracker copies from it."""

    token: str
    name: str
    hp: Mapping[str, object] | None
    initiative: int | None


class Tracker:
    """The tracker's current state.

    Each method returns events to send (`said`), and applies them as the server does.
    """

    def __init__(self, state: Mapping[str, object]) -> None:
        rows = state.get("combatants")
        self.rows = {
            str(row.get("tokenId")): row for row in rows or () if isinstance(row, Mapping)
        } if isinstance(rows, list) else {}  # fmt: skip
        self.line = list(self.rows)
        self.begun = bool(state.get("active"))
        self.round = int(cast("int", state.get("round") or 0))
        self.current = cast("str | None", state.get("currentTokenId"))
        self.said: list[Said] = []

    def people(self, rows: Sequence[TrackerRow], map: str, round: int) -> list[Said]:
        """Return the events that make these people, and nobody else, the tracker's rows.

        A changed row is removed and added anew, since name, HP and initiative are copied once. Where the
        tracker's round is later than the fight's, it is ended first: rounds can't go back.
        """
        wanted = {row.token: row for row in rows}
        if self.begun and self.round > round:
            return [["initiative.end"], *(_add(id, map) for id in wanted)]
        stale = [id for id, row in self.rows.items() if id not in wanted or not _is_shown(wanted[id], row)]
        new = [id for id in wanted if id not in self.rows or id in stale]
        gone: list[Said] = [["initiative.remove", {"tokenId": id}] for id in stale]
        return [*gone, *(_add(id, map) for id in new)]

    def turn(self, line: Sequence[str], active: str | None, round: int) -> list[Said]:
        """Return the events that sort the rows and give `active` the turn of a round.

        Without an `active` the turn stays where it is.
        """
        line = [id for id in line if id in self.rows]
        if active in line:
            self._give(str(active), line, round)
        self._lay(line)
        return self.said

    def _give(self, active: str, line: list[str], round: int) -> None:
        if not self.begun:
            self._lay([active, *(id for id in line if id != active)])
            self.begun, self.round, self.current = True, 1, self.line[0]
            self.said.append(["initiative.start"])
        while self.round < round:  # the acting creature is moved to the end, and the round is over
            others = [id for id in self.line if id not in (active, self.current)]
            last = [id for id in self.line if id == self.current]
            self._lay([*([] if active in last else [active]), *others, *last])
            self._next()
        if self.current != active:
            if self._next_token() != active:
                rest = [id for id in self.line if id not in (active, self.current)]
                self._lay([*(id for id in self.line if id == self.current), active, *rest])
            self._next()

    def _next_token(self) -> str | None:
        """Return the token with the next turn, within the round."""
        at = self.line.index(self.current) + 1 if self.current in self.line else 0
        return self.line[at] if at < len(self.line) else None

    def _lay(self, line: Sequence[str]) -> None:
        if self.line != list(line):
            self.line = list(line)
            self.said.append(["initiative.reorder", {"orderedTokenIds": self.line}])

    def _next(self) -> None:
        following = self._next_token()
        if following is None:
            self.round += 1
        self.current = following or self.line[0]
        self.said.append(["initiative.next"])


def _add(id: str, map: str) -> Said:
    return ["initiative.add", {"tokenId": id, "mapId": map}]


def _is_shown(wanted: TrackerRow, row: Mapping[str, object]) -> bool:
    shown = (row.get("name"), row.get("hp"), row.get("initiative"))
    return shown == (wanted.name, wanted.hp, wanted.initiative)


API = "/api/campaigns"
ERROR = "error"
FLAG = "strike"


class CozyCampaign:
    """The campaign and map that the target uses, and a connection like that of its pages."""

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
            knock=self.knock,
            greet=self._greet,
            nudge=[REQUEST],
            nudged=STATE,
            welcome="connected",
        )

    def place(self) -> Asking[str]:
        """Return the path of the map that settings name, or of the one that players see now."""
        if not self.map:
            yield from self._look_up()
        return self.at(self.map)

    def _look_up(self) -> Asking[None]:
        """Look up the campaign, the map that players see there, and our own map where it isn't known."""
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

    def at(self, map: str) -> str:
        """Return the path of a map."""
        return f"{API}/{quote(self.id, safe='<>')}/maps/{quote(map, safe='<>')}" if map else ""

    def _choose_map(self, shown: str) -> Asking[str]:
        if shown and not self.target.option("map", str):
            return shown
        answer = yield Request("GET", f"{API}/{quote(self.id)}/maps")
        maps = tables_in(answer.value("maps"))
        named = self.target.option("map", str)
        fitting = [each for each in maps if named in ("", each.get("id"), each.get("name"))]
        return str(fitting[0]["id"]) if len(fitting) == 1 else ""

    def nowhere(self) -> Outcome:
        """Return the outcome for settings that don't determine the campaign or the map."""
        if not self.id:
            where, what = self.target.settings.where("options.campaign"), "campaign that you lead"
        else:
            where, what = self.target.settings.where("options.map"), "map"
        return Outcome(OutcomeKind.REJECTED, f"name the {what}: {where}", all=True)

    def tokens(self) -> Asking[list[Mapping[str, object]] | Outcome]:
        """Read the tokens of the map."""
        place = yield from self.place()
        if not place:
            return self.nowhere()
        answer = yield Request("GET", place)
        self.map_name = str(answer.value("map", "name", default=""))
        return tables_in(answer.value("map", "tokens"))

    # Its pages' own connection

    def knock(self) -> Asking[Outcome | None]:
        """Check whether the login is valid, and find the campaign and its map; return what stops that."""
        yield from self._look_up()
        return None if self.map else self.nowhere()

    def _greet(self) -> Asking[Outcome | None]:
        """Enter the campaign's room."""
        joins = [["authenticate", {"campaignId": self.id}]]
        told = yield from self.socket.say(joins, any_of("authenticated"))
        return told if isinstance(told, Outcome) else find_refusal(told)

    def say(self, said: Sequence[Said]) -> Asking[Mapping[str, object] | Outcome]:
        """Send events to the tracker, and return its state after them.

        Each event is answered by that state, or by a refusal.
        """
        self._state = (-math.inf, {})  # if the answer is lost, the state is unknown
        told = yield from self.socket.ask(
            said, lambda told: sum(event.name in (STATE, ERROR) for event in told) >= len(said)
        )
        if isinstance(told, Outcome):
            return told
        states = [event.data for event in told if event.name == STATE and isinstance(event.data, Mapping)]
        if not states:
            return find_refusal(told) or {}
        self._state = (time.monotonic(), states[-1])
        return states[-1]

    def standing(self) -> Asking[Mapping[str, object] | Outcome]:
        """Return the state of the tracker: a recent one, or a new reading."""
        at, state = self._state
        if time.monotonic() - at < MOMENT:
            return state
        told = yield from self.socket.nudged()
        if isinstance(told, Mapping):
            self._state = (time.monotonic(), told)
        if isinstance(told, Outcome | Mapping):
            return told
        return (yield from self.say([[REQUEST]]))


_NO_TOKEN = "Token not found"
_WAIT = re.compile(r"wait (\d+)s")
_RIGHTS = re.compile(r"Only the DM|not a member|Not authenticated|not found", re.IGNORECASE)


def any_of(*names: str, arrived: Callable[[Event], bool] = lambda event: False) -> Enough:
    """Return a test that an event of these names has arrived, or one that `arrived` accepts, or a refusal."""
    return lambda told: any(event.name in (*names, ERROR) or arrived(event) for event in told)


def find_refusal(events: Sequence[Event]) -> Outcome | None:
    """Return the outcome of a refusal among the events; None where there is none."""
    said = next((str(event.value("message", default="")) for event in events if event.name == ERROR), None)
    if said is None:
        return None
    wait = _WAIT.search(said)
    if wait:
        return Outcome(OutcomeKind.NOT_SENT, f"it wants fewer requests ({said})", float(wait[1]))
    if said.startswith("Failed"):
        return Outcome(OutcomeKind.UNKNOWN, f"it failed ({said})")
    if said == _NO_TOKEN:
        return token_is_gone(said)
    return Outcome(OutcomeKind.REJECTED, f"it refused ({said})", all=bool(_RIGHTS.match(said)))


def token_is_gone(said: str) -> Outcome:
    """Return the outcome for a token that isn't there any more."""
    why = f"it no longer has such a token ({said}): link it again"
    return Outcome(OutcomeKind.REJECTED, why, status=404, gone=True)


def marks_on_token(token: object) -> Mapping[str, object]:
    """Return our marks on a token, empty for one that strike didn't make."""
    kept = token.get("metadata") if isinstance(token, Mapping) else None
    flag = kept.get(FLAG) if isinstance(kept, Mapping) else None
    return flag if isinstance(flag, Mapping) else {}


def our_id(token: Mapping[str, object]) -> str:
    """Return our id of a token, or "" for one that strike didn't make."""
    return str(marks_on_token(token).get("id", ""))
