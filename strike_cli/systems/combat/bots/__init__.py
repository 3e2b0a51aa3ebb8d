"""Bots for fights: legal options, forecasts of their results, and three players.

- Options and their value: `legal_options`, `forecast`, `status_worth`, `purpose`, `goal`, `endgame`. - The
players: `heuristic` (called `quick`), `greedy` (`good`) and `search` (`full`). - `bot`, which computes what
an option gains. Begin there. - Retreat, lost fights, and the habits that a sheet gives: `breaking_off`,
`unwinnable`, `tactics`.

Example: `strike combat auto goblin-1 --bot quick`.
"""
