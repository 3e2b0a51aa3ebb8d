"""`strike import`: drafts of other programs' people and creatures, to be completed by the group."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from strike_cli.content import CONTENT_FOLDER
from strike_cli.content.drafts import Draft, toml_string, toml_value
from strike_cli.content.name_index import singular_of_kind
from strike_cli.content.schemas import schemas_of_working_systems
from strike_cli.content.system_checks import ContentWithoutEffect
from strike_cli.file_faults import Faults, Place, faults_as_text
from strike_cli.problems import ContentProblem, Usage, listed
from strike_cli.refusals import ArgumentAlreadyExists
from strike_cli.tabletop.characters_and_names import slug
from strike_cli.terminal.argument_completions import FILE, FREE
from strike_cli.terminal.command_output import Block, Result, Span, Table
from strike_cli.terminal.commands_and_options import Options, command, new_app
from strike_cli.validation import Either, Flag, Kind, ListOf, Number, OneOf, Record, Text, can_be_id

from .foreign_file_readers import FileContents, ForeignSheet, read_foreign_file

if TYPE_CHECKING:
    from strike_cli.campaign import Campaign
    from strike_cli.content.merged_content import Book

app = new_app("From other programs.")


@command(app, "import", kind="reads")
def import_(
    options: Options,
    files: Annotated[
        list[str],
        typer.Argument(metavar=FILE.with_text("FILE..."), help="JSON or CSV files of other programs."),
    ],
    kind: Annotated[
        Literal["", "creature", "character"], typer.Option("--as", help="Their kind. Default: from the file.")
    ] = "",
    encoding: Annotated[
        str, typer.Option("--encoding", metavar=FREE, help="The files' encoding, like cp1252.")
    ] = "utf-8-sig",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the result without writing it.")] = False,
) -> Result:
    """Import creatures and characters of other programs as drafts.

    strike reads actors of Foundry VTT, statblocks and libraries of Improved Initiative (JSON), and CSV with a
    column `name`. The drafts from each file go into a new file in the campaign's folder `content`.

    strike can't convert other games' values, so these become notes. CSV columns named like strike's keys are
    kept as they are. Each draft has `draft = true` until you remove it.

    Example: `strike import monsters.csv`
    """
    with options.open_campaign() as campaign:
        drafts = _DraftMaker(campaign, kind)
        written: dict[str, str] = {}
        for name in files:
            path = Path(name)
            file = f"{CONTENT_FOLDER}/imported-{slug(path.stem)}.toml"
            if (campaign.folder / file).exists() or file in written:
                raise ArgumentAlreadyExists(file)
            written[file] = drafts.make_drafts_and_file_text(path, read_foreign_file(path, encoding))
        _must_compile_with(campaign, written)
        if not dry_run:
            from strike_cli.campaign.file_access import write_new_user_texts

            write_new_user_texts({campaign.folder / file: text for file, text in written.items()})
    return _import_result(drafts, written, dry_run)


class ImportedDraft(NamedTuple):
    """A draft of a character or creature from the file `source`.

    `kept` has the subjects of the draft's notes. `left` has the parts of the original that were not imported.
    `renamed` is True if the first choice for the id was in use, so that the draft's id ends in a number.
    """

    kind: str
    id: str
    name: str
    source: str
    kept: Sequence[str]
    left: Sequence[str]
    renamed: bool


class _DraftMaker:
    """The maker of the drafts in one import. It gives each draft an unused id."""

    def __init__(self, campaign: Campaign, kind: str) -> None:
        self.campaign = campaign
        self.kind = kind
        self.made: list[ImportedDraft] = []
        self.remarks: list[str] = []
        """Remarks about what whole files have that isn't imported."""

    def make_drafts_and_file_text(self, path: Path, contents: FileContents) -> str:
        """Return the text of a new content file, with a draft for everybody in `contents`."""
        programs = listed(dict.fromkeys(one.program for one in contents.people))
        lines = [
            f"# Drafts, imported from {_printable_for_comment(path.name)} ({programs}). No converter knows "
            f"your numbers:",
            "# set them, and take `draft = true` out. `strike doctor` lists the drafts that are left.",
        ]
        if contents.unread_counts:
            what = listed([f"{key} ({count})" for key, count in contents.unread_counts.items()], 30)
            self.remarks.append(f"Not imported from {path.name}: {what}.")
            lines.append(f"# {_printable_for_comment(self.remarks[-1])}")
        for one in contents.people:
            lines += ["", *self._record_draft_and_yield_lines(path, one)]
        return "\n".join([*lines, ""])

    def _record_draft_and_yield_lines(self, path: Path, foreign: ForeignSheet) -> Iterator[str]:
        table = {"creature": "creatures", "character": "characters"}.get(self.kind) or (
            "characters" if foreign.is_character else "creatures"
        )
        id, renamed = self._unused_id_and_whether_renamed(foreign.name)
        fields, told = self._split_columns(path, table, foreign)
        told = [*foreign.note_texts, *told]
        kept = [about for about, _ in told]
        self.made.append(
            ImportedDraft(table, id, foreign.name, path.name, kept, foreign.unread_parts, renamed)
        )
        if foreign.unread_parts:
            yield (
                f"# Not imported from {_printable_for_comment(foreign.name)}: "
                f"{_printable_for_comment(', '.join(foreign.unread_parts))}."
            )
        yield f"[{table}.{id}]"
        yield f"name = {toml_string(foreign.name[:200])}"
        yield "draft = true"
        about = {"creatures": "summary", "characters": "concept"}[table]
        fields = {about: foreign.summary, "player": foreign.player if table == "characters" else "", **fields}
        fields |= {"size": foreign.size} if foreign.size > 1 else {}
        yield from (
            f"{key} = {toml_value(value)}"
            for key, value in fields.items()
            if value != "" and not (key == "notes" and told)
        )
        yield from (f"# {hint}" for hint in _uncommented_lines_to_fill_in(self.campaign, table, fields))
        if told:
            yield f"notes = {_toml_text(_notes_text(foreign, told, str(fields.get('notes', ''))))}"

    def _unused_id_and_whether_renamed(self, name: str) -> tuple[str, bool]:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        wanted = slug(plain)[:60].strip("-")
        wanted = wanted if can_be_id(wanted) else "imported"
        # Characters and creatures share their names, since commands take both.
        taken = {*self.campaign.book.characters, *self.campaign.book.creatures, "party", "enemies"}
        taken |= {key.rpartition(":")[2] for key in taken} | {made.id for made in self.made}
        id, number = wanted, 2
        while id in taken:
            id, number = f"{wanted}-{number}", number + 1
        return id, id != wanted

    def _split_columns(
        self, path: Path, table: str, foreign: ForeignSheet
    ) -> tuple[dict[str, object], list[tuple[str, str]]]:
        """Return the cells of a CSV row in two groups: values for strike's keys, and other texts.

        A cell is in the first group if its heading is a key of strike's sheets, and a cell can hold a value
        of this key. The group has the values by key. Every other cell is in the second group, as its heading
        and its text. Raises Usage for a value that its key can't have.
        """
        form = schemas_of_working_systems(self.campaign.book.registry).campaign[table]
        assert isinstance(form, Record)
        fields: dict[str, object] = {}
        words: list[tuple[str, str]] = []
        faults: Faults = []
        for heading, cell in foreign.cells.items():
            kind = form.fields.get(heading, (None, None))[0]
            value = _parse_cell(kind, cell) if kind else None
            if value is None:
                words.append((_heading_as_people_write_it(heading), cell))
            else:
                kind.check(
                    value, Place(heading, file=f"{path}, line {foreign.line}"), faults
                ) if kind else None
                fields[heading] = value
        if faults:
            raise Usage(faults_as_text(faults), "Fix these and import again. Nothing was written.")
        fields.pop("draft", None)
        return fields, words


def _heading_as_people_write_it(heading: str) -> str:
    """Return a column heading as people write it: `CR`, `Hit points`."""
    return heading.upper() if len(heading) < 4 else heading.replace("_", " ").capitalize()


def _parse_cell(kind: Kind, cell: str) -> object:
    """Convert the text of a CSV cell to the type of its key, and return the value.

    `kind` is the schema of the key. If the text can't be converted, it is returned unchanged: the later check
    of the key reports it. If a cell can't hold this type at all, such as a table, the result is None.
    """
    if isinstance(kind, Number):
        return int(cell) if cell.lstrip("-").isdecimal() and cell.isascii() and len(cell) < 10 else cell
    if isinstance(kind, Flag):
        return {"true": True, "yes": True, "false": False, "no": False}.get(cell.lower(), cell)
    if isinstance(kind, Text | OneOf):
        return cell
    texts = isinstance(kind, ListOf) and isinstance(kind.item, Text | Either)
    return [part.strip() for part in cell.split(";") if part.strip()] if texts else None


def _uncommented_lines_to_fill_in(
    campaign: Campaign, table: str, fields: Mapping[str, object]
) -> Iterator[str]:
    """Yield TOML lines for the values that people still have to set on an imported sheet.

    Each system that the campaign plays can have a draft of a new sheet. The lines come from these drafts.
    Lines for `name` and for the keys in `fields` are left out.
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.registry import load_usable_systems
    from strike_cli.registry.installed_plugins import import_object
    from strike_cli.terminal.sheet_and_party_views import is_listed_in_campaign_or_no_list

    world = World(campaign.book, campaign.state)
    for system in load_usable_systems(campaign.book.registry):
        of = system.content.get(table)
        if of and of.draft and is_listed_in_campaign_or_no_list(world, system.name):
            draft: Draft = import_object(system.absolute(of.draft))
            answers = {question.key: question.default for question in draft.questions}
            for line in draft.write("X", "x", answers):
                key, sign, _ = line.partition(" = ")
                if sign and key.replace(".", "").isidentifier() and key not in (*fields, "name"):
                    yield line


def _notes_text(foreign: ForeignSheet, texts: Sequence[tuple[str, str]], own_notes: str) -> str:
    lines = [f"From {foreign.program}, in that game's words:", *(f"{about}: {text}" for about, text in texts)]
    return "\n".join([own_notes, *lines] if own_notes else lines)


def _toml_text(text: str) -> str:
    """Return a text as a TOML string.

    Several lines become a multi-line string. A text that can't stand in a multi-line string is escaped
    instead.
    """
    fits = "'''" not in text and all(line.isprintable() for line in text.split("\n"))
    return f"'''\n{text}'''" if fits and "\n" in text else toml_string(text)


def _printable_for_comment(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _must_compile_with(campaign: Campaign, written: Mapping[str, str]) -> None:
    """Raise Usage if the campaign would be invalid with these new files."""
    from strike_cli.content.compiler import Compiler

    more = {campaign.folder / file: text.encode() for file, text in written.items()}
    try:
        Compiler(campaign.folder, unwritten_files=more).compile()
    except ContentProblem as problem:
        raise Usage("\n".join(problem.faults), "Fix these and import again. Nothing was written.") from None


def _import_result(drafts: _DraftMaker, written: Mapping[str, str], dry_run: bool) -> Result:
    made = drafts.made
    data = {"files": list(written), "drafts": [one._asdict() for one in made], "left": drafts.remarks}
    count = f"{len(made)} draft{'' if len(made) == 1 else 's'}"
    if dry_run:
        data["text"] = "\n".join(written.values())
        return Result("import", data, [*(text.rstrip("\n") for text in written.values())])
    rows: list[list[Span]] = [
        [
            (one.id, "command"),
            (one.name, "name"),
            singular_of_kind(one.kind),
            (listed(one.kept, 5).replace("none", "-"), "dim"),
            (listed(one.left, 3).replace("none", "-"), "warn" if one.left else "dim"),
        ]
        for one in made
    ]
    blocks: list[Block] = [(f"{count} in {listed(written)}:", "good")]
    blocks.append(Table(["Id", "Name", "Draft of a", "Kept as notes", "Not imported"], rows))
    blocks += [(line, "warn") for line in drafts.remarks]
    if any(one.renamed for one in made):
        blocks.append("If an id exists, the new one gets a number.")
    blocks.append(
        "Their numbers are not this game's: set them in the file, and remove `draft = true` from each. "
        "`strike doctor` lists the remaining drafts."
    )
    return Result("import", data, blocks)


def notes_on_unfinished_drafts(book: Book) -> Iterator[ContentWithoutEffect]:
    """Yield a note for each unfinished draft in the book, for `strike doctor`."""
    for kind in ("characters", "creatures"):
        for key, item in book.table(kind).items():
            if item.get("draft"):
                yield ContentWithoutEffect(
                    Place(kind, key, "draft"), "a draft: set its numbers, and remove this line"
                )
