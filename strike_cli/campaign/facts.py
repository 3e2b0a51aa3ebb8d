"""Facts about the campaign itself: undo and redo, edits by hand, decisions that wait.

No rule is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from ..kernel.statements import (
    Code,
    Decision,
    Fact,
    FirstOf,
    Listed,
    Person,
    Sort,
    Speaker,
    Statement,
    Typed,
    Verbatim,
    Words,
)
from ..tabletop.people import GameMaster
from ..visibility.entry_words import headline

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry
    from ..kernel.statements import Language


class _Entry(Sort[int]):
    """The number of an entry of the journal.

    Its name depends on the audience. The game master has the number and the first text of the entry; players
    have only what they were shown of it, since the numbers count secret entries.
    """

    def words(self, value: int, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return speaker.name("entry", str(value)) if self.is_known(value, statement, speaker) else None

    def is_known(self, value: int, statement: Statement, speaker: Speaker) -> bool:
        return speaker.knows("entry", str(value))

    def ids(self, value: int) -> Iterator[tuple[str, str]]:
        yield "entry", str(value)


Entries = Annotated[Sequence[int], FirstOf(_Entry())]
"""Entries of the journal by their numbers."""
Options = Annotated[Sequence[str], Listed(Typed(), ", ")]
"""The words that answer a decision, which may be those of somebody hidden."""
Paths = Annotated[Sequence[str], Listed(Verbatim(), ", ")]
"""Paths of the state."""


class Undone(Fact):
    """Commands are taken back."""

    of: Entries

    says = "Undone: {of}."


class Redone(Fact):
    """Commands that were taken back are put back."""

    of: Entries

    says = "Done again: {of}."


def named_entries(entries: Sequence[JournalEntry], language: Language) -> list[tuple[JournalEntry, str]]:
    """Return entries, each with its name: its number and its first text."""
    return [(one, f"#{one['seq']} {headline(one, language)}") for one in entries]


def naming(entries: Sequence[tuple[JournalEntry, str]], language: Language) -> GameMaster:
    """Return the audience that knows entries by these names."""
    return GameMaster(names={f"entry:{one['seq']}": words for one, words in entries}, language=language)


class Edited(Fact):
    """state.toml was edited by hand: the first of the changed paths, and whether there are `more`.

    It is also how a campaign that plays a simulated day again begins as that day did.
    """

    paths: Paths = ()
    more: bool = False
    simulated: bool = False

    section = "By hand"
    gm_only = True
    says = (
        "{simulated:?It begins as the campaign stood when it was simulated."
        "|state.toml was edited by hand: {paths}{more:? ...}.}"
    )


class EntriesLost(Fact):
    """Entries of the journal were damaged, from the `first` to the `last`.

    Their changes are known from the entries after them and from state.toml.
    """

    first: int
    last: int

    section = "By hand"
    gm_only = True
    says = (
        "{several:?Entries #{first} to #{last} are|Entry #{first} is} missing here: the journal was damaged."
    )

    @property
    def several(self) -> bool:
        """Whether more than one is missing."""
        return self.last > self.first


class SceneLost(Fact):
    """Scenes began in entries that are lost, and nothing else has all of them.

    The rest of them is taken off the table. They are tables of the state.
    """

    scenes: Paths

    section = "By hand"
    gm_only = True
    says = "{scenes} began in what is missing: the rest of it is off the table."


class DecisionAsked(Fact, kind="asked"):
    """A command waits for somebody's decision.

    `about` says all of it, where it has a class; `what` is its key, or says what is to be decided.
    """

    who: Person
    what: Words
    options: Options
    about: Decision | None = None
    decides: Code = ""

    says = (
        "{about:?{by_gm:?The game master|{who:?{who}|Somebody}} must choose. {about} ({options})"
        "|{asker:?{asker}|Somebody} must choose {what}: {options}.{about}}"
    )

    @property
    def by_gm(self) -> bool:
        """Whether the game master decides about somebody else (STR-CORE-09)."""
        return self.decides == "gm"

    @property
    def asker(self) -> Code:
        """The decider's name as typed."""
        return self.who

    def typed(self) -> Iterator[str]:
        """Yield typed words, `who` among them, which is why none of its words gets a capital."""
        yield self.who
        yield from super().typed()


class Decided(Fact):
    """A decision is taken: it waits no longer.

    Players are shown its results: they may not know that it was asked.
    """

    gm_only = True


class StateVersion(Fact):
    """The version of a system's state is noted, with the first of it that there is."""

    gm_only = True


class StateMigrated(Fact):
    """State of an earlier version of a system is brought up."""

    system: Code
    was: int
    now: int

    section = "By hand"
    gm_only = True
    says = "The state of {system} is brought from version {was} to version {now}."
