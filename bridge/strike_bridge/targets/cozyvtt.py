"""CozyVTT: squares, sessions by login, tokens on the maps of a campaign.

It has no way to tell it chat lines or whose turn it is; those go by its pages alone. A link is `MAP/TOKEN`.
Players are sent a visible token whole, so it is told HP as players may know them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import quote, unquote

from strike_cli.kernel.facts import State

from ..projection import Shown
from .base import (
    Answer,
    Asking,
    Conversation,
    Finding,
    Found,
    Kind,
    Looked,
    Option,
    Outcome,
    Payload,
    Request,
    Supports,
    Target,
    Wire,
    differs,
    for_kind,
)
from .in_words import further_words, turn_words

_API = "/api/campaigns"
_COOKIE = "cozyvtt.sid"
_DISPOSITION = {"party": "friendly", "enemies": "hostile"}
_FLAG = "strike"
TURN, METERS = "turn", "meters"
"""What conditions are called in settings that tell how somebody stands in a round, and their other meters."""


class CozyTarget(Target):
    """CozyVTT: squares from the top left, with hidden tokens, HP and statuses."""

    supports = Supports(
        hidden=True,
        hp=True,
        statuses=True,
        links=True,
        create=True,
        find=True,
        read_back=True,
        any_order=True,
    )
    default_url = "http://127.0.0.1"
    default_audience = "gm"
    key_variable = "STRIKE_COZYVTT_KEY"
    key_words = "email and password"
    has_session = True
    OPTIONS: ClassVar = {
        "campaign": Option(str, "", "The campaign, by id or name, where you lead several."),
        "map": Option(str, "", "The map, by id or name; the one that is shown to players without it."),
        "images": Option(
            dict, {}, "Pictures of tokens: our id, with or without number, to an asset of its own."
        ),
        "origin": Option(list, [0, 0], "The square of the map that A1 lies on, as [across, down] from 0."),
    }

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._campaign = self._map = self._map_name = ""

    # Sessions

    def headers(self) -> dict[str, str]:
        """The session's cookie."""
        return {"cookie": f"{_COOKIE}={self.session}"} if self.session else {}

    def secrets(self) -> list[str]:
        """The key whole, the password with all its spaces, and the session."""
        return [secret for secret in (self.key, self.key.partition(" ")[2], self.session) if secret]

    def begin(self) -> Conversation:
        """Log in. Five tries in a quarter of an hour is all that CozyVTT allows, so a refusal is final."""
        email, _, password = self.key.partition(" ")
        answer = yield Request("POST", "/api/auth/login", {"email": email, "password": password})
        if answer.value("mfaRequired") is True:
            why = "the account wants a second factor: use one without"
            return Outcome(Kind.REJECTED, why, all=True)
        self.session = _cookie(answer)
        if not self.session and not answer.planned:
            return Outcome(Kind.REJECTED, "it gave no session for the login", all=True)
        return None

    def login(self, wire: Wire, ask: Callable[[str, bool], str], tell: Callable[[str], None]) -> str:
        """Email and password of a game master's account."""
        email = ask(f"Email of your account on {self.name}", False).strip()
        return f"{email} {ask('Password', True)}"

    # Where its tokens are

    def _place(self) -> Asking[str]:
        """The path of the map: as settings name it, or the one that players see now."""
        if not self._map:
            named = self.options["campaign"]
            answer = yield Request("GET", _API)
            if answer.planned:
                self._campaign, self._map = named or "<campaign>", self.options["map"] or "<map>"
            led = [each for each in _items(answer.value("campaigns")) if each.get("userRole") == "DM"]
            fitting = [each for each in led if named in ("", each.get("id"), each.get("name"))]
            if len(fitting) == 1:
                self._campaign = str(fitting[0]["id"])
                self._map = yield from self._choose_map(str(fitting[0].get("currentMapId") or ""))
        return self._at(self._map)

    def _at(self, map: str) -> str:
        return f"{_API}/{quote(self._campaign, safe='<>')}/maps/{quote(map, safe='<>')}" if map else ""

    def _choose_map(self, shown: str) -> Asking[str]:
        answer = yield Request("GET", f"{_API}/{quote(self._campaign)}/maps")
        maps = _items(answer.value("maps"))
        named = self.options["map"]
        if named:
            fitting = [each for each in maps if named in (each.get("id"), each.get("name"))]
        else:
            fitting = [each for each in maps if each.get("id") == shown] or maps
        if len(fitting) != 1:
            return ""
        self._map_name = str(fitting[0].get("name", ""))
        return str(fitting[0]["id"])

    def _nowhere(self) -> Outcome:
        if not self._campaign:
            where, what = self.settings.where("options.campaign"), "campaign that you lead"
        else:
            where, what = self.settings.where("options.map"), "map"
        return Outcome(Kind.REJECTED, f"say which {what} is meant: {where}", all=True)

    def _path(self, id: str) -> Asking[str]:
        """The path of our token's, on whatever map it is. Empty for one without a link."""
        map, _, token = self.links.get(id, "").rpartition("/")
        if not token:
            return ""
        yield from self._place()
        return f"{self._at(map)}/tokens/{quote(token, safe='<>')}" if self._campaign else ""

    def token_id(self, request: Request, answer: Answer) -> str:
        """Map and token."""
        token = answer.value("token", "id", default="")
        return f"{self._map}/{token}" if token else ""

    def shown(self, state: State) -> Shown:
        """A token of its has one bar and an initiative: other meters, and who has acted where turns go in any
        order, are conditions."""
        shown = super().shown(state)
        turns = turn_words(shown.order)
        for id, token in shown.tokens.items():
            for key, words in ((TURN, turns.get(id, "")), (METERS, further_words(token))):
                if words and token["state"] != "out":
                    token["status_ids"].append(key)
                    token["statuses"].append(words)
        return shown

    # What it is sent

    def put_scene(self, scene: Payload) -> Conversation:
        """CozyVTT has maps of its own: looks again which one is shown."""
        self._map = ""
        place = yield from self._place()
        return None if place else self._nowhere()

    def clear_scene(self) -> Conversation:
        """Takes away the tokens that we made."""
        for id in list(self.made):
            stopped = yield from self.remove_token(id)
            if stopped:
                return stopped
        return None

    def put_token(self, token: Payload, before: Payload | None) -> Conversation:
        """The whole token: an update that says what is so already does no harm."""
        place = yield from self._place()
        if not place:
            return self._nowhere()
        path = yield from self._path(token["id"])
        made = not path or token["id"] in self.made
        body = self._body(token, made=made)
        if path:
            # One of ours that somebody deleted is made again when all is sent anew.
            anew = made and before is None
            ours = {"name": token["name"]} if made else {}
            answer = yield Request("PUT", path, {**body, **ours}, may_fail=anew)
            if answer.status < 300:
                return None
            if answer.status != 404:
                return self.outcome(Request("PUT", path), answer, time.time())
        if token["position"] is not None:
            kind = "player" if token["side"] == "party" else "npc"
            look = {"type": kind, "disposition": _DISPOSITION.get(token["side"], "neutral")}
            body = {"name": token["name"], **look, **body}
            yield Request("POST", f"{place}/tokens", body, creates=token["id"])
        return None

    def _body(self, token: Payload, *, made: bool) -> Payload:
        hp = token["hp"]
        body: Payload = {
            "size": {"width": token["size"], "height": token["size"]},
            "visible": not self.out_of_sight(token),
            "hp": {"current": hp["value"], "max": hp["max"], "temp": 0} if hp else None,
            "showHpBar": hp is not None,
            "conditions": self._conditions(token),
            "initiative": token["initiative"],
            "metadata": {_FLAG: {"id": token["id"], "made": made, "state": token["state"]}},
        }
        if token["position"] is not None:
            across, down = self._origin()
            x, y = token["position"]["x"] + across, token["position"]["y"] + down
            body["position"] = {"x": x, "y": y}
        asset = for_kind(self.options["images"], token["id"])
        if asset:
            body["imageUrl"] = asset
        return body

    def _origin(self) -> tuple[int, int]:
        across, down = (int(each) for each in [*self.options["origin"], 0, 0][:2])
        return across, down

    def _conditions(self, token: Payload) -> list[str]:
        words = [
            self.status(id, name) for id, name in zip(token["status_ids"], token["statuses"], strict=True)
        ]
        named = [name if word is None else word for word, name in zip(words, token["statuses"], strict=True)]
        if token["state"] == "out":
            named.append(self.statuses.get("out", "Taken Out"))
        return [name for name in dict.fromkeys(named) if name]

    def remove_token(self, id: str) -> Conversation:
        """Deletes what we made; hides what was there before."""
        path = yield from self._path(id)
        if path and id in self.made:
            yield Request("DELETE", path, gone_will_do=True)
            self.links.pop(id, None)  # where several are to go and one fails, this one is not asked for again
        elif path:
            yield Request("PUT", path, {"visible": False}, gone_will_do=True)
        elif id in self.links:
            return self._nowhere()
        return None

    # What it answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """As HTTP has it, but that a token which is gone is no matter for the rest, and that waiting times
        come as `RateLimit-Reset`."""
        outcome = super().outcome(request, answer, now)
        said = str(answer.value("message", default=""))
        if answer.status == 404 and said.startswith("Token") and outcome.kind is Kind.REJECTED:
            why = f"it has no such token any more ({said}): link it again"
            return Outcome(Kind.REJECTED, why, status=404, gone=True)
        if answer.status == 401 and request.path.endswith("/login"):
            why = f"it does not accept email and password ({said})"
            return Outcome(Kind.REJECTED, why, all=True, status=401)
        if answer.status == 429 and request.path.endswith("/login"):
            outcome = outcome._replace(why="too many tries to log in: it answered 429")
        reset = answer.headers.get("ratelimit-reset", "")
        if answer.status == 429 and outcome.retry_after is None and reset.isdigit():
            return outcome._replace(retry_after=float(reset))
        return outcome

    def is_anothers(self, request: Request, answer: Answer) -> bool:
        """By our id on a token that is new, else by the token's or the map's own."""
        made = differs(request.creates, _our_id(answer.value("token") or {}) or None)
        _, _, path = request.path.partition("/maps/")
        map, _, token = path.partition("/tokens/")
        shown = request.method == "GET" and differs(unquote(map), answer.value("map", "id"))
        return made or shown or differs(unquote(token), answer.value("token", "id"))

    # What it shows

    def find_tokens(self, wire: Wire) -> list[Found] | Outcome:
        """The tokens of the map."""
        tokens = self.find_out(wire, self._tokens())
        if isinstance(tokens, Outcome):
            return tokens
        return [
            Found(
                f"{self._map}/{each.get('id')}", str(each.get("name", "")), _our_id(each), made=_is_made(each)
            )
            for each in tokens
        ]

    def _tokens(self) -> Asking[list[Mapping[str, Any]] | Outcome]:
        place = yield from self._place()
        if not place:
            return self._nowhere()
        answer = yield Request("GET", place)
        return _items(answer.value("map", "tokens"))

    def read_tokens(self, wire: Wire) -> dict[str, Payload] | Outcome:
        """Those that are linked or bear our id."""
        tokens = self.find_out(wire, self._tokens())
        if isinstance(tokens, Outcome):
            return tokens
        linked = {link.rpartition("/")[2]: id for id, link in self.links.items()}
        named = {each.get("id"): linked.get(str(each.get("id"))) or _our_id(each) for each in tokens}
        return {str(named[each.get("id")]): self._shown(each) for each in tokens if named[each.get("id")]}

    def look(self, wire: Wire) -> Looked | Outcome:
        """The tokens of the map, and which of ours were on it and are there no more."""
        tokens = self.find_out(wire, self._tokens())
        if isinstance(tokens, Outcome):
            return tokens
        there = {f"{self._map}/{token.get('id')}": token for token in tokens}
        here = {id: link for id, link in self.links.items() if link.startswith(f"{self._map}/")}
        shown = {id: self._shown(there[link]) for id, link in here.items() if link in there}
        return Looked(shown, [id for id in here if id not in shown])

    def _shown(self, token: Mapping[str, Any]) -> Payload:
        across, down = self._origin()
        at, hp = token.get("position") or {}, token.get("hp")
        shown: Payload = {
            "name": token.get("name"),
            "position": {"x": at.get("x", 0) - across, "y": at.get("y", 0) - down},
            "hidden": not token.get("visible", True),
            "hp": {"value": hp.get("current"), "max": hp.get("max")} if isinstance(hp, Mapping) else None,
            "initiative": token.get("initiative"),
        }
        if not self.statuses:
            ours = [name for name in token.get("conditions") or [] if name != "Taken Out"]
            shown["statuses"] = ours
        return shown

    # People's side

    def probe(self) -> Request:
        """The campaigns of the account."""
        return Request("GET", _API)

    def checks(self, wire: Wire) -> Iterator[Finding]:
        """The campaign and the map."""
        tokens = self.find_out(wire, self._tokens())
        if isinstance(tokens, Outcome):
            yield Finding(f"{tokens.why[:1].upper()}{tokens.why[1:]}.", False)
            return
        ours = sum(bool(_our_id(each)) for each in tokens)
        yield Finding(f"The map {self._map_name} has {len(tokens)} tokens, {ours} of them ours.")


def _cookie(answer: Answer) -> str:
    """The session in a Set-Cookie header."""
    for part in answer.headers.get("set-cookie", "").replace(",", ";").split(";"):
        name, _, value = part.strip().partition("=")
        if name == _COOKIE:
            return value
    return ""


def _items(found: Any) -> list[Mapping[str, Any]]:
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def _flag(token: Any) -> Mapping[str, Any]:
    kept = token.get("metadata") if isinstance(token, Mapping) else None
    flag = kept.get(_FLAG) if isinstance(kept, Mapping) else None
    return flag if isinstance(flag, Mapping) else {}


def _our_id(token: Mapping[str, Any]) -> str:
    return str(_flag(token).get("id", ""))


def _is_made(token: Mapping[str, Any]) -> bool:
    return bool(_flag(token).get("made"))
