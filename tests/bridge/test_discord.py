"""Discord: results in a channel, inert whatever they say, and an address that nobody gets to see."""

from __future__ import annotations

import hashlib
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.evening import PNG, Evening

from strike_bridge import map_picture
from strike_bridge.dry_run import dry_run
from strike_bridge.picture_files import PictureFile
from strike_bridge.push_follow_and_sync import drop_item_or_queued_result, push, resend_result_or_requeue_item
from strike_bridge.settings import Settings
from strike_bridge.targets import discord as discord_target
from strike_bridge.targets.base import Answer, Wire
from strike_bridge.targets.discord import (
    MAX_CONTENT,
    MAX_EMBED,
    DiscordTarget,
    discord_message,
    escape_for_discord,
)
from strike_cli.campaign import Campaign
from strike_cli.play.command_execution import PlaySettings, perform_command
from strike_cli.problems import CampaignProblem

from .helpers import HASTY, cursor_of, everything_kept, killed_once_answered, told, wired
from .servers.base import answers, applies_and, drops, html
from .servers.discord import ID, THREAD, TOKEN, Discord, rate_limited, rendered

CHANNEL = Settings("discord", "discord")


def result(text: str, **fields: Any) -> dict[str, Any]:
    return {"title": text.partition("\n")[0], "text": text, "dice": [], "secret": False, **fields}


DIE = {
    "who": "Vex", "purpose": "attack", "sides": 6, "faces": [5, 2], "kept": 5, "mode": "advantage",
    "modifiers": [{"value": 1, "reason": "Flanking"}], "total": 6,
    "sources": [{"kind": "advantage", "reason": "High ground"}],
}  # fmt: skip


# What a message looks like


def test_a_message_has_its_first_sentence_in_bold_and_its_dice_below() -> None:
    message = discord_message(result("Vex hits.\nGoblin 1 takes 4 damage.", title="Vex hits.", dice=[DIE]))
    assert message["content"] == "**Vex hits.**\nGoblin 1 takes 4 damage."
    assert message["allowed_mentions"] == {"parse": []}
    assert [embed["description"] for embed in message["embeds"]] == [
        "**Vex**, attack: `5, 2` 5 kept +1 (Flanking) = 6 *Advantage: High ground*"
    ]
    assert "embeds" not in discord_message(result("Nothing is rolled."))


def test_what_stands_out_is_the_title() -> None:
    """A critical hit, a fall, a save, a Cost: as the facts' classes have them."""
    banners = [
        {"text": "Critical hit", "event": "critical", "tone": "good", "who": "vex"},
        {"text": "Goblin 1 takes 6 damage", "event": "harm", "tone": "bad", "who": "goblin-1"},
        {"text": "Goblin 1 falls", "event": "fall", "tone": "bad", "who": "goblin-1"},
    ]
    told = result("Vex attacks Goblin 1.\nGoblin 1 is Taken Out.", play={"banners": banners})
    message = discord_message(told)
    assert message["content"] == (
        "**Critical hit · Goblin 1 falls**\nVex attacks Goblin 1.\nGoblin 1 is Taken Out."
    )
    both = {**result("Vex waits."), "parts": [result("Vex waits."), told]}
    assert discord_message(both)["content"].startswith("**Critical hit · Goblin 1 falls**")


def test_whatever_a_name_says_is_shown_as_it_stands() -> None:
    for text in [
        "@everyone look", "hi @here", "<@123> and <@&456> and <#789>", "**x** _y_ __z__ ~~w~~ ||s||",
        "`code` ```block```", "[click](https://evil.example)", "https://evil.example/a_b", "<t:1:R> <:e:1>",
        "# big", "-# small", "> quote", ">>> all", "- item", "1. first", "2) second", "a\n# b\n- c\n> d",
        r"C:\*x\*", "* star", "+ plus", "  # indented",
    ]:  # fmt: skip
        with case(text):
            shown = rendered(escape_for_discord(text))
            assert "{" not in shown
            assert shown.replace("\N{ZERO WIDTH SPACE}", "") == text


def test_a_long_text_is_carried_on_below_and_then_cut() -> None:
    message = discord_message(result("A. " + "word * " * 400, title="A."))
    (below,) = message["embeds"]
    assert len(message["content"]) <= MAX_CONTENT
    assert message["content"].endswith("…")
    whole = message["content"].removesuffix("…") + below["description"]
    assert whole.count("word \\*") == 400
    longest = discord_message(result("B. " + "*" * 9000, title="B."))
    assert len(longest["embeds"][0]["description"]) <= MAX_EMBED
    # No escape is cut in two: an odd number of backslashes at the end would free what follows.
    for part in (longest["content"], longest["embeds"][0]["description"]):
        assert part.endswith("\\*…")


def test_length_is_counted_as_discord_does() -> None:
    message = discord_message(result("\N{GAME DIE}" * 1500))
    assert len(message["content"].encode("utf-16-le")) // 2 <= MAX_CONTENT


# Delivery


def test_results_arrive_once_and_in_order(fight: Evening, discord: Discord) -> None:
    for face in (3, 5):
        fight.roll(face)
    fight.undo()
    told(fight, CHANNEL)
    contents = [rendered(message["content"]) for message in discord.messages]
    assert len(contents) == 5
    assert contents[0].startswith("{**}Session 1 begins.")
    assert contents[-1].startswith("{**}Undone: #4 d6: 5.")
    assert {call.query["wait"] for call in discord.calls} == {"true"}
    assert all(call.method == "POST" for call in discord.calls)


def test_a_thread_gets_them_where_one_is_named(evening: Evening, discord: Discord) -> None:
    evening.roll(3)
    told(evening, CHANNEL._replace(options={"thread": THREAD}))
    assert (len(discord.messages), len(discord.threads[THREAD])) == (0, 1)


def test_an_unknown_thread_is_named_as_such(evening: Evening, discord: Discord) -> None:
    evening.roll(3)
    report = push(evening.folder, CHANNEL._replace(options={"thread": "42"}), HASTY)
    assert "there is no such thread: check options.thread" in report.error
    assert report.lag == 1


def test_names_ping_nobody(evening: Evening, discord: Discord) -> None:
    evening.happen(("said", "vex", "@everyone: <@1> **x** waits.", {}))
    told(evening, CHANNEL)
    assert not discord.pinged
    assert "{@" not in rendered(discord.messages[-1]["content"])


@pytest.mark.parametrize("header", [True, False], ids=["header", "body"])
def test_discord_is_given_the_time_it_asks_for(evening: Evening, discord: Discord, header: bool) -> None:
    evening.roll(3)
    evening.roll(4)
    discord.faults = [rate_limited(0.07, header=header), rate_limited(0.03, header=header)]
    begin = time.monotonic()
    told(evening, CHANNEL)
    assert time.monotonic() - begin >= 0.1
    assert len(discord.messages) == 2


@pytest.mark.parametrize("fault", [drops, html(500), answers(408)], ids=["drops", "500", "408"])
@pytest.mark.parametrize("arrived", [True, False], ids=["arrived", "lost"])
def test_what_may_have_arrived_is_for_people_to_judge(
    evening: Evening, discord: Discord, fault: Any, arrived: bool
) -> None:
    seqs = [evening.roll(face) for face in (3, 5)]
    discord.faults = [applies_and(fault) if arrived else fault]
    told(evening, CHANNEL)
    assert len(discord.messages) == 1 + arrived
    (item,) = cursor_of(evening, CHANNEL).review
    assert item["id"] == str(seqs[0])
    if arrived:
        drop_item_or_queued_result(evening.folder, CHANNEL, item["id"])
    else:
        resend_result_or_requeue_item(evening.folder, CHANNEL, item["id"])
    assert len(discord.messages) == 2
    assert not cursor_of(evening, CHANNEL).review


@pytest.mark.parametrize(
    ("break_it", "words"),
    [("deleted", "the webhook was deleted"), ("token", "address is wrong: copy it again")],
)
def test_a_webhook_that_is_gone_or_wrong_stops_the_queue(
    evening: Evening, discord: Discord, monkeypatch: pytest.MonkeyPatch, break_it: str, words: str
) -> None:
    evening.roll(3)
    if break_it == "deleted":
        discord.deleted = True
    else:
        monkeypatch.setenv("STRIKE_DISCORD_WEBHOOK", f"{discord.url}/api/webhooks/{ID}/{TOKEN}x")
    report = push(evening.folder, CHANNEL, HASTY)
    assert words in report.error
    assert (report.lag, len(discord.calls)) == (1, 1)


def test_what_discord_refuses_is_set_aside_and_the_rest_goes_on(evening: Evening, discord: Discord) -> None:
    for face in (3, 5):
        evening.roll(face)
    discord.faults = [answers(400, body={"message": "Invalid Form Body", "code": 50035})]
    told(evening, CHANNEL)
    assert len(discord.messages) == 1
    (item,) = cursor_of(evening, CHANNEL).review
    assert "Invalid Form Body" in item["why"]


def test_after_a_crash_what_was_on_its_way_is_not_said_twice(evening: Evening, discord: Discord) -> None:
    seqs = [evening.roll(face) for face in (3, 5)]
    killed_once_answered(evening, CHANNEL)
    assert len(discord.messages) == 1
    told(evening, CHANNEL)
    assert len(discord.messages) == 2
    assert [item["id"] for item in cursor_of(evening, CHANNEL).review] == [str(seqs[0])]


# The game master's


@pytest.mark.parametrize(
    ("audience", "webhooks", "heard"), [("players", 1, (1, 0)), ("gm", 1, (2, 0)), ("gm", 2, (1, 1))]
)
def test_secret_results_go_to_the_game_masters_webhook_or_nowhere(
    evening: Evening, discord: Discord, monkeypatch: pytest.MonkeyPatch, audience: str, webhooks: int,
    heard: tuple[int, int],
) -> None:  # fmt: skip
    both = [discord.webhook_url, discord.gm_webhook_url]
    monkeypatch.setenv("STRIKE_DISCORD_WEBHOOK", " ".join(both[:webhooks]))
    evening.roll(3)
    evening.roll(6, secret=True)
    told(evening, CHANNEL._replace(audience=audience))
    assert (len(discord.messages), len(discord.gm_messages)) == heard
    assert all(message["content"].startswith("🔒 ") for message in discord.gm_messages)


def test_doctor_looks_at_both_webhooks(discord: Discord) -> None:
    target = DiscordTarget(CHANNEL, f"{discord.webhook_url} {discord.gm_webhook_url}")
    with wired(target) as wire:
        assert isinstance(target.send_question(wire, target.probe()), Answer)
        assert [finding.well for finding in target.own_findings(wire)] == [True, False]
        gm = DiscordTarget(CHANNEL._replace(audience="gm"), target.key)
        assert [finding.well for finding in gm.own_findings(wire)] == [True]


# The secret


def test_the_address_is_never_shown_or_kept(
    evening: Evening, discord: Discord, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    evening.roll(3)
    shown = json.dumps(dry_run(evening.folder, CHANNEL))
    assert '"https://discord.com/***?wait=true"' in shown
    discord.faults = [answers(400, body={"message": f"no: {discord.webhook_url} /api/webhooks/{ID}/{TOKEN}"})]
    told(evening, CHANNEL)
    discord.always = answers(401, body={"message": f"not {TOKEN}"})
    evening.roll(4)
    report = push(evening.folder, CHANNEL, HASTY)
    assert report.error
    for text in (shown, report.error, everything_kept(evening), caplog.text):
        assert TOKEN not in text
        assert f"webhooks/{ID}" not in text


def test_an_address_in_campaign_toml_is_refused_without_being_quoted(evening: Evening) -> None:
    url = f"https://discord.com/api/webhooks/{ID}/{TOKEN}"
    report = push(evening.folder, CHANNEL._replace(url=url), HASTY)
    with pytest.raises(
        CampaignProblem, match="anybody who reads a webhook's address can post there"
    ) as raised:
        DiscordTarget(CHANNEL._replace(url=url), url)
    for text in (str(raised.value), raised.value.hint, report.error, everything_kept(evening)):
        assert TOKEN not in text


def test_what_is_no_webhook_address_is_refused_without_being_quoted() -> None:
    path, refused = f"{ID}/{TOKEN}", "webhook address of discord is not an address"
    for key in (
        "https://discord.com/channels/1/2", path, "https://[", f"ftp://x/api/webhooks/{path}",
        f"https://discord.com/api/webhooks/{path}/slack",
    ):  # fmt: skip
        with case(key):
            with pytest.raises(CampaignProblem, match=refused) as raised:
                DiscordTarget(CHANNEL, key)
            assert key not in str(raised.value) + raised.value.hint


def test_the_version_is_said_whatever_the_address_says() -> None:
    for version in ["", "v6/", "v10/"]:
        with case(version):
            key = f"https://discord.com/api/{version}webhooks/{ID}/{TOKEN}"
            target = DiscordTarget(CHANNEL, key)
            assert target.prepare(target.probe(), 0.0).path == f"/api/v10/webhooks/{ID}/{TOKEN}"
            assert target.redact(f"no: {key}") == "no: ***"


def test_two_webhooks_are_of_one_server_and_plain_http_is_for_this_machine() -> None:
    path = f"/api/webhooks/{ID}/{TOKEN}"
    with pytest.raises(CampaignProblem, match="webhooks that don't match"):
        DiscordTarget(CHANNEL, f"https://discord.com{path} https://other.example{path}")
    with pytest.raises(CampaignProblem, match="plain http") as raised:
        DiscordTarget(CHANNEL, f"http://discord.com{path}")
    assert TOKEN not in str(raised.value)


def test_a_handout_comes_with_its_picture(discord: Discord, tmp_path: Path) -> None:
    """Once, below its name; one whose file is another by now comes by its name alone."""
    evening = Evening(tmp_path / "ferry")
    (evening.folder / "map.png").write_bytes(PNG)
    for digest in (hashlib.sha256(PNG).hexdigest(), "0" * 64):
        with Campaign(evening.folder, writing=True) as campaign:
            args = {"handout": digest[:4], "name": "A map", "file": "map.png", "sha256": digest}
            perform_command(campaign, "handout show", args, PlaySettings())
    told(evening, CHANNEL)
    assert [message["content"] for message in discord.messages] == ["**Handout: A map.**"] * 2
    assert discord.pictures == [PNG]


# A thread for each session, and the map at the end of a round


def test_each_session_has_a_thread_of_its_own_in_a_forum(discord: Discord, evening: Evening) -> None:
    discord.forum = True
    settings = CHANNEL._replace(options={"threads": True, "gather": 0})
    evening.play("session start", at="tonight", title="")
    evening.roll(5)
    told(evening, settings)
    evening.roll(4)
    told(evening, settings)
    evening.play("session end")
    evening.play("session start", at="tomorrow", title="")
    evening.roll(3)
    told(evening, settings)
    names = [[message.get("thread_name") for message in thread] for thread in discord.threads.values()]
    assert [thread[0] for thread in names if thread] == ["Session 1", "Session 2"]
    assert all(name is None for thread in names for name in thread[1:])
    assert discord.messages == [] and cursor_of(evening, settings).review == []


def test_a_channel_without_threads_gets_plain_messages(discord: Discord, evening: Evening) -> None:
    settings = CHANNEL._replace(options={"threads": True, "gather": 0})
    evening.roll(5)
    told(evening, settings)
    evening.play("session start", at="tonight", title="")
    evening.roll(4)
    evening.roll(3)
    told(evening, settings)
    assert len(discord.messages) == 4
    refused = [call for call in discord.calls if call.body and "thread_name" in call.body]
    assert len(refused) == 1, "it is tried once"


def test_a_thread_whose_beginning_nobody_confirmed_is_for_review(discord: Discord, evening: Evening) -> None:
    discord.forum = True
    settings = CHANNEL._replace(options={"threads": True, "gather": 0})
    discord.faults += [applies_and(drops)]
    evening.play("session start", at="tonight", title="")
    push(evening.folder, settings, HASTY)
    (item,) = cursor_of(evening, settings).review
    drop_item_or_queued_result(evening.folder, settings, item["id"])
    evening.roll(4)
    told(evening, settings)
    assert len(discord.threads) == 3, "its id is not known, so another is begun"


def play_a_round(evening: Evening) -> None:
    """Everybody's turn of the first round."""
    evening.start()
    evening.play("combat initiative", dice=[6, 5, 3, 2, 1])
    for _ in range(5):
        evening.play("combat turn")
        evening.play("combat end-turn")


@pytest.mark.slow
def test_the_end_of_a_round_shows_the_map_as_players_see_it(
    discord: Discord, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("PIL")
    drawn: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []

    def draw(scene: dict[str, Any], tokens: list[dict[str, Any]], *given: Any) -> bytes:
        drawn.append((scene, tokens))
        return map_picture.draw_map(scene, tokens, *given)

    monkeypatch.setattr(discord_target, "draw_map", draw)
    settings = CHANNEL._replace(options={"map": True})._replace(hp="wounds", audience="gm")
    play_a_round(evening)
    told(evening, settings)
    assert discord.pictures == []
    evening.play("combat turn")
    told(evening, settings)
    (picture,) = discord.pictures
    assert picture.startswith(b"\x89PNG")
    ((scene, tokens),) = drawn
    assert scene["round"] == 1
    assert {token["name"] for token in tokens} == {"Vex", "Brann", "Goblin 1", "Goblin 2"}
    assert all(token["meters"][0]["value"] is None for token in tokens if token["side"] == "enemies")
    assert all(token["meters"][0]["gm"] is None for token in tokens)
    assert sum("board" in json.dumps(message) for message in discord.messages) == 0


def test_without_pillow_the_words_come_and_the_doctor_says_so(
    discord: Discord, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord_target, "can_draw", lambda: False)
    settings = CHANNEL._replace(options={"map": True})
    play_a_round(evening)
    evening.play("combat turn")
    told(evening, settings)
    assert discord.pictures == [] and discord.messages
    target = DiscordTarget(settings, discord.webhook_url)
    findings = [*target.own_findings(Wire(target.address, target.prepare))]
    assert any("Pillow" in finding.what and not finding.well for finding in findings)


def scene(*rows: str, **more: Any) -> dict[str, Any]:
    """What is drawn of a map."""
    lines = {"walls": [], "one_way_walls": [], "doors": []}
    return {"name": "Ford", "rows": rows, "zones": [], **lines, "round": None, **more}


def squares_of(shown: dict[str, Any], below: PictureFile | None = None) -> Any:
    """Two by two squares of a map's picture, of 64 pixels each."""
    image = pytest.importorskip("PIL.Image")
    drawn = image.open(io.BytesIO(map_picture.draw_map(shown, [], None, below)))
    return drawn.crop((32, 32, 160, 160))


@pytest.mark.slow
@pytest.mark.parametrize("rows", [["."], ["#" * 200] * 200, ["..", "#~+/ ..."]])
def test_a_map_of_any_size_is_a_picture_that_discord_takes(rows: list[str]) -> None:
    pytest.importorskip("PIL")
    token = {
        "id": "v", "name": "Ünnamed 7", "side": "enemies", "position": {"x": 0, "y": 0}, "size": 2,
        "state": "up", "meters": [], "statuses": ["Dazed"],
    }  # fmt: skip
    tokens = [token, {**token, "position": None}]
    drawn = map_picture.draw_map(scene(*rows, name="Ford <&>"), tokens, None)
    assert drawn.startswith(b"\x89PNG") and len(drawn) < 8 * 1024 * 1024


def test_names_in_other_scripts_are_no_boxes_in_the_picture() -> None:
    fonts = pytest.importorskip("PIL.ImageFont")
    try:
        fonts.truetype("DejaVuSans.ttf", 10)
    except OSError:
        pytest.skip("this system has no font of those letters")
    names = ("אבג", "דהו", "שרק")
    assert len({map_picture.draw_map(scene("..", name=name), [], None) for name in names}) == 3


def test_what_the_party_has_not_seen_is_dark_in_the_picture() -> None:
    rows = ["..", ". "]
    plain = squares_of(scene(*rows))
    dark = squares_of(scene(*rows, fog={"seen": rows, "ground": None}))
    middles = [(x, y) for x in (32, 96) for y in (32, 96)]
    assert [at for at in middles if plain.getpixel(at) != dark.getpixel(at)] == [(96, 96)]


def test_a_one_way_wall_points_to_where_one_gets_past_it() -> None:
    plain, arrows = squares_of(scene("..", "..")), {"above": (32, 54), "below": (32, 74)}
    for wall, pointed_at in [([(0, 1), (2, 1)], "above"), ([(2, 1), (0, 1)], "below")]:
        with case(wall, pointed_at):
            walled = squares_of(scene("..", "..", one_way_walls=[[{"x": x, "y": y} for x, y in wall]]))
            changed = [side for side, at in arrows.items() if plain.getpixel(at) != walled.getpixel(at)]
            assert changed == [pointed_at]


def test_a_shut_door_is_drawn_on_a_painting() -> None:
    image = pytest.importorskip("PIL.Image")
    image.new("RGB", (20, 10), "#123456").save(content := io.BytesIO(), "PNG")
    drawn = squares_of(scene(".+"), PictureFile(content.getvalue(), "image/png", ""))
    assert [drawn.getpixel(at) for at in ((32, 32), (96, 32))] == [(0x12, 0x34, 0x56), (0x9C, 0x6B, 0x3A)]
