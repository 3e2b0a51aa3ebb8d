"""The report of one session, made only from the facts in the journal: their kinds, texts and changes.

It knows no rules and no system: the declaration of each kind of fact names the heading for its reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from strike_cli.kernel import statements
from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import block_cache, look_up
from strike_cli.registry import (
    UnknownFact,
    fact_class,
    fact_classes_by_kind,
    installed_plugins,
    load_known_system,
    load_usable_systems,
    system_name_of_move,
)
from strike_cli.registry.system_declaration import Scope, System
from strike_cli.tabletop.scene import scene_table_in
from strike_cli.terminal.local_time import local_day_time_and_zone
from strike_cli.terminal.sheet_and_party_views import PartyView, SheetItem, party_views
from strike_cli.visibility.audience_view import make_audience_view
from strike_cli.visibility.known_journal import KnownEntry, KnownFact

from .character_counts import CharacterCounts
from .entries_known_to_audience import KnownPast, with_note_if_journal_damaged
from .tables_and_plots import CountTable, deeds_as_json, tables_of_counts


class ReportLine(NamedTuple):
    """A line of a report: the text of a fact, with its number, person, kind and headline for display."""

    seq: int
    who: str
    kind: str
    text: str
    secret: bool
    headline: str = ""
    event: str = ""
    tone: str = ""

    def as_json(self) -> dict[str, object]:
        return self._asdict()


class UnresolvedItem(NamedTuple):
    """An item that is unresolved at the end of a session, with its owner and its words.

    `which` is the item's id. For an open decision it is the key of the waiting scene.
    """

    who: str
    which: str
    what: str
    secret: bool


class SceneSummary:
    """The summary of a fight, a conflict or a chase, from its first fact to its last."""

    def __init__(self, kind: str, name: str, secret: bool) -> None:
        self.kind = kind
        self.name = name
        self.secret = secret
        self.rounds = 0
        self.turns = 0
        self.told: list[str] = []
        self.outcome = ""
        self._after_name = " is still under way."

    def set_outcome(self, text: str, name_at_start: str) -> None:
        """Set the scene's outcome. `name_at_start` is the scene's name if `text` begins with it, else ""."""
        self.outcome = text
        self._after_name = text[len(name_at_start) :] if name_at_start else f": {text}"

    def as_json(self) -> dict[str, object]:
        """Return the summary in the form that --json shows. `outcome` is "" while the scene goes on."""
        return {key: value for key, value in vars(self).items() if key != "_after_name"}

    def outcome_and_length_words(self) -> str:
        """Return the outcome as the end of a sentence, such as ` is won. (3 rounds, 14 turns)`.

        Rounds and turns are given if they aren't 0.
        """
        counts = [
            f"{count} {one}{'' if count == 1 else 's'}"
            for count, one in ((self.rounds, "round"), (self.turns, "turn"))
            if count
        ]
        return self._after_name + (f" ({', '.join(counts)})" if counts else "")


class EveningReport:
    """The report of one session, without undone commands.

    If `brief`, it has only counts and the results of scenes, and no texts.
    """

    def __init__(self, past: KnownPast, number: int, *, brief: bool = False) -> None:
        self.book = past.book
        self.number = number
        self.for_players = past.for_players
        self.brief = brief
        self.title = ""
        self.start = self.end = ""
        self.commands = 0
        self.sections: dict[str, list[ReportLine]] = {heading: [] for heading in _section_headings()}
        self.scenes: list[SceneSummary] = []
        self.ledger = CharacterCounts(self.book)
        self._journal = past.journal

    @classmethod
    @block_cache()
    def of_session(cls, past: KnownPast, number: int) -> EveningReport:
        """Return the report of session `number`, made from the entries of `past`."""
        evening = cls(past, number)
        for entry in past.entries:
            if entry.session == number:
                evening.add_entry(entry)
        return evening

    # Reading

    def add_entry(self, entry: KnownEntry) -> None:
        """Add an entry of this session to the report."""
        self.start, self.end = self.start or entry.at, entry.at
        self.commands += not entry.pending
        noted = [entry.note, f"dice seen before in #{entry.seen}" if entry.seen else ""]
        note = "".join(f" [{each}]" for each in noted if each)
        system = system_if_played_in_its_scene(entry)
        for known in entry.facts:
            self.title = str(look_up(known.after, "session.title", ""))
            self._count_and_report_fact(entry, known, note, system)
            note = "" if known.fact["text"] else note

    def _count_and_report_fact(
        self, entry: KnownEntry, known: KnownFact, note: str, system: System | None
    ) -> None:
        fact, kind = known.fact, fact_class(known.fact["kind"])
        text = fact["text"].strip()
        self.ledger.count_fact(entry, known, system is not None)
        if system is not None:
            self._report_scene_fact(system, known, kind, entry.secret)
        if text and kind.section and not self.brief and not (system is not None and kind.in_short):
            # Secret entries have numbers, too, so lines for players are numbered among themselves.
            number = self.commands if self.for_players else entry.seq
            told = ReportLine(
                number, fact["who"], fact["kind"], text + note, entry.secret, *(known.banner or ())[:3]
            )
            self.sections.setdefault(kind.section, []).append(told)

    def _report_scene_fact(
        self, system: System, known_fact: KnownFact, kind: type[statements.Fact], secret: bool
    ) -> None:
        key, fact = system.scene.key, known_fact.fact
        now, was = scene_table_in(known_fact.after, key), scene_table_in(known_fact.before, key)
        if now is None and was is None:  # its beginning waits for a decision
            return
        name = (now or was or {}).get("name") or system.title
        # A finished scene may stay in the state until the next one replaces it.
        anew = any(path == key and after is not None for path, _, after in known_fact.changes)
        if now is not None and (was is None or anew):
            self.scenes.append(SceneSummary(key, name, secret))
        scene = next((one for one in reversed(self.scenes) if one.kind == key), None)
        if scene is None:  # it began on an earlier evening
            scene = SceneSummary(key, name, secret)
            self.scenes.append(scene)
        scene.rounds = max(scene.rounds, (now or {}).get("round", 0))
        scene.turns += kind.begins_turn
        if kind.closes_scene:
            scene.set_outcome(fact["text"], name if kind.names_scene else "")
        elif kind.highlight and fact["text"] and not self.brief:
            scene.told.append(fact["text"])

    def count_tables(self) -> list[CountTable]:
        """Return the tables of counts for all characters who did anything."""
        return tables_of_counts(self.ledger, self.character_names(), self.tallied_numbers_at_end)

    def character_names(self) -> dict[str, str]:
        """Return the names of all characters by id, in the order of the book."""
        return {person: self.display_name(person) for person in self.book.characters}

    def tallied_numbers_at_end(self, person: str) -> dict[str, int]:
        """Return a character's tallied numbers, such as points, at the end of the session."""
        return {
            key: self.ledger.current_sheet_number(self._journal.current_state, person, key)
            for key in self.ledger.sheet_tallies
        }

    # The end of the evening

    def unresolved(self) -> list[UnresolvedItem]:
        """Return the unresolved items at the session's end: those of characters, then open decisions.

        Characters' items are in the party's order. Only decisions that the report's audience may know are
        included.
        """
        found = [
            UnresolvedItem(*item, secret=(item.who, item.id) in self._journal.secret)
            for item in self._items_of_party_views(lambda view: view.unresolved)
        ]
        waiting = make_audience_view(self._journal.current_state, self._journal.audience).decisions.values()
        return [
            *found,
            *(UnresolvedItem(one.asked.who, one.key, one.asked.question, one.secret) for one in waiting),
        ]

    def character_ids_and_ailments(self) -> list[tuple[str, str]]:
        """Return the characters who still have ailments, each with the ailments in words.

        They are in the party's order.
        """
        held: dict[str, list[str]] = {}
        for item in self._items_of_party_views(lambda view: view.held):
            held.setdefault(item.who, []).append(item.what)
        return [(person, ", ".join(names)) for person, names in held.items()]

    def _items_of_party_views(self, part: Callable[[PartyView], Iterable[SheetItem]]) -> list[SheetItem]:
        """Return the items that `part` takes from the systems' views of the party.

        The items are sorted by person, in the party's order.
        """
        order = list(self.book.characters)
        found = [item for view in self._party_views for item in part(view)]
        return sorted(found, key=lambda item: order.index(item.who))

    @cached_property
    def _party_views(self) -> list[PartyView]:
        return party_views(World(self.book, self._journal.current_state), self.book.characters)

    def display_name(self, person: str) -> str:
        """Return a character's display name, or the id if the book doesn't have it."""
        return str(self.book.characters.get(person, {}).get("name", person))

    @property
    def journal_gap_count(self) -> int:
        """The number of holes in this session of a damaged journal."""
        return self._journal.gaps_by_session[self.number]

    def heading(self) -> str:
        """Return the session's number and title, such as `Session 2: The ford`.

        If the session's number is 0, the words `Before the first session` replace the number. A note is added
        if part of the journal is missing.
        """
        name = f"Session {self.number}" if self.number else "Before the first session"
        return with_note_if_journal_damaged(
            f"{name}: {self.title}" if self.title else name, self.journal_gap_count
        )

    def subtitle(self) -> str:
        """Return the line below the heading: campaign, day, start, end, and the number of commands."""
        begun, ended = local_day_time_and_zone(self.start), local_day_time_and_zone(self.end)
        day, ended_on = begun[:10], ended[:10]
        until = ended[11:] if ended_on == day else ended
        played = f"{self.commands} command{'' if self.commands == 1 else 's'}"
        return f"{self.book.name}, {day}, {begun[11:16]} to {until}, {played}"

    def as_json(self) -> dict[str, object]:
        return {
            "session": self.number,
            "title": self.title,
            "from": self.start,
            "to": self.end,
            "commands": self.commands,
            "missing": self.journal_gap_count,
            "for_players": self.for_players,
            "sections": {
                heading: [told.as_json() for told in lines]
                for heading, lines in self.sections.items()
                if lines
            },
            "scenes": [scene.as_json() for scene in self.scenes],
            "counts": {
                person: {**count, **self.tallied_numbers_at_end(person)}
                for person, count in self.ledger.points.items()
            },
            "deeds": deeds_as_json(self.ledger),
            "conditions_held": dict(self.character_ids_and_ailments()),
            "unresolved": [one._asdict() for one in self.unresolved()],
        }


def _section_headings() -> list[str]:
    """Return the section headings of a report, in order.

    First come the sections of facts that players may know. Then come the sections of facts for the game
    master alone. The section of unknown facts is last.
    """
    kinds = [
        fact for each in load_usable_systems() for fact in fact_classes_by_kind(each).values() if fact.section
    ]
    by_hand_last = sorted(kinds, key=lambda fact: fact.gm_only)
    return list(dict.fromkeys([*(fact.section for fact in by_hand_last), UnknownFact.section]))


def system_if_played_in_its_scene(entry: KnownEntry) -> System | None:
    """Return the system in whose scene an entry's command was played.

    It is None if the command belongs to no scene, or was played between scenes.
    """
    command = entry.command
    found = (
        load_known_system(system_name_of_move(command))
        if command in installed_plugins.plugin_index().moves
        else None
    )
    if found is None or found.moves[command].scope is not Scope.SCENE:
        return None
    states = [state for known in entry.facts for state in (known.before, known.after)]
    return found if any(found.scene.key in state for state in states) else None
