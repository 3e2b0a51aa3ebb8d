"""Chases: actions and predictions in secret, rounds, shooting, danger, and how they end (STR-CH-01 to 07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..problems import Refused, listed
from .conditions import gain_condition
from .contributions import reasons_for
from .dice import ADVANTAGE, DISADVANTAGE, Modifier, Rolled, Source, clamp, roll_die, sources
from .numbers import numbers
from .people import display_name
from .procedure import Choose, Happen, Procedure, World

Args = Mapping[str, Any]
RUNNERS, CHASERS = "runners", "chasers"
SIDES = (RUNNERS, CHASERS)
CAUGHT, ESCAPED, CRASH, STOPPED = "caught", "escaped", "crash", "stopped"
FOLLOW, GIVE_UP = "follow", "give-up"


def actions() -> Mapping[str, Mapping[str, Any]]:
    """The actions by their ids (STR-CH-02)."""
    table: Mapping[str, Mapping[str, Any]] = numbers("chase")["actions"]
    return table


def track() -> list[str]:
    """The track from caught to escaped (STR-CH-01)."""
    places: list[str] = numbers("chase")["track"]
    return places


def ranges() -> list[str]:
    """The ranges at which a chase goes on, nearest first (STR-CH-01)."""
    return track()[1:-1]


def danger_levels() -> list[int]:
    """Every Danger Level there is (STR-CH-06)."""
    limits = numbers("chase")["danger"]
    return list(range(limits["least"], limits["most"] + 1))


def other(side: str) -> str:
    """The side that is not this one."""
    return CHASERS if side == RUNNERS else RUNNERS


def possible(action: str, range_: str) -> bool:
    """Whether the Runners may do that at a range (STR-CH-02). Anything may be predicted."""
    return range_ not in actions()[action]["not_at"]


def _must_be_possible(action: str, range_: str) -> None:
    if not possible(action, range_):
        fits = listed(one for one in actions() if possible(one, range_))
        raise Refused(
            f"The Runners can't {actions()[action]['name']} at {range_.capitalize()} range.",
            f"At {range_.capitalize()} they can: {fits}.",
        )


def prediction_gives(action: str, prediction: str) -> str | None:
    """What a prediction gives the Chasers: `advantage`, `disadvantage` or None (STR-CH-03)."""
    found: str | None = numbers("chase")["prediction"][action].get(prediction)
    return found


def range_modifier(action: str, side: str, range_: str) -> int:
    """What the range adds to a side's roll (STR-CH-04, and for Hide STR-CH-05)."""
    table = actions()[action].get("range_modifiers", numbers("chase")["range_modifiers"])
    return int(table[side].get(range_, 0))


# --- a round, bare of everything around it


class Roller(NamedTuple):
    """Somebody who rolls for a side, with what bears on the roll whatever the range and the prediction."""

    who: str = ""
    sources: tuple[Source, ...] = ()
    modifiers: tuple[Modifier, ...] = ()


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


class Shot(NamedTuple):
    """A shot: who it was at, and whether it beat their driver or took one of them out (STR-CH-07)."""

    at: str
    roll: Rolled
    beats: bool
    takes_out: bool


class Came:
    """What a round came to. A roll is None where it was not made; `chose` is what the Chasers did about a
    Risk; `tie` says that the rolls were the same, whatever came of that."""

    __slots__ = (
        "advantage", "chasers", "chose", "crashed", "ended", "range", "round", "runners", "shots", "tie",
        "winner",
    )  # fmt: skip

    def __init__(self, one: Round) -> None:
        self.round = one
        self.runners: Rolled | None = None
        self.chasers: Rolled | None = None
        self.shots: list[Shot] = []
        self.chose = ""
        self.crashed: list[str] = []
        self.winner: str | None = None
        self.tie = False
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
    by_range = range_modifier(one.action, side, one.range)
    if by_range:
        modifiers.append(Modifier(by_range, f"{one.range.capitalize()} range"))
    return (yield from roll_die(roller.who, side, reasons, modifiers))


def _steady(one: Round, side: str, roll: Rolled) -> int:
    """A roll with everything but the Range Modifier: what crashes are about (STR-CH-05, 06)."""
    return roll.total - range_modifier(one.action, side, one.range)


def _outshot(roll: Rolled, by: str) -> Rolled:
    less = Modifier(numbers("chase")["shooting"]["outshot"], f"shot at by {by}" if by else "shot at")
    modifiers = [*roll.modifiers, less]
    return Rolled(roll.who, roll.purpose, roll.faces, roll.mode, roll.sources, modifiers)


def chase_round(world: World, one: Round) -> Procedure[Came]:
    """The dice and the Chasers' decision of a round, and what they come to (STR-CH-03 to 07).

    Shared by play and odds. Changes nothing: what it tells are the rolls.
    Raises Refused for an action that is not possible at that range.
    """
    _must_be_possible(one.action, one.range)
    action, came = actions()[one.action], Came(one)
    yield world.happen("chase-revealed", "", _revealed(one), action=one.action, prediction=one.prediction)
    came.runners = runners = yield from _drive(one, RUNNERS)
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
    yield from _shoot(world, one, came)
    _compare(one, came, action)
    return came


def _shoot(world: World, one: Round, came: Came) -> Procedure[None]:
    """Shooters roll after the drivers, against the totals of these (STR-CH-07)."""
    drivers = {RUNNERS: came.runners, CHASERS: came.chasers}
    first: dict[str, str] = {}
    for at, roller in one.shooters:
        roll = yield from roll_die(roller.who, "shooting", roller.sources, roller.modifiers)
        driver = drivers[at]
        assert driver is not None
        beats = roll.total > driver.total
        if beats:
            first.setdefault(at, display_name(world, roller.who))
        came.shots.append(
            Shot(at, roll, beats, clamp(roll.total) >= numbers("chase")["shooting"]["takes_out"])
        )
    if RUNNERS in first and came.runners:
        came.runners = _outshot(came.runners, first[RUNNERS])
    if CHASERS in first and came.chasers:
        came.chasers = _outshot(came.chasers, first[CHASERS])


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
    elif runners.total == chasers.total:
        came.tie = True
        came.take(action.get("tie_at", {}).get(one.range, action["tie"]))
        came.winner = CHASERS if came.ended == CAUGHT else None
    else:
        came.winner = RUNNERS if runners.total > chasers.total else CHASERS
        came.take(action[came.winner])


def _revealed(one: Round) -> str:
    did, predicted = actions()[one.action]["name"], actions()[one.prediction]["name"]
    gives = prediction_gives(one.action, one.prediction)
    chasers = f"have {gives.capitalize()}" if gives else "gain nothing by it"
    return f"The Runners {did}; the Chasers predicted {predicted} and {chasers}."


def _told(came: Came) -> str:
    """What the rolls came to, in a sentence or two."""
    parts = ["The Chasers give up the pursuit."] if came.chose == GIVE_UP else []
    if came.crashed:
        parts.append(f"The {' and the '.join(side.capitalize() for side in came.crashed)} crash.")
    elif came.tie:
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
    """`chase round`: a bare round; nothing is kept. Args: action, prediction, range, danger, advantage."""
    came = yield from chase_round(world, bare(args))
    yield from _rolls(world, came)
    yield _came_to(world, came)
    if came.ended:
        yield world.happen("chase-ended", "", _ending(came), ended=came.ended)
    return came.as_data()


def bare(args: Args) -> Round:
    """A round of nobody in particular. Args: as of `play_round`."""
    keys = ("action", "prediction", "range", "danger", "advantage")
    return Round(**{key: args[key] for key in keys})


def _rolls(world: World, came: Came) -> Procedure[None]:
    """Tell both drivers' rolls, where both were made, and each shot."""
    if came.runners is None or came.chasers is None:
        return
    text = f"Runners {came.runners.words()}, Chasers {came.chasers.words()}."
    rolls = {"roll": came.runners.as_json(), "against": came.chasers.as_json()}
    if came.chose:  # the Runners' die of a Risk was told before
        del rolls["roll"]
    yield world.happen("chase-rolled", "", text, **rolls, names=_shown(world, came.runners, came.chasers))
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


def _came_to(world: World, came: Came, sets: Mapping[str, Any] | None = None) -> Happen:
    data = came.as_data()
    details = {key: data[key] for key in ("winner", "range_before", "range_after", "crashed")}
    return world.happen("chase-round-over", "", _told(came), sets, **details)


def _ending(came: Came) -> str:
    return BOTH_CRASH if len(came.crashed) == len(SIDES) else ENDINGS[came.ended or STOPPED]


# --- a chase of the campaign


def _chase(world: World) -> dict[str, Any]:
    """The chase under way. Raises Refused where there is none, or where it is over."""
    chase: dict[str, Any] = world.get("chase", {})
    if not chase:
        raise Refused("There is no chase.", "`strike chase start --runners WHO --chasers WHO` begins one.")
    if "ended" in chase:
        raise Refused(
            f"{chase['name']} is over: {chase['ended']}.",
            "`strike chase start` begins another, `strike undo` takes back what ended this one.",
        )
    return chase


def still_in(chase: Mapping[str, Any], side: str) -> list[str]:
    """Who of a side has not been taken out."""
    return [who for who in chase[side] if who not in chase.get("out", ())]


def _names(world: World, people: Sequence[str]) -> str:
    *first, last = (display_name(world, who) for who in people)
    return f"{', '.join(first)} and {last}" if first else last


def play_start(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase start` (STR-CH-01). Args: id ("" unless prepared), name, runners, chasers, range, danger.

    A chase that is over makes way for the next.
    """
    now = world.get("chase", {})
    if now and "ended" not in now:
        raise Refused(f"{now['name']} is still going on.", "`strike chase end` calls it off.")
    chase = {key: args[key] for key in ("id", "name", *SIDES, "range", "danger")}
    chase["round"] = 0
    text = (
        f"{args['name']} begins at {args['range'].capitalize()} range, Danger Level {args['danger']}: "
        f"{_names(world, args[RUNNERS])} before {_names(world, args[CHASERS])}."
    )
    yield world.happen("chase-started", "", text, {"chase": chase})
    return chase


def play_run(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase run`: the Runners pick, in secret; what is told doesn't say what (STR-CH-02). Args: action."""
    chase = _chase(world)
    if "runners_action" in chase:
        raise Refused(
            "The Runners have picked their action for this round already.",
            f"{_next_step(chase)} `strike undo` takes the pick back.",
        )
    _must_be_possible(args["action"], chase["range"])
    text = f"The Runners pick an action for round {chase['round'] + 1}."
    yield world.happen("chase-action-picked", "", text, {"chase.runners_action": args["action"]})
    return {"round": chase["round"] + 1, "runners_action": args["action"]}


def play_predict(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase predict`: the Chasers predict, the impossible too (STR-CH-03). Args: action, secret.

    After the Runners have picked; a secret prediction may come before.
    """
    chase, number = _chase(world), world.get("chase.round") + 1
    if "prediction" in chase:
        raise Refused(
            "The Chasers have predicted for this round already.",
            f"{_next_step(chase)} `strike undo` takes it back.",
        )
    if "runners_action" not in chase and not args["secret"]:
        raise Refused(
            f"The Runners have not picked their action for round {number} yet.",
            "`strike chase run ACTION` first. Where the game master plays the Chasers, --secret lets them "
            "predict before.",
        )
    sets = {"chase.prediction": args["action"], "chase.prediction_secret": True if args["secret"] else None}
    what = "something" if args["secret"] else actions()[args["action"]]["name"]
    text = f"The Chasers predict {what} for round {number}."
    yield world.happen("chase-predicted", "", text, sets)
    return {"round": number, "prediction": args["action"]}


def _next_step(chase: Mapping[str, Any]) -> str:
    """What the round waits for."""
    if "runners_action" not in chase:
        return "`strike chase run ACTION` is next."
    if "prediction" not in chase:
        return "`strike chase predict ACTION` is next."
    return "`strike chase roll` is next."


def play_shoot(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase shoot`: somebody will shoot in this round; they roll after the drivers (STR-CH-07).

    Args: who, at (a side), driving.
    """
    chase, who, at = _chase(world), args["who"], args["at"]
    name = display_name(world, who)
    side = next((side for side in SIDES if who in chase[side]), None)
    if side is None or who not in still_in(chase, side):
        missing = "has been taken out" if side else "is not in the chase"
        raise Refused(
            f"{name} {missing}.", f"Still in it: {listed(one for s in SIDES for one in still_in(chase, s))}."
        )
    if side == at:
        raise Refused(f"{name} is of the {at.capitalize()}.", f"Shoot --at {other(at)}.")
    shooters = [*chase.get("shooters", ())]
    if who in (item["who"] for item in shooters):
        raise Refused(f"{name} shoots already in this round.", "`strike chase roll` rolls for it.")
    shooters.append({"who": who, "at": at, "driving": args["driving"]})
    mine = [item for item in shooters if item["at"] == at]
    drivers = [item["who"] for item in mine if item["driving"]]
    if len(drivers) > 1:
        raise Refused(
            f"{display_name(world, drivers[0])} drives the {side.capitalize()} already.",
            "Shoot without --driving.",
        )
    if not drivers and len(mine) == len(still_in(chase, side)):
        raise Refused(
            f"Nobody is left to drive the {side.capitalize()} while {name} shoots.",
            "Shoot and drive at once, both with Disadvantage: --driving.",
        )
    text = f"{name} shoots at the {at.capitalize()} in this round{' while driving' * args['driving']}."
    yield world.happen("chase-shooting", who, text, {"chase.shooters": shooters})
    return {"who": who, "at": at, "driving": args["driving"], "shooters": shooters}


def ready(world: World, args: Args) -> Round:
    """All that bears on the round as everybody stands. Args: as of `play_roll`. Raises Refused with what is
    missing."""
    chase = _chase(world)
    if "runners_action" not in chase or "prediction" not in chase:
        whose = {
            (False, False): "The Runners have not picked an action and the Chasers have not predicted one.",
            (False, True): "The Runners have not picked an action.",
            (True, False): "The Chasers have not predicted an action.",
        }["runners_action" in chase, "prediction" in chase]
        raise Refused(whose, _next_step(chase))
    shooters = chase.get("shooters", ())
    return Round(
        chase["runners_action"],
        chase["prediction"],
        chase["range"],
        chase["danger"],
        _driver(world, chase, RUNNERS, args[RUNNERS]),
        _driver(world, chase, CHASERS, args[CHASERS]),
        tuple(
            Shooter(item["at"], _roller(world, item["who"], {}, bool(item["driving"]))) for item in shooters
        ),
        bool(chase.get("runners_advantage")),
    )


def driver_of(world: World, side: str) -> Roller:
    """Who drives a side unless somebody else is named, with what bears on their rolls."""
    return _driver(world, _chase(world), side, {"who": ""})


def _driver(world: World, chase: Mapping[str, Any], side: str, more: Args) -> Roller:
    """Who drives: the one who shoots at it, else the one named, else the first who does not shoot."""
    there, shooters = still_in(chase, side), chase.get("shooters", ())
    both = [item["who"] for item in shooters if item["driving"] and item["who"] in there]
    busy = [item["who"] for item in shooters if not item["driving"]]
    free = both or [who for who in there if who not in busy]
    if not free:
        raise Refused(f"Nobody is left to drive the {side.capitalize()}.", "`strike chase end` puts it away.")
    who = more["who"] or free[0]
    if who not in free:
        why = "shoots in this round" if who in busy else "is not free to drive them"
        raise Refused(f"{display_name(world, who)} {why}.", f"For the {side.capitalize()}: {listed(free)}.")
    return _roller(world, who, more, bool(both))


def _roller(world: World, who: str, more: Args, both: bool) -> Roller:
    """Somebody with what their Conditions give them, as to a physical task (a ruling), and what is given."""
    reasons = sources(more.get("adv", ()), more.get("dis", ()))
    modifiers = [Modifier(*pair) for pair in more.get("mods", ())]
    if world.book is not None and who in world.book.characters:
        own, flat = reasons_for(world, who, "skill", tags=frozenset(["physical"]))
        reasons += own
        modifiers += flat
    if both:
        reasons.append(Source(DISADVANTAGE, "shooting and driving at once"))
    return Roller(who, tuple(reasons), tuple(modifiers))


def play_roll(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase roll`: the round (STR-CH-03 to 07). Dice: Runners', Chasers', then each shooter's.

    Args: runners and chasers, each {who ("" for the first), adv, dis, mods}.
    """
    one = ready(world, args)
    number = world.get("chase.round") + 1
    came = yield from chase_round(world, one)
    data = {"round": number, **came.as_data()}
    yield from _rolls(world, came)
    for shot, item in zip(came.shots, data["shots"], strict=True):
        if shot.takes_out:
            item["taken_out"] = yield from _take_out(world, shot, data)
    if came.ended is None:
        _nobody_left(world, came)
    data |= {key: value for key, value in came.as_data().items() if key != "shots"}
    yield _came_to(
        world,
        came,
        {
            "chase.round": number,
            "chase.range": came.range,
            "chase.runners_action": None,
            "chase.prediction": None,
            "chase.prediction_secret": None,
            "chase.shooters": None,
            "chase.runners_advantage": True if came.advantage else None,
            "chase.winner": came.winner,
        },
    )
    data["may_change_danger"] = None if came.ended else came.winner
    if came.ended:
        text = f"{world.get('chase.name')} is over. {_ending(came)}"
        yield world.happen("chase-ended", "", text, {"chase.ended": came.ended}, ended=came.ended)
    return data


def _take_out(world: World, shot: Shot, data: Mapping[str, Any]) -> Procedure[str | None]:
    """One of those shot at is out of the chase, and Injured where that is a character (STR-CH-07)."""
    there = still_in(world.state["chase"], shot.at)
    if not there:
        return None
    who = there[0]
    if len(there) > 1:
        labels = tuple(display_name(world, one) for one in there)
        who = yield Choose(shot.roll.who, "target", tuple(there), labels, data)
    out = [*world.get("chase.out", ()), who]
    text = f"{display_name(world, who)} is hit and out of the chase."
    yield world.happen("chase-taken-out", who, text, {"chase.out": out})
    if who in world.book.characters:
        condition = numbers("chase")["shooting"]["condition"]
        yield from gain_condition(world, who, condition, "shot in a chase")
    return str(who)


def _nobody_left(world: World, came: Came) -> None:
    """A side of which nobody is left loses; with neither left it is called off (a ruling)."""
    gone = [side for side in SIDES if not still_in(world.state["chase"], side)]
    if gone:
        ended = None if len(gone) == len(SIDES) else CAUGHT if RUNNERS in gone else ESCAPED
        came.winner = other(gone[0]) if ended else None
        came.ended = ended or STOPPED
        came.range = ended or came.range
        came.advantage = False


def play_danger(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase danger`: the winner of a round moves the Danger Level by one, or keeps it (STR-CH-06).

    Once, before the next round's action is picked. Args: by (1, -1, 0).
    """
    chase, levels = _chase(world), danger_levels()
    before = chase["danger"]
    if "winner" not in chase:
        why = "Nobody won the last round, or its winner has decided" if chase["round"] else "No round was won"
        raise Refused(f"{why}.", "The winner of a round may change the Danger Level by one.")
    if "runners_action" in chase or "prediction" in chase:
        raise Refused(
            f"Round {chase['round'] + 1} has begun: it is too late to change the Danger Level.",
            _next_step(chase),
        )
    after = before + args["by"]
    if after not in levels:
        raise Refused(
            f"The Danger Level is {before}, and goes from {levels[0]} to {levels[-1]}.",
            "`strike chase danger keep` leaves it.",
        )
    verb = {1: "raise", -1: "lower", 0: "keep"}[args["by"]]
    to = f"at {after}" if after == before else f"from {before} to {after}"
    text = f"The {chase['winner'].capitalize()} {verb} the Danger Level {to}."
    sets = {"chase.danger": after, "chase.winner": None}
    yield world.happen("chase-danger-set", "", text, sets)
    return {"by": chase["winner"], "before": before, "danger": after}


def play_end(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase end`: one under way is called off, one that is over is put away."""
    chase: dict[str, Any] = world.get("chase", {})
    ended = chase.get("ended") or (_chase(world) and STOPPED)
    kind = "chase-put-away" if "ended" in chase else "chase-ended"
    text = f"{chase['name']} is put away." if "ended" in chase else f"{chase['name']} is called off."
    yield world.happen(kind, "", text, {"chase": None}, ended=ended)
    return {"name": chase["name"], "ended": ended, "rounds": chase["round"]}
