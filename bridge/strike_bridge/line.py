"""A wire to a target that knows how to get in: by a session, where the target wants one."""

from __future__ import annotations

import time
from pathlib import Path

from .outcome import Kind, Outcome
from .secrets import keep_session
from .targets.base import Target
from .wire import Answer, Request, Wire, converse


class Line(Wire):
    """A connection to one target, kept open between requests. It opens with the first one."""

    def __init__(self, folder: Path, target: Target) -> None:
        super().__init__(target.address, target.prepare)
        self.folder = folder
        self.target = target

    def send(self, request: Request) -> Answer | Outcome:
        """Send a request, with a session asked for where there is none or where it is no longer accepted."""
        target = self.target
        if not target.has_session:
            return super().send(request)
        if target.session:
            answer = super().send(request)
            if isinstance(answer, Outcome) or answer.status != 401:
                return answer
            target.session = ""
        stopped = self._begin()
        return super().send(request) if stopped is None else stopped

    def _begin(self) -> Outcome | None:
        outcome = converse(self.target.begin(), self._send_first)
        if outcome.kind is not Kind.APPLIED:
            return outcome
        keep_session(self.folder, self.target.name, self.target.session)
        return None

    def _send_first(self, request: Request) -> Answer | Outcome:
        answer = super().send(request)
        if isinstance(answer, Outcome):
            return answer
        outcome = self.target.outcome(request, answer, time.time())
        return answer if outcome.kind is Kind.APPLIED else outcome
