"""The campaign system: sessions, and the commands that belong to no game.

`system` names its parts, and `session_and_override_moves` plays the start and end of a session. `commands`
has `strike sim`, `content`, `table` and `bridge`. Example: `strike session start` is played by
`session_and_override_moves.play_start`.
"""
