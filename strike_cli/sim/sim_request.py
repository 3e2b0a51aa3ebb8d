"""A request to `strike sim`: the encounters, the people, and the changes to try.

Begin with `freeze_campaigns`. It turns a request into frozen campaigns, which the simulation then plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..content.merged_content import Book
from ..content.schemas import is_campaign_only_kind
from ..kernel.procedure import World
from ..kernel.state_changes import State
from ..problems import Refused, Usage, did_you_mean, listed
from ..registry import load_known_system, load_usable_systems
from ..registry.system_declaration import System
from .campaign_variants import (
    DIFFICULTY,
    PARTY,
    WITHOUT,
    compile_book,
    files_with_values_set,
    parse_path_value,
    read_campaign_files,
)
from .simulated_fight import FrozenCampaign, simulation_rules_of
from .simulation_hooks import Lineup


class SimRequest(NamedTuple):
    """A request for a simulation.

    - `encounters`: the ids of the encounters to play. If there are none, the scene under way is played.
    - `lineup`: the party, extra creatures, and the difficulty.
    - `sets`: values to set in the campaign's files, as typed (`PATH=VALUE`).
    - `compare`: as typed, a change such as `goblin:2`. The same fights are also played with this change; ""
      for no comparison.
    """

    encounters: tuple[str, ...]
    system: str
    lineup: Lineup = Lineup()
    sets: tuple[str, ...] = ()
    compare: str = ""


def find_prepared_scene_and_system(book: Book, name: str, wanted: str = "") -> tuple[str, System]:
    """Find a prepared scene, such as an encounter, by its name. Return its id and the system that plays it.

    The beginning of the name or of the id is enough. If the system `wanted` plays such scenes, it is
    returned. Otherwise, the campaign's own systems come before all others. Raises Usage if the name is
    unknown or ambiguous, if `wanted` can't be simulated, or if no system fits.
    """
    able = [each for each in load_usable_systems(book.registry) if each.simulation.rules]
    if wanted and wanted not in {each.name for each in able}:
        raise Usage(
            f"--system: {wanted!r} can't be simulated.", f"Known: {listed(each.name for each in able)}."
        )
    names: dict[str, str] = {}
    for kind in dict.fromkeys(simulation_rules_of(each).prepared for each in able):
        table = {key: str(item.get("name", key)) for key, item in book.table(kind).items()}
        names.update(table)
        if found := _find_id_by_beginning(name, table):
            return found, _preferred_system_that_plays(able, kind, book, wanted)
    raise Usage(
        f"There is no encounter {name!r} in {book.name}.{did_you_mean(name, names)}",
        f"Known: {listed(names)}.",
    )


def _find_id_by_beginning(name: str, table: Mapping[str, str]) -> str:
    low = name.strip().lower()
    if low in table:
        return low
    found = [key for key, title in table.items() if key.startswith(low) or title.lower().startswith(low)]
    if len(found) > 1:
        raise Usage(f"{name!r} is ambiguous: {listed(found)}.", "Write out more of the id.")
    return found[0] if found else ""


def _preferred_system_that_plays(systems: Sequence[System], kind: str, book: Book, preferred: str) -> System:
    fit = {each.name: each for each in systems if simulation_rules_of(each).prepared == kind}
    own = next(
        (each for each in load_usable_systems(book.registry) if is_campaign_only_kind(each, kind)), None
    )
    for name in (preferred, *book.systems, own.name if own else "", *fit):
        if name in fit:
            return fit[name]
    raise Usage(f"No system that plays {kind} can be simulated.", "`strike plugin list` lists the plugins.")


def freeze_campaigns(
    folder: Path,
    book: Book,
    state: State,
    request: SimRequest,
    added_content: Mapping[str, object] | None = None,
) -> list[FrozenCampaign]:
    """Freeze the campaign to play and, for a comparison, the campaign to compare it with.

    The things in `added_content` count as if they were in campaign.toml. Raises Usage for a wrong request,
    and Refused for one that can't be played.
    """
    files = read_campaign_files(folder) if request.sets or added_content or "=" in request.compare else {}
    sets = [parse_path_value(word) for word in request.sets] + (
        [dict(added_content)] if added_content else []
    )
    mine = compile_book(files_with_values_set(files, sets), request.sets) if sets else book
    arms = [_freeze_playable_campaign(mine, state, request, request.lineup)]
    if request.compare:
        lineup, value = _compared_lineup_and_value(mine, request, request.compare)
        theirs = mine
        if value is not None:
            theirs = compile_book(
                files_with_values_set(files, [*sets, value]), (*request.sets, request.compare)
            )
        arms.append(_freeze_playable_campaign(theirs, state, request, lineup))
    return arms


def _freeze_playable_campaign(
    book: Book, state: State, request: SimRequest, lineup: Lineup
) -> FrozenCampaign:
    if why := simulation_rules_of(load_known_system(request.system)).undecided:
        raise Refused(why, "A plugin that declares the effects of hits can be simulated (docs/systems.md).")
    scene = load_known_system(request.system).scene.key
    if request.encounters:
        # The system's scene under way is removed: a second one could not begin.
        state = {key: value for key, value in state.items() if key not in (scene, "pending")}
    frozen = FrozenCampaign.freeze(book, state, request.system, request.encounters, lineup)
    if request.encounters:  # refuse here, once, what can't begin
        from ..kernel.driver import default_of_decision, play_until_open_decision
        from ..play.playable_moves_and_time_limit import find_move
        from .simulated_fight import KeyedDice

        for encounter in request.encounters:
            world = World(frozen.book, frozen.state)
            option = frozen.rules.begin(world, encounter, lineup)
            play_until_open_decision(
                find_move(option.command).start(world, option.args),
                world,
                KeyedDice(0, ""),
                default_of_decision,
            )
    return frozen


def _compared_lineup_and_value(
    book: Book, request: SimRequest, difference: str
) -> tuple[Lineup, dict[str, object] | None]:
    """Return the lineup of the campaign to compare with, and a value to change in that campaign.

    `difference` is what the user typed. If it changes the party, the creatures or the difficulty, the new
    lineup is returned, and the value is None. Otherwise it has the form `key=value`. Then the lineup is that
    of `request`, and the value is returned as nested tables.
    """
    lineup = request.lineup
    key, sign, text = difference.partition("=")
    if not sign:
        more = parse_creatures_with_colon_counts(book, [difference])
        counts = {
            ref: lineup.creatures.get(ref, 0) + more.get(ref, 0) for ref in {**lineup.creatures, **more}
        }
        return lineup._replace(creatures=counts), None
    key = key.strip()
    if key == DIFFICULTY:
        return lineup._replace(difficulty=text.strip()), None
    if key in (PARTY, WITHOUT):
        named = [find_character_id(book, each) for each in text.split(",") if each.strip()]
        whole = lineup.party or list(book.characters)
        party = named if key == PARTY else [combatant for combatant in whole if combatant not in named]
        return lineup._replace(party=tuple(party)), None
    return lineup, parse_path_value(difference)


def parse_creatures_with_colon_counts(book: Book, creatures_with_counts: Sequence[str]) -> dict[str, int]:
    """Parse creatures with counts: `goblin:4`, or `goblin` for one. Returns the count of each id."""
    found: dict[str, int] = {}
    for word in creatures_with_counts:
        name, _, count = word.rpartition(":")
        if not name or not count.isdecimal():
            name, count = word, "1"
        ref = book.find("creatures", name)
        found[ref] = found.get(ref, 0) + int(count)
    return found


def find_character_id(book: Book, name: str) -> str:
    """Return the id of the character whose id or name begins with `name`.

    Raises Usage if there isn't exactly one.
    """
    found = _find_id_by_beginning(
        name, {combatant: str(sheet["name"]) for combatant, sheet in book.characters.items()}
    )
    if not found:
        raise Usage(
            f"There is no character {name!r}.{did_you_mean(name, book.characters)}",
            f"Known: {listed(book.characters)}.",
        )
    return found


def encounter_ids_and_names(book: Book, request: SimRequest) -> list[tuple[str, str]]:
    """Return the id and the name of each encounter."""
    table = book.table(simulation_rules_of(load_known_system(request.system)).prepared)
    return [(key, str(table[key].get("name", key))) for key in request.encounters]
