"""`strike flaw`, `strike favor` and `strike bonus`: Flaws, Favors, and banked bonuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from strike_cli.problems import Usage, listed
from strike_cli.refusals import AmbiguousWord
from strike_cli.tabletop.characters_and_names import character_changes_in
from strike_cli.tabletop.dice import ADVANTAGE, DISADVANTAGE
from strike_cli.terminal.argument_completions import FREE, WHO
from strike_cli.terminal.command_output import Block, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, WordParser, plays
from strike_cli.terminal.name_lookup import Character, find_character_by_name_or_player, nonempty_text_parser

from . import argument_completions

if TYPE_CHECKING:
    from strike_cli.tabletop.data import CharacterKept

app = new_app()
flaws = new_app()
favors = new_app()
bonuses = new_app()
app.add_typer(flaws, name="flaw")
app.add_typer(favors, name="favor")
app.add_typer(bonuses, name="bonus")


def _held_item_parser(kind: Literal["flaws", "favors", "banked"], key: str) -> WordParser:
    """Return a parser for a Flaw, Favor or banked bonus that a character has.

    The character is the argument before this one. The parser takes a word: the item's id, or a part of the
    text that the item has under `key`.
    """
    one = {"flaws": "Flaw", "favors": "Favor", "banked": "banked bonus"}[kind]

    def find_held_item(call: Call, name: str) -> str:
        person_id, book = call.text_of("who"), call.required_campaign.book
        mine: CharacterKept = character_changes_in(call.required_campaign.state).get(person_id, {})
        held: Sequence[Mapping[str, object]] = mine.get(kind, [])
        person, low = book.characters[person_id]["name"], name.strip().lower()
        if not held:
            raise Usage(f"{person} has no {one}.", f"`strike character show {person_id}` lists everything.")
        words = {str(item["id"]): str(item[key]).lower() for item in held}
        known = listed(f"{item['id']} ({item[key]})" for item in held)
        for means in (low.__eq__, lambda id_: words[id_] == low, lambda id_: low in words[id_]):
            found = [id_ for id_ in words if means(id_)] if low else []
            if len(found) == 1:
                return found[0]
            if found:
                raise AmbiguousWord(repr(name), listed(found), f"Name one: {known}.")
        raise Usage(f"{person} has no {one} {name!r}.", f"Known: {known}.")

    return WordParser(find_held_item)


Flaw = Annotated[
    str,
    typer.Argument(metavar=argument_completions.FLAW, help="Its id, like f1, or part of its item."),
    _held_item_parser("flaws", "on"),
]
Favor = Annotated[
    str,
    typer.Argument(
        metavar=argument_completions.FAVOR, help="Its id, like v1, or part of the creditor's name."
    ),
    _held_item_parser("favors", "to"),
]
Text = Annotated[str, typer.Option("--text", metavar="TEXT", help="A description.")]


# Flaws


@flaws.callback()
def _flaw_group_callback() -> None:
    """Flaws: known problems with an item or with information (STR-CORE-10).

    A Flaw means Disadvantage where it matters. Its owner may use it for a Twist and an Action Point.

    Example: `strike flaw add vex "black rope" --text "frayed in the middle"`
    """


@plays(flaws, "add", "flaw add", kind="writes")
def flaw_add(
    who: Character,
    on: Annotated[
        str, typer.Argument(metavar="ON", help="The item or knowledge."), nonempty_text_parser("ON")
    ],
    text: Text = "",
) -> None:
    """Give a Flaw to a person's item or knowledge.

    Example: `strike flaw add vex "black rope" --text "frayed in the middle"`
    """


@plays(flaws, "use", "flaw use", kind="writes")
def flaw_use(who: Character, id: Flaw) -> None:
    """Let a Flaw go wrong: a Twist without a roll, and an Action Point for its owner. The Flaw stays.

    Example: `strike flaw use vex f1`
    """


@plays(flaws, "mend", "flaw mend", kind="writes")
def flaw_mend(who: Character, id: Flaw) -> None:
    """Remove a Flaw that is repaired, replaced, or found out for good.

    Example: `strike flaw mend vex rope`
    """


# Favors


@favors.callback()
def _favor_group_callback() -> None:
    """Favors that characters owe (STR-CORE-11).

    Until a Favor is repaid, the whole party has Disadvantage when it asks the same creditor again.

    Example: `strike favor add odo "Eel smokers" --text "a night's hiding"`
    """


@plays(favors, "add", "favor add", kind="writes")
def favor_add(
    who: Character,
    to: Annotated[
        str,
        typer.Argument(metavar=FREE.with_text("TO"), help="The creditor: a person or a party."),
        nonempty_text_parser("TO"),
    ],
    text: Text = "",
    reputation: Annotated[
        bool, typer.Option("--reputation", help="Make it a Bad Reputation with them at once.")
    ] = False,
    associates: Annotated[
        list[str] | None,
        typer.Option("--associate", metavar=FREE, help="An associate of theirs, who is as hard to ask."),
        nonempty_text_parser("--associate").for_list(),
    ] = None,
) -> None:
    """Record a Favor owed.

    Example: `strike favor add odo "Eel smokers" --text "a night's hiding"`
    """


@plays(favors, "associate", "favor associate", kind="writes")
def favor_associate(
    who: Character,
    id: Favor,
    name: Annotated[
        str, typer.Argument(metavar=FREE, help="An associate of the creditor."), nonempty_text_parser("NAME")
    ],
) -> None:
    """Add an associate of a creditor. The associate is as hard to ask as the creditor.

    Example: `strike favor associate odo "Eel smokers" "the harbour master"`
    """


@plays(favors, "repay", "favor repay", kind="writes")
def favor_repay(
    who: Character,
    id: Favor,
    lived_down: Annotated[
        bool, typer.Option("--lived-down", help="The story has restored their reputation.")
    ] = False,
) -> None:
    """Repay a Favor.

    A Favor that has become a Bad Reputation can be repaid only once the story has restored the reputation.
    --lived-down says that it has.

    Example: `strike favor repay odo v1`
    """


@plays(favors, "overdue", "favor overdue", kind="writes")
def favor_overdue(who: Character, id: Favor) -> None:
    """Turn an overdue Favor into a Bad Reputation. The Disadvantage stays the same, but is harder to lose.

    Example: `strike favor overdue odo "Eel smokers"`
    """


# Bonuses


@bonuses.callback()
def _bonus_group_callback() -> None:
    """Advantage or Disadvantage that is kept for a later roll (STR-CORE-07, 19).

    You name the later roll. If the name is a Skill, a roll of that Skill uses up what is kept for it, without
    being asked.

    Example: `strike bonus bank vex Sneaking --why "knows the guards' rounds"`
    """


@command(bonuses, "list", kind="reads")
def bonus_list(
    options: Options,
    who: Annotated[
        str, typer.Argument(metavar=WHO.with_text("[WHO]"), help="A character. Default: everybody.")
    ] = "",
) -> Result:
    """List banked bonuses.

    Example: `strike bonus list vex`
    """
    with options.open_campaign() as campaign:
        asked = [find_character_by_name_or_player(campaign, who)] if who else list(campaign.book.characters)
        characters = character_changes_in(campaign.state)
        held = [
            (each, item)
            for each in asked
            if each in characters
            for item in characters[each].get("banked", [])
        ]
        rows: list[Sequence[Span]] = [
            [
                (campaign.book.characters[each]["name"], "name"),
                (item["id"], "command"),
                item["gives"].capitalize(),
                item["for"],
                item.get("why") or "-",
            ]
            for each, item in held
        ]
        block: Block = Table(["Who", "Id", "Gives", "On", "Why"], rows)
        return Result(
            "bonus list",
            {"banked": [{"who": each, **item} for each, item in held]},
            [block if rows else ("Nobody has a banked bonus.", "dim")],
            notices=campaign.notices,
        )


@plays(bonuses, "bank", "bonus bank", kind="writes")
def bonus_bank(
    who: Character,
    for_: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.SKILL.with_text("FOR"),
            help="The later roll: a Skill, or its subject.",
        ),
        nonempty_text_parser("FOR"),
    ],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Its source.")] = "",
    disadvantage: Annotated[
        bool, typer.Option("--disadvantage", help="Disadvantage instead, as a Linked Roll's Cost.")
    ] = False,
) -> dict[str, object]:
    """Bank Advantage for a later roll. This is the usual use of a Bonus.

    Example: `strike bonus bank vex Sneaking --why "knows the guards' rounds"`
    """
    return {"gives": DISADVANTAGE if disadvantage else ADVANTAGE}


@plays(bonuses, "drop", "bonus drop", kind="writes")
def bonus_drop(
    who: Character,
    id: Annotated[
        str,
        typer.Argument(metavar=argument_completions.BONUS, help="Its id, like b1, or a part of its roll."),
        _held_item_parser("banked", "for"),
    ],
) -> None:
    """Drop a banked bonus that no longer fits any roll.

    Example: `strike bonus drop vex b1`
    """
