"""`strike schema`: the forms of files and of `--json` as JSON Schema, for editors and other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ..content.book import Book, bare_book
from ..content.schemas import content_kinds, schemas
from ..pages.html import MADE
from ..problems import Usage, listed, nearest
from ..terminal.options import Options, command, new_app
from ..terminal.result import Block, Result, Span, Table

app = new_app()
COMMENT = f"{MADE} schema"
SCHEMA_FILE = "campaign.schema.json"
"""Where `#:schema` in the first line of a campaign.toml that strike made looks for its schema."""


@app.callback()
def _group() -> None:
    """JSON Schema of files."""


@command(app, "schema", kind="reads")
def schema(
    options: Options,
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="campaign, included, pack, aliases, state, journal, json.")
    ] = "",
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write it to a file.")] = "",
) -> Result:
    """The form of a file, or of what --json prints, as JSON Schema (draft 7).

    An editor that knows TOML completes and checks campaign.toml by it: `#:schema ./campaign.schema.json` in its
    first line says where it is. Inside a campaign the names of its powers, creatures and the like are offered.

    Example: `strike schema campaign --out campaign.schema.json`
    """
    if not file:
        if out:
            raise Usage("--out: of which file?", f"One of {listed(FILES)}.")
        rows: list[list[Span]] = [[(name, "command"), what] for name, (what, _) in FILES.items()]
        blocks: list[Block] = [Table(["File", "What it is"], rows)]
        return Result("schema", {"files": {name: what for name, (what, _) in FILES.items()}}, blocks)
    if file not in FILES:
        raise Usage(f"There is no schema of {file!r}.{nearest(file, FILES)}", f"One of {listed(FILES)}.")
    campaign = options.campaign_if_any()
    found = schema_of(file, campaign.book if campaign else bare_book())
    text = as_text(found)
    if not out:
        return Result("schema", {"file": file, "schema": found}, [text.rstrip("\n")])
    from ..terminal.written import write_made

    write_made(Path(out), text)
    return Result("schema", {"file": file, "written": out}, [(f"The schema of {file} is in {out}", "good")])


def as_text(schema: Mapping[str, Any]) -> str:
    """A schema as its file has it."""
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def schema_of(file: str, book: Book) -> dict[str, Any]:
    """The schema of a file of a campaign."""
    return FILES[file][1](book)


def _form(name: str, title: str) -> Callable[[Book], dict[str, Any]]:
    """What makes the schema of a form that `content.json_schema` has."""

    def made(book: Book) -> dict[str, Any]:
        from ..content import json_schema

        writer = json_schema.Writer({kind: _offered(book, kind) for kind in content_kinds()})
        return writer.document(title, getattr(json_schema, name)(schemas()), COMMENT)

    return made


def _offered(book: Book, kind: str) -> list[str]:
    """The ids of a kind as people write them: those of strike's own by their last part."""
    return [key.removeprefix("core:") for key in book.table(kind)]


def _aliases(_: Book) -> dict[str, Any]:
    from ..content.json_schema import Writer
    from ..content.schemas import ALIASES
    from ..validation import Record

    return Writer().document("aliases.toml", Record(aliases=ALIASES), COMMENT)


def _state(book: Book) -> dict[str, Any]:
    from ..campaign.checks import state_form
    from ..content.json_schema import Writer
    from ..validation import Anything

    form = state_form(book).extended({"strike": Anything(), "schema": Anything()})
    return Writer().document("state.toml", form, COMMENT)


def _journal(_: Book) -> dict[str, Any]:
    from ..terminal.envelope import journal_line

    return {"$comment": COMMENT, "title": "A line of journal/NNNN.jsonl", **journal_line()}


def _json(_: Book) -> dict[str, Any]:
    from ..terminal.envelope import envelope

    return {"$comment": COMMENT, "title": "What --json prints", **envelope()}


FILES: Mapping[str, tuple[str, Callable[[Book], dict[str, Any]]]] = {
    "campaign": ("campaign.toml", _form("campaign_form", "campaign.toml")),
    "included": ("a file that campaign.toml includes", _form("included_form", "an included file")),
    "pack": ("content of a plugin, or a pack", _form("pack_form", "a content file")),
    "aliases": ("aliases.toml among the user's settings", _aliases),
    "state": ("state.toml, which strike writes", _state),
    "journal": ("a line of journal/NNNN.jsonl, which strike writes", _journal),
    "json": ("what a command prints with --json", _json),
}
"""What may be described: what it is, and what makes its schema."""
