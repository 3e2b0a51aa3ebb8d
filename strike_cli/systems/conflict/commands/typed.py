"""What is typed about a conflict, read: pairs, rolls, teams, Conditions, what was prepared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.problems import Usage, listed
from strike_cli.terminal import completion
from strike_cli.terminal.runner import find_character, find_one

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.kernel.procedure import World

ROLLS = ("advance", "defense")
Who = Annotated[
    str, typer.Argument(metavar="WHO", help="A member of the team.", autocompletion=completion.characters)
]
Recover = Annotated[
    str, typer.Option(metavar="strike|TRAIT|none", help="What is recovered; a Strike unless said.")
]
Next = Annotated[
    str, typer.Option("--next", metavar="advance|defense", help="What Obscure helps, where it does.")
]
Instead = Annotated[bool, typer.Option("--instead", help="In place of what was chosen for this round.")]
Weigh = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[WHO or NAME:]ROLL",
        help="Which roll Conditions and Flaws are on, or none: defense, or injured:defense for some.",
    ),
]


def round_args(
    weigh: list[str] | None,
    dis: list[str] | None = None,
    stock: Mapping[str, str] | None = None,
    recovery: str = "",
) -> dict[str, Any]:
    """The arguments of a round as typed."""
    reasons: dict[str, list[str]] = {}
    for text in dis or []:
        name, _, why = text.partition(":")
        reasons.setdefault(roll_of(name, "--dis"), []).append(why.strip() or "the game master says")
    put: dict[str, Any] = {"default": ROLLS[0], "picks": []}
    for text in weigh or []:
        word, colon, where = text.rpartition(":")
        if colon:
            put["picks"].append([word.strip(), roll_of(where, "--weigh", "none")])
        else:
            put["default"] = roll_of(where, "--weigh", "none")
    stocked = {side: roll_of(text, "--stock") for side, text in (stock or {}).items() if text}
    return {"weigh": put, "dis": reasons, "stock": stocked, "recover": recovery}


def prepared_as(campaign: Campaign, name: str) -> tuple[str, Mapping[str, Any]]:
    """The prepared conflict that a name is the id, the name or a beginning of; empty where it is none."""
    table = {key: str(item["name"]) for key, item in campaign.book.conflicts.items()}
    low = name.strip().lower()
    if not any(text.lower().startswith(low) for item in table.items() for text in item):
        return "", {}
    key = find_one(name, table, "conflict", "")
    return key, campaign.book.conflicts[key]


def swaps_of(given: list[str]) -> dict[str, str]:
    """`Love:Betrayal`: events of the double tie, with what comes in the place of each. Raises Usage."""
    found = {}
    for text in given:
        event, _, other = text.partition(":")
        if not event.strip() or not other.strip():
            raise Usage(f"--swap {text!r}: write EVENT:OTHER.", "Like --swap love:betrayal.")
        found[event.strip()] = other.strip()
    return found


def traits_must_differ(traits: list[str]) -> None:
    """Raises Usage where a trait is named twice, however it is spelled."""
    from strike_cli.tabletop.people import slug

    if len({slug(name) for name in traits}) < len(traits):
        raise Usage("A trait is named twice.", "Give each a name of its own.")


def roll_of(text: str, where: str, *more: str) -> str:
    """Advance or Defense, or one of the words more, by a beginning. Raises Usage."""
    low = text.strip().lower()
    found = [word for word in (*ROLLS, *more) if low and word.startswith(low)]
    if len(found) != 1:
        raise Usage(f"{where}: {text!r} should be one of {listed([*ROLLS, *more])}.")
    return found[0]


def pair_of(text: str, where: str) -> list[int]:
    """`6/3`: Advance and Defense. Raises Usage."""
    words = text.split("/")
    try:
        values = [int(word) for word in words]
    except ValueError:
        values = []
    if len(values) != len(ROLLS) or any(abs(value) > 99 for value in values):
        raise Usage(f"{where}: {text!r} should be Advance/Defense.", "Like 6/3, or 2/-1.")
    return values


def conditions_of(campaign: Campaign, given: list[str] | None) -> dict[str, str]:
    """`vex:angry`: the full id of the Condition that each gains. Raises Usage."""
    table = {key: str(item["name"]) for key, item in campaign.book.conditions.items()}
    table = {key.removeprefix("core:"): name for key, name in table.items()}
    found = {}
    for text in given or []:
        who, _, name = text.partition(":")
        if not name.strip():
            raise Usage(f"--condition {text!r}: write WHO:NAME.", "Like --condition vex:angry.")
        key = find_one(name, table, "condition", "")
        found[find_character(campaign, who)] = key if key in campaign.book.conditions else f"core:{key}"
    return found


def world_of(campaign: Campaign) -> World:
    """The campaign as rules see it."""
    from strike_cli.kernel.procedure import World

    return World(campaign.book, campaign.state)


def teams_of(
    campaign: Campaign, prepared: Mapping[str, Any], ours: list[str], theirs: list[str]
) -> dict[str, list[str]]:
    """Both teams: as typed, else as prepared; ours is everybody who is left, unless said."""
    found = {}
    for side, typed in (("their_team", theirs), ("team", ours)):
        people = [find_character(campaign, one) for one in typed] or list(prepared.get(side, []))
        if len(set(people)) < len(people):
            raise Usage("Somebody is named twice.", "Everybody takes part once.")
        found[side] = people
    rest = [who for who in campaign.book.characters if who not in found["their_team"]]
    return {"team": found["team"] or rest, "their_team": found["their_team"]}


def said_instead(instead: bool) -> dict[str, bool]:
    """The argument that a choice takes the place of one made before."""
    return {"instead": True} if instead else {}


def side_of(campaign: Campaign, side: str) -> Mapping[str, Any]:
    """What the state has of a side of the conflict; nothing where there is no conflict."""
    found: Mapping[str, Any] = campaign.state.get("conflict", {}).get(side, {})
    return found
