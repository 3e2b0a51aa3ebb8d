"""The battle map: what it shows, in text and in colour, and that names can't do any harm."""

from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from support.cases import case
from support.thorough import THOROUGH

from strike_cli.systems.combat.fight_as_scene import fight_as_scene
from strike_cli.tabletop.grid import format_square
from strike_cli.terminal.battlemap import map_with_legend
from strike_cli.terminal.battlemap.labels_and_marks import map_labels as labels_by_id
from strike_cli.terminal.stream_encoding import replace_unencodable


def plain(fight: dict[str, Any], *args: Any, **more: Any) -> str:
    return map_with_legend.map_and_legend_as_plain_text(
        fight_as_scene("combat", "fight", fight), *args, **more
    )


def rich_renderable(fight: dict[str, Any], *args: Any, **more: Any) -> Any:
    return map_with_legend.map_and_legend_as_rich_text(
        fight_as_scene("combat", "fight", fight), *args, **more
    )


def labels(fight: dict[str, Any]) -> dict[str, str]:
    return labels_by_id(fight_as_scene("combat", "fight", fight))


def somebody(name: str, side: str = "enemies", at: str | None = None, **more: Any) -> dict[str, Any]:
    where = {} if at is None else {"at": at}
    return {"name": name, "side": side, "size": 1, "hp": 10, "max_hp": 10, "statuses": [], **where, **more}


def fight_of(combatants: dict[str, Any], rows: list[str], **more: Any) -> dict[str, Any]:
    return {
        "id": "bridge",
        "name": "The Toll Bridge",
        "goal": "Cross before the beacon is lit",
        "round": 2,
        "active": next(iter(combatants), None),
        "order": list(combatants),
        "combatants": combatants,
        "map": {"rows": rows},
        **more,
    }


@pytest.fixture
def bridge() -> dict[str, Any]:
    return fight_of(
        {
            "vex": somebody("Vex", "party", "B2", hp=7, initiative=6, miss_tokens=1),
            "goblin-1": somebody("Goblin 1", at="D2", hp=2, max_hp=4, initiative=5),
            "ogre": somebody("Ogre", at="F2", size=2, initiative=4, statuses=[{"id": "core:knocked-down"}]),
            "sela": somebody("Sela", "party", "C3", hp=-2, initiative=3, strikes=2),
            "archer": somebody("Archer", initiative=1, out="left"),
        },
        ["#########", "#..~....#", "#..~....#", "##+#/####"],
    )


def shown(text: str) -> list[str]:
    return text.strip("\n").splitlines()


# --- golden pictures


def test_a_narrow_terminal_has_the_legend_below(bridge: dict[str, Any]) -> None:
    assert plain(bridge, 70).splitlines() == shown("""
The Toll Bridge · Round 2 · Vex's turn
Goal: Cross before the beacon is lit

    A  B  C  D  E  F  G  H  I
  ┌───────────────────────────┐
1 │███████████████████████████│
2 │███▸V  · ░G1 · ┌O───┐ · ███│
3 │███ · ✗S ░░░ · └────┘ · ███│
4 │██████ ▮ ███ ▯ ████████████│
  └───────────────────────────┘
░░░ difficult   ▮  closed door   ▯  open door  ▸ acting  ✗ down

     Name                   HP  At Init
▸ V  Vex      ━━━━━━━···  7/10  B2    6  1 Miss Token
  G1 Goblin 1 ━━━━━·····   2/4  D2    5  Bloodied
  O  Ogre     ━━━━━━━━━━ 10/10  F2    4  Knocked Down
  S  Sela     ·········· -2/10  C3    3  Incapacitated, 2 Strikes
  A  Archer   ━━━━━━━━━━ 10/10  —     1  Left
""")


def test_a_wide_terminal_has_the_legend_beside_the_map(bridge: dict[str, Any]) -> None:
    lines = plain(bridge, 110).splitlines()
    assert "1 │███████████████████████████│     G1 Goblin 1 ━━━━━·····   2/4  D2    5  Bloodied" in lines


def test_the_way_and_the_reach_are_drawn_over_the_ground(bridge: dict[str, Any]) -> None:
    """In ASCII, as a terminal gets it that knows no Unicode."""
    path, reach = [(1, 1), (2, 1), (3, 2), (4, 3)], {(1, 2), (3, 2), (4, 1)}
    drawn = replace_unencodable(plain(bridge, 70, path=path, reach=reach), "ascii")
    assert drawn.splitlines()[3:12] == shown("""
    A  B  C  D  E  F  G  H  I
  +---------------------------+
1 |###########################|
2 |###>V  * ~G1 o +O---+ . ###|
3 |### o xS ~*~ . +----+ . ###|
4 |###### + ### @ ############|
  +---------------------------+
~~~ difficult   +  closed door   /  open door   o  in reach
 @  the path's end  > acting  x down
""")


def test_rock_is_told_from_the_faces_of_walls() -> None:
    picture = plain(fight_of({}, ["####", "####", "###."]), 60)
    assert "1 │▒▒▒▒▒▒▒▒▒▒▒▒│" in picture
    assert "2 │▒▒▒▒▒▒██████│" in picture


def test_a_wide_map_is_cropped_around_whoever_acts_and_says_so() -> None:
    combatants = {"vex": somebody("Vex", "party", "AC1"), "imp-1": somebody("Imp", at="A1")}
    picture = plain(fight_of(combatants, ["." * 40]), 33)
    assert "1 ┊ ·  ·  ·  · ▸V  ·  ·  ·  · ┊" in picture
    assert "Columns Y to AG of A to AN are" in picture
    assert "Outside the picture: I1 at A1" in picture


def test_a_fight_without_a_map_has_its_legend(bridge: dict[str, Any]) -> None:
    del bridge["map"]
    assert "▸ V  Vex " in plain(bridge, 70)


def test_a_fight_before_its_first_turn() -> None:
    assert plain(fight_of({}, [], round=0, active=None), 70).splitlines()[0] == "The Toll Bridge"


def test_the_fallen_lie_under_the_standing() -> None:
    combatants = {"vex": somebody("Vex", "party", "A1"), "imp-1": somebody("Imp", at="A1", out="taken-out")}
    picture = plain(fight_of(combatants, [".."]), 60)
    assert "1 │▸V  · │" in picture
    assert "Outside the picture: I1 at A1" in picture


# --- labels


def labels_of(**names: str) -> dict[str, str]:
    return labels(
        fight_of({who.replace("_", "-"): somebody(name, "party") for who, name in names.items()}, [])
    )


def test_labels_are_short_and_telling() -> None:
    assert labels_of(vex="Vex", goblin_1="Goblin 1", goblin_12="Goblin 12") == {
        "vex": "V",
        "goblin-1": "G1",
        "goblin-12": "G12",
    }
    assert labels_of(vex="Vex", vera="Vera") == {"vex": "Vx", "vera": "Ve"}
    assert labels_of(goblin_1="Goblin", ghoul_1="Ghoul") == {"goblin-1": "Go1", "ghoul-1": "Gh1"}
    assert labels_of(guard="[red]", nobody="!?") == {"guard": "R", "nobody": "N"}


names = st.one_of(
    st.sampled_from(["Vex", "[red]Rat[/red]", "[/]", "G1", "!?", ""]),
    st.text("aVé ß龍İ🐉[]/\\:-\x1b\n\t\u0301\u200d\u202e", max_size=12),
)
ids = st.one_of(
    st.sampled_from(["vex", "vera", "goblin-1", "goblin-01", "ghoul-1", "goblin-2", "gob-1", "1-1"]),
    st.text("abg-12:", min_size=1, max_size=8),
)


@st.composite
def fights(draw: st.DrawFn) -> dict[str, Any]:
    """Some creatures in places of their own, and some that are not on the map."""
    squares = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), max_size=8, unique=True))
    places = [format_square(square) for square in squares] + [None, None]
    combatants = {
        who: somebody(
            draw(names),
            draw(st.sampled_from(["party", "enemies", "spirits"])),
            place,
            hp=draw(st.integers(-5, 12)),
            hidden=draw(st.booleans()),
            statuses=[{"id": f"core:{draw(st.sampled_from(['prone', 'bloodied', '[b]x']))}"}],
        )
        for who, place in zip(draw(st.lists(ids, max_size=10, unique=True)), places, strict=False)
    }
    rows = draw(st.lists(st.text(".#~+/ ", min_size=7, max_size=7), min_size=5, max_size=5))
    return fight_of(combatants, rows, active=draw(st.sampled_from([*combatants, None])))


@pytest.mark.slow
@given(fights())
def test_no_two_labels_are_the_same(fight: dict[str, Any]) -> None:
    found = labels(fight)
    assert found.keys() == fight["combatants"].keys()
    assert len({label.casefold() for label in found.values()}) == len(found)
    backwards = dict(reversed(fight["combatants"].items()))
    assert labels({**fight, "combatants": backwards, "order": []}) == found


# --- both forms


@given(fights())
def test_everybody_on_the_map_is_in_the_map_and_in_the_legend(fight: dict[str, Any]) -> None:
    lines = plain(fight, 100).splitlines()
    found = labels(fight)
    cell = 1 + max([2, *map(len, found.values())])
    for who, combatant in fight["combatants"].items():
        mark = "▸" if who == fight["active"] else " "
        assert any(f"{mark} {found[who]} " in line for line in lines), "in the legend"
        if "at" in combatant:
            x, y = ord(combatant["at"][0]) - ord("A"), combatant["at"][1:]
            row = next(line for line in lines if line.startswith(f"{y} │"))
            start = len("1 │") + x * cell
            assert row[start + 1 : start + cell].rstrip(" ░") == found[who], "in the map"


@pytest.mark.slow
@settings(max_examples=50 if THOROUGH else 30)
@given(fights(), st.sampled_from([30, 60, 100]))
def test_colour_changes_nothing_but_the_colour(fight: dict[str, Any], width: int) -> None:
    written = StringIO()
    console = Console(file=written, width=width, color_system=None, legacy_windows=False)
    overlays: dict[str, Any] = {"path": [(0, 0), (1, 1)], "reach": {(2, 2)}}
    console.print(rich_renderable(fight, width, **overlays))
    expected = plain(fight, width, **overlays).splitlines()
    assert [line.rstrip() for line in written.getvalue().splitlines()] == expected


@given(fights(), st.integers(12, 140))
def test_no_line_is_wider_than_the_terminal(fight: dict[str, Any], width: int) -> None:
    assert all(cell_len(line) <= width for line in plain(fight, width).splitlines())


def test_names_are_never_read_as_markup_nor_steer_the_terminal() -> None:
    fight = fight_of(
        {"rat": somebody("[red]Rat[/red]\x1b[2J\n:skull:", at="A1")}, ["."], goal="[bold]\tgo[/bold]"
    )
    text = rich_renderable(fight, 80).plain
    assert "[red]Rat[/red] [2J :skull:" in text
    assert "Goal: [bold] go[/bold]" in text
    assert "\x1b" not in text


def test_the_colours_tell_the_sides_and_whoever_acts(bridge: dict[str, Any]) -> None:
    text = rich_renderable(bridge, 80)
    looks = {text.plain[span.start : span.end]: span.style for span in text.spans}
    assert looks["░G1"] == next(look for cell, look in looks.items() if "┌O─" in cell)
    kinds = [looks[cell] for cell in ("▸V ", "░G1", "✗S ", "███", "░░░")]
    assert len(set(kinds)) == len(kinds)


# --- walls between squares, zones, and looking ahead


@pytest.fixture
def tower() -> dict[str, Any]:
    board = {
        "rows": ["....", "..~.", "...."],
        "walls": [[[1, 0], [1, 2], [3, 2]]],
        "doors": [{"at": [[3, 2], [4, 2]], "open": False}, {"at": [[3, 0], [3, 1]], "open": True}],
    }
    zones = {
        "oil": {"name": "Oil", "squares": ["D3"], "damage": 2, "difficult": True, "ends": "encounter"},
        "fog": {"name": "Fog", "squares": ["A3", "B3"], "sight": "obscured", "ends": "encounter"},
        "pit": {"name": "Pit", "squares": ["A2"], "sight": "dark", "secret": True, "ends": "encounter"},
    }
    return fight_of({"vex": somebody("Vex", "party", "B1")}, [], map=board, zones=zones)


def test_walls_run_between_the_squares(tower: dict[str, Any]) -> None:
    assert shown(plain(tower, 80))[3:14] == [
        "    A   B   C   D",
        "  ┌───────────────┐",
        "1 │ · ┃▸V   · ▯ · │",
        "  │   ┃           │",
        "2 │ ▩ ┃ ·  ░░░  · │",
        "  │   ┗━━━━━━━╸▬▬▬│",
        "3 │ ≈   ≈   ·  ░✶░│",
        "  └───────────────┘",
        "░░░ difficult  ▮▬ closed door  ▯▭ open door  ▸ acting",
        " ✶  Oil: 2 damage, difficult   ≈  Fog: obscured",
        " ▩  Pit: completely obscured, hidden from players",
    ]


def test_one_way_walls_point_to_where_one_gets_past(tower: dict[str, Any]) -> None:
    """Two in one place that point to both sides are a wall."""
    tower["map"] = {
        "rows": ["....", "....", "...."],
        "one_way_walls": [[[0, 1], [2, 1], [2, 0]], [[3, 0], [3, 2], [1, 2]], [[4, 2], [3, 2]],
            [[3, 2], [4, 2]]],
    }  # fmt: skip
    tower["zones"] = {}
    assert shown(plain(tower, 80))[3:12] == [
        "    A   B   C   D",
        "  ┌───────────────┐",
        "1 │ ·  ▸V ◃ · ▹ · │",
        "  │▵▵▵ ▵▵▵        │",
        "2 │ ·   ·   · ▹ · │",
        "  │    ▿▿▿ ▿▿▿╺━━━│",
        "3 │ ·   ·   ·   · │",
        "  └───────────────┘",
        "▹▿◃▵ one-way, in its direction  ▸ acting",
    ]


def test_windows_and_curtains_look_like_neither_walls_nor_ground(tower: dict[str, Any]) -> None:
    tower["map"] = {
        "rows": ["....", "....", "...."],
        "see_through_walls": [[[0, 1], [2, 1], [2, 0]]],
        "walk_through_walls": [[[3, 0], [3, 2]]],
        "terrain_walls": [[[2, 3], [2, 2]]],
    }
    tower["zones"] = {}
    drawn = shown(plain(tower, 80))[3:]
    assert drawn[2].count("┊") == 1 and drawn[2].count("╎") == 1
    assert "┈┈┈" in drawn[3] and "╎" in drawn[4]
    assert drawn[6].count("┆") == 1
    assert drawn[8:10] == [
        "┊┈ stops only steps  ╎╌ stops only sight  ┆┄ cover; you see into it, not through",
        "▸ acting",
    ]


def test_looking_ahead(tower: dict[str, Any]) -> None:
    """Where a move may end, and a way: over zones, too."""
    lines = shown(plain(tower, 80, path=[(1, 0), (1, 1), (2, 0)], reach={(3, 0), (3, 2)}))
    assert lines[5] == "1 │ · ┃▸V   ◎ ▯ ◦ │"
    assert lines[7] == "2 │ ▩ ┃ ↗  ░░░  · │"
    assert lines[9] == "3 │ ≈   ≈   ·  ░✶░│"
    assert "in reach" in "".join(lines)


def test_large_creatures_stand_across_the_lines(tower: dict[str, Any]) -> None:
    tower["combatants"] = {"ogre": somebody("Ogre", at="C1", size=2)}
    assert shown(plain(tower, 80))[5:8] == [
        "1 │ · ┃ ·  ┌O────┐│",
        "  │   ┃    │     ││",
        "2 │ ▩ ┃ ·  └─────┘│",
    ]


def test_a_map_with_walls_fits_any_terminal(tower: dict[str, Any]) -> None:
    tower["map"]["rows"] = [row * 9 for row in tower["map"]["rows"]]
    for width in (140, 80, 50, 20, 9):
        with case(width):
            assert all(len(line) <= width for line in plain(tower, width).splitlines())
            # The signs of a map are replaced one for one, so that nothing moves.
            lines = plain(tower, width).replace("…", "").splitlines()
            in_ascii = replace_unencodable("\n".join(lines), "ascii")
            assert in_ascii.isascii() and "\\" not in in_ascii
            assert [len(line) for line in in_ascii.splitlines()] == [len(line) for line in lines]
