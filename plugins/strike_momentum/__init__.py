"""Momentum: fights with Action Points, Reaction Points, Vitality and Narrative Momentum (WSH).

This is a whole game system as a plugin; it imports nothing of strike but `strike_cli.plugin`. Begin with
`system.py`, which names the parts. `fight_state.py` reads the current fight from the state, `attack.py` plays
attacks, `damage_and_healing.py` their effects, and `facts.py` has the wording of what is reported.

Example: `strike momentum attack` is declared in `commands` and played by `attack.py`.
"""

from strike_cli.plugin import Plugin

plugin = Plugin("momentum", api=2, systems=["strike_momentum.system:SYSTEM"], content=["statuses.toml"])
