"""Checks of a state for faults.

A hand edit, an override or a broken plugin must not leave such faults in the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..content.merged_content import Book
from ..content.system_check_hooks import load_checks
from ..faults import Fault, Faults, Place, check_storable
from ..kernel.state_changes import State, apply_changes, look_up, pending_decisions_in
from ..problems import nearest
from ..registry import installed_systems, scene_systems
from ..registry.installed_plugins import load_object
from ..schemas_from_types import declared_fields, declared_form
from ..tabletop.people import characters_in
from ..validation import Anything, Fields, Flag, ListOf, Number, OneOf, Record, TableOf, Text, Unchecked
from .outdated_state import find_outdated, state_paths_of_system

STATE = Place(file="state.toml")


@lru_cache(maxsize=1)
def state_form(book: Book) -> Record:
    """Return the schema of the state, put together from the tables that the installed systems declare."""
    session = Record(number=(Number(0), ...), open=(Flag(), ...), started=Text(), title=Text(), scene=Text())
    pending = Record(
        _check_labels,
        command=(Text(), ...),
        args=(Anything(), ...),
        answers=(ListOf(Unchecked()), ...),
        who=(Text(), ...),
        what=(Text(), ...),
        text=Text(),
        options=(ListOf(Text()), ...),
        labels=(ListOf(Text()), ...),
        n=(Number(0), ...),
        salt=Number(0),
        secret=Flag(),
        hidden=Flag(),
        entered=Flag(),
        faces=ListOf(Number(1)),
        seed=Number(),
        commands=Number(0),
        said=ListOf(Unchecked()),
        about=Unchecked(),
        decides=OneOf("gm", "payer"),
        means=ListOf(Unchecked()),
        names=TableOf(Text()),
        rolls=ListOf(Unchecked()),
    )
    character: Fields = {}
    tables: Fields = {}
    for system in installed_systems(book.registry):
        if system.sheets.state:
            character |= declared_fields(load_object(system.absolute(system.sheets.state)), book)
        for key, reference in system.state.items():
            tables[key] = declared_form(load_object(system.absolute(reference)), book)
    return Record(
        session=session,
        characters=TableOf(Record(**character)),
        pending=TableOf(pending),
        parked=TableOf(TableOf(Unchecked())),
        made_up=TableOf(TableOf(Unchecked())),
        plugins=Unchecked(),
        versions=TableOf(Number(1)),
        **tables,
    )


def _check_labels(item: Mapping[str, Sequence[str]], where: Place, faults: Faults) -> None:
    """Add a fault for a decision without options, or with labels for only some of its options.

    A decision that has no labels at all is no fault.
    """
    options, labels = item["options"], item["labels"]
    if not options:
        faults.append(Fault(where / "options", "nothing to choose"))
    elif labels and len(labels) != len(options):
        faults.append(Fault(where / "labels", f"{len(labels)} for {len(options)} options"))


def orphaned_state(state: State, book: Book) -> list[str]:
    """Return the paths in a state that belong to no installed system.

    They are tables, and keys of characters, of a plugin that is missing now. They stay unchanged until this
    plugin is installed again.
    """
    form = state_form(book)
    found = [key for key in state if key not in form.fields]
    of_character = form.fields["characters"][0]
    assert isinstance(of_character, TableOf)
    assert isinstance(of_character.item, Record)
    known, characters = of_character.item.fields, characters_in(state)
    for person, own in characters.items() if isinstance(characters, dict) else ():
        keys = own if isinstance(own, dict) else ()
        found += [f"characters.{person}.{key}" for key in keys if key not in known]
    return found


def state_faults(state: State, book: Book, before: State | None = None) -> Faults:
    """Return every fault of a state, each with its path.

    `before` is the state before somebody edited it. If it is given, it is a fault to change or add a
    decision, though not to remove one. It is then also a fault if a part belongs to no installed system and
    wasn't there before.
    """
    faults = form_faults(state, book, before)
    for key, system in scene_systems().items():
        if not faults and key in state:
            faults += [fault.within(STATE) for fault in load_checks(system).state(state)]
    if not faults and before is not None:
        waiting = pending_decisions_in(before)
        for scene, item in pending_decisions_in(state).items():
            if item != waiting.get(scene):
                how = "`strike choose OPTION` answers it, `strike undo` takes it back"
                what = f"a decision can't be edited; {how}"
                faults.append(Fault(STATE / "pending" / scene, what))
    characters = characters_in(state)
    for person in characters if isinstance(characters, dict) else ():
        if person not in book.characters:
            hint = nearest(person, book.characters)
            place = STATE / "characters" / person
            faults.append(Fault(place, f"no such character in campaign.toml.{hint}"))
    return faults


def form_faults(state: State, book: Book, before: State | None = None) -> Faults:
    """Return the parts of a state that don't fit the schema, each with its path.

    Without `before`, parts that belong to no installed system are no fault. If `before`, an earlier state, is
    given, they are no fault only if `before` has them, too.
    """
    faults: Faults = []
    check_storable(state, STATE, faults)
    if not faults:
        loose = [
            path
            for path in orphaned_state(state, book)
            if before is None or look_up(before, path) is not None
        ]
        loose += [
            path
            for each in find_outdated(state, book)
            for path, _ in state_paths_of_system(each.system, state, book)
        ]
        rest = apply_changes(state, [(path, None, None) for path in loose])
        state_form(book).check(rest, STATE, faults)
    return faults
