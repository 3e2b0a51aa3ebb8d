"""Programs from outside: `strike serve` by HTTP, `strike mcp` for assistants.

- `serve_command`, `mcp_command`: the two commands. `app`: addresses and their handlers. Begin there.
- `game`: playing a command, once for each key. `queries`: reading, by audience.
- `gm_console`: the game master's page.
- `mcp_server`, `mcp_tools`: the Model Context Protocol. `openapi`: the description.

`registry.remote_access` says which commands may be asked for; `visibility` what an audience sees. No rule
is here; every command is one that could be typed. Example: `GET /openapi.json`.
"""
