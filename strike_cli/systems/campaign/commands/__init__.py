"""Commands about the campaign itself: preparation, simulation, the table, and virtual tabletops.

They are independent of any game. A module is imported only when it is needed. For example, `sim.py` has
`strike sim`, and `bridge.py` has `strike bridge push`.
"""
