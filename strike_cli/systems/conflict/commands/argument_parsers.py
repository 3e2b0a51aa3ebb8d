"""Parsers for arguments of Team Conflicts' commands, and the words that Tab offers for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.problems import Usage, listed
from strike_cli.systems.core.commands.argument_completions import WHOSE_COMPLICATION, WHOSE_CONDITION
from strike_cli.tabletop.characters_and_names import slug
from strike_cli.terminal.argument_completions import WHO, Metavar, choice_metavar
from strike_cli.terminal.move_commands import Call, WordParser
from strike_cli.terminal.name_lookup import (
    find_character_by_name_or_player,
    find_id_by_name,
    short_content_id_suggester,
)

from ..conflict_under_way import conflict_in
from ..rule_numbers import ROLLS, SIDES, numbers

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.content.merged_content import Book

    from ..data import ConflictSide, ConflictWritten, TypedWeighOption
    from ..rule_numbers import WhichSide


def _trait_slugs_of_conflict_under_way(campaign: Campaign) -> Iterator[str]:

    kept = (side_of_conflict_if_under_way(campaign, side) for side in SIDES)
    return (slug(name) for own in kept if own for name in own["traits"])


ACTION = Metavar("ACTION", words=lambda: numbers()["actions"])
"""An action of a round."""
PREPARATION = Metavar("ACTION", words=lambda: numbers()["prep"]["actions"])
"""An action of preparation."""
POLICY = Metavar("POLICY", words=lambda: numbers()["policies"])
"""A policy by which a team plays in odds."""
CONFLICT = Metavar("NAME", short_content_id_suggester("conflicts"))
"""A prepared conflict."""
TRAIT = Metavar("NAME", short_content_id_suggester("traits"))
"""Any trait."""
RECOVERED = Metavar(
    "strike|TRAIT", lambda campaign, typed: ["strike", *_trait_slugs_of_conflict_under_way(campaign)]
)
"""What is regained: a Strike, or a trait of the conflict under way."""
MAY_RECOVER = Metavar(
    "strike|TRAIT|none",
    lambda campaign, typed: ["strike", *_trait_slugs_of_conflict_under_way(campaign), "none"],
)
"""What is regained, if anything."""
HIT = Metavar(
    "strike|TRAIT",
    lambda campaign, typed: ["strike", *_trait_slugs_of_conflict_under_way(campaign), "ablate", "drain"],
)
"""A possible effect of a Hit in the conflict under way."""
WEIGHED = Metavar("[WHO or NAME:]ROLL", words=lambda: (*ROLLS, "none"))
"""The roll that Conditions and Flaws affect: all, or one by its holder or name."""


# A word


def side_of_conflict_if_under_way(campaign: Campaign, side: WhichSide) -> ConflictSide | None:
    """Return a side of the conflict, None if there is no conflict."""
    conflict = conflict_in(campaign.state)
    return conflict[side] if conflict else None


def has_players_on_both_sides(campaign: Campaign) -> bool:
    """Return whether players are on both sides; then each side's choices are secret from the other."""
    theirs = side_of_conflict_if_under_way(campaign, "theirs")
    return theirs is not None and bool(theirs["team"])


def find_side(campaign: Campaign, word: str) -> str:
    """Return the side that a word means: "ours" or "theirs".

    The word is one of these two, or a side's name. Raises Usage for any other word.
    """
    kept = {side: side_of_conflict_if_under_way(campaign, side) for side in SIDES}
    table: dict[str, str] = {side: own["name"] if own else side for side, own in kept.items()}
    return find_id_by_name(word, table, "team", "")


def parse_roll_name(text: str, label: str, *other_words: str) -> str:
    """Return the roll that a text means: "advance", "defense", or one of the words in `other_words`.

    The beginning of the word is enough. Raises Usage if the text means none or several. `label` is the
    beginning of the error message.
    """
    low = text.strip().lower()
    found = [word for word in (*ROLLS, *other_words) if low and word.startswith(low)]
    if len(found) != 1:
        raise Usage(f"{label}: {text!r} should be one of {listed([*ROLLS, *other_words])}.")
    return found[0]


def roll_name_parser(label: str) -> WordParser:
    """Return a parser for "advance" or "defense"; `label` is the option's name, for error messages."""
    return WordParser(lambda call, text: parse_roll_name(text, label))


def parse_advance_and_defense(text: str, label: str) -> list[int]:
    """Parse the values of Advance and Defense, such as `6/3`. Raises Usage for other text."""
    words = text.split("/")
    try:
        values = [int(word) for word in words]
    except ValueError:
        values = []
    if len(values) != len(ROLLS) or any(abs(value) > 99 for value in values):
        raise Usage(f"{label}: {text!r} should be Advance/Defense.", "Like 6/3, or 2/-1.")
    return values


def split_pair_at_colon(text: str, option: str, expected_form: str, example: str) -> tuple[str, str]:
    """Return the two parts of a text such as `WHO:NAME`.

    Raises Usage if one of the parts is missing. The message has the name of the `option`, the `expected_form`
    that the text should have, and an `example`.
    """
    one, _, other = text.partition(":")
    if not one.strip() or not other.strip():
        raise Usage(f"{option} {text!r}: write {expected_form}.", f"Like {example}.")
    return one.strip(), other.strip()


# Lists


def _parse_conditions(call: Call, texts: Sequence[str]) -> dict[str, str]:
    """Parse texts such as `vex:angry`; return the full id of each person's Condition, by person."""
    book, found = call.required_campaign.book, {}
    table = {key.removeprefix("core:"): str(item["name"]) for key, item in book.conditions.items()}
    for text in texts:
        person, name = split_pair_at_colon(text, "--condition", "WHO:NAME", "--condition vex:angry")
        key = find_id_by_name(name, table, "condition", "")
        found[find_character_by_name_or_player(call.required_campaign, person)] = (
            key if key in book.conditions else f"core:{key}"
        )
    return found


def _parse_complications(call: Call, texts: Sequence[str]) -> list[list[str]]:
    pairs = [
        split_pair_at_colon(text, "--complication", "WHO:NAME", '"vex:Wanted in Harrowgate"')
        for text in texts
    ]
    return [
        [find_character_by_name_or_player(call.required_campaign, person), name] for person, name in pairs
    ]


def parse_rolls_of_conditions_and_flaws(texts: Sequence[str]) -> TypedWeighOption:
    """Parse texts that say which roll is affected by Conditions and Flaws.

    `injured:defense` is for the Condition or Flaw called "injured". `defense` alone is for all Conditions and
    Flaws that no other text names. Raises Usage for any other text.
    """
    found: TypedWeighOption = {"default": ROLLS[0], "picks": []}
    for text in texts:
        word, colon, where = text.rpartition(":")
        roll = parse_roll_name(where, "--weigh", "none")
        if colon:
            found["picks"].append([word.strip(), roll])
        else:
            found["default"] = roll
    return found


def _parse_disadvantage_reasons_by_roll(call: Call, texts: Sequence[str]) -> dict[str, list[str]]:
    """Parse texts such as `advance:torn map`; return the reasons for Disadvantage, by roll."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, _, why = text.partition(":")
        found.setdefault(parse_roll_name(name, "--dis"), []).append(why.strip() or "the game master says")
    return found


CHARACTER = WordParser(
    lambda call, name: find_character_by_name_or_player(call.required_campaign, name),
    lambda campaign: campaign.book.characters,
)
# Texts like `love:betrayal`: events of the double tie, with those that replace them.
SWAPS = WordParser(
    lambda call, texts: dict(
        split_pair_at_colon(text, "--swap", "EVENT:OTHER", "--swap love:betrayal") for text in texts
    )
)

Who = Annotated[str, typer.Argument(metavar=WHO, help="A member of the team."), CHARACTER]
Recover = Annotated[str, typer.Option(metavar=MAY_RECOVER, help="The trait to recover. Default: a Strike.")]
Next = Annotated[
    str,
    typer.Option(
        "--next", metavar=choice_metavar("advance", "defense"), help="The total that Obscure helps."
    ),
    roll_name_parser("--next"),
]
Instead = Annotated[bool, typer.Option("--instead", hidden=True)]
"""An option of earlier versions, which was needed for changing an action."""
OtherSide = Annotated[bool, typer.Option("--theirs", help="The other side, when players are on both.")]
Weigh = Annotated[
    list[str] | None,
    typer.Option(
        metavar=WEIGHED,
        help="The roll that Conditions and Flaws apply to, or none: defense, or injured:defense for some.",
    ),
    WordParser(lambda call, texts: parse_rolls_of_conditions_and_flaws(texts)),
]
Disadvantage = Annotated[
    list[str] | None,
    typer.Option(metavar="ROLL:REASON", help="Further Disadvantage on our roll: advance:torn map."),
    WordParser(_parse_disadvantage_reasons_by_roll),
]
Condition = Annotated[
    list[str] | None,
    typer.Option(metavar=WHOSE_CONDITION, help="A member's Condition, chosen beforehand."),
    WordParser(_parse_conditions),
]
Complication = Annotated[
    list[str] | None,
    typer.Option(
        metavar=WHOSE_COMPLICATION, help="The one Complication that explains it: +1 AP for its player."
    ),
    WordParser(_parse_complications),
]


# Prepared conflicts


def prepared_or_typed_start_args(book: Book, name: str, typed: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments of `conflict start`.

    If `name` is the id or the name of a prepared conflict, or the beginning of one of these, the prepared
    values are used. Typed values (`typed`) replace them; typed swaps are added to the prepared ones. If our
    team isn't given, it has all characters who aren't on the other side.

    Raises Usage if an argument is missing, if `name` fits several conflicts, or if a person or trait is named
    twice.
    """
    key = find_prepared_conflict_id(book, name)
    prepared: Mapping[str, object] = book.conflicts[key] if key else {}
    found = cast("ConflictWritten", {"name": name, **prepared, **typed, "id": key})
    found.pop("summary", None)
    swaps = (cast("ConflictWritten", each).get("swaps", {}) for each in (prepared, typed))
    found["swaps"] = {event: instead for each in swaps for event, instead in each.items()}
    wants = {
        "--intent": found.get("intent", ""),
        "--against": found.get("against", ""),
        "--their-intent": found.get("their_intent", ""),
    }
    lacking = [option for option, text in wants.items() if not text.strip()]
    if lacking:
        raise Usage(
            f"{name!r} was not prepared; it still needs {listed(lacking)}.",
            f"Prepared: {listed(book.conflicts)}.",
        )
    others = found.get("their_team", [])
    found["team"] = found.get("team") or [person for person in book.characters if person not in others]
    for lists, message, hint in (
        (
            (found.get("traits", ()), found.get("our_traits", ())),
            "A trait is named twice.",
            "Give each a name of its own.",
        ),
        ((found["team"], others), "Somebody is named twice.", "Name each person once."),
    ):
        if any(len(set(map(slug, names))) < len(names) for names in lists):
            raise Usage(message, hint)
    return {**found}


def find_prepared_conflict_id(book: Book, name: str) -> str:
    """Return the id of the prepared conflict that a name means, "" if there is none.

    Raises Usage if several could be meant.
    """
    table = {key: str(item["name"]) for key, item in book.conflicts.items()}
    low = name.strip().lower()
    if not any(text.lower().startswith(low) for item in table.items() for text in item):
        return ""
    return find_id_by_name(name, table, "conflict", "")
