"""The game master's commands for HP, statuses, Strikes and Miss Tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Annotated, NamedTuple

import typer

from strike_cli.problems import Usage
from strike_cli.terminal.command_output import Result, performed_result
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.terminal.move_commands import Call, WordParser, play_move, plays
from strike_cli.terminal.unquoted_names import meanings_of_unquoted_names

from . import app, argument_completions
from .argument_parsers import COMBATANT, DURATION, STATUS, Several, Why, args_naming_first_and_others

status_app = new_app(help="Statuses: add, remove. Example: `strike combat status add goblin-1 prone`")
app.add_typer(status_app, name="status")


def _find_combatants_by_unquoted_names(call: Call, words: Sequence[str]) -> list[str]:
    return [str(one) for one in meanings_of_unquoted_names(partial(COMBATANT.read, call), words)]


def _parse_names_and_set_count(call: Call, words: list[str]) -> list[str]:
    """Return the ids of the combatants that typed words name, and store a count if there is one.

    If the last word is a number, and the words before it name combatants, the number is the count. It is
    stored as `n`. Otherwise, the number is the end of a name, as in `goblin 1`.
    """
    *names, last = words
    if names and last.isascii() and last.isdigit():
        try:
            found = _find_combatants_by_unquoted_names(call, names)
        except Usage:
            pass  # the number is the end of a name
        else:
            if int(last) < 1:
                raise Usage(f"{last} is too small.", "Give a number, 1 or more.")
            call.typed["n"] = int(last)
            return found
    return _find_combatants_by_unquoted_names(call, words)


SeveralAndCount = Annotated[
    list[str],
    typer.Argument(
        metavar=argument_completions.COMBATANT.with_text("WHO... [N]"), help="Combatants, then the number."
    ),
    WordParser(_parse_names_and_set_count),
]


@plays(app, "damage", "combat damage", kind="writes")
def damage(
    who: Several,
    amount: Annotated[int, typer.Argument(metavar="N", min=1, help="HP to take from each.")],
    why: Why = "",
) -> dict[str, object]:
    """Take HP from one creature or several: a trap, a fall, the game master's ruling.

    Example: `strike combat damage vex 2 --why "the cold river"`
    """
    return args_naming_first_and_others(who)


@plays(app, "heal", "combat heal", kind="writes")
def heal(
    who: Several,
    amount: Annotated[int, typer.Argument(metavar="N", min=1, help="HP to give back to each.")],
    why: Why = "",
) -> dict[str, object]:
    """Give HP back to one creature or several.

    If the HP are below 0, healing begins at 0. Nobody gets more than their maximum.

    Example: `strike combat heal vex 4 --why "a draught"`
    """
    return args_naming_first_and_others(who)


class TypedHpChange(NamedTuple):
    """A change of HP that the user typed.

    If `to` isn't None, it is the new value of the HP. Otherwise `by` is added to the HP, and may be negative.
    `without_sign` is true if a new value was typed as `7`, and false if it was typed as `=7`.
    """

    by: int = 0
    to: int | None = None
    without_sign: bool = False


@command(app, "hp", kind="writes", context_settings={"ignore_unknown_options": True})
def hp(
    options: Options,
    who: Annotated[
        list[str],
        typer.Argument(metavar=argument_completions.COMBATANT.with_text("WHO..."), help="Combatants."),
    ],
    change: Annotated[
        str,
        typer.Argument(metavar=argument_completions.HP_CHANGE, help="7 or =7 sets, -4 takes, +4 gives back."),
    ],
    why: Why = "",
) -> Result:
    """Set, take or give back HP of one creature or several.

    `-4` plays `combat damage`, and `+4` plays `combat heal`.

    Example: `strike combat hp goblin-1 -4`
    """
    wanted = _parse_hp_change(change)
    if why and wanted.to is not None:
        raise Usage("HP that are set have no reason.", "--why goes with -4 and +4; leave it out.")
    with options.open_campaign(writing=True) as campaign:
        call = Call(options, campaign, {})
        args = args_naming_first_and_others(_find_combatants_by_unquoted_names(call, who))
        args = {name: value for name, value in args.items() if value}
        if wanted.to is not None:
            move, args = "combat hp", {**args, "to": wanted.to}
        else:
            move = "combat damage" if wanted.by < 0 else "combat heal"
            args |= {"amount": abs(wanted.by), "why": why}
        result = performed_result(play_move(options, campaign, move, args), campaign, explain=options.explain)
        if wanted.without_sign:
            from strike_cli.command_line_splitting import quote_word_if_needed

            hp = f"strike combat hp {' '.join(map(quote_word_if_needed, who))}"
            result.notices.append(
                f"`{hp} {change}` sets HP since this version. To give them back: `{hp} +{change}`."
            )
        return result


def _parse_hp_change(text: str) -> TypedHpChange:
    found = re.fullmatch("([-+=\N{MINUS SIGN}]?)(-?[0-9]{1,6})", text)
    sign, number = found.groups() if found else ("", "")
    if not found or (number.startswith("-") and sign != "="):
        raise Usage(f"{text!r} is not a change of HP.", "7 or =7 sets them, -4 takes, +4 gives back.")
    if sign in ("", "="):
        return TypedHpChange(to=int(number), without_sign=not sign)
    return TypedHpChange(by=int(number) * (1 if sign == "+" else -1))


@plays(app, "strike", "combat strike", kind="writes")
def strike(
    who: SeveralAndCount, why: Annotated[str, typer.Option("--why", help="The reason.")] = ""
) -> dict[str, object]:
    """Give players' characters a Strike each, or several (STR-TAC-17).

    Example: `strike combat strike vex --why "the bridge gave way"`
    """
    return args_naming_first_and_others(who)


@plays(app, "token", "combat token", kind="writes")
def token(who: SeveralAndCount) -> dict[str, object]:
    """Give Miss Tokens to players' characters (STR-TAC-10).

    Each of them gets one. To give more, type the number after the names.

    Example: `strike combat token sela`
    """
    return args_naming_first_and_others(who)


@plays(status_app, "add", "combat status add", kind="writes")
def status_add(
    who: Several,
    status: Annotated[
        str,
        typer.Argument(metavar=argument_completions.STATUS, help="`strike content list statuses` has them."),
        STATUS,
    ],
    ends: Annotated[
        str,
        typer.Option(
            "--ends",
            metavar=argument_completions.DURATION,
            help="save, escape, this-turn, turn-start or turn-end (of the next one), encounter or "
            "permanent; or an event: damaged, attacks, attacked, moved, apart, giver-down.",
        ),
        DURATION,
    ] = "save",
    value: Annotated[int, typer.Option("--value", metavar="N", help="The damage of Ongoing damage.")] = 0,
    by: Annotated[
        str,
        typer.Option(
            "--by", metavar=argument_completions.COMBATANT, help="The giver: marker, grabber, dominator."
        ),
        COMBATANT,
    ] = "",
    of: Annotated[
        str,
        typer.Option(
            "--of",
            metavar=argument_completions.COMBATANT,
            help="The creature whose turn-start or turn-end counts, if not the bearer's.",
        ),
        COMBATANT,
    ] = "",
) -> dict[str, object]:
    """Give a status to one creature or several.

    Example: `strike combat status add goblin-1 marked --by brann --ends turn-end --of brann`
    """
    return args_naming_first_and_others(who)


@plays(status_app, "remove", "combat status remove", kind="writes")
def status_remove(
    who: Several, status: Annotated[str, typer.Argument(metavar=argument_completions.STATUS_HELD), STATUS]
) -> dict[str, object]:
    """Take a status from one creature or several.

    Example: `strike combat status remove goblin-1 prone`
    """
    return args_naming_first_and_others(who)
