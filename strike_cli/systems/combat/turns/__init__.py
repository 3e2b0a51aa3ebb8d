"""Turns from start to end: what comes by itself, saves, acting out of order, what everybody can do."""
