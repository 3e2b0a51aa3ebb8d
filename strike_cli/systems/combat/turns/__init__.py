"""Turns from start to end, actions outside the turn order, and actions open to everybody.

- `turn` plays turns, with what happens at their start and end. Begin here.
- `saving_throws` plays Saving Throws.
- `delay_and_prepare` plays delayed turns and prepared actions.
- `common_actions` plays Assess, improvised attacks, and Skill Rolls.

Example: `strike combat turn` is played by `turn.play_turn`.
"""
