"""Differences between what a target shows and the state. Neither side is changed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from strike_cli.problems import BridgeProblem
from strike_cli.visibility.audience_view import make_audience_view
from strike_cli.visibility.audiences import GM

from .authenticated_wire import SessionWire
from .consent import OwnTable
from .delivery_record import Cursor, load_or_make_cursor
from .journal_reader import JournalReader
from .request_outcome import Outcome
from .settings import Settings
from .targets import make_target_checking_consent, require_sound_settings, target_class

if TYPE_CHECKING:
    from .payloads import ReadToken, ShownToken


def diff_target(
    folder: Path, settings: Settings, own_table: OwnTable | None = None
) -> list[dict[str, object]]:
    """Return how the target's tokens differ from the state: {id, field, ours, theirs, stays}.

    If only the target or only the state has a token, `field` is "". `stays` is True for a difference that was
    also there right after the last `sync`, so that another `sync` won't remove it.

    `own_table` is the table that this process itself serves. Raises BridgeProblem if the target can't be
    asked.
    """
    theirs = read_target_tokens(folder, settings, own_table)
    cursor = load_or_make_cursor(folder, settings.name)
    return [
        {**item, "stays": was_different_after_last_sync(cursor, item["id"], item["field"], item["theirs"])}
        for item in _find_differences(folder, settings, cursor, theirs)
    ]


def store_differences_left_after_sync(folder: Path, settings: Settings) -> None:
    """Store the differences that remain after everything was sent, so that `diff` can mark them.

    An example is HP below the lowest number that the target allows. Differences of position aren't stored.
    Call this only while you hold the target's lock. Raises BridgeProblem.
    """
    theirs = read_target_tokens(folder, settings)
    cursor = load_or_make_cursor(folder, settings.name)
    found = _find_differences(folder, settings, cursor, theirs)
    # Positions are left out: a token that is moved just now must count as moved later.
    cursor.stays = {
        _field_key(item["id"], item["field"]): _canonical_json(item["theirs"])
        for item in found
        if item["field"] != "position"
    }
    cursor.save(folder)


def was_different_after_last_sync(cursor: Cursor, id: str, field: str, theirs: object) -> bool:
    """Return whether a difference between strike and a target was there right after the last sync.

    `theirs` is the value that the target shows now for the field `field` of creature `id`. The result is True
    if the target showed the same value then.
    """
    return cursor.stays.get(_field_key(id, field)) == _canonical_json(theirs)


def _field_key(id: str, field: str) -> str:
    return f"{id} {field}".strip()


def _canonical_json(value: object) -> str:
    return json.dumps(value, sort_keys=True)


class FieldDifference(TypedDict):
    """One difference between our token and the target's.

    `field` is "" if only one side has the token.
    """

    id: str
    field: str
    ours: object
    theirs: object


def _find_differences(
    folder: Path, settings: Settings, cursor: Cursor, theirs: Mapping[str, ReadToken]
) -> list[FieldDifference]:
    now = JournalReader(folder).read_backlog(cursor.position, cursor.acknowledged).now
    target = make_target_checking_consent(folder, settings, with_key=False)
    ours = target.project(now).tokens
    drift: list[FieldDifference] = []
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
        drift += _compare_fields(id, ours[id], theirs[id], kind_has_links=target.supports.links)
    return drift


def _compare_fields(
    id: str, ours: ShownToken, theirs: ReadToken, *, kind_has_links: bool
) -> Iterator[FieldDifference]:
    """Compare a token of strike with the same token at the target, and yield the fields in which they differ.

    `ours` is the token as strike would show it. `theirs` is the token as it was read from the target. A field
    that could not be read counts as different.
    """
    unreadable = theirs.get("unreadable", {})
    for field, why in unreadable.items():
        yield {"id": id, "field": field, "ours": ours.get(field), "theirs": why}
    shown: Mapping[str, object] = _their_comparable_fields(theirs, ours) if kind_has_links else theirs
    if kind_has_links and ours["away"] and ours["state"] != "out" and shown.get("hidden") is False:
        yield {"id": id, "field": "hidden", "ours": True, "theirs": False}
        return
    for field, value in ours.items():
        if field == "statuses" and ours["state"] == "out":
            continue  # the statuses of somebody who is out don't matter
        if field in shown and field not in unreadable and not _counts_as_equal(field, value, ours, shown):
            yield {"id": id, "field": field, "ours": value, "theirs": shown[field]}


def _their_comparable_fields(theirs: ReadToken, ours: ShownToken) -> Mapping[str, object]:
    """Return the fields of the target's token that can be compared with our token.

    If our token is on a square, these are all fields. If our token has no square, `position` is left out,
    because the target keeps the token's last square. If our token has no square and the target hides the
    token, `hidden` is left out, too.
    """
    if ours["position"] is not None:
        return theirs
    nothing_to_tell = {"position", "hidden"} if theirs.get("hidden") else {"position"}
    return {field: value for field, value in theirs.items() if field not in nothing_to_tell}


def _counts_as_equal(field: str, value: object, ours: ShownToken, theirs: Mapping[str, object]) -> bool:
    """Return whether the target's value of a field counts as equal to ours.

    Statuses may be in any order.
    """
    names = theirs[field]
    if field == "statuses" and isinstance(names, list):
        return sorted(names) == sorted(ours["statuses"])
    return names in _values_counting_as_equal(field, value, ours, theirs)


def _values_counting_as_equal(
    field: str, value: object, ours: ShownToken, theirs: Mapping[str, object]
) -> list[object]:
    """Return the values of a field that count as equal to ours.

    Only HP has more than one. If our HP is negative, 0 counts, too. If the target has only one place for HP,
    the true HP counts as well as the HP that players are shown.
    """
    if field != "hp" or (value is None and "gm_hp" not in ours):
        return [value]
    both = ours["hp"], None if "gm_hp" in theirs else ours.get("gm_hp")
    told = [each for each in both if each is not None]
    return [value, *told, *({**each, "value": max(0, each["value"])} for each in told)]


def read_target_tokens(
    folder: Path, settings: Settings, own_table: OwnTable | None = None
) -> dict[str, ReadToken]:
    """Ask the target for its tokens, and return them by our ids.

    Raises BridgeProblem if the target can't be asked, or doesn't answer with its tokens.
    """
    require_sound_settings(settings)
    if not target_class(settings).supports.read_back:
        raise BridgeProblem(
            f"{settings.name} can't be asked for its tokens.", "`strike bridge sync` sends it all."
        )
    target = make_target_checking_consent(folder, settings, own_table=own_table)
    cursor = load_or_make_cursor(folder, settings.name)
    cursor.share_with(target)
    now = JournalReader(folder).read_backlog(cursor.position, cursor.acknowledged).now
    target.everybody_ids = make_audience_view(now, GM).people
    with contextlib.closing(SessionWire(folder, target)) as wire:
        theirs = wire.ask_catching_plugin_errors(target.read_tokens)
    if isinstance(theirs, Outcome):
        remedy = target.remedy(theirs) or f"`strike bridge doctor {settings.name}` finds the fault."
        raise BridgeProblem(f"{settings.name}: {target.redact(theirs.why)}.", remedy)
    return theirs
