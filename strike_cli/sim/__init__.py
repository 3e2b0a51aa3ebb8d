"""Simulation: fights played by bots, thousands of times, and their statistics.

- `sim_request`, `campaign_variants`, `encounter_rating_and_rosters`: the fights to play. `simulation_hooks`:
  what a system declares so that it can be simulated.
- `simulated_fight`, `bot_players`: one fight in memory. Begin with `simulated_fight`.
- `sim_plan`, `task_backends`, `chunk_worker`: many fights on many processes.
- `tallies`, `confidence_intervals`, `sim_report`, `report_page`: results.

Example: `strike sim run ford --fights 100`.
"""
