"""Headlines of journal entries for the game master: the first sentence about an entry's facts.

A headline is made without building a scene. So `undo`, which always prints headlines, stays fast.
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
    """Return the first sentence about an entry, without the full stop.

    If there is no sentence, return the entry's command. `strike undo`, for example, names the entry by this
    text. In a secret entry, the sentence doesn't say what was picked face down, because players may see the
    text.
    """
    secret = bool(entry.get("secret"))
    texts = (
        (secret and secret_pick_sentence(fact, entry, language)) or _gm_sentence(fact, entry, language)
        for fact in entry["facts"]
    )
    return first_line_without_full_stop(next((text for text in texts if text), entry["command"]))


def first_line_without_full_stop(text: str) -> str:
    """Return a text's first line without its full stop, for use within a sentence."""
    return text.partition("\n")[0].rstrip(".")


def _gm_sentence(fact: StoredFact, entry: JournalEntry, language: statements.Language) -> str:
    """Return the sentence of a fact for the game master.

    If the entry has stored names, the sentence uses them: these are the names at the time of the entry.
    Otherwise it is the fact's stored text.
    """
    statement = statement_of_fact(fact) if "names" in entry else None
    if statement is None:
        return str(fact["text"])
    return say(statement, GameMasterSpeaker(names=entry["names"], language=language)) or ""


def statement_of_fact(fact: StoredFact) -> statements.Fact | None:
    """Return a fact from the journal as an object of its class, or None if that isn't possible.

    It isn't possible if the class no longer exists, or has other fields now. It isn't possible, either, if
    the fact belongs to a plugin whose templates fail. For these facts, use the sentence that the journal
    stores.
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
