"""Fights that nobody sits at: players that choose by themselves."""
