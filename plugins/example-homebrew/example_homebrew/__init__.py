"""Home-made content for strike. A plugin imports `strike_cli.plugin` and nothing else of strike."""

from strike_cli.plugin import Plugin

plugin = Plugin("homebrew", content=["homebrew.toml"])
