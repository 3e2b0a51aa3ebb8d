"""A power in words, for sheets and explanations: its range, cost and effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..steps import PARTS, WAYS, StepTable, condition_words_on_sheet, trigger_in_words
from ..steps.step import step_words_on_sheet as step_in_words

if TYPE_CHECKING:
    from strike_cli.kernel.procedure import Rulebook

    from ..data import AuraWritten, PowerWritten


NO_RANGE = "-"


def reach_range_and_area_words(power: PowerWritten) -> str:
    """Return a power's range: `reach 1`, `reach 1 or range 5`, `area 2 within 5`; `-` without one."""
    if "area" in power:
        return f"area {power['area']} within {power['range']}"
    ways = [f"{way} {power[way]}" for way in WAYS if way in power]
    return " or ".join(ways) or NO_RANGE


def unusual_cost_and_trigger_words(power: PowerWritten) -> str:
    """Return a power's cost and trigger in words: `role action, 1 AP, once a fight`.

    An Attack Action isn't mentioned. The result is "" if there is nothing else to mention.
    """
    words = {"attack": [], "none": ["no action"], "interrupt": ["interrupt"]}.get(
        power["action"], [f"{power['action']} action"]
    )
    answers = trigger_in_words(power) if "on" in power else power.get("trigger", "")
    words = [*words, *([str(answers)] if answers else [])]
    words += [f"{power['ap']} AP"] if power.get("ap") else []
    words += [f"{power['hp']} HP"] if "hp" in power else []
    words += ["once a fight"] if power["usage"] == "encounter" else []
    words += [f"{power['uses']} times a fight"] if "uses" in power else []
    words += [f"returns on {power['recharge']} or more"] if "recharge" in power else []
    words += [f"{power['charges']} charges (rest: {power.get('back', 'long')})"] if "charges" in power else []
    return ", ".join(words)


def cost_and_effects_line(book: Rulebook, power: PowerWritten) -> str:
    """Return a power's cost and effects in one line.

    It is `-` for a power with neither, such as an attack that only does damage.
    """
    parts = []
    for part, when in PARTS.items():
        steps = "; ".join(
            step_in_words(book, _step_aimed_at_target_if_self_power(power, step))
            for step in power.get(part, ())
        )
        if steps:
            parts.append(f"{when}: {steps}" if when else steps)
    for bonus in power.get("bonus", ()):
        parts.append(f"+{bonus['amount']} damage{condition_words_on_sheet(book, bonus)}")
    return (
        ": ".join(words for words in (unusual_cost_and_trigger_words(power), "; ".join(parts)) if words)
        or "-"
    )


def _step_aimed_at_target_if_self_power(power: PowerWritten, step: StepTable) -> StepTable:
    """Return a step of a power, changed for a power that has only its user as target.

    In such a power, a step on the user becomes a step on the target. Then the words for the step leave out
    "oneself". Any other step is returned unchanged.
    """
    return {**step, "to": "target"} if power.get("who") == "self" and step["to"] == "self" else step


def aura_effects_in_words(book: Rulebook, aura: AuraWritten) -> str:
    """Return the effects of a creature's aura in words: `difficult, Shaky for enemies`; `-` for none."""
    words = ["difficult"] if aura.get("difficult") else []
    words += [str(aura["sight"])] if "sight" in aura else []
    words += ["cover"] if aura.get("cover") else []
    words += [str(book.statuses[aura["status"]]["name"])] if "status" in aura else []
    return ", ".join(words) + (f" for {aura['who']}" if "who" in aura else "") or "-"


def power_details_in_one_line(book: Rulebook, power: PowerWritten) -> str:
    """Return a power in a line: its range, damage, cost and effects."""
    damage = f", {power['damage']} damage" if "damage" in power else ""
    far = reach_range_and_area_words(power) if damage or reach_range_and_area_words(power) != NO_RANGE else ""
    return (
        f"{far}{damage}. {cost_and_effects_line(book, power)}" if far else cost_and_effects_line(book, power)
    )
