"""Identities of entries for screens and tables: the same in every copy, whichever line is repaired."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from ..kernel.journal_types import JournalEntry
    from .journal import Journal

KEY_BYTES = 16
_OWN = ("seq", "at", "session", "command", "args", "answers")
_OF_FACT = ("kind", "who", "text", "changes")
_ENCODER = json.JSONEncoder(sort_keys=True, default=list)
"""Made once: to make it takes as long as an entry."""


def entry_id(entry: JournalEntry) -> str:
    """Return the identity of an entry: a hash of its content, without its link to the line before.

    One that a script played again has that of the entry that it repeats.
    """
    if "was" in entry:
        return entry["was"]
    from hashlib import blake2b

    kept = cast("Mapping[str, object]", entry)
    facts = [list(map(fact.get, _OF_FACT)) for fact in cast("list[Mapping[str, object]]", entry["facts"])]
    plain = _ENCODER.encode([*(kept.get(key) for key in _OWN), facts])
    return blake2b(plain.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def identity_key(journal: Journal) -> bytes:
    """Return the random key under which a journal's entries are told; empty where no entry holds one yet."""
    for entry in journal.with_bytes(b'"identity":"'):
        if "identity" in entry:
            return bytes.fromhex(entry["identity"])
    return b""
