"""An entry of the journal in the game master's words, from its first fact.

Needs no scene, since every `undo` prints it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import statements
from ..kernel.statements import say
from ..registry import fact_class
from ..registry.code_origin import note_failure
from ..tabletop.people import GameMaster

if TYPE_CHECKING:
    from ..kernel.journal_types import FactKept, JournalEntry


def face_down_words(fact: FactKept, entry: JournalEntry, language: statements.Language) -> str:
    """Return the sentence for a fact while its content lies face down; older journals have it stored."""
    kind = fact_class(fact["kind"])
    if kind.says_face_down is None or "untold" in fact:
        return str(fact.get("untold", ""))
    try:
        statement = kind.of_json(fact)
    except (KeyError, TypeError, ValueError):
        return ""
    return say(statement, GameMaster(names=entry.get("names", {}), language=language), "says_face_down") or ""


def entry_headline(entry: JournalEntry, language: statements.Language) -> str:
    """Return the first sentence of an entry without its full stop; its command where it has no sentence.

    It names, for example, an entry that is undone. A secret entry stays secret, since not every reader may
    see it.
    """
    secret = bool(entry.get("secret"))
    texts = (
        (secret and face_down_words(fact, entry, language)) or _sentence_of(fact, entry, language)
        for fact in entry["facts"]
    )
    return as_headline(next((text for text in texts if text), entry["command"]))


def as_headline(text: str) -> str:
    """Return a text's first line, fit for use within a sentence."""
    return text.partition("\n")[0].rstrip(".")


def _sentence_of(fact: FactKept, entry: JournalEntry, language: statements.Language) -> str:
    """Return the sentence of a fact for the game master, with the names of its time."""
    statement = statement_in(fact) if "names" in entry else None
    if statement is None:
        return str(fact["text"])
    return say(statement, GameMaster(names=entry["names"], language=language)) or ""


def statement_in(fact: FactKept) -> statements.Fact | None:
    """Return a fact of a journal as an object; None where that can't be restored.

    Its kind may have no class, or none of that form, or one of a plugin whose templates fail now: then the
    sentence stored in the journal is used.
    """
    try:
        found = statements.statement_of(fact["kind"], fact)
    except (KeyError, TypeError, ValueError):
        return None
    if not isinstance(found, statements.Fact):
        return None
    if not type(found).__module__.startswith("strike_cli."):
        try:
            for name, _ in found.tellings():
                say(found, _ANYBODY, name)
        except (Exception, SystemExit) as error:
            note_failure(type(found).__module__, error)
            return None
    return found


_ANYBODY = GameMaster()
