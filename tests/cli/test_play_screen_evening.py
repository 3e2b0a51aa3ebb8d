"""A whole evening on the screen of `strike play`, by hand, with dice that fall on the table: four against
five by Grit, walls, a door, one who hides, reinforcements, a retreat: the golden evening of the hall."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.cli import Strike
from textual import events

from strike_cli.cli.play import create_screen
from strike_cli.terminal.screen.screen_drawing import draw_play_screen
from strike_cli.terminal.screen.text_rows import text_of_row

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parents[1] / "golden"
PATIENCE = 120.0
"""Seconds for a key to come to something on a machine that is busy."""
MOST = 20
"""Keys that a turn takes, Enter and Tab counted."""


class Turn(NamedTuple):
    """Somebody's turn: lines, each with its Enter, or single keys by their names, and what is on the screen
    then. A blank behind a face says that it is a line."""

    who: str
    steps: tuple[tuple[str, str], ...]

    @property
    def keys(self) -> int:
        """Every key that is pressed."""
        return sum(1 if keys in NAMED else len(keys.rstrip()) + 1 for keys, _ in self.steps)


NAMED = {"enter", *"123456789"}


def turn(who: str, *steps: tuple[str, str]) -> Turn:
    return Turn(who, steps)


EVENING = [
    turn("", ("grit start gallery", "The Lower Gallery begins")),
    # Round 1. Una opens the door; Pete has a clear shot down the hall.
    turn("Una", ("m u f4", "Una moves to F4"), ("door open g4", "open door")),
    turn(
        "Pete",
        ("m pe e4", "Pete moves to E4"),
        ("a pe f", "Type a face from 1 to 10"),
        ("10 ", "Type a face from 1 to 8"),
        ("2 ", "STR d8 to d6"),
    ),
    turn("Sam", ("m s f3", "Sam moves to F3")),
    turn("Wick", ("m w d3", "Wick moves to D3")),
    turn("Foreman", ("morale f", "Type a face from 1 to 10"), ("9 ", "Morale Save: 9. Saved")),
    turn("party", ("n", "Enemies' turn")),
    # The cutters come to the door; what was hidden comes over their heads.
    turn(
        "Salt Cutter 2",
        ("m c2 g4", "Salt Cutter 2 moves to G4"),
        ("a c2 u", "Type a face from 1 to 6"),
        ("4 ", "Grit 4 to 1"),
    ),
    turn("Salt Cutter 1", ("m c1 h3", "Salt Cutter 1 moves to H3")),
    turn("Salt Cutter 3", ("m c3 h5", "Salt Cutter 3 moves to H5")),
    turn("", ("reveal pi", "Pit Moth is Hidden no longer")),
    turn("Foreman", ("m f j4", "Foreman moves to J4")),
    turn("Pit Moth", ("m pi h4", "Pit Moth moves to H4")),
    turn("enemies", ("n", "Round 2")),
    # Round 2.
    turn(
        "Una",
        ("a u c2", "Type a face from 1 to 8"),
        ("7 ", "Type a face from 1 to 6"),
        ("3 ", "STR d6 to d4"),
    ),
    turn("Sam", ("a s c2 -w sl", "Type a face from 1 to 6"), ("4 ", "Incapacitated")),
    turn(
        "Pete",
        ("a pe f", "Type a face from 1 to 10"),
        ("9 ", "Type a face from 1 to 4"),
        ("4 ", "be above 2: 4"),
    ),
    turn("Wick", ("m w c3", "Wick moves to C3")),
    *(
        turn(
            who,
            ("1", "Enter: morale"),
            ("enter", "Type a face"),
            (f"{face} ", f"{who} makes a Morale Save: {face}"),
        )
        for who, face in (("Salt Cutter 1", 4), ("Salt Cutter 3", 4), ("Foreman", 7), ("Pit Moth", 4))
    ),
    turn("party", ("n", "Enemies' turn")),
    # Reinforcements by the game master's hand; the foreman whistles them in.
    turn("", ("join cutter:2 --at n3", "Salt Cutter 5 joins")),
    turn("Foreman", ("m f i4", "Foreman moves to I4")),
    turn("enemies", ("n", "Round 3")),
    # Round 3. Wick has seen enough, the others fall back; a token that was put wrong is put right.
    turn("Wick", ("morale w", "Type a face from 1 to 4"), ("2 ", "What does Wick do?"), ("1", "Wick flees")),
    turn("Una", ("m u d4", "Una moves to D4")),
    turn("Pete", ("m pe b4", "Pete moves to B4"), ("u", "Undone"), ("redo", "Done again")),
    turn("Sam", ("place s b3", "puts Sam on B3")),
    turn("party", ("n", "Enemies' turn")),
    turn("Foreman", ("m f h2", "Foreman moves to H2")),
    turn("enemies", ("n", "Round 4")),
    turn("", ("leave s --why out of the hall", "out of the hall")),
    turn("", ("leave pe --why with Sam on his back", "with Sam on his back")),
    turn("", ("leave u --why last, and backwards", "last, and backwards")),
    turn("", ('grit end --outcome "they got away, without the whistle"', "without the whistle")),
]


def shown(made: Any) -> str:
    return " ".join("\n".join(map(text_of_row, draw_play_screen(made.screen_state, 150, 45).rows)).split())


async def until(made: Any, words: str) -> None:
    """Until words are on the screen, and nothing is under way but a question about dice."""
    end = time.monotonic() + PATIENCE
    while (
        made.waiting_keys
        or (made.screen_state.running_command and made.screen_state.dice_prompt is None)
        or words not in shown(made)
    ):
        assert time.monotonic() < end, f"{words!r} is not on the screen:\n{shown(made)}"
        await asyncio.sleep(0.03)


async def typed(made: Any, turns: list[Turn]) -> None:
    for each in turns:
        for keys, words in each.steps:
            single = [keys] if keys in NAMED else [*keys.rstrip(), "enter"]
            for key in single:
                made.post_message(events.Key(key, key if len(key) == 1 else None))
            await until(made, words)


def told(strike: Strike, folder: Path) -> list[str]:
    """What the log has told of a fight."""
    entries = strike.json(f"-C {folder} log --last 200")["data"]["entries"]
    return [fact["text"] for entry in entries for fact in entry["facts"] if fact["text"]]


def test_three_rounds_and_a_retreat_are_played_by_keys(
    strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("STRIKE_CAMPAIGN", "")
    folders = [tmp_path / name for name in ("keys", "lines")]
    for folder in folders:
        folder.mkdir()
        shutil.copy(GOLDEN / "hall.toml", folder / "campaign.toml")
    strike(f"-C {folders[1]} batch {GOLDEN / 'hall.strike'}")
    by_keys = folders[0] / "campaign.toml"
    by_keys.write_text('dice = { mode = "physical" }\n' + by_keys.read_text("utf-8"), encoding="utf-8")

    async def session() -> None:
        made = create_screen(folders[0])
        async with made.run_test(size=(150, 45)):
            await typed(made, EVENING)

    asyncio.run(session())
    assert told(strike, folders[0]) == told(strike, folders[1])
    turns = [each for each in EVENING if each.who]
    assert [each for each in turns if each.keys > MOST] == []
