"""An evening told turn by turn: what facts say, a paragraph for each turn and each command between scenes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.campaign import Campaign
from strike_cli.kernel import statements
from strike_cli.kernel.facts import State, apply_fact, look_up, table_under_way
from strike_cli.kernel.roll_data import ROLLS, rolls_in
from strike_cli.kernel.statements import spoken_language
from strike_cli.registry import fact_class
from strike_cli.registry.declaration import System
from strike_cli.registry.scenes import scene_of
from strike_cli.visibility.audience import GM, PLAYERS
from strike_cli.visibility.redaction import RedactedFact, heard

from .entries import of_session, with_what_lacks
from .evening import scene_system

if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import FactKept, JournalEntry


class Throw(NamedTuple):
    """Dice that led to what a paragraph tells. Of several faces `kept` counts; all where it is None."""

    who: str
    purpose: str
    sides: int
    faces: tuple[int, ...]
    kept: int | None
    total: int | None

    def as_json(self) -> dict[str, object]:
        """Return the form shown by --json."""
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
        """What stands out of it, in a few words each: "Critical hit"."""
        self.note = ""
        self.dice: list[Throw] = []
        self.image = ""
        """A picture of whoever it is about, or of what they are shown: a file of the campaign's folder."""

    def text(self) -> str:
        """All of it."""
        return " ".join(self.sentences)

    def lead(self) -> tuple[str, str]:
        """Return all of it in two parts, the first in bold.

        The first is the name of the person whose turn it is, from the beginning of the text or else before
        it.
        """
        text, name = self.text(), self.who
        rest = text.removeprefix(name)
        if not name or (rest != text and not rest[:1].isalnum()):
            return name, rest
        return f"{name}:", f" {text}"

    def as_json(self) -> dict[str, object]:
        """Return the form shown by --json."""
        return {
            "who": self.who,
            "text": self.text(),
            "headlines": self.headlines,
            "note": self.note,
            "dice": [throw.as_json() for throw in self.dice],
            "secret": self.secret,
        }


class RoundHeading(NamedTuple):
    """Where a round begins, in the place of a paragraph."""

    number: int

    def as_json(self) -> dict[str, object]:
        """Return the form shown by --json."""
        return {"round": self.number}


class Chapter:
    """A scene from its beginning to its end, or what was between scenes, which has no title."""

    def __init__(self, title: str = "", scene: str = "") -> None:
        self.title = title
        self.scene = scene
        self.image = ""
        """The picture of its map: a file of the campaign's folder."""
        self.parts: list[Paragraph | RoundHeading] = []

    def as_json(self) -> dict[str, object]:
        """Return the form shown by --json."""
        return {"title": self.title, "parts": [part.as_json() for part in self.parts]}


class Story:
    """An evening as it is told to the players, or to the game master."""

    def __init__(self, campaign: Campaign, number: int, for_players: bool) -> None:
        self.number = number
        self.for_players = for_players
        self.title = ""
        self.campaign = campaign.book.name
        self.chapters: list[Chapter] = []
        self._round = self.missing = 0
        before, entries = of_session(campaign, number)
        self._state: State = before.state
        for entry in entries:
            if entry["session"] == number:
                self._take(entry)
            else:
                for fact in entry["facts"]:
                    self._state = apply_fact(self._state, fact)
        for chapter in self.chapters:
            chapter.parts = [
                part for part in chapter.parts if isinstance(part, RoundHeading) or part.sentences
            ]
        self.chapters = [
            chapter for chapter in self.chapters if any(isinstance(part, Paragraph) for part in chapter.parts)
        ]

    def heading(self) -> str:
        """`Session 2: The ford`."""
        name = f"Session {self.number}" if self.number else "Before the first session"
        return with_what_lacks(f"{name}: {self.title}" if self.title else name, self.missing)

    def as_json(self) -> dict[str, object]:
        """Return the form shown by --json."""
        chapters = [chapter.as_json() for chapter in self.chapters]
        return {
            "session": self.number,
            "title": self.title,
            "for_players": self.for_players,
            "missing": self.missing,
            "chapters": chapters,
        }

    def _take(self, entry: JournalEntry) -> None:
        before = self._state
        self.missing += "missing_from" in entry
        told = heard(entry, before, PLAYERS if self.for_players else GM)
        if self.for_players and (entry.get("pending") or not any(each.fact for each in told)):
            for fact in entry["facts"]:  # no paragraph, and no chapter, ends by what nobody hears of
                self._state = apply_fact(self._state, fact)
            return
        system = scene_system(entry, before)
        chapter = self._chapter(system)
        paragraph = self._paragraph(chapter, system, bool(entry.get("secret")))
        for fact, left in zip(entry["facts"], told, strict=True):
            earlier, self._state = self._state, apply_fact(self._state, fact)
            if system is not None and system.scene.key in self._state and system.scene.key not in earlier:
                chapter = self._begin(Chapter(self._name_of(system), system.scene.key))
                chapter.image = self._map_of(system)
                paragraph = self._add(chapter, Paragraph(secret=paragraph.secret))
            if left.fact is None or entry.get("pending"):
                continue
            known = fact_class(fact["kind"])
            if known.begins_turn and system is not None:
                self._say_round(chapter, system)
                who = self._who(system, left.fact)
                paragraph = self._add(chapter, Paragraph(who, secret=paragraph.secret))
                paragraph.image = self._face_of(system, left.fact) if who else ""
                if paragraph.who:
                    continue
            self._say(paragraph, left, known)
            paragraph.dice += dice_of(left.fact)
            paragraph.image = paragraph.image or _shown_by(left.fact)
        if chapter.image and system is not None and system.scene.key in self._state:
            chapter.image = self._map_of(system)  # fog may have come upon it
        self.title = look_up(self._state, "session.title", "")
        if entry.get("note") and not self.for_players:
            paragraph.note = entry["note"]

    def _chapter(self, system: System | None) -> Chapter:
        scene = system.scene.key if system is not None else ""
        if self.chapters and self.chapters[-1].scene == scene:
            return self.chapters[-1]
        title = self._name_of(system) if system is not None and scene in self._state else ""
        return self._begin(Chapter(title, scene))

    def _begin(self, chapter: Chapter) -> Chapter:
        self.chapters.append(chapter)
        self._round = 0
        return chapter

    def _paragraph(self, chapter: Chapter, system: System | None, secret: bool) -> Paragraph:
        """Where a command is told: in the turn under way, or by itself."""
        last = chapter.parts[-1] if chapter.parts else None
        if system is not None and isinstance(last, Paragraph) and last.who and last.secret == secret:
            return last
        return self._add(chapter, Paragraph(secret=secret))

    def _add(self, chapter: Chapter, paragraph: Paragraph) -> Paragraph:
        chapter.parts.append(paragraph)
        return paragraph

    def _say(self, paragraph: Paragraph, told: RedactedFact, known: type[statements.Fact]) -> None:
        text = told.without_numbers().strip()
        if text and known.in_story:
            paragraph.sentences.append(text)
            banner = told.banner
            if banner is not None and banner.stands_out and banner.text not in paragraph.headlines:
                paragraph.headlines.append(banner.text)

    def _say_round(self, chapter: Chapter, system: System) -> None:
        number = look_up(self._state, f"{system.scene.key}.round", 0)
        if number != self._round:
            self._round = number
            chapter.parts.append(RoundHeading(number))

    def _name_of(self, system: System) -> str:
        return str(look_up(self._state, f"{system.scene.key}.name", "") or system.title)

    def _map_of(self, system: System) -> str:
        """Return the picture of a scene's map; for players "" where the map has fog."""
        board = scene_of(system, table_under_way(self._state, system.scene.key), {}).board
        if board is None or not board.image or (self.for_players and board.seen is not None):
            return ""
        return str(board.image.get("file", ""))

    def _face_of(self, system: System, fact: FactKept) -> str:
        people = scene_of(system, table_under_way(self._state, system.scene.key), {}).people
        one = people.get(fact["who"])
        return (one.image if one else "") or ""

    def _who(self, system: System, fact: FactKept) -> str:
        if not fact["who"]:
            return ""
        people = scene_of(system, table_under_way(self._state, system.scene.key), {}).people
        one = people.get(fact["who"])
        return one.name if one else ""


def dice_of(fact: FactKept) -> list[Throw]:
    """Return the dice of a fact as its audience may know them.

    They are its own roll, an opposed one, several, helpers'.
    """
    names = fact.get("names", {})
    return [
        Throw(
            str(names.get(roll.get("who"), "")),
            spoken_language().purpose(str(roll.get("purpose") or "")),
            roll.get("sides", 6),
            tuple(roll["faces"]),
            roll.get("kept"),
            roll.get("total"),
        )
        for roll in rolls_in(fact, *ROLLS)
    ]


def _shown_by(fact: FactKept) -> str:
    """Return the picture that a fact shows everybody: a handout's."""
    image = fact.get("image")
    return str(image.get("file", "")) if isinstance(image, Mapping) else ""
