"""`strike chase show`: the one screen of a chase, and what of it the players may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import World
from strike_cli.play.legal import Option, legal_options
from strike_cli.tabletop.people import display_name
from strike_cli.terminal.result import Block, Line, Result, Span, Table
from strike_cli.visibility.audience import Audience
from strike_cli.visibility.concealed import table_for

from ..declare import chase_in
from ..scene import read
from ..system import CHASE
from ..tables import CHASERS, RUNNERS, SIDES, actions, as_side, track

if TYPE_CHECKING:
    from ..data import ChaseState


def shown(world: World, gm: bool) -> Result:
    """Return the state of the chase, with secret picks for the game master alone.

    Raises Refused where there is none.
    """
    chase = chase_in(world)
    public = table_for(read("chase", "chase", chase), chase, Audience(gm))
    picked = {"runners_picked": "runners_action" in chase, "chasers_predicted": "prediction" in chase}
    legal = list(legal_options(CHASE, world))
    waits = bool(world.get("pending.chase"))
    steps = [("strike choose OPTION", "a decision waits")] if waits else next_steps(world, legal)
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
    elif possible := [option.typed[1] for option in legal if option.command == "chase run"]:
        blocks.append(f"Possible: {', '.join(possible)}")
    for step, why in steps:
        blocks.append([("  ", ""), (step, "command"), (f"  {why}", "dim")])
    return Result("chase show", data, blocks)


def _track(chase: ChaseState) -> Line:
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
    chase: ChaseState,
    public: Mapping[str, object],
    picked: Mapping[str, bool],
    side: str,
) -> list[Span]:
    out = chase.get("out", ())
    who = ", ".join(
        display_name(world, one) + (" (out)" if one in out else "") for one in chase[as_side(side)]
    )
    if "ended" in chase:
        return [(side.capitalize(), "name"), who, ""]
    key, flag = {
        RUNNERS: ("runners_action", "runners_picked"),
        CHASERS: ("prediction", "chasers_predicted"),
    }[side]
    if key in public:
        does = "predict " * (side == CHASERS) + actions()[str(public[key])]["name"]
    else:
        does = "picked, in secret" if picked[flag] else "not picked" if side == RUNNERS else "not predicted"
    if side == RUNNERS and chase.get("runners_advantage"):
        does += "; Advantage"
    for item in chase.get("shooters", ()):
        if item["who"] in chase[as_side(side)]:
            does += f"; {display_name(world, item['who'])} shoots{' while driving' * item['driving']}"
    return [(side.capitalize(), "name"), who, does]


def next_steps(world: World, legal: Iterable[Option]) -> list[tuple[str, str]]:
    """Return the commands that are possible next, each with its purpose.

    They are the legal options; those of the same command share a line.
    """
    words: dict[str, list[str]] = {}
    for option in legal:
        name, *more = option.typed
        words.setdefault(name, []).extend(more[:1])
    chase = chase_in(world)
    changes = "|".join(words.get("danger", ()))
    steps = {
        "danger": (f"danger {changes}", f"the {chase.get('winner', '').capitalize()} may"),
        "run": ("run ACTION", "the Runners, in secret"),
        "predict": ("predict ACTION", "the Chasers"),
        "roll": ("roll", "both have picked"),
        "shoot": (f"shoot WHO --at {'|'.join(reversed(SIDES))}", "if anybody shoots"),
    }
    if "ended" in chase:
        steps = {"end": ("end", "puts it away")}
    return [(f"strike chase {step}", why) for name, (step, why) in steps.items() if name in words]
