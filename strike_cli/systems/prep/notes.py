"""Notes on an evening."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Args, Procedure, World

from .facts import NoteTaken

if TYPE_CHECKING:
    from .data import NoteData


class Note(Args):
    """A note: its text, and the ids of the people it is about."""

    text: str
    about: Sequence[str] = ()

    def people(self) -> Iterable[str]:
        """Return nobody: a note about somebody doesn't depend on their sheet."""
        return ()


def play_note(world: World, args: Note) -> Procedure[NoteData]:
    """Play `note`: nothing changes; the log and the report have it."""
    yield world.tell(NoteTaken(list(args.about), args.text))
    return {"text": args.text, "about": list(args.about)}
