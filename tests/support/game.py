"""A game in memory: commands played with dice and choices in hand, and no files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tomli_w

from strike_cli.campaign.state_checks import state_faults
from strike_cli.content.merged_content import Book, open_book
from strike_cli.kernel.driver import DrivenPlay, EnteredDice, ScriptedChoices, play_until_open_decision
from strike_cli.kernel.exact_odds import first_option
from strike_cli.kernel.procedure import Choose, Happened, Roll, World
from strike_cli.kernel.state_changes import State, apply_changes, changes_that_undo, look_up
from strike_cli.kernel.statements import data_with_clauses_in_words
from strike_cli.play.playable_moves_and_time_limit import find_move
from strike_cli.tabletop.characters_and_names import GameMasterSpeaker

from .data_keys import check_keys
from .told import as_json, text_of

DATA = Path(__file__).parent.parent / "data"
PEOPLE = {"V": "vex", "B": "brann", "O": "odo", "S": "vesna"}
"""Who a capital on a drawn map is; creatures are small letters."""
CREATURES = {"g": "goblin", "x": "ogre", "p": "post", "l": "lurker"}

DEFAULTS: dict[str, dict[str, Any]] = {
    "roll skill": {
        "who": "vex", "skill": "Climbing", "skilled": True, "known": True
    },
    "combat attack": {"power": "core:melee-basic"},
}  # fmt: skip


def with_house(book: Book, **rules: Any) -> Book:
    """The same book under other house rules."""
    changed = copy(book)
    changed.house = {**book.house, **rules}
    return changed


def book_with(text: str, *armed: str) -> Book:
    """The small campaign's book with more in it, written as in campaign.toml; what has no name there has its
    id's. Those named have all powers that it brings."""
    more = tomllib.loads(text)
    for kind in ("powers", "statuses", "creatures"):
        for id, table in more.get(kind, {}).items():
            table.setdefault("name", id.replace("-", " ").title())
    with TemporaryDirectory() as folder:
        whole = (DATA / "campaign.toml").read_text(encoding="utf-8") + "\n" + tomli_w.dumps(more)
        (Path(folder) / "campaign.toml").write_text(whole, encoding="utf-8")
        book = open_book(Path(folder))
    for who in armed:
        sheet = book.characters.get(who) or book.creatures[who]
        sheet["powers"] = [*sheet["powers"], *more.get("powers", {})]
    return book


D6 = ("roll skill", "roll opposed", "roll linked", "roll wealth", "wealth", "conflict", "chase")
"""Moves whose every die is a d6."""


class _Dice(EnteredDice):
    """Dice in hand, which say so when another kind is asked for than a move has."""

    def __init__(self, faces: Sequence[int], move: str) -> None:
        super().__init__(faces)
        self.d6 = move.startswith(D6)

    def __call__(self, roll: Roll) -> list[int]:
        assert roll.sides == 6 or not self.d6, f"a d{roll.sides} for {roll.purpose}"
        return super().__call__(roll)


class Game:
    """A book and a state. `play` plays a command to its end; every die and choice given must be asked for."""

    def __init__(self, book: Book, state: State | None = None) -> None:
        self.book = book
        self.state: State = {} if state is None else state

    @property
    def world(self) -> World:
        return World(self.book, self.state)

    def get(self, path: str, default: Any = None) -> Any:
        return look_up(self.state, path, default)

    def set(self, path: str, value: Any) -> None:
        """Bring about a state that would take many commands."""
        self.state = apply_changes(self.state, [(path, None, value)])

    def drive(
        self, name: str, args: Mapping[str, Any], dice: Sequence[int] = (), choose: Sequence[str] = ()
    ) -> DrivenPlay:
        """Play to the end or to the first open decision; the state moves on only at the end. With `confirms`
        among the arguments whoever acts is asked before it costs anything."""
        args = dict(args)
        world = World(self.book, self.state, confirms=args.pop("confirms", False))
        entered, scripted = _Dice(dice, name), ScriptedChoices(choose)
        procedure = find_move(name).play_with_consequences(world, {**DEFAULTS.get(name, {}), **args})
        played = play_until_open_decision(procedure, world, entered, scripted)
        entered.check_all_used()
        if played.pending is None:
            scripted.check_all_used()
            self.state = world.state
            if played.data is not None:
                check_keys(name, played.data)
        return played

    def play(
        self, name: str, /, *, dice: Sequence[int] = (), choose: Sequence[str] = (), **args: Any
    ) -> dict[str, Any]:
        """The data of a command played to its end, as it is told."""
        played = self.drive(name, args, dice, choose)
        assert played.pending is None, f"still asked: {played.pending}"
        assert played.data is not None
        self.facts = played.facts
        return dict(data_with_clauses_in_words(played.data, self.speaker()))

    def speaker(self) -> GameMasterSpeaker:
        """The game master, as everybody is called now."""
        return GameMasterSpeaker(self.book, [self.state])

    def asked(
        self, name: str, *, dice: Sequence[int] = (), choose: Sequence[str] = (), **args: Any
    ) -> Choose:
        """The decision that a command waits for, in words; nothing has happened yet."""
        played = self.drive(name, args, dice, choose)
        assert played.pending is not None, "nothing was asked"
        return played.pending.in_words(self.speaker())

    def texts(self) -> list[str]:
        """What was said of the last command."""
        return [words for fact in self.facts if (words := text_of(fact, World(self.book, self.state)))]

    # Fights

    def draw(self, *rows: str) -> Game:
        """A fight with everybody where the map shows them, the party in capitals; nobody has acted."""
        signs = {sign for row in rows for sign in row if sign in {**PEOPLE, **CREATURES}}
        encounter = {
            "name": "A fight",
            "goal": "",
            "map": "\n".join(rows),
            "place": {sign: {**PEOPLE, **CREATURES}[sign] for sign in sorted(signs)},
            "side": {sign: "party" if sign in PEOPLE else "enemies" for sign in signs},
        }
        self.book = copy(self.book)
        self.book.encounters = {**self.book.encounters, "drawn": encounter}
        party = [PEOPLE[sign] for sign in sorted(signs) if sign in PEOPLE]
        self.play("combat start", encounter="drawn", party=party)
        return self

    def begin(self, first: str) -> Game:
        """Round 1 and the turn of `first`; then come the creatures, then the others."""
        world = self.world

        def dice(roll: Roll) -> list[int]:
            return [6 if roll.who == first else 1] * roll.n

        play_until_open_decision(find_move("combat initiative").start(world, {}), world, dice, first_option)
        self.state = world.state
        assert self.play("combat turn")["who"] == first
        return self

    def of(self, who: str, key: str, default: Any = None) -> Any:
        """Something about a combatant."""
        return self.get(f"fight.combatants.{who}.{key}", default)

    def lost(self, who: str) -> int:
        """How many HP somebody is short of."""
        return int(self.of(who, "max_hp")) - int(self.of(who, "hp"))

    def put(self, who: str, **values: Any) -> Game:
        """Set things about a combatant."""
        for key, value in values.items():
            self.set(f"fight.combatants.{who}.{key}", value)
        return self

    def afflict(self, who: str, *statuses: str, ends: str = "permanent", **more: Any) -> Game:
        """Give somebody statuses: the campaign's own, or core ones."""
        for status in statuses:
            id = status if status in self.book.statuses else f"core:{status}"
            self.play("combat status add", who=who, status=id, ends=ends, **more)
        return self

    def statuses(self, who: str) -> list[str]:
        """Ids of what stands on a combatant itself."""
        return [item["id"].removeprefix("core:") for item in self.of(who, "statuses", [])]

    def attack(self, who: str, *targets: str, dice: Sequence[int] = (), **more: Any) -> dict[str, Any]:
        """One attack; the line of its only target, or the whole where there are several."""
        data = self.play("combat attack", who=who, targets=list(targets), dice=dice, **more)
        return data if len(targets) > 1 else {**data, **(data["attacks"] or [{}])[0]}

    def move(self, who: str, to: str, **more: Any) -> dict[str, Any]:
        return self.play("combat move", who=who, to=to, **more)

    def next_turn(self, dice: Sequence[int] = (), saves: Sequence[int] = ()) -> dict[str, Any]:
        """End the turn under way, with its saves, and begin the next."""
        if self.get("fight.active"):
            self.play("combat end-turn", dice=saves)
        return self.play("combat turn", dice=dice)

    def next_turn_of(self, who: str, dice: Sequence[int] = ()) -> dict[str, Any]:
        """Pass turns until it is somebody's. Nobody may have a save to make."""
        for _ in range(12):
            if self.get("fight.active"):
                self.play("combat end-turn")
            upcoming = next_up(self)
            data = self.play("combat turn", dice=dice if upcoming == who else ())
            if upcoming == who:
                return data
        raise AssertionError(f"{who} never has a turn")


def next_up(game: Game) -> str:
    """Whose turn comes next."""
    from strike_cli.systems.combat.fight_state import Fight

    return Fight(game.world).next_combatant()


def check_facts(facts: Sequence[Happened], before: State, after: State, book: Book) -> None:
    """They lead from one state to the other, and back; their words are whole, and the state is sound."""
    told = [as_json(fact) for fact in facts]
    assert apply_changes(after, changes_that_undo(told)) == before
    assert apply_changes(before, [change for fact in told for change in fact["changes"]]) == after
    assert state_faults(after, book) == []
    assert all(fact["text"].strip() == fact["text"] for fact in told)
