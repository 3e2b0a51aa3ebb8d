"""Wealth (STR-CORE-26 to 30).

- `effective_wealth_and_purchase_roll`: a character's current Wealth, and the roll for a price. Play and odds
  both use it.
- `buying_and_cash`: buying with its Costs, cash parcels, and recovery from Short and Broke.
- `wealth_pooling`: five people of the same Wealth pool it, and buy as one person of the next higher Wealth.

Begin with `system`, then `buying_and_cash`. Example: `buying_and_cash.play_buy` plays `strike wealth buy vex
1`.
"""
