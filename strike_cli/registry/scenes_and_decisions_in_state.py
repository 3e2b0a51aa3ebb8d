"""The scenes under way and the parked ones, read from the state by their systems.

No other module loops over the scenes. Begin with `scenes_under_way`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from ..kernel.state_changes import MADE_UP, State, cached_in_block, look_up, pending_decisions_in
from ..kernel.statements import Language, Speaker, clause_from_json, say, statement_from_fields
from ..refusals import NoSceneOfSystem
from ..tabletop.characters_and_names import GameMasterSpeaker
from ..tabletop.distance_units import SQUARES, Measure
from ..tabletop.scene import Asked, Scene, ShownDice, TableItem, mark_people_and_zones_in_fog, read_scene
from .installed_plugins import KnownSystem, import_object, known_systems, plugin_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..kernel.journal_types import FactBeforeDecision, RollBeforeDecision, WaitingDecision
    from ..tabletop.data import SceneKept
    from .system_declaration import System


@cached_in_block
def scenes_of(state: Mapping[str, object]) -> Sequence[Scene]:
    """Return every scene in the state, whether it is over or not, except parked ones.

    They are in the order in which they began. Scenes of systems that are switched off are left out.
    """
    known, off = plugin_index().scenes, plugin_index().off
    return [
        scene_or_bare_scene_from_table(known_systems()[known[key]], table, pending_decisions_in(state))
        for key, table in state.items()
        if key in known and known[key] not in off and isinstance(table, Mapping)
    ]


def scenes_under_way(state: Mapping[str, object]) -> list[Scene]:
    """Return the scenes that are under way.

    A scene that is over still counts in two cases: it waits for a decision, or its system settles scenes
    after their end (`SceneTable.settles`).
    """
    return [scene for scene in scenes_of(state) if _is_under_way(state, scene.key)]


def names_of_systems_under_way(state: Mapping[str, object]) -> list[str]:
    """Return the names of the systems with unfinished scenes.

    They are in the order in which the scenes began.
    """
    known = plugin_index().scenes
    return [known[key] for key in state if key in known and _is_under_way(state, key)]


def _is_under_way(state: Mapping[str, object], key: str) -> bool:
    table = state[key]
    is_over = isinstance(table, Mapping) and "ended" in table
    return (
        not is_over
        or key in pending_decisions_in(state)
        or known_systems()[plugin_index().scenes[key]].settles
    )


def nothing_under_way_refusal(system: System, state: State) -> NoSceneOfSystem:
    """Return the refusal of a command that needs a scene of this system while there is none.

    If the scene waits for a decision before it begins, the hint says so. Otherwise the hint says how to find
    the command that begins one.
    """
    if pending_decisions_in(state).get(system.scene.key):
        hint = "A decision is open before it begins: `strike help now`."
    else:
        hint = f"`strike {system.name} --help` says how to begin."
    return NoSceneOfSystem(system.title or system.name, hint)


def exhibits_on_the_table(state: Mapping[str, object], language: Language) -> list[TableItem]:
    """Return everything that is on the table besides scenes, with its text in a language.

    If a system's code fails, its things are left out.
    """
    found: list[TableItem] = []
    for known in known_systems().values():
        if not known.exhibits or not any(table in state for table in known.tables):
            continue
        exhibits: Callable[[Mapping[str, object]], Iterable[TableItem]] = import_object(known.exhibits)
        try:
            found += (
                one._replace(text=_text_or_clauses_in_language(one.text, language)) for one in exhibits(state)
            )
        except Exception:
            continue
    return found


TABLES_WITHOUT_SYSTEM = {"session", "characters", "pending", "parked", "plugins", "versions", MADE_UP}
"""The tables of the state that belong to no system."""


def tables_of_missing_systems(state: Mapping[str, object]) -> list[str]:
    """Return the tables of a state that belong to no installed system."""
    return [
        key for key in state if key not in TABLES_WITHOUT_SYSTEM and key not in plugin_index().system_tables
    ]


def parked_scene_names(state: State, system: System) -> dict[str, str]:
    """Return the names of a system's parked scenes. The keys are the ids for resuming the scenes."""
    return parked_names_at(state, system.path_of_parked_scenes)


def parked_names_at(state: State, path: str) -> dict[str, str]:
    """Return the names of the parked scenes at a path of the state, by the ids for resuming them."""
    parked: Mapping[str, SceneKept] = look_up(state, path, {})
    return {key: str(one.get("name", key)) for key, one in parked.items()}


def parked_scene_tables(state: State, system: System) -> Mapping[str, SceneKept]:
    """Return the tables of a system's parked scenes, by the ids for resuming them."""
    return cast("Mapping[str, SceneKept]", look_up(state, system.path_of_parked_scenes, {}))


def scene_or_bare_scene_from_table(
    system: System | KnownSystem,
    table: Mapping[str, object],
    pending: Mapping[str, WaitingDecision] | None = None,
) -> Scene:
    """Return a scene, made from its table.

    `pending` has the open decisions; if one of them belongs to the scene, the scene has it as `asked`. If the
    system's code fails on the table, the scene has only its name, so that other scenes can still be shown.
    """
    # Showing a scene need not import its system: the index has the reference of its reader.
    known = system if isinstance(system, KnownSystem) else known_systems()[system.name]
    return _read_scene(known, table, (pending or {}).get(known.scene))


@cached_in_block
def _read_scene(system: KnownSystem, table: Mapping[str, object], waiting: WaitingDecision | None) -> Scene:
    key = system.scene
    try:
        read = import_object(system.reads) if system.reads else read_scene
        found: Scene = _with_measure(
            system.measure, table, mark_people_and_zones_in_fog(read(system.name, key, table))
        )
    except Exception:
        found = Scene(system.name, key, key, str(table.get("name", system.title or key)))
    return found if waiting is None else found._replace(asked=decision_to_show(waiting))


def _with_measure(reference: str, table: Mapping[str, object], scene: Scene) -> Scene:
    """Return a scene with its measure of distances set.

    `reference` names the measure; "" means squares. If the measure counts squares and the scene has no map,
    the scene is returned unchanged.
    """
    measure: Measure = import_object(reference) if reference else SQUARES
    if measure.by_squares and scene.board is None:
        return scene
    board = table.get("map")
    return scene._replace(measure=measure.for_map(board if isinstance(board, Mapping) else None))


def _text_or_clauses_in_language(
    text_or_clauses: str | Sequence[Mapping[str, object]], language: Language
) -> str:
    if isinstance(text_or_clauses, str):
        return text_or_clauses
    speaker = GameMasterSpeaker(language=language)
    try:
        return ", ".join(say(clause_from_json(each), speaker) or "" for each in text_or_clauses)
    except (KeyError, TypeError, ValueError):  # a clause of a plugin that is no longer installed
        return ""


def decision_to_show(waiting: WaitingDecision) -> Asked:
    """Return a decision that waits in the state, as data for showing it.

    The facts that led to it are left out; `facts_before_decision_in_words` returns them.
    """
    return Asked(
        str(waiting.get("who") or ""),
        str(waiting.get("what", "")),
        tuple(waiting.get("options", ())),
        tuple(waiting.get("labels", ())),
        (),
        bool(waiting.get("secret") or waiting.get("hidden")),
        str(waiting.get("text", "")),
        tuple(_thrown_dice(roll) for roll in waiting.get("rolls", ())),
        waiting,
    )


def names_at_decision(waiting: WaitingDecision) -> dict[str, str]:
    """Return people's names by id, as they were when a decision was asked.

    Only people whose names are stored with the decision are there.
    """
    return {
        key.removeprefix("person:"): str(name)
        for key, name in waiting.get("names", {}).items()
        if key.startswith("person:")
    }


def facts_before_decision_in_words(waiting: WaitingDecision, speaker: Speaker) -> tuple[str, ...]:
    """Return the facts that led to an open decision, in words.

    Facts that the audience may not see are left out.
    """
    said = (_fact_in_words(fact, speaker) for fact in waiting.get("said", ()))
    return tuple(words for words in said if words)


def _fact_in_words(fact: FactBeforeDecision | str, speaker: Speaker) -> str | None:
    if isinstance(fact, str):  # stored before facts had classes
        return fact if speaker.audience_may_read(fact) else None
    try:
        return say(statement_from_fields(fact["kind"], fact), speaker)
    except (KeyError, TypeError, ValueError):
        words = str(fact.get("text", ""))
        return words if speaker.audience_may_read(words) else None


def decision_mark(key: str, waiting: Mapping[str, object]) -> str:
    """Return a mark that distinguishes a pending decision from all others, earlier and later.

    The mark is a hash of everything that led to the decision, including the command's number. Only the game
    master's programs get the mark itself. Other programs get it in a sealed form (`seal_mark`).
    """
    import hashlib
    import json

    text = json.dumps({"key": key, **waiting}, sort_keys=True, default=str, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def seal_mark(mark: str, seal: str) -> str:
    """Return a decision's `mark` sealed with the secret `seal`, for players and other programs.

    Without the secret, the result reveals nothing about the decision.
    """
    import hashlib
    import hmac

    return hmac.new(seal.encode(), mark.encode(), hashlib.sha256).hexdigest()[:32]


def _thrown_dice(roll: RollBeforeDecision) -> ShownDice:
    faces = tuple(int(face) for face in roll.get("faces", ()))
    return ShownDice(
        str(roll.get("who") or ""), str(roll.get("purpose", "")), int(roll.get("sides", 6)), faces
    )
