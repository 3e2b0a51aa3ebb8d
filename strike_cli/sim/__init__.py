"""Simulation: fights played by bots, thousands of times, and their statistics.

- `request`, `variants`, `encounter_difficulty`: the fights to play. `simulated_system`: what a system
declares
  so that it can be simulated.
- `fight`, `bot_players`: one fight in memory. Begin with `fight`.
- `run`, `scheduler`, `worker`: many fights on many processes.
- `statistics`, `confidence_intervals`, `report`, `page`: results.

Example: `strike sim run ford --fights 100`.
"""
