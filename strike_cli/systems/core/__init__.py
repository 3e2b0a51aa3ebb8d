"""The core of Strike! (STR-CORE): Skill Rolls, their Costs, Conditions, points, advancement.

- `skill_roll`, `opposed`, `plain_dice`: rolls. Begin with `skill_roll`. - `circumstances`: reasons for
  Advantage and Disadvantage. `flaws_and_favors`: Flaws, Favors and banked bonuses. - `conditions`: Conditions
  and recovery. `fallback`: the Fallback after a roll. - `points`, `advancement`, `learned`: Action Points and
  growth. `evening_points`: sessions. - `system` lists all the parts; `facts` has everything that is reported,
  `commands` the command line.

Example: `strike roll skill vex Climbing` is declared in `commands/roll.py` and played by
`skill_roll.play_skill`.
"""
