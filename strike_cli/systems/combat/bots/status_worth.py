"""The value of a status to the creature that has it, in HP, for as long as it is expected to last.

It is computed from the effects that the status declares, so that statuses of plugins have a value, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import repeat
from statistics import fmean
from typing import TYPE_CHECKING

from ..rule_numbers import combat_numbers
from ..steps import EVENT_CHANGING_STEPS, StepTable, steps_of_reaction, steps_with_nested
from ..steps.branching_and_statuses import require_steps_for_face

if TYPE_CHECKING:
    from strike_cli.tabletop.data import EffectWritten, StatusHeld
    from strike_cli.tabletop.status_effect_schemas import (
        BanWritten,
        NumberWritten,
        RemapWritten,
        SourceWritten,
    )

    from ..data import Combatant, ContentOfFights

TURNS_BY_DURATION: Mapping[str, float] = {
    "save": 2.0,
    "this-turn": 0.5,
    "encounter": 3.0,
    "permanent": 2.0,
    "until": 1.5,
}
"""How many of its bearer's turns a status lasts on average, by its duration; 1 for any other duration.

A Saving Throw at the end of each turn ends a status with an even chance.
"""
TURNS_UNTIL_EVENT: Mapping[str, float] = {
    "damaged": 1.5,
    "attacks": 1.0,
    "attacked": 1.0,
    "moved": 1.0,
    "giver-down": 3.0,
}
"""How many turns pass on average until an event that ends a status; 1.5 for any other event."""
HIT_SHARE = 0.75
"""The share of its damage that an attack does on average, since three out of four hit."""
DAMAGE_TAKEN_A_ROUND = 2.0
"""The damage, in HP, that a creature is expected to take in a round."""
ADVANTAGE_SHARE = 0.35
"""The share of an attack's damage that Advantage adds or Disadvantage takes away."""
MODIFIER_SHARE = 0.12
"""The share of an attack's damage that a modifier of 1 adds or takes away."""
OTHER_ROLLS = 0.3
"""The value, in HP, of Advantage on one of the rolls in IN_FIGHTS."""
IN_FIGHTS = ("save", "comeback", "initiative", "escape", "panic", "assess", "any")
SOMETIMES = 0.5
"""The factor for an effect that only concerns some attacks or some moments."""
LEAST_WORTH = 0.2
"""The least value, in HP, of a status with any effect: at most -LEAST_WORTH if it is declared harmful."""
BAN_COST_IN_ATTACKS: Mapping[str, float] = {
    "act": 1.0,
    "attack": 0.9,
    "decide": 2.0,
    "melee": 0.5,
    "ranged": 0.4,
    "move": 0.35,
}
"""How many of a creature's attacks a ban costs in a turn. A Dominated creature even attacks its own side."""
PARTIAL_BAN = 0.35
"""The factor for a ban that still allows some actions of its kind."""
FLAT_BAN_COSTS: Mapping[str, float] = {
    "role": 0.5,
    "non-basic": 0.5,
    "opportunity": 0.2,
    "shift": 0.1,
    "stand": 0.3,
}
"""The cost, in HP, of bans that are not measured in attacks."""
OTHER_BAN_COST = 0.1
"""The cost, in HP, of any other ban."""
TIMES_A_TURN: Mapping[str, float] = {
    **dict.fromkeys(("hits", "hit", "harmed", "damaged", "struck"), HIT_SHARE),
    **dict.fromkeys(("misses", "missed", "shifts", "falls", "displaced"), 1 - HIT_SHARE),
    **dict.fromkeys(("moved", "enters", "leaves", "zone-ends"), SOMETIMES),
}
"""How many times a moment is expected in a creature's turn; once for any other moment."""
MOMENTS_WITHOUT_OPPONENT = ("turn-started", "turn-ended", "moved", "gaining", "enters", "leaves", "zone-ends")
"""Moments without an opponent: at these, a step without `to` affects the creature that has the status."""
FOR_THE_HOLDER: Mapping[str, float] = {
    **dict.fromkeys(("push", "pull", "slide", "run-at"), -0.5),
    **dict.fromkeys(("save", "token", "regain", "move", "shift", "teleport", "reroll"), 0.5),
    **dict.fromkeys(("halve", "redirect"), DAMAGE_TAKEN_A_ROUND / 2),
    "prevent": DAMAGE_TAKEN_A_ROUND,
    "strike": -1.0,
    "ap": 2.0,
}
"""The value, in HP, of steps to the creature that they affect."""
AMOUNTS: Mapping[str, float] = {"damage": -1.0, "heal": 1.0, "reduce": 1.0}
"""The value, in HP, of each HP of a step's amount."""
OF_ATTACKS_BY_STEP: Mapping[str, float] = {"attack": 1.0, "run-from": -0.5, "take-cover": -0.5}
"""The value of steps to the creature that they affect, as a multiple of its attack's damage."""
WITH_STEPS = ("roll", "lose-control", "repeat", "choose")
"""Steps that contain further steps, whose value they have."""
DIE = range(1, 7)


def worth_of_status(book: ContentOfFights, combatant: Combatant, held: StatusHeld) -> float:
    """Return the worth of a status to the creature that has it, in HP; below 0 for a harmful status."""
    status = book.statuses[held["id"]]
    value = int(held.get("value", 0))
    if not status["harmful"] and value and _reduces_damage_by_its_own_value(status):
        return float(min(value, combatant["max_hp"]))
    return expected_turns(status, held) * worth_per_turn(book, combatant, status, value)


def expected_turns(status: EffectWritten, held: StatusHeld) -> float:
    """Return how many turns a status is expected to last.

    The number depends on the status's duration and on the events that end it. If the status has a step that
    gives the same status again, its duration counts as the whole fight. If it has a step that ends the status
    itself, the result is 1.
    """
    steps = [
        step
        for reaction in status.get("reactions", ())
        for step in steps_with_nested(steps_of_reaction(reaction))
    ]
    own = {step["do"] for step in steps if step.get("this") or step.get("status") == held["id"]}
    if "end" in own:
        return 1.0
    until = [held["until"]] if "until" in held else []
    ends = [
        TURNS_UNTIL_EVENT.get(moment, TURNS_BY_DURATION["until"])
        for moment in (*until, *status.get("ends_when", ()))
    ]
    lasts = TURNS_BY_DURATION["encounter"] if "apply" in own else TURNS_BY_DURATION.get(held["ends"], 1.0)
    return min([lasts, *ends])


def worth_per_turn(
    book: ContentOfFights, combatant: Combatant, status: EffectWritten, value: int = 0
) -> float:
    """Return the worth of a status to its bearer in one turn, in HP. `value` is the status's number."""
    key = id(status), combatant["ref"], value
    kept_of, found = _known.get(key, (None, 0.0))
    if kept_of is not book:
        found = _StatusAppraisal(
            book, expected_at_will_attack_damage(book, combatant["ref"]), value
        ).appraise(status)
        if status["harmful"]:
            found = min(found, -LEAST_WORTH)
        elif any(
            status.get(part) for part in ("sources", "bans", "remaps", "numbers", "reactions", "implies")
        ):
            found = max(found, LEAST_WORTH)
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = book, found
    return found


_known: dict[tuple[int, str, int], tuple[object, float]] = {}
MOST_KNOWN = 2000
"""The most values that are remembered. They depend only on the book."""


class _StatusAppraisal:
    """A computation of what a status is worth to its bearer in one turn.

    The worths of the status's effects are added up. `deals` is the damage in HP that the bearer's attack is
    expected to do. `value` is the status's own number.
    """

    def __init__(self, book: ContentOfFights, deals: float, value: int) -> None:
        self.book = book
        self.deals = deals
        self.value = value
        self.under_appraisal: list[EffectWritten] = []

    def appraise(self, status: EffectWritten) -> float:
        """Return the value of a status to its bearer for one turn; 0 if it is already being appraised."""
        if any(status is other for other in self.under_appraisal):
            return 0.0
        self.under_appraisal.append(status)
        total = -sum(self._cost_of_ban(ban) for ban in status.get("bans", ()))
        total += sum(map(self._worth_of_source, status.get("sources", ())))
        total += sum(map(self._worth_of_remap, status.get("remaps", ())))
        total += sum(map(self._worth_of_number, status.get("numbers", ())))
        for reaction in status.get("reactions", ()):
            on = str(reaction["on"])
            often = TIMES_A_TURN.get(on, 1.0) * (SOMETIMES if "when" in reaction else 1.0)
            total += often * self._worth_of_steps(steps_of_reaction(reaction), on in MOMENTS_WITHOUT_OPPONENT)
        total += sum(
            self.appraise(self.book.statuses[id])
            for id in status.get("implies", ())
            if id in self.book.statuses
        )
        self.under_appraisal.pop()
        return total

    def _cost_of_ban(self, ban: BanWritten) -> float:
        action = ban["action"]
        if ban["side"] == "against":  # nobody gets at them
            return -DAMAGE_TAKEN_A_ROUND if action == "seen" else -DAMAGE_TAKEN_A_ROUND / 4
        share = PARTIAL_BAN if ban.get("over") else 1.0
        return share * (
            BAN_COST_IN_ATTACKS[action] * self.deals
            if action in BAN_COST_IN_ATTACKS
            else FLAT_BAN_COSTS.get(action, OTHER_BAN_COST)
        )

    def _worth_of_source(self, source: SourceWritten) -> float:
        on, gives, against = source["on"], source["gives"], source["side"] == "against"
        share = (
            MODIFIER_SHARE * gives
            if isinstance(gives, int)
            else ADVANTAGE_SHARE
            if gives == "advantage"
            else -ADVANTAGE_SHARE
        )
        total = share / ADVANTAGE_SHARE * OTHER_ROLLS * (on in IN_FIGHTS)
        if on in ("attack", "any"):
            total += (
                share * (DAMAGE_TAKEN_A_ROUND if against else self.deals) * _share_of_time_in_force(source)
            )
        return -total if against else total

    def _worth_of_remap(self, remap: RemapWritten) -> float:
        if remap["stage"] == "damage":
            return -self.deals / 2
        return (
            sum((int(face) > counts) - (int(face) < counts) for face, counts in remap["faces"].items())
            * DAMAGE_TAKEN_A_ROUND
            / 6
        )

    def _worth_of_number(self, number: NumberWritten) -> float:
        of, gives = number["of"], float(number.get("gives", 0))
        usual = {
            "dealt": self.deals,
            "taken": DAMAGE_TAKEN_A_ROUND,
            "speed": float(combat_numbers()["defaults"]["speed"]),
        }.get(of, 1.0)
        if "half" in number:
            gives -= usual / 2
        if "most" in number:
            gives += min(0.0, number["most"] - usual)
        each = {"dealt": HIT_SHARE, "taken": -HIT_SHARE, "forced": -MODIFIER_SHARE}.get(of, OTHER_ROLLS)
        return each * gives * _share_of_time_in_force(number)

    def _worth_of_steps(self, steps: Iterable[StepTable], no_opponent: bool) -> float:
        """Return the value of steps to the status's bearer, in HP.

        `no_opponent` is True if the steps belong to a moment in which no other creature takes part.
        """
        return sum(map(self._worth_to_holder, steps, repeat(no_opponent)))

    def _worth_to_holder(self, step: StepTable, bearer_alone: bool) -> float:
        to, worth = step.get("to", "target"), self._worth_of_step(step, bearer_alone)
        if to == "around":  # friends and foes alike
            return 0.0
        own = to in ("self", "ally", "allies") or (to == "target" and bearer_alone)
        friend = to == "giver" and not self.under_appraisal[-1]["harmful"]
        return worth if own or friend or step["do"] in (*EVENT_CHANGING_STEPS, *WITH_STEPS) else -worth

    def _worth_of_step(self, step: StepTable, bearer_alone: bool) -> float:
        """Return the value of a step, in HP, to the creature that it affects.

        `bearer_alone` is True if the step belongs to a moment in which no other creature takes part.
        """
        match do := step["do"]:
            case "apply":
                return self.appraise(self.book.statuses[step["status"]])
            case "end" if "status" in step:
                return -self.appraise(self.book.statuses[step["status"]])
            case "opportunity":
                return HIT_SHARE * combat_numbers()["defaults"]["opportunity_damage"]
            case "roll" | "lose-control":
                bearer_alone = bearer_alone or do == "lose-control"
                return fmean(
                    self._worth_of_steps(require_steps_for_face(step["faces"], die), bearer_alone)
                    for die in DIE
                )
            case "repeat":
                return self._expected_amount(step) * self._worth_of_steps(step["steps"], bearer_alone)
            case "choose":
                return max(self._worth_of_steps(option["steps"], bearer_alone) for option in step["options"])
        of_attack, amount = OF_ATTACKS_BY_STEP.get(do, 0.0), AMOUNTS.get(do, 0.0)
        return of_attack * self.deals + amount * self._expected_amount(step) + FOR_THE_HOLDER.get(do, 0.0)

    def _expected_amount(self, step: StepTable) -> float:
        amount = step.get("amount", 1)
        if isinstance(amount, int):
            return float(amount)
        found = amount.get("dice", 1) * (1 + amount["die"]) / 2 if "die" in amount else float(self.value or 1)
        found = found * amount.get("times", 1) / amount.get("share", 1) / (2 if "half" in amount else 1)
        return found + amount.get("plus", 0)


def _share_of_time_in_force(contribution: SourceWritten | NumberWritten) -> float:
    """Return the share of attacks or moments in which a part of a status counts.

    It is SOMETIMES for a part that counts only on a condition, else 1. `contribution` is the part: a source
    of Advantage or Disadvantage, or a change of a number.
    """
    narrow = contribution.get("range", "any") != "any" or any(
        key in contribution for key in ("when", "only", "round")
    )
    return SOMETIMES if narrow else 1.0


def expected_at_will_attack_damage(book: ContentOfFights, sheet_id: str) -> float:
    """Return the damage, in HP, that a creature's best attack is expected to do in a turn.

    Powers that can be used only once in an encounter don't count.
    """
    sheet = book.creatures.get(sheet_id) or book.characters.get(sheet_id) or {}
    basic = int(sheet.get("melee", {}).get("damage", combat_numbers()["defaults"]["opportunity_damage"]))
    powers = [book.powers[power] for power in sheet.get("powers", ()) if power in book.powers]
    dealt = [int(power.get("damage", 0)) for power in powers if power.get("usage") != "encounter"]
    return HIT_SHARE * max(basic, *dealt, 1)


def _reduces_damage_by_its_own_value(status: EffectWritten) -> bool:
    steps = [
        step
        for reaction in status.get("reactions", ())
        for step in steps_with_nested(steps_of_reaction(reaction))
    ]
    return any(step["do"] == "reduce" and step["amount"] == {"of": "value"} for step in steps)
