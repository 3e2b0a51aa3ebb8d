"""What a power without a roll is for follows from its steps, and what a status is worth from what it takes:
whoever plays, harm is for enemies, and a creature that brings harm makes a fight harder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pytest
from support.game import Game, book_with
from support.thorough import some_of

from benchmarks.status_costs import ENCOUNTERS, harmful_temporary_statuses, play_fights, status_cost
from strike_cli.content.merged_content import open_book
from strike_cli.registry import load_known_system
from strike_cli.sim.bot_players import PLAYER_NAMES, find_player
from strike_cli.sim.simulated_fight import FightResult
from strike_cli.systems.combat.bots.status_worth import LEAST_WORTH, worth_of_status, worth_per_turn

FIGHT = """
[powers.hew]
name = "Hew"
action = "attack"
reach = 1
damage = 3
[powers.hex]
name = "Hex"
action = "role"
range = 8
effect = [{{ do = "{do}"{keys} }}]
[characters.ann]
name = "Ann"
powers = ["hew"]
[characters.bob]
name = "Bob"
powers = ["hew"]
[creatures.hexer]
name = "Hexer"
hp = 20
melee = {{ damage = 4, reach = 1 }}
powers = ["hex"]
[encounters.trial]
name = "Trial"
map = \"\"\"
P......
P.....h
.......
\"\"\"
place = {{ P = "party", h = "hexer" }}
"""
LITTLE = {"core:distracted", "core:harried", "core:marked"}
"""Statuses that cost these two too little for some fights to tell: docs/sim.md has more of them."""
FIGHTS = {"full": 8, "quick": 24}


@lru_cache
def fought(encounter: str, status: str, bot: str) -> Sequence[FightResult]:
    return play_fights(encounter, status, bot, FIGHTS[bot])


@pytest.mark.slow
@pytest.mark.parametrize("status", some_of(sorted({*harmful_temporary_statuses()} - LITTLE)))
def test_who_brings_a_harmful_status_is_worse_to_meet(status: str) -> None:
    """The party wins less often or fights longer, in a fight to the end or on the way out."""
    for bot in FIGHTS:
        costs = [status_cost(fought(place, "", bot), fought(place, status, bot)) for place in ENCOUNTERS]
        assert any(one.chance > 0 or one.rounds > 0 for one in costs), (bot, costs)


@pytest.mark.parametrize("bot", PLAYER_NAMES)
@pytest.mark.parametrize(
    ("do", "keys", "whom"),
    [
        ("apply", ', status = "stunned"', "enemies"),
        ("damage", ", amount = 3", "enemies"),
        ("heal", ", amount = 3", "self"),
        ("apply", ', status = "guarded"', "self"),
    ],
)
def test_harm_is_for_enemies_and_help_for_friends(bot: str, do: str, keys: str, whom: str) -> None:
    """STR-TAC-12: of a power that anybody may be the target of, and that takes no roll."""
    game = Game(book_with(FIGHT.format(do=do, keys=keys)))
    game.play("combat start", encounter="trial", party=["ann", "bob"])
    game.begin("hexer").put("hexer", hp=6, at="C2").put("ann", at="B1").put("bob", at="B2")
    player = find_player(bot, load_known_system("combat"))
    for _ in range(4):
        option = player.choose_command(game.world)
        assert option is not None
        if getattr(option.args, "power", "") == "hex":
            ours = set(option.args.targets) <= {"hexer"}
            assert ours == (whom == "self")
            return
        if option.command == "combat end-turn":
            break
        game.play(option.command, dice=[4], **option.args.as_json())
    pytest.fail("the power was never used")


def test_what_a_status_is_worth_follows_from_what_it_takes(game: Game) -> None:
    """More is worth more, whatever it is called; a marker is worth nothing."""
    game.draw("V....g").begin("vex")
    one, book = game.get("fight.combatants.vex"), game.book

    def worth(id: str, value: int = 0) -> float:
        return worth_per_turn(book, one, book.statuses[f"core:{id}"], value)

    assert worth("dominated") < worth("stunned") < worth("dazed") < worth("harried") < 0
    assert worth("restrained") < worth("immobilized") < worth("slowed") < 0
    assert worth("ongoing", 5) < worth("ongoing", 2) == -2
    assert worth("bloodied") == 0 < worth("guarded") < worth("invisible")
    assert worth("dominated") < worth("panicked") < worth("frenzied") < worth("reeling")


NEARLY_NOTHING = {"core:flying", "in-the-current"}
"""What they give is about what they take."""


def test_a_status_helps_or_harms_as_it_says(tmp_path: Path) -> None:
    """What contributions come to has the sign that the status says: in the book, samples and a plugin."""
    samples = ", ".join(f'"strike:{name}.toml"' for name in ("archetypes", "bestiary", "hazards"))
    (tmp_path / "campaign.toml").write_text(
        f'schema = 1\ninclude = [{samples}]\nplugins = ["elements"]\n[characters.ann]\nname = "Ann"\n'
    )
    book, known = open_book(tmp_path), set[str]()
    for id, status in book.statuses.items():
        worth = worth_per_turn(book, {"ref": "ann"}, status, 1)
        if any(status.get(part) for part in ("sources", "bans", "remaps", "numbers", "reactions", "implies")):
            assert (worth < -LEAST_WORTH if status["harmful"] else worth > LEAST_WORTH) != (
                id in NEARLY_NOTHING
            ), id
            known.add(id.partition(":")[0])
    assert {"core", "elements", "pelted"} <= known


HURTS = 'reactions = [{{ on = "{on}", steps = [{step}] }}]'


@pytest.mark.parametrize(
    "from_the_worst",
    [
        [
            f'sources = [{{ on = "attack", gives = "disadvantage"{keys} }}]'
            for keys in ("", ', range = "melee"')
        ],
        [f'sources = [{{ on = "{on}", gives = "disadvantage" }}]' for on in ("any", "save")],
        [f'numbers = [{{ of = "taken", gives = {keys} }}]' for keys in ("2", "1", '1, when = "alone"')],
        [f'numbers = [{{ of = "speed", {keys} }}]' for keys in ("most = 1", 'half = "down"', "gives = -1")],
        [
            HURTS.format(on="turn-ended", step=f'{{ do = "damage", to = "self", amount = {amount} }}')
            for amount in ("{ die = 8 }", "4", "{ die = 8, half = 'down' }", "1")
        ],
        [
            HURTS.format(
                on="turn-started", step=f'{{ do = "roll", faces = {{ {most} = [], {rest} = [{step}] }} }}'
            )
            for step in ('{ do = "damage", amount = 3 }',)
            for most, rest in (("1-2", "3-6"), ("1-4", "5-6"))
        ],
        [
            HURTS.format(on=on, step='{ do = "damage", to = "self", amount = 2 }')
            for on in ("attacks", "hit", "missed")
        ],
        [
            HURTS.format(on="turn-ended", step=f'{{ do = "apply", to = "self", status = "{id}" }}')
            for id in ("stunned", "prone")
        ],
    ],
)
def test_what_takes_more_is_worth_less(from_the_worst: list[str]) -> None:
    names = [f"worst-{number}" for number, _ in enumerate(from_the_worst)]
    book = book_with(
        "".join(f"[statuses.{name}]\n{does}\n" for name, does in zip(names, from_the_worst, strict=True))
    )
    worths = [worth_per_turn(book, {"ref": "vex"}, book.statuses[name]) for name in names]
    assert worths == sorted(set(worths)) and worths[-1] < 0


def test_a_status_that_comes_again_at_the_end_of_a_turn_lasts() -> None:
    """By what it does itself, or for as long as a moment takes that ends it."""
    again, ends = (
        HURTS.format(on="turn-ended", step=f'{{ do = "{do}", to = "self", status = "{id}" }}')
        for do, id in (("apply", "again"), ("end", "once"))
    )
    hurts = 'sources = [{ on = "attack", gives = "disadvantage" }]\n'
    book = book_with(
        f"[statuses.again]\n{hurts}{again}\n"
        f"[statuses.once]\n{hurts}{ends}\n"
        f'[statuses.usual]\n{hurts}\n[statuses.shaken-off]\n{hurts}ends_when = ["attacks"]\n'
    )
    lasts, once, usual, shaken = (
        worth_of_status(book, {"ref": "vex"}, {"id": id, "ends": "save"})
        for id in ("again", "once", "usual", "shaken-off")
    )
    assert lasts < usual < once == shaken < 0
