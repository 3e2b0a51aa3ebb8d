"""The journal as an audience may know it, one entry after another.

Logs, stories, reports, phones and `serve` read it. Each entry comes with the state as the audience may know
it (`KnownState`). Only the game master gets the real state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NewType, cast

from ..kernel.state_changes import Change, State, apply_fact, look_up
from .audiences import Audience
from .entry_headlines import first_line_without_full_stop
from .players_speaker import names_on_table
from .players_state import (
    PEOPLE_TABLES,
    SecretItemKeys,
    item_id_or_text,
    known_state,
    stored_gains_by_owner_id,
    without_secret_items,
)
from .redaction import Banner, RedactedFact, redact_each_fact_of_entry
from .secret_picks import without_changes

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry, RedactedEntry, StoredFact

KnownState = NewType("KnownState", State)
"""The state as an audience may know it."""


def track_secret_items(secret: set[tuple[str, str]], earlier: State, later: State, is_secret: bool) -> None:
    """Update the set `secret`, after a fact, with the items that people got in secret.

    `earlier` and `later` are the states before and after the fact. Items that are new in people's lists are
    added to the set if the fact was secret (`is_secret`), each with its owner. Otherwise they are removed
    from it.
    """
    if all(earlier.get(table) is later.get(table) for table in PEOPLE_TABLES):
        return
    before, now = stored_gains_by_owner_id(earlier), stored_gains_by_owner_id(later)
    for person, own in now.items():
        was = before.get(person, {})
        if own is was:
            continue
        for key, items in own.items():
            for item in items if isinstance(items, list) else ():
                before_it = was.get(key)
                if not (isinstance(before_it, list) and item in before_it):
                    (secret.add if is_secret else secret.discard)((person, item_id_or_text(item)))


class KnownFact:
    """A fact as an audience may know it.

    `fact` is the part that the audience may know, without the changes of the state. `before` and `after` are
    the audience's states before and after the fact. `changes` has the differences between the two.
    """

    def __init__(
        self,
        redacted: RedactedFact,
        whole_fact: StoredFact,
        states: tuple[State, State],
        know_state: Callable[[State], KnownState],
    ) -> None:
        self._told, self._changes, self._states, self._known = (
            redacted,
            whole_fact["changes"],
            states,
            know_state,
        )
        self.fact: StoredFact = without_changes(cast("StoredFact", redacted.fact))
        if whole_fact["kind"] in UNDO_KINDS:
            self.fact.pop("of", None)

    @property
    def banner(self) -> Banner | None:
        """The fact's banner for screens; None if its class declares none."""
        return self._told.banner

    def without_numbers(self) -> str:
        """Return the fact's words without anybody's numbers, for a story."""
        return self._told.without_numbers()

    @cached_property
    def before(self) -> KnownState:
        return self._known(self._states[0])

    @cached_property
    def after(self) -> KnownState:
        return self._known(self._states[1])

    @cached_property
    def changes(self) -> Sequence[Change]:
        """The fact's changes of the state, as far as the audience may know them."""
        if self.before is self._states[0] and self.after is self._states[1]:
            return self._changes
        paths = dict.fromkeys(path for path, _, _ in self._changes)
        known = [(path, look_up(self.before, path), look_up(self.after, path)) for path in paths]
        return [change for change in known if change[1] != change[2]]


class KnownEntry:
    """A journal entry as an audience may know it. `facts` has the facts that the audience may know.

    For the game master, it also has the entry's number (`seq`), its `note`, and the number of another entry
    whose dice it shares (`seen`). For players, `seq` is 0, since entries for players have other numbers.
    """

    def __init__(self, entry: JournalEntry, facts: list[KnownFact], before: State, gm: bool) -> None:
        self.at, self.session, self.command = entry["at"], entry["session"], entry["command"]
        self.facts = facts
        self.pending = bool(entry.get("pending"))
        self.secret = gm and bool(entry.get("secret"))
        self.seq = entry["seq"] if gm else 0
        self.note = str(entry.get("note") or "") if gm else ""
        self.seen = entry.get("seen", 0) if gm else 0
        self._who, self._before = str(entry["args"].get("who") or ""), {} if gm else before

    @property
    def actor_id(self) -> str:
        """The id of the person whose command the entry records; "" if that person is hidden."""
        return self._who if self._who not in names_on_table(self._before).hidden else ""

    def as_json(self) -> RedactedEntry:
        """Return the entry in the form for players' programs."""
        facts = [
            cast(
                "StoredFact", {**one.fact, "banner": banner._asdict()} if (banner := one.banner) else one.fact
            )
            for one in self.facts
        ]
        return {"at": self.at, "session": self.session, "command": self.command, "facts": facts}


class KnownJournal:
    """A reader of journal entries, oldest first; it returns each as an audience may know it.

    `state` is the state before the first entry. `secret` has the items that people had got in secret by then.
    """

    def __init__(self, audience: Audience, state: State, secret: SecretItemKeys | None = None) -> None:
        self.audience = audience
        self.secret = set(secret or ())
        self._state = state
        self.gaps_by_session: Counter[int] = Counter()
        """The number of holes in a damaged journal, by session."""
        self._said: dict[int, str] = {}
        self._latest: tuple[State, KnownState] | None = None

    def take_entry(self, entry: JournalEntry) -> KnownEntry | None:
        """Take the next entry, and return it as the audience may know it.

        Return None if the audience may know nothing of the entry.
        """
        self.gaps_by_session[entry["session"]] += "missing_from" in entry
        start = self._state
        named = [seq for fact in entry["facts"] if fact["kind"] in UNDO_KINDS for seq in fact.get("of", ())]
        names = {f"entry:{seq}": self._said[seq] for seq in named if seq in self._said}
        told = redact_each_fact_of_entry(
            {**entry, "names": {**entry.get("names", {}), **names}} if named else entry, start, self.audience
        )
        facts = []
        for fact, left in zip(entry["facts"], told, strict=True):
            before, self._state = self._state, apply_fact(self._state, fact)
            track_secret_items(self.secret, before, self._state, bool(entry.get("secret")))
            if left.fact is not None:
                facts.append(KnownFact(left, fact, (before, self._state), self._known_state))
        first = next((text for one in facts if (text := str(one.fact["text"]))), "")
        if first:
            self._said[entry["seq"]] = first_line_without_full_stop(first)
        gm = self.audience.gm
        return KnownEntry(entry, facts, start, gm) if facts or gm else None

    @property
    def current_state(self) -> KnownState:
        """The known state after all entries taken so far."""
        return self._known_state(self._state)

    def _known_state(self, state: State) -> KnownState:
        if self.audience.gm:
            return KnownState(state)
        if self._latest is None or self._latest[0] is not state:
            kept = names_on_table(self._state).name_search
            self._latest = state, KnownState(without_secret_items(known_state(state), kept, self.secret))
        return self._latest[1]


UNDO_KINDS = ("undone", "redone")
"""Kinds of facts that undo or redo other entries."""
