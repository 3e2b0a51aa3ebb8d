"""The arguments and options of `strike momentum`: how typed words are parsed and completed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from strike_cli.plugin import Usage, World
from strike_cli.plugin.board import format_square, parse_square
from strike_cli.plugin.commands import (
    SQUARE,
    Call,
    Campaign,
    InScene,
    Metavar,
    PeopleOfGame,
    WordParser,
    find_id_if_any,
    find_word,
    new_app,
)

from ..rule_constants import ACTION_AP_COSTS, ARMORS, DAMAGE_TYPE_NAMES, SHIELDS, SKILLS, STATS

if TYPE_CHECKING:
    from ..fight_state import Battle


TYPE = Metavar("TYPE", words=lambda: DAMAGE_TYPE_NAMES)
"""The types of damage."""
ARMOR = Metavar("WORN", words=lambda: ARMORS)
SHIELD = Metavar("HELD", words=lambda: SHIELDS)
UNTIL = Metavar("WHEN", words=lambda: ("start", "end", "fight", "upkeep"))
"""When a Status Effect ends."""
ENDED = Metavar("[HOW]", words=lambda: ("won", "lost", "over"))
"""How a fight ends."""
LEFT = Metavar("[HOW]", words=lambda: ("gone", "fled", "out"))
"""How a combatant leaves the fight."""


PERSON: WordParser = get_args(InScene)[-1]
"""Reads a combatant in the fight."""


def _parse_levels(call: Call, text: str) -> list[int]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not all(word.isdigit() for word in words):
        raise Usage(f"{text!r} are not levels.", "Write them like 1,1,1,1,0.")
    return [int(word) for word in words]


def _read_people_unless_all_numbers(call: Call, words: list[str]) -> list[str]:
    bare = all(word.isdigit() for word in words)
    return words if bare else [str(PERSON.read(call, word)) for word in words]


def _parse_square(call: Call, text: str) -> str:
    try:
        return format_square(parse_square(text))
    except ValueError as error:
        raise Usage(f"{error}.", "`strike momentum map` shows the squares.") from None


def _find_own_thing_or_keep_word(
    call: Call, things: Callable[[Battle, str], Iterable[str]], word: str
) -> str:
    """Return the id of a combatant's thing, such as a weapon, for the beginning of its name (`word`).

    The combatant is the one that was typed for the parameter `who`. The function `things` returns the ids of
    a combatant's things. If none of them fits, `word` is returned unchanged.
    """
    combatant = call.typed.get("who")
    if not combatant or not call.required_campaign.state.get("momentum"):
        return word
    from ..fight_state import Battle

    battle = Battle(World(call.required_campaign.book, call.required_campaign.state))
    return find_id_if_any(word, {id: id.replace("-", " ") for id in things(battle, str(combatant))}) or word


def _own_items_and_everybodys_weapons(battle: Battle, combatant: str) -> list[str]:
    """Return what a combatant could take in hand: their items, and everybody's weapons and shields.

    Other people's weapons count, since weapons can come into other hands.
    """
    held = [thing for one in battle.people for thing in battle.ids_of_owned_weapons_and_shield(one)]
    return [*held, *battle.sheet(combatant).table["items"]]


def _find_ability(call: Call, word: str) -> str:
    """Return the id of the actor's Ability that `word` names. The beginning of the name is enough.

    If no Ability is found, return `word` unchanged. Raises Usage if this word is the id of a person in the
    scene, since the command names the actor elsewhere.
    """
    found = _find_own_thing_or_keep_word(
        call, lambda battle, combatant: battle.sheet(combatant).table["abilities"], word
    )
    if found == word and word in PEOPLE.in_scene(call.required_campaign):
        raise Usage(f"{word!r} is a person, not an Ability.", "Name the actor, then the Ability.")
    return found


def _find_skill_or_keep_word(call: Call, word: str) -> str:
    written = "-".join(word.lower().split())
    return find_id_if_any(written, {skill: skill for skill in SKILLS}) or written


def _completions_from_sheets(kind: str) -> Callable[[Campaign], list[str]]:
    """Return a function that lists all ids of a `kind` on the campaign's sheets.

    The list is used to complete a typed word.
    """

    def words_of_sheets(campaign: Campaign) -> list[str]:
        sheets = [*campaign.book.characters.values(), *campaign.book.creatures.values()]
        return sorted({id for sheet in sheets for id in sheet.get("momentum", {}).get(kind, ())})

    return words_of_sheets


def content_parser(kind: str) -> WordParser:
    """Return a parser that reads the id or name of an entry in the book's table `kind`."""

    def find_content(call: Call, name: str) -> str:
        return str(call.required_campaign.book.find(kind, name))

    return WordParser(
        find_content, lambda campaign: [id.rpartition(":")[2] for id in campaign.book.table(kind)]
    )


def parser_of_words(words: Iterable[str], what: str) -> WordParser:
    """Return a parser that accepts the words in `words`.

    `what` is the name for such a word in error messages, such as "action".
    """
    known = list(words)
    return WordParser(lambda call, word: find_word(word, known, what), lambda campaign: known)


def _find_combatant_or_character(call: Call, name: str) -> str:
    """Return the id of a combatant in the fight or, without a fight, of a character."""
    if call.required_campaign.state.get("momentum"):
        return str(PERSON.read(call, name))
    return str(PEOPLE.character.read(call, name))


PEOPLE = PeopleOfGame("momentum")
SOMEBODY = WordParser(
    _find_combatant_or_character, lambda campaign: {**PEOPLE.party(campaign), **PEOPLE.in_scene(campaign)}
)
SKILL = WordParser(_find_skill_or_keep_word, lambda campaign: SKILLS)
Upcast = Annotated[int, typer.Option("--upcast", metavar="N", min=0, help="WP to spend for more effect.")]
Levels = Annotated[
    str,
    typer.Option(metavar="N,N,N,N,N", help="Without a campaign: levels of the five Skills."),
    WordParser(_parse_levels),
]
Members = Annotated[
    list[str],
    typer.Argument(metavar="WHO...", help="Creatures that act as one, or Initiative numbers."),
    WordParser(_read_people_unless_all_numbers, PERSON.complete),
]
Target = Annotated[str, typer.Argument(metavar="TARGET", help="The target."), PERSON]
MaybeTarget = Annotated[str, typer.Argument(metavar="[TARGET]", help="The target, if any."), PERSON]
Targets = Annotated[
    list[str] | None, typer.Argument(metavar="TARGET...", help="The target."), PERSON.for_list()
]
On = Annotated[
    list[str] | None, typer.Option("--on", metavar="WHO", help="The targets of a success."), PERSON.for_list()
]
Fails = Annotated[
    list[str] | None,
    typer.Option("--fails", metavar="WHO", help="Creatures that don't resist."),
    PERSON.for_list(),
]
Through = Annotated[
    str,
    typer.Option("--through", metavar="FOE", help="The creature whose space is forced."),
    WordParser(PERSON.read, PERSON.complete),
]
From = Annotated[str, typer.Option("--from", metavar="WHO", help="The creature they move away from."), PERSON]
Of = Annotated[
    str,
    typer.Option("--of", metavar="WHO", help="The creature whose turn ends it. Default: the target."),
    PERSON,
]
By = Annotated[str, typer.Option("--by", metavar="WHO", help="The cause."), PERSON]
Square = Annotated[str, typer.Argument(metavar=SQUARE, help="A square like C7."), WordParser(_parse_square)]
At = Annotated[
    str, typer.Option("--at", metavar=SQUARE, help="The target square."), WordParser(_parse_square)
]
Lean = Annotated[
    str, typer.Option("--lean", metavar=SQUARE, help="The square to lean towards."), WordParser(_parse_square)
]
Weapon = Annotated[
    str,
    typer.Option("--with", "-w", metavar="W", help="The weapon. Default: the first in hand."),
    WordParser(
        lambda call, word: _find_own_thing_or_keep_word(
            call, lambda battle, combatant: [*battle.weapons(combatant), "bare hands"], word
        ),
        _completions_from_sheets("weapons"),
    ),
]
Maneuver = Annotated[
    str,
    typer.Option("--maneuver", "-m", metavar="ABILITY", help="A Maneuver for the attack."),
    WordParser(_find_ability, _completions_from_sheets("abilities")),
]
Ability = Annotated[
    str,
    typer.Argument(metavar="ABILITY", help="One of their Abilities."),
    WordParser(_find_ability, _completions_from_sheets("abilities")),
]
Items = Annotated[
    list[str] | None,
    typer.Option("--item", metavar="THING", help="A weapon, a shield, a consumable."),
    WordParser(
        lambda call, words: [
            _find_own_thing_or_keep_word(call, _own_items_and_everybodys_weapons, word) for word in words
        ],
        _completions_from_sheets("weapons"),
    ),
]
ActionName = Annotated[
    str,
    typer.Argument(metavar="ACTION", help="The action; `strike momentum act --help` lists all."),
    parser_of_words(ACTION_AP_COSTS, "action"),
]
Skill = Annotated[
    str,
    typer.Option(metavar="S", help="Default: the best."),
    WordParser(_find_skill_or_keep_word, lambda campaign: SKILLS),
]
TypeOf = Annotated[
    str,
    typer.Option(metavar="TYPE", help="A damage type."),
    parser_of_words(DAMAGE_TYPE_NAMES, "damage type"),
]
Stat = Annotated[
    str, typer.Argument(metavar="STAT", help="One of the seven Stats."), parser_of_words(STATS, "Stat")
]
StatusEffect = Annotated[
    str, typer.Argument(metavar="STATUS", help="A Status Effect."), content_parser("status_effects")
]
MaybeStatus = Annotated[
    str, typer.Option("--status", metavar="STATUS", help="A Status Effect."), content_parser("status_effects")
]
Creature = Annotated[str, typer.Argument(metavar="CREATURE", help="A creature."), content_parser("creatures")]
Adv = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Advantage, and why.")]
Dis = Annotated[list[str] | None, typer.Option(metavar="REASON", help="Disadvantage, and why.")]
Nonlethal = Annotated[bool, typer.Option("--nonlethal", help="Nonlethal: d4s reduce the damage.")]
Lethal = Annotated[bool, typer.Option("--lethal", help="Holy damage may kill the living.")]
Off = Annotated[
    str,
    typer.Option(
        "--off",
        metavar=TYPE.with_text("TYPE|N,..."),
        help="The damage that Armor reduces, in order, by type or number. Default: the best.",
    ),
]


app = new_app(
    help="Fights by Action Points, Reaction Points, Vitality and Narrative Momentum.\n\n"
    "An evening's fight: `momentum start ford`, `momentum initiative`, then for each turn `momentum turn`, "
    "some of `momentum move`, `momentum attack` and `momentum act`, and `momentum end-turn`; at last "
    "`momentum end`.\n\n"
    "Example: `strike momentum attack runa warden`"
)
