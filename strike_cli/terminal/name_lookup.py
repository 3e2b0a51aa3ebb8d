"""The search for the person or thing that a typed name, or one begun with Tab, means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ..kernel.facts import scene_table
from ..problems import Refused, Usage, listed, nearest
from ..safe_reading import is_number
from .argument_names import WHO, Names, Noun
from .declare import THE_ACTIVE, Call, WordParser

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..registry.declaration import System
    from ..tabletop.data import SceneKept
    from ..tabletop.scene import Person, Scene


def content_names(kind: str) -> Names:
    """Return the things of a kind of content, by the last part of their ids."""

    def names(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
        return sorted(key.rpartition(":")[2] for key in campaign.book.table(kind))

    return names


def people_of(key: str) -> Names:
    """Return everybody who is still in the scene of that table."""

    def names(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
        from ..registry.scenes import scenes_of

        scenes = (scene for scene in scenes_of(campaign.state) if scene.key == key)
        return [person for scene in scenes for person, one in scene.people.items() if not one.out]

    return names


Labels = Callable[[], Mapping[str, str]]
"""A function that returns the short labels of a map, by id; called only where nothing else fits."""


ARTICLE = "the"


def find_one(name: str, table: Mapping[str, str], what: str, where: str, labels: Labels = dict) -> str:
    """Return the id that a name means, ignoring case.

    The name is an id, a label of the map, or a unique beginning of an id, of a display name or of a word in a
    display name.

    `table` maps ids to display names; `labels` returns the map's labels, each with its id. Raises Usage with
    the nearest name, or with the candidates.
    """
    found = find_if_any(name, table, labels)
    if found is not None:
        return found
    hint = nearest(name, [*table, *table.values()])
    raise Usage(f"There is no {what} {name!r}{where}.{hint}", f"Known: {listed(table)}.")


def find_if_any(name: str, table: Mapping[str, str], labels: Labels = dict) -> str | None:
    """Return the id as `find_one` does, but None for a name that means nothing in the table.

    Raises Usage where it may mean several.
    """
    low = name.strip().lower()
    found = next(filter(None, _find_ids(low, table, labels)), []) if low else []
    if len(found) > 1:
        from strike_cli.refusals import MayBeSeveral

        raise MayBeSeveral(repr(name), listed(found), "Give more of the name.")
    return found[0] if found else None


def _find_ids(low: str, table: Mapping[str, str], labels: Labels) -> Iterator[list[str]]:
    """Yield the ids that a lower-case name may mean, for each way of reading it in turn.

    An article is not part of a name, and may precede any.
    """
    names = {key: called.lower() for key, called in table.items()}
    ids = {key: key.lower() for key in table}
    yield [key for key, id in ids.items() if id == low]
    yield [key for key, called in names.items() if called == low]
    short = labels()
    yield [key for key in table if short.get(key, "").lower() == low]
    if low == ARTICLE:
        names = {key: called.removeprefix(f"{ARTICLE} ") for key, called in names.items()}
        ids = {key: id.removeprefix(f"{ARTICLE}-") for key, id in ids.items()}
    yield [key for key, called in names.items() if ids[key].startswith(low) or called.startswith(low)]
    yield [
        key
        for key, called in names.items()
        if any(word.startswith(low) and word != ARTICLE for word in called.split())
    ]
    if (bare := without_article(low)) != low:
        yield next(filter(None, _find_ids(bare, table, labels)), [])


def without_article(name: str) -> str:
    """Return a name without an article in front."""
    first, _, rest = name.partition(" ")
    return rest if first.lower() == ARTICLE and rest else name


def find_word(typed: str, known: Sequence[str], what: str) -> str:
    """Return the known word that a typed word means, whole or by a unique beginning.

    The beginning may also be that of a part after a hyphen. Raises Usage with all known words.
    """
    low = typed.strip().lower()
    found = [word for word in known if low and word.startswith(low)] or [
        word for word in known if low and any(part.startswith(low) for part in word.split("-"))
    ]
    if len(found) != 1:
        from strike_cli.refusals import NoneSuch

        raise NoneSuch(what, repr(typed), nearest(low, known), f"One of: {listed(known)}.")
    return found[0]


def find_character(campaign: Campaign, name: str) -> str:
    """Return the id of the campaign's character that a name means: a character's name, else a player's.

    Raises Usage with the nearest name.
    """
    characters = campaign.book.characters.items()
    table = {key: str(item["name"]) for key, item in characters}
    if find_if_any(name, table) is None:
        players = {key: str(item["player"]) for key, item in characters if item.get("player")}
        same = [key for key, player in players.items() if player.strip().lower() == name.strip().lower()]
        if len(same) == 1:
            return same[0]
    return find_one(name, table, "character", f" in {campaign.book.name}")


def find_encounter(campaign: Campaign, name: str) -> str:
    """Return the id of the campaign's encounter that a name means. Raises Usage with the nearest name."""
    table = {key: str(item["name"]) for key, item in campaign.book.encounters.items()}
    return find_one(name, table, "encounter", f" in {campaign.book.name}")


# Words of commands, as a declaration has them


def party_of(campaign: Campaign, named: Sequence[str]) -> list[str]:
    """Return the characters for a fight: the named ones, or all. Raises Refused where there are none."""
    if not (party := list(named or campaign.book.characters)):
        raise Refused(
            f"{campaign.book.name} has no characters yet.",
            "`strike character add NAME` adds one, ready to play.",
        )
    return party


def creatures_by_count(call: Call, words: Iterable[str]) -> dict[str, int]:
    """Return the numbers of creatures by id: from words such as `goblin:4`, or `goblin` for one."""
    found: dict[str, int] = {}
    for word in words:
        name, _, count = word.rpartition(":")
        if not name or not is_number(count):
            name, count = word, "1"
        ref = call.here.book.find("creatures", name)
        found[ref] = found.get(ref, 0) + int(count)
    return found


def text_parser(what: str, remedy: str = "Give a text.") -> WordParser:
    """Return a parser of a text that may not be empty; `what` is the name of the parameter."""

    def read(call: Call, text: str) -> str:
        if not text.strip():
            raise Usage(f"{what} is empty.", remedy)
        return text.strip()

    return WordParser(read)


def _people_in_scene(campaign: Campaign) -> Mapping[str, Person]:
    """Return everybody in the newest scene."""
    from ..registry.scenes import scenes_of

    scenes = scenes_of(campaign.state)
    return scenes[-1].people if scenes else {}


def _active(campaign: Campaign) -> str | None:
    """Return the acting person in the newest scene; None in nobody's turn, or a whole side's."""
    from ..registry.scenes import scenes_of

    scenes = scenes_of(campaign.state)
    active = scenes[-1].order.active if scenes and scenes[-1].order else None
    return active if active and active in scenes[-1].people else None


def find_in_scene(call: Call, name: str, key: str) -> str | None:
    """Return the id of a person in the `people` of the state's scene under `key`.

    The name is read as by `find_one`, or is a label of the map; None for a name that means nobody there.
    Raises Usage where it may mean several.
    """
    kept = cast("SceneKept | None", scene_table(call.here.state, key))
    if kept is None:
        return None
    table = {person: str(one.get("name") or person) for person, one in kept.get("people", {}).items()}

    def labels_of_map() -> Mapping[str, str]:
        from ..registry.scenes import scenes_of
        from .battlemap.labels import labels

        return next((labels(scene) for scene in scenes_of(call.here.state) if scene.key == key), {})

    return find_if_any(name, table, labels_of_map)


def scene_if_any(campaign: Campaign, system: System) -> Scene | None:
    """Return the scene of a system, if one is under way."""
    from ..registry.scenes import scene_of

    table = scene_table(campaign.state, system.scene.key)
    return scene_of(system, table) if table else None


def _person(call: Call, name: str) -> str:
    """Return the id of a person in the newest scene; `.` is the acting person.

    Where no scene is under way the name is returned unchanged: the move refuses it.
    """
    from ..registry.scenes import scenes_of
    from .battlemap.labels import labels

    scenes = scenes_of(call.here.state)
    if not scenes:
        return name
    if name == THE_ACTIVE:
        if active := _active(call.here):
            return active
        now = scenes[-1]
        raise nobodys_turn(now.key, now.order.active if now.order else None, now.people.values())
    table = {person: one.name for person, one in scenes[-1].people.items()}
    return find_one(name, table, "person", f" in {scenes[-1].name}", lambda: labels(scenes[-1]))


def nobodys_turn(scene: str, active: str | None, people: Iterable[Person]) -> Refused:
    """Return the refusal where the acting person was left out while it is nobody's turn.

    It tells how a turn begins. `scene` is the key of the scene's table.
    """
    from strike_cli.refusals import NobodysTurn

    from ..registry import scene_systems

    begins = scene_systems()[scene].scene.next_turn
    if begins and not active:
        return NobodysTurn("`strike next` begins the next.")
    if active in {each.side for each in people}:
        return NobodysTurn(f"The turn belongs to a side: {active}. Name the member who acts.")
    return NobodysTurn("Name the actor.")


CHARACTER = WordParser(
    lambda call, name: find_character(call.here, name), lambda campaign: campaign.book.characters
)
"""The parser of a word for a character of the campaign."""
Character = Annotated[str, typer.Argument(metavar=WHO, help="A character."), CHARACTER]
"""A character of the campaign."""
InScene = Annotated[
    str,
    typer.Argument(metavar="WHO", help="A person in the scene; `.` for the current turn."),
    WordParser(_person, _people_in_scene),
]
"""Somebody in the scene under way."""
Acting = Annotated[
    str,
    typer.Argument(metavar="WHO", help="The actor; leave it out on their turn."),
    WordParser(_person, _people_in_scene, _active),
]
"""The acting person in the scene under way: by default, the creature whose turn it is."""
ENCOUNTER = Noun("ENCOUNTER", content_names("encounters"))
"""The name of a parameter for a prepared scene."""
Encounter = Annotated[
    str,
    typer.Argument(metavar=ENCOUNTER, help="One of campaign.toml."),
    WordParser(lambda call, name: find_encounter(call.here, name)),
]
"""The encounter that a scene begins with."""


class PeopleOf:
    """The people that a game's commands accept, by the key of its scene and of its table on sheets."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.character = WordParser(
            lambda call, name: find_one(
                name, self.party(call.here), "character", f" in {call.here.book.name}"
            ),
            self.party,
        )
        """The parser of a word for a character with such a sheet."""

    def in_scene(self, campaign: Campaign) -> dict[str, str]:
        """Return the names of everybody in the scene under way, by id; none where there is none."""
        kept = cast("SceneKept", scene_table(campaign.state, self.key) or {})
        return {person: str(one["name"]) for person, one in kept.get("people", {}).items()}

    def party(self, campaign: Campaign) -> dict[str, str]:
        """Return the names of the characters with such a sheet, by id."""
        return {id: str(one["name"]) for id, one in campaign.book.characters.items() if self.key in one}

    def creatures(self, campaign: Campaign) -> dict[str, str]:
        """Return the names of the creatures with such a sheet, by id."""
        return {id: str(one["name"]) for id, one in campaign.book.creatures.items() if self.key in one}

    def anybody(self, campaign: Campaign) -> dict[str, str]:
        """Return the names of all these people and creatures."""
        return {**self.creatures(campaign), **self.party(campaign), **self.in_scene(campaign)}

    def person(self, whose_turn: Callable[[Campaign], str | None]) -> WordParser:
        """Return a parser of a word for a person in the scene; `.` is a single acting person.

        Where no scene is under way the word is returned unchanged: the rules refuse it.
        """

        def read(call: Call, name: str) -> str:
            if name == THE_ACTIVE and (active := whose_turn(call.here)):
                return active
            found = find_in_scene(call, name, self.key) if self.in_scene(call.here) else name
            return found or _person(call, name)

        return WordParser(read, self.in_scene)
