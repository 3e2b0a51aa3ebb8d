"""A character's sheet as it is now: the written sheet, with the changes made in play marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from strike_cli.kernel.procedure import Rulebook, World
from strike_cli.tabletop.characters_and_names import (
    action_points,
    character_changes_of,
    fallback_of,
    written_sheet,
)
from strike_cli.terminal.command_output import Block, Columns, Frame, Line, NumberHeading, Section, Span
from strike_cli.terminal.sheet_and_party_views import (
    CHANGED,
    LOST,
    MARKS,
    NEW,
    PartyView,
    SheetItem,
    SheetView,
    is_listed_in_campaign_or_no_list,
    sheet_views,
)

from ..skills_tricks_and_complications import Complication, Trick, present_complications_of, present_tricks_of

if TYPE_CHECKING:
    from strike_cli.tabletop.data import BankedKept, CharacterKept, CharacterWritten, FavorKept, NamedTrick

    from ..data import ConditionShown, ConditionWritten, MergedSheet


def core_part_of_party_view(world: World, people: Sequence[str]) -> PartyView:
    """Return the core's part of the party's view: Action Points, Conditions, and unresolved matters.

    The unresolved matters are Flaws, Favors and banked bonuses.
    """
    held = [
        SheetItem(person, id_, str(world.book.conditions.get(id_, {}).get("name", id_)))
        for person in people
        for id_ in character_changes_of(world, person).get("conditions", ())
    ]
    points = {person: action_points(world, person) for person in people}
    ill = {person: [item.what for item in held if item.who == person] for person in people}
    is_shown = bool(held) or any(shows_action_points(world, person) for person in people)
    columns = {
        NumberHeading("AP"): {person: str(points[person]) for person in people},
        "Conditions": {person: ", ".join(ill[person]) or "-" for person in people},
    }
    return PartyView(
        data={
            person: {"ap": points[person] if is_shown else None, "conditions": ill[person]}
            for person in people
        },
        numbers={"AP": points} if is_shown else {},
        columns=columns if is_shown else {},
        held=held,
        unresolved=[item for person in people for item in _flaws_favors_and_banked_bonuses(world, person)],
    )


def shows_action_points(world: World, person: str) -> bool:
    """Return whether a character's Action Points are shown.

    It is True if the campaign plays Strike!, or if the character has gained or spent Action Points.
    """
    return is_listed_in_campaign_or_no_list(world, "core") or "ap" in character_changes_of(world, person)


def _flaws_favors_and_banked_bonuses(world: World, person: str) -> Iterator[SheetItem]:
    mine = character_changes_of(world, person)
    for flaw in mine.get("flaws", ()):
        yield SheetItem(person, flaw["id"], f"Flaw on {flaw['on']}{_after_colon(flaw.get('text'))}")
    for favor in mine.get("favors", ()):
        what = "Bad Reputation with" if favor.get("reputation") else "Favor owed to"
        yield SheetItem(person, favor["id"], f"{what} {favor['to']}{_after_colon(favor.get('text'))}")
    for bonus in mine.get("banked", ()):
        what = f"{bonus['gives'].capitalize()} kept for {bonus['for']}"
        yield SheetItem(person, bonus["id"], f"{what}{_after_colon(bonus.get('why'))}")


def _after_colon(text: str | None) -> str:
    return f": {text}" if text else ""


_SEVERITY_STYLES = {"minor": "warn", "major": "bad", "wealth": "warn"}


def merge_sheet(world: World, person: str, parts: Sequence[SheetView] = ()) -> MergedSheet:
    """Return a character's sheet with the changes made in play.

    `parts` are the parts that other systems add to the sheet. If there are none, they are made here.
    """
    written, changed = written_sheet(world, person), character_changes_of(world, person)
    merged: dict[str, object] = {
        **written,
        "ap": action_points(world, person),
        "skills": [*written["skills"], *_learned_skills_not_on_sheet(written, changed)],
        "tricks": [_nonempty_fields(trick) for trick in present_tricks_of(world, person)],
        "complications": [_nonempty_fields(item) for item in present_complications_of(world, person)],
        "fallback": fallback_of(world, person),
        "levels": changed.get("levels", 0),
        "conditions": _conditions_shown(world.book, changed),
    }
    for key in ("doubts", "flaws", "favors", "banked"):
        merged[key] = changed.get(key, [])
    for part in parts or sheet_views(world, person):
        merged |= part.data
    found: MergedSheet = merged  # type: ignore[assignment]  # with what systems show of it
    return found


def _learned_skills_not_on_sheet(written: CharacterWritten, changed: CharacterKept) -> list[str]:
    had = {skill.lower() for skill in written["skills"]}
    return [skill for skill in changed.get("skills_learned", []) if skill.lower() not in had]


def _nonempty_fields(item: Trick | Complication) -> dict[str, str]:
    return {key: value for key, value in item._asdict().items() if value}


def skills_affected_by_condition(book: Rulebook, condition: str, doubts: Sequence[str]) -> Sequence[str]:
    """Return the doubted Skills if a Condition is of the kind that brings doubts, otherwise none."""
    return doubts if book.conditions.get(condition, {}).get("doubts") else ()


def _conditions_shown(book: Rulebook, changed: CharacterKept) -> list[ConditionShown]:
    found: list[ConditionShown] = []
    for key, count in Counter(changed.get("conditions", [])).items():
        unknown: ConditionWritten = {"name": key, "severity": "minor", "summary": ""}
        definition: ConditionWritten = book.conditions.get(key, unknown)
        found.append(
            {
                "id": key,
                "name": definition["name"],
                "count": count,
                "severity": definition["severity"],
                "summary": definition["summary"],
                "recovery": definition.get("recovery"),
            }
        )
    return found


def sheet_block(world: World, person: str, *, notes: bool = True) -> Frame:
    """Return a character's sheet as a framed block.

    `notes` is whether the sheet's notes are included.
    """
    return _SheetLayout(world, person).block(notes)


class _SheetLayout:
    def __init__(self, world: World, who: str) -> None:
        self.book = world.book
        self.who = who
        self.written = written_sheet(world, who)
        self.changed = character_changes_of(world, who)
        self.parts = sheet_views(world, who)
        self.shows_points = shows_action_points(world, who)
        self.now = merge_sheet(world, who, self.parts)
        self.marks: dict[str, None] = {}

    def block(self, notes: bool) -> Frame:
        """Return the sheet as one frame, with or without the notes."""
        vitals = self._vitals_line()
        inside: list[Block] = [*self._head_lines(), *(["", vitals] if vitals else [])]
        sections = [
            Section("Conditions", self._condition_items()),
            Section(
                "Flaws",
                [(_id_span(item), _titled_line(item["on"], item.get("text"))) for item in self.now["flaws"]],
            ),
            Section("Favors owed", [(_id_span(item), _favor_line(item)) for item in self.now["favors"]]),
            Section("Banked", [(_id_span(item), _banked_line(item)) for item in self.now["banked"]]),
        ]
        for section in sections:
            inside += ["", section] if section.items else []
        left, right = (
            _separated_by_blanks(self._skill_connection_and_tool_sections()),
            _separated_by_blanks(self._trick_to_relationship_sections()),
        )
        if left or right:
            inside += ["", Columns(left, right)]
        for part in self.parts:
            if part.blocks:
                inside += ["", *part.blocks]
        if notes and self.now["notes"]:
            inside += ["", Section("Notes", [("", self.now["notes"])])]
        foot = "   ".join(f"{mark} {MARKS[mark]}" for mark in MARKS if mark in self.marks)
        return Frame(self.now["name"], inside, foot)

    # The head

    def _head_lines(self) -> list[Line]:
        more: Mapping[str, object] = self.now
        about = [str(more[key] or "") for key in ("role", "class")]
        player = f"played by {self.now['player']}" if self.now["player"] else ""
        small = " · ".join(word for word in (self.who, *about, player) if word)
        concept: list[Line] = [self.now["concept"]] if self.now["concept"] else []
        return [*concept, (small, "dim")]

    def _vitals_line(self) -> Line:
        points = self.now["ap"]
        stars = "●" * min(points, 9) or "○"
        line: list[Span] = []
        if self.shows_points:
            line += [("Action Points ", "dim"), (f"{stars} {points}", "good" if points else "warn")]
            if points != self.written["ap"]:
                line += [" ", self._explain_mark_in_foot(CHANGED), (f" was {self.written['ap']}", "dim")]
        for part in self.parts:
            if part.vitals:
                line += ["    " if line else "", *part.vitals]
            if part.changed:
                self._explain_mark_in_foot(CHANGED)
        if self.now["levels"]:
            line += [("    Level-ups ", "dim"), (str(self.now["levels"]), "strong")]
        return line

    def _explain_mark_in_foot(self, mark: Span) -> Span:
        self.marks[mark[0]] = None
        return mark

    # Changes from play

    def _condition_items(self) -> Iterable[tuple[Span, Line]]:
        for item in self.now["conditions"]:
            name = f"{item['name']} ×{item['count']}" if item["count"] > 1 else item["name"]
            parts: list[Span] = [(name, _SEVERITY_STYLES.get(item["severity"], "warn"))]
            if item["summary"]:
                parts.append(f"  {item['summary']}")
            elif item["recovery"]:
                parts.append(f"  Ends with {item['recovery']['text']}.")
            if affected := skills_affected_by_condition(self.book, item["id"], self.now["doubts"]):
                parts.append((f"  Affects {', '.join(affected)}.", "strong"))
            yield "", parts

    # The sheet

    def _skill_connection_and_tool_sections(self) -> list[Section]:
        doubted = {name.lower() for name in self.now["doubts"]}
        learned = _learned_skills_not_on_sheet(self.written, self.changed)
        skills: list[tuple[Span, Line]] = []
        for skill in self.now["skills"]:
            style = "warn" if skill.lower() in doubted else "good" if skill in learned else ""
            mark = self._explain_mark_in_foot(NEW) if skill in learned else ""
            skills.append((mark, (skill, style) if style else skill))
        plain = [
            Section(title, [("", text) for text in texts], flow=True)
            for title, texts in (("Connections", self.now["connections"]), ("Tools", self.now["tools"]))
        ]
        return [section for section in (Section("Skills", skills, flow=True), *plain) if section.items]

    def _trick_to_relationship_sections(self) -> list[Section]:
        changed = self.changed
        gained = {item["name"] for item in changed.get("tricks_gained", [])}
        troubles = set(changed.get("complications_gained", []))
        lost, over = changed.get("tricks_lost", []), changed.get("complications_lost", [])
        sections = [
            Section("Tricks", self._items_with_gain_and_loss_marks(self.now["tricks"], gained, lost)),
            Section(
                "Complications",
                self._items_with_gain_and_loss_marks(self.now["complications"], troubles, over),
            ),
        ]
        if self.now["fallback"]:
            is_new = self.now["fallback"] != self.written.get("fallback")
            mark = self._explain_mark_in_foot(NEW) if is_new else ""
            sections.append(Section("Fallback", [(mark, self.now["fallback"])]))
        sections.append(Section("Relationships", [("", text) for text in self.now["relationships"]]))
        return [section for section in sections if section.items]

    def _items_with_gain_and_loss_marks(
        self, held: Iterable[NamedTrick], gained: set[str], lost_names: Sequence[str]
    ) -> list[tuple[Span, Line]]:
        items: list[tuple[Span, Line]] = []
        for item in held:
            mark = self._explain_mark_in_foot(NEW) if item["name"] in gained else ""
            items.append((mark, _titled_line(item["name"], item.get("text"), item.get("skill"))))
        items += [(self._explain_mark_in_foot(LOST), (name, "dim")) for name in lost_names]
        return items


def _separated_by_blanks(sections: Sequence[Section]) -> list[Block]:
    blocks: list[Block] = []
    for section in sections:
        blocks += [section, ""]
    return blocks[:-1]


def _id_span(item: Mapping[str, object]) -> Span:
    return (str(item["id"]), "command")


def _titled_line(name: str, text: str | None, skill: str | None = None) -> Line:
    parts: list[Span] = [(name, "strong")]
    if skill:
        parts.append((f" ({skill})", "dim"))
    if text:
        parts.append(f"  {text}")
    return parts


def _favor_line(item: FavorKept) -> Line:
    parts: list[Span] = [(item["to"], "strong")]
    if item.get("text"):
        parts.append(f"  {item['text']}")
    if item.get("reputation"):
        parts.append(("  now a Bad Reputation", "bad"))
    return parts


def _banked_line(item: BankedKept) -> Line:
    style = "good" if item["gives"] == "advantage" else "warn"
    parts: list[Span] = [(item["gives"].capitalize(), style), f" on {item['for']}"]
    if item.get("why"):
        parts.append((f"  {item['why']}", "dim"))
    return parts
