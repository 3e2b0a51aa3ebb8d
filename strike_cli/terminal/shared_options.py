"""Options that mean the same for several commands: what bears on a roll, and where its chart goes."""

from __future__ import annotations

from typing import Annotated

import typer

Adv = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Advantage, and why.")]
Dis = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Disadvantage, and why.")]
Mod = Annotated[list[int] | None, typer.Option(metavar="N", help="A flat modifier.")]
Svg = Annotated[str | None, typer.Option("--svg", metavar="FILE", help="Draw the chart into a file.")]
