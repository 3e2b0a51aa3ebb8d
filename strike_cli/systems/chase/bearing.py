"""What bears on the die of somebody in a chase. All that a chase has in common with a Skill Roll stands here:
what is said of one, who helps, and what counts by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from strike_cli.kernel.args import Args
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.systems.core.circumstances import spend_banked, what_matters
from strike_cli.systems.core.skill import helpers_of
from strike_cli.tabletop.dice import Modifier, Source

from .outcome import Roller

PHYSICAL = ("physical",)
"""What driving and shooting are about (a ruling)."""


class Help(Args):
    """Somebody who helps, and whether they are Skilled at it (STR-CORE-20)."""

    name: str
    skilled: bool


class Driver(Args):
    """Who drives a side, "" being the first who is free, with what the table finds: reasons for Advantage and
    Disadvantage, and modifiers. In a Hide also the `skill`, whether they have it, and who helps."""

    who: str = ""
    adv: Sequence[str] = ()
    dis: Sequence[str] = ()
    mods: Sequence[Modifier] = ()
    skill: str = ""
    skilled: bool = True
    helpers: Sequence[Help] = ()

    def people(self) -> Iterator[str]:
        """Who drives, and who helps."""
        yield self.who
        yield from (helper.name for helper in self.helpers)


NOTHING = Driver()
"""Nothing is said of somebody."""


def roller_of(world: World, who: str, said: Driver, more: Sequence[Source] = ()) -> Roller:
    """Somebody with what bears on their die: what is said, their Conditions, as for a physical task (where a
    Skill is named, all that bears on an Opposed Roll with it), and `more`."""
    known = who in world.book.characters
    args = {"helpers": (), **said.as_json()}
    if said.skill:
        matters = what_matters(world, who, "opposed", said.skill, args)
    else:
        matters = what_matters(world, who if known else "", "skill", "", {**args, "tags": PHYSICAL})
    return Roller(
        who,
        (*matters.sources, *more),
        tuple(matters.modifiers),
        said.skill,
        tuple(matters.banked),
        helpers_of(world, said.skill, args),
    )


def spend_kept(world: World, roller: Roller) -> Procedure[None]:
    """Use up what a driver and whoever helps them have kept for the roll, before the dice."""
    yield from spend_banked(world, roller.who, roller.banked)
    for helper in roller.helpers:
        yield from spend_banked(world, helper.name, helper.banked)
