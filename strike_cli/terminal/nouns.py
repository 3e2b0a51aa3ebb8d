"""Nouns: what the place of a word is called in a help, together with what Tab offers there.

A command declares one as the `metavar` of an argument or an option: `typer.Option("--at", metavar=SQUARE)`. A
`metavar` that is plain text is only shown: a number, words of one's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..tabletop.scene import Person

Names = Callable[["Campaign", Mapping[str, object]], Iterable[str]]
"""What may stand in a place: from the campaign and the words typed so far, by the names of their
parameters."""
Words = Callable[[], Iterable[str]]
"""What may stand in a place of any campaign, and without one."""
FILES, FOLDERS = ":files", ":folders"
"""What a script of a shell is told where it should look for files itself."""


class Noun(str):
    """What a place is called in a help, such as `WHO`. Tab offers there the `words`, which are the same
    everywhere, and `names` of the campaign; or the shell finds it, where `place` is `FILES` or `FOLDERS`. One
    that `counts` is a number, though it may have a sign of its own."""

    __slots__ = ("counts", "names", "place", "words")
    counts: bool
    names: Names | None
    words: Words | None
    place: str

    def __new__(
        cls,
        text: str,
        names: Names | None = None,
        *,
        words: Words | None = None,
        place: str = "",
        counts: bool = False,
    ) -> Noun:
        noun = super().__new__(cls, text)
        noun.names, noun.words, noun.place, noun.counts = names, words, place, counts
        return noun

    def called(self, text: str) -> Noun:
        """The same by another word, or in another number: `WHO.called("[WHO]...")`."""
        return Noun(text, self.names, words=self.words, place=self.place, counts=self.counts)


def choice(*words: str) -> Noun:
    """A place for one of a few words, which are all that it is called: `up|down|keep`."""
    return Noun("|".join(words), words=lambda: words)


# What nouns stand for


def content(kind: str) -> Names:
    """Things of a kind of content, by the last part of their ids."""

    def names(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
        return sorted(key.rpartition(":")[2] for key in campaign.book.table(kind))

    return names


def people_of(key: str) -> Names:
    """Whoever is still in the scene of that table."""

    def names(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
        from ..registry.scenes import scenes_of

        return [who for scene in scenes_of(campaign.state) if scene.key == key for who in _up(scene.people)]

    return names


def _up(people: Mapping[str, Person]) -> list[str]:
    return [who for who, one in people.items() if not one.out]


def _characters(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
    return campaign.book.characters


def _newcomers(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
    return [*campaign.book.characters, *campaign.book.creatures]


def _in_scene(campaign: Campaign, typed: Mapping[str, object]) -> Iterable[str]:
    """Whoever is in the newest scene; the characters, before there is one."""
    from ..registry.scenes import scenes_of

    scenes = scenes_of(campaign.state)
    return _up(scenes[-1].people) if scenes else campaign.book.characters


def _squares(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    """The squares of the newest scene's map that are no wall."""
    from ..registry.scenes import scenes_of
    from ..tabletop.grid import format_square

    board = scenes_of(campaign.state)[-1].board
    for y, row in enumerate(board.rows if board else ()):
        yield from (format_square((x, y)) for x, sign in enumerate(row) if sign not in "# ")


def _open_options(campaign: Campaign, typed: Mapping[str, object]) -> Iterator[str]:
    """The options of open decisions; of one where it is said which."""
    from ..kernel.facts import waiting_in

    wanted = typed.get("scene")
    for key, item in waiting_in(campaign.state).items():
        if not wanted or wanted in (key, item["who"]):
            yield from item["options"]


WHO = Noun("WHO", _characters)
"""A character of the campaign."""
NEWCOMER = Noun("WHO|CREATURE[:N]", _newcomers)
"""A character or a creature of the campaign."""
IN_SCENE = Noun("WHO", _in_scene)
"""Somebody in the scene under way."""
CREATURES = Noun("CREATURE:N", content("creatures"))
"""So many of a creature."""
DIFFICULTY = Noun("HOW", words=lambda: ("easy", "normal", "hard", "deadly"))
"""How hard a fight is to be."""
SIDE = Noun("SIDE", words=lambda: ("party", "enemies"))
"""A side of a scene."""
SQUARE = Noun("SQUARE", _squares)
"""A square of the map under way."""
OPTION = Noun("OPTION", _open_options)
"""An option of a decision that waits."""
FREE = Noun("NAME")
"""A name or an id that the campaign doesn't have: nothing is offered."""
FILE = Noun("FILE", place=FILES)
"""A file, which the shell finds."""
FOLDER = Noun("DIR", place=FOLDERS)
"""A folder, which the shell finds."""
