"""Creatures: tiers, boxes, shared and several turns, traits that act, numbers by difficulty (STR-TAC-27)."""

from __future__ import annotations

import tomllib
from collections import Counter
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.game import Game, book_with

from strike_cli.content.merged_content import open_book
from strike_cli.content.schemas import CREATURES, schemas_of_working_systems
from strike_cli.file_faults import Faults, Place
from strike_cli.problems import ContentProblem, Refused
from strike_cli.systems.combat.bots.legal_options import legal_actions_worth_listing
from strike_cli.systems.combat.encounter.creatures_and_budgets import (
    Budget,
    creature_numbers_with_tier_defaults,
    scale_or_drop_kinds_to_free_budget,
)
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.systems.combat.health_and_statuses import would_bring_down
from strike_cli.tabletop.grid import Grid
from strike_cli.tabletop.new_creatures_and_made_up_content import (
    WORDS_FOR_HIDDEN,
    find_squares_on_spots_or_near_first,
    is_used_in_any_scene,
    merge_content_and_prune_encounters,
    new_creature_ids_and_names,
)

PARTY = ("vex", "brann", "odo", "vesna")
KINDS = """
[stooge]
name = "Stooge"
tier = "stooge"

[goon]
name = "Goon"
tier = "goon"

[brute]
name = "Brute"
tier = "elite"

[king]
name = "King"
tier = "champion"

[named]
name = "Named Goon"
tier = "goon"
hp = 7

[crow]
name = "Crow"
statuses = ["core:flying"]

[eel]
name = "Eel"
hp = 20
traits = [
  "Smells",
  { name = "Slick", reactions = [{ on = "missed", do = "damage", to = "other", amount = 1 }] },
  { name = "Vicious", sources = [{ on = "attack", gives = 1 }] },
]
"""


@pytest.fixture
def game(game: Game) -> Game:
    """The mill's people, and a creature of every tier."""
    faults: Faults = []
    kinds = {
        key: schemas_of_working_systems().campaign[CREATURES].check(item, Place("creatures", key), faults)
        for key, item in tomllib.loads(KINDS).items()
    }
    assert not faults
    game.book = copy(game.book)
    game.book.creatures = {**game.book.creatures, **kinds}
    return game


def begin(game: Game, *rows: str, party: tuple[str, ...] = ("vex",), **encounter: Any) -> dict[str, Any]:
    """A fight on this map: P squares for the party, E for enemies by count, k, b, g, s, e for the kinds."""
    signs = {"P": "party", "E": "enemies", "k": "king", "b": "brute", "g": "goon", "s": "stooge", "e": "eel"}
    there = {sign: ref for sign, ref in signs.items() if any(sign in row for row in rows)}
    extra = {key: encounter.pop(key) for key in ("with_", "difficulty") if key in encounter}
    whole = {"name": "A fight", "goal": "", "map": "\n".join(rows), "place": there, "side": {}, **encounter}
    game.book.encounters = {**game.book.encounters, "kinds": whole}
    more = {"difficulty": extra["difficulty"]} if "difficulty" in extra else {}
    if "with_" in extra:
        more["creatures"] = extra["with_"]
    data: dict[str, Any] = game.play("combat start", encounter="kinds", party=list(party), **more)
    return data


def enemies(data: dict[str, Any]) -> Counter[str]:
    """How many of each kind there are."""
    return Counter(item["ref"] for item in data["combatants"].values() if item["side"] == "enemies")


def beside_an_eel(game: Game, *dice: int) -> Game:
    """A fight with one next to Vex, and the turn of whoever is first by these dice."""
    begin(game, "P....", "e....")
    game.play("combat initiative", dice=dice)
    game.play("combat turn")
    return game


# --- boxes


def test_goons_have_boxes(game: Game) -> None:
    """STR-TAC-27: a box for each full threshold in a hit, one for every second dent, out at the last."""
    for damage, left in (
        ([1], 2), ([2, 2], 1), ([3], 1), ([5], 1), ([3, 1], 1), ([1, 3, 2], 0), ([6], 0)
    ):  # fmt: skip
        with case(damage):
            game.state = {}
            begin(game, "P..g")
            for amount in damage:
                game.play("combat damage", who="goon", amount=amount)
            assert (game.of("goon", "hp"), game.of("goon", "out")) == (left, None if left else "taken-out")


@pytest.mark.parametrize(("value", "final"), [(3, False), (6, True)])
def test_ongoing_damage_against_boxes(game: Game, value: int, final: bool) -> None:
    """STR-TAC-25, STR-TAC-27: a final action first where it would check the last box, no sooner."""
    begin(game, "P..g")
    game.begin("goon")
    game.afflict("goon", "ongoing", ends="save", value=value)
    game.play("combat end-turn", dice=[1])
    game.next_turn_of("goon")
    assert (game.get("fight.due") is not None) is final
    assert game.of("goon", "hp") == (2 if final else 1)


def test_a_stooge_goes_down_at_the_first_damage(game: Game) -> None:
    """STR-TAC-27."""
    begin(game, "P..s")
    game.play("combat damage", who="stooge", amount=4)
    assert game.of("stooge", "out") == "taken-out"
    assert game.of("stooge", "hp") == 0  # it has no more boxes than one
    assert game.texts()[0].endswith("a box checked, 0 of 1 left.")


def test_what_would_bring_a_goon_down(game: Game) -> None:
    """STR-TAC-27: the threshold for the last box, or less where there is a dent."""
    begin(game, "P..g")
    for hp, dented, falls in ((2, None, []), (1, None, [3, 4, 5]), (1, True, [1, 2, 3, 4, 5])):
        with case(hp, dented):
            game.put("goon", hp=hp, dented=dented)
            fight = Fight(game.world)
            assert [amount for amount in range(6) if would_bring_down(fight, "goon", amount)] == falls


def test_a_champion_who_joins_has_each_turn_by_its_own_die(game: Game) -> None:
    """STR-TAC-02, STR-TAC-27: places in the order, and what they rolled for them, high first."""
    begin(game, "P..g")
    game.play("combat initiative", dice=[4, 5])
    game.play("combat join", ref="king", at=["B1"], side="enemies", dice=[2, 6])
    assert (game.of("king", "initiatives"), game.of("king", "initiative")) == ([6, 2], 6)
    assert game.get("fight.order") == ["king", "goon", "vex", "king"]
    game.book.creatures["king"] = {**game.book.creatures["king"], "turns": 3}
    game.play("combat join", ref="king", at=["C1"], side="enemies", dice=[3, 6, 4])
    assert (game.of("king-2", "initiatives"), game.of("king-2", "initiative")) == ([6, 4, 3], 6)
    assert game.get("fight.order") == ["king", "king-2", "goon", "king-2", "vex", "king-2", "king"]


def test_newcomers_come_between_the_turns_of_a_champion(game: Game) -> None:
    """STR-TAC-02, STR-TAC-27: by what it rolled for each; a place that is still to come in this round is
    theirs in it, whatever turns the champion has had."""
    begin(game, "P..k")
    game.play("combat initiative", dice=[4, 6, 2])
    assert [game.next_turn()["who"] for _ in range(2)] == ["king", "vex"]
    for at, die in (("B1", 3), ("C1", 5)):
        game.play("combat join", ref="goon", at=[at], side="enemies", dice=[die])
    assert game.get("fight.order") == ["king", "goon-2", "vex", "goon", "king"]
    turns = [(data["who"], data["round"]) for data in (game.next_turn() for _ in range(4))]
    assert turns == [("goon", 1), ("king", 1), ("king", 2), ("goon-2", 2)]


def test_boxes_heal_by_the_threshold(game: Game) -> None:
    """STR-TAC-27."""
    begin(game, "P..g")
    game.play("combat damage", who="goon", amount=3)
    with pytest.raises(Refused, match="1 of 2 boxes"):
        game.play("combat heal", who="goon", amount=2)
    game.play("combat heal", who="goon", amount=4)
    assert game.of("goon", "hp") == 2
    assert game.texts()[0].endswith("1 to 2 boxes.")


def test_what_is_written_wins_over_the_tier(game: Game) -> None:
    """STR-TAC-27: HP on the sheet means HP."""
    begin(game, "P..E", creatures={"named": 1})
    assert (game.of("named", "hp"), game.of("named", "threshold")) == (7, None)
    game.play("combat damage", who="named", amount=1)
    assert game.of("named", "hp") == 6


@pytest.mark.parametrize(("sign", "who", "hp"), [("b", "brute", 20), ("k", "king", 30)])
def test_hp_by_tier(game: Game, sign: str, who: str, hp: int) -> None:
    """STR-TAC-27."""
    begin(game, f"P..{sign}")
    assert game.of(who, "hp") == hp


def test_a_flyer_begins_the_fight_flying(game: Game) -> None:
    """STR-TAC-27, STR-TAC-25: statuses on a sheet last for the fight."""
    begin(game, "P..E", creatures={"crow": 1})
    assert game.of("crow", "statuses") == [{"id": "core:flying", "ends": "encounter"}]


# --- several turns, and shared ones


def test_a_champion_has_several_turns_a_round(game: Game) -> None:
    """STR-TAC-27, STR-TAC-02: a die for each turn."""
    begin(game, "P..k")
    assert game.play("combat initiative", dice=[4, 2, 6])["order"] == ["king", "vex", "king"]
    assert game.of("king", "initiative") == 6
    assert game.texts() == ["Initiative: King: 6 and 2, Vex: 4."]
    seen = [(data["who"], data["round"]) for data in (game.next_turn() for _ in range(5))]
    assert seen == [("king", 1), ("vex", 1), ("king", 1), ("king", 2), ("vex", 2)]


def test_stooges_share_their_initiative(game: Game) -> None:
    """STR-TAC-27, STR-TAC-02: one die for all of a kind and side."""
    begin(game, "P.s.s")
    assert game.play("combat initiative", dice=[4, 5])["order"] == ["stooge-1", "stooge-2", "vex"]
    assert game.of("stooge-2", "initiative") == 5


# --- traits that act


def test_a_miss_trigger(game: Game) -> None:
    """STR-TAC-09, STR-TAC-25, STR-TAC-27: what a creature does when an attack misses it; nothing while it is
    Dazed."""
    beside_an_eel(game, 6, 1)
    for die, dazed, left in ((5, False, 10), (2, False, 9), (2, True, 9)):
        if dazed:
            game.afflict("eel", "dazed")
        game.attack("vex", "eel", dice=[die], choose=["0"] if dazed else [])
        assert game.of("vex", "hp") == left
        game.next_turn_of("vex")


def test_a_trait_weighs_on_rolls(game: Game) -> None:
    """STR-TAC-27: with its name as the reason."""
    roll = beside_an_eel(game, 1, 6).attack("eel", "vex", dice=[4])["roll"]
    assert roll["modifiers"] == [{"value": 1, "reason": "Vicious"}]


# --- by count and by difficulty


def test_creatures_by_count(game: Game) -> None:
    """STR-TAC-27: the encounter's own and those asked for, on the squares for enemies and beside them."""
    data = begin(game, "P....", "....E", creatures={"goon": 2}, with_={"goon": 1, "stooge": 1})
    places = {who: item["at"] for who, item in data["combatants"].items() if item["side"] == "enemies"}
    assert sorted(places) == ["goon-1", "goon-2", "goon-3", "stooge"]
    assert places["goon-1"] == "E2"
    assert len(set(places.values())) == 4


def test_a_sign_with_a_count(game: Game) -> None:
    """STR-TAC-27: so many from that square on."""
    data = begin(game, "P....", "....g", counts={"g": 3})
    assert [who for who in data["combatants"] if who != "vex"] == ["goon-1", "goon-2", "goon-3"]


def test_without_squares_for_them_they_stand_off(game: Game) -> None:
    """STR-TAC-27: as far from the party as the map goes."""
    data = begin(game, "P.....", with_={"goon": 1})
    assert data["combatants"]["goon"]["at"] == "F1"


def test_difficulty_scales_by_the_party(game: Game) -> None:
    """STR-TAC-27: a budget for each character, spent in the proportions asked for."""
    for difficulty, party, goons in (
        ("easy", 4, 6), ("normal", 4, 8), ("hard", 4, 10), ("deadly", 2, 7), ("easy", 1, 1)
    ):  # fmt: skip
        with case(difficulty, party):
            game.state = {}
            rows = ("PPPP......", "..........", "......E...")
            data = begin(game, *rows, party=PARTY[:party], with_={"goon": 2}, difficulty=difficulty)
            assert enemies(data) == {"goon": goons}


def test_difficulty_counts_who_is_there_anyway(game: Game) -> None:
    """STR-TAC-27: an elite on the map leaves half as much for four; one of the cheapest comes even where
    nothing is left."""
    for rows, party, wanted, difficulty, there in (
        (("PPPP.....b", ".........."), PARTY, {"goon": 1, "stooge": 2}, "normal",
         {"brute": 1, "goon": 2, "stooge": 4}),
        (("P.....b", "......."), PARTY[:1], {"goon": 1, "stooge": 3}, "easy", {"brute": 1, "stooge": 1}),
    ):  # fmt: skip
        with case(rows):
            game.state = {}
            assert enemies(begin(game, *rows, party=party, with_=wanted, difficulty=difficulty)) == there


def test_what_is_drawn_may_be_more_than_a_difficulty_holds(game: Game) -> None:
    """STR-TAC-27: an elite is worth two standard creatures, which is what two characters may meet at most in
    a normal fight; with a goon it is more. One of those by count comes all the same, and the answer says so.
    """
    for difficulty, holds, exceeded in (("easy", 1.5, True), ("normal", 2.0, True), ("deadly", 3.5, False)):
        with case(difficulty):
            game.state = {}
            more: dict[str, Any] = {"with_": {"stooge": 3}, "difficulty": difficulty}
            data = begin(game, "PP......b", "........g", party=("vex", "odo"), **more)
            budget = data["budget"]
            assert (budget["drawn"], budget["holds"], budget["exceeded"]) == (2.5, holds, exceeded)
            assert enemies(data)["stooge"] == (1 if exceeded else 4)


def test_the_proportions_are_kept_as_far_as_it_goes(game: Game) -> None:
    """STR-TAC-27: two to one, each next one of the kind that is furthest behind; what is full is not
    exceeded."""
    wanted = {"goon": 2, "stooge": 1}
    kinds = {ref: {**game.book.creatures[ref], "tier": "goon"} for ref in wanted}
    game.book.creatures = {**game.book.creatures, **kinds}
    for holds, counts in (
        (3, {"goon": 1}), (4, {"goon": 2}), (6, {"goon": 2, "stooge": 1}), (8, {"goon": 3, "stooge": 1})
    ):  # fmt: skip
        with case(holds):
            assert (
                scale_or_drop_kinds_to_free_budget(game.world, wanted, Budget("normal", holds, 0)) == counts
            )
            assert not Budget("normal", holds, holds).is_exceeded_by_placed_creatures
            assert Budget("normal", holds, holds + 1).is_exceeded_by_placed_creatures


def test_a_picture_comes_along(game: Game) -> None:
    game.book.creatures["goon"] = {**game.book.creatures["goon"], "image": "goon.png"}
    begin(game, "P..g")
    assert (game.of("goon", "image"), game.of("vex", "image")) == ("goon.png", None)


def test_without_a_difficulty_nothing_is_counted(game: Game) -> None:
    """STR-TAC-27."""
    assert "budget" not in begin(game, "P...g", with_={"goon": 1})


def test_nothing_to_scale(game: Game) -> None:
    """STR-TAC-27."""
    with pytest.raises(Refused, match="nothing to scale"):
        begin(game, "P..g", difficulty="hard")


def test_no_room_for_so_many(game: Game) -> None:
    """STR-TAC-27."""
    with pytest.raises(Refused, match="no room"):
        begin(game, "P..E", with_={"goon": 9})


def test_a_creature_takes_nobodys_id() -> None:
    """STR-TAC-01: a character of the same id is in the fight, whoever is placed first."""
    book = book_with('[characters.goblin]\nname = "Gob, a friend"\n')
    encounter = {"name": "A fight", "goal": "", "map": "g.f.P", "side": {}, "zones": []}
    place = {"g": "wild:goblin", "f": "goblin", "P": "party"}
    book.encounters = {"drawn": {**encounter, "place": place}}
    game = Game(book)
    there = game.play("combat start", encounter="drawn", party=["goblin", "vex"])["combatants"]
    assert {who: one["side"] for who, one in there.items()} == {
        "goblin": "party", "vex": "party", "goblin-1": "enemies",
    }  # fmt: skip


# --- without a ranged attack

HOUND = "creatures.hound = { hp = 6, ranged = false }"


@pytest.fixture
def hound() -> Game:
    """Vex three squares from a hound, whose turn it is."""
    game = Game(book_with(HOUND)).draw("V..g").begin("goblin")
    return game.put("goblin", ref="hound", name="Hound")


def test_who_has_no_ranged_attack_makes_none(hound: Game) -> None:
    """STR-TAC-13: it isn't offered, can't be made, and is not what an attack falls back on."""
    with pytest.raises(Refused, match="Hound has no ranged attack"):
        hound.attack("goblin", "vex", power="core:ranged-basic", dice=[5])
    offered = {
        str(option) for option in legal_actions_worth_listing(hound.world, "goblin", ["power", "charge"])
    }
    assert offered == {"charge goblin vex"}
    hound.play("combat status add", who="goblin", status="core:panicked", ends="save", by="vex")
    hound.play("combat end-turn", dice=[1])
    hound.next_turn_of("vex")
    hound.play("combat end-turn")
    hound.play("combat turn", dice=[2])
    assert not [fact for fact in hound.facts if fact.kind == "attacked"], "it runs, and that is all"


def test_a_basic_attack_from_afar_of_who_has_none(in_campaign: Strike, folder: Path) -> None:
    """STR-TAC-13."""
    file = folder / "campaign.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("ranged = { damage = 2, range = 8 }", "ranged = false"), encoding="utf-8")
    in_campaign("combat start yard --party vex")
    in_campaign("combat initiative --dice 1,6,5")
    in_campaign("combat turn")
    assert "squares away; Melee Basic Attack reaches 1" in in_campaign("combat attack goblin-1 vex", 1).err
    assert "Ranged" not in in_campaign("content show goblin").out


def test_ranged_is_a_table_or_false(folder: Path) -> None:
    file = folder / "campaign.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("ranged = { damage = 2, range = 8 }", "ranged = true"), encoding="utf-8")
    with pytest.raises(ContentProblem, match=r"creatures\.goblin\.ranged: true is not one of false"):
        open_book(folder)


def test_allies_of_the_party_cost_no_budget(game: Game) -> None:
    """STR-TAC-27: only enemies are paid for, and a character who is one has no price."""
    data = begin(
        game, "PPPP....bV", "..........", party=PARTY[1:], place={"P": "party", "b": "brute", "V": "vex"},
        side={"b": "party", "V": "enemies"}, with_={"goon": 1}, difficulty="normal",
    )  # fmt: skip
    assert enemies(data) == {"goon": 6, "vex": 1}


def test_more_who_come_hidden_than_there_are_words(game: Game) -> None:
    """STR-TAC-23: each has a name of its own, that tells nobody how many there are."""
    data = begin(game, "P" + "." * 9, *["." * 10] * 4, with_={"lurker": 40})
    names = [item["name"] for who, item in data["combatants"].items() if item["ref"] == "lurker"]
    assert len(set(names)) == 40
    assert all(name.startswith("Lurker ") and not any(map(str.isdigit, name)) for name in names)
    twice = [name.split()[1:] for name in names if len(name.split()) == 3]
    assert len(twice) == 7
    assert all(one != other for one, other in twice)


def test_boxes_without_a_threshold() -> None:
    """Boxes are the sheet's, whatever the tier: each hit checks one, unless it says more; with HP there are
    none (STR-TAC-27)."""
    assert creature_numbers_with_tier_defaults({"boxes": 2}) == {"worth": 4, "boxes": 2, "threshold": 1}
    assert "boxes" not in creature_numbers_with_tier_defaults({"boxes": 2, "hp": 3})


# --- what they are called


def test_creatures_of_one_name_from_two_places_are_told_apart(game: Game) -> None:
    """STR-TAC-27: a number where another has the plain name, and the next one that is free."""
    none: dict[str, Any] = {}
    known = {"goblin": {"ref": "goblin"}}
    assert list(new_creature_ids_and_names(game.world, "goblin", 1, none)) == [("goblin", "Goblin")]
    assert list(new_creature_ids_and_names(game.world, "wild:goblin", 1, known)) == [
        ("goblin-1", "Wild Goblin 1")
    ]
    known |= {"goblin-2": {"ref": "goblin"}}
    assert [key for key, _ in new_creature_ids_and_names(game.world, "wild:goblin", 3, known)] == [
        "goblin-1",
        "goblin-3",
        "goblin-4",
    ]
    assert list(new_creature_ids_and_names(game.world, "goblin", 1, known)) == [("goblin-3", "Goblin 3")]


def test_who_comes_hidden_has_a_word_in_place_of_a_number(game: Game) -> None:
    """STR-TAC-23: so that nobody counts those unseen; by two words where there are more of them than words,
    always the same in a campaign, and others in another."""
    none: dict[str, Any] = {}
    assert list(new_creature_ids_and_names(game.world, "lurker", 1, none)) == [("lurker", "Lurker")]
    many = list(new_creature_ids_and_names(game.world, "lurker", 40, none))
    assert many == list(new_creature_ids_and_names(game.world, "lurker", 40, none))
    assert len({key for key, _ in many}) == 40
    assert {name.removeprefix("Lurker ") for _, name in many[: len(WORDS_FOR_HIDDEN)]} == {*WORDS_FOR_HIDDEN}
    assert all(len({*name.split()}) == 3 for _, name in many[len(WORDS_FOR_HIDDEN) :])
    assert all(key == name.lower().replace(" ", "-") for key, name in many)
    known = {many[0][0]: {"ref": "lurker"}}
    assert list(new_creature_ids_and_names(game.world, "lurker", 2, known)) == many[1:3]
    assert next(new_creature_ids_and_names(game.world, "lurker", 1, known)) == many[1]
    game.book = copy(game.book)
    game.book.name = "Another Mill"
    assert list(new_creature_ids_and_names(game.world, "lurker", 40, none)) != many


def test_the_least_that_a_budget_buys_is_one_of_the_cheapest(game: Game) -> None:
    """STR-TAC-27: even where there are enough already."""
    found = scale_or_drop_kinds_to_free_budget(
        game.world, {"king": 1, "stooge": 1, "brute": 1}, Budget("easy", 1, 99)
    )
    assert found == {"stooge": 1}


# --- who comes later, and who comes back


def test_where_several_come_in(game: Game) -> None:
    """STR-TAC-07: on the squares that are named, then nearest to the first of them, row by row; a large one
    where there is room for all of it."""
    grid = Grid(["....#", ".....", "....."])
    assert find_squares_on_spots_or_near_first(grid, 1, 5, [(0, 0), (4, 2)], {(0, 1)}, "x") == [
        (0, 0),
        (4, 2),
        (1, 0),
        (1, 1),
        (2, 0),
    ]
    assert find_squares_on_spots_or_near_first(grid, 1, 1, [(2, 1), (4, 2)], (), "x") == [(2, 1)]
    assert find_squares_on_spots_or_near_first(grid, 2, 2, [(0, 0)], (), "x") == [(0, 0), (2, 0)]
    with pytest.raises(Refused, match="no room for 4 x"):
        find_squares_on_spots_or_near_first(grid, 2, 4, [(0, 0)], (), "x")


def test_who_is_made_up_with_a_move_takes_part_in_it(game: Game) -> None:
    """It is told by name, stays beside what was made up before, and may be had again."""
    game.draw("V" + "." * 20)
    for ref, at in (("rat", "C1"), ("stoker", "D1")):
        made = {"creatures": {ref: {**game.book.creatures["goblin"], "name": f"Old {ref}", "hp": 3}}}
        assert game.play("combat join", ref=ref, at=[at], made_up=made)["joined"] == [ref]
        assert game.texts()[0] == f"Made up: Old {ref}."
        assert game.of(ref, "hp") == 3
    game.book = game.book.with_made_up(game.state)
    assert game.play("combat join", ref="rat", at=["E1"])["joined"] == ["rat-2"]


def test_what_is_made_up_stays_while_a_scene_uses_it(game: Game) -> None:
    """An encounter goes with its fight, which may wait, of any system; a creature may join a later one."""
    begun = game.draw("V.g").state
    game.play("combat park")
    parked = game.get("parked_fights")
    made: dict[str, Any] = {"encounters": {"drawn": {}, "cave": {}}, "creatures": {"stoker": {}}}
    for state, used in (
        (begun, True),
        ({"parked_fights": parked}, True),
        ({"parked": {"grit": parked}}, True),
        ({"session": {"number": 1}}, False),
    ):
        with case(state):
            found = [is_used_in_any_scene(state, id) for id in ("drawn", "goblin", "cave")]
            assert found == [used, used, False]
            assert merge_content_and_prune_encounters(
                {**state, "made_up": made}, {"creatures": {"rat": {}}}
            ) == {"encounters": {"drawn": {}} if used else {}, "creatures": {"stoker": {}, "rat": {}}}
