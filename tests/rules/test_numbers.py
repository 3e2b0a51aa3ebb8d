"""Numbers that statuses and traits change: damage dealt and taken, Speed, reach, range, being pushed; and
when they do (STR-TAC-12, 15, 25)."""

from __future__ import annotations

import pytest
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import EnteredDice, play_until_open_decision
from strike_cli.kernel.exact_odds import first_option
from strike_cli.problems import Problem
from strike_cli.systems.combat.board.movement_by_effects import displace_target
from strike_cli.systems.combat.bots.legal_options import legal_actions_worth_listing
from strike_cli.systems.combat.bots.outcome_forecast import attack_odds
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.powers.power_use import UsePower

TEXT = """
[statuses]
tough = { numbers = [{ of = "taken", gives = -2 }] }
brittle = { numbers = [{ of = "taken", gives = 3, only = ["fire"] }] }
ghostly = { numbers = [{ of = "taken", half = "up" }, { of = "taken", most = 2 }] }
rooted = { numbers = [{ of = "forced", gives = -2 }, { of = "speed", gives = -4 }] }
long = { numbers = [{ of = "reach", gives = 1 }, { of = "range", gives = 2 }] }
grim = { numbers = [
  { of = "dealt", gives = 2, when = "bloodied" }, { of = "dealt", gives = 1, when = "alone" }] }
feud = { sources = [{ on = "attack", gives = "advantage", when = "from-giver" }] }

[powers]
torch = { reach = 1, damage = 4, keywords = ["fire"], hit = [{ do = "push", amount = 2 }] }
fog = { action = "role", range = 5, effect = [{ do = "zone", name = "Fog", status = "tough" }] }
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(TEXT, "vex", "brann")


NO_DICE = EnteredDice([])


def has(game: Game, who: str, status: str, by: str = "") -> None:
    held = {"id": status, "ends": "encounter", **({"by": by} if by else {})}
    game.put(who, statuses=[*game.of(who, "statuses", []), held])


@pytest.mark.parametrize(("status", "lost"), [("tough", 2), ("brittle", 7), ("ghostly", 2)])
def test_damage_that_is_taken(game: Game, status: str, lost: int) -> None:
    """A torch does 4 of fire; less, more, or half and no more than 2. The odds say so too."""
    game.draw("Vp...").begin("vex")
    has(game, "post", status)
    odds = attack_odds(game.world, UsePower(who="vex", targets=["post"], power="torch"))
    before = game.of("post", "hp")
    game.attack("vex", "post", power="torch", dice=[5])
    assert before - game.of("post", "hp") == lost
    assert lost in {lines[0].damage for lines in odds if lines[0]}


def test_other_damage_is_no_fire(game: Game) -> None:
    game.draw("Vp...").begin("vex")
    has(game, "post", "brittle")
    assert game.attack("vex", "post", dice=[5])["damage"] == game.book.characters["vex"]["melee"]["damage"]


def test_who_stands_firm_is_pushed_nowhere(game: Game) -> None:
    """2 squares less of a push of 2; and 4 squares less of Speed."""
    game.draw("Vp...").begin("vex")
    has(game, "post", "rooted")
    game.attack("vex", "post", power="torch", dice=[5])
    assert game.of("post", "at") == "B1"
    before, _ = Fight(game.world).speed("vex")
    has(game, "vex", "rooted")
    assert Fight(game.world).speed("vex")[0] == before - 4


def test_standing_firm_is_against_being_forced(game: Game) -> None:
    """STR-TAC-08: a push, pull or slide by another; a teleport is none, nor is what one does oneself."""
    for kind, by, end in (
        ("push", "vex", "C1"), ("pull", "vex", "C1"), ("slide", "vex", "C1"), ("teleport", "vex", "E1"),
        ("shift", "vex", "E1"), ("slide", "post", "E1"), ("shift", "post", "E1"),
    ):  # fmt: skip
        game.state = {}
        has(game.draw("V.p..").begin("vex"), "post", "rooted")
        world = game.world
        displaced = displace_target(world, "post", by, 2, kind, to="E1" if end == "E1" else None)
        play_until_open_decision(displaced, world, NO_DICE, first_option)
        assert world.get("fight.combatants.post.at") == end, kind


def test_reach_and_range(game: Game) -> None:
    game.draw("V.p...").begin("vex")
    with pytest.raises(Problem, match="2 squares away"):
        game.attack("vex", "post", power="torch", dice=[5])
    has(game, "vex", "long")
    assert game.attack("vex", "post", power="torch", dice=[5])["damage"] == 4
    assert Fight(game.world).reach("vex") == 2


@pytest.mark.parametrize("kind", ["status", "condition", "trait"])
def test_whatever_changes_a_number_is_asked(kind: str) -> None:
    """STR-TAC-12, 27: where one of them alone does in the whole book."""
    swift = 'name = "Swift"\nnumbers = [{ of = "speed", gives = 2 }]\n'
    trait = 'traits = ["Grey", { name = "Swift", numbers = [{ of = "speed", gives = 2 }] }]'
    texts = {
        "status": f"[statuses.swift]\n{swift}",
        "condition": f'[conditions.swift]\nseverity = "minor"\n{swift}',
    }
    own = trait if kind == "trait" else ""
    game = Game(book_with(f'[creatures.hare]\nname = "Hare"\n{own}\n' + texts.get(kind, "")))
    game.draw("V..p").begin("vex").put("post", ref="hare")
    if kind == "status":
        has(game, "post", "swift")
    elif kind == "condition":
        game.play("condition add", who="vex", condition="swift", why="", about=[])
    assert Fight(game.world).speed("vex" if kind == "condition" else "post")[0] == 8


def test_while_bloodied_and_while_alone(game: Game) -> None:
    """4 and 2 while Bloodied, and 1 while no ally is adjacent."""
    for rows, hp, damage in (("BVp", 10, 4), ("BVp", 2, 6), ("Vp.B", 2, 7)):
        game.state = {}
        game.draw(rows).begin("vex").put("vex", hp=hp)
        has(game, "vex", "grim")
        assert game.attack("vex", "post", power="torch", dice=[5])["damage"] == damage


def test_against_who_gave_it(game: Game) -> None:
    """Advantage against the goblin that gave the feud, and against nobody else."""
    game.draw("gVp").begin("vex")
    has(game, "vex", "feud", by="goblin")
    assert game.attack("vex", "goblin", dice=[2, 5])["roll"]["mode"] == "advantage"
    game.next_turn_of("vex")
    assert game.attack("vex", "post", dice=[2])["roll"]["mode"] == "plain"


def test_a_zone_gives_a_status_to_who_stands_in_it(game: Game) -> None:
    game.draw("V.p..").begin("vex").put("post", at="B1")
    game.play("combat use", who="vex", power="fog", targets=["post"])
    assert game.attack("vex", "post", power="torch", dice=[5])["damage"] == 2
    game.next_turn_of("vex")
    game.put("vex", at="C1")
    assert game.attack("vex", "post", power="torch", dice=[5])["damage"] == 4, "pushed out of it"


def test_the_options_know_a_longer_reach(game: Game) -> None:
    game.draw("V.p...").begin("vex")
    has(game, "vex", "long")
    assert any(
        option.args.power == "torch" for option in legal_actions_worth_listing(game.world, "vex", ["power"])
    )  # type: ignore[attr-defined]
