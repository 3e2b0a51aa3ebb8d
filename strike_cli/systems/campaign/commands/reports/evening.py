"""The report of an evening, made from the journal's facts alone: their kinds, texts and changes.

It knows no rule and no system: the declaration of a kind of fact says under which heading it is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from strike_cli.kernel import statements
from strike_cli.kernel.facts import look_up, remember_results
from strike_cli.kernel.procedure import World
from strike_cli.registry import (
    UnknownFact,
    fact_class,
    installed,
    installed_systems,
    kinds_told_by,
    load_system,
    system_of_move,
)
from strike_cli.registry.declaration import Scope, System
from strike_cli.tabletop.scene import scene_in
from strike_cli.terminal.local_time import day_and_time
from strike_cli.terminal.sheet_view import PartyView, SheetItem, party_views
from strike_cli.visibility.audience_view import view_for
from strike_cli.visibility.known_journal import KnownEntry, KnownFact

from .entries import Past, with_missing_note
from .ledger import Ledger
from .tables import Counts, deeds_of, tables_of


class ReportLine(NamedTuple):
    """A line of a report, with its look on a screen."""

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


class Open(NamedTuple):
    """Something left unresolved: `what` in words, and the person.

    `which` is its id, or the id of the waiting scene.
    """

    who: str
    which: str
    what: str
    secret: bool


class SceneSummary:
    """A fight, a conflict or a chase: from its first fact to its last."""

    def __init__(self, kind: str, name: str, secret: bool) -> None:
        self.kind = kind
        self.name = name
        self.secret = secret
        self.rounds = 0
        self.turns = 0
        self.told: list[str] = []
        self.outcome = ""
        self._after_name = " is still under way."

    def ends(self, text: str, named: str) -> None:
        """Set the outcome of the scene.

        `text` says it, beginning with the scene's name where it is `named` so.
        """
        self.outcome = text
        self._after_name = text[len(named) :] if named else f": {text}"

    def as_json(self) -> dict[str, object]:
        """Return the form shown by --json. `outcome` is empty while the scene goes on."""
        return {key: value for key, value in vars(self).items() if key != "_after_name"}

    def came_to(self) -> str:
        """Return the outcome to follow the scene's name, like ` is won. (3 rounds, 14 turns)`.

        Rounds and turns are given as far as the scene's facts state them.
        """
        counts = [
            f"{count} {one}{'' if count == 1 else 's'}"
            for count, one in ((self.rounds, "round"), (self.turns, "turn"))
            if count
        ]
        return self._after_name + (f" ({', '.join(counts)})" if counts else "")


class EveningReport:
    """The journal's record of one session, without what was undone.

    A `brief` one has only counts and the results of scenes, and no texts.
    """

    def __init__(self, past: Past, number: int, *, brief: bool = False) -> None:
        self.book = past.book
        self.number = number
        self.for_players = past.for_players
        self.brief = brief
        self.title = ""
        self.start = self.end = ""
        self.commands = 0
        self.sections: dict[str, list[ReportLine]] = {heading: [] for heading in _headings()}
        self.scenes: list[SceneSummary] = []
        self.ledger = Ledger(self.book)
        self._journal = past.journal

    @classmethod
    @remember_results()
    def of(cls, past: Past, number: int) -> EveningReport:
        """Return the report of one session, from the commands that were played."""
        evening = cls(past, number)
        for entry in past.entries:
            if entry.session == number:
                evening.take(entry)
        return evening

    # Reading

    def take(self, entry: KnownEntry) -> None:
        """Add one more entry of this evening."""
        self.start, self.end = self.start or entry.at, entry.at
        self.commands += not entry.pending
        noted = [entry.note, f"dice seen before in #{entry.seen}" if entry.seen else ""]
        note = "".join(f" [{each}]" for each in noted if each)
        system = scene_system(entry)
        for known in entry.facts:
            self.title = str(look_up(known.after, "session.title", ""))
            self._tell(entry, known, note, system)
            note = "" if known.fact["text"] else note

    def _tell(self, entry: KnownEntry, known: KnownFact, note: str, system: System | None) -> None:
        fact, kind = known.fact, fact_class(known.fact["kind"])
        text = fact["text"].strip()
        self.ledger.take(entry, known, system is not None)
        if system is not None:
            self._tell_scene(system, known, kind, entry.secret)
        if text and kind.section and not self.brief and not (system is not None and kind.in_short):
            # Secret entries have numbers, too, so lines for players are numbered among themselves.
            number = self.commands if self.for_players else entry.seq
            told = ReportLine(
                number, fact["who"], fact["kind"], text + note, entry.secret, *(known.banner or ())[:3]
            )
            self.sections.setdefault(kind.section, []).append(told)

    def _tell_scene(
        self, system: System, known_fact: KnownFact, known: type[statements.Fact], secret: bool
    ) -> None:
        key, fact = system.scene.key, known_fact.fact
        now, was = scene_in(known_fact.after, key), scene_in(known_fact.before, key)
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
        scene.turns += known.begins_turn
        if known.closes_scene:
            scene.ends(fact["text"], name if known.names_scene else "")
        elif known.highlight and fact["text"] and not self.brief:
            scene.told.append(fact["text"])

    def tables(self) -> list[Counts]:
        """Return the tables of counts for everybody who did anything."""
        return tables_of(self.ledger, self.names(), self.at_end)

    def names(self) -> dict[str, str]:
        """Return everybody of the party by id, in their order."""
        return {person: self.name(person) for person in self.book.characters}

    def at_end(self, person: str) -> dict[str, int]:
        """Return a character's counted numbers, such as points, at the end of the evening."""
        return {key: self.ledger.number(self._journal.now, person, key) for key in self.ledger.tallies}

    # The end of the evening

    def unresolved(self) -> list[Open]:
        """Return what is unresolved at the end of the evening.

        It is in the order of the party; open decisions come last.
        """
        found = [
            Open(*item, secret=(item.who, item.id) in self._journal.secret)
            for item in self._party_part(lambda view: view.unresolved)
        ]
        waiting = view_for(self._journal.now, self._journal.audience).decisions.values()
        return [*found, *(Open(one.asked.who, one.key, one.asked.asks, one.secret) for one in waiting)]

    def afflicted(self) -> list[tuple[str, str]]:
        """Return each character who still has an ailment, with the ailment, in the order of the party."""
        held: dict[str, list[str]] = {}
        for item in self._party_part(lambda view: view.held):
            held.setdefault(item.who, []).append(item.what)
        return [(person, ", ".join(names)) for person, names in held.items()]

    def _party_part(self, part: Callable[[PartyView], Iterable[SheetItem]]) -> list[SheetItem]:
        """Return one part of systems' views of characters, for everybody in the order of the party."""
        order = list(self.book.characters)
        found = [item for view in self._views for item in part(view)]
        return sorted(found, key=lambda item: order.index(item.who))

    @cached_property
    def _views(self) -> list[PartyView]:
        return party_views(World(self.book, self._journal.now), self.book.characters)

    def name(self, person: str) -> str:
        """Return a person's display name."""
        return str(self.book.characters.get(person, {}).get("name", person))

    @property
    def missing(self) -> int:
        """The number of holes in a damaged journal."""
        return self._journal.missing[self.number]

    def heading(self) -> str:
        """Return the session's number and title: `Session 2: The ford`."""
        name = f"Session {self.number}" if self.number else "Before the first session"
        return with_missing_note(f"{name}: {self.title}" if self.title else name, self.missing)

    def when(self) -> str:
        """Return the campaign's name, the start and end of the evening, and the number of commands."""
        begun, ended = day_and_time(self.start), day_and_time(self.end)
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
            "missing": self.missing,
            "for_players": self.for_players,
            "sections": {
                heading: [told.as_json() for told in lines]
                for heading, lines in self.sections.items()
                if lines
            },
            "scenes": [scene.as_json() for scene in self.scenes],
            "counts": {
                person: {**count, **self.at_end(person)} for person, count in self.ledger.points.items()
            },
            "deeds": deeds_of(self.ledger),
            "conditions_held": dict(self.afflicted()),
            "unresolved": [one._asdict() for one in self.unresolved()],
        }


def _headings() -> list[str]:
    """Return all headings of a report: those of the systems in their order, of overrides, and of the rest."""
    kinds = [fact for each in installed_systems() for fact in kinds_told_by(each).values() if fact.section]
    by_hand_last = sorted(kinds, key=lambda fact: fact.gm_only)
    return list(dict.fromkeys([*(fact.section for fact in by_hand_last), UnknownFact.section]))


def scene_system(entry: KnownEntry) -> System | None:
    """Return the system in whose scene a command was played.

    None means that the command belongs to no scene, or was played between scenes.
    """
    command = entry.command
    found = load_system(system_of_move(command)) if command in installed.index().moves else None
    if found is None or found.moves[command].scope is not Scope.SCENE:
        return None
    states = [state for known in entry.facts for state in (known.before, known.after)]
    return found if any(found.scene.key in state for state in states) else None
