"""What is hidden stays the game master's: whatever comes in whichever order, players get none of it."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strike_table import schemas, store, views
from strike_table.guard import watch_token
from strike_table.store import TableStore
from strike_table.views import Audience

EXAMPLES = 2000 if os.environ.get("STRIKE_THOROUGH") else 40
KEY = "the-key-of-this-table"
SECRET = "lurk"

creatures = st.sampled_from(["vex", "bran", "goblin"])
scenes = st.builds(
    lambda doors, zones: schemas.scene(
        {
            "id": "s",
            "name": "Scene",
            "rows": ["...."],
            "doors": [{"at": {"x": x, "y": 77 if hidden else 0}, "hidden": hidden} for x, hidden in doors],
            "zones": [{"id": SECRET if hidden else "z", "hidden": hidden} for hidden in zones],
        }
    ),
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=2),
    st.lists(st.booleans(), max_size=2),
)


@st.composite
def steps(draw: st.DrawFn) -> tuple[str, Any]:
    """One delivery. What players may not know is marked by SECRET in its text, or by the number 77."""
    kind = draw(st.sampled_from(["token", "token", "token", "remove", "order", "result", "scene", "clear"]))
    who = draw(creatures)
    hidden = draw(st.booleans())
    if kind == "token":
        hp = draw(st.sampled_from([{}, {"hp_shown": "none", "gm_hp": {"value": 77, "max": 77}}]))
        token = {"name": SECRET if hidden else who, "side": "enemies", "hidden": hidden, **hp}
        return kind, schemas.token(token, who)
    if kind == "order":
        acting = draw(creatures)
        entries = [{"id": id} for id in draw(st.lists(creatures, unique=True))]
        return kind, schemas.order({"round": 1, "active": acting, "entries": entries})
    if kind == "result":
        seq = draw(st.integers(0, 4))
        title = SECRET if hidden else f"{who} hits"
        return kind, schemas.result({"id": str(seq), "seq": seq, "title": title, "secret": hidden})
    return kind, draw(scenes) if kind == "scene" else who


def tell(table: TableStore, kind: str, data: Any) -> None:
    {
        "token": table.put_token,
        "remove": table.remove_token,
        "order": table.put_order,
        "result": table.add_result,
        "scene": table.put_scene,
        "clear": lambda _: table.clear_scene(),
    }[kind](data)


def replay(state: dict[str, Any], changes: tuple[store.Change, ...]) -> dict[str, Any]:
    """What a page knows that saw `state` and was then told the changes."""
    tokens = {token["id"]: token for token in state["tokens"]}
    results = {result["id"]: result for result in state["results"]}
    for change in changes:
        data: Any = change.data
        if change.kind in ("scene", "order"):
            state = {**state, change.kind: data}
        elif change.kind.startswith("token"):
            tokens.pop(data["id"], None)
            if change.kind == "token":
                tokens[data["id"]] = data
        elif change.kind == "result":
            results[data["id"]] = data
        else:
            results.pop(data["id"])
    return {**state, "tokens": tokens, "results": results}


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(steps(), max_size=12))
def test_players_are_never_told_and_every_page_ends_at_the_truth(delivered: list[tuple[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.os, "fsync", lambda _: None)
        table = TableStore(Path(folder))
        first = {audience: table.snapshot(audience) for audience in Audience}
        for kind, data in delivered:
            before = {who: table.snapshot(who)["version"] for who in Audience}
            hidden_ids = {id for id, token in table.everything.tokens.items() if token["hidden"]}
            tell(table, kind, data)
            hidden_ids &= {id for id, token in table.everything.tokens.items() if token["hidden"]}
            told = table.changes_after(Audience.PLAYERS, before[Audience.PLAYERS])
            assert told is not None
            said = json.dumps([change.data for change in told] + [table.snapshot(Audience.PLAYERS)])
            assert SECRET not in said
            assert "77" not in said.replace(str(table.snapshot(Audience.PLAYERS)["version"]), "")
            for id in hidden_ids:
                assert f'"{id}"' not in said, "whoever was hidden and is, isn't even named"
        for audience in Audience:
            changes = table.changes_after(audience, first[audience]["version"])
            assert changes is not None
            shown = table.snapshot(audience)
            known = replay(dict(first[audience]), changes)
            assert known["tokens"] == {token["id"]: token for token in shown["tokens"]}
            assert known["results"] == {result["id"]: result for result in shown["results"]}
            assert (known["scene"], known["order"]) == (shown["scene"], shown["order"])
        everything = TableStore(Path(folder)).everything
        assert everything == table.everything, "and a restart forgets nothing"


def test_each_link_shows_what_is_its_audiences(ask, a_token, a_result):
    ask("PUT", "/api/v1/tokens/vex", json=a_token())
    ask("PUT", "/api/v1/tokens/lurker", json=a_token("lurker", hidden=True))
    ask(
        "PUT",
        "/api/v1/order",
        json={"round": 1, "active": "lurker", "entries": [{"id": "lurker"}, {"id": "vex"}]},
    )
    ask("POST", "/api/v1/results", json=a_result(1, title="The lurker waits", secret=True))

    def seen(**how: Any) -> str:
        return ask("GET", "/api/v1/state", **how).text

    for_gm = seen(key=None, params={"watch": watch_token(KEY, Audience.GM)})
    assert json.loads(for_gm)["audience"] == "gm"
    assert for_gm == seen()
    assert for_gm.count("lurker") >= 4
    for how in ({}, {"params": {"watch": watch_token(KEY)}}):
        for_players = seen(key=None, **how)
        assert json.loads(for_players)["audience"] == "players"
        assert "lurker" not in for_players.lower()
        assert [entry["id"] for entry in json.loads(for_players)["order"]["entries"]] == ["vex"]
    assert ask("GET", "/api/v1/state", key=None, params={"watch": "an old link"}).status_code == 401


def test_the_bar_hides_the_numbers_from_players(ask, a_token):
    token = a_token(hp={"value": 3, "max": 4}, hp_shown="bar", gm_hp={"value": 27, "max": 40})
    ask("PUT", "/api/v1/tokens/vex", json=token)
    (for_players,) = ask("GET", "/api/v1/state", key=None).json()["tokens"]
    assert (for_players["hp"], for_players["gm_hp"]) == ({"value": 3, "max": 4}, None)
    assert ask("GET", "/api/v1/tokens/vex").json() == token


def test_nothing_secret_is_in_what_is_made_for_players_of_an_empty_table():
    assert views.for_players(views.View()) == views.View()


def test_a_table_of_the_first_schema_is_still_known(data_dir, a_token):
    data_dir.mkdir()
    old = {key: value for key, value in a_token().items() if key not in ("hp_shown", "wounds", "gm_hp")}
    kept = {"schema": 1, "version": 7, "scene": None, "tokens": [old], "order": None, "results": []}
    (data_dir / store.FILE_NAME).write_text(json.dumps({**kept, "bodies_by_key": {}}), "utf-8")
    shown = TableStore(data_dir).snapshot(Audience.PLAYERS)
    assert (shown["version"], shown["tokens"]) == (7, [a_token()])
