"""What was on its way when it was undone, or when the worker died: the target ends as the campaign is."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from support.evening import Evening

from strike_bridge.delivery_operations import push
from strike_bridge.settings import Settings

from .helpers import HASTY, killed_once_answered, told
from .servers.base import answers, applies_and
from .servers.table import BadTable


def newcomer(evening: Evening) -> None:
    one = {"name": "Ogre", "side": "enemies", "at": "D2", "size": 1, "hp": 9, "max_hp": 9, "statuses": []}
    evening.happen(("came", "ogre", "", {"fight.combatants.ogre": one}))


CHANGES: dict[str, Callable[[Evening], object]] = {
    "a move": lambda evening: evening.move("vex", "C3"),
    "somebody new": newcomer,
    "somebody hides": lambda evening: evening.happen(
        ("hid", "goblin-1", "", {"fight.combatants.goblin-1.hidden": True})
    ),
    "the turn": lambda evening: evening.happen(("began", "vex", "", {"fight.active": "vex"})),
    "the end of the fight": lambda evening: evening.happen(("over", "", "", {"fight": None})),
}


def shown(table: BadTable) -> tuple[Any, Any, Any]:
    """What the table shows."""
    return copy.deepcopy((table.scene, table.tokens, table.order))


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("died", [False, True], ids=["its answer was lost", "the worker died"])
def test_what_is_undone_while_nobody_knows_whether_it_arrived_is_taken_back_there_too(
    fight: Evening, bad_table: BadTable, settings: Settings, change: Callable[[Evening], object], died: bool
) -> None:
    told(fight.folder, settings)
    before = shown(bad_table)
    change(fight)
    seen = len(bad_table.seen)
    if died:
        killed_once_answered(fight.folder, settings)
    else:
        bad_table.always = applies_and(answers(503, {"Retry-After": "0.01"}))
        assert push(fight.folder, settings, HASTY._replace(total=0.005)).error
        bad_table.always = None
    assert len(bad_table.seen) == seen + 1
    assert shown(bad_table) != before
    fight.undo()
    told(fight.folder, settings)
    assert shown(bad_table) == before
    writes = len(bad_table.writes())
    told(fight.folder, settings)
    assert len(bad_table.writes()) == writes


def test_the_first_fight_is_taken_back_too(evening: Evening, bad_table: BadTable, settings: Settings) -> None:
    evening.play("session start", at="", title="")
    told(evening.folder, settings)
    evening.play("combat start", encounter="ford", goal="", party=["vex", "brann"])
    bad_table.always = applies_and(answers(503, {"Retry-After": "0.01"}))
    assert push(evening.folder, settings, HASTY._replace(total=0.005)).error
    bad_table.always = None
    evening.undo()
    told(evening.folder, settings)
    assert shown(bad_table) == (None, {}, None)


def test_a_result_in_doubt_stays_so_while_tokens_move(
    fight: Evening, bad_table: BadTable, settings: Settings
) -> None:
    told(fight.folder, settings)
    results = len(bad_table.results)
    fight.roll(4)
    bad_table.always = applies_and(answers(503, {"Retry-After": "0.01"}))
    assert push(fight.folder, settings, HASTY._replace(total=0.005)).error
    bad_table.always = None
    fight.move("vex", "C3")
    told(fight.folder, settings)
    assert len(bad_table.results) == results + 1
