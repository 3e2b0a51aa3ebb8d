"""The target Dungeon Revealer, where a token's place is its centre in pixels of the map's image.

Meters and statuses are part of a token's title, since there is no other place for them. Over HTTP, tokens
can't be created and results can't be posted in the chat. Both are done over the pages' own connection, which
speaks GraphQL.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, cast
from urllib.parse import quote, unquote
from zlib import crc32

from strike_look import LIGHT

from ..journal_results import Post
from ..result_markup import Markup, text_with_number_and_dice
from ..server_clock import earliest_server_time_of_result, parse_time_or_year_2000
from .answers_and_pixel_grid import (
    PixelGrid,
    make_grid,
    parse_number_empty_as_zero,
    tables_in,
    value_at_path_of_keys,
)
from .base import (
    HIDDEN_KEY,
    Answer,
    Asking,
    Conversation,
    Finding,
    ListedToken,
    Option,
    Outcome,
    OutcomeKind,
    PreparedRequest,
    Request,
    Requests,
    Settings,
    Supports,
    TabletopValues,
    Target,
    Wire,
    differs,
)
from .socket_io import Event, EventsTest, EventToSend, SocketIO
from .token_text import meter_words_or_out

if TYPE_CHECKING:
    from ..payloads import ReadToken, ShownToken


_MAPS = Request("GET", "/api/map")
_NAME_SEPARATOR = " \N{EM DASH} "
"""The separator between the name and the rest of a title, so that the name can be read out of it again."""
_COLORS = {"party": LIGHT["party"], "allies": LIGHT["good"], "enemies": LIGHT["enemies"]}
_DOWN = LIGHT["soft"]
_MAX_TITLE = 200
_SPACE = "it reads a password only up to its first space: give it a DM_PASSWORD without spaces"


_OURS = "strike:"
"""The prefix of our id in the description of a token that the bridge made, and in its label until then."""
_PLAYERS_PASSWORD = "the password is the players', not the game master's"
LONGEST = 4000
"""The maximum number of characters in a chat line."""
_EXECUTE, _RESULT = "@graphql/execute", "@graphql/result"
_LOG_IN = "mutation ($input: LogInInput!) { logIn(input: $input) { user { id } } }"
_SAY = "mutation ($input: ChatMessageCreateInput!) { chatMessageCreate(input: $input) { error { reason } } }"
_CHAT = "{ chat { edges { node { ... on UserChatMessage { content createdAt } } } } }"
_ADD = "mutation ($input: MapTokenAddManyInput!) { mapTokenAddMany(input: $input) }"
_REMOVE = "mutation ($input: MapTokenRemoveManyInput!) { mapTokenRemoveMany(input: $input) }"


class DungeonRevealerTarget(Target):
    """Dungeon Revealer, with tokens and chat.

    Players are sent every token there, visible or not, so the target gets no hidden creatures.
    """

    supports = Supports(
        units="pixels",
        anchor="center",
        hp=True,
        statuses=True,
        chat=True,
        read_results=True,
        links=True,
        create=True,
        find=True,
        read_back=True,
    )
    recheck_delays = (1.0, 3.0)
    keep_alive_after = 20.0
    default_url = "http://127.0.0.1:3000"
    key_variable = "STRIKE_DUNGEON_REVEALER_PASSWORD"
    key_words = "game master's password"
    OPTIONS: ClassVar = {
        "map": Option(str, "", "The id of the map. Default: the players' map."),
        "label": Option(str, "short", "The text on a token.", ("short", "name", "keep")),
        "author": Option(str, "strike", "The speaker of results in its chat."),
        "live": Option(bool, True, "Chat and new tokens; false: only your own tokens."),
    }

    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        super().__init__(settings, key, session)
        self._socket = SocketIO(
            self,
            "/api/socket.io/",
            knock=self._require_gm_password,
            greet=self._log_in_and_join_chat,
            nudge=_graphql_event_with_digest_id("{ usersCount }"),
            nudged=_RESULT,
        )

    @property
    def may_create(self) -> bool:
        """Whether the bridge creates missing tokens. It never does so without the option `live`."""
        return super().may_create and bool(self.options["live"])

    def headers(self) -> dict[str, str]:
        """Return the password in a bearer header."""
        return {"authorization": f"Bearer {self.key}"}

    def secrets(self) -> list[str]:
        """Return the password, and the id of the connection that was opened with it."""
        return [*super().secrets(), *([self._socket.id] if self._socket.id else [])]

    def prepare(self, request: Request, now: float) -> PreparedRequest:
        """Return a request that is ready to be sent.

        If the request goes over the Socket.IO connection, it is encoded for this connection, and the password
        is put into it.
        """
        prepared = super().prepare(request, now)
        if not self._socket.is_own_request(request):
            return prepared
        prepared = self._socket.encode_request(request, prepared)
        if prepared.content is None:
            return prepared
        blank, password = json.dumps(HIDDEN_KEY).encode(), json.dumps(self.key).encode()
        return prepared._replace(content=prepared.content.replace(blank, password))

    # Sending

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Send a token's values in one PATCH, after asking for the map's grid.

        If the map doesn't have our token, it is created first.
        """
        answer = yield _MAPS
        body: dict[str, object] = {
            "title": self._token_title(token),
            "color": _DOWN if token["state"] != "up" else _COLORS.get(token["side"], _DOWN),
            "isVisibleForPlayers": not self.is_out_of_sight(token),
        }
        if self.options["label"] != "keep":
            body["label"] = token["name"] if self.options["label"] == "name" else short_label(token["name"])
        if answer.planned:
            place = {} if token["position"] is None else {"x": "<pixels>", "y": "<pixels>"}
            if token["id"] not in self.links:
                yield from self._run_operation(
                    _ADD, {"mapId": "<map>", "tokens": [{**place, "label": _ownership_mark(token["id"])}]}
                )
            yield Request(
                "PATCH",
                self._token_path("<map>", token["id"]),
                {**place, **body},
                creates=self._our_id_if_unlinked(token),
            )
            return None
        shown = self._map_to_use(answer)
        if isinstance(shown, Outcome):
            return shown
        if token["position"] is not None:
            grid = _map_grid(shown)
            if grid is None:
                return Outcome(
                    OutcomeKind.REJECTED, f"its map {_map_title(shown)} has no grid: give it one", all=True
                )
            body["x"], body["y"] = grid.token_center(token["position"], token["size"])
            body["radius"] = round(token["size"] * grid.width / 2)
        theirs = self.links.get(token["id"]) or (yield from self._ensure_token(shown, token["id"], body))
        if not isinstance(theirs, str):
            return theirs
        if self._our_id_if_unlinked(token) or token["id"] in self.created_ids:
            body["description"] = _ownership_mark(token["id"])
        path = f"/api/map/{quote(str(shown['id']))}/token/{quote(theirs, safe='')}"
        answer = yield Request("PATCH", path, body, creates=self._our_id_if_unlinked(token))
        return self._outcome_of_ignored_change(answer, theirs, body)

    def _our_id_if_unlinked(self, token: ShownToken) -> str:
        return "" if token["id"] in self.links else str(token["id"])

    def _ensure_token(
        self, map_data: Mapping[str, object], id: str, body: Mapping[str, object]
    ) -> Asking[str | Outcome]:
        """Return the target's id of our token on the map `map_data`; create the token if it is missing.

        The answer to the creation doesn't contain the id, so the new token is found by its label. Players
        don't see the new token yet.
        """
        found = _find_marked_token(map_data, id)
        if not found:
            place = {key: float(parse_number_empty_as_zero(body.get(key))) for key in ("x", "y", "radius")}
            token = {
                **place,
                "color": body["color"],
                "label": _ownership_mark(id),
                "isVisibleForPlayers": False,
            }
            told = yield from self._run_operation(
                _ADD, {"mapId": map_data["id"], "tokens": [token]}, looked_for=True
            )
            if isinstance(told, Outcome):
                return told
            shown_now = self._map_to_use((yield _MAPS))
            if isinstance(shown_now, Outcome):
                return shown_now
            found = _find_marked_token(shown_now, id)
        return found or Outcome(OutcomeKind.UNKNOWN, "it did not name the new token")

    def token_id(self, request: Request, answer: Answer) -> str:
        """Return the target's id of the token, from the path of the request."""
        return unquote(request.path.rpartition("/token/")[2])

    def clear_scene(self) -> Conversation:
        """Remove from the target's map the tokens that the bridge created.

        Linked tokens that the bridge didn't create stay. Their titles lose the meters and statuses, and
        become plain names again.
        """
        answer = yield _MAPS
        shown = None if answer.planned else self._map_to_use(answer)
        if shown is None or isinstance(shown, Outcome):
            return shown if shown and shown.all else None
        stopped = yield from self._remove_tokens(
            shown, [self.links[id] for id in self.created_ids if id in self.links]
        )
        if stopped is not None:
            return stopped
        ours = {theirs for id, theirs in self.links.items() if id not in self.created_ids}
        for token in tables_in(shown.get("tokens")):
            if token.get("id") in ours and _NAME_SEPARATOR in str(token.get("title") or ""):
                path = f"/api/map/{quote(str(shown['id']))}/token/{quote(str(token['id']), safe='')}"
                yield Request("PATCH", path, {"title": _token_name_without_meters(token)}, gone_will_do=True)
        return None

    def remove_token(self, id: str) -> Conversation:
        """Delete a token that the bridge created; hide any other from the players."""
        if id not in self.links:
            return None
        answer = yield _MAPS
        shown = {"id": "<map>"} if answer.planned else self._map_to_use(answer)
        if isinstance(shown, Outcome):
            return shown
        if id in self.created_ids:
            return (yield from self._remove_tokens(shown, [self.links[id]]))
        body = {"isVisibleForPlayers": False}
        yield Request("PATCH", self._token_path(str(shown["id"]), id), body, gone_will_do=True)
        return None

    def _remove_tokens(self, map_data: Mapping[str, object], ids: list[str]) -> Conversation:
        if ids:
            told = yield from self._run_operation(_REMOVE, {"mapId": map_data["id"], "tokenIds": ids})
            return told if isinstance(told, Outcome) else None
        return None

    def send_result(self, post: Post) -> Conversation:
        """Post a result in the chat, with its number.

        A secret result isn't posted. If the target's option `live` is off, nothing is posted.
        """
        if post.result["secret"] or not self.options["live"]:
            return None
        told = yield from self._run_operation(_SAY, {"rawContent": chat_line(post)}, absolute=False)
        if isinstance(told, Outcome):
            return told
        reason = told.value("data", "chatMessageCreate", "error", "reason")
        return Outcome(OutcomeKind.REJECTED, f"its chat refused it ({reason})") if reason else None

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Return whether the chat has the line of a result; or the outcome, if the chat can't be read.

        Only lines posted after the result was played count. An earlier line with the same number belongs to
        another campaign.
        """
        answer = self.send_question(wire, _MAPS)
        if isinstance(answer, Outcome):
            return answer
        told = self.run_conversation(wire, self._run_operation(_CHAT))
        if isinstance(told, Outcome):
            return told
        oldest, line = earliest_server_time_of_result(post.result["at"], answer.headers), chat_line(post)
        said = tables_in([edge.get("node") for edge in tables_in(told.value("data", "chat", "edges"))])
        return any(
            each.get("content") == line and parse_time_or_year_2000(each.get("createdAt")) >= oldest
            for each in said
        )

    # Its pages' own connection

    def _require_gm_password(self) -> Asking[Outcome | None]:
        """Check that the password is the game master's, since chat lines of other users would be dropped."""
        answer = yield Request("GET", "/api/auth")
        if answer.planned or answer.value("data", "role") == "DM":
            return None
        why = _PLAYERS_PASSWORD if answer.value("data", "role") else "it does not accept the key"
        return Outcome(OutcomeKind.REJECTED, why, all=True, status=401)

    def _log_in_and_join_chat(self) -> Asking[Outcome | None]:
        """Log in as the game master, and as a chat user with a new id.

        The id is new each time because the user of a lost connection is logged out only much later.
        """
        says = [["authenticate", {"password": HIDDEN_KEY, "desiredRole": "admin"}]]
        told = yield from self._socket.send_without_connecting(
            says, lambda told: any(each.name == "authenticated" for each in told)
        )
        if isinstance(told, Outcome):
            return told
        id = hashlib.sha256(self._socket.id.encode()).hexdigest()[:16]
        asks = _graphql_event_with_digest_id(_LOG_IN, {"id": f"strike-{id}", "name": self.options["author"]})
        told = yield from self._socket.send_without_connecting([asks], _answer_test(asks))
        return told if isinstance(told, Outcome) else None

    def _run_operation(
        self, operation: str, given: Mapping[str, object] | None = None, **flags: bool
    ) -> Asking[Event | Outcome]:
        """Send a GraphQL query or mutation over the pages' connection, and return the event with its result.

        If the operation fails, the outcome that says why is returned instead.
        """
        asks = _graphql_event_with_digest_id(operation, given)
        told = yield from self._socket.send_and_read([asks], _answer_test(asks), **flags)
        if isinstance(told, Outcome):
            return told
        answered = next((event for event in told if _is_answer_to(event, asks)), Event(_RESULT))
        fault = answered.value("errors", 0, "message")
        if fault == "Insufficient permissions.":
            return Outcome(OutcomeKind.REJECTED, _PLAYERS_PASSWORD, all=True)
        return Outcome(OutcomeKind.REJECTED, f"it refused ({fault})") if fault else answered

    def keep_alive(self) -> Requests:
        """Keep the connection alive; otherwise pages announce that a user left."""
        return self._socket.test_connection_if_in_use()

    def _token_path(self, map: str, id: str) -> str:
        return f"/api/map/{quote(map, safe='<>')}/token/{quote(self.links.get(id, id), safe='')}"

    def _token_title(self, token: ShownToken) -> str:
        """Return a title such as `Vex — 7/10 HP, Prone`."""
        words = [word for word in (*meter_words_or_out(token), *self.status_words(token)) if word]
        title = f"{token['name']}{_NAME_SEPARATOR}{', '.join(words)}" if words else token["name"]
        return title if len(title) <= _MAX_TITLE else title[: _MAX_TITLE - 1] + "…"

    def _map_to_use(self, answer: Answer) -> Mapping[str, object] | Outcome:
        """Return the map to use, from the list of all maps; or an outcome if there is none.

        The maps are always listed first, since the server answers a request about an unknown map with the
        same error page (500) as after any other error.
        """
        wanted = self.option("map", str) or answer.value("data", "currentMapId")
        if not wanted:
            return Outcome(OutcomeKind.NOT_SENT, "it shows no map to the players")
        for shown in tables_in(answer.value("data", "maps")):
            if shown.get("id") == wanted:
                return shown
        return Outcome(OutcomeKind.REJECTED, f"it has no map {wanted!r}: check options.map", all=True)

    def _outcome_of_ignored_change(
        self, answer: Answer, theirs: str, body: Mapping[str, object]
    ) -> Outcome | None:
        """Return a rejection if the token's title wasn't changed, else None.

        With the players' password, the server silently ignores everything but a token's position.
        """
        for token in tables_in(answer.value("data", "map", "tokens")):
            if token.get("id") == theirs and token.get("title") != body["title"]:
                return Outcome(OutcomeKind.REJECTED, _PLAYERS_PASSWORD, all=True)
        return None

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a request.

        If a token no longer exists, the rejection concerns only this token. If the server refuses a password
        that contains a space, the reason says that the server reads only the first word.
        """
        if self._socket.is_own_request(request):
            return self._socket.outcome(request, answer, now)
        outcome = super().outcome(request, answer, now)
        if answer.status == 401 and " " in self.key:
            return outcome._replace(why=_SPACE)
        if (
            answer.value("error", "code") == "ERR_TOKEN_DOES_NOT_EXIST"
            and outcome.kind is OutcomeKind.REJECTED
        ):
            return outcome._replace(why="it no longer has such a token: link it again", all=False, gone=True)
        return outcome

    def is_for_another_request(self, request: Request, answer: Answer) -> bool:
        """Return whether an answer to a request about a token belongs to another request.

        It does if the answer is about another map, or if the map in the answer has tokens, but not the
        requested one. The result is always False for a request without a token.
        """
        _, _, path = request.path.partition("/api/map/")
        map, _, token = path.partition("/token/")
        if not token or differs(unquote(map), answer.value("data", "map", "id")):
            return bool(token)
        shown = {each.get("id"): each for each in tables_in(answer.value("data", "map", "tokens"))}
        return bool(shown) and unquote(token) not in shown

    # Reading

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Return the linked tokens that players can see on the map, by our ids.

        Each has its name and, if the map has a grid, its position.
        """
        shown = self._read_map_to_use(wire)
        if isinstance(shown, Outcome):
            return shown
        return self._linked_tokens_seen_by_players(shown)

    def _linked_tokens_seen_by_players(self, map_data: Mapping[str, object]) -> dict[str, ReadToken]:
        grid = _map_grid(map_data)
        theirs = {str(token.get("id")): token for token in tables_in(map_data.get("tokens"))}
        found: dict[str, ReadToken] = {}
        for ours, id in self.links.items():
            token = theirs.get(id)
            if token is not None and token.get("isVisibleForPlayers"):
                found[ours] = {"id": ours, "name": _token_name_without_meters(token), "hidden": False}
                if grid is not None:
                    radius, x, y = (
                        parse_number_empty_as_zero(token.get(key)) for key in ("radius", "x", "y")
                    )
                    found[ours]["position"] = grid.first_square_of_token_centered_at(
                        x, y, max(1, round(2 * radius / grid.width))
                    )
        return found

    def read_values(self, wire: Wire) -> TabletopValues | Outcome:
        """Return the positions of linked tokens, and the ids of those that were deleted from the map."""
        shown = self._read_map_to_use(wire)
        if isinstance(shown, Outcome):
            return shown
        there = {str(token.get("id")) for token in tables_in(shown.get("tokens"))}
        return TabletopValues(
            self._linked_tokens_seen_by_players(shown),
            [id for id, link in self.links.items() if link not in there],
        )

    def find_tokens(self, wire: Wire) -> list[ListedToken] | Outcome:
        """Return the map's tokens, named by their title, or by their label if they have no title."""
        shown = self._read_map_to_use(wire)
        if isinstance(shown, Outcome):
            return shown
        return [
            ListedToken(str(token.get("id")), _token_name_without_meters(token), _our_id(token))
            for token in tables_in(shown.get("tokens"))
        ]

    def _read_map_to_use(self, wire: Wire) -> Mapping[str, object] | Outcome:
        answer = self.send_question(wire, _MAPS)
        return answer if isinstance(answer, Outcome) else self._map_to_use(answer)

    def probe(self) -> Request:
        """Return a request for the list of all maps. The server answers it only with a password."""
        return _MAPS

    def own_findings(self, wire: Wire) -> Iterable[Finding]:
        """Yield findings on whether the password is the game master's and whether the map has a grid.

        They also say if the map doesn't exist.
        """
        answer = self.send_question(wire, Request("GET", "/api/auth"))
        if not isinstance(answer, Outcome):
            well = answer.value("data", "role") == "DM"
            whose = "game master's" if well else "players'"
            remedy = "" if well else f"`strike bridge login {self.name}`, with the game master's password."
            yield Finding(f"the password is the {whose}", well, remedy)
        shown = self._read_map_to_use(wire)
        if isinstance(shown, Outcome):
            yield Finding(shown.why, False, "Show a map to the players, or name one in options.map.")
        elif _map_grid(shown) is None:
            yield Finding(
                f"the map {_map_title(shown)} has no grid", False, "Give it one in Dungeon Revealer."
            )
        else:
            yield Finding(f"the map {_map_title(shown)}, with a grid")


_ACTIVE = re.compile(r"[&<>\[\]{}*_`#~|\\+=!]|^\s*(?:-|\d+\.)", re.MULTILINE)


def escape_for_chat(text: str) -> str:
    """Return a text escaped for the chat: no markup, no dice rolls, no templates."""
    return _ACTIVE.sub(
        lambda match: "".join(
            sign if sign.isalnum() or sign.isspace() else f"&#{ord(sign)};" for sign in match[0]
        ),
        text,
    )


CHAT = Markup(escape_for_chat, "**{}**".format, str, "*{}*".format)


def chat_line(post: Post) -> str:
    """Return a result as a line for the chat.

    The line begins with the result's number, so that the bridge can find the line again later.
    """
    return text_with_number_and_dice(post.result, CHAT, LONGEST, "\n\n")


def _graphql_event_with_digest_id(operation: str, given: Mapping[str, object] | None = None) -> EventToSend:
    """Return the event for a GraphQL operation, with a number by which its answer is recognised."""
    variables = {"input": given} if given else {}
    number = crc32(json.dumps([operation, variables], sort_keys=True).encode())
    return [_EXECUTE, {"id": number, "operation": operation, "variables": variables}]


def _is_answer_to(event: Event, operation_event: EventToSend) -> bool:
    return (
        event.name == _RESULT and event.value("id") == cast("Mapping[str, object]", operation_event[1])["id"]
    )


def _answer_test(operation_event: EventToSend) -> EventsTest:
    return lambda told: any(_is_answer_to(event, operation_event) for event in told)


def _ownership_mark(id: str) -> str:
    return f"{_OURS}{id}"


def _our_id(token: Mapping[str, object]) -> str:
    """Return our id of a token that the bridge created; "" for any other token."""
    for field in ("description", "label"):
        text = str(token.get(field) or "")
        if text.startswith(_OURS):
            return text.removeprefix(_OURS)
    return ""


def _find_marked_token(map_data: Mapping[str, object], id: str) -> str:
    """Return the target's id of the token that carries our id; "" if the map has none."""
    return next(
        (str(token.get("id")) for token in tables_in(map_data.get("tokens")) if _our_id(token) == id), ""
    )


def short_label(name: str) -> str:
    """Return a short form of a name: G2 for `Goblin 2`, RL for `Reed Lurker`, Ve for `Vex`."""
    words = name.split()
    if len(words) == 1:
        return name[:2]
    return "".join(word if word.isdigit() else word[0].upper() for word in words)[:4]


def _token_name_without_meters(token: Mapping[str, object]) -> str:
    return str(token.get("title") or "").partition(_NAME_SEPARATOR)[0] or str(token.get("label") or "")


def _map_title(map_data: Mapping[str, object]) -> str:
    return str(map_data.get("title") or map_data.get("id"))


def _map_grid(map_data: Mapping[str, object]) -> PixelGrid | None:
    offsets = value_at_path_of_keys(map_data, "grid.offsetX"), value_at_path_of_keys(map_data, "grid.offsetY")
    return make_grid(
        *offsets,
        value_at_path_of_keys(map_data, "grid.columnWidth"),
        value_at_path_of_keys(map_data, "grid.columnHeight"),
    )
