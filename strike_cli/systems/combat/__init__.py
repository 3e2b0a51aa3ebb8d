"""Tactical Combat (STR-TAC): fights on a grid.

- `fight`: the fight under way, as the rules read it. Begin here. `harm`: damage, healing, statuses. -
`encounter`: setting up, joining, leaving, objectives, the end. `turns`: turns, saves, common actions. -
`board`: squares, sight, zones, movement, Opportunities. - `powers`, `steps`: attacks, and the steps of their
effects. `reactions`: reactions to events. - `bots`: legal options, forecasts, bots. `commands`: `strike
combat`. `facts`: everything that is reported. - `system` lists all the parts, with `schemas`, `validation`,
`numbers` and `bot_and_checks`.

Example: `strike combat attack vex goblin-1` is declared in `commands/attack.py` and played by
`powers/attack.py`.
"""
