"""The forms of a journal's line. An entry is written whole, with the fields of each fact in a table of their
own (`kernel.facts.written_fact`). Journals of before 0.4 have the short form, which leaves out what another
part says or goes without saying. Whoever reads an entry gets all of it, whichever form it has.

Of the short form:

- A fact without `who`, `text` or `changes` has an empty one; one with a `note` and no `text` says its note.
- Of a roll, what follows from its faces is left out, and who rolls where that is the fact's `who`.
- A decision that waits is in the changes of the entry that asks it, without what stands beside it there.
  Where it is over, what was there before is the place of that entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from ..kernel.facts import FIELDS, read_fact

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry
    from ..kernel.roll_data import RollTold

Line = dict[str, object]
"""An entry, a fact or a roll as a line of the journal has it, in any form."""
Item = Mapping[str, object]
"""A decision that waits, as the state has it."""
Place = list[object]
"""The position of an entry, as JSON has it."""

WHOLE = "whole"
"""Marks an entry that is on the disk as it is: some fact has what only looks like a roll."""
_PENDING = "pending"
_IN_ORDER = ("kind", "who", "text", "changes", "places")
"""Keys of a fact that stand where they always do; the others are its fields."""
_ROLL = ("purpose", "who", "sides", "faces", "mode", "kept", "modifiers", "total", "sources")
_OF_A_ROLL = frozenset(_ROLL)
_OF_ENTRY = ("command", "args", "answers", "n")
_OF_FACT = ("who", "options", "about")
"""What a decision has of the entry and of the fact that ask it."""
_ITEM = (
    *("command", "args", "answers", "who", "what", "options", "labels", "n", "salt", "seed", "said", "names"),
    *("rolls", "text", "about"),
)
"""Its keys in the order in which state.toml has them."""


def _meant(roll: RollTold, who: object) -> Line:
    """Return the values of a roll that are meant where it leaves them out."""
    faces, modifiers, mode = roll["faces"], roll.get("modifiers", []), roll.get("mode", "plain")
    best = (min if mode == "disadvantage" else max)(faces) if faces else None
    kept = roll.get("kept", best)
    total = None if kept is None else kept + sum(item["value"] for item in modifiers)
    meant: Line = {"who": who, "sides": 6, "mode": "plain", "kept": best, "modifiers": [], "sources": []}
    return meant if total is None else {**meant, "total": total}


def _beside(fact: Mapping[str, object], entry: Mapping[str, object]) -> Line:
    """Return the keys of a decision that stand beside it, in its fact and its entry."""
    found = {key: entry[key] for key in _OF_ENTRY}
    # TOML has no null: a decision has no argument that is none.
    args = entry["args"]
    if isinstance(args, dict):
        found["args"] = {key: value for key, value in args.items() if value is not None}
    return found | {key: fact[key] for key in _OF_FACT if key in fact}


def items_of(path: str, value: object) -> Iterator[tuple[str, Item]]:
    """Yield the decisions in a value at a path of the state, each with its scene."""
    if type(value) is dict:
        if path == _PENDING:
            yield from ((scene, item) for scene, item in value.items() if type(item) is dict)
        elif _is_of_decisions(path):
            yield path.partition(".")[2], value


def decision_of(entry: JournalEntry, scene: str) -> Item | None:
    """Return the decision of a scene that an entry leaves open; None where it leaves none."""
    for fact in entry["facts"]:
        for path, _, after in fact["changes"]:
            for found, item in items_of(path, after):
                if found == scene:
                    return item
    return None


def lengthen(entry: object, rolls: bool = True) -> None:
    """Add to an entry of any form what its line leaves out.

    Damaged parts stay as they are, for the check of the form. `rolls` says whether the line has any.
    """
    if type(entry) is not dict:
        return
    facts = entry.get("facts")
    if type(facts) is not list or entry.pop(WHOLE, False) is True:
        return
    for number, fact in enumerate(facts):
        if type(fact) is dict:
            if FIELDS in fact:
                with suppress(ValueError):  # an older fact may have a field of that name
                    facts[number] = read_fact(fact)
                    continue
            facts[number] = whole = _whole_fact(fact, rolls)
            for change in _changes_of_decisions(whole) if entry.get("pending") else ():
                _lengthen_items(change, whole, entry)


def find_decisions(entry: object, item_at: Callable[[Place, str], Item | None]) -> bool:
    """Replace the places of decisions that an entry ends by the decisions; return whether all were found.

    A place is where a decision was asked; `item_at` returns the decision of a scene there.
    """
    facts = entry.get("facts") if type(entry) is dict else None
    found = True
    for fact in facts if type(facts) is list else ():
        for change in _changes_of_decisions(fact) if type(fact) is dict else ():
            path, before = str(change[0]), change[1]
            places = before.items() if path == _PENDING and type(before) is dict else [("", before)]
            for scene, place in list(places):
                if type(place) is list:
                    item = item_at(place, scene or path.partition(".")[2])
                    found = found and item is not None
                    if scene:
                        before = {**before, scene: item or place}  # type: ignore[dict-item]  # a table
                    elif item is not None:
                        before = item
            change[1] = before
    return found


def _changes_of_decisions(fact: Line) -> Iterator[list[object]]:
    changes = fact.get("changes")
    for change in changes if type(changes) is list else ():
        if type(change) is list and len(change) == 3 and _is_of_decisions(str(change[0])):
            yield change


def _is_of_decisions(path: str) -> bool:
    return path == _PENDING or path.startswith(f"{_PENDING}.")


def _whole_fact(fact: Line, rolls: bool) -> Line:
    who = fact.get("who", "")
    found = {"kind": fact.get("kind"), "who": who, "text": fact.get("text", fact.get("note", ""))}
    for key, value in fact.items():
        if key not in _IN_ORDER:
            found[key] = _whole_value(value, who) if rolls and type(value) in (dict, list) else value
    found["changes"] = fact.get("changes", [])
    if "places" in fact:
        found["places"] = fact["places"]
    return found


def _whole_value(value: object, who: object) -> object:
    if type(value) is list:
        return [_whole_value(item, who) if type(item) in (dict, list) else item for item in value]
    table: Line = value  # type: ignore[assignment]  # what is asked for is one or the other
    if "faces" not in table:
        return {
            key: _whole_value(item, who) if type(item) in (dict, list) else item
            for key, item in table.items()
        }
    try:
        whole = {**_meant(table, who), **table}  # type: ignore[arg-type]  # what only looks like a roll raises
    except (TypeError, ValueError, LookupError):
        return table
    return {key: whole[key] for key in _ROLL if key in whole} | whole


def _lengthen_items(change: list[object], fact: Line, entry: Line) -> None:
    path, _, after = change
    for scene, item in items_of(str(path), after):
        if "command" not in item and all(key in entry for key in _OF_ENTRY) and type(entry["args"]) is dict:
            given = {**_beside(fact, entry), **item}
            whole = {key: given[key] for key in _ITEM if key in given} | given
            change[2] = whole if after is item else {**change[2], scene: whole}  # type: ignore[dict-item]  # a table
