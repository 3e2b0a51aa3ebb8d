"""What somebody changed on a virtual tabletop is to a fight: which move plays it, and what one would type."""

from __future__ import annotations

from support.cases import case
from support.game import Game

from strike_cli.play.gm_override.maps import DoorArgs
from strike_cli.systems.combat.board.move import MoveAction
from strike_cli.systems.combat.gm_hp_and_statuses import SetHitPoints
from strike_cli.systems.combat.gm_override import interpret_tabletop_change
from strike_cli.tabletop.vtt_edit_types import DOOR, METER, MOVED, InterpretedChange, TabletopChange

TAKEN = [
    (
        TabletopChange(MOVED, "fight", "vex", "C1"),
        InterpretedChange(
            "combat move", MoveAction(who="vex", to="C1"), ("combat", "move", "vex", "C1"), by_rules=True,
            sets={"fight.combatants.vex.at": "C1"},
        ),
    ),
    (
        TabletopChange(METER, "fight", "vex", 4, "hp"),
        InterpretedChange(
            "combat hp", SetHitPoints(who="vex", to=4), ("combat", "hp", "vex", "=4"),
            sets={"fight.combatants.vex.hp": 4},
        ),
    ),
    *(
        (
            TabletopChange(DOOR, "fight", "", opened, "", "B1", beyond),
            InterpretedChange(
                "combat door", DoorArgs(at="B1", beyond=beyond, open=opened), ("combat", "door", *typed),
                by_rules=True,
            ),
        )
        for opened, beyond, typed in ((True, "C1", ("open", "B1", "C1")), (False, "", ("close", "B1")))
    ),
    (TabletopChange(METER, "fight", "vex", 4, "ap"), InterpretedChange()),
    (TabletopChange(MOVED, "fight", "nobody", "C1"), InterpretedChange()),
]  # fmt: skip


def test_what_a_change_is(game: Game) -> None:
    """STR-TAC-07, 08: a token that was moved is a Move Action that is asked about, HP are the game master's
    hand; of who is not in the fight, and of other numbers, nothing is taken."""
    game.draw("V...g").begin("vex")
    for change, taken in TAKEN:
        with case(change):
            found = interpret_tabletop_change(game.world, change)
            assert found == taken
            assert type(found.args) is type(taken.args)
