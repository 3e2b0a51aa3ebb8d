"""Simulation: fights played by bots, thousands of times, and their statistics.

- `request`, `variants`, `encounters`: the fights to play. `plan`: a system's part in it.
- `fight`, `players`: one fight in memory. Begin with `fight`.
- `run`, `scheduler`, `worker`: many fights on many processes.
- `statistics`, `intervals`, `report`, `page`: results.

Example: `strike sim run ford --fights 100`.
"""
