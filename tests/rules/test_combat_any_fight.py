"""Properties of any fight, whatever is done in it: nobody Stunned acts, undo takes back everything, HP and
durations keep within what they can be."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.cases import case
from support.game import DEFAULTS, Game, check_facts
from support.thorough import THOROUGH

from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import DrivenPlay, play_until_open_decision
from strike_cli.kernel.procedure import Choose, Roll, World
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused, Usage
from strike_cli.tabletop.active_effects import effect_banning

STATUSES = (
    "dazed", "dominated", "frenzied", "panicked", "flying", "grabbed", "marked", "invisible", "stunned",
    "prone", "slowed", "weakened", "guarded", "harried", "ongoing", "restrained", "blinded",
)  # fmt: skip
ENDS = ("save", "escape", "turn-start", "turn-end", "encounter", "permanent", "until")
WHO = ("vex", "brann", "goblin-1", "goblin-2", "ogre")


def anything(source: Random) -> tuple[str, dict[str, Any]]:
    """A command that somebody might type, sensible or not."""
    who, other = source.choice(WHO), source.choice(WHO)
    square = f"{source.choice('ABCDEFG')}{source.randint(1, 5)}"
    power = source.choice(("core:melee-basic", "core:ranged-basic", "trip", "shove", "sting"))
    attack = {"targets": [other], "power": power, "adv": [], "dis": [], "mods": []}
    ends = source.choice(ENDS)
    status = {
        "status": f"core:{source.choice(STATUSES)}",
        "ends": ends,
        "by": other,
        "value": source.randint(1, 4),
        "until": source.choice(("damaged", "attacks", "moved", "apart", "giver-down"))
        if ends == "until"
        else None,
    }
    return source.choice(
        [
            ("combat attack", {"who": who, **attack}),
            ("combat move", {"who": who, "to": square, "shift": source.random() < 0.2, "trade": True}),
            ("combat charge", {"who": who, "target": other}),
            ("combat stand", {"who": who}),
            ("combat escape", {"who": who}),
            ("combat status add", {"who": who, **status}),
            ("combat damage", {"who": who, "amount": source.randint(0, 6)}),
            ("combat heal", {"who": who, "amount": source.randint(0, 6)}),
            ("combat prepare", {"who": who, "trigger": "it comes", "do": "attack", "then": "attack"}),
            ("combat trigger", {"who": who, "do": "attack", "args": attack}),
            ("combat delay", {"who": who}),
            ("combat resume", {"who": who}),
            ("combat leave", {"who": who}),
            ("combat join", {"ref": "goblin", "count": 1, "at": [square], "side": "enemies"}),
        ]
    )


def drawn(book: Book, source: Random) -> Game:
    """A fight under way, with walls, difficult ground and somebody of size 2."""
    game = Game(book).draw("V..#.g.", "B.~..g.", "...#...", "....x..", ".......")
    drive_with(game, source, "combat initiative", {})
    return game


def drive_with(game: Game, source: Random, name: str, args: dict[str, Any]) -> DrivenPlay:
    """Play a command with random dice and choices; the state moves on."""

    def dice(roll: Roll) -> list[int]:
        return [source.randint(1, roll.sides) for _ in range(roll.n)]

    def choices(question: Choose) -> str:
        return source.choice(question.options)

    world = World(game.book, game.state)
    played = play_until_open_decision(
        find_move(name).start(world, {**DEFAULTS.get(name, {}), **args}), world, dice, choices
    )
    game.state = world.state
    return played


def commands(game: Game, source: Random, count: int) -> Any:
    """What was played, with the state before; refused commands are passed over."""
    for _ in range(count):
        fight = game.state["fight"]
        name, args = anything(source)
        if source.random() < 0.55:  # keep the turns going round
            name, args = ("combat end-turn" if fight.get("active") else "combat turn"), {}
            if fight.get("active") and source.random() < 0.6:
                name, args = anything(source)
                args = {**args, "who": fight["active"]} if "who" in args else args
        if any(who not in fight["combatants"] for who in (args.get("who"), args.get("target")) if who):
            continue
        before = game.state
        try:
            played = drive_with(game, source, name, args)
        except (Refused, Usage):
            assert game.state is before, "a refused command changes nothing"
            continue
        yield name, args, before, played


@settings(max_examples=1500 if THOROUGH else 15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_fight(book: Book, seed: int) -> None:
    """STR-TAC-03, STR-TAC-15, STR-TAC-25: see above."""
    source = Random(seed)
    game = drawn(book, source)
    for name, args, before, played in commands(game, source, 40):
        with case(name, args):
            check_facts(played.facts, before, game.state, book)
        if "fight" not in game.state:
            return
        was = World(book, before)
        for fact in played.facts:
            if fact.kind == "action-taken":
                own = name not in ("combat turn", "combat end-turn")
                assert not (own and effect_banning(was, fact.who, "act", 1)), (
                    f"{fact.who} acted: {name} {args}"
                )
        for who, combatant in game.state["fight"]["combatants"].items():
            assert combatant["hp"] <= combatant["max_hp"], who
            gone = {"at", "statuses"} & set(combatant) if "out" in combatant else ()
            assert not gone, f"{who} is out and has {gone}"
