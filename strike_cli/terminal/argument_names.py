"""Nouns for the parameters of many commands: their names in a help, together with Tab's suggestions.

A command declares one as the `metavar` of an argument or an option: `typer.Option("--at", metavar=SQUARE)`. A
`metavar` that is plain text is only shown: a number, free text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from .options import FILES, FOLDER, FOLDERS, Names, Noun, Words, choice

if TYPE_CHECKING:
    from ..campaign import Campaign

__all__ = [
    "CREATURES",
    "DIFFICULTY",
    "FILE",
    "FILES",
    "FOLDER",
    "FOLDERS",
    "FREE",
    "IN_SCENE",
    "NEWCOMER",
    "OPTION",
    "SIDE",
    "SQUARE",
    "WHO",
    "Names",
    "Noun",
    "Words",
    "choice",
]

# Names for nouns


def _people_in_scene(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
    """Return the people of the newest scene, or the characters if there is no scene."""
    from ..registry.scenes import scenes_of

    scenes = scenes_of(campaign.state)
    return (
        [person for person, one in scenes[-1].people.items() if not one.out]
        if scenes
        else campaign.book.characters
    )


def _squares(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    """Yield the squares of the newest scene's map that are no wall."""
    from ..registry.scenes import scenes_of
    from ..tabletop.grid import format_square

    board = scenes_of(campaign.state)[-1].board
    for y, row in enumerate(board.rows if board else ()):
        yield from (format_square((x, y)) for x, sign in enumerate(row) if sign not in "# ")


def _open_options(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    """Yield the options of open decisions, or of the named decision."""
    from ..kernel.facts import waiting_in

    wanted = typed.get("scene")
    for key, item in waiting_in(campaign.state).items():
        if not wanted or wanted in (key, item["who"]):
            yield from item["options"]


WHO = Noun("WHO", lambda campaign, typed: campaign.book.characters)
"""A character of the campaign."""
NEWCOMER = Noun(
    "WHO|CREATURE[:N]", lambda campaign, typed: [*campaign.book.characters, *campaign.book.creatures]
)
"""A character or a creature of the campaign."""
IN_SCENE = Noun("WHO", _people_in_scene)
"""Somebody in the scene under way."""
CREATURES = Noun(
    "CREATURE:N",
    lambda campaign, typed: sorted(key.rpartition(":")[2] for key in campaign.book.table("creatures")),
)
"""A number of creatures of one kind."""
DIFFICULTY = Noun("HOW", words=lambda: ("easy", "normal", "hard", "deadly"))
"""The difficulty of a fight."""
SIDE = Noun("SIDE", words=lambda: ("party", "enemies"))
"""A side of a scene."""
SQUARE = Noun("SQUARE", _squares)
"""A square of the map under way."""
OPTION = Noun("OPTION", _open_options)
"""An option of a decision that waits."""
FREE = Noun("NAME")
"""A new name or id: nothing is suggested."""
FILE = Noun("FILE", place=FILES)
"""A file, which the shell completes."""
