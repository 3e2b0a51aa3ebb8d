"""First contact with a tabletop: recognise its kind, send a test message, and suggest settings."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .authenticated_wire import SessionWire
from .dry_run import show_request_of_keyless_target
from .http_conversation import PLANNED, Answer, PreparedRequest, Request, Wire, converse
from .journal_results import Post
from .request_outcome import Outcome
from .settings import Settings
from .targets import make_target_checking_consent
from .targets.base import Target

if TYPE_CHECKING:
    from .dry_run import ShownRequest
    from .payloads import ShownResult

TEST_MESSAGE = "strike is connected."
_LONGEST = 2000
"""The maximum number of characters shown of an answer."""


class RecognisableKind(NamedTuple):
    """A kind of tabletop, the path to ask for, and a test that recognises the kind by the answer."""

    kind: str
    path: str
    recognises: Callable[[Answer], bool]


def _is_dungeon_revealer(answer: Answer) -> bool:
    return str(answer.value("error", "code")).startswith("ERR_")


def _openapi_paths(answer: Answer) -> Collection[str]:
    found = answer.value("paths")
    return found if isinstance(found, dict) else ()


_KNOWN = (
    RecognisableKind(
        "table", "/openapi.json", lambda answer: "/api/v1/tokens/{id}" in _openapi_paths(answer)
    ),
    RecognisableKind("foundry", "/api/status", lambda answer: answer.value("version") is not None),
    RecognisableKind("encounterplus", "/api", lambda answer: answer.value("game") is not None),
    RecognisableKind("dungeon-revealer", "/api/map", _is_dungeon_revealer),
    RecognisableKind(
        "cozyvtt",
        "/api/campaigns",
        lambda answer: answer.status == 401 and isinstance(answer.value("error"), str),
    ),
)
"""The kinds that can be recognised, in the order in which they are tried."""


def kind_from_address(url: str) -> str:
    """Return the kind of tabletop, if the address alone shows it; otherwise ""."""
    return "discord" if "/api/webhooks/" in url else ""


def detect_kind(url: str) -> tuple[str, str]:
    """Return the kind of tabletop at an address, and an error.

    The kind is "rest" for a server that isn't recognised, and "" if nothing answers. The error is "" unless
    nothing answers. The requests carry no key, and redirects aren't followed.
    """

    def prepare_bare(request: Request, now: float) -> PreparedRequest:
        return PreparedRequest(request.path, {})

    def is_401_but_not_dungeon_revealer(answer: Answer) -> bool:
        return answer.status == 401 and not _is_dungeon_revealer(answer)

    with contextlib.closing(Wire(url.rstrip("/"), prepare_bare)) as wire:
        for known in _KNOWN:
            answer = wire.send(Request("GET", known.path))
            if isinstance(answer, Outcome):
                return "", answer.why
            if answer.status < 500 and known.recognises(answer):
                elsewhere = (
                    wire.send(Request("GET", f"{known.path}-none"))
                    if is_401_but_not_dungeon_revealer(answer)
                    else None
                )
                if not isinstance(elsewhere, Answer) or elsewhere.body != answer.body:
                    return known.kind, ""  # else any path gets this answer, as in many APIs with keys
    return "rest", ""


def preview_test_message(folder: Path, settings: Settings) -> list[ShownRequest]:
    """Return the requests that would send the test message `strike is connected.` to a new target.

    Secrets are blanked out. Raises Problem.
    """
    target = make_target_checking_consent(folder, settings, with_key=False)
    made: list[Request] = []

    def record_request(request: Request) -> Answer:
        made.append(request)
        return PLANNED

    converse(target.send_result(_test_message_post()), record_request)
    return [show_request_of_keyless_target(target, request) for request in made]


class TestMessageResult(NamedTuple):
    """The result of sending the test message: the outcome, the last answer and the target.

    `answer` is None if no answer arrived.
    """

    outcome: Outcome
    answer: Answer | None
    target: Target

    @property
    def printable_body_start(self) -> str:
        """The start of the answer's body as printable text, without secrets."""
        text = self.answer.body[:_LONGEST].decode(errors="replace") if self.answer else ""
        return self.target.redact("".join(each if each.isprintable() else " " for each in text))


def send_test_message(folder: Path, settings: Settings) -> TestMessageResult:
    """Send the test message to a target, and return the result. Raises Problem."""
    target = make_target_checking_consent(folder, settings)
    last: list[Answer] = []
    with contextlib.closing(SessionWire(folder, target)) as wire:

        def send_and_judge(request: Request) -> Answer | Outcome:
            answer = wire.send(request)
            if isinstance(answer, Outcome):
                return answer
            last[:] = [answer]
            outcome = target.outcome(request, answer, time.time())
            return answer if request.goes_on(outcome) else outcome

        outcome = converse(target.send_result(_test_message_post()), send_and_judge)
    return TestMessageResult(outcome, last[0] if last else None, target)


def suggest_settings(answer: Answer | None) -> Iterator[str]:
    """Yield lines of TOML for a REST target's table, guessed from the fields of an answer."""
    data = answer.json() if answer else None
    for path, value in _iter_values(data):
        name = path.rpartition(".")[2].lower()
        if name in ("id", "_id", "uuid") and isinstance(value, str | int):
            yield f'id = "{path}"'
        elif name in ("error", "errors", "message") and "error" in path.lower():
            yield f'ok.error = "{path}"'
    if isinstance(data, dict):
        yield from (f'list = "{key}"' for key, value in data.items() if isinstance(value, list))


def _iter_values(data: object, path: str = "", depth: int = 0) -> Iterator[tuple[str, object]]:
    if isinstance(data, dict) and depth < 4:
        for key, value in data.items():
            yield from _iter_values(value, f"{path}.{key}".lstrip("."), depth + 1)
    elif path:
        yield path, data


def _test_message_post() -> Post:
    result: ShownResult = {
        "id": "0",
        "seq": 0,
        "title": TEST_MESSAGE,
        "text": TEST_MESSAGE,
        "html": f"<p>{TEST_MESSAGE}</p>",
        "dice": [],
        "at": None,
        "undone": False,
        "secret": False,
        "play": None,
    }
    return Post(f"hello-{time.time_ns():x}", result, event=f"hello-{time.time_ns():x}")
