"""Ways in for other programs: `strike serve` over HTTP, and `strike mcp` for AI assistants.

- `serve_command`, `mcp_command`: the two commands. `http_app`: HTTP addresses and their handlers. Begin
  there.
- `hosted_game`: plays commands on one thread, each idempotency key once. `audience_queries`: what each
  audience may read.
- `gm_console_and_pictures`: the game master's page.
- `mcp_server`, `mcp_tools`: the Model Context Protocol. `openapi`: the OpenAPI description.

`registry.remote_permissions` says which commands may be requested; `visibility` what an audience sees. No
rule is here: every command could be typed as well. Example: `GET /openapi.json`.
"""
