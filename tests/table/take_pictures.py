"""Twenty pictures of the page with every kind of scene, on a television, a laptop, a tablet and a phone.

    cd tests && ../.venv/bin/python -m table.take_pictures [light|dark]

They are kept beside this, small: what a change does to the page is seen in the difference, and a test
compares their layout.
"""

from __future__ import annotations

import base64
import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.agreed import agree_to

from strike_bridge.push_follow_and_sync import push
from strike_bridge.settings import Settings
from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.systems.campaign.commands.intermission_sender import intermission_of

from .conftest import CALM, KEY, Running

if TYPE_CHECKING:
    from playwright.sync_api import Page

KEPT = Path(__file__).with_name("pictures")
WIDE = 480
"""Pixels that a picture is kept with at most."""
SIZES = {"3840x2160": "?screen=1", "1366x768": "", "820x1180": "", "390x844": ""}
FIGHT = ["session start --title Dusk", "combat start ford", "combat initiative"]
SCENES: dict[str, tuple[str, list[str]]] = {
    "between": ("",
        ["session start --title Dusk", "roll skill vex Sneaking --dice 4", "condition add odo winded"]),
    "fight": ("", [*FIGHT, *["combat auto --bot quick"] * 2, "combat turn", "combat status add vex prone"]),
    "asked": ("", ["session start", "roll opposed odo Haggling --against goblin Threatening --dice 3,2"]),
    "conflict": ("",
        ["conflict start lamp-council", "conflict oppose total-defense", "conflict act vex progress"]),
    "chase": ("", ["chase start causeway", "chase run flee"]),
    "grit": ("grit", ["grit start gallery", "grit auto"]),
    "karma": ("karma", ["karma start wreck", "choose ana", "karma auto", "karma auto"]),
    "fog": ("", [*FIGHT, "combat fog on", "combat auto --bot quick"]),
    "momentum": ("momentum",
        ["momentum start gate", "momentum initiative", "momentum next", "momentum auto"]),
}  # fmt: skip
TAKEN = {
    "between": ("3840x2160", "1366x768", "390x844"), "fight": (*SIZES,), "asked": ("1366x768", "390x844"),
    "conflict": (*SIZES,), "chase": ("1366x768", "820x1180", "390x844"),
    "grit": ("1366x768",), "karma": ("1366x768",), "fog": ("1366x768",), "momentum": ("1366x768",),
}  # fmt: skip
"""The sizes at which a picture of each scene is kept: those at which it shows what no other picture does."""


def played(folder: Path, system: str, lines: list[str]) -> None:
    """A campaign in which commands were typed; what they say goes nowhere. Choices take the first option."""
    create_campaign_folder(folder, seed=7, system=system)
    for line in lines:
        with contextlib.redirect_stdout(io.StringIO()):
            run_command_line_or_complete(["-C", str(folder), *line.split()])
            for _ in range(9):
                with Campaign(folder) as campaign:
                    pending = campaign.state.get("pending", {})
                if not pending or line is lines[-1]:
                    break
                run_command_line_or_complete(
                    ["-C", str(folder), "choose", next(iter(pending.values()))["options"][0]]
                )


def evening_told(folder: Path, table: Running) -> None:
    """Tell a table what it shows between scenes."""
    with Campaign(folder) as campaign:
        evening, pictures = intermission_of(campaign)
    for digest, (content, media_type) in pictures.items():
        table.store.put_image(digest, media_type, content)
    table.tell("PUT", "evening", evening)


def picture(page: Page, size: str) -> bytes:
    """What a page shows at a size, as WebP."""
    width, height = map(int, size.split("x"))
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(300)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": min(1, WIDE / width)}
    cdp = page.context.new_cdp_session(page)
    shot = cdp.send("Page.captureScreenshot", {"format": "webp", "quality": 45, "clip": clip})
    return base64.b64decode(shot["data"])


def shown(name: str, scratch: Path, lines: Sequence[str] = (), **options: Any) -> Running:
    """A table that shows one of the scenes, in the folder of its name, after more lines. `options` are of the
    table; what makes one of a folder is a function of it."""
    system, before = SCENES[name]
    folder = scratch / name
    played(folder, system, [*before, *lines])
    made = {key: option(folder) if callable(option) else option for key, option in options.items()}
    table = Running(scratch / f"table-{name}", title="The Lantern Road", **made)
    evening_told(folder, table)
    there = Settings("table", "table", url=table.url, audience="gm")
    agree_to(folder, there)
    report = push(folder, there)
    assert not report.error, report.error
    return table


def main() -> None:
    """Take them all."""
    scheme = sys.argv[1] if len(sys.argv) > 1 else "light"
    KEPT.mkdir(exist_ok=True)
    os.environ["STRIKE_TABLE_KEY"] = KEY
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CALM.split())
        page = browser.new_page(reduced_motion="reduce", color_scheme=scheme)  # type: ignore[arg-type]
        dark = "" if scheme == "light" else f"-{scheme}"
        for name in SCENES:
            table = shown(name, Path(scratch))
            for size in TAKEN[name]:
                width, height = map(int, size.split("x"))
                # What is a television is decided as it loads.
                page.set_viewport_size({"width": width, "height": height})
                page.goto(f"{table.url}/{SIZES[size]}")
                page.wait_for_selector("body[data-connection=live][data-seen]")
                (KEPT / f"{name}-{size}{dark}.webp").write_bytes(picture(page, size))
            table.end()
        browser.close()


if __name__ == "__main__":
    main()
