"""Numbers of people, as the game master sets them."""

from __future__ import annotations

from ...kernel.procedure import Args, Data, Procedure, Sets, World
from ...kernel.statements import BeforeAfter
from ...problems import Refused, listed
from ...registry.declaration import System
from ...tabletop.gm_override_facts import MeterSet
from ...tabletop.scene import Meter
from .table import OnTable


class SetByHand(Args):
    """A number of somebody's by its id: what it is `to` be, or `by` how much it changes."""

    who: str
    meter: str
    to: int | None = None
    by: int = 0


def play_set(system: System, world: World, args: SetByHand) -> Procedure[Data]:
    """Play `set`: change a number, and the state that follows from it.

    A change follows the system's rules of harm and healing where it has any for that number.
    """
    table = OnTable(system, world, "set")
    table.present(args.who)
    meters = table.meters(args.who)
    if args.meter not in meters:
        raise Refused(
            f"{table.name(args.who)} has no {args.meter!r}.", f"Numbers here: {listed(meters) or 'none'}."
        )
    meter = meters[args.meter]
    if args.to is None:
        if not args.by:
            raise Refused("+0 changes nothing.", "`7` sets a number; `+2` and `-4` change it.")
        changed = table.hand.changes(world, args.who, meter.id, args.by)
        if changed is not None:
            data = yield from changed
            return {"who": args.who, "meter": meter.id, "before": meter.value, **data}
    to = args.to if args.to is not None else meter.value + args.by
    if to == meter.value:
        raise Refused(f"{table.name(args.who)} has {meter.name} {meter} already.", "Nothing was changed.")
    written = table.hand.writes(world, args.who, meter.id, to)
    if written is not None:
        return {"who": args.who, "meter": meter.id, "before": meter.value, **(yield from written)}
    sets = table.hand.sets_number(world, args.who, meter.id, to)
    if sets is None:
        sets = _plainly(table, args.who, meter, to)
    told = MeterSet(args.who, meter.name, BeforeAfter(meter.value, to), meter.sign)
    yield world.tell(told, sets)
    return {"who": args.who, "meter": meter.id, "before": meter.value, "after": to}


def _plainly(table: OnTable, who: str, meter: Meter, to: int) -> Sets:
    """Set a number by the common keys: from 0 to its maximum; at 0 of a vital one the person is down."""
    if to < 0 or (meter.most is not None and to > meter.most):
        most = f"0 to {meter.most}" if meter.most is not None else "0 or more"
        raise Refused(f"{meter.name} of {table.name(who)} is {most}, not {to}.", "Nothing was changed.")
    sets: Sets = {table.path(who, meter.id): to}
    if meter.vital and meter.most is not None:
        sets |= {table.path(who, "down"): True if to == 0 else None}
    return sets
