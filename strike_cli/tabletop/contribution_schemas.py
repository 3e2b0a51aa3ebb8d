"""The form of what statuses, conditions and traits do: sources, bans, remaps, reactions.

docs/status-reference.md explains them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.validation import Fields

from ..faults import Fault, Faults, Place
from ..validation import Either, Flag, ListOf, Number, OneOf, Record, TableOf, Text, Word
from .vocabularies import DURATIONS, NUMBERS, ROLL_KINDS, STANDINGS, UNTIL

if TYPE_CHECKING:
    from .data import BanWritten, NumberWritten, RemapWritten, SourceWritten


class BanWords(NamedTuple):
    """The words of a ban, for its holder, and for those who would do it to the holder.

    `{}` stands for the amount that is still allowed.
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
    "miss-effect": BanWords("sets nothing off by missing or being missed"),
    "flank": BanWords("gives no flanking"),
    "stand": BanWords("can't get up"),
    "melee": BanWords("makes no melee attacks", "can't be attacked in melee"),
    "ranged": BanWords("makes no ranged attacks", "can't be attacked at range"),
    "seen": BanWords("sees nobody", "can't be seen, until it attacks"),
    "non-basic": BanWords("makes no attacks but basic ones"),
    "decide": BanWords("doesn't decide for itself: who gave it does"),
}
"""What may be forbidden."""
DURATION = Word("durations", DURATIONS)
UNTIL_FACT = Word("moments", UNTIL)
ROLL = Word("rolls", ROLL_KINDS)
_FROM_TASKS = ("attack", "save", "comeback", "initiative", "escape", "panic", "assess", "recovery")
"""Kinds of roll that have no tags."""


def _check_source(source: SourceWritten, where: Place, faults: Faults) -> None:
    of_attacks = source["on"] in ("attack", "any") or ":" in source["on"]
    if "when" in source and not of_attacks:
        faults.append(Fault(where / "when", f"tells attacks apart, not {ROLL_KINDS[source['on']]}"))
    if source["range"] != "any" and not of_attacks:
        faults.append(Fault(where / "range", f"tells attacks apart, not {ROLL_KINDS[source['on']]}"))
    if source["tags"] and source["on"] in _FROM_TASKS:
        faults.append(Fault(where / "tags", f"are those of tasks; {ROLL_KINDS[source['on']]} have none"))


SOURCE = Record(
    _check_source,
    on=(ROLL, ...),
    gives=(Either(int, Number(-6, 6), OneOf("advantage", "disadvantage")), ...),
    side=(OneOf("own", "against"), "own"),
    range=(OneOf("any", "melee", "ranged"), "any"),
    round=Number(1),
    when=OneOf(*STANDINGS),  # in a fight
    tags=(ListOf(Text()), []),
)


def _check_number(number: NumberWritten, where: Place, faults: Faults) -> None:
    if not {"gives", "half", "most"} & number.keys():
        faults.append(Fault(where, "needs gives (so much more or less), half or most"))
    if "only" in number and number["of"] not in ("dealt", "taken"):
        faults.append(Fault(where / "only", f"keywords are those of damage; {number['of']} has none"))


NUMBER = Record(
    _check_number,
    of=(OneOf(*NUMBERS), ...),
    gives=Number(-100, 100),
    half=OneOf("down", "up"),
    most=Number(0, 100),
    when=OneOf(*STANDINGS),
    only=ListOf(Text(), 1),  # damage of a power with one of these keywords
)
_AGAINST = ("opportunity", "melee", "ranged", "seen")
_COUNTED = ("act", "attack", "move", "role", "shift", "stand", "non-basic")


def _check_ban(ban: BanWritten, where: Place, faults: Faults) -> None:
    action = ban["action"]
    if ban["side"] == "against" and action not in _AGAINST:
        faults.append(Fault(where / "side", f"{action} is nobody's but their own"))
    if ban["side"] == "own" and action == "seen":
        faults.append(Fault(where, 'seen needs side = "against": who has it can\'t be seen'))
    if "over" in ban and action not in _COUNTED:
        faults.append(Fault(where / "over", f"nothing of {action} is counted"))


BAN = Record(
    _check_ban,
    action=(OneOf(*ACTION_KINDS), ...),
    side=(OneOf("own", "against"), "own"),
    over=Number(0),
    unless=OneOf("alike"),  # the other one has it too
)


def _check_remap(remap: RemapWritten, where: Place, faults: Faults) -> None:
    # A die is that of attacks at the holder, damage that which the holder deals.
    side, does = {"die": ("against", "faces"), "damage": ("own", "half")}[remap["stage"]]
    if remap["side"] != side or not remap.get(does):
        faults.append(Fault(where, f'stage {remap["stage"]!r} needs side = "{side}" and {does}'))


REMAP = Record(
    _check_remap,
    stage=(OneOf("die", "damage"), ...),
    side=(OneOf("own", "against"), "own"),
    faces=TableOf(Number(1, 6)),
    half=(Flag(), False),
)
REACTIONS = ListOf(Record())
"""What follows from moments. What a reaction may be is said where its steps are played: the forms of fights
put that here."""
CONTRIBUTIONS: Fields = {
    "sources": (ListOf(SOURCE), []),
    "bans": (ListOf(BAN), []),
    "remaps": (ListOf(REMAP), []),
    "numbers": (ListOf(NUMBER), []),
    "reactions": (REACTIONS, []),
    "by_hand": Text(),  # what the game master still plays without help
}
