"""The results of moves about the campaign itself: types alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict


class SessionStartData(TypedDict):
    """An evening that begins, without the data that systems add."""

    number: int
    title: str


class SessionEndData(TypedDict):
    """An evening that ends, without the data that systems add, and the scenes that go on: system and name."""

    number: int
    scenes: list[list[str]]


class SystemUseData(TypedDict):
    """The system whose verbs take precedence."""

    system: str


class OverrideData(TypedDict):
    """The part of the state that was set by hand."""

    path: str
    before: object
    after: object


# Results of commands


class ContentItem(TypedDict, total=False):
    """The keys that any thing of content may have."""

    name: str
    summary: str
    level: int
    keywords: Sequence[str]


class TargetShown(TypedDict):
    """A target, its abilities, and its fault."""

    target: str
    kind: str
    auto: bool
    error: str | None
    url: str | None
    units: str | None
    supports: Sequence[str]


class TargetStatus(TypedDict):
    """The delivery state of a target."""

    target: str
    kind: str
    acknowledged: int
    lag: int
    running: bool
    attempts: int
    last_error: str | None
    next_attempt: str | None
    review: int
    unlinked: Sequence[str]
    off: bool


class TokenDifference(TypedDict):
    """The difference between a target's token and ours, and what a pull would do about it."""

    target: str
    id: str
    field: str
    ours: object
    theirs: object
    stays: bool
    pull: NotRequired[str | None]
    pulled: NotRequired[str]
    why: NotRequired[str | None]


# The user's cache


class LastRun(TypedDict):
    """The fights that were simulated last.

    It has the request (encounters, system, party, creatures, difficulty, values set), the player, the seed,
    and the fights that are worth a look.
    """

    request: tuple[Sequence[str], str, tuple[Sequence[str], Mapping[str, int], str], list[str]]
    player: str
    seed: int
    frozen: str
    picks: Mapping[str, int]
