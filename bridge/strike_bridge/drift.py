"""Differences between what a target shows and the state. Nothing is changed on either side."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from strike_cli.problems import BridgeProblem
from strike_cli.visibility.audience import GM
from strike_cli.visibility.audience_view import view_for

from .authenticated_wire import SessionWire
from .consent import Own
from .cursor import Cursor, open_cursor
from .journal_reader import JournalReader
from .outcome import Outcome
from .settings import Settings
from .targets import kind_of, make_target, must_be_sound

if TYPE_CHECKING:
    from .payloads import ReadToken, ShownToken


def diff(folder: Path, settings: Settings, own: Own | None = None) -> list[dict[str, object]]:
    """Return the differences of the target's tokens from the state: {id, field, ours, theirs, stays}.

    Tokens without a link don't count. `stays`: the difference was there after the last `sync` too, which
    can't remove it. `own`: the table that this process itself serves. Changes nothing. Raises BridgeProblem
    where the target can't be asked.
    """
    theirs = read_back(folder, settings, own)
    cursor = open_cursor(folder, settings.name)
    return [
        {**item, "stays": is_lasting_difference(cursor, item["id"], item["field"], item["theirs"])}
        for item in _differences(folder, settings, cursor, theirs)
    ]


def store_lasting_differences(folder: Path, settings: Settings) -> None:
    """Store the differences that are left after everything was sent.

    An example is a number that the target's game has a minimum for. Call it only with the target's lock held.
    Raises BridgeProblem.
    """
    theirs = read_back(folder, settings)
    cursor = open_cursor(folder, settings.name)
    found = _differences(folder, settings, cursor, theirs)
    # Positions are left out: a token that is moved just now must count as moved later.
    cursor.stays = {
        _key(item["id"], item["field"]): _canonical_json(item["theirs"])
        for item in found
        if item["field"] != "position"
    }
    cursor.save(folder)


def is_lasting_difference(cursor: Cursor, id: str, field: str, theirs: object) -> bool:
    """Return whether the target showed the same value of a field after the last sync, too."""
    return cursor.stays.get(_key(id, field)) == _canonical_json(theirs)


def _key(id: str, field: str) -> str:
    return f"{id} {field}".strip()


def _canonical_json(theirs: object) -> str:
    return json.dumps(theirs, sort_keys=True)


class FieldDrift(TypedDict):
    """A field of a token that differs at the target; the whole token where `field` is empty."""

    id: str
    field: str
    ours: object
    theirs: object


def _differences(
    folder: Path, settings: Settings, cursor: Cursor, theirs: Mapping[str, ReadToken]
) -> list[FieldDrift]:
    now = JournalReader(folder).read(cursor.position, cursor.acknowledged).now
    target = make_target(folder, settings, with_key=False)
    ours = target.project(now).tokens
    drift: list[FieldDrift] = []
    compared = [id for id in ours if id in {**cursor.links, **theirs} or not target.supports.links]
    for id in [*compared, *(id for id in theirs if id not in ours)]:
        if id not in theirs and not target.supports.hidden and target.is_out_of_sight(ours[id]):
            continue  # the target doesn't show such creatures
        if id not in theirs and not target.is_sent(ours[id]):
            continue
        if id not in ours and id not in cursor.made and theirs[id].get("hidden") is True:
            continue  # the game master's own hidden token of somebody who left stays
        if id not in ours or id not in theirs:
            drift.append({"id": id, "field": "", "ours": ours.get(id), "theirs": theirs.get(id)})
            continue
        drift += _compare_fields(id, ours[id], theirs[id], linked=target.supports.links)
    return drift


def _compare_fields(id: str, ours: ShownToken, theirs: ReadToken, *, linked: bool) -> Iterator[FieldDrift]:
    """Yield the differences of a token that both sides have; an unreadable field counts as one."""
    unreadable = theirs.get("unreadable", {})
    for field, why in unreadable.items():
        yield {"id": id, "field": field, "ours": ours.get(field), "theirs": why}
    shown: Mapping[str, object] = _comparable_fields(theirs, ours) if linked else theirs
    if linked and ours["away"] and ours["state"] != "out" and shown.get("hidden") is False:
        yield {"id": id, "field": "hidden", "ours": True, "theirs": False}
        return
    for field, value in ours.items():
        if field == "statuses" and ours["state"] == "out":
            continue  # the statuses of somebody who is out don't matter
        if field in shown and field not in unreadable and not _is_told(field, value, ours, shown):
            yield {"id": id, "field": field, "ours": value, "theirs": shown[field]}


def _comparable_fields(theirs: ReadToken, ours: ShownToken) -> Mapping[str, object]:
    """Return the fields of the target's token that are to be compared.

    A token of ours without a square is left where it was at the target, and hidden as far as the target can
    hide it.
    """
    if ours["position"] is not None:
        return theirs
    nothing_to_tell = {"position", "hidden"} if theirs.get("hidden") else {"position"}
    return {field: value for field, value in theirs.items() if field not in nothing_to_tell}


def _is_told(field: str, value: object, ours: ShownToken, theirs: Mapping[str, object]) -> bool:
    """Return whether a field has an accepted value at the target; statuses may be in any order."""
    names = theirs[field]
    if field == "statuses" and isinstance(names, list):
        return sorted(names) == sorted(ours["statuses"])
    return names in _accepted_values(field, value, ours, theirs)


def _accepted_values(
    field: str, value: object, ours: ShownToken, theirs: Mapping[str, object]
) -> list[object]:
    """Return the values that a field may have at the target.

    Where the game master's tabletop has one place for HP, it may have been sent the number that is hidden
    from players.
    """
    if field != "hp" or (value is None and "gm_hp" not in ours):
        return [value]
    both = ours["hp"], None if "gm_hp" in theirs else ours.get("gm_hp")
    told = [each for each in both if each is not None]
    return [value, *told, *({**each, "value": max(0, each["value"])} for each in told)]


def read_back(folder: Path, settings: Settings, own: Own | None = None) -> dict[str, ReadToken]:
    """Return the tokens as the target has them, by our ids. Raises BridgeProblem where it can't be asked."""
    must_be_sound(settings)
    if not kind_of(settings).supports.read_back:
        raise BridgeProblem(
            f"{settings.name} can't be asked for its tokens.", "`strike bridge sync` sends it all."
        )
    target = make_target(folder, settings, own=own)
    cursor = open_cursor(folder, settings.name)
    cursor.lend_to(target)
    now = JournalReader(folder).read(cursor.position, cursor.acknowledged).now
    target.everybody_ids = view_for(now, GM).people
    with contextlib.closing(SessionWire(folder, target)) as wire:
        theirs = wire.inquire(target.read_tokens)
    if isinstance(theirs, Outcome):
        remedy = target.remedy(theirs) or f"`strike bridge doctor {settings.name}` finds the fault."
        raise BridgeProblem(f"{settings.name}: {target.redact(theirs.why)}.", remedy)
    return theirs
