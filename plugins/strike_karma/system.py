"""The declaration of the game system Karma (CIN-01 to 11).

It names the system's parts as text, so that none of them is imported before it is needed.
"""

from __future__ import annotations

from strike_cli.plugin import Move, Scope, System
from strike_cli.plugin.parts import Content, Help, HelpExampleNames, RemoteCommands, SceneTable, Simulation

SCENE = Scope.SCENE

KARMA = System(
    "karma",
    title="Fights by passed initiative",
    package="strike_karma",
    help=Help(
        evening={
            "In a fight": {
                "fight NAME": "an encounter, goblin:4 or any name; then:",
                "act WHO --what TEXT": "the holder of the initiative acts",
                "pass WHO": "pass it on; delay and when hold an action",
                "round": "end the round",
                "odds karma act": "the exact chances of the roll",
            }
        }
    ),
    rules="rules.md",
    state={"karma": ".data:KarmaScene"},
    scene=SceneTable(
        "karma",
        hand=".gm_override:KarmaHand",
        read=".fight_as_scene:scene_of_state",
        next_turn=["karma round"],
        in_help=HelpExampleNames("ana", "eel", "pool", "D3", "L4"),
        shorts={
            "a": "act",
            "p": "pass",
            "r": "react",
            "h": "hold",
            "d": "delay",
            "w": "when",
            "c": "complete",
            "t": "trigger",
        },
    ),
    content={
        "characters": Content(fields=".data:SheetWithKarma", draft=".sheet_drafts:CHARACTER"),
        "creatures": Content(fields=".data:SheetWithKarma", draft=".sheet_drafts:CREATURE"),
        "encounters": Content(fields=".data:EncounterWithKarma", begins="karma start"),
    },
    instead=dict.fromkeys(("roll skill", "roll linked", "roll opposed"), "karma act WHO"),
    house="house.toml",
    example="example",
    bot=".bot:KarmaBot",
    views=".views:KarmaViews",
    checks=".validation:KarmaChecks",
    simulation=Simulation(".bot:SIMULATED"),
    commands={"karma": ".commands:app"},
    outside=RemoteCommands(
        played={
            "karma": (
                "start act pass hold delay complete when trigger abandon react karma check place "
                "counter out round end"
            )
        },
        read={"karma": "show options"},
    ),
    moves={
        "karma start": Move(".fight_setup:play_start", SCENE),
        "karma act": Move(".action:play_act", SCENE, odds=".action:odds_key"),
        "karma pass": Move(".initiative_and_rounds:play_pass", SCENE),
        "karma hold": Move(".initiative_and_rounds:play_hold", SCENE),
        "karma delay": Move(".delayed_actions:play_delay", SCENE),
        "karma complete": Move(".delayed_actions:play_complete", SCENE, odds=".action:odds_key"),
        "karma when": Move(".conditional_actions:play_when", SCENE),
        "karma trigger": Move(".conditional_actions:play_trigger", SCENE, odds=".action:odds_key"),
        "karma abandon": Move(".delayed_actions:play_abandon", SCENE),
        "karma react": Move(".reaction:play_react", SCENE, odds=".reaction:odds_key"),
        "karma karma": Move(".recorded_decisions_and_fight_end:play_karma", SCENE),
        "karma check": Move(".recorded_decisions_and_fight_end:play_check", SCENE),
        "karma place": Move(".recorded_decisions_and_fight_end:play_place", SCENE),
        "karma counter": Move(".recorded_decisions_and_fight_end:play_counter", SCENE),
        "karma out": Move(".recorded_decisions_and_fight_end:play_out", SCENE),
        "karma round": Move(".initiative_and_rounds:play_round", SCENE),
        "karma end": Move(".recorded_decisions_and_fight_end:play_end", SCENE),
    },
    fact_modules=[".facts"],
)
