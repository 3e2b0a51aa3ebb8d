"""Drivers: who answers what a rule asks. Live, entered and recorded dice; every face; many games.

`perform` plays one command against a campaign; `exhaustive` counts every way the dice can fall.
"""
