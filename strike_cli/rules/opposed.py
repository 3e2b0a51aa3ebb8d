"""Opposed Rolls: who wins, ties and who breaks them, what a close loser chooses (STR-CORE-16 to 18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from .dice import DISADVANTAGE, Modifier, Rolled, Source, ask_die, may_learn, sources
from .matters import Matters, pay, what_matters
from .numbers import numbers
from .people import display_name, knows
from .points import usable_complications, use_complication
from .procedure import Choose, Procedure, World
from .skill import learning

Args = Mapping[str, Any]
OF_NOBODY = {"ours": "Our side", "theirs": "Their side"}
UNSKILLED_AGAINST = (Source(DISADVANTAGE, "Unskilled against Skilled"),)


@cache
def _opposed_rules() -> Mapping[str, Any]:
    table: Mapping[str, Any] = numbers("skill")["opposed"]
    return table


def _loser_options() -> list[str]:
    return [option["id"] for option in _opposed_rules()["loser_options"]]


class OpposedRoll:
    """What an Opposed Roll came to (STR-CORE-16): the higher total wins, by three or more completely."""

    __slots__ = ("complete", "learns", "margin", "ours", "theirs", "winner")

    def __init__(self, ours: Rolled, theirs: Rolled, our_side: Args, their_side: Args) -> None:
        difference = ours.total - theirs.total
        self.ours = ours
        self.theirs = theirs
        self.winner = "ours" if difference > 0 else "theirs" if difference < 0 else None
        self.margin = abs(difference)
        self.complete = self.margin >= _opposed_rules()["complete_margin"]
        self.learns = {
            "ours": not our_side["skilled"] and may_learn(ours.faces),
            "theirs": not their_side["skilled"] and may_learn(theirs.faces),
        }


def opposed_roll(
    ours: Args, theirs: Args, matters: Sequence[Matters] | None = None
) -> Procedure[OpposedRoll]:
    """Two dice against each other (STR-CORE-16). Each side: who, skill, skilled, adv, dis.

    Where exactly one side is Unskilled, that side has Disadvantage. `matters` has all that bears on each
    side's roll, their adv and dis among it; without it only those count.
    """
    rolls = []
    for number, (side, other) in enumerate(((ours, theirs), (theirs, ours))):
        reasons: Sequence[Source] = UNSKILLED_AGAINST if other["skilled"] and not side["skilled"] else ()
        modifiers: Sequence[Modifier] = ()
        if matters:
            reasons = [*matters[number].sources, *reasons]
            modifiers = matters[number].modifiers
        elif side["adv"] or side["dis"]:
            reasons = [*sources(side["adv"], side["dis"]), *reasons]
        purpose = f"opposed: {side['skill']}" if side["skill"] else "opposed"
        mode, question = ask_die(side["who"], purpose, reasons, learning=not side["skilled"])
        rolls.append(Rolled(side["who"], purpose, (yield question), mode, reasons, modifiers))
    return OpposedRoll(rolls[0], rolls[1], ours, theirs)


def ready_opposed(world: World, args: Args) -> list[Matters]:
    """What bears on each side of an Opposed Roll as they stand. Shared by play and odds."""
    return [
        what_matters(world, side["who"], "opposed", side["skill"], side)
        for side in (args["ours"], args["theirs"])
    ]


def play_opposed(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`roll opposed`: the rolls, a tie that somebody may break, the loser's choice, learning.

    Args: ours and theirs, each {who, skill, skilled, adv, dis, known, complications}.
    """
    sides = {"ours": args["ours"], "theirs": args["theirs"]}
    matters = ready_opposed(world, args)
    for side, mattering in zip(sides.values(), matters, strict=True):
        yield from pay(world, side["who"], mattering)
    came = yield from opposed_roll(args["ours"], args["theirs"], matters)
    taught = {
        "ours": _taught(world, args["ours"], args["theirs"]),
        "theirs": _taught(world, args["theirs"], args["ours"]),
    }
    data: dict[str, Any] = {
        "ours": came.ours.as_json(),
        "theirs": came.theirs.as_json(),
        "winner": came.winner,
        "margin": came.margin,
        "complete": came.complete,
        "loser_options": _loser_options() if came.winner and not came.complete else [],
        "can_learn": {key: may and taught[key] is not None for key, may in came.learns.items()},
    }
    names = {key: display_name(world, side["who"]) or OF_NOBODY[key] for key, side in sides.items()}
    yield world.happen(
        "rolled",
        args["ours"]["who"],
        tell_opposed(came, names),
        roll=data["ours"],
        against=data["theirs"],
        names={side["who"]: names[key] for key, side in sides.items() if side["who"]},
    )
    if data["winner"] is None:
        yield from _break_tie(world, data, sides, names)
    if data["loser_options"]:
        yield from _loser_chooses(world, data, sides, names)
    for key, side in sides.items():
        if data["can_learn"][key] and side["known"] and taught[key]:
            rolled = {**data, "who": side["who"], "skill": taught[key], "bonus": False}
            yield from learning(world, rolled)
    return data


def _taught(world: World, side: Args, other: Args) -> str | None:
    """The Skill that a side may learn, None where there is none: its own; where they have that, and count
    as Unskilled since the other's is more specific, the other's (a ruling on STR-CORE-16, 18)."""
    if not (side["known"] and knows(world, side["who"], side["skill"])):
        return str(side["skill"])
    return None if knows(world, side["who"], other["skill"]) else str(other["skill"])


def tell_opposed(came: OpposedRoll, names: Mapping[str, str]) -> str:
    """An Opposed Roll in a sentence."""
    words = f"{names['ours']} rolls {came.ours.words()}, {names['theirs']} {came.theirs.words()}. "
    if came.winner is None:
        return words + "A tie: neither gets what they wanted."
    how = "completely" if came.complete else f"by {came.margin}"
    return f"{words}{names[came.winner]} wins {how}."


def _break_tie(
    world: World, data: dict[str, Any], sides: Mapping[str, Args], names: Mapping[str, str]
) -> Procedure[None]:
    """A Complication may break a tie in the opponent's favour, for an Action Point (STR-CORE-17)."""
    for key, side in sides.items():
        if not side["known"]:
            continue
        troubles = [one.name for one in usable_complications(world, side["who"])]
        if not troubles:
            continue
        taken = yield Choose(
            side["who"],
            "break the tie",
            ("stand", *[f"complication-{number + 1}" for number in range(len(troubles))]),
            ("let the tie stand", *[f"lose by {text}, +1 AP" for text in troubles]),
            data,
        )
        if taken == "stand":
            continue
        used = troubles[int(taken.rpartition("-")[2]) - 1]
        winner = "theirs" if key == "ours" else "ours"
        # Ruling: a broken tie counts as a loss by one or two, so the loser still chooses.
        data.update(winner=winner, tie_broken_by=key, complication=used, loser_options=_loser_options())
        text = f"{names[key]} breaks the tie: {names[winner]} wins."
        yield world.happen("tie-broken", side["who"], text)
        yield from use_complication(world, side["who"], used, "tie")
        return


def _loser_chooses(
    world: World, data: dict[str, Any], sides: Mapping[str, Args], names: Mapping[str, str]
) -> Procedure[None]:
    loser = "theirs" if data["winner"] == "ours" else "ours"
    if not sides["ours"]["known"]:
        return
    choices = _opposed_rules()["loser_options"]
    taken = yield Choose(
        sides[loser]["who"] or loser,
        "loser's option",
        tuple(option["id"] for option in choices),
        tuple(option["label"] for option in choices),
        data,
    )
    data["loser_chose"] = taken
    label = next(option["label"] for option in choices if option["id"] == taken)
    yield world.happen("loser-chose", sides[loser]["who"], f"{names[loser]} chooses: {label}.", option=taken)
