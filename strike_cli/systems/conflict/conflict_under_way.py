"""The conflict under way: sides, actions, traits, bonuses, Strikes (STR-TC-01, 03, 06, 16).

A side is a team of players, or an opposition that acts as one. Each rule is written once and serves both
sides. The parameter `side` is always "ours" or "theirs".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from strike_cli.kernel.procedure import Procedure, Sets, World
from strike_cli.kernel.statements import Clause, Reason, clause_as_json, clause_from_json
from strike_cli.problems import Refused, Usage, did_you_mean, listed
from strike_cli.refusals import NoConflict
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker, display_name, slug

from .facts import ConflictBonus, ConflictStrikeRemoved, ConflictStrikeTaken, ConflictTraitRegained, OfAction
from .rule_numbers import ROLLS, SIDES, WhichRoll, WhichSide, numbers

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book
    from strike_cli.kernel.state_changes import State

    from .data import ConflictAction, ConflictSide, ConflictState, DeclaredAction, RoundBonus, TraitWritten

ACTIONS: Mapping[str, ConflictAction] = numbers()["actions"]
LIMITS = cast("Mapping[str, int]", numbers()["limits"])
SECONDARY = "secondary"
SECONDARY_GOAL: ConflictAction = {"name": "a secondary goal"}
"""A secondary goal in the form of an action."""
OUR_TEAM_NAME = "The team"
LOSER_BY_ENDING: Mapping[str, str] = {
    "lose": "ours",
    "conceded": "ours",
    "win": "theirs",
    "they-conceded": "theirs",
}
"""The side that has lost, by the kind of end."""


def other_side(side: str) -> WhichSide:
    """Return the other side."""
    return "theirs" if side == "ours" else "ours"


def conflict_in(state: State) -> ConflictState | None:
    """Return the conflict in a state, whether under way or over; None if there is none."""
    return cast("ConflictState | None", state.get("conflict"))


def require_conflict(world: World, *, may_have_ended: bool = False) -> ConflictState:
    """Return the conflict.

    Raises Refused if there is none, or if it is over and `may_have_ended` is false.
    """
    scene = conflict_in(world.state)
    if scene is None:
        raise NoConflict("`strike conflict start NAME` begins one.")
    if scene.get("ended") and not may_have_ended:
        averted = ", `strike conflict avert WHO` goes on" if scene["ended"] in ("win", "lose") else ""
        raise Refused(f"{scene['name']} is over.", f"`strike conflict end` brings the aftermath{averted}.")
    return scene


def side_path(side: str, key: str) -> str:
    """Return the dotted path of a side's value in the state."""
    return f"conflict.{side}.{key}"


def current_or_ended_conflict(world: World) -> ConflictState:
    """Return the conflict, under way or over. There must be one."""
    return cast("ConflictState", world.state["conflict"])


def side_in(world: World, side: str) -> ConflictSide:
    """Return a side of the conflict. There must be a conflict.

    The side isn't looked up by its path in the state: the function is called too often for that.
    """
    sides: Mapping[str, ConflictSide] = world.state["conflict"]  # type: ignore[assignment]  # a cast is a call more
    return sides[side]


def side_name(world: World, side: str) -> str:
    """Return the name of a side."""
    return side_in(world, side)["name"]


def side_names(world: World) -> dict[str, str]:
    """Return the names of both sides."""
    return {side: side_name(world, side) for side in SIDES}


def is_team_of_players(world: World, side: str) -> bool:
    """Return whether a side is a team of players.

    Our side always is one. The other side is one if players are on both sides.
    """
    return bool(side_in(world, side)["team"])


def are_players_on_both_sides(world: World) -> bool:
    """Return whether players are on both sides (STR-TC-03, 09)."""
    return all(is_team_of_players(world, side) for side in SIDES)


def active_members(world: World, side: str) -> list[str]:
    """Return the members of a team who haven't withdrawn.

    The list is empty for an opposition, which has no members.
    """
    gone = side_in(world, side).get("withdrawn", ())
    return [person for person in side_in(world, side)["team"] if person not in gone]


def require_side_of_active_person(world: World, person: str) -> str:
    """Return the side of a person. Raises Refused if they aren't in the conflict, or have withdrawn."""
    for side in SIDES:
        if person in active_members(world, side):
            return side
    gone = any(person in side_in(world, side).get("withdrawn", ()) for side in SIDES)
    present = [one for side in SIDES for one in active_members(world, side)]
    raise Refused(
        f"{display_name(world, person)} {'has withdrawn from' if gone else 'is not in'} the conflict.",
        f"In it: {listed(present)}.",
    )


# Actions


class ChosenAction(NamedTuple):
    """An action that a person or an opposition has chosen for this round. `who` is "" for an opposition."""

    who: str
    item: DeclaredAction

    @property
    def action(self) -> ConflictAction:
        """The definition of the action. For a secondary goal it is SECONDARY_GOAL."""
        return ACTIONS.get(self.item["action"], SECONDARY_GOAL)

    @property
    def reason(self) -> OfAction:
        """The action as a reason for the effects that it has."""
        return OfAction(self.item["action"], self.who, "" if self.who else "theirs")

    @property
    def words(self) -> str:
        """The name of the action.

        For a secondary goal, the result of its Skill Roll is added.
        """
        if self.item["action"] == SECONDARY:
            return f"{self.action['name']}, {self.item.get('came', '')}".rstrip(", ")
        return self.action["name"]


def chosen_actions(world: World, side: str) -> list[ChosenAction]:
    """Return the actions that a side has chosen so far, in the order of its team."""
    own = side_in(world, side).get("opposition")
    if own:
        return [ChosenAction("", own)]
    done = side_in(world, side).get("actions", {})
    return [ChosenAction(person, done[person]) for person in active_members(world, side) if person in done]


def people_without_action(world: World, side: str) -> list[str]:
    """Return the members of a team who haven't chosen an action for this round."""
    done = side_in(world, side).get("actions", {})
    return [person for person in active_members(world, side) if person not in done]


def action_names_for_kind_of_side_by_key(world: World, side: str) -> dict[str, str]:
    """Return the actions that a side may take, with their names (STR-TC-03).

    With players on both sides, both have Observe and Obscure.
    """
    kind = "players" if is_team_of_players(world, side) else "opposition"
    both = are_players_on_both_sides(world)
    return {
        key: str(item["name"])
        for key, item in ACTIONS.items()
        if item.get("of", kind) == kind or (both and item.get("shared"))
    }


def find_action(world: World, side: str, word: str) -> str:
    """Return the key of the action that a typed word means, among those that the side may take.

    The word is read as by `find_key`. Raises Usage if it means none or several.
    """
    return find_key(word, action_names_for_kind_of_side_by_key(world, side), "action")


def find_key(word: str, names_by_key: Mapping[str, str], noun: str) -> str:
    """Return the key in `names_by_key` that a typed word means.

    The word can be a key or the name of a key. If it is neither, it can be the beginning of a key, or else
    the beginning of a part of a key. Raises Usage if no key fits, or several do. `noun` is the noun for the
    error message.
    """
    low = slug(word)
    found = [key for key in names_by_key if key == low or slug(names_by_key[key]) == low]
    found = found or [key for key in names_by_key if low != "-" and key.startswith(low)]
    found = found or [key for key in names_by_key if any(part.startswith(low) for part in key.split("-"))]
    if len(found) != 1:
        raise Usage(
            f"{word!r} is no {noun} here.{did_you_mean(word, names_by_key)}"
            if not found
            else f"{word!r} could be {listed(found)}.",
            f"One of: {listed(names_by_key, 20)}.",
        )
    return found.pop()


# Traits


def trait_effects(world: World, name: str) -> TraitWritten:
    """Return the effects of a trait; they are empty for a trait that only absorbs a Hit (STR-TC-16)."""
    return _traits_by_slug_of_name_or_id(world.book).get(slug(name), cast("TraitWritten", {}))


@lru_cache(maxsize=8)
def _traits_by_slug_of_name_or_id(book: Book) -> dict[str, TraitWritten]:
    """Return the book's traits by name, id and short id.

    If several traits have the same name, the campaign's own trait has it.
    """
    found: dict[str, TraitWritten] = {}
    for key in sorted(book.traits, key=lambda key: ":" not in key):  # bare ids last: they win
        item = book.traits[key]
        for name in (key.rpartition(":")[2], item["name"], key):
            found[slug(name)] = item
    return found


def active_traits(world: World, side: str) -> Iterator[tuple[str, TraitWritten]]:
    """Yield a side's active traits, with their effects."""
    for name in side_in(world, side)["traits"]:
        yield name, trait_effects(world, name)


def trait_with_effect(world: World, side: str, effect: str) -> str:
    """Return the name of a side's first active trait with an effect, "" if there is none."""
    return next((name for name, does in active_traits(world, side) if does.get(effect)), "")


# Bonuses


def bonus_for_coming_round(
    world: World, which: WhichRoll, value: int, why: Clause, ahead: int = 1
) -> RoundBonus:
    """Return a bonus on an advance roll or a defense roll in a coming round.

    Args:
        world: The world with the current conflict.
        which: The roll that gets the bonus.
        value: The bonus.
        why: The reason for the bonus.
        ahead: The number of rounds from now. 1 is the next round.
    """
    number = current_or_ended_conflict(world)["round"] + ahead
    bonus: RoundBonus = {"first": number, "last": number, "why": reason_to_json(why)}
    bonus[which] = value
    return bonus


def reason_to_json(why: Clause) -> dict[str, object]:
    """Return a reason as the state stores it; `clause_from_json` is the inverse."""
    return clause_as_json(why, GameMasterSpeaker())


def changes_adding_bonuses(world: World, side: str, *bonuses: RoundBonus) -> Sets:
    """Return the change of the state that adds bonuses to a side's present bonuses."""
    return {side_path(side, "bonuses"): [*side_in(world, side).get("bonuses", ()), *map(dict, bonuses)]}


def give_bonus(
    world: World, side: str, bonus: RoundBonus, *, is_for_this_round: bool = False
) -> Procedure[None]:
    """Give a side a bonus, and report it.

    The bonus itself says in which rounds it counts. `is_for_this_round` only changes the report: it speaks of
    this round instead of the next.
    """
    which, value = next((which, bonus[which]) for which in ROLLS if which in bonus)
    told = ConflictBonus(side, which, value, clause_from_json(bonus["why"]), is_for_this_round)
    yield world.tell(told, changes_adding_bonuses(world, side, bonus))


# Strikes and traits regained


def strikes_by_side(world: World) -> dict[str, int]:
    """Return the Strikes of both sides."""
    return {side: side_in(world, side)["strikes"] for side in SIDES}


def removable_strikes(world: World, side: str) -> int:
    """Return how many of a side's Strikes can be removed.

    Irremovable Strikes don't count; if the other side has the trait Final, none can be removed.
    """
    if trait_with_effect(world, other_side(side), "irremovable"):
        return 0
    own = side_in(world, side)
    return max(0, own["strikes"] - own.get("irremovable", 0))


def add_strike(world: World, side: str, why: Reason, *, irremovable: bool = False) -> Procedure[None]:
    """Give a side a Strike; an `irremovable` one can't be removed later."""
    now = strikes_by_side(world)[side] + 1
    sets: Sets = {side_path(side, "strikes"): now}
    if irremovable:
        sets[side_path(side, "irremovable")] = side_in(world, side).get("irremovable", 0) + 1
    yield world.tell(ConflictStrikeTaken(side, why, now, irremovable), sets)


def remove_strike(world: World, side: str, why: Reason) -> Procedure[None]:
    """Remove a Strike from a side."""
    now = strikes_by_side(world)[side] - 1
    yield world.tell(ConflictStrikeRemoved(side, why, now), {side_path(side, "strikes"): now})


def regain_options(world: World, side: str) -> list[str]:
    """Return what a side can regain: "strike" if a Strike can be removed, and the names of lost traits."""
    return ["strike"] * bool(removable_strikes(world, side)) + list(
        side_in(world, side).get("lost_traits", ())
    )


def regain_wanted_else_strike_else_trait(
    world: World, side: str, wanted: str, why: Reason
) -> Procedure[None]:
    """Remove one Strike of a side, or give the side back one lost trait.

    `wanted` says which: "strike", the name of a lost trait, or "none" for neither. If `wanted` is "", a
    Strike is removed. If no Strike can be removed, the first lost trait comes back instead.

    If the side can't regain what is wanted, nothing happens.
    """
    possible = regain_options(world, side)
    choice = wanted or (possible[0] if possible else "none")
    if choice == "strike" and choice in possible:
        yield from remove_strike(world, side, why)
    elif choice in possible:
        left = [name for name in side_in(world, side)["lost_traits"] if name != choice]
        sets = {
            side_path(side, "lost_traits"): left or None,
            side_path(side, "traits"): [*side_in(world, side)["traits"], choice],
        }
        yield world.tell(ConflictTraitRegained(side, choice, why), sets)


def read_regain_choice(world: World, side: str, wanted: str) -> str:
    """Return what a side is to regain, with the name of a trait in its proper spelling.

    `wanted` is what was typed: "strike", the name of a lost trait, "none", or "" for the default. Raises
    Refused for anything else.
    """
    if wanted in ("", "none", "strike"):
        return wanted
    lost = side_in(world, side).get("lost_traits", ())
    for name in lost:
        if slug(name) == slug(wanted):
            return str(name)
    raise Refused(f"{wanted!r} is not a trait to regain.", f"`strike`, `none`, or: {listed(lost)}.")
