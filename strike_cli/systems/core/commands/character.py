"""`strike character`: the party's sheets, and new ones; `strike skill`: Skills by hand."""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.campaign import Campaign
from strike_cli.content.drafts import Question, number_reader, split_at_commas, split_at_semicolons, toml_line
from strike_cli.content.merged_content import Book
from strike_cli.problems import CampaignProblem, ContentProblem, Refused, Usage, did_you_mean
from strike_cli.tabletop.characters_and_names import slug
from strike_cli.terminal.argument_completions import FREE
from strike_cli.terminal.command_output import Block, Line, NumberHeading, Result, Table
from strike_cli.terminal.commands_and_options import (
    STRIKE_TITLE,
    Command,
    Options,
    StrikeCommand,
    command,
    new_app,
)
from strike_cli.terminal.made_up_content import capitalize_name
from strike_cli.terminal.move_commands import plays
from strike_cli.terminal.name_lookup import Character, find_character_by_name_or_player, nonempty_text_parser
from strike_cli.terminal.new_sheet_questions import (
    STRIKE,
    ask_until_valid,
    choose_or_default_game_of_sheet,
    options_for_drafts,
    sheet_drafts,
    system_option_for_sheet,
    typed_answers,
    validated_answer,
)

from . import argument_completions

if TYPE_CHECKING:
    from strike_cli.terminal.sheet_and_party_views import SheetView


KIND = "characters"
Texts = list[str] | None


def _repeatable_option(name: str, help_: str) -> object:
    several = f"{help_} May be repeated."
    return typer.Option(name, metavar="TEXT", help=several, rich_help_panel=STRIKE_TITLE)


def character_add_parameters() -> Sequence[inspect.Parameter]:
    """Return the parameters of `character add`.

    They are the parameters for every sheet, for Strike!'s own sheet, and for the sheets of other games.
    """
    _, *own, dry_run = inspect.signature(_character_add_signature, eval_str=True).parameters.values()
    names = {parameter.name for parameter in own}
    more = (each for each in options_for_drafts(sheet_drafts(KIND)) if each.name not in names)
    return [*own, *more, system_option_for_sheet(KIND), dry_run]


def _character_add_signature(
    options: Options,
    id_: Annotated[
        str,
        typer.Argument(
            metavar=FREE.with_text("NAME"),
            help="Their name, or with --name an id to type: letters, digits, - and _.",
        ),
    ],
    guided: Annotated[
        bool, typer.Option("--guided", help="Ask question by question, at a terminal; Enter skips one.")
    ] = False,
    name: Annotated[str, typer.Option("--name", metavar="TEXT", help="Their name.")] = "",
    player: Annotated[str, typer.Option("--player", metavar="TEXT", help="The player.")] = "",
    concept: Annotated[str, typer.Option("--concept", metavar="TEXT", help="A line about them.")] = "",
    skill: Annotated[Texts, _repeatable_option("--skill", "A Skill.")] = None,
    connection: Annotated[Texts, _repeatable_option("--connection", "A Connections Skill.")] = None,
    tool: Annotated[Texts, _repeatable_option("--tool", "A Tool.")] = None,
    trick: Annotated[Texts, _repeatable_option("--trick", "A Trick.")] = None,
    complication: Annotated[Texts, _repeatable_option("--complication", "A Complication.")] = None,
    relationship: Annotated[Texts, _repeatable_option("--relationship", "A Relationship.")] = None,
    power: Annotated[Texts, _repeatable_option("--power", "A power's id, for fights.")] = None,
    wealth: Annotated[
        int | None, typer.Option("--wealth", metavar="0-3", help="Wealth rank.", rich_help_panel=STRIKE_TITLE)
    ] = None,
    ap: Annotated[
        int | None,
        typer.Option("--ap", metavar="N", help="Starting Action Points.", rich_help_panel=STRIKE_TITLE),
    ] = None,
    role: Annotated[
        str, typer.Option("--role", metavar="TEXT", help="Role in a fight.", rich_help_panel=STRIKE_TITLE)
    ] = "",
    class_: Annotated[
        str, typer.Option("--class", metavar="TEXT", help="Class in a fight.", rich_help_panel=STRIKE_TITLE)
    ] = "",
    notes: Annotated[str, typer.Option("--notes", metavar="TEXT", help="Anything else.")] = "",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Show the file without writing it.", rich_help_panel="Everywhere"),
    ] = False,
) -> None:
    """Declare the parameters of `character add`; nothing calls it."""


def add(options: Options, **typed: object) -> Result:
    """Add a character, ready to play. Characters that exist already aren't changed.

    The new file is characters/ID.toml if campaign.toml includes that folder. Otherwise it is
    content/character-ID.toml. You can edit the file as you like. `--guided` asks for the details, and shows
    what there is to choose from.

    Example: `strike character add "Ana Bo"`

    Example: `strike character add tilda --name "Tilda Oxley" --player Ida --concept "Fen guide"`
    """
    called, guided, dry_run = str(typed["id_"]), bool(typed["guided"]), bool(typed["dry_run"])
    if guided and not options.interactive:
        raise Usage("--guided asks at a terminal, and there is none.", "Use options.")
    person = called if guided or typed["name"] else slug(called)
    typed["name"] = typed["name"] or ("" if guided else capitalize_name(called))
    with options.open_campaign() as campaign:
        _must_be_valid_unused_id(campaign, person)
        game = choose_or_default_game_of_sheet(
            campaign.book, sheet_drafts(KIND), str(typed["system"]), typed, may_ask=options.interactive
        )
        sheet = {
            _SHEET_KEYS_BY_OPTION[key]: typed[key]
            for key in _SHEET_KEYS_BY_OPTION
            if typed[key] not in ("", None)
        }
        sheet |= _ask_and_return_missing_answers(_HEAD_QUESTIONS, sheet) if guided else {}
        make = (
            _ask_and_draft_strike_sheet
            if game == STRIKE
            else partial(_ask_and_draft_other_game_sheet, game, typed)
        )
        text = make(campaign, person, sheet, guided=guided)
        path = campaign.folder / _path_of_new_character(campaign.folder, person)
        if not dry_run:
            _write_new_file_and_reload(campaign, path, text)
        written = tomllib.loads(text)[KIND][person]
        data: dict[str, object] = {"id": person, "file": str(path), "written": written, "text": text}
        blocks = (
            _report_of_added_character(campaign, person, guided=guided)
            if not dry_run
            else [text.rstrip("\n")]
        )
        lines: list[Block] = [(f"Would write {path}:", "dim")] if dry_run else []
        data |= {"included": True, "line_to_add": None}  # as scripts have known it
        return Result("character add", data, [*lines, *blocks], notices=campaign.notices)


def _report_of_added_character(campaign: Campaign, person: str, *, guided: bool) -> list[Block]:
    """Return the lines that name the new character's file and the next command.

    If the character was made by questions (`guided`), the whole sheet comes first.
    """
    from strike_cli.kernel.procedure import World

    from .current_sheets import sheet_block

    place = campaign.book.where[f"{KIND}.{person}"]
    there: Line = [(f"{campaign.book.characters[person]['name']} is in {place}", "good")]
    next_: Line = [("Next: ", "dim"), (f"strike character show {person}", "command")]
    if not guided:
        return [there, next_]
    world = World(campaign.book, campaign.state)
    print_: Line = [("On paper: ", "dim"), (f"strike card {person} --out {person}.html", "command")]
    return ["", sheet_block(world, person), there, print_]


# Strike!'s own sheet


def _ask_and_draft_strike_sheet(
    campaign: Campaign, person: str, sheet: dict[str, object], *, guided: bool
) -> str:
    """Return the text of the file of a new character with a Strike! sheet.

    If `guided` is true, the user is first asked for what `sheet` lacks.
    """
    import tomli_w

    if guided:
        sheet |= _ask_and_return_missing_answers(_strike_questions(campaign.book), sheet)
        sheet |= _give_class_powers_and_ask_for_more(campaign.book, sheet)
    head = "# Yours to change: strike reads this file and never writes it again.\n"
    return head + tomli_w.dumps({"characters": {person: _checked_strike_sheet(campaign, person, sheet)}})


_KEYS_OF_EVERY_SHEET = ("name", "player", "concept", "notes")
_SHEET_KEYS_BY_OPTION = {
    **{key: key for key in _KEYS_OF_EVERY_SHEET},
    "skill": "skills",
    "connection": "connections",
    "tool": "tools",
    "trick": "tricks",
    "complication": "complications",
    "relationship": "relationships",
    "wealth": "wealth",
    "ap": "ap",
    "role": "role",
    "class_": "class",
    "power": "powers",
}
"""The keys of the sheet, by the options that fill them."""
_HEAD_QUESTIONS = (
    Question("name", "What is their name?", ""),
    Question("player", "Who plays them?", ""),
    Question("concept", "Who are they, in a line?", ""),
)
ROLES = ("striker", "defender", "leader", "controller", "skirmisher", "breaker")
"""The first keywords of strike's own powers that are roles. Any other first keyword is a class."""


def _strike_questions(book: Book) -> Iterator[Question]:
    """Yield the questions for a Strike! sheet, in the order in which players usually decide."""
    yield Question("skills", "Which Skills? (with commas, as the table calls them)", "", read=split_at_commas)
    yield Question(
        "tricks", "Name a Trick (something they can always pull off)", "", read=split_at_semicolons
    )
    yield Question(
        "complications",
        "Name a Complication (something that gets them into trouble)",
        "",
        read=split_at_semicolons,
    )
    yield Question("connections", "Their contacts? (with commas)", "", read=split_at_commas)
    yield Question("tools", "Which tools do they carry? (with commas)", "", read=split_at_commas)
    yield Question(
        "relationships", "Their relationships? (several with semicolons)", "", read=split_at_semicolons
    )
    yield Question(
        "wealth", "Wealth? (0 penniless, 1 poor, 2 rich, 3 super-rich)", "", "1", number_reader(0, 3)
    )
    known = _level_1_power_ids_by_first_keyword(book)
    classes, roles = [key for key in known if key not in ROLES], [key for key in ROLES if key in known]
    for key, names in (("class", classes), ("role", roles)):
        if names:
            told = f"Which {key} in a fight? ({', '.join(names)}; or one of your own, or Enter for none)"
            yield Question(key, told, "", read=partial(_complete_name_or_refuse_misspelled, names=names))


def _complete_name_or_refuse_misspelled(text: str, names: Sequence[str]) -> str:
    """Return the name that begins with a text if it is the only one; otherwise the text itself.

    Raises ValueError if the text looks like a misspelled name.
    """
    fits = [name for name in names if text and name.startswith(text.lower())]
    if not fits and did_you_mean(text.lower(), names):
        raise ValueError(f"one of those, or a name less similar to them.{did_you_mean(text.lower(), names)}")
    return fits[0] if len(fits) == 1 else text


def _level_1_power_ids_by_first_keyword(book: Book) -> dict[str, list[str]]:
    """Return the ids of the powers of level 1, grouped by the first keyword that a power has."""
    found: dict[str, list[str]] = {}
    for id, power in book.table("powers").items():
        if power.get("level") == 1 and power.get("keywords"):
            found.setdefault(power["keywords"][0], []).append(id)
    return found


def _ask_and_return_missing_answers(
    questions: Sequence[Question] | Iterator[Question], sheet: Mapping[str, object]
) -> dict[str, object]:
    """Ask the questions for keys that the sheet lacks; return the answers by key, without empty ones."""
    found = {each.key: each.read(ask_until_valid(each)) for each in questions if each.key not in sheet}
    return {key: value for key, value in found.items() if value not in ("", [])}


def _give_class_powers_and_ask_for_more(book: Book, sheet: Mapping[str, object]) -> dict[str, object]:
    """Ask for powers; return them under the key `powers`.

    The level 1 powers of the class and role come first. The result is empty if the sheet has powers already,
    or if there are none to choose.
    """
    known = _level_1_power_ids_by_first_keyword(book)
    given = [id for key in ("class", "role") for id in known.get(str(sheet.get(key, "")).lower(), [])]
    if "powers" in sheet or "powers" not in book:
        return {}
    told = f" They have {', '.join(given)}." if given else ""
    read = partial(_read_power_ids, book)
    more = Question("powers", f"Which other powers?{told} (ids, with commas, or Enter)", "", read=read)
    powers = [*given, *(id for id in read(ask_until_valid(more)) if id not in given)]
    return {"powers": powers} if powers else {}


def _read_power_ids(book: Book, text: str) -> list[str]:
    """Return the ids of the powers that a text names, separated by commas.

    Raises ValueError if a name fits no power, or several.
    """
    try:
        return [book.find("powers", word).rpartition(":")[2] for word in split_at_commas(text)]
    except Usage as usage:
        raise ValueError(f"ids of powers: {usage.message}") from None


# Another game's sheet


def _ask_and_draft_other_game_sheet(
    game: str,
    typed: Mapping[str, object],
    campaign: Campaign,
    person: str,
    sheet: Mapping[str, object],
    *,
    guided: bool,
) -> str:
    """Return the text of the file of a new character with another game's sheet.

    If `guided` is true, the user is asked for missing answers. Raises Usage for an option that only Strike!'s
    sheet has.
    """
    wrong = [key for key in sheet if key not in _KEYS_OF_EVERY_SHEET]
    if wrong:
        raise Usage(
            f"{', '.join(wrong)}: only Strike!'s sheets have that, and this is one of {game}.",
            f"Leave it out, or add --system {STRIKE}. Nothing was written.",
        )
    draft = sheet_drafts(KIND)[game]
    given = typed_answers(draft.questions, typed)
    answers = {key: str(value) for key, value in sheet.items()}
    for each in draft.questions:
        asks = guided and each.asks and not given[each.key]
        answers[each.key] = ask_until_valid(each) if asks else validated_answer(each, given[each.key])
    notes = toml_line("notes", answers["notes"]) if "notes" in answers else []
    return "\n".join([*draft.write(answers.get("name", person), person, answers), *notes, ""])


# The file


def _must_be_valid_unused_id(campaign: Campaign, person: str) -> None:
    """Raise Usage if `person` is no valid id, and Refused if a character has this id already."""
    from strike_cli.file_faults import Fault, Faults, Place, faults_as_text
    from strike_cli.validation import ID

    faults: Faults = []
    ID.check(person, Place("ID"), faults)
    if ":" in person:
        faults.append(Fault(Place("ID"), f"{person!r} has a colon, which is for plugins' content"))
    if faults:
        raise Usage(faults_as_text(faults), "Nothing was written.")
    same = next((key for key in campaign.book.characters if key.lower() == person.lower()), None)
    if same is not None:
        place = campaign.book.where.get(f"characters.{same}", "the campaign")
        raise Refused(
            f"There is a character {same!r} already, in {place}.",
            "Choose another id, or change that file in your editor. Nothing was written.",
        )


def _checked_strike_sheet(campaign: Campaign, person: str, sheet: dict[str, object]) -> dict[str, object]:
    """Return a Strike! sheet after checking it. Raises Usage with the sheet's faults if it has any."""
    from strike_cli.content.schemas import CHARACTERS, schemas_of_working_systems
    from strike_cli.file_faults import Fault, Faults, Place, faults_as_text

    faults: Faults = []
    schemas_of_working_systems().campaign[CHARACTERS].check(sheet, Place(person), faults)
    for key, value in sheet.items():
        texts = value if isinstance(value, list) else [value]
        if not all(text.strip() and text.isprintable() for text in texts if isinstance(text, str)):
            faults.append(Fault(Place(key), "should be some text on one line"))
    if faults:
        raise Usage(faults_as_text(faults), "Nothing was written.")
    powers = sheet.get("powers")
    for power in powers if isinstance(powers, list) else ():
        campaign.book.find("powers", power)
    return sheet


def _include_patterns(folder: Path) -> list[str]:
    from strike_cli.content import CAMPAIGN_FILE
    from strike_cli.untrusted_input import parse_toml

    found = parse_toml((folder / CAMPAIGN_FILE).read_bytes()).get("include", [])
    return list(map(str, found)) if isinstance(found, list) else []


def _pattern_surely_matches(pattern: str, file: str) -> bool:
    """Return whether an `include` pattern would match a file that doesn't exist yet.

    Braces in the pattern, links and the like are not taken into account.
    """
    from fnmatch import fnmatchcase

    wanted, parts = pattern.removeprefix("./").replace("**/", "").split("/"), file.split("/")
    return len(wanted) == len(parts) and all(map(fnmatchcase, parts, wanted))


def _path_of_new_character(folder: Path, id: str) -> str:
    """Return the path of a new character's file, relative to the campaign's folder.

    The file is in the folder `characters` if the campaign includes that folder. Otherwise it is in the
    content folder, which every campaign includes.
    """
    from strike_cli.campaign.file_access import file_name_not_reserved
    from strike_cli.content import CONTENT_FOLDER

    file = f"characters/{file_name_not_reserved(id)}.toml"
    included = any(_pattern_surely_matches(pattern, file) for pattern in _include_patterns(folder))
    return file if included else f"{CONTENT_FOLDER}/character-{id}.toml"


def _write_new_file_and_reload(campaign: Campaign, path: Path, text: str) -> None:
    """Write a new file and reload the campaign.

    If the campaign can't be loaded with the new file, the file is deleted again. Raises Refused if the file
    exists already.
    """
    from strike_cli.campaign.file_access import write_new_user_texts
    from strike_cli.content.merged_content import open_book

    if path.exists():
        raise Refused(
            f"{path} is there already, though nobody in the campaign has that id.",
            "Look at it, or choose another id. Nothing was written.",
        )
    write_new_user_texts({path: text})
    try:
        campaign.book = open_book(campaign.folder)
    except (CampaignProblem, ContentProblem):
        path.unlink()
        raise


app = new_app()
characters = new_app()
skills = new_app()
app.add_typer(characters, name="character")
app.add_typer(skills, name="skill")

# Sheets


@characters.callback()
def _character_group_callback() -> None:
    """Show and change the characters of the party.

    Example: `strike character show vex`
    """


@command(characters, "list", kind="reads")
def list_(options: Options) -> Result:
    """List the characters of the party, one line each. Each game of the campaign may add a column.

    Example: `strike character list`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.terminal.sheet_and_party_views import is_listed_in_campaign_or_no_list, sheet_views

    from .current_sheets import merge_sheet, shows_action_points

    with options.open_campaign() as campaign:
        world = World(campaign.book, campaign.state)
        data, rows = [], []
        everybody = {person: sheet_views(world, person) for person in campaign.book.characters}
        headings = dict.fromkeys(
            part.column[0] for parts in everybody.values() for part in parts if part.column
        )
        is_strikes = is_listed_in_campaign_or_no_list(world, "core")
        points = any(shows_action_points(world, person) for person in everybody)
        for person, parts in everybody.items():
            now = merge_sheet(world, person, parts)
            cells = dict(part.column for part in parts if part.column)
            ill = [f"{c['name']} ×{c['count']}" if c["count"] > 1 else c["name"] for c in now["conditions"]]
            data.append(_list_data(person, now, parts) | {"ap": now["ap"] if points else None})
            is_strikes |= bool(ill or now["flaws"] or now["favors"])
            owed = _count_in_words(len(now["flaws"]), "Flaw") + _count_in_words(len(now["favors"]), "Favor")
            rows.append(
                [
                    (person, "command"),
                    (now["name"], "name"),
                    now["player"] or "-",
                    *([str(now["ap"])] if points else []),
                    *(cells.get(heading, "-") for heading in headings),
                    (", ".join(ill), "warn") if ill else "-",
                    ", ".join(owed) or "-",
                ]
            )
        own, named = (
            ["Conditions", "Flaws, Favors"],
            ["Id", "Name", "Player", *[NumberHeading("AP")] * points],
        )
        table: Block = Table(
            [*named, *headings, *own] if is_strikes else [*named, *headings],
            rows if is_strikes else [row[: -len(own)] for row in rows],
        )
        nobody: Line = [
            ("Nobody yet: ", "dim"),
            ('strike character add tilda --name "Tilda Oxley"', "command"),
        ]
        return Result(
            "character list", {"characters": data}, [table if rows else nobody], notices=campaign.notices
        )


def _list_data(person: str, merged: Mapping[str, object], parts: Iterable[SheetView]) -> dict[str, object]:
    return {
        **{key: merged[key] for key in ("name", "player", "concept", "ap")},
        **{key: value for part in parts if part.column for key, value in part.data.items()},
        "id": person,
        "conditions": [item["id"] for item in cast("Sequence[Mapping[str, object]]", merged["conditions"])],
        **{key: len(cast("Sequence[object]", merged[key])) for key in ("flaws", "favors", "banked")},
    }


def _count_in_words(count: int, noun: str) -> list[str]:
    return [f"{count} {noun}{'' if count == 1 else 's'}"] if count else []


@command(characters, "show", kind="reads")
def show(options: Options, who: Character) -> Result:
    """Show a character's sheet, with the changes made in play.

    `+` marks what was gained in play, `-` what was lost, and `~` what was changed. With --json, `written` is
    the sheet as written, `changed` has the changes, and `merged` is the sheet with the changes.

    Example: `strike character show vex`
    """
    from strike_cli.kernel.procedure import World

    from .current_sheets import merge_sheet, sheet_block

    with options.open_campaign() as campaign:
        book, world = campaign.book, World(campaign.book, campaign.state)
        found = find_character_by_name_or_player(campaign, who)
        data = {
            "id": found,
            "from": book.where.get(f"characters.{found}", ""),
            "written": book.characters[found],
            "changed": world.get(f"characters.{found}", {}),
            "merged": merge_sheet(world, found),
        }
        return Result("character show", data, [sheet_block(world, found)], notices=campaign.notices)


characters.command("add", cls=StrikeCommand)(Command(add, character_add_parameters, "reads"))


# Skills by hand


@skills.callback()
def _skill_group_callback() -> None:
    """Add or remove a character's Skills by hand.

    Rolls can teach Skills, too: `strike roll skill vex Swimming`.

    Example: `strike skill learn vex Swimming`
    """


_SKILL = nonempty_text_parser("SKILL", "Name the Skill.")
_CALLED = "A Skill, as the table calls it."
SkillName = Annotated[str, typer.Argument(metavar=argument_completions.SKILL, help=_CALLED), _SKILL]
SkillLearned = Annotated[
    str, typer.Argument(metavar=argument_completions.SKILL_LEARNED, help=_CALLED), _SKILL
]


@plays(skills, "learn", "skill learn", kind="writes")
def learn(who: Character, skill: SkillName) -> None:
    """Add a Skill to the sheet. It comes without the Tools it may need (STR-CORE-25).

    Example: `strike skill learn vex Swimming`
    """


@plays(skills, "forget", "skill forget", kind="writes")
def forget(who: Character, skill: SkillLearned) -> None:
    """Remove a Skill learned in play. The campaign's files stay as they are.

    Example: `strike skill forget vex Swimming`
    """
