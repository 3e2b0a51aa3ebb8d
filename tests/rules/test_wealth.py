"""Wealth: the table, what lowers it, buying, helping, pooling, cash (STR-CORE-20, 26 to 30)."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from support.cases import case
from support.game import Game, book_with
from support.party import deal, pooled
from support.told import text_of

from strike_cli.problems import Refused
from strike_cli.systems.wealth.effective_wealth_and_purchase_roll import (
    column_for_price,
    column_name,
    effective_wealth,
    numbers,
    outcome_words,
    rank_name,
    ranks_of_cash_parcels,
)

S, SB, SC, SCC = ("success", 0, 0, 0), ("success", 1, 0, 0), ("success", 0, 1, 0), ("success", 0, 2, 1)
T, TF = ("twist", 0, 0, 0), ("twist", 0, 1, 1)
TABLE = {
    "cheap": {6: SB, 5: SB, 4: S, 3: S, 2: SC, 1: SCC},
    "same": {6: SB, 5: S, 4: SC, 3: SCC, 2: T, 1: TF},
    "expensive": {6: S, 5: SC, 4: SCC, 3: T, 2: TF, 1: TF},
}
"""Outcome, bonus, costs and flaws by column and die: the table of STR-CORE-27."""


def came_to(data: dict[str, Any]) -> tuple[str | None, bool, int, int]:
    return data["outcome"], data["bonus"], data["costs"], data["flaws"]


def roll(game: Game, wealth: int, price: int, *dice: int, **more: Any) -> dict[str, Any]:
    """A bare roll."""
    return game.play("roll wealth", dice=dice, **{"who": "", "wealth": wealth, "price": price, **more})


def buy(
    game: Game, who: str, price: int, *helpers: str, dice: Any = (), choose: Any = (), **more: Any
) -> Any:
    return game.play("wealth buy", dice=dice, choose=choose, **deal(who, price, *helpers, **more))


def pool(
    game: Game, *members: str, price: int, parcels: Any = (), dice: Any = (), choose: Any = (), **more: Any
) -> Any:
    return game.play("wealth pool", dice=dice, choose=choose, **pooled(members, price, *parcels, **more))


def gain(game: Game, who: str, *conditions: str) -> None:
    for condition in conditions:
        game.play("condition add", who=who, condition=f"core:{condition}")


def conditions(game: Game, who: str) -> list[str]:
    return [item.removeprefix("core:") for item in game.get(f"characters.{who}.conditions", [])]


def rich(game: Game, **wealth: int) -> None:
    for who, rank in wealth.items():
        game.set(f"characters.{who}.wealth", rank)


# --- ranks and columns


def test_ranks_have_names_and_prices_go_one_further() -> None:
    """STR-CORE-26."""
    assert [rank_name(rank) for rank in range(4)] == ["Penniless", "Poor", "Rich", "Super-rich"]
    assert len(numbers()["prices"]) == 5


def test_the_column_is_the_price_less_the_wealth() -> None:
    """STR-CORE-27: two below needs no roll, two above can't be bought by one."""
    for price in range(5):
        for wealth in range(5):
            with case(price, wealth):
                names = {-1: "cheap", 0: "same", 1: "expensive"}
                expected = names.get(price - wealth, "automatic" if price < wealth else "impossible")
                assert column_for_price(wealth, price) == expected


def test_each_die_in_each_column(game: Game) -> None:
    """STR-CORE-27."""
    for price, (column, rows) in enumerate(TABLE.items(), 1):
        for die, row in rows.items():
            with case(column, die):
                data = roll(game, 2, price, die)
                assert (data["column"], came_to(data)) == (column, row)


def test_who_has_no_sheet_has_no_wealth(game: Game) -> None:
    """STR-CORE-26."""
    assert effective_wealth(game.world, "stranger").wealth == 0


def test_no_roll_far_below_and_far_above(game: Game) -> None:
    """STR-CORE-27: no dice are asked, and nothing is gained but the thing."""
    below, above = roll(game, 3, 1), roll(game, 1, 3)
    assert (below["column"], below["roll"], came_to(below)) == ("automatic", None, S)
    assert (above["column"], above["roll"], came_to(above)) == ("impossible", None, (None, 0, 0, 0))


@pytest.mark.parametrize(("mod", "die", "row"), [(-2, 1, TF), (2, 6, SB), (-1, 5, SC)])
def test_modifiers_stay_in_the_table(game: Game, mod: int, die: int, row: Any) -> None:
    """STR-CORE-05: the total is clamped to the table."""
    assert came_to(roll(game, 2, 2, die, mods=[[mod, "weather"]])) == row


def test_advantage_and_disadvantage(game: Game) -> None:
    """STR-CORE-04 holds for Wealth as for any Skill."""
    assert roll(game, 2, 2, 1, 5, adv=["haggling"])["total"] == 5
    assert roll(game, 2, 2, 1, 5, dis=["a hurry"])["total"] == 1
    assert roll(game, 2, 2, 4, adv=["haggling"], dis=["a hurry"])["total"] == 4


def test_what_bears_on_a_skill_bears_on_wealth() -> None:
    """STR-CORE-04, STR-CORE-27: a Wealth Roll is a roll with a Skill of everybody's."""
    text = """
[conditions]
lucky = { name = "Lucky", severity = "minor", summary = "Better at whatever is tried.", sources = [
  { on = "skill", gives = 1 }] }
"""
    game = Game(book_with(text))
    game.set("characters.vex.conditions", ["lucky"])
    assert roll(game, 2, 2, 5, who="vex")["roll"]["modifiers"] == [{"value": 1, "reason": "Lucky"}]


# --- Short and Broke


@pytest.mark.parametrize(
    ("held", "effective"),
    [
        ([], 3),
        (["short"], 2),
        (["short", "short"], 2),
        (["broke"], 2),
        (["broke", "broke"], 1),
        (["short", "broke"], 1),
        (["short", "short", "broke", "broke"], 0),
        (["broke", "broke", "broke", "broke"], 0),
    ],
)
def test_what_lowers_wealth_for_now(game: Game, held: list[str], effective: int) -> None:
    """STR-CORE-29: Short takes one however many, each Broke one more, and 0 is the least."""
    rich(game, vex=3)
    gain(game, "vex", *held)
    now = effective_wealth(game.world, "vex")
    assert (now.wealth, now.effective) == (3, effective)
    assert len(now.reasons) == ("short" in held) + held.count("broke")


def test_the_third_short_becomes_broke(game: Game) -> None:
    """STR-CORE-29, STR-CORE-12."""
    rich(game, vex=2)
    buy(game, "vex", 1, dice=[2], choose=["short"])  # Cheap
    buy(game, "vex", 1, dice=[4], choose=["short"])  # Same Level from now on
    assert conditions(game, "vex") == ["short", "short"]
    buy(game, "vex", 1, dice=[4], choose=["short"])
    assert conditions(game, "vex") == ["broke"]


def test_who_is_short_rolls_as_poorer(game: Game) -> None:
    """STR-CORE-29: and says so."""
    gain(game, "vex", "short")
    data = buy(game, "vex", 1, dice=[6])
    assert (data["wealth"], data["column"]) == (0, "expensive")
    assert game.texts()[0] == "Vex buys the boat at Wealth 0 (Short): 6, Success."


@pytest.mark.parametrize(
    ("held", "condition", "parcel", "left", "wealth"),
    [
        (["short"], "short", 2, [], 2),
        (["short", "short"], "short", 2, [], 2),
        (["short", "broke"], "short", 1, ["broke"], 1),
        (["broke"], "broke", 3, [], 2),
        (["broke", "broke"], "broke", 2, ["broke"], 1),
        (["short", "broke"], "broke", 2, ["short"], 1),
    ],
)
def test_recovery(game: Game, held: Any, condition: str, parcel: int, left: Any, wealth: int) -> None:
    """STR-CORE-29: Short by a frugal week or a parcel of the tier recovered to, Broke by such a year or one
    above it; one Broke at a time, Short whole."""
    rich(game, vex=2)
    gain(game, "vex", *held)
    before = game.state
    assert game.play("wealth recover", who="vex", condition=condition, parcel=False)["parcel"] is None
    assert conditions(game, "vex") == left
    game.state = before
    with pytest.raises(Refused, match=f"no cash parcel of rank {parcel}"):
        game.play("wealth recover", who="vex", condition=condition, parcel=True)
    game.set("characters.vex.cash", [4, parcel, 0])
    data = game.play("wealth recover", who="vex", condition=condition, parcel=True)
    assert (data["parcel"], data["wealth"]) == (parcel, wealth)
    assert conditions(game, "vex") == left
    assert ranks_of_cash_parcels(game.world, "vex") == [4, 0]
    assert effective_wealth(game.world, "vex").effective == wealth


def test_recovering_from_nothing_is_refused(game: Game) -> None:
    """STR-CORE-29."""
    with pytest.raises(Refused, match="not Broke"):
        game.play("wealth recover", who="vex", condition="broke", parcel=False)


# --- Costs


def test_one_cost_is_a_flaw_or_short_or_a_favor(game: Game) -> None:
    """STR-CORE-27, STR-CORE-09: a Flaw is on the thing, a Favor owed to the seller, or own words."""
    asked = game.asked("wealth buy", dice=[4], **deal("vex", 1))
    assert (asked.what, asked.options) == ("cost", ("flaw", "short", "favor", "other"))
    before = game.state
    assert buy(game, "vex", 1, dice=[4], choose=["flaw"])["paid"] == [{"who": "vex", "kind": "flaw"}]
    assert game.get("characters.vex.flaws") == [{"id": "f1", "on": "the boat"}]
    game.state = before
    buy(game, "vex", 1, dice=[4], choose=["favor"])
    assert game.get("characters.vex.favors") == [{"id": "v1", "to": "the ferryman", "text": "for the boat"}]
    game.state = before
    buy(game, "vex", 1, dice=[4], choose=["short"])
    assert conditions(game, "vex") == ["short"]


@pytest.mark.parametrize("kind", ["short", "favor"])
def test_of_two_costs_one_is_a_flaw(game: Game, kind: str) -> None:
    """STR-CORE-27: the other is Short or a Favor."""
    assert game.asked("wealth buy", dice=[3], **deal("vex", 1)).options == ("short", "favor", "other")
    data = buy(game, "vex", 1, dice=[3], choose=[kind])
    assert [item["kind"] for item in data["paid"]] == ["flaw", kind]
    assert game.get("characters.vex.flaws")[0]["on"] == "the boat"


def test_costs_may_be_decided_beforehand(game: Game) -> None:
    """STR-CORE-27: with what is wrong, or whom it is owed to; what the dice don't ask for is left out."""
    buy(game, "vex", 1, dice=[3], costs=["flaw:it leaks", "favor:Odo's aunt"])
    assert game.get("characters.vex.flaws") == [{"id": "f1", "on": "the boat", "text": "it leaks"}]
    assert game.get("characters.vex.favors")[0]["to"] == "Odo's aunt"
    assert buy(game, "vex", 1, dice=[5], costs=["short"])["paid"] == []
    buy(game, "vex", 1, dice=[3], costs=["short"])
    assert conditions(game, "vex") == ["short"]


def test_two_flaws_are_refused(game: Game) -> None:
    """STR-CORE-27."""
    with pytest.raises(Refused, match="a Flaw already"):
        buy(game, "vex", 1, dice=[3], costs=["flaw", "flaw"])


# --- Twists and the bank


def test_on_a_twist_one_may_go_without(game: Game) -> None:
    """STR-CORE-27."""
    asked = game.asked("wealth buy", dice=[2], **deal("vex", 1))
    assert (asked.what, asked.options) == ("break the bank", ("go-without", "break-the-bank"))
    data = buy(game, "vex", 1, dice=[2], choose=["go-without"])
    assert (data["got"], data["broke_the_bank"], conditions(game, "vex")) == (False, False, [])
    assert game.texts() == ["Vex tries to buy the boat: 2, Twist.", "Vex goes without the boat."]


def test_breaking_the_bank(game: Game) -> None:
    """STR-CORE-27, STR-CORE-28: the buyer gets it and is Broke; each helper is Short."""
    data = buy(game, "vex", 1, "brann", "odo", dice=[2, 1, 1], choose=["break-the-bank"])
    assert (data["got"], data["broke_the_bank"]) == (True, True)
    assert [conditions(game, who) for who in ("vex", "brann", "odo")] == [["broke"], ["short"], ["short"]]


def test_the_flaw_of_a_twist(game: Game) -> None:
    """STR-CORE-27: on the thing where they get it, else on the deal that failed."""
    before = game.state
    buy(game, "vex", 1, dice=[1], choose=["break-the-bank"])
    assert game.get("characters.vex.flaws")[0]["on"] == "the boat"
    game.state = before
    buy(game, "vex", 1, dice=[1], choose=["go-without"])
    assert game.get("characters.vex.flaws")[0]["on"] == "the failed deal for the boat"


def test_no_purchase_is_rolled_for_far_below_and_far_above(game: Game) -> None:
    """STR-CORE-27."""
    with pytest.raises(Refused, match="out of reach"):
        buy(game, "vex", 3)
    rich(game, vex=3)
    data = buy(game, "vex", 1)
    assert (data["column"], data["roll"], data["got"], data["bonus"]) == ("automatic", None, True, False)


def test_conditions_and_banked_bonuses_count(game: Game) -> None:
    """STR-CORE-12, STR-CORE-07: Wealth is a Skill, and a roll is a roll."""
    gain(game, "vex", "injured")
    game.play("bonus bank", who="vex", gives="advantage", why="a good word", **{"for": "Wealth"})
    data = buy(game, "vex", 1, dice=[2, 6])
    assert (data["roll"]["mode"], data["total"]) == ("advantage", 5)
    assert game.get("characters.vex.banked", []) == []


# --- helping


@pytest.mark.parametrize(
    ("wealth", "faces", "kept"),
    [(1, [2, 5], 2), (2, [5], 5), (3, [2, 5], 5)],
    ids=["poorer", "like", "richer"],
)
def test_a_helper_of_another_tier(game: Game, wealth: int, faces: list[int], kept: int) -> None:
    """STR-CORE-28: one tier below rolls with Disadvantage, one above with Advantage."""
    rich(game, vex=2, brann=wealth)
    data = buy(game, "vex", 2, "brann", dice=[4, *faces], choose=["favor", "favor"][: 2 if kept <= 4 else 0])
    assert data["helpers"][0]["roll"]["kept"] == kept
    assert data["total"] == (5 if kept > 4 else 4)
    (told,) = (text_of(fact, game.world) for fact in game.facts if fact.kind == "rolled")
    added = "+1" if kept > 4 else "nothing added"
    assert f"Brann helps with {kept}" in told
    assert f"({added}" in told


def test_two_tiers_below_can_not_help(game: Game) -> None:
    """STR-CORE-28: as Wealth counts now."""
    rich(game, vex=2, brann=1)
    gain(game, "brann", "short")
    with pytest.raises(Refused, match="too poor to help"):
        buy(game, "vex", 2, "brann")


def test_two_tiers_above_help_as_one(game: Game) -> None:
    """STR-CORE-28: with Advantage, which doesn't stack."""
    rich(game, brann=3)
    assert buy(game, "vex", 1, "brann", dice=[5, 6, 1])["total"] == 6


def test_helpers_share_in_a_cost(game: Game) -> None:
    """STR-CORE-20: lowest help first, and a Cost for each where there is any in the end."""
    data = buy(
        game, "vex", 1, "brann", "odo", dice=[2, 5, 3], choose=["flaw", "favor", "short"]
    )  # 2, 3 makes 3, 5 makes 4
    assert [helper["added"] for helper in data["helpers"]] == [1, 1]
    assert data["total"] == 4
    assert [(item["who"], item["kind"]) for item in data["paid"]] == [
        ("vex", "flaw"), ("brann", "favor"), ("odo", "short"),
    ]  # fmt: skip
    assert buy(game, "vex", 1, "brann", dice=[5, 1])["paid"] == []


# --- pooling


def with_parcels(game: Game, *ranks: int) -> Game:
    game.set("characters.brann.cash", list(ranks))
    return game


def test_a_pool_buys_one_tier_up(game: Game) -> None:
    """STR-CORE-28: three of Wealth 1 and two parcels roll as 2; the parcels are used up."""
    data = pool(with_parcels(game, 1, 1, 2), "vex", "brann", "odo", price=2, parcels=[1, 1], dice=[5])
    assert (data["wealth"], data["column"], data["got"]) == (2, "same", True)
    assert ranks_of_cash_parcels(game.world, "brann") == [2]


@pytest.mark.parametrize(("task", "other"), [("", "Barter"), ("Barter", "")])
def test_a_pool_is_tried_once(game: Game, task: str, other: str) -> None:
    """STR-CORE-15: as the task that is said, or as a Wealth Roll."""

    def again(task: str, **more: Any) -> None:
        buying = {"price": 2, "parcels": [1, 1], "task": task, "intent": "cross the river"}
        pool(game, "vex", "brann", "odo", **buying, **more)

    with_parcels(game, 1, 1, 1, 1)
    again(task, dice=[6])
    assert game.get("tasks")[0]["task"] == (task or "wealth").lower()
    with pytest.raises(Refused, match="cross the river"):
        again(task)
    again(other, dice=[6])
    with_parcels(game, 1, 1)
    again(task, dice=[6], changed="the ferry sank")
    tried = [(one or "wealth").lower() for one in (other, task)]
    assert [one["task"] for one in game.get("tasks")] == tried


def test_everybody_in_a_pool_takes_the_costs(game: Game) -> None:
    """STR-CORE-28."""
    with_parcels(game, 1, 1)
    data = pool(
        game, "vex", "brann", "odo", price=2, parcels=[1, 1], dice=[3], choose=["short", "favor", "short"]
    )
    kinds = [(item["who"], item["kind"]) for item in data["paid"]]
    assert kinds == [
        ("vex", "flaw"), ("vex", "short"),
        ("brann", "flaw"), ("brann", "favor"),
        ("odo", "flaw"), ("odo", "short"),
    ]  # fmt: skip


def test_everybody_in_a_pool_breaks_the_bank(game: Game) -> None:
    """STR-CORE-28."""
    with_parcels(game, 1, 1)
    pool(game, "vex", "brann", "odo", price=2, parcels=[1, 1], dice=[2], choose=["break-the-bank"])
    assert [conditions(game, who) for who in ("vex", "brann", "odo")] == [["broke"]] * 3


@pytest.mark.parametrize(
    ("members", "parcels", "says"),
    [
        (["vex", "brann"], [1, 1, 1], "At most 2 of the 5"),
        (["vex", "brann"], [1, 1], "1 more"),
        (["vex", "brann", "odo", "vesna"], [], "1 more"),
        (["vex", "brann", "odo", "vesna"], [1, 1], "1 fewer"),
        (["vex", "brann", "odo"], [1, 2], "not of rank 2"),
        (["vex", "brann", "odo", "rich"], [1], "one Wealth"),
    ],
)
def test_what_is_no_pool(game: Game, members: list[str], parcels: list[int], says: str) -> None:
    """STR-CORE-28: five of one Wealth, of which two at most are parcels of that rank."""
    if "rich" in members:
        members = ["vex", "brann", "odo", "vesna"]
        rich(game, vesna=2)
    with_parcels(game, 1, 1, 1, 2)
    before = game.state
    with pytest.raises(Refused, match=says):
        pool(game, *members, price=2, parcels=parcels)
    assert game.state is before


def test_a_pool_needs_parcels_that_somebody_has(game: Game) -> None:
    """STR-CORE-28."""
    with pytest.raises(Refused, match="another cash parcel of rank 1"):
        pool(with_parcels(game, 1), "vex", "brann", "odo", price=2, parcels=[1, 1])


def test_parcels_with_a_named_owner_are_taken_first(game: Game) -> None:
    """STR-CORE-28: a parcel of nobody in particular leaves the one that somebody was named for."""
    game.set("characters.vex.cash", [1])
    parcels = [1, ("vex", 1)]
    pool(with_parcels(game, 1), "vex", "brann", "odo", price=2, parcels=parcels, dice=[6])
    assert [ranks_of_cash_parcels(game.world, who) for who in ("vex", "brann")] == [[], []]


def test_a_pool_reaches_one_tier_and_no_further(game: Game) -> None:
    """STR-CORE-28: as one of Wealth 2, price 3 is Expensive and 4 out of reach."""
    with_parcels(game, 1, 1)
    with pytest.raises(Refused, match="out of reach"):
        pool(game, "vex", "brann", "odo", price=4, parcels=[1, 1])
    assert pool(game, "vex", "brann", "odo", price=3, parcels=[1, 1], dice=[6])["column"] == "expensive"


def test_the_super_rich_pool_for_a_tower(game: Game) -> None:
    """STR-CORE-28: above the last rank the columns go on."""
    rich(game, vex=3, brann=3, odo=3)
    with_parcels(game, 3, 3)
    assert pool(game, "vex", "brann", "odo", price=4, parcels=[3, 3], dice=[6])["column"] == "same"


# --- cash


def test_a_parcel_buys_its_rank_or_below(game: Game) -> None:
    """STR-CORE-30: with no roll and no Bonus, and it is used up."""
    assert game.play("wealth cash add", who="vex", rank=2, why="a purse")["cash"] == [2]
    before = game.state
    game.play("wealth cash spend", who="vex", rank=2, what="the boat")
    assert game.texts() == ["Vex buys the boat with a cash parcel of rank 2."]
    assert ranks_of_cash_parcels(game.world, "vex") == []
    game.state = before
    assert game.play("wealth cash spend", who="vex", rank=2, price=0, what="soup")["price"] == 0
    game.state = before
    with pytest.raises(Refused, match="2 or less"):
        game.play("wealth cash spend", who="vex", rank=2, price=3, what="a house")
    with pytest.raises(Refused, match="no cash parcel of rank 1"):
        game.play("wealth cash spend", who="vex", rank=1, what="soup")


def test_what_the_sheet_gave_stays_spent(game: Game) -> None:
    """STR-CORE-30: parcels of the sheet are spent like any."""
    game.book = copy(game.book)
    game.book.characters = {"odo": {**game.book.characters["odo"], "cash": [1]}}
    game.play("wealth cash spend", who="odo", rank=1, what="soup")
    assert ranks_of_cash_parcels(game.world, "odo") == []


@pytest.mark.parametrize(("rank", "wealth"), [(3, 2), (4, 3)])
def test_investing_raises_wealth_for_good(game: Game, rank: int, wealth: int) -> None:
    """STR-CORE-30: to one below the parcel's rank."""
    game.play("wealth cash add", who="vex", rank=rank, why="")
    assert game.play("wealth invest", who="vex", rank=rank)["wealth"] == wealth
    assert effective_wealth(game.world, "vex").wealth == wealth
    assert ranks_of_cash_parcels(game.world, "vex") == []


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_investing_too_little_is_refused(game: Game, rank: int) -> None:
    """STR-CORE-30."""
    game.play("wealth cash add", who="vex", rank=rank, why="")
    with pytest.raises(Refused, match="at most"):
        game.play("wealth invest", who="vex", rank=rank)


def test_which_parcel_would_raise_wealth_is_said_where_one_would(game: Game) -> None:
    """STR-CORE-30: two ranks above the Wealth, as long as there is a higher one."""
    for wealth, says in ((1, "one of rank 3"), (2, "one of rank 4"), (3, "No Wealth is higher")):
        rich(with_parcels(game, wealth + 1), brann=wealth)
        with case(wealth):
            with pytest.raises(Refused) as refused:
                game.play("wealth invest", who="brann", rank=wealth + 1)
            assert says in refused.value.hint


def test_outcomes_and_columns_in_words() -> None:
    """STR-CORE-27: as the table has them."""
    for outcome, bonus, costs, flaws, words in (
        ("success", True, 0, 0, "Success with a Bonus"), ("success", False, 0, 0, "Success"),
        ("success", False, 1, 0, "Success with a Cost"), ("success", False, 1, 1, "Success with a Flaw"),
        ("twist", False, 2, 1, "Twist with 2 Costs"), ("twist", False, 0, 0, "Twist"),
        (None, False, 0, 0, "Out of reach"),
    ):  # fmt: skip
        with case(words):
            row = {"outcome": outcome, "bonus": bonus, "costs": costs, "flaws": flaws}
            assert outcome_words(row) == words
    assert [column_name(one) for one in ("same", "trivial")] == ["Same Level", "Trivial"]
