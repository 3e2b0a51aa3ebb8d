"""Options that take several words: `--team vex odo` for `--team vex --team odo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .options import StrikeCommand

if TYPE_CHECKING:
    import typer


def several_words(*options: str) -> type[StrikeCommand]:
    """Return a class of commands whose options of these names take every word up to the next option."""

    class SeveralWords(StrikeCommand):
        def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # Typer passes its own
            """Parse the arguments, with such an option before each of its words."""
            spread: list[str] = []
            option = before = ""
            for word in args:
                if word.startswith("-") and word != "-":
                    option = word if word in options else ""
                    spread.append(word)
                else:
                    spread += [option, word] if option and before != option else [word]
                before = word
            return super().parse_args(ctx, spread)

    return SeveralWords
