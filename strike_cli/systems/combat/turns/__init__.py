"""Turns from start to end, actions outside the turn order, and actions open to everybody.

- `turn` has turns, with what happens at their start and end. Begin here.
- `saving_throws` has Saving Throws.
- `delay_prepare_and_leave` has delayed turns and prepared actions.
- `common_actions` has Assess, improvised attacks, and Skill Rolls.

Example: `strike combat turn` is played by `turn.play_turn`.
"""
