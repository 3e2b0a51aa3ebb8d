"""The game master's commands from a page on this machine or on a tablet that has the link.

The page gets a token, which no other site can read. The game behind the page decides which commands are
allowed.
"""

from __future__ import annotations

import secrets
from typing import Protocol

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .access_control import error_response, is_gm_here_or_on_allowed_tablet, is_same_key
from .schemas import InvalidBody, parse_json

HEADER = "x-strike-acts"
"""The header that carries the token: a form or a link of another site can't set it."""
LONGEST = 2000
"""The maximum number of characters in a line."""
BODY_LIMIT = 16 * 1024
PICTURE_LIMIT = 16 * 1024 * 1024
"""The maximum size of a picture in bytes."""
_NAME = 200
"""The maximum number of characters in a picture's name."""


class GmCommands(Protocol):
    """The game behind the game master's page. Its methods are called in threads."""

    def play(self, line: str) -> dict[str, object]:
        """Play a command line as if it had been typed; return {ok, text}."""

    def completions(self, line: str) -> list[str]:
        """Return the completions of the last word of a line."""

    def next_undo_text(self) -> str:
        """Return a description of the change that `undo` would take back; "" if there is none."""

    def proposals(self) -> list[dict[str, object]]:
        """Return the players' proposals, oldest first, as tables with the keys `id`, `who` and `text`."""

    def targets_down_for_a_while(self) -> list[str]:
        """Return the names of other tabletops with automatic delivery that have been down for a while."""

    def handouts(self) -> list[dict[str, object]]:
        """Return all handouts, each {id, name, shown}."""

    def scenes_under_way_and_prepared(self) -> dict[str, object]:
        """Return {scenes, prepared}: the scenes under way and the prepared scenes.

        Each scene under way is {id, system, hand, offers}; each prepared scene is {name, kind, line}.
        """

    def forecast_offered_line(self, line: str) -> dict[str, object]:
        """Return the forecast for a command line that was offered; an empty table for any other line."""

    def moves_to_square(self, person: str, square: str) -> dict[str, object]:
        """Return the ways in which a creature can get to a square.

        `offers` has these ways, each with its forecast. If there are none, `reason` says why.
        """

    def store_dropped_picture(self, name: str, content: bytes) -> dict[str, object]:
        """Store a picture in the campaign's folder.

        Return {ok, text}, and {file, width, height, uses} if it was stored.
        """

    def show_picture_or_make_encounter(
        self, file: str, use: str, name: str, across: int
    ) -> dict[str, object]:
        """Use a stored picture as `use` says; return {ok, text}.

        With "handout", the picture is shown at once. With "map", it becomes the map of a new encounter
        `name`, and is `across` squares wide.
        """


class GmCommandHandlers:
    """The HTTP handlers for the game master's commands, and the token that pages need.

    The token is valid as long as the table runs.
    """

    def __init__(self, acts: GmCommands, key: str) -> None:
        self._acts = acts
        self._key = key
        self._token = secrets.token_urlsafe(32)

    def routes(self) -> list[Route]:
        """Return the HTTP routes of the game master's page.

        A page first reads /acts with GET. The answer says whether the page may play commands. It also
        contains a token, which every other route requires.
        """
        return [
            Route("/acts", self.get_access_token_and_proposals, methods=["GET"]),
            Route("/acts", self.play_line, methods=["POST"]),
            Route("/acts/completions", self.complete_line, methods=["POST"]),
            Route("/acts/undo", self.describe_undo, methods=["GET"]),
            Route("/acts/handouts", self.handouts, methods=["GET"]),
            Route("/acts/scene", self.get_scenes_under_way_and_prepared, methods=["GET"]),
            Route("/acts/expected", self.forecast_offered_line, methods=["POST"]),
            Route("/acts/ways", self.moves_to_square, methods=["POST"]),
            Route("/acts/pictures", self.store_picture, methods=["POST"]),
            Route("/acts/pictures/use", self.show_picture_or_make_encounter, methods=["POST"]),
        ]

    async def get_access_token_and_proposals(self, request: Request) -> Response:
        """Answer with the token for later commands, the players' proposals, and the unreachable tabletops."""
        if not is_gm_here_or_on_allowed_tablet(request, self._key):
            return _not_gm_page_response()
        waiting = await run_in_threadpool(self._acts.proposals)
        unheard = await run_in_threadpool(self._acts.targets_down_for_a_while)
        told = {"token": self._token, "proposals": waiting, "unheard": unheard}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

    async def play_line(self, request: Request) -> Response:
        """Play the command line in the request's body, `{"line": ...}`, and return the response."""
        if (refusal := self._refusal_response(request)) is not None:
            return refusal
        asked = await _read_json_object(request)
        line = _read_line(asked, "line", LONGEST)
        return _uncached_json_response(await run_in_threadpool(self._acts.play, line))

    async def complete_line(self, request: Request) -> Response:
        """Answer a request {line} with the possible completions of the line's last word."""
        if (refusal := self._refusal_response(request)) is not None:
            return refusal
        line = _read_line(await _read_json_object(request), "line", LONGEST)
        return _uncached_json_response({"words": await run_in_threadpool(self._acts.completions, line)})

    async def describe_undo(self, request: Request) -> Response:
        """Answer with a description of the change that `undo` would take back."""
        if (refusal := self._refusal_response(request)) is not None:
            return refusal
        return _uncached_json_response({"undoes": await run_in_threadpool(self._acts.next_undo_text)})

    async def handouts(self, request: Request) -> Response:
        """Answer with all handouts, each with whether it is shown to players."""
        if (refusal := self._refusal_response(request)) is not None:
            return refusal
        return _uncached_json_response({"handouts": await run_in_threadpool(self._acts.handouts)})

    async def get_scenes_under_way_and_prepared(self, request: Request) -> Response:
        """Answer with the scenes under way and the actions offered in them, and with the prepared scenes."""
        if (refusal := self._refusal_response(request)) is not None:
            return refusal
        return _uncached_json_response(await run_in_threadpool(self._acts.scenes_under_way_and_prepared))

    async def forecast_offered_line(self, request: Request) -> Response:
        """Answer with the forecast for the line in a body {line}."""
        if (refusal := self._refusal_response(request)) is not None:
            return refusal
        line = _read_line(await _read_json_object(request), "line", LONGEST)
        return _uncached_json_response(await run_in_threadpool(self._acts.forecast_offered_line, line))

    async def moves_to_square(self, request: Request) -> Response:
        """Answer with the moves by which a creature can get to a square.

        The request's body is {who, square}.
        """
        if (refusal := self._refusal_response(request)) is not None:
            return refusal
        asked = await _read_json_object(request)
        person, square = _read_line(asked, "who", _NAME), _read_line(asked, "square", _NAME)
        try:
            return _uncached_json_response(
                await run_in_threadpool(self._acts.moves_to_square, person, square)
            )
        except ValueError:
            raise InvalidBody("square", "must be a square, like C4") from None

    async def store_picture(self, request: Request) -> Response:
        """Store the picture in the body, under the name in the address (`?name=`)."""
        if (refusal := self._refusal_response(request)) is not None:
            return refusal
        name = request.query_params.get("name", "")
        content = await _read_body(request, PICTURE_LIMIT)
        return _uncached_json_response(
            await run_in_threadpool(self._acts.store_dropped_picture, name[-_NAME:], content)
        )

    async def show_picture_or_make_encounter(self, request: Request) -> Response:
        """Use a stored picture as the request's JSON body says.

        `file` is the picture. If `use` is "handout", the players are shown the picture. For any other `use`,
        it becomes the map of a new encounter called `name`, and is `across` squares wide.
        """
        if (refusal := self._refusal_response(request)) is not None:
            return refusal
        asked = await _read_json_object(request)
        file, use = _read_line(asked, "file", 2 * _NAME), _read_line(asked, "use", _NAME)
        name, across = asked.get("name", ""), asked.get("across", 0)
        if not isinstance(name, str) or len(name) > _NAME or not isinstance(across, int):
            raise InvalidBody("name", "must be a name, and across a whole number of squares")
        return _uncached_json_response(
            await run_in_threadpool(self._acts.show_picture_or_make_encounter, file, use, name, across)
        )

    def _refusal_response(self, request: Request) -> Response | None:
        if not is_gm_here_or_on_allowed_tablet(request, self._key):
            return _not_gm_page_response()
        if not is_same_key(request.headers.get(HEADER), self._token):
            return error_response(403, "no_token", "reload the page: this token is from an earlier run")
        return None


async def _read_body(request: Request, limit: int) -> bytes:
    """Return a request's body. Raises HTTPException (413) if it has more than `limit` bytes."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > limit:
            raise HTTPException(
                413, f"at most {limit // 1024} KiB are accepted here", {"Connection": "close"}
            )
    return bytes(body)


async def _read_json_object(request: Request) -> dict[str, object]:
    asked = parse_json(await _read_body(request, BODY_LIMIT))
    if not isinstance(asked, dict):
        raise InvalidBody("body", "must be an object")
    return asked


def _read_line(body: dict[str, object], key: str, limit: int) -> str:
    text = body.get(key)
    if not isinstance(text, str) or not text.strip() or len(text) > limit or not text.isprintable():
        raise InvalidBody(key, f"must be a line of at most {limit} characters")
    return text


def _uncached_json_response(answer: dict[str, object]) -> Response:
    return JSONResponse(answer, headers={"Cache-Control": "no-store"})


def _not_gm_page_response() -> Response:
    message = (
        "only the game master's page can play commands: open it with the 127.0.0.1 link on this computer, "
        "or with the tablet's link"
    )
    return error_response(403, "not_here", message)
