"""A session as a story, written from the sentences of its facts.

Each turn is a paragraph, and so is each command between scenes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel import statements
from strike_cli.kernel.roll_types import ROLLS, rolls_in_fact
from strike_cli.kernel.state_changes import block_cache, look_up, require_scene_table
from strike_cli.kernel.statements import Language
from strike_cli.registry import fact_class
from strike_cli.registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table
from strike_cli.registry.system_declaration import System
from strike_cli.visibility.known_journal import KnownEntry, KnownFact, KnownState

from .entries_known_to_audience import KnownPast, with_note_if_journal_damaged
from .evening import system_if_played_in_its_scene

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import StoredFact


class ShownRoll(NamedTuple):
    """Dice rolled in a paragraph. `kept` is the face that counts; if it is None, all faces count."""

    who: str
    purpose: str
    sides: int
    faces: tuple[int, ...]
    kept: int | None
    total: int | None

    def as_json(self) -> dict[str, object]:
        return {**self._asdict(), "faces": list(self.faces)}


class Paragraph:
    """A paragraph of the story: a turn, or a command between scenes.

    `who` is the name of the person whose turn it is; `note` is the game master's note on it.
    """

    def __init__(self, who: str = "", *, secret: bool = False) -> None:
        self.who = who
        self.secret = secret
        self.sentences: list[str] = []
        self.headlines: list[str] = []
        """The highlights of the paragraph, in a few words each: "Critical hit"."""
        self.note = ""
        self.dice: list[ShownRoll] = []
        self.image = ""
        """A picture of the entry's person or exhibit: a file in the campaign's folder."""

    def text(self) -> str:
        """Return all sentences of the paragraph as one text."""
        return " ".join(self.sentences)

    def split_bold_name_and_rest(self) -> tuple[str, str]:
        """Return the paragraph in two parts: a lead to show in bold, and the rest.

        The lead is the name in `who`, cut from the start of the text. If the text doesn't start with the
        name, the lead is the name with a colon, and the rest is the whole text.
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
    """The heading between paragraphs where a round begins."""

    number: int

    def as_json(self) -> dict[str, object]:
        return {"round": self.number}


class Chapter:
    """A chapter of the story: a scene, or the commands between two scenes, which have no title."""

    def __init__(self, title: str = "", scene: str = "") -> None:
        self.title = title
        self.scene = scene
        self.last_reported: tuple[System, KnownState] | None = None
        """The scene's system and state when it was last reported."""
        self.parts: list[Paragraph | RoundHeading] = []

    @cached_property
    def last_map_picture(self) -> str:
        """The picture of the scene's map, as a file in the campaign's folder; "" without one.

        A chapter may have several reports about the scene. The picture is the one that the map had at the
        last of them.
        """
        if not self.last_reported:
            return ""
        system, now = self.last_reported
        board = scene_or_bare_scene_from_table(system, require_scene_table(now, system.scene.key), {}).board
        return str(board.image.get("file", "")) if board and board.image else ""

    def as_json(self) -> dict[str, object]:
        return {"title": self.title, "parts": [part.as_json() for part in self.parts]}


class Story:
    """A session as a story, for the players or for the game master."""

    @block_cache()
    def __init__(self, past: KnownPast, number: int) -> None:
        self.number = number
        self.for_players = past.for_players
        self.title = ""
        self.campaign = past.book.name
        self.chapters: list[Chapter] = []
        self._language = past.book.locale()
        self._round = 0
        for entry in past.entries:
            if entry.session == number:
                self._add_entry(entry)
        self.missing = past.journal.gaps_by_session[number]
        for chapter in self.chapters:
            chapter.parts = [
                part for part in chapter.parts if isinstance(part, RoundHeading) or part.sentences
            ]
        self.chapters = [
            chapter for chapter in self.chapters if any(isinstance(part, Paragraph) for part in chapter.parts)
        ]

    def heading(self) -> str:
        """Return the session's number and title, such as `Session 2: The ford`.

        A note is added if part of the journal is missing.
        """
        name = f"Session {self.number}" if self.number else "Before the first session"
        return with_note_if_journal_damaged(f"{name}: {self.title}" if self.title else name, self.missing)

    def as_json(self) -> dict[str, object]:
        chapters = [chapter.as_json() for chapter in self.chapters]
        return {
            "session": self.number,
            "title": self.title,
            "for_players": self.for_players,
            "missing": self.missing,
            "chapters": chapters,
        }

    def _add_entry(self, entry: KnownEntry) -> None:
        if not entry.facts or (self.for_players and entry.pending):
            return  # entries that nobody hears of end no paragraph or chapter
        system = system_if_played_in_its_scene(entry)
        chapter = self._continue_or_begin_chapter(system, entry.facts[0].before)
        paragraph = self._continue_turn_or_add_paragraph(chapter, system, entry.secret)
        for known in entry.facts:
            now = known.after
            if system is not None and system.scene.key in now and system.scene.key not in known.before:
                chapter = self._begin_chapter(Chapter(_scene_name(system, now), system.scene.key))
                paragraph = self._add_paragraph(chapter, Paragraph(secret=entry.secret))
            if entry.pending:
                continue
            kind = fact_class(known.fact["kind"])
            if kind.begins_turn and system is not None:
                number = look_up(now, f"{system.scene.key}.round", 0)
                if number != self._round:
                    self._round = number
                    chapter.parts.append(RoundHeading(number))
                one = scene_or_bare_scene_from_table(
                    system, require_scene_table(now, system.scene.key), {}
                ).people.get(known.fact["who"])
                paragraph = self._add_paragraph(
                    chapter, Paragraph(one.name if one else "", secret=entry.secret)
                )
                paragraph.image = (one.image if one else "") or ""
                if paragraph.who:
                    continue
            self._add_sentence_and_headline(paragraph, known, kind)
            paragraph.dice += shown_rolls_of(known.fact, self._language)
            paragraph.image = paragraph.image or _handout_picture(known.fact)
        now = entry.facts[-1].after
        if system is not None and system.scene.key in now:
            chapter.last_reported = system, now
        self.title = str(look_up(now, "session.title", ""))
        if entry.note:
            paragraph.note = entry.note

    def _continue_or_begin_chapter(self, system: System | None, now: KnownState) -> Chapter:
        scene = system.scene.key if system is not None else ""
        if self.chapters and self.chapters[-1].scene == scene:
            return self.chapters[-1]
        title = _scene_name(system, now) if system is not None and scene in now else ""
        return self._begin_chapter(Chapter(title, scene))

    def _begin_chapter(self, chapter: Chapter) -> Chapter:
        self.chapters.append(chapter)
        self._round = 0
        return chapter

    def _continue_turn_or_add_paragraph(
        self, chapter: Chapter, system: System | None, secret: bool
    ) -> Paragraph:
        """Return the paragraph that a command's sentences go into.

        It is the paragraph of the current turn, if the turn and the command are both secret or both public.
        Otherwise it is a new paragraph.
        """
        last = chapter.parts[-1] if chapter.parts else None
        if system is not None and isinstance(last, Paragraph) and last.who and last.secret == secret:
            return last
        return self._add_paragraph(chapter, Paragraph(secret=secret))

    def _add_paragraph(self, chapter: Chapter, paragraph: Paragraph) -> Paragraph:
        chapter.parts.append(paragraph)
        return paragraph

    def _add_sentence_and_headline(
        self, paragraph: Paragraph, fact: KnownFact, kind: type[statements.Fact]
    ) -> None:
        text = fact.without_numbers().strip()
        if text and kind.in_story:
            paragraph.sentences.append(text)
            banner = fact.banner
            if banner is not None and banner.is_important and banner.text not in paragraph.headlines:
                paragraph.headlines.append(banner.text)


def _scene_name(system: System, now: KnownState) -> str:
    return str(look_up(now, f"{system.scene.key}.name", "") or system.title)


def shown_rolls_of(fact: StoredFact, language: Language) -> list[ShownRoll]:
    """Return the rolls of a fact: its own roll, the roll against it, and those of helpers."""
    names = fact.get("names", {})
    return [
        ShownRoll(
            str(names.get(roll.get("who"), "")),
            language.purpose(str(roll.get("purpose") or "")),
            roll.get("sides", 6),
            tuple(roll["faces"]),
            roll.get("kept"),
            roll.get("total"),
        )
        for roll in rolls_in_fact(fact, *ROLLS)
    ]


def _handout_picture(fact: StoredFact) -> str:
    image = fact.get("image")
    return str(image.get("file", "")) if isinstance(image, Mapping) else ""
