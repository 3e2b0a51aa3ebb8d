"""The core of Strike! (STR-CORE): Skill Rolls, their costs, Conditions, points, advancement.

- `skill`, `opposed`, `die`: rolls. Begin with `skill`. `circumstances`, `costs`: what bears on one, what it
  costs.
- `conditions`, `fallback`: what happens to characters.
- `points`, `advancement`, `learned`: Action Points and growth.
- `evening`: sessions.
- `system` names all parts; `facts` has everything reported, `commands` the command line.

Example: `strike roll skill vex Climbing` is `commands/roll.py`, played by `skill.play_skill`.
"""
