"""Steps that give or take HP, uses of powers, Action Points, Miss Tokens and Strikes; and notes."""

from __future__ import annotations

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.kernel.statements import Reason, Said
from strike_cli.tabletop.characters_and_names import gain_action_points

from ..facts.effects_and_causes import ByPower
from ..facts.powers_and_fight_events import RegainWhich
from ..fight_state import Fight, ids_by_last_part_or_whole_id
from ..health_and_statuses import give_miss_tokens, give_strikes, heal_combatant, would_heal_nothing
from ..powers.powers_and_targets import PowerUse, power_as_reason
from ..powers.standard_powers_and_use_limits import power_regained_fact
from ..powers.step_play_and_summaries import amount_with_unit_in_words, no_effect_note, note_naming_power
from .step import EffectStep


class ApStep(EffectStep):
    """A step that gives Action Points to a player's character."""

    amount: int = 1

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        fight = Fight(world)
        if fight.is_player(target):
            yield from gain_action_points(
                world, fight.combatant(target)["ref"], use.power["name"], self.amount
            )
        else:
            yield no_effect_note(world, use, target, "players")

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        return fight.is_player(target)

    def summarize(self, book: object) -> str:
        return "an Action Point" if self.amount == 1 else f"{self.amount_in_words(book)} Action Points"

    def describe(self, book: object, target: str) -> str:
        return f"{target} gains {self.summarize(book)}, if a player character"


class HealStep(EffectStep):
    """Healing, up to the target's maximum (STR-TAC-15)."""

    amount: int

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        yield from heal_combatant(world, target, self.amount, power_as_reason(use.power, use.who))

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        """Return whether healing would change anything.

        It would if HP are missing, or if the amount is enough to restore a lost box. An amount that is only
        measured in play is assumed to be enough.
        """
        if isinstance(self.amount, int):
            return not would_heal_nothing(fight, target, self.amount)
        combatant = fight.combatant(target)
        return combatant["hp"] < combatant["max_hp"]

    def summarize(self, book: object) -> str:
        return f"heals {self.amount_in_words(book)}"

    def describe(self, book: object, target: str) -> str:
        """Return the step in the words of an explanation: `the target regains 3 HP`."""
        return f"{target} regains {amount_with_unit_in_words(book, self.table['amount'], 'HP')}"


class RegainStep(EffectStep):
    """A step that restores a spent Encounter power of the target's class (STR-TAC-13)."""

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        fight = Fight(world)
        words = ids_by_last_part_or_whole_id(spent_encounter_powers_of_class(fight, target))
        if not words:
            return  # none is used, so there is nothing to report
        labels = tuple(map(ByPower, words.values()))
        answer, *others = words
        if others:
            about = RegainWhich(target)
            answer = yield Choose(target, "regain", tuple(words), labels, kind="regain", about=about)
        yield power_regained_fact(fight, target, words[answer])

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        """Return whether the target has spent an Encounter power that belongs to its class."""
        return bool(spent_encounter_powers_of_class(fight, target))

    def summarize(self, book: object) -> str:
        return "an Encounter power again"

    def describe(self, book: object, target: str) -> str:
        return f"{target} may use one spent Encounter power of the class again"


def spent_encounter_powers_of_class(fight: Fight, combatant: str) -> list[str]:
    """Return the ids of the spent Encounter powers that a combatant has from its class (STR-TAC-13)."""
    used: list[str] = fight.combatant(combatant).get("used", [])
    return [power for power in used if fight.world.book.powers[power]["kind"] == "class"]


class TokenStep(EffectStep):
    """A step that gives Miss Tokens to a player's character."""

    amount: int = 1

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        if Fight(world).is_player(target):
            yield from give_miss_tokens(world, target, self.amount)
        else:
            yield no_effect_note(world, use, target, "players")

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        return fight.is_player(target)

    def summarize(self, book: object) -> str:
        return "a Miss Token" if self.amount == 1 else f"{self.amount_in_words(book)} Miss Tokens"

    def describe(self, book: object, target: str) -> str:
        return f"{target} gets {self.summarize(book)}, if a player character"


class StrikeStep(EffectStep):
    """A step that gives Strikes to the target, if the target is a player's character."""

    amount: int = 1

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        if Fight(world).is_player(target):
            yield from give_strikes(world, target, power_as_reason(use.power, use.who), self.amount)
        else:
            yield no_effect_note(world, use, target, "players")

    def has_effect_on(self, fight: Fight, use: PowerUse, target: str) -> bool:
        return fight.is_player(target)

    def summarize(self, book: object) -> str:
        return "a Strike" if self.amount == 1 else f"{self.amount_in_words(book)} Strikes"

    def describe(self, book: object, target: str) -> str:
        return f"{target} takes {self.summarize(book)}, if a player character"


class NoteStep(EffectStep):
    """A note about something that the players carry out themselves."""

    text: str

    def play(self, world: World, use: PowerUse, target: str) -> Procedure[None]:
        yield note_naming_power(world, use, target, self.table.get("said") or Said(self.text))

    def summarize(self, book: object) -> str:
        return str(self.text)

    def describe(self, book: object, target: str) -> str:
        return f"the table plays: {self.text.rstrip('.')}"

    def label(self, fight: Fight, use: PowerUse, target: str) -> Reason:
        """Return the note without its final full stop, for use within a question."""
        return self.table.get("said") or Said(self.text.rstrip("."))
