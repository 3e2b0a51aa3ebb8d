"""What the system is made of, by name (WSH-01 to 20). Reading this imports nothing else of it."""

from __future__ import annotations

from strike_cli.plugin import FactKind, Move, Scope, System

SCENE = Scope.SCENE
TOLD = FactKind()

SYSTEM = System(
    "momentum",
    title="Fights by Momentum",
    package="strike_momentum",
    content={"status_effects": ".schemas:STATUS"},
    sheets={"characters": ".schemas:SHEET", "creatures": ".schemas:SHEET"},
    check_content=".schemas:content_faults",
    house="house.toml",
    commands={"momentum": ".commands:app"},
    moves={
        "momentum hit": Move(".bare:play_hit", Scope.NOTHING, bare=True, odds=".bare:what_hits"),
        "momentum initiative": Move(".order:play_initiative", SCENE, bare=True),
        "momentum union": Move(".order:play_union", SCENE, bare=True),
        "momentum dr": Move(".bare:play_dr", Scope.NOTHING, bare=True, odds=".bare:what_resists"),
    },
    facts={
        "momentum-reckoned": TOLD,
    },
)
