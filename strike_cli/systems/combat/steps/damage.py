"""The step that deals damage."""

from __future__ import annotations

from typing import Literal

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.active_effects import effect_banning

from ..fight_state import Fight
from ..health_and_statuses import (
    damage_after_attackers_changes,
    deal_damage,
    postpone_damage,
    would_bring_down,
)
from ..powers.effects import amount_words
from ..powers.powers_and_targets import Deed, power_with_owner
from .step import EffectStep


class DamageStep(EffectStep):
    """A step that deals damage. Statuses of the power's user and of the target change the amount.

    `by` may say that the giver of the status deals the damage, or that nobody does; then only the target's
    statuses change it. If damage marked `final` would bring the target down in its own turn, the target takes
    one final action first (STR-TAC-25).
    """

    amount: int
    by: Literal["self", "giver", "nobody"] = "self"
    final: bool = False

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        fight, damage = Fight(world), self.amount
        by = {"self": deed.who, "giver": deed.giver}.get(self.by, "")
        keywords, cause = deed.power.get("keywords", ()), power_with_owner(deed.power, deed.who)
        if self.by == "self":
            damage, _ = damage_after_attackers_changes(fight, by, damage, target, keywords)
        if (
            self.final
            and fight.data.get("active") == target
            and not effect_banning(fight.world, target, "act")
            and would_bring_down(fight, target, damage)
        ):
            yield from postpone_damage(world, target, damage, cause)
            return
        harm = yield from deal_damage(world, target, damage, cause, by=by, keywords=keywords)
        if deed.tally:
            deed.tally.dealt += harm["amount"]

    def summarize(self, book: object) -> str:
        return f"{self.amount_in_words(book)} more damage"

    def describe(self, book: object, target: str) -> str:
        """Return the step in the words of an explanation: `the target takes 2 damage`."""
        last = ", with one last action before it falls" if self.final else ""
        return f"{target} takes {amount_words(book, self.table['amount'], 'damage')}{last}"
