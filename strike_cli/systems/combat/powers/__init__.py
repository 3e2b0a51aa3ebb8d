"""Powers: targets, the attack roll, and the effects of their steps.

- `power`, `uses`, `named_zones` and `amounts` have a power's targets, limits of use, zones and amounts.
- `attack`, `charge` and `attack_table` have the use of a power, and the attack roll. Begin with `attack`.
- `effects` plays the steps of a power, in order.
- `trial` tries out a power before a game.

Example: `strike combat attack vex goblin-1 --power "lantern flare"`.
"""
