"""Wealth (STR-CORE-26 to 30, helping of 20).

- `effective_wealth`: a character's Wealth, its present value, and parcels of cash.
- `roll`: the dice for a price, helpers among them: play and odds.
- `buy`: buying, and its cost. `pool`: five of one Wealth buy as one of the next.
- `parcels`: cash gained, spent, invested; getting over Short and Broke.

Begin with `system`, then `buy`. Example: `strike wealth buy vex 1` is `buy.play_buy`.
"""
