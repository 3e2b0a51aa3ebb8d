"""The links between our tokens and a target's: made by people, by name, or by the bridge."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from strike_cli.problems import BridgeProblem, Usage, did_you_mean, listed

from .authenticated_wire import SessionWire
from .delivery_record import Cursor, load_or_make_cursor
from .journal_reader import JournalReader
from .push_follow_and_sync import take_over_target_lock
from .request_outcome import Outcome
from .settings import Settings
from .state_projection import project_view
from .targets import make_target_checking_consent
from .targets.base import ListedToken, Target


class LinkByNameResult(NamedTuple):
    """The result of linking by name.

    `linked` has the links that were made, by our ids. `several` has the candidates for each of our tokens
    that has more than one. `missing` has our ids for which the target has no token of the same name.
    """

    linked: dict[str, ListedToken]
    several: dict[str, list[ListedToken]]
    missing: list[str]


def names_of_tokens_to_send(folder: Path, settings: Settings) -> dict[str, str]:
    """Return the names of the tokens that a target should show, by the ids of their creatures in strike."""
    cursor = load_or_make_cursor(folder, settings.name)
    now = JournalReader(folder).read_backlog(cursor.position, cursor.acknowledged).now
    view = make_target_checking_consent(folder, settings, with_key=False).audience_view(now)
    return {id: token["name"] for id, token in project_view(view).tokens.items()}


def read_tokens_at_target(folder: Path, settings: Settings) -> list[ListedToken]:
    """Ask the target for its tokens, and return them.

    Raises:
        Usage: The target's tokens already have strike's ids, so that there is nothing to link.
        BridgeProblem: The target can't list its tokens, or the request failed.
    """
    target = make_target_checking_consent(folder, settings)
    _require_link_support(target)
    if not target.supports.find:
        raise BridgeProblem(
            f"{settings.name} can't be asked for tokens by name.", "Link by id: `strike bridge link WHO ID`."
        )
    load_or_make_cursor(folder, settings.name).share_with(target)
    with contextlib.closing(SessionWire(folder, target)) as wire:
        found = wire.ask_catching_plugin_errors(target.find_tokens)
    if isinstance(found, Outcome):
        raise BridgeProblem(
            f"{settings.name}: {target.redact(found.why)}.", f"`strike bridge doctor {settings.name}`."
        )
    return found


def link_token(folder: Path, settings: Settings, id: str, their_id_or_ending: str) -> None:
    """Link our token `id` to a token of the target.

    If the target can list its tokens, the last part of the token's id there is enough. Otherwise the whole id
    is needed, and isn't checked.

    Raises:
        Usage: The target's tokens can't be linked, or the id fits no token or several.
        BridgeProblem: The target can't be asked, or another worker keeps the lock.
    """
    target = make_target_checking_consent(folder, settings, with_key=False)
    _require_link_support(target)
    if target.supports.find:
        known = [token.id for token in read_tokens_at_target(folder, settings)]
        ending = re.compile(rf"(?:^|[./]){re.escape(their_id_or_ending)}$")
        meant = [each for each in known if each == their_id_or_ending] or [
            each for each in known if ending.search(each)
        ]
        if len(meant) != 1:
            raise Usage(
                f"{settings.name} has no token {their_id_or_ending!r}."
                f"{did_you_mean(their_id_or_ending, known)}",
                f"It has: {listed(known)}.",
            )
        their_id_or_ending = meant[0]
    with take_over_target_lock(folder, settings.name):
        cursor = load_or_make_cursor(folder, settings.name)
        _set_link_and_resend(cursor, id, their_id_or_ending)
        cursor.save(folder)


def link_by_our_id_or_name(folder: Path, settings: Settings, names: Mapping[str, str]) -> LinkByNameResult:
    """Link each unlinked token of ours to a token at the target, if exactly one fits.

    A token at the target fits if it has the same name and no id of ours, or if it carries our token's id. It
    must not be linked yet. `names` has the names of our tokens, by id. The result also lists our tokens for
    which none or several fit.
    """
    found = read_tokens_at_target(folder, settings)
    result = LinkByNameResult({}, {}, [])
    with take_over_target_lock(folder, settings.name):
        cursor = load_or_make_cursor(folder, settings.name)
        for id, name in names.items():
            if id in cursor.links:
                continue
            taken = set(cursor.links.values())
            free = [
                token
                for token in found
                if token.id not in taken
                and (
                    token.ours == id or (not token.ours and token.name.casefold().strip() == name.casefold())
                )
            ]
            if len(free) == 1:
                _set_link_and_resend(cursor, id, free[0].id)
                result.linked[id] = free[0]
            elif free:
                result.several[id] = free
            else:
                result.missing.append(id)
        cursor.save(folder)
    return result


def unlink_token(folder: Path, settings: Settings, id: str) -> str:
    """Remove the link of a token, and return the id that the token has at the target.

    The target keeps its token. Raises Usage if there is no such link.
    """
    with take_over_target_lock(folder, settings.name):
        cursor = load_or_make_cursor(folder, settings.name)
        if id not in cursor.links:
            hint = f"Linked: {listed(cursor.links)}." if cursor.links else "Nothing is linked there."
            raise Usage(f"{id} is not linked at {settings.name}.{did_you_mean(id, cursor.links)}", hint)
        their_id = cursor.links.pop(id)
        cursor.tokens.pop(id, None)
        if id in cursor.made:
            cursor.made.remove(id)
        cursor.save(folder)
    return their_id


def _require_link_support(target: Target) -> None:
    if not target.supports.links:
        raise Usage(f"The tokens of {target.name} have our ids: there is nothing to link.")


def _set_link_and_resend(cursor: Cursor, id: str, their_id: str) -> None:
    cursor.links[id] = their_id
    cursor.tokens.pop(id, None)  # so that it is sent again
    cursor.refused.pop(f"token:{id}", None)
    cursor.forget_review_item(f"token:{id}")
    if id in cursor.made:
        cursor.made.remove(id)
    if id in cursor.unlinked:
        cursor.unlinked.remove(id)
