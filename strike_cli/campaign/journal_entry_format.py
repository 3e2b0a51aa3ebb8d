"""The format of journal entries: their encoding as lines, decoding, and checks.

Begin with `decode_entry`.

An entry is written whole. The fields of each fact are in a table of their own
(`kernel.facts.move_fact_fields_to_table`).

Journals of versions before 0.4 leave out parts that follow from other parts. When such a journal is read,
these parts are added:

- Empty `who`, `text` and `changes` of a fact. If the fact has a `note` and no `text`, the note is also its
  text.
- The values of a roll that follow from its faces. A roll without a roller gets the fact's `who`.
- The keys of a waiting decision that its entry has, too.

A change that ends a decision has only the position of the entry that asked it.
`replace_references_to_decisions` puts the decision in its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, cast

from ..kernel.roll_types import ROLLS, rolls_in_fact
from ..kernel.state_changes import FIELDS, move_fact_fields_to_table, unpack_fact_fields
from ..kernel.statements import OWN_KEYS
from ..untrusted_input import DEEPEST, LARGEST_NUMBER, describe_unreadable_part

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry, WaitingDecision
    from ..kernel.roll_types import RollTold

Position = tuple[str, int]
"""The file name and byte offset of an entry."""
Line = dict[str, object]
"""An entry, a fact or a roll as it is in a line of the journal, in any form."""
WaitingDecisionData = Mapping[str, object]
"""A waiting decision as it is in the state."""
Place = list[object]
"""The position of an entry in JSON."""
Seen = dict[int, int]
"""Entries that were taken back, by the number of the roll whose dice were seen in them."""

FIRST = "0001.jsonl"
ENDING = ".jsonl"
HASH_BYTES, HASH_TEXT_LENGTH = 16, 22
"""The bytes of a line's hash, and the length of its text form."""
ENTRY_KEYS: dict[str, type] = {
    "seq": int,
    "at": str,
    "session": int,
    "n": int,
    "command": str,
    "args": dict,
    "answers": list,
    "facts": list,
}
"""Keys of every entry."""
FACT_TEXT_KEYS = ("kind", "who", "text")
"""Texts of every fact."""
PENDING = "pending"
_ROLL_KEYS: dict[str, type] = {
    "who": str, "purpose": str, "mode": str, "sides": int, "faces": list, "sources": list, "modifiers": list,
}  # fmt: skip
_OLD_FACT_KEYS: dict[str, type] = {"lead": str, "parts": dict, "without_hp": str}
"""Words of facts in older journals that players may read although the fact has no class."""
_LONGEST_PATH = 32
"""The most keys in the path of a change."""
_SURROGATES = rb"\\u[dD][89a-fA-F]"
"""Surrogates: halves of a character, which no file can store."""
_DIGITS_TO_ZEROS = bytes(ord("0") if chr(each).isdigit() else 0 for each in range(128)) + bytes(128)
_LONG_NUMBER = b"0" * len(str(LARGEST_NUMBER))
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
"""Shared, since making an encoder takes as long as encoding a line."""


class InvalidEntryLine(ValueError):
    """The error for a journal line that is no entry; its message says why."""


def encode_entry(entry: JournalEntry) -> bytes:
    """Return an entry as a line of the journal.

    To save space, an empty `names` is left out if `decode_entry` adds it again. Raises TypeError or
    ValueError for values that JSON can't express.
    """
    line: Line = {**entry, "facts": [move_fact_fields_to_table(fact) for fact in entry["facts"]]}
    if "after" in entry and "head" not in entry and not entry.get("names"):
        line.pop("names", None)
    return encode_line(line)


def encode_line(line: Line) -> bytes:
    """Return a line as bytes for the journal's files, with its line end."""
    return _ENCODER.encode(line).encode() + b"\n"


def decode_entry(line: bytes) -> JournalEntry:
    """Return the entry in a line of a journal.

    Parts of the entry that only other lines contain are left out. Raises InvalidEntryLine if the line isn't
    an entry.
    """
    try:
        entry = json.loads(line.decode())
        if type(entry) is dict and "after" in entry:
            _complete_entry(entry)
        fault = _entry_fault(entry) or (
            describe_unreadable_part(entry) if _has_deep_nesting_or_long_number(line) else ""
        )
        if b"\\u" in line and re.search(_SURROGATES, line):
            json.dumps(entry, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        fault = "it ends inside a character"
    except (ValueError, RecursionError):
        fault = "it is not JSON"
    if fault:
        raise InvalidEntryLine(fault)
    found = cast("JournalEntry", entry)  # `_entry_fault` has checked every key that is read
    if "after" in found and "head" not in found:
        found.setdefault("names", {})
    return found


def is_journal_file_name(name: object) -> bool:
    """Return whether a value is the name of a journal file, such as `0001.jsonl`.

    Entries of a journal contain names of files. Strike opens such a file only if this function returns True
    for its name.
    """
    return (
        type(name) is str and len(name) == len(FIRST) and name.endswith(ENDING) and name[:4].isdecimal()
    ) and name.isascii()


def parse_position(value: object) -> Position:
    """Return the position in a JSON list that has a file name and an offset.

    Raises ValueError for anything else.
    """
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not is_journal_file_name(value[0]):
        raise ValueError(f"{str(value)[:60]!r} is not a position in the journal")
    return (value[0], checked_count(value[1]))


def checked_count(value: object) -> int:
    """Return `value` if it is a whole number from 0 to LARGEST_NUMBER.

    Raises ValueError for anything else.
    """
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise ValueError(f"{str(value)[:60]!r} is not a number of 0 or more")
    return value


# The dice of an entry


def asked_for_dice(entry: JournalEntry) -> bool:
    """Return whether an entry asked for dice, whether they were rolled or typed."""
    return any(isinstance(answer, list) for _, answer in entry["answers"])


def decision_answered(entry: JournalEntry) -> WaitingDecision | None:
    """Return the decision that an entry answers. None if it answers none."""
    for fact in entry["facts"]:
        if fact["kind"] == "decided":
            for _, was, rest in fact["changes"]:
                if isinstance(was, Mapping):  # in older journals it may be a position
                    left = rest if isinstance(rest, Mapping) else {}
                    return next((item for key, item in was.items() if key not in left), None)
    return None


def first_seeded_roll_number(entry: JournalEntry) -> int | None:
    """Return the number of the first roll in an entry, if its dice follow from the campaign's seed.

    The seed and this number determine the entry's dice. Return None if the entry has no dice. Also return
    None if the dice were typed by hand, were rolled from another seed, or are a reroll.
    """
    answered = decision_answered(entry)
    if not asked_for_dice(entry) or any(entry.get(key) for key in ("entered", "reroll")) or "seeded" in entry:
        return None
    if answered is not None:
        return None if answered["salt"] or answered.get("entered") else answered["n"]
    return entry["n"]


def seen_dice_after_undo(seen: Seen, undone: Iterable[JournalEntry]) -> Seen:
    """Return `seen` with the rolls of another undo added.

    `seen` records the undone rolls whose dice people have already seen. Its keys are the numbers of the
    rolls, and its values are the numbers of their journal entries. `undone` are the entries that are undone
    now, newest first. An entry adds its first seeded roll, if it has one.
    """
    return seen | {n: entry["seq"] for entry in undone if (n := first_seeded_roll_number(entry)) is not None}


def seen_dice_after_redo(seen: Seen, redone: Iterable[JournalEntry]) -> Seen:
    """Return the undone rolls whose dice people have seen, without those that a redo brings back.

    `seen` are these rolls before the redo. `redone` are the entries that the redo brings back.
    """
    back = {first_seeded_roll_number(entry) for entry in redone}
    return {n: seq for n, seq in seen.items() if n not in back}


# The form of an entry, checked at every reading: a journal may come from anybody


def _entry_fault(entry: object) -> str:  # noqa: C901  # one question after another
    """Return the fault of an entry; "" where there is none."""
    if type(entry) is not dict:
        return "it is not a table"
    for key, kind in ENTRY_KEYS.items():
        if type(entry.get(key)) is not kind:
            return f"{key} is missing or of the wrong kind"
    if entry["seq"] < 1 or entry["n"] < 0 or entry["session"] < 0:
        return "a number in it is too low"
    after = entry.get("after", "")
    if type(after) is not str or len(after) not in (0, HASH_TEXT_LENGTH):
        return "`after` is not a hash"
    for key, kind in (("note", str), ("book", str), ("rolled", bool), ("entered", bool)):
        if type(entry.get(key, kind())) is not kind:
            return f"{key} is of the wrong kind"
    names = entry.get("names", {})
    if type(names) is not dict or not all(type(name) is str for name in names.values()):
        return "`names` should be a table of texts"
    for number, fact in enumerate(entry["facts"], 1):
        if fault := _fault_of_fact(fact):
            return f"facts[{number}]: {fault}"
    return _fault_of_bookkeeping(cast("JournalEntry", entry))


def _has_deep_nesting_or_long_number(line: bytes) -> bool:
    """Return whether a line needs a closer look: it has very many brackets, or a very long number.

    It is False for almost every line.
    """
    deep = line.count(b"[") + line.count(b"{") > DEEPEST
    return deep or _LONG_NUMBER in line.translate(_DIGITS_TO_ZEROS)


def _fault_of_fact(fact: object) -> str:
    if type(fact) is not dict or type(fact.get("changes")) is not list:
        return "it is not a fact"
    for key in FACT_TEXT_KEYS:
        if type(fact.get(key)) is not str:
            return f"{key} should be text"
    if type(fields := fact.get(FIELDS)) is dict and not OWN_KEYS.isdisjoint(fields):
        return f"{FIELDS} repeats a key beside it"
    for key, kind in _OLD_FACT_KEYS.items():
        if key in fact and fact[key] is not None and type(fact[key]) is not kind:
            return f"{key} is of the wrong kind"
    for change in fact["changes"]:
        if type(change) is not list or len(change) != 3 or not _is_state_path(change[0]):
            return "a change should be a path, the value before and the value after"
    return _fault_of_places_and_rolls(fact)


def _fault_of_places_and_rolls(fact: Line) -> str:
    places = fact.get("places", [])
    if type(places) is not list:
        return "`places` should be a list"
    for place in places:
        if type(place) is not list or len(place) != 2 or type(place[1]) is not str:
            return "`places` should be numbers of changes, each with a key"
    return "" if all(map(_is_roll, rolls_in_fact(fact, *ROLLS))) else "a roll in it is not a roll"


def _is_state_path(path: object) -> bool:
    return type(path) is str and 0 <= path.count(".") < _LONGEST_PATH and all(path.split("."))


def _is_roll(roll: object) -> bool:
    if type(roll) is not dict:
        return False
    for key, kind in _ROLL_KEYS.items():  # runs for every roll: a generator takes three times as long
        if type(roll.get(key)) is not kind:
            return False
    reasons = [*roll["sources"], *roll["modifiers"]]
    return all(type(face) is int for face in roll["faces"]) and all(
        type(each) is dict and type(each.get("reason")) is str for each in reasons
    )


def _fault_of_bookkeeping(entry: JournalEntry) -> str:
    """Return the fault in an entry's positions, seed, identity, or data for undo and redo.

    It is "" if there is none.
    """
    try:
        if "prev" in entry and not (entry["prev"] is None and "after" in entry):
            parse_position(entry["prev"])
        for number in (entry.get("seed", 0), entry.get("missing_from", 1), entry.get("seen", 0)):
            checked_count(number)
        if "identity" in entry and len(bytes.fromhex(entry["identity"])) < HASH_BYTES:
            raise ValueError("its identity is not a key")
        if type(entry.get("was", "")) is not str:
            raise ValueError("its old value is not text")
        if "head" in entry:
            head = entry["head"]
            of = [fact.get("of", ()) for fact in entry["facts"]]
            for number in chain((head["commands"], head.get("rolls", 0)), *head.get("seen", ()), *of):
                checked_count(number)
            for position in [*head["redo"], *([head["last"]] if head["last"] else [])]:
                parse_position(position)
    except (ValueError, TypeError, LookupError) as error:
        return f"its bookkeeping is damaged ({error})"
    return ""


# The older form

_WHOLE = "whole"
"""Marks an entry that is written in full: one of its facts has a value that only looks like a roll."""
_FACT_KEY_ORDER = ("kind", "who", "text", "changes", "places")
"""Keys of a fact with a fixed order; its other keys are its fields."""
_ROLL_KEY_ORDER = ("purpose", "who", "sides", "faces", "mode", "kept", "modifiers", "total", "sources")
_KEYS_COPIED_FROM_ENTRY = ("command", "args", "answers", "n")
_KEYS_COPIED_FROM_FACT = ("who", "options", "about")
"""Keys of a decision that are copied from the entry and the fact that ask it."""
_DECISION_KEY_ORDER = (
    *("command", "args", "answers", "who", "what", "options", "labels", "n", "salt", "seed", "said", "names"),
    *("rolls", "text", "about"),
)
"""Keys of a decision in state.toml's order."""


def open_decision_of(entry: JournalEntry, scene: str) -> WaitingDecisionData | None:
    """Return the decision of `scene` that an entry asks and leaves open; None if there is none."""
    for fact in entry["facts"]:
        for path, _, after in fact["changes"]:
            for found, item in _decisions_by_scene_in(path, after):
                if found == scene:
                    return item
    return None


def replace_references_to_decisions(
    entry: JournalEntry | Line, decision_at: Callable[[Place, str], object]
) -> bool:
    """Replace references to decisions in an entry by the decisions; return whether all were found.

    Entries of older journals refer to the decision that they end. The reference is the position of the entry
    that asked for the decision. `decision_at` takes this position and a scene. It returns the decision, or
    the position itself if there is no decision.
    """
    found = True

    def resolve(value: object, scene: str) -> object:
        nonlocal found
        if type(value) is not list:
            return value
        item = decision_at(value, scene)
        found = found and item is not value
        return item

    facts = entry.get("facts")
    for fact in facts if type(facts) is list else ():
        for change in _decision_changes(fact) if type(fact) is dict else ():
            path, before = str(change[0]), change[1]
            if path == PENDING and isinstance(before, dict):
                change[1] = {scene: resolve(value, scene) for scene, value in before.items()}
            else:
                change[1] = resolve(before, path.partition(".")[2])
    return found


def _decisions_by_scene_in(path: str, value: object) -> Iterator[tuple[str, WaitingDecisionData]]:
    """Yield the open decisions in a changed value of the state, each after the id of its scene.

    `path` is the place of the value in the state. If no decisions are stored there, nothing is yielded.
    """
    if type(value) is dict:
        if path == PENDING:
            yield from ((scene, item) for scene, item in value.items() if type(item) is dict)
        elif _is_within_pending(path):
            yield path.partition(".")[2], value


def _is_within_pending(path: str) -> bool:
    return path == PENDING or path.startswith(f"{PENDING}.")


def _decision_changes(fact: Line) -> Iterator[list[object]]:
    changes = fact.get("changes")
    for change in changes if type(changes) is list else ():
        if type(change) is list and len(change) == 3 and _is_within_pending(str(change[0])):
            yield change


def _complete_entry(entry: Line) -> None:
    """Add to an entry the parts that lines of the older form leave out.

    Damaged parts stay as they are. `_entry_fault` finds them.
    """
    facts = entry.get("facts")
    if type(facts) is not list or entry.pop(_WHOLE, False) is True:
        return
    for number, fact in enumerate(facts):
        if type(fact) is dict:
            if FIELDS in fact:
                with suppress(ValueError):  # an older fact may have a field of that name
                    facts[number] = unpack_fact_fields(fact)
                    continue
            facts[number] = whole = _expand_fact(fact)
            for change in _decision_changes(whole) if entry.get(PENDING) else ():
                _complete_decisions_in_change(change, whole, entry)


def _expand_fact(fact: Line) -> Line:
    person = fact.get("who", "")
    found = {"kind": fact.get("kind"), "who": person, "text": fact.get("text", fact.get("note", ""))}
    found |= {key: _expand_value(value, person) for key, value in fact.items() if key not in _FACT_KEY_ORDER}
    found["changes"] = fact.get("changes", [])
    if "places" in fact:
        found["places"] = fact["places"]
    return found


def _expand_value(value: object, roller: object) -> object:
    """Return a fact's value with complete rolls.

    The journal leaves out parts of a roll that follow from its other parts. They are filled in here. `roller`
    is the person who acts in the fact.
    """
    if isinstance(value, list):
        return [_expand_value(item, roller) for item in value]
    if not isinstance(value, dict):
        return value
    if "faces" not in value:
        return {key: _expand_value(item, roller) for key, item in value.items()}
    try:
        whole = {
            **_omitted_roll_values(cast("RollTold", value), roller),
            **value,
        }  # a value that only looks like a roll raises
    except (TypeError, ValueError, LookupError):
        return value
    return {key: whole[key] for key in _ROLL_KEY_ORDER if key in whole} | whole


def _omitted_roll_values(roll: RollTold, roller: object) -> Line:
    """Return the values that the short form of a roll may leave out, by their keys.

    They are usual values, such as six sides, or follow from the values in `roll`. `roller` is the roller if
    the short form names none. If `roll` itself has a value, the caller uses that value instead.
    """
    faces, modifiers, mode = roll["faces"], roll.get("modifiers", []), roll.get("mode", "plain")
    best = (min if mode == "disadvantage" else max)(faces) if faces else None
    kept = roll.get("kept", best)
    total = None if kept is None else kept + sum(item["value"] for item in modifiers)
    meant: Line = {"who": roller, "sides": 6, "mode": "plain", "kept": best, "modifiers": [], "sources": []}
    return meant if total is None else {**meant, "total": total}


def _complete_decisions_in_change(change: list[object], fact: Line, entry: Line) -> None:
    """Complete the decisions in a change that journals of versions before 0.4 have left incomplete.

    Such a decision lacks the keys that its fact or its entry has, too. These keys are copied into the
    decision.
    """
    path, _, after = change
    args = entry.get("args")
    if not isinstance(args, dict) or not all(key in entry for key in _KEYS_COPIED_FROM_ENTRY):
        return
    beside = {key: entry[key] for key in _KEYS_COPIED_FROM_ENTRY} | {
        key: fact[key] for key in _KEYS_COPIED_FROM_FACT if key in fact
    }
    # TOML has no null: arguments that are None are left out.
    beside["args"] = {key: value for key, value in args.items() if value is not None}
    for scene, item in _decisions_by_scene_in(str(path), after):
        if "command" not in item:
            given = {**beside, **item}
            completed = {key: given[key] for key in _DECISION_KEY_ORDER if key in given} | given
            change[2] = completed if after is item else {**cast("Line", change[2]), scene: completed}
