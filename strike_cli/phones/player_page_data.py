"""A player's page on the phone: their character, legal options, open decisions.

It is made from that player's view (`visibility`). Options are tried in the state as the player knows it, so
that no option reveals a hidden creature. Begin with `PhoneSnapshot`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from strike_bridge.state_projection import scene_id

from ..campaign import Campaign
from ..content.merged_content import Book
from ..content.schemas import content_kinds_of_plugins
from ..kernel.procedure import Roll, World
from ..play.forecast import Preview, preview
from ..play.legal_options import Bot, bot_of
from ..problems import Problem
from ..registry import contain_failures, load_usable_systems, systems_by_scene_key
from ..registry.installed_plugins import import_object
from ..registry.remote_permissions import may_be_proposed_by_player
from ..tabletop.active_effects import decider_for
from ..tabletop.characters_and_names import GameMasterSpeaker
from ..tabletop.dice_notation import DiceFault, parse_dice
from ..tabletop.distance_units import Ranges
from ..tabletop.own_sheet_types import Holding, OwnRoll, OwnSheet, SheetPart
from ..tabletop.scene import Person, Scene
from ..terminal.screen.campaign_view import (
    CampaignView,
    PossibleMove,
    acting_person_id,
    audience_view_for_players,
    chance_words_of_preview,
    legal_moves_in_scene,
    opportunity_warning,
    path_length_words,
    square_name,
)
from ..terminal.sheet_and_party_views import own_sheet_parts
from ..terminal.system_views import views_of
from ..visibility.audience_view import AudienceView
from ..visibility.audiences import meter_shown_to
from ..visibility.redaction import Banner
from .maps_and_handouts import PlayersMap, PlayersTable, PlayersTableMaker, empty_players_table
from .proposals import NO_PROPOSALS, Proposal, Proposals

if TYPE_CHECKING:
    from strike_bridge.payloads import ShownRoll
    from strike_table.schemas import SquarePayload

    from ..kernel.journal_types import RedactedEntry
    from ..kernel.statements import Language
    from ..tabletop.squares_and_lines import Square
    from .player_page_types import (
        PhoneAwaitedDecision,
        PhoneEntry,
        PhoneForecast,
        PhoneMap,
        PhoneMeter,
        PhoneOffer,
        PhonePage,
        PhoneQuestion,
        PhoneRoll,
        PhoneScene,
        PhoneSheetPart,
        PhoneStatus,
        PhoneValue,
    )

OPTIONS_WITHOUT_NAME = ("--power", "--with", "--at")
"""Options whose value needs no name beside it."""


LEAST_AVERAGE_SHOWN = Fraction(1, 20)
"""The least average that is shown: a smaller one would read 0.0."""


class Offer(NamedTuple):
    """Something that a player may propose: a move, a roll or an undo.

    `words` are the words of the command, without `strike`. `what` is the label of the offer. `whom` names the
    target. `square` is the square to which a move leads.
    """

    id: str
    words: tuple[str, ...]
    what: str
    whom: str = ""
    square: str = ""
    choice: PossibleMove | None = None
    key: str = ""
    roll: OwnRoll | None = None
    uses: tuple[str, ...] = ()
    """The names of the things that it uses."""

    @property
    def text(self) -> str:
        """The offer in words."""
        return f"{self.what}: {self.whom}" if self.whom else self.what


DICE = "dice "
"""The prefix of dice that a player types, in the place of an offer's id."""


def offer_of_dice_if_prefixed(typed: str) -> Offer | None:
    """Return the offer to roll dice that a player typed, such as `dice 4d6kh3`.

    If `typed` is the id of an offer instead, return None. Raises DiceFault for a mistake in the dice.
    """
    if not typed.startswith(DICE):
        return None
    text = " ".join(typed.removeprefix(DICE).split())
    parse_dice(text)
    return Offer(typed, ("roll", "die", text), f"Roll {text}")


class LastCommand(NamedTuple):
    """The last command, which an undo would take back: its number, and the character whose phone sent it.

    The character is "" if no phone sent it.
    """

    player: str
    seq: int

    @property
    def undo_offer(self) -> Offer:
        """An offer to undo this command.

        It can't undo any other command.
        """
        words = ("undo", f"#{self.seq}")
        return Offer(_id_of_words(words), words, "Undo", words[1])


def last_undoable_command(campaign: Campaign) -> LastCommand | None:
    """Return the command that an undo would take back; None if there is none."""
    last = next(campaign.commands_in_effect(), None)
    return LastCommand(str(last.entry.get("player", "")), last.entry["seq"]) if last else None


class CharacterOffers(NamedTuple):
    """What a character's player can do now: the legal moves by their ids, and the squares in reach.

    Both are slow to compute.
    """

    offers: dict[str, Offer]
    ranges: Ranges


class PhoneDecision(NamedTuple):
    """An open decision of one character.

    `id` identifies the decision for phones, without revealing its content. `mark` identifies it for the game
    master's programs. `key` names the decision's scene for `strike choose --for`. `asks` is the question,
    `labels` explain the `options`, and `said` has the facts that led to the decision.
    """

    id: str
    mark: str
    key: str
    asks: str
    options: tuple[str, ...]
    labels: tuple[str, ...]
    said: tuple[str, ...]
    entered: bool = False
    """Whether the dice that have fallen are on the table."""

    def command_and_text_for_answer(self, option: str) -> tuple[tuple[str, ...], str]:
        """Return the command that answers the decision, without `strike`, and a description for people."""
        return ("choose", option, "--for", self.key), f"{capitalize_sentence(self.asks)}: {option}"


class PhoneSnapshot:
    """A campaign at one moment, from which all players' pages are made.

    `seal` is a secret of this table: it keeps the id of a decision from revealing the decision's content.
    """

    def __init__(
        self,
        book: Book,
        view: AudienceView,
        seal: str = "",
        log: Sequence[PhoneEntry] = (),
        proposed: Proposals = NO_PROPOSALS,
        grounds: PlayersTableMaker = empty_players_table,
        last: LastCommand | None = None,
        seq: int = 0,
    ) -> None:
        self.seq = seq
        """The journal's last entry."""
        self.book = book
        self.view = view
        self.log = log
        self.proposed = proposed
        self.last = last
        self._seal = seal
        self._make_grounds = grounds
        self._offers: dict[str, dict[str, Offer]] = {}
        self._rolls: dict[str, dict[str, Offer]] = {}
        self._choices: dict[str, list[PossibleMove]] = {}
        self._ranges: dict[str, Ranges] = {}
        self._pages: dict[str, PhonePage] = {}
        self.previews: dict[str, Preview | None] = {}
        """The forecasts of offers by id, as far as they have been computed."""

    @cached_property
    def known_world(self) -> World:
        """The world as players know it."""
        return World(self.book, self.view.known_state)

    def name(self, character: str) -> str:
        """Return a character's display name."""
        return str(self.book.characters.get(character, {}).get("name", character))

    @property
    def characters_with_computed_offers(self) -> Collection[str]:
        """The characters whose legal moves have been computed."""
        return self._offers.keys()

    def reuse_forecasts_if_same_knowledge(self, earlier: PhoneSnapshot) -> None:
        """Take over the offers and forecasts of an earlier snapshot, if the players still know the same.

        This saves time when the game master has acted in secret.
        """
        if earlier.book.digest == self.book.digest and earlier.known_world.state == self.known_world.state:
            self._offers, self._ranges, self.previews = earlier._offers, earlier._ranges, earlier.previews

    # The page

    def page(self, character: str, *, at_once: bool = False) -> PhonePage:
        """Return the whole page of a character's player.

        Legal moves take a moment to compute. With `at_once` the page leaves them out if they aren't computed
        yet.
        """
        if not at_once:
            self.move_offers(character)
        if character not in self._pages:
            page = self._build_page(character)
            self._pages[character] = {**page, "version": _digest(page)}
        return self._pages[character]

    def store_forecast(self, offer_id: str, preview: Preview | None) -> None:
        """Store the forecast of an offer, so that the pages of all who have the offer show it."""
        self.previews[offer_id] = preview
        for character, offers in self._offers.items():
            if offer_id in offers:
                self._pages.pop(character, None)

    def _build_page(self, character_id: str) -> PhonePage:
        character = self.book.characters[character_id]
        scene, mine = self.view.newest_scene_of_character_or_none(character_id)
        parts = [*own_sheet_parts(self.known_world, character_id)]
        page: PhonePage = {
            "campaign": self.book.name,
            "answers": self.book.answers,
            "signs": self.book.signs,
            "plays": self.book.own_turn == "play" and self.is_own_turn_and_no_decision_open(character_id),
            "character": {
                "id": character_id,
                "name": str(character.get("name", "")),
                "concept": str(character.get("concept", "")),
            },
            "numbers": [{"name": name, "value": value} for part in parts for name, value in part.numbers],
            "meters": [],
            "state": None,
            "scene": None,
            "statuses": [],
            # The parts of other games come before the core's.
            "parts": [
                self._readable_sheet_part_for_phone(part) for sheet in reversed(parts) for part in sheet.parts
            ],
            "map": None,
        }
        if scene is not None:
            one = scene.people[mine]
            page |= {
                "meters": [*self._meters_known_to_players(one)],
                "state": one.state,
                "scene": _scene_for_phone(scene, mine),
                "statuses": [*self._statuses_of_sheet_or_person(one, parts)],
                "map": self._map_for_phone_without_ranges(character_id, mine),
            }
        page["decisions"] = [self._question_for_phone(each) for each in self.open_decisions(character_id)]
        awaited = self._open_decision_of_scene_or_character(character_id, scene)
        page["waits"] = None if page["decisions"] else awaited
        undo = self.undo_offer_of(character_id)
        page["undo"] = undo.id if undo else ""
        page["rolls"] = [_roll_for_phone(each) for each in self.roll_offers(character_id).values()]
        page["position"] = _digest(page)
        # The rest is computed later, and is no part of the position.
        found = self._offers.get(character_id)
        page["finding"] = found is None
        page["exhibits"] = list(self.players_table.exhibits)
        if page["map"] and character_id in self._ranges:
            own = self._ranges[character_id]
            page["map"] |= {"moves": _square_payloads(own.moves), "attacks": _square_payloads(own.attacks)}
        last = {one.name for sheet in parts for part in sheet.parts for one in part.items if one.last}
        page["offers"] = [
            {
                **self._offer_for_phone_without_forecast(each),
                "spends": next((name for name in each.uses if name in last), ""),
                **self._forecast_for_phone(scene, each.id),
            }
            for each in (found or {}).values()
        ]
        self._add_proposal_and_last_outcome(page, character_id)
        page["log"] = self.log
        return page

    def undo_offer_of(self, character: str) -> Offer | None:
        """Return the offer to undo the player's last command.

        Return None if the campaign's last command didn't come from the player's phone.
        """
        return self.last.undo_offer if self.last and self.last.player == character else None

    def _add_proposal_and_last_outcome(self, page: PhonePage, character: str) -> None:
        proposal, end = self.proposed.open_proposal_of(character), self.proposed.last_outcome_of(character)
        page["proposal"] = {"id": proposal.id, "text": proposal.text} if proposal else None
        page["told"] = (
            {"id": end.id, "text": end.text, "outcome": end.outcome, "why": end.why} if end else None
        )

    def _readable_sheet_part_for_phone(self, part: SheetPart) -> PhoneSheetPart:
        items = [one for one in part.items if self._players_may_read(one)]
        return {
            "title": part.title,
            "items": [
                {"name": one.name, "text": one.text, "note": one.note, "used": one.used} for one in items
            ],
        }

    def is_own_turn_and_no_decision_open(self, character: str) -> bool:
        """Return whether it is the turn of a character or their side, and no decision is open."""
        scene, mine = self.view.newest_scene_of_character_or_none(character)
        return bool(scene and not scene.asked and _is_turn_of_person_or_side(scene, mine))

    def is_own_action_in_own_or_side_turn(self, character: str, offer: Offer) -> bool:
        """Return whether an offer is the character's own action, in the turn of the character or their side.

        It is False for a roll, and for an action of another creature for which the character decides.
        """
        scene, mine = self.view.newest_scene_of_character_or_none(character)
        if (
            offer.choice is None
            or scene is None
            or scene.key != offer.key
            or not self.is_own_turn_and_no_decision_open(character)
        ):
            return False
        return mine == (offer.choice.who or acting_person_id(scene))

    def _meters_known_to_players(self, person: Person) -> Iterator[PhoneMeter]:
        for meter in person.meters:
            told = meter_shown_to(meter, person, self.view.audience)
            yield {
                "name": meter.name,
                "value": told.value,
                "max": told.most,
                "vital": meter.vital and meter.most is not None,
                "wounds": told.wounds,
                "text": str(meter) if told.shown == "exact" else "",
            }

    def _statuses_of_sheet_or_person(self, person: Person, parts: Iterable[OwnSheet]) -> list[PhoneStatus]:
        own = next((part.statuses for part in parts if part.statuses is not None), None)
        if own is None:
            own = [Holding(each.name, self._effect_in_words(each.id)) for each in person.statuses]
        return [{"name": each.name, "text": each.text, "note": each.note} for each in own]

    def _effect_in_words(self, id: str) -> str:
        """Return the effect of an item in the book, such as a status; "" for an unknown item.

        It is the item's own summary or, without one, a generated text.
        """
        for system in load_usable_systems(self.book.registry):
            for kind, of in system.content.items():
                if of.explains and (found := self.book.table(kind).get(id)):
                    if summary := found.get("summary"):
                        return str(summary)
                    lines: Iterable[tuple[str, str]] = import_object(system.absolute(of.explains))(
                        self.book, found
                    )
                    return "; ".join(text for _, text in lines)
        return ""

    def map_of_character(self, character: str) -> PlayersMap | None:
        """Return the map of a character's scene, as players see it.

        Return None if the character is in no scene, or if the scene has no map.
        """
        scene, _ = self.view.newest_scene_of_character_or_none(character)
        if scene is None or scene.board is None:
            return None
        return self.players_table.maps.get(scene_id(scene))

    @cached_property
    def players_table(self) -> PlayersTable:
        """The maps and handouts that players see."""
        return self._make_grounds(self.view)

    def _map_for_phone_without_ranges(self, character: str, person: str) -> PhoneMap | None:
        ground = self.map_of_character(character)
        if ground is None:
            return None
        return {
            "scene": ground.scene,
            "tokens": list(ground.tokens),
            "active": ground.active,
            "mine": person,
            "moves": [],
            "attacks": [],
        }

    def _players_may_read(self, holding: Holding) -> bool:
        """Return whether players may read an item on a sheet.

        An item whose name is in the book may always be read. Any other item, such as a Flaw, may not be read
        if its name or text names a hidden person.
        """
        if not self.view.names_anything_hidden_from_players(holding.name, holding.text):
            return True
        return any(
            isinstance(found, Mapping) and found.get("name") == holding.name
            for kind in content_kinds_of_plugins(self.book.registry)
            for found in self.book.table(kind).values()
        )

    # Decisions

    def own_ids(self, character: str) -> set[str]:
        """Return a character's own id, and the ids that the character has as a person in scenes."""
        return {character} | {id for id, one in self.view.people.items() if one.ref == character}

    def open_decisions(self, character: str) -> Iterator[PhoneDecision]:
        """Yield the open decisions of a character, as their player may know them."""
        names = self.own_ids(character)
        for open_ in self.view.decisions.values():
            asked = open_.asked
            if asked.who in names and not open_.for_gm:
                labels = asked.labels or ("",) * len(asked.options)
                id = open_.players_mark(self._seal)
                yield PhoneDecision(
                    id,
                    open_.gm_mark,
                    open_.key,
                    asked.question,
                    asked.options,
                    labels,
                    asked.said,
                    open_.dice_entered_by_hand,
                )

    @staticmethod
    def _question_for_phone(decision: PhoneDecision) -> PhoneQuestion:
        options = zip(decision.options, decision.labels, strict=True)
        return {
            "id": decision.id,
            "asks": capitalize_sentence(decision.asks),
            "options": [{"name": name, "label": label} for name, label in options],
            "said": list(decision.said),
        }

    def purpose_of_roll_for_players(self, roll: Roll) -> str:
        """Return the purpose of a roll whose faces a player enters, as far as the player may know it."""
        return capitalize_sentence(
            self.view.purpose_for_players(roll, GameMasterSpeaker(self.book, [self.view.known_state]))
        )

    def _open_decision_of_scene_or_character(
        self, character: str, scene: Scene | None
    ) -> PhoneAwaitedDecision | None:
        """Return the open decision that a character's page shows, or None if there is none.

        If the character's scene has an open decision, return it, whoever decides. Otherwise return another
        decision that the character has to make. For a character in no scene (`scene` is None), return any
        open decision.
        """
        waiting, names = self.view.decisions, self.own_ids(character)
        about = [key for key, one in waiting.items() if scene is None or one.asked.who in names]
        for key in [*([scene.key] if scene else ()), *about]:
            if key in waiting:
                asked, people = waiting[key].asked, scene.people if scene else {}
                theirs = asked.who in people and not waiting[key].for_gm
                decider = people[asked.who].name if theirs else waiting[key].decider
                options = [label or name for name, label in zip_longest(asked.options, asked.labels)]
                return {
                    "who": capitalize_sentence(decider),
                    "asks": capitalize_sentence(asked.question),
                    "options": options,
                }
        return None

    # Offers

    def move_offers(self, character: str) -> dict[str, Offer]:
        """Return the legal moves of a character, by the offers' ids."""
        if character not in self._offers:
            self.store_offers_and_ranges(character, self.compute_offers_and_ranges(character))
        return self._offers[character]

    def compute_offers_and_ranges(self, character: str) -> CharacterOffers:
        """Compute and return the offers and ranges of a character.

        This is slow. The result isn't stored: `store_offers_and_ranges` does that.
        """
        return CharacterOffers(
            {offer.id: offer for offer in self._offers_naming_nothing_hidden(character)},
            self._find_ranges(character),
        )

    def store_offers_and_ranges(self, character: str, offers: CharacterOffers) -> None:
        """Store the offers and ranges that were computed for a character."""
        self._offers[character], self._ranges[character] = offers
        self._pages.pop(character, None)

    def _find_ranges(self, character: str) -> Ranges:
        """Return the squares in a character's reach. Without a map, there are none.

        If the system's code fails, there are none either. It may fail because it only gets what players know.
        """
        scene, mine = self.view.newest_scene_of_character_or_none(character)
        if scene is None or not scene.board:
            return Ranges()
        try:
            return views_of(systems_by_scene_key()[scene.key]).ranges(self.known_world, mine) or Ranges()
        except Exception:
            return Ranges()

    def _offers_naming_nothing_hidden(self, character: str) -> Iterator[Offer]:
        scene, mine = self.view.newest_scene_of_character_or_none(character)
        if scene is None:
            return
        known = self.view.scene_for_trial(scene.key)
        if known is None or known.asked:
            return
        choices = [
            each
            for each in self._possible_moves_in(known)
            if self._decides_for_actor_of_move(known, mine, each)
        ]
        for choice in choices:
            offer = self._offer_for_move(known, mine, choice)
            if may_be_proposed_by_player(offer.words) and not self.view.names_anything_hidden_from_players(
                self._words_that_may_name_hidden_person(offer)
            ):
                yield offer

    def _words_that_may_name_hidden_person(self, offer: Offer) -> list[str]:
        """Return the words of an offer that could name a hidden person.

        They are words that somebody may have typed. Ids of the book's powers and the like are left out: a
        power called Shadow Step reveals nothing about a person called Shadow. But the ids of the actor and
        the targets stay.
        """
        people = (offer.choice.who, *offer.choice.targets) if offer.choice else ()
        told = self._ids_in_book_except_people.difference(people)
        return [word for word in (*offer.words, offer.whom) if word not in told]

    @cached_property
    def _ids_in_book_except_people(self) -> set[str]:
        kinds = [
            kind
            for kind in content_kinds_of_plugins(self.book.registry)
            if kind not in ("characters", "creatures", "encounters")
        ]
        return {id.rpartition(":")[2] for kind in kinds for id in self.book.table(kind)}

    def _possible_moves_in(self, scene: Scene) -> list[PossibleMove]:
        """Return the possible moves of everybody in a scene, based on what players know.

        If the system's code fails, the list is empty, and players see no error.
        """
        if scene.key not in self._choices:
            try:
                found = [
                    *legal_moves_in_scene(
                        CampaignView(self.book.name, 0, (scene,), world=self.known_world), scene
                    )
                ]
            except Exception:
                found = []
            self._choices[scene.key] = found
        return self._choices[scene.key]

    def _decides_for_actor_of_move(self, scene: Scene, person: str, choice: PossibleMove) -> bool:
        """Return whether a character is the actor of a move, or decides for the actor (STR-TAC-25).

        `person` is the character's id in the scene. If a move names no actor but ends a turn, its actor is
        the person whose turn it is.
        """
        doer = choice.who or (
            acting_person_id(scene) if choice.option.command in _turn_ending_commands(scene.key) else ""
        )
        return bool(doer) and person in (doer, decider_for(self.known_world, doer))

    def _offer_for_move(self, scene: Scene, person: str, choice: PossibleMove) -> Offer:
        """Return the offer for a move, with its verb or power and its target or square in words."""
        verb, *rest = choice.option.typed
        whom: list[str] = []
        used: list[str] = []
        flags: list[str] = []
        for before, word in pairwise((verb, *rest)):
            if word in scene.people:
                name = scene.people[word].name
                # A command whose actor is also the target names that person twice.
                whom += [name] if word != person or (word in choice.targets and name not in whom) else []
            elif word.startswith("--"):
                flags += [word[2:]] if word not in OPTIONS_WITHOUT_NAME else []
            elif choice.square is not None and word == square_name(choice.square):
                whom.append(word)
            elif before.startswith("--") and before not in OPTIONS_WITHOUT_NAME:
                flags[-1] += f" {self._book_name(word)}"
            else:
                used.append(self._book_name(word))
        how = f" ({', '.join(flags)})" if flags else ""
        if used and not whom:
            what, aim = verb, capitalize_sentence(" ".join(used)) + how
        else:
            what = (" ".join(used) if used and choice.targets else " ".join([verb, *used])) + how
            aim = ", ".join(whom)
        words = (scene.system, *choice.option.typed)
        square = square_name(choice.square) if choice.has_square_but_no_target and choice.square else ""
        said = capitalize_sentence(what.replace("-", " "))
        return Offer(_id_of_words(words), words, said, aim, square, choice, scene.key, uses=tuple(used))

    def _book_name(self, word: str) -> str:
        """Return the name in the book for a word of a command: "Bad Footing" for `bad-footing`.

        If the book has no such name, return the word with spaces instead of hyphens.
        """
        for kind in content_kinds_of_plugins(self.book.registry):
            for id, found in self.book.table(kind).items():
                if id.rpartition(":")[2] == word and isinstance(found, Mapping) and "name" in found:
                    return str(found["name"])
        return word.replace("-", " ")

    def _offer_for_phone_without_forecast(self, offer: Offer) -> PhoneOffer:
        targets = offer.choice.targets if offer.choice else ()
        return {
            "id": offer.id,
            "what": offer.what,
            "whom": offer.whom,
            "targets": list(targets),
            "square": offer.square,
            "ends": offer.choice is not None
            and offer.choice.option.command in _turn_ending_commands(offer.key),
            "spends": "",
        }

    def _forecast_for_phone(self, scene: Scene | None, id: str) -> PhoneForecast:
        found = self.previews.get(id)
        chances = found.chances if found else {}
        likely = (
            {name: mean for name, mean in found.averages.items() if mean >= LEAST_AVERAGE_SHOWN}
            if found
            else {}
        )
        return {
            "chances": [{"name": name, "p": round(float(p), 4)} for name, p in chances.items()],
            "gives": opportunity_warning(scene, found) if found and scene else "",
            "expects": chance_words_of_preview(found._replace(chances={}, averages=likely)) if found else "",
            "way": list(found.way) if found else [],
            "far": path_length_words(scene, found) if found else "",
        }

    def compute_forecast_for_player(self, character: str, offer: Offer) -> Preview | None:
        """Return the forecast of an offer, as far as the player may know it; None if there is no forecast.

        If players may know others' exact numbers, the forecast is complete. Otherwise, averages are left out,
        because they would reveal the numbers. Chances are then left out, too, unless the system's bot makes
        forecasts in its own way.
        """
        if offer.choice is None:
            return None
        system = systems_by_scene_key()[offer.key]
        try:
            found = preview(system, self.known_world, offer.choice.option)
        except Problem:
            return None
        except Exception:  # a system that fails over what players know
            return None
        if self.view.audience.meters != "exact":
            own = type(bot_of(system)).preview is not Bot.preview
            found = found._replace(averages={}, chances=found.chances if own else {})
        return found

    def roll_offers(self, character: str) -> dict[str, Offer]:
        """Return the rolls that a character's player may propose, by the offers' ids."""
        if character not in self._rolls:
            found: list[OwnRoll] = []
            for system in load_usable_systems(self.book.registry):
                with contain_failures(system.name):
                    found += views_of(system).own_rolls(self.known_world, character)
            offers = [
                Offer(_id_of_words(each.typed), tuple(each.typed), each.name, roll=each) for each in found
            ]
            self._rolls[character] = {
                offer.id: offer for offer in offers if may_be_proposed_by_player(offer.words)
            }
        return self._rolls[character]

    def is_proposal_offered_or_by_assistant(self, proposal: Proposal) -> bool:
        """Return whether a proposal is one that its player could make now, word for word.

        The file of proposals may be forged, so only such proposals are played. For an assistant's proposal to
        the game master the result is always True: `strike accept` checks it in another way.
        """
        character = proposal.who
        if proposal.by and not character:
            # An assistant's, for the game master: `accept` checks it by `registry.remote_permissions`.
            return True
        if character not in self.book.characters:
            return False
        made = proposal.words, proposal.text
        with suppress(DiceFault):
            dice = offer_of_dice_if_prefixed(DICE + " ".join(made[0][2:]))
            if dice and made == (dice.words, dice.text):
                return True
        if proposal.answers:
            theirs = (each for each in self.open_decisions(character) if each.mark == proposal.answers)
            return any(
                made == each.command_and_text_for_answer(option) for each in theirs for option in each.options
            )
        undo = self.undo_offer_of(character)
        if undo and made == (undo.words, undo.text):
            return True
        known = [*self.move_offers(character).values(), *self.roll_offers(character).values()]
        return made in {(offer.words, offer.text) for offer in known}


def is_proposal_offered_or_by_assistant(campaign: Campaign, proposal: Proposal) -> bool:
    """Return whether a player could now make the same proposal again, word for word."""
    last = last_undoable_command(campaign)
    return PhoneSnapshot(
        campaign.book, audience_view_for_players(campaign), last=last
    ).is_proposal_offered_or_by_assistant(proposal)


SHOWN_OTHERWISE = ("asked", "undone", "redone")
"""Facts that phones show in another way: decisions, and undone entries."""


def phone_entry(
    entry: RedactedEntry, language: Language, people: Mapping[str, Person] = MappingProxyType({})
) -> PhoneEntry:
    """Return a journal entry for players, in the form of a card on the table.

    `people` are the people that players know, by id.
    """
    from strike_bridge.animations import roll_heading_and_all_lines
    from strike_bridge.journal_results import rolls_of_fact

    facts = [fact for fact in entry["facts"] if fact["kind"] not in SHOWN_OTHERWISE]
    told = [(fact, Banner(**fact["banner"]) if "banner" in fact else None) for fact in facts]
    names = {character: one.name for character, one in people.items()}
    head, lines = roll_heading_and_all_lines(told, names, [people], language)
    return {
        "head": head,
        "lines": lines,
        "dice": [_die_for_phone(die) for fact in facts for die in rolls_of_fact(fact, names, language)],
        "undone": bool(entry.get("undone")),
    }


def _die_for_phone(die: ShownRoll) -> ShownRoll:
    """Return a copy of a die's data, without the part that only bridge targets need."""
    shown = die.copy()
    shown.pop("sources", None)
    return shown


def _scene_for_phone(scene: Scene, person: str) -> PhoneScene:
    order = scene.order
    active = (order.active if order else None) or ""

    def name_of_person(character: str) -> str:
        return scene.people[character].name if character in scene.people else capitalize_sentence(character)

    return {
        "name": scene.name,
        "goal": scene.goal,
        "round": scene.round,
        "yours": _is_turn_of_person_or_side(scene, person),
        "active": name_of_person(active) if active else "",
        "next": [name_of_person(character) for character in order.next] if order else [],
        "standing": [*_track_numbers_and_picks_of_scene(scene)],
    }


def _turn_ending_commands(scene_key: str) -> Sequence[str]:
    return systems_by_scene_key()[scene_key].scene.next_turn[:-1]


def _is_turn_of_person_or_side(scene: Scene, person: str) -> bool:
    active = (scene.order.active if scene.order else None) or ""
    return bool(active) and active in (person, scene.people[person].side)


def _square_payloads(places: Iterable[Square]) -> list[SquarePayload]:
    return [{"x": x, "y": y} for x, y in places]


def _track_numbers_and_picks_of_scene(scene: Scene) -> Iterator[PhoneValue]:
    """Yield the numbers of a scene: its track, and for each side its numbers and picks."""
    if scene.track:
        yield {"name": scene.track.name, "value": capitalize_sentence(scene.track.at)}
    for side in scene.sides:
        words = [f"{capitalize_sentence(name)} {value}" for name, value in side.numbers.items()]
        picked = ", ".join(card.what for card in side.cards if card.what)
        if told := [*words, *([capitalize_sentence(picked)] if picked else [])]:
            yield {"name": side.name, "value": " · ".join(told)}


def _roll_for_phone(offer: Offer) -> PhoneRoll:
    assert offer.roll is not None
    return {"id": offer.id, "name": offer.what, "n": offer.roll.n, "sides": offer.roll.sides}


def capitalize_sentence(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]


def _id_of_words(words: Iterable[str]) -> str:
    return _digest(list(words))[:16]


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
