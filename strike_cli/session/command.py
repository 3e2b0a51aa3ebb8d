"""A command as a value: the move that a line plays, with its arguments, and the line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..words import as_word

if TYPE_CHECKING:
    from ..kernel.procedure import Args


class Command(NamedTuple):
    """A move with its arguments.

    `words` play it, written in full, without `strike`: the value of an argument doesn't say how it was typed.
    """

    move: str
    args: Args
    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(map(as_word, self.words))
