"""Characters as they are now: their sheets with the changes from play, Skills and Action Points.

The names of people and things are found here, too. `GameMasterSpeaker` puts them into texts for the game
master.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from ..kernel.procedure import Happened, Procedure, Prose, World
from ..kernel.state_changes import State, open_or_last_session_in
from ..kernel.statements import ENGLISH, Clause, Language, Reason, Said, Statement, say
from ..problems import Refused
from .facts import ApGained, ApSpent, OfSkill

if TYPE_CHECKING:
    from ..kernel.journal_types import WaitingDecision
    from .data import CharacterKept, CharacterWritten, OtherKept, PersonKept, SceneKept
else:
    CharacterKept = OtherKept = PersonKept = SceneKept = Mapping


def scenes_of_person(world: World, person: str) -> Iterator[tuple[SceneKept, PersonKept]]:
    """Yield each scene that a person is in, oldest first: its table, and the person's table in it."""
    table: SceneKept
    for table in world.state.values():  # type: ignore[assignment]  # those of scenes; a cast is a call more
        if isinstance(table, dict):
            people = table.get("people") or table.get("combatants")
            if people and person in people:
                yield table, people[person]


def display_name(world: World, person: str) -> str:
    """Return the name to display for a person.

    It is the name in a scene. If no scene has one, it is the name on the sheet. If there is no such name
    either, it is the name of the side with this id. If no side has this id, it is the id itself.
    """
    name = next((one["name"] for _, one in scenes_of_person(world, person) if "name" in one), None)
    if name is None and world.book is not None:
        known = world.book.characters.get(person) or world.book.creatures.get(person) or {}
        name = known.get("name")
    return str(name or TEAMS.get(person) or person)


def written_sheet(world: World, person: str) -> CharacterWritten:
    """Return a character's sheet from the book; {} for a person without a sheet."""
    found: CharacterWritten = world.book.characters.get(person, {}) if world.book is not None else {}
    return found


def sentence_case_from_stem(stem: str) -> str:
    """Return a title made from a file name without its ending: "The ford" for `the-ford`."""
    words = " ".join(stem.replace("-", " ").replace("_", " ").split())
    return words[:1].upper() + words[1:]


@lru_cache(maxsize=1024)  # odds ask for the same few names at every fall of the dice
def slug(name: str) -> str:
    """Return a name in the form of a key in the state: lower case, with `-` between the words.

    Only letters and digits are kept. If there are none, return "-".
    """
    spaced = "".join(char if char.isalnum() else " " for char in name.lower())
    return "-".join(spaced.split()) or "-"


def state_path_of(world: World, person: str) -> str:
    """Return the path in the state for changes to a character, another person or a side."""
    return f"characters.{person}" if person in world.book.characters else f"others.{person}"


def character_changes_in(state: Mapping[str, object]) -> Mapping[str, CharacterKept]:
    """Return the changes that play has made to characters, by the characters' ids."""
    found: Mapping[str, CharacterKept] = state.get("characters", _NOBODY)  # type: ignore[assignment]  # as in `scenes_of_person`
    return found


def changes_of_others_and_sides_in(state: Mapping[str, object]) -> Mapping[str, OtherKept]:
    """Return the Conditions of people without a sheet, and of whole sides, by id.

    The ids of the sides are `party` and `enemies`.
    """
    return cast("Mapping[str, OtherKept]", state.get("others", _NOBODY))


_NOBODY: Mapping[str, Mapping[str, object]] = {}
_NOTHING: CharacterKept = {}


def character_changes_of(world: World, person: str) -> CharacterKept:
    """Return what play has changed in a character.

    It is {} if nothing has changed, or if the person isn't a character.
    """
    return character_changes_in(world.state).get(person, _NOTHING)


def stored_changes_of(world: World, person: str) -> OtherKept:
    """Return what play has changed about a character, another person or a side, such as Conditions.

    The result is empty if nothing has changed.
    """
    if person in world.book.characters:
        return character_changes_of(world, person)
    return changes_of_others_and_sides_in(world.state).get(person, _NOTHING)


def conditions_of_person_kind_and_side(world: World, person: str) -> Iterator[str]:
    """Yield each Condition that applies to a person.

    The person's own Conditions come first. Those of the person's kind of creature and of the person's side
    follow. Outside scenes, a character belongs to the party.
    """
    yield from character_changes_of(world, person).get("conditions", ())
    others = changes_of_others_and_sides_in(world.state)
    if not others:
        return
    sides = ["party"] if person in world.book.characters else []
    refs = [person]
    for _, one in scenes_of_person(world, person):
        sides, refs = [str(one.get("side", ""))], [person, str(one.get("ref", person))]
    for key in dict.fromkeys((*refs, *sides)):
        if key not in world.book.characters:
            yield from others.get(key, {}).get("conditions", ())


# Skills


def has_skill(world: World, person: str, skill: str) -> bool:
    """Return whether a person has a Skill, on the sheet or learned in play.

    Connections count, since they are Skills (STR-CORE-02, 14).
    """
    return skill.lower() in {name.lower() for name in skills_and_connections_of(world, person)}


def clause_of_skill_or_typed_words(world: World, person: str, skill: str) -> Clause:
    """Return a Skill as a clause for a sentence.

    If the person doesn't have the Skill, the clause is plain typed words.
    """
    return OfSkill(skill) if has_skill(world, person, skill) else Said(skill)


def skills_and_connections_of(world: World, person: str) -> list[str]:
    """Return every Skill of a character: those on the sheet, those learned in play, and Connections.

    Connections are Skills, too (STR-CORE-14).
    """
    written = written_sheet(world, person)
    learned = character_changes_of(world, person).get("skills_learned", [])
    found: dict[str, str] = {}
    for name in [*written.get("skills", []), *learned, *written.get("connections", [])]:
        found.setdefault(name.lower(), name)
    return list(found.values())


def fallback_of(world: World, person: str) -> str:
    """Return a character's Fallback (STR-CORE-31), gained in play or on the sheet; "" for none."""
    return str(
        character_changes_of(world, person).get("fallback")
        or written_sheet(world, person).get("fallback")
        or ""
    )


# Players


def person_and_others_of_same_player(world: World, person: str) -> list[str]:
    """Return all characters of the same player as `person`, with `person` first.

    If the sheet names no player, the result is `person` alone.
    """
    player = written_sheet(world, person).get("player", "").strip().lower()
    others = [
        other
        for other, written in world.book.characters.items()
        if other != person and player and written.get("player", "").strip().lower() == player
    ]
    return [person, *others]


def open_or_last_session_number(world: World) -> int:
    """Return the number of the open session, or else of the last one; 0 before the first."""
    return open_or_last_session_in(world.state).get("number", 0)


# Action Points


def action_points(world: World, person: str) -> int:
    """Return a character's number of Action Points (STR-CORE-21)."""
    return int(character_changes_of(world, person).get("ap", written_sheet(world, person).get("ap", 0)))


def charges_spent(world: World, person: str, key: str) -> int:
    """Return how many charges of the power `key` a character has spent since a rest restored them."""
    spent = character_changes_of(world, person).get("charges", {}).get(key)
    return spent["spent"] if spent else 0


def gain_action_points(world: World, person: str, why: Reason, n: int = 1) -> Procedure[None]:
    """Give a character `n` Action Points for a reason (STR-CORE-21)."""
    now = action_points(world, person) + n
    yield world.tell(ApGained(person, n, now, because=why), {f"characters.{person}.ap": now})


def spend_action_points(world: World, person: str, why: Reason, n: int = 1) -> Procedure[None]:
    """Spend `n` Action Points of a character for a reason (STR-CORE-22).

    Raises TooFewPoints if there are fewer.
    """
    require_action_points(world, person, why, n)
    left = action_points(world, person) - n
    yield world.tell(ApSpent(person, n, left, because=why), {f"characters.{person}.ap": left})


class TooFewPoints(Refused):
    """The refusal to spend more Action Points than a character has."""


def require_action_points(world: World, person: str, why: Reason, n: int) -> None:
    """Raise TooFewPoints if a character has fewer than `n` Action Points.

    `why` is the purpose of the points, for the message.
    """
    had = action_points(world, person)
    if had < n:
        has = "no Action Point" if not had else f"{had} Action Point{'' if had == 1 else 's'} and not {n}"
        because = f": {reason_words(world, why).rstrip('.')}." if why else "."
        raise TooFewPoints(
            f"{display_name(world, person)} has {has} to spend on this{because}",
            f"A Complication earns one: `strike complication use {person} NAME --how trouble`.",
        )


LARGEST_SIZE = 100
"""How many squares wide a creature may be: more than any is, and few enough to go through."""


def checked_creature_size(size: int | str | float) -> int:
    """Return a creature's stored size as a whole number of squares.

    Raises ValueError for a size below 1 or above LARGEST_SIZE. A forged size could keep the program busy for
    ever.
    """
    if type(size) is int and 1 <= size <= LARGEST_SIZE:
        return size
    if 1 <= int(size) <= LARGEST_SIZE:
        return int(size)
    raise ValueError(f"{size} squares is not a creature's size")


Names = Mapping[str, str]
"""What things are called, by sort and id (`person:goblin-2`), as an entry of the journal has it.

What can be derived from the id is left out.
"""

TEAMS = {"party": "The party", "enemies": "The other side"}
"""The sides that can have Conditions as a whole, and what they are called."""
SORTS_NAMED_BY_ID = frozenset({"square", "trait", "skill", "trick", "complication", "fallback", "player"})
"""The sorts whose ids are names already."""


def name_from_id(id: str, sort: str = "") -> str:
    """Return the name that follows from an id: "Goblin 2" for `goblin-2`.

    For sorts in SORTS_NAMED_BY_ID the name is the id itself.
    """
    return id if sort in SORTS_NAMED_BY_ID else id.rpartition(":")[2].replace("-", " ").title()


def decider_name(decision: WaitingDecision) -> str:
    """Return the name of the person who makes an open decision.

    The decision stores a person's id, or words for anybody else, such as "the game master".
    """
    person = "the game master" if decision.get("decides") == "gm" else str(decision.get("who") or "the table")
    plain = person if " " in person or not person.islower() else name_from_id(person)
    return str(decision.get("names", {}).get(f"person:{person}") or plain)


class GameMasterSpeaker:
    """The `Speaker` that words facts for the game master. It names everything and hides nothing.

    If `names` is given, names come from there alone: these are the names that a journal entry stores.
    Otherwise they come from the `states`, the newest first, and then from the book.
    """

    def __init__(
        self,
        book: object = None,
        states: Sequence[State] = (),
        names: Names | None = None,
        language: Language | None = None,
    ) -> None:
        self.book = book
        self.states = states
        self.names = names
        self.language = language or getattr(book, "locale", lambda: ENGLISH)()
        self._known: dict[tuple[str, str], str] = {}

    def name(self, sort: str, id: str) -> str:
        """Return the name for an id of this `sort`: a person, a zone and so on."""
        found = self._known.get((sort, id))
        if found is None:
            found = self._known[sort, id] = self._find_name(sort, id)
        return found

    def _find_name(self, sort: str, id: str) -> str:
        if self.names is not None:
            return self.names.get(f"{sort}:{id}") or name_from_id(id, sort)
        if sort in SORTS_NAMED_BY_ID:
            return id
        for state in reversed(self.states) if sort in SORTS_NAMED_IN_SCENES else ():
            found = name_in_scenes(state, sort, id)
            if found is not None:
                return found
        if sort == "person":
            known = self._book_entry("characters", id) or self._book_entry("creatures", id)
            return str(known.get("name") or TEAMS.get(id) or id)
        return str(self._book_entry(sort, id).get("name") or name_from_id(id))

    def _book_entry(self, sort: str, id: str) -> Mapping[str, object]:
        table: Mapping[str, Mapping[str, object]] = getattr(self.book, sort, None) or {}
        return table.get(id, {})

    def audience_may_know(self, sort: str, id: str) -> bool:
        return True

    def may_know_numbers_of(self, person: str) -> bool:
        return True

    def audience_may_read(self, words: str) -> bool:
        return True


SORTS_NAMED_IN_SCENES = ("person", "zone", "side", "encounters")
"""The sorts that are named in scenes: people, zones, sides, and encounters."""


def name_in_scenes(state: State, sort: str, id: str) -> str | None:
    """Return the name for an id in the scenes of a state, or None if no scene has one.

    `sort` is "person", "zone", "side" or "encounters". The oldest scene is searched first. The name of an
    encounter is that of its scene.
    """
    for table in state.values():
        if isinstance(table, dict):
            if sort == "encounters":
                if table.get("id") == id and "name" in table:
                    return str(table["name"])
                continue
            kept: object = table if sort == "side" else None
            if sort == "zone":
                kept = table.get("zones")
            elif sort == "person":  # somebody may be called by the same id as a power
                kept = table.get("people") or table.get("combatants")
            one = kept.get(id) if isinstance(kept, Mapping) else None
            if isinstance(one, Mapping) and "name" in one:
                return str(one["name"])
    return None


def names_not_following_from_ids(
    facts: Iterable[Happened], statements: Iterable[Statement | str], speaker: GameMasterSpeaker
) -> dict[str, str]:
    """Return the names that a journal entry must store to put its facts into words later.

    The keys have the form `sort:id`. Names that follow from the id are left out. `statements` has the entry's
    statements besides its facts.
    """
    named = {}
    told = [
        *(fact.told for fact in facts if not isinstance(fact.told, Prose)),
        *(one for one in statements if not isinstance(one, str)),
    ]
    for sort, id in dict.fromkeys(pair for each in told for pair in each.ids()):
        name = speaker.name(sort, id)
        if name != name_from_id(id, sort):
            named[f"{sort}:{id}"] = name
    return named


def reason_words(world: World, reason: Reason) -> str:
    """Return a reason in the words for the game master."""
    return (
        reason if isinstance(reason, str) else say(reason, GameMasterSpeaker(world.book, [world.state])) or ""
    )
