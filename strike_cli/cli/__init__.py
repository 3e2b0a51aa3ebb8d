"""The frame of the command line: reads what was typed, finds whose command it is, helps, completes, plays and
shows whatever scene there is. It knows no system: a system's commands stand with it (`systems/*/commands`).

Modules of command groups are imported when a command of theirs is typed, so none may import another.
"""
