"""A player of both sides of a chase, who knows no more than each may: it picks as dice would fall, so that
nobody can foresee it, then has them rolled."""

from __future__ import annotations

from random import Random

from strike_cli.kernel.exhaustive import first_option
from strike_cli.kernel.procedure import Choose, World
from strike_cli.play.legal import Option, why_not

from .options import options

ORDER = ("chase run", "chase predict", "chase roll", "chase end")
"""What comes first of what may be done."""


class Mixed:
    """Picks each action as likely as any other. The same state is always played alike."""

    def __init__(self, name: str = "quick") -> None:
        self.name = name

    def choose_command(self, world: World, who: str = "") -> Option | None:
        """The next command; None where no chase is under way, or it waits for a decision."""
        legal = [one for one in options(world) if why_not(world, one.command, one.args) is None]
        for command in ORDER:
            if found := [one for one in legal if one.command == command]:
                seen = {
                    key: world.get(f"chase.{key}") for key in ("round", "range", "advantage", "conditions")
                }
                return found[Random(f"{command} {sorted(map(str, seen.items()))}").randrange(len(found))]
        return None

    def decide(self, world: World, question: Choose) -> str:
        """What is taken where nobody can be asked, or the first option."""
        return question.default or first_option(question)
