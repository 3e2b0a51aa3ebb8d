"""The forms of chases: one prepared in campaign.toml, and the one under way in state.toml."""

from __future__ import annotations

from strike_cli.validation import Flag, ListOf, Number, OneOf, Record, TableOf, Text

CHASE = Record(
    name=(Text(), ...),
    runners=(ListOf(Text()), ...),
    chasers=(ListOf(Text()), ...),
    range=(OneOf("close", "medium", "far"), "medium"),
    danger=(Number(0, 2), 0),
    summary=(Text(), ""),
)


def scene_state(book: object) -> Record:
    """`[chase]` of state.toml."""
    action = OneOf("flee", "hide", "double-back", "set-up", "risk")
    return Record(
        id=Text(),
        name=(Text(), ...),
        people=TableOf(Record(name=(Text(), ...), image=Text())),
        runners=(ListOf(Text()), ...),
        chasers=(ListOf(Text()), ...),
        out=ListOf(Text()),
        range=(OneOf("caught", "close", "medium", "far", "escaped"), ...),
        danger=(Number(0, 2), ...),
        round=(Number(0), ...),
        runners_action=action,
        prediction=action,
        prediction_secret=Flag(),
        runners_advantage=Flag(),
        shooters=ListOf(
            Record(who=(Text(), ...), at=(OneOf("runners", "chasers"), ...), driving=(Flag(), ...))
        ),
        winner=OneOf("runners", "chasers"),
        ended=OneOf("caught", "escaped", "hidden", "pinned", "crash", "stopped"),
        crashed=ListOf(OneOf("runners", "chasers")),  # where both sides crash
    )
