"""`strike character`: the party's sheets, and new ones; `strike skill`: Skills by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from strike_cli.terminal.declare import plays
from strike_cli.terminal.lookup import Character, find_character, said
from strike_cli.terminal.options import Command, Options, StrikeCommand, command, new_app
from strike_cli.terminal.result import Block, Line, Numbers, Result, Table

from . import nouns
from .character_add import add, parameters

if TYPE_CHECKING:
    from strike_cli.terminal.sheet_view import SheetView

app = new_app()
characters = new_app()
skills = new_app()
app.add_typer(characters, name="character")
app.add_typer(skills, name="skill")

# Sheets


@characters.callback()
def _characters() -> None:
    """Show and change the characters of the party.

    Example: `strike character show vex`
    """


@command(characters, "list", kind="reads")
def list_(options: Options) -> Result:
    """List the party, a line each, by the games that the campaign plays.

    Example: `strike character list`
    """
    from strike_cli.kernel.procedure import World
    from strike_cli.terminal.sheet_view import is_played, sheet_views

    from .party import counts_points
    from .sheet import merge

    with options.campaign() as campaign:
        world = World(campaign.book, campaign.state)
        data, rows = [], []
        everybody = {who: sheet_views(world, who) for who in campaign.book.characters}
        headings = dict.fromkeys(
            part.column[0] for parts in everybody.values() for part in parts if part.column
        )
        is_strikes = is_played(world, "core")
        points = any(counts_points(world, who) for who in everybody)
        for who, parts in everybody.items():
            now = merge(world, who, parts)
            cells = dict(part.column for part in parts if part.column)
            ill = [f"{c['name']} ×{c['count']}" if c["count"] > 1 else c["name"] for c in now["conditions"]]
            data.append(_listed(who, now, parts) | {"ap": now["ap"] if points else None})
            is_strikes |= bool(ill or now["flaws"] or now["favors"])
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
        own, named = ["Conditions", "Flaws, Favors"], ["Id", "Name", "Player", *[Numbers("AP")] * points]
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


def _listed(who: str, now: Mapping[str, object], parts: Iterable[SheetView]) -> dict[str, object]:
    return {
        **{key: now[key] for key in ("name", "player", "concept", "ap")},
        **{key: value for part in parts if part.column for key, value in part.data.items()},
        "id": who,
        "conditions": [item["id"] for item in cast("Sequence[Mapping[str, object]]", now["conditions"])],
        **{key: len(cast("Sequence[object]", now[key])) for key in ("flaws", "favors", "banked")},
    }


def _counted(count: int, what: str) -> list[str]:
    return [f"{count} {what}{'' if count == 1 else 's'}"] if count else []


@command(characters, "show", kind="reads")
def show(options: Options, who: Character) -> Result:
    """Show a character's sheet, with what play has changed marked.

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


characters.command("add", cls=StrikeCommand)(Command(add, parameters, "reads"))


# Skills by hand


@skills.callback()
def _skills() -> None:
    """Skills that come and go by hand. Rolls teach them too: `strike roll skill vex Swimming`.

    Example: `strike skill learn vex Swimming`
    """


_SKILL = said("SKILL", "Say which Skill.")
_CALLED = "A Skill, as the table calls it."
SkillName = Annotated[str, typer.Argument(metavar=nouns.SKILL, help=_CALLED), _SKILL]
SkillLearned = Annotated[str, typer.Argument(metavar=nouns.SKILL_LEARNED, help=_CALLED), _SKILL]


@plays(skills, "learn", "skill learn", kind="writes")
def learn(who: Character, skill: SkillName) -> None:
    """Add a Skill to the sheet. The Tools it may need don't come with it (STR-CORE-25).

    Example: `strike skill learn vex Swimming`
    """


@plays(skills, "forget", "skill forget", kind="writes")
def forget(who: Character, skill: SkillLearned) -> None:
    """Take back a Skill learned in play. The campaign's files stay as they are.

    Example: `strike skill forget vex Swimming`
    """
