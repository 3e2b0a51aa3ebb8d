"""A campaign of CozyVTT's: getting in, which map is meant, and its pages' own connection."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import quote, unquote

from ..outcome import retry_after
from .base import (
    Answer,
    Asking,
    Conversation,
    Option,
    Outcome,
    OutcomeKind,
    PreparedRequest,
    Request,
    Requests,
    Target,
    Wire,
    differs,
)
from .cozyvtt_tracker import REQUEST, STATE, Said
from .socket_io import MOMENT, Enough, Event, SocketIO

API = "/api/campaigns"
ERROR = "error"
_COOKIE = "cozyvtt.sid"
FLAG = "strike"


class CozyCampaign(Target):
    """How one talks with it. A link is `MAP/TOKEN`."""

    default_url = "http://127.0.0.1"
    key_variable = "STRIKE_COZYVTT_KEY"
    key_words = "email and password"
    has_session = True
    late = (1.0, 3.0)
    stays = 20.0
    OPTIONS: ClassVar = {
        "campaign": Option(str, "", "The campaign, by id or name, where you lead several."),
        "map": Option(str, "", "The map, by id or name. Left out, it is the one that players see."),
        "images": Option(
            dict, {}, "Pictures of tokens: our id, with or without number, to an asset of its own."
        ),
        "origin": Option(list, [0, 0], "The square of the map that A1 lies on, as [across, down] from 0."),
        "live": Option(bool, True, "Chat, turns, and open pages that change at once; false: tokens alone."),
    }

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._campaign = self._map = self._map_name = self._map_shown = ""
        self._looked = -math.inf
        """When it was asked for its campaigns, by the monotonic clock."""
        self._state: tuple[float, Mapping[str, object]] = (-math.inf, {})
        """How the tracker stands, and when it said so."""
        self._socket = SocketIO(
            self,
            "/socket.io/",
            knock=self._knock,
            greet=self._greet,
            nudge=[REQUEST],
            nudged=STATE,
            welcome="connected",
        )

    # Sessions

    def headers(self) -> dict[str, str]:
        """The session's cookie."""
        return {"cookie": f"{_COOKIE}={self.session}"} if self.session else {}

    def secrets(self) -> list[str]:
        """The key whole, the password with all its spaces, the session and the connection."""
        words = (self.key, self.key.partition(" ")[2], self.session, self._socket.id)
        return [secret for secret in words if secret]

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """What goes by the pages' connection is said as that wants it."""
        prepared = super().prepare(request, now)
        return self._socket.prepared(request, prepared) if self._socket.owns(request) else prepared

    def begin(self) -> Conversation:
        """Log in. Five tries in a quarter of an hour is all that CozyVTT allows, so a refusal is final."""
        email, _, password = self.key.partition(" ")
        answer = yield Request("POST", "/api/auth/login", {"email": email, "password": password})
        if answer.value("mfaRequired") is True:
            why = "the account wants a second factor: use one without"
            return Outcome(OutcomeKind.REJECTED, why, all=True)
        self.session = _cookie(answer)
        if not (self.session or answer.planned or isinstance(answer.json(), dict)):
            return Outcome(OutcomeKind.UNKNOWN, "its answer to the login can't be read", status=answer.status)
        if not self.session and not answer.planned:
            return Outcome(OutcomeKind.REJECTED, "it gave no session for the login", all=True)
        return None

    def login(self, wire: Wire, ask: Callable[[str, bool], str], tell: Callable[[str], None]) -> str:
        """Email and password of a game master's account."""
        email = ask(f"Email of your account on {self.name}", False).strip()
        return f"{email} {ask('Password', True)}"

    # Which map

    def _place(self) -> Asking[str]:
        """The path of the map: as settings name it, or the one that players see now."""
        if not self._map:
            yield from self._look_up()
        return self._at(self._map)

    def _look_up(self) -> Asking[None]:
        """The campaign, the map that players see there, and ours where it isn't known."""
        if self._map and time.monotonic() - self._looked < MOMENT:
            return
        named = self.options["campaign"]
        answer = yield Request("GET", API)
        self._looked = time.monotonic()
        if answer.planned:
            self._campaign, self._map = named or "<campaign>", self.options["map"] or "<map>"
        led = [each for each in items(answer.value("campaigns")) if each.get("userRole") == "DM"]
        fitting = [each for each in led if named in ("", each.get("id"), each.get("name"))]
        if len(fitting) == 1:
            self._campaign = str(fitting[0]["id"])
            self._map_shown = str(fitting[0].get("currentMapId") or "")
            self._map = self._map or (yield from self._choose_map(self._map_shown))

    def _at(self, map: str) -> str:
        return f"{API}/{quote(self._campaign, safe='<>')}/maps/{quote(map, safe='<>')}" if map else ""

    def _choose_map(self, shown: str) -> Asking[str]:
        if shown and not self.options["map"]:
            return shown
        answer = yield Request("GET", f"{API}/{quote(self._campaign)}/maps")
        maps = items(answer.value("maps"))
        named = self.options["map"]
        fitting = [each for each in maps if named in ("", each.get("id"), each.get("name"))]
        return str(fitting[0]["id"]) if len(fitting) == 1 else ""

    def _nowhere(self) -> Outcome:
        if not self._campaign:
            where, what = self.settings.where("options.campaign"), "campaign that you lead"
        else:
            where, what = self.settings.where("options.map"), "map"
        return Outcome(OutcomeKind.REJECTED, f"say which {what} is meant: {where}", all=True)

    def _tokens(self) -> Asking[list[Mapping[str, object]] | Outcome]:
        place = yield from self._place()
        if not place:
            return self._nowhere()
        answer = yield Request("GET", place)
        self._map_name = str(answer.value("map", "name", default=""))
        return items(answer.value("map", "tokens"))

    # Its pages' own connection

    def _knock(self) -> Asking[Outcome | None]:
        """Whether we are logged in, and where."""
        yield from self._look_up()
        return None if self._map else self._nowhere()

    def _greet(self) -> Asking[Outcome | None]:
        """Into the campaign's room."""
        joins = [["authenticate", {"campaignId": self._campaign}]]
        told = yield from self._socket.say(joins, any_of("authenticated"))
        return told if isinstance(told, Outcome) else refusal(told)

    def _said(self, said: Sequence[Said]) -> Asking[Mapping[str, object] | Outcome]:
        """Say events of the tracker's, and how it stands then: each is answered by that, or by a refusal."""
        self._state = (-math.inf, {})  # where the answer is lost nobody knows
        told = yield from self._socket.ask(
            said, lambda told: sum(event.name in (STATE, ERROR) for event in told) >= len(said)
        )
        if isinstance(told, Outcome):
            return told
        states = [event.data for event in told if event.name == STATE and isinstance(event.data, Mapping)]
        if not states:
            return refusal(told) or {}
        self._state = (time.monotonic(), states[-1])
        return states[-1]

    def _standing(self) -> Asking[Mapping[str, object] | Outcome]:
        """How the tracker stands: as it said a moment ago, or asked for."""
        at, state = self._state
        if time.monotonic() - at < MOMENT:
            return state
        told = yield from self._socket.nudged()
        if isinstance(told, Mapping):
            self._state = (time.monotonic(), told)
        if isinstance(told, Outcome | Mapping):
            return told
        return (yield from self._said([[REQUEST]]))

    def stay(self) -> Requests:
        """Not to be told of as somebody who left."""
        return self._socket.stay()

    # What it answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """As HTTP has it, but that a token which is gone is no matter for the rest, and that waiting times
        come as `RateLimit-Reset`."""
        if self._socket.owns(request):
            return self._socket.outcome(request, answer, now)
        outcome = super().outcome(request, answer, now)
        said = str(answer.value("message", default=""))
        if answer.status == 404 and said.startswith("Token") and outcome.kind is OutcomeKind.REJECTED:
            return _gone(said)
        if answer.status == 401 and request.path.endswith("/login"):
            why = f"it does not accept email and password ({said})"
            return Outcome(OutcomeKind.REJECTED, why, all=True, status=401)
        if answer.status == 429 and request.path.endswith("/login"):
            outcome = outcome._replace(why="too many tries to log in: it answered 429")
        reset = answer.headers.get("ratelimit-reset", "")
        if answer.status == 429 and outcome.retry_after is None:
            return outcome._replace(retry_after=retry_after({"retry-after": reset}, b"", now))
        return outcome

    def is_anothers(self, request: Request, answer: Answer) -> bool:
        """By our id on a token that is new, else by the token's or the map's own."""
        path = request.path.partition("?")[0]
        listed = path.rpartition("/")[2]
        if request.method == "GET" and listed in ("campaigns", "maps", "messages"):
            return not isinstance(answer.value(listed), list)
        map, _, token = path.partition("/maps/")[2].partition("/tokens/")
        if request.method == "GET" and map and not token:
            return bool(answer.value("map", "id") != unquote(map))
        made = differs(request.creates, our_id(answer.value("token") or {}) or None)
        return made or differs(unquote(token), answer.value("token", "id"))


_NO_TOKEN = "Token not found"
_WAIT = re.compile(r"wait (\d+)s")
_RIGHTS = re.compile(r"Only the DM|not a member|Not authenticated|not found", re.IGNORECASE)


def any_of(*names: str, arrived: Callable[[Event], bool] = lambda event: False) -> Enough:
    """Whether an event of these names has come, or one that is it, or a refusal."""
    return lambda told: any(event.name in (*names, ERROR) or arrived(event) for event in told)


def refusal(told: Sequence[Event]) -> Outcome | None:
    """What a refusal among what was told means; None where there is none."""
    said = next((str(event.value("message", default="")) for event in told if event.name == ERROR), None)
    if said is None:
        return None
    wait = _WAIT.search(said)
    if wait:
        return Outcome(OutcomeKind.NOT_SENT, f"it wants to be told less often ({said})", float(wait[1]))
    if said.startswith("Failed"):
        return Outcome(OutcomeKind.UNKNOWN, f"it failed ({said})")
    if said == _NO_TOKEN:
        return _gone(said)
    return Outcome(OutcomeKind.REJECTED, f"it refused ({said})", all=bool(_RIGHTS.match(said)))


def _gone(said: str) -> Outcome:
    why = f"it has no such token any more ({said}): link it again"
    return Outcome(OutcomeKind.REJECTED, why, status=404, gone=True)


def _cookie(answer: Answer) -> str:
    """The session in a Set-Cookie header."""
    for part in answer.headers.get("set-cookie", "").replace(",", ";").split(";"):
        name, _, value = part.strip().partition("=")
        if name == _COOKIE:
            return value
    return ""


def items(found: object) -> list[Mapping[str, object]]:
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def flag(token: object) -> Mapping[str, object]:
    kept = token.get("metadata") if isinstance(token, Mapping) else None
    flag = kept.get(FLAG) if isinstance(kept, Mapping) else None
    return flag if isinstance(flag, Mapping) else {}


def our_id(token: Mapping[str, object]) -> str:
    return str(flag(token).get("id", ""))
