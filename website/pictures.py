"""`make pictures`: the pictures of README and site, taken of the real program playing with fixed dice.

Made anew they differ only where the program does. The one thing that is set is the clock: the log's hour is
written as 20:15, whenever the pictures are made. It needs chromium and tmux.
"""

from __future__ import annotations

import base64
import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign
from strike_cli.cli.app import run_command_line
from strike_cli.terminal.invocation import UNATTENDED

from .terminal import Shot, Terminal, moving, still

HERE = Path(__file__).parents[1] / "docs" / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SEED = 77
ORDER = "6,5,4,3,2,2,2,2,2,1"
LEAD = (
    "session start --title 'Dusk at the ford'",
    "combat start ford",
    f"combat initiative --dice {ORDER}",
    "combat turn",
)
MIDDLE = (
    "combat move vex E5",
    "combat attack vex g3 --power lantern --dice 3 --choose effect",
    "combat next",
    "combat move brann F6",
    "combat attack brann g3 --power hook --dice 5",
    "combat next",
    "combat attack sela g1 --power whistling --dice 4",
    "combat next",
    "combat move odo E7",
    "combat next",
    *("combat auto --until-player",) * 2,
    "combat turn",
)
"""The commands from the beginning of the fight to its second round."""
PAGE = (1280, 800)


class Still(NamedTuple):
    """The picture of a teaching page: lines played before it, lines typed in it, and its title."""

    before: tuple[str, ...]
    typed: tuple[str, ...]
    title: str


STILLS = {
    "characters": Still((), ("strike card vex",), "A character's card"),
    "combat": Still(
        (*LEAD, *MIDDLE),
        ("strike combat map", "strike odds attack . g3 lantern", "strike attack g3 lantern --dice 5"),
        "A fight: the map, the odds of an attack, the attack",
    ),
    "conflict": Still(
        (
            "conflict start lamp-council --team vex brann odo sela",
            "conflict oppose total-defense",
            "conflict act vex progress",
            "conflict act brann block",
            "conflict act odo calculated-risk --skill Cooking",
            "conflict act sela observe --skill Tracking",
        ),
        ("strike conflict roll --dice 4,2,3,5", "strike conflict show"),
        "A round of a Team Conflict",
    ),
    "chase": Still(
        ("chase start causeway", "chase run flee", "chase predict hide"),
        ("strike chase roll --dice 4,5,3", "strike odds chase --whole"),
        "A round of a chase, and how the chase may end",
    ),
    "bridge": Still(
        ("session start", "roll skill vex Climbing --dice 5"),
        ("strike bridge doctor", "strike bridge status"),
        "What a target was sent, and what waits",
    ),
    "prep": Still(
        ("session start", "clock add 'The tide' 6", "clock tick 'The tide' 2"),
        ("strike prep --sim", "strike clock list", "strike find ferry"),
        "Tonight's scenes, its clocks, and a search",
    ),
    "powers": Still(
        (),
        ("strike content explain lantern-flare", "strike content try 'lantern flare' --dice 5"),
        "A power read back in words, and tried on dummies",
    ),
    "plugins": Still(
        (), ("strike plugin list", "strike plugin show elements"), "The plugins, and what one brings"
    ),
}
"""A picture of the terminal for each teaching page that has no other."""
LETTER_SECONDS = 0.07


def main() -> None:
    """Make all pictures, or those named: terminal, evening, table, a page that teaches."""
    makers: dict[str, Callable[[Path], Path]] = {"terminal": terminal, "evening": evening, "table": table}
    makers |= {name: partial(page, name) for name in STILLS}
    HERE.mkdir(exist_ok=True)
    for name in sys.argv[1:] or makers:
        with tempfile.TemporaryDirectory(prefix="strike-pictures-", ignore_cleanup_errors=True) as scratch:
            file = makers[name](Path(scratch))
        sys.stdout.write(f"{file.relative_to(Path.cwd())}: {file.stat().st_size // 1000} kB\n")


def terminal(home: Path) -> Path:
    """Record the full screen of `strike play`, in the middle of a fight."""
    folder = _campaign(home, *LEAD, *MIDDLE)
    with _shell(home, folder, columns=104, rows=32) as shell:
        shell.type("strike play")
        shell.press("Enter")
        shell.seen("Options")
        shell.press("Tab")
        return _write(
            "terminal.svg", still(_at_the_same_hour(shell.seen("Enter:")), "strike play, in a fight")
        )


def evening(home: Path) -> Path:
    """Record some minutes at the table: odds, a Cost, a fight on one screen, undo."""
    folder = _campaign(home, LEAD[0])
    shots: list[Shot] = []
    with _shell(home, folder, columns=104, rows=31) as shell:

        def look(wanted: str, seconds: float) -> None:
            shots.append(Shot(_at_the_same_hour(shell.seen(wanted)), seconds))

        def type_(line: str, wanted: str, seconds: float) -> None:
            for word in re.findall(r"\S+\s*", line):
                shell.type(word)
                look("", LETTER_SECONDS * len(word))
            shell.press("Enter")
            look(wanted, seconds)

        look("$", 0.6)
        type_("strike odds skill vex Sneaking --adv 'the fog'", "Twist", 2.6)
        type_("strike roll skill odo Haggling --dice 3", "angry", 1.8)
        type_("angry", "is Angry", 2.0)
        shell.press("C-l")
        type_("strike combat start ford", "Next:", 2.0)
        type_(f"strike initiative --dice {ORDER} --choose as-listed", "Initiative:", 0.8)
        type_("strike next && strike play", "Options", 1.6)
        shell.press("Right", "Right", "Right", "Down", "Down")
        look("Enter: move vex E5", 1.4)
        shell.press("Enter")
        look("moves from", 1.2)
        type_("attack g3 lantern --dice 3", "glancing", 1.8)
        shell.press("2")
        look("is Dazzled", 1.8)
        shell.press("u")
        look("ndo", 1.2)
        shell.press("u")
        look("1 damage", 2.6)
    return _write("evening.svg", moving(shots, "Some minutes of an evening with strike"))


def page(name: str, home: Path) -> Path:
    """Record some commands and their output, for a page that teaches."""
    made = STILLS[name]
    folder = _campaign(home, *made.before)
    with _shell(home, folder, columns=104, rows=60) as shell:
        for line in made.typed:
            shell.type(line)
            shell.press("Enter")
            shell.ended()
        screen = _at_the_same_hour(shell.seen()).rstrip().rpartition("\n")[0]
    return _write(f"{name}.svg", still(screen, made.title))


def table(home: Path) -> Path:
    """Photograph the page that players look at, in the middle of the same fight."""
    from playwright.sync_api import sync_playwright

    from strike_cli.systems.campaign.commands.table import OWN, running_bridge, running_table

    folder = _campaign(home, *LEAD, *MIDDLE)
    program = next(path for name in BROWSERS if (path := shutil.which(name)))
    with contextlib.ExitStack() as stack:
        with Campaign(folder) as campaign:
            target, title = campaign.book.targets.get("table", OWN), campaign.book.name
        running = stack.enter_context(running_table(folder, title, port=0))
        bridge = stack.enter_context(running_bridge(folder, running, target))
        bridge.wait_until_delivered()
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(
            viewport={"width": PAGE[0], "height": PAGE[1]}, color_scheme="light", timezone_id="UTC"
        )
        page.goto(running.url)
        page.get_by_text("Vex Marlowe").first.wait_for()
        page.wait_for_timeout(1500)  # until tokens have walked to where they are
        page.evaluate("document.querySelectorAll('time').forEach(time => { time.textContent = '8:15 PM' })")
        shot = base64.b64encode(page.screenshot()).decode()
        # The browser itself knows WebP, a fifth of the size: no other program is needed.
        webp = page.evaluate(
            """async shot => {
                const image = new Image(); image.src = "data:image/png;base64," + shot; await image.decode();
                const canvas = document.createElement("canvas");
                canvas.width = image.width; canvas.height = image.height;
                canvas.getContext("2d").drawImage(image, 0, 0);
                return canvas.toDataURL("image/webp", 0.86).split(",")[1];
            }""",
            shot,
        )
        browser.close()
    file = HERE / "table.webp"
    file.write_bytes(base64.b64decode(webp))
    return file


def _campaign(home: Path, *lines: str) -> Path:
    """Make the example campaign, and play these commands in it."""
    import io
    import shlex

    folder = create_campaign(home / "lantern-road", seed=SEED)
    for line in lines:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = run_command_line(["-C", str(folder), *shlex.split(line)], UNATTENDED)
        assert code in (0, 6), f"{line}: {said.getvalue()}"
    return folder


@contextlib.contextmanager
def _shell(home: Path, folder: Path, *, columns: int, rows: int) -> Iterator[Terminal]:
    shell = Terminal(columns, rows, folder, Path(sys.executable).parent, home)
    try:
        yield shell
    finally:
        shell.close()


def _at_the_same_hour(screen: str) -> str:
    return re.sub(r"(#\d+ )\d\d:\d\d", r"\g<1>20:15", screen)


def _write(name: str, svg: str) -> Path:
    file = HERE / name
    file.write_text(svg, encoding="utf-8")
    return file


if __name__ == "__main__":
    main()
