"""Attacks that a power grants to another creature (STR-TAC-04)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, cast

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.kernel.statements import Reason, Somebody
from strike_cli.problems import Refused, is_allowed
from strike_cli.tabletop.active_effects import effect_banning
from strike_cli.tabletop.grid import gap

from ..board.opportunity_attacks import take_opportunity
from ..facts.powers import Noted
from ..facts.steps import AttackIs
from ..facts.turns import AttackWhom, AttackWith, CantAttack, NoAttack
from ..fight_state import Fight, ids_by_short_name
from ..powers.effects import no_effect_note
from ..powers.power_use import perform_power
from ..powers.powers_and_targets import (
    Deed,
    aim_power,
    grants_another_attack,
    has_attack_roll,
    must_be_usable,
    power_as_user_has_it,
    power_with_owner,
    powers_of,
)
from ..powers.use_limits import MELEE_BASIC, RANGED_BASIC, Power
from . import USER
from .step import EffectStep

if TYPE_CHECKING:
    from ..data import ContentOfFights, PowerWritten


PASS = "pass"


class AttackStep(EffectStep):
    """An attack that another creature may make at once, outside its turn and without an action.

    By default it is a basic attack. With `uses = "any"` it is any of the attacker's attacks that grants no
    attack itself. With `power` it is that power, even if the attacker's sheet lacks the power. `range` allows
    only melee or only ranged attacks. `at` allows only the granting power's targets, or only other creatures.
    A creature that the chain of granted attacks has already attacked counts as one of these targets, not as
    one of the others, so that chains end. The attacker chooses power and target; the granting power's targets
    are offered first.
    """

    uses: Literal["basic", "any"] = "basic"
    power: str = ""
    range: Literal["melee", "ranged"] | None = None
    at: Literal["target", "other"] | None = None
    near: int = 0
    """The greatest distance from the place of one of the granting power's targets when it was attacked.

    0 for any.
    """

    def play(self, world: World, deed: Deed, combatant: str) -> Procedure[None]:
        fight = Fight(world)
        by_own_power = self.power and self.at == "other"
        if (deed.granted and not by_own_power) or effect_banning(world, combatant, "act"):
            yield world.tell(Noted(combatant, CantAttack(combatant, "now")))
            return
        own = {power["id"]: power for power in self._grantable_attacks(fight, combatant)}
        powers = {word: own[key] for word, key in ids_by_short_name(own).items()}
        open_to = {
            key: self._possible_targets(fight, deed, combatant, power) for key, power in powers.items()
        }
        usable = [key for key, targets in open_to.items() if targets]
        if not usable:
            yield world.tell(Noted(combatant, CantAttack(combatant, "nobody")))
            return
        granted_by = power_with_owner(deed.power, deed.who)
        key, *others = usable
        if others:
            with_what = tuple(power_with_owner(powers[key], combatant) for key in usable)
            key = yield Choose(
                combatant, "attack with", tuple(usable), with_what, about=AttackWith(combatant, granted_by)
            )
        targets = open_to[key]
        whom = (*map(Somebody, targets), NoAttack())
        about = AttackWhom(combatant, power_with_owner(powers[key], combatant), granted_by)
        target = yield Choose(combatant, "attack whom", (*targets, PASS), whom, about=about)
        if target != PASS:
            aim = aim_power(fight, combatant, powers[key], [target])
            struck = (*deed.struck, *deed.aim.targets)
            yield from perform_power(world, Deed(combatant, powers[key], aim, granted=True, struck=struck))

    def _grantable_attacks(self, fight: Fight, combatant: str) -> Iterator[Power]:
        """Yield the attacks that may be granted: the step's power, or the attacker's own attacks.

        The attacker's own attacks are basic attacks. With `uses = "any"` they are also all powers of the
        attacker that take an Attack Action and grant no attack.
        """
        if self.power:
            written: PowerWritten = fight.world.book.powers[self.power]
            power = cast("Power", {"id": self.power, **written})
            if has_attack_roll(power) and is_allowed(must_be_usable, fight, combatant, power):
                yield power
            return
        own = powers_of(fight, combatant)
        basic = [key for key in (MELEE_BASIC, RANGED_BASIC) if key in own]
        for key in [*basic, *(key for key in own if self.uses != "basic" and key not in basic)]:
            power = power_as_user_has_it(fight, combatant, key)
            if power["action"] != "attack" or not has_attack_roll(power) or grants_another_attack(power):
                continue
            if is_allowed(must_be_usable, fight, combatant, power):
                yield power

    def _possible_targets(self, fight: Fight, deed: Deed, actor: str, power: Power) -> list[str]:
        """Return the enemies that the attack may target, with the granting power's targets first."""
        foes = sorted(fight.opponents_of(actor), key=lambda foe: foe not in deed.aim.targets)
        meant = [foe for foe in foes if self._is_allowed_target(fight, deed, foe)]
        return [foe for foe in meant if _may_attack_target(fight, actor, power, foe, self.range or "")]

    def _is_allowed_target(self, fight: Fight, deed: Deed, foe: str) -> bool:
        """Return whether the step's keys `at` and `near` allow an attack on this enemy."""
        struck = foe in deed.aim.targets or foe in deed.struck
        if self.at and struck != (self.at == "target"):
            return False
        if not self.near:
            return True
        size = fight.size(foe)
        return fight.is_on_map(foe) and any(
            gap(square, 1, fight.at(foe), size) <= self.near for square in deed.places
        )

    def summarize(self, book: ContentOfFights) -> str:
        """Return the step in the words of a sheet: `makes a basic attack`."""
        words = "makes a basic attack" if self.uses == "basic" else "makes any attack"
        if self.power:
            words = f"attacks with {book.powers[self.power]['name']}"
        words += _RANGES.get(self.range or "", "")
        words += {"target": " against the target", "other": " against somebody else"}.get(self.at or "", "")
        return words + (f" within {self.near} of the target" if self.near else "")

    def describe(self, book: ContentOfFights, target: str) -> str:
        words = "a basic attack" if self.uses == "basic" else "any of their attacks"
        if self.power:
            words = str(book.powers[self.power]["name"])
        words += _RANGES.get(self.range or "", "")
        words += {"target": " at the target", "other": " at somebody else"}.get(self.at or "", "")
        near = f" within {self.near} of the target's square" if self.near else ""
        return f"{target} may attack at once, with {words}{near}"

    def label(self, fight: Fight, deed: Deed, target: str) -> Reason:
        return AttackIs(self.power, self.uses != "basic", self.range or "", self.at or "", self.near, target)


_RANGES = {"melee": " in melee", "ranged": " at range"}


def _may_attack_target(fight: Fight, actor: str, power: Power, foe: str, range_: str) -> bool:
    try:
        aim = aim_power(fight, actor, power, [foe])
    except Refused:
        return False
    if range_ and (range_ == "melee") != aim.melee:
        return False
    # Against an adjacent enemy, a ranged basic attack is no better than a melee one.
    return not (power["id"] == RANGED_BASIC and fight.gap(actor, foe) <= fight.reach(actor)) and bool(
        aim.targets
    )


class OpportunityStep(EffectStep):
    """A step that gives each target an Opportunity (STR-TAC-08).

    The Opportunity is against the power's user, or against the bearer of the status with this step.
    """

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        """Let the target take an Opportunity by the usual rules: at most one a turn, none if it is banned."""
        if target == deed.who:
            yield no_effect_note(world, deed, target, "")
            return
        why = power_with_owner(deed.power, deed.who)
        taken = yield from take_opportunity(
            world, target, deed.who, deed.moment.act_while_in_status(why) if deed.moment else why
        )
        if deed.tally:
            deed.tally.opportunities += taken

    def summarize(self, book: object) -> str:
        return "an Opportunity"

    def describe(self, book: object, target: str) -> str:
        return f"{target} may make an Opportunity" + (f" against {USER}" if target == "the target" else "")
