"""Short forms of command lines, and the full commands that they stand for.

A line is short if it is an alias, a letter, a verb of the scene under way, or the beginning of a name. A line
is looked up here only if it is no full command. So scripts with full commands lose no time. Begin with
`ShortForms.expand_line`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.refusals import AmbiguousWord

from .. import registry
from ..command_line_splitting import quote_word_if_needed
from ..kernel.driver import NotAnOption
from ..kernel.state_changes import pending_decisions_in
from ..problems import CampaignProblem, Problem, Usage, did_you_mean, listed, pluralize
from ..registry.installed_plugins import import_object, plugin_index
from ..registry.scenes_and_decisions_in_state import names_of_systems_under_way

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.journal_types import WaitingDecision
    from ..registry.system_declaration import System
    from ..terminal.invocation import Invocation

LETTERS: Mapping[str, str] = {"n": "next", "s": "show", "o": "options", "z": "undo", "abandon": "end"}
"""The letters and words for verbs that every scene has; systems add letters for their own verbs, which take
precedence.
"""

COMMANDS_WITHOUT_GROUP: Mapping[str, str] = {"story": "session story", "report": "session report"}
"""Commands that may be typed without their group."""

HOW_TO_GO_ON = "`strike help now` says how to go on."

CHOOSE_COMMAND = "choose"
"""The command that answers a decision."""
FEWEST_LETTERS = 2
"""The fewest letters of a beginning: a single letter that stands for nothing is a typo."""

_DICE = re.compile(r"(\d*[dD]\d+)([+-]\d+)?")
"""The pattern of dice in notation, with what is added to them."""

Verbs = Callable[[str], Sequence[str]]
"""The commands of a group, by the group's name."""


class ShortForms:
    """The short forms that are valid now.

    They depend on the scenes under way, and on the aliases of the campaign and of the user. The scene in use
    takes precedence.
    """

    def __init__(self, invocation: Invocation, verbs: Verbs) -> None:
        self._verbs = verbs
        self.systems: list[System] = []
        """The systems with scenes under way; the verbs of the first take precedence."""
        self.aliases: dict[str, str] = read_user_aliases()
        self.played: list[str] = []
        """The systems that the campaign says it plays; empty where it names none."""
        self.usual: list[str] = []
        """The systems played by default, where a campaign names none; empty without a campaign."""
        self.pending: Mapping[str, WaitingDecision] = {}
        """The open decisions."""
        self.lacking: list[str] = []
        """The plugins that the campaign needs but that are missing, a line each."""
        campaign = _campaign_if_readable(invocation)
        if campaign is None:
            return
        with campaign:
            self.aliases |= campaign.book.aliases
            self.played, self.lacking = campaign.book.systems, campaign.book.lacking
            known = registry.known_systems()
            self.usual = [name for name in plugin_index().plugins[0].systems if known[name].scene]
            self.pending = pending_decisions_in(campaign.state)
            self.systems = systems_with_open_scenes(campaign.state)

    def expand_line(self, words: Sequence[str]) -> list[str] | None:
        """Return the full command for a short line; None if it is no short line.

        Raises Usage if it fits several commands.
        """
        name, *rest = words
        if name in self.aliases:
            name, *rest = expand_alias(name, self.aliases[name], rest)
            if name in registry.command_apps_by_group():
                return [name, *rest]
        scenes = {system.name for system in self.systems}
        if name == "use" and rest and rest[0] in scenes and all(word.startswith("-") for word in rest[1:]):
            return ["scene", "use", *rest]
        for find in (
            self._expand_exact_verb,
            self._expand_beginning_of_group,
            self._words_for_short_form,
            self._expand_beginning_of_name,
        ):
            found = find(name, rest)
            if found is not None:
                return [*found, *rest]
        return None

    def command_for_answer(self, words: Sequence[str], *, begun: bool = False) -> list[str] | None:
        """Return the command that answers an open decision, if a line is such an answer; otherwise None.

        The line is one word, perhaps followed by options such as `--json`. The word is one of the decision's
        options, or its number. If `begun` is true, the beginning of an option is enough.
        """
        name, *rest = words
        if not self.pending or not all(word.startswith("-") for word in rest):
            return None
        from ..terminal.move_commands import decision_answered_by

        with suppress(NotAnOption):
            found = decision_answered_by(self.pending, name, must_fit=begun)
            return [CHOOSE_COMMAND, "--for", *found, *rest] if found else None
        return None

    def name_of_first_group_with_verb(self, name: str) -> str | None:
        """Return the command group of a scene under way that has exactly this verb; None if there is none.

        If several scenes have the verb, the first one counts.
        """
        return next((each.name for each in self.systems if name in self._verbs(each.name)), None)

    def aliases_and_verbs(self) -> Iterator[str]:
        """Yield the words with which a short line may begin: aliases, and verbs of the scenes under way."""
        yield from self.aliases
        for system in self.systems:
            yield from self._verbs(system.name)

    def verbs_by_short_form_in_scene(self) -> dict[str, str]:
        """Return the short forms of commands in the scene in use.

        The keys are letters or words to type, and the values are the verbs that they stand for.
        """
        if not self.systems:
            return {"n": "next", "z": "undo"}
        own = self.systems[0]
        known = {*self._verbs(own.name), "next", "undo"}
        return {
            key: verb for key, verb in {**LETTERS, **own.scene.shorts}.items() if verb.split()[0] in known
        }

    def games_meant_besides_open_scenes(self) -> list[str]:
        """Return the names of the systems that a typed line may mean if its verb fits no scene under way.

        If the campaign names its systems, return those. If it names none and a scene is under way, return
        none. Otherwise return the usual systems or, without a campaign, every system. In all cases, systems
        without scenes are left out.
        """
        scenes = [each for each, known in registry.known_systems().items() if known.scene]
        # While a scene is under way another game's verbs are not what was meant, unless it is played here.
        asked = self.played or ([] if self.systems else self.usual or scenes)
        return [each for each in asked if each in scenes]

    def refusal(self, name: str, rest: Sequence[str], accepts_words: Callable[[list[str]], bool]) -> Usage:
        """Return the refusal of a line that fits no command, with a suggestion.

        `accepts_words` is a test of whether a full command accepts its words.
        """
        if dice := _DICE.fullmatch(name):
            return Usage(f"There is no command {name!r}.", f"`strike roll {dice[1]}` rolls dice.")
        games = self.games_meant_besides_open_scenes()
        if not self.systems and (verb := _verbs_of_letters_in_first_game(games).get(name)):
            says = f"No scene under way has {name!r}, for {verb!r}."
            return Usage(says, HOW_TO_GO_ON)
        having = [each for each in games if name in self._verbs(each)]
        owners = [each for each in having if accepts_words([each, name, *rest])]
        if owners:
            return self._no_scene_for_verb_refusal(owners, [name, *rest], written_out=len(owners) == 1)
        for system in [
            *self.systems,
            *(each for each in registry.load_usable_systems() if each not in self.systems),
        ]:
            if name in system.help.said and (
                system in self.systems or not self.played or system.name in self.played or not system.rules
            ):
                command, why = system.help.said[name]
                return Usage(
                    f"There is no command {name!r}. You mean `{command}`: {why}.",
                    f"Type `strike {command}`."
                    if command.startswith("help ")
                    else f"`strike help {command}` shows how.",
                )
        if having:
            return self._no_scene_for_verb_refusal(having, [name, *rest], written_out=False)
        verbs = (verb for each in games for verb in self._verbs(each))
        known = list(dict.fromkeys([*self.aliases_and_verbs(), *registry.command_apps_by_group(), *verbs]))
        hint = " ".join([*self.lacking, "`strike help all` lists all commands."]) if self.lacking else ""
        message = f"There is no command {name!r}.{did_you_mean(name, known)}"
        return Usage(message, hint or "`strike help` lists them.")

    def _no_scene_for_verb_refusal(
        self, systems: Sequence[str], words: Sequence[str], written_out: bool
    ) -> Usage:
        """Return the refusal of a line whose first word is a verb of `systems`, while they have no scene.

        `words` is the line. If `written_out` is True, the refusal suggests the full command of the first
        system. Otherwise it suggests the help on the verb.
        """
        ways = f"Written out: `strike {systems[0]} {' '.join(map(quote_word_if_needed, words))}`."
        if not written_out:
            helps = listed([f"`strike help {each} {words[0]}`" for each in systems])
            ways = f"How it is used: {helps}."
        now = "A decision is open: `strike help now`." if self.pending else HOW_TO_GO_ON
        return Usage(f"No scene under way has {words[0]!r}.", f"{ways} {now}")

    # The kinds of short lines, the plainest first

    def _expand_exact_verb(self, name: str, rest: Sequence[str]) -> list[str] | None:
        group = self.name_of_first_group_with_verb(name)
        return [group, name] if group else None

    def _expand_beginning_of_group(self, name: str, rest: Sequence[str]) -> list[str] | None:
        """Return the group whose name begins with `name`, in a list, or None.

        For example, `c` means `combat` in `c show`. The group must be that of a scene under way, and
        `rest` must begin with one of its verbs.
        """
        for system in self.systems:
            if rest and system.name.startswith(name) and rest[0] in self._verbs(system.name):
                return [system.name]
        return None

    def _words_for_short_form(self, name: str, rest: Sequence[str]) -> list[str] | None:
        others = (each.scene.shorts.get(name) for each in self.systems[1:] if len(name) > 1)
        verb = (
            self.verbs_by_short_form_in_scene().get(name)
            or next(filter(None, others), None)
            or COMMANDS_WITHOUT_GROUP.get(name)
        )
        if verb is None:
            return None
        first, *more = verb.split()
        group = self.name_of_first_group_with_verb(first)
        return [group, first, *more] if group else [first, *more]

    def _expand_beginning_of_name(self, name: str, rest: Sequence[str]) -> list[str] | None:
        if len(name) < FEWEST_LETTERS:
            return None
        for system in self.systems:
            found = find_or_refuse_ambiguous_beginning(name, self._verbs(system.name))
            if found:
                return [system.name, found]
        found = find_or_refuse_ambiguous_beginning(name, list(registry.command_apps_by_group()))
        return [found] if found else None


def _verbs_of_letters_in_first_game(games: Sequence[str]) -> dict[str, str]:
    """Return the verb for each letter.

    Some letters mean the same in every scene. The meanings of the others come from the first game in `games`.
    """
    own = registry.load_known_system(games[0]).scene.shorts if games else {}
    return {**LETTERS, **own}


def command_for_short_form(group: str, word: str, commands: Collection[str]) -> str:
    """Return the command of a group for a short form such as `n`; "" if `word` is no short form.

    The result is also "" if the command isn't among `commands`.
    """
    known = registry.known_systems().get(group)
    shorts = {**LETTERS, **registry.load_known_system(group).scene.shorts} if known and known.scene else {}
    verb = shorts.get(word, "")
    return verb if verb.partition(" ")[0] in commands else ""


def find_or_refuse_ambiguous_beginning(word: str, known: Sequence[str]) -> str | None:
    """Return the name that begins with `word`; None if there is none.

    Raises AmbiguousWord if there are several.
    """
    found = [each for each in known if each.startswith(word)]
    if len(found) > 1:
        raise AmbiguousWord(repr(word), listed(found), "Type one letter more.")
    return found[0] if found else None


def implied_command(group: str, words: Sequence[str]) -> str:
    """Return the command that a line leaves out after its group, as in `roll vex climb`.

    `words` are the words that were typed after the group. Returns "" if no command of the group fits.
    """
    for system in registry.load_usable_systems():
        if group in system.meant:
            meant: Callable[[Sequence[str]], str] = import_object(system.absolute(system.meant[group]))
            if found := meant(words):
                return found
    return ""


def systems_with_open_scenes(state: Mapping[str, object]) -> list[System]:
    """Return the systems with scenes under way.

    The system chosen with `use` comes first. The others follow, the newest scene first.
    """
    known = {system.name: system for system in registry.systems_by_scene_key().values()}
    found = [known[name] for name in reversed(names_of_systems_under_way(state)) if name in known]
    session = state.get("session")
    used = session.get("scene") if isinstance(session, Mapping) else None
    return sorted(found, key=lambda system: system.name != used)


def read_user_aliases() -> dict[str, str]:
    """Return the user's own aliases, which are valid in all campaigns.

    They are the table `[aliases]` of the file `aliases.toml`, in strike's folder among the user's settings.
    If there is no such file, the result is empty. Raises CampaignProblem if the file can't be read, or if an
    alias is invalid.
    """
    base = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA") or "~/.config"
    file = Path(base).expanduser() / "strike" / "aliases.toml"
    if not file.is_file():
        return {}
    from ..content.schemas import ALIASES
    from ..file_faults import Faults, Place, faults_as_text
    from ..untrusted_input import parse_toml

    faults: Faults = []
    try:
        data = parse_toml(file.read_bytes())
    except (OSError, ValueError) as error:
        raise CampaignProblem(f"{file}: {error}.", "Fix it, or remove it.") from None
    found = ALIASES.check(data.get("aliases", {}), Place("aliases", file=str(file)), faults)
    if faults:
        raise CampaignProblem(faults_as_text(faults), "Fix it.")
    return found  # type: ignore[return-value]  # of texts


def expand_alias(name: str, text: str, rest: Sequence[str]) -> list[str]:
    """Return the words for which an alias stands, with the words typed after it (`rest`).

    In the alias's `text`, {1} and {2} stand for the first and the second word typed, and {*} for all further
    words. Without {*}, the further words are added at the end. Raises Usage if the alias needs more words
    than were typed.
    """
    wanted = max((int(number) for number in re.findall(r"\{([1-9]\d*)\}", text)), default=0)
    if wanted > len(rest):
        raise Usage(f"`{name}` stands for `{text}`: it needs {pluralize(wanted, 'word')} after it.")
    others = list(rest[wanted:])
    words: list[str] = []
    for word in shlex.split(text):
        if word == "{*}":
            words += others
            others = []
        else:
            words.append(re.sub(r"\{([1-9]\d*)\}", lambda place: rest[int(place[1]) - 1], word))
    return [*words, *others]


def _campaign_if_readable(invocation: Invocation) -> Campaign | None:
    from ..terminal.commands_and_options import Options

    try:
        return Options({}, invocation).open_campaign_if_any()
    except Problem:
        return None  # the command that is found says what is wrong with it
