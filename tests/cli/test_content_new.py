"""`strike content new`: a file of one's own out of answers or options, part of the campaign at once."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest
from support.cases import case
from support.cli import Strike
from support.data_keys import check_keys
from support.links import link
from support.own_terminal import run_at_terminal

from strike_cli.content.compiler import Compiler
from strike_cli.content.merged_content import open_book

BY_OPTIONS = {
    "power": '"Mud Slap" --where "reach 1 range 5" --damage 3 --does "push 1; slowed turn-end" --who enemies',
    "status": '"Mud in the Eyes" --rolls "attack disadvantage; attack against 1" --forbids opportunity,shift '
    '--numbers "speed -2" --each-turn 1 --ends damaged',
    "condition": '"Marsh Cough" --severity major --rolls "skill disadvantage" --ends long --text "A dry bed"',
    "creature": '"Mud Crab" --tier goon --hp 5 --melee "1 reach 2" --ranged "2 range 8" --powers shove '
    '--traits "Smells of mud"',
    "encounter": '"The Mud Flats" --enemies goblin:3,ogre --goal Cross --size 20x8',
}
SAID = {
    "power": ["Slowed, until the user's next turn ends", "pushed 1 square away", "one enemy, in melee"],
    "status": ["its attacks have Disadvantage", "attacks at it have +1", "it can't shift", "until damaged"],
    "condition": ["its Skill Rolls have Disadvantage", "A dry bed (needs: long)", "major; each instance"],
    "creature": ["goon: 5 HP", "1 damage, reach 2", "2 damage, range 8", "Smells of mud"],
    "encounter": ["Cross", "20 by 8 squares", "3 x Goblin", "1 x Ogre"],
}


@pytest.mark.parametrize("kind", BY_OPTIONS)
def test_by_options(in_campaign: Strike, folder: Path, kind: str) -> None:
    """What was meant is read back, and the campaign stays sound."""
    data = in_campaign.json(f"content new {kind} {BY_OPTIONS[kind]}")["data"]
    check_keys("content new", data)
    file = Path.cwd() / data["file"]
    assert file.name == f"{kind}-{data['id']}.toml"
    told = "\n".join(line["text"] for line in data["lines"])
    for words in SAID[kind]:
        assert words in told
    assert data["id"] in open_book(Path.cwd()).table(data["kind"])
    in_campaign("doctor")
    in_campaign(f"content explain {data['id']}")
    assert file.read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("kind", ["power", "status", "condition", "creature"])
def test_what_is_commented_out_can_be_taken_up(in_campaign: Strike, kind: str) -> None:
    """Each line that is offered has the form that is asked for."""
    file = Path.cwd() / in_campaign.json(f"content new {kind} Thing")["data"]["file"]
    text = file.read_text(encoding="utf-8")
    keys = set(tomllib.loads(text).popitem()[1].popitem()[1])
    offered = [line for line in text.splitlines() if line.startswith("# ") and " = " in line]
    assert offered
    for line in offered:
        key = line[2:].partition(" = ")[0]
        if not key.isidentifier() or key in keys or key in ("powers", "effect"):
            continue
        more = f"{text}{line[2:]}\n"
        if key == "on":
            more = more.replace('action = "attack"', 'action = "interrupt"')
        if key == "escalates":
            more = more.replace('to = "injured"', 'to = "core:injured"')
        Compiler(Path.cwd(), unwritten_files={file: more.encode()}).compile()


def test_it_plays_at_once(in_campaign: Strike) -> None:
    """A creature with a power of one's own, in an encounter of one's own."""
    in_campaign('content new power "Mud Slap" --damage 3 --does "push 1"')
    in_campaign('content new creature "Mud Crab" --tier goon --powers mud-slap')
    in_campaign('content new encounter "The Mud Flats" --enemies mud-crab:3')
    assert "Mud Crab 3" in in_campaign("combat start the-mud-flats").out


def test_what_is_refused_writes_nothing(in_campaign: Strike) -> None:
    for line, said in (
        ('power "Shove"', "powers.shove is in campaign.toml already"),
        ("power", "It needs a name"),
        ('power "Slap" --where banana', "like `reach 1`"),
        ('power "Slap" --damage much', "--damage 'much': it should be a number from 0 to 100, or none"),
        ('power "Slap" --does "slwed"', "'slwed'"),
        ('power "Slap" --does "choose"', "needs more: write it in the file"),
        ('power "Slap" --does "push far"', "like `push 2`"),
        ('power "Slap" --does "push"', "push needs an amount"),
        ('power "Slap" --answers harmed', "interrupt"),
        ('status "Cold" --rolls "sneeze advantage"', "a kind of roll"),
        ('status "Cold" --numbers "luck 2"', "one of dealt, taken"),
        ('creature "Rat" --tier tiny', "one of stooge, goon"),
        ('creature "Rat" --powers gnaw', "no power 'gnaw'"),
        ('encounter "Gap" --enemies dragon', "dragon"),
        ('encounter "Gap"', "creatures and how many"),
        ('encounter "Gap" --enemies goblin --size 2x2', "from 6x4 to 60x40"),
        ('power "Slap" --id "a b"', "can't be an id"),
        ('power "\u706f"', "can't be an id"),
    ):
        with case(line):
            assert said in in_campaign(f"content new {line}", code=2).err
            assert not list(Path.cwd().glob("content/*"))


def test_no_file_is_written_over(in_campaign: Strike) -> None:
    in_campaign('content new power "Mud Slap"')
    file = Path("content/power-mud-slap.toml")
    file.write_text("# mine now, and empty\n", encoding="utf-8")
    assert "exists already" in in_campaign('content new power "Mud Slap"', code=2).err
    assert file.read_text(encoding="utf-8") == "# mine now, and empty\n"
    in_campaign('content new power "Mud Slap" --id mud-slap-2')
    assert Path("content/power-mud-slap-2.toml").exists()


def test_a_link_that_leads_out_is_none_of_the_campaigns(in_campaign: Strike, tmp_path: Path) -> None:
    """`content` is read as what `include` names is."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.toml").write_text('[powers.x]\nname = "X"\n')
    link(Path("content"), outside)
    assert "'content/*.toml'" in in_campaign("doctor", code=3).out


def test_outside_of_a_campaign(strike: Strike) -> None:
    assert "There is no campaign here" in strike('content new power "X"', code=3).err


ANSWERED = {
    "power": (["Mud Slap", "attack", "range 5", "", "banana", "3", "push 1", "", "Splat."], "range = 5"),
    "status": (["Muddy", "yes", "attack disadvantage", "", "", "", ""], 'gives = "disadvantage"'),
    "condition": (["Cough", "", "skill disadvantage", "long", ""], 'needs = ["long"]'),
    "creature": (["Crab", "goon", "4", "", "", "", "", "Snaps."], "speed = 4"),
    "encounter": (["Flats", "goblin:2", "Cross", "", ""], "goblin = 2"),
}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="has no such terminals")
@pytest.mark.parametrize("kind", ANSWERED)
def test_at_a_terminal_it_asks(folder: Path, kind: str) -> None:
    """A real terminal: Enter takes what stands in brackets, and what is no answer is asked again."""
    answers, written = ANSWERED[kind]
    code, said = run_at_terminal(folder, "content", "new", kind, typed="\n".join([*answers, ""]))
    assert code == 0, said
    assert "What is it called?" in said
    assert ("It should be" in said) == ("banana" in answers)
    (file,) = folder.glob("content/*.toml")
    assert written in file.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="has no such terminals")
def test_who_ends_the_answers_has_written_nothing(folder: Path) -> None:
    code, said = run_at_terminal(folder, "content", "new", "power", typed="Mud Slap\n\x04")
    assert code == 2
    assert "Nothing was written" in said
    assert not list(folder.glob("content/*"))
