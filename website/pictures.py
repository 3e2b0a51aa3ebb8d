"""Records the pictures for README and site from the program: `make pictures`.

The dice are fixed, and the log's time is always written as 20:15. So a new picture differs from the old one
only if the program's output has changed. Recording needs chromium and tmux.
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
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.cli.app import run_command_line_or_complete
from strike_cli.terminal.invocation import UNATTENDED

from .terminal_pictures import Shot, Terminal, animated_svg, still_svg

PICTURES_FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
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
PAGE_SIZE = (1280, 800)


class PagePicture(NamedTuple):
    """The picture of a teaching page: lines played before it, lines typed in it, and its title."""

    before: tuple[str, ...]
    typed: tuple[str, ...]
    title: str


STILLS = {
    "characters": PagePicture((), ("strike card vex",), "A character's card"),
    "combat": PagePicture(
        (*LEAD, *MIDDLE),
        ("strike combat map", "strike odds attack . g3 lantern", "strike attack g3 lantern --dice 5"),
        "A fight: the map, the odds of an attack, the attack",
    ),
    "conflict": PagePicture(
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
    "chase": PagePicture(
        ("chase start causeway", "chase run flee", "chase predict hide"),
        ("strike chase roll --dice 4,5,3", "strike odds chase --whole"),
        "A round of a chase, and how the chase may end",
    ),
    "bridge": PagePicture(
        ("session start", "roll skill vex Climbing --dice 5"),
        ("strike bridge doctor", "strike bridge status"),
        "What a target was sent, and what waits",
    ),
    "prep": PagePicture(
        ("session start", "clock add 'The tide' 6", "clock tick 'The tide' 2"),
        ("strike prep --sim", "strike clock list", "strike find ferry"),
        "Tonight's scenes, its clocks, and a search",
    ),
    "powers": PagePicture(
        (),
        ("strike content explain lantern-flare", "strike content try 'lantern flare' --dice 5"),
        "A power read back in words, and tried on dummies",
    ),
    "plugins": PagePicture(
        (), ("strike plugin list", "strike plugin show elements"), "The plugins, and what one brings"
    ),
}
"""A picture of the terminal for each teaching page that has no other."""
LETTER_SECONDS = 0.07


def main() -> None:
    """Make all pictures, or those named in `sys.argv`: terminal, evening, table, or a key of STILLS."""
    makers: dict[str, Callable[[Path], Path]] = {
        "terminal": photograph_play_screen,
        "evening": record_evening,
        "table": photograph_table_page,
    }
    makers |= {name: partial(photograph_commands_of_page, name) for name in STILLS}
    PICTURES_FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or makers:
        with tempfile.TemporaryDirectory(prefix="strike-pictures-", ignore_cleanup_errors=True) as scratch:
            file = makers[name](Path(scratch))
        sys.stdout.write(f"{file.relative_to(Path.cwd())}: {file.stat().st_size // 1000} kB\n")


def photograph_play_screen(home: Path) -> Path:
    """Record the full screen of `strike play`, in the middle of a fight."""
    folder = _play_in_example_campaign(home, *LEAD, *MIDDLE)
    with _open_shell(home, folder, columns=104, rows=32) as shell:
        shell.type("strike play")
        shell.press("Enter")
        shell.wait_for_screen("Options")
        shell.press("Tab")
        return _write_svg(
            "terminal.svg",
            still_svg(_with_fixed_hour(shell.wait_for_screen("Enter:")), "strike play, in a fight"),
        )


def record_evening(home: Path) -> Path:
    """Make an animated picture of some minutes at the terminal, and return its file.

    It shows odds, a Cost, a fight on one screen, and undo.
    """
    folder = _play_in_example_campaign(home, LEAD[0])
    shots: list[Shot] = []
    with _open_shell(home, folder, columns=104, rows=31) as shell:

        def look(wanted: str, seconds: float) -> None:
            shots.append(Shot(_with_fixed_hour(shell.wait_for_screen(wanted)), seconds))

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
    return _write_svg("evening.svg", animated_svg(shots, "Some minutes of an evening with strike"))


def photograph_commands_of_page(name: str, home: Path) -> Path:
    """Play some commands in a terminal, and save a picture of the commands and their output.

    `name` is a key of STILLS. Return the path of the picture, which is for a page of the manual.
    """
    made = STILLS[name]
    folder = _play_in_example_campaign(home, *made.before)
    with _open_shell(home, folder, columns=104, rows=60) as shell:
        for line in made.typed:
            shell.type(line)
            shell.press("Enter")
            shell.wait_for_prompt()
        screen = _with_fixed_hour(shell.wait_for_screen()).rstrip().rpartition("\n")[0]
    return _write_svg(f"{name}.svg", still_svg(screen, made.title))


def photograph_table_page(home: Path) -> Path:
    """Photograph the table's page for players in the middle of a fight; return the picture's path."""
    from playwright.sync_api import sync_playwright

    from strike_cli.systems.campaign.commands.table import DEFAULT_TABLE_TARGET, running_bridge, running_table

    folder = _play_in_example_campaign(home, *LEAD, *MIDDLE)
    program = next(path for name in BROWSERS if (path := shutil.which(name)))
    with contextlib.ExitStack() as stack:
        with Campaign(folder) as campaign:
            target, title = campaign.book.targets.get("table", DEFAULT_TABLE_TARGET), campaign.book.name
        running = stack.enter_context(running_table(folder, title, port=0))
        bridge = stack.enter_context(running_bridge(folder, running, target))
        bridge.wait_until_delivered()
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(
            viewport={"width": PAGE_SIZE[0], "height": PAGE_SIZE[1]}, color_scheme="light", timezone_id="UTC"
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
    file = PICTURES_FOLDER / "table.webp"
    file.write_bytes(base64.b64decode(webp))
    return file


def _play_in_example_campaign(home: Path, *lines: str) -> Path:
    """Make the example campaign in a folder below `home`, play these commands, and return the folder."""
    import io
    import shlex

    folder = create_campaign_folder(home / "lantern-road", seed=SEED)
    for line in lines:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = run_command_line_or_complete(["-C", str(folder), *shlex.split(line)], UNATTENDED)
        assert code in (0, 6), f"{line}: {said.getvalue()}"
    return folder


@contextlib.contextmanager
def _open_shell(home: Path, folder: Path, *, columns: int, rows: int) -> Iterator[Terminal]:
    shell = Terminal(columns, rows, folder, Path(sys.executable).parent, home)
    try:
        yield shell
    finally:
        shell.close()


def _with_fixed_hour(screen: str) -> str:
    return re.sub(r"(#\d+ )\d\d:\d\d", r"\g<1>20:15", screen)


def _write_svg(name: str, svg: str) -> Path:
    file = PICTURES_FOLDER / name
    file.write_text(svg, encoding="utf-8")
    return file


if __name__ == "__main__":
    main()
