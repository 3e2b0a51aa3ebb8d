"""The extension for Owlbear Rodeo: what that site may reach of a table, and what the extension does in a
stand-in for the site (owlbear/room_at_owlbear.mjs). It has not met the real one."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from strike_cli.systems.campaign.commands.table import owlbear_steps
from strike_cli.terminal.command_output import blocks_as_unwrapped_text
from strike_table import access_control, asset_bundle
from strike_table.access_control import watch_token
from strike_table.app import create_app
from strike_table.audience_views import LinkAudience
from strike_table.table_store import TableStore

from .browsing import becomes, expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

NODE = shutil.which("node")
THERE = access_control.OWLBEAR_ORIGIN
KEY = "the-key-of-this-table"


@pytest.fixture
def opened(data_dir: Path, asker: Any) -> Any:
    """Asks a table that serves the extension."""
    return asker(TableStore(data_dir), owlbear_room=True)


def test_without_being_asked_for_nothing_of_it_is_there(ask: Any) -> None:
    assert ask("GET", access_control.OWLBEAR_MANIFEST).status_code == 404
    assert ask("GET", access_control.OWLBEAR_MANIFEST, headers={"Origin": THERE}).status_code == 403


def test_the_manifest_and_all_that_it_names_are_there(opened: Any) -> None:
    answer = opened("GET", access_control.OWLBEAR_MANIFEST, key=None, headers={"Origin": THERE})
    assert answer.status_code == 200 and answer.headers["access-control-allow-origin"] == THERE
    manifest = answer.json()
    assert manifest["manifest_version"] == 1
    assert {"name", "version", "author", "description"} <= manifest.keys()
    for path in (manifest["icon"], manifest["background_url"], manifest["action"]["popover"]):
        assert opened("GET", path, key=None).status_code == 200
    for page in ("background.html", "panel.html"):
        text = opened("GET", f"/owlbear/{page}").text
        for address in re.findall(r'(?:src|href)="([^"]*)"', text):
            assert opened("GET", address).status_code == 200, address


def test_pages_are_framed_by_that_site_alone_and_only_those_of_the_extension(opened: Any) -> None:
    def ancestors(path: str) -> str:
        policy = opened("GET", path).headers["content-security-policy"]
        return re.search(r"frame-ancestors ([^;]*)", policy)[1]  # type: ignore[index]

    assert ancestors("/owlbear/panel.html") == ancestors("/owlbear/background.html") == THERE
    assert ancestors("/owlbear/no.html") == THERE
    for path in ("/", "/play", "/static/line.js", "/api/v1/state"):
        assert ancestors(path) == "'none'"
    both = {opened("GET", path).headers["content-security-policy"] for path in ("/", "/owlbear/panel.html")}
    assert len({re.sub("frame-ancestors.*", "", policy) for policy in both}) == 1, "all else is as strict"


@pytest.mark.parametrize(
    ("method", "path", "origin"),
    [
        ("GET", "/api/v1/state", THERE),
        ("GET", "/events", THERE),
        ("GET", "/owlbear/background.js", THERE),
        ("GET", "/owlbear/../api/v1/state", THERE),
        ("POST", "/owlbear/manifest.json", THERE),
        ("OPTIONS", "/owlbear/manifest.json", THERE),
        ("POST", "/api/v1/ping", THERE),
        ("POST", "/api/v1/own/answers", THERE),
        ("PUT", "/api/v1/tokens/vex", THERE),
        ("GET", access_control.OWLBEAR_MANIFEST, "https://owlbear.rodeo"),
        ("GET", access_control.OWLBEAR_MANIFEST, "http://www.owlbear.rodeo"),
        ("GET", access_control.OWLBEAR_MANIFEST, "https://www.owlbear.rodeo.evil.example"),
        ("GET", access_control.OWLBEAR_MANIFEST, "https://www.owlbear.rodeo:8443"),
        ("GET", access_control.OWLBEAR_MANIFEST, "null"),
    ],
)
def test_nothing_else_is_reached_from_there_or_elsewhere(
    opened: Any, method: str, path: str, origin: str
) -> None:
    answer = opened(method, path, headers={"Origin": origin})
    assert answer.status_code == 403 and answer.json()["error"]["code"] == "cross_origin"
    assert answer.headers.get("access-control-allow-origin") in (None, THERE)


def test_only_manifest_and_icon_may_be_read_across_origins(opened: Any) -> None:
    for path in ("/", "/owlbear/panel.html", "/owlbear/items.js", "/static/line.js", "/api/v1/state"):
        headers = opened("GET", path).headers
        assert "access-control-allow-origin" not in headers
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_another_host_name_is_refused_there_too(opened: Any) -> None:
    answer = opened(
        "GET", access_control.OWLBEAR_MANIFEST, base="http://evil.example", headers={"Origin": THERE}
    )
    assert answer.status_code == 421


def test_the_extension_carries_the_players_link_and_never_the_game_masters(opened: Any) -> None:
    """Owlbear Rodeo hands the addresses in it to everybody in the room."""
    players, gm = watch_token(KEY), watch_token(KEY, LinkAudience.GM)
    manifest = opened("GET", f"{access_control.OWLBEAR_MANIFEST}?watch={players}", key=None).json()
    assert manifest["background_url"].endswith(f"?watch={players}")
    for wrong in (gm, "0" * 32, f"{players}&x=<script>", KEY):
        answer = opened("GET", access_control.OWLBEAR_MANIFEST, key=None, params={"watch": wrong})
        assert answer.status_code == 403 and answer.json()["error"]["code"] == "not_for_players"
    assert watch_token(KEY, LinkAudience.GM) not in opened("GET", access_control.OWLBEAR_MANIFEST).text


@pytest.mark.slow
def test_what_comes_over_the_table_becomes_items_in_the_room(tmp_path: Path) -> None:
    if NODE is None:
        pytest.skip("node is not there")
    here = Path(__file__).parent / "owlbear"
    files = [
        *(asset_bundle.PAGE / "owlbear").glob("*.js"),
        *(asset_bundle.PAGE / name for name in ("meters.js", "line.js", "pulse.js", "terrain.js", "draw.js")),
    ]
    for file in [*files, *here.glob("*.mjs")]:
        text = file.read_text(encoding="utf-8").replace('"/static/', '"./')
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    (tmp_path / "look.js").write_bytes(asset_bundle.MADE["look.js"])
    (tmp_path / "package.json").write_text('{"type": "module"}')
    done = subprocess.run(
        [NODE, "--test", "test_extension.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout


AROUND = """<!doctype html><title>A stand-in</title><script type="module">
import { RoomAtOwlbear } from "/room_at_owlbear.mjs";
const room = window.room = new RoomAtOwlbear();
const manifest = await (await fetch("TABLE/owlbear/manifest.json")).json();
const icon = new Image();
icon.onload = () => (document.body.dataset.icon = "seen");
icon.src = "TABLE" + manifest.icon;
const frames = [manifest.background_url, manifest.action.popover].map((path) => {
  const frame = document.createElement("iframe");
  frame.src = "TABLE" + path + "?obrref=" + btoa(location.origin + " a-room");
  frame.onload = () => {
    const said = (id, data) => frame.contentWindow.postMessage({ id, data }, "TABLE");
    room.listeners.push(({ data }) => said(data.id, data.data));
    said("OBR_READY", { ref: "the-ref", userId: "u1" });
  };
  document.body.append(frame);
  return frame;
});
addEventListener("message", (event) => {
  if (event.origin === "TABLE") room.hear(event.data, location.origin);
});
</script><body></body>"""


def test_a_browser_lets_the_site_show_it_as_it_is_fenced(
    browser: Browser, data_dir: Path, start: Any, scene: dict[str, Any]
) -> None:
    """Content-Security-Policy, cross-origin rules and the origin of messages as a real browser has them, with
    the stand-in at the site's own address."""
    table = start(owlbear_room=True)
    table.tell("PUT", "scene", scene)
    table.token()
    there = Path(__file__).parent / "owlbear" / "room_at_owlbear.mjs"

    def serve(route: Route) -> None:
        if route.request.url.endswith(".mjs"):
            route.fulfill(content_type="text/javascript", body=there.read_text(encoding="utf-8"))
        else:
            route.fulfill(content_type="text/html", body=AROUND.replace("TABLE", table.url))

    context = browser.new_context()
    from playwright.sync_api import Error

    with contextlib.suppress(Error):  # a browser that asks nobody before a site reaches this computer
        context.grant_permissions(["local-network-access"])
    context.route(f"{THERE}/**", serve)
    page = context.new_page()
    page.goto(f"{THERE}/room/a-room")
    panel = page.frame_locator("iframe >> nth=1")
    panel.locator("#column").fill("3")
    panel.get_by_role("button", name="Show the map in this scene").click()
    page.wait_for_function("room.ours('heading')")
    seen = [{"x": 5.5 * 150, "y": 2.5 * 150}, "seen"]
    becomes(lambda: page.evaluate("[room.ours('token:vex')?.position, document.body.dataset.icon]"), seen)
    table.result(title="Vex attacks")
    expect(panel.locator("#results li")).to_have_text(["Vex attacks: Hit for 4 damage."])
    page.wait_for_function("room.notifications.length")
    page.goto("about:blank")
    context.close()


def test_the_command_says_the_address_to_add() -> None:
    assert f"http://localhost:4750{access_control.OWLBEAR_MANIFEST}" in blocks_as_unwrapped_text(
        owlbear_steps("http://127.0.0.1:4750")
    )


def test_the_table_needs_to_be_told(tmp_path: Path) -> None:
    paths = {getattr(route, "path", "") for route in create_app(TableStore(tmp_path), KEY).routes}
    assert not any(path.startswith(access_control.OWLBEAR_FOLDER) for path in paths)
