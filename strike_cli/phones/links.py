"""A link for each character's player: made, withdrawn, made anew. The secrets stand with this machine's keys.

Beside a link there is a code to type, which leads to it. It is made of the link's secret and the time: none
is kept, a withdrawn link has none, and each holds for an hour at most.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from pathlib import Path

from strike_bridge.secrets import keep_links, keys_file, read_links

from ..campaign.stamp import stamp_of

BYTES = 32
"""Of a link's secret: nobody guesses 256 bits."""


CODE_LETTERS = "23456789BCDFGHJKMNPQRSTVWXYZ"
"""What codes are written in: nothing that is read as something else, and no vowel, so that none is a word."""
CODE_LENGTH = 6
"""Letters: 480 million codes, of which a table lets a stranger try some two thousand while one holds."""
CODE_HOLDS = 1800
"""Seconds for which a code holds at least; it does for as long again at most."""


def code_of(secret: str, now: float | None = None) -> str:
    """Return the code that leads to the link of a secret now."""
    return _code(secret, int((time.time() if now is None else now) // CODE_HOLDS))


def _code(secret: str, period: int) -> str:
    mixed = hmac.digest(secret.encode("utf-8", "replace"), f"strike code {period}".encode(), "sha256")
    number = int.from_bytes(mixed, "big")
    letters = ""
    for _ in range(CODE_LENGTH):
        number, which = divmod(number, len(CODE_LETTERS))
        letters += CODE_LETTERS[which]
    return letters


def format_code(code: str) -> str:
    """Return a code as people read it out: `K7M 2QX`."""
    return f"{code[:3]} {code[3:]}"


def links_of(folder: Path, characters: Iterable[str]) -> dict[str, str]:
    """Return the secret of each character's link, made where there never was one; "" where it was withdrawn.

    Raises CampaignProblem.
    """
    wanted = list(characters)
    links = read_links(folder)
    if any(character not in links for character in wanted):
        links = keep_links(
            folder, lambda known: {character: _fresh() for character in wanted if character not in known}
        )
    return {character: links[character] for character in wanted}


def withdraw(folder: Path, character: str) -> None:
    """Let a character's link lead nowhere from now on. Raises CampaignProblem."""
    keep_links(folder, lambda known: {character: ""})


def renew(folder: Path, character: str) -> str:
    """Make a new link for a character and return its secret; the former leads nowhere.

    Raises CampaignProblem.
    """
    return keep_links(folder, lambda known: {character: _fresh()})[character]


def _fresh() -> str:
    return secrets.token_urlsafe(BYTES)


class KnownLinks:
    """The links as they are now: the file is read again whenever it is another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = str(keys_file(folder))
        self._stamp: object = None
        self._links: dict[str, str] = {}
        self._digests: dict[str, bytes] = {}

    def who(self, secret: str) -> str | None:
        """Return the character whose link has this secret, or None, in the same time for any secret.

        Raises CampaignProblem where the file can't be read.
        """
        self._read()
        given, found = _digest(secret), None
        for character, digest in self._digests.items():
            if hmac.compare_digest(given, digest):
                found = character
        return found

    def secret_of(self, code: str, now: float | None = None) -> str | None:
        """Return the secret of the link that a code leads to; None for an invalid code.

        Raises CampaignProblem where the file can't be read.
        """
        self._read()
        given = "".join(code.upper().split()).replace("-", "").encode("utf-8", "replace")
        period, found = int((time.time() if now is None else now) // CODE_HOLDS), None
        for secret in self._links.values():
            for each in (period, period - 1):
                if hmac.compare_digest(given, _code(secret, each).encode()):
                    found = secret
        return found

    def _read(self) -> None:
        stamp = self.stamp()
        if stamp != self._stamp:
            self._links = {character: one for character, one in read_links(self._folder).items() if one}
            self._digests = {character: _digest(one) for character, one in self._links.items()}
            self._stamp = stamp

    def stamp(self) -> object:
        """Return a value that changes when links are made or withdrawn."""
        return stamp_of(self._file)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
