"""A Team Conflict with players on both sides (STR-TC-03, 09), in memory and as it is typed."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import Any

import pytest
from support.cli import Strike
from support.conflict import WEIGH, Table, bonuses
from support.game import Game

from strike_cli.campaign import Campaign
from strike_cli.campaign.state_checks import state_faults
from strike_cli.play.command_execution import PlaySettings, perform_command
from strike_cli.problems import Refused, Usage
from strike_cli.registry.scenes_and_decisions_in_state import scenes_of
from strike_cli.systems.conflict.hits import HitWaits

OURS, THEIRS = ["vex", "brann"], ["odo", "vesna"]
TIED, DRAW, WON, LOST = (3, 3, 3, 3), (1, 6, 1, 6), (6, 6, 1, 1), (1, 1, 6, 6)


@pytest.fixture
def table(game: Game) -> Table:
    return Table(game, team=OURS, their_team=THEIRS)


def test_both_have_observe_and_obscure(table: Table) -> None:
    """STR-TC-03: and nobody has the opposition's one action."""
    data = table.round({"vex": "observe", "odo": "obscure", "vesna": "observe"}, "", *DRAW)
    assert (bonuses(data, "ours"), bonuses(data, "theirs")) == ((1, 1), (2, 2))
    assert data["scouts"] == {"ours": 0, "theirs": 1}
    assert bonuses(table.round({}, "", *DRAW), "theirs") == (1, 0)
    with pytest.raises(Refused, match="are players"):
        table.oppose("progress")
    table.game.state = {}
    with pytest.raises(Refused, match="both sides"):
        Table(table.game, team=OURS, their_team=["vex"])


def test_obscure_needs_somebody_to_hide_from(game: Game) -> None:
    """STR-TC-03: against an opposition, which cannot Observe, players have no Obscure."""
    with pytest.raises(Usage):
        Table(game).act("vex", "obscure")


def test_everybody_chooses(table: Table) -> None:
    """STR-TC-01: whoever is missing, of both teams; a team of its own has its two of each action."""
    for who in ("vex", "brann", "odo", "vesna"):
        table.act(who, "prepare")
    table.act("odo", "pass")
    table.game.set("conflict.theirs.actions.vesna", None)
    with pytest.raises(Refused, match="Not everybody has chosen an action: Vesna"):
        table.roll()


def test_both_teams_scout(table: Table) -> None:
    """STR-TC-07: each its own, of the other side's dice."""
    table.round({"vex": "observe", "odo": "observe"}, "", *DRAW)
    with pytest.raises(Usage):
        table.act("vex", "dance")
    assert table.scout("advance", 5)["side"] == "ours"
    assert table.scout("defense", 6)["side"] == "theirs"
    with pytest.raises(Refused, match="this round"):
        table.scout("", side="theirs")
    data = table.round({}, "", 1, 6)
    assert (data["ours"]["defense"], data["theirs"]["advance"]) == (6, 5)


def test_prepared_on_both_sides(table: Table) -> None:
    """STR-TC-14: preparing is every player's."""
    table.do("prep", [3], who="odo", action="seize-the-advantage")
    table.do("prep", [6], who="vesna", action="seize")
    table.do("prep", [4], who="vex", action="stock-up")
    assert table.of("ours", "strikes") == 1
    data = table.round({}, "", 1, 6, 1, 6, stock={"ours": "defense"})
    assert (bonuses(data, "ours"), bonuses(data, "theirs")) == ((0, 1), (1, 0))


def test_conditions_weigh_on_both(table: Table) -> None:
    """STR-TC-15: on each team its own."""
    table.game.set("characters.odo.conditions", ["core:injured"])
    table.game.set("characters.vex.conditions", ["core:angry"])
    data = table.round({}, "", 6, 6, 6, 1, 6, weigh={**WEIGH, "picks": [["odo", "defense"]]})
    assert (bonuses(data, "theirs"), len(data["ours"]["advance_roll"]["faces"])) == ((0, -1), 2)


def test_hits_are_chosen_by_the_other_side(game: Game) -> None:
    """STR-TC-06: on either team that has traits."""
    table = Table(game, "Old money", team=OURS, their_team=THEIRS, our_traits=["Old rope"])
    data = table.round({"vex": "targeted-effort", "odo": "targeted-effort"}, "", *DRAW)
    assert data["hits_due"] == {"ours": 1, "theirs": 1}
    assert table.hit("ours", "old-rope")["lost_traits"] == ["Old rope"]
    with pytest.raises(HitWaits):
        table.act("vex", "pass")
    assert table.hit("theirs", "strike")["strikes"] == {"ours": 0, "theirs": 1}
    with pytest.raises(Refused, match="No Hit"):
        table.hit("theirs", "strike")


@pytest.mark.parametrize(
    ("dice", "loser", "winner_strikes", "chooses"),
    [(WON, "theirs", 2, True), (WON, "theirs", 0, False), (LOST, "ours", 1, True), (LOST, "ours", 0, False)],
)
def test_the_losers_list(
    table: Table, dice: tuple[int, ...], loser: str, winner_strikes: int, chooses: bool
) -> None:
    """STR-TC-09: in place of Concessions, for whichever team loses to one that has a Strike."""
    winner = {"ours": "theirs", "theirs": "ours"}[loser]
    table.set(winner, strikes=winner_strikes).set(loser, strikes=2)
    after = table.round({}, "", *dice)["aftermath"]
    assert (after["loser"], after["concessions"], bool(after["loser_options"])) == (loser, [], chooses)
    people = [*OURS, *THEIRS] if winner_strikes == 2 else {"ours": OURS, "theirs": THEIRS}[loser]
    assert after["conditions"] == dict.fromkeys(people, "minor")
    said = dict.fromkeys(people, "core:angry")
    data = table.do("end", (), ["cheap"] * chooses, conditions=said)
    assert data.get("loser_chose") == ("cheap" if chooses else None)
    held = {who for who in [*OURS, *THEIRS] if table.game.get(f"characters.{who}.conditions")}
    assert held == set(people)


@pytest.mark.parametrize(("dice", "who"), [(WON, "vesna"), (LOST, "vex")])
def test_either_averts_its_own_loss(table: Table, dice: tuple[int, ...], who: str) -> None:
    """STR-TC-10: for an Action Point of the losers; the winners regain."""
    table.struck(1, 1).round({}, "", *dice)
    with pytest.raises(Refused, match="no loss"):
        table.do("avert", who="odo" if who == "vex" else "brann", theirs="")
    data = table.do("avert", who=who)
    mine, other = ("theirs", "ours") if who == "vesna" else ("ours", "theirs")
    assert data["strikes"] == {mine: 2, other: 0}


def test_either_concedes(table: Table) -> None:
    """STR-TC-11: two Strikes less for those who do, and their own Complications."""
    table.struck(1, 4)
    with pytest.raises(Refused, match="does not concede"):
        table.concede(["vex", "Owes the ferryman"], side="theirs")
    data = table.concede(["odo", "Promises too much"], side="theirs")
    assert (data["strikes"], data["aftermath"]["loser"]) == ({"ours": 1, "theirs": 2}, "theirs")
    assert table.game.get("characters.odo.ap") == 3
    assert data["aftermath"]["conditions"] == dict.fromkeys(THEIRS, "minor")
    with pytest.raises(Refused, match="no loss"):
        table.do("avert", who="odo")


def test_an_opposition_does_not_concede(game: Game) -> None:
    """STR-TC-11: it is no team."""
    with pytest.raises(Refused, match="not a team of players"):
        Table(game).concede(side="theirs")


def test_withdrawing_from_the_other_side(table: Table) -> None:
    """STR-TC-12: with that team's Strikes; the last one leaves nobody to roll for."""
    table.struck(0, 2)
    table.do("withdraw", (), ["angry"], who="odo")
    table.do("withdraw", (), ["angry"], who="vesna")
    for who in OURS:
        table.act(who, "pass")
    with pytest.raises(Refused, match="Nobody of The Company"):
        table.roll()
    assert table.concede(side="theirs")["aftermath"]["loser"] == "theirs"
    assert table.of("ours", "actions") is None, "no round comes of what the others have picked"


def test_win_at_all_costs_of_either(table: Table) -> None:
    """STR-TC-02, STR-TC-03: a player's costs a Strike of one's own, on whichever side."""
    data = table.round({"odo": "win-at-all-costs"}, "", *DRAW)
    assert (data["strikes"], table.of("theirs", "irremovable")) == ({"ours": 0, "theirs": 1}, 1)


def test_personal_concessions_of_the_winners(table: Table) -> None:
    """STR-TC-02, STR-TC-09: owed by who took one, if their side wins."""
    table.round({"vex": "take-one-for-the-team", "odo": "take-one"}, "", *DRAW)
    assert table.round({}, "", *WON)["aftermath"]["personal"] == ["vex"]


def test_a_duel(game: Game) -> None:
    """STR-TC-01: one on each side; a double tie ends it with Conditions alone."""
    table = Table(game, team=["vex"], their_team=["odo"]).struck(2, 0)
    after = table.round({}, "", *TIED, 5)["aftermath"]
    assert (after["loser"], after["conditions"], after["loser_options"]) == (None, {"vex": "minor"}, [])
    data = table.do("end", conditions={"vex": "core:angry"})
    assert data["result"] == "double-tie"


START = (
    "conflict start Regatta --intent 'the cup' --their-intent 'the cup, too' "
    "--against 'The other boat' --team vex brann --their-team odo --their-team vesna"
)


def test_picks_are_secret_until_the_dice_fall(in_campaign: Strike) -> None:
    """STR-TC-03: of both teams, on the screen and in the log; then they are told."""
    in_campaign(START)
    in_campaign("conflict act vex calculated-risk --skill Climbing")
    in_campaign("conflict act odo total-defense --skill Cooking")

    def told(gm: str = "") -> str:
        lines = (f"conflict show {gm}", f"conflict show {gm} --json", f"log {gm}", f"log {gm} --json")
        return "".join(in_campaign(line).out for line in lines)

    for secret in ("calculated", "Calculated", "total-defense", "Total Defense", "Climbing", "Cooking"):
        assert secret not in told()
        assert secret in told("--gm")
    assert in_campaign.json("conflict show")["data"]["missing"] == ["brann", "vesna"]
    in_campaign("conflict act brann pass")
    in_campaign("conflict act vesna pass")
    out = in_campaign("conflict roll --dice 6,6,1,1").out
    assert "Vex: Calculated Risk" in out
    assert "Odo: Total Defense" in out
    assert "total-defense" in in_campaign("log --json").out
    data: Any = in_campaign.json("conflict end")["data"]
    assert data["loser"] == "theirs"
    in_campaign("replay --verify")


def test_what_was_picked_stays_secret_whatever_comes_of_it(in_campaign: Strike) -> None:
    """STR-TC-03: where who picked withdraws, where the conflict is dropped, and where that is taken back."""
    in_campaign(START)
    in_campaign("conflict act vex calculated-risk --skill Climbing")
    in_campaign("conflict act odo total-defense --skill Cooking")
    for line in ("conflict withdraw vex", "conflict withdraw odo", "undo", "conflict end --abandon", "undo"):
        in_campaign(line)
        for shown in ("log", "log --json"):
            out = in_campaign(shown).out
            assert "alculated" not in out, line
            assert "otal-defense" not in out, line
    assert "total-defense" in in_campaign("log --gm --json").out


def test_what_was_turned_up_is_told_where_it_is_taken_back_and_put_back(in_campaign: Strike) -> None:
    """STR-TC-03: `redo` turns it up again."""
    in_campaign(START.replace(" --their-team odo --their-team vesna", ""))
    for line in ("oppose total-defense", "act vex pass", "act brann pass", "roll --dice 1,6,6,1"):
        in_campaign(f"conflict {line}")

    def picked() -> Any:
        entries: Any = in_campaign.json("log")["data"]["entries"]
        return [entry["args"] for entry in entries if entry["command"] == "conflict oppose"]

    assert picked() == [{"action": "total-defense"}]
    in_campaign("undo")
    assert picked() == [{}]
    in_campaign("redo")
    assert picked() == [{"action": "total-defense"}]


def test_a_pick_is_secret_whoever_plays_it(folder: Path) -> None:
    """STR-TC-03: a bot, a program, the command line: the move says so, not what calls it."""
    with Campaign(folder, writing=True) as campaign:
        start = {"name": "Race", "intent": "a", "against": "b", "their_intent": "c", "team": ["vex"]}
        perform_command(campaign, "conflict start", start, PlaySettings())
        perform_command(campaign, "conflict oppose", {"action": "total-defense"}, PlaySettings())
        perform_command(campaign, "conflict act", {"who": "vex", "action": "pass"}, PlaySettings())
        entries = campaign.journal.newest_entries(3)
        assert [entry.get("secret", False) for entry in entries] == [False, True, False]


def test_a_scouted_die_is_for_those_who_scout(in_campaign: Strike) -> None:
    """STR-TC-03, STR-TC-14: between two teams, on the screen and in the log, until the dice fall."""
    in_campaign(START)
    for line in ("prep vex scout --dice 4", "prep odo scout --dice 6", "scout advance --dice 5"):
        in_campaign(f"conflict {line}")
    out = in_campaign("conflict scout advance --theirs --dice 2").out
    assert out == "The Advance die of The team, scouted by The other boat, will be 2.\n"

    def said(*lines: str) -> str:
        return "".join(in_campaign(line).out for line in lines)

    def told(more: str = "") -> str:
        return said(f"conflict show {more}", f"conflict show {more} --json")

    def logged(more: str = "") -> str:
        return said(f"log {more}", f"log {more} --json")

    def dice(text: str) -> list[int]:
        return [face for face in (5, 2) if f"will be {face}" in text or f'"faces": [{face}]' in text]

    assert dice(told()) == dice(logged()) == []
    assert in_campaign.json("conflict show")["data"]["theirs"]["scouted"] == {"advance": None}
    assert "will be" not in said("undo", "redo")
    assert dice(logged()) == []
    assert dice(told("--side ours")) == [5]
    assert dice(told("--side theirs")) == [2]
    assert dice(told("--gm")) == dice(logged("--gm")) == [5, 2]
    for who in ("vex", "brann", "odo", "vesna"):
        in_campaign(f"conflict act {who} pass")
    assert "Calculated" not in told("--side theirs")
    in_campaign("conflict roll --dice 1,3")
    assert dice(logged()) == [5, 2]


def test_each_side_s_own_choices(in_campaign: Strike) -> None:
    """STR-TC-03: `--side` has them, and not the other's."""
    in_campaign(START)
    in_campaign("conflict act vex calculated-risk --skill Climbing")
    in_campaign("conflict act odo total-defense --skill Cooking")
    for side, own, other in (("ours", "Climbing", "Cooking"), ("theirs", "Cooking", "Climbing")):
        for line in ("conflict show", "conflict show --json"):
            out = in_campaign(f"{line} --side {side}").out
            assert own in out
            assert other not in out


def test_everybody_is_called_as_on_their_sheet(game: Game) -> None:
    """STR-TC-01: the conflict has their names; one of 0.1 has none, and is shown all the same."""
    characters = {**game.book.characters, "vex": {**game.book.characters["vex"], "name": "Vex Marlowe"}}
    game.book = copy(game.book)
    game.book.characters = characters
    Table(game, team=OURS, their_team=THEIRS)
    (scene,) = scenes_of(game.state)
    assert {who: one.name for who, one in scene.people.items()} == {
        who: characters[who]["name"] for who in [*OURS, *THEIRS]
    }
    game.set("conflict.people", None)
    (scene,) = scenes_of(game.state)
    assert scene.people["vex"].name == "Vex"
    assert state_faults(game.state, game.book) == []
