"""Trying out a power before a game, played by the same rules as in a game.

A made-up creature uses the power against dummies on a small map. This happens in memory; nothing is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.content.merged_content import Book
from strike_cli.content.schemas import schemas_of_working_systems
from strike_cli.file_faults import Faults, Place
from strike_cli.kernel.chance_estimates import Chances
from strike_cli.kernel.driver import Choices, Dice, DrivenPlay, SeededDice, play_until_open_decision
from strike_cli.kernel.exact_odds import first_option
from strike_cli.kernel.procedure import Choose, Roll, Sets, World
from strike_cli.kernel.state_changes import State, apply_changes
from strike_cli.play.legal_options import Option
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.tabletop.grid import format_square

from ..board.move import MoveAction, destinations
from ..bots.legal_options import legal_uses_of
from ..bots.outcome_forecast import ChoicePolicy, ForeseenOutcome, outcome_chances_of_option, with_turn_begun
from ..bots.position_value import expected_gain_to_side_acted_for
from ..encounter.fight_setup import StartFight
from ..fight_state import Fight, combatants_in
from ..rule_numbers import highest_bloodied_hp
from ..steps import doer_side_word, victim_side_key
from .power_use import UsePower
from .standard_powers_and_use_limits import MELEE_BASIC, RANGED_BASIC

if TYPE_CHECKING:
    from ..data import PowerWritten

TESTER, HELPER, DUMMY = "tester", "helper", "dummy"
CHANT, SHOVE, SPENT = "trial-chant", "trial-shove", "trial-flourish"
"""Powers for a trial: CHANT and SHOVE trigger reactions to a power's use and to being moved.

SPENT is used up.
"""
WIDE, HIGH, ROW, COLUMN = 16, 9, 4, 3
"""The size of the map (WIDE, HIGH), and the tester's place on it (ROW, COLUMN)."""
HP = 20
"""The HP of a dummy, enough to survive most attacks."""
SEEDS = 200
"""How many seeds are tried, if none is given, until one triggers the reaction."""


class Trial(NamedTuple):
    """A power ready to be tried: the world, and the option that uses or triggers the power.

    `situation` describes the fight in words. `is_reaction` is true if the power is a reaction.
    """

    world: World
    option: Option
    situation: tuple[str, ...]
    is_reaction: bool


class TrialOutcome(NamedTuple):
    """The outcome of a trial: the events, the states before and after, and the seed of the dice, if any."""

    played: DrivenPlay
    before: State
    after: State
    seed: int | None


# Preparing the trial


def prepare_trial(book: Book, key: str, impaired_from_start: bool = False) -> Trial:
    """Return a fight in which a made-up creature has the power `key` and can use it.

    If `impaired_from_start` is true, or if the power can't be used otherwise, everybody is at half HP and
    Slowed, and allies have spent a power. Raises Refused if the power can't be used even then.
    """
    world = _world_at_testers_first_turn(_book_with_trial_encounter(book, key))
    power = book.powers[key]
    situation: tuple[str, ...] = ()
    if impaired_from_start:
        world, situation = _world_with_everybody_impaired(world), (ALL_HURT,)
    if "on" in power:
        world, option, more = _world_and_option_for_reaction(world, power)
        return Trial(world, option, (*situation, *more), True)
    options = legal_uses_of(world, TESTER, key)
    if not options and not impaired_from_start:
        world, situation = _world_with_everybody_impaired(world), (ALL_HURT,)
        options = legal_uses_of(world, TESTER, key)
    if not options:
        # With the reason that play would give
        on = {"self": [], "allies": [HELPER], "friends": [HELPER]}.get(power.get("who", ""), [f"{DUMMY}-1"])
        args = UsePower(who=TESTER, power=key, targets=on)
        latest = World(world.book, world.state)
        play_until_open_decision(
            find_move("combat use").start(latest, args), latest, lambda roll: [3] * roll.n, first_option
        )
        raise Refused(
            f"{power['name']} can't be tried here.", "`strike content explain ID` lists its conditions."
        )
    # The option that the bot would take
    return Trial(
        world,
        max(options, key=lambda option: expected_gain_to_side_acted_for(world, TESTER, option)),
        situation,
        False,
    )


ALL_HURT = "Everybody has half of their HP and is Slowed (save ends); allies have spent an Encounter power."


def _book_with_trial_encounter(book: Book, key: str) -> Book:
    """Return a copy of the book with the creatures that take part in the trial, and their encounter."""
    forms, faults = schemas_of_working_systems().campaign, Faults()
    scratch = copy(book)

    def add_to_book(kind: str, id: str, **table: object) -> None:
        item = forms[kind].check(table, Place(id), faults)
        setattr(scratch, kind, {**scratch.table(kind), id: item})

    add_to_book("powers", SHOVE, name="Shove", action="role", range=20, effect=[{"do": "push", "amount": 2}])
    add_to_book(
        "powers", CHANT, name="Chant", action="role", range=20, effect=[{"do": "note", "text": "It chants."}]
    )
    add_to_book(
        "powers", SPENT, name="Flourish", usage="encounter", effect=[{"do": "note", "text": "A flourish."}]
    )
    # for the creature that triggers a reaction
    sets_off = [SHOVE, CHANT] if "on" in book.powers[key] else []
    add_to_book("characters", TESTER, name="Tester", ap=9, powers=[key, SPENT, *sets_off])
    add_to_book("characters", HELPER, name="Helper", ap=9, powers=[SPENT, *sets_off])
    add_to_book("creatures", DUMMY, name="Dummy", hp=HP, powers=[SHOVE, CHANT])
    place = {"T": TESTER, "A": HELPER, "d": DUMMY}
    rows = "\n".join(_trial_map_rows(book.powers[key]))
    add_to_book(
        "encounters", "trial", name="A trial", map=rows, place=place, side={"T": "party", "A": "party"}
    )
    return scratch


def _trial_map_rows(power: PowerWritten) -> list[str]:
    """Return the rows of a map with the tester and a helper on the left, and three dummies.

    The first dummy stands at a distance that suits the power. The second is next to it, the third two squares
    away from it.
    """
    near = {"reach", "burst", "line", "cone", "on"} & power.keys()
    far = 1 if near else min(power.get("range", 1), 4)
    rows = [["."] * WIDE for _ in range(HIGH)]
    rows[ROW][COLUMN], rows[ROW - 1][COLUMN - 1] = "T", "A"
    for x, y in ((COLUMN + far, ROW), (COLUMN + far, ROW + 1), (COLUMN + far + 2, ROW + 2)):
        rows[y][x] = "d"
    return ["".join(row) for row in rows]


def _world_at_testers_first_turn(book: Book) -> World:
    """Return the world at the beginning of the first turn, which is the tester's."""
    world = World(book, {})

    def best_for_tester(roll: Roll) -> list[int]:
        return [6 if roll.who == TESTER else 1] * roll.n

    for command, args in (
        ("combat start", StartFight(encounter="trial", party=[TESTER, HELPER])),
        ("combat initiative", {}),
        ("combat turn", {}),
    ):
        play_until_open_decision(find_move(command).start(world, args), world, best_for_tester, first_option)
    return world


def _world_with_everybody_impaired(world: World) -> World:
    slowed = [{"id": "core:slowed", "ends": "save"}]
    sets: Sets = {}
    for combatant, one in combatants_in(world.state).items():
        hp = highest_bloodied_hp(one["max_hp"], world.book.house["bloodied"])
        sets[f"fight.combatants.{combatant}.hp"] = hp
        sets[f"fight.combatants.{combatant}.statuses"] = slowed
        if one["side"] == "party":
            sets[f"fight.combatants.{combatant}.used"] = [SPENT]
    return _world_with_changes(world, sets)


def _world_with_changes(world: World, sets: Mapping[str, object]) -> World:
    return World(
        world.book,
        apply_changes(world.state, [(path, world.get(path), value) for path, value in sets.items()]),
    )


# Triggers of reactions


def _world_and_option_for_reaction(
    world: World, power: PowerWritten
) -> tuple[World, Option, tuple[str, ...]]:
    """Return a fight in which a reaction can be tried.

    The second value is the option that triggers the reaction, the third the situation in words.
    """
    foe = f"{DUMMY}-1"
    befalls, by, on = victim_side_key(power), doer_side_word(power), power["on"]
    victim = {"self": TESTER, "friend": TESTER, "ally": HELPER, "foe": foe}.get(befalls, "")
    doer = {"self": TESTER, "friend": TESTER, "ally": HELPER, "foe": foe}.get(by, "")
    doer = doer or (HELPER if victim == foe else foe)
    victim = victim or (foe if doer in (TESTER, HELPER) else TESTER)
    if victim == HELPER or doer == HELPER:
        world = _world_with_combatant_moved_beside(world, HELPER, foe)
    words = [f"{Fight(world).name(doer)} triggers it."]
    if on == "falls":
        world = _world_with_changes(world, {f"fight.combatants.{victim}.hp": 1})
        words.append(f"{Fight(world).name(victim)} has 1 HP left.")
    if on == "harmed" and power.get("plan") == "bloodied":
        world = _world_with_changes(world, {f"fight.combatants.{victim}.hp": 3})
        words.append(f"{Fight(world).name(victim)} has 3 HP left.")
    world = with_turn_begun(world, doer)
    return world, _triggering_option(world, on, doer, victim), tuple(words)


def _world_with_combatant_moved_beside(world: World, combatant: str, other: str) -> World:
    """Return the world with `combatant` on a free square next to `other`."""
    fight = Fight(world)
    x, y = fight.at(other)
    spots = ((x + right, y + down) for down in (-1, 0, 1) for right in (0, -1, 1))
    taken = {fight.at(one) for one in fight.still_in_fight()}
    free = next(spot for spot in spots if spot not in taken)  # five creatures can't take all eight
    return _world_with_changes(world, {f"fight.combatants.{combatant}.at": format_square(free)})


def _triggering_option(world: World, trigger: str, doer: str, victim: str) -> Option:
    fight = Fight(world)
    if trigger == "moves":
        # Away from creatures that might hold it, and where others see it.
        squares = sorted(destinations(fight, doer), key=lambda square: (-square[0], square[1]))
        return Option("combat move", MoveAction(who=doer, to=format_square(squares[0])), ())
    if trigger == "uses":
        return Option("combat use", UsePower(who=doer, power=CHANT, targets=[victim]), ())
    if trigger == "displaced":
        return Option("combat use", UsePower(who=doer, power=SHOVE, targets=[victim]), ())
    basic = MELEE_BASIC if fight.gap(doer, victim) <= 1 else RANGED_BASIC
    return Option("combat attack", UsePower(who=doer, power=basic, targets=[victim]), ())


# Playing the trial


def play_trial_seeking_reaction(
    trial: Trial, dice: Dice | None, choices: Choices, seed: int | None
) -> TrialOutcome:
    """Play a trial of a power once, and return its outcome.

    If `dice` are given, they are used. Otherwise the dice come from `seed`. If there is no seed either, it
    depends on the power:

    - A power other than a reaction is played with seed 1.
    - For a reaction, the seeds from 1 to SEEDS are tried until one triggers the reaction. If none does, seed
      1 is used.
    """
    if dice is not None or seed is not None or not trial.is_reaction:
        seed = None if dice is not None else 1 if seed is None else seed
        return _play_once(trial, dice or SeededDice(str(seed), 0), choices, seed)
    first = None
    for number in range(1, SEEDS + 1):
        asked = _ChoicesNotingReaction(choices)
        tried = _play_once(trial, SeededDice(str(number), 0), asked, number)
        if asked.asked_about_reaction:
            return tried
        first = first or tried
    assert first is not None
    return first


def _play_once(trial: Trial, dice: Dice, choices: Choices, seed: int | None) -> TrialOutcome:
    world = World(trial.world.book, trial.world.state)
    procedure = find_move(trial.option.command).start(world, trial.option.args)
    played = play_until_open_decision(procedure, world, dice, choices)
    return TrialOutcome(played, trial.world.state, world.state, seed)


class _ChoicesNotingReaction:
    """Choices that record whether the tester was asked about a reaction."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.asked_about_reaction = False

    def __call__(self, question: Choose) -> str | None:
        self.asked_about_reaction = self.asked_about_reaction or question.kind == "answer"
        return self.choices(question)


class TrialPlan(ChoicePolicy):
    """The bot's usual choices, except that every reaction is used."""

    def __call__(self, question: Choose) -> str:
        """Return the chosen option: a reaction is always used, and the bot decides everything else."""
        return question.options[0] if question.kind == "answer" else super().__call__(question)


# Odds


class OutcomeSummary(NamedTuple):
    """An outcome of a trial, reduced to the values that the trial's odds show.

    `results` are the results of attack rolls. `damage` is the HP that the other side lost. `lost` and
    `healed` are the HP that the user's own side lost and regained. `out` counts the creatures that are out of
    the fight. `statuses` has each status that was gained: its name, the side that has it, and the number of
    creatures. `called` counts the summoned creatures.
    """

    results: tuple[str, ...] = ()
    damage: int = 0
    lost: int = 0
    healed: int = 0
    out: int = 0
    statuses: tuple[tuple[str, str, int], ...] = ()
    called: int = 0


MOST_ROWS = 14


def trial_odds_merged_to_few_rows(trial: Trial) -> Chances[OutcomeSummary]:
    """Return the chance of each outcome of a trial; it is exact if the dice have few enough results.

    If there are more than MOST_ROWS outcomes, attack results are ignored. If there are still too many,
    statuses are ignored, too.
    """
    ways = outcome_chances_of_option(
        trial.world, trial.option, lambda outcome: _summarize_outcome(trial, outcome), TrialPlan()
    )
    for without in (("results",), ("results", "statuses")):
        if len(ways) > MOST_ROWS:
            merged: Chances[OutcomeSummary] = Chances()
            merged.plays = ways.plays
            for way, chance in ways.items():
                shorter = way._replace(**{field: OutcomeSummary._field_defaults[field] for field in without})
                merged[shorter] = merged.get(shorter, 0) + chance
            ways = merged
    return ways


def _summarize_outcome(trial: Trial, outcome: ForeseenOutcome) -> OutcomeSummary:
    before, after = combatants_in(trial.world.state), combatants_in(outcome.state)
    damage = lost = healed = 0
    statuses: Counter[tuple[str, str]] = Counter()
    for combatant, one in before.items():
        change, own = after[combatant]["hp"] - one["hp"], one["side"] == "party"
        damage += max(-change, 0) if not own else 0
        lost += max(-change, 0) if own else 0
        healed += max(change, 0) if own else 0
        held = [status["id"] for status in one.get("statuses", ())]
        holders = "the user's own side" if own else "foes"
        statuses += Counter(
            (str(trial.world.book.statuses[status["id"]]["name"]), holders)
            for status in after[combatant].get("statuses", ())
            if status["id"] not in held
        )
    return OutcomeSummary(
        tuple(attack["result"] for attack in outcome.data.get("attacks", ())),
        damage,
        lost,
        healed,
        sum("out" in one for one in after.values()),
        tuple(sorted((name, whose, count) for (name, whose), count in statuses.items())),
        len(after) - len(before),
    )
