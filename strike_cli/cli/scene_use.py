"""The group `strike scene` with its command `use`, which picks one of several scenes under way.

The group's other commands belong to systems, and so do the scenes.
"""

from __future__ import annotations

from typing import Annotated

import typer

from ..problems import Usage, listed
from ..session.shorthand import systems_with_open_scenes
from ..terminal.commands_and_options import new_app
from ..terminal.move_commands import Call, WordParser, plays
from .argument_completions import SYSTEM

app = new_app("The scenes of an evening: prepared, under way, ended.\n\nExample: `strike scene list`")


@plays(app, "use", "scene use", kind="writes")
def use(
    system: Annotated[
        str, typer.Argument(metavar=SYSTEM, help="Its group."), WordParser(_find_system_of_scene)
    ],
) -> None:
    """Choose the scene that short commands such as `attack` are for, when several are under way.

    The default is the newest. `use NAME` does the same.

    Example: `strike scene use combat`
    """


def _find_system_of_scene(call: Call, word: str) -> str:
    known = [system.name for system in systems_with_open_scenes(call.required_campaign.state)]
    found = [word] if word in known else [name for name in known if name.startswith(word)]
    if len(found) > 1:
        raise Usage(f"{word!r} could be {listed(found)}.", "Type more of its name.")
    if not found:
        raise Usage(f"No scene of {word!r} is under way.", f"Under way: {listed(known)}.")
    return found[0]
