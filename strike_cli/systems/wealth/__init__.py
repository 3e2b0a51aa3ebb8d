"""Wealth (STR-CORE-26 to 30, helping of 20).

- `roll`: present Wealth, and the dice for a price, helpers among them: play and odds.
- `buy`: buying, and its cost. `pool`: five of one Wealth buy as one of the next; cash, Short and Broke.

Begin with `system`, then `buy`. Example: `strike wealth buy vex 1` is `buy.play_buy`.
"""
