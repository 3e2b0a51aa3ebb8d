"""Notes that people write into the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Procedure, World

from .facts import NoteTaken

if TYPE_CHECKING:
    from .data import NoteData


class Note(Args):
    """The arguments of `note`: the text, and the ids of the people in it."""

    text: str
    about: Sequence[str] = ()

    def people(self) -> Iterable[str]:
        """Return nobody. A note doesn't depend on anybody's sheet."""
        return ()


def play_note(world: World, args: Note) -> Procedure[NoteData]:
    """Play `note`: write a note into the log and the report. The state doesn't change."""
    yield world.tell(NoteTaken(list(args.about), args.text))
    return {"text": args.text, "about": list(args.about)}
