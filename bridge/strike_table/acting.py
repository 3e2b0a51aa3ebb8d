"""The door by which the game master's own page acts: at this machine alone, with a token that the page has
and no other site can read. What a line may say is the game's business behind it.
"""

from __future__ import annotations

import secrets
from typing import Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .guard import error, may_act, same_key
from .schemas import InvalidBody, parse_json

HEADER = "x-strike-acts"
"""Carries the token: a form or a link of another site can't set it."""
LONGEST = 2000
"""Characters of a line."""
BODY_LIMIT = 16 * 1024


class Acts(Protocol):
    """Whoever plays the game plays what the game master's own page asks for. Called in threads."""

    def play(self, line: str) -> dict[str, object]:
        """What a line as typed comes to: {ok, text}."""

    def proposals(self) -> list[dict[str, object]]:
        """What players propose, the oldest first: {id, who, text}."""


class ActDoor:
    """The two handlers, and the token of this run."""

    def __init__(self, acts: Acts, key: str) -> None:
        self._acts = acts
        self._key = key
        self._token = secrets.token_urlsafe(32)

    def routes(self) -> list[Route]:
        """GET says whether the page may act, and its token; POST plays a line."""
        return [Route("/acts", self.look, methods=["GET"]), Route("/acts", self.act, methods=["POST"])]

    async def look(self, request: Request) -> Response:
        """The token, and what waits for the game master."""
        if not may_act(request, self._key):
            return _not_here()
        waiting = await run_in_threadpool(self._acts.proposals)
        told = {"token": self._token, "proposals": waiting}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

    async def act(self, request: Request) -> Response:
        """Play the line of a body {line}."""
        if not may_act(request, self._key):
            return _not_here()
        if not same_key(request.headers.get(HEADER), self._token):
            return error(403, "no_token", "reload the page: this token is not of this run")
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > BODY_LIMIT:
                return error(413, "too_large", f"a line has at most {LONGEST} characters")
        asked = parse_json(bytes(body))
        line = asked.get("line") if isinstance(asked, dict) else None
        if not isinstance(line, str) or not line.strip() or len(line) > LONGEST or not line.isprintable():
            raise InvalidBody("line", f"must be a line of at most {LONGEST} characters")
        came: dict[str, object] = await run_in_threadpool(self._acts.play, line)
        return JSONResponse(came, headers={"Cache-Control": "no-store"})


def _not_here() -> Response:
    message = "only the game master's own page on this computer acts, opened by its 127.0.0.1 link"
    return error(403, "not_here", message)
