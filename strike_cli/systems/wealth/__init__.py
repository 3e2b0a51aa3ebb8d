"""Wealth (STR-CORE-26 to 30).

- `purchase_roll`: a character's current Wealth, and the dice for a price, with helpers, in play and odds.
- `buying_and_cash`: buying with its Costs, cash parcels, and recovery from Short and Broke.
- `wealth_pooling`: five people of one Wealth buy like one person of the next.

Begin with `system`, then `buying_and_cash`. Example: `buying_and_cash.play_buy` plays `strike wealth buy vex
1`.
"""
