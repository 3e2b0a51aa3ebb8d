"""Creatures and encounters that are made up in play and are in no file.

A made-up creature has the data for which `creature add` asks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..content import CAMPAIGN_FILE, CONTENT_FOLDER
from ..content.drafts import toml_line
from ..problems import ContentProblem, Usage, did_you_mean
from ..registry import load_usable_systems, scenes_and_decisions_in_state
from ..tabletop.characters_and_names import slug
from ..tabletop.dice_notation import begins_like_dice
from ..tabletop.squares_and_lines import format_square
from ..untrusted_input import is_safe_unsigned_number
from .argument_completions import Metavar
from .move_commands import WordParser
from .name_lookup import ARTICLE, find_id_if_any, short_content_id_suggester
from .new_sheet_questions import (
    options_for_drafts,
    sheet_drafts,
    sheet_game_of_system,
    typed_answers,
    validated_answer,
)
from .unquoted_names import JoinedWords

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..registry.system_declaration import System

TYPO_SIMILARITY, TYPO_SIMILARITY_OF_SHORT = 0.75, 0.65
"""The least similarity to a known name, up to 1, that suggests a typo; and that for names of up to four
letters."""
MADE_UP_FILE = "made-up"
"""The file name for made-up content, which is never written; with a number, also the id of a made-up
encounter."""


def names_of_everybody_by_id(campaign: Campaign) -> dict[str, str]:
    """Return the names of all characters, all creatures, and all people in scenes, by id."""
    table = {key: str(sheet["name"]) for key, sheet in campaign.book.characters.items()}
    for scene in scenes_and_decisions_in_state.scenes_of(campaign.state):
        table |= {person: one.name for person, one in scene.people.items()}
    creatures = campaign.book.creatures.items()
    return table | {key: str(sheet["name"]) for key, sheet in creatures if key not in table}


def is_new_name_unlike_any_known(campaign: Campaign, name: str, others: Iterable[str] = ()) -> bool:
    """Return whether a name is new: no name in the campaign or in `others` is the same or similar.

    It is False for a text that can't be a name, such as one with commas, and for the name of a command. It is
    also False if some files of the campaign can't be read: the names in these files are unknown.
    """
    table = names_of_everybody_by_id(campaign)
    if campaign.reasons_files_not_played:
        return False
    if not is_written_like_name(name) or name.lower() in {
        word.rpartition(" ")[2]
        for system in load_usable_systems()
        for word in (*system.commands, *system.moves)
    }:
        return False
    return not _hint_of_nearest_name(campaign, name, others) and find_id_if_any(name, table) is None


def is_written_like_name(name: str) -> bool:
    """Return whether a text can be a name.

    A name has a letter, and neither a comma nor a colon. It doesn't begin like dice, and isn't a mere
    article. So a list is no name, and neither is a word with a count, such as `goblin:4`.
    """
    letters = re.search(r"[^\W\d_]", name) and name.lower() != ARTICLE
    return bool(letters) and not (begins_like_dice(name) or set(name) & set(",:"))


def _hint_of_nearest_name(campaign: Campaign, name: str, others: Iterable[str]) -> str:
    """Return a question that suggests the nearest known name; "" if none is similar."""
    table = names_of_everybody_by_id(campaign)
    return did_you_mean(
        name,
        [*table, *table.values(), *others],
        TYPO_SIMILARITY if len(name) > 4 else TYPO_SIMILARITY_OF_SHORT,
    )


def split_count(word: str) -> tuple[str, int]:
    """Return the name and the number in a word like `goblin:4`; the number is 1 by default."""
    name, _, count = word.rpartition(":")
    return (name, int(count)) if name and is_safe_unsigned_number(count) else (word, 1)


def capitalize_name(name: str) -> str:
    """Return a name with a capital letter at the beginning of each word."""
    return " ".join(f"{word[:1].upper()}{word[1:]}" for word in name.split())


NAME_HINT = "A new name is one word, or quoted; `stoker:2` makes two."
NEW_NAME_HINT = "--new makes a new creature of that name."


class NobodyOfThatName(Usage):
    """Raised for a name that is in no file, and may be a typo."""

    def __init__(self, campaign: Campaign, name: str, others: Iterable[str] = ()) -> None:
        near = _hint_of_nearest_name(campaign, name, others)
        told = f"There is no character or creature {name!r} in {campaign.book.name}.{near}"
        hint = (
            NEW_NAME_HINT if is_written_like_name(name) and not isinstance(name, JoinedWords) else NAME_HINT
        )
        if campaign.reasons_files_not_played:
            hint = f"A file with a fault may have it: `strike doctor` says how to fix that. {hint}"
        super().__init__(told, hint)


def refuse_numbers_for_known_name(typed: Mapping[str, object], name: str) -> None:
    """Raise Usage if numbers are typed for somebody who has a sheet."""
    if said := [key.removeprefix("answer_") for key, value in typed.items() if value]:
        raise Usage(
            f"{name} has a sheet: --{said[0]} is for new names.", "--new makes a new creature of that name."
        )


LIKE_WHOM = WordParser(lambda call, name: call.required_campaign.book.find("creatures", name))


class MadeUpContent:
    """The content that one command makes up for a game that the campaign plays."""

    def __init__(self, campaign: Campaign, system: System) -> None:
        self.campaign = campaign
        self.system = system
        self.ids_by_kind: dict[str, list[str]] = {}
        self._copies: dict[str, object] = {}
        self._lines: list[str] = []

    def make_creatures(self, names: Iterable[str], typed: Mapping[str, object], like: str = "") -> list[str]:
        """Make up a creature for each name, and return the ids of the creatures.

        With `like`, they have the numbers of the creature `like`. Otherwise their numbers are the `typed`
        answers to the questions of `creature add`, or the defaults of these questions.

        Raises Usage for an invalid answer, for a text that can't be a name, and for answers together with
        `like`.
        """
        book, draft = self.campaign.book, sheet_drafts("creatures")[sheet_game_of_system(self.system)]
        given = typed_answers(draft.questions, typed)
        if like and (said := [f"--{key}" for key, text in given.items() if text]):
            raise Usage(f"--like sets all numbers: leave out {', '.join(said)}.")
        answers = {
            question.key: validated_answer(question, given[question.key]) for question in draft.questions
        }
        found = self.ids_by_kind["creatures"] = []
        for name in names:
            if not is_written_like_name(name):
                raise Usage(f"{name!r} is not a name.", NAME_HINT)
            id = slug(name)
            found.append(id)
            if like:
                self._copies[id] = {
                    **book.creatures[book.find("creatures", like)],
                    "name": capitalize_name(name),
                }
            else:
                self._lines += [*draft.write(capitalize_name(name), id, answers), ""]
        return found

    def make_encounter(self, name: str, size: tuple[int, int] | None, party_size: int) -> str:
        """Make up an encounter and return its id.

        With a `size`, the encounter has an empty map with that width and height in squares. The `party_size`
        people start on one side of the map, and the enemies on the other.
        """
        taken = {*self.campaign.book.encounters}
        id = next(free for n in range(1, 1000) if (free := f"{MADE_UP_FILE}-{n}") not in taken)
        self.ids_by_kind["encounters"] = [id]
        self._lines += [f"[encounters.{id}]", *toml_line("name", name)]
        if size:
            width, height = size
            rows = sorted(range(height), key=lambda row: abs(row - (height - 1) / 2))
            ours = sorted([(x, y) for x in (1, 0) for y in rows][:party_size])
            at = {"party": ours, "enemies": [(width - 2, y) for y in rows]}
            squares = {person: [format_square(square) for square in found] for person, found in at.items()}
            self._lines += [*toml_line("map", "\n".join(["." * width] * height)), *toml_line("at", squares)]
        return id

    def compiled_content(self) -> dict[str, dict[str, object]]:
        """Return the made-up content in the form of the book: by kind, then by id.

        Raises Usage for faulty content.
        """
        from ..content.compiler import Compiler
        from ..content.schemas import SCHEMA

        found: dict[str, dict[str, object]] = {"creatures": self._copies} if self._copies else {}
        if not self._lines:
            return found
        folder, more = self.campaign.folder, dict[Path, str]()
        if self.campaign.plays_last_faultless_files:  # so made-up content is checked alone
            folder /= MADE_UP_FILE
            named = [plugin.name for plugin in self.campaign.book.plugins[1:]]
            more = {folder / CAMPAIGN_FILE: f'schema = {SCHEMA}\nname = ""\nplugins = {json.dumps(named)}'}
        more[folder / CONTENT_FOLDER / f"{MADE_UP_FILE}.toml"] = "\n".join(self._lines)
        try:
            compiled = Compiler(folder, {file: text.encode() for file, text in more.items()}).compile()
        except ContentProblem as problem:
            raise Usage("\n".join(problem.faults), "Nothing was recorded. Change the creature.") from None
        for kind, ids in self.ids_by_kind.items():
            table: Mapping[str, object] = compiled[kind]  # type: ignore[assignment]  # things by id
            found[kind] = {**{id: table[id] for id in ids if id in table}, **found.get(kind, {})}
        return found


def made_up_creature_options(system: System | None = None) -> list[Parameter]:
    """Return the options with which a command describes a made-up creature.

    They are an option for each question about a creature's sheet, and the options `--like` and `--new`. If a
    `system` is given, questions that only other games ask are left out.
    """
    drafts = sheet_drafts("creatures")
    if system:
        game = sheet_game_of_system(system)
        drafts = {game: drafts[game]} if game in drafts else {}
    like = typer.Option(
        "--like",
        metavar=Metavar("CREATURE", short_content_id_suggester("creatures")),
        help="A creature with the same numbers.",
    )
    new = typer.Option("--new", help="Allow a new name that looks like a typo.")
    return [
        *options_for_drafts(drafts),
        Parameter("like", Parameter.KEYWORD_ONLY, default="", annotation=Annotated[str, like, LIKE_WHOM]),
        Parameter("new", Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, new]),
    ]
