"""Parsers of the words that commands of fights take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import Usage, did_you_mean, listed
from strike_cli.terminal.move_commands import Call, WordParser
from strike_cli.terminal.name_lookup import find_id_by_name

from ..fight_state import fight_in
from . import argument_completions

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

    from ..data import FightState


def must_find_fight(campaign: Campaign) -> FightState:
    """Return the fight under way. Raises NoFightUnderWay if there is none."""
    fight = fight_in(campaign.state)
    if not fight:
        known = ", ".join(campaign.book.encounters) or "none in campaign.toml"
        from ..fight_state import NoFightUnderWay

        raise NoFightUnderWay(f"`strike combat start ENCOUNTER` begins one. Encounters: {known}.")
    return fight


def find_combatant(campaign: Campaign, name: str) -> str:
    """Return the id of the combatant that a name means; `.` means the one whose turn it is.

    Raises NobodysTurn for `.` between turns, and Usage if the name means none or several.
    """
    fight = must_find_fight(campaign)
    if name == ".":
        if not fight.get("active"):
            from strike_cli.refusals import NobodysTurn

            raise NobodysTurn("`strike next` begins the next.")
        return str(fight["active"])
    table = {combatant: str(item["name"]) for combatant, item in fight["combatants"].items()}
    return find_id_by_name(name, table, "combatant", f" in {fight['name']}", lambda: _map_labels_by_id(fight))


def _map_labels_by_id(fight: Mapping[str, object]) -> dict[str, str]:
    from strike_cli.terminal.battlemap.labels_and_marks import map_labels

    from ..fight_as_scene import fight_as_scene

    return map_labels(fight_as_scene("combat", "fight", fight))


def whose_turn(campaign: Campaign) -> str | None:
    """Return the combatant whose turn it is, None between turns or without a fight."""
    fight = fight_in(campaign.state)
    return (fight.get("active") or None) if fight else None


def normalize_square(text: str) -> str:
    """Return a typed square as the state writes it, such as `C7`. Raises Usage if the text is no square."""
    from strike_cli.tabletop.grid import format_square, parse_square

    try:
        return format_square(parse_square(text))
    except ValueError as error:
        raise Usage(str(error)) from None


def set_confirmation_and_give_no_args(call: Call, yes: bool) -> dict[str, object]:
    """If `yes` is true, turn off the questions about an action's cost.

    This changes `call.options`. The result is always {}, because the move has no argument for `yes`.
    """
    call.options.skips_confirmation |= yes
    return {}


def args_naming_first_and_others(combatants: list[str]) -> dict[str, object]:
    """Return several combatants as arguments of a move: the first as `who`, the others as `also`."""
    first, *also = dict.fromkeys(combatants)
    return {"who": first, "also": also or None}


def choice_parser(allowed_words: Callable[[], tuple[str, ...]], option: str, value_name: str) -> WordParser:
    """Return a parser for an option that takes one of a few words.

    The parser raises Usage for any other word. `option` and `value_name` name the option and its value in
    that error.
    """

    def require_listed_word(call: Call, word: str) -> str:
        if word not in (known := allowed_words()):
            hint = did_you_mean(word, known)
            raise Usage(f"{option} {word!r}: no such {value_name}.{hint}", f"One of {listed(known)}.")
        return word

    return WordParser(require_listed_word)


def _parse_duration(call: Call, word: str) -> str:
    if word not in (known := argument_completions.duration_words(call.required_campaign)):
        raise Usage(
            f"--ends {word!r}: no such duration.{did_you_mean(word, known)}", f"One of {listed(known)}."
        )
    return word


COMBATANT = WordParser(lambda call, name: find_combatant(call.required_campaign, name))
SQUARE = WordParser(lambda call, text: normalize_square(text))
STATUS = WordParser(lambda call, name: call.required_campaign.book.find("statuses", name))
DURATION = WordParser(_parse_duration)

ACTING = WordParser(lambda call, name: find_combatant(call.required_campaign, name), whose_turn=whose_turn)

Acting = Annotated[
    str,
    typer.Argument(metavar=argument_completions.COMBATANT, help="The actor; leave it out on their turn."),
    ACTING,
]
Who = Annotated[str, typer.Argument(metavar=argument_completions.COMBATANT, help="A combatant."), COMBATANT]
Several = Annotated[
    list[str],
    typer.Argument(metavar=argument_completions.COMBATANT.with_text("WHO..."), help="Combatants."),
    COMBATANT.for_list(),
]
Trade = Annotated[bool, typer.Option("--trade", "-t", help="Give up the Attack Action for a second move.")]
Why = Annotated[str, typer.Option("--why", help="The reason.")]


def parse_area(call: Call, texts: list[str]) -> list[str]:
    """Return the squares of texts like C3 or, for a rectangle, C3:F6, each once.

    Raises Usage for other text.
    """
    from strike_cli.tabletop.grid import format_square, parse_area

    try:
        area = dict.fromkeys(square for text in texts for square in parse_area(text))
    except ValueError as error:
        raise Usage(str(error)) from None
    return [format_square(square) for square in area]
