"""Gaps in prepared scenes: names of missing things, broken links, and fights that are too hard.

A missing thing is, for example, a creature, an encounter, a table or a picture. Each gap has its file and
line, and a remedy. Begin with `GapSearch`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.content.name_index import singular_of_kind
from strike_cli.content.schemas import is_campaign_only_kind
from strike_cli.included_and_stray_files import campaign_file_names, is_inside
from strike_cli.kernel.driver import default_of_decision, play_until_open_decision
from strike_cli.kernel.procedure import World
from strike_cli.problems import Problem, did_you_mean
from strike_cli.registry import load_usable_systems
from strike_cli.tabletop import campaign_pictures
from strike_cli.tabletop.characters_and_names import slug
from strike_cli.untrusted_input import line_of_deepest_key_found

from ..scene_files import NEEDED_KINDS, Link, non_web_links_in, unparsed_front_matter_of

if TYPE_CHECKING:
    from strike_cli.content.merged_content import Book
    from strike_cli.registry.system_declaration import System
    from strike_cli.sim.confidence_intervals import Interval

FOLDER, HANDOUTS = "scenes", "handouts"
PEOPLE = ("characters", "creatures")
LOWEST_SAFE_WIN_SHARE = 0.5
"""The share of fights that a party should win at least."""


class SceneGap(NamedTuple):
    """A gap in a scene: its description, the file and line where it is, and the remedy."""

    file: str
    line: int
    what: str
    remedy: str

    @property
    def where(self) -> str:
        """The file and line, like `scenes/ford.md:3`."""
        return f"{self.file}:{self.line}"


def command_to_begin(book: Book, kind: str) -> str:
    """Return the command that begins prepared items of a kind, like `combat start`, or "".

    The systems that the campaign plays come first, then the system that defines the kind, then all others.
    The first system that can begin such items gives the command.
    """
    able = {
        each.name: of.begins
        for each in load_usable_systems(book.registry)
        if (of := each.content.get(kind)) and of.begins
    }
    own = next(
        (each.name for each in load_usable_systems(book.registry) if is_campaign_only_kind(each, kind)), ""
    )
    return next((able[name] for name in (*book.systems, own, *able) if name in able), "")


def kinds_that_can_begin(book: Book) -> list[str]:
    """Return the kinds of content that a scene can begin, such as encounters."""
    kinds = (
        kind for each in load_usable_systems(book.registry) for kind, of in each.content.items() if of.begins
    )
    return [kind for kind in dict.fromkeys(kinds) if kind in book]


def find_content_by_name(book: Book, kinds: Sequence[str], word: str) -> list[tuple[str, str]]:
    """Return the items of content that a typed word may mean, as pairs of kind and full id.

    Only items of the given kinds are returned.
    """
    return [(kind, id) for kind in kinds for id in book.ids_matching(kind, word)]


def handout_files(folder: Path) -> dict[str, Path]:
    """Return the pictures and texts in the folder `handouts`, by ids made from the files' names."""
    try:
        files = [folder / HANDOUTS / name for name in campaign_file_names(folder / HANDOUTS)]
    except OSError:
        return {}
    ends = (*campaign_pictures.MEDIA_TYPES, ".md", ".txt")
    fit = (file for file in files if file.suffix.lower() in ends and is_inside(folder, file))
    return {slug(file.stem): file for file in fit}


class SimulatedFight(NamedTuple):
    """The results of simulating a fight that a scene names.

    `win` is the party's chance to win, estimated from `fights` fights that the bot `player` played. `file`
    and `line` are the place where the scene names the fight.
    """

    id: str
    name: str
    win: Interval
    fights: int
    player: str
    file: str
    line: int

    @property
    def is_deadly(self) -> bool:
        """Whether the party wins less than half of the simulated fights."""
        return self.win.value < LOWEST_SAFE_WIN_SHARE

    @property
    def result_in_words(self) -> str:
        """The chance to win in words, with its precision and the number of fights."""
        from strike_cli.pages.plots import short_percentage
        from strike_cli.sim.sim_report import confidence_and_bounds_words, count_with_noun

        played = f"{count_with_noun(self.fights, 'fight')} played by {self.player}"
        return f"{short_percentage(self.win.value)} won ({confidence_and_bounds_words(self.win)}, {played})"

    def as_json(self) -> dict[str, object]:
        from strike_cli.sim.sim_report import interval_data

        win = interval_data(self.win)
        return {"id": self.id, "won": self.win.value, "win": win, "fights": self.fights}

    def as_gap(self) -> SceneGap:
        """Return this fight as a gap to report. The caller checks that it is deadly."""
        what = f"{self.name} is deadly: {self.result_in_words}."
        remedy = f"`strike sim {self.id}` shows more; use fewer creatures, or add an exit."
        return SceneGap(self.file, self.line, what, remedy)


class GapSearch:
    """A search for gaps in scenes.

    If `fights` is true, the search also checks that the fights of the scenes can begin with the whole party.
    """

    def __init__(self, book: Book, folder: Path, fights: bool = True) -> None:
        self.fights = fights
        self.book = book
        self.folder = folder
        self.handouts = handout_files(folder)

    def gaps_in_scene(self, id: str, text: str) -> Iterator[SceneGap]:
        """Return the gaps in a prepared scene, such as broken links, in the order of their lines.

        `id` is the scene's id, and `text` is the content of its file. No gap is returned twice.
        """
        found = [*self._gaps_in_head_and_named_items(id, text), *self._broken_links(id, text)]
        return iter(sorted(dict.fromkeys(found), key=lambda one: one.line))

    def fewest_absent_to_begin(self, kind: str, id: str) -> int | None:
        """Return how many party members must at least be absent before a prepared item can begin.

        It is 0 if the whole party can take part. It is None if the item can't begin at all, or if no system
        plays such items.
        """
        party = list(self.book.characters)
        for n in range(max(1, len(party))):
            if any(
                not self._refusal_to_begin(system, id, party[: len(party) - n])
                for system in self._systems_that_may_play(kind)
            ):
                return n
        return None

    # Names in the head

    def _gaps_in_head_and_named_items(self, id: str, text: str) -> Iterator[SceneGap]:
        scene, file = self.book.table(FOLDER)[id], self.book.where[f"{FOLDER}.{id}"]
        head = unparsed_front_matter_of(text.splitlines()).toml
        for key in (*kinds_that_can_begin(self.book), *NEEDED_KINDS):
            for word in scene.get(key, ()):
                line = _line_of_word(head, key, word)
                for what, remedy in self._faults_of_name_and_named_item(key, word):
                    yield SceneGap(file, line, what, remedy)
        music = scene.get("music", "")
        if music and "://" not in music and not (self.folder / music).is_file():
            line = _line_of_word(head, "music", music)
            yield SceneGap(
                file, line, f"there is no music {music!r}", "Give an address, or a file of this folder."
            )

    def _faults_of_name_and_named_item(self, key: str, word: str) -> Iterator[tuple[str, str]]:
        """Yield the faults of a name under a `key` of a scene's head, each with its remedy."""
        kinds = PEOPLE if key == "people" else (key,)
        found = find_content_by_name(self.book, kinds, word)
        if not found and not (key == HANDOUTS and slug(word) in self.handouts):
            yield self._unknown_name_fault(key, kinds, word)
        for kind, id in found[:1] if self.fights else ():
            yield from self._faults_of_item_and_placed_people(kind, id)

    def _unknown_name_fault(self, key: str, kinds: Sequence[str], word: str) -> tuple[str, str]:
        known = [id.rpartition(":")[2] for kind in kinds for id in self.book.table(kind)]
        known += self.handouts if key == HANDOUTS else ()
        what = "nobody" if key == "people" else f"no {singular_of_kind(key)}"
        verb = "is called" if key == "people" else ""
        said = f"{what} {verb} {word!r}".replace("  ", " ") if verb else f"there is {what} {word!r}"
        return f"{said}.{did_you_mean(word, known)}", _REMEDIES.get(key, _WRITE_IT).format(key=key, word=word)

    def item_faults(self, kind: str, id: str) -> Iterator[tuple[str, str]]:
        """Yield the faults of an item, each with its remedy.

        A fault is a picture that can't be shown, or a reason why the item can't begin.
        """
        yield from self.picture_faults(kind, id)
        if kind in kinds_that_can_begin(self.book):
            yield from self.reason_not_to_begin(kind, id)

    def picture_faults(self, kind: str, id: str) -> Iterator[tuple[str, str]]:
        """Yield a fault, with a remedy, for each of an item's pictures that can't be read."""
        item = self.book.table(kind)[id]
        for key in ("image", "picture"):
            picture = item.get(key)
            file = picture.get("file", "") if isinstance(picture, Mapping) else picture
            if file and not campaign_pictures.begins_with_https(file):
                try:
                    campaign_pictures.read_campaign_picture(self.folder, file)
                except ValueError as error:
                    yield (
                        f"{item.get('name', id)}: the picture {file} {error}",
                        f"Put it there, or change {kind}.{id} in {self.book.where.get(f'{kind}.{id}', '')}.",
                    )

    def _faults_of_item_and_placed_people(self, kind: str, id: str) -> Iterator[tuple[str, str]]:
        """Yield the faults of an item, and of all creatures and characters that it places."""
        yield from self.item_faults(kind, id)
        if kind in kinds_that_can_begin(self.book):
            # Everybody that an encounter places
            item = self.book.table(kind)[id]
            placed = [*item.get("place", {}).values(), *item.get("at", {}), *item.get("creatures", {})]
            for person in list(dict.fromkeys(person for person in placed if isinstance(person, str))):
                for each, full in find_content_by_name(self.book, PEOPLE, person):
                    yield from self.item_faults(each, full)

    def reason_not_to_begin(self, kind: str, id: str) -> Iterator[tuple[str, str]]:
        """Yield the reason why an item, such as an encounter, can't begin with the whole party.

        The reason, such as a missing map, comes with a remedy. Nothing is yielded if the item can begin, or
        if no system simulates items of this `kind`.
        """
        system = self.system_that_simulates(kind)
        if system is not None and (problem := self._refusal_to_begin(system, id)):
            where = self.book.where.get(f"{kind}.{id}", "")
            yield (
                f"{self.book.table(kind)[id]['name']} can't begin: {problem.message}",
                f"{problem.hint} ({where})",
            )

    def _refusal_to_begin(self, system: System, id: str, party: Sequence[str] = ()) -> Problem | None:
        """Return the problem that keeps an item from beginning with a `party`, or None if it can begin.

        An empty `party` means the whole party.
        """
        from strike_cli.play.playable_moves_and_time_limit import find_move
        from strike_cli.sim.simulated_fight import KeyedDice, simulation_rules_of
        from strike_cli.sim.simulation_hooks import Lineup

        world = World(self.book, {})
        try:
            option = simulation_rules_of(system).begin(world, id, Lineup(tuple(party)))
            play_until_open_decision(
                find_move(option.command).start(world, option.args),
                world,
                KeyedDice(0, ""),
                default_of_decision,
            )
        except Problem as problem:
            return problem
        return None

    def _systems_that_may_play(self, kind: str) -> list[System]:
        """Return the systems that may play prepared items of a kind, such as fights.

        If the system that begins such items can simulate them, it comes first. Other systems that can
        simulate them come after it, if a sheet of the campaign has values for these systems.
        """
        from strike_cli.sim.simulated_fight import simulation_rules_of

        own, sheets = (
            self.system_that_simulates(kind),
            [sheet for each in PEOPLE for sheet in self.book.table(each).values()],
        )
        others = (
            each
            for each in load_usable_systems(self.book.registry)
            if each.simulation.rules and any(each.name in sheet for sheet in sheets)
        )
        found = [
            own,
            *(each for each in others if simulation_rules_of(each).prepared == kind and each is not own),
        ]
        return [each for each in found if each is not None]

    def system_that_simulates(self, kind: str) -> System | None:
        """Return the system that simulates prepared items of a kind, None if there is none."""
        from strike_cli.sim.simulated_fight import simulation_rules_of

        command = command_to_begin(self.book, kind).partition(" ")[0]
        named = [
            each
            for each in load_usable_systems(self.book.registry)
            if each.name == command and each.simulation.rules
        ]
        return next((each for each in named if simulation_rules_of(each).prepared == kind), None)

    # Links in the text

    def _broken_links(self, id: str, text: str) -> Iterator[SceneGap]:
        file = self.book.where[f"{FOLDER}.{id}"]
        for link in non_web_links_in(text):
            if not self.link_target(link, file):
                kinds = (FOLDER, *kinds_that_can_begin(self.book), *PEOPLE)
                known = [id.rpartition(":")[2] for kind in kinds for id in self.book.table(kind)]
                kind = "picture" if link.picture else "link"
                yield SceneGap(
                    file,
                    link.line,
                    f"the {kind} {link.target!r} leads nowhere.{did_you_mean(link.target, known)}",
                    "Put the file there, or write another path." if link.picture else _LINKABLE,
                )

    def link_target(self, link: Link, file: str) -> str:
        """Return the target of a link in a file, or "" if the link is broken.

        The target is `kind.id` for content and for scene files. For any other file it is a path.
        """
        for path in (Path(file).parent / link.target, Path(link.target), Path(HANDOUTS) / link.target):
            whole = self.folder / path
            if is_inside(self.folder, whole) and whole.is_file():
                return f"{FOLDER}.{slug(whole.stem)}" if whole.parent.name == FOLDER else path.as_posix()
        word = link.target.removesuffix(".md")
        kinds = (FOLDER, *kinds_that_can_begin(self.book), *PEOPLE, "tables", "clocks", "deadlines", HANDOUTS)
        found = find_content_by_name(self.book, kinds, word.rpartition("/")[2])
        if found:
            return ".".join(found[0])
        return f"{HANDOUTS}.{slug(word)}" if slug(word) in self.handouts else ""

    # Deadly fights

    def simulate_fights(
        self, scenes: Mapping[str, str], fights_each: int, until: float
    ) -> Iterator[SimulatedFight]:
        """Simulate the fights that scenes name, and yield the result of each fight.

        The time that is left is divided evenly among the fights that are left. A fight is skipped if no
        system can simulate it, if it can't begin, or if no time is left.

        Args:
            scenes: The texts of the scenes, by id.
            fights_each: How often each fight is simulated at most.
            until: When to stop, as a value of time.monotonic.
        """
        from strike_cli.sim.sim_plan import ALL, BETTER_PLAYER, SimPlan, outcome_chances, play_plan
        from strike_cli.sim.sim_request import SimRequest, freeze_campaigns
        from strike_cli.sim.simulation_hooks import WON, Lineup
        from strike_cli.sim.task_backends import InProcess

        wanted = [
            (scene, kind, word) for scene in scenes for kind in kinds_that_can_begin(self.book)
            for word in self.book.table(FOLDER)[scene].get(kind, ())
        ]  # fmt: skip
        for number, (scene, kind, word) in enumerate(wanted):
            system, found = self.system_that_simulates(kind), self.book.ids_matching(kind, word)
            left = until - time.monotonic()
            if system is None or not found or left <= 0:
                continue
            ends = time.monotonic() + left / (len(wanted) - number)
            try:
                frozen = freeze_campaigns(
                    self.folder, self.book, {}, SimRequest((found[0],), system.name, Lineup())
                )[0]
            except Problem:
                continue  # it can't begin, which is reported elsewhere
            plan = SimPlan([(frozen, BETTER_PLAYER)], 1, fights_each, None, 2)
            played = play_plan(plan, InProcess(), enough=_make_timeout_test(ends))
            if fought := played.tally_of_first_arm.days:
                win = outcome_chances(plan, played.results, played.stopped_by == ALL)[WON]
                line = _line_of_word(unparsed_front_matter_of(scenes[scene].splitlines()).toml, kind, word)
                name = self.book.table(kind)[found[0]]["name"]
                file = self.book.where[f"{FOLDER}.{scene}"]
                yield SimulatedFight(found[0], name, win, fought, BETTER_PLAYER, file, line)


_WRITE_IT = "Write [{key}.{word}] into campaign.toml, or remove it."
_REMEDIES = {
    "people": "`strike creature add {word}` makes one; or change the name.",
    HANDOUTS: "Put a picture or a text of that name into the folder handouts, or remove it.",
}
_LINKABLE = f"Link to a scene, to a person or thing by its id, or to a file; `{FOLDER}/NAME.md` is a scene."


def _line_of_word(head: str, key: str, word: str) -> int:
    """Return the number of the line in a scene's file where a word is written in quotes.

    `head` is the part of the file with the scene's keys. Lines before `key` are not searched. If no line has
    the word, return the line of `key`.
    """
    lines = head.splitlines()
    begin = line_of_deepest_key_found(head, [key]) or 1
    quoted = re.compile(rf"[\"']{re.escape(word)}[\"']")
    near = (number for number, line in enumerate(lines[begin - 1 :], begin) if quoted.search(line))
    return next(near, begin) + 1


def gap_count_words(gaps: Sequence[SceneGap]) -> str:
    """Return the number of gaps in words: `2 things are missing`."""
    return "1 thing is missing" if len(gaps) == 1 else f"{len(gaps)} things are missing"


def _make_timeout_test(end_time: float) -> Callable[[object], bool]:
    """Return a function that tests if the time `end_time` (time.monotonic) has passed."""
    return lambda found: time.monotonic() > end_time
