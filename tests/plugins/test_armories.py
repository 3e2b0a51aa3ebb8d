"""What comes with the three games for campaigns to include: weapons, armor, Abilities, had by being named."""

from __future__ import annotations

import pytest
from plugins.grit.conftest import CAMPAIGN
from support.cases import case

from strike_cli.content.merged_content import Book
from strike_cli.plugin.testing import world_of
from strike_cli.problems import ContentProblem

HEAD = 'schema = 1\ninclude = ["{}:armory.toml"]\n[characters.new]\nname = "New"\n[characters.new.{}]\n'
GRIT = HEAD.format("grit", "grit") + 'str = "d6"\ndex = "d6"\nwil = "d6"\n'


def book_of(campaign: str) -> Book:
    return world_of(campaign).book


def test_a_weapon_and_armor_by_their_names() -> None:
    """As the book has them; what is worn adds up, and so does what is bulky (GRT-01, 12)."""
    named = 'weapons = ["maul", "oil-flask"]\narmor = ["quilted-coat", "harness"]\nbulky = 1\n'
    sheet = book_of(GRIT + named).characters["new"]["grit"]
    assert (sheet["armor"], sheet["bulky"]) == (4, 4)
    assert list(sheet["weapons"]) == ["maul", "oil-flask"]
    assert sheet["weapons"]["maul"]["dice"] == ["d10"]
    assert "summary" not in sheet["weapons"]["maul"]


def test_one_by_its_name_among_ones_own() -> None:
    own = 'weapons = { mine = { dice = ["d4"] }, net = "casting-net" }\n'
    sheet = book_of(GRIT + own).characters["new"]["grit"]
    assert [(key, weapon["dice"]) for key, weapon in sheet["weapons"].items()] == [
        ("mine", ["d4"]),
        ("net", ["d6"]),
    ]


def test_a_name_that_is_none_is_told_with_its_place() -> None:
    for named, told in (
        ('["mual"]', r"weapons\[1\]: there is no grit weapon 'mual'. Did you mean 'maul'"),
        ('["maul", "maul"]', r"weapons\[2\]: maul"),
        ('{ net = "castnet" }', r"weapons.net: there is no grit weapon 'castnet'"),
        ('{ net = { dice = ["d7"] } }', r"weapons.net.dice\[1\]: 'd7' is not one of"),
    ):
        with case(named, told), pytest.raises(ContentProblem, match=told):
            book_of(f"{GRIT}weapons = {named}\n")


def test_abilities_name_things_of_their_own_game() -> None:
    """Full ids stand in what comes from the book, too."""
    named = 'vitality = 9\nweapons = ["spear"]\nabilities = ["ward", "frost-lance"]\nitems = ["salve"]\n'
    sheet = book_of(HEAD.format("momentum", "momentum") + named).characters["new"]["momentum"]
    assert sheet["abilities"]["ward"]["status"] == "momentum:defending"
    assert (sheet["weapons"]["spear"]["reach"], sheet["items"]["salve"]["count"]) == (2, 2)


def test_what_nobody_brings_is_told() -> None:
    for include, told in (
        ("grit:armoury.toml", "no 'armoury.toml' comes with grit. Did you mean 'armory.toml'"),
        ("elements:any.toml", "comes with strike-cli .*elements.*, which this campaign doesn't list"),
        ("nobody:any.toml", "'nobody:any.toml' is not there"),
    ):
        with case(include, told), pytest.raises(ContentProblem, match=told):
            book_of(CAMPAIGN.replace("schema = 1", f'schema = 1\ninclude = ["{include}"]'))


def test_nobody_pays_for_what_they_do_not_include() -> None:
    assert not book_of(CAMPAIGN).table("grit_weapons")
