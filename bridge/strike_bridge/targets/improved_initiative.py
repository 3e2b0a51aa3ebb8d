"""The target Improved Initiative: shows the combatants in its player view.

The whole view is sent as one event over Socket.IO, and read back over HTTP. There is no key, since anybody
who knows a view's id may change the view.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from ..request_outcome import outcome_of_answer
from .base import (
    Answer,
    Asking,
    Conversation,
    Finding,
    Option,
    Outcome,
    OutcomeKind,
    Payload,
    Request,
    Supports,
    Target,
    Wire,
)
from .socket_io import CONNECTED, OPENED, decode_events

if TYPE_CHECKING:
    from typing import TypedDict

    from ..payloads import ReadToken, ShownOrder, ShownToken

    class InitiativeView(TypedDict):
        """The contents of the player view, as the target's memory stores them."""

        people: dict[str, Payload]
        order: list[str]
        active: str | None
        round: int


_SOCKET = "/socket.io/?EIO=4&transport=polling"
_POLLS = 3
"""The maximum number of answers to wait for until the connection is confirmed."""
_VIEW = "view"
"""The memory key of the creatures as they were last sent, and the order."""
_EMPTY: InitiativeView = {"people": {}, "order": [], "active": None, "round": 0}
_OUT = "Out"


class ImprovedInitiativeTarget(Target):
    """Improved Initiative, which shows names, HP as players may know them, statuses, and the turn order."""

    supports = Supports(hp=True, statuses=True, turn_order=True, read_back=True, boardless=True)
    OPTIONS: ClassVar = {
        "view": Option(str, "strike", "The id of the player view: the part after /p/ in its address.")
    }

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Show a creature's current values in the player view.

        A hidden creature is taken out of the view. So is a defeated creature, if the settings hide the
        defeated.
        """
        view = self._remembered_view()
        view["people"].pop(token["id"], None)
        if not token["hidden"] and not (token["state"] == "out" and self.settings.defeated == "hide"):
            view["people"][token["id"]] = _combatant_payload(token)
        return (yield from self._show_view(view))

    def remove_token(self, id: str) -> Conversation:
        """Remove a creature from the view."""
        view = self._remembered_view()
        view["people"].pop(id, None)
        return (yield from self._show_view(view))

    def put_order(self, order: ShownOrder) -> Conversation:
        """Show the round, the creature whose turn it is, and the turn order."""
        ids = [entry["id"] for entry in order["entries"] if not entry.get("hidden")]
        people = self._remembered_view()["people"]
        return (
            yield from self._show_view(
                {"people": people, "order": ids, "active": order["active"], "round": order["round"]}
            )
        )

    def clear_scene(self) -> Conversation:
        """Show an empty view."""
        self.memory.pop(_VIEW, None)
        return (yield from self._show_view(json.loads(json.dumps(_EMPTY))))

    # Sending

    def _remembered_view(self) -> InitiativeView:
        view: InitiativeView = json.loads(self.memory.get(_VIEW, json.dumps(_EMPTY)))
        return view

    def _show_view(self, view: InitiativeView) -> Conversation:
        """Send the whole view if it differs from the last one sent, and check that it is shown."""
        shown = json.dumps(view)
        if shown == self.memory.get(_VIEW):
            return None
        people = view["people"]
        ids = [
            *(id for id in view["order"] if id in people),
            *(id for id in people if id not in view["order"]),
        ]
        active = view["active"] if view["active"] in people else None
        state = {
            "ActiveCombatantId": active,
            "RoundCounter": view["round"] or 0,
            "Combatants": [people[id] for id in ids],
        }
        id = yield from self._open_connection()
        if isinstance(id, Outcome):
            return id
        said = json.dumps(["update encounter", self.option("view", str), state])
        yield _packet_request(id, f"42{said}")
        answer = yield Request("GET", self._view_path())
        if not answer.planned and answer.value("encounterState") != state:
            return Outcome(OutcomeKind.UNKNOWN, "its player view shows something else")
        yield _packet_request(id, "1")._replace(may_fail=True)
        self.memory[_VIEW] = shown
        return None

    def _open_connection(self) -> Asking[str | Outcome]:
        """Open a Socket.IO connection, and return its id; or an outcome if that failed."""
        answer = yield Request("GET", _SOCKET)
        opened = next((each for each in decode_events(answer.body) or () if each.name == OPENED), None)
        id = "<connection>" if answer.planned else opened and opened.value("sid")
        if not (answer.planned or (isinstance(id, str) and re.fullmatch(r"[\w-]+", id))):
            return Outcome(OutcomeKind.UNKNOWN, "it opened no connection")
        yield _packet_request(str(id), "40")
        for _ in range(_POLLS):
            answer = yield Request("GET", f"{_SOCKET}&sid={id}")
            if answer.planned or any(each.name == CONNECTED for each in decode_events(answer.body) or ()):
                return str(id)
        return Outcome(OutcomeKind.UNKNOWN, "it did not confirm the connection")

    def _view_path(self) -> str:
        return f"/playerviews/{quote(self.option('view', str), safe='')}"

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a request.

        For requests over Socket.IO, the answer isn't JSON. If such an answer has the status 400 or can't be
        read, the outcome is UNKNOWN.
        """
        if not request.path.startswith(_SOCKET):
            return super().outcome(request, answer, now)
        outcome = outcome_of_answer(answer.status, answer.headers, answer.body, now)
        whole = answer.body == b"ok" if request.method == "POST" else decode_events(answer.body) is not None
        if answer.status == 400 or (outcome.kind is OutcomeKind.APPLIED and not whole):
            return Outcome(
                OutcomeKind.UNKNOWN,
                f"its answer to {request.method} /socket.io/ can't be read",
                status=answer.status,
            )
        return outcome

    # Reading

    def probe(self) -> Request:
        """Return the request for the player view."""
        return Request("GET", self._view_path())

    def own_findings(self, wire: Wire) -> Iterator[Finding]:
        """Yield a finding with the address where players watch."""
        yield Finding(
            f"Players watch at {self.address}/p/{quote(self.option('view', str), safe='')}.", tried=False
        )

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Return the names and statuses of the creatures in the player view, by our ids.

        HP are included only if the view shows them in figures, such as 7/10.
        """
        answer = self.send_question(wire, Request("GET", self._view_path()))
        if isinstance(answer, Outcome):
            return answer
        found = answer.value("encounterState", "Combatants")
        people = found if isinstance(found, list) else []
        return {str(each.get("Id")): _read_combatant(each) for each in people if isinstance(each, Mapping)}


def _packet_request(id: str, content: str) -> Request:
    headers = {"content-type": "text/plain; charset=utf-8"}
    return Request("POST", f"{_SOCKET}&sid={id}", headers=headers, content=content.encode())


def _combatant_payload(token: ShownToken) -> Payload:
    tags = [*token["statuses"], *([_OUT] if token["state"] == "out" else [])]
    return {
        "Id": token["id"],
        "Name": token["name"],
        "HPDisplay": escape(_hp_text(token)),
        "HPColor": "auto",
        "Initiative": token["initiative"] or 0,
        "IsPlayerCharacter": token["side"] == "party",
        "Tags": [
            {"Text": tag, "DurationRemaining": -1, "DurationTiming": None, "DurationCombatantId": ""}
            for tag in tags
        ],
        "ImageURL": "",
    }


def _hp_text(token: ShownToken) -> str:
    """Return a creature's HP as players may know them: in figures, as a bar, or in words."""
    first = next(iter(token["meters"]), None)
    if first is None:
        return ""
    if first["shown"] == "exact" and first["value"] is not None:
        return f"{first['value']}" + (f"/{first['max']}" if first["max"] is not None else "")
    if first["shown"] == "bar" and first["value"] is not None and first["max"]:
        full = int(-(-4 * max(0, first["value"]) // first["max"]))
        return "▮" * full + "▯" * (4 - full)
    return str(first["wounds"] or "").capitalize()


def _read_combatant(combatant: Mapping[str, object]) -> ReadToken:
    tags = combatant.get("Tags")
    found = (
        [str(tag.get("Text")) for tag in tags if isinstance(tag, Mapping)] if isinstance(tags, list) else []
    )
    shown: ReadToken = {"name": combatant.get("Name"), "statuses": [tag for tag in found if tag != _OUT]}
    number = re.fullmatch(r"(-?\d+)/(\d+)", str(combatant.get("HPDisplay", "")))
    if number:
        shown["hp"] = {"value": int(number[1]), "max": int(number[2])}
    return shown
