"""Damage, statuses, Strikes and Miss Tokens."""
