"""Powers: targets, the attack roll, and the effects of their steps.

- `power`, `uses`, `named_zones`, `amounts`: a power as rules read it.
- `attack`, `charge`, `attack_table`: using one, and the roll. Begin with `attack`. `effects`: its steps in
  order.
- `trial`: a power tried out.

Example: `strike combat attack vex goblin-1 --power "lantern flare"`.
"""
