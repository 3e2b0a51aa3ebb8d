"""What a move's arguments are where a journal leaves them out: what has its default is never written there,
so that another default would play an old evening otherwise.

A new argument is added to tests/data/defaults.json with what old evenings mean by its absence; nothing that
stands there changes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from strike_cli.kernel.procedure import argument_as_json
from strike_cli.play.playable_moves_and_time_limit import args_type
from strike_cli.registry import load_usable_systems

KEPT = Path(__file__).parents[1] / "data" / "defaults.json"
OURS = ("campaign", "core", "wealth", "combat", "conflict", "chase", "prep")


def defaults() -> dict[str, dict[str, Any]]:
    """Of each move of strike's own systems what its arguments are where they are left out."""
    found = {}
    for system in load_usable_systems():
        for name, move in system.moves.items() if system.name in OURS else ():
            kind = args_type(system.absolute(move.play))
            own = {
                one: argument_as_json(getattr(kind, one)) for one in kind.FIELDS if one not in kind.REQUIRED
            }
            if own:
                found[name] = own
    return found


def test_what_is_left_out_means_what_it_meant() -> None:
    kept, now = json.loads(KEPT.read_text(encoding="utf-8")), defaults()
    assert now | kept == now
    new = {name: own for name, own in now.items() if name not in kept}
    assert not new, f"to be added to {KEPT.name}: {json.dumps(new)}"
