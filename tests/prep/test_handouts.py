"""Handouts: hidden until they are shown, what they were when they were, and taken back by undo."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from support.cli import Strike
from support.game import Game
from support.links import link

from strike_bridge.journal_reader import JournalReader
from strike_bridge.state_projection import project_state
from strike_cli.campaign.journal import START
from strike_cli.kernel.statements import ENGLISH
from strike_cli.registry.scenes_and_decisions_in_state import exhibits_on_the_table
from strike_cli.tabletop.scene import TableItem

PNG = b"\x89PNG\r\n\x1a\n and so on"
TOML = """
[handouts.warrant]
name = "The Warrant"
image = "pictures/warrant.png"
text = "Wanted: a woman, quick of hand."
[clocks.dark]
name = "The dark"
public = true
[clocks.plot]
name = "The plot"
"""


@pytest.fixture
def prepared(folder: Path, in_campaign: Strike) -> Strike:
    """The command line in a campaign with handouts and clocks."""
    with (folder / "campaign.toml").open("a") as file:
        file.write(TOML)
    for place in ("handouts", "pictures"):
        (folder / place).mkdir()
    (folder / "handouts" / "old-letter.md").write_text("Dear Odo,\n\ncome.")
    (folder / "handouts" / "river_map.png").write_bytes(PNG)
    (folder / "handouts" / "notes.pdf").write_bytes(b"%PDF")
    (folder / "pictures" / "warrant.png").write_bytes(PNG)
    return in_campaign


def lying(folder: Path, *, gm: bool = False) -> list[dict[str, object]]:
    """What a tabletop is told of."""
    return list(project_state(JournalReader(folder).read_backlog(START, 0).now, gm=gm).exhibits)


def test_those_of_the_campaign_and_those_of_the_folder(folder: Path, prepared: Strike) -> None:
    found = prepared.json("handout list")["data"]["handouts"]
    assert {one["id"]: one["name"] for one in found} == {
        "old-letter": "Old letter",
        "river-map": "River map",
        "warrant": "The Warrant",
    }
    assert lying(folder) == []


def test_what_is_shown_stays_what_it_was_until_it_is_taken_back(folder: Path, prepared: Strike) -> None:
    prepared("handout show warrant")
    prepared("handout show nothing", 2)
    prepared("handout show old")
    (folder / "handouts" / "old-letter.md").write_text("Burnt.")
    first, second = lying(folder)
    assert first["image"] == {"file": "pictures/warrant.png", "sha256": sha256(PNG).hexdigest()}
    assert second["text"] == "Dear Odo,\n\ncome."
    assert "come." in prepared("log --player").out
    prepared("handout show warrant", 1)
    prepared("handout hide warrant")
    assert [one["id"] for one in lying(folder)] == ["old-letter"]
    prepared("undo 2")
    assert [one["id"] for one in lying(folder)] == ["warrant"]
    prepared("replay --verify")


def test_of_what_kind_each_is_that_lies_on_the_table() -> None:
    """The words by which tabletops tell them apart."""
    state = {
        "story": {"now": "mill", "name": "The mill", "secret": True},
        "calendar": {"shown": {"date": "1 Thaw 411", "about": "Eel"}},
        "clocks": {"dark": {"name": "The dark", "segments": 6, "filled": 2, "public": True}},
        "handouts": {"letter": {"name": "A letter", "text": "Come."}},
    }
    assert [(one.kind, one.id, str(one), one.hidden) for one in exhibits_on_the_table(state, ENGLISH)] == [
        ("scene", "scene", "The mill", True),
        ("day", "day", "1 Thaw 411, Eel", False),
        ("clock", "dark", "The dark 2/6", False),
        ("handout", "letter", "A letter", False),
    ]
    about = [{"clause": "day-noted", "what": "Eel"}, {"clause": "moon-is", "moon": "Pale", "phase": "full"}]
    state = {"calendar": {"shown": {"date": "1 Thaw 411", "about": about}}}
    assert [str(one) for one in exhibits_on_the_table(state, ENGLISH)] == ["1 Thaw 411, Eel, Pale is full"]


def test_a_letter_with_line_ends_of_two_characters_is_the_same(folder: Path, prepared: Strike) -> None:
    (folder / "handouts" / "old-letter.md").write_bytes(b"Dear Odo,\r\n\r\ncome.\r\n")
    prepared("handout show old")
    assert [one["text"] for one in lying(folder)] == ["Dear Odo,\n\ncome."]


def test_what_cant_be_shown_is_said(folder: Path, prepared: Strike) -> None:
    (folder / "pictures" / "warrant.png").unlink()
    assert "pictures/warrant.png is not there" in prepared("handout show warrant", 2).err
    (folder / "handouts" / "old-letter.md").write_bytes(b"\xff\xfe")
    assert "handouts/old-letter.md" in prepared("handout show old", 2).err
    (folder / "handouts" / "river_map.png").write_bytes(b"none")
    assert "is not a png" in prepared("handout show river", 2).err
    link(folder / "handouts" / "elsewhere.txt", Path("/etc/hostname"))
    assert "elsewhere" not in prepared("handout list").out
    assert lying(folder) == []


def test_an_evening_begins_with_its_public_clocks_on_the_table(folder: Path, prepared: Strike) -> None:
    prepared("session start")
    dark = TableItem("dark", "clock", "The dark", filled=0, segments=6)._asdict()
    assert lying(folder) == [dark]
    prepared("clock tick plot")
    plot = TableItem("plot", "clock", "The plot", filled=1, segments=6, hidden=True)._asdict()
    assert lying(folder) == [dark]
    assert lying(folder, gm=True) == [dark, plot]
    prepared("clock remove dark")
    assert lying(folder) == []


def test_a_picture_goes_out_with_what_is_told_of_it(game: Game) -> None:
    """So that a tabletop shows it; a text of more than a log has room for is cut there, and kept whole."""
    image = {"file": "map.png", "sha256": "0" * 64}
    game.play("handout show", handout="map", name="Map", **image)
    assert [fact.details.get("image") for fact in game.facts] == [image]
    assert game.get("handouts.map") == {"name": "Map", "image": image}
    whole, blank = 1000 * "a", 999 * "a" + " b"
    for text, told in (
        ("Come.", "Come."),
        (whole, whole),
        (whole + "a", whole + " …"),
        (blank, blank[:999] + " …"),
    ):
        game.play("handout show", handout="letter", name="Letter", text=text)
        assert game.texts() == ["Handout: Letter.", told]
        assert not any(fact.details.get("image") for fact in game.facts)
        assert game.get("handouts.letter") == {"name": "Letter", "text": text}


def test_a_note_is_kept_with_whom_it_is_about(game: Game) -> None:
    """And nothing else changes."""
    before = game.state
    assert game.play("note", text="The toll doubles.", about=["vex"]) == {
        "text": "The toll doubles.",
        "about": ["vex"],
    }
    assert game.texts() == ["Vex: The toll doubles."]
    assert game.play("note", text="Rain.") == {"text": "Rain.", "about": []}
    assert (game.texts(), game.state) == (["Rain."], before)


def test_pictures_of_handouts_have_the_name_of_all_pictures(folder: Path, prepared: Strike) -> None:
    """`image`; `picture` holds in campaigns of an earlier strike, and both at once are one too many."""
    campaign = folder / "campaign.toml"
    text = campaign.read_text("utf-8")
    campaign.write_text(text.replace('image = "pictures', 'picture = "pictures'), "utf-8")
    shown = prepared.json("handout show warrant")["data"]
    assert shown["image"] == {"file": "pictures/warrant.png", "sha256": sha256(PNG).hexdigest()}
    campaign.write_text(text.replace('image = "pictures', 'picture = "x.png"\nimage = "pictures'), "utf-8")
    assert "earlier name of image" in "".join(prepared("doctor", None)[1:])


def test_dice_in_braces_are_thrown_as_it_is_shown(folder: Path, prepared: Strike) -> None:
    """They stand as they fell; a mistake is shown with a caret, and other braces are text."""
    file = folder / "handouts" / "old-letter.md"
    file.write_text("{2d6+1} coins and {d4} keys for {you}.")
    data = prepared.json("handout show old --dice 5,2,3")["data"]
    assert data["text"] == "8 coins and 3 keys for {you}."
    assert lying(folder)[0]["text"] == data["text"]
    prepared("replay --verify")
    file.write_text("{2d6+} coins")
    assert "  2d6+\n" in prepared("handout show old", 2).err
