"""Two people toss coins until one has none left: a whole game system, as short as one can be."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from strike_cli.plugin import (  # fmt: skip
    Args,
    Character,
    Choose,
    FactKind,
    InScene,
    ListOf,
    Move,
    Number,
    Option,
    Plugin,
    Procedure,
    Record,
    Refused,
    Roll,
    Scope,
    System,
    TableOf,
    Text,
    World,
    display_name,
    new_app,
    plays,
)

plugin = Plugin("toy", systems=["toy:TOY"])
TOY = System(
    "toy",
    title="Coin tossing",
    scene="toy",
    moves={
        "toy start": Move("toy:play_start", Scope.SCENE),
        "toy toss": Move("toy:play_toss", Scope.SCENE, odds="toy:what_counts"),
    },
    facts={
        "toy-started": FactKind(style="title"),
        "toy-tossed": FactKind(),
        "toy-over": FactKind(style="good", outcome=True),
    },
    state={"toy": "toy:scene_state"},
    commands={"toy": "toy:app"},
    options="toy:options",
    worth="toy:worth",
)
SIDES = ("heads", "tails")


class Start(Args):
    one: str
    other: str
    coins: int = 2

    def people(self) -> Sequence[str]:
        return (self.one, self.other)


def play_start(world: World, args: Start) -> Procedure[dict[str, Any]]:
    if world.get("toy"):
        raise Refused("Two toss already.", "`strike toy toss` goes on.")
    people = {
        who: {
            "name": display_name(world, who),
            "side": side,
            "coins": args.coins,
            "max_coins": 2 * args.coins,
        }
        for who, side in ((args.one, "party"), (args.other, "others"))
    }
    scene = {
        "name": "The toss", "round": 1, "people": people, "order": list(people), "active": args.one,
        "meters": {"coins": {"name": "Coins", "max": "max_coins"}},
    }  # fmt: skip
    yield world.happen("toy-started", "", "The toss begins.", {"toy": scene})
    return {"people": list(people)}


class Toss(Args):
    who: str


def play_toss(world: World, args: Toss) -> Procedure[dict[str, Any]]:
    if world.get("toy.active") != args.who:
        raise Refused(f"It is {world.get('toy.active', 'nobody')}'s toss.", "`strike toy show` says whose.")
    called = yield Choose(args.who, "call", SIDES)
    face = SIDES[(yield Roll(1, 2, "coin", args.who))[0] - 1]
    other = next(who for who in world.get("toy.people") if who != args.who)
    winner, loser = (args.who, other) if called == face else (other, args.who)
    coins = {who: world.get(f"toy.people.{who}.coins") + by for who, by in ((winner, 1), (loser, -1))}
    paths = {f"toy.people.{who}.coins": count for who, count in coins.items()}
    text = f"{display_name(world, args.who)} calls {called}: {face}."
    yield world.happen("toy-tossed", args.who, text, {**paths, "toy.active": other}, face=face)
    if coins[loser] == 0:
        yield world.happen("toy-over", winner, f"{display_name(world, winner)} has it all.", {"toy": None})
    return {"who": args.who, "face": face, "winner": winner, "left": coins}


def what_counts(data: dict[str, Any]) -> dict[str, Any]:
    return {"winner": data["winner"]}


def options(world: World) -> Iterator[Option]:
    for who in world.get("toy.people", ()):
        yield Option("toy toss", Toss(who=who), ("toss", who))


def worth(world: World, side: str) -> float:
    people = world.get("toy.people", {}).values()
    return float(sum(one["coins"] if one["side"] == side else -one["coins"] for one in people))


def scene_state(book: Any) -> Record:
    person = Record(name=Text(), side=Text(), coins=(Number(0), ...), max_coins=Number(0))
    return Record(
        name=Text(), round=Number(1), people=(TableOf(person), ...), order=ListOf(Text()), active=Text(),
        meters=TableOf(TableOf(Text())),
    )  # fmt: skip


app = new_app(help="Two people toss coins until one has none left. Example: `strike toy start vex brann`")


@plays(app, "start", "toy start")
def start(one: Character, other: Character, coins: Annotated[int, typer.Option(min=1)] = 2) -> None:
    """Two begin to toss. Example: `strike toy start vex brann`"""


@plays(app, "toss", "toy toss")
def toss(who: InScene) -> None:
    """Call a side and toss. Example: `strike toy toss .`"""
