"""`strike conflict`: two intents, and rounds of Advance and Defense until one side gets its way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.kernel.procedure import World
from strike_cli.kernel.state_changes import pending_decisions_in
from strike_cli.problems import Usage
from strike_cli.terminal.argument_completions import FREE, choice_metavar
from strike_cli.terminal.command_output import Block, Result, open_decision_lines
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, WordParser, plays

from . import argument_parsers
from .argument_parsers import (
    CHARACTER,
    SWAPS,
    Complication,
    Condition,
    Disadvantage,
    Instead,
    Next,
    OtherSide,
    Recover,
    Weigh,
    Who,
    find_side,
    parse_advance_and_defense,
    prepared_or_typed_start_args,
    roll_name_parser,
)

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.play.command_execution import PerformedCommand

    from ..data import ConflictAfterMoveData

app = new_app("""Team Conflicts: two sides, each with an intent, and rounds until one side gets its way.

    A round: `conflict oppose ACTION` in secret, `conflict act WHO ACTION` for each team member, then
    `conflict roll`. When it is over: `conflict end`.

    Example: `strike conflict act vex calculated-risk --skill Climbing`
    """)


def _strikes_and_aftermath(campaign: Campaign | None, performed: PerformedCommand) -> Iterable[Block]:
    """Return the lines below a command's report: the sides' Strikes, and the aftermath of a conflict.

    If the command's data has no Strikes or no aftermath, these lines are left out.
    """
    from .show import strikes_and_aftermath_lines

    data = cast("ConflictAfterMoveData", performed.data or {})
    return strikes_and_aftermath_lines(data.get("strikes"), data.get("aftermath"))


def _lines_below_roll_report(campaign: Campaign | None, performed: PerformedCommand) -> Iterable[Block]:
    """Yield the lines below a roll's report: Strikes, the aftermath, and the next command.

    The command is named only if a Hit is undecided.
    """
    from .show import next_commands_with_purposes

    due = cast("ConflictAfterMoveData", performed.data or {}).get("hits_due", {})
    yield from _strikes_and_aftermath(campaign, performed)
    if campaign is not None and any(due.values()) and campaign.state.get("conflict"):
        for step, _ in next_commands_with_purposes(World(campaign.book, campaign.state)):
            yield [("Next: ", "dim"), (step, "command")]


def _strikes_and_aftermath_if_ended(
    campaign: Campaign | None, performed: PerformedCommand
) -> Iterable[Block]:
    return _strikes_and_aftermath(campaign, performed) if performed.data and performed.data["ended"] else ()


# --- before the dice


Name = Annotated[
    str, typer.Argument(metavar=argument_parsers.CONFLICT, help="A conflict of campaign.toml, or any name.")
]
Trait = Annotated[
    list[str] | None, typer.Option(metavar=argument_parsers.TRAIT, help="A trait of the opposition.")
]
OurTrait = Annotated[
    list[str] | None, typer.Option(metavar=argument_parsers.TRAIT, help="A trait of the team.")
]
Team = Annotated[
    list[str] | None, typer.Option(metavar="WHO", help="The team. Default: everybody."), CHARACTER.for_list()
]
TheirTeam = Annotated[
    list[str] | None,
    typer.Option(metavar="WHO", help="Players on the other side, too."),
    CHARACTER.for_list(),
]
More = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WHO]...", help="More members, after --team WHO."),
    CHARACTER.for_list(),
]
Death = Annotated[
    bool, typer.Option("--death", help="Announce that a double tie may kill, if the house rules say so.")
]
Swap = Annotated[
    list[str] | None,
    typer.Option(metavar="EVENT:OTHER", help="Swap an event of the double tie: love:betrayal."),
    SWAPS,
]
NoWithdrawal = Annotated[
    bool, typer.Option("--no-withdrawal", help="Nobody can withdraw: the house is on fire.")
]


@plays(app, "start", "conflict start", kind="writes")
def start(
    call: Call,
    name: Name,
    intent: Annotated[str, typer.Option(metavar="TEXT", help="The team's intent.")] = "",
    against: Annotated[str, typer.Option(metavar=FREE, help="The opposition.")] = "",
    their_intent: Annotated[str, typer.Option("--their-intent", metavar="TEXT", help="Their intent.")] = "",
    advance: Annotated[int | None, typer.Option(metavar="N", min=0, max=20, help="Their Advance.")] = None,
    defense: Annotated[int | None, typer.Option(metavar="N", min=0, max=20, help="Their Defense.")] = None,
    trait: Trait = None,
    our_trait: OurTrait = None,
    team: Team = None,
    their_team: TheirTeam = None,
    more: More = None,
    death: Death = False,
    swap: Swap = None,
    no_withdrawal: NoWithdrawal = False,
) -> dict[str, object]:
    """Begin a conflict (STR-TC-01, 03): one prepared in campaign.toml, or any other.

    Typed options override prepared ones. By default the opposition's Advance and Defense are one less than
    the number of players. --their-team puts players on both sides: each of them acts, in secret.

    Example: `strike conflict start Council --intent "a road" --against "the Company" --their-intent tolls`
    """
    typed = {
        "intent": intent, "against": against, "their_intent": their_intent, "advance": advance,
        "defense": defense, "traits": trait, "our_traits": our_trait, "team": [*(team or []), *(more or [])],
        "their_team": their_team, "swaps": swap, "no_withdrawal": no_withdrawal or None,
    }  # fmt: skip
    said = {what: value for what, value in typed.items() if value not in (None, "", [])}
    return prepared_or_typed_start_args(call.required_campaign.book, name, said)


@plays(app, "prep", "conflict prep")
def prep(
    who: Who,
    action: Annotated[
        str,
        typer.Argument(
            metavar=argument_parsers.PREPARATION,
            help="fortify, stock-up, scout, long-game, inspire, seize-the-advantage",
        ),
    ],
) -> None:
    """Prepare before the first round; each player has one such action (STR-TC-14).

    A die decides how well it goes: 5 or 6 is good, 3 or 4 is fair. On 1 or 2, the team loses 1 Advance in
    round 1.

    Example: `strike conflict prep vex fortify --dice 5`
    """


@plays(app, "oppose", "conflict oppose", kind="writes")
def oppose(
    action: Annotated[
        list[str],
        typer.Argument(metavar=argument_parsers.ACTION, help="progress, obscure, total-defense ..."),
        WordParser(lambda call, texts: " ".join(texts)),
    ],
    recover: Recover = "",
    next_: Next = "",
    instead: Instead = False,
) -> dict[str, object]:
    """Pick the opposition's one action (STR-TC-03), secret from the players until `conflict roll`.

    Example: `strike conflict oppose total-defense`
    """
    return {}


@plays(app, "scout", "conflict scout")
def scout(
    which: Annotated[
        str,
        typer.Argument(
            metavar=choice_metavar("advance", "defense").with_text("[advance|defense]"),
            help="The die to see. Default: Advance.",
        ),
        roll_name_parser("which die"),
    ] = "",
    theirs: OtherSide = False,
) -> dict[str, object]:
    """Roll one of the opposition's dice before the actions, and see it (STR-TC-02, 07).

    The die counts for this round. If players are on both sides, only the scouting side may see the die and
    this screen.

    Example: `strike conflict scout defense`
    """
    return {"side": "theirs" if theirs else None}


# --- the dice


@plays(
    app,
    "roll",
    "conflict roll",
    show=_lines_below_roll_report,
    dice="our Advance, our Defense, theirs, then a double tie's; two for a roll with Disadvantage, none for "
    "a scouted one",
)
def roll(
    weigh: Weigh = None,
    dis: Disadvantage = None,
    stock: Annotated[
        str,
        typer.Option(metavar=choice_metavar("advance", "defense"), help="Use Stock Up before the roll."),
        roll_name_parser("--stock"),
    ] = "",
    their_stock: Annotated[
        str,
        typer.Option(
            metavar=choice_metavar("advance", "defense"), help="The same for players on the other side."
        ),
        roll_name_parser("--their-stock"),
    ] = "",
    recovery: Annotated[
        str,
        typer.Option(
            metavar=argument_parsers.MAY_RECOVER, help="The trait or Strike that Recovery restores."
        ),
    ] = "",
) -> dict[str, object]:
    """Roll the round, once everybody has chosen (STR-TC-04 to 08, 15).

    Each Major Condition takes 1 from a roll. A Minor one gives Disadvantage, and so does a Flaw of the Skill
    or item in use. All of these apply to Advance, unless --weigh moves them.

    Example: `strike conflict roll --dice 4,2,3,5`
    """
    stocks = {side: which for side, which in (("ours", stock), ("theirs", their_stock)) if which}
    return {"stock": stocks or None, "recover": recovery or None}


@plays(app, "round", "conflict round")
def bare_round(
    ours: Annotated[
        str,
        typer.Option(metavar="A/D", help="Our Advance and Defense, like 6/3."),
        WordParser(lambda call, text: parse_advance_and_defense(text, "--ours")),
    ],
    theirs: Annotated[
        str,
        typer.Option(metavar="A/D", help="Theirs, like 2/6."),
        WordParser(lambda call, text: parse_advance_and_defense(text, "--theirs")),
    ],
) -> None:
    """Roll one round outside any conflict (STR-TC-04, 05): nothing is recorded. Works without a campaign too.

    Example: `strike conflict round --ours 6/3 --theirs 2/6 --dice 5,3,2,3`
    """


@plays(app, "hit", "conflict hit", kind="writes", show=_strikes_and_aftermath_if_ended)
def hit(
    team: Annotated[
        str,
        typer.Argument(metavar=choice_metavar("ours", "theirs"), help="The team that was hit."),
        WordParser(lambda call, word: find_side(call.required_campaign, word)),
    ],
    what: Annotated[
        str,
        typer.Argument(
            metavar=argument_parsers.HIT, help="The opponents' choice; ablate or drain with those traits."
        ),
    ],
    recover: Recover = "",
) -> dict[str, object]:
    """Decide a Hit (STR-TC-06): a Strike, or the loss of a trait for the rest of the conflict.

    The opponents of the team that was hit choose. If only a Strike is possible, it happens without this
    command. After the last Hit, the rest of the round is played, such as Recover (STR-TC-07).

    Example: `strike conflict hit ours strike`
    """
    return {"side": team, "what": what.strip()}


# --- ways out


@plays(app, "avert", "conflict avert", kind="writes")
def avert(
    who: Who,
    theirs: Annotated[
        str,
        typer.Option(
            metavar=argument_parsers.RECOVERED, help="The trait or Strike that the opposition regains."
        ),
    ] = "",
) -> None:
    """Avert a loss for an Action Point (STR-TC-10): the team takes a Hit, and the conflict goes on.

    The opposition removes a Strike or regains a trait.

    Example: `strike conflict avert vex`
    """


@plays(app, "withdraw", "conflict withdraw")
def withdraw(who: Who, condition: Condition = None) -> dict[str, object]:
    """Leave the conflict for good (STR-TC-12).

    The member gets the Condition that the team's present Strikes cause.

    Example: `strike conflict withdraw vex`
    """
    return {"conditions": condition}


@plays(app, "concede", "conflict concede", kind="writes", show=_strikes_and_aftermath)
def concede(complication: Complication = None, theirs: OtherSide = False) -> dict[str, object]:
    """Give up the conflict at the start of a round (STR-TC-11). All members of the team must agree.

    The team loses, but two of its Strikes are removed. A Complication may be the reason. It earns its player
    an Action Point.

    Example: `strike conflict concede --complication "vex:Wanted in Harrowgate"`
    """
    return {"complications": complication, "side": "theirs" if theirs else None}


@plays(app, "end", "conflict end")
def end(
    condition: Condition = None,
    abandon: Annotated[bool, typer.Option("--abandon", help="Drop it now, with no aftermath.")] = False,
    undecided: Annotated[
        bool, typer.Option("--undecided", help="End it after this round, with no winner.")
    ] = False,
) -> dict[str, object]:
    """End the conflict, with its Conditions and Concessions (STR-TC-09).

    The Conditions depend on the team's Strikes. You choose each member's Condition, here or when asked. With
    --undecided, neither side gets its intent, and no Concession is owed. Strikes still bring Conditions
    (STR-TC-12a).

    Example: `strike conflict end --condition vex:angry`
    """
    if abandon and undecided:
        raise Usage("--abandon drops it, --undecided brings an aftermath.", "Choose one of the two.")
    return {"conditions": condition}


@command(app, "show", kind="reads")
def show(
    options: Options,
    gm: Annotated[bool, typer.Option("--gm", help="With the players' unknowns.")] = False,
    side: Annotated[
        str,
        typer.Option(
            metavar=choice_metavar("ours", "theirs"), help="With the knowledge of that side's players."
        ),
    ] = "",
) -> Result:
    """Show the conflict. Choices that are still secret are shown only with --gm or --side.

    If there are players on both sides, --side shows one side's own choices and the dice that it scouted.

    Example: `strike conflict show --gm`
    """
    from .show import show_conflict

    with options.open_campaign() as campaign:
        of_side = find_side(campaign, side) if side else ""
        result = show_conflict(World(campaign.book, campaign.state), gm, of_side)
        result.notices = list(campaign.notices)
        waiting = pending_decisions_in(campaign.state).get("conflict")
        if waiting and (gm or not waiting.get("secret")):
            result.blocks += open_decision_lines(waiting, campaign.book.locale())
        return result
