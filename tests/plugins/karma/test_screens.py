"""Karma on every screen, by the common form: what is watched, what tabletops are told, what Tab offers."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Once, Strike
from support.current_campaign import state, told_to

from strike_bridge.state_projection import project_state, turn_order_as_list_by_readiness
from strike_cli.campaign import Campaign
from strike_cli.campaign_on_screen import campaign_on_one_screen
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_cli.terminal.move_commands import commands_declared_in
from strike_cli.visibility.audiences import PLAYERS, Audience
from strike_karma import argument_parsers, commands


@pytest.fixture
def yard(karma: Strike, tmp_path: Path, once: Once) -> Strike:
    """Ana is at a spell, Bo has the initiative, a thug has acted."""
    lines = (
        "start yard --first ana --dice 5,4,9", 'delay ana --segments 4 --what "a spell"', "pass thugs",
        "act thugs --no-roll", "pass bo",
    )  # fmt: skip
    once("karma with a spell", tmp_path, lambda: [karma(f"karma {line}") for line in lines])
    return karma


def test_watching(yard: Strike) -> None:
    """CIN-10: the cards, to players too."""
    with Campaign(Path()) as campaign:
        watched = blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 30, 100, PLAYERS))
    assert "Face down: ▸[Bo] [Cy] [Viper] [Thugs x2]" in watched
    assert "Face up: [Ana, delayed]" in watched
    assert "The Yard: round 1, Bo's turn. strike karma show" in yard("status").out


def test_tabletops_are_told(yard: Strike) -> None:
    """CIN-07, 10: Reaction Pools as bars, who may still receive the initiative, counters, what is delayed."""
    shown = project_state(state())
    assert shown.order is not None and shown.scene is not None
    assert (shown.order["kind"], shown.order["active"]) == ("pool", "bo")
    assert shown.order["next"] == ["cy", "viper", "thugs"]
    entries = {entry["id"]: (entry["state"], entry["count"]) for entry in shown.order["entries"]}
    assert entries["ana"] == ("delayed", 1)
    assert entries["thugs"] == ("waiting", 2)
    ana = shown.tokens["ana"]
    assert [(each["name"], each["value"], each["max"]) for each in ana["meters"]] == [
        ("Reaction Pool", 3, 3),
        ("Instant Karma", 5, None),
    ]
    assert ana["statuses"] == ["Delayed: a spell, segment 5"]
    assert ana["hp"] == {"value": 3, "max": 3}
    listed = [entry["id"] for entry in turn_order_as_list_by_readiness(shown.order, shown.tokens)["entries"]]
    assert listed == ["bo", "cy", "viper", "thugs", "ana"]


def test_who_is_hidden_is_on_no_screen(karma: Strike) -> None:
    """Nor is it told that they have the initiative, or may receive it."""
    karma("karma start crypt --first ghost --dice 5,4,9")
    shown = project_state(state())
    assert shown.order is not None
    assert "ghost" not in shown.tokens
    assert shown.order["active"] is None
    assert "ghost" not in [entry["id"] for entry in shown.order["entries"]]
    with Campaign(Path()) as campaign:
        assert "Ghost" not in blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 30, 100, PLAYERS))


def test_what_waits_in_secret_is_told_when_it_comes_about(karma: Strike) -> None:
    """CIN-06: with --secret nobody else knows what a foe waits for, is asked about it, or hears of it again
    before it comes about; their card is turned over all the same."""
    karma("karma start yard --first viper --dice 5,4,9")
    karma('karma when viper --if "the lamp goes out" --what "shoots Bo" --secret')
    karma("karma pass ana")

    def seen(text: str) -> list[str]:
        with Campaign(Path()) as campaign:
            screens = {
                "gm": blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 30, 100)),
                "players": blocks_as_unwrapped_text(campaign_on_one_screen(campaign, 30, 100, PLAYERS)),
                "tabletop": str(project_state(campaign.state)),
                "theirs": str(project_state(campaign.state, gm=True)),
            }
        return [name for name, screen in screens.items() if text in screen]

    assert (seen("lamp goes out"), seen("shoots Bo")) == (["gm"], ["gm"])
    assert "Face up: [Viper]" in karma("karma show").out
    karma("karma act ana --no-roll --what 'puts out the light'", 6)
    assert seen("Which condition") == seen("lamp goes out") == ["gm", "theirs"], "marked as hidden"
    with Campaign(Path()) as campaign:
        assert [asked["hidden"] for asked in project_state(campaign.state, gm=True).asked] == [True]
    karma("choose viper --dice 5,5,5,5")
    assert seen("shoots Bo") == ["gm", "players"], "in the log, now that it has come about"
    assert "Viper first, since the lamp goes out." in karma("log --player").out


def test_a_secret_that_is_carried_over_or_given_up_stays_one(karma: Strike) -> None:
    """CIN-05, 06, 09: a delayed action may be secret, too."""
    karma("karma start duel --first viper --dice 5,4,9")
    karma("karma delay viper --open --what 'a poisoned needle' --secret")
    for who in ("ana", "bo", "cy"):
        karma(f"karma pass {who}")
        karma(f"karma act {who} --no-roll")
    karma("karma pass ana")
    karma("karma round --choose continue")
    karma("karma abandon viper")
    told = karma("log --player --last 100").out
    assert "needle" not in told
    assert "Viper goes on into the next round." in told
    assert "Viper gives up what they had in mind." in told
    assert "needle" in karma("log --last 100").out


def test_options_list_answers_last_and_the_bot_leaves_them(karma: Strike) -> None:
    """CIN-06, 07: conditions that may come about, and reactions: from the pool, passive, as one's action."""
    karma("karma start duel --first viper --dice 5,4,9")
    karma("karma when viper --if 'Ana moves' --what 'shoots'")
    typed = [each["typed"] for each in karma.json("karma options")["data"]["options"]]
    assert typed[0] == "pass ana"
    answers = typed[typed.index("trigger viper") :]
    assert {"react ana", "react ana --for trope --passive", "react ana --as-action"} <= set(answers)
    assert "react viper --as-action" not in answers, "their action is spent"
    assert karma.json("karma options viper")["data"]["options"][0]["typed"] == "trigger viper"
    karma("karma auto")
    assert karma.json("karma show")["data"]["holder"] != "viper"
    assert karma.json("karma show")["data"]["conditional"], "it waits still"


def test_who_has_held_is_not_offered_to_hold_again(karma: Strike) -> None:
    """CIN-04: with nothing between; the screen says what may be done."""
    karma("karma start yard --first ana --dice 5,4,9")
    assert "Holding, to: Viper, Thugs." in karma("karma show").out
    karma("karma hold ana --pass viper")
    karma("karma hold viper --pass ana")
    assert "Holding" not in karma("karma show").out
    karma("karma hold ana --pass viper", 1)


def test_pools_of_foes_may_be_kept(yard: Strike) -> None:
    """Where a target shows none of them, no fact does either; those of the party are theirs."""
    yard('karma react viper --to "a chair" --dice 1,2,3,4')
    yard('karma react cy --to "a chair" --dice 1')
    yard("karma act bo --no-roll")
    for who in ("cy", "viper", "thugs", "thugs"):
        yard(f"karma pass {who}")
        if "ana" in yard.json("karma show")["data"]["due"]:
            yard("karma complete ana --no-roll")
        yard(f"karma act {who} --no-roll")
    yard("karma pass cy")
    yard("karma round")
    told = told_to(Audience(meters="none"))
    assert "Viper reacts to a chair: 1,2,3,4 on 4d6: successes 0 of 1. Failure." in told
    assert "Cy reacts to a chair: 1 on d6: successes 0 of 1. Failure. Reaction Pool 1 to 0." in told
    assert "Round 2: pools and initiative refresh." in told


def test_tab_knows_its_words(yard: Strike) -> None:
    with Campaign(Path()) as campaign:
        readers = commands_declared_in(commands.app)["act"].parsers
        who, extras = readers["who"].complete, readers["for_"].complete
        assert who is not None and extras is not None
        assert list(who(campaign)) == ["ana", "bo", "cy", "viper", "thugs"]
        assert "Gunslinger" in list(extras(campaign))
        assert argument_parsers.FIGHTER.complete == who
