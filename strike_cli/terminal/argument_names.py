"""Nouns for arguments that many commands have, such as `SQUARE`.

A noun has the name that help shows, and the names that Tab suggests. A command declares it as the `metavar`
of an argument or option: `typer.Option("--at", metavar=SQUARE)`. If the `metavar` is a plain text, as for a
number, Tab suggests nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from .commands_and_options import FILES, FOLDER, FOLDERS, Names, Noun, Words, choice

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
    """Return the people in the newest scene; all characters, if no scene is under way."""
    from ..registry.scenes_in_state import scenes_of

    scenes = scenes_of(campaign.state)
    return (
        [person for person, one in scenes[-1].people.items() if not one.out]
        if scenes
        else campaign.book.characters
    )


def _passable_squares(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    from ..registry.scenes_in_state import scenes_of
    from ..tabletop.grid import format_square

    board = scenes_of(campaign.state)[-1].board
    for y, row in enumerate(board.rows if board else ()):
        yield from (format_square((x, y)) for x, sign in enumerate(row) if sign not in "# ")


def _options_of_open_decisions(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    """Yield the options of all open decisions.

    If the line names a decision, only its options are yielded.
    """
    from ..kernel.state_changes import pending_decisions_in

    wanted = typed.get("scene")
    for key, item in pending_decisions_in(campaign.state).items():
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
SQUARE = Noun("SQUARE", _passable_squares)
"""A square of the map under way."""
OPTION = Noun("OPTION", _options_of_open_decisions)
"""An option of a decision that waits."""
FREE = Noun("NAME")
"""A new name or id: nothing is suggested."""
FILE = Noun("FILE", place=FILES)
"""A file, which the shell completes."""
