"""The prep system, for any game: random tables, clocks, notes, scenes, a calendar, handouts, and people."""

from strike_cli.plugin import Move, Scope, System
from strike_cli.plugin.parts import Content, Help, RemoteCommands

PREP = System(
    "prep",
    title="Between evenings",
    package="strike_cli.systems.prep",
    commands={
        "prep": ".commands.prepare:app",
        "scene": dict.fromkeys(("list", "show", "begin", "end"), ".commands.scene:app"),
        "draw": ".commands.draw:app",
        "clock": ".commands.clock:app",
        "calendar": ".commands.calendar:app",
        "handout": ".commands.handout:app",
        "creature": ".commands.creature:app",
        "note": ".commands.note:app",
        "find": ".commands.find:app",
        "fight": ".commands.fight_at_once:app",
    },
    help=Help(
        evening={
            "Before": {"prep": "everything missing for tonight's scenes"},
            "At the table": {"note TEXT": "write something down, without quotes"},
        },
        listed={"Before": "prep creature", "After": "find"},
        said={"remember": ("note", "it writes something down")},
    ),
    content={
        "tables": Content(
            ".random_tables:TableWritten", optional=True, in_words=".random_tables:table_words"
        ),
        "clocks": Content(".data:ClockWritten", prepared=True),
        "deadlines": Content(".data:DeadlineWritten", prepared=True, optional=True),
        "handouts": Content(".data:HandoutWritten", prepared=True, optional=True),
        "scenes": Content(
            ".data:SceneWritten", prepared=True, optional=True, files={"scenes/*.md": ".scene_files:SCENES"}
        ),
        "calendar": Content(".calendar:CalendarWritten", single=True),
    },
    file_formats={".csv": ".random_table_files:CSV", ".md": ".random_table_files:MARKDOWN"},
    state={
        "tables_drawn": ".random_tables:DRAWN",
        "clocks": ".data:Clocks",
        "story": ".data:StoryKept",
        "calendar": ".data:CalendarKept",
        "deadlines": ".data:Deadlines",
        "handouts": ".data:Handouts",
    },
    checks=".commands.doctor_checks:PrepChecks",
    follows=".days_and_deadlines:PrepFollower",
    touches=".clocks:no_changed_dependencies",
    exhibits=".state:exhibits_with_hidden_ones",
    outside=RemoteCommands(
        played={
            "": "draw note fight",
            "scene": "begin end",
            "clock": "add tick remove",
            "calendar": "advance add remove",
            "handout": "show hide",
        },
        read={
            "": "prep find",
            "clock": "list",
            "calendar": "show",
            "handout": "list",
            "creature": "list show",
            "scene": "list show",
        },
    ),
    moves={
        "draw": Move(".random_tables:play_draw", Scope.NOTHING),
        "clock add": Move(".clocks:play_add", Scope.NOTHING),
        "clock tick": Move(".clocks:play_tick", Scope.NOTHING),
        "clock remove": Move(".clocks:play_remove", Scope.NOTHING),
        "scene begin": Move(".scenes_in_play:play_begin", Scope.NOTHING),
        "scene end": Move(".scenes_in_play:play_end", Scope.NOTHING, passes="scene"),
        "calendar advance": Move(".days_and_deadlines:play_advance", Scope.TABLE),
        "calendar add": Move(".days_and_deadlines:play_add", Scope.NOTHING),
        "calendar remove": Move(".days_and_deadlines:play_remove", Scope.NOTHING),
        "handout show": Move(".handouts:play_show", Scope.NOTHING),
        "handout hide": Move(".handouts:play_hide", Scope.NOTHING),
        "creature invent": Move(".random_tables:play_invent", Scope.NOTHING),
        "note": Move(".notes_in_log:play_note", Scope.NOTHING),
    },
    fact_modules=[".facts"],
)
