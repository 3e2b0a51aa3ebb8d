"""Options that several commands share, such as a roll's modifiers and a chart's file."""

from __future__ import annotations

from typing import Annotated

import typer

from .argument_completions import FILE, Metavar
from .commands_and_options import ONLY_HERE, StrikeCommand


def _systems_with_example() -> list[str]:
    from ..registry import load_usable_systems

    return [system.name for system in load_usable_systems() if system.example]


Adv = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Advantage, and why.")]
Dis = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Disadvantage, and why.")]
Mod = Annotated[list[int] | None, typer.Option(metavar="N", help="A flat modifier.")]
Svg = Annotated[
    str | None, typer.Option("--svg", metavar=FILE, help="Draw the chart into a file."), ONLY_HERE
]
Joint = Annotated[bool, typer.Option("--joint", help="List every combination of outcomes.")]
ExampleOf = Annotated[
    str,
    typer.Option(
        "--system", metavar=Metavar("NAME", words=_systems_with_example), help="The example of another game."
    ),
]


def command_with_repeated_options(*options: str) -> type[StrikeCommand]:
    """Return a class of commands in which an option may be followed by several words.

    Each of the `options` takes every word up to the next option.
    """

    class SeveralWords(StrikeCommand):
        def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]  # Typer passes its own
            """Parse the arguments.

            If several words follow one of the `options`, the option is first repeated before each further
            word, because Typer takes one word for each option.
            """
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
