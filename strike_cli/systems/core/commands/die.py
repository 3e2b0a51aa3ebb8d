"""`strike roll die`: bare dice, which need nothing of Skills. Works with and without a campaign."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.declare import plays
from strike_cli.terminal.options import new_app

app = new_app()


@app.callback()
def _group() -> None:
    """Bare dice."""


@plays(app, "die", "roll die")
def die(
    dice: Annotated[str, typer.Argument(metavar="[NdS]", help="Like 2d6+1, d20, or 4d6kh3.")] = "1d6",
) -> dict[str, object]:
    """Roll bare dice: `2d6+1`; `4d6kh3` keeps the three highest, `2d20kl1` the lowest.

    Example: `strike roll die 2d6`
    """
    found = _dice_pattern().fullmatch(dice.lower())
    number, sides = (int(found["n"] or 1), int(found["sides"])) if found else (0, 0)
    keep = int(found["keep"] or 1) if found and found["which"] else 0
    if found is None or not 1 <= number <= 100 or sides < 1 or keep > number:
        raise Usage(f"{dice[:30]!r} is not dice.", "Write them like d6, 2d6+1 or 4d6kh3; up to 100 at once.")
    keep = -keep if found["which"] == "kl" else keep
    plus = sum(int(number) for number in re.findall(r"[+-]\d+", found["plus"]))
    more = {name: value for name, value in (("keep", keep), ("plus", plus)) if value}
    return {"n": number, "sides": sides, **more}


@cache
def _dice_pattern() -> re.Pattern[str]:
    dice = r"(?P<n>\d{1,9})?d(?P<sides>\d{1,9})"
    keep = r"(?P<which>k[hl])(?P<keep>\d{1,3})?"
    return re.compile(rf"{dice}({keep})?(?P<plus>([+-]\d{{1,6}})*)", re.ASCII)


def command_meant(words: Sequence[str]) -> str:
    """What `roll vex climb` and `roll 2d6` mean: the command that the words are for."""
    return "die" if words and _dice_pattern().fullmatch(words[0].lower()) else "skill"
