"""The embedded table: a small server, and a page on which players watch the game live.

It is a virtual tabletop like any other: the bridge delivers scenes, tokens, turn order and results over HTTP,
as `/openapi.json` describes. This package has only the delivered data and its display. It may import no rule
of the game, no campaign file and nothing of `strike_cli`: only `strike_look`, Starlette, uvicorn and the
standard library, and libraries for pictures and codes where they are needed. `audience_views.py` alone
decides what each audience sees.
"""
