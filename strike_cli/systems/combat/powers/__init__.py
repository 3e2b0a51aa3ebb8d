"""Powers: targets, the attack roll, and the effects of their steps.

- `power`, `uses`, `named_zones`, `amounts`: a power in the form that rules use.
- `attack`, `charge`, `attack_table`: using one, and the roll. Begin with `attack`. `effects`: its steps in
  order.
- `trial`: a trial of a power.

Example: `strike combat attack vex goblin-1 --power "lantern flare"`.
"""
