"""People whom nobody has thought of before: a name, a Trick and a Complication out of random tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.refusals import NoTable

from .table import draw_once

if TYPE_CHECKING:
    from .data import InventedData

TABLES = {
    "name": "npc-name",
    "concept": "trade",
    "want": "want",
    "trick": "npc-trick",
    "complication": "npc-complication",
}
"""What somebody has, and the table that it is drawn from unless another is named."""


class Invent(Args):
    """The tables to draw from, by full id; what of somebody is known already is not drawn ("")."""

    name: str = ""
    concept: str = ""
    want: str = ""
    trick: str = ""
    complication: str = ""


def play_invent(world: World, args: Invent) -> Procedure[InventedData]:
    """`creature invent`: one drawing from each table. Raises Refused for a table that is not there."""
    drawn: dict[str, str] = {}
    for key in TABLES:
        table = getattr(args, key)
        if not table:
            continue
        if table not in world.book.tables:
            raise NoTable(
                repr(table),
                'include = ["strike:tables.toml"] in campaign.toml has those that people are drawn from.',
            )
        drawn[key] = yield from draw_once(world, table)
    return cast("InventedData", drawn)
