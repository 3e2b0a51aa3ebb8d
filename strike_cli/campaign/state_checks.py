"""Checks of the campaign's state against the schema and the rules of the installed systems.

They find the faults that a hand edit, an override or a broken plugin may leave in the state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..content.merged_content import Book
from ..content.system_checks import load_checks
from ..file_faults import Fault, Faults, Place, check_storable_in_journal
from ..kernel.state_changes import State, apply_changes, look_up, pending_decisions_in
from ..problems import did_you_mean
from ..registry import load_usable_systems, systems_by_scene_key
from ..registry.installed_plugins import import_object
from ..tabletop.characters_and_names import character_changes_in
from ..validation import AnyValue, Fields, Flag, ListOf, Number, OneOf, Record, TableOf, Text, UncheckedTable
from ..validation_schemas_from_types import declared_fields, declared_form
from .state_versions import find_version_mismatches, state_paths_of_system

STATE = Place(file="state.toml")


@lru_cache(maxsize=1)
def state_schema(book: Book) -> Record:
    """Return the schema of the state, put together from the tables that the installed systems declare."""
    session = Record(number=(Number(0), ...), open=(Flag(), ...), started=Text(), title=Text(), scene=Text())
    pending = Record(
        _check_options_and_labels,
        command=(Text(), ...),
        args=(UncheckedTable(), ...),
        answers=(ListOf(AnyValue()), ...),
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
        said=ListOf(AnyValue()),
        about=AnyValue(),
        decides=OneOf("gm", "payer"),
        means=ListOf(AnyValue()),
        names=TableOf(Text()),
        rolls=ListOf(AnyValue()),
    )
    character: Fields = {}
    tables: Fields = {}
    for system in load_usable_systems(book.registry):
        if system.sheets.state:
            character |= declared_fields(import_object(system.absolute(system.sheets.state)), book)
        for key, reference in system.state.items():
            tables[key] = declared_form(import_object(system.absolute(reference)), book)
    return Record(
        session=session,
        characters=TableOf(Record(**character)),
        pending=TableOf(pending),
        parked=TableOf(TableOf(AnyValue())),
        made_up=TableOf(TableOf(AnyValue())),
        plugins=AnyValue(),
        versions=TableOf(Number(1)),
        **tables,
    )


def _check_options_and_labels(decision: Mapping[str, Sequence[str]], where: Place, faults: Faults) -> None:
    """Add a fault if a decision has no options, or if it has labels for only some of its options.

    A decision without any labels is valid.
    """
    options, labels = decision["options"], decision["labels"]
    if not options:
        faults.append(Fault(where / "options", "nothing to choose"))
    elif labels and len(labels) != len(options):
        faults.append(Fault(where / "labels", f"{len(labels)} for {len(options)} options"))


def state_paths_without_system(state: State, book: Book) -> list[str]:
    """Return the paths in a state that belong to no installed system.

    They are tables, or keys of characters, of a plugin that isn't installed now. Strike keeps them unchanged,
    so that the plugin finds them when it is installed again.
    """
    form = state_schema(book)
    found = [key for key in state if key not in form.fields]
    of_character = form.fields["characters"][0]
    assert isinstance(of_character, TableOf)
    assert isinstance(of_character.item, Record)
    known, characters = of_character.item.fields, character_changes_in(state)
    for person, own in characters.items() if isinstance(characters, dict) else ():
        keys = own if isinstance(own, dict) else ()
        found += [f"characters.{person}.{key}" for key in keys if key not in known]
    return found


def state_faults(state: State, book: Book, state_before_edit: State | None = None) -> Faults:
    """Return the faults of a state, each with its path.

    If the state doesn't fit its schemas, most of the other checks are left out. `state_before_edit` is the
    state before a person edited it. With `state_before_edit`, two more things are faults: a decision that was
    added or changed, and a new part that belongs to no installed system. Removing a decision is allowed.
    """
    faults = schema_faults(state, book, state_before_edit)
    for key, system in systems_by_scene_key().items():
        if not faults and key in state:
            faults += [fault.within(STATE) for fault in load_checks(system).state_faults(state)]
    if not faults and state_before_edit is not None:
        waiting = pending_decisions_in(state_before_edit)
        for scene, item in pending_decisions_in(state).items():
            if item != waiting.get(scene):
                how = "`strike choose OPTION` answers it, `strike undo` takes it back"
                what = f"a decision can't be edited; {how}"
                faults.append(Fault(STATE / "pending" / scene, what))
    characters = character_changes_in(state)
    for person in characters if isinstance(characters, dict) else ():
        if person not in book.characters:
            hint = did_you_mean(person, book.characters)
            place = STATE / "characters" / person
            faults.append(Fault(place, f"no such character in campaign.toml.{hint}"))
    return faults


def schema_faults(state: State, book: Book, unknown_parts_allowed_in: State | None = None) -> Faults:
    """Return the faults in the form of a state, each with its path.

    Two sorts of parts aren't checked:

    - Parts that belong to no installed system. If an earlier state `unknown_parts_allowed_in` is given, this
      holds only for parts that `unknown_parts_allowed_in` has, too.
    - Parts of a system that reads another version than the stored one.
    """
    faults: Faults = []
    check_storable_in_journal(state, STATE, faults)
    if not faults:
        loose = [
            path
            for path in state_paths_without_system(state, book)
            if unknown_parts_allowed_in is None or look_up(unknown_parts_allowed_in, path) is not None
        ]
        loose += [
            path
            for each in find_version_mismatches(state, book)
            for path, _ in state_paths_of_system(each.system, state, book)
        ]
        rest = apply_changes(state, [(path, None, None) for path in loose])
        state_schema(book).check(rest, STATE, faults)
    return faults
