"""Bots for fights: legal options, forecasts of their results, and three players.

- `legal_options`, `forecast`, `status_worth`, `goal`: options and their value.
- `heuristic` (`quick`), `greedy` (`good`), `search` (`full`): the players; `bot` is their base. Begin
  there.
- `breaking_off`, `unwinnable`, `tactics`, `purpose`: retreat, lost fights, habits of a sheet.

Example: `strike combat auto goblin-1 --bot quick`.
"""
