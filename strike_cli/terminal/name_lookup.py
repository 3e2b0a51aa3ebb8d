"""Finds the person or thing that a typed name, or the beginning of a name, means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ..deprecated_api_names import OldName
from ..kernel.state_changes import scene_table
from ..problems import Refused, Usage, did_you_mean, listed
from ..untrusted_input import is_safe_unsigned_number
from .argument_completions import WHO, Metavar, Names
from .move_commands import ACTOR_WORD, Call, WordParser

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..registry.system_declaration import System
    from ..tabletop.data import SceneKept
    from ..tabletop.scene import Person, Scene


def short_content_id_suggester(kind: str) -> Names:
    """Return a function that lists for Tab the names of a kind of content.

    A name is the last part of an id.
    """

    def short_ids(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
        return sorted(key.rpartition(":")[2] for key in campaign.book.table(kind))

    return short_ids


def people_still_in_scene_suggester(key: str) -> Names:
    """Return a function that lists for Tab the people who are still in the scene with this key."""

    def ids_of_people_still_in_scene(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
        from ..registry.scenes_and_decisions_in_state import scenes_of

        scenes = (scene for scene in scenes_of(campaign.state) if scene.key == key)
        return [person for scene in scenes for person, one in scene.people.items() if not one.out]

    return ids_of_people_still_in_scene


Labels = Callable[[], Mapping[str, str]]
"""A function that returns the short labels of a map, by id; called only where nothing else fits."""


ARTICLE = "the"


def find_id_by_name(name: str, table: Mapping[str, str], what: str, where: str, labels: Labels = dict) -> str:
    """Return the id that a name means, whatever the case of letters.

    The name can be an id, a display name, or a label of the map. It can also be the unique beginning of an
    id, of a display name, or of a word in a display name. `table` has the display names by id. `labels`
    returns the map's labels by id. `what` and `where` are used in messages.

    Raises Usage for an ambiguous name, and for an unknown one. For an unknown name, the message suggests the
    nearest name.
    """
    found = find_id_if_any(name, table, labels)
    if found is not None:
        return found
    hint = did_you_mean(name, [*table, *table.values()])
    raise Usage(f"There is no {what} {name!r}{where}.{hint}", f"Known: {listed(table)}.")


def find_id_if_any(name: str, table: Mapping[str, str], labels: Labels = dict) -> str | None:
    """Return the id that a name means, as `find_id_by_name` does; None if the name isn't in the table.

    Raises AmbiguousWord if the name is ambiguous.
    """
    low = name.strip().lower()
    found = next(filter(None, _candidate_ids_by_strictness(low, table, labels)), []) if low else []
    if len(found) > 1:
        from strike_cli.refusals import AmbiguousWord

        raise AmbiguousWord(repr(name), listed(found), "Give more of the name.")
    return found[0] if found else None


def _candidate_ids_by_strictness(
    lower_name: str, table: Mapping[str, str], labels: Labels
) -> Iterator[list[str]]:
    """Yield lists of the ids that a lower-case name may mean, from the strictest reading to the loosest.

    Each list belongs to one reading. If the name begins with "the", the last reading leaves this article out.
    """
    names = {key: called.lower() for key, called in table.items()}
    ids = {key: key.lower() for key in table}
    yield [key for key, id in ids.items() if id == lower_name]
    yield [key for key, called in names.items() if called == lower_name]
    short = labels()
    yield [key for key in table if short.get(key, "").lower() == lower_name]
    if lower_name == ARTICLE:
        names = {key: called.removeprefix(f"{ARTICLE} ") for key, called in names.items()}
        ids = {key: id.removeprefix(f"{ARTICLE}-") for key, id in ids.items()}
    yield [
        key
        for key, called in names.items()
        if ids[key].startswith(lower_name) or called.startswith(lower_name)
    ]
    yield [
        key
        for key, called in names.items()
        if any(word.startswith(lower_name) and word != ARTICLE for word in called.split())
    ]
    if (bare := without_the(lower_name)) != lower_name:
        yield next(filter(None, _candidate_ids_by_strictness(bare, table, labels)), [])


def without_the(name: str) -> str:
    """Return a name without "the" in front."""
    first, _, rest = name.partition(" ")
    return rest if first.lower() == ARTICLE and rest else name


def find_word(typed: str, known: Sequence[str], what: str) -> str:
    """Return the known word that is the typed word, or else the one that begins with it. Case doesn't matter.

    If no word begins with it, a part after a hyphen may: `back` finds `double-back`. Raises UnknownName if no
    word fits, or if several do. `what` is the kind of word, for the message.
    """
    low = typed.strip().lower()
    found = (
        [word for word in known if word == low]
        or [word for word in known if low and word.startswith(low)]
        or [word for word in known if low and any(part.startswith(low) for part in word.split("-"))]
    )
    if len(found) != 1:
        from strike_cli.refusals import UnknownName

        raise UnknownName(what, repr(typed), did_you_mean(low, known), f"One of: {listed(known)}.")
    return found[0]


def find_character_by_name_or_player(campaign: Campaign, name: str) -> str:
    """Return the id of the character with this name, or of the character whose player has this name.

    Raises Usage for an unknown name; the message has the nearest name.
    """
    characters = campaign.book.characters.items()
    table = {key: str(item["name"]) for key, item in characters}
    if find_id_if_any(name, table) is None:
        players = {key: str(item["player"]) for key, item in characters if item.get("player")}
        same = [key for key, player in players.items() if player.strip().lower() == name.strip().lower()]
        if len(same) == 1:
            return same[0]
    return find_id_by_name(name, table, "character", f" in {campaign.book.name}")


def find_encounter(campaign: Campaign, name: str) -> str:
    """Return the id of the encounter with this name.

    Raises Usage for an unknown name; the message has the nearest name.
    """
    table = {key: str(item["name"]) for key, item in campaign.book.encounters.items()}
    return find_id_by_name(name, table, "encounter", f" in {campaign.book.name}")


# Words of commands, as a declaration has them


def must_find_named_or_all_characters(campaign: Campaign, named: Sequence[str]) -> list[str]:
    """Return the ids of the characters for a fight: those named, or all. Raises Refused if there are none."""
    if not (party := list(named or campaign.book.characters)):
        raise Refused(
            f"{campaign.book.name} has no characters yet.",
            "`strike character add NAME` adds one, ready to play.",
        )
    return party


def creature_counts(call: Call, words: Iterable[str]) -> dict[str, int]:
    """Return the number of each creature that the typed words ask for, by the creature's id.

    The word `goblin:4` means four goblins, and `goblin` means one.
    """
    found: dict[str, int] = {}
    for word in words:
        name, _, count = word.rpartition(":")
        if not name or not is_safe_unsigned_number(count):
            name, count = word, "1"
        ref = call.required_campaign.book.find("creatures", name)
        found[ref] = found.get(ref, 0) + int(count)
    return found


def nonempty_text_parser(what: str, remedy: str = "Give a text.") -> WordParser:
    """Return a parser for a text that must not be empty; `what` names the text in the message."""

    def read_text(call: Call, text: str) -> str:
        if not text.strip():
            raise Usage(f"{what} is empty.", remedy)
        return text.strip()

    return WordParser(read_text)


def _people_in_newest_scene(campaign: Campaign) -> Mapping[str, Person]:
    from ..registry.scenes_and_decisions_in_state import scenes_of

    scenes = scenes_of(campaign.state)
    return scenes[-1].people if scenes else {}


def _active_person(campaign: Campaign) -> str | None:
    """Return the id of the person whose turn it is in the newest scene.

    Return None if it is nobody's turn, or the turn of a whole side.
    """
    from ..registry.scenes_and_decisions_in_state import scenes_of

    scenes = scenes_of(campaign.state)
    active = scenes[-1].order.active if scenes and scenes[-1].order else None
    return active if active and active in scenes[-1].people else None


def find_person_in_scene(call: Call, name: str, key: str) -> str | None:
    """Return the id of the person that a name means, or None if nobody in the scene has this name.

    `key` is the key of the scene. The name is read as by `find_id_by_name`. It may also be a label of the
    map. Raises Usage if the name could mean several people.
    """
    kept = cast("SceneKept | None", scene_table(call.required_campaign.state, key))
    if kept is None:
        return None
    table = {person: str(one.get("name") or person) for person, one in kept.get("people", {}).items()}

    def labels_of_map() -> Mapping[str, str]:
        from ..registry.scenes_and_decisions_in_state import scenes_of
        from .battlemap.labels_and_marks import map_labels

        return next(
            (map_labels(scene) for scene in scenes_of(call.required_campaign.state) if scene.key == key), {}
        )

    return find_id_if_any(name, table, labels_of_map)


def scene_if_any(campaign: Campaign, system: System) -> Scene | None:
    """Return the scene of a system; None if none is under way."""
    from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table

    table = scene_table(campaign.state, system.scene.key)
    return scene_or_bare_scene_from_table(system, table) if table else None


def _person_in_newest_scene_or_as_typed(call: Call, name: str) -> str:
    """Return the id of the person with this name in the newest scene.

    `.` means the person whose turn it is. If there is no scene, the name is returned unchanged: the command
    then refuses it.
    """
    from ..registry.scenes_and_decisions_in_state import scenes_of
    from .battlemap.labels_and_marks import map_labels

    scenes = scenes_of(call.required_campaign.state)
    if not scenes:
        return name
    if name == ACTOR_WORD:
        if active := _active_person(call.required_campaign):
            return active
        now = scenes[-1]
        raise nobodys_turn_refusal(now.key, now.order.active if now.order else None, now.people.values())
    table = {person: one.name for person, one in scenes[-1].people.items()}
    return find_id_by_name(name, table, "person", f" in {scenes[-1].name}", lambda: map_labels(scenes[-1]))


def nobodys_turn_refusal(scene_key: str, active: str | None, people: Iterable[Person]) -> Refused:
    """Return the refusal of a command that names no actor, if no single person has the turn.

    The refusal says how the next turn begins, or asks for the actor's name.

    Args:
        scene_key: The key of the scene.
        active: The side that has the turn; None if no side has it.
        people: The people in the scene.
    """
    from strike_cli.refusals import NobodysTurn

    from ..registry import systems_by_scene_key

    begins = systems_by_scene_key()[scene_key].scene.next_turn
    if begins and not active:
        return NobodysTurn("`strike next` begins the next.")
    if active in {each.side for each in people}:
        return NobodysTurn(f"The turn belongs to a side: {active}. Name the member who acts.")
    return NobodysTurn("Name the actor.")


CHARACTER = WordParser(
    lambda call, name: find_character_by_name_or_player(call.required_campaign, name),
    lambda campaign: campaign.book.characters,
)
"""The parser of a word for a character of the campaign."""
Character = Annotated[str, typer.Argument(metavar=WHO, help="A character."), CHARACTER]
"""A character of the campaign."""
InScene = Annotated[
    str,
    typer.Argument(metavar="WHO", help="A person in the scene; `.` for the current turn."),
    WordParser(_person_in_newest_scene_or_as_typed, _people_in_newest_scene),
]
"""Somebody in the scene under way."""
Acting = Annotated[
    str,
    typer.Argument(metavar="WHO", help="The actor; leave it out on their turn."),
    WordParser(_person_in_newest_scene_or_as_typed, _people_in_newest_scene, _active_person),
]
"""The acting person in the scene under way: by default, the creature whose turn it is."""
ENCOUNTER = Metavar("ENCOUNTER", short_content_id_suggester("encounters"))
"""The name of a parameter for a prepared scene."""
Encounter = Annotated[
    str,
    typer.Argument(metavar=ENCOUNTER, help="One of campaign.toml."),
    WordParser(lambda call, name: find_encounter(call.required_campaign, name)),
]
"""The encounter that a scene begins with."""


class PeopleOfGame:
    """A look-up of the people whom a game's commands accept.

    `key` is the key of the game's scene, and also that of the game's table on sheets.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.character = WordParser(
            lambda call, name: find_id_by_name(
                name,
                self.party(call.required_campaign),
                "character",
                f" in {call.required_campaign.book.name}",
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

    def person_parser(self, whose_turn: Callable[[Campaign], str | None]) -> WordParser:
        """Return a parser for a person in the scene; `.` means the person that `whose_turn` returns.

        If there is no scene, the parser returns the word unchanged, since the rules will refuse it.
        """

        def read_person(call: Call, name: str) -> str:
            if name == ACTOR_WORD and (active := whose_turn(call.required_campaign)):
                return active
            found = (
                find_person_in_scene(call, name, self.key) if self.in_scene(call.required_campaign) else name
            )
            return found or _person_in_newest_scene_or_as_typed(call, name)

        return WordParser(read_person, self.in_scene)

    person = OldName("person_parser")
