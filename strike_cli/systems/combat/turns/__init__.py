"""Turns from start to end, actions out of order, and actions that everybody has.

- `turn` has turns, with what happens at their start and end. Begin here.
- `saves` has Saving Throws.
- `delay_and_prepare` has delaying a turn, and prepared actions.
- `common_actions` has Assess, improvised attacks, and Skill Rolls.

Example: `strike combat turn` is played by `turn.play_turn`.
"""
