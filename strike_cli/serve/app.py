"""`strike serve` by HTTP: authorization, and the handler of each address.

Commands are played by `game`, views of the table made by `queries`, the description by `openapi`. Begin
with `create_app`.
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
    Origins,
    bearer_key,
    error_response,
    host_name,
    is_same_key,
    single_host,
)
from strike_table.app import create_app as create_table
from strike_table.limits import KNOWN, ServerLimits
from strike_table.player_pages import NotTaken
from strike_table.store import TableStore

from ..terminal.invocation import GivenOptions
from . import openapi
from .game import Ask, Busy, Game, OtherWords, ends_with
from .queries import GM, Reads

if TYPE_CHECKING:
    from ..terminal.envelope_types import Envelope

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
_FENCE = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def _asgi_headers(headers: Mapping[str, str]) -> dict[bytes, bytes]:
    """Return headers in ASGI's form, with names in small letters."""
    return {name.lower().encode(): value.encode() for name, value in headers.items()}


_SHUT = _asgi_headers(_FENCE)
"""The security headers of an answer that belongs to no page."""


class Wrong(Exception):
    """A request in the wrong form: the place and the correct form."""

    def __init__(self, where: str, how: str) -> None:
        super().__init__(f"{where} {how}")


class TooLarge(Exception):
    """A body of more than BODY_LIMIT bytes, or a list beyond LIST_LIMIT or MOST_COMMANDS."""


class Asks(NamedTuple):
    """Many commands, to be played one after the other."""

    asks: Sequence[Ask]
    keep_going: bool


class ServedGame(NamedTuple):
    """The parts of the server: game, reads, key, the sites whose pages may read, and its host names."""

    game: Game
    reads: Reads
    key: str
    origins: Iterable[str] = ()
    names: Iterable[str] = ()


def create_app(door: ServedGame, store: TableStore, limits: ServerLimits) -> Starlette:
    """Return the served game as an ASGI application.

    The table's content is delivered to it with a key of its own (`Reads.key`), and read in the table's form.
    """
    table = create_table(
        store, door.reads.key, limits=limits, players=door.reads.door, ranges=door.reads.ranges
    )
    app = Starlette(
        exception_handlers={
            Exception: lambda request, problem: error_response(500, "defect", "strike failed, see its log")
        }
    )
    app.add_middleware(_Gate, door=door, table=table)
    app.state.watchers, app.state.phones = table.state.watchers, table.state.phones
    return app


class _Gate:
    """ASGI middleware that checks Host, Origin, key and audience of every request.

    Reads of the table go on to the table, with what their audience may see. All others go straight to the
    handlers: Starlette's router and middleware have nothing for them, and would cost every command time.
    """

    def __init__(self, app: ASGIApp, door: ServedGame, table: Starlette) -> None:
        self._handlers = Handlers(door)
        self._door = door
        self._table = table
        self._origins = Origins(door.origins)
        self._hosts = LOOPBACK_NAMES | {host_name(name) for name in door.names} - {""}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        key = bearer_key(headers)
        if is_same_key(key, self._door.reads.key):
            scope[KNOWN] = True
            await self._table(scope, receive, send)
            return
        fence, preflight = _SHUT, None
        if "origin" in headers:
            preflight = self._origins.preflight(scope)
            if preflight is not None or self._origins.may_read(scope):
                fence = _asgi_headers(self._origins.opened(scope, _FENCE))

        async def fenced(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *(each for each in message["headers"] if each[0] not in fence),
                    *fence.items(),
                ]
            await send(message)

        refusal = self._refusal(headers, is_open=fence is not _SHUT) or preflight or self._keyless(key)
        answer = refusal or await self._read(scope)
        await answer(scope, receive, fenced)

    async def _read(self, scope: Scope) -> ASGIApp:
        """Return the application that answers a reader, with what their audience may see."""
        scope[KNOWN] = True
        asked = QueryParams(scope["query_string"]).getlist("as")
        audience = self._door.reads.audience(asked[0] if asked else GM) if len(asked) < 2 else None
        if audience is None:
            return error_response(400, "bad_request", "`as` is gm, players or the id of a character")
        scope["state"] = {"audience": audience}
        if scope["method"] not in ("GET", "HEAD") or not _is_of_the_table(scope["path"]):
            return self._handlers
        if not await asyncio.to_thread(
            self._door.reads.settle
        ):  # the views don't show the present campaign yet
            return error_response(503, "busy", "the table is not ready", {"Retry-After": "1"})

        async def table(_: Scope, receive: Receive, send: Send) -> None:
            await self._table(self._door.reads.as_read(scope, audience), receive, send)

        return table

    def _refusal(self, headers: Headers, *, is_open: bool) -> Response | None:
        """Return a refusal for a forged Host, or for a page of a foreign site."""
        host = single_host(headers)
        if host_name(host) not in self._hosts:
            return error_response(403, "wrong_host", "strike doesn't answer to this host name")
        origin = headers.get("origin")
        if origin is None or is_open or origin.partition("://")[2].lower() == host.lower():
            return None
        return error_response(
            403, "cross_origin", "other sites can't use this: --origin names those that may read"
        )

    def _keyless(self, key: str | None) -> Response | None:
        if is_same_key(key, self._door.key):
            return None
        message = "this needs the key of strike serve, as Authorization: Bearer KEY"
        return error_response(401, "unauthorized", message, {"WWW-Authenticate": "Bearer"})


def _is_of_the_table(path: str) -> bool:
    return path == "/events" or any(
        path == f"{_API}/{name}" or path.startswith(f"{_API}/{name}/") for name in openapi.OF_THE_TABLE
    )


Handler = Callable[["Handlers", Request], Awaitable[Response]]


class Handlers:
    """The server's own addresses. Each finds the audience of its answer in `request.state.audience`."""

    def __init__(self, door: ServedGame) -> None:
        self.door = door
        self.game = door.game
        self.waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._response(request)
        except tuple(_REFUSALS) as problem:
            response = _REFUSALS[type(problem)](problem)
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        known = ADDRESSES.get(request.scope["path"])
        if known is None:
            return error_response(404, "not_found", "there is nothing here: /openapi.json lists the paths")
        method, handler = known
        methods = ("GET", "HEAD") if method == "GET" else (method,)
        if request.method not in methods:
            allowed = ", ".join(methods)
            return error_response(405, "method_not_allowed", f"this takes {allowed}", {"Allow": allowed})
        return await handler(self, request)

    async def command(self, request: Request) -> Response:
        """Play a command, or many one after the other, each once for its key."""
        if request.state.audience.id != GM:
            return error_response(
                403, "not_for_players", "only the game master plays commands: leave out `as`"
            )
        asked = asked_of(*await _body(request))
        if isinstance(asked, Ask):
            return await self._answer_with(lambda: self.game.answer(asked))
        return await self._run_in_turn(lambda: self._play_all(asked))

    async def _play_all(self, asked: Asks) -> Response:
        """Play many commands, and answer each as if it were alone."""
        told: list[bytes] = []
        while len(told) < len(asked.asks):
            came = await asyncio.wrap_future(
                self.game.answers(asked.asks[len(told) :], keep_going=asked.keep_going)
            )
            told += [
                bytes((_REFUSALS[type(each)](each) if isinstance(each, Exception) else _json(each)).body)
                for each in came
            ]
            if ends_with(came[-1], keep_going=asked.keep_going):
                break
        return Response(b'{"answers": [%s]}' % b", ".join(told), media_type="application/json")

    async def options(self, request: Request) -> Response:
        """Answer with the legal moves."""
        query = _query(request, "system", "who")
        audience = request.state.audience
        if audience.id != GM:
            return await self._answer_with(lambda: self.game.look(lambda: self.door.reads.options(audience)))
        words = (*_query_words(query, "system"), "options", *_query_words(query, "who"))
        return await self._answer_with(lambda: self.game.answer(Ask(words)))

    async def odds(self, request: Request) -> Response:
        """Answer with the odds of a command, as `strike odds` counts them."""
        _query(request, "words")
        words = request.query_params.getlist("words")
        if request.state.audience.id != GM:
            return error_response(403, "not_for_players", "players find chances among their options")
        if not words or len(words) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in words):
            raise Wrong("words", "name a roll:  ?words=skill&words=vex&words=Climbing")
        return await self._answer_with(lambda: self.game.answer(Ask(("odds", *words))))

    async def status(self, request: Request) -> Response:
        """Answer with the state of the campaign."""
        _query(request)
        audience = request.state.audience
        if audience.id != GM:
            return await self._answer_with(lambda: self.game.look(lambda: self.door.reads.status(audience)))
        return await self._answer_with(lambda: self.game.answer(Ask(("status",))))

    async def log(self, request: Request) -> Response:
        """Answer with the entries since a number."""
        query = _query(request, "after", "last")
        after, last = (_number(query, name) for name in ("after", "last"))
        audience = request.state.audience
        return await self._answer_with(
            lambda: self.game.look(lambda: self.door.reads.log(audience, after or 0, last or 50))
        )

    async def own(self, request: Request) -> Response:
        """Answer with a player's own page."""
        _query(request)
        audience = request.state.audience
        if audience.who == "":
            raise Wrong("as", "name a player:  ?as=WHO")
        return _json(await asyncio.to_thread(self.door.reads.own, audience))

    async def schema(self, request: Request) -> Response:
        """Answer with the schema of envelopes."""
        from ..terminal.output_schemas import envelope_schema

        return _json(envelope_schema())

    async def description(self, request: Request) -> Response:
        """Answer with the OpenAPI description of this server."""
        return _json(openapi.openapi_document())

    async def _answer_with(self, ask: Callable[[], Future[Envelope]]) -> Response:
        async def answer() -> Response:
            found: Envelope = await asyncio.wrap_future(ask())
            return _json(found)

        return await self._run_in_turn(answer)

    async def _run_in_turn(self, answer: Callable[[], Awaitable[Response]]) -> Response:
        if self.waiting >= MOST_WAITING:
            return error_response(429, "too_many", "too many commands wait: try again", {"Retry-After": "1"})
        self.waiting += 1
        try:
            # A client that goes away is no reason to end this: by its key it learns the result.
            return await answer()
        finally:
            self.waiting -= 1


ADDRESSES: Mapping[str, tuple[str, Handler]] = {
    f"{_API}/commands": ("POST", Handlers.command),
    f"{_API}/options": ("GET", Handlers.options),
    f"{_API}/odds": ("GET", Handlers.odds),
    f"{_API}/status": ("GET", Handlers.status),
    f"{_API}/log": ("GET", Handlers.log),
    f"{_API}/own": ("GET", Handlers.own),
    f"{_API}/schema": ("GET", Handlers.schema),
    "/openapi.json": ("GET", Handlers.description),
}
"""The server's own addresses, each with its method and handler."""


def asked_of(body: object, size: int) -> Ask | Asks:
    """Read a command, or a list of them, from a body of `size` bytes. Raises Wrong, TooLarge."""
    if not isinstance(body, dict) or "commands" not in body:
        if size > BODY_LIMIT:
            raise TooLarge
        return ask_of(body)
    for name in body:
        if name not in openapi.LIST_FIELDS:
            raise Wrong(str(name)[:60], f"is none of {', '.join(openapi.LIST_FIELDS)}")
    commands, keep_going = body["commands"], body.get("keep_going", False)
    if not isinstance(commands, list) or not commands:
        raise Wrong("commands", "must be a list of commands")
    if len(commands) > MOST_COMMANDS:
        raise TooLarge
    if type(keep_going) is not bool:
        raise Wrong("keep_going", "is true or false")
    asks = []
    for number, each in enumerate(commands):
        try:
            asks.append(ask_of(each))
        except Wrong as problem:
            raise Wrong(f"commands[{number}]:", str(problem)) from None
    return Asks(asks, keep_going)


def ask_of(body: object) -> Ask:
    """Read a command from its body. Raises Wrong."""
    if not isinstance(body, dict):
        raise Wrong("the body", "must be an object")
    for name in body:
        if name not in openapi.FIELDS:
            raise Wrong(str(name)[:60], f"is none of {', '.join(openapi.FIELDS)}")
    words = _texts(body, "words", MOST_WORDS, LONGEST_WORD)
    if not words:
        raise Wrong("words", "must be the words of a command, one each")
    dice = body.get("dice", [])
    if not isinstance(dice, list) or len(dice) > MOST_ANSWERS:
        raise Wrong("dice", "must be a list of natural faces")
    if not all(type(face) is int and 0 <= face <= 1000 for face in dice):
        raise Wrong("dice", "must be natural faces: whole numbers from 0 to 1000")
    choose = _texts(body, "choose", MOST_ANSWERS, LONGEST_KEY)
    note, key = body.get("note", ""), body.get("key", "")
    if not isinstance(note, str) or len(note) > LONGEST_WORD:
        raise Wrong("note", f"must be text of at most {LONGEST_WORD} characters")
    if not isinstance(key, str) or len(key) > LONGEST_KEY or not key.isprintable():
        raise Wrong("key", f"must be text of at most {LONGEST_KEY} characters")
    flags = [body.get(name, False) for name in ("secret", "dry_run")]
    if not all(type(flag) is bool for flag in flags):
        raise Wrong("`secret` and `dry_run`", "are true or false")
    return Ask(tuple(words), GivenOptions(tuple(dice), tuple(choose), note, *flags), key)


def _texts(body: dict[str, object], name: str, most: int, longest: int) -> list[str]:
    found = body.get(name, [])
    if not isinstance(found, list) or len(found) > most:
        raise Wrong(name, f"must be a list of at most {most} texts")
    if not all(isinstance(each, str) and len(each) <= longest for each in found):
        raise Wrong(name, f"must be texts of at most {longest} characters")
    return found


def _query(request: Request, *names: str) -> QueryParams:
    for name in request.query_params:
        if name not in (*names, "as"):
            raise Wrong(name[:60], f"is none of {', '.join((*names, 'as'))}")
    return request.query_params


def _query_words(query: QueryParams, name: str) -> list[str]:
    found = query.getlist(name)
    if len(found) > 1 or any(not each or each.startswith("-") or len(each) > LONGEST_KEY for each in found):
        raise Wrong(name, "must be one name")
    return found


def _number(query: QueryParams, name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise Wrong(name, "must be a whole number")
    return int(text)


async def _body(request: Request) -> tuple[object, int]:
    """Read a request's JSON, and its size in bytes. Raises Wrong, TooLarge."""
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LIST_LIMIT:
            raise TooLarge
    try:
        text = raw.decode()
        found = json.loads(text, parse_constant=_no_number)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()  # refuses half a surrogate pair
    except (ValueError, RecursionError):
        if len(raw) > BODY_LIMIT:
            raise TooLarge from None
        raise Wrong("the body", "must be JSON") from None
    return found, len(raw)


def _no_number(word: str) -> object:
    raise ValueError(word)


def _json(data: object) -> Response:
    return Response(json.dumps(data).encode(), media_type="application/json")


def _too_large_response(problem: Exception) -> Response:
    message = (
        f"a command may have {BODY_LIMIT // 1024} KiB, "
        f"a list {MOST_COMMANDS} commands and {LIST_LIMIT // 1024} KiB"
    )
    return error_response(413, "too_large", message, {"Connection": "close"})


_REFUSALS: Mapping[type[Exception], Callable[[Exception], Response]] = {
    Wrong: lambda problem: error_response(400, "bad_request", str(problem)),
    TooLarge: _too_large_response,
    OtherWords: lambda problem: error_response(
        409, "key_reused", "this key was used for another command: take a new one"
    ),
    Busy: lambda problem: error_response(503, "busy", str(problem), {"Retry-After": "1"}),
    NotTaken: lambda problem: error_response(404, "not_found", str(problem)),
    ClientDisconnect: lambda problem: Response(status_code=400),  # nobody reads it
}
"""The answers to failed requests, by exception."""
