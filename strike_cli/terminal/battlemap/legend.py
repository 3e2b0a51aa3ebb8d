"""The legend of the map: label, name, HP, square, initiative, and ailments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...tabletop.scene import Person, Scene, wounds_of
from ...tabletop.squares import format_square, parse_square
from .labels import ACTIVE, active_in, is_down, is_in_fog, is_on_map, people_in_order, side_of
from .text_columns import Line, Piece, clip, line_columns, make_one_line, pad, width_of, wrap_items

BAR = 10
"""Columns of an HP bar: a fresh character has one for each HP."""


def legend_lines(scene: Scene, tokens: Mapping[str, str], width: int) -> list[Line]:
    """Return the legend: a line for everybody, in turn order.

    A line has label, name, first meter, square, initiative, and ailments.
    """
    return [line for _, line in legend_entries(scene, tokens, width)]


def legend_entries(scene: Scene, tokens: Mapping[str, str], width: int) -> list[tuple[str, Line]]:
    """Return the lines of the legend, each with the id of its person, or "" for the heading."""
    everybody = [scene.people[person] for person in people_in_order(scene)]
    if not everybody:
        return []
    by_number = scene.order is None or scene.order.kind == "list"
    columns = _Columns(everybody, tokens, width, by_number)
    found: list[tuple[str, Line]] = [("", [(columns.heading(), "quiet")])]
    for one in everybody:
        active = one is active_in(scene)
        found += [(one.id, line) for line in _entry(one, active, tokens[one.id], columns)]
    return found


class _Columns:
    """The widths of the legend's columns. Narrow terminals get no bars, then shorter names."""

    __slots__ = ("at", "bar", "indent", "initiative", "label", "meter", "name", "rest", "value", "width")

    def __init__(
        self, people: Sequence[Person], tokens: Mapping[str, str], width: int, by_number: bool
    ) -> None:
        self.width = width
        self.label = max(map(width_of, tokens.values()))
        self.meter = next((one.meters[0].name for one in people if one.meters), "")
        self.value = max(2, width_of(self.meter), *(len(_value(one)) for one in people))
        self.at = max(2, *(len(_place(one)) for one in people))
        self.initiative = max(4, *(len(_initiative(one)) for one in people)) if by_number else 0
        self.indent = 2 + self.label + 1
        longest = max(4, *(width_of(name_of(one)) for one in people))
        fixed = self.indent + 1 + self.value + 2 + self.at + (1 + self.initiative if by_number else 0)
        self.bar = BAR + 1 if width - fixed - BAR - 1 >= min(longest, 10) else 0
        self.name = min(longest, max(4, width - fixed - self.bar))
        self.rest = width - fixed - self.bar - self.name - 2

    def heading(self) -> str:
        name = pad("Name", self.name)
        value = f"{self.meter:>{self.value}}"
        at = pad("At", self.at) + (f" {'Init':>{self.initiative}}" if self.initiative else "")
        return f"{' ' * self.indent}{name} {' ' * self.bar}{value}  {at}"


def _entry(person: Person, active: bool, label: str, columns: _Columns) -> list[Line]:
    side, down = side_of(person), is_down(person)
    style = "down" if down else side
    line: Line = [
        (f"{ACTIVE if active else ' '} ", "title"),
        (pad(label, columns.label), f"token.active/active.{side}" if active else style),
        (" ", ""),
        (pad(clip(name_of(person), columns.name), columns.name), style),
        (" ", ""),
    ]
    if columns.bar:
        line += [*_bar(person), (" ", "")]
    line += [
        (f"{_value(person):>{columns.value}}", "down" if down else ""),
        (f"  {pad(_place(person), columns.at)}", "down" if down else ""),
    ]
    if columns.initiative:
        line.append((f" {_initiative(person):>{columns.initiative}}", "quiet"))
    remarks = _remarks(person)
    if not remarks:
        return [line]
    if sum(map(line_columns, remarks)) + 2 * (len(remarks) - 1) <= columns.rest:
        return [[*line, ("  ", ""), *wrap_items(remarks, columns.rest, ", ")[0]]]
    indent: Piece = (" " * columns.indent, "")
    return [line, *([indent, *rest] for rest in wrap_items(remarks, columns.width - columns.indent, ", "))]


def _bar(person: Person) -> Line:
    """Return the first meter as a bar of ten columns, of which anybody still up has at least one."""
    meter = person.meters[0] if person.meters else None
    if meter is None or not meter.most:
        return [(" " * BAR, "")]
    filled = min(BAR, max(0, -(-meter.value * BAR // meter.most)))
    share = 4 * meter.value / meter.most
    state = "bar.low" if share <= 1 else "bar.hurt" if share <= 2 else "bar.good"
    return [("━" * filled, state), ("·" * (BAR - filled), "bar.empty")]


def _remarks(person: Person) -> list[Line]:
    """Return the remarks about a person that a player should know, the gravest first."""
    statuses = [_title(status.id) for status in person.statuses]
    remarks: list[Piece] = []
    if person.out:
        remarks.append((_title(person.out), "down"))
    elif is_down(person):
        down = _title(person.down or "incapacitated")
        remarks += [(down, "grave")] if down not in statuses else []
    elif "Bloodied" in statuses or (person.meters and wounds_of(person.meters[0]) == "bloodied"):
        remarks.append(("Bloodied", "grave"))
    remarks += [(name, "status") for name in dict.fromkeys(statuses) if name != "Bloodied"]
    if person.hidden and "Hidden" not in statuses:
        remarks.append(("Hidden", "status"))
    elif is_in_fog(person):
        remarks.append(("Not seen yet", "status"))
    remarks += [
        (
            f"{meter.name} {meter}"
            if meter.most is not None or not meter.one
            else f"{meter.value} {meter.one if meter.value == 1 else meter.name}",
            "meter",
        )
        for meter in person.meters[1:]
        if meter.value or meter.most
    ]
    return [[remark] for remark in remarks]


def _title(identifier: str) -> str:
    """Return an id as a title: `core:knocked-down` -> `Knocked Down`."""
    words = make_one_line(identifier.rpartition(":")[2].replace("-", " ").replace("_", " "))
    return " ".join(word[:1].upper() + word[1:] for word in words.split())


def name_of(person: Person) -> str:
    """Return a person's name, on one line."""
    return make_one_line(person.name) or person.id


def _value(person: Person) -> str:
    if not person.meters:
        return "—"
    meter = person.meters[0]
    return str(meter) if meter.most else str(meter.value)


def _place(person: Person) -> str:
    if not (person.at and is_on_map(person)):
        return "—"
    try:
        return format_square(parse_square(person.at))
    except ValueError:  # a place by words
        return make_one_line(person.at)


def _initiative(person: Person) -> str:
    return "—" if person.initiative is None else str(person.initiative)
