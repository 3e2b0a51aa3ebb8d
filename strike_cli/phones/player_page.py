"""A player's page on the phone: their character, legal options, open questions.

It is made from that player's view (`visibility`); options are tried in the state as the player knows it, so a
hidden creature appears nowhere. Begin with `PhoneSnapshot`.
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

from strike_bridge.projection import scene_id

from ..campaign import Campaign
from ..content.book import Book
from ..content.schemas import content_kinds
from ..kernel.procedure import Roll, World
from ..play.forecast import Preview, preview
from ..play.legal_options import Bot, bot_of
from ..problems import Problem
from ..registry import contained, installed_systems, scene_systems
from ..registry.installed import load_object
from ..registry.remote_access import may_be_proposed
from ..tabletop.dice_notation import DiceFault, parse_dice
from ..tabletop.distance_measure import Ranges
from ..tabletop.own_sheet import Holding, OwnRoll, OwnSheet, SheetPart
from ..tabletop.people import GameMaster
from ..tabletop.scene import Person, Scene
from ..tabletop.status_effects import decider_for
from ..terminal.screen.model import (
    CampaignView,
    PossibleMove,
    acting_person,
    choices_of,
    path_length_words,
    players_view,
    preview_words,
    square_name,
    warning_words,
)
from ..terminal.sheet_view import own_sheets
from ..terminal.views import views_of
from ..visibility.audience import meter_for
from ..visibility.audience_view import AudienceView
from ..visibility.redaction import Banner
from .map import Ground, Grounds, PlayersTable, no_grounds
from .proposals import NONE, Proposal, Proposals

if TYPE_CHECKING:
    from strike_bridge.payloads import ToldDie
    from strike_table.schemas import SquarePayload

    from ..kernel.journal_types import HeardEntry
    from ..kernel.statements import Language
    from ..tabletop.squares import Square
    from .data import (
        PhoneEntry,
        PhoneExpectation,
        PhoneMap,
        PhoneMeter,
        PhoneNumber,
        PhoneOffer,
        PhonePage,
        PhonePart,
        PhoneQuestion,
        PhoneRoll,
        PhoneScene,
        PhoneStatus,
        PhoneWait,
    )

PLAIN = ("--power", "--with", "--at")
"""Options whose value needs no name beside it."""


SHOWN = Fraction(1, 20)
"""The least average that is shown: a smaller one would read 0.0."""


class Offer(NamedTuple):
    """A possible proposal of a player.

    `words` are those to type after `strike`; `what` is its label and `whom` its target, `square` the target
    where there is no other.
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


def dice_offer(typed: str) -> Offer | None:
    """Return the offer to roll dice that were typed, `dice 4d6kh3`; None for an offer's id.

    Raises DiceFault for a mistake in them.
    """
    if not typed.startswith(DICE):
        return None
    text = " ".join(typed.removeprefix(DICE).split())
    parse_dice(text)
    return Offer(typed, ("roll", "die", text), f"Roll {text}")


class LastCommand(NamedTuple):
    """The last command that an undo would take back: its number and the phone that sent it."""

    player: str
    seq: int

    @property
    def undo(self) -> Offer:
        """The proposal to take back this command and no other."""
        words = ("undo", f"#{self.seq}")
        return Offer(_id(words), words, "Undo", words[1])


def last_command(campaign: Campaign) -> LastCommand | None:
    """Return the command that an undo would take back; None where there is none."""
    last = next(campaign.history(), None)
    return LastCommand(str(last.entry.get("player", "")), last.entry["seq"]) if last else None


class CharacterOffers(NamedTuple):
    """The legal moves of a character by id, and their ranges: slow to compute."""

    offers: dict[str, Offer]
    ranges: Ranges


class PhoneDecision(NamedTuple):
    """An open decision of one character.

    Its `id` identifies this decision, and no earlier or later one, for phones; its `key` does so for
    `strike choose --for`. `mark` is the same as the id, for those who may know the content of the decision.
    `asks` is the question, `labels` are the meanings of the `options`, `said` the facts that led to it.
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

    def words_for_answer(self, option: str) -> tuple[tuple[str, ...], str]:
        """Return the words to type, after `strike`, to answer it; and the answer in words for people."""
        return ("choose", option, "--for", self.key), f"{capitalize_sentence(self.asks)}: {option}"


class PhoneSnapshot:
    """A campaign at one moment, for all phones.

    `seal` is a secret of the table's own, so that a decision's id gives away nothing of its content.
    """

    def __init__(
        self,
        book: Book,
        view: AudienceView,
        seal: str = "",
        log: Sequence[PhoneEntry] = (),
        proposed: Proposals = NONE,
        grounds: Grounds = no_grounds,
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
    def known(self) -> World:
        """The world as players know it."""
        return World(self.book, self.view.state)

    def name(self, character: str) -> str:
        """Return a character's display name."""
        return str(self.book.characters.get(character, {}).get("name", character))

    @property
    def known_offers(self) -> Collection[str]:
        """The characters whose possible moves have been computed."""
        return self._offers.keys()

    def keep(self, earlier: PhoneSnapshot) -> None:
        """Take over an earlier snapshot's results, where players have learned nothing new since.

        So the game master's secret acts make no page compute anything again.
        """
        if earlier.book.digest == self.book.digest and earlier.known.state == self.known.state:
            self._offers, self._ranges, self.previews = earlier._offers, earlier._ranges, earlier.previews

    # The page

    def page(self, character: str, *, at_once: bool = False) -> PhonePage:
        """Return the whole page of a character's player.

        Their possible moves take a moment to compute: `at_once` leaves them out where they aren't known yet.
        """
        if not at_once:
            self.offers(character)
        if character not in self._pages:
            page = self._page(character)
            self._pages[character] = {**page, "version": _digest(page)}
        return self._pages[character]

    def foreseen(self, character: str, id: str, preview: Preview | None) -> None:
        """Store the forecast of an offer, for a page to show."""
        self.previews[id] = preview
        self._pages.pop(character, None)

    def _page(self, character_id: str) -> PhonePage:
        character = self.book.characters[character_id]
        scene, mine = self.view.scene_of(character_id)
        parts = [*own_sheets(self.known, character_id)]
        page: PhonePage = {
            "campaign": self.book.name,
            "answers": self.book.answers,
            "signs": self.book.signs,
            "plays": self.book.own_turn == "play" and self.is_own_turn(character_id),
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
            "parts": [self._part(part) for sheet in reversed(parts) for part in sheet.parts],
            "map": None,
        }
        if scene is not None:
            one = scene.people[mine]
            page |= {
                "meters": [*self._meters(one)],
                "state": one.state,
                "scene": _scene(scene, mine),
                "statuses": [*self._statuses(one, parts)],
                "map": self._map(character_id, mine),
            }
        page["decisions"] = [self._decision(each) for each in self.decisions(character_id)]
        page["waits"] = None if page["decisions"] else self._wait_of(character_id, scene)
        undo = self.undo_of(character_id)
        page["undo"] = undo.id if undo else ""
        page["rolls"] = [_roll(each) for each in self.rolls(character_id).values()]
        page["position"] = _digest(page)
        # The rest is computed later, and is no part of the position.
        found = self._offers.get(character_id)
        page["finding"] = found is None
        page["exhibits"] = list(self.table.exhibits)
        if page["map"] and character_id in self._ranges:
            own = self._ranges[character_id]
            page["map"] |= {"moves": _squares(own.moves), "attacks": _squares(own.attacks)}
        last = {one.name for sheet in parts for part in sheet.parts for one in part.items if one.last}
        page["offers"] = [
            {
                **self._offer(each),
                "spends": next((name for name in each.uses if name in last), ""),
                **self._expectation(scene, each.id),
            }
            for each in (found or {}).values()
        ]
        self._add_proposals(page, character_id)
        page["log"] = self.log
        return page

    def undo_of(self, character: str) -> Offer | None:
        """Return the offer to ask for an undo of a player's last act; None where others have acted since."""
        return self.last.undo if self.last and self.last.player == character else None

    def _add_proposals(self, page: PhonePage, character: str) -> None:
        """Add a player's open proposal, and the outcome of the last one."""
        proposal, end = self.proposed.of(character), self.proposed.end_of(character)
        page["proposal"] = {"id": proposal.id, "text": proposal.text} if proposal else None
        page["told"] = (
            {"id": end.id, "text": end.text, "outcome": end.outcome, "why": end.why} if end else None
        )

    def _part(self, part: SheetPart) -> PhonePart:
        items = [one for one in part.items if self._may_be_read(one)]
        return {
            "title": part.title,
            "items": [
                {"name": one.name, "text": one.text, "note": one.note, "used": one.used} for one in items
            ],
        }

    def is_own_turn(self, character: str) -> bool:
        """Return whether it is the turn of a character or their side, and no decision is open."""
        scene, mine = self.view.scene_of(character)
        return bool(scene and not scene.asked and _is_turn_of(scene, mine))

    def is_own_act(self, character: str, offer: Offer) -> bool:
        """Return whether an offer is an act of a character's own, in their own turn.

        A roll isn't, nor is an act of another creature that they decide for.
        """
        scene, mine = self.view.scene_of(character)
        if offer.choice is None or scene is None or scene.key != offer.key or not self.is_own_turn(character):
            return False
        return mine == (offer.choice.who or acting_person(scene))

    def _meters(self, person: Person) -> Iterator[PhoneMeter]:
        for meter in person.meters:
            told = meter_for(meter, person, self.view.audience)
            yield {
                "name": meter.name,
                "value": told.value,
                "max": told.most,
                "vital": meter.vital and meter.most is not None,
                "wounds": told.wounds,
                "text": str(meter) if told.shown == "exact" else "",
            }

    def _statuses(self, person: Person, parts: Iterable[OwnSheet]) -> list[PhoneStatus]:
        own = next((part.statuses for part in parts if part.statuses is not None), None)
        if own is None:
            own = [Holding(each.name, self._summary(each.id)) for each in person.statuses]
        return [{"name": each.name, "text": each.text, "note": each.note} for each in own]

    def _summary(self, id: str) -> str:
        """Return the effect of a thing in the book, in its author's words, or else in generated ones."""
        for system in installed_systems(self.book.registry):
            for kind, of in system.content.items():
                if of.explains and (found := self.book.table(kind).get(id)):
                    if summary := found.get("summary"):
                        return str(summary)
                    lines: Iterable[tuple[str, str]] = load_object(system.absolute(of.explains))(
                        self.book, found
                    )
                    return "; ".join(text for _, text in lines)
        return ""

    def ground_of(self, character: str) -> Ground | None:
        """Return the map of a character's scene, as players see it."""
        scene, _ = self.view.scene_of(character)
        if scene is None or scene.board is None:
            return None
        return self.table.maps.get(scene_id(scene))

    @cached_property
    def table(self) -> PlayersTable:
        """The maps and handouts that players see."""
        return self._make_grounds(self.view)

    def _map(self, character: str, mine: str) -> PhoneMap | None:
        ground = self.ground_of(character)
        if ground is None:
            return None
        return {
            "scene": ground.scene,
            "tokens": list(ground.tokens),
            "active": ground.active,
            "mine": mine,
            "moves": [],
            "attacks": [],
        }

    def _may_be_read(self, holding: Holding) -> bool:
        """Return whether players may read something on a sheet: a Flaw may name a hidden person."""
        if not self.view.names_hidden(holding.name, holding.text):
            return True
        return any(
            isinstance(found, Mapping) and found.get("name") == holding.name
            for kind in content_kinds(self.book.registry)
            for found in self.book.table(kind).values()
        )

    # Decisions

    def own_names(self, character: str) -> set[str]:
        """Return a character's id, and their ids in scenes."""
        return {character} | {id for id, one in self.view.people.items() if one.ref == character}

    def decisions(self, character: str) -> Iterator[PhoneDecision]:
        """Yield the open decisions of a character, as their player may know them."""
        names = self.own_names(character)
        for open_ in self.view.decisions.values():
            asked = open_.asked
            if asked.who in names and not open_.for_gm:
                labels = asked.labels or ("",) * len(asked.options)
                id = open_.sealed(self._seal)
                yield PhoneDecision(
                    id, open_.mark, open_.key, asked.asks, asked.options, labels, asked.said, open_.entered
                )

    @staticmethod
    def _decision(decision: PhoneDecision) -> PhoneQuestion:
        options = zip(decision.options, decision.labels, strict=True)
        return {
            "id": decision.id,
            "asks": capitalize_sentence(decision.asks),
            "options": [{"name": name, "label": label} for name, label in options],
            "said": list(decision.said),
        }

    def roll_for(self, roll: Roll) -> str:
        """Return the purpose of a roll that a player enters the faces of, as the player may know it."""
        return capitalize_sentence(self.view.purpose_of(roll, GameMaster(self.book, [self.view.state])))

    def _wait_of(self, character: str, scene: Scene | None) -> PhoneWait | None:
        """Return the decision that a character's scene waits for, or that concerns the character.

        Without a scene it is any open one.
        """
        waiting, names = self.view.decisions, self.own_names(character)
        about = [key for key, one in waiting.items() if scene is None or one.asked.who in names]
        for key in [*([scene.key] if scene else ()), *about]:
            if key in waiting:
                asked, people = waiting[key].asked, scene.people if scene else {}
                theirs = asked.who in people and not waiting[key].for_gm
                decider = people[asked.who].name if theirs else waiting[key].decider
                options = [label or name for name, label in zip_longest(asked.options, asked.labels)]
                return {
                    "who": capitalize_sentence(decider),
                    "asks": capitalize_sentence(asked.asks),
                    "options": options,
                }
        return None

    # Offers

    def offers(self, character: str) -> dict[str, Offer]:
        """Return the possible moves of a character, by id."""
        if character not in self._offers:
            self.store_offers(character, self.find_offers(character))
        return self._offers[character]

    def find_offers(self, character: str) -> CharacterOffers:
        """Compute the offers of a character, which is slow; the caller stores them."""
        return CharacterOffers(
            {offer.id: offer for offer in self._make_offers(character)}, self._find_ranges(character)
        )

    def store_offers(self, character: str, offers: CharacterOffers) -> None:
        """Store the offers that were computed for a character."""
        self._offers[character], self._ranges[character] = offers
        self._pages.pop(character, None)

    def _find_ranges(self, character: str) -> Ranges:
        """Return a character's ranges on the map; none where a system fails over what players don't know."""
        scene, mine = self.view.scene_of(character)
        if scene is None or not scene.board:
            return Ranges()
        try:
            return views_of(scene_systems()[scene.key]).ranges(self.known, mine) or Ranges()
        except Exception:
            return Ranges()

    def _make_offers(self, character: str) -> Iterator[Offer]:
        scene, mine = self.view.scene_of(character)
        if scene is None:
            return
        known = self.view.playable(scene.key)
        if known is None or known.asked:
            return
        choices = [each for each in self._choices_in(known) if self._is_own(known, mine, each)]
        for choice in choices:
            offer = self._move_offer(known, mine, choice)
            if may_be_proposed(offer.words) and not self.view.names_hidden(self._typed_parts(offer)):
                yield offer

    def _typed_parts(self, offer: Offer) -> list[str]:
        """Return the parts of an offer that somebody may have typed.

        Those are all but names in the book, and its target. A power called Shadow, or Shadow Step, reveals
        nothing of a person called Shadow.
        """
        people = (offer.choice.who, *offer.choice.targets) if offer.choice else ()
        told = self._book_words.difference(people)
        return [word for word in (*offer.words, offer.whom) if word not in told]

    @cached_property
    def _book_words(self) -> set[str]:
        kinds = [
            kind
            for kind in content_kinds(self.book.registry)
            if kind not in ("characters", "creatures", "encounters")
        ]
        return {id.rpartition(":")[2] for kind in kinds for id in self.book.table(kind)}

    def _choices_in(self, scene: Scene) -> list[PossibleMove]:
        """Return everybody's possible moves in a scene, as players know it.

        There are none where a system fails meanwhile; the reason isn't shown to players.
        """
        if scene.key not in self._choices:
            try:
                found = [*choices_of(CampaignView(self.book.name, 0, (scene,), world=self.known), scene)]
            except Exception:
                found = []
            self._choices[scene.key] = found
        return self._choices[scene.key]

    def _is_own(self, scene: Scene, mine: str, choice: PossibleMove) -> bool:
        """Return whether a move is a character's own, by acting or by deciding for the actor (STR-TAC-25).

        The end of such an actor's turn is the character's own, too.
        """
        doer = choice.who or (
            acting_person(scene) if choice.option.command in _turn_ending_commands(scene.key) else ""
        )
        return bool(doer) and mine in (doer, decider_for(self.known, doer))

    def _move_offer(self, scene: Scene, mine: str, choice: PossibleMove) -> Offer:
        """Return the offer for a move: its verb or power, and its target or place."""
        verb, *rest = choice.option.typed
        whom: list[str] = []
        used: list[str] = []
        flags: list[str] = []
        for before, word in pairwise((verb, *rest)):
            if word in scene.people:
                name = scene.people[word].name
                # A command whose actor is also the target names that person twice.
                whom += [name] if word != mine or (word in choice.targets and name not in whom) else []
            elif word.startswith("--"):
                flags += [word[2:]] if word not in PLAIN else []
            elif choice.square is not None and word == square_name(choice.square):
                whom.append(word)
            elif before.startswith("--") and before not in PLAIN:
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
        square = square_name(choice.square) if choice.goes and choice.square else ""
        said = capitalize_sentence(what.replace("-", " "))
        return Offer(_id(words), words, said, aim, square, choice, scene.key, uses=tuple(used))

    def _book_name(self, word: str) -> str:
        """Return the book's name for a word of a command: `bad-footing` is Bad Footing."""
        for kind in content_kinds(self.book.registry):
            for id, found in self.book.table(kind).items():
                if id.rpartition(":")[2] == word and isinstance(found, Mapping) and "name" in found:
                    return str(found["name"])
        return word.replace("-", " ")

    def _offer(self, offer: Offer) -> PhoneOffer:
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

    def _expectation(self, scene: Scene | None, id: str) -> PhoneExpectation:
        found = self.previews.get(id)
        chances = found.chances if found else {}
        likely = {name: mean for name, mean in found.averages.items() if mean >= SHOWN} if found else {}
        return {
            "chances": [{"name": name, "p": round(float(p), 4)} for name, p in chances.items()],
            "gives": warning_words(scene, found) if found and scene else "",
            "expects": preview_words(found._replace(chances={}, averages=likely)) if found else "",
            "way": list(found.way) if found else [],
            "far": path_length_words(scene, found) if found else "",
        }

    def foresee(self, character: str, offer: Offer) -> Preview | None:
        """Return the forecast of an offer, as far as its player may know it.

        Where others' numbers are hidden from players, averages are left out, since they would reveal those
        numbers.
        """
        if offer.choice is None:
            return None
        system = scene_systems()[offer.key]
        try:
            found = preview(system, self.known, offer.choice.option)
        except Problem:
            return None
        except Exception:  # a system that fails over what players know
            return None
        if self.view.audience.meters != "exact":
            own = type(bot_of(system)).preview is not Bot.preview
            found = found._replace(averages={}, chances=found.chances if own else {})
        return found

    def rolls(self, character: str) -> dict[str, Offer]:
        """Return the rolls that a character's player may propose, by id."""
        if character not in self._rolls:
            found: list[OwnRoll] = []
            for system in installed_systems(self.book.registry):
                with contained(system.name):
                    found += views_of(system).own_rolls(self.known, character)
            offers = [Offer(_id(each.typed), tuple(each.typed), each.name, roll=each) for each in found]
            self._rolls[character] = {offer.id: offer for offer in offers if may_be_proposed(offer.words)}
        return self._rolls[character]

    def could_be_made(self, proposal: Proposal) -> bool:
        """Return whether a proposal is still among its player's possible choices, and unchanged.

        The file that it comes from may be a stranger's: nothing else is ever played.
        """
        character = proposal.who
        if proposal.by and not character:
            return True  # an assistant's, for the game master: `accept` checks it by `registry.remote_access`
        if character not in self.book.characters:
            return False
        made = proposal.words, proposal.text
        with suppress(DiceFault):
            dice = dice_offer(DICE + " ".join(made[0][2:]))
            if dice and made == (dice.words, dice.text):
                return True
        if proposal.answers:
            theirs = (each for each in self.decisions(character) if each.mark == proposal.answers)
            return any(made == each.words_for_answer(option) for each in theirs for option in each.options)
        undo = self.undo_of(character)
        if undo and made == (undo.words, undo.text):
            return True
        known = [*self.offers(character).values(), *self.rolls(character).values()]
        return made in {(offer.words, offer.text) for offer in known}


def is_still_open(campaign: Campaign, proposal: Proposal) -> bool:
    """Return whether a proposal is still possible, unchanged (`PhoneSnapshot.could_be_made`)."""
    last = last_command(campaign)
    return PhoneSnapshot(campaign.book, players_view(campaign), last=last).could_be_made(proposal)


SHOWN_OTHERWISE = ("asked", "undone", "redone")
"""Facts that phones show in another way: decisions, and undone entries."""


def _die_for_phone(die: ToldDie) -> ToldDie:
    """Return a die without data that is only for targets."""
    shown = die.copy()
    shown.pop("sources", None)
    return shown


def phone_entry(
    entry: HeardEntry, language: Language, people: Mapping[str, Person] = MappingProxyType({})
) -> PhoneEntry:
    """Return an entry for players in the form of the table's card; `people` are those they know."""
    from strike_bridge.animations import describe_facts
    from strike_bridge.journal_results import dice_of

    facts = [fact for fact in entry["facts"] if fact["kind"] not in SHOWN_OTHERWISE]
    told = [(fact, Banner(**fact["banner"]) if "banner" in fact else None) for fact in facts]
    names = {character: one.name for character, one in people.items()}
    head, lines = describe_facts(told, names, [people], language)
    return {
        "head": head,
        "lines": lines,
        "dice": [_die_for_phone(die) for fact in facts for die in dice_of(fact, names, language)],
        "undone": bool(entry.get("undone")),
    }


def _scene(scene: Scene, mine: str) -> PhoneScene:
    order = scene.order
    active = (order.active if order else None) or ""

    def named(character: str) -> str:
        return scene.people[character].name if character in scene.people else capitalize_sentence(character)

    return {
        "name": scene.name,
        "goal": scene.goal,
        "round": scene.round,
        "yours": _is_turn_of(scene, mine),
        "active": named(active) if active else "",
        "next": [named(character) for character in order.next] if order else [],
        "standing": [*_scene_numbers(scene)],
    }


def _turn_ending_commands(key: str) -> Sequence[str]:
    """Return the commands that end a turn in a scene."""
    return scene_systems()[key].scene.next_turn[:-1]


def _is_turn_of(scene: Scene, mine: str) -> bool:
    active = (scene.order.active if scene.order else None) or ""
    return bool(active) and active in (mine, scene.people[mine].side)


def _squares(places: Iterable[Square]) -> list[SquarePayload]:
    return [{"x": x, "y": y} for x, y in places]


def _scene_numbers(scene: Scene) -> Iterator[PhoneNumber]:
    """Yield the numbers of a scene: its track, or its sides' numbers."""
    if scene.track:
        yield {"name": scene.track.name, "value": scene.track.at}
    for side in scene.sides:
        words = [f"{capitalize_sentence(name)} {value}" for name, value in side.numbers.items()]
        picked = [card.what for card in side.cards if card.what]
        if told := [*words, *([", ".join(picked)] if picked else [])]:
            yield {"name": side.name, "value": " · ".join(told)}


def _roll(offer: Offer) -> PhoneRoll:
    assert offer.roll is not None
    return {"id": offer.id, "name": offer.what, "n": offer.roll.n, "sides": offer.roll.sides}


def capitalize_sentence(words: str) -> str:
    """Return the words with a capital letter, as a sentence begins."""
    return words[:1].upper() + words[1:]


def _id(words: Iterable[str]) -> str:
    return _digest(list(words))[:16]


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
