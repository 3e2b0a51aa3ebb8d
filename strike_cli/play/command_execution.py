"""The execution of one command in a campaign, and its entry in the journal.

A command is recorded as finished, or as waiting for a decision. A dry run, or a command that is refused, is
not recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from ..kernel.driver import (
    Answered,
    Dice,
    DrivenPlay,
    EnteredDice,
    PartlyRealDice,
    RecordedAnswers,
    ScriptedChoices,
    SeededDice,
    dice_in_words,
    play_until_open_decision,
)
from ..kernel.procedure import CONFIRM, Choose, Happened, Prose, Roll, World, args_as_json
from ..kernel.state_changes import pending_decisions_in
from ..kernel.statements import (
    Clause,
    Fact,
    Statement,
    clause_as_json,
    decision_as_json,
    say,
    table_with_clauses_in_words,
)
from ..problems import CampaignProblem, ContentProblem, Problem, Refused, listed
from ..registry import known_systems, must_be_able_to_play_system, plugin_origin_of_system, statement_class
from ..tabletop.characters_and_names import GameMasterSpeaker, decider_name, names_not_following_from_ids
from .playable_moves_and_time_limit import (
    ALL,
    TABLE,
    Given,
    PlayableMove,
    changed_parts_of_state,
    find_move,
    limit_processor_time,
)

if TYPE_CHECKING:
    from ..campaign import Campaign
    from ..kernel.journal_types import (
        EntryMarks,
        FactBeforeDecision,
        JournalEntry,
        RollBeforeDecision,
        StoredDice,
        StoredFact,
        WaitingDecision,
    )


class PlaySettings:
    """The settings for playing one command: its dice, its answers, and how it is recorded."""

    __slots__ = (
        *("asking", "choices", "dice", "dry_run", "keep_pending", "note", "on_the_table", "reroll"),
        *("confirms", "goes_on", "is_open", "player", "secret", "seed", "together"),
    )

    def __init__(
        self,
        *,
        dice: Sequence[int] | None = None,
        choices: Sequence[str] = (),
        seed: int | None = None,
        reroll: bool = False,
        secret: bool = False,
        note: str = "",
        dry_run: bool = False,
        keep_pending: bool = True,
        asking: bool = False,
        on_the_table: Callable[[Dice], Dice] | None = None,
        player: str = "",
        together: str = "",
        goes_on: bool = False,
        confirms: bool = False,
        is_open: bool = False,
    ) -> None:
        self.dice = dice
        self.together = together
        """The digits of `dice` if they were typed without a comma: each may be a face of the first roll."""
        self.on_the_table = on_the_table
        """Gives the dice for players who roll real ones, around strike's own dice, which it is given."""
        self.choices = choices
        self.seed = seed
        self.reroll = reroll
        self.secret = secret
        self.note = note
        self.dry_run = dry_run
        self.keep_pending = keep_pending
        self.asking = asking
        """Whether decisions that have a default are asked too."""
        self.player = player
        """The id of the character whose player has answered; "" if the game master typed it."""
        self.confirms = confirms
        """Whether the actor is asked before the command costs them something."""
        self.is_open = is_open
        """Whether players may read the words that were typed although they name somebody who is hidden."""
        self.goes_on = goes_on
        """Whether dice and decisions that this command doesn't ask for are for a command that follows."""


class PerformedCommand:
    """The result of a played command.

    `data` is the command's data. While a decision is `pending`, it is the data so far, or None. `seq` is the
    number of its journal entry, None if it was not recorded.
    """

    __slots__ = (
        *(
            "answers",
            "asked",
            "choices_left",
            "command",
            "data",
            "faces_left",
            "facts",
            "happened",
            "is_put_aside",
            "names",
            "pending",
            "seq",
            "shown",
            "speaker",
        ),
        "start",
    )

    def __init__(self, name: str, played: DrivenPlay, seq: int | None, book: object = None) -> None:
        self.command = name
        self.speaker = GameMasterSpeaker(book, played.states)
        """Puts its facts into words, with the names as they were at that moment."""
        self.data = None if played.data is None else table_with_clauses_in_words(played.data, self.speaker)
        self.asked = played.pending
        """The decision for which the command waits, as the rules ask it; `pending` has it in words."""
        self.pending = played.pending and played.pending.in_words(self.speaker)
        self.happened = played.facts
        self.facts: list[StoredFact] = [fact.as_json(self.speaker) for fact in played.facts]
        self.names = names_not_following_from_ids(played.facts, (), self.speaker)
        """The names of things in its facts, which are stored for later readers."""
        self.answers = played.answers
        self.seq = seq
        self.shown = 0
        """How many facts somebody has seen already, while they were asked."""
        self.faces_left: list[int] = []
        """The faces that were entered and not asked for.

        If a decision is open, they are for the dice after it. Otherwise they are not needed, or for a command
        that follows.
        """
        self.is_put_aside = False
        """Whether another command was typed instead of an answer; the decision is asked again after that."""
        self.choices_left: Sequence[str] = ()
        """The answers that nothing has asked for: they are for a command that follows."""
        self.start: StoredDice = {"n": 0, "salt": 0, "seed": 0}
        """The state of the dice when the command began, from which it can be played on."""

    @property
    def advances_roll_count(self) -> bool:
        """Whether the campaign's count of rolls goes up by one for this command.

        This is True if the command has rolled. It is also True if the command waits for a decision, since it
        may roll later.
        """
        return self.pending is not None or any(isinstance(answer, list) for _, answer in self.answers)


def perform_command(
    campaign: Campaign | None,
    name: str,
    args: Given,
    settings: PlaySettings,
    resume: PerformedCommand | None = None,
) -> PerformedCommand:
    """Play a command, and record it in the campaign. Without a campaign, nothing is recorded.

    If the command was already played up to a decision, `resume` is that play. The command then continues with
    the dice that it has already rolled, even if others have played since. In this case, `settings` has only
    the answers to this decision and to later ones.

    Raises Refused if the rules or an open decision forbid the command. Nothing has changed then.
    """
    move = find_move(name)
    args = move.read_args(args)
    if campaign is None:
        return _play_stateless_without_campaign(move, args, settings)
    must_be_able_to_play_system(move.owner, campaign.book.plugins)
    _require_current_state_version(campaign, move)
    scene = move.pending_decision_key(args)
    # Other conflicts are found by `_refuse_effect_on_decisions`, after the command.
    for key, item in pending_decisions_in(campaign.state).items():
        if scene in (TABLE, key):
            raise _open_decision_refusal(item)
    if resume is not None:
        before, start = _plain_answers(resume.answers), resume.start
        if settings.dice is not None:  # the first of them were thrown before the decision
            rolled = sum(len(answer) for _, answer in before if isinstance(answer, list))
            start = {**start, "faces": list(settings.dice[rolled:])}
            settings.dice = ()
        return _play_and_record_in_campaign(campaign, name, args, settings, scene, start, before)
    seed = campaign.head.seed if settings.seed is None else settings.seed
    salt = campaign.head.seq if settings.reroll else 0
    start = {"n": campaign.head.rolls, "salt": salt, "seed": seed}
    return _play_and_record_in_campaign(campaign, name, args, settings, scene, start, [])


def answer_decision_and_play_on(campaign: Campaign, scene: str, settings: PlaySettings) -> PerformedCommand:
    """Answer the open decision of `scene`, and play the rest of its command."""
    pending = pending_decisions_in(campaign.state)[scene]
    _require_current_state_version(campaign, find_move(pending["command"]))
    return _play_and_record_in_campaign(
        campaign, pending["command"], pending["args"], settings, scene, pending, pending["answers"]
    )


def _require_current_state_version(campaign: Campaign, move: PlayableMove) -> None:
    """Raise CampaignProblem if the state that the move's system reads was written by another version."""
    for each in campaign.outdated_systems():
        if each.system == move.owner:
            raise CampaignProblem(f"{each}.", f"{each.hint} Nothing was changed.")


def find_scene_with_open_decision(campaign: Campaign, scene_or_person: str = "") -> str:
    """Return the name of the scene whose open decision is to be answered.

    `scene_or_person` is the scene's name or the id of the person who decides; "" stands for the only open
    decision. Raises Refused if no decision fits, or several do.
    """
    waiting = pending_decisions_in(campaign.state)
    if not waiting:
        raise Refused("No decision is open.", "`strike status` shows the game.")
    if scene_or_person in waiting:
        return scene_or_person
    if scene_or_person:
        theirs = [key for key, item in waiting.items() if item["who"] == scene_or_person]
        if len(theirs) > 1:
            raise Refused(
                f"Several decisions are open for {scene_or_person!r}: in {listed(theirs)}.",
                "Name the scene: `strike choose --for SCENE OPTION`.",
            )
        if not theirs:
            whose = ", ".join(f"{key} ({item['who'] or 'the table'})" for key, item in waiting.items())
            raise Refused(f"No decision is open for {scene_or_person!r}.", f"Open: {whose}.")
        return theirs[0]
    if len(waiting) == 1:
        return next(iter(waiting))
    shown = "; ".join(
        f"{key} ({question_of_decision(item)}: {', '.join(item['options'])})" for key, item in waiting.items()
    )
    raise Refused(f"Several decisions are open: {shown}.", "Name one: `strike choose --for SCENE OPTION`.")


def question_of_decision(decision: WaitingDecision) -> str:
    """Return the question of a pending decision, or its key if it has no text."""
    return str(decision.get("text") or decision["what"])


class DecisionWaits(Refused):
    """The refusal of a command while a decision is open. It names the decision."""


def _open_decision_refusal(decision: WaitingDecision) -> Refused:
    options = ", ".join(decision["options"])
    return DecisionWaits(
        f"A decision is open for {decider_name(decision)}: {question_of_decision(decision)} ({options}).",
        "`strike choose OPTION` answers it, `strike undo` takes it back.",
    )


def _play_and_record_in_campaign(
    campaign: Campaign,
    name: str,
    args: Given,
    settings: PlaySettings,
    scene: str,
    start: StoredDice,
    earlier_answers: Sequence[Sequence[object]],
) -> PerformedCommand:
    new_dice = _dice_source_other_in_dry_run(
        settings, start, GameMasterSpeaker(campaign.book, [campaign.state])
    )
    scripted = ScriptedChoices(settings.choices, settings.asking)
    recorded = RecordedAnswers(earlier_answers, new_dice, scripted)
    waiting = pending_decisions_in(campaign.state).get(scene)
    asked = {key for key, _ in earlier_answers} | ({waiting["what"]} if waiting else set())
    world = World(campaign.book, campaign.state, confirms=settings.confirms or CONFIRM in asked)
    answered = waiting is not None
    decided = _close_pending_decision(world, scene) if answered else []
    rolled: list[RollBeforeDecision] = []

    def roll_and_note(roll: Roll) -> list[int]:
        faces = recorded.replay_dice(roll)
        rolled.append({"who": roll.who, "purpose": roll.purpose, "sides": roll.sides, "faces": faces})
        return faces

    try:
        with limit_processor_time(name):
            procedure = find_move(name).play_with_consequences(world, args)
            played = play_until_open_decision(procedure, world, roll_and_note, recorded.replay_choice)
    except Exception as error:
        error.strike_move = name  # type: ignore[attr-defined] # for the message that nothing came of it
        raise
    performed = PerformedCommand(name, played, None, campaign.book)
    if played.pending is None:
        if not settings.goes_on:
            if isinstance(new_dice, EnteredDice):
                new_dice.check_all_used()
            scripted.check_all_used()
        _refuse_effect_on_decisions(campaign, world, scene)
    if isinstance(new_dice, EnteredDice):
        performed.faces_left = new_dice.unused_faces()
    performed.choices_left = scripted.unused_answers()
    performed.start = start
    performed.facts = [fact.as_json(performed.speaker) for fact in decided] + performed.facts
    is_open = _names_hidden_person_or_refuse(campaign, settings, start, performed, played)
    if settings.dry_run or (played.pending and not settings.keep_pending):
        return performed
    kept = _marks_of_entry(campaign, find_move(name), settings, start, world, performed)
    kept |= {"open": True} if is_open else {}
    kept |= {"entered": True} if performed.advances_roll_count and _used_physical_dice(new_dice) else {}
    if played.pending:
        if not answered:
            _refuse_clash_with_decisions(campaign, find_move(name), args, scene)
        _record_pending_decision(
            campaign, performed, args, scene, start, kept, settings.dice is not None, rolled
        )
    else:
        _record_command(campaign, world, performed, args, kept)
    return performed


def _refuse_clash_with_decisions(campaign: Campaign, move: PlayableMove, args: Given, own_scene: str) -> None:
    """Raise Refused if a move clashes with a command that waits for a decision.

    The move has come to a decision of its own, and would have to wait beside that command. They clash if one
    of them may change a part of the state that the other reads. They also clash if the waiting command
    belongs to the move's scene (`own_scene`), because a scene may have only one open decision.
    """
    world = World(campaign.book, campaign.state)
    waiting = pending_decisions_in(campaign.state)
    if not waiting:
        return
    reads, changes = move.state_parts_read(args, world), move.parts_it_may_change(args, world)
    for key, item in waiting.items():
        read, may_change = _dependencies_of_pending(item, world)
        if key == own_scene or changes & read or reads & may_change:
            raise _open_decision_refusal(item)


def _dependencies_of_pending(decision: WaitingDecision, world: World) -> tuple[set[str], set[str]]:
    """Return the parts of the state that a pending command reads, and those that it may change.

    Both are empty if the command's plugin is not installed.
    """
    try:
        move = find_move(decision["command"])
    except CampaignProblem:
        return set(), set()
    return move.state_parts_read(decision["args"], world), move.parts_it_may_change(decision["args"], world)


def _refuse_effect_on_decisions(campaign: Campaign, after: World, own_scene: str) -> None:
    """Raise Refused if a command has changed something on which an open decision's command depends.

    `after` is the world after the command. The decision of the command's own scene, `own_scene`, isn't
    checked.
    """
    others = {key: item for key, item in pending_decisions_in(campaign.state).items() if key != own_scene}
    if not others:
        return
    changed, before = (
        changed_parts_of_state(campaign.state, after.state, campaign.book.registry),
        World(campaign.book, campaign.state),
    )
    for item in others.values():
        if ALL in changed or changed & _dependencies_of_pending(item, before)[0]:
            raise _open_decision_refusal(item)


def _names_hidden_person_or_refuse(
    campaign: Campaign,
    settings: PlaySettings,
    start: StoredDice,
    performed: PerformedCommand,
    played: DrivenPlay,
) -> bool:
    """Return whether a command is recorded although its typed words name a hidden person.

    Players can read these words. Return False if the words name no hidden person. Also return False if the
    command is secret, or waits for a decision.

    If the words do name a hidden person, something must allow it: the option `--yes`, the house rule
    `open_words = "tell"`, or that a player wrote the words. Raises Refused if nothing allows it.
    """
    typed: list[str] = []
    for fact in played.facts:
        typed += [fact.told.text] if isinstance(fact.told, Prose) else filter(None, fact.told.typed_words())
    if played.pending or not typed or settings.secret or start.get("secret"):
        return False
    from ..visibility.redaction import typed_hidden_names_that_redact

    entry = {"command": performed.command, "facts": performed.facts, "names": performed.names}
    named = typed_hidden_names_that_redact(cast("JournalEntry", entry), campaign.state, typed)
    if named and not (settings.is_open or settings.player or campaign.book.house["open_words"] == "tell"):
        person = f"{listed(named)}, who {'is' if len(named) == 1 else 'are'} hidden"
        raise Refused(
            f"Players read this, and it names {person}.",
            "`--secret` hides it from them, `--yes` records it anyway.",
        )
    return bool(named)


def _record_command(
    campaign: Campaign, world: World, performed: PerformedCommand, args: Given, marks: EntryMarks
) -> None:
    """Record a finished command in the journal, with the new state.

    Raises ContentProblem for an override that leaves faults in the state. Raises PluginProblem or
    CampaignProblem for a fact that the journal can't store without loss.
    """
    if find_move(performed.command).move.begins_evening and campaign.head.end[1]:
        marks["new_file"] = True
    _check_state_after_override(campaign, performed.command, world)
    _require_storable_facts(performed)
    performed.seq = campaign.commit(
        performed.command,
        args_as_json(args),
        _plain_answers(performed.answers),
        performed.facts,
        world.state,
        names=performed.names,  # they also mark the entry as one with fields
        **marks,
    )


def _close_pending_decision(world: World, scene: str) -> list[Happened]:
    """Remove the pending decision of `scene` from the state; return a list with the recorded fact."""
    from ..campaign.undo_and_repair_facts import Decided

    rest = {key: item for key, item in pending_decisions_in(world.state).items() if key != scene}
    fact = world.tell(Decided(), {"pending": rest or None}).fact
    world.state = {key: item for key, item in world.state.items() if key != "pending"}
    if rest:
        world.state["pending"] = rest
    return [fact]


def _marks_of_entry(
    campaign: Campaign,
    move: PlayableMove,
    settings: PlaySettings,
    start: StoredDice,
    after: World,
    performed: PerformedCommand,
) -> EntryMarks:
    secret = settings.secret or start.get("secret") or _is_face_down_pick(move, after, performed)
    kept: EntryMarks = {}
    if secret:
        kept["secret"] = True
    if settings.note:
        kept["note"] = settings.note
    if settings.player:
        kept["player"] = settings.player
    if start["salt"]:
        kept["reroll"] = start["salt"]
    if settings.seed is not None:
        kept["seeded"] = settings.seed
    if plugin := plugin_origin_of_system(move.owner):
        kept["origin" if "by" in campaign.marks else "by"] = plugin
    return kept


def _is_face_down_pick(move: PlayableMove, after: World, performed: PerformedCommand) -> bool:
    """Return whether a move has chosen a card that stays face down until it is revealed."""
    if not known_systems()[move.owner].secrets:
        return False
    from ..visibility.secret_picks import makes_secret_pick

    return makes_secret_pick(move.system, after.state, performed.facts)


def _dice_source_other_in_dry_run(
    settings: PlaySettings, start: StoredDice, speaker: GameMasterSpeaker
) -> Dice:
    # A command begun with physical dice goes on with them.
    asked = settings.on_the_table is not None and not start.get("faces")
    if settings.dice is not None or (start.get("entered") and not asked):
        return EnteredDice(
            settings.dice or (), start.get("faces", ()), partial(_roll_in_words, speaker), settings.together
        )
    # A dry run must not reveal the dice of the real one.
    salt = "tried" if settings.dry_run and settings.seed is None else start["salt"]
    own = SeededDice(start["seed"], start["n"], salt)
    return own if settings.on_the_table is None else settings.on_the_table(own)


def _used_physical_dice(dice: Dice) -> bool:
    """Return whether a command used faces that people typed or rolled with real dice."""
    return (isinstance(dice, EnteredDice) and dice.used > 0) or (
        isinstance(dice, PartlyRealDice) and any(faces is not None for faces in dice.given)
    )


def _roll_in_words(speaker: GameMasterSpeaker, roll: Roll) -> str:
    """Return a roll in words, such as `d4 for Pete, damage, great bow at Troll, impaired: dark`."""
    purpose = speaker.language.purpose(roll.purpose)
    why = roll.why if isinstance(roll.why, str) else say(roll.why, speaker)
    asked = dice_in_words(roll, speaker.name("person", roll.who) if roll.who else "", purpose)
    return f"{asked}, {why}" if why else asked


def _plain_answers(answers: Sequence[Answered]) -> list[list[object]]:
    return [[asked, answer] for asked, answer in answers]


def _record_pending_decision(
    campaign: Campaign,
    performed: PerformedCommand,
    args: Given,
    scene: str,
    start: StoredDice,
    marks: EntryMarks,
    entered: bool,
    rolled: Sequence[RollBeforeDecision],
) -> None:
    """Record the decision for which a command waits.

    The facts before the decision are not recorded yet. Once the decision is answered, the command is played
    again with the same dice, so that the same facts happen again.
    """
    from ..kernel.state_changes import apply_changes

    question, asked, speaker = performed.pending, performed.asked, performed.speaker
    assert question is not None
    assert asked is not None
    world = World(campaign.book, campaign.state)
    from ..campaign.undo_and_repair_facts import DecisionAsked

    told = DecisionAsked(asked.who, asked.asks, asked.options, asked.about, asked.decides)
    _require_storable_facts(performed)
    means = [label for label in asked.labels if isinstance(label, Clause)]
    names = performed.names | names_not_following_from_ids((), [*means, told], speaker)
    item = _decision_to_store(performed, question, asked, args, start, names, rolled)
    item["commands"] = campaign.head.commands  # so that the same question later has another mark
    if marks.get("secret"):
        item["secret"] = True
    if question.secret:  # only the question: its results are public
        item["hidden"] = True
        marks = {**marks, "secret": True}
    if start.get("entered") or entered:
        item["entered"] = True
    if performed.faces_left:
        item["faces"] = performed.faces_left
    fact = world.tell(told, {f"pending.{scene}": item}).fact
    if asked.about and (fault := _describe_lost_fields(asked.about, item.get("about", {}), speaker)):
        raise _unrecordable_fact_problem(performed, fault)
    performed.seq = campaign.commit(
        performed.command,
        args_as_json(args),
        _plain_answers(performed.answers),
        [fact.as_json(performed.speaker)],
        apply_changes(campaign.state, fact.changes),
        pending=True,
        names=names,
        **marks,
    )


def _decision_to_store(
    performed: PerformedCommand,
    decision_in_words: Choose,
    decision: Choose,
    args: Given,
    start: StoredDice,
    names: Mapping[str, str],
    rolled: Sequence[RollBeforeDecision],
) -> WaitingDecision:
    """Return a decision as state.toml stores it, with the command that waits for it.

    `decision` is the decision as the rules make it, and `decision_in_words` is its copy in words. `names` are
    the names of things in the decision and its facts. `rolled` are the rolls before the decision.
    """
    item: WaitingDecision = {
        "command": performed.command,
        "args": {
            key: value for key, value in args_as_json(args).items() if value is not None
        },  # TOML has no null
        "answers": _plain_answers(performed.answers),
        "who": decision_in_words.who,
        "what": decision_in_words.what,
        "options": list(decision_in_words.options),
        "labels": list(map(str, decision_in_words.labels)),
        "n": start["n"],
        "salt": start["salt"],
        "seed": start["seed"],
        "said": [_fact_for_pending_decision(fact) for fact in performed.facts if fact["text"]],
        "names": names,
    }
    if rolled:
        item["rolls"] = list(rolled)
    if decision_in_words.text:
        item["text"] = decision_in_words.text
    if decision_in_words.decides:
        item["decides"] = decision_in_words.decides
    if decision.about is not None:
        item["about"] = _drop_null_valued_keys(decision_as_json(decision.about, performed.speaker))
    if any(isinstance(label, Clause) for label in decision.labels):
        item["means"] = [
            _drop_null_valued_keys(clause_as_json(one, performed.speaker))
            if isinstance(one, Clause)
            else {"text": one}
            for one in decision.labels
        ]
    return item


def _fact_for_pending_decision(fact: StoredFact) -> FactBeforeDecision:
    """Return a fact that came before an open decision, in the form that is stored with the decision.

    A fact of a known class is stored without its text, which can be made from its fields.
    """
    found = statement_class(fact["kind"])
    has_class = found is not None and (not found.has_variants or "variant" in fact)
    bare = ("changes", "places", *(("text",) if has_class else ()))
    return cast(
        "FactBeforeDecision",
        _drop_null_valued_keys({key: value for key, value in fact.items() if key not in bare}),
    )


V = TypeVar("V")


def _drop_null_valued_keys(value: V) -> V:
    """Return a copy of a value without the keys whose value is None, at any depth. TOML has no null."""
    if isinstance(value, Mapping):
        kept = {key: _drop_null_valued_keys(item) for key, item in value.items() if item is not None}
        return cast("V", kept)
    return cast("V", [_drop_null_valued_keys(item) for item in value]) if isinstance(value, list) else value


def _require_storable_facts(performed: PerformedCommand) -> None:
    """Raise an error if the journal can't store a fact of a command without losing a part of it.

    If the command belongs to a plugin, the error is a PluginProblem. Otherwise it is a CampaignProblem.
    """
    told = [happened.told for happened in performed.happened]
    kept = performed.facts[len(performed.facts) - len(told) :]  # after the fact that ends a decision
    for statement, fact in zip(told, kept, strict=True):
        if isinstance(statement, Fact) and (
            fault := _describe_lost_fields(statement, fact, performed.speaker)
        ):
            raise _unrecordable_fact_problem(performed, fault)


def _describe_lost_fields(
    statement: Statement, stored: Mapping[str, object], speaker: GameMasterSpeaker
) -> str:
    """Return a text on the fields that a statement loses when it is stored and read again; "" for none."""
    name = type(statement).__name__
    try:
        read = type(statement).from_json(stored)
    except (TypeError, KeyError, ValueError) as error:
        return f"{name} can't be read back ({type(error).__name__}: {error})"
    if read == statement:
        return ""
    now, was = read.as_json(speaker), statement.as_json(speaker)
    lost = [key for key in was.keys() | now.keys() if now.get(key) != was.get(key)]
    return f"{name} reads back with another {listed(sorted(lost))}" if lost else ""


def _unrecordable_fact_problem(performed: PerformedCommand, fault: str) -> Problem:
    from ..campaign.campaign import unrecordable_problem

    return unrecordable_problem(
        performed.command, fault, plugin_origin_of_system(find_move(performed.command).owner)
    )


def _check_state_after_override(campaign: Campaign, name: str, world: World) -> None:
    """Raise ContentProblem if an `override` leaves faults in the state. Other commands are not checked."""
    if name != "override":
        return
    from ..campaign.state_checks import state_faults

    faults = state_faults(world.state, campaign.book, campaign.state)
    if faults:
        raise ContentProblem(faults, "Nothing was changed. `strike status` shows the game.")


def _play_stateless_without_campaign(
    move: PlayableMove, args: Given, settings: PlaySettings
) -> PerformedCommand:
    """Play a command without a campaign, and record nothing.

    Raises CampaignProblem if it needs a campaign.
    """
    import os

    if not move.move.stateless:
        raise CampaignProblem(
            f"`strike {move.name}` needs a campaign, and there is none here.",
            "Go to its folder, or name it with -C DIR; `strike new DIR` makes one.",
        )
    seed = int.from_bytes(os.urandom(8), "big") if settings.seed is None else settings.seed
    dice = _dice_source_other_in_dry_run(settings, {"seed": seed, "n": 0, "salt": 0}, GameMasterSpeaker())
    scripted = ScriptedChoices(settings.choices)
    world = World(None)
    played = play_until_open_decision(move.play_with_consequences(world, args), world, dice, scripted)
    if isinstance(dice, EnteredDice):
        dice.check_all_used()
    scripted.check_all_used()
    return PerformedCommand(move.name, played, None)
