"""The game master's commands: damage, healing, Status Effects and more."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.plugin.commands import InScene, new_app, plays

from .argument_parsers import (
    LEFT,
    UNTIL,
    By,
    Creature,
    From,
    Nonlethal,
    Of,
    Square,
    Stat,
    StatusEffect,
    TypeOf,
    app,
)

N = Annotated[int, typer.Argument(metavar="N", help="The amount.")]
status = new_app(help="Status Effects. Example: `strike momentum status add runa prone`")
app.add_typer(status, name="status")


@plays(app, "hurt", "momentum hurt")
def hurt(
    who: InScene,
    amount: N,
    type: TypeOf = "physical",
    ignored: Annotated[int, typer.Option("--ignore-armor", metavar="N", help="Armor to ignore.")] = 0,
    nonlethal: Nonlethal = False,
) -> None:
    """Deal damage from any source. Armor and other protection reduce it (WSH-11, 13, 15).

    Example: `strike momentum hurt runa 5 --type cold`
    """


@plays(app, "heal", "momentum heal", kind="writes")
def heal(who: InScene, amount: N) -> None:
    """Restore Vitality, even to the dead, who keep their statuses (WSH-16).

    Example: `strike momentum heal runa 5`
    """


@plays(app, "gain", "momentum gain", kind="writes")
def gain(who: InScene, amount: Annotated[int, typer.Argument(metavar="[N]", help="The amount.")] = 1) -> None:
    """Give Narrative Momentum.

    Example: `strike momentum gain runa 2`
    """


@plays(app, "push", "momentum push", dice="the STR Defense Roll of a creature in the way")
def push(
    who: InScene,
    meters: N,
    from_: From,
    power: Annotated[int | None, typer.Option(help="The DR Power. Default: that of --from.")] = None,
    pull: Annotated[bool, typer.Option("--pull", help="Towards them.")] = False,
) -> None:
    """Push a creature in a straight line, or pull it with --pull (WSH-19).

    If a creature or an obstacle is in its way, they collide.

    Example: `strike momentum push shardling-1 3 --from runa`
    """


@plays(app, "teleport", "momentum teleport")
def teleport(who: InScene, to: Square) -> None:
    """Move a creature to a square by teleport. If another creature is there, both are hurt (WSH-20).

    Example: `strike momentum teleport runa F4`
    """


@plays(app, "resist", "momentum resist")
def resist(
    who: InScene,
    stat: Stat,
    power: Annotated[int, typer.Option(help="The DR Power to reach.")],
    cover: Annotated[bool, typer.Option("--cover", help="Behind half cover.")] = False,
    fails: Annotated[bool, typer.Option("--fails", help="They don't resist.")] = False,
) -> None:
    """Make a Defense Roll (WSH-14).

    Example: `strike momentum resist runa dex --power 14`
    """


@plays(app, "summon", "momentum summon")
def summon(who: InScene, creature: Creature, at: Square) -> None:
    """Summon a creature onto a square; it takes turns from the next round on.

    Example: `strike momentum summon ilse shardling F4`
    """


@plays(app, "leave", "momentum leave", kind="writes")
def leave(
    who: InScene,
    how: Annotated[str, typer.Argument(metavar=LEFT, help="The reason.")] = "",
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The way they leave, in words.")] = "",
) -> dict[str, object]:
    """Take a creature out of the fight.

    Example: `strike momentum leave shardling-1 fled`
    """
    return {"how": how or why or None}


@plays(status, "add", "momentum status add", kind="writes")
def status_add(
    who: InScene,
    status: StatusEffect,
    until: Annotated[
        str, typer.Option(metavar=UNTIL, help="start or end (of a turn), fight or upkeep. Default: it stays.")
    ] = "",
    of: Of = "",
    by: By = "",
    upkeep: Annotated[
        int, typer.Option(min=0, max=3, help="AP a turn to keep it up, for --until upkeep.")
    ] = 0,
) -> None:
    """Give a creature a Status Effect (WSH-04, 16).

    Example: `strike momentum status add runa prone`
    """


@plays(status, "remove", "momentum status remove", kind="writes")
def status_remove(who: InScene, status: StatusEffect) -> None:
    """Remove a Status Effect.

    Example: `strike momentum status remove runa prone`
    """
