"""Karma: fights in which the holder of the initiative acts, and passes it on (CIN).

This is a whole game system as a plugin, without squares, hit points or a turn order; it imports nothing of
strike but `strike_cli.plugin`. Begin with `system.py`, which names the parts. `fight_state.py` reads the
current fight from the state, `fight_setup.py` starts one, `action.py` plays an action with its rolls, and
`facts.py` has the wording of what is reported.

Example: `strike karma start` is declared in `commands.py` and played by `fight_setup.py`.
"""

from strike_cli.plugin import Plugin

plugin = Plugin("karma", api=2, systems=["strike_karma.system:KARMA"])
