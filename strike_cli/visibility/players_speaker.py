"""The speaker for players, which leaves out what is hidden from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import NamedTuple

from ..kernel import statements
from ..kernel.state_changes import State, cached_in_block
from ..registry.scenes_and_decisions_in_state import scenes_of
from ..tabletop.characters_and_names import Names, name_from_id
from ..tabletop.scene import Board, Scene
from .audiences import PARTY, is_person_secret, is_secret_zone
from .hidden_name_search import HiddenNameSearch, make_hidden_name_search


class HiddenFromPlayers(NamedTuple):
    """What players don't know.

    `people` and `zones` have the ids of secret people and zones. `words` is a search that finds their names
    in a text. It also finds names of squares in the fog.
    """

    people: Collection[str]
    zones: Collection[str]
    words: HiddenNameSearch


class PlayersSpeaker:
    """The speaker that makes sentences for players, and says which things they may know of."""

    def __init__(
        self,
        names: Names,
        unknown: HiddenFromPlayers,
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
        """Return the name of the person, zone or the like (`sort`) with this id."""
        return self.names.get(f"{sort}:{id}") or name_from_id(id, sort)

    def audience_may_know(self, sort: str, id: str) -> bool:
        """Return whether players may know of the person, zone, square or entry with this id."""
        if sort == "person":
            return id not in self.unknown.people
        if sort == "zone":
            return id not in self.unknown.zones
        if sort == "entry":  # the numbers count secret entries: only known entries have a name
            return f"entry:{id}" in self.names
        return sort != "square" or not self.unknown.words.is_square_in_fog(id)

    def may_know_numbers_of(self, person: str) -> bool:
        """Return whether players may know a person's numbers."""
        return person not in self.numberless

    def audience_may_read(self, words: str) -> bool:
        """Return whether players may read words that somebody typed.

        The result is True in two cases: the words don't name anybody hidden, or the speaker is marked as open
        (`is_open`).
        """
        return self.is_open or not self.unknown.words.finds_in(words)


class NamesOnTable:
    """The people and zones in the scenes under way, sorted by whether players may know of them.

    It is used to keep secrets out of texts for players.

    - `hidden`: the names of people whom players don't see, by id. `seen`: the names of all others, by id.
    - `out_without_square`: the ids of people who are out and have no square.
    - `zones`: the ids of all zones. `secret_zones`: the names of secret zones, by id.
    - `meters_of_non_party`: the meters of people outside the party, each as the person's id and the meter's
      id.
    - `fogged`: the maps with fog.
    """

    def __init__(self, scenes: Iterable[Scene]) -> None:
        self.hidden: dict[str, str] = {}
        self.seen: dict[str, str] = {}
        self.out_without_square: set[str] = set()
        self.zones: set[str] = set()
        self.secret_zones: dict[str, str] = {}
        self.open_zones: set[str] = set()
        """The names of zones that players see."""
        self.meters_of_non_party: set[tuple[str, str]] = set()
        self.fogged: list[Board] = []
        for scene in scenes:
            if scene.board and scene.board.seen is not None:
                self.fogged.append(scene.board)
            for person, one in scene.people.items():
                (self.hidden if is_person_secret(one) else self.seen)[person] = one.name
                if one.state == "out" and not one.at:
                    self.out_without_square.add(person)
                if one.side != PARTY:
                    self.meters_of_non_party.update((person, meter.id) for meter in one.meters)
            for zone in scene.board.zones if scene.board else ():
                self.zones.add(zone.id)
                if is_secret_zone(zone, scene.people):
                    self.secret_zones[zone.id] = zone.name
                else:
                    self.open_zones.add(zone.name)

    @cached_property
    def name_search(self) -> HiddenNameSearch:
        """The search for the names of people and zones that are hidden now."""
        hidden = {person: name for person, name in self.hidden.items() if person not in self.seen}
        return make_hidden_name_search(
            hidden, self.secret_zones, self.seen.values(), self.fogged, self.open_zones
        )


@cached_in_block
def names_on_table(state: State) -> NamesOnTable:
    """Return the names of people and zones in the scenes of a state."""
    return NamesOnTable(scenes_of(state))
