"""What content names must be there: powers of characters, statuses of powers, creatures of encounters.

Everything that a thing of the book names is looked up by its full id from here on; what can't be right about
it besides, whatever its form says, is told here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..problems import listed, nearest
from .ids import matching, one_of

_STEP_NEEDS = {
    "apply": ("status",),
    "zone": ("name",),
    "note": ("text",),
    "handler": ("handler",),
    **dict.fromkeys(("damage", "heal", "push", "pull", "slide", "shift", "teleport"), ("amount",)),
}
"""What a step of a power can't do without."""


RESERVED = ("party", "enemies")
"""What a sign of an encounter's map may stand for besides somebody: so nobody may be called that."""


class References:
    """The references of what one plugin (by its namespace) or the campaign ("") brought.

    `owned` is that, by kind; `tables` is all there is; what is wrong is added to `faults`.
    """

    def __init__(
        self,
        tables: Mapping[str, dict[str, Any]],
        owned: Mapping[str, list[tuple[str, Any]]],
        where: Mapping[str, str],
        faults: list[str],
        namespace: str = "",
    ) -> None:
        self.tables = tables
        self.owned = owned
        self.where = where
        self.faults = faults
        self.namespace = namespace

    def check(self) -> None:
        """Put full ids in the place of names; collect what names nothing."""
        for kind in ("characters", "creatures"):
            for key, item in self.owned[kind]:
                self._check_fighter(key, item, self._at(kind, key))
        for key, item in self.owned["powers"]:
            self._check_power(item, self._at("powers", key))
        for key, item in self.owned["statuses"]:
            item["implies"] = [
                self._resolve("statuses", name, f"{self._at('statuses', key)}.implies")
                for name in item["implies"]
            ]
        for kind in ("statuses", "conditions"):
            for key, item in self.owned[kind]:
                self._check_acting(item, self._at(kind, key))
        for key, item in self.owned["conditions"]:
            if escalates := item.get("escalates"):
                at = f"{self._at('conditions', key)}.escalates.to"
                item["escalates"] = {**escalates, "to": self._resolve("conditions", escalates["to"], at)}
        for key, item in self.owned["encounters"]:
            self._check_encounter(key, item)
        for key, item in self.owned["traits"]:
            for one, other in (("either", "either_when"), ("next_on", "next_defense")):
                if (one in item) != (other in item):
                    self.faults.append(f"{self._at('traits', key)}: {one} and {other} need each other")
        for key, item in self.owned["conflicts"]:
            self._check_teams(key, item)

    def _check_fighter(self, key: str, item: dict[str, Any], at: str) -> None:
        """A character or a creature."""
        if key in RESERVED:
            squares = f"the word stands for the squares of the {key} on an encounter's map"
            self.faults.append(f"{at}: {squares}; choose another id")
        item["powers"] = [self._resolve("powers", power, f"{at}.powers") for power in item["powers"]]
        item["statuses"] = [
            self._resolve("statuses", status, f"{at}.statuses") for status in item["statuses"]
        ]
        for number, trait in enumerate(item.get("traits", ())):
            if not isinstance(trait, str):
                self._check_acting(trait, f"{at}.traits[{number + 1}]")

    def _check_acting(self, item: dict[str, Any], at: str) -> None:
        """What a status, a condition or a trait does."""
        self._check_reactions(item["reactions"], f"{at}.reactions")
        for number, remap in enumerate(item["remaps"]):
            # A die is that of attacks at the holder, damage that which the holder deals.
            side, does = {"die": ("against", "faces"), "damage": ("own", "half")}[remap["stage"]]
            if remap["side"] != side or not remap.get(does):
                need = f'side = "{side}" and {does}'
                self.faults.append(f"{at}.remaps[{number + 1}]: stage {remap['stage']!r} needs {need}")

    def _check_reactions(self, reactions: list[dict[str, Any]], at: str) -> None:
        needs = {"damage": "amount", "heal": "amount", "note": "text", "roll": "faces", "handler": "handler"}
        for number, reaction in enumerate(reactions):
            where = f"{at}[{number + 1}]"
            need = needs.get(reaction["do"])
            if need and need not in reaction:
                self.faults.append(f"{where}: {reaction['do']} needs {need}")
            self._check_applied(reaction, where)
            if "handler" in reaction:
                reaction["handler"] = self._resolve("handlers", reaction["handler"], f"{where}.handler")
            if "faces" in reaction:
                reaction.setdefault("roll", "panic")
                self._check_faces(reaction["faces"], f"{where}.faces")

    def _check_faces(self, faces: dict[str, list[dict[str, Any]]], at: str) -> None:
        """Steps for each face of a d6, once."""
        seen: list[int] = []
        for span, steps in faces.items():
            first, _, last = span.partition("-")
            seen += range(int(first), int(last or first) + 1)
            for step in steps:
                for each in [step, *step["otherwise"]]:
                    self._check_applied(each, f"{at}.{span}")
        if sorted(seen) != [1, 2, 3, 4, 5, 6]:
            self.faults.append(f"{at}: should say once for each face from 1 to 6 what happens")

    def _check_applied(self, item: dict[str, Any], at: str) -> None:
        """A status that content applies: which, and until when (a save, where nothing is said)."""
        if item["do"] != "apply":
            return
        if "status" not in item:
            self.faults.append(f"{at}: apply needs a status")
            return
        self._resolve_status(item, "status", at)
        self._check_duration(item, at)

    def _check_duration(self, item: dict[str, Any], at: str) -> None:
        if item["do"] != "apply":
            return
        item.setdefault("duration", "save")
        if (item["duration"] == "until") != ("until" in item):
            self.faults.append(f'{at}: duration = "until" goes with until, the fact that ends it')

    def _check_power(self, power: dict[str, Any], at: str) -> None:
        from .forms import PARTS

        self.faults += shape_faults(power, at)
        for number, bonus in enumerate(power["bonus"]):
            self._resolve_status(bonus, "if_status", f"{at}.bonus[{number + 1}]")
        for part in PARTS:
            for number, step in enumerate(power[part]):
                self._check_step(step, f"{at}.{part}[{number + 1}]")

    def _check_step(self, step: dict[str, Any], at: str) -> None:
        from .forms import ZONE_ENDS

        for key in _STEP_NEEDS.get(step["do"], ()):
            if key not in step:
                self.faults.append(f"{at}: {step['do']} needs {'an' if key[0] in 'ae' else 'a'} {key}")
        self._resolve_status(step, "status", at)
        self._resolve_status(step, "if_status", at)
        self._check_duration(step, at)
        if step["do"] == "zone" and step.get("duration", "encounter") not in ZONE_ENDS:
            self.faults.append(f"{at}.duration: a zone ends at {listed(ZONE_ENDS)}")
        if "handler" in step:
            step["handler"] = self._resolve("handlers", step["handler"], f"{at}.handler")

    def _resolve_status(self, item: dict[str, Any], key: str, at: str) -> None:
        if key in item:
            item[key] = self._resolve("statuses", item[key], f"{at}.{key}")

    def _check_teams(self, key: str, item: dict[str, Any]) -> None:
        for side in ("team", "their_team"):
            for who in item[side]:
                if who not in self.tables["characters"]:
                    hint = nearest(who, self.tables["characters"])
                    self.faults.append(f"{self._at('conflicts', key)}.{side}: no character {who!r}.{hint}")

    def _check_encounter(self, key: str, item: dict[str, Any]) -> None:
        from .encounters import map_faults

        at = self._at("encounters", key)
        for name in ("place", "at"):
            refs: dict[str, Any] = item.get(name, {})
            for sign in list(refs):
                # In `place` a sign names somebody, in `at` somebody has squares.
                who = refs[sign] if name == "place" else sign
                if who not in (*RESERVED, *self.tables["characters"]):
                    if name == "place":
                        who = self._counted(item, sign, who)
                    found = self._resolve("creatures", who, f"{at}.{name}.{sign}")
                    if name == "place":
                        refs[sign] = found
                    else:
                        refs[found] = refs.pop(sign)
        item["creatures"] = {
            self._resolve("creatures", who, f"{at}.creatures"): count
            for who, count in item["creatures"].items()
        }
        if not self.faults:
            tables = self.tables["creatures"], self.tables["characters"]
            faults = map_faults(item, lambda who: next((table[who] for table in tables if who in table), {}))
            self.faults += [f"{at}.{fault}" for fault in faults]

    def _counted(self, item: dict[str, Any], sign: str, who: str) -> str:
        """The creature of a sign; of `goblin:4` the count is kept apart."""
        name, _, count = who.rpartition(":")
        if not name or not count.isdigit():
            return who
        item.setdefault("counts", {})[sign] = int(count)
        return name

    def _at(self, kind: str, key: str) -> str:
        return f"{self.where.get(f'{kind}.{key}', '')}: {kind}.{key}"

    def _resolve(self, kind: str, name: Any, at: str) -> str:
        table = self.tables[kind]
        # A bare name means one's own thing first, whatever else bears that name.
        own = f"{self.namespace}:{name}" if self.namespace else ""
        found = [own] if own in table else matching(str(name), table)
        if len(found) == 1:
            return found[0]
        if found:
            self.faults.append(f"{at}: {name!r} may be {listed(found)}; give the full id")
        else:
            known = [key.rpartition(":")[2] for key in table]
            self.faults.append(f"{at}: there is no {one_of(kind)} {name!r}.{nearest(str(name), known)}")
        return str(name)


def shape_faults(power: Mapping[str, Any], at: str) -> list[str]:
    """What can't be right about whom a power comes to, whatever else there is: a line each."""
    from .forms import SHAPES

    faults = []
    shapes = [shape for shape in SHAPES if shape in power]
    if len(shapes) > 1:
        faults.append(f"{at}: has {' and '.join(shapes)}; a power has one area")
    if "area" in power and "range" not in power:
        faults.append(f"{at}: area needs a range: how far off the middle of it may be")
    if "damage" in power and not shapes and "reach" not in power and "range" not in power:
        faults.append(f"{at}: damage needs reach, range, {', '.join(SHAPES)}: whom it can hit")
    if "on" in power and power.get("action") not in ("interrupt", "free", "none"):
        faults.append(f"{at}: on: what happens by itself is an interrupt, free or no action")
    return faults
