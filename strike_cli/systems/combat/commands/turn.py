"""Turns of a fight: actions, moves, waiting, leaving, zones."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.problems import Refused, Usage, listed, nearest
from strike_cli.systems.core.commands.nouns import ANY_SKILL
from strike_cli.terminal.declare import Call, WordParser, arguments, declared_in, plays
from strike_cli.terminal.ending import ending_line
from strike_cli.terminal.gm_override_commands import FORMERLY_SECRET
from strike_cli.terminal.lookup import find_one
from strike_cli.terminal.nouns import FREE, WHO, choice
from strike_cli.terminal.options import new_app
from strike_cli.terminal.result import Block

from . import app, nouns
from .attack import Adv, Dis, Mods, Targets, Yes
from .common import below, what_is_left
from .words import (
    COMBATANT,
    DURATION,
    SQUARE,
    STATUS,
    Acting,
    Trade,
    Who,
    Why,
    area,
    confirmed,
    fight_of,
    one_of,
    whose_turn,
)

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

    from ..data import TurnData


def _begun(campaign: Campaign, data: Mapping[str, object]) -> Iterator[Block]:
    yield from ((line, "warn") for line in cast("TurnData", data)["by_hand"])
    if active := whose_turn(campaign):
        yield from what_is_left(campaign, active)


@plays(app, "turn", "combat turn", show=below(_begun), hidden=True)
def turn() -> None:
    """Begin the next turn: start effects, and the Comeback Roll of anybody who is down.

    Example: `strike combat turn`
    """


def _next(campaign: Campaign, data: Mapping[str, object]) -> Iterator[Block]:
    if up := data["next"]:
        name = fight_of(campaign)["combatants"][str(up)]["name"]
        yield [("Next: ", "dim"), name, "  ", ("strike next", "command")]
    elif data["decided"]:
        yield ending_line("combat finish")


@plays(app, "end-turn", "combat end-turn", show=below(_next), dice="a d6 for each Saving Throw", hidden=True)
def end_turn() -> None:
    """End the turn: a Saving Throw for each status that a save ends, then what ends with the turn.

    Example: `strike combat end-turn`
    """


@plays(app, "escape", "combat escape")
def escape(
    who: Acting,
    status: Annotated[
        str,
        typer.Argument(
            metavar=nouns.STATUS_HELD.called("[STATUS]"),
            help="The hold, if there are several.",
            show_default=False,
        ),
        STATUS,
    ] = "",
    trade: Trade = False,
) -> None:
    """Get out of a grab: a Move Action, and a die of 4 or more (the house rule `escape_target`).

    Example: `strike combat escape vex`
    """


@plays(app, "move", "combat move")
def move(
    call: Call,
    who: Acting,
    to: Annotated[str, typer.Argument(metavar=nouns.SQUARE, help="Where to, like C7."), SQUARE],
    via: Annotated[
        list[str] | None,
        typer.Option("--via", metavar=nouns.SQUARE, help="Through this square."),
        SQUARE.many(),
    ] = None,
    shift: Annotated[bool, typer.Option("--shift", help="One square, giving no Opportunity.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Go, whatever Opportunities it gives.")] = False,
    trade: Trade = False,
) -> dict[str, object]:
    """Move (a Move Action): by the way that gives the fewest Opportunities, and of those the shortest.

    Leaving a square in an enemy's reach without getting closer gives it an Opportunity (STR-TAC-08).
    strike names it and asks a player first; --yes or --via goes ahead. WHO may be `.` for whose turn it is.
    `strike combat map --path WHO SQUARE` shows the way beforehand.

    Example: `strike combat move vex F4 --via D5`
    """
    return confirmed(call, yes or bool(via))


@plays(app, "stand", "combat stand")
def stand(who: Acting, trade: Trade = False) -> None:
    """Get up from Prone, as a Move Action.

    Example: `strike combat stand vex`
    """


@plays(app, "delay", "combat delay")
def delay(who: Acting) -> None:
    """Give up the turn at its start, to act later: no actions and no Saving Throws now.

    Beneficial statuses that would end with this turn end; harmful ones wait for the delayed one.

    Example: `strike combat delay vex`
    """


def _left(campaign: Campaign, data: Mapping[str, object]) -> Iterable[Block]:
    return what_is_left(campaign, str(data["who"]))


@plays(app, "resume", "combat resume", show=below(_left, tried=False))
def resume(who: Who) -> None:
    """Act now, after delaying, once somebody's turn has ended; the place in the order moves here.

    Example: `strike combat resume vex`
    """


@plays(app, "leave", "combat leave")
def leave(
    who: Who,
    why: Why = "",
    surrender: Annotated[bool, typer.Option("--surrender", help="They lay down their arms.")] = False,
) -> None:
    """Leave the fight: 20 squares from every enemy, by the way out, in surrender, or as --why tells it.

    `join` brings them back as they were.

    Example: `strike combat leave goblin-1 --why "runs for the woods"`
    """


@plays(app, "prepare", "combat prepare")
def prepare(
    call: Call,
    who: Acting,
    trigger: Annotated[str, typer.Option("--trigger", metavar="TEXT", help="When it shall happen.")],
    then: Annotated[
        str,
        typer.Option(
            "--then",
            metavar=nouns.DEED,
            help='"attack goblin-1 --power trip", "use leap --at C7", "charge goblin-1", "move C7", stand, '
            "escape.",
        ),
    ],
) -> dict[str, object]:
    """Spend the Attack Action on what a trigger sets off, before your next turn: an Attack or a Move.

    That is any power that takes one of these, a charge, a move, getting up, or an escape. Whom to attack or
    where to go may be left open until then: `--then attack`.

    Example: `strike combat prepare vex --trigger "the door opens" --then "attack goblin-1"`
    """
    do, args = _parsed(call, then, whole=False)
    return {"then": " ".join(then.split()), "do": do, "power": args.get("power")}


def _why_wasted(campaign: Campaign, data: Mapping[str, object]) -> Iterable[Block]:
    return [f"  {data['wasted']}"] if "wasted" in data else ()


@plays(app, "trigger", "combat trigger", show=below(_why_wasted))
def trigger(
    call: Call,
    who: Who,
    then: Annotated[
        str, typer.Option("--then", metavar=nouns.DEED, help="The part that was left open.")
    ] = "",
) -> dict[str, object]:
    """Play a prepared action now, before the event that set it off: trigger first, then play that.

    Power, target and square are as they were named when it was prepared; if that is illegal now, it is
    wasted.

    Example: `strike combat trigger vex`
    """
    from strike_cli.kernel.procedure import World

    from ..fight import Fight
    from ..turns.delay_and_ready import must_be_prepared

    prepared = must_be_prepared(Fight(World(call.here.book, call.here.state)), who)
    do, args = _parsed(call, then or prepared["then"], whole=True)
    if then and do == prepared["do"]:
        _must_be_as_named(call, prepared["then"], args)
    return {"do": do, "args": args, "wasted": not then}


def _must_be_as_named(call: Call, prepared: str, args: Mapping[str, object]) -> None:
    """Refuse another power, target or square than was named when it was prepared."""
    named = _parsed(call, prepared, whole=False)[1]
    for key in ("power", "targets", "target", "at", "to"):
        if named.get(key) and args.get(key) != named[key]:
            raise Refused(
                f"It was prepared as: {prepared}.",
                "Only what was left open can be said now; `strike combat trigger WHO` alone plays it so.",
            )


def _parsed(call: Call, text: str, *, whole: bool) -> tuple[str, dict[str, object]]:
    """Return the deed of a prepared action, and its arguments, checked.

    Unless it must be `whole`, power, targets and square may still be open.
    """
    from . import attack  # noqa: F401 - which declare what may be prepared

    try:
        verb, *words = shlex.split(text) or [""]
    except ValueError as error:
        raise Usage(f"--then {text!r} can't be read: {error}.") from None
    verb = verb.lower()
    if verb not in _TAKES:
        raise Usage(
            f"--then {text!r}: {verb or 'nothing'} can't be prepared.{nearest(verb, _TAKES)}",
            f'One of {listed(tuple(_TAKES))}, as in: --then "attack goblin-1".',
        )
    names, answers = _options(verb, words)
    if whole and verb in _OPEN and not names and "at" not in answers:
        raise Usage(f"{text!r} says not {_OPEN[verb]}.", f'--then "{verb} ..." says it now.')
    if verb in ("charge", "move", "use") and not names:
        return verb, {}
    typed = {"who": call.typed["who"], **_words(verb, names), **answers}
    args = arguments(Call(call.options, call.campaign, {}), declared_in(app)[verb], typed)
    return verb, {name: value for name, value in args.items() if name != "who"}


_TAKES: Mapping[str, Sequence[str]] = {
    "attack": ("power", "at"),
    "charge": (),
    "move": ("shift",),
    "use": ("at",),
    "stand": (),
    "escape": (),
}
"""What may be prepared, and the options that `--then` takes with it."""
_OPEN = {"attack": "whom or where", "charge": "whom or where", "move": "whom or where", "use": "which power"}
"""What has to be said by the time the trigger comes."""


def _words(verb: str, names: list[str]) -> dict[str, object]:
    """Return the words of a prepared command, by the names of its parameters."""
    if verb == "attack":
        return {"targets": names or None, "yes": True}
    if verb == "use":
        return {"power": names[0], "targets": names[1:] or None, "yes": True}
    one = {"charge": "target", "move": "to", "escape": "status"}.get(verb)
    if len(names) > (one is not None):
        raise Usage(f"--then {' '.join((verb, *names))!r}: {names[-1]!r} is one word too many.")
    return {**({one: names[0]} if one and names else {}), **({"yes": True} if verb in _OPEN else {})}


def _options(verb: str, words: list[str]) -> tuple[list[str], dict[str, object]]:
    """Names, and the options that a command takes, by the names of its parameters."""
    names: list[str] = []
    told: dict[str, object] = {}
    rest = iter(words)
    for word in rest:
        option = "power" if word == "-p" else word.removeprefix("--")
        if not word.startswith("-"):
            names.append(word)
        elif option not in _TAKES[verb]:
            known = listed([f"--{one}" for one in _TAKES[verb]]) if _TAKES[verb] else "no options"
            raise Usage(f"--then knows no {word} with {verb}.", f"It knows {known}.")
        else:
            told[option] = option == "shift" or next(rest, "")
    return names, told


@plays(app, "charge", "combat charge")
def charge(
    call: Call,
    who: Acting,
    target: Annotated[
        str, typer.Argument(metavar=nouns.COMBATANT.called("TARGET"), help="Whom to charge."), COMBATANT
    ],
    to: Annotated[
        str,
        typer.Option("--to", metavar=nouns.SQUARE, help="Which square next to the target; else the safest."),
        SQUARE,
    ] = "",
    adv: Adv = None,
    dis: Dis = None,
    mods: Mods = None,
    yes: Yes = False,
) -> dict[str, object]:
    """Charge (an Attack Action): up to Speed, each square closer, then a Melee Basic Attack (STR-TAC-13).

    Not over difficult terrain. Leaving others' reach on the way gives them Opportunities; a player is asked
    first, as before a move, unless --yes says so.

    Example: `strike combat charge brann goblin-2`
    """
    return confirmed(call, yes)


@plays(app, "rally", "combat use")
def rally(who: Acting) -> dict[str, object]:
    """Spend an Action Point, once a fight: 4 HP and a spent Encounter power of your class (STR-TAC-13).

    It works on your own turn, takes no action, and no status stops it, not even Incapacitated.
    Same as `combat use WHO rally`.

    Example: `strike combat rally vex`
    """
    from ..powers.uses import RALLY

    return {"power": RALLY}


def _questions(campaign: Campaign, data: Mapping[str, object]) -> Iterator[Block]:
    for about, questions in cast("Mapping[str, Sequence[str]]", data["ask"]).items():
        yield f"  About {'an enemy' if about == 'enemy' else 'the fight'}:", "dim"
        yield from (f"    {question}" for question in questions)


@plays(app, "assess", "combat assess", show=below(_questions))
def assess(who: Acting) -> None:
    """Assess (a Role Action): a die says how many questions the player may ask (STR-TAC-13).

    Example: `strike combat assess sela`
    """


@plays(app, "improvise", "combat improvise")
def improvise(
    call: Call,
    who: Acting,
    targets: Targets = None,
    what: Annotated[str, typer.Option("--what", metavar="TEXT", help="Their deed, in words.")] = "",
    damage: Annotated[
        int | None, typer.Option("--damage", metavar="N", min=0, help="Else 3, and 2 when done again.")
    ] = None,
    range: Annotated[
        int | None, typer.Option("--range", metavar="N", min=1, help="Squares; else as the ranged basic.")
    ] = None,
    status: Annotated[
        str,
        typer.Option("--status", metavar=nouns.STATUS, help="The effect of a hit."),
        STATUS,
    ] = "",
    ends: Annotated[
        str, typer.Option("--ends", metavar=nouns.DURATION, help="When that ends."), DURATION
    ] = "save",
    adv: Adv = None,
    dis: Dis = None,
    mods: Mods = None,
    yes: Yes = False,
) -> dict[str, object]:
    """Improvise an attack that is on no sheet: about 3 damage, and an effect of your choice (STR-TAC-14).

    Strong the first time, weaker when the same one improvises again in a fight. Without --status the effect
    is told, and played by hand.

    Example: `strike combat improvise vex goblin-1 --what "the kettle, lid first" --status blinded`
    """
    return confirmed(call, yes)


def _actions() -> tuple[str, ...]:
    from ..turns.common_actions import SKILL_ACTIONS

    return SKILL_ACTIONS


@plays(app, "skill", "combat skill")
def skill(
    call: Call,
    who: Acting,
    skill: Annotated[str, typer.Argument(metavar=ANY_SKILL, help="The Skill rolled.")],
    action: Annotated[
        str,
        typer.Option(
            "--action",
            metavar=choice("attack", "move", "role", "free", "none"),
            help="The action that it takes, by the game master.",
        ),
        one_of(_actions, "--action", "action"),
    ] = "role",
    skilled: Annotated[
        bool | None,
        typer.Option(
            "--skilled/--unskilled", help="Whatever the sheet says.", show_default="as on the sheet"
        ),
    ] = None,
    help_from: Annotated[
        list[str] | None, typer.Option(metavar=WHO.called("NAME[:skilled]"), help="Somebody helps.")
    ] = None,
    adv: Adv = None,
    dis: Dis = None,
    mods: Mods = None,
) -> dict[str, object]:
    """Roll a Skill in a fight: each Cost is a Strike in its place (STR-TAC-14).

    A Twist may be no more than the action wasted.

    Example: `strike combat skill vex Climbing --action move`
    """
    from strike_cli.systems.core.commands.roll import skill_args

    campaign = call.here
    sheet = fight_of(campaign)["combatants"][who]["ref"]
    known = sheet if sheet in campaign.book.characters else who
    args = skill_args(campaign, known, skill, skilled, None, None, None, help_from, asked=call.asks)
    looked_up: Mapping[str, object] = args
    own = ("skill", "skilled", "known", "helpers", "unlisted", "near")
    return {name: looked_up[name] for name in own if name in looked_up}


zone_app = new_app(help="Zones: add, remove. Example: `strike combat zone add Fire C3:D4 --damage 2`")
app.add_typer(zone_app, name="zone")


def _moment(call: Call, word: str) -> str:
    from ..steps import ZONE_ENDS

    if word not in ZONE_ENDS:
        raise Usage(f"--ends {word!r}: no such moment.", f"One of {', '.join(ZONE_ENDS)}.")
    return word


def _zone(call: Call, name: str) -> str:
    fight = fight_of(call.here)
    table = {key: str(item["name"]) for key, item in fight.get("zones", {}).items()}
    return find_one(name, table, "zone", f" in {fight['name']}")


def _hazard(call: Call, name: str) -> str:
    return call.here.book.find("hazards", name) if name else ""


Hazard = Annotated[
    str,
    typer.Option("--as", metavar=nouns.HAZARD, help="A hazard of your content."),
    WordParser(_hazard),
]


@plays(zone_app, "add", "combat zone add")
def zone_add(
    call: Call,
    called: Annotated[str, typer.Argument(metavar=FREE, help="Its name at the table.")],
    squares: Annotated[
        list[str],
        typer.Argument(
            metavar=nouns.SQUARE.called("SQUARE..."), help="Squares like C3, or rectangles like C3:F6."
        ),
        WordParser(area),
    ],
    damage: Annotated[
        int, typer.Option("--damage", metavar="N", min=0, help="HP, once a round for each, on the way in.")
    ] = 0,
    difficult: Annotated[bool, typer.Option("--difficult", help="Difficult terrain.")] = False,
    obscured: Annotated[bool, typer.Option("--obscured", help="Anybody inside is concealed.")] = False,
    dark: Annotated[bool, typer.Option("--dark", help="Nobody inside can be seen.")] = False,
    light: Annotated[bool, typer.Option("--light", help="Neither of those hides anybody in it.")] = False,
    blocks: Annotated[bool, typer.Option("--blocks", help="A wall.")] = False,
    cover: Annotated[bool, typer.Option("--cover", help="Anybody inside or behind it has cover.")] = False,
    ends: Annotated[
        str,
        typer.Option("--ends", metavar=nouns.DURATION, help="encounter, turn-start or turn-end (of --by)."),
        WordParser(_moment),
    ] = "encounter",
    by: Annotated[str, typer.Option("--by", metavar=nouns.COMBATANT, help="Its maker."), COMBATANT] = "",
    hazard: Hazard = "",
    gm: Annotated[bool, FORMERLY_SECRET] = False,
) -> dict[str, object]:
    """Add a zone: squares that hurt, hinder or hide (STR-TAC-21, 22).

    It damages anybody who comes in or starts a turn there, once a round.

    With --as a hazard of the book gives all of it (`strike content list hazards`). With --secret players see
    neither the zone nor that it was made.

    Example: `strike combat zone add "Burning oil" C3:D4 F4 --damage 2 --difficult`
    """
    known = call.here.book.hazards[hazard] if hazard else {}
    dark, obscured = dark or known.get("dark", False), obscured or known.get("obscured", False)
    return {
        "sight": "dark" if dark else "obscured" if obscured else "light" if light else None,
        "damage": damage or known.get("damage", 0),
        "difficult": difficult or known.get("difficult", False),
        "status": known.get("status", ""),
        "secret": gm or call.options.secret or known.get("gm", False),
    }


@plays(zone_app, "remove", "combat zone remove")
def zone_remove(
    zone: Annotated[str, typer.Argument(metavar=nouns.ZONE, help="Its name."), WordParser(_zone)],
) -> None:
    """Take a zone from the map.

    Example: `strike combat zone remove "Burning oil"`
    """
