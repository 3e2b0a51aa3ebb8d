"""Servers of uvicorn that end at once: else each looks for its end ten times a second, and waits on then."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
import uvicorn.server

BRIEF = 0.005


async def sleep_briefly(seconds: float) -> None:
    await asyncio.sleep(min(seconds, BRIEF))


def end_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(uvicorn.server, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": sleep_briefly}))
