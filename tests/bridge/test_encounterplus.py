"""Encounter+: linked tokens and their combatants, and messages that roll nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from support.cases import case

from strike_bridge.doctor import check_target
from strike_bridge.dry_run import dry_run
from strike_bridge.journal_results import Post
from strike_bridge.push_follow_and_sync import resend_whole_state
from strike_bridge.request_outcome import Outcome, OutcomeKind
from strike_bridge.settings import Settings
from strike_bridge.targets.base import ListedToken
from strike_bridge.targets.encounterplus import EncounterPlusTarget, escape_for_encounterplus, message_content

from .helpers import HASTY, Told, link, wired
from .servers.base import running
from .servers.encounterplus import EncounterPlus


@pytest.fixture
def app() -> Iterator[EncounterPlus]:
    with running(EncounterPlus(t1="Vex", t2="Goblin")) as server:
        yield server


@pytest.fixture
def pad(app: EncounterPlus) -> Settings:
    return Settings("pad", "encounterplus", app.url)


@pytest.fixture
def fight(evening: Told, app: EncounterPlus, pad: Settings) -> Told:
    """The fight at the ford, with Vex and the first goblin linked."""
    evening.start()
    link(evening, pad, vex="t1", goblin_1="t2")
    return evening.tell(app, pad)


def place(app: EncounterPlus, id: str) -> tuple[int, int]:
    return app.tokens[id]["x"], app.tokens[id]["y"]


def test_linked_tokens_stand_where_they_should(fight: Told) -> None:
    fight.told()
    # The middle of A1, of squares of 50 pixels from (10, 20).
    assert place(fight.server, "t1") == (35, 45)
    assert fight.server.tokens["t1"]["hidden"] is False
    assert fight.server.tokens["t1"]["rotation"] == 90
    fight.change("vex", size=2, at="B2")
    fight.told()
    assert place(fight.server, "t1") == (110, 120)
    assert fight.server.tokens["t1"]["width"] == 2
    assert fight.cursor.unlinked == ["brann", "goblin-2"]


def test_the_combatant_has_hp_statuses_and_initiative_and_keeps_its_own(fight: Told) -> None:
    fight.server.combatants["c-t1"]["effects"] = [{"id": "e1", "name": "Blessed", "source": "Cleric"}]
    prone = [{"id": "core:prone"}, {"id": "x:burning", "value": 2}, {"id": "core:dazed"}]
    fight.change("vex", hp=6, statuses=prone, initiative=5)
    fight.settings = fight.settings._replace(statuses={"burning": "On fire", "core:dazed": ""})
    for _ in range(2):
        fight.told()
        combatant = fight.server.combatants["c-t1"]
        assert combatant["data"] == {"hp": {"current": 6, "maximum": 10, "temporary": 0}, "ac": 12}
        assert [effect["name"] for effect in combatant["effects"]] == ["Blessed", "Prone", "On fire"]
        assert [(each["value"], each["order"]) for each in combatant["initiative"]] == [(5, 1)]
        assert combatant["notes"] == "mine"
        resend_whole_state(fight.folder, fight.settings)
    fight.undo()
    fight.told()
    assert fight.server.combatants["c-t1"]["data"]["hp"]["current"] == 10
    assert [effect["name"] for effect in fight.server.combatants["c-t1"]["effects"]] == ["Blessed"]


def test_hp_are_told_as_the_game_master_set(fight: Told) -> None:
    fight.server.combatants["c-t2"]["data"]["hp"]["current"] = 99
    fight.told(hp="none")
    assert fight.server.combatants["c-t2"]["data"]["hp"]["current"] == 99
    assert fight.server.combatants["c-t1"]["data"]["hp"]["current"] == 10


def test_hp_may_stand_elsewhere(fight: Told) -> None:
    fight.told(attributes={"hp": "attributes.health", "max_hp": "attributes.most"})
    assert fight.server.combatants["c-t1"]["attributes"] == {"health": 10, "most": 10}
    assert fight.server.combatants["c-t1"]["data"]["hp"]["current"] == 1


def test_who_hides_is_hidden_there_and_told_nothing_of(fight: Told) -> None:
    fight.told()
    fight.change("goblin-1", hidden=True, at="H3")
    before = place(fight.server, "t2")
    fight.told()
    assert fight.server.tokens["t2"]["hidden"] is True
    assert place(fight.server, "t2") == before
    fight.undo()
    fight.told()
    assert fight.server.tokens["t2"]["hidden"] is False


def test_a_token_that_is_gone_is_set_aside(fight: Told) -> None:
    del fight.server.tokens["t2"]
    fight.told()
    (item,) = fight.cursor.review
    assert (item["id"], item["why"]) == ("token:goblin-1", "it no longer has such a token: link it again")
    assert place(fight.server, "t1") == (35, 45)


def test_it_waits_for_a_map_on_the_player_screen(fight: Told) -> None:
    fight.server.has_map = False
    report = fight.push(HASTY._replace(total=0.02))
    assert report.error == "no map is on its player screen"
    fight.server.has_map = True
    fight.told()
    assert place(fight.server, "t1") == (35, 45)


def test_no_token_is_made_there_even_where_it_may_be(fight: Told) -> None:
    fight.told(create=True)
    assert set(fight.cursor.unlinked) == {"brann", "goblin-2"}
    for create, remedy, is_told in (
        (True, "make them in the tabletop, then link", True),
        (False, "create = true", False),
    ):
        found = check_target(fight.folder, fight.settings._replace(create=create))
        assert any(remedy in finding.remedy for finding in found) is is_told


def test_a_campaign_that_is_not_open_is_waited_for(fight: Told) -> None:
    fight.server.has_campaign = False
    report = fight.push(HASTY._replace(total=0.02))
    assert report.error == "no campaign is open there"
    assert report.next_attempt is not None
    fight.server.has_campaign = True
    fight.told()
    assert fight.drift == []


def test_drift_is_seen(fight: Told) -> None:
    fight.told()
    assert fight.drift == []
    fight.take_out("goblin-1")
    fight.told()
    assert fight.drift == []
    fight.undo()
    fight.told()
    fight.server.tokens["t1"]["x"] += 50
    fight.server.combatants["c-t2"]["data"]["hp"]["current"] = 1
    drift = {(each["id"], each["field"]): each for each in fight.drift}
    assert drift["vex", "position"]["theirs"] == {"x": 1, "y": 0}
    assert ("goblin-1", "hp") in drift


def test_a_result_that_can_not_be_looked_up_any_more_is_for_people(pad: Settings, app: EncounterPlus) -> None:
    target = EncounterPlusTarget(pad)
    post = Post("7", {"seq": 7, "title": "", "text": "Vex rolls", "dice": [], "secret": False, "id": "7"})
    with wired(target) as wire:
        app.messages = [{"source": "Alice", "content": "hi"}] * 29
        assert target.has_result(wire, post) is False
        app.messages += [{"source": "Alice", "content": "hi"}] * 9
        found = target.has_result(wire, post)
        assert isinstance(found, Outcome)
        assert found.kind is OutcomeKind.REJECTED
        app.messages[-3] = {"source": "strike #6", "content": ""}
        assert target.has_result(wire, post) is False
        app.messages[-2] = {"source": "strike #7", "content": "of another campaign"}
        assert target.has_result(wire, post) is False
        [told] = target.send_result(post)
        ours = cast("dict[str, Any]", told.body)
        [others] = target.send_result(post._replace(event="another campaign's"))
        app.messages[-2] = {**ours, "id": cast("dict[str, Any]", others.body)["id"]}
        assert target.has_result(wire, post) is False
        app.messages[-2] = {**ours, "id": "3F2504E0-4F89-41D3-9A0C-0305E82C3301"}  # the app's own
        found = target.has_result(wire, post)
        assert isinstance(found, Outcome)
        assert "from any campaign" in found.why
        app.messages[-2] = {**ours, "content": "cut"}
        assert target.has_result(wire, post) is True


def test_its_tokens_can_be_found(pad: Settings) -> None:
    target = EncounterPlusTarget(pad)
    with wired(target) as wire:
        assert target.find_tokens(wire) == [ListedToken("t1", "Vex"), ListedToken("t2", "Goblin")]


# Messages


DICE = (
    "2d6", "Roll 1d20+5 now", "d6", "3D8 damage", "d%", "+7", "attack +4 or -2", "(+1)", "[2d6+3](roll)",
    "/roll 2d6", "/r d20", "1d4 + 2", "Goblin 2d10", "5, 2 kept +1 (Flanking) = 6",
)  # fmt: skip


def test_no_dice_of_ours_are_rolled_again(app: EncounterPlus) -> None:
    for text in DICE:
        with case(text):
            app.messages, app.rolled = [], []
            app._post({"content": escape_for_encounterplus(text)})
            assert not app.rolled
            assert app.messages[0]["type"] == "chat"
            shown = app.messages[0]["content"].replace("\N{WORD JOINER}", "").replace("\\", "")
            assert shown == text
            app._post({"content": text})
            assert app.rolled or app.messages[1]["type"] == "command"


def test_names_are_no_markup() -> None:
    die = {
        "who": "**Vex** 2d6", "purpose": "attack", "faces": [5, 2], "kept": 5, "total": 6,
        "modifiers": [{"value": 1, "reason": "Flanking"}], "sources": [],
    }  # fmt: skip
    content = message_content({"title": "#1 <b>", "text": "#1 <b>\n[x](y)", "dice": [die]})
    assert content.split("\n\n") == [
        "**\N{WORD JOINER}\\#1 \\<b\\>**", r"\[x\](y)",
        r"**\*\*Vex\*\* " + "2\N{WORD JOINER}d\N{WORD JOINER}6**, attack: 5, 2 5 kept "
        "+\N{WORD JOINER}1 (Flanking) = 6",
    ]  # fmt: skip


def test_messages_show_no_dice_to_the_app(fight: Told) -> None:
    fight.play("roll die", [3, 4], False, n=2, sides=6, who="vex")
    fight.happen(("said", "vex", "/roll 4d6+2", {}))
    fight.told()
    assert len(fight.server.messages) == 4
    assert not fight.server.rolled
    assert {message["type"] for message in fight.server.messages} == {"chat"}


def test_the_log_is_for_all_whoever_the_audience_is(fight: Told) -> None:
    fight.roll(6, secret=True)
    fight.roll(2)
    fight.told(audience="gm")
    assert [message["content"][-1] for message in fight.server.messages[2:]] == ["2"]


def test_what_would_be_sent_can_be_shown(fight: Told) -> None:
    shown = dry_run(fight.folder, fight.settings)
    patches = [each for each in shown if each["method"] == "PATCH" and each["url"].endswith("/tokens/t1")]
    assert patches[0]["body"]["x"] == "<pixels>"
    assert "lurker" not in json.dumps(shown).lower()
    assert not fight.server.calls
