"""Wealth (STR-CORE-26 to 30).

- `purchase_roll` has a character's current Wealth, and the dice for a price with helpers, for play and odds.
- `buying_and_cash` plays buying with its Costs, cash parcels, and recovery from Short and Broke.
- `wealth_pooling` plays five people of one Wealth who buy like one person of the next.

Begin with `system`, then `buying_and_cash`. Example: `strike wealth buy vex 1` is played by
`buying_and_cash.play_buy`.
"""
