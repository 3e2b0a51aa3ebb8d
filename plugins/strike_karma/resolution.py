"""What becomes of an action when it is its time: the roll, and what it comes to (CIN-03, 08)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from strike_cli.plugin import Procedure, World

from .dice import HERO, dice_of
from .facts import KarmaActed
from .fight import KarmaFight
from .sheet import extra_dice, sheet_of
from .standard_roll import Rolling, must_read_target, standard_roll

if TYPE_CHECKING:
    from .data import KarmaResolution, KarmaSheet


def action_dice(world: World, who: str, rolling: Rolling) -> list[int]:
    """Return the sides of all dice of an action: Hero Dice, Trope, Trademark, others (CIN-11).

    Raises Refused for dice that the actor hasn't.
    """
    sheet = sheet_of(world, KarmaFight(world).people[who]["ref"])
    return [*[HERO] * sheet["hero"], *more_dice(sheet, rolling)]


def more_dice(sheet: KarmaSheet, rolling: Rolling) -> list[int]:
    """Return the sides of the dice that join a roll.

    Raises Refused for dice that don't exist, also among those against it.
    """
    dice_of(rolling.against)
    return [*extra_dice(sheet, rolling.for_), *dice_of(rolling.other)]


def must_be_rollable(world: World, who: str, rolling: Rolling) -> None:
    """Refuse dice that don't exist, and a Target Number that changes none."""
    action_dice(world, who, rolling)
    must_read_target(world, rolling)


def resolve(
    world: World, who: str, what: str, rolling: Rolling, sets: Mapping[str, object] | None = None
) -> Procedure[KarmaResolution]:
    """Somebody does what they have declared."""
    told, group = what.rstrip("."), KarmaFight(world).is_group(who)
    if rolling.no_roll:
        yield world.tell(KarmaActed(who=who, what=told, group=group), sets)
        return {
            "who": who,
            "what": what,
            "roll": None,
            "against": None,
            "successes": None,
            "needed": None,
            "success": None,
        }
    dice = action_dice(world, who, rolling)
    came = yield from standard_roll(world, who, what or "action", dice, rolling)
    outcome = "success" if came.success else "failure"
    yield world.tell(KarmaActed(who=who, what=told, outcome=outcome, group=group, **came.as_fields()), sets)
    rolled = came.as_data()
    return {
        "who": who,
        "what": what,
        "roll": rolled["roll"],
        "against": rolled["against"],
        "successes": rolled["successes"],
        "needed": rolled["needed"],
        "success": rolled["success"],
    }
