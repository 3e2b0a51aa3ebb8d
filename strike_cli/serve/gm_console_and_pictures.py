"""The game master's page at the table, which plays command lines as a terminal does.

`registry.remote_permissions` says which commands the page may play; they are the same as for `strike serve`.
This module has no HTTP and no access control: the table's server has both.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_bridge.state_projection import scene_id

from ..campaign.file_access import (
    file_name_not_reserved,
    folder_exists_refusing_links,
    read_plain_file,
    remove_if_possible,
    write_user_file_below,
)
from ..command_line_splitting import quote_word_if_needed
from ..content.merged_content import Book
from ..kernel.state_changes import State
from ..phones.player_page_data import Offer, PhoneSnapshot
from ..play.legal_options import moves_played_by_next
from ..problems import PENDING_EXIT_CODE, Problem, Refused, Usage
from ..registry import systems_by_scene_key
from ..registry.gm_override_hooks import FIRST_WORDS
from ..registry.installed_plugins import gm_override_rules_of
from ..tabletop.campaign_pictures import LARGEST, LARGEST_MAP, media_type_or_empty, picture_size
from ..tabletop.characters_and_names import slug
from ..tabletop.squares_and_lines import parse_square
from ..terminal.screen.campaign_view import (
    CampaignView,
    PossibleMove,
    acting_person_id,
    legal_moves_to_square_or_reason,
)
from ..terminal.system_views import views_of
from ..visibility.audience_view import make_audience_view
from ..visibility.audiences import GM

if TYPE_CHECKING:
    from ..tabletop.scene import Scene
    from .hosted_game import HostedGame


MAX_SECONDS = 60.0
"""The most seconds that a line may take."""


class GameMasterConsole:
    """The game master's page for one campaign.

    The campaign is opened at the first line, and played in a thread of its own.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = contextlib.ExitStack()
        self._lock = threading.Lock()
        self._game: HostedGame | None = None
        self._offers: GameMasterOffers | None = None

    def play(self, line: str) -> dict[str, object]:
        """Play a line; return `ok` and a `text`.

        The text has the facts of the command, the question of an open decision, or the refusal. For a command
        that only reads, it is the terminal's output. `ok` is False only if the line was refused or took too
        long; an open decision is no refusal.
        """
        from ..command_line_splitting import split_words_keeping_apostrophes
        from .hosted_game import Busy, CommandRequest

        try:
            told, envelope = (
                self._start_or_get_game()
                .play_with_output(CommandRequest(tuple(split_words_keeping_apostrophes(line))))
                .result(MAX_SECONDS)
            )
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
        """Return the completions of the last word of a line, as in `strike play`."""
        from ..session.tab_completion import OTHER_CAMPAIGN, completions_of_last_word

        if any(word.startswith(OTHER_CAMPAIGN) for word in line.split()):
            return []
        return (
            self._start_or_get_game()
            .call_on_game_thread(lambda: completions_of_last_word(line, str(self._folder)))
            .result(MAX_SECONDS)
        )

    def next_undo_text(self) -> str:
        """Return the number and text of the entry that `undo` would undo; "" if there is none."""
        from ..campaign_on_screen import describe_next_undo

        game = self._start_or_get_game()
        return game.call_on_game_thread(lambda: describe_next_undo(game.current_campaign)).result(MAX_SECONDS)

    def proposals(self) -> list[dict[str, object]]:
        """Return the players' waiting proposals, the oldest first.

        Each proposal has `id`, `who` and `text`.
        """
        from ..phones.proposals import read_proposals

        waiting = read_proposals(self._folder).waiting
        return [{"id": one.id, "who": one.who, "text": one.text} for one in waiting]

    def targets_down_for_a_while(self) -> list[str]:
        """Return the automatically updated targets that have been unreachable for a while."""
        from strike_bridge.target_outages import auto_targets_down_over_a_minute

        if not any((self._folder / "bridge").glob("*.down")):
            return []
        game = self._start_or_get_game()
        return game.call_on_game_thread(
            lambda: auto_targets_down_over_a_minute(self._folder, game.current_campaign.book.targets)
        ).result(MAX_SECONDS)

    def handouts(self) -> list[dict[str, object]]:
        """Return all handouts: `id`, `name`, and whether each is `shown`."""
        from .hosted_game import CommandRequest

        _, envelope = (
            self._start_or_get_game()
            .play_with_output(CommandRequest(("handout", "list")))
            .result(MAX_SECONDS)
        )
        data = envelope.get("data")
        return list(data["handouts"]) if isinstance(data, Mapping) else []

    def scenes_under_way_and_prepared(self) -> dict[str, object]:
        """Return the offered moves of each scene under way, and the lines that begin other scenes.

        `scenes` has the moves, as `GameMasterOffers.scenes_with_offers` returns them. `prepared` has the
        lines, as `startable_and_parked_scenes` returns them.
        """

        def collect_offers() -> dict[str, object]:
            known = self._offers_of_state()
            return {
                "scenes": known.scenes_with_offers(),
                "prepared": startable_and_parked_scenes(known.book, known.view.known_state),
            }

        return self._start_or_get_game().call_on_game_thread(collect_offers).result(MAX_SECONDS)

    def forecast_offered_line(self, line: str) -> dict[str, object]:
        """Return the forecast of a line that the console offers, such as the chances of its results.

        The key `area` has the squares that the move affects. The forecast of a line that isn't offered is
        empty.
        """
        return (
            self._start_or_get_game()
            .call_on_game_thread(lambda: dict(self._offers_of_state().forecast_line(line)))
            .result(MAX_SECONDS)
        )

    def moves_to_square(self, person: str, square: str) -> dict[str, object]:
        """Return the `offers` of moves that bring a person to a square.

        If there are none, `reason` says why.
        """
        return (
            self._start_or_get_game()
            .call_on_game_thread(lambda: dict(self._offers_of_state().moves_to_square(person, square)))
            .result(MAX_SECONDS)
        )

    def _offers_of_state(self) -> GameMasterOffers:
        """Return the offers in the present state. Call it on the game's thread."""
        campaign = self._start_or_get_game().current_campaign
        if self._offers is None or self._offers.view.known_state is not campaign.state:
            self._offers = GameMasterOffers(campaign.book, campaign.state)
        return self._offers

    def store_dropped_picture(self, name: str, content: bytes) -> dict[str, object]:
        """Store a picture that was dropped on the page, and return the answer to the page.

        In the answer, `ok` says whether the picture is stored, and `text` says so in words. For a stored
        picture, there are also `file`, `width` and `height` in pixels, and `uses`: what it can be
        used for. `across` is its width in squares if the name says it (`ford-24x16.jpg`), otherwise 0.
        """
        try:
            with self._lock:
                kept = store_picture(self._folder, name, content)
        except (Problem, OSError) as problem:
            return _refusal_answer(problem)
        named = re.search(r"(?<!\d)(\d{1,3})x\d{1,3}(?!\d)", name)
        text = f"{kept.file} is stored: {kept.width} x {kept.height} pixels."
        if "handout" not in kept.uses_by_size:
            text += " It is too large for a handout."
        told = {
            "file": kept.file,
            "width": kept.width,
            "height": kept.height,
            "uses": list(kept.uses_by_size),
        }
        return {"ok": True, "text": text, **told, "across": int(named[1]) if named else 0}

    def show_picture_or_make_encounter(
        self, file: str, use: str, name: str, across: int
    ) -> dict[str, object]:
        """Use a stored picture; return `ok` and `text`.

        If `use` is "handout", the picture is shown to the players. Otherwise an encounter called `name` is
        made, and the picture becomes its map, `across` squares wide.
        """
        try:
            if use != "handout":
                return self._make_encounter_from_picture(file, name, across)
            taken = {str(one["id"]) for one in self.handouts()}
            with self._lock:
                moved = move_dropped_picture(self._folder, file, "handouts", taken)
            return self.play(f"handout show {Path(moved).stem}")
        except (Problem, OSError) as problem:
            return _refusal_answer(problem)

    def _make_encounter_from_picture(self, file: str, name: str, across: int) -> dict[str, object]:
        from ..session.command_dispatch import play_words
        from ..terminal.command_output import blocks_as_unwrapped_text
        from ..terminal.invocation import UNATTENDED

        game, picture = self._start_or_get_game(), find_stored_picture(self._folder, file)
        words = ["map", "new", "--across", str(across), "--", name, str(picture)]

        def play_map_new() -> str:
            return blocks_as_unwrapped_text(
                play_words(words, UNATTENDED._replace(campaign=game.current_campaign)).blocks
            )

        text = game.call_on_game_thread(play_map_new).result(MAX_SECONDS).strip()
        self.close()  # there is a new encounter: the next line reads the campaign again
        return {"ok": True, "text": text}

    def close(self) -> None:
        """Close the campaign; the next line opens it again."""
        with self._lock:
            self._game = None
            self._open.close()

    def _start_or_get_game(self) -> HostedGame:
        from ..registry.remote_permissions import RemoteSender
        from .hosted_game import HostedGame

        with self._lock:
            if self._game is None:
                game = HostedGame(self._folder, RemoteSender.SERVE)
                game.words = True
                self._game = self._open.enter_context(game.run_in_thread())
            return self._game


def _refusal_answer(problem: Problem | OSError) -> dict[str, object]:
    if isinstance(problem, Problem):
        return {"ok": False, "text": f"{problem.message} {problem.hint}".strip()}
    return {"ok": False, "text": f"{problem.filename} can't be written: {problem.strerror}."}


class GameMasterOffers(PhoneSnapshot):
    """The moves that the game master's page offers in every scene, each with the line that plays it."""

    def __init__(self, book: Book, state: State) -> None:
        super().__init__(book, make_audience_view(state, GM._replace(language=book.locale())))
        self._found: dict[str, tuple[Scene, Offer]] = {}

    def scenes_with_offers(self) -> list[dict[str, object]]:
        """Return the scenes under way, each with its `id` at the table, its `system` and its `offers`.

        `hand` has the overrides that the scene allows. `picture` is the beginning of the line that moves the
        map's picture; its numbers are still to be added. `ends` is the line that ends the scene. `picture`
        and `ends` are "" if there is no such line.
        """
        return [
            {
                "id": scene_id(scene),
                "system": scene.system,
                "hand": [
                    name
                    for name in FIRST_WORDS
                    if name not in gm_override_rules_of(systems_by_scene_key()[scene.key]).refuses
                ],
                "picture": f"map shift {quote_word_if_needed(scene.id)}"
                if scene.board and scene.board.image and scene.id in self.book.encounters
                else "",
                "ends": _line_that_ends_scene(scene),
                "offers": [*self._add_offered_moves(scene)],
            }
            for scene in self.view.scenes
        ]

    def forecast_line(self, line: str) -> Mapping[str, object]:
        """Return the forecast of an offered line. For a line that isn't offered, return {}.

        The key `area` has the squares that the line's action covers. If the forecast warns of Opportunities,
        and the command has the option `--yes`, the key `line` has the offered line with `--yes` added. Play
        that line instead, since the game master has already read the warning.
        """
        if not self._found:
            self.scenes_with_offers()
        if line not in self._found:
            return {}
        scene, offer = self._found[line]
        if offer.id not in self.previews:
            self.previews[offer.id] = self.compute_forecast_for_player("", offer)
        assert offer.choice is not None
        covered = views_of(systems_by_scene_key()[scene.key]).area(self.known_world, offer.choice.option.args)
        told = {**self._forecast_for_phone(scene, offer.id), "area": [{"x": x, "y": y} for x, y in covered]}
        return told | {"line": f"{line} --yes"} if told["gives"] and _may_ask_confirmation(offer) else told

    def moves_to_square(self, person: str, square: str) -> Mapping[str, object]:
        """Return the `offers` of moves that bring a person to a square, each with its forecast.

        If there are none, `reason` says why. Raises ValueError for an invalid square.
        """
        at = parse_square(square)
        for scene in self.view.scenes:
            if person not in scene.people:
                continue
            own = [
                each
                for each in self._possible_moves_in(scene)
                if _acting_person(scene, each) == person and each.has_square_but_no_target
            ]
            found = [each for each in own if each.square == at]
            reason = "" if own else f"{scene.people[person].name} has no move left."
            if not own and acting_person_id(scene) != person:
                reason = f"It isn't {scene.people[person].name}'s turn."
            if own and not found:
                view = CampaignView(self.book.name, 0, (scene,), world=self.known_world)
                found, reason = legal_moves_to_square_or_reason(view, own, at)
            offers = [self._add_offer(scene, person, each) for each in found]
            return {
                "offers": [{**one, **self.forecast_line(str(one["line"]))} for one in offers],
                "reason": reason,
            }
        return {"offers": [], "reason": ""}

    def _possible_moves_in(self, scene: Scene) -> list[PossibleMove]:
        return [] if scene.asked else super()._possible_moves_in(scene)

    def _add_offered_moves(self, scene: Scene) -> Iterator[dict[str, object]]:
        following = moves_played_by_next(systems_by_scene_key()[scene.key], self.known_world, scene)
        for choice in self._possible_moves_in(scene):
            doer = _acting_person(scene, choice)
            if doer or (choice.option.command, choice.option.args) not in following:  # Next plays it
                yield self._add_offer(scene, doer, choice)

    def _add_offer(self, scene: Scene, person: str, choice: PossibleMove) -> dict[str, object]:
        offer = self._offer_for_move(scene, person, choice)
        line = " ".join(map(quote_word_if_needed, offer.words))
        self._found[line] = scene, offer
        return {**self._offer_for_phone_without_forecast(offer), "who": person, "line": line}


def _line_that_ends_scene(scene: Scene) -> str:
    """Return the command line that ends a scene; "" if the scene's system has no such command.

    The line works even if the scene isn't decided yet.
    """
    moves = systems_by_scene_key()[scene.key].moves
    end, abandon = f"{scene.system} end", f"{scene.system} abandon"
    if end in moves and abandon in moves:  # there `abandon` gives up something else
        return end
    return abandon if end in moves or abandon in moves else ""


def _may_ask_confirmation(offer: Offer) -> bool:
    """Return whether the offer's command has the option `--yes`, and so may ask for a confirmation."""
    from ..session.command_catalogue import find_command_and_name_in_line

    command, _ = find_command_and_name_in_line(offer.words)
    return command is not None and any("--yes" in each.opts for each in command.params)


def _acting_person(scene: Scene, choice: PossibleMove) -> str:
    """Return the id of the person who acts in a move: the person it names, or the person whose turn it is."""
    return choice.who or acting_person_id(scene)


def startable_and_parked_scenes(book: Book, state: State) -> list[dict[str, str]]:
    """Return all scenes that are parked or can begin: their `name`, `kind`, and the `line` to play."""
    from ..registry.scenes_and_decisions_in_state import parked_names_at
    from ..systems.prep.commands.scene_gaps import command_to_begin, kinds_that_can_begin

    found = [
        {"name": name, "kind": "parked", "line": f"{known.name} return {quote_word_if_needed(key)}"}
        for known in book.registry.systems.values()
        for key, name in parked_names_at(state, known.parked).items()
    ]
    for kind in kinds_that_can_begin(book):
        command = command_to_begin(book, kind)
        for key, one in book.table(kind).items():
            name = str(one.get("name", key)) if isinstance(one, Mapping) else key
            found.append({"name": name, "kind": kind, "line": f"{command} {key}"})
    return found


PICTURE_FOLDER = "pictures"
"""The folder for dropped pictures until they are used."""
MAX_PIXELS = 10_000
"""The most pixels along a side."""
_FILE_ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}
_LONGEST_NAME = 60
"""The most characters of a name."""


class StoredPicture(NamedTuple):
    """A picture that was dropped on the page and stored: its path, its size in pixels and in bytes."""

    file: str
    width: int
    height: int
    bytes: int

    @property
    def uses_by_size(self) -> tuple[str, ...]:
        """The possible uses of the picture: "map", and "handout" if it is small enough for phones."""
        return ("handout", "map") if self.bytes <= LARGEST else ("map",)


def store_picture(folder: Path, name: str, content: bytes) -> StoredPicture:
    """Store a picture in the campaign; return its path, its width and height, and its size in bytes.

    The file's name is made from the given name. Its ending follows from the kind of picture. If a file of
    that name has the same content already, nothing is written, and the path of that file is returned.

    Raises Usage if the file is no picture or is too large. Raises OSError if it can't be written.
    """
    kind = _FILE_ENDINGS.get(media_type_or_empty(content))
    if kind is None:
        raise Usage(
            "That is not a png, jpg or webp.", "Save the picture as one of these. Nothing was stored."
        )
    if len(content) > LARGEST_MAP:
        raise Usage(f"It has {len(content) / 2**20:.1f} MiB, and {LARGEST_MAP // 2**20} are allowed.")
    try:
        width, height = picture_size(content)
    except ValueError as why:
        raise Usage(f"The picture {why}.", "Save it again in a program that can show it.") from None
    if not 0 < min(width, height) <= max(width, height) <= MAX_PIXELS:
        raise Usage(f"It has {width} x {height} pixels, and {MAX_PIXELS} a side are allowed.")
    file = _write_or_reuse_file(folder, PICTURE_FOLDER, _clean_stem(name), kind, content)
    return StoredPicture(file, width, height, len(content))


def move_dropped_picture(folder: Path, file: str, folder_name: str, used_names: Iterable[str] = ()) -> str:
    """Move a picture, which the game master dropped onto the page, to another folder of the campaign.

    Args:
        folder: The campaign's folder.
        file: The picture's present path.
        folder_name: The folder that gets the picture.
        used_names: Names that the picture must not get.

    Returns:
        The picture's new path.

    Raises:
        Refused: `file` isn't a picture that was dropped, or is no longer there.
        OSError: The picture can't be read or written.
    """
    path = find_stored_picture(folder, file)
    moved = _write_or_reuse_file(
        folder, folder_name, path.stem, path.suffix, read_plain_file(path, LARGEST_MAP), frozenset(used_names)
    )
    remove_if_possible(path)
    return moved


def find_stored_picture(folder: Path, file: str) -> Path:
    """Return the path of a stored picture. Raises Refused if `file` is no picture that was dropped here."""
    path = Path(file)
    if (
        path.parent.as_posix() != PICTURE_FOLDER
        or path.suffix not in _FILE_ENDINGS.values()
        or file_name_not_reserved(slug(path.stem)) != path.stem
    ):
        raise Refused(f"{file[:_LONGEST_NAME]} was not dropped here.", "Drop the picture again.")
    if not folder_exists_refusing_links(folder / PICTURE_FOLDER) or not (folder / path).is_file():
        raise Refused(f"{file} is no longer there.", "Drop the picture again.")
    return folder / path


def _clean_stem(name: str) -> str:
    """Return a file's name reduced to letters, digits and hyphens, without folder and ending."""
    stem = name.replace("\\", "/").rpartition("/")[2].rpartition(".")
    return file_name_not_reserved(slug(stem[0] or stem[2])[:_LONGEST_NAME].strip("-") or "picture")


def _write_or_reuse_file(
    folder: Path,
    subfolder: str,
    stem: str,
    ending: str,
    content: bytes,
    used_names: frozenset[str] = frozenset(),
) -> str:
    """Write a new file in the folder `subfolder`, and return its path from the campaign's folder.

    The file is called `stem` or, if that name exists or is in `used_names`, `stem-2` and so on. If a file
    with such a name has the same content already, nothing is written, and that file's path is returned.
    """
    number = 1
    while True:
        called = stem if number == 1 else f"{stem}-{number}"
        path = Path(subfolder, f"{called}{ending}")
        number += 1
        if os.path.lexists(folder / path):
            if _has_same_content(folder / path, content):
                return path.as_posix()
        elif called not in used_names:
            write_user_file_below(folder, path, content)
            return path.as_posix()


def _has_same_content(path: Path, content: bytes) -> bool:
    try:
        return read_plain_file(path, len(content)) == content
    except OSError:
        return False
