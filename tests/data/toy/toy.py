"""Two people toss coins until one has none left: a whole game system, as short as one can be."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

# isort: off
from strike_cli.plugin import Args, Bot, Choose, Move, PersonArgs, Option, Plugin, Procedure, Refused, Roll
from strike_cli.plugin import Scope, System, World, display_name
from strike_cli.plugin.parts import SceneTable
from strike_cli.plugin.commands import Character, InScene, new_app, plays
from strike_cli.plugin.forms import Number, scene_schema
from strike_cli.plugin.facts import Decision, Fact, Person

plugin = Plugin("toy", api=2, systems=["toy:TOY"])
TOY = System(
    "toy", title="Coin tossing", scene=SceneTable("toy"), state={"toy": "toy:STATE"}, bot="toy:TossBot",
    commands={"toy": "toy:app"}, fact_modules=["toy"],
    moves={
        "toy start": Move("toy:play_start", Scope.SCENE),
        "toy toss": Move("toy:play_toss", Scope.SCENE, odds="toy:what_counts"),
    },
)  # fmt: skip
STATE = scene_schema({"coins": (Number(0), ...), "all": Number(0)})
SIDES = ("heads", "tails")


class ToyStarted(Fact):
    says = "The toss begins."


class ToyTossed(Fact):
    who: Person
    called: str
    face: str

    headline = "{face:heads=Heads|tails=Tails}"
    says = "{who} calls {called:heads=heads|tails=tails}: {face:heads=heads|tails=tails}."


class ToyOver(Fact):
    who: Person

    closes_scene = True
    says = "{who} has it all."


class Call(Decision):
    who: Person

    asks = "{who} tosses a coin: heads or tails?"


class Start(Args):
    one: str
    other: str
    coins: int = 2


def play_start(world: World, args: Start) -> Procedure[dict[str, Any]]:
    if world.get("toy") or args.coins < 1 or args.one == args.other:
        raise Refused("Two toss at a time, for coins.", "`strike toy show` says who does now.")
    people = {who: {"name": display_name(world, who), "side": "party"} for who in (args.one, args.other)}
    people = {who: {**one, "coins": args.coins, "all": 2 * args.coins} for who, one in people.items()}
    scene = {"name": "The toss", "round": 1, "people": people, "order": list(people), "active": args.one}
    scene["meters"] = {"coins": {"name": "Coins", "max": "all"}}
    yield world.tell(ToyStarted(), {"toy": scene})
    return {"people": list(people)}


def play_toss(world: World, args: PersonArgs) -> Procedure[dict[str, Any]]:
    if world.get("toy.active") != args.who:
        raise Refused("It is somebody else's toss.", "`strike toy show` says whose.")
    called = yield Choose(args.who, "call", SIDES, about=Call(args.who))
    face = SIDES[(yield Roll(1, 2, "coin", args.who))[0] - 1]
    other = next(who for who in world.get("toy.people") if who != args.who)
    winner, loser = (args.who, other) if called == face else (other, args.who)
    left = {who: world.get(f"toy.people.{who}.coins") + by for who, by in ((winner, 1), (loser, -1))}
    sets = {f"toy.people.{who}.coins": count for who, count in left.items()} | {"toy.active": other}
    yield world.tell(ToyTossed(args.who, called, face), sets)
    if left[loser] == 0:
        yield world.tell(ToyOver(winner), {"toy": None})
    return {"who": args.who, "face": face, "winner": winner, "left": left}


def what_counts(data: dict[str, Any]) -> dict[str, Any]:
    return {"winner": data["winner"]}


class TossBot(Bot):
    def options(self, world: World) -> Iterator[Option]:
        yield from (
            Option("toy toss", PersonArgs(who=who), ("toss", who)) for who in world.get("toy.people", ())
        )

    def evaluate(self, world: World, side: str) -> float:
        return float(sum(one["coins"] for one in world.get("toy.people", {}).values() if one["side"] == side))


app = new_app(help="Two people toss coins until one has none left. Example: `strike toy start vex brann`")


@plays(app, "start", "toy start")
def start(one: Character, other: Character, coins: Annotated[int, typer.Option(min=1)] = 2) -> None:
    """Two begin to toss. Example: `strike toy start vex brann`"""


@plays(app, "toss", "toy toss")
def toss(who: InScene) -> None:
    """Call a side and toss. Example: `strike toy toss .`"""
