"""Short lines: a verb of the scene under way without its group, its first letters, or an alias.

Used only where a line is no full command, so a script that writes commands out pays nothing for it. Begin
with `Spoken.written_out`.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from strike_cli.refusals import MayBeSeveral

from .. import registry
from ..kernel.driver import NoAnswer
from ..kernel.facts import waiting_in
from ..problems import CampaignProblem, Problem, Usage, listed, nearest, pluralize
from ..registry.installed import index, load_object
from ..registry.scenes import systems_under_way
from ..word_splitting import quote_word

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.journal_types import WaitingDecision
    from ..registry.declaration import System
    from ..terminal.invocation import Invocation

LETTERS: Mapping[str, str] = {"n": "next", "s": "show", "o": "options", "z": "undo", "abandon": "end"}
"""The letters and words for verbs that every scene has; systems add letters for their own verbs, which take
precedence.
"""

ALONE: Mapping[str, str] = {"story": "session story", "report": "session report"}
"""Commands that may be typed without their group."""

HOW_TO_GO_ON = "`strike help now` says how to go on."

CHOOSE = "choose"
"""The command that answers a decision."""
FEWEST_LETTERS = 2
"""The fewest letters of a beginning: a single letter that stands for nothing is a typo."""

_DICE = re.compile(r"(\d*[dD]\d+)([+-]\d+)?")
"""The pattern of dice in notation, with what is added to them."""

Verbs = Callable[[str], Sequence[str]]
"""The commands of a group, by the group's name."""


class Spoken:
    """The short forms that are valid in the present scene.

    They depend on the scenes under way, the one in use first, and on the aliases of the campaign and of its
    user.
    """

    def __init__(self, invocation: Invocation, verbs: Verbs) -> None:
        self._verbs = verbs
        self.systems: list[System] = []
        """The systems with scenes under way; the verbs of the first take precedence."""
        self.aliases: dict[str, str] = own_aliases()
        self.played: list[str] = []
        """The systems that the campaign says it plays; empty where it names none."""
        self.usual: list[str] = []
        """The systems played by default, where a campaign names none; empty without a campaign."""
        self.pending: Mapping[str, WaitingDecision] = {}
        """The open decisions."""
        self.lacking: list[str] = []
        """The plugins that the campaign needs but that are missing, a line each."""
        campaign = _campaign_near(invocation)
        if campaign is None:
            return
        with campaign:
            self.aliases |= campaign.book.aliases
            self.played, self.lacking = campaign.book.systems, campaign.book.lacking
            known = registry.known_systems()
            self.usual = [name for name in index().plugins[0].systems if known[name].scene]
            self.pending = waiting_in(campaign.state)
            self.systems = systems_in_use(campaign.state)

    def written_out(self, words: Sequence[str]) -> list[str] | None:
        """Return the whole command that a short line means; None where it means nothing.

        Raises Usage where it may mean several.
        """
        name, *rest = words
        if name in self.aliases:
            name, *rest = expand_alias(name, self.aliases[name], rest)
            if name in registry.command_groups():
                return [name, *rest]
        scenes = {system.name for system in self.systems}
        if name == "use" and rest and rest[0] in scenes and all(word.startswith("-") for word in rest[1:]):
            return ["scene", "use", *rest]
        for find in (self._verb, self._group, self._expand_verb, self._beginning):
            found = find(name, rest)
            if found is not None:
                return [*found, *rest]
        return None

    def answer(self, words: Sequence[str], *, begun: bool = False) -> list[str] | None:
        """Return the command that answers an open decision with the one word of a line.

        The word is an option or its number, or, with `begun`, the beginning of an option. None where it is no
        answer.
        """
        name, *rest = words
        if not self.pending or not all(word.startswith("-") for word in rest):
            return None
        from ..terminal.declare import decision_meant

        with suppress(NoAnswer):
            found = decision_meant(self.pending, name, begun=begun)
            return [CHOOSE, "--for", *found, *rest] if found else None
        return None

    def verb(self, name: str) -> str | None:
        """Return the group of the scene under way that has a verb of exactly this name."""
        return next((each.name for each in self.systems if name in self._verbs(each.name)), None)

    def known(self) -> Iterator[str]:
        """Yield every word that may be the first of a short line."""
        yield from self.aliases
        for system in self.systems:
            yield from self._verbs(system.name)

    def shorts(self) -> dict[str, str]:
        """Return the meanings of the letters and words that stand for a verb in the scene in use."""
        if not self.systems:
            return {"n": "next", "z": "undo"}
        own = self.systems[0]
        known = {*self._verbs(own.name), "next", "undo"}
        return {
            key: verb for key, verb in {**LETTERS, **own.scene.shorts}.items() if verb.split()[0] in known
        }

    def games(self) -> list[str]:
        """Return the systems whose verbs may be meant although none of their scenes is under way."""
        scenes = [each for each, known in registry.known_systems().items() if known.scene]
        # While a scene is under way another game's verbs are not what was meant, unless it is played here.
        asked = self.played or ([] if self.systems else self.usual or scenes)
        return [each for each in asked if each in scenes]

    def refusal(self, name: str, rest: Sequence[str], fits: Callable[[list[str]], bool]) -> Usage:
        """Return the refusal of a line that means nothing, with the nearest valid line.

        `fits` is a test whether a whole command accepts its words.
        """
        if dice := _DICE.fullmatch(name):
            return Usage(f"There is no command {name!r}.", f"`strike roll {dice[1]}` rolls dice.")
        games = self.games()
        if not self.systems and (verb := _letters_of(games).get(name)):
            says = f"No scene under way has {name!r}, for {verb!r}."
            return Usage(says, HOW_TO_GO_ON)
        having = [each for each in games if name in self._verbs(each)]
        owners = [each for each in having if fits([each, name, *rest])]
        if owners:
            return self._verb_refusal(owners, [name, *rest], written_out=len(owners) == 1)
        for system in [
            *self.systems,
            *(each for each in registry.installed_systems() if each not in self.systems),
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
            return self._verb_refusal(having, [name, *rest], written_out=False)
        verbs = (verb for each in games for verb in self._verbs(each))
        known = list(dict.fromkeys([*self.known(), *registry.command_groups(), *verbs]))
        hint = " ".join([*self.lacking, "`strike help all` lists all commands."]) if self.lacking else ""
        message = f"There is no command {name!r}.{nearest(name, known)}"
        return Usage(message, hint or "`strike help` lists them.")

    def _verb_refusal(self, systems: Sequence[str], words: Sequence[str], written_out: bool) -> Usage:
        """Return the refusal for a verb of scenes that are not under way."""
        ways = f"Written out: `strike {systems[0]} {' '.join(map(quote_word, words))}`."
        if not written_out:
            helps = listed([f"`strike help {each} {words[0]}`" for each in systems])
            ways = f"How it is used: {helps}."
        now = "A decision is open: `strike help now`." if self.pending else HOW_TO_GO_ON
        return Usage(f"No scene under way has {words[0]!r}.", f"{ways} {now}")

    # The kinds of short lines, the plainest first

    def _verb(self, name: str, rest: Sequence[str]) -> list[str] | None:
        group = self.verb(name)
        return [group, name] if group else None

    def _group(self, name: str, rest: Sequence[str]) -> list[str] | None:
        """Return a scene's group and verb for a line like `c show`, which begins the group's name."""
        for system in self.systems:
            if rest and system.name.startswith(name) and rest[0] in self._verbs(system.name):
                return [system.name]
        return None

    def _expand_verb(self, name: str, rest: Sequence[str]) -> list[str] | None:
        others = (each.scene.shorts.get(name) for each in self.systems[1:] if len(name) > 1)
        verb = self.shorts().get(name) or next(filter(None, others), None) or ALONE.get(name)
        if verb is None:
            return None
        first, *more = verb.split()
        group = self.verb(first)
        return [group, first, *more] if group else [first, *more]

    def _beginning(self, name: str, rest: Sequence[str]) -> list[str] | None:
        if len(name) < FEWEST_LETTERS:
            return None
        for system in self.systems:
            found = find_by_beginning(name, self._verbs(system.name))
            if found:
                return [system.name, found]
        found = find_by_beginning(name, list(registry.command_groups()))
        return [found] if found else None


def _letters_of(games: Sequence[str]) -> dict[str, str]:
    """Return the meanings of letters in every scene, and in scenes of the first of these games."""
    own = registry.load_system(games[0]).scene.shorts if games else {}
    return {**LETTERS, **own}


def short_form_in(group: str, word: str, commands: Collection[str]) -> str:
    """Return the command of a scene's group that a short form stands for; "" where it stands for none."""
    known = registry.known_systems().get(group)
    shorts = {**LETTERS, **registry.load_system(group).scene.shorts} if known and known.scene else {}
    verb = shorts.get(word, "")
    return verb if verb.partition(" ")[0] in commands else ""


def find_by_beginning(word: str, known: Sequence[str]) -> str | None:
    """Return the one name that a word begins; None for no name. Raises Usage where it begins several."""
    found = [each for each in known if each.startswith(word)]
    if len(found) > 1:
        raise MayBeSeveral(repr(word), listed(found), "Type one letter more.")
    return found[0] if found else None


def implied_command(group: str, words: Sequence[str]) -> str:
    """Return the command of a group that its words imply where it is left out: `roll vex climb`; or ""."""
    for system in registry.installed_systems():
        if group in system.meant:
            meant: Callable[[Sequence[str]], str] = load_object(system.absolute(system.meant[group]))
            if found := meant(words):
                return found
    return ""


def systems_in_use(state: Mapping[str, object]) -> list[System]:
    """Return the systems whose scenes are under way: the one that `use` named first, then the newest."""
    known = {system.name: system for system in registry.scene_systems().values()}
    found = [known[name] for name in reversed(systems_under_way(state)) if name in known]
    session = state.get("session")
    used = session.get("scene") if isinstance(session, Mapping) else None
    return sorted(found, key=lambda system: system.name != used)


def own_aliases() -> dict[str, str]:
    """Return the user's own aliases, which apply to all campaigns.

    They are the table `[aliases]` of `aliases.toml` in strike's folder among the user's settings. Raises
    CampaignProblem where that can't be read.
    """
    base = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA") or "~/.config"
    file = Path(base).expanduser() / "strike" / "aliases.toml"
    if not file.is_file():
        return {}
    from ..content.schemas import ALIASES
    from ..faults import Faults, Place, fault_lines
    from ..safe_reading import toml_of

    faults: Faults = []
    try:
        data = toml_of(file.read_bytes())
    except (OSError, ValueError) as error:
        raise CampaignProblem(f"{file}: {error}.", "Fix it, or remove it.") from None
    found = ALIASES.check(data.get("aliases", {}), Place("aliases", file=str(file)), faults)
    if faults:
        raise CampaignProblem(fault_lines(faults), "Fix it.")
    return found  # type: ignore[return-value]  # of texts


def expand_alias(name: str, text: str, rest: Sequence[str]) -> list[str]:
    """Return an alias with the words that were typed after it.

    Words replace {1}, {2}; all others replace {*}, or else come at the end. Raises Usage where the alias
    needs more words.
    """
    wanted = max((int(number) for number in re.findall(r"\{(\d+)\}", text)), default=0)
    if wanted > len(rest):
        raise Usage(f"`{name}` stands for `{text}`: it needs {pluralize(wanted, 'word')} after it.")
    others = list(rest[wanted:])
    words: list[str] = []
    for word in shlex.split(text):
        if word == "{*}":
            words += others
            others = []
        else:
            words.append(re.sub(r"\{(\d+)\}", lambda place: rest[int(place[1]) - 1], word))
    return [*words, *others]


def _campaign_near(invocation: Invocation) -> Campaign | None:
    from ..terminal.options import Options

    try:
        return Options({}, invocation).campaign_if_any()
    except Problem:
        return None  # the command that is found says what is wrong with it
