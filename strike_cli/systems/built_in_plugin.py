"""Strike's own plugin: its systems, their content, and its formats of map files."""

from ..registry.plugin_declaration import API, Plugin

PLUGIN = Plugin(
    "core",
    api=API,
    content=["core/conditions.toml", "combat/statuses.toml", "combat/powers.toml", "conflict/traits.toml"],
    systems=[
        "strike_cli.systems.campaign.system:CAMPAIGN",
        "strike_cli.systems.core.system:CORE",
        "strike_cli.systems.wealth.system:WEALTH",
        "strike_cli.systems.combat.system:COMBAT",
        "strike_cli.systems.conflict.system:CONFLICT",
        "strike_cli.systems.chase.system:CHASE",
        "strike_cli.systems.prep.system:PREP",
    ],
    map_formats={
        **dict.fromkeys((".dd2vtt", ".df2vtt", ".uvtt"), "strike_cli.content.universal_vtt:UVTT"),
        ".json": "strike_cli.content.foundry_scene:FOUNDRY_SCENE",
    },
)
