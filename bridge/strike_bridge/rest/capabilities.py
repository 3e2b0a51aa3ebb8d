"""Abilities of a target, read from its table without compiling templates.

Every command asks which abilities a kind has, so this must be quick.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

KEY_VARIABLE = "STRIKE_REST_KEY"
_WORDS = {
    "basic": "password",
    "oauth": "client secret",
    "login": "password",
    "hmac": "signing secret",
    "address": "address",
    "bearer": "token",
}


def key_words(auth: Mapping[str, object]) -> str:
    """Return the name of the key in messages to people."""
    return _WORDS.get(str(auth.get("kind", "none")), "key")


def needs_key(auth: Mapping[str, object]) -> bool:
    """Return whether a target has a key, by its file's `auth`."""
    return bool(auth.get("kind", "none") != "none")


def has_session(auth: Mapping[str, object]) -> bool:
    """Return whether the key is exchanged for a session that expires."""
    return auth.get("kind") in ("oauth", "login")


def texts_in(value: object) -> Iterator[str]:
    """Yield every template text in a table."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)
    elif isinstance(value, str) and "{{" in value:
        yield value


_LINKED = re.compile(r"\{\{[^}]*\b(?:link|known)\b")


_OUR_ID = re.compile(r"\btoken\.id\b|\btoken\s*(?:\||\}\})")


def uses_links(on: Mapping[str, object]) -> bool:
    """Return whether the API's things have ids of their own."""
    tables = [on.get(event, {}) for event in ("token", "removed", "away", "status", "unstatus")]
    return any(_LINKED.search(text) for text in texts_in(tables)) or can_create(on)


def can_create(on: Mapping[str, object]) -> bool:
    """Return whether the API can be given new things."""
    token = on.get("token", {})
    first = token[0] if isinstance(token, list) and token else token
    return isinstance(first, Mapping) and "create" in first


def writes_own_ids(on: Mapping[str, object]) -> bool:
    """Return whether our id is written onto a thing with each update.

    Then the id doesn't prove that the bridge created it.
    """
    tables = on.get("token", [])
    updates = [
        {key: value for key, value in table.items() if key != "create"}
        for table in cast("list[Mapping[str, object]]", tables if isinstance(tables, list) else [tables])
    ]
    return any(_OUR_ID.search(text) for text in texts_in(updates))


def mentions_words(on: object, *names: str) -> bool:
    """Return whether any template mentions one of these words."""
    wanted = re.compile(rf"\b(?:{'|'.join(names)})\b")
    return any(wanted.search(text) for text in texts_in(on))


def is_idempotent(tables: Iterable[Mapping[str, object]]) -> bool:
    """Return whether requests may be repeated safely: PUT, DELETE, and those that are declared so."""
    return all(
        table.get("idempotent", str(table.get("request", "")).partition(" ")[0] in ("PUT", "DELETE"))
        for table in tables
    )
