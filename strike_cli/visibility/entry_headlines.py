"""The headline of a journal entry in the game master's words, from its first fact.

It needs no scene, since every `undo` prints it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import statements
from ..kernel.statements import say
from ..registry import fact_class
from ..registry.plugin_blame import note_failure
from ..tabletop.people import GameMaster

if TYPE_CHECKING:
    from ..kernel.journal_types import FactKept, JournalEntry


def face_down_words(fact: FactKept, entry: JournalEntry, language: statements.Language) -> str:
    """Return the sentence for a fact about a pick that is face down; "" if there is none.

    For entries of older journals it is the sentence that they store.
    """
    kind = fact_class(fact["kind"])
    if kind.says_face_down is None or "untold" in fact:
        return str(fact.get("untold", ""))
    try:
        statement = kind.of_json(fact)
    except (KeyError, TypeError, ValueError):
        return ""
    return say(statement, GameMaster(names=entry.get("names", {}), language=language), "says_face_down") or ""


def entry_headline(entry: JournalEntry, language: statements.Language) -> str:
    """Return the first sentence of an entry without its full stop; its command if it has no sentence.

    `strike undo`, for example, uses it to say which entry is undone. A secret entry's pick isn't revealed,
    since not every reader may see it.
    """
    secret = bool(entry.get("secret"))
    texts = (
        (secret and face_down_words(fact, entry, language)) or _gm_sentence(fact, entry, language)
        for fact in entry["facts"]
    )
    return as_headline(next((text for text in texts if text), entry["command"]))


def as_headline(text: str) -> str:
    """Return a text's first line without its full stop, for use within a sentence."""
    return text.partition("\n")[0].rstrip(".")


def _gm_sentence(fact: FactKept, entry: JournalEntry, language: statements.Language) -> str:
    """Return the sentence of a fact for the game master, with the names that were used at that time."""
    statement = statement_of_fact(fact) if "names" in entry else None
    if statement is None:
        return str(fact["text"])
    return say(statement, GameMaster(names=entry["names"], language=language)) or ""


def statement_of_fact(fact: FactKept) -> statements.Fact | None:
    """Return a journal's fact as an object of its class; None if that can't be made.

    Its kind may have no class, or another form, or it may be a plugin's whose templates fail now: then the
    sentence stored in the journal is used.
    """
    try:
        found = statements.statement_from_fields(fact["kind"], fact)
    except (KeyError, TypeError, ValueError):
        return None
    if not isinstance(found, statements.Fact):
        return None
    if not type(found).__module__.startswith("strike_cli."):
        try:
            for name, _ in found.own_templates():
                say(found, _ANYBODY, name)
        except (Exception, SystemExit) as error:
            note_failure(type(found).__module__, error)
            return None
    return found


_ANYBODY = GameMaster()
