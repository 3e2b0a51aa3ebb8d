"""Commands about the campaign itself: preparation, simulation, the table, and virtual tabletops.

They name no game. Modules are imported when a command of theirs is typed, so none may import another's.
`strike sim`, for example, is `sim.py`, `strike bridge push` `bridge.py`.
"""
