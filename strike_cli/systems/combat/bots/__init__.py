"""Bots for fights: legal options, forecasts of their results, and three players.

- Options and their value: `legal_options`, `position_value`, `outcome_forecast`, `status_worth`,
  `power_harmfulness`, `objective_moves`, `pursuit_evasion`, `endgame_search`.
- The players: `quick_bot` (called `quick`), `good_bot` (`good`) and `full_bot` (`full`).
- `position_value`, which computes what an option gains. Begin there.
- Retreat, lost fights, and the habits that a sheet gives: `retreat`, `lost_fights`, `tactics_habits`.

Example: `strike combat auto goblin-1 --bot quick`.
"""
