"""What sheets' moves are played with: typed, and read from journals as every version has written them."""

from __future__ import annotations

from typing import Any

import pytest
from support.cases import case
from support.game import Game

from strike_cli.kernel.procedure import Args
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import CampaignProblem
from strike_cli.registry import load_known_system

AS_0_1_WROTE: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("condition add", {"who": "vex", "condition": "core:winded", "why": "", "about": []},
     {"who": "vex", "condition": "core:winded"}),
    ("condition remove", {"who": "vex", "condition": "core:winded", "why": "x"}, {}),
    ("recover",
     {"who": "odo", "condition": "core:winded", "rest": "minutes", "doctor": False, "succeeded": False,
      "cause_met": False},
     {"who": "odo", "condition": "core:winded", "rest": "minutes"}),
    ("skill learn", {"who": "odo", "skill": "Swimming"}, {}),
    ("advance level-up",
     {"who": "vex", "fallback": "luck", "trick": "", "skill": "", "complication": "", "consent": False},
     {"who": "vex", "fallback": "luck"}),
    ("advance swap-complication", {"who": "vex", "old": "a", "new": "b"}, {}),
    ("advance replace", {"who": "vex", "old": "a", "new": "b", "skill": ""},
     {"who": "vex", "old": "a", "new": "b"}),
    ("session start", {"at": "2026-02-01 19:00 UTC", "title": ""}, {"at": "2026-02-01 19:00 UTC"}),
    ("session end", {}, {}),
    ("override", {"path": "tasks", "value": None, "why": "x"}, {"path": "tasks", "why": "x"}),
    ("override", {"path": "session", "value": {"number": 2, "open": True}, "why": "x"}, {}),
]  # fmt: skip


def test_what_0_1_wrote_is_read() -> None:
    """Nobody writes out what they don't mean any more, and what was written out means the same."""
    for move, raw, now in AS_0_1_WROTE:
        with case(move, raw, now):
            args = find_move(move).read_args(raw)
            assert isinstance(args, Args)
            assert args.as_json() == (now or raw)
            assert find_move(move).read_args(args.as_json()) == args


def test_every_move_of_a_campaign_is_typed() -> None:
    assert all(
        find_move(move).argument_names or move == "session end"
        for move in load_known_system("campaign").moves
    )


def test_what_a_condition_can_t_be_played_with(game: Game) -> None:
    with pytest.raises(CampaignProblem, match="lacks condition"):
        game.play("condition add", who="vex")
    with pytest.raises(CampaignProblem, match="about can't be 'Climbing'"):
        game.play("condition add", who="vex", condition="core:lost-confidence", about="Climbing")


def test_an_override_of_0_1_that_said_its_scene_is_read() -> None:
    raw = {"path": "characters.vex.ap", "value": 3, "why": "x", "scene": "roll vex"}
    assert "scene" not in find_move("override").read_args(raw).as_json()
