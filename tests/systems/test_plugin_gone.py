"""A campaign whose plugin is gone: it opens, what needs no rule is done, and nothing of it is lost."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.cli import Strike
from support.thorough import few_of

from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.content.merged_content import open_book
from strike_cli.registry import installed_plugins

GAMES = {
    "grit": ["session start --title Lamps", "grit start bridge", 'note "The rope holds."'],
    "karma": ["session start --title Water", 'note "A gull."'],
    "momentum": ["session start --title Glass", "note Frost"],
}


@contextmanager
def gone(plugin: str, cache: Path) -> Iterator[None]:
    """It is not installed during the block."""
    real = importlib.metadata.entry_points

    def fewer(**chosen: str) -> importlib.metadata.EntryPoints:
        return importlib.metadata.EntryPoints(each for each in real(**chosen) if each.name != plugin)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "entry_points", fewer)
        patch.setenv("XDG_CACHE_HOME", str(cache))
        installed_plugins.drop_plugin_index()
        try:
            yield
        finally:
            installed_plugins.drop_plugin_index()


@pytest.fixture
def played(strike: Strike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    def play(game: str) -> Path:
        folder = tmp_path / game
        create_campaign_folder(folder, system=game)
        monkeypatch.chdir(folder)
        for line in GAMES[game]:
            strike(line)
        return folder

    return play


def contents(folder: Path) -> dict[str, bytes]:
    """What people wrote, and what play has recorded so far."""
    return {
        path.name: path.read_bytes() for path in [folder / "campaign.toml", *folder.glob("journal/*.jsonl")]
    }


@pytest.mark.slow
@pytest.mark.parametrize("game", few_of(GAMES))
def test_it_opens_and_what_needs_no_rule_is_done(
    game: str, played: Callable[[str], Path], strike: Strike, tmp_path: Path
) -> None:
    folder = played(game)
    before = contents(folder)
    with Campaign(folder) as campaign:
        state = campaign.state
    with gone(game, tmp_path / "cache-without"):
        missing = f"The plugin '{game}' is not installed"
        said = strike("status")
        assert missing in said.out + said.err
        for line in (
            "log", "session list", "session report", "session story", "character list", "export --out ../out",
            "roll d6 --dry-run",
        ):  # fmt: skip
            strike(line)
        assert contents(folder) == before, "looking changes nothing"
        names = [sheet["name"] for sheet in open_book(folder).characters.values()]
        assert all(name in strike("character list").out for name in names)
        said = strike(f"{game} show", 2)
        assert missing in said.err, "what can't be done says which plugin"
        doctor = strike.json("doctor", 3)["data"]["findings"]
        assert any(missing in each["what"] and not each["ok"] for each in doctor)
        strike("undo 2")
        strike("redo 2")
        strike("roll d6")
        strike("undo")
        with Campaign(folder) as campaign:
            assert campaign.state == state, "kept as it was, whoever can read it"
    for name, data in before.items():
        assert contents(folder)[name].startswith(data)
    strike("status")
    strike(f"{game} show", None)
    with Campaign(folder) as campaign:
        assert not campaign.book.lacking
        assert campaign.state == state


def test_what_names_what_it_brought_is_kept_out_and_the_rest_is_read(
    folder: Path, in_campaign: Strike
) -> None:
    file = folder / "campaign.toml"
    text = file.read_text("utf-8").replace("schema = 1", 'schema = 1\nplugins = ["marsh"]', 1)
    text += """
[house.marsh]
fog = true

[spells.mud]
name = "Mud"

[creatures]
eel = { name = "Eel", hp = 3, powers = ["marsh:slime"], slime = { thick = true } }

[characters]
newt = { name = "Newt", player = "Kim", humours = { wet = 3 } }
"""
    file.write_text(text, "utf-8")
    book = open_book(folder)
    assert book.characters["newt"]["name"] == "Newt"
    assert book.creatures["eel"]["hp"] == 3
    told = "\n".join(map(str, book.troubles))
    for unread in ("house.marsh", "spells", "creatures.eel.slime", "characters.newt.humours", "eel.powers"):
        assert unread in told, told
    said = in_campaign("character list")
    assert "Newt" in said.out
    assert "'marsh' is not installed" in said.out + said.err


def test_without_a_word_of_a_plugin_a_slip_is_a_slip(folder: Path, in_campaign: Strike) -> None:
    file = folder / "campaign.toml"
    file.write_text(file.read_text("utf-8") + '[characters.newt]\nname = "Newt"\nhumours = 3\n', "utf-8")
    assert "humours: there is no such key" in in_campaign("status", 3).err
