"""Skill Rolls, with helpers and learning; Opposed Rolls (STR-CORE-03 to 06, 16 to 18, 20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from .dice import DISADVANTAGE, Modifier, Rolled, Source, in_any_order, may_learn, roll_die, sources
from .numbers import numbers
from .people import display_name, gain_action_point
from .procedure import Choose, Procedure, Roll, World

Args = Mapping[str, Any]
UNSKILLED_AGAINST = (Source(DISADVANTAGE, "Unskilled against Skilled"),)
UNSKILLED_HELP = (Source(DISADVANTAGE, "Unskilled help"),)


@cache
def _rows(skilled: bool) -> tuple[Mapping[str, Any], ...]:
    table = numbers("skill")["skilled" if skilled else "unskilled"]
    return tuple(table[str(face)] for face in range(1, 7))


@cache
def _opposed_rules() -> Mapping[str, Any]:
    table: Mapping[str, Any] = numbers("skill")["opposed"]
    return table


def _loser_options() -> list[str]:
    return [option["id"] for option in _opposed_rules()["loser_options"]]


def outcome_of(total: int, skilled: bool) -> Mapping[str, Any]:
    """`outcome`, `bonus` and `costs` for a total (STR-CORE-03), clamped to the table (STR-CORE-05)."""
    return _rows(skilled)[0 if total < 1 else 5 if total > 6 else total - 1]


class Helper(NamedTuple):
    """Somebody who helps, and whether they are Skilled at it."""

    name: str
    skilled: bool


def helped(total: int, results: Sequence[int]) -> tuple[int, list[int]]:
    """The total with help, and what each help added: lowest help first, 1 where it beats the total by then
    (STR-CORE-20)."""
    gains = [0] * len(results)
    for index in sorted(range(len(results)), key=results.__getitem__):
        if results[index] > total:
            gains[index] = 1
            total += 1
    return total, gains


class SkillRoll:
    """What a Skill Roll came to: `helps` are the helpers' dice in the order named, `gains` what they add."""

    __slots__ = ("can_learn", "gains", "helps", "roll", "row", "total")

    def __init__(
        self, roll: Rolled, skilled: bool, total: int, helps: Sequence[Rolled] = (), gains: Sequence[int] = ()
    ) -> None:
        self.roll = roll
        self.helps = helps
        self.gains = gains
        self.total = total
        self.row = outcome_of(total, skilled)
        self.can_learn = not skilled and may_learn(roll.faces)

    @property
    def helper_costs(self) -> int:
        """Costs for each helper: one where the outcome has any (STR-CORE-20)."""
        return 1 if self.helps and self.row["costs"] else 0


def skill_roll(
    who: str,
    skill: str,
    skilled: bool,
    reasons: Sequence[Source] = (),
    modifiers: Sequence[Modifier] = (),
    helpers: tuple[Helper, ...] = (),
) -> Procedure[SkillRoll]:
    """The dice of a Skill Roll and what they come to."""
    purpose = f"skill: {skill}" if skill else "skill"
    roll = yield from roll_die(who, purpose, reasons, modifiers, learning=not skilled)
    if not helpers:
        return SkillRoll(roll, skilled, roll.total)
    helps: list[Rolled] = []
    for question, names in _questions_to(helpers):
        faces = yield question
        if question.n == len(names):
            helps += [Rolled(name, "help", (face,)) for name, face in zip(names, faces, strict=True)]
        else:
            helps.append(Rolled(names[0], "help", faces, DISADVANTAGE, UNSKILLED_HELP))
    total, gains = helped(roll.total, [help_roll.total for help_roll in helps])
    return SkillRoll(roll, skilled, total, helps, gains)


@lru_cache(maxsize=64)
def _questions_to(helpers: tuple[Helper, ...]) -> list[tuple[Roll, tuple[str, ...]]]:
    """The dice that helpers are asked for, in the order named: one each, two for the Unskilled.

    Skilled helpers in a row throw together: whose die is whose makes no difference to the total.
    """
    questions: list[tuple[Roll, tuple[str, ...]]] = []
    for skilled, group in groupby(helpers, key=lambda helper: helper.skilled):
        names = tuple(helper.name for helper in group)
        if skilled:
            questions.append((Roll(len(names), 6, "help", ", ".join(names), in_any_order), names))
        else:
            questions += [(Roll(2, 6, "help", name, min), (name,)) for name in names]
    return questions


def play_skill(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`roll skill`: the roll, then the Bonus or the Skill where the dice offer a choice.

    Args: who, skill, skilled, adv, dis, mods [[value, reason]], helpers [{name, skilled}], known (whether
    `who` is a character of the campaign, so that learning can be kept).
    """
    who, skill = args["who"], args["skill"]
    came = yield from skill_roll(
        who,
        skill,
        args["skilled"],
        sources(args["adv"], args["dis"]),
        [Modifier(*pair) for pair in args["mods"]],
        tuple(Helper(helper["name"], helper["skilled"]) for helper in args["helpers"]),
    )
    data = {
        "who": who,
        "skill": skill,
        "skilled": args["skilled"],
        "roll": came.roll.as_json(),
        "helpers": [
            {"name": roll.who, "roll": roll.as_json(), "added": gain, "costs": came.helper_costs}
            for roll, gain in zip(came.helps, came.gains, strict=True)
        ],
        "total": came.total,
        **came.row,
        "can_learn": came.can_learn,
    }
    text = tell_skill(world, args, came)
    yield world.happen("rolled", who, text, roll=data["roll"], helpers=data["helpers"])
    if data["can_learn"] and skill and args["known"]:
        yield from _learning(world, data)
    return data


def _learning(world: World, data: dict[str, Any]) -> Procedure[None]:
    """A natural 6 on an Unskilled roll offers the Skill in place of a Bonus (STR-CORE-06)."""
    who, skill = data["who"], data["skill"]
    other = "bonus" if data["bonus"] else "pass"
    labels = (f"learn {skill} for good", "take the Bonus" if data["bonus"] else "leave it")
    taken = yield Choose(who, "learn", ("learn", other), labels)
    data["taken"] = taken
    if taken == "bonus":
        yield world.happen("bonus-taken", who, f"{display_name(world, who)} takes the Bonus.")
    elif taken == "learn":
        data["bonus"] = False
        path = f"characters.{who}.skills_learned"
        known = world.get(path, [])
        name = display_name(world, who)
        yield world.happen(
            "skill-learned", who, f"{name} learns {skill}.", {path: [*known, skill]}, skill=skill
        )


def tell_skill(world: World, args: Args, came: SkillRoll) -> str:
    """A Skill Roll in a sentence."""
    name = display_name(world, args["who"]) or "Somebody"
    skilled = "Skilled" if args["skilled"] else "Unskilled"
    what = f"{args['skill']} ({skilled})" if args["skill"] else skilled
    helps = "".join(
        f", {display_name(world, roll.who)} helps with {roll.words()}"
        + (" (+1)" if gain else " (nothing added)")
        for roll, gain in zip(came.helps, came.gains, strict=True)
    )
    shared = ", and one for each helper" if came.helper_costs else ""
    return f"{name} rolls {what}: {came.roll.words()}{helps}. {outcome_words(came.row)}{shared}."


def outcome_words(row: Mapping[str, Any]) -> str:
    """`Success with a Bonus`, `Twist with a Cost`: an outcome as the game says it."""
    words = str(row["outcome"]).capitalize()
    extras = (["a Bonus"] if row["bonus"] else []) + (
        ["a Cost"] if row["costs"] == 1 else [f"{row['costs']} Costs"] if row["costs"] else []
    )
    return words + (" with " + " and ".join(extras) if extras else "")


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


def opposed_roll(ours: Args, theirs: Args) -> Procedure[OpposedRoll]:
    """Two dice against each other (STR-CORE-16). Each side: who, skill, skilled, adv, dis.

    Where exactly one side is Unskilled, that side has Disadvantage.
    """
    rolls = []
    for side, other in ((ours, theirs), (theirs, ours)):
        reasons: Sequence[Source] = UNSKILLED_AGAINST if other["skilled"] and not side["skilled"] else ()
        if side["adv"] or side["dis"]:
            reasons = [*sources(side["adv"], side["dis"]), *reasons]
        purpose = f"opposed: {side['skill']}" if side["skill"] else "opposed"
        rolls.append((yield from roll_die(side["who"], purpose, reasons, learning=not side["skilled"])))
    return OpposedRoll(rolls[0], rolls[1], ours, theirs)


def play_opposed(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`roll opposed`: the rolls, a tie that somebody may break, the loser's choice, learning.

    Args: ours and theirs, each {who, skill, skilled, adv, dis, known, complications}.
    """
    sides = {"ours": args["ours"], "theirs": args["theirs"]}
    came = yield from opposed_roll(args["ours"], args["theirs"])
    data: dict[str, Any] = {
        "ours": came.ours.as_json(),
        "theirs": came.theirs.as_json(),
        "winner": came.winner,
        "margin": came.margin,
        "complete": came.complete,
        "loser_options": _loser_options() if came.winner and not came.complete else [],
        "can_learn": came.learns,
    }
    names = {key: display_name(world, side["who"]) or key.capitalize() for key, side in sides.items()}
    yield world.happen(
        "rolled",
        args["ours"]["who"],
        tell_opposed(came, names),
        roll=data["ours"],
        against=data["theirs"],
    )
    if data["winner"] is None:
        yield from _break_tie(world, data, sides, names)
    if data["loser_options"]:
        yield from _loser_chooses(world, data, sides, names)
    for key, side in sides.items():
        if came.learns[key] and side["known"] and side["skill"]:
            learning = {"who": side["who"], "skill": side["skill"], "bonus": False}
            yield from _learning(world, learning)
    return data


def tell_opposed(came: OpposedRoll, names: Mapping[str, str]) -> str:
    """An Opposed Roll in a sentence."""
    words = f"{names['ours']} rolls {came.ours.words()} against {names['theirs']}'s {came.theirs.words()}. "
    if came.winner is None:
        return words + "A tie: neither gets what they wanted."
    how = "completely" if came.complete else f"by {came.margin}"
    return f"{words}{names[came.winner]} wins {how}."


def _break_tie(
    world: World, data: dict[str, Any], sides: Mapping[str, Args], names: Mapping[str, str]
) -> Procedure[None]:
    """A Complication may break a tie in the opponent's favour, for an Action Point (STR-CORE-17)."""
    for key, side in sides.items():
        complications = side["complications"]
        if not complications:
            continue
        taken = yield Choose(
            side["who"],
            "break the tie",
            ("stand", *[f"complication-{number + 1}" for number in range(len(complications))]),
            ("let the tie stand", *[f"lose by {text}, +1 AP" for text in complications]),
        )
        if taken == "stand":
            continue
        used = complications[int(taken.rpartition("-")[2]) - 1]
        winner = "theirs" if key == "ours" else "ours"
        # Ruling: a broken tie counts as a loss by one or two, so the loser still chooses.
        data.update(winner=winner, tie_broken_by=key, complication=used, loser_options=_loser_options())
        text = f"{names[key]} breaks the tie with {used!r}: {names[winner]} wins."
        yield world.happen("tie-broken", side["who"], text)
        yield from gain_action_point(world, side["who"], "breaking a tie with a Complication")
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
    )
    data["loser_chose"] = taken
    label = next(option["label"] for option in choices if option["id"] == taken)
    yield world.happen("loser-chose", sides[loser]["who"], f"{names[loser]} chooses: {label}.", option=taken)


def play_die(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`roll die NdS`: bare dice, no rule."""
    n, sides, who = args["n"], args["sides"], args["who"]
    faces = yield Roll(n, sides, "die", who)
    dice = f"{n}d{sides}" if n != 1 else f"d{sides}"
    shown = ", ".join(map(str, faces)) + (f" (sum {sum(faces)})" if n > 1 else "")
    record = {**Rolled(who, "die", faces, sides=sides).as_json(), "total": sum(faces)}
    yield world.happen("rolled", who, f"{dice}: {shown}.", roll=record)
    return {"rolls": [record], "total": sum(faces)}
