"""Karma: fights in which the holder of the initiative acts, and passes it on (CIN).

This is a whole game system as a plugin, without squares, hit points or a turn order; it imports nothing of
strike but `strike_cli.plugin`. Begin with `system.py`, which names the parts. `fight.py` has the fight under
way, `setup.py` its start, `action.py` an action with its rolls, and `facts.py` what is reported.

Example: `strike karma start` is declared in `commands.py` and played by `setup.py`.
"""

from strike_cli.plugin import Plugin

plugin = Plugin("karma", api=2, systems=["strike_karma.system:KARMA"])
