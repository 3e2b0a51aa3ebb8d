"""Team Conflicts: two sides, each with an intent, and rounds until one has its way (STR-TC)."""

from strike_cli.plugin import FactKind, Move, Scope, Secret, System

SCENE = Scope.SCENE
TOLD = FactKind()
OUTCOME = FactKind(outcome=True)
PICKED = FactKind(discreet=True)

CONFLICT = System(
    "conflict",
    title="Team Conflicts",
    package="strike_cli",
    content={"traits": ".systems.conflict.schemas:TRAIT"},
    prepared={"conflicts": ".systems.conflict.schemas:CONFLICT"},
    house="house.toml",
    state={"conflict": ".systems.conflict.schemas:scene_state"},
    scene="conflict",
    shows=".systems.conflict.scene:read",
    secrets=[
        Secret(f"conflict.{side}.{what}", side, "conflict-revealed")
        for side in ("ours", "theirs")
        for what in ("actions.*", "opposition", "scouted.*")
    ],
    commands={
        "conflict": {"": ".cli.conflict:app", "act": ".cli.conflict_act:app"},
        "odds": {"conflict": ".cli.conflict_odds:app"},
    },
    moves={
        "conflict start": Move(".rules.conflict.select:play_start", SCENE),
        "conflict prep": Move(".rules.conflict.select:play_prep", SCENE),
        "conflict act": Move(".rules.conflict.select:play_act", SCENE),
        "conflict secondary": Move(".rules.conflict.select:play_secondary", SCENE, sheets=True, named=True),
        "conflict oppose": Move(".rules.conflict.select:play_oppose", SCENE),
        "conflict scout": Move(".rules.conflict.select:play_scout", SCENE),
        "conflict roll": Move(".rules.conflict.resolve:play_roll", SCENE),
        "conflict hit": Move(".rules.conflict.decide:play_hit", SCENE),
        "conflict avert": Move(".rules.conflict.leave:play_avert", SCENE, sheets=True),
        "conflict withdraw": Move(".rules.conflict.leave:play_withdraw", SCENE, sheets=True, named=True),
        "conflict concede": Move(".rules.conflict.leave:play_concede", SCENE, sheets=True),
        "conflict end": Move(".rules.conflict.leave:play_end", SCENE, sheets=True),
        "conflict round": Move(".rules.conflict.contest:play_round", Scope.NOTHING, bare=True),
    },
    facts={
        "conflict-started": TOLD,
        "conflict-prepared": TOLD,
        "conflict-acted": PICKED,
        "conflict-opposed": PICKED,
        "conflict-scouted": TOLD,
        "conflict-stock-used": TOLD,
        "conflict-revealed": TOLD,
        "conflict-rolled": TOLD,
        "conflict-round": TOLD,
        "conflict-round-closed": TOLD,
        "conflict-held-up": TOLD,
        "conflict-won-dearly": TOLD,
        "conflict-win-undone": TOLD,
        "conflict-undecided": TOLD,
        "conflict-bonus": TOLD,
        "conflict-hit": TOLD,
        "conflict-hit-ignored": TOLD,
        "conflict-hit-decided": TOLD,
        "conflict-strike-taken": TOLD,
        "conflict-strike-removed": TOLD,
        "conflict-trait-lost": TOLD,
        "conflict-trait-regained": TOLD,
        "conflict-averted": TOLD,
        "conflict-withdrew": TOLD,
        "conflict-loser-chose": TOLD,
        "conflict-conceded": OUTCOME,
        "conflict-ended": OUTCOME,
        "conflict-abandoned": OUTCOME,
    },
)
