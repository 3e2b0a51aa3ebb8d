"""The game master's own page, which acts: lines typed there are played as they would be in a terminal.

What may be asked from outside says `registry.remote_access`, as for `strike serve`; who may ask at all says
the table's guard. No HTTP here.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..problems import PENDING_EXIT_CODE, Problem

if TYPE_CHECKING:
    from .game import Game
    from .gm_offers import GameMasterOffers

WAIT = 60.0
"""Seconds that a line may take."""


class Desk:
    """One campaign, opened when its first line comes, and played on a thread of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = contextlib.ExitStack()
        self._lock = threading.Lock()
        self._game: Game | None = None
        self._offers: GameMasterOffers | None = None

    def play(self, line: str) -> dict[str, object]:
        """Play a line, and return `ok` and a `text`. A refusal is text, too.

        The text is what happened or what is asked; of a command that only looks, the terminal's.
        """
        from ..words import words_of
        from .game import Ask, Busy

        try:
            told, envelope = self._running().tell(Ask(tuple(words_of(line)))).result(WAIT)
        except (Problem, Busy, ValueError, TimeoutError) as problem:
            return {"ok": False, "text": f"{problem or 'It takes too long.'} Nothing was played."}
        error = envelope.get("error")
        text = f"{error['message']} {error['hint']}" if error else told
        pending = envelope.get("pending")
        if happened := [str(fact["text"]) for fact in envelope.get("facts", ())]:
            text = "\n".join(happened)
        elif pending:
            text = pending["asks"]
        played = envelope["ok"] or envelope["exit"] == PENDING_EXIT_CODE  # as far as it goes: no refusal
        return {"ok": played, "text": text.strip()}

    def completions(self, line: str) -> list[str]:
        """Return the possible replacements for the last word of a line, as in `strike play`."""
        from ..session.tab import OTHER_CAMPAIGN, line_completions

        if any(word.startswith(OTHER_CAMPAIGN) for word in line.split()):
            return []
        return self._running().look(lambda: line_completions(line, str(self._folder))).result(WAIT)

    def undoes(self) -> str:
        """Return what undo would take back: its number and its text; "" where there is nothing."""
        from ..phones.screens import undoes

        game = self._running()
        return game.look(lambda: undoes(game.now)).result(WAIT)

    def proposals(self) -> list[dict[str, object]]:
        """Return the players' proposals, the oldest first: `id`, `who`, `text`."""
        from ..phones.proposals import read

        waiting = read(self._folder).waiting
        return [{"id": one.id, "who": one.who, "text": one.text} for one in waiting]

    def unheard(self) -> list[str]:
        """Return the targets with `auto` that nothing could be sent to for a while."""
        from strike_bridge.target_status import unheard

        if not any((self._folder / "bridge").glob("*.down")):
            return []
        game = self._running()
        return game.look(lambda: unheard(self._folder, game.now.book.targets)).result(WAIT)

    def handouts(self) -> list[dict[str, object]]:
        """Return all handouts: `id`, `name`, and whether they are `shown`."""
        from .game import Ask

        _, envelope = self._running().tell(Ask(("handout", "list"))).result(WAIT)
        data = envelope.get("data")
        return list(data["handouts"]) if isinstance(data, Mapping) else []

    def scene(self) -> dict[str, object]:
        """Return the offers of each scene under way, and what could begin.

        `scenes` are as `GameMasterOffers` has them; `prepared` are the lines that begin something.
        """
        from .gm_offers import prepared

        def found() -> dict[str, object]:
            known = self._known()
            return {"scenes": known.scene_offers(), "prepared": prepared(known.book, known.view.state)}

        return self._running().look(found).result(WAIT)

    def expected(self, line: str) -> dict[str, object]:
        """Return the forecast of an offered line: chances, averages, its path, its `area`."""
        return self._running().look(lambda: dict(self._known().expected(line))).result(WAIT)

    def ways(self, who: str, square: str) -> dict[str, object]:
        """Return the `offers` that bring a person to a square, and the `reason` where there are none."""
        return self._running().look(lambda: dict(self._known().ways(who, square))).result(WAIT)

    def _known(self) -> GameMasterOffers:
        """Return the legal moves. Call it on the game's thread."""
        from .gm_offers import GameMasterOffers

        campaign = self._running().now
        if self._offers is None or self._offers.view.state is not campaign.state:
            self._offers = GameMasterOffers(campaign.book, campaign.state)
        return self._offers

    def keep_picture(self, name: str, content: bytes) -> dict[str, object]:
        """Store a picture that was dropped on the page.

        Return `ok`, `text`, `file`, its size, its possible uses, and its width in squares by its name
        (`ford-24x16.jpg`), else 0.
        """
        from .uploads import keep

        try:
            with self._lock:
                kept = keep(self._folder, name, content)
        except (Problem, OSError) as problem:
            return _refused(problem)
        named = re.search(r"(?<!\d)(\d{1,3})x\d{1,3}(?!\d)", name)
        text = f"{kept.file} is kept: {kept.width} x {kept.height} pixels."
        if "handout" not in kept.uses:
            text += " It is too large for a handout."
        told = {"file": kept.file, "width": kept.width, "height": kept.height, "uses": list(kept.uses)}
        return {"ok": True, "text": text, **told, "across": int(named[1]) if named else 0}

    def use_picture(self, file: str, use: str, name: str, across: int) -> dict[str, object]:
        """Show one that was kept to the players, or make the encounter `name` on it: `ok`, `text`."""
        try:
            return self._show_picture(file) if use == "handout" else self._map_of(file, name, across)
        except (Problem, OSError) as problem:
            return _refused(problem)

    def _show_picture(self, file: str) -> dict[str, object]:
        from .uploads import move

        taken = {str(one["id"]) for one in self.handouts()}
        with self._lock:
            moved = move(self._folder, file, "handouts", taken)
        return self.play(f"handout show {Path(moved).stem}")

    def _map_of(self, file: str, name: str, across: int) -> dict[str, object]:
        from ..session.reading import result_of
        from ..terminal.invocation import UNATTENDED
        from ..terminal.result import as_text
        from .uploads import kept_at

        game, picture = self._running(), kept_at(self._folder, file)
        words = ["map", "new", "--across", str(across), "--", name, str(picture)]

        def make() -> str:
            return as_text(result_of(words, UNATTENDED._replace(campaign=game.now)).blocks)

        text = game.look(make).result(WAIT).strip()
        self.close()  # an encounter more: the campaign is read anew for the next line
        return {"ok": True, "text": text}

    def close(self) -> None:
        """Play no more, until the next line."""
        with self._lock:
            self._game = None
            self._open.close()

    def _running(self) -> Game:
        from ..registry.remote_access import Asker
        from .game import Game

        with self._lock:
            if self._game is None:
                game = Game(self._folder, Asker.SERVE)
                game.words = True
                self._game = self._open.enter_context(game.running())
            return self._game


def _refused(problem: Problem | OSError) -> dict[str, object]:
    if isinstance(problem, Problem):
        return {"ok": False, "text": f"{problem.message} {problem.hint}".strip()}
    return {"ok": False, "text": f"{problem.filename} can't be written: {problem.strerror}."}
