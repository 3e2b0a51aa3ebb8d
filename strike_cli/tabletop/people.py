"""Characters as rules see them: their sheets, and the changes that play has made.

The speaker `GameMaster`, which finds the names of people and things, now or at an earlier time, is here, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from ..kernel.procedure import Happened, Procedure, Prose, World
from ..kernel.state_changes import State, session_in
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
    """Return a person's name: that in a scene, else that on the sheet, else the id itself."""
    name = next((one["name"] for _, one in scenes_of_person(world, person) if "name" in one), None)
    if name is None and world.book is not None:
        known = world.book.characters.get(person) or world.book.creatures.get(person) or {}
        name = known.get("name")
    return str(name or TEAMS.get(person) or person)


def written_sheet(world: World, person: str) -> CharacterWritten:
    """Return a character's sheet from the book; {} for anybody else."""
    found: CharacterWritten = world.book.characters.get(person, {}) if world.book is not None else {}
    return found


def title_from_stem(stem: str) -> str:
    """Return a title made from a file name without its ending: "The ford" for `the-ford`."""
    words = " ".join(stem.replace("-", " ").replace("_", " ").split())
    return words[:1].upper() + words[1:]


@lru_cache(maxsize=1024)  # odds ask for the same few names at every fall of the dice
def slug(name: str) -> str:
    """Return a name as a key of the state.

    It is in lower case, with `-` in place of anything but letters and digits.
    """
    spaced = "".join(char if char.isalnum() else " " for char in name.lower())
    return "-".join(spaced.split()) or "-"


def stored_path(world: World, person: str) -> str:
    """Return the path in the state under which changes to somebody are stored.

    Somebody is a character, another person or a side.
    """
    return f"characters.{person}" if person in world.book.characters else f"others.{person}"


def characters_in(state: Mapping[str, object]) -> Mapping[str, CharacterKept]:
    """Return the changes that play has made to characters, by id."""
    found: Mapping[str, CharacterKept] = state.get("characters", _NOBODY)  # type: ignore[assignment]  # as in `scenes_of_person`
    return found


def others_in(state: Mapping[str, object]) -> Mapping[str, OtherKept]:
    """Return the changes that play has made to people without a character's sheet, and to sides.

    They are by id; the ids of the sides are `party` and `enemies`.
    """
    return cast("Mapping[str, OtherKept]", state.get("others", _NOBODY))


_NOBODY: Mapping[str, Mapping[str, object]] = {}
_NOTHING: CharacterKept = {}


def character_state(world: World, person: str) -> CharacterKept:
    """Return the changes that play has made to a character; {} for anybody else."""
    return characters_in(world.state).get(person, _NOTHING)


def stored_conditions_of(world: World, person: str) -> OtherKept:
    """Return the part of the state that has the Conditions of a character, another person or a side.

    For a character, this part has everything that play has changed. It is empty for anybody whom play hasn't
    changed.
    """
    if person in world.book.characters:
        return character_state(world, person)
    return others_in(world.state).get(person, _NOTHING)


def conditions_on(world: World, person: str) -> Iterator[str]:
    """Yield every Condition that applies to a person.

    They are the person's own Conditions; in scenes, also those of the person's kind of creature and of the
    person's side. Outside scenes, a character belongs to the party.
    """
    yield from character_state(world, person).get("conditions", ())
    others = others_in(world.state)
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
    """Return whether somebody has a Skill, on the sheet or because they learned it in play.

    Connections count, since they are Skills (STR-CORE-02, 14).
    """
    return skill.lower() in {name.lower() for name in skills_of(world, person)}


def skill_clause(world: World, person: str, skill: str) -> Clause:
    """Return a Skill as a clause for a sentence.

    A Skill that the person doesn't have counts as words that somebody typed.
    """
    return OfSkill(skill) if has_skill(world, person, skill) else Said(skill)


def skills_of(world: World, person: str) -> list[str]:
    """Return every Skill of a character: those on the sheet, those learned in play, and Connections.

    Connections are Skills, too (STR-CORE-14).
    """
    written = written_sheet(world, person)
    learned = character_state(world, person).get("skills_learned", [])
    found: dict[str, str] = {}
    for name in [*written.get("skills", []), *learned, *written.get("connections", [])]:
        found.setdefault(name.lower(), name)
    return list(found.values())


def fallback_of(world: World, person: str) -> str:
    """Return a character's Fallback (STR-CORE-31), gained in play or on the sheet; "" for none."""
    return str(
        character_state(world, person).get("fallback") or written_sheet(world, person).get("fallback") or ""
    )


# Players


def characters_of_player(world: World, person: str) -> list[str]:
    """Return all characters of the player whose character a person is, with `person` first.

    If the sheet names no player, return `person` alone.
    """
    player = written_sheet(world, person).get("player", "").strip().lower()
    others = [
        other
        for other, written in world.book.characters.items()
        if other != person and player and written.get("player", "").strip().lower() == player
    ]
    return [person, *others]


def session_number(world: World) -> int:
    """Return the number of the session that is open, or of the last one; 0 before the first."""
    return session_in(world.state).get("number", 0)


# Action Points


def action_points(world: World, person: str) -> int:
    """Return a character's number of Action Points (STR-CORE-21)."""
    return int(character_state(world, person).get("ap", written_sheet(world, person).get("ap", 0)))


def charges_spent(world: World, person: str, key: str) -> int:
    """Return how many charges of the power `key` a character has spent since a rest restored them."""
    spent = character_state(world, person).get("charges", {}).get(key)
    return spent["spent"] if spent else 0


def gain_action_point(world: World, person: str, why: Reason, n: int = 1) -> Procedure[None]:
    """Give a character `n` Action Points for a reason (STR-CORE-21)."""
    now = action_points(world, person) + n
    yield world.tell(ApGained(person, n, now, because=why), {f"characters.{person}.ap": now})


def spend_action_point(world: World, person: str, why: Reason, n: int = 1) -> Procedure[None]:
    """Spend `n` Action Points of a character for a reason (STR-CORE-22).

    Raises TooFewPoints if there are fewer.
    """
    must_have_points(world, person, why, n)
    left = action_points(world, person) - n
    yield world.tell(ApSpent(person, n, left, because=why), {f"characters.{person}.ap": left})


class TooFewPoints(Refused):
    """The refusal to spend more Action Points than a character has."""


def must_have_points(world: World, person: str, why: Reason, n: int) -> None:
    """Raise TooFewPoints if a character has fewer than `n` Action Points.

    `why` is what the points are to be spent on.
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


def creature_size_in_squares(size: int | str | float) -> int:
    """Return a creature's stored size as a whole number of squares.

    Raises ValueError for an impossible size. Somebody may have forged the stored size: a creature with too
    many squares would keep the program busy for ever.
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
OWN_NAMES = frozenset({"square", "trait", "skill", "trick", "complication", "fallback", "player"})
"""The sorts whose ids are names already."""


def default_name(id: str, sort: str = "") -> str:
    """Return the name that is made from an id: "Goblin 2" for `goblin-2`.

    For sorts in OWN_NAMES the name is the id itself.
    """
    return id if sort in OWN_NAMES else id.rpartition(":")[2].replace("-", " ").title()


def asker_name(item: WaitingDecision) -> str:
    """Return the name of the person who has to make an open decision.

    The state stores the ids of people; for anybody else who decides, it has words, such as "the game master".
    """
    person = "the game master" if item.get("decides") == "gm" else str(item.get("who") or "the table")
    plain = person if " " in person or not person.islower() else default_name(person)
    return str(item.get("names", {}).get(f"person:{person}") or plain)


class GameMaster:
    """A `Speaker` that words facts for the game master: it names everything and hides nothing.

    Names come from `names`, the names that a journal entry stores, if these are given. Otherwise they come
    from the `states`, the newest first, and then from the book.
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
        """Return the name of the person, zone or the like (`sort`) with this id."""
        found = self._known.get((sort, id))
        if found is None:
            found = self._known[sort, id] = self._find_name(sort, id)
        return found

    def _find_name(self, sort: str, id: str) -> str:
        if self.names is not None:
            return self.names.get(f"{sort}:{id}") or default_name(id, sort)
        if sort in OWN_NAMES:
            return id
        for state in reversed(self.states) if sort in IN_SCENES else ():
            found = name_in_scenes(state, sort, id)
            if found is not None:
                return found
        if sort == "person":
            known = self._book_entry("characters", id) or self._book_entry("creatures", id)
            return str(known.get("name") or TEAMS.get(id) or id)
        return str(self._book_entry(sort, id).get("name") or default_name(id))

    def _book_entry(self, sort: str, id: str) -> Mapping[str, object]:
        """Return the book's entry of this kind and id; {} if it has none."""
        table: Mapping[str, Mapping[str, object]] = getattr(self.book, sort, None) or {}
        return table.get(id, {})

    def audience_may_know(self, sort: str, id: str) -> bool:
        return True

    def may_know_numbers_of(self, person: str) -> bool:
        return True

    def audience_may_read(self, words: str) -> bool:
        return True


IN_SCENES = ("person", "zone", "side", "encounters")
"""The sorts that are named in scenes: people, zones, sides, and encounters."""


def name_in_scenes(state: State, sort: str, id: str) -> str | None:
    """Return the name that something has in the scenes of a state; None if no scene has one.

    `sort` says what that thing is: a person, a zone, a side or an encounter. The oldest scene is searched
    first. The name of an encounter is that of the scene made from it.
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


def names_to_store(
    facts: Iterable[Happened], more: Iterable[Statement | str], speaker: GameMaster
) -> dict[str, str]:
    """Return the names, by `sort:id`, that a journal entry needs for wording its facts later.

    Names that follow from the id are left out. `more` has further statements of the entry.
    """
    named = {}
    told = [
        *(fact.told for fact in facts if not isinstance(fact.told, Prose)),
        *(one for one in more if not isinstance(one, str)),
    ]
    for sort, id in dict.fromkeys(pair for each in told for pair in each.ids()):
        name = speaker.name(sort, id)
        if name != default_name(id, sort):
            named[f"{sort}:{id}"] = name
    return named


def reason_words(world: World, reason: Reason) -> str:
    """Return a reason in words, as the game master may read it."""
    return reason if isinstance(reason, str) else say(reason, GameMaster(world.book, [world.state])) or ""
