"""Fights that nobody sits at: players that choose by themselves, and what thousands of fights come to."""
