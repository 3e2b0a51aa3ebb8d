"""A connection to a target that logs in by itself, if the target wants a session."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from strike_cli.problems import Problem

from .address import origin_of
from .credential_store import store_session
from .http_conversation import Answer, Request, Wire, converse
from .request_outcome import Outcome, OutcomeKind
from .targets.base import Target

Given = ParamSpec("Given")
Found = TypeVar("Found")


_RENEWED = "renewed"
"""The memory key that marks a new session under which no request has succeeded yet."""


class SessionWire(Wire):
    """A connection to one target, which logs in where the target wants a session.

    The connection is opened by the first request and stays open between requests.
    """

    def __init__(self, folder: Path, target: Target) -> None:
        super().__init__(target.address, target.prepare, target.name, target.certificate, target.timeout)
        self.folder = folder
        self.target = target

    def send(self, request: Request) -> Answer | Outcome:
        """Send a request, and log in if a session is needed.

        If the target wants a session, and there is none or it is about to expire, log in first. If the answer
        says that the session has ended, log in and send the request again. Unless the status of the answer is
        401, such a login isn't repeated until a request has succeeded. If a login fails, return the login's
        outcome.
        """
        target = self.target
        if not target.has_session:
            return super().send(request)
        if target.session and not target.session_is_ending(time.time()):
            answer = super().send(request)
            if isinstance(answer, Outcome) or answer.status not in target.session_end_statuses:
                if isinstance(answer, Answer) and answer.status < 400:
                    target.memory.pop(_RENEWED, None)
                return answer
            if answer.status != 401 and _RENEWED in target.memory:
                return answer  # logins are few: not again before a success
            target.memory[_RENEWED] = "1"
        target.end_session()
        stopped = self._log_in()
        return super().send(request) if stopped is None else stopped

    def _log_in(self) -> Outcome | None:
        target = self.target
        if target.session_address == self._address:
            outcome = self._send_login_requests(super().send)
        else:
            same = origin_of(target.session_address).host == origin_of(target.address).host
            certificate = target.certificate if same else None
            with contextlib.closing(
                Wire(target.session_address, target.prepare, certificate=certificate)
            ) as wire:
                outcome = self._send_login_requests(wire.send)
        if outcome.kind is not OutcomeKind.APPLIED:
            return outcome
        if not (isinstance(self.target.session, str) and self.target.session):
            self.target.session = ""
            return Outcome(OutcomeKind.UNKNOWN, "the login succeeded, and returned no session")
        store_session(self.folder, self.target.name, self.target.session, origin_of(self.target.address))
        return None

    def _send_login_requests(self, send: Callable[[Request], Answer | Outcome]) -> Outcome:
        def send_and_judge(request: Request) -> Answer | Outcome:
            answer = send(request)
            if isinstance(answer, Outcome):
                return answer
            outcome = self.target.outcome(request, answer, time.time())
            return answer if outcome.kind is OutcomeKind.APPLIED else outcome

        return converse(self.target.begin_session(), send_and_judge)

    def ask_catching_plugin_errors(
        self, question: Callable[Concatenate[Wire, Given], Found | Outcome],
        *args: Given.args, **named: Given.kwargs,
    ) -> Found | Outcome:  # fmt: skip
        """Call `question` with this connection and the arguments, and return its result.

        Problem and OSError are raised. Any other exception, such as one from a faulty plugin, is returned as
        an Outcome.
        """
        try:
            return question(self, *args, **named)
        except (Problem, OSError):
            raise
        except Exception as error:
            return outcome_of_crash(self.target, error)


def outcome_of_crash(target: Target, error: Exception) -> Outcome:
    """Return the outcome REJECTED for an exception in a target's code.

    Secrets in the exception's text are redacted.
    """
    why = f"{target.settings.kind} failed ({type(error).__name__}: {error})"
    return Outcome(OutcomeKind.REJECTED, target.redact(why))
