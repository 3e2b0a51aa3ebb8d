"""Who is on the map: a short label for each, and the state that matters most."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import Any

from .text import said, width_of

Fight = Mapping[str, Any]
Combatant = Mapping[str, Any]

ACTIVE, DOWN, HIDDEN = "▸", "✗", "?"
PARTY, ENEMIES = "party", "enemies"


def labels(fight: Fight) -> dict[str, str]:
    """A short label for each combatant, by id; no two are the same, whatever their case.

    `goblin-1` is G1, or Go1 where a `ghoul-1` is about; others go by the first letter of their name,
    or by two of its letters where that is not enough. The initiative order plays no part.
    """
    combatants: Mapping[str, Combatant] = fight.get("combatants", {})
    party_first = sorted(combatants, key=lambda who: (combatants[who].get("side") != PARTY, *_kind(who), who))
    kinds = {kind for kind, number in map(_kind, combatants) if number >= 0}
    names = {who: _letters(combatants[who], who) for who in party_first if _kind(who)[1] < 0}
    found: dict[str, str] = {}
    taken: set[str] = set()
    for who in party_first:
        if who in names:
            initials = {letters[0] for other, letters in names.items() if other != who}
            candidates = _name_labels(names[who], initials)
        else:
            candidates = _numbered_labels(*_kind(who), kinds)
        label = next(label for label in candidates if label.casefold() not in taken)
        taken.add(label.casefold())
        found[who] = label[0].upper() + label[1:]
    return {who: found[who] for who in combatants}


def _kind(who: str) -> tuple[str, int]:
    """`goblin-1` -> `("goblin", 1)`; -1 for a one of a kind."""
    kind, _, number = who.rpartition("-")
    if kind and number.isascii() and number.isdecimal():
        return kind, int(number)
    return who, -1


def _letters(combatant: Combatant, who: str) -> str:
    """The letters to make a label of, in lower case: the name's, or else the id's."""
    for text in (said(combatant.get("name", "")), who):
        letters = [letter for letter in text.lower() if letter.isalpha() and width_of(letter) == 1]
        if letters:
            return "".join(letters)
    return "x"


def _name_labels(letters: str, initials: Collection[str]) -> Iterator[str]:
    first = letters[0]
    if first not in initials:
        yield first
    for letter in letters[1:]:
        yield first + letter
    for number in count(1):
        yield f"{first}{number}"


def _numbered_labels(kind: str, number: int, kinds: Collection[str]) -> Iterator[str]:
    for length in range(1, len(kind) + 1):
        start = kind[:length]
        if not any(other.startswith(start) for other in kinds if other != kind):
            yield f"{start}{number}"
    yield f"{kind}{number}"
    for copy in count(1):
        yield f"{kind}{number}.{copy}"


def side_of(combatant: Combatant) -> str:
    side = combatant.get("side")
    return side if side in (PARTY, ENEMIES) else "other"


def is_down(combatant: Combatant) -> bool:
    hp = combatant.get("hp")
    return bool(combatant.get("out")) or (hp is not None and hp <= 0)


def on_map(combatant: Combatant) -> bool:
    return bool(combatant.get("at")) and combatant.get("out") != "left"


def mark_of(fight: Fight, who: str) -> str:
    """One character for the state that matters most on the map."""
    if who == fight.get("active"):
        return ACTIVE
    combatant = fight["combatants"][who]
    if is_down(combatant):
        return DOWN
    return HIDDEN if combatant.get("hidden") else ""


def in_order(fight: Fight) -> list[str]:
    """Everybody's id: the initiative order first, then those who are not in it."""
    combatants = fight.get("combatants", {})
    order = list(dict.fromkeys(who for who in fight.get("order", ()) if who in combatants))
    return order + [who for who in combatants if who not in order]
