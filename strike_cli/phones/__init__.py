"""Players' phones: personal links, character sheets, answers and proposals.

- `player_page`: a player's page, made from what that player may see (`visibility`). Begin here.
- `map`: the map on the page. `page_types`: the types of the page's data.
- `links`, `players_api`, `proposals`: the players' links, their requests, their proposals.

HTTP is handled by the table (`strike_table.player_pages`). No game system is known here. Example: `strike
table --players` serves the pages.
"""
