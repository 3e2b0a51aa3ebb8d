"""Opposed Rolls: who wins, ties and who breaks them, what a close loser chooses (STR-CORE-16 to 18)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.tabletop.dice import DISADVANTAGE, Modifier, Rolled, Source, ask_die, may_learn, sources
from strike_cli.tabletop.people import display_name, knows

from .advancement import count_skill_use
from .circumstances import Matters, what_matters
from .conditions import regain_confidence
from .fun_once import fun_once
from .numbers import numbers
from .points import usable_complications, use_complication
from .skill import Helper, help_with, help_words, helpers_of, learning, pay_for_all

Args = Mapping[str, Any]
SIDES = ("ours", "theirs")
OF_NOBODY = {"ours": "Our side", "theirs": "Their side"}
UNSKILLED_AGAINST = (Source(DISADVANTAGE, "Unskilled against Skilled"),)


@cache
def _opposed_rules() -> Mapping[str, Any]:
    table: Mapping[str, Any] = numbers()["opposed"]
    return table


def loser_options() -> list[str]:
    """What a close loser may choose from."""
    return [option["id"] for option in _opposed_rules()["loser_options"]]


def is_complete(margin: int) -> bool:
    """Whether a win by so much leaves the loser no choice."""
    return bool(margin >= _opposed_rules()["complete_margin"])


class Ready(NamedTuple):
    """All that bears on a side of an Opposed Roll: its own roll, and those who help."""

    matters: Matters
    helpers: tuple[Helper, ...] = ()


class OpposedRoll:
    """What an Opposed Roll came to (STR-CORE-16): the higher total wins, by three or more completely.

    `totals` are with help; `helps` are the helpers' rolls of each side in the order named, `gains` what they
    add."""

    __slots__ = ("complete", "gains", "helps", "learns", "margin", "ours", "theirs", "totals", "winner")

    def __init__(
        self,
        ours: Rolled,
        theirs: Rolled,
        our_side: Args,
        their_side: Args,
        helped: Mapping[str, tuple[int, Sequence[Rolled], Sequence[int]]] | None = None,
    ) -> None:
        came = helped or {"ours": (ours.total, (), ()), "theirs": (theirs.total, (), ())}
        self.ours = ours
        self.theirs = theirs
        self.totals = {side: came[side][0] for side in SIDES}
        self.helps = {side: came[side][1] for side in SIDES}
        self.gains = {side: came[side][2] for side in SIDES}
        difference = self.totals["ours"] - self.totals["theirs"]
        self.winner = "ours" if difference > 0 else "theirs" if difference < 0 else None
        self.margin = abs(difference)
        self.complete = is_complete(self.margin)
        self.learns = {
            "ours": not our_side["skilled"] and may_learn(ours.faces),
            "theirs": not their_side["skilled"] and may_learn(theirs.faces),
        }

    def helpers_as_json(self) -> list[dict[str, Any]]:
        """Those who helped, as a Skill Roll tells them, and whom."""
        return [
            {"name": roll.who, "roll": roll.as_json(), "added": gain, "side": side}
            for side in SIDES
            for roll, gain in zip(self.helps[side], self.gains[side], strict=True)
        ]


def opposed_roll(ours: Args, theirs: Args, ready: Sequence[Ready] | None = None) -> Procedure[OpposedRoll]:
    """Two dice against each other (STR-CORE-16), each with its helpers' (STR-CORE-20): ours, our helpers',
    theirs, their helpers'. Each side: who, skill, skilled, adv, dis.

    Where exactly one side is Unskilled, that side has Disadvantage. `ready` has all that bears on each side's
    roll, their adv and dis among it; without it only those count.
    """
    rolls, came = [], {}
    for number, (side, other) in enumerate(((ours, theirs), (theirs, ours))):
        reasons: Sequence[Source] = UNSKILLED_AGAINST if other["skilled"] and not side["skilled"] else ()
        modifiers: Sequence[Modifier] = ()
        helpers: tuple[Helper, ...] = ()
        if ready:
            reasons = [*ready[number].matters.sources, *reasons]
            modifiers, helpers = ready[number].matters.modifiers, ready[number].helpers
        elif side["adv"] or side["dis"]:
            reasons = [*sources(side["adv"], side["dis"]), *reasons]
        purpose = f"opposed: {side['skill']}" if side["skill"] else "opposed"
        mode, question = ask_die(side["who"], purpose, reasons, learning=not side["skilled"])
        roll = Rolled(side["who"], purpose, (yield question), mode, reasons, modifiers)
        rolls.append(roll)
        came[SIDES[number]] = (yield from help_with(roll.total, helpers)) if helpers else (roll.total, (), ())
    return OpposedRoll(rolls[0], rolls[1], ours, theirs, came)


def ready_opposed(world: World, args: Args) -> list[Ready]:
    """What bears on each side of an Opposed Roll as they stand. Shared by play and odds."""
    return [
        Ready(
            what_matters(world, side["who"], "opposed", side["skill"], side),
            helpers_of(world, side["skill"], {"helpers": (), **side}),
        )
        for side in (args["ours"], args["theirs"])
    ]


def play_opposed(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`roll opposed`: the rolls, a tie that somebody may break, the loser's choice, learning.

    Args: ours and theirs, each {who, skill, skilled, known, and what `what_matters` takes; optional:
    helpers [{name, skilled}]}; optional: what `fun_once` takes, for ours.
    """
    sides: dict[str, Args] = {"ours": args["ours"], "theirs": args["theirs"]}
    task = args.get("task") or args["ours"]["skill"]
    yield from fun_once(world, args["who"], task, args.get("intent", ""), args.get("changed", ""))
    ready = ready_opposed(world, args)
    for side, own in zip(sides.values(), ready, strict=True):
        yield from pay_for_all(world, side["who"], own.matters, own.helpers)
    came = yield from opposed_roll(args["ours"], args["theirs"], ready)
    taught = {
        "ours": _taught(world, args["ours"], args["theirs"]),
        "theirs": _taught(world, args["theirs"], args["ours"]),
    }
    data: dict[str, Any] = {
        "ours": came.ours.as_json(),
        "theirs": came.theirs.as_json(),
        "helpers": came.helpers_as_json(),
        "totals": came.totals,
        "winner": came.winner,
        "margin": came.margin,
        "complete": came.complete,
        "loser_options": loser_options() if came.winner and not came.complete else [],
        "can_learn": {key: may and taught[key] is not None for key, may in came.learns.items()},
    }
    names = {key: display_name(world, side["who"]) or OF_NOBODY[key] for key, side in sides.items()}
    yield _told(world, args, came, data, names)
    if data["winner"] is None:
        yield from _break_tie(world, data, sides, names)
    if data["loser_options"] and any(side["known"] for side in sides.values()):
        loser = "theirs" if data["winner"] == "ours" else "ours"
        yield from loser_chooses(world, data, sides[loser]["who"], names[loser], loser)
    won = sides.get(data["winner"], {})
    if won.get("known"):
        yield from regain_confidence(world, won["who"], won["skill"])
    for key, side in sides.items():
        if data["can_learn"][key] and side["known"] and taught[key]:
            rolled = {**data, "who": side["who"], "skill": taught[key], "bonus": False}
            yield from learning(world, rolled)
    return data


def _told(
    world: World, args: Args, came: OpposedRoll, data: Mapping[str, Any], names: Mapping[str, str]
) -> Any:
    """The fact of the rolls, with the use of each side's Skill (STR-CORE-32)."""
    uses: dict[str, int] = {}
    shown: dict[str, str] = {}
    for key, side in (("ours", args["ours"]), ("theirs", args["theirs"])):
        if side["known"]:
            uses |= count_skill_use(world, side["who"], side["skill"])
        shown |= {side["who"]: names[key]} if side["who"] else {}
        shown |= {roll.who: display_name(world, roll.who) for roll in came.helps[key]}
    return world.happen(
        "rolled",
        args["ours"]["who"],
        tell_opposed(world, came, names),
        uses,
        roll=data["ours"],
        against=data["theirs"],
        names=shown,
        **({"helpers": data["helpers"]} if data["helpers"] else {}),
    )


def _taught(world: World, side: Args, other: Args) -> str | None:
    """The Skill that a side may learn, None where there is none: its own; where they have that, and count
    as Unskilled since the other's is more specific, the other's (a ruling on STR-CORE-16, 18)."""
    if not (side["known"] and knows(world, side["who"], side["skill"])):
        return str(side["skill"])
    return None if knows(world, side["who"], other["skill"]) else str(other["skill"])


def tell_opposed(world: World, came: OpposedRoll, names: Mapping[str, str]) -> str:
    """An Opposed Roll in a sentence."""
    rolls = {"ours": came.ours, "theirs": came.theirs}
    told = {
        side: f"{roll.words()}{help_words(world, came.helps[side], came.gains[side])}"
        for side, roll in rolls.items()
    }
    words = f"{names['ours']} rolls {told['ours']}, {names['theirs']} {told['theirs']}. "
    if came.winner is None:
        return words + "A tie: neither gets what they wanted."
    how = "completely" if came.complete else f"by {came.margin}"
    return f"{words}{names[came.winner]} wins {how}."


def _break_tie(
    world: World, data: dict[str, Any], sides: Mapping[str, Args], names: Mapping[str, str]
) -> Procedure[None]:
    people = {key: side["who"] for key, side in sides.items() if side["known"]}
    broken = yield from break_tie(world, people, data)
    if broken is None:
        return
    key, used = broken
    winner = "theirs" if key == "ours" else "ours"
    # Ruling: a broken tie counts as a loss by one or two, so the loser still chooses.
    data.update(winner=winner, tie_broken_by=key, complication=used, loser_options=loser_options())
    yield from tie_broken(world, people[key], used, f"{names[key]} breaks the tie: {names[winner]} wins.")


def break_tie(
    world: World, people: Mapping[str, str], data: Mapping[str, Any]
) -> Procedure[tuple[str, str] | None]:
    """Whether somebody breaks a tie in the opponent's favour with a Complication (STR-CORE-17): the side, and
    what they used; None where it stands. `people` are those who may, by side, in the order they are asked."""
    for key, who in people.items():
        troubles = [one.name for one in usable_complications(world, who)]
        if not troubles:
            continue
        taken = yield Choose(
            who,
            "break the tie",
            ("stand", *[f"complication-{number + 1}" for number in range(len(troubles))]),
            ("let the tie stand", *[f"lose by {text}, +1 AP" for text in troubles]),
            data,
        )
        if taken != "stand":
            return key, troubles[int(taken.rpartition("-")[2]) - 1]
    return None


def tie_broken(world: World, who: str, used: str, text: str) -> Procedure[None]:
    """A tie is broken: it is told, and the Complication earns its Action Point."""
    yield world.happen("tie-broken", who, text)
    yield from use_complication(world, who, used, "tie")


def loser_chooses(world: World, data: dict[str, Any], who: str, name: str, nobody: str) -> Procedure[None]:
    """The loser of a close roll chooses how the win is spoiled (STR-CORE-16); `data` has it as `loser_chose`.

    `nobody` is what to call a loser who is nobody in particular, where a decision says whose it is."""
    choices: Iterable[Mapping[str, str]] = _opposed_rules()["loser_options"]
    labels = {option["id"]: option["label"] for option in choices}
    taken = yield Choose(who or nobody, "loser's option", tuple(labels), tuple(labels.values()), data)
    data["loser_chose"] = taken
    yield world.happen("loser-chose", who, f"{name} chooses: {labels[taken]}.", option=taken)
