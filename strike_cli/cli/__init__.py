"""The command line: one module per command group. Parse, one call, a Result; `result.py` shows it.

Modules of command groups are imported when a command of theirs is typed, so none may import another.
"""
