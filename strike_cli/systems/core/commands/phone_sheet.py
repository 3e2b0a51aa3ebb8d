"""A character's sheet for its player's phone, and the rolls that the phone offers.

The sheet's notes are left out, since they are for the game master.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

from strike_cli.kernel.driver import FacesNeeded, default_of_decision, play_until_open_decision
from strike_cli.kernel.procedure import Roll, Rulebook, World
from strike_cli.problems import Refused
from strike_cli.tabletop.own_sheet_types import Holding, OwnRoll, OwnSheet, SheetPart
from strike_cli.terminal.sheet_and_party_views import is_listed_in_campaign_or_no_list

from ..skill_roll import RollSkill, play_skill
from .current_sheets import merge_sheet, shows_action_points, skills_affected_by_condition

if TYPE_CHECKING:
    from strike_cli.tabletop.data import NamedTrick

    from ..data import ConditionShown


def own_sheet(world: World, person: str) -> OwnSheet:
    """Return a character's sheet for the character's player.

    Action Points and Conditions come first, then everything that the character can use.
    """
    now = merge_sheet(world, person)
    numbers = [("Action Points", str(now["ap"]))] if shows_action_points(world, person) else []
    if now["levels"]:
        numbers.append(("Level-ups", str(now["levels"])))
    lists = {
        "Skills": now["skills"],
        "Connections": now["connections"],
        "Tools": now["tools"],
        "Relationships": now["relationships"],
    }
    parts = [
        SheetPart("Conditions", [*_condition_holdings(world.book, now["conditions"], now["doubts"])]),
        SheetPart("Flaws", [Holding(item["on"], item.get("text", "")) for item in now["flaws"]]),
        SheetPart("Favors owed", [Holding(item["to"], item.get("text", "")) for item in now["favors"]]),
        SheetPart(
            "Banked",
            [
                Holding(f"{item['gives'].capitalize()} on {item['for']}", item.get("why") or "")
                for item in now["banked"]
            ],
        ),
        SheetPart("Tricks", [*_trick_or_complication_holdings(now["tricks"])]),
        SheetPart("Complications", [*_trick_or_complication_holdings(now["complications"])]),
        SheetPart("Fallback", [Holding(now["fallback"])] if now["fallback"] else []),
        *(SheetPart(title, [Holding(text) for text in texts]) for title, texts in lists.items()),
    ]
    return OwnSheet(numbers, parts=[part for part in parts if part.items])


def _condition_holdings(
    book: Rulebook, items: Iterable[ConditionShown], doubts: Sequence[str]
) -> Iterator[Holding]:
    for item in items:
        name = f"{item['name']} ×{item['count']}" if item["count"] > 1 else item["name"]
        ends = f"Ends with {item['recovery']['text']}" if item["recovery"] else ""
        affected = skills_affected_by_condition(book, item["id"], doubts)
        yield Holding(name, item["summary"] or ends, f"Affects {', '.join(affected)}" if affected else "")


def _trick_or_complication_holdings(items: Iterable[NamedTrick]) -> Iterator[Holding]:
    for item in items:
        yield Holding(item["name"], item.get("text", ""), item.get("skill", ""))


def skill_rolls_and_plain_die(world: World, person: str) -> Iterator[OwnRoll]:
    """Yield a Skill Roll for each of a character's Skills (STR-CORE-03), and a plain die.

    Skill Rolls are left out if Strike! isn't played.
    """
    if is_listed_in_campaign_or_no_list(world, "core"):
        for skill in merge_sheet(world, person)["skills"]:
            first = _first_dice_of_skill_roll(world, person, skill)
            yield OwnRoll(skill, first.n, first.sides, ("roll", "skill", person, skill))
    yield OwnRoll("A die", 1, 6, ("roll", "die", "1d6"))


def _first_dice_of_skill_roll(world: World, person: str, skill: str) -> Roll:
    """Return the dice that a Skill Roll would take now.

    There are two dice if the roll has Advantage or Disadvantage. Raises Refused if the roll takes no dice.
    """
    tried = World(world.book, world.state)
    args = RollSkill(who=person, skill=skill, skilled=True, known=True)
    try:
        play_until_open_decision(play_skill(tried, args), tried, _raise_faces_needed, default_of_decision)
    except FacesNeeded as wanted:
        return wanted.roll
    raise Refused(f"{skill} takes no dice now.")


def _raise_faces_needed(roll: Roll) -> NoReturn:
    raise FacesNeeded(roll)
