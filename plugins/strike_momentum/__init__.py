"""Fights by Action Points, Reaction Points, Vitality and Narrative Momentum (WSH)."""

from strike_cli.plugin import Plugin

plugin = Plugin("momentum", api=2, systems=["strike_momentum.system:SYSTEM"], content=["statuses.toml"])
