"""The step that deals damage."""

from __future__ import annotations

from typing import Literal

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.status_effects import ban_on

from ..fight import Fight
from ..harm import brings_down, deal_damage, dealt_by, put_off
from ..powers.effects import amount_words
from ..powers.power import Deed, power_with_owner
from .key_types import Amount
from .step import EffectStep


class DamageStep(EffectStep):
    """Damage, after changes by the power's user and by the target.

    If `by` says so, the giver of the status deals it, or nobody, and only the target changes it. `final`
    damage that would bring the target down lets it take one final action first (STR-TAC-25).
    """

    amount: Amount
    by: Literal["self", "giver", "nobody"] = "self"
    final: bool = False

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        fight, damage = Fight(world), self.amount
        by = {"self": deed.who, "giver": deed.giver}.get(self.by, "")
        keywords, cause = deed.power.get("keywords", ()), power_with_owner(deed.power, deed.who)
        if self.by == "self":
            damage, _ = dealt_by(fight, by, damage, target, keywords)
        if (
            self.final
            and fight.data.get("active") == target
            and not ban_on(fight.world, target, "act")
            and brings_down(fight, target, damage)
        ):
            yield from put_off(world, target, damage, cause)
            return
        harm = yield from deal_damage(world, target, damage, cause, by=by, keywords=keywords)
        if deed.tally:
            deed.tally.dealt += harm.amount

    def summarize(self, book: object) -> str:
        return f"{self.amount_in_words(book)} more damage"

    def describe(self, book: object, target: str) -> str:
        """Return the step in an explanation: `the target takes 2 damage`."""
        last = ", with one last action before it falls" if self.final else ""
        return f"{target} takes {amount_words(book, self.table['amount'], 'damage')}{last}"
