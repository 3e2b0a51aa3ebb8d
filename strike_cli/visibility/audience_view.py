"""A campaign at one moment, as an audience may know it.

It is the only source of everything that players see: sheets, status, offers, screens and tabletops get an
`AudienceView`, and never the real state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from ..kernel.state_changes import open_or_last_session_in, pending_decisions_in
from ..registry import systems_by_scene_key
from ..registry.scenes_and_decisions_in_state import (
    decision_mark,
    decision_to_show,
    exhibits_on_the_table,
    names_at_decision,
    scenes_of,
    seal_mark,
)
from ..tabletop.characters_and_names import decider_name
from .audiences import PLAYERS, Audience, is_person_secret
from .known_decisions import decision_for_audience, roll_purpose_without_hidden_parts
from .known_scene import people_for_audience, scene_for_audience
from .players_speaker import NamesOnTable
from .players_state import SecretItemKeys, known_state, without_secret_items

if TYPE_CHECKING:
    from ..kernel.journal_types import WaitingDecision
    from ..kernel.procedure import Roll
    from ..kernel.state_changes import State
    from ..tabletop.characters_and_names import GameMasterSpeaker
    from ..tabletop.data import PictureKept
    from ..tabletop.scene import Asked, Person, Scene, TableItem
    from .hidden_name_search import HiddenNameSearch
    from .known_journal import KnownState


class OpenDecision:
    """An open decision, as its audience may know it.

    - `key`: the key for `strike choose --for`.
    - `asked`: the decision in words for the audience.
    - `for_players`: the decision in words for players; None if players may not know of the decision.
    - `decider`: the name of the person who decides.
    - `for_gm`: whether the game master decides.
    - `dice_entered_by_hand`: whether the dice so far were rolled by hand.
    """

    def __init__(self, key: str, item: WaitingDecision, asked: Asked, for_players: Asked | None) -> None:
        self.key, self.asked, self.for_players = key, asked, for_players
        self.decider = decider_name(item)
        self.for_gm = item.get("decides") == "gm"
        self.dice_entered_by_hand = bool(item.get("entered"))
        self.secret = bool(item.get("secret"))
        self.names = names_at_decision(item)
        self._item = item

    @property
    def gm_mark(self) -> str:
        """The mark by which the game master's programs identify the decision."""
        return decision_mark(self.key, self._item)

    def players_mark(self, seal: str) -> str:
        """Return the mark by which players' programs identify the decision.

        `seal` is a secret text. It keeps players from learning anything from the mark.
        """
        return seal_mark(self.gm_mark, seal)

    @property
    def rolled_dice_texts_for_gm(self) -> tuple[str, ...]:
        """The dice rolled so far, for the game master only: for each purpose a text with the faces."""
        rolled: dict[str, list[int]] = {}
        for what, answer in self._item.get("answers", ()):
            if isinstance(answer, list):
                rolled.setdefault(str(what), []).extend(answer)
        return tuple(f"{what}: {', '.join(map(str, faces))}" for what, faces in rolled.items())


class CharacterInScene(NamedTuple):
    """The newest scene that a character is in, and the character's id in that scene.

    The scene is as the character's player may see it. If the character is in no scene, `scene` is None and
    `id` is "".
    """

    scene: Scene | None
    id: str


class AudienceView:
    """A state as an audience may know it."""

    def __init__(
        self, audience: Audience, scenes: Sequence[Scene], state: State, secret: SecretItemKeys = frozenset()
    ) -> None:
        self.audience = audience
        self._scenes, self._state, self._secret = scenes, state, secret

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """The scenes under way as the audience may see them, in the order in which they began."""
        return tuple(scene_for_audience(scene, self.audience) for scene in self._scenes)

    @cached_property
    def people(self) -> dict[str, Person]:
        """The people in the scenes whom the audience may know of, by id."""
        return {
            person: one
            for scene in self._scenes
            for person, one in people_for_audience(scene, self.audience).items()
        }

    @cached_property
    def decisions(self) -> dict[str, OpenDecision]:
        """The open decisions that the audience may know of, by the decisions' keys in the state."""
        found = {}
        for key, item in pending_decisions_in(self._state).items():
            whole, known = (
                decision_for_audience(decision_to_show(item), self._scenes, self.audience._replace(gm=gm))
                for gm in (True, False)
            )
            asked = whole if self.audience.gm else known
            if asked is not None:
                found[key] = OpenDecision(key, item, asked, known)
        return found

    @property
    def has_hidden_decision(self) -> bool:
        """Whether a decision is open that the audience may not know of."""
        return len(self.decisions) < len(pending_decisions_in(self._state))

    @cached_property
    def exhibits(self) -> list[TableItem]:
        """The exhibits on the table that the audience may see."""
        lying = exhibits_on_the_table(self._state, self.audience.language)
        return [one for one in lying if self.audience.gm or not one.hidden]

    @cached_property
    def known_state(self) -> KnownState:
        """The state as the audience knows it, for trying moves in it."""
        known = self._state
        if not self.audience.gm:
            known = without_secret_items(known_state(known), self._name_search, self._secret)
        return cast("KnownState", known)

    def scene_for_trial(self, key: str) -> Scene | None:
        """Return the scene with this key from the known state, so that moves can be tried in it.

        Return None if the known state has no such scene.
        """
        return next((each for each in scenes_of(self.known_state) if each.key == key), None)

    @property
    def session_number_and_is_open(self) -> tuple[int, bool]:
        """The number of the session, and whether it is open."""
        now = open_or_last_session_in(self._state)
        return now.get("number", 0), now.get("open", False)

    def newest_scene_of_character_or_none(self, character: str) -> CharacterInScene:
        """Return the newest scene that a character is in.

        The scene has the picks of the character's own side, even if these are face down.
        """
        for scene in reversed(self._scenes):
            for id, one in scene.people.items():
                if one.ref == character:
                    side = next((side.id for side in scene.sides if id in side.team), "")
                    return CharacterInScene(scene_for_audience(scene, self.audience._replace(side=side)), id)
        return CharacterInScene(None, "")

    def names_anything_hidden_from_players(self, *values: object) -> bool:
        """Return whether a text in these values names something that is hidden from the players.

        The hidden thing can be a person, a zone or a square.
        """
        return self._name_search.finds_in(values)

    def purpose_for_players(self, roll: Roll, gm: GameMasterSpeaker) -> str:
        """Return the purpose of a roll whose faces a player has to enter, without anything hidden.

        `gm` has the names that things have now.
        """
        return roll_purpose_without_hidden_parts(roll, gm, self._state)

    def side_person_and_pick_revealed_by(self, fact_kind: str) -> Iterator[tuple[str, str, str]]:
        """Yield the picks that facts of this kind reveal.

        Each is given as the side, the person who picked, and what was picked.
        """
        for scene in self._scenes:
            sides = {
                secret.side
                for secret in systems_by_scene_key()[scene.key].scene.secrets
                if secret.revealed_by == fact_kind
            }
            for side in scene.sides:
                for card in side.cards if side.id in sides else ():
                    one = scene.people.get(card.who)
                    if card.what and (one is None or self.audience.gm or not is_person_secret(one)):
                        yield side.id, card.who, card.what

    def scene_for_players(self, scene: Scene) -> Scene:
        """Return one of the view's scenes as players may see it."""
        return scene_for_audience(scene, PLAYERS._replace(language=self.audience.language))

    def map_picture_despite_fog(self, scene: Scene) -> PictureKept | None:
        """Return the picture of a scene's map, which shows the whole map.

        If there is fog, players must not get the picture itself; they may get tiles of it.
        """
        whole = next(each for each in self._scenes if each.key == scene.key)
        return whole.board.image if whole.board else None

    @cached_property
    def _name_search(self) -> HiddenNameSearch:
        return NamesOnTable(self._scenes).name_search


def make_audience_view(
    state: Mapping[str, object], audience: Audience, secret_items: SecretItemKeys = frozenset()
) -> AudienceView:
    """Return a view of a state that shows only what an audience may know.

    `secret_items` has the items that characters got in secret.
    """
    return AudienceView(audience, scenes_of(state), cast("State", state), secret_items)
