"""The form of a scene's table in state.toml that keeps to the keys of `scene.py`."""

from __future__ import annotations

from collections.abc import Mapping

from strike_cli.validation import Field

from ..validation import Anything, Flag, ListOf, Number, Record, TableOf, Text
from .fog import seen_squares


def _is_columns(text: str) -> bool:
    try:
        return bool(seen_squares({"1": text}))
    except ValueError:
        return False


SEEN = TableOf(
    Text(_is_columns, "columns of the row, like A-C F"),
    Text(lambda key: key.isascii() and key.isdecimal(), "the number of a row"),
)
"""What the party has seen of a map with fog, row by row."""


_SIDE = Record(
    name=Text(),
    intent=Text(),
    team=ListOf(Text()),
    numbers=TableOf(Number()),
    traits=ListOf(Text()),
    lost_traits=ListOf(Text()),
    cards=TableOf(Text()),
    secret=Flag(),
)


def scene_form(person: Mapping[str, Field] | None = None, **more: Field) -> Record:
    """Return such a form.

    `person` are the fields of each person besides the common ones, `more` those of the table. The state's
    `meters` says which of the numbers that `person` names are meters.
    """
    someone = Record(
        name=(Text(), ...),
        side=Text(),
        ref=Text(),
        at=Text(),
        size=Number(1, 6),
        image=Text(),
        hidden=Flag(),
        down=Flag(),
        out=Text(),
        gone_unseen=Flag(),
        statuses=ListOf(Anything()),
        initiative=Number(),
        initiatives=ListOf(Number()),
        acted=Number(0),
        taken=Number(0),
        turns=Number(1),
        delayed=Flag(),
        held=Flag(),
        count=Number(1),
        **(person or {}),
    )
    return Record(
        id=Text(),
        name=(Text(), ...),
        goal=Text(),
        round=Number(0),
        people=(TableOf(someone), ...),
        meters=TableOf(Record(name=(Text(), ...), max=Text(), one=Text(), sign=Text(), vital=Flag())),
        turns=Text(),
        order=ListOf(Text()),
        active=Text(),
        map=Anything(),
        zones=TableOf(Anything()),
        borders=TableOf(ListOf(Text())),
        seen=SEEN,
        track=Record(name=(Text(), ...), steps=(ListOf(Text()), ...), at=(Text(), ...)),
        sides=TableOf(_SIDE),
        **more,
    )
