"""A round of a chase, bare of everything around it: the dice and what they come to (STR-CH-03 to 07)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from strike_cli.kernel.procedure import Choose, Happen, Procedure, World
from strike_cli.systems.core.opposed import UNSKILLED_AGAINST, is_complete, loser_options
from strike_cli.systems.core.skill import Helper, help_with, help_words, helped
from strike_cli.tabletop.dice import (
    ADVANTAGE,
    PLAIN,
    Modifier,
    Rolled,
    Source,
    ask_die,
    asked,
    clamp,
    roll_die,
)
from strike_cli.tabletop.people import display_name

from .numbers import numbers
from .tables import (
    CAUGHT,
    CHASERS,
    CRASH,
    ESCAPED,
    FOLLOW,
    GIVE_UP,
    RUNNERS,
    SIDES,
    STOPPED,
    actions,
    must_be_possible,
    other,
    prediction_gives,
    range_modifier,
    track,
)

Args = Mapping[str, Any]


class Roller(NamedTuple):
    """Somebody who rolls for a side, with what bears on the roll whatever the range and the prediction;
    `skill` is the one named for a Hide, `banked` are the ids of bonuses that the roll uses up."""

    who: str = ""
    sources: tuple[Source, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    skill: str = ""
    banked: tuple[str, ...] = ()
    helpers: tuple[Helper, ...] = ()
    """Who helps, in a Hide (STR-CORE-20)."""


class Shooter(NamedTuple):
    """Somebody who shoots at a side."""

    at: str
    roller: Roller


class Round(NamedTuple):
    """All that bears on a round."""

    action: str
    prediction: str
    range: str
    danger: int = 0
    runners: Roller = Roller()
    chasers: Roller = Roller()
    shooters: tuple[Shooter, ...] = ()
    advantage: bool = False
    """Whether the Runners have Advantage from their last move."""
    unskilled: str = ""
    """The side that is Unskilled against a Skilled one, where that matters: in a Hide."""

    @property
    def is_opposed(self) -> bool:
        """Whether it is resolved as an Opposed Roll (STR-CH-05)."""
        return bool(actions()[self.action].get("opposed"))


class Shot(NamedTuple):
    """A shot: who it was at, and whether it beat their driver or took one of them out (STR-CH-07)."""

    at: str
    roll: Rolled
    beats: bool
    takes_out: bool


class Came:
    """What a round came to. A roll is None where it was not made; `chose` is what the Chasers did about a
    Risk; `tie` says that the rolls were the same, whatever came of that. `margin` is by how much a Hide was
    won, None where it was not compared; `close` says that its loser has a choice (STR-CORE-16)."""

    __slots__ = (
        "advantage", "chasers", "chose", "close", "crashed", "ended", "helps", "margin", "range", "round",
        "runners", "shots", "tie", "winner",
    )  # fmt: skip

    def __init__(self, one: Round) -> None:
        self.round = one
        self.runners: Rolled | None = None
        self.chasers: Rolled | None = None
        self.shots: list[Shot] = []
        self.helps: dict[str, Sequence[Rolled]] = {RUNNERS: (), CHASERS: ()}
        self.chose = ""
        self.crashed: list[str] = []
        self.winner: str | None = None
        self.tie = False
        self.margin: int | None = None
        self.close = False
        self.range = one.range
        self.advantage = False
        self.ended: str | None = None

    def take(self, effect: Mapping[str, Any]) -> None:
        """What the table says comes of it: steps, a range, Advantage, an end."""
        places = track()
        at = places.index(effect.get("range", self.range)) + effect.get("steps", 0)
        self.range = places[min(max(at, 0), len(places) - 1)]
        self.ended = effect.get("ended") or (self.range if self.range in (CAUGHT, ESCAPED) else None)
        if self.ended in (CAUGHT, ESCAPED):
            self.range = self.ended
        self.advantage = bool(effect.get("advantage")) and self.ended is None

    def helped(self, side: str) -> tuple[int, list[int]]:
        """A side's total with the help that it has, and what each helper adds (STR-CORE-20)."""
        roll = self.runners if side == RUNNERS else self.chasers
        return helped(roll.total if roll else 0, [help_.total for help_ in self.helps[side]])

    @property
    def end(self) -> str | None:
        """How the chase ended, close wins told from complete ones: `hidden-close`."""
        return f"{self.ended}-close" if self.ended and self.close else self.ended

    def as_data(self) -> dict[str, Any]:
        """The `data` of the command that played it."""
        return {
            "runners_action": self.round.action,
            "prediction": self.round.prediction,
            "runners": self.runners.as_json() if self.runners else None,
            "chasers": self.chasers.as_json() if self.chasers else None,
            "chasers_chose": self.chose or None,
            "shots": [
                {"at": shot.at, "roll": shot.roll.as_json(), "beats": shot.beats, "taken_out": None}
                for shot in self.shots
            ],
            "winner": self.winner,
            "tie": self.tie,
            "helpers": [
                {"name": roll.who, "roll": roll.as_json(), "added": gain, "side": side}
                for side in SIDES
                for roll, gain in zip(self.helps[side], self.helped(side)[1], strict=True)
            ],
            "margin": self.margin,
            "complete": None if self.margin is None or self.winner is None else not self.close,
            "loser_options": loser_options() if self.close else [],
            "range_before": self.round.range,
            "range_after": self.range,
            "danger": self.round.danger,
            "crashed": list(self.crashed),
            "runners_advantage_next": self.advantage,
            "ended": self.ended,
        }


def _drive(one: Round, side: str) -> Procedure[Rolled]:
    """A side's die, with what the last move, the prediction and the range give it (STR-CH-03, 04)."""
    roller = one.runners if side == RUNNERS else one.chasers
    reasons, modifiers = list(roller.sources), list(roller.modifiers)
    gives = prediction_gives(one.action, one.prediction)
    if side == RUNNERS and one.advantage:
        reasons.append(Source(ADVANTAGE, actions()["set-up"]["name"]))
    if side == CHASERS and gives:
        reasons.append(Source(gives, f"predicted {actions()[one.prediction]['name']}"))
    if one.is_opposed and one.unskilled == side:
        reasons += UNSKILLED_AGAINST
    by_range = range_modifier(one.action, side, one.range)
    if by_range:
        modifiers.append(Modifier(by_range, f"{one.range.capitalize()} range"))
    return (yield from roll_die(roller.who, side, reasons, modifiers))


def _help(one: Round, came: Came, side: str) -> Procedure[None]:
    """The dice of those who help a side to hide or to find."""
    helpers = (one.runners if side == RUNNERS else one.chasers).helpers
    if one.is_opposed and helpers:
        _, came.helps[side], _ = yield from help_with(0, helpers)


def _steady(one: Round, side: str, roll: Rolled) -> int:
    """A roll with everything but the Range Modifier: what crashes are about (STR-CH-05, 06)."""
    return roll.total - range_modifier(one.action, side, one.range)


def _outshot(roll: Rolled, by: str) -> Rolled:
    less = Modifier(numbers()["shooting"]["outshot"], f"shot at by {by}" if by else "shot at")
    modifiers = [*roll.modifiers, less]
    return Rolled(roll.who, roll.purpose, roll.faces, roll.mode, roll.sources, modifiers)


def chase_round(world: World, one: Round) -> Procedure[Came]:
    """The dice and the Chasers' decision of a round, and what they come to (STR-CH-03 to 07).

    Shared by play and odds. Changes nothing: what it tells are the rolls.
    Raises Refused for an action that is not possible at that range.
    """
    must_be_possible(one.action, one.range)
    action, came = actions()[one.action], Came(one)
    yield world.happen("chase-revealed", "", _revealed(one), action=one.action, prediction=one.prediction)
    came.runners = runners = yield from _drive(one, RUNNERS)
    yield from _help(one, came, RUNNERS)
    if "crash" in action:
        lost = _steady(one, RUNNERS, runners) <= action["crash"]
        yield world.happen(
            "chase-risked",
            runners.who,
            f"The Runners roll {runners.words()}.",
            roll=runners.as_json(),
            names=_shown(world, runners),
        )
        if lost:
            came.crashed, came.winner, came.ended = [RUNNERS], CHASERS, CRASH
            return came
        came.chose = yield Choose(
            one.chasers.who or CHASERS,
            FOLLOW,
            (FOLLOW, GIVE_UP),
            (f"roll, and lose them at {action['fail']} or less", "the range grows by two"),
            came.as_data(),
        )
        if came.chose == GIVE_UP:
            came.winner = RUNNERS
            came.take(action["give_up"])
            return came
    came.chasers = yield from _drive(one, CHASERS)
    yield from _help(one, came, CHASERS)
    yield from _shoot(world, one, came)
    _compare(one, came, action)
    return came


def _shoot(world: World, one: Round, came: Came) -> Procedure[None]:
    """Shooters roll after the drivers, against the totals of these (STR-CH-07)."""
    drivers = {RUNNERS: came.runners, CHASERS: came.chasers}
    first: dict[str, str] = {}
    for at, roller in one.shooters:
        driver = drivers[at]
        assert driver is not None
        roll = yield from _shot(roller, driver.total)
        beats = roll.total > driver.total
        if beats:
            first.setdefault(at, display_name(world, roller.who))
        came.shots.append(Shot(at, roll, beats, clamp(roll.total) >= numbers()["shooting"]["takes_out"]))
    if RUNNERS in first and came.runners:
        came.runners = _outshot(came.runners, first[RUNNERS])
    if CHASERS in first and came.chasers:
        came.chasers = _outshot(came.chasers, first[CHASERS])


def _shot(roller: Roller, driver: int) -> Procedure[Rolled]:
    """A shooter's die. All that matters of one that is plain is whether it beats the driver and whether it
    takes somebody out."""
    mode, question = ask_die(roller.who, "shooting", roller.sources)
    if mode == PLAIN:
        more = sum(item.value for item in roller.modifiers)
        question = asked(1, 6, "shooting", roller.who, _matters_of_shot(driver, more))
    return Rolled(roller.who, "shooting", (yield question), mode, roller.sources, roller.modifiers)


@cache
def _matters_of_shot(driver: int, more: int) -> Callable[[Sequence[int]], tuple[bool, bool]]:
    takes_out = numbers()["shooting"]["takes_out"]
    return lambda faces: (faces[0] + more > driver, clamp(faces[0] + more) >= takes_out)


def _compare(one: Round, came: Came, action: Mapping[str, Any]) -> None:
    """What two rolls come to: crashes first, then a failed pursuit of a Risk, then the higher roll."""
    runners, chasers = came.runners, came.chasers
    assert runners is not None
    assert chasers is not None
    steady = {RUNNERS: _steady(one, RUNNERS, runners), CHASERS: _steady(one, CHASERS, chasers)}
    came.crashed = [side for side in SIDES if steady[side] <= one.danger]
    if came.crashed:
        came.winner = other(came.crashed[0]) if len(came.crashed) == 1 else None
        came.ended = CRASH if RUNNERS in came.crashed else ESCAPED
        came.range = ESCAPED if came.ended == ESCAPED else came.range
    elif "fail" in action and steady[CHASERS] <= action["fail"]:
        came.winner = RUNNERS
        came.take(action["failed"])
    elif (ours := came.helped(RUNNERS)[0]) == (theirs := came.helped(CHASERS)[0]):
        came.tie = True
        came.margin = 0 if one.is_opposed else None
        came.take(action.get("tie_at", {}).get(one.range, action["tie"]))
        came.winner = CHASERS if came.ended == CAUGHT else None
    else:
        wins(came, RUNNERS if ours > theirs else CHASERS, abs(ours - theirs))


def wins(came: Came, side: str, margin: int) -> None:
    """A side has the better of it, by so much: what the table says comes of it. By less than a complete win
    the loser of a Hide has a choice; a tie that is broken is such a loss (STR-CORE-16, 17)."""
    came.winner = side
    came.take(actions()[came.round.action][side])
    if came.round.is_opposed:
        came.margin = margin
        came.close = not is_complete(margin)


def _revealed(one: Round) -> str:
    did, predicted = actions()[one.action]["name"], actions()[one.prediction]["name"]
    gives = prediction_gives(one.action, one.prediction)
    chasers = f"have {gives.capitalize()}" if gives else "gain nothing by it"
    return f"The Runners {did}; the Chasers predicted {predicted} and {chasers}."


CLOSE_ENDINGS = {
    CAUGHT: "The Runners are found, but have their say in it.",
    "hidden": "The Runners are hidden, but the Chasers have their say in it.",
}


def _told(came: Came) -> str:
    """What the rolls came to, in a sentence or two."""
    parts = ["The Chasers give up the pursuit."] if came.chose == GIVE_UP else []
    if came.crashed:
        parts.append(f"The {' and the '.join(side.capitalize() for side in came.crashed)} crash.")
    elif came.tie and not (came.close and came.winner):
        lost = " and the Runners lose" if came.ended == CAUGHT else ""
        parts.append(f"A tie{lost}.")
    elif came.winner:
        parts.append(f"The {came.winner.capitalize()} win.")
    before, after = came.round.range.capitalize(), came.range.capitalize()
    if came.ended is None:
        parts.append(f"{before} to {after}." if before != after else f"Still {after}.")
        if came.advantage:
            parts.append("The Runners have Advantage on their next move.")
    return " ".join(parts)


ENDINGS = {
    CAUGHT: "The Runners are caught.",
    ESCAPED: "The Runners escape.",
    "hidden": "The Runners are hidden: the Chasers have lost them.",
    "pinned": "The Runners are hidden but pinned down.",
    CRASH: "The Runners have crashed: the chase is lost.",
    STOPPED: "It is called off.",
}
BOTH_CRASH = "Both sides have crashed and are out of it; the game master says what is left."


def play_round(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase round`: a bare round; nothing is kept. Args: action, prediction, range, danger, advantage;
    optional: unskilled (the side that is, where the other one isn't)."""
    came = yield from chase_round(world, bare(args))
    yield from tell_rolls(world, came)
    yield came_to(world, came)
    if came.ended:
        yield world.happen("chase-ended", "", ending(came), ended=came.ended)
    return came.as_data()


def bare(args: Args) -> Round:
    """A round of nobody in particular. Args: as of `play_round`."""
    keys = ("action", "prediction", "range", "danger", "advantage")
    return Round(**{key: args[key] for key in keys}, unskilled=args.get("unskilled", ""))


def tell_rolls(world: World, came: Came) -> Procedure[None]:
    """Tell both drivers' rolls, where both were made, and each shot."""
    if came.runners is None or came.chasers is None:
        return
    words = {RUNNERS: came.runners.words(), CHASERS: came.chasers.words()}
    told = {side: words[side] + help_words(world, came.helps[side], came.helped(side)[1]) for side in SIDES}
    text = f"Runners {told[RUNNERS]}, Chasers {told[CHASERS]}."
    rolls: dict[str, Any] = {"roll": came.runners.as_json(), "against": came.chasers.as_json()}
    if any(came.helps.values()):
        rolls["helpers"] = came.as_data()["helpers"]
    if came.chose:  # the Runners' die of a Risk was told before
        del rolls["roll"]
    helpers = [roll for side in SIDES for roll in came.helps[side]]
    names = _shown(world, came.runners, came.chasers, *helpers)
    yield world.happen("chase-rolled", "", text, **rolls, names=names)
    for shot in came.shots:
        beats = " and beats their driver" if shot.beats else ""
        text = f"{display_name(world, shot.roll.who)} shoots at the {shot.at.capitalize()}: "
        text += f"{shot.roll.words()}{beats}."
        names = _shown(world, shot.roll)
        yield world.happen(
            "chase-shot", shot.roll.who, text, roll=shot.roll.as_json(), at=shot.at, names=names
        )


def _shown(world: World, *rolls: Rolled) -> dict[str, str]:
    """The names of those who rolled, for whoever shows the dice."""
    return {roll.who: display_name(world, roll.who) for roll in rolls if roll.who}


def came_to(world: World, came: Came, sets: Mapping[str, Any] | None = None) -> Happen:
    """The fact that a round is over, with what else becomes true by it."""
    data = came.as_data()
    details = {key: data[key] for key in ("winner", "range_before", "range_after", "crashed")}
    return world.happen("chase-round-over", "", _told(came), sets, **details)


def ending(came: Came) -> str:
    """How a chase ended, in a sentence."""
    if came.close and came.ended in CLOSE_ENDINGS:
        return CLOSE_ENDINGS[came.ended]
    return BOTH_CRASH if len(came.crashed) == len(SIDES) else ENDINGS[came.ended or STOPPED]
