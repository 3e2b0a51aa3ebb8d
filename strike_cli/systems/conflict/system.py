"""Team Conflicts: two sides, each with an intent, and rounds until one has its way (STR-TC)."""

from strike_cli.plugin import FactKind, Move, Scope, Secret, System

SCENE = Scope.SCENE
TOLD = FactKind()
OUTCOME = FactKind(closes_scene=True)
ENDED = FactKind(closes_scene=True, names_scene=True)
PICKED = FactKind(discreet=True)

CONFLICT = System(
    "conflict",
    title="Team Conflicts",
    package="strike_cli.systems.conflict",
    rules="rules.md",
    nouns=".commands.nouns:NOUNS",
    content={"traits": ".schemas:TRAIT"},
    prepared={"conflicts": ".schemas:CONFLICT"},
    begins={"conflicts": "conflict start"},
    house="house.toml",
    state={"conflict": ".schemas:scene_state"},
    scene="conflict",
    shorts={"a": "act", "p": "prep", "r": "roll", "h": "hit"},
    shows=".scene:read",
    options=".options:options",
    worth=".chain:worth",
    simulated=".simulated:SIMULATED",
    players={"quick": ".player:ByPolicy", "good": ".player:Judging", "full": ".player:Judging"},
    secrets=[
        Secret(f"conflict.{side}.{what}", side, "conflict-revealed")
        for side in ("ours", "theirs")
        for what in ("actions.*", "opposition", "scouted.*")
    ],
    commands={
        "conflict": {"": ".commands.conflict:app", "act": ".commands.act:app"},
        "odds": {"conflict": ".commands.odds:app"},
    },
    moves={
        "conflict start": Move(".declare:play_start", SCENE),
        "conflict prep": Move(".declare:play_prep", SCENE),
        "conflict act": Move(".declare:play_act", SCENE),
        "conflict secondary": Move(".secondary:play_secondary", SCENE, sheets=True, named=True),
        "conflict oppose": Move(".declare:play_oppose", SCENE),
        "conflict scout": Move(".declare:play_scout", SCENE),
        "conflict roll": Move(".resolve:play_roll", SCENE, odds=".contest:what_counts"),
        "conflict hit": Move(".resolve:play_hit", SCENE),
        "conflict avert": Move(".endings:play_avert", SCENE, sheets=True),
        "conflict withdraw": Move(".endings:play_withdraw", SCENE, sheets=True, named=True),
        "conflict concede": Move(".endings:play_concede", SCENE, sheets=True),
        "conflict end": Move(".endings:play_end", SCENE, sheets=True),
        "conflict round": Move(".contest:play_round", Scope.NOTHING, bare=True, odds=".contest:what_counts"),
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
        "conflict-ended": ENDED,
        "conflict-abandoned": ENDED,
    },
)
