"""What is asked before it costs anything: whether somebody means what they are about to do."""

from __future__ import annotations

from collections.abc import Sequence

from strike_cli.kernel.procedure import Choose, Procedure
from strike_cli.kernel.statements import Reason

from .facts.movement import GoOrStay
from .fight import Fight

GO, STAY = "go", "stay"


def is_asked(fight: Fight, who: str) -> bool:
    """Whether the house has somebody asked before they give Opportunities."""
    asked = fight.world.book.house["ask_before_provoking"]
    return asked == "everybody" or (asked == "players" and fight.is_player(who))


def would_rather_not(who: str, doing: Reason, prices: Sequence[Reason]) -> Procedure[bool]:
    """Ask somebody whether to go on with what they do at these prices; whether they would rather not."""
    answer: str = yield Choose(who, "go or stay", (GO, STAY), about=GoOrStay(who, doing, prices))
    return answer == STAY
