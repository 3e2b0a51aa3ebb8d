"""Random tables: what they may be, how they are drawn from, and how they are written."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.cases import case
from support.cli import Strike
from support.game import Game, book_with

from strike_cli.kernel.exact_odds import exact_chances
from strike_cli.kernel.procedure import World
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.problems import Refused
from strike_cli.systems.prep.random_table_files import CSV, MARKDOWN
from strike_cli.systems.prep.random_tables import table_words

TABLES = """
[tables.weather]
name = "Weather"
dice = "2d4"
secret = false
entries = [
  { on = "2-4", text = "Fog" },
  { on = "5", text = "Rain for {1d6} hours" },
  { on = "6-8", text = "Clear" },
]
[tables.finds]
name = "Finds"
entries = [{ weight = 3, text = "a nail" }, "a letter to {names}", "{finds}, and {finds}"]
[tables.names]
name = "Names"
repeats = false
entries = ["Ossi", "Berra", "Kuno"]
"""


@pytest.fixture
def game() -> Game:
    return Game(book_with(TABLES))


def drawn(game: Game, table: str, *dice: int, count: int = 1) -> list[str]:
    return [each["text"] for each in game.play("draw", table=table, count=count, dice=dice)["drawn"]]


def odds(game: Game, table: str) -> dict[str, Fraction]:
    def start() -> Any:
        world = World(game.book, game.state)
        return find_move("draw").start(world, {"table": table}), world

    return exact_chances(start, lambda data: data["drawn"][0]["text"])


def test_an_entry_comes_on_its_numbers_of_the_dice(game: Game) -> None:
    assert drawn(game, "weather", 1, 1, 1, 3, 4, 4, count=3) == ["Fog", "Fog", "Clear"]
    assert drawn(game, "weather", 1, 4, 6) == ["Rain for 6 hours"]
    assert game.facts[0].details["rolls"][0].faces == [1, 4]


def test_the_chances_are_those_of_the_dice(game: Game) -> None:
    chances = Counter[str]()
    for text, chance in odds(game, "weather").items():
        chances[text.split()[0]] += chance  # type: ignore[assignment]
    assert chances == {"Fog": Fraction(6, 16), "Rain": Fraction(4, 16), "Clear": Fraction(6, 16)}


def test_a_table_in_words(game: Game) -> None:
    """How it is drawn from, and the chance of each entry, in whole percent."""
    tables = game.book.tables
    assert table_words(game.book, tables["weather"]) == (
        "2d4 is rolled, open to all: Fog (38 %); Rain for {1d6} hours (25 %); Clear (38 %)"
    )
    assert table_words(game.book, tables["names"]) == (
        "one of 3 comes up, each once until all were drawn, for you alone: "
        "Ossi (33 %); Berra (33 %); Kuno (33 %)"
    )
    assert "a nail (60 %)" in table_words(game.book, tables["finds"])


def test_weights_and_tables_within(game: Game) -> None:
    """A die of as many sides as the weights come to, then that of the table that the entry draws from."""
    assert drawn(game, "finds", 3) == ["a nail"]
    assert drawn(game, "finds", 4, 2) == ["a letter to Berra"]
    assert drawn(game, "finds", 5, 1, 4, 1) == ["a nail, and a letter to Ossi"]


def test_drawn_twice_for_ever_comes_to_an_end(game: Game) -> None:
    """Who always rolls "draw twice" is led on eight times deep, and no deeper."""
    game.book.tables = {
        **game.book.tables,
        "finds": {**game.book.tables["finds"], "entries": ["a nail", "{finds}"]},
    }
    assert drawn(game, "finds", *[2] * 8) == ["a nail"]


def chain(length: int, most: int) -> str:
    """Tables each of whose entries draws from the next so many times."""
    tables = [
        f'[tables.t{n}]\nname = "T{n}"\nentries = ["{" ".join([f"{{t{n + 1}}}"] * most)}"]'
        for n in range(length)
    ]
    return "\n".join([*tables, f'[tables.t{length}]\nname = "End"\nentries = ["the end"]'])


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        (chain(30, 8), "more than 1,000"),
        (chain(9, 8), "more than 1,000"),
        pytest.param(chain(2000, 1), "chain of more than 50", marks=pytest.mark.slow),
        (chain(1, 1).replace('["the end"]', '["' + "{t1}" * 8 + '", "x"]'), ""),
        (chain(2, 30).replace("the end", "x" * 1000), "20,000 characters"),
    ],
)  # fmt: skip
def test_tables_that_draw_themselves_apart_come_to_an_end(
    folder: Path, in_campaign: Strike, tables: str, why: str
) -> None:
    """As a stranger may write them: 8 to the 30th drawings, with the campaign's lock held."""
    file = folder / "campaign.toml"
    file.write_text(file.read_text("utf-8") + tables, "utf-8")
    for seed in range(3):
        said = in_campaign(f"draw t0 --seed {seed}", 1 if why else 0)
        assert why in said.err
    in_campaign("roll d6")
    assert in_campaign("log --last 1").out.startswith("#1" if why else "#4")


@pytest.mark.slow
def test_circles_are_found_among_very_many_tables(folder: Path, in_campaign: Strike) -> None:
    """Each leads to all others: whoever looks at each way by itself looks for ever."""
    names = [f"t{number}" for number in range(120)]
    tables = (
        f'[tables.{name}]\nname = "{name}"\nentries = ["x", "{{{"} {".join(names[:90])}}}"]' for name in names
    )
    file = folder / "campaign.toml"
    file.write_text(file.read_text("utf-8") + "\n".join(tables), "utf-8")
    said = in_campaign("draw t7", 2).err
    assert "draw from each other in a circle: t0 > " in said
    assert "more\n" in said, "of very many faults the first are told"


def test_what_does_not_repeat_comes_once_until_all_have_come(game: Game) -> None:
    """The die has as many sides as entries are left, and the last needs none."""
    assert drawn(game, "names", 2) == ["Berra"]
    assert drawn(game, "names", 2) == ["Kuno"]
    assert game.get("tables_drawn.names") == [1, 2]
    assert drawn(game, "names") == ["Ossi"]
    assert drawn(game, "names", 3, 1, count=3) == ["Kuno", "Ossi", "Berra"]


def test_a_table_within_remembers_too(game: Game) -> None:
    assert drawn(game, "finds", 4, 1) == ["a letter to Ossi"]
    assert drawn(game, "finds", 4, 1) == ["a letter to Berra"]


def test_a_table_that_got_shorter_forgets_what_is_gone(game: Game) -> None:
    game.set("tables_drawn.names", [0, 7])
    assert drawn(game, "names", 1) == ["Berra"]


def test_too_often_or_gone_is_refused(game: Game) -> None:
    for args in ({"table": "weather", "count": 0}, {"table": "weather", "count": 101}, {"table": "gone"}):
        with pytest.raises(Refused):
            game.play("draw", **args)


# --- mistakes


WRONG = [
    ('dice = "d4"\nentries = [{ on = "1-2", text = "a" }]', "no entry for 3, 4 of d4"),
    (
        'dice = "d2"\nentries = [{ on = "1-2", text = "a" }, { on = "2", text = "b" }]',
        "several entries for 2",
    ),
    ('dice = "d2"\nentries = [{ on = "1-3", text = "a" }]', "d2 never shows 3"),
    ('dice = "d2"\nentries = ["a", "b"]', "each entry needs its numbers"),
    ('entries = [{ on = "1", text = "a" }]', "name the dice"),
    ('dice = "d1"\nrepeats = false\nentries = [{ on = "1", text = "a" }]', "goes by weights"),
    ('entries = ["{2d}"]', "there is no table '2d'"),
    ('entries = ["{not here!}"]', "not dice, like {2d6}, and not the name of a table"),
    ('entries = ["{finds}"]', "there is no table 'finds'"),
    ('entries = ["{own}", "{own} and {own}"]', "without end"),
    ("entries = []", "should have 1 or more"),
    ('entries = [{ weight = 0, text = "a" }]', "entries[1].weight"),
    (f'entries = ["{2001 * "a"}"]', "2000"),
]
"""Tables, and what is told of each."""


def test_a_wrong_table_is_left_out_and_told(folder: Path, in_campaign: Strike) -> None:
    """With file and key; everything else goes on, and so do the tables beside it."""
    with (folder / "campaign.toml").open("a") as file:
        file.write('[tables.sound]\nname = "Sound"\nentries = ["a"]\n')
        for number, (table, _) in enumerate(WRONG):
            table = table.replace("{own}", f"{{own-{number}}}")
            file.write(f'[tables.own-{number}]\nname = "Own"\n{table}\n')
    for number, (table, fault) in enumerate(WRONG):
        with case(table):
            said = in_campaign(f"draw own-{number}", 2).err
            assert f"campaign.toml: tables.own-{number}" in said
            assert fault in said
    in_campaign("roll vex climbing --dice 4")
    in_campaign("draw sound")


def test_a_circle_of_tables_is_named(folder: Path, in_campaign: Strike) -> None:
    with (folder / "campaign.toml").open("a") as file:
        for one, other in (("sun", "moon"), ("moon", "tide"), ("tide", "sun")):
            file.write(f'[tables.{one}]\nname = "{one}"\nentries = ["a", "{{{other}}}"]\n')
    assert "in a circle: sun > moon > tide > sun" in in_campaign("draw sun", 2).err


# --- files


def test_a_csv_file_is_a_table(folder: Path, in_campaign: Strike) -> None:
    """Semicolons as well; what stands behind the last column belongs to the text."""
    for sign in (",", ";"):
        lines = (f"d3{sign}text", f"1-2{sign}Fog{sign} thick", f'3{sign}"Clear{sign} at last"')
        entries = CSV.read("\n".join(lines), "coast-weather")["tables"]["coast-weather"]
        assert entries["name"] == "Coast weather"
        assert [entry["text"] for entry in entries["entries"]] == [f"Fog{sign} thick", f"Clear{sign} at last"]
    (folder / "finds.csv").write_text("weight,text\n2,a nail\n\n1,a coin\n")
    _include(folder, "finds.csv")
    assert in_campaign("draw finds --dice 3").out == "Finds: a coin\n"


def test_a_markdown_file_has_a_table_below_each_heading(folder: Path, in_campaign: Strike) -> None:
    text = """# The coast
A word about it.
## Weather
| d2 | |
|----|-|
| 1 | Fog \\| mist |
| 2 | Clear |
```
- no entry
```
- no entry either
## Names of *ships*
1. Gull
- Tern
"""
    tables = MARKDOWN.read(text, "coast")["tables"]
    assert list(tables) == ["weather", "names-of-ships"]
    assert [entry["text"] for entry in tables["weather"]["entries"]] == ["Fog | mist", "Clear"]
    assert tables["names-of-ships"]["entries"] == ["Gull", "Tern"]
    (folder / "coast.md").write_text(text)
    _include(folder, "coast.md")
    assert in_campaign("draw weather --dice 2").out == "Weather: Clear\n"


def test_a_file_in_a_wrong_form_says_the_line() -> None:
    for form, text, fault in [
        (CSV, "Fog\nRain\n", "line 1: should name the columns"),
        (CSV, "", "line 1: should name"),
        (CSV, "d6,text\n1-2\n", "line 2: has 1 of 2 columns"),
        (CSV, "d6,text\nx,Fog\n", "line 2: 'x' are not numbers of the dice"),
        (CSV, "weight,text\n\nmany,Fog\n", "line 3: 'many' is not a weight"),
        (CSV, "often,text\n1,Fog\n", "line 1: the first column of 'Sea' is called 'often'"),
        (MARKDOWN, "# Sea\nSalt water.\n", "no table and no list"),
        (MARKDOWN, "# Sea\n- a\n# Sea\n- b\n", "'Sea' is there twice"),
        (MARKDOWN, "| d6 | a | b |\n|-|-|-|\n| 1 | 2 | 3 |\n", "line 3: has 3 columns"),
    ]:
        with case(form, text, fault):
            with pytest.raises(ValueError, match=".") as caught:
                form.read(text, "sea")
            assert fault in str(caught.value)


def test_a_wrong_file_is_told_with_its_line_and_the_evening_goes_on(
    folder: Path, in_campaign: Strike
) -> None:
    """In another encoding, or with an entry that doesn't exist."""
    (folder / "latin.csv").write_bytes("text\nFog\nGüsse\n".encode("latin-1"))
    (folder / "sea.csv").write_text("text\nFog\n\n{gone}\n")
    _include(folder, "latin.csv", "sea.csv")
    in_campaign("roll vex climbing --dice 4")
    said = in_campaign("status").out
    assert "latin.csv: line 3" in said
    assert re.search(r"sea\.csv: tables\.sea\.entries\[2\]: .*'gone'.* \(line 4\)", said)


def _include(folder: Path, *names: str) -> None:
    path = folder / "campaign.toml"
    text = path.read_text()
    path.write_text(text.replace("schema = 1", f"schema = 1\ninclude = {list(names)}", 1))


# --- who is told


def test_the_players_are_told_of_open_tables_alone(folder: Path, in_campaign: Strike) -> None:
    with (folder / "campaign.toml").open("a") as file:
        file.write(TABLES)
    in_campaign("draw weather --dice 1,1")
    in_campaign("draw finds --dice 1")
    in_campaign("draw names --dice 1 --open")
    told = in_campaign("log --player").out
    assert "Weather: Fog" in told
    assert "Names: Ossi" in told
    assert "nail" not in told
    in_campaign("undo")
    assert in_campaign("draw names --dice 3").out == "Names: Kuno\n"
    in_campaign("replay --verify")
