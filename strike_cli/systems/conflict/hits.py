"""Hits: the opponents' choice of an effect, and its consequences (STR-TC-06, 16)."""

from __future__ import annotations

from strike_cli.kernel.procedure import Happen, Procedure, World
from strike_cli.kernel.statements import Reason
from strike_cli.problems import Refused, TemplateRefusal, listed
from strike_cli.tabletop.characters_and_names import slug

from .conflict_under_way import (
    active_traits,
    add_strike,
    other_side,
    regain_options,
    regain_wanted_else_strike_else_trait,
    side_in,
    side_name,
    side_path,
    trait_with_effect,
)
from .facts import (
    ConflictHit,
    ConflictHitDecided,
    ConflictHitIgnored,
    ConflictTraitLost,
    HitOption,
    OfAHit,
    OfTeamTrait,
)
from .rule_numbers import SIDES

STRIKE, ABLATE, DRAIN = "strike", "ablate", "drain"


def hit_options(world: World, side: str) -> list[str]:
    """Return the possible effects of a Hit on a side.

    They are a Strike, the loss of one of the side's traits, and effects that the opponents' traits allow in
    place of these.
    """
    options = [STRIKE, *side_in(world, side)["traits"]]
    if trait_with_effect(world, other_side(side), "ablates"):
        options.append(ABLATE)
    drains = any(does.get("drains") == "instead" for _, does in active_traits(world, other_side(side)))
    if drains and regain_options(world, other_side(side)):
        options.append(DRAIN)
    return options


def deal_or_ignore_hit(world: World, side: str, why: Reason) -> Procedure[None]:
    """Deal a Hit to a side, unless one of its traits ignores the Hit.

    If the only possible effect is a Strike, the side takes it at once; otherwise its opponents choose the
    effect later.
    """
    for shield, does in active_traits(world, side):
        ignored = side_in(world, side).get("ignored", {}).get(slug(shield), 0)
        if ignored < does.get("ignores_hits", 0):
            sets = {side_path(side, f"ignored.{slug(shield)}"): ignored + 1}
            yield world.tell(ConflictHitIgnored(side, why, shield), sets)
            return
    options = hit_options(world, side)
    if len(options) == 1:
        yield from give_strike_and_let_opponents_drain(world, side, OfAHit(why), "")
        return
    due = side_in(world, side).get("hits_due", 0) + 1
    told = ConflictHit(side, why, [HitOption(one) for one in options])
    yield world.tell(told, {side_path(side, "hits_due"): due})


def give_strike_and_let_opponents_drain(
    world: World, side: str, why: Reason, opponents_regain: str
) -> Procedure[None]:
    """Give a side a Strike, as the effect of a Hit.

    If the side's opponents have Superior Draining, they regain `opponents_regain`.
    """
    yield from add_strike(world, side, why)
    yield from let_opponents_regain_by_draining(world, side, opponents_regain)


def let_opponents_regain_by_draining(world: World, hit_side: str, opponents_regain: str) -> Procedure[None]:
    """Let the opponents of a side that was hit regain a Strike or a trait, if they have Superior Draining.

    `hit_side` is the side that was hit, and `opponents_regain` says what its opponents regain. If the
    opponents don't have Superior Draining, nothing happens.
    """
    for name, does in list(active_traits(world, other_side(hit_side))):
        if does.get("drains") == "as-well":
            yield from regain_wanted_else_strike_else_trait(
                world, other_side(hit_side), opponents_regain, OfTeamTrait(name)
            )


def has_undecided_hit(world: World) -> bool:
    """Return whether a Hit on either side waits for a decision."""
    return any(side_in(world, side).get("hits_due", 0) for side in SIDES)


class HitWaits(TemplateRefusal, Refused):
    """The refusal of a command because the effect of a Hit has to be decided first."""

    side: str
    hint: str

    says = "A Hit on {side} must be decided first."


def must_have_no_undecided_hit(world: World) -> None:
    """Raise HitWaits if a Hit waits for a decision."""
    for side in SIDES:
        if side_in(world, side).get("hits_due", 0):
            raise HitWaits(
                side_name(world, side),
                f"`strike conflict hit {side} strike`, or: {listed(hit_options(world, side)[1:])}.",
            )


def find_hit_option(world: World, side: str, word: str) -> str:
    """Return the effect of a Hit that a typed word names.

    It is one of those that the opponents of `side`, which was hit, can choose. `word` is the effect's name or
    the beginning of the name. Raises Refused if it fits no effect, or several.
    """
    options = hit_options(world, side)
    found = [one for one in options if one == word] or [one for one in options if slug(one) == slug(word)]
    found = found or [one for one in options if slug(one).startswith(slug(word))]
    if len(found) != 1:
        raise Refused(f"A Hit can't do {word!r} here: no active trait.", f"One of: {listed(options)}.")
    return found.pop()


def hit_decided_fact(world: World, side: str) -> Happen:
    """Return the fact that the effect of one Hit is decided."""
    due = side_in(world, side)["hits_due"] - 1
    return world.tell(ConflictHitDecided(side), {side_path(side, "hits_due"): due or None})


def trait_lost_fact(world: World, side: str, name: str) -> Happen:
    """Return the fact that a side loses a trait, which it may regain."""
    sets = {
        side_path(side, "traits"): [one for one in side_in(world, side)["traits"] if one != name],
        side_path(side, "lost_traits"): [*side_in(world, side).get("lost_traits", ()), name],
    }
    return world.tell(ConflictTraitLost(side, name), sets)
