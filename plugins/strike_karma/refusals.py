"""Refusals that stand in several places: each a class, with its fields and one template."""

from strike_cli.plugin import Refused
from strike_cli.plugin.refusals import Stated


class RoundIsOver(Stated, Refused):
    """A round in which everybody has acted."""

    number: int
    hint: str = "`strike karma round` goes on."

    says = "Round {number} is over."
