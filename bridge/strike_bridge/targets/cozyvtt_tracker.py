"""Events that bring CozyVTT's initiative tracker to the order and turn that it should show.

No event sets a turn or a round; one goes on to the next in line. So the line is first arranged for that
step, and then put right. Nothing is sent here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

STATE, REQUEST = "initiative.state", "initiative.request_state"
Said = list[object]


class TrackerRow(NamedTuple):
    """Somebody as the tracker has to show them: their token there, and what it copies of that."""

    token: str
    name: str
    hp: Mapping[str, object] | None
    initiative: int | None


class Tracker:
    """The tracker as it stands. Each method says an event (`said`), and goes on as the server does."""

    def __init__(self, state: Mapping[str, object]) -> None:
        rows = state.get("combatants")
        self.rows = {
            str(row.get("tokenId")): row for row in rows or () if isinstance(row, Mapping)
        } if isinstance(rows, list) else {}  # fmt: skip
        self.line = list(self.rows)
        self.begun = bool(state.get("active"))
        self.round = int(cast("int", state.get("round") or 0))
        self.current = cast("str | None", state.get("currentTokenId"))
        self.said: list[Said] = []

    def people(self, rows: Sequence[TrackerRow], map: str, round: int) -> list[Said]:
        """Return what brings these people into the tracker and nobody else.

        A row that changed leaves and comes anew, since name, HP and initiative are copied once. Where its
        round is past that of the fight all ends: there is no way back.
        """
        wanted = {row.token: row for row in rows}
        if self.begun and self.round > round:
            return [["initiative.end"], *(_add(id, map) for id in wanted)]
        stale = [id for id, row in self.rows.items() if id not in wanted or not _is_shown(wanted[id], row)]
        new = [id for id in wanted if id not in self.rows or id in stale]
        gone: list[Said] = [["initiative.remove", {"tokenId": id}] for id in stale]
        return [*gone, *(_add(id, map) for id in new)]

    def turn(self, line: Sequence[str], active: str | None, round: int) -> list[Said]:
        """Return what lays them in a line and gives `active` the turn of a round.

        Without an `active` the turn stays where it is.
        """
        line = [id for id in line if id in self.rows]
        if active in line:
            self._give(str(active), line, round)
        self._lay(line)
        return self.said

    def _give(self, active: str, line: list[str], round: int) -> None:
        if not self.begun:
            self._lay([active, *(id for id in line if id != active)])
            self._start()
        while self.round < round:  # who acts now comes last, and the round is over
            others = [id for id in self.line if id not in (active, self.current)]
            last = [id for id in self.line if id == self.current]
            self._lay([*([] if active in last else [active]), *others, *last])
            self._next()
        if self.current != active:
            if self._following() != active:
                rest = [id for id in self.line if id not in (active, self.current)]
                self._lay([*(id for id in self.line if id == self.current), active, *rest])
            self._next()

    def _following(self) -> str | None:
        """Return the token whose turn it is next, within the round."""
        at = self.line.index(self.current) + 1 if self.current in self.line else 0
        return self.line[at] if at < len(self.line) else None

    def _lay(self, line: Sequence[str]) -> None:
        if self.line != list(line):
            self.line = list(line)
            self.said.append(["initiative.reorder", {"orderedTokenIds": self.line}])

    def _start(self) -> None:
        self.begun, self.round, self.current = True, 1, self.line[0]
        self.said.append(["initiative.start"])

    def _next(self) -> None:
        following = self._following()
        if following is None:
            self.round += 1
        self.current = following or self.line[0]
        self.said.append(["initiative.next"])


def _add(id: str, map: str) -> Said:
    return ["initiative.add", {"tokenId": id, "mapId": map}]


def _is_shown(wanted: TrackerRow, row: Mapping[str, object]) -> bool:
    shown = (row.get("name"), row.get("hp"), row.get("initiative"))
    return shown == (wanted.name, wanted.hp, wanted.initiative)
