"""Names for command arguments, such as `SQUARE`, with the completions that Tab suggests.

A command uses a noun as the `metavar` of an argument or option: `typer.Option("--at", metavar=SQUARE)`. Help
shows the noun's name. With a plain text as `metavar`, as for a number, Tab suggests nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from .commands_and_options import FILES, FOLDER, FOLDERS, Metavar, Names, Words, choice_metavar

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
    "Metavar",
    "Names",
    "Words",
    "choice_metavar",
]

# Names for nouns


def _people_in_newest_scene_or_all(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
    """Return the people in the newest scene or, without a scene, all characters.

    People who are out of the scene are left out.
    """
    from ..registry.scenes_and_decisions_in_state import scenes_of

    scenes = scenes_of(campaign.state)
    return (
        [person for person, one in scenes[-1].people.items() if not one.out]
        if scenes
        else campaign.book.characters
    )


def _squares_except_walls(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    from ..registry.scenes_and_decisions_in_state import scenes_of
    from ..tabletop.grid import format_square

    scenes = scenes_of(campaign.state)
    board = scenes[-1].board if scenes else None
    for y, row in enumerate(board.rows if board else ()):
        yield from (format_square((x, y)) for x, sign in enumerate(row) if sign not in "# ")


def _options_of_named_or_all_decisions(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    """Yield the options of all open decisions, or of one decision if the command line names it."""
    from ..kernel.state_changes import pending_decisions_in

    wanted = typed.get("scene")
    for key, item in pending_decisions_in(campaign.state).items():
        if not wanted or wanted in (key, item["who"]):
            yield from item["options"]


WHO = Metavar("WHO", lambda campaign, typed: campaign.book.characters)
"""A character of the campaign."""
NEWCOMER = Metavar(
    "WHO|CREATURE[:N]", lambda campaign, typed: [*campaign.book.characters, *campaign.book.creatures]
)
"""A character or a creature of the campaign."""
IN_SCENE = Metavar("WHO", _people_in_newest_scene_or_all)
"""Somebody in the scene under way."""
CREATURES = Metavar(
    "CREATURE:N",
    lambda campaign, typed: sorted(key.rpartition(":")[2] for key in campaign.book.table("creatures")),
)
"""A number of creatures of one kind."""
DIFFICULTY = Metavar("HOW", words=lambda: ("easy", "normal", "hard", "deadly"))
"""The difficulty of a fight."""
SIDE = Metavar("SIDE", words=lambda: ("party", "enemies"))
"""A side of a scene."""
SQUARE = Metavar("SQUARE", _squares_except_walls)
"""A square of the map under way."""
OPTION = Metavar("OPTION", _options_of_named_or_all_decisions)
"""An option of a decision that waits."""
FREE = Metavar("NAME")
"""A new name or id: nothing is suggested."""
FILE = Metavar("FILE", place=FILES)
"""A file, which the shell completes."""
