"""What a turn takes at the shell's prompt, counted from an evening that is typed by hand to its end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from cli.conftest import Typed
from support.cli import Strike

from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder

EVENING = Path(__file__).parents[1] / "data" / "ford_by_hand.txt"
ENTER = 1


class Turn(NamedTuple):
    """Somebody's turn: what was typed for it, from the `n` that begins it."""

    who: str
    lines: tuple[str, ...]

    @property
    def keys(self) -> int:
        """Every character, and Enter for every line."""
        return sum(len(line) + ENTER for line in self.lines)

    def has(self, verb: str) -> bool:
        """Whether a verb was typed in it."""
        return any(line.split()[0] == verb for line in self.lines)


def turns_of(prompts: list[str], lines: list[str]) -> Iterator[Turn]:
    """The turns of an evening, by who is named at the prompt once each has begun."""
    begins = [number for number, line in enumerate(lines) if line == "n"]
    for number, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        who = prompts[number + 1].rstrip("> ").rpartition(", ")[2]
        yield Turn(who, tuple(line for line in lines[number:end] if line != "fin"))


@pytest.fixture
def evening(strike: Strike, tmp_path: Path, at_shell: Typed) -> tuple[list[Turn], Path]:
    """The turns of the evening, played through the shell, and the campaign's folder."""
    folder = tmp_path / "ford"
    create_campaign_folder(folder, seed=3)
    lines = [line for line in EVENING.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    prompts = at_shell(*lines)
    assert strike(f"-C {folder} shell").err == ""  # nothing that was typed is refused
    return list(turns_of(prompts, lines)), folder


@pytest.mark.slow
def test_a_fight_of_ten_is_typed_in_few_keys(evening: tuple[list[Turn], Path]) -> None:
    """A player's turn (begin, move, attack with a power, end) takes 20 keystrokes at most, what they are
    asked on the way included, a creature's 12; with a Role Action besides 21."""
    turns, folder = evening
    with Campaign(folder) as campaign:
        assert "fight" not in campaign.state
        players = set(campaign.book.characters)
        ends = [past.entry["command"] for past in campaign.commands_in_effect()]
    assert ends[0] == "combat finish"
    assert len({turn.who for turn in turns}) == 10
    whole = [turn for turn in turns if turn.who in players and turn.has("m") and turn.has("a")]
    assert whole
    for turn in turns:
        if turn.who in players:
            assert turn.keys <= (21 if turn.has("u") else 20), turn
        else:
            assert turn.keys <= 12, turn
    words = [word for turn in turns for line in turn.lines for word in line.split()]
    assert not any("-" in word for word in words)  # nobody's id, no option
    assert sum(turn.keys for turn in turns) < 400


class Short(NamedTuple):
    """What is typed at a shell's prompt after some commands, keys at the most, and commands that it plays."""

    before: tuple[str, ...]
    lines: tuple[str, ...]
    most: int
    plays: tuple[str, ...]


FIGHT = ("combat start ford", "combat initiative --dice 6,5,4,3,2,2,2,2,2,1 --choose as-listed")
SHORT = {
    "a conflict's round for four": Short(
        ("conflict start lamp",),
        ("a v prog, b bl, s prog, o tak", "oppose tot", "n"),
        45,
        ("conflict acts", "conflict oppose", "conflict roll"),
    ),
    "a chase's round": Short(
        ("chase start causeway",), ("run fl", "pr fl", "n"), 20, ("chase run", "chase predict", "chase roll")
    ),
    "an attack's turn": Short(
        (*FIGHT, "combat turn", "combat move vex e5"),
        ("a g3 l -d4", "n"),
        14,
        ("combat attack", "combat end-turn", "combat turn"),
    ),
    "a fight from nothing": Short((), ("fight stoker:2",), 15, ("combat start",)),
    "an Opposed Roll against nobody": Short(
        (), ("roll o vex sneak --against stoker brawl",), 40, ("roll opposed",)
    ),
}


@pytest.mark.parametrize("what", SHORT)
def test_what_is_done_most_takes_few_keys(what: str, strike: Strike, tmp_path: Path, at_shell: Typed) -> None:
    """Each line is typed at the shell's prompt; a key is a character, or Enter."""
    folder, short = tmp_path / "road", SHORT[what]
    create_campaign_folder(folder, seed=3)
    for line in short.before:
        strike(f"-C {folder} {line}")
    at_shell(*short.lines)
    assert strike(f"-C {folder} shell").err == ""
    entries = strike.json(f"-C {folder} log")["data"]["entries"]
    assert tuple(entry["command"] for entry in entries)[-len(short.plays) :] == short.plays
    assert sum(len(line) + ENTER for line in short.lines) <= short.most
