"""The headline of a journal entry, in words for the game master, made from the first fact.

It is made without a scene, so that `undo`, which always prints a headline, needn't load one.
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
    """Return the sentence for a fact that makes a face-down pick; "" if there is no such sentence.

    An entry of an older journal stores the sentence itself.
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
    """Return the first sentence of an entry, without the full stop.

    For an entry without sentences, it is the entry's command. `strike undo`, for example, says with it which
    entry is undone. A secret entry's pick isn't revealed, since not every reader may see that pick.
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
    """Return the sentence of a fact for the game master, with the names of the time of the entry."""
    statement = statement_of_fact(fact) if "names" in entry else None
    if statement is None:
        return str(fact["text"])
    return say(statement, GameMaster(names=entry["names"], language=language)) or ""


def statement_of_fact(fact: FactKept) -> statements.Fact | None:
    """Return a journal's fact as an object of its class; None if no such object can be made.

    None can be made if the fact's kind has no class, or if the class has other fields now. The same is true
    of a plugin's fact whose templates fail now. For these facts, the sentence that the journal stores is
    used.
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
