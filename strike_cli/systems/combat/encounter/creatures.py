"""Creatures at the start of a fight: tiers, numbers, sides and places (STR-TAC-27)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.grid import Square, format_square

from ..numbers import numbers

if TYPE_CHECKING:
    from ..data import BudgetData, Combatant, TierNumbers

SHEET = ("hp", "boxes", "threshold", "turns", "shares_initiative")
"""The keys that a creature has from its tier, unless its sheet has them."""


def creature_numbers(sheet: Mapping[str, object]) -> dict[str, int]:
    """Return a creature's numbers for a fight: those of its sheet, or else those of its tier.

    They are `hp`, or `boxes` with their `threshold`. `turns` is the number of turns that the creature has in
    a round; `shares_initiative` is the last one. A creature with HP on its sheet has no boxes, whatever its
    tier.
    """
    own: Mapping[str, object] = {**_tier_numbers(sheet), **{key: sheet[key] for key in SHEET if key in sheet}}
    found = cast("dict[str, int]", own)
    if "hp" in sheet:
        found.pop("boxes", None), found.pop("threshold", None)
    elif "boxes" in found:
        found.pop("hp", None)
        found.setdefault("threshold", 1)
    return found


def creature_worth(sheet: Mapping[str, object]) -> int:
    """Return how much a creature counts in a budget, in quarters of a standard creature."""
    return _tier_numbers(sheet)["worth"]


def _tier_numbers(sheet: Mapping[str, object]) -> TierNumbers:
    return numbers()["tiers"][str(sheet.get("tier", "standard"))]


def new_combatant(world: World, ref: str, side: str, square: Square, name: str) -> Combatant:
    """Return the table of a combatant that enters a fight, with full HP or all boxes."""
    sheet = world.book.characters.get(ref)
    known = {"name": name, "ref": ref, "side": side, "at": format_square(square)}
    if sheet is None:
        sheet = world.book.creatures[ref]
        tier = creature_numbers(sheet)
        hp = tier.get("hp") or tier.get("boxes")
        more: dict[str, object] = {"threshold": tier["threshold"]} if "boxes" in tier else {}
        if "turns" in tier:
            more["turns"] = tier["turns"]
        if sheet["hidden"]:
            more["hidden"] = True
    else:
        hp, more = sheet.get("hp", numbers()["defaults"]["hp"]), {}
    if sheet.get("statuses"):
        more["statuses"] = [{"id": status, "ends": "encounter"} for status in sheet["statuses"]]
    if "image" in sheet:
        more["image"] = sheet["image"]
    numbers_ = {"size": sheet.get("size", 1), "hp": hp, "max_hp": hp}
    return cast("Combatant", {**known, **numbers_, **more})


class Budget(NamedTuple):
    """The budget of an encounter's `difficulty` for a party, and how much of it the map's creatures take.

    `holds` is the budget and `drawn` the worth of the creatures on the map, in quarters of a standard
    creature.
    """

    difficulty: str
    holds: int
    drawn: int

    @property
    def is_exceeded(self) -> bool:
        """Whether the creatures on the map are worth more than the budget."""
        return self.drawn > self.holds

    def as_json(self) -> BudgetData:
        """Return the budget as `--json` has it, in standard creatures."""
        return {
            "difficulty": self.difficulty,
            "holds": self.holds / QUARTERS,
            "drawn": self.drawn / QUARTERS,
            "exceeded": self.is_exceeded,
        }


QUARTERS = 4
"""How many quarters are in a standard creature; worths are written in quarters."""


def budget_of(world: World, difficulty: str, players: int, fixed: Iterable[str]) -> Budget:
    """Return the budget of a difficulty for a number of players.

    `fixed` are the creatures on the map; their worth is the part of the budget that is already taken.
    """
    holds = numbers()["difficulty"][difficulty] * players
    return Budget(difficulty, holds, sum(creature_worth(world.book.creatures[ref]) for ref in fixed))


def scale_counts(world: World, wanted: Mapping[str, int], budget_of_fight: Budget) -> dict[str, int]:
    """Return how many creatures of each kind fill the free part of the budget.

    The numbers keep the proportions in `wanted`. Together they are never below one.
    """
    budget = budget_of_fight.holds - budget_of_fight.drawn
    counts = dict.fromkeys(wanted, 0)
    while True:
        fits = [ref for ref in wanted if creature_worth(world.book.creatures[ref]) <= budget]
        if not fits:
            break
        ref = min(fits, key=lambda ref: (counts[ref] + 1) / wanted[ref])
        counts[ref] += 1
        budget -= creature_worth(world.book.creatures[ref])
    if not any(counts.values()):
        counts[min(wanted, key=lambda ref: creature_worth(world.book.creatures[ref]))] = 1
    return {ref: count for ref, count in counts.items() if count}
