"""Whose debts and which tries one state has otherwise than another (STR-CORE-10, 15)."""

from __future__ import annotations

from typing import Any

from support.cases import case

from strike_cli.systems.core.circumstances import owed_to, touches, tried

FERRY = {"id": "v1", "to": "the ferrymen", "for": "a crossing"}
SHARED = {"id": "v1", "to": "the ferrymen", "for": "a crossing", "associates": ["the miller", "the toll"]}
LOCK = {"task": "A lock", "intent": "get in"}


def owing(*favors: dict[str, Any]) -> dict[str, Any]:
    return {"characters": {"vex": {"favors": list(favors)}}}


def test_what_two_states_differ_in() -> None:
    """STR-CORE-10, STR-CORE-15: a debt binds the party's associates too; both ways alike."""
    for one, other, found in (
        (owing(FERRY), owing(FERRY), set()),
        (owing(), owing(FERRY), {owed_to("the ferrymen")}),
        ({}, owing(SHARED), {owed_to("the ferrymen"), owed_to("the miller"), owed_to("the toll")}),
        ({"tasks": [LOCK]}, {}, {tried("a lock", "get in")}),
        ({"tasks": [LOCK]}, {"tasks": [LOCK]}, set()),
        ({"tasks": [LOCK]}, {"tasks": [{**LOCK, "intent": "look in"}]},
         {tried("A lock", "get in"), tried("a lock", " Look in")}),
    ):  # fmt: skip
        with case(one, other, found):
            assert set(touches(one, other)) == set(touches(other, one)) == found
