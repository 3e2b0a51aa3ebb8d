"""The game master's own page acts, and no other: from this machine, by no proxy, with a token in a header."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import strike_cli
from strike_cli.campaign.create import create
from strike_cli.serve.desk import Desk
from strike_table.acting import HEADER
from strike_table.guard import watch_token
from strike_table.store import TableStore
from strike_table.views import LinkAudience

from .conftest import KEY, Asker

GM = f"/acts?watch={watch_token(KEY, LinkAudience.GM)}"
PLAYERS = f"/acts?watch={watch_token(KEY)}"


class Noted:
    """A game that notes what it is asked to play."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def play(self, line: str) -> dict[str, Any]:
        self.lines.append(line)
        return {"ok": True, "text": "Done."}

    def proposals(self) -> list[dict[str, Any]]:
        return []


def test_a_page_acts_at_this_machine_alone_and_with_its_token(data_dir: Path) -> None:
    game = Noted()
    ask = Asker(TableStore(data_dir), acts=game, allowed_hosts=["192.0.2.1", "inn.example"])
    token = ask("GET", GM, key=None).json()["token"]

    def act(path: str = GM, token: str = token, **more: Any) -> int:
        headers = {HEADER: token, **more.pop("headers", {})}
        return ask("POST", path, key=None, json={"line": "undo"}, headers=headers, **more).status_code

    refused = {
        "the players' link": {"path": PLAYERS},
        "no link": {"path": "/acts"},
        "another machine": {"peer": "192.0.2.7"},
        "the network's name": {"base": "http://192.0.2.1:4747"},
        "a proxy's name": {"base": "https://inn.example"},
        "no token": {"token": ""},
        "a wrong token": {"token": token[:-1]},
        "another site": {"headers": {"origin": "https://evil.example"}},
        **{
            name: {"headers": {name: "192.0.2.7"}}
            for name in (
                "Forwarded",
                "Via",
                "X-Real-IP",
                "X-Forwarded-For",
                "X-Forwarded-Host",
                "X-Forwarded-Proto",
            )
        },
    }
    assert {name: status for name, case in refused.items() if (status := act(**case)) != 403} == {}
    assert ask("GET", PLAYERS, key=None).status_code == 403
    assert ask("GET", GM, key=None, peer="192.0.2.7").status_code == 403
    assert game.lines == []
    assert act() == 200
    assert game.lines == ["undo"]
    for line in ("", " ", "two\nlines", "x" * 2001, 7, None):
        wrong = ask("POST", GM, key=None, json={"line": line}, headers={HEADER: token})
        assert wrong.status_code == 400
    assert ask("POST", GM, key=None, content=b"x" * 20_000, headers={HEADER: token}).status_code == 413
    assert Asker(TableStore(data_dir / "other"))("GET", GM, key=None).status_code == 404
    assert game.lines == ["undo"]


def test_lines_play_what_may_be_asked_from_outside(tmp_path: Path) -> None:
    folder = create(tmp_path / "road", seed=7)
    desk = Desk(folder)
    try:
        assert desk.play("roll skill vex Sneaking --dice 4")["ok"]
        assert "Success" in str(desk.play("roll skill vex Sneaking --dice 6")["text"])
        assert desk.play("undo")["ok"]
        for line in (
            "export out.json",
            "shell",
            "bridge push",
            "new elsewhere",
            "-C / status",
            "attack nobody",
            '"',
        ):
            came = desk.play(line)
            assert not came["ok"], line
            assert came["text"]
        played = [entry["command"] for entry in strike_cli.Campaign(folder).entries()]
        assert played == ["roll skill", "roll skill", "undo"]
    finally:
        desk.close()


@pytest.mark.slow
def test_the_box_plays_and_says_what_came(page: Page, start: Any, tmp_path: Path) -> None:
    folder = create(tmp_path / "road", seed=7)
    desk = Desk(folder)
    table = start(acts=desk)
    try:
        page.goto(f"{table.url}/?watch={watch_token(KEY)}")
        expect(page.locator("body")).to_have_attribute("data-connection", "live")
        expect(page.locator("#acts")).to_be_hidden()
        page.goto(f"{table.url}/?watch={watch_token(KEY, LinkAudience.GM)}")
        box = page.get_by_role("textbox", name="Command")
        box.fill("roll skill vex Sneaking --dice 6")
        box.press("Enter")
        expect(page.locator(".acts-said")).to_contain_text("Success")
        expect(box).to_have_value("")
        box.fill("attack nobody")
        box.press("Enter")
        expect(page.locator(".acts-said.bad")).not_to_be_empty()
        page.locator("#feed").focus()
        page.keyboard.press("u")
        expect(page.locator(".acts-said:not(.bad)")).to_contain_text("ndo")
        played = [entry["command"] for entry in strike_cli.Campaign(folder).entries()]
        assert played == ["roll skill", "undo"]
    finally:
        desk.close()
