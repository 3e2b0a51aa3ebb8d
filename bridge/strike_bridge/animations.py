"""What screens animate after a command: turn, action, result, movement, hits, damage and falls.

All of these come from the command's facts, and from an audience's view before and after each fact; no text is
parsed. Begin with `animation_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from strike_cli.kernel.statements import Language
from strike_cli.registry import fact_class
from strike_cli.tabletop.scene import Person, Scene
from strike_cli.visibility.audience_view import AudienceView
from strike_cli.visibility.audiences import Audience, meter_shown_to, without_secret_statuses
from strike_cli.visibility.redaction import Banner

from .state_projection import find_newest_shown_scene, scene_id, square_payload

if TYPE_CHECKING:
    from strike_table.schemas import BannerPayload, NamedPayload, TurnPayload

    from .payloads import ShownAnimation, ShownEffect, ShownHeading, ShownLine


if TYPE_CHECKING:
    from strike_cli.kernel.journal_types import StoredFact

MAX_EFFECTS = 100
"""The maximum number of effects that are sent of one command: no fight needs more, and a table takes no
more."""


class WitnessedFact(NamedTuple):
    """A fact as an audience may know it, with the audience's views before and after the fact.

    `visible_fact` is the fact itself, or None if the audience may not know it. `changed_tables` has the names
    of the state tables that the fact changes.
    """

    visible_fact: StoredFact | None
    banner: Banner | None
    before: AudienceView
    after: AudienceView
    changed_tables: frozenset[str]


def animation_of(facts: Sequence[WitnessedFact], names: Mapping[str, str]) -> ShownAnimation:
    """Return what screens show as an animation for a journal entry, such as its heading, banners and effects.

    Args:
        facts: The entry's facts, at least one.
        names: The name of each creature, by id.
    """
    told = [each.visible_fact for each in facts if each.visible_fact is not None]
    before, after = facts[0].before, facts[-1].after
    told_and_shown = [(each.visible_fact, each.banner) for each in facts]
    head, lines = roll_heading_and_all_lines(
        told_and_shown, names, [after.people, before.people], after.audience.language
    )
    return {
        "turn": _turn_in_which_facts_happened(facts, before, after),
        "head": head,
        "lines": lines,
        "banners": list(_distinct_banners(facts)),
        "outcome": any(fact_class(fact["kind"]).closes_scene for fact in told),
        "effects": _effects_to_animate(facts),
    }


FactAndBanner = tuple["StoredFact | None", "Banner | None"]
"""A fact as an audience may know it, and its banner on a screen."""


_HEADING_FIELDS = (
    *("kind", "who", "target", "by", "roll", "result", "hits", "outcome", "skill", "skilled", "costs"),
    *("bonus", "text", "without_hp", "names", "changes", "banner", "against", "rolls", "side", "bare"),
    "variant",
)
"""Fields of an action that a card shows by its heading and dice. An action with other fields is described in
words, too."""


def roll_heading_and_all_lines(
    facts: Sequence[FactAndBanner],
    names: Mapping[str, str],
    people: Sequence[Mapping[str, Person]],
    language: Language,
) -> tuple[ShownHeading | None, list[ShownLine]]:
    """Return a heading for the first fact with a roll, and a line for each fact that has a text.

    The heading is None if no fact has a roll. It is also None if the roll has no outcome, or if its actor has
    no name. `people` are two tables of people by id: as they are after the facts, and as they were before.
    """
    rolled = next((each for each in facts if each[0] and isinstance(each[0].get("roll"), Mapping)), None)
    head = _heading_of_roll_with_outcome(*rolled, names, people, language) if rolled else None
    return head, [*_lines_of_all_facts(facts, rolled if head else None)]


def _lines_of_all_facts(
    facts: Sequence[FactAndBanner], heading_fact: FactAndBanner | None
) -> Iterator[ShownLine]:
    for each in facts:
        fact, banner = each
        if fact is None or not (words := fact["text"].strip()):
            continue
        line: ShownLine = {"text": words, "style": fact_class(fact["kind"]).style}
        if banner:
            line |= {"event": banner.event, "tone": banner.tone, "headline": banner.text}
        is_of_dice = each is heading_fact or (
            any(isinstance(fact.get(key), Mapping | list) for key in ("roll", "against", "rolls"))
            and not line.get("headline")
        )
        power = banner.power if banner else ""
        if is_of_dice and not any(_needs_words_beside_heading(*field, power) for field in fact.items()):
            line["deed"] = True
        yield line


def _needs_words_beside_heading(name: str, value: object, power: str) -> bool:
    named = name == "power" and (power or isinstance(value, str))
    return bool(value) and name not in _HEADING_FIELDS and not named


def _distinct_banners(facts: Sequence[WitnessedFact]) -> Iterator[BannerPayload]:
    """Yield the facts' headlines in order, each one once. A headline without text is left out."""
    told = dict.fromkeys(
        each.banner._replace(power="") for each in facts if each.visible_fact is not None and each.banner
    )
    for banner in told:
        if banner.text:
            yield {"text": banner.text, "event": banner.event, "tone": banner.tone, "who": banner.who}


# Whose turn it was


def turn_in_shown_scene(view: AudienceView) -> TurnPayload | None:
    """Return the turn that is under way in `view`; None if `view` has no scene.

    It is used for journal entries in which nobody acts, such as an undo.
    """
    return _turn_in_which_facts_happened((), view, view)


def _turn_in_which_facts_happened(
    facts: Sequence[WitnessedFact], before: AudienceView, after: AudienceView
) -> TurnPayload | None:
    """Return the turn in which some facts happened, or None if neither view has a scene.

    `before` and `after` are what the audience sees before and after the facts. In each view, the scene is the
    one that the facts change or, if there is none, the one that is shown. If somebody's turn is under way in
    the scene of `after`, that turn is returned. Otherwise the scene of `before` is tried. If nobody's turn is
    under way in either scene, the result has no person.
    """
    touched = frozenset[str]().union(*(each.changed_tables for each in facts))
    shown = [
        scene for view in (after, before) if (scene := _touched_or_shown_scene(view, touched)) is not None
    ]
    if not shown:
        return None
    acting = next((scene for scene in shown if scene.order and scene.order.active), shown[0])
    person = (acting.order.active if acting.order else None) or ""
    one = acting.people.get(person)
    return {
        "scene": scene_id(acting),
        "round": acting.order.round if acting.order else acting.round,
        "who": person,
        "name": one.name if one else person[:1].upper() + person[1:].replace("-", " "),
        "side": one.side if one else person,
        "begins": any(
            each.visible_fact and fact_class(each.visible_fact["kind"]).begins_turn for each in facts
        ),
    }


def _touched_or_shown_scene(view: AudienceView, touched: frozenset[str]) -> Scene | None:
    return next((scene for scene in view.scenes if scene.key in touched), None) or find_newest_shown_scene(
        view.scenes
    )


# Actors, powers and targets


def _heading_of_roll_with_outcome(
    fact: StoredFact | None,
    banner: Banner | None,
    names: Mapping[str, str],
    people: Sequence[Mapping[str, Person]],
    language: Language,
) -> ShownHeading | None:
    """Return the heading of the roll in `fact`: its actor, purpose, targets and outcome.

    Returns None if the fact has no outcome, or if its actor has no name. `people` are two tables of people by
    id. The first is from after the facts, the second from before them.
    """
    came = _outcome_of_fact(fact) if fact is not None else ""
    if fact is None or not came:
        return None
    known = {**names, **fact.get("names", {})}
    doer, aims = fact["who"], fact.get("target")
    if "by" in fact and not aims:  # a fact about the target
        doer, aims = fact["by"], fact["who"]
    if not known.get(doer):
        return None

    def name_payload(person: str) -> NamedPayload:
        side = next((at[person].side for at in people if person in at), "")
        return {"id": person, "name": known[person], "side": side}

    aimed, whose = [aims] if isinstance(aims, str) else [], name_payload(doer)
    power = banner.power if banner and banner.power else fact.get("power")
    head: ShownHeading = {
        "id": whose["id"],
        "name": whose["name"],
        "side": whose["side"],
        "what": language.purpose(str(fact["roll"].get("purpose") or "")),
        "at": [name_payload(person) for person in aimed if known.get(person)],
        "came": came,
    }
    if isinstance(power, str) and power:
        head["power"] = power
    return {**head, "words": banner.text, "tone": banner.tone} if banner and banner.text else head


def _outcome_of_fact(fact: StoredFact) -> str:
    """Return `hit` or `miss` for an attack, else the fact's outcome; "" for a fact without one."""
    hits = fact.get("hits")
    if isinstance(hits, bool):
        return "hit" if hits else "miss"
    outcome = fact.get("outcome")
    return outcome if isinstance(outcome, str) else ""


# Effects on the map


def _effects_to_animate(facts: Sequence[WitnessedFact]) -> list[ShownEffect]:
    found: list[ShownEffect] = []
    for told, _, before, after, touches in facts:
        if told is None:
            continue
        people = before.people
        if isinstance(told.get("hits"), bool) and told.get("target") in people:
            found.append({"kind": _outcome_of_fact(told), "id": told["target"], "by": told["who"]})
        for side, person, words in before.side_person_and_pick_revealed_by(told["kind"]):
            found.append({"kind": "turned", "id": side, "by": person, "words": words})
        for person, one in after.people.items() if touches else ():
            was = people.get(person)
            if was is not None and was is not one:
                _add_or_extend_movement(found, was, one)
                found += _damage_state_and_new_statuses(was, one, after.audience)
    return found[:MAX_EFFECTS]


def _add_or_extend_movement(effects: list[ShownEffect], before: Person, person: Person) -> None:
    """Add a creature's movement to `effects`, if its square changed.

    If the last effect is a movement of the same creature that ended where this one begins, its path is
    extended instead.
    """
    here, there = square_payload(before.at), square_payload(person.at)
    if here is None or there is None or here == there:
        return
    last = effects[-1] if effects else None
    if last and last["kind"] == "moved" and last["id"] == person.id and last["path"][-1] == here:
        last["path"].append(there)
    else:
        effects.append({"kind": "moved", "id": person.id, "path": [here, there]})


def _damage_state_and_new_statuses(
    before: Person, person: Person, audience: Audience
) -> Iterator[ShownEffect]:
    old = {meter.id: meter for meter in before.meters}
    vital = next((meter for meter in person.meters if meter.vital and meter.most), None)
    if vital and vital.id in old and vital.value != old[vital.id].value:
        change = vital.value - old[vital.id].value
        exact = meter_shown_to(vital, person, audience).shown == "exact" or audience.gm
        kind = "mended" if change > 0 else "hurt"
        yield {"kind": kind, "id": person.id, "amount": abs(change) if exact else None}
    if person.state != before.state and person.state in ("down", "out"):
        yield {"kind": person.state, "id": person.id}
    had = {status.id for status in without_secret_statuses(before).statuses}
    for status in without_secret_statuses(person).statuses:
        if status.id not in had:
            yield {"kind": "status", "id": person.id, "words": status.name}
