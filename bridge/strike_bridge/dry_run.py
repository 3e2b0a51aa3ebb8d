"""A dry run of a push: its requests, shown without sending them. Nothing changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.problems import BridgeProblem

from .authenticated_wire import outcome_of_crash
from .http_conversation import PLANNED, Answer, Request, converse
from .request_outcome import APPLIED, Outcome
from .settings import Settings
from .targets import make_target_checking_consent
from .targets.base import Target
from .worker import Worker

if TYPE_CHECKING:
    from typing import TypedDict

    class ShownRequest(TypedDict):
        """A request in the form that is shown to people, without keys."""

        method: str
        url: str
        headers: dict[str, str]
        body: object


_MOST_SHOWN = 200
"""The maximum number of requests shown of one step: a conversation may wait for an answer that never comes
here."""


def dry_run(folder: Path, settings: Settings) -> list[ShownRequest]:
    """Return the requests that `push` would make if all went well. Keys are left out of them.

    Nothing is sent, not even a request that only reads. If a request depends on an earlier answer, a
    placeholder stands for the value from that answer. Raises Problem.
    """
    target = make_target_checking_consent(folder, settings, with_key=False)
    shown: list[ShownRequest] = []
    for step in Worker(folder, target).planned_steps():
        requests: list[Request] = []

        def record_request(request: Request, requests: list[Request] = requests) -> Answer | Outcome:
            requests.append(request)
            if request.creates:
                target.links[request.creates] = target.token_id(request, PLANNED)
            return PLANNED if len(requests) < _MOST_SHOWN else APPLIED

        try:
            converse(step.requests(), record_request)
        except Exception as error:  # a plugin may fail in any way
            hint = "Fix or remove its plugin."
            raise BridgeProblem(f"{settings.name}: {outcome_of_crash(target, error).why}.", hint) from None
        shown += [show_request_of_keyless_target(target, request) for request in requests]
    return shown


def show_request_of_keyless_target(target: Target, request: Request) -> ShownRequest:
    """Return a request in the form that is shown to people, without keys."""
    headers, content = request.encoded()
    kind = headers.pop("content-type", "")
    body = request.body
    if content is not None and body is None:
        is_text = any(word in kind for word in ("text", "xml", "form-urlencoded"))
        body = content.decode(errors="replace") if is_text else f"<{len(content):,} bytes>"
    return {
        "method": request.method,
        "url": target.shown_address + request.path,
        "headers": {**target.headers(), **headers},
        "body": body,
    }
