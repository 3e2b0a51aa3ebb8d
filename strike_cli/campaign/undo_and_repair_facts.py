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
from ..visibility.entry_headlines import entry_headline

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry
    from ..kernel.statements import Language


class _Entry(FieldType[int]):
    """The type of a field that contains the number of a journal entry.

    In a text, the entry's name stands for the number. Players are only shown the names of entries that they
    know.
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


def entries_with_numbered_headlines(
    entries: Sequence[JournalEntry], language: Language
) -> list[tuple[JournalEntry, str]]:
    """Return entries, each with its name for the game master: its number and its headline."""
    return [(one, f"#{one['seq']} {entry_headline(one, language)}") for one in entries]


def speaker_naming_entries(
    entries: Sequence[tuple[JournalEntry, str]], language: Language
) -> GameMasterSpeaker:
    """Return the `Speaker` that words facts for the game master, with names for journal entries.

    `entries` has each journal entry together with the name that stands for it in a sentence.
    """
    return GameMasterSpeaker(
        names={f"entry:{one['seq']}": words for one, words in entries}, language=language
    )


class Edited(Fact):
    """The report that state.toml was edited by hand.

    `paths` has the first changed paths in the file. `more` is True if further paths were changed. With
    `simulated`, the fact means something else: the campaign replays a simulation, and begins with the state
    that was simulated.
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
    """The report that a repair removed the remains of scenes, since the entries that began them are lost.

    `scenes` has the path of each removed scene's table in the state.
    """

    scenes: Paths

    section = "By hand"
    gm_only = True
    says = "{scenes} began in what is missing: the rest of it is off the table."


class DecisionAsked(Fact, kind="asked"):
    """The report that a command waits for somebody's decision.

    If the decision has a class of its own, `about` is the decision as an object of this class. `what` is the
    decision's key, or a description in words.
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
        """The person who must decide: the value of `who`, which is printed unchanged."""
        return self.who

    def typed_words(self) -> Iterator[str]:
        """Yield the words that are printed unchanged: `who`, then those of the other fields."""
        yield self.who
        yield from super().typed_words()


class Decided(Fact):
    """The report that an open decision was answered. It is for the game master alone.

    Players may not know that there was a decision. They see only what follows from it.
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
