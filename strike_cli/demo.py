"""`strike demo`: an evening that plays itself, with the table open beside it."""

from __future__ import annotations

import contextlib
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.terminal.command_output import NumberHeading

from .campaign.create import create_campaign_folder, example_folder_of_system
from .command_line_splitting import quote_word_if_needed
from .kernel.state_changes import pending_decisions_in
from .session.line_play_and_report import play_line
from .session.python_session import Session
from .terminal.argument_completions import FOLDER
from .terminal.command_output import Block, Line, Result, Table, print_result
from .terminal.commands_and_options import Options, command, new_app
from .terminal.invocation import UNATTENDED
from .terminal.roll_and_chart_options import ExampleOf

if TYPE_CHECKING:
    from strike_bridge.payloads import ReadToken

    from .campaign import Campaign
    from .systems.campaign.commands.table import RunningBridge

app = new_app("The demonstration.")

SEED = 77
"""The seed of the demo: an evening worth watching, with a hit on most rungs of the ladder."""

ENOUGH = 400
"""The most commands of a demo, more than any fight of the example takes: a demo must end."""

SLOW = 2.0
"""Seconds after each command of a demo with somebody watching."""

SCENES = [
    ["session", "start", "--title", "Dusk at the ford"],
    ["odds", "skill", "vex", "Sneaking", "--help-from", "sela"],
    ["roll", "skill", "vex", "Sneaking", "--help-from", "sela"],
    ["roll", "opposed", "odo", "Haggling", "--against", "goblin", "Threatening", "--theirs", "unskilled"],
    ["combat", "start", "ford"],
    ["combat", "initiative"],
]


@command(app, "demo", kind="reads")
def demo(
    options: Options,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar=FOLDER, help="Keep the campaign in this folder.")
    ] = None,
    table: Annotated[bool, typer.Option("--table/--no-table", help="With the embedded table.")] = True,
    slow: Annotated[
        bool, typer.Option("--slow", help="Wait two seconds after each command, so that you can read along.")
    ] = False,
    system: ExampleOf = "",
) -> Result:
    """Play an evening of the example campaign: rolls, a fight to its end, the table in the browser.

    --system plays the evening of another game. An evening takes less than a minute, with --slow about three
    minutes.

    At a terminal, the demo begins when you press Enter. Afterwards the table stays open until Ctrl-C, so that
    you can look around and play on. Without a terminal, or with --no-table, the demo begins and ends by
    itself.

    Example: `strike demo --keep my-campaign`
    """
    stay = sys.stdin.isatty() and sys.stdout.isatty() and not options.json
    with contextlib.ExitStack() as stack:
        if keep is None:
            folder = (
                Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="strike-demo-"))) / "campaign"
            )
        else:
            folder = Path(keep)
        create_campaign_folder(folder, seed=SEED, system=system)
        kind = ScriptedEvening if system else DemoEvening
        pause = SLOW if slow else 0.25 if stay and table else 0.0
        evening = kind(folder, options, pause, system)
        if not table:
            evening.play_evening()
            return _evening_result(evening, None, table_stays_open=False, campaign_is_kept=keep is not None)
        return _play_evening_with_table(evening, options, stay, keep is not None, stack)


def _play_evening_with_table(
    evening: DemoEvening, options: Options, stay_open: bool, is_kept: bool, stack: contextlib.ExitStack
) -> Result:
    from .systems.campaign.commands.table import (
        DEFAULT_TABLE_TARGET,
        PORT,
        PortTaken,
        running_bridge,
        running_table,
    )

    folder = evening.folder
    target, title = evening.game.book.targets.get("table", DEFAULT_TABLE_TARGET), evening.game.name
    try:
        running = stack.enter_context(running_table(folder, title, port=PORT))
    except PortTaken:
        running = stack.enter_context(running_table(folder, title, port=0))
    bridge = stack.enter_context(running_bridge(folder, running, target))
    evening.print_lines([("The table is ready: open ", ""), (running.url, "strong"), " and watch."])
    if stay_open:
        evening.print_lines(("Press Enter when you see it, and the evening begins.", "dim"))
        wait_for_enter()
    evening.play_evening(before_fight_finish=lambda: evening.compare_with_table(bridge))
    bridge.wait_until_delivered()
    result = _evening_result(
        evening, running.url, table_stays_open=stay_open, campaign_is_kept=is_kept or stay_open
    )
    if stay_open:
        print_result(result, plain=options.plain, command_form=options.invocation.command_form)
        result.blocks = [("The table is closed.", "dim")]
        running.wait_for_end_event_or_ctrl_c()
    return result


def _evening_result(
    evening: DemoEvening, url: str | None, *, table_stays_open: bool, campaign_is_kept: bool
) -> Result:
    data = {
        "folder": str(evening.folder),
        "url": url,
        "commands": evening.count,
        "tokens_equal": evening.equal,
        "tokens": evening.tokens,
    }
    lines: list[Block] = ["", (f"That was an evening: {evening.count} commands.", "title")]
    where = evening.folder
    if campaign_is_kept:
        lines.append(f"The campaign is in {where}:")
        lines.append("You write campaign.toml. strike writes state.toml and journal/.")
        if table_stays_open:
            lines.append([evening.table_label, (str(url), "strong")])
        for words, why in (
            (evening.next_command, "Play on" + (", in another terminal" if table_stays_open else "")),
            ("log", "The commands"),
            (
                "undo",
                "Take the last command back" + (", and watch the table follow" if table_stays_open else ""),
            ),
        ):
            lines.append((f"{why}:", "dim"))
            lines.append(["  ", (f"strike -C {quote_word_if_needed(str(where))} {words}", "command")])
    else:
        lines.append("It was played in a temporary folder.")
        lines.append([("strike demo --keep DIR", "command"), " keeps the campaign."])
    own = f"strike new my-campaign{f' --system {evening.system}' if evening.system else ''}"
    lines.append(["A campaign of your own: ", (own, "command")])
    if table_stays_open:
        lines.append(("Ctrl-C closes the table.", "dim"))
    return Result("demo", data, lines)


class DemoEvening:
    """The player of the demo: it plays the commands that a game master would type, and shows them."""

    next_command = "combat initiative"
    table_label = "The next fight is ready on the table: "

    def __init__(self, folder: Path, options: Options, pause: float, system: str = "") -> None:
        self.folder = folder
        self.game = Session(folder)
        self.options = options
        self.pause = pause
        self.system = system
        self.count = 0
        self.equal: bool | None = None
        self.tokens = 0

    def print_lines(self, *lines: Line | Table) -> None:
        """Print lines that the demo adds to the commands' output, unless a program reads the output."""
        if not self.options.json:
            print_result(
                Result("demo", None, lines),
                plain=self.options.plain,
                command_form=self.options.invocation.command_form,
            )

    def pause_if_watched(self, seconds: float) -> None:
        """Wait these seconds if somebody watches."""
        if self.pause:
            time.sleep(seconds)

    def type_command(self, *words: str) -> int:
        """Play one command as typed, and return its exit code."""
        self.count += 1
        self.print_lines("", [("$ ", "dim"), (shlex.join(["strike", *words]), "strong")])
        here = UNATTENDED._replace(folder=str(self.folder), plain=self.options.plain)
        code = (
            self.game.play_for_result(words, here).exit_code
            if self.options.json
            else play_line([*words], here)
        )
        self.pause_if_watched(self.pause)
        return code

    def play_evening(self, before_fight_finish: Callable[[], object] = lambda: None) -> None:
        """Play the whole evening; `before_fight_finish` is called before the fight is finished."""
        for words in SCENES:
            self.play_and_take_first_options(*words, *(["--seed", str(SEED)] if words[0] == "roll" else []))
        looked = False
        while self.count < ENOUGH:
            words = list(next_fight_command_words(self.game.current_campaign()))
            if not words:
                break
            if words[1] == "attack" and not looked:
                looked = True
                self.play_and_take_first_options("combat", "options")
            self.play_and_take_first_options(*words)
        self.play_and_take_first_options("combat", "map")
        before_fight_finish()
        self.play_and_take_first_options("combat", "finish")
        self.play_and_take_first_options("status")
        self.play_and_take_first_options("combat", "start", "gallery")

    def play_and_take_first_options(self, *words: str) -> None:
        """Play a command, and answer its decisions."""
        code = self.type_command(*words)
        while code == 6 and self.count < ENOUGH:
            pending = next(iter(pending_decisions_in(self.game.state).values()))
            options = pending["options"]
            wanted = {"glancing": "damage", "miss tokens": options[-1]}
            code = self.type_command("choose", wanted.get(pending["what"], options[0]))

    def compare_with_table(self, bridge: RunningBridge) -> None:
        """Read the tokens back from the table, compare them with the campaign, and show both."""
        bridge.wait_until_delivered()
        drift, tokens = bridge.read_token_differences(), bridge.read_tokens()
        self.equal, self.tokens = not drift, len(tokens)
        rows = [
            [
                str(token["name"]),
                _square_of_token(token),
                f"{token['hp']['value']}/{token['hp']['max']}" if token["hp"] else "-",
            ]
            for token in tokens
        ]
        self.print_lines(
            "", ("Read back from the table:", "title"), Table(["Token", "At", NumberHeading("HP")], rows)
        )
        if self.equal:
            self.print_lines((f"All {len(tokens)} tokens on the table match the campaign.", "good"))
        else:
            self.print_lines((f"The table differs: {drift}", "bad"))
        self.pause_if_watched(1.0)


def wait_for_enter() -> None:
    """Wait until the user has pressed Enter, or no more input can come."""
    sys.stdout.flush()
    sys.stdin.readline()


class ScriptedEvening(DemoEvening):
    """The demo evening of a system's example, played from the script `evening.strike`."""

    next_command = "status"
    table_label = "The table is still open: "

    def play_evening(self, before_fight_finish: Callable[[], object] = lambda: None) -> None:
        """Play the script; `before_fight_finish` is called before its last command."""
        script = (example_folder_of_system(self.system) / "evening.strike").read_text(encoding="utf-8")
        *lines, last = (line for line in script.splitlines() if line and not line.startswith("#"))
        for line in lines:
            self.play_and_take_first_options(*shlex.split(line))
        before_fight_finish()
        self.play_and_take_first_options(*shlex.split(last))


def _square_of_token(token: ReadToken) -> str:
    from .tabletop.grid import format_square

    at = token["position"]
    return format_square((at["x"], at["y"])) if at else "-"


def next_fight_command_words(campaign: Campaign, without_auto: bool = False) -> Iterator[str]:
    """Yield the words of the next command in the fight; nothing once the fight is decided.

    The next creature acts by `combat auto`, unless `without_auto` is True. In any other case, the bot chooses
    the command of the combatant whose turn it is. Between turns, the command is `combat turn`.
    """
    from .kernel.procedure import World
    from .systems.combat.bots.full_bot import FullBot
    from .systems.combat.fight_state import Fight

    world = World(campaign.book, campaign.state)
    fight = Fight(world)
    if fight.fight_outcome():
        return
    person = fight.data.get("active")
    yield "combat"
    if not without_auto and not fight.is_player(person or fight.next_combatant()):
        yield "auto"
    else:
        option = FullBot().choose_command(world) if person else None
        yield from option.typed if option else ("turn",)
