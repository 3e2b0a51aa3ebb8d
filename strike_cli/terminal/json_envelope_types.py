"""Types of a command's result for programs: `--json`, `strike serve` and `strike mcp`.

`output_schemas` describes the same data as JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict


class EnvelopeError(TypedDict):
    """The reason why a command was refused, with a hint at what to type instead."""

    code: str
    message: str
    hint: str


class EnvelopePending(TypedDict):
    """The decision for which a command waits; `labels` explain its `options`."""

    who: str
    what: str
    asks: str
    options: list[str]
    labels: list[str]
    decides: NotRequired[str]


class Envelope(TypedDict):
    """The result of a command, or its refusal, as `--json` has it.

    A refusal has `error`, and no result. `exit` is the exit code. It is there only if no process returns the
    code, as over HTTP.
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
