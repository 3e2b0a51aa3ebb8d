"""Random powers and statuses made of all steps, moments and amounts: none hangs or crashes, none leaves a
state that doctor refuses (STR-TAC-12)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, get_args

import pytest
from support.game import Game, book_with
from support.thorough import THOROUGH, few_of

from strike_cli.file_faults import Faults, Place
from strike_cli.kernel.procedure import Choose, Happen, Roll
from strike_cli.kernel.state_changes import apply_changes
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.systems.combat.bots.legal_options import END_TURN, TURN, legal_actions_worth_listing
from strike_cli.systems.combat.commands.power_descriptions import power_details_in_one_line
from strike_cli.systems.combat.data import FightState
from strike_cli.systems.combat.schemas import POWER, STATUS, keys_of_step_class
from strike_cli.systems.combat.steps import (
    AMOUNTS,
    COMPULSION_STEPS,
    CONDITIONS,
    DAMAGING,
    EVENT_CHANGING_STEPS,
    ONCE,
    PARTS,
    REACTION_EVENTS,
    TURNS,
    WAYS_OF_ZONES,
    ZONE_ENDS,
)
from strike_cli.systems.combat.steps.step import STEPS, step_class_of
from strike_cli.systems.combat.validation import fight_state_faults
from strike_cli.tabletop.data import ZoneWho
from strike_cli.tabletop.rules_vocabulary import MOMENTS, NUMBERS, STANDINGS
from strike_cli.validation import Record
from strike_cli.validation_schemas_from_types import form_of

BOOKS = 500 if THOROUGH else 6
POWERS_OF_A_BOOK = 20
MOST_FACTS = 10_000
"""Facts of one command; more would be a chain that doesn't end."""
BEACON = """
[creatures]
beacon = { name = "Beacon", hp = 3, boxes = 2, turns = 2, auras = [
  { name = "Zone", spread = 2, amount = 1, status = "s0", who = "others" }] }
"""
TO = ["target", "self", "ally", "allies", "enemies", "around", "summons"]


def toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def an_amount(chance: Random, most: int = 4) -> Any:
    if chance.random() < 0.6:
        return chance.randint(0, most)
    measured: dict[str, Any] = (
        {"of": chance.choice(list(AMOUNTS))} if chance.random() < 0.6 else {"die": chance.choice([2, 4, 6])}
    )
    more = {"times": 2, "half": chance.choice(["up", "down"]), "plus": -1, "most": 5}
    measured |= {key: value for key, value in more.items() if chance.random() < 0.3}
    return measured


def a_step(chance: Random, on: str = "", depth: int = 2) -> dict[str, Any]:
    kinds = [do for do in STEPS if do not in (*EVENT_CHANGING_STEPS, *COMPULSION_STEPS, "handler")]
    kinds += REACTION_EVENTS[on].steps * 3 if on in REACTION_EVENTS else ()
    do = chance.choice(kinds)
    to = [*TO, *(["doer", "befallen"] if on in REACTION_EVENTS else [])]
    step: dict[str, Any] = {"do": do, "to": chance.choice(to)}
    if do in EVENT_CHANGING_STEPS and do != "redirect":
        step["to"] = "target"
    inner = [a_step(chance, on, depth - 1) for _ in range(chance.randint(1, 2))] if depth else []
    if do in ("choose", "repeat", "roll", "lose-control") and not inner:
        return {"do": "save"}
    keys = keys_of_step_class(step_class_of(None, step))
    if "amount" in keys and do not in ("apply", "zone", "raise", "lower", "repeat", "summon"):
        step["amount"] = an_amount(chance)
    more: dict[str, dict[str, Any]] = {
        "apply": {
            "status": chance.choice(["prone", "slowed", "s0", "s1", "s2"]),
            "duration": chance.choice(["save", "turn-end", "encounter", "this-turn"]),
        },
        "zone": a_zone(chance),
        "move-zone": {"zone": "Zone", "way": chance.choice(WAYS_OF_ZONES)},
        "grow-zone": {"zone": "Zone"},
        "end-zone": {"zone": "Zone"},
        "summon": {
            "creature": chance.choice(["goblin", "ogre", "beacon"]),
            "amount": an_amount(chance, 2),
            "near": chance.randint(1, 3),
            "turns": chance.choice(TURNS),
            "duration": chance.choice(ZONE_ENDS),
            "stays": chance.random() < 0.5,
            **({"hp": {"of": "max-hp"}, "speed": 2} if chance.random() < 0.5 else {}),
        },
        "choose": {"options": [{"name": "A", "steps": inner}, {"name": "B", "steps": inner[:1]}]},
        "repeat": {"amount": 3, "steps": inner},
        "roll": {"faces": {"1-3": inner, "4-6": []}},
        "note": {"text": "Hm."},
        "attack": chance.choice(
            [{"uses": "any"}, {"power": "p0", "at": "other", "near": 3}, {"at": "target"}]
        ),
        "swap": {"partner": chance.choice(["self", "target", "next-target"])},
        "raise": {"status": chance.choice(["s0", "s1", "prone"]), "amount": 2, "most": 5},
        "lower": {"status": chance.choice(["s0", "s1", "prone"])},
        "lose-control": {"faces": {"1-3": lost_control(chance), "4-6": inner[:1]}},
        "push": {"way": "chosen"} if chance.random() < 0.5 else {},
    }
    step |= more.get(do, {})
    if chance.random() < 0.1 and do not in EVENT_CHANGING_STEPS:
        step |= {"to": "inside", "zone": "Zone"}
    if chance.random() < 0.3 and step["to"] not in ("target", "self", "inside"):
        step |= {"within": 3, **({"from": "target"} if chance.random() < 0.5 else {})}
    if chance.random() < 0.1:
        step["once"] = chance.choice(ONCE)
    if chance.random() < 0.15:
        step["if"] = chance.choice(list(CONDITIONS))
    return step


def lost_control(chance: Random) -> list[dict[str, Any]]:
    """What somebody does who has lost control."""
    do, other = chance.choice(COMPULSION_STEPS), chance.choice(COMPULSION_STEPS)
    return [{"do": do, "disadvantage": True, "otherwise": [{"do": other}]}, {"do": "run-from"}]


def a_zone(chance: Random) -> dict[str, Any]:
    """A cloud, an aura, a wall or a snare."""
    zone: dict[str, Any] = {"name": "Zone", "duration": chance.choice(ZONE_ENDS)}
    kinds: list[dict[str, Any]] = [
        {"status": "s1", "who": chance.choice(get_args(ZoneWho))},
        {"along": True, "spread": chance.randint(1, 3), "status": "s2", "amount": 1},
        {"blocks": True, "length": 3},
        {"blocks": True},
        {"cover": True, "sight": "obscured", "spread": 2},
        {"difficult": True, "sight": "dark", "along": True, "spread": 1},
    ]
    return zone | chance.choice(kinds)


def a_power(chance: Random, number: int) -> dict[str, Any]:
    action = chance.choice(["attack", "move", "role", "free"])
    power: dict[str, Any] = {"name": f"P{number}", "action": action}
    if number == 0 or chance.random() < 0.5:
        power |= {"damage": chance.randint(0, 4), **chance.choice([{"reach": 1}, {"range": 6}, {"burst": 2}])}
    elif chance.random() < 0.7:
        power |= chance.choice([{"range": 5}, {"burst": 2}, {"who": "self"}, {"range": 4, "who": "allies"}])
    costs: list[dict[str, Any]] = [
        {"uses": 2, "recharge": 4},
        {"charges": 1, "back": "day"},
        {"usage": "encounter", "recharge": 6},
        {"hp": 1},
    ]
    power |= chance.choice(costs) if number and chance.random() < 0.3 else {}
    on = chance.choice(list(REACTION_EVENTS)) if number and chance.random() < 0.5 else ""
    if on:
        power |= {"on": on, "action": chance.choice(["interrupt", "none"])}
        if chance.random() < 0.5:
            power["by"] = chance.choice(["ally", "friend", "foe", "anybody"])
        elif REACTION_EVENTS[on].befalls:
            power["befalls"] = chance.choice(["self", "ally", "foe", "anybody"])
        if chance.random() < 0.4:
            power["near"] = 4
    for part in chance.sample(list(PARTS), 2):
        power[part] = [a_step(chance, on) for _ in range(chance.randint(1, 2))]
    return power


def a_status(chance: Random, number: int) -> dict[str, Any]:
    def reaction() -> dict[str, Any]:
        on = chance.choice([*MOMENTS, *REACTION_EVENTS])
        steps = [
            a_step(chance, on if on in REACTION_EVENTS and REACTION_EVENTS[on].steps else "", 1)
            for _ in range(2)
        ]
        steps = [{**step, "to": "giver"} if chance.random() < 0.2 else step for step in steps]
        for step in steps:
            if step.get("from") and step["to"] == "giver":
                del step["from"]
            keys = keys_of_step_class(step_class_of(None, step))
            if step["to"] == "giver" and "zone" not in keys:
                step.pop("zone", None)
            if step["do"] in EVENT_CHANGING_STEPS and step["do"] != "redirect":
                step["to"] = "target"
                step.pop("within", None)
        own = chance.choice([{"do": "raise", "this": True}, {"do": "lower", "this": True}, {}])
        if own:
            by = {"of": "this"} if on in DAMAGING else {"of": "value", "plus": 1}
            steps.append({**own, "to": "self", "amount": by})
        return {
            "on": on,
            "steps": steps,
            "echoes": chance.random() < 0.5,
            **({"once": "round"} if chance.random() < 0.3 else {}),
        }

    of, gives = chance.choice(list(NUMBERS)), chance.randint(-3, 3)
    numbers = [{"of": of, "gives": gives, "when": chance.choice(list(STANDINGS))}]
    return {"name": f"S{number}", "reactions": [reaction() for _ in range(2)], "numbers": numbers}


def in_form(
    chance: Random, form: Record, make: Callable[[Random, int], dict[str, Any]], number: int
) -> dict[str, Any]:
    """The first that is made and has no fault: what would change nothing is refused."""
    while True:
        made, faults = make(chance, number), Faults()
        form.check(made, Place(), faults)
        if not faults:
            return made


def a_book(chance: Random) -> Any:
    lines = []
    for kind, form, make, count in (
        ("powers.p", POWER, a_power, POWERS_OF_A_BOOK),
        ("statuses.s", STATUS, a_status, 3),
    ):
        for number in range(count):
            made = in_form(chance, form, make, number)
            lines += [f"[{kind}{number}]", *(f"{key} = {toml(value)}" for key, value in made.items())]
    return book_with("\n".join([*lines, BEACON]) + "\n")


@pytest.mark.parametrize("seed", few_of(range(BOOKS)))
def test_any_power(seed: int) -> None:
    chance = Random(seed)
    book = a_book(chance)
    for key in book.powers:
        assert power_details_in_one_line(book, book.powers[key])
    for who in ("vex", "brann", "goblin", "post"):
        table = book.characters if who in book.characters else book.creatures
        own = [f"p{number}" for number in chance.sample(range(POWERS_OF_A_BOOK), 8)]
        table[who] = {**table[who], "powers": own, "hp": 20}
    game = Game(book).draw(".......", ".VBg...", ".g.p.g.", ".......").begin("vex")
    form = form_of(FightState, book)
    for _ in range(14):
        who = game.get("fight.active")
        sides = {one["side"] for one in game.get("fight.combatants").values() if "out" not in one}
        if len(sides) < 2:
            break
        found = legal_actions_worth_listing(game.world, who, ["power"]) if who else []
        option = chance.choice(found) if found else END_TURN if who else TURN
        play(game, option, chance)
        if who and found and chance.random() < 0.6 and game.get("fight.active"):
            play(game, END_TURN, chance)
        faults: Faults = []
        form.check(game.get("fight"), Place("fight"), faults)
        assert faults == []
        assert fight_state_faults(game.state) == []


def play(game: Game, option: Any, chance: Random) -> None:
    """Play a command to its end, with no more facts than any chain may have."""
    world, facts = game.world, []
    procedure = find_move(option.command).start(world, option.args.as_json())
    answer: Any = None
    try:
        while True:
            question = procedure.send(answer)
            if type(question) is Happen:
                facts.append(question.fact)
                assert len(facts) < MOST_FACTS, "it doesn't end"
                answer = world.state = apply_changes(world.state, question.fact.changes)
            elif type(question) is Roll:
                answer = [chance.randint(1, question.sides) for _ in range(question.n)]
            else:
                assert type(question) is Choose, question
                answer = chance.choice(question.options)
    except StopIteration:
        pass
    except Refused as refused:
        raise AssertionError(f"{option}: refused once it had begun: {refused}") from refused
    game.state = world.state
