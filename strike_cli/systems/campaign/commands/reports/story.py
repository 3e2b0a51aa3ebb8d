"""An evening told in the sentences of its facts: a paragraph for each turn, or command between scenes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel import statements
from strike_cli.kernel.facts import look_up, remember_results, table_under_way
from strike_cli.kernel.roll_data import ROLLS, rolls_in
from strike_cli.kernel.statements import Language
from strike_cli.registry import fact_class
from strike_cli.registry.declaration import System
from strike_cli.registry.scenes import scene_of
from strike_cli.visibility.known_journal import KnownEntry, KnownFact, KnownState

from .entries import Past, with_missing_note
from .evening import scene_system

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import FactKept


class Throw(NamedTuple):
    """Dice behind a paragraph. Of several faces `kept` counts; all count where it is None."""

    who: str
    purpose: str
    sides: int
    faces: tuple[int, ...]
    kept: int | None
    total: int | None

    def as_json(self) -> dict[str, object]:
        return {**self._asdict(), "faces": list(self.faces)}


class Paragraph:
    """A part of the story that belongs together: a turn, or a command between scenes.

    `who` is the person whose turn it is; `note` the game master's note on it.
    """

    def __init__(self, who: str = "", *, secret: bool = False) -> None:
        self.who = who
        self.secret = secret
        self.sentences: list[str] = []
        self.headlines: list[str] = []
        """The highlights of the paragraph, in a few words each: "Critical hit"."""
        self.note = ""
        self.dice: list[Throw] = []
        self.image = ""
        """A picture of the entry's person or exhibit: a file in the campaign's folder."""

    def text(self) -> str:
        """Return the whole text."""
        return " ".join(self.sentences)

    def lead(self) -> tuple[str, str]:
        """Return the whole paragraph in two parts, the first in bold.

        The first is the name of the person whose turn it is. It is cut from the beginning of the text, or put
        before the text with a colon where the text doesn't begin with it.
        """
        text, name = self.text(), self.who
        rest = text.removeprefix(name)
        if not name or (rest != text and not rest[:1].isalnum()):
            return name, rest
        return f"{name}:", f" {text}"

    def as_json(self) -> dict[str, object]:
        return {
            "who": self.who,
            "text": self.text(),
            "headlines": self.headlines,
            "note": self.note,
            "dice": [throw.as_json() for throw in self.dice],
            "secret": self.secret,
        }


class RoundHeading(NamedTuple):
    """The heading of a round, between paragraphs."""

    number: int

    def as_json(self) -> dict[str, object]:
        return {"round": self.number}


class Chapter:
    """A scene from its beginning to its end; or the commands between two scenes, without a title."""

    def __init__(self, title: str = "", scene: str = "") -> None:
        self.title = title
        self.scene = scene
        self.last: tuple[System, KnownState] | None = None
        """The scene's system and state when it was last reported."""
        self.parts: list[Paragraph | RoundHeading] = []

    @cached_property
    def image(self) -> str:
        """The picture of the scene's map, whose fog may have changed: a file in the campaign's folder."""
        if not self.last:
            return ""
        system, now = self.last
        board = scene_of(system, table_under_way(now, system.scene.key), {}).board
        return str(board.image.get("file", "")) if board and board.image else ""

    def as_json(self) -> dict[str, object]:
        return {"title": self.title, "parts": [part.as_json() for part in self.parts]}


class Story:
    """An evening as a story for the players, or for the game master."""

    @remember_results()
    def __init__(self, past: Past, number: int) -> None:
        self.number = number
        self.for_players = past.for_players
        self.title = ""
        self.campaign = past.book.name
        self.chapters: list[Chapter] = []
        self._language = past.book.locale()
        self._round = 0
        for entry in past.entries:
            if entry.session == number:
                self._take(entry)
        self.missing = past.journal.missing[number]
        for chapter in self.chapters:
            chapter.parts = [
                part for part in chapter.parts if isinstance(part, RoundHeading) or part.sentences
            ]
        self.chapters = [
            chapter for chapter in self.chapters if any(isinstance(part, Paragraph) for part in chapter.parts)
        ]

    def heading(self) -> str:
        """Return the session's number and title: `Session 2: The ford`."""
        name = f"Session {self.number}" if self.number else "Before the first session"
        return with_missing_note(f"{name}: {self.title}" if self.title else name, self.missing)

    def as_json(self) -> dict[str, object]:
        chapters = [chapter.as_json() for chapter in self.chapters]
        return {
            "session": self.number,
            "title": self.title,
            "for_players": self.for_players,
            "missing": self.missing,
            "chapters": chapters,
        }

    def _take(self, entry: KnownEntry) -> None:
        if not entry.facts or (self.for_players and entry.pending):
            return  # entries that nobody hears of end no paragraph or chapter
        system = scene_system(entry)
        chapter = self._chapter(system, entry.facts[0].before)
        paragraph = self._paragraph(chapter, system, entry.secret)
        for known in entry.facts:
            now = known.after
            if system is not None and system.scene.key in now and system.scene.key not in known.before:
                chapter = self._begin(Chapter(_name_of(system, now), system.scene.key))
                paragraph = self._add(chapter, Paragraph(secret=entry.secret))
            if entry.pending:
                continue
            kind = fact_class(known.fact["kind"])
            if kind.begins_turn and system is not None:
                number = look_up(now, f"{system.scene.key}.round", 0)
                if number != self._round:
                    self._round = number
                    chapter.parts.append(RoundHeading(number))
                one = scene_of(system, table_under_way(now, system.scene.key), {}).people.get(
                    known.fact["who"]
                )
                paragraph = self._add(chapter, Paragraph(one.name if one else "", secret=entry.secret))
                paragraph.image = (one.image if one else "") or ""
                if paragraph.who:
                    continue
            self._say(paragraph, known, kind)
            paragraph.dice += dice_of(known.fact, self._language)
            paragraph.image = paragraph.image or _picture_of(known.fact)
        now = entry.facts[-1].after
        if system is not None and system.scene.key in now:
            chapter.last = system, now
        self.title = str(look_up(now, "session.title", ""))
        if entry.note:
            paragraph.note = entry.note

    def _chapter(self, system: System | None, now: KnownState) -> Chapter:
        scene = system.scene.key if system is not None else ""
        if self.chapters and self.chapters[-1].scene == scene:
            return self.chapters[-1]
        title = _name_of(system, now) if system is not None and scene in now else ""
        return self._begin(Chapter(title, scene))

    def _begin(self, chapter: Chapter) -> Chapter:
        self.chapters.append(chapter)
        self._round = 0
        return chapter

    def _paragraph(self, chapter: Chapter, system: System | None, secret: bool) -> Paragraph:
        """Return the paragraph for a command: that of the turn under way, or one of its own."""
        last = chapter.parts[-1] if chapter.parts else None
        if system is not None and isinstance(last, Paragraph) and last.who and last.secret == secret:
            return last
        return self._add(chapter, Paragraph(secret=secret))

    def _add(self, chapter: Chapter, paragraph: Paragraph) -> Paragraph:
        chapter.parts.append(paragraph)
        return paragraph

    def _say(self, paragraph: Paragraph, fact: KnownFact, kind: type[statements.Fact]) -> None:
        text = fact.without_numbers().strip()
        if text and kind.in_story:
            paragraph.sentences.append(text)
            banner = fact.banner
            if banner is not None and banner.stands_out and banner.text not in paragraph.headlines:
                paragraph.headlines.append(banner.text)


def _name_of(system: System, now: KnownState) -> str:
    return str(look_up(now, f"{system.scene.key}.name", "") or system.title)


def dice_of(fact: FactKept, language: Language) -> list[Throw]:
    """Return the dice of a fact as its audience may know them.

    They are those of its own roll, of an opposed one, of several rolls, and of helpers.
    """
    names = fact.get("names", {})
    return [
        Throw(
            str(names.get(roll.get("who"), "")),
            language.purpose(str(roll.get("purpose") or "")),
            roll.get("sides", 6),
            tuple(roll["faces"]),
            roll.get("kept"),
            roll.get("total"),
        )
        for roll in rolls_in(fact, *ROLLS)
    ]


def _picture_of(fact: FactKept) -> str:
    """Return the picture that a fact shows everybody: a handout's."""
    image = fact.get("image")
    return str(image.get("file", "")) if isinstance(image, Mapping) else ""
