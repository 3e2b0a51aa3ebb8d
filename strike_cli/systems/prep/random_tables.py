"""Random tables. Each entry has a weight, or the totals of the table's dice that select the entry.

An entry's text may contain dice, as in `{2d6}`. It may also draw from another table, as in `{weather}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Annotated, NamedTuple, NotRequired, TypedDict, cast

from strike_cli.file_faults import Fault, Faults, Place
from strike_cli.kernel.procedure import Args, Procedure, World
from strike_cli.problems import Refused, listed
from strike_cli.refusals import NoTable
from strike_cli.tabletop.dice import Handful, Rolled
from strike_cli.tabletop.dice_notation import (
    MOST_TOTALS,
    DiceFault,
    Expression,
    TooManyWays,
    Ways,
    begins_like_dice,
    count_ways_to_totals,
    dice_or_none,
    parse_dice,
    throw_expression,
)
from strike_cli.validation import ID, NAME, Either, ListOf, Names, Number, TableOf, Text, can_be_id
from strike_cli.validation_schemas_from_types import Default, form, form_of

from . import facts

if TYPE_CHECKING:
    from .data import DrawData, DrawnEntry, InventedData


DEEPEST, MANY = 8, 100
"""Limits on tables in a chain, and on tables in one drawing altogether: beyond them only entries that lead to
no table are drawn.
"""
TOO_DEEP, TOO_MANY, TOO_LONG = 50, 1000, 20_000
"""The limits of one drawing: tables in a chain, drawings from tables, and characters."""
LONGEST_ENTRY = 2000
_IN_BRACES = re.compile(r"\{([^{}]*)\}")


def are_table_dice(text: str) -> bool:
    """Return whether a text is dice that a random table can use.

    Dice with more than MOST_TOTALS different totals can't be used.
    """
    try:
        return len(_dice_distribution(text)) <= MOST_TOTALS
    except (DiceFault, TooManyWays):
        return False


def _dice_distribution(text: str) -> Ways:
    return count_ways_to_totals(parse_dice(text).tree)


def parse_number_range(text: str) -> range | None:
    """Return the range of numbers in a text like `3`, `2-4` or `96-00`, or None for any other text.

    `00` means 100.
    """
    low, _, high = text.replace("–", "-").replace(" ", "").partition("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 5 for part in (low, high or low)):
        return None
    first, last = (100 if part == "00" else int(part) for part in (low, high or low))
    return range(first, last + 1) if first <= last else None


class EntryText(Text):
    """The schema of an entry's text. Braces in the text contain dice, or the name of a table."""

    def __init__(self) -> None:
        super().__init__(most=LONGEST_ENTRY)

    def check(self, value: object, where: Place, faults: Faults) -> object:
        super().check(value, where, faults)
        if isinstance(value, str):
            faults += [
                Fault(where, f"{{{name}}} is not dice, like {{2d6}}, and not the name of a table")
                for name in _IN_BRACES.findall(value)
                if not dice_or_none(name) and not can_be_id(name)
            ]
        return value

    def resolve(self, value: object, where: Place, names: Names) -> object:
        def with_full_id(match: re.Match[str]) -> str:
            name = match[1]
            return match[0] if dice_or_none(name) else f"{{{names.full_id('tables', name, where)}}}"

        return _IN_BRACES.sub(with_full_id, str(value))


def _check_entries_cover_dice(table: TableWritten, where: Place, faults: Faults) -> None:
    """Add faults if a table's entries don't cover each total of its dice exactly once.

    It is also a fault if a table with dice has no `repeats`, or if a table without dice has numbered entries.
    """
    numbered = [entry for entry in table["entries"] if isinstance(entry, Mapping) and "on" in entry]
    if "dice" not in table:
        if numbered:
            faults.append(
                Fault(where / "dice", 'missing; entries have `on`, so name the dice, like dice = "d20"')
            )
        return
    if len(numbered) < len(table["entries"]):
        faults.append(Fault(where / "entries", 'with dice, each entry needs its numbers: on = "2-4"'))
        return
    if not table["repeats"]:
        faults.append(
            Fault(where / "repeats", "a table without repeats goes by weights; leave out `dice` and `on`")
        )
    left = dict.fromkeys(_dice_distribution(table["dice"]) if are_table_dice(table["dice"]) else (), 0)
    for number, entry in enumerate(numbered, 1):
        for face in parse_number_range(entry["on"]) or ():
            if face not in left:
                faults.append(Fault(where / "entries" / number / "on", f"{table['dice']} never shows {face}"))
                return
            left[face] += 1
    for wrong, found in (("no entry", 0), ("several entries", 2)):
        faces = [face for face, times in left.items() if min(times, 2) == found]
        if faces:
            faults.append(
                Fault(where / "entries", f"{wrong} for {', '.join(map(str, faces[:10]))} of {table['dice']}")
            )


class TableEntryWritten(TypedDict):
    """An entry of a random table.

    `on` has the totals of the table's dice that select the entry.
    """

    text: Annotated[str, EntryText()]
    weight: Annotated[int, Number(1, 1000), Default(1)]
    on: NotRequired[
        Annotated[
            str, Text(lambda text: parse_number_range(text) is not None, "numbers of the dice, like 3 or 2-4")
        ]
    ]


@form(_check_entries_cover_dice)
class TableWritten(TypedDict):
    """A random table."""

    name: Annotated[str, NAME]
    summary: Annotated[str, Default("")]
    dice: NotRequired[Annotated[str, Text(are_table_dice, "dice, like d20, 2d6+1 or 4d6kh3")]]
    repeats: Annotated[bool, Default(True)]  # false: an entry comes again only after all others were drawn
    secret: Annotated[bool, Default(True)]  # players aren't told what was drawn
    entries: Annotated[
        Sequence[str | TableEntryWritten], ListOf(Either(str, EntryText(), form_of(TableEntryWritten)), 1)
    ]
    override: Annotated[bool, Default(False)]


class TableEntry(NamedTuple):
    """An entry of a random table.

    `weight` is the entry's weight. In a table with dice, the weight is the number of outcomes that select the
    entry.
    """

    text: str
    weight: int
    numbers: range | None = None

    @property
    def draws_from_table(self) -> bool:
        """Whether drawing the entry also draws from a table that its text names."""
        return any(not dice_or_none(name) for name in _IN_BRACES.findall(self.text))


def entries_of(table: TableWritten) -> list[TableEntry]:
    """Return the entries of a table of the book."""
    ways = _dice_distribution(table["dice"]) if "dice" in table else {}
    found = []
    for item in table["entries"]:
        if isinstance(item, str):
            found.append(TableEntry(item, 1))
            continue
        numbers = parse_number_range(item["on"]) if "on" in item else None
        weight = sum(ways.get(face, 0) for face in numbers) if numbers else item["weight"]
        found.append(TableEntry(item["text"], weight, numbers))
    return found


def tables_drawn_from(table: TableWritten) -> list[str]:
    """Return the full ids of the tables from which a table's entries draw."""
    texts = [item if isinstance(item, str) else item["text"] for item in table["entries"]]
    names = [name for text in texts for name in _IN_BRACES.findall(text) if not dice_or_none(name)]
    return list(dict.fromkeys(names))


def endless_drawing_faults(kind: str, id: str, tables: Mapping[str, Mapping[str, object]]) -> Faults:
    """Return a fault if a random table draws from itself without end.

    There is a fault in two cases:

    - Every entry of the table draws from this same table again. It isn't a fault if only some entries do, as
      with "roll twice".
    - The table leads back to itself through other tables.

    `id` is the table's id. If `kind` isn't "tables", there are no faults.
    """
    if kind != "tables":
        return []
    known = cast("Mapping[str, TableWritten]", tables["tables"])
    if all(entry.draws_from_table and f"{{{id}}}" in entry.text for entry in entries_of(known[id])):
        return [Fault(Place("entries"), "each entry draws from this table again, without end")]
    way = _find_circle(id, known)
    if not way:
        return []
    return [Fault(Place("entries"), f"the tables draw from each other in a circle: {' > '.join(way)}")]


_LOOKED_AT = 50
"""The most tables that are searched for a circle. A longer chain is refused when it is drawn from."""


def _find_circle(id: str, tables: Mapping[str, TableWritten]) -> list[str]:
    """Return the ids of tables that draw from each other in a circle, or [].

    The circle begins and ends with the table `id`: this table draws from another table, and so on, until a
    table draws from `id` again. The table's direct draws from itself don't count.
    """
    came_from, waiting = {id: ""}, [id]
    for _ in range(_LOOKED_AT):
        if not waiting:
            break
        at = waiting.pop()
        for name in tables_drawn_from(tables[at]) if at in tables else ():
            if name == id and at != id:
                way = [id]
                while at:
                    way.append(at)
                    at = came_from[at]
                return way[::-1]
            if name not in came_from:
                came_from[name] = at
                waiting.append(name)
    return []


# Drawing


class DrawFromTable(Args):
    """The arguments of `draw`: a table's full id, and how often to draw from it."""

    table: str
    count: int = 1


class TableDraw(NamedTuple):
    """The result of one drawing: its text, and the dice thrown for it.

    `used` has the indexes of the entries that are now used up, for each drawn table that doesn't repeat.
    """

    text: str
    rolls: list[Rolled]
    used: Mapping[str, Sequence[int]]


MOST_DRAWN = 100
"""The most drawings of one command."""


def play_draw(world: World, args: DrawFromTable) -> Procedure[DrawData]:
    """Play `draw`: draw entries from a table.

    Raises Refused if the table no longer exists, or if the number of draws isn't from 1 to MOST_DRAWN.
    """
    if args.table not in world.book.tables:
        raise NoTable(repr(args.table), f"Tables: {listed(world.book.tables)}.")
    if not 1 <= args.count <= MOST_DRAWN:
        raise Refused(f"{args.count} times is too many.", f"Draw 1 to {MOST_DRAWN} at once.")
    told: list[DrawnEntry] = []
    for _ in range(args.count):
        drawn = yield from _draw_and_record(world, args.table)
        told.append({"text": drawn.text, "rolls": [roll.as_json() for roll in drawn.rolls]})
    return {"table": args.table, "name": world.book.tables[args.table]["name"], "drawn": told}


def draw_and_record_text(world: World, id: str) -> Procedure[str]:
    """Draw once from a table, record the drawing, and return its text."""
    return (yield from _draw_and_record(world, id)).text


def _draw_and_record(world: World, id: str) -> Procedure[TableDraw]:
    drawn = yield from _draw_from_table(world, id, 0, {}, count(1))
    if len(drawn.text) > TOO_LONG:
        raise _draw_too_large_refusal(world, id, f"has more than {TOO_LONG:,} characters at once")
    sets = {f"tables_drawn.{table}": list(used) for table, used in drawn.used.items()}
    yield world.tell(facts.Drawn(id, drawn.text, drawn.rolls), sets)
    return drawn


def _draw_too_large_refusal(world: World, id: str, why: str) -> Refused:
    remedy = "Name fewer tables in its entries, or in the entries of those tables."
    return Refused(f"The table {world.book.tables[id]['name']} {why}.", remedy)


def _draw_from_table(
    world: World, id: str, depth: int, used_entries: Mapping[str, Sequence[int]], table_counter: Iterator[int]
) -> Procedure[TableDraw]:
    """Draw an entry, with the dice and the tables in its text.

    `depth` is the number of tables that led to this one. `table_counter` counts all tables of the drawing.
    `used_entries` has the used entries so far, for each table that doesn't repeat. Raises Refused if `depth`
    exceeds TOO_DEEP, or if the count exceeds TOO_MANY.
    """
    table: TableWritten = world.book.tables[id]
    entries, so_many = entries_of(table), next(table_counter)
    if depth > TOO_DEEP:
        raise _draw_too_large_refusal(world, id, f"is in a chain of more than {TOO_DEEP} tables")
    if so_many > TOO_MANY:
        raise _draw_too_large_refusal(
            world, id, f"is one of more than {TOO_MANY:,} that this would draw from"
        )
    ends = depth >= DEEPEST or so_many > MANY
    number, rolls = yield from _throw_among_entries_left(
        world, id, table, entries, used_entries, prefer_ending=ends
    )
    if not table["repeats"]:
        taken = [*_indexes_left_out_of_drawing(world, id, len(entries), used_entries), number]
        used_entries = {**used_entries, id: [] if len(taken) == len(entries) else taken}
    parts: list[str] = []
    end = 0
    for found in _IN_BRACES.finditer(entries[number].text):
        parts.append(entries[number].text[end : found.start()])
        end = found.end()
        dice = dice_or_none(found[1])
        if dice is not None:
            total, thrown = yield from _throw_dice(
                dice, f"{table['name']}, how many", f"table:{id}:{found[1]}"
            )
            said = str(total)
        else:
            inner = yield from _draw_from_table(world, found[1], depth + 1, used_entries, table_counter)
            said, thrown, used_entries = inner.text, inner.rolls, inner.used
        parts.append(said)
        rolls += thrown
    return TableDraw("".join([*parts, entries[number].text[end:]]), rolls, used_entries)


def _throw_among_entries_left(
    world: World,
    id: str,
    table: TableWritten,
    entries: Sequence[TableEntry],
    used_entries: Mapping[str, Sequence[int]],
    *,
    prefer_ending: bool,
) -> Procedure[tuple[int, list[Rolled]]]:
    """Draw an entry of a random table; return its index, and the dice that were thrown.

    If the table has dice of its own, these are thrown. Otherwise, entries that can't be drawn again are left
    out. If only one entry remains, no dice are thrown. If several remain, one die is thrown, with as many
    sides as their weights add up to.

    With `prefer_ending`, the table's own dice are never thrown. Entries that draw from a further table are
    then left out, unless there are no others.
    """
    if "dice" in table and not prefer_ending:
        total, rolls = yield from _throw_dice(parse_dice(table["dice"]), table["name"], f"table:{id}")
        return next(at for at, one in enumerate(entries) if one.numbers and total in one.numbers), rolls
    taken = (
        _indexes_left_out_of_drawing(world, id, len(entries), used_entries) if not table["repeats"] else ()
    )
    left = [number for number in range(len(entries)) if number not in taken]
    if prefer_ending:
        left = [number for number in left if not entries[number].draws_from_table] or left
    ways = sum(entries[number].weight for number in left)
    if len(left) == 1:
        return left.pop(), []
    at, rolls = yield from _throw_dice(parse_dice(f"d{ways}"), table["name"], f"table:{id}")
    for number in left:
        at -= entries[number].weight
        if at <= 0:
            return number, rolls
    raise AssertionError("a die can't show more than its sides")


def throw_dice_in_braces(text: str, purpose: str, id: str) -> Procedure[tuple[str, list[Rolled]]]:
    """Throw the dice in the braces of a text, such as `{2d6}`.

    Returns the text with the totals in place of the dice, and the rolls. Raises Usage for malformed dice.
    """
    parts: list[str] = []
    rolls: list[Rolled] = []
    end = 0
    for found in _IN_BRACES.finditer(text):
        if not begins_like_dice(found[1]):
            continue
        try:
            dice = parse_dice(found[1])
        except DiceFault as fault:
            raise fault.as_usage from None
        total, thrown = yield from _throw_dice(dice, purpose, f"{id}:{found[1]}")
        parts += [text[end : found.start()], str(total)]
        end, rolls = found.end(), [*rolls, *thrown]
    return "".join([*parts, text[end:]]), rolls


def _throw_dice(dice: Expression, purpose: str, id: str) -> Procedure[tuple[int, list[Rolled]]]:
    """Throw dice; return their total, and a roll for each term of the notation."""
    thrown = yield from throw_expression(dice, "", purpose, id)
    if dice.simple_dice_and_added_number:  # its one roll includes what is added
        terms = [(thrown.terms[0], thrown.total)]
    else:
        terms = [(term, term.total_or_successes) for term in thrown.terms]
    return thrown.total, [Handful("", purpose, term.faces, total, term.dice.sides) for term, total in terms]


def _indexes_left_out_of_drawing(
    world: World, id: str, size: int, used: Mapping[str, Sequence[int]]
) -> list[int]:
    """Return the indexes of entries that can't be drawn now, because they have been drawn already.

    This is for a table that doesn't repeat entries. `used` has the entries drawn so far, by table. If the
    table isn't in `used`, the state's record counts instead. Once all `size` entries have been drawn, the
    list is empty, and all can be drawn again.
    """
    taken = used[id] if id in used else world.get(f"tables_drawn.{id}", [])
    return [number for number in taken if number < size] if len(taken) < size else []


def table_words(book: object, table: TableWritten) -> str:
    """Return a description of a table: how an entry is drawn, then each entry with its chance."""
    entries = entries_of(table)
    whole = sum(entry.weight for entry in entries)
    how = f"{table['dice']} is rolled" if "dice" in table else f"one of {len(entries)} comes up"
    how += "" if table["repeats"] else ", each once until all were drawn"
    how += ", for you alone" if table["secret"] else ", open to all"
    return f"{how}: " + "; ".join(f"{entry.text} ({100 * entry.weight / whole:.0f} %)" for entry in entries)


DRAWN = TableOf(ListOf(Number(0)), ID)
"""The state's key for the entries drawn from tables that don't repeat."""


TRAIT_TABLES = {
    "name": "npc-name",
    "concept": "trade",
    "want": "want",
    "trick": "npc-trick",
    "complication": "npc-complication",
}
"""The traits of a person, each with the default table that it is drawn from."""


class InventPerson(Args):
    """The arguments of `creature invent`: the full id of a table for each trait.

    The id is "" for a trait that isn't drawn.
    """

    name: str = ""
    concept: str = ""
    want: str = ""
    trick: str = ""
    complication: str = ""


def play_invent(world: World, args: InventPerson) -> Procedure[InventedData]:
    """Play `creature invent`: draw once from the table of each trait.

    Raises Refused for a table that no longer exists.
    """
    drawn: dict[str, str] = {}
    for key in TRAIT_TABLES:
        table = getattr(args, key)
        if not table:
            continue
        if table not in world.book.tables:
            raise NoTable(
                repr(table),
                'include = ["strike:tables.toml"] in campaign.toml has those that people are drawn from.',
            )
        drawn[key] = yield from draw_and_record_text(world, table)
    return cast("InventedData", drawn)
