"""In which order a round comes to what it comes to (STR-TC-07), and the ways out of a conflict (STR-TC-10 to
12a, 16), in memory and as they are typed."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.conflict import TEAM, Table
from support.game import Game

from strike_cli.content.merged_content import Book
from strike_cli.problems import Refused
from strike_cli.systems.conflict.hits import HitWaits

DRAW, WON, LOST = (1, 6, 1, 6), (6, 6, 1, 1), (1, 1, 6, 6)
BOTH_PUSH = (6, 1, 6, 1)
"""Dice: against Obscure (+1, +1) with everybody passing, or with one Recover (+1 Defense)."""


def idle(game: Game, *traits: str, **more: Any) -> Table:
    """A team with traits that do nothing but take a Hit."""
    return Table(game, our_traits=list(traits), **more)


# --- a Hit of the outcome comes before what actions do


def test_a_hit_comes_before_recover(book: Book) -> None:
    """STR-TC-07: with a trait to be asked about or without, the same round leaves the same Strikes."""
    for traits, had in product(((), ("Old rope",), ("Old rope", "Friends")), range(3)):
        with case(traits, had):
            table = idle(Game(book), *traits).struck(had)
            data = table.round({"vex": "recover"}, "obscure", *BOTH_PUSH)
            if traits:
                assert (data["hits_due"]["ours"], data["strikes"]["ours"]) == (1, had)
                data = table.hit("ours", "strike")
            assert data["strikes"]["ours"] == had
            assert (table.get("round"), table.get("rest")) == (2, None)


def test_a_trait_lost_in_the_round_is_regained_in_it(game: Game) -> None:
    """STR-TC-06, 07: Recover comes after the Hit, and brings the trait back."""
    table = idle(game, "Old rope")
    table.round({"vex": "recover"}, "obscure", *BOTH_PUSH)
    data = table.hit("ours", "old rope")
    assert (data["traits"], data["lost_traits"]) == (["Old rope"], [])


def test_the_opposition_recovers_after_its_hit_too(book: Book) -> None:
    """STR-TC-07: the rule is one for both sides."""
    for traits in ((), ("Old money",)):
        table = Table(Game(book), *traits)
        table.round({}, "recover", 6, 6, 6, 1)
        if traits:
            table.hit("theirs", "strike")
        assert table.of("theirs", "strikes") == 0


def test_recovery_comes_after_riders(book: Book) -> None:
    """STR-TC-07, 16: the trait Recovery is as late as the action: Calculated Risk's Hit is a Strike first."""
    for others in ([], ["Old rope"]):
        table = idle(Game(book), "Recovery", *others)
        data = table.round({"vex": "calculated-risk"}, "obscure", *DRAW)
        assert data["hits_due"]["ours"] == 1, "Recovery itself is a trait that may be lost"
        assert table.hit("ours", "strike")["strikes"]["ours"] == 0


def test_what_a_win_costs_comes_before_recover(game: Game) -> None:
    """STR-TC-07, 16: Costly is part of the outcome, so who Recovers in the round loses that Strike again."""
    table = idle(game, "Costly")
    assert table.round({}, "recover", *LOST)["strikes"]["theirs"] == 0


def test_riders_come_after_the_outcome_s_hit(game: Game) -> None:
    """STR-TC-07: on a Push the Hit of the outcome is decided before that of Reckless Effort is dealt."""
    table = idle(game, "Old rope")
    data = table.round({"vex": "reckless-effort"}, "obscure", 6, 1, 6, 1)
    assert (data["hits"].count("ours"), data["hits_due"]["ours"]) == (2, 1)
    data = table.hit("ours", "old rope")
    assert (data["strikes"]["ours"], data["hits_due"], table.get("round")) == (1, 0, 2)


def test_a_rider_s_hit_waits_in_its_turn(game: Game) -> None:
    """STR-TC-07: and holds up Recover."""
    table = idle(game, "Old rope", "Friends").struck(1)
    table.round({"vex": "reckless-effort", "odo": "recover"}, "obscure", 6, 1, 6, 1)
    assert table.hit("ours", "strike")["hits_due"] == 1
    data = table.hit("ours", "friends")
    assert (data["strikes"]["ours"], data["hits_due"], data["lost_traits"]) == (1, 0, ["Friends"])


def test_nothing_else_is_done_while_a_hit_waits(game: Game) -> None:
    """STR-TC-07, 12: the round is not over."""
    table = idle(game, "Old rope")
    table.round({"vex": "recover"}, "obscure", *BOTH_PUSH)
    for command, args in (
        ("act", {"who": "vex", "action": "pass"}), ("oppose", {"action": "block"}), ("roll", {}),
        ("concede", {}), ("withdraw", {"who": "vex"}), ("avert", {"who": "vex"}),
        ("scout", {"which": "advance"}), ("end", {"undecided": True}),
    ):  # fmt: skip
        with case(command), pytest.raises(HitWaits):
            table.do(command, **args)


def test_what_grows_has_grown_at_the_round_s_end(game: Game) -> None:
    """STR-TC-07, 16: not where the round's own Hit took the trait."""
    for what, grown in (("increasing power", None), ("strike", {"increasing-power": 1})):
        game.state = {}
        table = idle(game, "Increasing Power")
        table.round({}, "obscure", *BOTH_PUSH)
        table.hit("ours", what)
        assert table.of("ours", "grown") == grown


def test_actions_are_told_while_a_hit_waits(in_campaign: Strike) -> None:
    """STR-TC-03, 07: the dice have fallen, so nothing is secret any more; the rest is told when it comes."""
    in_campaign("conflict start Race --intent first --against them --their-intent first --our-trait Rope")
    in_campaign("conflict oppose obscure")
    in_campaign("conflict act vex recover --skill Climbing")
    for who in ("brann", "odo", "vesna"):
        in_campaign(f"conflict act {who} pass")
    data = in_campaign.json("conflict roll --dice 6,1,6,1")["data"]
    assert data["hits_due"] == {"ours": 1, "theirs": 0}
    shown = in_campaign("conflict show").out
    assert "Obscure" in shown
    assert "strike conflict hit ours strike|rope" in shown
    in_campaign("conflict roll", 1)
    out = in_campaign("conflict hit ours strike").out
    assert "takes a Strike (1 now)" in out
    assert "One Strike less for" in out and "(0 now)" in out
    in_campaign("undo")
    assert in_campaign.json("conflict show")["data"]["ours"]["strikes"] == 0
    in_campaign("redo")
    in_campaign("replay --verify")


def test_an_end_brings_what_a_hit_held_up(game: Game) -> None:
    """STR-TC-07, 09: where the game master takes the Hit away, the end brings the rest of the round."""
    table = idle(game, "Old rope", team=["vex"])
    table.round({"vex": "reckless-effort"}, "block", *WON)
    table.set("ours", hits_due=None)
    assert table.do("end")["result"] == "win"


def test_a_hit_decided_by_hand_holds_nothing_up(game: Game) -> None:
    """STR-TC-07: where the game master takes the Hit away, the rest of the round comes with what is next."""
    table = idle(game, "Old rope").struck(1)
    table.round({"vex": "recover"}, "obscure", *BOTH_PUSH)
    table.set("ours", hits_due=None)
    table.act("vex", "pass")
    assert (table.get("round"), table.of("ours", "strikes")) == (2, 0)


# --- traits that have a word in the end


def test_invulnerability_says_what_happens(game: Game) -> None:
    """STR-TC-16: nobody wins; the Hit is one of the outcome, and what lasts until a loss lasts; until the
    trait is gone."""
    table = Table(game, "Invulnerability", "Old money")
    data = table.round({}, "block", *WON)
    assert (data["outcome"], data["ended"], data["hits"]) == ("win", False, ["theirs"])
    assert data["hits_due"] == {"ours": 0, "theirs": 1}
    told = " ".join(game.texts())
    assert "The team wins" not in told
    assert "would lose: Invulnerability" in told
    assert shields(game) == ["Invulnerability"]
    assert table.hit("theirs", "invulnerability")["ended"] is False
    assert table.round({}, "block", *WON)["ended"]
    assert "The team wins." in game.texts()
    assert shields(game) == []


def shields(game: Game) -> list[str]:
    """What the fact of the round says that a loss was turned by."""
    return [str(fact.details["shield"]) for fact in game.facts if fact.details.get("shield")]


def test_what_is_kept_of_a_round_that_waits(book: Book) -> None:
    """STR-TC-07: what comes after the Hit needs it, and nothing else; a win that is none costs nothing."""
    for traits, dice, more in (
        (("Old money",), BOTH_PUSH, {}),
        (("Old money", "Recovery"), BOTH_PUSH, {"recover": "none"}),
        (("Costly", "Invulnerability"), WON, {}),
    ):
        with case(traits):
            table = Table(Game(book), *traits)
            table.round({}, "obscure", *dice, **more)
            rest = table.get("rest")
            assert rest.keys() - more == {"outcome", "counts_as", "margins"}
            assert {key: rest[key] for key in more} == more
            table.hit("theirs", "strike")
            struck = table.of("ours", "strikes")
            assert (table.get("rest"), struck, table.get("ended")) == (None, int(dice == BOTH_PUSH), None)


def test_with_its_last_hit_a_conflict_is_over(game: Game) -> None:
    """STR-TC-07, 09: the aftermath is told once each Hit of the last round is decided, and not before."""
    table = idle(game, "Old rope")
    data = table.round({"vex": "reckless-effort"}, "obscure", *LOST)
    assert (data["ended"], data["aftermath"], data["hits_due"]["ours"]) == (True, None, 1)
    table.set("ours", hits_due=2)
    data = table.hit("ours", "strike")
    assert (data["ended"], data["aftermath"]) == (False, None)
    data = table.hit("ours", "strike")
    assert (data["ended"], data["aftermath"]["loser"], table.get("ended")) == (True, "ours", "lose")


def test_fortify_outlasts_a_loss_that_is_none(game: Game) -> None:
    """STR-TC-14, 16: it lasts until its side Loses or Pushes."""
    table = idle(game, "Invulnerability")
    table.do("prep", [6], who="vex", action="fortify")
    table.round({}, "obscure", 1, 1, 6, 6)
    table.hit("ours", "strike")
    assert table.of("ours", "bonuses") is not None


def test_a_win_that_is_averted_costs_nothing(book: Book) -> None:
    """STR-TC-10, 16: Costly is a Strike for a win, and an averted loss is none; what they take back is
    another one."""
    teams = {"team": ["vex", "brann"], "their_team": ["odo", "vesna"]}
    for table, loser, who, winner, dice in (
        (idle(Game(book), "Costly"), "ours", "vesna", "theirs", LOST),
        (Table(Game(book), "Costly", **teams), "theirs", "odo", "ours", WON),
    ):
        for had, left in ((0, 0), (2, 1)):
            with case(loser, had):
                table.set(winner, strikes=had)
                assert table.round({}, "obscure", *dice)["strikes"][winner] == had + 1
                assert table.do("avert", who=who)["strikes"][winner] == left
                table.hit(loser, "strike")
        data = table.round({}, "obscure", *dice)
        assert data["strikes"][winner] == 2, "a win that stands costs one"


# --- ways out


def test_a_hit_on_the_winners_is_decided_before_a_loss_is_reckoned(game: Game) -> None:
    """STR-TC-06, STR-TC-09: their Strikes make the loss a close one or not."""
    table = Table(game, "Old money")
    table.game.set("conflict.ended", "lose")
    table.set("theirs", hits_due=1)
    with pytest.raises(HitWaits):
        table.do("end")
    table.hit("theirs", "old-money")
    assert table.do("end")["loser_options"] == []


def test_an_end_says_what_comes_of_it(book: Book) -> None:
    """STR-TC-01, STR-TC-09: whoever won has what was at stake for them."""
    for ended, intent in (("win", "a road"), ("lose", "a toll")):
        table = Table(Game(book))
        table.game.set("conflict.ended", ended)
        table.do("end")
        assert table.game.texts()[-1].partition(": ")[2].startswith(f"{intent}.")


def test_a_concession_ends_it(game: Game) -> None:
    """STR-TC-11: its Strikes, and that it is over."""
    data = Table(game).struck(3).concede()
    assert {key: data[key] for key in ("side", "strikes", "ended", "complications")} == {
        "side": "ours", "strikes": {"ours": 1, "theirs": 0}, "ended": True, "complications": [],
    }  # fmt: skip


def test_a_round_is_closed_under_its_own_number(game: Game) -> None:
    """STR-TC-07: the first is round 1."""
    table = Table(game)
    for number in (1, 2):
        table.round({}, "block", *DRAW)
        (closed,) = (fact for fact in game.facts if fact.kind == "conflict-round-closed")
        assert closed.details["round"] == number


def test_one_complication_explains_a_concession(game: Game) -> None:
    """STR-TC-11: its one player gains the one Action Point."""
    table = Table(game)
    before = game.state
    with pytest.raises(Refused, match="One Complication"):
        table.concede(["vex", "Owes the ferryman"], ["odo", "Promises too much"])
    assert game.state is before
    table.concede(["odo", "Promises too much"])
    assert game.get("characters.odo.ap") == 3


def test_an_undecided_end(book: Book) -> None:
    """STR-TC-12a: after any round: nobody's intent, no Concession, and Conditions by Strikes as ever."""
    for strikes, severity, choose in (
        (1, "", []),
        (2, "minor", ["angry"] * 4),
        (4, "major", ["injured"] * 4),
    ):
        with case(strikes):
            table = Table(Game(book))
            table.round({"vex": "take-one-for-the-team"}, "obscure", *DRAW)
            data = table.struck(strikes, 1).do("end", (), choose, undecided=True)
            assert (data["result"], data["loser"]) == ("undecided", None)
            assert (data["concessions"], data["personal"], data["loser_options"]) == ([], [], [])
            assert data["conditions"] == (dict.fromkeys(TEAM, severity) if severity else {})
            assert table.game.get("conflict") is None
            assert table.game.texts()[-1] == "Council is over. Neither side has its way."


def test_an_undecided_end_is_after_a_round(game: Game) -> None:
    """STR-TC-12a: not before the first, nor in the midst of one, nor where somebody has won."""
    table = Table(game)
    end = {"conditions": {}, "abandon": False, "undecided": True}
    with pytest.raises(Refused, match="none has been played"):
        table.do("end", **end)
    table.round({}, "obscure", *DRAW)
    table.act("vex", "pass")
    with pytest.raises(Refused, match="some have acted in this one: Vex"):
        table.do("end", **end)
    table.set("ours", actions=None)
    table.round({}, "block", *WON)
    with pytest.raises(Refused, match="is decided"):
        table.do("end", **end)


def test_an_undecided_end_between_two_teams(game: Game) -> None:
    """STR-TC-09, 12a: each takes its own Conditions."""
    table = Table(game, team=["vex"], their_team=["odo"])
    table.round({}, "", 1, 6, 1, 6)
    table.struck(2, 4)
    said = {"vex": "core:angry", "odo": "core:sick"}
    data = table.do("end", conditions=said, abandon=False, undecided=True)
    assert data["conditions"] == {"vex": "minor", "odo": "major"}


def test_ends_as_they_are_typed(in_campaign: Strike) -> None:
    """STR-TC-11, 12a."""
    in_campaign("conflict start Race --intent first --against them --their-intent first --team vex odo")
    twice = "--complication 'vex:Owes the ferryman' --complication 'odo:Promises too much'"
    assert "One Complication" in in_campaign.json(f"conflict concede {twice}", 1)["error"]["message"]
    for line in ("oppose block", "act vex pass", "act odo pass", "roll --dice 1,6,1,6"):
        in_campaign(f"conflict {line}")
    assert "strike conflict end --undecided" in in_campaign("conflict show").out
    in_campaign("conflict end --undecided --abandon", 2)
    assert in_campaign.json("conflict end --undecided")["data"]["result"] == "undecided"
    in_campaign("replay --verify")
