"""The tools of an AI assistant (`strike mcp`), which answer in text.

The tools are scene, options, play, answer, odds, undo and look. Anybody may have written the texts of the
game. So every line from the game is quoted after `> `, and is never an instruction to the assistant. A long
answer is cut, and `look("more N")` shows the rest. The protocol is in `mcp_server`.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

from strike_cli.refusals import NotProposable

from ..campaign.session_snapshot import SecretItemFinder
from ..command_line_splitting import quote_word_if_needed, split_words_keeping_apostrophes
from ..kernel.state_changes import pending_decisions_in
from ..phones import proposals
from ..phones.player_page_data import Offer, PhoneSnapshot
from ..problems import Problem, Usage, did_you_mean
from ..registry.remote_permissions import ASSISTANT, PLAYED, RemoteSender, allowed_remote_use
from ..session.command_dispatch import allowed_command_from_outside
from ..terminal.invocation import GivenOptions, Invocation
from ..terminal.screen.campaign_view import audience_view_for_players
from ..untrusted_input import replace_unprintable
from .hosted_game import Busy, CommandRequest, HostedGame

MAX_CHARACTERS = 3900
"""The most characters of an answer, including the line that says how to go on."""
MAX_STORED_RESTS = 20
"""The number of answers whose rest is stored."""
DICE_OPTIONS = ("--dice", "-d", "--seed", "--reroll")
"""Options by which dice are chosen."""
GM, PLAYERS = "gm", "players"
LOOKS_OF_PLAYERS = "log, sheet, proposal, rule NUMBER, more N"

if TYPE_CHECKING:
    from typing import NotRequired, TypedDict

    from ..tabletop.scene import Scene as SceneUnderWay
    from ..terminal.json_envelope_types import Envelope

    class OptionListed(TypedDict):
        """A legal command in the data of `options`. An attack also has a forecast."""

        typed: str
        command: str
        p_hit: NotRequired[float]
        expected_damage: NotRequired[str]
        provokes: NotRequired[list[str]]

    class OptionsData(TypedDict, total=False):
        """The keys in the data of the command `options` that this module reads.

        Some systems give the data other keys.
        """

        who: str
        options: list[OptionListed]
        moves: list[str | Mapping[str, object]]
        moves_trade: bool


T = TypeVar("T")
P = ParamSpec("P")


class ToolArgument(NamedTuple):
    """The argument of a tool.

    `what` describes it, `example` is a valid value, and `needed` says whether it must be given.
    """

    name: str
    what: str
    example: str | int
    needed: bool = True


ARGUMENTS = {
    "scene": None,
    "options": ToolArgument("who", "the id of a person", "vex", needed=False),
    "play": ToolArgument("command", "a command, as typed", "attack goblin-1 vex"),
    "answer": ToolArgument("option", "an option of the open decision", "damage"),
    "odds": ToolArgument("what", "a roll, as typed", "skill vex Climbing"),
    "undo": ToolArgument("count", "how many commands", 2, needed=False),
    "look": ToolArgument("command", "a command that only reads, as typed", "status"),
}
"""The arguments of each tool."""
LONGEST_SHOWN = 60
"""The most characters of a wrong argument that a refusal shows."""


def describe_call_if_wrong(tool: str, given: Mapping[str, object]) -> str:
    """Return a message about a wrong call, with a correct example; "" if the call is correct."""
    if tool not in ARGUMENTS:
        hint = did_you_mean(tool, ARGUMENTS)
        return f"Refused: there is no tool {_short_json(tool)}.{hint} The tools are {', '.join(ARGUMENTS)}."
    takes = ARGUMENTS[tool]
    unknown = next((name for name in given if takes is None or name != takes.name), None)
    if takes is None:
        return (
            "" if unknown is None else f"Refused: {tool} takes no {_short_json(unknown)}. Give no arguments."
        )
    value = given.get(takes.name)
    if unknown is not None:
        wrong = f"{tool} takes no {_short_json(unknown)}"
    elif value is None or value == "":
        wrong = f"{tool} needs {takes.name}, {takes.what}" if takes.needed else ""
    elif isinstance(takes.example, str):
        wrong = "" if isinstance(value, str) else f"{takes.name} is text, not {_short_json(value)}"
    else:
        text = value if isinstance(value, str) else ""
        number = type(value) is int or (text.isascii() and text.isdecimal() and len(text) < 9)
        wrong = "" if number else f"{takes.name} is a whole number, not {_short_json(value)}"
    example = json.dumps({takes.name: takes.example})
    return f"Refused: {wrong}. For example: {tool} {example}" if wrong else ""


def _short_json(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


class Assistant(NamedTuple):
    """The audience and the permissions of an assistant.

    `audience` is "gm" or "players". `character` is the character whose player it assists, "" for all players.
    With `propose`, its commands are proposals, which the game master has to accept. With `physical_dice`, it
    may enter dice that were rolled at the table.
    """

    audience: str = GM
    character: str = ""
    propose: bool = False
    physical_dice: bool = False

    @property
    def is_player(self) -> bool:
        """Whether the assistant sees only what players see, and can only propose."""
        return self.audience != GM


def refusals_as_text(tool: Callable[P, str]) -> Callable[P, str]:
    """Return a tool that answers a refusal with a text.

    The given `tool` raises refusals as exceptions.
    """

    @wraps(tool)
    def answer(*given: P.args, **named: P.kwargs) -> str:
        try:
            return tool(*given, **named)
        except Problem as problem:
            return f"Refused: {replace_unprintable(problem.message)}\n{replace_unprintable(problem.hint)}"[
                :MAX_CHARACTERS
            ]
        except Busy:
            return "Refused: another command is being recorded. Try again; nothing was played."

    return answer


class Tools:
    """The tools of one assistant for one game. Each returns text."""

    def __init__(self, game: HostedGame, assistant: Assistant) -> None:
        self.game = game
        self.who = assistant
        self._secret = SecretItemFinder()
        game.words = True
        self._more: OrderedDict[int, str] = OrderedDict()
        self._pages = 0
        self._proposed = 0

    # The tools

    @refusals_as_text
    def scene(self) -> str:
        """Return the scene in words: for a player only what players see."""
        if not self.who.is_player:
            open_ = self._run_in_game(lambda: bool(_scenes_of_game(self.game)))
            word = "show" if open_ else "status"
            return self._play_and_quote(
                CommandRequest((word,)), f"options lists the legal commands.{self._proposal_state_text()}"
            )
        text = self._run_in_game(lambda: _table_text_for_players(self.game))
        return self._quote_and_cut_game_text(
            text, f"options lists the proposals that are possible.{self._proposal_state_text()}"
        )

    @refusals_as_text
    def options(self, who: str = "") -> str:
        """Return the open decisions and the legal moves, in words.

        A player gets only moves that the player can propose. `who` limits the moves to one person.
        """
        if self.who.is_player:
            lines = self._run_in_game(
                lambda: [
                    *self._decision_lines(),
                    *(
                        f"{_typed_line_of(each.words)}  ({each.text})"
                        for each in self._possible_proposals()
                        if not who or who in each.words[1:3]
                    ),
                ]
            )
            return self._quote_and_cut_game_text(
                "\n".join(lines) or "Nothing can be proposed now.", "play(line) proposes one of these lines."
            )
        waits, scene_waits = self._run_in_game(
            lambda: (_pending_decisions_text(self.game), _newest_scene_awaits_decision(self.game))
        )
        if scene_waits:
            return self._quote_and_cut_game_text(waits, "answer(option) decides it; then the scene goes on.")
        text, envelope = self._play_request(CommandRequest(("options", who) if who else ("options",)))
        data: OptionsData = envelope["data"] if envelope["ok"] else {}  # type: ignore[assignment]  # its own form
        if waits and not data.get("options"):
            return self._quote_and_cut_game_text(waits, "answer(option) decides it.")
        if not envelope["ok"]:
            return _refusal_text(envelope)
        options = data.get("options", [])
        if not all("typed" in each for each in options) or "options" not in data:
            options = self._run_in_game(self._legal_moves_of_newest_scene)
        lines = [*([waits] if waits else []), *map(_option_line, options)]
        if reach := data.get("moves"):
            squares = ", ".join(
                dict.fromkeys(
                    str(each.get("square", each.get("typed")) if isinstance(each, dict) else each)
                    for each in reach
                )
            )
            trade = " --trade" if data.get("moves_trade") else ""
            lines.append(f"combat move {data['who']} SQUARE{trade}  (to one of {squares})")
        return self._quote_and_cut_game_text(
            "\n".join(lines) or text or "No option is left now.",
            "play(line) plays one of these lines; `next` plays the next step.",
        )

    @refusals_as_text
    def play(self, command: str) -> str:
        """Play a command, and return the result in words.

        `command` is a line as it is typed. If the sender may only propose commands, the command becomes a
        proposal.
        """
        return self._play_or_propose_words(self._split_line(command))

    @refusals_as_text
    def answer(self, option: str) -> str:
        """Answer the open decision or, if the user may only propose, propose the answer."""
        return self._play_or_propose_words(["choose", option])

    @refusals_as_text
    def odds(self, what: str) -> str:
        """Return the odds of a roll in words.

        For a player, these are the chances of a move that the player may propose.
        """
        words = self._split_line(what)
        if not self.who.is_player:
            return self._play_and_quote(
                CommandRequest(("odds", *words[words[:1] == ["odds"] :])), 'Exact, unless it says "about".'
            )
        return self._quote_and_cut_game_text(
            self._run_in_game(lambda: self._require_chances_of_offer(words)), "play(line) proposes it."
        )

    @refusals_as_text
    def undo(self, count: int = 1) -> str:
        """Undo the last `count` commands.

        An assistant that may only make proposals proposes the undo instead. A player's assistant is refused.
        """
        return self._play_or_propose_words(["undo", str(count)])

    @refusals_as_text
    def look(self, command: str) -> str:
        """Return the output of a command that only reads.

        `more N` returns the rest of a long answer, and `proposal` the state of the assistant's proposal.
        """
        words = self._split_line(command)
        if words[0] == "more" and len(words) == 2:
            number = words[1]
            rest = (
                self._more.get(int(number))
                if number.isascii() and number.isdecimal() and len(number) < 9
                else None
            )
            if rest is None:
                raise Usage(
                    f"Nothing more is stored under {number}.", "Call the tool again for the whole answer."
                )
            return self._cut_and_store_rest(rest, "")
        if words[0] == "proposal":
            return self._quote_and_cut_game_text(
                self._proposal_state_text().strip() or "Nothing was proposed.", ""
            )
        if self.who.is_player and words[0] != "rule":
            return self._read_as_player(words)
        whole = self._run_in_game(lambda: self._allowed_command_name(words))
        if allowed_remote_use(whole, RemoteSender.MCP) == PLAYED:
            raise Usage(f"`{whole}` does not only read.", "play(command) plays it.")
        return self._play_and_quote(CommandRequest(tuple(words), without=DICE_OPTIONS), "")

    # The work of the tools

    def _legal_moves_of_newest_scene(self) -> list[OptionListed]:
        """Return the legal moves of the newest scene.

        The method is used for a system whose own command `options` doesn't return a list in this form.
        """
        from ..kernel.procedure import World
        from ..play.legal_options import legal_options_listed_by_bot
        from ..registry import systems_by_scene_key

        campaign = self.game.current_campaign
        system = systems_by_scene_key()[_scenes_of_game(self.game)[-1].key]
        found = legal_options_listed_by_bot(system, World(campaign.book, campaign.state))
        return [{"typed": str(each), "command": each.command} for each in found]

    def _play_or_propose_words(self, words: Sequence[str]) -> str:
        if self.who.is_player:
            return self._propose_for_player(words)
        whole = self._run_in_game(lambda: self._allowed_command_name(words))
        if allowed_remote_use(whole, RemoteSender.MCP) != PLAYED:
            raise Usage(f"`{whole}` plays nothing.", "look(command) reads it.")
        if self.who.propose:
            return self._add_proposal("", words, _typed_line_of(words))
        return self._play_and_quote(
            CommandRequest(
                tuple(words), GivenOptions(), without=() if self.who.physical_dice else DICE_OPTIONS
            ),
            self._next_steps,
            note_if_refused="Nothing was recorded.",
        )

    def _read_as_player(self, words: list[str]) -> str:
        from .audience_queries import newest_log_text_for_players, sheet_text

        if words[0] == "log":
            return self._quote_and_cut_game_text(
                self._run_in_game(lambda: newest_log_text_for_players(self.game)), ""
            )
        if words[0] == "sheet" and self.who.character and words[1:] in ([], [self.who.character]):
            return self._quote_and_cut_game_text(
                self._run_in_game(lambda: sheet_text(self._current_snapshot(), self.who.character)), ""
            )
        raise Usage(f"`{words[0]}` is not for players.", f"They may look at: {LOOKS_OF_PLAYERS}.")

    # Proposals

    def _propose_for_player(self, words: Sequence[str]) -> str:
        def find_offer() -> tuple[str, Sequence[str], str, str]:
            snapshot = self._current_snapshot()
            for person in self._people_it_proposes_for(snapshot):
                for decision in snapshot.open_decisions(person):
                    if words[0] == "choose" and words[1:2] and words[1] in decision.options:
                        answered, text = decision.command_and_text_for_answer(words[1])
                        return person, answered, text, decision.mark
                for offer in (*snapshot.move_offers(person).values(), *snapshot.roll_offers(person).values()):
                    if list(words) in (list(offer.words), list(offer.words[1:])):
                        return person, offer.words, offer.text, ""
            raise NotProposable()

        person, found, text, answers = self._run_in_game(find_offer)
        return self._add_proposal(person, found, text, answers)

    def _add_proposal(self, who: str, words: Sequence[str], text: str, decision_mark: str = "") -> str:
        made = proposals.add_or_replace_proposal(
            self.game.folder, who, words, text, (), decision_mark, ASSISTANT
        )
        self._proposed = made.id
        return (
            f"Proposal {made.id} waits for the game master. Nothing has happened yet.\n"
            'look("proposal") says what became of it.'
        )

    def _proposal_state_text(self) -> str:
        now = proposals.read_proposals(self.game.folder)
        waits = now.open_assistant_proposal()
        if waits is not None:
            return f"\nProposal {waits.id} waits for the game master: {waits.text}"
        end = next((each for each in now.ended if each.id == self._proposed), None)
        return f"\nProposal {end.id} was {end.outcome}: {end.text} {end.why}".rstrip() if end else ""

    # The game and the audience

    def _allowed_command_name(self, words: Sequence[str]) -> str:
        """Return the full name of the command for these words. Call it on the game's thread.

        Raises NotFromOutside if assistants may not use the command.
        """
        return allowed_command_from_outside(
            words, RemoteSender.MCP, Invocation(campaign=self.game.current_campaign)
        ).name

    def _split_line(self, line: str) -> list[str]:
        try:
            words = split_words_keeping_apostrophes(line.strip().removeprefix("> "))
        except ValueError as error:
            raise Usage(f"{error}.", "Close every quote.") from None
        words = words[words[:1] == ["strike"] :]
        if not words or len(words) > 200:
            raise Usage("That is not a command.", 'Like play("attack goblin-1 vex").')
        return words

    def _people_it_proposes_for(self, snapshot: PhoneSnapshot) -> list[str]:
        return [self.who.character] if self.who.character else list(snapshot.book.characters)

    def _current_snapshot(self) -> PhoneSnapshot:
        campaign = self.game.current_campaign
        return PhoneSnapshot(campaign.book, audience_view_for_players(campaign, self._secret))

    def _possible_proposals(self) -> list[Offer]:
        snapshot = self._current_snapshot()
        people = self._people_it_proposes_for(snapshot)
        return [
            each
            for person in people
            for each in (*snapshot.move_offers(person).values(), *snapshot.roll_offers(person).values())
        ]

    def _decision_lines(self) -> list[str]:
        snapshot = self._current_snapshot()
        return [
            f"choose {option}  ({decision.asks} {label})"
            for person in self._people_it_proposes_for(snapshot)
            for decision in snapshot.open_decisions(person)
            for option, label in zip(decision.options, decision.labels, strict=True)
        ]

    def _require_chances_of_offer(self, words: Sequence[str]) -> str:
        snapshot = self._current_snapshot()
        for person in self._people_it_proposes_for(snapshot):
            for offer in snapshot.move_offers(person).values():
                if list(words) in (list(offer.words), list(offer.words[1:])):
                    found = snapshot.compute_forecast_for_player(person, offer)
                    chances = found.chances if found else {}
                    return (
                        "\n".join(f"{name}: {float(p):.0%}" for name, p in chances.items())
                        or "No chance is known."
                    )
        raise NotProposable()

    def _next_steps(self, envelope: Envelope) -> str:
        if asked := envelope.get("pending"):
            return f"A decision is open: answer with one of {', '.join(asked['options'][:12])}."
        return "options lists the legal commands."

    # Answering

    def _run_in_game(self, work: Callable[[], T]) -> T:
        return self.game.call_on_game_thread(work).result()

    def _play_request(self, request: CommandRequest) -> tuple[str, Envelope]:
        return self.game.play_with_output(request).result()

    def _play_and_quote(
        self, request: CommandRequest, closing: str | Callable[[Envelope], str], note_if_refused: str = ""
    ) -> str:
        text, envelope = self._play_request(request)
        if not envelope["ok"] and not text:
            return f"{_refusal_text(envelope)} {note_if_refused}".strip()
        return self._quote_and_cut_game_text(text, closing if isinstance(closing, str) else closing(envelope))

    def _quote_and_cut_game_text(self, text: str, closing: str) -> str:
        """Return the game's text quoted after `> `, cut to the allowed length, with `closing` below it."""
        quoted = "\n".join(
            f"> {line}".rstrip() for line in replace_unprintable(text).rstrip("\n").split("\n")
        )
        return self._cut_and_store_rest(quoted, closing)

    def _cut_and_store_rest(self, quoted: str, closing: str) -> str:
        room = MAX_CHARACTERS - len(closing) - 80
        if len(quoted) <= room:
            return f"{quoted}\n{closing}".rstrip("\n")
        end = quoted.rfind("\n", 0, room)
        end = end if end > room // 2 else room
        self._pages += 1
        rest = quoted[end:].removeprefix("\n")
        self._more[self._pages] = rest if rest.startswith("> ") else f"> {rest}"
        if len(self._more) > MAX_STORED_RESTS:
            self._more.popitem(last=False)
        more = f'There is more: look("more {self._pages}").'
        return f"{quoted[:end]}\n{closing}\n{more}".replace("\n\n", "\n")


def _scenes_of_game(game: HostedGame) -> Sequence[SceneUnderWay]:
    from ..registry.scenes_and_decisions_in_state import scenes_under_way

    return scenes_under_way(game.current_campaign.state)


def _table_text_for_players(game: HostedGame) -> str:
    from .audience_queries import table_text_for_players

    return table_text_for_players(game)


def _newest_scene_awaits_decision(game: HostedGame) -> bool:
    scenes = _scenes_of_game(game)
    return bool(scenes) and scenes[-1].key in pending_decisions_in(game.current_campaign.state)


def _pending_decisions_text(game: HostedGame) -> str:
    from ..terminal.command_output import blocks_as_unwrapped_text, open_decision_lines

    now = game.current_campaign
    waits, language = pending_decisions_in(now.state).values(), now.book.locale()
    return blocks_as_unwrapped_text(
        [line for item in waits for line in open_decision_lines(item, language)]
    ).rstrip("\n")


def _typed_line_of(words: Sequence[str]) -> str:
    """Return words as a line that `play` accepts, with quotes where needed."""
    return " ".join(map(quote_word_if_needed, words))


def _option_line(option: OptionListed) -> str:
    told = []
    if "p_hit" in option:
        damage = _fraction_to_one_decimal(option["expected_damage"])
        told.append(f"hits {option['p_hit']:.0%}, {damage} damage on average")
    if option.get("provokes"):
        told.append(f"lets {', '.join(option['provokes'])} strike first")
    note = f"  ({'; '.join(told)})" if told else ""
    return f"{option['command'].partition(' ')[0]} {option['typed']}{note}"


def _fraction_to_one_decimal(fraction: str) -> str:
    over, _, under = fraction.partition("/")
    return f"{int(over) / int(under or 1):.1f}"


def _refusal_text(envelope: Envelope) -> str:
    error = envelope["error"]
    return f"Refused: {replace_unprintable(error['message'])} {replace_unprintable(error['hint'])}".strip()[
        :MAX_CHARACTERS
    ]
