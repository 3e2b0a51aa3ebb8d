"""Sheets on the terminal, new characters, and the commands that change a sheet by hand."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from rich.console import Console
from support.cases import case
from support.cli import Strike
from support.edits import replace_in

from strike_cli.content.merged_content import open_book
from strike_cli.kernel.procedure import World
from strike_cli.systems.core.commands.current_sheets import sheet_block
from strike_cli.terminal.command_output import (
    Block,
    Columns,
    Frame,
    Section,
    blocks_as_unwrapped_text,
    rich_block,
)

LEARNED = {
    "ap": 4,
    "conditions": ["core:winded", "core:winded", "core:lost-confidence", "core:short"],
    "doubts": ["Climbing"],
    "skills_learned": ["Swimming"],
    "flaws": [{"id": "f1", "on": "rope", "text": "frayed"}],
    "favors": [{"id": "v1", "to": "The Guild", "text": "a night", "reputation": True}],
    "banked": [{"id": "b1", "gives": "advantage", "for": "Sneaking", "why": "the rounds"}],
    "tricks_gained": [{"name": "Up the wall", "skill": "Climbing"}],
    "complications_gained": ["Wanted"],
    "complications_lost": ["Owes the ferryman"],
    "fallback": "Nerve",
    "wealth": 2,
    "cash": [1],
    "levels": 1,
}


def drawn(block: Block, width: int) -> list[str]:
    """The lines of a block on a terminal so many columns wide."""
    console = Console(
        legacy_windows=False,
        file=io.StringIO(),
        width=width,
        force_terminal=True,
        color_system=None,
        highlight=False,
    )
    with console.capture() as capture:
        console.print(rich_block(block, width), highlight=False)
    return capture.get().splitlines()


@pytest.fixture
def world(folder: Path) -> World:
    return World(open_book(folder), {"characters": {"vex": LEARNED}})


# --- the sheet


def test_show_puts_what_play_changed_into_what_people_wrote(in_campaign: Strike, folder: Path) -> None:
    """STR-CORE-02, 23, 24, 29, 31."""
    in_campaign("skill learn vex Swimming")
    state = tomllib.loads((folder / "state.toml").read_text(encoding="utf-8"))
    state["characters"] = {"vex": LEARNED}
    (folder / "state.toml").write_text(tomli_w.dumps(state), encoding="utf-8")
    now = in_campaign.json("character show vex")["data"]["merged"]
    assert now["ap"] == 4
    assert now["skills"] == ["Climbing", "Sneaking", "Swimming"]
    assert now["tricks"] == [{"name": "Up the wall", "skill": "Climbing"}]
    names = [item["name"] for item in now["complications"]]
    assert "Wanted" in names
    assert "Owes the ferryman" not in names
    assert (now["wealth"], now["wealth_now"], now["cash"]) == (2, 1, [1])
    assert now["fallback"] == "Nerve"
    assert [(item["id"], item["count"]) for item in now["conditions"]] == [
        ("core:winded", 2),
        ("core:lost-confidence", 1),
        ("core:short", 1),
    ]


def test_untouched_is_as_written(in_campaign: Strike) -> None:
    shown = in_campaign.json("character show odo")["data"]
    now, written = shown["merged"], shown["written"]
    assert all(now[key] == value for key, value in written.items() if key not in ("tricks", "complications"))
    assert "play" not in in_campaign("character show odo").out.partition("In a fight")[0]


def test_the_sheet_tells(world: World) -> None:
    text = blocks_as_unwrapped_text([sheet_block(world, "vex")])
    for shown in (
        "●●●● 4 ~ was 1",
        "Rich (2) ~ was Poor, counts as 1 while Short",
        "Cash rank 1 ~ was none",
        "Winded ×2  Disadvantage on physical tasks",
        "Affects Climbing.",
        "f1 rope  frayed",
        "v1 The Guild  a night  now a Bad Reputation",
        "b1 Advantage on Sneaking  the rounds",
        "Skills: Climbing, Sneaking, +Swimming",
        "+ Up the wall (Climbing)",
        "+ Wanted",
        "- Owes the ferryman",
        "+ Nerve",
        "Level-ups 1",
        "+ gained in play   - lost in play   ~ changed in play",
        "10 HP · Speed 6",
        "reach 1 or range 5",
        "Prone (save ends)",
        "once a fight: Dazed",
        "oneself: Guarded",
    ):
        assert shown in text


def test_the_sheet_in_a_fight(world: World) -> None:
    combatant = {
        "hp": 3, "max_hp": 10, "strikes": 1, "miss_tokens": 2, "out": "taken-out",
        "statuses": [{"id": "core:dazed", "ends": "save"}],
    }  # fmt: skip
    world.state["fight"] = {"name": "The Yard", "combatants": {"vex": combatant}}
    text = blocks_as_unwrapped_text([sheet_block(world, "vex")])
    assert "The Yard: 3 of 10 HP, 1 Strike, 2 Miss Tokens, Dazed, taken out" in text


def test_the_sheet_fits_its_terminal(world: World) -> None:
    for width in (200, 120, 88, 70, 40, 20):
        with case(width):
            lines = drawn(sheet_block(world, "vex"), width)
            assert max(map(len, lines)) <= width
            assert lines[0].startswith("╭")
            assert lines[-1].startswith("╰")
            side_by_side = any("Skills" in line and "Tricks" in line for line in lines)
            assert side_by_side == (width >= 92)


def test_names_cannot_draw_on_the_terminal() -> None:
    block = Frame("a\x1b[31mb", [Section("c\x1bd", [("", "e\x1bf")]), Columns(["g\x1b"], ["h"])], "i\x1b")
    assert "\x1b" not in blocks_as_unwrapped_text([block])
    assert "\x1b[31mb" not in "".join(drawn(block, 60))


def test_empty_columns() -> None:
    assert blocks_as_unwrapped_text([Columns([], ["a"])]) == "a\n"
    assert blocks_as_unwrapped_text([Columns(["a"], ["b"])]) == "a\n\nb\n"


def test_show_json(in_campaign: Strike) -> None:
    in_campaign("skill learn vex Swimming")
    data = in_campaign.json("character show vex")["data"]
    assert data["id"] == "vex"
    assert data["from"] == "campaign.toml"
    assert data["written"]["skills"] == ["Climbing", "Sneaking"]
    assert data["changed"] == {"skills_learned": ["Swimming"]}
    assert data["merged"]["skills"] == ["Climbing", "Sneaking", "Swimming"]


def test_show_suggests(in_campaign: Strike) -> None:
    assert "Did you mean 'Brann'" in in_campaign("character show bran-", code=2).err


def test_list(in_campaign: Strike) -> None:
    in_campaign("condition add vex winded")
    in_campaign("condition add vex winded")
    in_campaign("flaw add vex rope")
    rows = in_campaign.json("character list")["data"]["characters"]
    assert [row["id"] for row in rows] == ["vex", "brann", "odo", "vesna"]
    assert rows[0]["conditions"] == ["core:winded"]
    out = in_campaign("character list").out
    assert "Winded ×2" in out
    assert "1 Flaw" in out


# --- somebody new


def included(folder: Path, patterns: str) -> None:
    replace_in(folder / "campaign.toml", "seed = 20", f"seed = 20\ninclude = {patterns}")


ADD = 'character add tilda --name "Tilda O\'Malley" --player Ida --skill Slingshot --skill Hiding --wealth 0'


def test_add_writes_a_new_file(in_campaign: Strike, folder: Path) -> None:
    included(folder, '["characters/*.toml"]')
    before = (folder / "campaign.toml").read_bytes()
    data = in_campaign.json(ADD)["data"]
    assert data["included"] is True
    assert data["line_to_add"] is None
    assert (folder / "campaign.toml").read_bytes() == before
    sheet = open_book(folder).characters["tilda"]
    assert (sheet["name"], sheet["skills"], sheet["wealth"]) == ("Tilda O'Malley", ["Slingshot", "Hiding"], 0)
    in_campaign("condition add tilda winded")


@pytest.mark.parametrize("patterns", [None, '["people/*.toml"]'])
def test_who_is_added_plays_at_once(in_campaign: Strike, folder: Path, patterns: str | None) -> None:
    """Also where campaign.toml includes no folder for them; it stays as it is."""
    if patterns:
        included(folder, patterns)
    before = (folder / "campaign.toml").read_bytes()
    assert "Tilda O'Malley is in content/character-tilda.toml" in in_campaign(ADD).out
    in_campaign("condition add tilda winded")
    in_campaign("character add 'Ana bo'")
    assert open_book(folder).characters["ana-bo"]["name"] == "Ana Bo"
    data = in_campaign.json("character add kit --name Kit --dry-run")["data"]
    assert data["file"].endswith("character-kit.toml")
    assert not (folder / "content" / "character-kit.toml").exists()
    assert (folder / "campaign.toml").read_bytes() == before


def test_add_refuses(in_campaign: Strike, folder: Path) -> None:
    for line, code, says in (
        ("character add vex --name Vex", 1, "already, in campaign.toml"),
        ("character add VEX --name Vex", 1, "already, in campaign.toml"),
        ("character add 'a b' --name X", 2, "is not an id"),
        ("character add ../up --name X", 2, "is not an id"),
        ("character add a:b --name X", 2, "colon"),
        ("character add new --name ' '", 2, "name: should be some text"),
        ("character add new --name X --skill 'a\nb'", 2, "skills: should be some text"),
        ("character add new --name X --wealth 4", 2, "new.wealth: 4"),
        ("character add new --name X --power nixx", 2, "'nixx'"),
    ):
        with case(line):
            assert says in in_campaign(line, code=code).err
            assert not (folder / "characters").exists()


def test_add_never_writes_over_a_file(in_campaign: Strike, folder: Path) -> None:
    (folder / "content").mkdir()
    mine = folder / "content" / "character-tilda.toml"
    mine.write_text("# mine\n", encoding="utf-8")
    in_campaign(ADD, code=1)
    assert mine.read_text(encoding="utf-8") == "# mine\n"


def test_add_leaves_nothing_where_the_campaign_would_break(in_campaign: Strike, folder: Path) -> None:
    """Somebody broke another file meanwhile: the new one goes again."""
    included(folder, '["characters/*.toml"]')
    in_campaign(ADD)
    (folder / "characters" / "tilda.toml").write_text("[characters.tilda]\n", encoding="utf-8")
    assert "name: missing" in in_campaign("character add kit --name Kit", code=3).err
    assert not (folder / "characters" / "kit.toml").exists()


def test_add_within_a_script(in_campaign: Strike, folder: Path) -> None:
    included(folder, '["characters/*.toml"]')
    script = folder / "script"
    script.write_text("character add kit --name Kit\ncondition add kit winded\n", encoding="utf-8")
    in_campaign(f"batch {script}")
    assert in_campaign.json("character show kit")["data"]["changed"] == {"conditions": ["core:winded"]}


# --- commands that change a sheet


@pytest.mark.parametrize(
    ("lines", "changed"),
    [
        (["condition add VEX Winded --why climb"], {"conditions": ["core:winded"]}),
        (["condition add vex winded"] * 3, {"conditions": ["core:exhausted"]}),
        (["condition add vex 'lost confidence' --about climbing"],
         {"conditions": ["core:lost-confidence"], "doubts": ["Climbing"]}),
        (["condition add vex angry", "condition remove vex angry"], {}),
        (["condition add vex injured", "recover vex injured --doctor --rest day"], {}),
        (["flaw add vex 'black rope' --text frayed", "flaw mend vex rope"], {}),
        (["favor add vex Guild", "favor repay vex guild"], {}),
        (["favor add vex Guild", "favor overdue vex v1"],
         {"favors": [{"id": "v1", "to": "Guild", "reputation": True}]}),
        (["bonus bank vex Sneaking", "bonus drop vex sneak"], {}),
        (["skill learn vex Swimming", "skill forget vex swimming"], {}),
        (["flaw add vex rope", "flaw use vex f1", "flaw mend vex f1"], {"ap": 2}),
    ],
)  # fmt: skip
def test_by_hand(in_campaign: Strike, lines: list[str], changed: dict[str, Any]) -> None:
    """STR-CORE-10 to 13: each command leaves the state that it says, undo takes it back, replay agrees."""
    for line in lines:
        envelope = in_campaign.json(line)
        assert envelope["command"] == " ".join(line.split()[: 1 if line.startswith("recover") else 2])
        assert envelope["seq"]
    assert in_campaign.json("character show vex")["data"]["changed"] == changed
    in_campaign("replay --verify")
    in_campaign(f"undo {len(lines)}")
    assert in_campaign.json("character show vex")["data"]["changed"] == {}


def test_refusals(in_campaign: Strike, folder: Path) -> None:
    for line, code, says in (
        ("condition add vex wnded", 2, "Did you mean 'winded'"),
        ("condition add nobody winded", 2, "'nobody'"),
        ("condition add vex lost-confidence", 1, "--about Climbing,Sneaking"),
        ("condition add vex lost-confidence --about Dancing", 2, "no Skill 'Dancing'"),
        ("condition remove vex winded", 1, "Vex is not Winded"),
        ("recover vex angry", 1, "Vex is not Angry"),
        ("recover vex winded --rest hour", 2, "is not one of minutes"),
        ("flaw add vex ''", 2, "ON is empty"),
        ("flaw use vex f1", 2, "Vex has no Flaw"),
        ("favor repay vex v1", 2, "Vex has no Favor"),
        ("bonus drop vex b1", 2, "Vex has no banked bonus"),
        ("skill learn vex ' '", 2, "SKILL is empty"),
        ("skill learn vex Climbing", 1, "Vex has Climbing already"),
        ("skill forget vex Climbing", 1, "as written"),
    ):
        with case(line):
            assert says in "".join(in_campaign(line, code=code)[1:])
            assert not (folder / "state.toml").exists()


def test_an_unclear_flaw(in_campaign: Strike) -> None:
    in_campaign("flaw add vex 'black rope'")
    in_campaign("flaw add vex 'black cloak'")
    ran = in_campaign("flaw use vex black", code=2)
    assert "f1 (black rope), f2 (black cloak)" in ran.err
    in_campaign("flaw use vex cloak")


def test_condition_list(in_campaign: Strike) -> None:
    in_campaign("condition add vex winded")
    in_campaign("condition add vex winded")
    found = {item["id"]: item for item in in_campaign.json("condition list")["data"]["conditions"]}
    assert found["core:winded"]["held_by"] == ["vex"]
    assert found["core:injured"]["recovery"]["needs"] == ["doctor", "day"]
    out = in_campaign("condition list").out
    assert "Vex ×2" in out
    assert "time to cool off, while holding no other Minor Condition" in out


def test_bonus_list(in_campaign: Strike) -> None:
    assert "Nobody has a banked" in in_campaign("bonus list").out
    in_campaign("bonus bank odo Cooking --why 'a good stove'")
    in_campaign("bonus bank vex Climbing --disadvantage")
    assert len(in_campaign.json("bonus list")["data"]["banked"]) == 2
    assert in_campaign.json("bonus list odo")["data"]["banked"] == [
        {"who": "odo", "id": "b1", "gives": "advantage", "for": "Cooking", "why": "a good stove"}
    ]
