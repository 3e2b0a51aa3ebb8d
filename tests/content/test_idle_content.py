"""What is written and not read is refused, and what nothing comes of is told by doctor, with file, line and
key (STR-TAC-12, 25)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.cases import case
from support.game import book_with
from support.mistakes import told_of_each
from support.thorough import few_of

from strike_cli.campaign.doctor import examine_campaign
from strike_cli.systems.combat.validation import unused_content_and_short_map_rows

P = '[powers.x]\nname = "X"\nrange = 5\naction = "role"\n'
ROLLED = '[powers.x]\nname = "X"\nrange = 5\ndamage = 1\n'
STATUS = '[statuses.x]\nname = "X"\n'
ENTERS = 'reactions = [{ on = "enters", do = "damage", amount = 1 }]\n'
C = '[creatures.x]\nname = "X"\n'
Y = '[powers.y]\nname = "Y"\nrange = 5\naction = "role"\n'


def _map(rows: str) -> str:
    return f"[encounters.x]\nname = 'X'\nmap = '''\n{rows}'''\nplace = {{ P = 'party' }}\n"


@pytest.mark.parametrize(
    ("text", "noted"),
    few_of(
        [
            (STATUS, {"statuses.x"}),
            (STATUS + Y + 'effect = [{ do = "apply", status = "x" }]', {"powers.y"}),
            (STATUS + Y + 'effect = [{ do = "save", status = "x" }]', {"statuses.x", "powers.y"}),
            (STATUS + Y + 'effect = [{ do = "end", status = "x" }]', {"statuses.x", "powers.y"}),
            (STATUS + Y + 'effect = [{ do = "zone", name = "Z", status = "x" }]', {"powers.y"}),
            (STATUS + C + 'auras = [{ name = "Z", spread = 1, status = "x" }]', set()),
            (STATUS + C + 'statuses = ["x"]', set()),
            (STATUS + '[statuses.w]\nname = "W"\nimplies = ["x"]', {"statuses.w"}),
            (STATUS + ENTERS + C + 'statuses = ["x"]', {"statuses.x.reactions[1].on"}),
            (STATUS + ENTERS + '[hazards.h]\nname = "H"\nstatus = "x"', set()),
            (
                STATUS + ENTERS + _map("P.") + 'zones = [{ name = "Z", squares = ["B1"], status = "x" }]',
                set(),
            ),
            (P, {"powers.x"}),
            (P + C + 'powers = ["x"]', set()),
            (_map("P.\n...\n.."), {"encounters.x.map"}),
            (_map("P.\n.."), set()),
            (_map("P.\n ..\n..."), set()),
            (ROLLED + Y + 'effect = [{ do = "attack", to = "self", power = "x" }]', {"powers.y"}),
        ]
    ),
)
def test_what_nothing_comes_of(text: str, noted: set[str]) -> None:
    """STR-TAC-12, 25: what gives a status, by step, zone, aura, another, from the start; who has a power."""
    known = {str(where) for where, _, _ in unused_content_and_short_map_rows(book_with(""))}
    assert {str(where) for where, _, _ in unused_content_and_short_map_rows(book_with(text))} - known == noted


A_POWER = "[powers.x]\n%s"
AT_RANGE = f"{P}%s"
A_STEP = f"{P}effect = [{{ %s }}]"
A_STATUS = "[statuses.x]\n%s"
A_SOURCE = "[statuses.x]\nsources = [{ %s }]"
A_NUMBER = "[statuses.x]\nnumbers = [{ %s }]"
A_REMAP = "[statuses.x]\nremaps = [{ %s }]"
A_TRAIT = f'{C}traits = [{{ name = "T", %s }}]'
A_CONDITION = '[conditions.x]\nname = "X"\n%s'
ALWAYS_THERE = (
    '[conditions.x]\nname = "X"\nseverity = "minor"\nreactions = [{ %s }]',
    '[creature_traits.x]\nname = "X"\nreactions = [{ %s }]',
)
REFUSED: dict[tuple[str, str], list[tuple[str, str]]] = {
    (A_STEP, ".effect[1]"): [
        ('do = "swap", amount = 2', ".amount: swap has none"),
        ('do = "damage", amount = 2, status = "prone"', ".status: damage has none"),
        ('do = "push", amount = 1, faces = { 1-6 = [] }', ".faces: push has none"),
        ('do = "damage", amount = 1, way = "chosen"', ".way: damage has none"),
        ('do = "push", amount = 1, way = "away"', ".way: 'away' is not one of 'chosen'"),
        ('do = "heal", amount = 1, within = 3', ".within: narrows"),
        ('do = "heal", amount = 1, from = "target"', ".from: needs within"),
        ('do = "heal", to = "giver", amount = 1', ".to: a power"),
        ('do = "damage", amount = 1, by = "giver"', ".by: a power has none"),
        ('do = "heal", to = "other", amount = 1', ".to: other is on the other side of a reaction"),
        ('do = "swap", to = "ally", partner = "nobody"', ".partner: 'nobody' is not one of"),
        ('do = "save", if = "critical"', ".if: only of an attack roll"),
        ('do = "damage", amount = 1, if = "bloodid"', ".if: Did you mean 'bloodied'"),
        ('do = "damage", amount = 1, if_status = "bloodid"', ".if_status: no status 'bloodid'"),
        ('do = "damage", amount = { half = "up" }', ".amount: needs either of"),
        ('do = "damage", amount = { of = "delt" }', ".amount.of: 'delt' is not one of"),
        ('do = "damage", amount = { of = "this" }', ".amount: only on = damaged, harmed, falls has this"),
        ('do = "damage", amount = { of = "value" }', ".amount: means the reacting status; name the status"),
        ('do = "damage", amount = { of = "round", status = "prone" }', '.amount.status: needs of = "value"'),
        ('do = "lower", amount = 1', ": lower needs a status, or this = true"),
        ('do = "lower", this = true', ".this: means the reacting status; name the status"),
        ('do = "push"', ": push needs an amount"),
        ('do = "repeat", amount = 2, steps = [{ do = "push" }]', ".steps[1]: push needs an amount"),
        ('do = "repeat", amount = 30, steps = [{ do = "save" }]', ".amount: 10 times at most"),
        ('do = "repeat", amount = 2, steps = [{ ' * 4 + 'do = "save"' + " }]" * 4,
         ".steps[1].steps[1].steps[1].steps: there is no such key"),
        ('do = "roll", faces = { 1-3 = [] }', ".faces: each face from 1 to 6"),
        ('do = "choose"', ": choose needs options"),
        ('do = "run-at"', ': run-at belongs in the faces of do = "lose-control"'),
        ('do = "lose-control", faces = { 1-6 = [{ do = "run-at", once = "turn" }] }',
         ".faces.1-6[1].once: run-at has no once"),
        ('do = "lose-control", faces = { 1-6 = [{ do = "melee", to = "ally" }] }',
         ".faces.1-6[1].to: melee has no to"),
        ('do = "summon", creature = "goblin", duration = "save"', ".duration: 'save' is not one of"),
        ('do = "zone", name = "Z", duration = "save"', ".duration: 'save' is not one of"),
        ('do = "zone", name = "Z", who = "allies"', ".who: is neither"),
        ('do = "zone", name = "Z", along = true', ": needs a spread"),
        ('do = "end-zone", to = "self"', ": needs zone"),
    ],
    (AT_RANGE, ""): [
        ('hit = [{ do = "save" }]', ".hit: needs damage"),
        ("bonus = [{ amount = 1 }]", ".bonus: needs damage"),
        ('always = [{ do = "zone" }]', ".always[1]: zone needs a name"),
        ('uses = 2\nusage = "encounter"', ": choose one of them"),
        ('back = "day"', ".back: needs charges"),
        ("recharge = 5", ".recharge: nothing is used up"),
    ],
    (A_POWER, ""): [
        ("burst = 1\nline = 2", ": one area"),
        ("area = 1", ": area needs a range"),
        ("damage = 2", ": damage needs reach"),
        ("burst = 2\nrange = 4\ndamage = 1", ".range: spreads from its maker"),
        ('who = "foes"', ".who: 'foes' is not one of"),
        ('on = "missed"', ".on: interrupt, a free action or no action"),
        ('action = "none"\non = "moves"\neffect = [{ do = "damage", to = "befallen", amount = 1 }]',
         ".effect[1].to: has no victim"),
        ('range = 5\ndamage = 1\nbefore = [{ do = "save", if = "flanked" }]',
         ".before[1].if: only of an attack roll"),
    ],
    (A_SOURCE, ".sources[1]"): [
        ('on = "save", gives = -1, when = "alone"', ".when: distinguishes attacks"),
        ('on = "save", gives = -1, range = "melee"', ".range: distinguishes attacks"),
        ('on = "attack", gives = -1, tags = ["a"]', ".tags: have none"),
    ],
    (A_NUMBER, ".numbers[1]"): [
        ('of = "taken"', ": needs gives"),
        ('of = "speed", gives = 1, only = ["fire"]', ".only: keywords are for damage"),
        ('of = "luck", gives = 1', ".of: 'luck' is not one of"),
        ('of = "taken", gives = 1, when = "sometimes"', ".when: 'sometimes' is not one of"),
    ],
    (A_REMAP, ".remaps[1]"): [  # a die is of attacks at the holder, damage is what the holder deals
        ('stage = "die", faces = { 6 = 5 }', ': side = "against" and faces'),
        ('stage = "die", side = "against"', ': side = "against" and faces'),
        ('stage = "damage", side = "against", half = true', ': side = "own" and half'),
    ],
    (A_STATUS, ""): [
        ('name = " "', ".name: ' ' is not a name"),
        ('bans = [{ action = "act", side = "against" }]', ".bans[1].side: can't be given by others"),
        ('bans = [{ action = "flank", over = 1 }]', ".bans[1].over: is counted"),
        ('reactions = [{ on = "moved", do = "end", amount = 1 }]', ".reactions[1].amount: end has none"),
    ],
    (A_TRAIT, ".traits[1]"): [
        ('reactions = [{ on = "enters", do = "heal", amount = 1 }]', ".reactions[1].on: always there"),
        ('numbers = [{ of = "taken", gives = 1, when = "from-giver" }]', ".numbers[1].when: has no giver"),
    ],
    (A_CONDITION, ""): [
        ('severity = "dire"', ".severity: there is no severity 'dire'"),
        ('severity = "minor"\nrecovery = { needs = ["doctor"], text = "x", times = 2 }',
         ".recovery.times: for counting"),
        ('severity = "minor"\n[conditions.x.recovery]\nneeds = ["day"]\ntext = ""\n'
         "roll = { at_least = 3, worse_on = 1 }", ".recovery.roll: need each other"),
    ],
    ('[conditions.x]\nseverity = "minor"\n%s', ""): [('name = " "', ".name: ' ' is not a name")],
    **{
        (frame, ".reactions[1]"): [
            ('on = "damaged", steps = [{ do = "end", to = "self", this = true }]',
             ".steps[1].this: doesn't end"),
            ('on = "damaged", steps = [{ do = "heal", to = "giver", amount = 1 }]',
             ".steps[1].to: has no giver"),
            ('on = "damaged", steps = [{ do = "heal", to = "self", amount = { of = "value" } }]',
             ".steps[1].amount: no number"),
            ('on = "gaining", steps = [{ do = "save", to = "self" }]', ".on: always there"),
        ]
        for frame in ALWAYS_THERE
    },
}  # fmt: skip
"""What stands where, by what is around it; and what is told of it: the key, and words of the fault."""


def test_what_is_not_read_is_refused() -> None:
    """STR-TAC-03, 11, 12, 25, 27: file, key and what it belongs to; the line where the file shows one."""
    cases = [
        (frame % text, *f"{above}{told}".split(": ", 1))
        for (frame, above), rows in REFUSED.items()
        for text, told in rows
    ]
    faults = told_of_each([text for text, _, _ in cases])
    for number, (text, key, words) in enumerate(cases):
        with case(text, faults[number]):
            assert re.match(rf"campaign\.toml: \w+\.x-{number}{re.escape(key)}: ", faults[number])
            assert words in faults[number]
            assert "(line " in faults[number]


CAMPAIGN = """\
schema = 1
[statuses.fuse]
name = "Fuse"

[statuses.trap]
name = "Trap"
reactions = [{ on = "enters", do = "damage", amount = 1 }]

[statuses.given]
name = "Given"

[powers.unheld]
name = "Unheld"
range = 5
action = "role"
effect = [{ do = "apply", status = "given" }]

[characters.ann]
name = "Ann"
statuses = ["trap"]
"""


def test_what_nothing_comes_of_is_told(tmp_path: Path) -> None:
    """What can never come is a mistake; what the game master may do by hand is worth knowing."""
    (tmp_path / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")
    told = {finding.what: finding.ok for finding in examine_campaign(tmp_path)}
    (fuse,) = [what for what in told if "statuses.fuse: no rule gives it" in what]
    assert fuse.startswith("campaign.toml, line 2: ")
    assert told[fuse] is True
    (trap,) = [what for what in told if "statuses.trap.reactions[1].on" in what]
    assert trap.startswith("campaign.toml, line 7: ")
    assert told[trap] is False
    assert any("line 12: powers.unheld: nobody has it" in what for what in told)
    assert not any("given:" in what or "core:" in what for what in told)
