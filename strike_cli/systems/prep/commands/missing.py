"""Gaps in prepared scenes: creatures, maps and pictures that are named but missing, and broken links.

Also fights that are too much for the party. Each with file, line and a way to fix it. Begin with `Looking`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.content.ids import one_of
from strike_cli.content.schemas import is_prepared_kind
from strike_cli.includes import is_inside, own_names
from strike_cli.kernel.driver import default_or_pending, drive
from strike_cli.kernel.procedure import World
from strike_cli.problems import Problem, nearest
from strike_cli.registry import installed_systems
from strike_cli.safe_reading import line_of
from strike_cli.tabletop import pictures
from strike_cli.tabletop.people import slug

from ..scene_files import NAMED, Link, head_of, links_of

if TYPE_CHECKING:
    from strike_cli.content.book import Book
    from strike_cli.registry.declaration import System
    from strike_cli.sim.confidence_intervals import Interval

FOLDER, HANDOUTS = "scenes", "handouts"
PEOPLE = ("characters", "creatures")
DEADLY = 0.5
"""The share of fights that a party should win at least."""


class Missing(NamedTuple):
    """A missing thing: the file and line that name it, the thing, and the remedy."""

    file: str
    line: int
    what: str
    remedy: str

    @property
    def where(self) -> str:
        """The file and line."""
        return f"{self.file}:{self.line}"


def begin_command(book: Book, kind: str) -> str:
    """Return the command that begins prepared things of a kind.

    It belongs to the game that the campaign plays, else to the system that defines the kind; "" where no
    system begins such things.
    """
    able = {
        each.name: of.begins
        for each in installed_systems(book.registry)
        if (of := each.content.get(kind)) and of.begins
    }
    own = next((each.name for each in installed_systems(book.registry) if is_prepared_kind(each, kind)), "")
    return next((able[name] for name in (*book.systems, own, *able) if name in able), "")


def kinds_to_begin(book: Book) -> list[str]:
    """Return the kinds of things that a scene may begin."""
    kinds = (
        kind for each in installed_systems(book.registry) for kind, of in each.content.items() if of.begins
    )
    return [kind for kind in dict.fromkeys(kinds) if kind in book]


def find_things(book: Book, kinds: Sequence[str], word: str) -> list[tuple[str, str]]:
    """Return the kind and full id of each thing that a word may mean."""
    return [(kind, id) for kind in kinds for id in book.matching(kind, word)]


def handout_files(folder: Path) -> dict[str, Path]:
    """Return the pictures and texts in the campaign's folder `handouts`, by ids made from their names."""
    try:
        files = [folder / HANDOUTS / name for name in own_names(folder / HANDOUTS)]
    except OSError:
        return {}
    ends = (*pictures.MEDIA_TYPES, ".md", ".txt")
    fit = (file for file in files if file.suffix.lower() in ends and is_inside(folder, file))
    return {slug(file.stem): file for file in fit}


class SimulatedFight(NamedTuple):
    """A fight of a scene, as simulated.

    It has its id and name, the number of plays and their player, the resulting chance to win, and the line
    that names the fight.
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
        """Whether the party loses more often than not."""
        return self.win.value < DEADLY

    @property
    def told(self) -> str:
        """The chance to win, with its precision."""
        from strike_cli.pages.plots import percent
        from strike_cli.sim.report import certainty_words, count_words

        played = f"{count_words(self.fights, 'fight')} played by {self.player}"
        return f"{percent(self.win.value)} won ({certainty_words(self.win)}, {played})"

    def as_json(self) -> dict[str, object]:
        from strike_cli.sim.report import interval_data

        win = interval_data(self.win)
        return {"id": self.id, "won": self.win.value, "win": win, "fights": self.fights}

    def as_missing(self) -> Missing:
        """Return a deadly fight as a gap to report."""
        what = f"{self.name} is deadly: {self.told}."
        remedy = f"`strike sim {self.id}` shows more; use fewer creatures, or add an exit."
        return Missing(self.file, self.line, what, remedy)


class Looking:
    """A search through scenes for missing things.

    Unless `fights` is False, it also checks whether the scenes' fights can begin with the whole party.
    """

    def __init__(self, book: Book, folder: Path, fights: bool = True) -> None:
        self.fights = fights
        self.book = book
        self.folder = folder
        self.handouts = handout_files(folder)

    def through(self, id: str, text: str) -> Iterator[Missing]:
        """Return an iterator over the things missing in a scene, in the order of its lines."""
        found = [*self._missing_names(id, text), *self._linked(id, text)]
        return iter(sorted(dict.fromkeys(found), key=lambda one: one.line))

    def fewest_missing(self, kind: str, id: str) -> int | None:
        """Return how many of the party must stay away for something prepared to begin.

        None means that it can't begin at all, or that no game here plays it.
        """
        party = list(self.book.characters)
        for n in range(max(1, len(party))):
            if any(
                not self._refusal(system, id, party[: len(party) - n]) for system in self._players_of(kind)
            ):
                return n
        return None

    # Names in the head

    def _missing_names(self, id: str, text: str) -> Iterator[Missing]:
        scene, file = self.book.table(FOLDER)[id], self.book.where[f"{FOLDER}.{id}"]
        head = head_of(text.splitlines()).toml
        for key in (*kinds_to_begin(self.book), *NAMED):
            for word in scene.get(key, ()):
                line = _line_of_word(head, key, word)
                for what, remedy in self._fault_of(key, word):
                    yield Missing(file, line, what, remedy)
        music = scene.get("music", "")
        if music and "://" not in music and not (self.folder / music).is_file():
            line = _line_of_word(head, "music", music)
            yield Missing(
                file, line, f"there is no music {music!r}", "Give an address, or a file of this folder."
            )

    def _fault_of(self, key: str, word: str) -> Iterator[tuple[str, str]]:
        """Yield the faults of something that a scene names, each with its remedy."""
        kinds = PEOPLE if key == "people" else (key,)
        found = find_things(self.book, kinds, word)
        if not found and not (key == HANDOUTS and slug(word) in self.handouts):
            yield self._unknown_fault(key, kinds, word)
        for kind, id in found[:1] if self.fights else ():
            yield from self._wrong_with_all_of(kind, id)

    def _unknown_fault(self, key: str, kinds: Sequence[str], word: str) -> tuple[str, str]:
        known = [id.rpartition(":")[2] for kind in kinds for id in self.book.table(kind)]
        known += self.handouts if key == HANDOUTS else ()
        what = "nobody" if key == "people" else f"no {one_of(key)}"
        verb = "is called" if key == "people" else ""
        said = f"{what} {verb} {word!r}".replace("  ", " ") if verb else f"there is {what} {word!r}"
        return f"{said}.{nearest(word, known)}", _REMEDIES.get(key, _WRITE_IT).format(key=key, word=word)

    def wrong_with(self, kind: str, id: str) -> Iterator[tuple[str, str]]:
        """Yield the faults of something of the campaign: of its pictures, and of its beginning."""
        yield from self.pictures_of(kind, id)
        if kind in kinds_to_begin(self.book):
            yield from self.can_not_begin(kind, id)

    def pictures_of(self, kind: str, id: str) -> Iterator[tuple[str, str]]:
        """Yield the pictures of a thing that can't be shown."""
        item = self.book.table(kind)[id]
        for key in ("image", "picture"):
            picture = item.get(key)
            file = picture.get("file", "") if isinstance(picture, Mapping) else picture
            if file and not pictures.is_address(file):
                try:
                    pictures.read_bytes(self.folder, file)
                except ValueError as error:
                    yield (
                        f"{item.get('name', id)}: the picture {file} {error}",
                        f"Put it there, or change {kind}.{id} in {self.book.where.get(f'{kind}.{id}', '')}.",
                    )

    def _wrong_with_all_of(self, kind: str, id: str) -> Iterator[tuple[str, str]]:
        """Yield the faults of a thing, and of everybody whom it needs."""
        yield from self.wrong_with(kind, id)
        if kind in kinds_to_begin(self.book):
            # Everybody that an encounter places
            item = self.book.table(kind)[id]
            placed = [*item.get("place", {}).values(), *item.get("at", {}), *item.get("creatures", {})]
            for person in list(dict.fromkeys(person for person in placed if isinstance(person, str))):
                for each, full in find_things(self.book, PEOPLE, person):
                    yield from self.wrong_with(each, full)

    def can_not_begin(self, kind: str, id: str) -> Iterator[tuple[str, str]]:
        """Yield why something can't begin with everybody, such as for want of a map."""
        system = self.player_of(kind)
        if system is not None and (problem := self._refusal(system, id)):
            where = self.book.where.get(f"{kind}.{id}", "")
            yield (
                f"{self.book.table(kind)[id]['name']} can't begin: {problem.message}",
                f"{problem.hint} ({where})",
            )

    def _refusal(self, system: System, id: str, party: Sequence[str] = ()) -> Problem | None:
        """Return why something can't begin with a party, or with everybody; None where it can."""
        from strike_cli.play.moves import find_move
        from strike_cli.sim.fight import KeyedDice, simulation_of
        from strike_cli.sim.simulated_system import Lineup

        world = World(self.book, {})
        try:
            option = simulation_of(system).begin(world, id, Lineup(tuple(party)))
            drive(
                find_move(option.command).start(world, option.args),
                world,
                KeyedDice(0, ""),
                default_or_pending,
            )
        except Problem as problem:
            return problem
        return None

    def _players_of(self, kind: str) -> list[System]:
        """Return the systems that may play prepared things of a kind.

        They are the system that simulates them, and other games for which sheets are written.
        """
        from strike_cli.sim.fight import simulation_of

        own, sheets = (
            self.player_of(kind),
            [sheet for each in PEOPLE for sheet in self.book.table(each).values()],
        )
        others = (
            each
            for each in installed_systems(self.book.registry)
            if each.simulation.rules and any(each.name in sheet for sheet in sheets)
        )
        found = [own, *(each for each in others if simulation_of(each).prepared == kind and each is not own)]
        return [each for each in found if each is not None]

    def player_of(self, kind: str) -> System | None:
        """Return the system that simulates prepared things of a kind; None where there is none."""
        from strike_cli.sim.fight import simulation_of

        command = begin_command(self.book, kind).partition(" ")[0]
        named = [
            each
            for each in installed_systems(self.book.registry)
            if each.name == command and each.simulation.rules
        ]
        return next((each for each in named if simulation_of(each).prepared == kind), None)

    # Links in the text

    def _linked(self, id: str, text: str) -> Iterator[Missing]:
        file = self.book.where[f"{FOLDER}.{id}"]
        for link in links_of(text):
            if not self.leads_to(link, file):
                kinds = (FOLDER, *kinds_to_begin(self.book), *PEOPLE)
                known = [id.rpartition(":")[2] for kind in kinds for id in self.book.table(kind)]
                kind = "picture" if link.picture else "link"
                yield Missing(
                    file,
                    link.line,
                    f"the {kind} {link.target!r} leads nowhere.{nearest(link.target, known)}",
                    "Put the file there, or write another path." if link.picture else _LINKABLE,
                )

    def leads_to(self, link: Link, file: str) -> str:
        """Return the target of a link in a file, as `kind.id` or a path; "" where it leads nowhere."""
        for path in (Path(file).parent / link.target, Path(link.target), Path(HANDOUTS) / link.target):
            whole = self.folder / path
            if is_inside(self.folder, whole) and whole.is_file():
                return f"{FOLDER}.{slug(whole.stem)}" if whole.parent.name == FOLDER else path.as_posix()
        word = link.target.removesuffix(".md")
        kinds = (FOLDER, *kinds_to_begin(self.book), *PEOPLE, "tables", "clocks", "deadlines", HANDOUTS)
        found = find_things(self.book, kinds, word.rpartition("/")[2])
        if found:
            return ".".join(found[0])
        return f"{HANDOUTS}.{slug(word)}" if slug(word) in self.handouts else ""

    # Deadly fights

    def tried(self, scenes: Mapping[str, str], fights: int, until: float) -> Iterator[SimulatedFight]:
        """Simulate the fights in scenes (id -> text) until a time; yield the simulated ones.

        `until` is a time of time.monotonic; each fight has its share of the time that is left.
        """
        from strike_cli.sim.request import SimRequest, freeze_campaigns
        from strike_cli.sim.run import ALL, BETTER, SimPlan, outcome_chances, play_plan
        from strike_cli.sim.scheduler import Here
        from strike_cli.sim.simulated_system import WON, Lineup

        wanted = [
            (scene, kind, word) for scene in scenes for kind in kinds_to_begin(self.book)
            for word in self.book.table(FOLDER)[scene].get(kind, ())
        ]  # fmt: skip
        for number, (scene, kind, word) in enumerate(wanted):
            system, found = self.player_of(kind), self.book.matching(kind, word)
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
            plan = SimPlan([(frozen, BETTER)], 1, fights, None, 2)
            played = play_plan(plan, Here(), enough=_deadline_test(ends))
            if fought := played.tally.days:
                win = outcome_chances(plan, played.found, played.stopped_by == ALL)[WON]
                line = _line_of_word(head_of(scenes[scene].splitlines()).toml, kind, word)
                name = self.book.table(kind)[found[0]]["name"]
                file = self.book.where[f"{FOLDER}.{scene}"]
                yield SimulatedFight(found[0], name, win, fought, BETTER, file, line)


_WRITE_IT = "Write [{key}.{word}] into campaign.toml, or remove it."
_REMEDIES = {
    "people": "`strike creature add {word}` makes one; or change the name.",
    HANDOUTS: "Put a picture or a text of that name into the folder handouts, or remove it.",
}
_LINKABLE = f"Link to a scene, to a person or thing by its id, or to a file; `{FOLDER}/NAME.md` is a scene."


def _line_of_word(head: str, key: str, word: str) -> int:
    """Return the line of the file where the head has a word under a key."""
    lines = head.splitlines()
    begin = line_of(head, [key]) or 1
    quoted = re.compile(rf"[\"']{re.escape(word)}[\"']")
    near = (number for number, line in enumerate(lines[begin - 1 :], begin) if quoted.search(line))
    return next(near, begin) + 1


def missing_words(gaps: Sequence[Missing]) -> str:
    """Return how many things are missing, in words."""
    return "1 thing is missing" if len(gaps) == 1 else f"{len(gaps)} things are missing"


def _deadline_test(ends: float) -> Callable[[object], bool]:
    """Return a function that tells whether the time is up."""
    return lambda found: time.monotonic() > ends
