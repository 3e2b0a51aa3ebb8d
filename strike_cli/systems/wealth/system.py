"""Wealth: what a character can buy, with help and in pools, parcels of cash, being Short and Broke
(STR-CORE-26 to 30)."""

from strike_cli.plugin import FactKind, Move, Scope, System

TOLD = FactKind("Wealth")

WEALTH = System(
    "wealth",
    title="Wealth",
    package="strike_cli",
    commands={
        "wealth": ".cli.wealth:app",
        "roll": {"wealth": ".cli.wealth_rolls:roll_app"},
        "odds": {"wealth": ".cli.wealth_rolls:odds_app"},
    },
    sheets={"characters": ".systems.wealth.schemas:CHARACTER"},
    character_state=".systems.wealth.schemas:character_state",
    moves={
        "roll wealth": Move(".rules.wealth.roll:play_roll", Scope.NOTHING, bare=True),
        "wealth buy": Move(".rules.wealth.buy:play_buy"),
        "wealth pool": Move(".rules.wealth.pool:play_pool"),
        "wealth cash add": Move(".rules.wealth.parcels:play_cash_add"),
        "wealth cash spend": Move(".rules.wealth.parcels:play_cash_spend"),
        "wealth invest": Move(".rules.wealth.parcels:play_invest"),
        "wealth recover": Move(".rules.wealth.parcels:play_recover"),
    },
    facts={
        "priced": TOLD,
        "bank-broken": TOLD,
        "went-without": TOLD,
        "cash-gained": TOLD,
        "cash-spent": TOLD,
        "wealth-gained": TOLD,
    },
)
