"""The embedded table: a small server, and a page on which players watch the game live.

It is a virtual tabletop like any other: the bridge delivers scenes, tokens, turn order and results over HTTP,
as `/openapi.json` describes. This package has only the delivered data and its display.

The package imports no rules of the game, no campaign files, and nothing of `strike_cli`. From this project it
imports only `strike_look`. Pictures and QR codes have their own libraries, which are imported where they are
needed. `audience_views.py` alone decides what each audience sees.
"""
