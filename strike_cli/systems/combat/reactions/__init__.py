"""Reactions to events: the engine around every command, triggers, and reactions with powers.

- `engine`: watches the facts of a fight and plays the reactions to them. Begin here. - `triggers`: the
  moments that can be reacted to. - `power_reactions`: reactions with powers; `reactions`: reactions of
  statuses and traits, and limits of use.

Example: a Marked creature that attacks somebody else gives an Opportunity.
"""
