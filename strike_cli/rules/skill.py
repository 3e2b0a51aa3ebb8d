"""Skill Rolls, with helpers and learning; Opposed Rolls (STR-CORE-03 to 06, 16 to 18, 20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from .dice import DISADVANTAGE, Modifier, RollRecord, Source, clamp, dice_words, may_learn, roll_die, sources
from .numbers import numbers
from .people import display_name, gain_action_point
from .procedure import Choose, Procedure, World

Args = Mapping[str, Any]


@cache
def _rows(skilled: bool) -> tuple[Mapping[str, Any], ...]:
    table = numbers("skill")["skilled" if skilled else "unskilled"]
    return tuple(table[str(face)] for face in range(1, 7))


def outcome_of(total: int, skilled: bool) -> Mapping[str, Any]:
    """`outcome`, `bonus` and `costs` for a total (STR-CORE-03), clamped to the table (STR-CORE-05)."""
    return _rows(skilled)[clamp(total) - 1]


def helped(total: int, results: Sequence[int]) -> list[tuple[int, int]]:
    """What each help adds, lowest help first (STR-CORE-20): (index into results, 0 or 1)."""
    added = []
    for index in sorted(range(len(results)), key=results.__getitem__):
        gain = 1 if results[index] > total else 0
        total += gain
        added.append((index, gain))
    return added


def skill_roll(
    who: str,
    skill: str,
    skilled: bool,
    reasons: Sequence[Source] = (),
    modifiers: Sequence[Modifier] = (),
    helpers: Sequence[Mapping[str, Any]] = (),
) -> Procedure[dict[str, Any]]:
    """The dice of a Skill Roll and what they come to. Helpers have `name`, `skilled`."""
    purpose = f"skill: {skill}" if skill else "skill"
    record = yield from roll_die(who, purpose, reasons, modifiers)
    total = record["total"]
    told = []
    for helper in helpers:
        unskilled = () if helper["skilled"] else (Source(DISADVANTAGE, "Unskilled help"),)
        roll = yield from roll_die(helper["name"], "help", unskilled)
        told.append({"name": helper["name"], "roll": roll, "added": 0})
    if told:
        for index, gain in helped(total, [helper["roll"]["total"] for helper in told]):
            told[index]["added"] = gain
            total += gain
    row = outcome_of(total, skilled)
    return {
        "who": who,
        "skill": skill,
        "skilled": skilled,
        "roll": record,
        "helpers": told,
        "total": total,
        "outcome": row["outcome"],
        "bonus": row["bonus"],
        "costs": row["costs"],
        "can_learn": not skilled and may_learn(record),
    }


def play_skill(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`roll skill`: the roll, then the Bonus or the Skill where the dice offer a choice.

    Args: who, skill, skilled, adv, dis, mods [[value, reason]], helpers [{name, skilled}], known (whether
    `who` is a character of the campaign, so that learning can be kept).
    """
    who, skill = args["who"], args["skill"]
    data = yield from skill_roll(
        who,
        skill,
        args["skilled"],
        sources(args["adv"], args["dis"]),
        [Modifier(*pair) for pair in args["mods"]],
        args["helpers"],
    )
    yield world.happen("rolled", who, tell_skill(world, data), roll=data["roll"], helpers=data["helpers"])
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
    if taken == "learn":
        data["bonus"] = False
        path = f"characters.{who}.skills_learned"
        known = world.get(path, [])
        name = display_name(world, who)
        yield world.happen("skill-learned", who, f"{name} learns {skill}.", {path: [*known, skill]}, skill=skill)


def tell_skill(world: World, data: Mapping[str, Any]) -> str:
    """A Skill Roll in a sentence."""
    name = display_name(world, data["who"]) or "Somebody"
    skilled = "Skilled" if data["skilled"] else "Unskilled"
    what = f"{data['skill']} ({skilled})" if data["skill"] else skilled
    helps = "".join(
        f", {display_name(world, h['name'])} helps with {dice_words(h['roll'])}"
        + (" (+1)" if h["added"] else " (nothing added)")
        for h in data["helpers"]
    )
    return f"{name} rolls {what}: {dice_words(data['roll'])}{helps}. {outcome_words(data)}."


def outcome_words(row: Mapping[str, Any]) -> str:
    """`Success with a Bonus`, `Twist with a Cost`: an outcome as the game says it."""
    words = str(row["outcome"]).capitalize()
    extras = (["a Bonus"] if row["bonus"] else []) + (
        ["a Cost"] if row["costs"] == 1 else [f"{row['costs']} Costs"] if row["costs"] else []
    )
    return words + (" with " + " and ".join(extras) if extras else "")


def opposed_roll(ours: Args, theirs: Args) -> Procedure[dict[str, Any]]:
    """Two dice against each other (STR-CORE-16). Each side: who, skill, skilled, adv, dis.

    Where exactly one side is Unskilled, that side has Disadvantage.
    """
    records = []
    for side, other in ((ours, theirs), (theirs, ours)):
        reasons = sources(side["adv"], side["dis"])
        if other["skilled"] and not side["skilled"]:
            reasons.append(Source(DISADVANTAGE, "Unskilled against Skilled"))
        purpose = f"opposed: {side['skill']}" if side["skill"] else "opposed"
        record = yield from roll_die(side["who"], purpose, reasons)
        records.append(record)
    return compare_opposed(records[0], records[1], ours, theirs)


def compare_opposed(
    our_roll: RollRecord, their_roll: RollRecord, ours: Args, theirs: Args
) -> dict[str, Any]:
    """Winner, margin, whether it is complete, and what the loser may choose from (STR-CORE-16)."""
    rules = numbers("skill")["opposed"]
    difference = our_roll["total"] - their_roll["total"]
    margin = abs(difference)
    complete = margin >= rules["complete_margin"]
    close = 0 < margin < rules["complete_margin"]
    return {
        "ours": our_roll,
        "theirs": their_roll,
        "winner": "ours" if difference > 0 else "theirs" if difference < 0 else None,
        "margin": margin,
        "complete": complete,
        "loser_options": [option["id"] for option in rules["loser_options"]] if close else [],
        "can_learn": {
            "ours": not ours["skilled"] and may_learn(our_roll),
            "theirs": not theirs["skilled"] and may_learn(their_roll),
        },
    }


def play_opposed(world: World, args: Args) -> Procedure[dict[str, Any]]:
    """`roll opposed`: the rolls, a tie that somebody may break, the loser's choice, learning.

    Args: ours and theirs, each {who, skill, skilled, adv, dis, known, complications}.
    """
    sides = {"ours": args["ours"], "theirs": args["theirs"]}
    data = yield from opposed_roll(args["ours"], args["theirs"])
    names = {key: display_name(world, side["who"]) or key.capitalize() for key, side in sides.items()}
    yield world.happen(
        "rolled",
        args["ours"]["who"],
        tell_opposed(data, names),
        roll=data["ours"],
        against=data["theirs"],
    )
    if data["winner"] is None:
        yield from _break_tie(world, data, sides, names)
    if data["loser_options"]:
        yield from _loser_chooses(world, data, sides, names)
    for key, side in sides.items():
        if data["can_learn"][key] and side["known"] and side["skill"]:
            learning = {"who": side["who"], "skill": side["skill"], "bonus": False}
            yield from _learning(world, learning)
    return data


def tell_opposed(data: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """An Opposed Roll in a sentence."""
    ours, theirs = dice_words(data["ours"]), dice_words(data["theirs"])
    words = f"{names['ours']} rolls {ours} against {names['theirs']}'s {theirs}. "
    if data["winner"] is None:
        return words + "A tie: neither gets what they wanted."
    how = "completely" if data["complete"] else f"by {data['margin']}"
    return f"{words}{names[data['winner']]} wins {how}."


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
        options = [option["id"] for option in numbers("skill")["opposed"]["loser_options"]]
        # Ruling: a broken tie counts as a loss by one or two, so the loser still chooses.
        data.update(winner=winner, tie_broken_by=key, complication=used, loser_options=options)
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
    choices = numbers("skill")["opposed"]["loser_options"]
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
    from .procedure import Roll

    faces = yield Roll(args["n"], args["sides"], "die", args["who"])
    dice = f"{args['n']}d{args['sides']}" if args["n"] != 1 else f"d{args['sides']}"
    shown = ", ".join(map(str, faces)) + (f" (sum {sum(faces)})" if len(faces) > 1 else "")
    record = {
        "purpose": "die",
        "who": args["who"],
        "sides": args["sides"],
        "faces": list(faces),
        "mode": "plain",
        "kept": max(faces),
        "modifiers": [],
        "total": sum(faces),
        "sources": [],
    }
    yield world.happen("rolled", args["who"], f"{dice}: {shown}.", roll=record)
    return {"rolls": [record], "total": sum(faces)}
