"""The core of Strike! (STR-CORE): Skill Rolls and their Costs, Conditions, points, advancement.

- `skill_roll`, `opposed_rolls` and `plain_dice` play rolls. Begin with `skill_roll`.
- `roll_circumstances` finds reasons for Advantage and Disadvantage.
- `flaws_and_favors` is about Flaws, Favors and banked bonuses.
- `conditions` is about Conditions and recovery.
- `fallback_after_twist` uses a Fallback after a roll.
- `points_tricks_and_fallback` is about Action Points, and the use of Tricks, Complications and Fallbacks.
- `evening_points` changes Action Points at the start and end of an evening.
- `advancement` and `skills_tricks_and_complications` are about the growth of characters.
- `system` names all the parts. `facts` has everything that is reported, and `commands` the command line.

Example: `strike roll skill vex Climbing` is declared in `commands/roll.py` and played by
    `skill_roll.play_skill`.
"""
