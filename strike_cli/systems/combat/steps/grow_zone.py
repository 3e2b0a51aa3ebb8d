"""A zone becomes larger."""

from __future__ import annotations

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.statements import Reason

from ..board.areas import squares_around
from ..board.auras import grown, place_zone
from ..facts.steps import ZoneChanges
from ..fight import Fight
from ..powers.named_zones import has_zone, the_zone, zone_of, zones_meant
from ..powers.power import Deed
from ..powers.read_back import squares
from . import measured
from .keys import Amount
from .step import EffectStep

MOST_SPREAD = 20


class GrowZoneStep(EffectStep):
    """Zones take in so many squares more around them."""

    zone: str = ""
    amount: Amount = 1

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        for key in zones_meant(Fight(world), deed, self.table):
            fight = Fight(world)
            if bearer := fight.zones[key].get("along"):
                spread = min(fight.zones[key].get("spread", 0) + self.amount, MOST_SPREAD)
                if fight.is_on_map(bearer):
                    area = squares_around(fight, bearer, spread)
                    yield from place_zone(world, key, area, grown=True, spread=spread)
            else:
                larger = grown(fight, fight.zone_squares(key), self.amount)
                yield from place_zone(world, key, larger, grown=True)

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        return has_zone(fight, deed, self.table)

    def sheet(self, book: object) -> str:
        return f"{zone_of(self.zone)} grows by {self.amount_in_words(book)}"

    def short(self, fight: Fight, deed: Deed, target: str) -> Reason:
        far = measured(fight.world.book, self.amount) or str(self.amount)
        return ZoneChanges("grow-zone", self.zone, far)

    def told(self, book: object, who: str) -> str:
        return f"{the_zone(self.zone)} grows by {squares(book, self.amount)} all round"
