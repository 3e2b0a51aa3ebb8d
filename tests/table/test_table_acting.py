"""The game master's own page acts, and no other: from this machine, by no proxy, with a token in a header."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.links import link

import strike_cli
from strike_cli.cli.play import ScreenBackend
from strike_cli.content.map_picture_draw_and_shrink import draw_map
from strike_cli.phones.players_api import PlayersAccess
from strike_cli.problems import Refused, Usage
from strike_cli.serve import gm_console_and_pictures
from strike_cli.serve.gm_console_and_pictures import GameMasterConsole
from strike_table.access_control import watch_token
from strike_table.audience_views import LinkAudience
from strike_table.gm_commands import HEADER, PICTURE_LIMIT, GmCommands
from strike_table.player_pages import Players
from strike_table.table_store import TableStore

from .browsing import becomes, expect, open_as_gm
from .conftest import KEY, Asker

if TYPE_CHECKING:
    from playwright.sync_api import Page

GM = f"/acts?watch={watch_token(KEY, LinkAudience.GM)}"
PLAYERS = f"/acts?watch={watch_token(KEY)}"
Desk = Callable[..., GameMasterConsole]
"""The fixture of this name."""
BEHIND_THE_PAGES: tuple[type[GmCommands], type[Players]] = (GameMasterConsole, PlayersAccess)
"""Strike's classes behind the pages are loaded by name: mypy compares them with the protocols only here."""


class Noted:
    """A game that notes what it is asked to play."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def play(self, line: str) -> dict[str, Any]:
        self.lines.append(line)
        return {"ok": True, "text": "Done."}

    def completions(self, line: str) -> list[str]:
        self.lines.append(f"complete {line}")
        return []

    def next_undo_text(self) -> str:
        self.lines.append("undoes")
        return ""

    def proposals(self) -> list[dict[str, Any]]:
        return []

    def targets_down_for_a_while(self) -> list[str]:
        return ["chat"]

    def handouts(self) -> list[dict[str, Any]]:
        self.lines.append("handouts")
        return []

    def scenes_under_way_and_prepared(self) -> dict[str, Any]:
        self.lines.append("scene")
        return {"scenes": [], "prepared": []}

    def forecast_offered_line(self, line: str) -> dict[str, Any]:
        self.lines.append(f"expected {line}")
        return {}

    def moves_to_square(self, who: str, square: str) -> dict[str, Any]:
        self.lines.append(f"ways {who} {square}")
        return {"offers": [], "reason": ""}

    def store_dropped_picture(self, name: str, content: bytes) -> dict[str, Any]:
        self.lines.append(f"keep {name} {len(content)}")
        return {"ok": True, "text": "Kept."}

    def show_picture_or_make_encounter(self, file: str, use: str, name: str, across: int) -> dict[str, Any]:
        self.lines.append(f"use {file} {use} {name} {across}")
        return {"ok": True, "text": "Used."}


def test_a_page_acts_at_this_machine_alone_and_with_its_token(data_dir: Path) -> None:
    game = Noted()
    ask = Asker(TableStore(data_dir), gm_commands=game, allowed_hosts=["192.0.2.1", "inn.example"])
    looked = ask("GET", GM, key=None).json()
    token = looked["token"]
    assert looked["unheard"] == ["chat"]

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


def test_a_tablet_acts_by_its_own_link_where_the_table_takes_one(data_dir: Path) -> None:
    acting = f"/acts?watch={watch_token(KEY, LinkAudience.GM, plays_commands=True)}"
    there = {"key": None, "base": "http://192.0.2.1:4747", "peer": "192.0.2.7"}
    for tablet in (True, False):
        game = Noted()
        ask = Asker(TableStore(data_dir), gm_commands=game, allowed_hosts=["192.0.2.1"], tablet=tablet)
        token = ask("GET", GM, key=None).json()["token"]
        taken = [
            ask("POST", path, json={"line": "undo"}, headers={HEADER: token, **headers}, **there).status_code
            for path, headers in (
                (acting, {}),
                (acting, {"Via": "1.1 proxy"}),
                (acting, {HEADER: token[:-1]}),
                (GM, {}),
            )
        ]
        assert taken == [200 if tablet else 403, 403, 403, 403]
        assert game.lines == ["undo"] * tablet
        assert ask("GET", acting.replace("/acts", "/api/v1/state"), **there).json()["audience"] == "gm"


def test_all_else_that_acts_wants_the_token_too(data_dir: Path) -> None:
    game = Noted()
    ask = Asker(TableStore(data_dir), gm_commands=game)
    token = ask("GET", GM, key=None).json()["token"]
    asked = {
        "/acts/handouts": ("GET", {}),
        "/acts/undo": ("GET", {}),
        "/acts/completions": ("POST", {"json": {"line": "attack "}}),
        "/acts/scene": ("GET", {}),
        "/acts/expected": ("POST", {"json": {"line": "combat end-turn"}}),
        "/acts/ways": ("POST", {"json": {"who": "vex", "square": "C4"}}),
        "/acts/pictures": ("POST", {"content": b"picture", "params": {"name": "../ford.png"}}),
        "/acts/pictures/use": ("POST", {"json": {"file": "pictures/ford.png", "use": "map", "across": 9}}),
    }

    def tell(path: str, link: str = GM, headers: dict[str, str] | None = None, **more: Any) -> int:
        method, request = asked[path]
        params = {"watch": link.partition("watch=")[2], **request.get("params", {})}
        sent = {**request, "params": params, **more}
        return ask(method, path, key=None, headers={HEADER: token, **(headers or {})}, **sent).status_code

    for path in asked:
        assert tell(path, headers={HEADER: ""}) == 403
        assert tell(path, PLAYERS) == 403
        assert tell(path, peer="192.0.2.7") == 403
        assert tell(path, headers={"Via": "1.1 proxy"}) == 403
    assert game.lines == []
    assert [tell(path) for path in asked] == [200] * len(asked)
    assert game.lines == [
        "handouts",
        "undoes",
        "complete attack ",
        "scene",
        "expected combat end-turn",
        "ways vex C4",
        "keep ../ford.png 7",
        "use pictures/ford.png map  9",
    ]
    assert tell("/acts/pictures", content=b"x" * (PICTURE_LIMIT + 1)) == 413
    for wrong in ({}, {"file": "x", "use": 7}, {"file": "x", "use": "map", "across": "9"}, []):
        assert tell("/acts/pictures/use", json=wrong) == 400
    assert tell("/acts/completions", json={"line": " "}) == 400
    assert len(game.lines) == len(asked)


def test_a_picture_that_is_dropped_takes_no_other_ones_place(tmp_path: Path) -> None:
    """Its name is cleaned, its form looked at, and the same one again is kept once."""
    first, second = draw_map(["..."], 10), draw_map(["##"], 10)
    cleaned = {
        "../../Old Mill 6x4.PNG": "pictures/old-mill-6x4.png",
        "C:\\maps\\ford.jpg": "pictures/ford.png",
        "con.png": "pictures/con_.png",
        ".png": "pictures/png.png",
        "<script>.svg": "pictures/script.png",
        "": "pictures/picture.png",
        "x" * 300: f"pictures/{'x' * 60}.png",
    }
    assert {
        name: gm_console_and_pictures.store_picture(tmp_path, name, first).file for name in cleaned
    } == cleaned
    assert gm_console_and_pictures.store_picture(tmp_path, "ford.png", first) == (
        "pictures/ford.png",
        30,
        10,
        len(first),
    )
    assert gm_console_and_pictures.store_picture(tmp_path, "ford.png", second).file == "pictures/ford-2.png"
    assert (tmp_path / "pictures/ford.png").read_bytes() == first
    for wrong in (b"", b"<svg/>", b"\x89PNG\r\n\x1a\n", b"GIF89a", first[:18]):
        with pytest.raises(Usage):
            gm_console_and_pictures.store_picture(tmp_path, "wrong.png", wrong)
    (tmp_path / "handouts").mkdir()
    (tmp_path / "handouts" / "ford.md").write_text("A letter.")
    assert (
        gm_console_and_pictures.move_dropped_picture(tmp_path, "pictures/ford.png", "handouts", ["ford"])
        == "handouts/ford-2.png"
    )
    assert not (tmp_path / "pictures/ford.png").exists()
    for elsewhere in ("pictures/../campaign.toml", "/etc/passwd", "pictures/gone.png", "handouts/ford-2.png"):
        with pytest.raises(Refused):
            gm_console_and_pictures.move_dropped_picture(tmp_path, elsewhere, "handouts")
    assert len(list((tmp_path / "pictures").iterdir())) == len(cleaned)


def test_pictures_go_through_no_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "road").mkdir()
    link(tmp_path / "road" / "pictures", tmp_path / "elsewhere")
    came = GameMasterConsole(tmp_path / "road").store_dropped_picture("ford.png", draw_map(["."], 10))
    assert not came["ok"]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_was_dropped_is_shown_or_played_on(desk: Desk) -> None:
    gm = desk()
    kept = gm.store_dropped_picture("Old Mill 6x4.png", draw_map(["." * 6] * 4, 10))
    assert (kept["uses"], kept["across"]) == (["handout", "map"], 6)
    assert gm.show_picture_or_make_encounter(str(kept["file"]), "map", "--force", 6)["ok"]
    assert not gm.show_picture_or_make_encounter(str(kept["file"]), "map", "Ford", 6)["ok"], "there is a ford"
    assert 'image = "pictures/old-mill-6x4.png"' in (gm._folder / "encounters/force.toml").read_text("utf-8")
    letter = gm.store_dropped_picture("letter.png", draw_map(["."], 10))
    assert gm.show_picture_or_make_encounter(str(letter["file"]), "handout", "", 0)["ok"]
    assert {"id": "letter", "name": "Letter", "shown": True} in gm.handouts()
    assert gm.play("undo")["ok"]
    assert {"id": "letter", "name": "Letter", "shown": False} in gm.handouts()


def test_lines_play_what_may_be_asked_from_outside(desk: Desk) -> None:
    gm = desk()
    assert gm.play("roll skill vex Sneaking --dice 4")["ok"]
    assert "Success" in str(gm.play("roll skill vex Sneaking --dice 6")["text"])
    assert gm.play("undo")["ok"]
    for line in (
        "export out.json",
        "shell",
        "bridge push",
        "new elsewhere",
        "-C / status",
        "attack nobody",
        '"',
    ):
        came = gm.play(line)
        assert not came["ok"], line
        assert came["text"]
    played = [entry["command"] for entry in strike_cli.Campaign(gm._folder).entries()]
    assert played == ["roll skill", "roll skill", "undo"]


def test_tab_offers_what_play_offers_and_undo_says_what_it_would_take_back(
    desk: Desk, tmp_path: Path
) -> None:
    gm = desk()
    play = ScreenBackend(gm._folder)
    assert gm.next_undo_text() == ""
    assert gm.completions("condition add ve") == ["vex "]
    for line in ("con", "condition ", "condition add vex ", "condition add vex Ang", "'un", "nothing such "):
        assert gm.completions(line) == play.completions_of_line(line), line
    assert gm.completions("condition add vex an") == ["angry "]
    for elsewhere in (f"-C {tmp_path} condition add ", f"--campaign={tmp_path} condition add "):
        assert gm.completions(elsewhere) == []
    assert gm.play("condition add vex Angry")["ok"]
    assert gm.next_undo_text().startswith("#1: ")
    assert "Angry" in gm.next_undo_text()


PICKED = (
    "conflict start road --intent win --against them --their-intent win",
    *(f"conflict act {who} pass" for who in ("vex", "brann", "sela", "odo")),
    "conflict oppose progress",
)
FOUGHT = ("combat start ford", "combat initiative --dice 6,5,4,3,2,2,2,2,2,1")
CHASED = ("chase start road --runners vex --chasers brann", "chase run flee", "chase predict flee")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "before", "says"),
    [
        ("", (), ["No scene is under way. Next:"]),
        ("", ("combat start ford",), ["tie for initiative", "tie for initiative"]),
        ("", FOUGHT, ["'s turn.", "'s turn ends."]),
        ("", PICKED, ["The team"]),
        ("", PICKED[:1], ["Not everybody has chosen"]),
        ("", CHASED, ["Runners"]),
        ("", ("roll skill vex Climbing --dice 1",), ["What does Vex Marlowe pay?"]),
        ("grit", ("grit start bridge",), ["enemies", "Round 2"]),
        ("karma", ("karma start sluice --first ana",), ["karma act ana"]),
        ("momentum", ("momentum start dome",), ["Initiative", "Initiative"]),
    ],
)
def test_the_button_does_what_comes_next(
    system: str, before: Sequence[str], says: Sequence[str], page: Page, start: Any, desk: Desk
) -> None:
    gm = desk(system)
    for line in before:
        strike_cli.Campaign(gm._folder).play(line)
    open_as_gm(page, start(gm_commands=gm).url)
    for said in says:
        page.locator("#acts button", has_text="Next").click()
        expect(page.locator(".acts-said")).to_contain_text(said)


@pytest.mark.slow
def test_the_box_plays_and_says_what_came(page: Page, start: Any, desk: Desk) -> None:
    gm = desk()
    table = start(gm_commands=gm)
    page.goto(f"{table.url}/?watch={watch_token(KEY)}")
    expect(page.locator("body")).to_have_attribute("data-connection", "live")
    expect(page.locator("#acts")).to_be_hidden()
    open_as_gm(page, table.url)
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
    expect(page.locator(".acts-said:not(.bad)")).to_contain_text("u again undoes it: #1: ")
    page.keyboard.press("u")
    expect(page.locator(".acts-said:not(.bad)")).to_contain_text("Undone")
    box.fill("condition add ve")
    box.press("Tab")
    expect(box).to_have_value("condition add vex ")
    expect(box).to_be_focused()
    box.press("Tab")
    expect(page.locator(".acts-said:not(.bad)")).to_contain_text("angry")
    box.press_sequentially("Angry")
    box.press("Enter")
    expect(box).to_have_value("")
    undo = page.get_by_role("button", name="Undo")
    undo.click()
    expect(page.locator(".acts-said:not(.bad)")).to_contain_text("Undo it: #3: ")
    box.focus()
    expect(undo).to_have_text("Undo")  # a second press would ask again
    undo.click()
    expect(undo).to_have_text("Undo it")
    undo.click()
    expect(page.locator(".acts-said:not(.bad)")).to_contain_text("Undone")
    box.focus()
    page.keyboard.press("Tab")  # an empty box is left, as any other
    expect(box).not_to_be_focused()
    page.get_by_role("button", name="Handouts").click()
    page.get_by_role("button", name="Show Warrant").click()
    expect(page.locator(".acts-said")).to_contain_text("Warrant")
    page.get_by_role("button", name="Handouts").click()
    page.get_by_role("button", name="Take back Warrant").click()
    expect(page.locator(".acts-said")).not_to_contain_text("Show")
    becomes(
        lambda: [entry["command"] for entry in strike_cli.Campaign(gm._folder).entries()],
        ["roll skill", "undo", "condition add", "undo", "handout show", "handout hide"],
    )


@pytest.mark.slow
def test_somebody_is_revealed_and_a_decision_answered_by_its_number(
    page: Page, start: Any, scene: dict[str, Any]
) -> None:
    game = Noted()
    table = start(gm_commands=game)
    table.tell("PUT", "scene", scene)
    table.token("goblin-1", hidden=True)
    options = [{"name": "damage", "label": "3 damage"}, {"name": "effect", "label": "Slowed"}]
    asked = {"id": "1", "scene": None, "who": "vex", "name": "Vex", "what": "Which?", "options": options}
    table.tell("PUT", "asked", {"asked": [{**asked, "said": [], "dice": []}]})
    open_as_gm(page, table.url)
    page.get_by_role("button", name="Reveal").click()
    page.get_by_role("button", name="Goblin 1", exact=True).click()
    expect(page.locator(".acts-said")).to_have_text("Done.")
    page.keyboard.press("2")
    page.keyboard.press("a")
    expect(page.get_by_role("textbox", name="Command")).to_be_focused()
    expect(page.get_by_role("textbox", name="Command")).to_have_value("a")
    becomes(lambda: [line for line in game.lines if line != "scene"], ["reveal goblin-1", "choose effect"])


@pytest.mark.slow
def test_a_picture_is_dropped_on_the_page(page: Page, start: Any, desk: Desk) -> None:
    gm = desk()
    open_as_gm(page, start(gm_commands=gm).url)
    expect(page.get_by_role("button", name="Picture")).to_be_visible()
    page.evaluate(
        """(bytes) => {
          const dataTransfer = new DataTransfer();
          const file = new File([new Uint8Array(bytes)], "Old Mill.png", { type: "image/png" });
          dataTransfer.items.add(file);
          document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer }));
        }""",
        list(draw_map(["." * 6] * 4, 10)),
    )
    expect(page.locator(".acts-said")).to_contain_text("pictures/old-mill.png is stored")
    expect(page.locator(".upload-picture")).to_be_visible()
    page.get_by_role("button", name="Show it to the players").click()
    expect(page.locator(".acts-said")).to_contain_text("Old mill")
    becomes((gm._folder / "handouts" / "old-mill.png").is_file, True)
