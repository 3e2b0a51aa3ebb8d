"""A siren and a sailor: a whole game that turns on one decision, asked in either order of its words."""

from collections.abc import Iterator, Mapping
from typing import Any

from strike_cli.plugin import (
    Args,
    Bot,
    Choose,
    Move,
    Option,
    PersonArgs,
    Plugin,
    Procedure,
    Refused,
    Roll,
    Scope,
    System,
    World,
)
from strike_cli.plugin.forms import Number, scene_schema
from strike_cli.plugin.parts import SceneTable, Simulation
from strike_cli.plugin.sim import Lineup, SimulationRules

plugin = Plugin("charm", api=2, systems=["charm:CHARM"])
CHARM = System(
    "charm", title="Siren and sailor", scene=SceneTable("charm"), state={"charm": "charm:STATE"},
    moves={
        "charm start": Move("charm:play_start", Scope.SCENE),
        "charm sing": Move("charm:play_sing", Scope.SCENE),
        "charm throw": Move("charm:play_throw", Scope.SCENE),
    },
    bot="charm:CharmBot", simulation=Simulation("charm:SIMULATED"),
)  # fmt: skip
STATE = scene_schema({"hp": Number(0), "most": Number(0)})
ORDER = ["resist", "yield"]
"""Turned round by a test: what comes of the game must not hang on it."""
ASKS = "sailor"
"""Who decides; a test has somebody whom the game doesn't know."""


class Start(Args):
    encounter: str


def play_start(world: World, args: Start) -> Procedure[dict[str, Any]]:
    people = {
        "sailor": {"name": "Sailor", "side": "party", "hp": 6, "most": 6},
        "siren": {"name": "Siren", "side": "enemies", "hp": 6, "most": 6},
    }
    scene = {"name": "The rock", "round": 1, "people": people, "order": list(people), "active": "siren"}
    scene["meters"] = {"hp": {"name": "HP", "max": "most", "vital": True}}
    yield world.happen("charm-started", "", "The siren sings.", {"charm": scene})
    return {}


def _hurt(world: World, who: str, by: int, next_: str) -> dict[str, Any]:
    left = max(0, world.get(f"charm.people.{who}.hp") - by)
    now = world.get("charm.round") + (next_ == "siren")
    return {f"charm.people.{who}.hp": left, "charm.active": next_, "charm.round": now}


def play_sing(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
    if world.get("charm.active") != "siren":
        raise Refused("It is the sailor's turn.")
    answer = yield Choose(ASKS, "resist", tuple(ORDER))
    harm = 4 if answer == "yield" else int((yield Roll(1, 6, "resist", "sailor"))[0] <= 2)
    yield world.happen("charm-sung", "sailor", "The sailor listens.", _hurt(world, "sailor", harm, "sailor"))
    return {}


def play_throw(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
    if world.get("charm.active") != "sailor":
        raise Refused("It is the siren's turn.")
    harm = int((yield Roll(1, 6, "throw", "sailor"))[0] >= 3) * 2
    yield world.happen("charm-thrown", "siren", "A shoe flies.", _hurt(world, "siren", harm, "siren"))
    return {}


class CharmBot(Bot):
    def options(self, world: World) -> Iterator[Option]:
        yield Option("charm sing", PersonArgs(who="siren"), ("sing", "siren"))
        yield Option("charm throw", PersonArgs(who="sailor"), ("throw", "sailor"))

    def evaluate(self, world: World, side: str) -> float:
        people = world.get("charm.people", {}).values()
        return float(sum(one["hp"] * (1 if one["side"] == side else -1) for one in people))


def _begin(world: World, encounter: str, lineup: Lineup) -> Option:
    return Option("charm start", Start(encounter=encounter), ("start", encounter))


def _result(world: World) -> str:
    people: Mapping[str, Any] = world.get("charm.people")
    fallen = [one["side"] for one in people.values() if not one["hp"]]
    return "" if not fallen else "lost" if "party" in fallen else "won"


SIMULATED = SimulationRules(_begin, _result, lambda world: None, health=("hp",), fells=("hp",))
