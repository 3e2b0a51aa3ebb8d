"""`strike content new`: write a file for a new power, status or creature, from a few questions.

The campaign's other files stay as they are.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.content import CONTENT_FOLDER
from strike_cli.content.drafts import HEADS, Draft
from strike_cli.content.merged_content import open_book
from strike_cli.content.name_index import singular_of_kind
from strike_cli.problems import ContentProblem, Usage
from strike_cli.refusals import NeedsName
from strike_cli.registry import load_usable_systems
from strike_cli.registry.installed_plugins import import_object
from strike_cli.terminal.argument_completions import FREE
from strike_cli.terminal.command_output import Block, Result
from strike_cli.terminal.commands_and_options import Command, Options, add_command, new_app
from strike_cli.terminal.new_sheet_questions import (
    STRIKE,
    ask_text_showing_default,
    ask_until_valid,
    option_for_question,
    sheet_drafts,
    typed_answers,
    validated_answer,
)
from strike_cli.validation import can_be_id

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign

app = new_app("New powers, creatures and other content.")
things = new_app(
    help="Write a file for a new power, status, creature and so on; at a terminal it asks for each part. "
    'Example: `strike content new power "Reed Cut"`'
)
app.add_typer(things, name="new")


_NAME = inspect.Parameter(
    "name",
    inspect.Parameter.KEYWORD_ONLY,
    default="",
    annotation=Annotated[
        str, typer.Argument(metavar=FREE.with_text("[NAME]"), help="Its name at the table.")
    ],
)
_ID = inspect.Parameter(
    "id",
    inspect.Parameter.KEYWORD_ONLY,
    default="",
    annotation=Annotated[
        str, typer.Option("--id", metavar="TEXT", help="The id to type. Default: made from the name.")
    ],
)


def _declare_command(word: str, draft: Draft) -> None:
    """Add the command `content new WORD`, which writes the draft's file."""

    def parameters() -> Sequence[inspect.Parameter]:
        return [_NAME, *map(option_for_question, draft.questions), _ID]

    def write_from_command(options: Options, name: str = "", id: str = "", **typed: object) -> Result:
        return ask_and_write_new_content(
            options, word, draft, name, id, typed_answers(draft.questions, typed)
        )

    article = "an" if word[0] in "aeiou" else "a"
    write_from_command.__name__ = word
    write_from_command.__doc__ = (
        f"Write {article} {word} of your own into a commented file in the campaign's folder "
        f"`{CONTENT_FOLDER}`.\n\n"
        "At a terminal, with a name alone, it asks for each part. The file is checked first and plays at "
        "once; no file is ever written over.\n\n"
        f"Example: `strike content new {word} {draft.example}`"
    )
    add_command(things, word, Command(write_from_command, parameters, "reads"))


def ask_and_write_new_content(
    options: Options, word: str, draft: Draft, name: str, id: str, given: Mapping[str, str]
) -> Result:
    """Write a file with a new item of content, and return an explanation of the item.

    `given` has the answers that were typed as options. If none was typed and there is a terminal, the user is
    asked there.

    Raises:
        Usage: The id is taken or invalid, or the content would not compile.
        NeedsName: There is no name, and nobody can be asked for it.
    """
    from strike_cli.campaign.file_access import write_new_user_texts
    from strike_cli.content.compiler import Compiler
    from strike_cli.tabletop.characters_and_names import slug

    from .content import explain_content

    with options.open_campaign() as campaign:
        asks = options.interactive and not any(given.values())
        while not (
            name := name.strip()
            or (ask_text_showing_default("What is it called?") if options.interactive else "")
        ):
            if not options.interactive:
                raise NeedsName(f'`strike content new {word} "The Name"`.')
        key = id or slug(name)
        if not can_be_id(key) or ":" in key or not key.isascii():
            raise Usage(
                f"{key!r} can't be an id: letters, digits, - and _ only.", "--id sets the id to type."
            )
        answers = {
            question.key: ask_until_valid(question)
            if asks and question.asks
            else validated_answer(question, given[question.key])
            for question in draft.questions
        }
        file = campaign.folder / CONTENT_FOLDER / f"{word}-{key}.toml"
        _must_not_exist(campaign, draft, key, file)
        text = "\n".join([*draft.write(name, key, answers), ""])
        try:
            Compiler(campaign.folder, unwritten_files={file: text.encode()}).compile()
        except ContentProblem as problem:  # the campaign itself was sound just now
            raise Usage("\n".join(problem.faults), "Nothing was written. Change the options.") from None
        write_new_user_texts({file: text})
    told, blocks = explain_content(open_book(campaign.folder), draft.table, key)
    place = file.relative_to(campaign.folder).as_posix()
    lines: list[Block] = [
        [(f"{singular_of_kind(draft.table).capitalize()} {key} is in {place}", "good"), ":"],
        *blocks,
    ]
    lines += [[("Next: ", "dim"), (each.format(id=key), "command")] for each in draft.after]
    data = {"kind": draft.table, "id": key, "file": place, "lines": told}
    return Result(f"content new {word}", data, lines)


def _must_not_exist(campaign: Campaign, draft: Draft, key: str, file: Path) -> None:
    there = f"{file.relative_to(campaign.folder).as_posix()} exists already."
    if key in campaign.book.table(draft.table):
        there = f"{draft.table}.{key} is in {campaign.book.where[f'{draft.table}.{key}']} already."
    elif not file.exists():
        return
    raise Usage(there, "Choose another name, or --id; nothing was changed.")


def content_new_drafts_by_word() -> dict[str, Draft]:
    """Return the drafts for `content new`, by the typed word, such as `power`.

    Drafts of sheets are left out, since `character add` and `creature add` write sheets. The one exception is
    the draft of a Strike! creature.
    """
    found: dict[str, Draft] = {
        singular_of_kind(kind): import_object(system.absolute(of.draft))
        for system in load_usable_systems()
        for kind, of in system.content.items()
        if of.draft and kind not in HEADS
    }
    return {**found, "creature": sheet_drafts("creatures")[STRIKE]}


for _word, _draft in content_new_drafts_by_word().items():
    _declare_command(_word, _draft)
