"""Creatures and people of the game master's own: made out of tables, in files of their own, shared by
campaigns."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import Strike

from strike_cli.content.merged_content import open_book

TABLES = """
[tables.npc-name]
name = "A name"
entries = ["Wade"]
[tables.trade]
name = "A trade"
entries = ["carter"]
[tables.want]
name = "A want"
entries = ["to sleep"]
[tables.npc-trick]
name = "A Trick"
entries = ["Has a key", "Can wait"]
[tables.npc-complication]
name = "A Complication"
entries = ["Owes money"]
[tables.hill]
name = "A hill name"
entries = ["Agna of Crowhouse"]
"""


@pytest.fixture(autouse=True)
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own packs."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "strike" / "packs"


@pytest.fixture
def prepared(folder: Path, in_campaign: Strike) -> Strike:
    with (folder / "campaign.toml").open("a") as file:
        file.write(TABLES)
    return in_campaign


def test_somebody_is_drawn_with_a_trick_and_a_complication(folder: Path, prepared: Strike) -> None:
    """By dice that stand in the log, secret; the file is their own, and they are in the next fight."""
    before = (folder / "campaign.toml").read_bytes()
    said = prepared("creature add --npc --dice 2").out
    assert "Wade is in content/creature-wade.toml" in said
    assert "Can wait" in said
    wade = open_book(folder).creatures["wade"]
    assert (wade["summary"], wade["notes"]) == ("Carter.", "Wants to sleep.")
    assert (wade["tricks"], wade["complications"]) == (["Can wait"], ["Owes money"])
    assert (folder / "campaign.toml").read_bytes() == before
    [entry] = prepared.json("log --last 1")["data"]["entries"]
    assert entry["secret"] is True
    assert entry["facts"][3]["rolls"][0]["faces"] == [2]
    prepared("combat start ring --party vex --party brann --with wade:1")
    assert "Has a key" not in prepared("creature show wade").out


def test_a_name_that_comes_again_gets_a_number_and_what_is_said_is_not_drawn(
    folder: Path, prepared: Strike
) -> None:
    prepared("creature add --npc --dice 1")
    assert prepared.json("creature add --npc --dice 1")["data"]["id"] == "wade-2"
    data = prepared.json("creature add Runa --npc --summary Tinker --tier elite --dice 1")["data"]
    assert data["id"] == "runa"
    assert open_book(folder).creatures["runa"]["summary"] == "Tinker"
    assert open_book(folder).creatures["runa"]["tier"] == "elite"
    data = prepared.json("creature add --npc --names hill --dice 1")["data"]
    assert data["id"] == "agna-of-crowhouse"


def test_what_goes_wrong_writes_nothing(folder: Path, packs: Path, prepared: Strike) -> None:
    for line, says in (
        ("creature add", "It needs a name"),
        ("creature add Goblin", "'goblin' exists already"),
        ("creature add Wolf --tier huge", "--tier 'huge'"),
        ("creature add Wolf --powers nixx", "power 'nixx'"),
        ("creature add --npc --names nixx", "'nixx'"),
        ("creature add --npc --tier huge", "--tier 'huge'"),
        ("creature add Wolf --shared --powers nixx", "power 'nixx'"),
    ):
        assert says in prepared(line, 2).err
    assert "[creatures.wolf]" in prepared("creature add Wolf --dry-run").out
    assert not [*(folder / "content").glob("*")]
    assert not [*packs.glob("bestiary/*")]
    assert prepared.json("log")["data"]["entries"] == [], "nothing was drawn either"


def test_what_is_shared_is_in_every_campaign(
    folder: Path, packs: Path, prepared: Strike, tmp_path: Path
) -> None:
    prepared("creature add 'Mud Wolf' --tier goon --shared")
    prepared("creature add 'Reed Cat' --shared")
    assert (packs / "bestiary" / "mud-wolf.toml").is_file()
    prepared(f"new {tmp_path / 'other'} --empty")
    other = open_book(tmp_path / "other").creatures
    assert {"bestiary:mud-wolf", "bestiary:reed-cat"} <= other.keys()
    assert prepared.json("creature list mud")["data"]["creatures"][0]["id"] == "bestiary:mud-wolf"
    assert not (folder / "content").exists()
    (packs / "bestiary" / "reed-cat.toml").write_text("[creatures.reed-cat]\nnmae = 'x'\n")
    assert "reed-cat.toml: creatures.reed-cat.nmae: there is no such key" in prepared("status").out
    prepared("roll skill vex climbing --dice 4")
