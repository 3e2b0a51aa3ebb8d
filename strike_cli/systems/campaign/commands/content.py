"""`strike content`: list, show and explain conditions, statuses, powers and so on, and check files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from strike_cli.content.merged_content import Book, book_of_core_and_plugins
from strike_cli.content.name_index import ids_by_first_matching_rule, singular_of_kind
from strike_cli.content.schemas import content_kinds_of_plugins, schemas_of_working_systems
from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.problems import ContentProblem, Usage, as_sentence, did_you_mean, listed
from strike_cli.registry import load_usable_systems
from strike_cli.registry.installed_plugins import import_object
from strike_cli.terminal.argument_completions import FILE
from strike_cli.terminal.command_output import Block, NumberHeading, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app

from . import argument_completions

if TYPE_CHECKING:
    from collections.abc import Callable

    from strike_cli.tabletop.effects_in_plain_words import Explains

    from ..data import ContentItem

app = new_app("""
    Conditions, statuses, powers and other content: from the core game, plugins and the campaign.

    Example: `strike content show prone`
    """)


@command(app, "list", kind="reads")
def list_(
    options: Options,
    kind: Annotated[
        str,
        typer.Argument(
            metavar=argument_completions.KIND, help="Like conditions, statuses, powers or creatures."
        ),
    ] = "",
    keyword: Annotated[
        str, typer.Option("--keyword", metavar="TEXT", help="Only content with this keyword.")
    ] = "",
    level: Annotated[
        int | None, typer.Option("--level", metavar="N", help="Only content of this level or below.")
    ] = None,
) -> Result:
    """List all content by full id, with its source.

    --keyword and --level narrow the list down. With them, it shows levels and effects, the lowest level
    first.

    Example: `strike content list powers --keyword duelist --level 3`
    """
    book = _campaign_or_bare_book(options)
    kinds = content_kinds_of_plugins(book.registry)
    if kind and kind not in kinds:
        raise Usage(
            f"{kind!r} is not a kind of content.{did_you_mean(kind, kinds)}", f"One of {listed(kinds)}."
        )
    data: dict[str, object] = {}
    blocks: list[Block] = []
    for each in [kind] if kind else kinds:
        everything: Mapping[str, ContentItem] = book.table(each)
        table = {
            key: item
            for key, item in everything.items()
            if (not keyword or keyword.lower() in map(str.lower, item.get("keywords", ())))
            and (level is None or item.get("level", level + 1) <= level)
        }
        origins = {key: book.where.get(f"{each}.{key}", "") for key in table}
        data[each] = {
            key: {"name": item["name"], "from": origins[key]}
            | ({"level": item["level"]} if "level" in item else {})
            for key, item in table.items()
        }
        if table and (keyword or level is not None):
            blocks += [(each.capitalize(), "title"), _table_by_level(book, each, table), ""]
        elif table:
            rows: list[list[Span]] = [
                [(key, "command"), item["name"], origins[key]] for key, item in table.items()
            ]
            blocks += [(each.capitalize(), "title"), Table(["Id", "Name", "From"], rows), ""]
    return Result("content list", data, blocks[:-1])


def _campaign_or_bare_book(options: Options) -> Book:
    campaign = options.open_campaign_if_any()
    return campaign.book if campaign else book_of_core_and_plugins()


def _table_by_level(book: Book, kind: str, table: Mapping[str, ContentItem]) -> Table:
    """Return a table of the items of one kind, the lowest level first, each with its effect in words."""
    says: list[Callable[[Book, object], str]] = [
        import_object(reference) for reference in _sentence_function_references(book, kind)
    ]
    rows: list[list[Span]] = [
        [(key, "command"), item["name"], str(item.get("level", "-")), says[0](book, item) if says else ""]
        for key, item in sorted(table.items(), key=lambda pair: pair[1].get("level", 0))
    ]
    return Table(["Id", "Name", NumberHeading("Level"), "Does"], rows)


@command(app, "show", kind="reads")
def show(
    options: Options,
    name: Annotated[
        str, typer.Argument(metavar=argument_completions.CONTENT_ID, help="A full id, or its last part.")
    ],
) -> Result:
    """Show content by name, such as a condition, status, power or creature: its effects and its source.

    If several things have the name, all are shown.

    Example: `strike content show core:prone`
    """
    book = _campaign_or_bare_book(options)
    data = []
    blocks: list[Block] = []
    for kind, key in _find_all_content_named(book, name, content_kinds_of_plugins(book.registry)):
        item = book.table(kind)[key]
        origin = book.where.get(f"{kind}.{key}", "")
        data.append({"kind": kind, "id": key, "from": origin, **item})
        blocks.append([(item["name"], "title"), (f"  {key}, from {origin}", "dim")])
        if item.get("summary"):
            blocks.append(item["summary"])
        for words in _sentence_function_references(book, kind):
            says: Callable[[Book, object], str] = import_object(words)
            blocks.append([("  in words: ", "dim"), says(book, item)])
        blocks += [
            [(f"  {field}: ", "dim"), _nested_value_text(value)]
            for field, value in item.items()
            if field not in ("name", "summary", "override") and value not in ([], "", False)
        ]
    return Result("content show", data, blocks)


def _find_all_content_named(book: Book, name: str, kinds: Iterable[str]) -> list[tuple[str, str]]:
    """Return the kind and full id of everything that a name may mean. Raises Usage if there is nothing."""
    kinds = list(kinds)
    found = [(kind, key) for kind in kinds for key in ids_by_first_matching_rule(name, book.table(kind))]
    if not found:
        known = [key.rpartition(":")[2] for kind in kinds for key in book.table(kind)]
        raise Usage(
            f"There is no content {name!r}.{did_you_mean(name, known)}", "`strike content list` shows all."
        )
    return found


def _sentence_function_references(book: Book, kind: str) -> list[str]:
    """Return references to the functions that put the effects of a kind of content into words."""
    named = ((each, each.content.get(kind)) for each in load_usable_systems(book.registry))
    return [each.absolute(of.in_words) for each, of in named if of and of.in_words]


@command(app, "explain", kind="reads")
def explain(
    options: Options,
    name: Annotated[
        str, typer.Argument(metavar=argument_completions.CONTENT_ID, help="A full id, or its last part.")
    ],
) -> Result:
    """Explain a power, status, condition or creature in plain words, as the game understands its table.

    If something is missing from the explanation, the game doesn't know it from your file. So check it before
    you play.

    Example: `strike content explain chain-drag`
    """
    book = _campaign_or_bare_book(options)
    blocks: list[Block] = []
    data: list[dict[str, object]] = []
    for kind, key in _find_all_content_named(book, name, _explainer_references_by_kind(book)):
        told, lines = explain_content(book, kind, key)
        origin = book.where.get(f"{kind}.{key}", "")
        data.append({"kind": kind, "id": key, "from": origin, "name": book.table(kind)[key]["name"]})
        data[-1]["lines"] = told
        blocks += ["", *lines] if blocks else lines
    return Result("content explain", data, blocks)


def _explainer_references_by_kind(book: Book) -> dict[str, str]:
    """Return references to the functions that explain content in plain words, by kind of content.

    A kind without such a function is left out.
    """
    named = ((each, *pair) for each in load_usable_systems(book.registry) for pair in each.content.items())
    return {kind: each.absolute(of.explains) for each, kind, of in named if of.explains}


def explain_content(book: Book, kind: str, key: str) -> tuple[list[dict[str, str]], list[Block]]:
    """Return the explanation of a piece of content in plain words: as data, and as blocks."""
    item, origin = book.table(kind)[key], book.where.get(f"{kind}.{key}", "")
    explain: Explains = import_object(_explainer_references_by_kind(book)[kind])
    lines = explain(book, item)
    wide = max(len(line.about) for line in lines)
    blocks: list[Block] = [
        [(item["name"], "title"), (f"  {singular_of_kind(kind)} {key}, from {origin}", "dim")]
    ]
    blocks += [[(f"  {line.about:{wide}}  ", "dim"), as_sentence(line.text)] for line in lines]
    return [{"about": line.about, "text": line.text} for line in lines], blocks


def _nested_value_text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(
            f"{key} {_nested_value_text(item)}" for key, item in value.items() if item not in ([], False)
        )
    if isinstance(value, list):
        return "; ".join(_nested_value_text(item) for item in value)
    return str(value)


@command(app, "check", kind="reads")
def check(
    options: Options,
    files: Annotated[list[str], typer.Argument(metavar=FILE.with_text("FILE..."), help="TOML files.")],
) -> Result:
    """Check content files, of a plugin or for a campaign, without installing them.

    Example: `strike content check my-monsters.toml`
    """
    from strike_cli.untrusted_input import parse_toml

    forms = schemas_of_working_systems().campaign
    faults: Faults = []
    counts: dict[str, int] = {}
    for file in files:
        try:
            data = parse_toml(Path(file).read_bytes())
        except (OSError, ValueError) as error:
            faults.append(Fault(Place(file=file), str(error)))
            continue
        for kind, items in data.items():
            if kind not in forms:
                hint = did_you_mean(kind, forms)
                faults.append(Fault(Place(kind, file=file), f"there is no such kind of content.{hint}"))
                continue
            if not isinstance(items, dict):
                faults.append(Fault(Place(kind, file=file), "should be a table"))
                continue
            counts[kind] = counts.get(kind, 0) + len(items)
            for key, item in items.items():
                forms[kind].check(item, Place(kind, key, file=file), faults)
    if faults:
        raise ContentProblem(faults, "Fix these and check again.")
    shown = ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "no content in them"
    return Result("content check", {"counts": counts}, [(f"Sound: {shown}.", "good")])
