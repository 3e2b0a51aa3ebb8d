"""Counts a report's numbers for each character: rolls, points, and deeds in scenes.

The numbers are counted from facts, one fact at a time. This module contains no rules of a game. Each system
declares which of its numbers are health, and which other numbers and facts are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, TypeGuard

from strike_cli.content.merged_content import Book
from strike_cli.kernel.state_changes import State, look_up, require_scene_table
from strike_cli.registry import fact_class, load_usable_systems, systems_by_scene_key
from strike_cli.registry.installed_plugins import import_object
from strike_cli.registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table
from strike_cli.registry.system_declaration import CountedFact, System, Tally
from strike_cli.sim.simulation_hooks import SimulationRules, health_changes
from strike_cli.tabletop.scene import Person
from strike_cli.visibility.audiences import PARTY

if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    from strike_cli.kernel.state_changes import Change
    from strike_cli.visibility.known_journal import KnownEntry, KnownFact

    class _RollCounted(TypedDict):
        """The part of a roll's data that the report counts."""

        who: str
        sides: int
        faces: list[int]
        kept: NotRequired[int | None]


ROLL_HEADINGS = {"rolls": "Rolls", "successes": "Successes", "twists": "Twists", "costs": "Costs"}
HEALTH_HEADINGS = {
    "dealt": "Damage",
    "felled": "Felled",
    "taken": "Taken",
    "healed": "Healed",
    "down": "Down",
}
"""Deeds about health: damage dealt to others, others felled, damage taken, healing given, and times down."""
DICE_HEADINGS = {"dice": "Dice", "ones": "Ones"}
"""The dice that count, and those among them that show a 1."""
Changes = Sequence["Change"]


class CharacterCounts:
    """The counts for each character of a party.

    `points` counts rolls and changes of numbers on sheets. `deeds` counts what characters did in scenes.
    `faces` counts the faces of their dice, by number of sides.
    """

    def __init__(self, book: Book) -> None:
        self.characters = book.characters
        self.points: dict[str, dict[str, int]] = {}
        self.deeds: dict[str, Counter[str]] = {}
        self.faces: dict[str, dict[int, Counter[int]]] = {}
        self._people: dict[str, Mapping[str, Person]] = {}
        """The people in the scene under way, by the scene's table in the state."""
        self._scenes: Mapping[str, System] = systems_by_scene_key()
        self._rules: dict[str, SimulationRules | None] = {}

    def count_fact(self, entry: KnownEntry, known: KnownFact, in_scene: bool) -> None:
        """Add a fact and its changes to the counts.

        `in_scene` is whether the fact belongs to a scene. If it does, its rolls, successes, Twists and Costs
        are not counted, but its dice are.
        """
        fact = known.fact
        if known.changes:
            self._count_sheet_changes(known.before, known.after)
            self._count_scene_changes(entry, known)
        if not in_scene and fact_class(fact["kind"]).is_roll and fact["who"] in self.characters:
            self._count_point(fact["who"], "rolls", 1)
            self._count_point(fact["who"], "successes", fact.get("outcome") == "success")
            self._count_point(fact["who"], "twists", fact.get("outcome") == "twist")
            costs = fact.get("costs", 0)
            self._count_point(fact["who"], "costs", costs if isinstance(costs, int) else 0)
        for roll in _countable_rolls_in(fact):
            if roll["who"] in self.characters:
                person, kept = roll["who"], roll.get("kept")
                faces = roll["faces"]
                # Dice that are added up all count.
                shown = [face for face in faces if face == kept][:1] or faces
                self._count_deed(person, "dice", len(shown))
                self._count_deed(person, "ones", shown.count(1))
                self.faces.setdefault(person, {}).setdefault(roll["sides"], Counter()).update(shown)
        for key, counted in self._counters_by_kind.get(fact["kind"], ()):
            person = self._id_if_character(str(fact.get(counted.whose, "")))
            if person and (not counted.key or fact.get(counted.key) == counted.value):
                self._count_deed(person, key, 1)

    def add(self, other: CharacterCounts) -> None:
        """Add the counts in `other` to these counts."""
        for person, points in other.points.items():
            for key, count in points.items():
                self._count_point(person, key, count)
        for person, deeds in other.deeds.items():
            self.deeds.setdefault(person, Counter()).update(deeds)
        for person, of_sides in other.faces.items():
            for sides, faces in of_sides.items():
                self.faces.setdefault(person, {}).setdefault(sides, Counter()).update(faces)

    def count_of(self, person: str, key: str) -> int:
        """Return a character's count for a key of `points` or `deeds`; 0 if nothing was counted."""
        return self.points.get(person, {}).get(key, 0) + self.deeds.get(person, Counter())[key]

    # Rolls and points

    @cached_property
    def sheet_tallies(self) -> Mapping[str, Tally]:
        """The numbers on sheets that systems declare as tallies, by key.

        Reports count how much each number rises and falls. Numbers of a scene (`in_scene`) are left out.
        """
        pairs = ((key, tally) for each in load_usable_systems() for key, tally in each.tallies.items())
        return {key: tally for key, tally in pairs if not tally.in_scene}

    def point_headings(self) -> dict[str, str]:
        """Return the headings of `points`, by key."""
        found = dict(ROLL_HEADINGS)
        for tally in self.sheet_tallies.values():
            found |= {tally.gained: f"{tally.title} in", tally.lost: f"{tally.title} out"}
        return found

    def current_sheet_number(self, state: State, person: str, key: str) -> int:
        """Return a number of a character in this state: its value in play, else the value on the sheet."""
        return int(look_up(state, f"characters.{person}.{key}", self.characters[person].get(key, 0)))

    def _count_point(self, person: str, key: str, count: int) -> None:
        self.points.setdefault(person, dict.fromkeys(self.point_headings(), 0))[key] += count

    def _count_sheet_changes(self, before: State, after: State) -> None:
        if before.get("characters") is after.get("characters"):
            return
        for key, tally in self.sheet_tallies.items():
            for person in self.characters:
                had, has = (
                    self.current_sheet_number(before, person, key),
                    self.current_sheet_number(after, person, key),
                )
                if had != has:
                    self._count_point(person, tally.gained if has > had else tally.lost, abs(has - had))

    # Deeds

    def deed_headings(self) -> dict[str, str]:
        """Return the headings of `deeds`, by key."""
        found = dict(HEALTH_HEADINGS)
        for _, key, counted in _declared_counters():
            found[key] = counted.title
        for each in load_usable_systems():
            for tally in each.tallies.values():
                if tally.in_scene:
                    found |= {tally.gained: tally.title, tally.lost: f"{tally.title} lost"}
        return found | DICE_HEADINGS

    @cached_property
    def _counters_by_kind(self) -> Mapping[str, list[tuple[str, CountedFact]]]:
        found: dict[str, list[tuple[str, CountedFact]]] = {}
        for kind, key, counted in _declared_counters():
            found.setdefault(kind, []).append((key, counted))
        return found

    def _count_deed(self, character: str, key: str, count: int) -> None:
        if character and count:
            self.deeds.setdefault(character, Counter())[key] += count

    def _count_scene_changes(self, entry: KnownEntry, known: KnownFact) -> None:
        for key, system in self._scenes.items():
            changes = [change for change in known.changes if change[0].startswith(f"{key}.")]
            if changes and key in known.before:
                people = self._remembered_or_read_people_in(system, key, known.before, changes)
                self._count_changes_of_scene_tallies(system, changes, people)
                if system.name not in self._rules:
                    reference = system.simulation.rules
                    self._rules[system.name] = (
                        import_object(system.absolute(reference)) if reference else None
                    )
                if rules := self._rules[system.name]:
                    self._count_health_changes(
                        rules, str(known.fact.get("by") or entry.actor_id), changes, people
                    )
            elif key not in known.before:
                self._people.pop(key, None)

    def _remembered_or_read_people_in(
        self, system: System, key: str, state: State, changes: Changes
    ) -> Mapping[str, Person]:
        """Return the people in a system's scene, by id.

        The first call reads the people from the state. Later calls return the same people. If `changes`
        concern somebody who isn't among them, the people are read again.
        """
        known = self._people.get(key)
        owners = {path.split(".")[2] for path, _, _ in changes if path.count(".") == 3}
        if known is None or not owners <= known.keys():
            known = self._people[key] = scene_or_bare_scene_from_table(
                system, require_scene_table(state, key), {}
            ).people
        return known

    def _count_changes_of_scene_tallies(
        self, system: System, changes: Changes, people: Mapping[str, Person]
    ) -> None:
        for path, had, has in changes:
            above, _, key = path.rpartition(".")
            tally = system.tallies.get(key)
            person = self._character_of(people, above.rpartition(".")[2]) if tally and tally.in_scene else ""
            if tally and person:
                more = _convert_to_int_or_zero(has) - _convert_to_int_or_zero(had)
                self._count_deed(person, tally.gained if more > 0 else tally.lost, abs(more))

    def _count_health_changes(
        self, rules: SimulationRules, doer: str, changes: Changes, people: Mapping[str, Person]
    ) -> None:
        by = self._character_of(people, doer)
        for owner, key, before, after in health_changes(rules, changes, people):
            person, lost = self._character_of(people, owner), before - after
            fell = key in rules.fells and before > 0 >= after
            if lost > 0:
                apart = bool(by) and people[owner].side != people[doer].side
                self._count_deed(person, "taken", lost)
                self._count_deed(person, "down", fell)
                self._count_deed(by, "dealt", lost if apart else 0)
                self._count_deed(by, "felled", fell and apart)
            else:
                self._count_deed(by, "healed", -lost)

    def _character_of(self, people: Mapping[str, Person], person: str) -> str:
        """Return the id of the character behind a person in a scene, or "" if there is none."""
        one = people.get(person)
        return self._id_if_character(one.ref or person) if one is not None and one.side == PARTY else ""

    def _id_if_character(self, person: str) -> str:
        return person if person in self.characters else ""


def _convert_to_int_or_zero(value: object) -> int:
    with suppress(ValueError, OverflowError):  # another program may have written the journal
        return int(value) if isinstance(value, int | float | str) else 0
    return 0


def _declared_counters() -> Iterator[tuple[str, str, CountedFact]]:
    """Yield the counters that systems declare: the kind of fact, the key, and the declaration."""
    for each in load_usable_systems():
        for key, counted in each.counts.items():
            yield counted.fact, key, counted


def _countable_rolls_in(value: object) -> Iterator[_RollCounted]:
    """Yield the rolls in a fact's data that can be counted, at any depth; `changes` isn't searched."""
    if isinstance(value, Mapping):
        if "faces" in value and "sides" in value:
            if _has_typed_values_to_count(value):
                yield value
            return
        for key, inner in value.items():
            if key != "changes":
                yield from _countable_rolls_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _countable_rolls_in(inner)


def _has_typed_values_to_count(roll: Mapping[str, object]) -> TypeGuard[_RollCounted]:
    """Return whether a roll in a journal has the values that are needed to count it.

    They may be missing or of a wrong type, since another program may have written the journal.
    """
    faces = roll["faces"]
    return (
        isinstance(faces, list)
        and all(isinstance(face, int) for face in faces)
        and isinstance(roll["sides"], int)
        and isinstance(roll.get("who"), str)
    )
