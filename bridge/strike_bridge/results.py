"""Journal entries as results: what players are told of a command, and what they are not.

Not told: secret commands, decisions that are still open, the game master's overrides and hand edits, notes,
and every fact that names somebody hidden.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from strike_cli.campaign.journal import Entry, Position
from strike_cli.facts import State

from .project import Payload, Veil
from .record import taken_back, with_facts

KEPT_FROM_PLAYERS = frozenset({"hand edit", "override"})
_VERBS = {"undo": ("Undone", "undone", True), "redo": ("Done again", "redone", False)}


class Post(NamedTuple):
    """One thing to post. `id` is the same for every attempt at it and differs between posts; `mark` says
    that it is an earlier result once more, now undone or done again."""

    id: str
    result: Payload
    mark: bool = False


def posts_of(
    entry: Entry, before: State, entry_at: Callable[[Position], Entry], begin: int = 0
) -> list[Post]:
    """What is to be posted for an entry, in order: a result for most, none for some.

    An undo or redo posts its own, then marks the results that it is about. `before` is the state before the
    entry. Results up to entry `begin` were never told to this target, so they are not marked.
    """
    if entry["command"] in _VERBS and "head" in entry:
        return _moved(entry, before, entry_at, begin)
    result = result_of(entry, before)
    return [Post(str(entry["seq"]), result)] if result else []


def result_of(entry: Entry, before: State) -> Payload | None:
    """What players are told of a command that was played, or None."""
    if entry.get("secret") or entry.get("pending") or entry["command"] in KEPT_FROM_PLAYERS:
        return None
    veil = Veil(before, entry["facts"])
    facts = [fact for fact in entry["facts"] if not veil.covers(fact)]
    texts = [fact["text"].strip() for fact in facts if fact["text"].strip()]
    if not texts:
        return None
    names = _names(before) | _names(with_facts(before, entry["facts"]))
    return _result(entry, texts, [die for fact in facts for die in _dice(fact, names)])


def _result(entry: Entry, texts: list[str], dice: list[Payload]) -> Payload:
    return {
        "id": str(entry["seq"]),
        "seq": entry["seq"],
        "title": _first_sentence(texts[0]) or entry["command"],
        "text": "\n".join(texts),
        "dice": dice,
        "at": entry.get("at"),
        "undone": False,
    }


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def _names(state: State) -> dict[str, str]:
    combatants = (state.get("fight") or {}).get("combatants", {})
    return {who: str(one.get("name") or who) for who, one in combatants.items()}


def _dice(fact: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Payload]:
    """The dice of a fact: its own roll, an opposed one, several at once, and helpers'."""
    rolls = [fact.get("roll"), fact.get("against"), *fact.get("rolls", [])]
    rolls += [helper.get("roll") for helper in fact.get("helpers", [])]
    for roll in rolls:
        if isinstance(roll, Mapping) and "faces" in roll:
            who = str(roll.get("who") or "")
            yield {
                "who": names.get(who) or fact.get("names", {}).get(who, who),
                "purpose": str(roll.get("purpose") or ""),
                "sides": roll.get("sides", 6),
                "faces": list(roll["faces"]),
                "kept": roll.get("kept"),
            }


def _moved(entry: Entry, before: State, entry_at: Callable[[Position], Entry], begin: int) -> list[Post]:
    """An undo or redo. Only what was told is mentioned, so that taking back a secret tells nothing."""
    verb, word, undone = _VERBS[entry["command"]]
    told: list[tuple[Entry, Payload]] = []
    state = before
    for played in _played(entry, entry_at):
        # Each result is made once more as it was made at first, from the state as it was then.
        start = taken_back(state, played["facts"]) if undone else state
        state = start if undone else with_facts(state, played["facts"])
        result = result_of(played, start)
        if result and played["seq"] > begin:
            told.append((played, result))
    if not told:
        return []
    text = f"{verb}: " + "; ".join(f"#{played['seq']} {played['command']}" for played, _ in told) + "."
    posts = [Post(str(entry["seq"]), _result(entry, [text], []))]
    for played, result in told:
        posts.append(Post(f"{played['seq']}-{word}-{entry['seq']}", {**result, "undone": undone}, mark=True))
    return posts


def _played(entry: Entry, entry_at: Callable[[Position], Entry]) -> list[Entry]:
    """The entries that an undo or redo is about, in the order of its fact."""
    count = sum(len(fact.get("of", [])) for fact in entry["facts"])
    head = entry["head"]
    if entry["command"] == "undo":
        return [entry_at((name, offset)) for name, offset in head["redo"][len(head["redo"]) - count :]]
    found: list[Entry] = []
    at = head["last"]
    while at and len(found) < count:
        found.append(entry_at((at[0], at[1])))
        at = found[-1].get("prev")
    return found[::-1]
