"""What may be done in a conflict: as data, as it is typed, and what of it stays secret."""

from __future__ import annotations

from typing import Any

import pytest
from support.cli import Strike
from support.conflict import Table
from support.game import Game

from strike_cli.play.forecast import best_option
from strike_cli.play.legal_options import legal_options_listed_by_bot
from strike_cli.registry import load_known_system
from strike_cli.systems.conflict.commands.show import next_commands_with_purposes, show_conflict
from strike_cli.terminal.command_output import blocks_as_unwrapped_text

START = "conflict start Race --intent a --against b --their-intent c --advance 1 --defense 1"
DRAW, LOST, PUSHED = (1, 6, 1, 6), (1, 1, 6, 6), (6, 3, 3, 3)


def offered(table: Table, begins: str = "") -> list[str]:
    """Options as one types them, those that begin so."""
    every = [
        str(option) for option in legal_options_listed_by_bot(load_known_system("conflict"), table.game.world)
    ]
    return [line for line in every if line.startswith(begins)]


def kinds(table: Table) -> set[str]:
    return {line.split()[0] for line in offered(table)}


def test_before_the_dice(game: Game) -> None:
    """STR-TC-02, 03, 13, 14: whoever has not chosen; what takes a Skill with one of theirs."""
    table = Table(game)
    assert kinds(table) == {"prep", "oppose", "act", "concede", "withdraw"}
    acts = offered(table, "act vex")
    assert {"act vex progress", "act vex calculated-risk --skill Climbing"} <= set(acts)
    assert "act vex --secondary defense --skill Climbing" in acts
    assert "oppose recover" in offered(table)
    assert offered(table, "oppose win-at-all-costs") == []  # it takes a Strike of ours, and there is none
    assert offered(table, "act vex obscure") == []
    for who in ("vex", "brann", "odo"):
        table.act(who, "calculated-risk" if who != "odo" else "block")
    table.oppose("progress")
    assert kinds(table) == {"act", "withdraw"}
    assert offered(table, "act vesna calculated-risk") == []  # two of the team do it already
    assert "act vesna targeted-effort --skill Riding" in offered(table, "act vesna")
    table.act("vesna", "pass")
    assert kinds(table) == {"roll", "withdraw"}


def test_after_the_dice(game: Game) -> None:
    """STR-TC-02, 06, 10: Hits to decide before all else, scouting, averting where somebody can, the end."""
    table = Table(game, "Old money", advance=3, defense=3)
    table.round({"vesna": "observe", "vex": "progress", "odo": "block"}, "progress", *PUSHED)
    assert offered(table) == ["hit theirs strike", "hit theirs old-money"]
    assert [step for step, _ in next_commands_with_purposes(game.world)] == [
        "strike conflict hit theirs strike|old-money"
    ]
    table.hit("theirs", "strike")
    assert offered(table, "scout") == ["scout advance", "scout defense"]
    assert "end --undecided" in offered(table)
    table.round({}, "progress", *LOST)
    assert kinds(table) == {"avert", "end"}
    assert offered(table, "avert brann") == []  # who has no Action Point
    game.set("pending.conflict", {"command": "conflict end"})
    assert offered(table) == []


def test_nobody_is_left(game: Game) -> None:
    """STR-TC-11: then the only way on is said."""
    table = Table(game, team=["vex"])
    table.do("withdraw", who="vex")
    assert next_commands_with_purposes(game.world) == [
        ("strike conflict concede", "nobody of The team is left")
    ]


def test_a_trait_may_be_called_a_strike(game: Game) -> None:
    """STR-TC-06: either can be taken by its name."""
    table = Table(game, "Strike", advance=3, defense=3)
    table.round({"vex": "progress", "odo": "block"}, "progress", *PUSHED)
    assert len(offered(table, "hit theirs")) == 2
    assert table.hit("theirs", "strike")["lost_traits"] == []


PICKS: list[dict[str, str]] = [
    {"vex": "calculated-risk", "brann": "calculated-risk", "vesna": "observe"},
    {"vex": "progress", "brann": "observe", "vesna": "pass"},
]


def test_options_of_a_secret_round_are_the_same_whatever_was_picked(game: Game) -> None:
    """STR-TC-02, 03: that two of a team do it already, and what they do it with, is for that team alone."""
    seen: list[Any] = []
    flaws = [{"id": "f1", "on": "climbing"}]
    for picks in PICKS:
        game.state = {"characters": {"vex": {"flaws": flaws}}}
        table = Table(game, team=["vex", "brann", "odo"], their_team=["vesna"])
        for who, action in picks.items():
            table.act(who, action)
        players = show_conflict(game.world, gm=False)
        seen.append((offered(table), players.data, blocks_as_unwrapped_text(players.blocks)))
    assert seen[0] == seen[1]
    assert "act odo progress" in seen[0][0]
    assert "act odo --secondary advance --skill Cooking" in seen[0][0]


def test_limited_actions_are_offered_until_they_might_be_used_up(game: Game) -> None:
    """STR-TC-02: with players on both sides, once two of a team have an action nobody learns which ones."""
    table = Table(game, team=["vex", "brann", "odo"], their_team=["vesna"])
    limited = "act odo calculated-risk --skill Cooking"
    for who in ("vex", "brann"):
        assert limited in offered(table)
        table.act(who, "progress")
    assert limited not in offered(table)


def test_who_may_see_picks_sees_what_weighs_on_them(game: Game) -> None:
    """STR-TC-15: the Flaw of a Skill that somebody acts with in secret."""
    game.set("characters.vex.flaws", [{"id": "f1", "on": "climbing"}])
    table = Table(game, team=["vex"], their_team=["vesna"])
    table.act("vex", "observe")
    weighs = {
        side: show_conflict(game.world, gm=False, of_side=side).data["weighs"]
        for side in ("", "ours", "theirs")
    }
    assert weighs == {"": [], "ours": ["Vex: climbing"], "theirs": []}
    assert show_conflict(game.world, gm=True).data["weighs"] == ["Vex: climbing"]


def test_an_opposition_s_secret_is_kept(game: Game) -> None:
    """STR-TC-03: what is offered says that it has chosen, and nothing of what."""
    seen = []
    for action in ("total-defense", "obscure"):
        game.state = {}
        table = Table(game)
        table.oppose(action)
        seen.append(offered(table))
    assert seen[0] == seen[1]
    assert not [line for line in seen[0] if line.startswith("oppose")]


@pytest.mark.parametrize(
    "before",
    [
        [],
        ["conflict oppose progress", "conflict act vex observe --skill Climbing", "conflict act odo pass",
         "conflict roll --dice 1,6,6,1"],
    ],
)  # fmt: skip
def test_what_is_listed_can_be_typed(in_campaign: Strike, before: list[str]) -> None:
    """STR-TC-02: each option word for word, and nothing of it is kept."""
    in_campaign(f"{START} --team vex odo --trait 'Old money'")
    for line in before:
        in_campaign(line)
    options = in_campaign.json("conflict options")["data"]["options"]
    assert len(options) > 10
    for option in options:
        code = 6 if option["command"] in ("conflict secondary", "conflict withdraw") else 0
        assert in_campaign(f"conflict {option['typed']} --dry-run --json", None).code in (0, code)


def test_options_while_a_decision_waits(in_campaign: Strike) -> None:
    """STR-TC-12: the decision, and nothing else."""
    in_campaign(f"{START} --team vex odo")
    in_campaign("override conflict.ours.strikes 2 --why x")
    in_campaign("conflict withdraw vex", 6)
    assert in_campaign.json("conflict options")["data"]["options"] == []
    assert "strike choose" in in_campaign("conflict options").out


# The bot


def bot_opposes(game: Game, advance: int, defense: int, **picks: str) -> str:
    """What the bot chooses for an opposition with these numbers."""
    game.state = {}
    table = Table(game, team=["vex", "odo"], advance=advance, defense=defense)
    for who, action in picks.items():
        table.act(who, action)
    option = best_option(load_known_system("conflict"), game.world, "theirs", "theirs")
    assert option is not None
    return str(option)


@pytest.mark.slow
def test_the_bot_plays_to_the_numbers(game: Game) -> None:
    """STR-TC-02: an opposition that is weak in Defense minds it; one that is not gets on with it."""
    assert bot_opposes(game, 5, 0) == "oppose total-defense"
    assert bot_opposes(game, 2, 4) in ("oppose all-out-effort", "oppose calculated-risk")


@pytest.mark.slow
def test_the_bot_looks_at_no_picks(game: Game) -> None:
    """STR-TC-03: the opposition chooses as one who has not seen what the team does."""
    picks: list[dict[str, str]] = [{}, {"vex": "total-defense"}, {"vex": "reckless-effort", "odo": "block"}]
    assert len({bot_opposes(game, 1, 1, **each) for each in picks}) == 1


def test_the_bot_takes_traits_or_gives_strikes(game: Game) -> None:
    """STR-TC-06: the opposition decides the Hits on the team."""
    table = Table(game, our_traits=["Old money"], team=["vex"], advance=3, defense=3)
    table.round({"vex": "reckless-effort"}, "block", *DRAW)
    option = best_option(load_known_system("conflict"), game.world, "theirs", "theirs")
    assert str(option) == "hit ours strike"


@pytest.mark.slow
def test_auto_does_what_is_the_opposition_s(in_campaign: Strike) -> None:
    """STR-TC-03: it chooses in secret, then there is nothing left to do."""
    in_campaign(f"{START} --team vex")
    assert in_campaign("conflict auto").out.strip() == "B: action chosen, in secret."
    assert "opposition" not in in_campaign("log --json").out
    assert "No option is left now" in in_campaign("conflict auto", None).err
    in_campaign("undo")
    in_campaign("conflict end --abandon")
    in_campaign(f"{START} --team vex --their-team odo")
    assert "Everybody here has a player" in in_campaign("conflict auto", None).err
