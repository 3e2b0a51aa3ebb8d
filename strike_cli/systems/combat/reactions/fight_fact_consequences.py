"""Consequences of facts in a fight: reactions, statuses that a fact ends, and postponed damage.

Every command of a fight runs under an engine. The engine reads the command's facts and plays the reactions to
them. The rules of attacking and moving therefore need no knowledge of statuses. A reaction may trigger
others, up to a limited depth, but never itself.

Powers can react to an event before or just after it happens (`steps.REACTION_EVENTS`). The affected creature
is asked first, then the others in turn order, once for each power and event. Nothing reacts to a reaction
with a power. `power_reactions` plays these reactions; it is imported only when one is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Args, Choose, Data, Happen, Happened, Procedure, World, as_driven
from strike_cli.registry.fact_follower import EventResponses, Play
from strike_cli.tabletop.active_effects import ActiveEffect, Reaction, reactions_of_effect, reactions_to

from ..board.sight_and_hiding import end_or_expose_hiding_of_seen, reveal_all_exposed_during_action
from ..facts.harm import TakenOut
from ..facts.statuses import StatusAdded, StatusEnded, StatusGaining
from ..facts.turns_and_actions import ActionTaken
from ..fight_state import Fight, combatants_in
from ..health_and_statuses import (
    Status,
    deal_postponed_damage,
    end_status,
    has_incapacitated_status_or_is_out,
    statuses_given_to,
)
from ..rule_numbers import combat_numbers
from ..steps import REACTION_EVENTS
from .reaction_events_and_moments import (
    MOMENTS_OF_ZONE_FACTS,
    Moment,
    PlayReactions,
    ReactionEvent,
    moments_brought_by,
    reaction_powers,
)
from .status_and_trait_reactions import (
    play_reaction_steps,
    reaction_condition_is_met,
    record_done_in_period,
    state_key_for,
    was_done_in_period,
)

if TYPE_CHECKING:
    from strike_cli.kernel.procedure import T as Kept

    from ..data import OpportunityData


CHOICES_KEPT_BY_COMBATANT = ("tokens", "answer", "order", "regain")
"""Kinds of choices that a combatant makes itself, even if another decides its turn (STR-TAC-25)."""


class FightFollower(EventResponses):
    """The follower of a fight's facts, which plays their consequences."""

    def middleware(self, play: Play) -> Play:
        """Return a function that plays a command together with everything that its facts trigger."""

        def play_with_engine(world: World, args: Args) -> Procedure[Data]:
            return _ConsequencePlayer(world).play_command_with_reactions(play(world, args))

        return play_with_engine

    def update_fog(self, world: World, before: Mapping[str, object] | None) -> Procedure[None]:
        """Record the squares of the map that the party has newly seen (STR-TAC-22)."""
        from ..board.fog import record_newly_seen_squares

        return record_newly_seen_squares(world, before)


class _ConsequencePlayer:
    def __init__(self, world: World) -> None:
        self.world = world
        self.chain: list[tuple[str, str, int]] = []
        self.attackers: list[str] = []
        self.opportunities: list[OpportunityData] = []
        self.answering = False

    def play_command_with_reactions(self, procedure: Procedure[Data]) -> Procedure[Data]:
        """Play a command to its end with all its consequences, and return its data.

        Reactions may have led to Opportunities. If the data has a list `opportunities`, they are added to it.
        """
        data: Data = yield from self.play_with_consequences(procedure)
        if self.world.state.get("fight"):
            yield from self.play_with_consequences(self._play_end_of_command())
            yield from reveal_all_exposed_during_action(self.world)
        if "opportunities" in data:
            taken = [*cast("list[object]", data["opportunities"]), *self.opportunities]
            data = {**data, "opportunities": taken}
        return data

    def play_with_consequences(self, procedure: Procedure[Kept]) -> Procedure[Kept]:
        """Play a procedure with the consequences of its facts.

        The consequences of a fact are played right after the fact. Questions of the procedure are passed on
        to the caller.
        """
        playing = as_driven(procedure)
        answer: object = None
        try:
            while True:
                question = playing.send(answer)
                if type(question) is Happen:
                    fact = question.fact
                    yield (
                        self._mark_with_decider(question) if isinstance(fact.told, ActionTaken) else question
                    )
                    yield from self._play_consequences(fact)
                    answer = self.world.state
                elif type(question) is PlayReactions:
                    yield from self._play_reactions_to_event(question.coming)
                    answer = None
                else:
                    answer = (
                        yield self._address_turn_choice_to_decider(question)
                        if type(question) is Choose
                        else question
                    )
        except StopIteration as end:
            kept: Kept = end.value
            return kept

    # Decisions

    def _mark_with_decider(self, happen: Happen) -> Happen:
        """Return the fact of an action, marked with the creature that decided it.

        The fact stays unmarked if the acting creature decides for itself.
        """
        decider = Fight(self.world).decider(happen.fact.who)
        if decider == happen.fact.who:
            return happen
        return Happen(happen.fact.attributed_to(decided_by=decider))

    def _address_turn_choice_to_decider(self, question: Choose) -> Choose:
        """Return a choice of the active combatant, addressed to the creature that decides its turn.

        Choices of other combatants are returned unchanged. So are choices of the kinds in
        CHOICES_KEPT_BY_COMBATANT.
        """
        if question.kind in CHOICES_KEPT_BY_COMBATANT or question.who != self.world.get("fight.active"):
            return question
        return question.but(who=Fight(self.world).decider(question.who))

    # Before a fact

    def _play_reactions_to_event(self, event: ReactionEvent) -> Procedure[None]:
        """Play the reactions to an event: first those of statuses and traits, then those of powers.

        Statuses and traits react here only to an event that is about to happen. They belong to the affected
        creature or, if no creature is affected, to the one that causes the event. If the event has happened
        (`hit`, `missed`), only powers react here. Statuses and traits then react to the fact that reports the
        event.
        """
        holder, other = (event.befallen, event.doer) if event.befallen else (event.doer, "")
        if REACTION_EVENTS[event.kind].steps and holder in combatants_in(self.world.state):
            for reaction in reactions_to(self.world, holder, event.kind):
                if not event.has_nothing_left_to_react_to:
                    yield from self._play_reaction_if_it_applies(
                        reaction, Moment(event.kind, holder, other, coming=event)
                    )
        if self.answering or event.kind not in reaction_powers(self.world):
            return
        from .power_reactions import may_any_power_react, play_power_reactions

        if may_any_power_react(self.world, event):
            self.answering = True
            yield from self.play_with_consequences(play_power_reactions(self.world, event))
            self.answering = False

    # After a fact

    def _play_consequences(self, fact: Happened) -> Procedure[None]:
        told, kind = fact.told, fact.kind
        if isinstance(told, StatusGaining):
            yield from self._play_own_reactions_of_gained_status(told)
        elif kind in MOMENTS_OF_ZONE_FACTS:
            yield from self._play_zone_status_reactions(fact)
        for moment in moments_brought_by(self.world.book, fact):
            yield from self._play_consequences_of_moment(moment)
        if isinstance(told, (StatusAdded, TakenOut)) or kind == "left":
            yield from self._end_effects_of_fallen_combatant(fact.who, gone=not isinstance(told, StatusAdded))
        if kind == "zone-removed" or (isinstance(told, StatusEnded) and self._hides_bearer(told.status)):
            yield from end_or_expose_hiding_of_seen(self.world)

    def _play_consequences_of_moment(self, moment: Moment) -> Procedure[None]:
        """Play what a moment causes for its holder, the creature that it happens to.

        The effects come in this order:

        - If the creature has moved, the zones that move with it follow.
        - The creature's statuses and traits react.
        - Those of its statuses end that last until this moment. If the moment is an attack, they end only at
          the end of the command.
        - If the creature has moved, statuses that require nearness can end.
        """
        holder, kind = moment.holder, moment.kind
        if kind == "attacks":
            self.attackers.append(holder)
        if kind == "moved":
            yield from self._move_zones_with(holder)
        if holder not in combatants_in(self.world.state):
            return
        for reaction in reactions_to(self.world, holder, kind):
            yield from self._play_reaction_if_it_applies(reaction, moment)
        if kind != "attacks":
            yield from _end_statuses_with_fact(self.world, holder, kind)
        if kind == "moved":
            yield from _end_statuses_out_of_reach(self.world, holder)

    def _end_effects_of_fallen_combatant(self, combatant: str, *, gone: bool) -> Procedure[None]:
        if not has_incapacitated_status_or_is_out(self.world, combatant):
            return
        # The statuses that it sustained end (gap B-25).
        for holder, status in list(_statuses_given_by(self.world, combatant)):
            if _ends_with_fact(self.world, status, "giver-down"):
                yield from end_status(self.world, holder, status["id"], only=status)
        if gone and self._has_summoned(combatant):
            from ..encounter.joining_and_leaving import dismiss_summons_bound_to_summoner  # few ever need it

            yield from self.play_with_consequences(dismiss_summons_bound_to_summoner(self.world, combatant))

    def _move_zones_with(self, combatant: str) -> Procedure[None]:
        if Fight(self.world).zones_moving_with(combatant):
            from ..board.zones import move_zones_along

            yield from self.play_with_consequences(move_zones_along(self.world, combatant))

    def _has_summoned(self, combatant: str) -> bool:
        people = combatants_in(self.world.state).values()
        return any("summoned" in one and one["summoned"]["by"] == combatant for one in people)

    def _play_zone_status_reactions(self, fact: Happened) -> Procedure[None]:
        """Play the reactions of a zone's status after the fact `fact`, for the creature in the fact.

        The fact says that the creature enters or leaves the zone, or stands in it while the zone ends. The
        creature need not have the status itself.
        """
        status, key = str(fact.details["status"]), str(fact.details["zone"])
        by = self.world.get(f"fight.zones.{key}.by", "")
        held = ActiveEffect(status, self.world.book.statuses[status], {"id": status, "by": by, "zone": key})
        for reaction in reactions_of_effect(held, MOMENTS_OF_ZONE_FACTS[fact.kind]):
            yield from self._play_reaction_if_it_applies(
                reaction, Moment(MOMENTS_OF_ZONE_FACTS[fact.kind], fact.who)
            )

    def _hides_bearer(self, status: str) -> bool:
        return any(ban["action"] == "seen" for ban in self.world.book.statuses[status]["bans"])

    def _play_own_reactions_of_gained_status(self, fact: StatusGaining) -> Procedure[None]:
        held = ActiveEffect(fact.status, self.world.book.statuses[fact.status], {"by": fact.by})
        for reaction in reactions_of_effect(held, "gaining"):
            yield from self._play_reaction_if_it_applies(reaction, Moment("gaining", fact.who))

    def _play_reaction_if_it_applies(self, reaction: Reaction, moment: Moment) -> Procedure[None]:
        key = (moment.holder, reaction.held.id, reaction.number)
        deepest = combat_numbers()["reactions"]["depth"]
        fight = Fight(self.world)
        if key in self.chain or len(self.chain) >= deepest or fight.is_out(moment.holder):
            return
        if not reaction_condition_is_met(fight, reaction, moment) or self._is_echo_that_reaction_forbids(
            reaction
        ):
            return
        if "once" in reaction.definition:
            word, once = state_key_for(*key), reaction.definition["once"]
            if was_done_in_period(self.world, word, once):
                return
            yield from record_done_in_period(self.world, moment.holder, word, once)
        self.chain.append(key)
        played = _play_marking_facts_with_trait_owner(
            play_reaction_steps(self.world, moment, reaction), moment, reaction
        )
        self.opportunities += yield from self.play_with_consequences(played)
        self.chain.pop()

    def _is_echo_that_reaction_forbids(self, reaction: Reaction) -> bool:
        """Return whether a reaction must not be played because the same reaction is being played already.

        Only reactions with `echoes = false` are forbidden in this way. The reaction that is being played may
        be another creature's.
        """
        own = (reaction.held.id, reaction.number)
        return not reaction.definition.get("echoes", True) and any(key[1:] == own for key in self.chain)

    # At the end of a command

    def _play_end_of_command(self) -> Procedure[None]:
        for combatant in self.attackers:
            yield from _end_statuses_with_fact(self.world, combatant, "attacks")
        if Fight(self.world).actions_taken():
            yield from deal_postponed_damage(self.world)


def _play_marking_facts_with_trait_owner(
    procedure: Procedure[list[OpportunityData]], moment: Moment, reaction: Reaction
) -> Procedure[list[OpportunityData]]:
    """Play a reaction. If it comes from a trait, mark its facts with the creature that has the trait.

    Only facts about other creatures are marked. Without the mark, a fact could reveal that a Hidden creature
    with this trait is there.
    """
    playing = as_driven(procedure)
    answer: object = None
    try:
        while True:
            question = playing.send(answer)
            if type(question) is Happen and not reaction.held.instance and question.fact.who != moment.holder:
                question = Happen(question.fact.attributed_to(trait_of=moment.holder))
            answer = yield question
    except StopIteration as over:
        taken: list[OpportunityData] = over.value
        return taken


# Statuses that a fact ends


def _ends_with_fact(world: World, status: Status, fact: str) -> bool:
    return status.get("until") == fact or fact in world.book.statuses[status["id"]]["ends_when"]


def _end_statuses_with_fact(world: World, combatant: str, fact: str) -> Procedure[None]:
    for status in statuses_given_to(world, combatant):
        if _ends_with_fact(world, status, fact):
            yield from end_status(world, combatant, status["id"], only=status)


def _statuses_given_by(world: World, giver: str) -> Iterator[tuple[str, Status]]:
    for holder in Fight(world).still_in_fight():
        for status in statuses_given_to(world, holder):
            if status.get("by") == giver:
                yield holder, status


def _end_statuses_out_of_reach(world: World, mover: str) -> Procedure[None]:
    """End statuses that last only while their bearer is in their giver's reach, after `mover` has moved.

    Only the statuses that `mover` has or gave are checked.
    """
    own = [(mover, status) for status in statuses_given_to(world, mover) if "by" in status]
    for holder, status in [*own, *_statuses_given_by(world, mover)]:
        giver = status["by"]
        if _ends_with_fact(world, status, "apart") and _is_out_of_reach(Fight(world), giver, holder):
            yield from end_status(world, holder, status["id"], only=status)


def _is_out_of_reach(fight: Fight, giver: str, holder: str) -> bool:
    placed = all(
        combatant in fight.data["combatants"] and fight.is_on_map(combatant) for combatant in (giver, holder)
    )
    return not placed or fight.gap(giver, holder) > fight.reach(giver)
