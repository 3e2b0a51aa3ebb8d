"""Who answers what is about to come, or has just come (steps.ANSWERS).

Whom it befalls is asked first, then the others in the order of turns; each power once for each moment, and
only while something is left to answer. Nothing answers an answer. How each is given is in `answers`, which
most commands never import: it needs all that using a power does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from strike_cli.kernel.procedure import Procedure, World
from strike_cli.kernel.remember import ByIdentity

from ..fight import Fight
from .moments import Impending

if TYPE_CHECKING:
    from ..powers.uses import Power


def answer(world: World, coming: Impending) -> Procedure[None]:
    """All answers that powers give to a moment, one after the other."""
    for who, key in _who_answers(Fight(world), coming.befallen, coming.kind):
        if coming.is_over:
            return
        from .answers import give_answer

        yield from give_answer(world, who, key, coming)


def _who_answers(fight: Fight, befallen: str, moment: str) -> tuple[tuple[str, str], ...]:
    """Whoever has powers that answer a moment, with each of them, in the order in which they are asked."""
    book = fight.world.book
    refs = _whose(book.powers, book.characters, book.creatures).get(moment)
    if refs is None or not any(one["ref"] in refs for one in fight.data["combatants"].values()):
        return ()  # as mostly: it is asked at every roll
    powers = book.powers
    return tuple(
        (who, key)
        for who in _in_order(fight, befallen)
        for key in _answering(powers, fight.sheet(who).get("powers", ())).get(moment, ())
    )


def _by_moment(powers: Mapping[str, Power], own: Sequence[str]) -> dict[str, list[str]]:
    """Of somebody's own powers those that answer, by what they answer."""
    found: dict[str, list[str]] = {}
    for key in own:
        if on := powers[key].get("on"):
            found.setdefault(on, []).append(key)
    return found


_answering = ByIdentity(_by_moment)


def _sheets_by_moment(powers: Mapping[str, Power], *tables: Mapping[str, Any]) -> dict[str, set[str]]:
    """For each moment the ids of the sheets that have powers which answer it."""
    found: dict[str, set[str]] = {}
    for table in tables:
        for ref, sheet in table.items():
            for moment in _by_moment(powers, sheet.get("powers", ())):
                found.setdefault(moment, set()).add(ref)
    return found


_whose = ByIdentity(_sheets_by_moment)


def _in_order(fight: Fight, befallen: str) -> list[str]:
    everybody = [befallen, *fight.data.get("order", ()), *fight.data["combatants"]]
    return [who for who in dict.fromkeys(everybody) if who in fight.data["combatants"]]
