"""The declaration of the game system Momentum (WSH-01 to 20).

It names the system's parts as text, so that none of them is imported before it is needed.
"""

from __future__ import annotations

from strike_cli.plugin import Move, Scope, System
from strike_cli.plugin.parts import (
    Content,
    CountedFact,
    Help,
    HelpExampleNames,
    RemoteCommands,
    SceneTable,
    Sheets,
    Simulation,
    Tally,
)

SCENE = Scope.SCENE
COMMON_ACTIONS = ("defend", "sprint", "stand", "take-cover", "hide", "trip", "grab", "shove", "disarm")
"""The actions that are commands of their own while it is somebody's turn."""

SYSTEM = System(
    "momentum",
    title="Fights by Momentum",
    package="strike_momentum",
    help=Help(
        evening={
            "In a fight": {
                "fight NAME": "an encounter, goblin:4 or any name; then:",
                "next": "end this turn, begin the following one",
                "move E5": "by the shortest path",
                "attack TARGET -d 12": "with your own d20, or without -d",
                "options": "every legal action",
                "check WHO SKILL": "a Skill Check; odds momentum check has its chances",
            }
        }
    ),
    rules="rules.md",
    state={"momentum": ".data:MomentumState"},
    scene=SceneTable(
        "momentum",
        hand=".gm_override:MomentumHand",
        opening="momentum initiative",
        next_turn=("momentum end-turn", "momentum turn"),
        pauses=".initiative_and_rounds:union_hint",
        in_turn=".turns:changes_that_begin_turn",
        measure=".fight_state:METRES",
        shorts={
            "a": "attack",
            "m": "move",
            "u": "use",
            "d": "act",
            "r": "react",
            "b": "map",
            "e": "end-turn",
            "c": "cinematic",
            **{word: f"act . {word}" for word in COMMON_ACTIONS},
        },
        in_help=HelpExampleNames("runa", "hound", "vitality", "D3", "K1"),
        takes=".gm_override:interpret_tabletop_change",
    ),
    sheets=Sheets(".data:CharacterInMomentum"),
    content={
        "status_effects": Content(".data:StatusEffectWritten"),
        "momentum_weapons": Content(".data:MomentumWeaponInBook"),
        "momentum_abilities": Content(".data:MomentumAbilityInBook"),
        "momentum_items": Content(".data:MomentumItemInBook"),
        "characters": Content(fields=".data:SheetWithMomentum", draft=".sheet_drafts:CHARACTER"),
        "creatures": Content(fields=".data:SheetWithMomentum", draft=".sheet_drafts:CREATURE"),
        "encounters": Content(begins="momentum start"),
    },
    instead=dict.fromkeys(("roll skill", "roll linked", "roll opposed"), "momentum check WHO SKILL"),
    house="house.toml",
    example="example",
    bot=".bot:MomentumBot",
    views=".views:MomentumViews",
    checks=".validation:MomentumChecks",
    simulation=Simulation(".bot:SIMULATED"),
    counts={"attacks": CountedFact("Attacks", "momentum-attacked")},
    tallies={"momentum": Tally("Momentum", "momentum", "momentum_spent", in_scene=True)},
    commands={"momentum": ".commands:app"},
    outside=RemoteCommands(
        played={
            "momentum": (
                "start check initiative union turn hold resume end-turn end rest move attack use react act "
                "cinematic hit dr hurt heal gain push teleport resist summon leave"
            ),
            "momentum status": "add remove",
        },
        read={"momentum": "map evasion damage critical collide show options"},
    ),
    moves={
        "momentum hit": Move(
            ".rolls_without_campaign:play_hit",
            Scope.NOTHING,
            stateless=True,
            odds=".rolls_without_campaign:odds_key_of_hit",
        ),
        "momentum dr": Move(
            ".rolls_without_campaign:play_dr",
            Scope.NOTHING,
            stateless=True,
            odds=".rolls_without_campaign:odds_key_of_defense_roll",
        ),
        "momentum start": Move(".fight_start_end_and_summons:play_start", SCENE),
        "momentum initiative": Move(".initiative_and_rounds:play_initiative", SCENE, stateless=True),
        "momentum union": Move(".initiative_and_rounds:play_union", SCENE, stateless=True),
        "momentum check": Move(".check_move:play_check", stateless=True, odds=".check_move:odds_key"),
        "momentum turn": Move(".turns:play_turn", SCENE),
        "momentum move": Move(".walking:play_move", SCENE),
        "momentum attack": Move(".attack:play_attack", SCENE, odds=".attack:odds_key"),
        "momentum use": Move(".abilities:play_use", SCENE, odds=".abilities:odds_key"),
        "momentum act": Move(".actions:play_act", SCENE, odds=".actions:odds_key"),
        "momentum react": Move(".abilities:play_react", SCENE, odds=".abilities:odds_key"),
        "momentum cinematic": Move(
            ".cinematic_actions:play_cinematic", SCENE, odds=".cinematic_actions:odds_key"
        ),
        "momentum hold": Move(".turns:play_hold", SCENE),
        "momentum resume": Move(".turns:play_resume", SCENE),
        "momentum end-turn": Move(".turns:play_end_turn", SCENE),
        "momentum push": Move(".forced_movement:play_push", SCENE),
        "momentum teleport": Move(".forced_movement:play_teleport", SCENE),
        "momentum resist": Move(".gm_moves:play_resist", SCENE, odds=".gm_moves:odds_key_of_resist"),
        "momentum hurt": Move(".gm_moves:play_hurt", SCENE),
        "momentum heal": Move(".gm_moves:play_heal", SCENE),
        "momentum gain": Move(".gm_moves:play_gain", SCENE),
        "momentum status add": Move(".gm_moves:play_status_add", SCENE),
        "momentum status remove": Move(".gm_moves:play_status_remove", SCENE),
        "momentum summon": Move(".gm_moves:play_summon", SCENE),
        "momentum leave": Move(".gm_moves:play_leave", SCENE),
        "momentum end": Move(".fight_start_end_and_summons:play_end", SCENE, sheets=True),
        "momentum rest": Move(".gm_moves:play_rest", SCENE, sheets=True),
    },
    fact_modules=[".facts"],
)
