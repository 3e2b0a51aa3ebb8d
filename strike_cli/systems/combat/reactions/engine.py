"""Consequences of facts in a fight: reactions of statuses, statuses that a fact ends, and damage put off.

Every command of a fight is played under an engine. The engine watches the facts and plays the reactions that
they trigger, so that the rules of attacking and moving need not know any status. Reactions may trigger
others, to a limited depth and never themselves.

There are also reactions with powers to an event that is about to happen or has just happened (steps.ANSWERS).
The creature affected is asked first, then the others in turn order, once for each power and event, as long as
there is something left to react to. Nothing reacts to such a reaction. They are played by `power_reactions`,
which most commands never import, since it needs everything that the use of a power needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Args, Choose, Data, Happen, Happened, Procedure, World, as_driven
from strike_cli.registry.fact_follower import Follower, Play
from strike_cli.tabletop.status_effects import ActiveEffect, Reaction, reactions_of, reactions_to

from ..board.sight import end_of_action, look_around
from ..facts.harm import TakenOut
from ..facts.statuses import StatusAdded, StatusEnded, StatusGaining
from ..facts.turns import ActionTaken
from ..fight import Fight, combatants_in
from ..harm import Status, end_status, is_down, play_due_damage, statuses_of
from ..numbers import numbers
from ..steps import ANSWERS
from .reactions import carry_out, is_done, mark_done, reaction_applies, word_for
from .triggers import PASSING, Before, Impending, Moment, moments_of, reaction_powers

if TYPE_CHECKING:
    from strike_cli.kernel.procedure import T as Kept

    from ..data import OpportunityData


THEIR_OWN = ("tokens", "answer", "order", "regain")
"""Kinds of choices that a combatant makes itself, even if another decides its turn (STR-TAC-25)."""


class FightFollower(Follower):
    """The follower of a fight's facts, which plays their consequences."""

    def middleware(self, play: Play) -> Play:
        """Return a command together with everything that its facts trigger."""

        def played(world: World, args: Args) -> Procedure[Data]:
            return _Engine(world).play(play(world, args))

        return played

    def update_fog(self, world: World, before: Mapping[str, object] | None) -> Procedure[None]:
        """Record the squares of the map that the party has newly seen (STR-TAC-22)."""
        from ..board.fog import record_sight

        return record_sight(world, before)


class _Engine:
    def __init__(self, world: World) -> None:
        self.world = world
        self.chain: list[tuple[str, str, int]] = []
        self.attackers: list[str] = []
        self.opportunities: list[OpportunityData] = []
        self.answering = False

    def play(self, procedure: Procedure[Data]) -> Procedure[Data]:
        """Play a command to its end, with all consequences.

        Opportunities from reactions are added to its data.
        """
        data: Data = yield from self.watch(procedure)
        if self.world.state.get("fight"):
            yield from self.watch(self._end_of_command())
            yield from end_of_action(self.world)
        if "opportunities" in data:
            taken = [*cast("list[object]", data["opportunities"]), *self.opportunities]
            data = {**data, "opportunities": taken}
        return data

    def watch(self, procedure: Procedure[Kept]) -> Procedure[Kept]:
        """Pass a procedure's questions on, and play the consequences of each fact right after it."""
        playing = as_driven(procedure)
        answer: object = None
        try:
            while True:
                question = playing.send(answer)
                if type(question) is Happen:
                    fact = question.fact
                    yield self._sign_fact(question) if isinstance(fact.told, ActionTaken) else question
                    yield from self._follow(fact)
                    answer = self.world.state
                elif type(question) is Before:
                    yield from self._play_answers(question.coming)
                    answer = None
                else:
                    answer = yield self._addressed(question) if type(question) is Choose else question
        except StopIteration as end:
            kept: Kept = end.value
            return kept

    # Decisions

    def _sign_fact(self, question: Happen) -> Happen:
        """Return the fact of an action, marked with the creature that decided it if that isn't the actor."""
        decider = Fight(self.world).decider(question.fact.who)
        if decider == question.fact.who:
            return question
        return Happen(question.fact.signed_by(decided_by=decider))

    def _addressed(self, question: Choose) -> Choose:
        """Return a choice, addressed to the creature that decides the active combatant's turn.

        Choices that a combatant always makes itself (THEIR_OWN) stay with it.
        """
        if question.kind in THEIR_OWN or question.who != self.world.get("fight.active"):
            return question
        return question.but(who=Fight(self.world).decider(question.who))

    # Before a fact

    def _play_answers(self, coming: Impending) -> Procedure[None]:
        """Play the reactions to an event before it becomes a fact.

        First come statuses and traits of the creature affected or, if there is none, of the one that causes
        it; then powers. If the event is over already (`hit`, `missed`), only powers react here, since
        statuses react to the fact.
        """
        holder, other = (coming.befallen, coming.doer) if coming.befallen else (coming.doer, "")
        if ANSWERS[coming.kind].steps and holder in combatants_in(self.world.state):
            for reaction in reactions_to(self.world, holder, coming.kind):
                if not coming.is_over:
                    yield from self._play_reaction(
                        reaction, Moment(coming.kind, holder, other, coming=coming)
                    )
        if self.answering or coming.kind not in reaction_powers(self.world):
            return
        from .power_reactions import is_ready, play_reactions

        if is_ready(self.world, coming):
            self.answering = True
            yield from self.watch(play_reactions(self.world, coming))
            self.answering = False

    # After a fact

    def _follow(self, fact: Happened) -> Procedure[None]:
        told, kind = fact.told, fact.kind
        if isinstance(told, StatusGaining):
            yield from self._gaining(told)
        elif kind in PASSING:
            yield from self._passing(fact)
        for moment in moments_of(self.world.book, fact):
            yield from self._react(moment)
        if isinstance(told, (StatusAdded, TakenOut)) or kind == "left":
            yield from self._handle_fall(fact.who, gone=not isinstance(told, StatusAdded))
        if kind == "zone-removed" or (isinstance(told, StatusEnded) and self._hid(told.status)):
            yield from look_around(self.world)

    def _react(self, moment: Moment) -> Procedure[None]:
        """Play the reactions of a creature's statuses at a moment, and end the statuses that last until then.

        Statuses that last until an attack end when the attack is over.
        """
        holder, kind = moment.holder, moment.kind
        if kind == "attacks":
            self.attackers.append(holder)
        if kind == "moved":
            yield from self._go_along(holder)
        if holder not in combatants_in(self.world.state):
            return
        for reaction in reactions_to(self.world, holder, kind):
            yield from self._play_reaction(reaction, moment)
        if kind != "attacks":
            yield from _end_with_fact(self.world, holder, kind)
        if kind == "moved":
            yield from _end_out_of_reach(self.world, holder)

    def _handle_fall(self, combatant: str, *, gone: bool) -> Procedure[None]:
        if not is_down(self.world, combatant):
            return
        # The statuses that it sustained end (gap B-25).
        for holder, status in list(_statuses_given_by(self.world, combatant)):
            if _ends_with_fact(self.world, status, "giver-down"):
                yield from end_status(self.world, holder, status["id"], only=status)
        if gone and self._has_summoned(combatant):
            from ..encounter.reinforcements import follow_their_maker  # few ever need it

            yield from self.watch(follow_their_maker(self.world, combatant))

    def _go_along(self, combatant: str) -> Procedure[None]:
        """Move the zones that move with a creature."""
        if Fight(self.world).goes_along(combatant):
            from ..board.zones import move_zones_along

            yield from self.watch(move_zones_along(self.world, combatant))

    def _has_summoned(self, combatant: str) -> bool:
        people = combatants_in(self.world.state).values()
        return any("summoned" in one and one["summoned"]["by"] == combatant for one in people)

    def _passing(self, fact: Happened) -> Procedure[None]:
        """Play the reactions of a zone's status to a creature that enters, leaves, or is in it at its end.

        The creature need not have the status itself.
        """
        status, key = str(fact.details["status"]), str(fact.details["zone"])
        by = self.world.get(f"fight.zones.{key}.by", "")
        held = ActiveEffect(status, self.world.book.statuses[status], {"id": status, "by": by, "zone": key})
        for reaction in reactions_of(held, PASSING[fact.kind]):
            yield from self._play_reaction(reaction, Moment(PASSING[fact.kind], fact.who))

    def _hid(self, status: str) -> bool:
        return any(ban["action"] == "seen" for ban in self.world.book.statuses[status]["bans"])

    def _gaining(self, fact: StatusGaining) -> Procedure[None]:
        """Play the reactions of a status that a creature is about to gain."""
        held = ActiveEffect(fact.status, self.world.book.statuses[fact.status], {"by": fact.by})
        for reaction in reactions_of(held, "gaining"):
            yield from self._play_reaction(reaction, Moment("gaining", fact.who))

    def _play_reaction(self, reaction: Reaction, moment: Moment) -> Procedure[None]:
        key = (moment.holder, reaction.held.id, reaction.number)
        deepest = numbers()["reactions"]["depth"]
        fight = Fight(self.world)
        if key in self.chain or len(self.chain) >= deepest or fight.is_out(moment.holder):
            return
        if not reaction_applies(fight, reaction, moment) or self._is_echo(reaction):
            return
        if "once" in reaction.does:
            word, once = word_for(*key), reaction.does["once"]
            if is_done(self.world, word, once):
                return
            yield from mark_done(self.world, moment.holder, word, once)
        self.chain.append(key)
        played = _play_trait_reaction(carry_out(self.world, moment, reaction), moment, reaction)
        self.opportunities += yield from self.watch(played)
        self.chain.pop()

    def _is_echo(self, reaction: Reaction) -> bool:
        """Return whether a reaction that must not trigger itself was triggered by the same status."""
        own = (reaction.held.id, reaction.number)
        return not reaction.does.get("echoes", True) and any(key[1:] == own for key in self.chain)

    # At the end of a command

    def _end_of_command(self) -> Procedure[None]:
        for combatant in self.attackers:
            yield from _end_with_fact(self.world, combatant, "attacks")
        if Fight(self.world).actions_taken():
            yield from play_due_damage(self.world)


def _play_trait_reaction(
    procedure: Procedure[list[OpportunityData]], moment: Moment, reaction: Reaction
) -> Procedure[list[OpportunityData]]:
    """Play a reaction of a trait. Its facts about other creatures are marked with the trait's bearer.

    Otherwise the effects of a Hidden creature's trait would reveal it.
    """
    playing = as_driven(procedure)
    answer: object = None
    try:
        while True:
            question = playing.send(answer)
            if type(question) is Happen and not reaction.held.instance and question.fact.who != moment.holder:
                question = Happen(question.fact.signed_by(trait_of=moment.holder))
            answer = yield question
    except StopIteration as over:
        taken: list[OpportunityData] = over.value
        return taken


# Statuses that a fact ends


def _ends_with_fact(world: World, status: Status, fact: str) -> bool:
    return status.get("until") == fact or fact in world.book.statuses[status["id"]]["ends_when"]


def _end_with_fact(world: World, combatant: str, fact: str) -> Procedure[None]:
    for status in statuses_of(world, combatant):
        if _ends_with_fact(world, status, fact):
            yield from end_status(world, combatant, status["id"], only=status)


def _statuses_given_by(world: World, giver: str) -> Iterator[tuple[str, Status]]:
    for holder in Fight(world).in_the_fight():
        for status in statuses_of(world, holder):
            if status.get("by") == giver:
                yield holder, status


def _end_out_of_reach(world: World, mover: str) -> Procedure[None]:
    """End statuses that last while giver and bearer are within reach, after one of them has moved."""
    own = [(mover, status) for status in statuses_of(world, mover) if "by" in status]
    for holder, status in [*own, *_statuses_given_by(world, mover)]:
        giver = status["by"]
        if _ends_with_fact(world, status, "apart") and _is_out_of_reach(Fight(world), giver, holder):
            yield from end_status(world, holder, status["id"], only=status)


def _is_out_of_reach(fight: Fight, giver: str, holder: str) -> bool:
    placed = all(
        combatant in fight.data["combatants"] and fight.is_on_map(combatant) for combatant in (giver, holder)
    )
    return not placed or fight.gap(giver, holder) > fight.reach(giver)
