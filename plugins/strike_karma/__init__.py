"""Karma: fights in which the initiative is passed from hand to hand (CIN). A whole game system as a plugin,
without squares, hit points or a list of turns: it sees nothing of strike but `strike_cli.plugin`."""

from strike_cli.plugin import Plugin

plugin = Plugin("karma", api=2, systems=["strike_karma.system:KARMA"])
