"""Personal links for the players of the characters, and functions that make, withdraw and renew them.

The links' secrets are stored with the keys. Each valid link also has a short code to type. The code is
computed from the link's secret and the time, and is never stored. It is valid for an hour at most.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from pathlib import Path

from strike_bridge.credential_store import (
    keys_file,
    merge_changed_link_secrets,
    read_link_secrets_with_withdrawn,
)

from ..campaign.change_stamp import stamp_of_file

BYTES = 32
"""The bytes of a link's secret: nobody guesses 256 bits."""


CODE_LETTERS = "23456789BCDFGHJKMNPQRSTVWXYZ"
"""The letters of codes: none that is mistaken for another, and no vowel, so that no code is a word."""
CODE_LENGTH = 6
"""The letters of a code. There are 480 million codes, and a table lets a stranger try some two thousand while
one is valid.
"""
CODE_SECONDS = 1800
"""The fewest seconds for which a code is valid; the most are twice as many."""


def current_code(secret: str, now: float | None = None) -> str:
    """Return the code to type now for the link with this secret. `now` is the time in seconds."""
    return _letter_code_of_period(secret, int((time.time() if now is None else now) // CODE_SECONDS))


def _letter_code_of_period(secret: str, period: int) -> str:
    mixed = hmac.digest(secret.encode("utf-8", "replace"), f"strike code {period}".encode(), "sha256")
    number = int.from_bytes(mixed, "big")
    letters = ""
    for _ in range(CODE_LENGTH):
        number, which = divmod(number, len(CODE_LETTERS))
        letters += CODE_LETTERS[which]
    return letters


def format_code(code: str) -> str:
    """Return a code in two groups, as people read it aloud: `K7M 2QX`."""
    return f"{code[:3]} {code[3:]}"


def get_or_make_link_secrets(folder: Path, characters: Iterable[str]) -> dict[str, str]:
    """Return the secret of each character's link; "" for a withdrawn link.

    A character who never had a link gets one. Raises CampaignProblem if the file of secrets can't be read or
    written.
    """
    wanted = list(characters)
    links = read_link_secrets_with_withdrawn(folder)
    if any(character not in links for character in wanted):
        links = merge_changed_link_secrets(
            folder, lambda known: {character: _new_secret() for character in wanted if character not in known}
        )
    return {character: links[character] for character in wanted}


def withdraw_link(folder: Path, character: str) -> None:
    """Withdraw a character's link, so that it is no longer valid. Raises CampaignProblem."""
    merge_changed_link_secrets(folder, lambda known: {character: ""})


def renew_link(folder: Path, character: str) -> str:
    """Make a new link for a character and return its secret. The former link is no longer valid.

    Raises CampaignProblem if the file of secrets can't be written.
    """
    return merge_changed_link_secrets(folder, lambda known: {character: _new_secret()})[character]


def _new_secret() -> str:
    return secrets.token_urlsafe(BYTES)


class ValidLinks:
    """The valid links. Their file is read again whenever it has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = str(keys_file(folder))
        self._stamp: object = None
        self._links: dict[str, str] = {}
        self._digests: dict[str, bytes] = {}

    def character_with_secret(self, secret: str) -> str | None:
        """Return the character whose link has this secret; None if there is none.

        The search takes the same time for any secret, so that its duration reveals nothing. Raises
        CampaignProblem if the file can't be read.
        """
        self._refresh()
        given, found = _digest(secret), None
        for character, digest in self._digests.items():
            if hmac.compare_digest(given, digest):
                found = character
        return found

    def secret_for_recent_code(self, code: str, now: float | None = None) -> str | None:
        """Return the secret of the link to which a typed code leads; None for an invalid code.

        Raises CampaignProblem if the file can't be read.
        """
        self._refresh()
        given = "".join(code.upper().split()).replace("-", "").encode("utf-8", "replace")
        period, found = int((time.time() if now is None else now) // CODE_SECONDS), None
        for secret in self._links.values():
            for each in (period, period - 1):
                if hmac.compare_digest(given, _letter_code_of_period(secret, each).encode()):
                    found = secret
        return found

    def _refresh(self) -> None:
        stamp = self.stamp()
        if stamp != self._stamp:
            self._links = {
                character: one
                for character, one in read_link_secrets_with_withdrawn(self._folder).items()
                if one
            }
            self._digests = {character: _digest(one) for character, one in self._links.items()}
            self._stamp = stamp

    def stamp(self) -> object:
        """Return a value that changes when a link is made or withdrawn."""
        return stamp_of_file(self._file)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
