"""`strike bridge login`: gets a target's key from a person or from the target, and stores it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from strike_cli.problems import Usage

from .address import origin_of
from .consent import record_consent, require_consent
from .credential_store import store_key, store_session
from .delivery_record import Cursor, load_or_make_cursor
from .http_conversation import Wire
from .push_follow_and_sync import take_over_target_lock
from .settings import Settings
from .targets import target_class


def obtain_and_store_key(
    folder: Path, settings: Settings, ask: Callable[[str, bool], str], tell: Callable[[str], None]
) -> str:
    """Get a key for a target, and store it.

    Args:
        folder: The campaign's folder.
        settings: The target's settings.
        ask: `ask(question, secret)` asks a person.
        tell: Shows a line.

    Returns:
        The place where the key is stored: "the keyring", or a file's path.

    Raises:
        Usage: This kind of target needs no key.
        NotAgreed: Nobody has agreed to the target's terms.
        Problem: There is no key.
    """
    kind = target_class(settings)
    if not kind.key_variable:
        raise Usage(f"{settings.name} needs no key.")
    target, origin = kind(settings), None
    if not kind.key_is_address:
        origin = origin_of(target.address)
        require_consent(folder, settings.name, target.terms())
    with contextlib.closing(Wire(target.address, target.prepare, settings.name)) as wire:
        key = target.login(wire, ask, tell)
    where = store_key(folder, settings.name, key, origin)
    if origin is None:  # typing an address in is consent to it
        record_consent(folder, settings, kind(settings, key).terms())
    elif kind.has_session:
        store_session(folder, settings.name, "", origin)
    # a target that was waiting for an accepted key goes on
    if Cursor.load(folder, settings.name) is not None:
        with take_over_target_lock(folder, settings.name):
            cursor = load_or_make_cursor(folder, settings.name)
            cursor.last_error, cursor.next_attempt = "", None
            cursor.save(folder)
    return where
