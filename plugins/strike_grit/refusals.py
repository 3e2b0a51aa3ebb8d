"""Refusals that stand in several places: each a class, with its fields and one template."""

from strike_cli.plugin import Refused
from strike_cli.plugin.refusals import Stated


class NoAttribute(Stated, Refused):
    """A word that is no attribute."""

    word: str
    hint: str = "The attributes are str, dex and wil."

    says = "{word} is no attribute."
