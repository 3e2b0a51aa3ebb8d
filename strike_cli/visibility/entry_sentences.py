"""The headline of a journal entry, in words for the game master: the first sentence of its facts.

It is made without a scene, so that `undo`, which always prints a headline, needn't load one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernel import statements
from ..kernel.statements import say
from ..registry import fact_class
from ..registry.plugin_failures import note_failed_module
from ..tabletop.characters_and_names import GameMasterSpeaker

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry, StoredFact


def secret_pick_sentence(fact: StoredFact, entry: JournalEntry, language: statements.Language) -> str:
    """Return the sentence for a fact that makes a face-down pick; "" if there is no such sentence.

    An entry of an older journal stores the sentence itself.
    """
    kind = fact_class(fact["kind"])
    if kind.says_face_down is None or "untold" in fact:
        return str(fact.get("untold", ""))
    try:
        statement = kind.from_json(fact)
    except (KeyError, TypeError, ValueError):
        return ""
    return (
        say(statement, GameMasterSpeaker(names=entry.get("names", {}), language=language), "says_face_down")
        or ""
    )


def entry_headline(entry: JournalEntry, language: statements.Language) -> str:
    """Return the first sentence of an entry, without the full stop, or the entry's command if it has none.

    `strike undo` and others name the entry by this text. A pick made in a secret entry isn't named, since the
    text may be shown to people who must not know the pick.
    """
    secret = bool(entry.get("secret"))
    texts = (
        (secret and secret_pick_sentence(fact, entry, language)) or _gm_sentence(fact, entry, language)
        for fact in entry["facts"]
    )
    return as_headline(next((text for text in texts if text), entry["command"]))


def as_headline(text: str) -> str:
    """Return a text's first line without its full stop, for use within a sentence."""
    return text.partition("\n")[0].rstrip(".")


def _gm_sentence(fact: StoredFact, entry: JournalEntry, language: statements.Language) -> str:
    """Return the sentence of a fact for the game master, with the names of the time of the entry."""
    statement = statement_of_fact(fact) if "names" in entry else None
    if statement is None:
        return str(fact["text"])
    return say(statement, GameMasterSpeaker(names=entry["names"], language=language)) or ""


def statement_of_fact(fact: StoredFact) -> statements.Fact | None:
    """Return a journal's fact as an object of its class; None if no such object can be made.

    That is so if the fact's kind has no class, or if the class has other fields now. It is also so for a
    plugin's fact whose templates fail. Callers then use the sentence that the journal stores.
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
            note_failed_module(type(found).__module__, error)
            return None
    return found


_ANYBODY = GameMasterSpeaker()
