"""The arguments and options of `strike karma`: how typed words are parsed and completed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.plugin import Usage
from strike_cli.plugin.commands import (
    Call,
    Metavar,
    PeopleOfGame,
    WordParser,
    creature_counts,
    find_id_if_any,
    find_word,
)  # fmt: skip

from .sheet import trope_and_trademark_names

if TYPE_CHECKING:
    from strike_cli.plugin.commands import Campaign

    from .data import KarmaScene


def _karma_scene(campaign: Campaign) -> KarmaScene | None:
    return cast("KarmaScene | None", campaign.state.get("karma"))


def _occupied_places(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    scene = _karma_scene(campaign)
    return (one["at"] for one in scene["people"].values() if one.get("at")) if scene else iter(())


PLACE = Metavar("PLACE", _occupied_places)
"""The places where the people in the fight are."""


def _initiative_holder(campaign: Campaign) -> str | None:
    """Return the id of the holder of the initiative; None without a fight, or if nobody has it."""
    scene = _karma_scene(campaign)
    return (scene.get("active") or None) if scene else None


def _party_and_creatures(campaign: Campaign) -> dict[str, str]:
    return {**PEOPLE.party(campaign), **PEOPLE.creatures(campaign)}


def _read_participant_or_keep_name(call: Call, name: str) -> str:
    """Return the id of a character or creature with this name; an unknown name is returned unchanged."""
    found = find_id_if_any(name, _party_and_creatures(call.required_campaign))
    return found.rpartition(":")[2] if found else name


def _split_dice_at_commas(call: Call, texts: list[str]) -> list[str]:
    """Split each text at its commas, and return all the words: `2d6,d8` gives `["2d6", "d8"]`."""
    return [word.strip().lower() for text in texts for word in text.split(",") if word.strip()]


def _extra_die_names(campaign: Campaign) -> Iterator[str]:
    yield from ("trope", "trademark")
    for sheet in (*campaign.book.characters.values(), *campaign.book.creatures.values()):
        if "karma" in sheet:
            yield from trope_and_trademark_names(sheet["karma"]).values()


def _read_number_from_zero(call: Call, text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise Usage(f"{text!r} is not a number.", "A whole number, 0 or more.")
    return int(text)


PEOPLE = PeopleOfGame("karma")
FIGHTER = PEOPLE.person_parser(_initiative_holder)


def make_option(flag: str, metavar: str, help: str) -> object:
    """Return a Typer option with its flag, its metavar and its help text."""
    return typer.Option(flag, metavar=metavar, help=help)


def parser_of_words(*known: str) -> WordParser:
    """Return a parser for one of the words in `known`, which may be shortened to a unique beginning."""
    return WordParser(lambda call, word: find_word(word, known, "such word"), lambda campaign: known)


Fighter = Annotated[
    str, typer.Argument(metavar="WHO", help="A person in the fight; `.` has the initiative."), FIGHTER
]
Actor = Annotated[
    str,
    typer.Argument(metavar="WHO", help="The actor; leave it out for the holder of the initiative."),
    WordParser(FIGHTER.read, PEOPLE.in_scene, _initiative_holder),
]
PassTo = Annotated[str, make_option("--pass", "WHO", "The person who gets the initiative instead."), FIGHTER]
Party = Annotated[
    list[str] | None,
    make_option("--party", "WHO", "The party. Default: everybody."),
    PEOPLE.character.for_list(),
]
WithCreatures = Annotated[
    list[str] | None,
    make_option("--with", "CREATURE:N", "More creatures, like thug:4."),
    WordParser(creature_counts, PEOPLE.creatures),
]
First = Annotated[
    str,
    make_option("--first", "WHO", "The person with the first initiative."),
    WordParser(_read_participant_or_keep_name, _party_and_creatures),
]
FirstGroup = Annotated[
    str,
    make_option("--first-group", "NAME", "The group with it: party or enemies."),
    parser_of_words("party", "enemies"),
]
What = Annotated[str, make_option("--what", "TEXT", "The action, in words.")]
For = Annotated[
    list[str] | None,
    make_option("--for", "TROPE|TRADEMARK", "A die that applies, by kind or by name."),
    WordParser(lambda call, words: words, _extra_die_names),
]
Segments = Annotated[
    int | None,
    typer.Option("--segments", metavar="N", min=1, help="The number of segments before it takes effect."),
]
Target = Annotated[
    int | None,
    typer.Option(
        "--target",
        metavar="N",
        min=2,
        max=20,
        help="The number for their own dice. Default: the house rule's.",
    ),
]
Against = Annotated[
    list[str] | None,
    make_option("--against", "DICE", "Dice against it, like 2d6,d8."),
    WordParser(_split_dice_at_commas),
]
Other = Annotated[
    list[str] | None,
    make_option("--other", "DICE", "Other dice that apply."),
    WordParser(_split_dice_at_commas),
]
NoRoll = Annotated[bool, typer.Option("--no-roll", help="Act without a roll.")]
Amount = Annotated[str, typer.Argument(metavar="N", help="The number."), WordParser(_read_number_from_zero)]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="In words.")]
