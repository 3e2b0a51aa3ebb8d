"""Foundry VTT, through the foundryvtt-rest-api-relay 3.x, or 2.x with fewer features.

Foundry hides hidden tokens and whispers from its players, so its audience is the game master by default;
hidden creatures stay out of its combat tracker, which would show them. The target has a relay
(`foundry_relay.py`), and a part for each thing that it shows: ground, tokens, statuses, tracker, chat,
questions. `foundry_inspection.py` reads a world and changes nothing. `foundry_documents.py` has the forms of
documents.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from strike_cli.kernel.facts import State
from strike_cli.registry.scenes import seal_mark

from ..projection import ShownTable
from ..settings import Settings
from .base import (
    Answer,
    Answered,
    Asking,
    Conversation,
    Finding,
    Found,
    Looked,
    Option,
    Outcome,
    OutcomeKind,
    Payload,
    Post,
    Request,
    Supports,
    Target,
    Wire,
)
from .foundry_chat import FoundryChat, FoundryQuestions
from .foundry_documents import initiatives, is_anothers, turn_sort_key
from .foundry_inspection import FoundryInspection
from .foundry_relay import CLIENTS, FoundryRelay
from .foundry_statuses import FoundryStatuses
from .foundry_tokens import FoundryTokens
from .foundry_walls import FoundryGround
from .readers import tables_in

if TYPE_CHECKING:
    from ..payloads import ReadToken, ShownDecision, ShownOrder, ShownScene, ShownToken


COMBAT, TRACKER = "combat", "tracker"
"""Memory keys: the id of the combat, and its round, turn and combatants as they were last shown."""


if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    from ..payloads import ShownOrder

    class CombatShown(TypedDict):
        """A combat as Foundry shows it, or as it was last sent."""

        id: str
        round: NotRequired[int | None]
        turn: NotRequired[int | None]
        combatants: list[dict[str, object]]

    class CombatChange(TypedDict, total=False):
        """The changes that bring a combat up to date."""

        round: int
        turn: int | None
        combatants: list[dict[str, object]]


class FoundryTracker:
    """The part of the target that sends turns."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def put(self, order: ShownOrder) -> Conversation:
        """Show round, turn, order and the defeated, in one request where the tracker is known."""
        yield from self._relay.begin()
        wanted: dict[str, str] = {}
        for entry in order["entries"]:
            uuid = self._target.links.get(entry["id"], "")
            if uuid and not entry.get("hidden"):
                wanted[uuid] = entry["id"]
        out = {
            uuid
            for id in order.get("out", ())
            if (uuid := self._target.links.get(id, "")) and uuid not in wanted
        }
        if not wanted and not order["entries"]:
            return None
        known = self._remembered()
        inside = {each.get("tokenUuid") for each in known["combatants"]} if known else set()
        ours = set(self._target.links.values())
        if not known or not set(wanted) <= inside or (inside & ours) - set(wanted) - out:
            combat = yield from self._combat(set(wanted) | out)
            known = yield from self._join(combat, [*wanted], out)
        change = self._change_of(order, known, wanted, out)
        if change.keys() == {"combatants"} and all(each["defeated"] for each in change["combatants"]):
            return None  # the defeated are struck through with the next turn; their skull shows already
        if change:
            # If it stays unknown whether this arrived, the tracker is read again.
            self._target.memory.pop(TRACKER, None)
            answer = yield self._relay.update(f"Combat.{known['id']}", change)
            there = {
                each.get("_id") or each.get("id")
                for each in tables_in(answer.value("entity", 0, "combatants"))
            }
            if there and there != {each["id"] for each in known["combatants"]}:
                return (yield from self.put(order))  # somebody changed its combatants: read it again
        self._remember(known, change, order["round"])
        return None

    def end(self) -> Conversation:
        """End the combat that we began."""
        combat = self._target.memory.get(COMBAT)
        if combat:
            yield Request("DELETE", self._relay.path("/delete", uuid=f"Combat.{combat}"), gone_will_do=True)
            self._target.memory.pop(COMBAT, None)
            self._target.memory.pop(TRACKER, None)
        return None

    def _change_of(
        self, order: ShownOrder, known: CombatShown, wanted: Mapping[str, str], out: set[str]
    ) -> CombatChange:
        """Return the change that brings the combat up to date.

        Between two turns the turn stays as it was.
        """
        places = initiatives([entry for entry in order["entries"] if entry["id"] in wanted.values()])
        changed = []
        for each in known["combatants"]:
            uuid = str(each.get("tokenUuid", ""))
            should: dict[str, object] = {}
            if uuid in wanted:
                should = {"initiative": places[wanted[uuid]], "defeated": False}
            elif uuid in out:
                should = {"defeated": True}
            differs = {key: value for key, value in should.items() if (each.get(key) or 0) != (value or 0)}
            if "initiative" in should and each.get("initiative") is None:
                differs["initiative"] = should["initiative"]
            if differs:
                changed.append({"_id": each["id"], **differs})
                each.update(differs)
        change: CombatChange = {"combatants": changed} if changed else {}
        turns = [
            wanted.get(str(each.get("tokenUuid", "")))
            for each in sorted(known["combatants"], key=turn_sort_key)
        ]
        active = order["active"]
        turn = turns.index(active) if active in turns else None
        if active is None and known.get("turn") is not None and known.get("round"):
            turn = known["turn"]
        sorted_anew = any("initiative" in each for each in changed)
        if known.get("round", "") != order["round"] or sorted_anew:
            change["round"] = order["round"]
        if known.get("turn", "") != turn or sorted_anew:
            change["turn"] = turn
        return change

    # Reading

    def _remembered(self) -> CombatShown | None:
        """Return the tracker as it was last shown."""
        try:
            known: CombatShown = json.loads(self._target.memory.get(TRACKER, ""))
        except ValueError:
            return None
        fits = isinstance(known, dict) and known.get("id") == self._target.memory.get(COMBAT)
        return known if fits else None

    def _remember(self, known: CombatShown, change: CombatChange, round: int) -> None:
        kept = [
            {key: each.get(key) for key in ("id", "tokenUuid", "initiative", "defeated")}
            for each in known["combatants"]
        ]
        turn = change.get("turn", known.get("turn"))
        self._target.memory[TRACKER] = json.dumps(
            {"id": known["id"], "round": round, "turn": turn, "combatants": kept}
        )

    def _combat(self, ours: set[str]) -> Asking[dict[str, object]]:
        """Return the combat that our tokens are in, which is begun where there is none.

        An empty current combat is used too: it is left over when the answer to its creation was lost.
        """
        answer = yield Request("GET", self._relay.path("/encounters"))
        remembered = self._target.memory.get(COMBAT)
        combats = tables_in(answer.value("encounters"))
        for combat in sorted(combats, key=lambda each: (each["id"] != remembered, not each.get("current"))):
            inside = {each.get("tokenUuid") for each in tables_in(combat.get("combatants"))}
            empty = combat.get("current") and not inside
            if combat["id"] == remembered or ours & inside or empty:
                if inside <= ours:
                    self._target.memory[COMBAT] = str(combat["id"])
                if not combat.get("current"):
                    # Combatants can be added only to the current combat.
                    yield self._relay.update(f"Combat.{combat['id']}", {"active": True})
                return dict(combat)
        # Begun empty: relay 3.4.1 doesn't pass the named tokens on to its module.
        made = yield Request("POST", self._relay.path("/start-encounter"), {}, looked_for=True)
        self._target.memory[COMBAT] = str(made.value("encounterId"))
        begun = made.value("encounter")
        return (
            dict(begun)
            if isinstance(begun, Mapping)
            else {"id": self._target.memory[COMBAT], "combatants": []}
        )

    def _join(self, combat: Mapping[str, object], wanted: list[str], out: set[str]) -> Asking[CombatShown]:
        """Add missing combatants to the combat, and remove surplus ones of ours.

        The surplus are those that should not be there, or are there twice.
        """
        ours = set(self._target.links.values())
        kept: dict[str, Payload] = {}
        others = []
        for each in map(dict, tables_in(combat.get("combatants"))):
            uuid = str(each.get("tokenUuid"))
            if uuid in kept or (uuid in ours and uuid not in wanted and uuid not in out):
                path = self._relay.path("/delete", uuid=f"Combat.{combat['id']}.Combatant.{each['id']}")
                yield Request("DELETE", path, gone_will_do=True)
            elif uuid in wanted or uuid in out:
                kept[uuid] = each
            else:
                others.append(each)
        # Those defeated before the combat began join it, too; the defeated never join later.
        missing = [uuid for uuid in (wanted if kept else [*wanted, *sorted(out)]) if uuid not in kept]
        if not missing:
            return _copy_combat(combat, [*kept.values(), *others])
        yield Request("POST", self._relay.path("/add-to-encounter"), {"uuids": missing}, looked_for=True)
        answer = yield Request("GET", self._relay.path("/encounters"))
        for now in tables_in(answer.value("encounters")):
            if now.get("id") == combat["id"]:
                return _copy_combat(now, tables_in(now.get("combatants")))
        return _copy_combat(combat, tables_in(combat.get("combatants")))


def _copy_combat(combat: Mapping[str, object], combatants: Iterable[Mapping[str, object]]) -> CombatShown:
    return {**combat, "combatants": [*map(dict, combatants)]}  # type: ignore[typeddict-item]  # as Foundry has it


class FoundryTarget(Target):
    """Foundry VTT: pixels from the top left, and everything that Foundry can show."""

    supports = Supports(
        units="pixels", hidden=True, hp=True, statuses=True, turn_order=True, chat=True, marks=True,
        images=True, links=True, create=True, find=True, read_back=True, read_results=True, asked=True,
    )  # fmt: skip
    default_url = "https://foundryrestapi.com"
    default_audience = "gm"
    default_preset = "plain"
    # The relay waits ten seconds for Foundry, for tokens, walls and lights thirty, then answers 408; Foundry
    # goes on with what it was asked.
    recheck_delays = (15.0, 30.0, 45.0)
    most_combined = 10
    key_variable = "STRIKE_FOUNDRY_KEY"
    PRESETS = "foundry.toml"
    OPTIONS: ClassVar = {
        "client": Option(str, "", "The client id of the world, if several are connected."),
        "scene": Option(str, "", "The scene, by id or name. Default: the active one."),
        "origin": Option(list, [0, 0], "The square of the scene that A1 lies on, as [across, down] from 0."),
        "level": Option(str, "", "The level for new tokens, by id or name. Default: the scene's first "
                                 "level."),
        "actors": Option(dict, {}, "Actors of new tokens: our id, with or without number, and theirs."),
        "players": Option(dict, {}, "Players who answer there: our characters' ids, and users by id or "
                                    "name."),
        "effects": Option(str, "all", "Whether to show statuses without a mapping, too.",
                          ("all", "mapped", "none")),
        "walls": Option(bool, False, "Whether a scene without walls or lights gets the map's."),
        "animate": Option(bool, True, "Whether tokens glide to their new squares."),
        "gather": Option(int, 30, "Seconds that a result without dice may wait for the next one."),
        "alias": Option(str, "Strike!", "The speaker in the chat."),
    }  # fmt: skip

    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        super().__init__(settings, key, session)
        self._relay = FoundryRelay(self)
        self._ground = FoundryGround(self._relay)
        self._statuses = FoundryStatuses(self._relay)
        self._tokens = FoundryTokens(self._relay, self._statuses)
        self._tracker = FoundryTracker(self._relay)
        self._chat = FoundryChat(self._relay)
        self._questions = FoundryQuestions(self._relay)
        self._inspection = FoundryInspection(self._relay, self._statuses, self._ground)

    @classmethod
    def lets_players_answer(cls, settings: Settings) -> bool:
        """Return whether settings map players' users to characters."""
        return bool(settings.options.get("players"))

    def headers(self) -> dict[str, str]:
        """Return the key in the relay's header."""
        return {"x-api-key": self.key}

    # The values to send

    def project(self, state: State) -> ShownTable:
        """Return the table to show. The tracker keeps the defeated, struck through."""
        shown = super().project(state)
        if shown.order is None or self.settings.defeated == "hide":
            return shown
        out = [id for id, token in shown.tokens.items() if token["state"] == "out" and not token["hidden"]]
        return shown._replace(order={**shown.order, "out": out})

    def prepare_decision(self, asked: ShownDecision) -> ShownDecision:
        """Return a decision with its mark sealed by the key, which no player has.

        An answer names the decision by this sealed mark.
        """
        return {**super().prepare_decision(asked), "decision": seal_mark(asked["mark"], self.key)}

    def numbers(self, token: ShownToken, *, as_players: bool = False) -> dict[str, int]:
        """Return numbers that are never below 0, the minimum in Foundry's game systems."""
        found = super().numbers(token, as_players=as_players)
        return {place: max(0, value) for place, value in found.items()}

    def sent_number(self, token: ShownToken) -> int | None:
        """Return the first meter's number for enemies too, since it is stored on the actor."""
        if not token["meters"]:
            return None
        first = token["meters"][0]
        value = (first["gm"] or first)["value"]
        in_parts = first["shown"] == "bar" and not first["gm"]
        return value if isinstance(value, int) and not in_parts else None

    # Sending

    def put_scene(self, scene: ShownScene) -> Conversation:
        """Find out again which scene Foundry shows, then draw walls and lights there, and set its doors.

        For a relay older than 3 the scene is refused instead, with what such a relay can't do as the reason.
        """
        return self._ground.put(scene)

    def clear_scene(self) -> Conversation:
        """End the combat that the bridge began, and remove the tokens that it made."""
        yield from self._relay.begin()
        yield from self._tracker.end()
        self._ground.forget_built()
        for id in list(self.created_ids):
            yield from self._tokens.remove(id)
        return None

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Make or change a token, then its meters, then statuses; only differences from `before`."""
        return self._tokens.put(token, before)

    def remove_token(self, id: str) -> Conversation:
        """Delete a token that we made; hide one that was there before."""
        return self._tokens.remove(id)

    def put_order(self, order: ShownOrder) -> Conversation:
        """Show round, turn, order and the defeated, in one request where the tracker is known."""
        return self._tracker.put(order)

    def put_asked(self, asked: list[ShownDecision]) -> Conversation:
        """Post a message for each decision that a player may answer there; mark those that are settled."""
        return self._questions.put(asked)

    def send_result(self, post: Post) -> Conversation:
        """Post a message; a secret one is whispered to the game masters, and refused where there are none."""
        return self._chat.send(post)

    # Reading

    def find_tokens(self, wire: Wire) -> list[Found] | Outcome:
        """Read the tokens of the scene."""
        return self._inspection.find_tokens(wire)

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Read name, place, size, HP and statuses of tokens that are linked or bear our id."""
        return self._inspection.read_tokens(wire)

    def read_values(self, wire: Wire) -> Looked | Outcome:
        """Read the places of our tokens in one request.

        HP takes one more request for each, where settings take HP over.
        """
        return self._inspection.look(wire)

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Look up whether a message with its id exists, or a recent one has its number and text."""
        return self._chat.has(wire, post)

    def read_answers(self, wire: Wire) -> list[Answered] | Outcome:
        """Read the answers in the newest messages, the oldest first.

        Nothing is requested while no decision is open.
        """
        return self._questions.answers(wire)

    def tell_answer(self, wire: Wire, answered: Answered, words: str, dice: Mapping[str, int] | None) -> bool:
        """Show the outcome of an answer beside it.

        Where dice are wanted, the question gets a button.
        """
        return self._questions.tell(wire, answered, words, dice)

    # Answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a relay's answer; anything but a JSON object didn't come from the relay."""
        refusal = self._relay.refusal(request, answer)
        if refusal:
            return refusal
        outcome = super().outcome(request, answer, now)
        if outcome.kind is OutcomeKind.APPLIED and not isinstance(answer.json(), Mapping):
            return Outcome(OutcomeKind.UNKNOWN, "its answer can't be read", status=answer.status)
        return outcome

    def is_for_another_request(self, request: Request, answer: Answer) -> bool:
        """Return whether an answer is another request's.

        It is judged by the document's id, our id on a token, or a message's number.
        """
        return is_anothers(request, answer)

    def token_id(self, request: Request, answer: Answer) -> str:
        """Return the UUID of the token that was created."""
        scene, token = answer.value("sceneId", default=""), answer.value("data", 0, "_id", default="")
        return f"Scene.{scene}.Token.{token}" if scene and token else ""

    def remedy(self, outcome: Outcome) -> str:
        """Return advice for people; a 404 means here that the world is closed."""
        if outcome.unreachable and outcome.status == 404:
            return "Open the world in Foundry as game master."
        return super().remedy(outcome)

    # Login and checks

    def login(self, wire: Wire, ask: Callable[[str, bool], str], tell: Callable[[str], None]) -> str:
        """Get a key from the relay, and wait until somebody approves it there. Raises BridgeProblem."""
        return self._inspection.login(wire, tell)

    def probe(self) -> Request:
        """Ask for the worlds that the key may access."""
        return Request("GET", CLIENTS)

    def checks(self, wire: Wire) -> Iterator[Finding]:
        """Check the relay's version, the world, the key's scopes, the scene, and tokens that can't have HP.

        Where players answer decisions there, check also whether those players are users there.
        """
        yield from self._inspection.checks(wire)
        if self.lets_players_answer(self.settings):
            yield from self._questions.checks(wire)
