"""Traits in a Team Conflict, of either side and of a campaign's own making (STR-TC-16), in memory."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.conflict import Table, bonuses
from support.game import Game

from strike_cli.content.merged_content import Book
from strike_cli.problems import Refused
from strike_cli.systems.conflict.facts import ConflictRevealed, OfAction, OfTeamTrait
from strike_cli.systems.conflict.roll_modifiers import (
    RollsOfConditionsAndFlaws,
    RoundSide,
    side_ready_to_roll,
)

DRAW, WON, LOST, PUSHED = (1, 6, 1, 6), (6, 6, 1, 1), (1, 1, 6, 6), (6, 1, 6, 1)
"""Dice: a Draw, our win, our loss, a Push of both sides (with Obscure against passing)."""
OTHER = {"ours": "theirs", "theirs": "ours"}


def ours(game: Game, *traits: str, **more: Any) -> Table:
    """A conflict in which the players have these traits."""
    return Table(game, our_traits=list(traits), **more)


def with_trait(game: Game, side: str, *traits: str) -> Table:
    """A conflict in which one side has these traits."""
    return ours(game, *traits) if side == "ours" else Table(game, *traits)


def test_traits_that_hurt(book: Book) -> None:
    """STR-TC-16: an extra Hit on a Draw, on its side's Push; a Strike on whoever wins against it."""
    for side, trait, dice, strikes in (
        ("theirs", "Attrition", DRAW, 1), ("theirs", "Attrition", PUSHED, 1),
        ("theirs", "Dangerous", PUSHED, 2), ("theirs", "Dangerous", DRAW, 0),
        ("theirs", "Costly", WON, 1), ("theirs", "Costly", DRAW, 0),
        ("ours", "Attrition", DRAW, 1), ("ours", "Attrition", PUSHED, 1), ("ours", "Dangerous", PUSHED, 2),
        ("ours", "Dangerous", DRAW, 0), ("ours", "Costly", LOST, 1),
    ):  # fmt: skip
        with case(side, trait, dice):
            data = with_trait(Game(book), side, trait).round({}, "obscure", *dice)
            assert data["strikes"][OTHER[side]] == strikes


def test_what_a_trait_does_is_told_by_its_name(book: Book) -> None:
    """STR-TC-16: as the reason, at the end, whether it acts by itself or is what a Hit is used for."""
    for trait, dice, hit in (
        ("Attrition", DRAW, ""), ("Dangerous", PUSHED, ""), ("Costly", WON, ""), ("Crafty", DRAW, ""),
        ("Penetrating", PUSHED, ""), ("Fortified", PUSHED, ""), ("Recovery", DRAW, ""),
        ("Superior Draining", PUSHED, ""), ("Draining", PUSHED, "drain"), ("Ablating", PUSHED, "ablate"),
    ):  # fmt: skip
        with case(trait):
            table = Table(Game(book), trait).struck(0, 2)
            table.round({}, "obscure", *dice)
            if hit:
                table.hit("ours", hit)
            told = table.game.texts()
            assert len([text for text in told if text.endswith(f" {trait}.")]) == 1, told


def theirs_ready(table: Table) -> RoundSide:
    """The opposition with all that counts for its rolls."""
    return side_ready_to_roll(table.game.world, "theirs", RollsOfConditionsAndFlaws(), {}, {})


def test_traits_that_add(book: Book) -> None:
    """STR-TC-16: while they are active."""
    for trait, plus in (("Aggressive", [1, 0]), ("Defensive", [0, 1]), ("Old money", [0, 0])):
        with case(trait):
            table = Table(Game(book), trait)
            table.oppose("obscure")
            for traits, adds in (([trait], plus), ([], [0, 0])):
                modifiers = theirs_ready(table.set("theirs", traits=traits)).modifiers
                found = [sum(item.value for item in modifiers[which]) for which in ("advance", "defense")]
                assert found == [1 + adds[0], 1 + adds[1]]


def test_traits_for_the_next_round(book: Book) -> None:
    """STR-TC-16: two Defense less for the other side, once."""
    for trait, dice in (("Crafty", DRAW), ("Penetrating", PUSHED)):
        for side, other in OTHER.items():
            with case(trait, side):
                table = with_trait(Game(book), side, trait)
                table.round({}, "obscure", *dice)
                table.set(side, hits_due=None, traits=[])
                for defense in (0, 2):
                    data = table.round({"vex": "block"}, "block", *DRAW)
                    assert bonuses(data, other) == (0, defense)


def test_growing_traits(game: Game) -> None:
    """STR-TC-16: at each round's end, while active."""
    table = Table(game, "Increasing Power", "Increasing Defense")
    for grown in range(3):
        data = table.round({}, "obscure", 1, 6, 1, 6)
        assert bonuses(data, "theirs") == (1 + grown, 1 + grown)


def test_fortified(game: Game) -> None:
    """STR-TC-16: one Hit a conflict is nothing."""
    table = Table(game, "Fortified")
    assert table.round({"vex": "targeted-effort"}, "block", 1, 6, 1, 6)["hits_due"]["theirs"] == 0
    assert table.round({"vex": "targeted-effort"}, "block", 1, 6, 1, 6)["hits_due"]["theirs"] == 1


def test_fated(game: Game) -> None:
    """STR-TC-16: ties go their way, a double one too."""
    data = Table(game, "Fated").round({}, "obscure", 3, 4, 3, 2)
    assert (data["comparison"], data["outcome"]) == ({"ours": "tie", "theirs": "tie"}, "lose")


def test_final(game: Game) -> None:
    """STR-TC-16: the team's Strikes stay."""
    table = Table(game, "Final").struck(2)
    assert table.round({"vex": "recover"}, "block", 1, 6, 1, 6)["strikes"]["ours"] == 2
    with pytest.raises(Refused, match="can be removed"):
        table.oppose("win-at-all-costs")


def test_consequential(book: Book) -> None:
    """STR-TC-16: a Minor Concession more on a win; what the players have of that name owes them nothing."""
    for side, owed in (("theirs", ["minor"]), ("ours", [])):
        table = with_trait(Game(book), side, "Consequential")
        assert table.round({}, "block", *WON)["aftermath"]["concessions"] == owed


def test_recovery(game: Game) -> None:
    """STR-TC-16: a Strike or a trait again on a Draw, or not."""
    table = Table(game, "Recovery").struck(0, 2)
    assert table.round({}, "block", *DRAW)["strikes"]["theirs"] == 1
    assert table.round({}, "block", *DRAW, recover="none")["strikes"]["theirs"] == 1


# --- on the players' side


def test_ours_that_add(book: Book) -> None:
    """STR-TC-16: the same for the players; a trait that nobody knows only takes a Hit."""
    for trait, plus, grown in (
        ("Aggressive", (1, 0), 1), ("Defensive", (0, 1), 0), ("Increasing Power", (0, 0), 1),
        ("Old rope", (0, 0), 0),
    ):  # fmt: skip
        with case(trait):
            table = ours(Game(book), trait)
            assert bonuses(table.round({}, "block", *DRAW), "ours") == plus
            assert bonuses(table.round({}, "block", *DRAW), "ours")[0] == grown


def test_what_a_win_cost_may_be_gone_when_it_is_averted(game: Game) -> None:
    """STR-TC-10, 16: a Hit of the same round has Drained the Strike that Costly dealt."""
    table = Table(game, "Draining", our_traits=["Costly"])
    table.round({"vex": "reckless-effort"}, "obscure", *LOST)
    assert table.hit("ours", "drain")["strikes"]["theirs"] == 0
    assert table.do("avert", who="vex")["strikes"]["theirs"] == 0


def test_ours_of_the_end(game: Game) -> None:
    """STR-TC-16: Invulnerability in place of losing, Fated for ties, Final for their Strikes."""
    table = ours(game, "Invulnerability")
    data = table.round({}, "obscure", *LOST)
    assert (data["outcome"], data["ended"], data["hits"], data["hits_due"]["ours"]) == (
        "lose",
        False,
        ["ours"],
        1,
    )
    assert table.hit("ours", "invulnerability")["lost_traits"] == ["Invulnerability"]
    game.state = {}
    assert ours(game, "Fated").round({}, "obscure", 3, 4, 3, 2)["outcome"] == "win"
    game.state = {}
    assert Table(game, "Fated", our_traits=["Fated"]).round({}, "obscure", 3, 4, 3, 2, 6)["ended"]
    game.state = {}
    table = ours(game, "Final").struck(0, 2)
    assert table.round({}, "recover", *DRAW)["strikes"]["theirs"] == 2


def test_ours_take_hits_and_come_back(game: Game) -> None:
    """STR-TC-06, STR-TC-16: the opposition chooses; Recover and Recovery regain; Fortified ignores one."""
    table = ours(game, "Old rope", "Recovery")
    table.round({}, "obscure", *PUSHED)
    with pytest.raises(Refused, match="must be decided first"):
        table.act("vex", "progress")
    assert table.hit("ours", "old rope")["traits"] == ["Recovery"]
    table.round({}, "block", *DRAW)
    assert table.of("ours", "traits") == ["Recovery", "Old rope"]
    game.state = {}
    table = ours(game, "Fortified")
    data = table.round({}, "obscure", *PUSHED)
    assert (data["strikes"], data["hits_due"]["ours"]) == ({"ours": 0, "theirs": 1}, 0)
    assert table.round({}, "obscure", *PUSHED)["hits_due"]["ours"] == 1


# --- Versatility, Ablating, Draining, and the Superior ones


def test_versatility(book: Book) -> None:
    """STR-TC-16: one more on either roll, chosen before the dice fall."""
    for side in OTHER:
        for to, plus in (("advance", (1, 0)), ("defense", (0, 1))):
            with case(side, to):
                table = with_trait(Game(book), side, "Versatility").all_pass("recover")
                asked = table.game.asked("conflict roll")
                assert (asked.what, asked.options) == ("versatility", ("advance", "defense"))
                had = bonuses(table.roll(*DRAW, choose=[to]), side)
                assert had == (plus[0], plus[1] + (side == "theirs"))


def test_superior_versatility(book: Book) -> None:
    """STR-TC-16, STR-TC-07: with the dice in sight, and what each choice comes to."""
    for side in OTHER:
        table = with_trait(Game(book), side, "Superior Versatility").all_pass("recover")
        asked = table.game.asked("conflict roll", dice=(3, 3, 3, 2))
        assert asked.what == "superior-versatility"
        assert asked.data is not None
        assert asked.data["comes_to"] == {"advance": "push", "defense": "draw"}
        assert table.roll(3, 3, 3, 2, choose=["advance"])["outcome"] == "push"


def test_actions_are_told_before_bonuses_are_chosen(game: Game) -> None:
    """STR-TC-07: actions, then bonuses, then the dice."""
    ours(game, "Versatility").all_pass()
    played = game.drive("conflict roll", {})
    assert played.pending is not None
    (revealed,) = (fact.told for fact in played.facts)
    assert isinstance(revealed, ConflictRevealed)
    assert (revealed.side, [one.action for one in revealed.chosen]) == ("theirs", ["block"])


def test_opponents_add_before_the_players(game: Game) -> None:
    """STR-TC-07: theirs, then ours, before the dice and after them."""
    table = Table(game, "Versatility", "Superior Versatility", our_traits=["Superior Versatility"])
    table.all_pass().roll(*DRAW, choose=["advance", "defense", "advance"])
    facts = {fact.who: fact.details for fact in game.facts if fact.kind == "conflict-rolled"}
    added = {
        side: [item.reason for which in ("roll", "against") for item in facts[side][which].modifiers]
        for side in OTHER
    }
    superior = OfTeamTrait("Superior Versatility")
    assert added == {
        "ours": [superior],
        "theirs": [OfTeamTrait("Versatility"), OfAction("block", side="theirs"), superior],
    }


def test_superior_margins(book: Book) -> None:
    """STR-TC-16: by the margin: of the Defense on a Draw, of the Advance on its own Push."""
    for trait, dice, less in (
        ("Superior Crafty", (1, 6, 1, 4), 4), ("Superior Crafty", (5, 6, 1, 4), 0),
        ("Superior Crafty", (5, 1, 6, 4), 0), ("Superior Penetrating", (5, 1, 6, 4), 5),
        ("Superior Penetrating", (1, 6, 1, 6), 0),
    ):  # fmt: skip
        with case(trait, dice):
            table = Table(Game(book), trait)
            table.round({}, "recover", *dice)
            table.set("theirs", hits_due=None)
            assert bonuses(table.round({}, "block", *DRAW), "ours") == (0, -less)


def test_ablating(book: Book) -> None:
    """STR-TC-16: two Defense less for a round in place of a Strike or a trait, if its side says so."""
    for side, other in OTHER.items():
        table = with_trait(Game(book), side, "Ablating")
        table.round({}, "obscure", *PUSHED)
        table.hit(side, "strike")
        data = table.hit(other, "ablate")
        assert (data["what"], data["strikes"][other], data["hits_due"]) == ("ablate", 0, 0)
        for less in (2, 0):
            had = bonuses(table.round({}, "recover", *DRAW), other)
            assert had == (0, (other == "theirs") - less)


def test_ablating_before_any_round(game: Game) -> None:
    """STR-TC-16: a Hit that was given by hand counts in the round to come."""
    table = with_trait(game, "theirs", "Ablating")
    table.set("ours", hits_due=1)
    table.hit("ours", "ablate")
    assert "this round" in game.texts()[-1]
    assert bonuses(table.round({}, "recover", *DRAW), "ours") == (0, -2)
    assert bonuses(table.round({}, "recover", *DRAW), "ours") == (0, 0)


def test_draining(book: Book) -> None:
    """STR-TC-16: a Hit may bring back a trait or a Strike instead, where there is one to bring back."""
    for side, other in OTHER.items():
        table = with_trait(Game(book), side, "Draining")
        table.round({}, "obscure", *PUSHED)
        table.hit(side, "strike")
        assert table.of(other, "strikes") == 1  # nothing to drain yet: a Strike at once
        table.round({}, "obscure", *PUSHED)
        data = table.hit(other, "drain")
        assert (data["what"], data["strikes"]) == ("drain", {side: 0, other: 1})
        assert table.hit(side, "strike")["what"] == "strike"


def test_superior_draining(book: Book) -> None:
    """STR-TC-16: the Hit does what it does, and brings something back as well."""
    for side, other in OTHER.items():
        table = with_trait(Game(book), side, "Superior Draining", "Old money")
        table.set(side, strikes=2, traits=["Superior Draining"], lost_traits=["Old money"])
        table.set(other, traits=["Old rope"])
        theirs = "targeted-effort" if side == "theirs" else "block"
        table.round({"vex": "targeted-effort"} if side == "ours" else {}, theirs, *DRAW)
        data = table.hit(other, "old rope", recover="old-money")
        assert (data["lost_traits"], data["strikes"][side]) == (["Old rope"], 2)
        assert table.of(side, "traits") == ["Superior Draining", "Old money"]


# --- a campaign's own


def test_a_trait_of_ones_own(in_campaign: Strike, folder: Path) -> None:
    """STR-TC-16: by the same contributions, in campaign.toml; a mistake in one is told."""
    with (folder / "campaign.toml").open("a") as file:
        file.write(
            '\n[traits.brazen]\nname = "Brazen"\nadvance = 2\nhit_on = "draw"\n'
            '[conflicts.stall]\nname = "Stall"\nintent = "a"\nagainst = "b"\ntheir_intent = "c"\n'
            'traits = ["Brazen"]\nour_traits = ["Old rope"]\nteam = ["vex"]\nno_withdrawal = true\n'
        )
    in_campaign("conflict start stall")
    in_campaign("conflict oppose block")
    in_campaign("conflict act vex pass")
    data = in_campaign.json("conflict roll --dice 1,6,1,6")["data"]
    assert (data["theirs"]["advance_bonus"], data["hits"]) == (2, ["ours"])
    in_campaign("conflict hit ours strike")
    in_campaign("conflict withdraw vex", 1)
    assert "Brazen" in in_campaign("content list traits").out
    assert "Fated" in in_campaign("content show fated").out
    text = (folder / "campaign.toml").read_text()
    (folder / "campaign.toml").write_text(text.replace("advance = 2", "either = 2"))
    assert "either and either_when need each other" in in_campaign("status").err
    (folder / "campaign.toml").write_text(text.replace('team = ["vex"]', 'team = ["vxe"]'))
    assert "Did you mean 'vex'" in in_campaign("status").err


def test_a_campaign_s_trait_goes_before_the_core_s(game: Game) -> None:
    """STR-TC-16: of the same name."""
    game.book = copy(game.book)
    game.book.traits = {"aggressive": {"name": "Aggressive", "advance": 3}, **game.book.traits}
    modifiers = theirs_ready(Table(game, "Aggressive")).modifiers
    assert sum(item.value for item in modifiers["advance"]) == 3
