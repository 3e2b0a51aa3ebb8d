"""What follows from facts in a fight: reactions of statuses, statuses that a fact ends, damage that waited.

Every command of a fight is played under `with_reactions`. It watches the facts go by and queues what they
set off, so that no rule of attacking or moving has to know which statuses there are. Reactions may set off
others, to a limited depth and never themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from strike_cli.kernel.procedure import Choose, Fact, Happen, Procedure, World
from strike_cli.tabletop.contributions import Held, Reaction, ban_on, decider_for, reactions_of, reactions_to

from .fight import Fight, path_of
from .harm import add_status, end_status, given_status, heal, hurt, is_down, would_fall
from .hide import end_of_action, look_around
from .numbers import numbers
from .opportunity import opportunity

Play = Callable[[World, Mapping[str, Any]], Procedure[dict[str, Any]]]


def with_reactions(play: Play) -> Play:
    """The same command, with all that its facts set off."""

    def played(world: World, args: Mapping[str, Any]) -> Procedure[dict[str, Any]]:
        return _Engine(world).play(play(world, args))

    return played


class Moment(NamedTuple):
    """Something that somebody's statuses may react to. `other` is who stands on the other side of it,
    `targets` are those of an attack."""

    kind: str
    holder: str
    other: str = ""
    targets: tuple[str, ...] = ()


class _Engine:
    def __init__(self, world: World) -> None:
        self.world = world
        self.chain: list[tuple[str, str, int]] = []
        self.attackers: list[str] = []
        self.opportunities: list[dict[str, Any]] = []

    def play(self, procedure: Procedure[dict[str, Any]]) -> Procedure[dict[str, Any]]:
        """A command to its end, with what comes after it."""
        data: dict[str, Any] = yield from self.watch(procedure)
        if self.world.state.get("fight"):
            yield from self.watch(self._afterwards())
            yield from end_of_action(self.world)
        if self.opportunities and "opportunities" in data:
            data["opportunities"] = [*data["opportunities"], *self.opportunities]
        return data

    def watch(self, procedure: Procedure[Any]) -> Procedure[Any]:
        """Pass a procedure's questions on, and play what its facts set off right after each."""
        answer: Any = None
        try:
            while True:
                question = procedure.send(answer)
                if type(question) is Happen:
                    yield self._signed(question)
                    yield from self._follow(question.fact)
                    answer = self.world.state
                else:
                    answer = yield self._addressed(question) if type(question) is Choose else question
        except StopIteration as end:
            return end.value

    # Who decides

    def _signed(self, question: Happen) -> Happen:
        """An action of somebody under another's will says whose."""
        if question.fact.kind != "action-taken":
            return question
        decider = decider_for(self.world, question.fact.who)
        if decider == question.fact.who:
            return question
        return Happen(question.fact._replace(details={**question.fact.details, "decided_by": decider}))

    def _addressed(self, question: Choose) -> Choose:
        """A choice is put to who decides for that combatant."""
        if not question.who or not self._in_fight(question.who):
            return question
        decider = decider_for(self.world, question.who)
        return question if decider == question.who else question._replace(who=decider)

    def _in_fight(self, who: str) -> bool:
        return who in self.world.get("fight.combatants", ())

    # What follows

    def _follow(self, fact: Fact) -> Procedure[None]:
        if fact.kind == "status-gaining":
            yield from self._gaining(fact)
        for moment in _moments(fact):
            if moment.kind == "attacks":
                self.attackers.append(moment.holder)
            if self._in_fight(moment.holder):
                yield from self._react(moment)
                yield from self._end_those(moment.holder, moment.kind)
        if fact.kind in ("status-added", "taken-out", "left") and is_down(self.world, fact.who):
            yield from self._let_go(fact.who)
        if fact.kind == "zone-removed" or (fact.kind == "status-ended" and self._hid(fact.details["status"])):
            yield from look_around(self.world)

    def _hid(self, status: str) -> bool:
        return any(ban["action"] == "seen" for ban in self.world.book.statuses[status]["bans"])

    def _react(self, moment: Moment) -> Procedure[None]:
        for reaction in reactions_to(self.world, moment.holder, moment.kind):
            yield from self._once(reaction, moment)

    def _gaining(self, fact: Fact) -> Procedure[None]:
        """What a status does just before it takes hold: it is not among those held yet."""
        status = fact.details["status"]
        held = Held(status, self.world.book.statuses[status], {"by": fact.details.get("by", "")})
        for reaction in reactions_of(held, "gaining"):
            yield from self._once(reaction, Moment("gaining", fact.who))

    def _once(self, reaction: Reaction, moment: Moment) -> Procedure[None]:
        key = (moment.holder, reaction.held.id, reaction.number)
        deepest = numbers()["reactions"]["depth"]
        fight = Fight(self.world)
        if key in self.chain or len(self.chain) >= deepest or "out" in fight.combatant(moment.holder):
            return
        if not _applies(fight, reaction, moment):
            return
        if "once" in reaction.does:
            word = ":".join(map(str, key)).replace(".", "-")
            done = self.world.get("fight.turn.reacted", [])
            if word in done:
                return
            yield self.world.happen("reacted", moment.holder, "", {"fight.turn.reacted": [*done, word]})
        self.chain.append(key)
        yield from self.watch(
            _by_trait(carry_out(self.world, moment, reaction, self.opportunities), moment, reaction)
        )
        self.chain.pop()

    def _end_those(self, who: str, fact: str) -> Procedure[None]:
        """End the statuses that were to last until this fact about their holder; those that last until
        an attack end when the attack is over."""
        if fact != "attacks":
            yield from _end_until(self.world, who, fact)
        if fact == "moved":
            yield from _end_apart(self.world, who)

    def _let_go(self, giver: str) -> Procedure[None]:
        """What somebody kept up ends when they are down (gap B-25)."""
        for holder, status in list(_given_by(self.world, giver)):
            if _lasts_until(self.world, status, "giver-down"):
                yield from end_status(self.world, holder, status["id"], only=status)

    # At the end of a command

    def _afterwards(self) -> Procedure[None]:
        for who in self.attackers:
            yield from _end_until(self.world, who, "attacks")
        due = self.world.get("fight.due")
        if due and Fight(self.world).actions_taken():
            yield from fall_due(self.world)


def fall_due(world: World) -> Procedure[None]:
    """The damage that waited for a final action, if any (STR-TAC-25)."""
    due = world.get("fight.due")
    if not due:
        return
    yield world.happen("final-action", due["who"], "", {"fight.due": None})
    if "out" not in Fight(world).combatant(due["who"]):
        yield from hurt(world, due["who"], due["amount"], due["why"])


def _moments(fact: Fact) -> Iterator[Moment]:
    """What a fact means to those it is about."""
    details = fact.details
    if fact.kind == "damaged":
        if details.get("amount"):
            yield Moment("damaged", fact.who, str(details.get("by", "")))
    elif fact.kind == "action-taken":
        if details.get("action") == "shift":
            yield Moment("shifts", fact.who)
    elif fact.kind == "shifting":
        yield Moment("shifts", fact.who)
    elif fact.kind == "attacking":
        yield Moment("attacks", fact.who, targets=tuple(details["targets"]))
    elif fact.kind == "attacked" and fact.who:
        missed = details["result"] == "miss"
        yield Moment("missed" if missed else "hit", details["target"], fact.who)
        if not details.get("turned"):  # STR-TAC-10: Miss Tokens bring no more than the hit
            yield Moment("misses" if missed else "hits", fact.who, details["target"])
        yield Moment("attacked", details["target"], fact.who)
    else:
        for path, _, after in fact.changes:
            keys = path.split(".")
            if keys[:2] == ["fight", "combatants"] and keys[3:] == ["at"] and after is not None:
                yield Moment("moved", keys[2])


def _applies(fight: Fight, reaction: Reaction, moment: Moment) -> bool:
    """Whether a reaction has its occasion. What an attack that misses sets off is a Miss Effect, which many
    statuses take away (STR-TAC-25)."""
    if moment.kind in ("missed", "misses") and ban_on(fight.world, moment.holder, "miss-effect"):
        return False
    giver = reaction.held.instance.get("by", "")
    there = giver in fight.data["combatants"] and "out" not in fight.combatant(giver)
    when = reaction.does.get("when")
    if when == "without-giver":
        return there and giver not in moment.targets
    if when == "next-to-giver":
        return there and "at" in fight.combatant(giver) and fight.gap(giver, moment.holder) == 1
    return True


# What reactions do


def _by_trait(procedure: Procedure[None], moment: Moment, reaction: Reaction) -> Procedure[None]:
    """A reaction whose facts say whose trait they come of, where that is somebody else's than whom they are
    about: what a trait of the hidden does would give them away."""
    answer: Any = None
    try:
        while True:
            question = procedure.send(answer)
            if type(question) is Happen and not reaction.held.instance and question.fact.who != moment.holder:
                details = {**question.fact.details, "trait_of": moment.holder}
                question = Happen(question.fact._replace(details=details))
            answer = yield question
    except StopIteration:
        return


def carry_out(
    world: World, moment: Moment, reaction: Reaction, opportunities: list[dict[str, Any]]
) -> Procedure[None]:
    """Play a reaction. Its Opportunities are added to `opportunities`."""
    fight, does, held = Fight(world), reaction.does, reaction.held
    holder, giver = moment.holder, str(held.instance.get("by", ""))
    to = {"giver": giver, "other": moment.other}.get(does["to"], holder)
    if to not in fight.data["combatants"] or "out" in fight.combatant(to):
        return
    amount = amount_of(reaction)
    if does["do"] == "damage" and amount:
        if does["final"] and _is_final(fight, to, amount):
            yield from _put_off(world, to, amount, held.name)
        else:
            yield from hurt(world, to, amount, held.name, by=giver)
    elif does["do"] == "heal" and amount:
        yield from heal(world, to, amount, held.name)
    elif does["do"] == "end" and held.instance:
        yield from end_status(world, holder, held.instance["id"], only=held.instance)
    elif does["do"] == "apply":
        by = giver if to == holder else holder
        yield from add_status(world, to, given_status(fight, does, by, of=to))
    elif does["do"] == "opportunity":
        takers = [giver] if does["to"] == "giver" else _next_to(fight, holder)
        for taker in takers:
            yield from opportunity(world, taker, holder, _occasion(held, moment), opportunities)
    elif does["do"] == "roll":
        from .loss_of_control import lose_control

        yield from lose_control(world, holder, held, does)
    elif does["do"] == "handler":
        from .effects import load_handler

        play = load_handler(does["handler"], world.book.handlers[does["handler"]]["calls"])
        yield from play(world, held, holder)
    elif does["do"] == "note":
        yield world.happen("noted", holder, f"{held.name}: {does['text']}")


def amount_of(reaction: Reaction) -> int:
    """HP that a reaction gives or takes: a number of its own, or the value that the status was given."""
    amount = reaction.does.get("amount", 0)
    return int(reaction.held.instance.get("value", 0) if amount == "value" else amount)


def _occasion(held: Held, moment: Moment) -> str:
    doing = {"attacks": "attacking", "shifts": "shifting", "gaining": "becoming"}.get(moment.kind, "being")
    return f"{doing} {held.name}" if moment.kind == "gaining" else f"{doing} while {held.name}"


def _next_to(fight: Fight, who: str) -> list[str]:
    return [foe for foe in fight.enemies_of(who) if "at" in fight.combatant(foe) and fight.gap(foe, who) == 1]


def _is_final(fight: Fight, who: str, amount: int) -> bool:
    """Whether damage at the start of a turn leaves one final action first."""
    acting = fight.data.get("active") == who and not ban_on(fight.world, who, "act", 1)
    return acting and would_fall(fight, who, amount)


def _put_off(world: World, who: str, amount: int, why: str) -> Procedure[None]:
    text = f"{why} will bring {Fight(world).name(who)} down: one final action first, an Attack, Role or Move."
    due = world.get("fight.due")
    if due:
        amount += due["amount"]
        why = f"{due['why']} and {why}"
    yield world.happen("damage-due", who, text, {"fight.due": {"who": who, "amount": amount, "why": why}})


# Statuses that a fact ends


def _lasts_until(world: World, status: Mapping[str, Any], fact: str) -> bool:
    return status.get("until") == fact or fact in world.book.statuses[status["id"]]["ends_when"]


def _end_until(world: World, who: str, fact: str) -> Procedure[None]:
    for status in world.get(path_of(who, "statuses"), []):
        if _lasts_until(world, status, fact):
            yield from end_status(world, who, status["id"], only=status)


def _given_by(world: World, giver: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for holder in Fight(world).in_the_fight():
        for status in world.get(path_of(holder, "statuses"), []):
            if status.get("by") == giver:
                yield holder, status


def _end_apart(world: World, mover: str) -> Procedure[None]:
    """End what lasts while giver and holder are within the giver's reach, now that one of them moved."""
    own = [(mover, status) for status in world.get(path_of(mover, "statuses"), []) if "by" in status]
    for holder, status in [*own, *_given_by(world, mover)]:
        giver = status["by"]
        if _lasts_until(world, status, "apart") and _are_apart(Fight(world), giver, holder):
            yield from end_status(world, holder, status["id"], only=status)


def _are_apart(fight: Fight, giver: str, holder: str) -> bool:
    there = all(who in fight.data["combatants"] and "at" in fight.combatant(who) for who in (giver, holder))
    return not there or fight.gap(giver, holder) > fight.reach(giver)
