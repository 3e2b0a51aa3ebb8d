"""Answers: powers, statuses and traits that change what is about to come, the die on the table (STR-TAC-12).
Dice, choices and odds go through the one procedure."""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with
from support.told import text_of

from strike_cli.content.merged_content import Book
from strike_cli.problems import Problem, Refused
from strike_cli.systems.combat.bots.outcome_forecast import attack_odds
from strike_cli.systems.combat.commands.power_descriptions import unusual_cost_and_trigger_words
from strike_cli.systems.combat.powers.power_use import UsePower
from strike_cli.systems.combat.reactions.reaction_events_and_moments import ReactionEvent

POWERS = """
[powers]
spike = { action = "interrupt", on = "hit", effect = [{ do = "damage", amount = 3 }] }
parry = { name = "Parry", action = "interrupt", on = "harmed", effect = [{ do = "reduce", amount = 2 }] }
luck = { name = "Luck", action = "interrupt", usage = "encounter", on = "rolled", result = "hit", effect = [
  { do = "reroll" }] }
take-it = { name = "Take It", action = "interrupt", on = "declared", befalls = "ally", near = 2, effect = [
  { do = "swap", to = "befallen" }, { do = "redirect" }] }
dodge = { name = "Dodge", action = "interrupt", on = "declared", effect = [
  { do = "shift", to = "self", amount = 1 }] }
stay = { name = "Stay", action = "interrupt", on = "moves", near = 3, effect = [{ do = "prevent" }] }
halt = { name = "Halt", action = "interrupt", on = "moves", by = "anybody", near = 3, effect = [
  { do = "prevent" }] }
hush = { name = "Hush", action = "interrupt", on = "uses", near = 5, usage = "encounter", effect = [
  { do = "prevent" }] }
anchor = { name = "Anchor", action = "interrupt", on = "displaced", effect = [
  { do = "reduce", amount = 9 }] }
ward = { name = "Ward", action = "interrupt", on = "struck", befalls = "friend", near = 5, effect = [
  { do = "prevent" }] }
half = { name = "Half", action = "interrupt", on = "harmed", befalls = "ally", near = 3, effect = [
  { do = "halve" }] }
half-up = { name = "Half, rounded up", action = "interrupt", on = "harmed", effect = [
  { do = "halve", half = "up" }] }
half-down = { name = "Half, rounded down", action = "interrupt", on = "harmed", effect = [
  { do = "halve" }] }
scatter = { name = "Scatter", action = "interrupt", on = "declared", effect = [
  { do = "redirect", to = "around" }] }
shout = { name = "Shout", action = "role", range = 5, effect = [{ do = "damage", amount = 3 }] }
ram = { name = "Ram", reach = 1, damage = 1, hit = [{ do = "push", amount = 2 }] }
spite = { name = "Spite", action = "interrupt", on = "displaced", effect = [
  { do = "damage", amount = 40 }] }
crumble = { name = "Crumble", action = "interrupt", on = "displaced", effect = [
  { do = "damage", to = "self", amount = 40 }] }

[powers.again]
name = "Again"
action = "interrupt"
on = "rolled"
by = "friend"
near = 5
result = "miss"
once = "round"
effect = [{ do = "reroll" }]

[powers.last-breath]
name = "Last Breath"
action = "interrupt"
usage = "encounter"
on = "falls"
plan = "deadly"
effect = [{ do = "prevent" }]

[statuses]
shell = { name = "Shell", reactions = [
  { on = "harmed", do = "steps", once = "round", steps = [{ do = "reduce", amount = 3 }] }] }
barbs = { name = "Barbs", reactions = [
  { on = "harmed", do = "steps", steps = [{ do = "damage", amount = 1 }] }] }
"""


@pytest.fixture(scope="module")
def whole() -> Book:
    return book_with(POWERS)


def game_of(whole: Book, **powers: list[str]) -> Game:
    """A game in which those named have these powers besides their own."""
    book = copy(whole)
    book.characters, book.creatures = dict(whole.characters), dict(whole.creatures)
    for who, more in powers.items():
        table = book.characters if who in book.characters else book.creatures
        table[who] = {**table[who], "powers": [*table[who]["powers"], *more]}
    return Game(book)


def hit(game: Game, who: str, target: str, die: int, **more: Any) -> dict[str, Any]:
    return game.attack(who, target, dice=[die, *more.pop("dice", ())], **more)


def damage_of(game: Game, who: str) -> int:
    sheet = game.book.creatures.get(who) or game.book.characters[who]
    return int(sheet.get("melee", {}).get("damage", 2))


def test_an_answer_to_a_fall_needs_no_other_answers() -> None:
    """STR-TAC-12: a table that has nothing against damage may have something against falling by it."""
    text = """
[powers]
last-breath = { name = "Last Breath", action = "interrupt", usage = "encounter", on = "falls", effect = [
  { do = "prevent" }] }
"""
    game = Game(book_with(text, "goblin")).draw("V.g").begin("vex")
    game.play("combat damage", who="goblin", amount=3)
    assert game.of("goblin", "hp") == 1, "no fall to answer"
    game.play("combat damage", who="goblin", amount=3)
    assert (game.of("goblin", "hp"), game.of("goblin", "used")) == (1, ["last-breath"])


# --- before damage


def test_a_player_is_asked_before_the_damage_is_dealt(whole: Book) -> None:
    """The question names the damage; used, it is 2 less; passed, it is whole."""
    game = game_of(whole, vex=["parry"]).draw("gV").begin("goblin")
    question = game.asked("combat attack", who="goblin", targets=["vex"], dice=[5])
    assert (question.who, question.options, question.kind) == ("vex", ("use", "pass"), "answer")
    whole_damage = damage_of(game, "goblin")
    assert f"{whole_damage} damage" in question.text
    state = game.state
    assert hit(game, "goblin", "vex", 5, choose=["pass"])["damage"] == whole_damage
    game.state = state
    assert hit(game, "goblin", "vex", 5, choose=["use"])["damage"] == max(whole_damage - 2, 0)


def test_creatures_answer_by_themselves(whole: Book) -> None:
    game = game_of(whole, post=["parry"]).draw("Vp").begin("vex")
    assert hit(game, "vex", "post", 5)["damage"] == damage_of(game, "vex") - 2


def test_an_ally_nearby_halves(whole: Book) -> None:
    """Odo is 2 away and is asked; 4 away he isn't."""
    for rows, asked in (("gV.O", True), ("gV...O", False)):
        game = game_of(whole, odo=["half"]).draw(rows).begin("goblin")
        choose = ["use"] if asked else []
        lost = damage_of(game, "goblin")
        assert hit(game, "goblin", "vex", 5, choose=choose)["damage"] == (lost // 2 if asked else lost)


def test_half_of_three(whole: Book) -> None:
    """STR-TAC-12."""
    for power, lost in (("half-up", 2), ("half-down", 1)):
        game = game_of(whole, post=[power]).draw("Vp").begin("vex")
        hit(game, "vex", "post", 5)
        assert game.of("post", "hp") == 99 - lost


def test_what_befalls_another_befalls_one_and_never_who_does_it(whole: Book) -> None:
    """STR-TAC-12: the first of several; where there is only who attacks, it stays where it was."""
    for rows, struck in (
        (["Vp"], "post"), (["Vpx.", "...."], "ogre"), (["Vpg.", "..x.", "...."], "goblin")
    ):  # fmt: skip
        game = game_of(whole, post=["scatter"]).draw(*rows).begin("vex")
        before = {who: game.of(who, "hp") for who in game.get("fight.combatants")}
        hit(game, "vex", "post", 5)
        assert [who for who in before if game.of(who, "hp") < before[who]] == [struck]


def test_a_blow_is_taken_for_somebody_once() -> None:
    """STR-TAC-12: what one takes in another's place nobody takes in theirs, nor does it fell them unasked."""
    text = """
[powers]
shield = { name = "Shield", action = "interrupt", on = "harmed", befalls = "ally", near = 5, effect = [
  { do = "redirect" }] }
"""
    game = Game(book_with(text, "odo", "brann")).draw("gVOB").begin("goblin")
    hp = [game.of(who, "hp") for who in ("vex", "odo", "brann")]
    first = game.asked("combat attack", who="goblin", targets=["vex"], dice=[5]).who
    hit(game, "goblin", "vex", 5, choose=["use"])
    lost = {who: before - game.of(who, "hp") for who, before in zip(("vex", "odo", "brann"), hp, strict=True)}
    assert lost == {"vex": 0, "odo": 0, "brann": 0, first: 1}


def test_who_falls_to_an_answer_is_passed_over_and_the_next_one_answers() -> None:
    """STR-TAC-12: each target that still stands answers the attack that is declared, before any roll."""
    text = """
[powers]
volley = { name = "Volley", range = 5, targets = 3, damage = 1 }

[powers.scream]
name = "Scream"
action = "interrupt"
usage = "encounter"
on = "declared"
burst = 3
who = "allies"
effect = [{ do = "damage", amount = 2 }]
"""
    game = Game(book_with(text, "vex", "goblin")).draw("V.ggg").begin("vex").put("goblin-2", hp=2)
    game.attack("vex", "goblin-1", "goblin-2", "goblin-3", power="volley", dice=[1, 1])
    assert [game.of(f"goblin-{n}", "hp") for n in (1, 2, 3)] == [2, 0, 2]
    assert [bool(game.of(f"goblin-{n}", "used")) for n in (1, 2, 3)] == [True, False, True]


def test_what_a_status_prevents_does_not_happen() -> None:
    """STR-TAC-12: whether it is an attack that is declared, that hits, or that harms."""
    for on in ("declared", "struck", "harmed"):
        with case(on):
            reaction = f'{{ on = "{on}", do = "steps", steps = [{{ do = "prevent" }}] }}'
            text = f'[statuses.shy]\nname = "Shy"\nreactions = [{reaction}]\n'
            game = Game(book_with(text, "vex", "goblin")).draw("Vg").begin("vex").afflict("goblin", "shy")
            before = game.of("goblin", "hp")
            game.play("combat attack", who="vex", targets=["goblin"], dice=[] if on == "declared" else [6])
            assert game.of("goblin", "hp") == before


PLANNED = """
[powers.duck]
name = "Duck"
action = "interrupt"
on = "harmed"
plan = "{plan}"
effect = [{{ do = "reduce", amount = 1 }}]
"""


def test_a_creature_answers_by_its_plan() -> None:
    """STR-TAC-12, STR-TAC-15: always, never by itself, while it is Bloodied, or where it would fall."""
    for plan, hp, answers in (
        ("always", 4, True), ("never", 1, False), ("bloodied", 3, False), ("bloodied", 2, True),
        ("deadly", 4, False), ("deadly", 3, True),
    ):  # fmt: skip
        with case(plan, hp, answers):
            book = book_with(PLANNED.format(plan=plan), "goblin")
            game = Game(book).draw("Vg").begin("vex").put("goblin", hp=hp)
            game.attack("vex", "goblin", dice=[5])
            assert hp - game.of("goblin", "hp") == (2 if answers else 3)


def test_what_nobody_does_is_answered_unless_somebody_must_do_it() -> None:
    """STR-TAC-12: damage that the game master says is nobody's."""
    for by, answered in (("", True), ('by = "anybody"', True), ('by = "foe"', False)):
        with case(by):
            text = PLANNED.format(plan="always") + f'befalls = "self"\n{by}\n'
            game = Game(book_with(text, "goblin")).draw("V.g").begin("vex")
            game.play("combat damage", who="goblin", amount=2)
            assert game.of("goblin", "hp") == (3 if answered else 2)


def test_nobody_answers_whom_they_dont_see() -> None:
    """STR-TAC-23: an ally of who is attacked by somebody Hidden has nothing to answer; the attacked has."""
    text = PLANNED.format(plan="always") + 'befalls = "friend"\n'
    for who, lost in (("goblin-1", 2), ("goblin-2", 3)):
        game = Game(book_with(text, "goblin")).draw("Vgg").begin("vex").put("vex", hidden=True)
        for other in {"goblin-1", "goblin-2"} - {who}:
            game.put(other, used=["duck"], statuses=[{"id": "core:stunned", "ends": "encounter"}])
        game.attack("vex", "goblin-1", dice=[5, 5])
        assert game.of("goblin-1", "hp") == 4 - lost


def test_who_falls_to_what_answers_their_damage_takes_no_more() -> None:
    """STR-TAC-12, STR-TAC-15: neither who answers so, nor who comes next of several that are hurt at once."""
    text = """
[powers]
burst = { name = "Burst", action = "interrupt", on = "harmed", effect = [
  { do = "damage", amount = 9, to = "TO" }] }
"""
    game = Game(book_with(text.replace("TO", "self"), "goblin")).draw("V.gg").begin("vex")
    data = game.play("combat damage", who="goblin-1", amount=1)
    assert (data["hp_before"], data["hp_after"], data["taken_out"]) == (-5, -5, True)
    game = Game(book_with(text.replace("TO", "allies"), "goblin")).draw("V.gg").begin("vex")
    data = game.play("combat damage", who="goblin-1", also=["goblin-2"], amount=1)
    assert (data["hp_after"], data["taken_out"]) == (3, False)
    assert data["others"] == [
        {"who": "goblin-2", "hp_before": -5, "hp_after": -5, "taken_out": True, "amount": 0}
    ]


def test_what_needs_no_action_answers_in_anybodys_turn() -> None:
    """STR-TAC-12, STR-TAC-13: what waits for its occasion may come in another's turn; what has none is for
    one's own."""
    text = """
[powers]
jab = { name = "Jab", action = "none", on = "missed", reach = 1, effect = [{ do = "damage", amount = 1 }] }
spite = { name = "Spite", action = "none", trigger = "Somebody laughs", reach = 1, effect = [
  { do = "damage", amount = 1 }] }
grin = { name = "Grin", action = "none", reach = 1, effect = [{ do = "damage", amount = 1 }] }
"""
    game = Game(book_with(text, "vex")).draw("gV").begin("goblin")
    game.attack("goblin", "vex", dice=[2], choose=["use"])
    game.play("combat use", who="vex", power="spite", targets=["goblin"])
    assert game.of("goblin", "hp") == 2
    with pytest.raises(Refused, match="turn"):
        game.play("combat use", who="vex", power="grin", targets=["goblin"])
    game.next_turn_of("vex")
    game.play("combat use", who="vex", power="grin", targets=["goblin"])
    assert game.of("goblin", "hp") == 1


def test_once_a_fight_it_keeps_somebody_standing(whole: Book) -> None:
    """A creature answers what would fell it, and only that; then it is spent."""
    game = game_of(whole, post=["last-breath"]).draw("Vp").begin("vex")
    hit(game, "vex", "post", 5)
    assert not game.of("post", "used")
    game.next_turn_of("vex")
    game.put("post", hp=1)
    hit(game, "vex", "post", 6)
    assert (game.of("post", "hp"), game.of("post", "used")) == (1, ["last-breath"])
    game.next_turn_of("vex")
    assert hit(game, "vex", "post", 5)["taken_out"]


def test_a_status_takes_the_first_blow_each_round(whole: Book) -> None:
    game = Game(whole).draw("VpB").begin("vex").put("post", statuses=[{"id": "shell", "ends": "encounter"}])
    for lost in (2, 5):
        data = game.play("combat damage", who="post", amount=5)
        assert data["hp_before"] - data["hp_after"] == lost


def test_thorns_against_thorns_end(whole: Book) -> None:
    """Each answers the other's thorns, never its own again: it ends."""
    held = [{"id": "barbs", "ends": "encounter"}]
    game = game_of(whole).draw("Vp").begin("vex").put("post", statuses=held).put("vex", statuses=held)
    before = game.of("vex", "hp")
    hit(game, "vex", "post", 5)
    assert game.of("vex", "hp") == before - 1


# --- with the die on the table


def test_the_die_is_on_the_table_and_rolled_again(whole: Book) -> None:
    """Luck is for a hit on oneself: the label says what lies there; the new die counts; once a fight. Of a
    miss nobody is asked."""
    game = game_of(whole, vex=["luck"]).draw("gV").begin("goblin")
    begun = game.state
    assert hit(game, "goblin", "vex", 2)["result"] == "miss"
    game.state = begun
    question = game.asked("combat attack", who="goblin", targets=["vex"], dice=[6])
    assert "6, a critical" in question.text
    line = hit(game, "goblin", "vex", 6, dice=[2], choose=["use"])
    assert (line["result"], line["damage"], game.of("vex", "used")) == ("miss", 0, ["luck"])


def test_a_friends_miss_is_rolled_again_once_a_round(whole: Book) -> None:
    """Brann's for Vex and for himself, within 5; the second miss of the round stands."""
    game = game_of(whole, brann=["again"]).draw("Vp", ".B").begin("vex")
    assert hit(game, "vex", "post", 2, dice=[5], choose=["use"])["result"] == "solid"
    game.next_turn_of("brann")
    assert game.get("fight.round") == 1
    assert hit(game, "brann", "post", 2)["result"] == "miss"


def test_odds_count_the_answer_as_it_is_played(whole: Book) -> None:
    """A creature with luck: of the hits (3 to 6) each is rolled again, so that 4/6 of 4/6 stay hits."""
    game = game_of(whole, post=["luck"]).draw("Vp").begin("vex")
    odds = attack_odds(game.world, UsePower(who="vex", targets=["post"], power="core:melee-basic"))
    assert odds.plays == 0
    chance = sum((odds[lines] for lines in odds if lines[0] and lines[0].result != "miss"), Fraction())
    assert chance == Fraction(4, 6) * Fraction(4, 6)


def test_odds_count_a_players_answer_as_the_sensible_one(whole: Book) -> None:
    """Vex would parry: every goblin's blow does 2 less."""
    game = game_of(whole, vex=["parry"]).draw("gV").begin("goblin")
    odds = attack_odds(game.world, UsePower(who="goblin", targets=["vex"], power="core:melee-basic"))
    most = max(lines[0].damage for lines in odds if lines[0])
    assert most == 2 * damage_of(game, "goblin") - 2


def test_what_nothing_is_left_of_is_over() -> None:
    """STR-TAC-12: harm, for one. Of what has no amount nothing is counted, so that it isn't over."""
    for harm, left, over in ((3, 3, False), (3, 1, False), (3, 0, True)):
        with case(harm, left):
            coming = ReactionEvent("harmed", "goblin", "vex", "a blow", harm)
            assert coming.amount == harm
            coming.amount = left
            assert coming.has_nothing_left_to_react_to is over
    uses = ReactionEvent("uses", "goblin", "", "a power")
    assert (uses.amount, uses.has_nothing_left_to_react_to) == (0, False)


# --- when it is declared, hit, moved, used


def test_swap_and_take_the_blow(whole: Book) -> None:
    """Brann changes places with Vex and is attacked in his place."""
    game = game_of(whole, brann=["take-it"]).draw("gV", ".B").begin("goblin")
    line = hit(game, "goblin", "vex", 5, choose=["use"])
    assert (game.of("vex", "at"), game.of("brann", "at")) == ("B2", "B1")
    assert (line["target"], line["aimed_at"]) == ("brann", "vex")
    assert game.of("brann", "hp") == line["hp_before"] - damage_of(game, "goblin")


def test_odds_of_a_blow_that_another_takes(whole: Book) -> None:
    """STR-TAC-09: who is attacked loses nothing, though the other one falls."""
    game = game_of(whole, brann=["take-it"]).draw("gV", ".B").begin("goblin").put("brann", hp=1)
    odds = attack_odds(game.world, UsePower(who="goblin", targets=["vex"], power="core:melee-basic"))
    assert {(line.damage, line.taken_out) for (line,) in odds if line} == {(0, False)}


def test_who_steps_out_of_reach_is_not_attacked(whole: Book) -> None:
    """No die is rolled for whom the attack doesn't reach any more."""
    game = game_of(whole, vex=["dodge"]).draw("gV.", "...").begin("goblin")
    data = game.play("combat attack", who="goblin", targets=["vex"], choose=["use", "C1"])
    assert data["attacks"] == []
    assert game.of("vex", "at") == "C1"


def test_a_hit_is_warded_off_with_all_that_it_does(whole: Book) -> None:
    game = game_of(whole, goblin=["ram"], odo=["ward"]).draw("gV.O").begin("goblin")
    line = hit(game, "goblin", "vex", 5, power="ram", choose=["use"])
    assert told_of(game) == ["vex"]
    assert (line["damage"], game.of("vex", "at")) == (0, "B1")


def test_nobody_is_pushed_once_one_of_the_two_is_gone(whole: Book) -> None:
    """STR-TAC-12: by an answer to the push, whoever of them it fells."""
    for key, left in (("spite", "post"), ("crumble", "vex")):
        with case(key):
            game = game_of(whole, vex=["ram"], post=[key]).draw("Vp..").begin("vex").put("post", hp=20)
            game.attack("vex", "post", power="ram", dice=[5])
            assert {who: game.of(who, "at") for who in ("vex", "post")} == {
                "vex": None, "post": None, left: {"vex": "A1", "post": "B1"}[left]
            }  # fmt: skip


def test_what_nobody_can_move_is_not_answered() -> None:
    """STR-TAC-12: where who would move somebody is gone before it comes to that; and who stands nowhere on
    the map is moved by nothing."""
    ways = ("push", "pull", "slide", "teleport", "shift", "move")
    text = "\n".join(
        f"""
[powers.{way}]
action = "role"
who = "self"
effect = [
  {{ do = "damage", to = "self", amount = 9, if_status = "core:dazed" }},
  {{ do = "{way}", to = "enemies", amount = 1 }}]
"""
        for way in ways
    )
    answer = """
[powers]
anchor = { action = "interrupt", on = "displaced", usage = "encounter", effect = [
  { do = "reduce", amount = 9 }] }
"""
    whole = game_of(book_with(text + answer), vex=[*ways], post=["anchor"]).draw("V.p..", ".....")
    for gone in ("vex", "post"):
        for way in ways[:4] if gone == "vex" else ways:
            with case(gone, way):
                game = Game(whole.book, whole.state).begin("vex")
                if gone == "vex":
                    game.put("vex", hp=1).afflict("vex", "dazed")
                else:
                    game.put("post", at=None)
                game.play("combat use", who="vex", power=way)
                stands = "C1" if gone == "vex" else None
                assert (game.of("post", "at"), game.of("post", "used")) == (stands, None)


def test_who_is_anchored_is_not_pushed(whole: Book) -> None:
    game = game_of(whole, vex=["ram"], post=["anchor"]).draw("Vp..").begin("vex")
    hit(game, "vex", "post", 5, power="ram")
    assert game.of("post", "at") == "B1"
    assert any(text.endswith("0 squares is left.") for text in game.texts())


def test_a_move_is_stopped(whole: Book) -> None:
    """By a goblin 2 squares off."""
    game = game_of(whole, goblin=["stay"]).draw("V.g..", ".....").begin("vex")
    game.move("vex", "A2")
    assert game.of("vex", "at") == "A1"
    assert told_of(game) == ["vex"]


def told_of(game: Game) -> list[str]:
    """Whom what came to nothing is said of."""
    return [fact.who for fact in game.facts if text_of(fact).endswith("it comes to nothing.")]


def test_creatures_stop_no_move_of_their_own_side(whole: Book) -> None:
    """By their plan; what a power may do to anybody is for foes."""
    game = game_of(whole, post=["halt"]).draw("V.gp.", ".....").begin("goblin")
    game.move("goblin", "C2")
    assert game.of("goblin", "at") == "C2"
    game = game_of(whole, post=["halt"]).draw("V..p.", ".....").begin("vex")
    game.move("vex", "A2")
    assert game.of("vex", "at") == "A1"


def test_the_use_of_a_power_is_stopped_and_spent(whole: Book) -> None:
    game = game_of(whole, vex=["shout"], post=["hush"]).draw("V.p").begin("vex")
    before = game.of("post", "hp")
    game.play("combat use", who="vex", power="shout", targets=["post"])
    assert game.of("post", "hp") == before
    assert game.get("fight.turn.role") == 1


# --- order, depth, words, form


def test_whom_it_befalls_is_asked_first(whole: Book) -> None:
    game = game_of(whole, vex=["parry"], odo=["half"]).draw("gV.O").begin("goblin")
    assert game.asked("combat attack", who="goblin", targets=["vex"], dice=[6]).who == "vex"
    after = game.asked("combat attack", who="goblin", targets=["vex"], dice=[6], choose=["pass"])
    assert after.who == "odo"


def test_nothing_answers_an_answer(whole: Book) -> None:
    """The damage of an answer isn't parried."""
    game = game_of(whole, post=["spike"], vex=["parry"]).draw("Vp").begin("vex")
    before = game.of("vex", "hp")
    hit(game, "vex", "post", 5)
    assert game.of("vex", "hp") == before - 3


def test_the_occasion_in_words(whole: Book) -> None:
    said = {key: unusual_cost_and_trigger_words(power) for key, power in whole.powers.items()}
    assert said["parry"] == "interrupt, when would take damage"
    assert said["half"] == "interrupt, when an ally within 3 would take damage"
    assert (
        said["again"] == "interrupt, when you or an ally within 5 has rolled an attack (miss), once a round"
    )
    assert said["stay"] == "interrupt, when a foe within 3 moves"


def test_what_can_not_come_is_refused() -> None:
    for power, why in (
        ('effect = [{ do = "reroll" }]', "reroll needs on = rolled"),
        ('on = "rolled"\neffect = [{ do = "reduce", amount = 1 }]', "reduce needs on = harmed"),
        ('on = "moves"\nbefalls = "ally"', "has no victim"),
        ('near = 3', "needs on"),
        ('on = "harmed"\nresult = "miss"', "rolled"),
        ('effect = [{ do = "heal", amount = 1, to = "doer" }]', "doer needs on"),
    ):  # fmt: skip
        with case(power, why), pytest.raises(Problem, match=why):
            book_with(f'[powers.bad]\nname = "Bad"\naction = "interrupt"\n{power}\n')


def test_an_improvised_attack_meets_every_answer() -> None:
    """As any attack does: whoever is asked decides with its die on the table (STR-TAC-14)."""
    for on in ("declared", "rolled", "struck", "harmed", "falls", "hit", "missed"):
        with case(on):
            do = {"rolled": "reroll", "hit": "save", "missed": "save"}.get(on, "prevent")
            text = '[powers.ward]\nname = "Ward"\naction = "interrupt"\n'
            text += f'on = "{on}"\neffect = [{{ do = "{do}" }}]\n'
            game = Game(book_with(text, "brann")).draw("V.B", "g..").begin("vex")
            game.put("brann", hp=1 if on == "falls" else 30, max_hp=30, side="enemies")
            dice = [] if on == "declared" else [1 if on == "missed" else 4]
            question = game.asked("combat improvise", who="vex", targets=["brann"], what="a kick", dice=dice)
            assert question.what == "ward against vex"
