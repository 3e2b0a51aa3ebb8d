"""The group that every module of commands adds to."""

from strike_cli.plugin.commands import new_app

app = new_app(
    help="Fights by Action Points, Reaction Points, Vitality and Narrative Momentum.\n\n"
    "An evening's fight: `momentum start ford`, `momentum initiative`, then for each turn `momentum turn`, "
    "some of `momentum move`, `momentum attack` and `momentum act`, and `momentum end-turn`; at last "
    "`momentum end`.\n\n"
    "Example: `strike momentum attack runa warden`"
)
