"""Arguments of the commands of preparation, and the completions that Tab offers for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.terminal.argument_completions import Metavar
from strike_cli.terminal.name_lookup import short_content_id_suggester

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign


def clock_names(campaign: Campaign) -> dict[str, str]:
    """Return the names of the campaign's clocks by their ids."""
    from strike_cli.kernel.procedure import World

    from ..clocks import clocks_of

    return {one.id: one.name for one in clocks_of(World(campaign.book, campaign.state))}


TABLE = Metavar("TABLE", short_content_id_suggester("tables"))
"""A random table."""
CLOCK = Metavar("CLOCK", lambda campaign, typed: clock_names(campaign))
"""A clock."""
FIGHTING = Metavar("NAME", lambda campaign, typed: [*campaign.book.encounters, *campaign.book.creatures])
"""An encounter or a creature."""
CREATURE = Metavar("CREATURE", short_content_id_suggester("creatures"))
"""A creature of the campaign."""
SCENE = Metavar("SCENE", lambda campaign, typed: campaign.book.table("scenes"))
"""A prepared scene."""
