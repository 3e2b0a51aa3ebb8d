"""People on the map: a short label for each, and the most important state."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count

from ...tabletop.scene import Person, Scene
from .text_columns import make_one_line, width_of

ACTIVE, DOWN, HIDDEN = "▸", "✗", "?"
PARTY, ENEMIES = "party", "enemies"


def labels(scene: Scene) -> dict[str, str]:
    """Return a short label for everybody, by id; no two are the same in either case.

    `goblin-1` is G1, or Go1 beside a `ghoul-1`; others have the first letter of their name, or two of its
    letters where that is not enough. The initiative order doesn't matter.
    """
    people = scene.people
    party_first = sorted(people, key=lambda person: (people[person].side != PARTY, *_kind(person), person))
    kinds = {kind for kind, number in map(_kind, people) if number >= 0}
    names = {person: _letters(people[person]) for person in party_first if _kind(person)[1] < 0}
    found: dict[str, str] = {}
    taken: set[str] = set()
    for person in party_first:
        if person in names:
            initials = {letters[0] for other, letters in names.items() if other != person}
            candidates = _name_labels(names[person], initials)
        else:
            candidates = _numbered_labels(*_kind(person), kinds)
        label = next(label for label in candidates if label.casefold() not in taken)
        taken.add(label.casefold())
        found[person] = label[0].upper() + label[1:]
    return {person: found[person] for person in people}


def _kind(person: str) -> tuple[str, int]:
    """Return `("goblin", 1)` for `goblin-1`; -1 for a creature without a number."""
    kind, _, number = person.rpartition("-")
    if kind and number.isascii() and number.isdecimal():
        return kind, int(number)
    return person, -1


def _letters(person: Person) -> str:
    """Return the letters for a label, in lower case: those of the name, or else of the id."""
    for text in (make_one_line(person.name), person.id):
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


def side_of(person: Person) -> str:
    """Return the name of the colours of a person's side."""
    return person.side if person.side in (PARTY, ENEMIES) else "other"


def is_down(person: Person) -> bool:
    """Return whether a person is down or out."""
    return person.state != "up"


def is_on_map(person: Person) -> bool:
    """Return whether a person is visible on the map."""
    return bool(person.at) and person.out != "left"


def active_in(scene: Scene) -> Person | None:
    """Return the acting person."""
    return scene.people.get(scene.order.active or "") if scene.order else None


def watched_in(scene: Scene) -> Person | None:
    """Return the person at the centre of a map that doesn't fit.

    It is the acting person, else the next one, else the first of the party who is up; None where nobody is on
    the map.
    """
    order = [scene.order.active, *scene.order.next] if scene.order else []
    standing = sorted(scene.people.values(), key=lambda one: (is_down(one), one.side != PARTY))
    people = [*(scene.people.get(person or "") for person in order), *standing]
    return next((one for one in people if one is not None and is_on_map(one)), None)


def mark_of(scene: Scene, person: str) -> str:
    """Return a single character for a person's most important state."""
    if scene.order and person == scene.order.active:
        return ACTIVE
    one = scene.people[person]
    if is_down(one):
        return DOWN
    return HIDDEN if one.hidden or is_in_fog(one) else ""


def is_in_fog(person: Person) -> bool:
    """Return whether the fog hides a person from players."""
    return person.unseen and person.side != PARTY


def people_in_order(scene: Scene) -> list[str]:
    """Return everybody's id: first in turn order, then the others; the fallen last."""
    entries = scene.order.entries if scene.order else ()
    order = list(dict.fromkeys(entry.who for entry in entries if entry.who in scene.people))
    order += [person for person in scene.people if person not in order]
    active = active_in(scene)
    return sorted(
        order, key=lambda person: is_down(scene.people[person]) and scene.people[person] is not active
    )
