"""`strike card`: sheets and statblocks as cards, to read on the terminal or to print."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from strike_cli.content.merged_content import Book
from strike_cli.content.name_index import singular_of_kind
from strike_cli.content.schemas import added_fields
from strike_cli.kernel.procedure import World
from strike_cli.problems import Usage, as_sentence
from strike_cli.registry import contain_failures, load_usable_systems, plugin_index_of
from strike_cli.registry.installed_plugins import import_object
from strike_cli.tabletop.effects_in_plain_words import ExplainedLine, Explains
from strike_cli.terminal.argument_completions import FILE, WHO
from strike_cli.terminal.command_output import Block, Frame, Result, Section
from strike_cli.terminal.commands_and_options import ONLY_HERE, Options, command, new_app
from strike_cli.terminal.name_lookup import find_id_by_name
from strike_cli.terminal.sheet_and_party_views import KEYS_OF_ANY_GAME, is_listed_in_campaign_or_no_list
from strike_cli.terminal.system_views import views_of

if TYPE_CHECKING:
    from strike_cli.tabletop.data import CreatureWritten

app = new_app("Cards.")
KINDS = ("characters", "creatures")


class Paper(NamedTuple):
    """A paper size in CSS.

    `page` is the rule for the pages. `small` is a media query. If it applies to the paper, each page has one
    card.
    """

    page: str
    small: str


PAPERS: Mapping[str, Paper] = {
    "": Paper("", "print and (max-width:120mm)"),  # the printer's paper
    "a4": Paper("@page{size:A4}", "not all"),
    "a6": Paper("@page{size:105mm 148mm;margin:5mm}", "print"),  # browsers know no A6 by its name
}


@command(app, "card", kind="reads")
def card(
    options: Options,
    who: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=WHO.with_text("[WHO]..."), help="Characters and creatures. Default: the party."
        ),
    ] = None,
    out: Annotated[
        str, typer.Option("--out", metavar=FILE, help="Write a page to print: HTML."), ONLY_HERE
    ] = "",
    paper: Annotated[
        Literal["", "a4", "a6"], typer.Option("--paper", help="The paper. Default: the printer's own.")
    ] = "",
    player: Annotated[bool, typer.Option("--player", help="For the players: without notes.")] = False,
) -> Result:
    """Show sheets and statblocks as cards: on the terminal, or as a page to print.

    On A6 each card has its own page, on A4 they share one; the boxes are for ticking off.

    Example: `strike card goblin lamp-thief --out cards.html --paper a6`
    """
    with options.open_campaign() as campaign:
        world = World(campaign.book, campaign.state)
        names = who or campaign.book.characters
        cards = [
            SheetCard(world, *kind_and_id_by_name(campaign.book, name), notes=not player) for name in names
        ]
        data: dict[str, object] = {"cards": [one.as_json() for one in cards]}
        blocks: list[Block] = [part for one in cards for part in ("", one.terminal_block())]
        if out:
            from strike_cli.terminal.marked_output_files import write_already_marked_file

            write_already_marked_file(Path(out), cards_page(campaign.book.name, cards, paper))
            data["file"] = out
            count = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
            blocks = ["", (f"{out} has {count}.", "good")]
            blocks.append("Open it in a browser and print it.")
        return Result("card", data, blocks[1:], notices=campaign.notices)


def kind_and_id_by_name(book: Book, name: str) -> tuple[str, str]:
    """Return the kind and id of the character or creature that a typed name means.

    Raises Usage if there is no such character or creature.
    """
    table = {f"{kind} {key}": str(item["name"]) for kind in KINDS for key, item in book.table(kind).items()}
    for kind in KINDS:
        if name in book.table(kind):
            return kind, name
    by_id = {key.split(" ", 1)[1]: key for key in reversed(table)}
    names = {id: table[key] for id, key in by_id.items()}
    kind, _, id = by_id[find_id_by_name(name, names, "character or creature", "")].partition(" ")
    return kind, id


class SheetCard:
    """A character's sheet or a creature's statblock as a card, with boxes to tick on paper.

    `notes` is whether the card includes the sheet's notes.
    """

    def __init__(self, world: World, kind: str, id: str, *, notes: bool) -> None:
        self.world = world
        self.notes = notes
        self.book = world.book
        self.kind = kind
        self.id = id
        self.sheet: CreatureWritten = self.book.table(kind)[id]

    def as_json(self) -> dict[str, object]:
        return {
            "kind": singular_of_kind(self.kind),
            "id": self.id,
            "name": self.sheet["name"],
            "tracks": dict(self.boxes_to_tick()),
            "lines": [line._asdict() for line in self.statblock_in_words()]
            if self.kind == "creatures"
            else [],
        }

    def terminal_block(self) -> Block:
        """Return the card for a terminal."""
        frame = self.frame_without_boxes()
        tracks = "   ".join(f"{name} {'□' * count}" for name, count in self.boxes_to_tick())
        return Frame(frame.title, [*([tracks, ""] if tracks else []), *frame.blocks], frame.foot)

    def html(self) -> str:
        """Return the card for a web page."""
        from strike_cli.terminal.html_and_markdown import blocks_html

        boxes = "".join(
            f"<span><b>{escape(name)}</b>{'<i></i>' * count}</span>" for name, count in self.boxes_to_tick()
        )
        tracks = f'<div class="tracks">{boxes}</div>' if boxes else ""
        return blocks_html([self.frame_without_boxes()]).replace("</h1>", f"</h1>{tracks}", 1)

    def frame_without_boxes(self) -> Frame:
        """Return the card's content, without the boxes to tick."""
        if self.kind == "characters":
            from .current_sheets import sheet_block

            return sheet_block(self.world, self.id, notes=self.notes)
        head: list[Block] = [("Draft", "warn")] if self.sheet.get("draft") else []
        summary = self.sheet.get("summary")
        blocks: list[Block] = [*head, *([(summary, "dim")] if summary else [])]
        blocks.append(
            Section("", [((line.about, "dim"), as_sentence(line.text)) for line in self.statblock_in_words()])
        )
        return Frame(
            self.sheet["name"], [*blocks, *(self._trick_complication_and_note_blocks() if self.notes else ())]
        )

    def _trick_complication_and_note_blocks(self) -> Iterator[Block]:
        """Yield the parts of a creature's card that have no numbers: Tricks, Complications and notes."""
        named = {"Tricks": self.sheet.get("tricks"), "Complications": self.sheet.get("complications")}
        for title, own in named.items():
            if own:
                names = [each if isinstance(each, str) else each["name"] for each in own]
                yield from ("", Section(title, [("", name) for name in names]))
        if self.sheet.get("notes"):
            lines = self.sheet["notes"].strip().split("\n")
            yield from ("", Section("Notes", [("", line) for line in lines]))

    def current_sheet(self) -> Mapping[str, object]:
        """Return a creature's sheet as written, or a character's sheet with the changes made in play."""
        if self.kind == "creatures":
            return self.sheet
        from .current_sheets import merge_sheet

        return merge_sheet(self.world, self.id)

    def boxes_to_tick(self) -> list[tuple[str, int]]:
        """Return the tracks of boxes to tick: the name and the number of boxes of each."""
        found: list[tuple[str, int]] = []
        for system in load_usable_systems(plugin_index_of(self.world)):
            if is_listed_in_campaign_or_no_list(self.world, system.name):
                with contain_failures(system.name):
                    found += views_of(system).card_boxes(self.book, self.kind, self.sheet)
        return found

    def statblock_in_words(self) -> list[ExplainedLine]:
        """Return a creature's statblock in plain words, as the systems in play explain it.

        Keys that no system explains are shown as they are written.
        """
        found, told_already = list[ExplainedLine](), set[str]()
        for system in load_usable_systems(plugin_index_of(self.world)):
            played = is_listed_in_campaign_or_no_list(self.world, system.name)
            of = system.content.get("creatures")
            explains = of.explains if of else ""
            if played and explains:
                explain: Explains = import_object(system.absolute(explains))
                found += explain(self.book, self.sheet)
            if not played or explains:
                told_already |= added_fields(system, self.kind).keys()
        more = told_already if found else told_already - KEYS_OF_ANY_GAME
        return [*found, *_lines_of_keys(self.sheet, more, splits_mixed_tables=True)]


_KEYS_NOT_IN_LINES = ("name", "summary", "notes", "image", "override", "hidden", "draft")
"""The keys of a statblock that are shown at the head of the card, or not at all."""
_EMPTY_VALUES: tuple[object, ...] = ([], "", {}, False)


def _lines_of_keys(
    sheet: Mapping[str, object], skipped_keys: Collection[str] = (), *, splits_mixed_tables: bool = False
) -> Iterator[ExplainedLine]:
    """Yield a line for each key of a sheet that has a value.

    The keys in `skipped_keys` are left out. If a value is a table of tables, such as weapons by name, each
    inner table gets a line of its own. If `splits_mixed_tables` is true, one inner table is enough for this
    split. The other keys of the table then get lines of their own, too.
    """
    for key, value in sheet.items():
        if key in _KEYS_NOT_IN_LINES or key in skipped_keys or value in _EMPTY_VALUES:
            continue
        inner: Mapping[str, object] = value if isinstance(value, Mapping) else {}
        tables = [isinstance(each, Mapping) for each in inner.values()]
        if any(tables) and (splits_mixed_tables or all(tables)):
            yield from _lines_of_keys(inner)
        else:
            yield ExplainedLine(key.replace("_", " ").replace("-", " ").capitalize(), _value_words(value))


def _value_words(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(
            f"{key} {_value_words(item)}" for key, item in value.items() if item not in _EMPTY_VALUES
        )
    if isinstance(value, list):
        return "; ".join(map(_value_words, value))
    return "yes" if value is True else "no" if value is False else str(value)


def cards_page(title: str, cards: list[SheetCard], paper: str) -> str:
    """Return an HTML page with the cards, for printing. Raises Usage for an unknown paper size."""
    from strike_cli.pages import html

    if paper not in PAPERS:
        raise Usage(f"--paper {paper}: there is no such paper here.", "a4 or a6.")
    on = PAPERS[paper]
    small = f"@media {on.small}{{{html.read_style_sheet('card-small.css')}}}"
    return html.make_page(
        title, (one.html() for one in cards), styles=["card.css"], more_style=small + on.page
    )
