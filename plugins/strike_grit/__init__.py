"""Grit: fights without a roll to hit, where what gets past Grit steps one's dice down (GRT). A whole game
system as a plugin, and a model for others: it sees nothing of strike but `strike_cli.plugin`."""

from strike_cli.plugin import Plugin

plugin = Plugin("grit", api=2, systems=["strike_grit.system:GRIT"])
