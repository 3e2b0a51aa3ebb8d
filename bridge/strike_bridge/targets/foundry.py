"""The target Foundry VTT, through the foundryvtt-rest-api-relay 3.x, or 2.x with fewer features.

Foundry hides hidden tokens and whispers from its players, so the target's audience is the game master by
default. Hidden creatures stay out of the combat tracker, which would show them.

The target has a relay (`foundry_relay.py`) and a part for each thing that it shows: ground, tokens, statuses,
tracker, chat, questions. `foundry_inspection.py` reads a world without changing it, and
`foundry_documents.py` has the forms of documents.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from strike_cli.kernel.state_changes import State
from strike_cli.registry.scenes_and_decisions_in_state import seal_mark

from ..settings import Settings
from ..state_projection import ShownTable
from .answers_and_pixel_grid import tables_in
from .base import (
    Answer,
    Asking,
    Conversation,
    Finding,
    ListedToken,
    Option,
    Outcome,
    OutcomeKind,
    Payload,
    PlayerAnswer,
    Post,
    Request,
    Supports,
    TabletopValues,
    Target,
    Wire,
)
from .foundry_chat_and_questions import FoundryChat, FoundryQuestions
from .foundry_documents import answers_another_request, initiatives_that_keep_order, turn_sort_key
from .foundry_inspection import FoundryInspection
from .foundry_relay import CLIENTS, FoundryRelay
from .foundry_statuses import FoundryStatuses
from .foundry_tokens import FoundryTokens
from .foundry_walls_doors_lights import FoundryWallsAndLights

if TYPE_CHECKING:
    from ..payloads import ReadToken, ShownDecision, ShownOrder, ShownScene, ShownToken


COMBAT, TRACKER = "combat", "tracker"
"""Memory keys: the id of the combat, and its round, turn and combatants as they were last shown."""


if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

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
    """The part of the target that shows the turn order in Foundry's combat tracker."""

    def __init__(self, relay: FoundryRelay) -> None:
        self._relay = relay
        self._target = relay.target

    def put_order(self, order: ShownOrder) -> Conversation:
        """Show the turn order in Foundry's combat tracker.

        This includes the round, the present turn, and who is defeated.
        """
        yield from self._relay.find_version_and_only_world()
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
        known = self._remembered_combat()
        inside = {each.get("tokenUuid") for each in known["combatants"]} if known else set()
        ours = set(self._target.links.values())
        if not known or not set(wanted) <= inside or (inside & ours) - set(wanted) - out:
            combat = yield from self._find_or_begin_combat(set(wanted) | out)
            known = yield from self._add_and_remove_combatants(combat, [*wanted], out)
        change = self._apply_order_and_get_change(order, known, wanted, out)
        if change.keys() == {"combatants"} and all(each["defeated"] for each in change["combatants"]):
            return None  # the defeated are struck through with the next turn; their skull shows already
        if change:
            # If it stays unknown whether this arrived, the tracker is read again.
            self._target.memory.pop(TRACKER, None)
            answer = yield self._relay.update_request(f"Combat.{known['id']}", change)
            there = {
                each.get("_id") or each.get("id")
                for each in tables_in(answer.value("entity", 0, "combatants"))
            }
            if there and there != {each["id"] for each in known["combatants"]}:
                return (yield from self.put_order(order))  # somebody changed its combatants: read it again
        self._remember_combat(known, change, order["round"])
        return None

    def end_own_combat(self) -> Conversation:
        """End the combat that the bridge began, if any."""
        combat = self._target.memory.get(COMBAT)
        if combat:
            yield Request(
                "DELETE", self._relay.path_in_world("/delete", uuid=f"Combat.{combat}"), gone_will_do=True
            )
            self._target.memory.pop(COMBAT, None)
            self._target.memory.pop(TRACKER, None)
        return None

    def _apply_order_and_get_change(
        self, order: ShownOrder, combat: CombatShown, wanted: Mapping[str, str], defeated: set[str]
    ) -> CombatChange:
        """Return the change to send to Foundry, so that its combat shows the turn order.

        If it is nobody's turn, the turn in Foundry stays as it is. New values of combatants are also stored
        in `combat`.

        Args:
            order: The turn order to show.
            combat: The combat as Foundry has it.
            wanted: Foundry's tokens that are in the turn order, each with strike's id of the creature.
            defeated: Foundry's tokens of defeated creatures.
        """
        places = initiatives_that_keep_order(
            [entry for entry in order["entries"] if entry["id"] in wanted.values()]
        )
        changed = []
        for each in combat["combatants"]:
            uuid = str(each.get("tokenUuid", ""))
            should: dict[str, object] = {}
            if uuid in wanted:
                should = {"initiative": places[wanted[uuid]], "defeated": False}
            elif uuid in defeated:
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
            for each in sorted(combat["combatants"], key=turn_sort_key)
        ]
        active = order["active"]
        turn = turns.index(active) if active in turns else None
        if active is None and combat.get("turn") is not None and combat.get("round"):
            turn = combat["turn"]
        sorted_anew = any("initiative" in each for each in changed)
        if combat.get("round", "") != order["round"] or sorted_anew:
            change["round"] = order["round"]
        if combat.get("turn", "") != turn or sorted_anew:
            change["turn"] = turn
        return change

    # Reading

    def _remembered_combat(self) -> CombatShown | None:
        """Return the combat as it was last shown; None if that isn't known."""
        try:
            known: CombatShown = json.loads(self._target.memory.get(TRACKER, ""))
        except ValueError:
            return None
        fits = isinstance(known, dict) and known.get("id") == self._target.memory.get(COMBAT)
        return known if fits else None

    def _remember_combat(self, combat: CombatShown, change: CombatChange, round: int) -> None:
        kept = [
            {key: each.get(key) for key in ("id", "tokenUuid", "initiative", "defeated")}
            for each in combat["combatants"]
        ]
        turn = change.get("turn", combat.get("turn"))
        self._target.memory[TRACKER] = json.dumps(
            {"id": combat["id"], "round": round, "turn": turn, "combatants": kept}
        )

    def _find_or_begin_combat(self, our_tokens: set[str]) -> Asking[dict[str, object]]:
        """Return Foundry's combat for our tokens (`our_tokens`), and begin one if there is none.

        The first of these combats is used:

        - the combat that the bridge remembers;
        - the current combat, if it has one of our tokens or no combatants at all;
        - any other combat with one of our tokens.

        The bridge itself may have begun a current combat without combatants: the answer to its request may
        have been lost. If the combat isn't the current one, it is made current.
        """
        answer = yield Request("GET", self._relay.path_in_world("/encounters"))
        remembered = self._target.memory.get(COMBAT)
        combats = tables_in(answer.value("encounters"))
        for combat in sorted(combats, key=lambda each: (each["id"] != remembered, not each.get("current"))):
            inside = {each.get("tokenUuid") for each in tables_in(combat.get("combatants"))}
            empty = combat.get("current") and not inside
            if combat["id"] == remembered or our_tokens & inside or empty:
                if inside <= our_tokens:
                    self._target.memory[COMBAT] = str(combat["id"])
                if not combat.get("current"):
                    # Combatants can be added only to the current combat.
                    yield self._relay.update_request(f"Combat.{combat['id']}", {"active": True})
                return dict(combat)
        # Begun empty: relay 3.4.1 doesn't pass the named tokens on to its module.
        made = yield Request("POST", self._relay.path_in_world("/start-encounter"), {}, looked_for=True)
        self._target.memory[COMBAT] = str(made.value("encounterId"))
        begun = made.value("encounter")
        return (
            dict(begun)
            if isinstance(begun, Mapping)
            else {"id": self._target.memory[COMBAT], "combatants": []}
        )

    def _add_and_remove_combatants(
        self, combat: Mapping[str, object], wanted: list[str], defeated: set[str]
    ) -> Asking[CombatShown]:
        """Make the combatants of a Foundry combat match the fight, and return the changed combat.

        Missing combatants are added. If a token is in the combat twice, its second combatant is removed. A
        combatant is also removed if its token is linked to a creature of ours that doesn't belong in the
        combat. Combatants whose tokens aren't linked to a creature of ours stay.
        """
        ours = set(self._target.links.values())
        kept: dict[str, Payload] = {}
        others = []
        for each in map(dict, tables_in(combat.get("combatants"))):
            uuid = str(each.get("tokenUuid"))
            if uuid in kept or (uuid in ours and uuid not in wanted and uuid not in defeated):
                path = self._relay.path_in_world(
                    "/delete", uuid=f"Combat.{combat['id']}.Combatant.{each['id']}"
                )
                yield Request("DELETE", path, gone_will_do=True)
            elif uuid in wanted or uuid in defeated:
                kept[uuid] = each
            else:
                others.append(each)
        # Those defeated before the combat began join it, too; the defeated never join later.
        missing = [uuid for uuid in (wanted if kept else [*wanted, *sorted(defeated)]) if uuid not in kept]
        if not missing:
            return _copy_combat(combat, [*kept.values(), *others])
        yield Request(
            "POST", self._relay.path_in_world("/add-to-encounter"), {"uuids": missing}, looked_for=True
        )
        answer = yield Request("GET", self._relay.path_in_world("/encounters"))
        for now in tables_in(answer.value("encounters")):
            if now.get("id") == combat["id"]:
                return _copy_combat(now, tables_in(now.get("combatants")))
        return _copy_combat(combat, tables_in(combat.get("combatants")))


def _copy_combat(combat: Mapping[str, object], combatants: Iterable[Mapping[str, object]]) -> CombatShown:
    return {**combat, "combatants": [*map(dict, combatants)]}  # type: ignore[typeddict-item]  # as Foundry has it


class FoundryTarget(Target):
    """Foundry VTT, with everything that Foundry can show.

    A position is that of a token's top left corner, in pixels.
    """

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
        self._ground = FoundryWallsAndLights(self._relay)
        self._statuses = FoundryStatuses(self._relay)
        self._tokens = FoundryTokens(self._relay, self._statuses)
        self._tracker = FoundryTracker(self._relay)
        self._chat = FoundryChat(self._relay)
        self._questions = FoundryQuestions(self._relay)
        self._inspection = FoundryInspection(self._relay, self._statuses, self._ground)

    @classmethod
    def lets_players_answer(cls, settings: Settings) -> bool:
        """Return whether the settings name users of players who answer decisions in Foundry."""
        return bool(settings.options.get("players"))

    def headers(self) -> dict[str, str]:
        """Return the key in the relay's header."""
        return {"x-api-key": self.key}

    # The values to send

    def project(self, state: State) -> ShownTable:
        """Return the things that the target shows for a state.

        The turn order also lists the defeated (`out`), unless the settings hide them.
        """
        shown = super().project(state)
        if shown.order is None or self.settings.defeated == "hide":
            return shown
        out = [id for id, token in shown.tokens.items() if token["state"] == "out" and not token["hidden"]]
        return shown._replace(order={**shown.order, "out": out})

    def prepare_decision(self, asked: ShownDecision) -> ShownDecision:
        """Return an open decision with an id (`decision`) that players can't compute.

        The id is the decision's `mark`, sealed with the target's key. Players don't have this key. A player's
        answer names the decision by the id.
        """
        return {**super().prepare_decision(asked), "decision": seal_mark(asked["mark"], self.key)}

    def meter_numbers(self, token: ShownToken, *, as_players: bool = False) -> dict[str, int]:
        """Return the numbers to store for a token's meters.

        Each is at least 0, since Foundry's game systems require that.
        """
        found = super().meter_numbers(token, as_players=as_players)
        return {place: max(0, value) for place, value in found.items()}

    def sent_number(self, token: ShownToken) -> int | None:
        """Return the number that Foundry was sent for a token's first meter; None if there is no such number.

        The game master's number counts, if the token has one for this target. Without it, the meter's own
        number counts. But if the meter is shown only as a bar, Foundry was sent no number.
        """
        if not token["meters"]:
            return None
        first = token["meters"][0]
        value = (first["gm"] or first)["value"]
        in_parts = first["shown"] == "bar" and not first["gm"]
        return value if isinstance(value, int) and not in_parts else None

    # Sending

    def put_scene(self, scene: ShownScene) -> Conversation:
        """Find out again which scene Foundry shows, and bring its doors up to date.

        With the option `walls`, walls and lights are drawn there, too, if the scene has none of its own. If
        Foundry's relay is older than version 3, nothing is drawn, and no door is changed. The outcome is then
        REJECTED, with the reason.
        """
        return self._ground.put_walls_lights_and_doors(scene)

    def clear_scene(self) -> Conversation:
        """End the combat that the bridge began, and remove the tokens that it created."""
        yield from self._relay.find_version_and_only_world()
        yield from self._tracker.end_own_combat()
        self._ground.forget_drawn_scenes()
        for id in list(self.created_ids):
            yield from self._tokens.delete_or_hide_token(id)
        return None

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Create or change a token, then its meters and statuses. Only differences from `before` are sent."""
        return self._tokens.put_token(token, before)

    def remove_token(self, id: str) -> Conversation:
        """Remove a token: delete it if the bridge created it, and hide it otherwise."""
        return self._tokens.delete_or_hide_token(id)

    def put_order(self, order: ShownOrder) -> Conversation:
        """Show the turn order in Foundry's combat tracker.

        This includes the round, the present turn, and who is defeated.
        """
        return self._tracker.put_order(order)

    def put_decisions(self, asked: list[ShownDecision]) -> Conversation:
        """Post a message for each decision that a player may answer, and close settled ones."""
        return self._questions.post_and_close_players_questions(asked)

    def send_result(self, post: Post) -> Conversation:
        """Post a message. A secret one is whispered to the game masters, or rejected if Foundry has none."""
        return self._chat.send_result(post)

    # Reading

    def find_tokens(self, wire: Wire) -> list[ListedToken] | Outcome:
        """Return the scene's tokens."""
        return self._inspection.list_all_tokens(wire)

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Read strike's tokens in Foundry; return their values by strike's id, or the outcome of a failure.

        A token in Foundry is strike's if it is linked with strike, or if it carries an id of strike. The
        values are the position, HP and statuses, as far as Foundry tells them. A token that the bridge
        created also has its name and size.
        """
        return self._inspection.read_our_tokens(wire)

    def read_values(self, wire: Wire) -> TabletopValues | Outcome:
        """Return the positions of our tokens, the ids of deleted tokens, and the states of doors.

        Positions take one request. If strike knows doors in the scene, their states take another. HP are read
        too if the settings let strike take them over from Foundry; each token then takes one more request.
        """
        return self._inspection.read_values(wire)

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Return whether Foundry's chat already has a result; if Foundry can't be asked, return the outcome.

        The chat has the result if a message has the result's id, or if a recent message contains the result.
        It also has it if a recent message has the same heading, such as `#12`, and the same text.
        """
        return self._chat.has_result(wire, post)

    def read_answers(self, wire: Wire) -> list[PlayerAnswer] | Outcome:
        """Return the players' answers in the newest chat messages, oldest first.

        If no decision is open, no request is sent, and the list is empty. If the request fails, return its
        outcome.
        """
        return self._questions.read_recent_answers(wire)

    def show_answer_outcome(
        self, wire: Wire, answered: PlayerAnswer, words: str, dice: Mapping[str, int] | None
    ) -> bool:
        """Show the outcome of a player's answer in Foundry, next to the answer.

        If the answer still needs `dice`, a button that rolls them is added to the question. Return False if
        Foundry doesn't accept a change.
        """
        return self._questions.show_outcome(wire, answered, words, dice)

    # Answers

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a request.

        If an answer reports success and its body is no JSON object, it didn't come from the relay. Then the
        outcome is UNKNOWN.
        """
        refusal = self._relay.outcome_of_special_refusal(request, answer)
        if refusal:
            return refusal
        outcome = super().outcome(request, answer, now)
        if outcome.kind is OutcomeKind.APPLIED and not isinstance(answer.json(), Mapping):
            return Outcome(OutcomeKind.UNKNOWN, "its answer can't be read", status=answer.status)
        return outcome

    def is_for_another_request(self, request: Request, answer: Answer) -> bool:
        """Return whether an answer belongs to another request of the same kind."""
        return answers_another_request(request, answer)

    def token_id(self, request: Request, answer: Answer) -> str:
        """Return the UUID of the token that was created; "" if the answer doesn't name it."""
        scene, token = answer.value("sceneId", default=""), answer.value("data", 0, "_id", default="")
        return f"Scene.{scene}.Token.{token}" if scene and token else ""

    def remedy(self, outcome: Outcome) -> str:
        """Return advice on an outcome. A 404 means here that the world is closed."""
        if outcome.unreachable and outcome.status == 404:
            return "Open the world in Foundry as game master."
        return super().remedy(outcome)

    # Login and checks

    def login(self, wire: Wire, ask: Callable[[str, bool], str], tell: Callable[[str], None]) -> str:
        """Request a key from the relay, and wait until somebody approves the request there.

        Raises BridgeProblem if nobody approves it.
        """
        return self._inspection.obtain_key(wire, tell)

    def probe(self) -> Request:
        """Return the request for the worlds that the key may access."""
        return Request("GET", CLIENTS)

    def own_findings(self, wire: Wire) -> Iterator[Finding]:
        """Yield findings on the relay, the world, the key's scopes, and the scene with its tokens.

        If players answer decisions in Foundry, there is also a finding on whether the named users exist.
        """
        yield from self._inspection.findings_on_world(wire)
        if self.lets_players_answer(self.settings):
            yield from self._questions.findings_on_users(wire)
