"""One fight, played to its end in memory by the procedures of the table, with bots as players.

Nothing is written. The result depends on the frozen campaign, the seed, the fight's number and the bots, and
on nothing else. Begin with `play_day_until_not_won`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b, sha256
from typing import NamedTuple

from ..content.merged_content import Book
from ..kernel.driver import DrivenPlay, play_until_open_decision
from ..kernel.procedure import Choose, Happened, Roll, World
from ..kernel.state_changes import State, scene_table
from ..play.decision_weighing import CommandUnderway
from ..play.legal_options import Option, copied_world_and_procedure_of_move
from ..problems import Refused, Usage
from ..registry import load_known_system
from ..registry.installed_plugins import import_object
from ..registry.scenes_and_decisions_in_state import scene_or_bare_scene_from_table
from ..registry.system_declaration import System
from ..tabletop.scene import Person
from .bot_players import Player, find_player
from .simulation_hooks import DRAWN, WON, Lineup, SimulationRules, health_changes

BYTES_PER_FACE = 8
FACES_PER_DIGEST = 8
"""The most faces that one digest gives."""


class KeyedDice:
    """The dice of one fight. With the same seed, a fight gets the same dice each time.

    The faces of a roll depend on the seed, the fight, the roller and the purpose of the roll. They also
    depend on how often the same roller has rolled for the same purpose before.
    """

    def __init__(self, seed: int, fight: str) -> None:
        self.key = f"{seed}/{fight}"
        self.counts: dict[tuple[str, str], int] = {}

    def __call__(self, roll: Roll) -> list[int]:
        what = roll.who, roll.purpose
        count = self.counts.get(what, 0)
        self.counts[what] = count + 1
        faces: list[int] = []
        while len(faces) < roll.n:
            key = f"{self.key}\0{roll.who}\0{roll.purpose}\0{count}\0{len(faces)}"
            digest = blake2b(key.encode(), digest_size=BYTES_PER_FACE * FACES_PER_DIGEST).digest()
            for at in range(0, min(len(digest), BYTES_PER_FACE * (roll.n - len(faces))), BYTES_PER_FACE):
                # 64 bits: a face is likelier than another by no more than one part in 10^17.
                faces.append(int.from_bytes(digest[at : at + BYTES_PER_FACE], "big") % roll.sides + 1)
        return faces


MOST_COMMANDS = 20_000
"""Commands after which a fight is given up: a player that never ends its turn must not block a run."""
MAX_STALE_ROUNDS = 12
"""Rounds in a row without anybody hurt or healed, after which the fight counts as won by nobody."""


class UseCounts(NamedTuple):
    """How often something, such as a power, was used in a fight, and its effects.

    `times` counts the uses. `damage` is the damage that the uses did to the side opposed to the user.
    `healed` is the healing on the user's own side. `felled` is the number of opponents whom the uses took out
    or brought down.
    """

    times: int = 0
    damage: int = 0
    healed: int = 0
    felled: int = 0

    def __add__(self, more: object) -> UseCounts:
        if not isinstance(more, UseCounts):
            return NotImplemented
        return UseCounts(*(one + other for one, other in zip(self, more, strict=True)))


class PersonResult(NamedTuple):
    """The result of a fight for one person.

    `left` is the person's health at the end, never below 0, and `most` is their full health. `down` is how
    often they went down. `out` is whether they were out of the fight against their will, and `fled` whether
    they left it of their own will. `dealt` is the health that they took from others, `taken` the health that
    they lost, and `healed` the health that they regained. `counted` are the system's other counts. `uses` are
    the things that they used. `ref` is the id of their sheet.
    """

    name: str
    side: str
    ref: str
    left: int
    most: int
    down: int = 0
    out: bool = False
    dealt: int = 0
    taken: int = 0
    healed: int = 0
    counted: Mapping[str, int] = {}
    uses: Mapping[str, UseCounts] = {}
    fled: bool = False


class FightResult(NamedTuple):
    """The result of a fight.

    `margin` is the party's health at the end minus the health of the others. `came_of_it` has further results
    by kind, such as a Concession. `commands` is the number of commands played. `stuck` is the reason if the
    fight was given up before it was decided, otherwise "".
    """

    number: int
    encounter: str
    outcome: str
    rounds: int
    margin: int
    people: Mapping[str, PersonResult]
    came_of_it: Mapping[str, str] = {}
    commands: int = 0
    stuck: str = ""
    unweighed: Mapping[str, int] = {}
    """The number of decisions of each kind that were taken without being weighed."""


class DayResult(NamedTuple):
    """The results of a day: of its encounters in order, up to the first that isn't won."""

    number: int
    fights: tuple[FightResult, ...]

    @property
    def outcome(self) -> str:
        """The outcome of the last fight."""
        return self.fights[-1].outcome

    @property
    def digest(self) -> int:
        """A number that identifies the whole result: equal results have the same digest.

        The digest includes the names of the result's fields. So all digests change if a field gets another
        name.
        """
        plain: list[object] = [self.number]
        for fight in self.fights:
            people = {combatant: one._asdict() for combatant, one in fight.people.items()}
            plain.append({**fight._asdict(), "people": people})
        text = json.dumps(plain, separators=(",", ":"), sort_keys=True)
        return int.from_bytes(sha256(text.encode()).digest(), "big")


class FrozenCampaign:
    """A copy of a campaign with all that simulated fights need, packed as bytes.

    The bytes (`packed`) can be sent to other processes. They contain the book, the state, the system, the
    encounters to play and the line-up.
    """

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        held = json.loads(zlib.decompress(packed))
        self.system: System = load_known_system(held["system"])
        self.encounters: list[str] = held["encounters"]
        party, creatures, difficulty = held["lineup"]
        self.lineup = Lineup(tuple(party), creatures, difficulty)
        self.state: State = held["state"]
        self.book = Book(held["book"])

    @classmethod
    def freeze(
        cls, book: Book, state: Mapping[str, object], system: str, encounters: Sequence[str], lineup: Lineup
    ) -> FrozenCampaign:
        """Pack a campaign's book and state, together with what is to be played.

        `encounters` are the encounters to play. If there are none, the scene under way is played. `lineup`
        has the party, extra creatures and the difficulty.
        """
        held = {
            "system": system,
            "encounters": list(encounters),
            "lineup": [list(lineup.party), dict(lineup.creatures), lineup.difficulty],
            "state": state,
            "book": book.compiled(),
        }
        # Keys keep their order: the order of people decides who is asked first.
        return cls(zlib.compress(json.dumps(held, separators=(",", ":")).encode(), 6))

    @cached_property
    def digest(self) -> str:
        """The digest that identifies the campaign."""
        return sha256(self.packed).hexdigest()[:24]

    @cached_property
    def rules(self) -> SimulationRules:
        """The system's declaration for simulation."""
        return simulation_rules_of(self.system)


def simulation_rules_of(system: System) -> SimulationRules:
    """Return a system's declaration for simulation. Raises Usage if it has none."""
    if not system.simulation.rules:
        raise Usage(
            f"{system.title or system.name} can't be simulated.",
            "Its system doesn't say how it begins and ends (docs/systems.md).",
        )
    found: SimulationRules = import_object(system.absolute(system.simulation.rules))
    return found


Record = Callable[[Option, DrivenPlay], None]
"""The function that records what has been played, command by command."""


def play_day_until_not_won(
    frozen: FrozenCampaign, seed: int, number: int, player: str, record: Record | None = None
) -> DayResult:
    """Play day `number`: its encounters in a row, each from the state in which the one before ended.

    The day ends with the first encounter that isn't won. `record` is called with each command that was
    played.
    """
    world = World(frozen.book, frozen.state)
    fights = []
    for leg, encounter in enumerate(frozen.encounters or [""]):
        dice = KeyedDice(seed, f"{number}.{leg}" if leg else str(number))
        fight = _Fight(frozen, world, dice, find_player(player, frozen.system, dice), record)
        fights.append(fight.play(number, encounter))
        world = fight.world
        if fights[-1].outcome != WON:
            break
    return DayResult(number, tuple(fights))


class _Fight:
    """A fight that is being played, with the counts so far."""

    def __init__(
        self, frozen: FrozenCampaign, world: World, dice: KeyedDice, player: Player, record: Record | None
    ) -> None:
        self.frozen = frozen
        self.rules = frozen.rules
        self.system = frozen.system
        self.world = world
        self.dice = dice
        self.player = player
        self.record = record
        self.tally: _HealthTally
        self.commands = 0
        self.stuck = self.why = ""
        """The reason why the fight was given up with nobody the winner."""
        self.came_of_it: Mapping[str, str] = {}

    def play(self, number: int, encounter: str) -> FightResult:
        """Play the fight to its end.

        It begins with the start of `encounter`. If `encounter` is "", the scene under way is played on from
        its present state.
        """
        if encounter:
            self._play_option(self.rules.begin(self.world, encounter, self.frozen.lineup))
        self.tally = _HealthTally(self.rules, self.people())
        try:
            outcome = self._play_until_decided()
        except Refused as refusal:
            outcome, self.stuck = DRAWN, refusal.message
        people = self.tally.result(self.people())
        rounds = self.round
        if self.system.scene.key in self.world.state and not self.stuck:
            option = self.rules.finish(self.world)
            if option is not None:
                self.came_of_it = dict(self.rules.came_of_it(self._play_option(option).data or {}))
        return FightResult(
            number,
            encounter or str(self.world.get(f"{self.system.scene.key}.id", "")),
            outcome,
            rounds,
            sum(one.left if one.side == self.rules.ours else -one.left for one in people.values()),
            people,
            self.came_of_it,
            self.commands,
            self.stuck or self.why,
            dict(getattr(self.player, "unweighed", {})),
        )

    def people(self) -> Mapping[str, Person]:
        table = scene_table(self.world.state, self.system.scene.key)
        return scene_or_bare_scene_from_table(self.system, table, {}).people if table else {}

    @property
    def round(self) -> int:
        return int(self.world.get(f"{self.system.scene.key}.round", 0))

    def _play_until_decided(self) -> str:
        """Play command after command until somebody has won or the fight is given up; return the outcome."""
        since, changed = self.round, 0
        while not (outcome := self.rules.result(self.world)):
            now = self.round
            if changed != self.tally.changes:
                changed, since = self.tally.changes, now
            if self.rules.health and now - since > MAX_STALE_ROUNDS:
                self.why = f"nobody was hurt or healed for {MAX_STALE_ROUNDS} rounds."
                return DRAWN
            if now > self.rules.most_rounds:
                self.why = f"nobody had won after {self.rules.most_rounds} rounds."
                return DRAWN
            option = self.player.choose_command(self.world)
            if option is None or self.commands > MOST_COMMANDS:
                self.stuck = "nobody had a legal option." if option is None else "a turn had no end."
                return DRAWN
            played = self._play_option(option)
            combatant = str(getattr(option.args, "who", "") or "") or self._first_person_not_out(option.side)
            used = self.rules.used(option, played.data or {})
            self.tally.count_health_changes(played.facts, combatant, used)
            if self.system.scene.key not in self.world.state:
                return outcome or DRAWN
        return outcome

    def _first_person_not_out(self, side: str) -> str:
        """Return the first person of a side who isn't out, or "".

        This person counts as the actor of the whole side's commands.
        """
        people = self.people().items() if side else ()
        return next((combatant for combatant, one in people if one.side == side and not one.out), "")

    def _play_option(self, option: Option) -> DrivenPlay:
        self.commands += 1
        so_far = list[list[int] | str]()
        underway = CommandUnderway(self.world, option, so_far)
        self.world, procedure = copied_world_and_procedure_of_move(self.world, option.command, option.args)

        def roll_dice(roll: Roll) -> list[int]:
            faces = self.dice(roll)
            so_far.append(faces)
            return list(faces)

        def decide(question: Choose) -> str:
            so_far.append(self.player.decide(self.world, question, underway))
            return str(so_far[-1])

        played = play_until_open_decision(procedure, self.world, roll_dice, decide)
        if self.record is not None:
            self.record(option, played)
        return played


class _HealthTally:
    """Counts of a fight: damage, healing, falls, and uses of powers and the like, by person."""

    def __init__(self, rules: SimulationRules, people: Mapping[str, Person]) -> None:
        self.rules = rules
        self.people = dict(people)
        self.dealt: dict[str, int] = {}
        self.taken: dict[str, int] = {}
        self.healed: dict[str, int] = {}
        self.downs: dict[str, int] = {}
        self.uses: dict[str, dict[str, UseCounts]] = {}
        self.changes = 0

    def count_health_changes(self, facts: Sequence[Happened], actor: str, used: str) -> None:
        """Count the changes of health in the facts of a command.

        They are counted for each person, and for the thing (`used`) that the `actor` used.
        """
        damage = healed = felled = 0
        for fact in facts:
            for combatant, key, before, after in health_changes(self.rules, fact.changes, self.people):
                self.changes += 1
                change = after - before
                by = str(fact.details.get("by") or actor)
                if change < 0:
                    self.taken[combatant] = self.taken.get(combatant, 0) - change
                    if by in self.people:
                        self.dealt[by] = self.dealt.get(by, 0) - change
                    if by == actor and self._are_on_different_sides(actor, combatant):
                        damage -= change
                else:
                    self.healed[combatant] = self.healed.get(combatant, 0) + change
                    healed += change if not self._are_on_different_sides(actor, combatant) else 0
                if key in self.rules.fells and before > 0 >= after:
                    self.downs[combatant] = self.downs.get(combatant, 0) + 1
                    felled += self._are_on_different_sides(actor, combatant)
        if used and actor:
            own = self.uses.setdefault(actor, {})
            own[used] = own.get(used, UseCounts()) + UseCounts(1, damage, healed, int(felled))

    def _are_on_different_sides(self, person: str, other: str) -> bool:
        return (
            person in self.people
            and other in self.people
            and self.people[person].side != self.people[other].side
        )

    def result(self, people: Mapping[str, Person]) -> dict[str, PersonResult]:
        """Return the result of each person in `people`, by the person's id.

        People who joined the fight after its start have results, too.
        """
        return {combatant: self._result_of(combatant, one) for combatant, one in people.items()}

    def _result_of(self, combatant: str, person: Person) -> PersonResult:
        numbers = {meter.id: meter for meter in person.meters}
        health = [numbers[key] for key in self.rules.health if key in numbers]
        there = person.state != "out"
        return PersonResult(
            person.name,
            person.side,
            person.ref,
            sum(max(0, meter.value) for meter in health) if there else 0,
            sum(meter.most or meter.value for meter in health),
            max(self.downs.get(combatant, 0), int(person.state == "down")),
            not there and person.out not in self.rules.fled,
            self.dealt.get(combatant, 0),
            self.taken.get(combatant, 0),
            self.healed.get(combatant, 0),
            {key: numbers[key].value for key in self.rules.counted if key in numbers},
            self.uses.get(combatant, {}),
            person.out in self.rules.fled,
        )
