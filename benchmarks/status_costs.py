"""What each harmful status costs the people it is brought on: the table of docs/sim.md.

It takes some minutes, so `make bench` leaves it out. Two fighters meet a hexer and an archer, or run past a
hexer to a way out within three rounds. With each Role Action, without a roll, the hexer brings a status until
a save ends it. The same fights, on the same dice, are played with a hexer that brings nothing:

    python -m benchmarks.status_costs full quick
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from benchmarks.measure import size
from strike_cli.content.merged_content import Book, open_book
from strike_cli.sim.bot_players import NAMES
from strike_cli.sim.simulated_fight import FightResult, FrozenCampaign, play_day
from strike_cli.sim.simulation_hooks import WON, Lineup

CAMPAIGN = """
schema = 1
name = "Statuses"
[powers.hew]
name = "Hew"
action = "attack"
reach = 1
damage = 4
[powers.breather]
name = "Breather"
action = "role"
who = "self"
effect = [{{ do = "heal", amount = 1 }}]
[powers.hex]
name = "Hex"
action = "role"
range = {range}
effect = [{effect}]
[powers.claw]
name = "Claw"
action = "attack"
reach = 1
damage = 2
hit = [{{ do = "apply", status = "ongoing", amount = 2 }}]
[characters.ann]
name = "Ann"
hp = 8
ranged = false
powers = ["hew", "breather"]
[characters.bob]
name = "Bob"
hp = 8
ranged = false
powers = ["hew", "breather"]
[creatures.hexer]
name = "Hexer"
hp = 26
ranged = false
powers = ["claw", "hex"]
[creatures.archer]
name = "Archer"
hp = 12
[encounters.fight]
name = "Fight"
map = \"\"\"
P......h....
.......a....
P...........
\"\"\"
place = {{ P = "party", h = "hexer", a = "archer" }}
[encounters.way-out]
name = "Way out"
map = \"\"\"
P...........
....h.......
P...........
\"\"\"
place = {{ P = "party", h = "hexer" }}
objective = {{ reach = ["L1:L3"], rounds = 3 }}
"""
NOTHING = '{ do = "note", text = "nothing" }'
ENCOUNTERS = ("fight", "way-out")
FIGHTS = size({"full": 10, "good": 20, "quick": 60}, {"full": 1, "good": 1, "quick": 1})
NOT_BROUGHT = ("core:incapacitated",)
"""Harmful statuses that come about by themselves."""


def harmful() -> list[str]:
    """Return the ids of the harmful statuses of the book."""
    book = _book(NOTHING, 8)
    return [id for id, status in book.statuses.items() if status["harmful"] and id not in NOT_BROUGHT]


def _book(effect: str, reach: int) -> Book:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "campaign.toml").write_text(CAMPAIGN.format(effect=effect, range=reach), "utf-8")
        return open_book(Path(folder))


def fights(encounter: str, status: str, player: str, how_many: int) -> Sequence[FightResult]:
    """Play fights in which the hexer inflicts a status; none if it is empty."""
    amount = ", amount = 3" if status == "core:ongoing" else ""
    effect = f'{{ do = "apply", status = "{status}"{amount} }}' if status else NOTHING
    reach = 1 if status == "core:grabbed" else 8
    frozen = FrozenCampaign.freeze(_book(effect, reach), {}, "combat", [encounter], Lineup(("ann", "bob")))
    return [play_day(frozen, 7, number, player).fights[0] for number in range(how_many)]


class Cost(NamedTuple):
    """The average cost of a status to a party: points of the chance to win, HP, and additional rounds."""

    chance: float
    hp: float
    rounds: float


def cost(without: Sequence[FightResult], with_it: Sequence[FightResult]) -> Cost:
    """Return the additional cost of fights with a status over those without."""
    pairs = list(zip(without, with_it, strict=True))
    return Cost(
        100 * fmean((one.outcome == WON) - (other.outcome == WON) for one, other in pairs),
        fmean(one.margin - other.margin for one, other in pairs),
        fmean(other.rounds - one.rounds for one, other in pairs),
    )


def _cell(place: str, costs: Cost) -> str:
    hp = f" {costs.hp:.1f}," if place == "fight" else ""  # on the way out one who is held has more left
    return f"{costs.chance:.0f},{hp} {costs.rounds:.1f}"


def main() -> None:
    """Print a row for each status: its cost with each player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("players", nargs="*", choices=NAMES, default=["full", "quick"])
    players = parser.parse_args().players
    plain = {
        (player, place): fights(place, "", player, FIGHTS[player])
        for player in players
        for place in ENCOUNTERS
    }
    for (player, place), found in plain.items():
        print(f"{player}, {place}: {fmean(fight.outcome == WON for fight in found):.0%} of {len(found)} won")
    heads = "|".join(f" `{each}`: fight | way out " for each in players)
    print(f"\n| status |{heads}|\n|-{'|-|-' * len(players)}|")
    for status in harmful():
        cells = [
            _cell(place, cost(plain[player, place], fights(place, status, player, FIGHTS[player])))
            for player in players
            for place in ENCOUNTERS
        ]
        print(f"| {status.removeprefix('core:').capitalize()} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
