"""Turns from start to end: upkeep, saves, delaying, preparing, and actions open to everybody.

Begin with `turn`; `upkeep` has the effects at its start and end, `saves` the saves, `delay_and_ready`
acting out of order, `common_actions` Assess, improvise and Skills. Example: `strike turn` is
`turn.play_turn`.
"""
