"""The HTTP application of `strike serve`: access control, and the handler of each address.

Three modules do the work: `hosted_game` plays commands, `audience_queries` answers with what players may
read, and `openapi` describes the API. Begin with `create_app`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, NamedTuple

from starlette.applications import Starlette
from starlette.datastructures import Headers, QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from strike_table.access_control import (
    LOOPBACK_NAMES,
    AllowedOrigins,
    bearer_key,
    error_response,
    host_header_if_exactly_one,
    host_name,
    is_same_key,
)
from strike_table.app import create_app as create_table
from strike_table.connection_limits import KNOWN, ServerLimits
from strike_table.player_pages import PlayerRequestRefused
from strike_table.table_store import TableStore

from ..terminal.invocation import GivenOptions
from . import openapi
from .audience_queries import GM, AudienceQueries
from .hosted_game import Busy, CommandRequest, HostedGame, KeyReused, ends_list

if TYPE_CHECKING:
    from ..terminal.json_envelope_types import Envelope

BODY_LIMIT = 64 * 1024
"""The most bytes of a command."""
LIST_LIMIT = 1024 * 1024
"""The most bytes of a list of commands."""
MOST_COMMANDS = 500
"""The most commands of a list."""
MOST_WAITING = 64
"""The most commands and reads that wait for their turn."""
MOST_WORDS, LONGEST_WORD, MOST_ANSWERS, LONGEST_KEY = 200, 10_000, 200, 200
_API = "/api/v1"
_SECURITY_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def _asgi_headers(headers: Mapping[str, str]) -> dict[bytes, bytes]:
    return {name.lower().encode(): value.encode() for name, value in headers.items()}


_CLOSED_SECURITY_HEADERS = _asgi_headers(_SECURITY_HEADERS)
"""The security headers of an answer that belongs to no page."""


class MalformedRequest(Exception):
    """Raised for a malformed request; its text names the faulty part, and how it must be."""

    def __init__(self, where: str, how: str) -> None:
        super().__init__(f"{where} {how}")


class TooLarge(Exception):
    """Raised for a command, or a list of commands, that is larger than the server accepts.

    The limits are BODY_LIMIT bytes for a command, and LIST_LIMIT bytes and MOST_COMMANDS for a list.
    """


class CommandList(NamedTuple):
    """Commands to play in order; with `keep_going`, a failed command doesn't end the list."""

    requests: Sequence[CommandRequest]
    keep_going: bool


class ServerParts(NamedTuple):
    """The parts of a server.

    Attributes:
        game: The hosted game.
        reads: The queries that the server answers.
        key: The server's key.
        origins: The web sites whose pages may read from the server.
        names: The server's host names.
    """

    game: HostedGame
    reads: AudienceQueries
    key: str
    origins: Iterable[str] = ()
    names: Iterable[str] = ()


def create_app(parts: ServerParts, store: TableStore, limits: ServerLimits) -> Starlette:
    """Return the ASGI application that serves a game, together with the game's table.

    The bridge delivers to the table with a key of its own (`AudienceQueries.key`).
    """
    table = create_table(
        store, parts.reads.key, limits=limits, players=parts.reads.door, range_finder=parts.reads.ranges
    )
    app = Starlette(
        exception_handlers={
            Exception: lambda request, problem: error_response(500, "defect", "strike failed, see its log")
        }
    )
    app.add_middleware(_AccessGate, parts=parts, table=table)
    app.state.watchers, app.state.phones = table.state.watchers, table.state.phones
    return app


class _AccessGate:
    """ASGI middleware that checks the host, origin, key and audience of requests.

    A request that reads the table is answered by the table's application, with what the request's audience
    may see. Any other request is answered by `Handlers` directly, since Starlette's router would only cost
    time. A request with the table's own key goes to the table's application without these checks.
    """

    def __init__(self, app: ASGIApp, parts: ServerParts, table: Starlette) -> None:
        self._handlers = Handlers(parts)
        self._door = parts
        self._table = table
        self._origins = AllowedOrigins(parts.origins)
        self._hosts = LOOPBACK_NAMES | {host_name(name) for name in parts.names} - {""}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        key = bearer_key(headers)
        if is_same_key(key, self._door.reads.key):
            scope[KNOWN] = True
            await self._table(scope, receive, send)
            return
        fence, preflight = _CLOSED_SECURITY_HEADERS, None
        if "origin" in headers:
            preflight = self._origins.answer_preflight(scope)
            if preflight is not None or self._origins.allows_reading(scope):
                fence = _asgi_headers(self._origins.relax_headers_without_check(scope, _SECURITY_HEADERS))

        async def send_with_security_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *(each for each in message["headers"] if each[0] not in fence),
                    *fence.items(),
                ]
            await send(message)

        refusal = (
            self._host_or_origin_refusal(headers, is_open=fence is not _CLOSED_SECURITY_HEADERS)
            or preflight
            or self._key_refusal(key)
        )
        answer = refusal or await self._app_for_valid_request(scope)
        await answer(scope, receive, send_with_security_headers)

    async def _app_for_valid_request(self, scope: Scope) -> ASGIApp:
        """Return the application that answers a request whose key is valid.

        Requests that read the table go to the table's application, and others to `Handlers`. If the audience
        in the request is unknown, the returned application answers with an error. The same is true for a
        request that reads the table, if the table takes too long to show the present campaign.
        """
        scope[KNOWN] = True
        asked = QueryParams(scope["query_string"]).getlist("as")
        audience = self._door.reads.find_audience(asked[0] if asked else GM) if len(asked) < 2 else None
        if audience is None:
            return error_response(400, "bad_request", "`as` is gm, players or the id of a character")
        scope["state"] = {"audience": audience}
        if scope["method"] not in ("GET", "HEAD") or not _is_table_address(scope["path"]):
            return self._handlers
        if not await asyncio.to_thread(
            self._door.reads.start_and_await_table_views
        ):  # the views don't show the present campaign yet
            return error_response(503, "busy", "the table is not ready", {"Retry-After": "1"})

        async def serve_table_view(_: Scope, receive: Receive, send: Send) -> None:
            await self._table(self._door.reads.table_request(scope, audience), receive, send)

        return serve_table_view

    def _host_or_origin_refusal(self, headers: Headers, *, is_open: bool) -> Response | None:
        """Return a refusal if a request has a wrong Host header or comes from another web site, else None.

        If `is_open` is true, the pages of other web sites may make the request, too.
        """
        host = host_header_if_exactly_one(headers)
        if host_name(host) not in self._hosts:
            return error_response(403, "wrong_host", "strike doesn't answer to this host name")
        origin = headers.get("origin")
        if origin is None or is_open or origin.partition("://")[2].lower() == host.lower():
            return None
        return error_response(
            403, "cross_origin", "other sites can't use this: --origin names those that may read"
        )

    def _key_refusal(self, key: str | None) -> Response | None:
        if is_same_key(key, self._door.key):
            return None
        message = "this needs the key of strike serve, as Authorization: Bearer KEY"
        return error_response(401, "unauthorized", message, {"WWW-Authenticate": "Bearer"})


def _is_table_address(path: str) -> bool:
    return path == "/events" or any(
        path == f"{_API}/{name}" or path.startswith(f"{_API}/{name}/") for name in openapi.TABLE_ADDRESSES
    )


Handler = Callable[["Handlers", Request], Awaitable[Response]]


class Handlers:
    """The handlers of requests to the server's own addresses.

    `request.state.audience` is the audience for which a request is answered.
    """

    def __init__(self, parts: ServerParts) -> None:
        self.door = parts
        self.game = parts.game
        self.waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._dispatch(request)
        except tuple(_REFUSALS) as problem:
            response = _REFUSALS[type(problem)](problem)
        await response(scope, receive, send)

    async def _dispatch(self, request: Request) -> Response:
        known = ADDRESSES.get(request.scope["path"])
        if known is None:
            return error_response(404, "not_found", "there is nothing here: /openapi.json lists the paths")
        method, handler = known
        methods = ("GET", "HEAD") if method == "GET" else (method,)
        if request.method not in methods:
            allowed = ", ".join(methods)
            return error_response(405, "method_not_allowed", f"this takes {allowed}", {"Allow": allowed})
        return await handler(self, request)

    async def play_commands_for_gm(self, request: Request) -> Response:
        """Play a command or a list of commands for the game master.

        A command with a key is played only once. Other audiences are refused.
        """
        if request.state.audience.id != GM:
            return error_response(
                403, "not_for_players", "only the game master plays commands: leave out `as`"
            )
        asked = parse_commands_body(*await _read_json_body(request))
        if isinstance(asked, CommandRequest):
            return await self._respond_with_envelope(lambda: self.game.play_request(asked))
        return await self._respond_unless_crowded(lambda: self._play_until_list_ends(asked))

    async def _play_until_list_ends(self, commands: CommandList) -> Response:
        """Play a list of commands, and answer with an envelope or a refusal for each played command.

        After some results, such as a failed command, the rest of the list may be dropped (`ends_list`).
        """
        told: list[bytes] = []
        while len(told) < len(commands.requests):
            came = await asyncio.wrap_future(
                self.game.play_requests_for_a_moment(
                    commands.requests[len(told) :], keep_going=commands.keep_going
                )
            )
            told += [
                bytes(
                    (
                        _REFUSALS[type(each)](each) if isinstance(each, Exception) else _json_response(each)
                    ).body
                )
                for each in came
            ]
            if ends_list(came[-1], keep_going=commands.keep_going):
                break
        return Response(b'{"answers": [%s]}' % b", ".join(told), media_type="application/json")

    async def options(self, request: Request) -> Response:
        """Answer with the legal moves; players get those that they may propose."""
        query = _query_without_unknown_names(request, "system", "who")
        audience = request.state.audience
        if audience.id != GM:
            return await self._respond_with_envelope(
                lambda: self.game.call_on_game_thread(
                    lambda: self.door.reads.proposable_moves_envelope(audience)
                )
            )
        words = (*_optional_query_word(query, "system"), "options", *_optional_query_word(query, "who"))
        return await self._respond_with_envelope(lambda: self.game.play_request(CommandRequest(words)))

    async def odds_for_gm(self, request: Request) -> Response:
        """Answer with the odds of a command, as `strike odds` shows them."""
        _query_without_unknown_names(request, "words")
        words = request.query_params.getlist("words")
        if request.state.audience.id != GM:
            return error_response(403, "not_for_players", "players find chances among their options")
        if not words or len(words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in words):
            raise MalformedRequest("words", "name a roll:  ?words=skill&words=vex&words=Climbing")
        return await self._respond_with_envelope(
            lambda: self.game.play_request(CommandRequest(("odds", *words)))
        )

    async def status(self, request: Request) -> Response:
        """Answer with the state of the campaign."""
        _query_without_unknown_names(request)
        audience = request.state.audience
        if audience.id != GM:
            return await self._respond_with_envelope(
                lambda: self.game.call_on_game_thread(
                    lambda: self.door.reads.status_known_to_players(audience)
                )
            )
        return await self._respond_with_envelope(lambda: self.game.play_request(CommandRequest(("status",))))

    async def log(self, request: Request) -> Response:
        """Answer with journal entries after a number; by default with the last 50."""
        query = _query_without_unknown_names(request, "after", "last")
        after, last = (_query_number(query, name) for name in ("after", "last"))
        audience = request.state.audience
        return await self._respond_with_envelope(
            lambda: self.game.call_on_game_thread(
                lambda: self.door.reads.newest_log_entries_after(audience, after or 0, last or 50)
            )
        )

    async def phone_page(self, request: Request) -> Response:
        """Answer with the page that a player's phone shows."""
        _query_without_unknown_names(request)
        audience = request.state.audience
        if audience.who == "":
            raise MalformedRequest("as", "name a player:  ?as=WHO")
        return _json_response(await asyncio.to_thread(self.door.reads.phone_page, audience))

    async def envelope_schema(self, request: Request) -> Response:
        """Answer with the JSON Schema of the envelopes that commands return."""
        from ..terminal.output_schemas import envelope_schema

        return _json_response(envelope_schema())

    async def openapi_document(self, request: Request) -> Response:
        """Answer with the OpenAPI description of this server."""
        return _json_response(openapi.openapi_document())

    async def _respond_with_envelope(self, ask: Callable[[], Future[Envelope]]) -> Response:
        async def respond() -> Response:
            found: Envelope = await asyncio.wrap_future(ask())
            return _json_response(found)

        return await self._respond_unless_crowded(respond)

    async def _respond_unless_crowded(self, answer: Callable[[], Awaitable[Response]]) -> Response:
        if self.waiting >= MOST_WAITING:
            return error_response(429, "too_many", "too many commands wait: try again", {"Retry-After": "1"})
        self.waiting += 1
        try:
            # A client that goes away is no reason to end this: by its key it learns the result.
            return await answer()
        finally:
            self.waiting -= 1


ADDRESSES: Mapping[str, tuple[str, Handler]] = {
    f"{_API}/commands": ("POST", Handlers.play_commands_for_gm),
    f"{_API}/options": ("GET", Handlers.options),
    f"{_API}/odds": ("GET", Handlers.odds_for_gm),
    f"{_API}/status": ("GET", Handlers.status),
    f"{_API}/log": ("GET", Handlers.log),
    f"{_API}/own": ("GET", Handlers.phone_page),
    f"{_API}/schema": ("GET", Handlers.envelope_schema),
    "/openapi.json": ("GET", Handlers.openapi_document),
}
"""The server's own addresses, each with its method and handler."""


def parse_commands_body(body: object, size: int) -> CommandRequest | CommandList:
    """Return the command, or the list of commands, in a JSON body of `size` bytes.

    Raises MalformedRequest or TooLarge.
    """
    if not isinstance(body, dict) or "commands" not in body:
        if size > BODY_LIMIT:
            raise TooLarge
        return parse_command_body(body)
    for name in body:
        if name not in openapi.LIST_FIELDS:
            raise MalformedRequest(str(name)[:60], f"is none of {', '.join(openapi.LIST_FIELDS)}")
    commands, keep_going = body["commands"], body.get("keep_going", False)
    if not isinstance(commands, list) or not commands:
        raise MalformedRequest("commands", "must be a list of commands")
    if len(commands) > MOST_COMMANDS:
        raise TooLarge
    if type(keep_going) is not bool:
        raise MalformedRequest("keep_going", "is true or false")
    asks = []
    for number, each in enumerate(commands):
        try:
            asks.append(parse_command_body(each))
        except MalformedRequest as problem:
            raise MalformedRequest(f"commands[{number}]:", str(problem)) from None
    return CommandList(asks, keep_going)


def parse_command_body(body: object) -> CommandRequest:
    """Return the command in a JSON body. Raises MalformedRequest."""
    if not isinstance(body, dict):
        raise MalformedRequest("the body", "must be an object")
    for name in body:
        if name not in openapi.COMMAND_FIELDS:
            raise MalformedRequest(str(name)[:60], f"is none of {', '.join(openapi.COMMAND_FIELDS)}")
    words = _list_of_texts(body, "words", MOST_WORDS, LONGEST_WORD)
    if not words:
        raise MalformedRequest("words", "must be the words of a command, one each")
    dice = body.get("dice", [])
    if not isinstance(dice, list) or len(dice) > MOST_ANSWERS:
        raise MalformedRequest("dice", "must be a list of natural faces")
    if not all(type(face) is int and 0 <= face <= 1000 for face in dice):
        raise MalformedRequest("dice", "must be natural faces: whole numbers from 0 to 1000")
    choose = _list_of_texts(body, "choose", MOST_ANSWERS, LONGEST_KEY)
    note, key = body.get("note", ""), body.get("key", "")
    if not isinstance(note, str) or len(note) > LONGEST_WORD:
        raise MalformedRequest("note", f"must be text of at most {LONGEST_WORD} characters")
    if not isinstance(key, str) or len(key) > LONGEST_KEY or not key.isprintable():
        raise MalformedRequest("key", f"must be text of at most {LONGEST_KEY} characters")
    flags = [body.get(name, False) for name in ("secret", "dry_run")]
    if not all(type(flag) is bool for flag in flags):
        raise MalformedRequest("`secret` and `dry_run`", "are true or false")
    return CommandRequest(tuple(words), GivenOptions(tuple(dice), tuple(choose), note, *flags), key)


def _list_of_texts(body: dict[str, object], name: str, max_count: int, max_length: int) -> list[str]:
    found = body.get(name, [])
    if not isinstance(found, list) or len(found) > max_count:
        raise MalformedRequest(name, f"must be a list of at most {max_count} texts")
    if not all(isinstance(each, str) and len(each) <= max_length for each in found):
        raise MalformedRequest(name, f"must be texts of at most {max_length} characters")
    return found


def _query_without_unknown_names(request: Request, *names: str) -> QueryParams:
    for name in request.query_params:
        if name not in (*names, "as"):
            raise MalformedRequest(name[:60], f"is none of {', '.join((*names, 'as'))}")
    return request.query_params


def _optional_query_word(query: QueryParams, name: str) -> list[str]:
    found = query.getlist(name)
    if len(found) > 1 or any(not each or each.startswith("-") or len(each) > LONGEST_KEY for each in found):
        raise MalformedRequest(name, "must be one name")
    return found


def _query_number(query: QueryParams, name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise MalformedRequest(name, "must be a whole number")
    return int(text)


async def _read_json_body(request: Request) -> tuple[object, int]:
    """Return a request's JSON, and its size in bytes. Raises MalformedRequest or TooLarge."""
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LIST_LIMIT:
            raise TooLarge
    try:
        text = raw.decode()
        found = json.loads(text, parse_constant=_refuse_constant)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()  # refuses half a surrogate pair
    except (ValueError, RecursionError):
        if len(raw) > BODY_LIMIT:
            raise TooLarge from None
        raise MalformedRequest("the body", "must be JSON") from None
    return found, len(raw)


def _refuse_constant(word: str) -> object:
    raise ValueError(word)


def _json_response(data: object) -> Response:
    return Response(json.dumps(data).encode(), media_type="application/json")


def _too_large_response(problem: Exception) -> Response:
    message = (
        f"a command may have {BODY_LIMIT // 1024} KiB, "
        f"a list {MOST_COMMANDS} commands and {LIST_LIMIT // 1024} KiB"
    )
    return error_response(413, "too_large", message, {"Connection": "close"})


_REFUSALS: Mapping[type[Exception], Callable[[Exception], Response]] = {
    MalformedRequest: lambda problem: error_response(400, "bad_request", str(problem)),
    TooLarge: _too_large_response,
    KeyReused: lambda problem: error_response(
        409, "key_reused", "this key was used for another command: take a new one"
    ),
    Busy: lambda problem: error_response(503, "busy", str(problem), {"Retry-After": "1"}),
    PlayerRequestRefused: lambda problem: error_response(404, "not_found", str(problem)),
    ClientDisconnect: lambda problem: Response(status_code=400),  # nobody reads it
}
"""The answers to failed requests, by exception."""
