"""CozyVTT: squares, and tokens on the maps of a campaign. Players are sent a visible token whole, so it is
told HP as players may know them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from strike_cli.kernel.facts import State

from ..projection import ShownTable
from .base import (
    Answer,
    Asking,
    Conversation,
    Finding,
    Found,
    Looked,
    Outcome,
    Payload,
    Request,
    Supports,
    Wire,
    for_kind,
)
from .cozyvtt_campaign import API, FLAG, flag, our_id
from .cozyvtt_pages import LINE, CozyPages
from .in_words import further_words, turn_words

_DISPOSITION = {"party": "friendly", "enemies": "hostile"}
TURN, METERS = "turn", "meters"
"""What conditions are called in settings that tell how somebody stands in a round, and their other meters."""


class CozyTarget(CozyPages):
    """CozyVTT: squares from the top left, with hidden tokens, HP and statuses, turns and chat."""

    supports = Supports(
        hidden=True,
        hp=True,
        statuses=True,
        turn_order=True,
        chat=True,
        read_results=True,
        links=True,
        create=True,
        find=True,
        read_back=True,
        any_order=True,
    )
    default_audience = "gm"

    def shown(self, state: State) -> ShownTable:
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

    # Links

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

    # What it is sent

    def put_scene(self, scene: Payload) -> Conversation:
        """CozyVTT has maps of its own: looks again which one is shown."""
        self._map = ""
        place = yield from self._place()
        return None if place else self._nowhere()

    def clear_scene(self) -> Conversation:
        """Takes away the tokens that we made, and ends the turns that we told."""
        if LINE in self.memory:
            told = yield from self._said([["initiative.end"]])
            if isinstance(told, Outcome):
                return told
            self.memory.pop(LINE, None)
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
        if path and before and before["name"] == token["name"] and self._body(before, made=made) == body:
            return None  # such as whose turn it is, which the tracker shows
        if path and self._only_moved(token, before):
            return (yield from self._move(token["id"], body["position"]))
        self._fall_behind()
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
            "metadata": {FLAG: {"id": token["id"], "made": made, "state": token["state"]}},
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
        self._fall_behind()
        if path and id in self.made:
            yield Request("DELETE", path, gone_will_do=True)
            self.links.pop(id, None)  # where several are to go and one fails, this one is not asked for again
        elif path:
            yield Request("PUT", path, {"visible": False}, gone_will_do=True)
        elif id in self.links:
            return self._nowhere()
        return None

    # What it shows

    def find_tokens(self, wire: Wire) -> list[Found] | Outcome:
        """The tokens of the map."""
        tokens = self.find_out(wire, self._tokens())
        if isinstance(tokens, Outcome):
            return tokens
        return [
            Found(
                f"{self._map}/{each.get('id')}", str(each.get("name", "")), our_id(each), made=_is_made(each)
            )
            for each in tokens
        ]

    def read_tokens(self, wire: Wire) -> dict[str, Payload] | Outcome:
        """Those that are linked or bear our id."""
        tokens = self.find_out(wire, self._tokens())
        if isinstance(tokens, Outcome):
            return tokens
        linked = {link.rpartition("/")[2]: id for id, link in self.links.items()}
        named = {each.get("id"): linked.get(str(each.get("id"))) or our_id(each) for each in tokens}
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
        return Request("GET", API)

    def checks(self, wire: Wire) -> Iterator[Finding]:
        """The campaign and the map."""
        tokens = self.find_out(wire, self._tokens())
        if isinstance(tokens, Outcome):
            yield Finding(f"{tokens.why[:1].upper()}{tokens.why[1:]}.", False)
            return
        ours = sum(bool(our_id(each)) for each in tokens)
        yield Finding(f"The map {self._map_name} has {len(tokens)} tokens, {ours} of them ours.")


def _is_made(token: Mapping[str, object]) -> bool:
    return bool(flag(token).get("made"))
