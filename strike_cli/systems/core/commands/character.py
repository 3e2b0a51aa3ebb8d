"""`strike character`: the party's sheets, and new ones; `strike skill`: Skills by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from strike_cli.campaign import Campaign
from strike_cli.problems import CampaignProblem, ContentProblem, Refused, Usage
from strike_cli.terminal.declare import plays
from strike_cli.terminal.lookup import Character, find_character, said
from strike_cli.terminal.options import Options, command, new_app
from strike_cli.terminal.result import Block, Line, Result, Table

if TYPE_CHECKING:
    from strike_cli.terminal.sheet_view import SheetView

app = new_app()
characters = new_app()
skills = new_app()
app.add_typer(characters, name="character")
app.add_typer(skills, name="skill")

Texts = list[str] | None


def _many(name: str, help_: str) -> Any:
    return typer.Option(name, metavar="TEXT", help=f"{help_} May be given several times.")


# Sheets


@characters.callback()
def _characters() -> None:
    """The party: who they are, and what play has made of them.

    Example: `strike character show vex`
    """


@command(characters, "list", kind="reads")
def list_(options: Options) -> Result:
    """Everybody of the party, with Action Points, Wealth, Conditions and what is owed.

    Example: `strike character list`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.terminal.sheet_view import sheet_views

    from .party import counts_points
    from .sheet import merge

    with options.campaign() as campaign:
        world = World(campaign.book, campaign.state)
        data, rows = [], []
        everybody = {who: sheet_views(world, who) for who in campaign.book.characters}
        headings = dict.fromkeys(
            part.column[0] for parts in everybody.values() for part in parts if part.column
        )
        points = any(counts_points(world, who) for who in everybody)
        for who, parts in everybody.items():
            now = merge(world, who, parts)
            cells = dict(part.column for part in parts if part.column)
            ill = [f"{c['name']} ×{c['count']}" if c["count"] > 1 else c["name"] for c in now["conditions"]]
            data.append(_listed(who, now, parts))
            owed = _counted(len(now["flaws"]), "Flaw") + _counted(len(now["favors"]), "Favor")
            rows.append(
                [
                    (who, "command"),
                    (now["name"], "name"),
                    now["player"] or "-",
                    *([str(now["ap"])] if points else []),
                    *(cells.get(heading, "-") for heading in headings),
                    (", ".join(ill), "warn") if ill else "-",
                    ", ".join(owed) or "-",
                ]
            )
        table: Block = Table(
            ["Id", "Name", "Player", *([">AP"] if points else []), *headings, "Conditions", "Flaws, Favors"],
            rows,
        )
        nobody: Line = [
            ("Nobody yet: ", "dim"),
            ('strike character add tilda --name "Tilda Oxley"', "command"),
        ]
        return Result(
            "character list", {"characters": data}, [table if rows else nobody], notices=campaign.notices
        )


def _listed(who: str, now: Mapping[str, Any], parts: Iterable[SheetView]) -> dict[str, object]:
    return {
        **{key: now[key] for key in ("name", "player", "concept", "ap")},
        **{key: value for part in parts if part.column for key, value in part.data.items()},
        "id": who,
        "conditions": [item["id"] for item in now["conditions"]],
        **{key: len(now[key]) for key in ("flaws", "favors", "banked")},
    }


def _counted(count: int, what: str) -> list[str]:
    return [f"{count} {what}{'' if count == 1 else 's'}"] if count else []


@command(characters, "show", kind="reads")
def show(options: Options, who: Character) -> Result:
    """A character's sheet: what is written in the campaign's files, with what play has changed marked.

    `+` was gained in play, `-` lost, `~` changed. With --json: `written`, `changed`, and the two `merged`.

    Example: `strike character show vex`
    """
    from strike_cli.kernel.procedure import World

    from .sheet import merge, sheet_block

    with options.campaign() as campaign:
        book, world = campaign.book, World(campaign.book, campaign.state)
        found = find_character(campaign, who)
        data = {
            "id": found,
            "from": book.where.get(f"characters.{found}", ""),
            "written": book.characters[found],
            "changed": world.get(f"characters.{found}", {}),
            "merged": merge(world, found),
        }
        return Result("character show", data, [sheet_block(world, found)], notices=campaign.notices)


DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Show what would be written; write nothing.", rich_help_panel="Everywhere"
    ),
]


@command(characters, "add", kind="reads")
def add(
    options: Options,
    id_: Annotated[
        str, typer.Argument(metavar="ID", help="What to type for them: letters, digits, - and _.")
    ],
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="Their name.")],
    player: Annotated[str, typer.Option("--player", metavar="TEXT", help="Who plays them.")] = "",
    concept: Annotated[str, typer.Option("--concept", metavar="TEXT", help="Who they are, in a line.")] = "",
    skill: Annotated[Texts, _many("--skill", "A Skill.")] = None,
    connection: Annotated[Texts, _many("--connection", "A Connections Skill.")] = None,
    tool: Annotated[Texts, _many("--tool", "A Tool.")] = None,
    trick: Annotated[Texts, _many("--trick", "A Trick.")] = None,
    complication: Annotated[Texts, _many("--complication", "A Complication.")] = None,
    relationship: Annotated[Texts, _many("--relationship", "A Relationship.")] = None,
    power: Annotated[Texts, _many("--power", "A power's id, for fights.")] = None,
    wealth: Annotated[int | None, typer.Option("--wealth", metavar="0-3", help="Wealth rank.")] = None,
    ap: Annotated[int | None, typer.Option("--ap", metavar="N", help="Action Points to begin with.")] = None,
    role: Annotated[str, typer.Option("--role", metavar="TEXT", help="Role in a fight.")] = "",
    class_: Annotated[str, typer.Option("--class", metavar="TEXT", help="Class in a fight.")] = "",
    notes: Annotated[str, typer.Option("--notes", metavar="TEXT", help="Anything else.")] = "",
    dry_run: DryRun = False,
) -> Result:
    """Somebody new, who plays at once: a file of their own, and nothing that people wrote is changed.

    It is characters/ID.toml where campaign.toml includes that folder, else content/character-ID.toml. Once
    written it is yours: go on in your editor.

    Example: `strike character add tilda --name "Tilda Oxley" --player Ida --skill Slingshot --skill Hiding`
    """
    asked = {
        "name": name, "player": player, "concept": concept, "skills": skill, "connections": connection,
        "tools": tool, "tricks": trick, "complications": complication, "relationships": relationship,
        "wealth": wealth, "ap": ap, "role": role, "class": class_, "powers": power, "notes": notes,
    }  # fmt: skip
    asked = {key: value for key, value in asked.items() if value not in ("", None)}
    with options.campaign() as campaign:
        sheet = _checked(campaign, id_, asked)
        text = _as_text(id_, sheet)
        path = campaign.folder / _file_for(campaign.folder, id_)
        data: dict[str, object] = {"id": id_, "file": str(path), "written": sheet, "text": text}
        lines: list[Line] = [(f"Would write {path}:", "dim"), text.rstrip("\n")]
        if not dry_run:
            _write_new(campaign, path, text)
            lines = [(f"{name} is in {path.relative_to(campaign.folder).as_posix()}", "good")]
            lines.append([("Next: ", "dim"), (f"strike character show {id_}", "command")])
        data |= {"included": True, "line_to_add": None}  # as scripts have known it
        return Result("character add", data, lines, notices=campaign.notices)


def _checked(campaign: Campaign, who: str, sheet: dict[str, Any]) -> dict[str, object]:
    """The sheet, once its form is right and nobody has the id. Raises Refused and ContentProblem."""
    from strike_cli.content.schemas import CHARACTERS, schemas
    from strike_cli.validation import ID, Faults

    faults: Faults = []
    ID.check(who, "ID", faults)
    if ":" in who:
        faults.append(f"ID: {who!r} has a colon, which is for what plugins bring")
    schemas().campaign[CHARACTERS].check(sheet, who, faults)
    for key, value in sheet.items():
        words = value if isinstance(value, list) else [value]
        if not all(word.strip() and word.isprintable() for word in words if isinstance(word, str)):
            faults.append(f"{key}: should be some text on one line")
    if faults:
        raise Usage("\n".join(faults), "Nothing was written.")
    for power in sheet.get("powers", []):
        campaign.book.find("powers", power)
    same = next((key for key in campaign.book.characters if key.lower() == who.lower()), None)
    if same is not None:
        place = campaign.book.where.get(f"characters.{same}", "the campaign")
        raise Refused(
            f"There is a character {same!r} already, in {place}.",
            "Choose another id, or change that file in your editor. Nothing was written.",
        )
    return sheet


def _as_text(who: str, sheet: dict[str, object]) -> str:
    import tomli_w

    head = "# Yours to change: strike reads this file and never writes it again.\n"
    return head + tomli_w.dumps({"characters": {who: sheet}})


def _includes(folder: Path) -> list[str]:
    from strike_cli.content import CAMPAIGN_FILE
    from strike_cli.reading import toml_of

    found: list[str] = toml_of((folder / CAMPAIGN_FILE).read_bytes()).get("include", [])
    return found


def _covers(pattern: str, file: str) -> bool:
    """Whether an include pattern means a file, as far as that can be said before the file is there."""
    from fnmatch import fnmatchcase

    wanted, parts = pattern.removeprefix("./").replace("**/", "").split("/"), file.split("/")
    return len(wanted) == len(parts) and all(map(fnmatchcase, parts, wanted))


def _file_for(folder: Path, id: str) -> str:
    """Where a new character's file belongs to the campaign: in `characters`, where that is included, else in
    the folder that belongs to it without a word."""
    from strike_cli.campaign.files import portable
    from strike_cli.content import CONTENT_FOLDER

    file = f"characters/{portable(id)}.toml"
    included = any(_covers(pattern, file) for pattern in _includes(folder))
    return file if included else f"{CONTENT_FOLDER}/character-{id}.toml"


def _write_new(campaign: Campaign, path: Path, text: str) -> None:
    """Write a file that is not there yet, and load the campaign anew; where that fails, the file goes."""
    from strike_cli.campaign.files import real_folder, sync_folder, unwritable, write_new
    from strike_cli.content.book import open_book

    try:
        if not real_folder(path.parent):
            path.parent.mkdir()
            sync_folder(path.parent.parent)
        write_new(path, text.encode("utf-8"))
    except FileExistsError:
        raise Refused(
            f"{path} is there already, though nobody in the campaign has that id.",
            "Look into it, or choose another id. Nothing was written.",
        ) from None
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        campaign.book = open_book(campaign.folder)
    except (CampaignProblem, ContentProblem):
        path.unlink()
        raise


# Skills by hand


@skills.callback()
def _skills() -> None:
    """Skills that come and go by hand. Rolls teach them too: `strike roll skill vex Swimming`.

    Example: `strike skill learn vex Swimming`
    """


SkillName = Annotated[
    str,
    typer.Argument(metavar="SKILL", help="A Skill, as the table calls it."),
    said("SKILL", "Say which Skill."),
]


@plays(skills, "learn", "skill learn", kind="writes")
def learn(who: Character, skill: SkillName) -> None:
    """A Skill comes to the sheet. The Tools it may need don't come with it (STR-CORE-25).

    Example: `strike skill learn vex Swimming`
    """


@plays(skills, "forget", "skill forget", kind="writes")
def forget(who: Character, skill: SkillName) -> None:
    """A Skill learned in play is taken back. What is written in the campaign's files stays.

    Example: `strike skill forget vex Swimming`
    """
