"""Short labels for people on the map, and marks for their states."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count

from ...tabletop.scene import Person, Scene
from .text_width import make_printable_line, width_of

ACTIVE, DOWN, HIDDEN = "▸", "✗", "?"
PARTY, ENEMIES = "party", "enemies"


def map_labels(scene: Scene) -> dict[str, str]:
    """Return a short label for each person in a scene, by the person's id.

    `goblin-1` is G1, or Go1 if there is also a `ghoul-1`. People without a number get the first letter of
    their name. If this letter is taken, they get two letters of the name. No two labels are the same, even if
    case is ignored. The labels don't depend on the turn order.
    """
    people = scene.people
    party_first = sorted(
        people, key=lambda person: (people[person].side != PARTY, *_kind_and_number(person), person)
    )
    kinds = {kind for kind, number in map(_kind_and_number, people) if number >= 0}
    names = {
        person: _lower_case_letters_for_label(people[person])
        for person in party_first
        if _kind_and_number(person)[1] < 0
    }
    found: dict[str, str] = {}
    taken: set[str] = set()
    for person in party_first:
        if person in names:
            initials = {letters[0] for other, letters in names.items() if other != person}
            candidates = _possible_labels_from_name(names[person], initials)
        else:
            candidates = _possible_labels_with_number(*_kind_and_number(person), kinds)
        label = next(label for label in candidates if label.casefold() not in taken)
        taken.add(label.casefold())
        found[person] = label[0].upper() + label[1:]
    return {person: found[person] for person in people}


def _kind_and_number(person_id: str) -> tuple[str, int]:
    """Return the kind and the number that an id consists of: `("goblin", 1)` for `goblin-1`.

    For an id without a number, the number is -1.
    """
    kind, _, number = person_id.rpartition("-")
    if kind and number.isascii() and number.isdecimal():
        return kind, int(number)
    return person_id, -1


def _lower_case_letters_for_label(person: Person) -> str:
    """Return the letters of a person's name in lower case, from which a map label is made.

    If the name has no usable letters, return the letters of the person's id. If the id has none either,
    return "x".
    """
    for text in (make_printable_line(person.name), person.id):
        letters = [letter for letter in text.lower() if letter.isalpha() and width_of(letter) == 1]
        if letters:
            return "".join(letters)
    return "x"


def _possible_labels_from_name(letters: str, initials: Collection[str]) -> Iterator[str]:
    first = letters[0]
    if first not in initials:
        yield first
    for letter in letters[1:]:
        yield first + letter
    for number in count(1):
        yield f"{first}{number}"


def _possible_labels_with_number(kind: str, number: int, kinds: Collection[str]) -> Iterator[str]:
    for length in range(1, len(kind) + 1):
        start = kind[:length]
        if not any(other.startswith(start) for other in kinds if other != kind):
            yield f"{start}{number}"
    yield f"{kind}{number}"
    for copy in count(1):
        yield f"{kind}{number}.{copy}"


def side_style_name(person: Person) -> str:
    """Return the style in which a person of this side is drawn: "party", "enemies" or "other"."""
    return person.side if person.side in (PARTY, ENEMIES) else "other"


def is_down_or_out(person: Person) -> bool:
    """Return whether a person is down or out of the scene."""
    return person.state != "up"


def has_place_and_not_left(person: Person) -> bool:
    """Return whether a person has a place on the map and hasn't left the scene."""
    return bool(person.at) and person.out != "left"


def active_person(scene: Scene) -> Person | None:
    """Return the person whose turn it is; None if it is a side's turn or nobody's."""
    return scene.people.get(scene.order.active or "") if scene.order else None


def person_to_centre_on(scene: Scene) -> Person | None:
    """Return the person around whom a cropped map is shown; None if nobody is on the map.

    The person whose turn it is comes first, then the next ones in turn order. After these come members of the
    party who are up, others who are up, and people who are down. The first one on the map is returned.
    """
    order = [scene.order.active, *scene.order.next] if scene.order else []
    standing = sorted(scene.people.values(), key=lambda one: (is_down_or_out(one), one.side != PARTY))
    people = [*(scene.people.get(person or "") for person in order), *standing]
    return next((one for one in people if one is not None and has_place_and_not_left(one)), None)


def acting_down_or_hidden_mark(scene: Scene, person_id: str) -> str:
    """Return the sign for a person's most important state; "" for none.

    The states with signs are acting, down and hidden.
    """
    if scene.order and person_id == scene.order.active:
        return ACTIVE
    one = scene.people[person_id]
    if is_down_or_out(one):
        return DOWN
    return HIDDEN if one.hidden or is_hidden_by_fog_and_not_party(one) else ""


def is_hidden_by_fog_and_not_party(person: Person) -> bool:
    """Return whether fog hides a person from the players.

    Fog never hides the party's own people.
    """
    return person.unseen and person.side != PARTY


def all_ids_by_turn_order_down_last(scene: Scene) -> list[str]:
    """Return everybody's id: first the people in turn order, then the people without a turn.

    People who are down or out come after all others, except the person whose turn it is.
    """
    entries = scene.order.entries if scene.order else ()
    order = list(dict.fromkeys(entry.who for entry in entries if entry.who in scene.people))
    order += [person for person in scene.people if person not in order]
    active = active_person(scene)
    return sorted(
        order, key=lambda person: is_down_or_out(scene.people[person]) and scene.people[person] is not active
    )
