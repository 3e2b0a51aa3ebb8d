"""Wealth (STR-CORE-26 to 30).

- `purchase_roll`: a character's present Wealth, and the dice for a price with helpers, for play and odds. -
  `buy`: buying and its Costs, cash parcels, recovery from Short and Broke. - `pool`: five people of one
  Wealth who buy as one person of the next.

Begin with `system`, then `buy`. Example: `strike wealth buy vex 1` is played by `buy.play_buy`.
"""
