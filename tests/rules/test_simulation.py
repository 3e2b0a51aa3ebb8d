"""What `strike sim` is told of fights and Team Conflicts: how they begin and end, and what came of them."""

from __future__ import annotations

import pytest
from support.cases import case
from support.conflict import TEAM, Table
from support.game import Game, book_with

from strike_cli.play.legal_options import Option
from strike_cli.problems import Refused
from strike_cli.sim.simulation_hooks import Lineup
from strike_cli.systems.chase.bots_and_simulation import SIMULATED as CHASES
from strike_cli.systems.combat.powers.power_use import UsePower
from strike_cli.systems.combat.simulation import SIMULATED as FIGHTS
from strike_cli.systems.conflict.bots_and_simulation import SIMULATED as CONFLICTS
from strike_cli.systems.conflict.bots_and_simulation import PolicyBot
from strike_cli.systems.conflict.moves_before_dice import DeclareAction

CONFLICT = """
[conflicts.gate]
name = "The Gate"
intent = "in"
against = "the guard"
their_intent = "out"
their_team = ["odo"]
advance = 2
no_withdrawal = true
"""


def test_a_fight_begins_with_whom_is_named_or_everybody(game: Game) -> None:
    """STR-TAC-01, STR-TAC-27."""
    lineup = Lineup(("vex",), {"goblin": 2}, "hard")
    begun = FIGHTS.begin(game.world, "yard", lineup)
    assert (begun.command, tuple(begun.typed)) == ("combat start", ("start", "yard"))
    args = begun.args
    assert (args.encounter, args.party, args.creatures, args.difficulty) == ("yard", *lineup)
    assert FIGHTS.begin(game.world, "yard", Lineup()).args.party == TEAM


def test_a_fight_ends_when_a_side_has_nobody_left(game: Game) -> None:
    """STR-TAC-19."""
    game.draw("V..g").begin("vex")
    assert (FIGHTS.result(game.world), FIGHTS.finish(game.world)) == ("", None)
    game.put("goblin", out="taken-out")
    assert FIGHTS.result(game.world) == "won"
    assert FIGHTS.finish(game.world).command == "combat finish"


def test_what_is_used_in_a_fight() -> None:
    for command, data, word in (
        ("combat attack", {"power": "trip"}, "trip"),
        ("combat charge", {}, "charge"),
        ("combat move", {}, ""),
        *((f"combat {word}", {}, word) for word in ("rally", "assess", "improvise", "skill", "trigger")),
    ):
        with case(command, data, word):
            assert FIGHTS.used(Option(command, UsePower(who="vex"), ()), data) == word


def test_what_comes_of_a_fight(game: Game) -> None:
    """STR-TAC-18, 19: a Concession where it is won; of the party how many gain a Condition."""
    data = {"won": True, "concession": "minor", "conditions": {"vex": "winded", "odo": "winded"}}
    assert FIGHTS.came_of_it(data) == {"concession": "minor", "conditions": "two"}
    assert FIGHTS.came_of_it({**data, "won": False, "conditions": {}}) == {"conditions": "none"}
    assert (FIGHTS.health, FIGHTS.fells, FIGHTS.counted) == (("hp",), ("hp",), ("strikes",))
    assert FIGHTS.named(game.world, "trip") == "Trip"
    assert FIGHTS.named(game.world, "charge") == "Charge"


def test_what_a_creature_counts(game: Game) -> None:
    """STR-TAC-27: in standard creatures, as a difficulty does for so many players."""
    assert FIGHTS.worth_of(game.world, "goblin") == 1
    normal = FIGHTS.budgets(game.world, 4)
    assert normal == {name: 4 * each for name, each in FIGHTS.budgets(game.world, 1).items()}
    assert normal["normal"] == 4 and normal["easy"] < 4 < normal["hard"] < normal["deadly"]


def test_a_conflict_begins_with_whom_is_named_prepared_or_left() -> None:
    """STR-TC-01: the team of the other side is not ours."""
    world = Game(book_with(CONFLICT)).world
    begun = CONFLICTS.begin(world, "gate", Lineup())
    assert (begun.command, tuple(begun.typed)) == ("conflict start", ("start", "gate"))
    args = begun.args
    assert (args.id, args.team, args.their_team) == ("gate", ["vex", "brann", "vesna"], ["odo"])
    assert (args.name, args.intent, args.against, args.their_intent) == ("The Gate", "in", "the guard", "out")
    assert (args.advance, args.defense, args.no_withdrawal) == (2, None, True)
    assert CONFLICTS.begin(world, "gate", Lineup(("vex",))).args.team == ("vex",)
    for lineup in (Lineup(creatures={"goblin": 1}), Lineup(difficulty="hard")):
        with pytest.raises(Refused, match="no creatures"):
            CONFLICTS.begin(world, "gate", lineup)


def test_a_conflict_ends(game: Game) -> None:
    """STR-TC-05, 08, 11: for our side."""
    Table(game)
    assert (CONFLICTS.result(game.world), CONFLICTS.finish(game.world)) == ("", None)
    for ended, result in (
        ("win", "won"),
        ("lose", "lost"),
        ("double-tie", "drawn"),
        ("conceded", "lost"),
        ("they-conceded", "won"),
    ):
        with case(ended, result):
            game.set("conflict.ended", ended)
            assert CONFLICTS.result(game.world) == result
            done = CONFLICTS.finish(game.world)
            assert (done.command, tuple(done.typed)) == ("conflict end", ("end",))


def test_what_comes_of_a_conflict() -> None:
    """STR-TC-02, STR-TC-09."""
    data = {"concessions": ["major", "minor"], "conditions": {"vex": "angry"}}
    assert CONFLICTS.came_of_it(data) == {"concession": "major, minor", "conditions": "one"}
    assert CONFLICTS.came_of_it({"concessions": [], "conditions": {}})["concession"] == "none"
    act = DeclareAction(who="vex", action="progress")
    assert CONFLICTS.used(Option("conflict act", act, ()), {}) == "progress"
    assert CONFLICTS.used(Option("conflict roll", act, ()), {}) == ""
    assert (CONFLICTS.prepared, CONFLICTS.ours, CONFLICTS.health) == ("conflicts", "ours", ())


def test_the_plain_bot_opposes_by_turns(game: Game) -> None:
    """STR-TC-03: once everybody has acted, one of its policy's actions a round, from the second on and round
    again."""
    table = Table(game, team=["vex"])
    table.act("vex", "pass")
    rounds = []
    for number in range(1, 5):
        game.set("conflict.round", number)
        option = PolicyBot().choose_command(game.world)
        rounds.append((option.command, option.args.action, tuple(option.typed)))
    assert rounds == [("conflict oppose", action, ("oppose", action)) for action in ("block", "progress") * 2]
    table.oppose("block")
    assert PolicyBot().choose_command(game.world).command == "conflict roll"


def test_what_the_plain_bot_does_can_be_typed(game: Game) -> None:
    """STR-TC-02, 03, 06, 09, 12a: an action that needs a Skill with one, a basic one without."""
    bot = PolicyBot()
    Table(game, team=["vex", "brann"])
    for typed in ("act vex targeted-effort --skill Climbing", "act brann block", "oppose block"):
        option = bot.choose_command(game.world)
        assert str(option) == typed
        game.drive(option.command, option.args.as_json())
    game.set("conflict.round", 2)
    ready = game.state
    for changes, typed in (
        ({}, "roll"),
        ({"theirs.hits_due": 1}, "hit theirs strike"),
        ({"ours.hits_due": 1}, "hit ours strike"),
        ({"ended": "win"}, "end"),
        ({"ours.actions": None, "ours.withdrawn": ["vex", "brann"]}, "end --undecided"),
    ):
        game.state = ready
        for path, value in changes.items():
            game.set(f"conflict.{path}", value)
        with case(typed):
            assert str(bot.choose_command(game.world)) == typed


@pytest.mark.parametrize("ours", ["runners", "chasers", "both"])
def test_a_chase_ends(game: Game, ours: str) -> None:
    """STR-CH-05, 06: for the side that the party is on, the Runners' where it is on both."""
    people = {"runners": ("vex", "wolf"), "chasers": ("brann", "goblin")}
    sides = {side: [who[ours not in (side, "both")]] for side, who in people.items()}
    game.play("chase start", id="", name="Roofs", range="medium", danger=0, **sides)
    assert (CHASES.result(game.world), CHASES.finish(game.world)) == ("", None)
    away, taken = ("lost", "won") if ours == "chasers" else ("won", "lost")
    for ended, result in (
        ("escaped", away), ("hidden", away), ("caught", taken), ("crash", taken),
        ("pinned", "drawn"), ("stopped", "drawn"),
    ):  # fmt: skip
        with case(ended):
            game.set("chase.ended", ended)
            assert CHASES.result(game.world) == result
            done = CHASES.finish(game.world)
            assert (done.command, tuple(done.typed)) == ("chase end", ("end",))
