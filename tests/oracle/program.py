"""Everything of tests/oracle that touches the program: its commands, typed or played in memory.

A `Step` is a command with dice and answers in hand, both as the program takes it and as one would type it.
Should the form of a command's arguments change, it changes here alone.
"""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from support.game import Game

from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.content.merged_content import Book, open_book
from strike_cli.kernel.statements import data_with_clauses_in_words
from strike_cli.problems import Problem, Refused
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker

CAMPAIGN = Path(__file__).parent / "weigh-house"
PARTY = ["ana", "ben", "cas", "dee"]


@dataclass(frozen=True)
class Step:
    """A command: as the program takes it, and as one types it."""

    command: str
    args: Mapping[str, Any]
    typed: str
    dice: tuple[int, ...] = ()
    answers: tuple[str, ...] = ()

    def rolled(self, dice: Sequence[int], answers: Sequence[str] = ()) -> Step:
        """The same command with these dice and answers."""
        return replace(self, dice=tuple(dice), answers=tuple(answers))

    @property
    def line(self) -> str:
        """What one would type."""
        dice = f" --dice {','.join(map(str, self.dice))}" if self.dice else ""
        answers = f" --choose {shlex.quote(','.join(self.answers))}" if self.answers else ""
        return f"{self.typed}{dice}{answers}"


class WentWrongError(Exception):
    """The program took dice or answers other than the oracle's, or refused."""


class RefusedByProgramError(WentWrongError):
    """The rules forbid it, says the program."""


def the_book() -> Book:
    """The campaign that positions are brought about in."""
    return open_book(CAMPAIGN)


def under_house(book: Book, rules: Mapping[str, Any]) -> Book:
    """The same campaign under other house rules."""
    changed = copy(book)
    changed.house = {**book.house, **rules}
    return changed


class Table:
    """A game in memory that steps are played in, and the script of what was played."""

    def __init__(self, book: Book) -> None:
        self.house: dict[str, Any] = {}
        self._game = Game(book)
        self.steps: list[Step] = []

    def under_house(self, rules: Mapping[str, Any]) -> None:
        """Before anything is played: house rules other than the default."""
        self.house = dict(rules)
        self._game.book = under_house(self._game.book, self.house)

    def play(self, step: Step) -> Any:
        """Play a step to its end; its data. Raises WentWrongError where the program does otherwise."""
        self.steps.append(step)
        try:
            if step.command == "override":
                return self._override(step)
            played = self._game.drive(step.command, step.args, list(step.dice), list(step.answers))
        except Refused as refused:
            raise RefusedByProgramError(f"`{step.line}` is refused: {refused}") from refused
        except Problem as problem:
            raise WentWrongError(f"`{step.line}`: {problem} {problem.hint}") from problem
        if played.pending is not None:
            raise WentWrongError(f"`{step.line}` still asks: {played.pending}")
        return played.data

    def _override(self, step: Step) -> None:
        self._game.set(step.args["path"], step.args["value"])

    def in_words(self, data: Any) -> Any:
        """What a step came to, with its reasons as the program says them."""
        return data_with_clauses_in_words(data, GameMasterSpeaker(self._game.book, [self._game.state]))

    def get(self, path: str, default: Any = None) -> Any:
        """Something in the state."""
        return self._game.get(path, default)

    def combatant(self, who: str, key: str, default: Any = None) -> Any:
        return self.get(f"fight.combatants.{who}.{key}", default)

    def character(self, who: str, key: str, default: Any = None) -> Any:
        """What play has changed about a character."""
        return self.get(f"characters.{who}.{key}", default)

    def conditions(self, who: str) -> list[str]:
        """Bare names, sorted."""
        return sorted(one.removeprefix("core:") for one in self.character(who, "conditions", []))

    def statuses(self, who: str) -> set[str]:
        """What stands on a combatant itself, but the marker Bloodied."""
        held = {one["id"].removeprefix("core:") for one in self.combatant(who, "statuses", [])}
        return held - {"bloodied"}

    def bloodied(self, who: str) -> bool:
        return "core:bloodied" in [one["id"] for one in self.combatant(who, "statuses", [])]

    def script(self) -> str:
        """A small script that one can type."""
        house = "".join(f"{key} = {json.dumps(value)}\\n" for key, value in self.house.items())
        lines = ["rm -rf /tmp/weigh-house", f"cp -r {CAMPAIGN} /tmp/weigh-house"]
        if house:
            lines.append(f"printf '[house]\\n{house}' >> /tmp/weigh-house/campaign.toml")
        lines.append("cd /tmp/weigh-house")
        return "\n".join([*lines, *(f"strike {step.line}" for step in self.steps)])


def typed_like(*words: object) -> str:
    """Words as one types them."""
    return " ".join(shlex.quote(str(word)) for word in words)


def options(name: str, values: Iterable[object]) -> str:
    """An option for each value."""
    return "".join(f" {name} {shlex.quote(str(value))}" for value in values)


def reasons(word: str, count: int) -> list[str]:
    """So many reasons, to be counted as one or not."""
    return [f"{word} {number}" for number in range(1, count + 1)]


def override(path: str, value: Any) -> Step:
    """The game master's hand, for what would take many commands."""
    args = {"path": path, "value": value, "why": "position"}
    return Step("override", args, typed_like("override", path, json_or_word(value), "--why", "position"))


def json_or_word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


# Characters


def condition_add(who: str, condition: str, about: Sequence[str] = ()) -> Step:
    args = {"who": who, "condition": f"core:{condition}", "why": "", "about": list(about)}
    typed = typed_like("condition", "add", who, condition)
    return Step("condition add", args, typed + (f" --about {shlex.quote(','.join(about))}" if about else ""))


def bonus_bank(who: str, skill: str, advantage: bool) -> Step:
    args = {"who": who, "gives": "advantage" if advantage else "disadvantage", "for": skill, "why": ""}
    typed = typed_like("bonus", "bank", who, skill)
    return Step("bonus bank", args, typed + ("" if advantage else " --disadvantage"))


def flaw_add(who: str, item: str) -> Step:
    return Step("flaw add", {"who": who, "on": item, "text": ""}, typed_like("flaw", "add", who, item))


def favor_add(who: str, party: str) -> Step:
    args = {"who": who, "to": party, "text": "", "reputation": False}
    return Step("favor add", args, typed_like("favor", "add", who, party))


# Rolls


@dataclass
class More:
    """What the table adds to a roll: how many reasons for Advantage and Disadvantage, and flat modifiers."""

    advantages: int = 0
    disadvantages: int = 0
    modifiers: tuple[int, ...] = ()

    @property
    def args(self) -> dict[str, Any]:
        return {
            "adv": reasons("for", self.advantages),
            "dis": reasons("against", self.disadvantages),
            "mods": [[value, "modifier"] for value in self.modifiers],
        }

    def typed(self, side: str = "") -> str:
        made = options(f"--adv{side}", reasons("for", self.advantages))
        made += options(f"--dis{side}", reasons("against", self.disadvantages))
        return made + "".join(f" --mod{side}={value}" for value in self.modifiers)


@dataclass
class SkillRolled:
    """A Skill Roll as it is typed."""

    who: str
    skill: str
    skilled: bool
    helpers: list[tuple[str, bool]]
    more: More
    tags: tuple[str, ...] = ()
    using: str = ""
    asking: str = ""
    makeshift: bool = False
    also: str = ""
    linked: str = ""

    def step(self) -> Step:
        """The command without dice."""
        args: dict[str, Any] = {"who": self.who, "skill": self.skill, "skilled": self.skilled, "known": True}
        args |= self.more.args
        args["helpers"] = [{"name": name, "skilled": skilled} for name, skilled in self.helpers]
        words = "linked" if self.linked else "skill"
        typed = typed_like(
            "roll", words, self.who, self.skill, "--skilled" if self.skilled else "--unskilled"
        )
        typed += self.more.typed()
        typed += options("--help-from", helping_words(self.helpers))
        for key, option, value in (
            ("using", "--using", self.using),
            ("asking", "--asking", self.asking),
            ("also", "--also", self.also),
            ("linked", "--for", self.linked),
        ):
            if value:
                args[key] = value
                typed += f" {option} {shlex.quote(value)}"
        if self.tags:
            args["tags"] = list(self.tags)
            typed += options("--tag", self.tags)
        if self.makeshift:
            args["makeshift"] = True
            typed += " --makeshift"
        return Step(f"roll {words}", args, typed)


@dataclass
class OpposedSide:
    """One side of an Opposed Roll as it is typed."""

    who: str
    skill: str
    skilled: bool
    more: More
    helpers: list[tuple[str, bool]]

    def args(self, counts_skilled: bool) -> dict[str, Any]:
        made: dict[str, Any] = {
            "who": self.who,
            "skill": self.skill,
            "skilled": counts_skilled,
            "known": True,
        }
        made |= {key: value for key, value in self.more.args.items() if key != "mods" or value}
        if self.helpers:
            made["helpers"] = [{"name": name, "skilled": skilled} for name, skilled in self.helpers]
        return made

    def typed(self, side: str) -> str:
        words = options(f"--{side}", ["skilled" if self.skilled else "unskilled"]) + self.more.typed(
            f"-{side}"
        )
        return words + options(f"--help-{side}", helping_words(self.helpers))


def helping_words(helpers: Iterable[tuple[str, bool]]) -> list[str]:
    return [f"{name}:{'' if skilled else 'un'}skilled" for name, skilled in helpers]


def roll_opposed(ours: OpposedSide, theirs: OpposedSide, specific: str = "") -> Step:
    """An Opposed Roll of two characters. `specific`: ours or theirs, whose of two like Skills fits better."""
    args = {
        "who": ours.who,
        "ours": ours.args(ours.skilled and specific != "theirs"),
        "theirs": theirs.args(theirs.skilled and specific != "ours"),
    }
    typed = typed_like("roll", "opposed", ours.who, ours.skill, "--against", theirs.who, theirs.skill)
    typed += ours.typed("ours") + theirs.typed("theirs") + (f" --specific {specific}" if specific else "")
    return Step("roll opposed", args, typed)


def wealth_buy(who: str, price: int, helpers: Sequence[str], more: More) -> Step:
    args = {
        "who": who, "price": price, "what": "a thing", "seller": "guild", "costs": [],
        "helpers": [{"name": name} for name in helpers], **more.args,
    }  # fmt: skip
    typed = typed_like("wealth", "buy", who, price, "--for", "a thing", "--from", "guild")
    return Step("wealth buy", args, typed + more.typed() + options("--help-from", helpers))


def cash_add(who: str, rank: int) -> Step:
    return Step("wealth cash add", {"who": who, "rank": rank, "why": ""}, f"wealth cash add {who} {rank}")


def wealth_pool(
    members: Sequence[str], parcels: Sequence[int], price: int, helpers: Sequence[str], more: More
) -> Step:
    args = {
        "who": members[0], "members": list(members), "price": price, "what": "a thing", "seller": "guild",
        "parcels": [{"who": "", "rank": rank} for rank in parcels], "costs": [], **more.args,
    }  # fmt: skip
    if helpers:
        args["helpers"] = [{"name": name} for name in helpers]
    typed = typed_like("wealth", "pool", *members, "--price", price, "--for", "a thing", "--from", "guild")
    typed += f" --parcels {','.join(map(str, parcels))}" if parcels else ""
    return Step("wealth pool", args, typed + more.typed() + options("--help-from", helpers))


# Fights


def fight_on(board: str, first: str, others: Sequence[str]) -> list[Step]:
    """A fight on a board, and the turn of `first`. `others`: everybody in the order of the board."""
    dice, face = [], 5
    for who in others:
        if who == first:
            dice.append(6)
        elif who in PARTY:
            dice.append(face)
            face -= 1
        else:
            dice.append(1)
    return [
        Step("combat start", {"encounter": board, "goal": "", "party": PARTY}, f"combat start {board}"),
        Step("combat initiative", {}, "combat initiative", tuple(dice)),
        Step("combat turn", {}, "combat turn"),
    ]


def placed(who: str, square: str) -> Step:
    return override(f"fight.combatants.{who}.at", square)


def in_round(number: int) -> Step:
    return override("fight.round", number)


def status_add(who: str, status: str, by: str = "") -> Step:
    args = {"who": who, "status": f"core:{status}", "value": 0, "ends": "permanent"}
    typed = typed_like("combat", "status", "add", who, status, "--ends", "permanent")
    if by:
        return Step("combat status add", {**args, "by": by}, f"{typed} --by {by}")
    return Step("combat status add", args, typed)


def damage(who: str, amount: int) -> Step:
    return Step("combat damage", {"who": who, "amount": amount, "why": ""}, f"combat damage {who} {amount}")


def tokens(who: str, count: int) -> Step:
    return Step("combat token", {"who": who, "n": count}, f"combat token {who} {count}")


def hidden(who: str) -> Step:
    return override(f"fight.combatants.{who}.hidden", True)


def zone_add(name: str, squares: Sequence[str], sight: str) -> Step:
    args = {
        "called": name, "squares": list(squares), "by": "", "damage": 0, "difficult": False, "sight": sight,
        "ends": "encounter", "secret": False,
    }  # fmt: skip
    option = {"obscured": "--obscured", "dark": "--dark"}[sight]
    return Step("combat zone add", args, typed_like("combat", "zone", "add", name, *squares, option))


def attack(who: str, targets: Sequence[str], power: str, more: More) -> Step:
    args = {"who": who, "targets": list(targets), "power": power, **more.args}
    typed = typed_like("combat", "attack", who, *targets, "--power", power.removeprefix("core:"))
    return Step("combat attack", args, typed + more.typed())


def charge(who: str, target: str, to: str, more: More) -> Step:
    args = {"who": who, "target": target, "to": to, **more.args}
    return Step("combat charge", args, typed_like("combat", "charge", who, target, "--to", to) + more.typed())


# Conflicts


def conflict_start(
    team: Sequence[str],
    their_team: Sequence[str],
    numbers: tuple[int, int],
    traits: tuple[Sequence[str], ...],
) -> Step:
    """A Team Conflict; `traits`: ours, then theirs."""
    args = {
        "name": "Council", "intent": "a road", "against": "Company", "their_intent": "a toll",
        "traits": list(traits[1]), "our_traits": list(traits[0]), "team": list(team),
        "their_team": list(their_team), "advance": numbers[0], "defense": numbers[1],
    }  # fmt: skip
    typed = typed_like(
        "conflict", "start", "Council", "--intent", "a road", "--against", "Company",
        "--their-intent", "a toll", "--team", *team,
    )  # fmt: skip
    if their_team:
        typed += options("--their-team", their_team)
    else:
        typed += f" --advance {numbers[0]} --defense {numbers[1]}"
    typed += options("--our-trait", traits[0]) + options("--trait", traits[1])
    return Step("conflict start", args, typed)


def conflict_act(who: str, action: str, skill: str, recover: str, next_roll: str) -> Step:
    args = {
        "who": who, "action": action, "skill": skill, "using": "", "recover": recover, "next": next_roll,
    }  # fmt: skip
    typed = typed_like("conflict", "act", who, action)
    for option, value in (("--skill", skill), ("--recover", recover), ("--next", next_roll)):
        typed += f" {option} {shlex.quote(value)}" if value else ""
    return Step("conflict act", args, typed)


def conflict_secondary(who: str, to: str, skill: str) -> Step:
    args = {"who": who, "to": to, "skill": skill, "using": "", "adv": [], "dis": [], "mods": []}
    return Step("conflict secondary", args, f"conflict act {who} --secondary {to} --skill {skill}")


def conflict_oppose(action: str, recover: str, next_roll: str) -> Step:
    typed = typed_like("conflict", "oppose", action)
    for option, value in (("--recover", recover), ("--next", next_roll)):
        typed += f" {option} {shlex.quote(value)}" if value else ""
    return Step("conflict oppose", {"action": action, "recover": recover, "next": next_roll}, typed)


def conflict_scout(which: str, side: str) -> Step:
    typed = f"conflict scout {which}" + (" --theirs" if side == "theirs" else "")
    return Step("conflict scout", {"which": which, "side": "theirs" if side == "theirs" else ""}, typed)


def conflict_roll(picks: Sequence[tuple[str, str]], default: str) -> Step:
    """The roll; `picks`: which roll a Condition is on, `default` for all others."""
    args = {
        "weigh": {"default": default, "picks": [list(pick) for pick in picks]},
        "dis": {}, "stock": {}, "recover": "",
    }  # fmt: skip
    typed = f"conflict roll --weigh {default}" + "".join(
        f" --weigh {shlex.quote(f'{name}:{which}')}" for name, which in picks
    )
    return Step("conflict roll", args, typed)


def conflict_hit(side: str, what: str) -> Step:
    args = {"side": side, "what": what, "recover": ""}
    return Step("conflict hit", args, typed_like("conflict", "hit", side, what))


def conflict_concede(complications: Sequence[tuple[str, str]]) -> Step:
    args = {"complications": [list(one) for one in complications], "side": "ours"}
    typed = "conflict concede" + options("--complication", (f"{who}:{name}" for who, name in complications))
    return Step("conflict concede", args, typed)


def conflict_end(conditions: Mapping[str, str]) -> Step:
    """The aftermath, with the Condition that each member of a team gains."""
    args = {"conditions": {who: f"core:{name}" for who, name in conditions.items()}, "abandon": False}
    typed = "conflict end" + options("--condition", (f"{who}:{name}" for who, name in conditions.items()))
    return Step("conflict end", args, typed)


# Chases


def chase_start(runners: Sequence[str], chasers: Sequence[str], where: str, danger: int) -> Step:
    args = {
        "id": "", "name": "Roofs", "runners": list(runners), "chasers": list(chasers), "range": where,
        "danger": danger,
    }  # fmt: skip
    typed = typed_like(
        "chase", "start", "Roofs", "--runners", *runners, "--chasers", *chasers, "--range", where,
        "--danger", danger,
    )  # fmt: skip
    return Step("chase start", args, typed)


def chase_run(action: str) -> Step:
    return Step("chase run", {"action": action}, f"chase run {action}")


def chase_predict(action: str) -> Step:
    return Step("chase predict", {"action": action, "secret": False}, f"chase predict {action}")


def chase_shoot(who: str, at: str, drives: bool) -> Step:
    typed = f"chase shoot {who} --at {at}" + (" --driving" if drives else "")
    return Step("chase shoot", {"who": who, "at": at, "driving": drives}, typed)


def chase_roll(
    drivers: tuple[str, str], mores: tuple[More, More], skills: Sequence[tuple[str, bool]] = ()
) -> Step:
    """The roll of a round; `skills`: what each side hides or searches with, and whether it is Skilled."""
    args: dict[str, Any] = {}
    typed = f"chase roll --runner {drivers[0]} --chaser {drivers[1]}"
    for place, side in enumerate(("runners", "chasers")):
        args[side] = {"who": drivers[place], **mores[place].args}
        typed += mores[place].typed(f"-{side}")
        if skills:
            args[side] |= {"skill": skills[place][0], "skilled": skills[place][1]}
            typed += f" --skill-{side} {skills[place][0]}"
    return Step("chase roll", args, typed)


# The command line itself


def typed_in(folder: Path, lines: Sequence[str]) -> list[Any]:
    """Type lines in a new copy of the campaign: the object that each prints."""
    folder.mkdir()
    shutil.copy2(CAMPAIGN / "campaign.toml", folder)
    script = folder / "typed.strike"
    script.write_text("\n".join(lines), "utf-8")
    return run_line(["batch", str(script), "--json", "--campaign", str(folder)])


def run_line(words: list[str]) -> list[Any]:
    """Run the command line in this process: the objects that it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        ended = run_command_line_or_complete(words)
    printed = [json.loads(line) for line in out.getvalue().splitlines()]
    assert ended == 0, f"{shlex.join(words)} ended with {ended}: {printed[-1:]}"
    return printed


def odds(line: str) -> dict[tuple[Any, ...], Fraction]:
    """Chances without a campaign."""
    return chances(run_line([*shlex.split(line), "--json"])[-1]["data"])


def chances(data: Mapping[str, Any]) -> dict[tuple[Any, ...], Fraction]:
    """The outcomes of `odds`, each with its exact chance; keys are the sorted items of an outcome."""
    found: dict[tuple[Any, ...], Fraction] = {}
    for line in data["outcomes"]:
        key = outcome_key({key: value for key, value in line.items() if key not in ("probability", "p")})
        found[key] = found.get(key, Fraction(0)) + Fraction(line["probability"])
    return found


def outcome_key(outcome: Mapping[str, Any]) -> tuple[Any, ...]:
    """An outcome as something that can be looked up."""
    return tuple(
        (key, tuple(sorted(value)) if isinstance(value, list) else value)
        for key, value in sorted(outcome.items())
    )


# Reading what the program says


def mean(roll: Mapping[str, Any]) -> tuple[tuple[int, ...], str, int, int]:
    """A roll of the program, in the oracle's form: faces, mode, kept, total."""
    return tuple(roll["faces"]), roll["mode"], roll["kept"], roll["total"]
