"""`strike schema`: JSON Schemas of strike's files and of `--json`, for editors and other programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from strike_cli.content import campaign_json_schema
from strike_cli.content.merged_content import Book, book_of_core_and_plugins
from strike_cli.content.schemas import schemas_of_working_systems
from strike_cli.problems import Usage, did_you_mean, listed
from strike_cli.registry.installed_plugins import plugin_index
from strike_cli.terminal.argument_completions import FILE
from strike_cli.terminal.command_output import Block, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app

app = new_app("JSON Schema of files.")


@command(app, "schema", kind="reads")
def schema(
    options: Options,
    file: Annotated[
        str,
        typer.Argument(
            metavar=FILE.with_text("[FILE]"), help="Such as campaign, pack or json. Default: a list of them."
        ),
    ] = "",
    out: Annotated[str, typer.Option("--out", metavar=FILE, help="Write it to a file.")] = "",
) -> Result:
    """Print the JSON Schema (draft 7) of a file, or of the output of --json.

    A TOML editor uses the schema to complete and check campaign.toml. The first line of campaign.toml tells
    the editor where the schema is: `#:schema ./campaign.schema.json`. In a campaign, the schema also has the
    names of powers, creatures and other content.

    Example: `strike schema campaign --out campaign.schema.json`
    """
    if not file:
        if out:
            raise Usage("--out: of which file?", f"One of {listed(FILES)}.")
        rows: list[list[Span]] = [[(name, "command"), what] for name, (what, _) in FILES.items()]
        blocks: list[Block] = [Table(["File", "Meaning"], rows)]
        return Result("schema", {"files": {name: what for name, (what, _) in FILES.items()}}, blocks)
    if file not in FILES:
        raise Usage(f"There is no schema of {file!r}.{did_you_mean(file, FILES)}", f"One of {listed(FILES)}.")
    campaign = options.open_campaign_if_any()
    found = schema_of(
        file,
        campaign.book
        if campaign
        else book_of_core_and_plugins(plugin.name for plugin in plugin_index().plugins),
    )
    text = campaign_json_schema.schema_text(found)
    if not out:
        return Result("schema", {"file": file, "schema": found}, [text.rstrip("\n")])
    from strike_cli.terminal.marked_output_files import write_already_marked_file

    write_already_marked_file(Path(out), text)
    return Result("schema", {"file": file, "written": out}, [(f"The schema of {file} is in {out}", "good")])


def schema_of(file: str, book: Book) -> dict[str, object]:
    """Return the JSON Schema of one of the FILES.

    Where the file can name content, the schema offers the names in `book`.
    """
    return FILES[file][1](book)


def _included_schema(book: Book) -> dict[str, object]:
    form = campaign_json_schema.included_form(schemas_of_working_systems(book.registry))
    return campaign_json_schema.schema_writer_with_names_of(book).as_document(
        "a file that campaign.toml includes", form
    )


def _pack_schema(book: Book) -> dict[str, object]:
    form = campaign_json_schema.pack_form(schemas_of_working_systems(book.registry))
    return campaign_json_schema.schema_writer_with_names_of(book).as_document("a content file", form)


def _aliases_schema(_: Book) -> dict[str, object]:
    from strike_cli.content.schemas import ALIASES
    from strike_cli.validation import Record

    return campaign_json_schema.SchemaWriter().as_document("aliases.toml", Record(aliases=ALIASES))


def _state_schema(book: Book) -> dict[str, object]:
    from strike_cli.campaign.state_checks import state_schema
    from strike_cli.validation import UncheckedTable

    form = state_schema(book).with_fields({"strike": UncheckedTable(), "schema": UncheckedTable()})
    return campaign_json_schema.SchemaWriter().as_document("state.toml", form)


def _journal_line_schema(_: Book) -> dict[str, object]:
    from strike_cli.terminal.output_schemas import journal_line_schema

    return {
        "$comment": campaign_json_schema.COMMENT,
        "title": "A line of journal/NNNN.jsonl",
        **journal_line_schema(),
    }


def _envelope_schema(_: Book) -> dict[str, object]:
    from strike_cli.terminal.output_schemas import envelope_schema

    return {"$comment": campaign_json_schema.COMMENT, "title": "The object of --json", **envelope_schema()}


def _command_data_schema(_: Book) -> dict[str, object]:
    from strike_cli.content.command_data_schema import schema_of_command_data

    return {
        "$comment": campaign_json_schema.COMMENT,
        "title": "`data` in a command's output with --json",
        **schema_of_command_data(),
    }


FILES: Mapping[str, tuple[str, Callable[[Book], dict[str, object]]]] = {
    "campaign": ("campaign.toml", campaign_json_schema.campaign_schema),
    "included": ("a file that campaign.toml includes", _included_schema),
    "pack": ("content of a plugin, or a pack", _pack_schema),
    "aliases": ("aliases.toml in the user's settings", _aliases_schema),
    "state": ("state.toml, which strike writes", _state_schema),
    "journal": ("a line of journal/NNNN.jsonl, which strike writes", _journal_line_schema),
    "json": ("a command's output with --json", _envelope_schema),
    "data": ("`data` in it, by command", _command_data_schema),
}
"""The files that can be described: what each is, and the function that makes its schema."""
