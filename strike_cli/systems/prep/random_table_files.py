"""Random tables from files: CSV, or Markdown with tables or lists.

A CSV file is one table, named after the file. The first line names the columns. There is one column, `text`,
or there are two, as in `weight,text` or `d20,text`. The columns are separated by commas, semicolons or tabs.

In Markdown, each heading with a table or a list below it is a random table. The first column of a table may
be called `weight`, or have dice as its name. The items of a list are equally likely.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from strike_cli.file_faults import Place
from strike_cli.tabletop.characters_and_names import sentence_case_from_stem, slug
from strike_cli.untrusted_input import FileFormat
from strike_cli.validation import can_be_id

from .random_tables import are_table_dice, parse_number_range

Items = dict[str, dict[str, object]]
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*\S)")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*$")
_RULE = re.compile(r"\s*\|?[\s:|-]+\|?\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")


class Row(NamedTuple):
    """A row of a table in a file: its line, counted from 1, and its cells."""

    line: int
    cells: Sequence[str]


class TextTable(NamedTuple):
    """A table in a file: its name, the headings of its columns, and its rows."""

    name: str
    head: list[str]
    rows: list[Row]


def _table_item(table: TextTable) -> dict[str, object]:
    """Return a random table from a text file, converted to a table for campaign.toml.

    Raises ValueError, with the number of the line, if the table isn't a valid random table.
    """
    first = table.head[0].strip().lower()
    item: dict[str, object] = {"name": table.name}
    if len(table.head) == 1:
        return {**item, "entries": [row.cells[0] for row in table.rows]}
    if are_table_dice(first):
        item["dice"] = first
    elif first not in ("weight", "weights"):
        line = table.rows[0].line - 1 if table.rows else 1
        raise ValueError(
            f"line {line}: the first column of {table.name!r} is called {first!r}, and should be weight, or "
            "dice such as d20; or there is one column only"
        )
    return {**item, "entries": [_entry_item(row, "on" if "dice" in item else "weight") for row in table.rows]}


def _entry_item(row: Row, key: str) -> dict[str, object]:
    value = row.cells[0].strip()
    if key == "on":
        if parse_number_range(value) is None:
            raise ValueError(f"line {row.line}: {value!r} are not numbers of the dice, like 3 or 2-4")
        return {"on": value, "text": row.cells[1]}
    if not (value.isascii() and value.isdigit()):
        raise ValueError(f"line {row.line}: {value!r} is not a weight: use a whole number")
    return {"weight": int(value[:6]), "text": row.cells[1]}


def _csv_table(text: str, stem: str) -> TextTable:
    lines = text.splitlines()
    if lines and re.fullmatch(r"sep=.", lines[0]):  # Excel's own first line
        lines[0] = ""
    head_line = next((line for line in lines if line.strip()), "")
    sign = next((sign for sign in ";\t," if sign in head_line), ",")
    rows: list[Row] = []
    reader = csv.reader(lines, delimiter=sign)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append(Row(reader.line_num, cells))
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from None
    head = [cell.strip().lower() for cell in rows[0].cells] if rows else []
    if not head or head[-1] != "text" or len(head) > 2:
        raise ValueError("line 1: should name the columns: `text`, `weight,text` or `d20,text`")
    return TextTable(
        sentence_case_from_stem(stem), head, [_row_joined_to_width(row, len(head), sign) for row in rows[1:]]
    )


def _row_joined_to_width(row: Row, width: int, separator: str) -> Row:
    """Return a row with exactly `width` cells.

    Further cells are joined to the last one, by the separator `separator`.

    Raises ValueError, with the line, if the row has too few cells.
    """
    if len(row.cells) < width:
        raise ValueError(f"line {row.line}: has {len(row.cells)} of {width} columns")
    return Row(row.line, [*row.cells[: width - 1], separator.join(row.cells[width - 1 :]).strip()])


def _tables_and_lists_in_markdown(text: str, stem: str) -> Iterator[TextTable]:
    """Yield a table for each heading with a table or a list below it.

    Rows before the first heading belong to a table named after the file. Raises ValueError, with the line,
    for a row with more than two cells, or with another number of cells than the heading row.
    """
    found = TextTable(sentence_case_from_stem(stem), [], [])
    for number, line in _lines_outside_code(text):
        if heading := _HEADING.match(line):
            if found.rows:
                yield found
            found = TextTable(heading[1], [], [])
        elif line.lstrip().startswith("|"):
            cells = [
                cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))
            ]
            if not found.head and not found.rows:
                found.head[:] = cells
            elif not _RULE.match(line):
                if len(cells) != len(found.head) or len(cells) > 2:
                    columns = f"has {len(cells)} columns; a random table has one or two"
                    raise ValueError(f"line {number}: {columns}")
                found.rows.append(Row(number, cells))
        elif (listed := _ITEM.match(line)) and len(found.head) < 2:
            found.head[:] = found.head or ["text"]
            found.rows.append(Row(number, [listed[1]]))
    if found.rows:
        yield found


def _lines_outside_code(text: str) -> Iterator[tuple[int, str]]:
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def _items_of_tables(tables: Iterator[TextTable]) -> Items:
    items: Items = {}
    for found in tables:
        id = slug(found.name)
        if not can_be_id(id):
            raise ValueError(f"{found.name!r} is not a name for a table")
        if id in items:
            raise ValueError(f"{found.name!r} is there twice")
        items[id] = _table_item(found)
    if not items:
        raise ValueError("it has no table and no list")
    return items


def _line_of_entry(tables: Iterator[TextTable], place: Place) -> int | None:
    """Return the line of a place such as `tables.ID.entries[3]`; None if the line isn't known."""
    match place.keys:
        case ("tables", str(id), "entries", int(number), *_):
            rows = next((each.rows for each in tables if slug(each.name) == id), ())
            return rows[number - 1].line if number <= len(rows) else None
    return None


CSV = FileFormat(
    read=lambda text, stem: {"tables": _items_of_tables(iter([_csv_table(text, stem)]))},
    line_of=lambda text, stem, place: _line_of_entry(iter([_csv_table(text, stem)]), place),
)
MARKDOWN = FileFormat(
    read=lambda text, stem: {"tables": _items_of_tables(_tables_and_lists_in_markdown(text, stem))},
    line_of=lambda text, stem, place: _line_of_entry(_tables_and_lists_in_markdown(text, stem), place),
)
