"""A table kept in a file and lines beside it: what is read is what was written last, whoever died when."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as quickly
from hypothesis import strategies as st

from strike_bridge.table_file_with_change_log import SnapshotLog

VALUES = st.one_of(st.none(), st.integers(0, 3), st.lists(st.integers(0, 2), max_size=2),
                   st.dictionaries(st.sampled_from("xy"), st.none() | st.integers(0, 2)))  # fmt: skip
TABLES = st.fixed_dictionaries(
    {"seq": st.integers(0, 9), "scene": VALUES, "tokens": st.dictionaries(st.sampled_from("abc"), VALUES)}
)


@pytest.mark.slow
@quickly(max_examples=40)
@given(st.lists(st.tuples(TABLES, st.sampled_from(["line", "whole", "reopened"])), min_size=1, max_size=8))
def test_what_is_read_is_what_was_written_last(writes: list[tuple[dict[str, Any], str]]) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:  # Windows, whose lines are open
        path = Path(place) / "bridge" / "table.json"
        kept = SnapshotLog(path, ["tokens"])
        for fields, how in writes:
            if how == "reopened" and path.exists():
                kept = SnapshotLog(path, ["tokens"])
                kept.read_existing()
            kept.write(fields, whole=how == "whole")
            assert SnapshotLog(path, ["tokens"]).read_existing() == fields


def test_lines_of_another_edition_and_half_a_line_count_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    kept = SnapshotLog(path)
    kept.write({"seq": 1})
    kept.write({"seq": 2})
    stale = kept.lines.read_bytes()
    kept.write({"seq": 3}, whole=True)
    assert not kept.lines.exists()
    kept.lines.write_bytes(stale)  # its worker died between the two
    assert SnapshotLog(path).read_existing() == {"seq": 3}
    kept.write({"seq": 4})
    with open(kept.lines, "ab") as file:
        file.write(stale[:-5])  # and another in the middle of a line
    again = SnapshotLog(path)
    assert again.read_existing() == {"seq": 4}
    again.write({"seq": 5})
    assert SnapshotLog(path).read_existing() == {"seq": 5}
