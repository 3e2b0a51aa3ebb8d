"""What everybody can do: charge, rally, assess, improvise, roll a Skill; Strikes by hand (STR-TAC-13, 14,
17)."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with

from strike_cli.content.merged_content import Book
from strike_cli.problems import Refused
from strike_cli.refusals import TargetHidden
from strike_cli.systems.combat.bots.legal_options import legal_actions_worth_listing
from strike_cli.tabletop.characters_and_names import TooFewPoints

SKILL: dict[str, Any] = {
    "skill": "Climbing", "skilled": True, "known": True,
    "adv": [], "dis": [], "mods": [], "helpers": [], "action": "role",
}  # fmt: skip


def charge(game: Game, who: str, target: str, **more: Any) -> dict[str, Any]:
    return game.play("combat charge", who=who, target=target, **more)


def rally(game: Game, who: str, **more: Any) -> dict[str, Any]:
    return game.play("combat use", who=who, power="core:rally", targets=[], **more)


def test_the_stunned_roll_no_skill_for_a_free_action(game: Game) -> None:
    """STR-TAC-14, STR-TAC-25: Stunned is no actions; what takes none may still be rolled."""
    game.draw("V.g").begin("vex").afflict("vex", "stunned")
    with pytest.raises(Refused, match="can't act: Stunned"):
        game.play("combat skill", who="vex", **{**SKILL, "action": "free"})
    game.play("combat skill", who="vex", dice=[5], **{**SKILL, "action": "none"})


# --- charge


def test_a_charge_is_a_run_and_a_melee_basic_attack(game: Game) -> None:
    """STR-TAC-13: up to Speed, ending next to the target; one Attack Action, so a Move is still left."""
    game.draw("V.....p").begin("vex")
    data = charge(game, "vex", "post", dice=[5])
    assert (data["charge"]["to"], data["attacks"][0]["damage"]) == ("F1", 3)
    assert game.get("fight.turn.attack") == 1
    assert game.get("fight.turn.move") is None
    with pytest.raises(Refused, match="Attack Action"):
        charge(game, "vex", "post")


def test_a_charge_ends_where_it_flanks(book: Book) -> None:
    """STR-TAC-13, 20: of squares that give as few Opportunities the one with the best odds."""
    for rows, to in (
        (("......", "V...g.", ".....B"), "D1"),
        (("......", "V...gB", "......"), "D2"),
        ((".....B", "V...g.", "......"), "D3"),
    ):
        with case(rows, to):
            game = Game(book).draw(*rows).begin("vex")
            data = charge(game, "vex", "goblin", dice=[5, 2])
            assert (data["charge"]["to"], data["attacks"][0]["roll"]["mode"]) == (to, "advantage")


def test_a_charge_ends_where_the_attack_is_best() -> None:
    """STR-TAC-13: by Advantage and Disadvantage first, then by modifiers; else on the first square."""
    gives = {"keen": "1", "shaky": "-1", "eager": '"advantage"', "wary": '"disadvantage"'}
    text = "".join(
        f'[statuses.{key}]\nname = "{key}"\nsources = [{{ on = "attack", gives = {give} }}]\n'
        for key, give in gives.items()
    )
    book = book_with(text)
    for zones, to in (
        ({}, "E1"),
        ({"shaky": "E1"}, "E2"),
        ({"keen": "E3"}, "E3"),
        ({"keen": "E3", "shaky": "E2"}, "E3"),
        ({"wary": "E1"}, "E2"),
        ({"eager": "E3"}, "E3"),
        ({"keen": "E1", "eager": "E2"}, "E2"),
        ({"keen": "E1", "wary": "E1"}, "E2"),
    ):
        with case(zones):
            game = Game(book).draw("V.....", ".....p", "......").begin("vex")
            for status, square in zones.items():
                game.play("combat zone add", called=status, squares=[square], status=status)
            dice = [4] * (1 + ("eager" in zones))
            assert charge(game, "vex", "post", dice=dice)["charge"]["to"] == to


def test_each_square_of_a_charge_is_nearer_and_none_difficult(book: Book) -> None:
    """STR-TAC-13: within Speed; past allies but not onto them, never through enemies; around a wall only
    where each square still is nearer."""
    for rows, why in (
        (("V.......p",), "8 squares away"),
        (("Vp.......",), "next to"),
        (("V.~.p",), "No straight path"),
        (("V.#.p", ".....", "....."), None),
        (("V.g.p", "~~~~~"), "No straight path"),
        (("VB..p",), None),
        (("V.Bp",), "No straight path"),
    ):
        with case(rows, why):
            game = Game(book).draw(*rows).begin("vex")
            if why is None:
                assert charge(game, "vex", "post", dice=[2])["attacks"][0]["result"] == "miss"
            else:
                before = game.state
                with pytest.raises(Refused, match=why):
                    charge(game, "vex", "post")
                assert game.state == before


@pytest.mark.parametrize(("status", "allowed"), [("slowed", False), ("immobilized", False), ("dazed", True)])
def test_what_hinders_moving_hinders_a_charge(game: Game, status: str, allowed: bool) -> None:
    """STR-TAC-13, 25: a charge goes as far as Speed; for the Dazed it is the one action."""
    game.draw("V....p").begin("vex").afflict("vex", status)
    if allowed:
        charge(game, "vex", "post", dice=[4])
    else:
        with pytest.raises(Refused, match=status.capitalize()):
            charge(game, "vex", "post")


def test_a_charge_gives_opportunities_and_may_fail_of_them(game: Game) -> None:
    """STR-TAC-08, 13: others' reach on the way; the safest way is taken, or the end that is said."""
    game.draw("......", "Vg...p", "......").begin("vex")
    data = charge(game, "vex", "post", dice=[5])
    assert [item["by"] for item in data["opportunities"]] == ["goblin"]
    game.next_turn_of("vex")
    game.put("vex", at="A2", hp=1).put("goblin", at="B2")
    data = charge(game, "vex", "post", to="E1")
    assert (data["attacks"], game.of("vex", "hp")) == ([], -1)


def test_a_charge_ends_where_it_is_said(game: Game) -> None:
    """STR-TAC-13."""
    game.draw("......", "V....p", "......").begin("vex")
    assert charge(game, "vex", "post", to="E1", dice=[5])["charge"]["to"] == "E1"
    game.next_turn_of("vex")
    game.put("vex", at="A2")
    with pytest.raises(Refused, match="on F1"):
        charge(game, "vex", "post", to="F1")


def test_the_hidden_charge_with_advantage(game: Game) -> None:
    """STR-TAC-20: Hidden counts for a charge too."""
    game.draw("V...p").begin("vex").put("vex", hidden=True)
    assert charge(game, "vex", "post", dice=[2, 5])["attacks"][0]["roll"]["mode"] == "advantage"


def test_a_charge_over_open_ground_is_hidden_to_its_end(game: Game) -> None:
    """STR-TAC-20, STR-TAC-23: what gives the charger away ends it when the action is over, no earlier; so
    nobody strikes at them on the way."""
    game.draw(".#....", "V#....", ".....p", "...g..").begin("vex")
    game.play("combat hide", who="vex", now=True)
    data = charge(game, "vex", "post", dice=[2, 5])
    assert data["attacks"][0]["roll"]["sources"] == [{"kind": "advantage", "reason": "Hidden"}]
    assert data["opportunities"] == []
    assert not game.of("vex", "hidden")
    game.play("combat hide", who="vex", now=True)
    game.move("vex", "C1")
    assert not game.of("vex", "hidden"), "and so does a move, once it is over"
    assert game.texts()[-2:] == ["Goblin sees Vex.", "Vex is Hidden no longer."]


def test_a_charge_ends_where_it_can_be_made(game: Game) -> None:
    """STR-TAC-13, STR-TAC-22: on a square from which the target can be seen, though another is nearer."""
    game.draw("V....", "....g", ".....")
    game.set("fight.map.walls", [[[4, 0], [4, 2]]])
    game.begin("vex")
    assert [option.args.target for option in legal_actions_worth_listing(game.world, "vex", ["charge"])] == [
        "goblin"
    ]
    data = charge(game, "vex", "goblin", dice=[5, 5])
    assert (data["charge"]["to"], data["attacks"][0]["result"]) == ("D3", "solid")
    game.put("vex", at="A1")
    game.next_turn_of("vex")
    with pytest.raises(Refused, match="can't see Goblin from there"):
        charge(game, "vex", "goblin", to="D2")


def test_who_flies_charges_over_everything_but_walls(game: Game) -> None:
    """STR-TAC-13, STR-TAC-25: neither difficult terrain nor enemies are in a flier's way."""
    game.draw("V~g~p", "~~~~~").begin("vex").put(
        "post", statuses=[{"id": "core:flying", "ends": "encounter"}]
    )
    with pytest.raises(Refused, match="No straight path"):
        charge(game, "vex", "post")
    game.afflict("vex", "flying")
    assert charge(game, "vex", "post", dice=[5])["charge"]["to"] in ("D1", "D2")


def test_nobody_charges_the_hidden(game: Game) -> None:
    """STR-TAC-23: nor learns how far off they are."""
    game.draw("V........p").begin("vex").put("post", hidden=True)
    with pytest.raises(TargetHidden):
        charge(game, "vex", "post")


# --- rally


@pytest.mark.parametrize(("hp", "after"), [(-3, 4), (5, 9), (8, 10)])
def test_rally_heals_four_for_an_action_point(game: Game, hp: int, after: int) -> None:
    """STR-TAC-13, golden example 40: from below 0 it is 0 and then 4; never above the maximum; once a
    fight."""
    game.draw("Vp").begin("vex")
    if hp < 10:
        game.play("combat damage", who="vex", amount=10 - hp)
    rally(game, "vex")
    assert (game.of("vex", "hp"), game.get("characters.vex.ap")) == (after, 0)
    assert game.get("fight.turn") is None, "it takes no action"
    game.set("characters.vex.ap", 3)
    with pytest.raises(Refused, match="has used Rally"):
        rally(game, "vex")


def test_rally_under_any_status(book: Book) -> None:
    """STR-TAC-13."""
    for status in ("stunned", "dominated", "dazed", "panicked"):
        with case(status):
            game = Game(book).draw("Vp").begin("vex").put("vex", hp=9).afflict("vex", status)
            rally(game, "vex")
            assert game.get("characters.vex.ap") == 0


def test_rally_is_for_ones_own_turn_and_for_players(game: Game) -> None:
    """STR-TAC-13: and for who has an Action Point."""
    game.draw("VgB").begin("goblin")
    for who, why in (("vex", "Goblin's turn"), ("goblin", "only the players' characters")):
        with pytest.raises(Refused, match=why):
            rally(game, who)
    game.next_turn_of("brann")
    with pytest.raises(TooFewPoints):
        rally(game, "brann")


def test_rally_brings_back_an_encounter_power_of_the_class(game: Game) -> None:
    """STR-TAC-13: one, of one's choice; not Rally itself, nor a role's."""
    game.draw("Vp").begin("vex").put("vex", used=["last-word", "trip"])
    rally(game, "vex", choose=["last-word"])
    assert game.of("vex", "used") == ["trip", "core:rally"]
    assert game.attack("vex", "post", power="last-word", dice=[5])["damage"] == 4


# --- assess


def test_assess_asks_as_many_questions_as_the_die_says(book: Book) -> None:
    """STR-TAC-13, golden example 43: a Role Action; a Major Condition is one less, and never below one."""
    for die, conditions, questions in ((5, [], 5), (1, [], 1), (1, ["injured"], 1)):
        with case(die, conditions, questions):
            game = Game(book)
            game.set("characters.vex.conditions", [f"core:{name}" for name in conditions])
            game.draw("Vp").begin("vex")
            data = game.play("combat assess", who="vex", dice=[die])
            assert data["questions"] == questions
            assert sum(map(len, data["ask"].values())) == 9
            with pytest.raises(Refused, match="Role Action"):
                game.play("combat assess", who="vex")


def test_the_exhausted_assess_with_disadvantage(game: Game) -> None:
    """STR-TAC-20: Exhausted is Disadvantage on all rolls."""
    game.set("characters.vex.conditions", ["core:exhausted"])
    game.draw("Vp").begin("vex")
    assert game.play("combat assess", who="vex", dice=[5, 2])["questions"] == 2


# --- improvise


def test_improvising_is_strong_once(game: Game) -> None:
    """STR-TAC-14, conflict C-10: 3 damage and a strong effect, then 2 and a weaker one, in this fight."""
    game.draw("Vp").begin("vex")

    def kettle(**more: Any) -> dict[str, Any]:
        return game.play("combat improvise", who="vex", targets=["post"], what="the kettle", **more)

    data = kettle(dice=[5])
    assert (data["attacks"][0]["damage"], data["again"]) == (3, False)
    assert any("the kettle: an effect, strong" in text.lower() for text in game.texts())
    game.next_turn_of("vex")
    data = kettle(dice=[6])
    assert (data["attacks"][0]["damage"], data["again"]) == (4, True)
    assert any("weaker" in text for text in game.texts())
    game.next_turn_of("vex")
    assert kettle(dice=[5], damage=5)["attacks"][0]["damage"] == 5
    game.play("combat finish", result="won")
    game.draw("Vp").begin("vex")
    assert kettle(dice=[5])["attacks"][0]["damage"] == 3


def test_an_improvised_status_lasts_until_a_save_unless_said(game: Game) -> None:
    """STR-TAC-14, STR-TAC-25."""
    game.draw("Vp").begin("vex")
    game.play("combat improvise", who="vex", targets=["post"], what="a rug", status="core:slowed", dice=[5])
    assert [item["ends"] for item in game.of("post", "statuses")] == ["save"]


def test_improvising_at_several(game: Game) -> None:
    """STR-TAC-14: an attack at each who is named."""
    game.draw("gVg").begin("vex")
    data = game.play(
        "combat improvise", who="vex", targets=["goblin-1", "goblin-2"], what="a long bench", dice=[5, 5]
    )
    assert [attack["damage"] for attack in data["attacks"]] == [3, 3]
    assert (data["what"], data["again"]) == ("a long bench", False)


def test_who_would_rather_not_improvise_has_not(game: Game) -> None:
    """STR-TAC-08, STR-TAC-14: asked where it gives Opportunities; who holds back keeps the action, and the
    next time is still the first."""
    game.draw("gV.p").begin("vex")
    args = {"who": "vex", "targets": ["post"], "what": "a lamp", "confirms": True}
    data = game.play("combat improvise", choose=["stay"], **args)
    assert (data["attacks"], data["opportunities"], data["what"], data["again"]) == ([], [], "a lamp", False)
    assert (game.get("fight.turn"), game.of("vex", "improvised")) == (None, None)
    data = game.play("combat improvise", choose=["go"], dice=[5], **args)
    assert (data["again"], data["attacks"][0]["damage"], len(data["opportunities"])) == (False, 3, 1)


def test_an_improvised_effect_may_be_a_status(game: Game) -> None:
    """STR-TAC-14: a glancing hit picks one of the two; it reaches as far as a ranged basic attack does."""
    game.draw("V...p").begin("vex")
    args = {"who": "vex", "targets": ["post"], "what": "", "status": "core:prone", "ends": "permanent"}
    game.play("combat improvise", dice=[3], choose=["effect"], **args)
    assert (game.of("post", "hp"), game.statuses("post")) == (99, ["prone"])
    game.next_turn_of("vex")
    game.put("post", at="E1").put("vex", at="A1")
    with pytest.raises(Refused, match="4 squares"):
        game.play("combat improvise", range=3, **args)


# --- Skills


def test_costs_in_a_fight_are_strikes(book: Book) -> None:
    """STR-TAC-14, 17: a Strike for each Cost, nothing on the sheet; a Twist may be the action wasted."""
    for die, strikes, outcome in ((6, 0, "success"), (3, 1, "success"), (2, 0, "twist"), (1, 1, "twist")):
        with case(die, strikes, outcome):
            game = Game(book).draw("Vp").begin("vex")
            data = game.play("combat skill", who="vex", dice=[die], **SKILL)
            assert (data["outcome"], game.of("vex", "strikes", 0)) == (outcome, strikes)
            assert game.get("characters.vex.conditions", []) == []
            assert any("wasted" in text for text in game.texts()) is (outcome == "twist")
            assert game.get("fight.turn.role") == 1


def test_helpers_in_a_fight_take_strikes_too(game: Game) -> None:
    """STR-TAC-14, STR-CORE-20: each of them, where there is a Cost; who isn't in the fight has none."""
    game.draw("VpB").begin("vex")
    for name, dice, strikes in (
        ("brann", [2, 5], {"vex": 1, "brann": 1}), ("brann", [6, 6], {}), ("odo", [2, 5], {"vex": 1})
    ):  # fmt: skip
        with case(name, dice):
            game.set("fight.turn", {})
            helpers = [{"name": name, "skilled": True}]
            data = game.play("combat skill", who="vex", dice=dice, **{**SKILL, "helpers": helpers})
            assert (data["costs"], data["strikes"]) == (int(bool(strikes)), strikes)
    assert (game.of("vex", "strikes"), game.of("brann", "strikes")) == (2, 1)


@pytest.mark.parametrize(
    ("action", "status", "allowed"),
    [("move", None, True), ("free", None, True), ("none", "stunned", True), ("role", "distracted", False)],
)
def test_the_game_master_says_what_a_skill_takes(
    game: Game, action: str, status: str | None, allowed: bool
) -> None:
    """STR-TAC-14."""
    game.draw("Vp").begin("vex")
    if status:
        game.afflict("vex", status)
    if allowed:
        game.play("combat skill", who="vex", dice=[5], **{**SKILL, "action": action})
        assert game.get("fight.turn.move") == (1 if action == "move" else None)
    else:
        with pytest.raises(Refused, match="Distracted"):
            game.play("combat skill", who="vex", **{**SKILL, "action": action})


# --- by hand


def test_strikes_and_tokens_by_hand(game: Game) -> None:
    """STR-TAC-10, 17: one where no number is said; for players, not for creatures."""
    game.draw("Vg").begin("vex")
    for command, key in (("strike", "strikes"), ("token", "miss_tokens")):
        assert game.play(f"combat {command}", who="vex", n=2, why="the bridge gave way")[key] == 2
        assert game.play(f"combat {command}", who="vex")[key] == 3
        with pytest.raises(Refused, match="only players' characters"):
            game.play(f"combat {command}", who="goblin", n=1, why="")


def test_who_is_stunned_where_a_charge_ends_attacks_nobody(game: Game) -> None:
    """STR-TAC-13, STR-TAC-25."""
    game.draw("V....p").begin("vex")
    game.play("combat zone add", called="Haze", squares=["E1"], status="core:stunned")
    data = charge(game, "vex", "post")
    assert (data["charge"]["to"], data["attacks"]) == ("E1", [])


def test_a_charge_that_is_stopped_short_attacks_nobody(game: Game) -> None:
    """STR-TAC-13, STR-TAC-23: not even whom a longer reach has in it by then; it earns no Miss Token."""
    game.draw("B..l.p").begin("brann").put("lurker", at="E1", hidden=True).afflict("lurker", "dazed")
    data = charge(game, "brann", "post", to="E1")
    assert (data["charge"]["to"], data["attacks"], data["miss_token"]) == ("D1", [], False)


@pytest.mark.parametrize(("own", "most"), [({"range": 3, "damage": 2}, 3), (False, 5)])
def test_what_is_improvised_from_afar_goes_as_far_as_ones_own_shots(game: Game, own: Any, most: int) -> None:
    """STR-TAC-14: or as far as anybody's, of who has none."""
    game.book = copy(game.book)
    vex = {**game.book.characters["vex"], "ranged": own}
    game.book.characters = {**game.book.characters, "vex": vex}
    game.draw("V......p").begin("vex").put("post", at=f"{'ABCDEFGH'[most + 1]}1")
    with pytest.raises(Refused):
        game.play("combat improvise", who="vex", targets=["post"], what="a pan")
    game.put("post", at=f"{'ABCDEFGH'[most]}1")
    game.play("combat improvise", who="vex", targets=["post"], what="a pan", dice=[4])


def test_a_charge_goes_where_it_gives_the_fewest_opportunities(book: Book) -> None:
    """STR-TAC-08, 13: around whoever may strike, where each square still is nearer."""
    for rows in (
        ("......", "......", "..g...", "V....p", "......", "......"),
        ("......", "......", "V....p", "..g...", "......", "......"),
    ):
        with case(rows):
            game = Game(book).draw(*rows).begin("vex")
            assert charge(game, "vex", "post", dice=[5])["opportunities"] == []
