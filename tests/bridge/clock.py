"""A clock that is turned and not waited for, and work that is done long after it was asked for."""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from strike_bridge import reconciliation_plan, step_delivery, worker

from .servers.base import Fault, Handler


class TurnedClock:
    """Where the bridge would wait, the clock is turned; what comes due on the way is done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        self.slept: list[float] = []
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = itertools.count()
        turned = SimpleNamespace(time=self.time, monotonic=time.monotonic, sleep=time.sleep)
        for module in (step_delivery, reconciliation_plan, worker):
            monkeypatch.setattr(module, "time", turned)
        monkeypatch.setattr(
            worker.Worker, "_sleep_unless_ending", lambda waiting, seconds: self._sleep(waiting, seconds)
        )

    def time(self) -> float:
        """Unix time, turned."""
        return time.time() + self.ahead

    def turn(self, seconds: float) -> None:
        """Let so much time go by."""
        ends = self.time() + seconds
        while self._due and self._due[0][0] <= ends:
            at, _, do = heapq.heappop(self._due)
            self.ahead += max(0.0, at - self.time())
            do()
        self.ahead += max(0.0, ends - self.time())

    def _sleep(self, waiting: worker.Worker, seconds: float) -> bool:
        self.slept.append(seconds)
        self.turn(seconds)
        return not waiting.stop.is_set()

    def later(self, seconds: float, status: int = 408) -> Fault:
        """A server that gives up waiting, and does what it was asked so many seconds after that was."""

        def fault(handler: Handler) -> None:
            call, server = handler.call, handler.server
            at = self.time() + seconds
            heapq.heappush(self._due, (at, next(self._numbers), lambda: server.respond(call)))
            handler.answer(status, {"error": "Request timed out"})

        return fault
