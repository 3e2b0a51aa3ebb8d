"""The redaction of a command: its facts as an audience may know them.

Ids and fields decide which parts an audience may know. Words decide only for facts without classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from ..kernel import statements
from ..kernel.state_changes import State, apply_fact, cached_in_block, pending_decisions_in
from ..kernel.statements import say
from ..registry import fact_class
from ..registry.scenes_and_decisions_in_state import decision_to_show, scenes_of
from ..tabletop.characters_and_names import GameMasterSpeaker, Names
from .audiences import PLAYERS, Audience
from .entry_headlines import statement_of_fact
from .hidden_name_search import HiddenNameSearch, make_hidden_name_search
from .known_decisions import decision_for_audience
from .known_scene import has_round_begun_unseen
from .players_speaker import HiddenFromPlayers, PlayersSpeaker, names_on_table
from .text_only_facts import WordsRedaction

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry, StoredFact

    StateAfterFact = Callable[[State, StoredFact], State]
    """The state after a fact."""


class Banner(NamedTuple):
    """A fact as a screen announces it.

    `text` is a headline of a few words, and `event` is one of `statements.EVENTS`. `tone` says whether the
    fact is "good" or "bad" for the person `who`. `power` is the name of the power that caused the fact.
    """

    text: str
    event: str = ""
    tone: str = ""
    who: str = ""
    power: str = ""

    @property
    def is_important(self) -> bool:
        """Whether the headline is important enough to be shown even where there is little room."""
        return bool(self.text) and self.event in statements.STANDS_OUT


class RedactedFact(NamedTuple):
    """The part of a fact that an audience may know.

    `fact` is None if the audience may know nothing of the fact. `hides` says whether anything secret, or
    about somebody hidden, was left out.
    """

    fact: StoredFact | None
    hides: bool = False
    statement: statements.Fact | None = None
    speaker: statements.Speaker | None = None

    @property
    def banner(self) -> Banner | None:
        """The fact's banner for screens; None if its class declares none."""
        if self.statement is None or self.speaker is None:
            return None
        return make_banner(self.statement, self.speaker)

    def without_numbers(self) -> str:
        """Return the fact's words for a story, without anybody's numbers.

        If the fact has no separate words for this, its usual words are returned. The result is "" if the
        audience may know nothing of the fact.
        """
        if self.fact is None:
            return ""
        if self.statement is None or self.speaker is None or self.statement.says_without_hp is None:
            return str(self.fact.get("without_hp") or self.fact["text"])
        return say(self.statement, self.speaker, "says_without_hp") or str(self.fact["text"])


def redact_each_fact_of_entry(
    entry: JournalEntry, before: State, audience: Audience, state_after: StateAfterFact = apply_fact
) -> list[RedactedFact]:
    """Return the facts of an entry as an audience may know them, with one result for each fact.

    `before` is the state before the entry. `state_after` is a function that returns the state after a fact. A
    caller that needs only a part of the state passes its own function.
    """
    if audience.gm:
        speaker = GameMasterSpeaker(names=entry.get("names", {}), language=audience.language)
        return [_full_fact(entry, fact, speaker) for fact in entry["facts"]]
    if entry.get("secret") or _asks_secret_decision(entry, before, audience, state_after):
        return [RedactedFact(None, hides=True)] * len(entry["facts"])
    is_open = entry.get("open", False)
    redaction = Redaction(before, entry["facts"], audience, state_after, entry.get("names"), is_open=is_open)
    return [redaction.redact(fact) for fact in entry["facts"]]


def typed_hidden_names_that_redact(entry: JournalEntry, before: State, typed: Iterable[str]) -> list[str]:
    """Return the hidden names in typed words that make players see less of an entry.

    If the words name only a square in the fog, the result has "something in the fog" instead. The result is
    [] if the entry is secret, or if the names make no difference to what players see.
    """
    table = names_on_table(before)
    words = [each for each in typed if each]
    if entry.get("secret") or not words or not table.name_search.finds_in(words):
        return []
    closed: JournalEntry = {**entry, "open": False}
    opened: JournalEntry = {**entry, "open": True}
    told = [
        [one.fact and one.fact["text"] for one in redact_each_fact_of_entry(each, before, PLAYERS)]
        for each in (closed, opened)
    ]
    if told[0] == told[1]:
        return []
    names = {**table.hidden, **table.secret_zones}
    found = [
        name for id, name in names.items() if make_hidden_name_search({id: name}, {}, ()).finds_in(words)
    ]
    return list(dict.fromkeys(found)) or ["something in the fog"]


def _asks_secret_decision(
    entry: JournalEntry, before: State, audience: Audience, state_after: StateAfterFact
) -> bool:
    """Return whether an entry asks for a decision that the audience may not know of."""
    if not entry.get("pending"):
        return False
    asked, scenes = before, scenes_of(before)
    for fact in entry["facts"]:
        asked = state_after(asked, fact)
    new = [
        item
        for key, item in pending_decisions_in(asked).items()
        if item != pending_decisions_in(before).get(key)
    ]
    return any(decision_for_audience(decision_to_show(item), scenes, audience) is None for item in new)


class Redaction:
    """The redaction of one command: the people and zones that it hides, and the parts that players see.

    A person who was hidden at any moment of the command stays hidden in all of it. The exception is a person
    in plain sight at the end of the command: an attacker who leaves hiding may be named. The same rule holds
    for secret zones.
    """

    def __init__(
        self,
        before: State,
        facts: Iterable[StoredFact],
        audience: Audience,
        after: StateAfterFact = apply_fact,
        names: Names | None = None,
        *,
        is_open: bool = False,
    ) -> None:
        """Find the people and zones that must stay hidden when a command's facts are shown to an audience.

        `before` is the state before the facts. `names` has the names at the time of the command, by sort and
        id. It is None for an entry that an older strike wrote without names. If `is_open` is true, players
        may read typed words even if these name somebody hidden.
        """
        self._names = names
        changing = [fact for fact in facts if fact["changes"]]
        hides = _things_hidden_by(before, changing, after) if changing else _things_hidden_in(before)
        self.hidden, self.words = hides.people, hides.words
        numberless = set() if audience.meters == "exact" else hides.others
        unknown = HiddenFromPlayers(hides.people, hides.zones, hides.words)
        others = {person for person, _ in numberless}
        self._speaker = PlayersSpeaker(names or {}, unknown, audience.language, others, is_open=is_open)
        self._zones, self._numberless = hides.zones, numberless
        self._before = before

    def redact(self, fact: StoredFact) -> RedactedFact:
        """Return the part of a fact that the audience may know."""
        known = fact_class(fact["kind"])
        if known.gm_only:
            return RedactedFact(None)
        if (
            known.first_of_round
            and not fact.get(known.first_of_round)
            and any(
                fact["who"] in scene.people and has_round_begun_unseen(scene)
                for scene in scenes_of(self._before)
            )
        ):
            fact = cast("StoredFact", {**fact, known.first_of_round: True})
        statement = None if self._names is None else statement_of_fact(fact)
        if statement is not None:
            return self._redact_fact(fact, statement)
        plain = self._words_redaction.part_for_players(fact)
        return RedactedFact(plain, hides=plain is not fact)

    @cached_property
    def _words_redaction(self) -> WordsRedaction:
        return WordsRedaction(self.words, make_hidden_name_search({}, self._zones, ()), self._numberless)

    def _redact_fact(self, fact: StoredFact, statement: statements.Fact) -> RedactedFact:
        """Return what the audience may know of a fact.

        `fact` is the fact as it is stored, and `statement` is the same fact as an object.
        """
        speaker = self._speaker
        people = [id for sort, id in statement.ids() if sort == "person"]
        behind = [fact[key] for key in SIGNER_KEYS if key in fact]
        words = say(statement, speaker)
        known = not people or any(speaker.audience_may_know("person", person) for person in people)
        if words is None or not all(speaker.audience_may_know("person", person) for person in behind):
            return RedactedFact(None, hides=True)
        if not known and (statement.says is None or statement.says_unseen is None):
            return RedactedFact(None, hides=True)
        fields = statement.as_json_known_to(speaker)
        left: dict[str, object] = {
            "kind": fact["kind"],
            "who": fields.pop("who", ""),
            "text": words,
            **fields,
            **{key: fact[key] for key in SIGNER_KEYS if key in fact},
            "changes": fact["changes"],
        }
        if "names" in fact:
            left["names"] = {
                person: name
                for person, name in fact["names"].items()
                if speaker.audience_may_know("person", person)
            }
        if "places" in fact:
            left["places"] = fact["places"]
        hides = left != fact and not _lacks_only_empty_lists(left, fact)
        if not words and hides:  # a fact without words is shown whole or not at all
            return RedactedFact(None, hides=True)
        return RedactedFact(cast("StoredFact", left), hides, statement, speaker)


def _lacks_only_empty_lists(reduced: object, whole: object) -> bool:
    """Return whether `reduced` equals `whole`, except that it may lack empty lists and tables."""
    if isinstance(reduced, Mapping) and isinstance(whole, Mapping):
        told = {key: value for key, value in whole.items() if key in reduced or value not in ([], {})}
        return reduced.keys() == told.keys() and all(
            _lacks_only_empty_lists(reduced[key], told[key]) for key in told
        )
    if isinstance(reduced, list) and isinstance(whole, list):
        return len(reduced) == len(whole) and all(map(_lacks_only_empty_lists, reduced, whole))
    return reduced == whole


class _HiddenThings(NamedTuple):
    """The people, zones and numbers that a command hides from players.

    `people` and `zones` have names by id, and `words` finds any of these names in texts. `others` has
    everybody but the party, with the ids of their meters.
    """

    people: Mapping[str, str]
    zones: Mapping[str, str]
    words: HiddenNameSearch
    others: set[tuple[str, str]]


def _things_hidden_by(
    before: State, changing_facts: Iterable[StoredFact], state_after: StateAfterFact
) -> _HiddenThings:
    """Return what a command hides from players.

    `changing_facts` has those facts of the command that change the state.
    """
    table = names_on_table(before)
    fogged = table.fogged
    others, hidden, zones = set(table.meters_of_non_party), dict(table.hidden), dict(table.secret_zones)
    last = set(hidden)
    """Everybody who was hidden at their last known position."""
    state = before
    for fact in changing_facts:
        state = state_after(state, fact)
        table = names_on_table(state)
        others |= table.meters_of_non_party
        # For people who are gone the last known visibility counts: they have no square any more.
        standing = table.seen.keys() - table.out_without_square
        last = {person for person in last if person not in standing} | table.hidden.keys()
        hidden |= table.hidden
        zones.update(table.secret_zones)
    in_sight = {
        person for person in table.seen if person not in table.out_without_square or person not in last
    }
    people = {person: name for person, name in hidden.items() if person not in in_sight}
    open_zones = table.zones - table.secret_zones.keys()
    zones = {key: name for key, name in zones.items() if key not in open_zones}
    seen = [name for person, name in table.seen.items() if person not in people]
    words = make_hidden_name_search(people, zones, seen, table.fogged or fogged, table.open_zones)
    return _HiddenThings(people, zones, words, others)


@cached_in_block
def _things_hidden_in(state: State) -> _HiddenThings:
    """Return the people, zones and numbers of a state that must be hidden from players.

    Within a `block_cache` block, the result is cached. Dozens of commands that don't change the state can
    follow one another, and all of them have the same result.
    """
    return _things_hidden_by(state, (), apply_fact)


def make_banner(statement: statements.Fact, speaker: statements.Speaker) -> Banner | None:
    """Return a fact's banner for screens; None if it has neither headline nor event."""
    shown = statement.shown()
    text = say(statement, speaker, "headline") or ""
    if not (text or shown.event):
        return None
    person = statement.subject
    power = getattr(statement, "power", None)
    named = say(power, speaker) or "" if isinstance(power, statements.Clause) else ""
    return Banner(
        text,
        shown.event,
        shown.tone,
        person if person and speaker.audience_may_know("person", person) else "",
        named,
    )


def _full_fact(entry: JournalEntry, fact: StoredFact, speaker: statements.Speaker) -> RedactedFact:
    """Return a fact in full, as the game master sees it."""
    statement = statement_of_fact(fact) if "names" in entry else None
    return RedactedFact(fact, statement=statement, speaker=speaker)


SIGNER_KEYS: tuple[Literal["decided_by", "trait_of"], ...] = ("decided_by", "trait_of")
"""The keys under which a fact names the people behind it (`Happened.signed`)."""
