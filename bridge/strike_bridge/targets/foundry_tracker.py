"""Foundry's combat tracker: who is in it, in our order, whose turn it is, and who is out, struck through.

What it shows is remembered, so that a turn costs one request; its answer says who is in it, since people add
combatants by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .base import Asking, Conversation, Payload, Request
from .foundry_documents import by_turn, initiatives
from .foundry_relay import FoundryRelay
from .readers import items

COMBAT, TRACKER = "combat", "tracker"
"""What is remembered: the id of the combat, and its round, turn and combatants as they were shown last."""


if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    from ..payloads import ShownOrder

    class CombatShown(TypedDict):
        """A combat as Foundry shows it, or as it was last sent."""

        id: str
        round: NotRequired[int | None]
        turn: NotRequired[int | None]
        combatants: list[dict[str, object]]

    class CombatChange(TypedDict, total=False):
        """The changes that a combat needs."""

        round: int
        turn: int | None
        combatants: list[dict[str, object]]


class FoundryTracker:
    """The part of the target that sends turns."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def put(self, order: ShownOrder) -> Conversation:
        """Show round, turn, places and who is out, in one request where the tracker is known."""
        yield from self._relay.begin()
        wanted: dict[str, str] = {}
        for entry in order["entries"]:
            uuid = self._target.links.get(entry["id"], "")
            if uuid and not entry.get("hidden"):
                wanted[uuid] = entry["id"]
        out = {
            uuid
            for id in order.get("out", ())
            if (uuid := self._target.links.get(id, "")) and uuid not in wanted
        }
        if not wanted and not order["entries"]:
            return None
        known = self._remembered()
        inside = {each.get("tokenUuid") for each in known["combatants"]} if known else set()
        ours = set(self._target.links.values())
        if not known or not set(wanted) <= inside or (inside & ours) - set(wanted) - out:
            combat = yield from self._combat(set(wanted) | out)
            known = yield from self._join(combat, [*wanted], out)
        change = self._change_of(order, known, wanted, out)
        if change.keys() == {"combatants"} and all(each["defeated"] for each in change["combatants"]):
            return None  # who is out is struck through with the next turn: their skull shows now
        if change:
            # Where it is not known whether this arrived, it is asked for again.
            self._target.memory.pop(TRACKER, None)
            answer = yield self._relay.update(f"Combat.{known['id']}", change)
            there = {
                each.get("_id") or each.get("id") for each in items(answer.value("entity", 0, "combatants"))
            }
            if there and there != {each["id"] for each in known["combatants"]}:
                return (yield from self.put(order))  # somebody changed who is in it: look again
        self._remember(known, change, order["round"])
        return None

    def end(self) -> Conversation:
        """End the combat that we began."""
        combat = self._target.memory.get(COMBAT)
        if combat:
            yield Request("DELETE", self._relay.path("/delete", uuid=f"Combat.{combat}"), gone_will_do=True)
            self._target.memory.pop(COMBAT, None)
            self._target.memory.pop(TRACKER, None)
        return None

    def _change_of(
        self, order: ShownOrder, known: CombatShown, wanted: Mapping[str, str], out: set[str]
    ) -> CombatChange:
        """Return the change that makes the combat as it should be.

        Between two turns the one that was stays.
        """
        places = initiatives([entry for entry in order["entries"] if entry["id"] in wanted.values()])
        changed = []
        for each in known["combatants"]:
            uuid = str(each.get("tokenUuid", ""))
            should: dict[str, object] = {}
            if uuid in wanted:
                should = {"initiative": places[wanted[uuid]], "defeated": False}
            elif uuid in out:
                should = {"defeated": True}
            differs = {key: value for key, value in should.items() if (each.get(key) or 0) != (value or 0)}
            if "initiative" in should and each.get("initiative") is None:
                differs["initiative"] = should["initiative"]
            if differs:
                changed.append({"_id": each["id"], **differs})
                each.update(differs)
        change: CombatChange = {"combatants": changed} if changed else {}
        turns = [
            wanted.get(str(each.get("tokenUuid", ""))) for each in sorted(known["combatants"], key=by_turn)
        ]
        active = order["active"]
        turn = turns.index(active) if active in turns else None
        if active is None and known.get("turn") is not None and known.get("round"):
            turn = known["turn"]
        sorted_anew = any("initiative" in each for each in changed)
        if known.get("round", "") != order["round"] or sorted_anew:
            change["round"] = order["round"]
        if known.get("turn", "") != turn or sorted_anew:
            change["turn"] = turn
        return change

    # What it shows

    def _remembered(self) -> CombatShown | None:
        """Return the tracker as it was shown last."""
        try:
            known: CombatShown = json.loads(self._target.memory.get(TRACKER, ""))
        except ValueError:
            return None
        fits = isinstance(known, dict) and known.get("id") == self._target.memory.get(COMBAT)
        return known if fits else None

    def _remember(self, known: CombatShown, change: CombatChange, round: int) -> None:
        kept = [
            {key: each.get(key) for key in ("id", "tokenUuid", "initiative", "defeated")}
            for each in known["combatants"]
        ]
        turn = change.get("turn", known.get("turn"))
        self._target.memory[TRACKER] = json.dumps(
            {"id": known["id"], "round": round, "turn": turn, "combatants": kept}
        )

    def _combat(self, ours: set[str]) -> Asking[dict[str, object]]:
        """Return the combat that our tokens are in, which is begun where there is none.

        An empty one that is current will do: it is what is left when the answer to its creation was lost.
        """
        answer = yield Request("GET", self._relay.path("/encounters"))
        remembered = self._target.memory.get(COMBAT)
        combats = items(answer.value("encounters"))
        for combat in sorted(combats, key=lambda each: (each["id"] != remembered, not each.get("current"))):
            inside = {each.get("tokenUuid") for each in items(combat.get("combatants"))}
            empty = combat.get("current") and not inside
            if combat["id"] == remembered or ours & inside or empty:
                if inside <= ours:
                    self._target.memory[COMBAT] = str(combat["id"])
                if not combat.get("current"):
                    # Others can be joined to the current one alone.
                    yield self._relay.update(f"Combat.{combat['id']}", {"active": True})
                return dict(combat)
        # Empty: relay 3.4.1 gives its module none of the tokens that it is named.
        made = yield Request("POST", self._relay.path("/start-encounter"), {}, looked_for=True)
        self._target.memory[COMBAT] = str(made.value("encounterId"))
        begun = made.value("encounter")
        return (
            dict(begun)
            if isinstance(begun, Mapping)
            else {"id": self._target.memory[COMBAT], "combatants": []}
        )

    def _join(self, combat: Mapping[str, object], wanted: list[str], out: set[str]) -> Asking[CombatShown]:
        """Let join who is missing, and leave who is ours and should not be there, or is there twice."""
        ours = set(self._target.links.values())
        kept: dict[str, Payload] = {}
        others = []
        for each in map(dict, items(combat.get("combatants"))):
            uuid = str(each.get("tokenUuid"))
            if uuid in kept or (uuid in ours and uuid not in wanted and uuid not in out):
                path = self._relay.path("/delete", uuid=f"Combat.{combat['id']}.Combatant.{each['id']}")
                yield Request("DELETE", path, gone_will_do=True)
            elif uuid in wanted or uuid in out:
                kept[uuid] = each
            else:
                others.append(each)
        # Who was out before it began lies there as well; later nobody who is out joins.
        missing = [uuid for uuid in (wanted if kept else [*wanted, *sorted(out)]) if uuid not in kept]
        if not missing:
            return _shown(combat, [*kept.values(), *others])
        yield Request("POST", self._relay.path("/add-to-encounter"), {"uuids": missing}, looked_for=True)
        answer = yield Request("GET", self._relay.path("/encounters"))
        for now in items(answer.value("encounters")):
            if now.get("id") == combat["id"]:
                return _shown(now, items(now.get("combatants")))
        return _shown(combat, items(combat.get("combatants")))


def _shown(combat: Mapping[str, object], combatants: Iterable[Mapping[str, object]]) -> CombatShown:
    return {**combat, "combatants": [*map(dict, combatants)]}  # type: ignore[typeddict-item]  # as Foundry has it
