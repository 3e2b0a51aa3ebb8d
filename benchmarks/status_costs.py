"""The cost of each harmful status to a party: the table of docs/sim.md.

It takes some minutes, so `make bench` leaves it out:

    python -m benchmarks.status_costs full quick

There are two encounters. In one, two fighters meet a hexer and an archer. In the other, they must run past a
hexer to a way out within three rounds. The hexer's Role Action inflicts a status without a roll, until a save
ends it. The same fights with the same dice are then played with a hexer that inflicts nothing.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from benchmarks.paired_timing import usual_or_trial_amount
from strike_cli.content.merged_content import Book, open_book
from strike_cli.sim.bot_players import PLAYER_NAMES
from strike_cli.sim.simulated_fight import FightResult, FrozenCampaign, play_day_until_not_won
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
FIGHTS = usual_or_trial_amount({"full": 10, "good": 20, "quick": 60}, {"full": 1, "good": 1, "quick": 1})
NOT_BROUGHT = ("core:incapacitated",)
"""Harmful statuses that come about by themselves."""


def harmful_temporary_statuses() -> list[str]:
    """Return the ids of all harmful statuses in the book, except those that only the rules inflict."""
    book = _make_book(NOTHING, 8)
    return [id for id, status in book.statuses.items() if status["harmful"] and id not in NOT_BROUGHT]


def _make_book(effect: str, reach: int) -> Book:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "campaign.toml").write_text(CAMPAIGN.format(effect=effect, range=reach), "utf-8")
        return open_book(Path(folder))


def play_fights(encounter: str, status: str, player: str, how_many: int) -> Sequence[FightResult]:
    """Play fights in which the hexer inflicts `status`, or nothing if `status` is ""."""
    amount = ", amount = 3" if status == "core:ongoing" else ""
    effect = f'{{ do = "apply", status = "{status}"{amount} }}' if status else NOTHING
    reach = 1 if status == "core:grabbed" else 8
    frozen = FrozenCampaign.freeze(
        _make_book(effect, reach), {}, "combat", [encounter], Lineup(("ann", "bob"))
    )
    return [play_day_until_not_won(frozen, 7, number, player).fights[0] for number in range(how_many)]


class StatusCost(NamedTuple):
    """What a status costs a party on average.

    `chance` is how much it lowers the chance to win, in percentage points. `hp` are the HP that it costs, and
    `rounds` are the rounds by which it makes a fight longer.
    """

    chance: float
    hp: float
    rounds: float


def status_cost(without: Sequence[FightResult], with_it: Sequence[FightResult]) -> StatusCost:
    """Return the average cost of a status, from the same fights without it and with it."""
    pairs = list(zip(without, with_it, strict=True))
    return StatusCost(
        100 * fmean((one.outcome == WON) - (other.outcome == WON) for one, other in pairs),
        fmean(one.margin - other.margin for one, other in pairs),
        fmean(other.rounds - one.rounds for one, other in pairs),
    )


def _table_cell(place: str, costs: StatusCost) -> str:
    hp = f" {costs.hp:.1f}," if place == "fight" else ""  # on the way out one who is held has more left
    return f"{costs.chance:.0f},{hp} {costs.rounds:.1f}"


def main() -> None:
    """Print how costly harmful statuses are: a table with a row for each status.

    The row has the cost in each encounter for each bot player. Statuses that only the rules inflict are left
    out.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("players", nargs="*", choices=PLAYER_NAMES, default=["full", "quick"])
    players = parser.parse_args().players
    plain = {
        (player, place): play_fights(place, "", player, FIGHTS[player])
        for player in players
        for place in ENCOUNTERS
    }
    for (player, place), found in plain.items():
        print(f"{player}, {place}: {fmean(fight.outcome == WON for fight in found):.0%} of {len(found)} won")
    heads = "|".join(f" `{each}`: fight | way out " for each in players)
    print(f"\n| status |{heads}|\n|-{'|-|-' * len(players)}|")
    for status in harmful_temporary_statuses():
        cells = [
            _table_cell(
                place, status_cost(plain[player, place], play_fights(place, status, player, FIGHTS[player]))
            )
            for player in players
            for place in ENCOUNTERS
        ]
        print(f"| {status.removeprefix('core:').capitalize()} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
