"""Servers that stand in for real ones: each holds real state, and misbehaves as the real ones do."""
