"""The core of Strike! (STR-CORE): Skill Rolls, their costs, Conditions, points, advancement.

- `skill`, `opposed`, `die`: rolls. Begin with `skill`. `circumstances`, `costs`: what bears on one, what it
  costs.
- `conditions`, `charges`, `fallback`, `fun_once`: what happens to characters.
- `points`, `tricks`, `advancement`, `learned`, `skill_uses`: Action Points and growth.
- `evening`, `unlisted`, `dependencies`: sessions, people in no file, what rolls rest on.
- `system` names all parts; `facts` has everything reported, `commands` the command line.

Example: `strike roll skill vex Climbing` is `commands/roll.py`, played by `skill.play_skill`.
"""
