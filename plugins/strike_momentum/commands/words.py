"""How words of these commands are read."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from strike_cli.plugin import Call, InScene, Reads, Usage

PERSON: Reads = get_args(InScene)[-1]
"""How somebody in the scene is read."""


def _numbers(call: Call, text: str) -> list[int]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not all(word.isdigit() for word in words):
        raise Usage(f"{text!r} are no levels.", "Write them like 1,1,1,1,0.")
    return [int(word) for word in words]


def _people_or_numbers(call: Call, words: list[str]) -> list[str]:
    bare = all(word.isdigit() for word in words)
    return words if bare else [PERSON.read(call, word) for word in words]


Levels = Annotated[
    str, typer.Option(metavar="N,N,N,N,N", help="Bare: levels of the five Skills."), Reads(_numbers)
]
Members = Annotated[
    list[str],
    typer.Argument(metavar="WHO...", help="Who acts as one; or bare Initiatives."),
    Reads(_people_or_numbers, PERSON.complete),
]
