"""What an evening begins with: the day of the calendar and the public clocks come to the table."""

from __future__ import annotations

from typing import Any

from strike_cli.kernel.procedure import Procedure, World

from . import clocks, days


def begin(world: World) -> Procedure[dict[str, Any]]:
    """Both, where the campaign has them."""
    yield from days.begin_evening(world)
    return (yield from clocks.begin_evening(world))
