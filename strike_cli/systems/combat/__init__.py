"""Tactical Combat (STR-TAC): fights on a grid.

- `fight_state` reads the fight under way from the state. Begin here.
- `health_and_statuses` has damage, healing and statuses.
- `encounter` has the setup of a fight, joining and leaving, objectives, and the end.
- `turns` has turns, saves, and actions open to everybody.
- `board` has squares, sight, zones, movement and Opportunities.
- `powers` and `steps` have attacks, and the steps of their effects; `reactions` has reactions to events.
- `bots` has legal options, forecasts and bots.
- `commands` has `strike combat`, and `facts` everything that is reported.
- `system` names all the parts, with `schemas`, `validation`, `rule_numbers` and `bot_and_checks`.

Example: `strike combat attack vex goblin-1` is declared in `commands/attacks_and_powers.py` and played by
`powers/power_use.py`.
"""
