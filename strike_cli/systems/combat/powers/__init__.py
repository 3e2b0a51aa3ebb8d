"""Powers: targets, the attack roll, and the effects of their steps.

- `power`, `uses`, `named_zones`, `amounts`: a power as the rules read it. - `attack`, `charge`,
`attack_table`: the use of a power, and the attack roll. Begin with `attack`. - `effects`: the steps of a
power, in order. - `trial`: trying a power before a game.

Example: `strike combat attack vex goblin-1 --power "lantern flare"`.
"""
