"""Powers: targets, the attack roll, and the effects of their steps.

- `powers_and_targets`, `use_limits`, `zones_named_by_steps` and `step_amounts` have a power's targets,
  limits of use, zones and amounts.
- `power_use`, `charge` and `attack_table` have the use of a power, and the attack roll. Begin with
  `power_use`.
- `effects` plays the steps of a power, in order.
- `power_trial` tries out a power before a game.

Example: `strike combat attack vex goblin-1 --power "lantern flare"`.
"""
