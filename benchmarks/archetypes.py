"""The win rates of strike's archetypes in mixed parties: a table of docs/archetypes.md.

It takes more than an hour, so `make bench` leaves it out:

    python -m benchmarks.archetypes full --draws 394 --into benchmarks/archetypes.full.jsonl

A draw deals the twelve archetypes into three parties of four, each with four different random roles. The
three parties meet the same creatures with the same dice. So every archetype fights once in every draw.

A cell is a level (1, 5 or 10) with an encounter (`line` or `crowd`). All cells count alike, however many
draws they have.

The output file gets a line for each draw. Running the same command again plays only the missing draws, then
prints the table for all draws in the file. Draws that are in the file are never played again. So after a
change to an archetype, delete the file and play all draws.
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
from strike_cli.sim.bot_players import PLAYER_NAMES
from strike_cli.sim.simulated_fight import FrozenCampaign, play_day_until_not_won
from strike_cli.sim.simulation_hooks import WON, Lineup

ARCHETYPES = (
    *("duelist", "longshot", "emberhand", "warden", "shade", "troubadour"),
    *("brawler", "stormcaller", "thornkeeper", "tinker", "mourner", "tidewalker"),
)
ROLES = ("striker", "defender", "leader", "controller", "skirmisher", "breaker")
LEVELS = (1, 5, 10)
PARTY_SIZE = 4
"""The characters in a party."""
SEED = 34
STANDARD_ERRORS = 1.96
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
MAP_WIDTH, MAP_HEIGHT = 16, 9
"""The squares of the map, which is empty."""


class Draw(NamedTuple):
    """A random draw of three parties, with the level and the encounter that they play.

    A party has four archetypes, each with a role.
    """

    number: int
    level: int
    encounter: str
    parties: Sequence[Sequence[tuple[str, str]]]


def deal_draw(number: int) -> Draw:
    """Return the draw with this number. The same number always gives the same draw."""
    lots = Random(f"{SEED}/{number}")
    dealt = lots.sample(ARCHETYPES, len(ARCHETYPES))
    hands = [dealt[at : at + PARTY_SIZE] for at in range(0, len(dealt), PARTY_SIZE)]
    parties = [list(zip(hand, lots.sample(ROLES, PARTY_SIZE), strict=True)) for hand in hands]
    return Draw(number, *CELLS[number % len(CELLS)], parties)


def campaign_toml(level: int) -> str:
    """Return the text of a campaign.toml with every archetype in every role at one level.

    The campaign has that level's encounters, too.
    """
    parts = [
        'schema = 1\nname = "Archetypes"\ninclude = ["strike:archetypes.toml", "strike:bestiary.toml"]\n'
    ]
    powers = _powers_up_to_level(level)
    for archetype in ARCHETYPES:
        for role in ROLES:
            own = json.dumps([*powers[archetype], *powers[role]])
            parts.append(f'[characters.{archetype}-{role}]\nname = "{archetype} {role}"\npowers = {own}\n')
    for (of, name), creatures in CREATURES.items():
        if of == level:
            parts.append(_encounter_toml(name, creatures))
    return "\n".join(parts)


def _powers_up_to_level(level: int) -> Mapping[str, Sequence[str]]:
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


def _encounter_toml(name: str, creatures: Sequence[str]) -> str:
    """Return an encounter as TOML.

    The party stands on the left. The creatures stand on the right in columns, in the given order.
    """
    rows = [["."] * MAP_WIDTH for _ in range(MAP_HEIGHT)]
    for row in range(1, MAP_HEIGHT, 2):
        rows[row][1] = "P"
    letters = {each: chr(ord("a") + number) for number, each in enumerate(dict.fromkeys(creatures))}
    for number, each in enumerate(creatures):
        column, row = divmod(number, MAP_HEIGHT // 2)
        rows[2 * row + 1][MAP_WIDTH - 5 + 2 * column] = letters[each]
    place = ", ".join(f'{letter} = "{each}"' for each, letter in letters.items())
    lines = "\n".join(map("".join, rows))
    return (
        f'[encounters.{name}]\nname = "{name}"\nmap = """\n{lines}\n"""\nplace = {{ P = "party", {place} }}\n'
    )


def books_by_level() -> Mapping[int, Book]:
    """Return the book of each level."""
    found = {}
    for level in LEVELS:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "campaign.toml").write_text(campaign_toml(level))
            found[level] = open_book(Path(folder))
    return found


class DrawPlayer:
    """A player of draws, for a worker process.

    It reads the books of all levels once, when it is made.
    """

    def __init__(self, player: str) -> None:
        self.player = player
        self.frozen = {
            (level, name): FrozenCampaign.freeze(book, {}, "combat", [name], Lineup())
            for level, book in books_by_level().items()
            for name in (LINE, CROWD)
        }

    def play_draw(self, number: int) -> list[bool]:
        """Play a draw, and return for each of its parties whether the party wins."""
        dealt = deal_draw(number)
        of = self.frozen[dealt.level, dealt.encounter]
        won = []
        for party in dealt.parties:
            of.lineup = Lineup([f"{archetype}-{role}" for archetype, role in party])
            won.append(play_day_until_not_won(of, SEED, number, self.player).outcome == WON)
        return won


_worker_player: list[DrawPlayer] = []


def _initialize_worker(player: str) -> None:
    _worker_player[:] = [DrawPlayer(player)]


def _play_draw(number: int) -> tuple[int, list[bool]]:
    return number, _worker_player[0].play_draw(number)


def missing_draws(played: Collection[int], draws: int, player: str) -> list[int]:
    """Return the numbers of the draws that are still to be played, in order.

    Args:
        played: The numbers of the draws that were played before.
        draws: The number of draws wanted in all.
        player: The bot; its entry in `SHARES` decides how many draws each cell gets.
    """
    shares = SHARES.get(player, (1,) * len(CELLS))
    done, wanted = [0] * len(CELLS), []
    for _ in range(draws):
        cell = min(range(len(CELLS)), key=lambda cell: (done[cell] + 1) / shares[cell])
        wanted.append(done[cell] * len(CELLS) + cell)
        done[cell] += 1
    return [number for number in wanted if number not in played]


# Results


class ArchetypeEffect(NamedTuple):
    """The effect of an archetype on a party's chance to win, in percentage points.

    `points` is the difference from the average of all twelve archetypes. `margin` is the margin of error at
    95% confidence.
    """

    points: float
    margin: float


PlayedDraws = Sequence[tuple[Draw, Sequence[bool]]]
"""Draws, each with whether every party won."""


def archetype_effects(draws: PlayedDraws) -> Mapping[str, ArchetypeEffect]:
    """Return the effect of each archetype on its party's wins, the best first.

    The effect is how much more often the archetype's party wins than the average party. In each draw, an
    archetype is in one of the three parties, with three companions from the other eleven archetypes. If an
    archetype is better than the mean, the other eleven are a little worse than the mean. So its companions
    hide a part of its effect, and the factor 11/8 corrects that.

    A cell is a level with an encounter. All cells count alike. Each cell that was played needs at least two
    draws.
    """
    scale = 100 * (len(ARCHETYPES) - 1) / (len(ARCHETYPES) - PARTY_SIZE)
    found = {}
    for archetype in ARCHETYPES:
        above = [_excess_wins(of_cell, archetype) for of_cell in group_by_cell(draws)]
        off = STANDARD_ERRORS * sqrt(sum(variance(one) / len(one) for one in above)) / len(above)
        found[archetype] = ArchetypeEffect(scale * fmean(map(fmean, above)), scale * off)
    return dict(sorted(found.items(), key=lambda item: -item[1].points))


def group_by_cell(draws: PlayedDraws) -> list[PlayedDraws]:
    """Return the draws grouped by cell, in the order of `CELLS`. Cells without draws are left out."""
    cells = [[one for one in draws if (one[0].level, one[0].encounter) == cell] for cell in CELLS]
    return [cell for cell in cells if cell]


def _excess_wins(draws: PlayedDraws, archetype: str) -> list[float]:
    """Return, for each draw, how much better the archetype's party did than the average party.

    This is the win of its party (1 or 0), less the mean of the wins of the three parties.
    """
    return [won[_party_index(dealt, archetype)] - fmean(won) for dealt, won in draws]


def _party_index(dealt: Draw, archetype: str) -> int:
    return next(
        number for number, party in enumerate(dealt.parties) if any(archetype == one for one, _ in party)
    )


def results_table(draws: PlayedDraws) -> str:
    """Return the results for docs/archetypes.md: how many fights were won, then a Markdown table.

    Every cell must have two draws or more.
    """
    cells = group_by_cell(draws)
    lines = [
        f"{3 * len(draws)} fights, {len(draws)} of each archetype; {fmean(map(_win_rate, cells)):.0%} won"
    ]
    for of_cell in cells:
        dealt, _ = of_cell[0]
        lines.append(
            f"level {dealt.level}, {dealt.encounter}: {_win_rate(of_cell):.0%} of {3 * len(of_cell)} won"
        )
    lines += [
        "",
        "| archetype | from the middle | 95% sure | level 1 | level 5 | level 10 |",
        "|-|-|-|-|-|-|",
    ]
    levels = [archetype_effects(_draws_at_level(level, draws)) for level in LEVELS]
    for archetype, (points, within) in archetype_effects(draws).items():
        each = " | ".join(_signed_points(level[archetype].points) for level in levels)
        sure = f"{_signed_points(points - within)} to {_signed_points(points + within)}"
        lines.append(f"| `{archetype}` | {_signed_points(points)} | {sure} | {each} |")
    return "\n".join(lines)


def _signed_points(points: float) -> str:
    return f"{round(points):+d}" if round(points) else "0"


def _draws_at_level(level: int, draws: PlayedDraws) -> PlayedDraws:
    return [one for one in draws if one[0].level == level]


def _win_rate(draws: PlayedDraws) -> float:
    return fmean(fmean(won) for _, won in draws)


def read_draws(file: Path) -> list[tuple[Draw, list[bool]]]:
    """Return the draws stored in a file, each with its results. A missing file gives an empty list."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [(deal_draw(number), won) for number, won in map(json.loads, lines)]


def main() -> None:
    """Play the draws that are still missing from the output file, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("player", choices=PLAYER_NAMES)
    parser.add_argument("--draws", type=int, default=0, help="draws in all, three fights each")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play them")
    parser.add_argument("--into", type=Path, required=True, help="the file that keeps them")
    asked = parser.parse_args()
    have = {dealt.number for dealt, _ in read_draws(asked.into)}
    todo = missing_draws(have, asked.draws, asked.player)
    with (
        asked.into.open("a") as out,
        ProcessPoolExecutor(asked.jobs, None, _initialize_worker, (asked.player,)) as pool,
    ):
        for number, won in pool.map(_play_draw, todo):
            print(json.dumps([number, won]), file=out, flush=True)
    known = read_draws(asked.into)
    cells = group_by_cell(known)
    enough = len(cells) == len(CELLS) and all(len(cell) > 1 for cell in cells)
    print(results_table(known) if enough else f"{len(known)} draws are too few for a table.")


if __name__ == "__main__":
    main()
