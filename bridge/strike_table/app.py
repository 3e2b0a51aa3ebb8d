"""The table's HTTP routes and their answers.

`/openapi.json` describes the routes for the authors of other tabletops; a test compares the description with
the routes.
"""

from __future__ import annotations

import asyncio
import functools
import io
import json
import mimetypes
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import BinaryIO, Protocol

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ExceptionHandler

from . import access_control, asset_bundle, images, schemas
from .access_control import (
    AllowedOrigins,
    Guard,
    audience_by_link_key_or_machine,
    error_response,
    has_key,
    is_same_key,
    watch_token,
)
from .audience_views import LinkAudience, View
from .connection_limits import ServerLimits
from .event_stream import Watchers, accepts_gzip, answer_stream, stream_frames
from .gm_commands import GmCommandHandlers, GmCommands
from .player_pages import (
    FOR_GOOD,
    PhoneHandlers,
    PlayerRequestRefused,
    Players,
    pixels_per_square_or_zero,
    player_refusal_response,
)
from .table_store import ImageNotUploaded, KeyReused, TableStore

BODY_LIMIT = 1024 * 1024
"""The maximum size of a body in bytes; an image may be larger."""

_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}
"""Headers for a file whose address changes with its content."""
_CODES = {404: "not_found", 405: "method_not_allowed", 408: "too_slow", 413: "too_large"}
_PIECE = 64 * 1024
"""The bytes of a picture that are in memory for each client that loads it."""
_DIGITS = 18
"""The maximum number of digits in a number of an address or a header; no version or result number comes
near."""

Handler = Callable[["TableHandlers", Request], Awaitable[Response]]


class RangeFinder(Protocol):
    """The game's calculations for the map: a creature's reach, and the squares that the party sees."""

    def __call__(self, character: str, *, gm: bool) -> dict[str, object] | None:
        """Return the squares that a creature can go to (`moves`) and attack (`attacks`), each as {x, y}.

        With `gm`, the squares are found from what the game master knows. Otherwise they are found from what
        players may know. If nothing is to be shown, return None. The table calls this in a thread.
        """

    def squares_in_party_sight(self) -> list[dict[str, object]] | None:
        """Return the squares that the party sees now, on a map with fog; None without such a map.

        This is called in a thread.
        """


def create_app(
    store: TableStore,
    key: str,
    *,
    allowed_hosts: Iterable[str] = (),
    limits: ServerLimits | None = None,
    players: Players | None = None,
    owlbear_room: bool = False,
    range_finder: RangeFinder | None = None,
    origins: Iterable[str] = (),
    gm_commands: GmCommands | None = None,
    tablet: bool = False,
    join_address: Callable[[], str] = str,
) -> Starlette:
    """Return the table as an ASGI application.

    The runner calls `close()` of `app.state.watchers` and `app.state.phones` before it waits for connections
    to end. If players' pages have changed, the owner of `players` calls `app.state.phones.wake_streams()`.

    Args:
        store: The store of what the table shows.
        key: The key that is needed to change anything.
        allowed_hosts: The names, besides localhost, under which the table may be reached.
        limits: The limits for clients; None for the default limits.
        players: The game that players may answer from their phones; None if they may not.
        owlbear_room: Whether to serve the extension for Owlbear Rodeo, and to let that site embed the table.
        range_finder: Calculates a creature's reach.
        origins: Other sites whose pages may read what players see.
        gm_commands: Plays the game master's commands from the game master's page.
        tablet: Whether another machine with the link for tablets may play commands, too.
        join_address: Returns the address at which players type their codes; "" for none.

    Raises:
        ValueError: The key is empty, or an origin is invalid.
    """
    if not key:
        raise ValueError("the table needs a key")
    limits = limits or ServerLimits()
    table = TableHandlers(store, key, limits, players, range_finder, join_address)
    asset_bundle.build_pages_and_bundles()  # at once: a page that can't be joined is no surprise later
    hosts = tuple(allowed_hosts)
    sites = AllowedOrigins(origins).named  # a wrong one is refused at once, not by the first request
    app = Starlette(
        routes=[
            *table.routes(),
            *(table.owlbear_routes() if owlbear_room else ()),
            *(GmCommandHandlers(gm_commands, key).routes() if gm_commands is not None else ()),
        ],
        middleware=[
            Middleware(
                Guard, key=key, limits=limits, allowed_hosts=hosts, owlbear_room=owlbear_room, origins=sites
            )
        ],
        exception_handlers=_exception_handlers(),
    )
    app.router.redirect_slashes = False  # redirects would repeat any Host header
    app.state.takes_tablet = tablet
    app.state.watchers = table.watchers
    app.state.phones = table.phone_handlers.watchers
    return app


def _exception_handlers() -> dict[int | type[Exception], ExceptionHandler]:
    return {
        HTTPException: _answer_http_error,
        schemas.InvalidBody: _error_handler(400, "bad_request"),
        PlayerRequestRefused: player_refusal_response,
        ImageNotUploaded: _error_handler(409, "no_image"),
        KeyReused: _error_handler(409, "key_reused"),
        ClientDisconnect: lambda request, problem: Response(status_code=400),  # nobody reads it
        OSError: _error_handler(507, "not_stored"),
        Exception: lambda request, problem: error_response(
            500, "defect", "the table failed, see its log", {"Connection": "close"}
        ),
    }


def require_key(handler: Handler) -> Handler:
    """Wrap a handler so that only requests with the table's key reach it; others are answered with 401."""

    @functools.wraps(handler)
    async def check_key(table: TableHandlers, request: Request) -> Response:
        return await handler(table, request) if has_key(request, table.key) else _missing_key_response()

    return check_key


def _missing_key_response() -> Response:
    message = "this needs the table's key, as Authorization: Bearer KEY"
    return error_response(401, "unauthorized", message, {"WWW-Authenticate": "Bearer"})


def require_audience(handler: Handler) -> Handler:
    """Wrap a handler so that only people who may watch the table reach it.

    These are people at this machine, and people with a link or the key. Nobody with a wrong link or key may
    watch. Other requests are answered with 401. The handler finds the audience in `request.state.audience`.
    """

    @functools.wraps(handler)
    async def check_access(table: TableHandlers, request: Request) -> Response:
        audience = audience_by_link_key_or_machine(request, table.key)
        if audience is None and "authorization" in request.headers:
            return _missing_key_response()
        if audience is None:
            message = "watching needs the link of this table: ask your game master"
            return error_response(401, "unauthorized", message, {"WWW-Authenticate": "Bearer"})
        request.state.audience = audience
        return await handler(table, request)

    return check_access


class _AnyText(PathConvertor):
    """The last part of an address, which may be any text, even with slashes and line breaks.

    It contains an id, and an id may be any text.
    """

    regex = "(?s:.*)"


register_url_convertor("whole", _AnyText())


class TableHandlers:
    """The HTTP handlers of the table.

    Writes run in a thread, since they wait for the disk and must not block open streams.
    """

    def __init__(
        self,
        store: TableStore,
        key: str,
        limits: ServerLimits,
        players: Players | None = None,
        ranges: RangeFinder | None = None,
        join: Callable[[], str] = str,
    ) -> None:
        self.store = store
        self.ranges = ranges
        self.key = key
        self.limits = limits
        self.watchers = Watchers()
        self.join = join
        self._states: dict[LinkAudience, tuple[int, asset_bundle.Asset]] = {}
        """The last answer for each audience, with its version."""
        self.phone_handlers = PhoneHandlers(players, Watchers(), self.watchers, self._read_body)
        store.on_change = self.watchers.wake_streams

    def routes(self) -> list[Route]:
        cls = TableHandlers
        return [
            self._route("/", GET=cls.get_page_for_anybody),
            self._route("/static/{name}", GET=cls.get_page_file),
            self._route("/openapi.json", GET=cls.get_openapi_description),
            self._route("/events", GET=cls.events),
            self._route("/api/v1", GET=cls.get_supported_features),
            self._route("/api/v1/state", GET=cls.state),
            self._route("/api/v1/images/{hash}", GET=cls.get_image, PUT=cls.put_image),
            self._route("/api/v1/tiles/{id}/{size}", GET=cls.get_tile),
            self._route("/api/v1/scene", GET=cls.get_scene, PUT=cls.put_scene, DELETE=cls.delete_all_scenes),
            self._route("/api/v1/tokens", GET=cls.get_visible_tokens),
            self._route(
                "/api/v1/tokens/{id:whole}", GET=cls.get_token, PUT=cls.put_token, DELETE=cls.delete_token
            ),
            self._route("/api/v1/order", GET=cls.get_order, PUT=cls.put_order),
            self._route("/api/v1/beside", GET=cls.get_side_scenes, PUT=cls.put_side_scenes),
            self._route("/api/v1/asked", GET=cls.get_decisions, PUT=cls.put_decisions),
            self._route("/api/v1/exhibits", GET=cls.get_exhibits, PUT=cls.put_exhibits),
            self._route("/api/v1/ping", POST=cls.post_map_ping),
            self._route("/api/v1/sight", GET=cls.get_squares_in_party_sight),
            self._route("/api/v1/ranges/{id:whole}", GET=cls.get_move_and_attack_squares),
            self._route("/api/v1/evening", GET=cls.get_evening, PUT=cls.put_evening),
            self._route("/api/v1/results", GET=cls.get_results_after, POST=cls.post_result),
            self._route("/join.svg", GET=cls.get_join_qr_code),
            self._route("/play", GET=cls.player_page),
            self._route("/play/{name}", GET=cls.player_file),
            self._player_route("/api/v1/code", POST=PhoneHandlers.exchange_code),
            self._player_route("/api/v1/own", GET=PhoneHandlers.page),
            self._player_route("/api/v1/own/events", GET=PhoneHandlers.events),
            self._player_route("/api/v1/own/images/{hash}", GET=PhoneHandlers.picture),
            self._player_route("/api/v1/own/tiles/{id}/{size}", GET=PhoneHandlers.tile),
            self._player_route("/api/v1/own/answers", POST=PhoneHandlers.answer),
            self._player_route("/api/v1/own/proposals", POST=PhoneHandlers.propose_or_play),
            self._player_route("/api/v1/own/signs", POST=PhoneHandlers.show_or_clear_sign),
            self._player_route("/api/v1/own/proposals/{id}", DELETE=PhoneHandlers.withdraw_proposal),
        ]

    def owlbear_routes(self) -> list[Route]:
        """Return the routes of the extension for Owlbear Rodeo."""
        return [
            self._route(access_control.OWLBEAR_MANIFEST, GET=TableHandlers.get_owlbear_manifest),
            self._route(access_control.OWLBEAR_ICON, GET=TableHandlers.owlbear_icon),
            self._route(f"{access_control.OWLBEAR_FOLDER}{{name}}", GET=TableHandlers.owlbear_file),
        ]

    def _route(self, path: str, **handlers: Handler) -> Route:
        async def dispatch(request: Request) -> Response:
            method = "GET" if request.method == "HEAD" else request.method
            return await handlers[method](self, request)

        return Route(path, dispatch, methods=list(handlers))

    def _player_route(
        self, path: str, **handlers: Callable[[PhoneHandlers, Request], Awaitable[Response]]
    ) -> Route:
        async def dispatch(request: Request) -> Response:
            method = "GET" if request.method == "HEAD" else request.method
            return await handlers[method](self.phone_handlers, request)

        return Route(path, dispatch, methods=list(handlers))

    # Watching

    async def get_page_for_anybody(self, request: Request) -> Response:
        watch = request.query_params.get("watch")
        state = "/api/v1/state" if watch is None else f"/api/v1/state?watch={watch}"
        # The browser requests the state while it still loads the script that shows it.
        early = {"Link": f"<{state}>; rel=preload; as=fetch; crossorigin"}
        may_watch = (
            audience_by_link_key_or_machine(request, self.key) is not None
        )  # then `watch` is a valid token
        page = asset_bundle.build_pages_and_bundles()["index.html"]
        return _answer_unless_cached(request, page, "text/html", early if may_watch else {})

    async def get_page_file(self, request: Request) -> Response:
        name = request.path_params["name"]
        joined = asset_bundle.build_pages_and_bundles().get(name)
        if joined is not None and "-" in name:
            return _answer_with_asset(request, joined, _media_type(name), _FOR_GOOD)
        return _answer_with_page_file(request, f"/static/{name}")

    @require_audience
    async def get_join_qr_code(self, request: Request) -> Response:
        """Answer with a QR code of the address where players join; the address contains no secret."""
        address = self.join()
        if not address:
            return error_response(
                404, "no_players", "nobody plays by phone at this table: `strike table --players`"
            )
        import segno

        from strike_look import PAPER

        drawn = io.BytesIO()
        code = segno.make(f"{address}/play", error="m", micro=False)
        code.save(drawn, kind="svg", border=2, light=PAPER["page"], scale=4)
        headers = {"Cache-Control": "no-cache", "X-Join": f"{address}/play"}
        return Response(drawn.getvalue(), media_type="image/svg+xml", headers=headers)

    async def player_page(self, request: Request) -> Response:
        return _answer_unless_cached(
            request, asset_bundle.build_pages_and_bundles()["player/index.html"], "text/html"
        )

    async def player_file(self, request: Request) -> Response:
        return _answer_with_page_file(request, f"/play/{request.path_params['name']}")

    async def get_owlbear_manifest(self, request: Request) -> Response:
        watch = request.query_params.get("watch", "")
        if watch and not is_same_key(watch, watch_token(self.key)):
            message = "the extension goes to everybody in the room: give it the players' link, or none"
            return error_response(403, "not_for_players", message)
        return JSONResponse(access_control.owlbear_manifest(watch), headers={"Cache-Control": "no-cache"})

    async def owlbear_icon(self, request: Request) -> Response:
        return _answer_with_page_file(request, "/static/icon.svg")

    async def owlbear_file(self, request: Request) -> Response:
        return _answer_with_page_file(
            request, f"{access_control.OWLBEAR_FOLDER}{request.path_params['name']}"
        )

    async def get_openapi_description(self, request: Request) -> Response:
        return _answer_unless_cached(request, _openapi_asset(), "application/json")

    async def get_supported_features(self, request: Request) -> Response:
        return JSONResponse(
            {
                "name": "strike table",
                "api": 1,
                "title": self.store.title,
                "supports": {
                    "hidden": True,
                    "hp": True,
                    "statuses": True,
                    "turn_order": True,
                    "chat": True,
                    "images": True,
                    "doors": True,
                    "zones": True,
                    "read_back": True,
                    "meters": True,
                    "boardless": True,
                    "beside": True,
                    "asked": True,
                    "exhibits": True,
                    "evening": True,
                    "fog": True,
                    "lights": True,
                },
                "units": "squares",
            }
        )

    @require_audience
    async def state(self, request: Request) -> Response:
        audience = request.state.audience
        state = self.store.snapshot(audience)
        kept = self._states.get(audience)
        if kept is None or kept[0] != state["version"]:
            told = json.dumps(state, separators=(",", ":"))
            kept = self._states[audience] = state["version"], asset_bundle.make_asset(told.encode())
        return _answer_with_asset(request, kept[1], "application/json", {})

    @require_audience
    async def events(self, request: Request) -> Response:
        seen = request.headers.get("last-event-id") or request.query_params.get("after", "")
        last = int(seen) if seen.isdecimal() and len(seen) <= _DIGITS else None
        return answer_stream(request, stream_frames(self.store, self.watchers, request.state.audience, last))

    @require_audience
    async def post_map_ping(self, request: Request) -> Response:
        if not self.watchers.show_ping_or_sign("ping", schemas.read_ping(await self._read_json(request))):
            return error_response(429, "too_many", "too many signals at once", {"Retry-After": "1"})
        return Response(status_code=204)

    @require_audience
    async def get_squares_in_party_sight(self, request: Request) -> Response:
        found = (
            await run_in_threadpool(self.ranges.squares_in_party_sight) if self.ranges is not None else None
        )
        return Response(status_code=204) if found is None else JSONResponse({"squares": found})

    @require_audience
    async def get_move_and_attack_squares(self, request: Request) -> Response:
        audience, character = request.state.audience, request.path_params["id"]
        found = None
        if self.ranges is not None and self.store.shows_token(audience, character):
            found = await run_in_threadpool(self.ranges, character, gm=audience is LinkAudience.GM)
        return Response(status_code=204) if found is None else JSONResponse(found)

    @require_audience
    async def get_image(self, request: Request) -> Response:
        digest = request.path_params["hash"]
        file = None
        if schemas.is_sha256_hex(digest):
            file = await run_in_threadpool(self.store.open_image, request.state.audience, digest)
        if file is None:
            raise HTTPException(404, "there is no such image on the table")
        first = await run_in_threadpool(file.read, _PIECE)
        length = os.fstat(file.fileno()).st_size
        headers = {"Cache-Control": FOR_GOOD, "Content-Length": str(length)}
        return StreamingResponse(
            _stream_file(first, file), media_type=images.media_type_of(first), headers=headers
        )

    @require_audience
    async def get_tile(self, request: Request) -> Response:
        size, name, audience = (
            pixels_per_square_or_zero(request),
            request.path_params["id"],
            request.state.audience,
        )
        found = await run_in_threadpool(self.store.tile, audience, name, size) if size else None
        if not found:
            raise HTTPException(404, "there is no such tile on the table")
        return Response(found, media_type="image/webp", headers={"Cache-Control": FOR_GOOD})

    # Delivering and reading back

    @require_key
    async def put_image(self, request: Request) -> Response:
        content = await self._read_body(request, images.IMAGE_LIMIT)
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        await run_in_threadpool(self.store.put_image, request.path_params["hash"], media_type, content)
        return Response(status_code=204)

    @require_audience
    async def get_scene(self, request: Request) -> Response:
        return _json_or_404(self._audience_view(request).scene, "no scene is set")

    @require_key
    async def put_scene(self, request: Request) -> Response:
        scene = schemas.read_scene(await self._read_json(request))
        await run_in_threadpool(self.store.put_scene_and_delete_old_images, scene)
        return JSONResponse(scene)

    @require_key
    async def delete_all_scenes(self, request: Request) -> Response:
        await run_in_threadpool(self.store.end_all_scenes)
        return Response(status_code=204)

    @require_audience
    async def get_visible_tokens(self, request: Request) -> Response:
        return JSONResponse({"tokens": list(self._audience_view(request).tokens.values())})

    @require_audience
    async def get_token(self, request: Request) -> Response:
        token_id = request.path_params["id"]
        return _json_or_404(
            self._audience_view(request).tokens.get(token_id), f"there is no token {token_id!r}"
        )

    @require_key
    async def put_token(self, request: Request) -> Response:
        token = schemas.read_token(await self._read_json(request), request.path_params["id"])
        await run_in_threadpool(self.store.put_token, token)
        return JSONResponse(token)

    @require_key
    async def delete_token(self, request: Request) -> Response:
        await run_in_threadpool(self.store.remove_token, request.path_params["id"])
        return Response(status_code=204)

    @require_audience
    async def get_order(self, request: Request) -> Response:
        return _json_or_404(self._audience_view(request).order, "no turn order is set")

    @require_key
    async def put_order(self, request: Request) -> Response:
        order = schemas.read_order(await self._read_json(request))
        await run_in_threadpool(self.store.put_order, order)
        return JSONResponse(order)

    @require_audience
    async def get_side_scenes(self, request: Request) -> Response:
        return JSONResponse({"scenes": list(self._audience_view(request).beside)})

    @require_key
    async def put_side_scenes(self, request: Request) -> Response:
        beside = schemas.read_side_scenes(await self._read_json(request))
        await run_in_threadpool(self.store.put_side_scenes, beside)
        return JSONResponse({"scenes": beside})

    @require_audience
    async def get_decisions(self, request: Request) -> Response:
        return JSONResponse({"asked": list(self._audience_view(request).asked)})

    @require_key
    async def put_decisions(self, request: Request) -> Response:
        asked = schemas.read_decisions(await self._read_json(request))
        await run_in_threadpool(self.store.put_decisions, asked)
        return JSONResponse({"asked": asked})

    @require_audience
    async def get_exhibits(self, request: Request) -> Response:
        return JSONResponse({"exhibits": list(self._audience_view(request).exhibits)})

    @require_key
    async def put_exhibits(self, request: Request) -> Response:
        exhibits = schemas.read_exhibits(await self._read_json(request))
        await run_in_threadpool(self.store.put_exhibits, exhibits)
        return JSONResponse({"exhibits": exhibits})

    @require_audience
    async def get_evening(self, request: Request) -> Response:
        return _json_or_404(self._audience_view(request).evening, "no evening is set")

    @require_key
    async def put_evening(self, request: Request) -> Response:
        evening = schemas.read_evening(await self._read_json(request))
        await run_in_threadpool(self.store.put_evening, evening)
        return JSONResponse(evening)

    @require_audience
    async def get_results_after(self, request: Request) -> Response:
        after = request.query_params.get("after", "-1")
        if not after.removeprefix("-").isdecimal() or len(after) > _DIGITS:
            raise schemas.InvalidBody("after", "must be a whole number")
        found = [result for result in self._audience_view(request).results if result["seq"] > int(after)]
        return JSONResponse({"results": found})

    @require_key
    async def post_result(self, request: Request) -> Response:
        key = request.headers.get("idempotency-key")
        if key is not None and not 1 <= len(key) <= 255:
            raise schemas.InvalidBody("Idempotency-Key", "must have from 1 to 255 characters")
        result = schemas.read_result(await self._read_json(request))
        kept, is_new = await run_in_threadpool(self.store.add_or_replace_result, result, key)
        return JSONResponse(kept, 201 if is_new else 200)

    def _audience_view(self, request: Request) -> View:
        return self.store.view(request.state.audience)

    async def _read_json(self, request: Request) -> object:
        return schemas.parse_json(await self._read_body(request, BODY_LIMIT))

    async def _read_body(self, request: Request, limit: int) -> bytes:
        """Return a request's body.

        Reading stops after `limit` bytes, whatever length was announced; the answer is then 413. It also
        stops when the time for reading is over; the answer is then 408.
        """
        raw = bytearray()
        try:
            async with asyncio.timeout(self.limits.body):
                async for chunk in request.stream():
                    raw += chunk
                    if len(raw) > limit:
                        message = f"a body may have {limit // 1024} KiB here"
                        raise HTTPException(413, message, {"Connection": "close"})
        except TimeoutError:
            raise HTTPException(408, "the body took too long", {"Connection": "close"}) from None
        return bytes(raw)


async def _stream_file(first: bytes, file: BinaryIO) -> AsyncIterator[bytes]:
    """Yield a file's content in pieces; `first` is the piece that was read already.

    Each piece is read only after the one before it was sent, so that few bytes are in memory.
    """
    piece = first
    with file:
        while piece:
            yield piece
            piece = await run_in_threadpool(file.read, _PIECE)


def _json_or_404(value: object, message_404: str) -> Response:
    if value is None:
        raise HTTPException(404, message_404)
    return JSONResponse(value)


def _answer_with_page_file(request: Request, address: str) -> Response:
    """Answer with one of the page's files that isn't part of the bundle.

    The answer is 404 if there is no file at this address.
    """
    try:
        content = asset_bundle.read_page_file(address)
    except KeyError:
        raise HTTPException(404, f"the page has no file {address.rpartition('/')[2]!r}") from None
    return _answer_unless_cached(request, _cached_asset(content), _media_type(address))


_cached_asset = functools.lru_cache(maxsize=200)(asset_bundle.make_asset)


@functools.lru_cache(maxsize=1)
def _openapi_asset() -> asset_bundle.Asset:
    return asset_bundle.make_asset(schemas.openapi_description())


def _answer_unless_cached(
    request: Request,
    asset: asset_bundle.Asset,
    media_type: str,
    extra_headers: Mapping[str, str] | None = None,
) -> Response:
    tag = f'"{asset.hash[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", **(extra_headers or {})}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return _answer_with_asset(request, asset, media_type, headers)


def _answer_with_asset(
    request: Request, asset: asset_bundle.Asset, media_type: str, headers: Mapping[str, str]
) -> Response:
    """Answer with an asset, compressed if the browser accepts that."""
    if asset.compressed is None:
        return Response(asset.content, media_type=media_type, headers=headers)
    encoded = {**headers, "Vary": "Accept-Encoding"}
    if not accepts_gzip(request):
        return Response(asset.content, media_type=media_type, headers=encoded)
    return Response(asset.compressed, media_type=media_type, headers={**encoded, "Content-Encoding": "gzip"})


def _media_type(name: str) -> str:
    # Not guessed: on Windows the registry may call JavaScript text/plain, which nosniff would block.
    known = {
        ".js": "text/javascript",
        ".css": "text/css",
        ".html": "text/html",
        ".svg": "image/svg+xml",
        ".woff2": "font/woff2",
    }
    return (
        known.get(PurePosixPath(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    )


def _answer_http_error(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    code = _CODES.get(problem.status_code, "error")
    headers = dict(problem.headers) if problem.headers else None
    return error_response(problem.status_code, code, problem.detail, headers)


def _error_handler(status: int, code: str) -> Callable[[Request, Exception], Response]:
    return lambda request, problem: error_response(status, code, str(problem))
