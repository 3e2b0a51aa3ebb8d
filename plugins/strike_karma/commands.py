"""The commands of `strike karma`, from the first initiative to the end of a fight.

`show`, `options`, `auto` and `odds karma` are not here: every system gets them.
"""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.plugin.commands import (
    FREE,
    Call,
    Encounter,
    ParametersOf,
    Typed,
    ending_hint_shower,
    new_app,
    plays,
)

from .argument_parsers import (
    PLACE,
    Actor,
    Against,
    Amount,
    Fighter,
    First,
    FirstGroup,
    For,
    NoRoll,
    Other,
    Party,
    PassTo,
    Segments,
    Target,
    Text,
    What,
    WithCreatures,
    make_option,
    parser_of_words,
)

app = new_app(
    help="Fights by passed initiative: cards, delayed and conditional actions, Reaction Pools.\n\n"
    "Example: `strike karma start wreck`"
)


def declare_roll_options(
    for_: For = None,
    target: Target = None,
    against: Against = None,
    other: Other = None,
    no_roll: NoRoll = False,
) -> None:
    """Declare the options of a standard roll, which several commands share (CIN-11).

    A command takes them over with the annotation `ParametersOf`.
    """


@plays(
    app,
    "start",
    "karma start",
    dice="with --roll each group's d20, again on ties; then each player's Luck Die, as listed",
)
def start(
    encounter: Encounter,
    first: First = "",
    first_group: FirstGroup = "",
    roll: Annotated[bool, typer.Option("--roll", help="Roll a d20 for each group.")] = False,
    party: Party = None,
    creatures: WithCreatures = None,
) -> None:
    """Begin a fight. Name the first initiative, or strike asks.

    Example: `strike karma start wreck --first-group party`
    """


@plays(app, "act", "karma act", dice="Hero Dice, Trope, Trademark, others; then those against it")
def act(who: Actor, what: What = "", **roll: Annotated[object, ParametersOf(declare_roll_options)]) -> None:
    """Let the holder of the initiative act, with a standard roll.

    If the act triggers conditional actions, these come first.

    Example: `strike karma act ana --what "shoots the lamp" --for trope --against 2d6`
    """


@plays(app, "pass", "karma pass", kind="writes", show=ending_hint_shower("karma"))
def pass_(who: Fighter) -> None:
    """Pass the initiative to a person who can still act. The last one of a round chooses who begins the next.

    Example: `strike karma pass bo`
    """


@plays(app, "hold", "karma hold", kind="writes")
def hold(who: Actor, to: PassTo) -> None:
    """Hold: pass the initiative to an opponent, or to an ally if no opponent can accept it.

    Example: `strike karma hold ana --pass rakers`
    """


@plays(app, "delay", "karma delay")
def delay(
    call: Call,
    who: Actor,
    what: What,
    segments: Segments = None,
    open_: Annotated[bool, typer.Option("--open", help="It takes effect when the actor says so.")] = False,
    **roll: Annotated[object, ParametersOf(declare_roll_options)],
) -> Typed:
    """Begin an action that takes effect later, such as a spell or an aimed shot.

    The dice are rolled when it takes effect. With --secret, players don't see the action until then.

    Example: `strike karma delay ana --segments 2 --what "a spell of fire"`
    """
    return {"open": open_, "secret": call.options.secret or None}


@plays(app, "complete", "karma complete")
def complete(
    who: Fighter,
    before: Annotated[
        bool, typer.Option("--before", help="Before the holder of the initiative declares an action.")
    ] = False,
    **roll: Annotated[object, ParametersOf(declare_roll_options)],
) -> None:
    """Complete a delayed action: it takes effect now.

    The options of the roll are those that you declared with the action. An option that you give now replaces
    the declared one.

    Example: `strike karma complete ana --before`
    """


@plays(app, "when", "karma when")
def when(
    call: Call,
    who: Actor,
    if_: Annotated[str, make_option("--if", "TEXT", "The condition.")],
    what: What,
    **roll: Annotated[object, ParametersOf(declare_roll_options)],
) -> Typed:
    """Declare an action that waits for a condition.

    Once the condition is met, the action comes first, before the thing that met it. With --secret, players
    see neither the condition nor the action until then.

    Example: `strike karma when ana --if "he goes for his gun" --what "shoots him"`
    """
    return {"secret": call.options.secret or None}


@plays(app, "trigger", "karma trigger")
def trigger(who: Fighter, **roll: Annotated[object, ParametersOf(declare_roll_options)]) -> None:
    """Trigger a conditional action. When an action meets the condition, strike asks automatically.

    Example: `strike karma trigger ana`
    """


@plays(app, "abandon", "karma abandon", kind="writes")
def abandon(
    who: Fighter,
    delayed: Annotated[bool, typer.Option("--delayed", help="The delayed action.")] = False,
    conditional: Annotated[bool, typer.Option("--conditional", help="The conditional action.")] = False,
) -> Typed:
    """Give up a delayed or a conditional action.

    Example: `strike karma abandon ana`
    """
    return {"kind": "delayed" if delayed else "conditional" if conditional else None}


@plays(app, "react", "karma react", dice="the pool, Trope, Trademark, others; then those against it")
def react(
    who: Fighter,
    to: Annotated[str, make_option("--to", "TEXT", "The cause.")] = "",
    passive: Annotated[bool, typer.Option("--passive", help="Without the Reaction Pool.")] = False,
    as_action: Annotated[
        bool, typer.Option("--as-action", help="With all Hero Dice, as their action.")
    ] = False,
    optional: Annotated[
        bool, typer.Option("--optional", help="Without dice, refuse it instead of failing.")
    ] = False,
    **roll: Annotated[object, ParametersOf(declare_roll_options)],
) -> None:
    """React with the dice of the Reaction Pool, and then remove one die from the pool.

    The reacting person wins ties.

    Example: `strike karma react ana --to "the thrown chair" --against 2d6`
    """


@plays(app, "karma", "karma karma", kind="writes")
def karma(
    who: Fighter,
    verb: Annotated[
        str,
        typer.Argument(metavar="spend|gain", help="Spend Instant Karma, or gain it."),
        parser_of_words("spend", "gain"),
    ],
    n: Amount,
    why: Annotated[str, make_option("--why", "TEXT", "The reason.")] = "",
) -> None:
    """Spend Instant Karma, or gain some. The people at the table decide what it buys.

    Example: `strike karma karma ana spend 1 --why "the rope holds"`
    """


@plays(app, "check", "karma check", kind="writes")
def check(who: Fighter, why: Text) -> None:
    """Give a person a Health Check at the end of the round.

    Example: `strike karma check ana "shot in the arm"`
    """


@plays(app, "place", "karma place", kind="writes")
def place(
    who: Fighter, at: Annotated[str, typer.Argument(metavar=PLACE, help="A square, or a place in words.")]
) -> None:
    """Put a person somewhere else: a square on a map, or a place in words.

    Example: `strike karma place ana "behind the well"`
    """


@plays(app, "counter", "karma counter", kind="writes")
def counter(
    name: Annotated[str, typer.Argument(metavar=FREE, help="The counter's name.")], n: Amount
) -> None:
    """Set a counter of the scene; 0 removes it.

    Example: `strike karma counter fire 3`
    """


@plays(app, "out", "karma out", kind="writes", show=ending_hint_shower("karma"))
def out(
    who: Fighter,
    how: Annotated[str, make_option("--how", "TEXT", "The reason, such as `runs`.")] = "taken out",
) -> None:
    """Take a person, or one member of a group, out of the fight.

    Example: `strike karma out rakers --how "runs"`
    """


@plays(app, "round", "karma round", show=ending_hint_shower("karma"))
def round_() -> None:
    """End the round, and begin the next one.

    First, uncompleted actions are settled, and Health Checks are made. Then Reaction Pools are refilled, and
    everybody can act again.

    Example: `strike karma round`
    """


@plays(app, "end", "karma end", kind="writes")
def end(outcome: Annotated[str, make_option("--outcome", "TEXT", "The outcome.")] = "") -> None:
    """End the fight. Instant Karma is lost.

    Example: `strike karma end --outcome "the gate is shut"`
    """
