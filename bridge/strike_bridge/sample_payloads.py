"""Sample scenes and results, ordinary and odd ones, for trying out a target.

No sample belongs to a campaign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from strike_cli.tabletop.scene import Board, Meter, Order, Person, Scene, Status
from strike_cli.tabletop.turn_order import Entry
from strike_cli.visibility.audiences import Audience

from .journal_results import Post
from .state_projection import ShownTable, project_scene

if TYPE_CHECKING:
    from .payloads import ShownExhibit, ShownResult, ShownRoll


ODD_NAME = 'Vex "the \N{DRAGON}" <b>\\ {{ 1 }} & O\'Neill'
"""A name with quotes, markup, special characters and an emoji."""
_ROWS = ("........", "..#.....", "........")


class Sample(NamedTuple):
    """A sample scene; `name` says what is unusual about it."""

    name: str
    shown: ShownTable


def sample_scenes(*, gm: bool, hp: str) -> list[Sample]:
    """Return a plain scene, and scenes with special cases, such as a token off the map.

    If `gm` is true, a scene with a hidden creature is included. `hp` is how the meters of creatures outside
    the party are shown. The sample for HP as a bar always shows a bar.
    """
    nerve = Meter("nerve", "Nerve", 2, 3)
    odd: list[tuple[str, tuple[Person, ...]]] = [
        ("a plain token", (_sample_hero(), _ogre())),
        ("a token off the map", (_sample_hero()._replace(at=None), _ogre())),
        ("a token without a meter", (_sample_hero()._replace(meters=()), _ogre())),
        (
            "a token with two meters",
            (_sample_hero()._replace(meters=(*_sample_hero().meters, nerve)), _ogre()),
        ),
        ("a token with its HP shown as a bar", (_sample_hero(), _ogre())),
        ("a token that is out", (_sample_hero(), _ogre()._replace(at=None, state="out"))),
        ("a token with an odd name", (_sample_hero()._replace(name=ODD_NAME), _ogre())),
        (
            "a token without statuses and initiative",
            (_sample_hero()._replace(statuses=(), initiative=None), _ogre()),
        ),
    ]
    found = [
        Sample(name, _sample_scene(*people, gm=gm, hp="bar" if "bar" in name else hp)) for name, people in odd
    ]
    found.append(Sample("nobody's turn", _sample_scene(_sample_hero(), _ogre(), active=None, gm=gm, hp=hp)))
    found.append(
        Sample(
            "a scene without a map",
            _sample_scene(_sample_hero()._replace(at=None), gm=gm, hp=hp, board=False),
        )
    )
    if gm:
        found.append(
            Sample(
                "a hidden token", _sample_scene(_sample_hero(), _ogre()._replace(hidden=True), gm=gm, hp=hp)
            )
        )
    return found


def _sample_scene(
    *people: Person, active: str | None = "vex-1", gm: bool, hp: str, board: bool = True
) -> ShownTable:
    entries = tuple(
        Entry(one.id, "acting" if one.id == active else "waiting", one.initiative) for one in people
    )
    scene = Scene(
        "sample",
        "sample",
        "ford",
        "The Ford",
        "Get across",
        2,
        people={one.id: one for one in people},
        order=Order("list", 2, entries, active, tuple(one.id for one in people if one.id != active)),
        board=Board(_ROWS) if board else None,
    )
    return project_scene(scene, Audience(gm, meters=hp))


def _ogre() -> Person:
    return Person(
        "ogre", "Ogre", "enemies", "ogre", "D1", 2, meters=(Meter("hp", "HP", 3, 30),), initiative=2
    )


def _sample_hero() -> Person:
    return Person(
        "vex-1",
        "Vex",
        "party",
        "vex",
        "B2",
        statuses=(Status("core:prone", "Prone"),),
        meters=(Meter("hp", "HP", 7, 10),),
        initiative=5,
    )


def sample_results(*, gm: bool) -> list[tuple[str, Post]]:
    """Return named results to post.

    They are a plain one, one without dice, one with an odd name, and one that was undone. With `gm` a secret
    one is included.
    """
    found = [
        ("a result", Post("12", sample_result("12", "Vex hits."))),
        ("a result without dice", Post("13", {**sample_result("13", "Rain falls."), "dice": []})),
        ("a result with an odd name", Post("14", sample_result("14", f"{ODD_NAME} hits."))),
        (
            "a result that was undone",
            Post("12-undone-15", {**sample_result("12", "Vex hits."), "undone": True}, mark=True),
        ),
    ]
    if gm:
        found.append(
            ("a secret result", Post("16-gm", {**sample_result("16-gm", "Nobody sees it."), "secret": True}))
        )
    return found


def sample_result(id: str, text: str, person: str = "Vex") -> ShownResult:
    """Return a result with a roll by `person`, in the form that targets are sent."""
    die: ShownRoll = {
        "who": person,
        "purpose": "attack",
        "sides": 6,
        "faces": [2, 5],
        "kept": 5,
        "mode": "advantage",
        "modifiers": [{"value": 1, "reason": "Flanking"}],
        "sources": [{"kind": "advantage", "reason": "High"}],
        "total": 6,
    }
    return {
        "id": id,
        "seq": 12,
        "title": text,
        "text": f"{text}\nTwo lines.",
        "html": "<p>It hits.</p>",
        "dice": [die],
        "at": "2026-01-01T20:00:00Z",
        "undone": False,
        "secret": False,
        "play": None,
    }


EXHIBITS: list[ShownExhibit] = [
    {"id": "flood", "kind": "clock", "name": "The flood", "text": "", "filled": 2, "segments": 6,
     "image": None, "hidden": False},
]  # fmt: skip
