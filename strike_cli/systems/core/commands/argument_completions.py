"""Arguments of commands about characters and rolls, and the completions that Tab offers for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import Usage
from strike_cli.tabletop.characters_and_names import character_changes_in
from strike_cli.terminal.argument_completions import WHO, Metavar
from strike_cli.terminal.move_commands import WordParser
from strike_cli.terminal.name_lookup import find_character_by_name_or_player

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign


Typed = Mapping[str, object]


def typed_character_or_all(campaign: Campaign, typed: Typed) -> list[str]:
    """Return the ids of the characters that may be meant by the words typed so far.

    If the words name a known character, it is the only one. Otherwise all characters are returned.
    """
    named = typed.get("who")
    with suppress(Usage):
        if named:
            return [
                find_character_by_name_or_player(
                    campaign, str(named[0] if isinstance(named, list | tuple) else named)
                )
            ]
    return list(campaign.book.characters)


def _stored_item_completer(key: str, *fields: str) -> Callable[[Campaign, Typed], Iterator[str]]:
    """Return a completer for the items of a list that the state has for each character.

    The list is stored under `key`. The completer offers the items of the typed character. If no character is
    typed, it offers the items of all characters. For an item that is a table, it offers the first of `fields`
    that isn't empty.
    """

    def stored_items_of_typed(campaign: Campaign, typed: Typed) -> Iterator[str]:
        for person in typed_character_or_all(campaign, typed):
            mine: Mapping[str, object] = character_changes_in(campaign.state).get(person, {})
            items = mine.get(key, ())
            for item in items if isinstance(items, list) else ():
                yield next(str(item[field]) for field in fields if item.get(field)) if fields else str(item)

    return stored_items_of_typed


def _skills_of_typed(campaign: Campaign, typed: Typed) -> Iterator[str]:
    from strike_cli.kernel.procedure import World
    from strike_cli.tabletop.characters_and_names import skills_and_connections_of

    world = World(campaign.book, campaign.state)
    return (
        skill
        for person in typed_character_or_all(campaign, typed)
        for skill in skills_and_connections_of(world, person)
    )


def _trait_name_completer(kind: str) -> Callable[[Campaign, Typed], Iterator[str]]:
    """Return a function that completes the names of Tricks or of Complications (`kind`).

    If a character was typed before, the function yields only this character's names. Otherwise it yields the
    names of all characters.
    """

    def trait_names_of_typed(campaign: Campaign, typed: Typed) -> Iterator[str]:
        from strike_cli.kernel.procedure import World

        from .. import skills_tricks_and_complications

        world = World(campaign.book, campaign.state)
        of = (
            skills_tricks_and_complications.present_tricks_of
            if kind == "tricks"
            else skills_tricks_and_complications.present_complications_of
        )
        return (
            str(each.name) for person in typed_character_or_all(campaign, typed) for each in of(world, person)
        )

    return trait_names_of_typed


def _short_condition_ids(campaign: Campaign, typed: Typed) -> Iterable[str]:
    return (key.rpartition(":")[2] for key in campaign.book.conditions)


def _cost_words(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from ("condition", "flaw", "favor", "waive")
    yield from _short_condition_ids(campaign, typed)


def _each_person_with_every_condition(campaign: Campaign, typed: Typed) -> Iterator[str]:
    names = list(_short_condition_ids(campaign, typed))
    return (f"{person}:{name}" for person in campaign.book.characters for name in names)


def _person_complication_pairs(campaign: Campaign, typed: Typed) -> Iterator[str]:
    one = _trait_name_completer("complications")
    return (
        f"{person}:{name}" for person in campaign.book.characters for name in one(campaign, {"who": person})
    )


def _tricks_and_complications_of_typed(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from _trait_name_completer("tricks")(campaign, typed)
    yield from _trait_name_completer("complications")(campaign, typed)


def _people_and_skills(campaign: Campaign, typed: Typed) -> Iterator[str]:
    yield from campaign.book.characters
    yield from _skills_of_typed(campaign, {})


SKILL = Metavar("SKILL", _skills_of_typed)
"""A Skill of the typed character."""
ANY_SKILL = Metavar(
    "SKILL",
    lambda campaign, typed: [
        skill for sheet in campaign.book.characters.values() for skill in sheet["skills"]
    ],
)
"""A Skill on any sheet."""
SKILL_LEARNED = Metavar("SKILL", _stored_item_completer("skills_learned"))
"""A Skill that was learned in play."""
FLAW = Metavar("FLAW", _stored_item_completer("flaws", "id"))
FAVOR = Metavar("FAVOR", _stored_item_completer("favors", "id"))
ITEM = Metavar("ITEM", _stored_item_completer("flaws", "on"))
"""An item with a Flaw."""
CREDITOR = Metavar("PARTY", _stored_item_completer("favors", "to"))
"""A person or party that is owed a Favor."""
BONUS = Metavar("ID", _stored_item_completer("banked", "id"))
"""A banked bonus."""
TRICK = Metavar("TRICK", _trait_name_completer("tricks"))
COMPLICATION = Metavar("NAME", _trait_name_completer("complications"))
TRAIT = Metavar("NAME", _tricks_and_complications_of_typed)
"""A Trick or a Complication."""
TAG = Metavar(
    "TAG",
    lambda campaign, typed: sorted(
        {tag for each in campaign.book.conditions.values() for tag in each.get("tags", ())}
    ),
)
"""A subject of rolls that Conditions may affect."""
COST = Metavar("KIND[:WHAT]", _cost_words)
"""A kind of Cost."""
CONDITION = Metavar("NAME", _short_condition_ids)
"""Any Condition."""
CONDITION_HELD = Metavar(
    "NAME",
    lambda campaign, typed: (
        key.rpartition(":")[2] for key in _stored_item_completer("conditions")(campaign, typed)
    ),
)
"""A Condition that somebody has."""
OPPONENT = Metavar("WHO2 SKILL2", _people_and_skills)
"""The opponent in a roll, and the opponent's Skill."""
WHOSE_COMPLICATION = Metavar("WHO:NAME", _person_complication_pairs)
WHOSE_CONDITION = Metavar("WHO:NAME", _each_person_with_every_condition)


Who = Annotated[
    str,
    typer.Argument(metavar=WHO, help="A character: the id or the beginning of a name."),
    WordParser(lambda call, name: find_character_by_name_or_player(call.required_campaign, name)),
]
"""A character of the campaign."""
Use = Annotated[
    list[str] | None, typer.Option(metavar=BONUS, help="Spend this banked bonus here; odo:b1 is a helper's.")
]
Intent = Annotated[
    str, typer.Option(metavar="TEXT", help="The intent; the same intent can't be tried twice.")
]
Changed = Annotated[str, typer.Option(metavar="WHY", help="How the situation changed, to try again.")]
