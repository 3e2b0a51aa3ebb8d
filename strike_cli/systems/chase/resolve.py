"""The round of those who stand in a chase, the Danger Level, and how it ends (STR-CH-03 to 07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from strike_cli.kernel.procedure import Choose, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.systems.core.advancement import count_skill_use
from strike_cli.systems.core.circumstances import spend_banked, what_matters
from strike_cli.systems.core.conditions import gain_condition, regain_confidence
from strike_cli.systems.core.opposed import break_tie, loser_chooses, tie_broken
from strike_cli.systems.core.skill import Side, helpers_of
from strike_cli.tabletop.contributions import reasons_for
from strike_cli.tabletop.dice import DISADVANTAGE, Modifier, Source, sources
from strike_cli.tabletop.people import display_name

from .declare import next_step, still_in, under_way
from .numbers import numbers
from .round import Came, Roller, Round, Shooter, Shot, came_to, chase_round, ending, tell_rolls, wins
from .tables import CAUGHT, CHASERS, ESCAPED, RUNNERS, SIDES, STOPPED, actions, danger_levels, other

Args = Mapping[str, Any]
SHOOTING_TOO = "shooting and driving at once"


def ready(world: World, args: Args) -> Round:
    """All that bears on the round as everybody stands. Args: as of `play_roll`. Raises Refused with what is
    missing."""
    chase = under_way(world)
    if "runners_action" not in chase or "prediction" not in chase:
        whose = {
            (False, False): "The Runners have not picked an action and the Chasers have not predicted one.",
            (False, True): "The Runners have not picked an action.",
            (True, False): "The Chasers have not predicted an action.",
        }["runners_action" in chase, "prediction" in chase]
        raise Refused(whose, next_step(chase))
    shooters = chase.get("shooters", ())
    _skills_must_matter(chase["runners_action"], args)
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
        _unskilled(args),
    )


def _skills_must_matter(action: str, args: Args) -> None:
    """Raises Refused for a Skill that is named, or help, where it makes no difference."""
    said = any(args[side].get(key) for side in SIDES for key in ("skill", "helpers"))
    if not actions()[action].get("opposed") and said:
        raise Refused(
            f"The Runners {actions()[action]['name']}: Skills are for a Hide, which is an Opposed Roll, and "
            "so is help.",
            "Leave --skill-runners, --help-runners and the Chasers' out.",
        )


def _unskilled(args: Args) -> str:
    """The side that is Unskilled against a Skilled one; who names no Skill counts as Skilled."""
    without = [side for side in SIDES if not args[side].get("skilled", True)]
    return without[0] if len(without) == 1 else ""


def driver_of(world: World, side: str) -> Roller:
    """Who drives a side unless somebody else is named, with what bears on their rolls."""
    return _driver(world, under_way(world), side, {"who": ""})


def _driver(world: World, chase: Mapping[str, Any], side: str, more: Args) -> Roller:
    """Who drives: the one who shoots at it, else the one named, else the first who does not shoot."""
    there, shooters = still_in(chase, side), chase.get("shooters", ())
    both = [item["who"] for item in shooters if item["driving"] and item["who"] in there]
    busy = [item["who"] for item in shooters if not item["driving"]]
    free = both or [who for who in there if who not in busy]
    if not free:
        raise Refused(f"Nobody is left to drive the {side.capitalize()}.", "`strike chase end` puts it away.")
    who = more["who"] or free[0]
    helps = [helper["name"] for helper in more.get("helpers", ())]
    if one := next((name for name in helps if name in (who, *busy, *both)), ""):
        raise Refused(
            f"{display_name(world, one)} can't help the {side.capitalize()}: they drive or shoot.",
            "Somebody else may.",
        )
    if who not in free:
        why = "shoots in this round" if who in busy else "is not free to drive them"
        raise Refused(f"{display_name(world, who)} {why}.", f"For the {side.capitalize()}: {listed(free)}.")
    return _roller(world, who, more, bool(both))


def _roller(world: World, who: str, more: Args, both: bool) -> Roller:
    """Somebody with what their Conditions give them, as to a physical task (a ruling), and what is given;
    where a Skill is named, with all that bears on an Opposed Roll with it."""
    side = Side.read({"skill": "", "skilled": True, "known": True, **more, "who": who})
    helpers = helpers_of(world, side)
    if side.skill:
        matters = what_matters(world, who, "opposed", side.skill, side)
        driving = [Source(DISADVANTAGE, SHOOTING_TOO)] if both else []
        reasons, modifiers = [*matters.sources, *driving], matters.modifiers
        return Roller(who, tuple(reasons), tuple(modifiers), side.skill, tuple(matters.banked), helpers)
    reasons = sources(more.get("adv", ()), more.get("dis", ()))
    modifiers = [Modifier(*pair) for pair in more.get("mods", ())]
    if world.book is not None and who in world.book.characters:
        own, flat = reasons_for(world, who, "skill", tags=frozenset(["physical"]))
        reasons += own
        modifiers += flat
    if both:
        reasons.append(Source(DISADVANTAGE, SHOOTING_TOO))
    return Roller(who, tuple(reasons), tuple(modifiers), helpers=helpers)


def play_roll(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase roll`: the round (STR-CH-03 to 07). Dice: Runners', Chasers', then each shooter's.

    Args: runners and chasers, each {who ("" for the first), adv, dis, mods; optional, for a Hide: skill,
    skilled, helpers [{name, skilled}]}.
    """
    one = ready(world, args)
    number = world.get("chase.round") + 1
    for roller in (one.runners, one.chasers):
        yield from spend_banked(world, roller.who, roller.banked)
        for helper in roller.helpers:
            yield from spend_banked(world, helper.name, helper.banked)
    came = yield from chase_round(world, one)
    data = {"round": number, **came.as_data()}
    yield from tell_rolls(world, came)
    for shot, item in zip(came.shots, data["shots"], strict=True):
        if shot.takes_out:
            item["taken_out"] = yield from _take_out(world, shot, data)
    _nobody_left(came, [side for side in SIDES if not still_in(world.state["chase"], side)])
    data |= {key: value for key, value in came.as_data().items() if key != "shots"}
    if came.margin is not None:
        yield from _as_opposed(world, came, data)
    yield came_to(
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
        text = f"{world.get('chase.name')} is over. {ending(came)}"
        yield world.happen("chase-ended", "", text, {"chase.ended": came.ended}, ended=came.ended)
    return data


def _as_opposed(world: World, came: Came, data: dict[str, Any]) -> Procedure[None]:
    """What an Opposed Roll brings besides: a tie that somebody breaks, the loser's choice, the end of doubts,
    a use of the Skills; nothing is learned (STR-CH-05)."""
    drivers = {RUNNERS: came.round.runners, CHASERS: came.round.chasers}
    known = {side: one.who for side, one in drivers.items() if one.who in world.book.characters}
    uses: dict[str, int] = {}
    for side, who in known.items():
        uses |= count_skill_use(world, who, drivers[side].skill)
    if uses:
        yield world.happen("skills-used", "", "", uses)
    if came.tie:
        broken = yield from break_tie(world, known, data)
        if broken:
            side, used = broken
            wins(came, other(side), 0)
            data |= {key: value for key, value in came.as_data().items() if key != "shots"}
            data |= {"tie_broken_by": side, "complication": used}
            text = f"{display_name(world, known[side])} breaks the tie: the {other(side).capitalize()} win."
            yield from tie_broken(world, known[side], used, text)
    if came.close and came.winner:
        loser = other(came.winner)
        who = drivers[loser].who
        yield from loser_chooses(world, data, who, display_name(world, who) or loser.capitalize(), loser)
    if came.winner in known and drivers[came.winner].skill:
        yield from regain_confidence(world, known[came.winner], drivers[came.winner].skill)


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
        condition = numbers()["shooting"]["condition"]
        yield from gain_condition(world, who, condition, "shot in a chase")
    return str(who)


Left = tuple[int, int]
"""How many of the Runners and of the Chasers are in a chase."""


def people_in(world: World) -> Left:
    """How many are in the chase under way, those taken out left aside."""
    chase = under_way(world)
    return len(still_in(chase, RUNNERS)), len(still_in(chase, CHASERS))


def round_with_losses(world: World, one: Round, left: Left) -> Procedure[tuple[Came, Left]]:
    """A round between so many on each side, and how many of them are left after it: what odds ask, to
    whom it is all the same who was hit (STR-CH-07)."""
    came = yield from chase_round(world, one)
    hit = [sum(shot.takes_out for shot in came.shots if shot.at == side) for side in SIDES]
    runners, chasers = (max(0, there - out) for there, out in zip(left, hit, strict=True))
    _nobody_left(came, [side for side, there in zip(SIDES, (runners, chasers), strict=True) if not there])
    return came, (runners, chasers)


def _nobody_left(came: Came, gone: Sequence[str]) -> None:
    """A side of which nobody is left loses, unless it is over anyway; with neither left it is called off (a
    ruling)."""
    if gone and came.ended is None:
        ended = None if len(gone) == len(SIDES) else CAUGHT if RUNNERS in gone else ESCAPED
        came.winner = other(gone[0]) if ended else None
        came.ended = ended or STOPPED
        came.range = ended or came.range
        came.advantage = False


def play_danger(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`chase danger`: the winner of a round moves the Danger Level by one, or keeps it (STR-CH-06).

    Once, before the next round's action is picked. Args: by (1, -1, 0).
    """
    chase, levels = under_way(world), danger_levels()
    before = chase["danger"]
    if "winner" not in chase:
        why = "Nobody won the last round, or its winner has decided" if chase["round"] else "No round was won"
        raise Refused(f"{why}.", "The winner of a round may change the Danger Level by one.")
    if "runners_action" in chase or "prediction" in chase:
        raise Refused(
            f"Round {chase['round'] + 1} has begun: it is too late to change the Danger Level.",
            next_step(chase),
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
    ended = chase.get("ended") or (under_way(world) and STOPPED)
    kind = "chase-put-away" if "ended" in chase else "chase-ended"
    text = f"{chase['name']} is put away." if "ended" in chase else f"{chase['name']} is called off."
    yield world.happen(kind, "", text, {"chase": None}, ended=ended)
    return {"name": chase["name"], "ended": ended, "rounds": chase["round"]}
