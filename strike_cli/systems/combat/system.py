"""The declaration of tactical combat: its content, commands, moves and bots (STR-TAC)."""

from strike_cli.plugin import Move, Scope, System
from strike_cli.plugin.parts import (
    Content,
    CountedFact,
    Help,
    HelpExampleNames,
    RemoteCommands,
    SceneTable,
    Simulation,
    Tally,
)

SCENE = Scope.SCENE

_COMMANDS = (
    # modules and their commands, in the order in which a fight uses them
    ("fight_start_show_and_end", ("start", "initiative", "show", "map")),
    ("options_and_auto", ("options",)),
    ("turns_and_escape", ("turn",)),
    ("move_and_stand", ("move", "stand")),
    ("attacks_and_powers", ("attack", "use", "ladder")),
    ("common_actions", ("charge", "rally", "assess", "improvise", "skill")),
    ("turns_and_escape", ("escape",)),
    ("delay_prepare_and_leave", ("prepare", "trigger", "delay", "resume", "leave")),
    ("turns_and_escape", ("end-turn",)),
    ("zone", ("zone",)),
    ("options_and_auto", ("auto",)),
    ("gm_hp_and_statuses", ("damage", "heal", "hp", "strike", "token", "status")),
    ("fight_start_show_and_end", ("choose", "finish", "abandon")),
)

COMBAT = System(
    "combat",
    title="Fights",
    package="strike_cli.systems.combat",
    rules="rules.md",
    help=Help(
        evening={
            "In a fight": {
                "fight NAME": "an encounter, goblin:4 or any name; then:",
                "next": "end this turn, begin the following one",
                "move E5": "the shortest path that provokes least",
                "attack G3 -d 5": "with your own die, or without -d",
                "options": "every legal action, with its chances",
                "auto": "play a creature's turn",
            }
        },
        said={
            **dict.fromkeys(("hit", "miss"), ("combat attack", "its die decides the hit")),
            **dict.fromkeys(("shoot", "stab", "fight"), ("combat attack", "it attacks somebody")),
            **dict.fromkeys(("cast", "power"), ("combat use", "it uses a power")),
            **dict.fromkeys(
                ("skip", "pass", "done"), ("combat next", "it ends the turn, and begins the next")
            ),
            "save": ("combat end-turn", "Saving Throws are rolled at the end of a turn"),
            **dict.fromkeys(("kill", "down", "dead"), ("combat hp", "at 0 HP a creature is Taken Out")),
            **dict.fromkeys(("walk", "go", "run", "step"), ("combat move", "it moves somebody")),
            **dict.fromkeys(("wait", "hold"), ("combat delay", "it delays a turn")),
            **dict.fromkeys(("prone", "stun", "blind"), ("combat status add", "it gives somebody a status")),
            "ready": ("combat prepare", "it holds an action for a trigger"),
            **dict.fromkeys(("who", "order"), ("combat show", "it shows the turn order")),
        },
    ),
    content={
        "statuses": Content(
            ".schemas:STATUS",
            explains=".commands.content_explain:explain_status",
            draft=".commands.content_new:STATUS",
        ),
        "powers": Content(
            ".schemas:POWER",
            in_words=".commands.power_descriptions:power_details_in_one_line",
            explains=".commands.content_explain:explain_power",
            draft=".commands.content_new:POWER",
        ),
        "creature_traits": Content(
            ".schemas:CREATURE_TRAIT", explains=".commands.content_explain:explain_creature_trait"
        ),
        "hazards": Content(
            "strike_cli.tabletop.data:HazardWritten", explains=".commands.content_explain:explain_hazard"
        ),
        "characters": Content(fields=".data:CharacterInFights"),
        "creatures": Content(
            fields=".schemas:CREATURE",
            explains=".commands.content_explain:explain_creature",
            draft=".commands.content_new:CREATURE",
        ),
        "encounters": Content(
            "strike_cli.tabletop.data:EncounterWritten",
            prepared=True,
            begins="combat start",
            explains=".commands.content_explain:explain_encounter",
            draft=".commands.content_new:ENCOUNTER",
        ),
    },
    house="house.toml",
    state={"fight": ".data:FightState", "parked_fights": ".data:ParkedFights"},
    touches=".encounter.ending_and_parking:no_people_affected_by_parked_fight",
    tallies={
        "miss_tokens": Tally("Miss Tokens", "tokens", "tokens_spent", in_scene=True),
        "strikes": Tally("Strikes", "strikes", "strikes_lost", in_scene=True),
    },
    counts={
        "attacks": CountedFact("Attacks", "attacked"),
        "crits": CountedFact("Critical hits", "attacked", "result", "critical"),
        "misses": CountedFact("Misses", "attacked", "result", "miss"),
    },
    vocabularies={
        "steps": ".steps.step:EffectStep",
        "amounts": ".steps:AmountKind",
        "durations": "strike_cli.tabletop.rules_vocabulary:Duration",
        "moments": "strike_cli.tabletop.rules_vocabulary:MomentKind",
        "rolls": "builtins:str",
    },
    scene=SceneTable(
        "fight",
        hand=".gm_override:FightHand",
        parked="parked_fights",
        people="combatants",
        in_help=HelpExampleNames("vex", "goblin", "hp", "F4", "M6", "lamp-thief"),
        read=".fight_as_scene:fight_as_scene",
        opening="combat initiative",
        next_turn=("combat end-turn", "combat turn"),
        shorts={"a": "attack", "m": "move", "u": "use", "c": "charge", "b": "map", "e": "end-turn"},
        takes=".gm_override:interpret_tabletop_change",
    ),
    bot=".bot_and_checks:FightBot",
    views=".commands.lazy_views:FightViews",
    follows=".reactions.fight_fact_consequences:FightFollower",
    checks=".bot_and_checks:FightChecks",
    simulation=Simulation(
        ".simulation:SIMULATED",
        {
            "quick": ".bots.quick_bot:QuickBot",
            "good": ".bots.good_bot:GoodBot",
            "full": ".bots.full_bot:FullBot",
        },
    ),
    commands={
        "combat": {
            "": ".commands:app",
            **{name: f".commands.{module}:app" for module, names in _COMMANDS for name in names},
        },
        "map": ".commands.encounter_maps:app",
        "odds": {"attack": ".commands.odds:odds_app"},
        "content": {"try": ".commands.content_try:app"},
    },
    outside=RemoteCommands(
        played={
            "combat": (
                "next start initiative turn move stand hide reveal attack use ladder charge rally "
                "assess improvise skill escape prepare trigger delay resume end-turn auto damage heal "
                "hp place strike token join leave choose finish abandon park return"
            ),
            "combat zone": "add remove",
            "combat door": "open close",
            "combat fog": "on off lift cover",
            "combat status": "add remove",
            "map": "shift",
        },
        read={"combat": "show map options", "odds": "attack"},
    ),
    moves={
        "combat start": Move(".encounter.fight_setup:play_start", SCENE),
        "combat initiative": Move(".encounter.fight_setup:play_initiative", SCENE),
        "combat turn": Move(".turns.turn:play_turn", SCENE),
        "combat delay": Move(".turns.delay_and_prepare:play_delay", SCENE),
        "combat resume": Move(".turns.delay_and_prepare:play_resume", SCENE),
        "combat prepare": Move(".turns.delay_and_prepare:play_prepare", SCENE),
        "combat trigger": Move(".turns.delay_and_prepare:play_trigger", SCENE),
        "combat end-turn": Move(".turns.turn:play_end_turn", SCENE),
        "combat escape": Move(".turns.turn:play_escape", SCENE),
        "combat stand": Move(".turns.turn:play_stand", SCENE),
        "combat move": Move(".board.move:play_move", SCENE),
        "combat attack": Move(".powers.power_use:play_attack", SCENE, sheets=True),
        "combat use": Move(".powers.power_use:play_use", SCENE, sheets=True),
        "combat charge": Move(".powers.charge:play_charge", SCENE, sheets=True),
        "combat assess": Move(".turns.common_actions:play_assess", SCENE),
        "combat improvise": Move(".turns.common_actions:play_improvise", SCENE, sheets=True),
        "combat skill": Move(".turns.common_actions:play_skill_in_combat", SCENE, sheets=True),
        "combat strike": Move(".health_and_statuses:play_strike", SCENE),
        "combat token": Move(".health_and_statuses:play_token", SCENE),
        "combat damage": Move(".gm_hp_and_statuses:play_damage", SCENE),
        "combat heal": Move(".gm_hp_and_statuses:play_heal", SCENE),
        "combat hp": Move(".gm_hp_and_statuses:play_hp", SCENE),
        "combat status add": Move(".gm_hp_and_statuses:play_status_add", SCENE),
        "combat status remove": Move(".gm_hp_and_statuses:play_status_remove", SCENE),
        "combat zone add": Move(".board.zones:play_zone_add", SCENE),
        "combat finish": Move(".encounter.ending_and_parking:play_finish", SCENE, sheets=True),
        "combat leave": Move(".encounter.joining_and_leaving:play_leave", SCENE),
        "combat park": Move(".encounter.ending_and_parking:play_park", SCENE, by_hand=True),
        "combat return": Move(".encounter.ending_and_parking:play_return", SCENE, by_hand=True),
        "combat abandon": Move(".encounter.ending_and_parking:play_abandon", SCENE),
    },
    fact_modules=[
        f".facts.{topic}"
        for topic in (
            "attacks",
            "effects_and_causes",
            "harm",
            "movement_and_sight",
            "powers_and_fight_events",
            "statuses",
            "step_descriptions",
            "turns_and_actions",
            "zones_and_summons",
        )
    ],
)
