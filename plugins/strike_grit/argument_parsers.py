"""The arguments and options of `strike grit`: how typed words are parsed and completed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.plugin import Usage, World
from strike_cli.plugin.commands import (
    Call,
    PeopleOfGame,
    WordParser,
    creature_counts,
    find_id_by_name,
    find_id_if_any,
    find_person_in_scene,
    find_word,
)  # fmt: skip

from .dice import ATTRIBUTES

if TYPE_CHECKING:
    from strike_cli.plugin.commands import Campaign


def _only_one_of_side_left_to_act(campaign: Campaign) -> str | None:
    """Return the only combatant of the acting side who may still act; None if there isn't exactly one."""
    if not campaign.state.get("grit"):
        return None
    from .fight_state import GritFight

    fight = GritFight(World(campaign.book, campaign.state))
    left = [
        combatant
        for combatant in fight.combatants_up(fight.active)
        if fight.has_not_acted_this_round(combatant)
    ]
    return left[0] if len(left) == 1 else None


def _find_person(call: Call, name: str) -> str:
    """Return the id of a person in the fight, else in the party, else of a creature with a sheet.

    Raises Refused if nobody has that name.
    """
    if found := find_person_in_scene(call, name, "grit"):
        return found
    for names in (PEOPLE.party, PEOPLE.creatures):
        if found := find_id_if_any(name, names(call.required_campaign)):
            return found
    return find_id_by_name(
        name, PEOPLE.anybody(call.required_campaign), "person", f" in {call.required_campaign.book.name}"
    )


def _first_with_due_morale_save(campaign: Campaign) -> str | None:
    if not campaign.state.get("grit"):
        return None
    from .fight_state import GritFight
    from .morale import due_morale_occasions

    return next(iter(due_morale_occasions(GritFight(World(campaign.book, campaign.state)))), None)


def _all_weapon_names(campaign: Campaign) -> Iterable[str]:
    for ref in (*PEOPLE.party(campaign), *PEOPLE.creatures(campaign)):
        sheet = campaign.book.characters.get(ref) or campaign.book.creatures[ref]
        yield from sheet["grit"]["weapons"]
    yield "unarmed"


def _weapon_names_if_in_scene(campaign: Campaign, combatant: str) -> Iterable[str]:
    if combatant not in PEOPLE.in_scene(campaign):
        return ()
    from .attack import weapons_and_bare_hands

    return weapons_and_bare_hands(World(campaign.book, campaign.state), combatant)


def _find_weapon_or_keep_name(call: Call, name: str) -> str:
    """Return the name of the weapon of which `name` is a unique beginning.

    The attacker's own weapons are searched first, then all others. If no weapon is found, `name` is returned
    unchanged; `attack.py` then refuses it.
    """
    if combatant := call.text_of("who"):
        own = _weapon_names_if_in_scene(call.required_campaign, combatant)
        if found := find_id_if_any(name, {weapon: weapon for weapon in own}):
            return found
    known = {weapon: weapon for weapon in _all_weapon_names(call.required_campaign)}
    return find_id_if_any(name, known) or name


def _read_positive_integer(call: Call, text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise Usage(f"{text!r} is not an amount.", "A whole number, 1 or more.")
    return int(text)


ATTRIBUTE = WordParser(
    lambda call, word: find_word(word, list(ATTRIBUTES), "attribute"), lambda campaign: ATTRIBUTES
)
PEOPLE = PeopleOfGame("grit")
FIGHTER = PEOPLE.person_parser(_only_one_of_side_left_to_act)
ACTING = WordParser(FIGHTER.read, PEOPLE.in_scene, _only_one_of_side_left_to_act)
ANYBODY = WordParser(_find_person, PEOPLE.anybody)
# `.` is the first with a due Morale Save.
DAUNTED = WordParser(
    lambda call, name: (
        (_first_with_due_morale_save(call.required_campaign) if name == "." else None)
        or _find_person(call, name)
    ),
    PEOPLE.anybody,
    _first_with_due_morale_save,
)


def make_option(flag: str, metavar: str, help: str, *short: str) -> object:
    """Return a Typer option with its flag, its metavar and its help text; `short` may be a short flag."""
    return typer.Option(flag, *short, metavar=metavar, help=help)


Actor = Annotated[
    str, typer.Argument(metavar="WHO", help="The actor; leave it out for the last of a side to act."), ACTING
]
Anybody = Annotated[
    str, typer.Argument(metavar="WHO", help="A person in the fight, a character or a creature."), ANYBODY
]
Helped = Annotated[str, typer.Argument(metavar="TARGET", help="The one to help."), ANYBODY]
Attacker = Annotated[str, typer.Argument(metavar="[WHO]", help="The attacker."), ACTING]
Saver = Annotated[str, typer.Argument(metavar="[WHO]", help="The person who saves."), ANYBODY]
Daunted = Annotated[
    str, typer.Argument(metavar="WHO", help="The person. Default: the first with a Save due."), DAUNTED
]
Targets = Annotated[
    list[str] | None,
    typer.Argument(metavar="[TARGET]...", help="The target; several with a blast, one with an area."),
    FIGHTER.for_list(),
]
Attribute = Annotated[str, typer.Argument(metavar="[str|dex|wil]", help="The attribute."), ATTRIBUTE]
Weapon = Annotated[
    str,
    make_option("--with", "WEAPON", "A weapon of the sheet, or `unarmed`.", "-w"),
    WordParser(_find_weapon_or_keep_name, _all_weapon_names),
]
WithCreatures = Annotated[
    list[str] | None,
    make_option("--with", "CREATURE:N", "More creatures, like cutter:4."),
    WordParser(creature_counts, PEOPLE.creatures),
]
Party = Annotated[
    list[str] | None,
    make_option("--party", "WHO", "The party. Default: everybody."),
    PEOPLE.character.for_list(),
]
Amount = Annotated[str, typer.Argument(metavar="N", help="The damage."), WordParser(_read_positive_integer)]
Enhanced = Annotated[list[str] | None, make_option("--enhanced", "REASON", "An extra d12, and why.")]
Impaired = Annotated[list[str] | None, make_option("--impaired", "REASON", "One d4 instead, and why.")]
SaveEnhanced = Annotated[
    list[str] | None,
    make_option("--save-enhanced", "REASON", "The target's Critical Damage Save is enhanced."),
]
SaveImpaired = Annotated[
    list[str] | None,
    make_option("--save-impaired", "REASON", "The target's Critical Damage Save is impaired."),
]
# Dice separated by commas: `d6,d8`.
Damage = Annotated[
    str,
    make_option("--damage", "d6,d6", "Damage dice without an attacker."),
    WordParser(lambda call, text: [word.strip().lower() for word in text.split(",") if word.strip()]),
]
