"""What is about the campaign itself, whatever is played in it: evenings, the record, the table, the
bridge."""

from strike_cli.plugin import FactKind, Move, Scope, System

CAMPAIGN = System(
    "campaign",
    title="The campaign",
    package="strike_cli",
    commands={
        "help": ".cli.help:app",
        "rule": ".cli.rule:app",
        "demo": ".demo:app",
        "new": ".cli.campaign:app",
        "status": ".cli.campaign:app",
        "session": ".cli.session:app",
        "scene": ".cli.scene:app",
        "choose": ".cli.campaign:app",
        "undo": ".cli.campaign:app",
        "redo": ".cli.campaign:app",
        "log": ".cli.log:app",
        "override": ".cli.campaign:app",
        "batch": ".cli.batch:app",
        "shell": ".cli.shell:app",
        "play": ".cli.play:app",
        "watch": ".cli.watch:app",
        "table": ".cli.table:app",
        "players": ".cli.players:app",
        "proposals": ".cli.players:app",
        "accept": ".cli.players:app",
        "decline": ".cli.players:app",
        "bridge": {
            "": ".cli.bridge:app",
            **dict.fromkeys(("login", "link", "unlink", "doctor"), ".cli.bridge_setup:app"),
        },
        "sim": ".cli.sim:app",
        "encounter": ".cli.encounter:app",
        "odds": {"fight": ".cli.sim:odds_app"},
        "content": {"": ".cli.content:app", "new": ".cli.content_new:app"},
        "plugin": ".cli.plugin:app",
        "replay": ".cli.campaign:app",
        "doctor": ".cli.campaign:app",
    },
    meant={"sim": ".cli.sim:command_meant"},
    moves={
        "session start": Move(
            ".systems.campaign.session:play_start", Scope.TABLE, begins_evening=True, passes="session"
        ),
        "session end": Move(".systems.campaign.session:play_end", Scope.TABLE),
        "scene use": Move(".systems.campaign.session:play_use", Scope.NOTHING),
        "override": Move(".systems.campaign.session:play_override", Scope.PATH),
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
