"""`strike conflict`: two intents, and rounds of Advance and Defense until one has its way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Usage, listed
from strike_cli.terminal import completion
from strike_cli.terminal.narrate import pending_lines, played
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Result
from strike_cli.terminal.runner import find_character, find_one, play

from .typed import (
    Instead,
    Next,
    Recover,
    Weigh,
    Who,
    conditions_of,
    pair_of,
    prepared_as,
    roll_of,
    round_args,
    said_instead,
    side_of,
    swaps_of,
    teams_of,
    traits_must_differ,
    world_of,
)
from .words import ACTION_WORDS, CONFLICTS, HITS, PREPARATIONS, TRAITS

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

app = new_app()

Said = Annotated[
    list[str] | None,
    typer.Option(metavar="WHO:NAME", help="The Condition that somebody gains, said beforehand."),
]
Ours = Annotated[str, typer.Option(metavar="A/D", help="Our Advance and Defense, like 6/3.")]
Theirs = Annotated[str, typer.Option(metavar="A/D", help="Theirs, like 2/6.")]
OtherSide = Annotated[bool, typer.Option("--theirs", help="The other side, where there are players on both.")]


@app.callback()
def _group() -> None:
    """Team Conflicts: two sides, each with an intent, and rounds until one has its way.

    A round: `conflict oppose ACTION` in secret, `conflict act WHO ACTION` for each of the team, then
    `conflict roll`. When it is over: `conflict end`.

    Example: `strike conflict act vex calculated-risk --skill Climbing`
    """


# --- before the dice


@command(app, "start", kind="writes")
def start(
    options: Options,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="One of campaign.toml, or any name.",
            autocompletion=CONFLICTS,
        ),
    ],
    intent: Annotated[str, typer.Option(metavar="TEXT", help="What the team wants.")] = "",
    against: Annotated[str, typer.Option(metavar="NAME", help="Who opposes it.")] = "",
    their_intent: Annotated[str, typer.Option("--their-intent", metavar="TEXT", help="What they want.")] = "",
    advance: Annotated[int | None, typer.Option(metavar="N", min=0, max=20, help="Their Advance.")] = None,
    defense: Annotated[int | None, typer.Option(metavar="N", min=0, max=20, help="Their Defense.")] = None,
    trait: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A trait of theirs.", autocompletion=TRAITS),
    ] = None,
    our_trait: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A trait of the team's.", autocompletion=TRAITS),
    ] = None,
    team: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHO", help="Who takes part; everybody unless said.", autocompletion=completion.characters
        ),
    ] = None,
    their_team: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHO", help="Players on the other side, too.", autocompletion=completion.characters
        ),
    ] = None,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[WHO]...", help="More of the team, after --team WHO.")
    ] = None,
    death: Annotated[
        bool, typer.Option("--death", help="Announce that a double tie may kill, where the house says so.")
    ] = False,
    swap: Annotated[
        list[str] | None,
        typer.Option(metavar="EVENT:OTHER", help="On a double tie another event: love:betrayal."),
    ] = None,
    no_withdrawal: Annotated[
        bool, typer.Option("--no-withdrawal", help="Nobody can withdraw: the house is on fire.")
    ] = False,
) -> Result:
    """Begin a conflict (STR-TC-01, 03): one prepared in campaign.toml, or any other.

    What is typed wins over what was prepared. Unless said otherwise, the opposition's Advance and Defense are
    one less than there are players. With --their-team there are players on both sides: each of them acts, in
    secret.

    Example: `strike conflict start Council --intent "a road" --against "the Company" --their-intent tolls`
    """
    with options.campaign(writing=True) as campaign:
        key, prepared = prepared_as(campaign, name)
        said = {"intent": intent, "against": against, "their_intent": their_intent}
        words = {what: text or prepared.get(what, "") for what, text in said.items()}
        lacking = [f"--{what.replace('_', '-')}" for what, text in words.items() if not text.strip()]
        if lacking:
            known = listed(campaign.book.conflicts)
            raise Usage(
                f"{name!r} was not prepared; it still needs {listed(lacking)}.", f"Prepared: {known}."
            )
        args: dict[str, Any] = {
            "name": str(prepared.get("name", name)),
            **words,
            "traits": list(trait if trait is not None else prepared.get("traits", [])),
            "our_traits": list(our_trait if our_trait is not None else prepared.get("our_traits", [])),
            **teams_of(campaign, prepared, [*(team or []), *(more or [])], their_team or []),
        }
        for each in (args["traits"], args["our_traits"]):
            traits_must_differ(each)
        for which, value in (("advance", advance), ("defense", defense)):
            if value is not None or which in prepared:
                args[which] = prepared[which] if value is None else value
        args |= {"id": key} if key else {}
        args |= {"death": True} if death else {}
        swaps = {**prepared.get("swaps", {}), **swaps_of(swap or [])}
        args |= {"swaps": swaps} if swaps else {}
        args |= {"no_withdrawal": True} if no_withdrawal or prepared.get("no_withdrawal") else {}
        return played(play(options, campaign, "conflict start", args), campaign)


@command(app, "prep")
def prep(
    options: Options,
    who: Who,
    action: Annotated[
        str,
        typer.Argument(
            metavar="ACTION",
            help="fortify, stock-up, scout, long-game, inspire, seize-the-advantage",
            autocompletion=PREPARATIONS,
        ),
    ],
) -> Result:
    """A preparatory action, one a player, before the first round (STR-TC-14).

    5 and 6 are good, 3 and 4 fair; 1 and 2 cost the team 1 Advance in round 1.

    Example: `strike conflict prep vex fortify --dice 5`
    """
    return _of(options, "prep", who, action=action)


@command(app, "oppose", kind="writes")
def oppose(
    options: Options,
    action: Annotated[
        str,
        typer.Argument(
            metavar="ACTION", help="progress, obscure, total-defense ...", autocompletion=ACTION_WORDS
        ),
    ],
    recover: Recover = "",
    next_: Next = "",
    instead: Instead = False,
) -> Result:
    """The opposition's one action (STR-TC-03): kept from the players until `conflict roll` reveals it.

    Example: `strike conflict oppose total-defense`
    """
    options.secret = True
    with options.campaign(writing=True) as campaign:
        helps = roll_of(next_, "--next") if next_ else ""
        args = {"action": action, "recover": recover, "next": helps, **said_instead(instead)}
        return played(play(options, campaign, "conflict oppose", args), campaign)


@command(app, "scout")
def scout(
    options: Options,
    which: Annotated[
        str, typer.Argument(metavar="[advance|defense]", help="Which of their dice; Advance unless said.")
    ] = "",
    theirs: OtherSide = False,
) -> Result:
    """See one of the opposition's dice before the actions (STR-TC-02, 07): it is rolled now, and counts.

    Where there are players on both sides the die is for those who scout, and this screen for them alone.

    Example: `strike conflict scout defense`
    """
    with options.campaign(writing=True) as campaign:
        options.secret = options.secret or bool(side_of(campaign, "theirs").get("team"))
        args = {"which": roll_of(which, "which die") if which else "", "side": "theirs" if theirs else ""}
        return played(play(options, campaign, "conflict scout", args), campaign, explain=options.explain)


# --- the dice


@command(app, "roll")
def roll(
    options: Options,
    weigh: Weigh = None,
    dis: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLL:REASON", help="Disadvantage on a roll of ours besides: advance:torn map."),
    ] = None,
    stock: Annotated[
        str, typer.Option(metavar="advance|defense", help="Use a Stock Up from before rolling.")
    ] = "",
    their_stock: Annotated[
        str, typer.Option(metavar="advance|defense", help="The same for players on the other side.")
    ] = "",
    recovery: Annotated[
        str, typer.Option(metavar="strike|TRAIT|none", help="What the trait Recovery brings back.")
    ] = "",
) -> Result:
    """The round, once everybody has chosen (STR-TC-04 to 08, 15).

    Dice: our Advance, our Defense, theirs, then a double tie's; two for a roll with Disadvantage, none for
    one that was scouted. Each Major Condition takes 1 from a roll; a Minor one, and a Flaw of the Skill or
    item that somebody acts with, is Disadvantage: on Advance, unless --weigh says otherwise.

    Example: `strike conflict roll --dice 4,2,3,5 --weigh defense`
    """
    args = round_args(weigh, dis, {"ours": stock, "theirs": their_stock}, recovery)
    with options.campaign(writing=True) as campaign:
        came = play(options, campaign, "conflict roll", args)
        result = played(came, campaign, explain=options.explain)
        if came.data and came.pending is None:
            result.blocks += _standing(campaign, came.data)
        return result


@command(app, "round")
def bare_round(options: Options, ours: Ours, theirs: Theirs) -> Result:
    """One bare round (STR-TC-04, 05): nothing is kept of it. Works without a campaign too.

    Example: `strike conflict round --ours 6/3 --theirs 2/6 --dice 5,3,2,3`
    """
    args = {"who": "", "ours": pair_of(ours, "--ours"), "theirs": pair_of(theirs, "--theirs")}
    campaign = options.campaign_if_any(writing=True)
    try:
        return played(play(options, campaign, "conflict round", args), campaign, explain=options.explain)
    finally:
        if campaign is not None:
            campaign.close()


@command(app, "hit", kind="writes")
def hit(
    options: Options,
    team: Annotated[str, typer.Argument(metavar="ours|theirs", help="The team that was hit.")],
    what: Annotated[
        str,
        typer.Argument(
            metavar="strike|TRAIT",
            help="What its opponents choose; ablate or drain with those traits.",
            autocompletion=HITS,
        ),
    ],
    recover: Recover = "",
) -> Result:
    """What a Hit does (STR-TC-06): a Strike, or one of the traits for the rest of the conflict.

    The opponents of the team hit choose. Where only a Strike can come of it a Hit is one at once. What else
    the round brings, as Recover, comes once its Hits are decided (STR-TC-07).

    Example: `strike conflict hit theirs strike`
    """
    with options.campaign(writing=True) as campaign:
        args = {"side": _team(campaign, team), "what": what.strip(), "recover": recover}
        came = play(options, campaign, "conflict hit", args)
        result = played(came, campaign)
        if came.data and came.data["ended"]:
            result.blocks += _standing(campaign, came.data)
        return result


# --- ways out


@command(app, "avert", kind="writes")
def avert(
    options: Options,
    who: Who,
    theirs: Annotated[str, typer.Option(metavar="strike|TRAIT", help="What the opposition gets back.")] = "",
) -> Result:
    """Avert a loss for an Action Point (STR-TC-10): the team takes a Hit, the opposition removes a Strike or
    regains a trait, and the conflict goes on.

    Example: `strike conflict avert vex`
    """
    return _of(options, "avert", who, theirs=theirs)


@command(app, "withdraw")
def withdraw(options: Options, who: Who, condition: Said = None) -> Result:
    """Leave for good (STR-TC-12), with the Condition that the team's Strikes bring at this moment.

    Example: `strike conflict withdraw vex`
    """
    with options.campaign(writing=True) as campaign:
        args = {"who": find_character(campaign, who), "conditions": conditions_of(campaign, condition)}
        return played(play(options, campaign, "conflict withdraw", args), campaign)


@command(app, "concede", kind="writes")
def concede(
    options: Options,
    complication: Annotated[
        list[str] | None,
        typer.Option(metavar="WHO:NAME", help="The one Complication that explains it: +1 AP for its player."),
    ] = None,
    theirs: OtherSide = False,
) -> Result:
    """Lose at the start of a round, if everybody agrees (STR-TC-11): two Strikes less count.

    One Complication may explain it, and earns its player an Action Point.

    Example: `strike conflict concede --complication "vex:Owes the ferryman"`
    """
    with options.campaign(writing=True) as campaign:
        used = []
        for text in complication or []:
            who, _, name = text.partition(":")
            if not name.strip():
                raise Usage(f"--complication {text!r}: write WHO:NAME.", 'Like "vex:Owes the ferryman".')
            used.append([find_character(campaign, who), name.strip()])
        args = {"complications": used, "side": "theirs" if theirs else "ours"}
        came = play(options, campaign, "conflict concede", args)
        result = played(came, campaign)
        if came.data:
            result.blocks += _standing(campaign, came.data)
        return result


@command(app, "end")
def end(
    options: Options,
    condition: Said = None,
    abandon: Annotated[
        bool, typer.Option("--abandon", help="Drop it as it stands, with no aftermath.")
    ] = False,
    undecided: Annotated[
        bool, typer.Option("--undecided", help="It ends after this round, neither side having won.")
    ] = False,
) -> Result:
    """The aftermath (STR-TC-09): Conditions by the team's Strikes, Concessions, and it is over.

    Which Condition is chosen for each member of the team, unless said here. With --undecided nobody has their
    intent and no Concession is owed, but Strikes bring Conditions all the same (STR-TC-12a).

    Example: `strike conflict end --condition vex:angry`
    """
    with options.campaign(writing=True) as campaign:
        if abandon and undecided:
            raise Usage("--abandon drops it, --undecided brings an aftermath.", "One of the two.")
        args = {"conditions": conditions_of(campaign, condition), "abandon": abandon}
        args |= {"undecided": True} if undecided else {}
        return played(play(options, campaign, "conflict end", args), campaign)


@command(app, "show", kind="reads")
def show(
    options: Options,
    gm: Annotated[bool, typer.Option("--gm", help="With what the players may not know yet.")] = False,
    side: Annotated[
        str, typer.Option(metavar="ours|theirs", help="With what the players of that side know.")
    ] = "",
) -> Result:
    """How the conflict stands; what the opposition has chosen only with --gm.

    With players on both sides, --side has the choices of one, and the dice that it has scouted.

    Example: `strike conflict show --gm`
    """
    from .show import shown

    with options.campaign() as campaign:
        result = shown(world_of(campaign), gm, _team(campaign, side) if side else "")
        result.notices = list(campaign.notices)
        waiting = campaign.state.get("pending", {}).get("conflict")
        if waiting and (gm or not waiting.get("secret")):
            result.blocks += pending_lines(waiting)
        return result


# --- telling what it came to


def _of(options: Options, name: str, who: str, **args: Any) -> Result:
    with options.campaign(writing=True) as campaign:
        args["who"] = find_character(campaign, who)
        came = play(options, campaign, f"conflict {name}", args)
        return played(came, campaign, explain=options.explain)


def _standing(campaign: Campaign, data: Mapping[str, Any]) -> list[Block]:
    """Lines below what happened: Strikes, what follows, and what waits."""
    from .show import next_steps, standing

    lines: list[Block] = list(standing(data))
    if data.get("hits_due") and any(data["hits_due"].values()) and campaign.state.get("conflict"):
        lines += [[("Next: ", "dim"), (step, "command")] for step, _ in next_steps(world_of(campaign))]
    return lines


def _team(campaign: Campaign, word: str) -> str:
    """The side that was typed: ours, theirs, or its name."""
    table = {side: str(side_of(campaign, side).get("name", side)) for side in ("ours", "theirs")}
    return find_one(word, table, "team", "")
