"""The schemas of the effects of statuses, Conditions and traits: bans, remaps, reactions and others.

`docs/status-reference.md` explains them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

from ..file_faults import Fault, Faults, Place
from ..validation import Either, ListOf, Number, OneOf, Record, Text, VocabularyWord
from ..validation_schemas_from_types import Default, form
from .rules_vocabulary import DURATIONS, NUMBERS, ROLL_KINDS, STANDINGS, UNTIL


class BanWords(NamedTuple):
    """The wording of a ban.

    `own` is for a ban of the holder's own actions, and `against` for a ban of actions against the holder.
    `over` is for a ban that still allows a number of actions; `{}` is that number.
    """

    own: str
    against: str = ""
    over: str = ""


ACTION_KINDS: Mapping[str, BanWords] = {
    "act": BanWords("takes no actions", over="takes no more actions in a turn than {}"),
    "attack": BanWords("takes no Attack Actions"),
    "move": BanWords("can't move", over="moves {} at most"),
    "shift": BanWords("can't shift"),
    "role": BanWords("takes no Role Actions"),
    "opportunity": BanWords("makes no Opportunities", "gives no Opportunities"),
    "miss-effect": BanWords("triggers nothing by missing or being missed"),
    "flank": BanWords("doesn't count for flanking"),
    "stand": BanWords("can't stand up"),
    "melee": BanWords("makes no melee attacks", "can't be attacked in melee"),
    "ranged": BanWords("makes no ranged attacks", "can't be attacked at range"),
    "seen": BanWords("sees nobody", "can't be seen, until it attacks"),
    "non-basic": BanWords("makes only basic attacks"),
    "decide": BanWords("doesn't decide for itself: the giver decides"),
}
"""The actions that a ban can forbid."""
DURATION = VocabularyWord("durations", DURATIONS)
UNTIL_FACT = VocabularyWord("moments", UNTIL)
ROLL = VocabularyWord("rolls", ROLL_KINDS)
_FROM_TASKS = ("attack", "save", "comeback", "initiative", "escape", "panic", "assess", "recovery")
"""The kinds of roll that have no tags."""


def _check_source(source: SourceWritten, where: Place, faults: Faults) -> None:
    of_attacks = source["on"] in ("attack", "any") or ":" in source["on"]
    if "when" in source and not of_attacks:
        faults.append(Fault(where / "when", f"distinguishes attacks, not {ROLL_KINDS[source['on']]}"))
    if source["range"] != "any" and not of_attacks:
        faults.append(Fault(where / "range", f"distinguishes attacks, not {ROLL_KINDS[source['on']]}"))
    if source["tags"] and source["on"] in _FROM_TASKS:
        faults.append(Fault(where / "tags", f"are for tasks; {ROLL_KINDS[source['on']]} have none"))


@form(_check_source)
class SourceWritten(TypedDict):
    """A number, Advantage or Disadvantage that a status, a Condition or a trait adds to rolls."""

    on: Annotated[str, ROLL]
    gives: Annotated[
        int | Literal["advantage", "disadvantage"],
        Either(int, Number(-6, 6), OneOf("advantage", "disadvantage")),
    ]
    side: Annotated[Literal["own", "against"], Default("own")]
    range: Annotated[Literal["any", "melee", "ranged"], Default("any")]
    round: NotRequired[Annotated[int, Number(1)]]
    when: NotRequired[Annotated[str, OneOf(*STANDINGS)]]  # which counts only in a fight
    tags: Annotated[Sequence[str], Default([])]


def _check_number(number: NumberWritten, where: Place, faults: Faults) -> None:
    if not {"gives", "half", "most"} & number.keys():
        faults.append(Fault(where, "needs gives (a number to add), half or most"))
    if "only" in number and number["of"] not in ("dealt", "taken"):
        faults.append(Fault(where / "only", f"keywords are for damage; {number['of']} has none"))


@form(_check_number)
class NumberWritten(TypedDict):
    """A change that a status, a Condition or a trait makes to one of a person's numbers."""

    of: Annotated[str, OneOf(*NUMBERS)]
    gives: NotRequired[Annotated[int, Number(-100, 100)]]
    half: NotRequired[Literal["down", "up"]]
    most: NotRequired[Annotated[int, Number(0, 100)]]
    when: NotRequired[Annotated[str, OneOf(*STANDINGS)]]
    only: NotRequired[Annotated[Sequence[str], ListOf(Text(), 1)]]  # damage of powers with such a keyword


_AGAINST = ("opportunity", "melee", "ranged", "seen")
_COUNTED = ("act", "attack", "move", "role", "shift", "stand", "non-basic")


def _check_ban(ban: BanWritten, where: Place, faults: Faults) -> None:
    action = ban["action"]
    if ban["side"] == "against" and action not in _AGAINST:
        faults.append(Fault(where / "side", f"{action} can't be given by others"))
    if ban["side"] == "own" and action == "seen":
        faults.append(Fault(where, 'seen needs side = "against": the bearer can\'t be seen'))
    if "over" in ban and action not in _COUNTED:
        faults.append(Fault(where / "over", f"nothing of {action} is counted"))


@form(_check_ban)
class BanWritten(TypedDict):
    """An action that a status, a Condition or a trait forbids."""

    action: Annotated[str, OneOf(*ACTION_KINDS)]
    side: Annotated[Literal["own", "against"], Default("own")]
    over: NotRequired[Annotated[int, Number(0)]]
    unless: NotRequired[Literal["alike"]]  # it doesn't hold if the other person has the same status


def _check_remap(remap: RemapWritten, where: Place, faults: Faults) -> None:
    # A die is that of attacks at the holder, damage that which the holder deals.
    side, does = {"die": ("against", "faces"), "damage": ("own", "half")}[remap["stage"]]
    if remap["side"] != side or not remap.get(does):
        faults.append(Fault(where, f'stage {remap["stage"]!r} needs side = "{side}" and {does}'))


@form(_check_remap)
class RemapWritten(TypedDict):
    """A change that a status, a Condition or a trait makes to attack dice or damage.

    At the `stage` "die", `faces` are replaced by others; at "damage", damage is halved if `half` is true.
    """

    stage: Literal["die", "damage"]
    side: Annotated[Literal["own", "against"], Default("own")]
    faces: NotRequired[Mapping[str, Annotated[int, Number(1, 6)]]]
    half: Annotated[bool, Default(False)]


REACTIONS = ListOf(Record())
"""The form of reactions to moments.

It depends on the scenes that play the steps of a reaction: the forms of fights replace this one.
"""
