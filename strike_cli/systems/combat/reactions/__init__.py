"""Reactions to facts: the engine around every command, triggers, and answers with powers.

- `engine`: watches a fight's facts and plays their reactions. Begin here.
- `triggers`: the moments of reactions, and their limits.
- `answers`: reactions of powers; `reactions`: reactions of statuses and traits.

Example: a Marked enemy that attacks another gives an Opportunity.
"""
