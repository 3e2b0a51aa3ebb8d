"""The step that deals damage."""

from __future__ import annotations

from typing import Literal

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.active_effects import effect_banning

from ..fight_state import Fight
from ..health_and_statuses import (
    damage_changed_by_attacker,
    deal_damage,
    postpone_damage_until_final_action,
    would_bring_down,
)
from ..powers.powers_and_targets import PowerUse, power_as_reason
from ..powers.step_play_and_summaries import amount_with_unit_in_words
from .step import EffectStep


class DamageStep(EffectStep):
    """A step that deals damage to its target.

    `by` says who deals the damage: the power's user ("self"), the status's giver, or nobody. The user's
    statuses change the amount if the user deals it. The target's statuses always change it.

    If `final` is true, a target that the damage would bring down in its own turn first takes one final action
    (STR-TAC-25). The damage is postponed until then.
    """

    amount: int
    by: Literal["self", "giver", "nobody"] = "self"
    final: bool = False

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        fight, damage = Fight(world), self.amount
        by = {"self": use.who, "giver": use.giver}.get(self.by, "")
        keywords, cause = use.power.get("keywords", ()), power_as_reason(use.power, use.who)
        if self.by == "self":
            damage, _ = damage_changed_by_attacker(fight, by, damage, target, keywords)
        if (
            self.final
            and fight.data.get("active") == target
            and not effect_banning(fight.world, target, "act")
            and would_bring_down(fight, target, damage)
        ):
            yield from postpone_damage_until_final_action(world, target, damage, cause)
            return
        harm = yield from deal_damage(world, target, damage, cause, by=by, keywords=keywords)
        if use.tally:
            use.tally.dealt += harm["amount"]

    def summarize(self, book: object) -> str:
        return f"{self.amount_in_words(book)} more damage"

    def describe(self, book: object, target: str) -> str:
        """Return the step in the words of an explanation: `the target takes 2 damage`."""
        last = ", with one last action before it falls" if self.final else ""
        return f"{target} takes {amount_with_unit_in_words(book, self.table['amount'], 'damage')}{last}"
