"""Drivers that answer a rule's dice and choices: live, entered and recorded dice; every face; many games.

- `moves`, `legal_options`: a system's moves, the legal ones, their value.
- `execute`: plays one command against a campaign. Begin here.
- `replay`, `dice_audit`: recorded commands again.
- `forecast`, `decision_weighing`: possible results of a command and of a decision.
- `gm_override`: values set by hand.

Example: `strike roll skill vex Climbing` becomes `execute.perform` with the move `roll skill`.
"""
