"""The declaration of Wealth: buying, pools, cash parcels, Short and Broke (STR-CORE-26 to 30)."""

from strike_cli.plugin import Move, Scope, System
from strike_cli.plugin.parts import Content, Help, RemoteCommands, Sheets

WEALTH = System(
    "wealth",
    title="Wealth",
    package="strike_cli.systems.wealth",
    help=Help(
        said={
            **dict.fromkeys(("buy", "shop"), ("wealth buy", "it buys something by a Wealth roll")),
            **dict.fromkeys(("money", "gold", "inventory"), ("wealth show", "it shows a character's Wealth")),
        }
    ),
    rules="rules.md",
    commands={
        "wealth": ".commands.wealth:app",
        "roll": {"wealth": ".commands.wealth:roll_app"},
        "odds": {"wealth": ".commands.wealth:odds_app"},
    },
    content={"characters": Content(fields=".data:WealthOfCharacter")},
    sheets=Sheets(".data:WealthKept"),
    views=".commands.sheet_views:WealthViews",
    outside=RemoteCommands(
        played={"roll": "wealth", "wealth": "buy pool invest recover", "wealth cash": "add spend"},
        read={"wealth": "show", "odds": "wealth"},
    ),
    checks=".effective_wealth_and_purchase_roll:WealthChecks",
    moves={
        "roll wealth": Move(".effective_wealth_and_purchase_roll:play_roll", Scope.NOTHING, stateless=True),
        "wealth buy": Move(
            ".buying_and_cash:play_buy", saved=".buying_and_cash:move_flaws_to_saved_purchase"
        ),
        "wealth pool": Move(".wealth_pooling:play_pool"),
        "wealth cash add": Move(".buying_and_cash:play_cash_add"),
        "wealth cash spend": Move(".buying_and_cash:play_cash_spend"),
        "wealth invest": Move(".buying_and_cash:play_invest"),
        "wealth recover": Move(".buying_and_cash:play_recover"),
    },
    fact_modules=[".facts"],
)
