"""Commands for attacks and powers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import Usage, did_you_mean, listed
from strike_cli.refusals import AmbiguousWord
from strike_cli.terminal.command_output import Result, performed_result
from strike_cli.terminal.commands_and_options import Options, command
from strike_cli.terminal.move_commands import Call, TwoReadings, WordParser, plays
from strike_cli.terminal.name_lookup import find_id_by_name, find_id_if_any
from strike_cli.terminal.unquoted_names import (
    MOST_SPLIT_WORDS,
    adding_known_word_count_to_refusal,
    possible_names,
    ways_to_split,
)

from . import app, argument_completions
from .argument_parsers import (
    SQUARE,
    Acting,
    Trade,
    find_combatant,
    must_find_fight,
    set_confirmation_and_give_no_args,
)

if TYPE_CHECKING:
    from ..powers.powers_and_targets import NamedModifier


def _actor_power_names_and_short_ids(call: Call) -> tuple[dict[str, str], dict[str, str]]:
    """Return two tables of the acting creature's powers: names by id, and ids by short name."""
    from strike_cli.kernel.procedure import World

    from ..fight_state import Fight, ids_by_last_part_or_whole_id
    from ..powers.standard_powers_and_use_limits import STANDARD

    book = call.required_campaign.book
    fight = Fight(World(book, call.required_campaign.state))
    own = [*fight.sheet(call.text_of("who")).get("powers", []), *STANDARD]
    return {key: str(book.powers[key]["name"]) for key in own}, ids_by_last_part_or_whole_id(own)


def _find_power_if_any(call: Call, name: str, rolled_first: bool) -> str | None:
    """Return the full id of the actor's power with this name; None if there is none.

    If the name fits several powers, those with an attack roll are preferred if `rolled_first` is True, and
    those without one if it is False. Raises Usage if several powers still fit.
    """
    table, short = _actor_power_names_and_short_ids(call)
    if name.lower() in short:
        return short[name.lower()]
    powers = call.required_campaign.book.powers
    likely = {key: own for key, own in table.items() if ("damage" in powers[key]) == rolled_first}
    with suppress(Usage):
        found = find_id_if_any(name, likely)
        if found is not None:
            return found
    return find_id_if_any(name, table)


def _find_power(call: Call, name: str, prefer_rolled: bool = False) -> str:
    """Return the full id of the actor's power with this name. Raises Usage if there is none."""
    found = _find_power_if_any(call, name, prefer_rolled)
    if found is not None:
        return found
    owner = must_find_fight(call.required_campaign)["combatants"][call.text_of("who")]["name"]
    return find_id_by_name(name, _actor_power_names_and_short_ids(call)[0], "power", f" on {owner}'s sheet")


def _parse_modifier(call: Call, text: str) -> NamedModifier:
    """Parse a modifier: `1`, or with its reason `-2:mud to the knees`. Raises Usage if it has no number."""
    from ..powers.powers_and_targets import NamedModifier

    number, _, reason = text.partition(":")
    try:
        return NamedModifier(int(number), reason.strip() or "modifier")
    except ValueError:
        raise Usage(
            f"--mod {text!r}: {number!r} is not a number.", "Write --mod 1 or --mod=-2:mud."
        ) from None


def _parse_targets_and_note_power(call: Call, words: list[str]) -> list[str]:
    """Return the ids of the targets in typed words. If the words also name a power, store the power.

    The power's name may come after the word "with", or be the first or last of the words. It is stored in
    `call.typed`, as if it had been typed with `--power`. If a target was typed where a power is expected, as
    in `use g3 kind`, its id comes first in the result.
    """
    if WORD_BEFORE_POWER in words[1:-1] and not call.typed.get("power"):
        at, rolled = words.index(WORD_BEFORE_POWER, 1), call.typed.get("power") is None
        try:
            call.typed["power"] = _find_power(call, " ".join(words[at + 1 :]), rolled)
        except Usage as problem:
            problem.words_known = at
            raise
        words = words[:at]
    targets, done_with = _parse_targets_and_power(call, words)
    call.typed.update({"power": done_with} if done_with else {})
    aimed = call.typed.pop(TARGET_BEFORE_POWER, None)
    return [*([str(aimed)] if aimed else []), *targets]


def _parse_targets_and_power(call: Call, words: list[str]) -> tuple[Sequence[str], str]:
    """Return the ids of the targets, and the id of the power, that the typed words name.

    The power is "" if the words name none. A name may consist of several words. If there are more than
    MOST_SPLIT_WORDS words, each word is read as a whole name.

    Raises TwoReadings if the words can be read in two ways. Raises Usage for a word that is part of no name.
    """
    several = len(words) <= MOST_SPLIT_WORDS
    actor, given = call.text_of("who"), call.typed.get("power")
    names = possible_names(words) if several else {*words}
    people = {
        name: combatant_id
        for name in names
        if (combatant_id := _none_if_unknown(partial(find_combatant, call.required_campaign, name)))
    }
    powers = {
        name: key
        for name in (names if not given else ())
        if (key := _none_if_unknown(partial(_find_power_if_any, call, name, given is None)))
    }
    found: dict[tuple[tuple[str, ...], str], str] = {}
    for parts in ways_to_split(words) if several else [words]:
        for at in (None, *sorted({0, len(parts) - 1})) if parts else (None,):
            named = [part for place, part in enumerate(parts) if place != at]
            power = "" if at is None else powers.get(parts[at], "")
            targets = tuple(people.get(name, "") for name in named)
            if all(targets) and (at is None or power):
                shown = " and ".join(map(repr, named)) + (f" with {parts[at]!r}" if at is not None else "")
                found.setdefault((targets, power), shown.strip())
    likely: Sequence[Callable[[Sequence[str], str], bool]] = (
        lambda targets, power: len({*targets}) == len(targets),
        lambda targets, power: actor not in targets,
        lambda targets, power: bool(targets),
        lambda targets, power: bool(given or power) or len(targets) == 1,  # a basic attack
    )
    for is_likely in likely:
        found = {each: shown for each, shown in found.items() if is_likely(*each)} or found
    if len(found) > 1:
        raise TwoReadings(" ".join(words), found.values(), ", or `with` before the power")
    if not found:
        _raise_unknown_name(call, words, people, powers)
    return next(iter(found))


def _raise_unknown_name(
    call: Call, words: list[str], people: Collection[str], powers: Collection[str]
) -> None:
    """Raise Usage for words that can't be read as targets and a power; it names the unknown part.

    `people` and `powers` have the names among the words that are known.
    """
    table, short = _actor_power_names_and_short_ids(call)
    whole = [name for name in powers if name.lower() in {*short, *map(str.lower, table.values())}]
    fighters = must_find_fight(call.required_campaign)["combatants"]
    with adding_known_word_count_to_refusal(words, {*people, *whole}) as rest:
        name = " ".join(rest or words)
        try:
            find_combatant(call.required_campaign, name)
        except AmbiguousWord:
            raise
        except Usage:
            if call.typed.get("power") or not people:
                raise
        _find_power_if_any(call, name, rolled_first=True)  # raises if the name may mean several
        known = [*fighters, *(one["name"] for one in fighters.values()), *short]
        owner = fighters[call.text_of("who")]["name"]
        raise Usage(
            f"{name!r} is not in this fight, and not a power of {owner}.{did_you_mean(name, known)}",
            f"Available powers: {listed(short)}.",
        )


def _none_if_unknown(find: Callable[[], str | None]) -> str | None:
    with suppress(Usage):
        return find()
    return None


WORD_BEFORE_POWER = "with"
TARGET_BEFORE_POWER = "target before the power"
"""The key for a target that was typed where `use` has the power: `use g3 kind` means `use kind g3`."""


def _parse_power_or_note_target(call: Call, name: str) -> str:
    """Return the id of the power with this name. If it is a target's name, note the target and return ""."""
    found = _find_power_if_any(call, name, rolled_first=False)
    if found is None:
        with suppress(Usage):
            call.typed[TARGET_BEFORE_POWER] = find_combatant(call.required_campaign, name)
            return ""
    return found or _find_power(call, name)


POWER_OR_TARGET = WordParser(_parse_power_or_note_target)
POWER_PREFERRING_ROLLED = WordParser(partial(_find_power, prefer_rolled=True))
Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar=argument_completions.COMBATANT.with_text("TARGET..."),
        help="The targets; for an area, everybody in it.",
    ),
    WordParser(_parse_targets_and_note_power, last_word="--power"),
]
WithPower = Annotated[
    str,
    typer.Option(
        "--power",
        "-p",
        metavar=argument_completions.OWN_POWER.with_text("P"),
        help="Default: a basic attack in reach.",
    ),
    POWER_PREFERRING_ROLLED,
]
At = Annotated[
    str,
    typer.Option("--at", metavar=argument_completions.SQUARE, help="The square that an area is aimed at."),
    SQUARE,
]
Adv = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Advantage, and why.")]
Dis = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Disadvantage, and why.")]
Mods = Annotated[
    list[str] | None,
    typer.Option("--mod", metavar="N[:REASON]", help="A flat modifier, and why."),
    WordParser(_parse_modifier).for_list(),
]
NoEffect = Annotated[
    str, typer.Option(metavar="REASON", help="The reason why its Effect makes no sense and doesn't happen.")
]


Yes = Annotated[bool, typer.Option("--yes", "-y", help="Go ahead without a question about Opportunities.")]


@plays(
    app,
    "attack",
    "combat attack",
    dice="a d6 for each target in the order named; two with Advantage or Disadvantage",
)
def attack(
    call: Call,
    who: Acting,
    targets: Targets = None,
    power: WithPower = "",
    at: At = "",
    adv: Adv = None,
    dis: Dis = None,
    mods: Mods = None,
    no_effect: NoEffect = "",
    yes: Yes = False,
) -> dict[str, object]:
    """Attack (an Attack Action, STR-TAC-09): roll for each target, then damage, effect, or both.

    Without --power it is a basic attack: melee if the target is in reach, otherwise ranged. On a 3 the
    attacker chooses damage or effect. Miss Tokens may be spent after the roll. An area covers everybody
    named, or is aimed at --at.

    A ranged attack next to an enemy gives that enemy an Opportunity (STR-TAC-08). strike asks before such an
    attack, and before an attack on your own side. With --yes it doesn't ask.

    Example: `strike combat attack vex goblin-1 --power "lantern flare"`
    """
    _refuse_missing_or_stray_targets(call)
    return set_confirmation_and_give_no_args(call, yes)


def _refuse_missing_or_stray_targets(call: Call) -> None:
    """Raise Usage if a power lacks a target that it needs, or if its targets are probably a mistake.

    If no target is named, this is only refused in the turn of the creature that uses the power. If the power
    has one target, two targets from different sides are refused. For example, with `attack brann g1` in Vex's
    turn, Brann was probably meant as the attacker. A prepared action isn't checked.
    """
    from strike_cli.kernel.procedure import World

    from ..fight_state import Fight, area_shape_of
    from ..powers.powers_and_targets import needs_named_target, words_for_missing_target
    from ..powers.standard_powers_and_use_limits import MELEE_BASIC

    if not call.played:  # a prepared action may get its target from the trigger
        return
    combatant, named, key = call.text_of("who"), call.texts_of("targets"), call.text_of("power")
    fight = Fight(World(call.required_campaign.book, call.required_campaign.state))
    power = call.required_campaign.book.powers[key or MELEE_BASIC]
    if (
        not named
        and not call.text_of("at")
        and needs_named_target(power)
        and combatant == fight.data.get("active")
    ):
        from strike_cli.command_line_splitting import quote_word_if_needed

        on_map = [one for one in (combatant, *fight.enemies_of(combatant)) if fight.combatant(one).get("at")]
        enemies = on_map[1:] if on_map[:1] == [combatant] else []
        near = min(enemies, key=lambda one: fight.gap(combatant, one), default="")
        hint = f"`strike combat use {combatant} {quote_word_if_needed(key or MELEE_BASIC)} {near}`"
        if "damage" in power:
            aimed = f"{near} --power {quote_word_if_needed(key)}" if key else near
            hint = f"`strike combat attack {combatant} {aimed}`"
        raise Usage(words_for_missing_target(power), f"Name one: {hint}." if near else "")
    one = not area_shape_of(power) and power.get("targets", 1) == 1
    if one and len(named) > 1 and fight.side(named[0]) != fight.side(named[1]):
        raise Usage(f"{power['name']} has 1 target, not {len(named)}.", "Name the right one.")


@plays(app, "use", "combat use")
def use(
    call: Call,
    who: Acting,
    power: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.OWN_POWER, help="A power of the actor; may come after the target."
        ),
        POWER_OR_TARGET,
    ],
    targets: Targets = None,
    at: At = "",
    adv: Adv = None,
    dis: Dis = None,
    mods: Mods = None,
    no_effect: NoEffect = "",
    trade: Trade = False,
    yes: Yes = False,
) -> dict[str, object]:
    """Use any power: an attack, a Role Action, a Free Action, or an Interrupt on another's turn (STR-TAC-12).

    The power takes its kind of action, and costs Action Points if its text says so. If the power has damage,
    you make an attack roll.

    Example: `strike combat use odo "kind word" vex`
    """
    aimed = call.typed.pop(TARGET_BEFORE_POWER, None)
    if aimed is not None:
        owner = must_find_fight(call.required_campaign)["combatants"][call.text_of("who")]["name"]
        own = ", ".join(_actor_power_names_and_short_ids(call)[1]) or "none"
        raise Usage(f"Which power of {owner}'s is used?", f"Available powers: {own}.")
    _refuse_missing_or_stray_targets(call)
    return set_confirmation_and_give_no_args(call, yes)


@command(app, "ladder")
def ladder(
    options: Options,
    damage: Annotated[int, typer.Option("--damage", metavar="N", min=0, help="The power's printed damage.")],
    die: Annotated[int, typer.Option("--die", metavar="D", min=1, max=6, help="The natural face.")],
    tokens: Annotated[int, typer.Option("--tokens", metavar="N", min=0, help="Miss Tokens spent.")] = 0,
    mod: Annotated[int, typer.Option("--mod", metavar="N", help="A flat modifier.")] = 0,
    guarded: Annotated[bool, typer.Option("--guarded", help="The target is Guarded.")] = False,
    weakened: Annotated[bool, typer.Option("--weakened", help="The attacker is Weakened.")] = False,
) -> Result:
    """Resolve one attack roll (STR-TAC-09 to 11), from its die to its result, without a campaign.

    A glancing hit counts as damage unless `--choose effect`.

    Example: `strike combat ladder --damage 3 --die 1 --tokens 1`
    """
    from strike_cli.content.merged_content import book_of_core_and_plugins
    from strike_cli.kernel.driver import ScriptedChoices, play_until_open_decision, refuse_more_dice
    from strike_cli.kernel.procedure import World
    from strike_cli.play.command_execution import PerformedCommand

    from ..powers.attack_table import LookUpAttackDie, play_attack_table_lookup

    args = LookUpAttackDie(
        damage=damage,
        die=die,
        tokens=tokens,
        mod=mod,
        attacker=["core:weakened"] if weakened else [],
        target=["core:guarded"] if guarded else [],
    )
    world = World(book_of_core_and_plugins())
    choices = ScriptedChoices(options.choices or ["damage"])
    driven = play_until_open_decision(play_attack_table_lookup(world, args), world, refuse_more_dice, choices)
    return performed_result(PerformedCommand("combat ladder", driven, None), None)
