"""Players' phones: personal links, character sheets, answers and proposals.

- `player_page`: everything that goes to a phone, made from its player's view (`visibility`). Begin here.
- `map`: the map on it. `data`: its types.
- `links`, `players_api`, `proposals`: who may come in, their answers, their proposals.

HTTP is the table's business (`strike_table.player_pages`); no game system is known here. Example: `strike
table --players` serves them.
"""
