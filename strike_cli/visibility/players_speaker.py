"""The speaker to players, which names nothing that they don't know of."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import NamedTuple

from ..kernel import statements
from ..kernel.facts import State, remember
from ..registry.scenes import scenes_of
from ..tabletop.people import Names, default_name
from ..tabletop.scene import Board, Scene
from .audience import PARTY, is_secret, is_secret_zone
from .free_text_redaction import Kept, hidden_name_search


class Unknown(NamedTuple):
    """The things that players don't know.

    They are people and zones by id, squares in the fog, and words that name any of them.
    """

    people: Collection[str]
    zones: Collection[str]
    words: Kept


class PlayersSpeaker:
    """A speaker that tells players only what they may know."""

    def __init__(
        self,
        names: Names,
        unknown: Unknown,
        language: statements.Language,
        numberless: Collection[str] = (),
        *,
        is_open: bool = False,
    ) -> None:
        self.names = names
        self.unknown = unknown
        self.numberless = numberless
        """The people whose numbers are secret from players."""
        self.is_open = is_open
        """Whether typed words are for players, even if they name somebody hidden."""
        self.language = language

    def name(self, sort: str, id: str) -> str:
        """Return the name of a thing."""
        return self.names.get(f"{sort}:{id}") or default_name(id, sort)

    def knows(self, sort: str, id: str) -> bool:
        """Return whether players may know of a thing."""
        if sort == "person":
            return id not in self.unknown.people
        if sort == "zone":
            return id not in self.unknown.zones
        if sort == "entry":  # the numbers count secret entries: only known entries have a name
            return f"entry:{id}" in self.names
        return sort != "square" or not self.unknown.words.is_unseen(id)

    def may_know_numbers_of(self, person: str) -> bool:
        """Return whether players may know somebody's numbers."""
        return person not in self.numberless

    def may_read(self, words: str) -> bool:
        """Return whether words that somebody typed name nobody hidden."""
        return self.is_open or not self.unknown.words.told_in(words)


class TableNames:
    """The names on the table, for redaction.

    They are the names of the `hidden` and the `seen`; the people who are `gone` from their place; all
    `zones`, and the names of the secret ones; `others`, who are everybody but the party with the ids of their
    meters; and the maps with fog.
    """

    def __init__(self, scenes: Iterable[Scene]) -> None:
        self.hidden: dict[str, str] = {}
        self.seen: dict[str, str] = {}
        self.gone: set[str] = set()
        self.zones: set[str] = set()
        self.secret_zones: dict[str, str] = {}
        self.open_zones: set[str] = set()
        """The names of zones that players see."""
        self.others: set[tuple[str, str]] = set()
        self.fogged: list[Board] = []
        for scene in scenes:
            if scene.board and scene.board.seen is not None:
                self.fogged.append(scene.board)
            for person, one in scene.people.items():
                (self.hidden if is_secret(one) else self.seen)[person] = one.name
                if one.state == "out" and not one.at:
                    self.gone.add(person)
                if one.side != PARTY:
                    self.others.update((person, meter.id) for meter in one.meters)
            for zone in scene.board.zones if scene.board else ():
                self.zones.add(zone.id)
                if is_secret_zone(zone, scene.people):
                    self.secret_zones[zone.id] = zone.name
                else:
                    self.open_zones.add(zone.name)

    @cached_property
    def kept(self) -> Kept:
        """The names of the people and things that are hidden now."""
        hidden = {person: name for person, name in self.hidden.items() if person not in self.seen}
        return hidden_name_search(hidden, self.secret_zones, self.seen.values(), self.fogged, self.open_zones)


@remember
def table_names_in(state: State) -> TableNames:
    """Return the names on the table in a state."""
    return TableNames(scenes_of(state))
