"""`strike flaw`, `strike favor`, `strike bonus`: Costs other than Conditions, and Bonuses kept for later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from strike_cli.campaign import Campaign
from strike_cli.problems import Usage, listed
from strike_cli.terminal.narrate import played
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Result, Table
from strike_cli.terminal.runner import find_character, play

app = new_app()
flaws = new_app()
favors = new_app()
bonuses = new_app()
app.add_typer(flaws, name="flaw")
app.add_typer(favors, name="favor")
app.add_typer(bonuses, name="bonus")

Who = Annotated[str, typer.Argument(metavar="WHO", help="A character.")]
Flaw = Annotated[str, typer.Argument(metavar="FLAW", help="Its id, like f1, or a part of what it is on.")]
Favor = Annotated[str, typer.Argument(metavar="FAVOR", help="Its id, like v1, or a part of whose it is.")]
Text = Annotated[str, typer.Option("--text", metavar="TEXT", help="More about it.")]


def _played(options: Options, campaign: Campaign, name: str, args: dict[str, Any]) -> Result:
    return played(play(options, campaign, name, args), campaign)


def _find(campaign: Campaign, who: str, kind: str, key: str, name: str) -> str:
    """The id that somebody's Flaw, Favor or banked bonus goes by."""
    held = campaign.state.get("characters", {}).get(who, {}).get(kind, [])
    one = {"flaws": "Flaw", "favors": "Favor", "banked": "banked bonus"}[kind]
    if not held:
        shown = campaign.book.characters[who]["name"]
        raise Usage(f"{shown} has no {one}.", f"`strike character show {who}` has all there is.")
    low = name.strip().lower()
    words = {str(item["id"]): str(item[key]).lower() for item in held}
    tests: tuple[Callable[[str], bool], ...] = (
        lambda id_: id_ == low,
        lambda id_: words[id_] == low,
        lambda id_: low in words[id_],
    )
    for test in tests:
        found = [id_ for id_ in words if test(id_)] if low else []
        if len(found) == 1:
            return found[0]
        if found:
            raise Usage(f"{name!r} may be {listed(found)}.", f"Say which: {_listed(held, key)}.")
    raise Usage(
        f"{campaign.book.characters[who]['name']} has no {one} {name!r}.", f"There is: {_listed(held, key)}."
    )


def _listed(held: list[dict[str, Any]], key: str) -> str:
    return listed(f"{item['id']} ({item[key]})" for item in held)


# Flaws


@flaws.callback()
def _flaws() -> None:
    """Flaws: known problems with an item or with information (STR-CORE-10).

    A Flaw means Disadvantage where it matters. Its owner may use it for a Twist and an Action Point.

    Example: `strike flaw add vex "black rope" --text "frayed in the middle"`
    """


@command(flaws, "add", kind="writes")
def flaw_add(
    options: Options,
    who: Who,
    on: Annotated[str, typer.Argument(metavar="ON", help="The item, or what they know.")],
    text: Text = "",
) -> Result:
    """Something that somebody has or knows gains a Flaw.

    Example: `strike flaw add vex "black rope" --text "frayed in the middle"`
    """
    with options.campaign(writing=True) as campaign:
        args = {"who": find_character(campaign, who), "on": _said(on, "ON"), "text": text}
        return _played(options, campaign, "flaw add", args)


@command(flaws, "use", kind="writes")
def flaw_use(options: Options, who: Who, flaw: Flaw) -> Result:
    """Let a Flaw go wrong: a Twist without a roll, and an Action Point for its owner. The Flaw stays.

    Example: `strike flaw use vex f1`
    """
    with options.campaign(writing=True) as campaign:
        character = find_character(campaign, who)
        args = {"who": character, "id": _find(campaign, character, "flaws", "on", flaw)}
        return _played(options, campaign, "flaw use", args)


@command(flaws, "mend", kind="writes")
def flaw_mend(options: Options, who: Who, flaw: Flaw) -> Result:
    """A Flaw is gone: repaired, replaced, or found out for good.

    Example: `strike flaw mend vex rope`
    """
    with options.campaign(writing=True) as campaign:
        character = find_character(campaign, who)
        args = {"who": character, "id": _find(campaign, character, "flaws", "on", flaw)}
        return _played(options, campaign, "flaw mend", args)


# Favors


@favors.callback()
def _favors() -> None:
    """Favors owed (STR-CORE-11): Disadvantage for all friends to ask that party again, until it is repaid.

    Example: `strike favor add odo "Eel smokers" --text "a night's hiding"`
    """


@command(favors, "add", kind="writes")
def favor_add(
    options: Options,
    who: Who,
    to: Annotated[str, typer.Argument(metavar="TO", help="To whom: a person or a party.")],
    text: Text = "",
    reputation: Annotated[
        bool, typer.Option("--reputation", help="A Bad Reputation with them at once, as one that spreads.")
    ] = False,
    associate: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Somebody who is with them, as hard to ask.")
    ] = None,
) -> Result:
    """Somebody owes a Favor.

    Example: `strike favor add odo "Eel smokers" --text "a night's hiding"`
    """
    with options.campaign(writing=True) as campaign:
        character = find_character(campaign, who)
        args = {"who": character, "to": _said(to, "TO"), "text": text, "reputation": reputation}
        if associate:
            args["associates"] = [_said(name, "--associate") for name in associate]
        return _played(options, campaign, "favor add", args)


@command(favors, "associate", kind="writes")
def favor_associate(
    options: Options,
    who: Who,
    favor: Favor,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who is with those whom it is owed to.")],
) -> Result:
    """Somebody turns out to be with those who are owed: they are as hard to ask.

    Example: `strike favor associate odo "Eel smokers" "the harbour master"`
    """
    with options.campaign(writing=True) as campaign:
        character = find_character(campaign, who)
        id_ = _find(campaign, character, "favors", "to", favor)
        return _played(
            options, campaign, "favor associate", {"who": character, "id": id_, "name": _said(name, "NAME")}
        )


@command(favors, "repay", kind="writes")
def favor_repay(
    options: Options,
    who: Who,
    favor: Favor,
    lived_down: Annotated[
        bool, typer.Option("--lived-down", help="The story has mended a Bad Reputation.")
    ] = False,
) -> Result:
    """A Favor is repaid. A Bad Reputation takes more than that: --lived-down once the story has mended it.

    Example: `strike favor repay odo v1`
    """
    with options.campaign(writing=True) as campaign:
        character = find_character(campaign, who)
        id_ = _find(campaign, character, "favors", "to", favor)
        args = {"who": character, "id": id_, "lived_down": lived_down}
        return _played(options, campaign, "favor repay", args)


@command(favors, "overdue", kind="writes")
def favor_overdue(options: Options, who: Who, favor: Favor) -> Result:
    """A Favor was left too long and becomes a Bad Reputation: the same Disadvantage, harder to lose.

    Example: `strike favor overdue odo "Eel smokers"`
    """
    with options.campaign(writing=True) as campaign:
        character = find_character(campaign, who)
        args = {"who": character, "id": _find(campaign, character, "favors", "to", favor)}
        return _played(options, campaign, "favor overdue", args)


def _said(text: str, what: str) -> str:
    if not text.strip():
        raise Usage(f"{what} is empty.", "Say what it is.")
    return text.strip()


# Bonuses


@bonuses.callback()
def _bonuses() -> None:
    """Bonuses kept for later (STR-CORE-07, 19): Advantage on a named roll that is to come.

    Rolls of that Skill use them up by themselves.

    Example: `strike bonus bank vex Sneaking --why "knows the guards' rounds"`
    """


@command(bonuses, "list", kind="reads")
def bonus_list(
    options: Options,
    who: Annotated[str, typer.Argument(metavar="[WHO]", help="A character; everybody, if not named.")] = "",
) -> Result:
    """Who keeps which bonus for which roll.

    Example: `strike bonus list vex`
    """
    with options.campaign() as campaign:
        asked = [find_character(campaign, who)] if who else list(campaign.book.characters)
        characters = campaign.state.get("characters", {})
        held = [
            {"who": each, **item} for each in asked for item in characters.get(each, {}).get("banked", [])
        ]
        rows = [
            [
                (campaign.book.characters[item["who"]]["name"], "name"),
                (item["id"], "command"),
                item["gives"].capitalize(),
                item["for"],
                item.get("why") or "-",
            ]
            for item in held
        ]
        block: Block = Table(["Who", "Id", "Gives", "On", "Why"], rows)
        return Result(
            "bonus list",
            {"banked": held},
            [block if rows else ("Nobody keeps a bonus for later.", "dim")],
            notices=campaign.notices,
        )


@command(bonuses, "bank", kind="writes")
def bonus_bank(
    options: Options,
    who: Who,
    for_: Annotated[str, typer.Argument(metavar="FOR", help="The later roll: a Skill, or what it is about.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Where it came from.")] = "",
    disadvantage: Annotated[
        bool, typer.Option("--disadvantage", help="Disadvantage instead, as a Linked Roll's Cost.")
    ] = False,
) -> Result:
    """Keep Advantage for a later roll, as a Bonus mostly is.

    Example: `strike bonus bank vex Sneaking --why "knows the guards' rounds"`
    """
    with options.campaign(writing=True) as campaign:
        args = {
            "who": find_character(campaign, who),
            "gives": "disadvantage" if disadvantage else "advantage",
            "for": _said(for_, "FOR"),
            "why": why,
        }
        return _played(options, campaign, "bonus bank", args)


@command(bonuses, "drop", kind="writes")
def bonus_drop(
    options: Options,
    who: Who,
    bonus: Annotated[str, typer.Argument(metavar="ID", help="Its id, like b1, or a part of its roll.")],
) -> Result:
    """A kept bonus fits no roll any more.

    Example: `strike bonus drop vex b1`
    """
    with options.campaign(writing=True) as campaign:
        character = find_character(campaign, who)
        args = {"who": character, "id": _find(campaign, character, "banked", "for", bonus)}
        return _played(options, campaign, "bonus drop", args)
