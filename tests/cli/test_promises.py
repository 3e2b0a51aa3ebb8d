"""docs/promises.md leans on tests that are there."""

from __future__ import annotations

import re

from support.documents import ROOT


def test_every_test_that_a_promise_names_is_there() -> None:
    text = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/[\w/.]+)`", text))
    assert len(named) > 30
    assert not [name for name in named if not (ROOT / name).exists()]
