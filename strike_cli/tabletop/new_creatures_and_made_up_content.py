"""Creatures that join a scene: their names and squares, and content made up in play."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..kernel.procedure import Procedure, World
from ..kernel.state_changes import MADE_UP
from ..problems import Refused
from .grid import Grid, distance
from .squares_and_lines import Square, footprint

if TYPE_CHECKING:
    from ..kernel.state_changes import State
    from .data import PersonKept


def add_and_prune_made_up_content(
    world: World, content: Mapping[str, Mapping[str, object]]
) -> Procedure[None]:
    """Add content that was made up during play to the state and to the book, and record it.

    The content stays for later scenes. Made-up encounters whose scenes are over are removed.
    """
    from .scene_change_facts import MadeUp

    sets = {
        f"{MADE_UP}.{kind}": table
        for kind, table in merge_content_and_prune_encounters(world.state, content).items()
    }
    made = _only_tables(content.get("creatures", {}).values())
    yield world.tell(MadeUp([str(one["name"]) for one in made]), sets)
    world.book = world.book.with_made_up(world.state)


def merge_content_and_prune_encounters(
    state: State, content: Mapping[str, Mapping[str, object]]
) -> Mapping[str, Mapping[str, object]]:
    """Return a state's made-up content with `content` added, by kind and id.

    Of the earlier made-up encounters, only those in use by a scene stay.
    """
    kept: Mapping[str, Mapping[str, object]] = state.get(MADE_UP, {})  # type: ignore[assignment]  # its form
    over = {id for id in kept.get("encounters", ()) if not is_used_in_any_scene(state, id)}
    return {
        kind: {
            id: each for id, each in {**kept.get(kind, {}), **content.get(kind, {})}.items() if id not in over
        }
        for kind in {**kept, **content}
    }


def is_used_in_any_scene(state: State, id: str) -> bool:
    """Return whether a scene uses an encounter or creature with this id. Parked scenes count."""
    return any(
        scene.get("id") == id
        or any(
            one.get("ref") == id
            for people in _only_tables(scene.values())
            for one in _only_tables(people.values())
        )
        for scene in _tables_that_may_be_scenes(state)
    )


def _tables_that_may_be_scenes(state: State) -> Iterator[Mapping[str, object]]:
    for key, table in state.items():
        if key.startswith("parked"):
            below = list(_only_tables([table]))
            for _ in range(2):  # one level by encounter, in some systems below one by system
                below = [each for parent in below for each in _only_tables(parent.values())]
                yield from below
        else:
            yield from _only_tables([table])


def _only_tables(values: Iterable[object]) -> Iterator[Mapping[str, object]]:
    return (each for each in values if isinstance(each, dict))


def new_creature_ids_and_names(
    world: World, ref: str, count: int, known: Mapping[str, PersonKept], *, words_for_numbers: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield the id and the name of each of `count` creatures of one kind.

    Several creatures are numbered. Creatures that come hidden get a word in place of a number, so that
    players can't count them. With `words_for_numbers`, as in a scene with fog, all creatures get a word.
    `known` has the people in the scene so far.
    """
    short, name = ref.rpartition(":")[2], world.book.creatures[ref]["name"]
    if words_for_numbers or world.book.creatures[ref].get("hidden"):
        yield from _ids_and_names_with_words(world, ref, count, known)
        return
    number = sum(1 for combatant in known.values() if combatant.get("ref") == ref)
    taken = {*known, *world.book.characters}  # ids of characters stay reserved
    if number + count == 1 and short not in taken:
        yield short, name
        return
    for _ in range(count):
        number += 1
        while f"{short}-{number}" in taken:  # used for a creature of another plugin
            number += 1
        taken.add(f"{short}-{number}")
        yield f"{short}-{number}", f"{name} {number}"


WORDS_FOR_HIDDEN = (
    "Alder", "Aspen", "Birch", "Briar", "Cedar", "Clover", "Elder", "Fern", "Furze", "Hazel", "Heather",
    "Holly", "Ivy", "Larch", "Lichen", "Linden", "Maple", "Moss", "Nettle", "Oak", "Osier", "Reed",
    "Rowan", "Rush", "Sedge", "Sorrel", "Spruce", "Teasel", "Thistle", "Thyme", "Willow", "Yarrow",
    "Yew",
)  # fmt: skip
"""The words that tell creatures of a kind apart without counting them."""


def _ids_and_names_with_words(
    world: World, ref: str, count: int, known: Mapping[str, PersonKept]
) -> Iterator[tuple[str, str]]:
    """Yield an id and a name for each of `count` creatures, with a word in place of a number.

    If only one creature joins, and the scene has no other of its kind, its name gets no word. If there are
    more creatures than words, pairs of words are used, too. Players can't guess the order of the words
    without the campaign's files.
    """
    from hashlib import sha256  # three hundredths of a start, which hardly any command needs

    short, name = ref.rpartition(":")[2], world.book.creatures[ref]["name"]
    taken = {*known, *world.book.characters}
    if count == 1 and short not in taken and not any(one.get("ref") == ref for one in known.values()):
        yield short, name
        return
    secret = repr((world.book.name, ref, sorted(world.book.creatures[ref].items(), key=str)))
    pairs = [f"{one} {other}" for one in WORDS_FOR_HIDDEN for other in WORDS_FOR_HIDDEN if one != other]
    for words in (WORDS_FOR_HIDDEN, pairs):
        for word in sorted(words, key=lambda word: sha256(f"{secret}{word}".encode()).digest()):
            key = f"{short}-{word.lower().replace(' ', '-')}"
            if count and key not in taken:
                count -= 1
                yield key, f"{name} {word}"


def find_squares_on_spots_or_near_first(
    grid: Grid,
    size: int,
    count: int,
    spots_nearest_first: Sequence[Square],
    taken: Collection[Square],
    name: str,
) -> list[Square]:
    """Return squares for `count` creatures of a size.

    The `spots_nearest_first` come first, then free squares near the first spot. Raises Refused if there is no
    room. `name` names the creatures in the message.
    """
    taken = set(taken)
    found: list[Square] = []
    around = sorted(
        ((x, y) for y in range(grid.height) for x in range(grid.width)),
        key=lambda square: (distance(spots_nearest_first[0], square), square[1], square[0]),
    )
    for square in [*spots_nearest_first, *around]:
        if len(found) == count:
            break
        if grid.fits(square, size) and taken.isdisjoint(footprint(square, size)):
            found.append(square)
            taken.update(footprint(square, size))
    if len(found) < count:
        raise Refused(f"The map has no room for {count} {name}.", "Take fewer, or a larger map.")
    return found
