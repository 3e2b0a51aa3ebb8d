"""Random attacks in a fight, brought about in the program and held against the oracle."""

from __future__ import annotations

import random
import tomllib
from typing import Any

from . import fight
from . import program as p
from .core import Rolled
from .dice import Decisions, Dice
from .draw_core import few, weight_of
from .fight import Board, Fighter, Power, Square
from .trial import NoTest, Trial

BOOK = tomllib.loads((p.CAMPAIGN / "campaign.toml").read_text("utf-8"))
EVERYBODY = ["ana", "ben", "cas", "dee", "rat-1", "rat-2", "rat-3", "bear"]
BOARDS = ["field", "field", "pillars", "hall"]
STATUSES = [
    "blinded", "dazed", "distracted", "dominated", "flying", "grabbed", "guarded", "guarded", "harried",
    "immobilized", "invisible", "marked", "marked", "prone", "prone", "restrained", "slowed", "stunned",
    "weakened", "weakened",
]  # fmt: skip
HOUSES: dict[str, dict[str, Any]] = {
    "less_than_half": {"bloodied": "less-than-half"},
    "any_missed": {"miss_token": "any-missed"},
    "crit_doubles_bonus": {"crit_doubles_bonus": True},
    "cover_in_melee": {"cover_applies_to_melee": False},
    "hp_strikes": {"hp_strikes": True},
}
CONDITIONS = ["winded", "exhausted", "injured", "sick", "angry", "short"]


def sheet_of(who: str) -> dict[str, Any]:
    if who in BOOK["characters"]:
        return dict(BOOK["characters"][who])
    return dict(BOOK["creatures"][who.split("-")[0]])


def power_of(who: str, name: str) -> Power:
    """A power as the campaign's file has it."""
    sheet = sheet_of(who)
    if name == "core:melee-basic":
        basic = {"damage": 2, "reach": 1, **sheet.get("melee", {})}
        return Power(name, "melee", basic["reach"], basic["damage"])
    if name == "core:ranged-basic":
        basic = {"damage": 2, "range": 5, **sheet.get("ranged", {})}
        return Power(name, "ranged", basic["range"], basic["damage"])
    written = BOOK["powers"][name]
    kind = next(kind for kind in ("reach", "range", "burst") if kind in written)
    return Power(
        name, {"reach": "melee", "range": "ranged", "burst": "burst"}[kind], written[kind], written["damage"],
        bonus=sum(one["amount"] for one in written.get("bonus", ())),
        effect=next((one["status"] for one in written.get("effect", ()) if one["do"] == "apply"), ""),
        on_hit_strike=bool(written.get("hit")),
        on_miss=sum(one["amount"] for one in written.get("miss", ())),
        targets=written.get("targets", 1),
        repeats=written.get("repeats", False),
    )  # fmt: skip


def draw_attack(chance: random.Random, trial: Trial) -> None:
    """STR-TAC-08 to 11, 15, 20, 22 to 25: one attack, and what stands after it."""
    who = chance.choice(EVERYBODY)
    name = chance.choice(BOARDS)
    board = some_board(chance, trial, name, who)
    attacker = board.fighters[who]
    power = power_of(who, chance.choice([*sheet_of(who)["powers"], "core:melee-basic", "core:ranged-basic"]))
    try:
        targets = some_targets(chance, board, attacker, power)
    except fight.UnclearError:
        raise NoTest from None
    more = p.More(
        few(chance, 1, 0.85), few(chance, 1, 0.85), tuple([chance.choice([-1, 1])] * few(chance, 1, 0.8))
    )
    step = p.attack(who, targets, power.name, more)
    before = {one.id: one.hp for one in everybody(board)}
    dice = Dice(chance=chance)
    asked: list[tuple[str, str]] = []
    decide = Decisions(plan=lambda question, options: note(asked, question, chance.choice(options)))
    try:
        made = fight.attack(board, who, targets, power, dice, decide, weight_of(more))
    except fight.UnclearError:
        raise NoTest from None
    except fight.RefusedError as refused:
        trial.refused(str(refused), step)
        return
    if board.house.hp_strikes and any(
        before[one.id] > 0 and one.player and one.out for one in everybody(board)
    ):
        trial.under.add("STR-TAC-17")
    data = trial.play(step.rolled(dice.fallen, [answer for _, answer in asked]))
    hold_attack(trial, made, data)
    hold_board(trial, board)


def everybody(board: Board) -> list[Fighter]:
    return list(board.fighters.values())


def note(asked: list[tuple[str, str]], question: str, answer: str) -> str:
    asked.append((question, answer))
    return answer


def some_board(chance: random.Random, trial: Trial, name: str, first: str, placing: bool = True) -> Board:
    """A fight: who is how, and then who stands where."""
    ground = BOOK["encounters"][name]["map"].strip().splitlines()
    walls = frozenset(
        (column, row) for row, line in enumerate(ground) for column, sign in enumerate(line) if sign == "#"
    )
    board = Board(len(ground[0]), len(ground), {}, walls, house=some_house(chance, trial))
    trial.play(*p.fight_on(name, first, EVERYBODY))
    for who in EVERYBODY:
        board.fighters[who] = some_fighter(chance, trial, who, board.house)
    for fighter in board.fighters.values():
        some_harm(chance, trial, fighter, first)
        some_statuses(chance, trial, board, fighter, 0.4 if fighter.id == first else 0.7)
    if placing:
        place_everybody(chance, trial, board, first)
    if chance.random() < 0.4:
        board.round = 2
        trial.play(p.in_round(2))
    for sight in ("obscured", "dark"):
        if placing and chance.random() < (0.3 if sight == "obscured" else 0.12):
            squares = some_ground(chance, board)
            setattr(board, sight, frozenset(squares))
            trial.play(p.zone_add(sight, [square_name(one) for one in squares], sight))
    return board


def some_house(chance: random.Random, trial: Trial) -> fight.House:
    """Now and then one house rule is another one."""
    if chance.random() < 0.8:
        return fight.House()
    name, rules = chance.choice(list(HOUSES.items()))
    trial.under_house(**rules)
    return fight.House(**{name: name != "cover_in_melee"})


def some_fighter(chance: random.Random, trial: Trial, who: str, house: fight.House) -> Fighter:
    """Somebody at full HP, with Conditions."""
    sheet, player = sheet_of(who), who in p.PARTY
    held: tuple[str, ...] = ()
    for condition in chance.sample(CONDITIONS, few(chance, 2, 0.6) if player else 0):
        trial.play(p.condition_add(who, condition))
        held = (*held, condition)
    full, melee = sheet.get("hp", 10), {"damage": 2, "reach": 1, **sheet.get("melee", {})}
    return Fighter(
        who, "party" if player else "enemies", (0, 0), player, sheet.get("size", 1), full, full,
        conditions=held, reach=melee["reach"], melee=melee["damage"], house=house,
        opportunity=sheet.get("opportunity", 2),
    )  # fmt: skip


def some_harm(chance: random.Random, trial: Trial, fighter: Fighter, first: str) -> None:
    """Less HP for some, Miss Tokens for some players."""
    if chance.random() < 0.4:
        worst = 2 if fighter.id == first else (-4 if fighter.player else 1)
        # Where HP matter most, rather few of them.
        best = 3 if fighter.house.hp_strikes and fighter.player else fighter.hp
        amount = fighter.hp - chance.randint(worst, best)
        if amount:
            trial.play(p.damage(fighter.id, amount))
            fight.hurt(fighter, amount)
    if fighter.player and chance.random() < (0.5 if fighter.id == first else 0.1):
        fighter.tokens = chance.randint(1, 3)
        trial.play(p.tokens(fighter.id, fighter.tokens))


def some_statuses(chance: random.Random, trial: Trial, board: Board, fighter: Fighter, none: float) -> None:
    for status in chance.sample(STATUSES, few(chance, 2, none)):
        if status in fighter.statuses:
            continue
        by = ""
        if status == "marked":
            others = [one for one in board.fighters.values() if one.side != fighter.side]
            by = fighter.marked_by = chance.choice(others).id
        trial.play(p.status_add(fighter.id, status, by))
        fighter.statuses.add(status)


def place_everybody(chance: random.Random, trial: Trial, board: Board, first: str) -> None:
    """The attacker somewhere, most others near."""
    taken: set[Square] = set(board.walls)
    attacker = board.fighters[first]
    for fighter in sorted(board.fighters.values(), key=lambda one: one.id != first):
        far = 99 if fighter is attacker or chance.random() < 0.15 else chance.choice([1, 1, 2, 4])
        fighter.at = free_square(chance, board, fighter, attacker.at, far, taken)
        taken |= set(fighter.squares)
        hides = 0.15 if fighter is attacker else 0.04
        if chance.random() < hides:
            fighter.hidden = True
            trial.play(p.hidden(fighter.id))
    stand(trial, board)


# Where the boards have everybody at first.
FIRST = {
    "ana": (0, 0), "ben": (1, 0), "cas": (2, 0), "dee": (3, 0),
    "rat-1": (6, 6), "rat-2": (7, 6), "rat-3": (8, 6), "bear": (10, 6),
}  # fmt: skip


def stand(trial: Trial, board: Board) -> None:
    """Everybody goes to their square as it becomes free. Raises NoTest where none does."""
    now = {who: squares_at(FIRST[who], fighter.size) for who, fighter in board.fighters.items()}
    waiting = [who for who, fighter in board.fighters.items() if fighter.at != FIRST[who]]
    while waiting:
        others = {
            who: {square for one, held in now.items() if one != who for square in held} for who in waiting
        }
        who = next((who for who in waiting if not others[who] & set(board.fighters[who].squares)), None)
        if who is None:
            raise NoTest
        trial.play(p.placed(who, square_name(board.fighters[who].at)))
        now[who] = set(board.fighters[who].squares)
        waiting.remove(who)


def squares_at(at: Square, size: int) -> set[Square]:
    return {(at[0] + right, at[1] + down) for right in range(size) for down in range(size)}


def free_square(
    chance: random.Random, board: Board, fighter: Fighter, near: Square, far: int, taken: set[Square]
) -> Square:
    """A square with room, not too far from another. Raises NoTest where there is none."""
    for _ in range(60):
        column, row = chance.randrange(board.columns), chance.randrange(board.rows)
        fighter.at = (column, row)
        inside = column + fighter.size <= board.columns and row + fighter.size <= board.rows
        close = max(abs(column - near[0]), abs(row - near[1])) <= far
        if inside and close and not taken & set(fighter.squares):
            return fighter.at
    raise NoTest


def some_ground(chance: random.Random, board: Board) -> list[Square]:
    """A rectangle."""
    width, height = chance.randint(1, 5), chance.randint(1, 5)
    left, top = chance.randrange(board.columns - width + 1), chance.randrange(board.rows - height + 1)
    return [(left + right, top + down) for down in range(height) for right in range(width)]


def square_name(square: Square) -> str:
    return f"{chr(ord('A') + square[0])}{square[1] + 1}"


def some_targets(chance: random.Random, board: Board, attacker: Fighter, power: Power) -> list[str]:
    """Whom it is aimed at: mostly who is in reach."""
    enemies = board.enemies_of(attacker)
    near = [one.id for one in enemies if fight.gap(attacker, one) <= power.reach]
    if power.kind == "burst":
        seen = [one for one in near if not fight.walled_off(board, attacker, board.fighters[one])]
        if not seen:
            raise NoTest
        return seen
    pool = near if near and chance.random() < 0.95 else [one.id for one in enemies]
    if not pool:
        raise NoTest
    if power.repeats:
        return [chance.choice(pool) for _ in range(chance.randint(1, power.targets))]
    return chance.sample(pool, min(len(pool), chance.randint(1, power.targets)))


DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]


def draw_charge(chance: random.Random, trial: Trial) -> None:
    """STR-TAC-13, 20, 23, 25: a charge over open ground, with nobody on the way, and maybe out of hiding."""
    who = chance.choice(["ana", "ben", "cas", "dee", "rat-1"])
    at = "rat-2" if who in p.PARTY else "cas"
    board = some_board(chance, trial, "field", who, placing=False)
    attacker, target = board.fighters[who], board.fighters[at]
    across, down = chance.choice(DIRECTIONS)
    steps = chance.randint(1, 7)
    end = (chance.randrange(board.columns), chance.randrange(board.rows))
    start = (end[0] - across * (steps + 1), end[1] - down * (steps + 1))
    to = (end[0] - across, end[1] - down)
    beside = (end[0] + across, end[1] + down)
    if not {(column, row) for column in range(board.columns) for row in range(board.rows)} >= {start, beside}:
        raise NoTest
    attacker.at, target.at = start, end
    ally = chance.choice(
        [one for one in board.allies_of(attacker) if one.size == 1 and one is not target] or [None]
    )
    stand_aside(board, (attacker, target, ally), (start, end))
    if ally is not None:
        ally.at = beside
    stand(trial, board)
    if chance.random() < 0.35:
        attacker.hidden = True
        trial.play(p.hidden(who))
    more = p.More(few(chance, 1, 0.9), few(chance, 1, 0.8))
    step = p.charge(who, at, square_name(to), more)
    dice = Dice(chance=chance)
    asked: list[tuple[str, str]] = []
    decide = Decisions(plan=lambda question, options: note(asked, question, chance.choice(options)))
    try:
        made = fight.charge(board, who, at, to, dice, decide, weight_of(more))
    except fight.UnclearError:
        raise NoTest from None
    except fight.RefusedError as refused:
        trial.refused(str(refused), step)
        return
    data = trial.play(step.rolled(dice.fallen, [answer for _, answer in asked]))
    hold_attack(trial, made, data)
    hold_board(trial, board)


def stand_aside(board: Board, busy: tuple[Fighter | None, ...], line: tuple[Square, Square]) -> None:
    """Everybody else where they are out of the way and of reach. Raises NoTest where there is no room."""
    taken: set[Square] = set()
    for fighter in board.fighters.values():
        if fighter in busy:
            continue
        for column, row in [
            (column, row) for column in range(board.columns - 1) for row in range(board.rows - 1)
        ]:
            fighter.at = (column, row)
            if not taken & set(fighter.squares) and all(
                away(square, line) >= 4 for square in fighter.squares
            ):
                break
        else:
            raise NoTest
        taken |= set(fighter.squares)


def away(square: Square, line: tuple[Square, Square]) -> int:
    """How far a square is from a line of squares."""
    steps = max(abs(line[1][0] - line[0][0]), abs(line[1][1] - line[0][1]))
    points = [
        (
            line[0][0] + (line[1][0] - line[0][0]) * step // steps,
            line[0][1] + (line[1][1] - line[0][1]) * step // steps,
        )
        for step in range(steps + 1)
    ]
    return min(max(abs(square[0] - point[0]), abs(square[1] - point[1])) for point in points)


def hold_attack(trial: Trial, made: fight.Attack, data: dict[str, Any]) -> None:
    trial.same("opportunities", sorted(made.opportunities), sorted(map(shown, data["opportunities"])))
    trial.same("targets", [blow.target for blow in made.blows], [one["target"] for one in data["attacks"]])
    for blow, line in zip(made.blows, data["attacks"], strict=False):
        trial.same("roll", blow.rolled, Rolled(*p.mean(line["roll"])))
        trial.same("tokens spent", blow.spent, line["tokens_spent"])
        trial.same("die", blow.number, line["die"])
        trial.same("result", blow.result, line["result"])
        trial.same("damage", blow.damage, line["damage"])
        trial.same("effect", blow.effect, line["effect"])
        trial.same("strike", blow.strike, line["strike"])
        trial.same("HP after", blow.hp, line["hp_after"])
        trial.same("taken out", blow.out, line["taken_out"])
    trial.same("Miss Token", made.miss_token, data["miss_token"])


def shown(one: dict[str, Any]) -> tuple[str, int]:
    return one["by"], one["damage"]


def hold_board(trial: Trial, board: Board) -> None:
    """HP, statuses, Bloodied, Strikes and Miss Tokens of everybody after it."""
    table = trial.table
    for who, fighter in board.fighters.items():
        trial.same(f"HP of {who}", fighter.hp, table.combatant(who, "hp"))
        trial.same(f"{who} out", fighter.out, bool(table.combatant(who, "out", False)))
        trial.same(f"Miss Tokens of {who}", fighter.tokens, table.combatant(who, "miss_tokens", 0))
        trial.same(f"Strikes of {who}", fighter.strikes, table.combatant(who, "strikes", 0))
        if fighter.out:
            continue
        incapacitated = {"incapacitated"} if fighter.hp <= 0 else set()
        trial.same(f"statuses of {who}", fighter.statuses | incapacitated, table.statuses(who))
        trial.same(f"{who} Bloodied", fighter.bloodied, table.bloodied(who))
