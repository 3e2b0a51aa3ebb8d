"""A campaign of CozyVTT's: which map is meant, and its pages' own connection."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

from .base import Asking, Outcome, OutcomeKind, Request, Target
from .cozyvtt_tracker import REQUEST, STATE, Said
from .readers import items
from .socket_io import MOMENT, Enough, Event, SocketIO

API = "/api/campaigns"
ERROR = "error"
FLAG = "strike"


class CozyCampaign:
    """The campaign and the map that are meant, and a connection like that of its pages."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.id = self.map = self.map_name = self.map_shown = ""
        self._looked = -math.inf
        """When it was asked for its campaigns, by the monotonic clock."""
        self._state: tuple[float, Mapping[str, object]] = (-math.inf, {})
        """How the tracker stands, and when it said so."""
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
        """Return the path of the map: as settings name it, or the one that players see now."""
        if not self.map:
            yield from self._look_up()
        return self.at(self.map)

    def _look_up(self) -> Asking[None]:
        """Look up the campaign, the map that players see there, and ours where it isn't known."""
        if self.map and time.monotonic() - self._looked < MOMENT:
            return
        named = self.target.option("campaign", str)
        answer = yield Request("GET", API)
        self._looked = time.monotonic()
        if answer.planned:
            self.id, self.map = named or "<campaign>", self.target.option("map", str) or "<map>"
        led = [each for each in items(answer.value("campaigns")) if each.get("userRole") == "DM"]
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
        maps = items(answer.value("maps"))
        named = self.target.option("map", str)
        fitting = [each for each in maps if named in ("", each.get("id"), each.get("name"))]
        return str(fitting[0]["id"]) if len(fitting) == 1 else ""

    def nowhere(self) -> Outcome:
        """Return the outcome for settings that don't say which campaign or map is meant."""
        if not self.id:
            where, what = self.target.settings.where("options.campaign"), "campaign that you lead"
        else:
            where, what = self.target.settings.where("options.map"), "map"
        return Outcome(OutcomeKind.REJECTED, f"say which {what} is meant: {where}", all=True)

    def tokens(self) -> Asking[list[Mapping[str, object]] | Outcome]:
        """Read the tokens of the map."""
        place = yield from self.place()
        if not place:
            return self.nowhere()
        answer = yield Request("GET", place)
        self.map_name = str(answer.value("map", "name", default=""))
        return items(answer.value("map", "tokens"))

    # Its pages' own connection

    def knock(self) -> Asking[Outcome | None]:
        """Find out whether we are logged in, and where."""
        yield from self._look_up()
        return None if self.map else self.nowhere()

    def _greet(self) -> Asking[Outcome | None]:
        """Enter the campaign's room."""
        joins = [["authenticate", {"campaignId": self.id}]]
        told = yield from self.socket.say(joins, any_of("authenticated"))
        return told if isinstance(told, Outcome) else refusal(told)

    def say(self, said: Sequence[Said]) -> Asking[Mapping[str, object] | Outcome]:
        """Say events of the tracker's, and how it stands then: each is answered by that, or by a refusal."""
        self._state = (-math.inf, {})  # where the answer is lost nobody knows
        told = yield from self.socket.ask(
            said, lambda told: sum(event.name in (STATE, ERROR) for event in told) >= len(said)
        )
        if isinstance(told, Outcome):
            return told
        states = [event.data for event in told if event.name == STATE and isinstance(event.data, Mapping)]
        if not states:
            return refusal(told) or {}
        self._state = (time.monotonic(), states[-1])
        return states[-1]

    def standing(self) -> Asking[Mapping[str, object] | Outcome]:
        """Return the state of the tracker: as it was a moment ago, or asked for."""
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
    """Return a test that an event of these names has come, or one that `arrived` accepts, or a refusal."""
    return lambda told: any(event.name in (*names, ERROR) or arrived(event) for event in told)


def refusal(events: Sequence[Event]) -> Outcome | None:
    """Return the meaning of a refusal among the events that were received; None where there is none."""
    said = next((str(event.value("message", default="")) for event in events if event.name == ERROR), None)
    if said is None:
        return None
    wait = _WAIT.search(said)
    if wait:
        return Outcome(OutcomeKind.NOT_SENT, f"it wants to be told less often ({said})", float(wait[1]))
    if said.startswith("Failed"):
        return Outcome(OutcomeKind.UNKNOWN, f"it failed ({said})")
    if said == _NO_TOKEN:
        return gone(said)
    return Outcome(OutcomeKind.REJECTED, f"it refused ({said})", all=bool(_RIGHTS.match(said)))


def gone(said: str) -> Outcome:
    """Return the outcome for a token that isn't there any more."""
    why = f"it has no such token any more ({said}): link it again"
    return Outcome(OutcomeKind.REJECTED, why, status=404, gone=True)


def flag(token: object) -> Mapping[str, object]:
    kept = token.get("metadata") if isinstance(token, Mapping) else None
    flag = kept.get(FLAG) if isinstance(kept, Mapping) else None
    return flag if isinstance(flag, Mapping) else {}


def our_id(token: Mapping[str, object]) -> str:
    return str(flag(token).get("id", ""))
