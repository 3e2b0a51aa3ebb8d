"""What moves about the campaign itself return: types alone."""

from __future__ import annotations

from typing import TypedDict


class SessionStartData(TypedDict):
    """An evening that begins, besides what systems add."""

    number: int
    title: str


class SessionEndData(TypedDict):
    """An evening that is over, besides what systems add, and the scenes that go on: system and name."""

    number: int
    scenes: list[list[str]]


class SystemUseData(TypedDict):
    """Whose verbs are meant first."""

    system: str


class OverrideData(TypedDict):
    """What was set by hand."""

    path: str
    before: object
    after: object
