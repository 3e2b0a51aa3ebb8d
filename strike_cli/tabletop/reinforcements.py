"""The names and squares of creatures that join a scene.

Creatures that are made up in play are here, too.
"""

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


def add_made_up(world: World, things: Mapping[str, Mapping[str, object]]) -> Procedure[None]:
    """Add content that the game master makes up to the state and to the book.

    The content lasts for this scene and for later ones. Made-up encounters are removed once their scenes are
    over.
    """
    from .gm_override_facts import MadeUp

    sets = {f"{MADE_UP}.{kind}": table for kind, table in merge_made_up(world.state, things).items()}
    made = _tables_in(things.get("creatures", {}).values())
    yield world.tell(MadeUp([str(one["name"]) for one in made]), sets)
    world.book = world.book.with_made_up(world.state)


def merge_made_up(
    state: State, things: Mapping[str, Mapping[str, object]]
) -> Mapping[str, Mapping[str, object]]:
    """Return a state's made-up content with `things` added, by kind and id.

    Earlier made-up encounters are left out, except those whose scenes are under way or parked.
    """
    kept: Mapping[str, Mapping[str, object]] = state.get(MADE_UP, {})  # type: ignore[assignment]  # its form
    over = {id for id in kept.get("encounters", ()) if not is_in_use(state, id)}
    return {
        kind: {
            id: each for id, each in {**kept.get(kind, {}), **things.get(kind, {})}.items() if id not in over
        }
        for kind in {**kept, **things}
    }


def is_in_use(state: State, id: str) -> bool:
    """Return whether a scene, under way or parked, uses an encounter or creature with this id."""
    return any(
        scene.get("id") == id
        or any(
            one.get("ref") == id
            for people in _tables_in(scene.values())
            for one in _tables_in(people.values())
        )
        for scene in _scene_tables(state)
    )


def _scene_tables(state: State) -> Iterator[Mapping[str, object]]:
    for key, table in state.items():
        if key.startswith("parked"):
            below = list(_tables_in([table]))
            for _ in range(2):  # one level by encounter, in some systems below one by system
                below = [each for parent in below for each in _tables_in(parent.values())]
                yield from below
        else:
            yield from _tables_in([table])


def _tables_in(values: Iterable[object]) -> Iterator[Mapping[str, object]]:
    return (each for each in values if isinstance(each, dict))


def name_creatures(
    world: World, ref: str, count: int, known: Mapping[str, PersonKept], *, uncounted: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield the id and the name of each of `count` creatures of one kind.

    If there are several, they are numbered. Creatures that come hidden get a word instead of a number; with
    `uncounted`, as in a scene with fog, all creatures do. Players who see the third one first must not learn
    how many are hidden. `known` has the people in the scene so far.
    """
    short, name = ref.rpartition(":")[2], world.book.creatures[ref]["name"]
    if uncounted or world.book.creatures[ref].get("hidden"):
        yield from _name_hidden(world, ref, count, known)
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


WORDS = (
    "Alder", "Aspen", "Birch", "Briar", "Cedar", "Clover", "Elder", "Fern", "Furze", "Hazel", "Heather",
    "Holly", "Ivy", "Larch", "Lichen", "Linden", "Maple", "Moss", "Nettle", "Oak", "Osier", "Reed",
    "Rowan", "Rush", "Sedge", "Sorrel", "Spruce", "Teasel", "Thistle", "Thyme", "Willow", "Yarrow",
    "Yew",
)  # fmt: skip
"""The words that tell creatures of a kind apart without counting them."""


def _name_hidden(
    world: World, ref: str, count: int, known: Mapping[str, PersonKept]
) -> Iterator[tuple[str, str]]:
    """Yield the id and the name of each of `count` creatures that come hidden.

    Each gets a word; if there are more creatures than words, each gets two. Nobody can guess the order of the
    words without the campaign's files.
    """
    from hashlib import sha256  # three hundredths of a start, which hardly any command needs

    short, name = ref.rpartition(":")[2], world.book.creatures[ref]["name"]
    taken = {*known, *world.book.characters}
    if count == 1 and short not in taken and not any(one.get("ref") == ref for one in known.values()):
        yield short, name
        return
    secret = repr((world.book.name, ref, sorted(world.book.creatures[ref].items(), key=str)))
    pairs = [f"{one} {other}" for one in WORDS for other in WORDS if one != other]
    for words in (WORDS, pairs):
        for word in sorted(words, key=lambda word: sha256(f"{secret}{word}".encode()).digest()):
            key = f"{short}-{word.lower().replace(' ', '-')}"
            if count and key not in taken:
                count -= 1
                yield key, f"{name} {word}"


def find_room(
    grid: Grid, size: int, count: int, spots: Sequence[Square], taken: Collection[Square], what: str
) -> list[Square]:
    """Return squares for `count` creatures of a size.

    The `spots` come first, then free squares near the first spot. Raises Refused if there is no room. `what`
    names the creatures in the message.
    """
    taken = set(taken)
    found: list[Square] = []
    around = sorted(
        ((x, y) for y in range(grid.height) for x in range(grid.width)),
        key=lambda square: (distance(spots[0], square), square[1], square[0]),
    )
    for square in [*spots, *around]:
        if len(found) == count:
            break
        if grid.fits(square, size) and taken.isdisjoint(footprint(square, size)):
            found.append(square)
            taken.update(footprint(square, size))
    if len(found) < count:
        raise Refused(f"The map has no room for {count} {what}.", "Take fewer, or a larger map.")
    return found
