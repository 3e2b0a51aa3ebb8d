"""The form of what statuses, conditions and traits do: sources, bans, remaps, reactions (docs/plugins.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..validation import Either, Faults, Flag, ListOf, Number, OneOf, Record, Reference, TableOf, Text, Word
from .vocabularies import DURATIONS, MOMENTS, NUMBERS, ROLL_KINDS, STANDINGS, UNTIL


class BanWords(NamedTuple):
    """How a ban is said of its holder, and of those who would do it to the holder; in place of `{}` comes
    how much is still allowed."""

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
REACTIONS = {
    "damage": "amount",
    "heal": "amount",
    "end": "",
    "apply": "",
    "opportunity": "",
    "roll": "faces",
    "note": "text",
    "handler": "handler",
}
"""What a reaction may do, and the key that it can't do without; that of `apply` comes with its duration."""
DURATION = Word("durations", DURATIONS)
UNTIL_FACT = Word("moments", UNTIL)
ROLL = Word("rolls", ROLL_KINDS)
COMPELLED: Mapping[str, str] = {
    "apply": "",
    "run-at": "it runs at who gave it",
    "run-from": "it runs from who gave it",
    "take-cover": "it takes cover",
    "charge": "it charges who gave it",
    "melee": "it makes a melee basic attack",
    "ranged": "it makes a ranged basic attack",
}
"""What a face of a die may make somebody do who has lost control, and how it is said."""


def check_applied(item: dict[str, Any], where: str, faults: Faults) -> None:
    """A status that something applies: which, and until when (a save, where nothing is said)."""
    if item["do"] == "apply" and "status" not in item:
        faults.append(f"{where}: apply needs a status")
    elif item["do"] == "apply":
        check_duration(item, where, faults)


def check_duration(item: dict[str, Any], where: str, faults: Faults) -> None:
    """Until when a status lasts that something applies: a save, where nothing is said."""
    if item["do"] != "apply":
        return
    item.setdefault("duration", "save")
    if (item["duration"] == "until") != ("until" in item):
        faults.append(f'{where}: duration = "until" goes with until, the fact that ends it')


def _are_faces(text: str) -> bool:
    first, _, last = text.partition("-")
    return first in tuple("123456") and (last or first) in tuple("123456") and first <= (last or first)


def _check_reaction(reaction: dict[str, Any], where: str, faults: Faults) -> None:
    need = REACTIONS.get(reaction["do"])
    if need and need not in reaction:
        faults.append(f"{where}: {reaction['do']} needs {need}")
    keys = {"amount": ("damage", "heal"), "status": ("apply",), "duration": ("apply",), "until": ("apply",)}
    keys |= {"faces": ("roll",), "roll": ("roll",), "text": ("note",), "handler": ("handler",)}
    for key, users in keys.items():
        if key in reaction and reaction["do"] not in users:
            faults.append(f"{where}.{key}: {reaction['do']} has none; it belongs to {users[0]}")
    if reaction["final"] and reaction["do"] != "damage":
        faults.append(f"{where}.final: leaves a last action before damage; here there is none")
    check_applied(reaction, where, faults)
    if "faces" in reaction:
        reaction.setdefault("roll", "panic")
        check_faces(reaction["faces"], where, faults)


def check_faces(faces: Iterable[str], where: str, faults: Faults) -> None:
    """Faces of a die, and spans of them: each face once."""
    spans = [span.partition("-") for span in faces]
    seen = [face for first, _, last in spans for face in range(int(first), int(last or first) + 1)]
    if sorted(seen) != [1, 2, 3, 4, 5, 6]:
        faults.append(f"{where}.faces: should say once for each face from 1 to 6 what happens")


FACES = Text(_are_faces, "a face or a span of faces of a d6, like 3-4")


_FROM_TASKS = ("attack", "save", "comeback", "initiative", "escape", "panic", "assess", "recovery")
"""Kinds of roll that have no tags."""


def _check_source(source: dict[str, Any], where: str, faults: Faults) -> None:
    of_attacks = source["on"] in ("attack", "any") or ":" in source["on"]
    if "when" in source and not of_attacks:
        faults.append(f"{where}.when: tells attacks apart, not {ROLL_KINDS[source['on']]}")
    if source["range"] != "any" and not of_attacks:
        faults.append(f"{where}.range: tells attacks apart, not {ROLL_KINDS[source['on']]}")
    if source["tags"] and source["on"] in _FROM_TASKS:
        faults.append(f"{where}.tags: are those of tasks; {ROLL_KINDS[source['on']]} have none")


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


def _check_number(number: dict[str, Any], where: str, faults: Faults) -> None:
    if not {"gives", "half", "most"} & number.keys():
        faults.append(f"{where}: needs gives (so much more or less), half or most")
    if "only" in number and number["of"] not in ("dealt", "taken"):
        faults.append(f"{where}.only: keywords are those of damage; {number['of']} has none")


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


def _check_ban(ban: dict[str, Any], where: str, faults: Faults) -> None:
    action = ban["action"]
    if ban["side"] == "against" and action not in _AGAINST:
        faults.append(f"{where}.side: {action} is nobody's but their own")
    if ban["side"] == "own" and action == "seen":
        faults.append(f'{where}: seen needs side = "against": who has it can\'t be seen')
    if "over" in ban and action not in _COUNTED:
        faults.append(f"{where}.over: nothing of {action} is counted")


BAN = Record(
    _check_ban,
    action=(OneOf(*ACTION_KINDS), ...),
    side=(OneOf("own", "against"), "own"),
    over=Number(0),
    unless=OneOf("alike"),  # the other one has it too
)


def _check_remap(remap: dict[str, Any], where: str, faults: Faults) -> None:
    # A die is that of attacks at the holder, damage that which the holder deals.
    side, does = {"die": ("against", "faces"), "damage": ("own", "half")}[remap["stage"]]
    if remap["side"] != side or not remap.get(does):
        faults.append(f'{where}: stage {remap["stage"]!r} needs side = "{side}" and {does}')


REMAP = Record(
    _check_remap,
    stage=(OneOf("die", "damage"), ...),
    side=(OneOf("own", "against"), "own"),
    faces=TableOf(Number(1, 6)),
    half=(Flag(), False),
)
_STEP: dict[str, Any] = {
    "do": (OneOf(*COMPELLED), ...),
    "status": Reference("statuses"),
    "duration": DURATION,
    "until": UNTIL_FACT,
    "disadvantage": (Flag(), False),
}
# What a status makes its holder do. Where a step can't be taken, `otherwise` takes its place and ends it.
STEP = Record(check_applied, **_STEP, otherwise=(ListOf(Record(check_applied, **_STEP)), []))
REACTION = Record(
    _check_reaction,
    on=(Word("moments", MOMENTS), ...),
    do=(OneOf(*REACTIONS), ...),
    amount=Either(int, Number(0), OneOf("value")),
    to=(OneOf("self", "giver", "other"), "self"),
    status=Reference("statuses"),
    duration=DURATION,
    until=UNTIL_FACT,
    when=OneOf("without-giver", "next-to-giver", *(word for word in STANDINGS if word != "without-giver")),
    once=OneOf("turn", "round", "scene"),
    final=(Flag(), False),  # before this damage brings somebody to 0 they get one final action
    roll=ROLL,
    faces=TableOf(ListOf(STEP), FACES),
    text=Text(),
    handler=Reference("handlers"),
)
CONTRIBUTIONS: dict[str, Any] = {
    "sources": (ListOf(SOURCE), []),
    "bans": (ListOf(BAN), []),
    "remaps": (ListOf(REMAP), []),
    "numbers": (ListOf(NUMBER), []),
    "reactions": (ListOf(REACTION), []),
    "by_hand": Text(),  # what the game master still plays without help
}
