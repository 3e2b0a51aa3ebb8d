"""What the core's facts name, besides people and Skills."""

from collections.abc import Iterator
from typing import Annotated

from strike_cli.kernel.statements import Named, Sort, Speaker, Statement

Trick = Annotated[str, Named("trick")]
"""A Trick of a sheet, which is called what it is known by."""
Complication = Annotated[str, Named("complication")]
"""A Complication of a sheet, which is called what it is known by."""
Fallback = Annotated[str, Named("fallback")]
"""What somebody falls back on, as the sheet has it."""
Player = Annotated[str, Named("player")]
"""Who plays somebody, as the sheet has it."""
Severity = Annotated[str, Named("severities")]
"""How grave a Condition is."""
Power = Annotated[str, Named("powers")]
"""A power of the book, by its full id."""


class _UsedName(Sort[str]):
    """The name of something used as a Complication.

    Flaws and Favors are what people typed, and may name somebody hidden.
    """

    def words(self, value: str, statement: Statement, speaker: Speaker, joint: str = "") -> str | None:
        return value if self.is_known(value, statement, speaker) else None

    def ids(self, value: str) -> Iterator[tuple[str, str]]:
        yield "complication", value

    def is_known(self, value: str, statement: Statement, speaker: Speaker) -> bool:
        fields = vars(statement)  # a fact can't have `of`: in the journal that is a list of entries
        return fields.get("sort", fields.get("of")) not in ("flaw", "favor") or speaker.may_read(value)


UsedAsComplication = Annotated[str, _UsedName()]
"""The name of what is used as a Complication; `sort` or `of` of its statement says what that is:
"complication", "condition", "flaw" or "favor"."""
