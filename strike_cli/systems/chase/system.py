"""Chases: runners, chasers, and the range between them (STR-CH)."""

from strike_cli.plugin import FactKind, Move, Scope, Secret, System

SCENE = Scope.SCENE
TOLD = FactKind()
PICKED = FactKind(discreet=True)

CHASE = System(
    "chase",
    title="Chases",
    package="strike_cli",
    prepared={"chases": ".systems.chase.schemas:CHASE"},
    state={"chase": ".systems.chase.schemas:scene_state"},
    scene="chase",
    shows=".systems.chase.scene:read",
    secrets=[
        Secret("chase.runners_action", "runners", "chase-revealed"),
        Secret("chase.prediction", "chasers", "chase-revealed"),
        Secret("chase.prediction_secret", "chasers", "chase-revealed"),
    ],
    commands={
        "chase": ".cli.chase:app",
        "odds": {"chase": ".cli.chase_odds:app"},
    },
    moves={
        "chase start": Move(".rules.chase.scene:play_start", SCENE),
        "chase run": Move(".rules.chase.scene:play_run", SCENE),
        "chase predict": Move(".rules.chase.scene:play_predict", SCENE),
        "chase shoot": Move(".rules.chase.scene:play_shoot", SCENE),
        "chase roll": Move(".rules.chase.resolve:play_roll", SCENE, sheets=True),
        "chase danger": Move(".rules.chase.resolve:play_danger", SCENE),
        "chase end": Move(".rules.chase.resolve:play_end", SCENE, sheets=True),
        "chase round": Move(".rules.chase.round:play_round", Scope.NOTHING, bare=True),
    },
    facts={
        "skills-used": FactKind(),
        "chase-started": TOLD,
        "chase-action-picked": PICKED,
        "chase-predicted": PICKED,
        "chase-shooting": TOLD,
        "chase-revealed": TOLD,
        "chase-rolled": TOLD,
        "chase-shot": TOLD,
        "chase-risked": TOLD,
        "chase-taken-out": TOLD,
        "chase-round-over": TOLD,
        "chase-danger-set": TOLD,
        "chase-ended": FactKind(outcome=True),
        "chase-put-away": TOLD,
    },
)
