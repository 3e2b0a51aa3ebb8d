"""The players' pages, each behind a secret link, and the players' answers and proposals.

The game (`Players`) decides on contents and results; this module does HTTP, access and rate limits. A link's
secret is sent in a header and in no address, so that no log contains it.
"""

from __future__ import annotations

import asyncio
import functools
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from time import monotonic
from typing import NamedTuple, Protocol, cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from .access_control import error_response
from .connection_limits import sender_network_for_limits
from .event_stream import RETRY, HeartbeatTimer, Watchers, answer_stream
from .schemas import InvalidBody, parse_json
from .tiles import SIZES

FOR_GOOD = "private, max-age=31536000, immutable"
BODY_LIMIT = 16 * 1024
"""The maximum size of an answer or a proposal in bytes."""
LONGEST_SECRET = 200
"""The maximum number of characters in a text that is checked as a link's secret."""
MOST_CACHED_PAGES = 200
"""The maximum number of links whose page contents are cached."""
SIGNS = ("hand", "yes", "no", "laugh", "")
"""The signs that a phone may show; "" lowers a hand."""
MOST_FACES = 20
"""The maximum number of dice that a player may have rolled themselves."""


class PlayerRequestRefused(Exception):
    """Raised if an answer or a proposal is refused; its text is for the player.

    `code` is the reason: "gone", "moved_on", "not_offered", "switched_off", "refused", "busy" or "too_many".
    `status` is the HTTP status.
    """

    def __init__(self, code: str, message: str, status: int = 409) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class Players(Protocol):
    """The game behind the players' pages. Its methods may wait for files, and are called in threads."""

    def character_with_secret(self, secret: str) -> str | None:
        """Return the character whose player's link has this secret; None if there is none."""

    def secret_for_recent_code(self, code: str) -> str | None:
        """Return the secret of the player's link to which a code belongs; None if the code isn't valid."""

    def page(self, character: str, *, at_once: bool = False) -> Mapping[str, object]:
        """Return the current contents of a player's page; their `version` changes whenever they change.

        With `at_once`, parts that take a moment to compute are left out. The streams are woken again once
        these parts are ready.
        """

    def picture_seen_by(self, character: str, digest: str) -> tuple[bytes, str] | None:
        """Return the bytes and the media type of a picture that the player sees, by its hash.

        It is None for a picture that the player doesn't see.
        """

    def tile(self, character: str, name: str, size: int) -> bytes | None:
        """Return a tile of the player's map as WebP, with `size` pixels for a square.

        It is None if the player's map has no tile of this name.
        """

    def play_or_propose_answer(
        self, character: str, decision: str, option: str, faces: list[list[int]]
    ) -> dict[str, object]:
        """Answer one of the player's open decisions with an option. Raises PlayerRequestRefused.

        `faces` are the dice that the player rolled, roll by roll. In the result, `taken` says whether the
        answer counts already, and `dice` says which faces are still needed.
        """

    def propose_or_play_in_own_turn(
        self, character: str, offer: str, position: str, faces: list[list[int]]
    ) -> dict[str, object]:
        """Propose an offer to the game master, or play it if the player may play it alone.

        An offer is an action or a roll that the player's page shows.

        Args:
            character: The player's character.
            offer: The id of the offered action or roll.
            position: The state of the page that made the offer.
            faces: The dice that the player rolled, roll by roll.

        Returns:
            In `taken`, whether the offer was played. In `dice`, the faces that the player still has to enter,
            or None. If the offer wasn't played and `dice` is None, the game master has to accept the offer.

        Raises:
            PlayerRequestRefused: The offer isn't possible, or no longer.
        """

    def withdraw_proposal(self, character: str, number: int) -> None:
        """Withdraw one of the player's proposals.

        Raises PlayerRequestRefused if the proposal isn't waiting any more, or if it can't be withdrawn now.
        """

    def sign_sender_name_or_refuse(self, character: str) -> str:
        """Return the name of a character whose player wants to show a sign, such as a raised hand.

        Raises PlayerRequestRefused if signs are switched off.
        """


class RateLimit:
    """A limit on tries (a token bucket).

    `most` tries may be used at once, and one more becomes available every `every` seconds.
    """

    __slots__ = ("_every", "_left", "_most", "_since")

    def __init__(self, most: int, every: float) -> None:
        self._most = self._left = float(most)
        self._every = every
        self._since = monotonic()

    def use_try(self) -> bool:
        """Use one try; return False if none is left."""
        now = monotonic()
        self._left = min(self._most, self._left + (now - self._since) / self._every)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class RateLimits:
    """A limit on tries for each key, such as an address or a character.

    At most `size` keys are remembered. If there are more, the key that was unused for longest is forgotten.
    """

    def __init__(self, most: int, every: float, size: int = 1024) -> None:
        self._most, self._every, self._kept = most, every, size
        self._of: OrderedDict[str, RateLimit] = OrderedDict()

    def use_try(self, key: str) -> bool:
        """Use one try of `key`, an address or a character's id; return False if none is left."""
        bucket = self._of.pop(key, None) or RateLimit(self._most, self._every)
        self._of[key] = bucket
        if len(self._of) > self._kept:
            self._of.popitem(last=False)
        return bucket.use_try()


Handler = Callable[["PhoneHandlers", Request], Awaitable[Response]]


def require_link(handler: Handler) -> Handler:
    """Wrap a handler so that only requests with a player's link reach it.

    In the handler, `request.state.who` is the character to whom the link belongs. Requests with a wrong link
    are limited for each address, because each of them causes work. A valid link is always accepted, even from
    such an address.
    """

    @functools.wraps(handler)
    async def check_link(phones: PhoneHandlers, request: Request) -> Response:
        if phones.players is None:
            return error_response(
                404, "no_players", "nobody plays by phone at this table: `strike table --players`"
            )
        character = await phones.character_of_request(request)
        if character is not None:
            request.state.who = character
            return await handler(phones, request)
        address = sender_network_for_limits(request.scope)
        if not phones.guesses.use_try(address):
            headers = {"Retry-After": "5", "Connection": "close"}
            return error_response(429, "too_many", "too many wrong links; wait a little", headers)
        message = "this link no longer works: ask your game master for yours"
        return error_response(401, "unauthorized", message, {"WWW-Authenticate": "Bearer"})

    return check_link


class PageContents(NamedTuple):
    """The contents of a player's page: their version, and the encoded event.

    The version is "" if the game can't be read.
    """

    version: str
    frame: bytes


def _link_secret(request: Request) -> str:
    """Return the secret of the link in a request's Authorization header; "" if there is none."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    secret = given.strip()
    return secret if scheme.lower() == "bearer" and len(secret) <= LONGEST_SECRET else ""


class PhoneHandlers:
    """The HTTP handlers of the players' pages.

    `watchers` has the open streams of players' pages. `screens` has the streams of the pages that show
    players' signs. `read` is a function that reads a request's body, up to a number of bytes.
    """

    def __init__(
        self,
        players: Players | None,
        watchers: Watchers,
        screens: Watchers,
        read: Callable[[Request, int], Awaitable[bytes]],
    ) -> None:
        self.players = players
        self.watchers = watchers
        self.screens = screens
        self.read = read
        self._cached_contents: dict[str, tuple[int, asyncio.Future[PageContents | None]]] = {}
        """The last contents of each link's page, and the bell's count at that time."""
        self.guesses = RateLimits(20, 3)
        self.codes = RateLimits(5, 20)
        """Limits on tries of codes, which can be guessed, unlike links: few for each address, so nobody else
        is locked out."""
        self.writes = RateLimits(20, 0.5)

    async def character_of_request(self, request: Request) -> str | None:
        """Return the character to whom a request's link belongs; None without a valid link."""
        secret = _link_secret(request)
        assert self.players is not None
        return await run_in_threadpool(self.players.character_with_secret, secret) if secret else None

    async def exchange_code(self, request: Request) -> Response:
        """Answer with the link of the player who has typed in a code.

        The code is in the request's body, under the key `code`.
        """
        if self.players is None:
            return error_response(
                404, "no_players", "nobody plays by phone at this table: `strike table --players`"
            )
        raw = await self.read(request, BODY_LIMIT)
        body = parse_json(raw)
        if not isinstance(body, dict):
            raise InvalidBody("body", "must be an object")
        code = _read_short_text(body, "code")
        if not self.codes.use_try(sender_network_for_limits(request.scope)):
            message = "Too many codes were tried: wait half a minute, or scan the code with your camera."
            return error_response(429, "too_many", message, {"Retry-After": "20"})
        link = await run_in_threadpool(self.players.secret_for_recent_code, code)
        if link is None:
            message = "That code is wrong or too old: ask your game master for a new one."
            return error_response(404, "no_such_code", message)
        return JSONResponse({"link": link}, headers={"Cache-Control": "no-store"})

    @require_link
    async def page(self, request: Request) -> Response:
        """Answer with the contents of the player's page."""
        assert self.players is not None
        page = await run_in_threadpool(self.players.page, request.state.who)
        headers = {"ETag": f'"{page["version"]}"', "Cache-Control": "private, no-cache"}
        if headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return JSONResponse(page, headers=headers)

    @require_link
    async def picture(self, request: Request) -> Response:
        """Answer with a picture that the player sees."""
        assert self.players is not None
        digest = request.path_params["hash"]
        found = await run_in_threadpool(self.players.picture_seen_by, request.state.who, digest)
        if found is None:
            return error_response(404, "not_found", "there is no such picture on your map")
        headers = {"Cache-Control": FOR_GOOD}
        return Response(found[0], media_type=found[1], headers=headers)

    @require_link
    async def tile(self, request: Request) -> Response:
        """Answer with a tile of a map picture with fog."""
        assert self.players is not None
        size = pixels_per_square_or_zero(request)
        name = request.path_params["id"]
        found = await run_in_threadpool(self.players.tile, request.state.who, name, size) if size else None
        if not found:
            return error_response(404, "not_found", "there is no such tile on your map")
        return Response(found, media_type="image/webp", headers={"Cache-Control": FOR_GOOD})

    @require_link
    async def events(self, request: Request) -> Response:
        """Answer with a stream of the page's contents, sent again after each change."""
        return answer_stream(request, self._stream_page_contents(request))

    async def _stream_page_contents(self, request: Request) -> AsyncIterator[bytes]:
        assert self.players is not None
        seen = ""
        yield b"retry: %d\n\n" % RETRY
        secret = _link_secret(request)
        silent = HeartbeatTimer()
        with self.watchers.registered_bell() as bell:
            while not self.watchers.closed:
                bell.clear()
                look = await self.cached_page_contents(secret)
                if look is None:
                    yield b"event: withdrawn\ndata: {}\n\n"
                    return
                if look.version not in (seen, ""):
                    seen = look.version
                    yield look.frame
                    silent.restart()
                if not await silent.wait_for_bell_or_heartbeat(bell):
                    self._cached_contents.pop(
                        secret, None
                    )  # without a ring the contents may still have changed
                    yield b": still here\n\n"

    async def cached_page_contents(self, secret: str) -> PageContents | None:
        """Return the current contents of a player's page, or None if the link isn't valid.

        `secret` is the secret of the link. If several pages share a link, the contents are computed and
        encoded only once for all of them. They are computed again after the streams have been woken.
        """
        rung, found = self._cached_contents.get(secret, (-1, None))
        if found is None or rung != self.watchers.rings:
            if len(self._cached_contents) >= MOST_CACHED_PAGES:
                self._cached_contents.clear()
            found = asyncio.ensure_future(run_in_threadpool(self._read_page_contents, secret))
            self._cached_contents[secret] = self.watchers.rings, found
        return await asyncio.shield(found)

    def _read_page_contents(self, secret: str) -> PageContents | None:
        assert self.players is not None
        character = self.players.character_with_secret(secret)
        if character is None:
            return None
        try:
            page = self.players.page(character, at_once=True)
        except PlayerRequestRefused:  # the game can't be read now: the page stays as it is
            return PageContents("", b"")
        told = json.dumps(page, separators=(",", ":"))
        return PageContents(cast("str", page["version"]), f"event: own\ndata: {told}\n\n".encode())

    @require_link
    async def answer(self, request: Request) -> Response:
        """Handle a player's request to answer an open decision.

        The request's body is {decision, option, faces}: the decision, the chosen option, and the faces of the
        dice that the player rolled.
        """
        body = await self._read_json_and_use_write(request)
        decision, option = _read_short_text(body, "decision"), _read_short_text(body, "option")
        throws = _read_rolls(body)
        assert self.players is not None
        came = await run_in_threadpool(
            self.players.play_or_propose_answer, request.state.who, decision, option, throws
        )
        return JSONResponse(came, 200 if came["taken"] else 202)

    @require_link
    async def propose_or_play(self, request: Request) -> Response:
        """Propose an action to the game master, or play it.

        The request's body is {offer, position, faces}.
        """
        body = await self._read_json_and_use_write(request)
        offer, position = _read_short_text(body, "offer"), _read_short_text(body, "position")
        assert self.players is not None
        throws = _read_rolls(body)
        came = await run_in_threadpool(
            self.players.propose_or_play_in_own_turn, request.state.who, offer, position, throws
        )
        return JSONResponse(came, 200 if came["taken"] else 202)

    @require_link
    async def withdraw_proposal(self, request: Request) -> Response:
        """Withdraw one of the player's proposals."""
        number = request.path_params["id"]
        self._use_write_or_refuse(request)
        if not (number.isdecimal() and number.isascii() and len(number) <= 9):
            raise PlayerRequestRefused("gone", "That is no longer waiting.", 404)
        assert self.players is not None
        await run_in_threadpool(self.players.withdraw_proposal, request.state.who, int(number))
        return Response(status_code=204)

    @require_link
    async def show_or_clear_sign(self, request: Request) -> Response:
        """Show a sign, such as a raised hand, on every screen; an empty sign removes the one shown."""
        body = await self._read_json_and_use_write(request)
        shown = body.get("sign")
        if shown not in SIGNS:
            raise InvalidBody("sign", f"must be one of {', '.join(SIGNS[:-1])}, or empty")
        assert self.players is not None
        name = await run_in_threadpool(self.players.sign_sender_name_or_refuse, request.state.who)
        if not self.screens.show_ping_or_sign(
            "sign", {"who": request.state.who, "name": name, "sign": shown}
        ):
            raise PlayerRequestRefused("too_many", "Too many requests: wait a moment.", 429)
        return Response(status_code=204)

    def _use_write_or_refuse(self, request: Request) -> None:
        if not self.writes.use_try(request.state.who):
            raise PlayerRequestRefused("too_many", "Too many requests: wait a moment.", 429)

    async def _read_json_and_use_write(self, request: Request) -> dict[str, object]:
        raw = await self.read(request, BODY_LIMIT)
        self._use_write_or_refuse(request)
        body = parse_json(raw)
        if not isinstance(body, dict):
            raise InvalidBody("body", "must be an object")
        return body


def pixels_per_square_or_zero(request: Request) -> int:
    """Return how many pixels wide a square is in the tile that a request asks for.

    It is 0 for a size that doesn't exist.
    """
    return next((size for size in SIZES if request.path_params["size"] == str(size)), 0)


def player_refusal_response(request: Request, problem: Exception) -> Response:
    """Return the response to a refused answer or proposal (`problem`)."""
    assert isinstance(problem, PlayerRequestRefused)
    headers = {"Retry-After": "2"} if problem.status in (429, 503) else None
    return error_response(problem.status, problem.code, str(problem), headers)


def _read_short_text(body: dict[str, object], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not 1 <= len(value) <= 200:
        raise InvalidBody(key, "must be text of 1 to 200 characters")
    return value


def _read_rolls(body: dict[str, object]) -> list[list[int]]:
    """Return the faces of the dice that the player rolled, roll by roll, from a body.

    Raises InvalidBody.
    """
    throws: object = body.get("faces", [])
    if not isinstance(throws, list) or len(throws) > MOST_FACES:
        raise InvalidBody("faces", "must be a list of rolls")
    return [*map(_read_faces, throws)]


def _read_faces(faces: object) -> list[int]:
    if (
        not isinstance(faces, list)
        or len(faces) > MOST_FACES
        or not all(type(face) is int and 1 <= face <= 1000 for face in faces)
    ):
        raise InvalidBody("faces", "must be a list of faces of dice")
    return [*faces]
