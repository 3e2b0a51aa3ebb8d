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
    FieldType,
    FirstAndCount,
    MarkedList,
    Person,
    Speaker,
    Statement,
    TypedText,
    Verbatim,
    Words,
)
from ..tabletop.characters_and_names import GameMasterSpeaker
from ..visibility.entry_sentences import entry_headline

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry
    from ..kernel.statements import Language


class _Entry(FieldType[int]):
    """The sort of a field that contains the number of a journal entry.

    The game master is shown the number and the first text of the entry. Players are shown only the text, as
    they saw it, since the numbers also count secret entries.
    """

    def words(self, value: int, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return speaker.name("entry", str(value)) if self.is_known(value, statement, speaker) else None

    def is_known(self, value: int, statement: Statement, speaker: Speaker) -> bool:
        return speaker.audience_may_know("entry", str(value))

    def ids(self, value: int) -> Iterator[tuple[str, str]]:
        yield "entry", str(value)


Entries = Annotated[Sequence[int], FirstAndCount(_Entry())]
"""Entries of the journal by their numbers."""
Options = Annotated[Sequence[str], MarkedList(TypedText(), ", ")]
"""The words that answer a decision; they may name a hidden creature."""
Paths = Annotated[Sequence[str], MarkedList(Verbatim(), ", ")]
"""Paths of the state."""


class Undone(Fact):
    """The report that commands were undone."""

    of: Entries

    says = "Undone: {of}."


class Redone(Fact):
    """The report that undone commands were restored."""

    of: Entries

    says = "Done again: {of}."


def entries_with_names(entries: Sequence[JournalEntry], language: Language) -> list[tuple[JournalEntry, str]]:
    """Return entries, each with its name for the game master: its number and its headline."""
    return [(one, f"#{one['seq']} {entry_headline(one, language)}") for one in entries]


def speaker_naming_entries(
    entries: Sequence[tuple[JournalEntry, str]], language: Language
) -> GameMasterSpeaker:
    """Return a speaker for the game master that calls each entry by the name that is paired with it."""
    return GameMasterSpeaker(
        names={f"entry:{one['seq']}": words for one, words in entries}, language=language
    )


class Edited(Fact):
    """The report that state.toml was edited by hand.

    `paths` are the first paths that were changed. `more` is True if there are others. A campaign that replays
    a `simulated` day also begins with this fact.
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
    """The report that entries of the journal were damaged, from the `first` to the `last`.

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
        """Whether more than one entry is lost."""
        return self.last > self.first


class SceneLost(Fact):
    """The report that `scenes` were removed because they began in entries that are lost.

    Each item is the path of a scene's table in the state. Only incomplete remains of that table were left.
    """

    scenes: Paths

    section = "By hand"
    gm_only = True
    says = "{scenes} began in what is missing: the rest of it is off the table."


class DecisionAsked(Fact, kind="asked"):
    """The report that a command waits for somebody's decision.

    If the decision has a class, `about` describes the decision. `what` is the decision's key or a
    description.
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
        """Whether the game master decides for another character (STR-CORE-09)."""
        return self.decides == "gm"

    @property
    def asker(self) -> Code:
        """The decider as stored in `who`, printed unchanged."""
        return self.who

    def typed_words(self) -> Iterator[str]:
        """Yield the words that are printed unchanged: `who`, then those of the other fields."""
        yield self.who
        yield from super().typed_words()


class Decided(Fact):
    """The report that a waiting decision was made.

    Players see only the results of the decision, since they may not know that it was asked.
    """

    gm_only = True


class StateVersion(Fact):
    """The record of the version of a system's state, made as soon as the system has any state."""

    gm_only = True


class StateMigrated(Fact):
    """The report that a system's state was converted from an earlier version to the present one."""

    system: Code
    was: int
    now: int

    section = "By hand"
    gm_only = True
    says = "The state of {system} is brought from version {was} to version {now}."
