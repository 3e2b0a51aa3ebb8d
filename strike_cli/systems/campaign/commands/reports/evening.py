"""The report of an evening, made from the journal's facts alone: their kinds and texts, what they changed.

Nothing here knows a rule or a system: under which heading a kind of fact stands is said where it is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.campaign import Campaign
from strike_cli.campaign.session_snapshot import Secret, remember_secret
from strike_cli.content.book import Book
from strike_cli.kernel import statements
from strike_cli.kernel.facts import State, apply_fact, look_up, waiting_in
from strike_cli.kernel.procedure import World
from strike_cli.registry import UnknownFact, fact_class, installed, kinds_told_by, owner_of, system, systems
from strike_cli.registry.declaration import Scope, System
from strike_cli.registry.scenes import asked_of, scenes_of
from strike_cli.tabletop.scene import scene_in
from strike_cli.terminal.clock import day_and_time
from strike_cli.terminal.sheet_view import PartyView, SheetItem, party_views
from strike_cli.visibility.audience import GM, PLAYERS
from strike_cli.visibility.decisions import asked_for
from strike_cli.visibility.redaction import Banner, heard
from strike_cli.visibility.scenes import is_begun_unseen
from strike_cli.visibility.speaker import names_hidden

from .entries import of_session, with_what_lacks
from .ledger import Ledger
from .tables import Counts, deeds_of, tables_of

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import FactKept, JournalEntry


class ReportLine(NamedTuple):
    """One thing that happened, as it is told; and what it is to a screen, as its class says."""

    seq: int
    who: str
    kind: str
    text: str
    secret: bool
    headline: str = ""
    event: str = ""
    tone: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the form shown by --json."""
        return self._asdict()


class Open(NamedTuple):
    """Something left unresolved: whose, which (an id, or the scene that waits), what."""

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
        """Return the text after its name, like ` is won. (3 rounds, 14 turns)`.

        The length is there as far as its facts say it.
        """
        counts = [
            f"{count} {one}{'' if count == 1 else 's'}"
            for count, one in ((self.rounds, "round"), (self.turns, "turn"))
            if count
        ]
        return self._after_name + (f" ({', '.join(counts)})" if counts else "")


class EveningReport:
    """The journal's record of one session, without what was undone.

    In `brief` it is what was counted and the results of scenes, and nothing in words.
    """

    def __init__(self, book: Book, number: int, for_players: bool, *, brief: bool = False) -> None:
        self.book = book
        self.number = number
        self.for_players = for_players
        self.brief = brief
        self.title = ""
        self.start = self.end = ""
        self.commands = self.missing = 0
        self.sections: dict[str, list[ReportLine]] = {heading: [] for heading in _headings()}
        self.scenes: list[SceneSummary] = []
        self.ledger = Ledger(self.book)
        self.state: State = {}
        self._secret: Secret = set()

    @classmethod
    def of(cls, campaign: Campaign, number: int, for_players: bool) -> EveningReport:
        """Return a session as the journal has it. Raises Refused where there was no such session."""
        evening, (before, entries) = cls(campaign.book, number, for_players), of_session(campaign, number)
        evening.state, evening._secret = before
        for entry in entries:
            evening.take(entry)
        return evening

    def follow(self, other: EveningReport) -> None:
        """Go on from where another evening stands."""
        self.state, self._secret = other.state, other._secret

    # Reading

    def take(self, entry: JournalEntry) -> None:
        """One more entry: of this evening, or of what came before it."""
        before = self.state
        mine = entry["session"] == self.number
        secret = bool(entry.get("secret"))
        facts = entry["facts"]
        audience = PLAYERS if mine and self.for_players else GM
        told = heard(entry, before, audience)
        self.missing += mine and "missing_from" in entry
        if mine and (not self.for_players or any(each.fact for each in told)):
            self.start, self.end = self.start or entry["at"], entry["at"]
            self.commands += not entry.get("pending")
        # Players aren't told: what was taken back may have been secret.
        noted = [entry.get("note"), f"dice seen before in #{entry['seen']}" if "seen" in entry else ""]
        note = "" if self.for_players else "".join(f" [{each}]" for each in noted if each)
        system = scene_system(entry, before)
        for fact, left in zip(facts, told, strict=True):
            earlier = self.state
            self.state = apply_fact(earlier, fact)
            # So that players don't find it as unresolved.
            remember_secret(self._secret, earlier, self.state, secret)
            if mine:
                self.title = look_up(self.state, "session.title", "")
            if mine and left.fact is not None:
                self._tell(entry, left.fact, earlier, secret, note, system, left.banner or Banner(""))
                note = "" if left.fact["text"] else note

    def _tell(
        self,
        entry: JournalEntry,
        fact: FactKept,
        earlier: State,
        secret: bool,
        note: str,
        system: System | None,
        banner: Banner,
    ) -> None:
        known, text = fact_class(fact["kind"]), fact["text"].strip()
        self.ledger.take(entry, fact, earlier, self.state, system is not None)
        if system is not None:
            self._tell_scene(system, fact, known, earlier, secret)
        if text and known.section and not self.brief and not (system is not None and known.in_short):
            # The journal counts what is secret, too: players' numbers are those of what they hear of.
            number = self.commands if self.for_players else entry["seq"]
            told = ReportLine(number, fact["who"], fact["kind"], text + note, secret, *banner[:3])
            self.sections.setdefault(known.section, []).append(told)

    def _tell_scene(
        self,
        system: System,
        fact: FactKept,
        known: type[statements.Fact],
        earlier: State,
        secret: bool,
    ) -> None:
        key = system.scene.key
        now, was = scene_in(self.state, key), scene_in(earlier, key)
        name = (now or was or {}).get("name") or system.title
        # One that is over may lie there until the next takes its place.
        anew = any(path == key and after is not None for path, _, after in fact["changes"])
        if now is not None and (was is None or anew):
            self.scenes.append(SceneSummary(key, name, secret))
        scene = next((one for one in reversed(self.scenes) if one.kind == key), None)
        if scene is None:  # it began on an earlier evening
            scene = SceneSummary(key, name, secret)
            self.scenes.append(scene)
        scene.rounds = max(scene.rounds, self._round_of(key))
        scene.turns += known.begins_turn
        if known.closes_scene:
            scene.ends(fact["text"], name if known.names_scene else "")
        elif known.highlight and fact["text"] and not self.brief:
            scene.told.append(fact["text"])

    def _round_of(self, key: str) -> int:
        """Return the rounds of a scene so far, for players those that somebody in sight has begun."""
        number = (scene_in(self.state, key) or {}).get("round", 0)
        scenes = scenes_of(self.state) if self.for_players else ()
        return number - any(one.key == key and is_begun_unseen(one) for one in scenes)

    def tables(self) -> list[Counts]:
        """Return the tables of what was counted for everybody who did anything."""
        return tables_of(self.ledger, self.names(), self.at_end)

    def names(self) -> dict[str, str]:
        """Everybody of the party by id, in their order."""
        return {who: self.name(who) for who in self.book.characters}

    def at_end(self, who: str) -> dict[str, int]:
        """Return the numbers that are counted as they were when the evening ended."""
        return {key: self.ledger.number(self.state, who, key) for key in self.ledger.tallies}

    # What is open at the end of the evening

    def unresolved(self) -> list[Open]:
        """Return what is open at the end of the evening.

        It is in the order of the party; decisions that wait come last.
        """
        scenes = scenes_of(self.state)
        found = [
            Open(*item, secret=(item.who, item.id) in self._secret)
            for item in self._of_party(lambda view: view.unresolved)
            # A Flaw may be on whatever somebody typed.
            if not (self.for_players and names_hidden(scenes, item.what))
        ]
        audience = PLAYERS if self.for_players else GM
        for scene, item in waiting_in(self.state).items():
            asked = asked_for(asked_of(item), scenes, audience)
            if asked is not None:
                found.append(Open(asked.who, scene, asked.asks, bool(item.get("secret"))))
        return [one for one in found if not (one.secret and self.for_players)]

    def afflicted(self) -> list[tuple[str, str]]:
        """Who is still held by what, in the order of the party."""
        held: dict[str, list[str]] = {}
        for item in self._of_party(lambda view: view.held):
            if not (self.for_players and (item.who, item.id) in self._secret):
                held.setdefault(item.who, []).append(item.what)
        return [(who, ", ".join(names)) for who, names in held.items()]

    def _of_party(self, part: Callable[[PartyView], Iterable[SheetItem]]) -> list[SheetItem]:
        """Return a part of what systems show of everybody, in the order of the party."""
        order = list(self.book.characters)
        found = [item for view in self._views for item in part(view)]
        return sorted(found, key=lambda item: order.index(item.who))

    @cached_property
    def _views(self) -> list[PartyView]:
        return party_views(World(self.book, self.state), self.book.characters)

    def name(self, who: str) -> str:
        """Return the name to show."""
        return str(self.book.characters.get(who, {}).get("name", who))

    def heading(self) -> str:
        """`Session 2: The ford`."""
        name = f"Session {self.number}" if self.number else "Before the first session"
        return with_what_lacks(f"{name}: {self.title}" if self.title else name, self.missing)

    def when(self) -> str:
        """From when to when, and how much was played."""
        begun, ended = day_and_time(self.start), day_and_time(self.end)
        day, ended_on = begun[:10], ended[:10]
        until = ended[11:] if ended_on == day else ended
        played = f"{self.commands} command{'' if self.commands == 1 else 's'}"
        return f"{self.book.name}, {day}, {begun[11:16]} to {until}, {played}"

    def as_json(self) -> dict[str, object]:
        """Return the report as data."""
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
            "counts": {who: {**count, **self.at_end(who)} for who, count in self.ledger.points.items()},
            "deeds": deeds_of(self.ledger),
            "conditions_held": dict(self.afflicted()),
            "unresolved": [one._asdict() for one in self.unresolved()],
        }


def _headings() -> list[str]:
    """Every heading of a report: those of the systems in their order, what was done by hand, and the rest."""
    kinds = [fact for each in systems() for fact in kinds_told_by(each).values() if fact.section]
    by_hand_last = sorted(kinds, key=lambda fact: fact.gm_only)
    return list(dict.fromkeys([*(fact.section for fact in by_hand_last), UnknownFact.section]))


def scene_system(entry: JournalEntry, before: State) -> System | None:
    """Return the system whose scene a command was played in.

    None means that the command is of no scene, or was played between scenes.
    """
    command = entry["command"]
    found = system(owner_of(command)) if command in installed.index().moves else None
    if found is None or found.moves[command].scope is not Scope.SCENE:
        return None
    begun = any(change[0] == found.scene.key for fact in entry["facts"] for change in fact["changes"])
    return found if begun or found.scene.key in before else None
