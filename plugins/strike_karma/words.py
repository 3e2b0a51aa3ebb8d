"""How the words of commands are read, and what Tab offers for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from strike_cli.plugin import Usage
from strike_cli.plugin.commands import (
    Call,
    InScene,
    Noun,
    WordParser,
    creatures_by_count,
    find_encounter,
    find_if_any,
    find_in_scene,
    find_one,
    find_word,
)  # fmt: skip

from .sheet import extras_of

if TYPE_CHECKING:
    from strike_cli.plugin.commands import Campaign

    from .data import KarmaScene

Names = dict[str, str]


def _scene(campaign: Campaign) -> KarmaScene | None:
    return cast("KarmaScene | None", campaign.state.get("karma"))


def _places(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    scene = _scene(campaign)
    return (one["at"] for one in scene["people"].values() if one.get("at")) if scene else iter(())


PLACE = Noun("PLACE", _places)
"""Where anybody of the fight is."""


def _in_fight(campaign: Campaign) -> Names:
    scene = _scene(campaign)
    return {who: str(one["name"]) for who, one in scene["people"].items()} if scene else {}


def _fighter(call: Call, name: str) -> str:
    """Somebody of the fight; `.` is who has the initiative. Where there is none, the rules say so."""
    people = _in_fight(call.here)
    holder = _holder(call.here)
    if name == "." and holder:
        return holder
    found = find_in_scene(call, name, "karma") if people else name
    return found or str(PERSON.read(call, name))


def _holder(campaign: Campaign) -> str | None:
    """Return who has the initiative."""
    scene = _scene(campaign)
    return (scene.get("active") or None) if scene else None


def _party(campaign: Campaign) -> Names:
    sheets = campaign.book.characters.items()
    return {who: str(sheet["name"]) for who, sheet in sheets if "karma" in sheet}


def _character(call: Call, name: str) -> str:
    return find_one(name, _party(call.here), "character", f" in {call.here.book.name}")


def _creatures(campaign: Campaign) -> Names:
    sheets = campaign.book.creatures.items()
    return {ref: str(sheet["name"]) for ref, sheet in sheets if "karma" in sheet}


def _first(call: Call, name: str) -> str:
    """Read a participant: a character or a creature; its number, where there are several, as typed."""
    found = find_if_any(name, {**_party(call.here), **_creatures(call.here)})
    return found.rpartition(":")[2] if found else name


def _dice(call: Call, texts: list[str]) -> list[str]:
    """`2d6,d8`, in one word or in several."""
    return [word.strip().lower() for text in texts for word in text.split(",") if word.strip()]


def _extras(campaign: Campaign) -> Iterator[str]:
    yield from ("trope", "trademark")
    for sheet in (*campaign.book.characters.values(), *campaign.book.creatures.values()):
        if "karma" in sheet:
            yield from extras_of(sheet["karma"]).values()


def _counted(call: Call, text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise Usage(f"{text!r} is no number.", "A whole number, 0 or more.")
    return int(text)


PERSON: WordParser = get_args(InScene)[-1]
FIGHTER = WordParser(_fighter, _in_fight)


def option(flag: str, metavar: str, help: str) -> object:
    """Return a Typer option of a flag, its metavar and its help."""
    return typer.Option(flag, metavar=metavar, help=help)


def word_of(*known: str) -> WordParser:
    """Return a parser of some words, each by its beginning."""
    return WordParser(lambda call, word: find_word(word, known, "such word"), lambda campaign: known)


Fighter = Annotated[
    str, typer.Argument(metavar="WHO", help="Somebody in the fight; `.` has the initiative."), FIGHTER
]
Actor = Annotated[
    str,
    typer.Argument(metavar="WHO", help="The actor; leave out the one with the initiative."),
    WordParser(_fighter, _in_fight, _holder),
]
PassTo = Annotated[str, option("--pass", "WHO", "The one who gets the initiative instead."), FIGHTER]
Encounter = Annotated[
    str,
    typer.Argument(metavar="ENCOUNTER", help="One of campaign.toml."),
    WordParser(lambda call, name: find_encounter(call.here, name), lambda campaign: campaign.book.encounters),
]
Party = Annotated[
    list[str] | None,
    option("--party", "WHO", "The party; everybody, if nobody is named."),
    WordParser(_character, _party).many(),
]
WithCreatures = Annotated[
    list[str] | None,
    option("--with", "CREATURE:N", "So many of a creature besides, like thug:4."),
    WordParser(creatures_by_count, _creatures),
]
First = Annotated[
    str,
    option("--first", "WHO", "The one with the first initiative."),
    WordParser(_first, lambda campaign: {**_party(campaign), **_creatures(campaign)}),
]
FirstGroup = Annotated[
    str,
    option("--first-group", "NAME", "The group that has it: party or enemies."),
    word_of("party", "enemies"),
]
What = Annotated[str, option("--what", "TEXT", "Their deed, in words.")]
For = Annotated[
    list[str] | None,
    option("--for", "TROPE|TRADEMARK", "A die that applies, by kind or by what it is called."),
    WordParser(lambda call, words: words, _extras),
]
Segments = Annotated[
    int | None,
    typer.Option("--segments", metavar="N", min=1, help="How many segments later it takes effect."),
]
Target = Annotated[
    int | None,
    typer.Option(
        "--target",
        metavar="N",
        min=2,
        max=20,
        help="The number for their own dice; the house rule's if left out.",
    ),
]
Against = Annotated[
    list[str] | None, option("--against", "DICE", "Dice against it, like 2d6,d8."), WordParser(_dice)
]
Other = Annotated[list[str] | None, option("--other", "DICE", "Other dice that apply."), WordParser(_dice)]
NoRoll = Annotated[bool, typer.Option("--no-roll", help="Nothing has to be rolled for.")]
Amount = Annotated[str, typer.Argument(metavar="N", help="How many."), WordParser(_counted)]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="In words.")]
