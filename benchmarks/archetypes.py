"""How the archetypes that come with strike do in mixed parties: the tables of docs/archetypes.md.

It takes hours, so `make bench` leaves it out:

    python -m benchmarks.archetypes full --draws 1230 --jobs 2 --into benchmarks/archetypes.full.jsonl

A draw deals the twelve archetypes into three parties of four, each with four different roles by lot. The
three meet the same creatures with the same dice. So every fight tells of four archetypes, and every archetype
fights once in every draw. A cell is a level with line or crowd; each counts for as much as any other, however
many draws it has. The file keeps a line for each draw: the same command again plays what is missing, and
prints what is known by then. Whoever changes what an archetype does plays its parties again: a third of all.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

from strike_cli.content.merged_content import Book, open_book
from strike_cli.sim.bot_players import NAMES
from strike_cli.sim.simulated_fight import FrozenCampaign, play_day
from strike_cli.sim.simulation_hooks import WON, Lineup

ARCHETYPES = (
    *("duelist", "longshot", "emberhand", "warden", "shade", "troubadour"),
    *("brawler", "stormcaller", "thornkeeper", "tinker", "mourner", "tidewalker"),
)
ROLES = ("striker", "defender", "leader", "controller", "skirmisher", "breaker")
LEVELS = (1, 5, 10)
TOGETHER = 4
"""The characters in a party."""
SEED = 34
SURE = 1.96
"""The standard errors that a number is off by at most, 19 times in 20."""

LINE, CROWD = "line", "crowd"
_LINE = ("road-knight", "chain-warden", "veiled-archer", "bog-bear", "bell-widow")
CREATURES: Mapping[tuple[int, str], Sequence[str]] = {
    (1, LINE): _LINE,
    (1, CROWD): ("pack-mother", "kennel-hound", "kennel-hound", "sling-boy"),
    (5, LINE): (*_LINE, "candle-priest", "road-knight"),
    (5, CROWD): ("pack-mother", *("kennel-hound",) * 3, *("sling-boy",) * 2),
    (10, LINE): (*_LINE, "candle-priest", *_LINE[:3]),
    (10, CROWD): ("pack-mother", "ford-ogre", *("kennel-hound",) * 3, *("sling-boy",) * 2),
}
"""The creatures that a party meets, by its level."""
CELLS = tuple(CREATURES)
SHARES: Mapping[str, Sequence[int]] = {"full": (10, 9, 5, 6, 4, 2)}
"""The shares of draws for each cell, where they aren't equal: proportional to the spread of the fights, over
the root of a fight's cost. For the same precision `full` needs a third less time.
"""
WIDE, HIGH = 16, 9
"""The squares of the map, which is empty."""


class Draw(NamedTuple):
    """Three parties, and their level and encounter. A party is four archetypes with roles."""

    number: int
    level: int
    encounter: str
    parties: Sequence[Sequence[tuple[str, str]]]


def draw(number: int) -> Draw:
    """Return the draw of a number, the same each time."""
    lots = Random(f"{SEED}/{number}")
    dealt = lots.sample(ARCHETYPES, len(ARCHETYPES))
    hands = [dealt[at : at + TOGETHER] for at in range(0, len(dealt), TOGETHER)]
    parties = [list(zip(hand, lots.sample(ROLES, TOGETHER), strict=True)) for hand in hands]
    return Draw(number, *CELLS[number % len(CELLS)], parties)


def campaign(level: int) -> str:
    """Return a campaign.toml with every archetype in every role at a level, and that level's encounters."""
    parts = [
        'schema = 1\nname = "Archetypes"\ninclude = ["strike:archetypes.toml", "strike:bestiary.toml"]\n'
    ]
    powers = _powers(level)
    for archetype in ARCHETYPES:
        for role in ROLES:
            own = json.dumps([*powers[archetype], *powers[role]])
            parts.append(f'[characters.{archetype}-{role}]\nname = "{archetype} {role}"\npowers = {own}\n')
    for (of, name), creatures in CREATURES.items():
        if of == level:
            parts.append(_encounter(name, creatures))
    return "\n".join(parts)


def _powers(level: int) -> Mapping[str, Sequence[str]]:
    """Return the powers up to a level, by archetype and role."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "campaign.toml").write_text('schema = 1\ninclude = ["strike:archetypes.toml"]\n')
        book = open_book(Path(folder))
    found: dict[str, list[str]] = {name: [] for name in (*ARCHETYPES, *ROLES)}
    for key, power in book.powers.items():
        whose = (power.get("keywords") or [""])[0]
        if whose in found and power.get("level", level + 1) <= level:
            found[whose].append(key)
    return found


def _encounter(name: str, creatures: Sequence[str]) -> str:
    """Return an encounter: the party on the left, the creatures on the right in columns, in their order."""
    rows = [["."] * WIDE for _ in range(HIGH)]
    for row in range(1, HIGH, 2):
        rows[row][1] = "P"
    letters = {each: chr(ord("a") + number) for number, each in enumerate(dict.fromkeys(creatures))}
    for number, each in enumerate(creatures):
        column, row = divmod(number, HIGH // 2)
        rows[2 * row + 1][WIDE - 5 + 2 * column] = letters[each]
    place = ", ".join(f'{letter} = "{each}"' for each, letter in letters.items())
    lines = "\n".join(map("".join, rows))
    return (
        f'[encounters.{name}]\nname = "{name}"\nmap = """\n{lines}\n"""\nplace = {{ P = "party", {place} }}\n'
    )


def books() -> Mapping[int, Book]:
    """Return the book of each level."""
    found = {}
    for level in LEVELS:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "campaign.toml").write_text(campaign(level))
            found[level] = open_book(Path(folder))
    return found


class Playing:
    """The player of draws in a process of its own, with the books of all levels, read once."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.frozen = {
            (level, name): FrozenCampaign.freeze(book, {}, "combat", [name], Lineup())
            for level, book in books().items()
            for name in (LINE, CROWD)
        }

    def won(self, number: int) -> list[bool]:
        """Return whether each party of a draw wins."""
        dealt = draw(number)
        of = self.frozen[dealt.level, dealt.encounter]
        won = []
        for party in dealt.parties:
            of.lineup = Lineup([f"{archetype}-{role}" for archetype, role in party])
            won.append(play_day(of, SEED, number, self.player).outcome == WON)
        return won


_playing: list[Playing] = []


def _prepare(player: str) -> None:
    _playing[:] = [Playing(player)]


def _played(number: int) -> tuple[int, list[bool]]:
    return number, _playing[0].won(number)


def missing(have: Collection[int], draws: int, player: str) -> list[int]:
    """Return the numbers of the draws that are still to be played, in order, out of `draws` in all."""
    shares = SHARES.get(player, (1,) * len(CELLS))
    done, wanted = [0] * len(CELLS), []
    for _ in range(draws):
        cell = min(range(len(CELLS)), key=lambda cell: (done[cell] + 1) / shares[cell])
        wanted.append(done[cell] * len(CELLS) + cell)
        done[cell] += 1
    return [number for number in wanted if number not in have]


# Results


class Effect(NamedTuple):
    """The effect of an archetype on the chance to win, in points.

    It is the difference from the average of all twelve archetypes in its place; `within` is how far that may
    be off, 95% sure.
    """

    points: float
    within: float


Played = Sequence[tuple[Draw, Sequence[bool]]]
"""Draws, each with whether every party won."""


def effects(draws: Played) -> Mapping[str, Effect]:
    """Return the effect of each archetype, the best first.

    Every archetype is in one party of each draw. Its companions are any three of the other eleven, whose
    average is below the mean by an eleventh of its own excess: hence 11/8. Cells count alike; each takes two
    draws, or none.
    """
    scale = 100 * (len(ARCHETYPES) - 1) / (len(ARCHETYPES) - TOGETHER)
    found = {}
    for archetype in ARCHETYPES:
        above = [_above(of_cell, archetype) for of_cell in by_cell(draws)]
        off = SURE * sqrt(sum(variance(one) / len(one) for one in above)) / len(above)
        found[archetype] = Effect(scale * fmean(map(fmean, above)), scale * off)
    return dict(sorted(found.items(), key=lambda item: -item[1].points))


def by_cell(draws: Played) -> list[Played]:
    """Return the draws of each cell that has any, in the order of the cells."""
    cells = [[one for one in draws if (one[0].level, one[0].encounter) == cell] for cell in CELLS]
    return [cell for cell in cells if cell]


def _above(draws: Played, archetype: str) -> list[float]:
    """Return for each draw whether the archetype's party won, less the share of winners among the three."""
    return [won[_party_of(dealt, archetype)] - fmean(won) for dealt, won in draws]


def _party_of(dealt: Draw, archetype: str) -> int:
    return next(
        number for number, party in enumerate(dealt.parties) if any(archetype == one for one, _ in party)
    )


def table(draws: Played) -> str:
    """Return the table of results for all archetypes in docs/archetypes.md.

    It takes two draws of each cell.
    """
    cells = by_cell(draws)
    lines = [f"{3 * len(draws)} fights, {len(draws)} of each archetype; {fmean(map(_won, cells)):.0%} won"]
    for of_cell in cells:
        dealt, _ = of_cell[0]
        lines.append(f"level {dealt.level}, {dealt.encounter}: {_won(of_cell):.0%} of {3 * len(of_cell)} won")
    lines += [
        "",
        "| archetype | from the middle | 95% sure | level 1 | level 5 | level 10 |",
        "|-|-|-|-|-|-|",
    ]
    levels = [effects(_at(level, draws)) for level in LEVELS]
    for archetype, (points, within) in effects(draws).items():
        each = " | ".join(_signed(level[archetype].points) for level in levels)
        sure = f"{_signed(points - within)} to {_signed(points + within)}"
        lines.append(f"| `{archetype}` | {_signed(points)} | {sure} | {each} |")
    return "\n".join(lines)


def _signed(points: float) -> str:
    return f"{round(points):+d}" if round(points) else "0"


def _at(level: int, draws: Played) -> Played:
    return [one for one in draws if one[0].level == level]


def _won(draws: Played) -> float:
    return fmean(fmean(won) for _, won in draws)


def read(file: Path) -> list[tuple[Draw, list[bool]]]:
    """Return the draws stored in a file."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [(draw(number), won) for number, won in map(json.loads, lines)]


def main() -> None:
    """Play the draws that are asked for, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("player", choices=NAMES)
    parser.add_argument("--draws", type=int, default=0, help="draws in all, three fights each")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play them")
    parser.add_argument("--into", type=Path, required=True, help="the file that keeps them")
    asked = parser.parse_args()
    have = {dealt.number for dealt, _ in read(asked.into)}
    todo = missing(have, asked.draws, asked.player)
    with (
        asked.into.open("a") as out,
        ProcessPoolExecutor(asked.jobs, None, _prepare, (asked.player,)) as pool,
    ):
        for number, won in pool.map(_played, todo):
            print(json.dumps([number, won]), file=out, flush=True)
    known = read(asked.into)
    cells = by_cell(known)
    enough = len(cells) == len(CELLS) and all(len(cell) > 1 for cell in cells)
    print(table(known) if enough else f"{len(known)} draws are too few for a table.")


if __name__ == "__main__":
    main()
