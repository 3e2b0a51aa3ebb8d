"""Saves: an attribute's die against 4, or against the die of an opponent (GRT-02, 03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.plugin import Args, Procedure, Refused, World
from strike_cli.plugin.dice import Rolled
from strike_cli.plugin.refusals import TemplateRefusal

from .dice import NO_REASONS, SAVED, DieReasons, die_name, make_highest_above_test, roll_for_highest, sides_of
from .facts import GritSaved
from .vitals import GritVitals

if TYPE_CHECKING:
    from .data import GritMoraleCounts, GritSaveData


COMPROMISE = "compromise"


class GritSave(Args):
    """The arguments of `grit save`: a person's attribute, or a bare die without a person.

    - A person `who` rolls `attribute`. If there is an opponent (`against`), the opponent rolls the attribute
      `their`. If `their` is "", the opponent rolls the same attribute.
    - Without a person, `die` is rolled. If there is an opposing die, it is `against_die`.

    Without an opponent, the roll has to reach 4.
    """

    who: str = ""
    attribute: str = ""
    against: str = ""
    their: str = ""
    die: str = ""
    against_die: str = ""
    enhanced: Sequence[str] = ()
    impaired: Sequence[str] = ()

    def people(self) -> list[str]:
        return [self.who, self.against]


class SaveRoller(NamedTuple):
    """Somebody who makes a Save or opposes it, with the attribute in words (`what`) and its die.

    `sides` is 0 if the attribute is at zero, so that there is no die.
    """

    who: str
    name: str
    what: str
    sides: int


class SaveResult(NamedTuple):
    """The result of a Save. If the saver has no die left, `roll` is None, and the Save fails."""

    roll: Rolled | None
    against: Rolled | None
    success: bool
    compromise: bool = False

    @property
    def outcome(self) -> str:
        """The outcome: "success", "failure", or after a tie "compromise" if the house rule allows it."""
        return "success" if self.success else COMPROMISE if self.compromise else "failure"


def play_save(world: World, args: GritSave) -> Procedure[GritSaveData]:
    """Play `grit save`. Dice: the saver's die, then the opponent's."""
    mine, theirs = _saver_and_opponent(world, args)
    saved = yield from make_save(world, mine, theirs, DieReasons(args.enhanced, args.impaired))
    data: GritSaveData = {
        "who": mine.who,
        "attribute": args.attribute or None,
        "die": die_name(mine.sides),
        "roll": saved.roll.as_json() if saved.roll else None,
        "against": saved.against.as_json() if saved.against else None,
        "success": saved.success,
    }
    if saved.compromise:
        data["compromise"] = True
    return data


def odds_key(data: GritSaveData) -> GritMoraleCounts:
    """Return the values by which `strike odds grit save` tells results apart."""
    counts: GritMoraleCounts = {"success": data["success"]}
    if "compromise" in data:
        counts["compromise"] = data["compromise"]
    return counts


def _saver_and_opponent(world: World, args: GritSave) -> tuple[SaveRoller, SaveRoller | None]:
    if not args.who:
        if not args.die:
            raise Refused("Whose Save is it?", "Name a person and str, dex or wil; or a die alone, --die d8.")
        bare = SaveRoller("", "", "die", sides_of(args.against_die)) if args.against_die else None
        return SaveRoller("", "", "die", sides_of(args.die)), bare
    if args.die or args.against_die:
        raise Refused("--die is without a person.", "Give --die, or a person and str, dex or wil.")
    mine = roller_of_save(world, args.who, args.attribute)
    if not args.against:
        return mine, None
    if args.against == args.who:
        raise Refused(f"{mine.name} can't save against {mine.name}.", "Name another opponent, or none.")
    return mine, roller_of_save(world, args.against, args.their or args.attribute)


def roller_of_save(world: World, combatant: str, attribute: str) -> SaveRoller:
    """Return the roller of a Save with an attribute of a combatant.

    Raises Refused if the combatant is dead or gone, and NoAttribute for an unknown attribute.
    """
    standing = GritVitals.of_person(world, combatant)
    if attribute not in ("str", "dex", "wil"):
        raise NoAttribute(repr(attribute))
    if standing.numbers.get("out"):
        raise Refused(f"{standing.name} is {standing.state}.", "`strike grit show` lists everybody there.")
    return SaveRoller(combatant, standing.name, attribute.upper(), standing[attribute])


def make_save(
    world: World, saver: SaveRoller, opponent: SaveRoller | None, reasons: DieReasons = NO_REASONS
) -> Procedure[SaveResult]:
    """Play a Save with an attribute, alone or against an opponent (GRT-02).

    Without an opponent, a roll of 4 or more succeeds. Against an opponent, a roll above the opponent's roll
    succeeds. With an attribute at zero there is no die to roll, and the Save fails. A house rule decides
    about ties.
    """
    roll = against = None
    if saver.sides:
        matters = max if opponent else make_highest_above_test(SAVED - 1)
        roll = yield from roll_for_highest(saver.who, f"{saver.what} Save", [saver.sides], reasons, matters)
        if opponent and opponent.sides:
            against = yield from roll_for_highest(
                opponent.who, f"{opponent.what} against it", [opponent.sides]
            )
    over = against.kept if against else 0 if opponent else SAVED - 1
    success = roll is not None and roll.kept > over
    tie = opponent is not None and roll is not None and roll.kept == over
    compromise = tie and world.book is not None and world.book.house["grit.save_tie"] == COMPROMISE
    saved = SaveResult(roll, against, success, compromise)
    foe = opponent.who if opponent else ""
    yield world.tell(GritSaved(saver.who, saver.what.lower(), saved.outcome, roll, against, foe))
    return saved


class NoAttribute(TemplateRefusal, Refused):
    """Raised for a word that is not an attribute."""

    word: str
    hint: str = "The attributes are str, dex and wil."

    says = "{word} is not an attribute."
