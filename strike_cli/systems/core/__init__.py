"""The core of Strike! (STR-CORE): Skill Rolls and their Costs, Conditions, points, advancement.

- `skill_roll`, `opposed_rolls` and `plain_dice` have rolls. Begin with `skill_roll`.
- `roll_circumstances` has reasons for Advantage and Disadvantage.
- `flaws_and_favors` has Flaws, Favors and banked bonuses.
- `conditions` has Conditions and recovery, and `fallback_after_twist` the use of a Fallback after a roll.
- `points_tricks_and_fallback` has Action Points, `advancement` and `skills_tricks_and_complications` have
  growth, and `evening_points` points per session.
- `system` names all the parts; `facts` has everything that is reported, and `commands` the command line.

Example: `strike roll skill vex Climbing` is declared in `commands/roll.py` and played by
`skill_roll.play_skill`.
"""
