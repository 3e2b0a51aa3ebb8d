"""Open decisions, and the purposes of rolls, as an audience may know them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..kernel import statements
from ..kernel.statements import Clause, say
from ..registry import installed_plugins, load_known_system, system_name_of_move, systems_by_scene_key
from ..registry.scenes_and_decisions_in_state import facts_before_decision_in_words
from ..tabletop.characters_and_names import GameMasterSpeaker, names_not_following_from_ids
from ..tabletop.scene import Asked, Scene
from .audiences import PARTY, Audience
from .players_speaker import HiddenFromPlayers, NamesOnTable, PlayersSpeaker, names_on_table

if TYPE_CHECKING:
    from ..kernel.journal_types import WaitingDecision
    from ..kernel.procedure import Roll
    from ..kernel.state_changes import State


def decision_for_audience(asked: Asked | None, scenes: Sequence[Scene], audience: Audience) -> Asked | None:
    """Return an open decision as an audience may know it; None if the audience may not know of it.

    `scenes` are all scenes under way. Players may not know of a secret decision. They also may not know of a
    decision if a hidden person makes it, is its subject, or is one of its options: without that person, it
    might not even be asked.

    Words and dice that name a hidden person are left out. If numbers are secret from players, all words and
    dice that led to the decision are left out, and so are the effects of its options: any of these may reveal
    a number.
    """
    if asked is None:
        return None
    if asked.item is not None and "names" in asked.item and not audience.gm:
        return _decision_from_stored_fields(asked, asked.item, scenes, audience)
    if asked.item is not None:
        speaker = GameMasterSpeaker(names=asked.item.get("names", {}), language=audience.language)
        asked = asked._replace(said=facts_before_decision_in_words(asked.item, speaker))
    if audience.gm:
        return asked
    kept = NamesOnTable(scenes).name_search
    if asked.secret or kept.finds_in(asked.who, asked.what, asked.text, asked.options, asked.labels):
        return None
    others = any(one.meters and one.side != PARTY for scene in scenes for one in scene.people.values())
    silent = others and audience.meters != "exact"
    return asked._replace(
        labels=() if silent else asked.labels,
        said=() if silent else tuple(words for words in asked.said if not kept.finds_in(words)),
        dice=() if silent else tuple(roll for roll in asked.dice if not kept.finds_in(roll)),
    )


def _decision_from_stored_fields(
    asked: Asked, item: WaitingDecision, scenes: Sequence[Scene], audience: Audience
) -> Asked | None:
    """Return a decision in words for an audience; None if the audience may not know of the decision.

    The words are made from the fields that the state stores.
    """
    table = NamesOnTable(scenes)
    if _may_concern_unseen_people(item, table):
        return None
    numberless = () if audience.meters == "exact" else {person for person, _ in table.meters_of_non_party}
    hidden = {person: name for person, name in table.hidden.items() if person not in table.seen}
    unknown = HiddenFromPlayers(hidden, table.secret_zones, table.name_search)
    speaker = PlayersSpeaker(item["names"], unknown, audience.language, numberless)
    text = (
        None
        if asked.secret or not speaker.audience_may_know("person", asked.who)
        else _question_for_players(asked, item, speaker)
    )
    if text is None:
        return None
    options = list(_known_options(asked, item, speaker))
    if len(options) < len(asked.options):
        return None
    return asked._replace(
        text=text,
        options=tuple(option for option, _ in options),
        labels=tuple(label for _, label in options) if any(label for _, label in options) else (),
        said=facts_before_decision_in_words(item, speaker),
        dice=tuple(roll for roll in asked.dice if speaker.audience_may_know("person", roll.who)),
        item=None,
    )


def _may_concern_unseen_people(item: WaitingDecision, names_on_table: NamesOnTable) -> bool:
    """Return whether a decision may concern somebody whom players don't see.

    A person who isn't in a scene yet counts as unseen, since they may come hidden. The result is False for
    every decision of the whole party. It is also False if the decision belongs to a system without scenes.
    """
    about = _stored_decision(item)
    if isinstance(about, statements.Decision) and about.answers == "person":
        people = {*item["options"]}
    else:
        meant = (
            statements.statement_from_fields(str(each["clause"]), each)
            for each in item.get("means", ())
            if "clause" in each
        )
        people = {id for one in meant if one for sort, id in one.ids() if sort == "person"}
    if (
        people <= names_on_table.seen.keys()
        or item["who"] == "the party"
        or item["command"] not in installed_plugins.plugin_index().moves
    ):
        return False
    return load_known_system(system_name_of_move(item["command"])) in systems_by_scene_key().values()


def roll_purpose_without_hidden_parts(roll: Roll, gm: GameMasterSpeaker, state: State) -> str:
    """Return the purpose of a roll for the players, without anything that is hidden from them.

    The players have to type in the dice of this roll. An example of a purpose is `attack (Lantern Flare at
    Goblin 3)`. `gm` knows the present names of everybody.
    """
    table = names_on_table(state)
    hidden = {person: name for person, name in table.hidden.items() if person not in table.seen}
    unknown = HiddenFromPlayers(hidden, table.secret_zones, table.name_search)
    speaker = PlayersSpeaker(names_not_following_from_ids((), [roll.why], gm), unknown, gm.language)
    purpose = speaker.language.purpose(roll.purpose)
    purpose = purpose if speaker.audience_may_read(purpose) else ""
    if isinstance(roll.why, Clause):
        why = say(roll.why, speaker) or ""
    else:
        why = roll.why if speaker.audience_may_read(roll.why) else ""
    return f"{purpose} ({why})" if purpose and why else purpose or why


def _question_for_players(asked: Asked, item: WaitingDecision, speaker: PlayersSpeaker) -> str | None:
    """Return the question of a decision, in words for players.

    Return None if the question is about something that players may not know of.
    """
    about = _stored_decision(item)
    if about is not None:
        return say(about, speaker)
    return (
        asked.text
        if speaker.audience_may_read(asked.what) and speaker.audience_may_read(asked.text)
        else None
    )


def _stored_decision(item: WaitingDecision) -> statements.Statement | None:
    """Return the statement of a decision, made from the fields in the state; None if there are no fields."""
    return (
        statements.statement_from_fields(str(item["about"]["decision"]), item["about"])
        if "about" in item
        else None
    )


def _known_options(asked: Asked, item: WaitingDecision, speaker: PlayersSpeaker) -> Iterator[tuple[str, str]]:
    """Yield the options of a decision that players may know, each with its meaning.

    If players may not know the meaning of an option, the option is left out. But an option that every
    decision of this kind has is still yielded, with the meaning "".
    """
    labels, about = asked.labels or ("",) * len(asked.options), _stored_decision(item)
    for number, option in enumerate(asked.options):
        if "means" in item:
            means = item["means"][number]
            clause = (
                statements.statement_from_fields(str(means["clause"]), means) if "clause" in means else None
            )
            words = say(clause, speaker) if clause else str(means["text"])
            if words is not None:
                yield option, words
        elif isinstance(about, statements.Decision):
            words = statements.option_effect_words(about, option, speaker)
            if words is not None or option in about.options:
                yield option, words or ""
        elif speaker.audience_may_read(option) and speaker.audience_may_read(labels[number]):
            yield option, labels[number]
