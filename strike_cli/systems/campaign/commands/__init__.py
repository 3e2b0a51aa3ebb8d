"""The commands about the campaign itself that no evening's frame needs: what is prepared, simulated, shown on
the table and sent to a virtual tabletop. They name no game, as the frame does not.

Modules are imported when a command of theirs is typed, so none may import another's.
"""
