"""Words that commands of chases take, as Tab offers them."""

from __future__ import annotations

from strike_cli.terminal.completion import content, in_scene, offers_words

from ..tables import actions

ACTION_WORDS = offers_words(actions)
CHASES = content("chases")
IN_CHASE = in_scene("chase")
