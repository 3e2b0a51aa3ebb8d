"""The report of an evening, made from the journal's facts alone: their kinds and texts, what they changed.

Nothing here knows a rule or a system: under which heading a kind of fact stands is said where it is declared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ..campaign import Campaign
from ..campaign.journal import START, Entry
from ..kernel.facts import State, apply_fact, look_up
from ..kernel.procedure import World
from ..problems import Refused, Usage, listed
from ..record import NamedTuple
from ..registry import UNKNOWN_FACT, fact_kind, installed, system, systems
from ..registry.system import FactKind, Scope, System
from ..terminal.clock import day_and_time
from ..terminal.result import Block, Line, Section, Span, Table
from ..terminal.sheet_view import PartyView, SheetItem, party_views
from ..visibility import GM, PLAYERS, heard, undone_by

OF_ROLLS = {"rolls": "Rolls", "successes": "Successes", "twists": "Twists", "costs": "Costs"}
MADE_BY = "<!-- made by strike session report -->"


class Told(NamedTuple):
    """One thing that happened, as it is told."""

    seq: int
    who: str
    kind: str
    text: str
    secret: bool

    def as_json(self) -> dict[str, Any]:
        """The form shown by --json."""
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
        """It comes to something, as these words say, which begin with its name where it is `named` so."""
        self.outcome = text
        self._after_name = text[len(named) :] if named else f": {text}"

    def as_json(self) -> dict[str, Any]:
        """The form shown by --json. `outcome` is empty while it goes on."""
        return {key: value for key, value in vars(self).items() if key != "_after_name"}

    def came_to(self) -> str:
        """What to say after its name: ` is won. (3 rounds, 14 turns)`, the length as far as its facts say."""
        counts = [
            f"{count} {one}{'' if count == 1 else 's'}"
            for count, one in ((self.rounds, "round"), (self.turns, "turn"))
            if count
        ]
        return self._after_name + (f" ({', '.join(counts)})" if counts else "")


class Evening:
    """What the journal has of one session, without what was undone."""

    def __init__(self, campaign: Campaign, number: int, for_players: bool) -> None:
        self.book = campaign.book
        self.number = number
        self.for_players = for_players
        self.title = ""
        self.start = self.end = ""
        self.commands = 0
        self.sections: dict[str, list[Told]] = {heading: [] for heading in _headings()}
        self.scenes: list[SceneSummary] = []
        self.tallies = {key: tally for each in systems() for key, tally in each.tallies.items()}
        self.counts: dict[str, dict[str, int]] = {}
        self.state: State = {}
        self._secret: set[tuple[str, str]] = set()
        undone = self._look_over(campaign)
        # Twice through the journal, an entry at a time: an evening may be longer than memory is large.
        for entry, _, _ in campaign.journal.since(START):
            if entry["session"] <= number and entry["seq"] not in undone and "head" not in entry:
                self._take_in(entry)

    # Reading

    def _look_over(self, campaign: Campaign) -> set[int]:
        """What was undone. Raises Refused where there was no such session."""
        sessions: set[int] = set()

        def looked_at() -> Iterator[Entry]:
            for entry, _, _ in campaign.journal.since(START):
                sessions.add(entry["session"])
                yield entry

        undone = undone_by(looked_at())
        if self.number not in sessions:
            known = sorted(sessions - {0})
            have = (
                f"Sessions so far: {', '.join(map(str, known))}." if known else "No session was played yet."
            )
            raise Refused(f"There is no session {self.number}.", f"{have} `strike session list` shows them.")
        return undone

    def _take_in(self, entry: Entry) -> None:
        before = self.state
        mine = entry["session"] == self.number
        secret = bool(entry.get("secret"))
        facts = entry["facts"]
        audience = PLAYERS if mine and self.for_players else GM
        heard_facts = [each.fact for each in heard(entry, before, audience)]
        if mine:
            self.start, self.end = self.start or entry["at"], entry["at"]
            self.commands += not (entry.get("pending") or (self.for_players and not any(heard_facts)))
        note = f" [{entry['note']}]" if entry.get("note") and not self.for_players else ""
        system = _scene_system(entry, before)
        for fact, left in zip(facts, heard_facts, strict=True):
            earlier = self.state
            self.state = apply_fact(earlier, fact)
            self._remember_secret(earlier, secret)
            if mine:
                self.title = look_up(self.state, "session.title", "")
            if mine and left is not None:
                self._tell(entry, left, earlier, secret, note, system)
                note = "" if left["text"] else note

    def _remember_secret(self, earlier: State, secret: bool) -> None:
        """What came in secret, so that players don't find it as unresolved: new items of somebody's lists."""
        before, now = earlier.get("characters", {}), self.state.get("characters", {})
        for who, own in now.items():
            was = before.get(who, {})
            if own is was:
                continue
            for key, items in own.items():
                for item in items if isinstance(items, list) else ():
                    if item not in was.get(key, ()):
                        found = (who, str(item["id"] if isinstance(item, Mapping) and "id" in item else item))
                        (self._secret.add if secret else self._secret.discard)(found)

    def _tell(
        self,
        entry: Entry,
        fact: Mapping[str, Any],
        earlier: State,
        secret: bool,
        note: str,
        system: System | None,
    ) -> None:
        known, text = fact_kind(fact["kind"]), fact["text"].strip()
        self._count_tallies(earlier)
        if system is not None:
            self._tell_scene(system, fact, known, earlier, secret)
        elif known.is_roll and fact["who"] in self.book.characters:
            self._count_roll(fact)
        if text and known.section and not (system is not None and known.in_short):
            told = Told(entry["seq"], fact["who"], fact["kind"], text + note, secret)
            self.sections.setdefault(known.section, []).append(told)

    def _tell_scene(
        self, system: System, fact: Mapping[str, Any], known: FactKind, earlier: State, secret: bool
    ) -> None:
        key = system.scene
        now, was = self.state.get(key), earlier.get(key)
        name = (now or was or {}).get("name") or system.title
        if now is not None and was is None:
            self.scenes.append(SceneSummary(key, name, secret))
        scene = next((one for one in reversed(self.scenes) if one.kind == key), None)
        if scene is None:  # it began on an earlier evening
            scene = SceneSummary(key, name, secret)
            self.scenes.append(scene)
        scene.rounds = max(scene.rounds, (now or {}).get("round", 0))
        scene.turns += known.begins_turn
        if known.outcome:
            scene.ends(fact["text"], name if known.names_scene else "")
        elif known.highlight and fact["text"]:
            scene.told.append(fact["text"])

    def _count(self, who: str, what: str, n: int) -> None:
        self.counts.setdefault(who, dict.fromkeys(self.counted(), 0))[what] += n

    def counted(self) -> dict[str, str]:
        """What is counted of everybody, with its headings."""
        found = dict(OF_ROLLS)
        for tally in self.tallies.values():
            found |= {tally.gained: f"{tally.title} in", tally.lost: f"{tally.title} out"}
        return found

    def _count_tallies(self, earlier: State) -> None:
        """What a fact added to numbers on sheets, or took from them."""
        for key, tally in self.tallies.items():
            for who in self.book.characters:
                had, has = self._number(earlier, who, key), self._number(self.state, who, key)
                if had != has:
                    self._count(who, tally.gained if has > had else tally.lost, abs(has - had))

    def _number(self, state: State, who: str, key: str) -> int:
        """A number of somebody's sheet as play has made it."""
        return int(look_up(state, f"characters.{who}.{key}", self.book.characters[who].get(key, 0)))

    def at_end(self, who: str) -> dict[str, int]:
        """The numbers that are counted as they were when the evening ended."""
        return {key: self._number(self.state, who, key) for key in self.tallies}

    def _count_roll(self, fact: Mapping[str, Any]) -> None:
        self._count(fact["who"], "rolls", 1)
        self._count(fact["who"], "successes", fact.get("outcome") == "success")
        self._count(fact["who"], "twists", fact.get("outcome") == "twist")
        self._count(fact["who"], "costs", fact.get("costs", 0))

    # What is open at the end of the evening

    def unresolved(self) -> list[Open]:
        """What is open at the end of the evening, in the order of the party; then decisions that wait."""
        found = [
            Open(*item, secret=(item.who, item.id) in self._secret)
            for item in self._of_party(lambda view: view.unresolved)
        ]
        for scene, item in look_up(self.state, "pending", {}).items():
            what = f"must choose {item['what']}: {listed(item['options'], 5)}"
            found.append(Open(item["who"] or "", scene, what, bool(item.get("secret"))))
        return [one for one in found if not (one.secret and self.for_players)]

    def afflicted(self) -> list[tuple[str, str]]:
        """Who is still held by what, in the order of the party."""
        held: dict[str, list[str]] = {}
        for item in self._of_party(lambda view: view.held):
            if not (self.for_players and (item.who, item.id) in self._secret):
                held.setdefault(item.who, []).append(item.what)
        return [(who, ", ".join(names)) for who, names in held.items()]

    def _of_party(self, part: Callable[[PartyView], Iterable[SheetItem]]) -> list[SheetItem]:
        """A part of what systems show of everybody, in the order of the party."""
        order = list(self.book.characters)
        found = [item for view in self._views for item in part(view)]
        return sorted(found, key=lambda item: order.index(item.who))

    @cached_property
    def _views(self) -> list[PartyView]:
        return party_views(World(self.book, self.state), self.book.characters)

    def name(self, who: str) -> str:
        """The name to show."""
        return str(self.book.characters.get(who, {}).get("name", who))

    def heading(self) -> str:
        """`Session 2: The ford`."""
        name = f"Session {self.number}" if self.number else "Before the first session"
        return f"{name}: {self.title}" if self.title else name

    def when(self) -> str:
        """From when to when, and how much was played."""
        begun, ended = day_and_time(self.start), day_and_time(self.end)
        day, ended_on = begun[:10], ended[:10]
        until = ended[11:] if ended_on == day else ended
        played = f"{self.commands} command{'' if self.commands == 1 else 's'}"
        return f"{self.book.name}, {day}, {begun[11:16]} to {until}, {played}"

    def as_json(self) -> dict[str, Any]:
        """The report as data."""
        return {
            "session": self.number,
            "title": self.title,
            "from": self.start,
            "to": self.end,
            "commands": self.commands,
            "for_players": self.for_players,
            "sections": {
                heading: [told.as_json() for told in lines]
                for heading, lines in self.sections.items()
                if lines
            },
            "scenes": [scene.as_json() for scene in self.scenes],
            "counts": {who: {**count, **self.at_end(who)} for who, count in self.counts.items()},
            "conditions_held": dict(self.afflicted()),
            "unresolved": [one._asdict() for one in self.unresolved()],
        }


def _headings() -> list[str]:
    """Every heading of a report: those of the systems in their order, what was done by hand, and the rest."""
    kinds = [fact for each in systems() for fact in each.facts.values() if fact.section]
    by_hand_last = sorted(kinds, key=lambda fact: fact.gm_only)
    return list(dict.fromkeys([*(fact.section for fact in by_hand_last), UNKNOWN_FACT.section]))


def _scene_system(entry: Entry, before: State) -> System | None:
    """The system whose scene a command was played in; None for one that is of no scene, and for one that was
    played between scenes."""
    owner = installed.index().movers.get(entry["command"])
    found = system(owner) if owner else None
    if found is None or found.moves[entry["command"]].scope is not Scope.SCENE:
        return None
    begun = any(change[0] == found.scene for fact in entry["facts"] for change in fact["changes"])
    return found if begun or found.scene in before else None


# On a terminal


def report_blocks(evening: Evening) -> list[Block]:
    """The report for a terminal, or as plain text."""
    blocks: list[Block] = [(evening.heading(), "title"), (evening.when(), "dim")]
    for section in _sections(evening):
        blocks += ["", section]
    if evening.counts:
        headings = ["", *(f">{heading}" for heading in _number_headings(evening))]
        rows: list[list[Span]] = [[(name, "name"), *numbers] for name, *numbers in _numbers(evening)]
        blocks += ["", Table(headings, rows)]
    blocks += ["", *_open_blocks(evening)]
    return blocks


def _sections(evening: Evening) -> Iterator[Block]:
    if evening.scenes:
        yield Section("Scenes", [("", _scene_line(scene)) for scene in evening.scenes])
    for heading, lines in evening.sections.items():
        if lines:
            yield Section(heading, [("", _told_line(told)) for told in lines])


def _told_line(told: Told) -> Line:
    return [told.text, ("  (secret)", "warn")] if told.secret else told.text


def _scene_line(scene: SceneSummary) -> Line:
    parts: list[Span] = [(scene.name, "name"), scene.came_to()]
    parts += [(f" {text}", "dim") for text in scene.told]
    return [*parts, ("  (secret)", "warn")] if scene.secret else parts


def _number_headings(evening: Evening) -> list[str]:
    return [*evening.counted().values(), *(f"{tally.title} now" for tally in evening.tallies.values())]


def _numbers(evening: Evening) -> Iterator[list[str]]:
    """A row for each character that rolled or whose numbers have changed."""
    for who in evening.book.characters:
        if who in evening.counts:
            counts = [str(count) if count else "-" for count in evening.counts[who].values()]
            yield [evening.name(who), *counts, *map(str, evening.at_end(who).values())]


def _open_blocks(evening: Evening) -> Iterator[Block]:
    held, found = evening.afflicted(), evening.unresolved()
    if held:
        yield Section("Still held", [("", [(evening.name(who), "name"), f"  {what}"]) for who, what in held])
        yield ""
    if found:
        yield Section("Unresolved", [("", _open_line(evening, one)) for one in found])
    else:
        yield ("Nothing is left unresolved.", "good")


def _open_line(evening: Evening, one: Open) -> Line:
    parts: list[Span] = [(evening.name(one.who), "name"), f"  {one.what}", (f"  {one.which}", "dim")]
    return [*parts, ("  (secret)", "warn")] if one.secret else parts


# As Markdown


def report_markdown(evening: Evening) -> str:
    """The report as a Markdown page."""
    lines = [MADE_BY, f"# {_md(evening.heading())}", "", f"*{_md(evening.when())}*"]
    if evening.scenes:
        lines += ["", "## Scenes", ""]
        for scene in evening.scenes:
            secret = " *(secret)*" if scene.secret else ""
            lines.append(f"- **{_md(scene.name)}**{_md_inside(scene.came_to())}{secret}")
            lines += [f"  - {_md(text)}" for text in scene.told]
    for heading, told_lines in evening.sections.items():
        if told_lines:
            lines += ["", f"## {heading}", ""]
            lines += [f"- {_md(told.text)}{' *(secret)*' if told.secret else ''}" for told in told_lines]
    if evening.counts:
        headings = ["", *_number_headings(evening)]
        lines += ["", "## In numbers", "", _md_row(headings), _md_row(["-", *["-:"] * (len(headings) - 1)])]
        lines += [_md_row([_md(name), *numbers]) for name, *numbers in _numbers(evening)]
    lines += ["", "## Unresolved", ""]
    lines += [f"- **{_md(evening.name(who))}**, still {_md(what)}" for who, what in evening.afflicted()]
    for one in evening.unresolved():
        secret = " *(secret)*" if one.secret else ""
        lines.append(f"- **{_md(evening.name(one.who))}**, {_md(one.what)} ({_md(one.which)}){secret}")
    if lines[-1] == "":
        lines.append("Nothing.")
    return "\n".join(lines) + "\n"


def _md_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _md(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return re.sub(r"^([#+-]|\d+[.)])(?=\s)", r"\\\1", _md_inside(" ".join(text.split())))


def _md_inside(text: str) -> str:
    printable = "".join(char for char in text if char.isprintable())
    return re.sub(r"([\\`*_~&\[\]<>|])", r"\\\1", printable)


def write_report(path: Path, text: str) -> None:
    """Write the page. A file of somebody's own is never written over: Usage is raised."""
    from ..campaign.files import reason, write_out

    try:
        if path.is_file():
            with open(path, encoding="utf-8", errors="replace") as file:
                if file.readline().strip() != MADE_BY:
                    raise Usage(f"{path} is there already, and no report made it.", "Choose another file.")
        write_out(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise Usage(f"{path} can't be written: {reason(error)}.", "Choose another file.") from None


def summary(sections: Mapping[str, Sequence[Told]]) -> str:
    """`12 under Rolls, 3 under Conditions`: what a page that was written has."""
    counts = [f"{len(lines)} under {heading}" for heading, lines in sections.items() if lines]
    return ", ".join(counts) or "nothing told"
