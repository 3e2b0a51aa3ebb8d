"""What a game master prepares and keeps in mind, whatever is played: random tables, clocks, notes."""

from strike_cli.plugin import FactKind, Move, Scope, System

PREP = System(
    "prep",
    title="The campaign",
    package="strike_cli.systems.prep",
    commands={
        "draw": ".commands.draw:app",
        "clock": ".commands.clock:app",
        "note": ".commands.note:app",
        "find": ".commands.find:app",
    },
    nouns=".commands.nouns:NOUNS",
    content={"tables": ".table:TABLE"},
    prepared={"clocks": ".clocks:CLOCK"},
    dispensable=("tables",),
    file_formats={".csv": ".text_files:CSV", ".md": ".text_files:MARKDOWN"},
    state={"tables_drawn": ".table:DRAWN", "clocks": ".clocks:CLOCKS"},
    in_words={"tables": ".table:in_words"},
    check_content=".table:check",
    follows=".clocks:advance_with",
    touches=".clocks:touches",
    moves={
        "draw": Move(".table:play_draw", Scope.NOTHING),
        "clock add": Move(".clocks:play_add", Scope.NOTHING),
        "clock tick": Move(".clocks:play_tick", Scope.NOTHING),
        "clock remove": Move(".clocks:play_remove", Scope.NOTHING),
        "note": Move(".notes:play_note", Scope.NOTHING),
    },
    facts={
        "drawn": FactKind("Drawn"),
        "clock-moved": FactKind("Clocks", style="warn"),
        "clock-moved-in-secret": FactKind("Clocks", style="warn", gm_only=True),
        "note-taken": FactKind("Notes"),
    },
)
