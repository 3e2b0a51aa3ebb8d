"""The declaration of Team Conflicts: their content, commands, moves, bots and secrets (STR-TC)."""

from strike_cli.plugin import Move, Scope, System
from strike_cli.plugin.parts import Content, Help, RemoteCommands, SceneTable, SecretPick, Simulation

SCENE = Scope.SCENE

CONFLICT = System(
    "conflict",
    title="Team Conflicts",
    package="strike_cli.systems.conflict",
    help=Help(evening={"In a fight": {"conflict start NAME": "two intents; or chase start: a chase"}}),
    rules="rules.md",
    content={
        "traits": Content(".data:TraitWritten"),
        "conflicts": Content(".data:ConflictWritten", prepared=True, begins="conflict start"),
    },
    house="house.toml",
    state={"conflict": ".data:ConflictState"},
    scene=SceneTable(
        "conflict",
        people="",
        read=".conflict_as_scene:conflict_as_scene",
        settles=True,
        secrets=[
            SecretPick(f"conflict.{side}.{what}", side, "conflict-revealed")
            for side in ("ours", "theirs")
            for what in ("actions.*", "opposition", "scouted.*")
        ],
        next_turn=["conflict roll"],
        shorts={"a": "act", "p": "prep", "r": "roll", "h": "hit", "abandon": "end --abandon"},
    ),
    bot=".options_and_position_value:ConflictBot",
    simulation=Simulation(
        ".bots_and_simulation:SIMULATED",
        {
            "quick": ".bots_and_simulation:PolicyBot",
            "good": ".bots_and_simulation:JudgingBot",
            "full": ".bots_and_simulation:JudgingBot",
        },
    ),
    commands={
        "conflict": {"": ".commands.conflict:app", "act": ".commands.act:app"},
        "odds": {"conflict": ".commands.odds:app"},
    },
    outside=RemoteCommands(
        played={"conflict": "start prep act oppose scout roll round hit avert withdraw concede end"},
        read={"conflict": "show options", "odds": "conflict"},
    ),
    checks=".rule_numbers:ConflictChecks",
    moves={
        "conflict start": Move(".moves_before_dice:play_start", SCENE),
        "conflict prep": Move(".moves_before_dice:play_prep", SCENE),
        "conflict act": Move(".moves_before_dice:play_act", SCENE),
        "conflict acts": Move(".moves_before_dice:play_acts", SCENE),
        "conflict secondary": Move(".endings:play_secondary", SCENE, sheets=True, named=True),
        "conflict oppose": Move(".moves_before_dice:play_oppose", SCENE),
        "conflict scout": Move(".moves_before_dice:play_scout", SCENE),
        "conflict roll": Move(".round_play:play_roll", SCENE, odds=".round_dice:odds_key"),
        "conflict hit": Move(".round_play:play_hit", SCENE),
        "conflict avert": Move(".endings:play_avert", SCENE, sheets=True),
        "conflict withdraw": Move(".endings:play_withdraw", SCENE, sheets=True, named=True),
        "conflict concede": Move(".endings:play_concede", SCENE, sheets=True),
        "conflict end": Move(".endings:play_end", SCENE, sheets=True),
        "conflict round": Move(
            ".round_dice:play_bare_round", Scope.NOTHING, stateless=True, odds=".round_dice:odds_key"
        ),
    },
    fact_modules=[".facts"],
)
