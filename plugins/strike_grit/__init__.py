"""Fights by Grit: no rolls to hit; damage beyond Grit makes the dice of attributes smaller (GRT).

This is a whole game system as a plugin, and a model for others: it imports nothing of strike but
`strike_cli.plugin`. Begin with `system.py`, which names the parts. `fight_state.py` reads the current fight
from the state, `attack.py` plays attacks, `harm.py` the effects of damage, and `facts.py` has the wording
of what is reported.

Example: `strike grit attack --damage d6,d6 --armor 1 --grit 2 --str d10` is declared in `commands.py` and
played by `attack.py`.
"""

from strike_cli.plugin import Plugin

plugin = Plugin("grit", api=2, systems=["strike_grit.system:GRIT"])
