"""The report of a whole campaign: its sessions, and what each character did in them."""

from __future__ import annotations

from collections.abc import Mapping

from strike_cli.kernel.state_changes import block_cache
from strike_cli.pages import plots
from strike_cli.problems import Refused, listed
from strike_cli.terminal.local_time import local_day_time_and_zone

from .character_counts import CharacterCounts
from .entries_known_to_audience import KnownPast, with_note_if_journal_damaged
from .evening import EveningReport
from .tables_and_plots import CountTable, Plot, deeds_as_json, plots_of_deeds_and_dice_faces, tables_of_counts

PLOTTED_BY_EVENING = ("dealt", "felled")
"""Deeds with a plot of their own from evening to evening."""


class CampaignReport:
    """The report of all sessions so far, made in one pass through the entries.

    Creating it raises Refused if nothing has been played.
    """

    @block_cache()
    def __init__(self, past: KnownPast) -> None:
        self.book = past.book
        self.for_players = past.for_players
        self.evenings: dict[int, EveningReport] = {}
        for entry in past.entries:
            if entry.session not in self.evenings:
                self.evenings[entry.session] = EveningReport(past, entry.session, brief=True)
            self.last = self.evenings[entry.session]
            self.last.add_entry(entry)
        if not self.evenings:
            raise Refused("Nothing has been played yet.", "`strike session start` begins an evening.")
        self.total = CharacterCounts(self.book)
        for evening in self.evenings.values():
            self.total.add(evening.ledger)

    def heading(self) -> str:
        """Return the campaign's name, with a note if part of the journal is missing."""
        return with_note_if_journal_damaged(
            str(self.book.name), sum(evening.journal_gap_count for evening in self.evenings.values())
        )

    def subtitle(self) -> str:
        """Return the line below the heading: the number of sessions, and the first and last day."""
        evenings = [evening for evening in self.evenings.values() if evening.start]
        begun = min(evening.start for evening in evenings)
        ended = max(evening.end for evening in evenings)
        count = sum(number > 0 for number in self.evenings)
        played = f"{count} evening{'' if count == 1 else 's'}"
        return f"{played}, {local_day_time_and_zone(begun)[:10]} to {local_day_time_and_zone(ended)[:10]}"

    def session_rows(self) -> list[list[str]]:
        """Return a row for each session: its heading, day, number of commands, and results of scenes."""
        return [
            [
                evening.heading(),
                local_day_time_and_zone(evening.start)[:10],
                str(evening.commands),
                listed([f"{scene.name}{scene.outcome_and_length_words()}" for scene in evening.scenes], 3)
                if evening.scenes
                else "",
            ]
            for evening in self.evenings.values()
        ]

    def count_tables(self) -> list[CountTable]:
        """Return the tables of counts of all sessions together."""
        return tables_of_counts(self.total, self.last.character_names(), self.last.tallied_numbers_at_end)

    def plots_by_evening_and_in_total(self) -> list[Plot]:
        """Return the report's plots: first those by session, then those of all sessions together.

        If fewer than two sessions were played, the plots by session are left out.
        """
        names = self.last.character_names()
        return [*self.plots_by_evening(names), *plots_of_deeds_and_dice_faces(self.total, names)]

    def plots_by_evening(self, names: Mapping[str, str]) -> list[Plot]:
        """Return plots of the characters' deeds and points, with a column for each session.

        The deeds are `dealt` and `felled`, and the points are those gained in play. A plot without any values
        is left out. If fewer than two sessions were played, the list is empty.
        """
        played = [evening for number, evening in self.evenings.items() if number]
        if len(played) < 2:
            return []
        titles = {**self.total.deed_headings(), **self.total.point_headings()}
        gained = [tally.gained for tally in self.total.sheet_tallies.values()]
        found = []
        for key in (*PLOTTED_BY_EVENING, *gained):
            columns = [
                (str(evening.number), [evening.ledger.count_of(person, key) for person in names])
                for evening in played
            ]
            if any(any(values) for _, values in columns):
                found.append(
                    Plot(
                        f"{titles[key]} by evening", plots.draw_stacked_columns(columns, list(names.values()))
                    )
                )
        return found

    def as_json(self) -> dict[str, object]:
        points = self.total.points
        return {
            "campaign": self.book.name,
            "for_players": self.for_players,
            "sessions": [
                {
                    "session": evening.number,
                    "title": evening.title,
                    "from": evening.start,
                    "to": evening.end,
                    "commands": evening.commands,
                    "missing": evening.journal_gap_count,
                    "scenes": [scene.as_json() for scene in evening.scenes],
                    "counts": evening.ledger.points,
                    "deeds": deeds_as_json(evening.ledger),
                }
                for evening in self.evenings.values()
            ],
            "counts": {
                person: {**count, **self.last.tallied_numbers_at_end(person)}
                for person, count in points.items()
            },
            "deeds": deeds_as_json(self.total),
        }
