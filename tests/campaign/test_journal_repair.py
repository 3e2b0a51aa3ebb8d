"""A damaged journal heals: whatever was damaged, every entry that can be read is kept, one plays on, and
later entries can be taken back (`strike doctor --mend`)."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from campaign.conftest import Strike
from campaign.evening import written_state
from support.edits import append_to
from support.evenings import GAMES, GameEvening, campaign_for
from support.thorough import THOROUGH

from strike_cli import Campaign, Problem, Refused
from strike_cli.campaign.journal import START, Journal, UnreadableLine
from strike_cli.kernel.state_changes import apply_changes, look_up

Lines = list[bytes]
Damage = Callable[[Lines, int, Random], Lines]
Read = dict[str, Any]

LINES: dict[str, Damage] = {
    "a line that is missing": lambda lines, at, random: [*lines[:at], *lines[at + 1 :]],
    "an edited line": lambda lines, at, random: [
        *lines[:at], lines[at].replace(b'"text":"', b'"text":"So it is told: '), *lines[at + 1 :]
    ],
    "a zeroed line": lambda lines, at, random: [*lines[:at], b"\0" * len(lines[at]), *lines[at + 1 :]],
    "a doubled line": lambda lines, at, random: [*lines[: at + 1], lines[at], *lines[at + 1 :]],
    "a file cut off": lambda lines, at, random: [*lines[:at], lines[at][: len(lines[at]) // 2]],
    "garbage between": lambda lines, at, random: [*lines[:at], b"\xff\xfe {not json\n", *lines[at:]],
    "shuffled lines": lambda lines, at, random: random.sample(lines, len(lines)),
    "an emptied file": lambda lines, at, random: [],
    "line ends turned round": lambda lines, at, random: [
        line.replace(b"\n", b"\r\n") for number, line in enumerate(lines) if number != at
    ],
}  # fmt: skip


def _byte(lines: Lines, at: int, random: Random) -> Lines:
    line = bytearray(lines[at])
    line[random.randrange(len(line) - 1)] = random.randrange(256)
    return [*lines[:at], bytes(line), *lines[at + 1 :]]


def _number(lines: Lines, at: int, random: Random) -> Lines:
    """What somebody does who wants more HP: another digit in a change."""
    line = bytearray(lines[at])
    begin = max(0, line.find(b'"changes"'))
    digits = [place for place in range(begin, len(line)) if chr(line[place]).isdigit()]
    if digits:
        line[random.choice(digits)] = ord(random.choice("123456789"))
    return [*lines[:at], bytes(line), *lines[at + 1 :]]


def _zeroed_across(lines: Lines, at: int, random: Random) -> Lines:
    raw = b"".join(lines)
    start = len(b"".join(lines[:at])) + random.randrange(40)
    return [raw[:start], b"\0" * min(700, len(raw) - start), raw[start + 700 :]]


def _swapped(lines: Lines, at: int, random: Random) -> Lines:
    other = min(at + 1, len(lines) - 1)
    lines = list(lines)
    lines[at], lines[other] = lines[other], lines[at]
    return lines


def _several(lines: Lines, at: int, random: Random) -> Lines:
    kinds = [LINES["a line that is missing"], _byte, _number, LINES["a zeroed line"]]
    for _ in range(3):
        if len(lines) > 1:
            lines = random.choice(kinds)(lines, random.randrange(len(lines)), random)
    return lines


LINES |= {
    "a byte": _byte, "another number": _number, "zeros across lines": _zeroed_across,
    "swapped lines": _swapped, "several": _several,
}  # fmt: skip
BRANCHES = ("merged", "conflicted", "a conflict copy")
"""What becomes of a file that has another branch elsewhere: git's union, git's marks, a program's copy."""
FILES = ("a file that is missing",)
KINDS = [*LINES, *FILES, *BRANCHES]
CORE = GameEvening("core", "", ())
PLAYED = [CORE, *GAMES]
OF_CORE = [
    "condition add vex winded --why stairs", "condition add brann angry --why rain",
    "condition remove vex winded", "roll skill vex Climbing --dice 5", "roll skill brann Hauling",
    "note more", "roll die --dice 3", "recover vex winded --rest minutes", "ap give vex --why luck",
    "wealth cash add vex 2 --why purse", "fallback vex --text rope",
]  # fmt: skip
COMMANDS = 25
VARIANTS = 3
"""Random evenings of each kind."""


class Evenings(NamedTuple):
    """A campaign that was played, and a copy of it that was played on otherwise from some entry on."""

    folder: Path
    other: Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, int], Evenings]:
    """Plays a random evening, each once: the number of what is played, and which of such evenings."""
    return cache(lambda number, variant: play(number, variant, tmp_path_factory.mktemp("evening")))


def play(number: int, variant: int, place: Path) -> Evenings:
    """A random evening: a scene of a game, in two sessions, with undo and redo."""
    evening, random = PLAYED[number], Random(f"{number} {variant}")
    folder, other = place / "own", place / "other"
    with campaign_for(evening, variant, folder) as campaign:
        append_to(folder / "campaign.toml", "\n[backup]\nkeep = 0\n")
        campaign.play("session start")
        parts = COMMANDS - random.randint(2, 8)
        for step in range(COMMANDS):
            if step == COMMANDS // 2:
                with suppress(Refused):  # a decision may wait
                    campaign.play("session end")
                    campaign.play("session start")
            if step == parts:
                shutil.copytree(folder, other)
            if random.random() < 0.2 and step:
                with suppress(Refused):
                    campaign.play("undo", str(random.randint(1, 2)))
                    campaign.play(random.choice(["redo", "status"]))
            else:
                play_one(campaign, evening, random)
    (other / "state.toml").unlink(missing_ok=True)
    with Campaign(other) as campaign:
        for _ in range(3):
            play_one(campaign, evening, random)
    return Evenings(folder, other)


def play_one(campaign: Campaign, evening: GameEvening, random: Random) -> None:
    """Play a random command that may be played, or begin a scene where none is on."""
    if waiting := campaign.pending:
        key, decision = next(iter(waiting.items()))
        campaign.play("choose", "--for", key, random.choice(decision.options))
    elif options := campaign.options():
        verb = random.choice(sorted({command.words[1] for command in options}))
        with suppress(Refused):
            campaign.play(list(random.choice([each for each in options if each.words[1] == verb]).words))
    elif evening.begin and not campaign.scenes:
        for line in evening.begin:
            campaign.play(line)
    else:
        with suppress(Problem):
            campaign.play(random.choice(OF_CORE))


def readable(folder: Path) -> Iterator[tuple[bytes, Read]]:
    """What can be read of a journal's files and of their copies, line by line; each with its line."""
    journal = Journal(folder)
    for file in sorted((folder / "journal").glob("*.jsonl")):
        for line in file.read_bytes().replace(b"\r\n", b"\n").splitlines(keepends=True):
            with suppress(UnreadableLine):
                yield line, dict(journal.decode_line(line, file.name))


def content(entry: Read) -> Read:
    """An entry without its place in the journal."""
    return {key: value for key, value in entry.items() if key not in ("after", "prev", "head", "identity")}


def is_kept(kept: Read, edited: Read) -> bool:
    """Return whether all of an edited entry is kept but the values that it changes.

    What those behind it met, and it doesn't change, is added to its last fact.
    """
    paths = [[[path for path, _, _ in fact["changes"]] for fact in each["facts"]] for each in (kept, edited)]
    bare = [[{**fact, "changes": []} for fact in each["facts"]] for each in (kept, edited)]
    return ({**content(kept), "facts": bare[0]} == {**content(edited), "facts": bare[1]}) and all(
        after[: len(before)] == before for after, before in zip(*paths, strict=True)
    )


def damaged(folder: Path, other: Path, kind: str, random: Random) -> None:
    """Let something befall a campaign's journal."""
    file = random.choice(sorted((folder / "journal").glob("*.jsonl")))
    lines = file.read_bytes().splitlines(keepends=True)
    at = random.choice([0, len(lines) - 1, random.randrange(len(lines))])
    if kind in LINES:
        file.write_bytes(b"".join(LINES[kind](lines, at, random)))
    elif kind in FILES:
        file.unlink()
    else:
        file = max((folder / "journal").glob("*.jsonl"))
        lines = file.read_bytes().splitlines(keepends=True)
        theirs = (other / "journal" / file.name).read_bytes().splitlines(keepends=True)
        begin = next(
            number for number, pair in enumerate(zip(lines, theirs, strict=False)) if pair[0] != pair[1]
        )
        if kind == "a conflict copy":
            copy = file.with_name(f"{file.stem} (Ana's conflicted copy 2026-11-22).jsonl")
            shutil.copy2(other / "journal" / file.name, copy)
        elif kind == "merged":
            file.write_bytes(b"".join([*lines, *theirs[begin:]]))
        else:
            ours = [b"<<<<<<< HEAD\n", *lines[begin:], b"=======\n"]
            file.write_bytes(b"".join([*lines[:begin], *ours, *theirs[begin:], b">>>>>>> main\n"]))


SEEDS = [
    pytest.param(seed, marks=() if seed in range(0, len(KINDS), 3) else pytest.mark.slow)
    for seed in range(500 if THOROUGH else 6 * len(KINDS))
]
"""Everyday every third kind of damage befalls an evening of the core, otherwise all those of all games."""


@pytest.mark.parametrize("seed", SEEDS)
def test_every_entry_that_can_be_read_is_kept(
    seed: int, played: Callable[[int, int], Evenings], tmp_path: Path, strike: Strike
) -> None:
    kind = KINDS[seed % len(KINDS)]
    number = seed % len(PLAYED) if seed >= len(KINDS) else 0
    random, evening = Random(seed), PLAYED[number]
    own = played(number, seed % VARIANTS)
    folder = shutil.copytree(own.folder, tmp_path / "evening")
    whole = {entry["seq"]: (line, entry) for line, entry in readable(folder)}
    state = written_state(folder)
    damaged(folder, own.other, kind, random)
    if not (has_state := random.random() < 0.6):
        (folder / "state.toml").unlink()
    before = list(readable(folder))
    files = [path.read_bytes() for path in (folder / "journal").glob("*.jsonl")]
    mended = strike("doctor --mend", folder)
    assert mended.code == 0 or "!! state.toml: " in mended.out, (kind, evening.name, mended)

    after = {entry["seq"]: dict(entry) for entry, _, _ in Journal(folder).entries_since(START)}
    assert list(after) == sorted(after)
    beside = b"".join(path.read_bytes() for path in (folder / "journal").iterdir()).replace(b"\r\n", b"\n")
    for raw in files:
        assert all(line in beside for line in raw.replace(b"\r\n", b"\n").splitlines()), kind
    holes = sum("missing_from" in each for each in after.values())
    assert holes == strike("log --last 99", folder).out.count("missing here: the journal was damaged")
    edited = False
    for seq in {entry["seq"] for _, entry in before} & (after.keys() if kind in BRANCHES else whole.keys()):
        sides = [(line, entry) for line, entry in before if entry["seq"] == seq]
        if kind not in BRANCHES and whole[seq][0] in dict(sides):
            sides = [whole[seq]]
        elif kind not in BRANCHES:
            edited = True
            assert any(is_kept(after[seq], entry) for _, entry in sides), (kind, seq)
            continue
        assert content(after[seq]) in [content(entry) for _, entry in sides], (kind, seq)
    folded: Read = {}
    for entry in after.values():
        for fact in entry["facts"]:
            for path, was, now in fact["changes"]:
                assert look_up(folded, path) == was, (kind, entry["seq"], path)
                folded = apply_changes(folded, [(path, None, now)])
    with Campaign(folder) as campaign:
        then = campaign.state
        assert then == folded
        # Where the last line was edited, it counts.
        if has_state and kind not in BRANCHES and whole[max(whole)][0] in dict(before):
            assert then == state, kind
        # A number that somebody edited may be none that can be: the doctor names it and how to put it right.
        playable = not edited or strike("doctor", folder).code == 0
        for _ in range(3 if playable else 0):
            play_one(campaign, evening, random)
        campaign.play("note later")
        back = 0
        while campaign.state != then:
            campaign.play("undo")
            back += 1
            assert back < 9
        with suppress(Refused):
            while True:
                campaign.play("undo")
                back += 1
        campaign.play("redo", str(back))
    # What is known behind a hole is what later entries met, but for the last one, which state.toml tells of.
    again = strike("doctor", folder)
    assert again.code == 0 or (edited and "!! state.toml: " in again.out), (kind, evening.name, again.out)
    if not edited and (has_state or not holes) and holes < 2:
        differences = strike("replay --verify --json", folder).json["data"]["differences"]
        assert differences == [], (kind, evening.name)


def without_lines(folder: Path, first: int, last: int) -> int:
    """Lose some entries of the first session. Returns how many are left."""
    file = folder / "journal" / "0001.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    del lines[first - 1 : last]
    file.write_bytes(b"".join(lines))
    return len(lines)


REPORTS = ("session report 1", "session report 1 --player", "session report 1 --markdown",
           "session report --all", "session story 1", "session story 1 --player --markdown")  # fmt: skip


def test_a_hole_is_marked_and_said_in_log_and_reports(folder: Path, strike: Strike, tmp_path: Path) -> None:
    for words in ("session start", *OF_CORE[:4], "undo", "session end"):
        assert strike(words).code == 0
    left = without_lines(folder, 3, 4)
    says = "#3 to #4 can't be read"
    assert f"{left} entries can be read and are kept; {says}" in strike("doctor").out
    assert says in strike("doctor --mend").out
    assert "Entries #3 to #4 are missing here" in strike("log --session 1").out
    for report in REPORTS:
        told = " ".join(strike(report).out.split())
        assert "(part of it is missing: the journal was damaged)" in told, report
    for ending in ("html", "md"):
        page = tmp_path / f"report.{ending}"
        assert strike(f"session report 1 --player --out {page}").code == 0
        assert "part of it is missing" in page.read_text(encoding="utf-8")
    assert strike("session story 1 --json").json["data"]["missing"] == 1
    assert strike("doctor").code == 0


def test_a_replay_says_that_a_hole_may_be_why_it_differs(folder: Path, strike: Strike) -> None:
    """Without state.toml nothing tells of a Condition that no later entry changed."""
    for words in ("condition add vex exhausted", "roll skill vex Climbing --dice 6,6", "note later"):
        assert strike(words).code == 0
    without_lines(folder, 1, 1)
    (folder / "state.toml").unlink()
    assert strike("doctor --mend").code == 0
    verified = strike("replay --verify")
    assert verified.code != 0
    assert "#1 is missing here" in verified.out


def test_a_scene_that_began_in_a_hole_is_off_the_table(folder: Path, strike: Strike) -> None:
    for words in ("note one", "combat start ford", "combat damage goblin 1 --why rock", "note two"):
        assert strike(words).code == 0, strike(words)
    without_lines(folder, 2, 2)
    (folder / "state.toml").unlink()
    assert strike("doctor --mend").code == 0
    assert "Fight began in what is missing" in strike("log").out
    assert strike("doctor").code == 0
    assert strike("combat start ford").code == 0
