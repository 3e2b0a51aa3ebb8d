"""Powers: targets, the attack roll, and the effects of their steps.

- `powers_and_targets`, `standard_powers_and_use_limits`, `zones_named_by_steps` and `step_amounts` compute a
  power's targets, limits of use, zones and amounts.
- `power_use`, `charge` and `attack_table` play a power and its attack roll. Begin with
  `power_use`.
- `step_play_and_summaries` plays the steps of a power, in order.
- `power_trial` tries out a power before a game.

Example: `strike combat attack vex goblin-1 --power "lantern flare"`.
"""
