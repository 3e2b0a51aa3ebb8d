"""The modifiers and Disadvantages of a side's two rolls (STR-TC-02, 03, 13, 15, 16).

They come from actions, an opposition's numbers, traits, bonuses, Conditions and Flaws.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, cast

from strike_cli.kernel.procedure import Args, World
from strike_cli.kernel.statements import Clause, Said, clause_from_json
from strike_cli.problems import Usage, listed
from strike_cli.systems.core.conditions import applicable_built_in_severity
from strike_cli.tabletop.characters_and_names import (
    character_changes_of,
    conditions_of_person_kind_and_side,
    display_name,
    slug,
)
from strike_cli.tabletop.dice import DISADVANTAGE, Modifier, Source

from .conflict_under_way import (
    LIMITS,
    SECONDARY,
    active_members,
    active_traits,
    chosen_actions,
    current_or_ended_conflict,
    is_team_of_players,
    other_side,
    side_in,
    side_name,
)
from .facts import HasCondition, HasFlaw, OfTeamTrait, OwnNumber
from .round_dice import RoundSide
from .rule_numbers import ROLLS, SIDES, WhichRoll, numbers


class RollOfConditionOrFlaw(NamedTuple):
    """Which of a side's two rolls, Advance or Defense, one Condition or Flaw affects.

    `word` names the Condition or Flaw. `roll` is "advance" or "defense", or "none" for neither of the two.
    """

    word: str
    roll: str


class RollsOfConditionsAndFlaws(Args):
    """Which of a side's two rolls, Advance or Defense, each Condition and Flaw affects.

    `picks` says so for some Conditions and Flaws, and `default` for all others. "none" stands for neither of
    the two rolls.
    """

    default: str = ROLLS[0]
    picks: Sequence[RollOfConditionOrFlaw] = ()


class ConditionOrFlaw(NamedTuple):
    """A Condition or a Flaw that counts against a team.

    `who` is its holder's id and `person` the holder's name. `kind` is "minor", "major" or "flaw". `id` is the
    short id of the Condition, or the id of the Flaw on the sheet. `reason` is the clause for reports.
    """

    who: str
    person: str
    kind: str
    id: str
    name: str
    reason: HasCondition | HasFlaw

    @property
    def words(self) -> str:
        """The Condition or Flaw in words, for a list."""
        return f"{self.person}: {self.name}"

    def is_named_itself_or_by_holder(self, word: str) -> bool:
        """Return whether a word means this Condition or Flaw.

        The word may be the holder, the name of the Condition or Flaw, or both, joined like `holder-name`.
        """
        low = slug(word)
        people = slug(self.who), slug(self.person)
        names = slug(self.name), slug(self.id)
        return low in (*people, *names, *(f"{person}-{name}" for person in people for name in names))


def side_ready_to_roll(
    world: World,
    side: str,
    affected_rolls: RollsOfConditionsAndFlaws,
    disadvantages: Mapping[str, Sequence[str]],
    chosen_bonuses: Mapping[str, Sequence[Modifier]],
) -> RoundSide:
    """Return what affects a side's two rolls: modifiers, reasons for Disadvantage, and scouted dice.

    Scouted dice are those that the other side has rolled in advance.

    Args:
        world: The world.
        side: The side that rolls.
        affected_rolls: Which of the two rolls each Condition or Flaw affects.
        disadvantages: Further reasons for Disadvantage, by roll.
        chosen_bonuses: The bonuses that were chosen for this round, by roll.
    """
    found: dict[str, list[Modifier]] = {which: [] for which in ROLLS}
    reasons: dict[str, list[Source]] = {
        which: [Source(DISADVANTAGE, Said(reason)) for reason in disadvantages.get(which, ())]
        for which in ROLLS
    }
    now, grown = current_or_ended_conflict(world)["round"], side_in(world, side).get("grown", {})
    for which in ROLLS:
        _add_unless_zero(found[which], side_in(world, side)[which], OwnNumber(which))
        for one in chosen_actions(world, side):
            to = one.item.get("to")
            value = LIMITS["secondary"] if to == which else one.action.get(which, 0)
            _add_unless_zero(found[which], value, one.reason)
        for name, does in active_traits(world, side):
            _add_unless_zero(found[which], does.get(which, 0), OfTeamTrait(name))
            _add_unless_zero(
                found[which], does.get(_GROWTH_KEYS[which], 0) * grown.get(slug(name), 0), OfTeamTrait(name)
            )
        for bonus in side_in(world, side).get("bonuses", ()):
            if bonus["first"] <= now <= bonus["last"]:
                _add_unless_zero(found[which], bonus.get(which, 0), clause_from_json(bonus["why"]))
        found[which] += chosen_bonuses.get(which, ())
    for weight, on in conditions_and_flaws_with_rolls(world, side, affected_rolls):
        if on in ROLLS:
            gives = cast("Mapping[str, int | str]", numbers()["weighs"])[weight.kind]
            if isinstance(gives, int):
                _add_unless_zero(found[on], gives, weight.reason)
            else:
                reasons[on].append(Source(gives, weight.reason))
    return RoundSide(
        side_name(world, side), found, reasons, side_in(world, other_side(side)).get("scouted", {})
    )


_GROWTH_KEYS: Mapping[WhichRoll, Literal["grows_advance", "grows_defense"]] = {
    "advance": "grows_advance",
    "defense": "grows_defense",
}
"""The key by which a trait makes each roll grow."""


def _add_unless_zero(into: list[Modifier], value: int, reason: Clause) -> None:
    if value:
        into.append(Modifier(value, reason))


def conditions_and_flaws_that_count(world: World, side: str) -> list[ConditionOrFlaw]:
    """Return the Conditions, then the Flaws, that count against a team (STR-TC-15).

    There are none for an opposition. The worst Conditions come first. Conditions from which Inspire protects
    are left out. Only Flaws of Skills and items with which members act in this round count.
    """
    if not is_team_of_players(world, side):
        return []
    inspired = side_in(world, side).get("inspired", [])
    found = []
    for person in active_members(world, side):
        own = [
            ConditionOrFlaw(
                person,
                display_name(world, person),
                severity,
                key.rpartition(":")[2],
                str(definition["name"]),
                HasCondition(person, key),
            )
            for key in conditions_of_person_kind_and_side(world, person)
            if (
                severity := applicable_built_in_severity(world.book, definition := world.book.conditions[key])
            )
            in ("major", "minor")
        ]
        own.sort(key=lambda item: item.kind != "major")
        found += own[inspired.count("each") :]
    found.sort(key=lambda item: item.kind != "major")
    return [*found[inspired.count("one") :], *_flaws_in_use(world, side)]


def _flaws_in_use(world: World, side: str) -> Iterable[ConditionOrFlaw]:
    """Yield the Flaws of the Skills and items that a team's members use in this round.

    A member who pursues a secondary goal is left out, since that member's own roll has counted the Flaws.
    """
    for one in chosen_actions(world, side):
        if one.item["action"] == SECONDARY:
            continue  # its own roll has counted them
        uses = {one.item.get("skill", "").lower(), one.item.get("using", "").lower()} - {""}
        for flaw in character_changes_of(world, one.who).get("flaws", ()):
            if flaw["on"].lower() in uses or flaw["id"] in uses:
                person, on = display_name(world, one.who), str(flaw["on"])
                yield ConditionOrFlaw(one.who, person, "flaw", str(flaw["id"]), on, HasFlaw(one.who, on))


def conditions_and_flaws_with_rolls(
    world: World, side: str, affected_rolls: RollsOfConditionsAndFlaws
) -> list[tuple[ConditionOrFlaw, str]]:
    """Return the Conditions and Flaws that count against a team, each with the roll that it affects.

    `affected_rolls` says which roll that is: in `picks` for single Conditions and Flaws, in `default` for all
    others. If several picks name the same Condition or Flaw, the last one counts.
    """
    found = []
    for weight in conditions_and_flaws_that_count(world, side):
        named = [pick.roll for pick in affected_rolls.picks if weight.is_named_itself_or_by_holder(pick.word)]
        found.append((weight, named[-1] if named else affected_rolls.default))
    return found


def must_name_conditions_or_flaws(world: World, affected_rolls: RollsOfConditionsAndFlaws) -> None:
    """Raise Usage if a word in `affected_rolls` names no Condition or Flaw of either side."""
    weights = [weight for side in SIDES for weight in conditions_and_flaws_that_count(world, side)]
    for word, _ in affected_rolls.picks:
        if not any(weight.is_named_itself_or_by_holder(word) for weight in weights):
            raise Usage(
                f"Nothing called {word!r} modifies a team's roll in this round.",
                f"Known: {listed(weight.words for weight in weights)}.",
            )
