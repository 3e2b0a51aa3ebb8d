"""Commands for acting out of order: delaying, preparing, triggers; and for leaving the fight."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from strike_cli.problems import Refused, Usage, did_you_mean, listed
from strike_cli.terminal.move_commands import Call, commands_declared_in, parse_arguments_into_call, plays

from . import app, argument_completions
from .argument_parsers import Acting, Who, Why
from .remaining_actions_and_map import make_show_of_blocks_below_report, remaining_action_and_all_power_lines


@plays(app, "delay", "combat delay")
def delay(who: Acting) -> None:
    """Give up the turn at its start, to act later: no actions and no Saving Throws now.

    Beneficial statuses that would end with this turn end; harmful ones wait for the delayed turn.

    Example: `strike combat delay vex`
    """


@plays(
    app,
    "resume",
    "combat resume",
    show=make_show_of_blocks_below_report(
        lambda campaign, data: remaining_action_and_all_power_lines(campaign, str(data["who"])),
        in_dry_run=False,
    ),
)
def resume(who: Who) -> None:
    """Let a combatant that has delayed act now. Somebody must have had a turn since the delay.

    From now on, the combatant has this place in the turn order.

    Example: `strike combat resume vex`
    """


@plays(app, "leave", "combat leave")
def leave(
    who: Who,
    why: Why = "",
    surrender: Annotated[bool, typer.Option("--surrender", help="Surrender.")] = False,
) -> None:
    """Leave the fight.

    A creature may leave 20 squares from every enemy, through the exit, by surrender, or for the reason in
    --why. `join` brings it back as it was.

    Example: `strike combat leave goblin-1 --why "runs for the woods"`
    """


@plays(app, "prepare", "combat prepare")
def prepare(
    call: Call,
    who: Acting,
    trigger: Annotated[str, typer.Option("--trigger", metavar="TEXT", help="The trigger.")],
    then: Annotated[
        str,
        typer.Option(
            "--then",
            metavar=argument_completions.PREPARED_ACTION,
            help='"attack goblin-1 --power trip", "use leap --at C7", "charge goblin-1", "move C7", stand, '
            "escape.",
        ),
    ],
) -> dict[str, object]:
    """Spend the Attack Action to prepare an action, and name the trigger for it.

    If the trigger comes before your next turn, `strike combat trigger` plays the action. It can be any power
    with an Attack or Move Action, a charge, a move, standing up, or an escape. You may leave the target or
    the square open until then: `--then attack`.

    Example: `strike combat prepare vex --trigger "the door opens" --then "attack goblin-1"`
    """
    do, args = _parse_prepared_command(call, then, complete=False)
    return {"then": " ".join(then.split()), "do": do, "power": args.get("power")}


@plays(
    app,
    "trigger",
    "combat trigger",
    show=make_show_of_blocks_below_report(
        lambda campaign, data: [f"  {data['wasted']}"] if "wasted" in data else ()
    ),
)
def trigger(
    call: Call,
    who: Who,
    then: Annotated[
        str,
        typer.Option(
            "--then", metavar=argument_completions.PREPARED_ACTION, help="The part that was left open."
        ),
    ] = "",
) -> dict[str, object]:
    """Play a prepared action now. Use this first, then play the event that triggers the action.

    The power, the target and the square stay as prepared. If the action is illegal now and no part was left
    open, it is wasted.

    Example: `strike combat trigger vex`
    """
    from strike_cli.kernel.procedure import World

    from ..fight_state import Fight
    from ..turns.delay_and_prepare import prepared_action_of

    prepared = prepared_action_of(
        Fight(World(call.required_campaign.book, call.required_campaign.state)), who
    )
    do, args = _parse_prepared_command(call, then or prepared["then"], complete=True)
    if then and do == prepared["do"]:
        _must_match_prepared(call, prepared["then"], args)
    return {"do": do, "args": args, "wasted": not then}


def _must_match_prepared(call: Call, prepared: str, args: Mapping[str, object]) -> None:
    """Raise Refused if `args` change the power, a target or the square of the prepared action."""
    named = _parse_prepared_command(call, prepared, complete=False)[1]
    for key in ("power", "targets", "target", "at", "to"):
        if named.get(key) and args.get(key) != named[key]:
            raise Refused(
                f"It was prepared as: {prepared}.",
                "Only the open part can be chosen now; `strike combat trigger WHO` alone plays it as "
                "prepared.",
            )


def _parse_prepared_command(call: Call, text: str, *, complete: bool) -> tuple[str, dict[str, object]]:
    """Return the command word of a prepared action (such as `attack`) and its checked arguments.

    Without `complete`, the power, the targets and the square may still be missing. Raises Usage if the text
    is not a command that can be prepared.
    """
    from . import attacks_and_powers, common_actions, move_and_stand, turns_and_escape  # noqa: F401 - which declare what may be prepared

    try:
        verb, *words = shlex.split(text) or [""]
    except ValueError as error:
        raise Usage(f"--then {text!r} can't be read: {error}.") from None
    verb = verb.lower()
    if verb not in _PREPARABLE_COMMANDS:
        raise Usage(
            f"--then {text!r}: {verb or 'nothing'} can't be prepared."
            f"{did_you_mean(verb, _PREPARABLE_COMMANDS)}",
            f'One of {listed(tuple(_PREPARABLE_COMMANDS))}, as in: --then "attack goblin-1".',
        )
    names, answers = _split_names_and_options(verb, words)
    if not names and verb == "use" and answers:
        raise Usage(f"{text!r} names a square, but no power.", '--then "use POWER --at C7" names both.')
    if complete and verb in _OPEN_PART_WORDS and not names and "at" not in answers:
        raise Usage(f"{text!r} leaves open {_OPEN_PART_WORDS[verb]}.", f'--then "{verb} ..." chooses it now.')
    if verb in ("charge", "move", "use") and not names:
        return verb, {}
    typed = {"who": call.typed["who"], **_arguments_of_prepared_command(verb, names), **answers}
    args = parse_arguments_into_call(
        Call(call.options, call.campaign, {}), commands_declared_in(app)[verb], typed
    )
    return verb, {name: value for name, value in args.items() if name != "who"}


_PREPARABLE_COMMANDS: Mapping[str, Sequence[str]] = {
    "attack": ("power", "at"),
    "charge": (),
    "move": ("shift",),
    "use": ("at",),
    "stand": (),
    "escape": (),
}
"""The commands that may be prepared, with the options that `--then` accepts for each."""
_OPEN_PART_WORDS = {
    "attack": "the target or square",
    "charge": "the target or square",
    "move": "the target or square",
    "use": "which power",
}
"""What must be chosen when the trigger comes, at the latest."""


def _arguments_of_prepared_command(verb: str, names: list[str]) -> dict[str, object]:
    """Return the arguments of a prepared command, made from its typed words.

    `verb` is the command, and `names` are the words after it, without options. If the command may ask about
    Opportunities, the argument `yes` is added, so that it doesn't ask. Raises Usage if there are too many
    words.
    """
    if verb == "attack":
        return {"targets": names or None, "yes": True}
    if verb == "use":
        return {"power": names[0], "targets": names[1:] or None, "yes": True}
    one = {"charge": "target", "move": "to", "escape": "status"}.get(verb)
    if len(names) > (one is not None):
        raise Usage(f"--then {' '.join((verb, *names))!r}: {names[-1]!r} is one word too many.")
    return {
        **({one: names[0]} if one and names else {}),
        **({"yes": True} if verb in _OPEN_PART_WORDS else {}),
    }


def _split_names_and_options(verb: str, words: list[str]) -> tuple[list[str], dict[str, object]]:
    """Split the words of a command in `--then` into names and options.

    Return the words that aren't options, and the value of each option. Raises Usage for an option that the
    command doesn't accept there.
    """
    names: list[str] = []
    told: dict[str, object] = {}
    rest = iter(words)
    for word in rest:
        option = "power" if word == "-p" else word.removeprefix("--")
        if not word.startswith("-"):
            names.append(word)
        elif option not in _PREPARABLE_COMMANDS[verb]:
            known = (
                listed([f"--{one}" for one in _PREPARABLE_COMMANDS[verb]])
                if _PREPARABLE_COMMANDS[verb]
                else "no options"
            )
            raise Usage(f"--then has no {word} with {verb}.", f"It has {known}.")
        else:
            told[option] = option == "shift" or next(rest, "")
    return names, told
