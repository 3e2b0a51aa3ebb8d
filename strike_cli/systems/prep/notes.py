"""What somebody wants to remember of an evening."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from strike_cli.kernel.args import Args
from strike_cli.kernel.procedure import Procedure, World
from strike_cli.tabletop.people import names_of


class Note(Args):
    """The text, and the ids of whom it is about."""

    text: str
    about: Sequence[str] = ()

    def people(self) -> Iterable[str]:
        """A note about somebody looks at nothing of theirs."""
        return ()


def play_note(world: World, args: Note) -> Procedure[dict[str, Any]]:
    """`note`: nothing changes; the log and the report have it."""
    about = f"{names_of(world, args.about)}: " if args.about else ""
    yield world.happen("note-taken", "", f"{about}{args.text}", about=list(args.about))
    return {"text": args.text, "about": list(args.about)}
