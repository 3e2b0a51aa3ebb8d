"""Types of the results of moves and commands about the campaign itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict


class SessionStartData(TypedDict):
    """The result of `session start`; systems may add their own data."""

    number: int
    title: str


class SessionEndData(TypedDict):
    """The result of `session end`: `scenes` are the scenes under way, each with system and name.

    Systems may add their own data.
    """

    number: int
    scenes: list[list[str]]


class SystemUseData(TypedDict):
    """The result of `scene use`: the system whose verbs take precedence."""

    system: str


class OverrideData(TypedDict):
    """The result of `override`: the path in the state, and its value before and after."""

    path: str
    before: object
    after: object


# Results of commands


class ContentItem(TypedDict, total=False):
    """The keys that any item of content may have."""

    name: str
    summary: str
    level: int
    keywords: Sequence[str]


class TargetShown(TypedDict):
    """A target in `bridge targets`: what it supports, or the error in its settings."""

    target: str
    kind: str
    auto: bool
    error: str | None
    url: str | None
    units: str | None
    supports: Sequence[str]


class TargetStatus(TypedDict):
    """The progress of the deliveries to a target, for `bridge status`.

    `acknowledged` is the number of the last journal entry that was delivered. `lag` is the number of journal
    entries after that one.
    """

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
    """A difference between a target's token and the same token in the campaign.

    It also says what `strike bridge pull` would do about the difference.
    """

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
    """The simulation that was run last, as stored in the user's cache.

    `request` has the encounters, the system, the lineup (party, creatures, difficulty) and the values set.
    `picks` are the numbers of the fights worth a look, such as the worst.
    """

    request: tuple[Sequence[str], str, tuple[Sequence[str], Mapping[str, int], str], list[str]]
    player: str
    seed: int
    frozen: str
    picks: Mapping[str, int]
