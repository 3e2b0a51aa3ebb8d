"""The creatures of a new fight: their numbers by tier, their tables, and budgets (STR-TAC-27).

A budget limits how much the creatures of a fight may be worth at a difficulty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.grid import Square, format_square

from ..rule_numbers import combat_numbers

if TYPE_CHECKING:
    from ..data import BudgetData, Combatant, TierNumbers

KEYS_FROM_TIER = ("hp", "boxes", "threshold", "turns", "shares_initiative")
"""The keys that a creature has from its tier, unless its sheet has them."""


def creature_numbers_with_tier_defaults(sheet: Mapping[str, object]) -> dict[str, int]:
    """Return a creature's numbers for a fight: those of its sheet, or else those of its tier.

    The numbers have either `hp`, or `boxes` with their `threshold`. They may have `turns` (turns in a round)
    and `shares_initiative`. A creature with HP on its sheet has no boxes, whatever its tier.
    """
    own: Mapping[str, object] = {
        **_tier_numbers(sheet),
        **{key: sheet[key] for key in KEYS_FROM_TIER if key in sheet},
    }
    found = cast("dict[str, int]", own)
    if "hp" in sheet:
        found.pop("boxes", None), found.pop("threshold", None)
    elif "boxes" in found:
        found.pop("hp", None)
        found.setdefault("threshold", 1)
    return found


def creature_worth_in_quarters(sheet: Mapping[str, object]) -> int:
    """Return a creature's worth in a budget, in quarters of a standard creature."""
    return _tier_numbers(sheet)["worth"]


def _tier_numbers(sheet: Mapping[str, object]) -> TierNumbers:
    return combat_numbers()["tiers"][str(sheet.get("tier", "standard"))]


def new_combatant(world: World, ref: str, side: str, square: Square, name: str) -> Combatant:
    """Return the table of a combatant that enters a fight, with full HP or all boxes."""
    sheet = world.book.characters.get(ref)
    known = {"name": name, "ref": ref, "side": side, "at": format_square(square)}
    if sheet is None:
        sheet = world.book.creatures[ref]
        tier = creature_numbers_with_tier_defaults(sheet)
        hp = tier.get("hp") or tier.get("boxes")
        more: dict[str, object] = {"threshold": tier["threshold"]} if "boxes" in tier else {}
        if "turns" in tier:
            more["turns"] = tier["turns"]
        if sheet["hidden"]:
            more["hidden"] = True
    else:
        hp, more = sheet.get("hp", combat_numbers()["defaults"]["hp"]), {}
    if sheet.get("statuses"):
        more["statuses"] = [{"id": status, "ends": "encounter"} for status in sheet["statuses"]]
    if "image" in sheet:
        more["image"] = sheet["image"]
    numbers_ = {"size": sheet.get("size", 1), "hp": hp, "max_hp": hp}
    return cast("Combatant", {**known, **numbers_, **more})


class Budget(NamedTuple):
    """The budget of a `difficulty` for a party, and the part of it that the creatures on the map take.

    `limit` is the budget and `worth_on_map` the worth of these creatures, both in quarters of a standard
    creature.
    """

    difficulty: str
    limit: int
    worth_on_map: int

    @property
    def is_exceeded_by_placed_creatures(self) -> bool:
        """Whether the creatures on the map are worth more than the budget."""
        return self.worth_on_map > self.limit

    def as_json(self) -> BudgetData:
        """Return the budget in the form of `--json`.

        Its amounts are numbers of standard creatures.
        """
        return {
            "difficulty": self.difficulty,
            "holds": self.limit / QUARTERS,
            "drawn": self.worth_on_map / QUARTERS,
            "exceeded": self.is_exceeded_by_placed_creatures,
        }


QUARTERS = 4
"""How many quarters are in a standard creature; worths are written in quarters."""


def budget_for_difficulty(
    world: World, difficulty: str, players: int, creatures_on_map: Iterable[str]
) -> Budget:
    """Return the budget of a difficulty for a number of players, and how much of it is used.

    The creatures in `creatures_on_map` use as much of the budget as they are worth together.
    """
    holds = combat_numbers()["difficulty"][difficulty] * players
    return Budget(
        difficulty,
        holds,
        sum(creature_worth_in_quarters(world.book.creatures[ref]) for ref in creatures_on_map),
    )


def scale_or_drop_kinds_to_free_budget(
    world: World, wanted: Mapping[str, int], budget_of_fight: Budget
) -> dict[str, int]:
    """Return the number of creatures of each kind that fills the free part of the budget.

    The numbers keep the proportions of `wanted`. There is always at least one creature, even if it exceeds
    the budget.
    """
    budget = budget_of_fight.limit - budget_of_fight.worth_on_map
    counts = dict.fromkeys(wanted, 0)
    while True:
        fits = [ref for ref in wanted if creature_worth_in_quarters(world.book.creatures[ref]) <= budget]
        if not fits:
            break
        ref = min(fits, key=lambda ref: (counts[ref] + 1) / wanted[ref])
        counts[ref] += 1
        budget -= creature_worth_in_quarters(world.book.creatures[ref])
    if not any(counts.values()):
        counts[min(wanted, key=lambda ref: creature_worth_in_quarters(world.book.creatures[ref]))] = 1
    return {ref: count for ref, count in counts.items() if count}
