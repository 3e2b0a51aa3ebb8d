"""The statuses of Foundry's tokens.

Foundry has statuses of its own. If the settings name one of them for a status of ours, the bridge sets it.
Otherwise the bridge adds an effect with the name of our status.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from strike_cli.tabletop.scene import status_name_from_id

from .base import Asking, Outcome, OutcomeKind, Payload, Request
from .foundry_documents import (
    ALWAYS,
    is_already_so,
    lacks_status_list,
    refusal_sentence,
    status_effects,
    status_icon,
)
from .foundry_relay import NO_LIST, UNKNOWN, FoundryRelay

if TYPE_CHECKING:
    from ..payloads import ShownToken


OWN_EFFECT = "strike-"
"""The prefix of our ids for statuses that the world doesn't have."""


class FoundryStatuses:
    """The part of the target that adds statuses to tokens and removes them."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def put_statuses(self, uuid: str, token: ShownToken, before: ShownToken | None) -> Asking[Outcome | None]:
        wanted, had = self._wanted_statuses(token), self._wanted_statuses(before) if before else {}
        if self._relay.version < 3 or (before is not None and wanted == had):
            return None
        actor = yield from self._relay.read_actor_uuid(uuid)
        if not actor:
            return None
        gets_up = before is not None and before["state"] == "out" != token["state"]
        if before is None or gets_up:
            answer = yield Request("GET", self._relay.path_in_world("/effects", uuid=uuid))
            present = {status for effect in status_effects(answer) for status in _statuses_of(effect)}
            known = set(self._target.statuses.values())
            gone = {
                status for status in present if status in known or status.startswith(OWN_EFFECT)
            } - wanted.keys()
        else:  # the statuses sent last count as present: a sync restores those removed by hand
            present = set(had)
            gone = had.keys() - wanted.keys()
        if before and token["state"] == "out":
            gone = set()  # the defeated may keep their statuses
        for status in sorted(present & gone):
            refused = yield from self._remove_status(uuid, status)
            if refused:
                return refused
        ids = dict(zip(token["statuses"], token["status_ids"], strict=True))
        for status, name in wanted.items():
            if status not in present:
                refused = yield from self._add_status(uuid, status, name, status_icon(ids.get(name, name)))
                if refused:
                    return refused
        return None

    def _remove_status(self, uuid: str, status: str) -> Asking[Outcome | None]:
        """Remove a status from a token. Return an outcome if Foundry rejects this, else None.

        The status is removed by its id. If Foundry's module can't do that, the effects that carry the status
        are deleted.
        """
        if NO_LIST not in self._target.memory:
            path = self._relay.path_in_world("/effects", uuid=uuid, statusId=status)
            request = Request("DELETE", path, gone_will_do=True, may_fail=True)
            answer = yield request
            if not lacks_status_list(answer):
                outcome = self._target.outcome(request, answer, time.time())
                return outcome if outcome.kind is OutcomeKind.REJECTED else None
            self._target.memory[NO_LIST] = "1"
        answer = yield Request("GET", self._relay.path_in_world("/effects", uuid=uuid))
        for effect in status_effects(answer):
            if status in _statuses_of(effect):
                path = self._relay.path_in_world("/effects", uuid=uuid, effectId=str(effect.get("id")))
                yield Request("DELETE", path, gone_will_do=True)
        return None

    def _add_status(self, uuid: str, status: str, name: str, icon: str) -> Asking[Outcome | None]:
        """Add one of the world's own statuses; if the world doesn't have it, add an effect with our name.

        Return a rejection if Foundry doesn't accept the status, else None.
        """
        overlay: Payload = {}
        if status == self._target.statuses.get("out"):
            overlay = {"flags": {"core": {"overlay": True}}}
        unnamed = NO_LIST in self._target.memory or UNKNOWN + status in self._target.memory
        if not (status.startswith(OWN_EFFECT) or overlay or unnamed):
            body = {"uuid": uuid, "statusId": status}
            answer = yield Request("POST", self._relay.path_in_world("/effects"), body, may_fail=True)
            if answer.status < 300 or is_already_so(answer):
                return None
            self._target.memory[NO_LIST if lacks_status_list(answer) else UNKNOWN + status] = "1"
            if not (lacks_status_list(answer) or "unknown status effect" in refusal_sentence(answer).lower()):
                return Outcome(
                    OutcomeKind.REJECTED, f"it does not accept the status {name}: {refusal_sentence(answer)}"
                )
        effect: Payload = {
            "name": name,
            "icon": icon,
            "img": icon,
            "showIcon": ALWAYS,  # Foundry 14 hides effects without an end; older versions ignore this key
            "statuses": [status],
            **overlay,
        }
        made = {"uuid": uuid, "effectData": effect}
        yield Request("POST", self._relay.path_in_world("/effects"), made, looked_for=True)
        return None

    def _wanted_statuses(self, token: ShownToken) -> dict[str, str]:
        """Return the statuses that a token should have, by Foundry's ids, with our names."""
        if self._target.options["effects"] == "none":
            return {}
        wanted = {}
        for id, name in zip(token["status_ids"], token["statuses"], strict=True):
            # One with a number is mapped only by its whole name: Foundry's own would lose the number.
            mapped = (
                self._target.statuses.get(name) if name[-1:].isdigit() else self._target.status_word(id, name)
            )
            if mapped is None and self._target.options["effects"] == "all":
                mapped = OWN_EFFECT + re.sub(r"[^a-z0-9]+", "-", name.lower())
            if mapped:
                wanted[mapped] = name
        if token["state"] == "out" and self._target.statuses.get("out"):
            wanted[self._target.statuses["out"]] = "Taken Out"
        return wanted

    def our_status_names(self, effects: list[Mapping[str, object]]) -> list[str]:
        """Return our names for the statuses that effects carry.

        Statuses that strike doesn't set are left out.
        """
        names = {
            theirs: status_name_from_id({"id": ours})
            for ours, theirs in self._target.statuses.items()
            if ours != "out"
        }
        found = []
        for effect in effects:
            for status in _statuses_of(effect):
                if status in names or str(status).startswith(OWN_EFFECT):
                    found.append(names.get(status) or str(effect.get("name")))
        return found


def _statuses_of(effect: Mapping[str, object]) -> Sequence[str]:
    return cast("Sequence[str]", effect.get("statuses") or [])
