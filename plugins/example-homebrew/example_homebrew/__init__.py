"""Home-made content for strike, and a target of the bridge.

A plugin imports `strike_cli.plugin` and, for a target, `strike_bridge.targets.base`; nothing else of strike.
"""

from strike_cli.plugin import Plugin

plugin = Plugin(
    "homebrew", api=2, content=["homebrew.toml"], targets={"ntfy": "example_homebrew.ntfy:NtfyTarget"}
)
