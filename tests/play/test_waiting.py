"""What goes on while a decision is open and what waits: what its command has read stays, and no more."""

from __future__ import annotations

import pytest
from support.cli import Strike
from support.thorough import few_of

OPEN = "A decision is open"


def waits(strike: Strike, line: str) -> None:
    """It is refused, and nothing has changed."""
    before = strike.json("status")["data"]
    assert OPEN in strike.json(line, 1)["error"]["message"], line
    assert strike.json("status")["data"] == before


# --- a roll


@pytest.mark.parametrize(
    "line",
    few_of([
        "roll die", "roll skill --skilled --dice 5", "roll wealth --wealth 1 --price 1 --dice 5",
        "conflict round --ours 1/1 --theirs 1/1 --dice 5,5,1,1", "roll skill brann Hauling --dice 5",
        "roll skill brann Hauling --dice 5,1 --help-from vex:skilled", "roll opposed odo Cooking --dice 6,1",
        "condition add brann winded", "condition remove odo angry", "recover odo angry --rest minutes",
        "flaw add brann rope", "favor add brann Guild", "bonus bank brann Hauling", "ap give brann",
        "awesome vex brann --why x", "wealth cash add brann 2", "wealth buy brann 0 --dice 6",
        "skill learn brann Dancing", "override characters.brann.ap 3 --why x",
        "combat start ring --party vex", "conflict start Race --intent a --against b --their-intent c",
        "chase start --runners vex --chasers x",
    ]),
)  # fmt: skip
def test_what_goes_on_beside_a_roll(in_campaign: Strike, line: str) -> None:
    """STR-CORE-09: while Vex's Cost is open; and then it is decided as if nothing had been."""
    in_campaign("condition add odo angry")
    in_campaign("roll skill vex Climbing --dice 3", 6)
    in_campaign(line)
    assert in_campaign.json("choose winded")["data"]["total"] == 3
    in_campaign("replay --verify")


@pytest.mark.parametrize(
    "line",
    few_of([
        "roll skill vex Climbing --dice 5", "roll skill vex Climbing --dice 3",
        "roll opposed odo Cooking --against vex Sneaking --dice 6,1",
        "roll skill brann Hauling --dice 3,1 --help-from vex:skilled --cost waive --cost angry",
        "condition add vex angry", "flaw add vex rope", "favor add vex Guild", "bonus bank vex Climbing",
        "ap give vex", "complication use vex Owes --how trouble", "wealth cash add vex 2",
        "skill learn vex Dancing", "override characters.vex.ap 3 --why x",
        "override session.number 3 --why x", "override tasks none --why x", "session start", "session end",
    ]),
)  # fmt: skip
def test_what_waits_for_a_roll(in_campaign: Strike, line: str) -> None:
    """STR-CORE-09: whatever would change Vex's sheet, or the table."""
    in_campaign("roll skill vex Climbing --dice 3", 6)
    waits(in_campaign, line)
    in_campaign("choose winded")


def test_what_an_opposed_roll_waits_with(in_campaign: Strike) -> None:
    """STR-CORE-17, 20: both sides, and who helped where that cost them something."""
    in_campaign("roll opposed goblin Biting --against vex Sneaking --help-theirs odo:skilled --dice 4,4,1", 6)
    waits(in_campaign, "roll skill vex Sneaking --dice 5")
    waits(in_campaign, "condition add odo winded")
    in_campaign("roll die")
    in_campaign("roll skill brann Hauling --dice 5")
    in_campaign("choose stand")


def test_what_a_purchase_waits_with(in_campaign: Strike) -> None:
    """STR-CORE-27, 28: the buyers and whose parcels go in; nobody else's means."""
    for who in ("vex", "brann", "odo"):
        in_campaign(f"override characters.{who}.wealth 1 --why x")
    in_campaign("override characters.vesna.cash [1,1] --why x")
    in_campaign("wealth pool vex brann odo --parcels vesna:1,vesna:1 --price 2 --dice 2", 6)
    for line in ("wealth cash spend vesna 1", "wealth cash add brann 1", "wealth buy odo 0 --dice 6"):
        waits(in_campaign, line)
    in_campaign("choose go-without")
    in_campaign("wealth buy vex 1 --dice 4", 6)
    in_campaign("wealth buy odo 1 --dice 4", 6)
    in_campaign("wealth cash add vesna 1")
    in_campaign("choose --for 'roll vex' short")
    in_campaign("choose short")


# --- what is the party's


def test_a_favor_to_whom_somebody_asks(in_campaign: Strike) -> None:
    """STR-CORE-11: the roll rests on what anybody owes them."""
    in_campaign("favor add brann 'The Guild'")
    in_campaign("roll skill vex Climbing --asking 'The Guild' --dice 3,3", 6)
    for line in ("favor add odo 'The Guild'", "favor repay brann guild",
                 "roll skill odo Cooking --dice 3 --cost 'favor:The Guild'"):  # fmt: skip
        waits(in_campaign, line)
    in_campaign("favor add odo 'The Dockers'")
    in_campaign("roll skill odo Cooking --dice 3", 6)
    in_campaign("choose --for 'roll odo' favor")
    in_campaign("choose --for 'roll vex' winded")
    in_campaign("replay --verify")


def test_what_was_tried_meanwhile(in_campaign: Strike) -> None:
    """STR-CORE-15: the open roll is the party's one try; for something else others try on."""
    in_campaign("roll skill vex Climbing --task gate --intent in --dice 3", 6)
    for line in ("roll skill brann Hauling --task gate --intent in --dice 5",
                 "roll skill brann Hauling --task gate --intent in --dice 3"):  # fmt: skip
        waits(in_campaign, line)
    in_campaign("roll skill brann Hauling --task wall --intent in --dice 5")
    in_campaign("choose winded")
    assert "Vex has rolled" in in_campaign("roll skill brann Hauling --task gate --intent in", 1).err


# --- conflicts, chases, fights


def test_a_withdrawal_waits_for_its_own(in_campaign: Strike) -> None:
    """STR-TC-12: the Condition of who withdraws concerns nobody else of the team."""
    in_campaign("conflict start Race --intent a --against b --their-intent c --team vex odo")
    in_campaign("override conflict.ours.strikes 2 --why x")
    in_campaign("conflict withdraw vex", 6)
    in_campaign("roll skill odo Cooking --dice 5")
    for line in ("roll skill vex Climbing --dice 5", "conflict act odo pass", "conflict end --abandon"):
        waits(in_campaign, line)
    in_campaign("choose angry")


def test_two_open_decisions_never_cross(in_campaign: Strike) -> None:
    """STR-TC-07, 15: a round that asks somebody rests on the sheets of the team, so it waits for a Cost of
    one of them; a round that asks nothing goes on."""
    start = "conflict start Race --intent a --against b --their-intent c --team vex --team odo"
    for trait, code in ((" --trait Versatility", 1), ("", 0)):
        in_campaign(start + trait)
        for line in ("oppose block", "act vex pass", "act odo pass"):
            in_campaign(f"conflict {line}")
        in_campaign("roll skill odo Cooking --dice 3", 6)
        in_campaign("conflict roll --dice 1,6,1,6", code)
        in_campaign("choose waive")
        in_campaign("conflict end --abandon")


def _in_the_ring(strike: Strike) -> None:
    """Vex between two goblins, her turn."""
    for line in ("start ring --party vex --party brann", "initiative --dice 6,1,3,2", "turn"):
        strike(f"combat {line}")


def test_a_fight_and_a_roll_of_somebody_in_it(in_campaign: Strike) -> None:
    """STR-TAC-09: what changes no sheet goes on; what would ask waits, since it rests on the sheet."""
    _in_the_ring(in_campaign)
    in_campaign("roll skill brann Hauling --dice 3", 6)
    waits(in_campaign, "combat attack vex goblin-1 --power trip --dice 3")
    in_campaign("combat attack vex goblin-1 --dice 5")
    in_campaign("roll skill odo Cooking --dice 3", 6)
    in_campaign("choose --for 'roll brann' waive")
    in_campaign("choose waive")
    in_campaign("replay --verify")


def test_a_fight_s_decision_and_everybody_else(in_campaign: Strike) -> None:
    """STR-TAC-09: those in the fight wait with it; others don't, nor do bare dice."""
    _in_the_ring(in_campaign)
    in_campaign("combat attack vex goblin-1 --power trip --dice 3", 6)
    for line in ("combat end-turn", "roll skill brann Hauling --dice 5", "ap give vex"):
        waits(in_campaign, line)
    in_campaign("roll die")
    in_campaign("roll skill odo Cooking --dice 5")
    in_campaign("condition add odo winded")
    in_campaign("choose damage")


def test_a_chase_of_nobody_with_a_sheet(in_campaign: Strike) -> None:
    """STR-CH-05: holds up no character."""
    for line in ("start --runners 'a thief' --chasers 'the watch'", "run risk", "predict flee"):
        in_campaign(f"chase {line}")
    in_campaign("chase roll --dice 5", 6)
    in_campaign("roll skill vex Climbing --dice 5")
    waits(in_campaign, "chase end")
    in_campaign("choose give-up")
