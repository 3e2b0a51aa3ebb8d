"""Types of a command's result for programs: `--json`, `strike serve` and `strike mcp`.

Types alone; `output_schemas.py` describes the same as JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict


class EnvelopeError(TypedDict):
    """The reason of a command's refusal, and the command to type next."""

    code: str
    message: str
    hint: str


class EnvelopePending(TypedDict):
    """The decision that a command waits for; `labels` are the meanings of its options."""

    who: str
    what: str
    asks: str
    options: list[str]
    labels: list[str]
    decides: NotRequired[str]


class Envelope(TypedDict):
    """The result of a command, or the reason of its refusal.

    A refusal has only `schema`, `ok`, `command` and `error`; `exit` is set where there is no process with an
    exit code.
    """

    schema: int
    ok: bool
    command: str
    seq: NotRequired[int | None]
    data: NotRequired[object]
    facts: NotRequired[list[Mapping[str, object]]]
    pending: NotRequired[EnvelopePending | None]
    error: NotRequired[EnvelopeError]
    exit: NotRequired[int]
