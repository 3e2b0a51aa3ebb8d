"""`strike chase show`: the one screen of a chase, and what of it the players may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strike_cli.kernel.procedure import World
from strike_cli.tabletop.people import display_name
from strike_cli.terminal.result import Block, Line, Result, Table
from strike_cli.visibility import Audience, table_for

from ..declare import still_in
from ..scene import read
from ..tables import CHASERS, RUNNERS, SIDES, actions, danger_levels, possible, track


def shown(world: World, chase: Mapping[str, Any], gm: bool) -> Result:
    """How the chase stands; what was picked in secret only for the game master."""
    public = table_for(read("chase", "chase", chase), chase, Audience(gm))
    picked = {"runners_picked": "runners_action" in chase, "chasers_predicted": "prediction" in chase}
    waits = bool(world.get("pending.chase"))
    steps = [("strike choose OPTION", "a decision waits")] if waits else next_steps(chase)
    data = {"chase": {**public, **picked}, "next": [step for step, _ in steps]}
    over = "ended" in chase
    when = f"over after round {chase['round']}" if over else f"round {chase['round'] + 1}"
    blocks: list[Block] = [
        (f"{chase['name']}: {when}, Danger Level {chase['danger']}", "title"),
        _track(chase),
        Table(["Side", "Who", "This round"], [_side(world, chase, public, picked, side) for side in SIDES]),
    ]
    if over:
        blocks.append(f"Ended: {chase['ended']}.")
    elif "runners_action" not in chase:
        blocks.append(f"Possible: {', '.join(one for one in actions() if possible(one, chase['range']))}")
    for step, why in steps:
        blocks.append([("  ", ""), (step, "command"), (f"  {why}", "dim")])
    return Result("chase show", data, blocks)


def _track(chase: Mapping[str, Any]) -> Line:
    """`caught - Close - [Medium] - Far - escaped`."""
    ends = (track()[0], track()[-1])
    spans: list[tuple[str, str]] = []
    for place in track():
        name = place if place in ends else place.capitalize()
        here = place == chase["range"]
        spans += [(" - ", "dim")] if spans else []
        spans.append((f"[{name}]", "name") if here else (name, "dim"))
    return spans


def _side(
    world: World,
    chase: Mapping[str, Any],
    public: Mapping[str, Any],
    picked: Mapping[str, bool],
    side: str,
) -> list[Any]:
    out = chase.get("out", ())
    who = ", ".join(display_name(world, one) + (" (out)" if one in out else "") for one in chase[side])
    if "ended" in chase:
        return [(side.capitalize(), "name"), who, ""]
    key, flag = {
        RUNNERS: ("runners_action", "runners_picked"),
        CHASERS: ("prediction", "chasers_predicted"),
    }[side]
    if key in public:
        told = str(actions()[public[key]]["name"])
        told = f"predict {told}" if side == CHASERS else told
    else:
        told = "picked, in secret" if picked[flag] else "not picked" if side == RUNNERS else "not predicted"
    if side == RUNNERS and chase.get("runners_advantage"):
        told += "; Advantage"
    for item in chase.get("shooters", ()):
        if item["who"] in chase[side]:
            told += f"; {display_name(world, item['who'])} shoots{' while driving' * item['driving']}"
    return [(side.capitalize(), "name"), who, told]


def next_steps(chase: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What may be typed next, and what for."""
    command = "strike chase"
    if "ended" in chase:
        return [(f"{command} end", "puts it away")]
    begun = "runners_action" in chase or "prediction" in chase
    steps = []
    if "winner" in chase and not begun:
        lowest, highest = danger_levels()[0], danger_levels()[-1]
        moves = ["up"] * (chase["danger"] < highest) + ["down"] * (chase["danger"] > lowest) + ["keep"]
        steps.append((f"{command} danger {'|'.join(moves)}", f"the {chase['winner'].capitalize()} may"))
    if "runners_action" not in chase:
        steps.append((f"{command} run ACTION", "the Runners, in secret"))
    if "prediction" not in chase:
        steps.append((f"{command} predict ACTION", "the Chasers"))
    if "runners_action" in chase and "prediction" in chase:
        steps.append((f"{command} roll", "both have picked"))
    shooting = [item["who"] for item in chase.get("shooters", ())]
    if any(who not in shooting for side in SIDES for who in still_in(chase, side)):
        steps.append((f"{command} shoot WHO --at {'|'.join(reversed(SIDES))}", "if anybody shoots"))
    return steps
