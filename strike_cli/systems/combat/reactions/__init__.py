"""Reactions to events: what watches every command, triggers, and reactions with powers.

- `engine` watches the facts of a fight and plays the reactions to them. Begin here.
- `triggers` has the moments to which one can react.
- `power_reactions` has reactions with powers.
- `reactions` has reactions of statuses and traits, and how often they can be used.

Example: a Marked creature that attacks somebody else gives an Opportunity.
"""
