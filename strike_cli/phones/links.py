"""A link for each character's player: made, withdrawn, made anew. The secrets stand in secrets.toml alone."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from strike_bridge.secrets import SECRETS_FILE, keep_links, read_links

from ..campaign.stamp import stamp_of

BYTES = 32
"""Of a link's secret: nobody guesses 256 bits."""


def links_of(folder: Path, characters: Iterable[str]) -> dict[str, str]:
    """The secret of each character's link, made where there never was one; empty where it was withdrawn.
    Raises CampaignProblem."""
    wanted = list(characters)
    links = read_links(folder)
    if any(who not in links for who in wanted):
        links = keep_links(folder, lambda known: {who: _fresh() for who in wanted if who not in known})
    return {who: links[who] for who in wanted}


def withdraw(folder: Path, who: str) -> None:
    """Let a character's link lead nowhere from now on. Raises CampaignProblem."""
    keep_links(folder, lambda known: {who: ""})


def renew(folder: Path, who: str) -> str:
    """Another link for a character; the one before leads nowhere. Returns its secret. Raises
    CampaignProblem."""
    return keep_links(folder, lambda known: {who: _fresh()})[who]


def _fresh() -> str:
    return secrets.token_urlsafe(BYTES)


class KnownLinks:
    """The links as they are now: the file is read again whenever it is another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = os.path.join(folder, SECRETS_FILE)
        self._stamp: object = None
        self._digests: dict[str, bytes] = {}

    def who(self, secret: str) -> str | None:
        """The character whose link has this secret; None where none has. It takes as long whichever it is.

        Raises CampaignProblem where the file can't be read.
        """
        stamp = self.stamp()
        if stamp != self._stamp:
            links = read_links(self._folder)
            self._digests = {who: _digest(one) for who, one in links.items() if one}
            self._stamp = stamp
        given, found = _digest(secret), None
        for who, digest in self._digests.items():
            if hmac.compare_digest(given, digest):
                found = who
        return found

    def stamp(self) -> object:
        """What tells whether links were made or withdrawn since."""
        return stamp_of(self._file)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
