"""The system "campaign", which belongs to every game.

It declares the commands for sessions, the journal, the table, the bridge and the like.
"""

from strike_cli.plugin import Move, Scope, System
from strike_cli.plugin.parts import Help, RemoteCommands

CAMPAIGN = System(
    "campaign",
    title="The campaign",
    package="strike_cli.systems.campaign",
    commands={
        "help": "strike_cli.cli.help:app",
        "rule": "strike_cli.cli.rule:app",
        "cheat": "strike_cli.cli.cheat_sheet:app",
        "tour": "strike_cli.tour:app",
        "demo": "strike_cli.demo:app",
        "new": "strike_cli.cli.campaign_and_undo_commands:app",
        "status": "strike_cli.cli.status_and_next:app",
        "next": "strike_cli.cli.status_and_next:app",
        "session": ".commands.session:app",
        "scene": "strike_cli.cli.scene_use:app",
        "choose": "strike_cli.cli.campaign_and_undo_commands:app",
        "undo": "strike_cli.cli.campaign_and_undo_commands:app",
        "redo": "strike_cli.cli.campaign_and_undo_commands:app",
        "log": "strike_cli.cli.log:app",
        "override": "strike_cli.cli.campaign_and_undo_commands:app",
        "batch": "strike_cli.cli.batch:app",
        "shell": "strike_cli.cli.shell:app",
        "play": "strike_cli.cli.play:app",
        "watch": "strike_cli.cli.watch:app",
        "table": ".commands.table:app",
        "serve": "strike_cli.serve.serve_command:app",
        "mcp": "strike_cli.serve.mcp_command:app",
        "players": "strike_cli.cli.players_and_proposals:app",
        "proposals": "strike_cli.cli.players_and_proposals:app",
        "accept": "strike_cli.cli.players_and_proposals:app",
        "decline": "strike_cli.cli.players_and_proposals:app",
        "bridge": {
            "": ".commands.bridge:app",
            **dict.fromkeys(("login", "link", "unlink", "doctor"), ".commands.bridge_setup:app"),
            "connect": ".commands.bridge_connect:app",
            "pull": ".commands.bridge_pull:app",
            "test": ".commands.bridge_target_contract_check:app",
            "new": ".commands.bridge_target_authoring:app",
            "try": ".commands.bridge_target_authoring:app",
            "record": ".commands.bridge_target_authoring:app",
            "module": ".commands.bridge_companion_module:app",
        },
        "sim": ".commands.sim:app",
        "encounter": ".commands.encounter:app",
        "odds": {"fight": ".commands.sim:odds_app"},
        "schema": ".commands.schema:app",
        "content": {"": ".commands.content:app", "new": ".commands.content_new:app"},
        "plugin": ".commands.plugin:app",
        "dev": "strike_cli.cli.help:app",
        "replay": "strike_cli.cli.campaign_and_undo_commands:app",
        "dice": ".commands.dice_seed_audit:app",
        "again": "strike_cli.cli.campaign_and_undo_commands:app",
        "doctor": "strike_cli.cli.campaign_and_undo_commands:app",
        "backup": "strike_cli.cli.backup:app",
        "restore": "strike_cli.cli.backup:app",
    },
    help=Help(
        evening={
            "Before": {
                "new DIR": "make a campaign, with an example to edit",
                "table": "open a page for the players' screen",
            },
            "At the table": {
                "session start": "begin the evening",
                "play": "play on one screen; shell: at a prompt",
                "status": "the party, and scenes under way",
                "undo": "take back the last command",
                "rule WORD": "a rule, by a word or its number",
            },
            "After": {
                "session end": "end the evening, with a list of open scenes",
                "log": "recent commands; session report has more",
            },
        },
        listed={
            "Before": "new tour demo encounter sim content",
            "At the table": "next status session scene choose undo redo odds rule",
            "After": "log dice",
            "Screens": "play shell watch table players bridge serve mcp help cheat",
            "Files": "doctor backup restore",
            "For developers": "dev",
            "": "override",
        },
        together={
            "players": ("proposals", "accept", "decline"),
            "dev": ("batch", "schema", "plugin", "replay", "again"),
            "content": ("schema",),
        },
        said={
            "back": ("undo", "it undoes the last command"),
            "oops": ("undo", "it undoes the last command"),
            "save": ("status", "there is nothing to save: each command is on the disk once it has returned"),
            "quit": ("status", "there is nothing to leave in your own shell"),
            "exit": ("status", "there is nothing to leave in your own shell"),
            "begin": ("help now", "it lists your options"),
            "start": ("help now", "it lists your options"),
        },
    ),
    meant={"sim": ".commands.sim:default_sim_command"},
    outside=RemoteCommands(
        played={"": "next choose undo redo override accept decline", "session": "start end", "scene": "use"},
        read={
            "": "help rule status log proposals replay doctor",
            "session": "list report story",
            "sim": "run",
            "encounter": "rate",
            "odds": "fight",
            "content": "list show explain",
        },
    ),
    moves={
        "session start": Move(
            ".session_and_override_moves:play_start", Scope.TABLE, begins_evening=True, passes="session"
        ),
        "session end": Move(".session_and_override_moves:play_end", Scope.TABLE),
        "scene use": Move(".session_and_override_moves:play_scene_use", Scope.NOTHING),
        "override": Move(".session_and_override_moves:play_override", Scope.PATH),
    },
    fact_modules=[
        "strike_cli.campaign.undo_and_repair_facts",
        "strike_cli.tabletop.scene_change_facts",
        ".facts",
    ],
)
