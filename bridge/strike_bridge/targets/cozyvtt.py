"""The target CozyVTT: tokens on maps with squares, in one of CozyVTT's own campaigns.

CozyVTT sends players all data of a visible token. So a token gets its HP only in the form that players may
know. `cozyvtt_campaign.py` has CozyVTT's campaign, map and turn order. `cozyvtt_live.py` sends messages to
its open pages.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, cast
from urllib.parse import quote, unquote

from strike_cli.kernel.state_changes import State

from ..request_outcome import retry_after
from ..state_projection import ShownTable
from .base import (
    Answer,
    Asking,
    Conversation,
    Finding,
    ListedToken,
    Option,
    Outcome,
    OutcomeKind,
    Payload,
    Post,
    PreparedRequest,
    Request,
    Requests,
    Settings,
    Supports,
    TabletopValues,
    Target,
    Wire,
    differs,
    value_for_token,
)
from .cozyvtt_campaign import (
    API,
    METADATA_KEY,
    CozyCampaign,
    our_id,
    strike_data_on_token,
    token_gone_outcome,
)
from .cozyvtt_live import LINE, CozyPages
from .token_text import meters_after_first_or_out, turn_words_unless_by_initiative

if TYPE_CHECKING:
    from strike_table.schemas import SquarePayload

    from ..payloads import ReadToken, ShownOrder, ShownScene, ShownToken


_COOKIE = "cozyvtt.sid"
_DISPOSITION = {"party": "friendly", "enemies": "hostile"}
TURN, METERS = "turn", "meters"
"""The names in settings of the conditions that show a creature's place in the round, and its further
meters."""


class CozyTarget(Target):
    """CozyVTT: it shows HP, statuses, turns and chat, and hides tokens.

    A position is the square of a token's top left corner.
    """

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
    default_url = "http://127.0.0.1"
    key_variable = "STRIKE_COZYVTT_KEY"
    key_words = "email and password"
    has_session = True
    recheck_delays = (1.0, 3.0)
    keep_alive_after = 20.0
    OPTIONS: ClassVar = {
        "campaign": Option(str, "", "The campaign, by id or name, if you lead several."),
        "map": Option(str, "", "The map, by id or name. Default: the players' map."),
        "images": Option(dict, {}, "Pictures of tokens: our id, with or without number, and an asset."),
        "origin": Option(list, [0, 0], "The square of the map that A1 lies on, as [across, down] from 0."),
        "live": Option(bool, True, "Chat, turns and live pages; false: only tokens."),
    }

    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        super().__init__(settings, key, session)
        self._campaign = CozyCampaign(self)
        self._pages = CozyPages(self._campaign)

    # Sessions

    def headers(self) -> dict[str, str]:
        """Return the header with the session's cookie."""
        return {"cookie": f"{_COOKIE}={self.session}"} if self.session else {}

    def secrets(self) -> list[str]:
        """Return the texts that must not be shown.

        These are the key, the password in the key, the session, and the id of the Socket.IO connection.
        """
        words = (self.key, self.key.partition(" ")[2], self.session, self._campaign.socket.id)
        return [secret for secret in words if secret]

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """Return a request in the form in which it is sent.

        Some requests go over the socket that CozyVTT's own pages use. The socket's id is added to these, and
        their events are encoded as packets.
        """
        prepared = super().prepare(request, now)
        return (
            self._campaign.socket.encode_request(request, prepared)
            if self._campaign.socket.is_own_request(request)
            else prepared
        )

    def begin_session(self) -> Conversation:
        """Log in. CozyVTT allows only five attempts in a quarter of an hour, so a refusal is final."""
        email, _, password = self.key.partition(" ")
        answer = yield Request("POST", "/api/auth/login", {"email": email, "password": password})
        if answer.value("mfaRequired") is True:
            why = "the account needs a second factor: use an account without one"
            return Outcome(OutcomeKind.REJECTED, why, all=True)
        self.session = answer.cookie(_COOKIE)
        if not (self.session or answer.planned or isinstance(answer.json(), dict)):
            return Outcome(OutcomeKind.UNKNOWN, "its answer to the login can't be read", status=answer.status)
        if not self.session and not answer.planned:
            return Outcome(OutcomeKind.REJECTED, "it returned no session for the login", all=True)
        return None

    def login(self, wire: Wire, ask: Callable[[str, bool], str], tell: Callable[[str], None]) -> str:
        """Ask for a game master's email and password; return both, with a space between them."""
        email = ask(f"Email of your account on {self.name}", False).strip()
        return f"{email} {ask('Password', True)}"

    def project(self, state: State) -> ShownTable:
        """Return what the target is to show; values that its tokens can't hold become conditions.

        A token there has one bar and an initiative. So all meters but the first become conditions. If turns
        don't go by initiative, words such as `Has acted` become conditions, too.
        """
        shown = super().project(state)
        turns = turn_words_unless_by_initiative(shown.order)
        for id, token in shown.tokens.items():
            for key, words in ((TURN, turns.get(id, "")), (METERS, meters_after_first_or_out(token))):
                if words and token["state"] != "out":
                    token["status_ids"].append(key)
                    token["statuses"].append(words)
        return shown

    # Links

    def token_id(self, request: Request, answer: Answer) -> str:
        """Return the ids of the map and of the new token, as `MAP/TOKEN`.

        If the answer has no id of a token, return "".
        """
        token = answer.value("token", "id", default="")
        return f"{self._campaign.map}/{token}" if token else ""

    # Sending

    def put_scene(self, scene: ShownScene) -> Conversation:
        """Find out again which map in CozyVTT to use. strike's own map of the scene isn't sent."""
        self._campaign.map = ""
        place = yield from self._campaign.path_of_map_in_use()
        return None if place else self._campaign.unknown_campaign_or_map_outcome()

    def clear_scene(self) -> Conversation:
        """Remove the tokens that the bridge created, and end the turn order that it sent."""
        if LINE in self.memory:
            told = yield from self._campaign.send_tracker_events([["initiative.end"]])
            if isinstance(told, Outcome):
                return told
            self.memory.pop(LINE, None)
        for id in list(self.created_ids):
            stopped = yield from self.remove_token(id)
            if stopped:
                return stopped
        return None

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Bring a token in CozyVTT up to date.

        - If CozyVTT doesn't have the token, and the token has a position, it is created.
        - If nothing that CozyVTT shows of the token has changed, nothing is sent.
        - If only the position has changed, and players see the token, the token walks there on the pages that
          are open.
        - Otherwise all values of the token are sent, even those that haven't changed.
        """
        place = yield from self._campaign.path_of_map_in_use()
        if not place:
            return self._campaign.unknown_campaign_or_map_outcome()
        path = yield from self._token_path(token["id"])
        made = not path or token["id"] in self.created_ids
        body = self._token_body_without_name(token, made_by_bridge=made)
        if (
            path
            and before
            and before["name"] == token["name"]
            and self._token_body_without_name(before, made_by_bridge=made) == body
        ):
            return None  # such as whose turn it is, which the tracker shows
        if path and token["position"] is not None and self._pages.can_be_shown_walking(token, before):
            return (yield from self._pages.walk_token(token["id"], self._to_map_square(token["position"])))
        self._pages.mark_pages_outdated()
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

    def _token_path(self, id: str) -> Asking[str]:
        """Find out and return the path of one of our tokens on its map.

        The path is "" if the token has no link, or if the campaign isn't found.
        """
        map, _, token = self.links.get(id, "").rpartition("/")
        if not token:
            return ""
        yield from self._campaign.path_of_map_in_use()
        return (
            f"{self._campaign.path_of_map(map)}/tokens/{quote(token, safe='<>')}" if self._campaign.id else ""
        )

    def _token_body_without_name(self, token: ShownToken, *, made_by_bridge: bool) -> Payload:
        hp = token["hp"]
        body: Payload = {
            "size": {"width": token["size"], "height": token["size"]},
            "visible": not self.is_out_of_sight(token),
            "hp": {"current": hp["value"], "max": hp["max"], "temp": 0} if hp else None,
            "showHpBar": hp is not None,
            "conditions": self._conditions_and_taken_out(token),
            "initiative": token["initiative"],
            "metadata": {METADATA_KEY: {"id": token["id"], "made": made_by_bridge, "state": token["state"]}},
        }
        if token["position"] is not None:
            body["position"] = self._to_map_square(token["position"])
        asset = value_for_token(self.option("images", dict), token["id"])
        if asset:
            body["imageUrl"] = asset
        return body

    def _to_map_square(self, position: SquarePayload) -> SquarePayload:
        across, down = self._map_origin()
        return {"x": position["x"] + across, "y": position["y"] + down}

    def _map_origin(self) -> tuple[int, int]:
        across, down = (int(each) for each in [*self.option("origin", list), 0, 0][:2])
        return across, down

    def _conditions_and_taken_out(self, token: ShownToken) -> list[str]:
        words = [*self.status_words(token)]
        if token["state"] == "out":
            words.append(self.statuses.get("out", "Taken Out"))
        return [word for word in dict.fromkeys(words) if word]

    def remove_token(self, id: str) -> Conversation:
        """Delete a creature's token if the bridge created it. Otherwise hide the token."""
        path = yield from self._token_path(id)
        self._pages.mark_pages_outdated()
        if path and id in self.created_ids:
            yield Request("DELETE", path, gone_will_do=True)
            self.links.pop(id, None)  # if a later removal fails, this token is not removed again
        elif path:
            yield Request("PUT", path, {"visible": False}, gone_will_do=True)
        elif id in self.links:
            return self._campaign.unknown_campaign_or_map_outcome()
        return None

    def put_order(self, order: ShownOrder) -> Conversation:
        """Show the turn order in the tracker of open pages."""
        return self._pages.put_order(order)

    def send_result(self, post: Post) -> Conversation:
        """Post a result in the chat, if the option `live` is on and the result isn't secret."""
        return self._pages.send_public_result(post)

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Return whether a result already has its line in the chat; an outcome if that can't be read."""
        return self.run_conversation(wire, self._pages.recent_chat_has_result(post))

    @property
    def pages_are_outdated(self) -> bool:
        """Whether open pages don't show some sent tokens yet."""
        return self._pages.open_pages_are_outdated

    def update_pages(self) -> Conversation:
        """Tell open pages that show the map to load the map again, and update the initiative tracker."""
        return self._pages.update_pages_and_tracker()

    def keep_alive(self) -> Requests:
        """Keep the connection alive; otherwise pages announce that a user left."""
        return self._campaign.socket.test_connection_if_in_use()

    # Reading

    def find_tokens(self, wire: Wire) -> list[ListedToken] | Outcome:
        tokens = self.run_conversation(wire, self._campaign.read_map_tokens())
        if isinstance(tokens, Outcome):
            return tokens
        return [
            ListedToken(
                f"{self._campaign.map}/{each.get('id')}",
                str(each.get("name", "")),
                our_id(each),
                made=bool(strike_data_on_token(each).get("made")),
            )
            for each in tokens
        ]

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Return the tokens on the target's map that stand for ours, by our ids.

        A token on the map stands for one of ours if it is linked to our token, or if it carries our token's
        id. If the tokens can't be read, return the outcome that says why.
        """
        tokens = self.run_conversation(wire, self._campaign.read_map_tokens())
        if isinstance(tokens, Outcome):
            return tokens
        linked = {link.rpartition("/")[2]: id for id, link in self.links.items()}
        named = {each.get("id"): linked.get(str(each.get("id"))) or our_id(each) for each in tokens}
        return {
            str(named[each.get("id")]): self._read_token(each) for each in tokens if named[each.get("id")]
        }

    def read_values(self, wire: Wire) -> TabletopValues | Outcome:
        """Return our tokens on the map, and our ids of the tokens that were deleted from the map.

        If the map's tokens can't be read, return the outcome of the request.
        """
        tokens = self.run_conversation(wire, self._campaign.read_map_tokens())
        if isinstance(tokens, Outcome):
            return tokens
        there = {f"{self._campaign.map}/{token.get('id')}": token for token in tokens}
        here = {id: link for id, link in self.links.items() if link.startswith(f"{self._campaign.map}/")}
        shown = {id: self._read_token(there[link]) for id, link in here.items() if link in there}
        return TabletopValues(shown, [id for id in here if id not in shown])

    def _read_token(self, token: Mapping[str, object]) -> ReadToken:
        across, down = self._map_origin()
        at, hp = cast("Mapping[str, int]", token.get("position") or {}), token.get("hp")
        shown: ReadToken = {
            "name": token.get("name"),
            "position": {"x": at.get("x", 0) - across, "y": at.get("y", 0) - down},
            "hidden": not token.get("visible", True),
            "hp": {"value": hp.get("current"), "max": hp.get("max")} if isinstance(hp, Mapping) else None,
            "initiative": token.get("initiative"),
        }
        if not self.statuses:
            ours = [
                name for name in cast("Sequence[str]", token.get("conditions") or []) if name != "Taken Out"
            ]
            shown["statuses"] = ours
        return shown

    # Answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a request, which depends mostly on the HTTP status of the answer.

        If the token of the request is missing, only this request fails. If a login is refused (401), all
        requests fail. After too many requests (429), the header `RateLimit-Reset` says how long to wait.
        """
        if self._campaign.socket.is_own_request(request):
            return self._campaign.socket.outcome(request, answer, now)
        outcome = super().outcome(request, answer, now)
        said = str(answer.value("message", default=""))
        if answer.status == 404 and said.startswith("Token") and outcome.kind is OutcomeKind.REJECTED:
            return token_gone_outcome(said)
        if answer.status == 401 and request.path.endswith("/login"):
            why = f"it does not accept email and password ({said})"
            return Outcome(OutcomeKind.REJECTED, why, all=True, status=401)
        if answer.status == 429 and request.path.endswith("/login"):
            outcome = outcome._replace(why="too many tries to log in: it answered 429")
        reset = answer.headers.get("ratelimit-reset", "")
        if answer.status == 429 and outcome.retry_after is None:
            return outcome._replace(retry_after=retry_after({"retry-after": reset}, b"", now))
        return outcome

    def is_for_another_request(self, request: Request, answer: Answer) -> bool:
        """Return whether an answer belongs to another request.

        The signs of this are:

        - The request was for a list, and the answer has none.
        - The answer is about a map or a token, but not about the one in the request.
        - The request creates a token with an id of strike's, and the token in the answer has another such id.
        """
        path = request.path.partition("?")[0]
        listed = path.rpartition("/")[2]
        if request.method == "GET" and listed in ("campaigns", "maps", "messages"):
            return not isinstance(answer.value(listed), list)
        map, _, token = path.partition("/maps/")[2].partition("/tokens/")
        if request.method == "GET" and map and not token:
            return bool(answer.value("map", "id") != unquote(map))
        new = answer.value("token")
        made = isinstance(new, Mapping) and differs(request.creates, our_id(new))
        return made or differs(unquote(token), answer.value("token", "id"))

    # Login and checks

    def probe(self) -> Request:
        """Return the request for the account's campaigns."""
        return Request("GET", API)

    def own_findings(self, wire: Wire) -> Iterator[Finding]:
        """Yield a finding: how many tokens the map has, and how many of them are ours.

        If the tokens can't be read, the finding says why.
        """
        tokens = self.run_conversation(wire, self._campaign.read_map_tokens())
        if isinstance(tokens, Outcome):
            yield Finding(f"{tokens.why[:1].upper()}{tokens.why[1:]}.", False)
            return
        ours = sum(bool(our_id(each)) for each in tokens)
        yield Finding(f"The map {self._campaign.map_name} has {len(tokens)} tokens, {ours} of them ours.")
