"""Attacks that a power grants to another creature (STR-TAC-04)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, cast

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.kernel.statements import Reason, Somebody
from strike_cli.problems import Refused, is_not_refused
from strike_cli.tabletop.active_effects import effect_banning
from strike_cli.tabletop.grid import distance_between_spaces

from ..board.opportunity_attacks import take_opportunity_unless_declined
from ..facts.powers_and_fight_events import Noted
from ..facts.step_descriptions import AttackIs
from ..facts.turns_and_actions import AttackWhom, AttackWith, CantAttack, NoAttack
from ..fight_state import Fight, ids_by_last_part_or_whole_id
from ..powers.power_use import perform_power
from ..powers.powers_and_targets import (
    PowerUse,
    aim_power,
    grants_another_attack,
    has_attack_roll,
    must_be_usable,
    power_as_reason,
    powers_of,
    require_power_as_user_has_it,
)
from ..powers.standard_powers_and_use_limits import MELEE_BASIC, RANGED_BASIC, Power
from ..powers.step_play_and_summaries import no_effect_note
from . import USER
from .step import EffectStep

if TYPE_CHECKING:
    from ..data import ContentOfFights, PowerWritten


PASS = "pass"


class AttackStep(EffectStep):
    """A step that lets a creature attack at once, outside its turn and without an action (STR-TAC-04).

    - By default, the creature makes a basic attack. With `uses = "any"`, it may use any of its attacks that
      doesn't grant a further attack. With `power`, it uses this power, even if the power isn't on its sheet.
    - `range` allows only melee or only ranged attacks.
    - `at = "target"` allows only the targets of the power that grants the attack. `at = "other"` allows only
      other creatures.
    - A granted attack can grant a further one only by a step with `power` and `at = "other"`. Creatures that
      were already attacked are then not allowed, so the chain comes to an end.
    - The creature chooses the attack and its target.
    """

    uses: Literal["basic", "any"] = "basic"
    power: str = ""
    range: Literal["melee", "ranged"] | None = None
    at: Literal["target", "other"] | None = None
    near: int = 0
    """The greatest distance from the place of one of the granting power's targets when it was attacked.

    0 for any.
    """

    def play(self, world: World, use: PowerUse, combatant: str) -> Procedure[None]:
        fight = Fight(world)
        by_own_power = self.power and self.at == "other"
        if (use.granted and not by_own_power) or effect_banning(world, combatant, "act"):
            yield world.tell(Noted(combatant, CantAttack(combatant, "now")))
            return
        own = {power["id"]: power for power in self._grantable_attacks(fight, combatant)}
        powers = {word: own[key] for word, key in ids_by_last_part_or_whole_id(own).items()}
        open_to = {key: self._possible_targets(fight, use, combatant, power) for key, power in powers.items()}
        usable = [key for key, targets in open_to.items() if targets]
        if not usable:
            yield world.tell(Noted(combatant, CantAttack(combatant, "nobody")))
            return
        granted_by = power_as_reason(use.power, use.who)
        key, *others = usable
        if others:
            with_what = tuple(power_as_reason(powers[key], combatant) for key in usable)
            key = yield Choose(
                combatant, "attack with", tuple(usable), with_what, about=AttackWith(combatant, granted_by)
            )
        targets = open_to[key]
        whom = (*map(Somebody, targets), NoAttack())
        about = AttackWhom(combatant, power_as_reason(powers[key], combatant), granted_by)
        target = yield Choose(combatant, "attack whom", (*targets, PASS), whom, about=about)
        if target != PASS:
            aim = aim_power(fight, combatant, powers[key], [target])
            struck = (*use.already_attacked, *use.aim.targets)
            yield from perform_power(
                world, PowerUse(combatant, powers[key], aim, granted=True, already_attacked=struck)
            )

    def _grantable_attacks(self, fight: Fight, combatant: str) -> Iterator[Power]:
        """Yield the attacks that may be granted: the step's power, or the attacker's own attacks.

        If the step names no power, the attacker's own basic attacks are yielded. With `uses = "any"`, the
        attacker's other powers follow, if they take an Attack Action, have an attack roll and grant no
        attack. Attacks that can't be used now are left out.
        """
        if self.power:
            written: PowerWritten = fight.world.book.powers[self.power]
            power = cast("Power", {"id": self.power, **written})
            if has_attack_roll(power) and is_not_refused(must_be_usable, fight, combatant, power):
                yield power
            return
        own = powers_of(fight, combatant)
        basic = [key for key in (MELEE_BASIC, RANGED_BASIC) if key in own]
        for key in [*basic, *(key for key in own if self.uses != "basic" and key not in basic)]:
            power = require_power_as_user_has_it(fight, combatant, key)
            if power["action"] != "attack" or not has_attack_roll(power) or grants_another_attack(power):
                continue
            if is_not_refused(must_be_usable, fight, combatant, power):
                yield power

    def _possible_targets(self, fight: Fight, use: PowerUse, actor: str, power: Power) -> list[str]:
        """Return the enemies that the attack may target, with the granting power's targets first."""
        foes = sorted(fight.opponents_of(actor), key=lambda foe: foe not in use.aim.targets)
        meant = [foe for foe in foes if self._is_allowed_target(fight, use, foe)]
        return [foe for foe in meant if _is_sensible_target(fight, actor, power, foe, self.range or "")]

    def _is_allowed_target(self, fight: Fight, use: PowerUse, foe: str) -> bool:
        """Return whether the step's keys `at` and `near` allow an attack on this enemy."""
        struck = foe in use.aim.targets or foe in use.already_attacked
        if self.at and struck != (self.at == "target"):
            return False
        if not self.near:
            return True
        size = fight.size(foe)
        return fight.is_on_map(foe) and any(
            distance_between_spaces(square, 1, fight.at(foe), size) <= self.near
            for square in use.target_squares
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

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        return AttackIs(self.power, self.uses != "basic", self.range or "", self.at or "", self.near, target)


_RANGES = {"melee": " in melee", "ranged": " at range"}


def _is_sensible_target(fight: Fight, actor: str, power: Power, foe: str, range_: str) -> bool:
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
    """A step that lets each affected creature take an Opportunity (STR-TAC-08).

    The Opportunity is against the user of the power. If the step belongs to a status, it is against the
    creature that has the status.
    """

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        """Let the target take an Opportunity against the power's user, if the usual rules allow it.

        If the target is the user, a note says that nothing happens.
        """
        if target == use.who:
            yield no_effect_note(world, use, target, "")
            return
        why = power_as_reason(use.power, use.who)
        taken = yield from take_opportunity_unless_declined(
            world, target, use.who, use.moment.act_while_in_status(why) if use.moment else why
        )
        if use.tally:
            use.tally.opportunities += taken

    def summarize(self, book: object) -> str:
        return "an Opportunity"

    def describe(self, book: object, target: str) -> str:
        return f"{target} may make an Opportunity" + (f" against {USER}" if target == "the target" else "")
