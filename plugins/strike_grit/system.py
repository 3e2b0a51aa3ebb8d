"""The declaration of the game system Grit (GRT-01 to 12).

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
)

SCENE = Scope.SCENE

GRIT = System(
    "grit",
    title="Fights by Grit",
    package="strike_grit",
    help=Help(
        evening={
            "In a fight": {
                "fight NAME": "an encounter, goblin:4 or any name; then:",
                "attack WHO TARGET -d 5": "with your own dice",
                "save WHO dex": "a Save",
                "odds grit save WHO dex": "its exact chances; odds grit attack",
                "next": "the other side, then the next round",
            }
        }
    ),
    rules="rules.md",
    state={"grit": ".data:GritScene"},
    scene=SceneTable(
        "grit",
        hand=".gm_override:GritHand",
        read=".fight_as_scene:scene_of_state",
        next_turn=["grit next"],
        in_turn=".turns_actions_and_fight_end:changes_giving_turn_and_action",
        shorts={"a": "attack", "m": "move", "d": "act", "v": "save"},
        in_help=HelpExampleNames("sam", "cutter", "grit", "E4", "H3"),
        measure=".movement_and_distances:FEET",
        takes=".gm_override:interpret_tabletop_change",
    ),
    sheets=Sheets(".data:CharacterInGrit"),
    content={
        "grit_weapons": Content(".data:GritWeaponInBook", in_words=".sheet_views:weapon_in_words"),
        "grit_armors": Content(".data:GritArmor"),
        "characters": Content(fields=".data:SheetWithGrit", draft=".sheet_drafts:CHARACTER"),
        "creatures": Content(fields=".data:SheetWithGrit", draft=".sheet_drafts:CREATURE"),
        "encounters": Content(begins="grit start"),
    },
    instead=dict.fromkeys(("roll skill", "roll linked", "roll opposed"), "grit save WHO str"),
    house="house.toml",
    example="example",
    bot=".bot:GritBot",
    views=".sheet_views:GritViews",
    simulation=Simulation(".bot:SIMULATED"),
    measures={"direct": "average Direct Damage", "critical": "average steps down"},
    counts={"attacks": CountedFact("Attacks", "grit-attacked", whose="by")},
    commands={"grit": ".commands:app"},
    outside=RemoteCommands(
        played={"grit": "start save attack settle morale trap hurt mend aid rest hour move act end"},
        read={"grit": "show options"},
    ),
    moves={
        "grit start": Move(".fight_setup:play_start", SCENE),
        "grit save": Move(".saving_throw:play_save", SCENE, stateless=True, odds=".saving_throw:odds_key"),
        "grit attack": Move(".attack:play_attack", SCENE, stateless=True, odds=".attack:odds_key"),
        "grit settle": Move(".harm:play_settle", SCENE),
        "grit morale": Move(".morale:play_morale", SCENE, odds=".morale:odds_key"),
        "grit trap": Move(".gm_moves:play_trap", SCENE, sheets=True),
        "grit hurt": Move(".gm_moves:play_hurt", SCENE, sheets=True),
        "grit mend": Move(".gm_moves:play_mend", SCENE, sheets=True),
        "grit aid": Move(".healing_and_rest:play_aid", SCENE, sheets=True),
        "grit rest": Move(".healing_and_rest:play_rest", SCENE, sheets=True),
        "grit hour": Move(".healing_and_rest:play_hour", SCENE, sheets=True),
        "grit move": Move(".turns_actions_and_fight_end:play_move", SCENE),
        "grit door": Move(".turns_actions_and_fight_end:play_door", SCENE),
        "grit act": Move(".turns_actions_and_fight_end:play_act", SCENE),
        "grit next": Move(".turns_actions_and_fight_end:play_next", SCENE),
        "grit end": Move(".turns_actions_and_fight_end:play_end", SCENE, sheets=True),
    },
    fact_modules=[".facts"],
)
