"""Consent given on this machine: to send to targets' addresses, and to open games to others.

A campaign's folder may come from a stranger, who may have written its targets. So consent is stored on this
machine and never in the folder. The record for a target has the folder's real path, the target's name, and
the scheme, host and port of its address. It also has a digest of everything that was shown when consent was
given. Begin with `require_consent`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.campaign.file_access import (
    open_plain_file,
    read_plain_file,
    replace_file_without_sync,
    sync_folder,
    unreadable_problem,
    unwritable_problem,
    write_scratch,
)
from strike_cli.problems import BridgeProblem, CampaignProblem

from .address import Origin, origin_of, redact_address
from .settings import Settings
from .worker_lock import try_to_hold_lock

if TYPE_CHECKING:
    from typing import TypedDict

    class TermsShown(TypedDict):
        """Terms in the form that is shown to people."""

        kind: str
        address: str
        audience: str
        token_url: str | None
        requests: list[str]

    class _AgreedKept(TypedDict):
        """The contents of the file of agreements."""

        schema: int
        agreed: list[dict[str, object]]
        made: list[str]


AGREEMENTS_FILE = "agreed.json"
SCHEMA = 1
_MOST_READ = 4 * 1024 * 1024


class Terms(NamedTuple):
    """The terms that somebody agrees to before a target is sent anything.

    `kind` is the target's kind, `address` its address, and `audience` the people who see the target. For
    OAuth, `token_url` is the second address that the secret is sent to, to get an access token; otherwise it
    is "". If the campaign's own folder defines the target's requests, `requests` has their methods and paths.
    """

    kind: str
    address: str
    audience: str
    token_url: str = ""
    requests: tuple[str, ...] = ()

    @property
    def origin(self) -> Origin:
        """The scheme, host and port of the target's address."""
        return origin_of(self.address)

    def digest(self) -> str:
        """Return a digest of the terms; different terms have different digests."""
        return _sha256_hex(json.dumps(self))

    def shown(self) -> TermsShown:
        """Return the terms in the form that is shown to people, without parts that may be a key."""
        return {
            "kind": self.kind,
            "address": redact_address(self.address),
            "audience": self.audience,
            "token_url": redact_address(self.token_url) if self.token_url else None,
            "requests": list(self.requests),
        }


class OwnTable(NamedTuple):
    """The address and key of a table that this process itself serves: sending to it needs no agreement."""

    address: str
    key: str


class NotAgreed(BridgeProblem):
    """Raised if nobody at this machine has agreed to the address of a target.

    Before an agreement, nothing is sent to the target.
    """

    def __init__(self, target: str, terms: Terms) -> None:
        super().__init__(
            f"Nothing is sent to {target} yet: nobody at this machine agreed to {terms.origin}.",
            f"`strike bridge allow {target}` shows the address and asks.",
        )


def require_consent(folder: Path, target: str, terms: Terms) -> None:
    """Raise NotAgreed unless somebody at this machine agreed to these terms.

    Raises CampaignProblem where the agreements can't be read.
    """
    if not is_agreed(folder, target, terms):
        raise NotAgreed(target, terms)


def is_agreed(folder: Path, target: str, terms: Terms) -> bool:
    """Return whether somebody at this machine agreed to exactly these terms.

    Raises CampaignProblem if the file of agreements can't be read, or if other users may change it.
    """
    found = _find_agreement(_read_and_check_agreements(), folder, target)
    return found is not None and (found.get("origin"), found.get("terms")) == (
        str(terms.origin),
        terms.digest(),
    )


def record_consent(folder: Path, settings: Settings, terms: Terms) -> None:
    """Record that somebody at this machine agreed to the terms.

    Raises CampaignProblem where that can't be stored.
    """
    place = str(folder.resolve())

    def replace_agreement(data: _AgreedKept) -> None:
        rest = [
            each
            for each in data["agreed"]
            if (each.get("folder"), each.get("target")) != (place, settings.name)
        ]
        kept: dict[str, object] = {
            "folder": place,
            "target": settings.name,
            "origin": str(terms.origin),
            "terms": terms.digest(),
            "written": consent_digest_of_settings(settings),
        }
        data["agreed"] = [*rest, kept]

    _change_agreements(replace_agreement)


def are_settings_as_agreed(folder: Path, settings: Settings) -> bool:
    """Return whether a target's settings are still written as they were when somebody agreed.

    This is a cheap approximation of `is_agreed` that doesn't load the target, for commands that must be
    quick. Raises CampaignProblem as `is_agreed` does.
    """
    found = _find_agreement(_read_and_check_agreements(), folder, settings.name)
    return found is not None and found.get("written") == consent_digest_of_settings(settings)


def agreed_origin(folder: Path, target: str) -> str | None:
    """Return the address to which somebody last agreed for a target; None if nobody did.

    Raises CampaignProblem if the file of agreements can't be read, or if other users may change it.
    """
    found = _find_agreement(_read_and_check_agreements(), folder, target)
    return None if found is None else str(found.get("origin"))


def is_agreed_to_open(folder: Path, exposures: Sequence[str]) -> bool:
    """Return whether somebody at this machine has agreed to open a folder's game in all these ways.

    `exposures` are the ways: "network", "tablet", a proxy's address, or the address of another site. Raises
    CampaignProblem as `is_agreed` does.
    """
    found = _find_agreement(_read_and_check_agreements(), folder, _TABLE)
    known = found.get("ways") if found else []
    return isinstance(known, list) and set(exposures) <= {*known}


def record_agreement_to_open(folder: Path, exposures: Sequence[str]) -> None:
    """Record that somebody at this machine agreed to open a folder's game to others.

    `exposures` are the ways in which the game is opened. Ways that were agreed to earlier remain recorded.
    Raises CampaignProblem if the record can't be stored.
    """
    place = str(folder.resolve())

    def add_ways(data: _AgreedKept) -> None:
        found = _find_agreement(data, folder, _TABLE)
        known = found.get("ways") if found else []
        kept = sorted({*exposures, *(known if isinstance(known, list) else ())})
        data["agreed"] = [each for each in data["agreed"] if each is not found]
        data["agreed"].append({"folder": place, "target": _TABLE, "ways": kept})

    _change_agreements(add_ways)


_TABLE = ""
"""The key, in place of a target's name, for the consent to open the folder's own table."""


def consent_digest_of_settings(settings: Settings) -> str:
    """Return a digest of the settings on which a target's terms depend.

    These are its kind, address, audience and own table.
    """
    own = [settings.own] if settings.own else []
    return _sha256_hex(json.dumps([settings.kind, settings.url, settings.audience, *own], default=dict))


def check_and_forget_keys_made_here(keys: Sequence[str]) -> bool:
    """Return whether strike made one of these keys on this machine for a table of its own.

    The keys that it made are then removed from this machine's record. So a second call with the same keys
    returns False.

    Raises:
        CampaignProblem: The record can't be read or written.
    """
    ours = {_sha256_hex(key) for key in keys}.intersection(_read_and_check_agreements()["made"])

    def remove_claimed(data: _AgreedKept) -> None:
        data["made"] = [each for each in data["made"] if each not in ours]

    if ours:
        _change_agreements(remove_claimed)
    return bool(ours)


def _sha256_hex(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# The file


def machine_state_folder() -> Path:
    """Return the folder in which this machine stores files that belong outside campaigns."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or os.path.join(os.path.expanduser("~"), ".local", "state")) / "strike"


def _find_agreement(data: _AgreedKept, folder: Path, target: str) -> Mapping[str, object] | None:
    place = str(folder.resolve())
    same = (each for each in data["agreed"] if (each.get("folder"), each.get("target")) == (place, target))
    return next(same, None)


def _read_and_check_agreements() -> _AgreedKept:
    path = machine_state_folder() / AGREEMENTS_FILE
    try:
        file = open_plain_file(path, os.O_RDONLY)
        try:
            status = os.fstat(file)
        finally:
            os.close(file)
        if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
            raise CampaignProblem(
                f"{path} can be changed by others, so it isn't trusted.", f"`rm {path}`; then agree again."
            )
        data = json.loads(read_plain_file(path, _MOST_READ))
        lists = data["agreed"], data["made"]
        if data["schema"] != SCHEMA or not all(isinstance(each, dict) for each in lists[0]):
            raise ValueError
    except FileNotFoundError:
        return {"schema": SCHEMA, "agreed": [], "made": []}
    except OSError as error:
        raise unreadable_problem(path, error) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CampaignProblem(
            f"{path} can't be read.", f"`rm {path}`; then agree again: `strike bridge allow TARGET`."
        ) from None
    return {"schema": SCHEMA, "agreed": list(lists[0]), "made": list(lists[1])}


def _change_agreements(change: Callable[[_AgreedKept], None]) -> None:
    path = machine_state_folder() / AGREEMENTS_FILE
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with try_to_hold_lock(path.with_name(".agreed.lock"), wait=5) as had:
            if not had:
                raise CampaignProblem(f"{path} is being written by another command.", "Try again.")
            data = _read_and_check_agreements()
            change(data)
            replace_file_without_sync(write_scratch(path, json.dumps(data, indent=1).encode()), path)
            sync_folder(path.parent)
    except OSError as error:
        raise unwritable_problem(path, error) from None
