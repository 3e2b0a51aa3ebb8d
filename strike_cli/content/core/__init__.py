"""The core game's own conditions, statuses, powers and traits, as a plugin like any other."""

from strike_cli.plugin import Plugin

plugin = Plugin("core", content=["conditions.toml", "statuses.toml", "powers.toml", "traits.toml"])
