"""Who is who beside the map: label, name, HP, square, initiative, and what ails them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from strike_cli.rules.grid import format_square, parse_square

from .text import Line, Piece, clipped, line_columns, padded, said, width_of, wrapped
from .who import ACTIVE, Combatant, Fight, in_order, is_down, on_map, side_of

BAR = 10
"""Columns of an HP bar: one for each HP of a fresh character."""


def legend(fight: Fight, tokens: Mapping[str, str], width: int) -> list[Line]:
    """Everybody in initiative order: label, name, HP, square, initiative, and what ails them."""
    combatants = fight.get("combatants", {})
    everybody = in_order(fight)
    if not everybody:
        return []
    columns = _Columns([combatants[who] for who in everybody], everybody, tokens, width)
    lines: list[Line] = [[(columns.heading(), "quiet")]]
    for who in everybody:
        lines += _entry(fight, who, tokens[who], columns)
    return lines


class _Columns:
    """How wide each column of the legend is. Narrow terminals go without bars, then cut names."""

    __slots__ = ("at", "bar", "hp", "indent", "initiative", "label", "name", "rest", "width")

    def __init__(
        self, combatants: Sequence[Combatant], ids: Sequence[str], tokens: Mapping[str, str], width: int
    ) -> None:
        self.width = width
        self.label = max(map(width_of, tokens.values()))
        self.hp = max(2, *(len(_hp(one)) for one in combatants))
        self.at = max(2, *(len(_place(one)) for one in combatants))
        self.initiative = max(4, *(len(_initiative(one)) for one in combatants))
        self.indent = 2 + self.label + 1
        longest = max(4, *(width_of(name_of(one, who)) for one, who in zip(combatants, ids, strict=True)))
        fixed = self.indent + 1 + self.hp + 2 + self.at + 1 + self.initiative
        self.bar = BAR + 1 if width - fixed - BAR - 1 >= min(longest, 10) else 0
        self.name = min(longest, max(4, width - fixed - self.bar))
        self.rest = width - fixed - self.bar - self.name - 2

    def heading(self) -> str:
        name = padded("Name", self.name)
        hp = f"{'HP':>{self.hp}}"
        at = f"{padded('At', self.at)} {'Init':>{self.initiative}}"
        return f"{' ' * self.indent}{name} {' ' * self.bar}{hp}  {at}"


def _entry(fight: Fight, who: str, label: str, columns: _Columns) -> list[Line]:
    combatant = fight["combatants"][who]
    side, down = side_of(combatant), is_down(combatant)
    style = "down" if down else side
    active = who == fight.get("active")
    line: Line = [
        (f"{ACTIVE if active else ' '} ", "title"),
        (padded(label, columns.label), f"token.active/active.{side}" if active else style),
        (" ", ""),
        (padded(clipped(name_of(combatant, who), columns.name), columns.name), style),
        (" ", ""),
    ]
    if columns.bar:
        line += [*_bar(combatant), (" ", "")]
    line += [
        (f"{_hp(combatant):>{columns.hp}}", "down" if down else ""),
        (f"  {padded(_place(combatant), columns.at)}", "down" if down else ""),
        (f" {_initiative(combatant):>{columns.initiative}}", "quiet"),
    ]
    remarks = _remarks(combatant)
    if not remarks:
        return [line]
    if sum(map(line_columns, remarks)) + 2 * (len(remarks) - 1) <= columns.rest:
        return [[*line, ("  ", ""), *wrapped(remarks, columns.rest, ", ")[0]]]
    indent: Piece = (" " * columns.indent, "")
    return [line, *([indent, *rest] for rest in wrapped(remarks, columns.width - columns.indent, ", "))]


def _bar(combatant: Combatant) -> Line:
    """HP as a bar of ten columns; anybody still up shows at least one."""
    hp, full = combatant.get("hp"), combatant.get("max_hp")
    if hp is None or not full:
        return [(" " * BAR, "")]
    filled = min(BAR, max(0, -(-hp * BAR // full)))
    state = "bar.low" if hp * 4 <= full else "bar.hurt" if hp * 2 <= full else "bar.good"
    return [("━" * filled, state), ("·" * (BAR - filled), "bar.empty")]


def _remarks(combatant: Combatant) -> list[Line]:
    """What a player should know about somebody, the gravest first."""
    hp, full, out = combatant.get("hp"), combatant.get("max_hp") or 0, combatant.get("out")
    statuses = [_status_name(status.get("id", "")) for status in combatant.get("statuses", ())]
    remarks: list[Piece] = []
    if out:
        remarks.append((_status_name(out), "down"))
    elif is_down(combatant):
        remarks += [("Incapacitated", "grave")] if "Incapacitated" not in statuses else []
    elif "Bloodied" in statuses or (hp is not None and hp * 2 <= full):
        remarks.append(("Bloodied", "grave"))
    remarks += [(name, "status") for name in dict.fromkeys(statuses) if name != "Bloodied"]
    if combatant.get("hidden") and "Hidden" not in statuses:
        remarks.append(("Hidden", "status"))
    for key, one, many, style in (
        ("strikes", "Strike", "Strikes", "strikes"),
        ("miss_tokens", "Miss Token", "Miss Tokens", "tokens"),
    ):
        number = combatant.get(key, 0)
        if number:
            remarks.append((f"{number} {one if number == 1 else many}", style))
    return [[remark] for remark in remarks]


def _status_name(identifier: str) -> str:
    """`core:knocked-down` -> `Knocked Down`."""
    words = said(identifier.rpartition(":")[2].replace("-", " ").replace("_", " "))
    return " ".join(word[:1].upper() + word[1:] for word in words.split())


def name_of(combatant: Combatant, who: str) -> str:
    return said(combatant.get("name", "")) or who


def _hp(combatant: Combatant) -> str:
    hp, full = combatant.get("hp"), combatant.get("max_hp")
    if hp is None:
        return "—"
    return f"{hp}/{full}" if full else str(hp)


def _place(combatant: Combatant) -> str:
    return format_square(parse_square(combatant["at"])) if on_map(combatant) else "—"


def _initiative(combatant: Combatant) -> str:
    initiative = combatant.get("initiative")
    return "—" if initiative is None else str(initiative)
