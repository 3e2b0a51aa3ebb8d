"""Words that commands of fights take, as Tab offers them."""

from __future__ import annotations

from strike_cli.terminal.completion import content, in_scene

COMBATANTS = in_scene("fight")
POWERS = content("powers")
STATUSES = content("statuses")
ENCOUNTERS = content("encounters")
