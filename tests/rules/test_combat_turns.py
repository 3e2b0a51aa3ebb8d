"""Initiative, turns, actions, saves, durations and the Comeback Roll (STR-TAC-01 to 04, 16, 25)."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with, next_up

from strike_cli.content.merged_content import Book
from strike_cli.kernel.driver import EnteredDice, ScriptedChoices, play_until_open_decision
from strike_cli.kernel.procedure import Choose
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.refusals import SceneStillUnderWay
from strike_cli.systems.combat.fight_state import ActionUsed
from strike_cli.systems.combat.health_and_statuses import statuses_and_conditions_in_words

# --- setting up


def test_a_fight_begins_at_full_hp_where_the_map_has_people(game: Game) -> None:
    """STR-TAC-01, STR-TAC-15: goal, places, full HP; nobody has acted."""
    data = game.play("combat start", encounter="yard", party=["vex", "brann", "odo"])
    assert data["goal"] == "Keep the wheel turning"
    places = {who: item["at"] for who, item in data["combatants"].items()}
    assert places == {"vex": "B2", "brann": "B4", "odo": "B5", "goblin-1": "I2", "goblin-2": "H5"}
    assert all(item["hp"] == item["max_hp"] for item in data["combatants"].values())
    assert game.get("fight.round") == 0
    assert game.get("fight.map.rows")[1] == "#...~....#", "people stand on floor"
    game.set("fight", None)
    said = {"goal": "Save the flour"}
    assert game.play("combat start", encounter="yard", party=["vex"], **said).items() >= said.items()


def test_a_fight_keeps_of_people_what_is_not_as_of_everybody(game: Game) -> None:
    """STR-TAC-02, STR-TAC-15, STR-TAC-27: state.toml has no line for what somebody hasn't."""
    game.draw("V.g.x.", "......")
    kept: dict[str, dict[str, Any]] = {
        who: {"name": name, "ref": who, "side": side, "at": at, "size": size, "hp": hp, "max_hp": hp}
        for who, name, side, at, size, hp in (
            ("vex", "Vex", "party", "A1", 1, 10),
            ("goblin", "Goblin", "enemies", "C1", 1, 4),
            ("ogre", "Ogre", "enemies", "E1", 2, 13),
        )
    }
    assert game.get("fight.combatants") == kept
    game.play("combat initiative", dice=[6, 4, 2])
    for who, die in (("vex", 6), ("goblin", 4), ("ogre", 2)):
        kept[who]["initiative"] = die
    game.play("combat turn")
    game.move("vex", "A2")
    game.play("combat end-turn")
    kept["vex"] |= {"acted": 1, "at": "A2"}
    game.play("combat turn")
    assert game.get("fight.combatants") == kept


def test_the_map_must_have_room(game: Game) -> None:
    """STR-TAC-01."""
    with pytest.raises(Refused, match="3 party squares for 4"):
        game.play("combat start", encounter="yard", party=["vex", "brann", "odo", "vesna"])


def test_creatures_of_one_name_are_told_apart(game: Game) -> None:
    """STR-TAC-01: also where two plugins have a goblin; nobody is lost."""
    encounter = game.book.encounters["yard"]
    place = {**encounter["place"], "w": "wild:goblin"}
    encounters = {"yard": {**encounter, "map": "P.gg\n..ww", "place": place}}
    game.book = copy(game.book)
    game.book.encounters = encounters
    data = game.play("combat start", encounter="yard", party=["vex"])
    assert sorted(item["ref"] for item in data["combatants"].values()) == [
        "goblin", "goblin", "vex", "wild:goblin", "wild:goblin",
    ]  # fmt: skip


def test_one_fight_at_a_time(game: Game) -> None:
    """STR-TAC-01."""
    game.play("combat start", encounter="yard", party=["vex"])
    with pytest.raises(SceneStillUnderWay):
        game.play("combat start", encounter="sluice", party=["vex"])


def test_a_creature_may_begin_unseen(game: Game) -> None:
    """STR-TAC-23."""
    game.play("combat start", encounter="sluice", party=["vex"])
    assert game.of("lurker", "hidden") is True


# --- initiative


def test_initiative_order(book: Book) -> None:
    """STR-TAC-02 and golden example 41: high first, enemies before players, tied players choose."""
    for dice, choose, order in (
        ([4, 4, 6, 4], ["brann"], ["vex", "goblin", "brann", "odo"]),
        ([4, 4, 6, 4], ["odo"], ["vex", "goblin", "odo", "brann"]),
        ([5, 3, 1, 6], [], ["goblin", "brann", "odo", "vex"]),
        ([2, 5, 5, 5], ["vex"], ["goblin", "vex", "odo", "brann"]),
        ([3, 3, 3, 3], ["vex", "odo"], ["goblin", "vex", "odo", "brann"]),
        ([1, 2, 3, 1], [], ["vex", "odo", "goblin", "brann"]),
    ):
        with case(dice, choose, order):
            game = Game(book).draw("B.O.V.g")
            assert game.play("combat initiative", dice=dice, choose=choose)["order"] == order
            assert game.get("fight.round") == 1
            assert [game.of(who, "initiative") for who in ("brann", "odo", "vex", "goblin")] == dice


def asked_of_ties(game: Game, *dice: int) -> Choose:
    """What is asked where these dice tie, in words."""
    world = game.world
    rolling = find_move("combat initiative").start(world, {})
    played = play_until_open_decision(rolling, world, EnteredDice(dice), ScriptedChoices([], asking=True))
    assert played.pending is not None
    return played.pending.in_words(game.speaker())


def test_tied_players_are_asked(game: Game) -> None:
    """STR-TAC-02: who of the tied goes first; where nobody can be asked, as they are listed."""
    asked = asked_of_ties(game.draw("B.O.V.g"), 4, 4, 6, 4)
    assert asked.options == ("brann", "odo")
    assert "4" in asked.what
    assert game.play("combat initiative", dice=[4, 4, 6, 4])["order"] == ["vex", "goblin", "brann", "odo"]


def test_the_game_master_breaks_ties_of_creatures(book: Book) -> None:
    """STR-TAC-02: ties on a side are for those who play it; a script doesn't stop for them."""
    for choose, order in (
        (["goblin-2", "goblin-3"], ["goblin-2", "goblin-3", "goblin-1", "vex"]),
        (["goblin-3", "as-listed"], ["goblin-3", "goblin-1", "goblin-2", "vex"]),
        (["as-listed"], ["goblin-1", "goblin-2", "goblin-3", "vex"]),
        ([], ["goblin-1", "goblin-2", "goblin-3", "vex"]),
    ):
        with case(choose):
            game = Game(book).draw("V.g.g.g")
            assert game.play("combat initiative", dice=[2, 5, 5, 5], choose=choose)["order"] == order
    asked = asked_of_ties(Game(book).draw("V.g.g.g"), 2, 5, 5, 5)
    assert (asked.who, asked.labels[0]) == ("the game master", "Goblin 1, then Goblin 2, then Goblin 3")


def test_players_ties_are_asked_before_those_of_creatures(game: Game) -> None:
    """STR-TAC-02: so what was said for players alone still fits."""
    game.draw("B.O.V.g.g")
    order = game.play("combat initiative", dice=[4, 4, 6, 6, 6], choose=["odo"])["order"]
    assert order == ["goblin-1", "goblin-2", "vex", "odo", "brann"]


def test_the_game_master_orders_creatures_on_the_players_side(game: Game) -> None:
    """STR-TAC-02: where no player is among the tied."""
    game.draw("V.g.g.x.", "........").put("goblin-1", side="party").put("goblin-2", side="party")
    asked = asked_of_ties(game, 2, 5, 5, 1)
    assert (asked.who, asked.options) == ("the game master", ("as-listed", "goblin-1", "goblin-2"))


def test_an_ally_who_ties_with_a_player(game: Game) -> None:
    """STR-TAC-02: enemies come before players; those on the players' side are the players' to order."""
    game.draw("V.g.x.", "......").put("ogre", side="party")
    order = game.play("combat initiative", dice=[4, 4, 4], choose=["vex"])["order"]
    assert order == ["goblin", "vex", "ogre"]


def test_conditions_weigh_on_initiative(game: Game) -> None:
    """STR-TAC-20: Exhausted rolls with Disadvantage; a Major Condition is one less."""
    game.set("characters.vex.conditions", ["core:exhausted"])
    game.set("characters.odo.conditions", ["core:injured"])
    game.draw("V.O.g")
    game.play("combat initiative", dice=[6, 6, 2, 1])
    assert (game.of("odo", "initiative"), game.of("vex", "initiative")) == (5, 2)


def test_initiative_is_rolled_once(game: Game) -> None:
    """STR-TAC-02."""
    game.draw("V.g").begin("vex")
    with pytest.raises(Refused, match="has been rolled"):
        game.play("combat initiative", dice=[1, 1])


def test_nothing_before_initiative(book: Book) -> None:
    """STR-TAC-01: setup, then initiative, then rounds."""
    for name, args in (
        ("combat turn", {}),
        ("combat end-turn", {}),
        ("combat move", {"who": "vex", "to": "B1"}),
        ("combat attack", {"who": "vex", "targets": ["goblin"]}),
    ):
        with case(name, args):
            game = Game(book).draw("V.g")
            with pytest.raises(Refused, match="Initiative"):
                game.play(name, **args)


# --- turns and rounds


def test_turns_go_round_in_order(game: Game) -> None:
    """STR-TAC-03: each once a round, then the next round."""
    game.draw("V.B.g")
    game.play("combat initiative", dice=[2, 6, 4])
    seen = []
    for _ in range(7):
        data = game.next_turn()
        seen.append((data["round"], data["who"], data["new_round"]))
    assert seen == [
        (1, "vex", False), (1, "goblin", False), (1, "brann", False),
        (2, "vex", True), (2, "goblin", False), (2, "brann", False),
        (3, "vex", True),
    ]  # fmt: skip


def test_who_is_out_has_no_turn(game: Game) -> None:
    """STR-TAC-03, STR-TAC-15."""
    game.draw("V.g.g").begin("vex")
    game.play("combat damage", who="goblin-1", amount=4)
    assert game.next_turn()["who"] == "goblin-2"
    assert game.next_turn()["who"] == "vex"


def test_only_whose_turn_it_is_acts(game: Game) -> None:
    """STR-TAC-03: and a turn begins once."""
    game.draw("V.g").begin("vex")
    for name, args in (("combat move", {"who": "goblin", "to": "B1"}), ("combat turn", {})):
        with pytest.raises(Refused, match="Vex's turn"):
            game.play(name, **args)
    game.play("combat end-turn")
    for name, args in (("combat move", {"who": "vex", "to": "B1"}), ("combat end-turn", {})):
        with pytest.raises(Refused, match="nobody's turn"):
            game.play(name, **args)


def test_each_turn_brings_new_actions(game: Game) -> None:
    """STR-TAC-03: an Attack and a Move, in any order, every turn."""
    game.draw("V......p").begin("vex")
    for to in ("B1", "C1", "D1"):
        game.move("vex", to)
        game.attack("vex", "post", power="core:ranged-basic", dice=[5]) if to != "B1" else None
        game.next_turn_of("vex")
    game.attack("vex", "post", power="core:ranged-basic", dice=[5])
    game.move("vex", "E1")


# --- actions


def test_one_attack_and_one_move(game: Game) -> None:
    """STR-TAC-03: a second of either is refused, and changes nothing."""
    game.draw("V...", "p...").begin("vex")
    game.attack("vex", "post", dice=[5])
    game.move("vex", "B1")
    before = game.state
    with pytest.raises(Refused, match="used the Attack Action"):
        game.attack("vex", "post", dice=[5])
    with pytest.raises(ActionUsed):
        game.move("vex", "C1")
    with pytest.raises(ActionUsed):
        game.move("vex", "C1", trade=True)
    assert game.state == before


def test_a_second_move_costs_the_attack(game: Game) -> None:
    """STR-TAC-04: only where it is said, and then the Attack Action is spent."""
    game.draw("V.....", "p.....").begin("vex")
    game.move("vex", "B1")
    with pytest.raises(Refused) as refusal:
        game.move("vex", "C1")
    assert "--trade" in refusal.value.hint
    assert game.move("vex", "C1", trade=True)["action"] == "attack"
    with pytest.raises(Refused, match="used the Attack Action"):
        game.attack("vex", "post", power="core:ranged-basic", dice=[5])
    with pytest.raises(Refused):
        game.move("vex", "D1", trade=True)


def test_a_trade_that_is_not_needed_costs_nothing(game: Game) -> None:
    """STR-TAC-04: the Move Action goes first."""
    game.draw("V.", "p.").begin("vex")
    assert game.move("vex", "B1", trade=True)["action"] == "move"
    game.attack("vex", "post", dice=[5])


def test_the_dazed_have_one_action(game: Game) -> None:
    """STR-TAC-25: Attack or Move, and no trade on top."""
    game.draw("V..", "p..").begin("vex").afflict("vex", "dazed")
    game.move("vex", "B1")
    for again in (lambda: game.attack("vex", "post", dice=[5]), lambda: game.move("vex", "A1", trade=True)):
        with pytest.raises(Refused, match="Dazed"):
            again()
    game.next_turn_of("vex")
    game.attack("vex", "post", dice=[5])
    with pytest.raises(Refused, match="Dazed"):
        game.move("vex", "A1")


def test_the_stunned_have_none(book: Book) -> None:
    """STR-TAC-25: no Attack, no Move, no standing up."""
    for status in ("stunned", "incapacitated"):
        game = Game(book).draw("V..", "p..").begin("vex").afflict("vex", status, "prone")
        for command, args in (("attack", {"targets": ["post"]}), ("move", {"to": "B1"}), ("stand", {})):
            with case(status, command), pytest.raises(Refused, match="Stunned"):
                game.play(f"combat {command}", who="vex", **args)
        game.play("combat end-turn")


def test_standing_up_is_a_move(game: Game) -> None:
    """STR-TAC-07, STR-TAC-25: Prone ends, and the Move Action is spent."""
    game.draw("V..").begin("vex").afflict("vex", "prone")
    assert game.play("combat stand", who="vex")["action"] == "move"
    assert game.statuses("vex") == []
    with pytest.raises(ActionUsed):
        game.move("vex", "B1")
    assert game.move("vex", "C1", trade=True)["to"] == "C1", "no longer Slowed"
    with pytest.raises(Refused, match="not Prone"):
        game.play("combat stand", who="vex")


# --- saves


def test_saving_throws(book: Book) -> None:
    """STR-TAC-03, 20 and golden example 43: 4 or more ends it; Harried takes the worse of two, and so do the
    Exhausted, on every roll but attacks; a Major Condition is -1 on all, in any round."""
    for own, conditions, dice, ended in (
        ([], [], [3], False), ([], [], [4], True), ([], [], [6], True), ([], [], [1], False),
        (["harried"], [], [5, 2], False), (["harried"], [], [4, 6], True),
        ([], ["exhausted"], [6, 3], False), ([], ["injured"], [4], False), ([], ["injured"], [5], True),
    ):  # fmt: skip
        with case(own, conditions, dice):
            game = Game(book)
            game.set("characters.vex.conditions", [f"core:{condition}" for condition in conditions])
            game.draw("V.g").begin("vex").set("fight.round", 3)
            game.afflict("vex", *own).afflict("vex", "blinded", ends="save")
            data = game.play("combat end-turn", dice=dice)
            assert [save["ended"] for save in data["saves"]] == [ended]
            assert ("blinded" in game.statuses("vex")) is not ended


def test_a_save_for_each_status_that_a_save_ends(game: Game) -> None:
    """STR-TAC-03: each its own die, in the order they came, and none for others."""
    game.draw("V.g").begin("vex")
    game.afflict("vex", "blinded", "dazed", ends="save").afflict("vex", "prone").afflict(
        "vex", "slowed", ends="save"
    )
    data = game.play("combat end-turn", dice=[4, 3, 6])
    assert [(save["status"], save["ended"]) for save in data["saves"]] == [
        ("core:blinded", True), ("core:dazed", False), ("core:slowed", True),
    ]  # fmt: skip
    assert game.statuses("vex") == ["dazed", "prone"]


def test_saves_are_made_by_whose_turn_ends(game: Game) -> None:
    """STR-TAC-03."""
    game.draw("V.g").begin("vex").afflict("goblin", "dazed", ends="save")
    assert game.play("combat end-turn")["saves"] == []
    game.play("combat turn")
    assert len(game.play("combat end-turn", dice=[1])["saves"]) == 1


# --- durations


def ends_with(game: Game, ends: str, of: str | None = None) -> list[str]:
    """In which moments of the next two rounds a status on Brann is gone, Vex's turn being under way."""
    status = {"id": "core:blinded", "ends": ends, **({"of": of} if of else {})}
    game.put("brann", statuses=[status])
    gone = []
    for _ in range(7):
        who = game.get("fight.active")
        game.play("combat end-turn")
        gone += [f"{who} ends"] if not game.statuses("brann") else []
        data = game.play("combat turn")
        gone += [f"{data['who']} starts"] if not game.statuses("brann") else []
    return gone[:1]


def test_durations(book: Book) -> None:
    """STR-TAC-03, STR-TAC-25: until somebody's turn starts or ends, one's own unless said, or to the end."""
    for ends, of, moment in (
        ("turn-start", "vex", ["vex starts"]),
        ("turn-end", "vex", ["vex ends"]),
        ("turn-start", "goblin", ["goblin starts"]),
        ("turn-end", "goblin", ["goblin ends"]),
        ("turn-start", None, ["brann starts"]),
        ("turn-end", None, ["brann ends"]),
        ("encounter", None, []),
        ("permanent", None, []),
        ("escape", None, []),
    ):
        with case(ends, of, moment):
            game = Game(book).draw("V.g.B").begin("vex")
            assert ends_with(game, ends, of) == moment


LASTING = """
[statuses]
ward = { harmful = false }
echo = { harmful = false, reactions = [
  { on = "attacks", do = "apply", status = "ward", duration = "turn-end" }] }

[powers]
warding = { effect = [{ do = "apply", status = "ward", duration = "turn-end", to = "self" }] }
"""


@pytest.mark.parametrize("by", ["power", "hand", "reaction", "zone"])
def test_until_the_end_of_a_turn_means_one_thing(by: str) -> None:
    """STR-TAC-03, STR-TAC-12: given on one's own turn it is the next turn's end, whoever gives it and
    however."""
    game = Game(book_with(LASTING, "vex")).draw("Vg").begin("vex")
    if by == "power":
        game.play("combat use", who="vex", targets=[], power="warding")
    elif by == "hand":
        game.afflict("vex", "ward", ends="turn-end")
    elif by == "reaction":
        game.put("vex", statuses=[{"id": "echo", "ends": "encounter"}])
        game.attack("vex", "goblin", dice=[4])
    else:
        zone = {"called": "Ward", "squares": ["A1"], "by": "vex", "ends": "turn-end", "damage": 0}
        game.play("combat zone add", **zone, difficult=False, sight="", secret=False)

    def there() -> bool:
        return bool(game.get("fight.zones")) if by == "zone" else "ward" in game.statuses("vex")

    game.play("combat end-turn")
    assert there()
    game.next_turn_of("vex")
    game.play("combat end-turn")
    assert not there()


def test_until_the_end_of_this_turn(game: Game) -> None:
    """STR-TAC-03: the turn under way, whosever; there must be one."""
    game.draw("V.g").begin("vex").afflict("goblin", "blinded", ends="this-turn")
    assert statuses_and_conditions_in_words(game.world, "goblin") == ["Blinded until the end of Vex's turn"]
    game.play("combat end-turn")
    assert game.statuses("goblin") == []
    with pytest.raises(Refused, match="nobody's turn"):
        game.afflict("goblin", "blinded", ends="this-turn")


def test_a_powers_effect_lasts_by_the_attackers_turns(game: Game) -> None:
    """STR-TAC-03, STR-TAC-12: until the attacker's next turn starts, or until the end of the next one.

    What is given on a turn doesn't end with that very turn.
    """
    game.draw("Vp.B").begin("vex")
    game.attack("vex", "post", power="last-word", dice=[5])
    assert (game.statuses("post"), game.statuses("vex")) == (["dazed"], ["guarded"])
    while True:
        game.play("combat end-turn")
        assert (game.statuses("post"), game.statuses("vex")) == (["dazed"], ["guarded"])
        if next_up(game) == "vex":
            break
        game.play("combat turn")
    game.play("combat turn")
    assert (game.statuses("post"), game.statuses("vex")) == ([], ["guarded"])
    game.play("combat end-turn")
    assert game.statuses("vex") == []


def test_what_a_status_does_at_the_end_of_a_turn_and_when_hurt(game: Game) -> None:
    """STR-TAC-03, STR-TAC-25: a reaction sets off others, and never itself."""
    game.draw("V.g").begin("vex").afflict("vex", "thorns")
    game.play("combat damage", who="vex", amount=1)
    assert game.of("vex", "hp") == 7
    game.play("combat end-turn")
    assert game.of("vex", "hp") == 4


def test_a_status_from_several_counts_for_each_and_ends_for_each(game: Game) -> None:
    """STR-TAC-03, STR-TAC-25: stacking by source: each weighs, and each has a Saving Throw of its own."""
    game.draw("Vp.B").begin("vex")
    game.put("vex", statuses=[{"id": "hexed", "ends": "save", "by": by} for by in ("post", "brann")])
    assert game.attack("vex", "post", dice=[6])["roll"]["total"] == 4
    data = game.play("combat end-turn", dice=[4, 3])
    assert [save["ended"] for save in data["saves"]] == [True, False]
    assert [item["by"] for item in game.of("vex", "statuses")] == ["brann"]


def test_a_status_may_end_when_its_holder_is_hurt(game: Game) -> None:
    """STR-TAC-25: until a fact."""
    game.draw("V.g").begin("vex").put("vex", hp=9).afflict("vex", "asleep")
    game.play("combat heal", who="vex", amount=1)
    assert game.statuses("vex") == ["asleep"]
    game.play("combat damage", who="vex", amount=1)
    assert game.statuses("vex") == []


# --- the Comeback Roll


def test_the_comeback_roll(book: Book) -> None:
    """STR-TAC-16 and golden example 40: -3 and a 1 is -5, Taken Out; a 4 nothing; a 6 is 1 HP and a turn."""
    for hp, die, after, result in (
        (-3, 1, None, "lost"), (-3, 2, None, "lost"),
        (-2, 1, -4, "lost"), (0, 2, -2, "lost"),
        (-3, 3, -3, "nothing"), (-3, 4, -3, "nothing"),
        (-3, 5, 1, "back"), (-3, 6, 1, "back"), (0, 5, 1, "back"),
    ):  # fmt: skip
        with case(hp, die):
            game = Game(book).draw("g.V").begin("goblin")
            game.play("combat damage", who="vex", amount=10 - hp)
            assert game.next_turn(dice=[die])["comeback"]["result"] == result
            if after is None:
                assert game.of("vex", "out") == "taken-out"
                assert game.get("fight.active") is None, "the turn is over"
                continue
            assert (game.of("vex", "hp"), game.get("fight.active")) == (after, "vex")
            assert ("incapacitated" in game.statuses("vex")) is (after <= 0)


def test_who_comes_back_takes_the_turn_and_stays_prone(game: Game) -> None:
    """STR-TAC-16: Stunned ends, Prone stays; the turn is a normal one."""
    game.draw("g..V").begin("goblin")
    game.play("combat damage", who="vex", amount=11)
    game.next_turn(dice=[5])
    assert "prone" in game.statuses("vex")
    assert "incapacitated" not in game.statuses("vex")
    game.play("combat stand", who="vex")
    assert game.attack("vex", "goblin", power="core:ranged-basic", dice=[5])["result"] == "solid"


def test_a_hard_turn_as_it_is_told(game: Game) -> None:
    """STR-TAC-03, STR-TAC-16, STR-TAC-25: what follows from a die goes without saying; what is told of a turn
    that ends as it begins."""
    game.draw("V.g").begin("goblin")
    told = []
    for command, args, dice in (
        ("damage", {"who": "vex", "amount": 12}, []),
        ("end-turn", {}, []),
        ("turn", {}, [6]),
        ("stand", {"who": "vex"}, []),
        ("status add", {"who": "vex", "status": "core:slowed", "ends": "save"}, []),
        ("status add", {"who": "vex", "status": "core:grabbed", "ends": "escape"}, []),
        ("escape", {"who": "vex", "trade": True}, [6]),
        ("end-turn", {}, [6]),
    ):
        game.play(f"combat {command}", dice=dice, **args)
        told += game.texts()
    assert told == [
        "Vex takes 12 damage from the game master: 10 to -2 HP.",
        "Vex is Bloodied.",
        "Vex is Incapacitated.",
        "Goblin's turn ends.",
        "Vex's turn.",
        "Vex's Comeback Roll: 6, is back in the fight.",
        "Vex regains 3 HP from the Comeback Roll: -2 to 1 HP.",
        "Vex is back, and still Prone.",
        "Vex stands up.",
        "Vex is Slowed (save ends).",
        "Vex is Grabbed (until it escapes).",
        "Vex tries to get out of being Grabbed: 6, free.",
        "Vex saves against Slowed: 6, it ends.",
        "Vex's turn ends.",
    ]
    game.put("vex", hp=-9).afflict("vex", "incapacitated").next_turn()
    game.next_turn(dice=[1])
    assert game.texts()[-2:] == [
        "Vex takes 2 damage from the Comeback Roll: -9 to -11 HP.",
        "Vex is Taken Out.",
    ]


def test_a_comeback_takes_no_hp_from_who_has_some(game: Game) -> None:
    """STR-TAC-16: who is Incapacitated at the game master's word, say."""
    game.draw("g.V").begin("goblin").put("vex", hp=4).afflict("vex", "incapacitated")
    assert game.next_turn(dice=[6])["comeback"]["result"] == "back"
    assert (game.of("vex", "hp"), game.statuses("vex")) == (5, ["bloodied", "prone"])


def test_the_owner_orders_the_comeback_roll_too(game: Game) -> None:
    """STR-TAC-03: Ongoing damage first may Take Out before any roll; the roll first may leave a final
    action."""
    game.draw("g.V").begin("goblin")
    game.play("combat status add", who="vex", status="core:ongoing", value=3)
    game.play("combat damage", who="vex", amount=13)
    game.play("combat end-turn")
    question = game.asked("combat turn")
    assert (question.who, question.options) == ("vex", ("ongoing", "comeback"))
    assert question.labels == ("3 damage from Ongoing damage", "the Comeback Roll")
    before = game.state
    assert game.play("combat turn", choose=["ongoing"])["comeback"] is None
    assert game.of("vex", "out") == "taken-out"
    game.state = before
    assert game.play("combat turn", choose=["comeback"], dice=[6])["comeback"]["result"] == "back"
    assert game.of("vex", "hp") == 1
    assert game.get("fight.due.amount") == 3, "one final action before it brings her down again"


def test_the_comeback_roll_and_a_zone(game: Game) -> None:
    """STR-TAC-03, STR-TAC-21: a zone that she lies in counts, one beside her doesn't."""
    game.draw("g.V").begin("goblin")
    fire = {"name": "Fire", "squares": ["B1"], "ends": "encounter", "damage": 2}
    game.set("fight.zones", {"fire": fire})
    game.play("combat damage", who="vex", amount=11)
    game.play("combat end-turn")
    before = game.state
    for square, choose, hp in (("B1", [], 1), ("C1", ["comeback"], -1), ("C1", ["zones"], 1)):
        with case(square, choose):
            game.state = before
            game.set("fight.zones.fire.squares", [square])
            game.play("combat turn", choose=choose, dice=[6])
            assert game.of("vex", "hp") == hp


@pytest.mark.parametrize(("harmful", "hp"), [(True, 10), (False, 11)])
def test_what_ends_with_a_turn_ends_as_its_owner_likes(harmful: bool, hp: int) -> None:
    """STR-TAC-03: effects that end at a step are ordered by the owner as those that happen then: what harms
    ends first, what helps comes first, for creatures too."""
    does = "damage" if harmful else "heal"
    book = book_with(
        f"""
[statuses.tide]
name = "Tide"
harmful = {str(harmful).lower()}
reactions = [{{ on = "turn-ended", do = "{does}", amount = 1 }}]
"""
    )
    game = Game(book).draw("gVx.", "....").begin("ogre").put("ogre", hp=hp - 1 + harmful)
    game.play("combat end-turn")
    game.afflict("ogre", "tide", ends="turn-end", of="ogre")
    game.next_turn_of("ogre")
    game.play("combat end-turn")
    assert (game.of("ogre", "hp"), game.statuses("ogre")) == (hp, [])


def test_the_owner_orders_what_ends_where_it_weighs_on_the_rest(game: Game) -> None:
    """STR-TAC-03, STR-TAC-25: Stunned until the turn starts bars a final action if damage comes first; not
    where the damage leaves her standing, nor does what bars no action."""
    for hp, ends in ((9, "stunned"), (2, "slowed"), (2, "stunned")):
        game.state = {}
        game.draw("g.V").begin("goblin").put("vex", hp=hp)
        game.play("combat status add", who="vex", status="core:ongoing", value=3)
        game.afflict("vex", ends, ends="turn-start")
        game.play("combat end-turn")
        asked = Game(game.book, game.state).drive("combat turn", {}).pending is not None
        assert asked is ((hp, ends) == (2, "stunned"))
    question = game.asked("combat turn")
    assert question.options == ("stunned-ends", "ongoing")
    game.play("combat turn", choose=["stunned-ends"])
    assert game.get("fight.due.amount") == 3


def test_what_ends_and_weighs_on_a_comeback_is_ordered() -> None:
    """STR-TAC-03, STR-TAC-16: by whoever rolls it."""
    status = '[statuses.{0}]\nname = "{0}"\nsources = [{{ on = "{1}", gives = -1 }}]\n'
    book = book_with("".join(status.format(on, on) for on in ("comeback", "any", "save")))
    for on, asked in (("comeback", True), ("any", True), ("save", False)):
        game = Game(book).draw("g.V").begin("goblin").put("vex", hp=-1).afflict("vex", "incapacitated")
        game.afflict("vex", on, ends="turn-start")
        game.play("combat end-turn")
        assert (game.drive("combat turn", {}, [] if asked else [3]).pending is not None) is asked, on


def test_of_two_harms_the_order_is_nobodys_to_choose(game: Game) -> None:
    """STR-TAC-03: whichever comes first, they bring her down alike."""
    game.draw("g.V").begin("goblin").put("vex", hp=3)
    game.set("fight.zones", {"fire": {"name": "Fire", "squares": ["C1"], "ends": "encounter", "damage": 2}})
    game.play("combat status add", who="vex", status="core:ongoing", value=3)
    game.play("combat end-turn")
    game.play("combat turn")
    assert game.get("fight.due.amount") == 3


def test_what_was_done_between_turns_counts_for_none(game: Game) -> None:
    """STR-TAC-08: an Opportunity of before the turn leaves the one of this turn open."""
    game.draw("Vg....").begin("goblin")
    game.play("combat end-turn")
    game.set("fight.turn", {"opportunities": ["goblin>vex"]})
    game.play("combat turn")
    assert game.get("fight.turn") is None


def test_ongoing_damages_of_two_ends_are_kept_side_by_side(game: Game) -> None:
    """STR-TAC-25: until the end of this turn, and of the next one, by the same giver."""
    game.draw("g.V").begin("goblin")
    given = {"who": "vex", "status": "core:ongoing", "ends": "turn-end", "by": "goblin", "of": "vex"}
    game.play("combat status add", **given, value=2)
    game.play("combat end-turn")
    game.play("combat turn")
    game.play("combat status add", **given, value=3)
    assert [item["value"] for item in game.of("vex", "statuses")] == [2, 3]


def test_ongoing_damages_are_one_only_where_giver_and_end_are_the_same(book: Book) -> None:
    """STR-TAC-25: else the higher may end first, and the lower go on."""
    for other in ({"by": "vex"}, {"of": "goblin"}, {"ends": "turn-start"}, {"ends": "save"}):
        with case(other):
            game = Game(book).draw("g.V").begin("goblin")
            given = {"who": "vex", "status": "core:ongoing", "ends": "turn-end", "by": "goblin", "of": "vex"}
            for value, more in ((1, {}), (2, {}), (3, other)):
                game.play("combat status add", **{**given, **more}, value=value)
            assert [item["value"] for item in game.of("vex", "statuses")] == [2, 3]
