"""Commands about the campaign itself: preparation, simulation, the table, and virtual tabletops.

They are independent of any game. Each module is imported when one of its commands is typed, so none may
import another. For example, `sim.py` has `strike sim`, and `bridge.py` has `strike bridge push`.
"""
