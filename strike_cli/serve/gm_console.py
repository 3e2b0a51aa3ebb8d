"""The game master's own page, which acts: lines typed there are played as in a terminal.

`registry.remote_access` says which commands are allowed, as for `strike serve`; the table's guard says who
may use the page. No HTTP here.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_bridge.projection import scene_id

from ..campaign.files import portable_name, read_plain, real_folder, remove, write_below
from ..content.book import Book
from ..kernel.facts import State
from ..phones.player_page import Offer, PhoneSnapshot
from ..play.legal_options import next_moves
from ..problems import PENDING_EXIT_CODE, Problem, Refused, Usage
from ..registry import scene_systems
from ..registry.gm_override import HEADS, hand_of
from ..tabletop.people import slug
from ..tabletop.pictures import LARGEST, LARGEST_MAP, media_type_of, size_of
from ..tabletop.squares import parse_square
from ..terminal.screen.model import CampaignView, PossibleMove, acting_person, choices_at_square
from ..terminal.views import views_of
from ..visibility.audience import GM
from ..visibility.audience_view import view_for
from ..word_splitting import quote_word

if TYPE_CHECKING:
    from ..tabletop.scene import Scene
    from .game import Game


WAIT = 60.0
"""The most seconds that a line may take."""


class Desk:
    """One campaign, opened when its first line comes, and played in a thread of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = contextlib.ExitStack()
        self._lock = threading.Lock()
        self._game: Game | None = None
        self._offers: GameMasterOffers | None = None

    def play(self, line: str) -> dict[str, object]:
        """Play a line, and return `ok` and a `text`. A refusal is text, too.

        The text is what happened or what is asked; for a command that only looks, the terminal's output.
        """
        from ..word_splitting import words_of
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
        played = envelope["ok"] or envelope["exit"] == PENDING_EXIT_CODE  # an open decision is no refusal
        return {"ok": played, "text": text.strip()}

    def completions(self, line: str) -> list[str]:
        """Return the possible replacements for the last word of a line, as in `strike play`."""
        from ..session.tab_completion import OTHER_CAMPAIGN, line_completions

        if any(word.startswith(OTHER_CAMPAIGN) for word in line.split()):
            return []
        return self._running().look(lambda: line_completions(line, str(self._folder))).result(WAIT)

    def undoes(self) -> str:
        """Return the entry that undo would take back: its number and its text; "" where there is none."""
        from ..campaign_view import undo_description

        game = self._running()
        return game.look(lambda: undo_description(game.now)).result(WAIT)

    def proposals(self) -> list[dict[str, object]]:
        """Return the players' proposals, the oldest first: `id`, `who`, `text`."""
        from ..phones.proposals import read_proposals

        waiting = read_proposals(self._folder).waiting
        return [{"id": one.id, "who": one.who, "text": one.text} for one in waiting]

    def unreachable_targets(self) -> list[str]:
        """Return the targets with `auto` that nothing could be sent to for a while."""
        from strike_bridge.target_status import unreachable_targets

        if not any((self._folder / "bridge").glob("*.down")):
            return []
        game = self._running()
        return game.look(lambda: unreachable_targets(self._folder, game.now.book.targets)).result(WAIT)

    def handouts(self) -> list[dict[str, object]]:
        """Return all handouts: `id`, `name`, and whether they are `shown`."""
        from .game import Ask

        _, envelope = self._running().tell(Ask(("handout", "list"))).result(WAIT)
        data = envelope.get("data")
        return list(data["handouts"]) if isinstance(data, Mapping) else []

    def scene(self) -> dict[str, object]:
        """Return the offers of each scene under way, and the things that could begin.

        `scenes` have the form of `GameMasterOffers`; `prepared` are the lines that begin something.
        """

        def found() -> dict[str, object]:
            known = self._current_offers()
            return {"scenes": known.scene_offers(), "prepared": list_prepared(known.book, known.view.state)}

        return self._running().look(found).result(WAIT)

    def forecast_line(self, line: str) -> dict[str, object]:
        """Return the forecast of an offered line: chances, averages, its path, its `area`."""
        return self._running().look(lambda: dict(self._current_offers().forecast_line(line))).result(WAIT)

    def moves_to_square(self, person: str, square: str) -> dict[str, object]:
        """Return the `offers` that bring a person to a square, and the `reason` where there are none."""
        return (
            self._running()
            .look(lambda: dict(self._current_offers().moves_to_square(person, square)))
            .result(WAIT)
        )

    def _current_offers(self) -> GameMasterOffers:
        """Return the legal moves. Call it on the game's thread."""
        campaign = self._running().now
        if self._offers is None or self._offers.view.state is not campaign.state:
            self._offers = GameMasterOffers(campaign.book, campaign.state)
        return self._offers

    def keep_picture(self, name: str, content: bytes) -> dict[str, object]:
        """Store a picture that was dropped on the page.

        Return `ok`, `text`, `file`, its size, its possible uses, and its width in squares by its name
        (`ford-24x16.jpg`), else 0.
        """
        try:
            with self._lock:
                kept = store_picture(self._folder, name, content)
        except (Problem, OSError) as problem:
            return _refusal_answer(problem)
        named = re.search(r"(?<!\d)(\d{1,3})x\d{1,3}(?!\d)", name)
        text = f"{kept.file} is kept: {kept.width} x {kept.height} pixels."
        if "handout" not in kept.uses:
            text += " It is too large for a handout."
        told = {"file": kept.file, "width": kept.width, "height": kept.height, "uses": list(kept.uses)}
        return {"ok": True, "text": text, **told, "across": int(named[1]) if named else 0}

    def use_picture(self, file: str, use: str, name: str, across: int) -> dict[str, object]:
        """Show a stored picture to players, or make the encounter `name` on it; return `ok` and `text`."""
        try:
            if use != "handout":
                return self._map_of(file, name, across)
            taken = {str(one["id"]) for one in self.handouts()}
            with self._lock:
                moved = move_picture(self._folder, file, "handouts", taken)
            return self.play(f"handout show {Path(moved).stem}")
        except (Problem, OSError) as problem:
            return _refusal_answer(problem)

    def _map_of(self, file: str, name: str, across: int) -> dict[str, object]:
        from ..session.command_reading import result_of
        from ..terminal.invocation import UNATTENDED
        from ..terminal.result import as_text

        game, picture = self._running(), find_stored_file(self._folder, file)
        words = ["map", "new", "--across", str(across), "--", name, str(picture)]

        def make() -> str:
            return as_text(result_of(words, UNATTENDED._replace(campaign=game.now)).blocks)

        text = game.look(make).result(WAIT).strip()
        self.close()  # there is a new encounter: the next line reads the campaign again
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


def _refusal_answer(problem: Problem | OSError) -> dict[str, object]:
    if isinstance(problem, Problem):
        return {"ok": False, "text": f"{problem.message} {problem.hint}".strip()}
    return {"ok": False, "text": f"{problem.filename} can't be written: {problem.strerror}."}


class GameMasterOffers(PhoneSnapshot):
    """The offers of everybody in every scene, by the line that plays each."""

    def __init__(self, book: Book, state: State) -> None:
        super().__init__(book, view_for(state, GM._replace(language=book.locale())))
        self._found: dict[str, tuple[Scene, Offer]] = {}

    def _choices_in(self, scene: Scene) -> list[PossibleMove]:
        return [] if scene.asked else super()._choices_in(scene)

    def scene_offers(self) -> list[dict[str, object]]:
        """Return each scene with its `id` at the table, its `system` and its `offers`.

        `hand` are its overrides, `picture` is the line that moves its map's picture, `ends` the line that
        ends it.
        """
        return [
            {
                "id": scene_id(scene),
                "system": scene.system,
                "hand": [name for name in HEADS if name not in hand_of(scene_systems()[scene.key]).refuses],
                "picture": f"map shift {quote_word(scene.id)}"
                if scene.board and scene.board.image and scene.id in self.book.encounters
                else "",
                "ends": _ending(scene),
                "offers": [*self._offered_moves(scene)],
            }
            for scene in self.view.scenes
        ]

    def forecast_line(self, line: str) -> Mapping[str, object]:
        """Return the forecast of an offer, and the squares of its `area`; nothing for any other line.

        `line` in it is the line to play once the forecast is known: it doesn't ask again about what the move
        reveals.
        """
        if not self._found:
            self.scene_offers()
        if line not in self._found:
            return {}
        scene, offer = self._found[line]
        if offer.id not in self.previews:
            self.previews[offer.id] = self.foresee("", offer)
        assert offer.choice is not None
        covered = views_of(scene_systems()[scene.key]).area(self.known, offer.choice.option.args)
        told = {**self._expectation(scene, offer.id), "area": [{"x": x, "y": y} for x, y in covered]}
        return told | {"line": f"{line} --yes"} if told["gives"] and _asks_confirmation(offer) else told

    def moves_to_square(self, person: str, square: str) -> Mapping[str, object]:
        """Return the `offers` that bring a person to a square, each with its forecast.

        `reason` says why there are none. Raises ValueError for an invalid square.
        """
        at = parse_square(square)
        for scene in self.view.scenes:
            if person not in scene.people:
                continue
            own = [
                each
                for each in self._choices_in(scene)
                if _acting_person(scene, each) == person and each.goes
            ]
            found = [each for each in own if each.square == at]
            reason = "" if own else f"{scene.people[person].name} has no move left."
            if not own and acting_person(scene) != person:
                reason = f"It isn't {scene.people[person].name}'s turn."
            if own and not found:
                view = CampaignView(self.book.name, 0, (scene,), world=self.known)
                found, reason = choices_at_square(view, own, at)
            offers = [self._keep(scene, person, each) for each in found]
            return {
                "offers": [{**one, **self.forecast_line(str(one["line"]))} for one in offers],
                "reason": reason,
            }
        return {"offers": [], "reason": ""}

    def _offered_moves(self, scene: Scene) -> Iterator[dict[str, object]]:
        following = next_moves(scene_systems()[scene.key], self.known, scene)
        for choice in self._choices_in(scene):
            doer = _acting_person(scene, choice)
            if doer or (choice.option.command, choice.option.args) not in following:  # Next plays it
                yield self._keep(scene, doer, choice)

    def _keep(self, scene: Scene, person: str, choice: PossibleMove) -> dict[str, object]:
        offer = self._move_offer(scene, person, choice)
        line = " ".join(map(quote_word, offer.words))
        self._found[line] = scene, offer
        return {**self._offer(offer), "who": person, "line": line}


def _ending(scene: Scene) -> str:
    """Return the line that ends a scene, decided or not; "" where its system has none."""
    moves = scene_systems()[scene.key].moves
    end, abandon = f"{scene.system} end", f"{scene.system} abandon"
    if end in moves and abandon in moves:  # there `abandon` gives up something else
        return end
    return abandon if end in moves or abandon in moves else ""


def _asks_confirmation(offer: Offer) -> bool:
    """Return whether a command asks before it spends something, unless `--yes` is given."""
    from ..session.command_catalogue import command_words

    command, _ = command_words(offer.words)
    return command is not None and any("--yes" in each.opts for each in command.params)


def _acting_person(scene: Scene, choice: PossibleMove) -> str:
    """Return the person who acts: the actor, where the command names nobody."""
    return choice.who or acting_person(scene)


def list_prepared(book: Book, state: State) -> list[dict[str, str]]:
    """Return all that is parked or can be begun: its `name`, its `kind` and the `line` to play it."""
    from ..registry.scenes import parked_at
    from ..systems.prep.commands.missing import begin_command, kinds_to_begin

    found = [
        {"name": name, "kind": "parked", "line": f"{known.name} return {quote_word(key)}"}
        for known in book.registry.systems.values()
        for key, name in parked_at(state, known.parked).items()
    ]
    for kind in kinds_to_begin(book):
        command = begin_command(book, kind)
        for key, one in book.table(kind).items():
            name = str(one.get("name", key)) if isinstance(one, Mapping) else key
            found.append({"name": name, "kind": kind, "line": f"{command} {key}"})
    return found


KEPT = "pictures"
"""The folder for dropped pictures until they are used."""
WIDEST = 10_000
"""The most pixels along a side."""
_ENDS = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
_LONGEST = 60
"""The most characters of a name."""


class Dropped(NamedTuple):
    """A picture in the campaign's folder: its path from there, and its size in pixels."""

    file: str
    width: int
    height: int
    bytes: int

    @property
    def uses(self) -> tuple[str, ...]:
        """The possible uses of the file. A handout must be small enough for phones."""
        return ("handout", "map") if self.bytes <= LARGEST else ("map",)


def store_picture(folder: Path, name: str, content: bytes) -> Dropped:
    """Store a picture under its cleaned name, with the ending of its real type. Duplicates aren't stored.

    Raises Usage for a file that is no picture, or too large; OSError where it can't be written.
    """
    kind = _ENDS.get(media_type_of(content))
    if kind is None:
        raise Usage("That is not a png, jpg or webp.", "Save the picture as one of these. Nothing was kept.")
    if len(content) > LARGEST_MAP:
        raise Usage(f"It has {len(content) / 2**20:.1f} MiB, and {LARGEST_MAP // 2**20} are allowed.")
    try:
        width, height = size_of(content)
    except ValueError as why:
        raise Usage(f"The picture {why}.", "Save it again in a program that can show it.") from None
    if not 0 < min(width, height) <= max(width, height) <= WIDEST:
        raise Usage(f"It has {width} x {height} pixels, and {WIDEST} a side are allowed.")
    file = _write_under_free_name(folder, KEPT, _clean_name(name), kind, content)
    return Dropped(file, width, height, len(content))


def move_picture(folder: Path, file: str, to: str, taken: Iterable[str] = ()) -> str:
    """Move a stored picture to another folder of the campaign; return its path.

    `taken` are ids that are in use. Raises Refused for a file that is not stored here; OSError.
    """
    path = find_stored_file(folder, file)
    moved = _write_under_free_name(
        folder, to, path.stem, path.suffix, read_plain(path, LARGEST_MAP), frozenset(taken)
    )
    remove(path)
    return moved


def find_stored_file(folder: Path, file: str) -> Path:
    """Return the path of a stored picture. Raises Refused for any other file; OSError."""
    path = Path(file)
    if (
        path.parent.as_posix() != KEPT
        or path.suffix not in _ENDS.values()
        or portable_name(slug(path.stem)) != path.stem
    ):
        raise Refused(f"{file[:_LONGEST]} was not dropped here.", "Drop the picture again.")
    if not real_folder(folder / KEPT) or not (folder / path).is_file():
        raise Refused(f"{file} is no longer there.", "Drop the picture again.")
    return folder / path


def _clean_name(name: str) -> str:
    """Reduce a file's name to letters, digits and hyphens, without folders and ending."""
    stem = name.replace("\\", "/").rpartition("/")[2].rpartition(".")
    return portable_name(slug(stem[0] or stem[2])[:_LONGEST].strip("-") or "picture")


def _write_under_free_name(
    folder: Path, place: str, stem: str, end: str, content: bytes, taken: frozenset[str] = frozenset()
) -> str:
    """Write content as a new file in the folder `place`, and return its path from the campaign's folder.

    Its name is `stem`, or `stem-2` and so on where that is in use or in `taken`. A file of such a name with
    the same bytes is used again.
    """
    number = 1
    while True:
        called = stem if number == 1 else f"{stem}-{number}"
        path = Path(place, f"{called}{end}")
        number += 1
        if os.path.lexists(folder / path):
            if _has_same_content(folder / path, content):
                return path.as_posix()
        elif called not in taken:
            write_below(folder, path, content)
            return path.as_posix()


def _has_same_content(path: Path, content: bytes) -> bool:
    try:
        return read_plain(path, len(content)) == content
    except OSError:
        return False
