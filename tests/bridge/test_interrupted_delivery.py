"""What was on its way when it was undone, or when the worker died: the target ends as the campaign is."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from support.evening import Evening

from strike_bridge.settings import Settings

from .helpers import HASTY, Told, killed_once_answered
from .servers.base import answers, applies_and
from .servers.table import BadTable


@pytest.fixture
def evening(evening: Told, bad_table: BadTable, settings: Settings) -> Told:
    return evening.tell(bad_table, settings)


def newcomer(evening: Evening) -> None:
    one = {"name": "Ogre", "side": "enemies", "at": "D2", "size": 1, "hp": 9, "max_hp": 9, "statuses": []}
    evening.happen(("came", "ogre", "", {"fight.combatants.ogre": one}))


CHANGES: dict[str, Callable[[Evening], object]] = {
    "a move": lambda evening: evening.move("vex", "C3"),
    "somebody new": newcomer,
    "somebody hides": lambda evening: evening.change("goblin-1", hidden=True),
    "the turn": lambda evening: evening.happen(("began", "vex", "", {"fight.active": "vex"})),
    "the end of the fight": lambda evening: evening.happen(("over", "", "", {"fight": None})),
}


def shown(table: BadTable) -> tuple[Any, Any, Any]:
    """What the table shows."""
    return copy.deepcopy((table.scene, table.tokens, table.order))


def lose_an_answer(evening: Told) -> None:
    """A push that gives up: what it sent was done, and nobody said so."""
    evening.server.always = applies_and(answers(503, {"Retry-After": "0.01"}))
    assert evening.push(HASTY._replace(total=0.005)).error
    evening.server.always = None


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("died", [False, True], ids=["its answer was lost", "the worker died"])
def test_what_is_undone_while_nobody_knows_whether_it_arrived_is_taken_back_there_too(
    fight: Told, change: Callable[[Evening], object], died: bool
) -> None:
    fight.told()
    before = shown(fight.server)
    change(fight)
    seen = len(fight.server.seen)
    if died:
        killed_once_answered(fight.folder, fight.settings)
    else:
        lose_an_answer(fight)
    assert len(fight.server.seen) == seen + 1
    assert shown(fight.server) != before
    fight.undo()
    fight.told()
    assert shown(fight.server) == before
    writes = len(fight.server.writes())
    fight.told()
    assert len(fight.server.writes()) == writes


def test_the_first_fight_is_taken_back_too(evening: Told) -> None:
    evening.play("session start", at="", title="")
    evening.told()
    evening.play("combat start", encounter="ford", goal="", party=["vex", "brann"])
    lose_an_answer(evening)
    evening.undo()
    evening.told()
    assert shown(evening.server) == (None, {}, None)


def test_a_result_in_doubt_stays_so_while_tokens_move(fight: Told) -> None:
    fight.told()
    results = len(fight.server.results)
    fight.roll(4)
    lose_an_answer(fight)
    fight.move("vex", "C3")
    fight.told()
    assert len(fight.server.results) == results + 1
