"""The embedded table: a small server and a page on which players watch the game live.

It is a VTT like any other: the bridge delivers scenes, tokens, turn order and results over HTTP, and
`/openapi.json` describes how. This package holds only delivered data and how it is shown; it may import no
rule of the game, no campaign file and nothing of `strike_cli`, only Starlette, uvicorn and the standard
library. `audience_views.py` alone decides what each audience sees.
"""
