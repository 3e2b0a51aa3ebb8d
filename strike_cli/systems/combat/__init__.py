"""Tactical Combat: setting up, turns, movement, attacks, harm and what comes after."""
