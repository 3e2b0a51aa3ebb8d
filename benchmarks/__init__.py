"""Benchmarks: measurements of strike's speed, and of its bots and rules.

A ratio compares strike with a reference program. Both programs are measured alternately in the same run. No
test reads the ratios.
"""
