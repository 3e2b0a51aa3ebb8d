"""Doors of a map: which there are, whether they are open, and what opening or closing one changes
(STR-TAC-07, STR-TAC-22)."""

from __future__ import annotations

from typing import Any

import pytest
from support.cases import case

from strike_cli.problems import Refused
from strike_cli.tabletop.doors import changes_moving_door, has_door, is_door_open
from strike_cli.tabletop.walking_distances import WalkingDistances

BOARD: dict[str, Any] = {
    "rows": ["..+..", "../..", "....."],
    "doors": [
        {"at": [[1, 1], [1, 2]], "open": False},  # between A2 and B2
        {"at": [[3, 2], [4, 2]], "open": True},  # between D2 and D3
        {"at": [[1, 2], [2, 2]], "open": False},  # between B2 and B3
    ],
}
A2, B2, B3, C1, C2, D2, D3, E1 = (0, 1), (1, 1), (1, 2), (2, 0), (2, 1), (3, 1), (3, 2), (4, 0)


def test_where_doors_are() -> None:
    """A square that is one; a side of a square; the wall between two squares, whichever is named first."""
    assert all(
        has_door(BOARD, *squares) for squares in ((C1,), (C2,), (A2,), (B2,), (D3,), (A2, B2), (B2, A2))
    )
    assert not any(has_door(BOARD, *squares) for squares in ((E1,), ((9, 9),), (A2, (0, 2))))
    assert not has_door(BOARD, C1, C2), "a square that is a door has none at its sides"


def test_which_doors_are_open() -> None:
    """`+` is closed and `/` open; one in a wall says so itself, and is one door from either side."""
    assert all(is_door_open(BOARD, square) for square in (C2, D2, D3))
    assert not any(is_door_open(BOARD, *squares) for squares in ((C1,), (A2,), (B2, B3)))


@pytest.mark.parametrize(
    ("square", "beyond", "why", "hint"),
    [
        (E1, None, "There is no door at E1.", "There are doors at C1, C2, A2 to B2, B2 to B3, D2 to D3."),
        (A2, (0, 2), "There is no door at A2 and A3.", "There are doors at"),
        (B2, None, "There are 2 doors at B2.", "Name the square on the other side, too."),
    ],
)
def test_a_door_that_is_not_one_is_refused(square: Any, beyond: Any, why: str, hint: str) -> None:
    with pytest.raises(Refused) as refused:
        is_door_open(BOARD, square, beyond)
    assert (refused.value.message, refused.value.hint[: len(hint)]) == (why, hint)
    with pytest.raises(Refused) as refused:
        is_door_open({"rows": ["..."]}, (0, 0))
    assert refused.value.hint == "This map has no doors."


def test_opening_and_closing() -> None:
    """Just that door is another; one that is so already is no change; nobody is shut in a door."""
    assert changes_moving_door(BOARD, C1, None, True, {}) == {"rows": ["../..", "../..", "....."]}
    assert changes_moving_door(BOARD, C2, None, False, {C1: "Vex"}) == {"rows": ["..+..", "..+..", "....."]}
    assert changes_moving_door(BOARD, C1, None, False, {}) == {}
    assert changes_moving_door(BOARD, D2, None, True, {}) == {}
    with pytest.raises(Refused, match="Vex .* C2"):
        changes_moving_door(BOARD, C2, None, False, {C2: "Vex"})
    opened = changes_moving_door(BOARD, A2, B2, True, {A2: "Vex", B2: "Odo"})
    assert [door["open"] for door in opened["doors"]] == [True, True, False]
    closed = changes_moving_door(BOARD, D3, None, False, {})
    assert [door["open"] for door in closed["doors"]] == [False, False, False]
    assert [door["at"] for door in closed["doors"]] == [door["at"] for door in BOARD["doors"]]


def test_which_door_is_in_the_way() -> None:
    """The best first, and none that leads no nearer; none where a way leads there without, or none does."""
    between: dict[str, Any] = {"rows": ["..."], "doors": [{"at": [[1, 0], [1, 1]], "open": False}]}
    for board, here, there, ahead in (
        ({"rows": [".+...", "+####"]}, (0, 0), (4, 0), [((1, 0), None)]),
        ({"rows": ["#+..", ".+..", "#+.."]}, (0, 1), (2, 0), [((1, 1), None), ((1, 0), None)]),
        (between, (0, 0), (2, 0), [((0, 0), (1, 0))]),
        ({"rows": [".+.", "..."]}, (0, 0), (2, 0), []),
        ({"rows": ["+.#.."]}, (1, 0), (4, 0), []),
    ):
        with case(board, here, there):
            assert list(WalkingDistances(board).closed_doors_ahead(here, 1, there)) == ahead


def test_how_far_it_is_through_shut_doors_and_where_no_way_leads() -> None:
    for row, far in ((".....", 4), (".+...", 6), ("..#..", 1004)):
        with case(row):
            assert WalkingDistances({"rows": [row]}).walking_distance((0, 0), 1, (4, 0)) == far
    shut = WalkingDistances({"rows": ["..#.."]})
    for size, far in (((), 1004), ((1,), 1004), ((2,), 1003)):
        with case(size):
            assert shut.walking_distance((4, 0), 1, (0, 0), *size) == far
