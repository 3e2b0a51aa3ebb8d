"""What reactions of statuses and traits do (docs/plugins.md): when one has its occasion, and how it is
played."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Said
from strike_cli.registry.installed import brought_word
from strike_cli.tabletop.contributions import Reaction, ban_on

from .adjusted import holds
from .damage import heal, hurt, put_off, would_fall
from .facts.powers import Noted
from .fight import Fight
from .moments import Moment
from .opportunity import Opportunity, take_opportunity
from .statuses import add_status, end_status, given_status


def applies(fight: Fight, reaction: Reaction, moment: Moment) -> bool:
    """Whether a reaction has its occasion. What an attack that misses sets off is a Miss Effect, which many
    statuses take away (STR-TAC-25)."""
    if moment.kind in ("missed", "misses") and ban_on(fight.world, moment.holder, "miss-effect"):
        return False
    giver = reaction.held.instance.get("by", "")
    stands = giver in fight.data["combatants"] and not fight.is_out(giver)
    match reaction.does.get("when"):
        case "without-giver":
            return stands and giver not in moment.targets
        case "next-to-giver":
            return stands and fight.is_on_map(giver) and fight.gap(giver, moment.holder) == 1
        case str(word):
            return holds(fight, moment.holder, moment.other, reaction.held, word)
    return True


def amount_of(reaction: Reaction) -> int:
    """HP that a reaction gives or takes: a number of its own, or the value that the status was given."""
    amount = reaction.does.get("amount", 0)
    return int(reaction.held.instance.get("value", 0) if amount == "value" else amount)


def carry_out(world: World, moment: Moment, reaction: Reaction) -> Procedure[list[Opportunity]]:
    """Play a reaction. Returns the Opportunities that were taken by it."""
    fight, giver = Fight(world), _giver(reaction)
    to = {"giver": giver, "other": moment.other}.get(reaction.does["to"], moment.holder)
    if to not in fight.data["combatants"] or fight.is_out(to):
        return []
    return (yield from _DO[reaction.does["do"]](world, moment, reaction, to)) or []


def _giver(reaction: Reaction) -> str:
    return str(reaction.held.instance.get("by", ""))


def _damage(world: World, moment: Moment, reaction: Reaction, to: str) -> Procedure[None]:
    amount, fight = amount_of(reaction), Fight(world)
    if not amount:
        return
    # Damage at the start of a turn leaves one final action first (STR-TAC-25).
    acting = fight.data.get("active") == to and not ban_on(world, to, "act", 1)
    if reaction.does["final"] and acting and would_fall(fight, to, amount):
        yield from put_off(world, to, amount, reaction.held.reason)
    else:
        yield from hurt(world, to, amount, reaction.held.reason, by=_giver(reaction))


def _heal(world: World, moment: Moment, reaction: Reaction, to: str) -> Procedure[None]:
    if amount := amount_of(reaction):
        yield from heal(world, to, amount, reaction.held.reason)


def _end(world: World, moment: Moment, reaction: Reaction, to: str) -> Procedure[None]:
    own = reaction.held.instance
    if own:
        yield from end_status(world, moment.holder, own["id"], only=own)


def _apply(world: World, moment: Moment, reaction: Reaction, to: str) -> Procedure[None]:
    by = _giver(reaction) if to == moment.holder else moment.holder
    yield from add_status(world, to, given_status(Fight(world), reaction.does, by, of=to))


def _opportunity(world: World, moment: Moment, reaction: Reaction, to: str) -> Procedure[list[Opportunity]]:
    takers = [to] if reaction.does["to"] == "giver" else Fight(world).foes_beside(moment.holder)
    taken: list[Opportunity] = []
    for taker in takers:
        taken += yield from take_opportunity(world, taker, moment.holder, moment.doing(reaction.held.reason))
    return taken


def _roll(world: World, moment: Moment, reaction: Reaction, to: str) -> Procedure[None]:
    from .loss_of_control import lose_control  # with all that it may make somebody do; few ever need it

    yield from lose_control(world, moment.holder, reaction.held, reaction.does)


def _handler(world: World, moment: Moment, reaction: Reaction, to: str) -> Procedure[None]:
    play = brought_word(world.book, "handlers", reaction.does["handler"])
    yield from play(world, reaction.held, moment.holder)


def _steps(world: World, moment: Moment, reaction: Reaction, to: str) -> Procedure[None]:
    """Steps as a power has them, of the holder: for the other side of the moment, or the holder."""
    from .effects import conditions, do_steps  # few ever need it
    from .powers import Aim, Deed, Tally

    held, holder = reaction.held, moment.holder
    target = moment.other if moment.other in Fight(world).data["combatants"] else holder
    power = {
        "id": held.id,
        "name": held.name,
        "called": held.reason,
        "giver": _giver(reaction),
        "action": "none",
    }
    power |= {"effect": reaction.does["steps"], "zone": held.instance.get("zone", "")}
    deed = Deed(holder, power, Aim((target,)), reacting=True, tally=Tally(), answering=moment.coming)
    for step in reaction.does["steps"]:
        fight = Fight(world)
        if fight.is_out(holder):
            break
        yield from do_steps(world, deed, [step], target, conditions(fight, deed, target))


def _note(world: World, moment: Moment, reaction: Reaction, to: str) -> Procedure[None]:
    yield world.tell(Noted(moment.holder, Said(reaction.does["text"]), reaction.held.reason))


_DO: Mapping[str, Callable[[World, Moment, Reaction, str], Procedure[list[Opportunity] | None]]] = {
    "damage": _damage,
    "heal": _heal,
    "end": _end,
    "apply": _apply,
    "opportunity": _opportunity,
    "roll": _roll,
    "note": _note,
    "handler": _handler,
    "steps": _steps,
}
"""What each kind of reaction does (contribution_schemas.REACTIONS)."""
