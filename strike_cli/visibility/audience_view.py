"""A campaign at one moment as an audience may know it: the one source of everything that players see.

Sheets, status, offers, screens and tabletops get an `AudienceView`, and never the game's own state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from ..kernel.facts import session_in, waiting_in
from ..registry import scene_systems
from ..registry.scenes import asked_of, exhibits_of, mark_of, names_then, scenes_of, seal_mark
from ..tabletop.people import asker_of
from .audience import PLAYERS, Audience, is_secret
from .decisions import asked_for, roll_for
from .known_state import Secret, known_state, without_items
from .players_speaker import TableNames
from .scenes import people_for, scene_for

if TYPE_CHECKING:
    from ..kernel.facts import State
    from ..kernel.journal_types import WaitingDecision
    from ..kernel.procedure import Roll
    from ..tabletop.data import PictureKept
    from ..tabletop.people import GameMaster
    from ..tabletop.scene import Asked, Exhibit, Person, Scene
    from .free_text_redaction import Kept
    from .known_journal import KnownState


class OpenDecision:
    """An open decision as its audience may know it.

    `asked` has its words, `for_players` the part of them that players know, or None. `decider` is the name of
    the one who decides; `for_gm` means the game master. `strike choose --for` takes its `key`. `entered`: the
    dice so far were thrown on the table.
    """

    def __init__(self, key: str, item: WaitingDecision, asked: Asked, for_players: Asked | None) -> None:
        self.key, self.asked, self.for_players = key, asked, for_players
        self.decider = asker_of(item)
        self.for_gm = item.get("decides") == "gm"
        self.entered = bool(item.get("entered"))
        self.secret = bool(item.get("secret"))
        self.names = names_then(item)
        self._item = item

    @property
    def mark(self) -> str:
        """The mark of the decision for the game master's side."""
        return mark_of(self.key, self._item)

    def sealed(self, seal: str) -> str:
        """Return the decision's mark for players, which reveals nothing without the seal."""
        return seal_mark(self.mark, seal)

    @property
    def dice(self) -> tuple[str, ...]:
        """The dice that have fallen, by the purpose of each roll; for the game master."""
        rolled: dict[str, list[int]] = {}
        for what, answer in self._item.get("answers", ()):
            if isinstance(answer, list):
                rolled.setdefault(str(what), []).extend(answer)
        return tuple(f"{what}: {', '.join(map(str, faces))}" for what, faces in rolled.items())


class SceneOf(NamedTuple):
    """A person's scene, as their player may see it, and the person's id in it."""

    scene: Scene | None
    id: str


class AudienceView:
    """A state as an audience may know it."""

    def __init__(
        self, audience: Audience, scenes: Sequence[Scene], state: State, secret: Secret = frozenset()
    ) -> None:
        self.audience = audience
        self._scenes, self._state, self._secret = scenes, state, secret

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """The scenes under way, in the order in which they began."""
        return tuple(scene_for(scene, self.audience) for scene in self._scenes)

    @cached_property
    def people(self) -> dict[str, Person]:
        """Everybody in the scenes, by id."""
        return {
            person: one for scene in self._scenes for person, one in people_for(scene, self.audience).items()
        }

    @cached_property
    def decisions(self) -> dict[str, OpenDecision]:
        """The open decisions, by their key in the state."""
        found = {}
        for key, item in waiting_in(self._state).items():
            whole, known = (
                asked_for(asked_of(item), self._scenes, self.audience._replace(gm=gm)) for gm in (True, False)
            )
            asked = whole if self.audience.gm else known
            if asked is not None:
                found[key] = OpenDecision(key, item, asked, known)
        return found

    @property
    def waits_unseen(self) -> bool:
        """Whether a decision is open that the audience doesn't know of."""
        return len(self.decisions) < len(waiting_in(self._state))

    @cached_property
    def exhibits(self) -> list[Exhibit]:
        """The things on the table beside scenes."""
        lying = exhibits_of(self._state, self.audience.language)
        return [one for one in lying if self.audience.gm or not one.hidden]

    @cached_property
    def state(self) -> KnownState:
        """The state as the audience knows it, for trying moves in it."""
        known = self._state
        if not self.audience.gm:
            known = without_items(known_state(known), self._name_search, self._secret)
        return cast("KnownState", known)

    def playable(self, key: str) -> Scene | None:
        """Return a scene of the known state, for trying moves in it."""
        return next((each for each in scenes_of(self.state) if each.key == key), None)

    @property
    def session(self) -> tuple[int, bool]:
        """The number of the session, and whether it goes on."""
        now = session_in(self._state)
        return now.get("number", 0), now.get("open", False)

    def scene_of(self, character: str) -> SceneOf:
        """Return the newest scene that a character is in, with the picks of their own side."""
        for scene in reversed(self._scenes):
            for id, one in scene.people.items():
                if one.ref == character:
                    side = next((side.id for side in scene.sides if id in side.team), "")
                    return SceneOf(scene_for(scene, self.audience._replace(side=side)), id)
        return SceneOf(None, "")

    def names_hidden(self, *values: object) -> bool:
        """Return whether any text in these values names somebody or something that players don't know of."""
        return self._name_search.told_in(values)

    def purpose_of(self, roll: Roll, gm: GameMaster) -> str:
        """Return the purpose of a roll that a player enters the faces of. `gm` has the present names."""
        return roll_for(roll, gm, self._state)

    def turned_up_by(self, kind: str) -> Iterator[tuple[str, str, str]]:
        """Yield the picks that a kind of fact turns up: the side, the person who picked, and the pick."""
        for scene in self._scenes:
            sides = {
                secret.side
                for secret in scene_systems()[scene.key].scene.secrets
                if secret.revealed_by == kind
            }
            for side in scene.sides:
                for card in side.cards if side.id in sides else ():
                    one = scene.people.get(card.who)
                    if card.what and (one is None or self.audience.gm or not is_secret(one)):
                        yield side.id, card.who, card.what

    def for_players(self, scene: Scene) -> Scene:
        """Return a scene of the view as players see it."""
        return scene_for(scene, PLAYERS._replace(language=self.audience.language))

    def painting(self, scene: Scene) -> PictureKept | None:
        """Return the whole picture of a scene's map; where there is fog, players only get its tiles."""
        whole = next(each for each in self._scenes if each.key == scene.key)
        return whole.board.image if whole.board else None

    @cached_property
    def _name_search(self) -> Kept:
        return TableNames(self._scenes).kept


def view_for(state: Mapping[str, object], audience: Audience, secret: Secret = frozenset()) -> AudienceView:
    """Return a state as an audience may know it. `secret` are characters' items that came in secret."""
    return AudienceView(audience, scenes_of(state), cast("State", state), secret)
