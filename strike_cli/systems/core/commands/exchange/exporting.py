"""`strike export`: people and creatures for Foundry VTT, Improved Initiative and Obsidian."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from strike_cli.content.name_index import singular_of_kind
from strike_cli.kernel.procedure import World
from strike_cli.pages.html import MADE
from strike_cli.registry import load_usable_systems, plugin_index_of
from strike_cli.registry.installed_plugins import import_object
from strike_cli.tabletop.characters_and_names import slug
from strike_cli.terminal.argument_completions import FOLDER, WHO
from strike_cli.terminal.command_output import Block, Frame, Result
from strike_cli.terminal.commands_and_options import Options, command, new_app

from ..card import SheetCard, kind_and_id_by_name

app = new_app("For other programs.")


@command(app, "export", kind="reads")
def export(
    options: Options,
    who: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=WHO.with_text("[WHO]..."), help="Characters and creatures. Default: the party."
        ),
    ] = None,
    to: Annotated[
        Literal["obsidian", "foundry", "improved-initiative"],
        typer.Option("--to", help="The program to export to."),
    ] = "obsidian",
    out: Annotated[
        str, typer.Option("--out", metavar=FOLDER, help="The folder to write to; it may exist already.")
    ] = "export",
    player: Annotated[bool, typer.Option("--player", help="For the players: without notes.")] = False,
) -> Result:
    """Export the current sheets of characters and creatures to another program.

    Obsidian gets one Markdown note for each sheet. Foundry VTT gets one actor for each sheet, to load with
    Import Data. The actors are made for the system Simple Worldbuilding; other systems read only the name and
    the token. Improved Initiative gets one file with all sheets, to import as user data.

    Example: `strike export goblin lamp-thief --to improved-initiative --out export`
    """
    from strike_cli.campaign.file_access import unwritable_problem
    from strike_cli.terminal.marked_output_files import write_already_marked_file

    with options.open_campaign() as campaign:
        world, folder = World(campaign.book, campaign.state), Path(out)
        names = who or campaign.book.characters
        cards = [
            SheetCard(world, *kind_and_id_by_name(campaign.book, name), notes=not player) for name in names
        ]
        files = _EXPORTERS[to](campaign.book.name, cards)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable_problem(folder, error) from None
        for name, text in files.items():
            write_already_marked_file(folder / name, text)
        paths = [(folder / name).as_posix() for name in files]
        left = _REMARKS[to]
        blocks: list[Block] = [("Written:", "good"), *(f"  {path}" for path in paths), (left, "dim")]
        data = {"to": to, "files": paths, "left": left}
        return Result("export", data, blocks, notices=campaign.notices)


_REMARKS = {
    "obsidian": "The notes show this moment: repeat `strike export` to update them.",
    "foundry": "It has HP, size, picture and text; powers are part of the text.",
    "improved-initiative": "It has HP, and powers and traits as text, but no armour or modifiers.",
}
"""A remark on the files for each program, above all on what they can't express."""


def _powers_and_their_words(card: SheetCard) -> list[tuple[str, str]]:
    """Return the powers on a sheet, each as its name and its effect in words.

    Content of other kinds is included if its system can describe it in words.
    """
    book, told = card.book, []
    pairs = (
        (each, *pair)
        for each in load_usable_systems(plugin_index_of(card.world))
        for pair in each.content.items()
    )
    for owner, kind, of in pairs:
        if not of.in_words:
            continue
        say: Callable[[object, Mapping[str, object]], str] = import_object(owner.absolute(of.in_words))
        named = card.sheet.get(kind)
        for key in named if isinstance(named, Iterable) else ():
            if isinstance(key, str) and key in book.table(kind):
                thing = book.table(kind)[key]
                told.append((str(thing["name"]), say(book, thing)))
    return told


def _statblock_lines_besides_powers(card: SheetCard) -> list[tuple[str, str]]:
    """Return a creature's statblock lines, without the lines for its powers and other named effects.

    For a character the result is empty, since a character's sheet is exported as a whole.
    """
    if card.kind == "characters":
        return []
    powers = {name for name, _ in _powers_and_their_words(card)}
    return [(line.about, line.text) for line in card.statblock_in_words() if line.about not in powers]


# Obsidian


def _obsidian_files(campaign_name: str, cards: Sequence[SheetCard]) -> dict[str, str]:
    from strike_cli.terminal.html_and_markdown import blocks_markdown

    files = {}
    for name, card in zip(_unique_file_stems(cards), cards, strict=True):
        kind = singular_of_kind(card.kind)
        front: dict[str, object] = {
            "aliases": [card.id],
            "tags": ["strike", kind],
            "campaign": campaign_name,
            **{name.lower().replace(" ", "-"): count for name, count in card.boxes_to_tick()[:1]},
            **{
                key: value
                for key, value in card.current_sheet().items()
                if _is_text_integer_or_texts(value) and key not in _KEYS_NOT_IN_FRONT_MATTER
            },
        }
        frame = card.frame_without_boxes()
        # plain values as YAML, of which JSON is a part
        lines = [
            "---",
            f"# {MADE} export",
            *(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items()),
            "---",
        ]
        lines += ["", f"# {card.sheet['name']}", *blocks_markdown([*frame.blocks], 2)]
        files[f"{name}.md"] = "\n".join(lines) + "\n"
    return files


_KEYS_NOT_IN_FRONT_MATTER = ("notes", "override", "hidden", "draft")


def _is_text_integer_or_texts(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, str) for item in value)
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def _unique_file_stems(cards: Sequence[SheetCard]) -> list[str]:
    """Return a file name for each card, without its ending.

    If a name is taken already, a number is added: the second `goblin` becomes `goblin-2`.
    """
    names: list[str] = []
    for card in cards:
        is_character = card.kind == "characters"
        wanted = slug(str(card.sheet["name"])) if is_character else slug(card.id.replace(":", "-"))
        name, number = wanted, 2
        while name in names:
            name, number = f"{wanted}-{number}", number + 1
        names.append(name)
    return names


# Foundry VTT


def _foundry_files(campaign_name: str, cards: Sequence[SheetCard]) -> dict[str, str]:
    from strike_cli.terminal.html_and_markdown import blocks_html

    files = {}
    for name, card in zip(_unique_file_stems(cards), cards, strict=True):
        frame = card.frame_without_boxes()
        text = blocks_html([Frame("", frame.blocks)]).replace("<h1></h1>", "")
        size = card.sheet.get("size")
        size = size if isinstance(size, int) else 1
        health = {"value": _first_track_size(card), "min": 0, "max": _first_track_size(card)}
        ours = card.kind == "characters"
        image = str(card.sheet.get("image", "")) or "icons/svg/mystery-man.svg"
        actor = {
            "_comment": f"{MADE} export",
            "name": card.sheet["name"],
            "type": "character",
            "img": image,
            "system": {"biography": text, "health": health, "attributes": {}, "groups": {}},
            "items": [],
            "effects": [],
            "prototypeToken": {
                "name": card.sheet["name"],
                "width": size,
                "height": size,
                "actorLink": ours,
                "disposition": 1 if ours else -1,
                "texture": {"src": image},
                "bar1": {"attribute": "health"},
            },
            "flags": {
                "strike-cli": {"campaign": campaign_name, "kind": singular_of_kind(card.kind), "id": card.id}
            },
        }
        files[f"{name}.json"] = json.dumps(actor, ensure_ascii=False, indent=2) + "\n"
    return files


def _first_track_size(card: SheetCard) -> int:
    """Return the number of boxes in the card's first track, such as HP; 0 if it has no track."""
    return next((count for _, count in card.boxes_to_tick()), 0)


# Improved Initiative

_PREFIX = "ImprovedInitiative"


def _improved_initiative_files(campaign_name: str, cards: Sequence[SheetCard]) -> dict[str, str]:
    from strike_cli.terminal.command_output import blocks_as_unwrapped_text

    library: dict[str, str] = {"strike": f"{MADE} export"}
    for listed, kind in (("Creatures", "creatures"), ("PersistentCharacters", "characters")):
        there = [card for card in cards if card.kind == kind]
        library[f"{_PREFIX}.{listed}"] = json.dumps([_improved_initiative_id(card) for card in there])
        for card in there:
            block = _improved_initiative_statblock(
                campaign_name,
                card,
                blocks_as_unwrapped_text(card.frame_without_boxes().blocks) if kind == "characters" else "",
            )
            entry: dict[str, object] = block
            if kind == "characters":
                known = {
                    "Id": _improved_initiative_id(card),
                    "Name": block["Name"],
                    "Path": campaign_name,
                    "Version": "3.0.0",
                }
                entry = {
                    **known,
                    "CurrentHP": _first_track_size(card),
                    "Notes": "",
                    "LastUpdateMs": 0,
                    "StatBlock": block,
                }
            library[f"{_PREFIX}.{listed}.{_improved_initiative_id(card)}"] = json.dumps(
                entry, ensure_ascii=False
            )
    return {"improved-initiative.json": json.dumps(library, ensure_ascii=False, indent=2) + "\n"}


_EMPTY_LISTS = (
    *("DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities"),
    *("Saves", "Skills", "Senses", "Languages", "Reactions", "LegendaryActions"),
)
"""Lists that an Improved Initiative statblock must have, and that are always empty here."""


def _improved_initiative_id(card: SheetCard) -> str:
    return f"strike-{card.id.replace(':', '-')}"


def _improved_initiative_statblock(
    campaign_name: str, card: SheetCard, further_description: str
) -> dict[str, object]:
    powers = [{"Name": name, "Content": words, "Usage": ""} for name, words in _powers_and_their_words(card)]
    traits = [
        {"Name": about, "Content": words, "Usage": ""}
        for about, words in _statblock_lines_besides_powers(card)
    ]
    notes = str(card.sheet.get("notes", "")) if card.notes else ""
    return {
        "Id": _improved_initiative_id(card),
        "Name": card.sheet["name"],
        "Path": campaign_name,
        "Source": campaign_name,
        "Type": str(card.sheet.get("tier", "")),
        "HP": {"Value": _first_track_size(card), "Notes": ""},
        "AC": {"Value": 0, "Notes": "none in this game"},
        "InitiativeModifier": 0,
        "InitiativeAdvantage": False,
        "Speed": [str(card.sheet.get("speed"))] if "speed" in card.sheet else [],
        "Abilities": dict.fromkeys(("Str", "Dex", "Con", "Int", "Wis", "Cha"), 10),
        **{key: [] for key in _EMPTY_LISTS},
        "Challenge": "",
        "Traits": traits,
        "Actions": powers,
        "Description": "\n\n".join(
            filter(None, [str(card.sheet.get("summary", "")), further_description, notes])
        ),
        "Player": "player" if card.kind == "characters" else "",
        "Version": "3.0.0",
        "ImageURL": "",
    }


_EXPORTERS: Mapping[str, Callable[[str, Sequence[SheetCard]], dict[str, str]]] = {
    "obsidian": _obsidian_files,
    "foundry": _foundry_files,
    "improved-initiative": _improved_initiative_files,
}
"""The function that makes the files for each program, with the file name as key and its text as value."""
