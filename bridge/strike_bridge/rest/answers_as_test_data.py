"""Records the structure of a server's answers as test data for a target's table.

Values are kept only where the table names them. No key is recorded: login requests, cookies and the headers
that we send are left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from strike_cli.campaign.file_access import make_marker_file
from strike_cli.problems import BridgeProblem, Usage
from strike_cli.refusals import NotTomlTarget, TargetBusy, Unwritable

from ..authenticated_wire import SessionWire
from ..http_conversation import Answer, Request
from ..request_outcome import Outcome
from ..settings import Settings, target_file_path
from ..targets import make_target_checking_consent
from ..targets.rest_connection import RestConnection
from ..worker import Worker
from .answer_values import READERS
from .answer_values import JmesPath as AnswerPath
from .target_settings_parser import CheckedTable

_KEPT_HEADERS = ("content-type", "etag", "retry-after")
_MOST_ITEMS = 3
"""The maximum number of items of a list that are recorded."""
_MOST_OF_ONE = 5
"""The maximum number of answers to one event that are recorded."""


class Recording(NamedTuple):
    """A recording's file, and the names of the events for which it has answers."""

    file: Path
    events: list[str]


class _RecordingWire(SessionWire):
    """A connection that records requests and answers, except those of authentication."""

    def __init__(self, folder: Path, target: RestConnection) -> None:
        super().__init__(folder, target)
        self.exchanges: list[tuple[Request, Answer]] = []

    def send(self, request: Request) -> Answer | Outcome:
        """Send a request, and record it with its answer.

        If no answer comes, nothing is recorded.
        """
        answer = super().send(request)
        if isinstance(answer, Answer):
            self.exchanges.append((request, answer))
        return answer


def sync_and_record_answers(folder: Path, settings: Settings) -> Recording:
    """Send the target the whole scene, as `sync` does, and record its answers in a file.

    Raises Usage for a target that isn't of kind rest, or whose audience is the game master. Raises
    BridgeProblem if nothing was answered or another worker is running.
    """
    target = make_target_checking_consent(folder, settings)
    if not isinstance(target, RestConnection):
        raise NotTomlTarget(settings.name, "Only such targets can be recorded.")
    if target.for_gm:
        raise Usage(
            f"{settings.name} is for the game master, and others may read a recording.",
            'Record a target with audience = "players".',
        )
    make_marker_file(target_file_path(folder, settings.name, ".sync"))
    wire = _RecordingWire(folder, target)
    report = Worker(folder, target, wire=wire).deliver_queue()
    if report.busy:
        raise TargetBusy(settings.name)
    if not wire.exchanges:
        raise BridgeProblem(
            f"{settings.name} answered nothing: {report.error}.", report.hint or "Is it running?"
        )
    file = target_file_path(folder, settings.name, "-recorded.toml")
    text, events = _recording_toml_and_events(target, wire.exchanges)
    try:
        file.unlink(missing_ok=True)
        with open(
            os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as opened:
            opened.write(text)
    except OSError as error:
        raise Unwritable(file, error.strerror, "Check its permissions.") from None
    return Recording(file, events)


def _recording_toml_and_events(
    target: RestConnection, exchanges: list[tuple[Request, Answer]]
) -> tuple[str, list[str]]:
    import tomli_w

    lines = {each.key: each.line for each in target.api.event_requests()}
    if target.api.read is not None:
        lines["read"] = target.api.read.listing.exchange.line
    kept: dict[str, list[dict[str, object]]] = {}
    for request, answer in exchanges:
        if request.event not in lines:
            shown = request.method  # a question before a request: its path may hold ids
        else:
            line = lines[request.event]
            shown = f"{line.method} {line.path_text}".strip()
        exchange = {
            "event": request.event,
            "request": shown,
            "status": answer.status,
            "headers": {name: answer.headers[name] for name in _KEPT_HEADERS if name in answer.headers},
            "body": _answer_with_named_values_only(target.api, answer),
        }
        of_one = kept.setdefault(request.event, [])
        if exchange not in of_one and len(of_one) < _MOST_OF_ONE:
            of_one.append(exchange)
    data = {"exchange": [each for of_one in kept.values() for each in of_one]}
    return tomli_w.dumps(data), list(kept)


# The shape of an answer


def _answer_with_named_values_only(api: CheckedTable, answer: Answer) -> str:
    data = READERS[api.answer](answer)
    if data is None:
        return ""
    found = set(_values_at_table_paths(api, data))
    shape = _blank_out(data, found)
    return _format_xml(shape) if api.answer == "xml" else json.dumps(shape, ensure_ascii=False)


def _values_at_table_paths(api: CheckedTable, data: object) -> Iterator[tuple[type, object]]:
    """Yield the values of an answer that the target's table refers to, each with its type.

    A value is included if a path of the table leads to it, such as the path to an id.
    """
    paths = [*api.ids.values(), api.ok.error, api.ok.again]
    yield from _typed_scalars_at_paths(paths, data)
    read = api.read
    if read is not None:
        yield from _typed_scalars_at_paths([read.listing.next], data)
        items = read.listing.list.find(data) if read.listing.list else data
        for item in items if isinstance(items, list) else [items]:
            yield from _typed_scalars_at_paths([read.id, read.ours, read.name], item)


def _typed_scalars_at_paths(paths: list[AnswerPath | None], data: object) -> Iterator[tuple[type, object]]:
    for path in paths:
        found = path.find(data) if path else None
        if isinstance(found, str | int | float):
            yield type(found), found


def _blank_out(value: object, kept_values: set[tuple[type, object]]) -> object:
    """Return a copy of an answer with the same structure, but without its contents.

    Texts and numbers become empty, unless they are in `kept_values`. Long lists are shortened.
    """
    if isinstance(value, Mapping):
        return {key: _blank_out(each, kept_values) for key, each in value.items()}
    if isinstance(value, list):
        return type(value)([_blank_out(each, kept_values) for each in value[:_MOST_ITEMS]])
    if value is None or (type(value), value) in kept_values:
        return value
    return type(value)()


def _format_xml(value: object) -> str:
    return (
        "".join(_format_element(name, each) for name, each in value.items())
        if isinstance(value, Mapping)
        else ""
    )


def _format_element(name: str, value: object) -> str:
    if isinstance(value, list):
        return "".join(_format_element(name, each) for each in value)
    if not isinstance(value, Mapping):
        return f"<{name}>{escape(str(value))}</{name}>"
    attributes = "".join(f" {key[1:]}={quoteattr(str(each))}" for key, each in value.items() if key[0] == "@")
    inner = {key: each for key, each in value.items() if key[0] not in "@#"}
    return f"<{name}{attributes}>{escape(str(value.get('#text', '')))}{_format_xml(inner)}</{name}>"
