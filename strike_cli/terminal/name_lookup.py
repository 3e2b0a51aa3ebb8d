"""Finds the person or thing that a typed name, or the beginning of a name, means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ..kernel.state_changes import scene_table
from ..problems import Refused, Usage, listed, nearest
from ..untrusted_data_reader import is_whole_number
from .argument_names import WHO, Names, Noun
from .command_declarations import THE_ACTIVE, Call, WordParser

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..registry.system_declaration import System
    from ..tabletop.data import SceneKept
    from ..tabletop.scene import Person, Scene


def content_names(kind: str) -> Names:
    """Return a function that lists for Tab the names of a kind of content.

    A name is the last part of an id.
    """

    def names(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
        return sorted(key.rpartition(":")[2] for key in campaign.book.table(kind))

    return names


def names_in_scene_of(key: str) -> Names:
    """Return a function that lists for Tab the people who are still in the scene with this key."""

    def names(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
        from ..registry.scenes_in_state import scenes_of

        scenes = (scene for scene in scenes_of(campaign.state) if scene.key == key)
        return [person for scene in scenes for person, one in scene.people.items() if not one.out]

    return names


Labels = Callable[[], Mapping[str, str]]
"""A function that returns the short labels of a map, by id; called only where nothing else fits."""


ARTICLE = "the"


def find_one(name: str, table: Mapping[str, str], what: str, where: str, labels: Labels = dict) -> str:
    """Return the id that a name means, whatever the case of letters.

    The name is an id, a label of the map, or the unique beginning of an id, of a display name or of a word in
    a display name. `table` has the display names by id, and `labels` returns the map's labels by id. `what`
    and `where` are used in messages. Raises Usage for an ambiguous name, and for an unknown one; then the
    message has the nearest name.
    """
    found = find_if_any(name, table, labels)
    if found is not None:
        return found
    hint = nearest(name, [*table, *table.values()])
    raise Usage(f"There is no {what} {name!r}{where}.{hint}", f"Known: {listed(table)}.")


def find_if_any(name: str, table: Mapping[str, str], labels: Labels = dict) -> str | None:
    """Return the id that a name means, as `find_one` does; None if the name isn't in the table.

    Raises MayBeSeveral if the name is ambiguous.
    """
    low = name.strip().lower()
    found = next(filter(None, _find_ids(low, table, labels)), []) if low else []
    if len(found) > 1:
        from strike_cli.refusals import MayBeSeveral

        raise MayBeSeveral(repr(name), listed(found), "Give more of the name.")
    return found[0] if found else None


def _find_ids(low: str, table: Mapping[str, str], labels: Labels) -> Iterator[list[str]]:
    """Yield lists of the ids that fit a lower-case name: one list for each way to read the name.

    The strictest way comes first. An article in front is ignored if it isn't the whole name.
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
    """Return a name without "the" in front."""
    first, _, rest = name.partition(" ")
    return rest if first.lower() == ARTICLE and rest else name


def find_word(typed: str, known: Sequence[str], what: str) -> str:
    """Return the only known word that begins with the typed word.

    If no known word does, return the only one in which a part after a hyphen begins with the typed word.
    Raises NoneSuch, with all known words, if no word or more than one fits. `what` is used in the message.
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
    """Return the id of the character with this name, or of the character whose player has this name.

    Raises Usage for an unknown name; the message has the nearest name.
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
    """Return the id of the encounter with this name.

    Raises Usage for an unknown name; the message has the nearest name.
    """
    table = {key: str(item["name"]) for key, item in campaign.book.encounters.items()}
    return find_one(name, table, "encounter", f" in {campaign.book.name}")


# Words of commands, as a declaration has them


def party_of(campaign: Campaign, named: Sequence[str]) -> list[str]:
    """Return the ids of the characters for a fight: those named, or all. Raises Refused if there are none."""
    if not (party := list(named or campaign.book.characters)):
        raise Refused(
            f"{campaign.book.name} has no characters yet.",
            "`strike character add NAME` adds one, ready to play.",
        )
    return party


def creatures_by_count(call: Call, words: Iterable[str]) -> dict[str, int]:
    """Return how many of each creature words ask for, by the creatures' ids.

    A word is like `goblin:4`, or like `goblin` for one.
    """
    found: dict[str, int] = {}
    for word in words:
        name, _, count = word.rpartition(":")
        if not name or not is_whole_number(count):
            name, count = word, "1"
        ref = call.here.book.find("creatures", name)
        found[ref] = found.get(ref, 0) + int(count)
    return found


def text_parser(what: str, remedy: str = "Give a text.") -> WordParser:
    """Return a parser for a text that must not be empty; `what` names the text in the message."""

    def read_text(call: Call, text: str) -> str:
        if not text.strip():
            raise Usage(f"{what} is empty.", remedy)
        return text.strip()

    return WordParser(read_text)


def _people_in_newest_scene(campaign: Campaign) -> Mapping[str, Person]:
    from ..registry.scenes_in_state import scenes_of

    scenes = scenes_of(campaign.state)
    return scenes[-1].people if scenes else {}


def _active_person(campaign: Campaign) -> str | None:
    """Return the id of the person whose turn it is in the newest scene.

    Return None while a side has the turn, or nobody.
    """
    from ..registry.scenes_in_state import scenes_of

    scenes = scenes_of(campaign.state)
    active = scenes[-1].order.active if scenes and scenes[-1].order else None
    return active if active and active in scenes[-1].people else None


def find_in_scene(call: Call, name: str, key: str) -> str | None:
    """Return the id of a person in the scene with this key; None if nobody there has the name.

    The name is read as by `find_one`, and may also be a label of the map. Raises Usage if the name is
    ambiguous.
    """
    kept = cast("SceneKept | None", scene_table(call.here.state, key))
    if kept is None:
        return None
    table = {person: str(one.get("name") or person) for person, one in kept.get("people", {}).items()}

    def labels_of_map() -> Mapping[str, str]:
        from ..registry.scenes_in_state import scenes_of
        from .battlemap.labels import map_labels

        return next((map_labels(scene) for scene in scenes_of(call.here.state) if scene.key == key), {})

    return find_if_any(name, table, labels_of_map)


def scene_if_any(campaign: Campaign, system: System) -> Scene | None:
    """Return the scene of a system; None if none is under way."""
    from ..registry.scenes_in_state import scene_of

    table = scene_table(campaign.state, system.scene.key)
    return scene_of(system, table) if table else None


def _read_person(call: Call, name: str) -> str:
    """Return the id of a person in the newest scene; `.` means the person whose turn it is.

    If there is no scene, the name is returned unchanged, since the move itself will refuse it.
    """
    from ..registry.scenes_in_state import scenes_of
    from .battlemap.labels import map_labels

    scenes = scenes_of(call.here.state)
    if not scenes:
        return name
    if name == THE_ACTIVE:
        if active := _active_person(call.here):
            return active
        now = scenes[-1]
        raise nobodys_turn_refusal(now.key, now.order.active if now.order else None, now.people.values())
    table = {person: one.name for person, one in scenes[-1].people.items()}
    return find_one(name, table, "person", f" in {scenes[-1].name}", lambda: map_labels(scenes[-1]))


def nobodys_turn_refusal(scene: str, active: str | None, people: Iterable[Person]) -> Refused:
    """Return the refusal for a command without an actor while no single person has the turn.

    The refusal says how a turn begins. `scene` is the scene's key, and `active` is the side that has the
    turn, if one has.
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
    WordParser(_read_person, _people_in_newest_scene),
]
"""Somebody in the scene under way."""
Acting = Annotated[
    str,
    typer.Argument(metavar="WHO", help="The actor; leave it out on their turn."),
    WordParser(_read_person, _people_in_newest_scene, _active_person),
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
    """Finds the people whom a game's commands accept.

    `key` is the key of the game's scene, and also that of the game's table on sheets.
    """

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
        """Return the names of everybody in the game's scene, by id; {} if there is no scene."""
        kept = cast("SceneKept", scene_table(campaign.state, self.key) or {})
        return {person: str(one["name"]) for person, one in kept.get("people", {}).items()}

    def party(self, campaign: Campaign) -> dict[str, str]:
        """Return the names of the characters with a sheet of this game, by id."""
        return {id: str(one["name"]) for id, one in campaign.book.characters.items() if self.key in one}

    def creatures(self, campaign: Campaign) -> dict[str, str]:
        """Return the names of the creatures with a sheet of this game, by id."""
        return {id: str(one["name"]) for id, one in campaign.book.creatures.items() if self.key in one}

    def anybody(self, campaign: Campaign) -> dict[str, str]:
        """Return the names, by id, of people in the scene and of this game's characters and creatures."""
        return {**self.creatures(campaign), **self.party(campaign), **self.in_scene(campaign)}

    def person(self, whose_turn: Callable[[Campaign], str | None]) -> WordParser:
        """Return a parser for a person in the scene; `.` means the person that `whose_turn` returns.

        If there is no scene, the parser returns the word unchanged, since the rules will refuse it.
        """

        def read_person(call: Call, name: str) -> str:
            if name == THE_ACTIVE and (active := whose_turn(call.here)):
                return active
            found = find_in_scene(call, name, self.key) if self.in_scene(call.here) else name
            return found or _read_person(call, name)

        return WordParser(read_person, self.in_scene)
