"""Players' phones: personal links, character sheets, answers and proposals.

- `player_page_data`: a player's page, made from that player's view (`visibility`). Begin here.
- `maps_and_handouts`: the map on the page, and handouts. `player_page_types`: the types of the page's data.
- `links`, `players_api`, `proposals`: the players' links, their requests, their proposals.

The table (`strike_table.player_pages`) handles HTTP. No game system is known here. Example: `strike table
--players` serves the pages.
"""
