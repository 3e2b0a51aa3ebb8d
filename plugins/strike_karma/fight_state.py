"""The fight under way, as stored in the state: initiative and uncompleted actions (CIN-03 to 09)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from strike_cli.plugin import Refused, Sets, listed
from strike_cli.plugin.board import turns_taken
from strike_cli.plugin.refusals import OutOfScene, TemplateRefusal
from strike_cli.plugin.tactics import Combat

if TYPE_CHECKING:
    from .data import KarmaPerson, KarmaScene, KeptConditional, KeptDelayed
else:
    KarmaPerson = KarmaScene = object


class RoundIsOver(TemplateRefusal, Refused):
    """Raised if a move isn't possible because everybody has acted in this round."""

    number: int
    hint: str = "`strike karma round` goes on."

    says = "Round {number} is over."


OPEN, PASSING, OVER = "open", "acted", "over"
"""The stages of a segment.

OPEN: the holder of the initiative has not declared an action. PASSING: the holder has acted, and passes the
initiative. OVER: it was the last segment, and the round has to end.
"""


class KarmaFight(Combat[KarmaScene, KarmaPerson]):
    """The current fight, read from the state. Creating it raises Refused if there is none."""

    key, title = "karma", "by passed initiative"

    @property
    def segment(self) -> int:
        """The number of the current segment, counted from the start of the round."""
        return int(self.data["segment"])

    @property
    def stage(self) -> str:
        """The stage of the current segment: OPEN, PASSING or OVER."""
        return str(self.data["stage"])

    @property
    def initiative_holder(self) -> str | None:
        """The combatant who has the initiative; None between rounds, or if the holder left the fight."""
        return self.data.get("active")

    def name_and_verb(self, combatant: str, verb: str) -> str:
        """Return a combatant's name with the verb in its right form: `Vex has`, but `Thugs have` for a group.

        For a group, verbs other than "has" and "is" simply lose their final "s".
        """
        many = {"has": "have", "is": "are"}.get(verb, verb.removesuffix("s"))
        return f"{self.name(combatant)} {many if self.is_group(combatant) else verb}"

    def require_present(self, combatant: str) -> KarmaPerson:
        """Return a combatant's data. Raises OutOfScene for a combatant who has left the fight."""
        one = self.person(combatant)
        if "out" in one:
            raise OutOfScene(one["name"], one["out"], f"There: {listed(self.combatants_there())}.")
        return one

    def uncompleted_action(self, combatant: str, kind: str) -> KeptDelayed | KeptConditional | None:
        """Return a combatant's uncompleted action of a kind, "delayed" or "conditional"; None without one."""
        one = self.people[combatant]
        return one.get("delayed_action") if kind == "delayed" else one.get("conditional_action")

    # Turns

    def turns_taken(self, combatant: str) -> int:
        """Return how many turns a combatant has had in this round; a group may have had several."""
        return turns_taken(self.people[combatant], self.round)

    def turns_left(self, combatant: str) -> int:
        """Return how many turns a combatant has left in this round; 0 for one who has left the fight.

        A delayed action from an earlier round takes up one turn until it is completed (CIN-05).
        """
        if "out" in self.people[combatant]:
            return 0
        return max(
            0,
            turns_per_round(self.people[combatant])
            - self.turns_taken(combatant)
            - self.has_carried_over_delayed_action(combatant),
        )

    def has_carried_over_delayed_action(self, combatant: str) -> bool:
        """Return whether a combatant is busy with a delayed action from an earlier round."""
        delayed = self.people[combatant].get("delayed_action")
        return delayed is not None and bool(delayed["round"] < self.round)

    def combatants_able_to_act(self) -> list[str]:
        """Return everybody who can still act in this round (CIN-03)."""
        return [combatant for combatant in self.combatants_there() if self.turns_left(combatant)]

    def possible_starters_of_next_round(self) -> list[str]:
        """Return those who may begin the next round: everybody who has no uncompleted action (CIN-03)."""
        return [
            combatant
            for combatant in self.combatants_there()
            if not has_uncompleted_action(self.people[combatant])
        ]

    def is_group(self, combatant: str) -> bool:
        """Return whether a combatant is a group of creatures that share one card (CIN-10)."""
        return "count" in self.people.get(combatant, {})

    def next_holders_or_next_round_starters(self) -> list[str]:
        """Return the combatants to whom the holder may pass the initiative after this segment's action.

        They are the combatants who can still act in this round. If this action is the holder's last turn, the
        holder is left out. If others can still act, the holder is also left out, except if the holder is a
        group.

        If nobody is left, the result is the combatants who may begin the next round.
        """
        able, holder = self.combatants_able_to_act(), self.initiative_holder
        if holder in able:
            is_done = self.turns_left(holder) == 1 and self.stage == OPEN
            if is_done or (len(able) > 1 and "count" not in self.people[holder]):
                able.remove(holder)
        return able or self.possible_starters_of_next_round()

    def hold_receivers(self, combatant: str) -> list[str]:
        """Return the combatants to whom a combatant may pass the initiative after holding an action (CIN-04).

        They are the opponents who can still act. If there are none, they are the allies who can still act.
        """
        others = [other for other in self.combatants_able_to_act() if other != combatant]
        side = self.people[combatant].get("side")
        return [other for other in others if self.people[other].get("side") != side] or others

    def combatants_with_due_action(self) -> list[str]:
        """Return the combatants whose delayed actions take effect now, before anybody acts (CIN-05)."""
        at = {
            combatant: self.people[combatant].get("delayed_action", {}).get("due")
            for combatant in self.combatants_there()
        }
        return (
            []
            if self.stage == OVER
            else [combatant for combatant, n in at.items() if n and n <= self.segment]
        )

    # Conditions for a move

    def must_have_no_due_action(self) -> None:
        """Raise Refused if a delayed action is due, since due actions take effect before anything else."""
        if due := self.combatants_with_due_action():
            what = self.people[due[0]]["delayed_action"]["what"]
            raise Refused(
                f"{self.name(due[0])} first: {what} takes effect as segment {self.segment} begins.",
                f"`strike karma complete {due[0]}`, or abandon it.",
            )

    def must_be_free_to_declare(self, combatant: str) -> KarmaPerson:
        """Return a combatant's data if the combatant may declare an action now; otherwise raise an error.

        A combatant may declare an action if they hold the initiative and have not acted in this segment. But
        if a delayed action is due, it must be completed or abandoned first. After the last segment of the
        round, RoundIsOver is raised. If the combatant may not declare an action for another reason, Refused
        is raised.
        """
        one = self.require_present(combatant)
        if self.stage == OVER:
            raise RoundIsOver(self.round)
        if combatant != self.initiative_holder:
            has = (
                self.name_and_verb(self.initiative_holder, "has") if self.initiative_holder else "Nobody has"
            )
            raise Refused(f"{has} the initiative.", self._next_hint())
        if self.stage == PASSING:
            raise Refused(f"{self.name_and_verb(combatant, 'has')} acted in this segment.", self._next_hint())
        self.must_have_no_due_action()
        return one

    def _next_hint(self) -> str:
        if self.stage == OPEN:
            return f"`strike karma act {self.initiative_holder}`, or hold, delay, when."
        return f"`strike karma pass WHO`: {listed(self.next_holders_or_next_round_starters())}."

    # Changes for facts

    def sets_turn_used_and_holds_cleared(self, combatant: str) -> Sets:
        """Return the changes that use up one of a combatant's turns (CIN-10).

        With these changes, every combatant may hold again. If the combatant has the initiative, the stage
        becomes PASSING.
        """
        sets = self.sets(combatant, acted=self.round, held=None)
        if turns_per_round(self.people[combatant]) > 1:
            sets |= self.sets(combatant, taken=self.turns_taken(combatant) + 1)
        if combatant == self.initiative_holder:
            sets["karma.stage"] = PASSING
        return {**sets, **self.sets_holds_cleared()}

    def sets_holds_cleared(self) -> Sets:
        """Return the change after which every combatant may hold again (CIN-04)."""
        return {"karma.holds": None}


def turns_per_round(person: KarmaPerson) -> int:
    """Return how many turns a combatant has in a round; a group has the turns of all its members."""
    return int(person.get("turns", 1)) * int(person.get("count", 1))


def description_unless_secret(action: Mapping[str, object]) -> str:
    """Return an uncompleted action in words that everybody may read; "" for a secret action."""
    return "" if action.get("secret") else str(action["what"])


def has_uncompleted_action(person: KarmaPerson) -> bool:
    """Return whether a combatant has a delayed or a conditional action."""
    return "delayed_action" in person or "conditional_action" in person
