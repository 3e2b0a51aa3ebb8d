"""`strike creature`: the game master's creatures and people, to add, list, show and keep."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.problems import ContentProblem, Usage, as_sentence
from strike_cli.refusals import AlreadyExists, NeedsName
from strike_cli.terminal.argument_completions import FREE
from strike_cli.terminal.command_output import Block, Line, Result, Span, Table
from strike_cli.terminal.commands_and_options import Command, Options, command, new_app
from strike_cli.terminal.move_commands import TextCommand

from . import argument_completions

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.content.drafts import Draft
    from strike_cli.content.merged_content import Book

app = new_app("Your creatures and people.\n\nExample: `strike creature list goblin`")
BESTIARY = "bestiary"
"""The pack of creatures that all of the user's campaigns share."""
KIND = "creatures"


# Listing and showing


@command(app, "list", kind="reads")
def list_(
    options: Options,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT...]", help="Only those that match these words.")
    ] = None,
) -> Result:
    """List creatures and people, each with a description and its source.

    Example: `strike creature list ghoul`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.terminal.sheet_and_party_views import is_listed_in_campaign_or_no_list

    with options.open_campaign() as campaign:
        low = " ".join(words or ()).lower()
        has_tiers = is_listed_in_campaign_or_no_list(World(campaign.book, campaign.state), "combat")
        packs = _pack_file_names_by_origin(campaign.book)
        rows: list[list[Span]] = []
        data = []
        for id, item in campaign.book.creatures.items():
            summary = str(item.get("summary", ""))
            if low not in " ".join((id, item["name"], summary)).lower():
                continue
            where, tier = campaign.book.where.get(f"{KIND}.{id}", ""), str(item.get("tier", ""))
            rows.append(
                [
                    (id, "command"),
                    (item["name"], "name"),
                    *([tier] if has_tiers else []),
                    (
                        summary
                        if len(summary) <= SUMMARY_LENGTH
                        else f"{summary[: SUMMARY_LENGTH - 1].rstrip()}…",
                        "dim",
                    ),
                    (packs.get(where, where), "dim"),
                ]
            )
            data.append(
                {
                    "id": id,
                    "name": item["name"],
                    "tier": tier if has_tiers else None,
                    "summary": summary,
                    "from": where,
                }
            )
        headings = ["Id", "Name", *([""] if has_tiers else []), "", "From"]
        nobody: Block = (f"No creature matches {low!r}." if low else "No creatures yet.", "dim")
        blocks: list[Block] = [Table(headings, rows) if rows else nobody]
        return Result("creature list", {"creatures": data}, blocks, notices=campaign.notices)


def _pack_file_names_by_origin(book: Book) -> dict[str, str]:
    """Return the file name of each pack, by the origin that the book records for the pack's content.

    An origin is a long path outside the campaign, so lists show the file name in its place.
    """
    return {pack.origin: pack.value.rpartition("/")[2] for pack in book.plugins if not pack.distribution}


SUMMARY_LENGTH = 44
"""The most characters of a description in a list."""


@command(app, "show", kind="reads")
def show(
    options: Options,
    name: Annotated[str, typer.Argument(metavar=argument_completions.CREATURE, help="By id or name.")],
) -> Result:
    """Show a creature: its whole table in plain words, with Tricks, Complications and notes.

    Example: `strike creature show lamp-thief`
    """
    with options.open_campaign() as campaign:
        id = _find_creature(campaign, name)
        item = campaign.book.creatures[id]
        data = {"id": id, "from": campaign.book.where.get(f"{KIND}.{id}", ""), **item}
        return Result("creature show", data, _creature_blocks(campaign, id), notices=campaign.notices)


def _find_creature(campaign: Campaign, name: str) -> str:
    """Return the id of the creature with a name.

    The name is an id, a name, or the beginning of a name. Raises Usage if no creature matches, or several do.
    """
    from strike_cli.terminal.name_lookup import find_id_by_name

    found = campaign.book.ids_matching("creatures", name)
    if len(found) == 1:
        return found[0]
    known = {
        id: str(item["name"]) for id, item in campaign.book.creatures.items() if not found or id in found
    }
    return find_id_by_name(name, known, "creature", f" in {campaign.book.name}")


def _creature_blocks(campaign: Campaign, id: str) -> list[Block]:
    """Return a creature's card, and a line with the file that it comes from."""
    from strike_cli.kernel.procedure import World

    from ...core.commands.card import SheetCard

    where = campaign.book.where.get(f"{KIND}.{id}", "")
    card = SheetCard(World(campaign.book, campaign.state), KIND, id, notes=True)
    return [
        card.terminal_block(),
        (f"{id}, from {_pack_file_names_by_origin(campaign.book).get(where, where)}", "dim"),
    ]


# Adding a creature

_REPEATABLE_KEYS = ("trick", "complication")
"""The drawn keys that a sheet may have several of."""

_NAME = inspect.Parameter(
    "name",
    inspect.Parameter.KEYWORD_ONLY,
    default="",
    annotation=Annotated[
        str, typer.Argument(metavar=FREE.with_text("[NAME]"), help="The name at the table.")
    ],
)
_NPC = inspect.Parameter(
    "npc",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool, typer.Option("--npc", help="A person: missing parts are drawn from random tables.")
    ],
)
_NAMES = inspect.Parameter(
    "names",
    inspect.Parameter.KEYWORD_ONLY,
    default="",
    annotation=Annotated[
        str,
        typer.Option(
            "--names", metavar=argument_completions.TABLE, help="With --npc: the random table of names."
        ),
    ],
)
_SHARED = inspect.Parameter(
    "shared",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool, typer.Option("--shared", help="Save it for all your campaigns: `bestiary:ID`.")
    ],
)


def _parameters_of_add() -> Sequence[inspect.Parameter]:
    from strike_cli.terminal.new_sheet_questions import (
        options_for_drafts,
        sheet_drafts,
        system_option_for_sheet,
    )

    return [
        _NAME,
        *options_for_drafts(sheet_drafts(KIND)),
        _NPC,
        _NAMES,
        _SHARED,
        system_option_for_sheet(KIND),
    ]


def add(
    options: Options,
    name: str = "",
    npc: bool = False,
    names: str = "",
    shared: bool = False,
    system: str = "",
    **typed: object,
) -> Result:
    """Add a person or a creature, in a file of their own, ready to play.

    Your other files stay as they are.

    With --npc, random tables fill in what you leave out: name, trade, wish, and more in some games. The log
    shows the draw to you alone. You can undo the draw; the file stays.

    Example: `strike creature add "Mud Wolf" --summary "Thin, and not alone."`

    Example: `strike creature add --npc --names river-name`
    """
    from strike_cli.tabletop.characters_and_names import slug
    from strike_cli.terminal.new_sheet_questions import STRIKE, choose_or_default_game_of_sheet, sheet_drafts

    if not (npc or name.strip()):
        raise NeedsName("Or --npc, which draws one: `strike creature add --npc`.")
    with options.open_campaign(writing=True) as campaign:
        drafts = sheet_drafts(KIND)
        game = choose_or_default_game_of_sheet(
            campaign.book, drafts, system, typed, may_ask=options.interactive
        )
        draft = drafts[game]
        answers = _read_answers(drafts, draft, typed)
        left_out = () if game == STRIKE else _REPEATABLE_KEYS
        drawn, blocks = (
            _draw_and_journal_traits(options, campaign, name, names, left_out) if npc else ({}, list[Block]())
        )
        name = name.strip() or drawn.pop("name")
        answers["summary"] = answers["summary"] or as_sentence(drawn.pop("concept", ""))
        id = _free_id_or_refuse_typed(campaign, slug(name), npc)
        text = _creature_file_text(draft, name, id, answers, drawn)
        file, full = (
            _path_of_new_creature(campaign.folder, id, shared=shared),
            f"{BESTIARY}:{id}" if shared else id,
        )
        data = {"id": full, "name": name, "file": str(file), "text": text, **drawn}
        if options.dry_run:
            return Result("creature add", data, [*blocks, (f"Would write {file}:", "dim"), text.rstrip()])
        _write_new_file_and_reload(campaign, file, text, full)
        shown = file if shared else file.relative_to(campaign.folder).as_posix()
        blocks += [(f"{name} is in {shown}", "good"), _creature_blocks(campaign, full)[0]]
        blocks.append([("Next: ", "dim"), (draft.after[-1].format(id=full), "command")])
        return Result("creature add", data, blocks, notices=campaign.notices)


@command(app, "keep", kind="plays")
def keep(
    options: Options,
    name: Annotated[
        str, typer.Argument(metavar=argument_completions.CREATURE, help="A creature made up in play.")
    ],
) -> Result:
    """Write a file for a creature made up in play, with its numbers, for you to edit.

    The file counts from the next scene on.

    Example: `strike creature keep stoker`
    """
    import tomli_w

    from strike_cli.content.schemas import schemas_of_working_systems
    from strike_cli.kernel.state_changes import MADE_UP, look_up
    from strike_cli.terminal.name_lookup import find_id_by_name
    from strike_cli.validation import Record

    with options.open_campaign(writing=True) as campaign:
        made: Mapping[str, Mapping[str, object]] = look_up(campaign.state, f"{MADE_UP}.{KIND}", {})
        id = find_id_by_name(
            name, {id: str(each["name"]) for id, each in made.items()}, "creature made up in play", ""
        )
        form = schemas_of_working_systems(campaign.book.registry).campaign[KIND]
        usual = (
            {key: default for key, (_, default) in form.fields.items()} if isinstance(form, Record) else {}
        )
        sheet = {key: value for key, value in made[id].items() if key not in usual or value != usual[key]}
        text = "# Yours to change: strike reads this file and never writes it again.\n\n"
        text += tomli_w.dumps({KIND: {id: sheet}})
        file = _path_of_new_creature(campaign.folder, id, shared=False)
        shown, data = (
            file.relative_to(campaign.folder).as_posix(),
            {"id": id, "file": str(file), "text": text},
        )
        if options.dry_run:
            return Result("creature keep", data, [(f"Would write {shown}:", "dim"), text.rstrip()])
        _write_new_file_and_reload(campaign, file, text, id)
        return Result("creature keep", data, [(f"{made[id]['name']} is in {shown}", "good")])


def _read_answers(drafts: Mapping[str, Draft], draft: Draft, typed: Mapping[str, object]) -> dict[str, str]:
    """Return the answers to a draft's questions. Questions without a typed answer get their default.

    Raises Usage for an option that belongs to another game's draft.
    """
    from strike_cli.terminal.new_sheet_questions import typed_answers, validated_answer

    given = typed_answers(draft.questions, typed)
    pairs = (pair for each in drafts.values() for pair in typed_answers(each.questions, typed).items())
    if wrong := [f"--{key}" for key, text in pairs if text and key not in given]:
        raise Usage(
            f"{', '.join(wrong)}: that belongs to another game.", "--system names the game of the sheet."
        )
    return {question.key: validated_answer(question, given[question.key]) for question in draft.questions}


def _creature_file_text(
    draft: Draft, name: str, id: str, answers: Mapping[str, str], drawn: Mapping[str, str]
) -> str:
    from strike_cli.content.drafts import toml_line

    lines = [*draft.write(name, id, answers)]
    lines += toml_line("notes", f"Wants {drawn['want']}.") if "want" in drawn else []
    lines += [each for key in _REPEATABLE_KEYS if key in drawn for each in toml_line(f"{key}s", [drawn[key]])]
    return "\n".join([*lines, ""])


def _draw_and_journal_traits(
    options: Options, campaign: Campaign, name: str, name_table: str, left_out: Collection[str]
) -> tuple[dict[str, str], list[Block]]:
    """Draw a person's traits from random tables, and return them.

    Traits in `left_out` aren't drawn. The journal gets a secret entry for the drawing. With --explain, lines
    that report the drawing are returned as well.
    """
    from strike_cli.terminal.command_output import new_fact_and_reason_lines
    from strike_cli.terminal.move_commands import play_move

    from ..random_tables import TRAIT_TABLES

    tables = {**TRAIT_TABLES, **({"name": name_table} if name_table else {})}
    known = {*left_out, *(["name"] if name.strip() else [])}
    wanted = {key: table for key, table in tables.items() if key not in known}
    try:
        args = {key: campaign.book.find("tables", table) for key, table in wanted.items()}
    except Usage as usage:
        hint = 'include = ["strike:tables.toml"] in campaign.toml has those that people are drawn from.'
        raise Usage(usage.message, hint) from None
    options.secret = True
    performed = play_move(options, campaign, "creature invent", args)
    lines: list[Line] = new_fact_and_reason_lines(performed) if options.explain else []
    return {key: str(drawn) for key, drawn in (performed.data or {}).items()}, [*lines]


def _free_id_or_refuse_typed(campaign: Campaign, wanted: str, drawn: bool) -> str:
    """Return an unused id made from the name `wanted`.

    If that id is in use and the name was drawn at random (`drawn`), a number is added to the id. If a typed
    name's id is in use, Usage is raised.
    """
    from strike_cli.validation import can_be_id

    if not can_be_id(wanted) or not wanted.isascii():
        wanted = wanted.encode("ascii", "ignore").decode().strip("-") or "somebody"
    book = campaign.book
    taken = {id.rpartition(":")[2] for id in (*book.creatures, *book.characters)}
    if wanted in taken and not drawn:
        raise Usage(
            f"{wanted!r} exists already.", "Choose another name; `strike creature show` has that one."
        )
    return next(free for free in (wanted, *(f"{wanted}-{n}" for n in range(2, 1000))) if free not in taken)


def _path_of_new_creature(folder: Path, key: str, *, shared: bool) -> Path:
    """Return the path of a new creature's file.

    The file is in the shared pack if `shared` is true. Otherwise it is in the campaign.
    """
    from strike_cli.campaign.file_access import file_name_not_reserved
    from strike_cli.content import CONTENT_FOLDER
    from strike_cli.content.packs import possible_pack_folders

    if shared:
        return possible_pack_folders(None)[0] / BESTIARY / f"{file_name_not_reserved(key)}.toml"
    return folder / CONTENT_FOLDER / f"creature-{key}.toml"


def _write_new_file_and_reload(campaign: Campaign, file: Path, text: str, full_id: str) -> None:
    """Write a new file, and reload the campaign's content with it.

    If the content then has faults, the file is deleted again, and Usage is raised with the faults. Raises
    AlreadyExists if the file exists already.
    """
    from strike_cli.campaign.file_access import sync_folder, unwritable_problem, write_new_user_file
    from strike_cli.content.merged_content import open_book

    try:
        if not file.parent.is_dir():
            file.parent.mkdir(parents=True)
            sync_folder(file.parent.parent)
        write_new_user_file(file, text.encode())
    except FileExistsError:
        raise AlreadyExists(file, "Choose another name. Nothing was written.") from None
    except OSError as error:
        raise unwritable_problem(file, error) from None
    faults: list[str] = []
    try:
        campaign.book = open_book(campaign.folder)
        if full_id not in campaign.book.creatures:
            faults = [
                each.broken for each in campaign.book.plugins if each.namespace == BESTIARY and each.broken
            ]
    except ContentProblem as problem:
        faults = problem.faults
    if faults:
        file.unlink()
        campaign.book = open_book(campaign.folder)
        raise Usage("\n".join(faults), "Nothing was written. Change the options.")


app.command("add", cls=TextCommand)(Command(add, _parameters_of_add, "plays"))
