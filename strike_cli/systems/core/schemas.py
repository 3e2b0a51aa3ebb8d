"""The forms of the core: Conditions, Skills and points on a sheet, and a character's state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strike_cli.faults import Fault, Faults, Place
from strike_cli.problems import listed
from strike_cli.tabletop.contribution_schemas import CONTRIBUTIONS
from strike_cli.validation import (
    NAME,
    Anything,
    Either,
    Fields,
    Flag,
    Known,
    ListOf,
    Names,
    Number,
    OneOf,
    Record,
    Reference,
    TableOf,
    Text,
)

from .conditions import BUILT_IN, NEEDS
from .points import TIMES

if TYPE_CHECKING:
    from strike_cli.systems.core.data import ContentOfCore, RecoveryWritten


class SeverityName(Reference):
    """One of those that rules know, or one of the book's own."""

    def __init__(self) -> None:
        super().__init__("severities")

    def resolve(self, value: object, where: Place, names: Names) -> object:
        """Return the full id of one of the book's own severities, any other as it is."""
        return value if value in BUILT_IN else super().resolve(value, where, names)


def _check_recovery(recovery: RecoveryWritten, where: Place, faults: Faults) -> None:
    if "times" in recovery and not set(recovery["needs"]) & set(TIMES):
        faults.append(Fault(where / "times", f"goes with one of {listed(TIMES)} in needs, which is counted"))
    roll = recovery.get("roll", {})
    if ("worse_on" in roll) != ("to" in roll):
        faults.append(Fault(where / "roll", "worse_on and to, what it turns into, go together"))
    if roll.get("worse_on", 0) >= roll.get("at_least", 7):
        faults.append(Fault(where / "roll" / "worse_on", "should be less than at_least"))


RECOVERY = Record(
    _check_recovery,
    needs=(ListOf(OneOf(*NEEDS)), ...),
    text=(Text(), ...),
    own=ListOf(NAME, 1),  # needs in words of one's own: "a silver bell"
    times=Number(2, 99),  # how often the rest is needed
    # a die once all that is there: so high and it ends, so low and it turns into another one
    roll=Record(at_least=(Number(2, 6), ...), worse_on=Number(1, 5), to=Reference("conditions")),
)
SEVERITY = Record(
    name=(NAME, ...),
    summary=(Text(), ""),
    stacks=(Flag(), True),  # whether each instance of its Conditions counts
    like=OneOf(*BUILT_IN),  # what it is to rules that tell those apart
    override=(Flag(), False),
)
CONDITION = Record(
    name=(NAME, ...),
    severity=(SeverityName(), ...),
    summary=(Text(), ""),
    recovery=RECOVERY,  # what ends it; without one the game master says
    # so many of it become one of another
    escalates=Record(to=(Reference("conditions"), ...), at=(Number(2, 9), ...)),
    # untended through so many rests, of that length or longer, it becomes another
    worsens=Record(after=(OneOf(*TIMES), ...), times=(Number(1, 99), 1), to=(Reference("conditions"), ...)),
    stacks=Flag(),  # whether each instance counts; unless said, as of its severity
    doubts=(Flag(), False),  # it touches Skills that are named when it is gained
    noun=(Flag(), False),  # somebody has it: has Marsh Cough, not is
    tags=(ListOf(Text()), []),
    override=(Flag(), False),
    **CONTRIBUTIONS,
)

_NAMED = Either(str, NAME, Record(name=(NAME, ...), skill=Text(), text=Text()))
CREATURE: Fields = {"tricks": ListOf(_NAMED), "complications": ListOf(_NAMED)}
"""What somebody has who is more than a number in a fight."""
CHARACTER: Fields = {
    "skills": (ListOf(Text()), []),
    "tags": (TableOf(ListOf(Text())), {}),  # what a Skill is about, where a guess would be wrong
    "connections": (ListOf(Text()), []),
    "tools": (ListOf(Text()), []),
    "tricks": (ListOf(_NAMED), []),
    "complications": (ListOf(_NAMED), []),
    "relationships": (ListOf(Text()), []),
    "fallback": Text(),
    "ap": (Number(0, 99), 1),
}
"""What a character's sheet says of the core."""


def _of_conditions(book: ContentOfCore) -> Fields:
    return {
        "conditions": ListOf(Known("conditions", book.conditions)),
        "doubts": ListOf(Text()),  # the Skills that Lost Confidence touches
        # how often somebody has had what a condition needs, or has left it untended
        "course": TableOf(Record(rests=Number(0), untended=Number(0))),
    }


def others_state(book: ContentOfCore) -> TableOf:
    """Return the schema of `[others.ID]` in state.toml: Conditions of other people, and of sides."""
    return TableOf(Record(**_of_conditions(book)))


def character_state(book: ContentOfCore) -> dict[str, object]:
    """Return the schema of `[characters.ID]` in state.toml: what play changes of a character."""
    return {
        "ap": Number(0),
        **_of_conditions(book),
        "skills_learned": ListOf(Text()),
        "flaws": ListOf(Record(id=(Text(), ...), on=(Text(), ...), text=Text())),
        "favors": ListOf(
            Record(
                id=(Text(), ...),
                to=(Text(), ...),
                text=Text(),
                reputation=Flag(),
                associates=ListOf(Text()),  # of those whom it is owed to
            )
        ),
        "banked": ListOf(
            Record(
                id=(Text(), ...),
                gives=(OneOf("advantage", "disadvantage"), ...),
                for_=(Text(), ...),
                why=Text(),
            )
        ),
        "tricks_gained": ListOf(Record(name=(Text(), ...), skill=Text())),
        "tricks_lost": ListOf(Text()),
        "complications_gained": ListOf(Text()),
        "complications_lost": ListOf(Text()),
        "fallback": Text(),
        "fallback_used": Number(0),  # the session in which it was
        "awesome_given": Number(0),  # the session in which the Awesome Point was
        "levels": Number(0),
        "skill_uses": TableOf(Number(0)),
        "trick_uses": TableOf(Number(0)),
        "complication_uses": Number(0),
        "charges": TableOf(Record(spent=(Number(1), ...), back=(OneOf(*TIMES), ...))),
        "last_roll": Anything(),
    }


def unlisted_state(book: ContentOfCore) -> ListOf:
    """Skills on nobody's sheet that were rolled, and by whom first: `unlisted_skills` of state.toml."""
    return ListOf(Record(skill=(Text(), ...), who=(Text(), ...)))


def tasks_state(book: ContentOfCore) -> ListOf:
    """Return the schema of `tasks` in state.toml: what was tried already (Fun once)."""
    return ListOf(Record(who=(Text(), ...), task=(Text(), ...), intent=(Text(), ...), text=Text()))
