"""The legend of the map: each person's label, name, HP, square, initiative and statuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...tabletop.scene import Person, Scene, word_for_visible_state
from ...tabletop.squares_and_lines import format_square, parse_square
from .labels_and_marks import (
    ACTIVE,
    active_person,
    all_ids_by_turn_order_down_last,
    has_place_and_not_left,
    is_down_or_out,
    is_hidden_by_fog_and_not_party,
    side_style_name,
)
from .text_width import Line, Piece, clip, make_printable_line, pad, width_of, width_of_line, wrap_items

BAR_WIDTH = 10
"""Columns of an HP bar: a fresh character has one for each HP."""


def legend_lines(scene: Scene, labels: Mapping[str, str], width: int) -> list[Line]:
    """Return the lines of the legend, with everybody in turn order."""
    return [line for _, line in legend_entries(scene, labels, width)]


def legend_entries(scene: Scene, labels: Mapping[str, str], width: int) -> list[tuple[str, Line]]:
    """Return the lines of the legend, each with the id of its person; "" for the heading."""
    everybody = [scene.people[person] for person in all_ids_by_turn_order_down_last(scene)]
    if not everybody:
        return []
    by_number = scene.order is None or scene.order.kind == "list"
    columns = _ColumnWidths(everybody, labels, width, by_number)
    found: list[tuple[str, Line]] = [("", [(columns.heading(), "quiet")])]
    for one in everybody:
        active = one is active_person(scene)
        found += [(one.id, line) for line in _lines_of_person(one, active, labels[one.id], columns)]
    return found


class _ColumnWidths:
    """The widths of the legend's columns.

    In a narrow terminal bars are left out first, then names are shortened.
    """

    __slots__ = (
        "bar",
        "indent",
        "initiative",
        "label",
        "meter",
        "name",
        "remarks_width",
        "square_width",
        "value",
        "width",
    )

    def __init__(
        self, people: Sequence[Person], labels: Mapping[str, str], width: int, with_initiative: bool
    ) -> None:
        self.width = width
        self.label = max(map(width_of, labels.values()))
        self.meter = next((one.meters[0].name for one in people if one.meters), "")
        self.value = max(2, width_of(self.meter), *(len(_first_meter_text(one)) for one in people))
        self.square_width = max(2, *(len(_place_text(one)) for one in people))
        self.initiative = max(4, *(len(_initiative_text(one)) for one in people)) if with_initiative else 0
        self.indent = 2 + self.label + 1
        longest = max(4, *(width_of(name_or_id_on_one_line(one)) for one in people))
        fixed = (
            self.indent
            + 1
            + self.value
            + 2
            + self.square_width
            + (1 + self.initiative if with_initiative else 0)
        )
        self.bar = BAR_WIDTH + 1 if width - fixed - BAR_WIDTH - 1 >= min(longest, 10) else 0
        self.name = min(longest, max(4, width - fixed - self.bar))
        self.remarks_width = width - fixed - self.bar - self.name - 2

    def heading(self) -> str:
        name = pad("Name", self.name)
        value = f"{self.meter:>{self.value}}"
        at = pad("At", self.square_width) + (f" {'Init':>{self.initiative}}" if self.initiative else "")
        return f"{' ' * self.indent}{name} {' ' * self.bar}{value}  {at}"


def _lines_of_person(person: Person, active: bool, label: str, columns: _ColumnWidths) -> list[Line]:
    side, down = side_style_name(person), is_down_or_out(person)
    style = "down" if down else side
    line: Line = [
        (f"{ACTIVE if active else ' '} ", "title"),
        (pad(label, columns.label), f"token.active/active.{side}" if active else style),
        (" ", ""),
        (pad(clip(name_or_id_on_one_line(person), columns.name), columns.name), style),
        (" ", ""),
    ]
    if columns.bar:
        line += [*_first_meter_bar(person), (" ", "")]
    line += [
        (f"{_first_meter_text(person):>{columns.value}}", "down" if down else ""),
        (f"  {pad(_place_text(person), columns.square_width)}", "down" if down else ""),
    ]
    if columns.initiative:
        line.append((f" {_initiative_text(person):>{columns.initiative}}", "quiet"))
    remarks = _state_status_and_meter_remarks(person)
    if not remarks:
        return [line]
    if sum(map(width_of_line, remarks)) + 2 * (len(remarks) - 1) <= columns.remarks_width:
        return [[*line, ("  ", ""), *wrap_items(remarks, columns.remarks_width, ", ")[0]]]
    indent: Piece = (" " * columns.indent, "")
    return [line, *([indent, *rest] for rest in wrap_items(remarks, columns.width - columns.indent, ", "))]


def _first_meter_bar(person: Person) -> Line:
    """Return a person's first meter as a bar of ten columns; blanks for a meter without a maximum.

    For any value above 0, at least one column is filled.
    """
    meter = person.meters[0] if person.meters else None
    if meter is None or not meter.most:
        return [(" " * BAR_WIDTH, "")]
    filled = min(BAR_WIDTH, max(0, -(-meter.value * BAR_WIDTH // meter.most)))
    share = 4 * meter.value / meter.most
    state = "bar.low" if share <= 1 else "bar.hurt" if share <= 2 else "bar.good"
    return [("━" * filled, state), ("·" * (BAR_WIDTH - filled), "bar.empty")]


def _state_status_and_meter_remarks(person: Person) -> list[Line]:
    """Return the states, statuses and further meters of a person, the gravest first."""
    statuses = [_title_of_id_without_prefix(status.id) for status in person.statuses]
    remarks: list[Piece] = []
    if person.out:
        remarks.append((_title_of_id_without_prefix(person.out), "down"))
    elif is_down_or_out(person):
        down = _title_of_id_without_prefix(person.down or "incapacitated")
        remarks += [(down, "grave")] if down not in statuses else []
    elif "Bloodied" in statuses or (person.meters and word_for_visible_state(person.meters[0]) == "bloodied"):
        remarks.append(("Bloodied", "grave"))
    remarks += [(name, "status") for name in dict.fromkeys(statuses) if name != "Bloodied"]
    if person.hidden and "Hidden" not in statuses:
        remarks.append(("Hidden", "status"))
    elif is_hidden_by_fog_and_not_party(person):
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


def _title_of_id_without_prefix(identifier: str) -> str:
    """Return the title for an id: `Knocked Down` for `core:knocked-down`."""
    words = make_printable_line(identifier.rpartition(":")[2].replace("-", " ").replace("_", " "))
    return " ".join(word[:1].upper() + word[1:] for word in words.split())


def name_or_id_on_one_line(person: Person) -> str:
    """Return a person's name on a single line, or their id if it is empty."""
    return make_printable_line(person.name) or person.id


def _first_meter_text(person: Person) -> str:
    if not person.meters:
        return "—"
    meter = person.meters[0]
    return str(meter) if meter.most else str(meter.value)


def _place_text(person: Person) -> str:
    if not (person.at and has_place_and_not_left(person)):
        return "—"
    try:
        return format_square(parse_square(person.at))
    except ValueError:  # a place by words
        return make_printable_line(person.at)


def _initiative_text(person: Person) -> str:
    return "—" if person.initiative is None else str(person.initiative)
