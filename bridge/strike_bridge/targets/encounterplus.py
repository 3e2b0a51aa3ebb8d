"""The target Encounter+: its built-in server gets tokens, the tokens' combatants, and messages.

The server has no key, so anybody who reaches it can read a combatant. A combatant has all values of its token
except the position. Therefore hidden creatures aren't sent. If a creature hides later, its token is hidden.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..result_markup import Markup, format_roll, title_and_remaining_text
from .answers_and_pixel_grid import (
    PixelGrid,
    make_grid,
    nest_keys,
    parse_number_empty_as_zero,
    tables_in,
    value_at_path_of_keys,
)
from .base import (
    Answer,
    Conversation,
    Finding,
    ListedToken,
    Outcome,
    OutcomeKind,
    Post,
    Request,
    Settings,
    Supports,
    Target,
    Wire,
    differs,
)

if TYPE_CHECKING:
    from ..payloads import ReadToken, ShownResult, ShownToken


_GAME = Request("GET", "/api")
_OURS = "strike"
"""The source of the effects that the bridge gave: only those may be removed."""
_NAMESPACE = uuid.UUID("6f0a2f3e-6f3c-4c55-9d0f-0c1d6a1b7e55")
_KEPT_MESSAGES = 30
_DEFAULT_ATTRIBUTES = {"hp": "data.hp.current", "max_hp": "data.hp.maximum"}
"""Default places of the numbers in game systems, unless `attributes` says otherwise."""
_ROLES = {"party": "friendly", "allies": "friendly", "enemies": "hostile"}


class EncounterPlusTarget(Target):
    """The target Encounter+.

    The game master makes the tokens in Encounter+. The bridge links these tokens, and never creates or
    deletes one. A token's position is its centre, in pixels of the map on the player screen. The bridge can't
    set the round and the turn.
    """

    supports = Supports(
        units="pixels",
        anchor="center",
        hp=True,
        statuses=True,
        chat=True,
        links=True,
        find=True,
        read_back=True,
        read_results=True,
    )
    key_variable = ""
    default_url = "http://127.0.0.1:8080"

    def __init__(self, settings: Settings, key: str = "", session: str = "") -> None:
        super().__init__(settings, key, session)
        self.attributes = {**_DEFAULT_ATTRIBUTES, **self.attributes}

    # Sending

    def put_token(self, token: ShownToken, before: ShownToken | None) -> Conversation:
        """Set the token's position, size, role and visibility.

        If a value of its combatant has changed, such as a meter, a status or the initiative, send the
        combatant's values too.
        """
        theirs = self.links[token["id"]]
        game = yield _GAME
        place: dict[str, object] = {}
        if token["position"] is not None:
            if game.planned:
                place = {"x": "<pixels>", "y": "<pixels>"}
            else:
                grid = _map_grid(game)
                if grid is None:
                    return Outcome(OutcomeKind.NOT_SENT, "no map is on its player screen")
                place["x"], place["y"] = grid.token_center(token["position"], token["size"])
        size = {"width": token["size"], "height": token["size"]}
        role = {"role": _ROLES[token["side"]]} if token["side"] in _ROLES else {}
        answer = yield Request(
            "PATCH", f"/api/tokens/{theirs}", {**place, **size, **role, "hidden": self.is_out_of_sight(token)}
        )
        if answer.json() is None and not answer.planned:
            return Outcome(OutcomeKind.UNKNOWN, "its answer was cut off")
        combatant = answer.value("combatant", "id")
        if combatant and (
            before is None or _combatant_fields_to_compare(token) != _combatant_fields_to_compare(before)
        ):
            yield from self._update_combatant(str(combatant), token)
        return None

    def _update_combatant(self, id: str, token: ShownToken) -> Conversation:
        answer = yield Request("GET", f"/api/combatants/{id}")
        change: dict[str, object] = {"effects": _effects_to_set(answer, [*self.status_words(token)])}
        change |= nest_keys(self.meter_numbers(token, as_players=True))
        if token["initiative"] is not None:
            first, *rest = tables_in(answer.value("initiative")) or [{"id": _derived_uuid("initiative", id)}]
            change["initiative"] = [{**first, "value": token["initiative"]}, *rest]
        yield Request("PATCH", f"/api/combatants/{id}", change)
        return None

    def remove_token(self, id: str) -> list[Request]:
        """Hide a token from the players.

        The token isn't deleted, because it belongs to the game master.
        """
        if id not in self.links:
            return []
        return [Request("PATCH", f"/api/tokens/{self.links[id]}", {"hidden": True}, gone_will_do=True)]

    def send_result(self, post: Post) -> list[Request]:
        """Post a result as a message to the log, with an id by which the message is found again.

        EncounterPlus rolls no dice for it. Everybody reads the log, so secret results are never posted.
        """
        if post.result["secret"]:
            return []
        body = {
            "id": _message_id(post),
            "type": "chat",
            "source": _message_source_with_number(post),
            "content": message_content(post.result),
        }
        return [Request("POST", "/api/messages", body, absolute=False)]

    def outcome(self, request: Request, answer: Answer, now: float) -> Outcome:
        """Return the outcome of a request.

        A 404 for a request with an id says that this token or combatant no longer exists. A 404 for the open
        game says that no campaign is open.
        """
        outcome = super().outcome(request, answer, now)
        if answer.status == 404 and request == _GAME and answer.value("message"):
            return Outcome(OutcomeKind.NOT_SENT, "no campaign is open there", status=404)
        if answer.status == 404 and outcome.kind is OutcomeKind.REJECTED and request.path.count("/") > 2:
            return outcome._replace(why="it no longer has such a token: link it again", all=False)
        return outcome

    def is_for_another_request(self, request: Request, answer: Answer) -> bool:
        """Return whether an answer belongs to another request.

        An answer about a token or a combatant does if its id differs from the id in the request's path. An
        answer about a message does if its source differs from the request's source. A missing value is no
        difference.
        """
        asked = request.path.rpartition("/")[2] if request.path.count("/") > 2 else None
        if request.path == "/api/messages" and isinstance(request.body, Mapping):
            return differs(request.body["source"], answer.value("source"))
        return differs(asked, answer.value("id"))

    # Reading

    def read_tokens(self, wire: Wire) -> dict[str, ReadToken] | Outcome:
        """Return the present values of the linked tokens that players see.

        They are size and position and, for combatants, HP.
        """
        answer = self.send_question(wire, _GAME)
        if isinstance(answer, Outcome):
            return answer
        grid = _map_grid(answer)
        tokens = {str(token.get("id")): token for token in tables_in(answer.value("map", "tokens"))}
        fighting = {str(each.get("id")): each for each in tables_in(answer.value("game", "combatants"))}
        found = {}
        for ours, theirs in self.links.items():
            token = tokens.get(theirs)
            if token is not None and not token.get("hidden"):
                combatant = fighting.get(str(value_at_path_of_keys(token, "combatant.id")))
                found[ours] = self._read_size_place_and_hp(ours, token, combatant, grid)
        return found

    def _read_size_place_and_hp(
        self,
        id: str,
        token: Mapping[str, object],
        combatant: Mapping[str, object] | None,
        grid: PixelGrid | None,
    ) -> ReadToken:
        size = parse_number_empty_as_zero(token.get("width", 1))
        shown: ReadToken = {"id": id, "size": size, "hidden": bool(token.get("hidden"))}
        if grid is not None:
            shown["position"] = grid.first_square_of_token_centered_at(
                parse_number_empty_as_zero(token.get("x")), parse_number_empty_as_zero(token.get("y")), size
            )
        if combatant is not None and self.settings.hp in ("exact", "bar"):
            shown["hp"] = {
                "value": value_at_path_of_keys(combatant, self.attributes["hp"]),
                "max": value_at_path_of_keys(combatant, self.attributes["max_hp"]),
            }
        return shown

    def has_result(self, wire: Wire, post: Post) -> bool | Outcome:
        """Return whether a result is among the newest messages; older messages can't be read.

        The id of a message from the bridge is derived from the message's result, so it shows whether the
        message is there.

        In two cases this stays unknown. Then return the outcome REJECTED, so that people decide:

        - A message with the same number and text has an id that the server assigned.
        - The list of messages is full, and no message in it is from the bridge.

        If the messages can't be read, return the outcome of the question.
        """
        answer = self.send_question(wire, _GAME)
        if isinstance(answer, Outcome):
            return answer
        messages = tables_in(answer.value("messages"))
        sources = [str(message.get("source")) for message in messages]
        if any(message.get("id") == _message_id(post) for message in messages):
            return True
        said = [_message_source_with_number(post), message_content(post.result)]
        alike = [each for each in messages if [each.get("source"), each.get("content")] == said]
        if any(not _is_derived_uuid(str(each.get("id"))) for each in alike):
            return Outcome(
                OutcomeKind.REJECTED, "a message with its number and words is there, from any campaign"
            )
        if len(messages) < _KEPT_MESSAGES or any(source.startswith(f"{_OURS} #") for source in sources):
            return False
        return Outcome(OutcomeKind.REJECTED, f"its log shows only the newest {_KEPT_MESSAGES} messages")

    def find_tokens(self, wire: Wire) -> list[ListedToken] | Outcome:
        """Return the tokens of the map on the player screen."""
        answer = self.send_question(wire, _GAME)
        if isinstance(answer, Outcome):
            return answer
        tokens = tables_in(answer.value("map", "tokens"))
        return [ListedToken(str(token.get("id")), str(token.get("name") or "")) for token in tokens]

    def probe(self) -> Request:
        """Return a request that reads the open game and changes nothing."""
        return _GAME

    def own_findings(self, wire: Wire) -> Iterable[Finding]:
        """Yield a finding on whether a map is on the player screen."""
        answer = self.send_question(wire, _GAME)
        if isinstance(answer, Outcome):
            return
        if _map_grid(answer) is None:
            remedy = "Put the map with the tokens on the player screen in Encounter+."
            yield Finding("no map is on the player screen", False, remedy)
        else:
            yield Finding(f"the map {answer.value('map', 'name')} is on the player screen")


def _map_grid(game: Answer) -> PixelGrid | None:
    size = game.value("map", "gridSize")
    return make_grid(
        game.value("map", "gridOffsetX", default=0), game.value("map", "gridOffsetY", default=0), size, size
    )


def _combatant_fields_to_compare(token: ShownToken) -> list[object]:
    return [token[field] for field in ("meters", "status_ids", "statuses", "initiative")]


def _effects_to_set(answer: Answer, names: list[str]) -> list[object]:
    """Return the effects to set on a combatant: ours, one for each of `names`, and all others.

    `answer` has the effects that the combatant has now; the effects that aren't ours are taken from these.
    """
    others = [each for each in tables_in(answer.value("effects")) if each.get("source") != _OURS]
    return [*others, *(
        {"id": _derived_uuid("effect", name), "name": name, "type": "condition", "source": _OURS,
         "enabled": True, "modifiers": [], "attributes": {}}
        for name in names
    )]  # fmt: skip


def _derived_uuid(kind: str, name: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, f"{kind}:{name}")).upper()


def _message_id(post: Post) -> str:
    return _derived_uuid("message", post.event or post.id)


def _is_derived_uuid(id: str) -> bool:
    """Return whether an id is a UUID that was derived from a name.

    The bridge's own ids are derived in this way. The ids that Encounter+ makes are random.
    """
    return (
        re.fullmatch(r"[0-9A-F]{8}-[0-9A-F]{4}-5[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}", id) is not None
    )


def _message_source_with_number(post: Post) -> str:
    return f"{_OURS} #{post.id}"


# The form of a message: Markdown in which no text of ours is markup, a command or dice to roll.

_NOTHING = "\N{WORD JOINER}"
_ACTIVE = re.compile(
    r"(?P<mark>[\\*_~`|<>\[\]{}])"
    r"|(?P<dice>(?<![A-Za-z])\d*[dD](?=[\d%]))"
    r"|(?P<signed>[-+](?=\s?\d))"
    r"|(?P<start>^[ \t]*(?:/|#{1,6}|\d+[.)](?=\s)))",
    re.MULTILINE,
)


def escape_for_encounterplus(text: str) -> str:
    """Return a text escaped for Encounter+, so that no part of it is markup, a command or dice to roll."""
    return _ACTIVE.sub(_break_markup, text)


def _break_markup(match: re.Match[str]) -> str:
    if match["mark"]:
        return "\\" + match["mark"]
    if match["dice"]:
        # Between number, d and number: each half might be an expression of its own.
        return f"{match['dice'][:-1]}{_NOTHING}{match['dice'][-1]}{_NOTHING}"
    if match["signed"]:
        return match["signed"] + _NOTHING
    return _NOTHING + match["start"][:-1] + "\\" + match["start"][-1]


MARKDOWN = Markup(escape_for_encounterplus, "**{}**".format, escape_for_encounterplus, "*{}*".format)


def message_content(result: ShownResult) -> str:
    """Return a result as the content of a message, in Markdown."""
    title, rest = title_and_remaining_text(result)
    head = MARKDOWN.bold(escape_for_encounterplus(title)) if title else ""
    lines = [
        f"{head}{escape_for_encounterplus(rest)}",
        *(format_roll(die, MARKDOWN) for die in result["dice"]),
    ]
    return "\n\n".join(line.replace("\n", "\n\n") for line in lines)
