"""Commands for what combatants do, on their own turn or on somebody else's turn."""

from __future__ import annotations

from typing import Annotated

import typer

from strike_cli.plugin import Usage
from strike_cli.plugin.commands import Acting, Call, InScene, WordParser, find_word, plays

from ..rule_constants import STATS
from .argument_parsers import (
    PERSON,
    SKILL,
    SOMEBODY,
    Ability,
    ActionName,
    Adv,
    At,
    Dis,
    Fails,
    Items,
    Lean,
    Lethal,
    Maneuver,
    MaybeStatus,
    MaybeTarget,
    Nonlethal,
    Off,
    On,
    Skill,
    Square,
    Target,
    Targets,
    Through,
    TypeOf,
    Upcast,
    Weapon,
    app,
)


@plays(app, "move", "momentum move")
def move(who: Acting, to: Square, through: Through = "", skill: Skill = "", their_skill: Skill = "") -> None:
    """Walk to a square by the shortest path (WSH-02, 17).

    The path may lead through allies' spaces. It leads through an enemy's space only with --through, after a
    contest.

    Example: `strike momentum move . F4 --through shardling-1`
    """


@plays(
    app,
    "attack",
    "momentum attack",
    dice="the d20, two of them with Advantage or Disadvantage; the damage dice in the order written; a "
    "d4 for --nonlethal",
)
def attack(
    who: Acting,
    target: Target,
    with_: Weapon = "",
    maneuver: Maneuver = "",
    nonlethal: Nonlethal = False,
    lethal: Lethal = False,
    off: Off = "",
    miss: Annotated[bool, typer.Option("--miss", help="Miss on purpose.")] = False,
    lean: Lean = "",
    adv: Adv = None,
    dis: Dis = None,
) -> None:
    """Attack with a weapon: 2 AP, unless an attack is paid for already (WSH-07, 09 to 13, 18).

    Example: `strike momentum attack runa warden`
    """


@plays(
    app,
    "use",
    "momentum use",
    dice="for attacks, each target's d20 and damage; otherwise the damage once, then each Defense Roll",
)
def use(
    who: Acting,
    ability: Ability,
    targets: Targets = None,
    at: At = "",
    nonlethal: Nonlethal = False,
    lethal: Lethal = False,
    off: Off = "",
    lean: Lean = "",
    fails: Fails = None,
    upcast: Upcast = 0,
    adv: Adv = None,
    dis: Dis = None,
) -> None:
    """Use an Ability on one's turn, for AP (WSH-09, 10, 14).

    Example: `strike momentum use ilse star-bolt warden`
    """


@plays(app, "react", "momentum react")
def react(
    who: InScene,
    ability: Ability,
    targets: Targets = None,
    at: At = "",
    nonlethal: Nonlethal = False,
    off: Off = "",
    fails: Fails = None,
    upcast: Upcast = 0,
    adv: Adv = None,
    dis: Dis = None,
) -> None:
    """Use an Ability that is a reaction, at any time, for RP (WSH-02).

    Example: `strike momentum react ilse ward runa`
    """


@plays(app, "check", "momentum check", dice="the actor's, then the other's")
def check(
    call: Call,
    who: Annotated[
        str,
        typer.Argument(metavar="[WHO]", help="The person who checks: in the fight, or a character."),
        SOMEBODY,
    ] = "",
    skill: Annotated[str, typer.Argument(metavar="[SKILL]", help="The Skill."), SKILL] = "",
    their_skill: Annotated[
        str, typer.Argument(metavar="[SKILL]", help="Their Skill. Default: the same."), SKILL
    ] = "",
    difficulty: Annotated[int | None, typer.Option(metavar="N", help="The number to reach.")] = None,
    against: Annotated[
        str,
        typer.Option("--against", metavar="OTHER", help="The person whose check must be beaten."),
        SOMEBODY,
    ] = "",
    stat: Annotated[
        str,
        typer.Option("--stat", metavar="STAT", help="The Stat, or its number without a character."),
        WordParser(_parse_stat_or_store_number, lambda campaign: STATS),
    ] = "",
    level: Annotated[
        int, typer.Option(metavar="N", min=0, help="Without a character: the level of the Skill.")
    ] = 0,
    adv: Adv = None,
    dis: Dis = None,
) -> dict[str, object]:
    """Make a plain Skill Check: d20, Stat bonus and level (WSH-08).

    With --difficulty, the check succeeds if the total reaches the number. With --against, the total must be
    higher than the other person's. Without a campaign, give the numbers: --stat 12 --level 3.

    Example: `strike momentum check runa raw-force --difficulty 11`
    """
    return {"bare": call.typed.get("bare")}


def _parse_stat_or_store_number(call: Call, word: str) -> str | None:
    """Return the Stat with this name.

    If the word is a number, return None, and store the number as `bare` among the typed values.
    """
    if word.isascii() and word.isdigit():
        call.typed["bare"] = int(word)
        return None
    return find_word(word, STATS, "Stat")


@plays(app, "act", "momentum act", dice="for a check against another, the actor's, then the other's")
def act(
    who: Acting,
    action: ActionName,
    target: MaybeTarget = "",
    skill: Skill = "",
    their_skill: Skill = "",
    items: Items = None,
    at: At = "",
    what: Annotated[str, typer.Option("--what", metavar="TEXT", help="The thing to interact with.")] = "",
    adv: Adv = None,
    dis: Dis = None,
) -> None:
    """Take a basic action (WSH-07).

    1 AP: interact, switch-weapons (the first of these two in a turn is usually free), move, switch-places,
    take-cover, command, shove, stand.

    2 AP: attack (you roll it later in the turn), defend, blind, climb, shake-off, disarm, grab, break-free,
    hide, trip, keep-up.

    3 AP: sprint, stabilize, use-item.

    Example: `strike momentum act . trip shardling-1 --skill athletics`
    """


@plays(app, "cinematic", "momentum cinematic")
def cinematic(
    who: Acting,
    what: Annotated[str, typer.Option("--what", metavar="TEXT", help="The attempt, in words.")],
    skill: Skill,
    difficulty: Annotated[int, typer.Option(min=1, help="The difficulty, set by the game master.")],
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="WHO:SKILL[:burst]", help="Others who join, for 2 RP each."),
        WordParser(_parse_companions, PERSON.complete),
    ] = None,
    burst: Annotated[
        bool, typer.Option("--burst", help="Use a Burst, if AP or RP can't be used and none were spent.")
    ] = False,
    reaction: Annotated[bool, typer.Option("--reaction", help="Pay 2 RP, on any turn.")] = False,
    targets: On = None,
    damage: Annotated[str, typer.Option(metavar="4d6", help="The effect of a success on the targets.")] = "",
    type: TypeOf = "physical",
    status: MaybeStatus = "",
    upkeep: Annotated[int, typer.Option(min=0, max=3, help="AP a turn to keep that status up.")] = 0,
    while_: Annotated[
        str, typer.Option("--while", metavar="TEXT", help="A further condition for keeping it up.")
    ] = "",
    adv: Adv = None,
    dis: Dis = None,
) -> None:
    """Attempt a Cinematic Action (3 AP) or Reaction (2 RP), for 3 Narrative Momentum (WSH-08).

    The game master allows it by setting a difficulty. With others (--with), each pays only 2 Narrative
    Momentum, and everybody checks with Advantage. All must succeed, but a critical success makes up for a
    failure. A Burst costs no AP or RP, but twice the Narrative Momentum.

    Example: `strike momentum cinematic runa --what "slam the table" --skill raw-force --difficulty 11`
    """


def _parse_companions(call: Call, words: list[str]) -> list[dict[str, object]]:
    """Return the companions that are typed in the form `mira:presence` or `mira:presence:burst`.

    Raises Usage for a word of any other form.
    """
    found = []
    for word in words:
        name, _, rest = word.partition(":")
        skill, _, burst = rest.partition(":")
        if not skill or burst not in ("", "burst"):
            raise Usage(
                f"--with {word!r}: name a person and a Skill.", "Like mira:presence, or mira:presence:burst."
            )
        found.append({"who": PERSON.read(call, name), "skill": skill, **({"burst": True} if burst else {})})
    return found
