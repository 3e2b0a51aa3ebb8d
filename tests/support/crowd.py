"""A crowded fight: fifteen against fifteen on a map of twenty by twenty, with traits that answer, statuses
and zones, and powers that catch many at once."""

from __future__ import annotations

from pathlib import Path

from strike_cli.campaign import Campaign
from strike_cli.campaign.create import create_campaign_folder
from strike_cli.play.command_execution import PlaySettings, perform_command

EACH_SIDE = 15
SIZE = 20

POWERS = """
[powers.quake]
name = "Quake"
burst = 2
damage = 2
who = "enemies"
effect = [{ do = "apply", status = "prone", duration = "permanent" }]

[powers.tremor]
name = "Tremor"
burst = 3
damage = 2
who = "enemies"
effect = [{ do = "push", amount = 1 }]

[powers.storm]
name = "Storm"
range = 10
area = 2
damage = 2
who = "enemies"
effect = [{ do = "apply", status = "slowed", duration = "save" }]
miss = [{ do = "damage", amount = 1 }]

[powers.volley]
name = "Volley"
range = 10
targets = 5
damage = 2

[powers.shield-wall]
name = "Shield Wall"
burst = 4
who = "allies"
action = "role"
effect = [{ do = "apply", status = "guarded", duration = "turn-start" }]

[powers.sparks]
name = "Sparks"
action = "none"
on = "missed"
reach = 1
effect = [{ do = "apply", status = "harried", duration = "turn-start" }]

[statuses.thorns]
name = "Thorns"
reactions = [{ on = "damaged", do = "apply", status = "slowed" }]
"""


def campaign_toml() -> str:
    """The whole file: fifteen characters, fifteen creatures."""
    whole = ['schema = 1\nname = "The Crowd"\nseed = 5\n', POWERS]
    for number in range(1, EACH_SIDE + 1):
        whole.append(
            f'[characters.hero-{number}]\nname = "Hero {number}"\nap = 1\nmelee = {{ damage = 3 }}\n'
            "ranged = { damage = 2, range = 10 }\n"
            'powers = ["quake", "tremor", "storm", "volley", "shield-wall", "sparks"]\n'
        )
    whole.append(
        '[creatures.brute]\nname = "Brute"\nhp = 8\nmelee = { damage = 2 }\n'
        "ranged = { damage = 2, range = 10 }\n"
        'powers = ["quake", "tremor", "storm", "volley", "shield-wall", "sparks"]\n'
        'traits = [{ name = "Thorny hide", reactions = [{ on = "damaged", do = "heal", amount = 1 }] }]\n'
    )
    whole.append(
        f'[encounters.field]\nname = "The Field"\nmap = """\n{drawn()}\n"""\n'
        'place = { P = "party", b = "brute" }\n'
    )
    return "\n".join(whole)


def drawn() -> str:
    """The two sides in the middle, so near that an area catches up to twelve; rough ground and a few
    posts."""
    rows = [["." for _ in range(SIZE)] for _ in range(SIZE)]
    for number in range(EACH_SIDE):
        column, row = number % 5, number // 5
        rows[6 + 2 * row][7 + column] = "b"
        rows[7 + 2 * row][7 + column] = "P"
    for number in (2, 16):
        rows[number] = [each if column % 4 else "#" for column, each in enumerate(rows[number])]
        rows[number + 1] = [each if column % 3 else "~" for column, each in enumerate(rows[number + 1])]
    return "\n".join("".join(row) for row in rows)


def crowd(folder: Path) -> Path:
    """A campaign in the turn of the first hero, who stands where quake catches many, with zones and statuses
    about."""
    create_campaign_folder(folder)
    (folder / "campaign.toml").write_text(campaign_toml(), encoding="utf-8")
    with Campaign(folder, writing=True) as campaign:
        party = list(campaign.book.characters)
        perform_command(
            campaign, "combat start", {"encounter": "field", "goal": "", "party": party}, PlaySettings()
        )
        order = [f"hero-{number}" for number in range(1, EACH_SIDE)]
        perform_command(
            campaign, "combat initiative", {}, PlaySettings(dice=[6] * EACH_SIDE + [1] * 15, choices=order)
        )
        for number, square in enumerate(("C3", "J10", "M10")):
            zone = {"called": f"Smoke {number}", "squares": [square], "by": "", "damage": 1}
            zone |= {"difficult": False, "sight": "obscured", "ends": "encounter", "secret": False}
            perform_command(campaign, "combat zone add", zone, PlaySettings())
        for number, who in enumerate(campaign.state["fight"]["combatants"]):
            status = ("core:slowed", "core:harried", "core:weakened")[number % 3]
            args = {"who": who, "status": status, "ends": "save", "value": 0}
            perform_command(campaign, "combat status add", args, PlaySettings())
        perform_command(campaign, "combat turn", {}, PlaySettings())
    return folder
