"""What a REST target can do, read from its table without compiling templates.

Every command asks for this, so it must be quick.
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


def word_for_key(auth: Mapping[str, object]) -> str:
    """Return what messages call the target's key, such as "password" or "token"."""
    return _WORDS.get(str(auth.get("kind", "none")), "key")


def needs_key(auth: Mapping[str, object]) -> bool:
    """Return whether a target needs a key, as the part `auth` of its table says."""
    return bool(auth.get("kind", "none") != "none")


def has_session(auth: Mapping[str, object]) -> bool:
    """Return whether the key is exchanged for a session that expires."""
    return auth.get("kind") in ("oauth", "login")


def template_texts(value: object) -> Iterator[str]:
    """Yield every text with a template, `{{ … }}`, in a table, at any depth."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from template_texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from template_texts(each)
    elif isinstance(value, str) and "{{" in value:
        yield value


_LINKED = re.compile(r"\{\{[^}]*\b(?:link|known)\b")


_OUR_ID = re.compile(r"\btoken\.id\b|\btoken\s*(?:\||\}\})")


def uses_links(on: Mapping[str, object]) -> bool:
    """Return whether the API's tokens have ids of their own, so that ours must be linked to them."""
    tables = [on.get(event, {}) for event in ("token", "removed", "away", "status", "unstatus")]
    return any(_LINKED.search(text) for text in template_texts(tables)) or can_create_tokens(on)


def can_create_tokens(on: Mapping[str, object]) -> bool:
    """Return whether the table declares a request that creates tokens."""
    token = on.get("token", {})
    first = token[0] if isinstance(token, list) and token else token
    return isinstance(first, Mapping) and "create" in first


def updates_contain_our_id(on: Mapping[str, object]) -> bool:
    """Return whether updates of a token write our id to it.

    If so, a token at the target with our id wasn't necessarily created by the bridge.
    """
    tables = on.get("token", [])
    updates = [
        {key: value for key, value in table.items() if key != "create"}
        for table in cast("list[Mapping[str, object]]", tables if isinstance(tables, list) else [tables])
    ]
    return any(_OUR_ID.search(text) for text in template_texts(updates))


def templates_mention(on: object, *names: str) -> bool:
    """Return whether any template in `on` mentions one of these names."""
    wanted = re.compile(rf"\b(?:{'|'.join(names)})\b")
    return any(wanted.search(text) for text in template_texts(on))


def are_idempotent(tables: Iterable[Mapping[str, object]]) -> bool:
    """Return whether all these requests may be repeated safely.

    If a request has the key `idempotent`, this key decides. Without it, only PUT and DELETE may be repeated.
    """
    return all(
        table.get("idempotent", str(table.get("request", "")).partition(" ")[0] in ("PUT", "DELETE"))
        for table in tables
    )
