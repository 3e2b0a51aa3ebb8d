"""The game master's own page, which acts: lines typed there are played as they would be in a terminal.

What may be asked from outside says `registry.outside`, as for `strike serve`; who may ask at all says the
table's guard. No HTTP here.
"""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ..problems import Problem

if TYPE_CHECKING:
    from .game import Game

WAIT = 60.0
"""Seconds that a line may take."""


class Desk:
    """One campaign, opened when its first line comes, and played on a thread of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = contextlib.ExitStack()
        self._lock = threading.Lock()
        self._game: Game | None = None

    def play(self, line: str) -> dict[str, object]:
        """What a line came to: `ok`, and the `text` that a terminal would show. A refusal is text, too."""
        from ..words import words_of
        from .game import Ask, Busy

        try:
            told, envelope = self._running().tell(Ask(tuple(words_of(line)))).result(WAIT)
        except (Problem, Busy, ValueError, TimeoutError) as problem:
            return {"ok": False, "text": f"{problem or 'It takes too long.'} Nothing was played."}
        error = envelope.get("error")
        text = f"{error['message']} {error['hint']}".strip() if error else told.strip()
        return {"ok": envelope["ok"], "text": text}

    def proposals(self) -> list[dict[str, object]]:
        """What players propose, the oldest first: `id`, `who`, `text`."""
        from ..phones.proposals import read

        waiting = read(self._folder).waiting
        return [{"id": one.id, "who": one.who, "text": one.text} for one in waiting]

    def close(self) -> None:
        """Play no more."""
        self._open.close()

    def _running(self) -> Game:
        from ..registry.outside import Asker
        from .game import Game

        with self._lock:
            if self._game is None:
                game = Game(self._folder, Asker.SERVE)
                game.words = True
                self._game = self._open.enter_context(game.running())
            return self._game
