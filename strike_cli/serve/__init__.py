"""The door for other programs: `strike serve` by HTTP, `strike mcp` for assistants.

Which commands may be asked for says `registry.remote_access`; what an audience sees is made by `visibility`.
Nothing here knows a rule, or plays anything otherwise than a line that one types.
"""
