"""The game master's commands from the page, at this machine or on a tablet that has the link for it.

The page has a token that no other site can read. The game behind it decides which lines are allowed.
"""

from __future__ import annotations

import secrets
from typing import Protocol

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .access_control import error_response, is_same_key, may_act
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


class Acts(Protocol):
    """The game behind the game master's own page. Called in threads."""

    def play(self, line: str) -> dict[str, object]:
        """Play a line as it was typed; return {ok, text}."""

    def completions(self, line: str) -> list[str]:
        """Return the completions of the last word of a line."""

    def undoes(self) -> str:
        """Return a line that describes what undo would take back; empty where there is nothing."""

    def proposals(self) -> list[dict[str, object]]:
        """Return the players' proposals, the oldest first: {id, who, text}."""

    def unreachable_targets(self) -> list[str]:
        """Return the names of other tabletops with automatic delivery that have been down for a while."""

    def handouts(self) -> list[dict[str, object]]:
        """Return all handouts: {id, name, shown}."""

    def scene(self) -> dict[str, object]:
        """Return the `scenes` under way, and the `prepared` ones.

        A scene is {id, system, hand, offers}, a prepared one {name, kind, line}.
        """

    def forecast_line(self, line: str) -> dict[str, object]:
        """Return the forecast for an offered line; empty for any other."""

    def moves_to_square(self, person: str, square: str) -> dict[str, object]:
        """Return the ways to bring a creature to a square: `offers` with forecasts, and a `reason`."""

    def keep_picture(self, name: str, content: bytes) -> dict[str, object]:
        """Store a picture in the campaign's folder: {ok, text}, and its {file, width, height, uses}."""

    def use_picture(self, file: str, use: str, name: str, across: int) -> dict[str, object]:
        """Use a stored picture: {ok, text}.

        It becomes a "handout" that is shown at once, or the "map" of a new encounter `name`, `across` squares
        wide.
        """


class ActDoor:
    """The HTTP handlers for the game master's commands, and the token of this run."""

    def __init__(self, acts: Acts, key: str) -> None:
        self._acts = acts
        self._key = key
        self._token = secrets.token_urlsafe(32)

    def routes(self) -> list[Route]:
        """Return the routes.

        GET returns whether the page may act, and its token; POST plays a line. All other routes need that
        token.
        """
        return [
            Route("/acts", self.look, methods=["GET"]),
            Route("/acts", self.act, methods=["POST"]),
            Route("/acts/completions", self.complete, methods=["POST"]),
            Route("/acts/undo", self.undo, methods=["GET"]),
            Route("/acts/handouts", self.handouts, methods=["GET"]),
            Route("/acts/scene", self.scene, methods=["GET"]),
            Route("/acts/expected", self.forecast_line, methods=["POST"]),
            Route("/acts/ways", self.moves_to_square, methods=["POST"]),
            Route("/acts/pictures", self.keep_picture, methods=["POST"]),
            Route("/acts/pictures/use", self.use_picture, methods=["POST"]),
        ]

    async def look(self, request: Request) -> Response:
        """Answer with the token, and the items that wait for the game master."""
        if not may_act(request, self._key):
            return _not_here_response()
        waiting = await run_in_threadpool(self._acts.proposals)
        unheard = await run_in_threadpool(self._acts.unreachable_targets)
        told = {"token": self._token, "proposals": waiting, "unheard": unheard}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

    async def act(self, request: Request) -> Response:
        """Play the line of a body {line}."""
        if (refusal := self._refusal(request)) is not None:
            return refusal
        asked = await _json(request)
        line = _text(asked, "line", LONGEST)
        return _json_response(await run_in_threadpool(self._acts.play, line))

    async def complete(self, request: Request) -> Response:
        """Answer with the completions of the last word of the line in a body {line}."""
        if (refusal := self._refusal(request)) is not None:
            return refusal
        line = _text(await _json(request), "line", LONGEST)
        return _json_response({"words": await run_in_threadpool(self._acts.completions, line)})

    async def undo(self, request: Request) -> Response:
        """Answer with a description of what undo would take back."""
        if (refusal := self._refusal(request)) is not None:
            return refusal
        return _json_response({"undoes": await run_in_threadpool(self._acts.undoes)})

    async def handouts(self, request: Request) -> Response:
        """Answer with all handouts, each with whether players are shown it."""
        if (refusal := self._refusal(request)) is not None:
            return refusal
        return _json_response({"handouts": await run_in_threadpool(self._acts.handouts)})

    async def scene(self, request: Request) -> Response:
        """Answer with the actions offered in the scenes under way.

        Without such scenes the prepared ones are offered.
        """
        if (refusal := self._refusal(request)) is not None:
            return refusal
        return _json_response(await run_in_threadpool(self._acts.scene))

    async def forecast_line(self, request: Request) -> Response:
        """Answer with the forecast for the line in a body {line}."""
        if (refusal := self._refusal(request)) is not None:
            return refusal
        line = _text(await _json(request), "line", LONGEST)
        return _json_response(await run_in_threadpool(self._acts.forecast_line, line))

    async def moves_to_square(self, request: Request) -> Response:
        """Answer with the ways to bring a creature to a square, for a body {who, square}."""
        if (refusal := self._refusal(request)) is not None:
            return refusal
        asked = await _json(request)
        person, square = _text(asked, "who", _NAME), _text(asked, "square", _NAME)
        try:
            return _json_response(await run_in_threadpool(self._acts.moves_to_square, person, square))
        except ValueError:
            raise InvalidBody("square", "must be a square, like C4") from None

    async def keep_picture(self, request: Request) -> Response:
        """Store the picture in the body, under the name in the address (`?name=`)."""
        if (refusal := self._refusal(request)) is not None:
            return refusal
        name = request.query_params.get("name", "")
        content = await _body(request, PICTURE_LIMIT)
        return _json_response(await run_in_threadpool(self._acts.keep_picture, name[-_NAME:], content))

    async def use_picture(self, request: Request) -> Response:
        """Use a stored picture by a body {file, use, name, across}."""
        if (refusal := self._refusal(request)) is not None:
            return refusal
        asked = await _json(request)
        file, use = _text(asked, "file", 2 * _NAME), _text(asked, "use", _NAME)
        name, across = asked.get("name", ""), asked.get("across", 0)
        if not isinstance(name, str) or len(name) > _NAME or not isinstance(across, int):
            raise InvalidBody("name", "must be a name, and across a whole number of squares")
        return _json_response(await run_in_threadpool(self._acts.use_picture, file, use, name, across))

    def _refusal(self, request: Request) -> Response | None:
        if not may_act(request, self._key):
            return _not_here_response()
        if not is_same_key(request.headers.get(HEADER), self._token):
            return error_response(403, "no_token", "reload the page: this token is from an earlier run")
        return None


async def _body(request: Request, limit: int) -> bytes:
    """Return a request's body. Raises HTTPException where it is too large."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > limit:
            raise HTTPException(
                413, f"at most {limit // 1024} KiB are accepted here", {"Connection": "close"}
            )
    return bytes(body)


async def _json(request: Request) -> dict[str, object]:
    asked = parse_json(await _body(request, BODY_LIMIT))
    if not isinstance(asked, dict):
        raise InvalidBody("body", "must be an object")
    return asked


def _text(asked: dict[str, object], key: str, most: int) -> str:
    text = asked.get(key)
    if not isinstance(text, str) or not text.strip() or len(text) > most or not text.isprintable():
        raise InvalidBody(key, f"must be a line of at most {most} characters")
    return text


def _json_response(answer: dict[str, object]) -> Response:
    return JSONResponse(answer, headers={"Cache-Control": "no-store"})


def _not_here_response() -> Response:
    message = "only the game master's own page acts: on this computer by its 127.0.0.1 link, or by a tablet's"
    return error_response(403, "not_here", message)
