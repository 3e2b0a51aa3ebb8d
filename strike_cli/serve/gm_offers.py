"""What may be done in the scenes under way, with all that the game master knows, for their own page.

The form is that of phones' offers, and the commands are those that one would type. No phone is ever given any
of this: a phone's page is made from what its player knows (`phones.sheet`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from strike_bridge.projection import scene_id

from ..content.book import Book
from ..kernel.facts import State
from ..phones.sheet import Offer, PhoneSnapshot
from ..play.legal import next_moves
from ..registry import scene_systems
from ..registry.gm_override import HEADS, hand_of
from ..tabletop.squares import parse_square
from ..terminal.screen.model import CampaignView, PossibleMove, acting, choices_to
from ..terminal.views import views_of
from ..visibility.audience import GM
from ..visibility.view import view_for
from ..words import as_word

if TYPE_CHECKING:
    from ..tabletop.scene import Scene


class GameMasterOffers(PhoneSnapshot):
    """The offers of everybody in every scene, by the line that plays each."""

    def __init__(self, book: Book, state: State) -> None:
        super().__init__(book, view_for(state, GM._replace(language=book.locale())))
        self._found: dict[str, tuple[Scene, Offer]] = {}

    def _choices_in(self, scene: Scene) -> list[PossibleMove]:
        return [] if scene.asked else super()._choices_in(scene)

    def scene_offers(self) -> list[dict[str, object]]:
        """Return each scene with its `id` at the table, its `system` and its `offers`.

        `hand` are the game master's overrides that it has, `picture` the line that moves its map's picture,
        `ends` the one that ends it.
        """
        return [
            {
                "id": scene_id(scene),
                "system": scene.system,
                "hand": [name for name in HEADS if name not in hand_of(scene_systems()[scene.key]).refuses],
                "picture": self._moves_picture(scene),
                "ends": _ending(scene),
                "offers": [*self._told(scene)],
            }
            for scene in self.view.scenes
        ]

    def _moves_picture(self, scene: Scene) -> str:
        named = scene.board and scene.board.image and scene.id in self.book.encounters
        return f"map shift {as_word(scene.id)}" if named else ""

    def expected(self, line: str) -> Mapping[str, object]:
        """Return the forecast of an offer, and the squares of its `area`; nothing for any other line.

        A `line` is the one to play with this known: what it gives away is not asked about once more.
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
        told = {**self._expected(scene, offer.id), "area": [{"x": x, "y": y} for x, y in covered]}
        return told | {"line": f"{line} --yes"} if told["gives"] and _confirms(offer) else told

    def ways(self, who: str, square: str) -> Mapping[str, object]:
        """Return the `offers` that bring a person to a square, each with its forecast.

        `reason` says why there are none. Raises ValueError for an invalid square.
        """
        at = parse_square(square)
        for scene in self.view.scenes:
            if who not in scene.people:
                continue
            own = [each for each in self._choices_in(scene) if _doer(scene, each) == who and each.goes]
            found = [each for each in own if each.square == at]
            reason = "" if own else f"{scene.people[who].name} has no move left."
            if not own and acting(scene) != who:
                reason = f"It isn't {scene.people[who].name}'s turn."
            if own and not found:
                view = CampaignView(self.book.name, 0, (scene,), world=self.known)
                found, reason = choices_to(view, own, at)
            offers = [self._keep(scene, who, each) for each in found]
            return {
                "offers": [{**one, **self.expected(str(one["line"]))} for one in offers],
                "reason": reason,
            }
        return {"offers": [], "reason": ""}

    def _told(self, scene: Scene) -> Iterator[dict[str, object]]:
        following = next_moves(scene_systems()[scene.key], self.known, scene)
        for choice in self._choices_in(scene):
            doer = _doer(scene, choice)
            if doer or (choice.option.command, choice.option.args) not in following:  # Next plays it
                yield self._keep(scene, doer, choice)

    def _keep(self, scene: Scene, who: str, choice: PossibleMove) -> dict[str, object]:
        offer = self._named(scene, who, choice)
        line = " ".join(map(as_word, offer.words))
        self._found[line] = scene, offer
        return {**self._offer(offer), "who": who, "line": line}


def _ending(scene: Scene) -> str:
    """Return the line that ends a scene, decided or not; "" where its system has none."""
    moves = scene_systems()[scene.key].moves
    end, abandon = f"{scene.system} end", f"{scene.system} abandon"
    if end in moves and abandon in moves:  # there it gives up something else
        return end
    return abandon if end in moves or abandon in moves else ""


def _confirms(offer: Offer) -> bool:
    """Return whether a command asks about its prices, but for `--yes`."""
    from ..session.catalogue import command_words

    command, _ = command_words(offer.words)
    return command is not None and any("--yes" in each.opts for each in command.params)


def _doer(scene: Scene, choice: PossibleMove) -> str:
    """Return the person who does it: the actor, where it names nobody."""
    return choice.who or acting(scene)


def prepared(book: Book, state: State) -> list[dict[str, str]]:
    """Return what is parked and all that may be begun: its `name`, its `kind` and the `line` to play it."""
    from ..registry.scenes import parked_at
    from ..systems.prep.commands.missing import begins, begun_by

    found = [
        {"name": name, "kind": "parked", "line": f"{known.name} return {as_word(key)}"}
        for known in book.registry.systems.values()
        for key, name in parked_at(state, known.parked).items()
    ]
    for kind in begins(book):
        command = begun_by(book, kind)
        for key, one in book.table(kind).items():
            name = str(one.get("name", key)) if isinstance(one, Mapping) else key
            found.append({"name": name, "kind": kind, "line": f"{command} {key}"})
    return found
