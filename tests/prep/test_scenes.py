"""Scenes: files that people write, what they name, which is played, and what of them is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Strike
from support.game import Game, book_with

from strike_cli.problems import Refused
from strike_cli.systems.prep.scene_files import (
    ALOUD,
    HEADING,
    SCENES,
    SECRET,
    TEXT,
    Link,
    Passage,
    non_web_links_in,
    passages_of,
    without_inline_markdown,
)

FORD = """+++
tonight = true
encounters = ["yard"]
people = ["goblin"]
music = "https://example.org/river"
+++
# The Ford

> The river is low.
> A lamp stands dark.

The *thief* waits; see [[mill-pond|the pond]].

> [!secret]
> She was paid.
"""


def write(folder: Path, name: str, text: str, encoding: str = "utf-8") -> None:
    (folder / "scenes").mkdir(exist_ok=True)
    (folder / "scenes" / name).write_bytes(text.encode(encoding))


# --- the file


def test_passages_are_told_apart() -> None:
    """What is read aloud, what is secret, headings and the rest, each with its line; CRLF or not."""
    expected = [
        Passage(HEADING, 7, "The Ford"),
        Passage(ALOUD, 9, "The river is low.\nA lamp stands dark."),
        Passage(TEXT, 11, "The *thief* waits; see [[mill-pond|the pond]]."),
        Passage(SECRET, 14, "She was paid."),
    ]
    for text in (FORD, FORD.replace("\n", "\r\n")):
        assert [one._replace(line=0) for one in passages_of(text)] == [
            one._replace(line=0) for one in expected
        ]
        assert [one.line for one in passages_of(text) if one.kind == HEADING] == [7]
    two = "> aloud\n\n> [!secret] hush\n> now\n\n> aloud again\n"
    assert [(one.kind, one.text) for one in passages_of(two)] == [
        (ALOUD, "aloud"),
        (SECRET, "hush\nnow"),
        (ALOUD, "aloud again"),
    ]


def test_a_quote_in_a_block_of_code_is_no_passage_to_read() -> None:
    text = "```\n> no\n[[nowhere]]\n```\n`[[here neither]]`"
    assert {one.kind for one in passages_of(text)} == {TEXT}
    assert list(non_web_links_in(text)) == []


def test_links_of_every_kind_are_found_with_their_lines() -> None:
    text = "[[ford]] [[a b|c]] [[ford#top]]\n[x](y.md#z) ![m](m%20n.png) ![[p.png]]\n[w](https://w.org)"
    assert list(non_web_links_in(text)) == [
        Link("ford", False, 1),
        Link("a b", False, 1),
        Link("ford", False, 1),
        Link("y.md", False, 2),
        Link("m n.png", True, 2),
        Link("p.png", True, 2),
    ]
    assert without_inline_markdown("**Go** to [[a b|c]], [x](y.md) and `d6`: ![m](m.png)") == (
        "Go to c, x and d6: (picture: m)"
    )


def test_a_scene_needs_no_head_and_is_called_by_its_heading_or_its_file() -> None:
    assert SCENES.read("# The Weir\ntext", "x")["scenes"]["x"]["name"] == "The Weir"
    assert SCENES.read("", "old_mill")["scenes"]["old-mill"]["name"] == "Old mill"
    assert SCENES.read('+++\nname = "A"\n+++\n# B', "x")["scenes"]["x"]["name"] == "A"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("+++\nname = \n+++\n", "scenes/bad.md: line 2: Invalid value"),
        ("+++\nname = 'a'\n", "scenes/bad.md: line 1: the head that begins with +++ has no end"),
        ("---\nname: a\n---\n", "scenes/bad.md: line 1: the head of a scene is TOML"),
        (
            "+++\r\n\r\nnmae = 'a'\r\n+++\r\n",
            "scenes/bad.md: scenes.bad.nmae: there is no such key. Did you mean 'name'?",
        ),
        ("+++\n\npeople = 3\n+++\n", "(line 3)"),
    ],
)
def test_a_broken_scene_is_one_message_and_the_evening_goes_on(
    folder: Path, in_campaign: Strike, text: str, fault: str
) -> None:
    write(folder, "bad.md", text)
    write(folder, "good.md", FORD)
    assert fault in in_campaign("scene list").out
    assert fault in in_campaign("scene show bad", 2).err
    in_campaign("scene begin good")
    in_campaign("roll skill vex climbing --dice 4")
    assert any(fault in one for one in in_campaign.json("prep", 3)["data"]["left_out"])


def test_another_encoding_is_told_with_its_line(folder: Path, in_campaign: Strike) -> None:
    write(folder, "bad.md", "# One\n\nDie Brücke", "latin-1")
    assert "scenes/bad.md: line 3 is not UTF-8; save it as UTF-8" in in_campaign("status").out


def test_a_scene_that_changes_is_read_anew(folder: Path, in_campaign: Strike) -> None:
    """Its text and its head; and one that comes is there."""
    assert in_campaign.json("scene list")["data"]["scenes"] == []
    write(folder, "ford.md", FORD)
    assert [one["id"] for one in in_campaign.json("scene list")["data"]["scenes"]] == ["ford"]
    write(folder, "ford.md", FORD.replace("The Ford", "The Old Ford"))
    assert "The Old Ford" in in_campaign("scene show ford").out


# --- playing them


@pytest.fixture
def game() -> Game:
    game = Game(book_with('[clocks.flood]\nname = "Flood"\nsegments = 9\nadvances = ["scene"]\n'))
    game.book.scenes = {
        id: {"name": name, "secret": secret}
        for id, name, secret in (("ford", "The Ford", False), ("den", "The Den", True))
    }
    return game


def test_one_scene_is_under_way_and_the_next_ends_it(game: Game) -> None:
    assert game.play("scene begin", scene="ford") == {"scene": "ford", "name": "The Ford"}
    with pytest.raises(Refused, match="The Ford is under way"):
        game.play("scene begin", scene="ford")
    data = game.play("scene begin", scene="den")
    assert data["ended"] == "ford"
    assert [fact.kind for fact in game.facts] == [
        "scene-ended",
        "clock-moved-in-secret",
        "scene-begun-in-secret",
    ]
    assert game.play("scene end")["scene"] == "den"
    assert game.get("story") == {"played": ["ford", "den"]}
    with pytest.raises(Refused, match="No scene is under way"):
        game.play("scene end")
    with pytest.raises(Refused, match="There is no scene 'gone'"):
        game.play("scene begin", scene="gone")


def test_a_fight_within_a_scene_is_no_scene_of_its_own_to_clocks(game: Game) -> None:
    game.play("scene begin", scene="ford")
    game.draw("V..g")
    game.play("combat finish", result="won")
    assert game.get("clocks.flood") is None
    game.play("scene end")
    assert game.get("clocks.flood.filled") == 1


def test_players_hear_a_scenes_name_and_no_more(folder: Path, in_campaign: Strike) -> None:
    write(folder, "ford.md", FORD)
    write(folder, "den.md", "+++\nsecret = true\n+++\n# The Den\n> [!secret]\n> It is Odo.\n")
    shown = in_campaign("scene begin ford").out
    assert "┃ The river is low. A lamp stands dark." in shown
    assert "Secret: She was paid." in shown
    assert "strike combat start yard" in shown
    in_campaign("scene begin den")
    told = in_campaign("log --player").out
    assert "Scene: The Ford." in told
    assert "She was paid" not in told
    assert "Den" not in told
    in_campaign("scene end")
    states = {one["id"]: one["state"] for one in in_campaign.json("scene list")["data"]["scenes"]}
    assert states == {"den": "played", "ford": "played"}
    in_campaign("undo 3")
    assert in_campaign.json("scene list")["data"]["now"] == ""
    in_campaign("replay --verify")


def test_a_scene_fits_a_screen_and_keeps_its_lists(folder: Path, in_campaign: Strike) -> None:
    long = "word " * 30
    write(folder, "a.md", f"# A\n\n> {long}\n\nOne\nline.\n\n1. first {long}\n2. second\n\n- {long}\n")
    lines = in_campaign("scene show a").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "One line." in lines
    assert [line for line in lines if line[:1] in "12-┃" and line] == [
        f"┃ {' '.join(['word'] * 15)}",
        f"┃ {' '.join(['word'] * 15)}",
        f"1. first {' '.join(['word'] * 14)}",
        "2. second",
        f"- {' '.join(['word'] * 15)}",
    ]


def test_what_is_written_stays_as_it_is(folder: Path, in_campaign: Strike) -> None:
    write(folder, "ford.md", FORD)
    before = {file: file.read_bytes() for file in (folder / "scenes").iterdir()}
    for command in ("scene begin ford", "scene end", "prep"):
        in_campaign(command)
    assert {file: file.read_bytes() for file in (folder / "scenes").iterdir()} == before


# --- what is missing


def test_what_is_missing_is_named_with_file_line_and_remedy(folder: Path, in_campaign: Strike) -> None:
    write(
        folder,
        "ford.md",
        """+++
encounters = ["mull"]
people = [
  "gobblin",
  "vex",
]
tables = ["nothing"]
handouts = ["letter"]
music = "river.ogg"
+++
See [[cellar]], ![map](map.png), [[ford]] and [[vex]].
""",
    )
    found = in_campaign.json("prep", 3)["data"]["missing"]
    assert [(one["line"], one["what"].partition(".")[0]) for one in found] == [
        (2, "there is no encounter 'mull'"),
        (4, "nobody is called 'gobblin'"),
        (7, "there is no table 'nothing'"),
        (8, "there is no handout 'letter'"),
        (9, "there is no music 'river"),
        (11, "the link 'cellar' leads nowhere"),
        (11, "the picture 'map"),
    ]
    assert all(one["file"] == "scenes/ford.md" and one["remedy"] for one in found)
    assert "Did you mean 'goblin'?" in in_campaign("prep", 3).out


def test_scenes_in_a_circle_are_fine(folder: Path, in_campaign: Strike) -> None:
    write(folder, "one.md", "[[two]]")
    write(folder, "two.md", "[[one]] [itself](two.md)")
    assert in_campaign.json("prep")["data"]["missing"] == []
    in_campaign("scene begin one")
    assert "scene begin two" in in_campaign("scene end").out


def test_a_picture_that_is_none_and_a_fight_that_cant_begin(folder: Path, in_campaign: Strike) -> None:
    text = (folder / "campaign.toml").read_text()
    text = text.replace("[creatures.goblin]\n", '[creatures.goblin]\nimage = "goblin.png"\n', 1)
    text += '\n[encounters.void]\nname = "The Void"\n'
    (folder / "campaign.toml").write_text(text)
    write(folder, "ford.md", '+++\nencounters = ["yard", "void"]\n+++\n')
    whats = [one["what"] for one in in_campaign.json("prep", 3)["data"]["missing"]]
    assert any("the picture goblin.png is not there" in what for what in whats)
    assert any(what.startswith("The Void can't begin") for what in whats)


def test_tonight_are_those_that_say_so_and_were_not_played(folder: Path, in_campaign: Strike) -> None:
    for name in ("a", "b", "c"):
        write(folder, f"{name}.md", "+++\ntonight = true\n+++\n" if name != "c" else "text")

    def looked_at(words: str = "") -> list[str]:
        return [one["id"] for one in in_campaign.json(f"prep {words}")["data"]["scenes"]]

    assert looked_at() == ["a", "b"]
    in_campaign("scene begin a")
    in_campaign("scene begin b")
    assert looked_at() == ["b"]
    in_campaign("scene end")
    assert looked_at() == ["c"]
    assert looked_at("a") == ["a"]


@pytest.mark.slow
def test_a_deadly_fight_is_told_within_its_time(folder: Path, in_campaign: Strike) -> None:
    rows = ["P..P.........", "P..P.........", *["............."] * 3]
    doom = 'name = "Doom"\nplace = { P = "party" }\ncreatures = { ogre = 6 }\nat = { goblin = ["K1"] }\n'
    with (folder / "campaign.toml").open("a") as file:
        file.write("\n".join(["[encounters.doom]", doom, 'map = """', *rows, '"""', ""]))
    write(folder, "end.md", '+++\nencounters = ["doom"]\n+++\n')
    assert in_campaign.json("prep")["data"]["missing"] == []
    [one] = in_campaign.json("prep --sim --seconds 1", 3)["data"]["missing"]
    assert one["what"].startswith("Doom is deadly: 0% won (95% sure: 0 to ")
    assert "played by full" in one["what"]
    assert one["line"] == 2
