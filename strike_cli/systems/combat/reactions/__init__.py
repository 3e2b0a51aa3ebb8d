"""Reactions to events: of statuses, of traits, and with powers.

- `fight_fact_consequences` watches the facts of every command and plays the reactions to them. Begin here.
- `reaction_events_and_moments` has the moments that may trigger a reaction.
- `power_reactions` has reactions with powers.
- `status_and_trait_reactions` has reactions of statuses and traits, and limits of use.

Example: a Marked creature that attacks somebody else gives an Opportunity.
"""
