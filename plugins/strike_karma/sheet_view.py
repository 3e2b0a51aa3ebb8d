"""What a character sheet shows of Karma, and the player's phone."""

from __future__ import annotations

from strike_cli.plugin import World
from strike_cli.plugin.views import Holding, Line, OwnSheet, SheetPart, SheetView

from .sheet import EXTRAS


def view(world: World, who: str) -> SheetView:
    """Hero Dice, Luck Die, Trope and Trademark; nothing for who has no such sheet."""
    sheet = world.book.characters.get(who, {}).get("karma")
    if sheet is None:
        return SheetView()
    parts = [f"Hero Dice {sheet['hero']}d6", *([f"Luck {sheet['luck']}"] if "luck" in sheet else [])]
    parts += [f"{sheet['actions']} actions"] if sheet["actions"] > 1 else []
    parts += [
        f"{kind.capitalize()} {sheet[kind]['what']} {sheet[kind]['die']}" for kind in EXTRAS if kind in sheet
    ]
    line: Line = [("By Karma  ", "strong"), " · ".join(parts)]
    return SheetView(data={"karma": dict(sheet)}, column=("Karma", f"{sheet['hero']}d6"), blocks=[line])


def own(world: World, who: str) -> OwnSheet:
    """Return the player's view of the sheet: Hero Dice, Luck Die, and the dice that may join a roll."""
    sheet = world.book.characters.get(who, {}).get("karma")
    if sheet is None:
        return OwnSheet()
    numbers = [("Hero Dice", f"{sheet['hero']}d6")]
    numbers += [("Luck Die", sheet["luck"])] if "luck" in sheet else []
    numbers += [("Actions", str(sheet["actions"]))] if sheet["actions"] > 1 else []
    extras = [(kind, sheet[kind]) for kind in EXTRAS if kind in sheet]
    joining = [Holding(extra["what"], kind.capitalize(), extra["die"]) for kind, extra in extras]
    return OwnSheet(numbers, parts=[SheetPart("Dice that may join", joining)])
