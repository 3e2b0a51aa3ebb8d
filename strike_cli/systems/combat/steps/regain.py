"""A spent power comes back."""

from __future__ import annotations

from strike_cli.kernel.procedure import Choose, Procedure, World

from ..facts.causes import ByPower
from ..facts.powers import RegainWhich
from ..fight import Fight, short_names
from ..powers.power import Deed
from ..powers.uses import regained
from .step import EffectStep


class RegainStep(EffectStep):
    """An expended Encounter power of the class may be used again (STR-TAC-13)."""

    def play(self, world: World, deed: Deed, target: str) -> Procedure[None]:
        fight = Fight(world)
        words = short_names(spent_class_powers(fight, target))
        if not words:
            return  # none is spent, and so nothing is lacking
        labels = tuple(map(ByPower, words.values()))
        answer, *others = words
        if others:
            about = RegainWhich(target)
            answer = yield Choose(target, "regain", tuple(words), labels, kind="regain", about=about)
        yield regained(fight, target, words[answer])

    def would(self, fight: Fight, deed: Deed, target: str) -> bool:
        """Return whether the target has spent a power of their class."""
        return bool(spent_class_powers(fight, target))

    def sheet(self, book: object) -> str:
        return "an Encounter power again"

    def told(self, book: object, who: str) -> str:
        return f"{who} may use one spent Encounter power of the class again"


def spent_class_powers(fight: Fight, who: str) -> list[str]:
    """Return the ids of the expended Encounter powers of somebody's class (STR-TAC-13)."""
    used: list[str] = fight.combatant(who).get("used", [])
    return [power for power in used if fight.world.book.powers[power]["kind"] == "class"]
