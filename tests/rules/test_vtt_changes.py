"""What somebody changed on a virtual tabletop is to a fight: which move plays it, and what one would type."""

from __future__ import annotations

import pytest
from support.game import Game

from strike_cli.play.gm_override.maps import DoorArgs
from strike_cli.systems.combat.board.move import MoveAction
from strike_cli.systems.combat.gm_hp_and_statuses import SetHitPoints
from strike_cli.systems.combat.gm_override import interpret_tabletop_change
from strike_cli.tabletop.vtt_edits import DOOR, METER, MOVED, InterpretedChange, TabletopChange

AT, HP = {"fight.combatants.vex.at": "C1"}, {"fight.combatants.vex.hp": 4}


@pytest.mark.parametrize(
    ("change", "taken"),
    [
        (
            TabletopChange(MOVED, "fight", "vex", "C1"),
            InterpretedChange(
                "combat move", MoveAction(who="vex", to="C1"), ("combat", "move", "vex", "C1"), True, AT
            ),
        ),
        (
            TabletopChange(METER, "fight", "vex", 4, "hp"),
            InterpretedChange(
                "combat hp", SetHitPoints(who="vex", to=4), ("combat", "hp", "vex", "=4"), False, HP
            ),
        ),
        (
            TabletopChange(DOOR, "fight", "", True, "", "B1", "C1"),
            InterpretedChange(
                "combat door",
                DoorArgs(at="B1", beyond="C1", open=True),
                ("combat", "door", "open", "B1", "C1"),
                by_rules=True,
            ),
        ),
        (
            TabletopChange(DOOR, "fight", "", False, "", "B1"),
            InterpretedChange(
                "combat door",
                DoorArgs(at="B1", beyond="", open=False),
                ("combat", "door", "close", "B1"),
                by_rules=True,
            ),
        ),
        (TabletopChange(METER, "fight", "vex", 4, "ap"), InterpretedChange()),
        (TabletopChange(MOVED, "fight", "nobody", "C1"), InterpretedChange()),
    ],
)
def test_what_a_change_is(game: Game, change: TabletopChange, taken: InterpretedChange) -> None:
    """STR-TAC-07, 08: a token that was moved is a Move Action that is asked about, HP are the game master's
    hand; of who is not in the fight, and of other numbers, nothing is taken."""
    game.draw("V...g").begin("vex")
    found = interpret_tabletop_change(game.world, change)
    assert found == taken
    assert type(found.args) is type(taken.args)
