"""Steps of powers beyond the plain ones: places changed, ways chosen, amounts measured, steps in steps
(STR-TAC-12)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with
from support.told import text_of

from strike_cli.content.merged_content import Book
from strike_cli.file_faults import Fault, Place
from strike_cli.kernel.driver import EnteredDice, play_until_open_decision
from strike_cli.kernel.exact_odds import first_option
from strike_cli.systems.combat.board.square_entry import have_room_at_each_others_places
from strike_cli.systems.combat.bots.outcome_forecast import attack_odds
from strike_cli.systems.combat.commands.power_descriptions import cost_and_effects_line
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.powers.power_use import UsePower
from strike_cli.systems.combat.powers.powers_and_targets import Aim, PowerUse
from strike_cli.systems.combat.powers.step_amounts import determine_step_amount
from strike_cli.systems.combat.powers.step_play_and_summaries import WouldDoNothing, must_affect_somebody
from strike_cli.systems.combat.steps import amount_in_words
from strike_cli.systems.combat.steps.step import STEPS, EffectStep, step_class_of, step_words_on_sheet
from strike_cli.systems.combat.validation import fight_rule_faults_of_content_item
from strike_cli.tabletop.active_effects import effects_on


class Tide(EffectStep):
    """A step as a plugin brings it."""

    amount: int
    high: bool = False


POWERS = """
[powers]
change = { action = "role", range = 5, effect = [{ do = "swap" }] }
lead = { action = "role", range = 5, effect = [{ do = "push", amount = 3, way = "chosen" }] }
drain = { reach = 1, damage = 5, effect = [{ do = "token", to = "self" }], hit = [
  { do = "heal", to = "self", amount = { of = "dealt", half = "up" } }] }
press = { action = "role", range = 5, effect = [
  { do = "damage", amount = 2, if = "adjacent" }, { do = "damage", amount = 1 }] }
breathe = { action = "role", who = "self", effect = [
  { do = "heal", to = "self", amount = 2, if = "hidden" },
  { do = "heal", to = "self", amount = 1 },
  { do = "note", to = "self", text = "A breath." }] }
shake-off = { name = "Shake off", action = "role", range = 5, effect = [
  { do = "save", status = "ongoing" }, { do = "note", text = "It shakes." }] }
twice = { action = "role", range = 5, effect = [
  { do = "damage", amount = 3 },
  { do = "damage", amount = 2 },
  { do = "heal", to = "self", amount = { of = "dealt" } }] }
surge = { action = "role", range = 5, effect = [
  { do = "damage", amount = { die = 6, plus = 1, most = 5 } }] }
crowded = { action = "role", range = 5, effect = [
  { do = "damage", amount = { of = "enemies-adjacent", times = 2 } }] }
cleanse = { action = "role", range = 5, effect = [{ do = "end" }, { do = "damage", amount = 1 }] }
pick-up = { name = "Pick up", action = "role", range = 5, effect = [
  { do = "end", status = "prone" }, { do = "damage", amount = 1 }] }
nudge = { action = "role", range = 5, effect = [{ do = "shift", amount = 1 }] }
drag = { action = "role", range = 5, effect = [{ do = "slide", amount = 1 }] }
fling = { action = "role", range = 5, effect = [{ do = "teleport", amount = 1 }] }
spark = { reach = 1, damage = 1, hit = [{ do = "damage", amount = { die = 6 } }] }
reel = { action = "role", range = 9, targets = 3, effect = [{ do = "swap", partner = "next-target" }] }
deep = { action = "role", range = 5, effect = [{ do = "repeat", amount = 2, steps = [
  { do = "repeat", amount = 2, steps = [
    { do = "repeat", amount = 2, steps = [{ do = "damage", amount = 1 }] }] }] }] }

[statuses.spiked]
name = "Spiked"
reactions = [{ on = "moved", do = "steps", steps = [
  { do = "damage", to = "around", within = 3, amount = 40 }] }]

[statuses.crossed]
name = "Crossed"
reactions = [
  { on = "enters", do = "steps", steps = [{ do = "note", to = "self", text = "There." }] },
  { on = "leaves", do = "steps", steps = [{ do = "note", to = "self", text = "Away." }] }]

[powers.reap]
name = "Reap"
reach = 1
targets = 2
damage = 3
hit = [{ do = "heal", to = "self", amount = { of = "dealt" } }]
always = [{ do = "heal", to = "self", amount = { of = "dealt" } }]

[powers.either]
name = "Either"
action = "role"
range = 5

[[powers.either.effect]]
do = "choose"
options = [
  { name = "Burn", steps = [{ do = "damage", amount = 2 }] },
  { name = "Trip up", steps = [{ do = "apply", status = "prone", duration = "permanent" }] },
]

[powers.shards]
name = "Shards"
reach = 1
damage = 2
hit = [{ do = "roll", to = "enemies", within = 2, from = "target", faces = { 1-3 = [], 4-6 = [
  { do = "damage", amount = 2 }] } }]
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return book_with(POWERS, "vex", "brann")


def use(game: Game, power: str, *targets: str, **more: Any) -> dict[str, Any]:
    return game.play("combat use", who="vex", power=power, targets=list(targets), **more)


def test_two_change_places(game: Game) -> None:
    """Both at once, without an Opportunity; nobody else moves."""
    game.draw("Vg..p").begin("vex")
    use(game, "change", "post")
    assert (game.of("vex", "at"), game.of("post", "at"), game.of("goblin", "at")) == ("E1", "A1", "B1")
    assert "Vex and Training Post change places." in game.texts()


def test_who_changes_places_enters_the_zones_there(game: Game) -> None:
    """STR-TAC-21, 23: each of the two is hurt where it comes to, sets off what reacts to who comes in and
    goes out, and finds who is hidden from its old place alone."""
    game.draw("V...p", "####.", "....g").begin("vex").put("goblin", hidden=True, hiding=1)
    for called, square in (("Fire", "A1"), ("Ice", "E1")):
        zone = {"by": "goblin", "damage": 1, "difficult": False, "secret": False, "status": "crossed"}
        game.play("combat zone add", called=called, squares=[square], **zone)
    use(game, "change", "post")
    assert (game.lost("vex"), game.lost("post")) == (1, 1)
    crossed = [text.removeprefix("Crossed: ") for text in game.texts() if text.startswith("Crossed: ")]
    assert sorted(crossed) == ["Away.", "Away.", "There.", "There."]
    assert not game.of("goblin", "hidden")


def test_who_has_no_room_changes_no_places(game: Game) -> None:
    """An ogre of two squares a side doesn't fit where Vex stands: nothing is spent."""
    game.draw("V.x.", "##..").begin("vex")
    with pytest.raises(WouldDoNothing):
        use(game, "change", "ogre")


def test_nobody_changes_places_with_themselves_or_who_is_not_there(game: Game) -> None:
    game.draw("V..p").begin("vex")
    assert have_room_at_each_others_places(Fight(game.world), "vex", "post")
    assert not have_room_at_each_others_places(Fight(game.world), "vex", "vex")
    game.put("post", at=None)
    assert not have_room_at_each_others_places(Fight(game.world), "vex", "post")
    assert not have_room_at_each_others_places(Fight(game.world), "post", "vex")


def test_a_push_along_a_way_that_is_chosen(game: Game) -> None:
    """Each step further from Vex, each asked for; it may end early."""
    game.draw(".....", "Vp...", ".....").begin("vex")
    question = game.asked("combat use", who="vex", power="lead", targets=["post"])
    assert set(question.options) == {"C1", "C2", "C3", "stay"}
    use(game, "lead", "post", choose=["C1", "D1", "stay"])
    assert game.of("post", "at") == "D1"


def test_a_chosen_way_ends_where_who_is_pushed_falls(game: Game) -> None:
    """STR-TAC-07, 21: in a fire that is on it; nobody is asked for a square more."""
    game.draw("Vp...").begin("vex").put("post", hp=1)
    game.play("combat zone add", called="Fire", squares=["C1"], damage=9)
    use(game, "lead", "post", choose=["C1"])
    assert (game.of("post", "out"), game.of("post", "at")) == ("taken-out", None)


def test_a_chosen_way_ends_where_who_pushes_falls(game: Game) -> None:
    """STR-TAC-12: to what answers the first square; nobody is left who could choose the next."""
    game.draw("Vp...").begin("vex")
    game.play("combat status add", who="post", status="spiked", ends="permanent")
    use(game, "lead", "post", choose=["C1"])
    assert (game.of("vex", "out"), game.of("post", "at")) == ("taken-out", "C1")


@pytest.mark.parametrize(("power", "asked"), [("nudge", "brann"), ("drag", "vex"), ("fling", "vex")])
def test_who_says_where_to(game: Game, power: str, asked: str) -> None:
    """STR-TAC-07: who shifts goes where they like; who is slid or teleported, where the other likes."""
    game.draw("V..", ".B.", "...").begin("vex")
    question = game.asked("combat use", who="vex", power=power, targets=["brann"])
    assert (question.who, len(question.options)) == (asked, 8)


def test_a_status_that_ends(game: Game) -> None:
    """STR-TAC-12: without a name any that harms, and the table hears where there is none; a named one that
    nobody has is no news."""
    game.draw("V..p").begin("vex").afflict("post", "prone", "guarded", ends="save")
    nothing = "Cleanse: Training Post has nothing that it could end."
    for power, said in (("cleanse", []), ("cleanse", [nothing]), ("pick-up", [])):
        game.set("fight.turn", {})
        use(game, power, "post")
        assert game.statuses("post") == ["guarded"]
        assert [text for text in game.texts() if "could end" in text] == said


@pytest.mark.parametrize(("rows", "lost"), [("Vp.", 3), ("V.p", 1)])
def test_what_is_for_who_is_adjacent(game: Game, rows: str, lost: int) -> None:
    """STR-TAC-12."""
    use(game.draw(rows).begin("vex"), "press", "post")
    assert game.of("post", "hp") == 99 - lost


@pytest.mark.parametrize(("hidden", "hp"), [(True, 4), (None, 2)])
def test_what_is_for_who_is_hidden_and_alone(game: Game, hidden: bool | None, hp: int) -> None:
    """STR-TAC-12, 23: of a step for oneself, from anybody at all."""
    use(game.draw("V.p").begin("vex").put("vex", hp=1, hidden=hidden), "breathe")
    assert game.of("vex", "hp") == hp


def noted_powers(game: Game) -> dict[str, Any]:
    """Whose power each note of the last command is of, where that is told."""
    noted = (fact for fact in game.facts if fact.kind == "noted")
    return {text_of(fact, game.world): fact.details.get("power_of") for fact in noted}


def test_a_save_at_once_is_against_the_worst(game: Game) -> None:
    """STR-TAC-03, 12: of several of a kind; the table hears whose power it is where it is another's."""
    game.draw("V.p").begin("vex")
    held = [{"id": "core:ongoing", "value": value, "ends": "save"} for value in (2, 5, 3)]
    use(game.put("post", statuses=held), "shake-off", "post", dice=[6])
    assert [status["value"] for status in game.of("post", "statuses")] == [2, 3]
    assert noted_powers(game) == {"Shake off: It shakes.": "vex"}
    game.set("fight.turn", {})
    use(game, "breathe")
    assert noted_powers(game) == {"Breathe: A breath.": None}


def test_what_follows_from_hp_is_ended_by_no_power(game: Game) -> None:
    """STR-TAC-15: it is permanent."""
    game.draw("V..p").begin("vex").afflict("post", "incapacitated")
    use(game, "cleanse", "post")
    assert "Cleanse: Training Post has nothing that it could end." in game.texts()


def test_all_that_steps_dealt_counts(game: Game) -> None:
    """STR-TAC-12."""
    use(game.draw("V.p").begin("vex").put("vex", hp=1), "twice", "post")
    assert game.of("vex", "hp") == 6


def test_a_drain_heals_half_of_what_it_dealt(game: Game) -> None:
    """Half of 5 rounded up is 3; of a critical hit's 10 it is 5."""
    for die, healed in ((5, 3), (6, 5)):
        game.state = {}
        game.draw("Vp").begin("vex").put("vex", hp=1)
        game.attack("vex", "post", power="drain", dice=[die])
        assert game.of("vex", "hp") == 1 + healed


def test_each_roll_counts_what_it_dealt_and_what_comes_afterwards_all(game: Game) -> None:
    """STR-TAC-12: 3 and 6 at two targets, and 9 in the end."""
    game.draw("p.", "Vp").begin("vex").put("vex", hp=1, max_hp=50)
    game.attack("vex", "post-1", "post-2", power="reap", dice=[5, 6])
    healed = [fact.details["amount"] for fact in game.facts if fact.kind == "healed"]
    assert healed == [3, 6, 9]


def test_a_count_times_so_much(game: Game) -> None:
    """2 enemies adjacent, twice as many HP."""
    game.draw("gVg.p").begin("vex")
    before = game.of("post", "hp")
    use(game, "crowded", "post")
    assert before - game.of("post", "hp") == 4


def test_one_of_several_is_chosen(game: Game) -> None:
    game.draw("V.p").begin("vex")
    assert game.asked("combat use", who="vex", power="either", targets=["post"]).options == (
        "burn",
        "trip-up",
    )
    use(game, "either", "post", choose=["trip-up"])
    assert game.statuses("post") == ["prone"]


def test_each_near_the_target_has_a_die_of_its_own(game: Game) -> None:
    """Two near it, one too far: two dice, and one is hurt."""
    game.draw("Vpgg..g").begin("vex").put("goblin-1", hp=10).put("goblin-2", hp=10)
    game.attack("vex", "post", power="shards", dice=[5, 2, 4])
    assert [game.of(f"goblin-{n}", "hp") for n in (1, 2)] == [10, 8]


def test_odds_count_what_a_step_rolls(game: Game) -> None:
    """STR-TAC-09: a surge on a hit is counted by its own die."""
    game.draw("Vp").begin("vex")
    odds = attack_odds(game.world, UsePower(who="vex", targets=["post"], power="spark"))
    assert odds.plays == 0
    mean = sum(float(chance) * line[0].damage for line, chance in odds.items() if line[0])
    # 3, 4 and 5 deal 1, a 6 deals 2; on each of these a d6 more.
    assert mean == pytest.approx((3 * 1 + 2 + 4 * 3.5) / 6)


def test_words(book: Book) -> None:
    """What is written can be read back."""
    said = {key.rpartition(":")[2]: cost_and_effects_line(book, book.powers[key]) for key in book.powers}
    assert said["drain"].endswith("on a hit: oneself: heals half the damage dealt, rounded up")
    assert said["lead"] == "role action: pushed 3, square by square"
    assert said["surge"] == "role action: 1d6 + 1, at most 5 more damage"
    assert said["either"] == "role action: one of: Burn (2 more damage) or Trip up (Prone (until ended))"
    assert (
        "each enemy within 2 of the target: a die each (1-3: nothing; 4-6: 2 more damage)" in said["shards"]
    )


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (3, "3"),
        ({"die": 8}, "1d8"),
        ({"die": 6, "dice": 2, "times": 3, "plus": -1}, "3 times 2d6 - 1"),
        ({"of": "dealt", "times": 1, "plus": 2}, "the damage dealt + 2"),
        (
            {"of": "missing", "half": "up", "least": 1, "most": 9},
            "half the missing HP, rounded up, at least 1, at most 9",
        ),
    ],
)
def test_an_amount_in_words(book: Book, amount: Any, words: str) -> None:
    assert amount_in_words(book, amount) == words


PRONE, SWAP = "core:prone", {"do": "swap", "to": "target"}
SAYS = [
    ({"do": "apply", "status": PRONE, "duration": "save"}, "Prone (save ends)"),
    ({"do": "apply", "status": "core:ongoing", "amount": 2}, "Ongoing damage 2"),
    ({"do": "end"}, "ends a harmful status"),
    ({"do": "end", "status": PRONE}, "ends Prone"),
    ({"do": "damage", "amount": 2, "if": "bloodied"}, "2 more damage if Bloodied"),
    ({"do": "damage", "amount": 2, "if_status": PRONE, "once": "scene"},
     "2 more damage if Prone, once a fight"),
    *(
        ({"do": "heal", "amount": 1, "to": to}, f"{whom}: heals 1" if whom else "heals 1")
        for to, whom in {
            "target": "", "self": "oneself", "ally": "an ally", "allies": "each ally",
            "enemies": "each enemy", "around": "all",
            "doer": "the actor", "befallen": "the victim", "giver": "the giver",
            "inside": "everybody in it", "summons": "one's summons", "other": "the other one",
        }.items()
    ),
    ({"do": "heal", "amount": 1, "to": "allies", "within": 2, "from": "target"},
     "each ally within 2 of the target: heals 1"),
    *(
        ({"do": do, "amount": 2}, f"{done} 2")
        for do, done in {
            "push": "pushed", "pull": "pulled", "slide": "slid", "teleport": "teleported", "shift": "shifts",
        }.items()
    ),
    (SWAP, "changes places with the other"),
    ({"do": "choose", "by": "target", "options": [{"name": "A", "steps": [SWAP]}]},
     "chooses: A (changes places with the other)"),
    ({"do": "repeat", "amount": 2, "steps": [SWAP, {"do": "end", "to": "self"}]},
     "2 times: changes places with the other, then oneself: ends a harmful status"),
    ({"do": "roll", "faces": {"1-6": []}}, "a die each (1-6: nothing)"),
    ({"do": "reroll"}, "the die is rolled again"),
    ({"do": "reduce", "amount": 2}, "2 less"),
    ({"do": "halve"}, "half of it, rounded down"),
    ({"do": "halve", "half": "up"}, "half of it, rounded up"),
    ({"do": "prevent"}, "it doesn't happen"),
    ({"do": "redirect"}, "it happens to them instead"),
    ({"do": "save"}, "a Saving Throw at once"),
    ({"do": "zone", "name": "Mud"}, "a zone, Mud"),
    (
        {"do": "zone", "name": "Mud", "amount": 2, "difficult": True, "sight": "dark", "blocks": True,
         "cover": True, "status": PRONE, "who": "enemies", "spread": 1, "along": True,
         "duration": "turn-start"},
        "a zone, Mud within 1, that moves along (2 damage, difficult, dark, a wall, cover, Prone, "
        "for enemies) (until the next turn starts)",
    ),
    ({"do": "zone", "name": "Wall", "length": 3}, "a zone, Wall, 3 squares drawn"),
    ({"do": "move-zone"}, "the zone moves 1"),
    ({"do": "move-zone", "zone": "Mud", "amount": 2, "way": "chosen"}, "Mud moves 2"),
    ({"do": "move-zone", "zone": "Mud", "way": "away"}, "Mud moves 1 away"),
    ({"do": "move-zone", "zone": "Mud", "way": "nearer"}, "Mud moves 1 nearer"),
    ({"do": "move-zone", "zone": "Mud", "way": "random"}, "Mud moves 1 at random"),
    ({"do": "grow-zone", "zone": "Mud"}, "Mud grows by 1"),
    ({"do": "end-zone", "zone": "Mud"}, "Mud ends"),
    ({"do": "summon", "creature": "goblin"}, "calls Goblin"),
    ({"do": "summon", "creature": "goblin", "turns": "own"}, "calls Goblin"),
    ({"do": "summon", "creature": "goblin", "amount": 2, "near": 3, "turns": "maker", "stays": True},
     "calls 2 x Goblin within 3, acting after them, that stays"),
    ({"do": "summon", "creature": "goblin", "turns": "none", "duration": "until", "until": "damaged"},
     "calls Goblin, without turns (until damaged)"),
    ({"do": "dismiss"}, "is gone"),
    ({"do": "token"}, "a Miss Token"),
    ({"do": "token", "amount": 2}, "2 Miss Tokens"),
    ({"do": "strike"}, "a Strike"),
    ({"do": "strike", "amount": 2}, "2 Strikes"),
    ({"do": "ap"}, "an Action Point"),
    ({"do": "ap", "amount": 2}, "2 Action Points"),
    ({"do": "regain"}, "an Encounter power again"),
    ({"do": "attack"}, "makes a basic attack"),
    ({"do": "attack", "uses": "any", "range": "melee", "at": "target"},
     "makes any attack in melee against the target"),
    ({"do": "attack", "range": "ranged", "at": "other", "near": 2},
     "makes a basic attack at range against somebody else within 2 of the target"),
    ({"do": "attack", "power": "plain-cut"}, "attacks with Plain Cut"),
    ({"do": "move"}, "moves"),
    ({"do": "move", "amount": 3}, "moves up to 3"),
    ({"do": "note", "text": "It rains."}, "It rains"),
    ({"do": "raise", "status": PRONE, "amount": 2, "most": 5}, "Prone +2, 5 at most"),
    ({"do": "raise", "this": True}, "its number +1"),
    ({"do": "lower", "status": PRONE}, "Prone -1"),
    ({"do": "swap", "to": "ally", "partner": "target"}, "an ally: changes places with the target"),
    ({"do": "opportunity", "to": "giver"}, "the giver: an Opportunity"),
    ({"do": "lose-control", "faces": {"1-5": [{"do": "take-cover", "to": "target"}], "6": []}},
     "a die of control (1-5: takes cover; 6: nothing)"),
    *(({"do": do}, words) for do, words in {
        "run-at": "runs at the giver", "run-from": "runs from the giver", "take-cover": "takes cover",
        "charge": "charges the giver", "melee": "makes a melee basic attack",
        "ranged": "makes a ranged basic attack",
    }.items()),
    ({"do": "handler", "handler": "elements:leap-off"}, "leap off"),
    ({"do": "handler", "handler": "elements:leap-off", "text": "jumps."}, "jumps"),
]  # fmt: skip


def test_a_step_on_a_sheet(book: Book) -> None:
    """STR-TAC-12: in few words."""
    for step, words in SAYS:
        with case(step, words):
            assert step_words_on_sheet(book, {"to": "target", **step}) == words


def test_every_step_stands_on_a_sheet() -> None:
    assert {step["do"] for step, _ in SAYS} == STEPS.keys()


def test_what_excludes_what_in_a_step() -> None:
    """STR-TAC-12: it is said where it stands, and what goes together isn't minded."""
    zone, call = {"do": "zone", "name": "Mud"}, {"do": "summon", "creature": "goblin"}
    whole = ()
    for step, at in (
        ({"do": "apply", "status": PRONE}, None),
        ({"do": "apply", "status": PRONE, "until": "damaged"}, whole),
        ({"do": "apply", "status": PRONE, "duration": "until"}, whole),
        ({"do": "apply", "status": PRONE, "duration": "until", "until": "damaged"}, None),
        ({"do": "end", "status": PRONE}, None),
        ({"do": "end", "this": True}, None),
        ({"do": "end", "this": True, "status": PRONE}, ("status",)),
        ({"do": "raise", "this": True}, None),
        ({"do": "raise", "status": PRONE}, None),
        ({"do": "raise", "status": PRONE, "this": True}, whole),
        ({"do": "lower"}, whole),
        ({"do": "raise", "status": PRONE, "until": "damaged"}, whole),
        ({"do": "raise", "status": PRONE, "duration": "until"}, whole),
        ({"do": "raise", "status": PRONE, "duration": "until", "until": "damaged"}, None),
        ({"do": "repeat", "amount": 10}, None),
        ({"do": "repeat", "amount": 11}, ("amount",)),
        ({**zone, "duration": "turn-start"}, None),
        ({**call, "duration": "turn-end"}, None),
        (call, None),
        ({**zone, "along": True, "spread": 1}, None),
        ({**zone, "along": True, "spread": 1, "blocks": True}, ("blocks",)),
        ({**zone, "along": True}, whole),
        ({**zone, "length": 2, "blocks": True}, None),
        ({**zone, "length": 2, "spread": 1}, ("length",)),
        ({**zone, "length": 2, "along": True, "spread": 1}, ("length",)),
        ({**zone, "who": "enemies"}, ("who",)),
        ({**zone, "who": "enemies", "amount": 1}, None),
        ({**zone, "who": "enemies", "status": PRONE}, None),
    ):
        with case(step):
            faults: list[Fault] = []
            step_class_of(None, step).check(dict(step), Place("effect", 1), faults)
            assert [fault.place for fault in faults] == ([] if at is None else [Place("effect", 1, *at)])


def test_four_steps_may_stand_in_one_another(game: Game) -> None:
    """STR-TAC-12: the innermost is played as often as all of them say."""
    use(game.draw("V..p").begin("vex"), "deep", "post")
    assert game.of("post", "hp") == 99 - 2**3


def test_what_an_amount_comes_to(book: Book) -> None:
    """STR-TAC-12: dice or a measure, times, then half, then more or less, within bounds."""
    for amount, faces, comes_to in (
        (4, [], 4),
        ({"die": 4}, [3], 3),
        ({"die": 4, "dice": 3}, [1, 2, 4], 7),
        ({"die": 6, "times": 2, "plus": -1}, [5], 9),
        ({"die": 6, "half": "up"}, [5], 3),
        ({"die": 6, "half": "down"}, [5], 2),
        ({"die": 6, "plus": 2, "most": 5}, [5], 5),
        ({"die": 6, "plus": 2, "most": 5}, [2], 4),
        ({"die": 6, "plus": -3}, [1], 0),
        ({"die": 6, "plus": -3, "least": 2}, [1], 2),
        ({"of": "missing"}, [], 6),
        ({"of": "missing", "half": "up", "times": 3}, [], 9),
        ({"of": "missing", "share": 4}, [], 1),
        ({"of": "missing", "share": 4, "times": 3, "half": "up"}, [], 2),
        ({"of": "missing", "plus": 1}, [], 7),
        ({"of": "round"}, [], 1),
    ):
        with case(amount, faces, comes_to):
            game = Game(book).draw("V..p").begin("vex").put("post", hp=93)
            use = PowerUse("vex", {"name": "Surge"}, Aim(("post",)))
            rolled = EnteredDice(faces)
            played = play_until_open_decision(
                determine_step_amount(game.world, use, amount, "post"), game.world, rolled, first_option
            )
            rolled.check_all_used()
            assert played.data == comes_to


def test_what_is_added_to_nothing(book: Book) -> None:
    """STR-TAC-12: no tokens, no status, nobody adjacent to who isn't on the map, no number of a status, no
    status that reacts."""
    words = ("strikes", "tokens", "allies-adjacent", "enemies-adjacent", "missing", "dealt", "value")
    amounts: list[dict[str, Any]] = [{"of": word} for word in words]
    amounts += [{"of": "value", "status": f"core:{status}"} for status in ("prone", "slowed")]
    game = Game(book).draw("Vp.").begin("vex")
    for places in ({}, {"at": None}):
        game.put("vex", **places).put("post", statuses=[{"id": "core:prone", "ends": "save"}])
        prone = next(iter(effects_on(game.world, "post")))
        for amount, held in product(amounts, (prone, None)):
            use = PowerUse("vex", {"name": "Surge"}, Aim(("post",)), held=held)
            with case(amount, held, places):
                counted = determine_step_amount(game.world, use, {**amount, "plus": 3}, "post")
                near = amount["of"] == "enemies-adjacent" and not places
                assert (
                    play_until_open_decision(counted, game.world, EnteredDice([]), first_option).data
                    == 3 + near
                )


def test_one_square_to_go_to_is_a_choice(game: Game) -> None:
    """STR-TAC-12: that one, or to stay."""
    before = game.draw("Vp.").begin("vex").state
    assert set(game.asked("combat use", who="vex", power="drag", targets=["post"]).options) == {"C1", "stay"}
    for chosen, at in (("C1", "C1"), ("stay", "B1")):
        game.state = before
        use(game, "drag", "post", choose=[chosen])
        assert game.of("post", "at") == at


READ = """
do = "apply", status = "prone", duration = "turn-end", whose = "target"
do = "apply", status = "ongoing", duration = "until", until = "damaged", amount = 2
do = "end", status = "prone"
do = "damage", amount = 1
do = "heal", amount = 1
do = "push", amount = 1, way = "chosen"
do = "pull", amount = 1, way = "chosen"
do = "slide", amount = 1, way = "chosen"
do = "shift", amount = 1
do = "teleport", amount = 1
do = "swap"
do = "choose", by = "target", options = [{ name = "A", steps = [S] }, { name = "B", steps = [S] }]
do = "repeat", amount = 2, steps = [S]
do = "roll", faces = { 1-6 = [] }
do = "save", status = "prone"
do = "zone", name = "Mud", amount = 1, difficult = true, sight = "dark", duration = "turn-end"
do = "zone", name = "Mud", along = true, spread = 1, status = "slowed", who = "enemies"
do = "zone", name = "Wall", blocks = true, cover = true, length = 2
do = "damage", amount = 1, to = "inside", zone = "Mud"
do = "move-zone", zone = "Mud", amount = 1, way = "away"
do = "grow-zone", zone = "Mud", amount = 1
do = "end-zone", zone = "Mud"
do = "summon", creature = "goblin", amount = 2, near = 1, turns = "own", duration = "turn-end", stays = true
do = "dismiss"
do = "token", amount = 1
do = "strike", amount = 1
do = "ap", amount = 1
do = "regain"
do = "attack", uses = "any", range = "melee", at = "target", near = 1
do = "attack", power = "plain-cut"
do = "move", amount = 1
do = "note", text = "It rains."
do = "damage", amount = 1, to = "around", within = 2, from = "target", if_status = "prone", once = "turn"
do = "damage", amount = 1, if = "bloodied"
"""


def test_what_each_step_reads_is_taken() -> None:
    """STR-TAC-12: every key of docs/power-reference.md, where it belongs."""
    lines = READ.replace("[S]", '[{ do = "swap" }]').strip().splitlines()
    every = ", ".join(f"{{ {line} }}" for line in lines)
    book = book_with(f'[powers.all]\nname = "All"\naction = "role"\nrange = 5\neffect = [{every}]\n')
    assert len(book.powers["all"]["effect"]) == len(lines)


def test_a_plugins_step_lacks_nothing_and_has_nothing_more() -> None:
    """STR-TAC-12: looked at where it stands, in whatever part, and within others; of statuses, too."""
    tide = {"do": "x:tide", "to": "self"}
    steps = {"x:tide": {"calls": f"{__name__}:Tide"}}
    power = {"effect": [{**tide, "amount": 1}], "miss": [{"do": "repeat", "to": "self", "steps": [tide]}]}
    tables = {"powers": {"wave": power}, "steps": steps}
    assert fight_rule_faults_of_content_item("powers", "wave", tables) == [
        Fault(Place("miss", 1, "steps", 1), "x:tide needs an amount")
    ]
    power["hit"] = [{**tide, "amount": 1, "way": "away", "if": "flanked", "high": True}]
    found = fight_rule_faults_of_content_item("powers", "wave", tables)
    assert found == [
        Fault(Place("hit", 1, "way"), "x:tide has none; it belongs to push, pull, slide, move-zone"),
        Fault(Place("miss", 1, "steps", 1), "x:tide needs an amount"),
    ]
    status = {"reactions": [{"steps": []}, {"steps": [tide]}]}
    found = fight_rule_faults_of_content_item(
        "statuses", "wet", {"statuses": {"wet": status}, "steps": steps}
    )
    assert found == [Fault(Place("reactions", 2, "steps", 1), "x:tide needs an amount")]


DRAINED = """
[statuses.drained]
name = "Drained"
"""


def each_alone(steps: Iterable[str]) -> Book:
    """A power of Vex's for each of the steps, after words for the table, and a status with a number."""
    powers = "".join(
        f"""
[powers.try-{number}]
name = "Try"
action = "role"
effect = [{{ do = "note", to = "self", text = "Well." }}, {{ {step} }}]
"""
        for number, step in enumerate(steps)
    )
    return book_with(DRAINED + powers, "vex")


def test_what_a_step_says_that_comes_to_nothing() -> None:
    """STR-TAC-12: why, and of whom."""
    cases = (
        ("V.p", 'do = "apply", status = "prone"', "Training Post is Prone already"),
        ("V.p", 'do = "end"', "Training Post has nothing that it could end"),
        ("V.p", 'do = "end", status = "slowed"', "Training Post is not Slowed"),
        ("V.p", 'do = "lower", status = "ongoing"', "Training Post doesn't have Ongoing damage"),
        ("V.p", 'do = "raise", status = "drained", most = 2', "Training Post's Drained goes no higher"),
        ("V.p", 'do = "save"', "Training Post has nothing to save against"),
        ("V.p", 'do = "swap", partner = "giver"', "nobody is there to change places with Training Post"),
        ("V.x. ##..", 'do = "swap"', "Vex and Ogre can't change places"),
        ("V.p", 'do = "dismiss"', "Training Post was not summoned"),
        ("V.p", 'do = "token"', "only players' characters get any, and Training Post is not one"),
        ("V.p", 'do = "strike"', "only players' characters get any, and Training Post is not one"),
        ("V.p", 'do = "ap"', "only players' characters get any, and Training Post is not one"),
        ("V#p", 'do = "move", amount = 1', "Training Post has nowhere to go"),
        ("V.p", 'do = "heal", amount = 1, to = "ally"', "nobody is there for Vex to choose"),
        ("V.p", 'do = "opportunity", to = "self"', "it comes to nothing"),
        ("V.p........", 'do = "summon", creature = "goblin", amount = 9, near = 9, turns = "none"',
         "no more can come"),
    )  # fmt: skip
    book = each_alone(step for _, step, _ in cases)
    for number, (row, step, words) in enumerate(cases):
        with case(row, step):
            game = Game(book).draw(*row.split()).begin("vex")
            (target,) = (one for one in game.get("fight.combatants") if one != "vex")
            held = {
                "prone": [{"id": "core:prone", "ends": "permanent"}],
                "drained": [{"id": "drained", "ends": "save", "value": 2}],
            }
            game.put(target, statuses=[one for word in held for one in held[word] if word in step])
            where = [f"{column}1" for column in "BDEFGH"] if "summon" in step else []
            use(game, f"try-{number}", target, choose=where)
            said = [text for text in game.texts() if text.startswith("Try: ")]
            assert said == ["Try: Well.", f"Try: {words}."]


def test_which_steps_would_do_something(book: Book) -> None:
    """STR-TAC-12: what heals nobody, ends nothing and is for nobody isn't used up; as soon as there is
    somebody whom it does something to, it is."""
    prone, slowed = ([{"id": f"core:{one}", "ends": "save", "by": "vex"}] for one in ("prone", "slowed"))
    lasting = [{**prone[0], "ends": "permanent"}]
    mud = {"name": "Mud", "squares": ["C1"], "by": "vex", "ends": "encounter"}
    called = {f"hound-{n}": {"summoned": {"by": "vex", "ends": "encounter"}, "hp": 1} for n in range(6)}
    post, zones, people = "combatants.post", "zones.mud", "combatants"
    for step, path, nothing, something in (
        ({"do": "heal", "amount": 2}, f"{post}.hp", 99, 98),
        ({"do": "heal", "amount": {"die": 6}}, f"{post}.hp", 99, 98),
        ({"do": "heal", "amount": 3}, f"{post}.boxes", (98, 4), (98, 3)),
        ({"do": "heal", "amount": {"die": 6}}, f"{post}.boxes", (99, 4), (98, 4)),
        ({"do": "end"}, f"{post}.statuses", [], prone),
        ({"do": "end", "status": "core:prone"}, f"{post}.statuses", slowed, prone),
        ({"do": "save"}, f"{post}.statuses", lasting, prone),
        ({"do": "save", "status": "core:slowed"}, f"{post}.statuses", prone, slowed),
        ({"do": "lower", "status": "core:prone"}, f"{post}.statuses", slowed, prone),
        ({"do": "regain", "to": "self"}, "combatants.vex.used", ["core:rally"], ["last-word"]),
        ({"do": "move-zone", "zone": "Mud"}, zones, {**mud, "by": "post"}, mud),
        ({"do": "grow-zone", "zone": "Mud"}, zones, {**mud, "name": "Ice"}, mud),
        ({"do": "end-zone", "zone": "Mud"}, zones, {**mud, "name": "Ice"}, mud),
        ({"do": "damage", "amount": 1, "if": "bloodied"}, f"{post}.hp", 99, 40),
        ({"do": "damage", "amount": 1, "if": "adjacent"}, f"{post}.at", "C1", "B1"),
        ({"do": "damage", "amount": 1, "if_status": "core:prone"}, f"{post}.statuses", slowed, prone),
        ({"do": "heal", "to": "ally", "amount": 1}, "combatants.brann.hp", 10, 9),
        ({"do": "heal", "to": "ally", "within": 3, "amount": 1}, "combatants.brann.at", "E1", "D1"),
        *(({"do": do}, f"{post}.ref", "post", "odo") for do in ("token", "strike", "ap")),
        ({"do": "summon", "creature": "goblin"}, people, called, dict(list(called.items())[1:])),
    ):
        for value, would in ((nothing, False), (something, True)):
            with case(step, value):
                game = Game(book).draw("V.p..B").begin("vex").put("brann", hp=9)
                everybody = game.get("fight.combatants")
                if path.endswith(".boxes"):
                    game.put("post", hp=value[0], threshold=value[1])
                else:
                    game.set(f"fight.{path}", {**everybody, **value} if path == people else value)
                power = {"id": "try", "name": "Try", "action": "role", "effect": [{"to": "target", **step}]}
                use = PowerUse("vex", power, Aim(("post",)))
                with nullcontext() if would else pytest.raises(WouldDoNothing):
                    must_affect_somebody(Fight(game.world), use)


def test_what_a_step_asks() -> None:
    """STR-TAC-12: whom, in which words, the likeliest answer first; and by what a journal knows the answer,
    an older one by names."""
    which = """options = [
      { name = "Burn", steps = [{ do = "damage", amount = 1 }] },
      { name = "Trip up", steps = [{ do = "swap" }] },
    ]"""
    cases = (
        (f'do = "choose", {which}', "vex", "try-0: which", "Try: which",
         "Vex uses Try against Brann. Which of these?", ("burn", "Burn (1 damage)")),
        (f'do = "choose", by = "target", {which}', "brann", "try-1: which", "Try: which",
         "Brann uses Try. Which of these?", ("burn", "Burn (1 damage)")),
        ('do = "move", amount = 1', "brann", "try-2: move to", "Try: move to",
         "Try: where does Brann move?", ("B1", "")),
        ('do = "heal", amount = 1, to = "ally"', "vex", "try-3: who", "Try: who",
         "Vex uses Try. For which ally?", ("odo", "Odo")),
        ('do = "end"', "brann", "end", "end", "Try: which status of Brann ends?", ("prone", "Prone")),
        ('do = "save"', "brann", "save against", "save against",
         "Try: what does Brann save against?", ("prone", "Prone")),
        ('do = "attack"', "brann", "attack whom", "attack whom",
         "Try: Brann may attack at once with Melee Basic Attack. Whom?", ("goblin", "Goblin")),
        ('do = "summon", creature = "goblin"', "vex", "goblin comes to", "Goblin comes to",
         "Vex calls Goblin. Where does it appear?", ("B1",)),
        ('do = "zone", name = "Wall", length = 2', "vex", "try-8: square 1", "Wall: square 1",
         "Vex draws Wall, square 1 of 2 at most. Which is it?", ("B1",)),
        ('do = "move-zone", zone = "Mud"', "vex", "mud-1 moves", "Mud moves",
         "Vex moves Mud 1 square. Which way?", ("south", "onto Training Post")),
    )  # fmt: skip
    book = each_alone(step for step, *_ in cases)
    for number, (step, who, key, formerly, words, first) in enumerate(cases):
        with case(step):
            game = Game(book).draw("V.B.O", "g.p..").begin("vex").put("odo", hp=2).put("brann", hp=3)
            game.afflict("brann", "prone", "slowed", ends="save")
            game.set(
                "fight.zones.mud-1", {"name": "Mud", "squares": ["C1"], "by": "vex", "ends": "encounter"}
            )
            asked = game.asked("combat use", who="vex", power=f"try-{number}", targets=["brann"])
            assert (asked.who, *asked.keys, asked.text) == (who, key, formerly, words)
            assert (asked.options[0], *asked.labels[:1]) == first


def test_what_a_step_does_that_says_no_more() -> None:
    """STR-TAC-12: one of what it gives, and for the fight, unless a save ends it; of a status that somebody
    has twice that with the highest number."""
    low = {"id": "drained", "ends": "encounter", "value": 2}
    cases: tuple[tuple[str, Any, Any], ...] = (
        ('do = "token", to = "self"', "combatants.vex.miss_tokens", 3),
        ('do = "strike", to = "self"', "combatants.vex.strikes", 1),
        ('do = "apply", status = "prone"', "combatants.post.statuses",
         [{"id": "core:prone", "ends": "save", "by": "vex"}]),
        ('do = "raise", status = "drained"', "combatants.post.statuses",
         [{"id": "drained", "ends": "encounter", "by": "vex", "value": 1}]),
        ('do = "lower", status = "drained", to = "self"', "combatants.vex.statuses",
         [low, {"id": "drained", "ends": "save", "value": 3}]),
        ('do = "raise", status = "drained", to = "self", amount = 100', "combatants.vex.statuses",
         [low, {"id": "drained", "ends": "save", "value": 100}]),
        ('do = "move-zone", zone = "Mud", way = "nearer"', "zones.mud-1.squares", ["D1"]),
        ('do = "move-zone", zone = "Mud", way = "away"', "zones.mud-1.squares", ["F1"]),
        ('do = "grow-zone", zone = "Mud"', "zones.mud-1.squares", ["D1", "E1", "F1"]),
        ('do = "summon", creature = "goblin", to = "self"', "combatants.goblin.summoned",
         {"by": "vex", "ends": "encounter"}),
        ('do = "summon", creature = "goblin", to = "self"', "combatants.goblin.at", "B1"),
        ('do = "zone", name = "Ice"', "zones.ice",
         {"name": "Ice", "squares": ["C1"], "by": "vex", "ends": "encounter"}),
        ('do = "zone", name = "Ice", spread = 1', "zones.ice.squares", ["B1", "C1", "D1"]),
    )  # fmt: skip
    book = each_alone(step for step, *_ in cases)
    for number, (step, path, comes_to) in enumerate(cases):
        with case(step):
            game = Game(book).draw("V.p......").begin("vex").put("vex", miss_tokens=2)
            game.put("vex", statuses=[low, {"id": "drained", "ends": "save", "value": 4}])
            game.set(
                "fight.zones.mud-1", {"name": "Mud", "squares": ["E1"], "by": "vex", "ends": "encounter"}
            )
            use(game, f"try-{number}", "post", dice=[3] if "summon" in step else [])
            assert game.get(f"fight.{path}") == comes_to


def test_whose_a_status_is_that_a_step_gives() -> None:
    """STR-TAC-03, 12: by turns it ends with those of who uses the power, unless the target's are meant; they
    gave it, unless it is who gave the status that does it."""
    kinds = ('do = "apply", status = "drained"', 'do = "raise", status = "drained"')
    cases = [
        (f'{kind}, duration = "turn-start"{whose}', of)
        for kind in kinds
        for whose, of in (("", "vex"), (', whose = "self"', "vex"), (', whose = "target"', "post"))
    ]
    book = each_alone(step for step, _ in cases)
    for number, (step, of) in enumerate(cases):
        with case(step):
            game = Game(book).draw("V.p").begin("vex")
            use(game, f"try-{number}", "post")
            (held,) = game.of("post", "statuses")
            assert (held["of"], held["by"]) == (of, "vex")
    givers = (("", "vex"), (', by = "self"', "vex"), (', by = "giver"', "post"))
    steps = [(f'{kind}, to = "self"{by}', giver) for kind in kinds for by, giver in givers]
    text = "".join(
        f'[statuses.cursed-{number}]\nname = "Cursed"\n'
        f'reactions = [{{ on = "moved", steps = [{{ {step} }}] }}]\n'
        for number, (step, _) in enumerate(steps)
    )
    book = book_with(DRAINED + text)
    for number, (step, giver) in enumerate(steps):
        with case(step):
            game = Game(book).draw("V.p").begin("vex")
            game.play("combat status add", who="vex", status=f"cursed-{number}", ends="encounter", by="post")
            game.move("vex", "B1")
            (held,) = (one for one in game.of("vex", "statuses") if one["id"] == "drained")
            assert held["by"] == giver


def test_each_of_several_changes_places_with_the_next(game: Game) -> None:
    """STR-TAC-12: one after the other, so that the first of three comes one place on and the last comes
    first."""
    use(game.draw("V.p.p.p").begin("vex"), "reel", "post-1", "post-2", "post-3")
    assert [game.of(f"post-{number}", "at") for number in (1, 2, 3)] == ["E1", "G1", "C1"]
