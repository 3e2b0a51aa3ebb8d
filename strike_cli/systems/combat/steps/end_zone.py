"""A zone ends."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason

from ..board.zones import remove_zone
from ..facts.steps import ZoneChanges
from ..fight import Fight
from ..powers.named_zones import has_zone, the_zone, zone_of, zones_meant
from ..powers.power import Deed
from .step import EffectStep


class EndZoneStep(EffectStep):
    """Zones of that name are taken away."""

    zone: str = ""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        for key in zones_meant(Fight(world), deed, self.table):
            if key in Fight(world).zones:
                yield from remove_zone(world, key)

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        return has_zone(fight, deed, self.table)

    def sheet(self, book: object) -> str:
        return f"{zone_of(self.zone)} ends"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        return ZoneChanges("end-zone", self.zone)

    def told(self, book: object, who: str) -> str:
        return f"{the_zone(self.zone)} ends"
