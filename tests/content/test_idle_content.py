"""What is written and not read is refused, and what nothing comes of is told by doctor, with file, line and
key (STR-TAC-12, 25)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.game import book_with
from support.thorough import few_of

from strike_cli.campaign.doctor import examine_campaign
from strike_cli.problems import ContentProblem
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


@pytest.mark.parametrize(
    ("text", "key", "fault"),
    few_of(
        [
            (P + 'effect = [{ do = "swap", amount = 2 }]', "effect[1].amount", "swap has none"),
            (P + 'effect = [{ do = "damage", amount = 2, status = "prone" }]', "effect[1].status",
             "has none"),
            (P + 'effect = [{ do = "heal", amount = 1, within = 3 }]', "effect[1].within", "narrows"),
            (P + 'effect = [{ do = "push", amount = 1, way = "away" }]', "effect[1].way",
             "'away' is not one of 'chosen'"),
            (P + 'effect = [{ do = "end-zone", to = "self" }]', "effect[1]", "needs zone"),
            (P + 'effect = [{ do = "heal", to = "giver", amount = 1 }]', "effect[1].to",
             "a power"),
            (P + 'effect = [{ do = "save", if = "critical" }]', "effect[1].if", "only of an attack roll"),
            (P + 'effect = [{ do = "zone", name = "Z", who = "allies" }]', "effect[1].who", "is neither"),
            (P + 'effect = [{ do = "zone", name = "Z", along = true }]', "effect[1]", "needs a spread"),
            (P + 'hit = [{ do = "save" }]', "hit", "needs damage"),
            (P + "bonus = [{ amount = 1 }]", "bonus", "needs damage"),
            (ROLLED + 'before = [{ do = "save", if = "flanked" }]', "before[1].if", "only of an attack roll"),
            ('[powers.x]\nname = "X"\nburst = 2\nrange = 4\ndamage = 1', "range",
             "spreads from its maker"),
            (
                '[powers.x]\nname = "X"\naction = "none"\non = "moves"\n'
                'effect = [{ do = "damage", to = "befallen", amount = 1 }]',
                "effect[1].to",
                "has no victim",
            ),
            (STATUS + 'sources = [{ on = "save", gives = -1, when = "alone" }]', "sources[1].when",
             "distinguishes attacks"),
            (STATUS + 'sources = [{ on = "save", gives = -1, range = "melee" }]', "sources[1].range",
             "distinguishes attacks"),
            (STATUS + 'sources = [{ on = "attack", gives = -1, tags = ["a"] }]', "sources[1].tags",
             "have none"),
            (STATUS + 'bans = [{ action = "act", side = "against" }]', "bans[1].side",
             "can't be given by others"),
            (STATUS + 'bans = [{ action = "flank", over = 1 }]', "bans[1].over", "is counted"),
            (STATUS + 'reactions = [{ on = "moved", do = "end", amount = 1 }]', "reactions[1].amount",
             "end has none"),
            (C + 'traits = [{ name = "T", reactions = [{ on = "enters", do = "heal", amount = 1 }] }]',
             "traits[1].reactions[1].on", "a trait is always there"),
            (C + 'traits = [{ name = "T", numbers = [{ of = "taken", gives = 1, when = "from-giver" }] }]',
             "traits[1].numbers[1].when", "has no giver"),
        ]
    ),
)  # fmt: skip
def test_what_is_not_read_is_refused(text: str, key: str, fault: str) -> None:
    """File, key and what it belongs to; the line where the file shows one."""
    with pytest.raises(ContentProblem) as problem:
        book_with(text)
    (told,) = problem.value.faults
    assert told.startswith("campaign.toml: ")
    assert f".x.{key}: " in told
    assert fault in told
    assert "(line " in told


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
