"""The resolution of names in content: each must mean an existing power, status or other item.

Full ids replace the names. The schemas say which keys contain names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..deprecated_api_names import OldName
from ..file_faults import Fault, Faults, Place
from ..problems import did_you_mean, listed
from ..registry import load_usable_systems
from ..registry.installed_plugins import PluginIndex
from ..validation import Kind, Names
from .name_index import NameIndex, singular_of_kind
from .system_checks import load_checks

MOST_FAULTS = 100
"""The most faults that are reported in full; the others are only counted."""


class References(Names):
    """The resolver of the names in the content of one plugin, or of the campaign.

    `namespace` is the plugin's namespace, or "" for the campaign. `tables` is all content, by kind. `faults`
    collects unknown names and other faults of the content. `before` is the number of faults that were found
    earlier, elsewhere.
    """

    def __init__(
        self,
        tables: Mapping[str, dict[str, Mapping[str, object]]],
        where: Mapping[str, str],
        faults: Faults,
        registry: PluginIndex,
        order: Sequence[str],
        clashes: list[str],
        namespace: str = "",
    ) -> None:
        self.before = 0
        self.tables = tables
        self.where = where
        self.faults = faults
        self.registry = registry
        self.namespace = namespace
        self.order = order
        self.clashes = clashes
        self.meanings: dict[str, NameIndex] = {}

    def resolve_and_check_items(self, owned: Mapping[str, list[str]], forms: Mapping[str, Kind]) -> None:
        """Replace the names in items of content by full ids.

        `owned` has the ids of these items, by kind. An unknown name becomes a fault. As long as there are no
        faults, the systems' own checks of each item (`Checks.content_faults`) are made as well.
        """
        checks = [load_checks(system) for system in load_usable_systems(self.registry) if system.checks]
        for kind, ids in owned.items():
            for id in ids:
                at = Place(kind, id, file=self.where.get(f"{kind}.{id}", ""))
                thing = forms[kind].resolve(self.tables[kind][id], at, self)
                self.tables[kind][id] = thing  # type: ignore[assignment]  # of a table it makes a table
                if not self.faults:  # these checks read other things, too, which must be in form
                    beyond = [
                        fault for check in checks for fault in check.content_faults(kind, id, self.tables)
                    ]
                    self.faults += [fault.within(at) for fault in beyond]

    def has(self, kind: str, id: str) -> bool:
        """Return whether an item with this full id exists."""
        return id in self.tables[kind]

    def full_id(self, kind: str, name: str, where: Place) -> str:
        """Return the full id that a name means.

        For an unknown or ambiguous name, add a fault and return the name itself.
        """
        found = self._find_ids(kind, name)
        if len(found) == 1:
            if name != found[0] and not self.namespace:
                taken = found[0]
                every = self.meanings[kind].ids_by_first_matching_rule(name)
                if len(every) > 1 and ":" in taken and self.where.get(f"{kind}.{taken}") != where.file:
                    ids = [f"{id} of {self.where.get(f'{kind}.{id}', 'nobody')}" for id in every]
                    self.clashes.append(f"{where}: {name!r} may be {listed(ids)}, and is read as {taken}")
            return found[0]
        if found:
            several = [f"{id} of {self.where.get(f'{kind}.{id}', 'nobody')}" for id in found]
            self.faults.append(Fault(where, f"{name!r} may be {listed(several)}; give the full id"))
        else:
            many = self.before + len(self.faults) >= MOST_FAULTS  # to search for similar names takes long
            known = [] if many else [key.rpartition(":")[2] for key in self.tables[kind]]
            self.faults.append(
                Fault(where, f"there is no {singular_of_kind(kind)} {name!r}.{did_you_mean(name, known)}")
            )
        return name

    def forget(self, kind: str, id: str) -> None:
        """Record that an item was removed, so that names no longer refer to it."""
        if kind in self.meanings:
            self.meanings[kind].forget(id)

    def id_if_known(self, kind: str, name: str) -> str:
        """Return the full id that a name means; "" if it means nothing, or several items."""
        found = self._find_ids(kind, name)
        return found[0] if len(found) == 1 else ""

    def _find_ids(self, kind: str, name: str) -> list[str]:
        # A bare name means the plugin's own thing first, whatever else has that name.
        table = self.tables[kind]
        own = f"{self.namespace}:{name}" if self.namespace else ""
        if own in table:
            return [own]
        if kind not in self.meanings:
            self.meanings[kind] = NameIndex(table, self.order)
        return self.meanings[kind].ids_in_first_namespace(name)

    def resolved_item(self, kind: str, id: str) -> Mapping[str, object]:
        """Return an item, in which the names of other items have been replaced by full ids.

        The caller must have resolved the items of this kind before.
        """
        return self.tables[kind][id]

    def add_fault(self, fault: Fault) -> None:
        self.faults.append(fault)

    fault, thing, known = OldName("add_fault"), OldName("resolved_item"), OldName("id_if_known")
