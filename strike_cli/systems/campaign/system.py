"""What is about the campaign itself, whatever is played in it: evenings, the record, the table, the
bridge."""

from strike_cli.plugin import FactKind, Move, Scope, System

CAMPAIGN = System(
    "campaign",
    title="The campaign",
    package="strike_cli.systems.campaign",
    commands={
        "help": "strike_cli.cli.help:app",
        "rule": "strike_cli.cli.rule:app",
        "demo": "strike_cli.demo:app",
        "new": "strike_cli.cli.campaign:app",
        "status": "strike_cli.cli.campaign:app",
        "session": "strike_cli.cli.session:app",
        "scene": "strike_cli.cli.scene:app",
        "choose": "strike_cli.cli.campaign:app",
        "undo": "strike_cli.cli.campaign:app",
        "redo": "strike_cli.cli.campaign:app",
        "log": "strike_cli.cli.log:app",
        "override": "strike_cli.cli.campaign:app",
        "batch": "strike_cli.cli.batch:app",
        "shell": "strike_cli.cli.shell:app",
        "play": "strike_cli.cli.play:app",
        "watch": "strike_cli.cli.watch:app",
        "table": ".commands.table:app",
        "bridge": {
            "": ".commands.bridge:app",
            **dict.fromkeys(("login", "link", "unlink", "doctor"), ".commands.bridge_setup:app"),
        },
        "sim": ".commands.sim:app",
        "encounter": ".commands.encounter:app",
        "odds": {"fight": ".commands.sim:odds_app"},
        "content": {"": ".commands.content:app", "new": ".commands.content_new:app"},
        "plugin": ".commands.plugin:app",
        "replay": "strike_cli.cli.campaign:app",
        "doctor": "strike_cli.cli.campaign:app",
    },
    meant={"sim": ".commands.sim:command_meant"},
    moves={
        "session start": Move(".session:play_start", Scope.TABLE, begins_evening=True, passes="session"),
        "session end": Move(".session:play_end", Scope.TABLE),
        "scene use": Move(".session:play_use", Scope.NOTHING),
        "override": Move(".session:play_override", Scope.PATH),
    },
    facts={
        "session-started": FactKind(style="title"),
        "session-ended": FactKind(),
        "scene-used": FactKind(gm_only=True),
        "asked": FactKind(),
        "decided": FactKind(),
        "undone": FactKind(),
        "redone": FactKind(),
        "overridden": FactKind("By hand", gm_only=True),
        "edited": FactKind("By hand", gm_only=True),
    },
)
