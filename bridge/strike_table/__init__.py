"""The embedded table: a small server and a page on which players watch the game live.

It is a VTT like any other: the bridge delivers scenes, tokens, turn order and results over HTTP, and
`/openapi.json` describes how. Here lives only what was delivered and how it is shown; no rule of the game, no
campaign file and nothing of `strike_cli` may be imported, only Starlette, uvicorn and the standard library.
Who sees what of it is said in `views.py` alone.
"""
