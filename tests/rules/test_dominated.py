"""Whoever is Dominated takes the part of who dominates them: targets, options, what is asked, and programs
that play them (STR-TAC-25)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Strike
from support.game import Game, book_with

from strike_cli.campaign import Campaign
from strike_cli.content.merged_content import open_book
from strike_cli.phones.player_page_data import PhoneSnapshot
from strike_cli.problems import Refused
from strike_cli.registry import load_known_system
from strike_cli.sim.bot_players import find_player
from strike_cli.sim.simulated_fight import FrozenCampaign, play_day_until_not_won
from strike_cli.sim.simulation_hooks import Lineup
from strike_cli.systems.combat.bots.legal_options import legal_actions_worth_listing
from strike_cli.systems.combat.bots.position_value import (
    fight_value_to_side,
    opportunity_cost_to_side_acted_for,
)
from strike_cli.systems.combat.fight_state import Fight
from strike_cli.terminal.screen.campaign_view import audience_view_for_players

POWERS = """
[powers]
jolt = { reach = 1, damage = 3, who = "enemies", effect = [
  { do = "damage", amount = 1, to = "enemies", within = 3 }] }
costly = { reach = 1, damage = 9, ap = 1 }
mend = { action = "role", kind = "role", range = 5, who = "allies", effect = [{ do = "heal", amount = 3 }] }
"""


def dominated(game: Game, who: str = "vex", by: str = "goblin") -> Game:
    """Their turn, with somebody else's will."""
    return turn_of(game.afflict(who, "dominated", by=by), who)


def turn_of(game: Game, who: str) -> Game:
    """On to their turn."""
    game.next_turn_of(who)
    return game


@pytest.fixture
def armed() -> Game:
    return Game(book_with(POWERS, "vex"))


def aims(game: Game, who: str) -> set[tuple[str, ...]]:
    options = legal_actions_worth_listing(game.world, who, ("power", "charge"))
    return {tuple(getattr(one.args, "targets", ()) or (getattr(one.args, "target", ""),)) for one in options}


def test_their_enemies_are_the_dominators(armed: Game) -> None:
    """STR-TAC-25: "enemy" and "ally" in a power that somebody is told to use; what it does to enemies too."""
    game = dominated(armed.draw("BVg", "...").begin("goblin").put("goblin", hp=9))
    data = game.attack("vex", "brann", power="jolt", dice=[5])
    assert data["attacks"][0]["damage"] == 3
    assert (game.of("brann", "hp"), game.of("goblin", "hp"), game.of("vex", "hp")) == (6, 9, 10)


def test_their_friends_can_not_be_meant_as_enemies(armed: Game) -> None:
    """STR-TAC-25."""
    game = dominated(armed.draw("BVg", "...").begin("goblin").put("goblin", hp=1))
    with pytest.raises(Refused, match="is for enemies, not for Goblin"):
        game.attack("vex", "goblin", power="jolt", dice=[5])
    with pytest.raises(Refused, match="is for allies"):
        game.play("combat use", who="vex", power="mend", targets=["brann"])
    game.play("combat use", who="vex", power="mend", targets=["goblin"])


def test_listed_are_the_dominators_options(game: Game) -> None:
    """STR-TAC-25: those whom one would strike are the user's own side, and nobody else."""
    game.draw("BVg", "...").begin("goblin")
    assert ("goblin",) in aims(turn_of(game, "vex"), "vex")
    found = aims(dominated(turn_of(game, "goblin")), "vex")
    assert ("brann",) in found
    assert ("goblin",) not in found


def test_in_anothers_turn_they_are_their_own(game: Game) -> None:
    """STR-TAC-25: told are the actions of their turn."""
    game.draw("BVg").begin("goblin")
    game.afflict("vex", "dominated", by="goblin")
    assert Fight(game.world).side_acted_for("vex") == "party"
    assert Fight(turn_of(game, "vex").world).side_acted_for("vex") == "enemies"


def test_the_dominators_people_do_not_flank_with_them(game: Game) -> None:
    """STR-TAC-20, STR-TAC-25: sides stay."""
    game = dominated(game.draw("VBg").begin("goblin"))
    assert game.attack("vex", "brann", dice=[5])["attacks"][0]["roll"]["sources"] == []


def test_miss_tokens_stay_their_own(game: Game) -> None:
    """STR-TAC-25: damage or effect is the dominator's to say, Miss Tokens are not."""
    game = dominated(game.draw("BVg").begin("goblin").put("vex", miss_tokens=1))
    question = game.asked("combat attack", who="vex", targets=["brann"], dice=[2])
    assert (question.kind, question.who) == ("tokens", "vex")


def test_saves_stay_their_own(game: Game) -> None:
    """STR-TAC-03, STR-TAC-25: in which order is theirs to say."""
    game.draw("BVg").begin("goblin")
    game.afflict("vex", "harried", "dazed", ends="save", by="goblin")
    dominated(game)
    assert game.asked("combat end-turn").who == "vex"


OWN = """
[powers]
feint = { action = "role", usage = "encounter", who = "self", effect = [{ do = "note", text = "A feint." }] }
lunge = { action = "role", usage = "encounter", who = "self", effect = [{ do = "note", text = "A lunge." }] }
breathe = { action = "role", who = "self", effect = [{ do = "regain", to = "self" }] }
parry = { action = "interrupt", on = "harmed", effect = [{ do = "reduce", amount = 1 }] }
"""


def test_what_befalls_themselves_stays_theirs_to_say() -> None:
    """STR-TAC-03, 12, 13, 25: in their turn, too: what comes first of what they suffer, whether they
    answer it, and what they regain."""
    game = Game(book_with(OWN, "vex")).draw("Vg", "..").begin("goblin")
    game.put("vex", hp=2, used=["feint", "lunge"], statuses=[
        {"id": "moss", "ends": "encounter"}, {"id": "core:ongoing", "value": 2, "ends": "encounter"},
        {"id": "core:dominated", "by": "goblin", "ends": "encounter"},
    ])  # fmt: skip
    game.play("combat end-turn")
    asked = [game.asked("combat turn"), game.asked("combat turn", choose=["moss"])]
    game.play("combat turn", choose=["moss", "pass"])
    asked.append(game.asked("combat use", who="vex", power="breathe"))
    assert [(question.kind, question.who) for question in asked] == [
        ("order", "vex"), ("answer", "vex"), ("regain", "vex")
    ]  # fmt: skip


@pytest.mark.parametrize("gone", [True, False])
def test_without_a_dominator_the_game_master_plays_them(game: Game, gone: bool) -> None:
    """STR-TAC-25: a dominator who is out, or whom nobody knows."""
    game.draw("BVgg").begin("goblin-1")
    game.afflict("vex", "dominated", by="goblin-2" if gone else "")
    if gone:
        game.put("goblin-2", out="taken out")
    fight = Fight(turn_of(game, "vex").world)
    assert fight.decider("vex") == "the game master"
    assert fight.side_acted_for("vex") == "enemies"


def test_the_fight_ends_by_whose_they_are(game: Game) -> None:
    """STR-TAC-19, STR-TAC-25: the last of the party is dominated, and the party has not lost."""
    game = dominated(game.draw("BVg").begin("goblin"))
    game.put("brann", out="taken out")
    assert Fight(game.world).fight_outcome() is None


@pytest.mark.parametrize("name", ["quick", "good", "full"])
def test_programs_play_them_for_the_dominator(armed: Game, name: str) -> None:
    """STR-TAC-25: at their own side, with no Action Point, which stays their own."""
    game = dominated(armed.draw("BVg", "...").begin("goblin"))
    player = find_player(name, load_known_system("combat"))
    option = player.choose_command(game.world, "vex")
    if option and option.command == "combat move":  # out of the goblin's reach, which strikes as it goes
        game.play(option.command, **option.args.as_json())
        option = player.choose_command(game.world, "vex")
    assert option is not None
    assert list(option.args.targets) == ["brann"]
    assert option.args.power != "costly"


@pytest.mark.parametrize("name", ["quick", "good", "full"])
def test_they_rally_of_their_own_will(game: Game, name: str) -> None:
    """STR-TAC-13, STR-TAC-25: whoever decides the turn."""
    game = dominated(game.draw("BVg", "...").begin("goblin").put("vex", hp=3))
    player = find_player(name, load_known_system("combat"))
    option = player.choose_command(game.world, "vex")
    assert option is not None
    assert option.args.power == "core:rally"


def test_what_befalls_them_is_the_dominators_gain(game: Game) -> None:
    """STR-TAC-08, STR-TAC-25: an Opportunity against them costs the side that moves them nothing."""
    game = dominated(game.draw("B..Vg", ".....").begin("goblin"))
    assert opportunity_cost_to_side_acted_for(Fight(game.world), "vex", (1, 0)) == -2
    assert fight_value_to_side(game.book, game.state, "enemies") == -fight_value_to_side(
        game.book, game.state, "party"
    )


HALL = """
schema = 1
name = "The Hall"

[characters.vex]
name = "Vex"

[characters.brann]
name = "Brann"

[powers.voice]
name = "Voice"
action = "role"
range = 10
targets = 2
who = "enemies"
effect = [{ do = "apply", status = "dominated", duration = "turn-end" }]

[creatures.puppeteer]
name = "Puppeteer"
hp = 20
powers = ["voice"]

[encounters.hall]
name = "Hall"
map = """
HALL += """'''
.V.......
.......p.
.B.......
'''
place = { V = "vex", B = "brann", p = "puppeteer" }
"""


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "campaign.toml").write_text(HALL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_by_habit_it_is_used_on_as_many_as_it_takes(hall: Path) -> None:
    """STR-TAC-12: on those, too, whom it holds only until this turn ends; not on whom it holds for longer."""
    game, player = Game(open_book(hall)), find_player("quick", load_known_system("combat"))
    game.play("combat start", encounter="hall", party=["vex", "brann"])
    game.begin("puppeteer")
    for _ in range(2):
        option = player.choose_command(game.world, "puppeteer")
        assert option is not None
        assert set(option.args.targets) == {"vex", "brann"}
        game.play(option.command, **option.args.as_json())
        turn_of(game, "puppeteer")
    game.afflict("vex", "dominated").afflict("brann", "dominated")
    option = player.choose_command(game.world, "puppeteer")
    assert option is not None
    assert option.command != "combat use"


@pytest.mark.slow
def test_domination_counts_in_sim(hall: Path) -> None:
    """STR-TAC-25: who dominates both heroes every turn is worse than who does nothing of the kind."""
    frozen = FrozenCampaign.freeze(open_book(hall), {}, "combat", ["hall"], Lineup())
    days = [play_day_until_not_won(frozen, 1, number, "quick") for number in range(6)]
    dealt = [sum(one.dealt for one in day.fights[0].people.values() if one.side == "party") for day in days]
    assert sum(day.outcome == "won" for day in days) <= 3
    assert sum(dealt) > 0


def test_the_dominators_player_plays_their_turn(hall: Path, strike: Strike) -> None:
    """STR-TAC-25: `combat auto` plays a hero whom a creature dominates as it plays creatures; it asks for the
    name of a creature that a hero dominates, as of any hero."""
    strike("combat start hall")
    strike("combat status add vex dominated --by puppeteer")
    strike("combat status add puppeteer dominated --by brann")
    strike("combat initiative")
    turns = {}
    while len(turns) < 3:
        who = strike.json("combat turn")["data"]["who"]
        turns[who] = strike("combat auto", code=None).code
        if turns[who]:
            strike("combat end-turn")
    assert turns == {"vex": 0, "brann": 1, "puppeteer": 1}


def test_a_phone_offers_whom_its_player_decides_for(hall: Path, strike: Strike) -> None:
    """STR-TAC-25: the player of a hero who dominates a creature is offered its turn."""
    strike("combat start hall")
    strike("combat status add puppeteer dominated --by brann")
    strike("combat initiative")
    while strike.json("combat turn")["data"]["who"] != "puppeteer":
        strike("combat end-turn")
    with Campaign(hall) as campaign:
        snapshot = PhoneSnapshot(campaign.book, audience_view_for_players(campaign))
        offered = {
            who: {offer.what for offer in snapshot.move_offers(who).values()} for who in ("vex", "brann")
        }
    assert offered["vex"] == set()
    assert {"Move", "End turn"} <= offered["brann"]
