"""A party with what points and advancement are about: players, Tricks, Complications, a Fallback."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from copy import copy
from typing import Any

from strike_cli.content.merged_content import Book
from strike_cli.content.schemas import CHARACTERS, schemas_of_working_systems
from strike_cli.file_faults import Faults, Place

from .game import Game

PARTY = """
schema = 1
name = "The Mill"
seed = 20

[characters.vex]
name = "Vex"
player = "Ana"
skills = ["Climbing", "Sneaking"]
connections = ["Fences"]
tricks = [
  { name = "Up the wall", skill = "Climbing", text = "Anything with a drainpipe." },
  "A lock is only a question",
]
complications = ["Owes the ferryman", { name = "Wanted", text = "There is a drawing." }]
ap = 1

[characters.rat]
name = "Rat"
player = "ana "
ap = 0

[characters.brann]
name = "Brann"
player = "Jonas"
skills = ["Hauling"]
tricks = ["Holds it", "Holds on"]
ap = 0

[characters.odo]
name = "Odo"
skills = ["Cooking"]
fallback = "a kind word"
ap = 2

[characters.vesna]
name = "Vesna"
skills = ["Riding"]
ap = 5
"""


def with_party(book: Book) -> Book:
    """The same book with that party in it."""
    faults: Faults = []
    changed = copy(book)
    changed.characters = {
        who: schemas_of_working_systems().campaign[CHARACTERS].check(sheet, Place(who), faults)
        for who, sheet in tomllib.loads(PARTY)["characters"].items()
    }
    assert not faults
    return changed


DEFAULTS: dict[str, dict[str, Any]] = {
    "ap give": {"n": 1, "why": ""},
    "ap spend": {"n": 1, "why": ""},
    "awesome": {"why": "held the ferry alone"},
    "complication use": {"how": "trouble"},
    "fallback": {"text": ""},
}
"""What the command line fills in where nothing is typed."""


def do(game: Game, command: str, /, **args: Any) -> dict[str, Any]:
    """Play a command that asks nothing; its data."""
    played = game.drive(command, {**DEFAULTS.get(command, {}), **args})
    assert played.pending is None
    assert played.data is not None
    game.facts = played.facts
    return played.data


def deal(who: str, price: int, *helpers: str, **more: Any) -> dict[str, Any]:
    """The arguments of a purchase."""
    helping = [{"name": name} for name in helpers]
    args: dict[str, Any] = {"who": who, "price": price, "helpers": helping}
    return {**args, "what": "the boat", "seller": "the ferryman", **more}


def pooled(
    members: Sequence[str], price: int, *parcels: int | tuple[str, int], **more: Any
) -> dict[str, Any]:
    """The arguments of a purchase by several, with cash parcels of such ranks, of a person or of any."""
    named = [one if isinstance(one, tuple) else ("", one) for one in parcels]
    held = [{"who": who, "rank": rank} for who, rank in named]
    return deal(members[0], price, members=list(members), parcels=held, **more)
