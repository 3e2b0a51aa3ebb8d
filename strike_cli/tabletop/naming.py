"""What things are called: people, zones and what the book has, by id, now or as a journal's entry
remembers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..kernel.facts import State
from ..kernel.procedure import Happened, Prose, World
from ..kernel.statements import Language, Reason, Statement, say, spoken_language

Names = Mapping[str, str]
"""Names by sort and id, `person:goblin-2`, as an entry of the journal keeps them. A name that its id says by
itself is not in it."""

TEAMS = {"party": "The party", "enemies": "The other side"}
"""Sides that may have something as a whole, and what they are called."""
OWN_NAMES = frozenset({"square", "trait", "skill", "trick", "complication", "fallback", "player"})
"""Sorts whose ids are names already."""


def default_name(id: str, sort: str = "") -> str:
    """What an id says by itself: `goblin-2` Goblin 2, `core:bloodied` Bloodied; a square is its own name."""
    return id if sort in OWN_NAMES else id.rpartition(":")[2].replace("-", " ").title()


class GameMaster:
    """Says everything, by the names of then: those of an entry, of the states that it went through, the
    newest first, then of the book."""

    def __init__(
        self,
        book: Any = None,
        states: Sequence[State] = (),
        names: Names | None = None,
        language: Language | None = None,
    ) -> None:
        self.book = book
        self.states = states
        self.names = names
        self.language = language or spoken_language()
        self._known: dict[tuple[str, str], str] = {}

    def name(self, sort: str, id: str) -> str:
        """What something is called."""
        found = self._known.get((sort, id))
        if found is None:
            found = self._known[sort, id] = self._name(sort, id)
        return found

    def _name(self, sort: str, id: str) -> str:
        if self.names is not None:
            return self.names.get(f"{sort}:{id}") or default_name(id, sort)
        if sort in OWN_NAMES:
            return id
        for state in reversed(self.states) if sort in IN_SCENES else ():
            found = name_in_scenes(state, sort, id)
            if found is not None:
                return found
        if sort == "person":
            return self._person(id)
        table = getattr(self.book, sort, None) or {}
        return str(table.get(id, {}).get("name") or default_name(id))

    def _person(self, who: str) -> str:
        known: Mapping[str, object] = {}
        if self.book is not None:
            known = self.book.characters.get(who) or self.book.creatures.get(who) or {}
        return str(known.get("name") or TEAMS.get(who) or who)

    def knows(self, sort: str, id: str) -> bool:
        """The game master knows all."""
        return True

    def may_know_numbers_of(self, who: str) -> bool:
        """The game master knows all."""
        return True

    def may_read(self, words: str) -> bool:
        """The game master knows all."""
        return True


IN_SCENES = ("person", "zone", "side", "encounters")
"""Sorts of what has its name in a scene: people, zones, sides, and the encounter that a scene is."""


def name_in_scenes(state: State, sort: str, id: str) -> str | None:
    """The name of somebody, of a zone, of a side, or of the encounter that it is, in a scene of the state;
    the oldest first."""
    for table in state.values():
        if isinstance(table, dict):
            if sort == "encounters":
                if table.get("id") == id and "name" in table:
                    return str(table["name"])
                continue
            kept = _named_in(table, sort)
            one = kept.get(id) if isinstance(kept, Mapping) else None
            if isinstance(one, Mapping) and "name" in one:
                return str(one["name"])
    return None


def _named_in(table: Mapping[str, object], sort: str) -> Any:
    if sort == "side":
        return table
    if sort == "zone":
        return table.get("zones")
    # Somebody may be called by the same id as a power.
    return (table.get("people") or table.get("combatants")) if sort == "person" else None


def names_told(
    facts: Iterable[Happened], more: Iterable[Statement | str], speaker: GameMaster
) -> dict[str, str]:
    """The names that facts, and other statements, need when they are told later: for an entry to keep."""
    named = {}
    for sort, id in _ids(facts, more):
        name = speaker.name(sort, id)
        if name != default_name(id, sort):
            named[f"{sort}:{id}"] = name
    return named


def _ids(facts: Iterable[Happened], more: Iterable[Statement | str]) -> Iterator[tuple[str, str]]:
    for fact in facts:
        if not isinstance(fact.told, Prose):
            yield from fact.told.ids()
    for one in more:
        if not isinstance(one, str):
            yield from one.ids()


def in_words(world: World, reason: Reason) -> str:
    """A reason in words, for a refusal."""
    return reason if isinstance(reason, str) else say(reason, GameMaster(world.book, [world.state])) or ""
