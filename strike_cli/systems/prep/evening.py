"""What an evening begins with: the day of the calendar and the public clocks come to the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Procedure, World

from . import clocks, days

if TYPE_CHECKING:
    from .data import ClocksMoved


def begin(world: World) -> Procedure[ClocksMoved]:
    """Both, where the campaign has them."""
    yield from days.begin_evening(world)
    return (yield from clocks.begin_evening(world))
