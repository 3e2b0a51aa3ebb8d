"""Fire, cold and water: a small plugin that comes with strike, and the shortest model of one."""

from strike_cli.plugin import Plugin

plugin = Plugin(
    "elements",
    api=2,
    content=["elements.toml"],
    handlers={"leap": "strike_elements.power_step_handlers:ignite_weakest_neighbour"},
)
