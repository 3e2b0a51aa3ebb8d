"""Turns from start to end, with actions out of order and actions that are open to everybody.

- `turn`: turns, with the effects at their start and end. Begin here. `saves`: Saving Throws. -
  `delay_and_prepare`: delaying a turn, and prepared actions. - `common_actions`: Assess, improvised attacks,
  and Skill Rolls.

Example: `strike combat turn` is played by `turn.play_turn`.
"""
