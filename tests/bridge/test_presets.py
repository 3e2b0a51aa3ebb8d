"""Each preset against a server made from its API's documentation: an evening arrives, once and in order."""

from __future__ import annotations

import pytest
from support.evening import Evening
from support.thorough import few_of

from strike_bridge.doctor import check_target
from strike_bridge.push_follow_and_sync import push
from strike_bridge.rest.merged_target_table import BUILT_IN_PRESETS
from strike_bridge.settings import Settings

from .helpers import HASTY, cursor_of, told
from .rest_helpers import write_target
from .servers.base import answers, running
from .servers.presets import PRESETS, TOKEN, Documented

ODD = 'Vex & Brann say "<b>" to the Händler 🜏'


def settings_of(server: Documented, evening: Evening) -> Settings:
    url = "" if server.path else server.url
    return write_target(evening, f'base = "{server.name}"\n{server.table}', url)


def test_every_preset_has_a_server() -> None:
    assert sorted(each.name for each in PRESETS) == sorted(
        file.stem for file in BUILT_IN_PRESETS.glob("*.toml")
    )


@pytest.mark.parametrize("kind", few_of(PRESETS, 2), ids=lambda kind: kind.name)
def test_an_evening_arrives_by_a_preset(
    kind: type[Documented], evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(kind()) as server:
        monkeypatch.setenv("STRIKE_REST_KEY", f"{server.url}{server.path}" if server.path else TOKEN)
        settings = settings_of(server, evening)
        evening.start()
        evening.happen(("said", "", ODD, {}))
        evening.happen(("said", "", "ü" * 5000, {}))
        assert [each.what for each in check_target(evening.folder, settings) if not each.well] == []
        told(evening, settings)
        evening.roll(3)
        status, body, headers = kind.busy
        server.faults = [answers(status, headers, body)]
        told(evening, settings)
        assert cursor_of(evening, settings).review == []
        evening.roll(5, secret=True)
        told(evening, settings)
        texts = [
            text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for text in server.lines
        ]
        assert [text[:5] for text in texts[-3:]] == [ODD[:5], "ü" * 5, "d6: 3"]
        assert len(texts) == len({*texts}) == 5
        assert texts[-3] == ODD
        assert "lurker" not in str([call.raw for call in server.calls]).lower()


@pytest.mark.parametrize("kind", few_of(PRESETS, 5), ids=lambda kind: kind.name)
def test_a_wrong_key_is_found(
    kind: type[Documented], evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(kind()) as server:
        monkeypatch.setenv("STRIKE_REST_KEY", f"{server.url}/hooks/wrong" if server.path else "wrong")
        settings = settings_of(server, evening)
        evening.start()
        said = [each for each in check_target(evening.folder, settings) if not each.well or not each.tried]
        assert any("does not accept" in each.what or "Not contacted" in each.what for each in said)
        assert "does not accept the key" in push(evening.folder, settings, HASTY).error
        assert server.lines == []
