"""On the command line: help, completion, JSON, decisions, undo, secrets, screens, a bot's fight (WSH-02,
07)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest
from support.cases import case
from support.cli import Strike
from support.current_campaign import state
from support.thorough import THOROUGH

from strike_cli.campaign import Campaign
from strike_cli.campaign.journal import START
from strike_cli.campaign_on_screen import campaign_on_one_screen
from strike_cli.play.replay import verify_campaign
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.terminal.move_commands import commands_declared_in
from strike_cli.visibility.audiences import PLAYERS
from strike_momentum.commands import app


def test_what_a_turn_and_the_screen_say(in_quarry: Strike) -> None:
    """WSH-02: AP, RP, movement, Narrative Momentum."""
    in_quarry("momentum start quarry")
    before = in_quarry.json("momentum show")["data"]["order"]["entries"]
    assert {entry["state"] for entry in before} == {"waiting"}, "nobody has acted before the first round"
    in_quarry("momentum initiative")
    for data in (in_quarry.json("momentum turn")["data"], in_quarry.json("momentum show")["data"]):
        assert (data["ap"], data["rp"], data["movement_left"], data["momentum"]) == (3, 2, 3, 8)
    data = in_quarry.json("momentum show")["data"]
    assert [meter["id"] for meter in data["people"]["kit"]["meters"]] == [
        "vitality", "ap", "rp", "movement", "momentum",
    ]  # fmt: skip
    assert data["next"][0] == "momentum use mira fire-bolt goblin"
    out = in_quarry("momentum show").out
    assert "Mira has 3 AP, 2 RP, 3 m to walk" in out
    assert "The Quarry · Round 1 · Mira's turn" in out


def test_an_attack_in_json(kits_turn: Strike) -> None:
    """WSH-09: the keys that scripts lean on."""
    data = kits_turn.json("momentum attack kit goblin --with axe --dice 15,3,4")["data"]
    assert data.keys() >= {
        "roll", "total", "evasion", "hits", "critical", "damage", "vitality_after", "bleeding"
    }  # fmt: skip
    assert data["damage"] == [{"type": "physical", "rolled": 7, "reduced": 1, "taken": 6}]


def test_words_are_found(kits_turn: Strike) -> None:
    """Beginnings and names do."""
    assert kits_turn.json("momentum attack . gob --with ax --dice 1")["data"]["with"] == "axe"
    kits_turn("undo")
    assert kits_turn.json('momentum act kit tr Goblin --skill "Raw F" --dice 15,2')["data"]["success"]


def test_tab_knows(kits_turn: Strike) -> None:
    declared = commands_declared_in(app)
    with Campaign(Path()) as campaign:
        for command, word, typed, offered in (
            ("attack", "target", "go", ["goblin"]),
            ("attack", "with_", "sp", ["spear"]),
            ("use", "ability", "fi", ["fire-bolt"]),
            ("act", "action", "tr", ["trip"]),
            ("act", "skill", "raw", ["raw-force"]),
            ("start", "encounter", "q", ["quarry"]),
            ("resist", "stat", "d", ["dex"]),
        ):
            with case(command, word):
                (parameter,) = [each for each in declared[command].parameters if each.name == word]
                (info,) = [each for each in get_args(parameter.annotation) if hasattr(each, "metavar")]
                names = info.metavar.names(campaign, {})
                assert [name for name in names if name.startswith(typed)] == offered


def test_a_decision_waits(kits_turn: Strike) -> None:
    """WSH-07: whether to take what was dropped; undone and asked again with the same dice."""
    kits_turn("momentum act kit switch-weapons --item axe")
    pending = kits_turn.json("momentum act kit disarm goblin --dice 15,2", 6)["pending"]
    assert (pending["who"], pending["options"]) == ("kit", ["take", "leave"])
    assert "take" in kits_turn("momentum show").out
    kits_turn("momentum end-turn", 1)
    assert kits_turn.json("choose take")["data"]["taken"]
    kits_turn("undo")
    assert kits_turn.json("choose leave")["data"]["taken"] is False
    assert "On the ground: sword at D2" in kits_turn("momentum show").out


def test_secrets(in_quarry: Strike) -> None:
    """What is done in secret, and who is hidden, players don't see."""
    path = Path("campaign.toml")
    text = path.read_text(encoding="utf-8").replace('name = "Goblin"', 'name = "Goblin"\nhidden = true')
    path.write_text(text, encoding="utf-8")
    in_quarry("momentum start quarry")
    assert "Goblin" in in_quarry("momentum initiative").out
    in_quarry("momentum resist ogre dex --power 12 --dice 5 --secret")
    in_quarry("momentum turn")
    heard = in_quarry("log --player").out
    assert ("Ogre" in heard, "Goblin" in heard, "resists" in heard) == (True, False, False)
    with Campaign(Path()) as campaign:
        seen = blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 5, 24, PLAYERS))
    assert "Kit" in seen
    assert "Goblin" not in seen


def test_what_comes_of_the_hidden_is_told(kits_turn: Strike) -> None:
    """WSH-07: who attacks from hiding stays unnamed, and the harm is told."""
    kits_turn("override momentum.people.goblin.hidden true --why mist")
    for _ in range(2):
        kits_turn("momentum end-turn")
        kits_turn("momentum turn")
    assert kits_turn.json("momentum show")["data"]["who"] == "goblin"
    kits_turn("momentum attack goblin kit --dice 20,19,3")
    heard = kits_turn.json("log --player --last 1")["data"]["entries"][0]["facts"]
    assert heard[0]["text"].startswith("Somebody unseen attacks Kit (sword): ")
    assert any(fact["kind"] == "momentum-damaged" and fact["who"] == "kit" for fact in heard)


def test_explain_says_why(kits_turn: Strike) -> None:
    out = kits_turn('momentum attack kit goblin --adv "high ground" --dice 3,15,2,2 --explain').out
    assert "advantage: high ground; +4: hit bonus" in out
    assert "d20 advantage, faces 3, 15, kept 15, total 19" in out


def test_options_of_somebody(kits_turn: Strike) -> None:
    told = [one["typed"] for one in kits_turn.json("momentum options mira")["data"]["options"]]
    assert told == ["react mira ward kit", "react mira ward mira"]
    assert "attack kit goblin --with axe" in [
        one["typed"] for one in kits_turn.json("momentum options")["data"]["options"]
    ]


@pytest.mark.slow
def test_options_with_odds(kits_turn: Strike) -> None:
    """The chance to hit, and the damage to expect: 13 of 20, and a critical hit among them."""
    options = {
        one["typed"]: one["odds"] for one in kits_turn.json("momentum options --odds")["data"]["options"]
    }
    assert options["attack kit goblin --with axe"] == {"hits": "13/20", "critical": "1/20", "damage": "21/5"}
    assert "hits 65.0%, critical 5.0%, damage 4.2" in kits_turn("momentum options kit --odds").out


@pytest.mark.slow
def test_a_bot_fights_to_the_end(in_quarry: Strike) -> None:
    """It closes in, attacks, and ends its turns; nobody needs to be asked but for held turns."""
    both = "--party mira" if THOROUGH else ""  # who casts thinks long
    in_quarry(f"momentum start quarry --party kit {both}")
    in_quarry("momentum initiative")
    if not THOROUGH:
        in_quarry("momentum hurt ogre 36 --ignore-armor 9")  # so that it does not take all evening
    for _ in range(120):
        if "momentum" not in state():
            break
        in_quarry("momentum auto", None)
    told = in_quarry("log --last 500").out
    assert "The Quarry is over." in told
    assert "a hit" in told
    assert in_quarry.json("replay --verify")["data"]["differences"] == []


def test_a_sheet_shows_it(kits_turn: Strike) -> None:
    out = kits_turn("character show kit").out
    assert "Vitality 30/30 · Momentum 6 · Evasion 16 · Armor 2 · Initiative 26 · DR Power 13" in out
    assert kits_turn.json("character show kit")["data"]["merged"]["momentum"]["dr"]["str"] == 6


def test_the_map_and_where_one_can_walk(kits_turn: Strike) -> None:
    """WSH-02: 2 m are left."""
    reach = kits_turn.json("momentum map --reach")["data"]["reach"]
    assert "B4" in reach
    assert "F3" not in reach


def test_tabletops_show_it(in_quarry: Strike) -> None:
    """Vitality as the bar, AP and RP besides, by the common form alone."""
    path = Path("campaign.toml")
    targets = '\n[bridge.targets.table]\nkind = "table"\nurl = "http://127.0.0.1:1"\n'
    path.write_text(path.read_text(encoding="utf-8") + targets, encoding="utf-8")
    in_quarry("momentum start quarry")
    out = in_quarry("bridge push --dry-run --json").out
    for word in ('"kit"', "Vitality", "AP", "RP"):
        assert word in out, word


def test_a_hand_on_the_state_is_checked(kits_turn: Strike) -> None:
    assert "momentum.people.kit.ap" in kits_turn("override momentum.people.kit.ap -1 --why x", 3).err
    assert "no 'nobody'" in kits_turn("override momentum.people.kit.union nobody --why x", 3).err


def test_sheets_are_checked(in_quarry: Strike) -> None:
    path = Path("campaign.toml")
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace('armor = "medium"', 'armor = "plate"\nwields = ["halberd"]'), encoding="utf-8"
    )
    findings = json.dumps(in_quarry.json("doctor", 3))
    assert "plate" in findings


def test_refused_before_a_fight(in_quarry: Strike) -> None:
    """WSH-01: with what to do, and nothing is recorded."""
    for line, code, says, then in (
        ("attack kit goblin", 1, "No fight by Momentum is under way.", "momentum start"),
        ("status add kit wet", 2, "There is no status effect 'wet'.", "Known: "),
    ):
        err = in_quarry(f"momentum {line}", code).err
        assert says in err and then in err
    assert "#" not in in_quarry("log").out


def test_wrong_input_changes_nothing(in_quarry: Strike) -> None:
    """WSH-02, 05, 07, 09, 15: what isn't there, or can't be paid, is refused with what is possible."""
    for before in ("start quarry", "initiative", "turn"):
        in_quarry(f"momentum {before}")
    state = Path("state.toml").read_bytes()
    for line, code, says, then in (
        ("attack kit goblin", 1, "It is Mira's turn, not Kit's.", "Now: mira."),
        ("attack mira goblin --with halberd", 1, "Mira has no 'halberd'.", "In hand: knife"),
        ("use mira fireball goblin", 1, "Mira has no Ability 'fireball'.", "Abilities: fire-bolt"),
        ("act mira dance", 2, "There is no action 'dance'.", "One of: attack"),
        ("act kit defend", 1, "It is Mira's turn, not Kit's.", "Now: mira."),
        ("react mira fire-bolt goblin", 1, "fire-bolt", ""),
        ("move mira Z99", 1, "Z99 is not on the map", "momentum show"),
        ("union kit mira", 1, "A union is formed at the start of a round.", "Form it before"),
        ("resume kit", 1, "Kit hasn't held a turn.", "Held turns: none."),
        ("damage --amount 5:fire", 2, "There is no damage type 'fire'.", "One of: physical"),
        ("attack mira goblin --dice 21", 1, "", ""),
        ("status add mira sleepy", 2, "'sleepy'", ""),
        ("move mira here", 2, "'here'", ""),
        (
            "cinematic mira --what x --skill athletics --difficulty 9 --with kit",
            2,
            "name a person and a Skill",
            "",
        ),
    ):
        with case(line):
            ran = in_quarry(f"momentum {line}", code)
            assert says in ran.err and then in ran.err
            assert ran.out == ""
            assert Path("state.toml").read_bytes() == state


def test_ap_and_rp_that_are_not_there(in_quarry: Strike) -> None:
    """WSH-02, 08: AP, RP and Narrative Momentum, with what is left."""
    for before in ("start quarry", "initiative", "turn", "act mira sprint"):
        in_quarry(f"momentum {before}")
    state = Path("state.toml").read_bytes()
    for line, says in (
        ("act mira defend", "That costs 2 AP, and Mira has 0."),
        ("use mira fire-bolt goblin", "AP, and Mira has 0."),
        ("cinematic mira --what x --skill presence --difficulty 9", "That costs 3 AP, and Mira has 0."),
    ):
        assert says in in_quarry(f"momentum {line}", 1).err
    assert Path("state.toml").read_bytes() == state


def test_journals_of_before_damage_dice_were_told_replay(
    in_quarry: Strike, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evening that was recorded without them comes out as it was."""
    for line in ("start quarry", "initiative", "turn", "use mira fire-bolt goblin --dice 15,3,4,1,6"):
        in_quarry(f"momentum {line}")
    with Campaign(Path()) as campaign:
        entries = [(dict(entry), *more) for entry, *more in campaign.journal.entries_since(START)]
        assert "momentum-rolled" in str(entries)
        for entry, *_ in entries:
            entry["facts"] = [fact for fact in entry["facts"] if fact["kind"] != "momentum-rolled"]
        monkeypatch.setattr(campaign.journal, "entries_since", lambda _: iter(entries))
        assert verify_campaign(campaign).differences == []


def test_a_turn_in_few_keys(in_quarry: Strike) -> None:
    """WSH-02: verbs without their group, letters, whose turn it is left out, labels of the map, `next`."""
    in_quarry("momentum start quarry")
    in_quarry("initiative")
    assert in_quarry.json("n")["command"] == "momentum next"
    dry = "--dice 15,3,4,1,6 --dry-run"
    assert in_quarry.json(f"use fire-bolt goblin {dry}")["data"]["who"] == "mira"
    assert in_quarry.json(f"u fire-bolt G {dry}")["data"]["targets"][0]["target"] == "goblin"
    in_quarry("n")
    with Campaign(Path()) as campaign:
        last = [past.entry["command"] for past in campaign.commands_in_effect()][:2]
    assert last == ["momentum turn", "momentum end-turn"]
    assert in_quarry.json("m C3")["data"]["who"] == "kit"
    assert in_quarry.json("a goblin -w axe --dice 15,3,4 --dry-run")["data"]["target"] == "goblin"
    assert in_quarry.json("defend")["data"]["action"] == "defend"
    assert "It is Kit's turn, not Mira's." in in_quarry("use mira fire-bolt goblin", 1).err


def test_of_a_union_whoever_is_named_acts(in_quarry: Strike) -> None:
    """WSH-05: in the turn of several a name that comes first is who acts, and no Ability."""
    for line in ("momentum start quarry", "initiative", "union mira kit", "next"):
        in_quarry(line)
    assert state()["momentum"]["active"] in ("mira", "kit")  # type: ignore[index]
    data = in_quarry.json("use mira fire-bolt goblin --dice 15,3,4,1,6 --dry-run")["data"]
    assert data["who"] == "mira"
