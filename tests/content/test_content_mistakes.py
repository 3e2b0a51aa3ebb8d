"""Twenty-two mistakes in a campaign of one's own, as people make them: `doctor` names them all in few runs,
each with its line and what to write."""

from __future__ import annotations

import importlib
import re
import tomllib
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from support.cases import case
from support.cli import Strike
from support.game import book_with
from support.mistakes import numbered, told_of_each

from strike_cli.broken_toml import find_toml_faults
from strike_cli.campaign.doctor import examine_campaign
from strike_cli.content import compiler
from strike_cli.file_faults import Fault, Place
from strike_cli.included_and_stray_files import read_authored_file
from strike_cli.problems import ContentProblem, PluginProblem
from strike_cli.systems.combat.bot_and_checks import FightChecks
from strike_cli.untrusted_input import parse_bundled_toml
from strike_cli.validation import ListOf, Text
from strike_cli.validation_schemas_from_types import check_typed_table

SYSTEMS = Path(compiler.__file__).parents[1] / "systems"


class Mistake(NamedTuple):
    """What stands in the file, what should, and the words of doctor that name it."""

    wrong: str
    right: str
    named: str


MISTAKES = [
    Mistake("name = The Salt Mill", 'name = "The Salt Mill"', 'text: name = "The Salt Mill"'),
    Mistake('summary: "No flour"', 'summary = "No flour"', 'summary = "No flour"'),
    Mistake("[characters.käthe]", '[characters."käthe"]', '[characters."käthe"]'),
    Mistake('skills = "Climbing", "Hauling"', 'skills = ["Climbing", "Hauling"]', '["Climbing", "Hauling"]'),
    Mistake("[characters.odo", "[characters.odo]", "close the head of this table: [characters.odo]"),
    Mistake('player = "Jonas', 'player = "Jonas"', 'player = "Jonas"'),
    Mistake('powers = ["lantern-flare", trip]', "powers = []", 'powers = ["lantern-flare", "trip"]'),
    Mistake("größe = 1", "size = 1", '"größe" = 1'),
    Mistake('tools = ["a rope", "a lamp"', 'tools = ["a rope", "a lamp"]', "a bracket is missing at its end"),
    Mistake("shares_initiative = Yes", "shares_initiative = true", "shares_initiative = true"),
    Mistake("health = 9", "hp = 9", "Here it is hp = 9"),
    Mistake('nmae = "Ana"', 'name = "Ana"', "Did you mean 'name'?"),
    Mistake("melee = 2", "melee = { damage = 2 }", "Write melee = { damage = 2 }"),
    Mistake('skills = "Haggling"', 'skills = ["Haggling"]', 'Write skills = ["Haggling"]'),
    Mistake("minion = true", 'tier = "stooge"', 'Here it is tier = "stooge"'),
    Mistake("attack = 3", "melee = { damage = 3 }", "Here it is melee = { damage = 3 }"),
    Mistake('speed = "6"', "speed = 6", "Write speed = 6"),
    Mistake('tier = "boss"', 'tier = "champion"', "'boss' is not one of 'stooge', 'goon'"),
    Mistake("[monsters.ghoul]", "[creatures.ghoul]", "Here it is [creatures]"),
    Mistake('statuses = ["core:cursed"]', 'statuses = ["core:slowed"]', "'core:cursed'"),
    Mistake('r = "wolf"', 'r = "king"', "there is no creature 'wolf'"),
    Mistake("hp = 9000", "hp = 90", "9000 should be from 1 to 500"),
]
CAMPAIGN = """schema = 1
name = The Salt Mill
summary: "No flour"

[characters.käthe]
name = "Käthe Brandt"
skills = "Climbing", "Hauling"
health = 9

[characters.odo
name = "Odo Finch"
player = "Jonas
größe = 1
powers = ["lantern-flare", trip]
tools = ["a rope", "a lamp"

[characters.ana]
nmae = "Ana"
melee = 2
skills = "Haggling"

[creatures.rat]
name = "Rat"
minion = true
attack = 3
speed = "6"
shares_initiative = Yes

[creatures.king]
name = "Rat King"
tier = "boss"
statuses = ["core:cursed"]

[monsters.ghoul]
name = "Ghoul"
hp = 9000

[encounters.yard]
name = "The Yard"
map = '''
PPP....r
.......e
......ee
'''
place = { P = "party", r = "wolf", e = "enemies" }
creatures = { rat = 3 }
"""


def test_many_mistakes_take_few_runs_of_doctor(strike: Strike, tmp_path: Path) -> None:
    """At most four, the last of which finds nothing; each mends what the one before has named."""
    folder = tmp_path / "mill"
    folder.mkdir()
    file, text, left, runs = folder / "campaign.toml", CAMPAIGN, list(MISTAKES), 0
    assert len(MISTAKES) == 22 and all(one.wrong in text for one in MISTAKES)
    while True:
        file.write_text(text, encoding="utf-8")
        ran = strike(f"-C {folder} doctor --json", None)
        runs += 1
        if ran.code == 0:
            break
        said = "\n".join(each["what"] for each in ran.json["data"]["findings"] if not each["ok"])
        named = [one for one in left if one.named in said]
        assert named, said
        left = [one for one in left if one not in named]
        for one in named:
            text = text.replace(one.wrong, one.right, 1)
    assert left == []
    assert runs <= 4


WRITE = {
    "hp = 3, # of 5": "hp = 3 # of 5",
    'image = "maps\\vex.webp" # png, jpg or webp': 'image = "maps/vex.webp" # png, jpg or webp',
    "image = C:\\art\\vex.png": "image = 'C:\\art\\vex.png'",
    'skills = "A", "B" # c, d': 'skills = ["A", "B"] # c, d',
    "melee = {\n  damage = 2,\n  reach = 1, # long\n}": "melee = { damage = 2, reach = 1 } # long",
    "melee = { damage: 2 reach: [\n1 2]\n}": "melee = { damage = 2, reach = [ 1, 2] }",
    "a = [\n 1,\n 2": "a = [ 1, 2]",
    "hp = 010": "hp = 10",
    "pos = [-03, .5, 5., 2]": "pos = [-3, 0.5, 5.0, 2]",
    "gold = 1,000": "gold = 1000",
    "// by Ana": "# by Ana",
    "hp = 3 /* by Ana */": "hp = 3 # by Ana",
    'notes = "A" hp = 3': 'notes = "A"\nhp = 3',
    "[x] hp = 3": "[x]\nhp = 3",
    "hp = null": "",
    "hp := 3;": "hp = 3",
    '"a b": yes,': '"a b" = true',
    "a = two words # or, three": 'a = "two words" # or, three',
    "a = [\N{LEFT DOUBLE QUOTATION MARK}b\N{RIGHT DOUBLE QUOTATION MARK}, c]": 'a = ["b", "c"]',
    'a = "say "hi""': "a = 'say \"hi\"'",
    "a = 'it's'": 'a = "it\'s"',
    'a = "it': 'a = "it"',
    'a = ["it", "they]': 'a = ["it", "they"]',
    "a = [{ b = 'it": "a = [{ b = 'it'}]",
    "hp =\N{NO-BREAK SPACE}3": "hp = 3",
    "max hp = 3": "hp = 3",
    "[x.k\N{LATIN SMALL LETTER A WITH DIAERESIS}the": '[x."k\N{LATIN SMALL LETTER A WITH DIAERESIS}the"]',
}
"""What people write, and what they are told to write."""


def test_what_is_told_to_be_written_can_be_read() -> None:
    """In the place of the lines that are wrong, in the middle or at the end, with a line and a caret; around
    them all stays."""
    above = ["schema = 1", 'map = """', "..", '"""', "rows = [", " 1,", "]", "[above]"]
    for (wrong, write), below in product(WRITE.items(), (["[below]", "b = 2"], [""])):
        with case(wrong, below):
            lines = [*above, *wrong.split("\n"), *below]
            [fault] = find_toml_faults("\n".join(lines))
            assert (fault.line, fault.write) == (len(above) + 1, write)
            told, shown, caret = str(fault).split("\n")
            assert told.endswith(write.replace("\n", ", then "))
            assert shown.strip() == lines[len(above)].strip() and caret.strip() == "^"
            lines[fault.line - 1 : fault.last] = [write]
            read = tomllib.loads("\n".join(lines))
            assert read["map"] == "..\n" and read.get("below", {"b": 2}) == {"b": 2}


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a = 1\na = 2\n", 2, "defined twice"),
        ("[a]\n[a]\n", 2, "defined twice"),
        ("a = [\n 1,\n 2\nb = 3\n", 1, "a bracket is missing at its end: a = [ 1, 2]"),
        ("a =", 1, "a has no value"),
        ("just words", 1, "a line is a key, = and a value"),
        ('b = 1\na = """x\n\nc = 2\n', 2, '""" starts a text that ends with """'),
        ("a = 1\n<<<<<<< HEAD\nhp = 3\n=======\nhp = 4\n>>>>>>> theirs", 2,
         "hp = 3 of one side, hp = 4 of the other"),
    ],
)  # fmt: skip
def test_a_mistake_has_its_line(text: str, line: int, says: str) -> None:
    [fault] = find_toml_faults(text)
    assert fault.line == line and says in str(fault)


PROPOSED = [
    ("characters", 'hp = "3"', "hp = 3"),
    ("characters", "hp = [3]", "hp = 3"),
    ("characters", 'speed = "6.0"', "speed = 6"),
    ("characters", "player = 1979-05-27T07:32:00Z", 'player = "1979-05-27T07:32:00Z"'),
    ("characters", 'player = ["Ana", "Bo"]', 'player = "Ana, Bo"'),
    ("characters", "player = true", 'player = "true"'),
    ("characters", 'tools = "a rope, a lamp"', 'tools = ["a rope", "a lamp"]'),
    ("characters", "tools = 3", 'tools = ["3"]'),
    ("characters", "melee = 4", "melee = { damage = 4 }"),
    ("characters", 'melee = { damage = "4" }', "melee = { damage = 4 }"),
    ("characters", 'weapon = "4"', "melee = { damage = 4 }"),
    ("creatures", 'shares_initiative = "no"', "shares_initiative = false"),
    ("powers", 'effect = [{ do = "damage", amount = "1" }]', 'effect = [{ do = "damage", amount = 1 }]'),
]
"""What stands in which table, and what is proposed instead."""


def test_a_proposal_keeps_what_was_written() -> None:
    """And would do itself, where it is written instead."""
    heads = [
        f'[{table}.x]\nname = "X"\n' + 'action = "role"\nrange = 5\n' * (table == "powers")
        for table, _, _ in PROPOSED
    ]
    faults = told_of_each([head + wrong for head, (_, wrong, _) in zip(heads, PROPOSED, strict=True)])
    for fault, (_, wrong, right) in zip(faults, PROPOSED, strict=True):
        with case(wrong, fault):
            told = re.search(r"(?:Write|Here it is) (.+?)(?: or |\.? \(line|$)", fault)
            assert told and told[1].rstrip(".") in right
    rights = [head + right for head, (_, _, right) in zip(heads, PROPOSED, strict=True)]
    book_with("\n".join(numbered(text, number) for number, text in enumerate(rights)))


def test_sound_toml_has_no_fault() -> None:
    assert find_toml_faults('a = "#"\n[b]\nc = """\nit\'s\n"""\n') == []


@pytest.mark.parametrize(
    ("file", "right", "wrong", "told"),
    [
        ("combat/statuses.toml", 'name = "Blinded"', "name = 3", "statuses.blinded.name: should be text"),
        ("core/conditions.toml", 'to = "exhausted"', 'to = "exhausd"', "there is no condition 'exhausd'"),
        ("conflict/traits.toml", "advance = 1", "advance = ", "advance has no value"),
    ],
)
def test_a_wrong_line_of_strike_s_own_is_told_alone(
    file: str, right: str, wrong: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred things name what such a file brings: they aren't told to be wrong."""
    (tmp_path / "campaign.toml").write_text('schema = 1\nname = "X"\n')

    def read(path: Path) -> bytes:
        raw = read_authored_file(path)
        return raw.replace(right.encode(), wrong.encode(), 1) if path.as_posix().endswith(file) else raw

    monkeypatch.setattr(compiler, "read_authored_file", read)
    with pytest.raises(ContentProblem) as refused:
        compiler.Compiler(tmp_path).compile()
    (fault,) = refused.value.faults
    assert file in fault
    assert told in fault
    assert "line" in fault
    assert "strike's own" in refused.value.hint


def test_a_table_of_numbers_that_can_t_be_read_is_told_with_its_line() -> None:
    with pytest.raises(PluginProblem, match=r"numbers\.toml: .*line 2"):
        parse_bundled_toml("a = 1\nb = \n", "numbers.toml")


def test_a_wrong_line_of_a_table_of_numbers_is_told_with_file_key_and_what_to_do() -> None:
    for system, kind, right, wrong, told in (
        ("core", "CoreNumbers", "complete_margin = 3", 'complete_margin = "3"',
         "opposed.complete_margin: should be a whole number, not '3'. Write complete_margin = 3 (line 21)"),
        ("wealth", "WealthNumbers", "5 = {", "7 = {", "cheap.7: there is no such key"),
        ("combat", "CombatNumbers", "target = 4", "targt = 4", "save.targt: there is no such key. Did you"),
        ("combat", "CombatNumbers", '"glancing"', '"glance"', "attack.3.result: 'glance' is not one of"),
        ("conflict", "ConflictNumbers", "recover_from = 2", "recover_from = [2]", "policies.careful."),
        ("chase", "ChaseNumbers", "least = 0\n", "", "danger.least: missing"),
    ):  # fmt: skip
        with case(system, wrong):
            text = (SYSTEMS / system / "numbers.toml").read_text("utf-8")
            assert right in text
            text = text.replace(right, wrong, 1)
            known = vars(importlib.import_module(f"strike_cli.systems.{system}.data"))[kind]
            with pytest.raises(PluginProblem, match=re.escape(f"numbers.toml: {told}")) as refused:
                check_typed_table(parse_bundled_toml(text, "numbers.toml"), known, "numbers.toml", text)
            assert "fix that line" in refused.value.hint


def test_doctor_tells_a_wrong_table_of_numbers_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def tables(self: object) -> None:
        raise PluginProblem("numbers.toml: save.target: missing (line 28)", "Fix that line.")

    monkeypatch.setattr(FightChecks, "check_tables", tables)
    (finding,) = examine_campaign(tmp_path)
    assert (finding.ok, finding.what) == (False, "numbers.toml: save.target: missing (line 28)")


@pytest.mark.parametrize(
    ("count", "least", "most", "wanted"), [(0, 1, None, "1 or more"), (1, 2, 2, "2"), (4, 1, 3, "1 to 3")]
)
def test_a_list_of_a_wrong_length_is_told_its_bounds(
    count: int, least: int, most: int | None, wanted: str
) -> None:
    faults: list[Fault] = []
    ListOf(Text(), least, most).check(["a"] * count, Place("list"), faults)
    assert [fault.what for fault in faults] == [f"has {count} items, and should have {wanted}"]
