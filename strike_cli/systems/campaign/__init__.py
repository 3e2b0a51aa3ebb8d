"""The campaign system: evenings, and the commands that belong to no game.

`system` names its parts, `session` plays the start and end of an evening, `commands` has `strike sim`,
`content`, `table` and `bridge`. Example: `strike session start` is `session.play_start`.
"""
