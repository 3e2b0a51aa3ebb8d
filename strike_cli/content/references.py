"""What content names must be there: powers of characters, statuses of powers, creatures of encounters.

Everything that a thing of the book names is looked up by its full id from here on; where names stand is said
by the forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..problems import listed, nearest
from ..registry import systems
from ..registry.installed import load_object
from ..validation import Kind, Names
from .ids import matching, one_of


class References(Names):
    """The references of what one plugin (by its namespace) or the campaign ("") brought.

    `tables` is all there is, by kind; what is wrong is added to `faults`.
    """

    def __init__(
        self,
        tables: Mapping[str, dict[str, Any]],
        where: Mapping[str, str],
        faults: list[str],
        namespace: str = "",
    ) -> None:
        self.tables = tables
        self.where = where
        self.faults = faults
        self.namespace = namespace

    def resolve_all(self, owned: Mapping[str, list[str]], forms: Mapping[str, Kind]) -> None:
        """Put full ids in the place of names in the things `owned`, by kind; collect what names nothing, and
        what else is wrong with a thing once its names are known."""
        for kind, ids in owned.items():
            for id in ids:
                at = f"{self.where.get(f'{kind}.{id}', '')}: {kind}.{id}"
                self.tables[kind][id] = forms[kind].resolve(self.tables[kind][id], at, self)
                if not self.faults:  # what looks further looks at other things too, which must be in form
                    self.faults += [f"{at}{fault}" for fault in self._beyond(kind, id)]

    def _beyond(self, kind: str, id: str) -> list[str]:
        checks = [system.absolute(system.check_content) for system in systems() if system.check_content]
        return [fault for check in checks for fault in load_object(check)(kind, id, self.tables)]

    def has(self, kind: str, id: str) -> bool:
        """Whether there is a thing of this full id."""
        return id in self.tables[kind]

    def full_id(self, kind: str, name: str, where: str) -> str:
        """The full id of what a name means; a fault where it means nothing, or several things."""
        table = self.tables[kind]
        # A bare name means one's own thing first, whatever else bears that name.
        own = f"{self.namespace}:{name}" if self.namespace else ""
        found = [own] if own in table else matching(name, table)
        if len(found) == 1:
            return found[0]
        if found:
            self.fault(f"{where}: {name!r} may be {listed(found)}; give the full id")
        else:
            known = [key.rpartition(":")[2] for key in table]
            self.fault(f"{where}: there is no {one_of(kind)} {name!r}.{nearest(name, known)}")
        return name

    def known(self, kind: str, name: str) -> str:
        """The full id of what a name means, where it means one thing; empty where it doesn't."""
        own = f"{self.namespace}:{name}" if self.namespace else ""
        found = [own] if own in self.tables[kind] else matching(name, self.tables[kind])
        return found[0] if len(found) == 1 else ""

    def thing(self, kind: str, id: str) -> Any:
        """The table of a thing, with full ids in it, of a kind that is resolved before."""
        return self.tables[kind][id]

    def fault(self, text: str) -> None:
        """Something that is wrong."""
        self.faults.append(text)
