"""Chases: runners, chasers, and the range between them (STR-CH)."""

from strike_cli.plugin import Move, Scope, System
from strike_cli.plugin.parts import Content, RemoteCommands, SceneTable, SecretPick, Simulation

SCENE = Scope.SCENE

CHASE = System(
    "chase",
    title="Chases",
    package="strike_cli.systems.chase",
    rules="rules.md",
    content={"chases": Content(".data:PreparedChase", prepared=True, begins="chase start")},
    state={"chase": ".data:ChaseState"},
    scene=SceneTable(
        "chase",
        people="",
        read=".chase_as_scene:chase_as_scene",
        secrets=(
            SecretPick("chase.runners_action", "runners", "chase-revealed"),
            SecretPick("chase.prediction", "chasers", "chase-revealed"),
            SecretPick("chase.prediction_secret", "chasers", "chase-revealed"),
        ),
        next_turn=["chase roll"],
        shorts={
            "r": "roll",
            "p": "predict",
            "d": "danger",
            **{word: f"run {word}" for word in ("flee", "hide", "double-back", "set-up", "risk")},
        },
    ),
    bot=".options_and_position_value:ChaseBot",
    simulation=Simulation(
        ".bots_and_simulation:SIMULATED",
        dict.fromkeys(("quick", "good", "full"), ".bots_and_simulation:PerfectChaseBot"),
    ),
    commands={"chase": ".commands.chase:app", "odds": {"chase": ".commands.odds:app"}},
    outside=RemoteCommands(
        played={"chase": "start run predict shoot roll danger end round"},
        read={"chase": "show options", "odds": "chase"},
    ),
    checks=".rule_tables:ChaseChecks",
    moves={
        "chase start": Move(".moves_without_dice:play_start", SCENE),
        "chase run": Move(".moves_without_dice:play_run", SCENE),
        "chase predict": Move(".moves_without_dice:play_predict", SCENE),
        "chase shoot": Move(".moves_without_dice:play_shoot", SCENE),
        "chase roll": Move(".round_under_way:play_roll", SCENE, sheets=True, odds=".round_outcome:odds_key"),
        "chase danger": Move(".moves_without_dice:play_danger", SCENE),
        "chase end": Move(".moves_without_dice:play_end", SCENE, sheets=True),
        "chase round": Move(
            ".round:play_bare_round", Scope.NOTHING, stateless=True, odds=".round_outcome:odds_key"
        ),
    },
    fact_modules=[".facts"],
)
